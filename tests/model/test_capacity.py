"""Capacity: each component over its own data reduction, swap files by hypervisor, three capacities of an array."""

import itertools
from collections.abc import Mapping

import pytest

from addin.kernel import Cells
from model.layout.styles import line_format
from model.reading.records import Data
from tests.support.answers import answers, changed, numbers
from tests.support.input_sets import OWN_FIGURES, Value, own_arrays
from tests.support.shipped import reference, reference_cells

BUILT = reference()
CELLS = reference_cells()
TIB = 1024.0
# 46 TiB usable, with inline reduction
BIG = {**OWN_FIGURES[1], "usable_gib": 46 * TIB, "reduction_ratio": None}
COMPONENTS = ("data", "image", "user_data", "swap")
CLONES: dict[str, Value] = {
    "array": "My array 1",
    "desktops": 3000.0,
    "provisioning": "Linked clone",
    "data_reduction_ratio": None,
    "write_cache_gib": 20.0,
    "write_cache_used_ratio": 0.9,
    "image_gib": 25.0,
    "datastores": 6.0,
    "user_data_gib": 30.0,
    "swap_written_ratio": 1.0,
    "ram_reservation_ratio": 1.0,
}


def own(figures: Mapping[str, Value]) -> Cells:
    """Return the cells with an own array of these figures as My array 1."""
    return changed(CELLS, own_arrays(BUILT, [figures]))


def results(design: Mapping[str, Value], *keys: str, cells: Cells = CELLS) -> list[float]:
    return numbers(BUILT, cells, dict(design), *keys)


def test_3000_linked_clones_with_profiles_need_more_than_one_array_where_one_ratio_says_less() -> None:
    """By hand: 46 TiB less 15 % are 40,038 GiB; a clone writes 18 GiB, its profile 30 GiB, six images 150 GiB."""
    cells = own(BIG)
    keys = ("capacity_required_gib", "ratio_capacity", "arrays_required")
    one_for_all = {**CLONES, **{f"{component}_reduction_ratio": 6.0 for component in COMPONENTS}}
    # 3,000 x 48 / 6 + 150 / 6 = 24,025
    assert results(one_for_all, *keys, cells=cells)[:2] == pytest.approx([24025, 0.600], abs=0.0005)
    # 3,000 x (18 / 6 + 30 / 2) + 150 / 2 = 54,075: the likely values of each
    required, ratio, arrays = results(CLONES, *keys, cells=cells)
    assert (required, ratio) == pytest.approx((54075, 1.3506), abs=0.00005)
    assert arrays == 2
    # and the profiles alone are more than the array holds: 45,000 over 40,038
    assert 45000 / 40038.4 > 1


@pytest.mark.parametrize("component", COMPONENTS)
def test_each_component_has_its_own_reduction_that_moves_the_answer(component: str) -> None:
    design = {**CLONES, "ram_reservation_ratio": 0.0, "ram_gib": 4.0}
    key = f"{component}_reduction_ratio"
    stored = {"data": 3000 * 18, "image": 150, "user_data": 3000 * 30, "swap": 3000 * 4}
    low, high = (results({**design, key: ratio}, "capacity_required_gib", cells=own(BIG))[0] for ratio in (1.0, 4.0))
    assert low - high == pytest.approx(stored[component] * 0.75)


@pytest.mark.parametrize("component", COMPONENTS)
def test_more_reduction_never_needs_more_arrays(component: str) -> None:
    design: dict[str, Value] = {**CLONES, "ram_reservation_ratio": 0.5, "failover": "yes"}
    ratios = [1.0, 1.5, 2.0, 4.0, 8.0, 16.0, 64.0, 1000.0]
    sets = [{**design, f"{component}_reduction_ratio": ratio} for ratio in ratios]
    rows = answers(BUILT, own(BIG), sets, "ratio_capacity", "arrays_required")
    assert all(a >= b for a, b in itertools.pairwise(rows)), rows
    assert rows[0][0] > rows[-1][0]  # type: ignore[operator]


