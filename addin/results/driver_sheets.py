"""The drivers of a result: a table of inputs with a tornado beside it, on the sheets Risk and Sensitivity."""

from __future__ import annotations

import math
from collections.abc import Sequence

from addin.buttons import COMMANDS
from addin.numerals import numeral
from addin.results import charts
from addin.results.charts import Anchor, Area, one_section
from addin.results.page import Page, form
from addin.simulation.report import Drivers, Report, ResultFigures
from addin.simulation.statistics import Interval
from addin.simulation.swings import Swing
from addin.sizing.result_keys import CHARTS
from addin.workbook.book import SizingBook

SENSITIVITY, SENSITIVITY_HEADING = COMMANDS["sensitivity"].sheet, "Sensitivity: which inputs move the base design"
_WIDTHS = (36.0, *(13.0,) * 15)
_ROWS = 18  # of a tornado
_BESIDE = (11, 16)


def sensitivity(book: SizingBook, report: Report, swings: Sequence[Swing]) -> Page:
    """Return the sheet Sensitivity: one input at a time, then the shares of each result's variance."""
    page = Page(SENSITIVITY, _WIDTHS)
    by_key = {entry.result: entry for entry in report.drivers}
    chosen = [by_key[key] for key in CHARTS if key in by_key] or list(report.drivers[:1])
    names = ", ".join(driver.label for driver in chosen[0].drivers[:3]) if chosen else "none of the uncertain inputs"
    trials = f"{numeral(report.spent.trials)} trials of this workbook's own formulas"
    partial = "PARTIAL RUN: " if report.spent.partial else ""
    row = page.head(
        SENSITIVITY_HEADING,
        f"{partial}What counts most: {names}",
        f"{trials}, spreads of the sheet Risk inputs. Values only: the next run replaces the sheet.",
        report.warnings,
    )
    result = next(
        (entry for entry in report.results if entry.item.key == (report.main.result if report.main else "")), None
    )
    if result is not None:
        row = _one_at_a_time(page, row, result, swings)
    for number, entry in enumerate(chosen):
        row = page.new_page(row + 1) if number % 2 else row + 1  # two on a page
        row = max(drivers(page, row, report, entry, Anchor(_BESIDE, row + 1, _ROWS)), row + _ROWS + 2)
    page.pairs(row + 1, "Where these figures come from", provenance(book, report))
    return page


def provenance(book: SizingBook, report: Report) -> list[tuple[str, str]]:
    """Return the details that make a simulation repeatable, and its notes."""
    return [
        ("workbook file", book.path.name),
        *report.provenance,
        ("variance", "total-order Sobol indices with 95 % bars, inputs taken as independent"),
        *(("warning", text) for text in report.warnings),
        *(("note", text) for text in report.notes),
    ]


def _one_at_a_time(page: Page, row: int, result: ResultFigures, swings: Sequence[Swing]) -> int:
    """Write the result with each input at its P10 and P90, all others as in the base design, and draw the tornado."""
    item, base = result.item, result.base if isinstance(result.base, float) else math.nan
    top = row
    row = page.band(row, f"'{item.label}' with one input at its P10 and P90, all others as in the base design")
    heads = ["Input", "Unit", "P10", "P90", "Result at P10", "Result at P90", "Change at P10", "Change at P90"]
    head, row = row, page.headings(row, heads)
    number = form_of(result)
    for swing in swings:
        page.put(row, 1, swing.item.short, "label")
        page.put(row, 2, swing.item.unit, "label")
        for column, value in ((3, swing.low), (4, swing.high)):
            page.put(row, column, value, "calculation", form(swing.item.key, swing.item.unit, value))
        for column, value in ((5, swing.at_low), (6, swing.at_high)):
            page.put(row, column, value, "calculation", number)
            page.put(row, column + 2, value - base, "output", one_section(number))
        row += 1
    anchor = Anchor(_BESIDE, top + 1, _ROWS)
    charts.tornado(page.ws, item, Area(head, row - 1), (7, 8), number, anchor, "base design")
    return max(row, top + _ROWS + 2)


def drivers(page: Page, row: int, report: Report, main: Drivers, anchor: Anchor) -> int:
    """Write the drivers of one result and draw the effect of each on its mean; return the next row."""
    result = next(entry for entry in report.results if entry.item.key == main.result)
    remark = "taken as independent" if report.correlated else "with its interactions"
    row = page.band(row, f"What drives '{result.item.label}': share of its variance by input, {remark}")
    means = [f"Mean in lowest tenth, {result.item.unit}", f"Mean in highest tenth, {result.item.unit}"]
    changes = ["Lowest tenth less mean", "Highest tenth less mean"]
    first = page.headings(
        row, ["Input", "Total index", "Error bar", "Alone", "Error bar", "Rank correlation", *means, *changes]
    )
    page.ws.row_dimensions[row].height = 42.0
    number = form_of(result)
    for row, driver in enumerate(main.drivers, first):
        page.put(row, 1, driver.label, "label")
        page.put(row, 2, driver.total.value, "output", "0.000")
        bar(page, row, 3, driver.total)
        page.put(row, 4, driver.first.value, "calculation", "0.000")
        bar(page, row, 5, driver.first)
        page.put(row, 6, driver.rank, "calculation", "+0.000;-0.000;0.000")
        for column, value in ((7, driver.low), (8, driver.high)):
            page.put(row, column, value, "calculation", number)
            page.put(row, column + 2, value - result.mean.value, "calculation", one_section(number))
    charts.tornado(page.ws, result.item, Area(first - 1, row), (9, 10), number, anchor)
    return row + 1


def form_of(result: ResultFigures) -> str:
    """Return the number format of a result."""
    return form(result.item.key, result.item.unit, result.mean.value) or "General"


def bar_form(half_width: float) -> str:
    """Return the format of an error bar: two significant digits."""
    if not math.isfinite(half_width) or half_width <= 0:
        return '"± "0'
    decimals = min(8, max(0, 1 - math.floor(math.log10(half_width))))
    return '"± "#,##0' + ("." + "0" * decimals if decimals else "")


def bar(page: Page, row: int, column: int, interval: Interval, form: str | None = None) -> None:
    """Write the half-width of a figure's error bar."""
    page.put(row, column, interval.half_width, "note", form or bar_form(interval.half_width))
    page.align(row, column, "right")
