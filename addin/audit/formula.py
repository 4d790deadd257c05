"""Read one formula: openpyxl's tokens -> a small tree, so that rules speak of operators and calls, not of characters.

    comparison < & < + - < * / < ^ < prefix + - < postfix %        (loosest to tightest, as Excel binds them)

Only what an audit needs: nothing is evaluated. A formula that cannot be read raises ValueError with the reason.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from openpyxl.formula import Tokenizer
from openpyxl.formula.tokenizer import Token
from openpyxl.utils import column_index_from_string, get_column_letter

COMPARISONS = ("=", "<>", "<", ">", "<=", ">=")
_BINDING = {**dict.fromkeys(COMPARISONS, 1), "&": 2, "+": 3, "-": 3, "*": 4, "/": 4, "^": 5}
_PREFIX = re.compile(r"(?:'((?:[^']|'')+)'|([^'!]+))!")
_CELLS = re.compile(r"(\$?)([A-Za-z]{1,3})(\$?)(\d+)(?::(\$?)([A-Za-z]{1,3})(\$?)(\d+))?$")
_NAME = re.compile(r"[A-Za-z_\\][\w.\\]*$")


@dataclass(frozen=True, slots=True)
class Ref:
    """A reference: sheet (None = the formula's own) and corners; `fixed` marks $ of column, row, column, row."""

    sheet: str | None
    first_column: int
    first_row: int
    last_column: int
    last_row: int
    fixed: tuple[bool, bool, bool, bool]

    @property
    def single(self) -> bool:
        """Say whether it names one cell."""
        return (self.first_column, self.first_row) == (self.last_column, self.last_row)

    @property
    def a1(self) -> str:
        """Return the address without sheet and $."""
        first = f"{get_column_letter(self.first_column)}{self.first_row}"
        return first if self.single else f"{first}:{get_column_letter(self.last_column)}{self.last_row}"


@dataclass(frozen=True, slots=True)
class Literal:
    """A typed constant; kind is number, text, logical, error or array."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Name:
    """A workbook name, or anything else that stands where a name may stand."""

    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """A function call; `name` is upper case without the file format's _xlfn. prefix."""

    name: str
    arguments: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator with its one or two operands; `%` and the signs have one."""

    operator: str
    operands: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Missing:
    """An argument left out."""


Node = Ref | Literal | Name | Call | Operation | Missing


def children(node: Node) -> tuple[Node, ...]:
    """Return the operands or arguments of a node."""
    if isinstance(node, Call):
        return node.arguments
    return node.operands if isinstance(node, Operation) else ()


def walk(node: Node) -> Iterator[Node]:
    """Yield the node and everything below it, outside in."""
    yield node
    for child in children(node):
        yield from walk(child)


@lru_cache(maxsize=1 << 15)
def parse(text: str) -> Node:
    """Return the tree of a formula that starts with '='.

    Raises ValueError when it is no formula this reader knows.
    """
    try:
        items = [token for token in Tokenizer(text).items if token.type != Token.WSPACE]
    except Exception as error:  # the tokenizer raises its own error and IndexError
        raise ValueError(f"cannot be read: {error}") from error
    reader = _Reader(items)
    tree = reader.expression(0)
    if reader.peek() is not None:
        raise ValueError(f"cannot be read from {items[reader.at].value!r} on")
    return tree


class _Reader:
    """Precedence climbing over a list of tokens."""

    def __init__(self, items: list[Token]) -> None:
        self.items, self.at = items, 0

    def peek(self) -> Token | None:
        return self.items[self.at] if self.at < len(self.items) else None

    def take(self) -> Token:
        token = self.peek()
        if token is None:
            raise ValueError("ends too early")
        self.at += 1
        return token

    def expression(self, least: int) -> Node:
        left = self.operand()
        while (token := self.peek()) is not None and token.type in (Token.OP_IN, Token.OP_POST):
            if token.type == Token.OP_POST:
                self.at += 1
                left = Operation(token.value, (left,))
                continue
            binding = _BINDING.get(token.value)
            if binding is None:
                raise ValueError(f"uses the operator {token.value!r} on references")
            if binding <= least:
                break
            self.at += 1
            left = Operation(token.value, (left, self.expression(binding)))
        return left

    def operand(self) -> Node:
        token = self.take()
        if token.type == Token.OP_PRE:
            return Operation(token.value, (self.expression(_BINDING["^"]),))
        if token.type == Token.OPERAND:
            return _operand(token)
        if token.type == Token.PAREN and token.subtype == Token.OPEN:
            inner = self.expression(0)
            self.take()
            return inner
        if token.type == Token.FUNC and token.subtype == Token.OPEN:
            return Call(_function(token.value), self.arguments())
        if token.type == Token.ARRAY:
            while self.take().type != Token.ARRAY:
                pass
            return Literal("array", "{...}")
        raise ValueError(f"has {token.value!r} where a value was expected")

    def arguments(self) -> tuple[Node, ...]:
        found: list[Node] = []
        while True:
            token = self.peek()
            closes = token is not None and token.type == Token.FUNC and token.subtype == Token.CLOSE
            separates = token is not None and token.type == Token.SEP
            found.append(Missing() if closes or separates else self.expression(0))
            token = self.take()
            if token.type == Token.FUNC and token.subtype == Token.CLOSE:
                return () if found == [Missing()] else tuple(found)
            if token.type != Token.SEP:
                raise ValueError(f"has {token.value!r} where ',' or ')' was expected")


def _function(opening: str) -> str:
    name = opening.rstrip("(").upper()
    while name.startswith(("_XLFN.", "_XLWS.")):
        name = name[6:]
    return name


def _operand(token: Token) -> Node:
    kinds = {Token.NUMBER: "number", Token.TEXT: "text", Token.LOGICAL: "logical", Token.ERROR: "error"}
    if token.subtype in kinds:
        return Literal(kinds[token.subtype], token.value)
    return reference(token.value)


def reference(text: str) -> Ref | Name | Literal:
    """Return the reference of a text such as `'Block sizes'!$A$5:$A$9`; a lost one is an error, the rest names."""
    if text.endswith("#REF!"):
        return Literal("error", text)
    prefix = _PREFIX.match(text)
    match = _CELLS.match(text, prefix.end() if prefix else 0)
    if match is None:
        return Name(text)
    sheet = (prefix[1] or prefix[2]).replace("''", "'") if prefix else None
    column, row = column_index_from_string(match[2]), int(match[4])
    fixed = (bool(match[1]), bool(match[3]))
    if match[6] is None:
        return Ref(sheet, column, row, column, row, (*fixed, *fixed))
    last = (column_index_from_string(match[6]), int(match[8]))
    return Ref(sheet, column, row, *last, (*fixed, bool(match[5]), bool(match[7])))


def plain_name(text: str) -> bool:
    """Say whether a text has the form of a workbook name."""
    return _NAME.match(text) is not None


@lru_cache(maxsize=1 << 15)
def refs(text: str) -> tuple[Ref, ...]:
    """Return every reference of a formula; none when it cannot be read."""
    return tuple(node for node in _nodes(text) if isinstance(node, Ref))


@lru_cache(maxsize=1 << 15)
def names(text: str) -> tuple[str, ...]:
    """Return every name a formula uses."""
    return tuple(node.text for node in _nodes(text) if isinstance(node, Name))


@lru_cache(maxsize=1 << 15)
def functions(text: str) -> frozenset[str]:
    """Return the names of all functions a formula calls."""
    return frozenset(node.name for node in _nodes(text) if isinstance(node, Call))


def _nodes(text: str) -> Iterator[Node]:
    try:
        return walk(parse(text))
    except ValueError:
        return iter(())


def is_link(text: str) -> bool:
    """Say whether a formula is nothing but a reference to one cell."""
    try:
        tree = parse(text)
    except ValueError:
        return False
    return isinstance(tree, Ref) and tree.single


@lru_cache(maxsize=1 << 15)
def relative(text: str, row: int, column: int) -> tuple[object, ...]:
    """Return the formula with addresses as distances from its cell: equal for a formula and its copies."""
    found: list[object] = []
    for token in Tokenizer(text).items:
        ref = reference(token.value) if token.type == Token.OPERAND and token.subtype == Token.RANGE else None
        if not isinstance(ref, Ref):
            found.append(token.value)
            continue
        corners = (ref.first_column, ref.first_row, ref.last_column, ref.last_row)
        home = (column, row, column, row)
        distances = (at if fixed else at - here for at, here, fixed in zip(corners, home, ref.fixed, strict=True))
        found.append((ref.sheet, *distances, ref.fixed))
    return tuple(found)
