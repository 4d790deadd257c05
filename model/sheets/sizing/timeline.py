"""Timeline: the logins of one design step by step, in closed form: the area under the curve is exactly the work.

Which design is drawn is typed once, on Inputs. Every step shows means over the step, taken from integrals: desktops at
work are the arrivals up to a busy period ago, desktops that have not come yet are the arrivals still to come (the same
integral seen from the end of the window), and those logging in are the rest. In the last step everybody is at work.
The normal curve is cut off at both ends of the window and made 1 again. The peak and its minute come from the design's
own figures in closed form and equal those of Demand; the largest mean over a step is lower and stands beside them.
Neither shows the peaks that an array prints second by second.

Where clock times are typed the boot is drawn too: its plateau from its start to its end, and what both ask.
"""

import re

from openpyxl.chart.marker import Marker
from openpyxl.chart.shapes import GraphicalProperties
from openpyxl.drawing.line import LineProperties
from openpyxl.styles import Alignment
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, charts
from model.layout.canvas import put
from model.layout.grid import BASE, FIRST_ROW, HEAD_ROW, Layout, quoted
from model.layout.tab import Context, Tab
from model.sheets.catalogue.units import STEPS

NAME = "Timeline"
LAST_ROW = FIRST_ROW + STEPS
_S, _TAIL = "{unit:arrival_sigmas}", "{unit:normal_tail}"
# share that has come by a minute: the arrivals' distribution at that point of the window
_SHARE = "=IF([normal]>0,(_xlfn.NORM.DIST({at}*[speed]-[sigmas],0,1,1)-[tail])/{unit:normal_inside},{at}/[window])"
_BY_LABEL = {sheet: f"={sheet} by label" for sheet in ("Demand", "Performance")}  # the line labelled as the card
# key, what and unit, formula, number format. [x] is a card, <x> a line of the design drawn
_PARAMETERS = (
    ("found", "Column of the design drawn", "=IFERROR(MATCH({base:timeline_case},{case_headings},0),\"none\")", "0"),
    ("name", "Design drawn (chosen on Inputs)", "=INDEX({case_headings},1,MAX(1,SUM([found])))", "General"),
    ("desktops", "Desktops active together", _BY_LABEL["Demand"], "#,##0.0"),
    ("window", "Minutes in which users arrive", _BY_LABEL["Demand"], "#,##0.0"),
    ("period", "Busy period of a login", _BY_LABEL["Demand"], "#,##0.00"),
    ("normal", "Arrivals follow a normal curve", _BY_LABEL["Demand"], "0"),
    ("busy_iops", "IOPS of a desktop logging in", "=IF([desktops]>0,<login_busy_iops>/[desktops],0)", "#,##0.00"),
    ("work_iops", "IOPS of a desktop at work", "=IF([desktops]>0,<working_iops>/[desktops],0)", "#,##0.00"),
    ("load", "Utilisation by one IOPS while users log in", "=<login_load>", "0.0E+00"),
    ("base_latency", "Base latency S", _BY_LABEL["Performance"], "0.00"),
    ("shape", "Shape m of the curve", _BY_LABEL["Performance"], "0.0"),
    ("cap", "Highest utilisation with a latency", "=<rho_cap_ratio>", "0%"),
    ("capped", "Latency there and beyond, ms", "=IF([cap]<1,[base_latency]/(1-[cap]^[shape]),0)", "0.00"),
    ("step", "Step, min", "=([window]+[period])/({unit:timeline_steps}-1)", "0.000"),
    ("speed", "Standard deviations of arrivals per minute", f"=({_S}+{_S})/[window]", "0.0000"),
    ("bell", "Scale of a normal integral, desktop min", "=[desktops]/[speed]/{unit:normal_inside}", "#,##0.0"),
    ("even", "Scale of an even integral, desktop min", f"=[desktops]*AVERAGE(0,[window])/SUMSQ({_S}+{_S})", "#,##0.0"),
    ("sigmas", "Half the window in standard deviations", f"={_S}", "0"),
    ("tail", "Share cut off at either end", f"={_TAIL}", "0.00000"),
    ("edge", "Height of the curve where it is cut off", "=_xlfn.NORM.DIST([sigmas],0,1,0)", "0.00000"),
    ("turn", "Where normal arrivals stop raising it, minute", "=IF([busy_iops]>[work_iops],"
        "AVERAGE([window],[period])-LN(1-[work_iops]/[busy_iops])/([speed]*[speed]*[period]),0)", "0.00"),
    ("peak_minute", "Where the load is highest, minute", "=IF([busy_iops]>[work_iops],"
        "MIN([window],MAX([period],[turn],[window]*(1-[normal]))),[window]+[period])", "0.00"),
    ("peak_begun", "A busy period before the peak, minute", "=MAX(0,[peak_minute]-[period])", "0.00"),
    ("peak_arrived", "Share arrived by the peak", _SHARE.replace("{at}", "MIN([window],[peak_minute])"), "0.0%"),
    ("peak_working", "Share at work by the peak", _SHARE.replace("{at}", "[peak_begun]"), "0.0%"),
    ("clock", "Logins start at", '=IF(<clock_min>>=0,<logins_at>,"not entered")', "hh:mm"),
    ("lead", "Boot starts before them, min", "=MAX(0,<clock_min>)", "0.0"),
    ("boot_iops", "IOPS of the boot (0 = no clock times)", "=IF(<clock_min>>=0,MAX(0,<boot_asked_iops>),0)", "#,##0"),
    ("boot_until", "End of the boot after the logins begin", _BY_LABEL["Demand"], "0.0"),
)  # fmt: skip
_INTEGRAL = (
    "=IF([normal]>0,[bell]*({at}#*(_xlfn.NORM.DIST({at}#,0,1,1)-[tail])+_xlfn.NORM.DIST({at}#,0,1,0)-[edge]),"
    "[even]*SUMSQ({at}#+[sigmas]))"
)
# key, heading, formula, number format. # is the row, ~ the row above, $key the column
_SERIES = (
    ("minute", "Minute", "=(ROW()-ROW(C$4)-1)*[step]", "0.0"),
    ("clock", "Clock", '=IF(ISNUMBER([clock]),MOD([clock]+C#/{unit:minutes_per_day},1),"-")', "hh:mm"),
    ("ahead", "Place before the end, standard deviations", "=MEDIAN(-[sigmas],[sigmas],[sigmas]-C#*[speed])", "0.00"),
    ("behind", "Place a busy period ago", "=MEDIAN(-[sigmas],[sigmas],(C#-[period])*[speed]-[sigmas])", "0.00"),
    ("to_come", "Arrivals to come, desktop minutes", _INTEGRAL.replace("{at}", "E"), "#,##0"),
    ("worked", "Work so far, desktop minutes", _INTEGRAL.replace("{at}", "F"), "#,##0"),
    ("working", "At work, desktops",
        "=SIGN(C#)*MAX(0,(H#-SUM(H~)+[desktops]*MAX(0,C#-[window]-[period]))/[step])", "#,##0.0"),
    ("logging_in", "Logging in, desktops", "=SIGN(C#)*MAX(0,[desktops]-(SUM(G~)-G#)/[step]-I#)", "#,##0.0"),
    ("iops", "IOPS", "=[busy_iops]*J#+[work_iops]*I#", "#,##0"),
    ("utilisation", "Utilisation", "=[load]*K#", "0.0%"),
    ("latency", "Latency, ms", "=IF(L#<[cap],[base_latency]/(1-L#^[shape]),[capped])", "0.00"),
    ("drawn", "Minute from the boot or the logins", "=C#+[lead]", "0.0"),
    ("with_boot", "IOPS with the boot", "=K#+[boot_iops]*MEDIAN(0,1,([boot_until]-C#)/[step]+1)", "#,##0"),
    ("boot_minute", "Minute of the boot",
        "=SIGN([boot_iops])*([lead]+[boot_until])*(ROW()-ROW(C$4)-1)/{unit:timeline_steps}", "0.0"),
    ("boot", "Boot, IOPS",
        "=IF(OR(C#=0,ROW()-ROW(C$4)-1={unit:timeline_steps}),0,[boot_iops])", "#,##0"),
)  # fmt: skip
FIRST_SERIES = 3
_COLUMNS = {key: get_column_letter(FIRST_SERIES + n) for n, (key, *_) in enumerate(_SERIES)}
_RESULTS_COLUMN = FIRST_SERIES + len(_SERIES) + 1
# key, what and unit, formula, number format. @x is a column of the series
_RESULTS = (
    ("peak_iops", "Peak, IOPS", "=[desktops]*"
        "([busy_iops]*([peak_arrived]-[peak_working])+[work_iops]*[peak_working])", "#,##0"),
    ("peak_at", "Minute of the peak", "=[peak_minute]", "0.00"),
    ("storms_peak", "Peak on Demand and Summary, IOPS", "=<login_peak_iops>", "#,##0"),
    ("peak_ratio", "Peak over that of Demand", "=IF([storms_peak]>0,[peak_iops]/[storms_peak],1)", "0.0000000000"),
    ("step_iops", "Largest mean over a step, IOPS", "=MAX(@iops)", "#,##0"),
    ("step_minute", "End of that step, minute", "=INDEX(@minute,MATCH([step_iops],@iops,0))", "0.0"),
    ("step_ratio", "Largest mean over the peak", "=IF([peak_iops]>0,[step_iops]/[peak_iops],1)", "0.0000"),
    ("peak_utilisation", "Highest mean utilisation of a step", "=MAX(@utilisation)", "0.0%"),
    ("peak_latency", "Highest latency of a step (0 = none), ms", "=MAX(@latency)", "0.00"),
    ("overload_minutes", "Overload: minutes at 100 % or more", "=COUNTIF(@utilisation,\">=1\")*[step]", "0.0"),
    ("step_with_boot", "Largest mean over a step with the boot, IOPS", "=MAX(@with_boot)", "#,##0"),
    ("area", "Area under the curve, I/O", "=SUM(@iops)*[step]*{unit:seconds_per_minute}", "#,##0"),
    ("work", "Work of logins and desktops, I/O",
        "=[desktops]*([busy_iops]*[period]+[work_iops]*(AVERAGE(0,[window])+[step]))"
        "*{unit:seconds_per_minute}", "#,##0"),
    ("area_ratio", "Area over work", "=IF([work]>0,[area]/[work],1)", "0.000000"),
)  # fmt: skip
CHART_COLUMN = _RESULTS_COLUMN + 2
CHART_COLUMNS = 6
_CHART_ROWS = 20
_LOOKS = ((charts.LIGHT, "solid"), (charts.DARK, "solid"), (charts.MIDDLE, "dash"))


