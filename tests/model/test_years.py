"""Years: what is bought and paid is an independent list of payments, and the definitions hold."""

import math
from collections.abc import Mapping
from functools import cache

import numpy as np
import pytest

from addin.kernel import Scalar
from model.sheets.money import net_cost
from model.sheets.money.growth import YEARS, of_year
from tests.support.answers import DOWN, UP, answers, assert_one_way, number
from tests.support.cash_flow import BOUGHT, Flow, Kind, discounted_months, flow
from tests.support.input_sets import Value
from tests.support.money import BUILT, DEAR, OWN, WORKED, result, results, years_of

# ---- an independent cash flow ------------------------------------------------------------------

CASES = 203  # seven at a time
BY_YEAR = (
    *("desktops", "arrays_required", "container_arrays", "hosts_required", "bought", "owned"),
    *("container_bought", "container_owned", "paid", "depreciation"),
)
TOTALS = (
    *("paid_total", "capex_total", "running_total", "npv", "equal_yearly_cost", "cost_per_desktop_month"),
    *("cost_per_user_month", "cost_per_effective_gib_month", "over_budget", "price_multiplier", "other_npv"),
)
WORDS = ("arrays_first", "arrays_last", "next_purchase_year", "purchase_reason")
USED = (
    *net_cost.PARTS,
    "part_time",
    "reconciled_ratio",
    "effective_gib",
    "array_price",
    "support_included_years",
    "break_even_price",
)


def case(rng: np.random.Generator) -> dict[str, Value]:
    """Return a random design and its money; about half of what may be blank is."""

    def one(*choices: Value) -> Value:
        return choices[int(rng.integers(len(choices)))]

    def some(low: float, high: float) -> Value:
        return None if rng.random() < 0.4 else round(float(rng.uniform(low, high)), 2)

    kind = one("My array 1", "My array 2", "My array 3", "NetApp AFF8040")
    away = rng.random() < 0.4
    return {
        "array": kind,
        "array_price": float(rng.integers(20, 300)) * 1000 if kind not in CARDED or rng.random() < 0.6 else None,
        "support_included_years": one(None, *map(float, range(8))),
        "desktops": float(rng.integers(100, 6000)),
        "growth_ratio": one(0.0, 0.15),
        "concurrent_ratio": one(1.0, 0.8),
        "desktops_per_host": 120.0,
        "most_desktops_per_array": float(rng.integers(400, 4000)),
        "arrays_installed": one(None, None, 1.0, 2.0, 4.0),
        "failover": one("yes", "no"),
        "container_place": "another array" if away else "none",
        "container_array": one("My array 1", "My array 2") if away else None,
        "container_gib": 30.0 if away else None,
        "container_array_price": one(None, 35000.0) if away else None,
        "growth_per_year_ratio": round(float(rng.uniform(-0.3, 0.6)), 3),
        "growth_timing": one("through the year", "on 1 January"),
        "discount_ratio": one(0.0, 0.25, 0.4),
        "support_ratio": one(0.0, 0.12, 0.2),
        "support_base": one("net price", "list price"),
        "years": one(*map(float, range(1, 8))),
        "array_life_years": one(*map(float, (1, 2, 3, 3, 4, 5, 6, 7, 15))),
        "capital_rate_ratio": one(0.0, 0.08, 0.11),
        "price_change_ratio": one(0.0, -0.1, 0.05),
        "cost_change_ratio": one(0.0, 0.03, -0.02),
        "resale_ratio": one(0.0, 0.2, 1.0),
        "pue_ratio": one(1.0, 1.5, 2.1),
        "price_covers_hosts": one("no", "no", "yes"),
        "installation_cost": some(0, 9000),
        "power_w": some(200, 4000),
        "tariff_per_kwh": some(0.05, 0.4),
        "rack_u": some(1, 20),
        "rack_cost_per_u_year": some(50, 500),
        "admin_h_per_year": some(5, 120),
        "admin_cost_per_h": some(20, 120),
        "licence_cost_per_desktop_year": some(1, 30),
        "host_price": some(4000, 30000),
        "budget": float(rng.integers(10, 2000)) * 1000,
    }


