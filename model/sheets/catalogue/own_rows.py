"""Rows of people's own: the figures of a profile, a phase, a method, a host cache, a cloud share, and where they stand.

My profiles is where they are typed; Lists takes them over, and every look-up reads them
there. What is left blank is not published: no blank counts as 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from openpyxl.utils import get_column_letter

from model.layout.grid import (
    FIRST_ROW,
    OWN_CACHES,
    OWN_METHODS,
    OWN_PROFILES,
    OWN_SHARES,
    Block,
    not_numbers,
    runs_of,
)
from model.reading.catalogue import ProfileField
from model.reading.clouds import ShareService
from model.reading.columns import columns
from model.reading.inputs import Input
from model.reading.records import Data
from model.sheets.catalogue.phases import CACHED, LABELS

NAME = "My profiles"
MISSING = "not published"
NOT_GIVEN = "not given"
TYPED_FROM = 3  # column of the first figure: names and states stand left of it
PHASE_COLUMN, IN_USE, OF_LINE_FROM = 2, 8, 13
OF_LINE = (
    "line",
    "read_ratio",
    "block_kib",
    "iops",
    "name",
    "local",
    "typed",
)  # beside a phase: what the profile's line says


@dataclass(frozen=True)
class Field:
    """A column of a table: what its cells accept. A `list` is a choice; a `whole` number is a flag."""

    key: str
    label: str
    unit: str
    low: float = 0
    high: float = 0
    list: str = ""

    @property
    def heading(self) -> str:
        """Return what stands above it."""
        return self.label if self.unit == "text" else f"{self.label}, {self.unit}"


_LOGIN = Field("login_excess_ios", "I/Os of a login beyond steady work", "I/O/desktop", 1, 10_000_000)
_LOGOFF = Field("logoff_ios", "I/Os of a log-off", "I/O/desktop", 1, 10_000_000)
READ = Field("read_ratio", "Read share", "ratio", 0, 1)
BLOCK = Field("block_kib", "Block size", "KiB", 0.5, 4096)
LINE = (
    _LOGIN,
    Field("login_iops", "or IOPS while logging in", "IOPS/desktop", 0, 10_000),
    Field("steady_iops", "IOPS at work", "IOPS/desktop", 0, 10_000),
    _LOGOFF,
    READ,
    BLOCK,
    Field("local_profile", "Local profiles inside", "text", list="Tbl_YesNo"),
)
UNDER = Field("measured_under", "Measured under", "text", list="Tbl_Families")
_ON_THE_LINE = (_LOGIN.key, _LOGOFF.key)  # of the figures that travel
_NO_DEMAND = ("vcpus",)  # the hosts' concern: nothing here reads it
PHASE_FIELDS = (
    Field("iops", "IOPS", "IOPS/desktop", 0, 10_000),
    Field("burst_ratio", "Peak over mean", "ratio", 1, 1_000),
    Field("minutes", "Minutes of the run", "min", 0.1, 10_000),
    READ,
    BLOCK,
)
STORES = ("swap", "write_cache", "identity", "pvd", "disk", "image_per_pool", "image_per_datastore")
REDUCTIONS = ("plain_likely", "inline_likely")
IOS = ("boot_low", "boot_likely", "boot_high", "patch_ios", "provision_ios")
NEEDED_IOS = ("boot_likely", "patch_ios", "provision_ios")
_OFFLOADS = tuple(f"{phase}_{kind}_offload" for phase in CACHED for kind in ("read", "write"))


def travelling(data: Data) -> tuple[Field, ...]:
    """Return what travels with a profile beside its line: optional, else the general default stands."""
    figures: tuple[ProfileField | Input, ...] = (*data.profile_fields, *data.travelling())
    return tuple(
        Field(each.key, each.label.partition(" (blank")[0], each.unit, each.minimum or 0, each.maximum or 0)
        for each in figures
        if each.key not in (*_ON_THE_LINE, *_NO_DEMAND)
    )


def method_fields() -> tuple[Field, ...]:
    """Return what is typed of a method."""
    labels = {
        "swap": "Swap file",
        "write_cache": "Write cache or difference disk",
        "identity": "Identity disk",
        "pvd": "Personal vDisk",
        "disk": "Own disk",
        "image_per_pool": "Image once per pool",
        "image_per_datastore": "Image per catalogue and datastore",
        "plain_likely": "Reduction, plain array",
        "inline_likely": "Reduction, inline",
        "boot_low": "I/Os per boot, low (optional)",
        "boot_likely": "I/Os per boot",
        "boot_high": "I/Os per boot, high (optional)",
        "boot_read_ratio": "Read share of a boot",
        "patch_ios": "I/Os to patch",
        "provision_ios": "I/Os to provision",
    }
    kinds = {**dict.fromkeys(STORES, ("flag", 0, 1)), **dict.fromkeys(REDUCTIONS, ("x:1", 1, 1000))}
    kinds |= {**dict.fromkeys(IOS, ("I/O/desktop", 0, 10_000_000)), "boot_read_ratio": ("ratio", 0, 1)}
    figures = (Field(key, label, *kinds[key]) for key, label in labels.items())
    return (*figures, Field("counts_as", "Profiles measured under (optional)", "text", list="Tbl_Families"))


def cache_fields() -> tuple[Field, ...]:
    """Return what is typed of a host cache."""
    offloads = (
        Field(key, f"{key.partition('_')[0].capitalize()} {key.split('_')[1]}s kept off", "ratio", 0, 1)
        for key in _OFFLOADS
    )
    return (
        Field("host_gib", "Cache of a host", "GiB", 0.1, 1_000_000),
        *offloads,
        Field("local_write_cache", "Write cache on the host", "flag", 0, 1),
    )


_OF_ACCOUNT = ("part_", "account_", "quota_", "count_")  # limits around a share: a vendor's own


def share_fields() -> tuple[Field, ...]:
    """Return what is typed of a cloud share: the first columns of its table on Lists, in their order."""
    least = {"gib_step": 0.01, "gib_max": 1}
    most = {"flag": 1, "ratio": 100, "IOPS/GiB": 10_000, "MiB/s/GiB": 1_000}
    return tuple(
        Field(each.field, each.label, each.unit, least.get(each.field, 0), most.get(each.unit, 1_000_000_000))
        for each in columns(ShareService)
        if each.unit and not each.field.startswith(_OF_ACCOUNT)
    )


@dataclass(frozen=True)
class Table:
    """A table of the sheet: the names of its rows, its fields, the row of the first one."""

    key: str
    names: tuple[str, ...]
    fields: tuple[Field, ...]
    first_row: int

    def column(self, key: str) -> int:
        """Return the column of a field."""
        return TYPED_FROM + [field.key for field in self.fields].index(key)

    def letter(self, key: str) -> str:
        """Return the letter of a field's column."""
        return str(get_column_letter(self.column(key)))

    def row(self, name: str) -> int:
        """Return the row of a name as it ships."""
        return self.first_row + self.names.index(name)

    def cell(self, name: str, key: str) -> str:
        """Return the address of a figure on the sheet."""
        return f"{self.letter(key)}{self.row(name)}"

    def area(self, name: str, first: str, last: str) -> str:
        """Return the cells of a row from one field to another."""
        return f"{self.cell(name, first)}:{self.cell(name, last)}"

    @property
    def last_row(self) -> int:
        """Return the row of the last name."""
        return self.first_row + len(self.names) - 1


