"""Measured: a joint row scales each phase of the profile measured, and an empty tab changes no number."""

from collections.abc import Mapping, Sequence

import pytest
from openpyxl.utils import get_column_letter

from addin.kernel import Address, Cells, Scalar
from model.layout.grid import FIRST_ROW
from model.sheets.catalogue import measured, phases
from model.sheets.catalogue.phases import MEASURED
from model.sheets.proof import checks
from tests.support.answers import addresses, answers, changed
from tests.support.input_sets import Inputs, Value, overrides
from tests.support.recomputed import Evaluator
from tests.support.shipped import built, built_cells

BUILT, CELLS = built(), built_cells()
W11, OFFICE = "Knowledge worker W11 MCS (RA-2022 2024)", "Office worker full clone Monday (NTP 2016)"
ASKED = {  # what the desktops ask for in each phase, before host caches and containers
    "boot": "boot_desktop_iops",
    "login": "login_desktop_iops",
    "steady": "steady_desktop_iops",
    "logoff": "logoff_users_iops",
    "patching": "patching_asked_iops",
}
ROWS = ((1.0, 1.0, 1.0, 1.0, 1.0), (0.5, 2.0, 1.5, 3.0, 0.25))
MIXES = ((0.5, 0.4, 16.0, 20.0), (0.8, 0.7, 32.0, 12.0))  # read share and KiB, of login and of steady work each
MIX = ("login_read_ratio", "steady_read_ratio", "login_block_kib", "steady_block_kib")
MIX_COLUMNS = tuple(
    3 + len(MEASURED) + figure * len(phases.MIXED) + phases.MIXED.index(phase)
    for figure in range(2)
    for phase in ("login", "steady")
)
TYPED: Inputs = {"profile": OFFICE, "provisioning": "Full clone"}


def filled(
    rows: Sequence[Sequence[float | str | None]] = ROWS,
    profile: str = OFFICE,
    mixes: Sequence[Sequence[float | str | None]] = (),
) -> Cells:
    """Return the cells with a profile named on Measured and some joint rows: a column for each phase, then mixes."""
    study: Mapping[str, Value] = {"A": profile, "C": 30.0, "D": 10.0, "E": 5.0, "G": "95 % upper bound"}
    typed = {(measured.NAME, f"{letter}{FIRST_ROW}"): value for letter, value in study.items()}
    for row, values in enumerate(rows, measured.JOINT_ROW):
        for column, value in enumerate(values, 3):
            typed[measured.NAME, f"{get_column_letter(column)}{row}"] = value
    for row, values in enumerate(mixes, measured.JOINT_ROW):
        for column, value in zip(MIX_COLUMNS, values, strict=True):
            typed[measured.NAME, f"{get_column_letter(column)}{row}"] = value
    return changed(CELLS, typed)


def results(cells: Cells, *keys: str, **typed: Value) -> dict[str, Scalar]:
    """Return results of the base design, by key."""
    (found,) = answers(BUILT, cells, [{**TYPED, **typed}], *keys)
    return dict(zip(keys, found, strict=True))


def raised(cells: Cells, label: str, **typed: Value) -> tuple[bool, bool]:
    """Return whether a check is raised, and whether an error is, which leaves no answer."""
    evaluator = Evaluator(cells, addresses(overrides(BUILT, [{**TYPED, **typed}])))
    row = FIRST_ROW + next(n for n, each in enumerate(checks.checks(BUILT.data, BUILT.layout)) if each.label == label)
    letter = get_column_letter(checks.RAISED)
    master = evaluator.value(Address.from_a1(cells.name("Chk_Master")))
    assert isinstance(master, float)
    return evaluator.value(Address.from_a1(f"{checks.NAME}!{letter}{row}")) == 1, master > 0


def test_each_phase_is_scaled_by_its_ratio_of_the_joint_row() -> None:
    design, second = (results(filled(), *ASKED.values(), measured_row=row) for row in (None, 2.0))
    for phase, ratio in zip(MEASURED, ROWS[1], strict=True):
        before, after = design[ASKED[phase]], second[ASKED[phase]]
        assert isinstance(before, float)
        assert before > 0, phase
        assert after == pytest.approx(ratio * before, rel=1e-12), phase


