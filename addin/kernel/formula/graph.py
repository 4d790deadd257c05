"""Pass 3: which cells a cell reads, and the order in which cells can be computed."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias, cast

from addin.kernel.errors import CycleError, KernelError, ParseError, UnknownName
from addin.kernel.formula.cells import Address, Cells
from addin.kernel.formula.nodes import THIS_BOOK, Call, Cell, Leaf, Name, Node, Range, children, rebuilt
from addin.kernel.formula.parse import DEEPEST, is_mark, parse, shaped, tree_of

PLACES = (Cell, Range)
READS_NO_VALUE = {"ROW", "COLUMN", "ROWS", "COLUMNS"}  # they look at where a reference is, not at what it holds
SHOWN = 12
LARGE = 20_000  # cells of a range: of a larger one only those that hold something are looked at
MOST_NAMES = 10_000  # in one formula, those that names lead to included


_new = tuple.__new__  # of a named tuple, in half the time


class Area(NamedTuple):
    """A rectangle of one sheet that a formula reads, ends included."""

    sheet: str
    top: int
    left: int
    bottom: int
    right: int

    def addresses(self) -> Iterator[Address]:
        """Yield the cells row by row."""
        sheet, top, left, bottom, right = self
        for row in range(top, bottom + 1):
            for column in range(left, right + 1):
                yield _new(Address, (sheet, row, column))

    @property
    def size(self) -> int:
        """Number of cells."""
        return (self.bottom - self.top + 1) * (self.right - self.left + 1)


def area_at(place: Address | Area) -> Area:
    """Return the rectangle of a place."""
    return place if isinstance(place, Area) else _new(Area, (*place, *place[1:]))


def area_of(cells: Cells, node: Cell | Range, sheet: str) -> Area:
    """Return the rectangle of a reference in a formula on `sheet`. Raises UnknownName for a sheet that is missing."""
    first, last = (node, node) if isinstance(node, Cell) else (node.first, node.last)
    title = sheet if first.sheet is None else cells.sheet(first.sheet)
    return _new(Area, (title, first.row, first.column, last.row, last.column))


def named(cells: Cells, name: Name, sheet: str) -> Node:
    """Return the tree of a defined name in a formula on a sheet; names in it say whose own they are.

    Raises UnknownName, and ParseError where it is no formula, or moves with the cell that uses it.
    """
    if name.sheet is None:
        scope = sheet
    else:
        scope = "" if name.sheet == THIS_BOOK else cells.sheet(name.sheet)
    meaning, owner = cells.owned(name.text, scope)
    if not meaning:
        raise UnknownName(f"The name '{name.text}' stands for nothing.", "Point it at a cell, or delete it.")
    return _meant(name.text, meaning, owner or THIS_BOOK)


@lru_cache(maxsize=65536)
def _meant(name: str, meaning: str, owner: str) -> Node:
    def of_owner(leaf: Node) -> Node:
        ends = (leaf.first, leaf.last) if isinstance(leaf, Range) else (leaf,)
        if any(isinstance(end, Cell) and not (end.row_absolute and end.column_absolute) for end in ends):
            raise ParseError(
                f"The name '{name}' stands for {meaning}, which moves with the cell that uses it.",
                "Write it with $ before column and row, or refer to the cells.",
            )
        return Name(leaf.text, owner) if isinstance(leaf, Name) and leaf.sheet is None else leaf

    return rebuilt(parse(f"={meaning}"), of_owner)


@dataclass(frozen=True, slots=True, eq=False)
class Meant:
    """What a name stands for where that is more than one place: a tree, and the places of its leaves."""

    tree: Node
    places: Places


Places: TypeAlias = tuple[Address | Area | Meant, ...]  # of the leaves of a formula, in the order of its text


class Placed(NamedTuple):
    """A formula: its shape, whether this has marks for references, and the places of its leaves."""

    form: str
    marked: bool
    places: Places


def areas(cells: Cells, address: Address) -> tuple[Area, ...]:
    """Return what the formula of a cell reads, as rectangles in the order of the text; () for a cell without formula.

    Raises KernelError with the cell's address.
    """
    text = cells.formula(address)
    if text is None:
        return ()
    found = cells.read.get((address.sheet, text))
    if found is None:
        try:
            placed = placed_in(cells, address.sheet, text)
        except KernelError as error:
            raise error.at(address.a1) from None
        found = tuple(dict.fromkeys(_read(placed.places, leaves(placed.form, placed.marked))))
        cells.read[address.sheet, text] = found
    return found


def placed_in(cells: Cells, sheet: str, text: str) -> Placed:
    """Return the shape of a formula with the places of its leaves. Raises KernelError, without the cell."""
    found = cells.placed.get((sheet, text))
    if found is None:
        form, references = shaped(text)
        given = iter(references)
        of_text = [next(given) if leaf is None else leaf for leaf, _ in leaves(form, bool(references))]
        found = cells.placed[sheet, text] = Placed(form, bool(references), _places(cells, sheet, of_text, (), [0]))
    return cast(Placed, found)


def places_of(cells: Cells, sheet: str, tree: Node) -> Places:
    """Return the places of the leaves of a tree in a formula on a sheet. Raises KernelError, without the cell."""
    return _places(cells, sheet, [leaf for leaf, _ in leaves_of(tree)], (), [0])


def _places(
    cells: Cells, sheet: str, of_text: Iterable[Leaf], inside: tuple[Node, ...], named_so_far: list[int]
) -> Places:
    found: list[Address | Area | Meant] = []
    for leaf in of_text:
        tree: Node = leaf
        if isinstance(leaf, Name):
            tree, named_so_far[0] = named(cells, leaf, sheet), named_so_far[0] + 1
            if any(tree is other for other in inside):
                raise CycleError(f"The name '{leaf.text}' refers to itself.", "Point it at a cell.")
            if len(inside) == DEEPEST or named_so_far[0] > MOST_NAMES:
                raise ParseError(f"The name '{leaf.text}' leads through too many names.", "Point it at a cell.")
        if isinstance(tree, Cell):
            found.append(_new(Address, area_of(cells, tree, sheet)[:3]))
        elif isinstance(tree, Range):
            found.append(area_of(cells, tree, sheet))
        else:
            below = [each for each, _ in leaves_of(tree)]
            found.append(Meant(tree, _places(cells, sheet, below, (*inside, tree), named_so_far)))
    return tuple(found)


@lru_cache(maxsize=65536)
def leaves(form: str, marked: bool) -> tuple[tuple[Leaf | None, bool], ...]:
    """Return the leaves of a shape that name places, None for a mark, each with whether its values are read."""
    return tuple((None if marked and is_mark(leaf) else leaf, read) for leaf, read in _leaves(tree_of(form)[0]))


@lru_cache(maxsize=4096)
def leaves_of(tree: Node) -> tuple[tuple[Leaf, bool], ...]:
    """Return the leaves of a tree that name places, each with whether its values are read."""
    return tuple(_leaves(tree))


def _leaves(tree: Node) -> Iterator[tuple[Leaf, bool]]:
    waiting = [(tree, True)]
    while waiting:
        node, read = waiting.pop()
        if isinstance(node, Cell | Range | Name):
            yield node, read
        else:
            of_value = not (isinstance(node, Call) and node.name in READS_NO_VALUE)
            waiting += [(child, of_value) for child in reversed(children(node))]


def _read(found: Places, of_text: Iterable[tuple[Leaf | None, bool]]) -> list[Area]:
    areas_read: list[Area] = []
    for place, (leaf, read) in zip(found, of_text, strict=True):
        if isinstance(place, Meant):
            areas_read += _read(place.places, leaves_of(place.tree))
        elif read or isinstance(leaf, Name):  # what ROW(name) looks at may be a formula
            areas_read.append(area_at(place))
    return areas_read


def cells_in(cells: Cells, area: Area) -> Iterable[Address]:
    """Return the cells of an area row by row; of a large one those that hold something."""
    if area.size <= LARGE:
        return area.addresses()
    rows, columns = range(area.top, area.bottom + 1), range(area.left, area.right + 1)
    return (at for at in cells.stored(area.sheet) if at.row in rows and at.column in columns)


def precedents(cells: Cells, address: Address) -> tuple[Address, ...]:
    """Return the cells that a formula reads directly, each once, ranges and names expanded.

    Blank cells are included, but for those of ranges larger than LARGE.
    """
    return tuple(dict.fromkeys(cell for area in areas(cells, address) for cell in cells_in(cells, area)))


def ancestors(cells: Cells, address: Address) -> tuple[Address, ...]:
    """Return the formula cells that have to be computed before this one, first ones first, without the cell itself."""
    return order(cells, (address,))[:-1]


def order(cells: Cells, targets: Iterable[Address]) -> tuple[Address, ...]:
    """Return the formula cells that the targets need, the targets included, so that each follows what it reads.

    Raises CycleError naming the cells of a circle, and KernelError for a formula that cannot be read.
    """
    return order_beyond(cells, targets, formula_reader(cells), ())


def order_beyond(
    cells: Cells, targets: Iterable[Address], reads: Callable[[Address], tuple[Address, ...]], known: Container[Address]
) -> tuple[Address, ...]:
    """Return what `order` does without the cells that are known, and without what only they read."""
    done: dict[Address, None] = {}
    for target in targets:
        if target not in done and target not in known and cells.formula(target) is not None:
            _visit(target, reads, done, known)
    return tuple(done)


def _visit(
    target: Address,
    reads: Callable[[Address], tuple[Address, ...]],
    done: dict[Address, None],
    known: Container[Address],
) -> None:
    path: dict[Address, None] = {target: None}
    waiting = [iter(reads(target))]  # of each cell of the path, what it reads and is not looked at yet
    while waiting:
        for read in waiting[-1]:
            if read in done or read in known:
                continue
            if read in path:
                raise _cycle([*path][[*path].index(read) :])
            path[read] = None
            waiting.append(iter(reads(read)))
            break
        else:
            done[path.popitem()[0]] = None
            waiting.pop()


def _cycle(circle: list[Address]) -> CycleError:
    shown = [address.a1 for address in circle[:SHOWN]] + (["..."] if len(circle) > SHOWN else []) + [circle[0].a1]
    return CycleError(f"The cell depends on itself: {' <- '.join(shown)}.", "Break the circle.", circle[0].a1)


def formula_reader(cells: Cells) -> Callable[[Address], tuple[Address, ...]]:
    """Return a function that gives the formula cells a cell reads; each is looked up once for all that share them."""
    followed = cells.followed  # by area, of five parts, and by address, of three

    def formulas_in(area: Area) -> tuple[Address, ...]:
        found = followed.get(area)
        if found is None:
            inside = cells_in(cells, area) if area.size > 1 else (_new(Address, area[:3]),)
            found = followed[area] = tuple([cell for cell in inside if cells.formula(cell) is not None])
        return found

    def reads(address: Address) -> tuple[Address, ...]:
        found = followed.get(address)
        if found is None:
            read = areas(cells, address)
            found = followed[address] = tuple([cell for area in read for cell in formulas_in(area)])
        return found

    return reads
