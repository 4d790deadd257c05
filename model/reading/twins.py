"""A name mistyped where it is defined: one complaint there, in place of one at each row that names it rightly."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from model.errors import Complaint

NEAR = 0.75  # letters in common; a name with two letters swapped counts as near at any length
Missing = tuple[str, str]  # the list that lacks a name, and the name


def merged(
    complaints: Iterable[Complaint],
    missed: Mapping[Missing, Sequence[Complaint]],
    unused: Mapping[str, Mapping[str, str]],
) -> list[Complaint]:
    """Return the complaints with those of a mistyped definition as one, at the first of them.

    `missed` has the complaints by list and name; `unused` the names of each list that no row uses, with their places.
    """
    instead: dict[Complaint, Complaint] = {}
    for (listed, name), found in sorted(missed.items(), key=lambda item: len(item[0][1])):  # parts before the whole
        if found[0] not in instead and len(found) > 1 and (twin := _twin(name, unused.get(listed, {}))):
            fault = f"{twin!r} is used by no row, and {len(found)} rows name {name!r}; correct one."
            one = Complaint(unused[listed][twin], fault)
            same = _made_of(name, twin, missed, unused)
            instead |= dict.fromkeys([each for key in ((listed, name), *same) for each in missed[key]], one)
    return list(dict.fromkeys(instead.get(each, each) for each in complaints))


def _made_of(
    name: str, twin: str, missed: Iterable[Missing], unused: Mapping[str, Mapping[str, str]]
) -> Iterator[Missing]:
    """Yield the names that miss because they are made of this one: `login_iops_per_desktop` of the phase `login`."""
    for listed, other in missed:
        if name in other and other.replace(name, twin) in unused.get(listed, {}):
            yield listed, other


def _twin(name: str, words: Iterable[str]) -> str:
    """Return the word that is nearest to a name, with the same digits; empty where none is near."""
    near = [(_likeness(name, word), word) for word in words if re.sub(r"\D", "", word) == re.sub(r"\D", "", name)]
    best = max(near, default=(0.0, ""))
    return best[1] if best[0] >= NEAR else ""


def _likeness(a: str, b: str) -> float:
    a, b = a.casefold(), b.casefold()
    return 1.0 if sorted(a) == sorted(b) else SequenceMatcher(None, a, b).ratio()
