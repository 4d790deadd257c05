"""A file that cannot be read is described by its parts, never in the words of what could not read it."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from addin.errors import BookError
from addin.workbook.book import load
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
