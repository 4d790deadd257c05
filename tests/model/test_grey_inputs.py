"""An input whose row is grey does nothing to the base design; in a design it counts in, the row is not grey."""

import pytest

from addin.kernel import Address, Cells, Scalar
from model.layout.grid import INPUT_SHEETS
from tests.support import shipped
from tests.support.answers import addresses
from tests.support.input_sets import Value
from tests.support.recomputed import Evaluator

BUILT = shipped.built()
CELLS = shipped.built_cells()
RESULTS = (
    "ratio_largest",
    "capacity_required_gib",
    "boot_minutes",
    "hosts_required",
    "container_required_gib",
    "cost_total",
)
PROBE = Address("Inputs", 400, 1)


def rules() -> dict[str, str]:
    """Return the formula that greys a row, by the key of its input: 0 = it does nothing."""
    keys = {place: key for key, place in BUILT.layout.inputs.items()}
    found = {}
    for sheet in INPUT_SHEETS:
        for area in BUILT.workbook[sheet].conditional_formatting:
            first, _, last = str(area.sqref).partition(":")
            if first.startswith("A") and last.startswith("C"):
                (rule,) = area.rules
                found[keys[sheet, int(first[1:])]] = str(rule.formula[0]).removesuffix("=0")
    return found


RULES = rules()
DESIGNS: dict[str, dict[str, Value]] = {
    "shipped": {},
    "PVS": {"provisioning": "PVS"},
    "full clone": {"provisioning": "Full clone"},
    "vDisk": {"provisioning": "MCS + Personal vDisk"},
    "containers": {"container_place": "this array"},
    "containers away": {"container_place": "another array", "container_array": "NetApp AFF8040"},
    "containers on a cloud share": {"container_place": "on a cloud share"},
    "Cloud Cache": {"container_place": "on a cloud share", "container_share": "Cloud Cache, two providers"},
    "machines on managed disks": {"disk_place": "Azure Premium SSD"},
    "machines on disks of their hosts": {"disk_place": "ephemeral"},
    "a load": {"scheduled_gib": 1.0},
}
FIGURES: dict[str, Value] = {  # without which containers have no answer to compare
    **{"container_gib": 5.0, "container_steady_iops": 1.0, "container_signin_iops": 5.0, "container_signout_iops": 2.0},
    **{"container_signin_s": 20.0, "container_read_ratio": 0.5, "container_block_kib": 16.0},
    **{"scheduled_window_min": 60.0, "scheduled_read_ratio": 0.5, "scheduled_block_kib": 64.0},
    "boot_wanted_min": 60.0,
}


def results(design: dict[str, Value], formula: str = "") -> tuple[Scalar, ...]:
    """Return the results of a design, or what a formula gives in it."""
    typed = addresses({BUILT.layout.typed(key): value for key, value in design.items()})
    if formula:
        cells = Cells({**CELLS.values, PROBE: f"={formula}"}, CELLS.names, CELLS.sheets, CELLS.texts)
        return (Evaluator(cells, typed).value(PROBE),)
    evaluator = Evaluator(CELLS, typed)
    return tuple(evaluator.value(Address.from_a1("'{}'!{}".format(*BUILT.layout.cell(key)))) for key in RESULTS)


@pytest.mark.slow
@pytest.mark.parametrize("name", DESIGNS)
def test_a_grey_input_moves_nothing(name: str) -> None:
    design = {**FIGURES, **DESIGNS[name]} if name != "shipped" else {}
    before = results(design)
    grey = [key for key, formula in RULES.items() if results(design, formula) == (0.0,)]
    assert grey
    for key in grey:
        item = BUILT.data.input(key)
        if item.kind == "number":
            assert results({**design, key: item.maximum}) == before, key


@pytest.mark.slow
def test_every_grey_row_has_a_design_in_which_it_counts() -> None:
    counting = {
        key
        for name, design in DESIGNS.items()
        for key, formula in RULES.items()
        if results({**FIGURES, **design}, formula) != (0.0,)
    }
    empty = {"card_cap_ratio", "write_weight", "measured_row"}  # a card's and those of Measured, which ship empty
    assert RULES.keys() - counting == empty
    assert len(RULES) >= 25
