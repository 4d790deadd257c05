"""Boot and logins on one clock: where the boot still runs when the logins begin, both are asked at once."""

import math
from collections.abc import Mapping
from statistics import NormalDist

import pytest
from openpyxl.utils import get_column_letter

from addin.kernel import Address, ExcelError
from model.layout.codes import code_words
from model.layout.grid import BASE, FIRST_PUBLISHED, FIRST_ROW, WHATIFS
from model.sheets.sizing import timeline
from tests.support.answers import addresses, answers, number, numbers
from tests.support.input_sets import Value
from tests.support.recomputed import Evaluator
from tests.support.shipped import built, built_cells

BUILT, CELLS = built(), built_cells()
SEVEN = 7 / 24
HAND: dict[str, Value] = {  # 40 boots of 30,000 I/Os a minute, through 30 minutes: 20,000 IOPS; logins in an hour
    **{"desktops": 1200.0, "start_rate_per_min": 40.0, "ios_per_boot": 30000.0, "boot_tail_min": 1.0},
    **{"login_window_min": 60.0, "login_duration_s": 600.0, "ios_per_login": 18000.0, "steady_iops_per_desktop": 10.0},
}


def at(hours: int, minutes: int) -> float:
    return (60 * hours + minutes) / 1440


def clock(boot: float, logins: float) -> dict[str, Value]:
    return {"boot_at": boot, "logins_at": logins}


def words(design: Mapping[str, Value]) -> str:
    ((said,),) = answers(BUILT, CELLS, [dict(design)], "together_words")
    return str(said)


def test_by_hand_the_most_is_asked_when_the_boot_ends() -> None:
    """By hand: from 07:00 to 07:31, logins from 07:19. At 07:31 200 log in at 30 IOPS, 40 work at 10."""
    design = {**HAND, **clock(SEVEN, at(7, 19))}
    keys = ("boot_asked_iops", "together_at_min", "together_iops")
    assert numbers(BUILT, CELLS, design, *keys) == pytest.approx([20000, 12, 26400])
    assert words(design) == "Boot and logins overlap for 12 minutes: 26,400 IOPS asked at 07:31"


def test_where_the_login_peak_comes_first_both_peaks_are_asked_at_once() -> None:
    """By hand: all 1,200 log in within 10 minutes, 36,000 IOPS at the end of the tenth; the boot still runs."""
    design = {**HAND, "login_window_min": 10.0, **clock(SEVEN, SEVEN)}
    assert numbers(BUILT, CELLS, design, "together_at_min", "together_iops") == pytest.approx([10, 56000])
    assert words(design) == "Boot and logins overlap for 31 minutes: 56,000 IOPS asked at 07:10"


def test_a_day_wraps_at_midnight() -> None:
    """From 23:30 to 00:15 are 45 minutes: a boot of 31 is over by then, one of 61 runs on for 16."""
    apart = {**HAND, **clock(at(23, 30), at(0, 15))}
    assert numbers(BUILT, CELLS, apart, "clock_min", "together_iops") == [45, -2]
    assert words(apart) == "no overlap"
    longer = {**apart, "start_rate_per_min": 20.0}
    assert words(longer).startswith("Boot and logins overlap for 16 minutes: ")
    assert words(longer).endswith(" IOPS asked at 00:31")


def _arrived(minute: float, window: float, shape: str) -> float:
    if shape == "uniform":
        return min(1, max(0, minute / window))
    bell, tail = NormalDist(window / 2, window / 6), NormalDist().cdf(-3)
    return (bell.cdf(min(window, max(0, minute))) - tail) / (1 - 2 * tail)


@pytest.mark.parametrize("shape", ["uniform", "normal"])
@pytest.mark.parametrize(("window", "busy_s", "login_ios"), [(60, 600, 18000), (30, 900, 45000), (20, 60, 400)])
@pytest.mark.parametrize("gap", [0, 7, 20, 30.5])
def test_it_is_the_largest_of_all_minutes(
    shape: str, window: float, busy_s: float, login_ios: float, gap: float
) -> None:
    """Plateau plus login curve, minute by minute through the overlap, in steps of a fiftieth."""
    times: dict[str, Value] = {"login_window_min": float(window), "login_duration_s": float(busy_s)}
    design = {
        **HAND,
        **times,
        "ios_per_login": float(login_ios),
        "arrival_shape": shape,
        **clock(SEVEN, SEVEN + gap / 1440),
    }
    (found,) = numbers(BUILT, CELLS, design, "together_iops")
    most = 0.0
    for step in range(int((31 - gap) * 50) + 1):
        minute = step / 50
        came, work = _arrived(minute, window, shape), _arrived(minute - busy_s / 60, window, shape)
        most = max(most, 20000 + 1200 * (login_ios / busy_s * (came - work) + 10 * work))
    assert found == pytest.approx(most, rel=2e-4)


def test_clock_times_without_an_overlap_change_no_result() -> None:
    keys = [key for key, (sheet, _) in BUILT.layout.lines.items() if sheet in ("Sizing", "Storms", "Cost")]
    blank, apart = (answers(BUILT, CELLS, [design], *keys) for design in ({}, clock(at(5, 0), at(8, 0))))
    assert blank == apart


