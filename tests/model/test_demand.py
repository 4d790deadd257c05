"""Demand is work over time: storm inputs move the answer, what is missing is named, served never exceeds asked."""

import itertools
from collections.abc import Mapping

import pytest
from openpyxl.utils import get_column_letter

from addin.kernel import Address, Cells, Evaluator, Scalar
from model.reading.catalogue import PHASE_FIGURES
from model.sheets.proof import summary
from tests.support.answers import answers, changed
from tests.support.input_sets import Value
from tests.support.shipped import reference, reference_cells

BUILT = reference()
CELLS = reference_cells()
NTP = "Office worker full clone Monday (NTP 2016)"
FAULTS = summary.figure_cells(BUILT.data, BUILT.layout)["served_faults"]
PHASES = tuple(phase.key for phase in BUILT.data.phases)


def results(design: Mapping[str, Value], *keys: str, cells: Cells = CELLS) -> tuple[object, ...]:
    (values,) = answers(BUILT, cells, [dict(design)], *keys)
    return values


# ---- every storm input moves the answer --------------------------------------------------------

COLD: dict[str, Value] = {"preboot_ratio": 0.5, "login_window_min": 20.0, "login_duration_s": 300.0}
SHORT: dict[str, Value] = {"login_duration_s": 600.0, "login_window_min": 60.0}
# input: the figure moved, in which design, from and to what
MOVES: dict[str, tuple[str, dict[str, Value], Value, Value]] = {
    "start_rate_per_min": ("ratio_boot", {}, 100.0, 200.0),
    "host_start_rate_per_min": ("ratio_boot", {"hosts": 10.0}, 1.0, 2.0),
    "ondemand_start_rate_per_min": ("login_minutes", COLD, 5.0, 20.0),  # never what is asked
    "ios_per_boot": ("ratio_boot", {}, 20000.0, 40000.0),
    "preboot_ratio": ("ratio_login", {**COLD, "ondemand_start_rate_per_min": 100.0}, 0.5, 0.9),
    "boot_tail_min": ("ratio_boot", {"starts_at_once": 50.0}, 1.0, 2.0),
    "boot_latency_limit_ms": ("ratio_latency", {"start_rate_per_min": 200.0}, 1.0, 5.0),
    "login_window_min": ("ratio_login", SHORT, 30.0, 60.0),
    "arrival_shape": ("ratio_login", SHORT, "uniform", "normal"),
    "login_duration_s": ("ratio_login", {"login_window_min": 60.0}, 300.0, 1200.0),
    "ios_per_login": ("ratio_login", SHORT, 10000.0, 20000.0),
    "logoff_window_min": ("ratio_logoff", {}, 15.0, 30.0),
    "patch_streams": ("ratio_patching", {}, 2.0, 4.0),
    "patch_delay_s": ("ratio_patching", {}, 10.0, 20.0),
    "patch_tail_min": ("ratio_patching", {}, 35.0, 70.0),
    "ios_per_patch": ("ratio_patching", {}, 100000.0, 200000.0),
    "provision_rate_per_min": ("ratio_provisioning", {}, 15.0, 30.0),
    "operation_rate_per_min": ("ratio_provisioning", {"provision_operation": "recompose"}, 3.7, 12.5),
    "provision_operation": ("ratio_provisioning", {"operation_rate_per_min": 5.0}, "new desktops", "recompose"),
    "ios_per_provisioning": ("ratio_provisioning", {}, 62000.0, 124000.0),
    # means decide the arrays, so the peak over the mean can move its own limit only
    "burst_ratio": ("peak_utilisation", {}, 1.0, 3.0),
    "starts_at_once": ("ratio_boot", {}, 50.0, 200.0),
    "boot_wanted_min": ("ratio_boot", {}, 30.0, 60.0),
    "patch_wanted_min": ("ratio_patching", {}, 200.0, 400.0),
    "provision_wanted_min": ("ratio_provisioning", {}, 200.0, 400.0),
    "boot_active_ratio": ("ratio_boot", {}, 0.0, 1.0),
    "patching_active_ratio": ("ratio_patching", {}, 0.0, 1.0),
    "logoff_active_ratio": ("ratio_logoff", {}, 0.0, 1.0),
    "survive_phases": ("ratio_after_failure", {}, "users at work", "everything"),
}


