"""Latency points, below all arrays: what papers print against the curve R = S / (1 - rho^m), and S from own points.

S and m of the catalogue's arrays are fitted when the workbook is built (`model.reading.latency_fit`) from the rows
called fitted; predicted rows and bounds take no part. A bound ("less than") holds or fails, it never bends the curve.
The curves are drawn up to the highest utilisation in the table, in steps that multiply the latency of m = 1 by the same
factor.
"""

import math
from dataclasses import dataclass

from openpyxl.chart import ScatterChart
from openpyxl.chart.marker import Marker
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.drawing.line import LineProperties
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, charts, fit, styles
from model.layout.canvas import put, typed_role
from model.layout.grid import BASE, FIRST_ROW, HEAD_ROW, OWN_ARRAYS, Block, Layout
from model.layout.tab import Context, Tab
from model.reading.catalogue import Array
from model.reading.columns import Typed
from model.reading.proof import LatencyPoint
from model.reading.records import Data
from model.sheets.catalogue import all_arrays
from model.sheets.catalogue.all_arrays import NAME

POINTS = 3  # own points of an array
_FIGURES_OF_A_POINT = {"iops": "IOPS", "read_ratio": "ratio", "ms": "ms"}  # rows that follow each other, by point
_ENDS_OF_POINTS = f"point_1_{next(iter(_FIGURES_OF_A_POINT))}", f"point_{POINTS}_{[*_FIGURES_OF_A_POINT][-1]}"
STEPS = 12  # of a drawn curve
CHART_ROWS = 12
_PRINTED = ("Array", "Id", "Source, and note", "Role", "IOPS", "Read share", "Utilisation", "Printed, ms", "Curve, ms",
            "Curve over printed", "Verdict", "Load")  # fmt: skip
_OWN = ("", "", "", "Own array, number", "Point", "IOPS", "Read share", "Latency, ms", "Write weight",
        "Capacity, IOPS", "Shape m", "Utilisation", "Counted", "ln S")  # fmt: skip
_BASE = ("Own array", "", "", "Points", "Base latency S, ms")
_DRAWN = ("", "", "", "Utilisation drawn")
_TITLES = (
    "Printed latencies against the curve R = S / (1 - utilisation^m): fitted rows make S; predicted rows and bounds "
    "take no part",
    "Points measured by you, as entered on My arrays; counted below 0: a figure of the point is missing, so no latency "
    "is known",
    "The base latency that follows from them",
    "Latency of the curves, ms",
)
_CURVE = ("base_latency_ms", "latency_shape")
_ROOM = 1.25  # above the highest printed latency: the curve leaves the chart at the top
_MARKS = {
    "fitted": ("circle", charts.DARK, 8),
    "predicted": ("diamond", charts.OUTLINE, 9),
    "bound": ("dash", charts.MIDDLE, 12),
}
_ROLES = {"fitted": "fitted", "predicted": "predicted", "bound": "upper bound"}
VERDICTS = {"point": styles.GREEN_FILL, "holds": styles.GREEN_FILL, "fails": styles.AMBER_FILL}


@dataclass(frozen=True)
class _Rows:
    """The first rows of the tables, each below a blank row, a title and its headings; the charts stand last."""

    printed: int
    own: int
    base: int
    drawn: int
    charts: int


def _rows(data: Data) -> _Rows:
    printed = all_arrays.end(data) + 3
    own = printed + len(data.points) + 3
    base = own + POINTS * len(OWN_ARRAYS) + 3
    curves = base + len(OWN_ARRAYS) + 3
    return _Rows(printed, own, base, curves, curves + STEPS + 1)


def _blocks(data: Data) -> dict[str, Block]:
    """Return where everything about all arrays stands, the user's and their base latencies apart."""
    first = _rows(data).base
    last, latency = first + len(OWN_ARRAYS) - 1, _BASE.index("Base latency S, ms") + 1
    return {
        **all_arrays.blocks(data),
        "own_names": Block(NAME, first, last, 1, 1),
        "own_latency_ms": Block(NAME, first, last, latency, latency),
    }


def cell(data: Data, point_id: str, heading: str) -> tuple[str, str]:
    """Return a printed point's cell under a heading."""
    row = _rows(data).printed + [point.id for point in data.points].index(point_id)
    return NAME, f"{get_column_letter(column(heading))}{row}"


def column(heading: str) -> int:
    """Return the column under a heading of the printed points."""
    return _PRINTED.index(heading) + 1


def drawn(data: Data) -> list[Array]:
    """Return the arrays of the catalogue that have a curve; the n-th is drawn in the n-th column after the last."""
    return [array for array in data.arrays if "base_latency_ms" in array.values]


def spans(data: Data, array: str) -> dict[str, tuple[int, int]]:
    """Return the first and last row of an array's points by role; those of one role stand together in the data."""
    rows: dict[str, tuple[int, int]] = {}
    for row, point in enumerate(data.points, _rows(data).printed):
        if point.array == array:
            rows[point.role] = rows.get(point.role, (row, row))[0], row
    return rows


