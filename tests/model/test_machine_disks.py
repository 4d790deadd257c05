"""Machines on managed disks: the size of one machine's disk by hand, what limits, edges, money by the month, words.

By hand unless said: one user on a machine, whose profile asks for 65,222 I/Os of a sign-in beyond steady work. Steady
work is 0 and a boot takes its time, so that the sign-in alone sizes the disk.
"""

import csv
import itertools
from collections.abc import Mapping
from pathlib import Path

import pytest

from addin.kernel import Cells
from model.reading.choices import EPHEMERAL, ON_CLOUD_SHARE, STANDARD_SSD
from tests.support.answers import answers, numbers
from tests.support.input_sets import Value
from tests.support.shipped import reference, reference_cells

BUILT = reference()
CELLS = reference_cells()
PREMIUM = "Azure Premium SSD"
SIZES = {tier.name: place for place, tier in enumerate(BUILT.data.disk_tiers, 1)}
COLLECTED = Path(__file__).parents[3] / "shared" / "today" / "cloud_facts.csv"
LOGIN = 65_222.0
DISK: dict[str, Value] = {
    "disk_place": PREMIUM,
    "desktops": 1000.0,
    "growth_ratio": 0.0,
    "users_per_vm": 1.0,
    "ios_per_login": LOGIN,
    "login_duration_s": 360.0,
    "steady_iops_per_desktop": 0.0,
    "image_gib": 30.0,
    "disk_gib": 30.0,
    "disk_boot_s": 3600.0,
}
SESSION_HOSTS: dict[str, Value] = {**DISK, "users_per_vm": 10.0, "steady_iops_per_desktop": 20.0}


def results(design: Mapping[str, Value], *keys: str, cells: Cells = CELLS) -> list[float]:
    return numbers(BUILT, cells, dict(design), *keys)


def texts(design: Mapping[str, Value], *keys: str, cells: Cells = CELLS) -> tuple[str, ...]:
    (values,) = answers(BUILT, cells, [dict(design)], *keys)
    return tuple(map(str, values))


def size(design: Mapping[str, Value]) -> str:
    """Return the size taken, such as P10."""
    return texts(design, "tier_name")[0].partition(" of ")[0]


def asking(iops: float, **further: Value) -> dict[str, Value]:
    """Return the design whose sign-in asks for that many IOPS: its I/Os over as many seconds."""
    return {**DISK, "disk_signin_s": LOGIN / iops, **further}


# ---- the figures -----------------------------------------------------------------------------------


def test_the_sizes_are_those_collected() -> None:
    """Figures of P10 to P50 and E10 to E30; the vendor's tables have P4, P6, E4, E6, E40 and E50 beside them."""
    if not COLLECTED.is_file():
        pytest.skip("the collection is not part of the project; put it in ../shared/today to run this check")
    with COLLECTED.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if "SSD" in row["service"] and row["value"].isdigit()]
    collected = {(row["service"], row["quantity"]): float(row["value"]) for row in rows}
    names = {"gib": "size", "iops": "iops_base", "mb_s": "throughput_base", "burst_iops": "burst_iops",
             "burst_mb_s": "burst_throughput", "burst_min": "burst_minutes"}  # fmt: skip
    found = 0
    for tier in BUILT.data.disk_tiers:
        for key, quantity in names.items():
            ours, theirs = tier.values[key].value, collected.get((f"{tier.family} {tier.name}", quantity))
            if theirs is not None:
                assert ours == theirs, (tier.name, key)
                found += 1
    assert found > 45


def test_a_size_has_a_source_and_a_date_and_a_larger_one_never_has_less() -> None:
    for tier in BUILT.data.disk_tiers:
        assert all(each.facts for each in tier.values.values() if each.value is not None), tier.name
        assert "2023" in tier.dated
    for family, tiers in itertools.groupby(BUILT.data.disk_tiers, lambda tier: tier.family):
        rows = [[float(each.value or 0) for each in (tier.gib, tier.iops, tier.mb_s)] for tier in tiers]
        assert all(all(a <= b for a, b in zip(*pair, strict=True)) for pair in itertools.pairwise(rows)), family


# ---- the need of one machine -----------------------------------------------------------------------


def test_a_sign_in_takes_nine_minutes_on_p4_and_two_on_p10() -> None:
    """65,222 I/Os at 120 and 500 IOPS: 9.1 and 2.2 minutes."""
    p4, p10, p30 = results(DISK, *(f"tier_signin_min_{SIZES[name]}" for name in ("P4", "P10", "P30")))
    assert [p4, p10, p30] == pytest.approx([LOGIN / 120 / 60, LOGIN / 500 / 60, LOGIN / 5000 / 60])
    assert [round(p4, 1), round(p10, 1)] == [9.1, 2.2]


