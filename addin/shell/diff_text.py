"""The output of `diff`: every finding as a line that fits the terminal, and the bridges."""

from __future__ import annotations

import math
import shutil
import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby

from addin.console import program
from addin.diff import since_build
from addin.diff.bridge import SHAPLEY, Bar, Bridge
from addin.diff.compared import Difference
from addin.diff.typed import ABSENT, Change
from addin.kernel import Scalar
from addin.workbook.book import SizingBook, shown
from addin.workbook.digests import both

FEW = 12  # findings of a section that are printed unless all are asked for
_PLACE = 24  # characters for the key or place of a finding
_LEAST, _MOST, _ELSE = 60, 140, 100  # characters of a line: at least, at most, without a terminal
BLANK = "(blank)"
_WORDED = ("", "flag", "clock", "date")  # units whose values are shown as words
_TYPED = ("inputs", "own_rows")  # sections of what people type


def text(
    found: Difference, bridges: Sequence[Bridge], called: tuple[str, str] | None = None, *, full: bool = False
) -> str:
    """Return all differences, then the bridges; only the first findings of long sections unless `full`.

    `called` are names for the two copies in place of their paths.
    """
    width = _width()
    old, new = called or (str(found.old.path), str(found.new.path))
    blocks = [f"old  {old} ({_made(found.old)})\nnew  {new} ({_made(found.new)})"]
    blocks += [textwrap.fill(each, width) for each in found.unanswered]
    for key, title, changes in found.sections:
        if changes:
            shown_ = changes if full else _first(found, key, changes)
            more = f"  ... and {len(changes) - len(shown_):,} more: --full prints them"
            blocks.append(
                "\n".join([*_section(key, title, changes, shown_, width), *([more] * (len(shown_) < len(changes)))])
            )
    blocks += ["\n".join(_bridge(each, width)) for each in bridges]
    if any(bridge.bars for bridge in bridges):
        blocks.append(textwrap.fill(SHAPLEY, width))
    if found.none:
        blocks.append("Nothing differs.")
    if found.notes:
        blocks.append("\n".join(textwrap.fill(note, width) for note in found.notes))
    return "\n\n".join(blocks)


def changed_by_hand(found: Difference) -> str:
    """Return the changes by people in a copy, the first findings of every section, for an audit."""
    blocks = [f"{since_build.sentence(found)}."]
    for key, title, changes in since_build.sections(found):
        more = f"  ... and {len(changes) - FEW:,} more: {program()} diff {found.old.path} {found.new.path} --full"
        lines = _section(key, title, changes, changes[:FEW], _width())
        blocks.append("\n".join([*lines, *([more] * (len(changes) > FEW))]))
    return "\n\n".join(blocks)


def _width() -> int:
    return min(max(shutil.get_terminal_size((_ELSE, 24)).columns, _LEAST), _MOST)


def _section(key: str, title: str, changes: Sequence[Change], shown_: Sequence[Change], width: int) -> Iterator[str]:
    """Yield the title of a section with the number of its findings, and lines for those that are shown."""
    yield f"{title} ({len(changes):,})" if len(changes) > 1 else title
    for group, findings in groupby(shown_, key=lambda change: change.group):
        if group:
            yield f"  {group}"
        for change in findings:
            yield from _finding(key, change, width)


def _first(found: Difference, key: str, changes: Sequence[Change]) -> Sequence[Change]:
    """Return the first findings of a section; of the results those that `size` prints, which people know."""
    if key != "results":
        return changes[:FEW]
    from addin.sizing.result_keys import SIZE

    ranked = sorted(changes, key=lambda change: SIZE.index(change.key) if change.key in SIZE else len(SIZE))
    known = sum(change.key in SIZE for change in ranked)
    return ranked[: max(known, FEW)]


def _made(book: SizingBook) -> str:
    return f"version {book.version}, {both(book.cells)}"


