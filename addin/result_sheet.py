"""The sheet Risk: a simulation's report as values, with charts bound to them. Drawn in a workbook of its own.

headline, percentiles, arrays -> distributions (charts) -> drivers, provenance, histograms -> curves
"""

from __future__ import annotations

import io
import math
import textwrap
import zipfile
from collections.abc import Iterable, Sequence

from openpyxl import Workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.styles import Alignment
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.pagebreak import Break
from openpyxl.worksheet.worksheet import Worksheet

from addin import result_charts
from addin.book import shown
from addin.kernel import ExcelError
from addin.report import Drivers, Finding, Report
from addin.report_text import percent
from addin.result_charts import CHART_ROWS, TALL_ROWS, Block
from addin.statistics import PERCENTILES, Interval, Probability
from model import fit, styles
from model.errors import BuildError

TITLE = "Risk"
HEADING = "Risk: what the uncertain inputs make of the base design"
MAIN = ("ratio_largest", "capacity_required_gib", "peak_phase_utilisation", "cost_per_desktop")
_LAST = 16  # columns
_WIDTHS = {1: 36.0, **{column: 15.0 if column % 4 == 2 else 11.0 for column in range(2, _LAST + 1)}}
_BLOCKS = (2, 6, 10, 14)  # first columns of the data blocks: the wide ones
_LINE = 175  # characters of a text over the whole width
_MOST_COUNTS = 12
_BAR_POINTS = 12.0
_SHARE = '[=0]0.00%;[<0.0001]"<0.01%";0.00%'  # what is not certain never reads 0 % or 100 %
_ENOUGH = '[=1]0.00%;[>0.9999]">99.99%";0.00%'
_MOST_POINTS = 46  # of a curve: a printed page


def draw(report: Report, settings: Sequence[str] = (), title: str = TITLE) -> dict[str, bytes]:
    """Return the package of a workbook that holds the sheet alone; `settings` are the inputs changed for the run."""
    book = Workbook()
    for style in styles.named_styles():
        book.add_named_style(style)
    ws = book.worksheets[0]
    ws.title = title
    ws.sheet_view.showGridLines, ws.sheet_view.tabSelected, ws.sheet_view.zoomScale = False, False, 90
    ws.sheet_properties.tabColor = styles.GROUP_COLOURS["result"]
    for column, width in _WIDTHS.items():
        ws.column_dimensions[get_column_letter(column)].width = width
    row = _percentiles(ws, _head(ws, report), report.findings)
    arrays_row = row + 1
    row = _arrays(ws, arrays_row, report)
    chosen = main_results(report)
    charts_row = _page(ws, row + 1)
    row = _band(ws, charts_row, "Distributions of the main results") + len(chosen) * CHART_ROWS if chosen else row
    row = _page(ws, row + 1)
    row = _drivers(ws, row, arrays_row + 1, report, report.main) + 1 if report.main else row
    row = _provenance(ws, row, report, settings)
    if chosen:
        _distributions(ws, row + 1, charts_row + 1, chosen)
    _print_setup(ws)
    buffer = io.BytesIO()
    book.save(buffer)
    with zipfile.ZipFile(buffer) as package:
        return {name: package.read(name) for name in package.namelist()}


def main_results(report: Report) -> tuple[Finding, ...]:
    """Return the results whose distribution is drawn, at most four; array counts have a chart of their own."""
    varied = [f for f in report.findings if f.curve and f.histogram and f.minimum < f.maximum and not _counts(f)]
    by_key = {found.item.key: found for found in varied}
    ordered = {key: by_key[key] for key in (*MAIN, *by_key) if key in by_key}
    return tuple(ordered.values())[: len(_BLOCKS)]


def _counts(found: Finding) -> bool:
    return found.item.unit == "arrays" and 0 < len(found.outcomes) <= _MOST_COUNTS


def _put(ws: Worksheet, row: int, column: int, value: object, role: str, form: str | None = None) -> None:
    """Write one value in a role; texts stay texts, figures that do not exist are left blank."""
    cell = ws.cell(row, column)
    if isinstance(value, str):
        cell.value, cell.data_type = ILLEGAL_CHARACTERS_RE.sub("", value), "s"
    elif not (isinstance(value, float) and not math.isfinite(value)):
        cell.value = value
    cell.style = styles.style_name(role)
    if form:
        cell.number_format = form


