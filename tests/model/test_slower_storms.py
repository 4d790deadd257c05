"""Where storms limit, the answer says how many arrays do for users at work, and a start rate at which one less does."""

from collections.abc import Mapping

import pytest

from addin.kernel import Cells
from tests.support.answers import answers, changed, numbers
from tests.support.input_sets import Value, own_arrays
from tests.support.shipped import built, built_cells, reference, reference_cells

BUILT = reference()
CELLS = reference_cells()
RATED: dict[str, Value] = {  # serves 20,000 IOPS of a boot, whatever the mix
    **{f"rating_{phase}_iops": 200000.0 for phase in ("provisioning", "login", "steady", "logoff", "patching")},
    "rating_boot_iops": 20000.0,
    "usable_gib": 50000.0,
    "inline_reduction": 1.0,
    "throughput_mb_s": 9000.0,
}
BOOT: dict[str, Value] = {
    "array": "My array 1",
    "desktops": 3000.0,
    "ios_per_boot": 30000.0,
    "start_rate_per_min": 100.0,
    "boot_tail_min": 1.0,
}
KEYS = ("arrays_required", "slower_start_rate", "slower_boot_min")


def own(**figures: Value) -> Cells:
    return changed(CELLS, own_arrays(BUILT, [{**RATED, **figures}]))


def results(design: Mapping[str, Value], *keys: str, cells: Cells | None = None) -> list[float]:
    return numbers(BUILT, cells or own(), dict(design), *keys)


def test_by_hand_one_array_less_serves_eighty_starts_a_minute() -> None:
    """By hand: 100 starts x 30,000 / 60 are 50,000 IOPS, 2.5 arrays; two serve 40,000: 80 starts, 37.5 + 1 minutes."""
    assert results(BOOT, "boot_need", *KEYS) == pytest.approx([2.5, 3, 80, 38.5])
    ((words, status),) = answers(BUILT, own(), [BOOT], "slower_storms", "status")
    costs = "the start rate costs 2 in all: 75 minutes wanted save them"  # 3,000 x 30,000 / 20,000 / 60
    assert words == f"80 starts a minute: one array less, 39 minutes; {costs}"
    assert str(status).endswith(f"; {words}")
    # typed in, it holds, and one start more does not
    typed = results({**BOOT, "start_rate_per_min": 80.0}, "arrays_required", "boot_minutes")
    assert typed == pytest.approx([2, 38.5])
    assert results({**BOOT, "start_rate_per_min": 81.0}, "arrays_required") == [3]


@pytest.mark.slow
@pytest.mark.parametrize(
    "design",
    [
        {"boot_active_ratio": 0.5},
        {"boot_latency_limit_ms": 1.0, "array": "NetApp AFF8040", "start_rate_per_min": 400.0},
        {"boot_block_kib": 256.0, "array": "NetApp AFF8040", "start_rate_per_min": 300.0},
        {"users_per_vm": 3.0, "start_rate_per_min": 150.0},
        {"preboot_ratio": 0.7},
        {"hosts": 10.0, "host_start_rate_per_min": 9.0},
    ],
)
def test_typed_in_one_array_less_does_in_as_many_minutes(design: dict[str, Value]) -> None:
    asked = {**BOOT, "ios_per_provisioning": 0.0, "ios_per_patch": 0.0, **design}
    arrays, rate, minutes = results(asked, *KEYS)
    assert rate > 0
    assert results({**asked, "start_rate_per_min": rate}, "arrays_required", "boot_minutes") == pytest.approx(
        [arrays - 1, minutes]
    )


@pytest.mark.parametrize(("rate", "arrays", "costs"), [(50.0, 3, 0), (600.0, 7, 4), (2000.0, 17, 14)])
def test_what_a_raised_start_rate_costs_the_minutes_wanted_save(rate: float, arrays: int, costs: int) -> None:
    shipped: dict[str, Value] = {"start_rate_per_min": rate}
    keys = ("arrays_required", "start_rate_costs", "unhurried_boot_min")
    required, cost, minutes = numbers(built(), built_cells(), shipped, *keys)
    assert (required, cost) == (arrays, costs)
    ((words,),) = answers(built(), built_cells(), [shipped], "status")
    said = f"; the start rate costs {costs} in all: {minutes:.0f} minutes wanted save them"
    assert (said in str(words)) == (costs > 0)
    if costs:
        wanted = {**shipped, "boot_wanted_min": minutes}
        assert numbers(built(), built_cells(), wanted, "arrays_required") == [arrays - costs]
        sooner = {**shipped, "boot_wanted_min": minutes - 1}
        assert numbers(built(), built_cells(), sooner, "arrays_required")[0] > arrays - costs


