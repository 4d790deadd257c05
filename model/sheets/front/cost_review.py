"""Cost review: what storage costs over the years, on one page: the design chosen on Inputs, year by year.

No calculation reads this sheet. Columns: what, unit, total, then a year each. Years beyond those looked at are blank,
and so is money while a price is missing; arrays and running costs are shown in any case.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from openpyxl.chart import Reference, Series
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, charts, styles
from model.layout.canvas import put
from model.layout.grid import BASE, FIRST_PUBLISHED, HEAD_ROW, Layout, quoted
from model.layout.line import Group
from model.layout.tab import Context, Tab
from model.sheets.front import compare, sign_off
from model.sheets.money import net_cost, years
from model.sheets.money.growth import YEARS, of_year

NAME = "Cost review"
TOTAL, FIRST_YEAR = 3, 4
LAST = FIRST_YEAR + len(YEARS) - 1
TERMS = HEAD_ROW + 5  # row of what is asked for, above that of its figures
TABLE = TERMS + 2  # heading row of the years
CHART_ROWS = 11
_IN_WORDS = "asks"  # a row of names, in two lines where one is long
AGAINST = '#,##0" over";#,##0" within";0" within"'  # what is paid, less the budget
_WIDTHS = [46, 11, 18, *[17] * len(YEARS)]
_NAMED = re.compile(r"\{(\w+)\}|\[(first:)?(\w+)\]")
_RIGHT = Alignment(horizontal="right", vertical="center", indent=1)


@dataclass(frozen=True)
class Row:
    """A row of the table: the item of Years with its label, whether its years add up, and whether it needs a price.

    Any other row has a formula, which names items of the years and lines of the design in braces, rows of
    this table in brackets: [key] is the cell of the same year, [first:key] the block from the first year to it.
    """

    key: str
    label: str
    unit: str
    total: bool = False
    priced: bool = False
    bold: bool = False
    formula: str = ""


ROWS: tuple[Row | Group, ...] = (
    Group("Demand and arrays"),
    Row("desktops", "Desktops provisioned", "desktops", formula="{desktops}"),
    Row("needed", "Arrays needed", "arrays"),
    Row("asks", "Limited by", ""),
    Row("bought", "Arrays bought", "arrays", total=True),
    Row("owned", "Arrays owned", "arrays"),
    Row("container_owned", "Arrays for containers owned", "arrays"),
    Row("load", "Load on the busiest limit", "%", formula="[need]/MAX(1,[owned]-{nodes_spare})"),
    Group("Paid, for containers too"),
    Row("arrays_paid", "Arrays", "USD", total=True, priced=True),
    Row("installation_due", "Installation", "USD", total=True),
    Row("support_paid", "Support not included in the price", "USD", total=True, priced=True),
    Row("hosts_paid", "Hosts", "USD", total=True, formula="{host_share}*{host_cost}"),
    Row("licences_paid", "Licences", "USD", total=True),
    Row("share_paid", "Cloud storage by the month", "USD", total=True, priced=True),
    Row("power_paid", "Power and cooling", "USD", total=True, formula="{running}*{power_cost}"),
    Row("rack_paid", "Rack space", "USD", total=True, formula="{running}*{rack_cost}"),
    Row("admin_paid", "Administration", "USD", total=True, formula="{running}*{admin_cost}"),
    Row("resale", "Resale at the end, taken off", "USD", total=True, priced=True),
    Row("paid", "Paid in the year", "USD", total=True, priced=True, bold=True),
    Row("so_far", "Paid so far", "USD", priced=True, formula="SUM([first:paid])"),
    Group("Worth today, and on the books"),
    Row("present", "Present value", "USD", total=True, priced=True, bold=True),
    Row("depreciation", "Straight-line depreciation (memo)", "USD", total=True, priced=True),
)
STACKED = (
    *("arrays_paid", "installation_due", "support_paid", "hosts_paid", "licences_paid"),
    *("share_paid", "power_paid", "rack_paid", "admin_paid"),
)
_TERMS = (  # what the figures are made of, a column each: label, line of the design, number format
    ("Price of one array", "price_shown", "#,##0"),
    ("Discount", "discount_shown", "0.0%"),
    ("Support a year", "support_shown", "0.0%"),
    ("Years it includes", "support_included_years", "0"),
    ("Growth a year", "growth_per_year_ratio", "0.0%"),
    ("Life, years", "array_life_years", "0"),
    ("Cost of capital", "capital_rate_ratio", "0.0%"),
    ("Price, change a year", "price_change_ratio", "0.0%"),
    ("Costs, change a year", "cost_change_ratio", "0.0%"),
    ("Resale", "resale_ratio", "0.0%"),
)
_COLOURS = (charts.DARK, "6B8FBF", charts.MIDDLE, "7A5C9E", charts.LIGHT, "3E8E7E", "C0504D", "B8C4A0", "8A5A00")
_FORMS = {"desktops": "#,##0", "arrays": '0;-0;"-"', "": "General", "%": "0%", "USD": '#,##0;-#,##0;"-"'}
CHART_ROW = TABLE + len(ROWS) + 2
RECONCILED = CHART_ROW + CHART_ROWS + 1  # heading of what leads from the list price to what is paid, on a page apart
FROM_LIST = "From the list price to the present cost"
_STEPS = len(net_cost.PARTS) + 5  # rows of the block below its heading
SIGNED = RECONCILED + _STEPS + 2  # headings of the sign-off, on the page of those rows
BEHIND = SIGNED + sign_off.ROWS + 1  # heading of the figures behind the page
_CASE, _NAME, _STATE, _UNCHECKED, _BEYOND, _SIZED, _YEAR, _COUNTED, _SHOWN, _NEED = (BEHIND + n for n in range(1, 11))


def _row(key: str) -> int:
    """Return the row of the table that an item has; the need is behind the page, where the chart reads it."""
    if key == "need":
        return _NEED
    return next(n for n, row in enumerate(ROWS, TABLE + 1) if isinstance(row, Row) and row.key == key)


class _Page:
    """Addresses of the design that is shown."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    def _rows(self, sheet: str, top: int, end: int, row: str, mark: str = "$") -> str:
        first, last = get_column_letter(BASE), get_column_letter(FIRST_PUBLISHED - 1)
        return f"INDEX({quoted(sheet)}!${first}{mark}{top}:${last}{mark}{end},{row},$C${_CASE})"

    def labelled(self, sheet: str, row: int, down: str = "") -> str:
        """Return the line of another sheet that has the label of a row here, or so many rows down from it."""
        rows = [at for home, at in self.layout.lines.values() if home == sheet]
        top, end = min(rows), max(rows)
        return self._rows(sheet, top, end, f"MATCH($A{row},{quoted(sheet)}!$A${top}:$A${end},0){down}")

    def item(self, row: int, column: int) -> str:
        """Return the item of Years that is headed by the label of a row, in the year of a column."""
        return self.labelled(years.SHEET.name, row, f"+{get_column_letter(column)}${_YEAR}")

    def year(self, key: str, column: int) -> str:
        """Return an item of the design shown, in the year of a column."""
        (sheet, top), (_, end) = (self.layout.lines[of_year(key, year)] for year in (YEARS[0], YEARS[-1]))
        return self._rows(sheet, top, end, f"{get_column_letter(column)}${_YEAR}")

    def figure(self, item: Row, row: int, column: int) -> str:
        """Return what a row of the table shows in the year of a column."""
        letter = get_column_letter(column)

        def named(match: re.Match[str]) -> str:
            name, first, key = match.groups()
            if name and of_year(name, YEARS[0]) in self.layout.lines:
                return self.year(name, column)
            if name:
                return self.design(name, mark="")
            return f"{f'${get_column_letter(FIRST_YEAR)}{_row(key)}:' if first else ''}{letter}{_row(key)}"

        return _NAMED.sub(named, item.formula) if item.formula else self.item(row, column)

    def design(self, key: str, mark: str = "$") -> str:
        """Return the line of the design shown; without a mark in a formula that is the same for the line below it."""
        sheet, row = self.layout.lines[key]
        return self._rows(sheet, row, row, "1", mark)

    def terms(self) -> Iterator[str]:
        """Yield what each column of the terms shows; lines that follow each other share a formula."""
        places = enumerate(self.layout.lines[key] for _, key, _ in _TERMS)
        for _, neighbours in groupby(places, lambda each: (each[1][0], each[1][1] - each[0])):
            (first, (sheet, top)), *more = run = list(neighbours)
            for column in range(first + 1, first + len(run) + 1):
                cells = f"${get_column_letter(first + 1)}{TERMS}:{get_column_letter(column)}{TERMS}"
                yield self._rows(sheet, top, top + len(more), f"COLUMNS({cells})" if more else "1")


