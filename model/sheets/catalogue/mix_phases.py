"""The phases of user groups on Lists: what each group asks for, their mix below, and the mix as a profile.

A mix's work is the sum of its groups' work, unrounded. What share of it comes from groups with a profile measured is
beside it: a joint row scales that share.
"""

from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas
from model.layout.canvas import put
from model.layout.grid import FIRST_ROW, GROUP_ROWS, MIX
from model.reading.catalogue import Phase
from model.sheets.catalogue import by_profile, measured, user_groups
from model.sheets.catalogue.mix import (
    ACTIVE,
    ACTIVE_MACHINES,
    ALL_MACHINES,
    ALL_USERS,
    FOUND,
    NO_FIGURE,
    PLACE,
    SHARE,
    UNUSED,
    Travelling,
    column_letter,
)
from model.sheets.catalogue.own_rows import MISSING
from model.sheets.catalogue.phases import MACHINES, joint_heading

# columns of the phases of the groups
_PHASE, _ROW, _IOPS, _BURST, _MINUTES, _READ, _BLOCK = 2, 3, 4, 5, 6, 7, 8
_COUNTED, _IO, _BY_DESKTOPS, _BY_WORK, _PRINTED, _MEANS = 9, 10, 11, 12, 13, 14
IOPS, MINUTES, IO = _IOPS, _MINUTES, _IO  # as the methods of the groups read them
_WEIGHT = 17  # of read shares and block sizes
PART = 16  # the work of groups with a profile measured; below, their share of all of it
LOCAL = 14  # of the first phase: whether the profile has local profiles inside, as in the rows above
_NEEDED = _ROW  # of a mix: how many groups must have a figure
_FIGURES = (_IOPS, _BURST, _MINUTES, _READ, _BLOCK)
_RATE_UNIT = "IOPS/desktop"
_UNITS = {
    **{_ROW: "count", _BURST: "ratio", _MINUTES: "min", _READ: "ratio", _BLOCK: "KiB", _COUNTED: "ratio"},
    **dict.fromkeys((_IOPS, _IO, _BY_DESKTOPS, _BY_WORK, _PRINTED, _WEIGHT), _RATE_UNIT),
    **{_MEANS: "ratio", _MEANS + 1: "KiB", PART: _RATE_UNIT},
}
_SHARES = ("Share of the users", "Share of login I/O", "Share of I/O at work")