def test_the_array_s_own_figure_caps_what_the_method_promises() -> None:
    design = {**CLONES, "ram_reservation_ratio": 0.0}
    keys = ("data_reduction_ratio", "image_reduction_ratio", "user_data_reduction_ratio", "swap_reduction_ratio")
    assert results(design, *keys, cells=own(BIG)) == [6, 2, 2, 1]
    assert results(design, *keys, cells=own({**BIG, "reduction_ratio": 4.0})) == [4, 2, 2, 1]
    assert results(design, *keys, cells=own({**BIG, "reduction_ratio": 1.5})) == [1.5, 1.5, 1.5, 1]
    assert results(design, *keys, cells=own({**BIG, "reduction_ratio": 20.0})) == [6, 2, 2, 1]
    assert results(design, *keys, cells=own({**BIG, "inline_reduction": 0.0})) == [1, 1, 1, 1]
    # what is typed is taken as it is
    typed = {**design, "data_reduction_ratio": 5.0}
    assert results(typed, *keys, cells=own({**BIG, "reduction_ratio": 4.0}))[0] == 5


@pytest.mark.parametrize(
    ("figures", "typed", "raised"),
    [
        ({}, {}, 0),  # likely values
        ({}, {"data_reduction_ratio": 17.6}, 0),  # as high as a paper printed of clones
        ({}, {"data_reduction_ratio": 17.7}, 1),
        ({}, {"user_data_reduction_ratio": 2.6}, 1),
        ({"reduction_ratio": 4.0}, {"data_reduction_ratio": 4.0, "user_data_reduction_ratio": 4.0}, 0),
        ({"reduction_ratio": 4.0}, {"data_reduction_ratio": 4.1}, 1),
        ({"inline_reduction": 0.0}, {"data_reduction_ratio": 5.1}, 1),  # 5 where it shares blocks
        ({"inline_reduction": 0.0}, {"user_data_reduction_ratio": 1.1}, 1),
    ],
)
def test_a_reduction_above_what_is_sold_or_published_is_an_alert(
    figures: Mapping[str, Value], typed: Mapping[str, Value], raised: int
) -> None:
    """30:1 made one array of four, with "All checks passed"."""
    assert results({**CLONES, **typed}, "reduction_beyond", cells=own({**BIG, **figures})) == [raised]


def test_what_is_encrypted_above_the_array_is_stored_one_to_one() -> None:
    design = {**CLONES, "ram_reservation_ratio": 0.0, "ram_gib": 4.0, "swap_reduction_ratio": 2.0}
    keys = ("disk_reduction", "user_data_reduction", "image_reduction", "swap_reduction", "capacity_required_gib")
    expected = {  # disks 54,000, user data 90,000, images 150, swap 12,000 GiB before reduction
        "none": [6, 2, 2, 2, 9000 + 45000 + 75 + 6000],
        "desktop disks": [1, 2, 2, 2, 54000 + 45000 + 75 + 6000],
        "disks and user data": [1, 1, 2, 2, 54000 + 90000 + 75 + 6000],
        "everything": [1, 1, 1, 1, 54000 + 90000 + 150 + 12000],
    }
    for encryption, values in expected.items():
        figures = results({**design, "guest_encryption": encryption}, *keys, cells=own(BIG))
        assert figures == pytest.approx(values), encryption


def test_swap_files_exist_under_vsphere_alone_and_take_space_where_they_are_written() -> None:
    design = {**CLONES, "ram_reservation_ratio": 0.25, "ram_gib": 4.0}
    for hypervisor, stored in {"vSphere": 3.0, "AHV": 0.0, "XenServer": 0.0, "Hyper-V": 0.0}.items():
        assert results({**design, "hypervisor": hypervisor}, "swap_gib") == [stored]
    blank: dict[str, Value] = {**design, "swap_written_ratio": None}
    for array, stored in {"NetApp AFF8040": 0.0, "Dell EqualLogic PS6010XVS": 3.0, "NetApp FAS3270": 3.0}.items():
        assert results({**blank, "array": array}, "swap_gib") == [stored], array
    assert results({**design, "array": "NetApp AFF8040", "swap_written_ratio": 0.1}, "swap_gib") == pytest.approx([0.3])
    # without a class nobody can say that files stay thin
    assert results({**blank, "array": "My array 3"}, "swap_gib") == [3]


