"""Growth: every year of a design sized again by the very formulas of Capacity, Demand, Performance and Sizing.

Demand does not grow in proportion: a throttle keeps the boot where it is, machines and hosts come whole, a login window
stretches. So the lines between the desktops and the arrays are repeated for every year as they are declared there: what
depends on the number of desktops points to the same line of its year, all else to the one line of the design. A change
of such a formula changes its years too.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from model.errors import BuildError
from model.layout import gridwriter
from model.layout.grid import FIRST_ROW
from model.layout.line import GridSheet, Group, Line
from model.reading.records import Data
from model.sheets.money import cost
from model.sheets.sizing import capacity, containers, demand, design, performance, sizing

NAME = "Growth"
YEARS = range(1, 8)
_SHEETS = (capacity.SHEET, demand.SHEET, performance.SHEET, containers.SHEET, sizing.SHEET)
DESKTOPS = "provisioned_desktops"
_RESULTS = ("hosts_required", "container_arrays", "ratio_largest", "binding_constraint", "arrays_required")
_FIELD = re.compile(r"\{([^{}]+)\}")
_CATALOGUES = {"array": "array_row", "container_array": "container_array_row"}
_RELATIVE = ("in", "base", "fixed_base", "label")  # no repeated line may use them: their row would wander


def of_year(key: str, year: int) -> str:
    """Return the key of a line in a year; year 0 is the heading above the first one."""
    return f"{key}_y{year}"


def _read(formula: str, blocks: Mapping[str, tuple[str, ...]]) -> set[str]:
    """Return the keys of the lines that a formula reads."""
    found = set()
    for field in _FIELD.findall(formula):
        kind, _, rest = field.partition(":")
        if kind == "range":
            found |= set(_block(rest, blocks))
        else:
            found.add(rest if kind == "fixed" else _CATALOGUES.get(kind, field))
    return found


def _block(ends: str, blocks: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the keys from one line of a sheet to another."""
    first, _, last = ends.partition(":")
    keys = blocks.get(first, ())
    return keys[keys.index(first) : keys.index(last) + 1] if last in keys else (first, last)


def _reached(first: Iterable[str], steps: Mapping[str, set[str]]) -> set[str]:
    """Return all that can be reached from some keys."""
    found, left = set(first), list(first)
    while left:
        new = steps.get(left.pop(), set()) - found
        found |= new
        left += new
    return found


@lru_cache(maxsize=1)
def grown() -> tuple[Line, ...]:
    """Return the lines between the desktops and the results that depend on the number of desktops, in their order.

    Of a block that a formula reads whole every line is here.
    """
    lines = {line.key: line for sheet in _SHEETS for line in sheet.lines}
    blocks = {line.key: tuple(each.key for each in sheet.lines) for sheet in _SHEETS for line in sheet.lines}
    reads = {key: _read(line.formula, blocks) for key, line in lines.items()}
    readers: dict[str, set[str]] = {}
    for key, read in reads.items():
        for other in read:
            readers.setdefault(other, set()).add(key)
    keys = _reached((DESKTOPS,), readers) & _reached(_RESULTS, reads)
    for key in keys & lines.keys():
        for field in _FIELD.findall(lines[key].formula):
            kind, _, ends = field.partition(":")
            if kind == "range" and keys & set(_block(ends, blocks)):
                keys |= set(_block(ends, blocks))
    return tuple(line for key, line in lines.items() if key in keys)


@lru_cache(maxsize=1)
def homes() -> dict[str, tuple[str, int]]:
    """Return sheet and row of every line that may be repeated, where it is declared."""
    return {
        row.key: (sheet.name, at)
        for sheet in _SHEETS
        for at, row in enumerate(sheet.rows, FIRST_ROW)
        if isinstance(row, Line)
    }


def year_heading(year: int) -> str:
    """Return the heading above the lines of a year."""
    return f"Year {year}, sized again"


def desktops_label(year: int) -> str:
    """Return the label of the desktops that a year must hold."""
    return f"Desktops provisioned, year {year}"


def _kept(key: str) -> str:
    """Return the key of a figure of the design, as the top of the sheet has it."""
    return f"{key}_kept"