def test_a_joint_row_comes_on_top_of_the_scale_on_every_phase_and_leaves_provisioning_alone() -> None:
    keys = ("steady_desktop_iops", "provisioning_iops")
    design, scaled = (
        results(filled(), *keys, **more) for more in ({}, {"measured_row": 2.0, "demand_scale_ratio": 2.0})
    )
    assert scaled["steady_desktop_iops"] == pytest.approx(3.0 * float(str(design["steady_desktop_iops"])), rel=1e-12)
    assert scaled["provisioning_iops"] == pytest.approx(2.0 * float(str(design["provisioning_iops"])), rel=1e-12)


def test_read_share_and_block_size_are_those_of_the_joint_row_and_a_blank_is_the_profile_s() -> None:
    cells = filled(mixes=MIXES)
    plain = results(CELLS, *MIX)
    assert results(cells, *MIX) == plain
    assert results(cells, *MIX, measured_row=2.0) == dict(zip(MIX, MIXES[1], strict=True))
    assert results(filled(), *MIX, measured_row=2.0) == plain
    some = filled(mixes=((None, 0.4, None, None), (None, 0.7, None, None)))
    assert results(some, *MIX, measured_row=2.0) == {**plain, "steady_read_ratio": 0.7}


@pytest.mark.parametrize("phase", phases.MIXED)
def test_each_phase_has_read_share_and_block_size_of_the_joint_row(phase: str) -> None:
    keys = (f"{phase}_read_ratio", f"{phase}_block_kib")
    first = 3 + len(MEASURED) + phases.MIXED.index(phase)
    heads = {column: BUILT.workbook[measured.NAME].cell(measured.FILLED_ROW - 1, column).value for column in
             (first, first + len(phases.MIXED))}  # fmt: skip
    name = phases.capitalised(phases.LABELS[phase])
    figures = ("read share of the joint row, ratio", "block size of the joint row, KiB")
    assert list(heads.values()) == [f"{name}: {figure}" for figure in figures]
    typed: dict[tuple[str, str], Value] = {}
    for row, pair in enumerate(((0.31, 9.0), (0.62, 18.0)), measured.JOINT_ROW):
        for column, value in zip(heads, pair, strict=True):
            typed[measured.NAME, f"{get_column_letter(column)}{row}"] = value
    cells = changed(filled(), typed)
    assert results(cells, *keys) == results(CELLS, *keys)
    assert results(cells, *keys, measured_row=2.0) == dict(zip(keys, (0.62, 18.0), strict=True))


def test_what_is_typed_of_a_phase_counts_instead_of_the_joint_row() -> None:
    found = results(filled(mixes=MIXES), *MIX, measured_row=2.0, steady_read_ratio=0.25)
    assert found == {**dict(zip(MIX, MIXES[1], strict=True)), "steady_read_ratio": 0.25}


def test_more_is_written_in_a_joint_row_that_writes_more() -> None:
    """The same IOPS in both rows; the second writes 60 % of them in blocks of 20 KiB, the first 30 % of 10."""
    rows = ((1.0,) * len(MEASURED),) * 2
    cells = filled(rows, mixes=((0.5, 0.7, 16.0, 10.0), (0.5, 0.4, 16.0, 20.0)))
    less, more = (results(cells, "steady_written_gib", "steady_iops", measured_row=row) for row in (1.0, 2.0))
    assert less["steady_iops"] == more["steady_iops"]
    assert more["steady_written_gib"] == pytest.approx(4 * float(str(less["steady_written_gib"])), rel=1e-12)


@pytest.mark.slow
def test_an_empty_tab_and_a_row_of_ones_change_no_number() -> None:
    numbers = [line.key for grid in _grids() for line in grid.lines if not line.key.startswith(("joint_", "measured_"))]
    plain = results(CELLS, *numbers)
    assert results(filled(), *numbers, measured_row=1.0) | {"demand_source": ""} == plain | {"demand_source": ""}
    assert {
        key: value for key, value in results(CELLS, *numbers, measured_row=2.0).items() if value != plain[key]
    } == {}


def _grids() -> list:
    from model.workbook import TABS

    return [tab.grid(BUILT.data) for tab in TABS if tab.grid and tab.name in ("Demand", "Sizing", "Latency", "Storms")]


