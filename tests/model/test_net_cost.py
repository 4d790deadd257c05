"""Net cost: break-even prices compare as the page says they do, and what cannot be counted shows no figure."""

from collections.abc import Mapping

import pytest

from addin.kernel import Address, Evaluator, Scalar
from model.layout.grid import ANSWER, FIRST_ROW
from model.sheets.front.compare_answer import FIGURES
from tests.support.answers import addresses, answers, changed, number
from tests.support.input_sets import Value, own_arrays
from tests.support.money import BUILT, CELLS, FAST, MONEY, OWN, QUOTE, WORKED, result, results, years_of
from tests.support.shipped import built_cells

TYPED = (
    "quote typed, net; of the quote on file, 88,000, only years of support count"  # of the card in the worked example
)

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
    assert text == f"{number(price):,.0f}, list"  # 20 % are taken off


def test_where_something_is_unchecked_the_price_is_at_most() -> None:
    half: dict[str, Value] = {**FAST, "throughput_mb_s": None}
    cells = changed(CELLS, own_arrays(BUILT, [FAST, half]))
    designs: list[dict[str, Value]] = [RUNNING, {"array": "My array 1"}, {"array": "My array 2"}]
    keys = ("unchecked_count", "break_even_price", "break_even_text")
    _, (none, price, text), (some, least, words) = answers(BUILT, cells, designs, *keys)
    assert (none, text) == (0, f"{number(price):,.0f}, list")
    assert number(some) > 0
    assert words == f"at most {number(least):,.0f}, list"


# ---- what cannot be counted --------------------------------------------------------------------

YEARS_WORDS, LIFE_WORDS = "enter whole years from 1 to 7", "enter the life in whole years"
DISCOUNT_WORDS = "enter the discount from 0 to 1"


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


@pytest.mark.slow
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
    assert (price, text) == ("its price has no effect",) * 2


def test_with_nobody_at_work_no_cost_per_user_is_told() -> None:
    assert result({**WORKED, "concurrent_ratio": 0.0}, "cost_per_user_month") == ("no one at work",)


NEEDED = (
    *("years", "array_life_years", "capital_rate_ratio", "discount_ratio", "growth_per_year_ratio", "support_ratio"),
    *("price_change_ratio", "cost_change_ratio", "resale_ratio", "pue_ratio"),
)


@pytest.mark.slow
@pytest.mark.parametrize("key", NEEDED)
@pytest.mark.parametrize("value", ["five", None])
def test_a_word_or_nothing_where_a_number_is_asked_never_becomes_a_number(key: str, value: Value) -> None:
    if value is None and key in ("discount_ratio", "support_ratio"):
        return  # optional: a blank counts as 0, and Cost review says that it is not entered
    keys = ["npv", "cost_per_desktop_month", "equal_yearly_cost", "break_even_price"]
    if key != "capital_rate_ratio":  # what is paid hangs on no rate
        keys += ["paid_total", "over_budget"]
    if key in ("years", "array_life_years", "growth_per_year_ratio"):
        keys += ["arrays_last", "next_purchase_year", "purchase_reason"]
    for said in result({**WORKED, "budget": 1e6, key: value}, *keys):
        assert not isinstance(said, float), said
        assert said != "none"  # unknown is not none


PAIRS = (("power_w", "tariff_per_kwh"), ("rack_u", "rack_cost_per_u_year"), ("admin_h_per_year", "admin_cost_per_h"))


@pytest.mark.slow
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
    assert str(result(none, "cost_status")[0]) == f"{TYPED}; left out: licences, power"
    full = {**WORKED, "licence_cost_per_desktop_year": 0.0}
    assert result(full, "cost_status") == (TYPED,)
    assert str(result({**full, "array_price": None}, "cost_status")[0]) == "quote on file, list"


@pytest.mark.parametrize("value", [-3.0, "some", None])
def test_lines_below_nothing_or_in_words_count_nothing_and_are_named(value: Value) -> None:
    keys = ("installation_cost", "licence_cost_per_desktop_year", *(key for pair in PAIRS for key in pair))
    design = {**WORKED, **dict.fromkeys(keys, value)}
    blank = {**WORKED, **dict.fromkeys(keys)}
    figures = ("paid_total", "npv", "running_total", "other_npv", "cost_status")
    said = result(design, *figures)
    assert said == result(blank, *figures)
    assert said[-1] == f"{TYPED}; left out: installation, licences, power, rack space, administration"


