"""Formula to tree, against a table typed by hand and against formualizer's parser over all case formulas."""

from __future__ import annotations

import re

import formualizer
import pytest

from addin.kernel import ParseError, parse, show, tokens
from addin.kernel.formula.nodes import Binary, Bool, Call, Cell, ErrorLiteral, Missing, Name, Number, Range, Text, Unary
from addin.kernel.formula.tokens import bracketed

TREES = [
    ("=1", "1"),
    ("=1E3", "1000"),
    ("=1.5e-2", "0.015"),
    ("=.5", "0.5"),
    ("=-2^2", "(^ (- 2) 2)"),
    ("=2^-2", "(^ 2 (- 2))"),
    ("=2^3^2", "(^ (^ 2 3) 2)"),
    ("=-2%", "(- (% 2))"),
    ("=5%%", "(% (% 5))"),
    ("=2%^2", "(^ (% 2) 2)"),
    ("=1+2*3", "(+ 1 (* 2 3))"),
    ("=(1+2)*3", "(* (+ 1 2) 3)"),
    ("=1-2-3", "(- (- 1 2) 3)"),
    ("=8/4/2", "(/ (/ 8 4) 2)"),
    ("=2*3^2", "(* 2 (^ 3 2))"),
    ('=1+1&"x"', '(& (+ 1 1) "x")'),
    ('="a"&1=2', '(= (& "a" 1) 2)'),
    ("=1=2=3", "(= (= 1 2) 3)"),
    ("=1<=2", "(<= 1 2)"),
    ("=1<>-1", "(<> 1 (- 1))"),
    ("=--A1", "(- (- A1))"),
    ("=+A1", "(+ A1)"),
    ("=1--1", "(- 1 (- 1))"),
    ("=A1+-B1%", "(+ A1 (- (% B1)))"),
    ("=$A$1+B$2+$C3", "(+ (+ $A$1 B$2) $C3)"),
    ("=a1:b2", "A1:B2"),
    ("=B2:A1", "A1:B2"),
    ("=B$9:$A1", "$A1:B$9"),
    ("=Sheet1!A1:B2", "Sheet1!A1:B2"),
    ("=Sheet1!A1:Sheet1!B2", "Sheet1!A1:B2"),
    ("='My sheet'!$A$1", "'My sheet'!$A$1"),
    ("='It''s'!A1", "'It''s'!A1"),
    ("='2024'!A1", "'2024'!A1"),
    ("='AB1'!A1", "'AB1'!A1"),
    ("=XFD1048576", "XFD1048576"),
    ("=In_desktops*2", "(* In_desktops 2)"),
    ("=Tax2024rate", "Tax2024rate"),
    ("=LOG10", "LOG10"),
    ("=XFE1", "XFE1"),
    ('="say ""hi"""', '"say ""hi"""'),
    ('=""', '""'),
    ("=TRUE", "TRUE"),
    ("=true()", "TRUE"),
    ("=#N/A", "#N/A"),
    ("=#DIV/0!+1", "(+ #DIV/0! 1)"),
    ("=Sheet1!#REF!", "#REF!"),
    ("=IF(A1,,2)", "(IF A1 _ 2)"),
    ("=IF(A1,1,)", "(IF A1 1 _)"),
    ("=NA()", "(NA)"),
    ("=sum(A1:A3,1)", "(SUM A1:A3 1)"),
    ("=_xlfn.NORM.S.DIST(1,TRUE)", "(NORM.S.DIST 1 TRUE)"),
    ("= SUM( A1 , B1 ) + 1 ", "(+ (SUM A1 B1) 1)"),
    ("=\n1\n+\n2", "(+ 1 2)"),
    ("=SUM((A1:A3))", "(SUM A1:A3)"),
    ("=-(1+2)", "(- (+ 1 2))"),
    ("=(1+2)%", "(% (+ 1 2))"),
    ("=INDEX(A1:B9,MATCH(C1,A1:A9,0),2)", "(INDEX A1:B9 (MATCH C1 A1:A9 0) 2)"),
    ("=SUMPRODUCT((A1:A3>1)*(B1:B3))", "(SUMPRODUCT (* (> A1:A3 1) B1:B3))"),
]

