"""My profiles: what people type of their own: workload profiles, provisioning methods, host caches, cloud shares.

A profile is one line: work of a login, IOPS at work, read share, block size; what travels with it is optional. Phases
that were measured one by one stand below and go before the line.
"""

from collections.abc import Iterable

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, fit
from model.layout.canvas import put
from model.layout.grid import OWN_PROFILES
from model.layout.tab import Context, Tab
from model.reading.records import Data
from model.sheets.catalogue import general
from model.sheets.catalogue.own_rows import (
    ABOVE,
    BLOCK,
    IN_USE,
    MISSING,
    NAME,
    NEEDED_IOS,
    OF_LINE_FROM,
    PHASE_COLUMN,
    PHASE_FIELDS,
    READ,
    REDUCTIONS,
    STORES,
    TYPED_FROM,
    Table,
    all_of_line,
    blocks,
    column_of_lines,
    figure_areas,
    filled_name,
    helpers,
    not_figures,
    not_figures_of_share,
    of_line,
    phase_name,
    tables,
)
from model.sheets.catalogue.phases import CACHED, LABELS, LISTED, MACHINES

_TYPE = {  # what an empty row asks for
    "profiles": "empty: type C to H on My profiles",  # User groups shows it too
    "methods": "empty: type what it stores",
    "caches": "empty: type GB and shares",
    "shares": "empty: type sizes, IOPS, MiB/s",
}


def _is(cell: str, key: str) -> str:
    """Return the test that a cell holds a figure that the field accepts: 1 or 0."""
    if key == "read_ratio":
        return f'COUNTIFS({cell},">=0",{cell},"<=1")'
    least = {"burst_ratio": ">=1", "minutes": ">0", "block_kib": ">0"}.get(key, ">=0")
    return f'COUNTIF({cell},"{least}")'


def _used(typed: str, key: str, line: str, words: str) -> str:
    """Return the figure in use: that of the phase, else that of the line, else words that say where it comes from."""
    rest = f'CHOOSE(1+{_is(line, key)},"{words}",{line})' if line else f'"{words}"'
    return f"=IF({_is(typed, key)}>0,{typed},{rest})"


def _from_line(phase: str, key: str) -> str:
    """Return the field of the line that a phase falls back on; empty where the line has none."""
    if key == "iops":
        return {"login": "login_iops", "steady": "steady_iops"}.get(phase, "")
    return key if key in (READ.key, BLOCK.key) and not _method_tells(phase, key) else ""


def _method_tells(phase: str, key: str) -> bool:
    """Say whether the provisioning method has the figure where a profile has none."""
    works = ("provisioning", "boot", "patching")
    return (key == "iops" and phase in works) or (key == READ.key and phase == "boot")


def write(ws: Worksheet, context: Context) -> None:
    """Write the tables one below the other: typed cells, the state of every row beside its name."""
    data = context.data
    every, extra = tables(data), helpers(data)
    widths = [31, 27, *[12.5] * (extra.start - TYPED_FROM), 9, 9, 9, 24, 24, 11]
    purpose = (
        "Type your own measurement, then choose its name on Inputs. A blank means not published and never counts as 0."
    )
    headings = ["Profile (name it)", "State", *(field.heading for field in every["profiles"].fields)]
    canvas.head(ws, "My profiles, provisioning methods, host caches and cloud shares", purpose, headings, widths, "B5",
                range(2, len(headings) + 1))  # fmt: skip
    for table in every.values():
        _table(ws, table)
    _profiles(ws, data, every["profiles"], every["phases"], extra)
    _methods(ws, every["methods"], extra)
    _caches(ws, every["caches"], extra)
    _shares(ws, every["shares"], extra)
    _not_figures(ws, data, extra[0])
    canvas.print_setup(ws, extra[-1], every["shares"].last_row)


def _not_figures(ws: Worksheet, data: Data, column: int) -> None:
    """Count what is typed in place of a figure, beside the phases, and colour it."""
    row = tables(data)["phases"].first_row
    _heading(ws, row - 1, (_NO_NUMBER,), column)
    put(ws, row, column, not_figures(data), "calculation", "count")
    shares = tables(data)["shares"].first_row
    put(ws, shares, column + 1, not_figures_of_share(data), "calculation", "count")
    canvas.colour_not_numbers(ws, figure_areas(data), ABOVE)


_NO_NUMBER = "No number where one belongs, count"
_LACKED = ("Work that is missing", "Mix that is missing")
_WORK = {"login": ("login", "login_excess_ios"), "steady": ("work", ""), "logoff": ("log-off", "logoff_ios")}
_FIGURES = tuple(field.key for field in PHASE_FIELDS)
_LACK = ("Missing", "Missing too", "Incomplete, flag")
_HEADS = {"phases": ("Phase by phase (optional)", "Phase"), "methods": ("Provisioning method (name it)", "State"),
          "caches": ("Host cache (name it)", "State"),
          "shares": ("Cloud share (name it)", "State")}  # fmt: skip


