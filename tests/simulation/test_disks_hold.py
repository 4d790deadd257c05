"""A design holds where all that it buys does: arrays, those for containers, and the size of its machines' disks."""

from pathlib import Path

import pytest

from addin.errors import RequestError
from addin.simulation.decide import decide
from addin.simulation.decision_tables import notes
from addin.simulation.montecarlo import simulate
from addin.workbook.book import SizingBook, open_book

SHIPPED = Path(__file__).parents[2] / "templates" / "vdi-storage-sizing.xlsx"
CHECKED = ("disk_vm_iops=20000", "disk_vm_mb_s=1000", "ios_per_provisioning=0", "logoff_iops_per_desktop=0")
DISKS = ("disk_place=Azure Premium SSD", *CHECKED)
SHARE = ("container_place=on a cloud share", "container_gib=30", "share_metadata_iops=0")
TRIALS = 4096


@pytest.fixture(scope="module")
def book() -> SizingBook:
    return open_book(SHIPPED)


def test_disks_hold_in_the_trials_that_their_size_is_enough_for(book: SizingBook) -> None:
    """The heavier the load, the more sizes are too small: what exceeds the size of the design does not hold."""
    report = simulate(book, TRIALS, settings=DISKS, outputs=["tiers_too_small"])
    (sizes,) = report.results
    enough = sum(each.interval.value for each in sizes.outcomes if each.outcome <= float(str(sizes.base)))
    assert report.holds is not None
    assert 0 < enough < 1
    assert report.holds.interval.value == pytest.approx(enough, abs=1e-9)
    assert report.design.startswith("1,500 disks: P")


def test_a_machine_without_a_cap_is_not_checked_and_so_has_no_chance(book: SizingBook) -> None:
    report = simulate(book, TRIALS, settings=DISKS[:1])
    assert report.holds is None
    assert any("constraints not checked is 1" in note for note in report.notes)


def test_a_cloud_share_is_shown_with_its_size_and_takes_no_part(book: SizingBook) -> None:
    alone, beside = (simulate(book, TRIALS, settings=settings) for settings in ((), SHARE))
    assert alone.holds is not None
    assert beside.holds is not None
    assert beside.holds.interval.value == alone.holds.interval.value
    assert "share_total_gib" not in {each.item.key for each in alone.results}
    (size,) = (each for each in beside.results if each.item.key == "share_total_gib")
    assert size.percentiles[-1].interval.value > float(str(size.base))
    assert any(note.startswith("share_total_gib: a cloud share grows by a setting") for note in beside.notes)


def test_arrays_for_containers_are_part_of_what_holds(book: SizingBook) -> None:
    """A design is no surer than the surest of its parts: more containers at work take an array more, too."""
    apart = ("container_place=another array", "container_gib=1", "container_array=NetApp AFF8040", "desktops=4000")
    report = simulate(book, TRIALS, settings=apart, outputs=["arrays_required", "container_arrays"])
    assert report.design == "8 arrays and 3 for containers"
    each = [
        sum(found.interval.value for found in part.outcomes if found.outcome <= float(str(part.base)))
        for part in report.results
    ]
    assert max(each) < 1
    assert report.holds is not None
    assert sum(each) - 1 <= report.holds.interval.value < min(each)


def test_decide_counts_no_arrays_where_nothing_is_on_one(book: SizingBook) -> None:
    with pytest.raises(RequestError, match="nothing of this design is on an array"):
        decide(book, DISKS, TRIALS)


def test_decide_says_what_takes_no_part_in_its_chances(book: SizingBook) -> None:
    apart = ("container_place=another array", "container_gib=1", "container_array=NetApp AFF8040")
    for settings, said in ((apart, True), ((), False)):
        told = notes(decide(book, settings, TRIALS), book)
        assert any(note.startswith("Arrays for containers") for note in told) is said
