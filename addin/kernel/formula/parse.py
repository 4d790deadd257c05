"""Pass 2: tokens -> tree.

formula    = "=" comparison
comparison = joined  { ("=" | "<>" | "<" | "<=" | ">" | ">=") joined }
joined     = sum     { "&" sum }
sum        = product { ("+" | "-") product }
product    = power   { ("*" | "/") power }
power      = signed  { "^" signed }              left to right: 2^3^2 is 64
signed     = ("-" | "+") signed | percent        binds tighter than "^": -2^2 is 4
percent    = primary { "%" }
primary    = number | text | TRUE | FALSE | error | reference | name | call | "(" comparison ")"
call       = function "(" [ argument { "," argument } ] ")"     an empty argument is Missing
reference  = [ sheet "!" ] cell [ ":" cell ]
name       = [ ( sheet | "[0]" ) "!" ] name
"""

from __future__ import annotations

import re
from functools import lru_cache

from addin.kernel.errors import ParseError
from addin.kernel.excel.values import NO_FORMULA, ExcelError
from addin.kernel.formula.columns import LAST_COLUMN, LAST_ROW, column_number
from addin.kernel.formula.nodes import (
    THIS_BOOK,
    Binary,
    Bool,
    Call,
    Cell,
    ErrorLiteral,
    Leaf,
    Missing,
    Name,
    Node,
    Number,
    Range,
    Text,
    Unary,
    rebuilt,
    walk,
)
from addin.kernel.formula.shapes import MARK, shape
from addin.kernel.formula.tokens import PREFIXES, Kind, Token, tokens

BINDING = {"=": 1, "<>": 1, "<": 1, "<=": 1, ">": 1, ">=": 1, "&": 2, "+": 3, "-": 3, "*": 4, "/": 4, "^": 5}
CALLED = re.compile(r"\bLAMBDA\(", re.IGNORECASE)
LONGEST, DEEPEST = 8192, 64  # characters of a formula, levels of functions and brackets in it: Excel's own limits
CELL = r"(\$?)([A-Za-z]{1,3})(\$?)([1-9]\d*)"
REFERENCE = re.compile(rf"(?:(?:'((?:[^']|'')+)'|([^'!:\[\]]+))!)?{CELL}(?::(?:('(?:[^']|'')+'|[^'!:]+)!)?{CELL})?")
NAME = re.compile(r"[^\W\d][\w.\\]*|\\[\w.\\]+")
NAME_OF = re.compile(rf"(?:'((?:[^']|'')+)'|([^'!:]+))!({NAME.pattern})")
ERRORS = {error.value: error for error in ExcelError}


@lru_cache(maxsize=1 << 17)  # the formulas of two workbooks: with less than one reading holds, nothing is found again
def shaped(text: str) -> tuple[str, tuple[Leaf, ...]]:
    """Return the shape of a formula that starts with "=", and its references; where no shape fits, all of the text.

    Raises ParseError, without the cell: the caller adds it with `error.at(address)`.
    """
    characters = len(text) - 1
    if characters > LONGEST and characters - sum(len(prefix) * text.count(prefix) for prefix in PREFIXES) > LONGEST:
        raise ParseError(
            f"The formula has {characters} characters, Excel takes {LONGEST}.", "Split it into several cells."
        )
    form, references = shape(text)
    try:
        marks = tree_of(form)[1]
        found = tuple([reference(each) for each in references])
    except ParseError:
        marks = -1
    if marks == len(references):
        return form, found
    tree_of(text)  # of the whole text: it says what is wrong
    return text, ()


@lru_cache(maxsize=1 << 17)
def parse(text: str) -> Node:
    """Return the tree of a formula that starts with "=".

    Raises ParseError, without the cell: the caller adds it with `error.at(address)`.
    """
    form, references = shaped(text)
    tree = tree_of(form)[0]
    if not references:
        return tree
    found = iter(references)
    return rebuilt(tree, lambda leaf: next(found) if is_mark(leaf) else leaf)


def is_mark(leaf: Node) -> bool:
    """Return whether a leaf in the tree of a shape is the place of a reference."""
    return isinstance(leaf, Name) and leaf.text == MARK


@lru_cache(maxsize=65536)
def tree_of(text: str) -> tuple[Node, int]:
    """Return the tree of a formula or a shape, and how many marks it has."""
    if text == NO_FORMULA:
        gone = "the cell shares the formula of another one, which is gone from the file."
        raise ParseError(gone, "Type its formula again.")
    stream = _Stream(text, tokens(text))
    node = _expression(stream, 1)
    stream.expect(Kind.END, "the end of the formula")
    return node, sum(map(is_mark, walk(node)))


class _Stream:
    """The tokens that are still to be read."""

    def __init__(self, text: str, items: tuple[Token, ...]) -> None:
        self.text = text
        self._items = items
        self._next = 0
        self.level = 0

    def peek(self) -> Token:
        return self._items[self._next]

    def take(self) -> Token:
        token = self._items[self._next]
        self._next += 1
        return token

    def expect(self, kind: Kind, wanted: str) -> None:
        token = self.peek()
        if token.kind is not kind:
            raise self.error(token, wanted)
        self._next += 1

    def down(self) -> None:
        """Go one level down. Raises ParseError below the last one of Excel."""
        self.level += 1
        if self.level > DEEPEST:
            raise ParseError(f"The formula is nested deeper than {DEEPEST} levels.", "Split it into several cells.")

    def error(self, token: Token, wanted: str) -> ParseError:
        if CALLED.search(self.text):  # Excel calls what it gives, which no other formula does
            return ParseError("LAMBDA is not computed here.", "Write the cell without it.")
        actual = f"'{token.text}'" if token.text else "the end"
        return ParseError(f"'{self.text}' has {actual} where {wanted} should be.", "Correct the formula.")


