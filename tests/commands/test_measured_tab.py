"""`measure --save` fills the tab Measured beside the row of My profiles, whole; commands then draw its joint rows."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import math
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from addin.measured.bootstrap import Row
from addin.measured.records import Options
from addin.measured.request import Request
from addin.prices import without_prices
from addin.results import applying
from addin.results.applying import Change
from addin.results.measured_tab import filled, joint_mixes, joint_ratios, joint_rows
from addin.shell.main import main
from addin.workbook import own_rows
from addin.workbook.book import open_book
from model.sheets.catalogue.measured import DAY_ROW, FILLED_ROW, JOINT_ROW, MOST_FILES, MOST_ROWS, PHASE_ROW
from model.sheets.catalogue.phases import MEASURED, MIXED
from tests.support import pilots, released
from tests.support.one_sheet import one_sheet
from tests.support.shell import Run

HOURS = ("--hours", "08:00-18:00", "--login", "08:00-09:30", "--keep-first-days")
NAME = "Measured W11: 13 desktops, 5 days, 5 min; 95 % upper bound"
SHIPPED = Path(__file__).parents[2] / "templates" / "vdi-storage-sizing.xlsx"
TYPED = {"hosts": 40.0, "My profile 2.steady_iops": 9.0, "Group 1.users": 12.0, "My array 2.capacity_tb": 7.0}
Rows = list[tuple[float, ...]]


def joint(path: Path) -> Rows:
    """Return the joint rows of a workbook as openpyxl reads them: login and steady work."""
    ws = one_sheet(path, "Measured")
    rows = ws.iter_rows(JOINT_ROW, JOINT_ROW + MOST_ROWS - 1, 3, 2 + len(MEASURED), values_only=True)
    return [tuple(float(str(each)) for each in row if each is not None) for row in rows if any(row)]


@pytest.fixture(scope="module")
def saved(original: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict, Path]:
    """Return a copy with a study of thirteen desktops and other typed cells, what measure printed, and the file."""
    home = tmp_path_factory.mktemp("measured")
    files, mine, new = home / "pilots.csv", home / "mine.xlsx", home / "new.xlsx"
    pilots.generic(files, pilots.pilots(count=13))
    book = open_book(original)
    applying.write(book, [Change(book.entry(key), None, value) for key, value in TYPED.items()], mine)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        options = (*HOURS, "--method", "MCS", "--system", "W11", "--json", "--save", str(new))
        assert main(["measure", str(mine), str(files), *options]) == 0
    return new, json.loads(out.getvalue()), files


@pytest.mark.slow
def test_a_copy_has_files_phases_and_joint_rows_and_all_that_was_typed(saved: tuple[Path, dict, Path]) -> None:
    new, content, files = saved
    copy, ws = open_book(new), one_sheet(new, "Measured")
    assert content["joint_rows"] == MOST_ROWS
    assert {key: copy.cells.constant(copy.entry(key).address) for key in TYPED} == TYPED
    assert [cell.value for cell in ws[5][:8]] == [
        NAME,
        *("2026-10-05 to 2026-10-09", 13, 5, 5, 1, "95 % upper bound", "MCS W11"),
    ]
    names = {row[0].value: [cell.value for cell in row] for row in ws.iter_rows(1, FILLED_ROW)}
    assert names["pilots.csv"][6] == hashlib.sha256(files.read_bytes()).hexdigest()[:12]
    for phase in content["phases"]:
        _, hours, design, low, high, sized, needed, _ = (
            cell.value for cell in ws[PHASE_ROW + MEASURED.index(phase["phase"])][:8]
        )
        assert str(hours).startswith(phase["hours"])
        known = (phase["design_iops_per_desktop"], phase["upper_iops_per_desktop"], phase["pilots_needed"])
        assert (design, sized, needed) == pytest.approx(known, rel=1e-5)
        assert low <= design <= high
    day = [row for row in ws.iter_rows(DAY_ROW, DAY_ROW + 47, 3, 6, values_only=True) if row[0] is not None]
    assert [hour for hour, *_ in day] == [8 + n / 2 for n in range(20)]
    assert max(day, key=lambda row: row[1])[0] == 10  # of Thursday, on which all do twice as much then
    assert all(low < mean < high for _, mean, low, high in day)
    rows = joint(new)
    assert len(rows) == MOST_ROWS
    assert rows == sorted(rows, key=sum)
    assert all(len(row) == 2 for row in rows)  # boot, log-off and patching were not measured
    steady = next(phase for phase in content["phases"] if phase["phase"] == "steady")
    low, high = steady["interval_iops_per_desktop"]
    demands = [row[1] * steady["upper_iops_per_desktop"] for row in rows]
    inside = sum(low * (1 - 1e-5) <= each <= high * (1 + 1e-5) for each in demands)
    assert inside >= 0.94 * len(rows)  # the interval holds 95 % of the resamples that it was made of
    mixes = list(
        ws.iter_rows(JOINT_ROW, JOINT_ROW + MOST_ROWS - 1, 3 + len(MEASURED), 2 + 3 * len(MEASURED), values_only=True)
    )
    for column, (name, key) in enumerate(product(("read_ratio", "block_kib"), MIXED)):
        if key not in ("login", "steady"):
            assert {row[column] for row in mixes} == {None}
            continue
        (peak,) = (each[name] for each in content["phases"] if each["phase"] == key)
        drawn = [float(str(row[column])) for row in mixes]
        assert [min(drawn), max(drawn)] == pytest.approx([peak] * 2, rel=1e-4), (key, name)  # of all desktops alike


@pytest.mark.slow
def test_simulate_says_what_it_draws_and_size_what_it_was_sized_from(run: Run, saved: tuple[Path, dict, Path]) -> None:
    new, profile = saved[0], f"profile={NAME}"
    words = "easured on 13 desktops, 5 days, 5-minute means; 95 % upper bound"
    _, out, _ = run("simulate", new, "--set", profile, "--trials", "4096")
    assert f"M{words}; 200 joint rows: each trial draws one" in out
    _, out, _ = run("simulate", new, "--trials", "4096")
    assert "Joint rows are not drawn: they are of Measured W11: 13 desktops" in out
    _, out, _ = run("size", new, "--set", profile, "--result", "demand_source")
    assert f"m{words}" in out
    code, out, err = run("size", new, "--set", profile, "--set", "measured_row=201")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "measured_row=201: outside the whole numbers 1 to 200" in err


@pytest.mark.slow
def test_a_copy_without_prices_keeps_what_was_measured(saved: tuple[Path, dict, Path]) -> None:
    """Also where the name beside a cell was typed: of the profile, of a file."""
    book = open_book(saved[0])
    left = without_prices(book).book.cells
    typed = [at for at in book.cells.stored("Measured") if not book.cells.formula(at)]
    assert len(typed) > 2 * MOST_ROWS
    assert [at.a1 for at in typed if left.constant(at) != book.cells.constant(at)] == []


@pytest.mark.slow
def test_a_second_study_takes_the_place_of_the_first(run: Run, saved: tuple[Path, dict, Path], tmp_path: Path) -> None:
    again = tmp_path / "again.xlsx"
    alone = pilots.generic(tmp_path / "alone.csv", pilots.pilots(count=8, days=4))
    options = ("--hours", "08:00-18:00", "--keep-first-days", "--row", "My profile 3", "--save", again)
    code, out, err = run("measure", saved[0], alone, *options)
    assert (code, err) == (0, "")
    assert "tab Measured: measured on 8 desktops, 4 days" in out
    texts = {str(cell.value) for row in one_sheet(again, "Measured").iter_rows() for cell in row if cell.value}
    assert "alone.csv" in texts
    assert "pilots.csv" not in texts
    assert joint(again) == []  # eight desktops have no interval, so no resamples either
    kept = open_book(again)
    for key in (f"{NAME}.steady_iops", *TYPED):
        assert kept.cells.constant(kept.entry(key).address) is not None


@pytest.mark.slow
def test_a_corrected_profile_gets_no_joint_rows_and_an_older_workbook_none_either(
    run: Run, original: Path, tmp_path: Path
) -> None:
    files = pilots.generic(tmp_path / "pilots.csv", pilots.pilots(count=13))
    _, out, _ = run("measure", original, files, *HOURS, "--against", "--dry-run")
    assert "1 file, 0 joint rows" in out
    code, out, err = run("measure", released.write("0.2.0", tmp_path / "old.xlsx"), files, *HOURS, "--dry-run")
    assert (code, err) == (0, "")
    assert "old.xlsx has no tab Measured, so joint rows are not written: take a fresh copy for them" in out
    assert "My profile 1.steady_iops: blank -> " in out


def test_more_files_than_the_tab_has_lines_are_counted(tmp_path: Path) -> None:
    book = open_book(SHIPPED)
    study = pilots.measured([pilots.generic(tmp_path / "a.csv", pilots.pilots(count=2))], settled=True)
    many = replace(study, readings=study.readings * (MOST_FILES + 3))
    request = Request((), Options(), None)
    changes = filled(book, "My profile 1", many, request, many).changes
    places = own_rows.area(book.cells, book.cells.names["Own_measured_files_file"])
    named = [each.now for each in changes if each.item.address in places]
    assert (len(named), named[0], named[-1]) == (MOST_FILES, "a.csv", "4 more files")


def test_rows_are_thinned_evenly_and_one_without_a_phase_is_left_out(tmp_path: Path) -> None:
    files = pilots.generic(tmp_path / "pilots.csv", pilots.pilots(count=13))
    study = pilots.measured([files], windows={"steady": "09:30-18:00", "login": "08:00-09:30"}, settled=True)
    sized = {phase.name: phase.sized for phase in study.phases}
    assert all(sized.values())
    demands = [math.nan, *(float(n) for n in range(1, 1001))]
    rows = {name: [Row(demand * float(sized[name] or 1), None, None) for demand in demands] for name in sized}
    found = joint_ratios(study, joint_rows(replace(study, rows=rows), 200))
    assert [row[MEASURED.index("steady")] for row in found] == [3.0 + 5 * n for n in range(200)]
    assert all(row[MEASURED.index("boot")] is None for row in found)
    assert len(joint_rows(replace(study, rows={name: each[:50] for name, each in rows.items()}), 200)) == 49


def test_a_mix_is_of_its_own_row_and_a_column_that_a_row_lacks_stays_blank() -> None:
    """A resample of writes alone reads as little as a cell takes, so that its row is not taken for an open one."""
    rows = [{"login": Row(2.0, 0.5, 16.0), "steady": Row(1.0, 0.25, None)}]
    rows += [{"login": Row(3.0, 0.0, 24.0), "steady": Row(2.0, 0.75, 8.0)}]
    both = joint_mixes(rows)
    assert [row[MIXED.index("login")] for row in both] == [0.5, 0.0001]
    assert [row[MIXED.index("steady")] for row in both] == [0.25, 0.75]
    assert [row[len(MIXED) + MIXED.index("login")] for row in both] == [16.0, 24.0]
    assert all(sum(each is not None for each in row) == 3 for row in both)
    for phase in MIXED:
        (row,) = joint_mixes([{phase: Row(1.0, 0.25, 8.0)}])
        assert {at: value for at, value in enumerate(row) if value is not None} == {
            MIXED.index(phase): 0.25,
            len(MIXED) + MIXED.index(phase): 8.0,
        }


@pytest.mark.slow
def test_joint_rows_have_every_phase_that_was_measured(run: Run, original: Path, tmp_path: Path) -> None:
    """Boot, log-off and patching count as a run: their mix is that of all of it, as the profile has it."""
    data = pilots.pilots(count=13)
    busy = np.array([at.hour == 7 and at.minute < 15 for at in data.times])
    values = data.values.copy()
    values[:, busy, 0] *= 3  # in the first quarter of the boots more is read
    files = pilots.generic(tmp_path / "pilots.csv", replace(data, values=values))
    hours = (*HOURS, "--boot", "07:00-08:00", "--logoff", "18:00-18:30", "--patching", "18:30-19:00")
    new = tmp_path / "new.xlsx"
    code, out, err = run("measure", original, files, *hours, "--save", new)
    assert (code, err) == (0, "")
    cells = open_book(new).cells
    rows = own_rows.area(cells, cells.names["Own_measured_rows"])
    mixes = own_rows.area(cells, cells.names["Own_measured_mixes"])
    assert (len(rows), len(mixes)) == (5 * MOST_ROWS, 10 * MOST_ROWS)
    assert all(isinstance(cells.constant(at), float) for at in (*rows, *mixes))
    shares = [cells.constant(at) for at in mixes[MIXED.index("boot") :: 2 * len(MIXED)]]
    assert shares == pytest.approx([(15 * 9 + 45 * 3) / (15 * 16 + 45 * 10)] * MOST_ROWS, rel=1e-3)
    assert "My profile 1 boot.read_ratio: blank -> 0.391" in out