@pytest.mark.parametrize("row", [3.0, 1.5, 0.0, -2.0])
def test_a_row_beyond_the_last_or_not_whole_is_an_error(row: float) -> None:
    assert raised(filled(), "The joint row is one of Measured", measured_row=row) == (True, True)
    assert raised(filled(), "The joint row is one of Measured", measured_row=2.0) == (False, False)
    assert raised(filled(), "The joint row is one of Measured") == (False, False)


def test_a_row_without_the_figure_of_a_phase_is_an_error_and_a_phase_nobody_measured_is_not() -> None:
    gap = filled(((1.0, 1.0, 1.0, 1.0, 1.0), (0.5, None, 1.5, 3.0, 0.25)))
    assert raised(gap, "The joint row is one of Measured", measured_row=2.0) == (True, True)
    some = filled(((None, 1.0, 1.0, None, None), (None, 2.0, 1.5, None, None)))
    assert raised(some, "The joint row is one of Measured", measured_row=2.0) == (False, False)
    found = results(some, "boot_total_scale_ratio", "login_total_scale_ratio", measured_row=2.0)
    assert found == {"boot_total_scale_ratio": 1.0, "login_total_scale_ratio": 2.0}


def test_a_row_without_the_mix_that_others_have_is_an_error() -> None:
    gap = filled(mixes=(MIXES[0], (0.8, None, 32.0, 12.0)))
    assert raised(gap, "The joint row is one of Measured", measured_row=2.0) == (True, True)
    assert raised(gap, "The joint row is one of Measured", measured_row=1.0) == (False, False)
    words = filled(mixes=(MIXES[0], (0.8, "most", 32.0, 12.0)))
    assert raised(words, f"{measured.NAME}: figures are numbers") == (True, True)


def test_words_in_place_of_a_ratio_are_an_error_that_names_the_tab() -> None:
    words = filled(((1.0, "one", 1.0, 1.0, 1.0),))
    assert raised(words, f"{measured.NAME}: figures are numbers") == (True, True)


def test_another_profile_takes_nothing_of_it_and_says_so() -> None:
    label = "The joint row typed counts"
    other = {"profile": W11, "provisioning": "MCS pooled"}
    keys = ("steady_desktop_iops", "joint_rows", "joint_row")
    design, typed = (results(filled(), *keys, **other, measured_row=row) for row in (None, 2.0))
    assert design == typed
    assert (typed["joint_rows"], typed["joint_row"]) == (0, 0)
    assert raised(filled(), label, **other, measured_row=2.0) == (True, False)
    assert raised(filled(), label, **other) == (False, False)
    assert raised(CELLS, label, measured_row=2.0)[0]


def test_the_answer_says_what_the_design_was_sized_from() -> None:
    words = "measured on 30 desktops, 10 days, 5-minute means; 95 % upper bound"
    assert results(filled(), "demand_source") == {"demand_source": words}
    assert results(filled(), "demand_source", measured_row=2.0) == {"demand_source": f"{words}; joint row 2"}
    assert results(CELLS, "demand_source") == {"demand_source": f"published for another generation: {OFFICE}"}
    mine = {"demand_source": "typed: My profile 1"}
    assert results(CELLS, "demand_source", profile="My profile 1") == mine


def test_a_what_if_may_take_another_row_or_another_profile() -> None:
    """Base, a what-if with the second row, a what-if with another profile."""
    sets: list[Inputs] = [TYPED, {**TYPED, "measured_row": 2.0}, {**TYPED, "profile": W11}]
    base, second, other = answers(BUILT, filled(), sets, "steady_desktop_iops", "joint_rows", "demand_source")
    assert second[0] == pytest.approx(1.5 * float(str(base[0])), rel=1e-12)
    assert (base[1], second[1], other[1]) == (2, 2, 0)
    assert other[2] == f"published: {W11}"


def grouped(*groups: tuple[float, str], mixes: Sequence[Sequence[float]] = ()) -> Cells:
    """Return the cells of `filled` with lines of User groups: users and profile."""
    typed: dict[tuple[str, str], Value] = {}
    for row, (users, profile) in enumerate(groups, FIRST_ROW):
        typed |= {("User groups", f"C{row}"): users, ("User groups", f"E{row}"): profile}
    return changed(filled(mixes=mixes), typed)


MIXED: Inputs = {"profile": "User groups", "provisioning": "Full clone", "desktops": 1000.0}