@pytest.mark.slow
@pytest.mark.parametrize("key", MOVES)
def test_every_storm_input_moves_a_ratio_or_a_limit(key: str) -> None:
    result, design, low, high = MOVES[key]
    first, second = (results({**design, key: value}, result) for value in (low, high))
    assert first != second, (result, first)


# ---- monotone ----------------------------------------------------------------------------------

UP, DOWN = 1, -1
GIVEN: dict[str, Value] = {"hosts": 20.0, "login_duration_s": 900.0, "preboot_ratio": 0.6, "failover": "yes"}
MONOTONE: list[tuple[str, int, list[float]]] = [
    ("start_rate_per_min", UP, [1, 10, 50, 100, 200, 1000, 100000]),
    ("host_start_rate_per_min", UP, [0.1, 0.5, 1, 2, 5, 10, 1000]),
    ("starts_at_once", UP, [1, 10, 50, 100, 500, 100000]),
    ("ondemand_start_rate_per_min", UP, [1, 5, 10, 50, 100, 1000]),
    ("provision_rate_per_min", UP, [0.1, 1, 5, 15, 50, 100000]),
    ("patch_streams", UP, [1, 2, 4, 8, 100, 10000]),
    ("boot_wanted_min", DOWN, [1, 2, 5, 20, 60, 1440]),
    ("patch_wanted_min", DOWN, [1, 60, 200, 400, 10000]),
    ("provision_wanted_min", DOWN, [1, 60, 200, 400, 10000]),
    ("login_window_min", DOWN, [1, 15, 30, 60, 240, 1440]),
    ("logoff_window_min", DOWN, [0.1, 1.5, 15, 60, 1440]),
    ("patch_delay_s", DOWN, [0, 1, 5, 10, 60, 3600]),
    ("desktops", UP, [1, 10, 100, 1000, 3000, 10000, 100000]),
    ("concurrent_ratio", UP, [0, 0.1, 0.5, 0.9, 1]),
    ("boot_active_ratio", UP, [0, 0.3, 1]),
    ("boot_latency_limit_ms", DOWN, [0.5, 1, 2, 5, 20]),
]


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["uniform", "normal"])
@pytest.mark.parametrize("survive", ["users at work", "everything"])
@pytest.mark.parametrize(("key", "way", "values"), MONOTONE, ids=[key for key, *_ in MONOTONE])
def test_slower_rates_longer_minutes_and_fewer_users_never_need_more(
    key: str, way: int, values: list[float], survive: str, shape: str
) -> None:
    design: dict[str, Value] = {**GIVEN, "survive_phases": survive, "arrival_shape": shape}
    sets = [{**design, key: float(value)} for value in values]
    rows = [
        value
        for start in range(0, len(sets), 8)
        for value in answers(BUILT, CELLS, sets[start : start + 8], "ratio_largest")
    ]
    every = [float(value) for (value,) in rows]  # type: ignore[arg-type]
    ordered = every if way == UP else every[::-1]
    assert all(a <= b * (1 + 1e-12) for a, b in itertools.pairwise(ordered)), every


# ---- asked and served --------------------------------------------------------------------------

BUSY: tuple[dict[str, Value], ...] = (
    {},
    {"desktops": 9000.0, "arrays_installed": 1.0, "start_rate_per_min": 2000.0, "patch_delay_s": 1.0},
    {"desktops": 9000.0, "arrays_installed": 1.0, "boot_active_ratio": 1.0, "logoff_window_min": 1.0},
    {"array": "Dell EqualLogic PS6010XVS", "profile": "Task worker PVS (EQL 2012)", "provisioning": "PVS"},
    {"profile": "Medium MCS pooled (ICA 2012)", "provisioning": "MCS pooled"},
)


@pytest.mark.slow
@pytest.mark.parametrize("design", BUSY, ids=str)
@pytest.mark.parametrize("phase", PHASES)
def test_served_is_asked_wherever_the_arrays_suffice_and_never_more(phase: str, design: dict[str, Value]) -> None:
    keys = (f"{phase}_asked_iops", f"{phase}_served_iops", f"failover_{phase}_served_iops", f"ratio_{phase}")
    asked, served, left, ratio, arrays = results(design, *keys, "arrays_used")
    assert left <= served <= asked  # type: ignore[operator]
    if ratio <= arrays:  # type: ignore[operator]
        assert served == asked
    else:
        assert served < asked  # type: ignore[operator]


