"""The provisioning method of user groups, on Lists: the machines of each group are made as its own method makes them.

What a method stores is a share of the mix: of memory for swap files, of write cache or disk for these, of machines for
the rest. I/Os per boot are weighted by machines in use, those of patching and deployment by all machines. Reductions
are weighted by what a group has written to write caches and disks. Images are kept wherever those of one group are.
Where the boot of some groups was measured, the method gives the I/Os of the others alone.
"""

from collections.abc import Mapping

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas
from model.layout.canvas import put
from model.layout.grid import FIRST_ROW, GROUP_ROWS, LISTS, MIX, Block, Layout
from model.reading.catalogue import Method
from model.reading.columns import columns
from model.sheets.catalogue import mix, mix_phases, own_rows, user_groups

GAP_COLUMN = 25  # right of the source: 1 = a group in use has no method, or there is no group
UNLIKE = "the method of each group"  # of the mix where the profile of a group was measured under another
_UNUSED, _MISSING = "not in use", "missing"
_IMAGES = ("image_per_pool", "image_per_datastore")
_RUNS = ("patch_ios", "provision_ios")
_OF_MACHINES = ("identity", "pvd", *_RUNS)
_BOOTS = ("boot_low", "boot_likely", "boot_high")
_REDUCTIONS = tuple(f"{array}_{end}" for array in ("plain", "inline") for end in ("low", "likely", "high"))
_FILLED = ("write_cache_used_ratio", "disk_used_ratio")
_FLAGS = ("stores_missing", "reduction_missing")
# columns of the weights; write cache and disk are as far right of what a method stores of them, the I/Os of boots are
# those of all groups alone
_PLACE, _FITS, _CACHE_GIB, _STORED, _DISK_GIB, _REST, _CACHE, _REST_IOS, _KNOWN_IOS, _DISK = range(2, 12)
_WEIGHTS = {
    _PLACE: ("Place of the method", "count"),
    _FITS: ("Fits its profile or not in use", "flag"),
    _CACHE_GIB: ("Written to the write cache", "GiB"),
    _STORED: ("Share of all written", "ratio"),
    _DISK_GIB: ("Written to the disk", "GiB"),
    _REST: ("Share of machines in use whose boot was not measured", "ratio"),
    _CACHE: ("Share of write cache", "ratio"),
    _REST_IOS: ("Their I/Os of a boot, by method", "I/O/desktop"),
    _KNOWN_IOS: ("Those of the others, as measured", "I/O/desktop"),
    _DISK: ("Share of disks", "ratio"),
}
_TYPED = {_CACHE: "write_cache_gib", _DISK: "disk_gib"}  # typed on Inputs it is that of all groups


def _sliding(cells: str) -> str:
    """Return a column of cells whose column is relative: one formula for all columns."""
    return cells.replace("$", "", 1).replace(":$", ":")


