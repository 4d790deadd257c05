"""Without prices the name of the workbook's file does not leave where it says an amount: a neutral one stands there."""

from __future__ import annotations

import shutil
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from addin.prices import name_may_say_a_price
from addin.results import handoff
from addin.workbook.book import SizingBook, open_book
from tests.handoff.test_prices import files
from tests.support.live_sets import SHIPPED

NAMED = "Deal 84140 EUR Nachlass.xlsx"


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SizingBook:
    monkeypatch.setenv("VDI_BROWSER", "")
    found = open_book(Path(shutil.copy(SHIPPED, tmp_path / NAMED)))
    cells = found.cells.with_formula(found.inputs["array_price"].address, "=84140+0.4")
    return replace(found, cells=cells)


@pytest.mark.slow
def test_no_file_names_the_workbook_by_its_price_and_the_shell_says_so(book: SizingBook) -> None:
    slides = find_spec("pptx") is not None
    written = handoff.write(book, wanted=handoff.Wanted(live=True, slides=slides))
    for name, data in files(written.folder).items():
        found = [text for text in (b"84140", b"EUR Nachlass", b"84,140") if text in data or text in name.encode()]
        assert found == [], name
    text = (written.folder / handoff.DOCUMENT).read_text(encoding="utf-8")
    assert "<title>VDI storage sizing</title>" in text
    said = (
        "Left out, the name of the file, which may say an amount: the workbook is called VDI storage sizing.xlsx here."
    )
    assert said in text
    assert f"{said} The folder is named after the file: rename it before you pass it on." in written.note


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *((NAMED, True), ("Acme 84140.xlsx", True), ("Acme_84_k.xlsx", True), ("Acme minus 23 %.xlsx", True)),
        *(("vdi-storage-sizing.xlsx", False), ("Acme 2026-09-19 v2.xlsx", False), ("Deal.xlsx", False)),
        ("Acme 900 desktops.xlsx", False),
    ],
)
def test_a_name_is_neutral_where_it_says_an_amount(book: SizingBook, name: str, expected: bool) -> None:
    assert name_may_say_a_price(replace(book, path=book.path.with_name(name))) is expected
