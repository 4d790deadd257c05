"""Hyper-converged systems: the unit is a node, worked by hand; what is missing is named, what is wrong is refused."""

import itertools
from collections.abc import Mapping

import pytest

from addin.kernel import Cells
from model.sheets.catalogue import my_arrays
from model.sheets.proof import checks
from tests.support.answers import answers, changed, numbers
from tests.support.input_sets import Value, own_arrays
from tests.support.shipped import reference, reference_cells

BUILT = reference()
CELLS = reference_cells()
NODE: dict[str, Value] = {  # 20 TB raw, a tenth for the system, two copies: 8,381.9 GiB usable
    "array_class": "flash",
    "inline_reduction": 0.0,
    "hci_node": 1.0,
    "least_nodes": 3.0,
    "nodes_lost": 1.0,
    "node_raw_gb": 20000.0,
    "system_share_ratio": 0.1,
    "protection_ratio": 2.0,
    "vms_per_node": 110.0,
    "read_equivalent_iops": 60000.0,
    "write_weight": 2.7,
    "base_latency_ms": 0.4,
    "throughput_mb_s": 2000.0,
}
DESIGN: dict[str, Value] = {  # 20 GiB written by a desktop, nothing reduced
    "array": "My array 1",
    "provisioning": "Full clone",
    "data_reduction_ratio": None,
    "disk_gib": 40.0,
    "disk_used_ratio": 0.5,
    "hypervisor": "AHV",
    "ios_per_provisioning": 0.0,
    "patch_wanted_min": 600.0,
    "boot_wanted_min": 60.0,
}
KEYS = ("ratio_capacity", "ratio_vms_per_node", "arrays_normal", "arrays_after_failure", "arrays_required")


def cells(**figures: Value) -> Cells:
    return changed(CELLS, own_arrays(BUILT, [{**NODE, **figures}]))


def results(design: Mapping[str, Value], *keys: str, of: Cells | None = None) -> tuple[object, ...]:
    (found,) = answers(BUILT, of or cells(), [{**DESIGN, **design}], *keys)
    return found


def figures(design: Mapping[str, Value], *keys: str, of: Cells | None = None) -> list[float]:
    return numbers(BUILT, of or cells(), {**DESIGN, **design}, *keys)


def test_nodes_are_the_most_of_least_storage_and_machines_and_those_that_may_be_lost() -> None:
    """By hand: 20,000 GB are 18,626.5 GiB; x 0.9 / 2 = 8,381.9 usable; x 0.85 = 7,124.6 after free space."""
    usable, free = figures({}, "usable_gib", "usable_after_headroom_gib")
    assert (usable, free) == pytest.approx((8381.9, 7124.6), abs=0.05)
    # 1,500 x 20 GiB are 30,000: 4.21 nodes; 1,500 / 110 = 13.64: 14 nodes, and one that may be lost
    assert figures({}, *KEYS) == pytest.approx([30000 / 7124.6, 1500 / 110, 14, 15, 15], rel=1e-5)
    assert results({}, "binding_constraint") == ("VMs per node",)
    # faster processors: storage decides, 5 nodes and one
    assert figures({}, *KEYS, of=cells(vms_per_node=400.0))[2:] == [5, 6, 6]
    # few desktops: the smallest cluster, 3 nodes, which includes the one that may be lost
    assert figures({"desktops": 100.0}, *KEYS)[2:] == [3, 3, 3]
    assert figures({"desktops": 220.0}, *KEYS)[2:] == [3, 3, 3]  # two carry 110 machines each
    assert figures({"desktops": 221.0}, *KEYS)[2:] == [3, 4, 4]  # three must, and one may be lost
    assert results({"desktops": 100.0}, "binding_constraint", "status", "close_call") == (
        "Min. nodes",
        "3 nodes; no published test",
        "no",
    )


@pytest.mark.parametrize(
    ("protection", "least", "short"),
    [(2.0, 3.0, 0), (2.0, 2.0, 1), (3.0, 5.0, 0), (3.0, 3.0, 2), (1.25, 6.0, 0), (1.25, 4.0, 2), (1.0, None, 0)],
)
def test_a_least_below_what_the_protection_needs_is_an_alert(protection: float, least: Value, short: int) -> None:
    """Two copies need 3 nodes, three copies 5, 4 + 1 usually 6."""
    assert figures({}, "least_nodes_short", of=cells(protection_ratio=protection, least_nodes=least)) == [short]
    every = checks.checks(BUILT.data, BUILT.layout)
    (alert,) = (check for check in every if check.reads == BUILT.layout.cell("least_nodes_short"))
    assert (alert.kind, alert.bounds) == ("alert", (0, 0))


