"""Years: what is bought and paid is an independent list of payments, and prices compare as the page says they do."""

import math
from collections.abc import Mapping
from functools import cache

import numpy as np
import pytest

from addin.kernel import Cells, Scalar
from model.sheets.growth import YEARS, of_year
from tests.support.answers import DOWN, UP, answers, assert_one_way, changed, number
from tests.support.cash_flow import BOUGHT, Flow, Kind, discounted_months, flow
from tests.support.input_sets import Value, own_arrays
from tests.support.shipped import reference

BUILT = reference()
CELLS = Cells.from_openpyxl(BUILT.workbook)
FAST: dict[str, Value] = {  # a card whose figures never decide: only `most_desktops_per_array` asks for arrays
    "array_class": "flash",
    "usable_gib": 1e6,
    "inline_reduction": 1.0,
    "read_equivalent_iops": 1e8,
    "write_weight": 2.0,
    "base_latency_ms": 0.001,
    "throughput_mb_s": 1e7,
    "controllers_active": 2.0,
    "failover_kind": "controller",
}
CARDS: tuple[dict[str, Value], ...] = (
    {**FAST, "price": 88000.0, "support_included_years": 2.0},
    {**FAST, "usable_gib": 20000.0, "price": 41000.0, "support_included_years": 1.0},
    {**FAST, "hci_node": 1.0, "least_nodes": 3.0, "nodes_lost": 1.0, "vms_per_node": 300.0},  # nobody quoted it
)
OWN = changed(CELLS, own_arrays(BUILT, CARDS))
DEAR: dict[str, Value] = {"array_price": 2e7}
QUOTE = "enter a quote"
MONEY = (
    *("paid_total", "capex_total", "running_total", "npv", "equal_yearly_cost"),
    *("cost_per_desktop_month", "cost_per_user_month", "cost_per_effective_gib_month", "over_budget", "cost_total"),
)
WORKED: dict[str, Value] = {  # the example worked out by hand: 0.6841 of one array at 1,500 desktops
    "desktops": 1500.0,
    "failover": "no",
    "array": "My array 1",
    "most_desktops_per_array": 1500 / 0.6841,
    "growth_per_year_ratio": 0.2,
    "array_price": 103974.0,
    "price_change_ratio": -0.1,
    "support_ratio": 0.12,
    "support_included_years": 3.0,
    "power_w": 2000.0,
    "tariff_per_kwh": 0.15,
    "rack_u": 8.0,
    "rack_cost_per_u_year": 300.0,
    "admin_h_per_year": 60.0,
    "admin_cost_per_h": 75.0,
    "installation_cost": 6000.0,
}


def results(designs: list[dict[str, Value]], *keys: str) -> list[tuple[Scalar, ...]]:
    """Return results of up to seven designs, which stand in the what-ifs: the base is dear, so that none is dearer."""
    return answers(BUILT, OWN, [DEAR, *designs], *keys)[1:]


def result(design: Mapping[str, Value], *keys: str) -> tuple[Scalar, ...]:
    """Return results of one design, typed as the base."""
    (values,) = answers(BUILT, OWN, [dict(design)], *keys)
    return values


def years_of(key: str) -> tuple[str, ...]:
    return tuple(of_year(key, year) for year in YEARS)


# ---- an independent cash flow ------------------------------------------------------------------

CASES = 203  # seven at a time
BY_YEAR = (
    *("desktops", "arrays_required", "container_arrays", "hosts_required", "bought", "owned"),
    *("container_bought", "container_owned", "paid", "so_far", "depreciation", "load", "ratio_largest"),
)
TOTALS = (
    *("paid_total", "capex_total", "running_total", "npv", "equal_yearly_cost", "cost_per_desktop_month"),
    *("cost_per_user_month", "cost_per_effective_gib_month", "over_budget", "price_multiplier", "other_npv"),
)
WORDS = ("arrays_first", "arrays_last", "next_purchase_year", "purchase_reason")
USED = ("effective_gib", "nodes_spare", "array_price", "support_included_years", "break_even_price")


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
    early = 1.0 if money["growth_timing"] == "on 1 January" else 0.0
    return flow(money, kinds, whole(said, "hosts_required"), desktops(money, early))


def close(ours: Scalar, wanted: float, size: float) -> bool:
    return abs(number(ours) - wanted) <= 1e-9 * max(abs(wanted), size)


