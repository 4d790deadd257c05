"""What the years buy beside arrays and beyond their end: hosts age as nodes do, cash counts before resale."""

import pytest

from tests.support.answers import number
from tests.support.input_sets import Value
from tests.support.money import WORKED, result, results, years_of

_HOSTS = 19  # of 1,500 desktops at 80 a host


@pytest.mark.slow
@pytest.mark.parametrize(
    ("more", "paid"),
    [
        ({}, 912_000),  # 3 x 95,000 + 19 x 9,000, bought twice in seven years
        ({"support_ratio": 0.12}, 912_000 + 7 * 54_720),
        ({"price_change_ratio": -0.05, "support_ratio": 0.12, "support_included_years": 2.0}, None),
        ({"resale_ratio": 0.3, "capital_rate_ratio": 0.07, "array_life_years": 4.0}, None),
        ({"years": 3.0, "resale_ratio": 0.3, "support_base": "list price", "support_ratio": 0.1}, None),
    ],
)
def test_hosts_apart_cost_what_they_cost_in_the_price_of_a_node(more: dict[str, Value], paid: float | None) -> None:
    """Equal money gives an equal result: hosts age, are supported and are sold as nodes are."""
    design: dict[str, Value] = {
        **{"array": "My array 1", "desktops": 1500.0, "most_desktops_per_array": 500.0, "failover": "no"},
        **{"desktops_per_host": 80.0, "hosts": None, "years": 7.0, "capital_rate_ratio": 0.0},
        **{"support_included_years": 0.0, **more},
    }
    apart = {**design, "array_price": 95_000.0, "host_price": 9_000.0}
    folded = {**design, "array_price": 95_000.0 + _HOSTS * 9_000 / 3}
    keys = ("hosts_required", "arrays_first", "paid_total", "npv", "over_budget", *years_of("depreciation"))
    (hosts, arrays, *one), (_, _, *other) = results([apart, folded], *keys)
    assert (hosts, arrays) == (_HOSTS, 3)
    numbers = [[value for value in each if not isinstance(value, str)] for each in (one, other)]
    assert numbers[0] == pytest.approx(numbers[1], rel=1e-12)
    if paid is not None:
        assert number(one[0]) == pytest.approx(paid, abs=0.005)


def test_the_budget_is_held_against_cash_before_resale() -> None:
    design = {**WORKED, "resale_ratio": 0.3, "budget": 311882.70}
    over, paid, holds = result(design, "over_budget", "paid_total", "budget_holds")
    assert number(paid) == pytest.approx(301_776.43, abs=0.005), "the resale is received after the last year"
    assert number(over) == pytest.approx(0, abs=0.005)
    assert result({**design, "budget": 311_000.0}, "budget_holds") == (0,)
    assert holds in (0, 1)


@pytest.mark.parametrize(
    ("years", "life", "words"),
    [
        (6.0, 5.0, "arrays or hosts of year 6 serve to year 10: 4 years beyond the horizon"),
        (4.0, 5.0, "arrays or hosts of year 1 serve to year 5: 1 year beyond the horizon"),
        (5.0, 5.0, ""),
        (6.0, 3.0, ""),
    ],
)
def test_a_life_that_ends_after_the_horizon_is_named(years: float, life: float, words: str) -> None:
    design = {**WORKED, "growth_per_year_ratio": 0.0, "years": years, "array_life_years": life}
    assert result(design, "horizon_words") == (words,)
    assert result({**design, "array": "My array 3", "array_price": None}, "horizon_words") == ("",), (
        "no money, no words"
    )


@pytest.mark.parametrize("timing", ["through the year", "on 1 January"])
def test_fewer_users_each_year_are_sized_and_paid_for_from_the_first_day(timing: str) -> None:
    """1,500 desktops on three arrays of 500, fewer every year: three arrays and their support are paid for."""
    design: dict[str, Value] = {
        **{"array": "My array 1", "desktops": 1500.0, "most_desktops_per_array": 500.0, "failover": "no"},
        **{"array_price": 90_000.0, "support_ratio": 0.1, "support_included_years": 0.0, "years": 5.0},
        **{"array_life_years": 5.0, "growth_per_year_ratio": -0.25, "growth_timing": timing},
    }
    keys = ("arrays_required", "arrays_first", "desktop_months_total", "paid_total", "cost_total", "npv")
    ((needed, first, months, *money),) = results([{**design, "capital_rate_ratio": 0.08}], *keys)
    assert (needed, first) == (3, 3)
    ends = [(1500, 1125), (1125, 844), (844, 633), (633, 475), (475, 356)]  # counted up
    mean = [sum(each) / 2 if timing == "through the year" else each[0] for each in ends]
    worked = 12 * sum(users / 1.08 ** (year + 0.5) for year, users in enumerate(mean))
    assert number(months) == pytest.approx(worked, rel=1e-12)
    support = 27_000 * sum(1.08**-year for year in range(5))
    assert money == pytest.approx([405_000, 405_000, 270_000 + support], abs=0.005)


def test_where_nothing_is_bought_nothing_lasts_beyond_the_years() -> None:
    disks: dict[str, Value] = {"disk_place": "Azure Premium SSD", "disk_price": 20.0, "years": 3.0}
    assert result(disks, "last_bought", "horizon_words") == (0, "")
