"""Which assumed figure decides: each end of each range, named where it changes the arrays, as sizing with it tells."""

from collections.abc import Mapping

import pytest

from addin.kernel import Address, Scalar
from tests.support.answers import changed
from tests.support.input_sets import Value, overrides, own_arrays
from tests.support.recomputed import Evaluator
from tests.support.shipped import built, built_cells

BUILT = built()
CELLS = built_cells()
CARD: dict[str, Value] = {  # 46 TB usable at 4:1, 250,000 IOPS at 70 % read in 0.5 ms, two controllers
    "capacity_tb": 46.0,
    "capacity_kind": "usable",
    "iops": 250000.0,
    "read_ratio": 0.7,
    "latency_ms": 0.5,
    "controllers_active": 2.0,
    "reduction_ratio": 4.0,
}
USERS: dict[str, Value] = {  # 12 IOPS at work and 30 while logging in, containers of 30 GiB on the same array
    "array": "My array 1",
    "desktops": 2500.0,
    "steady_iops_per_desktop": 12.0,
    "login_iops_per_desktop": 30.0,
    "steady_read_ratio": 0.4,
    "login_read_ratio": 0.4,
    "container_place": "this array",
    "container_gib": 30.0,
}
ENDS: dict[str, dict[str, Value]] = {  # the row that counts, and the same typed by hand
    "user_data_low_count": {"user_data_reduction_ratio": 1.0},
    "user_data_high_count": {"user_data_reduction_ratio": 2.5},
    "write_low_count": {"write_weight": 1.0},
    "write_high_count": {"write_weight": 4.0},
    "cap_low_count": {"card_cap_ratio": 0.6},
    "cap_high_count": {"card_cap_ratio": 0.8},
    "cache_low_count": {"write_cache_gib": 2.0},
    "cache_high_count": {"write_cache_gib": 60.0},
}
LOGOFFS: dict[str, Value] = {
    "container_place": "none",
    "recreate_at_logoff": "no",
}  # nothing else moves with its window


def results(design: Mapping[str, Value], *keys: str, card: Mapping[str, Value] = CARD) -> tuple[Scalar, ...]:
    cells = changed(CELLS, {**own_arrays(BUILT, [card]), **overrides(BUILT, [dict(design)])})
    evaluator = Evaluator(cells)
    return tuple(evaluator.value(Address.from_a1("!".join(BUILT.layout.cell(key)))) for key in keys)


def test_the_assumed_reduction_of_containers_decides_and_is_named() -> None:
    """2 arrays and "CLOSE CALL no" were shown, where the assumed 2:1 alone decides between 1, 2 and 3."""
    count, close, call, matters = results(USERS, "arrays_required", "close_call", "call_words", "matters_words")
    assert (count, close) == (2, "no")
    told = "3 with data reduction of user data and containers, low end; "
    told += "1 with data reduction of user data and containers, high end; "
    told += "4 with all assumed figures at their unfavourable ends"
    assert matters == told
    (ratio,) = results(USERS, "ratio_capacity")
    assert call == f"no: 1 with {1 - 1 / float(str(ratio)):.0%} less, now limited by Capacity"


@pytest.mark.slow
def test_answer_shows_what_decides_and_what_is_assumed() -> None:
    cells = changed(CELLS, {**own_arrays(BUILT, [CARD]), **overrides(BUILT, [dict(USERS)])})
    evaluator = Evaluator(cells)
    rows = {evaluator.value(Address("Answer", row, 1)): row for row in range(14, 40)}
    shown = {label: evaluator.value(Address("Answer", row, 4)) for label, row in rows.items()}
    assert "assumed" not in str(shown["CLOSE CALL"])  # what is assumed is said once
    assert str(shown["COUNT WOULD CHANGE"]).startswith("3 with data reduction of user data")
    load = (
        "assumed: data reduction, space written per desktop, log-off window, container I/O; "
        "its profile assumes: login duration, boot reads, block size, log-off IOPS"
    )
    assert shown["UNKNOWN ABOUT THE LOAD"] == load
    assert str(shown["UNKNOWN ABOUT THE ARRAY"]).endswith("; assumed: work of a write, planned utilisation")