def _write(ws: Worksheet, context: Context) -> None:
    """Write all arrays, the printed points, the user's points, the base latency of those, and the curves."""
    data, layout = context.data, context.layout
    all_arrays.write(ws, context)
    rows, curves = _rows(data), tuple(array.name for array in drawn(data))
    heads = (_PRINTED, _OWN, _BASE, (*_DRAWN, *curves))
    tops = (rows.printed, rows.own, rows.base, rows.drawn)
    for first, title, texts in zip(tops, _TITLES, heads, strict=True):
        canvas.table_head(ws, first - 1, title, texts, range(BASE, len(texts) + 1))
    for row, point in enumerate(data.points, rows.printed):
        _printed(ws, row, point, data, layout)
    last = rows.printed + len(data.points) - 1
    canvas.colour_words(ws, f"K{rows.printed}:K{last}", VERDICTS)
    for row in range(rows.own, rows.own + len(OWN_ARRAYS) * POINTS):
        _measured(ws, row, data, layout)
    for row in range(rows.base, rows.base + len(OWN_ARRAYS)):
        _base_latency(ws, row, data, layout)
    _curves(ws, data, layout)
    canvas.print_setup(ws, all_arrays.last_column(data), rows.charts + CHART_ROWS - 1, titles="A:B")
    _draw(ws, data)


def _printed(ws: Worksheet, row: int, point: LatencyPoint, data: Data, layout: Layout) -> None:
    """Write a printed latency beside the curve."""
    for at, text in ((1, point.array), (2, point.id), (4, _ROLES[point.role]), (12, point.phase)):
        put(ws, row, at, text, "label")
    typed: tuple[tuple[Typed, str], ...] = (
        (point.iops, "IOPS"),
        (point.read_ratio, "ratio"),
        (point.utilisation, "ratio"),
        (point.latency_ms, "ms"),
    )
    for at, (figure, unit) in enumerate(typed, 5):
        put(ws, row, at, figure.value, typed_role(figure), unit)
    latency, shape = _curve_of(f"A{row}", layout)
    put(ws, row, 9, f"=IF(G{row}<1,{latency}/(1-G{row}^{shape}),0)", "output", "ms")
    put(ws, row, 10, f"=I{row}/H{row}-1", "output")
    ws.cell(row, 10).number_format = "+0.0%;-0.0%;0.0%"
    verdict = f'CHOOSE(1+AND(I{row}>=H{row}),"holds","fails")'
    put(ws, row, 11, f'=IF(D{row}="{_ROLES["bound"]}",{verdict},"point")', "output")
    canvas.centre(ws, row, (11,))
    sources = dict.fromkeys(figure.source for figure, _ in typed)
    put(ws, row, 3, "; ".join((*sources, *filter(None, (point.note,)))), "note")


def _curve_of(name: str, layout: Layout) -> tuple[str, str]:
    """Return the base latency and the shape of the array named in a cell; 0 where the catalogue has none."""
    names = layout.blocks["catalogue_names"].address
    latency, shape = (f"SUMIF({names},{name},{layout.blocks[f'catalogue:{key}'].address})" for key in _CURVE)
    return latency, shape


def _measured(ws: Worksheet, row: int, data: Data, layout: Layout) -> None:
    """Write one point of the user's, its utilisation and the ln S it gives.

    A blank point does not count. One without all of its figures takes the points of its array below 0: no latency then.
    """
    head = _rows(data).own - 1
    start, points = f"ROW()-ROW(D${head})-1", f"ROWS(A${FIRST_ROW}:A${FIRST_ROW + POINTS - 1})"
    put(ws, row, 4, f"=1+INT(({start})/{points})", "calculation", "flag")
    put(ws, row, 5, f"=1+MOD({start},{points})", "calculation", "flag")

    def own(first_key: str, last_key: str, which: str) -> str:
        first, last = (layout.blocks[f"arrays:{each}"].first_row for each in (first_key, last_key))
        return f"INDEX({_mine(data, first, last)},{which},$D{row})"

    for at, unit in enumerate(_FIGURES_OF_A_POINT.values(), 6):
        here = f"COLUMNS($F$4:{get_column_letter(at)}$4)+($E{row}-1)*COLUMNS($F$4:$H$4)"
        put(ws, row, at, f"={own(*_ENDS_OF_POINTS, here)}", "calculation", unit)
    keys = (("own_write_weight", "ratio"), ("own_flash_iops", "IOPS"), ("latency_shape", "ratio"))
    for at, (key, unit) in enumerate(keys, 9):
        put(ws, row, at, f"=SUM({own(key, key, '1')})", "calculation", unit)
    load = f"F{row}*(G{row}+(1-G{row})*I{row})"
    figures, whole = f"COUNT(F{row}:H{row})", f"COUNT(F{row}:H{row})=COLUMNS(F{row}:H{row})"
    put(ws, row, 12, f"=IF(AND(J{row}>0,{whole}),{load}/J{row},1)", "calculation", "ratio")
    counted = f"SIGN(MAX(0,MIN(F{row},H{row},1-L{row})))"
    put(ws, row, 13, f"=IF({whole},{counted},-SIGN({figures})*{points})", "calculation", "flag")
    put(ws, row, 14, f"=IF(M{row}>0,LN(H{row}*(1-L{row}^MAX(1,K{row}))),0)", "calculation", "ratio")


