"""The 15-digit view, checked against decimal arithmetic and as properties."""

from __future__ import annotations

import decimal
import math
from decimal import Decimal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from addin.kernel import Address, Cells, Evaluator, ExcelError
from addin.kernel.excel.rounding import ceiling, compare, floor, round_down, round_half_away, round_up, view
from addin.kernel.excel.values import number_text

FAST = settings(max_examples=200, deadline=None)
ordinary = st.floats(min_value=-1e12, max_value=1e12, allow_nan=False)


@pytest.mark.parametrize("share", [7, 29, 35, 57, 58, 69, 82])
def test_whole_products_are_not_rounded_up(share):
    """`ceil` is wrong for some of these by one: 1 to 20,000 users times a share in per cent."""
    users = range(100, 20001, 100)
    assert [round_up(n * (share / 100), 0) for n in users] == [n * share // 100 for n in users]


@FAST
@given(st.integers(-(10**9), 10**9), st.integers(0, 6), st.integers(0, 4))
def test_rounding_of_short_decimals_is_that_of_decimal_arithmetic(units, places, digits):
    exact = Decimal(units).scaleb(-places)
    step = Decimal(1).scaleb(-digits)
    number = float(exact)
    assert round_half_away(number, digits) == float(exact.quantize(step, decimal.ROUND_HALF_UP))
    assert round_up(number, digits) == float(exact.quantize(step, decimal.ROUND_UP))
    assert round_down(number, digits) == float(exact.quantize(step, decimal.ROUND_DOWN))


@FAST
@given(ordinary)
def test_the_view_is_stable_and_near(number):
    assert view(view(number)) == view(number)
    assert abs(view(number) - number) <= 5.1e-15 * abs(number)


@FAST
@given(ordinary, ordinary)
def test_comparison_agrees_with_the_views(left, right):
    seen = view(left), view(right)
    assert compare(left, right) == (seen[0] > seen[1]) - (seen[0] < seen[1])
    assert compare(left, right) == -compare(right, left)


@FAST
@given(st.floats(1e-3, 1e9), st.floats(1e-3, 1e6))
def test_a_ceiling_and_a_floor_hold_the_number_between_them(number, step):
    low, high = floor(number, step), ceiling(number, step)
    slack = 1e-14 * number
    assert low <= number + slack
    assert high >= number - slack
    assert high - low <= step * (1 + 1e-9) + slack


@FAST
@given(ordinary)
def test_a_number_in_text_keeps_15_digits(number):
    assert float(number_text(number)) == view(number)


@FAST
@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=8))
def test_sumproduct_of_products_is_sumproduct_of_columns(numbers):
    values = {Address("S", row, 1): number for row, number in enumerate(numbers, 1)}
    last = len(numbers)
    values[Address("S", 1, 2)] = f"=SUMPRODUCT(A1:A{last},A1:A{last})"
    values[Address("S", 2, 2)] = f"=SUMPRODUCT(A1:A{last}*A1:A{last})"
    values[Address("S", 3, 2)] = f"=SUMSQ(A1:A{last})"
    evaluator = Evaluator(Cells(values))
    results = {evaluator.value(Address("S", row, 2)) for row in (1, 2, 3)}
    assert len(results) == 1


@FAST
@example(-1.0, 2.2250738585e-313)  # its reciprocal is no number
@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(allow_nan=False, allow_infinity=False))
def test_arithmetic_never_leaves_the_numbers_that_excel_knows(left, right):
    cells = {Address("S", 1, 1): left, Address("S", 2, 1): right}
    for row, operator in enumerate("+-*/^", 1):
        cells[Address("S", row, 2)] = f"=A1{operator}A2"
    evaluator = Evaluator(Cells(cells))
    for row in range(1, 6):
        result = evaluator.value(Address("S", row, 2))
        assert isinstance(result, ExcelError) or (type(result) is float and math.isfinite(result))