def test_what_is_entered_is_not_assumed() -> None:
    known: dict[str, Value] = {**USERS, "user_data_reduction_ratio": 4.0, "data_reduction_ratio": 3.0}
    known |= {"ios_per_boot": 20000.0, "card_cap_ratio": 0.65, "container_steady_iops": 11.1}
    known |= {"logoff_window_min": 20.0, "container_signin_iops": 40.0, "container_signin_s": 20.0}
    known |= {"write_cache_gib": 8.0, "login_duration_s": 300.0, "boot_read_ratio": 0.6, "steady_block_kib": 16.0}
    known |= {"logoff_iops_per_desktop": 9.0}
    keys = ("call_words", "matters_words", "demand_words", "rating_words", "arrays_required")
    card = {**CARD, "write_weight": 2.0, "throughput_mb_s": 9000.0, "base_latency_ms": 0.2}
    assert results(known, *keys, card=card)[1:] == ("none", "nothing", "nothing", 1)


DESIGNS: list[dict[str, Value]] = [
    {},
    {"failover": "no"},
    {"desktops": 4000.0},
    {"desktops": 6000.0, "container_gib": 5.0},
    {"desktops": 9000.0, "container_gib": 1.0},
    {"desktops": 9000.0, "container_gib": 1.0, "survive_phases": "everything"},
    {"desktops": 12000.0, "container_place": "none", "login_read_ratio": 0.9, "steady_read_ratio": 0.9},
    {"desktops": 12000.0, "container_place": "none", "survive_phases": "work without the login storm"},
    {"desktops": 3000.0, "start_rate_per_min": 400.0, "container_gib": 2.0},
]


@pytest.mark.slow
@pytest.mark.parametrize("more", DESIGNS)
def test_each_end_is_what_sizing_with_it_gives(more: dict[str, Value]) -> None:
    counts = results({**USERS, **more}, *ENDS)
    for (key, typed), count in zip(ENDS.items(), counts, strict=True):
        if "container_place" in more and key.startswith("user_data"):
            continue  # nothing of it is stored
        assert results({**USERS, **more, **typed}, "arrays_required") == (count,), key


CLONES: dict[str, Value] = {"provisioning": "Full clone", "disk_gib": 60.0, "failover": "yes"}
OTHERS: list[tuple[dict[str, Value], dict[str, dict[str, Value]]]] = [
    (
        {**CLONES, "desktops": 9000.0, "array": "NetApp AFF8040"},
        {
            "disk_low_count": {"data_reduction_ratio": 4.0},
            "disk_high_count": {"data_reduction_ratio": 12.0},
            "cap_low_count": {"rho_cap_ratio": 0.7},
            "cap_high_count": {"rho_cap_ratio": 0.95},
        },
    ),
    (
        {"start_rate_per_min": 500.0, "profile": "Medium MCS pooled (ICA 2012)"},
        {"boot_low_count": {"boot_work_ratio": 22 / 30}, "boot_high_count": {"boot_work_ratio": 1.5}},
    ),
    (
        {"start_rate_per_min": 900.0, "desktops": 500.0, "profile": "Knowledge worker W10 MCS (RA-2053 2024)"},
        {"boot_low_count": {"boot_work_ratio": 22 / 30}, "boot_high_count": {"boot_work_ratio": 1.5}},
    ),
]


@pytest.mark.parametrize(("design", "ends"), OTHERS)
def test_each_end_of_an_array_of_the_papers(design: dict[str, Value], ends: dict[str, dict[str, Value]]) -> None:
    for (key, typed), count in zip(ends.items(), results(design, *ends), strict=True):
        assert results({**design, **typed}, "arrays_required") == (count,), key


@pytest.mark.parametrize(
    "design", [{"demand_scale_ratio": 0.0}, {"array": "My array 2"}, {"provisioning": "My method 1"}]
)
def test_nothing_to_size_gives_words_and_no_error(design: dict[str, Value]) -> None:
    for value in results({**USERS, **design}, "call_words", "matters_words", "demand_words", "rating_words"):
        assert isinstance(value, str)


