"""Checks before a workbook is read: a file that would need too much memory or time is refused."""

from __future__ import annotations

import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from addin.errors import BookError
from addin.kernel.formula.columns import LAST_ROW
from addin.numerals import numeral
from addin.xlsx.parts import EXPANDED, WITH_PICTURES, WORKBOOK
from addin.xlsx.positions import boundaries

MERGED = 200_000  # cells of one merged area: openpyxl makes an object of each
LONGEST_ROW = 8 << 20  # bytes of a row of another program's sheet: 1,000 columns with long texts are below it
_TEXT = re.compile(rb"<(?:\w+:)?si[\s/>]")
_CELL = len('<c r="A1" t="s"><v>0</v></c>') - 8  # bytes of a cell with a text, at least
_PIECE, _OVERLAP = 1 << 20, 8  # bytes read at once; kept of them, as a mark may lie across two pieces
_ROW_MARKS = ((b"<row", b":row "), (b"</row>", b":row>"))  # where a row begins and ends, with and without a prefix
_MERGE = re.compile(rb"""<(?:\w+:)?mergeCell\s[^>]*?\bref\s*=\s*["']([^"']*)["']""")
_ROW = re.compile(rb"""<(?:\w+:)?row\s[^>]*?\br\s*=\s*["']([^"']*)["']""")
_AS_SHOWN = re.compile(rb"""<(?:\w+:)?calcPr\s[^>]*?\bfullPrecision\s*=\s*["'](?:0|false)["']""")
_HEAD = 200  # bytes at the start of a part that may state its encoding
_ENCODING = re.compile(rb"""(?:\xef\xbb\xbf)?<\?xml[^>]*?\bencoding\s*=\s*["']([^"']*)["']""")
_UTF_16 = (b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<")
_STORED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def check(path: Path) -> None:
    """Raise BookError for a package that is too large when unpacked, or with content that no spreadsheet writes."""
    with _opened(path) as package:
        for entry in _xml_parts(path.name, package):
            with package.open(entry) as part:
                _check_encoding(path.name, entry.filename, part.read(_HEAD))
            if entry.filename == WORKBOOK:
                _check_precision(path.name, package.read(entry))
            if entry.filename.startswith("xl/worksheets/"):
                sheet = package.read(entry)
                _check_merges(path.name, sheet)
                _check_rows(path.name, sheet)


def check_foreign(path: Path, most: int, advice: str) -> None:
    """Raise BookError for a package of another program whose parts unpack to more bytes; `advice` says what to do.

    A row is read as a whole, and so are all texts: a row of more bytes than any program writes is refused too, and
    more texts than the sheets have cells.
    """
    with _opened(path) as package:
        entries = _xml_parts(path.name, package, most, advice)
        sheets = [entry for entry in entries if entry.filename.startswith("xl/worksheets/")]
        cells = sum(entry.file_size for entry in sheets) // _CELL
        for entry in entries:
            where = f"{path.name}: its part {entry.filename[:80]}"
            with package.open(entry) as part:
                _check_encoding(path.name, entry.filename, part.read(_HEAD))
            if entry.file_size <= LONGEST_ROW:
                continue
            with package.open(entry) as part:
                if entry in sheets:
                    _check_longest_row(where, part, advice)
                elif entry.filename.casefold().endswith("sharedstrings.xml"):
                    _check_texts(where, part, cells, advice)


def read_parts(path: Path) -> dict[str, bytes]:
    """Return the XML parts of a package by name. Raises BookError as `check` does, without checking sheets."""
    with _opened(path) as package:
        parts = {entry.filename: package.read(entry) for entry in _xml_parts(path.name, package)}
    for name, part in parts.items():
        _check_encoding(path.name, name, part[:_HEAD])
    _check_precision(path.name, parts.get(WORKBOOK, b""))
    return parts


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(path) as package:
            yield package
    except zipfile.BadZipFile as error:
        from addin.xlsx import damage  # for a file that cannot be read

        why = damage.described(path, error)
        raise BookError(f"{path.name}: cannot be read as .xlsx: {why}. Save it anew, or take a fresh copy.") from None


_ADVICE = "Delete what does not belong to the sizing, and save it anew."


def _xml_parts(
    book: str, package: zipfile.ZipFile, most: int = EXPANDED, advice: str = _ADVICE
) -> list[zipfile.ZipInfo]:
    """Return the XML parts. Raises BookError for parts that cannot be unpacked, or are too large when unpacked."""
    entries = package.infolist()
    names = Counter(entry.filename.casefold() for entry in entries)
    for entry in entries:
        if names[entry.filename.casefold()] > 1:
            twice = f"its part {entry.filename[:80]} is there twice"
            raise BookError(f"{book}: {twice}. Save it anew, or take a fresh copy.")
        if entry.flag_bits & 1 or entry.compress_type not in _STORED:
            how = "encrypted" if entry.flag_bits & 1 else f"compressed by method {entry.compress_type}"
            raise BookError(f"{book}: its part {entry.filename[:80]} is {how}. Save it anew in Excel.")
    parts = [entry for entry in entries if entry.filename.endswith((".xml", ".rels", ".vml"))]
    pictures = max(most, WITH_PICTURES)
    for what, counted, limit in (("", parts, most), ("with its pictures ", entries, pictures)):
        total = sum(entry.file_size for entry in counted)
        if total > limit:
            size, allowed = (numeral(each / 1024**2, ",.0f") for each in (total, limit))
            raise BookError(f"{book}: {what}unpacks to {size} MiB, at most {allowed}. {advice}")
    return parts


def _check_encoding(book: str, part: str, head: bytes) -> None:
    """Raise BookError for a part that is not in UTF-8, the encoding of Excel and of our edits."""
    stated = _ENCODING.match(head)
    name = "UTF-16" if head.startswith(_UTF_16) else stated[1].decode("ascii", "replace") if stated else "UTF-8"
    if name.upper() not in ("UTF-8", "US-ASCII"):
        raise BookError(f"{book}: its part {part[:80]} is written in {name[:40]}, not in UTF-8. Save it anew in Excel.")


def _check_precision(book: str, workbook: bytes) -> None:
    if _AS_SHOWN.search(workbook):
        raise BookError(
            f"{book}: computes with the digits that its cells show. Turn 'Set precision as displayed' off in Excel's "
            "options (Advanced), and save it anew."
        )


def _check_longest_row(where: str, part: IO[bytes], advice: str) -> None:
    """Raise BookError for a sheet with a row of more bytes than LONGEST_ROW; it is read piece by piece."""
    since, inside, end = 0, False, b""
    while piece := part.read(_PIECE):
        text = end + piece
        opened, closed = (max(map(text.rfind, marks)) for marks in _ROW_MARKS)
        last = max(opened, closed)
        since = len(text) - last if last >= 0 else since + len(piece)
        inside = opened > closed if last >= 0 else inside
        if inside and since > LONGEST_ROW:
            raise BookError(f"{where} has a row of more than {LONGEST_ROW >> 20} MiB. {advice}")
        end = text[-_OVERLAP:]


def _check_texts(where: str, part: IO[bytes], cells: int, advice: str) -> None:
    """Raise BookError for more shared texts than cells that could show them."""
    count, end = 0, b""
    while piece := part.read(_PIECE):
        text = end + piece
        whole = max(text.rfind(b"<"), len(text) - _HEAD)  # a mark may go on in the next piece
        count += len(_TEXT.findall(text, 0, whole))
        end = text[whole:]
    if count > cells:
        raise BookError(f"{where} has {numeral(count)} texts, and its sheets have room for {numeral(cells)}. {advice}")


def _check_merges(book: str, sheet: bytes) -> None:
    for match in _MERGE.finditer(sheet):
        area = match[1].decode("ascii", "replace")
        try:
            left, top, right, bottom = boundaries(area)
        except ValueError:
            raise BookError(f"{book}: merges {area[:40]!r}, which is no area of cells. Save it anew.") from None
        cells = (right - left + 1) * (bottom - top + 1)
        if cells > MERGED:
            raise BookError(f"{book}: merges {area}, {numeral(cells)} cells. Unmerge them in Excel, and save it anew.")


def _check_rows(book: str, sheet: bytes) -> None:
    for match in _ROW.finditer(sheet):
        if not (match[1].isdigit() and len(match[1]) <= len(str(LAST_ROW)) and 0 < int(match[1]) <= LAST_ROW):
            number = match[1][:40].decode("ascii", "replace")
            raise BookError(
                f"{book}: has a row with the number {number!r}, expected 1 to {numeral(LAST_ROW)}. Save it anew."
            )
