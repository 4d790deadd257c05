"""What drives a result: its table of inputs with a tornado beside it, on the sheets Risk and Sensitivity."""

from __future__ import annotations

import math

from addin import result_charts
from addin.report import Drivers, Finding, Report
from addin.result_page import Page, form
from addin.statistics import Interval


def drivers(page: Page, row: int, chart_row: int, report: Report, main: Drivers) -> int:
    """Write the drivers of one result and draw how far each moves its mean; return the next row."""
    found = next(one for one in report.findings if one.item.key == main.result)
    remark = "taken as independent" if report.correlated else "with its interactions"
    row = page.band(row, f"What drives '{found.item.label}': share of its variance by input, {remark}")
    means = [f"Mean in lowest tenth, {found.item.unit}", f"Mean in highest tenth, {found.item.unit}"]
    changes = ["Lowest tenth less mean", "Highest tenth less mean"]
    first = page.headings(
        row, ["Input", "Total index", "Error bar", "Alone", "Error bar", "Rank correlation", *means, *changes]
    )
    page.ws.row_dimensions[row].height = 42.0
    number = form_of(found)
    for row, one in enumerate(main.drivers, first):
        page.put(row, 1, one.label, "label")
        page.put(row, 2, one.total.value, "output", "0.000")
        bar(page, row, 3, one.total)
        page.put(row, 4, one.first.value, "calculation", "0.000")
        bar(page, row, 5, one.first)
        page.put(row, 6, one.rank, "calculation", "+0.000;-0.000;0.000")
        for column, value in ((7, one.low), (8, one.high)):
            page.put(row, column, value, "calculation", number)
            page.put(row, column + 2, value - found.mean.value, "calculation", number)
    result_charts.tornado(page.ws, found, (first - 1, row), chart_row, number)
    return row + 1


def form_of(found: Finding) -> str:
    """Return the number format of a result."""
    return form(found.item.key, found.item.unit, found.mean.value) or "General"


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
