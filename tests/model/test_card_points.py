"""A data sheet's points: a second latency makes no fiction, and one point alone is an upper bound."""

import pytest

from addin.kernel import Cells
from model.workbook import Built
from tests.model.test_cards import CARD, computed, results
from tests.support.input_sets import Value

PLAIN: dict[str, Value] = {  # 46 TB usable, 250,000 IOPS at 70 % read in 0.5 ms, two controllers
    **CARD,
    "capacity_tb": 46.0,
    "iops": 250000.0,
    "latency_ms": 0.5,
    "reduction_ratio": 4.0,
}
MANY: dict[str, Value] = {  # 10,000 users, 12 IOPS at work and 30 while logging in, 40 % read, 8 KiB
    "desktops": 10000.0,
    "failover": "yes",
    "login_iops_per_desktop": 30.0,
    "login_read_ratio": 0.4,
    "login_block_kib": 8.0,
    "steady_iops_per_desktop": 12.0,
    "steady_read_ratio": 0.4,
    "steady_block_kib": 8.0,
}
UTILISATIONS = (
    *("failover_utilisation", "failover_utilisation_login", "peak_phase_utilisation", "utilisation_login"),
    *("utilisation_steady", "login_peak_utilisation", "share_used_normal", "share_used_after_failure"),
)


@pytest.mark.slow
def test_a_second_latency_point_makes_no_utilisation_smaller_and_no_supply_larger(built: Built, cells: Cells) -> None:
    """With a lowest latency of 0.45 typed, the utilisation after a failure fell from 0.80 to 0.08."""
    supplies = ("supply_login", "supply_steady")
    without = results(built, cells, PLAIN, MANY, *UTILISATIONS, "arrays_required")
    supply = results(built, cells, PLAIN, MANY, *supplies)
    for lowest in (0.01, 0.1, 0.25, 0.45, 0.499):
        card = {**PLAIN, "base_latency_ms": lowest}
        assert results(built, cells, card, MANY, *supplies) == pytest.approx(supply)
        found = results(built, cells, card, MANY, *UTILISATIONS, "arrays_required")
        assert all(float(str(a)) >= float(str(b)) * (1 - 1e-12) for a, b in zip(found, without, strict=True)), lowest
    for second in (0.3, 0.46, 0.6):
        card = {**PLAIN, "base_latency_ms": 0.25, "second_iops": 300000.0, "second_read_ratio": 0.7}
        found = results(built, cells, {**card, "second_latency_ms": second}, MANY, *UTILISATIONS)
        assert found == pytest.approx(without[:-1]), second


def test_utilisation_is_the_demand_over_the_iops_printed(built: Built, cells: Cells) -> None:
    """400,000 IOPS on one array are twice the 200,000 printed, four times what a failure leaves, whatever S says."""
    design: dict[str, Value] = {"arrays_installed": 1.0}
    for lowest in (None, 0.2, 0.5, 0.9):
        card = {**CARD, "base_latency_ms": lowest}
        keys = ("utilisation_login", "utilisation_steady", "failover_utilisation")
        assert results(built, cells, card, design, *keys) == pytest.approx((2, 2, 4))
        assert results(built, cells, card, design, "steady_latency_ms", "failover_latency_ms") == (
            ("no published latency",) * 2 if lowest is None else ("saturated",) * 2
        )


def test_a_point_without_the_lowest_latency_is_an_upper_bound_within_its_iops(built: Built, cells: Cells) -> None:
    """250,000 IOPS in 0.5 ms: at fewer it is no slower; beyond them nothing is known."""
    design: dict[str, Value] = {"desktops": 300.0, "arrays_installed": 1.0}  # 120,000 IOPS; after a failure 125,000
    keys = ("login_latency_ms", "steady_latency_ms", "failover_latency_ms", "failover_login_latency_ms")
    assert results(built, cells, PLAIN, design, *keys) == ("at most 0.50",) * 4
    busier: dict[str, Value] = {**design, "desktops": 500.0}  # 200,000 IOPS, more than half of the 250,000
    bound, unknown = "at most 0.50", "no published latency"
    assert results(built, cells, PLAIN, busier, *keys) == (bound, bound, unknown, unknown)
    assert results(built, cells, PLAIN, {**design, "desktops": 700.0}, *keys) == (unknown,) * 4
    assert computed(built, cells, PLAIN)[1]["latency_bound_ms"] == 0.5
    assert computed(built, cells, {**PLAIN, "base_latency_ms": 0.2})[1]["latency_bound_ms"] == ""


@pytest.mark.parametrize(("latency", "limit", "lowest", "raised"), [(50, 5, None, 1), (5, 5, None, 0), (50, 5, 0.2, 0)])
def test_a_point_above_the_latency_limit_is_told(
    built: Built, cells: Cells, latency: float, limit: float, lowest: float | None, raised: int
) -> None:
    """IOPS that a vendor states at 50 ms are no IOPS within 5 ms."""
    card = {**PLAIN, "latency_ms": latency, "base_latency_ms": lowest}
    (found,) = results(built, cells, card, {"latency_limit_ms": limit}, "card_slow")
    assert found == raised
