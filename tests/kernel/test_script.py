"""The JavaScript runtime against the kernel: every case of this folder, then rounding, comparisons, texts at edges."""

from __future__ import annotations

import json
import math
import random
import re
from fractions import Fraction

import pytest

from addin.kernel import Address, Cells, Evaluator, KernelError, parse
from addin.kernel.formula.nodes import Call, walk
from addin.kernel.script import runtime
from addin.kernel.script.program import DEFINED
from tests.support.javascript import computed, node, same

LAZY = {"IF", "CHOOSE", "IFERROR", "IFNA", "ROW", "COLUMN", "ROWS", "COLUMNS"}
FAULTS = {  # what a change in the runtime would break, one line each: planted, and caught below
    "a tie goes up": ('"02468".includes(kept[14])', "false"),
    "ROUNDUP goes down": ('DOWN));\ndefine("TRUNC"', 'UP));\ndefine("TRUNC"'),
    "no 15 digits in ROUNDUP": ("part > far && part < 1 - far", "part > 0"),
    "no last sum": ("compareNumbers(a, b) === 0 && Math.abs(result) < a ? 0", "false ? 0"),
    "a blank counts in MAX": ('if (typeof value === "number") result = step', "if (value !== undefined) result = step"),
    "comparison to the bit": ("if (near && view(left) === view(right)) return 0;", ""),
    "text with case": ("const fold = text => text.toLowerCase();", "const fold = text => text;"),
    "INDEX from 0": ("return area.at(i - 1, j - 1);", "return area.at(i, j - 1);"),
}


def sheet(formulas, values=()):
    cells = {Address("Edges", row, 1): text for row, text in enumerate(formulas, 1)}
    return Cells({**cells, **{Address("Data", row, 1): value for row, value in enumerate(values, 1)}})


def edges(seed=1, count=400):
    """Return formulas at the edges of 15 digits: products whole but for their last bits, halves, neighbours."""
    draw = random.Random(seed)
    made = []
    for _ in range(count):
        whole, share = draw.randint(1, 20000), draw.randint(1, 100)
        number = whole * (share / 100)
        near = draw.choice(
            [number, math.nextafter(number, math.inf), math.nextafter(number, 0), draw.uniform(-1e6, 1e6)]
        )
        places = draw.randint(-3, 6)
        half = (draw.randint(0, 10**6) * 2 + 1) / 2 / 10 ** max(0, places)
        made += [f"={name}({value!r},{places})" for name in ("ROUND", "ROUNDUP", "ROUNDDOWN") for value in (near, half)]
        made += [f"={number!r}{operator}{near!r}" for operator in ("=", "<", ">=", "<>", "-", "+-")]
        made += [f"=({number!r}-{near!r})", f'={near!r}&""', f'=TEXT({near!r},"0")', f'=TEXT({near!r},"#,##0.00")']
        made += [f"=CEILING.MATH(-{near!r},0.1,1)", f"=FLOOR.MATH(-{near!r})"]
        made += [
            f"=CEILING({near!r},0.1)",
            f"=FLOOR({near!r},0.01)",
            f"=CEILING.MATH(-{near!r},0.1,1)",
            f"=INT({near!r})",
            f"=FIXED({near!r},{places})",
        ]
        made += [
            f'=TEXT({draw.random()!r},"0%")',
            f'=TEXT({round(draw.random(), draw.randrange(5))!r},"0.0##")',
            f"=MOD({near!r},{share})",
            f"=NORM.S.DIST({draw.gauss(0, 3)!r},TRUE)",
        ]
    times = ("0:59:99", "24:99", "23:9999", "23:10000", "23:60:9999", "59:99.5", "60:99.5", "23:59.", "1:5", "12:75 PM")
    made += [f'="{time}"+0' for time in times]
    for n in range(20):  # a tie in the 16th digit: Python rounds it to even, JavaScript up
        tie = 10.0**14 + n + 0.5
        made += [f'={tie!r}&""', f"=ROUNDUP({tie!r},0)", f"={tie!r}={tie + 0.25!r}"]
    made += [f"=({n}+0.5)/1024={n}/1024+0.5/1024" for n in range(50)]
    return made


def disagreements(cells, formulas, code=None):
    known, wrong = Evaluator(cells), []
    for formula, value in computed(cells, formulas, code).items():
        if isinstance(value, KernelError):
            continue
        if not same(value, known.value(formula)):
            wrong.append(f"{cells.formula(formula)}: {value!r}, expected {known.value(formula)!r}")
    return wrong


def in_runtime(cases):
    """Return the cases whose functions all have a JavaScript form."""
    known = {*dict(DEFINED.findall(runtime())), *LAZY}
    used = [{node.name for node in walk(parse(case.formula)) if isinstance(node, Call)} for case in cases]
    return [case for case, names in zip(cases, used, strict=True) if names <= known]


def test_every_case_of_the_kernel_has_its_value_in_javascript(cases, case_cells):
    formulas = [Address("Cases", case.row, 1) for case in in_runtime(cases)]
    assert len(formulas) > 300
    assert disagreements(case_cells, formulas) == []


def test_what_is_refused_is_refused_by_name_and_is_no_plain_use(cases, case_cells):
    formulas = [Address("Cases", case.row, 1) for case in cases]
    refused = {at: value for at, value in computed(case_cells, formulas).items() if isinstance(value, KernelError)}
    plain = {Address("Cases", case.row, 1) for case in in_runtime(cases)}
    odd = sorted(case_cells.formula(at) or "" for at in refused if at in plain)
    assert all(re.search(r"TEXT\(|ROWS?\(|COLUMNS?\(|(SUM|AVERAGE)IF\(", text) for text in odd), odd
    assert all(str(error).startswith(at.a1) for at, error in refused.items())


def test_every_function_of_the_runtime_is_tried(cases):
    tried = {node.name for case in in_runtime(cases) for node in walk(parse(case.formula)) if isinstance(node, Call)}
    assert set(dict(DEFINED.findall(runtime()))) <= tried


@pytest.mark.slow
def test_rounding_comparisons_and_texts_agree_at_the_edges_of_15_digits():
    cells = sheet(edges())
    assert disagreements(cells, list(cells.values)) == []


def powers(code):
    """Return how many of random whole powers a runtime rounds otherwise than the exact number."""
    draw = random.Random(1)
    cases = [(draw.choice([draw.uniform(1, 1.3), draw.uniform(-50, 50)]), draw.randint(2, 20)) for _ in range(2000)]
    told = node(f"{code}\nprocess.stdout.write(JSON.stringify({json.dumps(cases)}.map(([a, n]) => power(a, n))));")
    exact = (float(Fraction(base) ** exponent) for base, exponent in cases)
    return sum(float(value) != wanted for value, wanted in zip(told, exact, strict=True))


def test_whole_powers_are_right_to_the_last_digit_and_the_browsers_own_are_not():
    assert powers(runtime()) == 0
    assert powers(runtime().replace("wholePower(base, exponent) : ", "plain : ")) > 50


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_caught(fault, cases, case_cells):
    right, wrong = FAULTS[fault]
    assert runtime().count(right) == 1, f"the runtime no longer says {right!r}"
    code = runtime().replace(right, wrong)
    cells = sheet(edges(count=60))
    formulas = [Address("Cases", case.row, 1) for case in in_runtime(cases)]
    assert disagreements(case_cells, formulas, code) or disagreements(cells, list(cells.values), code)
