"""A cloud share that grows: a later year costs what that many users cost on day one, by the rules of the service."""

import itertools
from collections.abc import Mapping

import pytest

from tests.model.test_cloud_cache import TWO
from tests.model.test_cloud_shares import CREDITS, HDD, PREMIUM, SERVICES, SHARE, STANDARD, STRESS, V1, V2, results
from tests.model.test_share_prices import paid
from tests.support.input_sets import Value

PRICED: dict[str, Value] = {"share_gib_price": 0.1, "share_iops_price": 0.03, "share_mib_price": 0.04}
FSX = "FSx for Windows 512 MB/s"


def both(design: Mapping[str, Value], service: str, users: float) -> tuple[float, float]:
    """Return what the second year costs in which the users have grown to a count, and what they cost on day one."""
    start = design["desktops"]
    assert isinstance(start, float)
    grown: dict[str, Value] = {**design, **PRICED, "share_service": service, "years": 2.0}
    grown |= {"growth_per_year_ratio": users / start - 1, "growth_timing": "on 1 January"}
    (month,) = results({**grown, "desktops": users, "growth_per_year_ratio": 0.0}, "share_cost_month")
    return paid(grown)[1], 12 * month


def of(users: float, design: Mapping[str, Value] = SHARE, **further: Value) -> dict[str, Value]:
    return {**design, "desktops": users, **further}


@pytest.mark.parametrize(
    ("service", "design", "users", "shares"),
    [
        (V1, of(3000.0), 4000.0, (1, 2)),  # 90,000 and 120,000 GiB; one has 102,400
        (V1, of(2000.0, STRESS), 2500.0, (1, 2)),  # 100,000 and 125,000 IOPS; an account has 102,400
        (V2, of(2000.0, STRESS), 2500.0, (1, 2)),
        (V2, of(1000.0, STRESS), 1001.0, (1, 1)),  # whole IOPS and MiB/s
        (V1, of(9000.0, container_gib=1.0, container_steady_iops=1.0), 11_000.0, (1, 2)),  # handles: 10,000
        (FSX, of(2000.0, container_gib=40.0, container_steady_iops=1.0), 3000.0, (2, 2)),  # 65,536 GiB
        (FSX, of(1000.0, container_steady_iops=8.0), 4000.0, (1, 2)),  # 20,000 IOPS
        (STANDARD, of(1000.0, STRESS), 1500.0, (1, 1)),
        (V1, of(3000.0, container_share=TWO, container_steady_iops=20.0), 4000.0, (2, 4)),
    ],
)
def test_a_year_buys_what_its_users_need_and_counts_its_shares(
    service: str, design: dict[str, Value], users: float, shares: tuple[int, int]
) -> None:
    counted = [results({**design, "share_service": service, "desktops": n}, "share_count")[0]
               for n in (design["desktops"], users)]  # fmt: skip
    assert tuple(counted) == shares
    later, alone = both(design, service, users)
    assert later == pytest.approx(alone, rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("service", [each for each in SERVICES if not each.startswith("My") and each != HDD])
@pytest.mark.parametrize("design", [SHARE, STRESS, {**STRESS, "container_gib": 3.0}], ids=("window", "all", "small"))
def test_every_service_costs_in_a_later_year_what_it_costs_on_day_one(service: str, design: dict[str, Value]) -> None:
    for users in (1001.0, 1700.0, 6000.0):
        later, alone = both({**design, "desktops": 1000.0}, service, users)
        assert later == pytest.approx(alone, rel=1e-6), users


@pytest.mark.parametrize("service", [V1, V2])
def test_credits_that_a_later_year_outgrows_carry_none_of_it(service: str) -> None:
    """4,000 users of 1 GiB: the least burst of 10,000 IOPS carries 9,900 and not 19,800."""
    design = {**CREDITS, "container_gib": 1.0, "container_steady_iops": 4.0, "desktops": 198.0}
    assert results({**design, "share_service": service}, "share_credits_hold") == [1]
    costs = []
    for users in (198.0, 220.0, 400.0, 1000.0):
        later, alone = both(design, service, users)
        assert later >= alone * (1 - 1e-6)
        costs.append(later)
    assert all(a <= b for a, b in itertools.pairwise(costs))


def test_an_hdd_share_that_a_later_year_outgrows_has_no_cost() -> None:
    """One share has 50,000 IOPS. 1,100 users all at once ask for 55,000, and so do 1,000 that have grown."""
    grown: dict[str, Value] = {**STRESS, **PRICED, "share_service": HDD, "years": 2.0, "array_price": 90_000.0}
    assert results(grown, "share_outgrown", "money_known") == [0, 1]
    grown["growth_per_year_ratio"] = 0.1
    assert results(grown, "share_too_many", "share_outgrown", "money_known") == [0, 1, 0]


def test_a_year_without_growth_costs_twelve_months_of_day_one() -> None:
    for service, design in itertools.product((V1, V2, HDD, PREMIUM, FSX), (SHARE, STRESS, CREDITS)):
        of_service = {**design, **PRICED, "share_service": service, "years": 2.0, "growth_per_year_ratio": 0.0}
        (known, month) = results(of_service, "share_cost_known", "share_cost_month")
        if known:
            assert paid(of_service)[:2] == pytest.approx([12 * month] * 2), (service, design)
