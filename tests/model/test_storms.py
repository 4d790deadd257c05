"""Boot, login and other work in time: limits, conservation, monotonicity, closed forms against brute force."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from addin.sizing.result_keys import SIMULATE
from addin.sizing.tables import in_words
from tests.support.answers import DOWN, UP, answers, assert_one_way, changed, number, numbers
from tests.support.arrivals import arrivals
from tests.support.input_sets import EQL, Inputs, Value, own_arrays
from tests.support.shipped import reference, reference_cells

LIMIT = settings(max_examples=40, deadline=None, derandomize=True)
SHAPES = ("uniform", "normal")
PREBOOT_20: Inputs = {
    **EQL,
    "desktops": 630.0,
    "arrays_installed": 1.0,
    "preboot_ratio": 0.2,
    "ondemand_start_rate_per_min": 5.04,  # as EQL's run: 504 desktops in 100 minutes
    "login_window_min": 20.0,
}
THROTTLED: Inputs = {"hosts": 4.0, "host_start_rate_per_min": 2.0}
BUILT = reference()
CELLS = reference_cells()


figures = partial(numbers, BUILT, CELLS)


# ---- limits --------------------------------------------------------------------------------------


def test_without_a_throttle_the_arrays_set_the_boot_time() -> None:
    design: dict[str, Value] = {"start_rate_per_min": 100000.0, "boot_tail_min": 0.0, "arrays_installed": 1.0}
    ((bound,),) = answers(BUILT, CELLS, [design], "boot_bound_by")
    minutes, work, supply, rho = figures(design, "boot_minutes", "boot_ios", "supply_boot", "boot_storm_utilisation")
    assert bound == "Arrays"
    assert minutes == pytest.approx(1500 * work / supply / 60)
    assert rho == pytest.approx(0.95)  # the utilisation cap: a closed system


def test_without_work_only_the_throttle_is_left() -> None:
    design: dict[str, Value] = {"demand_scale_ratio": 0.0, "start_rate_per_min": 100.0, "boot_tail_min": 1.0}
    ((bound, minutes, peak, load),) = answers(
        BUILT, CELLS, [design], "boot_bound_by", "boot_minutes", "login_peak_iops", "boot_served_iops"
    )
    assert (bound, minutes, peak, load) == ("Start throttle", 16, 0, 0)


def test_one_desktop_boots_in_a_start_and_a_tail() -> None:
    minutes, desktops = figures({"desktops": 1.0, "login_duration_s": 1200.0}, "boot_minutes", "login_peak_desktops")
    assert minutes == pytest.approx(1 / 100 + 1)
    assert desktops == pytest.approx(20 / 45)  # a mean: one login of 20 minutes somewhere in 45


TOGETHER: dict[str, Value] = {"start_rate_per_min": 100000.0, "desktops": 1000.0, "boot_tail_min": 4.0}


@pytest.mark.parametrize(("at_once", "boots"), [(1000.0, 1), (500.0, 2), (250.0, 4), (200.0, 5), (5000.0, 1)])
def test_as_many_at_once_as_boot_take_the_time_of_one_boot(at_once: float, boots: int) -> None:
    idle: dict[str, Value] = {**TOGETHER, "demand_scale_ratio": 0.0, "starts_at_once": at_once}
    assert figures(idle, "boot_minutes") == pytest.approx([4 * boots], abs=0.011)  # and the throttle's 0.01


def test_the_time_of_a_boot_grows_by_what_those_at_once_wait_for_the_arrays() -> None:
    """By hand: t = 4 + 250 x I/Os / (60 x supply); 1,000 with 250 at once take 4 t."""
    design: dict[str, Value] = {**TOGETHER, "starts_at_once": 250.0, "arrays_installed": 2.0}
    minutes, work, supply = figures(design, "boot_minutes", "boot_ios", "supply_boot")
    assert minutes == pytest.approx(4 * (4 + 250 * work / (60 * 2 * supply)))
    ((bound,),) = answers(BUILT, CELLS, [design], "boot_bound_by")
    assert bound == "Starts at once"
    fast, slow = ({**design, "boot_tail_min": tail} for tail in (0.001, 4.0))
    ((bound,),) = answers(BUILT, CELLS, [{**fast, "ios_per_boot": 1e6}], "boot_bound_by")
    assert bound == "Arrays"
    # what is asked does not depend on the arrays: 250 at a time through 4 minutes
    assert figures(slow, "boot_asked_iops") == pytest.approx([250 * work / (4 * 60)])


def test_starts_at_once_slower_than_the_throttle_once_arrays_wait_are_what_sets_the_time() -> None:
    """Four batches: the last start is at 3 minutes, the throttle's at 10; with 8 of the arrays it is at 11."""
    design: dict[str, Value] = {
        "desktops": 1000.0,
        "start_rate_per_min": 100.0,
        "boot_tail_min": 1.0,
        "starts_at_once": 250.0,
        "arrays_installed": 1.0,
    }
    (supply,) = figures(design, "supply_boot")
    design["ios_per_boot"] = 8 * 60 * supply / 1000
    ((bound, minutes),) = answers(BUILT, CELLS, [design], "boot_bound_by", "boot_minutes")
    assert bound == "Starts at once"
    assert number(minutes) == pytest.approx(12)