def _heading(ws: Worksheet, row: int, texts: Iterable[str | None], column: int = 1) -> None:
    for at, text in enumerate(texts, column):
        if text is None:
            continue
        put(ws, row, at, text, "heading")
        if at > 1:
            canvas.centre(ws, row, (at,))


def _table(ws: Worksheet, table: Table) -> None:
    """Write names and open cells of a table, with what they accept."""
    if table.key in _HEADS:
        _heading(ws, table.first_row - 1, (*_HEADS[table.key], *(field.heading for field in table.fields)))
    for row, name in enumerate(table.names, table.first_row):
        put(ws, row, 1, name, "label" if table.key == "phases" else "input")
        for column, field in enumerate(table.fields, TYPED_FROM):
            if field.key == "minutes" and name.endswith(("login", LABELS["steady"])):
                put(ws, row, column, f'="{ABOVE}"', "calculation", "text")  # a formula has no key
                canvas.centre(ws, row, (column,))
                continue
            put(ws, row, column, None, "input", field.unit)
            if field.list:
                canvas.centre(ws, row, (column,))
    if table.key != "phases":
        canvas.allow_text(ws, f"A{table.first_row}:A{table.last_row}", "Name")
    for field in table.fields:
        area = f"{table.letter(field.key)}{table.first_row}:{table.letter(field.key)}{table.last_row}"
        if field.list:
            canvas.allow_list(ws, area, field.list, field.label, blank=True)
        else:
            canvas.allow_number(ws, area, field.low, field.high, field.label, whole=field.unit == "flag")


def _state(ws: Worksheet, row: int, table: str, typed: str, extra: range, more: str = "", also: str = "") -> None:
    """Write in words whether a row is empty, complete (and what more could be typed), or what it lacks."""
    count, _, _, first, second, flag = (f"{get_column_letter(column)}{row}" for column in extra)
    lacks = f"missing on {NAME}: " if table == "profiles" else "missing: "
    put(ws, row, extra[0], f"=COUNT({typed}){also}", "calculation", "count")
    put(ws, row, extra[-1], f"=SIGN({count})*SIGN(LEN({first})+LEN({second}))", "calculation", "flag")
    words = f'CHOOSE(1+{flag},"complete"{more},"{lacks}"&{first}&{second}&"type it")'
    put(ws, row, 2, f'=IF({count}=0,"{_TYPE[table]}",{words})', "output")
    canvas.centre(ws, row, (2,))
    fit.reserve(ws, row, 3)


def _every(row: int, extra: range) -> str:
    """Return the cells of a row where figures may be typed, as wide as the widest table: the tables share a formula."""
    return f"{get_column_letter(TYPED_FROM)}{row}:{get_column_letter(extra.start - 1)}{row}"


def _words(parts: Iterable[tuple[str, str]]) -> str:
    """Return the formula that joins names of what is missing: (name, 1 where it is) each."""
    return "=" + "&".join(f'REPT("{name}, ",{flag})' for name, flag in parts)


def _profiles(ws: Worksheet, data: Data, lines: Table, phases: Table, extra: range) -> None:
    used = [f"{field.label} in use, {field.unit}" for field in PHASE_FIELDS]
    _heading(ws, phases.first_row - 1, used, IN_USE)
    _heading(ws, lines.first_row - 1, ("Figures typed, count", "Not typed", "In words", *_LACK), extra[0])
    _heading(ws, phases.first_row - 1, _OF_LINE, OF_LINE_FROM)
    _heading(ws, phases.first_row - 1, _LACKED, extra[3])
    for name in OWN_PROFILES:
        _line(ws, name, data, lines, phases, extra)
        for phase in data.phases:
            title = phase_name(name, phase.key)
            at = phases.row(title)
            put(ws, at, PHASE_COLUMN, phase.label, "label")
            _of_line(ws, at, phase.key, data)
            _lacks(ws, at, phase.key, data, extra[3:5])
            for column, field in enumerate(PHASE_FIELDS, IN_USE):
                line = of_line(field.key, at) if _from_line(phase.key, field.key) else ""
                words = "the method's" if _method_tells(phase.key, field.key) else MISSING
                formula = _used(phases.cell(title, field.key), field.key, line, words)
                put(ws, at, column, formula, "calculation", field.unit)
                canvas.centre(ws, at, (column,))


