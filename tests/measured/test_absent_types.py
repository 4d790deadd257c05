"""Types of which the estate has desktops and nobody measured one: they count in the estate, and that is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from addin.measured.study import Study
from addin.measured.types import Types
from tests.support import pilots

TASK, POWER = (("T-*", "task"), ("P-*", "power"))
COUNTS = {"task": 900, "power": 100}
NAMES = (*(f"T-{n:02d}" for n in range(10)), *(f"P-{n:02d}" for n in range(10)))


def level(home: Path, task: float, power: float) -> Path:
    """Write ten desktops of either type, all of one type with the same steady load."""
    made = pilots.pilots(20)
    values = np.ones_like(made.values) * np.repeat([task, power], 10)[:, None, None] / 2
    return pilots.generic(home / "pilots.csv", replace(made, names=NAMES, values=values))


def steady(file: Path, types: Types) -> Study:
    return pilots.measured([file], settled=True, types=types)


def test_a_type_without_pilots_counts_as_a_mean_desktop_of_the_others(tmp_path: Path) -> None:
    """900 desktops of 10 IOPS and 100 of 100 are 19 each: 500 more of an unknown type make 28,500 of 19,000."""
    file = level(tmp_path, 10, 100)
    two, three = (
        steady(file, Types((TASK, POWER, ("X-*", "exec")), {**COUNTS, **more})) for more in ({}, {"exec": 500})
    )
    for study, desktops in ((two, 1000), (three, 1500)):
        (phase,) = study.phases
        assert phase.estate == desktops
        assert phase.demand == pytest.approx(19 * desktops)
        assert phase.error.upper == pytest.approx(19 * desktops)
        assert [(each.name, each.users) for each in study.types] == [("power", 100), ("task", 900)]
    assert three.phases[0].users == (("power", 100.0, 10), ("task", 900.0, 10), ("exec", 500.0, 0))
    assert three.phases[0].by_type[2:] == (None,)
    (found,) = (each for each in three.findings if "exec" in each.found)
    assert found.found == "type exec: no desktop of it was measured"
    assert found.effect == (
        "it gets the profile of all desktops, and its 500 desktops count in Estate as much as the others' mean"
    )


def test_an_estate_of_which_one_type_alone_was_measured_has_all_its_desktops(tmp_path: Path) -> None:
    """All 20 pilots are power users of 20 IOPS, and 900 of the 1,000 desktops are task workers: 20,000, not 2,000."""
    study = steady(level(tmp_path, 20, 20), Types((("TASK-*", "task"), ("*", "power")), COUNTS))
    assert study.phases[0].demand == pytest.approx(20_000)
    assert [each.found for each in study.findings if each.found.startswith("type ")] == [
        "type task: no desktop of it was measured"
    ]


def test_the_error_and_the_joint_rows_are_of_the_whole_estate(tmp_path: Path) -> None:
    """The same pilots for half as many desktops again: the mean and its error grow alike, chance by its root."""
    made = pilots.pilots(20)
    file = pilots.generic(tmp_path / "pilots.csv", replace(made, names=NAMES))
    one = steady(file, Types((TASK, POWER), COUNTS))
    more = steady(file, Types((TASK, POWER, ("X-*", "exec")), {**COUNTS, "exec": 500}))
    known = [study.phases[0].error.standard or 0.0 for study in (one, more)]
    assert known[1] == pytest.approx(1.5 * known[0])
    ends = [study.phases[0].interval or (0.0, 0.0) for study in (one, more)]
    assert ends[1] == pytest.approx(ends[0], rel=0.02)  # of a desktop: nearly the same


def test_what_is_shown_beside_the_demand_is_weighed_by_type(tmp_path: Path) -> None:
    """900 desktops of 10 IOPS and 100 of 100: 19,000 in every figure; by the pilots alone it would be 55,000."""
    (phase,) = steady(level(tmp_path, 10, 100), Types((TASK, POWER), COUNTS)).phases
    figures = {each.name: each for each in phase.shown}
    for name in ("sum of peaks", "sum of P95", "peak of the sum", "P95 of the sum"):
        assert figures[name].value == pytest.approx(19_000)
    night = figures["P95 of day and night"]
    assert night.value == pytest.approx(55_000)
    assert night.why.endswith("; types count as their pilots, not as their desktops")