def test_a_profile_of_i_os_beyond_steady_work_asks_for_them() -> None:
    """RA-2022: 46,569 IOPS of 880 desktops at the peak leave 65,222 I/Os of a login beyond 30.27 IOPS at work."""
    design: dict[str, Value] = {
        "profile": "Knowledge worker W11 MCS (RA-2022 2024)",
        "disk_place": PREMIUM,
        "login_duration_s": 360.0,
    }
    ios, p4, p10 = results(design, "machine_signin_ios", "tier_signin_min_1", f"tier_signin_min_{SIZES['P10']}")
    assert ios == pytest.approx(65_222, rel=1e-4)
    assert [round(p4, 1), round(p10, 1)] == [9.1, 2.2]


def test_steady_work_of_all_users_of_the_machine_is_beside_a_sign_in() -> None:
    """Ten users at 20 IOPS: 200; two sign-ins of 65,222 - 20 x 360 I/Os in 360 s: 322.3 IOPS more."""
    design = {**SESSION_HOSTS, "disk_signins": 2.0}
    steady, signin, most = results(design, "machine_steady_iops", "machine_signin_iops", "machine_iops")
    assert [steady, signin] == pytest.approx([200, 200 + 2 * (LOGIN - 7200) / 360])
    assert most == signin
    assert size(design) == "P15"
    # the other eight keep working while two sign in: 500 less 160 IOPS are left
    (minutes,) = results(design, f"tier_signin_min_{SIZES['P10']}")
    assert minutes == pytest.approx(2 * (LOGIN - 7200) / (500 - 160) / 60)


@pytest.mark.parametrize(("window", "together"), [(60.0, 1), (30.0, 2), (12.0, 5), (6.0, 10), (3.0, 10)])
def test_sign_ins_at_once_follow_the_login_window(window: float, together: int) -> None:
    """Ten users of a machine who sign in for 6 minutes each, spread evenly over the window; never fewer than one."""
    assert results({**SESSION_HOSTS, "login_window_min": window, "arrival_shape": "uniform"}, "machine_signins") == [
        together
    ]


def test_a_boot_asks_for_its_i_os_over_the_seconds_wanted() -> None:
    """12,000 I/Os in 60 s are 200 IOPS, the duration of one boot where no seconds are typed: P6; in 20 s 600: P15."""
    boot = {**DISK, "ios_per_boot": 12_000.0, "disk_boot_s": None, "boot_tail_min": 1.0, "disk_signin_s": 28_800.0}
    assert results(boot, "machine_boot_iops") == pytest.approx([200])
    assert size(boot) == "P6"
    assert size({**boot, "disk_boot_s": 20.0}) == "P15"


# ---- the size --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("iops", "taken"),
    [(120, "P4"), (121, "P6"), (240, "P6"), (500, "P10"), (500.5, "P15"), (1100, "P15"), (2300, "P20"), (5000, "P30"),
     (7500, "P40"), (7501, "no size")],
)  # fmt: skip
def test_the_smallest_size_whose_iops_hold_the_machine(iops: float, taken: str) -> None:
    assert size(asking(iops)) == taken


@pytest.mark.parametrize(("gib", "taken"), [(32.0, "P4"), (33.0, "P6"), (127.0, "P10"), (128.0, "P10"), (129.0, "P15")])
def test_the_smallest_size_that_holds_the_image(gib: float, taken: str) -> None:
    assert size({**DISK, "disk_signin_s": 28_800.0, "image_gib": gib}) == taken


def test_a_full_clone_needs_a_disk_of_its_own_size() -> None:
    design = {**DISK, "provisioning": "Full clone", "disk_gib": 300.0, "disk_signin_s": 28_800.0}
    assert results(design, "machine_gib") == [300]
    assert size(design) == "P20"


