"""The steps of a formula's tree, the same for one set of inputs (evaluate) and for many trials (trials/fold).

What a formula means - what a reference reads, which part of it is computed element by element, what ROW looks at - is
decided here once. What differs stands in the abstract methods: how a cell is read, how an operator and a function
compute. An element is a Scalar, or an E: what only that kind of walk has.

Tens of thousands of formulas have some hundred shapes (formula/shapes.py). Each shape becomes a step once: a function
of the walk, of the formula's own cell and of the places of its references.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import lru_cache, partial
from itertools import count
from typing import Any, Generic, TypeAlias, TypeVar

from addin.kernel.errors import KernelError, UnsupportedFunction
from addin.kernel.excel.values import ExcelError, Grid, Scalar, as_grid, single
from addin.kernel.formula.cells import Address, Cells
from addin.kernel.formula.graph import LARGE, Area, Meant, Places, area_at, cells_in, placed_in, places_of
from addin.kernel.formula.nodes import (
    Binary,
    Bool,
    Call,
    Cell,
    ErrorLiteral,
    Missing,
    Name,
    Node,
    Number,
    Range,
    Text,
    chain,
)
from addin.kernel.formula.parse import tree_of
from addin.kernel.formula.tokens import bracketed
from addin.kernel.scalar.functions import Function, function
from addin.kernel.scalar.signatures import letters

SUMMARIES = {  # functions of ranges that pass over blank cells
    *("AND", "AVERAGE", "COUNT", "COUNTA", "LARGE", "MAX", "MEDIAN", "MIN", "OR", "PERCENTILE", "PERCENTILE.EXC"),
    *("PERCENTILE.INC", "PRODUCT", "SMALL", "STDEV", "STDEV.P", "STDEV.S", "SUM", "SUMSQ", "XOR"),
}
LITERALS = (Number, Text, Bool, ErrorLiteral)
LEAVES = (Cell, Range, Name)  # each has its place
MOST_CELLS = 2_000_000  # of a range that is read cell by cell, blank ones included
E = TypeVar("E")
T = TypeVar("T")
Element: TypeAlias = Scalar | E
Value: TypeAlias = Scalar | E | Grid[Scalar | E]
Step: TypeAlias = Callable[["Walk[Any]", Address, Places], Any]  # of its walk, of the formula's cell, of its places


class Mode(Enum):
    """What a part of a formula may be."""

    SCALAR = "one value"
    REFERENCE = "one value, or cells as they stand"
    ARRAY = "computed element by element, as inside SUMPRODUCT"


class Walk(ABC, Generic[E]):
    """The values of formulas."""

    def __init__(self, cells: Cells) -> None:
        self.cells = cells
        self._grids: dict[Area, Grid[Element[E]]] = {}

    @abstractmethod
    def read(self, address: Address) -> Element[E]:
        """Return the value that a cell shows."""

    @abstractmethod
    def last_sum(self, operator: str, left: Element[E], right: Element[E]) -> Element[E]:
        """Return + or - where it is the last step of a formula, which Excel rounds otherwise (rounding.snapped)."""

    @abstractmethod
    def binary(self, operator: str, left: Element[E], right: Element[E]) -> Element[E]:
        """Return an operation on two values."""

    @abstractmethod
    def unary(self, operator: str, operand: Element[E]) -> Element[E]:
        """Return -x or x%."""

    @abstractmethod
    def lazy(self, called: Function, args: Sequence[Step], ask: Callable[[Step], Value[E]]) -> Value[E]:
        """Return a call that evaluates only the arguments it needs; `ask` evaluates one."""

    @abstractmethod
    def applied(self, called: Function, kinds: str, values: list[Value[E]], mode: Mode) -> Value[E]:
        """Return a call for evaluated arguments and their letters (signatures.py)."""

    def formula_value(self, address: Address) -> Element[E]:
        """Return the value of a cell's formula; None where it gives a blank. Raises KernelError with the cell."""
        text = self.cells.formula(address) or ""
        try:
            form, marked, given = placed_in(self.cells, address.sheet, text)
            value: Element[E] = step_of(form, marked)(self, address, given)
            return value
        except KernelError as error:
            raise error.at(address.a1) from None

    def part(self, node: Node, at: Address) -> Element[E]:
        """Return the one value of a part of the formula in a cell. Raises KernelError, without the cell."""
        value: Element[E] = _meaning(node, Mode.SCALAR)(self, at, places_of(self.cells, at.sheet, node))
        return value

    def grid(self, place: Address | Area) -> Grid[Element[E]]:
        """Return the cells of a place. Raises KernelError for more than MOST_CELLS."""
        area = area_at(place)
        found = self._grids.get(area)
        if found is None and area.size > MOST_CELLS:
            raise KernelError(f"A range has {area.size} cells.", "Refer to the cells that are used.")
        if found is None:
            read = self.read
            held = iter([read(address) for address in area.addresses()])
            width = area.right - area.left + 1
            found = self._grids[area] = Grid(tuple(zip(*[held] * width, strict=True)), area[:3])
        return found

    def held(self, area: Area) -> Grid[Element[E]]:
        """Return the cells of a large range that hold something."""
        held = tuple(self.read(address) for address in cells_in(self.cells, area))
        return Grid((held or (None,),))

    def without_origin(self, name: str, value: Value[E]) -> Element[E]:
        """Return ROW and its kin of an argument that is not a reference."""
        return value if isinstance(value, ExcelError) else ExcelError.VALUE