def _mine(data: Data, first: int, last: int) -> str:
    """Return rows of the user's arrays above."""
    left, right = (get_column_letter(at) for at in (all_arrays.column(data, 0), all_arrays.last_column(data)))
    return f"${left}${first}:${right}${last}"


def _base_latency(ws: Worksheet, row: int, data: Data, layout: Layout) -> None:
    """Write the base latency of one of the user's arrays: the mean in logs of what its points give."""
    rows = _rows(data)
    first, last = rows.own, rows.own + len(OWN_ARRAYS) * POINTS - 1
    number = f"ROW()-ROW(A${rows.base - 1})"
    sums = f"SUMIF($D${first}:$D${last},{number},"
    put(ws, row, 1, f"=INDEX({_mine(data, HEAD_ROW, HEAD_ROW)},1,{number})", "calculation")
    put(ws, row, 4, f"={sums}$M${first}:$M${last})", "calculation", "flag")
    put(ws, row, 5, f"=SIGN(MAX(0,D{row}))*EXP({sums}$N${first}:$N${last})/MAX(1,D{row}))", "output", "ms")


def _curves(ws: Worksheet, data: Data, layout: Layout) -> None:
    """Write the curves that the charts draw: utilisations that all share, and a latency for each array with a curve."""
    first, printed = _rows(data).drawn, _rows(data).printed
    step = f"(ROW()-ROW(D${first - 1})-1)/(ROWS(A${first}:A${first + STEPS - 1})-1)"
    for row in range(first, first + STEPS):
        highest = f"MAX(G${printed}:G${printed + len(data.points) - 1})"
        put(ws, row, BASE, f"=1-(1-{highest})^({step})", "calculation", "ratio")
        for column in range(BASE + 1, BASE + 1 + len(drawn(data))):
            latency, shape = _curve_of(f"{get_column_letter(column)}${first - 1}", layout)
            put(ws, row, column, f"={latency}/(1-$D{row}^{shape})", "calculation", "ms")


def _draw(ws: Worksheet, data: Data) -> None:
    """Put a chart for every array with a curve: the curve, and the printed points by their role."""
    arrays, top = drawn(data), _rows(data).charts
    columns = range(BASE, all_arrays.last_column(data) + 1)
    total = sum(fit.pixels(ws, get_column_letter(at)) for at in columns)
    edges = [charts.column_at(ws, columns[0], total * number / len(arrays)) for number in range(len(arrays) + 1)]
    for number, array in enumerate(arrays):
        chart = _chart(ws, data, array, BASE + 1 + number)
        charts.pin(ws, chart, (edges[number], edges[number + 1]), (top, top + CHART_ROWS))


def _chart(ws: Worksheet, data: Data, array: Array, own: int) -> ScatterChart:
    """Draw an array's latency curve over utilisation, with the fitted and predicted points and the bounds."""
    printed = [float(point.latency_ms.value or 0) for point in data.points if point.array == array.name]
    chart = charts.curves(f"{array.name}: latency over utilisation", "Utilisation", "Mean latency, ms", ("0%", "0.0"))
    chart.y_axis.scaling.max = math.ceil(max(printed) * _ROOM)
    chart.x_axis.scaling.max = 1
    first = _rows(data).drawn
    curve = charts.scatter(ws, (own, BASE), (first, first + STEPS - 1), (first - 1, own))
    curve.marker, curve.smooth = Marker(symbol="none"), True
    curve.graphicalProperties = GraphicalProperties(ln=LineProperties(solidFill=charts.DARK, w=22225))
    chart.series.append(curve)
    columns = column("Printed, ms"), column("Utilisation")
    for role, rows in spans(data, array.name).items():
        symbol, colour, size = _MARKS[role]
        points = charts.scatter(ws, columns, rows, (rows[0], column("Role")))
        fills = GraphicalProperties(solidFill=colour, ln=LineProperties(solidFill=colour))
        points.marker = Marker(symbol=symbol, size=size, spPr=fills)
        points.graphicalProperties = GraphicalProperties(ln=LineProperties(noFill=True))
        chart.series.append(points)
    return chart


TAB = Tab(NAME, "table", "catalogue", "The papers' arrays and your own, as looked up; latency", _write, _blocks)
