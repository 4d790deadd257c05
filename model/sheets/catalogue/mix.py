"""The profile that user groups make together, on Lists: loads add, whatever the groups' profiles are.

A desktop of the mix asks for the mean of the groups' figures, weighted by the desktops that count in a phase: so the
loads of all groups add up, unrounded. Read shares and block sizes are weighted by I/O. A figure that one group lacks is
not published for the mix: a sum without it would be too small.
"""

from collections.abc import Mapping

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas
from model.layout.canvas import put
from model.layout.grid import FIRST_ROW, GROUP_ROWS, MIX, Block
from model.layout.grid import LISTS as NAME
from model.reading.catalogue import Phase
from model.sheets.catalogue import by_profile, measured, user_groups
from model.sheets.catalogue.own_rows import MISSING
from model.sheets.catalogue.phases import MACHINES, joint_heading

_UNUSED = "not in use"
NO_FIGURE = "none of its own"
# columns right of what travels with a profile
FOUND, PLACE, ALL_USERS, ACTIVE, ALL_MACHINES, ACTIVE_MACHINES, LARGEST = range(19, 26)
_SHARES_FROM = 26
SHARE = {column: _SHARES_FROM + n for n, column in enumerate((ACTIVE, ALL_MACHINES, ACTIVE_MACHINES))}
_WEIGHTS = {
    FOUND: "Place of the profile, count",
    PLACE: "Row looked up, count",
    ALL_USERS: "Users of the group, desktops",
    ACTIVE: "At work, desktops",
    ALL_MACHINES: "Machines, count",
    ACTIVE_MACHINES: "Machines in use, count",
    LARGEST: "Place of the largest group, count",
}
_TYPED = {"ram_gib": (29, user_groups.MEMORY), "disk_gib": (30, user_groups.DISK)}  # a group's own before its profile's
_OF_SHARES = ("Share at work, ratio", "Share of machines, ratio", "Share of machines in use, ratio")
HEADINGS = (*_WEIGHTS.values(), *_OF_SHARES, "Memory as typed, GiB", "Disk as typed, GiB")
_OLDEST = "year"  # also where another group has none: an old profile is not hidden by one without a date
_LOWEST = (_OLDEST, "start_rate_per_min", "login_window_min")  # one broker serves all
_HIGHEST = ("image_gib",)
_BY_MACHINE = ("ram_gib", "write_cache_gib", "disk_gib")
_OWN_ALONE = ("year", "vcpus", "login_excess_ios", "logoff_ios")  # no general default stands in for them


def _letter(column: int) -> str:
    return str(get_column_letter(column))