@lru_cache(maxsize=65536)
def step_of(form: str, marked: bool) -> Step:
    """Return the step of a shape. `marked`: formulas of it have references, each in the place of a mark."""
    node = tree_of(form)[0]
    numbers = count()
    # Excel shows 0 for =1.1-1-0.1, and 8.3E-17 for =(1.1-1-0.1): inside brackets it is not the last step.
    if not isinstance(node, Binary) or node.operator not in ("+", "-") or bracketed(form):
        return _step(node, Mode.SCALAR, numbers)
    operator = node.operator
    left, right = _step(node.left, Mode.SCALAR, numbers), _step(node.right, Mode.SCALAR, numbers)
    return lambda walk, at, given: walk.last_sum(operator, left(walk, at, given), right(walk, at, given))


@lru_cache(maxsize=4096)
def _meaning(tree: Node, mode: Mode) -> Step:
    """Return the step of a tree whose references stand in it, such as what a name stands for."""
    return _step(tree, mode, count())


def _step(node: Node, mode: Mode, numbers: Iterator[int]) -> Step:
    """Return the step of a part of a tree. `numbers` counts the leaves before it, which have one place each."""
    if isinstance(node, LEAVES):
        return _placed(next(numbers), mode)
    if isinstance(node, LITERALS):
        value = node.value
        return lambda walk, at, given: value
    if isinstance(node, Call):
        return _call(node, mode, numbers)
    if isinstance(node, Binary):
        return _operations(node, mode, numbers)
    if isinstance(node, Missing):
        return lambda walk, at, given: None
    if node.operator == "+":
        return _step(node.operand, mode, numbers)
    operator = node.operator
    if mode is not Mode.ARRAY:
        operand = _step(node.operand, Mode.SCALAR, numbers)
        return lambda walk, at, given: walk.unary(operator, operand(walk, at, given))
    several = _step(node.operand, mode, numbers)
    return lambda walk, at, given: spread(partial(walk.unary, operator), (several(walk, at, given),))


def _placed(number: int, mode: Mode) -> Step:
    """Return the step of a leaf: a cell, a range or a name."""

    def one(walk: Walk[Any], at: Address, given: Places) -> Any:
        place = given[number]
        if type(place) is Address:
            return walk.read(place)
        if isinstance(place, Meant):
            return _meaning(place.tree, mode)(walk, at, place.places)
        return one_of(walk.grid(place), at)

    def several(walk: Walk[Any], at: Address, given: Places) -> Any:
        place = given[number]
        if isinstance(place, Meant):
            return _meaning(place.tree, mode)(walk, at, place.places)
        return walk.grid(place)

    return one if mode is Mode.SCALAR else several


def _operations(node: Binary, mode: Mode, numbers: Iterator[int]) -> Step:
    """Return the step of A1+A2+A3 and so on, from the left, however many operands there are."""
    first, operations = chain(node)
    inner = mode if mode is Mode.ARRAY else Mode.SCALAR
    start = _step(first, inner, numbers)
    then = [(operation.operator, _step(operation.right, inner, numbers)) for operation in operations]

    def scalar(walk: Walk[Any], at: Address, given: Places) -> Any:
        value = start(walk, at, given)
        for operator, right in then:
            value = walk.binary(operator, value, right(walk, at, given))
        return value

    def array(walk: Walk[Any], at: Address, given: Places) -> Any:
        value = start(walk, at, given)
        for operator, right in then:
            value = spread(partial(walk.binary, operator), (value, right(walk, at, given)))
        return value

    return array if mode is Mode.ARRAY else scalar


def _call(node: Call, mode: Mode, numbers: Iterator[int]) -> Step:
    name, args = node.name, node.args
    try:
        called = function(name, len(args))
    except UnsupportedFunction:  # an error only where the call is reached
        for arg in args:
            _step(arg, mode, numbers)
        return lambda walk, at, given: function(name, len(args))
    if called.kind == "reference":
        result = _position(called.name, args, numbers)
    elif called.kind == "lazy":
        result = _lazy(called, [_step(arg, mode, numbers) for arg in args])
    else:
        result = _strict(called, args, mode, numbers)
    if mode is not Mode.SCALAR:
        return result
    return lambda walk, at, given: one_of(result(walk, at, given), at)


def _lazy(called: Function, steps: Sequence[Step]) -> Step:
    return lambda walk, at, given: walk.lazy(called, steps, lambda step: step(walk, at, given))


