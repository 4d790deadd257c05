"""Profile containers: a load of their own, where they stand, what is missing of them, what an array for them costs."""

import itertools
from collections.abc import Mapping

import pytest

from addin.kernel import Cells, ExcelError, Scalar
from model.layout.grid import OWN_PROFILES
from model.sheets.proof import checks
from tests.support.answers import addresses, answers, changed, numbers
from tests.support.input_sets import OWN_FIGURES, Value, overrides, own_arrays
from tests.support.own_rows import own_cells
from tests.support.recomputed import Evaluator
from tests.support.shipped import errors_raised, reference, reference_cells

BUILT = reference()
CELLS = reference_cells()
USERS: dict[str, Value] = {
    "desktops": 3000.0,
    "login_window_min": 30.0,
    "container_gib": 30.0,
    "container_steady_iops": 10.0,
    "container_signin_iops": 50.0,
    "container_signout_iops": 50.0,
    "container_signin_s": 17.4,
    "container_read_ratio": 0.4,
}
HERE: dict[str, Value] = {**USERS, "container_place": "this array"}
AWAY: dict[str, Value] = {
    **USERS,
    "container_place": "another array",
    "container_array": "NetApp AFF8040",
    "array": "Kaminario K2 (one K-Block)",
}


def results(design: Mapping[str, Value], *keys: str, cells: Cells = CELLS) -> list[float]:
    return numbers(BUILT, cells, dict(design), *keys)


def texts(design: Mapping[str, Value], *keys: str, cells: Cells = CELLS) -> tuple[Scalar, ...]:
    (values,) = answers(BUILT, cells, [dict(design)], *keys)
    return values


# ---- the load ------------------------------------------------------------------------------------


def test_3000_users_who_sign_in_within_30_minutes_ask_for_31450_iops() -> None:
    """By hand: 3,000 x 10, and 3,000 / 1,800 s x 17.4 s = 29 users signing in at 50 IOPS: 1,450."""
    assert results(HERE, "container_login_iops") == pytest.approx([31450])
    keys = ("login_iops", "steady_iops", "logoff_iops")
    without, withal = results({**HERE, "container_place": "elsewhere"}, *keys), results(HERE, *keys)
    # 3,000 users sign out within 30 minutes as they signed in: 29 at a time
    assert [b - a for a, b in zip(without, withal, strict=True)] == pytest.approx([31450, 30000, 1450])
    # all at once, as if nobody ever finished signing in, would be 150,000
    assert results({**HERE, "login_window_min": 1.0, "container_signin_s": 60.0}, "container_login_iops") == [180000]


def test_a_busy_period_shorter_than_the_window_changes_nothing_of_the_load() -> None:
    for seconds in (60.0, 360.0, 1800.0):
        assert results({**HERE, "login_duration_s": seconds}, "container_login_iops") == pytest.approx([31450])


@pytest.mark.parametrize(
    ("share", "iops", "kib"),
    [
        (None, 20.124, 14.2),  # nothing chosen: availability off
        ("share, continuous availability off", 20.124, 14.2),
        ("share, continuous availability on", 11.074, 20.9),
        ("planning figure of 10", 10, 16),
    ],
)
def test_iops_at_work_and_block_size_are_a_pair_and_what_is_entered_wins(share: Value, iops: float, kib: float) -> None:
    keys = ("container_steady_iops", "container_block_kib", "container_steady_load")
    chosen: dict[str, Value] = {"desktops": 1000.0, "container_place": "this array"}
    if share is not None:
        chosen["container_share"] = share
    assert results(chosen, *keys) == pytest.approx([iops, kib, 1000 * iops], rel=1e-4)
    entered: dict[str, Value] = {**chosen, "container_steady_iops": 7.0, "container_block_kib": 32.0}
    assert results(entered, *keys) == [7, 32, 7000]


def test_no_more_sign_out_or_in_together_than_there_are_users() -> None:
    """By hand: in 0.1 minutes 1,000 users sign out at once, 50,000 IOPS; 17.4 seconds over 6 made 145,000 of them."""
    here: dict[str, Value] = {**HERE, "desktops": 1000.0, "logoff_window_min": 0.1}
    assert results(here, "container_signout_load") == [50000]
    (without,) = results({**here, "container_place": "elsewhere"}, "logoff_iops")
    assert results(here, "logoff_iops") == pytest.approx([without + 50000])
    # a sign-in longer than the window: all 1,000 at 50 IOPS, beside 10 at work
    slow: dict[str, Value] = {**here, "login_window_min": 1.0, "container_signin_s": 600.0}
    assert results(slow, "container_login_iops") == [60000]