def _line(ws: Worksheet, row: int, text: str, role: str, column: int = 1) -> None:
    """Write a text that runs over the columns to its right."""
    _put(ws, row, column, text, role)
    ws.cell(row, column).alignment = Alignment(horizontal="left", vertical="center", indent=1)


def _band(ws: Worksheet, row: int, text: str) -> int:
    """Write the title of a section over all columns; return the next row."""
    for column in range(1, _LAST + 1):
        _put(ws, row, column, text if column == 1 else None, "group")
    return row + 1


def _headings(ws: Worksheet, row: int, texts: Iterable[str], column: int = 1) -> int:
    for at, text in enumerate(texts, column):
        _put(ws, row, at, text, "heading")
        if at > 1:
            ws.cell(row, at).alignment = Alignment(horizontal="center", vertical="center", wrap_text=True)
    return row + 1


def _page(ws: Worksheet, row: int) -> int:
    """Begin a new printed page at a row."""
    ws.row_breaks.append(Break(id=row - 1))
    return row


def _form(found: Finding) -> str:
    """Return the number format of a result; a unit that somebody made up gets one from the value."""
    try:
        return styles.line_format(found.item.key, found.item.unit)
    except BuildError:
        return styles.typed_format(found.mean.value)


def _bar_form(half_width: float) -> str:
    """Return the format of an error bar: two significant digits."""
    if not math.isfinite(half_width) or half_width <= 0:
        return '"± "0'
    decimals = min(8, max(0, 1 - math.floor(math.log10(half_width))))
    return '"± "#,##0' + ("." + "0" * decimals if decimals else "")


def _bar(ws: Worksheet, row: int, column: int, interval: Interval, form: str | None = None) -> None:
    _put(ws, row, column, interval.half_width, "note", form or _bar_form(interval.half_width))
    ws.cell(row, column).alignment = Alignment(horizontal="right", vertical="center")


def _array_count(number: float) -> str:
    return f"{number:,.0f} array" + ("s" if number != 1 else "")


def _head(ws: Worksheet, report: Report) -> int:
    spent = report.spent
    answer = (
        f"The base design of {_array_count(report.arrays)} holds with probability "
        f"{percent(report.holds.interval.value)} (± {percent(report.holds.interval.half_width)})"
        if report.holds
        else f"{len(report.findings)} results of the base design"
    )
    _line(ws, 1, HEADING, "title")
    _line(ws, 2, f"PARTIAL RUN: {answer}" if spent.partial else answer, "master")
    cut = f"; the run was interrupted before {spent.asked:,} trials" if spent.partial else ""
    _line(
        ws,
        3,
        f"{spent.trials:,} trials of this workbook's own formulas on draws of the sheet Risk inputs{cut}. Values only: "
        "the sheet does not follow later changes, the next simulation replaces it.",
        "purpose",
    )
    if report.warnings:
        _line(ws, 4, textwrap.shorten(f"{len(report.warnings)} warning: {report.warnings[0]}", _LINE), "master")
    ws.row_dimensions[1].height, ws.row_dimensions[2].height, ws.row_dimensions[3].height = 26, 20, 16
    return 5


