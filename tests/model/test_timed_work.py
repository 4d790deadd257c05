"""Steady work, log-off, patching and provisioning in time: limits, conservation and monotonicity."""

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from addin.sizing.tables import in_words
from tests.support.answers import DOWN, UP, addresses, answers, assert_one_way, changed, number, numbers
from tests.support.input_sets import EQL, Inputs, Value, overrides, own_arrays
from tests.support.recomputed import Evaluator
from tests.support.shipped import errors_raised, reference, reference_cells

LIMIT = settings(max_examples=30, deadline=None, derandomize=True)
BUILT = reference()
RATED: dict[str, Value] = {  # an array of the user's own that serves these IOPS, whatever the mix
    **{f"rating_{phase}_iops": 20000.0 for phase in ("provisioning", "logoff", "patching", "steady")},
    "usable_gib": 10000.0,
    "controllers_active": 2.0,
    "failover_kind": "array",
}
CELLS = changed(reference_cells(), own_arrays(BUILT, [RATED]))
OWN: dict[str, Value] = {"array": "My array 1", "arrays_installed": 1.0}
K2: dict[str, Value] = {
    "desktops": 750.0,
    "array": "Kaminario K2 (one K-Block)",
    "profile": "Office worker MCS + PvD (K2)",
    "provisioning": "MCS + Personal vDisk",
    "logoff_window_min": 1.5,
}
MINUTES = ("provisioning_minutes", "logoff_minutes", "patching_minutes")
LOADS = ("provisioning_served_iops", "logoff_served_iops", "provisioning_peak_iops", "logoff_peak_iops")


figures = partial(numbers, BUILT, CELLS)


# ---- limits --------------------------------------------------------------------------------------


def test_k2_provisions_at_its_rate_and_logs_off_in_its_window() -> None:
    ((bound, minutes, iops, needed),) = answers(
        BUILT,
        CELLS,
        [K2],
        *("provisioning_bound_by", "provisioning_minutes", "provisioning_served_iops", "provisioning_array_min"),
    )
    assert (bound, minutes) == ("Rate", 70)
    assert iops == pytest.approx(31000)
    assert 0 < number(needed) < 50
    assert figures(K2, "logoff_minutes", "logoff_peak_iops") == pytest.approx([1.5, 75000])


def test_without_a_rate_the_arrays_set_the_deployment() -> None:
    design: dict[str, Value] = {**OWN, "provision_rate_per_min": 100000.0, "ios_per_provisioning": 124000.0}
    ((bound, minutes, iops),) = answers(
        BUILT, CELLS, [design], "provisioning_bound_by", "provisioning_minutes", "provisioning_served_iops"
    )
    assert bound == "Arrays"
    assert minutes == pytest.approx(20 + 1500 * 124000 / (60 * 20000))
    assert iops == pytest.approx(20000)


def test_without_work_only_rate_window_streams_and_tail_are_left() -> None:
    design: dict[str, Value] = {**OWN, "demand_scale_ratio": 0.0}
    assert figures(design, *MINUTES, *LOADS) == [120, 30, 160, 0, 0, 0, 0]


def test_an_array_without_supply_figures_is_named_and_sets_no_limit() -> None:
    pooled: dict[str, Value] = {**EQL, "provisioning": "MCS pooled"}  # its image is patched, no desktop: none
    designs: tuple[tuple[dict[str, Value], float], ...] = (({"array": "My array 2"}, 160), (pooled, -2))
    for design, patching in designs:
        ((bound, *minutes),) = answers(BUILT, CELLS, [design], "provisioning_bound_by", *MINUTES)
        assert bound == "Rate; arrays unchecked"
        assert minutes == [120, 30, patching]


def test_one_desktop_takes_a_minute_at_least() -> None:
    """Rates are counted by the minute: one desktop asked for the IOPS of a whole minute's, and needed seven arrays."""
    alone = {**OWN, "desktops": 1.0, "patch_tail_min": 0.0, "patch_delay_s": 0.0}
    assert figures(alone, *MINUTES) == [20 + 1, 30, 1]
    assert figures(alone, "provisioning_iops", "patching_iops") == pytest.approx([124000 / 60, 200812.8 / 60], rel=1e-5)