class Phases:
    """The rows of Lists for the groups' phases, phase by phase, each with the mix below: then the mix as a profile.

    `first` is the row below the last own profile of the table, `top` the row of its first profile.
    """

    def __init__(self, first: int, top: int, phases: tuple[Phase, ...], travelling: Travelling) -> None:
        self.first, self._top, self._phases, self.travelling = first, top, phases, travelling
        self._step = len(GROUP_ROWS) + 1
        self.profile = first + self._step * len(phases)  # the first row of the mix as a profile
        self.shares = self.profile + len(phases) + 2
        self.shared = self.shares + len(GROUP_ROWS)  # the row that has all shares in words
        self._assumed = self.shared + 3  # below a blank row, with which the list begins
        self.end = self._assumed + len(by_profile.WORDS)

    def _mean(self, number: int) -> int:
        """Return the row of a phase's mix."""
        return self.first + self._step * (number + 1) - 1

    def of_boot(self, column: int, group: int | None = None) -> str:
        """Return the groups' cells of a column in boot; those of one group alone, if given, counted from 0."""
        last = self._mean([phase.key for phase in self._phases].index("boot")) - 1
        first, letter = last + 1 - len(GROUP_ROWS), column_letter(column)
        return f"${letter}${first}:${letter}${last}" if group is None else f"{letter}{first + group}"

    def write(self, ws: Worksheet, seconds_per_minute: str, window: str) -> None:
        """Write every group in every phase, the mix below each, then the mix as a profile, then the groups' shares.

        `window` is the cell of Inputs with a login window.
        """
        for number, phase in enumerate(self._phases):
            mean = self._mean(number)
            for group, row in enumerate(range(mean - len(GROUP_ROWS), mean)):
                self._group(ws, row, group, phase)
                if number == 0:
                    inside = f'=IF($I{row}=0,"{UNUSED}",{self._look(LOCAL, row)})'
                    put(ws, row, LOCAL, inside, "calculation")
                    canvas.centre(ws, row, (LOCAL,))
                if phase.key == "login":
                    self._login(ws, row, group, seconds_per_minute, window)
            self._mix(ws, mean, phase)
        for number, phase in enumerate(self._phases):
            row = self.profile + number
            mix = self.travelling.mix
            put(ws, row, 1, f'=IF(${column_letter(ALL_USERS)}${mix}=0,"nothing typed",$A${mix})', "calculation")
            put(ws, row, _PHASE, phase.label, "label")
            inside = f"${column_letter(LOCAL)}${self.first}:${column_letter(LOCAL)}${self.first + len(GROUP_ROWS) - 1}"
            unknown = f'CHOOSE(1+SIGN(COUNTIF({inside},"unknown")),"no","unknown")'
            put(ws, row, LOCAL, f'=IF(COUNTIF({inside},"yes")>0,"yes",{unknown})', "calculation")
            for column in (*_FIGURES, PART):
                figure = self._of_all(column, row)
                if column == _IOPS and phase.key == "login":  # where it is given in I/Os, as of any profile
                    excess = f"{column_letter(self.travelling.key('login_excess_ios'))}{mix}"
                    figure = f'IF(COUNT({excess})=0,{column_letter(column)}{self._mean(number)},"{MISSING}")'
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
            f"{at}${self.first}:{at}${self.profile - 1}" for at in (column_letter(column), f"${column_letter(_PHASE)}")
        )
        groups = f"ROWS($A${self.travelling.first}:$A${self.travelling.last})"
        return f"INDEX({cells},MATCH(${column_letter(_PHASE)}{row},{phases},0)+{groups})"

    def _measured(self, ws: Worksheet) -> None:
        """Write whether groups have a profile measured, and in words for how much of the load."""
        row, letter = self.profile + len(self._phases), column_letter(PART)
        put(ws, row, 1, "Groups with a profile of the tab Measured", "label")
        parts = f"{letter}{self.profile}:{letter}{row - 1}"
        put(ws, row, PART, f'=IF(SUM({parts})=0,"no group","{MIX}")', "calculation")
        keys = [phase.key for phase in self._phases]
        login, steady = (f'TEXT({letter}{self.profile + keys.index(key)},"0%")' for key in ("login", "steady"))
        words = f'{login}&" of login, "&{steady}&" of work "&{measured.WORDS}&{measured.BY_TYPE}'
        put(ws, row, PART + 1, f'=IF(SUM({parts})=0,"",{words})', "calculation")
        canvas.centre(ws, row, (PART,))

    def _excess_row(self) -> int:
        return self._mean([phase.key for phase in self._phases].index("login"))

    def excess(self) -> str:
        """Return the cell with the I/Os of a login beyond steady work where some groups give them and others IOPS."""
        return f"{column_letter(_BY_WORK)}{self._excess_row()}"

    def _excess(self, ws: Worksheet) -> None:
        row, table = self._excess_row(), self.travelling
        login, work = f"D{row}", f"D{row + self._step}"  # steady work is the phase below
        lasts = f"{column_letter(table.key('login_duration_s'))}{table.mix}"
        formula = f'=IF(COUNT({login})*COUNT({work})=0,"{NO_FIGURE}",({login}-{work})*{lasts})'
        put(ws, row, _BY_WORK, formula, "calculation", "I/O/desktop")

    def _look(self, column: int, row: int, below: str = "") -> str:
        letter = column_letter(column)
        return f"INDEX({letter}${self._top}:{letter}${self.first - 1},$C{row}{below})"

    def _group(self, ws: Worksheet, row: int, group: int, phase: Phase) -> None:
        """Write what a group asks for in a phase: found in the rows above, with the desktops that count in it."""
        put(ws, row, 1, GROUP_ROWS[group], "label")
        put(ws, row, _PHASE, phase.label, "label")
        table = self.travelling
        line = table.first + group
        phases = f"$B${self._top}:$B${self._top + len(self._phases) - 1}"
        names, places = (f"${column_letter(at)}${table.first}:${column_letter(at)}${table.last}" for at in (1, FOUND))
        weight = ACTIVE if phase.key not in MACHINES else ACTIVE_MACHINES if phase.key == "boot" else ALL_MACHINES
        iops, minutes, counted = f"D{row}", f"F{row}", f"$I{row}"
        formulas = {
            _ROW: f"=MAX(1,(SUM(INDEX({places},MATCH(A{row},{names},0)))-1)*ROWS({phases})+MATCH(B{row},{phases},0))",
            _COUNTED: f"={column_letter(SHARE[weight])}{line}",
            _IO: f"={counted}*SUM({iops})*CHOOSE(1+COUNT({minutes}),1,{minutes})",
            _WEIGHT: f"={column_letter(_IO)}{row}",
        }
        for column in _FIGURES:
            here = self._look(column, row)
            at = _PRINTED if column == _IOPS and phase.key == "login" else column
            formulas[at] = f'=IF({counted}*COUNT({here})=0,"{MISSING}",{here})'
        profile = f"INDEX({user_groups.area(user_groups.PROFILE)},MATCH(A{row},{names},0))"
        formulas[PART] = f"=IF(COUNTIF({measured.PROFILES},{profile})>0,J{row},0)"
        for column, formula in formulas.items():
            put(ws, row, column, formula, "calculation", _UNITS[column])
        canvas.centre(ws, row, range(_ROW, _PRINTED + 1))

    def _login(self, ws: Worksheet, row: int, group: int, seconds: str, window: str) -> None:
        """Write the login of a group in IOPS over its busy period, also where its profile gives it in I/Os."""
        table = self.travelling
        line = table.first + group
        excess, lasts = (f"{column_letter(table.key(key))}{line}" for key in ("login_excess_ios", "login_duration_s"))
        work = self._look(_IOPS, row, "+1")  # steady work is the phase below
        by_work = f'=IF(COUNT({excess})*COUNT({work})*$I{row}=0,"{MISSING}",{excess}/{lasts}+{work})'
        put(ws, row, _BY_WORK, by_work, "calculation", _RATE_UNIT)
        put(ws, row, _IOPS, f"=CHOOSE(1+COUNT(L{row}),M{row},L{row})", "calculation", _RATE_UNIT)
        put(ws, row, _MINUTES, f'=IF($I{row}=0,"{MISSING}",{lasts}/{seconds})', "calculation", "min")
        # In the busy period of all groups the work of a group goes on where its own is shorter. Read share and block
        # size of the mix are those of the peak, where others work: they are weighted by the load through the window.
        steady, busy = f"SUM(D{row + self._step})", f"SUM(F${self._excess_row()})"
        usual = f"{column_letter(table.key('login_window_min'))}${table.mix}"
        working = f"MAX(0,SUM(CHOOSE(1+COUNT({window}),{usual},{window}))-{busy})"
        ios = f"SUM(D{row})*SUM(F{row})-COUNT(D{row})*{steady}*(SUM(F{row})-{busy})"
        put(ws, row, _IO, f"=$I{row}*MAX(0,{ios})", "calculation", _RATE_UNIT)
        put(ws, row, _WEIGHT, f"=J{row}+$I{row}*{steady}*{working}", "calculation", _RATE_UNIT)
        canvas.centre(ws, row, range(_ROW, _PRINTED + 1))

    def _mix(self, ws: Worksheet, row: int, phase: Phase) -> None:
        """Write all groups together in a phase."""
        first, last, mix = row - len(GROUP_ROWS), row - 1, self.travelling.mix

        def of(column: int, fixed: str = "") -> str:
            return f"{fixed}{column_letter(column)}{first}:{fixed}{column_letter(column)}{last}"

        put(ws, row, 1, "All groups", "label")
        put(ws, row, _PHASE, phase.label, "label")
        lacking = f"${column_letter(FOUND)}${mix}-${column_letter(PLACE)}${mix}"
        needed, minutes = f"$C{row}", f"F{row}"
        formulas = {
            _NEEDED: f'=MAX(1,COUNTIF({of(_COUNTED)},">0")+{lacking})',
            _COUNTED: f"=SUM({of(_COUNTED)})",
            _IO: f"=SUM({of(_IO)})",
            _WEIGHT: f"=SUM({of(_WEIGHT)})",
            _MINUTES: f"={column_letter(_PRINTED)}{row}",
            _IOPS: f"CHOOSE(1+COUNT({minutes})*SIGN(J{row}),K{row},K{row}*(J{row}/(K{row}*{minutes})))",
            PART: f"=IF(J{row}=0,0,SUM({of(PART)})/J{row})",
            _BURST: f'=IF(COUNT({of(_BURST)})=0,"{MISSING}",MAX({of(_BURST)}))',
        }
        for mean, column in ((_BY_DESKTOPS, _IOPS), (_PRINTED, _MINUTES), (_MEANS, _READ), (_MEANS + 1, _BLOCK)):
            by_desktops = f"SUMPRODUCT({of(_COUNTED, '$')},{of(column)})"
            figure = f'=IF(COUNT({of(column)})<{needed},"{MISSING}",{by_desktops})'
            put(ws, row, mean, figure, "calculation", _UNITS[column])
            at = f"{column_letter(mean)}{row}"
            if column in (_READ, _BLOCK):
                by_work = f"{at}*(SUMPRODUCT({of(_WEIGHT, '$')},{of(column)})/({at}*$Q{row}))"
                formulas[column] = f"=IF($Q{row}*SUM({at})=0,{at},{by_work})"
        for column, formula in formulas.items():
            known = formula.startswith("=")
            whole = formula if known else f'=IF(COUNT({of(column)})<{needed},"{MISSING}",{formula})'
            put(ws, row, column, whole, "calculation", "ratio" if column == PART else _UNITS[column])
        canvas.centre(ws, row, range(_ROW, _MEANS + 2))

    def _share(self, ws: Worksheet) -> None:
        """Write the share of every group in what is asked, and all of that in words."""
        headings = ["Share of each group", *_SHARES, "In words"]
        canvas.table_head(ws, self.shares - 1, "What each group asks for", headings, range(2, 5))
        table = self.travelling
        rows = {phase.key: self.first + self._step * number for number, phase in enumerate(self._phases)}
        for group, row in enumerate(range(self.shares, self.shares + len(GROUP_ROWS))):
            name = user_groups.cell(1, FIRST_ROW + group)
            put(ws, row, 1, f"=IF(LEN({name})>0,{name},A{table.first + group})", "calculation")
            shares = {2: f"{column_letter(SHARE[ALL_USERS])}{table.first + group}"}
            for column, key in ((3, "login"), (4, "steady")):
                part, whole = f"J{rows[key] + group}", f"J${rows[key] + len(GROUP_ROWS)}"
                iops = f"{part},{whole}".replace("J", column_letter(_IOPS))
                # where a group's profile lacks the figure, nobody's share of it is known
                shares[column] = f'CHOOSE(1+COUNT({iops}),"no figure","some",IF({whole}=0,0,{part}/{whole}))'
            for column, share in shares.items():
                put(ws, row, column, f"={share}", "calculation", "ratio")
                ws.cell(row, column).number_format = "0%"
                canvas.centre(ws, row, (column,))
            shown = (f'TEXT({letter}{row},"0%")' for letter in "BCD")
            words = 'A{3}&" "&{0}&" of users, "&{1}&" of login, "&{2}&" of work"'.format(*shown, row)
            put(ws, row, 5, f'=IF(B{row}=0,"",{words})', "calculation")
            put(ws, row, 6, f'=F{row - 1}&REPT("; ",SIGN(LEN(F{row - 1})*LEN(E{row})))&E{row}', "calculation")

        said = f"{column_letter(PART + 1)}{self.profile + len(self._phases)}"
        put(ws, self.shared, 6, f'=F{self.shared - 1}&REPT("; "&{said},SIGN(LEN({said})))', "calculation")

    def assumed(self) -> str:
        """Return the cell that names each figure once that the profile of a group assumes."""
        return f"B{self.end - 1}"

    def _assume(self, ws: Worksheet) -> None:
        """Write for every figure whether the profile of a group assumes it."""
        headings = ["Figure", "Assumed by a group, with those above"]
        canvas.table_head(ws, self._assumed - 2, "What profiles of the groups assume", headings)
        for row, word in enumerate(by_profile.WORDS, self._assumed):
            put(ws, row, 1, word, "label")
            named, every = f'", "&A{row}', self.travelling.assumed
            own = f'IF(EXACT(SUBSTITUTE({every},{named},""),{every}),"",{named})'
            put(ws, row, 2, f"=B{row - 1}&{own}", "calculation")
