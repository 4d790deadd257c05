"""What a rating that nobody published would have to be to matter: typed just above and just below, arrays follow."""

from collections.abc import Mapping

import pytest

from addin.kernel import Cells
from tests.support.answers import answers, changed, numbers
from tests.support.input_sets import Value, own_arrays
from tests.support.shipped import reference, reference_cells

BUILT = reference()
CELLS = reference_cells()
RATED: dict[str, Value] = {
    "array_class": "flash",
    "usable_gib": 20000.0,
    "inline_reduction": 1.0,
    "read_equivalent_iops": 150000.0,
    "write_weight": 2.7,
    "base_latency_ms": 0.4,
    "throughput_mb_s": 8000.0,
}
NODE: dict[str, Value] = {**RATED, "hci_node": 1.0, "least_nodes": 3.0, "nodes_lost": 1.0, "vms_per_node": 400.0}
OWN: dict[str, Value] = {"array": "My array 1", "desktops": 3000.0}
MISSING = [  # figure left out; its row; whether more of it is worse; the words
    ("usable_gib", "break_even_capacity", False, "capacity below"),
    ("throughput_mb_s", "break_even_throughput", False, "throughput below"),
    ("base_latency_ms", "break_even_latency", True, "base latency above"),
    ("vms_per_node", "break_even_vms_per_node", False, "machines below"),
]


def own(figures: Mapping[str, Value]) -> Cells:
    return changed(CELLS, own_arrays(BUILT, [figures]))


@pytest.mark.slow
@pytest.mark.parametrize(("field", "row", "above", "words"), MISSING)
def test_at_its_break_even_a_missing_rating_starts_to_add_an_array(
    field: str, row: str, above: bool, words: str
) -> None:
    figures = NODE if field == "vms_per_node" else RATED
    blank = own({**figures, field: None})
    ((arrays, edge, unchecked, matters),) = answers(
        BUILT, blank, [OWN], "arrays_required", row, "constraints_unchecked", "unchecked_ratings_matter"
    )
    assert isinstance(edge, float)
    assert edge > 0
    assert unchecked != "none"
    assert f"{words} {edge:.0f} " in str(matters)
    assert str(matters).endswith(": one more node" if field == "vms_per_node" else ": one more array")
    printed = edge / 1000 if field == "base_latency_ms" else edge  # in microseconds
    more, less = (0.999, 1.001) if above else (1.001, 0.999)
    assert numbers(BUILT, own({**figures, field: printed * more}), OWN, "arrays_required") == [arrays]
    assert numbers(BUILT, own({**figures, field: printed * less}), OWN, "arrays_required")[0] > float(str(arrays))


@pytest.mark.slow
@pytest.mark.parametrize("phase", ["provisioning", "boot", "login", "steady", "logoff", "patching", "scheduled"])
def test_at_its_break_even_a_missing_rating_of_a_phase_starts_to_add_an_array(phase: str) -> None:
    design = {**OWN, "scheduled_ios": 50000.0, "scheduled_window_min": 60.0, "scheduled_read_ratio": 0.5}
    phases = ("provisioning", "boot", "login", "steady", "logoff", "patching", "scheduled")
    rated: dict[str, Value] = {"usable_gib": 20000.0, "inline_reduction": 1.0}
    rated |= {f"rating_{each}_iops": 500000.0 for each in phases if each != phase}
    edge, arrays = numbers(BUILT, own(rated), design, f"break_even_{phase}", "arrays_required")
    assert edge > 0
    key = f"rating_{phase}_iops"
    assert numbers(BUILT, own({**rated, key: edge * 1.001}), design, "arrays_required") == [arrays]
    assert numbers(BUILT, own({**rated, key: edge * 0.999}), design, "arrays_required") == [arrays + 1]


def test_by_hand_throughput_over_the_arrays_required() -> None:
    """By hand: the boot of 1,500 desktops asks most; what it moves over one array is the break-even."""
    cells = own({**RATED, "throughput_mb_s": None})
    keys = ("throughput_boot", "break_even_throughput", "arrays_required")
    moved, edge, arrays = numbers(BUILT, cells, {**OWN, "boot_block_kib": 32.0, "ios_per_boot": 30000.0,
                                                 "start_rate_per_min": 100.0}, *keys)  # fmt: skip
    assert moved == pytest.approx(100 / 60 * 30000 * 32 * 1024 / 1e6)  # 1,638 MB/s
    assert (edge, arrays) == (1639, 1)  # the next whole figure


def test_where_every_rating_is_known_there_is_no_break_even() -> None:
    ((matters, *rows),) = answers(BUILT, CELLS, [{}], "unchecked_ratings_matter", *(row for _, row, *_ in MISSING))
    assert matters == "none"
    assert rows == [0, 0, 0, 0]
