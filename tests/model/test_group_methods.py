"""User groups with methods, memory and disks of their own: what each stores and does alone adds up."""

from functools import partial
from random import Random

import pytest

from addin.kernel import Address, Cells, Evaluator, Scalar
from model.layout.grid import FIRST_ROW, MIX, OWN_METHODS, OWN_PROFILES
from model.sheets.catalogue import user_groups
from model.sheets.proof import checks
from tests.model.test_user_groups import OFFICE, POWER, PROFILES, W11
from tests.support.answers import answers, changed
from tests.support.input_sets import Inputs, own_arrays
from tests.support.own_rows import own_cells
from tests.support.shipped import built, built_cells

BUILT, CELLS = built(), built_cells()
METHODS = ("PVS", "MCS pooled", "MCS + Personal vDisk", "Full clone", "Linked clone")
FULL, MCS = "Full clone", "MCS pooled"
W11_PVS = "Knowledge worker W11 PVS (RA-2022 2024)"
# before data reduction; I/Os of all machines
ADDED = ("desktops_stored_gib", "swap_stored_gib", "user_data_stored_gib")
WORK = {"method_boot_likely": "active", "method_patch_ios": "all", "method_provision_ios": "all"}
# users, share at work, profile, method, memory, disk
Group = tuple[int, float | None, str, str | None, float | None, float | None]
PLAIN: Inputs = {"growth_ratio": 0.0, "hypervisor": "vSphere"}


def mixed(groups: tuple[Group, ...], *keys: str, **more: float | str) -> tuple[Scalar, ...]:
    return mixed_in(CELLS, groups, *keys, **more)


def mixed_in(cells: Cells, groups: tuple[Group, ...], *keys: str, **more: float | str) -> tuple[Scalar, ...]:
    """Return results of the design that all groups make, each with its own method."""
    typed = {
        (user_groups.NAME, f"{letter}{row}"): value
        for row, group in enumerate(groups, FIRST_ROW)
        for letter, value in zip("CDEFGH", group, strict=True)
    }
    users = sum(group[0] for group in groups)
    active = sum(group[0] * (1 if group[1] is None else group[1]) for group in groups)
    design = {
        **PLAIN,
        "profile": MIX,
        "provisioning": MIX,
        "desktops": users,
        "concurrent_ratio": active / users,
        **more,
    }
    return answers(BUILT, changed(cells, typed), [design], *keys)[0]


def alone(group: Group, *keys: str, **more: float | str) -> tuple[Scalar, ...]:
    return alone_in(CELLS, group, *keys, **more)


def alone_in(cells: Cells, group: Group, *keys: str, **more: float | str) -> tuple[Scalar, ...]:
    """Return the results of a group as a design of its own."""
    users, share, profile, method, ram, disk = group
    sizes = {key: value for key, value in (("ram_gib", ram), ("disk_gib", disk)) if value is not None}
    own: Inputs = {"profile": profile, "provisioning": str(method), "desktops": users, "concurrent_ratio": share or 1}
    return answers(BUILT, cells, [{**PLAIN, **own, **sizes, **more}], *keys)[0]


@pytest.mark.parametrize("phase", ["patching", "provisioning"])
def test_groups_without_patches_or_copies_do_not_slow_those_of_others(phase: str) -> None:
    """1,500 full clones take the streams alone, with 1,500 users of PVS beside them: 3 arrays were 2."""
    clones, streamed = (1500, None, W11, FULL, None, None), (1500, None, W11, "PVS", None, None)
    keys = (f"{phase}_iops", f"{phase}_throttle_min", f"{phase}_machines", f"{phase}_advice")
    more = {"patch_wanted_min": 600.0, "provision_wanted_min": 600.0}
    found, wanted = mixed((clones, streamed), *keys, **more), alone(clones, *keys, **more)
    assert found[0] == pytest.approx(float(str(wanted[0])), rel=1e-9)
    assert found[1:] == wanted[1:]
    fast = {
        "patch_streams": 40.0,
        "provision_rate_per_min": 200.0,
        "patch_wanted_min": 30.0,
        "provision_wanted_min": 10.0,
    }
    (limit,), (own,) = (
        sized(f"{phase}_per_desktop", **fast) for sized in (partial(mixed, (clones, streamed)), partial(alone, clones))
    )
    assert float(str(own)) > 0
    assert limit == pytest.approx(float(str(own)) / 2, rel=1e-9)  # of a desktop: half of them have the work
    (every,) = mixed((clones, streamed), f"{phase}_machines", ios_per_patch=900.0, ios_per_provisioning=900.0)
    assert every == 3000  # own I/Os are those of each machine


