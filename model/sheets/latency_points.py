"""Latency points: what papers print against the curve R = S / (1 - rho^m), and S from points measured by the user.

S and m of the catalogue's arrays are fitted when the workbook is built (`model.reading.latency_fit`) from the rows
called fitted; predicted rows and bounds take no part. A bound ("less than") holds or fails, it never bends the curve.
The curves are drawn up to the highest utilisation in the table, in steps that multiply the latency of m = 1 by the same
factor.
"""

import math

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
from model.reading.records import Data, LatencyPoint
from model.sheets import all_arrays

NAME = "Latency points"
POINTS = 3  # own points of an array
STEPS = 12  # of a drawn curve
CHART_COLUMN = 14
CHART_ROWS = 12
CHART_ROW = (
    FIRST_ROW + max(STEPS, POINTS * len(OWN_ARRAYS)) + 1
)  # the charts stand below the user's points and the figures of the curves
_HEADS = ["Id", "Array", "Load", "Role", "IOPS", "Read share", "Utilisation", "Printed, ms", "Curve, ms",
          "Curve over printed", "Verdict", "Source, and note", None,
          "Own array, number", "Point", "IOPS", "Read share", "Latency, ms", "Write weight", "Capacity, IOPS",
          "Shape m", "Utilisation", "Counted", "ln S", None,
          "Own array", "Points", "Base latency S, ms", None,
          "Utilisation drawn"]  # fmt: skip
_CURVE = ("base_latency_ms", "latency_shape")
_ROOM = 1.25  # above the highest printed latency: the curve leaves the chart at the top
_MARKS = {
    "fitted": ("circle", charts.DARK, 8),
    "predicted": ("diamond", charts.OUTLINE, 9),
    "bound": ("dash", charts.MIDDLE, 12),
}
_ROLES = {"fitted": "fitted", "predicted": "predicted", "bound": "upper bound"}
VERDICTS = {"point": styles.GREEN_FILL, "holds": styles.GREEN_FILL, "fails": styles.AMBER_FILL}


def blocks(data: Data) -> dict[str, Block]:
    """Return where the user's arrays and their base latencies stand."""
    last = FIRST_ROW + len(OWN_ARRAYS) - 1
    names, latency = _HEADS.index(None, _HEADS.index("ln S")) + 2, column("Base latency S, ms")
    return {
        "own_names": Block(NAME, FIRST_ROW, last, names, names),
        "own_latency_ms": Block(NAME, FIRST_ROW, last, latency, latency),
    }


def cell(data: Data, point_id: str, heading: str) -> tuple[str, str]:
    """Return a printed point's cell under a heading."""
    row = FIRST_ROW + [point.id for point in data.points].index(point_id)
    return NAME, f"{get_column_letter(column(heading))}{row}"


def column(heading: str) -> int:
    """Return the column under a heading that stands there once."""
    return _HEADS.index(heading) + 1


def drawn(data: Data) -> list[Array]:
    """Return the arrays of the catalogue that have a curve; the n-th is drawn in the n-th column after the last."""
    return [array for array in data.arrays if "base_latency_ms" in array.values]


def spans(data: Data, array: str) -> dict[str, tuple[int, int]]:
    """Return the first and last row of an array's points by role; those of one role stand together in the data."""
    rows: dict[str, tuple[int, int]] = {}
    for row, point in enumerate(data.points, FIRST_ROW):
        if point.array == array:
            rows[point.role] = rows.get(point.role, (row, row))[0], row
    return rows


