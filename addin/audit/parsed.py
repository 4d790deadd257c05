"""A formula as the rules need it, on the kernel's tree: its references, names and calls, and its relative form.

The kernel refuses operands that it cannot compute: whole columns, table columns, other workbooks, braces. A rule has to
report them, so a made-up name replaces such an operand before the kernel parses the formula.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from openpyxl.formula.tokenizer import Token, Tokenizer, TokenizerError
from openpyxl.utils import get_column_letter

from addin.kernel import KernelError
from addin.kernel.formula.parse import (
    BINDING,
    THIS_BOOK,
    Binary,
    Call,
    Cell,
    Name,
    Node,
    Range,
    Unary,
    children,
    parse,
    reference,
    show,
)

COMPARISONS = frozenset(operator for operator, binding in BINDING.items() if binding == BINDING["="])
DEEPEST = 200  # levels of a tree; a deeper one breaks R19 anyway
_STAND_IN = "\\operand."  # hexadecimal digits of the operand follow


@dataclass(frozen=True, eq=False)
class Parsed:
    """A formula as its nodes, parents first; one that cannot be read has none, and `fault` says why."""

    nodes: tuple[Node, ...]
    fault: str = ""

    @cached_property
    def ranges(self) -> tuple[Range, ...]:
        """Every reference once, single cells as ranges of one cell."""
        return tuple(dict.fromkeys(area for node in self.nodes if (area := as_range(node))))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every workbook name."""
        return tuple(n.text for n in self.nodes if isinstance(n, Name) and not _operand(n))

    @cached_property
    def refused(self) -> tuple[str, ...]:
        """Every operand that is not allowed in a formula, such as `Sizing!D:D`, `{1;0}` or `Sizing!Rate`."""
        return tuple(operand for n in self.nodes if isinstance(n, Name) and (operand := _operand(n)))

    @cached_property
    def functions(self) -> frozenset[str]:
        """The names of all functions called."""
        return frozenset(node.name for node in self.nodes if isinstance(node, Call))

    @property
    def link(self) -> Range | None:
        """The target of a formula that consists of a reference to one cell."""
        return as_range(self.nodes[0]) if self.nodes and isinstance(self.nodes[0], Cell) else None


NOTHING = Parsed(())


@lru_cache(maxsize=1 << 17)
def parsed(text: str) -> Parsed:
    """Return a formula that starts with '='; never raises."""
    try:
        return Parsed(_nodes(parse(text)))
    except KernelError as error:
        fault = str(error)
    except RecursionError:
        return Parsed((), f"'{text[:20]}...' is nested too deeply. Split it into labelled lines.")
    try:
        return Parsed(_nodes(parse(_substituted(text))))
    except (KernelError, RecursionError):
        return Parsed((), fault)


def _nodes(tree: Node) -> tuple[Node, ...]:
    """Return a tree and all nodes below it, parents first. Raises RecursionError for a tree that is too deep."""
    nodes, waiting = [], [(tree, 0)]
    while waiting:
        node, level = waiting.pop()
        if level > DEEPEST:
            raise RecursionError
        nodes.append(node)
        waiting += [(child, level + 1) for child in reversed(children(node))]
    return tuple(nodes)


def _substituted(text: str) -> str:
    """Return the formula with a stand-in for every operand that the kernel refuses."""
    written = ["="]
    try:
        tokens = iter(Tokenizer(text).items)
        for token in tokens:
            operand = token.value
            if token.type == Token.ARRAY:
                while not operand.endswith("}"):
                    operand += next(tokens).value
                operand = _stand_in(operand)
            written.append(_readable(operand) if token.type == Token.OPERAND else operand)
    except (TokenizerError, IndexError, StopIteration):
        return text  # the kernel reports what is wrong with it
    return "".join(written)


def _readable(operand: str) -> str:
    """Return an operand that the kernel parses: unchanged, with its sheet in quotes (`[1]Sheet1!A1`), or a stand-in."""
    sheet, _, cells = operand.rpartition("!")
    for text in (operand, f"'{sheet}'!{cells}"):
        try:
            parse(f"={text}")
        except KernelError:
            continue
        return text
    return _stand_in(operand)


def _operand(name: Name) -> str:
    """Return the operand behind a stand-in, the name itself for a name of a sheet; empty for a workbook name."""
    if name.text.startswith(_STAND_IN):
        return bytes.fromhex(name.text.removeprefix(_STAND_IN)).decode()
    return "" if name.sheet in (None, THIS_BOOK) else show(name)


def _stand_in(operand: str) -> str:
    return _STAND_IN + operand.encode().hex()


def as_range(node: Node) -> Range | None:
    """Return a reference as a range, also a single cell; None for any other node."""
    if isinstance(node, Cell):
        return Range(node, node)
    return node if isinstance(node, Range) else None


def range_of(text: str) -> Range | None:
    """Return the range of a text such as `Arrays!$D$4:$F$4`; None for any other text."""
    try:
        return as_range(reference(text))
    except KernelError:
        return None


def a1(area: Range) -> str:
    """Return the address of a range without sheet and $."""
    first, last = (f"{get_column_letter(cell.column)}{cell.row}" for cell in (area.first, area.last))
    return first if first == last else f"{first}:{last}"


def positions(area: Range) -> Iterator[tuple[int, int]]:
    """Yield row and column of every cell of a range, row by row."""
    for row in range(area.first.row, area.last.row + 1):
        for column in range(area.first.column, area.last.column + 1):
            yield row, column


def inside(area: Range, position: tuple[int, int]) -> bool:
    """Return whether a cell, given by row and column, is in a range."""
    row, column = position
    return area.first.row <= row <= area.last.row and area.first.column <= column <= area.last.column


def in_other_file(area: Range) -> bool:
    """Return whether a reference is to another workbook."""
    return (area.first.sheet or "").startswith("[")


@lru_cache(maxsize=1 << 17)
def relative(text: str, row: int, column: int) -> str:
    """Return the tree of a formula, parents first, with distances in place of addresses, as in R1C1.

    The text is equal for all copies of a formula. A formula that cannot be read is returned unchanged.
    """
    nodes = parsed(text).nodes
    return sys.intern(" ".join([_written(node, row, column) for node in nodes])) if nodes else text


def _written(node: Node, row: int, column: int) -> str:
    """Return a node as text, with the number of its children."""
    match node:
        case Cell(sheet, at_row, at_column, row_absolute, column_absolute):
            down = at_row if row_absolute else at_row - row
            right = at_column if column_absolute else at_column - column
            return f"{sheet!r},{down}{row_absolute},{right}{column_absolute}"
        case Range(first, last):
            return f"{_written(first, row, column)}:{_written(last, row, column)}"
        case Unary(operator) | Binary(operator):
            return f"{operator}{len(children(node))}"
        case Call(name, args):
            return f"{name}({len(args)}"
    return repr(node)