def test_what_is_left_out_is_what_the_design_would_pay() -> None:
    """Support of the containers' arrays was missing in silence; without an array, power of none was named."""
    away: dict[str, Value] = {
        **WORKED, "support_ratio": None, "support_included_years": 9.0, "container_place": "another array",
        "container_array": "My array 1", "container_array_price": 1000.0, "container_gib": 5.0,
    }  # fmt: skip
    assert "left out: support, " in str(result(away, "cost_status")[0])
    assert "support, " not in str(result({**away, "container_place": "none"}, "cost_status")[0])
    blank = dict.fromkeys(("support_ratio", "installation_cost", *(key for pair in PAIRS for key in pair)))
    disks: dict[str, Value] = {**WORKED, **blank, "disk_place": "Azure Premium SSD", "disk_price": 20.0}
    disks["user_data_gib"] = 0.0  # nothing is on an array
    status, total = result(disks, "cost_status", "cost_total")
    assert str(status).startswith("no array; ")
    assert str(status).endswith("; cloud: typed prices; left out: licences")
    assert total == pytest.approx(1500 * 20 * 12 * 5)


@pytest.mark.parametrize(("changes", "support"), [({}, "5 y"), ({"support_ratio": None}, "no"), (
    {"disk_place": "Azure Premium SSD", "disk_price": 20.0, "user_data_gib": 0.0}, "no"
)])  # fmt: skip
def test_day_one_names_the_support_that_is_paid(changes: dict[str, Value], support: str) -> None:
    typed = {BUILT.layout.typed(key): value for key, value in {**WORKED, **changes}.items()}
    label = Address(ANSWER, FIRST_ROW + len(FIGURES) - 1, 6)
    assert Evaluator(CELLS, addresses(typed)).value(label) == f"Day one, {support} support, USD"


def test_a_cost_of_fewer_arrays_than_are_needed_says_so() -> None:
    """The arrays that are installed are paid; those that the design lacks are no part of its cost."""
    few = {**WORKED, "arrays_installed": 1.0, "desktops": 40_000.0}
    fits, status, total = result(few, "fits", "cost_status", "cost_total")
    assert (fits, status) == (0, f"{TYPED}; left out: arrays on day one, licences")
    assert total == result({**WORKED, "arrays_installed": 1.0}, "cost_total")[0]
    (needed,) = result({**few, "arrays_installed": None}, "cost_status")
    assert "it lacks" not in str(needed)


@pytest.mark.parametrize(("budget", "words"), [(None, "no budget entered"), ("a lot", "no budget entered")])
def test_without_a_budget_in_numbers_nothing_is_held_against_it(budget: Value, words: str) -> None:
    over, paid = result({**WORKED, "budget": budget}, "over_budget", "paid_total")
    assert over == words
    assert number(paid) == pytest.approx(311882.70, abs=0.005)


@pytest.mark.parametrize(
    ("allowance", "yearly", "spreads", "twice"),
    [
        (0.1, 0.08, {}, 1),
        (0.0, 0.08, {}, 0),  # the allowance's row of Risk inputs has a spread, and is not drawn
        (0.1, 0.0, {"growth_per_year_ratio": ("uniform", None)}, 1),
        (0.1, 0.0, {"growth_per_year_ratio": ("fixed", 0.08)}, 1),
        (0.1, 0.0, {"growth_per_year_ratio": ("fixed", None)}, 0),
        (0.0, 0.0, {"growth_per_year_ratio": ("uniform", None)}, 1),
        (0.0, 0.0, {"growth_per_year_ratio": ("uniform", None), "growth_ratio": ("fixed", None)}, 0),
        (0.0, 0.08, {"growth_per_year_ratio": ("uniform", None), "growth_ratio": (None, None)}, 0),
    ],
)
def test_growth_is_entered_once_on_risk_inputs_too(
    allowance: float, yearly: float, spreads: dict[str, tuple[str | None, float | None]], twice: int
) -> None:
    new: dict[tuple[str, str], Value] = {}
    for key, typed in spreads.items():
        for kind, value in zip(("risk", "risk_value"), typed, strict=True):
            sheet, cell = BUILT.layout.blocks[f"{kind}:{key}"].address.split("!")
            new[sheet.strip("'"), cell.replace("$", "")] = value
    design = {**WORKED, "growth_ratio": allowance, "growth_per_year_ratio": yearly}
    assert answers(BUILT, changed(OWN, new), [design], "growth_twice") == [(twice,)]


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


@pytest.mark.parametrize(("growth", "said"), [(0.0, " in the design, "), (0.2, "Growth: 4 then 7 arrays, ")])
def test_answer_says_how_many_arrays_growth_per_year_takes(growth: float, said: str) -> None:
    """3 arrays of day one stood alone, and year 1 of the cost had 4."""
    evaluator = Evaluator(changed(built_cells(), {BUILT.layout.typed("growth_per_year_ratio"): growth}))
    assert said in str(evaluator.value(Address("Answer", 15, 6)))
