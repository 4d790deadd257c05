"""Write the changes of the live page into a copy of the workbook.

Only here does a program write inputs: into a new file, with all stored results recomputed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from addin.engines.file.package import Package
from addin.errors import RequestError
from addin.kernel import Address, Scalar
from addin.workbook.book import SizingBook
from addin.workbook.digests import both, digest
from addin.workbook.item import Item, echoed
from addin.xlsx import destination
from addin.xlsx.elements import outline
from addin.xlsx.package import PackageError, read_parts, write_parts
from addin.xlsx.parts import Parts
from addin.xlsx.positions import boundaries
from addin.xlsx.workbook_part import sheet_parts

DIGEST, INPUTS = "workbook digest", "inputs"
EXPECTED = f'Expected {{"{DIGEST}": ..., "{INPUTS}": {{KEY: value}}}}, as the page saves it.'
LARGEST = 1_000_000  # bytes of a file with changes: every input of a workbook fits many times
_DIGITS = 400  # more than the largest number of a cell has


@dataclass(frozen=True)
class Change:
    """An input with its old and its new value; None is a blank cell."""

    item: Item
    before: Scalar
    now: Scalar


def apply(book: SizingBook, changes: Path, target: Path) -> list[Change]:
    """Write a copy of a workbook with the inputs of a file, and return what changed, in the order of the file.

    Raises RequestError, with nothing written: the file is not one of changes, was made from other formulas, names an
    unknown input or a value that its cell does not accept, or the target exists or cannot be written.
    """
    check(book, target)
    found = read(book, changes)
    write(book, found, target)
    return found


def check(book: SizingBook, target: Path, label: str = "") -> None:
    """Raise RequestError where a copy with changes cannot be written: they go into a new file alone.

    `label` names the target in the message, `--save` with its path unless given.
    """
    label = label or f"--save {target}"
    destination.check(target, book.path, label)
    if target.exists():
        raise RequestError(f"{label}: is there already, and changes go into a new file. Name another.")


def write(book: SizingBook, changes: Sequence[Change], target: Path) -> None:
    """Write a copy with some inputs changed and all stored results computed again. Raises RequestError."""
    put(target, made(book, changes))


def made(book: SizingBook, changes: Sequence[Change]) -> Parts:
    """Return the parts of a copy with some inputs changed, all stored results computed again. Raises RequestError."""
    try:
        parts = read_parts(book.path)
        package = Package(parts, book.path.name)
        _check_uncovered(book, parts, changes)
        for each in changes:
            at = each.item.address
            package.write(at.sheet, {(at.row, at.column): (each.now, None, None)})
        return package.flushed()
    except PackageError as error:
        raise RequestError(f"--save {error}") from None


def put(target: Path, parts: Parts) -> None:
    """Write the parts of a copy, whole or not at all, as a new file. Raises RequestError."""
    try:
        write_parts(target, parts, new=True)
    except PackageError as error:
        raise RequestError(f"--save {error}") from None


def _check_uncovered(book: SizingBook, parts: Parts, changes: Sequence[Change]) -> None:
    """Raise RequestError for an input covered by a merged area: applications show only its first cell."""
    homes = sheet_parts(parts)
    for title in {each.item.address.sheet for each in changes}:
        merges = [merge.attributes.get("ref", "") for merge in outline(parts[homes[title]]).children_of("mergeCells")]
        for at in (each.item.address for each in changes if each.item.address.sheet == title):
            for area in merges:
                left, top, right, bottom = boundaries(area)
                if top <= at.row <= bottom and left <= at.column <= right and (at.row, at.column) != (top, left):
                    raise RequestError(
                        f"{book.path.name}: {at.a1} is covered by the merged cells {area}, so what is written there "
                        "is not shown. Unmerge them first."
                    )


def read(book: SizingBook, changes: Path) -> list[Change]:
    """Return the changes of a file, validated by the workbook. Raises RequestError."""
    content = _content(changes)
    if DIGEST not in content:
        raise RequestError(f"{changes.name}: has no {DIGEST!r}. {EXPECTED}")
    made_from, own = content[DIGEST], digest(book.cells)
    if made_from != own:
        raise RequestError(
            f"{changes.name}: was made from formulas {echoed(str(made_from))}; {book.path.name} is {both(book.cells)}. "
            "Apply it to the workbook that the page was made from."
        )
    inputs = content.get(INPUTS)
    if not isinstance(inputs, dict):
        raise RequestError(f"{changes.name}: {INPUTS!r} holds no keys with values. Save it from the page again.")
    if not inputs:
        found_none = f"{INPUTS!r} is empty, so nothing would change"
        raise RequestError(f"{changes.name}: {found_none}. Change an input on the page, then save it again.")
    try:
        return _validated(book, changes, inputs)
    except RequestError as error:  # what is wrong stands in this file, not in the workbook
        said = str(error).removeprefix(f"{book.path.name}: ").removeprefix(f"{changes.name}: ")
        raise RequestError(f"{changes.name}: {said}") from None


def _validated(book: SizingBook, changes: Path, inputs: Mapping[str, object]) -> list[Change]:
    found = []
    taken: dict[Address, str] = {}
    for key, value in inputs.items():
        item = book.entry(key)
        if taken.setdefault(item.address, key) != key:
            raise RequestError(
                f"{changes.name}: {echoed(taken[item.address])} and {echoed(key)} are both {item.key}. Leave one out."
            )
        now = book.value_for(item, _value(changes, key, value))
        found.append(Change(item, book.cells.constant(item.address), now))
    return found


def _content(changes: Path) -> Mapping[str, object]:
    if changes.exists() and not changes.is_file():
        what = "a folder" if changes.is_dir() else "no plain file"
        raise RequestError(f"{changes}: is {what}. Name the file that the page saved.")
    try:
        if changes.stat().st_size > LARGEST:
            raise RequestError(f"{changes.name}: is larger than {LARGEST:,} bytes. {EXPECTED}")
        content = json.loads(changes.read_text(encoding="utf-8-sig"), object_pairs_hook=_pairs_once, parse_int=_whole)
    except OSError as error:
        raise RequestError(
            f"{changes}: cannot be read ({error.strerror}). Name the file that the page saved."
        ) from None
    except _TwiceError as twice:
        raise RequestError(f"{changes.name}: names {echoed(str(twice))} twice. Leave one out.") from None
    except (ValueError, RecursionError):
        raise RequestError(f"{changes.name}: is not JSON. {EXPECTED}") from None
    if not isinstance(content, dict):
        raise RequestError(f"{changes.name}: holds no object. {EXPECTED}")
    return content


def _whole(text: str) -> int | float:
    """Return a whole number; of more digits than Python reads, the infinite one that no cell accepts."""
    return int(text) if len(text) <= _DIGITS else math.copysign(math.inf, -1 if text.startswith("-") else 1)


class _TwiceError(ValueError):
    """A duplicate key of an object: a reader would silently take the last value."""


def _pairs_once(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    content: dict[str, object] = {}
    for key, value in pairs:
        if key in content:
            raise _TwiceError(key)
        content[key] = value
    return content


def _value(changes: Path, key: str, value: object) -> str | float:
    """Return a value of the file as the text or number of an entry, "" for a blank."""
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise RequestError(
            f"{changes.name}: {echoed(key)} is {echoed(json.dumps(value))}; expected a number or a text."
        )
    return repr(value) if isinstance(value, int) else value  # a whole number may have more digits than a float