def test_user_groups_with_the_profile_measured_are_scaled_and_the_others_are_not() -> None:
    """600 of 1,000 users have it: their own load, alone, times the ratio, and the load of the others as it was."""
    cells = grouped((600.0, OFFICE), (400.0, W11))
    keys = ("login_desktop_iops", "steady_desktop_iops")
    mixed, second = (results(cells, *keys, "joint_rows", **MIXED, measured_row=row) for row in (None, 2.0))
    alone = results(cells, *keys, **{**MIXED, "profile": OFFICE, "desktops": 600.0})
    assert second["joint_rows"] == 2
    steady = ROWS[1][MEASURED.index("steady")]
    added = float(str(second["steady_desktop_iops"])) - float(str(mixed["steady_desktop_iops"]))
    assert added == pytest.approx((steady - 1) * float(str(alone["steady_desktop_iops"])), rel=1e-9)
    work = float(str(alone["steady_desktop_iops"])) / float(str(mixed["steady_desktop_iops"]))
    assert str(results(cells, "group_words", **MIXED)["group_words"]).endswith(
        f" of login, {work:.0%} of work measured on 30 desktops, 10 days, 5-minute means; 95 % upper bound"
    )


def test_groups_that_all_have_it_are_scaled_as_the_profile_alone() -> None:
    cells = grouped((600.0, OFFICE), (400.0, OFFICE))
    keys = ("login_desktop_iops", "steady_desktop_iops", "steady_total_scale_ratio", "steady_measured_ratio")
    mixed = results(cells, *keys, **MIXED, measured_row=2.0)
    alone = results(cells, *keys, **{**MIXED, "profile": OFFICE}, measured_row=2.0)
    assert mixed == pytest.approx(alone, rel=1e-12)
    assert (mixed["steady_total_scale_ratio"], mixed["steady_measured_ratio"]) == (
        ROWS[1][MEASURED.index("steady")],
        1.0,
    )


def test_groups_take_the_mix_of_a_joint_row_where_all_of_them_have_its_profile() -> None:
    alone = results(filled(mixes=MIXES), *MIX, **{**MIXED, "profile": OFFICE}, measured_row=2.0)
    every = grouped((600.0, OFFICE), (400.0, OFFICE), mixes=MIXES)
    assert results(every, *MIX, **MIXED, measured_row=2.0) == alone
    some = grouped((600.0, OFFICE), (400.0, W11), mixes=MIXES)
    assert results(some, *MIX, **MIXED, measured_row=2.0) == results(some, *MIX, **MIXED)
    assert raised(some, "The joint row is one of Measured", **MIXED, measured_row=2.0) == (False, False)


def test_groups_that_all_have_it_are_sized_from_what_was_measured() -> None:
    words = "measured on 30 desktops, 10 days, 5-minute means; 95 % upper bound"
    keys = ("demand_class", "demand_source")
    every, some = grouped((600.0, OFFICE), (400.0, OFFICE)), grouped((600.0, OFFICE), (400.0, W11))
    assert results(every, *keys, **MIXED) == {"demand_class": "measured here", "demand_source": words}
    assert results(some, "demand_class", **MIXED) == {"demand_class": "published for another generation"}
    assert results(every, "demand_class", **{**MIXED, "profile": W11}) == {"demand_class": "published"}


def test_groups_without_it_take_no_joint_row() -> None:
    cells = grouped((600.0, W11), (400.0, W11))
    assert results(cells, "joint_rows", "joint_row", **MIXED, measured_row=2.0) == {"joint_rows": 0, "joint_row": 0}
    assert raised(cells, "The joint row typed counts", **MIXED, measured_row=2.0) == (True, False)


TOGETHER = {"boot": 0.9, "login": 0.8, "steady": 0.7, "logoff": 0.6, "patching": 0.5}
LABEL = "The joint row is one of Measured"


def by_type(
    *groups: tuple[float, str], together: Mapping[str, float] | None = None, mixes: Sequence[Sequence[float]] = ()
) -> Cells:
    """Return the cells of `grouped` with W11 as the profile of a type, and all desktops over the types together."""
    typed: dict[tuple[str, str], Value] = {(measured.NAME, f"B{measured.TYPE_ROW + 3}"): W11}
    for phase, ratio in (TOGETHER if together is None else together).items():
        typed[measured.NAME, f"{get_column_letter(3 + MEASURED.index(phase))}{measured.TOGETHER_ROW}"] = ratio
    return changed(grouped(*groups, mixes=mixes), typed)


