"""The comparison of two copies of a workbook: one tuple of findings for each section."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from addin.buttons import COMMANDS
from addin.diff import currencies, formulas, outcome, typed
from addin.diff.lines import Alignment, align
from addin.diff.typed import ABSENT, Change, Typed, same_value
from addin.kernel import Address
from addin.kernel.formula.cells import quoted
from addin.workbook.book import SizingBook
from addin.workbook.digests import as_built, version_cell

SHEET = COMMANDS["diff"].sheet
HEADING = f"{SHEET}: what differs from another copy, and why the results moved"
RESULT_SHEETS = frozenset(button.sheet.casefold() for button in COMMANDS.values())
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Difference:
    """The differences between an old and a new copy, by section; `changed` has the inputs for a bridge."""

    old: SizingBook
    new: SizingBook
    version: tuple[Change, ...]
    inputs: tuple[Change, ...]
    own: tuple[Change, ...]
    catalogue: tuple[Change, ...]
    formulas: tuple[Change, ...]
    results: tuple[Change, ...]
    checks: tuple[Change, ...]
    texts: tuple[Change, ...]
    changed: Typed
    notes: tuple[str, ...]
    why_none: tuple[str, str] = ("", "")  # of the old and of the new copy: why it has no answer

    @property
    def unanswered(self) -> tuple[str, ...]:
        """A sentence for each copy that has no answer."""
        told = zip(("old", "new"), (self.old, self.new), self.why_none, strict=True)
        return tuple(f"The {which} copy, {book.path.name}, has no answer: {why}." for which, book, why in told if why)

    @property
    def sections(self) -> tuple[tuple[str, str, tuple[Change, ...]], ...]:
        """Key, title and findings of every section."""
        return (
            ("version", "Version and digest", self.version),
            ("inputs", "Inputs", self.inputs),
            ("own_rows", "Arrays and profiles of your own", self.own),
            ("catalogue", "Catalogue and other typed cells", self.catalogue),
            ("formulas", "Formulas", self.formulas),
            ("results", "Results of the base design", self.results),
            ("checks", "Checks", self.checks),
            ("texts", "Labels and notes", self.texts),
        )

    @property
    def none(self) -> bool:
        """Whether nothing differs."""
        return not any(changes for _, _, changes in self.sections)


def compare(old: SizingBook, new: SizingBook, *, outcomes: bool = True) -> Difference:
    """Return the differences; without `outcomes` only changes by people, not the results that moved.

    Raises BookError where the results of a copy cannot be computed.
    """
    left_out = frozenset(t for book in (old, new) for t in book.cells.sheets if t.casefold() in RESULT_SHEETS)
    alignment = align(old.cells, new.cells, left_out)
    found = typed.inputs(old, new, alignment)
    pairs = list(_pairs(old, new, alignment))
    counting, texts = typed.others(old.cells, new.cells, pairs, found.seen | {version_cell(new.cells)})
    edits = list(formulas.edits(old.cells, new.cells, pairs, alignment))
    names = formulas.names(old.cells, new.cells, alignment)
    unsaid = (edit for edit in edits if edit.at not in found.seen)
    changed = [*_sheets(old, new, alignment), *names, *formulas.findings(unsaid, new.cells)]
    for line in _lines(old, new, alignment):
        held = line.old if line.new == ABSENT else line.new
        word = isinstance(held, str) and not held.startswith("=")
        (texts if word else changed if isinstance(held, str) else counting).append(line)
    moved: list[Change] = []
    flipped: list[Change] = []
    why = ("", "")
    if outcomes and (found.inputs or found.own or counting or changed):
        stays = alignment.still and not names
        reached = outcome.reached(new.cells, _touched(old, new, edits, pairs)) if stays else None
        moved, flipped, why = outcome.compared(old, new, reached)
    return Difference(
        old=old,
        new=new,
        version=tuple(_version(old, new)),
        inputs=tuple(found.inputs),
        own=tuple(found.own),
        catalogue=tuple(typed.grouped(counting, {name for item in new.inputs.values() for name in item.choices})),
        formulas=tuple(changed),
        results=tuple(moved),
        checks=tuple(flipped),
        texts=tuple(typed.grouped(texts, ())),
        changed=found,
        notes=_notes(old, new, left_out, outcomes=outcomes),
        why_none=why,
    )


def _pairs(old: SizingBook, new: SizingBook, alignment: Alignment) -> Iterator[tuple[Address, Address]]:
    """Yield the matched cells of both copies, those blank in both left out."""
    back = {}
    for at in old.cells.values:
        other = alignment.new(at)
        if other is not None:
            back[other] = at
            yield at, other
    homes = {new_title: old_title for old_title, new_title in alignment.sheets.items()}
    for at in new.cells.values:
        home = homes.get(at.sheet)
        if home is None or at in back:
            continue
        if at.row not in alignment.rows[home].added and at.column not in alignment.columns[home].added:
            row = alignment.rows[home].old.get(at.row, at.row)
            column = alignment.columns[home].old.get(at.column, at.column)
            yield Address(home, row, column), at  # the first one is blank


def _touched(
    old: SizingBook, new: SizingBook, edits: Iterable[formulas.Edit], pairs: Sequence[tuple[Address, Address]]
) -> set[Address]:
    """Return the cells of the new copy with other content than in the old one."""
    typed_anew = {
        after
        for before, after in pairs
        if not same_value(old.cells.constant(before), new.cells.constant(after)) and not new.cells.formula(after)
    }
    return {edit.at for edit in edits} | typed_anew | (new.cells.values.keys() - {after for _, after in pairs})


def _sheets(old: SizingBook, new: SizingBook, alignment: Alignment) -> Iterator[Change]:
    """Yield sheets that only one copy has, and renamed sheets."""
    titles = set(alignment.sheets.values())
    added = [t for t in new.cells.sheets if t not in titles and t.casefold() not in RESULT_SHEETS]
    removed = [t for t in old.cells.sheets if t not in alignment.sheets and t.casefold() not in RESULT_SHEETS]
    yield from formulas.whole_sheets(old.cells, removed, "removed")
    yield from formulas.whole_sheets(new.cells, added, "new")
    for title, other in alignment.sheets.items():
        if title.casefold() != other.casefold():
            yield Change("", title, quoted(other), title, other, "", "renamed sheet")


def _lines(old: SizingBook, new: SizingBook, alignment: Alignment) -> Iterator[Change]:
    """Yield rows and columns that only one copy has."""
    gone = {t: (alignment.rows[t].removed, alignment.columns[t].removed) for t in alignment.sheets}
    fresh = {other: (alignment.rows[t].added, alignment.columns[t].added) for t, other in alignment.sheets.items()}
    yield from formulas.whole_lines(old.cells, gone, "removed")
    yield from formulas.whole_lines(new.cells, fresh, "new")


def _version(old: SizingBook, new: SizingBook) -> Iterator[Change]:
    if old.version != new.version:
        yield Change("version", "Version of the model", "", old.version, new.version)
    digests = [as_built(book.cells) for book in (old, new)]
    if digests[0] != digests[1]:
        yield Change("digest", "As built", "", *digests)


def _notes(old: SizingBook, new: SizingBook, left_out: Iterable[str], *, outcomes: bool) -> tuple[str, ...]:
    notes = list(currencies.notes(old, new)) if outcomes else []
    if left_out:
        notes.append(f"Sheets of results are not compared: {', '.join(sorted(left_out))}.")
    if old.version != new.version:
        notes.append("The copies are of different versions: what only one of them has is shown as not there.")
    return tuple(dict.fromkeys((*notes, *old.notes, *new.notes)))
