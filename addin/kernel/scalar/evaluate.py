"""Pass 4, for one set of inputs: the values of the cells, computed in the order of their dependencies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from types import MappingProxyType

from addin.kernel.errors import KernelError
from addin.kernel.excel.comparison import OPERATORS, compare
from addin.kernel.excel.rounding import snapped
from addin.kernel.excel.values import (
    ExcelError,
    Fault,
    Grid,
    Scalar,
    Value,
    as_grid,
    finite,
    single,
    to_number,
    to_text,
)
from addin.kernel.formula.cells import Address, Cells
from addin.kernel.formula.graph import Area, area_of, named, order
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
    Unary,
    bracketed,
    parse,
)
from addin.kernel.scalar.functions import Function, function
from addin.kernel.scalar.functions_math import power
from addin.kernel.scalar.signatures import letters


class Mode(Enum):
    """What a part of a formula may be."""

    SCALAR = "one value"
    REFERENCE = "one value, or cells as they stand"
    ARRAY = "computed element by element, as inside SUMPRODUCT"


def add(left: float, right: float) -> float:
    """Return the sum."""
    return finite(left + right)


def subtract(left: float, right: float) -> float:
    """Return the difference."""
    return finite(left - right)


def multiply(left: float, right: float) -> float:
    """Return the product."""
    return finite(left * right)


def divide(left: float, right: float) -> float:
    """Return the quotient. Raises Fault with #DIV/0!."""
    if right == 0:
        raise Fault(ExcelError.DIV0)
    return finite(left / right)


ARITHMETIC: Mapping[str, Callable[[float, float], float]] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "/": divide,
    "^": power,
}


def binary(operator: str, left: Scalar, right: Scalar) -> Scalar:
    """Return the value of one operation; the left error wins."""
    try:
        if operator in ARITHMETIC:
            return ARITHMETIC[operator](to_number(left), to_number(right))
        if operator == "&":
            return to_text(left) + to_text(right)
        return OPERATORS[operator](compare(left, right))
    except Fault as fault:
        return fault.error


def unary(operator: str, operand: Scalar) -> Scalar:
    """Return -x or x%."""
    try:
        number = to_number(operand)
    except Fault as fault:
        return fault.error
    return -number if operator == "-" else number / 100


def spread(compute: Callable[..., Scalar], args: tuple[Value, ...]) -> Value:
    """Compute element by element. A single row, column or value is repeated; what is still missing is #N/A."""
    grids = [as_grid(arg) for arg in args]
    height, width = (max(grid.shape[axis] for grid in grids) for axis in (0, 1))
    if (height, width) == (1, 1):
        return compute(*(grid.rows[0][0] for grid in grids))
    rows = tuple(
        tuple(compute(*(_element(grid, row, column) for grid in grids)) for column in range(width))
        for row in range(height)
    )
    return Grid(rows)


def _element(grid: Grid, row: int, column: int) -> Scalar:
    height, width = grid.shape
    row, column = 0 if height == 1 else row, 0 if width == 1 else column
    return grid.rows[row][column] if row < height and column < width else ExcelError.NA


