"""Cost review: every row is the design chosen, its terms stand beside it, and the budget is held in words."""

from collections.abc import Iterator, Mapping

import pytest
from openpyxl.utils import get_column_letter

from addin.kernel import Address, Scalar
from addin.workbook.number_formats import displayed
from model.layout.grid import HEAD_ROW
from model.sheets.front import cost_review
from model.sheets.front.cost_review import FIRST_YEAR, NAME, ROWS, TERMS, TOTAL, Row
from model.sheets.money.growth import YEARS, of_year
from tests.support.answers import addresses, number
from tests.support.input_sets import Value, overrides
from tests.support.money import BUILT, OWN, QUOTE, WORKED
from tests.support.recomputed import Evaluator

HCI: dict[str, Value] = {
    **WORKED,
    **{"array": "My array 3", "array_price": 60000.0, "array_life_years": 2.0, "resale_ratio": 0.5, "years": 7.0},
    **{"host_price": 9000.0, "discount_ratio": 0.125, "support_included_years": None, "cost_change_ratio": 0.03},
}
LINES = {"power_paid": "power_cost", "rack_paid": "rack_cost", "admin_paid": "admin_cost"}


class Page:
    """The page for one of some designs, the first being the base, and what the sheets behind it say of that design."""

    def __init__(self, designs: list[Mapping[str, Value]], shown: int = 0) -> None:
        sheet, cell = BUILT.layout.typed("review_case")
        case = {(sheet, cell): BUILT.layout.case_names[shown]}
        self.evaluator = Evaluator(OWN, addresses({**overrides(BUILT, list(map(dict, designs))), **case}))
        self.letter = get_column_letter(4 + shown)

    def at(self, row: int, column: int) -> Scalar:
        return self.evaluator.value(Address.from_a1(f"'{NAME}'!{get_column_letter(column)}{row}"))

    def line(self, key: str) -> Scalar:
        sheet, row = BUILT.layout.lines[key]
        return self.evaluator.value(Address.from_a1(f"'{sheet}'!{self.letter}{row}"))

    def years(self, key: str) -> list[Scalar]:
        row = next(n for n, row in enumerate(ROWS, cost_review.TABLE + 1) if isinstance(row, Row) and row.key == key)
        return [self.at(row, FIRST_YEAR + n) for n in range(len(YEARS))]

    def total(self, key: str) -> Scalar:
        row = next(n for n, row in enumerate(ROWS, cost_review.TABLE + 1) if isinstance(row, Row) and row.key == key)
        return self.at(row, TOTAL)


def wanted(page: Page, key: str) -> Iterator[float | str]:
    """Yield what a row must say in the years looked at, from the sheets behind the page."""
    so_far = 0.0
    for year in range(1, int(number(page.line("years"))) + 1):

        def of(item: str, year: int = year) -> Scalar:
            return page.line(of_year(item, year))

        so_far += number(of("paid"))
        spare = number(page.line("nodes_spare"))
        if key == "load":
            yield number(of("ratio_largest")) / max(1, number(of("owned")) - spare)
        elif key == "so_far":
            yield so_far
        elif key == "hosts_paid":
            yield number(of("host_share")) * number(page.line("host_cost"))
        elif key in LINES:
            yield number(of("running")) * number(page.line(LINES[key]))
        else:
            value = of(key)
            yield value if isinstance(value, str) else number(value)


@pytest.mark.slow
@pytest.mark.parametrize("shown", [0, 1, 2])
def test_every_row_of_the_page_is_the_design_chosen(shown: int) -> None:
    """A load of nodes is that of the nodes that carry it; what is paid in all years is what is paid so far."""
    page = Page([WORKED, HCI, {"array": "My array 2"}], shown)
    years = int(number(page.line("years")))
    for row in ROWS:
        if isinstance(row, Row):
            said = page.years(row.key)
            expected = list(wanted(page, row.key))
            assert said[:years] == (expected if row.key == "asks" else pytest.approx(expected, rel=1e-12)), row.key
            assert set(said[years:]) <= {""}, row.key
            if row.total:
                assert page.total(row.key) == pytest.approx(sum(map(number, said[:years])), rel=1e-12), row.key
    lines = [row.key for row in ROWS if isinstance(row, Row) and row.unit == "USD"]
    lines = lines[: lines.index("resale")]
    assert sum(number(page.total(key)) for key in lines) - number(page.total("resale")) == pytest.approx(
        number(page.total("paid")), rel=1e-12
    )
    assert number(page.total("paid")) == pytest.approx(number(page.line("paid_total")), rel=1e-12)
    assert number(page.total("present")) == pytest.approx(number(page.line("npv")), rel=1e-12)


def test_the_terms_of_the_design_stand_on_its_page() -> None:
    page = Page([WORKED, HCI], 1)
    labels = {str(page.at(TERMS, column)): page.at(TERMS + 1, column) for column in range(1, 11)}
    assert labels == {
        **{"Price of one array": 60000, "Discount": 0.125, "Support a year": 0.12, "Years it includes": 0},
        **{"Growth a year": 0.2, "Price, change a year": -0.1, "Costs, change a year": 0.03, "Resale": 0.5},
        **{"Life, years": 2, "Cost of capital": 0.08},
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("budget", "words"),
    [
        (250000.0, "61,883 over"),
        (350000.0, "38,117 within"),
        (None, "no budget entered"),
        ("a lot", "-"),  # a word where a figure belongs is an error: no page shows a result
    ],
)
def test_the_budget_is_held_in_words(budget: Value, words: str) -> None:
    page = Page([{**WORKED, "budget": budget}])
    paid = page.at(HEAD_ROW + 1, 9)
    assert displayed(paid, cost_review.AGAINST) == words
    assert page.line("budget_broken") == float("over" in words)


def test_without_a_price_arrays_and_running_costs_stand_and_no_sum_is_told() -> None:
    page = Page([{**WORKED, "array": "My array 3", "array_price": None}])
    assert all(isinstance(value, float) for value in page.years("owned")[:5])
    assert number(page.total("power_paid")) > 0
    for key in ("arrays_paid", "support_paid", "resale", "paid", "present", "depreciation"):
        assert page.total(key) == QUOTE
        assert set(page.years(key)) == {""}
    assert set(page.years("so_far")) == {""}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("design", "state"),
    [
        ({"array": "My array 4"}, "fill its card"),
        ({"array": "My array 4", "most_desktops_per_array": 900.0}, "fill its card"),
        ({"array": "no array of any list"}, "cannot be sized"),
    ],
)
def test_a_design_without_an_answer_shows_its_state_and_no_figure(design: dict[str, Value], state: str) -> None:
    """Whatever is wrong with the design that is shown: no number of arrays, no load, an error in its years."""
    page = Page([WORKED, {"array_price": 90000.0, **design}], 1)
    assert f", {state}; the checks are of the base design" in str(page.at(3, 1))
    assert page.at(5, 1) in (state, "-")  # no design is told while an error is raised
    assert {page.at(5, column) for column in (2, 4, 6, 9)} == {"-"}
    for row in ROWS:
        if isinstance(row, Row):
            assert set(page.years(row.key)) == {""}, row.key
            assert page.total(row.key) in (None, 0, "-"), row.key


def test_the_page_of_a_base_design_says_whether_all_of_it_is_checked() -> None:
    assert page_of("My array 1") == "My array 1: Base design, fully checked"
    assert page_of("Dell Compellent SC8000") == "Dell Compellent SC8000: Base design, at least"


def page_of(array: str) -> Scalar:
    return Page([{"array": array, "array_price": 90000.0}]).at(3, 1)