def card(key: str) -> tuple[str, str]:
    """Return the cell of a parameter or a result of the timeline."""
    for column, cards in ((1, _PARAMETERS), (_RESULTS_COLUMN, _RESULTS)):
        for n, (name, *_) in enumerate(cards):
            if name == key:
                return NAME, f"{get_column_letter(column)}{FIRST_ROW + 2 * n + 1}"
    raise KeyError(key)


def series(key: str) -> int:
    """Return the column of a series."""
    return FIRST_SERIES + [name for name, *_ in _SERIES].index(key)


def write(ws: Worksheet, context: Context) -> None:
    """Write the figures of the design drawn on the left, a row per step beside them, and what comes out of it."""
    layout = context.layout
    headings = ["Design drawn", "", *(heading for _, heading, *_ in _SERIES), "", "What comes out"]
    widths = [38, 3, *[12] * len(_SERIES), 3, 38, 3, *[15] * CHART_COLUMNS]
    purpose = (
        f"Logins of the design chosen on Inputs: means over {STEPS} steps, and the peak between them in closed form. "
        "Peaks that arrays print last seconds and are not shown."
    )
    canvas.head(ws, "Timeline", purpose, headings, widths, "D5", range(FIRST_SERIES, _RESULTS_COLUMN - 1))
    _cards(ws, layout, 1, _PARAMETERS)
    _cards(ws, layout, _RESULTS_COLUMN, _RESULTS)
    for row in range(FIRST_ROW, LAST_ROW + 1):
        for column, (_, _, formula, form) in enumerate(_SERIES, FIRST_SERIES):
            text = _formula(formula, layout).replace("#", str(row)).replace("~", str(row - 1))
            put(ws, row, column, text, "calculation")
            ws.cell(row, column).number_format = form
    canvas.print_setup(ws, CHART_COLUMN + CHART_COLUMNS - 1, LAST_ROW)
    _draw(ws)


