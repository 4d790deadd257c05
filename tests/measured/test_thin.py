"""Days, windows and phases with too few samples, or with nothing but zeros: none is left out or counted unsaid."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from addin.errors import RequestError
from addin.measured.records import AMBER
from addin.measured.study import Study
from addin.measured.types import Types
from tests.support import pilots
from tests.support.pilots import MONDAY, measured

DATA = pilots.pilots(days=8)  # 12 desktops, 2026-10-05 to 2026-10-12, two of them a weekend


def without(path: Path, gone: Callable[[str, str, str], bool]) -> Path:
    """Write the pilots without the rows of some day, time of day and desktop."""
    head, *rows = pilots.generic(path, DATA).read_text(encoding="utf-8").splitlines()
    kept = [row for row in rows if not gone(row[:10], row[11:16], row.split(",")[1])]
    assert len(kept) < len(rows)
    return pilots.write(path, "\n".join([head, *kept]) + "\n")


def amber(study: Study) -> list[str]:
    """Return the amber findings as they are printed."""
    return [f"{each.found}: {each.effect}" for each in study.findings if each.level == AMBER]


def test_days_on_which_fewer_than_half_of_the_desktops_log_are_named_and_no_day_of_the_source(tmp_path: Path) -> None:
    """Of 12 desktops 5 log on Friday and on the next Monday: 4 of 6 days of work are left."""
    late = ("2026-10-09", "2026-10-12")
    path = without(tmp_path / "a.csv", lambda day, _, name: day in late and name > "VDI-005")
    study = measured([path], settled=True)
    (found,) = amber(study)
    assert found.startswith(
        "2 days, 2026-10-09 to 2026-10-12, have samples of fewer than 50 % of the 12 desktops at a time (5): "
        "left out, whatever their load: measure all desktops at the same times"
    )
    assert study.measured_on == "12 desktops, 4 days"
    assert [phase.days for phase in study.phases] == [4]
    assert study.days == tuple(MONDAY.toordinal() + day for day in range(4))


def test_half_of_the_desktops_make_a_day_that_counts(tmp_path: Path) -> None:
    path = without(tmp_path / "a.csv", lambda day, _, name: day == "2026-10-09" and name > "VDI-006")
    study = measured([path], settled=True, least_coverage=0.5)
    assert (amber(study), len(study.days)) == ([], 6)


def test_the_type_with_too_few_desktops_is_named(tmp_path: Path) -> None:
    """Of the three power users one logs on Friday, 10 desktops of 12 in all."""
    types = Types((("VDI-00*", "task"), ("*", "power")), {"task": 900, "power": 100})
    path = without(tmp_path / "a.csv", lambda day, _, name: day == "2026-10-09" and name > "VDI-010")
    study = measured([path], settled=True, types=types, least_coverage=0.5)
    assert amber(study)[0].startswith(
        "1 day, 2026-10-09, has samples of fewer than 50 % of the 3 desktops of type power at a time (1): left out"
    )
    assert [(each.name, len(each.days)) for each in study.types] == [("power", 5), ("task", 5)]


def test_a_day_that_one_phase_lacks_is_named_with_the_phase(tmp_path: Path) -> None:
    path = without(tmp_path / "a.csv", lambda day, at, name: day == "2026-10-09" and at < "09:00" and name > "VDI-002")
    study = measured([path], settled=True, windows={**pilots.HOURS, "login": "08:00-09:00"}, least_coverage=0.5)
    (found,) = amber(study)
    assert found.startswith("login: 1 day, 2026-10-09, has samples of fewer than 50 % of the 12 desktops at a time (2)")
    assert {phase.name: phase.days for phase in study.phases} == {"login": 5, "steady": 6}


def zeros(path: Path, begin: int, end: int, desktops: int = 12) -> Path:
    """Write the pilots with no I/O of the first desktops between two hours of every day."""
    hour = np.array([begin <= time.hour < end for time in DATA.times])
    still = hour[None, :] & (np.arange(12) < desktops)[:, None]
    return pilots.generic(path, replace(DATA, values=DATA.values * ~still[:, :, None]))


@pytest.mark.parametrize(
    ("begin", "end", "line"),
    [
        (8, 9, "--login 08:00-09:00: every sample in it is 0, expected I/O of some desktop. Look at the time"),
        (9, 18, "--hours 08:00-18:00: every sample in it is 0, expected I/O of some desktop. Look at the time"),
    ],
)
def test_a_phase_in_which_nobody_does_anything_is_no_demand_of_zero(
    tmp_path: Path, begin: int, end: int, line: str
) -> None:
    path, windows = zeros(tmp_path / "a.csv", begin, end), {**pilots.HOURS, "login": "08:00-09:00"}
    with pytest.raises(RequestError) as error:
        measured([path], settled=True, windows=windows)
    assert str(error.value).startswith(line)
    assert "\n" not in str(error.value)


def test_one_desktop_that_works_makes_a_phase(tmp_path: Path) -> None:
    path, windows = zeros(tmp_path / "a.csv", 8, 9, 11), {**pilots.HOURS, "login": "08:00-09:00"}
    login = next(each for each in measured([path], settled=True, windows=windows).phases if each.name == "login")
    assert login.mean == pytest.approx(10 * (1 + 11 / 12) / 12, rel=1e-3)  # the last of twelve alone


def test_a_type_that_does_nothing_in_a_phase_gets_no_profile_of_its_own(tmp_path: Path) -> None:
    types = Types((("VDI-00*", "task"), ("*", "power")), {"task": 900, "power": 100})
    path, windows = zeros(tmp_path / "a.csv", 8, 9, 9), {**pilots.HOURS, "login": "08:00-09:00"}
    study = measured([path], settled=True, windows=windows, types=types)
    assert {each.name: each.why for each in study.types}["task"] == "every sample of login is 0"


def test_a_phase_with_gaps_is_named_however_little_that_is_of_all_hours(tmp_path: Path) -> None:
    """Of the 12 bins of an hour of log-in 4 are gone on every day: 66.7 %; of the 120 bins of all hours 96.7 %."""
    path = without(tmp_path / "a.csv", lambda _, at, __: "08:20" <= at < "08:40")
    windows = {**pilots.HOURS, "login": "08:00-09:00"}
    study = measured([path], settled=True, windows=windows)
    (found,) = amber(study)
    assert found.startswith("login: 66.7 % of the expected bins are there, 90 % are asked for: counted as missing")
    assert (study.desktops, round(study.coverage, 3)) == (12, 0.967)
    assert amber(measured([path], settled=True, windows=windows, least_coverage=0.6)) == []


def test_a_phase_beyond_midnight_is_covered_by_two_days(tmp_path: Path) -> None:
    """Logged day and night from Monday to Sunday: the window from 22:00 to 02:00 lacks nothing, Saturday's part too."""
    path = pilots.generic(tmp_path / "a.csv", pilots.pilots(begin="00:00", end="24:00", days=7))
    windows = {**pilots.HOURS, "patching": "22:00-02:00"}
    assert amber(measured([path], settled=True, windows=windows)) == []


