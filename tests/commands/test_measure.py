"""`measure` and `measure-array` as a person types them: what they print, and a copy with a row of one's own filled."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from addin.results import applying
from addin.results.applying import Change
from addin.workbook import own_rows
from addin.workbook.book import Item, SizingBook, open_book
from addin.xlsx import package
from tests.support import pilots
from tests.support.shell import Run

HOURS = ("--hours", "08:00-18:00", "--login", "08:00-09:30", "--keep-first-days")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Thirteen desktops over a week, one of which nobody asks for."""
    return pilots.generic(tmp_path / "pilots.csv", pilots.pilots(count=13))


def held(book: SizingBook, *keys: str) -> Mapping[str, object]:
    """Return what stands in cells of My profile 1 or My array 1."""
    return {key: book.cells.constant(book.entry(key).address) for key in keys}


@pytest.mark.slow
def test_what_is_printed_names_files_demand_errors_and_what_is_never_sized_on(
    run: Run, original: Path, files: Path
) -> None:
    before = original.read_bytes()
    code, out, err = run("measure", original, files, *HOURS, "--desktops", "VDI-00*", "--desktops", "VDI-01[0-2]")
    assert (code, err) == (0, "")
    assert "pilots.csv (" in out
    assert "left: 1 machine: --desktops does not name it" in out
    assert "Demand, measured on 12 desktops, 5 days, 5-minute means; 95 % upper bound, 2026-10-05 to 2026-10-09" in out
    for text in (
        "Upper bound",
        "most read-equivalent work",
        "Shown, never sized on",
        "percentiles of desktops do not add",
    ):
        assert text in out
    assert original.read_bytes() == before


@pytest.mark.slow
def test_a_copy_has_the_demand_as_a_profile_and_is_sized_with_it(
    run: Run, original: Path, files: Path, tmp_path: Path
) -> None:
    new, before = tmp_path / "new.xlsx", original.read_bytes()
    options = (*HOURS, "--method", "MCS", "--system", "W11")
    code, out, err = run("measure", original, files, *options, "--json", "--save", new)
    assert (code, err) == (0, "")
    content = json.loads(out)
    phases = {phase["phase"]: phase for phase in content["phases"]}
    name = "Measured W11: 13 desktops, 5 days, 5 min; 95 % upper bound"
    copy = open_book(new)
    steady = phases["steady"]["upper_iops_per_desktop"]
    assert held(copy, f"{name}.steady_iops", f"{name}.measured_under", f"{name}.year") == {
        f"{name}.steady_iops": pytest.approx(steady, rel=1e-5),
        f"{name}.measured_under": "MCS",
        f"{name}.year": 2026,
    }
    login = "My profile 1 login"
    assert held(copy, f"{login}.iops", f"{login}.block_kib") == {
        f"{login}.iops": pytest.approx(phases["login"]["upper_iops_per_desktop"], rel=1e-5),
        f"{login}.block_kib": pytest.approx(phases["login"]["block_kib"], rel=1e-5),
    }
    assert original.read_bytes() == before
    code, out, err = run("size", new, "--set", f"profile={name}", "--result", "steady_iops", "--json")
    assert (code, err) == (0, "")
    (result,) = json.loads(out)["results"]
    users = copy.cells.constant(copy.entry("desktops").address)
    assert isinstance(users, float | int)
    assert result["value"] == pytest.approx(steady * users, rel=1e-4)


@pytest.mark.slow
def test_a_log_of_boots_alone_fills_the_boot_and_nothing_of_work(run: Run, original: Path, tmp_path: Path) -> None:
    log = pilots.generic(tmp_path / "boots.csv", pilots.pilots(begin="07:30", end="08:00"))
    new, options = tmp_path / "new.xlsx", ("--boot", "07:30-08:00", "--keep-first-days")
    code, out, err = run("measure", original, log, *options, "--save", new)
    assert (code, err) == (0, "")
    assert "amber: no hours of work were typed (--hours): only boot: work has no demand" in out
    name, book = "Measured: 12 desktops, 5 days, 5 min; 95 % upper bound", open_book(new)
    keys = [f"{name}.{key}" for key in ("steady_iops", "login_iops", "read_ratio", "block_kib")]
    assert held(book, *keys) == dict.fromkeys(keys)
    assert held(book, "My profile 1 boot.minutes") == {"My profile 1 boot.minutes": 30}
    _, out, _ = run("size", new, "--set", f"profile={name}")
    assert re.search(r"Not checked .*login demand, steady demand", out)
    code, _, err = run("measure", original, log, "--keep-first-days")
    assert (code, "or those of another phase alone, such as --boot 07:30-08:00" in err) == (2, True)


