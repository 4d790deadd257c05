"""`measure --against` as a person types it: measured beside sized, followed by hand, and saved as a profile."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from openpyxl import load_workbook

from addin.results import sized
from addin.workbook.book import open_book
from model.sheets.catalogue.phases import LABELS
from tests.support import pilots
from tests.support.one_sheet import one_sheet
from tests.support.shell import Run

HOURS = ("--hours", "08:00-18:00", "--login", "08:00-09:30", "--patching", "18:00-18:30", "--keep-first-days")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Thirteen desktops over a week."""
    return pilots.generic(tmp_path / "pilots.csv", pilots.pilots(count=13))


@pytest.mark.slow
def test_every_number_of_the_update_is_printed_and_the_corrected_profile_saved(
    run: Run, original: Path, files: Path, tmp_path: Path
) -> None:
    new, before = tmp_path / "new.xlsx", original.read_bytes()
    code, out, err = run("measure", original, files, *HOURS, "--against", "--json", "--save", new)
    assert (code, err) == (0, "")
    content = json.loads(out)
    found = content["against"]
    names = [phase["phase"] for phase in found["phases"]]
    assert (found["design"], names) == ("Base design", ["login", "steady", "patching"])
    assert "boot: not measured; its sized figure is as it was" in found["notes"]
    book = open_book(original)
    measured = {phase["phase"]: phase["design_iops_per_desktop"] for phase in content["phases"]}
    for phase in found["phases"]:
        name, source = phase["phase"], phase["prior_from"]
        assert phase["sized_iops"] == book.computed.value(book.results[f"{name}_iops"].address)
        assert phase["measured_iops"] == pytest.approx(measured[name] * found["desktops"])
        logs = [each["ln_printed_over_ours"] for each in found["misses"] if source in (each["phase"], "all phases")]
        assert phase["prior_misses"] == len(logs)
        spread, error = math.sqrt(sum(log**2 for log in logs) / len(logs)), phase["error"]
        assert phase["prior_spread"] == pytest.approx(spread)
        by_hand = spread**2 / (spread**2 + error**2) * math.log(phase["measured_iops"] / phase["sized_iops"])
        corrected = phase["sized_iops"] * math.exp(by_hand) / found["desktops"]
        assert phase["corrected_iops_per_desktop"] == pytest.approx(corrected)
        copy = open_book(new)
        if name == "patching":  # of the row only its work, mean x minutes: the mean in proportion
            (work,) = (each for each in content["phases"] if each["phase"] == name)
            mean = work["mean_iops_per_desktop"] * corrected / work["design_iops_per_desktop"]
            at = copy.entry(f"My profile 1 {LABELS[name]}.iops").address
            assert copy.cells.constant(at) == pytest.approx(mean, rel=1e-5)
            continue
        key = f"Corrected: measured on 13 desktops, 5 days.{name}_iops"
        assert copy.cells.constant(copy.entry(key).address) == pytest.approx(corrected, rel=1e-5)
    assert original.read_bytes() == before


def test_misses_are_those_of_the_sheet(original: Path) -> None:
    """Of IOPS, predicted from another test: as the sheet prints them, and none of variants, of CPU, of one test."""
    sheet = one_sheet(original, "Predictions", data_only=True)
    rows = [[cell.value for cell in row] for row in sheet.iter_rows(min_row=5, max_col=16)]
    expected = {
        row[0]: -math.log1p(row[10]) for row in rows if (row[4], row[5], row[15]) == ("across", "prediction", "IOPS")
    }
    found = list(sized.misses(open_book(original)))
    assert {each.id: each.log for each in found} == pytest.approx(expected)
    assert {each.phase for each in found} == {"boot", "login", "steady"}


@pytest.mark.slow
def test_a_what_if_is_sized_for_its_own_desktops_and_iops(original: Path, tmp_path: Path) -> None:
    workbook, item = load_workbook(original), open_book(original).inputs["desktops"]
    at = item.beside._replace(column=item.beside.column + 1)
    workbook[at.sheet].cell(at.row, at.column).value = 4321
    workbook.save(tmp_path / "edited.xlsx")
    book = open_book(tmp_path / "edited.xlsx")
    base, other = sized.sized(book), sized.sized(book, "What-if 1")
    assert (other.design, other.desktops) == ("What-if 1", 4321)
    assert base.desktops != 4321
    for phase in ("login", "steady"):
        value, users = base.iops[phase], base.desktops
        assert other.iops[phase] == pytest.approx((value or 0) * 4321 / users, rel=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "options", "message"),
    [
        ({}, ("--sized", "What-if 1"), "--sized What-if 1: says against which design. Add --against."),
        ({}, ("--against", "--sized", "nobody"), "--sized nobody: expected base or one of What-if 1"),
        ({"profile": "My profile 1"}, ("--against",), "Base design has no answer (fill My profile 1"),
        ({"array": "My array 1"}, ("--against",), "Base design has no answer (no answer: fill the card"),
    ],
)
def test_what_cannot_be_compared_is_one_line(
    run: Run,
    original: Path,
    files: Path,
    tmp_path: Path,
    settings: dict[str, str],
    options: tuple[str, ...],
    message: str,
) -> None:
    book = original
    if settings:
        workbook = load_workbook(original)
        ((key, value),) = settings.items()
        at = open_book(original).inputs[key].address
        workbook[at.sheet][at.a1.rpartition("!")[2]] = value
        book = tmp_path / "edited.xlsx"
        workbook.save(book)
    code, out, err = run("measure", book, files, *HOURS, *options, "--save", tmp_path / "new.xlsx")
    assert (code, out, err.count("\n"), (tmp_path / "new.xlsx").exists()) == (2, "", 1, False)
    assert message in err


@pytest.mark.slow
def test_means_alone_are_no_demand(run: Run, original: Path, tmp_path: Path) -> None:
    means = pilots.generic(tmp_path / "two.csv", pilots.pilots(count=3, days=1, every=900))
    code, out, err = run("measure", original, means, *HOURS, "--against")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "--against: " in err