@pytest.mark.slow
def test_what_a_case_pays_is_an_independent_list_of_payments() -> None:
    for at, (money, said) in enumerate(cases()):
        price = float(str(money["array_price"] or {"My array 1": 88000, "My array 2": 41000}[str(money["array"])]))
        made = payments(money, said, price)
        n = made.years
        early = 1.0 if money["growth_timing"] == "on 1 January" else 0.0
        at_end, at_start = desktops(money, early)[:n], desktops(money, 1.0)[:n]
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
            "over_budget": made.total() - float(str(money["budget"])),
            "price_multiplier": (payments(money, said, 1e6).npv - payments(money, said, 0).npv) / 1e6,
            "other_npv": payments(money, said, 0).npv,
        }
        size = sum(abs(each.amount) for each in made.payments)  # resale may leave a small rest of large amounts
        for key, value in wanted.items():
            small = key.startswith("cost_per") or key == "price_multiplier"
            assert close(said[key], value, 0 if small else size), (at, key, said[key], value, money)
        so_far = 0.0
        for year in range(1, n + 1):
            so_far += made.paid_in(year)
            assert close(said[of_year("paid", year)], made.paid_in(year), size), (at, year, money)
            assert close(said[of_year("so_far", year)], so_far, size), (at, year, money)


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
            assert said["purchase_reason"] not in ("none", "end of life", "containers"), (at, money)
        else:
            replaced = "end of life" if later and later[0] in own else "containers"
            assert said["purchase_reason"] == (replaced if later else "none"), (at, money)
        reasons.add(said["purchase_reason"])
    assert {"none", "end of life", "containers"} < reasons


@pytest.mark.slow
def test_load_and_depreciation_of_every_year() -> None:
    """Straight-line: what was paid for arrays that are still alive, over their life; its sum never exceeds it."""
    for at, (money, said) in enumerate(cases()):
        price = float(str(money["array_price"] or {"My array 1": 88000, "My array 2": 41000}[str(money["array"])]))
        made, life = payments(money, said, price), int(float(str(money["array_life_years"])))
        paid: dict[int, float] = {}
        for each in made.payments:
            if each.line == "arrays":
                paid[int(each.when) + 1] = paid.get(int(each.when) + 1, 0.0) + each.amount
        for year in range(1, made.years + 1):
            written = sum(amount / life for vintage, amount in paid.items() if vintage <= year < vintage + life)
            assert close(said[of_year("depreciation", year)], written, 1e-6), (at, year, money)
            carrying = max(1, made.owned[0][year - 1] - number(said["nodes_spare"]))
            load = number(said[of_year("ratio_largest", year)]) / carrying
            assert number(said[of_year("load", year)]) == pytest.approx(load, rel=1e-12)


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


def test_money_is_worth_the_same_whenever_paid_where_capital_costs_nothing() -> None:
    design = {**WORKED, "capital_rate_ratio": 0.0, "resale_ratio": 0.3}
    paid, worth, yearly = map(number, result(design, "paid_total", "npv", "equal_yearly_cost"))
    assert worth == pytest.approx(paid, rel=1e-12)
    assert yearly == pytest.approx(paid / 5, rel=1e-12)


@pytest.mark.parametrize("base", ["net price", "list price"])
@pytest.mark.parametrize("included", [None, 0.0, 1.0, 2.5, 3.0, 7.0])
@pytest.mark.parametrize(("years", "life"), [(5.0, 5.0), (3.0, 5.0), (7.0, 15.0), (1.0, 1.0)])
def test_without_growth_and_running_lines_the_years_cost_what_day_one_costs(
    years: float, life: float, included: float | None, base: str
) -> None:
    design: dict[str, Value] = {
        **{"array": "My array 1", "desktops": 1500.0, "most_desktops_per_array": 600.0, "array_price": 90000.0},
        **{"discount_ratio": 0.3, "support_ratio": 0.15, "support_base": base, "installation_cost": 4000.0},
        **{"years": years, "array_life_years": life, "support_included_years": included, "price_change_ratio": 0.1},
        **{"container_place": "another array", "container_array": "My array 2", "container_gib": 30.0},
    }
    paid, day_one, arrays = map(number, result(design, "paid_total", "cost_total", "arrays_required"))
    assert arrays == 3
    assert paid == pytest.approx(day_one, rel=1e-12)


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


# ---- break-even prices -------------------------------------------------------------------------