def test_containers_touch_neither_boot_nor_patching_nor_provisioning() -> None:
    keys = [f"{phase}_{what}" for phase in ("boot", "patching", "provisioning") for what in ("iops", "asked_iops")]
    assert results(HERE, *keys) == results({**HERE, "container_place": "none"}, *keys)


def test_who_is_at_work_meanwhile_works_on_containers() -> None:
    shifts: dict[str, Value] = {"boot_active_ratio": 0.5, "logoff_active_ratio": 0.5, "patching_active_ratio": 0.5}
    keys = ("boot_iops", "patching_iops", "logoff_iops")
    without, withal = (results({**HERE, **shifts, "container_place": place}, *keys) for place in ("none", "this array"))
    assert [b - a for a, b in zip(without, withal, strict=True)] == pytest.approx([15000, 15000, 16450])


def test_the_read_share_of_the_array_is_that_of_desktops_and_containers() -> None:
    keys = ("steady_mix_read_ratio", "steady_array_read_ratio", "steady_iops")
    mixed, desktops, total = results(HERE, *keys)
    assert mixed == pytest.approx((desktops * (total - 30000) + 0.4 * 30000) / total)
    assert results({**HERE, "container_place": "elsewhere"}, *keys[:2])[0] == desktops


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["uniform", "normal"])
def test_the_timeline_draws_the_same_peak_with_containers(shape: str) -> None:
    design: dict[str, Value] = {**HERE, "arrival_shape": shape, "login_duration_s": 600.0}
    evaluator = Evaluator(CELLS, addresses(overrides(BUILT, [design])))
    (errors,) = (evaluator.value(errors_raised(BUILT)),)
    assert errors == 0


# ---- every input moves an answer ------------------------------------------------------------------

# input: the figure moved, in which design, from and to what
MOVES: dict[str, tuple[str, dict[str, Value], Value, Value]] = {
    "container_place": ("ratio_steady", HERE, "this array", "elsewhere"),
    "container_gib": ("ratio_capacity", HERE, 10.0, 30.0),
    "container_steady_iops": ("ratio_steady", HERE, 5.0, 10.0),
    "container_signin_iops": ("ratio_login", HERE, 50.0, 100.0),
    "container_signout_iops": ("ratio_logoff", HERE, 50.0, 100.0),
    "container_signin_s": ("ratio_login", HERE, 10.0, 60.0),
    "container_read_ratio": ("ratio_steady", HERE, 0.2, 0.6),
    "container_array": ("container_ratio", AWAY, "NetApp AFF8040", "Kaminario K2 (one K-Block)"),
    "container_array_price": ("cost_total", {**AWAY, "array_price": 1000.0}, 1000.0, 2000.0),
    "user_data_reduction_ratio": ("container_ratio_capacity", AWAY, 1.0, 2.0),
    "capacity_headroom_ratio": ("container_ratio_capacity", AWAY, 0.1, 0.2),
    "guest_encryption": ("container_ratio_capacity", AWAY, "none", "disks and user data"),
    "latency_limit_ms": ("container_ratio_latency", AWAY, 1.0, 5.0),
}


@pytest.mark.slow
@pytest.mark.parametrize("key", MOVES)
def test_every_input_of_containers_moves_an_answer(key: str) -> None:
    result, design, low, high = MOVES[key]
    first, second = (results({**design, key: value}, result) for value in (low, high))
    assert first != second, (result, first)


@pytest.mark.slow
@pytest.mark.parametrize("place", ["this array", "another array"])
@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("container_gib", [0, 1, 5, 30, 100, 10000]),
        ("container_steady_iops", [0, 1, 10, 20, 100]),
        ("container_signin_iops", [0, 10, 50, 1000]),
        ("container_signin_s", [0, 5, 17.4, 60, 3600]),
        ("user_data_reduction_ratio", [10, 4, 2, 1.5, 1]),
        ("desktops", [1, 100, 3000, 20000]),
    ],
)
def test_more_of_containers_never_needs_fewer_arrays(key: str, values: list[float], place: str) -> None:
    sets = [{**AWAY, "array": "NetApp AFF8040", "container_place": place, key: float(value)} for value in values]
    rows = answers(BUILT, CELLS, sets, "ratio_largest", "container_ratio")
    assert all(a <= b for fewer, more in itertools.pairwise(rows) for a, b in zip(fewer, more, strict=True)), rows  # type: ignore[operator]