def write(ws: Worksheet, context: Context) -> None:
    """Write the answer, what it rests on, the years, two charts, then the figures behind them."""
    page = _Page(context.layout)
    canvas.head(ws, '="Storage cost, before tax, in "&Doc_currency', "", [], _WIDTHS, f"A{HEAD_ROW + 1}")
    shown = f'=$C${_NAME}&", "&$C${_STATE}&REPT("; the checks are of the base design",SIGN($C${_CASE}-1))'
    put(ws, 3, 1, shown, "purpose")
    _answer(ws, page)
    heads = ["", "Unit", "To the last year", *(f"Year {year}" for year in YEARS)]
    for column, text in enumerate(heads, 1):
        put(ws, TABLE, column, text or None, "heading")
        if column >= TOTAL:
            ws.cell(TABLE, column).alignment = _RIGHT
    for row, item in enumerate(ROWS, TABLE + 1):
        if isinstance(item, Group):
            for column in range(1, LAST + 1):
                put(ws, row, column, item.label if column == 1 else None, "group")
        else:
            _item(ws, row, item, page)
    _reconciled(ws, page)
    sign_off.write(ws, SIGNED, LAST)
    _behind(ws, page, context.layout)
    _colours(ws)
    _draw(ws)
    apart = f"A{RECONCILED}:{get_column_letter(LAST)}{BEHIND - 2}"
    canvas.print_setup(ws, LAST, CHART_ROW + CHART_ROWS - 1, further=(apart,), pages=1)
    named = next(row for row, item in enumerate(ROWS, TABLE + 1) if isinstance(item, Row) and item.key == _IN_WORDS)
    for row in range(TABLE, CHART_ROW):
        ws.row_dimensions[row].height = 28 if row == named else 16
    ws.row_dimensions[HEAD_ROW + 1].height = 26


