"""A scheduled load, a scan or a backup: a phase of its own that moves the answer, none while nobody entered one."""

import itertools
from collections.abc import Mapping

import pytest

from addin.kernel import Cells
from tests.support.answers import answers, changed, numbers
from tests.support.input_sets import Value, own_arrays
from tests.support.shipped import built, reference, reference_cells

BUILT = reference()
CELLS = reference_cells()
SCAN: dict[str, Value] = {  # reads that desktops have beside their work
    "desktops": 2000.0,
    "scheduled_ios": 500000.0,
    "scheduled_window_min": 120.0,
    "scheduled_read_ratio": 1.0,
    "scheduled_block_kib": 32.0,
}


def results(design: Mapping[str, Value], *keys: str, cells: Cells = CELLS) -> list[float]:
    return numbers(BUILT, cells, dict(design), *keys)


def texts(design: Mapping[str, Value], *keys: str, cells: Cells = CELLS) -> tuple[object, ...]:
    (found,) = answers(BUILT, cells, [dict(design)], *keys)
    return found


def test_the_load_is_its_ios_over_its_window() -> None:
    """By hand: 2,000 x 500,000 / 7,200 s = 138,889 IOPS of reads; 32 KiB each are 4,551 MB/s."""
    asked, load, moved = results(SCAN, "scheduled_asked_iops", "scheduled_iops", "throughput_scheduled")
    assert (asked, load) == pytest.approx((138888.9, 138888.9), abs=0.05)
    assert moved == pytest.approx(4551.1, abs=0.05)
    # half of the desktops at work meanwhile bring half of the steady load
    steady, more = results({**SCAN, "scheduled_active_ratio": 0.5}, "steady_iops", "scheduled_iops")
    assert more == pytest.approx(asked + steady / 2)
    # 4 GiB in blocks of 64 KiB are 65,536 I/Os; own I/Os go first
    backup: dict[str, Value] = {**SCAN, "scheduled_ios": None, "scheduled_gib": 4.0, "scheduled_block_kib": 64.0}
    assert results(backup, "scheduled_work_ios") == [65536]
    assert results({**backup, "scheduled_ios": 100.0}, "scheduled_work_ios") == [100]
    # a session host is scanned once for all its users
    assert results({**SCAN, "users_per_vm": 20.0}, "scheduled_asked_iops") == pytest.approx([asked / 20])


def test_it_buys_an_array_by_its_iops() -> None:
    """By hand: 138,889 reads of the 0.95 x 121,920 that one AFF8040 may serve: 1.199."""
    ratio, arrays = results(SCAN, "ratio_scheduled", "arrays_required")
    assert (ratio, arrays) == pytest.approx((1.199, 2), abs=0.0005)
    assert texts({**SCAN, "scheduled_block_kib": 8.0}, "binding_constraint") == ("Scheduled load IOPS",)
    without = {key: value for key, value in SCAN.items() if key == "desktops"}
    assert results(without, "arrays_required") == [1]


def test_it_buys_an_array_by_its_throughput() -> None:
    """By hand: 2,000 x 10 GiB in 10 hours are 596.5 MB/s, of an array that moves 400: 1.49."""
    slow: dict[str, Value] = {
        "array_class": "flash",
        "usable_gib": 100000.0,
        "inline_reduction": 1.0,
        "read_equivalent_iops": 1e6,
        "write_weight": 1.0,
        "throughput_mb_s": 5000.0,
    }
    backup: dict[str, Value] = {
        "array": "My array 1",
        "desktops": 2000.0,
        "scheduled_gib": 10.0,
        "scheduled_block_kib": 1024.0,
        "scheduled_read_ratio": 1.0,
    }
    cells = changed(CELLS, own_arrays(BUILT, [slow]))
    day, hour = ({**backup, "scheduled_window_min": minutes} for minutes in (600.0, 60.0))
    assert results(day, "throughput_scheduled", "arrays_required", cells=cells) == pytest.approx([596.5, 1], abs=0.05)
    moved, ratio, arrays = results(hour, "throughput_scheduled", "ratio_throughput", "arrays_required", cells=cells)
    assert moved == pytest.approx(5965.2, abs=0.05)
    assert (ratio, arrays) == pytest.approx((1.193, 2), abs=0.0005)
    assert texts(hour, "binding_constraint", cells=cells) == ("Throughput",)


def test_it_takes_longer_where_the_arrays_do_not_suffice() -> None:
    ratio, minutes, served = results(
        {**SCAN, "arrays_installed": 1.0}, "ratio_scheduled", "scheduled_minutes", "scheduled_served_iops"
    )
    assert minutes == pytest.approx(120 * ratio)
    assert served * minutes == pytest.approx(138888.9 * 120, rel=1e-6)
    assert results({**SCAN, "arrays_installed": 2.0}, "scheduled_minutes") == [120]