class Travelling:
    """The rows of Lists for the groups and their mix, in the table of what travels with a profile.

    `first` is the row of the first group; the rows above it, from FIRST_ROW on, hold the general default, the
    catalogue's profiles and the user's own.
    """

    def __init__(self, first: int, units: Mapping[str, str]) -> None:
        self.first, self.last = first, first + len(GROUP_ROWS) - 1
        self.mix = self.last + 1
        self._above = first - 1
        self._column = {key: column for column, key in enumerate(units, 2)}
        self._units = units

    def of(self, column: int) -> str:
        """Return the groups' cells of a column."""
        return f"{_letter(column)}{self.first}:{_letter(column)}{self.last}"

    def borrowed(self, key: str) -> Block:
        """Return the cell that names the mix where a group takes the general default of a figure."""
        return Block(NAME, self.mix + 1, self.mix + 1, self._column[key], self._column[key])

    def total(self, column: int) -> Block:
        """Return the cell that counts the users or machines of all groups."""
        return Block(NAME, self.mix, self.mix, column, column)

    def key(self, key: str) -> int:
        """Return the column of a figure."""
        return self._column[key]

    def write(self, ws: Worksheet, excess: str, once: str) -> None:
        """Write what each group takes from its profile, and below it the mix.

        `excess` and `once` are the cells of `Phases.excess` and `Phases.assumed`.
        """
        for number, row in enumerate(range(self.first, self.last + 1)):
            put(ws, row, 1, GROUP_ROWS[number], "label")
            self._weights(ws, row, FIRST_ROW + number)
            for key, column in self._column.items():
                self._group_figure(ws, row, column, key)
        put(ws, self.mix, 1, MIX, "label")
        put(ws, self.mix, FOUND, f'=COUNTIF({user_groups.area(user_groups.USERS)},">0")', "calculation", "count")
        put(ws, self.mix, PLACE, f'=COUNTIF({self.of(ALL_USERS)},">0")', "calculation", "count")
        for column in range(ALL_USERS, ACTIVE_MACHINES + 1):
            put(ws, self.mix, column, f"=SUM({self.of(column)})", "calculation", "count")
        largest = f"=MATCH(MAX({self.of(ALL_USERS)}),{self.of(ALL_USERS)},0)"
        put(ws, self.mix, LARGEST, largest, "calculation", "count")
        for key, column in self._column.items():
            self._mix_figure(ws, column, key, excess)
            if key not in _OWN_ALONE:
                letter = _letter(column)
                borrowed = f"COUNTIF({self.of(column)},{letter}${FIRST_ROW})"
                put(ws, self.mix + 1, column, f'=IF({borrowed}>0,$A{self.mix},"none")', "calculation")
                canvas.centre(ws, self.mix + 1, (column,))
        put(ws, self.mix + 1, 1, "With a general default of a group", "label")
        self._of_profile(ws, 2 + len(self._column), once)

    def _of_profile(self, ws: Worksheet, column: int, once: str) -> None:
        """Write whether no group is in use, what the profiles were measured under, and what they assume."""
        users, place = f"${_letter(ALL_USERS)}", f"${_letter(PLACE)}"
        put(ws, self.mix, column, f"=1-SIGN({users}{self.mix})", "calculation", "flag")
        under, assumed = column + 1, column + 4
        for row in range(self.first, self.mix):
            for at in (under, assumed):
                letter = _letter(at)
                own = f"INDEX({letter}${FIRST_ROW}:{letter}${self._above},{place}{row})"
                text = f"REPT({own},SIGN({users}{row}))"
                if at == assumed:
                    text = f"{letter}{row - 1}&{text}"
                put(ws, row, at, f"={text}", "calculation")
        largest = f"INDEX({self.of(under)},{_letter(LARGEST)}{self.mix})"
        together = f"COUNTIF({self.of(under)},{largest})=${_letter(FOUND)}{self.mix}"
        put(ws, self.mix, under, f'=IF({together},{largest},"several methods")', "calculation")
        put(ws, self.mix, assumed, f"={once}", "calculation")

    @property
    def assumed(self) -> str:
        """Return the cell that joins what the groups' profiles assume, a figure once for each group."""
        return f"${_letter(2 + len(self._column) + 4)}${self.last}"

    def _weights(self, ws: Worksheet, row: int, typed: int) -> None:
        """Write where the group's profile is, and how many users and machines the group has."""
        users, share, profile = (
            user_groups.cell(column, typed) for column in (user_groups.USERS, user_groups.AT_WORK, user_groups.PROFILE)
        )
        names = f"$A${FIRST_ROW + 1}:$A${self._above}"
        found, all_users, active = (f"{_letter(column)}{row}" for column in (FOUND, ALL_USERS, ACTIVE))
        per_vm = f"{_letter(self.key('users_per_vm'))}{row}"
        formulas = {
            FOUND: f'=IFERROR(MATCH({profile},{names},0),"none")',
            PLACE: f"=IF(COUNT({found})=0,1,{found}+1)",
            ALL_USERS: f"=COUNT({found})*MAX(0,SUM({users}))",
            ACTIVE: f"={all_users}*IF(COUNT({share})=0,1,MAX(0,MIN(1,{share})))",
            ALL_MACHINES: f"={all_users}/MAX(1,SUM({per_vm}))",
            ACTIVE_MACHINES: f"={active}/MAX(1,SUM({per_vm}))",
        }
        for column, formula in formulas.items():
            put(ws, row, column, formula, "calculation", "count")
        for column, at in SHARE.items():  # of one group alone exactly 1: the mix is its profile to the last bit
            part, whole = f"{_letter(column)}{row}", f"{_letter(column)}${self.mix}"
            put(ws, row, at, f"=IF({whole}=0,0,{part}/{whole})", "calculation", "ratio")
        canvas.centre(ws, row, range(FOUND, _SHARES_FROM + len(SHARE) + len(_TYPED)))

    @property
    def under(self) -> int:
        """The column of what the profiles were measured under."""
        return 2 + len(self._column) + 1

    def _group_figure(self, ws: Worksheet, row: int, column: int, key: str) -> None:
        letter = _letter(column)
        found = f"INDEX({letter}${FIRST_ROW}:{letter}${self._above},${_letter(PLACE)}{row})"
        users = f"${_letter(ALL_USERS)}{row}"
        formula = f'=IF({users}*COUNT({found})=0,"{NO_FIGURE}",{found})'
        if key not in _OWN_ALONE:
            general = f"{letter}${FIRST_ROW}"
            formula = f'=IF({users}=0,"{_UNUSED}",CHOOSE(1+COUNT({found}),{general},{found}))'
        if key in _TYPED:
            at, field = _TYPED[key]
            own, typed = f"${_letter(at)}{row}", user_groups.cell(field, FIRST_ROW + row - self.first)
            put(ws, row, at, f'=IF(COUNTIF({typed},">=0")=0,"",{typed})', "calculation", self._units[key])
            which = f"1+COUNT({found})+COUNT({own},{own})"
            formula = f'=IF({users}=0,"{_UNUSED}",CHOOSE({which},{general},{found},{own},{own}))'
        put(ws, row, column, formula, "calculation", self._units[key])
        canvas.centre(ws, row, (column,))

    def _mix_figure(self, ws: Worksheet, column: int, key: str, excess: str) -> None:
        cells, users = self.of(column), f"${_letter(FOUND)}{self.mix}"

        def mean(weight: int) -> str:
            letter = f"${_letter(SHARE[weight])}"
            return f"SUMPRODUCT({letter}{self.first}:{letter}{self.last},{cells})"

        if key in _LOWEST:
            figure = f"MIN({cells})"
        elif key in _HIGHEST:
            figure = f"MAX({cells})"
        elif key in _BY_MACHINE:
            figure = mean(ALL_MACHINES)
        elif key == "users_per_vm":
            figure = f"SUM({self.of(ALL_USERS)})/SUM({self.of(ALL_MACHINES)})"
        else:
            figure = mean(ACTIVE)
        if key == "login_excess_ios":  # of some groups only: all of them by the phases, below
            some = f"SIGN({users}-COUNT({cells}))"
            formula = f'=IF(COUNT({cells})=0,"{NO_FIGURE}",CHOOSE(1+{some},{figure},{excess}))'
            put(ws, self.mix, column, formula, "calculation", self._units[key])
            canvas.centre(ws, self.mix, (column,))
            return
        needed = "1" if key == _OLDEST else f"MAX(1,{users})"
        formula = f'=IF(COUNT({cells})<{needed},"{NO_FIGURE}",{figure})'
        put(ws, self.mix, column, formula, "calculation", self._units[key])
        canvas.centre(ws, self.mix, (column,))