def test_nobody_active_logs_off_without_load() -> None:
    keys = ("logoff_served_iops", "steady_ios_per_day", "steady_written_gib", "usable_written_ratio")
    assert figures({**OWN, "concurrent_ratio": 0.0, "ios_per_logoff": 9000.0}, *keys) == [0] * 4


def test_usable_capacity_nobody_knows_gives_no_ratio() -> None:
    written, ratio = figures(K2, "steady_written_gib", "usable_written_ratio")
    assert written > 0
    assert ratio == -1  # not published


def test_a_desktop_that_copies_no_disk_asks_for_nothing() -> None:
    assert figures({**OWN, "provisioning": "PVS"}, "provisioning_array_min", "patching_array_min") == [0, 0]


def test_a_lost_array_slows_what_the_arrays_bind() -> None:
    busy: dict[str, Value] = {**OWN, "arrays_installed": 2.0, "replicated": "yes", "ios_per_logoff": 90000.0}
    busy |= {"provision_rate_per_min": 100000.0, "provision_preparation_min": 0.0, "patch_delay_s": 0.0}
    busy |= {"patch_tail_min": 0.0, "logoff_window_min": 0.1}
    after = [f"failover_{key}" for key in MINUTES]
    for asked in ("no", "yes"):  # bought or not
        whole, left = (figures({**busy, "failover": asked}, *keys) for keys in (MINUTES, after))
        assert left == pytest.approx([2 * minutes for minutes in whole])


# ---- conservation --------------------------------------------------------------------------------


@pytest.mark.slow
@LIMIT
@given(
    desktops=st.integers(1, 100_000),
    rate=st.floats(0.01, 100_000),
    preparation=st.floats(0, 10_000),
    provisioning=st.floats(0, 1e7),
    logoff=st.floats(1e-3, 1e7),
    window=st.floats(0.1, 1440),
)
def test_work_is_iops_over_time_and_desktops_are_rate_over_time(
    desktops: int, rate: float, preparation: float, provisioning: float, logoff: float, window: float
) -> None:
    design: dict[str, Value] = {
        **OWN,
        "desktops": float(desktops),
        "provision_rate_per_min": rate,
        "provision_preparation_min": preparation,
        "ios_per_provisioning": provisioning,
        "ios_per_logoff": logoff,
        "logoff_window_min": window,
    }
    ((bound, *rest),) = answers(
        BUILT,
        CELLS,
        [design],
        *("provisioning_bound_by", "provisioning_minutes", "provisioning_array_min", "provisioning_served_iops"),
        *("logoff_minutes", "logoff_served_iops"),
    )
    minutes, needed, iops, users, load = map(number, rest)
    deployed = minutes - preparation
    assert iops * deployed * 60 == pytest.approx(desktops * provisioning, rel=1e-6, abs=1e-6)
    assert load * users * 60 == pytest.approx(desktops * logoff)
    assert iops <= 20000 * (1 + 1e-9)
    assert load <= 20000 * (1 + 1e-9)
    # never faster than its rate, than the arrays, and than a minute
    assert deployed == pytest.approx(max(desktops / rate, needed, 1), rel=1e-6, abs=1e-6)
    if str(bound).startswith("Rate") and desktops >= rate:
        assert rate * deployed == pytest.approx(desktops, rel=1e-6, abs=1e-6 * rate)


def test_a_day_of_steady_work_is_iops_x_seconds_and_writes_are_its_written_bytes() -> None:
    design: dict[str, Value] = {**OWN, "steady_iops_per_desktop": 5.0, "steady_read_ratio": 0.25}
    design |= {"steady_block_kib": 16.0, "work_hours_per_day": 8.0, "arrays_installed": 2.0}
    ios, written, share = figures(design, "steady_ios_per_day", "steady_written_gib", "usable_written_ratio")
    assert ios == 1500 * 5 * 8 * 3600
    assert written == pytest.approx(ios * 0.75 * 16 / 1024**2)
    assert share == pytest.approx(written / 20000)


