"""What is wrong with the rows of all sheets, in one list: files, keys used twice, units, and keys that no row has."""

from collections.abc import Collection, Iterator

from model.errors import BuildError, Complaint, DataError
from model.layout.grid import BASE, FIELD, Layout
from model.layout.line import GridSheet, Line
from model.reading.rows import Names, unknown

_READ = ("", "fixed", "range", "until", "of_base")  # forms of a field that read the row itself, or down to it


def check(grids: Collection[GridSheet], layout: Layout, units: Collection[str]) -> None:
    """Raise DataError with every fault of the rows of files, each once; without one, of those that modules make."""
    found = [fault for grid in grids for fault in grid.faults]
    if all(grid.rows for grid in grids):  # without the keys of a whole sheet the others name keys that nothing has
        lines = [(line, grid.name) for grid in grids for line in grid.lines]
        found += _twice(grids)
        found += (fault for line, sheet in lines if line.where for fault in _of_line(line, sheet, layout, units))
        if not found:  # else what is made of a row at fault, such as its years, is at fault too
            found += (fault for line, sheet in lines for fault in _of_line(line, sheet, layout, units))
    if found:
        raise DataError(dict.fromkeys(found))


def _place(line: Line, sheet: str) -> str:
    """Return where a row is declared: its file and line, or its sheet where a module makes it."""
    return line.where or f"{sheet} ({line.key})"


def _twice(grids: Collection[GridSheet]) -> Iterator[Complaint]:
    """Yield the rows whose key an earlier row has."""
    used: dict[str, str] = {}
    for grid in grids:
        for row in grid.rows:
            place = _place(row, grid.name) if isinstance(row, Line) else f"{grid.name} [{row.label}]"
            if row.key in used:
                yield Complaint(place, f"{row.key!r} is already the key of {used[row.key]}; give this row its own.")
            elif row.key:
                used[row.key] = place


def _of_line(line: Line, sheet: str, layout: Layout, units: Collection[str]) -> Iterator[Complaint]:
    place = _place(line, sheet)
    if line.unit and line.unit not in units:
        yield Complaint(place, f"unit {unknown(line.unit, Names(units, 'in units.csv'))}")
    if set("{}") & set(FIELD.sub("", line.formula)):
        yield Complaint(place, f"formula {line.formula!r} has a brace without its other half; write {{key}}.")
    for field in FIELD.findall(line.formula):
        if fault := _below(line, field, layout):
            yield Complaint(place, f"formula: {fault}")
        try:
            layout.address(field, sheet, BASE)
        except BuildError as error:
            yield Complaint(place, f"formula: {error}")


def _below(line: Line, field: str, layout: Layout) -> str:
    """Return that a formula reads its own row, or a lower one of its sheet; empty where it does not."""
    form, _, key = field.rpartition(":")
    if form.partition(":")[0] not in _READ or not {key, line.key} <= layout.lines.keys():
        return ""
    (home, row), (other, read) = layout.lines[line.key], layout.lines[key]
    if home != other or read < row:
        return ""
    lower = (
        "this row itself; a formula reads rows above it." if read == row else "a lower row; move one above the other."
    )
    return f"{{{key}}} is {lower}"