_LISTED = {"profiles": "Tbl_Profiles", "methods": "Tbl_Methods", "caches": "Tbl_Caches", "shares": "Tbl_Services"}
ABOVE = "above"  # stands where the minutes of a phase are no figure to type


def not_figures(data: Data) -> str:
    """Return the formula that counts the cells which hold something else where a figure belongs."""
    phases = tables(data)["phases"]
    column = phases.letter("minutes")
    above = f'COUNTIF({column}{phases.first_row}:{column}{phases.last_row},"{ABOVE}")'
    beside = f"{get_column_letter(helpers(data)[1])}{tables(data)['shares'].first_row}"
    return f"{not_numbers(figure_areas(data)[:-1])}-{above}+{beside}"


def not_figures_of_share(data: Data) -> str:
    """Return the same formula for the last table: one of them all would be too long to read."""
    return not_numbers(figure_areas(data)[-1:])


def figure_areas(data: Data) -> list[str]:
    """Return the areas where figures are typed, with the cells between them that say where minutes are read."""
    areas = []
    for table in tables(data).values():
        columns = [table.column(field.key) for field in table.fields if not field.list]
        for first, last in runs_of(columns):
            areas.append(f"{get_column_letter(first)}{table.first_row}:{get_column_letter(last)}{table.last_row}")
    return areas


