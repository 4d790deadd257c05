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
from addin.kernel.formula.nodes import THIS_BOOK, Binary, Call, Cell, Name, Node, Range, Unary, children, show
from addin.kernel.formula.parse import BINDING, LONGEST, parse, reference
from addin.kernel.formula.shapes import MARK, shape

COMPARISONS = frozenset(operator for operator, binding in BINDING.items() if binding == BINDING["="])
DEEPEST = 200  # levels of a tree; a deeper one breaks R19 anyway
_HERE = "\0"  # in no text: repr writes it otherwise
_STAND_IN = "\\operand."  # hexadecimal digits of the operand follow


@dataclass(frozen=True, eq=False)
class Parsed:
    """A formula. One that cannot be read has no nodes, and `fault` says why.

    `pattern` is the formula with a mark for each reference, `own` are these references. Thousands of formulas share a
    pattern: what does not depend on the references is found once for it.
    """

    text: str = ""
    tree: Node | None = None
    fault: str = ""
    pattern: "Parsed | None" = None
    own: tuple[Cell | Range, ...] = ()
    marked: bool = False  # a pattern: a name like the mark is one

    @property
    def readable(self) -> bool:
        """Return whether the formula has nodes."""
        return self.tree is not None or self.pattern is not None

    @property
    def form(self) -> "Parsed":
        """The pattern, or the formula itself where it shares none."""
        return self.pattern or self

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """Every node, parents first."""
        tree = parse(self.text) if self.pattern else self.tree
        return _nodes(tree) if tree is not None else ()

    @cached_property
    def references(self) -> tuple[Cell | Range, ...]:
        """Every reference to cells, from left to right."""
        return self.own if self.pattern else tuple(node for node in self.nodes if isinstance(node, (Cell, Range)))

    @cached_property
    def ranges(self) -> tuple[Range, ...]:
        """Every reference once, single cells as ranges of one cell."""
        areas = [Range(r, r) if isinstance(r, Cell) else r for r in self.references]
        return tuple(dict.fromkeys(areas) if len(areas) > 1 else areas)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Every workbook name."""
        if self.pattern:
            return self.pattern.names
        return tuple(n.text for n in self.nodes if isinstance(n, Name) and not self._is_mark(n) and not _operand(n))

    @cached_property
    def refused(self) -> tuple[str, ...]:
        """Every operand that is not allowed in a formula, such as `Sizing!D:D`, `{1;0}` or `Sizing!Rate`."""
        if self.pattern:
            return self.pattern.refused
        return tuple(operand for n in self.nodes if isinstance(n, Name) and (operand := _operand(n)))

    @cached_property
    def functions(self) -> frozenset[str]:
        """The names of all functions called."""
        if self.pattern:
            return self.pattern.functions
        return frozenset(node.name for node in self.nodes if isinstance(node, Call))

    @cached_property
    def joins(self) -> tuple[Binary, ...]:
        """Every `&`."""
        if self.pattern and not self.pattern.joins:
            return ()
        return tuple(node for node in self.nodes if isinstance(node, Binary) and node.operator == "&")

    @cached_property
    def outside(self) -> tuple[Range, ...]:
        """Every reference to another workbook."""
        return tuple(area for area in self.ranges if in_other_file(area))

    @cached_property
    def between(self) -> tuple[str, ...]:
        """The tree as text, parents first: what is before, between and after its references."""
        if self.pattern:
            return self.pattern.between
        places = [isinstance(node, (Cell, Range)) or self._is_mark(node) for node in self.nodes]
        texts = [_HERE if place else _written(node) for node, place in zip(self.nodes, places, strict=True)]
        return tuple(" ".join(texts).split(_HERE))

    def _is_mark(self, node: Node) -> bool:
        return self.marked and isinstance(node, Name) and node.text == MARK

    @cached_property
    def link(self) -> Range | None:
        """The target of a formula that consists of a reference to one cell."""
        root = self.own[0] if self.pattern and isinstance(self.pattern.tree, Name) else self.tree
        return as_range(root) if isinstance(root, Cell) else None


NOTHING = Parsed()


@lru_cache(maxsize=1 << 17)
def parsed(text: str) -> Parsed:
    """Return a formula that starts with '='; never raises."""
    form, references = shape(text)
    if references and len(text) <= LONGEST and (pattern := _pattern(form, len(references))):
        try:
            own = tuple(map(reference, references))
        except KernelError:
            own = ()
        if own and not any(isinstance(each, Name) for each in own):
            return Parsed(text, pattern=pattern, own=own)  # type: ignore[arg-type]
    try:
        return _whole(text, text)
    except KernelError as error:
        fault = str(error)
    except RecursionError:
        return Parsed(text, fault=f"'{text[:20]}...' is nested too deeply. Split it into labelled lines.")
    try:
        return _whole(text, _substituted(text))
    except (KernelError, RecursionError):
        return Parsed(text, fault=fault)


@lru_cache(maxsize=1 << 14)
def _pattern(form: str, marks: int) -> Parsed | None:
    """Return a formula with so many marks for references, None where the formulas have to be read one by one."""
    try:
        pattern = _whole(form, form, marked=True)
    except (KernelError, RecursionError):
        return None
    return pattern if len(pattern.between) == marks + 1 else None


def _whole(text: str, read: str, marked: bool = False) -> Parsed:
    """Return a formula that is read as `read`. Raises KernelError, and RecursionError for a tree that is too deep."""
    found = Parsed(text, parse(read), marked=marked)
    _ = found.nodes  # raises
    return found


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
    formula = parsed(text)
    if not formula.readable:
        return text
    written = [formula.between[0]]
    for area, text in zip(formula.references, formula.between[1:], strict=True):
        written += (_distance(area, row, column), text)
    return sys.intern("".join(written))


def _distance(area: Cell | Range, row: int, column: int) -> str:
    if isinstance(area, Range):
        return f"{_distance(area.first, row, column)}:{_distance(area.last, row, column)}"
    down = area.row if area.row_absolute else area.row - row
    right = area.column if area.column_absolute else area.column - column
    return f"{area.sheet!r},{down}{area.row_absolute},{right}{area.column_absolute}"


def _written(node: Node) -> str:
    """Return a node that is no reference as text, with the number of its children."""
    match node:
        case Unary(operator) | Binary(operator):
            return f"{operator}{len(children(node))}"
        case Call(name, args):
            return f"{name}({len(args)}"
    return repr(node)
