"""How the fields of a record stand in its data file: a field is a column, its type and rules say what a cell may hold.

id: Key                                             no two rows share it
pin: float | None                                   a number, or blank; a `float` is never blank
kind: Annotated[str, Column(choices=("lt", "gt"))]  one of these words
paper: Annotated[str, Column(refers="papers")]      a name that another file lists
iops: Annotated[Typed, Column(unit="IOPS")]         a number or an expression over facts, with where it comes from
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, get_args, get_origin

Range = tuple[float, float]
ANY: Range = (0, 1e15)
RANGES: dict[str, Range] = {"ratio": (0, 1), "flag": (0, 1), "x:1": (1, 1000)}  # of a figure, by its unit; else ANY

ENDINGS = {  # what a key ends in, longest first: its units
    **{"per_year": ".*/(year|desktop)", "per_min": ".*/min", "per_kwh": ".*/kWh", "per_h": ".*/h", "mb_s": "MB/s"},
    **{"ratio": "ratio|x:1", "iops": "IOPS(/.*)?", "gib": "GiB(/.*)?", "kib": "KiB", "tib": "TiB", "tb": "TB"},
    **{"gb": "GB", "ms": "ms", "min": "min", "s": "s", "w": "W", "year": "year|USD/.*", "ios": "I/O/desktop"},
}


@dataclass(frozen=True)
class Typed:
    """A value with where it comes from: status, the text people read, and every fact it rests on."""

    value: float | str | None
    status: str
    source: str
    facts: frozenset[str] = frozenset()


UNREADABLE = Typed(None, "assumed", "unreadable")  # a figure whose fault is named already


@dataclass(frozen=True)
class Column:
    """What a column holds. It is named like the field unless `name` says otherwise, and never blank but with `blank`.

    `refers` names the list a text stands in (see `model.reading.read`); a field of a record's type takes the row of
    that name. A figure's unit is `unit`, or what the column of that name says; with `of` ("file:column", or "row" for
    the row itself) its unit, range and list are those of the input or attribute named there. A fact with a `unit`
    converts to it. `within` is the range where it is not that of the unit or of `of`; `codes` lie outside;
    the words `instead` say where the figure is found.
    `source` names the column that says where a figure comes from; with `numbers_only` expressions speak for themselves.
    Rows that agree in column `per` agree here too; rows that agree in all `together` columns follow each other, but
    where a word of `alone` stands.
    A unit is the one that the key in column `ends` ends in. `label` is what the workbook shows above.
    """

    name: str = ""
    key: bool = False
    choices: tuple[str, ...] = ()
    refers: str = ""
    blank: bool = False
    longest: int = 0
    unit: str = ""
    of: str = ""
    own: bool = True
    within: Range | None = None
    codes: tuple[float, ...] = ()
    instead: tuple[str, ...] = ()
    source: str = ""
    numbers_only: bool = False
    per: str = ""
    together: bool = False
    alone: tuple[str, ...] = ()
    ends: str = ""
    label: str = ""
    field: str = ""
    type: Any = str


Key = Annotated[str, Column(key=True)]
Note = Annotated[str, Column(blank=True)]
UnitName = Annotated[str, Column(refers="units")]
UnitOfKey = Annotated[str, Column(refers="units", ends="key")]
PaperCode = Annotated[str, Column(refers="papers")]
FactId = Annotated[str, Column(refers="facts", blank=True, unit="unit")]
PrintedId = Annotated[str, Column(refers="printed", blank=True, unit="unit")]  # published elsewhere too


def columns(record: type[Any]) -> Iterator[Column]:
    """Yield the columns of a record's file, from left to right, but for those of sources."""
    for each in fields(record):
        kind, rules = get_args(each.type) if get_origin(each.type) is Annotated else (each.type, Column())
        yield replace(rules, name=rules.name or each.name, field=each.name, type=kind)


def header(record: type[Any]) -> tuple[str, ...]:
    """Return the headings of a record's file; the source of a figure follows it unless it is a field of its own."""
    every = tuple(columns(record))
    own = {each.name for each in every}
    return tuple(
        name
        for each in every
        for name in (each.name, *([each.source] if each.source and each.source not in own else []))
    )
