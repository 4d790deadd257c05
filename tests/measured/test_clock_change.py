"""Logs of perfmon across a change of the clock: stamps are of the wall clock, the header states one offset."""

from __future__ import annotations

import datetime
from dataclasses import replace
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from addin.measured.records import Options
from addin.measured.study import Study
from tests.support import pilots
from tests.support.pilots import Pilots, measured

BERLIN, LONDON = ZoneInfo("Europe/Berlin"), ZoneInfo("Europe/London")
WINDOW = {"steady": "09:00-10:00"}
STEP = datetime.timedelta(seconds=pilots.EVERY)
SPRING = datetime.datetime(2026, 3, 27)  # a Friday; on Sunday 02:00 becomes 03:00
AUTUMN = datetime.datetime(2026, 10, 23)  # a Friday; on Sunday 03:00 becomes 02:00


def logged(first: datetime.datetime, site: ZoneInfo, *, utc: bool = False) -> Pilots:
    """Return five days of one desktop: 10 IOPS from 09:00 to 10:00 on the site's clock, 40 in every other hour."""
    begin = first.replace(tzinfo=site).astimezone(datetime.UTC)
    moments = [begin + at * STEP for at in range(5 * 288)]
    walls = [each.astimezone(site).replace(tzinfo=None) for each in moments]
    level = np.array([1.0 if wall.hour == 9 else 4.0 for wall in walls])
    values = np.stack([3 * level, 7 * level, 60 * level, 84 * level], axis=1)[None]
    times = [each.replace(tzinfo=None) for each in moments] if utc else walls
    return Pilots(("VDI-001",), tuple(times), values)


def found(path: Path, data: Pilots, site: ZoneInfo | None, bias: int, name: str) -> Study:
    """Return the study of a log whose header names a zone and its minutes to UTC."""
    log = pilots.perfmon(path, data, 0, bias, name)
    return measured([log], settled=True, windows=WINDOW, options=Options(zone=site))


@pytest.mark.parametrize("site", [None, BERLIN])
@pytest.mark.parametrize(
    ("first", "bias", "name"),
    [(SPRING, -60, "W. Europe Standard Time"), (AUTUMN, -120, "W. Europe Daylight Time")],
)
def test_a_log_of_the_sites_own_clock_is_right_before_and_after_the_change(
    tmp_path: Path, site: ZoneInfo | None, first: datetime.datetime, bias: int, name: str
) -> None:
    """An hour off, Monday and Tuesday would count 40 IOPS for 10."""
    study = found(tmp_path / "a.csv", logged(first, BERLIN), site, bias, name)
    assert study.phases[0].mean == pytest.approx(10)
    assert study.phases[0].days == 3
    repeated = [each.effect for each in study.findings if "goes back by an hour" in each.found]
    assert len(repeated) == (first == AUTUMN)
    assert study.readings[0].clock == (name if site is None else "Europe/Berlin")


def test_a_log_that_begins_after_the_change_states_the_other_offset(tmp_path: Path) -> None:
    data = logged(SPRING + datetime.timedelta(days=3), BERLIN)
    study = found(tmp_path / "a.csv", data, BERLIN, -120, "W. Europe Daylight Time")
    assert study.phases[0].mean == pytest.approx(10)


@pytest.mark.parametrize("name", ["UTC", "Coordinated Universal Time"])
def test_a_log_in_utc_is_moved_although_the_site_begins_with_the_same_offset(tmp_path: Path, name: str) -> None:
    """London is at UTC on Friday and an hour ahead on Monday: a clock of UTC is not set."""
    study = found(tmp_path / "a.csv", logged(SPRING, LONDON, utc=True), LONDON, 0, name)
    assert study.phases[0].mean == pytest.approx(10)


def test_esxtop_is_in_utc_all_year(tmp_path: Path) -> None:
    log = pilots.esxtop(tmp_path / "a.csv", logged(SPRING, LONDON, utc=True))
    study = measured([log], settled=True, windows=WINDOW, options=Options(zone=LONDON))
    assert study.phases[0].mean == pytest.approx(10)


