"""The profiles of types: each type with enough pilots gets an empty row of My profiles, and a name that says it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from addin.errors import RequestError
from addin.measured.by_type import NO_PROFILE, OfType
from addin.measured.request import Request
from addin.measured.study import Study
from addin.numerals import number_of, numeral
from addin.workbook.book import SizingBook
from model.sheets.catalogue.phases import LABELS, PHASES

_LONGEST = 60  # letters of a row's name
_ABOVE = 1.0005  # all desktops over the types: below it the types ask for no less
_OF_A_PROFILE = ".steady_iops"  # a field that own profiles alone have


@dataclass(frozen=True)
class OwnProfile:
    """A type's own profile: its row of My profiles, what that will be called, the study of its pilots alone."""

    type: str
    row: str
    title: str
    study: Study


@dataclass(frozen=True)
class OwnProfiles:
    """The profiles of types, and in words what people have to know of them."""

    made: tuple[OwnProfile, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def titles(self) -> Mapping[str, str]:
        """The name of each type's profile."""
        return {each.type: each.title for each in self.made}


def profiles(book: SizingBook, row: str, title: str, study: Study, request: Request) -> OwnProfiles:
    """Return the profiles of types, the largest types first where rows are short; `row` and `title` are taken."""
    wanted = sorted((each for each in study.types if not each.why), key=lambda each: (-each.users, each.name))
    rows = list(_free(book, row))
    made, taken = list[OwnProfile](), {title, *_names(book)}
    for each, free in zip(wanted, rows, strict=False):
        name = _title(each, request, taken)
        taken.add(name)
        made.append(OwnProfile(each.name, free, name, _alone(study, each)))
    words = [f"{each.name}: no empty row of My profiles is left, so {NO_PROFILE}" for each in wanted[len(rows) :]]
    ratios = together(study, [each.type for each in made]) if made else {}
    words += [_less(phase, ratio) for phase, ratio in ratios.items() if ratio > _ABOVE]
    return OwnProfiles(tuple(made), tuple(words))


def row_for(book: SizingBook, first: str) -> str:
    """Return the row of My profiles that a measurement gets where none is named: `first` if it is empty, else the next.

    Raises RequestError where no empty row is left.
    """
    if _empty(book, first):
        return first
    if row := next(_free(book, first), ""):
        return row
    raise RequestError(
        f"{book.path.name}: no empty row of My profiles is left. Clear one, name and figures, or measure into a copy "
        "that has one."
    )


def _empty(book: SizingBook, name: str) -> bool:
    """Say whether a row of My profiles has its first name and holds nothing."""
    parts = (name, *(f"{name} {LABELS[phase]}" for phase in PHASES))
    fields = [item for key, item in book.own.items() if key.rpartition(".")[0] in parts]
    kept = len({item.key.rpartition(".")[0] for item in fields}) == len(parts)  # its phases are called after it
    return kept and all(book.held(item) in (None, "") for item in fields)


def _less(phase: str, ratio: float) -> str:
    """Say that groups ask for less than all desktops measured together, and what to do."""
    less = numeral(100 - 100 / ratio, ".1f")
    return (
        f"{phase}: the groups together ask for {less} % less than all desktops measured together: measure more of the "
        "types without a profile of their own, or size all with the profile of all"
    )


def together(study: Study, own: Collection[str]) -> dict[str, float]:
    """Return by phase the demand of all desktops over the sum of the types, each with the figure that it gets."""
    types = {each.name: {phase.name: phase.sized for phase in each.phases} for each in study.types if each.name in own}
    found = {}
    for phase in study.phases:
        figures = ((users, types.get(name, {}).get(phase.name, phase.sized)) for name, users, _ in phase.users)
        total = sum(users * (iops or 0.0) for users, iops in figures)
        if total and phase.sized:
            found[phase.name] = phase.sized * phase.estate / total
    return found


def _alone(study: Study, each: OfType) -> Study:
    """Return the study of a type's pilots, with the machines that inventories have of it."""
    groups = tuple(group for group in study.groups if group.name == each.name)
    return replace(
        study, phases=each.phases, desktops=each.pilots, days=each.days, groups=groups, types=(), rows={}, day=()
    )


def _names(book: SizingBook) -> Iterator[str]:
    """Yield what the rows of My profiles are called now."""
    return (key.removesuffix(_OF_A_PROFILE) for key in book.own if key.endswith(_OF_A_PROFILE))


def _free(book: SizingBook, row: str) -> Iterator[str]:
    """Yield the rows of My profiles that have their first name, hold nothing, and that nobody chose."""
    items = [*book.inputs.values(), *book.own.values()]
    chosen = {_folded(held) for item in items if isinstance(held := book.held(item), str)}
    for name in _names(book):
        if _folded(name) not in {_folded(row), *chosen} and _empty(book, name):
            yield name


def _plain(name: str) -> str:
    """Return a name without what a look-up takes for a pattern, on one line."""
    return " ".join("".join(" " if each in "~*?" else each for each in name).split())


def _folded(name: str) -> str:
    return name.strip().casefold()


def _title(each: OfType, request: Request, taken: Collection[str]) -> str:
    """Return what the profile of a type is called: the type, cut where it is long, and what it was measured on."""
    head = f"Measured{f' {request.system}' if request.system else ''}: "
    tail = f", {number_of(each.pilots, 'desktop')}, {number_of(len(each.days), 'day')}; 95 %"
    room = max(_LONGEST - len(head) - len(tail), 8)
    called = _plain(each.name)
    short, number = called[:room], 2
    while f"{head}{short}{tail}"[:_LONGEST] in taken:
        short, number = f"{called[: room - 2]} {number}", number + 1
    return f"{head}{short}{tail}"[:_LONGEST]
