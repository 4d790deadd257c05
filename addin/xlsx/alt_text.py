"""The descriptions of the charts of a workbook for screen readers, in its drawings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from addin.xlsx.elements import Element, edited, outline
from addin.xlsx.package import PackageError, read_parts, write_parts
from addin.xlsx.parts import targets
from addin.xlsx.workbook_part import sheet_parts

DRAWINGS = "xl/drawings/drawing"
_DEEP = 5  # drawing, anchor, frame, its properties, its name


def describe_charts(path: Path, texts: Mapping[str, Sequence[str]]) -> None:
    """Write the descriptions of all charts into a file: by title of the sheet, in the order of the charts.

    Raises PackageError for a sheet with another number of charts.
    """
    parts = read_parts(path)
    for title, part in sheet_parts(parts).items():
        wanted = texts.get(title, ())
        drawings = [name for name in targets(parts, part).values() if name.startswith(DRAWINGS)]
        frames = {name: list(_named(outline(parts[name], _DEEP))) for name in drawings}
        if sum(map(len, frames.values())) != len(wanted):
            raise PackageError(
                f"{path.name}: {title} has another number of charts than descriptions. Describe every chart."
            )
        said = iter(wanted)
        for name, named in frames.items():
            parts[name] = edited(parts[name], [each.with_attributes(descr=next(said)) for each in named])
    write_parts(path, parts)


def _named(element: Element) -> Iterator[Element]:
    """Yield the elements with name and description of the charts in a drawing."""
    if element.name == "cNvPr":
        yield element
    for child in element.children:
        yield from _named(child)
