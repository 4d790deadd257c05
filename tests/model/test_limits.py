"""What users reserve and limit themselves: the snapshot reserve, and the most desktops on one array."""

import itertools
from collections.abc import Mapping

import pytest

from addin.kernel import Address, Cells
from addin.xlsx.validations import bound
from model.sheets.front.inputs import LEAVES_NOTHING as NOTHING_LEFT
from tests.support.answers import addresses, answers, changed
from tests.support.input_sets import Value, overrides
from tests.support.recomputed import Evaluator
from tests.support.shipped import errors_raised, reference, reference_cells

BUILT = reference()
CELLS = reference_cells()


def results(design: Mapping[str, Value], *keys: str) -> tuple[object, ...]:
    (found,) = answers(BUILT, CELLS, [dict(design)], *keys)
    return found


# ---- snapshot reserve --------------------------------------------------------------------------

AWAY: dict[str, Value] = {  # containers on an array of their own, which keeps the same reserve
    "container_place": "another array",
    "container_array": "NetApp AFF8040",
    "container_gib": 30.0,
}


def test_a_snapshot_reserve_takes_its_share_of_usable_capacity() -> None:
    """By hand: 12,517 GiB usable less 15 % free space are 10,640; less 20 % for snapshots as well 8,136."""
    keys = ("usable_gib", "usable_after_headroom_gib", "capacity_required_gib", "ratio_capacity")
    usable, after, required, ratio = results({}, *keys)
    assert after == pytest.approx(0.85 * float(usable))  # type: ignore[arg-type]
    _, left, same, more = results({"snapshot_reserve_ratio": 0.2}, *keys)
    assert (left, same) == (pytest.approx(0.65 * float(usable)), required)  # type: ignore[arg-type]
    assert more == pytest.approx(float(ratio) * 0.85 / 0.65)  # type: ignore[arg-type]


def test_a_snapshot_reserve_buys_an_array_where_capacity_binds() -> None:
    """By hand: 3,000 clones of 17.067 GiB at 8:1 are 6,400 GiB; of 12,517 usable 85 % hold them, 45 % do not."""
    keys = ("capacity_required_gib", "usable_gib", "binding_constraint", "arrays_required")
    required, usable, _, one = results({"desktops": 3000.0}, *keys)
    assert (required, usable, one) == (pytest.approx(6400, abs=0.5), pytest.approx(12517, abs=1), 1)
    _, _, binds, two = results({"desktops": 3000.0, "snapshot_reserve_ratio": 0.4}, *keys)
    assert (binds, two) == ("Capacity", 2)  # 6,400 / 5,633 = 1.136


def test_the_reserve_holds_on_an_array_for_containers_and_in_the_room_left() -> None:
    for key, design in (("container_ratio_capacity", AWAY), ("desktops_at_limit", {"desktops": 3000.0})):
        (none,), (some,) = (results({**design, "snapshot_reserve_ratio": r}, key) for r in (0.0, 0.4))
        assert none != some, key


@pytest.mark.parametrize("failover", ["no", "yes"])
def test_more_snapshot_reserve_never_needs_fewer_arrays(failover: str) -> None:
    reserves = [0.0, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.84]
    design: dict[str, Value] = {**AWAY, "desktops": 3000.0, "failover": failover}
    sets = [{**design, "snapshot_reserve_ratio": each} for each in reserves]
    found = answers(BUILT, CELLS, sets, "ratio_largest", "arrays_required", "container_ratio_capacity")
    assert all(a <= b for one, two in itertools.pairwise(found) for a, b in zip(one, two, strict=True)), found  # type: ignore[operator]
    assert found[0][0] < found[-1][0]  # type: ignore[operator]


def raised(design: Mapping[str, Value]) -> object:
    """Return how many errors the master check counts for a base design."""
    evaluator = Evaluator(CELLS, addresses(overrides(BUILT, [design])))
    return evaluator.value(errors_raised(BUILT))


@pytest.mark.slow
@pytest.mark.parametrize(("free", "reserve"), [(0.15, 0.85), (0.7, 0.3), (0.5, 0.5), (0.9, 0.9)])
def test_free_space_and_reserve_that_leave_nothing_are_a_message_and_no_count(free: float, reserve: float) -> None:
    design: dict[str, Value] = {"capacity_headroom_ratio": free, "snapshot_reserve_ratio": reserve}
    assert results(design, "status", "usable_after_headroom_gib") == (
        "does not fit: lower free space or snapshot reserve",
        0,
    )
    assert raised(design) == 1
    allowed: dict[str, Value] = {**design, "snapshot_reserve_ratio": 0.99 - free}
    assert raised(allowed) == 0
    assert "reserve" not in str(results(allowed, "status"))


def test_free_space_and_reserve_that_leave_nothing_turn_their_cells_red() -> None:
    sheet = BUILT.workbook["Inputs"]
    first, second = (BUILT.layout.inputs[key][1] for key in ("capacity_headroom_ratio", "snapshot_reserve_ratio"))
    used = "+".join(f"IF(ISBLANK(D${row}),$D${row},D${row})" for row in (first, second))
    marked = {
        str(area.sqref): [rule.formula for rule in area.rules]
        for area in sheet.conditional_formatting
        if str(area.sqref) in [f"D{row}:K{row}" for row in (first, second)]
    }
    assert marked == {f"D{row}:K{row}": [[f"{used}>=1"]] for row in (first, second)}
    for row in (first, second):  # and the note beside them says so before
        assert "must stay below 1" in str(sheet[f"C{row}"].value)


def test_a_reserve_outside_its_range_is_refused_at_its_cell() -> None:
    sheet, place = BUILT.layout.typed("snapshot_reserve_ratio")
    (rule,) = [rule for rule in BUILT.workbook[sheet].data_validations.dataValidation if place in rule.sqref]
    assert rule.showErrorMessage
    assert (bound(rule.formula1), bound(rule.formula2)) == (0, 0.9)


