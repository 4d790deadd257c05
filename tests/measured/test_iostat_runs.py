"""iostat text of many runs in one file: the record since boot of each is no sample, each host its own desktop."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from addin.errors import RequestError
from addin.measured.study import Study
from tests.support import pilots
from tests.support.pilots import measured

DATA = pilots.pilots(count=2)
DAYS = sorted({time.date() for time in DATA.times})


def runs(path: Path, number: int = 0) -> list[str]:
    """Return what a run a day prints of one desktop, each with its banner and the record since boot (999 reads)."""
    found = []
    for day in DAYS:
        at = [place for place, time in enumerate(DATA.times) if time.date() == day]
        part = replace(DATA, times=tuple(DATA.times[place] for place in at), values=DATA.values[:, at])
        found.append(pilots.iostat(path, part, number).read_text(encoding="utf-8") + "\n")
    return found


def study(path: Path, texts: Iterable[str], **changes: object) -> Study:
    """Return the study of texts that were appended to one file."""
    windows = {"steady": "07:00-19:00", "login": "06:55-08:00"}
    return measured([pilots.write(path, "".join(texts))], **{"settled": True, "windows": windows, **changes})


def test_a_run_a_day_appended_to_one_file_is_the_same_as_a_file_for_each(tmp_path: Path) -> None:
    texts = runs(tmp_path / "a.txt")
    files = [pilots.write(tmp_path / f"{at}.txt", text) for at, text in enumerate(texts)]
    windows = {"steady": "07:00-19:00", "login": "06:55-08:00"}
    apart = measured(files, settled=True, windows=windows)
    together = study(tmp_path / "a.txt", texts)
    assert together.phases == apart.phases
    assert together.phases[0].mean == pytest.approx(10, rel=1e-4)  # 999 of each is in the bin before 07:00
    (reading,) = together.readings
    assert "the first record of each run: it is the time since boot" in reading.left
    assert reading.taken == ["VDI-001: 725 records in 5 runs of nvme0n1, sda"]
    gaps = [each.found for each in together.findings if "gap" in each.found]
    assert gaps == ["a.txt: 4 gaps, 20 minutes of the hours that count"]  # 06:55 to 07:00, of which only 999 is known


def test_a_run_that_is_restarted_in_the_hours_that_count_leaves_a_gap_and_no_sample(tmp_path: Path) -> None:
    """From 10:00 to 11:00 of Monday nothing is logged; the record since boot of 11:00 is no mean of that hour."""
    part = [
        replace(DATA, times=tuple(DATA.times[at] for at in places), values=DATA.values[:, list(places)])
        for places in (range(36), range(48, 144))
    ]
    texts = [pilots.iostat(tmp_path / "a.txt", each).read_text(encoding="utf-8") for each in part]
    found = study(tmp_path / "a.txt", texts, least_coverage=0.5)
    assert {each.found for each in found.findings if "gap" in each.found} == {
        "a.txt: 1 gap, 60 minutes of the hours that count"
    }
    assert found.phases[1].mean == pytest.approx(10, rel=1e-3)


def test_a_run_that_begins_in_the_second_in_which_the_one_before_ends(tmp_path: Path) -> None:
    places = (range(36), range(36, 144))
    parts = [
        replace(DATA, times=tuple(DATA.times[at] for at in each), values=DATA.values[:, list(each)]) for each in places
    ]
    texts = [pilots.iostat(tmp_path / "a.txt", each).read_text(encoding="utf-8") for each in parts]
    found = study(tmp_path / "a.txt", texts)
    assert found.phases[1].mean == pytest.approx(10, rel=1e-3)
    assert not [each for each in found.findings if "gap" in each.found]


@pytest.mark.parametrize("alternate", [False, True])
def test_each_host_of_a_file_is_its_own_desktop(tmp_path: Path, alternate: bool) -> None:
    one, two = (runs(tmp_path / "a.txt", number) for number in range(2))
    texts = [each for pair in zip(one, two, strict=True) for each in pair] if alternate else [*one, *two]
    found = study(tmp_path / "a.txt", texts)
    assert found.desktops == 2
    assert found.phases[0].mean == pytest.approx((10 + 15) / 2, rel=1e-4)
    assert [text.partition(":")[0] for text in found.readings[0].taken] == ["VDI-001", "VDI-002"]
    assert found.readings[0].left.count("the first record of each run: it is the time since boot") == 1


def test_runs_without_times_leave_the_record_since_boot_of_each(tmp_path: Path) -> None:
    texts = runs(tmp_path / "a.txt")
    bare = [line for text in texts for line in text.splitlines() if not line.endswith(("AM", "PM"))]
    (mix,) = study(tmp_path / "a.txt", ["\n".join(bare)]).mixes
    assert mix.read_share == pytest.approx(0.3, abs=1e-3)  # 999 reads beside 999 writes would make it more


def test_records_since_boot_alone_are_no_samples(tmp_path: Path) -> None:
    text = "Linux 5 (a) 10/05/2026\n\n10/05/2026 {:02d}:00:00\nDevice r/s rkB/s w/s wkB/s\nsda 1 2 3 4\n\n"
    with pytest.raises(RequestError, match=r"a\.txt: holds only records since boot\. Run iostat -xtk 300 300"):
        study(tmp_path / "a.txt", [text.format(hour) for hour in range(7, 19)])
