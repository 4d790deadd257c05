"""Charts as they stand in the saved file, and what screen and paper need: scales, heights, formats."""

import io
import itertools
import re
import zipfile
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.cell.cell import Cell

from addin.kernel import Address, Cells, Evaluator
from model.layout import canvas, fit, styles
from model.sheets.front import answer
from model.sheets.proof import summary
from model.workbook import Built

_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
SUMMARY_CHARTS = 3
_LABELLED = (answer.TITLE, "Arrays or nodes, first and last year", "Present cost")  # categories tell themselves
_XDR = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"
_TITLES = {
    "The busiest day measured, half an hour each",
    answer.TITLE,
    "Paid in the year",
    "Arrays or nodes, first and last year",
    "Present cost",
    "Arrays owned, and arrays needed",
    "Base design: IOPS demanded and served, by phase",
    "Base design: arrays each constraint needs",
    "All designs: capacity in GiB, after data reduction",
    "Logins of the design drawn: IOPS, mean of every step",
    "Logins of the design drawn: desktops",
    "Logins of the design drawn: latency",
}


@pytest.fixture(scope="module")
def saved(built: Built) -> bytes:
    stream = io.BytesIO()
    built.workbook.save(stream)
    return stream.getvalue()


@pytest.fixture(scope="module")
def charts(saved: bytes) -> list[ElementTree.Element]:
    package = zipfile.ZipFile(io.BytesIO(saved))
    return [ElementTree.fromstring(package.read(n)) for n in package.namelist() if n.startswith("xl/charts/chart")]


def _flags(element: ElementTree.Element, tag: str) -> list[str | None]:
    return [flag.get("val") for flag in element.iter(_C + tag)]


def _words(element: ElementTree.Element | None) -> str:
    return "" if element is None else "".join(run.text or "" for run in element.iter(_A + "t"))


def _axes(chart: ElementTree.Element) -> Iterator[ElementTree.Element]:
    for tag in ("catAx", "valAx"):
        yield from chart.iter(_C + tag)


def test_charts_have_titles_that_stand_beside_the_plot(built: Built, charts: list[ElementTree.Element]) -> None:
    curves = {f"{a.name}: latency over utilisation" for a in built.data.arrays if "base_latency_ms" in a.values}
    titles = [_words(chart.find(f"{_C}chart/{_C}title")) for chart in charts]
    assert sorted(titles) == sorted(_TITLES | curves)
    assert {
        "NetApp AFF8040: latency over utilisation",
        "Kaminario K2 (one K-Block): latency over utilisation",
    } <= curves
    for chart in charts:
        assert set(_flags(chart, "overlay")) == {"0"}


def test_every_axis_is_shown_named_and_starts_at_zero(charts: list[ElementTree.Element]) -> None:
    for chart in charts:
        axes = list(_axes(chart))
        assert len(axes) >= 2
        for axis in axes:
            assert _flags(axis, "delete") == ["0"]
            labelled = axis.tag == _C + "catAx" and _words(chart.find(f"{_C}chart/{_C}title")) in _LABELLED
            assert labelled or _words(axis.find(_C + "title"))
        assert {*itertools.chain(*(_flags(axis, "min") for axis in axes if axis.tag == _C + "valAx"))} == {"0"}


def test_only_latency_curves_are_smoothed_and_no_corners_rounded(charts: list[ElementTree.Element]) -> None:
    for chart in charts:
        plots = [plot for tag in ("lineChart", "scatterChart") for plot in chart.iter(_C + tag)]
        lines = [series for plot in plots for series in plot.iter(_C + "ser")]
        curves = 1 if _words(chart.find(f"{_C}chart/{_C}title")).endswith("latency over utilisation") else 0
        assert all(_flags(series, "smooth") == ["1"] for series in lines[:curves])
        assert all(_flags(series, "smooth") == ["0"] for series in lines[curves:])
        assert _flags(chart, "roundedCorners") == ["0"]