@pytest.mark.parametrize(
    ("method", "gib", "taken"),
    [
        ({"provisioning": "PVS", "write_cache_gib": 200.0}, 200, "P15"),  # the image is streamed
        ({"provisioning": "PVS", "write_cache_gib": 16.0}, 16, "P4"),
        ({"provisioning": "MCS pooled", "write_cache_gib": 16.0}, 64, "P6"),  # differences within the image's disk
        ({"provisioning": "MCS pooled", "write_cache_gib": 200.0}, 200, "P15"),
        ({"provisioning": "MCS + Personal vDisk", "write_cache_gib": 16.0, "pvd_gib": 200.0}, 264, "P20"),
        ({"provisioning": "MCS pooled", "write_cache_gib": 16.0, "pvd_gib": 200.0}, 64, "P6"),  # it has none
        ({"provisioning": "Full clone", "write_cache_gib": 200.0, "pvd_gib": 200.0}, 64, "P6"),
    ],
)
def test_the_disk_holds_what_the_method_keeps_on_a_machine(method: dict[str, Value], gib: float, taken: str) -> None:
    """An image of 64 GiB; P4 to P20 have 32, 64, 128, 256 and 512 GiB. Personal vDisk: 64 + 200 GiB."""
    design = {**DISK, "disk_signin_s": 28_800.0, "image_gib": 64.0, **method}
    assert results(design, "machine_gib") == [gib]
    assert size(design) == taken


def test_throughput_asks_for_a_size_too() -> None:
    """400 IOPS of 256 KiB are 104.9 MB/s: above the 100 of a P10, although its 500 IOPS would do."""
    design = asking(400, login_block_kib=256.0)
    assert results(design, "machine_mb_s") == pytest.approx([400 * 256 * 1024 / 1e6])
    assert size(design) == "P15"
    assert texts(design, "tier_limited_by", "tier_next") == ("throughput", "IOPS")


@pytest.mark.parametrize(
    ("design", "limits"),
    [
        (asking(400), ("IOPS", "size")),
        ({**asking(400), "image_gib": 500.0}, ("size", "IOPS")),
        ({**asking(501), "image_gib": 200.0}, ("size", "IOPS")),  # P15 by either: 200 of 256 GiB, 501 of 1,100 IOPS
        (asking(100), ("smallest size", "size")),
    ],
)
def test_the_limit_and_the_next_one_are_named(design: dict[str, Value], limits: tuple[str, str]) -> None:
    assert texts(design, "tier_limited_by", "tier_next") == limits


def test_more_sign_ins_at_once_never_take_a_smaller_size() -> None:
    order = {**SIZES, "no size": 99}
    for family in (PREMIUM, STANDARD_SSD):
        for credits in ("not counted", "counted"):
            base = {**SESSION_HOSTS, "disk_place": family, "share_credits": credits, "disk_signin_s": 120.0}
            taken = [order[size({**base, "disk_signins": float(n)})] for n in range(1, 11)]
            assert taken == sorted(taken), (family, credits)


def test_where_no_size_holds_a_machine_it_is_no_cheaper_answer() -> None:
    """Standard SSD ends at 500 IOPS."""
    design = asking(501, disk_place=STANDARD_SSD, disk_price=5.0)
    told, missing, cost = texts(design, "disk_told", "constraints_unchecked", "share_cost_told")
    assert told.startswith("1,000 disks: no size of Azure Standard SSD, limited by IOPS")
    assert missing.startswith("most IOPS of a machine, most MB/s of a machine, machine's disk, ")
    assert cost == "not known"
    assert results(design, "disk_wrong", "disk_varies") == [1, 1]
    assert texts(design, "status")[0].startswith("at least ")
    for key in ("npv", "cost_total", "tier_gib"):
        with pytest.raises(ValueError, match="could not convert"):
            float(texts(design, key)[0])


# ---- credits and the machine's own cap -------------------------------------------------------------


def test_credits_carry_a_sign_in_only_where_they_are_counted() -> None:
    """A P4 bursts to 3,500 IOPS for 30 minutes: a sign-in of a minute asks for 1,087."""
    design = {**DISK, "disk_signin_s": 60.0, "disk_boot_s": 60.0, "ios_per_boot": 1000.0}
    assert size(design) == "P15"
    assert size({**design, "share_credits": "counted"}) == "P4"


def test_a_bucket_lasts_for_its_minutes_and_no_longer() -> None:
    """Session hosts burst through the login window: 120 + (3,500 - 120) x 30 / 60 = 1,810 IOPS for an hour."""
    design = {**SESSION_HOSTS, "share_credits": "counted", "login_window_min": 60.0}
    assert results(design, "machine_burst_min", "tier_iops_1") == pytest.approx([60, 1810])
    assert results({**design, "login_window_min": 30.0, "disk_boot_s": 60.0}, "tier_iops_1") == pytest.approx([3500])