def test_after_a_failure_it_counts_where_everything_must_hold() -> None:
    keys = ("arrays_required",)
    assert results({**SCAN, "failover": "yes"}, *keys) == [2]
    assert results({**SCAN, "failover": "yes", "survive_phases": "everything"}, *keys) == [3]  # 1.199 / half: 2.4


def test_nothing_entered_is_none_and_shipped_so() -> None:
    assert results({}, "scheduled_work_ios", "scheduled_iops", "ratio_scheduled", "scheduled_minutes") == [-2] * 4
    assert texts({}, "constraints_unchecked") == ("none",)
    for key in ("scheduled_ios", "scheduled_gib", "scheduled_window_min"):
        assert built().data.input(key).value.value is None
    # a window or a share alone is no load
    alone: dict[str, Value] = {"scheduled_window_min": 60.0, "scheduled_read_ratio": 0.5, "scheduled_block_kib": 8.0}
    assert results(alone, "scheduled_iops") == [-2]


@pytest.mark.parametrize(
    ("blank", "named"),
    [
        ("scheduled_window_min", "scheduled load demand"),
        ("scheduled_read_ratio", "scheduled load read share"),
        ("scheduled_block_kib", "scheduled load block size"),
    ],
)
def test_what_is_missing_of_a_load_that_was_asked_for_is_named(blank: str, named: str) -> None:
    unchecked, status = texts({**SCAN, blank: None}, "constraints_unchecked", "status")
    assert named in str(unchecked)
    assert str(status).startswith("at least")


def test_gib_without_a_block_size_are_missing_not_zero() -> None:
    backup: dict[str, Value] = {**SCAN, "scheduled_ios": None, "scheduled_gib": 4.0, "scheduled_block_kib": None}
    assert results(backup, "scheduled_work_ios", "scheduled_iops") == [-1, -1]
    assert "scheduled load demand" in str(texts(backup, "constraints_unchecked")[0])


def test_an_array_without_a_rating_for_it_says_so() -> None:
    eql: dict[str, Value] = {**SCAN, "array": "My array 1"}
    rated: dict[str, Value] = {"inline_reduction": 1.0, "usable_gib": 50000.0, "throughput_mb_s": 9000.0}
    cells = changed(CELLS, own_arrays(BUILT, [rated]))
    assert "scheduled load, " in str(texts(eql, "constraints_unchecked", cells=cells)[0])
    cells = changed(CELLS, own_arrays(BUILT, [{**rated, "rating_scheduled_iops": 100000.0}]))
    assert results(eql, "ratio_scheduled", cells=cells) == pytest.approx([1.389], abs=0.0005)


UP: dict[str, list[float]] = {
    "scheduled_ios": [0.0, 1.0, 1e3, 1e4, 1e5, 5e5, 1e6, 1e7],
    "desktops": [1.0, 10.0, 100.0, 1000.0, 2000.0, 5000.0, 2e4, 1e5],
    "scheduled_active_ratio": [0.0, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0],
    "scheduled_block_kib": [0.5, 4.0, 8.0, 32.0, 64.0, 256.0, 1024.0, 4096.0],
}
DOWN: dict[str, list[float]] = {
    "scheduled_window_min": [0.1, 1.0, 10.0, 60.0, 120.0, 480.0, 1440.0, 1e4],
    "scheduled_read_ratio": [0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 1.0],
}


@pytest.mark.slow
@pytest.mark.parametrize("key", [*UP, *DOWN])
def test_each_of_its_figures_moves_the_answer_one_way(key: str) -> None:
    values = UP[key] if key in UP else DOWN[key][::-1]
    found = [row[0] for row in answers(BUILT, CELLS, [{**SCAN, key: value} for value in values], "ratio_largest")]
    assert all(a <= b for a, b in itertools.pairwise(found)), found  # type: ignore[operator]
    assert found[0] < found[-1]  # type: ignore[operator]


def test_the_room_left_counts_it() -> None:
    """By hand: 2 arrays serve 231,648 reads, 69.44 of each desktop: 3,335 desktops."""
    fits = results({**SCAN, "arrays_installed": 2.0}, "desktops_at_limit")[0]
    assert results({**SCAN, "arrays_installed": 2.0, "desktops": fits}, "fits") == [1]
    assert results({**SCAN, "arrays_installed": 2.0, "desktops": fits + 1}, "fits") == [0]