# ---- an array of their own ------------------------------------------------------------------------


def test_containers_on_another_array_leave_the_desktops_array_alone() -> None:
    keys = ("capacity_required_gib", "login_iops", "steady_iops", "logoff_iops", "ratio_largest", "arrays_required")
    assert results(AWAY, *keys) == results({**AWAY, "container_place": "elsewhere"}, *keys)
    assert results({**AWAY, "container_place": "elsewhere"}, "container_arrays", "container_asked_iops") == [0, 0]


def test_containers_on_another_array_have_their_own_ratios_and_arrays() -> None:
    """By hand on the AFF8040: 2 x 60,960 x 0.95 over 0.4 + 0.6 x 2.708, and 12,517 GiB less 15 % at 2:1."""
    keys = ("container_asked_iops", "container_supply_iops", "container_ratio_iops")
    asked, supply, ratio = results(AWAY, *keys)
    assert asked == pytest.approx(31450)
    assert supply == pytest.approx(115824 / 2.0248, rel=2e-3)
    assert ratio == pytest.approx(0.550, abs=0.0015)
    counts = ("container_required_gib", "container_ratio_capacity", "container_ratio", "container_arrays")
    assert results(AWAY, *counts) == pytest.approx([45000, 4.2296, 4.2296, 5], abs=0.00005)
    (status,) = texts({**AWAY, "container_gib": 1.0}, "status")
    assert "and 1 for containers" in str(status)


def test_the_containers_array_reduces_as_that_array_does() -> None:
    figures = {**OWN_FIGURES[1], "reduction_ratio": 1.5}
    cells = changed(CELLS, own_arrays(BUILT, [figures, OWN_FIGURES[0]]))
    for array, ratio in {"NetApp AFF8040": 2.0, "My array 1": 1.5, "My array 2": 1.0}.items():
        assert results({**AWAY, "container_array": array}, "container_reduction", cells=cells) == [ratio], array
        typed = {**AWAY, "container_array": array, "user_data_reduction_ratio": 1.8}
        assert results(typed, "container_reduction", cells=cells) == [1.8]
        encrypted = {**typed, "guest_encryption": "everything"}
        assert results(encrypted, "container_reduction", cells=cells) == [1]


def test_drives_serve_containers_as_they_serve_desktops() -> None:
    """EQL PS6510E: 46 drives of 75 IOPS, RAID 50 penalty 4 with half of the writes merged: 3,450 / (0.4 + 0.6 x 2)."""
    design = {**AWAY, "container_array": "Dell EqualLogic PS6510E"}
    assert results(design, "container_supply_iops") == pytest.approx([46 * 75 / 1.6])
    (status, unchecked) = texts(design, "status", "constraints_unchecked")
    assert str(status).startswith("at least")
    assert "container array latency" in str(unchecked)


def test_without_a_price_for_the_containers_array_no_cost_is_shown() -> None:
    priced: dict[str, Value] = {**AWAY, "container_gib": 1.0, "array_price": 1000.0, "support_ratio": 0.1, "years": 3.0}
    keys = ("cost_total", "container_cost", "cost_per_desktop")
    bare: dict[str, Value] = {**priced, "container_array": "Kaminario K2 (one K-Block)"}
    assert texts(bare, *keys) == ("enter a quote",) * 3
    desktops, arrays = results({**bare, "container_place": "elsewhere"}, "cost_total", "arrays_used")
    assert desktops == pytest.approx(arrays * 1300)
    total, containers, each, count = results(
        {**bare, "container_array_price": 2000.0},
        "cost_total",
        "container_cost",
        "cost_per_desktop",
        "container_arrays",
    )
    assert containers == pytest.approx(count * 2600)
    assert total == pytest.approx(desktops + containers)
    assert each == pytest.approx(total / 3000)
    assert texts({**bare, "array_price": None, "container_array_price": 2000.0}, "cost_total") == ("enter a quote",)


# ---- what is missing, what is counted twice ---------------------------------------------------------

NAMES = {
    "container_gib": "GiB",
    "container_read_ratio": "read share",
    "container_signin_iops": "sign-in IOPS",
    "container_signin_s": "seconds",
    "container_signout_iops": "sign-out IOPS",
}


def blank(key: str) -> Cells:
    """Return the cells with the shipped default of an input deleted."""
    return changed(CELLS, {BUILT.layout.typed(key): None})