class Evaluator:
    """Values of cells, each computed once.

    `overrides` puts plain values in the place of cells, formulas included, without touching `cells`.
    """

    def __init__(self, cells: Cells, overrides: Mapping[Address, Scalar] | None = None) -> None:
        self.cells = cells.with_values(overrides) if overrides else cells
        self._known: dict[Address, Scalar] = {}
        self._grids: dict[Area, Grid] = {}

    def value(self, address: Address) -> Scalar:
        """Return the value that the cell shows; None where it is blank. A formula is never blank: it shows 0.

        Raises KernelError with the place of a cell on the way that cannot be computed.
        """
        if address not in self._known:
            self.compute((address,))
        return self._read(address)

    @property
    def computed(self) -> Mapping[Address, Scalar]:
        """The formula cells computed so far."""
        return MappingProxyType(self._known)

    def compute(self, targets: tuple[Address, ...]) -> None:
        """Compute the targets and all they need, first things first."""
        for address in order(self.cells, targets):
            if address not in self._known:
                self._known[address] = self._formula(address)

    def _read(self, address: Address) -> Scalar:
        if address in self._known:
            return self._known[address]
        return self.cells.constant(address)

    def _formula(self, address: Address) -> Scalar:
        text = self.cells.formula(address) or ""
        try:
            node = parse(text)
            if isinstance(node, Binary) and node.operator in ("+", "-") and not bracketed(text):
                result = self._last_sum(node, address)
            else:
                result = self._scalar(node, address)
        except KernelError as error:
            raise error.at(address.a1) from None
        return 0.0 if result is None else result

    def _last_sum(self, node: Binary, at: Address) -> Scalar:
        left, right = self._scalar(node.left, at), self._scalar(node.right, at)
        result = binary(node.operator, left, right)
        if isinstance(result, float):
            return snapped(result, to_number(left), to_number(right))
        return result

    def _scalar(self, node: Node, at: Address) -> Scalar:
        return single(self._value(node, at, Mode.SCALAR))

    def _value(self, node: Node, at: Address, mode: Mode) -> Value:
        match node:
            case Number(value) | Text(value) | Bool(value) | ErrorLiteral(value):
                return value
            case Cell() | Range():
                return self._reference(node, at, mode)
            case Call(name, args):
                return self._call(function(name, len(args)), args, at, mode)
            case Binary(operator, left, right):
                if mode is not Mode.ARRAY:
                    return binary(operator, self._scalar(left, at), self._scalar(right, at))
                sides = self._value(left, at, mode), self._value(right, at, mode)
                return spread(lambda x, y: binary(operator, x, y), sides)
            case Unary("+", operand):
                return self._value(operand, at, mode)
            case Unary(operator, operand):
                if mode is not Mode.ARRAY:
                    return unary(operator, self._scalar(operand, at))
                return spread(lambda x: unary(operator, x), (self._value(operand, at, mode),))
            case Name(text):
                return self._value(named(self.cells, text), at, mode)
            case Missing():
                return None

    def _reference(self, node: Cell | Range, at: Address, mode: Mode) -> Value:
        area = area_of(self.cells, node, at.sheet)
        if isinstance(node, Cell) and mode is Mode.SCALAR:
            return self._read(Address(area.sheet, area.top, area.left))
        grid = self._grids.get(area)
        if grid is None:
            read = self._read
            rows = tuple(
                tuple(read(Address(area.sheet, row, column)) for column in range(area.left, area.right + 1))
                for row in range(area.top, area.bottom + 1)
            )
            grid = self._grids[area] = Grid(rows, (area.sheet, area.top, area.left))
        return single(grid) if mode is Mode.SCALAR else grid

    def _call(self, found: Function, args: tuple[Node, ...], at: Address, mode: Mode) -> Value:
        try:
            if found.kind == "reference":
                result = self._place(found.name, args, at)
            elif found.kind == "lazy":
                result = found.called(lambda node: self._value(node, at, mode), *args)
            else:
                result = self._strict(found, args, at, mode)
        except Fault as fault:
            return fault.error
        return single(result) if mode is Mode.SCALAR else result

    def _strict(self, found: Function, args: tuple[Node, ...], at: Address, mode: Mode) -> Value:
        kinds = letters(found.signature, len(args))
        values: list[Value] = []
        for kind, node in zip(kinds, args, strict=True):
            if kind == "m" or mode is Mode.ARRAY:
                values.append(self._value(node, at, Mode.ARRAY))
            else:
                values.append(self._value(node, at, Mode.REFERENCE if kind == "a" else Mode.SCALAR))
        if mode is not Mode.ARRAY:
            return found.applied(kinds, values)
        one_by_one = [i for i, kind in enumerate(kinds) if kind not in "am" and isinstance(values[i], Grid)]
        if not one_by_one:
            return found.applied(kinds, values)

        def compute(*elements: Scalar) -> Scalar:
            filled = dict(zip(one_by_one, elements, strict=True))
            try:
                return single(found.applied(kinds, [filled.get(i, value) for i, value in enumerate(values)]))
            except Fault as fault:
                return fault.error

        return spread(compute, tuple(values[i] for i in one_by_one))

    def _place(self, name: str, args: tuple[Node, ...], at: Address) -> Value:
        if not args:
            return float(at.row if name == "ROW" else at.column)
        node = args[0]
        while isinstance(node, Name):
            node = named(self.cells, node.text)
        if isinstance(node, Cell | Range):
            area = area_of(self.cells, node, at.sheet)
            top, left, height, width = area.top, area.left, area.bottom - area.top + 1, area.right - area.left + 1
        else:
            grid = self._value(node, at, Mode.REFERENCE)
            if not isinstance(grid, Grid) or grid.origin is None:
                return grid if isinstance(grid, ExcelError) else ExcelError.VALUE
            (_, top, left), (height, width) = grid.origin, grid.shape
        if name in ("ROWS", "COLUMNS"):
            return float(height if name == "ROWS" else width)
        if name == "ROW":
            return Grid(tuple((float(top + i),) for i in range(height)))
        return Grid((tuple(float(left + i) for i in range(width)),))


def evaluate_all(cells: Cells, overrides: Mapping[Address, Scalar] | None = None) -> dict[Address, Scalar]:
    """Return the value of every formula cell.

    Raises KernelError with the place of the first cell that cannot be computed.
    """
    evaluator = Evaluator(cells, overrides)
    targets = tuple(evaluator.cells.formulas())
    evaluator.compute(targets)
    return {address: evaluator.value(address) for address in targets}