def test_a_log_of_another_zone_is_moved_by_its_offset(tmp_path: Path) -> None:
    """Of New York, UTC-4 since 8 March: Berlin is 5 hours ahead on Friday and, its clock set, 6 on Monday."""
    utc = logged(SPRING, BERLIN, utc=True)
    there = Pilots(utc.names, tuple(each - datetime.timedelta(hours=4) for each in utc.times), utc.values)
    study = found(tmp_path / "a.csv", there, BERLIN, 240, "Eastern Daylight Time")
    assert study.phases[0].mean == pytest.approx(10)
    assert study.phases[0].days == 3


def repeated(path: Path, first: str, last: str) -> list[str]:
    """Return what is said of a log of four hours in which the rows of some times stand once more, after the last."""
    data = pilots.pilots(count=1, days=1, begin="08:00", end="12:00")
    lines = pilots.perfmon(path, data).read_text(encoding="utf-8").splitlines()
    at, end = (next(n for n, line in enumerate(lines) if f" {time}:" in line) for time in (first, last))
    pilots.write(path, "\n".join([*lines[: end + 1], *lines[at:]]) + "\n")
    study = measured([path], settled=True, windows={"steady": "08:00-12:00"})
    assert study.phases[0].mean == pytest.approx(10, rel=1e-4)
    return [f"{each.found}: {each.effect}" for each in study.findings if "back" in each.found]


def test_rows_that_were_pasted_twice_are_no_change_of_the_clock(tmp_path: Path) -> None:
    """From 09:15 to 09:55 nine rows are three quarters of an hour; twelve, to 10:10, are what a clock repeats."""
    assert repeated(tmp_path / "a.csv", "09:15", "09:55") == [
        "a.csv: the times go back by 45 minutes at row 26: rows 26 to 34, whose times are there already, are left out; "
        "look for logs that were joined with an overlap"
    ]
    assert repeated(tmp_path / "a.csv", "09:15", "10:10") == [
        "a.csv: the clock goes back by an hour at row 29: rows 29 to 40, the repeated hour, are left out"
    ]


def zoned(files: list[Path], site: ZoneInfo | None = BERLIN) -> list[str]:
    """Return what is said of --zone."""
    study = measured(files, settled=True, options=Options(zone=site))
    return [f"{each.level} {each.found}: {each.effect}" for each in study.findings if "offset" in each.found]


def test_a_zone_does_not_move_times_without_an_offset_and_that_is_said(tmp_path: Path) -> None:
    """A recipe of times in UTC without their Z would count the hour before and after lunch as the login storm."""
    data = pilots.pilots(count=3)
    one, two = (replace(data, names=(name,), values=data.values[at : at + 1]) for at, name in enumerate(data.names[:2]))
    files = [pilots.generic(tmp_path / "a.csv", one), pilots.iostat(tmp_path / "b.txt", two)]
    assert zoned(files) == [
        "amber times without an offset from UTC in a.csv, b.txt: --zone Europe/Berlin does not move them, they count "
        "as the site's own clock; where they are UTC, export them with Z (2026-10-05T05:30:00Z)"
    ]
    assert zoned(files, None) == []


@pytest.mark.parametrize("site", [BERLIN, None])
def test_times_whose_offset_is_known_need_no_word(tmp_path: Path, site: ZoneInfo | None) -> None:
    data = pilots.pilots(count=1)
    head, *rows = pilots.generic(tmp_path / "a.csv", data).read_text(encoding="utf-8").splitlines()
    utc = pilots.write(tmp_path / "a.csv", "\n".join([head, *(row.replace(",", "Z,", 1) for row in rows)]))
    log = pilots.perfmon(tmp_path / "b.csv", replace(data, names=("B",)))
    assert zoned([utc, log] if site else [log], site) == []