_OF_LINE = (
    *("Line, count", "Its read share, ratio", "Its block size, KiB", "Its IOPS, IOPS/desktop"),
    *("Its name", "Its local profiles", "Figures typed, count"),
)


def _of_line(ws: Worksheet, at: int, phase: str, data: Data) -> None:
    """Write beside a phase what the line of its profile says of it; a blank stays one."""
    lines, phases = tables(data)["profiles"], tables(data)["phases"]
    place = f"${of_line('line', at)}"
    block = f"$A${phases.first_row}:$A${phases.first_row + len(data.phases) - 1}"
    formulas = {"line": f"=1+INT((ROW()-ROW($A${phases.first_row - 1})-1)/ROWS({block}))"}
    for key in (READ.key, BLOCK.key, "iops"):
        if source := _from_line(phase, key):
            column = column_of_lines(data, lines.letter(source)).replace(
                f"${lines.letter(source)}", lines.letter(source)
            )
            cell = f"INDEX({column},{place})"  # two phases share a formula
            formulas[key] = f'=IF(COUNT({cell})>0,{cell},"")'
    local = f"INDEX({column_of_lines(data, lines.letter('local_profile'))},{place})"
    formulas |= {"name": filled_name(data, place), "local": f'=IF(LEN({local})>0,{local},"unknown")'}
    formulas["typed"] = f"=COUNT({phases.area(phases.names[at - phases.first_row], 'iops', 'block_kib')})"
    units = {"line": "count", "typed": "count", READ.key: READ.unit, BLOCK.key: BLOCK.unit, "iops": "IOPS/desktop"}
    for key, formula in formulas.items():
        cell = ws[of_line(key, at)]
        put(ws, at, cell.column, formula, "calculation", units.get(key, "text"))
        canvas.centre(ws, at, (cell.column,))


def _lacks(ws: Worksheet, at: int, phase: str, data: Data, columns: range) -> None:
    """Write which work of users is missing, and beside steady work all of it with the mixes that are missing.

    A figure is in use of the phase, typed there or on the line, or the line has the I/Os of one login or log-off.
    The work of a machine needs the minutes of the run beside its IOPS.
    """
    iops, letter = get_column_letter(IN_USE), get_column_letter(columns[0])
    if phase in MACHINES:
        minutes = get_column_letter(IN_USE + _FIGURES.index("minutes"))
        put(ws, at, columns[0], f'=REPT("minutes of "&${get_column_letter(PHASE_COLUMN)}{at}&", ",'
            f"SIGN(COUNT({iops}{at}))*(1-COUNT({minutes}{at})))", "calculation")  # fmt: skip
        return
    lines, rows = tables(data)["profiles"], {key: at + LISTED.index(key) - LISTED.index(phase) for key in LISTED}
    word, field = _WORK[phase]
    of_one = f",INDEX({column_of_lines(data, lines.letter(field))},${of_line('line', at)})" if field else ""
    missing = f'REPT("{word}, ",1-SIGN(COUNT({iops}{at}{of_one})))'
    if phase == "steady":
        others = "&".join(f"{letter}{rows[key]}" for key in ("logoff", *MACHINES))
        missing = f"{letter}{rows['login']}&{missing}&{others}"
        mixes = []
        for key, label in ((READ.key, "read share"), (BLOCK.key, "block size")):
            used = get_column_letter(IN_USE + _FIGURES.index(key))
            cells = f"{used}{rows['logoff']}:{used}{at}"  # all that users do: neighbours, as phases.csv lists them
            mixes.append((label, f"SIGN(ROWS({cells})-COUNT({cells}))"))
        put(ws, at, columns[1], _words(mixes), "calculation")
    put(ws, at, columns[0], f"={missing}", "calculation")


def _line(ws: Worksheet, name: str, data: Data, lines: Table, phases: Table, extra: range) -> None:
    """Write the state of a profile: what is in use of its phases, typed there or on the line."""
    row = lines.row(name)
    work = phases.names.index(phase_name(OWN_PROFILES[0], "steady"))
    block = f"$A${phases.first_row}:$A${phases.first_row + len(data.phases) - 1}"
    place = f"1+(ROWS($A${lines.first_row}:$A{row})-1)*ROWS({block})"
    for column in extra[3:5]:
        letter = get_column_letter(column)
        found = f"=INDEX({letter}${phases.first_row + work}:{letter}${phases.last_row},{place})"
        put(ws, row, column, found, "calculation")
    asked = [(word, f"1-COUNT({lines.cell(name, key)})") for key, word in general.ON_ITS_DISK.items()]
    put(ws, row, extra[1], _words(asked), "calculation")
    open_ = f"{get_column_letter(extra[1])}{row}"
    both = "*".join(f"COUNT({lines.cell(name, key)})" for key in ("login_excess_ios", "login_iops"))
    put(ws, row, extra[2], f'=REPT("; type "&{open_}&"else assumed",SIGN(LEN({open_})))'
        f'&REPT("; I/Os of a login count, not IOPS",{both})', "calculation")  # fmt: skip
    typed, place = lines.area(name, "login_excess_ios", "block_kib"), f"ROWS(A${lines.first_row}:A{row})"
    by_phase = f"+SUMIFS({all_of_line('typed', phases)},{all_of_line('line', phases)},{place})"
    _state(ws, row, "profiles", typed, extra, f"&{get_column_letter(extra[2])}{row}", by_phase)


