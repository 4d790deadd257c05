"""A quote that expired says so and when, in words, wherever its last day stands."""

import datetime
from collections.abc import Iterator
from pathlib import Path

import pytest
from openpyxl import Workbook
from openpyxl.utils import get_column_letter

from model.layout.canvas import EXPIRED
from model.layout.grid import BASE, HEAD_ROW
from model.sheets.catalogue import arrays, my_arrays
from model.sheets.front import compare, cost_review
from tests.support.input_sets import Value, own_arrays
from tests.support.libreoffice import pdf_text, to_pdf
from tests.support.shipped import built, fresh

BUILT = built()
CARD: dict[str, Value] = {
    **{"capacity_tb": 40.0, "capacity_kind": "usable", "iops": 200000.0, "read_ratio": 0.7, "latency_ms": 1.0},
    **{"controllers_active": 2.0, "price": 95000.0},
}
BEFORE, AFTER = datetime.date(2020, 1, 31), datetime.date(2099, 1, 31)


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
