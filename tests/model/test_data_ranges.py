"""Rules of data files beyond single cells: the ends of a range in order, and no space that nobody sees."""

import shutil
from pathlib import Path

import pytest

from model.errors import DataError
from model.reading.read import DATA, read


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        (
            *("components", "user data and profiles,1,", "user data and profiles,11,"),
            "(user data and profiles): plain low, likely, high are 11, 1, 1; put them in order.",
        ),
        (
            "methods",
            ",3800,5700,",
            ",38000,5700,",
            "(PVS): boot low, likely, high are 38000, 5700, 8500; put them in order.",
        ),
        (
            "profiles",
            "EQL-239,,",
            "by method,assumed: x,",
            "(Task worker PVS (EQL 2012)): read_ratio 'by method' is for a boot only; enter the share of steady.",
        ),
        (
            "share_services",
            "v1,AZS-039,AZS-041,",
            "v1,AZS-039,0,",
            "(Azure Files SSD v1): gib_step 0 is outside 0.01 to",
        ),
        (
            *("share_services", "v1,AZS-039,", "v1,999999,"),
            "(Azure Files SSD v1): gib_min 999999 is above gib_max 102400; correct one.",
        ),
        ("latency_points", "block_read_share(boot),NTP-147", "block_read_share(boot),0", "latency_ms 0 is outside"),
        ("sources", "2016-09", "2016-13", "(NTP): date '2016-13' is no month; write 2024-07, or undated."),
        (
            "hypervisors",
            "vSphere,",
            "vSphere ,",
            "(vSphere ): column 'hypervisor' begins or ends with a space; delete it.",
        ),
    ],
)
def test_a_fault_names_its_row(tmp_path: Path, name: str, old: str, new: str, message: str) -> None:
    """A low end of 11 over a likely value of 1 was built without a word."""
    folder = Path(shutil.copytree(DATA, tmp_path / "data"))
    path = folder / f"{name}.csv"
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(DataError) as caught:
        read(folder)
    assert message in str(caught.value)
