"""Each type of desktop by its own pilots: the figures of its pilots measured alone, or the reason why it has none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from addin.measured.by_type import OfType
from addin.measured.study import Study
from addin.measured.types import read
from tests.support import pilots

WINDOWS = {"steady": "09:30-18:00", "login": "08:00-09:30"}
TYPES = "desktop,type,desktops\nT-*,task,900\nP-*,power,100\n"


def estate(task: int = 12, power: int = 11, days: int = 5) -> pilots.Pilots:
    """Return pilots of two types with loads, mixes and busy times of their own."""
    made = pilots.pilots(task + power, days)
    values, random = made.values.copy(), np.random.default_rng(7)
    values *= random.lognormal(0, 0.4, values.shape[:2])[:, :, None]
    values[task:] *= 5
    values[task:, :, 0] *= 3  # power users read more, and peak on Tuesday afternoon
    late = np.array([(t.day, t.hour) == (6, 15) for t in made.times])
    values[task:, late] *= 3
    names = (*(f"T-{n:02d}" for n in range(task)), *(f"P-{n:02d}" for n in range(power)))
    return replace(made, names=names, values=np.round(values, 4))


def only(data: pilots.Pilots, letter: str) -> pilots.Pilots:
    """Return the pilots whose names begin with a letter."""
    at = [n for n, name in enumerate(data.names) if name.startswith(letter)]
    return replace(data, names=tuple(data.names[n] for n in at), values=data.values[at])


def studied(home: Path, data: pilots.Pilots, text: str = TYPES, **more: object) -> Study:
    types = read(pilots.write(home / "types.csv", text))
    files = [pilots.generic(home / "pilots.csv", data)]
    return pilots.measured(files, windows=WINDOWS, settled=True, types=types, **more)


def of(study: Study, name: str) -> OfType:
    return next(each for each in study.types if each.name == name)


@pytest.mark.slow
def test_a_type_has_the_figures_of_its_pilots_measured_alone(tmp_path: Path) -> None:
    data = estate()
    study = studied(tmp_path, data)
    for name, letter, users in (("task", "T", 900.0), ("power", "P", 100.0)):
        file = pilots.generic(tmp_path / f"{name}.csv", only(data, letter))
        alone = pilots.measured([file], windows=WINDOWS, settled=True, estate=users)
        made = of(study, name)
        assert (made.users, made.pilots, made.days, made.why) == (users, alone.desktops, alone.days, "")
        for phase, expected in zip(made.phases, alone.phases, strict=True):
            assert phase == replace(expected, users=phase.users, shown=())
            assert phase.interval
    steady = {each.name: each.phases[-1] for each in study.types}
    assert steady["power"].at == "2026-10-06 15:00-15:30"
    assert steady["task"].at == "2026-10-08 10:00-10:30"
    assert sum(float(each.demand or 0) for each in steady.values()) > float(study.phases[-1].demand or 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("power", "days", "why"),
    [
        (10, 5, ""),
        (9, 5, "9 desktops on 5 days: a profile of its own needs 10 desktops and 5 days"),
        (11, 4, "11 desktops on 4 days: a profile of its own needs 10 desktops and 5 days"),
    ],
)
def test_a_type_needs_the_desktops_and_days_of_an_interval(tmp_path: Path, power: int, days: int, why: str) -> None:
    study = studied(tmp_path, estate(power=power, days=days))
    assert of(study, "power").why == why
    found = [each for each in study.findings if each.found == f"type power: {why}"]
    assert len(found) == bool(why)
    if found:
        all_steady, own = (phases[-1] for phases in (study.phases, of(study, "power").phases))
        assert f"steady {all_steady.sized:.4g}, its own pilots {own.per_desktop:.4g} IOPS a desktop" in found[0].effect
        assert all(phase.interval is None for phase in of(study, "power").phases)


def test_a_type_of_lower_load_gets_no_word_on_its_own_figure(tmp_path: Path) -> None:
    study = studied(tmp_path, estate(task=9))
    (found,) = (each for each in study.findings if each.found.startswith("type task"))
    assert found.effect == "it gets the profile of all desktops"


def test_one_type_or_means_alone_are_nothing_by_type(tmp_path: Path) -> None:
    assert studied(tmp_path, estate(), "desktop,type\n*,all\n").types == ()
    slow = pilots.pilots(23, every=900)
    names = estate().names
    assert studied(tmp_path, replace(slow, names=names)).types == ()


@pytest.mark.slow
def test_a_type_that_was_off_in_a_phase_has_the_reason(tmp_path: Path) -> None:
    data = estate()
    rows = [n for n, name in enumerate(data.names) if name.startswith("P")]
    late = [t for t, time in enumerate(data.times) if time.hour >= 10]
    night = replace(data, times=tuple(data.times[t] for t in late), values=data.values[rows][:, late])
    night = replace(night, names=tuple(data.names[n] for n in rows))
    types = read(pilots.write(tmp_path / "types.csv", TYPES))
    files = [pilots.generic(tmp_path / "day.csv", only(data, "T")), pilots.generic(tmp_path / "late.csv", night)]
    study = pilots.measured(files, windows=WINDOWS, settled=True, types=types, least_coverage=0.5)
    assert of(study, "power").why == "no sample lies in login"
    assert of(study, "task").why == ""