OTHERS = ("My array 1", "My array 2", "Dell Compellent SC8000", "Kaminario K2 (one K-Block)", "NetApp FAS3270")
RUNNING: dict[str, Value] = {
    **{"growth_per_year_ratio": 0.15, "support_ratio": 0.12, "support_included_years": 1.0, "discount_ratio": 0.2},
    **{"installation_cost": 2000.0, "rack_u": 4.0, "rack_cost_per_u_year": 250.0, "resale_ratio": 0.2},
    **{"price_change_ratio": -0.05, "array_price": 400000.0},
}
NOT_CARDED = changed(CELLS, own_arrays(BUILT, [{**FAST, "price": None}] * 2))


def break_even(designs: list[dict[str, Value]], *keys: str, base: Mapping[str, Value] = RUNNING) -> list[list[Scalar]]:
    """Return results of the base, then of each alternative beside it; nobody has quoted the alternatives."""
    return [list(values) for values in answers(BUILT, NOT_CARDED, [dict(base), *designs], *keys)]


@pytest.mark.slow
def test_at_its_break_even_price_an_alternative_costs_as_much_as_the_base() -> None:
    alternatives: list[dict[str, Value]] = [{"array": name} for name in OTHERS]
    alternatives[1] |= {"growth_per_year_ratio": 0.4, "capital_rate_ratio": 0.03, "years": 7.0}
    alternatives[2] |= {"arrays_installed": 1.0, "support_base": "list price", "array_life_years": 3.0}
    keys = ("break_even_price", "npv", "cost_total", "other_npv", "break_even_text")
    (_, base, *_), *asked = break_even(alternatives, *keys)
    prices = [number(price) for price, *_ in asked]
    assert len({round(price) for price in prices}) > 3
    for _, worth, day_one, other, text in asked:
        assert (worth, day_one) == (QUOTE, QUOTE)
        assert number(other) > 0
        assert f"{prices[asked.index([_, worth, day_one, other, text])]:,.0f}" in str(text)
    priced = [{**each, "array_price": price} for each, price in zip(alternatives, prices, strict=True)]
    _, *typed = break_even(priced, "npv", "break_even_price")
    for (worth, again), price in zip(typed, prices, strict=True):
        assert number(worth) == pytest.approx(number(base), rel=1e-9)
        assert number(again) == pytest.approx(price, rel=1e-12)  # whatever it costs itself


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


def test_the_break_even_price_of_the_base_is_its_own() -> None:
    (own, *_), *_ = break_even([], "break_even_price")
    assert own == pytest.approx(400000, rel=1e-9)


def test_a_price_typed_for_the_base_prices_no_other_array() -> None:
    alternatives: list[dict[str, Value]] = [{"array": name} for name in OTHERS]
    alternatives.append({"desktops": 900.0})
    keys = (*(key for key in MONEY if key not in ("over_budget",)), "cost_status", "break_even_price")
    (*base, _, _), *others, (*same, _, _) = break_even(alternatives, *keys)
    assert all(isinstance(value, float) for value in (*base, *same))  # the same array inherits the price
    for *money, status, price in others:
        assert set(money) == {QUOTE}
        assert str(status).startswith("no quote")
        assert number(price) > 0
    dearer = {**RUNNING, "array_price": 410000.0}
    (_, (before,)), (_, (after,)) = (break_even([{"array": OTHERS[0]}], "break_even_price", base=base)
                                     for base in (RUNNING, dearer))  # fmt: skip
    assert number(after) > number(before)


def test_a_claim_of_a_paper_is_no_price() -> None:
    """The AFF8040's row holds what its vendor claims a desktop costs; no cost follows from it."""
    design: dict[str, Value] = {"array": "NetApp AFF8040", "array_price": None}
    assert set(result(design, *MONEY[:-2], "cost_total", "break_even_price")) == {
        QUOTE,
        f"base design: {QUOTE}",
    }
    assert str(result(design, "cost_status")[0]).startswith("no quote")


def test_where_no_price_above_nothing_can_be_told_words_say_why() -> None:
    dear: dict[str, Value] = {"array": "My array 1", "admin_h_per_year": 10000.0, "admin_cost_per_h": 10000.0}
    (_, (price, text)) = break_even([dear], "break_even_price", "break_even_text")
    assert (price, text) == ("dearer even if free", "dearer even if free")
    node: dict[str, Value] = {"array": "My array 1", "price_covers_hosts": "yes"}
    (_, (price, text)) = break_even([node], "break_even_price", "break_even_text")
    assert (price, text) == ("one price covers hosts", "one price covers hosts")
    base = {**RUNNING, "host_price": 12000.0}
    (_, (price, text)) = break_even([node], "break_even_price", "break_even_text", base=base)  # hosts have a price
    assert number(price) > 0
    assert text == f"{number(price):.0f}"


