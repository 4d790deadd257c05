"""Where the boot limits, the answer says at which start rate one array less does: typed in, it does."""

from collections.abc import Mapping

import pytest

from addin.kernel import Cells
from tests.support.answers import answers, changed, numbers
from tests.support.input_sets import Value, own_arrays
from tests.support.shipped import reference

BUILT = reference()
CELLS = Cells.from_openpyxl(BUILT.workbook)
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
    ((words, status),) = answers(BUILT, own(), [BOOT], "slower_boot", "status")
    assert words == "at 80 starts a minute one array less, 39 minutes"
    assert str(status).endswith(f"; {words}")
    # typed in, it holds, and one start more does not
    typed = results({**BOOT, "start_rate_per_min": 80.0}, "arrays_required", "boot_minutes")
    assert typed == pytest.approx([2, 38.5])
    assert results({**BOOT, "start_rate_per_min": 81.0}, "arrays_required") == [3]


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
    ((rate, words, status),) = answers(BUILT, own(), [{**BOOT, **design}], "slower_start_rate", "slower_boot", "status")
    assert (rate, words) == (0, "nothing")
    assert "starts a minute" not in str(status)


def test_of_nodes_it_says_node() -> None:
    nodes = own(hci_node=1.0, least_nodes=1.0, nodes_lost=1.0, vms_per_node=5000.0)
    ((words, required),) = answers(BUILT, nodes, [BOOT], "slower_boot", "arrays_required")
    assert (words, required) == ("at 80 starts a minute one node less, 39 minutes", 4)
    assert results({**BOOT, "start_rate_per_min": 80.0}, "arrays_required", cells=nodes) == [3]
