"""What `measure --save` says to do next: typed as it stands, it sizes with what was measured, in login too."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from addin.results import applying
from addin.results.applying import Change
from addin.workbook.book import open_book
from tests.measured.test_by_type import TYPES, estate
from tests.support import pilots
from tests.support.shell import Run

HOURS = ("--hours", "08:00-18:00", "--login", "08:00-09:30", "--keep-first-days")
TITLE = "Measured: 12 desktops, 5 days, 5 min; 95 % upper bound"


def mornings(path: Path) -> Path:
    """Write twelve desktops that do five times as much until half past nine as later."""
    made = pilots.pilots()
    early = np.array(
        [5.0 if time.hour < 9 or (time.hour, time.minute < 30) == (9, True) else 1.0 for time in made.times]
    )
    return pilots.generic(path, replace(made, values=made.values * early[:, None]))


def sized(run: Run, line: str, *options: str) -> float:
    """Return the login IOPS of what a line of the output says to type."""
    code, out, err = run(*shlex.split(line.partition("to try it: python -m addin ")[2]), *options, "--json")
    assert (code, err) == (0, "")
    return float(next(row["value"] for row in json.loads(out)["results"] if row["key"] == "login_iops"))


def upper(run: Run, book: Path, *options: object) -> float:
    """Return the upper bound of a desktop's login IOPS."""
    phases = json.loads(run("measure", book, *options, "--json")[1])["phases"]
    return float(next(each["upper_iops_per_desktop"] for each in phases if each["phase"] == "login"))


@pytest.mark.slow
def test_the_last_line_sizes_with_the_profile(run: Run, original: Path, tmp_path: Path) -> None:
    """1,500 desktops log in with what 12 pilots did, whatever the window: its overlap is in the figure."""
    file, new = mornings(tmp_path / "a.csv"), tmp_path / "new copy.xlsx"
    code, out, err = run("measure", original, file, *HOURS, "--save", new)
    assert (code, err) == (0, "")
    *_, login, last = out.splitlines()
    assert last == (
        f"Next: choose {TITLE} as Workload profile on Answer of the copy; to try it: python -m addin size "
        f'"{new}" --set "profile={TITLE}"'
    )
    assert login.startswith("Login IOPS are the mean of all desktops in the busiest minutes (08:")
    assert login.endswith(
        "of 90: logins that overlap are in them. Leave Login window as it is, or type both, 90 as Login window and "
        "5400 as Busy period of a login: the window alone asks for too little"
    )
    expected = 1500 * upper(run, original, file, *HOURS)
    assert sized(run, last) == pytest.approx(expected, rel=1e-4)
    both = ("--set", "login_window_min=90", "--set", "login_duration_s=5400")
    assert sized(run, last, *both) == pytest.approx(expected, rel=1e-4)
    assert sized(run, last, *both[:2]) < 0.8 * expected  # half of them log in together, and the rest works


@pytest.mark.slow
def test_a_window_that_somebody_typed_is_typed_with_its_busy_period(run: Run, original: Path, tmp_path: Path) -> None:
    mine, new = tmp_path / "mine.xlsx", tmp_path / "new.xlsx"
    book = open_book(original)
    applying.write(book, [Change(book.entry("login_window_min"), None, 240.0)], mine)
    file = mornings(tmp_path / "a.csv")
    code, out, err = run("measure", mine, file, *HOURS, "--save", new)
    assert (code, err) == (0, "")
    *_, login, last = out.splitlines()
    assert "Type both, 90 as Login window and 5400 as Busy period of a login: as the workbook has them, fewer" in login
    assert last.endswith(" --set login_window_min=90 --set login_duration_s=5400")
    assert sized(run, last) == pytest.approx(1500 * upper(run, original, file, *HOURS), rel=1e-4)


@pytest.mark.slow
def test_groups_are_what_to_choose_where_they_were_written(run: Run, original: Path, tmp_path: Path) -> None:
    new, types = tmp_path / "new.xlsx", pilots.write(tmp_path / "types.csv", TYPES)
    file = pilots.generic(tmp_path / "a.csv", estate())
    code, out, err = run("measure", original, file, *HOURS, "--types", types, "--save", new)
    assert (code, err) == (0, "")
    last = out.splitlines()[-1]
    assert last.startswith("Next: choose User groups as Workload profile and type 1,000 as Users on Answer of the copy")
    assert last.endswith("size " + str(new) + ' --set "profile=User groups" --set desktops=1000')
    assert sized(run, last) > 0


def test_nothing_is_next_where_nothing_is_written(run: Run, original: Path, tmp_path: Path) -> None:
    file = pilots.generic(tmp_path / "a.csv", pilots.pilots())
    assert "Next: " not in run("measure", original, file, *HOURS)[1]
    out = run("measure", original, file, "--hours", "08:00-18:00", "--keep-first-days", "--dry-run")[1]
    *_, before, last = out.splitlines()
    assert last.startswith("Next: choose ")
    assert "size NEW.xlsx --set" in last
    assert "Login" not in before