def test_where_something_is_unchecked_the_price_is_at_most() -> None:
    half: dict[str, Value] = {**FAST, "throughput_mb_s": None}
    cells = changed(CELLS, own_arrays(BUILT, [FAST, half]))
    designs: list[dict[str, Value]] = [RUNNING, {"array": "My array 1"}, {"array": "My array 2"}]
    keys = ("unchecked_count", "break_even_price", "break_even_text")
    _, (none, price, text), (some, least, words) = answers(BUILT, cells, designs, *keys)
    assert (none, text) == (0, f"{number(price):.0f}")
    assert number(some) > 0
    assert words == f"at most {number(least):.0f}"


# ---- what cannot be counted --------------------------------------------------------------------

YEARS_WORDS, LIFE_WORDS = "enter whole years from 1 to 7", "enter the life in whole years"
DISCOUNT_WORDS = "enter a discount from 0 to 1"


@pytest.mark.parametrize("price", [None, 0.0, "a fair price"])
def test_without_a_price_every_cost_asks_for_one_and_the_rest_stands(price: Value) -> None:
    design = {**WORKED, "array": "My array 3", "array_price": price, "budget": 1e6}
    assert set(result(design, *MONEY)) == {QUOTE}
    first, last, when, other = result(design, "arrays_first", "arrays_last", "next_purchase_year", "other_npv")
    assert isinstance(when, float | str)
    assert number(last) >= number(first) >= 1
    assert number(other) > 0


@pytest.mark.parametrize("key", ["array_price", "container_array_price"])
def test_a_price_below_nothing_is_no_price(key: str) -> None:
    design = {**WORKED, "array": "My array 3", "container_place": "another array", "container_array": "My array 3",
              "array_price": 1000.0, "container_array_price": 1000.0, "container_gib": 30.0, "budget": 1e6}  # fmt: skip
    assert all(isinstance(value, float) for value in result(design, *MONEY))
    assert set(result({**design, key: -5000.0}, *MONEY)) == {QUOTE}


@pytest.mark.parametrize(
    ("key", "values", "words"),
    [
        ("years", (0.0, 8.0, 2.5, -1.0, 0.5, 1000.0), YEARS_WORDS),
        ("array_life_years", (0.0, 0.5, 2.5, 16.0, -3.0), LIFE_WORDS),
        ("discount_ratio", (1.5, 1.001, -0.1, 30.0), DISCOUNT_WORDS),
    ],
)
def test_years_or_a_discount_that_cannot_be_counted_show_no_figure(
    key: str, values: tuple[float, ...], words: str
) -> None:
    """Neither a cost nor what it is held against; how many arrays there are hangs on no discount."""
    keys = [*MONEY, "cost_per_desktop", "cost_per_usable_gib", "cost_per_iops", "container_cost"]
    keys += ["price_multiplier", "other_npv", "break_even_price"]
    if key != "discount_ratio":
        keys += ["arrays_last", "next_purchase_year", "purchase_reason"]
    design = {**WORKED, "budget": 1e6}
    for value, said in zip(values, results([{**design, key: value} for value in values], *keys), strict=True):
        assert dict(zip(keys, said, strict=True)) == dict.fromkeys(keys, words), value


def test_of_several_faults_the_first_is_told() -> None:
    design = {**WORKED, "years": 8.0, "array_life_years": 0.5}
    assert result(design, "npv", "arrays_first") == (YEARS_WORDS, YEARS_WORDS)
    assert result({**design, "discount_ratio": 2.0}, "npv", "cost_total") == (DISCOUNT_WORDS, DISCOUNT_WORDS)


def test_beside_a_base_without_a_cost_no_break_even_price_is_told() -> None:
    alternative: dict[str, Value] = {"array": "My array 1", "years": 5.0}
    for wrong, words in (("years", YEARS_WORDS), ("array_price", QUOTE)):
        base = {**RUNNING, wrong: 8.0 if wrong == "years" else None}
        (_, said) = break_even([alternative], "break_even_price", "break_even_text", base=base)
        assert said == [f"base design: {words}"] * 2


def test_an_alternative_whose_price_counts_for_nothing_has_no_break_even_price() -> None:
    free: dict[str, Value] = {"array": "My array 1", "discount_ratio": 1.0}
    (_, (price, text)) = break_even([free], "break_even_price", "break_even_text")
    assert (price, text) == ("its price counts for nothing",) * 2


