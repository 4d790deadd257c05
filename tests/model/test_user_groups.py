"""User groups: loads of mixed estates add up to the last bit of what each group asks for alone."""

from itertools import product
from random import Random

import pytest

from addin.kernel import Address, Cells, Evaluator, Scalar
from model.layout.grid import FIRST_ROW, GROUP_ROWS, MIX, OWN_PROFILES
from model.sheets.catalogue import mix, user_groups
from model.sheets.proof import checks
from tests.support.answers import answers, changed
from tests.support.input_sets import Inputs
from tests.support.own_rows import own_cells
from tests.support.shipped import built, built_cells

BUILT, CELLS = built(), built_cells()
W11, W10, OFFICE, POWER = (
    "Knowledge worker W11 MCS (RA-2022 2024)",
    "Knowledge worker W10 MCS (RA-2053 2024)",
    "Office worker MCS + PvD (K2)",
    "Power user 40 IOPS (CML 2014)",
)
PROFILES = (W11, W10, OFFICE, POWER)
STEADY = "steady_desktop_iops"
LOADS = (STEADY, "logoff_users_iops")
MIX_OF_WORK = ("steady_read_ratio", "steady_block_kib")
LOGIN = ("login_desktop_iops", "login_duration_s")
MIXED: Inputs = {"profile": MIX, "provisioning": "MCS pooled"}
Groups = tuple[tuple[float | str | None, float | None, str | None], ...]


def with_groups(groups: Groups, cells: Cells = CELLS) -> Cells:
    """Return the cells with (users, share at work, profile) typed of some groups."""
    typed = {}
    for row, values in enumerate(groups, FIRST_ROW):
        for letter, value in zip("CDE", values, strict=True):
            typed[user_groups.NAME, f"{letter}{row}"] = value
    return changed(cells, typed)


def mixed(groups: Groups, *keys: str, cells: Cells = CELLS, **more: float | str) -> tuple[Scalar, ...]:
    """Return results of the design that all groups make, its users and share at work those of the groups."""
    users = sum(float(users or 0) for users, _, _ in groups if not isinstance(users, str))
    active = sum(
        float(users or 0) * (1 if share is None else share) for users, share, _ in groups if not isinstance(users, str)
    )
    design = {**MIXED, "desktops": users or 1, "concurrent_ratio": active / users if users else 1, **more}
    return answers(BUILT, with_groups(groups, cells), [design], *keys)[0]


def alone(groups: Groups, *keys: str, **more: float | str) -> list[tuple[Scalar, ...]]:
    """Return the results of each group as a design of its own."""
    designs: list[Inputs] = [
        {**MIXED, "profile": str(profile), "desktops": users, "concurrent_ratio": 1 if share is None else share, **more}
        for users, share, profile in groups
    ]
    return answers(BUILT, CELLS, designs, *keys)


def random_groups(random: Random) -> Groups:
    return tuple(
        (
            random.randint(1, 4000),
            random.choice((None, 0.5, 1.0, round(random.uniform(0.05, 1), 3))),
            random.choice(PROFILES),
        )
        for _ in range(random.randint(1, len(GROUP_ROWS)))
    )


HOSTS = "Knowledge worker session hosts MCS (RA-2137 2023)"


@pytest.mark.parametrize("share", [0.0, 0.02, 0.2, 1.0])
def test_machines_in_use_are_those_of_each_group(share: float) -> None:
    """2,000 of their own and 8,000 on hosts of 10, a fifth at work: 2,160 machines; 1,008 were booted, half of them."""
    groups: Groups = ((2000, 1.0, W11), (8000, share, HOSTS))
    keys = ("active_machines", "boot_desktops", "cold_desktops", "ratio_largest")
    together = [float(str(value)) for value in mixed(groups, *keys)]
    parts = [[float(str(value)) for value in values] for values in alone(groups, *keys)]
    assert together[0] == pytest.approx(2000 + 800 * share, rel=1e-12)
    assert together[:3] == pytest.approx([sum(values) for values in zip(*parts, strict=True)][:3], rel=1e-12)
    assert together[3] >= parts[0][3] * (1 - 1e-12)  # more users never take less


def login_adds(design: dict[str, float]) -> float:
    """Return the I/Os that logins add to the work that goes on before and after them."""
    return (design["login_desktop_iops"] - design[STEADY]) * design["login_duration_s"]


