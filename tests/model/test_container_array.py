"""An array for profile containers alone: its throughput and its failure decide as on the desktops' array."""

import itertools
from collections.abc import Mapping

import pytest

from addin.kernel import Cells
from tests.support.answers import answers, changed, numbers
from tests.support.input_sets import Value, own_arrays
from tests.support.shipped import reference, reference_cells

BUILT = reference()
CELLS = reference_cells()
FILER: dict[str, Value] = {  # two controllers, 40,000 IOPS of containers
    "array_class": "flash",
    "usable_gib": 50000.0,
    "inline_reduction": 1.0,
    "controllers_active": 2.0,
    "controllers_standby": 0.0,
    "failover_kind": "controller",
    "rating_steady_iops": 40000.0,
    "base_latency_ms": 0.001,
    "throughput_mb_s": 1000.0,
}
AWAY: dict[str, Value] = {  # 3,000 users: 30,000 IOPS at work, 31,450 with their sign-ins
    "desktops": 3000.0,
    "container_place": "another array",
    "container_array": "My array 1",
    "container_gib": 5.0,
    "login_window_min": 30.0,
    "login_duration_s": 17.4,
    "container_steady_iops": 10.0,
    "container_block_kib": 16.0,
    "latency_limit_ms": 100.0,
}


def own(**figures: Value) -> Cells:
    return changed(CELLS, own_arrays(BUILT, [{**FILER, **figures}]))


def results(design: Mapping[str, Value], *keys: str, cells: Cells | None = None) -> list[float]:
    return numbers(BUILT, cells or own(), {**AWAY, **design}, *keys)


def unchecked(design: Mapping[str, Value], cells: Cells | None = None) -> str:
    ((names,),) = answers(BUILT, cells or own(), [{**AWAY, **design}], "constraints_unchecked")
    return str(names)


def test_throughput_is_iops_times_block_size_over_the_rating() -> None:
    """By hand: 31,450 IOPS of 16 KiB are 515.3 MB/s, of 64 KiB 2,061: three arrays of 1,000 MB/s."""
    keys = ("container_asked_iops", "container_moved", "container_ratio_throughput", "container_arrays")
    assert results({}, *keys) == pytest.approx([31450, 515.28, 0.51528, 1], rel=1e-5)
    assert results({"container_block_kib": 64.0}, *keys)[2:] == pytest.approx([2.06111, 3], rel=1e-5)
    assert results({"container_place": "this array"}, "container_moved", "container_ratio_throughput") == [0, 0]


def test_the_throughput_that_must_hold_needs_the_controllers_left() -> None:
    """By hand: 2,061 MB/s over the 500 of one controller left are 4.12 arrays; only IOPS were looked at, for three."""
    big: dict[str, Value] = {"container_block_kib": 64.0, "failover": "yes"}
    assert results(big, "container_ratio_failover", "container_arrays") == pytest.approx([4.12222, 5], rel=1e-5)


def test_throughput_without_a_rating_is_unchecked_by_name_and_a_blank_block_size_is_the_pairs() -> None:
    assert "container array throughput" in unchecked({}, own(throughput_mb_s=None))
    pair: dict[str, Value] = {"container_block_kib": None, "container_share": "share, continuous availability on"}
    assert results(pair, "container_moved") == pytest.approx([31450 * 20.9 * 1024 / 1e6])
    assert "container array" not in unchecked({})


def test_after_one_failure_users_at_work_hold_on_what_is_left() -> None:
    """By hand: one of two controllers serves 20,000 of 31,450 IOPS: 1.57; without the login storm 30,000: 1.5."""
    keys = ("container_ratio_failover", "container_arrays")
    assert results({}, *keys) == [0, 1]
    assert results({"failover": "yes"}, *keys) == pytest.approx([1.5725, 2], rel=1e-4)
    calm = {"failover": "yes", "survive_phases": "work without the login storm"}
    assert results(calm, *keys) == pytest.approx([1.5, 2], rel=1e-4)
    every: dict[str, Value] = {"failover": "yes", "survive_phases": "everything", "logoff_window_min": 1.0}
    # 3,000 x 50 IOPS x 17.4 s / 60 s are 43,500
    assert results(every, *keys) == pytest.approx([2 * 43500 / 40000, 3], rel=1e-4)
    # a controller that stands by takes all over
    assert results({"failover": "yes"}, *keys, cells=own(controllers_standby=1.0)) == pytest.approx(
        [0.78625, 1], rel=1e-4
    )


def test_an_array_from_a_data_sheet_keeps_the_same_reserve_after_a_failure_as_that_of_the_desktops() -> None:
    """By hand: S 0.3 and L 1 ms are 0.7 busy, 200,000 / 0.7 x (0.7 + 0.3 x 2.7) = 431,429 reads fully busy.

    3,000 users ask 60,000 IOPS at work and 3,000 / 1,800 s x 17.4 s x 60 to sign in: 61,740, 40 % read: x 2.02 are
    124,715. Both controllers plan 0.7 x 0.7 of it, 211,400: 0.59; one plans 0.95 x 0.7 of half, 143,450: 0.87, where
    0.7 x 0.7 asked for 1.18 and two arrays.
    """
    card: dict[str, Value] = {
        **{key: None for key in FILER if key.startswith("rating")},
        **{"iops": 200000.0, "read_ratio": 0.7, "latency_ms": 1.0, "base_latency_ms": 0.3, "throughput_mb_s": 6000.0},
    }
    asked: dict[str, Value] = {
        **{"container_steady_iops": 20.0, "container_signin_iops": 60.0, "container_read_ratio": 0.4},
        **{"container_signout_iops": 60.0, "logoff_window_min": 30.0, "failover": "yes"},
    }
    iops, ratio, after, arrays = results(
        asked, "container_asked_iops", "container_ratio_iops", "container_ratio_failover", "container_arrays",
        cells=own(**card),
    )  # fmt: skip
    assert iops == pytest.approx(61740)
    work = 61740 * (0.4 + 0.6 * 2.7)
    assert (ratio, after) == pytest.approx((work / 211400, work / 143450), rel=1e-6)
    assert arrays == 1


