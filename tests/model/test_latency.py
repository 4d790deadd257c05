"""Latency, limits, failures and tiers: figures worked out by hand, limits that answer, nothing that runs backwards."""

import itertools
import math
from collections.abc import Mapping

import numpy as np
import pytest
from scipy.optimize import least_squares

from addin.kernel import Address, Cells, Scalar
from model.reading import latency_fit
from model.reading.facts import FactBook
from model.sheets.catalogue import latency_points
from model.workbook import Built
from tests.support.input_sets import Value, overrides, own_arrays
from tests.support.recomputed import Evaluator

FLASH: dict[str, Value] = {  # S = 1 ms, 10,000 pure reads a second, two controllers
    "array_class": "flash",
    "usable_gib": 50000.0,
    "inline_reduction": 0.0,
    "controllers_active": 2.0,
    "failover_kind": "controller",
    "read_equivalent_iops": 5000.0,
    "write_weight": 2.0,
    "base_latency_ms": 1.0,
    "throughput_mb_s": 1000.0,
}
DRIVES: dict[str, Value] = {
    "array_class": "hybrid",
    "inline_reduction": 0.0,
    "drives": 20.0,
    "drive_iops": 150.0,
    "raid": "RAID 10",
    "tier2_share_ratio": 0.6,
    "tier2_drives": 4.0,
    "tier2_drive_iops": 2000.0,
    "tier2_raid": "RAID 5",
}
LOAD: dict[str, Value] = {  # 1,000 desktops: 4,000 pure reads a second in login and steady work, nothing else
    "array": "My array 1",
    "desktops": 1000.0,
    "boot_iops_per_desktop": 0.0,
    "login_iops_per_desktop": 4.0,
    "login_read_ratio": 1.0,
    "steady_iops_per_desktop": 4.0,
    "steady_read_ratio": 1.0,
    "patching_iops_per_desktop": 0.0,
    "provisioning_iops_per_desktop": 0.0,
    "logoff_iops_per_desktop": 0.0,
}


def sized(
    built: Built, cells: Cells, array: Mapping[str, Value], design: Mapping[str, Value], *keys: str
) -> tuple[Scalar, ...]:
    """Return results of the base design on "My array 1"."""
    typed = {**own_arrays(built, [array]), **overrides(built, [{**LOAD, **design}])}
    evaluator = Evaluator(cells.with_values({Address.from_a1(f"'{s}'!{c}"): v for (s, c), v in typed.items()}))
    return tuple(evaluator.value(Address.from_a1("!".join(built.layout.cell(key)))) for key in keys)


def number(built: Built, cells: Cells, array: Mapping[str, Value], design: Mapping[str, Value], key: str) -> float:
    (value,) = sized(built, cells, array, design, key)
    assert isinstance(value, float), value
    return value


# ---- the curve --------------------------------------------------------------------------------

