"""What a study measured, written into a copy of the workbook: a profile of the user's own, or an array's card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from addin.errors import RequestError
from addin.measured import fio, rates
from addin.measured.against import Against, corrected
from addin.measured.plausible import MOST_IOPS
from addin.measured.request import Request
from addin.measured.statistics import Mixture
from addin.measured.study import Study
from addin.measured.times import day_of
from addin.measured.windows import BIN, STEADY, TIMED
from addin.results import applying, measured_groups, measured_types
from addin.results.applying import Change
from addin.results.measured_tab import Filled, estate, filled
from addin.workbook import own_rows
from addin.workbook.book import Item, SizingBook
from model.sheets.catalogue.phases import LABELS

PROFILE, GROUPS = "My profile 1", "User groups"
_PROFILES = "Own_profiles"
_LONGEST = 60  # letters of a row's name
_OF_A_CARD = ".base_latency_ms"  # a field that own arrays alone have
_WRITTEN_IN = {"full clone": "disk_gib", "MCS": "write_cache_gib", "PVS": "write_cache_gib"}
Fields = dict[str, str | float]


@dataclass(frozen=True)
class Written:
    """What a study writes: the changes of My profiles and User groups, what fills the tab Measured, words on them.

    `where` names the row of My profiles that was filled, or the sheet if no row was; `title` what that row is called.
    """

    changes: list[Change]
    tab: Filled
    where: str
    groups: str = ""
    types: tuple[str, ...] = ()
    title: str = ""

    @property
    def words(self) -> list[str]:
        """What was written beside the changes, a line each."""
        return [each for each in (self.tab.words, *self.types, self.groups) if each]


def profile(
    book: SizingBook, row: str | None, study: Study, request: Request, against: Against | None = None
) -> Written:
    """Return what makes a study a profile: each phase its upper bound, the row's name what it is, the tab Measured.

    Without a `row` the first empty one of My profiles gets it.
    Machines of inventories fill lines of User groups, also where no file has a demand; types with enough pilots get a
    row each. Held against a design, each phase gets its corrected figure instead; one that has none stays blank.

    Raises RequestError where there is no peak, the row has figures already, or a figure is outside its cell's range.
    """
    if study.groups and not study.phases:
        changes, words = measured_groups.only(book, study, request)
        return Written(changes, estate(book, study), GROUPS, words)
    if not study.phases or study.peaks:
        why = study.peaks or "the files hold no time series, so no demand"
        raise RequestError(f"--save: {why}. Nothing is written.")
    if short := next((phase for phase in study.phases if phase.peak is None), None):
        minutes = BIN // 60 * (request.plan.smooth if request.plan else 1)
        raise RequestError(
            f"--save: {short.name}, {short.window}: no {minutes} minutes in a row have samples, so there is no demand. "
            f"Nothing is written. Measure longer, or type --smooth {BIN // 60}."
        )
    _check_rates(study)
    _check_sizes(study)
    row = measured_types.row_for(book, PROFILE) if row is None else row
    book.entry(f"{row}.steady_iops")  # the row is there
    for key, item in book.own.items():
        if key.rpartition(".")[0] in (row, *(f"{row} {label}" for label in LABELS.values())):
            _check_blank(book, item)
    title = name(study, request) if against is None else corrected_name(study, request)
    sized = corrected(study, against) if against else study
    changes = [*_changes(book, row, _fields(sized, request)), *_renamed(book, row, title)]
    types = measured_types.OwnProfiles() if against else measured_types.profiles(book, row, title, study, request)
    for each in types.made:
        changes += [*_changes(book, each.row, _fields(each.study, request)), *_renamed(book, each.row, each.title)]
    of_groups, words = list[Change](), ""
    if study.groups or not against:  # types are no groups of a corrected profile: it is that of all together
        of_groups, words = measured_groups.groups(book, study, request, title, types.titles)
    tab = filled(book, title, study, request, sized, against, types.titles)
    return Written([*changes, *of_groups], tab, row, words, types.words, title)


def _check_rates(study: Study) -> None:
    """Raise RequestError for IOPS that no desktop has: they are no demand."""
    if high := study.too_high:
        expected = f"expected {MOST_IOPS:,.0f} at most"
        raise RequestError(f"--save: {high.found}; {expected}. Nothing is written. {_sentence(high.effect)}.")


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


def _check_sizes(study: Study) -> None:
    """Raise RequestError for a block size that no disk has: a cell refuses it too, and does not know the cause."""
    for phase in study.phases:
        kib = (phase.mean_mix if phase.name in TIMED or phase.peak is None else phase.peak.mix).kib
        if kib is not None and not rates.likely(kib):
            raise RequestError(
                f"--save: {phase.name}: a mean I/O of {rates.text(kib)} KiB, expected {rates.LEAST_KIB:g} to "
                f"{rates.MOST_KIB:,.0f}. Nothing is written. Look at the unit of read_kib and write_kib: for a csv in "
                "bytes type --columns read_bytes=HEADING --columns write_bytes=HEADING, in MiB read_mib and write_mib."
            )


def corrected_name(study: Study, request: Request) -> str:
    """Return what the row of a corrected profile is called."""
    system = f" {request.system}" if request.system else ""
    return f"Corrected{system}: measured on {study.measured_on}"[:_LONGEST]


def name(study: Study, request: Request) -> str:
    """Return what the row is called: on what it was measured, as far as a name's letters go."""
    system = f" {request.system}" if request.system else ""
    bound = "95 % upper bound" if all(phase.error.upper is not None for phase in study.phases) else "no interval"
    text = f"Measured{system}: {study.measured_on}, 5 min; {bound}"
    return (
        text if len(text) <= _LONGEST else f"{text.removesuffix(bound)}{bound.removesuffix(' upper bound')}"[:_LONGEST]
    )


