"""Formulas that differ between two copies: one finding for all cells whose formula was the same and is the same.

Two formulas are equal when their trees are, once every reference of the old one is carried to where its cell stands in
the new copy. So neither an inserted row nor another spelling (`$`, spaces, brackets, `_xlfn.`) makes a difference.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from openpyxl.utils import get_column_letter

from addin.audit.parsed import parsed, relative
from addin.diff.lines import HEAD_ROW, Alignment
from addin.diff.typed import ABSENT, Change, label_of, row_label
from addin.kernel import Address, Cells, Scalar
from addin.kernel.formula.cells import of_the_format, owner_of, quoted
from addin.kernel.formula.parse import Cell, Name, Node, Range, rebuilt
from addin.kernel.formula.tokens import bracketed
from addin.numerals import numeral

_GONE = "(gone)"  # in place of a sheet: what stood there is not in the new copy
_SHOWN = 3  # areas of one finding


def same_formula(old: str, at_old: Address, new: str, at_new: Address, alignment: Alignment) -> bool:
    """Say whether two formulas compute the same from the same cells."""
    if old == new and not alignment.reads_moved(old, at_old.sheet):
        return True
    trees = parsed(old).nodes[:1], parsed(new).nodes[:1]
    if not all(trees) or bracketed(old) != bracketed(new):  # brackets round a whole difference keep its last bits
        return old == new
    return rebuilt(trees[0][0], lambda leaf: _carried(leaf, at_old.sheet, alignment)) == rebuilt(
        trees[1][0], lambda leaf: _settled(leaf, at_new.sheet)
    )


def _settled(leaf: Node, sheet: str) -> Node:
    """Return a reference with its sheet and without $, any other leaf as it is."""
    match leaf:
        case Cell(title, row, column):
            return Cell((title or sheet).casefold(), row, column)
        case Range(first, last):
            home = (first.sheet or sheet).casefold()
            return Range(Cell(home, first.row, first.column), Cell(None, last.row, last.column))
        case Name(text, owner):
            return Name(text.casefold(), owner and owner.casefold())
    return leaf


def _carried(leaf: Node, sheet: str, alignment: Alignment) -> Node:
    """Return a reference of the old copy as it would be in the new one; a range shrinks where its ends are gone."""
    first = leaf.first if isinstance(leaf, Range) else leaf
    if not isinstance(first, Cell):
        return _settled(leaf, sheet)
    title = next((t for t in alignment.sheets if t.casefold() == (first.sheet or sheet).casefold()), None)
    if title is None:
        return Cell(_GONE, first.row, first.column)
    rows, columns = alignment.rows[title], alignment.columns[title]
    home = alignment.sheets[title].casefold()
    if isinstance(leaf, Cell):
        row, column = rows.new(leaf.row), columns.new(leaf.column)
        return Cell(_GONE if row is None or column is None else home, row or 0, column or 0)
    if not isinstance(leaf, Range):
        return leaf
    last = leaf.last
    top, left = rows.nearest(first.row, 1, last.row), columns.nearest(first.column, 1, last.column)
    bottom, right = rows.nearest(last.row, -1, first.row), columns.nearest(last.column, -1, first.column)
    if top is None or left is None or bottom is None or right is None:
        return Cell(_GONE, first.row, first.column)
    return Range(Cell(home, top, left), Cell(None, bottom, right))


@dataclass(frozen=True)
class Edit:
    """A cell of the new copy (of the old one where it is gone) with what it held and holds."""

    at: Address
    old: Scalar
    new: Scalar
    key: object


def edits(old: Cells, new: Cells, pairs: Iterable[tuple[Address, Address]], alignment: Alignment) -> Iterator[Edit]:
    """Yield the cells whose formula was changed, typed over, cleared or put in; `pairs` are cells of the two copies."""
    for before, after in pairs:
        texts = old.formula(before), new.formula(after)
        if texts == (None, None) or (all(texts) and same_formula(*_places(texts, before, after), alignment)):
            continue
        sides = zip(texts, (before, after), strict=True)
        shapes = [relative(text, at.row, at.column) if text else "typed" for text, at in sides]
        yield Edit(after, old.values.get(before), new.values.get(after), (after.sheet, *shapes))


def names(old: Cells, new: Cells, alignment: Alignment) -> list[Change]:
    """Return the names of the workbook that both copies have and that stand for something else."""
    found = []
    for name in sorted(old.names.keys() & new.names.keys()):
        sheet, bare = owner_of(name)
        if of_the_format(bare):
            continue
        texts, at = (f"={old.names[name]}", f"={new.names[name]}"), Address(sheet, 1, 1)
        if not same_formula(*_places(texts, at, at), alignment):
            found.append(Change(name, "name of the workbook", "", *texts))
    return found


def _places(texts: tuple[str | None, str | None], before: Address, after: Address) -> tuple[str, Address, str, Address]:
    return texts[0] or "", before, texts[1] or "", after


def whole_lines(cells: Cells, numbers: Mapping[str, tuple[Iterable[int], Iterable[int]]], word: str) -> list[Change]:
    """Return rows and columns that only one copy has, a finding for each; `word` is `new` or `removed`.

    `numbers` holds rows and columns by the title of their sheet. A line shows its first formula, else its first number,
    else its first text.
    """
    found = []
    for title, (rows, columns) in numbers.items():
        stored = cells.stored(title)
        for what, chosen, of in (("row", rows, 1), ("column", columns, 2)):
            for number in sorted(chosen):
                held = [at for at in stored if at[of] == number]
                shown = max(held, key=lambda at: (cells.formula(at) is not None, _is_number(cells.values[at])))
                label = row_label(cells, held[-1]) if what == "row" else _heading(cells, held)
                value = cells.values[shown]
                place = _areas([(at.row, at.column) for at in held if at == shown or cells.formula(at)], title)
                old, fresh = (ABSENT, value) if word == "new" else (value, ABSENT)
                found.append(Change("", label, place, old, fresh, "", f"{word} {what}, {_count(len(held))}"))
    return found


def _is_number(value: Scalar) -> bool:
    return isinstance(value, float)


def _heading(cells: Cells, held: Sequence[Address]) -> str:
    texts = (cells.constant(at) for at in held if cells.formula(at) is None and at.row <= HEAD_ROW)
    return next((text for text in texts if isinstance(text, str)), "")


def whole_sheets(cells: Cells, titles: Iterable[str], word: str) -> list[Change]:
    """Return sheets that only one copy has, a finding for each."""
    found = []
    for title in titles:
        formulas = sum(cells.formula(at) is not None for at in cells.stored(title))
        old, new = (ABSENT, title) if word == "new" else (title, ABSENT)
        found.append(Change("", title, quoted(title), old, new, "", f"{word} sheet, {numeral(formulas)} formulas"))
    return found


def findings(edits: Iterable[Edit], cells: Cells) -> Iterator[Change]:
    """Yield one finding for all cells whose formulas are copies of each other, before and after."""
    alike: defaultdict[object, list[Edit]] = defaultdict(list)
    for edit in edits:
        alike[edit.key].append(edit)
    for group in alike.values():
        first = min(group, key=lambda edit: edit.at)
        place = _areas([(edit.at.row, edit.at.column) for edit in group], first.at.sheet)
        label = label_of(cells, first.at) if len(group) == 1 else row_label(cells, first.at)
        blank = ", blank before" if first.old is None else ""
        yield Change("", label, place, first.old, first.new, "", f"{_count(len(group))}{blank}")


def _count(cells: int) -> str:
    return f"{numeral(cells)} cell{'s' if cells > 1 else ''}"


def _areas(positions: Iterable[tuple[int, int]], sheet: str) -> str:
    """Return cells as few areas of a sheet, `Cost!D7:X7, D9`; the first ones of many."""
    rows: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for row, cells in groupby(sorted(positions), key=lambda position: position[0]):
        for first, last in _spans([column for _, column in cells]):
            rows[first, last].append(row)
    boxes = [(top, left, bottom, right) for (left, right), found in rows.items() for top, bottom in _spans(found)]
    texts = [_box(*box) for box in sorted(boxes)]
    more = f" and {len(texts) - _SHOWN} more" if len(texts) > _SHOWN else ""
    return f"{quoted(sheet)}!{', '.join(texts[:_SHOWN])}{more}"


def _spans(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield first and last of each run of numbers without a gap."""
    for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        found = [number for _, number in run]
        yield found[0], found[-1]


def _box(top: int, left: int, bottom: int, right: int) -> str:
    first, last = f"{get_column_letter(left)}{top}", f"{get_column_letter(right)}{bottom}"
    return first if first == last else f"{first}:{last}"