@pytest.mark.slow
@pytest.mark.parametrize("phase", PHASES)
def test_a_planted_fault_in_what_is_served_is_caught(phase: str) -> None:
    """More than asked, or less although the arrays suffice, in any column: the check counts it."""
    case = "NTP 1500 desktops" if phase in ("boot", "login", "steady", "patching") else "K2 750 desktops"
    sheet, cell = BUILT.layout.cell(f"{phase}_served_iops", case)
    for text in ("*1.01", "*0.99"):
        old = BUILT.workbook[sheet][cell].value
        cells = CELLS.with_formula(Address.from_a1(f"{sheet}!{cell}"), f"=({old[1:]}){text}")
        faults = Evaluator(cells).value(Address.from_a1("!".join(FAULTS)))
        assert faults == 1, (phase, text)
    assert Evaluator(CELLS).value(Address.from_a1("!".join(FAULTS))) == 0


def test_wanted_minutes_slow_no_broker_and_the_book_says_so() -> None:
    design: dict[str, Value] = {"boot_wanted_min": 30.0, "patch_wanted_min": 285.0, "provision_wanted_min": 300.0}
    advice = results(design, "boot_advice", "patching_advice", "provisioning_advice")
    # 1,500 / 30; (285 - 35) x 60 x 2 / 1,500; 1,500 / 300
    assert advice == ("set the start rate to 50 a minute", "set the delay to 20 s", "set the rate to 5 a minute")
    assert results({}, "boot_advice", "patching_advice", "provisioning_advice") == ("no change",) * 3
    minutes, fastest = results(design, "boot_minutes", "boot_fastest_minutes")
    assert (minutes, fastest) == (31, 16)


@pytest.mark.parametrize(
    ("key", "wanted", "advice", "told"),
    [
        ("boot_wanted_min", 10.0, "boot_advice", "set the start rate to 150 a minute"),  # 1,500 / 10; 100 are set
        ("patch_wanted_min", 60.0, "patching_advice", "set the delay to 2 s"),  # (60 - 35) x 60 x 2 / 1,500
        ("provision_wanted_min", 50.0, "provisioning_advice", "set the rate to 30 a minute"),  # 1,500 / 50
    ],
)
def test_wanted_minutes_hurry_no_broker_either_and_an_alert_says_so(
    key: str, wanted: float, advice: str, told: str
) -> None:
    unmet = ("boot_unmet", "patching_unmet", "provisioning_unmet")
    told_of, *flags = results({key: wanted}, advice, *unmet)
    assert (told_of, sum(map(float, map(str, flags)))) == (told, 1)
    assert results({}, *unmet) == (0, 0, 0)


def test_minutes_that_the_start_rate_just_allows_are_met() -> None:
    assert results({"boot_wanted_min": 15.0}, "boot_unmet", "boot_minutes") == (0, 16)


# ---- where the work of a desktop comes from ----------------------------------------------------


def test_own_work_goes_before_own_iops_before_the_profile_before_the_method() -> None:
    keys = ("boot_source", "boot_work_ios", "boot_iops")
    pooled = {"profile": "Medium MCS pooled (ICA 2012)"}  # prints a peak and no minutes
    assert results(pooled, *keys) == ("method, assumed", 30000, 50000)
    source, work, iops = results({}, *keys)
    assert source == "profile's IOPS x minutes"
    assert (work, iops) == pytest.approx((21889.6, 36482.7), rel=1e-4)  # 54,724 IOPS x 10 min / 1,500
    own: dict[str, Value] = {"boot_iops_per_desktop": 20.0}
    assert results(own, *keys) == ("own IOPS x minutes", 12000, 20000)  # the profile's 10 minutes
    assert results({**own, "boot_run_min": 5.0}, *keys) == ("own IOPS x minutes", 6000, 10000)
    assert results({**own, **pooled}, *keys) == ("own IOPS x minutes", -1, -1)  # no minutes: not known, and said so
    assert results({**own, "ios_per_boot": 9000.0}, *keys) == ("own I/Os", 9000, 15000)


def test_a_method_without_such_work_has_none() -> None:
    for method in ("PVS", "MCS pooled"):
        assert results({"provisioning": method}, "patching_iops", "ratio_patching", "unchecked_count") == (-2, -2, 0)
    assert results({"provisioning": "PVS"}, "provisioning_iops") == (-2,)
    assert results({"provisioning": "PVS", "ios_per_patch": 60000.0}, "patching_source") == ("own I/Os",)


