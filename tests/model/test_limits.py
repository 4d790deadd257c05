"""What users reserve and limit themselves: the snapshot reserve."""

import itertools
from collections.abc import Mapping

import pytest

from addin.kernel import Address, Cells, Evaluator
from model.sheets.checks import master_cell
from tests.support.answers import addresses, answers
from tests.support.input_sets import Value, overrides
from tests.support.shipped import reference

BUILT = reference()
CELLS = Cells.from_openpyxl(BUILT.workbook)


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
    return evaluator.value(Address.from_a1("!".join(master_cell())))


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


def test_a_reserve_outside_its_range_is_refused_at_its_cell() -> None:
    place = f"D{BUILT.layout.inputs['snapshot_reserve_ratio']}"
    (rule,) = [rule for rule in BUILT.workbook["Inputs"].data_validations.dataValidation if place in rule.sqref]
    assert rule.showErrorMessage
    assert (float(rule.formula1), float(rule.formula2)) == (0, 0.9)
