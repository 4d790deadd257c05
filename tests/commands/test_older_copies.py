"""Every command works on a copy of the last release, with its own formulas, also where a tab of it is one no longer."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import pytest
from openpyxl import load_workbook

from addin.audit import audit_saved
from addin.kernel import Cells
from addin.leaving.tabs import declared
from addin.results.document import pdf
from addin.results.list_sheets import AUDITED
from addin.results.table_sheets import COMPARED
from addin.workbook.book import open_book
from addin.workbook.digests import digest
from model import workbook as model
from tests.support import opened, released, shipped
from tests.support.shell import Run

pytestmark = pytest.mark.slow
RELEASE = "0.2.0"
GONE = ("", "Card checks", "Units")  # a tab that the model no longer has: none, one that others look at, one of facts
STRICTER = {  # what rules that are newer than the release find in it as it was shipped
    ("R14", "'My arrays'!A1"),
    ("R14", "Growth!A1"),
    ("R22", "Growth!A1"),
    ("Size", "Growth!A1"),
}


@pytest.fixture(scope="module")
def shipped_then(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return released.write(RELEASE, tmp_path_factory.mktemp("older") / "then.xlsx")


@pytest.fixture
def old(shipped_then: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(pdf.BROWSER, "")  # no document is printed
    return Path(shutil.copy(shipped_then, tmp_path / "Deal.xlsx"))


def take_out(monkeypatch: pytest.MonkeyPatch, tab: str) -> None:
    """Have the model be without a tab, wherever its tabs are looked at."""
    left = tuple(each for each in model.TABS if each.name != tab)
    for module in [each for each in sys.modules.values() if getattr(each, "TABS", None) is model.TABS]:
        monkeypatch.setattr(module, "TABS", left)


def typed(path: Path, target: Path, key: str, value: float) -> Path:
    workbook = load_workbook(path)
    opened.named(workbook, f"In_{key}").value = value
    workbook.save(target)
    return target


def untouched(cells: Cells, titles: tuple[str, ...]) -> dict[object, object]:
    return {at: value for at, value in cells.values.items() if at.sheet in titles}


def test_size_gives_what_its_release_stored(run: Run, old: Path) -> None:
    stored = load_workbook(old, data_only=True)
    code, out, err = run("size", old, "--json")
    assert (code, err) == (0, "")
    results = {row["key"]: row["value"] for row in json.loads(out)["results"]}
    assert (results["arrays_required"], round(results["desktops_at_limit"], 9)) == (3, 1693)
    for key, value in results.items():
        then = opened.named(stored, f"Out_{key}").value
        assert value == (pytest.approx(then, rel=1e-14) if isinstance(then, int | float) else then), key


def test_what_if_goal_seek_and_explain_follow_its_own_formulas(run: Run, old: Path) -> None:
    """0.2.0 names what limits after a failure Failover; later versions have another name for it."""
    code, out, _ = run("compare", old)
    row = next(line for line in out.splitlines() if line.startswith("NetApp AFF8040"))
    assert (code, re.split(r"  +", row)[1:6]) == (0, ["3", "2.656", "Failover", "Latency", "none"])
    code, out, _ = run("seek", old, "--vary", "desktops", "--target", "arrays_required=1")
    assert (code, out.splitlines()[-1]) == (0, "Largest desktops with arrays_required <= 1: 564 desktops.")
    code, out, _ = run("explain", old, "arrays_required", "--depth", "1")
    assert (code, out.splitlines()[0]) == (0, "3 arrays because failover needs 2.66 arrays.")
    assert "Sizing!D70  Arrays required = 3  =MAX(1,ROUNDUP(D39,0))+Capacity!D47" in out


def test_simulate_draws_its_own_spreads(run: Run, old: Path) -> None:
    code, out, err = run("simulate", old, "--trials", "1024", "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)["results"]["ratio_largest"]
    assert found["base"] == open_book(old).evaluate({}, ["ratio_largest"])["ratio_largest"]
    assert found["mean"]["value"] == pytest.approx(2.618, abs=0.02)


def test_diff_with_the_build_at_hand_names_both_versions(run: Run, old: Path, tmp_path: Path) -> None:
    code, out, err = run("diff", old, shipped.write(tmp_path))
    assert (code, err) == (1, "")
    assert f"version                   Version of the model: {RELEASE} -> {shipped.built().made.version}" in out
    assert "binding_constraint        Limited by: Failover -> Latency, after one failure" in out
    said = " ".join(out.split())  # lines end at the width of the terminal
    assert said.endswith("The copies are of different versions: what only one of them has is shown as not there.")


@pytest.mark.parametrize("gone", GONE[1:2])
def test_diff_with_a_changed_copy_names_the_input_alone(
    run: Run, old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gone: str
) -> None:
    take_out(monkeypatch, gone)
    code, out, err = run("diff", old, typed(old, tmp_path / "changed.xlsx", "desktops", 2500))
    assert (code, err) == (1, "")
    assert re.findall(r"^[A-Z].* \(\d+\)$|^Inputs$", out, re.MULTILINE) == ["Inputs", "Results of the base design (92)"]
    assert "Users: 1,500 -> 2,500  +2.000" in out


@pytest.mark.parametrize("gone", GONE[1:])
def test_an_audit_knows_every_tab_of_its_release(
    run: Run, old: Path, monkeypatch: pytest.MonkeyPatch, gone: str
) -> None:
    take_out(monkeypatch, gone)
    code, out, err = run("audit", old)
    found = {(line.split()[0], line.split(": ")[0].partition(" ")[2]) for line in out.partition("\n\n")[0].splitlines()}
    assert (code, err, found) == (1, "", STRICTER)
    ours = shipped.built().made.version
    assert f"The rules are those of version {ours}; what the copy breaks may be so in its release, {RELEASE}." in out
    assert re.search(r"^Card checks +32 ", out, re.MULTILINE)
    assert re.search(r"^Total +1,594 +442 +34,999$", out, re.MULTILINE)


def test_an_audit_still_misses_a_tab_that_its_release_had(old: Path) -> None:
    workbook = load_workbook(old)
    workbook.move_sheet("Sources", 1)
    del workbook["Units"]
    found = [str(each) for each in audit_saved(workbook, old, tabs=declared(RELEASE)).findings if each.rule == "R01"]
    assert any("the tab Units is missing" in each for each in found)
    assert any("the tab About is in the place of Sources" in each for each in found)


@pytest.mark.parametrize("gone", GONE[:2])
def test_result_sheets_go_into_a_copy_and_nothing_leaves_it(
    run: Run, old: Path, monkeypatch: pytest.MonkeyPatch, gone: str
) -> None:
    take_out(monkeypatch, gone)
    before = open_book(old).cells
    for name in ("compare", "audit"):
        assert run(name, old, "--sheet")[0] == (name == "audit")
    after = open_book(old)
    assert after.cells.sheets == (*before.sheets, COMPARED, AUDITED)
    assert untouched(after.cells, before.sheets) == dict(before.values.items())
    assert after.cells.names == before.names
    shown = load_workbook(old, data_only=True)
    assert shown[AUDITED]["A2"].value == f"{len(STRICTER)} findings"
    arrays = {row[0]: row[1] for row in shown[COMPARED].iter_rows(values_only=True) if row[0]}
    assert arrays["NetApp AFF8040"] == 3


@pytest.mark.parametrize("gone", GONE[1:2])
def test_a_hand_off_without_prices_keeps_the_tab_that_is_one_no_longer(
    run: Run, old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gone: str
) -> None:
    take_out(monkeypatch, gone)
    priced = typed(old, tmp_path / "Priced.xlsx", "array_price", 84140.4)
    code, out, _ = run("handoff", priced)
    assert (code, "Left out" in out) == (0, False)
    folder = tmp_path / "Priced hand-off"
    before, values = load_workbook(old, data_only=True), load_workbook(folder / "values.xlsx")
    assert values.sheetnames == before.sheetnames
    cells = [cell for row in before[gone].iter_rows() for cell in row if cell.value is not None]
    assert len(cells) > 900
    for cell in cells:
        wanted = pytest.approx(cell.value, rel=1e-14) if cell.data_type == "n" else cell.value
        assert values[gone][cell.coordinate].value == wanted, cell.coordinate
    told = (folder / "formulas.txt").read_text(encoding="utf-8")
    assert gone in told
    assert "84140.4" not in told


@pytest.mark.parametrize("gone", GONE[:2])
def test_changes_of_its_page_are_applied(
    run: Run, old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gone: str
) -> None:
    take_out(monkeypatch, gone)
    changes, target = tmp_path / "changes.json", tmp_path / "new.xlsx"
    changes.write_text(json.dumps({"workbook digest": digest(open_book(old).cells), "inputs": {"desktops": 2200}}))
    code, out, err = run("apply", old, changes, "--save", target)
    assert (code, err) == (0, "")
    assert "as the page was made from" in out
    assert open_book(target).cells.sheets == open_book(old).cells.sheets
    wanted = run("size", old, "--set", "desktops=2200", "--result", "arrays_required")[1]
    assert run("size", target, "--result", "arrays_required")[1] == wanted
