"""Cards: an array from its data sheet, worked out by hand; what is missing or wrong is said in words, never sized."""

from collections.abc import Mapping

import pytest
from openpyxl.utils import get_column_letter

from addin.kernel import Address, Cells, Scalar
from model.sheets.catalogue import my_arrays
from model.workbook import Built
from tests.support.answers import changed
from tests.support.input_sets import Value, overrides, own_arrays
from tests.support.recomputed import Evaluator
from tests.support.shipped import errors_raised

CARD: dict[str, Value] = {  # 200,000 IOPS at 70/30 within 1 ms, 40 TB usable, two controllers, 150,000 USD
    "capacity_tb": 40.0,
    "capacity_kind": "usable",
    "iops": 200000.0,
    "read_ratio": 0.7,
    "latency_ms": 1.0,
    "controllers_active": 2.0,
    "price": 150000.0,
}
LOAD: dict[str, Value] = {  # 1,000 desktops at 400 IOPS with the data sheet's mix in login and steady work, no storm
    "array": "My array 1",
    "array_price": None,  # the card's counts
    "desktops": 1000.0,
    **dict.fromkeys(("login_iops_per_desktop", "steady_iops_per_desktop"), 400.0),
    **dict.fromkeys(("login_read_ratio", "steady_read_ratio"), 0.7),
    **dict.fromkeys([f"{phase}_iops_per_desktop" for phase in ("boot", "patching", "provisioning", "logoff")], 0.0),
}
Design = Mapping[str, Value]
GIB_PER_TB = 1e12 / 2**30


def computed(
    built: Built, cells: Cells, card: Design, design: Design | None = None
) -> tuple[Evaluator, dict[str, Scalar]]:
    """Return the workbook with a card and a design typed in, and the derived cells of the card."""
    typed = {**own_arrays(built, [card]), **overrides(built, [{**LOAD, **(design or {})}])}
    evaluator = Evaluator(cells.with_values({Address.from_a1(f"'{s}'!{c}"): v for (s, c), v in typed.items()}))
    letter = get_column_letter(my_arrays.typed_column(0) + 1)
    at = {k: f"'{my_arrays.NAME}'!{letter}{row}" for k, row in my_arrays.rows().items() if k != "name"}
    return evaluator, {key: evaluator.value(Address.from_a1(cell)) for key, cell in at.items()}


def results(built: Built, cells: Cells, card: Design, design: Design, *keys: str) -> tuple[Scalar, ...]:
    """Return results of the base design on "My array 1"."""
    evaluator, _ = computed(built, cells, card, design)
    return tuple(evaluator.value(Address.from_a1("!".join(built.layout.cell(key)))) for key in keys)


# ---- capacity -------------------------------------------------------------------------------------

CAPACITIES = [  # typed, GiB usable
    ({"capacity_tb": 40.0, "capacity_kind": "usable"}, 40 * GIB_PER_TB),
    ({"capacity_tib": 40.0, "capacity_kind": "usable"}, 40 * 1024),
    ({"capacity_gb": 40000.0, "capacity_kind": "usable"}, 40 * GIB_PER_TB),
    ({"capacity_tb": 40.0, "capacity_kind": "raw"}, 28 * GIB_PER_TB),  # 0.7 of it, assumed
    ({"capacity_tb": 40.0, "capacity_kind": "raw", "raid_efficiency_ratio": 0.8}, 32 * GIB_PER_TB),
    ({"capacity_tb": 40.0, "capacity_kind": "effective", "reduction_ratio": 4.0}, 10 * GIB_PER_TB),
    ({"capacity_tb": 40.0, "capacity_kind": "usable", "reduction_ratio": 4.0}, 40 * GIB_PER_TB),
]
EMPTY = dict.fromkeys(("capacity_tb", "capacity_kind"))


