"""Quotes: a card's terms count while its price does, a paper's claim never does, and figures out of range show none."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from openpyxl.utils import get_column_letter

from addin.errors import RequestError
from addin.kernel import Address, Cells, Scalar
from addin.sizing.scenarios import designs
from addin.workbook.book import SizingBook, shown
from addin.workbook.ranges import shipped_rules
from addin.xlsx.stored_results import StoredResults
from model.layout.grid import HEAD_ROW
from model.sheets.catalogue import arrays, my_arrays
from model.sheets.proof import arithmetic, evidence
from tests.support.answers import answers, changed, number
from tests.support.input_sets import Value, own_arrays
from tests.support.money import BUILT, CELLS, FAST, MONEY, OWN, QUOTE, WORKED, result
from tests.support.recomputed import Evaluator
from tests.support.shipped import built, built_cells, errors_raised

PRICE = 90_000.0
FROM_CARD: dict[str, Value] = {**WORKED, "array_price": None, "discount_ratio": 0.25, "support_base": "net price"}


def costs(card: Mapping[str, Value], design: Mapping[str, Value], *keys: str) -> tuple[Scalar, ...]:
    """Return results of a base design on a card with a price."""
    cells = changed(CELLS, own_arrays(BUILT, [{**FAST, "price": PRICE, **card}]))
    typed = {BUILT.layout.typed(key): value for key, value in design.items()}
    evaluator = Evaluator(cells.with_values({Address(s, *_at(c)): v for (s, c), v in typed.items()}))
    return tuple(evaluator.value(Address.from_a1("!".join(BUILT.layout.cell(key)))) for key in keys)


def _at(cell: str) -> tuple[int, int]:
    address = Address.from_a1(f"x!{cell}")
    return address.row, address.column


# ---- list or net -----------------------------------------------------------------------------------


def test_the_discount_is_not_taken_off_a_net_price_again() -> None:
    """One array at 90,000: 67,500 of a list price less 25 %, 90,000 of a net one; support of 12 % of either."""
    keys = ("discount", "support_factor")
    for blank in ({}, {"price_basis": "list price"}):
        assert costs(blank, FROM_CARD, *keys) == pytest.approx((0.25, 0.09))
    assert costs({"price_basis": "net price"}, FROM_CARD, *keys) == pytest.approx((0, 0.12))


@pytest.mark.slow
def test_a_net_price_costs_over_the_years_what_the_same_list_price_costs_without_a_discount() -> None:
    design: dict[str, Value] = {**FROM_CARD, "budget": 1e6, "resale_ratio": 0.2}
    net = costs({"price_basis": "net price"}, design, *MONEY, "price_multiplier", "break_even_price")
    assert net == costs({}, {**design, "discount_ratio": 0.0}, *MONEY, "price_multiplier", "break_even_price")
    assert net != costs({}, design, *MONEY, "price_multiplier", "break_even_price")


def test_the_terms_of_a_card_end_where_a_price_is_typed() -> None:
    card: dict[str, Value] = {"price_basis": "net price", "quote_id": "Q-17", "quote_until": 46387.0}
    typed: dict[str, Value] = {**FROM_CARD, "array_price": PRICE}
    keys = ("discount", "price_source", "quote_until")
    assert costs(card, FROM_CARD, *keys) == (0, "quote on file Q-17, net", 46387)
    assert costs(card, typed, *keys) == (0.25, "quote typed, list", 0)
    assert costs(card, FROM_CARD, "cost_status") == ("quote on file Q-17, net; left out: licences",)
    (words,) = costs(card, typed, "cost_status")
    assert words == "quote typed, list; left out: licences"
    (words,) = costs({**card, "support_included_years": 2.0}, typed, "cost_status")
    assert words == "quote typed, list; of the quote on file, 90,000, only years of support count; left out: licences"
    listed = "quote on file Q-17, list"
    assert costs({**card, "price_basis": "list price"}, FROM_CARD, "price_source") == (listed,)


def test_containers_on_a_net_array_pay_no_discount_twice() -> None:
    away: dict[str, Value] = {
        **FROM_CARD, "container_place": "another array", "container_array": "My array 1", "container_gib": 30.0,
    }  # fmt: skip
    listed, net = (costs(card, away, "container_cost", "paid_total") for card in ({}, {"price_basis": "net price"}))
    assert number(listed[0]) == pytest.approx(0.75 * number(net[0]))
    assert number(net[1]) > number(listed[1])


def test_a_discount_is_taken_once_off_a_price_typed_over_a_net_quote_for_containers() -> None:
    """The base design's own cell was counted twice, so that 25 % became 50 %."""
    away: dict[str, Value] = {
        **FROM_CARD, "container_place": "another array", "container_array": "My array 1", "container_gib": 30.0,
        "container_array_price": PRICE,
    }  # fmt: skip
    assert costs({"price_basis": "net price"}, away, "container_discount") == (0.25,)