def test_boot_and_logins_at_once_ask_for_arrays() -> None:
    """The shipped design needs 3 arrays after a failure; with the boot of 200 a minute inside the login 6."""
    sets: list[Mapping[str, Value]] = [
        {},
        clock(at(6, 30), at(6, 30)),
        {"start_rate_per_min": 200.0},
        {"start_rate_per_min": 200.0, **clock(at(6, 55), SEVEN)},
    ]
    assert [numbers(BUILT, CELLS, design, "arrays_required") for design in sets] == [[3], [4], [3], [6]]


def test_the_later_the_logins_the_less_is_asked() -> None:
    sets = [clock(at(6, 30), at(6, 30) + 5 * n / 1440) for n in range(8)]
    ratios = [numbers(BUILT, CELLS, design, "ratio_together")[0] for design in sets]
    assert ratios == sorted(ratios, reverse=True)
    assert ratios[0] > 1.5
    assert ratios[-1] == -2


def test_utilisations_add_and_throughput_and_mix_go_by_the_ios() -> None:
    """At 07:31 by hand: 20,000 of 26,400 IOPS are the boot's, the rest the logins'."""
    design: dict[str, Value] = {
        **{**HAND, **clock(SEVEN, at(7, 19))},
        **{"boot_block_kib": 32.0, "login_block_kib": 8.0, "boot_read_ratio": 0.9, "login_read_ratio": 0.2},
    }
    keys = ("supply_boot", "supply_login", "ratio_together", "throughput_together", "together_read_ratio")
    boot, login, ratio, moved, read = numbers(BUILT, CELLS, design, *keys)
    assert ratio == pytest.approx(20000 / boot + 6400 / login)
    assert moved == pytest.approx((20000 * 32 + 6400 * 8) * 1.024e-3)
    assert read == pytest.approx((20000 * 0.9 + 6400 * 0.2) / 26400)


WRONG: list[dict[str, Value]] = [
    {"boot_at": SEVEN},
    {"logins_at": SEVEN},
    clock(SEVEN, at(6, 45)),  # the logins before the boot
    {"boot_at": SEVEN, "logins_at": "7 Uhr"},
    {"boot_at": "7 Uhr"},
    clock(SEVEN, 7.0),  # 7 pasted, for 7 o'clock
    clock(-0.5, SEVEN),
]


@pytest.mark.slow
@pytest.mark.parametrize("design", WRONG)
def test_clock_times_that_contradict_are_an_error_and_in_a_what_if_not_checked(design: dict[str, Value]) -> None:
    assert words(design) == "see Checks"
    new = {BUILT.layout.typed(key): value for key, value in design.items()}
    assert number(Evaluator(CELLS, addresses(new)).value(_named("Chk_Master"))) == 1
    sets = [{}, {**design, "array": "NetApp AFF8040"}]
    status, unchecked = answers(BUILT, CELLS, sets, "status", "constraints_unchecked")[1]
    assert str(status).startswith("at least ")
    assert "boot and logins together" in str(unchecked)


def _named(name: str) -> Address:
    return Address.from_a1(CELLS.names[name].replace("$", ""))


def test_without_a_boot_beforehand_the_order_of_the_times_contradicts_nothing() -> None:
    design = {"preboot_ratio": 0.0, **clock(SEVEN, at(6, 45))}
    assert numbers(BUILT, CELLS, design, "together_iops") == [-2]
    assert words(design) == "no overlap"


def test_a_what_if_has_clock_times_of_its_own() -> None:
    base = clock(at(6, 0), SEVEN)
    told = answers(BUILT, CELLS, [base, {"boot_at": at(6, 45)}], "together_words")
    assert told[0] == ("no overlap",)
    assert str(told[1][0]).startswith("Boot and logins overlap for 16 minutes")


def test_published_tests_have_no_clock() -> None:
    evaluator = Evaluator(CELLS, addresses({BUILT.layout.typed(k): v for k, v in clock(at(6, 30), at(6, 30)).items()}))
    sheet, row = BUILT.layout.lines["ratio_together"]
    for column in range(FIRST_PUBLISHED, BASE + 1 + WHATIFS + len(BUILT.data.cases)):
        assert evaluator.value(Address.from_a1(f"{sheet}!{get_column_letter(column)}{row}")) == -2


@pytest.mark.slow
@pytest.mark.parametrize("boot", [at(6, 30), at(6, 0)])
@pytest.mark.parametrize("arrays", [3.0, 4.0])
@pytest.mark.parametrize("survive", ["yes", "no"])
def test_as_many_desktops_as_have_room_fit(boot: float, arrays: float, survive: str) -> None:
    """A longer boot runs further into the logins: room counts it, and never says more than fits."""
    design: dict[str, Value] = {"arrays_installed": arrays, "failover": survive, "desktops": 1200.0}
    design |= clock(boot, at(6, 32))
    (most,) = numbers(BUILT, CELLS, design, "desktops_at_limit")
    assert most >= 1200
    assert numbers(BUILT, CELLS, {**design, "desktops": math.floor(most)}, "fits") == [1]