def _methods(ws: Worksheet, table: Table, extra: range) -> None:
    texts = ("Figures typed, count", "Storage missing, flag", "Reduction missing, flag", *_LACK)
    _heading(ws, table.first_row - 1, texts, extra[0])
    for name in table.names:
        row = table.row(name)
        flags = [f"{get_column_letter(column)}{row}" for column in extra[1:3]]
        for column, ends, test in ((extra[1], STORES, ">=0"), (extra[2], REDUCTIONS, ">=1")):
            cells = table.area(name, ends[0], ends[-1])
            formula = f'=SIGN(COLUMNS({cells})-COUNTIF({cells},"{test}"))'
            put(ws, row, column, formula, "calculation", "flag")
        told = (*NEEDED_IOS, "boot_read_ratio")
        boot, patch, provision, read = (f"1-COUNT({table.cell(name, key)})" for key in told)
        first = (("what it stores", flags[0]), ("data reduction", flags[1]), ("I/Os per boot", boot))
        second = (("I/Os to patch", patch), ("I/Os to provision", provision), ("boot read share", read))
        for column, parts in zip(extra[3:5], (first, second), strict=True):
            put(ws, row, column, _words(parts), "calculation")
        _state(ws, row, "methods", _every(row, extra), extra)


def _caches(ws: Worksheet, table: Table, extra: range) -> None:
    texts = ("Figures typed, count", "Login missing, flag", "Work missing, flag", *_LACK)
    _heading(ws, table.first_row - 1, texts, extra[0])
    for name in table.names:
        row = table.row(name)
        pairs = []
        for phase in CACHED:
            cells = table.area(name, f"{phase}_read_offload", f"{phase}_write_offload")
            pairs.append(f'SIGN(COLUMNS({cells})-COUNTIFS({cells},">=0",{cells},"<=1"))')
        for column, pair in zip(extra[1:3], pairs[1:], strict=True):
            put(ws, row, column, f"={pair}", "calculation", "flag")
        login, work = (f"{get_column_letter(column)}{row}" for column in extra[1:3])
        local = f"1-COUNT({table.cell(name, 'local_write_cache')})"
        first = (("GB per host", f'1-COUNTIF({table.cell(name, "host_gib")},">0")'), ("boot", pairs[0]))
        second = (("login", login), ("work", work), ("write cache", local))
        for column, parts in zip(extra[3:5], (first, second), strict=True):
            put(ws, row, column, _words(parts), "calculation")
        _state(ws, row, "caches", _every(row, extra), extra)


def _shares(ws: Worksheet, table: Table, extra: range) -> None:
    """Write what a cloud share lacks: step, maxima (none where the base is above it), and what supplies its load."""
    _heading(ws, table.first_row - 1, ("Figures typed, count", _NO_NUMBER, None, *_LACK), extra[0])
    for name in table.names:
        row = table.row(name)
        most, apart = table.area(name, "gib_step", "mib_max"), f'COUNTIF({table.cell(name, "apart")},">0")'
        iops, moved = (f'COUNTIF({table.area(name, *ends)},">0")+{apart}' for ends in _SUPPLIES)
        below = ",".join("-".join(f"SUM({table.cell(name, key)})" for key in pair) for pair in _BELOW)
        lacks = (f'SIGN(COLUMNS({most})-COUNTIF({most},">0")+MAX(0,{below}))', f"1-SIGN(({iops})*({moved}))")
        for column, word, flag in zip(extra[3:5], ("step and maxima", "IOPS or MiB/s"), lacks, strict=True):
            put(ws, row, column, _words([(word, flag)]), "calculation")
        _state(ws, row, "shares", _every(row, extra), extra)


_BELOW = (("iops_base", "iops_max"), ("mib_base", "mib_max"))  # of any size, the most
_SUPPLIES = (("iops_base", "iops_per_gib"), ("mib_base", "mib_per_gib"))
TAB = Tab(NAME, "rows", "input", "Your own profiles, provisioning methods, host caches, cloud shares", write, blocks)