def phase_name(profile: str, phase: str) -> str:
    """Return the name of a row of the phases."""
    return f"{profile} {LABELS[phase]}"


@lru_cache(maxsize=1)
def tables(data: Data) -> dict[str, Table]:
    """Return the tables from top to bottom."""
    phases = tuple(phase_name(profile, phase.key) for profile in OWN_PROFILES for phase in data.phases)
    parts: tuple[tuple[str, Sequence[str], Sequence[Field]], ...] = (
        ("profiles", OWN_PROFILES, (*LINE, *travelling(data), UNDER)),
        ("phases", phases, PHASE_FIELDS),
        ("methods", OWN_METHODS, method_fields()),
        ("caches", OWN_CACHES, cache_fields()),
        ("shares", OWN_SHARES, share_fields()),
    )
    made, row = {}, FIRST_ROW
    for key, names, fields in parts:
        made[key] = Table(key, tuple(names), tuple(fields), row)
        row += len(names) + 2
    return made


def helpers(data: Data) -> range:
    """Return the columns right of every figure: how many are typed, two flags, two texts of what is missing, a flag."""
    last = max(TYPED_FROM + len(table.fields) for table in tables(data).values())
    return range(last, last + 6)


def blocks(data: Data) -> dict[str, Block]:
    """Return the names of the tables and of their fields, over the cells they stand for."""
    ranges = {}
    for key, table in tables(data).items():
        ranges[f"Own_{key}"] = Block(NAME, table.first_row, table.last_row, 1, 1)
        for field in table.fields:
            column = table.column(field.key)
            ranges[f"Own_{key}.{field.key}"] = Block(NAME, table.first_row, table.last_row, column, column)
    phases = tables(data)["phases"]
    beside = helpers(data)[0]
    return {**ranges, "profiles:not_numbers": Block(NAME, phases.first_row, phases.first_row, beside, beside)}


def _letter_of_line(key: str) -> str:
    return str(get_column_letter(OF_LINE_FROM + OF_LINE.index(key)))


def of_line(key: str, row: int) -> str:
    """Return the cell beside a phase that holds something of the profile's line: its place, a figure, its name."""
    return f"{_letter_of_line(key)}{row}"


def all_of_line(key: str, phases: Table) -> str:
    """Return these cells beside every phase of every profile."""
    letter = _letter_of_line(key)
    return f"${letter}${phases.first_row}:${letter}${phases.last_row}"


def elsewhere(cell: str) -> str:
    """Return a cell as other sheets name it."""
    return f"'{NAME}'!{cell}"


def name_formula(row: int) -> str:
    """Return the formula of a name as other sheets show it."""
    cell = elsewhere(f"A{row}")
    return f'=IF(LEN({cell})>0,{cell},"no name")'


def told(cell: str) -> str:
    """Return the formula of a choice that may stay open, as other sheets show it."""
    return f'=IF(LEN({cell})>0,{cell},"{NOT_GIVEN}")'


def figures_typed(data: Data, row: int) -> str:
    """Return the cell that counts the figures typed in a row, as other sheets name it."""
    return elsewhere(f"{get_column_letter(helpers(data)[0])}{row}")