@pytest.mark.slow
@pytest.mark.parametrize(
    "more",
    [
        {"desktops": 3000.0},
        {"desktops": 9000.0, "survive_phases": "everything"},
        {"desktops": 9000.0, "logoff_active_ratio": 0.5, "failover": "no"},
        {"desktops": 3000.0, "array": "NetApp AFF8040", "profile": "Medium MCS pooled (ICA 2012)"},
    ],
)
def test_each_end_of_the_log_off_window_is_what_sizing_with_it_gives(more: dict[str, Value]) -> None:
    design = {**USERS, **LOGOFFS, **more}
    for minutes, count in zip((1.5, 120.0), results(design, "logoff_low_count", "logoff_high_count"), strict=True):
        assert results({**design, "logoff_window_min": minutes}, "arrays_required") == (count,), minutes


# ---- the write cache and the usable share ----------------------------------------------------------------

RAW: dict[str, Value] = {**CARD, "capacity_kind": "raw", "capacity_tb": 20.0}
STORING: list[dict[str, Value]] = [
    {"desktops": 1500.0, "container_gib": 1.0},
    {"desktops": 4000.0, "failover": "no", "data_reduction_ratio": 3.0},
    {"desktops": 3000.0, "vm_headroom_ratio": 0.25, "users_per_vm": 4.0, "capacity_headroom_ratio": 0.3},
]


@pytest.mark.parametrize("more", STORING)
def test_each_end_of_the_usable_share_and_of_the_write_cache_is_what_sizing_with_it_gives(
    more: dict[str, Value],
) -> None:
    design = {**USERS, **more}
    keys = ("share_low_count", "share_high_count", "cache_low_count", "cache_high_count")
    counts = results(design, *keys, card=RAW)
    for share, count in zip((0.5, 0.85), counts[:2], strict=True):
        assert results(design, "arrays_required", card={**RAW, "raid_efficiency_ratio": share}) == (count,), share
    for cache, count in zip((2.0, 60.0), counts[2:], strict=True):
        assert results({**design, "write_cache_gib": cache}, "arrays_required", card=RAW) == (count,), cache


def test_a_usable_share_that_decides_alone_is_named() -> None:
    """By hand: 700 containers of 30 GiB at 2:1 are 10,500 GiB; 20 TB raw less 15 % hold 11,083 at 0.7, 7,916 at 0.5."""
    design = {**USERS, "desktops": 700.0, "data_reduction_ratio": 10.0, "write_cache_gib": 5.0, "failover": "no"}
    count, call, array = results(design, "arrays_required", "matters_words", "rating_words", card=RAW)
    assert count == 1
    assert "2 with usable share of raw capacity, low end" in str(call)
    assert str(array).partition("assumed: ")[2].startswith("usable share of raw capacity")
    typed = results(design, "matters_words", "rating_words", card={**RAW, "raid_efficiency_ratio": 0.69})
    assert not [words for words in typed if "usable share" in str(words)]
    assert "usable share" not in str(results(design, "rating_words"))  # a usable capacity is typed


def test_a_write_cache_that_a_profile_assumes_is_named_with_the_end_that_decides() -> None:
    design: dict[str, Value] = {"array": "NetApp AFF8040", "desktops": 2500.0, "data_reduction_ratio": 2.0}
    count, high, call, load = results(design, "arrays_required", "cache_high_count", "matters_words", "demand_words")
    assert results({**design, "write_cache_gib": 60.0}, "arrays_required") == (high,) != (count,)
    assert f"{float(str(high)):.0f} with space written per desktop, high end" in str(call)
    assert str(load).startswith("assumed: space written per desktop")
    assert "space written" not in str(results({**design, "write_cache_gib": 10.0}, "demand_words"))


