"""A formula parsed by its shape has the tree, or the complaint, that its whole text has; its pieces are openpyxl's."""

from __future__ import annotations

import random

import pytest
from openpyxl.formula.tokenizer import Token, Tokenizer, TokenizerError

from addin.kernel import ParseError
from addin.kernel.formula import parse as module
from addin.kernel.formula.shapes import MARK, shape
from addin.kernel.formula.tokens import BRACE, SPACE, UNION, Kind, pieces

KINDS = [
    "='It''s'!A1+\"a\"\"b\"&'x y'!B2:C3",
    "=1E+5*A1-2.5e-3",
    "=1E+A1",
    "=SUM(A1:B2,Sheet1!$C$3) + T[[#This Row],[a]]",
    "=-A1%+{1,2;3}*#REF!",
    "=Sheet1:Sheet3!A1+[1]S!B2",
    "=A1:INDEX(B1:B9,2)",
    "=IF(A1>=B$2,,LOG10(C3))",
    "=In_x*Sheet1!Name+[0]!n",
    '="A1"&\'"A1\'!B2&"\'"&C3',
    f"=A1+{MARK}",
]
PIECES = [
    *"()+-*/^&=<>,%; \"'![]{}:#$\\.eE1A\n",
    *("A1", "B$2", "1E", "1.5e", "E5", "#REF!", "LOG10", "Sheet1!", "'a b'!", "''", '""', "TRUE", "A1:B2", ":C3"),
    *("[1]", "XFE1", "A1048577", MARK, "_xlfn.", "@"),
]


def outcome(text):
    """Return tree or complaint, parsed anew."""
    try:
        return module.parse.__wrapped__(text)
    except ParseError as error:
        return str(error)


def damaged(text, draw):
    """Return a formula with a piece put in, taken out or put over another."""
    at, how = draw.randint(1, len(text)), draw.random()
    rest = at + (draw.randint(1, 4) if how > 0.5 else 0)
    return text[:at] + (draw.choice(PIECES) if how < 0.8 else "") + text[rest:]


@pytest.fixture(scope="module")
def formulas(cells, cases):
    return list(dict.fromkeys([*(cells.formula(at) for at in cells.formulas()), *(c.formula for c in cases), *KINDS]))


def unequal(texts, monkeypatch):
    by_shape = [outcome(text) for text in texts]
    monkeypatch.setattr(module, "shape", lambda text: (text, []))
    return [text for text, found in zip(texts, by_shape, strict=True) if outcome(text) != found]


OPERANDS = {
    **{Token.TEXT: Kind.TEXT, Token.NUMBER: Kind.NUMBER, Token.LOGICAL: Kind.BOOL, Token.ERROR: Kind.ERROR},
    Token.RANGE: Kind.OPERAND,
}
OPENED = {Token.FUNC: Kind.CALL, Token.PAREN: Kind.OPEN}
PLAIN = {Token.OP_PRE: Kind.PREFIX, Token.OP_POST: Kind.POSTFIX, Token.WSPACE: SPACE, Token.ARRAY: BRACE}


def kind_of(token):
    """Return what a piece is called here that openpyxl calls otherwise."""
    if token.type == Token.OPERAND:
        return OPERANDS[token.subtype]
    if token.type in OPENED:
        return OPENED[token.type] if token.subtype == Token.OPEN else Kind.CLOSE
    if token.type == Token.SEP:
        return Kind.COMMA if token.subtype == Token.ARG else BRACE
    if token.type == Token.OP_IN:
        return UNION if token.value == "," else Kind.INFIX
    return PLAIN[token.type]


def by_openpyxl(text):
    try:
        return [(kind_of(token), token.value) for token in Tokenizer(text).items]
    except (TokenizerError, IndexError):
        return None


def split(text):
    try:
        return pieces(text)
    except ParseError:
        return None


@pytest.fixture(scope="module")
def some_damaged(formulas):
    draw = random.Random(4)
    one_of_each = [*{shape(text)[0]: text for text in formulas}.values(), *KINDS]
    return [damaged(damaged(draw.choice(one_of_each), draw), draw) for _ in range(6000)]


@pytest.mark.slow
def test_every_formula_has_the_pieces_that_openpyxl_gives_it(formulas):
    assert [text for text in formulas if split(text) != by_openpyxl(text)] == []


def test_so_has_one_that_is_damaged(some_damaged):
    assert 500 < sum(by_openpyxl(text) is None for text in some_damaged) < 5500
    assert [text for text in some_damaged if split(text) != by_openpyxl(text)] == []


@pytest.mark.slow
def test_every_formula_of_workbook_and_cases_has_the_tree_of_its_text(formulas, monkeypatch):
    assert len(formulas) > 20_000
    assert unequal(formulas, monkeypatch) == []


@pytest.mark.slow
def test_so_has_what_is_left_of_formulas_that_are_damaged(some_damaged, monkeypatch):
    assert sum(isinstance(outcome(text), str) for text in some_damaged) > 500
    assert sum(not isinstance(outcome(text), str) for text in some_damaged) > 500
    assert unequal(some_damaged, monkeypatch) == []


def test_the_workbook_has_few_shapes(formulas):
    assert len({shape(text)[0] for text in formulas}) < len(formulas) / 10


def test_the_shape_of_a_formula_is_its_text_without_plain_references():
    assert shape("=SUM($A1:B2,'My sheet'!C3)*Rate%") == ("=SUM(\\r,\\r)*Rate%", ["$A1:B2", "'My sheet'!C3"])
    assert shape('="of A1 "&LOG10(2)&T[A1]') == ('="of A1 "&LOG10(2)&T[A1]', [])