def filled_name(data: Data, line: str) -> str:
    """Return the formula of a profile's name where its figures are looked up: an empty one is not found.

    `line` is the cell that holds the place of the profile among the lines.
    """
    counts, names = (column_of_lines(data, letter) for letter in (get_column_letter(helpers(data)[0]), "A"))
    return f'=IF(INDEX({counts},{line})>0,INDEX({names},{line})&"","nothing typed")'


def column_of_lines(data: Data, letter: str) -> str:
    """Return the cells of a column beside the lines of profiles."""
    lines = tables(data)["profiles"]
    return f"${letter}${lines.first_row}:${letter}${lines.last_row}"


def unusable(data: Data) -> dict[str, str]:
    """Return for every own row, by its name, the formula above 0 where it is incomplete or its name stands twice."""
    flag, made = get_column_letter(helpers(data)[-1]), {}
    for key, names in _LISTED.items():
        table = tables(data)[key]
        for row, name in enumerate(table.names, table.first_row):
            made[name] = f"=MAX({elsewhere(f'{flag}{row}')},COUNTIF({names},{elsewhere(f'A{row}')})-1)"
    return made


def in_use(data: Data, profile: str, phase: str) -> list[str]:
    """Return where the figures in use of a phase stand, in the order of Lists."""
    row = tables(data)["phases"].row(phase_name(profile, phase))
    return [f"{get_column_letter(IN_USE + n)}{row}" for n in range(len(PHASE_FIELDS))]


def taken_over(data: Data, table: str, name: str) -> dict[str, str]:
    """Return the formulas by which Provisioning takes an own row over.

    What is missing counts least: nothing stored, reduced or kept off; the row's own figures say that it is missing.
    """
    own, extra = tables(data)[table], helpers(data)

    def cell(key: str) -> str:
        return elsewhere(own.cell(name, key))

    if table == "caches":
        reads = "+".join(f'COUNTIF({cell(key)},">0")' for key in _OFFLOADS if "read" in key)
        words = "&".join(elsewhere(f"{get_column_letter(column)}{own.row(name)}") for column in extra[3:5])
        offloads = {k: f'=IF(COUNTIFS({cell(k)},">=0",{cell(k)},"<=1")>0,{cell(k)},0)' for k in _OFFLOADS}
        return {
            **offloads,
            "local_write_cache": f'=COUNTIF({cell("local_write_cache")},">0")',
            "host_gib": f"=MAX(0,{cell('host_gib')})",
            "whole_image": f"=SIGN({reads})",
            "missing": f"={words}",
        }
    if table == "shares":
        words = "&".join(elsewhere(f"{get_column_letter(column)}{own.row(name)}") for column in extra[3:5])
        return {
            **{field.key: f"=MAX(0,{cell(field.key)})" for field in own.fields},
            "missing": f"={words}",
            "provisioned_as": "share",
        }
    likely = cell("boot_likely").replace("!", "!$")  # both ends share a formula
    formulas = {key: f'=COUNTIF({cell(key)},">0")' for key in STORES}
    formulas |= {key: f"=MAX(1,{cell(key)})" for key in REDUCTIONS}
    for key in ("boot_low", "boot_high"):
        formulas[key] = f'=CHOOSE(1+COUNTIF({cell(key)},">0"),SUM({likely}),{cell(key)})'
    read = cell("boot_read_ratio")
    formulas["boot_read_ratio"] = f'=IF(COUNTIFS({read},">=0",{read},"<=1")>0,{read},"{MISSING}")'
    for key in NEEDED_IOS:
        formulas[key] = f'=IF(COUNTIF({cell(key)},">=0")>0,{cell(key)},"{MISSING}")'
    for key, column in zip(("stores_missing", "reduction_missing"), extra[1:3], strict=True):
        formulas[key] = f"={elsewhere(f'{get_column_letter(column)}{own.row(name)}')}"
    formulas["counts_as"] = told(cell("counts_as"))
    return formulas
