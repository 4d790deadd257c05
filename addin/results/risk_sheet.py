"""The sheet Risk: a simulation's report as values, with charts bound to them. Drawn in a workbook of its own.

headline, percentiles, arrays -> distributions (charts) -> drivers, provenance, histograms -> curves
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence

from addin.buttons import COMMANDS
from addin.kernel import Cells, Scalar
from addin.numerals import numeral
from addin.results import charts
from addin.results.charts import CHART_ROWS, TALL_ROWS, Anchor, Area
from addin.results.driver_sheets import bar, bar_form, drivers, form_of
from addin.results.page import STATE_ROW, Page
from addin.results.report_text import LEAST, bound, flag_label, percent, probability
from addin.simulation.report import Report, ResultFigures
from addin.simulation.statistics import PERCENTILES, Interval
from addin.sizing.result_keys import CHARTS
from addin.workbook.book import shown
from addin.xlsx.cell_values import plain_value

TITLE = COMMANDS["simulate"].sheet
HEADING = "Risk: what the uncertain inputs make of the base design"
ORIGIN, SEAL = "Where these figures come from", "seal of the figures"
_SEALED = 12  # digits of each figure: applications round the 15th
_WIDTHS = (36.0, *(15.0 if column % 4 == 2 else 11.0 for column in range(2, 17)))
_BLOCKS = (2, 6, 10, 14)  # first columns of the data blocks: the wide ones
_MOST_COUNTS = 12
_BAR_POINTS = 12.0
_MOST_POINTS = 46  # of a curve: a printed page


def draw(report: Report, settings: Sequence[str] = (), title: str = TITLE) -> Page:
    """Return the sheet Risk; `settings` are the inputs changed for the run."""
    page = Page(title, _WIDTHS)
    row = _percentiles(page, _head(page, report), report.results)
    arrays_row = row + 1
    row = _arrays(page, arrays_row, report)
    chosen = main_results(report)
    charts_row = page.new_page(row + 1)
    row = page.band(charts_row, "Distributions of the main results") + len(chosen) * CHART_ROWS if chosen else row
    row = page.new_page(row + 1)
    tornado = Anchor((10, 16), arrays_row + 1, TALL_ROWS)
    row = drivers(page, row, report, report.main, tornado) + 1 if report.main else row
    row = _provenance(page, row, report, settings)
    if chosen:
        _distributions(page, row + 1, charts_row + 1, chosen)
    return page


def main_results(report: Report) -> tuple[ResultFigures, ...]:
    """Return the results whose distributions are drawn, at most four; array counts have their own chart."""
    varied = [f for f in report.results if _varies(f) and not _counts(f)]
    by_key = {result.item.key: result for result in varied}
    ordered = {key: by_key[key] for key in (*CHARTS, *by_key) if key in by_key}
    return tuple(ordered.values())[: len(_BLOCKS)]


def _varies(result: ResultFigures) -> bool:
    return bool(result.curve and result.histogram and result.minimum < result.maximum and result.chance is None)


def _counts(result: ResultFigures) -> bool:
    return result.item.unit == "arrays" and 0 < len(result.outcomes) <= _MOST_COUNTS


def _head(page: Page, report: Report) -> int:
    spent = report.spent
    answer = (
        f"The base design of {report.design} suffices with {probability(report.holds.interval, report.holds.trials)}"
        if report.holds
        else f"{len(report.results)} results of the base design"
    )
    cut = f"; the run was interrupted before {numeral(spent.asked)} trials" if spent.partial else ""
    purpose = (
        f"{numeral(spent.trials)} trials of this workbook's own formulas on draws of the sheet Risk inputs{cut}. "
        "Values only: the sheet does not follow later changes, the next simulation replaces it."
    )
    return page.head(HEADING, f"PARTIAL RUN: {answer}" if spent.partial else answer, purpose, report.warnings)


def _percentiles(page: Page, row: int, results: Sequence[ResultFigures]) -> int:
    row = page.band(row, "Results: Pn is not exceeded in n % of the trials. Below each figure half its 95 % error bar")
    names = [f"P{100 * p:.0f}" for p in PERCENTILES]
    row = page.headings(
        row, ["Result", "Unit", "Base", "Mean", *names, "Standard deviation", "Minimum", "Maximum", "Bin width"]
    )
    for result in results:
        if result.chance is not None:
            continue  # below, as a probability
        form, figures = form_of(result), [result.mean, *(p.interval for p in result.percentiles), result.sd]
        page.put(row, 1, result.item.label, "label")
        page.put(row, 2, result.item.unit, "label")
        base = plain_value(result.base)
        page.put(row, 3, base if isinstance(base, float) else shown(base), "calculation", form)
        for column, interval in enumerate(figures, 4):
            whole = result.histogram is not None and result.histogram.whole and column in (4, 4 + len(figures) - 1)
            page.put(
                row, column, interval.value, "output" if column < 13 else "calculation", "0.000" if whole else form
            )
            if math.isfinite(interval.half_width):
                bar(page, row + 1, column, interval)
        for column, value in ((14, result.minimum), (15, result.maximum)):
            page.put(row, column, value, "calculation", form)
        width = max(p.resolution for p in result.percentiles)
        page.put(row, 16, width if width > 0 else None, "calculation", bar_form(width).replace('"± "', ""))
        page.ws.row_dimensions[row + 1].height = _BAR_POINTS
        row += 2
    return row


def _chance(page: Page, row: int, chance: Interval, trials: int = 0) -> None:
    """Write a probability; of an outcome that none or all of the trials show, the cell says what they support."""
    words = bound(chance.value, trials)
    page.put(row, 2, chance.value, "output", f'"{words}"' if words else _share_form())
    bar(page, row, 3, chance, '"± "0.00%')


def _share_form() -> str:
    """Return the format of a share: an uncertain outcome never reads 0 %; the words are not part of the value."""
    return f'[=0]0.00%;[<{LEAST}]"{percent(LEAST / 2)}";0.00%'


def _enough_form() -> str:
    return f'[=1]0.00%;[>{1 - LEAST}]"{percent(1 - LEAST / 2)}";0.00%'


def _arrays(page: Page, row: int, report: Report) -> int:
    """Write the probability of each array count, with its chart and the tornado beside it. Return the next row."""
    counted = next((result for result in report.results if _counts(result)), None)
    top = row = page.band(row, "How many arrays, and what drives the answer")
    chances = [(flag_label(each.item), each.chance, each.valid) for each in report.results if each.chance is not None]
    if counted or report.holds or chances:
        page.headings(row, [counted.item.label if counted else "Outcome", "Probability", "Error bar", "Enough"])
    if counted:
        enough = 0.0
        for chance in counted.outcomes:
            row += 1
            enough += chance.interval.value
            page.put(row, 1, chance.outcome, "label", "#,##0")
            _chance(page, row, chance.interval)
            page.put(row, 4, 1.0 if chance is counted.outcomes[-1] else enough, "calculation", _enough_form())
        charts.counts(page.ws, counted.item.label, Area(top, row), top)
    if report.holds:
        row += 1
        page.put(row, 1, f"Design of {report.design} suffices", "label")
        _chance(page, row, report.holds.interval, report.holds.trials)
    for label, interval, trials in chances:
        row += 1
        page.put(row, 1, label, "label")
        _chance(page, row, interval, trials)
    return max(row, top + TALL_ROWS) + 1


def _provenance(page: Page, row: int, report: Report, settings: Sequence[str]) -> int:
    origins = [
        ("workbook file", report.book),
        *report.provenance,
        ("replicates", f"{report.spent.replicates}; error bars are 95 % Student t intervals between them"),
        ("changed inputs", "; ".join(settings) or "none"),
        ("self-check", f"{report.checked} trials computed cell by cell as well, largest difference "
         f"{numeral(report.largest_difference, '.1g')}"),
        *(("excluded trials", f"{numeral(fault.trials)} of {result.item.label}: {fault.kind}, starts in {fault.cell}")
          for result in report.results for fault in result.faults),
        *(("warning", text) for text in report.warnings),
        *(("note", text) for text in report.notes),
    ]  # fmt: skip
    drawn = ((cell.row, cell.column, cell.value) for line in page.ws.iter_rows(max_row=row - 1) for cell in line)
    return page.pairs(row, ORIGIN, [*origins, (SEAL, _seal(drawn))])


def _seal(cells: Iterable[tuple[int, int, object]]) -> str:
    """Return a digest of what stands above the origins but for the sentences of the head, by row and column."""
    digest = hashlib.sha256()
    for row, column, value in cells:
        if row > STATE_ROW and value is not None:
            text = f"{value:.{_SEALED}g}" if isinstance(value, int | float) else str(value)
            digest.update(f"{row} {column} {text}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:16]


def is_sealed(cells: Cells, title: str = TITLE) -> bool:
    """Say whether the figures of a saved sheet are those that a simulation wrote: nobody typed over one."""
    found: list[tuple[int, int, Scalar]] = sorted((at.row, at.column, cells.values[at]) for at in cells.stored(title))
    origin = next((row for row, column, value in found if (column, value) == (1, ORIGIN)), 0)
    seals = [row for row, column, value in found if row > origin and (column, value) == (1, SEAL)]
    told = [value for row, column, value in found if row in seals and column > 1]
    return bool(origin) and told == [_seal(each for each in found if each[0] < origin)]


def _distributions(page: Page, row: int, charts_row: int, chosen: Sequence[ResultFigures]) -> None:
    """Write the cells of the histograms and curves, result beside result, and draw the charts."""
    row = page.band(row, "Histograms: share of the trials in each bin; a value on an edge belongs to the bin above")
    bins, longest = row + 2, 0
    for column, result in zip(_BLOCKS, chosen, strict=False):
        histogram = result.histogram.bars() if result.histogram else ()
        _block_head(page, row, column, result, ("Bin", "Share"))
        for at, (label, share) in enumerate(histogram, bins):
            page.put(at, column, label, "note")
            page.align(at, column, "right")
            page.put(at, column + 1, share, "calculation", _share_form())
        longest = max(longest, len(histogram))
    row = page.new_page(bins + longest + 1)
    row = page.band(row, "Curves: probability that a result is at most x; the probability of exceeding x is the rest")
    points = row + 2
    for at, (column, result) in enumerate(zip(_BLOCKS, chosen, strict=False)):
        _block_head(page, row, column, result, ("x", "At most x", "Error bar"))
        form, last = form_of(result), points - 1
        for last, (x, below, half) in enumerate(_points(result), points):
            page.put(last, column, x, "calculation", form)
            page.put(last, column + 1, below, "calculation", _share_form())
            bar(page, last, column + 2, Interval(below, below - half, below + half), '"± "0.00%')
        bars = len(result.histogram.bars()) if result.histogram else 0
        tables = Area(bins - 1, bins + bars - 1), Area(points - 1, last)
        charts.distribution(page.ws, result, column, tables, charts_row + at * CHART_ROWS, form)


def _points(result: ResultFigures) -> list[tuple[float, float, float]]:
    """Return x, the probability of at most x and its error bar, within the edges of the histogram."""
    curve, histogram = result.curve, result.histogram
    if curve is None or histogram is None:
        return []
    rows = zip(curve.x.tolist(), (1 - curve.probability).tolist(), curve.half_width.tolist(), strict=True)
    inside = [row for row in rows if histogram.edges[0] <= row[0] <= histogram.edges[-1]]
    step = math.ceil(len(inside) / _MOST_POINTS) or 1
    return inside[:-1:step] + inside[-1:]


def _block_head(page: Page, row: int, column: int, result: ResultFigures, texts: Sequence[str]) -> None:
    page.line(row, f"{result.item.label}, {result.item.unit}", "group", column)
    page.headings(row + 1, texts, column)