# columns of the phases of the groups
_PHASE, _ROW, _IOPS, _BURST, _MINUTES, _READ, _BLOCK = 2, 3, 4, 5, 6, 7, 8
_COUNTED, _IO, _RATE, _BY_WORK, _PRINTED, _MEANS = 9, 10, 11, 12, 13, 14
PART = 16  # the work of groups with the profile measured; below, their share of all of it
LOCAL = 14  # of the first phase: whether the profile has local profiles inside, as in the rows above
_NEEDED = _ROW  # of a mix: how many groups must have a figure
_FIGURES = (_IOPS, _BURST, _MINUTES, _READ, _BLOCK)
_RATE_UNIT = "IOPS/desktop"
_UNITS = {
    **{_ROW: "count", _BURST: "ratio", _MINUTES: "min", _READ: "ratio", _BLOCK: "KiB", _COUNTED: "ratio"},
    **dict.fromkeys((_IOPS, _IO, _RATE, _BY_WORK, _PRINTED), _RATE_UNIT),
    **{_MEANS: "ratio", _MEANS + 1: "KiB", PART: _RATE_UNIT},
}
_SHARES = ("Share of the users", "Share of login I/O", "Share of I/O at work")


class Phases:
    """The rows of Lists for the groups' phases, phase by phase, each with the mix below: then the mix as a profile.

    `first` is the row below the last own profile of the table, `top` the row of its first profile.
    """

    def __init__(self, first: int, top: int, phases: tuple[Phase, ...], travelling: Travelling) -> None:
        self.first, self._top, self._phases, self._travelling = first, top, phases, travelling
        self._step = len(GROUP_ROWS) + 1
        self.profile = first + self._step * len(phases)  # the first row of the mix as a profile
        self.shares = self.profile + len(phases) + 2
        self.shared = self.shares + len(GROUP_ROWS)  # the row that has all shares in words
        self._assumed = self.shared + 2
        self.end = self._assumed + len(by_profile.WORDS)

    def _mean(self, number: int) -> int:
        """Return the row of a phase's mix."""
        return self.first + self._step * (number + 1) - 1

    def write(self, ws: Worksheet, seconds_per_minute: str) -> None:
        """Write every group in every phase, the mix below each, then the mix as a profile, then the groups' shares."""
        for number, phase in enumerate(self._phases):
            mean = self._mean(number)
            for group, row in enumerate(range(mean - len(GROUP_ROWS), mean)):
                self._group(ws, row, group, phase)
                if number == 0:
                    inside = f'=IF($I{row}=0,"{_UNUSED}",{self._look(LOCAL, row)})'
                    put(ws, row, LOCAL, inside, "calculation")
                    canvas.centre(ws, row, (LOCAL,))
                if phase.key == "login":
                    self._login(ws, row, group, seconds_per_minute)
            self._mix(ws, mean, phase)
        for number, phase in enumerate(self._phases):
            row = self.profile + number
            mix = self._travelling.mix
            put(ws, row, 1, f'=IF(${_letter(ALL_USERS)}${mix}=0,"nothing typed",$A${mix})', "calculation")
            put(ws, row, _PHASE, phase.label, "label")
            inside = f"${_letter(LOCAL)}${self.first}:${_letter(LOCAL)}${self.first + len(GROUP_ROWS) - 1}"
            unknown = f'CHOOSE(1+SIGN(COUNTIF({inside},"unknown")),"no","unknown")'
            put(ws, row, LOCAL, f'=IF(COUNTIF({inside},"yes")>0,"yes",{unknown})', "calculation")
            for column in (*_FIGURES, PART):
                figure = self._of_all(column, row)
                if column == _IOPS and phase.key == "login":  # where it is given in I/Os, as of any profile
                    excess = f"{_letter(self._travelling.key('login_excess_ios'))}{mix}"
                    figure = f'IF(COUNT({excess})=0,{_letter(column)}{self._mean(number)},"{MISSING}")'
                put(ws, row, column, f"={figure}", "calculation", "ratio" if column == PART else _UNITS[column])
            put(ws, row, PART + 1, joint_heading(phase.key), "label")
            canvas.centre(ws, row, (*_FIGURES, LOCAL))
        self._measured(ws)
        self._excess(ws)
        self._share(ws)
        self._assume(ws)

    def _of_all(self, column: int, row: int) -> str:
        """Return the formula of a figure of all groups in the phase that a row of the mix names."""
        cells, phases = (
            f"{at}${self.first}:{at}${self.profile - 1}" for at in (_letter(column), f"${_letter(_PHASE)}")
        )
        groups = f"ROWS($A${self._travelling.first}:$A${self._travelling.last})"
        return f"INDEX({cells},MATCH(${_letter(_PHASE)}{row},{phases},0)+{groups})"

    def _measured(self, ws: Worksheet) -> None:
        """Write whether groups have the profile measured, and in words for how much of the load."""
        row, letter = self.profile + len(self._phases), _letter(PART)
        put(ws, row, 1, "Groups with the profile of the tab Measured", "label")
        parts = f"{letter}{self.profile}:{letter}{row - 1}"
        put(ws, row, PART, f'=IF(SUM({parts})=0,"no group","{MIX}")', "calculation")
        keys = [phase.key for phase in self._phases]
        login, steady = (f'TEXT({letter}{self.profile + keys.index(key)},"0%")' for key in ("login", "steady"))
        words = f'{login}&" of login, "&{steady}&" of work "&{measured.WORDS}'
        put(ws, row, PART + 1, f'=IF(SUM({parts})=0,"",{words})', "calculation")
        canvas.centre(ws, row, (PART,))

    def _excess_row(self) -> int:
        return self._mean([phase.key for phase in self._phases].index("login"))

    def excess(self) -> str:
        """Return the cell with the I/Os of a login beyond steady work where some groups give them and others IOPS."""
        return f"{_letter(_PRINTED)}{self._excess_row()}"

    def _excess(self, ws: Worksheet) -> None:
        row, table = self._excess_row(), self._travelling
        login, work = f"D{row}", f"D{row + self._step}"  # steady work is the phase below
        lasts = f"{_letter(table.key('login_duration_s'))}{table.mix}"
        formula = f'=IF(COUNT({login})*COUNT({work})=0,"{NO_FIGURE}",({login}-{work})*{lasts})'
        put(ws, row, _PRINTED, formula, "calculation", "I/O/desktop")

    def _look(self, column: int, row: int, below: str = "") -> str:
        letter = _letter(column)
        return f"INDEX({letter}${self._top}:{letter}${self.first - 1},$C{row}{below})"

    def _group(self, ws: Worksheet, row: int, group: int, phase: Phase) -> None:
        """Write what a group asks for in a phase: found in the rows above, with the desktops that count in it."""
        put(ws, row, 1, GROUP_ROWS[group], "label")
        put(ws, row, _PHASE, phase.label, "label")
        table = self._travelling
        line = table.first + group
        phases = f"$B${self._top}:$B${self._top + len(self._phases) - 1}"
        names, places = (f"${_letter(at)}${table.first}:${_letter(at)}${table.last}" for at in (1, FOUND))
        weight = ACTIVE if phase.key not in MACHINES else ACTIVE_MACHINES if phase.key == "boot" else ALL_MACHINES
        iops, minutes, counted = f"D{row}", f"F{row}", f"$I{row}"
        formulas = {
            _ROW: f"=MAX(1,(SUM(INDEX({places},MATCH(A{row},{names},0)))-1)*ROWS({phases})+MATCH(B{row},{phases},0))",
            _COUNTED: f"={_letter(SHARE[weight])}{line}",
            _IO: f"={counted}*SUM({iops})*CHOOSE(1+COUNT({minutes}),1,{minutes})",
            _RATE: f"={counted}*SUM({iops})",
        }
        for column in _FIGURES:
            here = self._look(column, row)
            at = _PRINTED if column == _IOPS and phase.key == "login" else column
            formulas[at] = f'=IF({counted}*COUNT({here})=0,"{MISSING}",{here})'
        profile = f"INDEX({user_groups.area(user_groups.PROFILE)},MATCH(A{row},{names},0))"
        formulas[PART] = f"=IF(EXACT({profile},{measured.PROFILE}),J{row},0)"
        for column, formula in formulas.items():
            put(ws, row, column, formula, "calculation", _UNITS[column])
        canvas.centre(ws, row, range(_ROW, _PRINTED + 1))

    def _login(self, ws: Worksheet, row: int, group: int, seconds: str) -> None:
        """Write the login of a group in IOPS over its busy period, also where its profile gives it in I/Os."""
        table = self._travelling
        line = table.first + group
        excess, lasts = (f"{_letter(table.key(key))}{line}" for key in ("login_excess_ios", "login_duration_s"))
        work = self._look(_IOPS, row, "+1")  # steady work is the phase below
        by_work = f'=IF(COUNT({excess})*COUNT({work})*$I{row}=0,"{MISSING}",{excess}/{lasts}+{work})'
        put(ws, row, _BY_WORK, by_work, "calculation", _RATE_UNIT)
        put(ws, row, _IOPS, f"=CHOOSE(1+COUNT(L{row}),M{row},L{row})", "calculation", _RATE_UNIT)
        put(ws, row, _MINUTES, f'=IF($I{row}=0,"{MISSING}",{lasts}/{seconds})', "calculation", "min")
        canvas.centre(ws, row, range(_ROW, _PRINTED + 1))

    def _mix(self, ws: Worksheet, row: int, phase: Phase) -> None:
        """Write all groups together in a phase."""
        first, last, mix = row - len(GROUP_ROWS), row - 1, self._travelling.mix

        def of(column: int, fixed: str = "") -> str:
            return f"{fixed}{_letter(column)}{first}:{fixed}{_letter(column)}{last}"

        put(ws, row, 1, "All groups", "label")
        put(ws, row, _PHASE, phase.label, "label")
        lacking = f"${_letter(FOUND)}${mix}-${_letter(PLACE)}${mix}"
        needed, minutes = f"$C{row}", f"F{row}"
        formulas = {
            _NEEDED: f'=MAX(1,COUNTIF({of(_COUNTED)},">0")+{lacking})',
            _COUNTED: f"=SUM({of(_COUNTED)})",
            _IO: f"=SUM({of(_IO)})",
            _RATE: f"=SUM({of(_RATE)})",
            _BY_WORK: f"=SIGN(J{row})",
            _MINUTES: f"SUMPRODUCT({of(_COUNTED)},{of(_MINUTES)})",
            _IOPS: f"CHOOSE(1+COUNT({minutes})*L{row},K{row},K{row}*(J{row}/(K{row}*{minutes})))",
            PART: f"=IF(J{row}=0,0,SUM({of(PART)})/J{row})",
            _BURST: f'=IF(COUNT({of(_BURST)})=0,"{MISSING}",MAX({of(_BURST)}))',
        }
        for n, column in enumerate((_READ, _BLOCK)):
            mean = _MEANS + n
            by_desktops = f"SUMPRODUCT({of(_COUNTED, '$')},{of(column)})"
            put(
                ws,
                row,
                mean,
                f'=IF(COUNT({of(column)})<{needed},"{MISSING}",{by_desktops})',
                "calculation",
                _UNITS[mean],
            )
            at = f"{_letter(mean)}{row}"
            by_work = f"{at}*(SUMPRODUCT({of(_IO, '$')},{of(column)})/({at}*$J{row}))"
            formulas[column] = f"=IF($L{row}*SUM({at})=0,{at},{by_work})"
        for column, formula in formulas.items():
            known = formula.startswith("=")
            whole = formula if known else f'=IF(COUNT({of(column)})<{needed},"{MISSING}",{formula})'
            put(ws, row, column, whole, "calculation", "ratio" if column == PART else _UNITS[column])
        canvas.centre(ws, row, range(_ROW, _MEANS + 2))

    def _share(self, ws: Worksheet) -> None:
        """Write the share of every group in what is asked, and all of that in words."""
        headings = ["Share of each group", *_SHARES, "In words"]
        canvas.table_head(ws, self.shares - 1, "What each group asks for", headings, range(2, 5))
        table = self._travelling
        rows = {phase.key: self.first + self._step * number for number, phase in enumerate(self._phases)}
        for group, row in enumerate(range(self.shares, self.shares + len(GROUP_ROWS))):
            name = user_groups.cell(1, FIRST_ROW + group)
            put(ws, row, 1, f"=IF(LEN({name})>0,{name},A{table.first + group})", "calculation")
            users = _letter(ALL_USERS)
            parts = {2: (f"{users}{table.first + group}", f"{users}${table.mix}")}
            for column, key in ((3, "login"), (4, "steady")):
                parts[column] = (f"J{rows[key] + group}", f"J${rows[key] + len(GROUP_ROWS)}")
            for column, (part, whole) in parts.items():
                put(ws, row, column, f"=IF({whole}=0,0,{part}/{whole})", "calculation", "ratio")
                ws.cell(row, column).number_format = "0%"
            shown = (f'TEXT({letter}{row},"0%")' for letter in "BCD")
            words = 'A{3}&" "&{0}&" of users, "&{1}&" of login, "&{2}&" of work"'.format(*shown, row)
            put(ws, row, 5, f'=IF(B{row}=0,"",{words})', "calculation")
            put(ws, row, 6, f'=F{row - 1}&REPT("; ",SIGN(LEN(F{row - 1})*LEN(E{row})))&E{row}', "calculation")

        said = f"{_letter(PART + 1)}{self.profile + len(self._phases)}"
        put(ws, self.shared, 6, f'=F{self.shared - 1}&REPT("; "&{said},SIGN(LEN({said})))', "calculation")

    def assumed(self) -> str:
        """Return the cell that names each figure once that the profile of a group assumes."""
        return f"C{self.end - 1}"

    def _assume(self, ws: Worksheet) -> None:
        """Write for every figure whether the profile of a group assumes it."""
        headings = ["Figure", "Assumed by a group"]
        canvas.table_head(ws, self._assumed - 1, "What profiles of the groups assume", headings)
        for row, word in enumerate(by_profile.WORDS, self._assumed):
            put(ws, row, 1, word, "label")
            named, every = f'", "&A{row}', self._travelling.assumed
            put(ws, row, 2, f'=IF(EXACT(SUBSTITUTE({every},{named},""),{every}),"",{named})', "calculation")
            put(ws, row, 3, f"=C{row - 1}&B{row}", "calculation")