def test_with_nobody_at_work_no_cost_per_user_is_told() -> None:
    assert result({**WORKED, "concurrent_ratio": 0.0}, "cost_per_user_month") == ("nobody at work",)


NEEDED = (
    *("years", "array_life_years", "capital_rate_ratio", "discount_ratio", "growth_per_year_ratio", "support_ratio"),
    *("price_change_ratio", "cost_change_ratio", "resale_ratio", "pue_ratio"),
)


@pytest.mark.parametrize("key", NEEDED)
@pytest.mark.parametrize("value", ["five", None])
def test_a_word_or_nothing_where_a_number_is_asked_never_becomes_a_number(key: str, value: Value) -> None:
    keys = ["npv", "cost_per_desktop_month", "equal_yearly_cost", "break_even_price"]
    if key != "capital_rate_ratio":  # what is paid hangs on no rate
        keys += ["paid_total", "over_budget"]
    if key in ("years", "array_life_years", "growth_per_year_ratio"):
        keys += ["arrays_last", "next_purchase_year", "purchase_reason"]
    for said in result({**WORKED, "budget": 1e6, key: value}, *keys):
        assert not isinstance(said, float), said
        assert said != "none"  # nobody knows


PAIRS = (("power_w", "tariff_per_kwh"), ("rack_u", "rack_cost_per_u_year"), ("admin_h_per_year", "admin_cost_per_h"))


def test_half_a_pair_counts_nothing_and_the_status_names_it() -> None:
    keys = ("running_total", "npv", "cost_status")
    none = {**WORKED, "power_w": None, "tariff_per_kwh": None}
    for missing, pair in (("tariff_per_kwh", "power"), ("power_w", "power"), ("rack_u", "rack space"),
                          ("admin_cost_per_h", "administration")):  # fmt: skip
        half = {**WORKED, missing: None}
        both = {**half, **{other: None for one in PAIRS for other in one if missing in one}}
        (running, worth, status), (least, nothing, other) = (result(each, *keys) for each in (half, both))
        assert (running, worth) == (least, nothing)
        assert f"half of {pair}" in str(status)
        assert pair in str(other)
        assert "half" not in str(other)
    assert str(result(none, "cost_status")[0]) == "quote typed; left out: licences, power"
    full = {**WORKED, "licence_cost_per_desktop_year": 0.0}
    assert result(full, "cost_status") == ("quote typed",)
    assert str(result({**full, "array_price": None}, "cost_status")[0]) == "quote on its card"


@pytest.mark.parametrize("value", [-3.0, "some", None])
def test_lines_below_nothing_or_in_words_count_nothing_and_are_named(value: Value) -> None:
    keys = ("installation_cost", "licence_cost_per_desktop_year", *(key for pair in PAIRS for key in pair))
    design = {**WORKED, **dict.fromkeys(keys, value)}
    blank = {**WORKED, **dict.fromkeys(keys)}
    figures = ("paid_total", "npv", "running_total", "other_npv", "cost_status")
    said = result(design, *figures)
    assert said == result(blank, *figures)
    assert said[-1] == "quote typed; left out: installation, licences, power, rack space, administration"


@pytest.mark.parametrize(("budget", "words"), [(None, "no budget entered"), ("a lot", "no budget entered")])
def test_without_a_budget_in_numbers_nothing_is_held_against_it(budget: Value, words: str) -> None:
    over, paid = result({**WORKED, "budget": budget}, "over_budget", "paid_total")
    assert over == words
    assert number(paid) == pytest.approx(311882.70, abs=0.005)


def test_a_design_that_shrinks_to_one_desktop_still_costs_its_arrays() -> None:
    design = {**WORKED, "desktops": 4.0, "growth_per_year_ratio": -0.5}
    first, last, per_month, worth = map(
        number, result(design, "arrays_first", "arrays_last", "cost_per_desktop_month", "npv")
    )
    assert (first, last) == (1, 1)
    assert per_month > 0
    assert worth > 103974


# ---- what-ifs ----------------------------------------------------------------------------------


def test_a_what_if_with_the_inputs_of_the_base_costs_the_same() -> None:
    keys = (
        *MONEY,
        "price_multiplier",
        "other_npv",
        "next_purchase_year",
        "purchase_reason",
        "cost_status",
        *years_of("paid"),
    )
    design = {**WORKED, "budget": 2e5, "host_price": 9000.0, "container_place": "another array",
              "container_array": "My array 2", "container_gib": 30.0}  # fmt: skip
    base = result(design, *keys)
    assert results([design] * 7, *keys) == [base] * 7
