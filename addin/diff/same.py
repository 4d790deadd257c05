"""The comparison of two formulas, one of each copy.

Two formulas are equal when their trees are, after every reference of the old one is moved to the new place of its
cell. So neither an inserted row nor another spelling (`$`, spaces, brackets, `_xlfn.`) makes a difference.
"""

from __future__ import annotations

from addin.audit.parsed import parsed
from addin.diff.lines import Alignment
from addin.kernel import Address
from addin.kernel.formula.nodes import Cell, Name, Node, Range, rebuilt
from addin.kernel.formula.tokens import bracketed

_GONE = "(gone)"  # in place of the sheet of a cell that the new copy does not have


def same_formula(old: str, at_old: Address, new: str, at_new: Address, alignment: Alignment) -> bool:
    """Return whether two formulas compute the same from the same cells."""
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
    """Return a reference of the old copy as in the new one; a range shrinks where its ends are gone."""
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