@pytest.mark.slow
@pytest.mark.parametrize("key", NAMES)
@pytest.mark.parametrize("place", ["this array", "another array"])
def test_a_missing_figure_is_named_and_the_answer_says_at_least(place: str, key: str) -> None:
    design: dict[str, Value] = {**USERS, "container_place": place, key: None}
    status, unchecked, count = texts(design, "status", "constraints_unchecked", "unchecked_count", cells=blank(key))
    assert str(status).startswith("at least")
    assert f"container {NAMES[key]}" in str(unchecked)
    assert count == 1
    # it can only add: what is known of the rest is counted
    keys = ("ratio_largest", "container_ratio")
    least, full = results(design, *keys, cells=blank(key)), results({**design, key: USERS[key]}, *keys)
    assert all(a <= b for a, b in zip(least, full, strict=True))
    for quiet in ("none", "elsewhere"):
        assert texts({**design, "container_place": quiet}, "unchecked_count", cells=blank(key)) == (0,)


def test_the_size_of_a_container_ships_blank_and_nobody_counts_it_as_nothing() -> None:
    assert BUILT.data.input("container_gib").value.value is None
    (unchecked,) = texts({"container_place": "this array"}, "constraints_unchecked")
    assert "container GiB" in str(unchecked)
    assert texts({"container_place": "none"}, "constraints_unchecked") == ("none",)


def own_profile(inside: Value) -> Cells:
    """Return the cells with an own profile that says whether users' profiles are inside its figures."""
    return changed(CELLS, own_cells(BUILT, {OWN_PROFILES[0]: {"steady_iops": 10.0, "local_profile": inside}}))


def test_containers_beside_a_profile_measured_with_local_profiles_raise_an_alert() -> None:
    for inside, place, flag in (
        ("yes", "this array", 1),
        ("yes", "another array", 1),
        ("yes", "elsewhere", 0),
        ("yes", "none", 0),
        ("no", "this array", 0),
        ("no", "elsewhere", 0),
        ("no", "none", 1),  # measured without profiles, and containers nowhere: no one counts their I/O
        (None, "this array", 0),
        (None, "none", 0),
    ):
        design: dict[str, Value] = {**USERS, "profile": OWN_PROFILES[0], "container_place": place}
        assert results(design, "profile_counted_twice", cells=own_profile(inside)) == [flag], (inside, place)
    # the catalogue's own: a share that holds nothing but profiles and files
    share: dict[str, Value] = {**HERE, "profile": "User data share (EQL 2012)"}
    assert results(share, "profile_counted_twice") == [1]
    labels = [cell.value for cell in BUILT.workbook[checks.NAME]["B"]]
    assert "Profile I/O is counted once" in labels


def test_an_array_for_containers_that_no_catalogue_holds_is_refused_and_never_a_number() -> None:
    sheet, place = BUILT.layout.typed("container_array")
    (rule,) = [rule for rule in BUILT.workbook[sheet].data_validations.dataValidation if place in rule.sqref]
    assert (rule.type, rule.formula1, rule.showErrorMessage) == ("list", "Tbl_Arrays", True)
    design: dict[str, Value] = {**AWAY, "container_array": "No such array"}
    values = texts(design, "container_ratio", "container_arrays", "status", "cost_total")
    assert all(isinstance(value, ExcelError) for value in values), values


@pytest.mark.parametrize("phase", ["login", "steady", "logoff"])
def test_containers_on_this_array_move_their_own_blocks(phase: str) -> None:
    """Their I/O counted with the block size of the desktops: 256 KiB typed for it moved no throughput."""
    keys = (f"{phase}_iops", f"throughput_{phase}")
    away = {**HERE, "container_place": "elsewhere"}
    (_, bare), (whole, small), (_, large) = (
        results({**design, "container_block_kib": kib}, *keys)
        for design, kib in ((away, 16.0), (HERE, 16.0), (HERE, 256.0))
    )
    (part,) = results(HERE, f"container_{phase}_part")
    assert 0 < part < whole
    assert small - bare == pytest.approx(part * 16 * 1024 / 1e6)
    assert large - bare == pytest.approx(part * 256 * 1024 / 1e6)


def test_larger_blocks_of_containers_need_more_arrays() -> None:
    design = {**HERE, "container_steady_iops": 40.0}
    few, many = (results({**design, "container_block_kib": kib}, "arrays_required")[0] for kib in (16.0, 512.0))
    assert few < many
