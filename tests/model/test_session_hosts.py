"""Session hosts: several users on a machine. Boot, patching, deployment and disks count machines, the rest users."""

import itertools
from collections.abc import Mapping

import pytest

from addin.kernel import Address, Cells
from model.layout.grid import FIRST_ROW
from model.sheets.proof.checks import NAME
from tests.support.answers import answers, numbers
from tests.support.input_sets import Value
from tests.support.shipped import built, reference, reference_cells

BUILT = reference()
CELLS = reference_cells()
HOSTS: dict[str, Value] = {  # 1,990 users on hosts of 20: 99.5, so 100 machines
    "desktops": 1990.0,
    "users_per_vm": 20.0,
    "provisioning": "Linked clone",
    "write_cache_gib": 40.0,
    "write_cache_used_ratio": 1.0,
    "user_data_gib": 5.0,
    "ram_gib": 64.0,
    "swap_written_ratio": 1.0,
    "ios_per_boot": 30000.0,
    "ios_per_patch": 200000.0,
    "ios_per_provisioning": 124000.0,
    "start_rate_per_min": 10.0,
}


def results(design: Mapping[str, Value], *keys: str) -> list[float]:
    return numbers(BUILT, CELLS, dict(design), *keys)


def test_machines_are_users_over_users_per_machine_rounded_up() -> None:
    sets: list[dict[str, Value]] = [
        {"desktops": users, "users_per_vm": each} for users, each in ((1990.0, 20.0), (2000.0, 20.0), (2001.0, 20.0))
    ]
    sets += [{"desktops": 2000.0, "growth_ratio": 0.1, "users_per_vm": 12.5}, {"desktops": 3.0, "users_per_vm": 1000.0}]
    assert [row[0] for row in answers(BUILT, CELLS, sets, "virtual_machines")] == [100, 100, 101, 176, 1]


def test_storms_count_machines_and_logins_count_users() -> None:
    """By hand: 100 machines at 10 a minute boot in 10 minutes, 100 x 30,000 / 600 s = 5,000 IOPS."""
    asked = results(HOSTS, "boot_asked_iops", "boot_desktops", "active_desktops", "cold_desktops")
    assert asked == pytest.approx([5000, 100, 1990, 0])
    # 100 / 2 streams x 10 s and the tail of 35 minutes: 43.33 minutes; 15 deployments a minute: 6.67
    minutes = 100 / 2 * 10 / 60 + 35
    assert results(HOSTS, "patching_asked_iops", "provisioning_asked_iops") == pytest.approx(
        [100 * 200000 / (60 * minutes), 100 * 124000 / (60 * 100 / 15)], rel=1e-6
    )
    one = {**HOSTS, "users_per_vm": 1.0}
    keys = ("login_iops", "steady_iops", "logoff_asked_iops")
    assert results(HOSTS, *keys) == results(one, *keys)
    assert results({**HOSTS, "preboot_ratio": 0.4}, "cold_desktops") == pytest.approx([60])


def test_disks_and_swap_count_machines_and_user_data_counts_users() -> None:
    """By hand: 100 x (40 + 64) GiB of disks and swap, 1,990 x 5 GiB of user data, five machines on a host."""
    keys = ("desktops_stored_gib", "swap_stored_gib", "user_data_stored_gib", "hosts_required")
    found = results({**HOSTS, "desktops_per_host": 5.0, "ram_reservation_ratio": 0.0}, *keys)
    assert found == pytest.approx([100 * 104, 6400, 9950, 20])
    assert results({**HOSTS, "datastores": 4.0, "catalogs": 1.0}, "desktops_per_datastore") == [25]
    # capacity per user and in total agree
    total, each, images = results(HOSTS, "capacity_required_gib", "desktop_physical_gib", "images_physical_gib")
    assert total == pytest.approx(1990 * each + images)


def test_containers_count_users() -> None:
    here: dict[str, Value] = {**HOSTS, "container_place": "this array", "container_gib": 10.0}
    here["container_steady_iops"] = 10.0
    keys = ("container_steady_load", "user_data_stored_gib")
    assert results(here, *keys) == pytest.approx([19900, 1990 * 15])


def test_one_user_a_machine_is_what_nobody_typed() -> None:
    every = tuple(line for line, (sheet, _) in BUILT.layout.lines.items() if sheet in ("Demand", "Capacity", "Sizing"))
    blank, one = answers(BUILT, CELLS, [{}, {"users_per_vm": 1.0}], *every)
    changed = [key for key, a, b in zip(every, blank, one, strict=True) if a != b]
    assert changed == []


