"""Pooled desktops that start anew as users leave: a log-off brings a boot, as fast as the start rate allows."""

import itertools
from collections.abc import Mapping

import pytest

from tests.support.answers import answers, changed, numbers
from tests.support.input_sets import Value
from tests.support.own_rows import own_cells
from tests.support.shipped import reference, reference_cells

BUILT = reference()
CELLS = reference_cells()
POOLED: dict[str, Value] = {
    "desktops": 3000.0,
    "provisioning": "MCS pooled",
    "logoff_window_min": 10.0,
    "ios_per_logoff": 2000.0,
    "ios_per_boot": 30000.0,
    "start_rate_per_min": 100.0,
    "logoff_read_ratio": 0.2,
    "boot_read_ratio": 0.68,
    "logoff_block_kib": 12.0,
    "boot_block_kib": 24.0,
    "ios_per_provisioning": 0.0,
}
ANEW: dict[str, Value] = {**POOLED, "recreate_at_logoff": "yes"}


def results(design: Mapping[str, Value], *keys: str) -> list[float]:
    return numbers(BUILT, CELLS, dict(design), *keys)


def test_a_log_off_brings_a_boot_at_most_at_the_start_rate() -> None:
    """By hand: 300 log-offs a minute are 10,000 IOPS; 100 starts a minute 50,000, and 300 a minute 150,000."""
    keys = ("logoff_asked_iops", "recreate_rate_per_min", "recreate_minutes")
    assert results(POOLED, *keys) == pytest.approx([10000, 0, 0])
    assert results(ANEW, *keys) == pytest.approx([60000, 100, 31])
    assert results({**ANEW, "start_rate_per_min": 1000.0}, *keys) == pytest.approx([160000, 300, 11])
    # and the work of those still there
    steady, asked, load = results(
        {**ANEW, "logoff_active_ratio": 0.5}, "steady_iops", "logoff_asked_iops", "logoff_iops"
    )
    assert (asked, load) == pytest.approx((60000, 60000 + 0.5 * steady))


def test_read_share_and_block_size_are_those_of_both() -> None:
    """By hand: (10,000 x 0.2 + 50,000 x 0.68) / 60,000 = 0.6; (10,000 x 12 + 50,000 x 24) / 60,000 = 22 KiB."""
    read, block, moved = results(ANEW, "logoff_mix_read_ratio", "logoff_mix_block_kib", "throughput_logoff")
    assert (read, block) == pytest.approx((0.6, 22))
    assert moved == pytest.approx(60000 * 22 * 1024 / 1e6)
    assert results(POOLED, "logoff_mix_read_ratio", "logoff_mix_block_kib") == pytest.approx([0.2, 12])
    # containers on the array keep their share of the whole
    here: dict[str, Value] = {"container_place": "this array", "container_gib": 1.0, "container_read_ratio": 0.4}
    part, load, mix = results({**ANEW, **here}, "container_logoff_part", "logoff_iops", "logoff_mix_read_ratio")
    assert load == pytest.approx(60000 + part)
    assert mix == pytest.approx((10000 * 0.2 + 50000 * 0.68 + part * 0.4) / load)


def test_session_hosts_start_anew_once_for_all_their_users() -> None:
    """By hand: 3,000 users of 20 on a host are 150 hosts, 15 a minute: 15 / 60 x 30,000 = 7,500 beside the log-offs."""
    assert results({**ANEW, "users_per_vm": 20.0}, "logoff_asked_iops") == pytest.approx([17500])


def test_starting_anew_buys_an_array() -> None:
    """By hand: 160,000 IOPS at read share 0.65 and w 2.71 are 255,000 of 115,800 that one AFF8040 may serve."""
    fast = {**ANEW, "start_rate_per_min": 300.0, "boot_wanted_min": 100.0}
    calm = {**fast, "recreate_at_logoff": "no"}
    ((binds, many), (_, one)) = answers(BUILT, CELLS, [fast, calm], "binding_constraint", "arrays_required")
    assert (binds, many, one) == ("Log-off IOPS", 3, 1)


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("start_rate_per_min", [1.0, 10.0, 50.0, 100.0, 200.0, 300.0, 400.0, 1000.0]),
        ("ios_per_boot", [0.0, 1.0, 1000.0, 10000.0, 30000.0, 50000.0, 1e5, 1e6]),
        ("desktops", [1.0, 10.0, 100.0, 500.0, 1000.0, 3000.0, 9000.0, 50000.0]),
    ],
)
def test_more_of_it_never_asks_for_less(key: str, values: list[float]) -> None:
    found = [row[0] for row in answers(BUILT, CELLS, [{**ANEW, key: value} for value in values], "ratio_logoff")]
    assert all(a <= b for a, b in itertools.pairwise(found)), found  # type: ignore[operator]
    assert found[0] < found[-1]  # type: ignore[operator]


def test_a_boot_that_nobody_knows_leaves_the_log_off_missing_by_name() -> None:
    missing = changed(CELLS, {BUILT.layout.cell("boot_work_ios"): -1.0})
    ((asked, unchecked),) = answers(BUILT, missing, [ANEW], "logoff_asked_iops", "unchecked_phases")
    assert asked == -1
    assert "log-off demand" in str(unchecked)
    assert numbers(BUILT, missing, POOLED, "logoff_asked_iops") == pytest.approx([10000])


def test_a_method_whose_desktops_do_not_boot_brings_no_boot() -> None:
    share = {**ANEW, "ios_per_boot": None, "provisioning": "User data share", "profile": "My profile 1"}
    typed = changed(CELLS, own_cells(BUILT, {"My profile 1": {"steady_iops": 5.0}}))
    assert numbers(BUILT, typed, share, "logoff_asked_iops") == pytest.approx([10000])
