"""Match the rows, columns and sheets of two copies by their labels and names, never by address.

A row is identified by its group and label, else by a defined name of one of its cells, else by its label alone; a
column by its heading. Lines without such a mark are matched between two lines that have one: in order where their
numbers agree, else by their content. The rest was removed or added.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property

from addin.kernel import Address, Cells, KernelError
from addin.workbook import tabs

HEAD_ROW = 4  # the row with the headings of a sheet
ROW, COLUMN = "row", "column"
ALIKE = 0.5  # least share of common content of two lines that are the same line
MOST_PAIRS = 10_000  # of unmarked lines that are compared pairwise
Stored = Mapping[Address, object]


@dataclass(frozen=True)
class _Line:
    """A row or a column with content: its number, its marks (the best first), its content."""

    number: int
    marks: tuple[Hashable, ...]
    content: frozenset[Hashable]


@dataclass(frozen=True)
class Lines:
    """The rows or the columns of a sheet: old number to new number, and the unmatched ones."""

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
        """Return the new number of a line; a blank one keeps its distance to the line above it."""
        if number in self.removed:
            return None
        if number in self.pairs:
            return self.pairs[number]
        at = bisect_right(self._known, number)
        return number if at == 0 else self.pairs[self._known[at - 1]] + number - self._known[at - 1]

    def nearest(self, number: int, step: int, last: int) -> int | None:
        """Return the new number of the first remaining line, from a line in steps of 1 or -1 up to a last one."""
        while (found := self.new(number)) is None and number != last:
            number += step
        return found


@dataclass(frozen=True)
class Alignment:
    """The matched parts of two copies: old title to new title, rows and columns by the old title."""

    sheets: Mapping[str, str]
    rows: Mapping[str, Lines]
    columns: Mapping[str, Lines]

    @cached_property
    def still(self) -> bool:
        """Whether every cell has its old address."""
        return not self._moved

    @cached_property
    def _moved(self) -> frozenset[str]:
        """The titles, in lower case, of the sheets on which anything has moved."""
        return frozenset(
            title.casefold()
            for title, other in self.sheets.items()
            if title != other or any(lines.moved or lines.removed for lines in (self.rows[title], self.columns[title]))
        )

    def reads_moved(self, formula: str, sheet: str) -> bool:
        """Return whether a formula on a sheet may read a cell that has moved or is gone."""
        text = formula.casefold().replace("''", "'")
        return sheet.casefold() in self._moved or any(title in text for title in self._moved)

    def new(self, address: Address) -> Address | None:
        """Return the new address of a cell; None where its row, column or sheet is gone."""
        sheet = self.sheets.get(address.sheet)
        if sheet is None:
            return None
        row, column = self.rows[address.sheet].new(address.row), self.columns[address.sheet].new(address.column)
        return None if row is None or column is None else Address(sheet, row, column)


def align(old: Cells, new: Cells, left_out: frozenset[str]) -> Alignment:
    """Match two copies, without the sheets in `left_out`."""
    sheets = _sheets(old, new, left_out)
    names = _names(old, new, sheets)
    rows, columns = {}, {}
    for title, other in sheets.items():
        before, after = old.stored(title), new.stored(other)
        rows[title] = _matched(_rows(old, before, names[0]), _rows(new, after, names[1]))
        columns[title] = _matched(_columns(old, before), _columns(new, after))
    return Alignment(sheets, rows, columns)


def _sheets(old: Cells, new: Cells, left_out: frozenset[str]) -> dict[str, str]:
    """Return new titles by old ones; a renamed sheet is identified by the names of its cells."""
    titles = {title.casefold(): title for title in new.sheets if title not in left_out}
    pairs = {t: titles.pop(t.casefold()) for t in old.sheets if t not in left_out and t.casefold() in titles}
    homes = [{name: at.sheet for name, at in _targets(cells).items()} for cells in (old, new)]
    built = {tabs.title(new, tab): tab for tab in tabs.TITLES}
    for title, other in built.items():
        home = tabs.title(old, other)
        if title in titles.values() and home in old.sheets and home not in pairs:
            pairs[home] = titles.pop(title.casefold())
    for title in [t for t in old.sheets if t not in pairs and t not in left_out]:
        pointed = Counter(homes[1].get(name, "") for name, home in homes[0].items() if home == title)
        best = next((home for home, _ in pointed.most_common() if home in titles.values()), None)
        if best is not None:
            pairs[title] = titles.pop(best.casefold())
    return pairs


def _targets(cells: Cells) -> dict[str, Address]:
    """Return the first cell of every name of the workbook that refers to cells."""
    found = {}
    for name, text in cells.names.items():
        try:
            found[name] = Address.from_a1(text.partition(":")[0])
        except KernelError:
            continue
    return found


def _names(old: Cells, new: Cells, sheets: Mapping[str, str]) -> tuple[dict[tuple[str, int], str], ...]:
    """Return for each copy, by sheet and row, a name that refers to one cell of the same sheet in both."""
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
        label = typed_text(cells, first) if first.column == 1 else ""
        if label and len(addresses) == 1 and number > HEAD_ROW:
            group = label
        marks = ((group, label) if label else None, names.get((first.sheet, number)), label or None)
        lines.append(_Line(number, marks, _content(cells, addresses, ROW)))
    return lines


def _columns(cells: Cells, stored: Sequence[Address]) -> list[_Line]:
    lines = []
    for number, addresses in _by_number(stored, COLUMN):
        heading = next((typed_text(cells, at) for at in addresses if at.row == HEAD_ROW), "")
        lines.append(_Line(number, (heading or None,), _content(cells, addresses, COLUMN)))
    return lines


def _by_number(stored: Sequence[Address], kind: str) -> Iterator[tuple[int, list[Address]]]:
    found: defaultdict[int, list[Address]] = defaultdict(list)
    for at in stored:
        found[at.row if kind == ROW else at.column].append(at)
    yield from sorted(found.items())


def typed_text(cells: Cells, address: Address) -> str:
    """Return the typed text of a cell, empty for anything else."""
    value = cells.constant(address)
    return value if isinstance(value, str) and cells.formula(address) is None else ""


def _content(cells: Cells, addresses: Sequence[Address], kind: str) -> frozenset[Hashable]:
    """Return the content of a line: its typed values, and the places of its formulas."""
    held = ((at, "=" if cells.formula(at) else cells.constant(at)) for at in addresses)
    return frozenset((at.column if kind == ROW else at.row, value) for at, value in held)


def _matched(old: list[_Line], new: list[_Line]) -> Lines:
    pairs = _same(old, new) or _by_marks(old, new)
    taken = set(pairs.values())
    removed = frozenset(line.number for line in old if line.number not in pairs)
    return Lines(pairs, removed, frozenset(line.number for line in new if line.number not in taken))


def _same(old: list[_Line], new: list[_Line]) -> dict[int, int]:
    """Return every line matched with itself, if no line has moved."""
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
    """Return the numbers by their marks, without marks that occur twice."""
    found: defaultdict[Hashable, list[int]] = defaultdict(list)
    for mark, number in marked:
        if mark is not None:
            found[mark].append(number)
    return {mark: numbers[0] for mark, numbers in found.items() if len(numbers) == 1}


def _between(old: list[_Line], new: list[_Line], pairs: Mapping[int, int]) -> dict[int, int]:
    """Match the lines without a common mark by their place between those with one."""
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
    """Return the lines of two runs with similar content, as pairs of indices in order."""
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
    """Return the share of common content of two lines."""
    return len(old.content & new.content) / max(len(old.content), len(new.content))


def _runs(lines: list[_Line], known: Mapping[int, int] | set[int]) -> Iterator[tuple[int, list[_Line]]]:
    """Yield each run of unknown lines with the number of the known line before it, 0 for none."""
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