def random_groups(random: Random) -> tuple[Group, ...]:
    def one() -> Group:
        share, ram, disk = random.choice((None, 0.5)), random.choice((None, 4.0, 16.0)), random.choice((None, 60.0))
        return random.randint(1, 3000), share, random.choice(PROFILES), random.choice(METHODS), ram, disk

    return tuple(one() for _ in range(random.randint(2, 6)))


@pytest.mark.parametrize("seed", range(20))
def test_what_groups_store_and_do_by_their_methods_adds_up(seed: int) -> None:
    groups = random_groups(Random(seed))
    keys = (*ADDED, *WORK)
    together = dict(zip(keys, mixed(groups, *keys), strict=True))
    parts = [dict(zip(keys, alone(group, *keys), strict=True)) for group in groups]
    for key in ADDED:
        wanted = sum(float(str(part[key])) for part in parts)
        assert float(str(together[key])) == pytest.approx(wanted, rel=1e-9, abs=1e-9), key
    for key, weight in WORK.items():
        machines = [group[0] * (1 if weight == "all" or group[1] is None else group[1]) for group in groups]
        wanted = sum(n * float(str(part[key])) for n, part in zip(machines, parts, strict=True))
        assert float(str(together[key])) * sum(machines) == pytest.approx(wanted, rel=1e-9), key


@pytest.mark.parametrize("method", METHODS)
def test_one_group_with_a_method_is_the_design_of_that_method(method: str) -> None:
    group: Group = (1500, None, OFFICE, method, None, None)
    keys = ("capacity_required_gib", "boot_asked_iops", "patching_asked_iops", "ratio_normal", "disk_reduction_likely")
    wanted = alone(group, *keys)
    assert mixed((group,), *keys) == pytest.approx(wanted, rel=1e-12)


def test_persistent_full_clones_beside_pooled_desktops_keep_their_own_rules() -> None:
    """One fifth with a disk of 100 GiB of their own: images as for MCS, disks and patching as for full clones."""
    groups: tuple[Group, ...] = ((1200, None, OFFICE, MCS, None, None), (300, None, OFFICE, FULL, 8.0, 100.0))
    keys = ("disk_stored_gib", "datastore_images_gib", "method_patch_ios", "image_reduction")
    disk, images, patch, _ = mixed(groups, *keys)
    full = alone(groups[1], *keys)
    assert float(str(disk)) * 1500 == pytest.approx(float(str(full[0])) * 300)
    assert images == alone(groups[0], *keys)[1]
    assert float(str(patch)) == pytest.approx(float(str(full[2])) / 5)


@pytest.mark.parametrize(("cache", "disk"), [(1.0, 1.0), (0.75, 0.1), (1.0, 0.2)])
def test_the_reduction_of_the_mix_gives_what_each_group_stores_over_its_own(cache: float, disk: float) -> None:
    """Without personal vDisks the physical disks add up: weighted by provisioned sizes, they were 11 % too small."""
    groups: tuple[Group, ...] = (
        (1200, None, OFFICE, "Linked clone", None, None),
        (300, None, OFFICE, FULL, None, 100.0),
    )
    written = {"write_cache_used_ratio": cache, "disk_used_ratio": disk}
    (together,) = mixed(groups, "disks_physical_gib", **written)
    parts = [float(str(alone(group, "disks_physical_gib", **written)[0])) for group in groups]
    assert float(str(together)) == pytest.approx(sum(parts), rel=1e-9)