@pytest.mark.parametrize(("protection", "nodes"), [(1.0, 4), (1.25, 4), (2.0, 6), (3.0, 8)])
def test_protection_is_any_figure_from_one(protection: float, nodes: int) -> None:
    """By hand: 30,000 over 16,763.8 x 0.85 / protection : 2.11, 2.63, 4.21, 6.32; least 3, and one."""
    of = cells(protection_ratio=protection, vms_per_node=1000.0)
    assert figures({}, "arrays_required", of=of) == [nodes]


def test_nodes_that_may_be_lost_are_bought_on_top_and_serve_until_then() -> None:
    two = cells(nodes_lost=2.0, least_nodes=5.0)
    required, loaded, serving = figures({}, "arrays_required", "arrays_loaded", "failover_serving", of=two)
    assert (required, loaded, serving) == (16, 14, 14)
    # utilisation counts all nodes before a failure, those left after it
    before, after, ratio = figures({}, "utilisation_steady", "failover_utilisation_steady", "ratio_steady", of=two)
    assert (before, after) == pytest.approx((ratio * 0.95 / 16, ratio * 0.95 / 14))
    # whether a failure is bought or not moves nothing: it is bought
    assert figures({"failover": "yes"}, "arrays_required", of=two) == [16]
    assert figures({"failover": "yes", "survive_phases": "everything"}, "arrays_required", of=two) == [16]
    # without a figure a failure is not checked, by name
    unknown = cells(nodes_lost=None)
    assert figures({}, "arrays_after_failure", of=unknown) == [-1]
    assert "failover" in str(results({"failover": "yes"}, "constraints_unchecked", of=unknown)[0])


def test_fewer_than_no_nodes_lost_take_no_node_away() -> None:
    """A pasted -1 passed the list of what a cell accepts: 13 nodes carried what 14 must."""
    assert figures({}, "arrays_required", of=cells(nodes_lost=-1.0)) == [14]
    assert results({}, "arrays_after_failure", of=cells(nodes_lost=-1.0)) == (-1,)


def test_installed_nodes_suffice_only_with_those_that_may_be_lost() -> None:
    assert figures({"arrays_installed": 15.0}, "fits") == [1]
    fits, status = results({"arrays_installed": 14.0}, "fits", "status")
    assert (fits, status) == (0, "does not fit: needs 15 nodes; no published test")


def test_the_desktops_that_still_fit_leave_the_lost_node_out() -> None:
    """By hand: five nodes carry, one may be lost: 5 x 7,124.6 / 20 = 1,781 desktops; no other limit is nearer."""
    of = cells(vms_per_node=1000.0, read_equivalent_iops=1e6, throughput_mb_s=1e5)
    assert figures({}, "arrays_required", "desktops_at_limit", of=of) == [6, 1781]
    assert figures({"desktops": 1781.0}, "arrays_required", of=of) == [6]
    assert figures({"desktops": 1782.0}, "arrays_required", of=of) == [7]


def test_room_is_what_the_machines_of_a_node_leave() -> None:
    """By hand: 14 nodes carry 110 each while two may be lost: 14 x 110 - 1,500 = 40, before and after a failure."""
    two = cells(nodes_lost=2.0)
    found = figures({}, "arrays_required", "room_normal", "room_after_failure", "headroom_desktops", of=two)
    assert found == [16, 40, 40, 40]


def test_words_say_nodes_where_the_unit_is_one() -> None:
    assert str(results({}, "status")[0]).startswith("15 nodes")
    of = cells(vms_per_node=1000.0, least_nodes=1.0, nodes_lost=0.0)
    assert str(results({"desktops": 10.0}, "status", of=of)[0]).startswith("1 node;")
    assert results({}, "unit_word", of=cells(hci_node=None)) == ("array",)
    slow = {"boot_wanted_min": None, "start_rate_per_min": 100000.0, "arrays_installed": 4.0}
    assert str(results(slow, "boot_bound_by")[0]) == "Nodes"


def test_without_machines_per_node_processors_are_not_checked_by_name() -> None:
    unchecked, status, missing = results(
        {}, "constraints_unchecked", "status", "node_figures_missing", of=cells(vms_per_node=None)
    )
    assert unchecked == "processors, enter a rating"
    assert str(status).startswith("at least 6 nodes")
    assert missing == 1


@pytest.mark.parametrize("field", ["system_share_ratio", "protection_ratio", "node_raw_gb"])
def test_without_a_figure_of_its_capacity_a_node_has_none(field: str) -> None:
    usable, unchecked, missing = results(
        {}, "usable_gib", "constraints_unchecked", "node_figures_missing", of=cells(**{field: None})
    )
    assert (usable, missing) == (0, 1)
    assert str(unchecked).startswith("capacity, ")