def _names(layout: Layout) -> str:
    return layout.blocks["design_headings"].address


def _answer(ws: Worksheet, page: _Page) -> None:
    """Write the five figures that finance asks for first, and below them what they rest on."""
    bands = (
        # first and last column, label, figure, number format
        (1, 1, "Present cost to the last year", page.design("npv"), "#,##0"),
        (2, 3, "Per desktop and month", page.design("cost_per_desktop_month"), "#,##0.00"),
        (4, 5, "Arrays, first and last year", page.design("arrays_words"), "General"),
        (6, 8, "Next purchase in year", page.design("next_purchase_year"), "0"),
        (9, 10, "Paid before resale, to budget", page.design("over_budget"), AGAINST),
    )  # fmt: skip
    for first, last, label, figure, form in bands:
        for column in range(first, last + 1):
            put(ws, HEAD_ROW, column, label if column == first else None, "band")
            none = f'CHOOSE(1+SIGN(Chk_Master),$C${_STATE},"-")' if column == 1 else '"-"'
            shown = f"=IF($C${_SIZED}>SIGN(Chk_Master),{figure},{none})" if column == first else None
            put(ws, HEAD_ROW + 1, column, shown, "headline" if shown else "group")
            ws.cell(HEAD_ROW + 1, column).number_format = form
            ws.cell(HEAD_ROW + 1, column).alignment = Alignment(
                horizontal="centerContinuous", vertical="center", shrink_to_fit=first == last
            )
    for cell in ("A", "B"):
        canvas.link(ws, f"{cell}{HEAD_ROW + 1}", *page.layout.typed("array_price"), "Type the quote for one array")
    canvas.link(ws, f"I{HEAD_ROW + 1}", *page.layout.typed("budget"), "Type the budget")
    canvas.link(ws, f"A{HEAD_ROW + 2}", *page.layout.typed("installation_cost"), "Type what is left out")
    notes = (
        f'="Price: "&{page.design("cost_status")}&{page.design("claim_after")}',
        f'=IF($C${_SIZED}=0,"","Next purchase for: "&{page.design("purchase_reason")}&$C${_UNCHECKED}&$C${_BEYOND})',
        "Paid at the start of a year: arrays, installation, support, hosts, licences; at its end: power, rack, "
        "administration, resale; by the month: cloud storage. Storage only, before tax and VAT: no machines, egress "
        "or backup.",
    )
    unchecked = FormulaRule(
        formula=[f'COUNTIF($C${_STATE},"at least")>0'], fill=PatternFill("solid", bgColor=styles.AMBER_FILL)
    )
    ws.conditional_formatting.add(f"A{HEAD_ROW + 3}:{get_column_letter(LAST)}{HEAD_ROW + 3}", unchecked)
    for row, text in enumerate(notes, HEAD_ROW + 2):
        put(ws, row, 1, text, "shown" if text.startswith("=") else "purpose")
        ws.cell(row, 1).alignment = Alignment(horizontal="left", vertical="center", indent=1)
    for column, ((label, _, form), figure) in enumerate(zip(_TERMS, page.terms(), strict=True), 1):
        put(ws, TERMS, column, label, "heading")
        put(ws, TERMS + 1, column, f"={figure}", "calculation")
        for row in (TERMS, TERMS + 1):
            ws.cell(row, column).alignment = Alignment(horizontal="center", vertical="center", shrink_to_fit=True)
        ws.cell(TERMS + 1, column).number_format = form
    until = f"{get_column_letter(LAST)}{HEAD_ROW + 2}"
    put(ws, HEAD_ROW + 2, LAST - 1, f'=REPT("Quote valid until",SIGN({until}))', "shown")
    put(ws, HEAD_ROW + 2, LAST, f"={page.design('quote_until')}", "shown")
    ws[until].number_format = "yyyy-mm-dd;;;"
    put(ws, HEAD_ROW + 3, LAST - 1, "Support of the", "label")
    put(ws, HEAD_ROW + 3, LAST, f"={page.design('support_base')}", "shown")
    canvas.mark_past(ws, (until,))


