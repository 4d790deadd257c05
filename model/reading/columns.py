"""How the fields of a record stand in its data file: a field is a column, its type and rules say what a cell may hold.

id: Key                                             no two rows share it
pin: float | None                                   a number, or blank; a `float` is never blank
kind: Annotated[str, Column(choices=("lt", "gt"))]  one of these words
paper: Annotated[str, Column(refers="sources")]     stands in the first column of another file
iops: Annotated[Typed, Column(unit="IOPS")]         a number or an expression over facts, with where it comes from
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, get_args, get_origin


@dataclass(frozen=True)
class Typed:
    """A value with where it comes from: status, the text people read, and every fact it rests on."""

    value: float | str | None
    status: str
    source: str
    facts: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Column:
    """What a column holds. It is named like the field unless `name` says otherwise; `needed` says why it is not blank.

    A field of a record's type takes the row that its column `refers` to. A figure's unit is `unit`, or what the column
    of that name says, or that of the row `of` ("file:column") names. `source` names the column that says where the
    figure comes from; with `numbers_only` expressions speak for themselves. `label` is what the workbook shows above.
    """

    name: str = ""
    key: bool = False
    choices: tuple[str, ...] = ()
    refers: str = ""
    blank: bool = False
    needed: str = ""
    unit: str = ""
    of: str = ""
    source: str = ""
    numbers_only: bool = False
    label: str = ""
    field: str = ""
    type: Any = str


Key = Annotated[str, Column(key=True)]
UnitName = Annotated[str, Column(refers="units")]
PaperCode = Annotated[str, Column(refers="sources")]
FactId = Annotated[str, Column(refers="facts", blank=True)]


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
