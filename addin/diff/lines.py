"""Which rows, columns and sheets of one copy are those of another one: by what they are called, never by address.

A row is known by its group and label, else by a name that points at it, else by its label alone; a column by its
heading. What has no such mark stands between two lines that have: as many there as here are the same in their order,
and where their numbers differ those that hold the same are. The rest was removed or added.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property

from addin.kernel import Address, Cells, KernelError

HEAD_ROW = 4  # where a sheet names its columns
ROW, COLUMN = "row", "column"
ALIKE = 0.5  # share of what two lines hold, from which on they are the same line
MOST_PAIRS = 10_000  # of lines without a mark that are compared each with each
Stored = Mapping[Address, object]


@dataclass(frozen=True)
class _Line:
    """A row or a column that holds something: its number, what it is known by (the best first), what it holds."""

    number: int
    marks: tuple[Hashable, ...]
    content: frozenset[Hashable]


@dataclass(frozen=True)
class Lines:
    """The rows or the columns of a sheet: old number to new number, and those without a counterpart."""

    pairs: Mapping[int, int]
    removed: frozenset[int]
    added: frozenset[int]

    @cached_property
    def moved(self) -> bool:
        """Whether a line has moved."""
        return any(old != new for old, new in self.pairs.items())

    @cached_property
    def old(self) -> Mapping[int, int]:
        """New number to old number."""
        return {new: old for old, new in self.pairs.items()}

    @cached_property
    def _known(self) -> list[int]:
        return sorted(self.pairs)

    def new(self, number: int) -> int | None:
        """Return where a line stands in the new copy, an empty one as far below the line above it as it was."""
        if number in self.removed:
            return None
        if number in self.pairs:
            return self.pairs[number]
        at = bisect_right(self._known, number)
        return number if at == 0 else self.pairs[self._known[at - 1]] + number - self._known[at - 1]

    def nearest(self, number: int, step: int, last: int) -> int | None:
        """Return where the first line that is left stands, seen from a line in steps of 1 or -1 up to a last one."""
        while (found := self.new(number)) is None and number != last:
            number += step
        return found


@dataclass(frozen=True)
class Alignment:
    """Two copies beside each other: old title to new title, rows and columns by the old title."""

    sheets: Mapping[str, str]
    rows: Mapping[str, Lines]
    columns: Mapping[str, Lines]

    @cached_property
    def still(self) -> bool:
        """Whether every cell has the address that it had."""
        return not self._moved

    @cached_property
    def _moved(self) -> frozenset[str]:
        """The sheets on which something has moved, in small letters."""
        return frozenset(
            title.casefold()
            for title, other in self.sheets.items()
            if title != other or any(lines.moved or lines.removed for lines in (self.rows[title], self.columns[title]))
        )

    def reads_moved(self, formula: str, sheet: str) -> bool:
        """Say whether a formula on a sheet may read a cell that has moved or is gone."""
        text = formula.casefold().replace("''", "'")
        return sheet.casefold() in self._moved or any(title in text for title in self._moved)

    def new(self, address: Address) -> Address | None:
        """Return where a cell stands in the new copy; None where its row, column or sheet is gone."""
        sheet = self.sheets.get(address.sheet)
        if sheet is None:
            return None
        row, column = self.rows[address.sheet].new(address.row), self.columns[address.sheet].new(address.column)
        return None if row is None or column is None else Address(sheet, row, column)


def align(old: Cells, new: Cells, left_out: frozenset[str]) -> Alignment:
    """Return which cells of two copies belong together, without the sheets that are left out."""
    sheets = _sheets(old, new, left_out)
    names = _names(old, new, sheets)
    rows, columns = {}, {}
    for title, other in sheets.items():
        before, after = old.stored(title), new.stored(other)
        rows[title] = _matched(_rows(old, before, names[0]), _rows(new, after, names[1]))
        columns[title] = _matched(_columns(old, before), _columns(new, after))
    return Alignment(sheets, rows, columns)


def _sheets(old: Cells, new: Cells, left_out: frozenset[str]) -> dict[str, str]:
    """Return new titles by old ones; a sheet with another title is known by the names that point into it."""
    titles = {title.casefold(): title for title in new.sheets if title not in left_out}
    pairs = {t: titles.pop(t.casefold()) for t in old.sheets if t not in left_out and t.casefold() in titles}
    homes = [{name: at.sheet for name, at in _targets(cells).items()} for cells in (old, new)]
    for title in [t for t in old.sheets if t not in pairs and t not in left_out]:
        pointed = Counter(homes[1].get(name, "") for name, home in homes[0].items() if home == title)
        best = next((home for home, _ in pointed.most_common() if home in titles.values()), None)
        if best is not None:
            pairs[title] = titles.pop(best.casefold())
    return pairs


def _targets(cells: Cells) -> dict[str, Address]:
    """Return the first cell of every name of the workbook that stands for cells."""
    found = {}
    for name, text in cells.names.items():
        try:
            found[name] = Address.from_a1(text.partition(":")[0])
        except KernelError:
            continue
    return found


def _names(old: Cells, new: Cells, sheets: Mapping[str, str]) -> tuple[dict[tuple[str, int], str], ...]:
    """Return for each copy a name by sheet and row, of the names that point at one cell of the same sheet in both."""
    before, after = _targets(old), _targets(new)
    found: tuple[dict[tuple[str, int], str], ...] = ({}, {})
    for name in sorted(before.keys() & after.keys()):
        if sheets.get(before[name].sheet) == after[name].sheet and ":" not in old.names[name] + new.names[name]:
            for rows, at in zip(found, (before[name], after[name]), strict=True):
                rows.setdefault((at.sheet, at.row), name)
    return found


def _rows(cells: Cells, stored: Sequence[Address], names: Mapping[tuple[str, int], str]) -> list[_Line]:
    lines, group = [], ""
    for number, addresses in _by_number(stored, ROW):
        first = addresses[0]
        label = _text(cells, first) if first.column == 1 else ""
        if label and len(addresses) == 1 and number > HEAD_ROW:
            group = label
        marks = ((group, label) if label else None, names.get((first.sheet, number)), label or None)
        lines.append(_Line(number, marks, _content(cells, addresses, ROW)))
    return lines


def _columns(cells: Cells, stored: Sequence[Address]) -> list[_Line]:
    lines = []
    for number, addresses in _by_number(stored, COLUMN):
        heading = next((_text(cells, at) for at in addresses if at.row == HEAD_ROW), "")
        lines.append(_Line(number, (heading or None,), _content(cells, addresses, COLUMN)))
    return lines


def _by_number(stored: Sequence[Address], kind: str) -> Iterator[tuple[int, list[Address]]]:
    found: defaultdict[int, list[Address]] = defaultdict(list)
    for at in stored:
        found[at.row if kind == ROW else at.column].append(at)
    yield from sorted(found.items())


def _text(cells: Cells, address: Address) -> str:
    value = cells.constant(address)
    return value if isinstance(value, str) and cells.formula(address) is None else ""


def _content(cells: Cells, addresses: Sequence[Address], kind: str) -> frozenset[Hashable]:
    """Return what a line holds: its typed values, and where formulas stand."""
    held = ((at, "=" if cells.formula(at) else cells.constant(at)) for at in addresses)
    return frozenset((at.column if kind == ROW else at.row, value) for at, value in held)


def _matched(old: list[_Line], new: list[_Line]) -> Lines:
    pairs = _same(old, new) or _by_marks(old, new)
    taken = set(pairs.values())
    removed = frozenset(line.number for line in old if line.number not in pairs)
    return Lines(pairs, removed, frozenset(line.number for line in new if line.number not in taken))


def _same(old: list[_Line], new: list[_Line]) -> dict[int, int]:
    """Return every line by itself where all stand where they stood."""
    if [(line.number, line.marks) for line in old] == [(line.number, line.marks) for line in new]:
        return {line.number: line.number for line in old}
    return {}


def _by_marks(old: list[_Line], new: list[_Line]) -> dict[int, int]:
    pairs: dict[int, int] = {}
    for mark in range(len(old[0].marks) if old else 0):
        free = set(pairs.values())
        before = _once((line.marks[mark], line.number) for line in old if line.number not in pairs)
        after = _once((line.marks[mark], line.number) for line in new if line.number not in free)
        pairs |= {number: after[key] for key, number in before.items() if key in after}
    return pairs | _between(old, new, pairs)


def _once(marked: Iterator[tuple[Hashable, int]]) -> dict[Hashable, int]:
    """Return the numbers by their marks, without those that stand twice."""
    found: defaultdict[Hashable, list[int]] = defaultdict(list)
    for mark, number in marked:
        if mark is not None:
            found[mark].append(number)
    return {mark: numbers[0] for mark, numbers in found.items() if len(numbers) == 1}


def _between(old: list[_Line], new: list[_Line], pairs: Mapping[int, int]) -> dict[int, int]:
    """Return the lines without a mark in common, by the place between those that have one."""
    taken = set(pairs.values())
    after = dict(_runs(new, taken))
    found: dict[int, int] = {}
    for before, run in _runs(old, pairs):
        theirs = after.get(pairs.get(before, 0), [])
        if len(run) == len(theirs):
            found |= {mine.number: other.number for mine, other in zip(run, theirs, strict=True)}
            continue
        found |= {run[mine].number: theirs[other].number for mine, other in _alike(run, theirs)}
    return found


def _alike(old: list[_Line], new: list[_Line]) -> list[tuple[int, int]]:
    """Return the lines of two runs that hold much the same, as places in them, in their order."""
    if len(old) * len(new) > MOST_PAIRS:
        same = SequenceMatcher(None, [each.content for each in old], [each.content for each in new], autojunk=False)
        return [(b.a + step, b.b + step) for b in same.get_matching_blocks() for step in range(b.size)]
    best: dict[tuple[int, int], tuple[float, tuple[tuple[int, int], ...]]] = {}
    for mine in range(len(old) + 1):
        for other in range(len(new) + 1):
            ways = [best[at] for at in ((mine - 1, other), (mine, other - 1)) if at in best] or [(0.0, ())]
            if mine and other and (shared := _shared(old[mine - 1], new[other - 1])) >= ALIKE:
                score, pairs = best[mine - 1, other - 1]
                ways.append((score + shared, (*pairs, (mine - 1, other - 1))))
            best[mine, other] = max(ways, key=lambda way: way[0])
    return list(best[len(old), len(new)][1])


def _shared(old: _Line, new: _Line) -> float:
    """Return the share of what two lines hold that both hold."""
    return len(old.content & new.content) / max(len(old.content), len(new.content))


def _runs(lines: list[_Line], known: Mapping[int, int] | set[int]) -> Iterator[tuple[int, list[_Line]]]:
    """Yield the lines that are not known, each run with the number of the known line before it, 0 for none."""
    before, run = 0, list[_Line]()
    for line in lines:
        if line.number in known:
            if run:
                yield before, run
            before, run = line.number, []
        else:
            run.append(line)
    if run:
        yield before, run
