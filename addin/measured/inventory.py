"""Machines of inventories as groups: how many, memory and GiB each; a preview of what becomes which group."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from addin.measured.records import Machine

MOST = 6  # groups of a design
OTHERS = "others"
_NUMBER = re.compile(r"[\W_]*\d[\w]*$")


@dataclass(frozen=True)
class Group:
    """Machines that are alike: names of some, means of those that have a figure, and where the GiB come from."""

    name: str
    machines: int
    memory_gib: float | None
    cpus: float | None
    disk_gib: float | None
    gib: float | None
    sources: tuple[tuple[str, int], ...]
    examples: tuple[str, ...]


def stem(name: str) -> str:
    """Return what machines that are numbered share: VDI-TASK of VDI-TASK-017."""
    return _NUMBER.sub("", name) or name


def groups(machines: Sequence[Machine], type_of: Callable[[str], str] | None = None) -> list[Group]:
    """Return at most six groups, the largest first: by the user's types, else by what names have in common."""
    found: dict[str, list[Machine]] = defaultdict(list)
    for machine in machines:
        found[type_of(machine.name) if type_of else stem(machine.name)].append(machine)
    ranked = sorted(found.items(), key=lambda pair: (-len(pair[1]), pair[0].casefold()))
    if len(ranked) > MOST:
        rest = [machine for _, each in ranked[MOST - 1 :] for machine in each]
        ranked = [*ranked[: MOST - 1], (OTHERS, rest)]
    return [_group(name, sorted(each, key=lambda one: one.name.casefold())) for name, each in ranked]


def _group(name: str, machines: Sequence[Machine]) -> Group:
    return Group(
        name,
        len(machines),
        _mean(each.memory_gib for each in machines),
        _mean(each.cpus for each in machines),
        _mean(each.disk_gib for each in machines),
        _mean(each.gib for each in machines),
        tuple(sorted(Counter(each.source or "not known" for each in machines).items())),
        tuple(each.name for each in machines[:3]),
    )


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
