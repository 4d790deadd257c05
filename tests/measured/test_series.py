"""Time series in every format: the same samples give the same demand, each trap is passed by, and said."""

from __future__ import annotations

import datetime
from dataclasses import replace
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from addin.measured.records import Options
from addin.measured.study import Study
from tests.support import pilots
from tests.support.pilots import Pilots, measured

DATA = pilots.pilots()
MEAN = float(DATA.iops[:, 0].mean())  # IOPS of a desktop, outside of the busy half hour


def check(study: Study, data: Pilots = DATA, *, settled: int = 2) -> None:
    """Assert that a study has the figures that its samples were made of."""
    (phase,) = study.phases
    assert phase.peak is not None
    assert phase.at == "2026-10-08 10:00-10:30"
    assert phase.peak.mean == pytest.approx(2 * float(data.iops[:, 0].mean()), rel=1e-4)
    bins = phase.days * 120
    assert phase.mean == pytest.approx(float(data.iops[:, 0].mean()) * (bins + 6) / bins, rel=1e-4)
    mix = phase.peak.mix
    assert (mix.read_share, mix.read_kib, mix.write_kib) == pytest.approx((0.3, 20, 12), rel=1e-3)
    assert mix.kib == pytest.approx(0.3 * 20 + 0.7 * 12, rel=1e-3)
    assert (study.desktops, phase.days) == (len(data.names), 5 - settled)


def left(study: Study) -> str:
    """Return what was left of the files, in one text."""
    return "\n".join(text for reading in study.readings for text in reading.left)


def test_the_long_csv(tmp_path: Path) -> None:
    check(measured([pilots.generic(tmp_path / "a.txt", DATA)]))


def test_the_wide_csv(tmp_path: Path) -> None:
    check(measured([pilots.wide(tmp_path / "a.csv", DATA)]))


def test_headings_of_another_export_are_named(tmp_path: Path) -> None:
    path = pilots.generic(tmp_path / "export.csv", DATA)
    text = path.read_text(encoding="utf-8").replace("desktop,reads,writes", "Computer,Disk Reads/sec,Write Ops", 1)
    pilots.write(path, text)
    columns = (("desktop", "Computer"), ("reads", "disk reads/sec"), ("writes", "Write Ops"))
    check(measured([path], options=Options(columns=columns)))


def test_a_log_of_perfmon_for_each_desktop_counts_every_disk_once(tmp_path: Path) -> None:
    files = [pilots.perfmon(tmp_path / f"{number}.csv", DATA, number) for number in range(len(DATA.names))]
    study = measured(files)
    check(study)
    assert "3 further disks of VDI-001: PhysicalDisk(_Total) counts them already" in left(study)
    assert study.readings[0].latency_ms == pytest.approx(2.0)
    assert study.readings[0].clock == "W. Europe Daylight Time"


def test_a_host_of_hyper_v_among_the_desktops_is_named(tmp_path: Path) -> None:
    path = pilots.perfmon(tmp_path / "a.csv", DATA)
    head, *rows = path.read_text(encoding="utf-8").splitlines()
    disk = r'"\\VDI-001\Hyper-V Virtual Storage Device(C:-a.vhdx)\Read Operations/Sec"'
    pilots.write(path, "\n".join([f"{head},{disk}", *(f"{row},1" for row in rows)]))
    (found,) = (each for each in measured([path]).findings if "Hyper-V" in each.found)
    assert (found.level, found.found) == ("amber", "a.csv: VDI-001 is a host of Hyper-V")


def test_mean_latency_is_weighted_by_io(tmp_path: Path) -> None:
    """The mean of the means would be 50.5 ms: idle seconds count as busy ones."""
    heads = ["(PDH-CSV 4.0) (UTC)(0)", *(rf"\\A\PhysicalDisk(_Total)\{each}" for each in
             ("Disk Reads/sec", "Disk Writes/sec", "Avg. Disk sec/Read", "Avg. Disk sec/Write"))]  # fmt: skip
    times = [f"10/05/2026 09:{minute:02d}:00" for minute in range(0, 60, 5)]
    rows = [[time, *((99, 0, 0.001, 0) if at % 2 else (1, 0, 0.1, 0))] for at, time in enumerate(times)]
    path = pilots.write(tmp_path / "a.csv", pilots.table([heads, *rows]))
    assert measured([path], settled=True).readings[0].latency_ms == pytest.approx(1.99)


