"""Sources as people write sums: what the workbook shows computes to what the data file's expression does."""

import ast
import csv
import math
import operator
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from model.reading.infix import infix

DATA = Path(__file__).parents[2] / "model" / "data"
CALL = re.compile(r"[a-z_]+\(.*\)")
FACT = re.compile(r"[A-Z][A-Z0-9]*-\d+")
ALIKE: dict[str, Callable[..., float]] = {  # what each function does to plain numbers
    "ratio": lambda a, b: a / b,
    "per_desktop": lambda a, b: a / b,
    "block_kib": lambda a, b: a / b,
    "product": lambda *each: math.prod(each),
    "total": lambda *each: sum(each),
    "difference": lambda a, b: a - b,
    "complement": lambda a: 1 - a,
    "one_minus_ratio": lambda a, b: 1 - a / b,
    "number": lambda a: a,
}


OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def computed(text: str) -> float:
    """Return what operators, brackets and the functions above come to."""

    def value(node: ast.AST) -> float:
        if isinstance(node, ast.BinOp):
            return float(OPERATORS[type(node.op)](value(node.left), value(node.right)))
        if isinstance(node, ast.Call):
            return float(ALIKE[str(getattr(node.func, "id", ""))](*map(value, node.args)))
        assert isinstance(node, ast.Constant)
        return float(str(node.value))

    return value(ast.parse(text, mode="eval").body)


def expressions() -> list[str]:
    """Return every expression of the data files that operators alone can show."""
    found: set[str] = set()
    for file in sorted(DATA.glob("*.csv")):
        with file.open(encoding="utf-8-sig", newline="") as rows:
            found.update(cell for row in csv.reader(rows) for cell in row if CALL.fullmatch(cell) and FACT.search(cell))
    return sorted(each for each in found if set(re.findall(r"[a-z_]+(?=\()", each)) <= set(ALIKE))


def test_every_expression_means_what_its_functions_do() -> None:
    """Any figures in place of the facts: a bracket left out, or one too many at the wrong place, moves a result."""
    found = expressions()
    assert len(found) > 100
    for each in found:
        facts = {id_: f"{1.37 + n * 0.91}" for n, id_ in enumerate(dict.fromkeys(FACT.findall(each)))}

        def valued(text: str, facts: dict[str, str] = facts) -> str:
            return FACT.sub(lambda match: facts[match[0]], text)

        shown = valued(infix(each)).replace(" x ", " * ")
        assert computed(shown) == pytest.approx(computed(valued(each)), rel=1e-12), infix(each)


@pytest.mark.parametrize(
    ("expression", "shown"),
    [
        ("ratio(NTP-132,product(NTP-133,NTP-084))", "NTP-132 / (NTP-133 x NTP-084)"),
        ("difference(NTP-221,product(ratio(NTP-004,number(2)),NTP-218))", "NTP-221 - NTP-004 / 2 x NTP-218"),
        (
            "base_latency(K2-049,utilisation(K2-045,block_read_share(boot),number(2.7),K2-050))",
            "base latency (K2-049, utilisation (K2-045, block read share (boot), 2.7, K2-050))",
        ),
        ("block_read_share(boot)", "block_read_share(boot)"),
        ("NTP-132", "NTP-132"),
    ],
)
def test_a_source_is_read_as_a_sum(expression: str, shown: str) -> None:
    assert infix(expression) == shown
