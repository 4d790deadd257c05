"""The profile that user groups make together, on Lists: loads add, whatever the groups' profiles are.

A desktop of the mix asks for the mean of the groups' figures, weighted by the desktops that count in a phase: so the
loads of all groups add up, unrounded. Read shares and block sizes are weighted by I/O. A figure that one group lacks is
not published for the mix: a sum without it would be too small.
"""

from collections.abc import Mapping

from openpyxl.utils import get_column_letter
from openpyxl.utils.cell import absolute_coordinate
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas
from model.layout.canvas import put
from model.layout.grid import FIRST_ROW, GROUP_ROWS, MIX, Block, Layout, quoted
from model.layout.grid import LISTS as NAME
from model.sheets.catalogue import user_groups

UNUSED = "not in use"
NO_FIGURE = "none of its own"
# columns right of what travels with a profile
FOUND, PLACE, ALL_USERS, ACTIVE, ALL_MACHINES, ACTIVE_MACHINES, LARGEST = range(19, 26)
_SHARES_FROM = 26
SHARE = {column: _SHARES_FROM + n for n, column in enumerate((ALL_USERS, ACTIVE, ALL_MACHINES, ACTIVE_MACHINES))}
_WEIGHTS = {
    FOUND: "Place of the profile, count",
    PLACE: "Row looked up, count",
    ALL_USERS: "Users of the group, desktops",
    ACTIVE: "At work, desktops",
    ALL_MACHINES: "Machines, count",
    ACTIVE_MACHINES: "Machines in use, count",
    LARGEST: "Place of the largest group, count",
}
_TYPED = {"ram_gib": (30, user_groups.MEMORY), "disk_gib": (31, user_groups.DISK)}  # a group's own before its profile's
_OF_SHARES = (
    *("Share of all users, ratio", "Share at work, ratio"),
    *("Share of machines, ratio", "Share of machines in use, ratio"),
)
HEADINGS = (*_WEIGHTS.values(), *_OF_SHARES, "Memory as typed, GiB", "Disk as typed, GiB")
_LOWEST = ("year", "login_window_min")  # also where a group has none: it hides no old profile
_HIGHEST = ("image_gib",)
_BY_MACHINE = ("ram_gib", "write_cache_gib", "disk_gib")
_OWN_ALONE = ("year", "vcpus", "login_excess_ios", "logoff_ios")  # no general default stands in for them


def column_letter(column: int) -> str:
    return str(get_column_letter(column))


# inputs whose base cells weigh the groups: a what-if that types one is an alert
WEIGHING = ("write_cache_gib", "disk_gib", "write_cache_used_ratio", "disk_used_ratio", "login_window_min")


