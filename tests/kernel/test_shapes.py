"""A formula parsed by its shape has the tree, or the complaint, that its whole text has without shapes."""

from __future__ import annotations

import random

import pytest

from addin.kernel import ParseError
from addin.kernel.formula import parse as module
from addin.kernel.formula.shapes import MARK, shape

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


def test_every_formula_of_workbook_and_cases_has_the_tree_of_its_text(formulas, monkeypatch):
    assert len(formulas) > 20_000
    assert unequal(formulas, monkeypatch) == []


def test_so_has_what_is_left_of_formulas_that_are_damaged(formulas, monkeypatch):
    draw = random.Random(4)
    one_of_each = [*{shape(text)[0]: text for text in formulas}.values(), *KINDS]
    texts = [damaged(damaged(draw.choice(one_of_each), draw), draw) for _ in range(6000)]
    assert sum(isinstance(outcome(text), str) for text in texts) > 500
    assert sum(not isinstance(outcome(text), str) for text in texts) > 500
    assert unequal(texts, monkeypatch) == []


def test_the_workbook_has_few_shapes(formulas):
    assert len({shape(text)[0] for text in formulas}) < len(formulas) / 10


def test_the_shape_of_a_formula_is_its_text_without_plain_references():
    assert shape("=SUM($A1:B2,'My sheet'!C3)*Rate%") == ("=SUM(\\r,\\r)*Rate%", ["$A1:B2", "'My sheet'!C3"])
    assert shape('="of A1 "&LOG10(2)&T[A1]') == ('="of A1 "&LOG10(2)&T[A1]', [])
