"""The cells that people fill, by names that every release has for them, and what each release ships there.

`releases/X.Y.Z.filled` has the values of a release, beside its marks: the name, a tab, the value as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from addin.kernel import Address, Scalar
from addin.leaving import money_cells
from addin.leaving.marks import RELEASES
from addin.workbook import designs, own_rows, run_settings
from addin.workbook.book import SizingBook
from addin.workbook.ranges import PREFIX

SUFFIX = ".filled"
WHAT_IF, PLACE, RISK = "#", "@", "Risk inputs: "
TITLED = ("Doc_", run_settings.PREFIX)  # names of the cells about the document, and of the settings of the buttons


def places(book: SizingBook) -> dict[str, Address]:
    """Return every cell that people fill: own rows by table, field and place, then inputs, what-ifs, texts, spreads."""
    return dict(_places(book))


def _places(book: SizingBook) -> Iterator[tuple[str, Address]]:
    for prefix in (own_rows.PREFIX, *TITLED):
        for name, text in book.cells.names.items():
            if name.startswith(prefix):
                for place, at in enumerate(own_rows.area(book.cells, text)):
                    yield f"{name}{PLACE}{place}", at
    for key, item in book.inputs.items():
        yield f"{PREFIX}{key}", item.address
        for number, at in enumerate(designs.what_ifs(book.cells, item.beside)):
            if number:
                yield f"{PREFIX}{key}{WHAT_IF}{number}", at
    rows = list(money_cells.risk_rows(book))
    columns = {head: at.column for at, _, head in rows}
    for key, first in {key: at for at, key, _ in reversed(rows)}.items():
        for head, column in columns.items():
            yield f"{RISK}{key}, {head}", first._replace(column=column)


@lru_cache(maxsize=8)
def shipped_values(version: str) -> Mapping[str, Scalar] | None:
    """Return what a release ships in the cells that people fill, blanks left out; None of an unknown release."""
    file = RELEASES / f"{version}{SUFFIX}"
    if not file.is_file():
        return None
    lines = (line.split("\t") for line in file.read_text("utf-8").splitlines())
    return {name: json.loads(value) for name, value in lines}


def write(file: Path, book: SizingBook) -> None:
    """Write what a released workbook ships there, beside its file of marks."""
    values = ((name, book.cells.constant(at)) for name, at in places(book).items() if book.cells.formula(at) is None)
    lines = [f"{name}\t{json.dumps(value)}\n" for name, value in values if value is not None]
    file.with_suffix(SUFFIX).write_text("".join(lines), "utf-8")
