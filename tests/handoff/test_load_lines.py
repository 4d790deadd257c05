"""The lines that generate a load overwrite nothing that they do not name, and hold the rate of the design."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import pytest

from addin.results.document.blocks import Text
from addin.results.document.load_lines import Load, fio
from addin.results.document.reading import Reading
from addin.results.document.review_chapters import tests as acceptance
from addin.workbook.book import SizingBook, open_book
from tests.support.live_sets import SHIPPED


@cache
def book() -> SizingBook:
    return open_book(SHIPPED)


def read(*settings: str) -> Reading:
    return Reading(replace(book(), cells=book().cells.with_values(book().settings(settings))))


def test_the_fill_of_a_volume_has_no_size_so_that_a_name_left_in_capitals_writes_nothing() -> None:
    """fio writes a file that does not exist only where it is given a size: VOLUME is then no file of that name."""
    look, fill, load = fio("design", Load(1000, 0.5, 16)).splitlines()
    assert "--readonly" in look
    assert [line for line in (look, fill, load) if "--size" in line] == []
    assert [line.endswith("OVERWRITES VOLUME") for line in (look, fill, load)] == [False, True, True]


def test_a_cloud_share_is_tested_over_smb_with_its_credits_used_up() -> None:
    """DiskSpd takes each word behind its file for one more file to write, and #1 for a disk: notes are apart."""
    share = ("container_place=on a cloud share", "container_gib=30", "desktops=1500")
    lines = code(*share, "share_service=Azure Files SSD v1")
    notes, runs = lines[0::2], lines[1::2]
    assert all(note.startswith("REM ") for note in notes)
    assert all(run.split()[-1] == "TESTFILE" for run in runs if run.startswith("diskspd"))
    assert not [run for run in runs if "#" in run or "REM" in run]
    looks = [n for n, run in enumerate(runs) if " -w0 " in run or "--readonly" in run]
    assert [note for n, note in enumerate(notes) if n in looks] == ["REM reads only"] * 2
    assert all("OVERWRITES TESTFILE" in note for n, note in enumerate(notes) if n not in looks)
    assert [n for n, note in enumerate(notes) if "USES UP THE CREDITS" in note] == [2]
    (rate,) = re.findall(r" -g(\d+) ", " ".join(runs))
    iops = read(*share, "share_service=Azure Files SSD v1").number("share_each_iops")
    assert int(rate) * 1000 * 4 / 14336 == pytest.approx(iops, rel=1e-4)  # bytes a millisecond of each of four threads
    steady = code(*share, "share_service=Azure NetApp Files Standard")
    assert not [line for line in steady if "CREDITS" in line]  # it has none
    assert code() == []


def code(*settings: str) -> list[str]:
    """Return the lines for a share of the acceptance tests of a design."""
    blocks = acceptance(read(*settings)).blocks
    texts = [block.text for block in blocks if isinstance(block, Text) and block.role == "code"]
    return [line for text in texts if "TESTFILE" in text for line in text.splitlines()]
