"""Pilots that end or begin on other days than the rest change no mean without a word."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from addin.measured.records import AMBER, NOTE, Finding
from addin.measured.study import Study
from addin.measured.types import Types
from tests.support import pilots

LOGIN = {"login": "08:00-09:30", "steady": "09:30-18:00"}


def logged(home: Path, days: dict[str, tuple[float, range]], count: int = 12) -> Path:
    """Write desktops, each with its own constant load, on some days of `count` calendar days from a Monday."""
    made = pilots.pilots(len(days), count)
    values = np.ones_like(made.values) * np.array([load for load, _ in days.values()])[:, None, None] / 2
    file = pilots.generic(home / "pilots.csv", replace(made, names=tuple(days), values=values))
    head, *rows = file.read_text(encoding="utf-8").splitlines()
    kept = [row for row in rows if int(row[8:10]) - 5 in days[row.split(",")[1]][1]]
    return pilots.write(file, "\n".join([head, *kept]) + "\n")


def named(letter: str, count: int, load: float, days: range) -> dict[str, tuple[float, range]]:
    return {f"{letter}-{n:02d}": (load, days) for n in range(count)}


def said(study: Study) -> list[Finding]:
    return [each for each in study.findings if " lack" in each.found]


def phases(study: Study) -> dict[str, tuple[float, float, int]]:
    """Return design and mean of a desktop, and the days, of each phase."""
    return {each.name: (each.per_desktop or 0.0, each.mean, each.days) for each in study.phases}


ONE, TWO = range(5), range(12)  # calendar days: a week of work, and two


@pytest.mark.parametrize(("light", "heavy"), [(ONE, TWO), (TWO, ONE)])
def test_days_that_half_of_the_desktops_lack_are_no_days_of_all(tmp_path: Path, light: range, heavy: range) -> None:
    """Ten desktops of 20 IOPS and ten of 200 are 110 where all are there, whichever of them end a week early."""
    days = {**named("L", 10, 20, light), **named("H", 10, 200, heavy)}
    study = pilots.measured([logged(tmp_path, days)], windows=LOGIN, settled=True)
    for design, mean, count in phases(study).values():
        assert mean == pytest.approx(110)
        assert design == pytest.approx(110, rel=0.07)  # and what few desktops do by chance
        assert count == 5
    found, what = (each for each in study.findings if "lack" in each.found)
    assert (found.level, found.found) == (AMBER, "10 of 20 desktops lack 5 of 10 days, 2026-10-12 to 2026-10-16")
    assert found.effect.startswith("these are left out, as the mean of the others would count as that of all. Log all")
    assert what.found == "what was left out (days that some desktops lack)"
    assert study.measured_on == "20 desktops, 5 days"


def test_a_few_desktops_that_lack_days_are_left_out_where_the_days_are_more(tmp_path: Path) -> None:
    """Three of 20 stopped after a day: 17 desktops on ten days are more samples than 20 on one."""
    days = {**named("A", 17, 20, TWO), **named("B", 3, 200, range(1))}
    study = pilots.measured([logged(tmp_path, days)], windows=LOGIN, settled=True)
    assert study.measured_on == "17 desktops, 10 days"
    assert study.phases[0].mean == pytest.approx(20)
    found, what = said(study)[:1], [each for each in study.findings if each.found.startswith("what was left out")]
    assert (found[0].level, found[0].found) == (AMBER, "B-00, B-01, B-02: 9 of 10 days lack")
    assert found[0].effect.startswith("left out, 17 desktops are left: a day without them would be the mean of others")
    assert [each.found for each in what] == ["what was left out (desktops that lack days)"]


def test_no_more_than_a_quarter_of_the_desktops_of_a_type_are_left_out(tmp_path: Path) -> None:
    """Two of five power users stopped after three days: 40 % of them, though they are 8 % of all."""
    days = {**named("T", 20, 20, TWO), **named("P", 3, 200, TWO), **named("Q", 2, 400, range(3))}
    types = Types((("T-*", "task"), ("*", "power")), {"task": 900, "power": 100})
    study = pilots.measured([logged(tmp_path, days)], windows=LOGIN, settled=True, types=types)
    assert study.measured_on == "25 desktops, 3 days"
    (found,) = (each for each in said(study) if each.level == AMBER)
    assert found.found == "2 of 5 desktops of type power lack 7 of 10 days, 2026-10-08 to 2026-10-16"


def test_a_pilot_that_begins_a_day_late_changes_nothing(tmp_path: Path) -> None:
    days = {**named("A", 11, 20, TWO), **named("B", 1, 20, range(1, 12))}
    study = pilots.measured([logged(tmp_path, days)], windows=LOGIN, settled=True)
    assert (study.measured_on, said(study)) == ("12 desktops, 10 days", [])


def test_a_day_that_several_pilots_begin_late_is_left_out_and_no_pilot_is(tmp_path: Path) -> None:
    days = {**named("A", 8, 20, TWO), **named("B", 4, 200, range(1, 12))}
    study = pilots.measured([logged(tmp_path, days)], windows=LOGIN, settled=True)
    assert study.measured_on == "12 desktops, 9 days"
    assert [each.found for each in said(study)][:1] == ["4 of 12 desktops lack 1 of 10 days, 2026-10-05"]


def test_one_desktop_that_ends_days_before_the_rest_is_named(tmp_path: Path) -> None:
    days = {**named("A", 11, 20, TWO), **named("B", 1, 20, range(9))}
    study = pilots.measured([logged(tmp_path, days)], windows=LOGIN, settled=True)
    assert study.measured_on == "12 desktops, 10 days"
    (found,) = said(study)
    assert (found.level, found.found) == (NOTE, "B-00: more than 1 day of the 10 days that count lacks")


def test_desktops_that_log_by_turns_are_counted_and_named(tmp_path: Path) -> None:
    """Ten a week: no day has more of them, so all days count, and each is the mean of others."""
    days = {**named("A", 10, 20, ONE), **named("B", 10, 40, range(7, 12))}
    study = pilots.measured([logged(tmp_path, days)], windows=LOGIN, settled=True)
    assert study.measured_on == "20 desktops, 10 days"
    (found,) = said(study)
    assert found.level == AMBER
    assert found.found.endswith("and 15 more: more than 1 day of the 10 days that count lack")
    assert found.effect.startswith("no day has more than 10 of 20 desktops, and each is the mean of others. Log all")


def test_an_hour_that_no_logger_has_is_no_day_that_desktops_lack(tmp_path: Path) -> None:
    """All loggers stopped at 11:00 on Friday: the hours before count."""
    file = logged(tmp_path, named("A", 12, 20, TWO))
    head, *rows = file.read_text(encoding="utf-8").splitlines()
    kept = [row for row in rows if not row.startswith(tuple(f"2026-10-09 {hour}" for hour in range(11, 20)))]
    study = pilots.measured([pilots.write(file, "\n".join([head, *kept]) + "\n")], windows=LOGIN, settled=True)
    assert (study.measured_on, said(study)) == ("12 desktops, 10 days", [])