# ---- monotonicity --------------------------------------------------------------------------------

BOUND: dict[str, Value] = {
    **OWN,
    "provision_rate_per_min": 100000.0,
    "patch_delay_s": 0.0,
    "ios_per_logoff": 9000.0,
    "logoff_window_min": 1.5,
}
SHARES = [0.0, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0]
COUNTS = [1.0, 10.0, 500.0, 1500.0, 3000.0, 9000.0, 40000.0, 100000.0]
WORK = [0.0, 1.0, 10.0, 1000.0, 10000.0, 1e5, 1e6, 1e7]
MONOTONE: list[tuple[str, str, str, list[float], Inputs]] = [
    ("provisioning_minutes", DOWN, "provision_rate_per_min", [0.01, 0.1, 1, 10, 15, 100, 1000, 100000], OWN),
    ("provisioning_minutes", UP, "provision_preparation_min", [0, 1, 5, 10, 20, 60, 600, 10000], OWN),
    ("provisioning_minutes", UP, "ios_per_provisioning", WORK, OWN),
    ("provisioning_minutes", UP, "desktops", COUNTS, OWN),
    ("provisioning_minutes", DOWN, "arrays_installed", [1, 2, 3, 4, 5, 10, 100, 1000], BOUND),
    ("provisioning_served_iops", UP, "provision_rate_per_min", [0.01, 0.1, 1, 10, 15, 100, 1000, 100000], OWN),
    ("logoff_minutes", UP, "logoff_window_min", [0.1, 1, 1.5, 5, 15, 60, 480, 1440], BOUND),
    ("logoff_minutes", UP, "ios_per_logoff", [1, 10, 100, 1000, 5000, 9000, 1e5, 1e7], OWN),
    ("logoff_minutes", UP, "desktops", COUNTS, BOUND),
    ("logoff_minutes", UP, "concurrent_ratio", SHARES, BOUND),
    ("logoff_minutes", DOWN, "arrays_installed", [1, 2, 3, 4, 5, 10, 100, 1000], BOUND),
    ("logoff_served_iops", DOWN, "logoff_window_min", [0.1, 1, 1.5, 5, 15, 60, 480, 1440], BOUND),
    ("logoff_peak_iops", UP, "burst_ratio", [1, 1.5, 2, 3, 4, 10, 100, 1000], BOUND),
    ("provisioning_peak_iops", UP, "burst_ratio", [1, 1.5, 2, 3, 4, 10, 100, 1000], OWN),
    ("patching_minutes", UP, "ios_per_patch", WORK, OWN),
    ("patching_minutes", DOWN, "arrays_installed", [1, 2, 3, 4, 5, 10, 100, 1000], BOUND),
    ("steady_ios_per_day", UP, "work_hours_per_day", [0, 1, 2, 4, 8, 10, 12, 24], OWN),
    ("steady_written_gib", UP, "work_hours_per_day", [0, 1, 2, 4, 8, 10, 12, 24], OWN),
    ("steady_written_gib", DOWN, "steady_read_ratio", SHARES, OWN),
    ("usable_written_ratio", UP, "desktops", COUNTS, OWN),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("result", "way", "key", "values", "design"), MONOTONE, ids=[f"{m[0]}-{m[2]}" for m in MONOTONE]
)
def test_results_move_one_way(result: str, way: str, key: str, values: list[float], design: Inputs) -> None:
    rows = answers(BUILT, CELLS, [{**design, key: value} for value in values], result)
    assert_one_way([number(value) for (value,) in rows], way)


# ---- a phase that the method does not have -------------------------------------------------------

NONE = {  # method: phases it does not have
    "MCS pooled": ("patching",),
    "Instant clone": ("patching",),
    "PVS": ("patching", "provisioning"),
    "User data share": ("patching", "provisioning", "boot"),
}


