"""The demand of an estate from its pilots: worked out by hand, and on simulated estates whose truth is known."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from addin.measured import phase, statistics
from addin.measured.estate import Table
from addin.measured.grid import SCALE, Grid
from addin.measured.statistics import Error, Peak, Setting
from addin.measured.windows import BINS, plan

Figures = NDArray[np.float64]
READ_SHARE, READ_KIB, WRITE_KIB = 0.3, 20.0, 12.0
T_29 = 1.6991270  # Student's t, 29 degrees of freedom, one-sided 95 %: any table


def table(iops: Figures, starts: Sequence[int] | None = None, present: Figures | None = None) -> Table:
    """Return the table of IOPS [desktop, day, bin], a third of them reads."""
    reads, writes = READ_SHARE * iops, (1 - READ_SHARE) * iops
    rates = np.rint(np.stack([reads, writes, READ_KIB * reads, WRITE_KIB * writes]) * SCALE)
    days = tuple(range(739_900, 739_900 + iops.shape[1]))
    known = np.ones(iops.shape) if present is None else present
    return Table("steady", days, tuple(starts or range(96, 96 + iops.shape[2])), rates * known, known)


def answer(found: Table, setting: Setting) -> tuple[Peak, Error]:
    """Return peak and error of a table."""
    total = statistics.means(found, setting)
    peak = statistics.peak(found, setting, total, range(len(found.days)), np.ones(len(setting.group)))
    assert peak is not None
    return peak, statistics.error(found, setting, peak, total)


def one_type(pilots: int, estate: float, **changes: object) -> Setting:
    """Return the setting of an estate of one type."""
    return Setting((estate,), np.zeros(pilots, dtype=np.int64), **changes)  # type: ignore[arg-type]


def test_demand_bound_and_pilots_as_worked_out_by_hand() -> None:
    """30 desktops of 5 and 15 IOPS by halves all day: m = 10, s = sbar = 5.0855; N = 1,000."""
    levels = np.repeat([5.0, 15.0], 15)
    peak, error = answer(table(np.tile(levels[:, None, None], (1, 6, 24))), one_type(30, 1000.0))
    spread = math.sqrt(25 * 30 / 29)
    assert peak.mean == pytest.approx(10)
    assert peak.spread == pytest.approx((spread,))
    assert peak.between == pytest.approx((spread,))
    assert peak.demand == pytest.approx(10_000 + 2.3263479 * math.sqrt(1000) * spread, rel=1e-7)
    assert error.standard == pytest.approx(1000 * spread / math.sqrt(30))
    assert error.upper == pytest.approx(peak.demand + T_29 * 1000 * spread / math.sqrt(30), rel=1e-6)
    assert error.pilots == math.ceil((1.959964 * spread / 10 / 0.1) ** 2) == 100
    assert error.days == pytest.approx(0, abs=1e-9)


def test_pilots_needed_for_a_published_spread() -> None:
    assert statistics.pilots_needed(0.53) == 108


def test_growth_scales_the_mean_and_not_chance() -> None:
    levels = np.repeat([5.0, 15.0], 15)
    found = table(np.tile(levels[:, None, None], (1, 6, 24)))
    plain, _ = answer(found, one_type(30, 1000.0))
    grown, _ = answer(found, one_type(30, 1000.0, growth=0.2))
    assert grown.demand - plain.demand == pytest.approx(2000)


def test_types_add_by_their_numbers_in_the_estate_and_chance_adds_in_squares() -> None:
    """10 task workers of 4 and 8, 10 power users of 20 and 40 IOPS; the estate has 900 and 100."""
    levels = np.concatenate([np.repeat([4.0, 8.0], 5), np.repeat([20.0, 40.0], 5)])
    setting = Setting((900.0, 100.0), np.repeat([0, 1], 10))
    peak, error = answer(table(np.tile(levels[:, None, None], (1, 5, 12))), setting)
    low, high = math.sqrt(4 * 10 / 9), math.sqrt(100 * 10 / 9)
    assert peak.demand == pytest.approx(900 * 6 + 100 * 30 + 2.3263479 * math.sqrt(900 * low**2 + 100 * high**2))
    assert error.standard == pytest.approx(math.sqrt((900 * low) ** 2 / 10 + (100 * high) ** 2 / 10))


def test_the_design_bin_is_a_window_and_a_percentile_is_one_of_them() -> None:
    iops = np.full((12, 5, 24), 10.0)
    iops[:, 2, 6:9] = 40.0
    iops[:, 3, 12:18] = 24.0
    found = table(iops)
    peak, _ = answer(found, one_type(12, 100.0))
    assert (peak.day, round(peak.mean, 6)) == (2, 25.0)  # three bins of 40, three of 10
    peak, _ = answer(found, one_type(12, 100.0, smooth=1))
    assert (peak.day, peak.bin, round(peak.mean, 6)) == (2, 6, 40.0)
    peak, _ = answer(found, one_type(12, 100.0, smooth=1, statistic="p95"))
    assert peak.mean == pytest.approx(24.0)


def test_a_window_does_not_reach_over_hours_that_were_taken_out() -> None:
    iops = np.full((12, 5, 4), 10.0)
    iops[:, 1, 1:3] = 30.0  # the last bin before the gap, the first after it
    peak, _ = answer(table(iops, starts=(96, 97, 120, 121)), one_type(12, 100.0, smooth=2))
    assert peak.mean == pytest.approx(20.0)


def test_a_bin_with_few_desktops_is_no_design_bin() -> None:
    iops, present = np.full((12, 5, 12), 10.0), np.ones((12, 5, 12))
    iops[0, 1, 3:9] = 900.0
    present[1:, 1, 3:9] = 0
    peak, _ = answer(table(iops, present=present), one_type(12, 100.0))
    assert peak.mean == pytest.approx(10.0)


def test_the_mix_is_that_of_the_peak_and_not_of_the_day() -> None:
    """All day 10 IOPS, all reads; in the busiest twentieth 40, all writes of 64 KiB."""
    rates, known = np.zeros((4, 12, 5, 20)), np.ones((12, 5, 20))
    rates[0], rates[2] = 10, 80
    rates[:, :, :, 7] = np.array([0, 40, 0, 2560])[:, None, None]
    found = Table("steady", tuple(range(739_900, 739_905)), tuple(range(96, 116)), rates * SCALE, known)
    peak, _ = answer(found, one_type(12, 100.0))
    assert (peak.mix.read_share, peak.mix.write_kib, peak.mix.kib) == (0, 64, 64)
    assert peak.mix.read_kib is None
    assert peak.phase_mean == pytest.approx(11.5)


def test_four_moments_may_decide_and_each_names_its_own() -> None:
    rates = np.ones((4, 12, 5, 24)) * np.array([6, 4, 60, 40])[:, None, None, None]
    rates[:, :, 0, 0:6] = np.array([30, 1, 100, 10])[:, None, None]  # most IOPS
    rates[:, :, 1, 0:6] = np.array([0, 12, 0, 100])[:, None, None]  # most writes
    rates[:, :, 2, 0:6] = np.array([2, 1, 900, 10])[:, None, None]  # most bytes
    rates[:, :, 3, 0:6] = np.array([17, 11, 20, 10])[:, None, None]  # 17 + 2.7 x 11 = 46.7
    found = Table("steady", tuple(range(739_900, 739_905)), tuple(range(96, 120)), rates * SCALE, np.ones((12, 5, 24)))
    setting = one_type(12, 100.0)
    moments = statistics.moments(found, setting, statistics.means(found, setting))
    assert {name: each.day - 739_900 for name, each in moments.items()} == {
        "most IOPS": 0,
        "most writes": 1,
        "most bytes": 2,
        "most read-equivalent work": 3,
    }


def estate(stream: np.random.Generator, desktops: int, days: int, bins: int) -> Figures:
    """Return an estate: levels with a CV of 0.5, a busy first hour and afternoon, at work or not by chance."""
    wide = math.log(1 + 0.5**2)
    level = np.exp(stream.normal(-wide / 2, math.sqrt(wide), desktops))
    at = np.arange(bins)
    shape = 0.7 + 0.8 * np.exp(-(((at - 15) / 8) ** 2)) + 0.4 * np.exp(-(((at - 70) / 20) ** 2))
    day = np.exp(stream.normal(0, 0.05, days))
    active = stream.random((desktops, days, bins)) < 0.35 * shape
    work = stream.gamma(1.5, 1 / 1.5, (desktops, days, bins))
    return active * work * 30 * level[:, None, None] * day[None, :, None]


@pytest.mark.slow
def test_two_hundred_draws_of_thirty_pilots_against_the_true_peak() -> None:
    stream = np.random.default_rng(29)
    design, bound = [], []
    for _ in range(4):
        whole = estate(stream, 2000, 10, 120)
        true = float(whole.sum(axis=0).max())
        for _ in range(50):
            pilots = whole[stream.choice(2000, 30, replace=False)]
            peak, error = answer(table(pilots), one_type(30, 2000.0))
            assert error.upper is not None
            design.append(peak.demand / true)
            bound.append(error.upper / true)
    inside, above = sum(0.9 <= each <= 1.5 for each in design), sum(each >= 1 for each in bound)
    assert len(design) == 200
    assert inside >= 180
    assert above >= 180


@pytest.mark.slow
def test_an_estate_that_is_active_four_percent_of_the_time() -> None:
    """The P95 of the sum over all 3,000 is 13,700 IOPS; the sum of their P95 is another figure, and no demand."""
    stream = np.random.default_rng(4)
    active = np.where(stream.random((3000, 14, 120)) < 0.04, 100.0, 0.0)
    sums = active.sum(axis=0)
    assert float(np.quantile(sums, 0.95)) == pytest.approx(13_700, rel=0.03)
    found, whole = table(active), one_type(3000, 3000.0, statistic="p95", smooth=1)
    peak, _ = answer(found, whole)
    share = peak.mean / 100  # of the desktops that are active in the design bin
    chance = 2.3263479 * math.sqrt(3000) * 100 * math.sqrt(share * (1 - share))
    assert peak.mean * 3000 == pytest.approx(13_700, rel=0.03)
    assert peak.demand - peak.mean * 3000 == pytest.approx(chance, rel=0.001)
    typical, _ = answer(table(np.ascontiguousarray(active)), one_type(3000, 3000.0, smooth=120))
    assert typical.demand == pytest.approx(14_496, rel=0.03)  # the mean of a day and chance on top
    figures = {each.name: each.value for each in phase.shown(found, whole, night(sums / 3000))}
    assert figures["P95 of the sum"] == pytest.approx(13_700, rel=0.03)
    often = 100 * float(((active > 0).mean(axis=(1, 2)) > 0.05).sum())  # whose P95 is not 0
    assert figures["sum of P95"] == pytest.approx(often, rel=0.05)
    assert figures["sum of P95"] < 0.6 * figures["P95 of the sum"]
    assert peak.demand > figures["P95 of the sum"]


def night(iops: Figures) -> Grid:
    """Return a grid that knows means of whole days [day, bin], and no desktop."""
    grid = Grid(plan({"steady": "08:00-18:00"}, "mon-fri", 30))
    for day, each in enumerate(iops):
        sums = np.zeros((2, BINS), dtype=np.int64)
        sums[0, : len(each)] = np.rint(each * SCALE)
        sums[1, : len(each)] = 1
        grid.whole[day] = sums
    return grid