def _strict(called: Function, args: tuple[Node, ...], mode: Mode, numbers: Iterator[int]) -> Step:
    """Return the step of a call of which all arguments are evaluated.

    SUMPRODUCT computes its arguments element by element in an ordinary cell, and all calls inside them too.
    """
    kinds = letters(called.signature, len(args))
    steps: list[Step] = []
    for kind, node in zip(kinds, args, strict=True):
        if kind == "r" and isinstance(node, Missing):
            steps.append(lambda walk, at, given: ExcelError.NA)
        elif kind == "m" or mode is Mode.ARRAY:
            steps.append(_step(node, Mode.ARRAY, numbers))
        elif kind == "a" and called.name in SUMMARIES and isinstance(node, Range | Name):
            steps.append(_summarised(next(numbers)))
        else:
            steps.append(_step(node, Mode.REFERENCE if kind == "a" else Mode.SCALAR, numbers))

    def scalar(walk: Walk[Any], at: Address, given: Places) -> Any:
        return walk.applied(called, kinds, [step(walk, at, given) for step in steps], mode)

    def array(walk: Walk[Any], at: Address, given: Places) -> Any:
        values = [step(walk, at, given) for step in steps]
        arrays = [i for i, kind in enumerate(kinds) if kind not in "am" and isinstance(values[i], Grid)]
        if not arrays:
            return walk.applied(called, kinds, values, mode)

        def compute(*elements: Any) -> Any:
            filled = dict(zip(arrays, elements, strict=True))
            return single(
                walk.applied(called, kinds, [filled.get(i, value) for i, value in enumerate(values)], Mode.SCALAR)
            )

        return spread(compute, [values[i] for i in arrays])

    return array if mode is Mode.ARRAY else scalar


def _summarised(number: int) -> Step:
    """Return the step of a range for a function that sees no blank cell: of a large one those that hold something."""
    plain = _placed(number, Mode.REFERENCE)

    def step(walk: Walk[Any], at: Address, given: Places) -> Any:
        place = given[number]
        return walk.held(place) if isinstance(place, Area) and place.size > LARGE else plain(walk, at, given)

    return step


def _position(name: str, args: tuple[Node, ...], numbers: Iterator[int]) -> Step:
    """Return the step of ROW, COLUMN, ROWS or COLUMNS: they look at where a reference is, not at what it holds."""
    if not args:
        return lambda walk, at, given: float(at.row if name == "ROW" else at.column)
    number = next(numbers) if isinstance(args[0], LEAVES) else -1
    computed = _step(args[0], Mode.REFERENCE, numbers) if number < 0 else _placed(number, Mode.REFERENCE)

    def step(walk: Walk[Any], at: Address, given: Places) -> Any:
        place = None if number < 0 else given[number]
        if place is None or isinstance(place, Meant):
            grid = computed(walk, at, given)
            if not isinstance(grid, Grid) or grid.origin is None:
                return walk.without_origin(name, grid)
            (_, top, left), (height, width) = grid.origin, grid.shape
        else:
            _, top, left, bottom, right = area_at(place)
            height, width = bottom - top + 1, right - left + 1
        if name in ("ROWS", "COLUMNS"):
            return float(height if name == "ROWS" else width)
        if name == "ROW":
            return Grid(tuple((float(top + i),) for i in range(height)))
        return Grid((tuple(float(left + i) for i in range(width)),))

    return step


def one_of(value: Any, at: Address) -> Any:
    """Return the one value that is expected where a range may stand: of a column the cell in the formula's row.

    So Excel reads =E15:E19 in row 17 as E17, and of a row of cells the one in the formula's column; outside of them it
    is #VALUE!. Source: Microsoft, "Implicit intersection operator: @".
    """
    if not isinstance(value, Grid):
        return value
    if value.origin is not None:
        (_, top, left), (height, width) = value.origin, value.shape
        if width == 1 and top <= at.row < top + height:
            return value.rows[at.row - top][0]
        if height == 1 and left <= at.column < left + width:
            return value.rows[0][at.column - left]
    return single(value)


def spread(compute: Callable[..., T], args: Sequence[T | Grid[T]]) -> T | ExcelError | Grid[T | ExcelError]:
    """Compute element by element. A single row, column or value is repeated; what is still missing is #N/A."""
    grids = [as_grid(arg) for arg in args]
    height, width = (max(grid.shape[axis] for grid in grids) for axis in (0, 1))
    rows = tuple(
        tuple(compute(*(_element(grid, row, column) for grid in grids)) for column in range(width))
        for row in range(height)
    )
    return rows[0][0] if (height, width) == (1, 1) else Grid(rows)


def _element(grid: Grid[T], row: int, column: int) -> T | ExcelError:
    height, width = grid.shape
    row, column = 0 if height == 1 else row, 0 if width == 1 else column
    return grid.rows[row][column] if row < height and column < width else ExcelError.NA
