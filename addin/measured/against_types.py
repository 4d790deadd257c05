"""Measured beside sized by type of desktop, by the update of all desktops.

What a type was sized for is its share of the design: of a design of user groups that of the group with the type's
name, in login and steady work; of any other design that of its desktops, as all have one profile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from addin.measured.against import USERS, Against, HeldType, Sized, held_phase
from addin.measured.by_type import OfType
from addin.measured.study import Study
from addin.numerals import number_of

_ONE_PROFILE = "sized of a type: its share of the desktops, as all were sized with one profile"
_OF_GROUPS = "sized of a type: the share of the user group with its name, in login and steady work"


def with_types(found: Against, study: Study) -> Against:
    """Return measured beside sized with each type that was measured too; unchanged without types."""
    if not study.types:
        return found
    types, left = list[HeldType](), [_OF_GROUPS if found.sized.groups else _ONE_PROFILE]
    for each in study.types:
        sized = _sized(each, study, found.sized)
        if sized is None:
            left.append(f"{each.name}: no user group of the design has this name; not compared")
            continue
        phases = [phase for phase in each.phases if sized.iops.get(phase.name) and phase.demand]
        if not phases:
            left.append(f"{each.name}: {each.why or 'no phase is both measured and sized'}; not compared")
            continue
        if each.why:
            left.append(f"{each.name}: not corrected: {each.why}")
        held = tuple(held_phase(phase, sized.iops[phase.name] or 0.0, sized) for phase in phases)
        types.append(HeldType(each.name, sized.desktops, held))
    left += _unmeasured(study.types, found.sized)
    return replace(found, types=tuple(types), types_left=tuple(left))


def _sized(each: OfType, study: Study, sized: Sized) -> Sized | None:
    """Return what a type was sized for; None where the design has groups, and none with its name."""
    name = f"{sized.design}, {each.name}"
    if not sized.groups:
        share = each.users / study.phases[0].estate
        iops = {phase: None if total is None else total * share for phase, total in sized.iops.items()}
        return replace(sized, design=name, desktops=sized.desktops * share, iops=iops)
    own = sized.groups.get(each.name.strip().casefold(), {})
    users = own.get(USERS)
    if not users:
        return None
    split: dict[str, float | None] = {}
    for phase, total in sized.iops.items():
        part = own.get(phase)
        split[phase] = None if total is None or part is None else total * part
    return replace(sized, design=name, desktops=sized.desktops * users, iops=split)


def _unmeasured(types: Sequence[OfType], sized: Sized) -> list[str]:
    """Return a note on the groups of a design that no type has the name of."""
    known = {each.name.strip().casefold() for each in types}
    others = sorted(name for name in sized.groups if name not in known)
    return (
        [f"{number_of(len(others), 'user group')} without a type of that name: {', '.join(others)}"] if others else []
    )