def _item(ws: Worksheet, row: int, item: Row, page: _Page) -> None:
    """Write an item: its years while they are looked at, and their sum."""
    put(ws, row, 1, item.label, "label")
    canvas.put_unit(ws, row, 2, item.unit or "text")
    role = "output" if item.bold else "calculation"
    first, last = (f"{get_column_letter(column)}{row}" for column in (FIRST_YEAR, LAST))
    if item.total:
        none = f'CHOOSE(1+$C${_SIZED},"-",{page.design("money_words")})'
        asked = f"IF(SUM($D${_SHOWN}:$J${_SHOWN})=0,{none},SUM({first}:{last}))"
        put(ws, row, TOTAL, f"={asked}" if item.priced else f"=SUM({first}:{last})", "output")
    flags = _SHOWN if item.priced else _COUNTED
    for column in range(FIRST_YEAR, LAST + 1):
        letter = get_column_letter(column)
        put(ws, row, column, f'=IF({letter}${flags}=0,"",{page.figure(item, row, column)})', role)
    for column in range(TOTAL, LAST + 1):
        ws.cell(row, column).number_format = _FORMS[item.unit]
        ws.cell(row, column).alignment = Alignment(
            horizontal="right",
            vertical="center",
            indent=0 if item.key == _IN_WORDS else 1,
            wrap_text=item.key == _IN_WORDS,
            shrink_to_fit=item.key != _IN_WORDS and (item.bold or column == TOTAL),
        )