@pytest.mark.parametrize("size", [{"write_cache_gib": 60.0}, {"disk_gib": 80.0}, {"ram_gib": 16.0}])
def test_a_size_typed_for_all_groups_weighs_their_methods(size: dict[str, float]) -> None:
    """2,000 write caches of 60 GiB at 1.2:1 are 100,000 GiB: weighted by those of the profiles, 56 % were missing."""
    groups: tuple[Group, ...] = ((2000, None, W11_PVS, "PVS", None, None), (2000, None, W11, FULL, None, None))
    for key in ("disks_physical_gib", "swap_stored_gib", "desktops_stored_gib"):
        (together,) = mixed(groups, key, **size)
        parts = [float(str(alone(group, key, **size)[0])) for group in groups]
        assert float(str(together)) == pytest.approx(sum(parts), rel=1e-9), key


def test_one_user_of_a_slow_broker_does_not_slow_the_boot_of_all() -> None:
    """A profile of one's own that starts 1 desktop a minute: one user of it beside 3,000 left a 50th of the IOPS."""
    own = {"login_iops": 12.0, "steady_iops": 6.0, "read_ratio": 0.3, "block_kib": 16.0, "start_rate_per_min": 1.0}
    cells = changed(CELLS, own_cells(BUILT, {OWN_PROFILES[0]: own}))
    groups: tuple[Group, ...] = ((3000, None, W11, MCS, None, None), (1, None, OWN_PROFILES[0], MCS, None, None))
    ((before,), (after,)) = alone(groups[0], "boot_asked_iops"), mixed_in(cells, groups, "boot_asked_iops")
    assert float(str(after)) == pytest.approx(float(str(before)), rel=0.001)


def test_what_the_array_is_sold_with_caps_the_reduction_of_each_group() -> None:
    """PVS at 1.2:1, full clones at 3:1, not 4: the mean of 1.2 and 4 is below 3, so a cap of it took nothing off."""
    card: Inputs = {
        **{"capacity_tb": 40.0, "capacity_kind": "usable", "iops": 200000.0, "read_ratio": 0.7, "latency_ms": 1.0},
        **{"controllers_active": 2.0, "inline_reduction": 1.0, "reduction_ratio": 3.0},
    }
    cells = changed(CELLS, own_arrays(BUILT, [card]))
    groups: tuple[Group, ...] = ((2000, None, W11_PVS, "PVS", None, None), (2000, None, W11, FULL, None, None))
    key, array = "disks_physical_gib", {"array": "My array 1"}
    (together,) = mixed_in(cells, groups, key, **array)
    parts = [float(str(alone_in(cells, group, key, **array)[0])) for group in groups]
    assert parts[1] == pytest.approx(4 / 3 * float(str(alone(groups[1], key)[0])))
    assert float(str(together)) == pytest.approx(sum(parts), rel=1e-9)


@pytest.mark.parametrize("provisioning", [MIX, MCS])
def test_a_group_whose_boot_nobody_measured_leaves_the_others_theirs(provisioning: str) -> None:
    """1,500 boots of 47,009 I/Os beside 100 by the method: one such group gave the method's to all."""
    method = MCS if provisioning == MIX else None
    groups: tuple[Group, ...] = ((1500, None, W11, method, None, None), (100, None, POWER, method, None, None))
    more: dict[str, float | str] = {"provisioning": provisioning, "boot_work_ratio": 1.2}
    (work,) = mixed(groups, "boot_work_ios", **more)
    parts = [alone((*group[:3], MCS, None, None), "boot_work_ios", boot_work_ratio=1.2)[0] for group in groups]
    assert float(str(parts[0])) > float(str(parts[1])) == 36000
    assert work == pytest.approx((1500 * float(str(parts[0])) + 100 * 36000) / 1600, rel=1e-9)


def test_a_group_without_a_method_gives_no_answer_and_says_why() -> None:
    groups: tuple[Group, ...] = ((1200, None, OFFICE, MCS, None, None), (300, None, W11, None, None, None))
    words, arrays = mixed(groups, "missing_words", "arrays_required")
    assert "Type a method for each group on User groups." in str(words)
    assert not isinstance(arrays, float) or arrays <= 0