@pytest.mark.parametrize("key", ["boot_iops", "patching_iops", "provisioning_iops", "capacity_required_gib"])
def test_more_users_on_a_machine_never_ask_for_more(key: str) -> None:
    each = [1.0, 2.0, 3.0, 7.0, 10.0, 20.0, 50.0, 1000.0]
    design: dict[str, Value] = {**HOSTS, "desktops": 8000.0, "boot_wanted_min": 100.0, "patch_wanted_min": 600.0}
    design |= {"provision_wanted_min": 1000.0}
    rows = answers(BUILT, CELLS, [{**design, "users_per_vm": n} for n in each], key, "arrays_required")
    assert all(a >= b for one, two in itertools.pairwise(rows) for a, b in zip(one, two, strict=True)), rows  # type: ignore[operator]
    assert rows[0][0] > rows[-1][0]  # type: ignore[operator]


def test_users_on_a_machine_move_the_answer() -> None:
    """By hand: 1,990 x (40 + 64) GiB at 2:1 and 1:1 are 167,000 GiB and more than ten arrays."""
    design = {**HOSTS, "ram_reservation_ratio": 0.0}
    assert results({**design, "users_per_vm": 1.0}, "arrays_required")[0] > 10
    assert results(design, "arrays_required") == [2]  # 4,975 of user data + 6,400 of swap + 667 of disks over 10,640


def test_a_profile_of_one_user_a_machine_overstates_session_hosts_and_raises_an_alert() -> None:
    flag = "users_per_vm_overstates"
    assert results(HOSTS, flag) == [1]
    assert results({**HOSTS, "users_per_vm": 1.0}, flag) == [0]
    workbook = BUILT.workbook[NAME]
    heads = [cell.value for cell in workbook[FIRST_ROW - 1]]
    rows = [dict(zip(heads, row, strict=True)) for row in workbook.iter_rows(min_row=FIRST_ROW, values_only=True)]
    place = "={}!{}".format(*BUILT.layout.cell(flag))
    (check,) = [row for row in rows if row["Found"] == place]
    assert check["Type"] == "alert"
    assert "={}!{}".format(*BUILT.layout.cell("users_words")) in check.values()  # what to do about it
    (words,) = answers(BUILT, CELLS, [HOSTS], "users_words")
    assert words == (
        "Take a profile measured under MCS session hosts: Knowledge worker session hosts MCS (RA-2137 2023)",
    )


def test_a_profile_measured_on_session_hosts_brings_its_users_per_machine() -> None:
    cells, layout = dict(CELLS.values), BUILT.layout
    block = layout.blocks["default:users_per_vm"]
    row = block.first_row + 1 + BUILT.data.profile_names().index("Office worker full clone Monday (NTP 2016)")
    cells[Address(block.sheet, row, block.first_column)] = 20.0
    measured = Cells(cells, CELLS.names, CELLS.sheets)
    found = numbers(
        BUILT, measured, {"desktops": 1990.0}, "users_per_vm", "virtual_machines", "users_per_vm_overstates"
    )
    assert found == [20, 100, 0]


def test_no_users_on_a_machine_is_refused_at_the_cell() -> None:
    item = built().data.input("users_per_vm")
    assert (item.minimum, item.maximum, item.travels) == (1, 1000, True)
    for sheet, place in (BUILT.layout.typed("users_per_vm"), ("Inputs", f"E{BUILT.layout.inputs['users_per_vm'][1]}")):
        (rule,) = [rule for rule in BUILT.workbook[sheet].data_validations.dataValidation if place in rule.sqref]
        assert rule.showErrorMessage
        assert (float(rule.formula1), float(rule.formula2)) == (1, 1000)
    # pasted over the message it counts as blank, or as one user
    for below in (0.0, 0.5, -3.0):
        assert results({"users_per_vm": below}, "virtual_machines") == [1500]


@pytest.mark.parametrize(("users", "flag"), [(None, 0), (10.0, 0), (1.0, 0), (12.0, 1), (40.0, 1)])
def test_other_users_on_a_machine_than_those_of_its_profile_raise_an_alert(users: Value, flag: float) -> None:
    """RA-2137 measured ten users on a machine: at 40 the same 40 GiB of cache served four times as many."""
    profile = "Knowledge worker session hosts MCS (RA-2137 2023)"
    design: dict[str, Value] = {"profile": profile, "desktops": 3000.0, "users_per_vm": users}
    ((found, words),) = answers(BUILT, CELLS, [design], "users_per_vm_overstates", "users_words")
    assert found == flag
    assert words == "Type what a machine of so many users stores and boots: the profile has 10"
