"""An inventory in a copy: lines of User groups with users, memory and disk, never IOPS, never over what is typed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from addin.errors import RequestError
from addin.measured.inventory import MOST, Group
from addin.measured.request import Request
from addin.measured.study import Study
from addin.numerals import number_of
from addin.results.applying import Change
from addin.workbook import own_rows
from addin.workbook.book import Item, SizingBook

_NAMES = "Own_groups"
_OF_INVENTORY = " of the inventory"
_OF_CLONES = ("", "full clone")  # the disk of a group is that of a full clone


def groups(
    book: SizingBook,
    study: Study,
    request: Request,
    profile: str = "",
    of_types: Mapping[str, str] = MappingProxyType({}),
) -> tuple[list[Change], str]:
    """Return the changes that fill the lines of User groups, each with a profile where one is given, and words on it.

    `of_types` maps a type to its own profile, which is used in place of `profile`. Without an inventory each type with
    a typed number of desktops becomes a group. Nothing changes where the workbook has no such lines, or
    where somebody has typed into them.
    """
    lines = study.groups or _types(study, request, of_types)
    if not lines:
        return [], ""
    if len(lines) > MOST:
        many = number_of(len(lines), "type")
        return [], f"{many}, and User groups has {MOST} lines: give some of them one name in the file of --types"
    rows = own_rows.area(book.cells, book.cells.names.get(_NAMES, ""))
    if len(rows) < len(lines):
        return [], f"{book.path.name} has no {number_of(len(lines), 'line')} of user groups: take a fresh copy"
    fields = [text for name, text in book.cells.names.items() if name.startswith(f"{_NAMES}.")]
    typed = [at for text in fields for at in own_rows.area(book.cells, text) if not _empty(book.cells.constant(at))]
    if typed:
        at = min(typed, key=lambda each: (each.row, each.column))
        which = _OF_INVENTORY * bool(study.groups)
        return [], f"{at.a1} is filled, so the groups{which} stay out: empty User groups for them"
    changes = []
    for at, group in zip(rows, lines, strict=False):
        row = book.cells.constant(at)
        changes.append(Change(Item("name of the group", at, "Name", ""), row, group.name))
        for key, value in _fields(group, request, of_types.get(group.name, profile)).items():
            item = book.entry(f"{row}.{key}")
            # the profile is a row that the same changes name, so the workbook's list does not have it yet
            now = value if key == "profile" else book.value_for(item, value)
            changes.append(Change(replace(item, choices=()), None, now))
    users = sum(each.now for each in changes if each.item.key.endswith(".users") and isinstance(each.now, float | int))
    lacking = "" if profile else " and a profile for each"
    filled = f"tab User groups: {number_of(len(lines), 'group')}"
    return changes, f"{filled}; choose {_chosen(users)} on Answer{lacking}"


def _types(study: Study, request: Request, own: Mapping[str, str]) -> tuple[Group, ...]:
    """Return the types as groups: their desktops as typed, no memory, no disk; those too that nobody measured."""
    counts = request.types.counts
    if not (own or len(counts) > 1) or not study.phases or not all(each.name in counts for each in study.types):
        return ()
    return tuple(Group(name, count, None, None, None, None, (), ()) for name, count in counts.items())


def _chosen(users: float) -> str:
    return f"the workload User groups and {number_of(round(users), 'desktop')}"


def _fields(group: Group, request: Request, profile: str) -> dict[str, str | float]:
    """Return what an inventory says about a group; how many desktops of it there are, where types.csv says so."""
    fields: dict[str, str | float | None] = {
        "users": float(request.types.counts.get(group.name, group.machines)),
        "profile": profile or None,
        "ram_gib": group.memory_gib,
        "disk_gib": group.gib if request.method in _OF_CLONES else None,
    }
    return {
        key: value if isinstance(value, str) else float(f"{value:.6g}")
        for key, value in fields.items()
        if value is not None
    }


def only(book: SizingBook, study: Study, request: Request) -> tuple[list[Change], str]:
    """Return what a study without a demand writes. Raises RequestError where that is nothing."""
    changes, words = groups(book, study, request)
    if not changes:
        raise RequestError(f"--save: {words}. Nothing is written.")
    return changes, words


def _empty(value: object) -> bool:
    return value is None or value == ""