@pytest.mark.parametrize("window", [None, 60.0, 90.0])
def test_logins_of_two_busy_periods_add_up(window: float | None) -> None:
    """By hand 94,256 IOPS in 48 minutes; 17 % were lost, and 1,500 users more took less than the others alone.

    So do reads and bytes, by the load at the peak: by that of the busy periods alone bytes were 15 % too many.
    """
    more: dict[str, float | str] = {} if window is None else {"login_window_min": window}
    keys = ("login_iops", "login_read_ratio", "login_block_kib")
    for first, second in ((W11, "Office worker full clone Monday (NTP 2016)"), (W10, OFFICE)):
        groups: Groups = ((1500, None, first), (700, None, second))
        together, *parts = (
            [float(str(value)) for value in values]
            for values in (mixed(groups, *keys, cells=CELLS, **more), *alone(groups, *keys, **more))
        )
        assert together[0] == pytest.approx(sum(part[0] for part in parts), rel=1e-9)
        for at in (1, 2):
            moved = sum(part[0] * part[at] for part in parts)
            assert together[0] * together[at] == pytest.approx(moved, rel=1e-9), (first, keys[at])


@pytest.mark.parametrize("seed", range(30))
def test_what_groups_ask_for_is_what_each_asks_for_alone_added_up(seed: int) -> None:
    groups = random_groups(Random(seed))
    keys = (*LOADS, *MIX_OF_WORK, *LOGIN)
    together, *parts = (
        dict(zip(keys, map(float, map(str, values)), strict=True))
        for values in (mixed(groups, *keys), *alone(groups, *keys))
    )
    for load in LOADS:
        loads = [part[load] for part in parts]
        assert together[load] == (min(loads) if min(loads) < 0 else pytest.approx(sum(loads), rel=1e-9)), load
    for share in MIX_OF_WORK:  # reads and bytes
        moved = sum(part[STEADY] * part[share] for part in parts)
        assert together[STEADY] * together[share] == pytest.approx(moved, rel=1e-9), share
    added, *each = (login_adds(values) for values in (together, *parts))
    assert added == pytest.approx(sum(each), rel=1e-9)


def test_one_group_is_the_design_of_its_profile_to_the_last_bit() -> None:
    keys = tuple(
        key
        for key, (sheet, _) in BUILT.layout.lines.items()
        if sheet in ("Demand", "Capacity", "Performance", "Sizing", "Latency", "Storms")
    )
    for profile in PROFILES:
        (one,) = alone(((1500, None, profile),), *keys)
        differing = [key for key, a, b in zip(keys, one, mixed(((1500, None, profile),), *keys), strict=True) if a != b]
        # what says which profile it is, and what the method would give where the boot was measured: of no group
        named = ("_source", "_source_row", "profile_told", "groups_published", "boot_likely_ios")
        assert all(key.endswith(named) for key in differing), (profile, differing)


@pytest.mark.parametrize("parts", [(2, 1), (3, 2), (4, 2)])
def test_splitting_a_group_into_identical_ones_changes_nothing(parts: tuple[int, int]) -> None:
    first, second = parts
    keys = ("ratio_normal", "need_after_failure", "capacity_required_gib", "login_asked_iops", "boot_asked_iops")
    whole = mixed(((1200, 0.9, W11), (600, None, POWER)), *keys)
    split = mixed((*((1200 / first, 0.9, W11),) * first, *((600 / second, None, POWER),) * second), *keys)
    assert split == pytest.approx(whole, rel=1e-12)


def test_a_group_in_any_row_counts_alike() -> None:
    keys = ("ratio_normal", "capacity_required_gib", "login_asked_iops")
    groups: Groups = ((900, None, W11), (600, 0.8, OFFICE))
    blank: Groups = ((None, None, None),)
    assert mixed((*groups[:1], *blank * 3, *groups[1:]), *keys) == pytest.approx(mixed(groups, *keys), rel=1e-12)


def test_users_of_the_design_scale_all_groups() -> None:
    groups: Groups = ((900, None, W11), (600, None, OFFICE))
    (once,), (twice,) = (mixed(groups, "steady_desktop_iops", desktops=users) for users in (1500, 3000))
    assert float(str(twice)) == pytest.approx(2 * float(str(once)), rel=1e-12)
    assert mixed(groups, "group_gap") == (0,)
    assert mixed(groups, "group_gap", desktops=3000.0) == (1,)
    assert mixed(groups, "group_gap", concurrent_ratio=0.5) == (1,)


def test_groups_that_no_design_has_as_its_workload_are_named_in_an_alert() -> None:
    groups: Groups = ((900, None, W11), (600, None, OFFICE))
    sheet, cell = checks.alerts_cell(BUILT.data, BUILT.layout)
    column, row = BUILT.layout.inputs["profile"]
    base, what_if = (f"{letter}{row}" for letter in "DE")
    at = Address.from_a1(f"{sheet}!{cell.replace('$', '')}")
    start = BUILT.layout.typed("profile")
    for typed, expected in (({}, True), ({start: MIX}, False), ({(column, what_if): MIX}, False)):
        words = str(Evaluator(changed(with_groups(groups), typed)).value(at))
        assert ("the user groups typed are ignored" in words) is expected, (typed, base)
    assert "user groups" not in str(Evaluator(with_groups(())).value(at))


