"""The tree of a formula: its nodes, how they are written as one line, walked and rebuilt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from addin.kernel.excel.values import ExcelError, number_text
from addin.kernel.formula.cells import quoted
from addin.kernel.formula.columns import column_letters

THIS_BOOK = "[0]"  # how a file writes the workbook before a name of it


@dataclass(frozen=True, slots=True)
class Number:
    """A number literal."""

    value: float


@dataclass(frozen=True, slots=True)
class Text:
    """A text literal without its quotes."""

    value: str


@dataclass(frozen=True, slots=True)
class Bool:
    """TRUE or FALSE, also when written TRUE()."""

    value: bool


@dataclass(frozen=True, slots=True)
class ErrorLiteral:
    """An error typed into a formula, such as #N/A, or a reference that was deleted."""

    value: ExcelError


@dataclass(frozen=True, slots=True)
class Missing:
    """An empty argument, as in IF(A1,,2)."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A reference to one cell. `sheet` is None on the formula's own sheet."""

    sheet: str | None
    row: int
    column: int
    row_absolute: bool = False
    column_absolute: bool = False


@dataclass(frozen=True, slots=True)
class Range:
    """A rectangle of cells; `first` is its top left corner and carries the sheet."""

    first: Cell
    last: Cell


@dataclass(frozen=True, slots=True)
class Name:
    """A defined name. `sheet` is None where none is written, THIS_BOOK where only one of the workbook can be meant."""

    text: str
    sheet: str | None = None


@dataclass(frozen=True, slots=True)
class Unary:
    """`-x`, `+x` or `x%`."""

    operator: str
    operand: Node


@dataclass(frozen=True, slots=True)
class Binary:
    """Two operands."""

    operator: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Call:
    """A function of the reference, upper case, without `_xlfn.`."""

    name: str
    args: tuple[Node, ...]


Node = Number | Text | Bool | ErrorLiteral | Missing | Cell | Range | Name | Unary | Binary | Call
Leaf = Cell | Range | Name


def show(node: Node) -> str:
    """Return the tree as one line: (+ A1 (SUM B1:B9 2))."""
    match node:
        case Number(value):
            return number_text(value)
        case Text(value):
            return '"' + value.replace('"', '""') + '"'
        case Bool(value):
            return "TRUE" if value else "FALSE"
        case ErrorLiteral(value):
            return value.value
        case Missing():
            return "_"
        case Range(first, last):
            return f"{show(first)}:{show(Cell(None, *_ends(last)))}"
        case Cell():
            sheet = "" if node.sheet is None else quoted(node.sheet) + "!"
            marks = ("$" if node.column_absolute else "", "$" if node.row_absolute else "")
            return f"{sheet}{marks[0]}{column_letters(node.column)}{marks[1]}{node.row}"
        case Name(text, sheet):
            return text if sheet is None else f"{sheet if sheet == THIS_BOOK else quoted(sheet)}!{text}"
        case Unary(operator, operand):
            return f"({operator} {show(operand)})"
        case Binary():
            operand, operations = chain(node)
            text = show(operand)
            for operation in operations:
                text = f"({operation.operator} {text} {show(operation.right)})"
            return text
        case Call(name, args):
            return f"({' '.join([name, *map(show, args)])})"


def _ends(cell: Cell) -> tuple[int, int, bool, bool]:
    return cell.row, cell.column, cell.row_absolute, cell.column_absolute


def children(node: Node) -> tuple[Node, ...]:
    """Return the nodes directly below this one."""
    if isinstance(node, Binary):
        return node.left, node.right
    if isinstance(node, Call):
        return node.args
    return (node.operand,) if isinstance(node, Unary) else ()


def walk(node: Node) -> Iterator[Node]:
    """Yield the node and everything below it, parents first."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += reversed(children(node))


def chain(node: Binary) -> tuple[Node, list[Binary]]:
    """Return the first operand of A1+A2+A3 and what is done from the left; such a tree is as deep as it is long."""
    operations: list[Binary] = []
    first: Node = node
    while isinstance(first, Binary):
        operations.append(first)
        first = first.left
    return first, operations[::-1]


def rebuilt(node: Node, change: Callable[[Node], Node]) -> Node:
    """Return a tree with other leaves."""
    if isinstance(node, Binary):
        first, operations = chain(node)
        left = rebuilt(first, change)
        for operation in operations:
            left = Binary(operation.operator, left, rebuilt(operation.right, change))
        return left
    if isinstance(node, Unary):
        return Unary(node.operator, rebuilt(node.operand, change))
    if isinstance(node, Call):
        return Call(node.name, tuple([rebuilt(arg, change) for arg in node.args]))
    return change(node)