@pytest.mark.parametrize(
    "design",
    [
        {"start_rate_per_min": 10.0},  # one array already
        {"most_desktops_per_array": 1000.0},  # three arrays whatever the boot does
        {"login_iops_per_desktop": 1000.0, "login_duration_s": 2700.0},  # logins ask for as many
        {"start_rate_per_min": 300.0, "failover": "yes", "survive_phases": "everything", "array": "NetApp AFF8040"},
    ],
)
def test_where_the_boot_is_not_what_limits_nothing_is_said(design: dict[str, Value]) -> None:
    ((rate, words, status),) = answers(
        BUILT, own(), [{**BOOT, **design}], "slower_start_rate", "slower_storms", "status"
    )
    assert (rate, words) == (0, "nothing")
    assert "starts a minute" not in str(status)


def test_of_nodes_it_says_node() -> None:
    nodes = own(hci_node=1.0, least_nodes=1.0, nodes_lost=1.0, vms_per_node=5000.0)
    ((words, required),) = answers(BUILT, nodes, [BOOT], "slower_storms", "arrays_required")
    assert str(words).startswith("80 starts a minute: one node less, 39 minutes; the start rate costs 2 in all: ")
    assert required == 4
    assert results({**BOOT, "start_rate_per_min": 80.0}, "arrays_required", cells=nodes) == [3]


SLOW: dict[str, Value] = {  # no storm asks for anything at this pace
    "start_rate_per_min": 0.1,
    "provision_rate_per_min": 0.01,
    "patch_delay_s": 86400.0,
    "patch_streams": 1.0,
}


def test_by_hand_a_deployment_asks_for_four_arrays_where_users_at_work_need_one() -> None:
    """By hand: 31,000 IOPS at 15 a minute over 10,000 of an array are 3.1; a third of the pace needs 1.04."""
    cells = own(rating_provisioning_iops=10000.0, rating_boot_iops=200000.0)
    design: dict[str, Value] = {"array": "My array 1", "desktops": 500.0, "failover": "no"}
    keys = ("arrays_required", "arrays_at_work", "slower_storms", "status")
    ((arrays, at_work, words, status),) = answers(BUILT, cells, [design], *keys)
    assert (arrays, at_work, words) == (4, 1, "at least 1 for users at work, more for storms at this pace")
    assert str(status).endswith(f"; {words}")
    ((*counts, words),) = answers(BUILT, cells, [{**design, "provision_rate_per_min": 5.0}], *keys[:3])
    assert (counts, words) == ([2, 1], "at least 1 for users at work, more for storms at this pace")
    ((*counts, words),) = answers(BUILT, cells, [{**design, "provision_rate_per_min": 4.0}], *keys[:3])
    assert (counts, words) == ([1, 1], "nothing")


@pytest.mark.slow
@pytest.mark.parametrize(
    "array", ["NetApp AFF8040", "Dell Compellent SC8000", "Kaminario K2 (one K-Block)", "My array 1"]
)
@pytest.mark.parametrize(
    "design",
    [
        {"desktops": 5000.0},
        {"desktops": 2000.0, "failover": "no", "boot_latency_limit_ms": 1.0, "provisioning_block_kib": 512.0},
        {"desktops": 3000.0, "ios_per_patch": 500000.0, "patch_streams": 32.0, "patching_block_kib": 512.0},
        {"desktops": 1000.0, "ios_per_boot": 90000.0, "boot_block_kib": 256.0, "most_desktops_per_array": 400.0},
        {"desktops": 4000.0, "provision_rate_per_min": 400.0, "ios_per_provisioning": 200000.0},
    ],
)
def test_at_no_pace_at_all_as_many_are_required_as_for_users_at_work(array: str, design: dict[str, Value]) -> None:
    asked = {**design, "array": array}
    ((arrays, at_work, words),) = answers(BUILT, own(), [asked], "arrays_required", "arrays_at_work", "slower_storms")
    ((least, nothing),) = answers(BUILT, own(), [{**asked, **SLOW}], "arrays_required", "slower_storms")
    assert at_work == least
    assert nothing == "nothing"
    assert (words == "nothing") == (arrays == at_work)


def test_of_nodes_those_that_may_be_lost_count_for_users_at_work_too() -> None:
    nodes = own(hci_node=1.0, least_nodes=1.0, nodes_lost=1.0, vms_per_node=5000.0, rating_provisioning_iops=10000.0)
    asked: dict[str, Value] = {"array": "My array 1", "desktops": 500.0}
    assert results(asked, "arrays_required", "arrays_at_work", cells=nodes) == [5, 2]
