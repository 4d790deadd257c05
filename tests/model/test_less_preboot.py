"""Less pre-boot never asks less of the login: the rate of starts on demand sets minutes and what is served."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.sheets.proof import checks
from tests.support.answers import answers, number, numbers
from tests.support.input_sets import Value
from tests.support.shipped import built, built_cells

BUILT = built()
CELLS = built_cells()
W10: dict[str, Value] = {"desktops": 3200.0, "profile": "Knowledge worker W10 MCS (RA-2053 2024)"}
SHIPPED: dict[str, Value] = {"array": "NetApp AFF8040", "provisioning": "MCS pooled"}  # a what-if ships with others
ALERT = "Login: desktops booted on demand start within the login window"


def results(design: dict[str, Value], *keys: str) -> list[float]:
    return numbers(BUILT, CELLS, design, *keys)


def test_with_half_booted_beforehand_the_login_needs_no_array_less() -> None:
    whole, half = (results({**W10, "preboot_ratio": share}, "arrays_required")[0] for share in (1.0, 0.47))
    assert half >= whole == 5


@pytest.mark.parametrize("rate", [None, 5.04, 50.0, 500.0])
def test_with_none_booted_beforehand_four_arrays_are_needed_at_any_rate_of_starts(rate: float | None) -> None:
    design: dict[str, Value] = {"preboot_ratio": 0.0}
    if rate is not None:
        design["ondemand_start_rate_per_min"] = rate
    assert results(design, "arrays_required") == [4]


def test_by_hand_boots_on_demand_add_their_work_over_the_window() -> None:
    """By hand: 1,500 boots of 30,000 I/Os in 48 minutes are 15,625 IOPS on top of the login of a day booted before."""
    work: dict[str, Value] = {"ios_per_boot": 30000.0}
    before, on_demand = (results({**work, "preboot_ratio": p}, "login_plateau_iops")[0] for p in (1.0, 0.0))
    assert on_demand - before == pytest.approx(1500 / 48 * 30000 / 60)
    asked = results({**work, "preboot_ratio": 0.0, "ondemand_start_rate_per_min": 1.0}, "login_iops")[0]
    assert asked == pytest.approx(on_demand)


def test_a_busy_period_longer_than_the_window_spreads_boots_over_the_window() -> None:
    short: dict[str, Value] = {"login_window_min": 20.0, "login_duration_s": 2880.0, "ios_per_boot": 30000.0}
    before, on_demand = (results({**short, "preboot_ratio": p}, "login_iops")[0] for p in (1.0, 0.0))
    assert on_demand - before == pytest.approx(1500 / 20 * 30000 / 60)


def test_starts_on_demand_come_at_the_start_rate_unless_entered() -> None:
    cold: dict[str, Value] = {"preboot_ratio": 0.0}
    assert results(cold, "ondemand_start_rate_per_min", "login_minutes") == [50, 48]
    assert results({**cold, "start_rate_per_min": 10.0}, "login_minutes") == [150]
    assert results({**cold, "ondemand_start_rate_per_min": 5.0}, "login_minutes") == [300]


def test_starts_slower_than_the_window_serve_less_and_raise_an_alert_that_names_the_login() -> None:
    slow: dict[str, Value] = {"preboot_ratio": 0.0, "ondemand_start_rate_per_min": 5.0}
    asked, served, after, beyond = results(
        slow, "login_asked_iops", "login_served_iops", "failover_login_served_iops", "login_beyond_min"
    )
    assert beyond == 252
    assert max(served, after) < asked
    (alert,) = (check for check in checks.checks(BUILT.data, BUILT.layout) if check.label == ALERT)
    assert alert.reads == BUILT.layout.cell("login_beyond_min")
    assert alert.bounds == (0, 0)


@pytest.mark.slow
@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    shares=st.lists(st.floats(0, 1), min_size=4, max_size=4, unique=True),
    rates=st.lists(st.floats(0.01, 2000), min_size=4, max_size=4, unique=True),
    window=st.floats(1, 600),
    busy=st.floats(1, 6000),
    shape=st.sampled_from(["uniform", "normal"]),
    users=st.floats(1, 30),
)
def test_login_need_never_falls_with_less_preboot_or_slower_starts_on_demand(
    shares: list[float], rates: list[float], window: float, busy: float, shape: str, users: float
) -> None:
    design: dict[str, Value] = {
        **SHIPPED,
        "login_window_min": window,
        "login_duration_s": busy,
        "arrival_shape": shape,
        "users_per_vm": users,
    }
    sets = [{**design, "preboot_ratio": share} for share in sorted(shares)]
    sets += [{**design, "preboot_ratio": 0.3, "ondemand_start_rate_per_min": rate} for rate in rates]
    keys = ("ratio_login", "login_iops", "login_peak_iops", "throughput_login")
    rows = [[number(value) for value in row] for row in answers(BUILT, CELLS, sets, *keys)]
    for more, fewer in itertools.pairwise(rows[:4]):  # from the least booted beforehand to the most
        assert all(a >= b * (1 - 1e-12) for a, b in zip(more, fewer, strict=True))
    assert all(row == rows[4] for row in rows[5:])  # the rate asks for nothing


def test_where_only_the_boot_is_smaller_the_answer_says_so() -> None:
    fast, slow = ({**SHIPPED, "start_rate_per_min": rate} for rate in (500.0, 50.0))
    sets: list[dict[str, Value]] = [fast, {**fast, "preboot_ratio": 0.0}, {**fast, "preboot_ratio": 0.5}, slow]
    rows = answers(BUILT, CELLS, sets, "arrays_required", "preboot_words")
    assert rows == [(6, "nothing"), (4, "2 arrays fewer: only the boot is smaller"), (6, "nothing"), (3, "nothing")]
    ((status,),) = answers(BUILT, CELLS, [sets[1]], "status")
    assert str(status).endswith("; less pre-boot: 2 arrays fewer: only the boot is smaller")


@pytest.mark.slow
@pytest.mark.parametrize(
    "design",
    [
        {"start_rate_per_min": 2000.0, "boot_tail_min": 3.0},
        {"start_rate_per_min": 900.0, "hosts": 30.0, "host_start_rate_per_min": 20.0},
        {"start_rate_per_min": 900.0, "starts_at_once": 700.0, "boot_tail_min": 2.0},
        {"start_rate_per_min": 900.0, "boot_wanted_min": 4.0},
        {"start_rate_per_min": 900.0, "failover": "yes", "survive_phases": "everything"},
        {"start_rate_per_min": 700.0, "boot_block_kib": 512.0},
    ],
)
@pytest.mark.parametrize("share", [0.0, 0.2, 0.6])
def test_what_less_preboot_saves_is_the_difference_to_all_booted_before(design: dict[str, Value], share: float) -> None:
    sets = [{**SHIPPED, **design, "preboot_ratio": p} for p in (1.0, share)]
    rows = answers(BUILT, CELLS, sets, "arrays_required", "preboot_spared")
    (whole, _), (fewer, spared) = ([number(value) for value in row] for row in rows)
    assert spared == max(0, whole - fewer)