def _reconciled(ws: Worksheet, page: _Page) -> None:
    """Write every part from the list price to what is paid, then what it is worth today and per desktop and month."""
    heads = (FROM_LIST, "Unit", "Amount", "Source, and when it is paid")
    for column in range(1, LAST + 1):
        put(ws, RECONCILED, column, heads[column - 1] if column <= len(heads) else None, "group")
    for row, (label, unit, figure, basis) in enumerate(_steps(page), RECONCILED + 1):
        put(ws, row, 1, label, "shown" if label.startswith("=") else "label")
        canvas.put_unit(ws, row, 2, unit)
        shown = figure or page.labelled(net_cost.SHEET.name, row)
        role = "output" if figure or unit != "USD" else "calculation"
        put(ws, row, TOTAL, f'=IF(MAX($D${_SHOWN}:$J${_SHOWN})=0,"-",{shown})', role)
        ws.cell(row, TOTAL).number_format = _FORMS.get(unit, "#,##0.00")
        ws.cell(row, TOTAL).alignment = _RIGHT
        put(ws, row, FIRST_YEAR, basis, "shown" if basis.startswith("=") else "note")
        ws.cell(row, FIRST_YEAR).alignment = Alignment(horizontal="left", vertical="center", indent=1)


def _steps(page: _Page) -> Iterator[tuple[str, str, str, str]]:
    """Yield (label, unit, formula, basis) of what leads from the list price on; no formula = a line of Net cost."""
    lines = {line.key: line for line in net_cost.SHEET.lines}
    top, net, end = (RECONCILED + n for n in (1, 3, 1 + len(net_cost.PARTS)))  # the net arrays are a sum between them
    included = f'="Price before discount; years of support in it: "&TEXT({page.design("support_included_years")},"0")'
    for key in net_cost.PARTS:
        yield lines[key].label, "USD", "", included if key == "part_listed" else lines[key].basis
        if key == "part_discounted":
            yield "Arrays of year 1, net", "USD", f"SUM(C{top}:C{net - 1})", "List less discount"
    paid = f'="Paid to year "&TEXT({page.design("years")},"0")&", less resale"'
    yield paid, "USD", f"SUM($C${top}:$C${net - 1},$C${net + 1}:$C${end})", "Sum; no tax, no VAT"
    yield lines["part_time"].label, "USD", "", lines["part_time"].basis
    yield "Present cost", "USD", f"SUM(C{end + 1}:C{end + 2})", "At the cost of capital, start of year 1"
    month = lines["cost_per_desktop_month"]
    yield month.label, month.unit, "", f"={page.design('desktop_month_words')}"


def _of_compare(key: str) -> str:
    """Return what Compare has of the design shown."""
    return f"INDEX({compare.block(key)},1,$C${_CASE})"