HAND = [  # R = S / (1 - rho^m), L = 5 ms unless entered; 4,000 of 10,000 IOPS
    ({}, {}, {"steady_latency_ms": 1 / 0.6, "latency_utilisation": 0.8, "ratio_latency": 0.5, "knee_utilisation": 0.5}),
    ({"latency_shape": 2.0}, {}, {"steady_latency_ms": 1 / 0.84, "latency_utilisation": math.sqrt(0.8)}),
    ({"latency_shape": 2.0}, {}, {"knee_utilisation": 1 / math.sqrt(3)}),
    ({}, {"latency_limit_ms": 2.0}, {"latency_utilisation": 0.5, "ratio_latency": 0.8, "arrays_for_latency": 1}),
    ({}, {"latency_limit_ms": 1.25}, {"latency_utilisation": 0.2, "ratio_latency": 2, "arrays_required": 2}),
    ({}, {"failover": "yes"}, {"failover_steady_latency_ms": 5, "ratio_failover": 1, "arrays_required": 1}),
    ({}, {"failover": "yes"}, {"steady_latency_ms": 1 / 0.6, "arrays_normal": 1, "arrays_after_failure": 1}),
    ({}, {}, {"failover_utilisation": 0.8, "failover_latency_ms": 5}),
    ({"controllers_standby": 2.0}, {}, {"failover_utilisation": 0.4, "failover_latency_ms": 1 / 0.6}),
    ({}, {"takeover_factor": 1.25}, {"performance_capacity_used": 0.4, "performance_capacity_takeover": 1}),
    ({}, {"performance_reference": "the knee"}, {"performance_capacity_used": 0.8}),
    ({}, {"performance_reference": "the latency limit"}, {"performance_capacity_used": 0.5}),
    ({}, {"burst_ratio": 2.0}, {"peak_utilisation": 0.8, "peak_phase_utilisation": 0.4}),
    ({}, {}, {"desktops_at_limit": 2000, "headroom_desktops": 1000}),
    ({}, {"failover": "yes"}, {"desktops_at_limit": 1000, "headroom_desktops": 0}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("array", "design", "expected"), HAND)
def test_worked_by_hand(
    built: Built, cells: Cells, array: dict[str, Value], design: dict[str, Value], expected: dict[str, float]
) -> None:
    assert sized(built, cells, {**FLASH, **array}, design, *expected) == pytest.approx(tuple(expected.values()))


POINTS = [  # points of the user's own: (IOPS, read share, ms); S in ms
    ([(5000.0, 1.0, 2.0)], 1.0),  # half used: R = 2 S
    ([(5000.0, 1.0, 2.0), (8000.0, 1.0, 4.0)], math.sqrt(1.0 * 0.8)),  # the mean in logs
    ([(2500.0, 0.0, 2.0)], 1.0),  # a write weighs two reads
    ([(5000.0, 1.0, 2.0), (12000.0, 1.0, 9.0)], 1.0),  # beyond the capacity: does not count
    ([], 0.0),
]


@pytest.mark.parametrize(("points", "expected"), POINTS)
def test_base_latency_of_own_points(
    built: Built, cells: Cells, points: list[tuple[float, float, float]], expected: float
) -> None:
    array: dict[str, Value] = {**FLASH, "base_latency_ms": None}
    for n, (iops, reads, ms) in enumerate(points, 1):
        array |= {f"point_{n}_iops": iops, f"point_{n}_read_ratio": reads, f"point_{n}_ms": ms}
    assert number(built, cells, array, {}, "base_latency_ms") == pytest.approx(expected)
    assert number(built, cells, {**array, "base_latency_ms": 7.0}, {}, "base_latency_ms") == 7
    assert number(built, cells, {**array, "read_equivalent_iops": None}, {}, "base_latency_ms") == 0


# ---- limits answer, never with an error value ---------------------------------------------------


@pytest.mark.parametrize("limit", [0.01, 0.5, 1.0])
def test_a_limit_below_the_base_latency_is_named(built: Built, cells: Cells, limit: float) -> None:
    keys = ("status", "latency_limit_below", "ratio_latency", "constraints_unchecked")
    status, below, ratio, unchecked = sized(built, cells, FLASH, {"latency_limit_ms": limit}, *keys)
    assert "latency limit below the base latency" in str(status)
    assert (below, ratio) == (1, -1)
    assert "latency" in str(unchecked)


def test_no_base_latency_leaves_latency_unchecked(built: Built, cells: Cells) -> None:
    keys = ("status", "steady_latency_ms", "failover_latency_ms", "constraints_unchecked", "ratio_latency")
    figures = sized(built, cells, {**FLASH, "base_latency_ms": None}, {}, *keys)
    assert str(figures[0]).startswith("at least")
    assert figures[1:3] == ("no published latency",) * 2
    assert figures[3:] == ("latency, enter a rating", -1)


def test_no_supply_figure_gives_no_latency(built: Built, cells: Cells) -> None:
    keys = ("steady_latency_ms", "ratio_steady", "desktops_at_limit", "performance_capacity_used")
    bare = {**FLASH, "read_equivalent_iops": None, "usable_gib": None, "throughput_mb_s": None}
    latency_ms, ratio, limit, used = sized(built, cells, bare, {}, *keys)
    assert isinstance(latency_ms, str)
    assert isinstance(used, str)
    assert (ratio, limit) == (-1, 0)


def test_more_than_the_array_can_do_is_saturated(built: Built, cells: Cells) -> None:
    design: dict[str, Value] = {"arrays_installed": 1.0, "desktops": 2500.0}
    assert sized(built, cells, FLASH, design, "steady_latency_ms") == ("saturated",)
    assert str(sized(built, cells, FLASH, design, "status")[0]).startswith("does not fit")


def test_no_work_and_one_desktop_answer(built: Built, cells: Cells) -> None:
    keys = ("steady_latency_ms", "arrays_required", "failover_utilisation", "peak_utilisation")
    assert sized(built, cells, FLASH, {"demand_scale_ratio": 0.0}, *keys) == (1, 1, 0, 0)
    assert number(built, cells, FLASH, {"desktops": 1.0}, "arrays_required") == 1


# ---- failures ----------------------------------------------------------------------------------


def test_a_lost_array_needs_one_more(built: Built, cells: Cells) -> None:
    array: dict[str, Value] = {**FLASH, "failover_kind": "array"}
    design: dict[str, Value] = {"failover": "yes", "desktops": 2500.0}  # 10,000 of 8,000 IOPS within 5 ms
    keys = ("ratio_failover", "arrays_required", "constraints_unchecked")
    counted = {**design, "replicated": "yes, copies counted"}
    assert sized(built, cells, array, counted, *keys) == (2.25, 3, "none")
    uncounted = sized(built, cells, array, {**design, "replicated": "yes"}, *keys, "status")
    assert uncounted[:3] == (2.25, 3, "data copies, enter the figures")
    assert str(uncounted[3]).startswith("at least 3")
    assert sized(built, cells, array, design, *keys) == (-1, 2, "failover: no replica or node to lose, enter one")


def test_a_lost_array_leaves_the_others_busier(built: Built, cells: Cells) -> None:
    array: dict[str, Value] = {**FLASH, "failover_kind": "array"}
    design: dict[str, Value] = {"replicated": "yes", "arrays_installed": 4.0, "desktops": 3000.0}
    keys = ("peak_phase_utilisation", "failover_utilisation", "failover_latency_ms")
    assert sized(built, cells, array, design, *keys) == pytest.approx((0.3, 0.4, 1 / 0.6))
    asked = {**design, "failover": "yes"}  # what is bought changes neither
    assert sized(built, cells, array, asked, *keys) == pytest.approx((0.3, 0.4, 1 / 0.6))
    alone = {**asked, "arrays_installed": 1.0}
    assert sized(built, cells, array, alone, "fits", "desktops_at_limit") == (0, 0)


def test_no_failover_is_said(built: Built, cells: Cells) -> None:
    for missing, array in (
        ("replica or node to lose", {**FLASH, "failover_kind": "none"}),
        ("second controller", {**FLASH, "controllers_active": None}),
    ):
        figures = sized(built, cells, array, {"failover": "yes"}, "failover_latency_ms", "constraints_unchecked")
        assert figures == ("failover unknown", f"failover: no {missing}, enter one")


# ---- drives in two tiers, caches -----------------------------------------------------------------

TIERS = [  # share of the second tier, supply of a mix of half reads, by hand: raw / (share x cost)
    (None, 3000 / 1.5),  # RAID 10: 0.5 + 0.5 x 2
    (0.6, 3000 / (0.4 * 1.5)),  # 5,000: the first tier is full before 8000 / (0.6 x 2.5) = 5,333
    (0.8, 8000 / (0.8 * 2.5)),  # 4,000: RAID 5: 0.5 + 0.5 x 4
]


@pytest.mark.parametrize(("share", "expected"), TIERS)
def test_the_fuller_tier_limits(built: Built, cells: Cells, share: float | None, expected: float) -> None:
    array = {**DRIVES, "tier2_share_ratio": share}
    supply = number(built, cells, array, {"steady_read_ratio": 0.5}, "supply_steady")
    assert supply == pytest.approx(expected)


def test_a_tier_without_drives_is_no_supply(built: Built, cells: Cells) -> None:
    assert sized(built, cells, {**DRIVES, "tier2_drives": None}, {}, "supply_steady", "ratio_steady") == (0, -1)


def test_a_rating_goes_before_drives(built: Built, cells: Cells) -> None:
    assert number(built, cells, {**DRIVES, "rating_steady_iops": 1234.0}, {}, "supply_steady") == 1234


def test_an_image_in_the_memory_of_the_pvs_server_is_read_there(built: Built, cells: Cells) -> None:
    pvs: dict[str, Value] = {"provisioning": "PVS", "image_gib": 25.0, "login_read_ratio": 0.25}
    for memory, iops in ((0.0, 4000), (16.0, 4000), (25.0, 3000), (64.0, 3000)):
        assert number(built, cells, FLASH, {**pvs, "pvs_server_ram_gib": memory}, "login_iops") == iops
    other: dict[str, Value] = {**pvs, "provisioning": "Full clone", "pvs_server_ram_gib": 64.0}
    assert number(built, cells, FLASH, other, "login_iops") == 4000


def test_a_full_local_disk_falls_back_to_the_array(built: Built, cells: Cells) -> None:
    """By hand: 100 write caches of 1 GiB and the image of 25 GiB must be on the disk of a host."""
    host: dict[str, Value] = {
        "hypervisor": "XenServer",
        "image_gib": 25.0,
        "cache_state": "IntelliCache pooled, warm",
        "desktops_per_host": 100.0,
        "write_cache_gib": 1.0,
        "write_cache_used_ratio": 1.0,
    }
    keys = ("local_disk_short", "login_iops", "local_iops_per_host")
    holds = sized(built, cells, {**FLASH, "local_disk_gib": 125.0, "local_disk_iops": 300.0}, host, *keys)
    assert holds[:2] == pytest.approx((0, 4000 * 2.2 / 1378), rel=1e-3)  # ICA: 1378 to 2.2 with a warm cache
    assert holds[2] == pytest.approx((4000 - 4000 * 2.2 / 1378) / 10, rel=1e-4)
    assert sized(built, cells, {**FLASH, "local_disk_gib": 124.0}, host, *keys) == (1, 4000, 0)
    slow = {**FLASH, "local_disk_gib": 125.0, "local_disk_iops": 300.0}
    assert sized(built, cells, slow, host, "local_iops_short") == (1,)
    assert sized(built, cells, {**slow, "local_disk_iops": 500.0}, host, "local_iops_short") == (0,)


# ---- monotone -----------------------------------------------------------------------------------

FALLS, RISES = -1, 1
MONOTONE = [
    ("latency_limit_ms", [1.1, 1.5, 2, 3, 5, 10, 20, 1000], {"ratio_latency": FALLS, "desktops_at_limit": RISES}),
    ("burst_ratio", [1, 1.5, 2, 5, 10, 1000], {"peak_utilisation": RISES}),
    ("takeover_factor", [0.5, 1, 1.07, 2, 3], {"performance_capacity_takeover": RISES}),
    ("pvs_server_ram_gib", [0, 8, 25, 64], {"login_iops": FALLS, "ratio_login": FALLS}),
    ("desktops", [1, 10, 500, 1000, 1900], {"login_latency_ms": RISES, "failover_utilisation": RISES}),
    ("arrays_installed", [1, 2, 3, 10], {"login_latency_ms": FALLS, "desktops_at_limit": RISES}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("key", "values", "results"), MONOTONE, ids=[key for key, *_ in MONOTONE])
def test_results_move_one_way_with_an_input(
    built: Built, cells: Cells, key: str, values: list[float], results: dict[str, int]
) -> None:
    design: dict[str, Value] = {"provisioning": "PVS", "login_read_ratio": 0.5, "arrays_installed": 2.0}
    rows = [sized(built, cells, FLASH, {**design, key: float(value)}, *results) for value in values]
    for way, column in zip(results.values(), zip(*rows, strict=True), strict=True):
        assert all(way * a <= way * b for a, b in itertools.pairwise(column)), column
        assert column[0] != column[-1]


BETTER = [
    ("base_latency_ms", [0.1, 0.5, 1, 2, 4.9], RISES),
    ("latency_shape", [1, 1.5, 2, 4, 16], FALLS),
    ("read_equivalent_iops", [1000, 5000, 20000], FALLS),
    ("write_weight", [1, 2, 4, 10], RISES),
]


@pytest.mark.slow
@pytest.mark.parametrize(("field", "values", "way"), BETTER, ids=[field for field, *_ in BETTER])
def test_latency_moves_one_way_with_the_array(
    built: Built, cells: Cells, field: str, values: list[float], way: int
) -> None:
    design: dict[str, Value] = {"login_read_ratio": 0.5}
    ratios = [number(built, cells, {**FLASH, field: float(v)}, design, "ratio_latency") for v in values]
    assert all(way * a < way * b for a, b in itertools.pairwise(ratios)), ratios


@pytest.mark.parametrize("design", [{}, {"failover": "yes"}, {"arrays_installed": 3.0}, {"latency_limit_ms": 2.0}])
def test_the_limit_is_where_the_design_stops_to_fit(built: Built, cells: Cells, design: dict[str, Value]) -> None:
    installed = {"arrays_installed": 1.0, **design}
    limit = number(built, cells, FLASH, installed, "desktops_at_limit")
    assert number(built, cells, FLASH, {**installed, "desktops": limit}, "fits") == 1
    assert number(built, cells, FLASH, {**installed, "desktops": limit + 1}, "fits") == 0


# ---- published points ----------------------------------------------------------------------------

CURVE = [  # the fit of four and what it says of three, percent
    ("A01", -35), ("A02", 24), ("A03", 10), ("A04", 13), ("A05", -4.6), ("A06", 11.2), ("A07", -8.9),
    ("K01", -13.2), ("K02", 15.2),
    ("C01", 0), ("C03", 0),  # S and capacity come from these two
]  # fmt: skip


@pytest.mark.parametrize(("point", "percent"), CURVE, ids=[point for point, _ in CURVE])
def test_the_curve_misses_printed_latencies_by_what_the_sheet_says(
    built: Built, cells: Cells, point: str, percent: float
) -> None:
    ratio = Evaluator(cells).value(Address.from_a1("'{}'!{}".format(*_place(built, point, "Curve over printed"))))
    assert isinstance(ratio, float)
    assert 100 * ratio == pytest.approx(percent, abs=0.5)


def test_bounds_hold_but_one(built: Built, cells: Cells) -> None:
    evaluator = Evaluator(cells)
    verdicts = {
        p.id: evaluator.value(Address.from_a1("'{}'!{}".format(*_place(built, p.id, "Verdict"))))
        for p in built.data.points
    }
    bounds = {p.id for p in built.data.points if p.role == "bound"}
    assert {id for id, verdict in verdicts.items() if verdict == "fails"} == {"K03"}
    assert {id for id, verdict in verdicts.items() if verdict == "holds"} == bounds - {"K03"}


def _place(built: Built, point: str, heading: str) -> tuple[str, str]:
    return latency_points.cell(built.data, point, heading)


MEASURED_CURVES = ("NetApp AFF A800", "Huawei Dorado 6000 V3")


def fitted(built: Built, array: str) -> list[tuple[float, float]]:
    points = [p for p in built.data.points if (p.array, p.role) == (array, "fitted")]
    return [(float(p.latency_ms.value or 0), float(p.utilisation.value or 0)) for p in points]


def test_base_latencies_are_those_of_the_fitted_rows(built: Built) -> None:
    """The catalogue's S comes from the rows called fitted and no others."""
    for array in built.data.arrays:
        if "base_latency_ms" in array.values:
            fitted_ms = latency_fit.base_latency(fitted(built, array.name))
            assert array.values["base_latency_ms"].value == pytest.approx(fitted_ms, rel=1e-5), array.name
            shape = latency_fit.shape(fitted(built, array.name))
            assert array.values["latency_shape"].value == pytest.approx(shape, rel=1e-5), array.name
            assert (shape > 1) == (array.name in MEASURED_CURVES)  # a paper prints too few points to bend it


def test_two_points_of_one_curve_give_capacity_and_base_latency(built: Built) -> None:
    """CML: 5 ms at 145,000 IOPS, just under 3.5 ms at 125,000, the same mix and m = 1."""
    busy = (5 - 3.5) / (5 - 3.5 * 125 / 145)
    assert busy == pytest.approx(0.757, abs=5e-4)
    array = next(each for each in built.data.arrays if each.name == "Dell Compellent SC8000")
    assert array.values["base_latency_ms"].value == pytest.approx(5 * (1 - busy), rel=1e-5)  # 1.22 ms
    work = 145000 * (0.2 + 0.8 * 2.7)
    assert array.values["read_equivalent_iops"].value == pytest.approx(work / 2 / busy, rel=1e-5)


def residuals(parameters: np.ndarray, points: list[tuple[float, float]]) -> list[float]:
    base, shape = np.exp(parameters[0]), parameters[1]
    return [math.log(base / (1 - rho**shape) / printed) for printed, rho in points]


TRUE = [(0.4, 1.0), (0.7, 3.0), (0.2, 6.5)]


@pytest.mark.parametrize(("base", "shape"), TRUE)
def test_the_fit_is_that_of_scipy(base: float, shape: float) -> None:
    noise = (1.03, 0.98, 1.01, 0.99, 1.02)
    points = [(n * base / (1 - rho**shape), rho) for n, rho in zip(noise, (0.2, 0.5, 0.7, 0.85, 0.95), strict=True)]
    best = least_squares(residuals, [0.0, 2.0], bounds=([-9, 1], [9, 16]), args=(points,), xtol=1e-14, ftol=1e-14)
    assert latency_fit.shape(points) == pytest.approx(best.x[1], rel=1e-4)
    assert latency_fit.base_latency(points) == pytest.approx(math.exp(best.x[0]), rel=1e-4)


def test_printed_points_want_no_shape_above_one(built: Built) -> None:
    points = fitted(built, "NetApp AFF8040")
    best = least_squares(residuals, [0.0, 2.0], bounds=([-9, 1], [9, 16]), args=(points,))
    assert best.x[1] == pytest.approx(1, abs=1e-4)
    assert math.exp(best.x[0]) == pytest.approx(0.42, abs=0.005)


def test_few_points_tell_no_shape() -> None:
    assert latency_fit.shape([(1 / (1 - rho**3), rho) for rho in (0.3, 0.6, 0.9)]) == 1


def test_the_published_peaks_are_those_printed(built: Built) -> None:
    facts: FactBook = built.data.facts
    for profile, phase, peak, mean in (
        ("Office worker full clone Monday (NTP 2016)", "login", "NTP-171", "NTP-172"),
        ("Office worker full clone Monday (NTP 2016)", "boot", "NTP-148", "NTP-149"),
        ("Office worker MCS + PvD (K2)", "login", "K2-071", "K2-070"),
    ):
        row = next(r for r in built.data.profiles if (r.profile, r.phase) == (profile, phase))
        expected = facts.value(peak, "IOPS") / facts.value(mean, "IOPS")
        assert row.burst_ratio.value == pytest.approx(expected, rel=1e-5)
