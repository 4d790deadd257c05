"""Measured beside sized: the update worked out by hand, and on simulated estates that need 1.3 times what was sized."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from statistics import NormalDist
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from addin.errors import RequestError
from addin.measured import against
from addin.measured.against import Against, Miss, Sized
from addin.measured.study import Study
from addin.shell import against_text
from tests.support import pilots
from tests.support.pilots import Pilots, measured

WINDOWS = {"steady": "08:00-10:00", "login": "08:00-08:30"}
MISSES = tuple(Miss(f"P{at}", "login" if at < 6 else "boot", (-1) ** at * 0.1) for at in range(8))
MEAN, TRUTH, DESKTOPS = 10.0, 1.3, 1000.0


def estate(count: int) -> Pilots:
    """Return pilots of an estate whose desktops need 10 IOPS each, with a CV of a half between them."""
    data = pilots.pilots(count=count, days=5, begin="08:00", end="10:00")
    wide = math.log(1 + 0.5**2)
    places = (np.arange(count) + 0.5) / count
    level = np.exp(-wide / 2 + math.sqrt(wide) * np.array([NormalDist().inv_cdf(each) for each in places]))
    rates = np.random.default_rng(3).permutation(level)[:, None] * MEAN * np.ones(len(data.times))
    values = np.stack([0.3 * rates, 0.7 * rates, 6 * rates, 8 * rates], axis=2)
    return replace(data, values=np.round(values, 6))


@cache
def study(count: int) -> Study:
    """Return the study of an estate."""
    with TemporaryDirectory() as folder:
        return measured([pilots.generic(Path(folder) / "a.csv", estate(count))], settled=True, windows=WINDOWS)


def sized(iops: Mapping[str, float | None], desktops: float = DESKTOPS) -> Sized:
    """Return a design that was sized for some IOPS."""
    return Sized("Base design", desktops, iops, MISSES)


def too_small(found: Study, *phases: str) -> Sized:
    """Return a design whose figures are the measured ones over 1.3."""
    demand = {phase.name: phase.demand / TRUTH for phase in found.phases if phase.demand}
    return sized({name: demand[name] for name in phases})


def test_an_update_as_worked_out_by_hand() -> None:
    """Prior 0.3, error 0.1: weight 0.09 / 0.10 = 0.9; ln 1.3 = 0.262364; e^0.236128 = 1.266336; 0.3 sqrt(0.1)."""
    found = against.update(math.log(1.3), 0.1, 0.3, against.BOOTSTRAP)
    assert found.weight == pytest.approx(0.9)
    assert found.corrected_log == pytest.approx(0.236128, abs=1e-6)
    assert found.ratio == pytest.approx(1.266336, abs=1e-6)
    assert found.spread == pytest.approx(0.0948683, abs=1e-7)


def test_each_figure_is_printed_under_its_own_heading() -> None:
    before = against.Prior("steady", 6, 0.1)
    found = against.update(math.log(1.3), 0.1, 0.1, against.BOOTSTRAP)  # weight 1/2: sqrt(1.3) = 1.1402
    held = against.Held("steady", 1000.0, 1300.0, (1200.0, 1400.0), (800.0, 1250.0), before, found)
    text = against_text.text(Against(sized({"steady": 1000.0}), (held,), ()))
    assert re.search(r"\nPhase +Sized +Measured +Ratio +Measured, 95 % +Sized is +Predicted, 95 % +Measured is\n", text)
    assert re.search(r"\nsteady +1,000 +1,300 +1\.3 +1,200 to 1,400 +below +800 to 1,250 +above", text)
    assert re.search(
        r"\nsteady +steady +6 +0\.1000 +0\.2624 +0\.1000 +bootstrap +0\.5000 +0\.1312 +0\.0707 +1\.1402 ", text
    )
    (content,) = against_text.content(Against(sized({"steady": 1000.0}), (held,), ()))["phases"]
    assert content["measured_interval_iops"] == [1200, 1400]
    assert content["predicted_interval_iops"] == [800, 1250]
    assert (content["sized_is"], content["measured_is"]) == ("below", "above")


def test_the_corrected_ratio_is_nearer_to_what_is_known_better() -> None:
    sure, unsure = (against.update(math.log(1.3), error, 0.1, "") for error in (0.02, 0.5))
    assert 1 < unsure.ratio < 1.15 < sure.ratio < 1.3
    assert against.update(math.log(1.3), 0, 0.1, "").ratio == pytest.approx(1.3)
    assert against.update(math.log(1.3), 0, 0, "").ratio == pytest.approx(1.3)


def test_a_phase_with_few_misses_takes_those_of_all_phases() -> None:
    misses = (*(Miss(str(at), "login", 0.2) for at in range(5)), Miss("x", "boot", -0.8))
    login, boot = (against.prior(misses, name) for name in ("login", "boot"))
    assert (login.phase, login.count) == ("login", 5)
    assert login.spread == pytest.approx(0.2)
    assert (boot.phase, boot.count) == ("all phases", 6)
    assert boot.spread == pytest.approx(math.sqrt((5 * 0.04 + 0.64) / 6))
    with pytest.raises(RequestError, match="holds 1 figure of IOPS"):
        against.prior(misses[:1], "login")


@pytest.mark.slow
def test_an_estate_that_needs_more_than_sized_is_corrected_the_nearer_the_more_is_measured() -> None:
    ratios = []
    for count in (12, 48, 400):
        found = against.against(study(count), too_small(study(count), "steady", "login"))
        for held in found.phases:
            assert held.update is not None
            assert held.measured / held.sized == pytest.approx(TRUTH)
            assert 1 < held.update.ratio < TRUTH
        update = found.phases[0].update
        assert update is not None
        ratios.append(update.ratio)
    assert ratios == sorted(ratios)
    assert ratios[-1] == pytest.approx(TRUTH, rel=0.02)
    assert ratios[0] < 1.25


@pytest.mark.slow
def test_which_figure_lies_inside_which_interval() -> None:
    demand = {phase.name: phase.demand or 0 for phase in study(48).phases}
    words = {}
    for times in (0.5, 1.0, 2.0):
        (held,) = against.against(study(48), sized({"steady": demand["steady"] * times})).phases
        words[times] = (held.sized_is, held.measured_is)
        assert held.interval is not None
        assert held.interval[0] < held.measured < held.interval[1]
    assert words == {0.5: ("below", "above"), 1.0: ("inside", "inside"), 2.0: ("above", "below")}


@pytest.mark.slow
def test_every_interval_is_one_of_95_percent() -> None:
    """Misses of 10 %, so e^(1.96 x 0.1); the error of the measurement is its own interval over 2 x 1.96."""
    (held,) = against.against(study(48), sized({"steady": 9000.0})).phases
    assert held.predicted == pytest.approx((9000 * math.exp(-0.1959964), 9000 * math.exp(0.1959964)))
    assert held.interval is not None
    assert held.update is not None
    low, high = held.interval
    assert held.update.source == against.BOOTSTRAP
    assert held.prior.spread == pytest.approx(0.1)
    assert held.update.error == pytest.approx(math.log(high / low) / 3.919928)
    rows = sorted(row.iops * DESKTOPS for row in study(48).rows["steady"])
    assert len(rows) == 200
    assert rows[4] <= low <= rows[5]  # 2.5 % of 199 steps: 4.975
    assert rows[194] <= high <= rows[195]


@pytest.mark.slow
def test_each_phase_has_its_own_figures_and_its_own_prior() -> None:
    """Steady is sized half of login here: neither takes the other's figure, and login's misses are enough for it."""
    held = {each.phase: each for each in against.against(study(48), sized({"login": 20_000, "steady": 10_000})).phases}
    measured = {phase.name: phase.per_desktop for phase in study(48).phases}
    assert {name: each.sized for name, each in held.items()} == {"login": 20_000, "steady": 10_000}
    for name, each in held.items():
        assert each.measured == pytest.approx((measured[name] or 0) * DESKTOPS)
    assert {name: (each.prior.phase, each.prior.count) for name, each in held.items()} == {
        "login": ("login", 6),
        "steady": ("all phases", 8),
    }


@pytest.mark.slow
def test_a_phase_that_is_not_sized_is_named_and_never_counted_as_0() -> None:
    steady = too_small(study(12), "steady")
    for iops, text in ((None, "login: not sized: its demand is not known"), (0.0, "login: sized to 0")):
        found = against.against(study(12), replace(steady, iops={**steady.iops, "login": iops, "boot": 9.0}))
        assert [held.phase for held in found.phases] == ["steady"]
        assert any(each.startswith(text) for each in found.left)
        assert any(each.startswith("boot: not measured") for each in found.left)
    with pytest.raises(RequestError, match=r"no phase is both measured and sized: measured login, steady; .* boot"):
        against.against(study(12), sized({"boot": 9.0, "steady": None}))


@pytest.mark.slow
def test_another_number_of_desktops_is_scaled_and_said() -> None:
    found = against.against(study(12), too_small(study(12), "steady"))
    twice = against.against(study(12), replace(found.sized, desktops=2 * DESKTOPS))
    (one,), (other,) = found.phases, twice.phases
    assert other.measured == pytest.approx(2 * one.measured)
    assert one.interval is not None
    assert other.interval == pytest.approx((2 * one.interval[0], 2 * one.interval[1]))
    assert any("measured for 1,000 desktops, scaled by desktops to the 2,000 sized" in each for each in twice.left)
    assert not any("scaled" in each for each in found.left)


@pytest.mark.slow
def test_few_days_are_shown_beside_sized_and_not_corrected(tmp_path: Path) -> None:
    data = pilots.pilots(count=12, days=2, begin="08:00", end="10:00")
    found = measured([pilots.generic(tmp_path / "a.csv", data)], settled=True, windows={"steady": "08:00-10:00"})
    result = against.against(found, sized({"steady": 9000.0}))
    assert (result.phases[0].update, result.phases[0].sized_is) == (None, "not known")
    assert any(each.startswith("steady: not corrected: 12 desktops on 2 days") for each in result.left)
    with pytest.raises(RequestError, match="no phase has an interval"):
        against.corrected(found, result)


@pytest.mark.slow
def test_the_corrected_study_has_the_corrected_figures_alone() -> None:
    found = against.against(study(12), too_small(study(12), "steady"))
    (phase,) = against.corrected(study(12), found).phases
    assert phase.name == "steady"
    assert found.phases[0].corrected == pytest.approx((phase.sized or 0) * DESKTOPS)
    twice = against.against(study(12), replace(found.sized, desktops=2 * DESKTOPS))
    (phase,) = against.corrected(study(12), twice).phases  # a figure of a desktop, of however many
    assert twice.phases[0].corrected == pytest.approx((phase.sized or 0) * 2 * DESKTOPS)


@pytest.mark.slow
def test_files_that_are_split_or_in_another_order_change_no_byte(tmp_path: Path) -> None:
    data, design = estate(12), too_small(study(12), "steady", "login")
    files = []
    for at, name in enumerate(data.names):
        part = replace(data, names=(name,), values=data.values[at : at + 1])
        files.append(pilots.generic(tmp_path / f"{at * 5 % 12}.csv", part, random.Random(at).shuffle))

    def figures(found: Study) -> Against:
        return against.against(found, design)

    expected = repr(figures(study(12)))
    for order in (files, files[::-1]):
        assert repr(figures(measured(order, settled=True, windows=WINDOWS))) == expected