def test_a_phase_that_a_test_did_not_run_is_neither_checked_nor_unchecked() -> None:
    for case in BUILT.layout.case_names[8:]:
        evaluator = Evaluator(CELLS)
        for phase in PHASES:
            sheet, cell = BUILT.layout.cell(f"{phase}_iops", case)
            if evaluator.value(Address.from_a1(f"{sheet}!{cell}")) == -3:
                ratio = evaluator.value(Address.from_a1("!".join(BUILT.layout.cell(f"ratio_{phase}", case))))
                named = evaluator.value(Address.from_a1("!".join(BUILT.layout.cell(f"{phase}_missing", case))))
                assert (ratio, named) == (-3, "")
            assert evaluator.value(Address.from_a1(f"{sheet}!{cell}")) not in (-1, -2), (case, phase)


# ---- what is missing is named ------------------------------------------------------------------


def profile_cell(figure: str, phase: str) -> tuple[str, str]:
    block = BUILT.layout.blocks[f"profile:{figure}:{phase}"]
    first = BUILT.data.profile_names().index(NTP) * len(PHASES)
    return block.sheet, f"{get_column_letter(block.first_column)}{block.first_row + first}"


WORDS = {"iops": "demand", "read_ratio": "read share", "block_kib": "block size"}
NAMES = {"steady": "steady", "logoff": "log-off"}
# the method gives the work of these, assumed and named, so their IOPS and minutes leave no hole
ASSUMED = {(figure, phase) for figure in ("iops", "minutes") for phase in ("boot", "patching", "provisioning")}


@pytest.mark.slow
@pytest.mark.parametrize("figure", ["iops", "read_ratio", "block_kib"])
@pytest.mark.parametrize("phase", PHASES)
def test_a_blank_figure_of_the_profile_is_named_and_the_answer_says_at_least(phase: str, figure: str) -> None:
    cells = changed(CELLS, {profile_cell(figure, phase): None})
    named = f"{phase}_source" if ("iops", phase) in ASSUMED else "status"
    status, unchecked, source = results({}, "status", "constraints_unchecked", named, cells=cells)
    if (figure, phase) in ASSUMED:
        assert unchecked == "none"
        assert source == "method, assumed"
        return
    assert str(status).startswith("at least")
    assert f"{NAMES.get(phase, phase)} {WORDS[figure]}" in str(unchecked)


def test_the_shipped_base_has_no_hole() -> None:
    status, unchecked, count = results({}, "status", "constraints_unchecked", "unchecked_count")
    assert (status, unchecked, count) == ("1 array", "none", 0)


def test_a_missing_demand_says_what_it_takes_to_matter() -> None:
    """Log-off unknown: one array serves all writes of 115,824 / 2.708 IOPS, over 1,500 desktops."""
    sheet, row = profile_cell("iops", "logoff")
    keys = ("logoff_break_even_iops", "unchecked_matters", "supply_logoff", "arrays_required")
    limit, words, supply, arrays = results({}, *keys, cells=changed(CELLS, {(sheet, row): None}))
    assert limit == pytest.approx(supply * arrays / 1500)  # type: ignore[operator]
    assert words == f"log-off above {limit:.0f}, IOPS per desktop"
    for change, expected in ((0.99, arrays), (1.01, 2)):
        design = {"logoff_iops_per_desktop": limit * change, "logoff_run_min": 30.0}  # type: ignore[operator]
        assert results(design, "arrays_required") == (expected,)


def test_an_input_below_a_minute_is_refused_at_its_cell() -> None:
    for key in ("boot_wanted_min", "patch_wanted_min", "provision_wanted_min"):
        item = BUILT.data.input(key)
        assert item.minimum == 1
        sheet, place = BUILT.layout.typed(key)
        rules = [rule for rule in BUILT.workbook[sheet].data_validations.dataValidation if place in rule.sqref]
        assert len(rules) == 1
        assert rules[0].showErrorMessage
        assert float(rules[0].formula1) == 1
    assert {f"{phase}_{suffix}" for phase in PHASES for suffix in PHASE_FIGURES} >= {"boot_run_min", "logoff_run_min"}


# ---- after one failure -------------------------------------------------------------------------


