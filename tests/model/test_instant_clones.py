"""Instant clones boot: the default mode has no parent VM, each is customised in its first power-on, assumed as MCS."""

import pytest

from tests.support.answers import answers, numbers
from tests.support.input_sets import Value
from tests.support.shipped import reference, reference_cells

BUILT = reference()
CELLS = reference_cells()
# a profile that tells no boot work: the method does
CLONES: dict[str, Value] = {"provisioning": "Instant clone", "profile": "Medium MCS pooled (ICA 2012)"}


def test_instant_clones_boot_with_the_work_of_mcs() -> None:
    """By hand: 1,500 x 30,000 I/Os over 15 minutes, as 100 start a minute."""
    keys = ("boot_source", "boot_work_ios", "boot_iops", "boot_minutes", "boot_minutes_low", "boot_minutes_high")
    mcs = {**CLONES, "provisioning": "MCS pooled"}
    clone, pooled = answers(BUILT, CELLS, [CLONES, mcs], *keys)
    assert clone[:4] == ("method, assumed", 30000, 50000, 16)
    assert clone == pooled


@pytest.mark.parametrize("rate", [100.0, 200.0, 400.0, 800.0])
def test_the_answer_follows_the_boot_of_instant_clones(rate: float) -> None:
    """By hand: N x 30,000 / (60 x 1,500 / rate) IOPS over what one array serves; rounded up where the boot binds."""
    keys = ("boot_iops", "supply_boot", "ratio_boot", "binding_constraint", "arrays_required")
    ((asked, supply, ratio, binds, arrays),) = answers(
        BUILT, CELLS, [{**CLONES, "start_rate_per_min": rate, "boot_latency_limit_ms": 1000.0}], *keys
    )
    assert asked == pytest.approx(500 * rate)
    assert ratio == pytest.approx(500 * rate / float(supply))  # type: ignore[arg-type]
    if rate >= 400:
        assert binds == "Boot IOPS"
        assert arrays == -(-500 * rate // float(supply))  # type: ignore[arg-type]
        assert float(arrays) > 1


def test_instant_clones_store_what_linked_clones_do_and_are_patched_by_their_image() -> None:
    keys = ("capacity_required_gib", "identity_stored_gib", "patching_iops")
    linked = numbers(BUILT, CELLS, {**CLONES, "provisioning": "Linked clone"}, *keys)
    assert numbers(BUILT, CELLS, CLONES, *keys) == linked
    assert linked[1:] == [0, -2]


def test_nothing_of_the_method_is_passed_off_as_published() -> None:
    (method,) = (each for each in BUILT.data.methods if each.name == "Instant clone")
    assert method.source.startswith("assumed: ")
    figures = ("write_cache", "image_per_datastore", "boot_low", "boot_likely", "boot_high", "provision_ios")
    assert {getattr(method, figure).status for figure in figures} == {"assumed"}
