"""The limit of metadata: named as not checked until its IOPS are entered, then one of those that share the containers.

Azure Files states 12,000 for a share; the other services state none.
"""

import pytest

from tests.model.test_cloud_cache import TWO
from tests.model.test_cloud_shares import HDD, PRINTED, SERVICES, SHARE, V1, V2, results, texts
from tests.model.test_share_growth import both
from tests.support.input_sets import Value

FILES = (V1, V2, HDD)


@pytest.mark.parametrize("service", SERVICES[:PRINTED])
def test_a_limit_without_a_demand_is_named_and_no_other(service: str) -> None:
    design: dict[str, Value] = {**SHARE, "share_service": service}
    told = "metadata not checked; "
    assert (told in texts(design, "share_actions")[0]) == (service in FILES)
    assert (told in texts(design, "share_summary")[0]) == (service in FILES)
    assert results(design, "share_by_metadata") == [-1 if service in FILES else 0]
    assert ("metadata of the share" in texts(design, "constraints_unchecked")[0]) == (service in FILES)
    for further in ({"share_metadata_iops": 0.0}, {"container_place": "elsewhere"}):
        assert told not in texts({**design, **further}, "share_actions")[0]
        assert "metadata" not in texts({**design, **further}, "constraints_unchecked")[0]


@pytest.mark.parametrize(("iops", "count"), [(None, 1), (0.0, 1), (12.0, 1), (12.1, 2), (30.0, 3)])
def test_1000_users_share_12_000_by_what_each_asks(iops: Value, count: int) -> None:
    design: dict[str, Value] = {**SHARE, "share_service": V1, "share_metadata_iops": iops}
    assert results(design, "share_count") == [count]
    netapp: dict[str, Value] = {**design, "share_service": "Azure NetApp Files Premium"}
    assert results(netapp, "share_count") == [1]


def test_every_provider_of_cloud_cache_serves_all_of_it() -> None:
    design: dict[str, Value] = {**SHARE, "share_service": V1, "share_metadata_iops": 12.1}
    assert results({**design, "container_share": TWO}, "share_count") == [4]


def test_a_later_year_counts_it_too() -> None:
    design: dict[str, Value] = {**SHARE, "share_metadata_iops": 10.0}
    later, alone = both(design, V1, 1300.0)
    assert later == pytest.approx(alone)


def test_one_hdd_share_is_refused_where_metadata_ask_for_two() -> None:
    design: dict[str, Value] = {**SHARE, "share_service": HDD, "share_metadata_iops": 13.0}
    assert results(design, "share_too_many") == [1]
