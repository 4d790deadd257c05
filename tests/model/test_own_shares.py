"""A cloud share of one's own, typed on My profiles: the same rule as for a vendor's, and nothing sized on a gap."""

from collections.abc import Mapping

import pytest

from addin.kernel import Cells
from tests.model.test_cloud_shares import BUILT, CELLS, SHARE, STRESS, results, texts
from tests.support.answers import changed
from tests.support.input_sets import Value
from tests.support.own_rows import own_cells

OWN = "My share 1"
MINE = {"gib_step": 1.0, "gib_max": 10_240.0, "iops_base": 1000.0, "iops_per_gib": 2.0, "iops_max": 20_000.0}
MINE |= {"mib_base": 50.0, "mib_per_gib": 0.05, "mib_max": 400.0}


def own(figures: Mapping[str, Value]) -> Cells:
    return changed(CELLS, own_cells(BUILT, {OWN: dict(figures)}))


def test_a_share_of_your_own_follows_the_same_rule() -> None:
    """30,000 GiB are three of 10,240; 3,414 IOPS each are 1,207 GiB, 53.3 MiB/s 67 GiB: capacity."""
    design = {**SHARE, "share_service": OWN}
    keys = ("share_count", "share_gib", "share_offered_iops", "share_offered_mib")
    assert results(design, *keys, cells=own(MINE)) == pytest.approx([3, 10_000, 20_000, 400])
    assert results({**STRESS, **design, "share_signins": "all at once"}, *keys[:2], cells=own(MINE)) == [3, 10_000]
    handles = {**MINE, "handles_max": 250.0, "gib_min": 12_000.0, "gib_max": 20_000.0}
    assert results(design, *keys[:2], cells=own(handles)) == [4, 12_000]


def test_throughput_bought_with_a_share_of_ones_own_is_paid_for() -> None:
    """Three shares with 100 MiB/s each at 2 a month, and no cost without the price of a MiB/s."""
    design = {**SHARE, "share_service": OWN, "share_gib_price": 0.2, "share_mib_price": 2.0}
    bought = own({**MINE, "mib_bought": 100.0})
    assert results(design, "share_cost_month", cells=own(MINE)) == pytest.approx([6_000])
    assert results(design, "share_cost_month", cells=bought) == pytest.approx([6_600])
    half = {**design, "share_mib_price": None}
    assert results(half, "share_cost_month", cells=own(MINE)) == pytest.approx([6_000])
    assert texts(half, "share_cost_month", cells=bought) == ("enter a price",)


def _left_out(key: str, part: str) -> bool:
    """Say whether a figure is left out: the one of that name, or base and rate where the name is but a part."""
    return key == part or (part not in MINE and key.startswith(part) and not key.endswith("max"))


@pytest.mark.parametrize(
    ("key", "missing"),
    [
        *((key, "step and maxima") for key in ("gib_step", "gib_max", "iops_max", "mib_max")),
        ("mib", "IOPS or MiB/s"),
        ("iops_", "IOPS or MiB/s"),
    ],
)
def test_a_share_that_lacks_a_figure_is_not_sized(key: str, missing: str) -> None:
    design = {**SHARE, "share_service": OWN}
    cells = own({each: value for each, value in MINE.items() if not _left_out(each, key)})
    status, unchecked = texts(design, "status", "constraints_unchecked", cells=cells)
    assert status.startswith("at least")
    assert f"and containers on {OWN}" in status
    assert f"GiB of {OWN}" not in status
    assert f"cloud share {missing}" in unchecked


def test_a_rule_that_outgrows_its_own_share_is_refused() -> None:
    """20,000 IOPS are typed as the most, but the largest size has 1,000 + 2 x 1,024."""
    cells = own({**MINE, "gib_max": 1024.0, "iops_max": 60_000.0})
    design = {**SHARE, "share_service": OWN, "container_gib": 0.1}
    assert results(design, "share_too_many", cells=cells)[0] > 0
    assert "cannot carry" in texts(design, "share_told", cells=cells)[0]


@pytest.mark.parametrize(("most", "base"), [("iops_max", "iops_base"), ("mib_max", "mib_base")])
def test_a_most_below_its_base_is_named_and_gives_no_answer(most: str, base: str) -> None:
    """A base may equal the maximum; a base above it is refused."""
    right, wrong = (own({**MINE, base: figure, most: 100.0}) for figure in (100.0, 101.0))
    design = {**SHARE, "share_service": OWN, "share_gib_price": 0.2}
    keys = ("status", "constraints_unchecked", "share_cost_told")
    status, unchecked, _ = texts(design, *keys, cells=right)
    assert f"GiB of {OWN}" in status
    assert "cloud share" not in unchecked
    status, unchecked, cost = texts(design, *keys, cells=wrong)
    assert status.startswith("at least")
    assert status.endswith(f"containers on {OWN}")
    assert "cloud share step and maxima" in unchecked
    assert cost == "not known"


def test_a_largest_size_below_the_smallest_is_refused() -> None:
    cells = own({**MINE, "gib_min": 500.0, "gib_max": 100.0})
    design = {**SHARE, "share_service": OWN, "share_gib_price": 0.2}
    assert "cannot carry" in texts(design, "share_told", cells=cells)[0]
    assert texts(design, "share_cost_month", cells=cells) == ("enter a price",)


def test_metadata_of_a_share_of_ones_own_count_too() -> None:
    cells = own({**MINE, "metadata_max": 3000.0})
    design = {**SHARE, "share_service": OWN}
    assert results(design, "share_by_metadata", cells=cells) == [-1]
    assert results({**design, "share_metadata_iops": 30.0}, "share_count", cells=cells) == [10]