def _expression(stream: _Stream, binding: int) -> Node:
    left = _signed(stream)
    while (token := stream.peek()).kind is Kind.INFIX:
        if token.text not in BINDING:
            raise stream.error(token, "an operator of the kernel")
        if BINDING[token.text] < binding:
            break
        stream.take()
        left = Binary(token.text, left, _expression(stream, BINDING[token.text] + 1))
    return left


def _signed(stream: _Stream) -> Node:
    signs = ""
    while stream.peek().kind is Kind.PREFIX:
        signs += stream.take().text
    minus = signs.count("-")
    node = _primary(stream)
    percent = 0
    while stream.peek().kind is Kind.POSTFIX:
        node, percent = Unary(stream.take().text, node), percent + 1
    if percent > DEEPEST:
        raise ParseError(f"A value has {percent} percent signs.", "Divide by a number.")
    if len(signs) > 2:  # ---x is -x, ----x is --x, a number whatever x was
        signs = "--" if minus and minus % 2 == 0 else "-" * (minus % 2) or "+"
    for sign in reversed(signs):
        node = Unary(sign, node)
    return node


def _primary(stream: _Stream) -> Node:
    token = stream.take()
    if token.kind is Kind.NUMBER:
        return Number(float(token.text))
    if token.kind is Kind.TEXT:
        return Text(token.text)
    if token.kind is Kind.BOOL:
        return Bool(token.text == "TRUE")
    if token.kind is Kind.ERROR:
        return ErrorLiteral(ERRORS.get(token.text, ExcelError.VALUE))
    if token.kind is Kind.OPERAND:
        return reference(token.text)
    if token.kind is Kind.CALL:
        stream.down()
        call = _call(stream, token.text)
        stream.level -= 1
        return call
    if token.kind is Kind.OPEN:
        stream.down()
        node = _expression(stream, 1)
        stream.level -= 1
        stream.expect(Kind.CLOSE, "')'")
        return node
    raise stream.error(token, "a value")


def _call(stream: _Stream, name: str) -> Node:
    args: list[Node] = []
    if stream.peek().kind is not Kind.CLOSE:
        args.append(_argument(stream))
        while stream.peek().kind is Kind.COMMA:
            stream.take()
            args.append(_argument(stream))
    stream.expect(Kind.CLOSE, "',' or ')'")
    if name in ("TRUE", "FALSE") and not args:
        return Bool(name == "TRUE")
    return Call(name, tuple(args))


def _argument(stream: _Stream) -> Node:
    if stream.peek().kind in (Kind.COMMA, Kind.CLOSE):
        return Missing()
    return _expression(stream, 1)


@lru_cache(maxsize=65536)
def reference(text: str) -> Cell | Range | Name:
    """Read one operand: a cell, a range or a defined name. Raises ParseError for every other kind of reference."""
    match = REFERENCE.fullmatch(text)
    if match is None:
        if NAME.fullmatch(text):
            return Name(text)
        if (of := NAME_OF.fullmatch(text)) and (of[2] == THIS_BOOK or "[" not in (of[1] or of[2])):
            return Name(of[3], of[1].replace("''", "'") if of[1] else of[2])
        raise ParseError(f"'{text}' is not a reference the kernel reads.", _advice(text))
    sheet = match[1].replace("''", "'") if match[1] else match[2]
    first = _cell(sheet, match.group(3, 4, 5, 6))
    if match[9] is None:
        return Name(text) if first is None else first
    if match[7] is not None and match[7].strip("'").replace("''", "'") != sheet:
        raise ParseError(f"'{text}' spans sheets.", _advice(text))
    last = _cell(sheet, match.group(8, 9, 10, 11))
    if first is None or last is None:
        raise ParseError(f"'{text}' leaves the sheet.", "The last cell is XFD1048576.")
    return _ordered(first, last)


def _cell(sheet: str | None, groups: tuple[str | None, ...]) -> Cell | None:
    column_mark, letters, row_mark, digits = groups
    row, column = int(digits or 0), column_number(letters or "")
    if row > LAST_ROW or column > LAST_COLUMN:
        return None
    return Cell(sheet, row, column, row_mark == "$", column_mark == "$")


def _ordered(first: Cell, last: Cell) -> Range:
    rows = sorted([(first.row, first.row_absolute), (last.row, last.row_absolute)], key=lambda end: end[0])
    columns = sorted(
        [(first.column, first.column_absolute), (last.column, last.column_absolute)], key=lambda end: end[0]
    )
    corners = [Cell(first.sheet, r, c, ra, ca) for (r, ra), (c, ca) in zip(rows, columns, strict=True)]
    return Range(corners[0], corners[1])


def _advice(text: str) -> str:
    if "[" in text:
        return (
            "Table columns and other workbooks are not supported: refer to the cells, or type the figure into this one."
        )
    if ":" in text:
        return "Write a range as two cells of one sheet, such as A1:B9; whole rows and columns are not supported."
    return "Write a cell such as F9, or a defined name."
