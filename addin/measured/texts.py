"""Text files as other programs write them: their encoding, their separator, rows with their numbers, a digest."""

from __future__ import annotations

import codecs
import csv
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from addin.errors import RequestError
from addin.measured.records import Progress, fault, quoted
from addin.reported import plain

_BLOCK = 1 << 20  # letters of a text that are read at once
_MARKED = ("utf-16", "utf-32")
HEAD = 1 << 16  # bytes that are looked at before a file is read
DELIMITERS = (",", ";", "\t")
_BINARY = "Export it as text; a binary log of perfmon becomes one with: relog x.blg -f csv -o x.csv"
_NOTHING = b"\r\n\t \0\xef\xbb\xbf\xff\xfe"  # of a file that holds no more: its mark, blanks, what a crash left
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def head(path: Path) -> bytes:
    """Return how a file begins. Raises RequestError where it cannot be read, or is empty."""
    try:
        if not path.is_file():
            what = "is a folder" if path.is_dir() else "is no plain file" if path.exists() else "there is no such file"
            raise RequestError(f"{plain(str(path))}: {what}. Name files that a measuring tool wrote")
        with path.open("rb") as file:
            start = file.read(HEAD)
    except OSError as error:
        raise fault(path, f"cannot be read ({error.strerror})", "Name another file") from None
    if not start.strip(_NOTHING):
        raise fault(path, "is empty", "Export it again")
    return start


def digest(path: Path, progress: Progress | None = None) -> str:
    """Return the first 12 hex digits of the sha256 over a file."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            found.update(block)
    return found.hexdigest()[:12]


def encoding_of(path: Path, typed: str = "") -> str:
    """Return the encoding of a text file: by its first bytes, else what the user typed, else UTF-8.

    Raises RequestError for a binary file and for a code page that Python does not know.
    """
    start = head(path)
    for mark, name in _BOMS:
        if start.startswith(mark):
            return name
    zeros = start.count(b"\0")
    if zeros:
        if path.suffix.casefold() != ".blg" and zeros >= len(start) // 3:  # letters of UTF-16 without its mark
            return "utf-16-le" if start[1::2].count(0) >= zeros * 0.9 else "utf-16-be"
        raise fault(path, "is no text", _BINARY)
    if not typed:
        return "utf-8"
    try:
        start.decode(typed, "replace")  # a codec such as rot13 does not decode bytes
        name = codecs.lookup(typed).name
        if name not in _MARKED:
            return name
        raise UnicodeError  # it begins with a mark, and this file has none
    except LookupError:
        raise fault(path, f"--encoding {quoted(typed)} is unknown", "Name a code page such as cp1252") from None
    except UnicodeError:
        raise fault(path, f"is not in --encoding {quoted(typed)}", "Name its code page, such as cp1252") from None


def lines(path: Path, encoding: str, progress: Progress | None = None) -> Iterator[str]:
    """Yield the lines of a file with their ends. Raises RequestError with the row that cannot be decoded."""
    total, done = path.stat().st_size, 0
    try:
        with path.open(encoding=encoding, newline="") as file:
            while block := file.readlines(_BLOCK):
                done += sum(map(len, block))
                if progress is not None:
                    progress(min(done, total), total)
                yield from block
    except UnicodeDecodeError as error:
        raise _no_letter(path, encoding, error) from None


def blocks(path: Path, encoding: str, progress: Progress | None = None) -> Iterator[tuple[int, list[str]]]:
    """Yield (number of the first line, lines without their ends) of a megabyte at a time, the fast way through.

    Raises RequestError with the row that cannot be decoded.
    """
    total, done, first, rest = path.stat().st_size, 0, 1, ""
    try:
        with path.open(encoding=encoding) as file:
            while text := file.read(_BLOCK):
                done += len(text)
                if progress is not None:
                    progress(min(done, total), total)
                *found, rest = (rest + text).split("\n")
                if found:
                    yield first, found
                first += len(found)
            if rest:
                yield first, [rest]
    except UnicodeDecodeError as error:
        raise _no_letter(path, encoding, error) from None


def cut_off(path: Path) -> bool:
    """Say whether a file ends within a line."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 4))  # a line end of any encoding
        return not set(file.read()) & set(b"\r\n")


def _no_letter(path: Path, encoding: str, error: UnicodeDecodeError) -> RequestError:
    place = _undecoded(path, encoding)
    found = f"byte {error.object[error.start]:#04x} is no {error.encoding}"
    return fault(path, found, "Name its code page, such as --encoding cp1252", place)


def _undecoded(path: Path, encoding: str) -> int | None:
    """Return the number of the first row that an encoding of single bytes or UTF-8 does not have."""
    if encoding.startswith("utf-16"):
        return None
    with path.open("rb") as file:
        for row, line in enumerate(file, 1):
            try:
                line.decode(encoding)
            except UnicodeDecodeError:
                return row
    return None


def delimiter_of(header: str) -> str:
    """Return what separates the cells of a header: the candidate that stands most often outside of quotes."""
    bare = "".join(part for at, part in enumerate(header.split('"')) if at % 2 == 0)
    return max(DELIMITERS, key=lambda each: (bare.count(each), -DELIMITERS.index(each)))


def rows(
    path: Path, encoding: str, delimiter: str, progress: Progress | None = None
) -> Iterator[tuple[int, list[str]]]:
    """Yield (number of the row's last line, its cells). Raises RequestError for quotes that do not close."""
    reader = csv.reader(lines(path, encoding, progress), delimiter=delimiter)
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise fault(path, f"cannot be read as csv ({error})", "Export it again", reader.line_num) from None
        yield reader.line_num, cells


def cells_of(path: Path, lines: Iterable[str], delimiter: str, first: int = 1) -> list[list[str]]:
    """Return the cells of some lines, `first` the row of the first. Raises RequestError for a cell without an end."""
    reader = csv.reader(lines, delimiter=delimiter)
    try:
        return list(reader)
    except csv.Error as error:
        row = first + max(reader.line_num, 1) - 1
        raise fault(path, f"cannot be read as csv ({error})", "Look for quotes that do not close", row) from None


def first_line(path: Path, encoding: str) -> str:
    """Return the first line that is not blank."""
    return next((line.strip("\r\n") for line in lines(path, encoding) if line.strip()), "")