def write(ws: Worksheet, context: Context) -> None:
    """Write the printed points, the user's points and the base latency that follows from those."""
    data, layout = context.data, context.layout
    purpose = (
        "R = S / (1 - utilisation^m). Fitted rows make S; predicted rows and bounds take no part. "
        "Right: points entered on Array details, and charts of the curves."
    )
    curves = drawn(data)
    widths = [8, 30, 30, 11, 11, 10, 11, 11, 11, 12, 11, 60, 3,
              12, 8, 11, 10, 11, 10, 12, 9, 11, 9, 11, 3, 22, 8, 12, 3,
              *[16] * (1 + len(curves))]  # fmt: skip
    heads = [*(h or "" for h in _HEADS), *(f"Curve of {array.name}, ms" for array in curves)]
    figures = (*range(5, 12), *range(15, 25), *range(27, len(heads) + 1))
    canvas.head(ws, "Latency points", purpose, heads, widths, "C5", figures)
    for row, point in enumerate(data.points, FIRST_ROW):
        _printed(ws, row, point, data, layout)
    last = FIRST_ROW + len(data.points) - 1
    canvas.colour_words(ws, f"K{FIRST_ROW}:K{last}", VERDICTS)
    for row in range(FIRST_ROW, FIRST_ROW + len(OWN_ARRAYS) * POINTS):
        _measured(ws, row, data, layout)
    for row in range(FIRST_ROW, FIRST_ROW + len(OWN_ARRAYS)):
        _base_latency(ws, row, data, layout)
    _curves(ws, data, layout, last)
    further = f"N1:{get_column_letter(len(heads))}{CHART_ROW + CHART_ROWS - 1}"
    canvas.print_setup(ws, 12, last, further=[further])
    _draw(ws, data)


def _printed(ws: Worksheet, row: int, point: LatencyPoint, data: Data, layout: Layout) -> None:
    """Write a printed latency beside the curve."""
    for at, text in enumerate((point.id, point.array, point.phase, _ROLES[point.role]), 1):
        put(ws, row, at, text, "label")
    typed: tuple[tuple[Typed, str], ...] = (
        (point.iops, "IOPS"),
        (point.read_ratio, "ratio"),
        (point.utilisation, "ratio"),
        (point.latency_ms, "ms"),
    )
    for at, (figure, unit) in enumerate(typed, 5):
        put(ws, row, at, figure.value, typed_role(figure), unit)
    names = layout.blocks["catalogue_names"].address
    latency, shape = (f"SUMIF({names},B{row},{layout.blocks[f'catalogue:{k}'].address})" for k in _CURVE)
    put(ws, row, 9, f"=IF(G{row}<1,{latency}/(1-G{row}^{shape}),0)", "output", "ms")
    put(ws, row, 10, f"=I{row}/H{row}-1", "output")
    ws.cell(row, 10).number_format = "+0.0%;-0.0%;0.0%"
    verdict = f'CHOOSE(1+AND(I{row}>=H{row}),"holds","fails")'
    put(ws, row, 11, f'=IF(D{row}="{_ROLES["bound"]}",{verdict},"point")', "output")
    canvas.centre(ws, row, (11,))
    sources = dict.fromkeys(figure.source for figure, _ in typed)
    put(ws, row, 12, "; ".join((*sources, *filter(None, (point.note,)))), "note")


def _measured(ws: Worksheet, row: int, data: Data, layout: Layout) -> None:
    """Write one point of the user's, its utilisation and the ln S it gives; what is blank does not count."""
    start, points = f"ROW()-ROW(N${HEAD_ROW})-1", f"ROWS(A${FIRST_ROW}:A${FIRST_ROW + POINTS - 1})"
    put(ws, row, 14, f"=1+INT(({start})/{points})", "calculation", "flag")
    put(ws, row, 15, f"=1+MOD({start},{points})", "calculation", "flag")

    def own(key: str, further: str = "") -> str:
        first = layout.blocks[f"arrays:{key}"]
        last = layout.blocks[f"arrays:{further or key}"]
        mine = Block(first.sheet, first.first_row, last.first_row, all_arrays.column(data, 0), last.last_column)
        which = f"1+($O{row}-1)*{points}" if further else "1"
        return f"=SUM(INDEX({mine.address},{which},$N{row}))"

    for at, (figure, unit) in enumerate((("iops", "IOPS"), ("read_ratio", "ratio"), ("ms", "ms")), 16):
        put(ws, row, at, own(f"point_1_{figure}", f"point_{POINTS}_{figure}"), "calculation", unit)
    keys = (("own_write_weight", "ratio"), ("own_flash_iops", "IOPS"), ("latency_shape", "ratio"))
    for at, (key, unit) in enumerate(keys, 19):
        put(ws, row, at, own(key), "calculation", unit)
    load = f"P{row}*(Q{row}+(1-Q{row})*S{row})"
    put(ws, row, 22, f"=IF(T{row}>0,{load}/T{row},1)", "calculation", "ratio")
    put(ws, row, 23, f"=IF(AND(P{row}>0,R{row}>0,V{row}<1),1,0)", "calculation", "flag")
    put(ws, row, 24, f"=IF(W{row}>0,LN(R{row}*(1-V{row}^MAX(1,U{row}))),0)", "calculation", "ratio")


