"""Do two builds differ in anything but version, digest and date? `python -m tests.support.same_workbook OLD NEW`.

For changes that move code and not the workbook. Compared are every cell's value, stored result and style, widths and
heights, validations, conditional formats, names, print set-up and protection; of charts, drawings and everything else
in the package the parts themselves. Shared strings and the numbering of styles may differ, as no reader sees them.
Exit 0 = the same, 1 = differences, a line each.
"""

import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

from openpyxl import Workbook, load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from addin.engines.office.recompute import stored_values

# Written afresh by openpyxl for the styles and texts that occur; what they say is compared cell by cell.
_NUMBERED = re.compile(r"xl/(?:worksheets/sheet\d+|styles|sharedStrings)\.xml")
_STAMP = re.compile(
    r"Version (?P<version>[\d.]+), (?:as built|model digest) (?P<digest>[0-9a-f]{12})"
)  # in the description of the document
_DATES = re.compile(r"\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}Z)?")
_SHOWN = 40


class Side:
    """One of the two workbooks; what its build stamps into it is masked."""

    def __init__(self, path: Path) -> None:
        with zipfile.ZipFile(path) as package:
            self.parts = {name: package.read(name) for name in package.namelist()}
        self.book: Workbook = load_workbook(path)
        self.results: Workbook = stored_values(path)
        stamp = _STAMP.search(self.book.properties.description or "")
        self._stamps = tuple(stamp.groups()) if stamp else ()

    def masked(self, text: str) -> str:
        """Return a text without version, digest and dates."""
        for stamp in self._stamps:
            text = text.replace(stamp, "*")
        return _DATES.sub("*", text)

    def cells(self, title: str) -> dict[str, tuple[str, ...]]:
        """Return value, stored result and style of every cell of a sheet."""
        stored = self.results[title]
        return {
            cell.coordinate: (
                self.masked(repr(cell.value)),
                self.masked(repr(stored[cell.coordinate].value)),
                cell.style,
                *map(repr, (cell.number_format, cell.font, cell.fill, cell.border, cell.alignment, cell.protection)),
            )
            for row in self.book[title].iter_rows()
            for cell in row
        }


def _set_up(sheet: Worksheet) -> dict[str, str]:
    """Return what belongs to a sheet as a whole."""
    formats = {
        str(area.sqref): [repr(rule) for rule in rules]
        for area, rules in sheet.conditional_formatting._cf_rules.items()
    }
    settings = {
        "validations": sorted(repr(rule) for rule in sheet.data_validations.dataValidation),
        "conditional formats": formats,
        "widths": {letter: (size.width, size.hidden) for letter, size in sheet.column_dimensions.items()},
        "heights": {row: (size.height, size.hidden) for row, size in sheet.row_dimensions.items()},
        "merged cells": sorted(map(str, sheet.merged_cells.ranges)),
        "print area": sheet.print_area,
        "print titles": (sheet.print_title_rows, sheet.print_title_cols),
    }
    for name in ("protection", "page_setup", "page_margins", "views", "sheet_properties"):
        settings[name] = repr(getattr(sheet, name))
    for name in ("oddFooter", "oddHeader"):
        settings[name] = repr([getattr(getattr(sheet, name), side).text for side in ("left", "center", "right")])
    settings["links"] = sorted(repr(cell.hyperlink) for row in sheet.iter_rows() for cell in row if cell.hyperlink)
    return {name: str(value) for name, value in settings.items()}


def differences(old: Side, new: Side) -> Iterator[str]:
    """Yield a line for each thing that is not the same."""
    for name in sorted({*old.parts, *new.parts}):
        if name not in old.parts or name not in new.parts:
            yield f"{name}: only in the {'old' if name in old.parts else 'new'} workbook"
        elif not _NUMBERED.fullmatch(name):
            before, after = (side.masked(side.parts[name].decode("utf-8", "replace")) for side in (old, new))
            if before != after:
                yield f"{name}: differs"
    if old.book.sheetnames != new.book.sheetnames:
        yield f"sheets: {old.book.sheetnames} are now {new.book.sheetnames}"
    for title in old.book.sheetnames:
        if title not in new.book.sheetnames:
            continue
        cells, new_cells = old.cells(title), new.cells(title)
        for where in sorted({*cells, *new_cells}):
            if cells.get(where) != new_cells.get(where):
                yield f"{title}!{where}: {cells.get(where)} is now {new_cells.get(where)}"
        was, now = (
            {name: side.masked(text) for name, text in _set_up(side.book[title]).items()} for side in (old, new)
        )
        yield from (f"{title}, {name}: {was[name]} is now {now[name]}" for name in was if was[name] != now[name])


def main(old: str, new: str) -> int:
    """Print the differences, return how the comparison ended."""
    lines = list(differences(Side(Path(old)), Side(Path(new))))
    print("\n".join(lines[:_SHOWN]) or "the same but for version, digest and date")
    if len(lines) > _SHOWN:
        print(f"... and {len(lines) - _SHOWN} more")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
