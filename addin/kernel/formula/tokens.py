"""Pass 1: text -> pieces -> tokens.

Pieces are what openpyxl's Tokenizer makes of a formula, to the last oddity: a test compares them. They are split here
because openpyxl takes longer to load than a design takes to be sized.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

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


class Token(NamedTuple):
    """One token: its kind and its text (a function without `_xlfn.` and bracket, a text without its quotes)."""

    kind: Kind
    text: str


SPACE, BRACE, UNION = "space", "brace", "union"  # pieces that are no tokens: blanks, `{` `}` `;`, a comma of references
Piece = tuple[Kind | str, str]
VALUE_ENDS = {Kind.NUMBER, Kind.TEXT, Kind.BOOL, Kind.ERROR, Kind.OPERAND, Kind.CLOSE, Kind.POSTFIX}
VALUE_STARTS = VALUE_ENDS - {Kind.CLOSE, Kind.POSTFIX} | {Kind.CALL, Kind.OPEN}
_ENDING = ",;}) +-*/^&=><%"  # each ends the operand before it
_PLAIN = re.compile(r"""[^"'\[# \n+\-*/^&=><%{()};,]+""")
_DECIMAL_COMMA = re.compile(r"\d,\d")
_BLANKS = re.compile(r"[ \n]+")
_QUOTED = {quote: re.compile(f"{quote}(?:[^{quote}]|{quote}{quote})*{quote}(?!{quote})") for quote in "\"'"}
_OPERATOR = re.compile(r">=|<=|<>|[-+*/^&=><]")
_MANTISSA = re.compile(r"[1-9](\.[0-9]+)?[Ee]")  # a sign behind it belongs to the number
_ERROR = re.compile(r"#(?:NULL!|DIV/0!|VALUE!|REF!|NAME\?|NUM!|N/A|GETTING_DATA)")


def tokens(text: str) -> tuple[Token, ...]:
    """Split a formula that starts with "=" into tokens, END last.

    Raises ParseError for what the kernel's grammar leaves out: unions, intersections, array constants and
    array-entered formulas.
    """
    if not text.startswith("="):
        raise ParseError(f"'{text}' is not a formula.", "A formula starts with '='.")
    if text.startswith("={="):
        raise ParseError(f"'{text[1:]}' is array-entered.", "Use SUMPRODUCT in an ordinary formula.")
    items: list[Token] = []
    space = False
    for piece in pieces(text):
        if piece[0] is SPACE:
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


def pieces(text: str) -> list[Piece]:
    """Split a formula that starts with "=" into kinds and texts as written; a function keeps its opening bracket.

    Raises ParseError where quotes or brackets do not match.
    """
    found: list[Piece] = []
    closing: list[str] = []  # the brackets that are open
    operand, at = "", 1
    while at < len(text):
        char = text[at]
        if plain := _PLAIN.match(text, at):
            operand, at = operand + plain[0], plain.end()
            continue
        if char in "+-" and _MANTISSA.fullmatch(operand):
            operand, at = operand + char, at + 1
            continue
        if char in _ENDING and operand:
            found.append(_operand(operand))
            operand = ""
        end = at + 1
        if char in " \n":
            found.append((SPACE, char))
            end = _end(_BLANKS.match(text, at), text)
        elif char == "'":
            _require(operand[-1:] in ("", ":"), text)
            end = _end(_QUOTED[char].match(text, at), text)
            operand += text[at:end]
        elif char == '"':
            _require(operand[-1:] in ("", ":"), text)
            end = _end(_QUOTED[char].match(text, at), text)
            found.append(_operand(text[at:end]))
        elif char == "[":
            end = _bracket_end(text, at)
            operand += text[at:end]
        elif char == "#":
            _require(operand[-1:] in ("", "!"), text)
            end = _end(_ERROR.match(text, at), text)
            found.append(_operand(operand + text[at:end]))
            operand = ""
        elif char == "(":
            found.append((Kind.CALL, f"{operand}(") if operand else (Kind.OPEN, char))
            operand = ""
            closing.append(")" if found[-1][0] is Kind.OPEN else "f")
        elif char == "{":
            _require(not operand, text)
            found.append((BRACE, char))
            closing.append("}")
        elif char in ")}":
            _require(bool(closing) and char == closing.pop().replace("f", ")"), text)
            found.append((Kind.CLOSE if char == ")" else BRACE, char))
        elif char == ";":
            found.append((BRACE, char))
        elif char == ",":
            found.append((Kind.COMMA if closing and closing[-1] != ")" else UNION, char))
        elif char == "%":
            found.append((Kind.POSTFIX, char))
        else:
            end = _end(_OPERATOR.match(text, at), text)
            found.append((_sign(found) if char in "+-" else Kind.INFIX, text[at:end]))
        at = end
    return [*found, _operand(operand)] if operand else found


def _require(possible: bool, text: str) -> None:
    if not possible:
        raise ParseError(f"'{text}' cannot be split into tokens.", "Check quotes and brackets.")


def _end(match: re.Match[str] | None, text: str) -> int:
    _require(match is not None, text)
    return match.end() if match else 0


def _bracket_end(text: str, at: int) -> int:
    """Return where a square bracket ends, with those inside."""
    depth = 0
    for match in re.compile(r"[\[\]]").finditer(text, at):
        depth += 1 if match[0] == "[" else -1
        if depth == 0:
            return match.end()
    _require(False, text)
    return at


def _sign(found: list[Piece]) -> Kind:
    """Return what + or - is behind some pieces: between two values, or before one."""
    before = next((piece for piece in reversed(found) if piece[0] is not SPACE), (SPACE, ""))
    return Kind.INFIX if before[0] in VALUE_ENDS or before == (BRACE, "}") else Kind.PREFIX


def _operand(text: str) -> Piece:
    """Return an operand with its kind; a text keeps its quotes."""
    if text.startswith('"'):
        return Kind.TEXT, text
    if text.startswith("#"):
        return Kind.ERROR, text
    if text in ("TRUE", "FALSE"):
        return Kind.BOOL, text
    try:
        float(text)
    except ValueError:
        return Kind.OPERAND, text
    return Kind.NUMBER, text


def _token(piece: Piece, text: str) -> Token:
    kind, written = piece
    if kind is BRACE and "{" not in text:
        raise ParseError(f"'{text}' has '{written}' without an array constant.", "Separate arguments by commas.")
    if kind is BRACE:
        raise ParseError(f"'{text}' holds an array constant.", "Put the numbers into cells and refer to them.")
    if written == "," and not isinstance(kind, Kind) and _DECIMAL_COMMA.search(text):
        raise ParseError(f"'{text}' has a comma between digits.", "Write a decimal point.")
    if not isinstance(kind, Kind):
        raise ParseError(f"'{text}' joins references with '{written}'.", "Unions are not supported: use one range.")
    if kind is Kind.CALL:
        if ":" in written:
            raise ParseError(f"'{text}' computes the end of a range.", "Write a range as two cells, such as A1:B9.")
        return Token(kind, function_name(written))
    if kind is Kind.TEXT:
        return Token(kind, written[1:-1].replace('""', '"'))
    if kind is Kind.OPERAND and written.upper().endswith("#REF!"):
        return Token(Kind.ERROR, "#REF!")
    return Token(kind, written.upper() if kind in (Kind.BOOL, Kind.ERROR) else written)


def function_name(text: str) -> str:
    """Return the upper-case name of a function as the reference lists it, without file prefix and bracket."""
    name = text.rstrip("(").strip()
    for prefix in PREFIXES:
        if name.lower().startswith(prefix):
            name = name[len(prefix) :]
    return name.upper()
