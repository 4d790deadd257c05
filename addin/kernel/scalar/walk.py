"""The walk over a formula's tree, the same for one set of inputs (evaluate) and for many trials (trials/fold).

What a formula means - what a reference reads, which part of it is computed element by element, what ROW looks at - is
decided here once. What differs stands in the abstract methods: how a cell is read, how an operator and a function
compute. An element is a Scalar, or an E: what only that kind of walk has.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial
from typing import Generic, TypeAlias, TypeVar

from addin.kernel.errors import KernelError
from addin.kernel.excel.values import ExcelError, Grid, Scalar, as_grid, single
from addin.kernel.formula.cells import Address, Cells
from addin.kernel.formula.graph import LARGE, PLACES, Area, area_of, cells_in, named
from addin.kernel.formula.parse import (
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
    parse,
)
from addin.kernel.formula.tokens import bracketed
from addin.kernel.scalar.functions import Function, function
from addin.kernel.scalar.signatures import letters

SUMMARIES = {  # functions of ranges that pass over blank cells
    *("AND", "AVERAGE", "COUNT", "COUNTA", "LARGE", "MAX", "MEDIAN", "MIN", "OR", "PERCENTILE", "PERCENTILE.EXC"),
    *("PERCENTILE.INC", "PRODUCT", "SMALL", "STDEV", "STDEV.P", "STDEV.S", "SUM", "SUMSQ", "XOR"),
}
LITERALS = (Number, Text, Bool, ErrorLiteral)
MOST_CELLS = 2_000_000  # of a range that is read cell by cell, blank ones included
E = TypeVar("E")
T = TypeVar("T")
Element: TypeAlias = Scalar | E
Value: TypeAlias = Scalar | E | Grid[Scalar | E]


class Mode(Enum):
    """What a part of a formula may be."""

    SCALAR = "one value"
    REFERENCE = "one value, or cells as they stand"
    ARRAY = "computed element by element, as inside SUMPRODUCT"


class Walk(ABC, Generic[E]):
    """The values of trees."""

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
    def lazy(self, called: Function, args: tuple[Node, ...], ask: Callable[[Node], Value[E]]) -> Value[E]:
        """Return a call that evaluates only the arguments it needs; `ask` evaluates one."""

    @abstractmethod
    def applied(self, called: Function, kinds: str, values: list[Value[E]], mode: Mode) -> Value[E]:
        """Return a call for evaluated arguments and their letters (signatures.py)."""

    def formula_value(self, address: Address) -> Element[E]:
        """Return the value of a cell's formula; None where it gives a blank. Raises KernelError with the cell."""
        text = self.cells.formula(address) or ""
        try:
            node = parse(text)
            # Excel shows 0 for =1.1-1-0.1, and 8.3E-17 for =(1.1-1-0.1): inside brackets it is not the last step.
            if isinstance(node, Binary) and node.operator in ("+", "-") and not bracketed(text):
                return self.last_sum(node.operator, self._scalar(node.left, address), self._scalar(node.right, address))
            return self._scalar(node, address)
        except KernelError as error:
            raise error.at(address.a1) from None

    def _scalar(self, node: Node, at: Address) -> Element[E]:
        if isinstance(node, Cell):
            return self._cell(node, at)
        return node.value if isinstance(node, LITERALS) else self._one(self._value(node, at, Mode.SCALAR), at)

    def _cell(self, node: Cell, at: Address) -> Element[E]:
        sheet = at.sheet if node.sheet is None else self.cells.sheet(node.sheet)
        return self.read(tuple.__new__(Address, (sheet, node.row, node.column)))  # in half the time

    def _one(self, value: Value[E], at: Address) -> Element[E]:
        """Return the one value that is expected where a range may stand: of a column the cell in the formula's row.

        So Excel reads =E15:E19 in row 17 as E17, and of a row of cells the one in the formula's column; outside of them
        it is #VALUE!. Source: Microsoft, "Implicit intersection operator: @".
        """
        if isinstance(value, Grid) and value.origin is not None:
            (_, top, left), (height, width) = value.origin, value.shape
            if width == 1 and top <= at.row < top + height:
                return value.rows[at.row - top][0]
            if height == 1 and left <= at.column < left + width:
                return value.rows[0][at.column - left]
        return single(value)

    def _value(self, node: Node, at: Address, mode: Mode) -> Value[E]:
        if isinstance(node, PLACES):
            return self._reference(node, at, mode)
        if isinstance(node, LITERALS):
            return node.value
        if isinstance(node, Call):
            return self._call(function(node.name, len(node.args)), node.args, at, mode)
        if isinstance(node, Binary):
            return self._operations(node, at, mode)
        if isinstance(node, Name):
            return self._value(named(self.cells, node, at.sheet), at, mode)
        if isinstance(node, Missing):
            return None
        if node.operator == "+":
            return self._value(node.operand, at, mode)
        if mode is not Mode.ARRAY:
            return self.unary(node.operator, self._scalar(node.operand, at))
        return spread(partial(self.unary, node.operator), (self._value(node.operand, at, mode),))

    def _operations(self, node: Binary, at: Address, mode: Mode) -> Value[E]:
        """Return A1+A2+A3 and so on, from the left, however many operands there are."""
        first, operations = chain(node)
        if mode is not Mode.ARRAY:
            left = self._scalar(first, at)
            for operation in operations:
                left = self.binary(operation.operator, left, self._scalar(operation.right, at))
            return left
        grid = self._value(first, at, mode)
        for operation in operations:
            compute = partial(self.binary, operation.operator)
            grid = spread(compute, (grid, self._value(operation.right, at, mode)))
        return grid

    def _reference(self, node: Cell | Range, at: Address, mode: Mode) -> Value[E]:
        if isinstance(node, Cell) and mode is Mode.SCALAR:
            return self._cell(node, at)
        area = area_of(self.cells, node, at.sheet)
        grid = self._grids.get(area)
        if grid is None and area.size > MOST_CELLS:
            raise KernelError(f"A range has {area.size} cells.", "Refer to the cells that are used.")
        if grid is None:
            read = self.read
            held = iter([read(address) for address in area.addresses()])
            width = area.right - area.left + 1
            grid = self._grids[area] = Grid(tuple(zip(*[held] * width, strict=True)), area[:3])
        return self._one(grid, at) if mode is Mode.SCALAR else grid

    def _call(self, called: Function, args: tuple[Node, ...], at: Address, mode: Mode) -> Value[E]:
        if called.kind == "reference":
            result = self._position(called.name, args, at)
        elif called.kind == "lazy":
            result = self.lazy(called, args, lambda node: self._value(node, at, mode))
        else:
            result = self._strict(called, args, at, mode)
        return self._one(result, at) if mode is Mode.SCALAR else result

    def _strict(self, called: Function, args: tuple[Node, ...], at: Address, mode: Mode) -> Value[E]:
        kinds = letters(called.signature, len(args))
        values: list[Value[E]] = []
        for kind, node in zip(kinds, args, strict=True):
            # SUMPRODUCT computes its arguments element by element in an ordinary cell, and all calls inside them too.
            if kind == "r" and isinstance(node, Missing):
                values.append(ExcelError.NA)
            elif kind == "m" or mode is Mode.ARRAY:
                values.append(self._value(node, at, Mode.ARRAY))
            elif kind == "a" and called.name in SUMMARIES and (large := self._summarised(node, at)) is not None:
                values.append(large)
            else:
                values.append(self._value(node, at, Mode.REFERENCE if kind == "a" else Mode.SCALAR))
        if mode is not Mode.ARRAY:
            return self.applied(called, kinds, values, mode)
        arrays = [i for i, kind in enumerate(kinds) if kind not in "am" and isinstance(values[i], Grid)]
        if not arrays:
            return self.applied(called, kinds, values, mode)

        def compute(*elements: Element[E]) -> Element[E]:
            filled = dict(zip(arrays, elements, strict=True))
            return single(
                self.applied(called, kinds, [filled.get(i, value) for i, value in enumerate(values)], Mode.SCALAR)
            )

        return spread(compute, [values[i] for i in arrays])

    def _summarised(self, node: Node, at: Address) -> Grid[Element[E]] | None:
        """Return the cells of a large range that hold something, for a function that sees no others; else None."""
        while isinstance(node, Name):
            node = named(self.cells, node, at.sheet)
        area = area_of(self.cells, node, at.sheet) if isinstance(node, Range) else None
        if area is None or area.size <= LARGE:
            return None
        held = tuple(self.read(address) for address in cells_in(self.cells, area))
        return Grid((held or (None,),))

    def _position(self, name: str, args: tuple[Node, ...], at: Address) -> Value[E]:
        """Return ROW, COLUMN, ROWS or COLUMNS: they look at where a reference is, not at what it holds."""
        if not args:
            return float(at.row if name == "ROW" else at.column)
        node = args[0]
        while isinstance(node, Name):
            node = named(self.cells, node, at.sheet)
        if isinstance(node, Cell | Range):
            area = area_of(self.cells, node, at.sheet)
            top, left, height, width = area.top, area.left, area.bottom - area.top + 1, area.right - area.left + 1
        else:
            grid = self._value(node, at, Mode.REFERENCE)
            if not isinstance(grid, Grid) or grid.origin is None:
                return self.without_origin(name, grid)
            (_, top, left), (height, width) = grid.origin, grid.shape
        if name in ("ROWS", "COLUMNS"):
            return float(height if name == "ROWS" else width)
        if name == "ROW":
            return Grid(tuple((float(top + i),) for i in range(height)))
        return Grid((tuple(float(left + i) for i in range(width)),))

    def without_origin(self, name: str, value: Value[E]) -> Element[E]:
        """Return ROW and its kin of an argument that is not a reference."""
        return value if isinstance(value, ExcelError) else ExcelError.VALUE


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
