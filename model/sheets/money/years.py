"""Years: what a design buys and pays year by year, and what that is worth today.

A year holds the demand at its end (Growth). Arrays bought earlier and younger than their life are left; what is missing
is bought at the start of the year. Arrays, installation, hosts, support and licences are paid in advance, at the start
of the year; power, rack space and administration at its end, and so is the resale at the end of the last year.

Prices enter as a figure apart: `share` rows count what is paid in prices of one array today, so that the price at which
a design costs as much as another one follows without knowing any price of it.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import replace

from model.layout import gridwriter, table
from model.layout.line import GridSheet, Group, Line
from model.sheets.money.growth import YEARS, of_year

_ITEM = re.compile(r"<(\w+)(-1|\.\.-1|\.\.)?>")
_ALIVE = '">"&TEXT(<in_year>-{array_life_years},"0")'  # bought so late that the year is within their life


def _rows(row: Line | Group, here: Collection[str]) -> Iterator[Line | Group]:
    """Yield a row as it is; of an item its heading, then a line for each year.

    An item that reads Growth has no place of its own: it is at fault wherever a row that Growth repeats is.
    """
    if not isinstance(row, Line) or not _ITEM.search(row.formula):
        yield row
        return
    yield Group(row.label, of_year(row.key, 0))
    where = row.where if {match[1] for match in _ITEM.finditer(row.formula)} <= set(here) else ""
    for year in YEARS:
        label, formula = f"{row.label}, year {year}", _of_year(row.formula, year)
        yield replace(row, key=of_year(row.key, year), label=label, formula=formula, where=where)


def _of_year(formula: str, year: int) -> str:
    """Return the formula of an item in one year."""

    def cells(match: re.Match[str]) -> str:
        key, which = match.groups()
        last = of_year(key, year - 1 if which in ("-1", "..-1") else year)
        return f"{{until:{of_year(key, 0)}:{last}}}" if which in ("..", "..-1") else f"{{{last}}}"

    fixed = re.sub(r"\{(\w+)\}", r"{fixed:\1}", formula)
    return _ITEM.sub(cells, fixed)


def _sheet() -> GridSheet:
    purpose = "What every design buys and pays year by year, and its present value"
    read = table.sheet(__file__, "Years", purpose, texts={"ALIVE": _ALIVE}, published=False)
    here = {row.key for row in read.rows}
    return replace(read, rows=tuple(each for row in read.rows for each in _rows(row, here)))


SHEET = _sheet()

TAB = gridwriter.tab("Years", "What is bought and paid year by year", lambda _: SHEET)
