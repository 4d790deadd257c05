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


def test_the_cloud_share_of_profile_containers_is_told_with_what_to_do_for_it(original: Path) -> None:
    """By hand: 1,000 x 30 GiB in all; 10,000 IOPS of work and 242 of sign-ins, 16 KiB each, are bought apart."""
    book = open_book(original)
    typed = ("desktops=1000", "container_gib=30", "capacity_headroom_ratio=0", "container_steady_iops=10")
    share = ("container_place=on a cloud share", "share_service=Azure Files SSD v2", "container_block_kib=16")
    (told,) = (note for note in size(book, (*typed, *share, "login_window_min=60")).notes if "Cloud share" in note)
    assert told == (
        "Cloud share: 1 share of 30,000 GiB of Azure Files SSD v2, limited by capacity, next by smallest size; "
        "buy 10,242 IOPS, 161 MiB/s each; metadata not checked; cost: enter a price."
    )
    assert not [note for note in size(book, typed).notes if "Cloud share" in note]