def _draw(ws: Worksheet) -> None:
    """Put three charts beside the timeline: the load, the desktops that make it, the latency they meet."""
    columns, top = (CHART_COLUMN, CHART_COLUMN + CHART_COLUMNS), FIRST_ROW
    start = "Minute; where clock times are typed, from the boot"
    for title, across, value, keys in (
        (
            "Logins of the design drawn: IOPS, mean of every step",
            start,
            "IOPS",
            (("with_boot", "drawn"), ("iops", "drawn"), ("boot", "boot_minute")),
        ),
        (
            "Logins of the design drawn: desktops",
            "Minute",
            "Desktops",
            (("logging_in", "minute"), ("working", "minute")),
        ),
        ("Logins of the design drawn: latency", "Minute", "ms", (("latency", "minute"),)),
    ):
        chart = charts.curves(title, across, value, ("0", "0.00" if value == "ms" else "#,##0"))
        looks = _LOOKS if len(keys) == len(_LOOKS) else _LOOKS[1:]
        for (key, minute), (colour, dash) in zip(keys, looks, strict=False):
            column, rows = series(key), (FIRST_ROW, LAST_ROW)
            curve = charts.scatter(ws, (column, series(minute)), rows, (HEAD_ROW, column))
            curve.marker = Marker(symbol="none")
            line = LineProperties(solidFill=colour, w=22225, prstDash=dash)
            curve.graphicalProperties = GraphicalProperties(ln=line)
            chart.series.append(curve)
        charts.pin(ws, chart, columns, (top, top + _CHART_ROWS))
        top += _CHART_ROWS + 1