@pytest.mark.parametrize("method", NONE)
def test_a_phase_that_the_method_does_not_have_takes_no_minutes_but_says_none(method: str) -> None:
    """None is the code -2 in every row of minutes, before and after a failure, whatever throttle is typed."""
    design: dict[str, Value] = {**OWN, "provisioning": method, "patch_wanted_min": 300.0, "patch_delay_s": 60.0}
    for phase in ("patching", "provisioning", "boot"):
        keys = [f"{phase}_minutes", f"failover_{phase}_minutes"]
        keys += ["boot_minutes_low", "boot_minutes_high", "boot_fastest_minutes"] if phase == "boot" else []
        minutes = numbers(BUILT, CELLS, {**design, "profile": "Medium MCS pooled (ICA 2012)"}, *keys)
        if phase in NONE[method]:
            assert minutes == [-2] * len(keys), phase
            assert {in_words(key, "min", value) for key, value in zip(keys, minutes, strict=True)} == {"none"}
        else:
            assert minutes[0] > 0
            assert minutes[1] == -1, "nobody said what a failure takes away"
            assert in_words(keys[1], "min", minutes[1]) == "failover unknown"
            assert all(value >= 0 for value in minutes[2:]), phase


def test_minutes_none_are_shown_by_number_format_where_they_stand_and_on_summary() -> None:
    for key in ("patching_minutes", "failover_patching_minutes", "boot_minutes", "provisioning_minutes"):
        sheet, cell = BUILT.layout.cell(key)
        assert '[=-2]"none"' in BUILT.workbook[sheet][cell].number_format, key
    links = {"patching_minutes", "boot_minutes"}
    wanted = {"={}!{}".format(*BUILT.layout.cell(key)) for key in links}
    shown = {
        c.value: c.number_format for row in BUILT.workbook["Summary"].iter_rows() for c in row if c.value in wanted
    }
    assert set(shown) == wanted
    assert all('[=-2]"none"' in form for form in shown.values())


def test_own_work_brings_the_minutes_of_a_phase_back() -> None:
    """By hand: 1,500 / 2 x 10 s and a tail of 35 minutes are 160; 1,500 / 15 after 20 are 120."""
    design: dict[str, Value] = {"provisioning": "PVS", "profile": "Medium MCS pooled (ICA 2012)"}
    keys = ("patching_minutes", "provisioning_minutes")
    assert numbers(BUILT, CELLS, design, *keys) == [-2, -2]
    assert numbers(BUILT, CELLS, {**design, "ios_per_patch": 1000.0, "ios_per_provisioning": 1000.0}, *keys) == [
        160,
        120,
    ]
    ((bound,),) = answers(BUILT, CELLS, [design], "provisioning_bound_by")
    assert bound == "none"


@pytest.mark.slow
def test_nothing_counts_with_minutes_that_are_none() -> None:
    design: dict[str, Value] = {"provisioning": "User data share", "profile": "Medium MCS pooled (ICA 2012)"}
    assert numbers(BUILT, CELLS, design, "boot_minutes", "effective_start_rate") == [-2, 0]
    assert answers(BUILT, CELLS, [design], "boot_bound_by") == [("none",)]
    evaluator = Evaluator(CELLS, addresses(overrides(BUILT, [design])))
    assert evaluator.value(errors_raised(BUILT)) == 0


def test_own_iops_without_the_minutes_of_their_run_are_not_checked() -> None:
    design: dict[str, Value] = {"profile": "Knowledge worker W11 MCS (RA-2022 2024)", "provisioning": "MCS pooled"}
    typed: dict[str, Value] = {**design, "patching_iops_per_desktop": 50.0}
    deployed: dict[str, Value] = {**design, "provisioning_iops_per_desktop": 50.0}
    keys = ("constraints_unchecked", "status", "patching_source", "provisioning_source")
    sets = [design, typed, {**typed, "patching_run_min": 60.0}, deployed]
    before, without, full, copied = answers(BUILT, reference_cells(), sets, *keys)
    assert before[0] == full[0] == "none"
    assert "patching demand" in str(without[0])
    assert str(without[1]).startswith("at least")
    assert full[2] == "own IOPS x minutes"
    assert "provisioning demand" in str(copied[0])  # its likely work does not count in place of a measurement