def _behind(ws: Worksheet, page: _Page, layout: Layout) -> None:
    """Write the figures behind the page: which design, which years count, and the need that the chart draws."""
    for column in range(1, LAST + 1):
        put(ws, BEHIND, column, "Figures behind the page" if column == 1 else None, "group")
    found = f"MATCH({layout.resolve('{base:review_case}', NAME, BASE)},{_names(layout)},0)"
    put(ws, _CASE, 1, "Place of the design shown", "label")
    put(ws, _CASE, 2, "count", "label")
    put(ws, _CASE, TOTAL, f"={found}", "calculation")
    horizon = page.design("horizon_words")
    state = (
        (_NAME, "Its array and column", "text", f'{_of_compare("array")}&": "&INDEX({_names(layout)},1,$C${_CASE})'),
        (_STATE, "Its state on Compare; an error leaves no answer", "text",
         f'SUBSTITUTE({_of_compare("state")},IF(Chk_Master>0,"fully checked","~"),"no answer")'),
        (_UNCHECKED, "What is not checked of it", "text", f'". Not checked: "&{page.design("constraints_unchecked")}'),
        (_BEYOND, "What it buys beyond the horizon", "text", f'REPT(". Horizon: "&{horizon},SIGN(LEN({horizon})))'),
        (_SIZED, "It has an answer", "flag",
         f"1-MAX({_of_compare('cannot_be_sized')},{_of_compare('card_not_filled')})"),
    )  # fmt: skip
    for row, label, unit, formula in state:
        put(ws, row, 1, label, "label")
        put(ws, row, 2, styles.WORDS if unit == "text" else unit, "label")
        put(ws, row, TOTAL, f"={formula}", "calculation")
    series = (
        (_YEAR, "Year", "count", f"COLUMN({{0}}${TABLE})-COLUMN($C${TABLE})", "0"),
        (_COUNTED, "The year is counted", "flag", f"IF($C${_SIZED}=0,0,{{1}})", "0"),
        (_SHOWN, "Its money is known", "flag", f"IF({{0}}${_COUNTED}=0,0,{page.design('money_known')})", "0"),
        (_NEED, "Arrays needed, unrounded", "arrays", f'IF({{0}}${_COUNTED}=0,"",{{2}})', "0.00"),
    )
    for row, label, unit, formula, form in series:
        put(ws, row, 1, label, "label")
        put(ws, row, 2, unit, "label")
        for column in range(FIRST_YEAR, LAST + 1):
            figures = (get_column_letter(column), page.year("counted", column), page.item(row, column))
            put(ws, row, column, "=" + formula.format(*figures), "calculation")
            ws.cell(row, column).number_format = form


def _colours(ws: Worksheet) -> None:
    """Mark a load of 90 % and more, a purchase, and what is over the budget."""
    first, last = get_column_letter(FIRST_YEAR), get_column_letter(LAST)
    amber = PatternFill("solid", bgColor=styles.AMBER_FILL)
    row = _row("load")
    high = FormulaRule(formula=[f"AND(ISNUMBER({first}{row}),{first}{row}>=0.9)"], fill=amber)
    ws.conditional_formatting.add(f"{first}{row}:{last}{row}", high)
    row = _row("bought")
    buys = FormulaRule(formula=[f"AND(ISNUMBER({first}{row}),{first}{row}>0)"], font=Font(bold=True, color="9C0006"))
    ws.conditional_formatting.add(f"{first}{row}:{last}{row}", buys)
    over = FormulaRule(formula=['RIGHT($I$5,4)="over"'], fill=amber)
    ws.conditional_formatting.add("I5:J5", over)
    missing = FormulaRule(formula=["ISTEXT($A$5)"], fill=amber)
    ws.conditional_formatting.add("A5:C5", missing)


def _draw(ws: Worksheet) -> None:
    """Draw what is paid by year, stacked, and the arrays owned against the need."""
    years = charts.categories(ws, FIRST_YEAR, LAST, TABLE, TABLE)
    paid = charts.bars("col", "Paid in the year", "Year", "Amount", "#,##0")
    paid.grouping, paid.gapWidth, paid.overlap = "stacked", 60, 100
    owned = charts.bars("col", "Arrays owned, and arrays needed", "Year", "Arrays", "0")
    owned.gapWidth, owned.overlap = 60, 0
    parts = [(paid, _row(key), colour) for key, colour in zip(STACKED, _COLOURS, strict=True)]
    parts += [(owned, _row("owned"), charts.LIGHT), (owned, _NEED, charts.DARK)]
    for chart, row, colour in parts:
        series = Series(Reference(ws, min_col=FIRST_YEAR, max_col=LAST, min_row=row), title_from_data=False)
        series.tx, series.cat, series.dLbls = charts.name(ws, row, 1), years, charts.labels()
        charts.fill(series, colour)
        chart.series.append(series)
    for chart, columns in ((paid, (1.0, 5.0)), (owned, (5.0, LAST + 1.0))):
        charts.pin(ws, chart, columns, (CHART_ROW, CHART_ROW + CHART_ROWS))


TAB = Tab(NAME, "front", "front", "Storage cost over the years, on one page", write)
