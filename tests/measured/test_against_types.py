"""Measured beside sized by type: what a type was sized for, its own update, and what is named in place of a figure."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from addin.measured import against
from addin.measured.against import Against, Sized
from addin.measured.against_types import with_types
from addin.measured.study import Study
from addin.measured.types import read
from addin.shell import against_text
from tests.measured.test_against import MISSES
from tests.measured.test_by_type import TYPES, estate
from tests.support import pilots
from tests.support.pilots import measured, write

IOPS = {"login": 50_000.0, "steady": 30_000.0}
DESKTOPS = 2_000.0  # sized; the types of the files are 900 and 100


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """Return the study of 12 desktops of task users and 11 of power users."""
    home = tmp_path_factory.mktemp("types")
    types = read(write(home / "types.csv", TYPES))
    windows = {"steady": "08:00-18:00", "login": "08:00-09:30"}
    return measured([pilots.generic(home / "a.csv", estate())], settled=True, windows=windows, types=types)


def held(study: Study, groups: dict[str, dict[str, float | None]] | None = None) -> Against:
    """Return the study beside a design of one profile, or of user groups."""
    sized = Sized("Base design", DESKTOPS, IOPS, MISSES, groups=groups or {})
    return with_types(against.against(study, sized), study)


def test_a_type_was_sized_by_its_desktops_where_all_have_one_profile(study: Study) -> None:
    """50,000 IOPS for 2,000 desktops are 25 a desktop, and 1,800 of them are task users."""
    found = {each.name: each for each in held(study).types}
    assert {name: each.desktops for name, each in found.items()} == pytest.approx({"task": 1_800, "power": 200})
    for each in study.types:
        for phase, ours in zip(each.phases, found[each.name].phases, strict=True):
            assert ours.sized == pytest.approx(IOPS[phase.name] * each.users / 1_000)
            assert phase.per_desktop is not None
            assert ours.measured == pytest.approx(phase.per_desktop * each.users * 2)


def test_a_type_is_corrected_by_its_own_error(study: Study) -> None:
    for each in held(study).types:
        for ours in each.phases:
            assert ours.interval is not None
            error = math.log(ours.interval[1] / ours.interval[0]) / (2 * 1.959964)
            weight = ours.prior.spread**2 / (ours.prior.spread**2 + error**2)
            corrected = ours.sized * (ours.measured / ours.sized) ** weight
            assert ours.corrected == pytest.approx(corrected)


def test_a_type_was_sized_as_its_user_group_was(study: Study) -> None:
    """Of 50,000 IOPS at login the group of power users, a tenth of all, was sized for 60 %."""
    groups: dict[str, dict[str, float | None]] = {
        "task": {"users": 0.9, "login": 0.4, "steady": None},
        "power": {"users": 0.1, "login": 0.6, "steady": 0.5},
        "night shift": {"users": 0.0, "login": 0.0, "steady": 0.0},
    }
    found = held(study, groups)
    sized = {(each.name, phase.phase): phase.sized for each in found.types for phase in each.phases}
    expected = {("task", "login"): 20_000, ("power", "login"): 30_000, ("power", "steady"): 15_000}
    assert sized == pytest.approx(expected)  # the group without a figure of work has none
    assert {each.name: each.desktops for each in found.types} == pytest.approx({"task": 1_800, "power": 200})
    assert "1 user group without a type of that name: night shift" in found.types_left
    del groups["task"]
    text = against_text.text(held(study, groups))
    assert "task: no user group of the design has this name; not compared" in text


def test_few_pilots_are_shown_and_not_corrected(study: Study) -> None:
    task, power = (next(each for each in study.types if each.name == name) for name in ("task", "power"))
    few = replace(power, why="3 desktops", phases=tuple(
        replace(each, interval=None, error=replace(each.error, standard=None)) for each in power.phases))  # fmt: skip
    found = held(replace(study, types=(task, few)))
    assert [each.update for each in found.types[1].phases] == [None, None]
    assert "power: not corrected: 3 desktops" in found.types_left
    assert "power" in against_text.text(found)


def test_without_types_nothing_is_added(study: Study) -> None:
    alone = replace(study, types=())
    assert held(alone).types == ()
    assert "by type" not in against_text.text(held(alone))