def _cards(ws: Worksheet, layout: Layout, column: int, cards: tuple[tuple[str, str, str, str], ...]) -> None:
    """Write cards: a label, its value below."""
    for n, (_, label, formula, form) in enumerate(cards):
        row = FIRST_ROW + 2 * n
        put(ws, row, column, label, "note")
        sheet = next((sheet for sheet, each in _BY_LABEL.items() if each == formula), "")
        text = _by_label(layout, sheet, row) if sheet else _formula(formula, layout)
        put(ws, row + 1, column, text, "output")
        ws.cell(row + 1, column).number_format = form
        ws.cell(row + 1, column).alignment = Alignment(horizontal="left", vertical="center", indent=1)


def _by_label(layout: Layout, home: str, row: int) -> str:
    """Return the formula of a card that shows the line of a sheet with its label, which stands in a row above."""
    rows = [at for sheet, at in layout.lines.values() if sheet == home]
    first, last = (get_column_letter(at) for at in (BASE, layout.columns.stop - 1))
    lines, labels = (f"{home}!${a}${min(rows)}:${b}${max(rows)}" for a, b in ((first, last), ("A", "A")))
    return f"=INDEX({lines},MATCH($A{row},{labels},0),MAX(1,SUM($A${FIRST_ROW + 1})))"


_DRAWN = re.compile(r"<(\w+)>")


def _formula(template: str, layout: Layout) -> str:
    """Put addresses into a formula: [card], <line of the design drawn>, @series, and keys in braces."""
    text = template
    for key in [name for name, *_ in (*_PARAMETERS, *_RESULTS)]:
        if f"[{key}]" in text:
            letters, digits = card(key)[1].rstrip("0123456789"), card(key)[1].lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
            text = text.replace(f"[{key}]", f"${letters}${digits}")
    for key in _DRAWN.findall(text):
        if key in layout.lines:
            sheet, row = layout.lines[key]
            last = get_column_letter(layout.columns.stop - 1)
            area = f"{quoted(sheet)}!${get_column_letter(BASE)}${row}:${last}${row}"
            text = text.replace(f"<{key}>", f"INDEX({area},1,MAX(1,SUM(${'A'}${FIRST_ROW + 1})))")
    for key, letter in _COLUMNS.items():
        text = text.replace(f"@{key}", f"${letter}${FIRST_ROW}:${letter}${LAST_ROW}")
    return layout.resolve(text, NAME, BASE)


TAB = Tab(NAME, "table", "calculation", "The logins of one design step by step, with charts", write)
