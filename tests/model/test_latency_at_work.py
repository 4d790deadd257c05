"""The latency limit of users counts wherever some of them work, and "everything" includes a scheduled load."""

from collections.abc import Mapping

import pytest

from tests.support.answers import answers, numbers
from tests.support.input_sets import Value
from tests.support.shipped import reference, reference_cells

BUILT = reference()
CELLS = reference_cells()
SCAN: dict[str, Value] = {
    "desktops": 2000.0,
    "latency_limit_ms": 1.0,
    "scheduled_ios": 500000.0,
    "scheduled_window_min": 120.0,
    "scheduled_read_ratio": 1.0,
    "scheduled_block_kib": 8.0,
}


def results(design: Mapping[str, Value], *keys: str) -> list[float]:
    return numbers(BUILT, CELLS, dict(design), *keys)


def texts(design: Mapping[str, Value], *keys: str) -> tuple[object, ...]:
    (found,) = answers(BUILT, CELLS, [dict(design)], *keys)
    return found


def test_a_scan_at_noon_keeps_the_limit_of_those_at_work() -> None:
    """By hand: 1 ms over a base of 0.4226 ms allows 0.5774 of the array, 0.95 are planned: 1.645 times the need."""
    night, noon = SCAN, {**SCAN, "scheduled_active_ratio": 0.5}
    assert results(night, "ratio_at_work", "arrays_required") == [0, 2]
    by_iops, within, arrays = results(noon, "ratio_scheduled", "ratio_at_work", "arrays_required")
    assert (within, arrays) == pytest.approx((by_iops * 0.95 / 0.577357, 3), rel=1e-5)
    assert texts(noon, "binding_constraint") == ("Latency of users in other phases",)


@pytest.mark.parametrize("phase", ["boot", "logoff", "patching"])
def test_so_does_every_phase_that_others_work_in(phase: str) -> None:
    alone: dict[str, Value] = {"desktops": 2000.0, "latency_limit_ms": 1.0}
    by_iops, ratio, within = results(
        {**alone, f"{phase}_active_ratio": 0.3}, f"ratio_{phase}", "latency_ratio", "ratio_at_work"
    )
    assert within == pytest.approx(by_iops * ratio)
    assert ratio > 1
    assert results(alone, "ratio_at_work") == [0]


def test_everything_includes_the_scheduled_load() -> None:
    """One controller is left of two: 1.199 arrays of IOPS take 2.398; within a limit of 1 ms, 2.177 take 4.35."""
    kept: dict[str, Value] = {**SCAN, "failover": "yes", "survive_phases": "everything"}
    assert results(kept, "ratio_after_failure", "arrays_required") == pytest.approx([2.398, 3], abs=0.0005)
    assert texts(kept, "binding_constraint") == ("Scheduled load IOPS, after one failure",)
    assert results({**kept, "survive_phases": "users at work"}, "arrays_required") == [2]
    noon = {**kept, "scheduled_active_ratio": 0.5}
    assert results(noon, "ratio_after_failure", "arrays_required") == pytest.approx([4.353, 5], abs=0.0005)


def test_room_and_what_is_assumed_follow_it() -> None:
    """One more desktop takes its share of the limit; an assumed window of the log-off moves what its users wait for."""
    leaving: dict[str, Value] = {"desktops": 2000.0, "latency_limit_ms": 0.6, "logoff_active_ratio": 1.0}
    most, within, arrays = results(leaving, "growing_ratio", "ratio_at_work", "arrays_used")
    assert most == pytest.approx(within)
    assert within <= arrays
    low, used, high = results(leaving, "logoff_high_latency", "ratio_at_work", "logoff_low_latency")
    assert low < used < high