def test_raw_usable_and_effective_stand_in_rows_of_their_own() -> None:
    keys = ("raw_gib", "usable_gib", "effective_gib", "overall_reduction_ratio")
    cells = own({**BIG, "usable_gib": None, "raw_gb": 64000.0, "raid_efficiency_ratio": 0.75})
    raw, usable, effective, overall = results(CLONES, *keys, cells=cells)
    assert (raw, usable) == pytest.approx((59604.64, 44703.48), abs=0.005)  # 64,000 GB are 59,604.6 GiB
    assert overall == pytest.approx(144150 / 54075)  # 3,000 x 48 + 150 before, 54,075 after
    assert effective == pytest.approx(usable * overall)
    assert results(CLONES, *keys[:3], cells=own({**BIG, "usable_gib": None})) == [0, 0, 0]
    assert '"not published"' in line_format("effective_gib", "GiB")


@pytest.mark.parametrize("component", COMPONENTS)
def test_a_reduction_below_one_is_refused_at_its_cell(component: str) -> None:
    key = f"{component}_reduction_ratio"
    data: Data = BUILT.data
    assert (data.input(key).minimum, data.input(key).unit) == (1, "x:1")
    sheet, place = BUILT.layout.typed(key)
    (rule,) = [rule for rule in BUILT.workbook[sheet].data_validations.dataValidation if place in rule.sqref]
    assert rule.showErrorMessage
    assert float(rule.formula1) == 1
    assert "from 1 to" in rule.error
    # a figure that is pasted over the message counts as 1:1
    below = {**CLONES, key: 0.5, "ram_reservation_ratio": 0.0}
    at_one = {**below, key: 1.0}
    assert results(below, "capacity_required_gib") == results(at_one, "capacity_required_gib")


def test_capacity_in_total_and_per_desktop_agree_whatever_the_reductions() -> None:
    design: dict[str, Value] = {**CLONES, "ram_reservation_ratio": 0.0, "vm_headroom_ratio": 0.25}
    for number, encryption in enumerate(("none", "desktop disks", "disks and user data", "everything"), 1):
        ratios: dict[str, Value] = {f"{name}_reduction_ratio": 1.0 + number * n for n, name in enumerate(COMPONENTS)}
        total, each, images = results(
            {**design, **ratios, "guest_encryption": encryption},
            *("capacity_required_gib", "desktop_physical_gib", "images_physical_gib"),
        )
        assert total == pytest.approx(3000 * each + images)


@pytest.mark.parametrize(
    ("level", "typed", "kept"), [("RAID 10", 0.7, 0.5), ("RAID 10", 0.45, 0.45), ("RAID 6", 0.7, 0.7)]
)
def test_a_mirror_keeps_half_of_a_raw_capacity_at_most(level: str, typed: float, kept: float) -> None:
    """By hand: 100 TB are 93,132 GiB, of which the 0.7 that ships kept 65,193 under RAID 10 too: half are 46,566."""
    mine: dict[str, Value] = {"array": "My array 1"}
    card: dict[str, Value] = {"raw_gb": 100000.0, "raid_efficiency_ratio": typed, "drives": 48.0, "raid": level}
    cells = own({**BIG, "usable_gib": None, **card})
    assert results(mine, "usable_gib", cells=cells) == pytest.approx([100e12 / 2**30 * kept])
    printed = own({**BIG, **card, "raw_gb": None, "usable_gib": 40000.0})
    assert results(mine, "usable_gib", cells=printed) == pytest.approx([40000])


@pytest.mark.parametrize(("sold", "likely"), [(None, 4.0), (3.0, 3.0), (8.0, 4.0)])
def test_full_clones_that_are_patched_reduce_to_a_quarter_or_to_what_is_sold(sold: Value, likely: float) -> None:
    """Clones differ with every patch: 4:1, at most what the array is sold with; 8:1 bought half."""
    cells = own({**BIG, "reduction_ratio": sold, "inline_reduction": 1.0})
    clones: dict[str, Value] = {"array": "My array 1", "provisioning": "Full clone", "data_reduction_ratio": None}
    assert results(clones, "disk_reduction", cells=cells) == [likely]