@pytest.mark.parametrize(("field", "low"), [("protection_ratio", 1), ("vms_per_node", 1), ("least_nodes", 1)])
def test_what_is_no_figure_of_a_node_is_refused_at_its_cell(field: str, low: float) -> None:
    (described,) = [each for each in BUILT.data.fields if each.key == field]
    assert described.minimum == low
    block = BUILT.layout.blocks[f"own_arrays:{field}"]  # where the figure of an own array is typed
    sheet = BUILT.workbook[block.sheet]
    place = sheet.cell(block.first_row, my_arrays.typed_column(0)).coordinate
    (rule,) = [rule for rule in sheet.data_validations.dataValidation if place in rule.sqref]
    assert rule.showErrorMessage
    assert float(rule.formula1) == low


def test_a_raw_capacity_on_the_card_of_a_node_is_the_raw_capacity_of_a_node() -> None:
    """It counted at the 0.7 of drives behind a controller, whatever was typed; all was checked."""
    keys = ("usable_gib", "arrays_required", "share_assumed", "constraints_unchecked", "array_incomplete")
    card: dict[str, Value] = {"node_raw_gb": None, "capacity_tb": 20.0, "capacity_kind": "raw", "vms_per_node": 400.0}
    typed = results({}, *keys, of=cells(vms_per_node=400.0))
    assert results({}, *keys, of=cells(**card)) == typed
    assert (
        results({}, *keys, of=cells(**{**card, "capacity_tb": 99.0, "node_raw_gb": 20000.0})) == typed
    )  # its own first
    for missing in ("protection_ratio", "system_share_ratio"):
        usable, _, assumed, unchecked, _ = results({}, *keys, of=cells(**{**card, missing: None}))
        assert (usable, assumed) == (0, 0)
        assert str(unchecked).startswith("capacity")
    printed = cells(**{**card, "capacity_kind": "usable"})
    assert figures({}, "usable_gib", of=printed) == pytest.approx([18626.45], abs=0.01)


def test_a_protection_below_one_is_no_capacity() -> None:
    assert figures({}, "usable_gib", of=cells(protection_ratio=0.5)) == [0]
    assert figures({}, "usable_gib", of=cells(protection_ratio=0.5, usable_gib=5000.0)) == [5000]


def test_a_share_of_the_system_of_nothing_is_typed_as_nothing() -> None:
    assert figures({}, "usable_gib", of=cells(system_share_ratio=0.0)) == pytest.approx([9313.2], abs=0.05)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("vms_per_node", [400.0, 200.0, 110.0, 60.0, 20.0, 1.0]),
        ("protection_ratio", [1.0, 1.25, 1.5, 2.0, 3.0, 10.0]),
        ("system_share_ratio", [0.0, 0.1, 0.3, 0.5, 0.8, 0.9]),
        ("nodes_lost", [0.0, 1.0, 2.0, 3.0, 8.0, 16.0]),
        ("least_nodes", [1.0, 3.0, 20.0, 40.0, 200.0, 1000.0]),
        ("node_raw_gb", [1e6, 60000.0, 20000.0, 8000.0, 2000.0, 100.0]),
    ],
)
def test_each_figure_of_a_node_moves_the_answer_one_way(field: str, values: list[float]) -> None:
    found = [figures({}, "arrays_required", of=cells(**{field: value}))[0] for value in values]
    assert all(a <= b for a, b in itertools.pairwise(found)), found
    assert found[0] < found[-1]


def test_session_hosts_on_nodes_count_machines() -> None:
    """By hand: 1,500 users at 15 on a machine are 100 machines, a node carries 8: 12.5."""
    assert figures({"users_per_vm": 15.0}, "ratio_vms_per_node", of=cells(vms_per_node=8.0)) == [12.5]


def test_hosts_are_paid_once_where_nodes_carry_the_machines() -> None:
    """By hand: 1,500 / 110 are 14 nodes, and one that may be lost; 1,500 / 80 are 19 hosts, paid beside those 15."""
    paid: dict[str, Value] = {"desktops_per_host": 80.0, "host_price": 12000.0, "array_price": 30000.0}
    keys = ("arrays_required", "hosts_twice", "hosts_words")
    words = "15 nodes and 19 hosts are paid. Choose: the price covers the hosts"
    assert results(paid, *keys) == (15, 19, words)
    for once in ({"price_covers_hosts": "yes"}, {"host_price": None}):
        assert results({**paid, **once}, "hosts_twice") == (0,)
    assert results(paid, "hosts_twice", of=cells(vms_per_node=None)) == (0,)
    every = checks.checks(BUILT.data, BUILT.layout)
    (alert,) = (check for check in every if check.reads == BUILT.layout.cell("hosts_twice"))
    assert (alert.kind, alert.bounds, alert.todo) == ("alert", (0, 0), "={hosts_words}")
