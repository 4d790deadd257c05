"""A quote that expired raises an alert, and says so and when, in words, wherever its last day stands."""

import datetime
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from openpyxl import Workbook
from openpyxl.utils import get_column_letter

from addin.errors import RequestError
from addin.kernel import Address, Evaluator
from addin.results import handoff
from addin.sizing.answers import answer, size
from addin.workbook.book import SizingBook, open_book
from model.layout.canvas import EXPIRED
from model.layout.grid import BASE, HEAD_ROW
from model.sheets.catalogue import arrays, my_arrays
from model.sheets.front import compare, cost_review
from tests.support.answers import answers, changed
from tests.support.input_sets import Value, own_arrays
from tests.support.libreoffice import pdf_text, to_pdf
from tests.support.shipped import built, built_cells, fresh

BUILT = built()
CARD: dict[str, Value] = {
    **{"capacity_tb": 40.0, "capacity_kind": "usable", "iops": 200000.0, "read_ratio": 0.7, "latency_ms": 1.0},
    **{"controllers_active": 2.0, "price": 95000.0},
}
BEFORE, AFTER = datetime.date(2020, 1, 31), datetime.date(2099, 1, 31)
LABEL = "Every quote that counts lasts until the order"
JUNE_1, JUNE_30, JULY_1 = 46174.0, 46203.0, 46204.0  # of 2026
TYPED: dict[str, Value] = {"array": "My array 1"}
AWAY: dict[str, Value] = {
    **{"array_price": 90000.0, "container_place": "another array", "container_array": "My array 1"},
    **{"container_gib": 30.0},
}


def quoted() -> Workbook:
    """Return the workbook with an expired quote on the card that the base design takes, two for arrays of papers."""
    book = fresh()
    for (sheet, cell), value in own_arrays(BUILT, [CARD]).items():
        book[sheet][cell].value = value
    book[my_arrays.NAME].cell(my_arrays.rows()["quote_until"], my_arrays.typed_column(0)).value = BEFORE
    at = arrays.quote_rows(BUILT.data)
    for column, until in ((BASE, BEFORE), (BASE + 1, AFTER)):
        book[arrays.NAME].cell(at["price"], column).value = 80000
        book[arrays.NAME].cell(at["quote_until"], column).value = until
    sheet, cell = BUILT.layout.typed("array")
    book[sheet][cell].value = "My array 1"
    return book


def last_days() -> Iterator[tuple[str, str]]:
    """Yield every cell that shows the last day of a quote, those beside a typed one."""
    row = my_arrays.rows()["quote_until"]
    for card in range(6):
        yield my_arrays.NAME, f"{get_column_letter(my_arrays.typed_column(card) + 1)}{row}"
    for column in range(BASE, BASE + len(BUILT.data.arrays)):
        yield arrays.NAME, f"{get_column_letter(column)}{arrays.quote_rows(BUILT.data)['quote_until']}"
    for column in compare.DESIGNS:
        _, cell = compare.cell("quote_until", column).replace("$", "").split("!")
        yield compare.NAME, cell
    yield cost_review.NAME, f"{get_column_letter(cost_review.LAST)}{HEAD_ROW + 2}"


def test_words_stand_wherever_the_last_day_does() -> None:
    book = fresh()
    said = {
        (sheet.title, str(area.sqref))
        for sheet in book
        for area in sheet.conditional_formatting
        for rule in area.rules
        if rule.dxf is not None and rule.dxf.numFmt is not None and rule.dxf.numFmt.formatCode == EXPIRED
    }
    assert said == set(last_days())


@pytest.mark.slow
def test_an_office_shows_that_the_quote_expired_and_when(tmp_path: Path) -> None:
    path = tmp_path / "quoted.xlsx"
    quoted().save(path)
    pages = "\n".join(pdf_text(to_pdf(path, tmp_path)))
    assert pages.count("expired on 2020-01-31") == 4  # My arrays, Arrays, Compare, Cost review
    assert "expired on 2099" not in pages
    assert "2099-01-31" in pages