def test_what_stands_around_the_rows_of_a_log_is_left_out(tmp_path: Path) -> None:
    path = pilots.perfmon(tmp_path / "a.csv", DATA)
    head, *rows = path.read_text(encoding="utf-8").split("\n")
    cut = rows[-2][: len(rows[-2]) // 2]
    text = "\r\n".join([f'{head},"a comment of relog"', *rows[:-2], cut])
    pilots.write(path, text, "utf-16")
    study = measured([path], estate=100.0)
    assert "the last: it is cut off" in left(study)
    assert "the first row: it is the time since the start" in left(study)
    pilots.write(path, "\r\n".join([head, *rows[:-1], "Exiting, please wait..."]))
    assert "Exiting, please wait" in left(measured([path]))


def test_esxtop_counts_disks_and_leaves_the_machines_own_rows(tmp_path: Path) -> None:
    study = measured([pilots.esxtop(tmp_path / "esx01.csv", DATA)])
    check(study)
    assert "the own rows of 12 machines: disks are counted, one level only" in left(study)


def test_esxtop_writes_utc_and_the_zone_of_the_site_puts_it_right(tmp_path: Path) -> None:
    zone = ZoneInfo("Europe/Berlin")
    utc = [time.replace(tzinfo=zone).astimezone(datetime.UTC).replace(tzinfo=None) for time in DATA.times]
    path = pilots.esxtop(tmp_path / "esx01.csv", replace(DATA, times=tuple(utc)))
    study = measured([path], options=Options(zone=zone))
    check(study)
    assert study.readings[0].clock == "Europe/Berlin"
    study = measured([path])
    assert study.phases[0].at == "2026-10-08 08:00-08:30"
    assert any("the times are UTC" in each.found and "--zone" in each.effect for each in study.findings)


@pytest.mark.slow
@pytest.mark.parametrize("columns", ["new", "mb", "old"])
def test_iostat_counts_whole_disks_once_without_the_record_since_boot(tmp_path: Path, columns: str) -> None:
    files = [pilots.iostat(tmp_path / f"{number}.txt", DATA, number, columns) for number in range(len(DATA.names))]
    study = measured(files)
    check(study)
    assert "dm-0, loop0, md0, sda1: parts of disks" in left(study)
    assert "the first record: it is the time since boot" in left(study)


def test_iostat_as_json(tmp_path: Path) -> None:
    files = [pilots.iostat_json(tmp_path / f"{number}.json", DATA, number) for number in range(len(DATA.names))]
    check(measured(files))


def test_iostat_without_times_gives_its_mix_and_no_iops(tmp_path: Path) -> None:
    path = pilots.iostat(tmp_path / "a.txt", DATA)
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.endswith(("AM", "PM"))]
    study = measured([pilots.write(path, "\n".join(lines))])
    assert study.phases == ()
    (mix,) = study.mixes
    assert mix.read_share == pytest.approx(0.3, abs=1e-3)
    assert (mix.read_kib, mix.write_kib) == pytest.approx((20, 12), rel=1e-3)
    assert "run iostat with -t" in left(study)


def test_samples_of_a_minute_become_means_of_five(tmp_path: Path) -> None:
    data = pilots.pilots(every=60, days=4, begin="08:00", end="12:00")
    noise = 1 + 0.5 * np.sin(np.arange(len(data.times)))
    noisy = replace(data, values=np.round(data.values * noise[None, :, None], 4))
    windows = {"steady": "08:00-12:00"}
    (phase,) = measured([pilots.esxtop(tmp_path / "a.csv", noisy)], settled=True, smooth=5, windows=windows).phases
    assert phase.peak is not None
    bins = noisy.iops.reshape(len(noisy.names), -1, 5).mean(axis=2).mean(axis=0)
    assert phase.peak.mean == pytest.approx(float(bins.max()), rel=1e-3)


def test_only_the_desktops_that_are_named_count(tmp_path: Path) -> None:
    study = measured([pilots.generic(tmp_path / "a.csv", DATA)], options=Options(desktops=("vdi-00[1-4]",)))
    assert study.desktops == 4
    assert "8 machines: --desktops does not name them" in left(study)


def test_day_and_night_are_shown_and_never_sized_on(tmp_path: Path) -> None:
    """From 00:00 to 24:00 only 12 hours hold work: their P95 is a lower figure under the same name."""
    data = pilots.pilots(begin="00:00", end="24:00")
    hour = np.array([time.hour for time in data.times])
    quiet = replace(data, values=data.values * np.where((hour >= 8) & (hour < 18), 1.0, 0.1)[None, :, None])
    (phase,) = measured([pilots.generic(tmp_path / "a.csv", quiet)]).phases
    shown = {each.name: each for each in phase.shown}
    whole = float(np.quantile(quiet.iops.mean(axis=0), 0.95)) * 1000
    assert shown["P95 of day and night"].value == pytest.approx(whole, rel=1e-3)
    assert all(each.why for each in shown.values())
    peaks = 1000 / 12 * float(quiet.iops[:, hour >= 8].max(axis=1).sum())
    assert shown["sum of peaks"].value == pytest.approx(peaks, rel=1e-3)


def test_a_phase_beyond_midnight_belongs_to_the_day_it_begins_on(tmp_path: Path) -> None:
    data = pilots.pilots(begin="00:00", end="24:00", days=8)
    night = np.array([time.hour in (22, 23, 0, 1) for time in data.times])
    busy = replace(data, values=data.values * np.where(night, 3.0, 1.0)[None, :, None])
    windows = {"steady": "08:00-18:00", "patching": "22:00-02:00"}
    study = measured([pilots.generic(tmp_path / "a.csv", busy)], windows=windows, settled=True)
    phases = {phase.name: phase for phase in study.phases}
    assert phases["patching"].mean == pytest.approx(3 * MEAN, rel=1e-3)
    assert (phases["patching"].minutes, phases["patching"].days) == (240, 6)
    assert phases["steady"].mean == pytest.approx(MEAN * (1 + 6 / 720), rel=1e-4)


def test_a_gap_of_a_log_is_told_where_it_lies_in_the_hours_that_count(tmp_path: Path) -> None:
    """The log ends at 19:00 each day and goes on at 07:00; 20 minutes of Tuesday's morning or evening are gone."""
    gaps = {None: [], "10:": ["a.csv: 1 gap, 20 minutes of the hours that count"], "18:": []}
    for hour, expected in gaps.items():
        rows = pilots.perfmon(tmp_path / "a.csv", DATA).read_text(encoding="utf-8").splitlines()
        times = [f"10/06/2026 {hour}{minute}" for minute in ("10", "15", "20", "25")] if hour else []
        kept = [row for row in rows if not any(time in row for time in times)]
        assert len(rows) - len(kept) == len(times)
        study = measured([pilots.write(tmp_path / "a.csv", "\n".join(kept))], settled=True)
        assert [each.found for each in study.findings if "gap" in each.found] == expected