@pytest.mark.parametrize(("typed", "gib"), CAPACITIES)
def test_usable_capacity_follows_from_what_the_data_sheet_prints(
    built: Built, cells: Cells, typed: dict[str, Value], gib: float
) -> None:
    card = {**CARD, **EMPTY, **typed}
    assert computed(built, cells, card)[1]["usable_gib"] == pytest.approx(gib)
    assert results(built, cells, card, {}, "usable_gib") == pytest.approx((gib,))


def test_an_effective_capacity_counts_its_reduction_once(built: Built, cells: Cells) -> None:
    """40 TB effective at 4:1 are 10 TB usable; ten of them behind 4:1 hold what 40 TB usable hold without reduction."""
    keys = ("usable_gib", "array_reduction", "array_inline")
    effective = results(built, cells, {**CARD, "capacity_kind": "effective", "reduction_ratio": 4.0}, {}, *keys)
    usable = results(built, cells, {**CARD, "capacity_tb": 10.0, "reduction_ratio": 4.0}, {}, *keys)
    assert effective == pytest.approx(usable)
    assert effective[1:] == (4, 1)


# ---- the point ------------------------------------------------------------------------------------

POINTS = [  # further lines of the card; busy, write weight used, IOPS planned at 70/30 and for pure reads
    # W = 200,000 x (0.7 + 0.3 x 2.7) = 302,000 reads; 70 % of it planned
    ({}, 1, 2.7, 140000, 211400),
    # a lowest latency tells how busy the array is there, 0.8 or 0.5: 70 % of the IOPS printed all the same
    ({"base_latency_ms": 0.2}, 0.8, 2.7, 140000, 211400),
    ({"base_latency_ms": 0.5}, 0.5, 2.7, 140000, 211400),
    # 300,000 all-read beside it: w = (300,000 - 140,000) / (60,000 - 0) = 8/3, W = 300,000
    ({"second_iops": 300000.0, "second_read_ratio": 1.0}, 1, 8 / 3, 140000, 210000),
    ({"write_weight": 2.0}, 1, 2, 140000, 182000),  # W = 200,000 x 1.3
    # the typed one counts, whatever two points tell
    ({"write_weight": 2.0, "second_iops": 300000.0, "second_read_ratio": 1.0}, 1, 2, 140000, 182000),
    # two points of one read share tell nothing: the assumed 2.7 counts
    ({"second_iops": 250000.0, "second_read_ratio": 0.7}, 1, 2.7, 140000, 211400),
    # 900,000 all-read would be w = (900,000 - 140,000) / 60,000 = 12.7: outside 1 to 10
    ({"second_iops": 900000.0, "second_read_ratio": 1.0}, 1, 2.7, 140000, 211400),
    # at a lower latency the second point still shows no more than the 300,000 printed
    (
        {"base_latency_ms": 0.2, "second_iops": 300000.0, "second_read_ratio": 1.0, "second_latency_ms": 0.4},
        0.8,
        8 / 3,
        140000,
        210000,
    ),
    # at a higher one, 0.9 busy, it would do 300,000 x 0.8 / 0.9 at the first's: w = (266,667 - 140,000) / 60,000 = 19/9
    (
        {"base_latency_ms": 0.2, "second_iops": 300000.0, "second_read_ratio": 1.0, "second_latency_ms": 2.0},
        0.8,
        19 / 9,
        140000,
        560000 / 3,
    ),
]


@pytest.mark.parametrize(("typed", "busy", "weight", "mixed", "reads"), POINTS)
def test_supply_by_hand(
    built: Built, cells: Cells, typed: dict[str, Value], busy: float, weight: float, mixed: float, reads: float
) -> None:
    design: dict[str, Value] = {"steady_read_ratio": 1.0}
    card = {**CARD, **typed}
    assert computed(built, cells, card)[1]["latency_ms"] == pytest.approx(busy)
    keys = ("flash_write_weight", "supply_login", "supply_steady")
    assert results(built, cells, card, design, *keys) == pytest.approx((weight, mixed, reads))