# ---- the alert -----------------------------------------------------------------------------------------


def expired(quote: Mapping[str, Value], design: Mapping[str, Value]) -> object:
    """Return whether a quote of the first card counts as expired for a design."""
    cells = changed(built_cells(), own_arrays(BUILT, [{**CARD, **quote}]))
    return answers(BUILT, cells, [dict(design)], "quotes_expired")[0][0]


@pytest.mark.parametrize(
    ("quote", "design", "flag"),
    [
        ({"quote_until": JUNE_30}, {"order_date": JUNE_30}, 0),  # its last day counts
        ({"quote_until": JUNE_30}, {"order_date": JULY_1}, 1),
        ({"quote_until": JUNE_30}, {}, 0),  # blank = 1 January of the year of the design, 2026
        ({"quote_until": JUNE_30}, {"design_year": 2027.0}, 1),
        ({"quote_until": JUNE_30}, {"design_year": 2027.0, "order_date": JUNE_1}, 0),
        ({}, {"order_date": JULY_1}, 0),  # no last day
        ({"quote_until": JUNE_30, "price": None}, {"order_date": JULY_1}, 0),  # no quote
        ({"quote_until": JUNE_30}, {"order_date": JULY_1, "array_price": 90000.0}, 0),  # a price is typed
    ],
)
def test_a_quote_has_expired_from_the_day_after_its_last(
    quote: dict[str, Value], design: dict[str, Value], flag: int
) -> None:
    assert expired(quote, {**TYPED, **design}) == flag


def test_a_quote_on_arrays_that_ends_before_its_own_date_has_expired() -> None:
    """A card says so beside the cell."""
    at = arrays.quote_rows(BUILT.data)
    quote: dict[str, Value] = {"price": 80000.0, "quote_date": JUNE_30, "quote_until": JUNE_1}
    cells = changed(built_cells(), {(arrays.NAME, f"D{at[key]}"): value for key, value in quote.items()})
    design: dict[str, Value] = {"array": BUILT.data.arrays[0].name, "order_date": JUNE_1}
    assert answers(BUILT, cells, [design], "quotes_expired") == [(1,)]


def test_a_quote_for_the_containers_array_expires_too() -> None:
    until: dict[str, Value] = {"quote_until": JUNE_30}
    assert expired(until, {**AWAY, "order_date": JULY_1}) == 1
    assert expired(until, {**AWAY, "order_date": JUNE_30}) == 0
    assert expired(until, {**AWAY, "order_date": JULY_1, "container_place": "none"}) == 0
    assert expired(until, {**AWAY, "order_date": JULY_1, "container_array_price": 5000.0}) == 0


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> SizingBook:
    path = tmp_path_factory.mktemp("quotes") / "quoted.xlsx"
    quoted().save(path)
    return open_book(path)


def test_size_names_the_quote_that_expired(book: SizingBook) -> None:
    (told,) = [each for each in answer(book, (), ["arrays_required"])[1] if each.label == LABEL]
    assert (told.kind, told.todo.partition(",")[0]) == ("alert", "Ask for a new quote")
    assert any(LABEL in note for note in size(book, ()).notes)
    before = answer(book, ["order_date=2020-01-31"], ["arrays_required"])[1]
    assert LABEL not in [each.label for each in before]
    with pytest.raises(RequestError, match="expected a date such as 2026-11-22"):
        book.settings(["order_date=soon"])


@pytest.mark.slow
def test_the_banner_and_the_hand_off_name_the_quote_that_expired(book: SizingBook, tmp_path: Path) -> None:
    banner = Evaluator(book.cells).value(Address.from_a1(book.cells.names["Chk_Banner"].replace("$", "")))
    assert "a quote has expired" in str(banner)
    page = (
        handoff.write(replace(book, path=tmp_path / "Quoted.xlsx"), wanted=handoff.Wanted(prices=True)).folder
        / "design.html"
    )
    assert LABEL in page.read_text(encoding="utf-8")