def test_room_that_is_not_computed_is_not_known_and_never_0() -> None:
    """Seen: room for 0 more, where 190 more fit; how far a longer boot runs into the logins is not solved for."""
    design: dict[str, Value] = {"failover": "yes"}
    (least, most) = numbers(BUILT, CELLS, design, "room_after_failure", "room_normal")
    assert 0 < least < most
    overlap = {**design, **clock(at(6, 30), SEVEN)}
    assert numbers(BUILT, CELLS, overlap, "room_after_failure") == [-0.5]
    assert numbers(BUILT, CELLS, overlap, "room_normal")[0] > 0  # as many as fit with the boot at the login peak
    assert numbers(BUILT, CELLS, {**overlap, "desktops": 1690.0}, "arrays_required") == [3]
    before = {**design, **clock(at(5, 0), SEVEN)}
    assert numbers(BUILT, CELLS, before, "room_after_failure") == [least]
    assert code_words("room_after_failure", "desktops")[-0.5] == "not known"


def test_no_slower_start_is_advised_beside_clock_times() -> None:
    design: dict[str, Value] = {"start_rate_per_min": 600.0}
    assert str(answers(BUILT, CELLS, [design], "slower_storms")[0][0]).startswith(("1", "2", "3", "4", "5"))
    with_clock = {**design, **clock(at(6, 0), SEVEN)}
    assert numbers(BUILT, CELLS, with_clock, "slower_start_rate") == [0]


def test_the_timeline_shows_the_clock_beside_its_minutes() -> None:
    typed = {BUILT.layout.typed(key): value for key, value in clock(at(23, 0), at(23, 50)).items()}
    shown, plain = Evaluator(CELLS, addresses(typed)), Evaluator(CELLS)
    minute, column = (get_column_letter(timeline.series(key)) for key in ("minute", "clock"))
    for row in (5, 60, timeline.LAST_ROW):
        here = number(shown.value(Address.from_a1(f"Timeline!{minute}{row}")))
        found = number(shown.value(Address.from_a1(f"Timeline!{column}{row}")))
        assert found == pytest.approx((at(23, 50) + here / 1440) % 1)
        assert plain.value(Address.from_a1(f"Timeline!{column}{row}")) == "-"


def test_a_text_for_a_time_gives_no_error_value() -> None:
    lines = [key for key, (sheet, _) in BUILT.layout.lines.items() if sheet in ("Demand", "Sizing")]
    ((*values,),) = answers(BUILT, CELLS, [{"boot_at": "7 Uhr", "logins_at": "8 Uhr"}], *lines)
    assert not [key for key, value in zip(lines, values, strict=True) if isinstance(value, ExcelError)]


def drawn(design: Mapping[str, Value]) -> dict[str, list[float]]:
    """Return the columns of Timeline that its first chart draws."""
    typed = {BUILT.layout.typed(key): value for key, value in design.items()}
    shown = Evaluator(CELLS, addresses(typed))
    letters = {key: get_column_letter(timeline.series(key)) for key in ("drawn", "iops", "with_boot")}
    letters |= {key: get_column_letter(timeline.series(key)) for key in ("minute", "boot_minute", "boot")}
    rows = range(FIRST_ROW, timeline.LAST_ROW + 1)
    return {
        key: [number(shown.value(Address.from_a1(f"Timeline!{letter}{row}"))) for row in rows]
        for key, letter in letters.items()
    }


def test_the_timeline_draws_the_boot_and_what_both_ask() -> None:
    """The boot of 31 minutes from 07:00 at 20,000 IOPS, logins from 07:19: the most is asked at 07:31, 26,400."""
    lines = drawn({**HAND, **clock(SEVEN, at(7, 19))})
    assert [lines["boot_minute"][0], lines["boot_minute"][-1]] == pytest.approx([0, 31])
    assert lines["boot"][1:-1] == pytest.approx([20000] * (len(lines["boot"]) - 2))
    assert (lines["boot"][0], lines["boot"][-1]) == (0, 0)
    assert lines["drawn"] == pytest.approx([19 + minute for minute in lines["minute"]])
    step = lines["minute"][1]
    for minute, iops, both in zip(lines["minute"], lines["iops"], lines["with_boot"], strict=True):
        share = min(1, max(0, (12 - minute) / step + 1))  # of the step that ends there
        assert both == pytest.approx(iops + 20000 * share)
    assert 0.97 * 26400 < max(lines["with_boot"]) <= 26400


@pytest.mark.parametrize("times", [{}, clock(at(5, 0), at(7, 0))])
def test_a_boot_that_meets_no_login_leaves_them_as_they_are(times: dict[str, Value]) -> None:
    lines, plain = drawn({**HAND, **times}), drawn(HAND)
    assert lines["with_boot"] == lines["iops"] == plain["iops"]
    assert max(lines["boot"]) == (20000 if times else 0)
    assert lines["drawn"][0] == (120 if times else 0)
