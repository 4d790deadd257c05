"""Every case of cases/*.csv against the scalar evaluator."""

from __future__ import annotations

from addin.kernel import Address, Cells, evaluate_all, parse, safe_functions
from addin.kernel.formula.nodes import Call, walk


def test_every_case_has_the_expected_value(cases, case_cells):
    values = evaluate_all(case_cells)
    wrong = []
    for case in cases:
        value = values[Address("Cases", case.row, 1)]
        if not case.agrees(value, relative=1e-12, absolute=0.0):
            wrong.append(f"cases/{case.file}.csv {case.formula}: {value!r}, expected {case.expected} ({case.source})")
    assert not wrong, "\n".join(wrong)


def test_there_are_at_least_400_cases(cases):
    assert len(cases) >= 400


def test_every_case_names_its_source(cases):
    assert [case.formula for case in cases if not case.source] == []


def test_every_case_that_pins_a_wrong_engine_says_why(cases):
    assert [case.formula for case in cases if (case.formulas_says or case.libreoffice_says) and not case.why] == []


def test_every_safe_function_has_at_least_two_cases(cases):
    used = [node.name for case in cases for node in walk(parse(case.formula)) if isinstance(node, Call)]
    assert [name for name in safe_functions() if used.count(name) < 2] == []


def test_values_do_not_depend_on_the_order_of_evaluation(case_cells):
    backwards = Cells(dict(reversed(case_cells.values.items())), case_cells.names, case_cells.sheets, case_cells.texts)
    assert evaluate_all(backwards) == evaluate_all(case_cells)
