"""`measure --save` fills User groups from an inventory, and the tab Measured beside it: nothing typed is lost."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from addin.kernel import Address, shared_evaluator
from addin.results import applying
from addin.results.applying import Change
from addin.workbook.book import open_book
from model.sheets.catalogue.measured import AFTER_ROW, GROUP_ROW, MOST_GROUPS, PHASE_ROW
from model.sheets.catalogue.phases import MEASURED
from tests.measured.test_inventories import INFO, MACHINES, workbook
from tests.support import pilots
from tests.support.one_sheet import one_sheet
from tests.support.shell import Run

HOURS = ("--hours", "08:00-18:00", "--login", "08:00-09:30", "--keep-first-days")
TASK, POWER = ["VDI-T", 2, 4, 20], ["VDI-P", 1, 8, 50]  # users, memory and used GiB, as the inventory has them


@pytest.fixture
def inventory(tmp_path: Path) -> Path:
    """An export of three desktops that are on, of two kinds."""
    return workbook(tmp_path / "inventory.xlsx", {"vInfo": [INFO, *MACHINES], "vHost": [["Host", "# Cores"], ["h", 8]]})


def lines(path: Path) -> list[list[object]]:
    """Return name, users, profile, memory and disk of the lines of User groups that have users."""
    ws = one_sheet(path, "User groups")
    rows = ws.iter_rows(5, 10, 1, 8, values_only=True)
    return [[name, users, profile, ram, disk] for name, _, users, _, profile, _, ram, disk in rows if users]


def estate(path: Path) -> list[list[object]]:
    """Return the lines of the estate on Measured without the words."""
    rows = one_sheet(path, "Measured").iter_rows(GROUP_ROW, GROUP_ROW + MOST_GROUPS - 1, 1, 8, values_only=True)
    return [[row[0], *row[2:]] for row in rows if row[0]]


@pytest.mark.slow
def test_an_inventory_alone_gives_users_memory_and_disk_and_no_iops(
    run: Run, original: Path, inventory: Path, tmp_path: Path
) -> None:
    new, again = tmp_path / "new.xlsx", tmp_path / "again.xlsx"
    code, out, err = run("measure", original, inventory, "--save", new)
    assert (code, err) == (0, "")
    assert "choose the workload User groups and 3 desktops on Answer and a profile for each" in out
    assert lines(new) == [[name, users, None, ram, used] for name, users, ram, used in (TASK, POWER)]
    assert estate(new) == [["VDI-T", 2, None, None, 4, 40, 20], ["VDI-P", 1, None, None, 8, 80, 50]]
    assert one_sheet(new, "Measured").cell(PHASE_ROW, 4).value is None
    before = new.read_bytes()
    code, out, err = run("measure", new, inventory, "--save", again)
    assert (code, out, again.exists(), new.read_bytes() == before) == (2, "", False, True)
    assert "--save: 'User groups'!C5 is filled, so the groups of the inventory stay out" in err
    run("measure", original, inventory, "--method", "MCS", "--save", again)
    assert [line[4] for line in lines(again)] == [None, None]  # GiB of a linked clone are no disk of a full clone


@pytest.mark.slow
def test_groups_get_the_measured_profile_and_the_counts_of_types(
    run: Run, original: Path, inventory: Path, tmp_path: Path
) -> None:
    """Each type with its own steady demand on Measured, the groups with one profile, and a design sized with both."""
    files, new, later = (tmp_path / name for name in ("pilots.csv", "new.xlsx", "later.xlsx"))
    pilots.generic(files, pilots.pilots(count=13))
    types = pilots.write(
        tmp_path / "types.csv", "desktop,type,desktops\nVDI-00*,task,900\nVDI-T*,task,900\n*,power,100\n"
    )
    options = (*HOURS, "--types", types, "--json", "--save", new)
    code, out, err = run("measure", original, files, inventory, *options)
    assert (code, err) == (0, "")
    name = "Measured: 13 desktops, 5 days, 5 min; 95 % upper bound"
    assert lines(new) == [["task", 900, name, 4, 20], ["power", 100, name, 8, 50]]
    (steady,) = (phase for phase in json.loads(out)["phases"] if phase["phase"] == "steady")
    design = {each["type"]: each["design_iops_per_desktop"] for each in steady["types"]}
    by_name = {str(line[0]): line[1:] for line in estate(new)}
    assert by_name.keys() == design.keys()
    for kind, (users, measured) in {"task": (2, 9), "power": (1, 4)}.items():
        assert by_name[kind][1] == measured
        assert by_name[kind][2] == pytest.approx(design[kind], rel=1e-5)
        assert by_name[kind][0] == {"task": 900, "power": 100}[kind], users
    chosen = ("--set", "profile=User groups", "--set", "desktops=1000")
    _, mixed, _ = run("size", new, *chosen, "--json")
    _, alone, _ = run("size", new, "--set", f"profile={name}", "--set", "desktops=1000", "--json")
    both = [
        next(row["value"] for row in json.loads(each)["results"] if row["key"] == "login_iops")
        for each in (mixed, alone)
    ]
    assert both[0] == pytest.approx(both[1], rel=1e-12)
    code, _, err = run("measure", new, files, *HOURS, "--system", "W11", "--row", "My profile 2", "--save", later)
    assert (code, err) == (0, "")
    assert estate(later) == estate(new)  # a later study without an inventory keeps the groups


@pytest.mark.slow
def test_what_somebody_typed_into_a_group_stays(run: Run, original: Path, inventory: Path, tmp_path: Path) -> None:
    files, mine, new = (tmp_path / name for name in ("pilots.csv", "mine.xlsx", "new.xlsx"))
    pilots.generic(files, pilots.pilots(count=13))
    book = open_book(original)
    applying.write(book, [Change(book.entry("Group 6.users"), None, 12.0)], mine)
    code, out, _ = run("measure", mine, files, inventory, *HOURS, "--save", new)
    assert (code, lines(new)) == (0, [["Group 6", 12, None, None, None]])
    assert "'User groups'!C10 is filled, so the groups of the inventory stay out" in out


@pytest.mark.slow
def test_the_update_after_go_live_is_a_formula_of_what_was_sized_and_measured(
    run: Run, original: Path, tmp_path: Path
) -> None:
    files, new = pilots.generic(tmp_path / "pilots.csv", pilots.pilots(count=13)), tmp_path / "new.xlsx"
    code, out, err = run("measure", original, files, *HOURS, "--against", "--json", "--save", new)
    assert (code, err) == (0, "")
    book = open_book(new)
    evaluator = shared_evaluator(book.cells)
    found = {phase["phase"]: phase for phase in json.loads(out)["against"]["phases"]}
    for row, phase in enumerate(MEASURED, AFTER_ROW):
        weight, corrected = (evaluator.value(Address("Measured", row, column)) for column in (7, 8))
        if phase not in found:
            assert (weight, corrected) == ("none", "none")
            continue
        known: dict[str, float] = found[phase]
        tau, sigma = known["prior_spread"], known["error"]
        expected = tau**2 / (tau**2 + sigma**2)
        assert weight == pytest.approx(expected, rel=1e-5)
        log = math.log(known["measured_iops"] / known["sized_iops"])
        assert corrected == pytest.approx(known["sized_iops"] / 1500 * math.exp(expected * log), rel=1e-5)
