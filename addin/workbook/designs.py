"""The designs that stand in the columns of the workbook: the base one, the what-ifs, the published tests.

A result of a design is as many columns right of the base's as the design is. Where its inputs are typed, the formulas
that read them say: somebody may have inserted a column there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import takewhile

from addin.kernel import Address, Cells, KernelError, precedents
from addin.kernel.formula.cells import quoted
from addin.kernel.formula.columns import column_letters
from addin.workbook import columns

MOST = 100  # designs
TYPED = "Tbl_Designs"  # the headings of those that people type: the base one and the what-ifs
_ASKED = 6  # inputs of a sheet whose readers are looked at: a few are read by the what-ifs alone
_INPUT, _RESULT = "In_", "Out_"


def typed_in(cells: Cells, base: Address, number: int) -> Address:
    """Return the cell of an input in a design, given that of the base, design 0."""
    own = on_sheet(cells, base.sheet)
    if base.column != own[0]:
        own = (base.column,)
    past = number - len(own) + 1
    return base._replace(column=own[number] if past <= 0 else own[-1] + past)


def what_ifs(cells: Cells, base: Address) -> Iterator[Address]:
    """Yield the cells of an input in the designs that people type, the base first; none without their headings."""
    sheet, first, last = _ends(cells.names.get(TYPED, ""))
    for number in range(sum(first <= column <= last for column in on_sheet(cells, sheet)) if sheet else 0):
        yield typed_in(cells, base, number)


def names(cells: Cells, base: Address) -> list[str]:
    """Return what the designs are called in the headings above an input, the base first; empty without headings."""
    above = (base._replace(row=row) for row in range(base.row - 1, 0, -1))
    head = next((at for at in above if isinstance(cells.constant(at), str) and cells.formula(at) is None), None)
    if head is None:
        return []
    texts = (cells.constant(typed_in(cells, head, number)) for number in range(MOST))
    return [text for text in takewhile(lambda text: isinstance(text, str), texts) if isinstance(text, str)]


def as_built(cells: Cells) -> Mapping[str, Mapping[int, int]]:
    """Return for each sheet of inputs with inserted columns the column that the layout gives its present ones."""
    found = {}
    for sheet in _sheets(cells, _INPUT):
        own = on_sheet(cells, sheet)
        built = {column: number for number, column in enumerate((*columns.of(cells, sheet), *own), 1)}
        if len(own) > 1 and any(column != number for column, number in built.items()):
            found[sheet] = built
    return found


@lru_cache(maxsize=16)  # the sheets of inputs of a few workbooks
def on_sheet(cells: Cells, sheet: str) -> tuple[int, ...]:
    """Return the columns of the designs on a sheet of inputs, as the formulas that read some of them have them.

    That of most inputs alone where no formula of a result reads them.
    """
    texts = [text for name, text in cells.names.items() if name.startswith(_INPUT) and ":" not in text]
    places = [Address.from_a1(text) for text in texts if "#REF!" not in text]
    on_it = sorted(at for at in places if at.sheet.casefold() == sheet.casefold())
    if not on_it:
        return (columns.BUILT.basis + 1,)
    base = Counter(at.column for at in on_it).most_common(1)[0][0]
    asked = [at for at in on_it if at.column == base][:_ASKED]
    return max((tuple(_read_from(cells, at._replace(sheet=sheet))) for at in asked), key=len)


def _read_from(cells: Cells, base: Address) -> Iterator[int]:
    """Yield the columns that a row of results reads in the row of an input: of the base, then of each design."""
    yield base.column
    reader, last = _reader(cells, base), base.column
    while reader is not None:
        reader = reader._replace(column=reader.column + 1)
        own = [at.column for at in _read(cells, reader) if at[:2] == base[:2] and at.column > last]
        if len(own) != 1:
            return
        last = own[0]
        yield last


def _reader(cells: Cells, base: Address) -> Address | None:
    """Return the first formula of a sheet of results that reads an input of the base design."""
    for sheet in _sheets(cells, _RESULT):
        for at in cells.stored(sheet) if sheet != base.sheet else ():
            text = cells.formula(at)
            if text and _mentions(text, base) and base in _read(cells, at):
                return at
    return None


@lru_cache(maxsize=8)
def _sheets(cells: Cells, prefix: str) -> tuple[str, ...]:
    """Return the sheets with names that begin so, in the tab order."""
    homes = {_ends(text)[0] for name, text in cells.names.items() if name.startswith(prefix)}
    return tuple(sheet for sheet in cells.sheets if sheet in homes)


def _ends(text: str) -> tuple[str, int, int]:
    """Return the sheet of an area and its first and last column; an empty sheet where it is no area of one row."""
    first, _, last = text.replace("$", "").partition(":")
    try:
        start = Address.from_a1(first)
        end = Address.from_a1(f"{first.rpartition('!')[0]}!{last}") if last else start
    except KernelError:
        return "", 0, 0
    return start.sheet, start.column, end.column


def _mentions(text: str, at: Address) -> bool:
    bare = text.replace("$", "")
    return f"{column_letters(at.column)}{at.row}" in bare and f"{quoted(at.sheet)}!".casefold() in bare.casefold()


def _read(cells: Cells, at: Address) -> tuple[Address, ...]:
    try:
        return tuple(precedents(cells, at))
    except KernelError:  # a formula of the user's that cannot be read
        return ()