def test_every_label_switch_is_set_by_name(charts: list[ElementTree.Element]) -> None:
    switches = {"showLegendKey", "showVal", "showCatName", "showSerName", "showPercent", "showBubbleSize"}
    for chart in charts:
        labels = list(chart.iter(_C + "dLbls"))
        assert labels
        for label in labels:
            assert switches <= {child.tag.removeprefix(_C) for child in label}


def test_bars_set_gap_and_overlap(charts: list[ElementTree.Element]) -> None:
    for chart in charts:
        for bars in chart.iter(_C + "barChart"):
            assert _flags(bars, "gapWidth")
            assert _flags(bars, "overlap")


def test_charts_read_cells_that_are_filled(charts: list[ElementTree.Element], built: Built) -> None:
    areas = [reference.text or "" for chart in charts for reference in chart.iter(_C + "f")]
    assert areas
    for area in areas:
        name, _, cells = area.replace("$", "").replace("'", "").partition("!")
        assert name in ("Compare", "Cost review", "Summary", "Timeline", "All arrays", "Measured")
        block = built.workbook[name][cells]
        rows = block if isinstance(block, tuple) else ((block,),)
        empty = [cell for row in rows for cell in row if cell.value is None]
        assert all(name == "Measured" and not cell.protection.locked for cell in empty), area  # for people to fill


def _curve_charts(charts: list[ElementTree.Element]) -> dict[str, list[tuple[str, str, str]]]:
    """Return of every chart of a latency curve the areas of name, x and y of its series."""
    curves = {}
    for chart in charts:
        title, _, kind = _words(chart.find(f"{_C}chart/{_C}title")).partition(": ")
        if kind == "latency over utilisation":
            every = [[f.text or "" for f in series.iter(_C + "f")] for series in chart.iter(_C + "ser")]
            curves[title] = [(name, x, y) for name, x, y in every]
    return curves


def _cells(built: Built, area: str) -> list[Cell]:
    """Return the cells of one column on All arrays."""
    first, _, last = area.partition("!")[2].partition(":")
    return [cell for (cell,) in built.workbook["All arrays"][f"{first}:{last or first}"]]


def test_every_printed_latency_is_a_mark_beside_the_curve_of_its_array(
    charts: list[ElementTree.Element], built: Built
) -> None:
    marks: dict[str, set[tuple[object, ...]]] = {}
    for array, (_, *series) in _curve_charts(charts).items():
        for areas in series:
            (role,), xs, ys = ([cell.value for cell in _cells(built, area)] for area in areas)
            marks[array] = marks.get(array, set()) | {(role, x, y) for x, y in zip(xs, ys, strict=True)}
    printed: dict[str, set[tuple[object, ...]]] = {}
    for point in built.data.points:
        role = {"bound": "upper bound"}.get(point.role, point.role)
        printed.setdefault(point.array, set()).add((role, point.utilisation.value, point.latency_ms.value))
    assert marks == printed


def test_latency_curves_follow_the_figures_of_their_array(charts: list[ElementTree.Element], built: Built) -> None:
    evaluator = Evaluator(Cells.from_openpyxl(built.workbook))
    highest = max(float(point.utilisation.value or 0) for point in built.data.points)
    for array in built.data.arrays:
        if "base_latency_ms" not in array.values:
            assert array.name not in _curve_charts(charts)
            continue
        _, *areas = _curve_charts(charts)[array.name][0]
        cells = [[f"'All arrays'!{cell.coordinate}" for cell in _cells(built, area)] for area in areas]
        x, y = ([evaluator.value(Address.from_a1(a1)) for a1 in column] for column in cells)
        base, shape = (float(array.values[key].value or 0) for key in ("base_latency_ms", "latency_shape"))
        assert [x[0], x[-1]] == pytest.approx([0, highest])
        assert y == pytest.approx([base / (1 - float(str(rho)) ** shape) for rho in x])


