"""The busiest day as half hours, worked out by hand: twelve desktops, twice as busy for half an hour."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tests.support import pilots

WINDOWS = {"steady": "08:00-18:00", "login": "08:00-09:15"}  # a half hour that two phases share
LEVELS = 10 * (1 + np.arange(12) / 12)  # IOPS of each desktop
T_11 = 2.200985  # Student's t, 11 degrees of freedom, two-sided 95 %: any table


def test_each_half_hour_is_the_mean_of_the_desktops_with_the_interval_they_leave(tmp_path: Path) -> None:
    study = pilots.measured([pilots.generic(tmp_path / "a.csv", pilots.pilots())], windows=WINDOWS, settled=True)
    assert [half.hour for half in study.day] == [8 + n / 2 for n in range(20)]
    wide = T_11 * float(LEVELS.std(ddof=1)) / math.sqrt(12)
    for half in study.day:
        times = 2 if half.hour == 10 else 1
        mean = times * float(LEVELS.mean())
        assert half.mean == pytest.approx(mean, rel=1e-4), half
        assert [half.low, half.high] == pytest.approx([mean - times * wide, mean + times * wide], rel=1e-4)


def test_few_desktops_have_a_day_without_an_interval(tmp_path: Path) -> None:
    study = pilots.measured([pilots.generic(tmp_path / "a.csv", pilots.pilots(count=6))], settled=True)
    assert len(study.day) == 20
    assert {(half.low, half.high) for half in study.day} == {(None, None)}


def test_the_day_is_that_of_the_design_bin(tmp_path: Path) -> None:
    """On Thursday from 10:00 all do twice as much; no other day has such a half hour."""
    study = pilots.measured([pilots.generic(tmp_path / "a.csv", pilots.pilots())], settled=True)
    assert max(study.day, key=lambda half: half.mean).hour == 10