def test_the_cap_of_the_machine_refuses_every_size() -> None:
    """A larger disk does not serve more than the machine may ask for."""
    held, short = asking(400, disk_vm_iops=400.0), asking(401, disk_vm_iops=400.0)
    assert size(held) == "P10"
    assert size(short) == "no size"
    assert results(short, "machine_capped", "disk_wrong") == [1, 1]
    assert size({**asking(400, login_block_kib=64.0), "disk_vm_mb_s": 20.0}) == "no size"
    (minutes,) = results(held, f"tier_signin_min_{SIZES['P30']}")
    assert minutes == pytest.approx(LOGIN / 400 / 60)


@pytest.mark.parametrize(
    ("design", "limits"),
    [
        ({"disk_vm_iops": 12_800.0, "disk_vm_mb_s": 5.0}, ("cap of the machine", "IOPS")),  # 400 x 16 KiB: 6.6 MB/s
        ({"disk_vm_iops": 399.0}, ("cap of the machine", "IOPS")),
        ({"disk_vm_iops": 400.0, "disk_vm_mb_s": 7.0}, ("IOPS", "size")),
    ],
)
def test_the_cap_of_the_machine_is_the_limit_where_it_refuses_every_size(
    design: dict[str, Value], limits: tuple[str, str]
) -> None:
    asked = {**asking(400, login_block_kib=16.0, boot_block_kib=16.0), **design}
    assert texts(asked, "tier_limited_by", "tier_next") == limits
    told, binding = texts(asked, "disk_told", "binding_constraint")
    assert f"limited by {limits[0]}, next by {limits[1]}" in told
    assert binding == f"disk {limits[0]}"


def test_an_answer_without_an_array_names_disks_and_their_limit() -> None:
    """Never "0 arrays", nor "limited by none": the size of the disk limits."""
    keys = ("status", "binding_constraint", "next_constraint", "limited_by_normal")
    status, *limits = texts(asking(400, disk_vm_iops=400.0), *keys)
    assert status.startswith("at least 1,000 disks: P10 of Azure Premium SSD, limited by IOPS, next by size")
    assert limits == ["disk IOPS", "disk size", "disk IOPS"]
    assert texts({**asking(400), "disk_place": EPHEMERAL}, "binding_constraint") == ("none",)


def test_an_ephemeral_disk_takes_local_space_and_pooled_machines() -> None:
    pooled = {**DISK, "disk_place": EPHEMERAL, "provisioning": "MCS pooled", "disk_local_gib": 30.0}
    assert results(pooled, "disk_wrong", "arrays_required") == [0, 0]
    assert results({**pooled, "disk_local_gib": 29.0}, "disk_wrong") == [1]
    assert results({**pooled, "disk_local_gib": None}, "disk_wrong") == [1]
    assert results({**pooled, "provisioning": "Full clone"}, "disk_wrong") == [1]
    assert results({**pooled, "disk_vm_iops": 1.0}, "disk_wrong") == [1]


def test_user_groups_say_that_no_group_is_checked_apart() -> None:
    assert "groups' disks" in texts({**DISK, "profile": "User groups"}, "disk_phases_named")[0]


@pytest.mark.parametrize("key", ["boot_block_kib", "login_block_kib", "steady_block_kib"])
def test_a_block_size_that_nobody_gives_is_not_checked(key: str) -> None:
    """Without it there is no throughput: 2,000 disks passed every check at 0 MB/s."""
    named = "sign-in or block size of a machine"
    assert named not in texts(DISK, "constraints_unchecked")[0]
    unchecked, status = texts({**DISK, key: 0.0}, "constraints_unchecked", "status")
    assert named in unchecked
    assert status.startswith("at least")


def test_a_mean_of_sign_ins_and_work_sizes_no_disk() -> None:
    """The profile prints one figure for both, so that nothing was left of a sign-in: "takes 0.0 minutes"."""
    mean = {**DISK, "ios_per_login": None, "steady_iops_per_desktop": None, "profile": "Office worker MCS + PvD (K2)"}
    unchecked, summary = texts(mean, "constraints_unchecked", "disk_summary")
    assert "sign-in or block size of a machine" in unchecked
    assert "a sign-in takes" not in summary
    assert "a sign-in takes" in texts(DISK, "disk_summary")[0]


# ---- the arrays ------------------------------------------------------------------------------------


def test_machines_on_disks_leave_no_load_and_no_gib_to_arrays() -> None:
    keys = ("boot_iops", "login_iops", "steady_iops", "logoff_iops", "patching_iops", "provisioning_iops")
    asked = results({**DISK, "steady_iops_per_desktop": 10.0, "scheduled_ios": 1000.0, "scheduled_window_min": 60.0},
                    *keys, "scheduled_iops", "capacity_required_gib", "arrays_required", "arrays_used")  # fmt: skip
    assert asked == [0] * len(asked)
    assert texts(DISK, "ask_words") == ("no array",)
    assert texts(DISK, "login_latency_ms") == ("that of its disk",)


