"""Host caches: own ones and what they must hold per host, published memory caches, what a blank of them does."""

import pytest

from tests.support.answers import answers, changed
from tests.support.input_sets import own_arrays
from tests.support.own_results import BUILT, CELLS, MINE, raised, results, without
from tests.support.own_rows import CACHE, ONE_LINE, Value


def test_an_own_cache_keeps_its_shares_off_the_array() -> None:
    """By hand: of steady I/O a share r is read, of which half reaches the array, and 60 % of the writes."""
    design: dict[str, Value] = {**MINE, "cache_state": "My cache 1"}
    rows = {"My profile 1": ONE_LINE, "My cache 1": CACHE}
    steady, short = results(design, "steady_iops", "local_disk_short", rows=rows)
    assert short == 0
    assert steady == pytest.approx(1500 * 30.27 * (0.49 * 0.5 + 0.51 * 0.6))


@pytest.mark.parametrize(("gib", "short"), [(25.0, 0.0), (24.9, 1.0)])
def test_a_cache_too_small_for_what_a_host_must_hold_keeps_nothing_off(gib: float, short: float) -> None:
    """By hand: reads need the whole image once a catalogue (section 6.1 of the IntelliCache paper): 25 GiB."""
    design: dict[str, Value] = {**MINE, "cache_state": "My cache 1", "image_gib": 25.0}
    cache = {**CACHE, "host_gib": gib, "local_write_cache": 0.0}
    found, steady, needs = results(
        design, "local_disk_short", "steady_reduction_ratio", "local_disk_gib",
        rows={"My profile 1": ONE_LINE, "My cache 1": cache},
    )  # fmt: skip
    assert (found, needs) == (short, 25)
    assert (steady == 0) == (short == 1)
    assert raised("The local cache disk suffices", design, {"My profile 1": ONE_LINE, "My cache 1": cache}) == short


def test_write_caches_of_every_desktop_of_a_host_must_fit() -> None:
    """By hand: 25 GiB of image and 90 desktops x 2 GiB x 75 %."""
    design: dict[str, Value] = {
        **MINE, "cache_state": "My cache 1", "image_gib": 25.0, "write_cache_gib": 2.0, "desktops_per_host": 90.0
    }  # fmt: skip
    rows = {"My profile 1": ONE_LINE, "My cache 1": CACHE}
    needs, stored = results(design, "local_disk_gib", "write_cache_stored_gib", rows=rows)
    assert (needs, stored) == (25 + 90 * 2 * 0.75, 0)


@pytest.mark.slow
@pytest.mark.parametrize("blank", [*(f for f in CACHE if f.endswith("offload")), "host_gib", "local_write_cache"])
def test_a_blank_of_a_cache_is_named_and_keeps_nothing_off(blank: str) -> None:
    design: dict[str, Value] = {**MINE, "cache_state": "My cache 1"}
    rows = {"My profile 1": ONE_LINE, "My cache 1": CACHE}
    least = {"My profile 1": ONE_LINE, "My cache 1": without(CACHE, blank)}
    assert results(design, "cache_missing", rows=rows) == ("",)
    (named,) = results(design, "cache_missing", rows=least)
    word = {"host_gib": "GB per host", "local_write_cache": "write cache"}.get(blank, blank.partition("_")[0])
    assert word.replace("steady", "work") in str(named)
    keys = [f"{phase}_iops" for phase in ("boot", "login", "steady")]
    more, full = results(design, *keys, rows=least), results(design, *keys, rows=rows)
    assert all(float(a) >= float(b) for a, b in zip(more, full, strict=True))  # type: ignore[arg-type]
    assert raised("Every figure of the chosen host cache is known", design, least) == 1