def values(old: Scalar, new: Scalar) -> tuple[str, str]:
    """Return two values for people, with all digits where they would look equal with fewer."""
    pair = shown(old) or BLANK, shown(new) or BLANK
    if pair[0] == pair[1] and isinstance(old, float) and isinstance(new, float):
        return f"{old:.15g}", f"{new:.15g}"
    return pair


def _finding(key: str, change: Change, width: int) -> Iterator[str]:
    called = change.key or change.where
    old, new = values(change.old, change.new)
    note = f" ({change.note})" if change.note else ""
    if key == "formulas":
        yield from _wrapped(called, f"{change.label}{note}".strip(), width)
        for word, value in (("old", old), ("new", new)):
            yield from _wrapped("", f"{word}  {value}", width)
        return
    if key == "checks":
        yield from _wrapped(called, f"{change.label}: {old} -> {new}{note}", width)
        return
    before, unit = (f" {each}" if each not in _WORDED else "" for each in change.units)
    if key == "results" and isinstance(change.new, str):  # words have no unit
        old, unit = old + before * isinstance(change.old, float), ""
    elif unit and key in _TYPED and isinstance(change.new, str) and change.new != ABSENT:  # no figure has that unit
        new, old, unit = f'"{new}"', old + before * isinstance(change.old, float), ""
    elif before != unit and isinstance(change.old, float):
        old += before
    if before and key in _TYPED and isinstance(change.old, str) and change.old != ABSENT:
        old = f'"{old}"'
    label = f"{change.label}: " if change.label else ""
    yield from _wrapped(called, f"{label}{old} -> {new}{unit}{note}", width)


def _wrapped(called: str, sentence: str, width: int) -> Iterator[str]:
    indent = " " * (_PLACE + 4)
    begin = f"  {called.ljust(_PLACE)}  "
    if len(called) > _PLACE:
        yield f"  {called}"
        begin = indent
    yield from textwrap.wrap(sentence, width, initial_indent=begin, subsequent_indent=indent) or [begin.rstrip()]


def _bridge(bridge: Bridge, width: int) -> Iterator[str]:
    unit = f" {bridge.item.unit}" if bridge.item.unit and isinstance(bridge.new, float) else ""
    old, new = values(bridge.old, bridge.new)
    yield from textwrap.wrap(f"Bridge of {bridge.item.label} ({bridge.item.key}): {old} -> {new}{unit}", width)
    if bridge.refusal:
        yield from textwrap.wrap(f"No bridge: {bridge.refusal}.", width, initial_indent="  ", subsequent_indent="  ")
        return
    rows = [(_called(bar), bar.amount) for bar in bridge.bars]
    if isinstance(bridge.old, float) and isinstance(bridge.new, float):
        rows.append(("change", bridge.new - bridge.old))
    numbers = amounts([number for _, number in rows])
    right = max(map(len, numbers))
    left = min(max(len(name) for name, _ in rows), width - right - 6)
    for (name, _), number in zip(rows, numbers, strict=True):
        *before, last = textwrap.wrap(name, left)
        yield from (f"  {line}" for line in before)
        yield f"  {last.ljust(left)}  {number.rjust(right)}"
    for note in bridge.notes:
        yield from textwrap.wrap(note, width, initial_indent="  ", subsequent_indent="  ")


def _called(bar: Bar) -> str:
    old, new = values(bar.old, bar.new)
    return f"{bar.label}: {old} -> {new}" if bar.key else bar.label


def amounts(numbers: Sequence[float]) -> list[str]:
    """Return the amounts of bars, with signs and enough decimals for four digits of the largest."""
    largest = max(map(abs, numbers), default=0.0)
    decimals = 0 if largest == 0 else min(max(3 - math.floor(math.log10(largest)), 0), 6)
    rounded = [round(number, decimals) for number in numbers]
    return [f"{number:+,.{decimals}f}" if number else "0" for number in rounded]