def _fields(study: Study, request: Request) -> Fields:
    """Return the fields of the row and of its phases, by `<field>` and ` <phase>.<field>`."""
    fields: Fields = {}
    for phase in study.phases:
        mix, label = phase.peak.mix if phase.peak else phase.mean_mix, LABELS[phase.name]
        if phase.name in TIMED:
            assert phase.per_desktop is not None
            assert phase.sized is not None
            fields[f" {label}.iops"] = phase.mean * (phase.sized / phase.per_desktop if phase.per_desktop else 1.0)
            fields[f" {label}.minutes"] = float(phase.minutes)
            mix = phase.mean_mix
        else:
            fields[f" {label}.iops"] = phase.sized or 0.0
            fields["steady_iops" if phase.name == STEADY else "login_iops"] = phase.sized or 0.0
        fields |= {f" {label}.{key}": value for key, value in _mix(mix).items()}
        if phase.name == STEADY and phase.peak:  # of work: without it, the profile has the mix of its phases alone
            fields |= _mix(phase.peak.mix)
    fields["year"] = float(day_of(study.days[-1]).year)
    if request.method:
        fields["measured_under"] = request.method
    return fields | _machines(study, request.method)


def _mix(mix: Mixture) -> Fields:
    known = {"read_ratio": mix.read_share, "block_kib": mix.kib}
    return {key: value for key, value in known.items() if value is not None}


def _machines(study: Study, method: str) -> Fields:
    """Return memory and GiB of a desktop, means over the machines of the inventories."""
    fields: Fields = {}
    for key, attribute in (("ram_gib", "memory_gib"), (_WRITTEN_IN.get(method, ""), "gib")):
        known = [(each.machines, getattr(each, attribute)) for each in study.groups]
        counted = [(count, value) for count, value in known if value is not None]
        if key and counted:
            fields[key] = sum(count * value for count, value in counted) / sum(count for count, _ in counted)
    return fields


def card(book: SizingBook, row: str, points: Sequence[fio.Point], limit_ms: float | None) -> list[Change]:
    """Return the changes that make points an array's card. Raises RequestError as `profile` does."""
    own = [key.removesuffix(_OF_A_CARD) for key in book.own if key.endswith(_OF_A_CARD)]
    if not any(_same(name, row) for name in own):
        raise RequestError(f"--row {row}: is no row of your own arrays. Name one of {', '.join(own)}.")
    fields = fio.card(points, limit_ms)
    if not fields:
        least = min(point.latency_ms for point in points)
        raise RequestError(
            f"--save: no run is within {limit_ms:g} ms, the fastest took {least:.3g} ms. Raise --limit-ms, or run fio "
            "with less depth."
        )
    return _changes(book, row, dict(fields))


def _changes(book: SizingBook, row: str, fields: Mapping[str, str | float]) -> list[Change]:
    """Return the changes of fields by `<part>.<field>` of a row. Raises RequestError for one that holds something."""
    made = []
    for key, value in fields.items():
        part, _, field = key.rpartition(".")
        item = book.entry(f"{row}{part}.{field}")
        _check_blank(book, item)
        made.append(Change(item, None, book.value_for(item, value if isinstance(value, str) else _digits(value))))
    return made


def _check_blank(book: SizingBook, item: Item) -> None:
    """Raise RequestError for a cell that holds something: what people typed is theirs."""
    held = book.held(item)
    if held not in (None, ""):
        at = item.address.a1
        raise RequestError(f"{book.path.name}: {at} ({item.key}) holds {held!r} already. Name an empty row with --row.")


def _digits(value: float) -> float:
    """Return a figure with the digits that a measurement has."""
    return float(f"{value:.6g}")


def _renamed(book: SizingBook, row: str, text: str) -> list[Change]:
    """Return the changes of a row's name and of every cell that chose it. Raises RequestError where it is taken."""
    titles = own_rows.area(book.cells, book.cells.names.get(_PROFILES, ""))
    if any(book.cells.constant(at) == text for at in titles):
        raise RequestError(f"{book.path.name}: a row is called {text!r} already. Rename it first.")
    own = next((at for at in titles if _same(book.cells.constant(at), row)), None)
    if own is None:
        raise RequestError(f"--row {row}: its name is a formula. Type a name, or choose another row.")
    chosen = [item for item in book.inputs.values() if _same(book.cells.constant(item.address), row)]
    items = [Item("name of the row", own, "Name", ""), *(replace(item, choices=()) for item in chosen)]
    return [Change(item, book.cells.constant(item.address), text) for item in items]


def _same(value: object, row: str) -> bool:
    return isinstance(value, str) and value.strip().casefold() == row.strip().casefold()


def save(book: SizingBook, changes: Sequence[Change], target: Path) -> None:
    """Write the copy. Raises RequestError, with nothing written."""
    applying.write(book, changes, target)


def typed(book: SizingBook, key: str) -> float | None:
    """Return what an input holds as a number; None for a blank and for words."""
    value = book.held(book.inputs[key]) if key in book.inputs else None
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