# ---- a quote for an array of the papers ------------------------------------------------------------------

COMPELLENT, K2 = "Dell Compellent SC8000", "Kaminario K2 (one K-Block)"
TERMS: dict[str, Value] = {
    **{"price": 80_000.0, "price_basis": "net price", "support_included_years": 3.0, "quote_id": "Q-8"},
    **{"quote_date": 46_300.0, "quote_until": 46_310.0, "price_covers_hosts": "yes"},
}


def quoted(array: str, terms: Mapping[str, Value]) -> Cells:
    """Return the workbook with a quote typed on Arrays, in the column of an array of the papers."""
    column = get_column_letter(4 + [each.name for each in BUILT.data.arrays].index(array))
    rows = arrays.quote_rows(BUILT.data)
    return changed(OWN, {(arrays.NAME, f"{column}{rows[key]}"): value for key, value in terms.items()})


def test_a_quote_for_an_array_of_the_papers_prices_every_design_with_it_and_no_other() -> None:
    design: dict[str, Value] = {**FROM_CARD, "array": COMPELLENT, "host_price": 9_000.0}
    keys = ("price_shown", "discount", "support_included_years", "price_source", "quote_until", "hosts_apart")
    cells = quoted(COMPELLENT, TERMS)
    asked: list[dict[str, Value]] = [
        {"array_price": 2e7},
        design,
        {**design, "array": K2},
        {**design, "array_price": 70_000.0},
    ]
    _, said, other, typed = answers(BUILT, cells, asked, *keys)
    assert said == (80_000, 0, 3, "quote on file Q-8, net", 46_310, 0)
    assert other == (QUOTE, 0.25, 3, "no quote", 0, 1)
    assert typed == (70_000, 0.25, 3, "quote typed, list", 0, 1)
    (_, before), (_, after) = (answers(BUILT, each, asked[:2], "npv") for each in (OWN, cells))
    assert before == (QUOTE,)
    assert number(after[0]) > 80_000


@pytest.mark.parametrize("price", [None, 0.0, -5.0, "soon"])
def test_terms_without_a_price_are_no_quote(price: Value) -> None:
    cells = quoted(COMPELLENT, {**TERMS, "price": price})
    (said,) = answers(
        BUILT, cells, [{**FROM_CARD, "array": COMPELLENT}], "npv", "cost_total", "discount", "quote_until"
    )
    assert said == (QUOTE, QUOTE, 0.25, 0)


def test_a_quote_prices_an_array_for_containers_too() -> None:
    away: dict[str, Value] = {
        **{**FROM_CARD, "array": "My array 1", "array_price": PRICE},
        **{"container_place": "another array", "container_array": COMPELLENT, "container_gib": 30.0},
    }
    keys = ("container_cost", "container_arrays", "container_support_included", "container_discount")
    (cost, count, included, discount) = answers(BUILT, quoted(COMPELLENT, TERMS), [away], *keys)[0]
    assert (included, discount) == (3, 0)
    years = 5 - 3  # of support that are paid
    assert number(cost) == pytest.approx(number(count) * 80_000 * (1 + 0.12 * years))


def test_the_claim_of_a_paper_stands_beside_a_quote_and_enters_no_cost() -> None:
    cells = quoted("NetApp AFF8040", {"price": 95_000.0})
    (words, price) = answers(
        BUILT, cells, [{"array": "NetApp AFF8040", "array_price": None}], "claim_words", "price_shown"
    )[0]
    assert (words, price) == ("claim of 2016, not counted: about USD 104,000", 95_000)


# ---- hosts, dates, claims ----------------------------------------------------------------------------


def test_a_card_may_say_that_its_price_covers_the_hosts() -> None:
    design: dict[str, Value] = {**FROM_CARD, "host_price": 9_000.0}
    assert costs({}, design, "hosts_apart") == (1,)
    assert costs({"price_covers_hosts": "yes"}, design, "hosts_apart") == (0,)
    assert costs({"price_covers_hosts": "yes"}, {**design, "array_price": PRICE}, "hosts_apart") == (1,)
    assert costs({"price_covers_hosts": "no"}, {**design, "price_covers_hosts": "yes"}, "hosts_apart") == (0,)


def test_a_quote_that_ends_before_its_date_says_so_beside_it() -> None:
    assert costs({"quote_date": 46000.0, "quote_until": 45999.0}, FROM_CARD, "quote_until") == (0,)
    assert costs({"quote_date": 46000.0, "quote_until": 46000.0}, FROM_CARD, "quote_until") == (46000,)


def test_a_claim_of_a_paper_stands_beside_with_its_year_and_enters_no_cost() -> None:
    """39 USD for each of 2,666 desktops, two digits: about 104,000."""
    words, cost, source = result({"array": "NetApp AFF8040", "array_price": None}, "claim_words", "npv", "price_source")
    assert (words, cost, source) == ("claim of 2016, not counted: about USD 104,000", "enter a quote", "no quote")
    assert costs({}, FROM_CARD, "claim_words") == ("",)