@pytest.mark.parametrize(("key", "other"), [NOTHING_LEFT, NOTHING_LEFT[::-1]])
def test_a_share_that_leaves_nothing_with_the_other_one_is_refused_at_its_cell(key: str, other: str) -> None:
    row, its = BUILT.layout.inputs[key][1], BUILT.layout.inputs[other][1]
    (rule,) = [r for r in BUILT.workbook["Inputs"].data_validations.dataValidation if f"D{row}" in r.sqref]
    assert rule.formula2 == f"MIN(0.9,0.999-IF(ISBLANK(D${its}),$D${its},D${its}))"
    assert BUILT.data.input(other).label.lower() in rule.error
    # a program that computes the bound: 0.85 is too much beside 0.15, a blank what-if takes the base design's
    most = {"D": (0.3, None, 0.699), "E": (0.3, None, 0.699), "F": (0.3, 0.8, 0.199), "G": (0.05, None, 0.9)}
    for letter, (base, own, expected) in most.items():
        typed = {("Inputs", f"D{its}"): base} | ({("Inputs", f"{letter}{its}"): own} if letter != "D" else {})
        formula = "=" + str(rule.formula2).replace("(D$", f"({letter}$").replace(",D$", f",{letter}$")
        spare = Address("Inputs", 400, 1)
        cells = changed(CELLS, typed)
        cells = Cells({**cells.values, spare: formula}, cells.names, cells.sheets)
        assert Evaluator(cells, {}).value(spare) == pytest.approx(expected), letter


# ---- fault domain ------------------------------------------------------------------------------

KEYS = ("ratio_fault_domain", "arrays_for_fault_domain", "arrays_required", "binding_constraint")


@pytest.mark.parametrize(
    ("desktops", "most", "ratio", "arrays"),
    [(1500.0, 500.0, 3.0, 3), (1500.0, 499.0, 1500 / 499, 4), (1501.0, 500.0, 3.002, 4), (1500.0, 700.0, 15 / 7, 3)],
)
def test_a_fault_domain_needs_the_desktops_over_the_most_on_one_array(
    desktops: float, most: float, ratio: float, arrays: int
) -> None:
    found = results({"desktops": desktops, "most_desktops_per_array": most}, *KEYS)
    assert found == (pytest.approx(ratio), arrays, arrays, "Fault domain")


def test_growth_counts_in_a_fault_domain_and_inactive_desktops_do_too() -> None:
    """By hand: 1,500 and 20 % more are 1,800 provisioned, over 500."""
    design: dict[str, Value] = {"growth_ratio": 0.2, "concurrent_ratio": 0.5, "most_desktops_per_array": 500.0}
    assert results(design, *KEYS) == (pytest.approx(3.6), 4, 4, "Fault domain")


def test_a_blank_fault_domain_limits_nothing_and_is_not_unchecked() -> None:
    assert results({}, *KEYS[:2], "unchecked_count", "desktops_by_fault_domain") == (0, 0, 0, 0)
    without, wide = (results(d, "status", "arrays_required") for d in ({}, {"most_desktops_per_array": 100000.0}))
    assert without == wide


def test_a_fault_domain_can_come_next() -> None:
    """By hand: 1,500 over 2,200 are 0.6818, below the patching's 0.684 and above the deployment's 0.679."""
    design: dict[str, Value] = {"most_desktops_per_array": 2200.0}
    assert results(design, "binding_constraint", "next_constraint") == ("Patching IOPS", "Fault domain")
    assert results(design, "next_ratio") == (pytest.approx(1500 / 2200),)


def test_arrays_that_hold_more_than_the_fault_domain_do_not_fit() -> None:
    design: dict[str, Value] = {"most_desktops_per_array": 500.0, "arrays_installed": 2.0}
    keys = ("fits", "desktops_at_limit", "headroom_desktops")
    assert results(design, *keys) == (0, 1000, -500)
    assert str(results(design, "status")[0]).startswith("does not fit: needs 3 arrays")
    assert results({**design, "desktops": 1000.0}, *keys) == (1, 1000, 0)
    assert results({**design, "desktops": 1001.0}, "fits") == (0,)


def test_a_fault_domain_is_the_limit_where_nothing_else_is_checked() -> None:
    design: dict[str, Value] = {"array": "My array 1", "most_desktops_per_array": 500.0}
    status, limit = results(design, "status", "desktops_at_limit")
    assert str(status).startswith("at least 3 arrays")
    assert limit == 1500


@pytest.mark.parametrize("survive", ["users at work", "everything"])
def test_a_failure_asks_for_no_more_than_the_fault_domain_in_normal_operation(survive: str) -> None:
    """How many desktops one array may stop is no question to those that survive it."""
    design: dict[str, Value] = {"survive_phases": survive, "failover": "yes"}
    keys = ("ratio_failover", "arrays_after_failure", "arrays_required")
    (before, *_), (after, *arrays) = (
        results(design, *keys),
        results({**design, "most_desktops_per_array": 500.0}, *keys),
    )
    assert (before, arrays) == (after, [3, 3])


def test_fewer_desktops_allowed_on_an_array_never_need_fewer_arrays() -> None:
    most = [100000.0, 5000.0, 1500.0, 1499.0, 700.0, 100.0, 2.0, 1.0]
    found = answers(BUILT, CELLS, [{"most_desktops_per_array": each} for each in most], "ratio_largest", KEYS[2])
    assert all(a <= b for one, two in itertools.pairwise(found) for a, b in zip(one, two, strict=True)), found  # type: ignore[operator]
    assert found[-1] == (1500, 1500)
