"""The timeline: its area is the work, its peak is that of Storms and Summary, its steps are means of the arrivals."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.utils import get_column_letter
from scipy.integrate import quad

from addin.kernel import Address
from model.layout.grid import CASE_HEADINGS, FIRST_ROW
from model.sheets.proof import summary
from model.sheets.sizing import timeline
from tests.support.answers import addresses, number
from tests.support.arrivals import arrivals
from tests.support.input_sets import EQL, Value
from tests.support.recomputed import Evaluator
from tests.support.shipped import reference, reference_cells

LIMIT = settings(max_examples=40, deadline=None, derandomize=True)
SHAPES = ("uniform", "normal")
BUILT = reference()
CELLS = reference_cells()


def drawn(case: str, design: dict[str, Value]) -> Evaluator:
    """Return the workbook with a case drawn and some of its inputs changed."""
    layout = BUILT.layout
    new: dict[tuple[str, str], Value] = {layout.typed("timeline_case"): case}
    letter = get_column_letter(layout.column(case))
    for key, value in design.items():
        sheet, row = layout.inputs[key]
        new[layout.typed(key) if case == layout.case_names[0] else (sheet, f"{letter}{row}")] = value
    return Evaluator(CELLS, addresses(new))


def figure(evaluator: Evaluator, key: str) -> float:
    return number(evaluator.value(Address.from_a1("!".join(timeline.card(key)))))


def column(evaluator: Evaluator, key: str) -> list[float]:
    letter = get_column_letter(timeline.series(key))
    column_cells = [Address.from_a1(f"Timeline!{letter}{row}") for row in range(5, timeline.LAST_ROW + 1)]
    return [number(evaluator.value(address)) for address in column_cells]


def shown(evaluator: Evaluator, key: str, case: str) -> float:
    """Return a result of a case on its calculation sheet."""
    return number(evaluator.value(Address.from_a1("{}!{}".format(*BUILT.layout.cell(key, case)))))


CASES = [*CASE_HEADINGS, *(case.name for case in BUILT.data.cases)]
DESIGNS: list[dict[str, Value]] = [
    {},
    {"login_duration_s": 1200.0},
    {"login_duration_s": 1200.0, "preboot_ratio": 0.5, "ios_per_boot": 30000.0},
    {"desktops": 1.0, "login_window_min": 1.0, "login_duration_s": 28800.0},
    {"desktops": 100_000.0, "login_window_min": 1440.0, "login_duration_s": 1.0},
    {"login_window_min": 1.0, "login_duration_s": 30.0, "ios_per_login": 5000.0},
    {"ios_per_login": 1.0, "login_duration_s": 1200.0},  # work asks for more than a login
    {"concurrent_ratio": 0.0},
    {"demand_scale_ratio": 0.0},
    {**EQL, "desktops": 630.0, "preboot_ratio": 0.2, "login_window_min": 20.0, "ios_per_login": 13040.0},
]


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("case", CASES)
def test_every_case_can_be_drawn_and_its_area_is_its_work(case: str, shape: str) -> None:
    evaluator = drawn(case, {"arrival_shape": shape})
    assert evaluator.value(Address.from_a1("!".join(timeline.card("name")))) == case
    assert figure(evaluator, "area_ratio") == pytest.approx(1, abs=1e-9)
    minutes, iops = column(evaluator, "minute"), column(evaluator, "iops")
    assert figure(evaluator, "step_iops") == max(iops)
    step, minute, peak = minutes[1], figure(evaluator, "step_minute"), figure(evaluator, "peak_minute")
    near = iops[min(range(len(minutes)), key=lambda k: abs(minutes[k] - peak))]
    assert abs(minute - peak) <= 2 * step or near > 0.99 * max(iops)  # a flat top has no single minute


def holds(evaluator: Evaluator, case: str) -> None:
    """Hold the timeline's peak against that of Storms, and every step below it."""
    peak, minute = shown(evaluator, "login_peak_iops", case), shown(evaluator, "login_peak_minute", case)
    assert figure(evaluator, "peak_iops") == pytest.approx(peak, rel=1e-9, abs=1e-9)
    assert figure(evaluator, "peak_minute") == pytest.approx(minute, rel=1e-9)
    assert figure(evaluator, "peak_ratio") == pytest.approx(1, abs=1e-9)
    assert 0.97 < figure(evaluator, "step_ratio") < 1 + 1e-9
    # one moment has one utilisation: at the mix that sizing gives the login
    if shown(evaluator, "ratio_login", case) >= 0:  # else the work alone is drawn
        sized = shown(evaluator, "utilisation_login", case) * figure(evaluator, "step_ratio")
        assert figure(evaluator, "peak_utilisation") == pytest.approx(sized, rel=1e-9, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("case", CASES)
def test_the_peak_of_every_case_is_that_of_storms_and_summary(case: str, shape: str) -> None:
    evaluator = drawn(case, {"arrival_shape": shape})
    holds(evaluator, case)
    if case in CASE_HEADINGS:
        keys = [row[0] if isinstance(row, tuple) else "" for row in summary.ROWS]
        letter = get_column_letter(BUILT.layout.column(case))
        cell = evaluator.value(Address.from_a1(f"Summary!{letter}{FIRST_ROW + keys.index('login_iops')}"))
        assert figure(evaluator, "peak_iops") == pytest.approx(cell, rel=1e-9, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("design", DESIGNS, ids=str)
def test_the_peak_of_a_users_own_design_is_that_of_storms(design: dict[str, Value], shape: str) -> None:
    for case in ("Base design", "What-if 3"):
        holds(drawn(case, {**design, "arrival_shape": shape}), case)


@pytest.mark.slow
@LIMIT
@given(
    window=st.floats(1, 1440),
    busy=st.floats(1, 28800),
    desktops=st.integers(1, 100_000),
    login=st.floats(0, 100),
    shape=st.sampled_from(SHAPES),
)
def test_any_design_conserves_its_work_and_shows_its_peak(
    window: float, busy: float, desktops: int, login: float, shape: str
) -> None:
    design: dict[str, Value] = {
        "login_window_min": window,
        "login_duration_s": busy,
        "desktops": float(desktops),
        "login_iops_per_desktop": login,
        "arrival_shape": shape,
    }
    evaluator = drawn("Base design", design)
    assert figure(evaluator, "area_ratio") == pytest.approx(1, abs=1e-8)
    holds(evaluator, "Base design")
    assert column(evaluator, "working")[-1] <= desktops * (1 + 1e-9)
    assert min(column(evaluator, "logging_in")) >= 0


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_steps_are_means_of_arrivals_integrated_by_quadrature(shape: str) -> None:
    evaluator = drawn("Base design", {"arrival_shape": shape, "login_duration_s": 1200.0})
    come, lag, step = arrivals(shape, 45.0), 20.0, 65 / 119
    minutes, working, busy = (column(evaluator, key) for key in ("minute", "working", "logging_in"))
    for k in range(1, 121, 7):
        ends = (step * (k - 1), step * k)
        later = quad(lambda t: float(come(np.array(t - lag))), *ends, points=[20.0])[0] / step
        now = quad(lambda t: float(come(np.array(t))), *ends, points=[45.0])[0] / step
        assert minutes[k] == pytest.approx(step * k)
        assert working[k] == pytest.approx(1500 * later, abs=1e-6)
        assert busy[k] == pytest.approx(1500 * (now - later), abs=1e-6)


@pytest.mark.slow
def test_overload_is_counted_and_no_error() -> None:
    evaluator = drawn("Base design", {"desktops": 50000.0, "arrays_installed": 1.0})
    assert figure(evaluator, "peak_utilisation") > 1
    step, over = figure(evaluator, "step"), sum(value >= 1 for value in column(evaluator, "utilisation"))
    assert figure(evaluator, "overload_minutes") == pytest.approx(over * step)
    assert math.isfinite(figure(evaluator, "peak_iops"))


@pytest.mark.slow
def test_an_unknown_case_draws_the_base_design_and_raises_a_check() -> None:
    new: dict[tuple[str, str], Value] = {BUILT.layout.typed("timeline_case"): "What-if 9"}
    evaluator = Evaluator(CELLS, addresses(new))
    assert evaluator.value(Address.from_a1("!".join(timeline.card("name")))) == "Base design"
    assert evaluator.value(Address.from_a1(CELLS.name("Chk_Master"))) == 1