@pytest.mark.parametrize("shape", SHAPES)
def test_in_a_window_of_one_minute_everybody_logs_in_at_once(shape: str) -> None:
    design: dict[str, Value] = {"login_window_min": 1.0, "arrival_shape": shape}
    peak, together, minute, all_at_once = figures(
        design, "login_peak_iops", "login_peak_desktops", "login_peak_minute", "login_busy_iops"
    )
    assert peak == pytest.approx(all_at_once)
    assert together == pytest.approx(1500)
    assert 1 <= minute <= 21


def test_nobody_active_means_no_storm() -> None:
    keys = ("boot_minutes", "boot_minutes_high", "failover_boot_minutes", "login_peak_iops", "boot_served_iops")
    assert figures({"concurrent_ratio": 0.0}, *keys) == [0] * 5


def test_an_array_without_a_boot_figure_is_named_and_left_out() -> None:
    for design in (EQL, {"array": "My array 1"}):
        ((bound, minutes, utilisation),) = answers(
            BUILT, CELLS, [design], "boot_bound_by", "boot_minutes", "boot_storm_utilisation"
        )
        assert (bound, minutes, utilisation) == ("Start throttle; arrays unchecked", 16, 0)


def test_hosts_limit_the_boot_when_they_are_given() -> None:
    ((bound, minutes),) = answers(BUILT, CELLS, [THROTTLED], "boot_bound_by", "boot_minutes")
    assert (bound, minutes) == ("Hosts", 1500 / 8 + 1)


def test_hosts_required_start_the_desktops_when_none_are_given() -> None:
    design: dict[str, Value] = {"host_start_rate_per_min": 2.0}
    hosts, minutes = figures(design, "hosts_required", "boot_hosts_min")
    assert minutes == pytest.approx(1500 / (2 * hosts))


def test_a_lost_controller_slows_the_boot_only_where_the_arrays_bind() -> None:
    fast: dict[str, Value] = {"start_rate_per_min": 100000.0, "boot_tail_min": 0.0, "arrays_installed": 1.0}
    normal, lost = figures(fast, "boot_minutes", "failover_boot_minutes")
    assert lost == pytest.approx(2 * normal)
    bought = {**fast, "failover": "yes"}
    assert figures(bought, "boot_minutes", "failover_boot_minutes") == [normal, lost]  # bought or not
    slow, same = figures({"start_rate_per_min": 10.0}, "boot_minutes", "failover_boot_minutes")
    assert slow == same == 151


def test_a_lost_array_slows_the_boot_of_those_that_hold_its_data() -> None:
    own: dict[str, Value] = {"rating_boot_iops": 50000.0, "failover_kind": "array", "controllers_active": 2.0}
    cells = changed(CELLS, own_arrays(BUILT, [own]))
    fast: dict[str, Value] = {"array": "My array 1", "ios_per_boot": 30000.0, "replicated": "yes"}
    fast |= {"start_rate_per_min": 100000.0, "boot_tail_min": 0.0}
    sets = [{**fast, "arrays_installed": n, "failover": asked} for n in (1.0, 2.0, 4.0) for asked in ("no", "yes")]
    sets.append({**fast, "arrays_installed": 4.0, "replicated": "no"})
    rows = answers(BUILT, cells, sets, "boot_minutes", "failover_boot_minutes")
    whole = 1500 * 30000 / (60 * 50000)
    expected = [(1, None), (1, None), (1 / 2, 1), (1 / 2, 1), (1 / 4, 1 / 3), (1 / 4, 1 / 3), (1 / 4, None)]
    for row, (normal, lost) in zip(rows, expected, strict=True):
        assert row == pytest.approx((whole * normal, whole * lost if lost else -1))
    assert in_words("failover_boot_minutes", "min", -1.0) == "failover unknown"


# ---- conservation --------------------------------------------------------------------------------