REFUSED = [
    ("=A:A", "whole rows and columns"),
    ("=1:3", "whole rows and columns"),
    ("=Table1[Rating]", "Table columns"),
    ("=[1]Sheet1!A1", "other workbooks"),
    ("=A1:INDEX(A1:A9,3)", "two cells"),
    ("=Sheet1:Sheet3!A1", "not a reference"),
    ("=Sheet1!A1:Sheet2!B2", "spans sheets"),
    ("=INDEX(A1:A9,1):A3", "':A3'"),
    ("=SUM((A1,B1))", "Unions"),
    ("=A1:A3 B1:B3", "Range intersection"),
    ("=SUM({1,2,3})", "Put the numbers into cells"),
    ("={=SUM(A1:A3*2)}", "Use SUMPRODUCT"),
    ("=1+", "the end"),
    ("=1 2", "side by side"),
    ("=(1+2", "')'"),
    ("=1+2)", "Check quotes and brackets"),
    ('="abc', "Check quotes and brackets"),
    ("=SUM(1;2)", "array constant"),
    ("=*2", "a value"),
    ("1+2", "starts with '='"),
    ("=", "a value"),
]


@pytest.mark.parametrize(("formula", "tree"), TREES)
def test_a_formula_has_the_tree_that_excel_gives_it(formula, tree):
    assert show(parse(formula)) == tree


@pytest.mark.parametrize(("formula", "message"), REFUSED)
def test_what_the_grammar_leaves_out_is_refused_with_advice(formula, message):
    with pytest.raises(ParseError, match=re.escape(message)):
        parse(formula)


def test_absolute_marks_and_sheet_are_kept():
    assert parse("='My sheet'!$B7") == Cell("My sheet", 7, 2, row_absolute=False, column_absolute=True)
    assert parse("=B$2:$D9") == Range(Cell(None, 2, 2, row_absolute=True), Cell(None, 9, 4, column_absolute=True))


def test_the_same_text_is_parsed_once():
    assert parse("=A1+B1*C1") is parse("=A1+B1*C1")


@pytest.mark.parametrize(
    ("formula", "whole"), [("=(A1-B1)", True), ("=A1-B1", False), ("=(A1)-(B1)", False), ("=SUM(A1)", False)]
)
def test_brackets_around_the_whole_formula_are_noticed(formula, whole):
    assert bracketed(formula) is whole


def test_tokens_tell_a_sign_from_a_difference():
    assert [(token.kind.value, token.text) for token in tokens("=-A1 - 2%")] == [
        ("prefix", "-"),
        ("operand", "A1"),
        ("infix", "-"),
        ("number", "2"),
        ("postfix", "%"),
        ("end", ""),
    ]


def as_formualizer(node):
    """Return our tree in the shape of formualizer's `to_dict()`."""
    match node:
        case Number(value) | Text(value) | Bool(value):
            return {"node_type": "Literal", "value": value}
        case ErrorLiteral(value):
            return {"node_type": "Literal", "value": value.value}
        case Missing():
            return {"node_type": "Omitted"}
        case Cell() | Range() | Name():
            return {"node_type": "Reference", "reference": show(node).upper()}
        case Unary(operator, operand):
            return {"node_type": "UnaryOp", "operator": operator, "operand": as_formualizer(operand)}
        case Binary(operator, left, right):
            sides = {"left": as_formualizer(left), "right": as_formualizer(right)}
            return {"node_type": "BinaryOp", "operator": operator, **sides}
        case Call(name, args):
            return {"node_type": "Function", "name": name, "args": [as_formualizer(arg) for arg in args]}


def normal(tree):
    """Return formualizer's tree with references in one spelling: upper case, first corner first."""
    if tree["node_type"] == "Reference":
        return {"node_type": "Reference", "reference": show(parse(f"={tree['reference']}")).upper()}
    return {key: normal_part(part) for key, part in tree.items()}


def normal_part(part):
    """Return a branch, a list of branches or a leaf of formualizer's tree."""
    if isinstance(part, list):
        return [normal(item) for item in part]
    return normal(part) if isinstance(part, dict) else part


def test_every_case_formula_has_the_tree_that_formualizer_gives_it(cases):
    wrong = []
    for case in cases:
        tree = normal(formualizer.parse(case.formula).to_dict())
        if as_formualizer(parse(case.formula)) != tree:
            wrong.append(f"{case.formula}: {show(parse(case.formula))}, formualizer {tree}")
    assert not wrong, "\n".join(wrong)