def test_bins_in_which_one_type_has_no_half_of_its_desktops_are_counted_and_named(tmp_path: Path) -> None:
    """Two of three power users lack 50 minutes of 10 hours: 10 of 120 bins a day, 92 % of theirs are there."""
    types = Types((("VDI-00*", "task"), ("*", "power")), {"task": 900, "power": 100})
    path = without(tmp_path / "a.csv", lambda _, at, name: "11:00" <= at < "11:50" and name > "VDI-010")
    (found,) = (each for each in amber(measured([path], settled=True, types=types)) if " bins " in each)
    assert found == (
        "steady: 60 of 720 bins (8.3 %) have samples of fewer than 50 % of the desktops of type power at a time: left "
        "out, whatever their load: measure all desktops at the same times, or name with --desktops those that log on "
        "every day"
    )
    few = without(tmp_path / "a.csv", lambda _, at, name: "11:00" <= at < "11:30" and name > "VDI-010")
    assert not [each for each in amber(measured([few], settled=True, types=types)) if " bins " in each]  # 5 %


def test_bins_of_a_phase_whose_gaps_are_named_are_not_named_twice(tmp_path: Path) -> None:
    path = without(tmp_path / "a.csv", lambda _, at, name: at < "08:15" and name > "VDI-004")
    windows = {**pilots.HOURS, "login": "08:00-09:00"}
    (found,) = amber(measured([path], settled=True, windows=windows))
    assert found.startswith("login: 85.7 % of the expected bins are there, 90 % are asked for")