class MethodMix:
    """The rows of the groups' methods, from `first` on, and the row of their mix in the table of methods.

    `top` and `last` are the first and the last row of the methods that a group can have; the mix is in the row below.
    """

    def __init__(self, first: int, top: int, last: int, phases: mix_phases.Phases) -> None:
        self._weights, self._top, self._last, self._phases = first, top, last, phases
        self._travelling = phases.travelling
        self.mix = last + 1
        self.first = first + len(GROUP_ROWS) + 2
        self.end = self.first + len(GROUP_ROWS)
        self._units = {each.field: each.unit for each in columns(Method) if each.label}
        self._units |= {**dict.fromkeys(_FLAGS, "flag"), "counts_as": "text"}
        self._column = {key: column for column, key in enumerate(list(self._units)[1:], 2)}  # the name stands first

    def blocks(self) -> dict[str, Block]:
        """Return where the rows of the groups are, as Design and Demand read them."""
        below = self._weights + len(GROUP_ROWS)
        sums = {"rest": _REST, "rest_ios": _REST_IOS, "known_ios": _KNOWN_IOS}
        of_groups = {key: Block(LISTS, below, below, column, column) for key, column in sums.items()}
        for number in range(len(GROUP_ROWS)):
            weight, made = self._weights + number, self.first + number
            of_groups[f"stored:{number + 1}"] = Block(LISTS, weight, weight, _STORED, _STORED)
            for key in ("plain_likely", "inline_likely"):
                column = self._column[key]
                of_groups[f"{key}:{number + 1}"] = Block(LISTS, made, made, column, column)
        for key in _RUNS:
            of_groups[key] = Block(LISTS, self.first, self.end - 1, self._column[key], self._column[key])
        return {f"groups:{key}": block for key, block in of_groups.items()}

    def write(self, ws: Worksheet, headings: list[str], layout: Layout) -> None:
        """Write what the groups are weighted by, then their methods, then the mix."""
        filled = {key: mix.typed(layout, key) for key in (*_FILLED, *_TYPED.values())}
        heads = [
            "Weight of each group's method",
            *(f"{label}, {unit}" for label, unit in _WEIGHTS.values()),
        ]
        canvas.table_head(ws, self._weights - 1, "Methods of user groups", heads, range(2, len(heads) + 1))
        heads = headings[: 1 + len(self._column)]
        for key in _REDUCTIONS:
            of_array = heads[self._column[key] - 1].lower().removesuffix(", x:1")
            heads[self._column[key] - 1] = f"Share of stored over {of_array}, ratio"
        for column, text in enumerate(heads, 1):
            put(ws, self.first - 1, column, text, "heading")
        canvas.centre(ws, self.first - 1, range(2, len(heads) + 1))
        for group in range(len(GROUP_ROWS)):
            self._weigh(ws, self._weights + group, self._travelling.first + group, self.first + group, filled)
            self._figures(ws, self.first + group, self._weights + group)
        self._rest(ws, layout)
        self._mixed(ws)

    def _letter(self, key: str) -> str:
        return str(get_column_letter(self._column[key]))

    def _weight(self, column: int) -> str:
        """Return the groups' cells of a weight."""
        letter = get_column_letter(column)
        return f"${letter}${self._weights}:${letter}${self._weights + len(GROUP_ROWS) - 1}"

    def _share(self, column: int) -> str:
        """Return the groups' cells of a column of what travels with their profiles."""
        table, letter = self._travelling, get_column_letter(column)
        return f"${letter}${table.first}:${letter}${table.last}"

    def _rest(self, ws: Worksheet, layout: Layout) -> None:
        """Write below the groups what share of the boots was not measured, and the I/Os of either kind."""
        row, rest, io = self._weights + len(GROUP_ROWS), self._weight(_REST), self._phases.of_boot(mix_phases.IO)
        put(ws, row, 1, "All groups", "label")
        formulas = {
            _REST: f"=SUM({rest.replace('$', '')})",
            _REST_IOS: f"=SUMPRODUCT({rest},{self._made('boot_likely')})",
            _KNOWN_IOS: f"=SUMIFS({io},{rest},0)*{layout.blocks['unit:seconds_per_minute'].address}",
        }
        for column, formula in formulas.items():
            put(ws, row, column, formula, "calculation", _WEIGHTS[column][1])
        canvas.centre(ws, row, range(_REST, _KNOWN_IOS + 1))

    def _weigh(self, ws: Worksheet, row: int, line: int, made: int, filled: Mapping[str, str]) -> None:
        """Write what a group is weighted by: from its profile (`line`) and from what its method makes (`made`).

        `filled` are cells of the base design: what of a write cache and of a disk is written, and sizes typed for all.
        """
        put(ws, row, 1, GROUP_ROWS[line - self._travelling.first], "label")
        table, machines = self._travelling, f"${get_column_letter(mix.SHARE[mix.ALL_MACHINES])}{line}"
        method = user_groups.cell(user_groups.METHOD, FIRST_ROW + line - table.first)
        in_use = f"{get_column_letter(mix.SHARE[mix.ACTIVE_MACHINES])}{line}"
        parts, whole = (
            f"SUM({of(_CACHE_GIB)},{of(_DISK_GIB)})"
            for of in (lambda at: f"{get_column_letter(at)}{row}", self._weight)
        )
        group = line - table.first
        run = "*".join(f"COUNT({self._phases.of_boot(at, group)})" for at in (mix_phases.IOPS, mix_phases.MINUTES))
        under, family = f"{get_column_letter(table.under)}{line}", f"{self._letter('counts_as')}{made}"
        formulas = {
            _PLACE: f'=IFERROR(MATCH({method},$A${self._top}:$A${self._last},0),"none")',
            _FITS: f'=IF(OR(EXACT({under},{family}),EXACT({under},"{own_rows.NOT_GIVEN}")),1,0)',
            _STORED: f"=IF({whole}=0,{machines},{parts}/{whole})",
            _REST: f"=IF({run}>0,0,{in_use})",
        }
        for column, key in _TYPED.items():
            letter = get_column_letter(table.key(key))
            mean = f"{letter}${table.mix}"
            formulas[column] = (
                f"=IF(OR(COUNT({filled[key]})>0,SUM({mean})=0),{machines},{machines}*SUM({letter}{line})/{mean})"
            )
        for column, share, key, used in (
            (_CACHE_GIB, _CACHE, "write_cache", _FILLED[0]),
            (_DISK_GIB, _DISK, "disk", _FILLED[1]),
        ):
            typed, usual = filled[_TYPED[share]], get_column_letter(table.key(_TYPED[share]))
            mean = f"SUM(CHOOSE(1+COUNT({typed}),{usual}${table.mix},{typed}))"
            formulas[column] = f"={get_column_letter(share)}{row}*{mean}*SUM({self._letter(key)}{made})*{filled[used]}"
        for column, formula in formulas.items():
            put(ws, row, column, formula, "calculation", _WEIGHTS[column][1])
        canvas.centre(ws, row, range(2, _DISK + 1))

    def _made(self, key: str) -> str:
        """Return the groups' cells of a figure of their methods."""
        letter = self._letter(key)
        return f"${letter}${self.first}:${letter}${self.end - 1}"

    def _figures(self, ws: Worksheet, row: int, weight: int) -> None:
        """Write what a group takes from its method; nothing where it is not in use."""
        put(ws, row, 1, GROUP_ROWS[row - self.first], "label")
        place, stored = (f"${get_column_letter(column)}{weight}" for column in (_PLACE, _STORED))
        line = self._travelling.first + weight - self._weights
        machines = f"${get_column_letter(mix.SHARE[mix.ALL_MACHINES])}{line}"
        used = f"COUNT({place})*{machines}"
        for key, column in self._column.items():
            letter = get_column_letter(column)
            own = f"INDEX({letter}${self._top}:{letter}${self._last},{place})"
            formula = f'=IF({used}=0,"{_UNUSED}",CHOOSE(1+COUNT({own}),"{_MISSING}",{own}))'
            if key in _REDUCTIONS:  # a method of one's own states no range: its ends are what it reduces by
                at = get_column_letter(self._column[f"{key.partition('_')[0]}_likely"])
                likely = f"INDEX(${at}${self._top}:${at}${self._last},{place})"
                formula = f"=IF(COUNT({place})=0,0,{stored}/MAX({own},(1-SIGN({own}))*{likely}))"
            elif key == "counts_as":
                formula = f'=IF({used}=0,"",{own}&"")'
            put(ws, row, column, formula, "calculation", "ratio" if key in _REDUCTIONS else self._units[key])
        canvas.centre(ws, row, range(2, 2 + len(self._column)))

    def _mixed(self, ws: Worksheet) -> None:
        """Write the mix as a method, and whether a group in use has none."""
        used = f"${get_column_letter(mix.PLACE)}${self._travelling.mix}"
        named = f'COUNTIFS({self._share(mix.ALL_USERS)},">0",{self._weight(_PLACE)},">0")'
        put(ws, self.mix, 1, MIX, "label")
        put(ws, self.mix, GAP_COLUMN, f"=IF({named}={used}+1-SIGN({used}),0,1)", "calculation", "flag")
        in_use, memory = self._share(mix.SHARE[mix.ACTIVE_MACHINES]), self._travelling.key("ram_gib")
        by = {
            **dict.fromkeys(_OF_MACHINES, self._share(mix.SHARE[mix.ALL_MACHINES])),
            **dict.fromkeys(_BOOTS, in_use),
            "write_cache": _sliding(self._weight(_CACHE)),
            "disk": _sliding(self._weight(_DISK)),
            "swap": f"{self._share(mix.SHARE[mix.ALL_MACHINES])},{self._share(memory)}",
            "boot_read_ratio": f"{in_use},{self._made('boot_likely')}",
        }
        means = {  # of what some are weighted by: GiB of memory, I/Os of a boot
            "swap": f"{get_column_letter(memory)}{self._travelling.mix}",
            "boot_read_ratio": f"{self._letter('boot_likely')}{self.mix}",
        }
        for key, column in self._column.items():
            cells = _sliding(self._made(key))
            if key in _IMAGES or key in _FLAGS:
                formula = f"=MAX(0,MAX({cells}))"
            elif key in _REDUCTIONS:
                formula = f"=IF(SUM({cells})=0,1,1/SUM({cells}))"
            elif key == "counts_as":
                formula = self._family()
            elif key in means:
                formula = f'=IF(COUNT({cells})<{used},"{_MISSING}",SUMPRODUCT({by[key]},{cells})/MAX(1,{means[key]}))'
            else:
                formula = f'=IF(COUNT({cells})<{used},"{_MISSING}",SUMPRODUCT({by[key]},{cells}))'
            put(ws, self.mix, column, formula, "calculation", self._units[key])
        canvas.centre(ws, self.mix, range(2, 2 + len(self._column)))
        put(ws, self.mix, 2 + len(self._column), "Methods of user groups, below; flag: a group has none", "note")

    def _family(self) -> str:
        """Return the formula of what profiles were measured under that fit: the mix's own where each group's does."""
        table = self._travelling
        own = f"{get_column_letter(table.under)}{table.mix}"
        return f'=IF(SUM({self._weight(_FITS)})=ROWS({self._weight(_FITS)}),{own},"{UNLIKE}")'