def test_containers_and_user_data_on_an_array_are_all_that_it_carries() -> None:
    """Nothing is counted twice, nothing is lost: what desktops alone store is all that the array no longer holds."""
    beside: dict[str, Value] = {"container_place": "this array", "container_gib": 30.0, "user_data_gib": 2.0}
    alone = {**DISK, **beside}
    keys = ("container_steady_load", "steady_iops", "capacity_required_gib")
    load, steady, gib = results(alone, *keys)
    assert steady == pytest.approx(load)
    with_desktops = results({**alone, "disk_place": "this array"}, *keys)
    (desktops,) = results({**alone, "disk_place": "this array", "container_place": "none", "user_data_gib": 0.0},
                          "capacity_required_gib")  # fmt: skip
    assert gib == pytest.approx(with_desktops[2] - desktops)
    assert results(alone, "arrays_required")[0] >= 1


def test_an_array_that_nothing_is_on_is_not_bought_for_a_failure() -> None:
    for array in (each.name for each in BUILT.data.arrays):
        design = {**DISK, "array": array, "failover": "yes", "replicated": "yes", "disk_price": 5.0}
        assert results(design, "arrays_required", "arrays_normal", "arrays_after_failure") == [0, 0, 0], array
        assert "failover unknown" not in texts(design, "after_words")[0]


def test_a_share_and_disks_leave_no_array_and_both_are_told() -> None:
    design = {**DISK, "container_place": ON_CLOUD_SHARE, "container_gib": 30.0, "capacity_headroom_ratio": 0.0,
              "share_gib_price": 0.16, "disk_price": 10.21, "disk_signin_s": 300.0}  # fmt: skip
    status, cost = texts(design, "status", "share_cost_told")
    assert status.startswith(
        "at least 1 share of 30,000 GiB of Azure Files SSD v1, limited by capacity and 1,000 disks"
    )
    # 30,000 x 0.16 + 1,000 x 10.21
    assert cost == "15,010.00 USD a month, 15.01 a user, typed prices"
    assert results(design, "share_cost_month") == pytest.approx([15_010])


def test_a_cost_rests_on_no_array_and_no_price_where_there_is_none() -> None:
    """A quote was typed, and nothing is on an array; no price of a disk was typed, and it said "typed prices"."""
    design = {**DISK, "array_price": 90000.0}
    (priced,) = texts({**design, "disk_price": 10.21}, "cost_status")
    assert priced.startswith("no array; cloud: typed prices; left out: ")
    (unpriced,) = texts(design, "cost_status")
    assert unpriced.startswith("no array; cloud: no price; left out: ")


# ---- money by the month ----------------------------------------------------------------------------


def test_disks_cost_their_price_each_month_running_or_not() -> None:
    """A price for each of 1,000 machines, also of those nobody uses; ten users of a machine share one disk."""
    design = {**DISK, "disk_price": 10.21, "concurrent_ratio": 0.5, "years": 5.0, "cost_change_ratio": 0.0}
    assert results(design, "share_cost_month", "share_cost_user_month") == pytest.approx([10_210, 10.21])
    assert results(design, "cost_total", "paid_total") == pytest.approx([10_210 * 60, 10_210 * 60])
    assert results({**design, "users_per_vm": 10.0}, "share_cost_user_month") == pytest.approx([1.021])
    (grown,) = results({**design, "growth_per_year_ratio": 0.2, "growth_timing": "through the year"}, "paid_total")
    assert grown > 10_210 * 60


def test_without_a_price_no_cost_is_told() -> None:
    assert texts(DISK, "share_cost_told", "share_cost_month", "npv") == ("enter a price",) * 3


def test_a_what_if_takes_the_price_of_the_base_design_for_the_same_size_only() -> None:
    base = {**asking(400), "disk_price": 19.71}
    same, other = dict.fromkeys(base), {**dict.fromkeys(base), "disk_signin_s": LOGIN / 600}
    costs = [row[0] for row in answers(BUILT, CELLS, [base, same, other], "share_cost_month")]
    assert costs[:2] == pytest.approx([19_710, 19_710])
    assert costs[2] == "enter a price"


def test_blank_is_the_arrays_and_changes_nothing() -> None:
    assert texts({}, "disk_told") == ("this array",)
    assert results({}, "disk_wrong", "disk_varies", "machine_capped", "machine_iops", "machine_gib") == [0] * 5