@pytest.mark.parametrize("array", ["NetApp AFF8040", "Kaminario K2 (one K-Block)"])
def test_what_of_a_clones_disk_is_written_is_assumed_until_it_is_typed(array: str) -> None:
    """The paper's clones are 53 % full, which is worth more than one array either way of Risk inputs: 30 to 90 %."""
    design = {**CLONES, "desktops": 9000.0, "array": array, "data_reduction_ratio": 2.0}
    count, low, high, words = results(design, "arrays_required", "cache_low_count", "cache_high_count", "matters_words")
    if array == "NetApp AFF8040":
        assert (results({**design, "disk_used_ratio": 0.3}, "arrays_required")) == (low,)
        assert (results({**design, "disk_used_ratio": 0.9}, "arrays_required")) == (high,) != (count,)
        assert f"{float(str(high)):.0f} with space written per desktop, high end" in str(words)
    else:  # no usable capacity is known
        assert low == high == count
    typed = results({**design, "disk_used_ratio": 0.5}, "arrays_required", "cache_low_count", "cache_high_count")
    assert len(set(typed)) == 1


@pytest.mark.slow
def test_all_ends_together_count_the_write_cache_at_the_reduction_and_the_share_of_those_ends() -> None:
    design = {**USERS, **LOGOFFS, "user_data_gib": 30.0, "desktops": 4000.0}
    for end, share, tag in (("low", 0.85, "fair"), ("high", 0.5, "hard")):
        chosen = min if end == "low" else max
        (count,) = results(design, f"{tag}_count", card=RAW)
        typed = {**RAW, "raid_efficiency_ratio": share}
        assert chosen(at_all_ends(design, end, weight, typed) for weight in (1.0, 4.0)) == count


def at_all_ends(design: Mapping[str, Value], end: str, writes: float, card: Mapping[str, Value] = CARD) -> float:
    """Return the arrays with every assumed figure typed at one end: `low` is that of the method's boot."""
    other = {"low": "high", "high": "low"}[end]
    keys = (f"user_data_{other}", f"disk_{other}", f"boot_{end}_factor")
    data, disks, boot = (float(str(value)) for value in results(design, *keys))
    typed: dict[str, Value] = {
        **{"user_data_reduction_ratio": min(data, 4.0), "data_reduction_ratio": min(disks, 4.0)},
        **{"boot_work_ratio": boot or 1.0, "write_weight": writes},
        **{"card_cap_ratio": 0.8 if end == "low" else 0.6, "logoff_window_min": 120.0 if end == "low" else 1.5},
        "write_cache_gib": 2.0 if end == "low" else 60.0,
    }
    return float(str(results({**design, **typed}, "arrays_required", card=card)[0]))


TOGETHER: list[dict[str, Value]] = [
    {"desktops": 2500.0},
    {"desktops": 6000.0, "failover": "no"},
    {"desktops": 6000.0, "survive_phases": "everything"},
    {"desktops": 4000.0, "login_read_ratio": 0.9, "steady_read_ratio": 0.9},
    {"desktops": 2000.0, "start_rate_per_min": 300.0},
]


@pytest.mark.slow
@pytest.mark.parametrize("more", TOGETHER)
def test_all_ends_together_are_what_sizing_with_all_of_them_gives(more: dict[str, Value]) -> None:
    design = {**USERS, **LOGOFFS, "user_data_gib": 30.0, **more}
    fair, hard = results(design, "fair_count", "hard_count")
    assert min(at_all_ends(design, "low", weight) for weight in (1.0, 4.0)) == fair
    assert max(at_all_ends(design, "high", weight) for weight in (1.0, 4.0)) == hard


def test_two_figures_that_do_not_decide_alone_are_named_where_they_decide_together() -> None:
    """By hand: a log-off in 1.5 minutes asks for 0.98 of the array, 60 % planned instead of 70 % makes that 1.14."""
    design = {**USERS, **LOGOFFS, "desktops": 1400.0, "user_data_gib": 3.0, "failover": "no"}
    count, call = results(design, "arrays_required", "matters_words")
    assert (count, call) == (1, "2 with all assumed figures at their unfavourable ends")


def test_what_changes_the_count_stands_first() -> None:
    design = {**USERS, "desktops": 9000.0, "container_gib": 1.0, "start_rate_per_min": 400.0}
    call, load, array = results(design, "matters_words", "demand_words", "rating_words")
    for words, names in (
        (load, ("data reduction", "I/Os of a boot", "log-off window")),
        (array, ("work of a write", "planned utilisation")),
    ):
        places = sorted((name not in str(call), str(words).find(name)) for name in names if name in str(words))
        assert [place for _, place in places] == sorted(place for _, place in places)
