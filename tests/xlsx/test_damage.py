"""A file that cannot be read is described by its parts, never in the words of what could not read it."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from addin.errors import BookError
from addin.workbook.book import load, open_book
from addin.xlsx.package import packed, read_parts
from tests.support import small_workbook
from tests.xlsx.test_fuzz import FOREIGN

STYLES, RELATIONS, CORE = "xl/styles.xml", "xl/_rels/workbook.xml.rels", "docProps/core.xml"


def in_part(part: str, old: bytes, new: bytes) -> Callable[[dict[str, bytes]], bytes]:
    def changed(parts: dict[str, bytes]) -> bytes:
        assert old in parts[part]
        return packed({**parts, part: parts[part].replace(old, new, 1)})

    return changed


def without(part: str) -> Callable[[dict[str, bytes]], bytes]:
    return lambda parts: packed({name: content for name, content in parts.items() if name != part})


@pytest.mark.parametrize(
    ("damaged", "said"),
    [
        (lambda parts: b"PK\3\4" + bytes(99), "it is not an Excel workbook, or it is truncated"),
        (lambda parts: packed(parts)[:-40], "it is not an Excel workbook, or it is truncated"),
        (lambda parts: packed(parts).replace(b"<sheetData>", b"<sheetDatb>", 1), "its part xl/worksheets/sheet"),
        (
            in_part(STYLES, b"</styleSheet>", b""),
            "its part xl/styles.xml breaks off or is damaged at line 1, character ",
        ),
        (
            in_part(STYLES, b'numFmtId="0"', b'numFmtId="x"'),
            "content that Excel does not write is in its formats, xl/styles.xml",
        ),
        (in_part(CORE, b">202", b">x02"), "content that Excel does not write is in its properties, docProps/core.xml"),
        (in_part(RELATIONS, b'Id="rId1"', b'Id="rId99"'), "the sheet 'Inputs' is listed and its part is missing"),
        (without("xl/workbook.xml"), "its part xl/workbook.xml is missing"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_words_of_the_file(
    tmp_path: Path, damaged: Callable[[dict[str, bytes]], bytes], said: str
) -> None:
    path = small_workbook.save(tmp_path / "book.xlsx", {"x": small_workbook.UNIFORM}, {"twice": "={x}*2"})
    path.write_bytes(damaged(read_parts(path)))
    with pytest.raises(BookError) as refused:
        load(path)
    text = str(refused.value)
    assert text.startswith("book.xlsx: cannot be read as .xlsx: ")
    assert said in text
    assert text.endswith(". Save it anew, or take a fresh copy.")
    assert not FOREIGN.search(text)


def test_what_is_no_markup_is_not_unpacked_to_describe_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = small_workbook.save(tmp_path / "book.xlsx", {"x": small_workbook.UNIFORM}, {"twice": "={x}*2"})
    broken = in_part(STYLES, b"</styleSheet>", b"")
    path.write_bytes(broken({**read_parts(path), "xl/media/large.bin": bytes(1000)}))
    unpacked, read = [], zipfile.ZipFile.read

    def noted(package: zipfile.ZipFile, name: str | zipfile.ZipInfo, pwd: bytes | None = None) -> bytes:
        unpacked.append(name if isinstance(name, str) else name.filename)
        return read(package, name, pwd)

    monkeypatch.setattr(zipfile.ZipFile, "read", noted)
    with pytest.raises(BookError, match=r"its part xl/styles\.xml breaks off"):
        load(path)
    assert "xl/styles.xml" in unpacked
    assert "xl/media/large.bin" not in unpacked


def refused(path: Path) -> str:
    with pytest.raises(BookError) as caught:
        open_book(path).evaluate({}, ["twice"])
    return str(caught.value)


def test_a_sheet_without_its_part_is_named(tmp_path: Path) -> None:
    """The name of an input pointed "at Answer!$D$9, not at one cell": openpyxl passes over a sheet without its part."""
    path = small_workbook.save(tmp_path / "book.xlsx", {"x": small_workbook.UNIFORM}, {"twice": "={x}*2"})
    path.write_bytes(without("xl/worksheets/sheet1.xml")(read_parts(path)))
    assert refused(path) == (
        "book.xlsx: the sheet 'Inputs' is listed and its part is missing. Save it anew where it was made, or take a "
        "fresh copy."
    )


def test_an_open_document_under_the_name_of_a_workbook_is_called_that(tmp_path: Path) -> None:
    """A renamed .ods lacked "its part [Content_Types].xml"."""
    with zipfile.ZipFile(tmp_path / "book.xlsx", "w") as package:
        package.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        package.writestr("content.xml", "<x/>")
    assert refused(tmp_path / "book.xlsx") == (
        "book.xlsx: is an OpenDocument file; expected .xlsx. Save it in Calc as Excel 2007-365."
    )
