"""Inputs that have retired: an old copy goes on with them and says so, a new one says what took their place."""

from pathlib import Path

import pytest

from addin.errors import RequestError
from addin.sizing.answers import size
from addin.sizing.whatif import whatif
from addin.workbook.book import open_book
from addin.workbook.retired import RETIRED
from model.reading.read import read
from tests.support.small_workbook import UNIFORM, save


def test_a_copy_that_carries_the_profile_multiplier_says_so_with_its_value(tmp_path: Path) -> None:
    path = save(
        tmp_path / "old.xlsx", {"profile_multiplier": UNIFORM}, {"arrays_required": "={desktops}*{profile_multiplier}"}
    )
    book = open_book(path)
    table = size(book, ["profile_multiplier=1.5"])
    assert [row[1] for row in table.rows] == [0.75]  # 0.5 desktops x 1.5: the copy computes as it always did
    (note,) = table.notes
    assert "Inputs!D7 carries profile_multiplier = 0.5" in note
    assert "container_place" in note
    assert note in whatif(book, (), ("desktops=1:2:1",), ("arrays_required",)).notes


def test_a_fresh_copy_says_what_took_the_place_of_a_retired_input(original: Path) -> None:
    book = open_book(original)
    with pytest.raises(RequestError, match=r"profile_multiplier has retired; profile containers .* container_place"):
        size(book, ["profile_multiplier=1.5"])
    assert not book.notes


def test_no_retired_input_is_an_input_and_what_replaces_it_is() -> None:
    keys = {item.key for item in read().inputs}
    assert not keys & RETIRED.keys()
    named = {word.strip(".,:;") for text in RETIRED.values() for word in text.split() if "_" in word}
    assert named <= keys
