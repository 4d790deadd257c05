"""Formulas that differ between two copies: one finding for all cells with the same change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from addin.audit.parsed import relative
from addin.diff.lines import HEAD_ROW, Alignment, typed_text
from addin.diff.same import same_formula
from addin.diff.typed import ABSENT, Change, label_of, row_label
from addin.kernel import Address, Cells, Scalar
from addin.kernel.formula.cells import of_the_format, owner_of, quoted
from addin.numerals import numeral
from addin.xlsx.positions import a1

_SHOWN = 3  # areas of one finding


@dataclass(frozen=True)
class Edit:
    """A cell of the new copy (of the old one where it is gone) with its old and its new content."""

    at: Address
    old: Scalar
    new: Scalar
    key: object


def edits(old: Cells, new: Cells, pairs: Iterable[tuple[Address, Address]], alignment: Alignment) -> Iterator[Edit]:
    """Yield the cells with a changed, overwritten, cleared or new formula; `pairs` are cells of the two copies."""
    for before, after in pairs:
        texts = old.formula(before), new.formula(after)
        if texts == (None, None) or (all(texts) and same_formula(*_places(texts, before, after), alignment)):
            continue
        sides = zip(texts, (before, after), strict=True)
        shapes = [relative(text, at.row, at.column) if text else "typed" for text, at in sides]
        yield Edit(after, old.values.get(before), new.values.get(after), (after.sheet, *shapes))


def names(old: Cells, new: Cells, alignment: Alignment) -> list[Change]:
    """Return the names that both copies have with different definitions."""
    found = []
    for name in sorted(old.names.keys() & new.names.keys()):
        sheet, bare = owner_of(name)
        if of_the_format(bare):
            continue
        texts, at = (f"={old.names[name]}", f"={new.names[name]}"), Address(sheet, 1, 1)
        if not same_formula(*_places(texts, at, at), alignment):
            found.append(Change(name, "name of the workbook", "", *texts))
    return found


def _places(texts: tuple[str | None, str | None], before: Address, after: Address) -> tuple[str, Address, str, Address]:
    return texts[0] or "", before, texts[1] or "", after


def whole_lines(cells: Cells, numbers: Mapping[str, tuple[Iterable[int], Iterable[int]]], word: str) -> list[Change]:
    """Return a finding for each row and column that only one copy has; `word` is `new` or `removed`.

    `numbers` are rows and columns by the title of their sheet. A line shows its first formula, else its first number,
    else its first text.
    """
    found = []
    for title, (rows, columns) in numbers.items():
        stored = cells.stored(title)
        for what, chosen, of in (("row", rows, 1), ("column", columns, 2)):
            for number in sorted(chosen):
                held = [at for at in stored if at[of] == number]
                shown = max(held, key=lambda at: (cells.formula(at) is not None, isinstance(cells.values[at], float)))
                label = row_label(cells, held[-1]) if what == "row" else _heading(cells, held)
                value = cells.values[shown]
                place = _areas([(at.row, at.column) for at in held if at == shown or cells.formula(at)], title)
                old, fresh = (ABSENT, value) if word == "new" else (value, ABSENT)
                found.append(Change("", label, place, old, fresh, "", f"{word} {what}, {_count(len(held))}"))
    return found


def _heading(cells: Cells, held: Sequence[Address]) -> str:
    return next((text for at in held if at.row <= HEAD_ROW and (text := typed_text(cells, at))), "")


def whole_sheets(cells: Cells, titles: Iterable[str], word: str) -> list[Change]:
    """Return a finding for each sheet that only one copy has."""
    found = []
    for title in titles:
        formulas = sum(cells.formula(at) is not None for at in cells.stored(title))
        old, new = (ABSENT, title) if word == "new" else (title, ABSENT)
        found.append(Change("", title, quoted(title), old, new, "", f"{word} sheet, {numeral(formulas)} formulas"))
    return found


def findings(edits: Iterable[Edit], cells: Cells) -> Iterator[Change]:
    """Yield one finding for all cells whose formulas are copies of each other, before and after the change."""
    alike: defaultdict[object, list[Edit]] = defaultdict(list)
    for edit in edits:
        alike[edit.key].append(edit)
    for group in alike.values():
        first = min(group, key=lambda edit: edit.at)
        place = _areas([(edit.at.row, edit.at.column) for edit in group], first.at.sheet)
        label = label_of(cells, first.at) if len(group) == 1 else row_label(cells, first.at)
        blank = ", blank before" if first.old is None else ""
        yield Change("", label, place, first.old, first.new, "", f"{_count(len(group))}{blank}")


def _count(cells: int) -> str:
    return f"{numeral(cells)} cell{'s' if cells > 1 else ''}"


def _areas(positions: Iterable[tuple[int, int]], sheet: str) -> str:
    """Return cells as few areas of a sheet, `Cost!D7:X7, D9`; only the first of many."""
    rows: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for row, cells in groupby(sorted(positions), key=lambda position: position[0]):
        for first, last in _spans([column for _, column in cells]):
            rows[first, last].append(row)
    boxes = sorted((top, left, bottom, right) for (left, right), found in rows.items() for top, bottom in _spans(found))
    corners = [(a1((top, left)), a1((bottom, right))) for top, left, bottom, right in boxes]
    texts = [first if first == last else f"{first}:{last}" for first, last in corners]
    more = f" and {len(texts) - _SHOWN} more" if len(texts) > _SHOWN else ""
    return f"{quoted(sheet)}!{', '.join(texts[:_SHOWN])}{more}"


def _spans(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield first and last of each run of numbers without a gap."""
    for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        found = [number for _, number in run]
        yield found[0], found[-1]
