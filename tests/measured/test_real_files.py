"""Files that other tools wrote, where they are at hand: they are not part of the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from addin.errors import RequestError
from addin.measured.records import Options
from addin.measured.request import Request
from addin.measured.study import Study, study
from addin.measured.windows import Plan, plan

FOLDER = Path(__file__).parents[3] / "shared" / "measured"


def read(name: str, hours: Plan | None = None) -> Study:
    """Return the study of a file; skip the test where it is missing."""
    path = FOLDER / name
    if not path.is_file():
        pytest.skip(f"{name} is not part of the project; put it in ../shared/measured to run this check")
    return study(Request((path,), Options(), hours))


@pytest.mark.slow
def test_rvtools_of_805_machines_in_a_used_range_of_3503_rows() -> None:
    found = read("rvtools-3x-805-vms.xlsx")
    (reading,) = found.readings
    assert reading.taken == ["763 machines that are on: memory, processors, GiB"]
    assert reading.left == ["32 machines that are off", "10 templates", "IOPS: RVTools has none"]
    assert sum(group.machines for group in found.groups) == 763


def test_rvtools_of_three_machines() -> None:
    found = read("rvtools-4x-3-vms.xlsx")
    assert {group.name: (group.memory_gib, group.disk_gib, group.gib) for group in found.groups} == {
        "sample-db": (16, 320, 250),
        "sample-web": (8, 120, 60),
    }


def test_vscsistats_of_one_disk() -> None:
    (mix,) = read("vscsistats-1-disk.csv").mixes
    assert (mix.reads, mix.writes, mix.read_kib) == (4, 789, 25)
    assert mix.write_kib == pytest.approx(5229 / 1024)


@pytest.mark.parametrize("name", ["iostat-mx.txt", "iostat-x-new.txt", "iostat-x-old.txt"])
def test_iostat_of_one_record_is_the_time_since_boot(name: str) -> None:
    with pytest.raises(RequestError, match=f"{name}: holds only the record since boot. Run iostat -xtk 300 300"):
        read(name, plan({"steady": "08:00-18:00"}, "mon-fri", 30))