def typed(layout: Layout, key: str) -> str:
    """Return the cell of an input of the base design, one of WEIGHING, for a formula: what-ifs have the same groups."""
    sheet, cell = layout.typed(WEIGHING[WEIGHING.index(key)])
    return f"{quoted(sheet)}!{absolute_coordinate(cell)}"


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
        return f"{column_letter(column)}{self.first}:{column_letter(column)}{self.last}"

    def borrowed(self, key: str) -> Block:
        """Return the cell that names the mix where a group takes the general default of a figure."""
        return Block(NAME, self.mix + 1, self.mix + 1, self._column[key], self._column[key])

    def total(self, column: int) -> Block:
        """Return the cell that counts the users or machines of all groups."""
        return Block(NAME, self.mix, self.mix, column, column)

    def cells(self, column: int) -> Block:
        """Return the groups' cells of a column as other sheets name them."""
        return Block(NAME, self.first, self.last, column, column)

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
                letter = column_letter(column)
                borrowed = f"COUNTIF({self.of(column)},{letter}${FIRST_ROW})"
                put(ws, self.mix + 1, column, f'=IF({borrowed}>0,$A{self.mix},"none")', "calculation")
                canvas.centre(ws, self.mix + 1, (column,))
        put(ws, self.mix + 1, 1, "With a general default of a group", "label")
        self._of_profile(ws, 2 + len(self._column), once)

    def _of_profile(self, ws: Worksheet, column: int, once: str) -> None:
        """Write whether no group is in use, what the profiles were measured under, and what they assume."""
        users, place = f"${column_letter(ALL_USERS)}", f"${column_letter(PLACE)}"
        put(ws, self.mix, column, f"=1-SIGN({users}{self.mix})", "calculation", "flag")
        under, assumed = column + 1, column + 4
        for row in range(self.first, self.mix):
            for at in (under, assumed):
                letter = column_letter(at)
                own = f"INDEX({letter}${FIRST_ROW}:{letter}${self._above},{place}{row})"
                text = f"REPT({own},SIGN({users}{row}))"
                if at == assumed:
                    text = f"{letter}{row - 1}&{text}"
                put(ws, row, at, f"={text}", "calculation")
        largest = f"INDEX({self.of(under)},{column_letter(LARGEST)}{self.mix})"
        together = f"COUNTIF({self.of(under)},{largest})=${column_letter(FOUND)}{self.mix}"
        put(ws, self.mix, under, f'=IF({together},{largest},"several methods")', "calculation")
        put(ws, self.mix, assumed, f"={once}", "calculation")

    @property
    def assumed(self) -> str:
        """Return the cell that joins what the groups' profiles assume, a figure once for each group."""
        return f"${column_letter(2 + len(self._column) + 4)}${self.last}"

    def _weights(self, ws: Worksheet, row: int, typed: int) -> None:
        """Write where the group's profile is, and how many users and machines the group has."""
        users, share, profile = (
            user_groups.cell(column, typed) for column in (user_groups.USERS, user_groups.AT_WORK, user_groups.PROFILE)
        )
        names = f"$A${FIRST_ROW + 1}:$A${self._above}"
        found, all_users, active = (f"{column_letter(column)}{row}" for column in (FOUND, ALL_USERS, ACTIVE))
        per_vm = f"${column_letter(self.key('users_per_vm'))}{row}"
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
            part, whole = f"{column_letter(column)}{row}", f"{column_letter(column)}${self.mix}"
            put(ws, row, at, f"=IF({whole}=0,0,{part}/{whole})", "calculation", "ratio")
        canvas.centre(ws, row, range(FOUND, _SHARES_FROM + len(SHARE) + len(_TYPED)))

    @property
    def under(self) -> int:
        """The column of what the profiles were measured under."""
        return 2 + len(self._column) + 1

    def _group_figure(self, ws: Worksheet, row: int, column: int, key: str) -> None:
        letter = column_letter(column)
        found = f"INDEX({letter}${FIRST_ROW}:{letter}${self._above},${column_letter(PLACE)}{row})"
        users = f"${column_letter(ALL_USERS)}{row}"
        formula = f'=IF({users}*COUNT({found})=0,"{NO_FIGURE}",{found})'
        if key not in _OWN_ALONE:
            general = f"{letter}${FIRST_ROW}"
            formula = f'=IF({users}=0,"{UNUSED}",CHOOSE(1+COUNT({found}),{general},{found}))'
        if key in _TYPED:
            at, field = _TYPED[key]
            own, typed = f"${column_letter(at)}{row}", user_groups.cell(field, FIRST_ROW + row - self.first)
            put(ws, row, at, f'=IF(COUNTIF({typed},">=0")=0,"",{typed})', "calculation", self._units[key])
            which = f"1+COUNT({found})+COUNT({own},{own})"
            formula = f'=IF({users}=0,"{UNUSED}",CHOOSE({which},{general},{found},{own},{own}))'
        put(ws, row, column, formula, "calculation", self._units[key])
        canvas.centre(ws, row, (column,))

    def _mix_figure(self, ws: Worksheet, column: int, key: str, excess: str) -> None:
        cells, users = self.of(column), f"${column_letter(FOUND)}{self.mix}"

        def mean(weight: int) -> str:
            letter = f"${column_letter(SHARE[weight])}"
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
        needed = "1" if key in _LOWEST else f"MAX(1,{users})"
        formula = f'=IF(COUNT({cells})<{needed},"{NO_FIGURE}",{figure})'
        put(ws, self.mix, column, formula, "calculation", self._units[key])
        canvas.centre(ws, self.mix, (column,))
