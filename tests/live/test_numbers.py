"""Numbers on the page are written as the workbook's cells show them, with script and in what stands without."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from openpyxl import load_workbook
from openpyxl.chart import BarChart, Reference

from addin.live import assembly, front, page
from addin.workbook.book import open_book
from addin.workbook.number_formats import displayed, sections
from tests.live.conftest import SHIPPED
from tests.support.axe import violations
from tests.support.browser import Browser
from tests.support.javascript import legible, node, program_of

ASSETS = Path(assembly.__file__).with_name("assets")
QUOTE = ("array_price=210000", "discount_ratio=0.15", "budget=500000", "growth_ratio=0.1", "installation_cost=8000")
ROWS = """(id => [...document.querySelectorAll(`#${id} tbody tr`)].map(row =>
  [...row.children].map(cell => cell.textContent)))"""


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("0.00", {2.656457: "2.66", 0.0: "0.00", -0.004: "0.00", 0.125: "0.13"}),
        ("0%", {0.885486: "89%", -0.5: "-50%"}),
        ("#,##0.00", {1234567.005: "1,234,567.01", -1.5: "-1.50"}),
        ('0;-0;"-"', {0.0: "-", 3.0: "3", -3.0: "-3"}),
        ('#,##0;;"none"', {0.0: "none", -7.0: "", 1e6: "1,000,000"}),
        ("0;0", {-2.0: "2", 0.0: "0"}),
        ('[=-0.5]"not; known";[=-1.5]"no limit";#,##0', {-0.5: "not; known", -1.5: "no limit", -1.0: "-1"}),
        ("[=0]0.0;[<1]0.000;#,##0.0", {0.0: "0.0", 0.25: "0.250", 1234.5: "1,234.5"}),
        ("[<1]0.0##;[<1000]0.0;#,##0", {0.0: "0.0", 0.0156: "0.016", 0.25: "0.25", 76.54: "76.5", 20633.4: "20,633"}),
        ('#,##0 "EUR"', {1500.0: "1,500 EUR"}),
    ],
)
def test_a_number_format_is_read_section_by_section(code, shown):
    assert sections(code)
    assert {value: displayed(value, code) for value in shown} == shown


@pytest.mark.parametrize("code", ["General", "yyyy-mm-dd", "0.0E+00", "+0.0%;-0.0%;0.0%", "# ?/?", '"words"', ""])
def test_a_format_of_another_kind_is_left_to_the_page(code):
    assert sections(code) == ()
    assert displayed(1234.5678, code) == "1,235"


@pytest.fixture(scope="module")
def quoted(book):
    return replace(book, cells=book.cells.with_values(book.settings(QUOTE)))


@pytest.fixture(scope="module")
def quoted_page(quoted):
    return page(quoted, prices=True)


@pytest.fixture(scope="module")
def values(quoted):
    return quoted.values()


@pytest.fixture(scope="module")
def formats():
    return load_workbook(SHIPPED)


@pytest.fixture(scope="module")
def opened(quoted_page, tmp_path_factory):
    path = tmp_path_factory.mktemp("numbers") / "page.html"
    path.write_bytes(quoted_page)
    with Browser() as browser:
        shown = browser.open(path.as_uri())
        shown.wait_for("document.body.classList.contains('live')")
        yield shown


def in_cells(block, values, formats):
    """Return a block's rows as their cells show them, by the formats in the file."""
    return [
        [
            displayed(values.value(a), formats[a.sheet].cell(a.row, a.column).number_format)
            for a in (line.label, *line.values)
        ]
        for line in block.lines
        if line.values
    ]


@pytest.mark.slow
def test_the_answer_is_written_as_the_sheet_shows_it(opened, quoted, values, formats):
    wanted = in_cells(front.answer(quoted), values, formats)
    assert opened.evaluate(f"{ROWS}('answer')") == wanted
    by_label = {label: cells for label, *cells in wanted}
    assert re.fullmatch(r"\d+", by_label["Minutes to boot all"][0])
    assert re.fullmatch(r"\d\.\d\d", by_label["Arrays needed, unrounded"][1])
    assert re.fullmatch(r"[\d,]+\.\d\d", by_label["Storage cost per desktop, USD"][0])


@pytest.mark.slow
def test_the_years_are_written_as_the_sheet_shows_them(opened, quoted, values, formats):
    block = front.years(quoted)
    wanted = [cells for _, *cells in in_cells(block, values, formats)]
    kept = [n for n in range(len(block.heads)) if n == 0 or any(row[n] for row in wanted)]
    assert [row[1:] for row in opened.evaluate(f"{ROWS}('years')")] == [[row[n] for n in kept] for row in wanted]
    assert (
        opened.evaluate("[...document.querySelectorAll('#years th')].filter(e => /Doc_/.test(e.textContent)).length")
        == 0
    )