@pytest.mark.slow
@LIMIT
@given(
    desktops=st.integers(1, 100_000),
    preboot=st.floats(0, 1),
    rate=st.floats(0.1, 100_000),
    work=st.floats(0, 1e7),
)
def test_starts_and_work_are_conserved(desktops: int, preboot: float, rate: float, work: float) -> None:
    design: dict[str, Value] = {
        "desktops": float(desktops),
        "preboot_ratio": preboot,
        "start_rate_per_min": rate,
        "ios_per_boot": work,
    }
    before, on_demand, effective, minutes, tail, iops = figures(
        design,
        *("boot_desktops", "cold_desktops", "effective_start_rate", "boot_minutes", "boot_tail_min"),
        "boot_served_iops",
    )
    starts = minutes - tail if before else 0.0
    assert before + on_demand == pytest.approx(desktops)
    assert effective * starts == pytest.approx(before, rel=1e-6)
    # the work of a boot comes through its own time at least
    assert iops * max(starts, tail) * 60 == pytest.approx(before * work, rel=1e-6, abs=1e-6)


# ---- monotonicity --------------------------------------------------------------------------------

FIXED: dict[str, Value] = {"arrays_installed": 1.0}
ARRAY_BOUND: dict[str, Value] = {**FIXED, "start_rate_per_min": 5000.0}
NO_MINUTES: Inputs = {"profile": "Medium MCS pooled (ICA 2012)"}  # a peak without minutes: the method gives the work
MONOTONE: list[tuple[str, str, str, list[float], Inputs]] = [
    ("boot_minutes", UP, "desktops", [1, 10, 500, 1500, 3000, 9000, 40000, 100000], FIXED),
    ("boot_minutes", UP, "preboot_ratio", [0, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 1], FIXED),
    ("boot_minutes", UP, "concurrent_ratio", [0, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 1], FIXED),
    ("boot_minutes", UP, "ios_per_boot", [0, 10, 5700, 22000, 30000, 45000, 90000, 1e7], FIXED),
    ("boot_minutes", UP, "demand_scale_ratio", [0, 0.1, 0.5, 1, 2, 4, 8, 10], FIXED),
    ("boot_minutes", UP, "boot_tail_min", [0, 0.5, 1, 2, 5, 10, 100, 600], FIXED),
    ("boot_minutes", DOWN, "start_rate_per_min", [0.1, 1, 10, 100, 150, 200, 750, 100000], FIXED),
    ("boot_minutes", DOWN, "host_start_rate_per_min", [0.01, 0.1, 1, 2, 5, 10, 100, 10000], FIXED),
    ("boot_minutes", DOWN, "hosts", [1, 2, 5, 10, 20, 50, 100, 100000], {**FIXED, **THROTTLED}),
    ("boot_minutes", DOWN, "rho_cap_ratio", [0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 1], ARRAY_BOUND),
    ("boot_minutes", DOWN, "arrays_installed", [1, 2, 3, 4, 5, 10, 100, 1000], ARRAY_BOUND),
    ("login_minutes", UP, "login_window_min", [1, 5, 10, 20, 45, 90, 480, 1440], PREBOOT_20),
    ("login_minutes", DOWN, "preboot_ratio", [0, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 1], PREBOOT_20),
    ("login_minutes", DOWN, "ondemand_start_rate_per_min", [0.01, 0.1, 1, 5, 10, 25, 50, 100000], PREBOOT_20),
    ("login_peak_iops", UP, "desktops", [1, 10, 500, 1500, 3000, 9000, 40000, 100000], FIXED),
    ("login_peak_iops", UP, "concurrent_ratio", [0, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 1], FIXED),
    ("login_peak_iops", UP, "demand_scale_ratio", [0, 0.1, 0.5, 1, 2, 4, 8, 10], FIXED),
    ("login_peak_iops", UP, "ios_per_login", [1, 1000, 6000, 7000, 10000, 20000, 1e5, 1e7], FIXED),
    ("login_peak_iops", UP, "login_duration_s", [1, 30, 120, 600, 1200, 2400, 3000, 28800], FIXED),
    ("login_peak_iops", UP, "login_iops_per_desktop", [0, 1, 5, 6, 10, 20, 100, 10000], FIXED),
    ("login_peak_iops", UP, "steady_iops_per_desktop", [0, 1, 5, 6, 10, 20, 100, 10000], FIXED),
    ("login_peak_iops", DOWN, "login_window_min", [1, 5, 10, 20, 45, 90, 480, 1440], FIXED),
    ("login_peak_iops", UP, "ios_per_boot", [0, 10, 5700, 22000, 30000, 45000, 90000, 1e7], PREBOOT_20),
    ("login_served_iops", UP, "ondemand_start_rate_per_min", [0.01, 0.1, 1, 5, 10, 25, 50, 100000], PREBOOT_20),
    ("login_peak_desktops", UP, "login_duration_s", [1, 30, 120, 600, 1200, 2400, 3000, 28800], FIXED),
    ("login_peak_utilisation", DOWN, "arrays_installed", [1, 2, 3, 4, 5, 10, 100, 1000], FIXED),
    ("patching_minutes", UP, "desktops", [1, 10, 500, 1500, 3000, 9000, 40000, 100000], FIXED),
    ("patching_minutes", UP, "patch_delay_s", [0, 1, 5, 10, 30, 60, 600, 86400], FIXED),
    ("patching_minutes", UP, "patch_tail_min", [0, 1, 5, 10, 35, 60, 600, 1440], FIXED),
    ("patching_minutes", DOWN, "patch_streams", [1, 2, 3, 4, 8, 100, 1500, 10000], FIXED),
]


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(
    ("result", "way", "key", "values", "design"), MONOTONE, ids=[f"{m[0]}-{m[2]}" for m in MONOTONE]
)
def test_results_move_one_way(
    shape: str,
    result: str,
    way: str,
    key: str,
    values: list[float],
    design: Inputs,
) -> None:
    sets = [{**design, "arrival_shape": shape, key: float(value)} for value in values]
    assert_one_way([number(value) for (value,) in answers(BUILT, CELLS, sets, result)], way)


