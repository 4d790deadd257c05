"""Which desktop is of which type, and how many desktops the estate has of each: a csv of the user's own.

Columns `desktop` (a name or a pattern such as VDI-TASK-*), `type`, and optionally `desktops`, the count in the estate.
The first row that fits a name counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from addin.measured import texts
from addin.measured.perfmon import wanted
from addin.measured.records import fault, quoted
from addin.numerals import number_of

EVERY = "all desktops"
MOST = 100_000  # desktops of a type: what a workbook takes


@dataclass(frozen=True)
class Types:
    """Patterns with their types in order, and the desktops of each type where they are typed."""

    patterns: tuple[tuple[str, str], ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    path: Path | None = None

    def of(self, name: str) -> str:
        """Return the type of a desktop, empty where no row fits it."""
        if not self.patterns:
            return EVERY
        return next((type_ for pattern, type_ in self.patterns if wanted(name, (pattern,))), "")


def read(path: Path, encoding: str = "") -> Types:
    """Return the types of a file. Raises RequestError with row and column for what cannot be read."""
    used = texts.encoding_of(path, encoding)
    rows = texts.rows(path, used, texts.delimiter_of(texts.first_line(path, used)))
    number, cells = next(rows)
    heads = [cell.strip().casefold() for cell in cells]
    for needed in ("desktop", "type"):
        if needed not in heads:
            raise fault(path, f"has no column {needed!r}", "Expected desktop,type and optionally desktops", number)
    if twice := next((head for head in heads if head and heads.count(head) > 1), ""):
        raise fault(path, f"two columns are called {twice!r}", "Leave one out", number)
    patterns, counts, first = list[tuple[str, str]](), dict[str, int](), dict[str, int]()
    for number, cells in rows:
        if not any(cell.strip() for cell in cells):
            continue
        row = dict(zip(heads, (cell.strip() for cell in cells), strict=False))
        if not row.get("desktop") or not row.get("type"):
            raise fault(path, "names no desktop or no type", "Fill both, or delete the row", number)
        patterns.append((row["desktop"], row["type"]))
        first.setdefault(row["type"], number)
        if text := row.get("desktops"):
            _count(path, counts, row["type"], text, number)
    if not patterns:
        raise fault(path, "holds a header and no row", "Type a row for each type", number)
    if counts and (without := next((type_ for type_ in first if type_ not in counts), "")):
        found = f"{quoted(without)} has no number of desktops, {quoted(next(iter(counts)))} has one"
        advice = f"Expected a whole number, 1 to {MOST:,}, for each type: type it, or empty the whole column"
        raise fault(path, found, advice, first[without], "desktops")
    return Types(tuple(patterns), counts, path)


def _count(path: Path, counts: dict[str, int], type_: str, text: str, number: int) -> None:
    if not text.isdecimal() or not 0 < int(text) <= MOST:
        raise fault(
            path,
            f"{quoted(text)} is no count of desktops",
            f"Expected a whole number, 1 to {MOST:,}",
            number,
            "desktops",
        )
    if counts.setdefault(type_, int(text)) != int(text):
        found = f"{type_} has {number_of(int(text), 'desktop')} here and {counts[type_]:,} above"
        raise fault(path, found, "Type one count for each type", number, "desktops")


def shares(types: Types, pilots: Mapping[str, int], estate: float) -> tuple[dict[str, float], bool]:
    """Return the desktops of the estate by type, and whether they were shared out as the pilots are.

    `pilots` counts the measured desktops by type, `estate` is the workbook's number of desktops.
    """
    if types.counts and all(type_ in types.counts for type_ in pilots):
        return {type_: float(types.counts[type_]) for type_ in pilots}, False
    total = sum(pilots.values())
    return {type_: estate * count / total for type_, count in pilots.items()}, len(pilots) > 1


def absent(types: Types, pilots: Mapping[str, int]) -> tuple[tuple[str, float], ...]:
    """Return the types of which the estate has desktops and nobody measured one, with their desktops."""
    return tuple((type_, float(count)) for type_, count in types.counts.items() if type_ not in pilots)


def unknown(names: Sequence[str], types: Types) -> list[str]:
    """Return the desktops that no row fits."""
    return [name for name in names if not types.of(name)]