@pytest.mark.slow
def test_dry_run_says_what_would_be_written_and_writes_nothing(
    run: Run, original: Path, files: Path, tmp_path: Path
) -> None:
    new = tmp_path / "new.xlsx"
    code, out, _ = run("measure", original, files, *HOURS, "--dry-run", "--save", new)
    assert (code, new.exists()) == (0, False)
    assert "Would be written into My profile 1 (nothing is, --dry-run)" in out
    assert "My profile 1.steady_iops: blank -> " in out


@pytest.mark.slow
def test_a_row_that_holds_something_and_a_file_that_is_there_are_refused(
    run: Run, original: Path, files: Path, tmp_path: Path
) -> None:
    new, again = tmp_path / "new.xlsx", tmp_path / "again.xlsx"
    assert run("measure", original, files, *HOURS, "--save", new)[0] == 0
    before = new.read_bytes()
    cases = {
        ("--save", str(new)): "is there already, and changes go into a new file",
        ("--save", str(again), "--row", "Measured: 13 desktops, 5 days, 5 min; 95 % upper bound"): "holds",
        ("--save", str(again), "--row", "My profile 9"): "there is no row 'My profile 9';",
    }
    for options, message in cases.items():
        code, out, err = run("measure", new, files, *HOURS, *options)
        assert (code, out, err.count("\n"), again.exists()) == (2, "", 1, False), options
        assert message in err
    assert new.read_bytes() == before


@pytest.mark.slow
def test_without_a_row_the_next_empty_one_is_filled(run: Run, original: Path, files: Path, tmp_path: Path) -> None:
    """A second measurement of fewer desktops stands beside the first; a row with a name alone is somebody's too."""
    one, two, full = (tmp_path / f"{name}.xlsx" for name in ("one", "two", "full"))
    assert run("measure", original, files, *HOURS, "--save", one)[0] == 0
    code, out, err = run("measure", one, files, *HOURS, "--desktops", "VDI-00*", "--save", two)
    assert (code, err) == (0, "")
    assert f"Written into My profile 2 of {two}" in out
    book = open_book(two)
    year = "Measured: 9 desktops, 5 days, 5 min; no interval.year"
    assert held(book, year) == {year: 2026}
    titles = own_rows.area(book.cells, book.cells.names["Own_profiles"])
    applying.write(book, [Change(Item("", at, "", ""), None, f"mine {at.row}") for at in titles], full)
    code, out, err = run("measure", full, files, *HOURS, "--dry-run")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "full.xlsx: no empty row of My profiles is left. Clear one, name and figures" in err