def test_more_work_per_boot_is_a_range_around_the_likely_figure() -> None:
    for design in ({**ARRAY_BOUND, **NO_MINUTES}, {**ARRAY_BOUND, **NO_MINUTES, "provisioning": "PVS"}, NO_MINUTES):
        low, likely, high = figures(design, "boot_minutes_low", "boot_minutes", "boot_minutes_high")
        assert low <= likely <= high


@pytest.mark.slow
@pytest.mark.parametrize("method", ["PVS", "MCS pooled", "Full clone"])
def test_boot_work_follows_the_method_unless_it_is_measured(method: str) -> None:
    """What a simulation draws spreads around the likely figure of the method chosen, and covers its range."""
    design: dict[str, Value] = {**ARRAY_BOUND, **NO_MINUTES, "provisioning": method}
    drawn = next(row for row in BUILT.data.risk if row.input.key == "boot_work_ratio")
    least, most = ({**design, "boot_work_ratio": drawn.cells[end].value} for end in ("minimum", "maximum"))
    low, high = figures(design, "boot_minutes_low", "boot_minutes_high")
    assert figures(least, "boot_minutes")[0] <= low * 1.0001
    assert figures(most, "boot_minutes")[0] >= high * 0.9999
    assert figures({**most, "ios_per_boot": 1000.0}, "boot_minutes") == figures(
        {**least, "ios_per_boot": 1000.0}, "boot_minutes"
    )
    assert "boot_minutes" in SIMULATE


# ---- the login peak against brute force ----------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
@LIMIT
@given(
    window=st.floats(1, 1440),
    busy=st.floats(1, 28800),
    login=st.floats(0, 100),
    steady=st.floats(0, 100),
)
def test_the_peak_and_its_minute_are_those_of_a_fine_search(
    shape: str, window: float, busy: float, login: float, steady: float
) -> None:
    design: dict[str, Value] = {
        "login_window_min": window,
        "login_duration_s": busy,
        "login_iops_per_desktop": login,
        "steady_iops_per_desktop": steady,
        "arrival_shape": shape,
    }
    peak, minute, together = figures(design, "login_peak_iops", "login_peak_minute", "login_peak_desktops")
    come, lag = arrivals(shape, window), busy / 60

    def load(t: np.ndarray) -> np.ndarray:
        return 1500 * (login * (come(t) - come(t - lag)) + steady * come(t - lag))

    grid = np.union1d(np.linspace(0, window + lag, 20001), [lag, window, window + lag])
    assert peak == pytest.approx(load(grid).max(), rel=1e-6, abs=1e-6)
    assert peak == pytest.approx(float(load(np.array([minute]))[0]), rel=1e-9, abs=1e-6)
    assert together == pytest.approx(1500 * (come(grid) - come(grid - lag)).max(), rel=1e-6)


def test_normal_arrivals_are_densest_at_2_4_times_even_ones() -> None:
    short: dict[str, Value] = {"login_window_min": 1440.0, "login_duration_s": 1.0}
    rows = answers(BUILT, CELLS, [{**short, "arrival_shape": shape} for shape in SHAPES], "login_peak_desktops")
    (even,), (bell,) = rows
    assert number(bell) / number(even) == pytest.approx(2.4002, abs=1e-4)


def test_the_plateau_is_working_steady_plus_boots_plus_logins() -> None:
    design: dict[str, Value] = {
        **PREBOOT_20,
        "login_duration_s": 1200.0,
        "ios_per_boot": 5700.0,
        "ios_per_login": 13040.0,
    }
    (plateau,) = figures(design, "login_plateau_iops")
    working, steady = 630 - 6.3 * 20, 4500 / 630  # 504 cold desktops at 5.04 a minute: 100 minutes
    assert plateau == pytest.approx(working * steady + 5.04 / 60 * 5700 + 6.3 / 60 * 13040)