CARDED = ("My array 1", "My array 2")  # with a quote on the card


@cache
def cases() -> list[tuple[dict[str, Value], dict[str, Scalar]]]:
    """Return random cases, each with what the workbook says."""
    rng = np.random.default_rng(5)
    keys = (*TOTALS, *WORDS, *USED, *(each for key in BY_YEAR for each in years_of(key)))
    listed = []
    for _ in range(CASES // 7):
        drawn = [case(rng) for _ in range(7)]
        said = results(drawn, *keys)
        listed += [(money, dict(zip(keys, values, strict=True))) for money, values in zip(drawn, said, strict=True)]
    return listed


def whole(said: Mapping[str, Scalar], key: str) -> list[int]:
    return [round(number(said[each])) for each in years_of(key)]


def years_before(money: Mapping[str, Value]) -> float:
    """Return how long before its end a year is sized: growth on 1 January and a decline come at its start."""
    return 1.0 if money["growth_timing"] == "on 1 January" or float(str(money["growth_per_year_ratio"])) < 0 else 0.0


def desktops(money: Mapping[str, Value], early: float) -> list[float]:
    """Return the desktops `early` years before the end of every year, counted up."""
    day_one = up(float(str(money["desktops"])) * (1 + float(str(money["growth_ratio"]))))
    growth = float(str(money["growth_per_year_ratio"]))
    return [max(1.0, up(day_one * (1 + growth) ** (year - early))) for year in YEARS]


def up(value: float) -> float:
    return float(math.ceil(round(value, 8)))


def payments(money: Mapping[str, Value], said: Mapping[str, Scalar], price: float) -> Flow:
    """Return what a case pays where an array costs `price` today; only how much each year needs is the workbook's."""
    installed = int(float(str(money["arrays_installed"] or 0)))
    carded = {"My array 1": (88000.0, 2.0), "My array 2": (41000.0, 1.0)}
    own = carded.get(str(money["array"]), (0.0, 0.0))
    included = own[1] if money["support_included_years"] is None else float(str(money["support_included_years"]))
    kinds = [Kind([max(installed, count) for count in whole(said, "arrays_required")], price, included)]
    if money["container_place"] == "another array":
        quoted, supported = carded[str(money["container_array"])]
        typed = money["container_array_price"]
        kinds.append(Kind(whole(said, "container_arrays"), float(str(typed or quoted)), supported))
    return flow(money, kinds, whole(said, "hosts_required"), desktops(money, years_before(money)))


def close(ours: Scalar, wanted: float, size: float) -> bool:
    return abs(number(ours) - wanted) <= 1e-9 * max(abs(wanted), size)


@pytest.mark.slow
def test_what_a_case_pays_is_an_independent_list_of_payments() -> None:
    for at, (money, said) in enumerate(cases()):
        price = float(str(money["array_price"] or {"My array 1": 88000, "My array 2": 41000}[str(money["array"])]))
        made = payments(money, said, price)
        n = made.years
        steps = 1.0 if money["growth_timing"] == "on 1 January" else 0.0  # through the year: the mean of its two ends
        at_end, at_start = desktops(money, steps)[:n], desktops(money, 1.0)[:n]
        months = discounted_months(at_start, at_end, made)
        owned = made.owned[0]
        array_months = discounted_months(owned, owned, made)
        wanted = {
            "paid_total": made.total(),
            "capex_total": made.total(*BOUGHT),
            "running_total": made.total() - made.total(*BOUGHT),
            "npv": made.npv,
            "equal_yearly_cost": made.equal_yearly_cost,
            "cost_per_desktop_month": made.npv / months,
            "cost_per_user_month": made.npv / months / float(str(money["concurrent_ratio"])),
            "cost_per_effective_gib_month": made.npv / max(1, array_months * number(said["effective_gib"])),
            "over_budget": made.total() - made.total("resale") - float(str(money["budget"])),
            "price_multiplier": (payments(money, said, 1e6).npv - payments(money, said, 0).npv) / 1e6,
            "other_npv": payments(money, said, 0).npv,
        }
        size = sum(abs(each.amount) for each in made.payments)  # resale may leave a small rest of large amounts
        for key, value in wanted.items():
            small = key.startswith("cost_per") or key == "price_multiplier"
            assert close(said[key], value, 0 if small else size), (at, key, said[key], value, money)
        for year in range(1, n + 1):
            assert close(said[of_year("paid", year)], made.paid_in(year), size), (at, year, money)


@pytest.mark.slow
def test_arrays_by_year_are_those_of_purchases_that_live_and_die() -> None:
    reasons = set()
    for at, (money, said) in enumerate(cases()):
        made = payments(money, said, 1.0)
        last = made.years
        for bought, owned, prefix in zip(made.bought, made.owned, ("", "container_"), strict=False):
            assert whole(said, f"{prefix}owned")[:last] == owned, (at, prefix, money)
            assert whole(said, f"{prefix}bought")[:last] == [bought.get(y, 0) for y in range(1, last + 1)], (at, money)
        (first, *own), owned = made.bought[0], made.owned[0]
        assert first == 1
        # arrays for containers are bought too, in years of their own
        later = sorted({year for bought in made.bought for year, count in bought.items() if year > 1 and count})
        assert (said["arrays_first"], said["arrays_last"]) == (owned[0], owned[-1])
        assert said["next_purchase_year"] == (later[0] if later else "none"), (at, money)
        need = [max(count, int(float(str(money["arrays_installed"] or 0)))) for count in whole(said, "arrays_required")]
        if later and need[later[0] - 1] > owned[later[0] - 2]:
            assert said["purchase_reason"] not in ("none", "end of life", "arrays for containers"), (at, money)
        else:
            replaced = "end of life" if later and later[0] in own else "arrays for containers"
            assert said["purchase_reason"] == (replaced if later else "none"), (at, money)
        reasons.add(said["purchase_reason"])
    assert {"none", "end of life", "arrays for containers"} < reasons


@pytest.mark.slow
def test_depreciation_of_every_year() -> None:
    """Straight-line: what was paid for arrays that are still alive, over their life; its sum never exceeds it."""
    for at, (money, said) in enumerate(cases()):
        price = float(str(money["array_price"] or {"My array 1": 88000, "My array 2": 41000}[str(money["array"])]))
        made, life = payments(money, said, price), int(float(str(money["array_life_years"])))
        paid: dict[int, float] = {}
        for each in made.payments:
            if each.line in ("arrays", "hosts"):
                paid[int(each.when) + 1] = paid.get(int(each.when) + 1, 0.0) + each.amount
        for year in range(1, made.years + 1):
            written = sum(amount / life for vintage, amount in paid.items() if vintage <= year < vintage + life)
            assert close(said[of_year("depreciation", year)], written, 1e-6), (at, year, money)


@pytest.mark.slow
def test_the_cases_hold_what_a_cash_flow_can_get_wrong() -> None:
    """Resale, support after the included years, replacements, hosts, containers, prices from cards: in many cases."""
    lines: dict[str, int] = {}
    replaced = from_card = away = 0
    for money, said in cases():
        made = payments(money, said, 1.0)
        for line in {each.line for each in made.payments if each.amount}:
            lines[line] = lines.get(line, 0) + 1
        replaced += said["purchase_reason"] == "end of life"
        from_card += money["array_price"] is None
        away += len(made.owned) > 1
    assert set(lines) == {"arrays", "support", "installation", "hosts", "licences", "power", "rack", "admin", "resale"}
    assert min(*lines.values(), replaced, from_card, away) > 20


# ---- the worked example, and what follows from the definitions ---------------------------------


def test_the_worked_example() -> None:
    keys = ("paid_total", "npv", "equal_yearly_cost", "cost_per_desktop_month", "arrays_first", "arrays_last")
    paid, worth, yearly, per_month, first, last = map(number, result(WORKED, *keys))
    assert [round(value, 2) for value in (paid, worth, yearly, per_month)] == [311882.70, 273641.40, 63458.57, 2.30]
    assert (first, last) == (1, 2)
    assert result(WORKED, *years_of("owned"))[:5] == (1, 1, 2, 2, 2)
    assert result(WORKED, "next_purchase_year", "purchase_reason") == (3, "Fault domain")
    (bought,) = result(WORKED, of_year("arrays_paid", 3))
    assert bought == pytest.approx(103974 * 0.9**2)


@pytest.mark.slow
def test_the_parts_from_the_list_price_on_are_those_of_the_list_of_payments() -> None:
    """Each part is the sum of its payments; arrays of year 1 at list less discount, later ones grown or replaced."""
    named: dict[str, tuple[str, ...]] = {key: (key,) for key in ("hosts", "installation", "support", "licences")}
    named |= {"run": ("power", "rack", "admin"), "resold": ("resale",)}
    bought = ("listed", "discounted", "replaced", "grown", "containers")
    for at, (money, said) in enumerate(cases()):
        price = float(str(money["array_price"] or {"My array 1": 88000, "My array 2": 41000}[str(money["array"])]))
        made = payments(money, said, price)
        size = sum(abs(each.amount) for each in made.payments)
        for part, lines in named.items():
            assert close(said[f"part_{part}"], made.total(*lines), size), (at, part, money)
        assert close(sum(number(said[f"part_{part}"]) for part in bought), made.total("arrays"), size), (at, money)
        day_one = made.bought[0][1] * price
        assert close(said["part_listed"], day_one, size), (at, money)
        assert close(said["part_discounted"], -day_one * float(str(money["discount_ratio"])), size), (at, money)
        assert close(said["part_time"], made.npv - made.total(), size), (at, money)
        assert close(said["reconciled_ratio"], 1.0, 1.0), (at, money)
        kept = made.owned[0] == [max(made.owned[0])] * made.years
        assert not kept or close(said["part_grown"], 0.0, size), (at, "no growth where the same number is owned")


def test_money_is_worth_the_same_whenever_paid_where_capital_costs_nothing() -> None:
    design = {**WORKED, "capital_rate_ratio": 0.0, "resale_ratio": 0.3}
    paid, worth, yearly = map(number, result(design, "paid_total", "npv", "equal_yearly_cost"))
    assert worth == pytest.approx(paid, rel=1e-12)
    assert yearly == pytest.approx(paid / 5, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("installed", [None, 3.0, 5.0])
@pytest.mark.parametrize("base", ["net price", "list price"])
@pytest.mark.parametrize("included", [None, 0.0, 1.0, 2.5, 3.0, 7.0])
def test_without_growth_and_running_lines_the_years_cost_what_day_one_costs(
    installed: float | None, included: float | None, base: str
) -> None:
    """Within the first life; arrays installed are paid where more are than required."""
    design: dict[str, Value] = {
        **{"array": "My array 1", "desktops": 1500.0, "most_desktops_per_array": 600.0, "array_price": 90000.0},
        **{"discount_ratio": 0.3, "support_ratio": 0.15, "support_base": base, "installation_cost": 4000.0},
        **{"support_included_years": included, "price_change_ratio": 0.1, "arrays_installed": installed},
        **{"container_place": "another array", "container_array": "My array 2", "container_gib": 30.0},
    }
    lives = [(5.0, 5.0), (3.0, 5.0), (7.0, 15.0), (1.0, 1.0)]
    designs = [{**design, "years": years, "array_life_years": life} for years, life in lives]
    for paid, day_one, arrays in results(designs, "paid_total", "cost_total", "arrays_used"):
        assert arrays == max(3, installed or 0)
        assert number(paid) == pytest.approx(number(day_one), rel=1e-12)


def test_where_too_few_are_installed_day_one_costs_those_and_the_years_buy_the_rest() -> None:
    """One array is installed, three are required: the answer says so, NTP's cost per desktop is of the one it had."""
    design: dict[str, Value] = {
        **{"array": "My array 1", "desktops": 1500.0, "most_desktops_per_array": 600.0, "array_price": 90000.0},
        "arrays_installed": 1.0,
    }
    day_one, paid, status = result(design, "cost_total", "paid_total", "status")
    assert (number(day_one), number(paid)) == pytest.approx((90_000, 270_000))
    assert "does not fit: needs 3 arrays" in str(status)
    keys = ("cost_per_usable_gib", "cost_per_iops")
    assert result(design, *keys) == result({**design, "arrays_installed": None}, *keys)


WAYS: list[tuple[str, str, list[float], str]] = [
    ("array_price", UP, [1, 1000, 50000, 103974, 1e6, 1e8], "npv"),
    ("growth_per_year_ratio", UP, [-0.5, -0.1, 0, 0.1, 0.2, 0.5, 1], "npv"),
    ("rack_u", UP, [0, 1, 8, 42, 1000], "npv"),
    ("rack_cost_per_u_year", UP, [0, 100, 300, 1e6], "npv"),
    ("tariff_per_kwh", UP, [0, 0.05, 0.15, 1, 10], "npv"),
    ("pue_ratio", UP, [1, 1.5, 2.5, 5], "npv"),
    ("discount_ratio", DOWN, [0, 0.1, 0.5, 0.9, 1], "npv"),
    ("capital_rate_ratio", DOWN, [0, 0.04, 0.08, 0.12, 1], "npv"),
    ("price_change_ratio", UP, [-0.5, -0.1, 0, 0.1, 0.5], "npv"),
    ("cost_change_ratio", UP, [-0.5, -0.02, 0, 0.03, 0.5], "npv"),
    ("support_ratio", UP, [0, 0.1, 0.12, 0.5, 1], "npv"),
    ("support_included_years", DOWN, [0, 1, 2, 3, 4, 5], "npv"),
    ("resale_ratio", DOWN, [0, 0.2, 0.5, 1], "npv"),
    ("years", UP, [1, 2, 3, 4, 5, 6, 7], "paid_total"),
    ("array_life_years", DOWN, [1, 2, 3, 4, 5, 6, 7], "capex_total"),
    ("admin_h_per_year", UP, [0, 10, 60, 1000], "running_total"),
    ("licence_cost_per_desktop_year", UP, [0, 1, 20, 1000], "running_total"),
    ("host_price", UP, [0, 10000, 30000], "capex_total"),
    ("budget", DOWN, [1, 1000, 1e6, 1e12], "over_budget"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("key", "way", "values", "of"), WAYS, ids=[key for key, *_ in WAYS])
def test_money_moves_one_way(key: str, way: str, values: list[float], of: str) -> None:
    design = {**WORKED, "discount_ratio": 0.1}
    said = results([{**design, key: float(value)} for value in values], of)
    assert_one_way([number(each) for (each,) in said], way)


@pytest.mark.slow
def test_break_even_prices_of_random_cases() -> None:
    """Typed as the price of the case, each gives the present cost of the base, which no case touches."""
    asked = [(money, number(said["break_even_price"])) for money, said in cases()
             if isinstance(said["break_even_price"], float)][:70]  # fmt: skip
    assert len(asked) > 30
    for start in range(0, len(asked), 7):
        part = [{**money, "array_price": price} for money, price in asked[start : start + 7]]
        (base,), *said = answers(BUILT, OWN, [DEAR, *part], "npv")
        for (worth,) in said:
            assert number(worth) == pytest.approx(number(base), rel=1e-9)