def _base_latency(ws: Worksheet, row: int, data: Data, layout: Layout) -> None:
    """Write the base latency of one of the user's arrays: the mean in logs of what its points give."""
    end = FIRST_ROW + len(OWN_ARRAYS) * POINTS - 1
    names = layout.blocks["array_names"]
    mine = Block(names.sheet, HEAD_ROW, HEAD_ROW, all_arrays.column(data, 0), names.last_column)
    number = f"ROW()-ROW(Z${HEAD_ROW})"
    sums = f"SUMIF($N${FIRST_ROW}:$N${end},{number},"
    put(ws, row, 26, f"=INDEX({mine.address},1,{number})", "calculation")
    put(ws, row, 27, f"={sums}$W${FIRST_ROW}:$W${end})", "calculation", "flag")
    put(ws, row, 28, f"=SIGN(AA{row})*EXP({sums}$X${FIRST_ROW}:$X${end})/MAX(1,AA{row}))", "output", "ms")


def _curves(ws: Worksheet, data: Data, layout: Layout, last: int) -> None:
    """Write the curves that the charts draw: utilisations that all share, and a latency for each array with a curve."""
    at = column("Utilisation drawn")
    letter, rows = get_column_letter(at), range(FIRST_ROW, FIRST_ROW + STEPS)
    step = f"(ROW()-ROW({letter}${HEAD_ROW})-1)/(ROWS(A${FIRST_ROW}:A${rows[-1]})-1)"
    for row in rows:
        put(ws, row, at, f"=1-(1-MAX(G${FIRST_ROW}:G${last}))^({step})", "calculation", "ratio")
        for number, array in enumerate(drawn(data), 1):
            own = get_column_letter(BASE + data.arrays.index(array))
            latency, shape = (f"Arrays!${own}${layout.blocks[f'catalogue:{k}'].first_row}" for k in _CURVE)
            put(ws, row, at + number, f"={latency}/(1-${letter}{row}^{shape})", "calculation", "ms")


def _draw(ws: Worksheet, data: Data) -> None:
    """Put a chart for every array with a curve: the curve, and the printed points by their role."""
    arrays, own = drawn(data), column("Utilisation drawn") + 1
    columns = range(CHART_COLUMN, own + len(arrays))
    total = sum(fit.pixels(ws, get_column_letter(at)) for at in columns)
    edges = [charts.column_at(ws, columns[0], total * number / len(arrays)) for number in range(len(arrays) + 1)]
    rows = CHART_ROW, CHART_ROW + CHART_ROWS
    for number, array in enumerate(arrays):
        charts.pin(ws, _chart(ws, data, array, own + number), (edges[number], edges[number + 1]), rows)


def _chart(ws: Worksheet, data: Data, array: Array, own: int) -> ScatterChart:
    """Draw an array's latency curve over utilisation, with the fitted and predicted points and the bounds."""
    printed = [float(point.latency_ms.value or 0) for point in data.points if point.array == array.name]
    chart = charts.curves(f"{array.name}: latency over utilisation", "Utilisation", "Mean latency, ms", ("0%", "0.0"))
    chart.y_axis.scaling.max = math.ceil(max(printed) * _ROOM)
    chart.x_axis.scaling.max = 1
    rows = FIRST_ROW, FIRST_ROW + STEPS - 1
    curve = charts.scatter(ws, (own, column("Utilisation drawn")), rows, (HEAD_ROW, own))
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


TAB = Tab(NAME, "table", "calculation", "Printed latencies against the curve, and your own points", write, blocks)