@pytest.mark.parametrize(("saved", "price", "iops"), [("S130", "S131", 2600 - 550), ("S132", "S133", 1378 - 103)])
def test_a_saving_implies_a_price_of_an_array_that_no_cost_reads(saved: str, price: str, iops: int) -> None:
    """ICA: USD 210,000 for 1,000 desktops, measured with 90; the one array showed 2,600 IOPS."""
    arrays = iops * 1000 / 90 / 2600
    first, second = (arithmetic.cell(BUILT.data, sum_id) for sum_id in (saved, price))
    evaluator = Evaluator(CELLS)
    values = [evaluator.value(Address.from_a1(f"{evidence.NAME}!{cell}")) for cell in (first, second)]
    assert values == pytest.approx([arrays, 210_000 / arrays], rel=1e-5)  # derived figures keep 6 digits
    link = re.compile(rf"{evidence.NAME}!\$?I\$?{second[1:]}(?!\d)")
    assert not [at.a1 for at, cell in CELLS.values.items() if isinstance(cell, str) and link.search(cell)]


# ---- what cannot be counted -----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "values", "words"),
    [
        ("resale_ratio", (3.0, -0.1), "enter the resale from 0 to 1"),
        ("support_ratio", (1.5, -0.1), "enter the support per year from 0 to 1"),
        ("capital_rate_ratio", (8.0, -1.0), "enter the rate of capital from 0 to 1"),
        ("growth_per_year_ratio", (-2.0, -1.0, 15.0), "enter the growth per year from -0.5 to 1"),
        ("price_change_ratio", (-3.0, 10.0), "enter the change of the price from -0.5 to 0.5"),
        ("cost_change_ratio", (-3.0, 10.0), "enter the change of running costs from -0.5 to 0.5"),
        ("pue_ratio", (0.5, 15.0), "enter the PUE from 1 to 5"),
    ],
)
def test_a_figure_out_of_its_range_shows_no_cost_but_says_which(
    key: str, values: tuple[float, ...], words: str
) -> None:
    keys = (*MONEY, "price_multiplier", "other_npv")
    for value in values:
        assert set(result({**WORKED, "budget": 1e6, key: value}, *keys)) == {words}, value


# ---- the currency ----------------------------------------------------------------------------------------


def _book(cells: Cells) -> SizingBook:
    """Return the workbook as the commands see it, saved nowhere."""
    return SizingBook(Path("built.xlsx"), cells, shipped_rules(), "0", StoredResults(Path("built.xlsx")))


@pytest.mark.slow
def test_the_currency_typed_is_the_unit_of_all_money() -> None:
    dollars = _book(CELLS)
    money = {key for key, item in dollars.results.items() if item.unit.startswith("USD")}
    assert {"npv", "cost_per_desktop", "cost_per_iops", "break_even_price"} <= money
    euros = _book(CELLS.with_values(dollars.settings(["currency=EUR"])))
    items = (*euros.results.values(), *euros.entries.values())
    assert not [item.key for item in items if "USD" in item.unit]
    assert {key for key, item in euros.results.items() if item.unit.startswith("EUR")} == money
    assert euros.inputs["currency"].linked is None  # its unit cells are no link to where it is typed
    assert euros.results["cost_per_desktop"].unit == "EUR/desktop"
    assert euros.inputs["tariff_per_kwh"].unit == "EUR/kWh"
    assert euros.own["My array 1.price"].unit == "EUR"
    title = Evaluator(euros.cells).value(Address.from_a1("'Cost review'!A1"))
    assert title == "Storage cost, before tax, in EUR"


def test_a_date_is_typed_as_year_month_day() -> None:
    book = _book(CELLS)
    (typed,) = book.settings(["My array 1.quote_until=2026-12-31"]).values()
    assert typed == 46387
    assert shown(typed, book.own["My array 1.quote_until"].unit) == "2026-12-31"
    for wrong in ("31.12.2026", "soon", "2026-02-30", "46387"):
        with pytest.raises(RequestError, match="expected a date such as 2026-11-22"):
            book.settings([f"My array 1.quote_until={wrong}"])


@pytest.mark.slow
def test_a_card_may_be_renamed_and_the_what_ifs_that_ship_with_it_follow() -> None:
    named = f"{my_arrays.NAME}!{get_column_letter(my_arrays.typed_column(0))}{HEAD_ROW}"
    shipped = built_cells()
    cells = shipped.with_values({Address.from_a1(named): "Vendor X 500"})
    evaluator = Evaluator(cells)
    errors = errors_raised(built())
    assert evaluator.value(errors) == Evaluator(shipped).value(errors) == 0
    assert any("array=Vendor X 500" in str(row[-1]) for row in designs(_book(cells)).rows)
