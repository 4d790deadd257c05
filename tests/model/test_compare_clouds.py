"""Compare puts arrays, nodes and managed disks side by side: the unit, what limits, and an order that counts no pears.

The designs are in columns: the base design, then the what-ifs from E on.
"""

from collections.abc import Mapping

from addin.kernel import Address, Scalar
from model.layout.grid import BASE
from tests.model.test_answer import BUILT, CELLS, ranked
from tests.support.answers import addresses
from tests.support.input_sets import Value
from tests.support.recomputed import Evaluator

DISKS: Mapping[str, Value] = {
    "disk_place": "Azure Premium SSD",
    "disk_vm_iops": 20_000.0,
    "disk_vm_mb_s": 1_000.0,
    "ios_per_provisioning": 0.0,
    "logoff_iops_per_desktop": 0.0,
}
NODES: Mapping[str, Value] = {"array": "Lenovo HX665 V3 Nutanix node"}


def compared(base: Mapping[str, Value], *whatifs: Mapping[str, Value]) -> Evaluator:
    """Return the workbook with these inputs of the base design and its what-ifs; the other what-ifs are blank."""
    designs = [*whatifs, *({} for _ in range(7 - len(whatifs)))]
    cells: dict[Address, Scalar] = {
        Address(sheet, row, BASE + n): design.get(key)
        for key, (sheet, row) in BUILT.layout.inputs.items()
        for n, design in enumerate(designs, 1)
    }
    return Evaluator(CELLS, {**cells, **addresses({BUILT.layout.typed(key): value for key, value in base.items()})})


def row(evaluator: Evaluator, key: str, designs: int) -> list[Scalar]:
    return ranked(evaluator, key)[:designs]


def test_each_design_names_its_unit_and_its_limit() -> None:
    found = compared({}, DISKS, NODES)
    assert row(found, "array", 3) == ["NetApp AFF8040", "Azure Premium SSD", NODES["array"]]
    assert row(found, "year", 2) == ["2016", ""]
    assert row(found, "normal", 3) == ["2", "1500 disks", "at least 10 nodes"]
    assert row(found, "normal_limit", 2) == ["Latency, 44%", "disk IOPS"]
    assert row(found, "after", 2) == ["3", "1500 disks"]
    shares = row(found, "share", 3)
    assert (shares[0], shares[2]) == ("none", "none")
    assert str(shares[1]).startswith("1,500 disks: P15 of Azure Premium SSD, limited by IOPS")
    assert row(found, "price", 2) == ["enter a quote", "none"]


def test_a_cap_that_is_not_typed_is_not_checked() -> None:
    found = compared({}, {**DISKS, "disk_vm_iops": None})
    assert row(found, "state", 2) == ["fully checked", "at least"]
    assert row(found, "normal", 2) == ["2", "at least 1500 disks"]


def test_without_prices_no_count_of_arrays_is_more_than_one_of_disks() -> None:
    """1,500 disks are no fewer than three arrays: of what has no price in common, the arrays come first."""
    found = compared({}, DISKS)
    assert row(found, "state", 2) == ["fully checked", "fully checked"]
    arrays, disks = row(found, "place", 2)
    assert arrays < disks  # type: ignore[operator]


def test_no_price_ranks_as_the_order_leaves_in_files_without_prices() -> None:
    dear, cheap = (
        compared({"array_price": price}, {**DISKS, "disk_price": each}) for price, each in ((1.0, 90.0), (9e6, 0.01))
    )
    assert row(dear, "place", 8) == row(cheap, "place", 8)
