"""Pass 1: text -> tokens. openpyxl splits the characters; this file gives them meaning."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from openpyxl.formula.tokenizer import Token as Piece
from openpyxl.formula.tokenizer import Tokenizer, TokenizerError

from addin.kernel.errors import ParseError

PREFIXES = ("_xlfn.", "_xlws.")


class Kind(Enum):
    """What a token is."""

    NUMBER = "number"
    TEXT = "text"
    BOOL = "bool"
    ERROR = "error"
    OPERAND = "operand"  # a cell, a range or a name
    CALL = "call"  # name and opening bracket of a function
    OPEN = "open"
    CLOSE = "close"
    COMMA = "comma"
    PREFIX = "prefix"
    INFIX = "infix"
    POSTFIX = "postfix"
    END = "end"


@dataclass(frozen=True, slots=True)
class Token:
    """One token: its kind and its text (a function without `_xlfn.` and bracket, a text without its quotes)."""

    kind: Kind
    text: str


OPERANDS = {
    Piece.TEXT: Kind.TEXT,
    Piece.NUMBER: Kind.NUMBER,
    Piece.LOGICAL: Kind.BOOL,
    Piece.ERROR: Kind.ERROR,
    Piece.RANGE: Kind.OPERAND,
}
OPERATORS = {Piece.OP_PRE: Kind.PREFIX, Piece.OP_IN: Kind.INFIX, Piece.OP_POST: Kind.POSTFIX}
VALUE_ENDS = {Kind.NUMBER, Kind.TEXT, Kind.BOOL, Kind.ERROR, Kind.OPERAND, Kind.CLOSE, Kind.POSTFIX}
VALUE_STARTS = VALUE_ENDS - {Kind.CLOSE, Kind.POSTFIX} | {Kind.CALL, Kind.OPEN}


def tokens(text: str) -> tuple[Token, ...]:
    """Split a formula that starts with "=" into tokens, END last.

    Raises ParseError for what the kernel's grammar leaves out: unions, intersections, array constants and
    array-entered formulas.
    """
    if not text.startswith("="):
        raise ParseError(f"'{text}' is not a formula.", "A formula starts with '='.")
    if text.startswith("={="):
        raise ParseError(f"'{text[1:]}' is array-entered.", "Use SUMPRODUCT in an ordinary formula.")
    try:
        pieces = Tokenizer(text).items
    except (TokenizerError, IndexError) as error:
        raise ParseError(f"'{text}' cannot be split into tokens.", "Check quotes and brackets.") from error
    items: list[Token] = []
    space = False
    for piece in pieces:
        if piece.type == Piece.WSPACE:
            space = True
            continue
        token = _token(piece, text)
        if space and items and items[-1].kind in VALUE_ENDS and token.kind in VALUE_STARTS:
            raise ParseError(
                f"'{text}' puts two values side by side.", "Range intersection is not supported: use INDEX."
            )
        items.append(token)
        space = False
    return (*items, Token(Kind.END, ""))


@lru_cache(maxsize=65536)
def bracketed(text: str) -> bool:
    """Return whether one pair of brackets holds the whole formula, as in =(A1-B1)."""
    if not text[1:].lstrip().startswith("(") or not text.rstrip().endswith(")"):
        return False
    depth = 0
    items = tokens(text)
    for token in items[:-2]:
        depth += (token.kind in (Kind.OPEN, Kind.CALL)) - (token.kind is Kind.CLOSE)
        if depth == 0:
            return False
    return items[0].kind is Kind.OPEN


def _token(piece: Piece, text: str) -> Token:
    if piece.type == Piece.OPERAND:
        return _operand(piece)
    if piece.type == Piece.FUNC:
        if ":" in piece.value:
            raise ParseError(f"'{text}' computes the end of a range.", "Write a range as two cells, such as A1:B9.")
        return Token(Kind.CALL, function_name(piece.value)) if piece.subtype == Piece.OPEN else Token(Kind.CLOSE, ")")
    if piece.type == Piece.PAREN:
        return Token(Kind.OPEN, "(") if piece.subtype == Piece.OPEN else Token(Kind.CLOSE, ")")
    if piece.type == Piece.SEP and piece.subtype == Piece.ARG:
        return Token(Kind.COMMA, ",")
    if piece.type in OPERATORS and piece.value != ",":
        return Token(OPERATORS[piece.type], piece.value)
    if piece.type == Piece.ARRAY or piece.type == Piece.SEP:
        raise ParseError(f"'{text}' holds an array constant.", "Put the numbers into cells and refer to them.")
    raise ParseError(f"'{text}' joins references with '{piece.value}'.", "Unions are not supported: use one range.")


def _operand(piece: Piece) -> Token:
    kind = OPERANDS[piece.subtype]
    if kind is Kind.TEXT:
        return Token(kind, piece.value[1:-1].replace('""', '"'))
    if kind is Kind.OPERAND and piece.value.upper().endswith("#REF!"):
        return Token(Kind.ERROR, "#REF!")
    return Token(kind, piece.value.upper() if kind in (Kind.BOOL, Kind.ERROR) else piece.value)


def function_name(text: str) -> str:
    """Return the upper-case name of a function as the reference lists it, without file prefix and bracket."""
    name = text.rstrip("(").strip()
    for prefix in PREFIXES:
        if name.lower().startswith(prefix):
            name = name[len(prefix) :]
    return name.upper()