BOTH = ((600.0, OFFICE), (400.0, W11))


def test_groups_with_the_profile_of_a_type_are_measured_here_and_answer_says_so() -> None:
    keys = ("demand_class", "demand_source", "steady_measured_ratio", "joint_rows")
    words = "measured on 30 desktops, 10 days, 5-minute means; 95 % upper bound; by type where a type has enough pilots"
    expected = {
        "demand_class": "measured here",
        "demand_source": words,
        "steady_measured_ratio": 1.0,
        "joint_rows": 2.0,
    }
    assert results(by_type(*BOTH), *keys, **MIXED) == pytest.approx(expected)
    assert str(results(by_type(*BOTH), "group_words", **MIXED)["group_words"]).endswith(f"100% of work {words}")
    of_all = results(by_type((1000.0, OFFICE)), "demand_source", **MIXED)
    assert of_all == {"demand_source": words.removesuffix("; by type where a type has enough pilots")}


def test_a_joint_row_of_groups_by_type_counts_over_the_sum_of_the_types() -> None:
    """The rows are of all desktops; bounds of types add up to another figure than the bound of all."""
    cells = by_type(*BOTH)
    design, second = (results(cells, *ASKED.values(), **MIXED, measured_row=row) for row in (None, 2.0))
    assert design == results(grouped(*BOTH), *ASKED.values(), **MIXED)
    for phase, ratio in zip(MEASURED, ROWS[1], strict=True):
        before, after = design[ASKED[phase]], second[ASKED[phase]]
        if isinstance(before, float):
            assert after == pytest.approx(ratio * TOGETHER[phase] * before, rel=1e-12), phase
    assert isinstance(design["steady_desktop_iops"], float)
    blank = results(by_type(*BOTH, together={}), "steady_desktop_iops", **MIXED, measured_row=2.0)
    steady = ROWS[1][MEASURED.index("steady")]
    assert blank["steady_desktop_iops"] == pytest.approx(steady * float(str(design["steady_desktop_iops"])), rel=1e-12)


def test_groups_with_the_profile_of_all_alone_do_not_see_the_types() -> None:
    every, plain = by_type((600.0, OFFICE), (400.0, OFFICE), mixes=MIXES), grouped((1000.0, OFFICE), mixes=MIXES)
    for typed in (MIXED, {**MIXED, "profile": OFFICE}):
        assert results(every, *ASKED.values(), *MIX, **typed, measured_row=2.0) == pytest.approx(
            results(plain, *ASKED.values(), *MIX, **typed, measured_row=2.0), rel=1e-12
        )


def test_groups_by_type_keep_their_read_share_and_block_size() -> None:
    """A row has the mix of all desktops together; groups in other numbers than measured have another."""
    cells = by_type(*BOTH, mixes=MIXES)
    design, second = (results(cells, *MIX, **MIXED, measured_row=row) for row in (None, 2.0))
    assert design == second
    assert raised(cells, LABEL, **MIXED, measured_row=2.0) == (False, False)


def test_the_profile_of_a_type_alone_is_measured_and_takes_no_joint_row_of_all() -> None:
    alone: Inputs = {"profile": W11, "provisioning": "MCS pooled"}
    keys = ("demand_class", "demand_source", "joint_rows")
    assert results(by_type(), *keys, **alone) == {
        "demand_class": "measured here",
        "demand_source": f"measured here: {W11}",
        "joint_rows": 0,
    }
    assert raised(by_type(), "The joint row typed counts", **alone, measured_row=2.0) == (True, False)


def test_a_word_in_place_of_a_figure_of_a_type_is_an_error() -> None:
    words = changed(by_type(*BOTH), {(measured.NAME, f"I{measured.TYPE_ROW}"): "small"})
    assert raised(words, f"{measured.NAME}: figures are numbers") == (True, True)
    factor = changed(by_type(*BOTH), {(measured.NAME, f"D{measured.TOGETHER_ROW}"): "most"})
    assert raised(factor, f"{measured.NAME}: figures are numbers") == (True, True)