def _percentiles(ws: Worksheet, row: int, findings: Sequence[Finding]) -> int:
    row = _band(ws, row, "Results: Pn is not exceeded in n % of the trials. Below each figure half its 95 % error bar")
    names = [f"P{100 * p:.0f}" for p in PERCENTILES]
    row = _headings(
        ws, row, ["Result", "Unit", "Base", "Mean", *names, "Standard deviation", "Minimum", "Maximum", "Bin width"]
    )
    for found in findings:
        form, figures = _form(found), [found.mean, *(p.interval for p in found.percentiles), found.sd]
        _put(ws, row, 1, found.item.label, "label")
        _put(ws, row, 2, found.item.unit, "label")
        base = found.base.value if isinstance(found.base, ExcelError) else found.base
        _put(ws, row, 3, base if isinstance(base, float) else shown(base), "calculation", form)
        for column, interval in enumerate(figures, 4):
            whole = found.histogram is not None and found.histogram.whole and column in (4, 4 + len(figures) - 1)
            _put(
                ws, row, column, interval.value, "output" if column < 13 else "calculation", "0.000" if whole else form
            )
            if math.isfinite(interval.half_width):
                _bar(ws, row + 1, column, interval)
        for column, value in ((14, found.minimum), (15, found.maximum)):
            _put(ws, row, column, value, "calculation", form)
        width = max(p.resolution for p in found.percentiles)
        _put(ws, row, 16, width if width > 0 else None, "calculation", _bar_form(width).replace('"± "', ""))
        ws.row_dimensions[row + 1].height = _BAR_POINTS
        row += 2
    return row


def _chance(ws: Worksheet, row: int, chance: Probability) -> None:
    _put(ws, row, 2, chance.interval.value, "output", _SHARE)
    _bar(ws, row, 3, chance.interval, '"± "0.00%')


def _arrays(ws: Worksheet, row: int, report: Report) -> int:
    """Write the probability of each array count; its chart and the tornado stand beside it. Return the next row."""
    counted = next((found for found in report.findings if _counts(found)), None)
    top = row = _band(ws, row, "How many arrays, and what drives the answer")
    if counted or report.holds:
        _headings(ws, row, [counted.item.label if counted else "Outcome", "Probability", "Error bar", "Enough"])
    if counted:
        enough = 0.0
        for chance in counted.outcomes:
            row += 1
            enough += chance.interval.value
            _put(ws, row, 1, chance.outcome, "label", "#,##0")
            _chance(ws, row, chance)
            _put(ws, row, 4, 1.0 if chance is counted.outcomes[-1] else enough, "calculation", _ENOUGH)
        result_charts.counts(ws, counted.item.label, (top + 1, row), top)
    if report.holds:
        row += 1
        _put(ws, row, 1, f"Design of {_array_count(report.arrays)} holds", "label")
        _chance(ws, row, report.holds)
    return max(row, top + TALL_ROWS) + 1


def _drivers(ws: Worksheet, row: int, chart_row: int, report: Report, main: Drivers) -> int:
    found = next(one for one in report.findings if one.item.key == main.result)
    remark = "taken as independent" if report.correlated else "with its interactions"
    row = _band(ws, row, f"What drives '{found.item.label}': share of its variance by input, {remark}")
    means = [f"Mean in lowest tenth, {found.item.unit}", f"Mean in highest tenth, {found.item.unit}"]
    changes = ["Lowest tenth less mean", "Highest tenth less mean"]
    first = _headings(
        ws, row, ["Input", "Total index", "Error bar", "Alone", "Error bar", "Rank correlation", *means, *changes]
    )
    ws.row_dimensions[row].height = 42.0
    form = _form(found)
    for row, one in enumerate(main.drivers, first):
        _put(ws, row, 1, one.label, "label")
        _put(ws, row, 2, one.total.value, "output", "0.000")
        _bar(ws, row, 3, one.total)
        _put(ws, row, 4, one.first.value, "calculation", "0.000")
        _bar(ws, row, 5, one.first)
        _put(ws, row, 6, one.rank, "calculation", "+0.000;-0.000;0.000")
        for column, value in ((7, one.low), (8, one.high)):
            _put(ws, row, column, value, "calculation", form)
            _put(ws, row, column + 2, value - found.mean.value, "calculation", form)
    result_charts.tornado(ws, found, (first - 1, row), chart_row, form)
    return row + 1