@pytest.mark.slow
@pytest.mark.parametrize("command", ["measure", "simulate", "new"])
def test_a_file_that_appears_while_a_command_runs_stays(
    run: Run, original: Path, files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """Of two that save under one name at once, the second says that the first is there."""
    new, pack = tmp_path / "new.xlsx", package._sweep
    monkeypatch.setattr(package, "_sweep", lambda folder: (pack(folder), new.write_bytes(b"another's")))
    words = {
        "measure": ("measure", original, files, *HOURS, "--save", new),
        "simulate": ("simulate", original, "--trials", "64", "--save", new),
        "new": ("new", new),
    }
    code, _, err = run(*words[command])
    assert (code, err.count("\n"), new.read_bytes()) == (2, 1, b"another's"), err
    assert "new.xlsx: was written by another program meanwhile, and stays as it is. Name another file" in err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "--hours: the files hold times, and a percentile without hours means nothing"),
        ((*HOURS, "--zone", "Mars"), "--zone 'Mars': expected a zone"),
        ((*HOURS, "--design", "p50"), "--design p50: expected max, p99, p95"),
        ((*HOURS, "--coverage", "900"), "--coverage 900: expected a share"),
        ((*HOURS, "--method", "HVD"), "--method HVD: expected one of MCS, PVS"),
        ((*HOURS, "--columns", "iops=x"), "--columns iops=x: expected OURS=THEIRS"),
        ((*HOURS, "--rows", "5"), "--rows 5: expected 200 to 1,000"),
        ((*HOURS, "--types", "none.csv"), "none.csv: there is no such file"),
        ((*HOURS, "more*.csv"), "more*.csv: no file fits it"),
    ],
)
def test_a_request_that_cannot_be_met_is_one_line_and_writes_nothing(
    run: Run, original: Path, files: Path, tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    new = tmp_path / "new.xlsx"
    code, out, err = run("measure", original, files, *options, "--save", new)
    assert (code, out, err.count("\n"), new.exists()) == (2, "", 1, False), err
    assert message in err


@pytest.mark.slow
def test_means_alone_are_printed_and_never_saved(run: Run, original: Path, tmp_path: Path) -> None:
    path, new = pilots.generic(tmp_path / "slow.csv", pilots.pilots(every=900)), tmp_path / "new.xlsx"
    code, out, _ = run("measure", original, path, *HOURS, "--dry-run")
    assert (code, "Means only: " in out) == (0, True)
    code, _, err = run("measure", original, path, *HOURS, "--save", new)
    assert (code, new.exists(), "means only, no peak. Nothing is written" in err) == (2, False, True)


@pytest.mark.slow
def test_types_add_to_the_estate_and_a_desktop_of_none_is_named(
    run: Run, original: Path, files: Path, tmp_path: Path
) -> None:
    types = pilots.write(tmp_path / "types.csv", "desktop,type,desktops\nVDI-00*,task,900\n*,power,100\n")
    _, out, _ = run("measure", original, files, *HOURS, "--types", types, "--json")
    (login, _) = json.loads(out)["phases"]
    assert [(each["type"], each["desktops"], each["measured"]) for each in login["types"]] == [
        ("power", 100, 4),
        ("task", 900, 9),
    ]
    pilots.write(types, "desktop,type\nVDI-00*,task\n")
    code, _, err = run("measure", original, files, *HOURS, "--types", types)
    assert (code, "types.csv: no row fits VDI-010 (4 desktops). Add a row, or the pattern *" in err) == (2, True)
    gone = run("measure", original, files, *HOURS, "--types", tmp_path / "gone.csv")[2]
    assert gone.endswith("gone.csv: there is no such file. Name a csv with the columns desktop,type.\n")
    pilots.write(types, "desktop,type,desktops\n*,task,many\n")
    assert "types.csv:2, column 'desktops': 'many' is no count" in run("measure", original, files, "--types", types)[2]


@pytest.mark.slow
def test_what_points_cannot_be_taken_of_is_one_line(run: Run, original: Path, tmp_path: Path) -> None:
    one = pilots.fio(tmp_path / "one.json", 50_000, 0.7, 0.25)
    copy = pilots.write(tmp_path / "two.json", one.read_text(encoding="utf-8"))
    lines = {
        (one, "--limit-ms", "nan"): "--limit-ms nan: expected milliseconds above 0, such as 1.",
        (one, "--limit-ms", "-1"): "--limit-ms -1: expected milliseconds above 0, such as 1.",
        (one, copy): "two.json: holds the same bytes as one.json. Give it once",
        (one, "--row", "NetApp AFF8040"): "--row NetApp AFF8040: is no row of your own arrays. Name one of My array 1,",
    }
    for options, words in lines.items():
        code, out, err = run("measure-array", original, *options, "--save", tmp_path / "new.xlsx")
        assert (code, out, err.count("\n")) == (2, "", 1), options
        assert err.startswith(f"error: {words}"), err
    assert not (tmp_path / "new.xlsx").exists()
    code, out, _ = run("measure-array", original, one, one)
    assert (code, out.count("one.json")) == (0, 1)


@pytest.mark.slow
def test_points_of_an_array_fill_a_card(run: Run, original: Path, tmp_path: Path) -> None:
    loads = ((50_000, 0.25), (200_000, 0.5), (90_000, 5.0))
    runs = [pilots.fio(tmp_path / f"{at}.json", iops, 0.7, ms) for at, (iops, ms) in enumerate(loads)]
    new = tmp_path / "new.xlsx"
    code, out, err = run("measure-array", original, *runs, "--save", new, "--limit-ms", "1")
    assert (code, err) == (0, "")
    assert "beyond saturation" in out
    keys = ("iops", "read_ratio", "latency_ms", "base_latency_ms", "block_kib")
    found = held(open_book(new), *(f"My array 1.{key}" for key in keys))
    assert list(found.values()) == pytest.approx([200_000, 0.7, 0.5, 0.25, 8], rel=1e-3)
    code, _, err = run("measure-array", original, *runs, "--save", tmp_path / "no.xlsx", "--limit-ms", "0.1")
    assert (code, "no run is within 0.1 ms, the fastest took 0.25 ms" in err) == (2, True)
    other = pilots.generic(tmp_path / "p.csv", pilots.pilots(count=1, days=1))
    assert "p.csv: is no JSON of fio" in run("measure-array", original, other)[2]
    assert (
        "0.json: is a run of fio, of an array. Give it to the command measure-array"
        in run("measure", original, runs[0])[2]
    )


def test_a_block_size_that_no_disk_has_is_not_saved_and_the_refusal_has_the_cause(
    run: Run, original: Path, tmp_path: Path
) -> None:
    """Bytes under the heading of KiB: 1,024 times too much, which the cell of the workbook refuses without a cause."""
    head, *rows = pilots.generic(tmp_path / "a.csv", pilots.pilots()).read_text(encoding="utf-8").splitlines()
    cells = [row.split(",") for row in rows]
    made = [",".join([*each[:4], *(str(float(x) * 1024) for x in each[4:])]) for each in cells]
    file = pilots.write(tmp_path / "bytes.csv", "\n".join([head, *made]) + "\n")
    new = tmp_path / "new.xlsx"
    code, out, err = run("measure", original, file, *HOURS, "--save", new)
    assert (code, out, new.exists()) == (2, "", False)
    assert "--save: login: a mean I/O of 14,746 KiB, expected 0.5 to 1,024. Nothing is written." in err
    assert "--columns read_bytes=HEADING --columns write_bytes=HEADING" in err
    columns = ("--columns", "read_bytes=read_kib", "--columns", "write_bytes=write_kib")
    assert run("measure", original, file, *HOURS, *columns, "--dry-run")[0] == 0


@pytest.mark.slow
def test_ios_of_an_interval_are_not_saved_as_a_demand(run: Run, original: Path, tmp_path: Path) -> None:
    """Totals of five minutes: 300 times too much. The highest desktop has 10 x (1 + 11/12) x 300 = 5,750 "IOPS", twice
    that in one half hour of a hundred: 5,750 x 1.01 = 5,808, which is 19.36 a second.
    """
    head, *rows = pilots.generic(tmp_path / "a.csv", pilots.pilots()).read_text(encoding="utf-8").splitlines()
    cells = [row.split(",") for row in rows]
    made = [",".join([*each[:2], *(str(float(x) * 300) for x in each[2:])]) for each in cells]
    file = pilots.write(tmp_path / "totals.csv", "\n".join([head, *made]) + "\n")
    new = tmp_path / "new.xlsx"
    options = ("--hours", "08:00-18:00", "--keep-first-days")
    code, out, err = run("measure", original, file, *options, "--save", new)
    assert (code, out, err.count("\n"), new.exists()) == (2, "", 1, False)
    assert ": a mean of up to 5,808 IOPS over a phase; expected 500 at most. Nothing is written. " in err
    assert "divide them by its seconds (300 of these files: 19.36 IOPS)" in err
    assert run("measure", original, file, *options)[0] == 0  # the figures are shown, with the finding