def test_counts_before_and_after_a_failure_stand_side_by_side() -> None:
    keys = ("arrays_normal", "arrays_after_failure", "arrays_required")
    for desktops, normal, users, work, everything in ((1500.0, 1, 1, 1, 2), (3000.0, 1, 2, 1, 2)):
        for survive, after in zip(
            ("users at work", "work without the login storm", "everything"), (users, work, everything), strict=True
        ):
            design: dict[str, Value] = {"desktops": desktops, "survive_phases": survive}
            assert results(design, *keys) == (normal, after, normal)
            assert results({**design, "failover": "yes"}, *keys) == (normal, after, after)


def test_what_is_bought_for_a_failure_is_the_ratio_after_it() -> None:
    for survive in ("users at work", "work without the login storm", "everything"):
        bought, after = results({"failover": "yes", "survive_phases": survive}, "ratio_failover", "ratio_after_failure")
        assert bought == after
        assert results({"survive_phases": survive}, "ratio_failover") == (0,)


def test_a_close_call_is_said() -> None:
    """Capacity: 4,987.2 desktops of 17.067 GiB at 8:1 fill one array of 12,517 GiB less 15 %."""
    cases: list[tuple[float, Scalar]] = [
        (3000.0, "no"),
        (4700.0, "2 with 6% more"),
        (4970.0, "2 with less than 1% more"),  # it read 0% more
        (4930.0, "2 with 1% more"),
        (4995.0, "1 with less than 1% less"),
        (5140.0, "1 with 3% less"),
        (7000.0, "no"),
    ]
    for desktops, expected in cases:
        assert results({"desktops": desktops}, "close_call") == (expected,), desktops


# ---- others at work meanwhile -------------------------------------------------------------------

WRITES: dict[str, Value] = {"boot_read_ratio": 1.0, "patching_read_ratio": 1.0, "logoff_read_ratio": 1.0}
ALL_READS: dict[str, Value] = {**WRITES, "scheduled_read_ratio": 1.0, "steady_read_ratio": 0.0}
SCAN: dict[str, Value] = {"scheduled_ios": 20000.0, "scheduled_window_min": 60.0, "scheduled_block_kib": 64.0}


@pytest.mark.parametrize("share", [0.3, 1.0])
@pytest.mark.parametrize("phase", ["boot", "logoff", "patching", "scheduled"])
@pytest.mark.parametrize("place", ["none", "this array"])
def test_a_storm_and_those_at_work_take_what_each_takes_alone(phase: str, share: float, place: str) -> None:
    """Writes of users at work were served as the reads of a boot: shifts around the clock needed too little."""
    design: dict[str, Value] = {**ALL_READS, **SCAN, "container_place": place, "container_gib": 10.0}
    keys = (f"ratio_{phase}", "ratio_steady", f"throughput_{phase}", "throughput_steady")
    alone, steady, moved, moved_steady = results(design, *keys)
    both, _, moved_both, _ = results({**design, f"{phase}_active_ratio": share}, *keys)
    assert both == pytest.approx(alone + share * steady)  # type: ignore[operator]
    assert moved_both == pytest.approx(moved + share * moved_steady)  # type: ignore[operator]


@pytest.mark.parametrize("boot_block", [8.0, 512.0])
@pytest.mark.parametrize("place", ["none", "this array"])
def test_a_boot_on_demand_takes_what_it_takes_before_the_logins(boot_block: float, place: str) -> None:
    """It was served at the read share of logins and moved at their block size: both can be below its own."""
    at_once: dict[str, Value] = {**COLD, "boot_block_kib": boot_block, "login_block_kib": 64.0, "preboot_ratio": 1.0}
    before: dict[str, Value] = {**ALL_READS, **at_once, "container_place": place, "container_gib": 10.0}
    cold = {**before, "preboot_ratio": COLD["preboot_ratio"]}
    keys = ("ratio_boot", "boot_divide_min", "ratio_login", "throughput_boot", "throughput_login")
    boot, minutes, together, moved_boot, moved_together = results(cold, *keys)
    _, _, logins, _, moved_logins = results(before, *keys)
    evenly = minutes / COLD["login_window_min"]  # type: ignore[operator]
    assert together == pytest.approx(logins + boot * evenly)  # type: ignore[operator]
    blocks = max(64.0, boot_block) / boot_block  # smaller ones take nothing off the login's
    assert moved_together == pytest.approx(moved_logins + moved_boot * evenly * blocks)  # type: ignore[operator]
