"""The base design sized: the headline of a workbook, old or new."""

from pathlib import Path

import pytest

from addin.sizing.answers import headline, size
from addin.sizing.result_keys import SIZE
from addin.workbook.book import open_book
from tests.support.small_workbook import save


def test_a_workbook_without_some_results_still_shows_its_headline(tmp_path: Path) -> None:
    book = open_book(save(tmp_path / "old.xlsx", {}, {"arrays_required": "=ROUNDUP({desktops}*4,0)"}))
    assert [row[1] for row in size(book, ()).rows] == [2]


@pytest.mark.slow
def test_todays_workbook_has_every_result_of_the_headline(original: Path) -> None:
    assert headline(open_book(original)) == list(SIZE)