@pytest.mark.parametrize(("method", "provisioning", "raised"), [(MCS, MCS, 1), (None, MCS, 0), (MCS, MIX, 0)])
def test_methods_that_do_not_count_are_named(method: str | None, provisioning: str, raised: int) -> None:
    groups: tuple[Group, ...] = ((1200, None, OFFICE, method, None, None),)
    assert mixed(groups, "group_methods_unused", provisioning=provisioning) == (raised,)
    every = checks.checks(BUILT.data, BUILT.layout)
    (check,) = (each for each in every if each.label == "The methods of user groups apply")
    assert check.reads == BUILT.layout.cell("group_methods_unused")


@pytest.mark.parametrize("figures", [{}, {"write_cache": 1.0, "plain_likely": 3.0, "inline_likely": 3.0}])
def test_a_group_on_a_method_of_ones_own_leaves_no_error(figures: dict[str, float]) -> None:
    """A method of one's own has no ends of a range: Answer read #DIV/0!. Its reduction counts at both ends."""
    cells = changed(CELLS, own_cells(BUILT, {OWN_METHODS[0]: figures}))
    groups: tuple[Group, ...] = ((900, None, W11, MCS, None, None), (300, None, W11, OWN_METHODS[0], None, None))
    ends = mixed_in(cells, groups, "disk_low", "disk_high", "assumed_figures", "demand_words")
    assert not any(str(each).startswith("#") for each in ends)
    mixed_ends = [float(str(each)) for each in ends[:2]]
    stored = [float(str(alone_in(cells, group, "write_cache_stored_gib")[0])) * group[0] for group in groups]
    mcs = [float(str(each)) for each in alone(groups[0], "disk_low", "disk_high")]
    own = figures.get("plain_likely", 1.0)
    for found, end in zip(mixed_ends, mcs, strict=True):
        assert found == pytest.approx(sum(stored) / (stored[0] / end + stored[1] / own), rel=1e-9)


def test_a_method_that_nobody_has_heard_of_gives_no_answer() -> None:
    (words,) = mixed(((1200, None, OFFICE, "No such method", None, None),), "missing_words")
    assert "Type a method for each group" in str(words)


@pytest.mark.parametrize(("ram", "disk", "count"), [(None, None, 0), (8.0, 60.0, 0), (-8.0, None, 1), (8.0, -1.0, 1)])
def test_a_size_below_zero_is_counted_and_not_taken(ram: float | None, disk: float | None, count: int) -> None:
    group: Group = (1000, None, POWER, FULL, ram, disk)
    typed = {(MIX, f"{letter}{FIRST_ROW}"): value for letter, value in zip("CDEFGH", group, strict=True)}
    evaluator = Evaluator(changed(CELLS, typed))
    assert evaluator.value(Address(MIX, FIRST_ROW, 10)) == count
    assert min(map(float, map(str, mixed((group,), "ram_gib", "disk_gib")))) >= 0


def test_a_profile_under_the_method_of_another_group_is_named() -> None:
    """W11 was measured under MCS: with full clones it does not fit, though another group's profile would."""
    fits = mixed(((900, None, W11, MCS, None, None), (300, None, W11, "Linked clone", None, None)), "method_family")
    differs = mixed(((900, None, W11, MCS, None, None), (300, None, W11, FULL, None, None)), "method_family")
    assert fits == ("MCS",)
    assert differs == ("the method of each group",)


def test_memory_and_disk_that_a_group_types_come_before_those_of_its_profile() -> None:
    typed: Group = (1000, None, POWER, FULL, 12.0, 80.0)
    assert mixed((typed,), "ram_gib", "disk_gib") == (12.0, 80.0)
    half: tuple[Group, ...] = (typed, (1000, None, POWER, FULL, 4.0, 40.0))
    assert mixed(half, "ram_gib", "disk_gib") == pytest.approx((8.0, 60.0))
    assert mixed(half, "ram_gib", ram_gib=6.0) == (6.0,)  # typed on Inputs it is that of all


def test_a_method_of_ones_own_that_lacks_a_figure_leaves_that_of_the_mix_unknown() -> None:
    groups: tuple[Group, ...] = ((1200, None, OFFICE, MCS, None, None), (300, None, OFFICE, OWN_METHODS[0], None, None))
    boot, stores = mixed(groups, "method_boot_likely", "method_stores_missing")
    assert float(str(boot)) < 0
    assert stores == 1
