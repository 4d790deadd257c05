"""A price typed for one cloud share or one size of managed disk is never charged for another in a grid."""

import pytest

from addin.kernel import Scalar
from addin.simulation.montecarlo import simulate
from addin.sizing.whatif import whatif
from addin.workbook.book import SizingBook, open_book
from tests.support import shipped

ON_A_SHARE = ("container_place=on a cloud share", "container_gib=30", "desktops=1000", "array_price=100000")
PREMIUM = "Azure Premium SSD"
ON_DISKS = (f"disk_place={PREMIUM}", "disk_price=20", "disk_vm_iops=20000", "disk_vm_mb_s=500", "desktops=1000")
NO_PRICE = "enter a price"
MONTHS = 60
LEFT_OUT = "Typed for the base design, so left out of rows with another choice or size: "


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> SizingBook:
    return open_book(shipped.write_draft(tmp_path_factory.mktemp("typed")))


def by_choice(book: SizingBook, settings: tuple[str, ...], vary: str, *keys: str) -> dict[Scalar, tuple[Scalar, ...]]:
    return {row[0]: row[1:] for row in whatif(book, settings, [vary], keys).rows}


def test_the_typed_price_of_a_share_is_that_of_its_service_alone(book: SizingBook) -> None:
    """Standard, Premium and Ultra of one vendor cost the same, as each was charged what was typed for another."""
    settings = (*ON_A_SHARE, "share_gib_price=0.16")
    found = by_choice(book, settings, "share_service=all", "cost_total", "share_total_gib", "arrays_used")
    cost, gib, arrays = found["Azure Files SSD v1"]
    assert isinstance(gib, float)
    assert isinstance(arrays, float)
    assert cost == pytest.approx(100000 * arrays + gib * 0.16 * MONTHS)
    others = [row[0] for name, row in found.items() if name != "Azure Files SSD v1" and row[1]]
    assert len(others) > 3
    assert {each for each in others if not isinstance(each, str)} == set()
    (note,) = (each for each in whatif(book, settings, ["share_service=all"]).notes if each.startswith(LEFT_OUT))
    assert note == f"{LEFT_OUT}share_gib_price."


@pytest.mark.parametrize("vary", ["share_redundancy=LRS,ZRS", "price_region=all"])
def test_nor_is_it_that_of_another_redundancy_or_region(book: SizingBook, vary: str) -> None:
    found = by_choice(book, (*ON_A_SHARE, "share_gib_price=0.16"), vary, "cost_total")
    priced = [name for name, (cost,) in found.items() if isinstance(cost, float)]
    assert len(found) > len(priced) == 1


def test_a_price_that_varies_too_is_charged_as_it_is_given(book: SizingBook) -> None:
    vary = ["share_service=Azure Files SSD v1,Azure NetApp Files Premium", "share_gib_price=0.16,0.3"]
    table = whatif(book, ON_A_SHARE, vary, ["cost_total"])
    assert all(isinstance(row[-1], float) for row in table.rows), table.rows
    assert not [each for each in table.notes if each.startswith(LEFT_OUT)]


def test_the_price_of_a_disk_is_that_of_its_size_alone(book: SizingBook) -> None:
    """A boot ten times as fast, on a disk eight times as large, cost the same."""
    found = by_choice(book, ON_DISKS, "disk_boot_s=60,30,15,6", "tier_name", "disk_month")
    sizes = [size for size, _ in found.values()]
    assert len(set(sizes)) > 2, sizes
    base = book.values(book.settings(ON_DISKS)).value(book.results["tier_name"].address)
    assert dict(found.values()) == {size: 20 * 1000.0 if size == base else 0.0 for size in sizes}  # type: ignore[arg-type]


def test_a_simulation_says_whose_price_its_disks_have(book: SizingBook) -> None:
    notes = simulate(book, trials=1024, settings=ON_DISKS, outputs=["cost_total", "disk_month"]).notes
    base = book.values(book.settings(ON_DISKS)).value(book.results["tier_name"].address)
    assert [each for each in notes if f"Costs are those of {base} disks in every trial" in each]
