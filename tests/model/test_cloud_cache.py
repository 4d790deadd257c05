"""Cloud Cache: what it puts on the machines and leaves at each provider, by hand from TN-2077, in every place.

By hand unless said: the test had 1,000 users who log in within 48 minutes. A provider saw at most 6,570 IOPS, the
machines' cluster 100,267 in place of 25,689.
"""

import itertools
from collections.abc import Mapping

import pytest

from model.reading.choices import ON_CLOUD_SHARE
from tests.support.answers import answers, numbers
from tests.support.input_sets import Value
from tests.support.shipped import reference, reference_cells

BUILT = reference()
CELLS = reference_cells()
ONE, TWO = "Cloud Cache, one provider", "Cloud Cache, two providers"
PLACES = ("this array", "another array", "elsewhere", ON_CLOUD_SHARE)
USERS: dict[str, Value] = {
    "container_place": ON_CLOUD_SHARE,
    "container_gib": 30.0,
    "desktops": 1000.0,
    "capacity_headroom_ratio": 0.0,
    "login_window_min": 48.0,
    "logoff_window_min": 48.0,
    "share_service": "Azure Files SSD v1",
}
CACHE: dict[str, Value] = {**USERS, "container_share": TWO}


def results(design: Mapping[str, Value], *keys: str) -> list[float]:
    return numbers(BUILT, CELLS, dict(design), *keys)


def texts(design: Mapping[str, Value], *keys: str) -> tuple[str, ...]:
    (values,) = answers(BUILT, CELLS, [dict(design)], *keys)
    return tuple(map(str, values))


# ---- what was measured -------------------------------------------------------------------------------


def test_the_peaks_are_those_measured_within_a_percent() -> None:
    (asked,) = results(CACHE, "share_signin_iops")
    assert asked / 2 == pytest.approx(6_570, rel=0.01)
    with_it, without = (results(design, "login_iops", "steady_iops") for design in (CACHE, USERS))
    assert with_it[0] - without[0] == pytest.approx(100_267 - 25_689, rel=0.01)
    settled = 83_726 - 11_882  # read off the curves of steady work: the peak is what is counted
    assert settled < with_it[1] - without[1] == pytest.approx(settled, rel=0.04)


def test_a_provider_has_larger_blocks_than_a_share_without_it() -> None:
    """132 MB/s over 4,353 IOPS are 30.3 KB."""
    iops, moved = results(CACHE, "share_peak_iops", "share_peak_mib")
    assert moved / iops * 1024 == pytest.approx(132e6 / 4_353 / 1024, rel=1e-4)


def test_what_it_writes_to_the_machines_weighs_on_the_read_share_and_not_on_the_block_size() -> None:
    keys = ("steady_mix_read_ratio", "steady_mix_block_kib", "steady_iops")
    (alone, block, iops), (mixed, same, more) = results(USERS, *keys), results(CACHE, *keys)
    read = 13_293 / 71_844  # of what was added in steady work
    assert mixed == pytest.approx((alone * iops + read * (more - iops)) / more, rel=1e-4)
    assert same == block


# ---- where it counts ---------------------------------------------------------------------------------


@pytest.mark.parametrize("place", PLACES)
def test_it_is_on_the_machines_wherever_the_containers_are(place: str) -> None:
    with_it, without = (
        results({**USERS, "container_place": place, "container_share": each}, "steady_iops")[0]
        for each in (TWO, "share, continuous availability off")
    )
    here = place == "this array"
    at_providers = 20_124 * (2 * 6_570 / 20_261 - 1) if here else 0
    assert with_it - without == pytest.approx(20_124 * 74_578 / 20_261 + at_providers, rel=1e-4)


def test_without_containers_it_does_nothing() -> None:
    none: dict[str, Value] = {**CACHE, "container_place": "none", "container_cache_gib": 10.0}
    keys = ("steady_iops", "capacity_required_gib", "machine_gib", "unchecked_count")
    assert results(none, *keys) == results({**USERS, "container_place": "none"}, *keys)
    assert "Cloud Cache" not in texts(none, "demand_source")[0]


def test_every_provider_has_a_copy() -> None:
    keys = ("share_count", "share_total_gib", "share_signin_iops")
    one, two = (results({**CACHE, "container_share": each}, *keys) for each in (ONE, TWO))
    assert two == pytest.approx([2 * each for each in one], rel=1e-5)
    away: dict[str, Value] = {"container_place": "another array", "container_array": "NetApp AFF8040"}
    one, two = (
        results({**CACHE, **away, "container_share": each}, "container_required_gib", "container_asked_iops")
        for each in (ONE, TWO)
    )
    assert two == pytest.approx([2 * each for each in one], rel=1e-5)
    here: dict[str, Value] = {"container_place": "this array"}
    one, two = (results({**CACHE, **here, "container_share": each}, "container_here_gib") for each in (ONE, TWO))
    assert (one, two) == ([30], [60])


def test_a_count_that_providers_explain_is_not_called_too_slow() -> None:
    """1,000 users of 20 IOPS ask 13,050 of two file systems that have 10,000 each: 6,525 of each."""
    two: dict[str, Value] = {**CACHE, "share_service": "FSx for Windows 256 MB/s", "container_steady_iops": 20.0}
    assert texts(two, "share_told")[0].startswith("2 file systems of ")
    more: dict[str, Value] = {**two, "container_steady_iops": 40.0}
    assert texts(more, "share_told")[0].startswith("4 file systems (one is too slow) of ")