def test_published_memory_caches_keep_writes_off_as_printed_and_name_what_is_not() -> None:
    """By hand, of a login profile that writes 51 %: 599 write IOPS become 19, 90 %, 7 %, 77 % and 100 % fewer."""
    kept = {
        "MCS memory cache 256 MB, desktop (Citrix 2017)": 1 - 19 / 599,
        "PVS memory cache 256 MB, desktop (Citrix 2016)": 0.9,
        "MCS memory cache 256 MB, session host (Citrix 2016)": 0.07,
        "MCS memory cache 1 GB, session host (Citrix 2016)": 0.77,
        "MCS memory cache 4 GB, session host (Citrix 2016)": 1.0,
    }
    assert [c.name for c in BUILT.data.caches if "memory" in c.name] == list(kept)
    for name, share in kept.items():
        design: dict[str, Value] = {**MINE, "cache_state": name, "desktops_per_host": 100.0}
        steady, boot, missing, memory, local = results(
            design, "steady_reduction_ratio", "boot_reduction_ratio", "cache_missing", "cache_memory_gib",
            "local_iops_per_host", rows={"My profile 1": ONE_LINE},
        )  # fmt: skip
        assert steady == pytest.approx(0.51 * share, abs=1e-6)
        assert (boot, missing, local) == (0, "boot, reads", 0)
        size = 25 if "256 MB" in name else 100 if "1 GB" in name else 400
        assert memory == pytest.approx(size)


def test_what_a_cache_does_not_print_stands_blank_beside_its_name() -> None:
    for cache in BUILT.data.caches:
        blank = {key for key, value in cache.values.items() if value.value is None}
        assert bool(blank) == bool(cache.missing), cache.name


CARD: dict[str, Value] = {  # an array with which nobody measured IntelliCache
    **{"capacity_tib": 40.0, "capacity_kind": "usable", "iops": 200000.0, "read_ratio": 0.7, "latency_ms": 1.0},
    **{"base_latency_ms": 0.3, "controllers_active": 2.0, "failover_kind": "controller"},
}
INTELLI: dict[str, Value] = {"array": "My array 1", "image_gib": 25.0, "desktops": 3000.0, "hypervisor": "XenServer"}


@pytest.mark.parametrize("state", ["IntelliCache dedicated, cold", "IntelliCache dedicated, warm"])
@pytest.mark.parametrize(
    ("disk", "hypervisor", "short"),
    [(None, "XenServer", 1), (24.9, "XenServer", 1), (25.0, "XenServer", 0), (350.0, "vSphere", 1)],
)
def test_intellicache_of_an_array_without_figures_needs_the_image_on_a_disk_under_xenserver(
    state: str, disk: Value, hypervisor: str, short: float
) -> None:
    """By hand: the whole image of 25 GiB (section 6.1); a disk of 0 GiB held "0 GiB", and reads left the array."""
    cells = changed(CELLS, own_arrays(BUILT, [{**CARD, "local_disk_gib": disk}]))
    design = {**INTELLI, "cache_state": state, "hypervisor": hypervisor}
    keys = ("local_disk_gib", "local_disk_short", "steady_reduction_ratio", "boot_iops", "login_iops")
    (found,) = answers(BUILT, cells, [design], *keys)
    (without_cache,) = answers(BUILT, cells, [{**design, "cache_state": "none"}], *keys[2:])
    assert found[:2] == (25, short)
    assert (found[2:] == without_cache) == (short == 1)


def test_intellicache_of_the_paper_reads_as_much_as_measured_but_under_no_other_hypervisor() -> None:
    """By hand: 3.2 GB are 2.98 GiB of reads a catalogue on the 350 GB volume; 90 dedicated desktops write elsewhere."""
    design = {**INTELLI, "array": "NetApp FAS3270 + IntelliCache", "cache_state": "IntelliCache dedicated, warm"}
    keys = ("local_disk_gib", "local_disk_short")
    assert results({**design, "catalogs": 1.0}, *keys) == pytest.approx((3.2e9 / 2**30, 0))
    for other in ("vSphere", "AHV", "Hyper-V"):
        assert results({**design, "hypervisor": other}, *keys)[1] == 1
        label = "The local cache disk suffices"
        assert raised(label, {**design, "hypervisor": other}, {}) == 1
