"""The csv of our own: `time,desktop,reads,writes,read_kib,write_kib`, rates a second; or wide, `NAME:reads` and so on.

Any export becomes one with a recipe of docs/measure.md, or with --columns that says what its columns are called. Rows
may stand in any order. A time is when an interval begins; an optional column `seconds` says how long it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from addin.errors import RequestError
from addin.measured import rates, texts
from addin.measured.disk_rows import DiskRows
from addin.measured.grid import Grid, Samples
from addin.measured.numbers import Numbers
from addin.measured.perfmon import wanted
from addin.measured.rates import RATES
from addin.measured.records import AMBER, Options, Progress, Reading, fault, quoted, unnamed
from addin.measured.times import Clock, text_of
from addin.measured.windows import BIN
from addin.numerals import number_of

TITLE = "csv with time, desktop, reads, writes, read_kib, write_kib"
TIME, DESKTOP, SECONDS = "time", "desktop", "seconds"
_ALIGNED = 1.2  # times of a file over those of a desktop, where all desktops have the same
_LONGEST = 255  # letters of a desktop's name
_WIDE = "Expected NAME:reads and NAME:writes of every desktop, or the long csv of docs/measure.md"
_WORD = 1 << 36  # above every second of the calendar's first 2,000 years
Chunk = tuple[Sequence[int], Sequence[Sequence[str]]]


class _Times(dict[str, float]):
    """The times of a file by their texts: a file has far fewer of them than rows."""

    def __init__(self, clock: Clock, column: str) -> None:
        super().__init__()
        self._clock, self._column = clock, column

    def __missing__(self, text: str) -> float:
        self[text] = self._clock.iso(text, 0, self._column)
        return self[text]

    def column(self, texts: Sequence[str], numbers: Sequence[int]) -> NDArray[np.float64]:
        """Return the seconds of a column. Raises RequestError with the row of a text that is not a time."""
        try:
            return np.fromiter(map(self.__getitem__, texts), dtype=np.float64, count=len(texts))
        except RequestError:
            for text, number in zip(texts, numbers, strict=True):
                self._clock.iso(text, number, self._column)
            raise


class _Numbered(dict[str, int]):
    """The desktops of a file by name: its number in the grid, -1 for one that nobody asked for."""

    def __init__(self, grid: Grid, patterns: Sequence[str]) -> None:
        super().__init__()
        self._grid, self._patterns = grid, patterns

    def __missing__(self, name: str) -> int:
        text = name.strip()
        if not text or len(text) > _LONGEST or not text.isprintable():
            raise KeyError(name)
        self[name] = self._grid.desktop(text) if wanted(text, self._patterns) else -1
        return self[name]

    def column(self, names: Sequence[str], numbers: Sequence[int], path: Path, column: str) -> NDArray[np.int64]:
        """Return the numbers of a column. Raises RequestError with the row of a name that no desktop has."""
        try:
            return np.fromiter(map(self.__getitem__, names), dtype=np.int64, count=len(names))
        except KeyError as error:
            bad = str(error.args[0])
            number = next((row for text, row in zip(names, numbers, strict=False) if text == bad), None)
            found = f"{quoted(bad)} is no name of a desktop" if bad.strip() else "names no desktop"
            raise fault(path, found, "Name every desktop, or delete the row", number, column) from None


def recognised(cells: Sequence[str], options: Options) -> bool:
    """Say whether a header names a time, and a desktop or columns of desktops."""
    names = _named(cells, options)
    return TIME in names and (DESKTOP in names or any(":" in name for name in names))


def _named(cells: Sequence[str], options: Options) -> list[str]:
    """Return what the columns are called here: in lower case, those of --columns by their names of ours."""
    ours = {theirs.casefold(): name for name, theirs in options.columns}
    return [ours.get(cell.strip().casefold(), cell.strip().casefold()) for cell in cells]


def add(grid: Grid, file: int, reading: Reading, options: Options, progress: Progress | None = None) -> None:
    """Add a file, long or wide. Raises RequestError with row and column for what cannot be read."""
    path = reading.path
    encoding = texts.encoding_of(path, options.encoding)
    delimiter = texts.delimiter_of(texts.first_line(path, encoding))
    rows = texts.rows(path, encoding, delimiter, progress)
    number, heads = next(rows)
    named = _named(heads, options)
    once = Counter(rates.ours(name)[0] for name in named)
    if twice := next((name for name, count in once.items() if name and count > 1), ""):
        raise fault(path, f"two columns are called {twice!r}", "Leave one out", number)
    table = _Table(grid, file, reading, options, heads, named, Numbers(path, delimiter))
    for chunk in _chunks(path, encoding, delimiter, len(heads), progress, reading.left):
        table.add(*chunk)
    table.end()


def _chunks(
    path: Path,
    encoding: str,
    delimiter: str,
    width: int,
    progress: Progress | None = None,
    left: list[str] | None = None,
) -> Iterator[Chunk]:
    """Yield numbers of rows and their columns, some rows at a time, without the header.

    A last row that is cut off is left out, and said in `left`. Raises RequestError for another row of another length.
    """
    headed = False
    for first, lines in texts.blocks(path, encoding, progress):
        numbers: Sequence[int] = range(first, first + len(lines))
        if not headed or not all(lines):
            filled = [at for at, line in enumerate(lines) if line.strip()]
            begin = 0 if headed else 1
            headed = headed or bool(filled)
            numbers = [first + at for at in filled[begin:]]
            lines = [lines[at] for at in filled[begin:]]
        if not lines:
            continue
        if len(lines) == 1 and lines[0].count(delimiter) + 1 < width and texts.cut_off(path):
            if left is not None:
                left.append(f"row {numbers[0]}, the last: it is cut off")
            continue
        if any('"' in line for line in lines):
            cells = texts.cells_of(path, lines, delimiter, numbers[0])
            _check_width(path, map(len, cells), numbers, width)
            columns: Sequence[Sequence[str]] = list(zip(*cells, strict=True))
        else:
            _check_width(path, (line.count(delimiter) + 1 for line in lines), numbers, width)
            flat = delimiter.join(lines).split(delimiter)
            columns = [flat[at::width] for at in range(width)]
        yield numbers, columns


def _check_width(path: Path, widths: Iterable[int], numbers: Sequence[int], width: int) -> None:
    found = list(widths)
    if len(found) != len(numbers) or set(found) != {width}:
        at = next((at for at, each in enumerate(found) if each != width), len(found) - 1)
        text = f"has {number_of(found[at], 'cell')}, the header {width}"
        raise fault(path, text, "Look for line ends inside of quotes, and commas outside of them", numbers[at])


class _Table:
    """The columns of one file, and what was seen of it so far."""

    def __init__(
        self,
        grid: Grid,
        file: int,
        reading: Reading,
        options: Options,
        heads: Sequence[str],
        named: Sequence[str],
        numbers: Numbers,
    ) -> None:
        self._grid, self._file, self._reading = grid, file, reading
        names, self._kib = zip(*map(rates.ours, named), strict=True)
        self._heads, self._named, self._names = heads, named, names
        self._sums = np.zeros(len(RATES))
        self._encoding = options.encoding
        self._clock = Clock(reading.path, options.zone)
        self._times = _Times(self._clock, heads[names.index(TIME)])
        self._numbers = numbers
        self._desktops = _Numbered(grid, options.desktops)
        self._missing = self._others = self._rows = 0
        self._last: dict[int, float] = {}
        self._unsorted = False
        self._span = [np.inf, -np.inf]
        self._long = DESKTOP in names
        self._disks = DiskRows(reading.path, names if self._long else ())
        self._wide = {} if self._long else self._columns_by_desktop()
        lacking = [each for each in RATES[:2] if self._long and each not in names]
        if lacking:
            found = f"has no column {lacking[0]!r}, but {', '.join(quoted(head) for head in list(heads)[:8])}"
            advice = f"Name it: --columns {lacking[0]}=HEADING; a total of reads and writes is not enough"
            raise fault(reading.path, found, advice, 1)

    def _columns_by_desktop(self) -> dict[str, dict[str, int]]:
        """Return the columns of a wide file: desktop, rate, number of the column."""
        found: dict[str, dict[str, int]] = {}
        for at, (head, name) in enumerate(zip(self._heads, self._names, strict=True)):
            rate = name.rpartition(":")[2].strip()
            if rate in RATES:
                name = head.strip()[: head.strip().rindex(":")].strip()
                if not name or not name.isprintable():
                    raise fault(self._reading.path, f"column {at + 1} names no desktop", "Name it NAME:reads", 1, head)
                found.setdefault(name, {})[rate] = at
        if not found:
            wrong = next(head for head, name in zip(self._heads, self._names, strict=True) if ":" in name)
            raise fault(self._reading.path, f"has no column such as NAME:reads, but {quoted(wrong)}", _WIDE, 1)
        for desktop, columns in found.items():
            if lacking := [rate for rate in RATES[:2] if rate not in columns]:
                raise fault(self._reading.path, f"has no column '{desktop}:{lacking[0]}'", "Add it", 1)
        return found

    def add(self, numbers: Sequence[int], columns: Sequence[Sequence[str]]) -> None:
        """Add some rows, given by their columns."""
        times = self._times.column(columns[self._names.index(TIME)], numbers)
        weight = np.ones(len(numbers), dtype=np.int64)
        length = np.full(len(numbers), 0.0)
        if SECONDS in self._names:
            place = self._names.index(SECONDS)
            length = self._numbers.column(columns[place], numbers, self._heads[place])
            if bad := np.flatnonzero(~(length >= 1)).tolist():
                found = f"{quoted(columns[place][bad[0]])} is no length of an interval"
                raise fault(self._reading.path, found, "Expected seconds", numbers[bad[0]], SECONDS)
            weight = np.rint(length).astype(np.int64)
            if length.max() > 1.5 * BIN:
                at = int(length.argmax())
                found = f"{quoted(columns[place][at])} is longer than 5 minutes"
                raise fault(self._reading.path, found, "Leave the column seconds out", numbers[at], SECONDS)
        self._rows += len(numbers)
        self._span = [min(self._span[0], float(times.min())), max(self._span[1], float(times.max()))]
        if self._long:
            place = self._names.index(DESKTOP)
            desktop = self._desktops.column(columns[place], numbers, self._reading.path, self._heads[place])
            self._disks.add(desktop, self._grid.names, columns)
            where = {rate: self._names.index(rate) for rate in RATES if rate in self._names}
            self._put(desktop, columns, times, length, weight, self._figures(where, columns, numbers))
            return
        asked = [(number, where) for name, where in self._wide.items() if (number := self._desktops[name]) >= 0]
        if not asked:
            return
        figures = np.concatenate([self._figures(where, columns, numbers) for _, where in asked], axis=1)
        desktop = np.repeat(np.array([number for number, _ in asked], dtype=np.int64), len(numbers))
        times, length, weight = (np.tile(each, len(asked)) for each in (times, length, weight))
        self._put(desktop, columns, times, length, weight, figures)

    def _figures(
        self, where: dict[str, int], columns: Sequence[Sequence[str]], numbers: Sequence[int]
    ) -> NDArray[np.float64]:
        def figures(at: int) -> NDArray[np.float64]:
            read: NDArray[np.float64] = self._numbers.column(columns[at], numbers, self._heads[at])
            return read if self._kib[at] == 1 else read * self._kib[at]

        none = np.zeros(len(numbers))
        return np.array([figures(where[rate]) if rate in where else none for rate in RATES])

    def _put(
        self,
        desktop: NDArray[np.int64],
        columns: Sequence[Sequence[str]],
        times: NDArray[np.float64],
        length: NDArray[np.float64],
        weight: NDArray[np.int64],
        figures: NDArray[np.float64],
    ) -> None:
        asked = desktop >= 0
        self._others += int((~asked).sum())
        instants = self._instants(columns, times)
        self._check_order(desktop[asked] * _WORD + instants[asked].astype(np.int64))
        desktop, times = desktop[asked], times[asked]
        self._sums += np.nansum(figures[:, asked], axis=1)
        samples = Samples(desktop, times + length[asked] / 2, figures[:, asked], weight[asked])
        self._missing += self._grid.add(self._file, samples)

    def _instants(self, columns: Sequence[Sequence[str]], times: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return seconds that never repeat, for times of the site's clock: in autumn it has an hour twice."""
        if not self._clock.folded:
            return times
        named = columns[self._names.index(TIME)]
        found = np.fromiter(map(self._clock.instant, named), dtype=np.float64, count=len(named))
        return np.tile(found, len(times) // len(named))

    def _check_order(self, keys: NDArray[np.int64]) -> None:
        """Note whether the rows of every desktop go on in time: then none stands twice."""
        if self._unsorted or not keys.size:
            return
        order = np.argsort(keys, kind="stable")
        desktop, times = np.divmod(keys[order], _WORD)
        fresh = np.flatnonzero(np.diff(desktop, prepend=-1))
        falling = np.diff(order) < 0
        same = np.diff(desktop) == 0
        repeated = (np.diff(keys[order]) == 0) & same
        firsts = {int(desktop[at]): float(times[at]) for at in fresh}
        late = any(first <= self._last.get(each, -1.0) for each, first in firsts.items())
        if late or bool((falling & same).any()) or bool(repeated.any()):
            self._unsorted = True
            return
        ends = np.append(fresh[1:], len(keys)) - 1
        self._last.update({int(desktop[at]): float(times[at]) for at in ends})

    def end(self) -> None:
        """Check what only the whole file shows, and say what was taken. Raises RequestError."""
        reading, path = self._reading, self._reading.path
        if not self._rows:
            raise fault(path, "holds a header and no row", "Measure again, or leave the file out", 1)
        if self._unsorted:
            self._check_twice()
        reading.clock, reading.as_is = self._clock.kept, self._clock.as_is
        reading.first, reading.last = (text_of(each) for each in self._span)
        reading.interval_s = self._interval(len([each for each in self._desktops.values() if each >= 0]))
        self._numbers.end(reading)
        taken = [name for name, number in self._desktops.items() if number >= 0]
        if self._others or any(number < 0 for number in self._desktops.values()):
            left = sum(number < 0 for number in self._desktops.values())
            reading.left.append(unnamed(left))
        self._bytes(taken)
        if self._missing:
            reading.note(
                number_of(self._missing, "sample is blank", "samples are blank"), "counted as missing, not as 0"
            )
        reading.taken.append(f"{number_of(len(taken), 'desktop')}, {number_of(self._rows, 'row')}")

    def _bytes(self, taken: Sequence[str]) -> None:
        """Note the desktops without KiB and why, and what is odd about those of the others."""
        if self._long and not set(RATES[2:]) <= set(self._names):
            self._grid.without_bytes.update(name.strip().casefold() for name in taken)
            self._note_others()
            return
        without = [name for name, where in self._wide.items() if not set(RATES[2:]) <= where.keys()]
        self._grid.without_bytes.update(name.casefold() for name in without)
        if odd := [quoted(head) for head, name in self._pairs(self._named) if rates.of_1000(name)]:
            found = f"{', '.join(odd[:2])}{' and so on' * (len(odd) > 2)}"
            self._reading.note(found, "counted in units of 1,024; those of 1,000 would be 2 % (KB) or 5 % (MB) less")
        ios, kib = float(self._sums[:2].sum()), float(self._sums[2:].sum())
        if ios and not without and not rates.likely(kib / ios):
            found = f"a mean I/O of {rates.text(kib / ios)} KiB, which no disk has"
            self._reading.note(found, self._units(kib / ios), AMBER)

    def _note_others(self) -> None:
        """Name the columns that are not read where one with bytes is missing: it may be among them."""
        known = (TIME, DESKTOP, SECONDS, *RATES)
        if others := [quoted(head) for head, name in self._pairs(self._names) if name not in known]:
            effect = (
                "not read; name those with bytes: --columns read_kib=HEADING, or read_mib or read_bytes by their unit"
            )
            self._reading.note(f"{', '.join(others[:8])} beside reads and writes", effect, AMBER)

    def _units(self, kib: float) -> str:
        """Return what to do about a mean I/O that no disk has."""
        ats = [
            next(at for at, (_, name) in enumerate(self._pairs(self._names)) if name.endswith(rate))
            for rate in RATES[2:]
        ]
        return rates.advice(kib, [self._heads[at].strip() for at in ats], self._kib[ats[0]], wide=not self._long)

    def _pairs(self, names: Sequence[str]) -> Iterator[tuple[str, str]]:
        return zip(self._heads, names, strict=True)

    def _interval(self, desktops: int) -> float | None:
        """Return the usual step of the times, None where desktops have times of their own."""
        times = np.unique(np.fromiter(self._times.values(), dtype=np.float64))
        of_one = self._rows / max(desktops, 1) if self._long else self._rows
        if len(times) < 2 or len(times) > _ALIGNED * of_one:
            return None
        steps, counts = np.unique(np.diff(times), return_counts=True)
        return float(steps[counts.argmax()])

    def _check_twice(self) -> None:
        """Raise RequestError where a desktop has a time twice: the file is read again, as its rows have no order."""
        path = self._reading.path
        encoding = texts.encoding_of(path, self._encoding)
        delimiter = texts.delimiter_of(texts.first_line(path, encoding))
        keys = [self._keys(columns) for _, columns in _chunks(path, encoding, delimiter, len(self._heads))]
        every = np.concatenate(keys)
        every.sort()
        twice = every[1:][(np.diff(every) == 0) & (every[1:] >= 0)]
        if not twice.size:
            return
        desktop, second = divmod(int(twice[0]), _WORD)
        row, seen = None, 0
        for numbers, columns in _chunks(path, encoding, delimiter, len(self._heads)):
            for place in np.flatnonzero(self._keys(columns) == twice[0]).tolist():
                seen += 1
                row = numbers[place] if seen == 2 else row
        whose = self._grid.names[desktop] if self._long else "the file"
        found = f"{whose} has {text_of(second)} twice ({number_of(len(twice), 'such row')})"
        advice = "Leave one row out; where it is the hour in which the clock was set back, export it in UTC"
        raise fault(path, found, advice, row, self._heads[self._names.index(TIME)])

    def _keys(self, columns: Sequence[Sequence[str]]) -> NDArray[np.int64]:
        """Return a number for desktop and second of each row, a negative one where nobody asked for the desktop."""
        read = self._times.column(columns[self._names.index(TIME)], ())
        times = self._instants(columns, read).astype(np.int64)
        if not self._long:
            return times
        named = columns[self._names.index(DESKTOP)]
        desktop = np.fromiter(map(self._desktops.__getitem__, named), dtype=np.int64, count=len(named))
        return np.where(desktop < 0, -np.arange(1, len(times) + 1), desktop * _WORD + times)