def _provenance(ws: Worksheet, row: int, report: Report, settings: Sequence[str]) -> int:
    row = _band(ws, row, "Where these figures come from")
    said = [
        ("workbook file", report.book),
        *report.provenance,
        ("replicates", f"{report.spent.replicates}; error bars are 95 % Student t intervals between them"),
        ("changed inputs", "; ".join(settings) or "none"),
        ("self-check", f"{report.checked} trials computed cell by cell as well, largest difference "
         f"{report.largest_difference:.1g}"),
        *(("excluded trials", f"{fault.trials:,} of {found.item.label}: {fault.kind}, starts in {fault.cell}")
          for found in report.findings for fault in found.faults),
        *(("warning", text) for text in report.warnings),
        *(("note", text) for text in report.notes),
    ]  # fmt: skip
    for name, text in said:
        _put(ws, row, 1, name, "label")
        for line in textwrap.wrap(text, _LINE) or [""]:
            _line(ws, row, line, "label", 2)
            row += 1
    return row


def _distributions(ws: Worksheet, row: int, charts_row: int, chosen: Sequence[Finding]) -> None:
    """Write what the histograms and curves are bound to, result beside result, and draw them."""
    row = _band(ws, row, "Histograms: share of the trials in each bin; a value on an edge belongs to the bin above")
    bins, longest = row + 2, 0
    for column, found in zip(_BLOCKS, chosen, strict=False):
        histogram = found.histogram.bars() if found.histogram else ()
        _block_head(ws, row, column, found, ("Bin", "Share"))
        for at, (label, share) in enumerate(histogram, bins):
            _put(ws, at, column, label, "note")
            ws.cell(at, column).alignment = Alignment(horizontal="right", vertical="center")
            _put(ws, at, column + 1, share, "calculation", _SHARE)
        longest = max(longest, len(histogram))
    row = _page(ws, bins + longest + 1)
    row = _band(ws, row, "Curves: probability that a result is at most x; the probability of exceeding x is the rest")
    points = row + 2
    for at, (column, found) in enumerate(zip(_BLOCKS, chosen, strict=False)):
        _block_head(ws, row, column, found, ("x", "At most x", "Error bar"))
        form, last = _form(found), points - 1
        for last, (x, below, half) in enumerate(_points(found), points):
            _put(ws, last, column, x, "calculation", form)
            _put(ws, last, column + 1, below, "calculation", _SHARE)
            _bar(ws, last, column + 2, Interval(below, below - half, below + half), '"± "0.00%')
        bars = len(found.histogram.bars()) if found.histogram else 0
        block = Block(column, (bins, bins + bars - 1), (points, last))
        result_charts.distribution(ws, found, block, charts_row + at * CHART_ROWS, form)


def _points(found: Finding) -> list[tuple[float, float, float]]:
    """Return x, the probability of at most x and its error bar, within the edges of the histogram."""
    curve, histogram = found.curve, found.histogram
    if curve is None or histogram is None:
        return []
    rows = zip(curve.x.tolist(), (1 - curve.probability).tolist(), curve.half_width.tolist(), strict=True)
    inside = [row for row in rows if histogram.edges[0] <= row[0] <= histogram.edges[-1]]
    step = math.ceil(len(inside) / _MOST_POINTS) or 1
    return inside[:-1:step] + inside[-1:]


def _block_head(ws: Worksheet, row: int, column: int, found: Finding, texts: Sequence[str]) -> None:
    _line(ws, row, f"{found.item.label}, {found.item.unit}", "group", column)
    _headings(ws, row + 1, texts, column)


def _print_setup(ws: Worksheet) -> None:
    """Print landscape, fitted to the width, sections on pages of their own; the footer names file, tab and page."""
    heights = {row: dimension.height for row, dimension in ws.row_dimensions.items() if dimension.height}
    fit.rows(ws, ws.max_row)
    for row, height in heights.items():
        ws.row_dimensions[row].height = height
    ws.page_setup.orientation, ws.page_setup.paperSize = "landscape", 9
    ws.sheet_properties.pageSetUpPr.fitToPage = True
    ws.page_setup.fitToWidth, ws.page_setup.fitToHeight = 1, 0
    ws.page_margins.left = ws.page_margins.right = ws.page_margins.top = 0.4
    ws.page_margins.bottom, ws.page_margins.header, ws.page_margins.footer = 0.5, 0.25, 0.25
    ws.oddFooter.left.text, ws.oddFooter.center.text, ws.oddFooter.right.text = "&F", "&A", "Page &P of &N"