def test_a_lost_array_is_one_more_where_the_data_stand_on_another_one() -> None:
    """By hand: one lost, and 31,450 of 40,000 IOPS on the rest: 1.79."""
    cells = own(failover_kind="array")
    lost: dict[str, Value] = {"failover": "yes", "replicated": "yes"}
    keys = ("container_ratio_failover", "container_arrays")
    assert results(lost, *keys, cells=cells) == pytest.approx([1.78625, 2], rel=1e-4)
    assert "container array failover" in unchecked({**lost, "replicated": "no"}, cells)
    assert "container array failover" in unchecked({"failover": "yes"}, own(controllers_active=None))


def test_users_at_work_while_others_sign_out_count() -> None:
    """10,000 x 50 IOPS x 17.4 of 90 s are 96,667 of sign-outs; 9,000 at work ask for 8 each: 168,667."""
    design: dict[str, Value] = {
        **{"desktops": 10_000.0, "container_steady_iops": 8.0, "container_signout_iops": 50.0},
        **{"container_signin_s": 17.4, "logoff_window_min": 1.5, "login_window_min": 60.0},
    }
    asked = [results({**design, "logoff_active_ratio": share}, "container_asked_iops")[0] for share in (0.0, 0.9)]
    assert asked == pytest.approx([max(96_667, asked[0]), 168_667], abs=1)


def test_nodes_for_containers_are_bought_with_those_that_may_be_lost() -> None:
    """By hand: 10,000 GB x 0.8 / 2 are 3,725 GiB; 3,000 x 5 / 2 = 7,500 over 3,166 after free space: 2.37, 3 and 1."""
    node: dict[str, Value] = {
        "hci_node": 1.0,
        "least_nodes": 2.0,
        "nodes_lost": 1.0,
        "node_raw_gb": 10000.0,
        "system_share_ratio": 0.2,
        "protection_ratio": 2.0,
        "usable_gib": None,
    }
    keys = ("container_usable_gib", "container_ratio_capacity", "container_arrays")
    assert results({}, *keys, cells=own(**node)) == pytest.approx([3725.29, 7500 / (3725.29 * 0.85), 4], rel=1e-6)
    assert results({}, "container_arrays", cells=own(**{**node, "least_nodes": 6.0})) == [6]
    assert results({"failover": "yes"}, "container_arrays", cells=own(**node)) == [4]
    assert "container array capacity" in unchecked({}, own(**{**node, "protection_ratio": None}))
    card: dict[str, Value] = {**node, "node_raw_gb": None, "capacity_tb": 10.0, "capacity_kind": "raw"}
    assert results({}, *keys, cells=own(**card)) == results({}, *keys, cells=own(**node))


@pytest.mark.parametrize("failover", ["no", "yes"])
def test_larger_blocks_and_more_users_never_need_fewer(failover: str) -> None:
    for key, values in (("container_block_kib", [0.5, 4.0, 8.0, 16.0, 32.0, 64.0, 256.0, 4096.0]),
                        ("desktops", [1.0, 10.0, 100.0, 1000.0, 3000.0, 9000.0, 3e4, 1e5])):  # fmt: skip
        sets = [{**AWAY, "failover": failover, key: value} for value in values]
        found = [row[0] for row in answers(BUILT, own(), sets, "container_ratio")]
        assert all(a <= b for a, b in itertools.pairwise(found)), found  # type: ignore[operator]
        assert found[0] < found[-1]  # type: ignore[operator]


def test_a_data_sheet_for_containers_is_compared_with_what_they_do() -> None:
    """40 % reads of 16 KiB on a card of pure reads of 4 KiB: "not checked none" and no alert."""
    card: dict[str, Value] = {
        **{"rating_steady_iops": None, "iops": 250000.0, "read_ratio": 1.0, "block_kib": 4.0, "latency_ms": 0.5},
    }
    flags = ("card_mix_far", "card_blocks_larger")
    assert results({}, *flags, cells=own(**card)) == [1, 1]
    near = {**card, "read_ratio": 0.4, "block_kib": 16.0}
    assert results({"container_read_ratio": 0.4}, *flags, cells=own(**near)) == [0, 0]
    assert results({"container_place": "this array"}, *flags, cells=own(**card)) == [0, 0]


def test_a_second_tier_leaves_the_iops_of_containers_unchecked() -> None:
    """3,600 slow IOPS behind a fifth of the I/O: by hand 19 arrays; two were enough by the first alone."""
    tier: dict[str, Value] = {"tier2_share_ratio": 0.2, "tier2_drives": 48.0, "tier2_drive_iops": 75.0}
    drives: dict[str, Value] = {"rating_steady_iops": None, "drives": 24.0, "drive_iops": 5000.0, "raid": "RAID 10"}
    assert results({}, "container_supply_iops", cells=own(**drives))[0] > 0
    assert results({}, "container_supply_iops", "container_ratio_iops", cells=own(**drives, **tier)) == [0, -1]
    assert "container array IOPS" in unchecked({}, own(**drives, **tier))
