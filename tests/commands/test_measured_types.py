"""`measure --save` with types: a profile for each with enough pilots, groups that have it, trials of all together."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path

import pytest

from addin.results import applying
from addin.results.applying import Change
from addin.shell.main import main
from addin.workbook.book import open_book
from model.sheets.catalogue.measured import JOINT_ROW, TOGETHER_ROW, TYPE_ROW
from model.sheets.catalogue.phases import MEASURED
from tests.measured.test_by_type import TYPES, estate
from tests.support import pilots
from tests.support.json_schema import faults
from tests.support.one_sheet import one_sheet
from tests.support.shell import Run

HOURS = ("--hours", "08:00-18:00", "--login", "08:00-09:30", "--keep-first-days")
ALL = "Measured: 23 desktops, 5 days, 5 min; 95 % upper bound"
TASK, POWER = "Measured: task, 12 desktops, 5 days; 95 %", "Measured: power, 11 desktops, 5 days; 95 %"
SCHEMA = Path(__file__).parents[2] / "addin" / "shell" / "schemas" / "measure.json"
GROUPS = ("--set", "profile=User groups", "--set", "desktops=1000")
Files = tuple[Path, Path]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """Pilots of two types, and the types."""
    home = tmp_path_factory.mktemp("types")
    return pilots.generic(home / "pilots.csv", estate()), pilots.write(home / "types.csv", TYPES)


@pytest.fixture(scope="module")
def saved(original: Path, files: Files, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict]:
    """Return a copy with the profiles, and what measure printed."""
    new = tmp_path_factory.mktemp("saved") / "new.xlsx"
    with contextlib.redirect_stdout(io.StringIO()) as out:
        options = (*HOURS, "--types", str(files[1]), "--json", "--save", str(new))
        assert main(["measure", str(original), str(files[0]), *options]) == 0
    return new, json.loads(out.getvalue())


def groups(path: Path) -> list[list[object]]:
    """Return name, users and profile of the lines of User groups that have users."""
    rows = one_sheet(path, "User groups").iter_rows(5, 10, 1, 5, values_only=True)
    return [[name, users, profile] for name, _, users, _, profile in rows if users]


def lines(path: Path) -> list[tuple[object, ...]]:
    """Return the lines of types on Measured."""
    rows = one_sheet(path, "Measured").iter_rows(TYPE_ROW, TYPE_ROW + 29, 1, 9, values_only=True)
    return [row for row in rows if row[0]]


def results(run: Run, path: Path, *options: str) -> dict[str, object]:
    code, out, err = run("size", path, *options, "--json")
    assert (code, err) == (0, "")
    return {row["key"]: row["value"] for row in json.loads(out)["results"]}


@pytest.mark.slow
def test_each_group_has_the_profile_of_its_type_and_measured_shows_it(saved: tuple[Path, dict]) -> None:
    new, content = saved
    assert groups(new) == [["task", 900, TASK], ["power", 100, POWER]]
    by_line = {str(row[0]).partition(",")[0]: row[1:] for row in lines(new)}
    assert list(by_line) == ["power: login", "power: steady work", "task: login", "task: steady work"]
    book = open_book(new)
    for each in content["types"]:
        title = {"task": TASK, "power": POWER}[each["type"]]
        for phase in each["phases"]:
            label = {"login": "login", "steady": "steady work"}[phase["phase"]]
            low, high = phase["interval_iops_per_desktop"]
            figures = [phase["design_iops_per_desktop"], low, high, phase["upper_iops_per_desktop"]]
            figures += [phase[key] for key in ("pilots_needed", "read_ratio", "block_kib")]
            profile, *shown = by_line[f"{each['type']}: {label}"]
            assert profile == title
            assert shown == pytest.approx(figures, rel=1e-5)
            key = f"{title}.{'steady' if label != 'login' else 'login'}_iops"
            typed = book.cells.constant(book.entry(key).address)
            assert typed == pytest.approx(phase["upper_iops_per_desktop"], rel=1e-5)


@pytest.mark.slow
def test_a_trial_of_the_estate_measured_is_the_resample_of_all_desktops(run: Run, saved: tuple[Path, dict]) -> None:
    """By joint row 7: whatever the bounds of the types add up to, all desktops ask for what the resample did."""
    new, content = saved
    ws = one_sheet(new, "Measured")
    upper = {phase["phase"]: phase["upper_iops"] for phase in content["phases"]}
    column = 3 + MEASURED.index("steady")
    together, ratio = (float(str(ws.cell(row, column).value)) for row in (TOGETHER_ROW, JOINT_ROW + 6))
    assert together < 1  # bounds of types add up to more than the bound of all
    design, drawn = (
        float(str(results(run, new, *GROUPS, *options)["steady_iops"])) for options in ((), ("--set", "measured_row=7"))
    )
    assert drawn / design == pytest.approx(ratio * together, rel=1e-9)
    assert drawn == pytest.approx(ratio * upper["steady"], rel=1e-4)


@pytest.mark.slow
def test_simulate_says_what_it_draws_of_types(run: Run, saved: tuple[Path, dict]) -> None:
    new, _ = saved
    _, out, _ = run("simulate", new, *GROUPS, "--trials", "4096")
    said = (
        "by type where a type has enough pilots; 200 joint rows: each trial draws one, and scale on every phase is not"
    )
    assert said in out
    _, out, _ = run("simulate", new, "--set", f"profile={ALL}", "--trials", "4096")
    assert "200 joint rows: each trial draws one with its read share and block size" in out
    _, out, _ = run("simulate", new, "--set", f"profile={TASK}", "--trials", "4096")
    assert f"Joint rows are not drawn: they are of {ALL}" in out
    assert "as of a profile that is measured here" in out


@pytest.mark.slow
def test_one_type_is_no_type(run: Run, original: Path, files: Files, tmp_path: Path) -> None:
    """The same profile, no lines of types, no groups."""
    one, none = tmp_path / "one.xlsx", tmp_path / "none.xlsx"
    single = pilots.write(tmp_path / "single.csv", "desktop,type\n*,everybody\n")
    for new, options in ((one, ("--types", single)), (none, ())):
        assert run("measure", original, files[0], *HOURS, *options, "--save", new)[0] == 0
    assert lines(one) == lines(none) == []
    assert groups(one) == groups(none) == []
    assert results(run, one, "--set", f"profile={ALL}") == results(run, none, "--set", f"profile={ALL}")


@pytest.mark.slow
def test_rows_that_hold_something_or_are_chosen_stay_and_types_without_one_are_named(
    run: Run, original: Path, files: Files, tmp_path: Path
) -> None:
    mine, new = tmp_path / "mine.xlsx", tmp_path / "new.xlsx"
    book = open_book(original)
    typed: dict[str, str | float] = {"My profile 2 steady work.block_kib": 9.0, "Group 6.profile": "My profile 4"}
    typed |= {f"My profile {number}.year": 2025.0 for number in (5, 6, 7)}
    applying.write(book, [Change(book.entry(key), None, value) for key, value in typed.items()], mine)
    _, out, _ = run("measure", mine, files[0], *HOURS, "--types", files[1], "--save", new)
    kept = open_book(new)
    assert {key: kept.cells.constant(kept.entry(key).address) for key in typed} == typed
    assert "power: no empty row of My profiles is left, so it gets the profile of all desktops" in out
    assert "'User groups'!E10 is filled, so the groups stay out: empty User groups for them" in out
    assert {row[1] for row in lines(new)} == {TASK, None}


@pytest.mark.slow
def test_groups_that_ask_for_less_than_all_desktops_are_named(run: Run, original: Path, tmp_path: Path) -> None:
    """Nine power users have no profile of their own, and that of all is too low for them."""
    files = pilots.generic(tmp_path / "pilots.csv", estate(power=9))
    types = pilots.write(tmp_path / "types.csv", TYPES.replace("power,100", "power,900"))
    code, out, _ = run("measure", original, files, *HOURS, "--types", types, "--dry-run")
    assert code == 0
    assert "type power: 9 desktops on 5 days: a profile of its own needs 10 desktops and 5 days" in out
    assert "steady: the groups together ask for " in out
    assert " % less than all desktops measured together: measure more of the types without a profile" in out


@pytest.mark.slow
def test_names_of_types_are_cut_and_stay_apart(run: Run, original: Path, tmp_path: Path) -> None:
    files = pilots.generic(tmp_path / "pilots.csv", estate())
    long = "people of the department for "
    text = f"desktop,type,desktops\nT-*,{long}tasks,900\nP-*,{long}power,100\n"
    new = tmp_path / "new.xlsx"
    types = pilots.write(tmp_path / "types.csv", text)
    code, _, err = run("measure", original, files, *HOURS, "--types", types, "--system", "W11", "--save", new)
    assert (code, err) == (0, "")
    names = {str(row[1]) for row in lines(new)}
    assert len(names) == 2
    assert all(len(name) <= 60 and name.startswith("Measured W11: people of the") for name in names)


@pytest.mark.slow
def test_after_go_live_one_corrected_profile_serves_all_types(
    run: Run, original: Path, files: Files, tmp_path: Path
) -> None:
    new = tmp_path / "new.xlsx"
    code, out, err = run("measure", original, files[0], *HOURS, "--types", files[1], "--against", "--save", new)
    assert (code, err) == (0, "")
    assert "Corrected: measured on 23 desktops, 5 days" in out
    assert {row[1] for row in lines(new)} == {None}
    assert groups(new) == []


@pytest.mark.slow
def test_after_go_live_each_group_is_beside_what_it_was_sized_for(
    run: Run, saved: tuple[Path, dict], files: Files, tmp_path: Path
) -> None:
    """Sized with the profiles of the same pilots: each group for its bound, above the design demand measured now."""
    book, copy = open_book(saved[0]), tmp_path / "groups.xlsx"
    typed: dict[str, str | float] = {"profile": "User groups", "desktops": 1000.0, "concurrent_ratio": 1.0}
    applying.write(book, [Change(book.inputs[key], None, value) for key, value in typed.items()], copy)
    code, out, err = run("measure", copy, files[0], *HOURS, "--types", files[1], "--against", "--json")
    assert (code, err) == (0, "")
    content = json.loads(out)
    assert list(faults(content, json.loads(SCHEMA.read_text(encoding="utf-8")))) == []
    bounds = {(each["type"], phase["phase"]): phase["upper_iops_per_desktop"]
              for each in content["types"] for phase in each["phases"]}  # fmt: skip
    sized = {(each["type"], phase["phase"]): phase["sized_iops"] / each["desktops"]
             for each in content["against"]["types"] for phase in each["phases"]}  # fmt: skip
    assert set(sized) == {(name, phase) for name in ("task", "power") for phase in ("login", "steady")}
    steady = {key: value for key, value in sized.items() if key[1] == "steady"}
    assert steady == pytest.approx({key: bounds[key] for key in steady}, rel=1e-4)


@pytest.mark.slow
def test_a_second_study_without_types_takes_their_lines_away(
    run: Run, saved: tuple[Path, dict], files: Files, tmp_path: Path
) -> None:
    again = tmp_path / "again.xlsx"
    code, _, err = run(
        "measure", saved[0], files[0], *HOURS, "--row", "My profile 4", "--system", "W10", "--save", again
    )
    assert (code, err) == (0, "")
    assert lines(again) == []
    assert one_sheet(again, "Measured").cell(TOGETHER_ROW, 4).value is None
    assert groups(again) == groups(saved[0])


@pytest.mark.slow
def test_a_copy_with_types_keeps_every_rule_and_its_json_the_schema(run: Run, saved: tuple[Path, dict]) -> None:
    new, content = saved
    assert list(faults(content, json.loads(SCHEMA.read_text()))) == []
    code, out, _ = run("audit", new)
    assert (code, "all rules passed" in out) == (0, True)


@pytest.mark.slow
def test_a_type_that_nobody_measured_is_a_group_and_named(
    run: Run, original: Path, files: Files, tmp_path: Path
) -> None:
    new = tmp_path / "new.xlsx"
    types = pilots.write(tmp_path / "types.csv", TYPES + "K-*,kiosk,40\n")
    code, out, _ = run("measure", original, files[0], *HOURS, "--types", types, "--save", new)
    assert code == 0
    assert "type kiosk: no desktop of it was measured: it gets the profile of all desktops" in out
    assert groups(new) == [["task", 900, TASK], ["power", 100, POWER], ["kiosk", 40, ALL]]


@pytest.mark.slow
def test_more_types_than_lines_of_groups_leave_them_out(run: Run, original: Path, files: Files, tmp_path: Path) -> None:
    new = tmp_path / "new.xlsx"
    types = pilots.write(tmp_path / "types.csv", TYPES + "".join(f"{name},{name},1\n" for name in "ABCDE"))
    code, out, _ = run("measure", original, files[0], *HOURS, "--types", types, "--save", new)
    assert (code, groups(new)) == (0, [])
    assert "7 types, and User groups has 6 lines: give some of them one name in the file of --types" in out


@pytest.mark.slow
def test_a_name_that_a_look_up_or_a_cell_would_read_otherwise_is_text(
    run: Run, original: Path, files: Files, tmp_path: Path
) -> None:
    new = tmp_path / "new.xlsx"
    types = pilots.write(tmp_path / "types.csv", "desktop,type,desktops\nT-*,=1+1,900\nP-*,a~b*?,100\n")
    code, _, err = run("measure", original, files[0], *HOURS, "--types", types, "--save", new)
    assert (code, err) == (0, "")
    assert {str(row[0]) for row in groups(new)} == {"=1+1", "a~b*?"}
    assert one_sheet(new, "User groups")["A5"].data_type == "s"
    _, out, _ = run("size", new, *GROUPS, "--result", "demand_source")
    assert "measured on 23 desktops, 5 days" in out


def test_types_that_nobody_measured_are_groups_too(run: Run, original: Path, tmp_path: Path) -> None:
    """Of two types one has pilots: both are groups, with the profile of all, as many as types.csv says."""
    made = pilots.generic(tmp_path / "pilots.csv", pilots.pilots(12))
    types = pilots.write(tmp_path / "types.csv", "desktop,type,desktops\nTASK-*,task,900\n*,power,100\n")
    code, out, err = run(
        "measure", original, made, "--hours", "08:00-18:00", "--keep-first-days", "--types", types, "--dry-run"
    )
    assert (code, err) == (0, "")
    assert "tab User groups: 2 groups; choose the workload User groups and 1,000 desktops on Answer" in out
    assert "Group 1.users: blank -> 900 desktops" in out
    assert "Group 2.users: blank -> 100 desktops" in out
    assert out.count("profile: blank -> Measured: 12 desktops, 5 days, 5 min; 95 % upper bound") == 2