class _Repeater:
    """Repeats lines for a year, and keeps the figures of the design that they read beside it."""

    def __init__(self, data: Data) -> None:
        sheets = (design.sheet(data), *_SHEETS, cost.sheet(data))
        self.lines = {line.key: line for sheet in sheets for line in sheet.lines}
        places = ((at, n, row.key) for at, sheet in enumerate(sheets) for n, row in enumerate(sheet.rows))
        self.order = {key: (-at, n) for at, n, key in places}
        self.grown = {line.key for line in grown()}
        self.kept: dict[str, Line] = {}

    def repeat(self, line: Line, year: int) -> Line:
        """Return a line for one year.

        Raises BuildError for a formula whose references cannot be repeated for every year.
        """

        def field(match: re.Match[str]) -> str:
            name = match[1].removeprefix("fixed:").removeprefix("sliding:")  # no row of another year shares it
            kind, _, rest = name.partition(":")
            if name in self.grown:
                return f"{{{of_year(name, year)}}}"
            if name in self.lines:
                return self._design(name)
            if kind in _CATALOGUES and rest:
                return f"SUM(INDEX({{arrays:{rest}}},1,{self._design(_CATALOGUES[kind])}))"
            if kind == "range" and set(rest.split(":")) <= self.grown:
                first, last = (of_year(key, year) for key in rest.split(":"))
                return f"{{range:{first}:{last}}}"
            if kind == "range" and not set(rest.split(":")) <= self.lines.keys():
                return match[0]  # mistyped: named where the rows are checked
            if kind in ("range", *_RELATIVE):
                place = line.where or line.key
                raise BuildError(f"{place}: no year can repeat {{{name}}} of {line.formula!r}; name the line alone.")
            return match[0]

        link = re.fullmatch(r"=\{(\w+)\}", line.formula)
        kept = link and link[1] not in self.grown
        formula = f"={{fixed:{link[1]}}}" if link and kept else _FIELD.sub(field, line.formula)
        return replace(
            line,
            key=of_year(line.key, year),
            label=f"{line.label}, year {year}",
            formula=formula,
            output=False,
            headline=None,
            where="",
        )

    def _design(self, key: str) -> str:
        line = self.lines[key]
        link = re.fullmatch(r"=\{\w+\}", line.formula)
        text = line.formula if link else f"={{{key}}}"  # no link to a link
        basis = "Of the design, in every year"
        self.kept.setdefault(key, replace(line, key=_kept(key), formula=text, basis=basis, output=False, headline=None))
        return f"{{fixed:{_kept(key)}}}"

    def figures(self) -> list[Line]:
        """Return the figures of the design that years read, neighbours as on their sheets: those share a formula.

        The last sheet comes first: the longest formula reads it, and has no room for a row's third digit.
        """
        return sorted(self.kept.values(), key=lambda line: self.order[line.formula.strip("={}")])


def _growth() -> Iterator[Line | Group]:
    """Yield the years, and the desktops at the end of each, or from its first day on."""
    yield Group("Year", of_year("year", 0))
    for n in YEARS:
        formula = f"=1+SUM({{{of_year('year', n - 1)}}})"
        yield Line(of_year("year", n), f"Year {n}", "count", formula, "The year before + 1")
    yield Group("Desktops provisioned in the year", of_year("desktops", 0))
    for n in YEARS:
        years = f"({{{of_year('year', n)}}}-{{fixed:grows_early}})"
        formula = f"=MAX(1,ROUNDUP({{fixed:provisioned_desktops}}*(1+{{fixed:growth_per_year_ratio}})^{years},0))"
        basis = "Of the design x (1 + growth) ^ years"
        yield Line(of_year("desktops", n), desktops_label(n), "desktops", formula, basis)


def sheet(data: Data) -> GridSheet:
    """Return the sheet: the desktops of every year, then year by year the lines that depend on them."""
    repeater = _Repeater(data)
    years: list[Line | Group] = []
    for year in YEARS:
        years.append(Group(year_heading(year)))
        for line in grown():
            if line.key == DESKTOPS:
                text = f"={{{of_year('desktops', year)}}}"
                years.append(replace(repeater.repeat(line, year), formula=text, basis="As above"))
            else:
                years.append(repeater.repeat(line, year))
    timing = "1 = year 1 is day one: growth steps on 1 January, or is below 0; 0 = each year includes its own growth"
    formula = '=SIGN(COUNTIF({growth_timing},"on 1 January")+({growth_per_year_ratio}<0))'
    early = Line("grows_early", "Growth counts from the year after", "flag", formula, timing)
    end = '=1-{grows_early}+COUNTIF({growth_timing},"on 1 January")'
    basis = "1 = its start, 0 = its end: fewer through the year, which is sized for its start"
    other = Line("other_end", "The other end of a year, years before its end", "flag", end, basis)
    purpose = "Every year of the base design and the what-ifs sized again by the formulas of the sheets before"
    own: tuple[Line | Group, ...] = (
        Group("Figures of the design that growth does not change"),
        *repeater.figures(),
        Group("Growth"),
        early,
        other,
        *_growth(),
    )
    return GridSheet(NAME, "Growth", purpose, (*own, *years), published=False, printed=len(own))


TAB = gridwriter.tab(NAME, "Every year sized again with its desktops", sheet)