def test_two_points_outside_the_range_are_unused_and_the_card_says_why(built: Built, cells: Cells) -> None:
    far = {**CARD, "second_iops": 900000.0, "second_read_ratio": 1.0}
    assert computed(built, cells, far)[1]["points_state"] == "unused: outside 1 to 10"
    near = {**CARD, "second_iops": 300000.0, "second_read_ratio": 1.0}
    _, card = computed(built, cells, near)
    assert card["points_state"] == "used"
    assert card["points_write_weight"] == pytest.approx(2.67, abs=0.005)


def test_the_order_of_two_points_does_not_matter(built: Built, cells: Cells) -> None:
    near = {**CARD, "second_iops": 300000.0, "second_read_ratio": 1.0}
    turned = {**CARD, "iops": 300000.0, "read_ratio": 1.0, "second_iops": 200000.0, "second_read_ratio": 0.7}
    keys = ("flash_write_weight", "supply_login", "arrays_required")
    assert results(built, cells, near, {}, *keys) == pytest.approx(results(built, cells, turned, {}, *keys))


SAME: list[dict[str, Value]] = [  # what else a data sheet may print of this array: none of it changes the count
    {},
    {"failover_kind": "controller"},
    {"array_class": "flash"},
    {"controllers_standby": 0.0},
    {"block_kib": 8.0},
    {"throughput_mb_s": 8000.0},
    {"reduction_ratio": 4.0, "inline_reduction": 1.0},
    {"capacity_tb": None, "capacity_tib": 36.38},
    {"capacity_tb": 160.0, "capacity_kind": "effective", "reduction_ratio": 4.0},
    {"second_iops": 300000.0, "second_read_ratio": 1.0, "second_latency_ms": 1.0},
    {"write_weight": 2.7},
    # below the cards, where the card's IOPS replace them
    {"rating_login_iops": 200000.0, "rating_steady_iops": 200000.0},
    {"read_equivalent_iops": 200000.0},
    {"read_equivalent_iops": 302000.0, "write_weight": 2.7},
    {"drives": 24.0, "drive_iops": 20000.0, "raid": "RAID-DP"},
]


@pytest.mark.slow
@pytest.mark.parametrize("more", SAME)
def test_a_data_sheet_gives_one_possible_answer(built: Built, cells: Cells, more: dict[str, Value]) -> None:
    """400,000 IOPS at 70/30 over the 140,000 planned of one array: 2.857, so three arrays."""
    found = results(built, cells, {**CARD, **more}, {}, "ratio_steady", "arrays_required", "cost_total")
    assert found == pytest.approx((400 / 140, 3, 450000))


def test_after_a_failure_the_reserve_of_a_card_is_spent(built: Built, cells: Cells) -> None:
    """One of two controllers: 0.95 x 302,000 / 2 reads an array, 95,000 IOPS: 400,000 need 4.21 arrays, not 5.71."""
    keys = ("arrays_normal", "ratio_after_failure", "arrays_after_failure", "arrays_required")
    found = results(built, cells, CARD, {"failover": "yes"}, *keys)
    assert found == pytest.approx((3, 400 / 95, 5, 5))


def test_after_a_failure_supply_stays_within_what_is_printed(built: Built, cells: Cells) -> None:
    """A lowest latency changes neither: 70 % of 200,000 IOPS, then 95 % of half of them, as without it."""
    found = results(built, cells, {**CARD, "base_latency_ms": 0.5}, {}, "ratio_steady", "ratio_after_failure")
    assert found == pytest.approx((400 / 140, 400 / 95))


def test_with_the_lowest_latency_the_curve_goes_through_the_point(built: Built, cells: Cells) -> None:
    """One array at its point: 200,000 IOPS at 70/30 are answered in the 1 ms printed."""
    design: dict[str, Value] = {
        "arrays_installed": 1.0,
        "login_iops_per_desktop": 200.0,
        "steady_iops_per_desktop": 200.0,
    }
    for lowest in (0.2, 0.5, 0.9):
        found = results(built, cells, {**CARD, "base_latency_ms": lowest}, design, "steady_latency_ms")
        assert found == pytest.approx((1.0,))


