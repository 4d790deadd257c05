"""The csv that Windows and esxtop write (PDH-CSV 4.0): its columns by name, its rows, whatever stands around them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from addin.measured import texts
from addin.measured.numbers import Numbers
from addin.measured.records import Progress, Reading, fault, quoted
from addin.measured.times import Clock
from addin.numerals import number_of

LAST_COLUMN = 16_384  # of Excel
_PATH = re.compile(r"\\\\(?P<host>[^\\]+)\\(?P<object>[^\\(]+?)(?:\((?P<instance>.*)\))?\\(?P<counter>[^\\]+)")
_TRAILER = re.compile(r"exiting|the command completed", re.IGNORECASE)
_CHUNK = 512  # rows whose texts are kept until they are numbers
Figures = NDArray[np.float64]


@dataclass(frozen=True)
class Counter:
    """A column: `\\\\host\\object(instance)\\counter`, the texts in lower case."""

    at: int
    host: str
    object: str
    instance: str
    counter: str


def header(path: Path, encoding: str) -> list[str]:
    """Return the cells of the first row."""
    line = texts.first_line(path, encoding)
    return _head(texts.rows(path, encoding, texts.delimiter_of(line)))


def _head(rows: Iterator[tuple[int, list[str]]]) -> list[str]:
    """Return the cells of the first row that is not blank: typeperf begins with a blank one."""
    return next(cells for _, cells in rows if any(cell.strip() for cell in cells))


def counters(cells: Sequence[str]) -> list[Counter]:
    """Return the columns that are counters, in the order of the file."""
    found = []
    for at, cell in enumerate(cells):
        if match := _PATH.fullmatch(cell.strip()):
            host, kind = match["host"], match["object"].strip().casefold()
            instance, counter = (match["instance"] or "").strip(), match["counter"].strip().casefold()
            found.append(Counter(at, host, kind, instance, counter))
    return found


def read(
    reading: Reading,
    encoding: str,
    clock: Clock,
    wanted: Sequence[Counter],
    names: Sequence[str],
    progress: Progress | None = None,
) -> tuple[list[float], list[int], Figures]:
    """Return times, numbers and figures (columns in the order of `wanted`, by rows) of the rows.

    Raises RequestError for a row of another length, a text that is not a time, seconds that Excel removed.
    """
    path = reading.path
    delimiter = texts.delimiter_of(texts.first_line(path, encoding))
    rows = texts.rows(path, encoding, delimiter, progress)
    heads = _head(rows)
    if len(heads) == LAST_COLUMN:
        raise fault(path, f"ends at column {LAST_COLUMN:,}, Excel's last", "Take the file as it was written", 1)
    _check_doubled(path, wanted)
    comment = 1 if len(heads) > 1 and not heads[-1].lstrip().startswith("\\\\") else 0
    pick: Callable[[list[str]], tuple[str, ...]] = itemgetter(*(each.at for each in wanted), 0)
    numbers, times, at = Numbers(path, delimiter), list[float](), list[int]()
    blocks: list[Figures] = []
    chunk: list[tuple[str, ...]] = []

    def flush() -> None:
        if chunk:
            columns = list(zip(*chunk, strict=True))[:-1]
            here = at[-len(chunk) :]
            blocks.append(
                np.array([numbers.column(column, here, name) for column, name in zip(columns, names, strict=True)])
            )
            chunk.clear()

    for number, cells in _whole(path, rows, (len(heads), len(heads) - comment), reading):
        times.append(clock.us(cells[0], number, heads[0]))
        at.append(number)
        chunk.append(pick(cells))
        if len(chunk) == _CHUNK:
            flush()
    flush()
    if not times:
        raise fault(path, "holds a header and no row", "Measure again, or leave the file out", 1)
    _check_seconds(path, clock, times, at, reading)
    numbers.end(reading)
    return times, at, np.concatenate(blocks, axis=1)


def _check_doubled(path: Path, wanted: Sequence[Counter]) -> None:
    """Raise RequestError where a counter has two columns, as in logs that were joined: it would count twice."""
    known: dict[tuple[str, str, str, str], Counter] = {}
    for each in wanted:
        name = (each.host.casefold(), each.object, each.instance.casefold(), each.counter)
        if (other := known.setdefault(name, each)) is not each:
            text = f"column {each.at + 1:,} holds the same counter as column {other.at + 1:,}"
            raise fault(
                path, text, "Leave one out", 1, f"\\\\{each.host}\\{each.object}({each.instance})\\{each.counter}"
            )


def _whole(
    path: Path, rows: Iterator[tuple[int, list[str]]], lengths: tuple[int, int], reading: Reading
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are as long as the header; one that is cut off may only be the last."""
    short: tuple[int, int] | None = None
    for number, cells in rows:
        if not cells or (not cells[0].strip() and not any(cell.strip() for cell in cells)):
            continue
        if not cells[0][:1].isdigit() and _TRAILER.search(cells[0]):
            reading.left.append(f"row {number}: {quoted(','.join(cells))}")
            continue
        if short is not None:
            found = f"has {number_of(short[1], 'cell')}, the header {lengths[0]:,}"
            raise fault(path, found, "Export it again, or delete the row", short[0])
        if len(cells) not in lengths:
            short = (number, len(cells))
            continue
        yield number, cells
    if short is not None:
        reading.left.append(f"row {short[0]}, the last: it is cut off")


def _check_seconds(path: Path, clock: Clock, times: Sequence[float], at: Sequence[int], reading: Reading) -> None:
    """Raise RequestError where times have lost their seconds and stand twice because of it."""
    if not clock.no_seconds:
        return
    for before, time, number in zip(times, times[1:], at[1:], strict=False):
        if time == before:
            found = "times have no seconds and stand twice: the file was saved by Excel"
            raise fault(path, found, "Take the file as it was written", number)
    reading.note("times have no seconds: the file was saved by Excel", "bins may begin up to a minute off")