@pytest.mark.parametrize("key", mix.WEIGHING)
def test_a_what_if_with_another_weight_of_the_groups_is_an_alert(key: str) -> None:
    """The groups are weighed once, by the base's figures: a what-if with its own took 3 arrays for 4, unsaid."""
    groups: Groups = ((900, None, W11), (600, None, OFFICE))
    sheet, cell = checks.alerts_cell(BUILT.data, BUILT.layout)
    at = Address.from_a1(f"{sheet}!{cell.replace('$', '')}")
    column, row = BUILT.layout.inputs[key]
    base = {BUILT.layout.typed("profile"): MIX}
    for typed, expected in (({}, False), ({BUILT.layout.typed(key): 0.9}, False), ({(column, f"F{row}"): 0.9}, True)):
        words = str(Evaluator(changed(with_groups(groups), {**base, **typed})).value(at))
        assert ("a what-if weighs the user groups by the base's figures" in words) is expected, typed


def test_a_what_if_takes_the_groups_over_and_one_with_another_profile_leaves_them() -> None:
    groups: Groups = ((900, None, W11), (600, None, OFFICE))
    designs: list[Inputs] = [{**MIXED, "desktops": 1500}, {"array": "Kaminario K2 (2013)"}, {"profile": W11}]
    (base, one, other) = answers(BUILT, with_groups(groups), designs, "steady_desktop_iops")
    assert one == base != other
    assert other == alone(((1500, None, W11),), "steady_desktop_iops")[0]


@pytest.mark.parametrize(
    ("group", "count"),
    [
        ((500, None, None), 1),
        ((None, None, W11), 1),
        (("many", None, W11), 1),
        ((500, 2.0, W11), 1),
        ((500, 0.5, W11), 0),
        ((500, None, W11), 0),
        ((None, None, None), 0),
    ],
)
def test_what_a_group_lacks_is_counted(group: tuple[float | str | None, float | None, str | None], count: int) -> None:
    evaluator = Evaluator(with_groups(((900, None, W11), group)))
    assert evaluator.value(Address.from_a1(f"'{MIX}'!J{FIRST_ROW + 1}")) == count


@pytest.mark.parametrize(
    ("group", "label"),
    [
        (("many", None, W11), "User groups: figures are numbers"),
        ((500, None, None), "Every user group is blank or complete"),
        ((500, 2.0, W11), "Every user group is blank or complete"),
    ],
)
def test_a_group_that_is_not_complete_never_leaves_the_banner_green(
    group: tuple[float | str | None, float | None, str | None], label: str
) -> None:
    for groups, found in ((((900, None, W11),), 0), (((900, None, W11), group), 1)):
        evaluator = Evaluator(with_groups(groups))
        (check,) = (each for each in checks.checks(BUILT.data, BUILT.layout) if each.label == label)
        sheet, place = check.reads
        count = evaluator.value(Address.from_a1(f"'{sheet}'!{place}"))
        assert (float(str(count)) > check.bounds[1]) == bool(found), (groups, count)


def test_a_group_without_a_profile_leaves_every_load_unchecked_and_never_counts_as_nothing() -> None:
    for profile in (None, "No such profile"):
        groups: Groups = ((900, None, W11), (600, None, profile))
        loads = mixed(groups, "login_asked_iops", "steady_iops")
        assert all(float(str(load)) < 0 for load in loads), (profile, loads)
        assert "steady demand" in str(mixed(groups, "constraints_unchecked")[0])


def test_without_a_group_there_is_no_profile() -> None:
    (missing,) = mixed((), "missing_words")
    assert "fill User groups: users, profile" in str(missing)


def test_a_figure_that_one_group_lacks_is_missing_for_all() -> None:
    own = changed(CELLS, own_cells(BUILT, {OWN_PROFILES[0]: {"steady_iops": 10.0, "login_iops": 20.0}}))
    read, block = mixed(
        ((900, None, W11), (600, None, OWN_PROFILES[0])), "steady_mix_missing", "steady_block_missing", cells=own
    )
    assert (read, block) == (1, 1)


def test_a_general_default_that_a_group_takes_is_named() -> None:
    own: dict[str, float | str | None] = {"login_iops": 20.0, "steady_iops": 10.0, "read_ratio": 0.3, "block_kib": 16.0}
    cells = changed(CELLS, own_cells(BUILT, {OWN_PROFILES[0]: own}))
    groups: Groups = ((900, None, OFFICE), (600, None, OWN_PROFILES[0]))
    (words,) = mixed(groups, "login_window_min_general", cells=cells)
    assert "login window" in str(words)


def test_the_share_of_every_group_is_named() -> None:
    (words,) = mixed(((750, None, W11), (250, None, POWER)), "group_words")
    assert str(words).startswith("Group 1 75% of users, "), words
    assert "; Group 2 25% of users, " in str(words)
    assert answers(BUILT, CELLS, [{"profile": W11}], "group_words") == [("none",)]