def test_no_chart_covers_a_filled_cell_or_another_chart(built: Built) -> None:
    for sheet in built.workbook.worksheets:
        taken: set[tuple[int, int]] = set()
        for chart in sheet._charts:
            start, end = chart.anchor._from, chart.anchor.to
            rows = range(start.row + 1, end.row + 1 + (end.rowOff > 0))
            under = {(row, column) for row in rows for column in range(start.col + 1, end.col + 2)}
            assert [at for at in under if sheet.cell(*at).value is not None] == [], sheet.title
            inside = {at for at in under if at[1] not in (start.col + 1, end.col + 1)}  # neighbours share a column
            assert not inside & taken, sheet.title
            taken |= inside


@pytest.mark.slow
def test_charts_stand_in_the_rows_kept_for_them(saved: bytes) -> None:
    package = zipfile.ZipFile(io.BytesIO(saved))
    drawings = [
        ElementTree.fromstring(package.read(n)) for n in package.namelist() if n.startswith("xl/drawings/drawing")
    ]
    starts_left = [d for d in drawings if {int(c.text or 0) for c in d.iter(_XDR + "col")} & {0}]
    drawing = next(d for d in starts_left if len(d) == SUMMARY_CHARTS)  # Cost review has two
    rows = [int(anchor_row.text or 0) + 1 for anchor_row in drawing.iter(_XDR + "row")]
    assert min(rows) == summary.CHART_ROW
    assert max(rows) <= summary.CHART_ROW + summary.CHART_ROWS
    sheet = load_workbook(io.BytesIO(saved))["Summary"]
    kept = range(summary.CHART_ROW, summary.CHART_ROW + summary.CHART_ROWS)
    assert all(sheet.cell(row, column).value is None for row in kept for column in range(1, 12))


def test_answer_table_and_charts_print_on_one_page(built: Built) -> None:
    sheet = built.workbook["Summary"]
    last = summary.CHART_ROW + summary.CHART_ROWS - 1
    points = sum(sheet.row_dimensions[row].height or 15 for row in range(1, last + 1))
    page_points = (8.27 - sheet.page_margins.top - sheet.page_margins.bottom) * 72
    assert points * canvas.print_scale(sheet) < page_points


def test_every_sheet_prints_at_a_readable_scale(built: Built) -> None:
    scales = {sheet.title: canvas.print_scale(sheet) for sheet in built.workbook.worksheets}
    assert {title: scale for title, scale in scales.items() if scale < 0.6} == {}


def test_no_number_format_ends_in_a_bare_decimal_point() -> None:
    formats = [*styles.FORMATS.values(), *styles.UNROUNDED.values(), *map(styles.typed_format, (3, 0.05, 1234.5, 1e-6))]
    assert [form for form in formats if re.search(r"\.(#|;|$)", form)] == []


@pytest.mark.parametrize(
    ("value", "form"), [(3, "#,##0"), (0.05, "#,##0.00"), (1234.5, "#,##0.0"), ("15-20", "General"), (None, "General")]
)
def test_a_typed_figure_keeps_its_own_digits(value: object, form: str) -> None:
    assert styles.typed_format(value) == form


@pytest.mark.parametrize(
    ("text", "em", "count"),
    [("", 10, 1), ("boot", 10, 1), ("boot login steady", 5, 2), ("a_word_without_any_space_in_it", 5, 3)],
)
def test_wrapped_texts_are_counted_in_lines(text: str, em: float, count: int) -> None:
    assert fit.lines(text, em) == count


def test_a_row_grows_with_its_longest_text_and_never_shrinks() -> None:
    sheet = Workbook().worksheets[0]
    style = next(style for style in styles.named_styles() if style.name == "VDI label")
    sheet.parent.add_named_style(style)
    for row, text in ((5, "short"), (6, "a long text that wraps " * 5)):
        sheet.cell(row, 1).value = text
        sheet.cell(row, 1).style = "VDI label"
    fit.reserve(sheet, 7, 4)
    fit.rows(sheet, 7)
    heights = [sheet.row_dimensions[row].height for row in (5, 6, 7)]
    assert heights[0] == 16
    assert heights[1] > 60
    assert heights[2] == 55