def test_one_point_leaves_latency_unchecked(built: Built, cells: Cells) -> None:
    _, card = computed(built, cells, CARD)
    assert card["base_latency_ms"] == "not checked: one point"
    status, unchecked = results(built, cells, CARD, {}, "status", "constraints_unchecked")
    assert str(status).startswith("at least 3 arrays")
    assert "latency" in str(unchecked)


def test_own_latency_points_give_a_card_its_curve(built: Built, cells: Cells) -> None:
    """Measured: 100,000 IOPS at 70/30, half of the card's, in 0.6 ms: S = 0.6 x (1 - 0.5) = 0.3."""
    measured = {**CARD, "point_1_iops": 100000.0, "point_1_read_ratio": 0.7, "point_1_ms": 0.6}
    assert results(built, cells, measured, {}, "base_latency_ms") == pytest.approx((0.3,))


# ---- what is missing or wrong ---------------------------------------------------------------------

FAULTS = [  # typed over the card, the derived cell that says so, its words
    ({"read_ratio": None}, "read_ratio", "enter the read share"),
    ({"read_ratio": 70.0}, "read_ratio", "0 to 1: 0.7 = 70 %"),
    ({"read_ratio": "70/30"}, "read_ratio", "enter the read share"),
    ({"iops": None}, "iops", "enter the IOPS"),
    ({"latency_ms": None}, "latency_ms", "enter it"),
    ({"capacity_kind": None}, "capacity_kind", "which capacity?"),
    ({"capacity_kind": "net"}, "capacity_kind", "which capacity?"),
    ({"capacity_tib": 36.0}, "capacity_kind", "TB, TiB or GB?"),
    ({"capacity_tb": None}, "capacity_kind", "TB, TiB or GB?"),
    ({"capacity_kind": "effective"}, "reduction_ratio", "effective needs it"),
    ({"reduction_ratio": 0.5}, "reduction_ratio", "below 1"),
    ({"capacity_kind": "effective", "reduction_ratio": 0.5}, "reduction_ratio", "below 1"),
    ({"write_weight": 0.5}, "write_weight", "outside 1 to 10"),
    ({"write_weight": 12.0}, "write_weight", "outside 1 to 10"),
    ({"base_latency_ms": 1.0}, "latency_ms", "too low"),
    ({"base_latency_ms": 2.0}, "latency_ms", "too low"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("typed", "key", "words"), FAULTS)
def test_a_fault_is_said_at_the_cell_and_never_sized(
    built: Built, cells: Cells, typed: dict[str, Value], key: str, words: str
) -> None:
    card = {**CARD, **typed}
    _, derived = computed(built, cells, card)
    assert derived[key] == words
    assert derived["card_fault"] == 1
    keys = ("status", "array_faulty", "array_incomplete")
    assert results(built, cells, card, {}, *keys) == ("no answer: correct the card of this array on My arrays", 1, 1)


def test_a_missing_price_is_a_quote_to_enter_and_no_fault(built: Built, cells: Cells) -> None:
    _, derived = computed(built, cells, {**CARD, "price": None})
    assert (derived["price"], derived["card_fault"]) == ("enter a quote", 0)
    assert derived["cells_filled"] == "6 of seven"
    found = results(built, cells, {**CARD, "price": None}, {}, "arrays_required", "cost_total")
    assert found == (3, "enter a quote")


def test_missing_controllers_leave_the_failure_unchecked(built: Built, cells: Cells) -> None:
    card = {**CARD, "controllers_active": None}
    assert computed(built, cells, card)[1]["controllers_active"] == "failover not checked"
    ratio, unchecked = results(built, cells, card, {"failover": "yes"}, "ratio_failover", "constraints_unchecked")
    assert ratio == -1
    assert "failover" in str(unchecked)


def test_seven_cells_are_a_complete_card(built: Built, cells: Cells) -> None:
    _, derived = computed(built, cells, CARD)
    assert len(CARD) == 7
    assert derived["cells_filled"] == "7 of seven"
    assert (derived["card_fault"], derived["card_started"]) == (0, 1)
    assert results(built, cells, CARD, {}, "array_faulty", "array_incomplete") == (0, 0)


def test_a_blank_card_is_no_fault_and_no_candidate(built: Built, cells: Cells) -> None:
    _, derived = computed(built, cells, {})
    assert (derived["card_fault"], derived["card_started"]) == (0, 0)
    assert results(built, cells, {}, {}, "array_faulty", "array_incomplete") == (0, 1)


@pytest.mark.slow
def test_a_design_on_a_blank_card_has_no_answer_but_what_to_do(built: Built, cells: Cells) -> None:
    """One array, 16 minutes to boot and a cost stood there, for an array of which nothing is known."""
    design: dict[tuple[str, str], Value] = {built.layout.typed("array"): "My array 1"}
    evaluator = Evaluator(changed(cells, design))
    said = "Fill the card of this array on My arrays, or choose another array"
    (status,) = results(built, cells, {}, {}, "status")
    assert status == "no answer: fill the card of this array on My arrays"
    assert evaluator.value(Address("Answer", 2, 1)) == f"1 error: {said}"
    shown = [evaluator.value(Address("Answer", row, column)) for row in range(5, 14) for column in (7, 8)]
    assert {value for value in shown if value is not None} == {"-"}


def test_two_arrays_of_one_name_are_told(built: Built, cells: Cells) -> None:
    typed = {"name": "NetApp AFF8040", **CARD}
    name = f"'{my_arrays.NAME}'!D4"
    evaluator, _ = computed(built, cells, CARD)
    twice = Evaluator(cells.with_values({Address.from_a1(name): typed["name"]}))
    assert evaluator.value(Address.from_a1(f"'{my_arrays.NAME}'!E5")) == ""
    assert twice.value(Address.from_a1(f"'{my_arrays.NAME}'!E5")) == "this name is used twice"


# ---- what a data sheet leaves open ------------------------------------------------------------------


def test_a_mix_far_from_the_demand_shows_the_arrays_at_both_ends(built: Built, cells: Cells) -> None:
    """400,000 writes: 2.86 at w = 1 (140,000), 5.11 at 2.7 (1.08 M / 211,400), 6.02 at 4 (1.6 M / 266,000)."""
    design: dict[str, Value] = {"steady_read_ratio": 0.0, "login_read_ratio": 0.0}
    keys = ("card_read_gap", "card_mix_far", "card_arrays_cheap", "arrays_required", "card_arrays_dear")
    assert results(built, cells, CARD, design, *keys) == pytest.approx((0.7, 1, 3, 6, 7))
    near: dict[str, Value] = {"steady_read_ratio": 0.5, "login_read_ratio": 0.5}
    assert results(built, cells, CARD, near, *keys[:2]) == pytest.approx((0.2, 0))


@pytest.mark.slow
@pytest.mark.parametrize("read", [0.0, 0.3, 0.7, 1.0])
@pytest.mark.parametrize("more", [{}, {"base_latency_ms": 0.4}])
def test_the_arrays_at_both_ends_are_those_of_that_write_weight(
    built: Built, cells: Cells, read: float, more: dict[str, Value]
) -> None:
    design: dict[str, Value] = {"steady_read_ratio": read, "login_read_ratio": read, "boot_iops_per_desktop": None}
    card = {**CARD, **more}
    ends = results(built, cells, card, design, "card_arrays_cheap", "card_arrays_dear")
    for weight, arrays in zip((1.0, 4.0), ends, strict=True):
        assert results(built, cells, card, {**design, "write_weight": weight}, "arrays_normal") == (arrays,)


def test_the_assumed_write_weight_moves_a_card_and_no_other_array(built: Built, cells: Cells) -> None:
    """Pure reads on a 70/30 data sheet: the dearer a write, the more reads its 200,000 IOPS stand for."""
    design: dict[str, Value] = {"steady_read_ratio": 1.0, "login_read_ratio": 1.0}
    ratios = [
        results(built, cells, CARD, {**design, "write_weight": weight}, "ratio_steady")[0] for weight in (1.0, 2.7, 4.0)
    ]
    assert ratios == pytest.approx([400 / 140, 400 / 211.4, 400 / 266])
    for other in ({"array": "NetApp AFF8040"}, {"array": "Kaminario K2 (one K-Block)"}):
        low, high = (
            results(built, cells, CARD, {**other, "write_weight": w}, "ratio_steady", "status") for w in (1.0, 4.0)
        )
        assert low == high


def test_larger_blocks_than_printed_are_told(built: Built, cells: Cells) -> None:
    for printed, demand, flag in ((8.0, 16.0, 1), (16.0, 16.0, 0), (32.0, 16.0, 0), (None, 16.0, 0)):
        design: dict[str, Value] = {"steady_block_kib": demand, "login_block_kib": demand}
        card = {**CARD, "block_kib": printed}
        found = results(built, cells, card, design, "card_blocks_larger", "arrays_required")
        assert found == (flag, 3)  # smaller blocks get no credit


def test_iops_and_throughput_that_may_add_are_told(built: Built, cells: Cells) -> None:
    """3 arrays: IOPS 2.857 / 3; 400,000 x 16 KiB = 6,553.6 MB/s, over 3 x 2,500 are 0.87, over 3 x 8,000 0.27."""
    design: dict[str, Value] = {"steady_block_kib": 16.0, "login_block_kib": 16.0}
    for rating, flag in ((2500.0, 1), (8000.0, 0), (None, 0)):
        card = {**CARD, "throughput_mb_s": rating}
        assert results(built, cells, card, design, "card_may_add", "arrays_required") == (flag, 3)


# ---- monotone ---------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("iops", [1000.0, 50000.0, 200000.0, 1000000.0]),
        ("capacity_tb", [0.1, 1.0, 10.0, 100.0]),
        ("throughput_mb_s", [100.0, 1000.0, 10000.0]),
        ("controllers_active", [2.0, 3.0, 4.0, 8.0]),
        ("reduction_ratio", [1.0, 2.0, 4.0, 8.0]),
        ("latency_ms", [0.21, 0.5, 1.0, 2.0]),
    ],
)
def test_a_better_data_sheet_never_needs_more_arrays(built: Built, cells: Cells, key: str, values: list[float]) -> None:
    """A later latency at the same IOPS is the worse data sheet: the list runs backwards there."""
    card = {**CARD, "base_latency_ms": 0.2}
    design: dict[str, Value] = {"failover": "yes", "boot_iops_per_desktop": None, "disk_gib": 40.0}
    ratios = [results(built, cells, {**card, key: value}, design, "ratio_largest")[0] for value in values]
    if key == "latency_ms":
        ratios = ratios[::-1]
    assert all(isinstance(ratio, float) for ratio in ratios)
    assert ratios == sorted(ratios, reverse=True)  # type: ignore[type-var]


def test_names_of_cells_on_sheets_of_more_than_one_word_are_quoted(built: Built) -> None:
    for name, defined in built.workbook.defined_names.items():
        sheet, _, _ = str(defined.attr_text).rpartition("!")
        assert sheet.isalnum() != sheet.startswith("'"), name  # a space or a hyphen


@pytest.mark.slow
def test_a_faulty_card_that_is_chosen_raises_an_error_and_one_that_is_not_an_alert(built: Built, cells: Cells) -> None:
    master = errors_raised(built)
    faulty = {**CARD, "read_ratio": None}
    chosen, _ = computed(built, cells, faulty)
    assert chosen.value(master) == 1
    beside, _ = computed(built, cells, faulty, {"array": "NetApp AFF8040"})
    assert beside.value(master) == 0
    alerts = master._replace(row=master.row + 1)
    clean, _ = computed(built, cells, CARD, {"array": "NetApp AFF8040"})
    assert (beside.value(alerts), clean.value(alerts)) == (clean.value(alerts) + 1, clean.value(alerts))  # type: ignore[operator]
