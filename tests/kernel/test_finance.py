"""Rates found by iteration, checked by putting them back."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from addin.kernel import Address, Cells, Evaluator

FAST = settings(max_examples=100, deadline=None)


def computed(formula, numbers=()):
    values = {Address("S", row, 1): float(number) for row, number in enumerate(numbers, 1)}
    values[Address("S", 1, 2)] = formula
    return Evaluator(Cells(values)).value(Address("S", 1, 2))


@FAST
@given(st.floats(0.0001, 0.3), st.integers(2, 360), st.floats(100, 1e6), st.floats(-1e5, 0), st.integers(0, 1))
def test_rate_is_the_inverse_of_pmt(rate, periods, present, future, due):
    payment = computed(f"=PMT({rate!r},{periods},{present!r},{future!r},{due})")
    actual = computed(f"=RATE({periods},{payment!r},{present!r},{future!r},{due})")
    assert abs(actual - rate) <= 1e-8


@FAST
@given(st.floats(1000, 1e6), st.lists(st.floats(0, 1e5), min_size=1, max_size=30))
def test_at_the_internal_rate_the_present_value_is_nothing(spent, gained):
    assume(sum(gained) > 0.05 * spent)
    last = len(gained) + 1
    assert computed(f"=NPV(IRR(A1:A{last}),A2:A{last})/-A1", [-spent, *gained]) == pytest.approx(1, rel=1e-8)


@FAST
@given(st.floats(0.001, 0.2), st.integers(1, 60), st.floats(100, 1e6), st.integers(0, 1))
def test_the_principal_parts_pay_the_loan_back(rate, periods, present, due):
    parts = "+".join(f"PPMT({rate!r},{k},{periods},{present!r},0,{due})" for k in range(1, periods + 1))
    assert abs(computed(f"={parts}") + present) <= 1e-9 * present
