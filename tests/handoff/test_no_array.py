"""A hand-off of a design with nothing on an array: no row, test or load line of an array stands in it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from addin.results.document import load_chapters as loads
from addin.results.document import review_chapters as review
from addin.results.document.blocks import Chapter
from addin.results.document.materials_chapter import materials
from addin.results.document.reading import Reading
from addin.workbook.book import open_book
from tests.support.live_sets import SHIPPED

ON_DISKS = (
    *("disk_place=Azure Premium SSD", "disk_vm_iops=3200", "disk_price=20", "container_place=on a cloud share"),
    *("share_service=FSx for Windows 512 MB/s", "container_gib=30"),
)


@cache
def reading() -> Reading:
    book = open_book(SHIPPED)
    return Reading(replace(book, cells=book.cells.with_values(book.settings(ON_DISKS))))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("chapter", "kept", "gone"),
    [
        (loads.failure, "in the terms of its provider", ("Utilisation", "not known", "100")),
        (loads.load, "Latency limit for users", ("0.42", "knee", "maximum utilisation", "Served")),
        (loads.storms, "Boot of all desktops", ("tilisation", "Latency", "IOPS", "arrays unchecked")),
        (review.tests, "Boot all 1,500 machines", ("0\u00a0IOPS", "Capacity used", "Data reduction", "on one array")),
        (materials, "1,500 disks", ("Capacity required", "Usable after", "reduction")),
    ],
)
def test_no_row_of_an_array_is_in_a_chapter(chapter: object, kept: str, gone: tuple[str, ...]) -> None:
    """Machines on managed disks and containers on FSx: 0 arrays, so nothing that one array has, loses or reduces."""
    assert reading().without_arrays
    assert callable(chapter)
    made = chapter(reading())
    assert isinstance(made, Chapter)
    text = str(made.blocks)
    assert kept in text
    assert [word for word in gone if word in text.replace("\\xa0", "\u00a0")] == []