def test_a_group_takes_figures_of_its_own_and_is_named_where_it_has_none() -> None:
    """By hand: 600 desktops of 44 / 3 IOPS beside 400 of 5.5 are 8,800 and 2,200 IOPS, 80 % and 20 % of the work."""
    own = OWN_PROFILES[0]
    groups: Groups = ((600, None, OFFICE), (400, None, own))
    words, state, unchecked = mixed(groups, "group_words", "status", "constraints_unchecked")
    assert words == (
        "Group 1 60% of users, some of login, some of work; Group 2 40% of users, no figure of login, no figure of work"
    )
    assert str(state).startswith("at least")
    assert "steady demand" in str(unchecked)
    figures = {own: {"login_iops": 22.0, "steady_iops": 5.5, "read_ratio": 0.4, "block_kib": 16.0}}
    words, work = mixed(groups, "group_words", STEADY, cells=changed(CELLS, own_cells(BUILT, figures)))
    assert [part.rpartition(", ")[2] for part in str(words).split("; ")] == ["80% of work", "20% of work"]
    assert work == pytest.approx(11_000, rel=1e-5)  # K2's 14.6667 has six digits


def test_the_state_of_a_group_says_what_its_own_profile_lacks_and_where_it_is_typed() -> None:
    own, groups = OWN_PROFILES[0], ((600, None, W11), (400, None, OWN_PROFILES[0]), (None, None, OWN_PROFILES[0]))
    whole: dict[str, float | str | None] = {"login_iops": 22.0, "steady_iops": 5.5, "logoff_ios": 9000.0}
    whole |= {"read_ratio": 0.4, "block_kib": 16.0}
    part = {key: value for key, value in whole.items() if key not in ("login_iops", "block_kib")}
    states = {
        "empty: type C to H on My profiles": {},
        "missing on My profiles: login, block size, type it": part,
        "complete; type memory, cache, image, disk, else assumed": whole,
    }
    for words, figures in states.items():
        evaluator = Evaluator(with_groups(groups, changed(CELLS, own_cells(BUILT, {own: figures}))))
        found = [evaluator.value(Address.from_a1(f"'{user_groups.NAME}'!B{FIRST_ROW + at}")) for at in range(4)]
        assert found == ["complete", words, "needs users, share, profile", "empty: type users and profile"]


def test_every_pair_of_profiles_is_compared_with_the_method() -> None:
    for first, second in product((W11, "Knowledge worker W11 PVS (RA-2022 2024)"), repeat=2):
        (unmeasured,) = mixed(((900, None, first), (600, None, second)), "pair_unmeasured")
        assert unmeasured == int("PVS" in first + second), (first, second)


def test_an_own_profile_without_a_year_hides_no_old_one() -> None:
    own: dict[str, float | str | None] = {"login_iops": 20.0, "steady_iops": 10.0, "read_ratio": 0.3, "block_kib": 16.0}
    cells = changed(CELLS, own_cells(BUILT, {OWN_PROFILES[0]: own}))
    groups: Groups = ((900, None, POWER), (600, None, OWN_PROFILES[0]))
    assert mixed(groups, "profile_year", "profile_too_old", cells=cells) == (2014, 1)


@pytest.mark.parametrize(
    ("inside", "twice"), [(("yes", "no"), 1), (("no", "yes"), 1), (("no", "no"), 0), (("no", None), 0)]
)
def test_local_profiles_inside_one_group_are_seen_beside_containers(
    inside: tuple[str | None, str | None], twice: int
) -> None:
    line: dict[str, float | str | None] = {
        "login_iops": 20.0,
        "steady_iops": 10.0,
        "read_ratio": 0.3,
        "block_kib": 16.0,
    }
    rows = {name: {**line, "local_profile": each} for name, each in zip(OWN_PROFILES, inside, strict=False)}
    groups: Groups = ((900, None, OWN_PROFILES[0]), (600, None, OWN_PROFILES[1]))
    cells = changed(CELLS, own_cells(BUILT, rows))
    assert mixed(groups, "profile_counted_twice", cells=cells, container_place="this array") == (twice,)


def test_what_two_profiles_assume_is_named_once() -> None:
    groups: Groups = ((900, None, W11), (600, None, POWER), (100, None, W10))
    (words,) = mixed(groups, "profile_words")
    named = str(words).removeprefix("; its profile assumes: ").split(", ")
    assert len(named) == len(set(named)) > 2, words
    for profile in (W11, POWER, W10):
        ((alone_words,),) = alone(((900, None, profile),), "profile_words")
        assert set(str(alone_words).removeprefix("; its profile assumes: ").split(", ")) <= {*named, ""}
