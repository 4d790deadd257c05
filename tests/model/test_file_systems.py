"""FSx for Windows: a file system of a throughput capacity, which is paid for whole; the lower of server and SSD limits.

By hand from the vendor's two tables: 1,024 MB/s serve 40,000 IOPS, 2,048 serve 80,000, a TiB of SSD 3,000 and 750 MB/s.
"""

import pytest

from model.reading.choices import LISTED
from tests.model.test_cloud_shares import SHARE, STRESS, results, texts
from tests.model.test_share_prices import paid
from tests.support.input_sets import Value

FSX = {capacity: f"FSx for Windows {capacity} MB/s" for capacity in (256, 512, 1024, 2048)}
MIB = {capacity: capacity * 1_000_000 / 2**20 for capacity in FSX}
QUOTED: dict[str, Value] = {**SHARE, "share_service": FSX[512], "share_gib_price": 0.2, "share_mib_price": 2.0}


@pytest.mark.parametrize(
    ("capacity", "design", "count", "gib", "limit"),
    [
        (256, SHARE, 2, 15_000, "capacity"),  # 10,242 IOPS; one serves 10,000
        (512, SHARE, 1, 30_000, "capacity"),
        (1024, STRESS, 2, 15_000, "capacity"),  # 50,000 IOPS; one serves 40,000, its SSD 87,890
        (2048, STRESS, 1, 30_000, "capacity"),
        (2048, {**STRESS, "container_gib": 5.0}, 1, 17_067, "sign-in IOPS"),  # 50,000 x 1,024 / 3,000
        (2048, {**SHARE, "container_gib": 0.01}, 1, 3_496, "sign-in IOPS"),  # 10,241.7 x 1,024 / 3,000
    ],
)
def test_the_lower_of_server_and_storage_limits(
    capacity: int, design: dict[str, Value], count: int, gib: float, limit: str
) -> None:
    of: dict[str, Value] = {**design, "share_service": FSX[capacity]}
    assert results(of, "share_count", "share_gib") == pytest.approx([count, gib], abs=0.5)
    assert texts(of, "share_limited_by") == (limit,)
    (told,) = texts(of, "share_told")
    counted = f"{count} file systems (one is too slow)" if count > 1 else f"{count} file system"
    assert told.startswith(f"{counted} of {gib:,} GiB of {FSX[capacity]}, ")


def test_a_throughput_capacity_is_paid_for_whole_whatever_is_asked_of_it() -> None:
    assert results(QUOTED, "share_cost_month") == pytest.approx([30_000 * 0.2 + MIB[512] * 2])
    two: dict[str, Value] = {**QUOTED, "share_service": FSX[256]}
    assert results(two, "share_cost_month") == pytest.approx([30_000 * 0.2 + 2 * MIB[256] * 2])
    grown: dict[str, Value] = {**QUOTED, "years": 2.0, "growth_per_year_ratio": 0.1, "growth_timing": "on 1 January"}
    month = [30_000 * 0.2 + MIB[512] * 2, 33_000 * 0.2 + MIB[512] * 2]
    assert paid(grown)[:2] == pytest.approx([12 * each for each in month])
    # 20,483 IOPS in year 2: one of 512 MB/s serves 20,000
    doubled: dict[str, Value] = {**grown, "growth_per_year_ratio": 1.0}
    assert paid(doubled)[1] == pytest.approx(12 * (60_000 * 0.2 + 2 * MIB[512] * 2))


def test_more_than_asked_for_are_not_called_too_slow() -> None:
    """Capacity, or the count typed on More inputs, asks for more than one: no word on speed."""
    typed: dict[str, Value] = {**QUOTED, "share_count_least": 3.0}
    assert texts(typed, "share_told")[0].startswith("3 file systems of ")
    large: dict[str, Value] = {
        **QUOTED,
        "share_service": FSX[2048],
        "container_gib": 100.0,
    }  # 100,000 GiB, one has 65,536
    assert texts(large, "share_told")[0].startswith("2 file systems of ")


def test_without_the_price_of_its_throughput_a_file_system_has_no_cost() -> None:
    """The GiB alone would be a cheaper wrong answer."""
    half: dict[str, Value] = {**QUOTED, "share_mib_price": None}
    assert texts(half, "share_cost_month", "share_cost_told") == ("enter a price", "enter a price")
    listed: dict[str, Value] = {**SHARE, "share_service": FSX[512], "price_basis": LISTED}
    assert texts(listed, "share_cost_told")[0].startswith(f"enter a price: no list price of {FSX[512]}")