@pytest.mark.parametrize(("least", "count"), [(None, 2), (1.0, 2), (3.0, 4), (4.0, 4)])
def test_both_providers_have_as_many_shares(least: Value, count: int) -> None:
    assert results({**CACHE, "share_count_least": least}, "share_count") == [count]


def test_both_providers_count_on_the_limits_of_one_account() -> None:
    """Each of 9,000 users' providers is asked for 58,700 IOPS, which an account has; both are more than one has."""
    design: dict[str, Value] = {**CACHE, "container_gib": 5.0, "share_service": "Azure Files SSD v2"}
    for users, accounts in ((7_000.0, 1), (9_000.0, 2)):
        count, peak, found = results({**design, "desktops": users}, "share_count", "share_peak_iops", "share_accounts")
        assert (count, found) == (2, accounts)
        assert peak / 2 < 102_400
        assert (peak > 102_400) is (accounts == 2)


def test_an_hdd_share_for_each_provider_is_not_multiplied_beyond_that() -> None:
    few: dict[str, Value] = {**CACHE, "share_service": "Azure Files HDD v2", "container_steady_iops": 1.0}
    assert results({**few, "desktops": 100.0}, "share_count", "share_too_many") == [2, 0]
    assert results({**few, "desktops": 100_000.0}, "share_too_many")[0] > 0


# ---- the disk of a machine ---------------------------------------------------------------------------


def test_ten_users_of_a_machine_ask_740_iops_more_of_its_disk() -> None:
    """A P6 has 240 IOPS, a P15 1,100."""
    disk: dict[str, Value] = {
        **{"disk_place": "Azure Premium SSD", "users_per_vm": 10.0, "disk_vm_iops": 20_000.0, "disk_boot_s": 3600.0},
        **{"steady_iops_per_desktop": 20.0, "container_signin_iops": 0.0, "disk_signin_s": 3600.0},
    }
    keys = ("machine_steady_iops", "machine_iops", "machine_gib")
    without, with_it = results({**USERS, **disk}, *keys), results({**CACHE, **disk}, *keys)
    more = 10 * 20.124 * 74_578 / 20_261
    assert with_it[0] - without[0] == pytest.approx(more, rel=1e-4)
    assert with_it[1] - without[1] == pytest.approx(more, rel=1e-4)
    assert texts({**USERS, **disk}, "tier_name")[0].startswith("P6 ")
    assert texts({**CACHE, **disk}, "tier_name")[0].startswith("P15 ")
    # 10 GiB of each of ten users beside the image
    assert results({**CACHE, **disk, "container_cache_gib": 10.0}, "machine_gib")[0] == without[2] + 100
    # a container's sign-in of 17.4 s at 50 IOPS meets the machine's disk too
    signin, slower = (
        results({**CACHE, **disk, "container_signin_iops": iops}, "machine_signin_ios")[0] for iops in (0.0, 50.0)
    )
    assert slower - signin == pytest.approx(50 * 17.4 * 74_578 / 20_261, rel=1e-4)


# ---- what is typed, and what is not known ------------------------------------------------------------


def test_a_cache_without_a_size_is_missing_by_name_and_the_answer_says_at_least() -> None:
    unknown: dict[str, Value] = {**CACHE, "share_metadata_iops": 0.0}
    known = {**unknown, "container_cache_gib": 10.0}
    assert [results(each, "unchecked_count")[0] for each in (known, unknown)] == [0, 1]
    assert "Cloud Cache GiB" in texts(unknown, "constraints_unchecked")[0]
    without, with_it = (results(each, "logical_gib")[0] for each in (USERS, known))
    assert with_it - without == pytest.approx(10_000)
    priced: dict[str, Value] = {"share_gib_price": 0.16}
    assert results({**unknown, **priced}, "share_cost_month") == [9600]  # the shares do not depend on it


def test_a_ratio_that_is_typed_wins_and_counts_only_with_cloud_cache() -> None:
    typed: dict[str, Value] = {"container_cache_ratio": 2.0}
    assert results({**CACHE, **typed}, "container_disk_ratio") == [2]
    assert results({**USERS, **typed}, "container_disk_ratio") == [0]


def test_the_answer_says_what_it_puts_on_the_machines() -> None:
    (told,) = texts(CACHE, "demand_source")
    assert told.endswith("; Cloud Cache puts 74.1 IOPS a user on the machines")
    assert "Cloud Cache" not in texts(USERS, "demand_source")[0]


@pytest.mark.parametrize("place", PLACES)
def test_more_of_it_never_needs_less(place: str) -> None:
    asked = [
        results({**CACHE, "container_place": place, key: value}, "ratio_largest", "capacity_required_gib")
        for key, values in (
            ("container_cache_ratio", (0.0, 1.0, 10.0, 1000.0)),
            ("container_cache_gib", (0.0, 5.0, 50.0)),
        )
        for value in values
    ]
    for series in (asked[:4], asked[4:]):
        for less, more in itertools.pairwise(series):
            assert all(a <= b for a, b in zip(less, more, strict=True))