CHARTS = "[...document.querySelectorAll('#year-charts svg')].map(each => each.getAttribute('aria-label'))"


@pytest.mark.slow
def test_the_charts_of_the_years_say_what_the_sheet_says(opened, quoted):
    rows = {label: cells for label, *cells in opened.evaluate(f"{ROWS}('years')")}
    paid, arrays = opened.evaluate(CHARTS)
    assert paid.startswith("Paid in the year, USD. Year 1: Arrays ")
    assert arrays.startswith("Arrays owned, and arrays needed, arrays. Year 1: ")
    for n in range(1, 6):
        year = paid.partition(f"Year {n}: ")[2].partition(";")[0]
        assert f"Arrays {rows['Arrays, USD'][n]}" in year
        assert f"Year {n}: Arrays owned {rows['Arrays owned'][n]}, Arrays needed, unrounded " in arrays
    heights = "[...document.querySelectorAll('#year-charts svg')].map(each => [...each.querySelectorAll('rect')]\
        .map(bar => Number(bar.getAttribute('height'))))"
    stack, pairs = opened.evaluate(heights)
    assert max(stack) == stack[0] > 0  # arrays of the first year
    assert all(0 < asked <= owned for owned, asked in zip(pairs[::2], pairs[1::2], strict=True))
    assert violations(opened) == []


@pytest.mark.slow
def test_without_a_quote_no_chart_shows_a_part_of_the_money_as_if_it_were_all(opened):
    quote = "#" + opened.evaluate(
        "[...document.querySelectorAll('label')].find(e => /^Quote/.test(e.textContent)).htmlFor"
    )
    opened.fill(quote, "")
    assert [label.partition(",")[0] for label in opened.evaluate(CHARTS)] == ["Arrays owned"]
    opened.fill(quote, "210000")
    assert len(opened.evaluate(CHARTS)) == 2


@pytest.mark.slow
def test_every_result_is_written_as_its_cell_shows_it(quoted, quoted_page, values, formats):
    code, data = program_of(quoted_page.decode())
    own = "\n".join((ASSETS / name).read_text(encoding="utf-8") for name in ("format.js", "model.js"))
    asked = (
        "compute();process.stdout.write(JSON.stringify(Object.keys(RESULTS).map(key => cellText(RESULTS[key].at))));"
    )
    told = dict(zip(data["results"], node(f"{code}\nconst DATA={json.dumps(data)};\n{{{own}\n{asked}}}"), strict=True))
    wanted = {
        key: displayed(values.value(at), formats[at.sheet].cell(at.row, at.column).number_format)
        for key, at in ((key, item.address) for key, item in quoted.results.items())
    }
    assert {key: (text, wanted[key]) for key, text in told.items() if text != wanted[key]} == {}
    assert len({text for text in wanted.values() if re.search(r"\d\.\d", text)}) > 50


@pytest.mark.slow
def test_what_stands_without_script_has_the_same_numbers(opened, quoted, quoted_page):
    source = quoted_page.decode().partition("<script>")[0]
    rows = re.findall(r'<tr><th scope="row">[^<]*</th>(.*?)</tr>', source)
    told = [re.findall(r"<td[^>]*>([^<]*)</td>", row) for row in rows]
    assert told[: len(front.answer(quoted).lines) - 1] == [cells[1:] for cells in opened.evaluate(f"{ROWS}('answer')")]


@pytest.mark.slow
def test_an_open_document_has_no_formats_and_still_its_page():
    book = open_book(SHIPPED)
    vars(book)["workbook"] = None  # as that of an open document
    assert legible(page(book, prices=True).decode()).count('"formats":[]') == 2  # for figures, and for their chains


@pytest.mark.slow
def test_charts_that_somebody_added_from_other_parts_are_left_out(tmp_path):
    book = open_book(SHIPPED)
    assert [chart.title for chart in front.year_charts(book)] == [
        "Paid in the year",
        "Arrays owned, and arrays needed",
    ]
    workbook = load_workbook(SHIPPED)
    sheet = workbook[front.YEARS]
    untitled, down, elsewhere = BarChart(), BarChart(), BarChart()
    untitled.add_data(Reference(sheet, min_col=3, max_col=6, min_row=19), from_rows=True, titles_from_data=True)
    down.add_data(Reference(sheet, min_col=4, min_row=9, max_row=20), titles_from_data=True)
    down.set_categories(Reference(sheet, min_col=1, min_row=10, max_row=20))
    elsewhere.add_data(
        Reference(workbook["Years"], min_col=3, max_col=6, min_row=19), from_rows=True, titles_from_data=True
    )
    down.title = elsewhere.title = "Own"
    for n, chart in enumerate((untitled, down, elsewhere, BarChart())):
        sheet.add_chart(chart, f"M{20 * n + 1}")
    workbook.save(path := tmp_path / "own.xlsx")
    assert front.year_charts(open_book(path)) == front.year_charts(book)
