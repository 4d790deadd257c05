"""A copy that LibreOffice saved differs in nothing: it writes numbers in its own way, with 15 digits."""

from __future__ import annotations

from pathlib import Path

import pytest

from addin.diff.compared import compare
from addin.kernel import Address
from addin.workbook.book import open_book
from tests.diff.conftest import SHIPPED, changed
from tests.support import libreoffice

pytestmark = [pytest.mark.office, pytest.mark.slow]


def test_a_copy_saved_by_libreoffice_differs_in_nothing_but_what_was_changed(tmp_path: Path) -> None:
    libreoffice.recalculate([SHIPPED], tmp_path)
    copy = open_book(tmp_path / SHIPPED.name)
    book = open_book(SHIPPED)
    rewritten = [at for at, value in book.cells.values.items() if copy.cells.values.get(at) != value]
    assert rewritten  # or this test says nothing
    assert compare(book, copy).none
    at = book.results["cost_total"].address
    found = compare(book, changed(copy, {"desktops": 1600.0}, {at.a1: "=1"}))
    assert [change.key for change in found.inputs] == ["desktops"]
    assert [Address.from_a1(change.where) for change in found.formulas] == [at]
