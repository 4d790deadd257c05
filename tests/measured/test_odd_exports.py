"""Exports as machines of other languages, editions and habits write them: a right figure, or one line that says why."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from addin.errors import AddinError
from addin.measured import fio, types
from addin.measured.records import Options
from addin.measured.study import Study
from addin.shell import measured_text
from tests.measured.test_inventories import INFO, MACHINES, groups, read, workbook
from tests.support import pilots
from tests.support.pilots import measured, table, write

SMALL = pilots.pilots(count=2, days=1, begin="08:00", end="10:00")
LONG = "time,desktop,reads,writes,read_kib,write_kib\n"
DISK = r"\\PC1\PhysicalDisk(_Total)"
PDH = f'"(PDH-CSV 4.0)","{DISK}\\Disk Reads/sec","{DISK}\\Disk Writes/sec"\r\n'


def day(values: str, stamp: str = "2026-10-05 {:02d}:{:02d}", delimiter: str = ",") -> str:
    """Return rows of two hours of one desktop; a stamp is formatted with hour and minute."""
    times = [stamp.format(hour, minute) for hour in (8, 9) for minute in range(0, 60, 5)]
    return "".join(f"{time}{delimiter}{values}\n" for time in times)


def log(values: str) -> str:
    """Return rows of a performance log."""
    return day(values, '"10/05/2026 {:02d}:{:02d}:00.123"').replace("\n", "\r\n")


def study(path: Path, **changes: object) -> Study:
    """Return the study of a file of a few hours."""
    return measured([path], **{"settled": True, "least_coverage": 0.01, **changes})


def refusal(call: Callable[[], object]) -> str:
    """Return the one line in which something is refused."""
    with pytest.raises(AddinError) as caught:
        call()
    line = str(caught.value)
    assert "\n" not in line
    return line


REFUSED: dict[str, tuple[str | bytes, str]] = {
    "a mark of UTF-16 and no text": (b"\xff\xfe\r\0\n\0", r"f\.csv: is empty"),
    "zeros that a crash left": (bytes(4096), r"f\.csv: is empty"),
    "a header without an end": ("x" * 200_000 + "\n", r"f\.csv:1: cannot be read as csv \(field larger"),
    "a cell without an end": (LONG + 'a,"' + "x" * 200_000 + '",1,2,3,4\n', r"f\.csv:2: cannot be read as csv"),
    "thousands of a perfmon log": (
        PDH + log('"1,234","2,500"'),
        r"f\.csv:2, column .*Disk Reads/sec': '1,234': its comma may be a decimal one, or separate thousands",
    ),
    "thousands of a csv": (LONG + day('A,"1,234",2,3,4'), r"f\.csv:2, column 'reads': '1,234': its comma may be"),
    "German thousands beside decimal commas": (
        LONG.replace(",", ";") + day("A;1.000;2,5;3;4", delimiter=";"),
        r"f\.csv:2, column 'writes': '2,5': the file mixes decimal commas and points",
    ),
    "German thousands alone": (
        LONG.replace(",", ";") + day("A;3;7;1.234;2.100", delimiter=";"),
        r"f\.csv:2, column 'read_kib': '1\.234': its point may be a decimal one, or separate thousands",
    ),
    "a counter that stands twice": (
        PDH.replace("\r\n", "," + PDH.strip().split(",", 1)[1] + "\r\n") + log('"1","2","1","2"'),
        r"f\.csv:1, column .*disk reads/sec': column 4 holds the same counter as column 2",
    ),
    "a wide csv without rates": ("time,A:iops\n" + day("1"), r"f\.csv:1: has no column such as NAME:reads, but 'A:io"),
    "no name of a desktop": (LONG + day("A,1,2,3,4") + "2026-10-05 10:00,,1,2,3,4\n", r"f\.csv:26, .*names no desktop"),
    "a zero in a name": (
        LONG + day("A,1,2,3,4") * 200 + "2026-10-05 10:00,A\0B,1,2,3,4\n",
        r"f\.csv:4802, column 'desktop': 'A\?B' is no name of a desktop",
    ),
    "a year of nobody": (LONG + "0001-01-01T00:00Z,A,1,2,3,4\n", r"f\.csv:2, .*is of the year 1\. Expected a year"),
    "a clock that was never set": (LONG + "1970-01-01 00:00,A,1,2,3,4\n", r"f\.csv:2, .*is of the year 1970"),
    "an hour in the column seconds": (
        LONG.replace("\n", ",seconds\n") + "2026-10-05 08:00,A,1,2,3,4,3600\n",
        r"f\.csv:2, column 'seconds': '3600' is longer than 5 minutes",
    ),
    "zeros alone": (LONG + day("A,0,0,0,0"), r"no desktop is left: A: every sample is 0\. Look at which counters"),
    "far too much": (LONG + "2026-10-05 08:00,A,1e9,2,3,4\n", r"f\.csv: A at 2026-10-05 08:00: 1,000,000,000 a second"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_may_be_two_figures_or_none_is_one_line(tmp_path: Path, name: str) -> None:
    content, message = REFUSED[name]
    path = tmp_path / "f.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    zone = Options(zone=ZoneInfo("America/New_York"))
    line = refusal(lambda: study(path, options=zone))
    assert re.search(message, line), line


@pytest.mark.parametrize("row", ["A;0.100;7;1.234;2.100", "A;3.100;7.250;1.234;2.100"])
def test_three_digits_behind_a_point_are_fractions_where_that_is_certain(tmp_path: Path, row: str) -> None:
    """Beside 0.100 no point separates thousands; a file in which every number has three digits there has fractions."""
    found = study(write(tmp_path / "f.csv", LONG.replace(",", ";") + day(row, delimiter=";")))
    assert found.phases[0].mean == pytest.approx(sum(float(each) for each in row.split(";")[1:3]), abs=1e-3)


@pytest.mark.parametrize("typed", ["rot13", "base64", "idna", "utf-16", "cp99"])
def test_a_code_page_that_a_file_cannot_be_in(tmp_path: Path, typed: str) -> None:
    path = write(tmp_path / "f.csv", LONG + day("A,1,2,3,4"))
    line = refusal(lambda: study(path, options=Options(encoding=typed)))
    assert re.match(rf"f\.csv: (is not in )?--encoding '{typed}'", line)


def test_the_name_of_a_file_breaks_no_line(tmp_path: Path) -> None:
    assert refusal(lambda: study(write(tmp_path / "a\nb.csv", "x,y\n1,2\n"))).startswith("a b.csv:1: begins with")


def test_typeperf_begins_with_a_blank_row_and_ends_with_words(tmp_path: Path) -> None:
    end = "\r\nExiting, please wait...                         \r\nThe command completed successfully.\r\n\r\n"
    found = study(write(tmp_path / "f.csv", "\r\n" + PDH + log('"1.5","2.5"') + end))
    assert found.phases[0].mean == pytest.approx(4)
    assert found.readings[0].taken == ["1 machine, 24 rows"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-be"])
def test_a_log_with_decimal_commas_is_read_and_said(tmp_path: Path, encoding: str) -> None:
    found = study(write(tmp_path / "f.csv", PDH + log('"1,5","2,25"'), encoding))
    assert found.phases[0].mean == pytest.approx(3.75)
    assert any("decimal commas" in each.found for each in found.findings)


@pytest.mark.parametrize("wide", [False, True])
def test_utc_of_the_night_in_which_the_clock_is_set_back_repeats_nothing(tmp_path: Path, wide: bool) -> None:
    """From 00:00 to 05:00 UTC Berlin has 02:00 to 03:00 twice: both passes count, 3 and 5 IOPS make 4."""
    rates = {0: "2,1", 1: "4,1"}
    rows = [
        f"2026-10-25T{at // 12:02d}:{at % 12 * 5:02d}Z,{'' if wide else 'A,'}{rates.get(at // 12, '1,1')}"
        for at in range(60)
    ]
    head = "time,A:reads,A:writes" if wide else "time,desktop,reads,writes"
    path = write(tmp_path / "f.csv", "\n".join([head, *rows]))
    changes = {"options": Options(zone=ZoneInfo("Europe/Berlin")), "days": "sun", "windows": {"steady": "02:00-03:00"}}
    assert study(path, **changes).phases[0].mean == pytest.approx(4)
    twice = write(path, "\n".join([head, *rows, rows[9]]))
    assert "f.csv:62, column 'time'" in refusal(lambda: study(twice, **changes))


def test_utc_is_one_clock_however_it_is_written(tmp_path: Path) -> None:
    log, text = pilots.esxtop(tmp_path / "e.csv", SMALL), LONG + day("A,1,2,3,4", "2026-10-05T{:02d}:{:02d}Z")
    files = [log, write(tmp_path / "f.csv", text)]
    found = measured(files, settled=True, least_coverage=0.01)
    assert found.desktops == 3
    assert any(each.found == "the times are UTC" for each in found.findings)


def records(stamp: str, disk: str = "sda 1 2 3 4") -> str:
    """Return what iostat prints of two hours of one disk."""
    times = [stamp.format(hour, minute) for hour in (8, 9) for minute in range(0, 60, 5)]
    return "Linux 5 (h) 10/05/2026\n" + "".join(f"{t}\nDevice r/s rkB/s w/s wkB/s\n{disk}\n\n" for t in times)


@pytest.mark.parametrize("stamp", ["10/05/2026 {:02d}:{:02d}:00\u202fAM", "10/05/2026 {:02d}:{:02d}:00 am"])
def test_times_of_iostat_as_newer_systems_write_them(tmp_path: Path, stamp: str) -> None:
    found = study(write(tmp_path / "f.txt", records(stamp)))
    assert found.phases[0].mean == pytest.approx(4)
    assert any("10/05/2026 is read as month/day/year" in each.found for each in found.findings)


def test_iostat_that_leaves_idle_disks_out_did_nothing_there(tmp_path: Path) -> None:
    text = records("2026-10-05T{:02d}:{:02d}:00")
    idle = re.sub(r"(:\d0:00\nDevice [^\n]*\n)sda[^\n]*\n", r"\1", text)
    assert study(write(tmp_path / "f.txt", idle)).phases[0].mean == pytest.approx(4 * 12 / 23)  # without the first
    assert study(write(tmp_path / "f.txt", text + "2026-10-05T10:00:00\nDevice r/s rkB/s w/s wkB/s\n")).phases[
        0
    ].mean == pytest.approx(4)


def test_what_iostat_does_not_say_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "f.txt"
    line = refusal(lambda: study(write(path, records("05.10.2026 {:02d}:{:02d}:00"))))
    assert "f.txt:2: '05.10.2026 08:00:00' is no time. Log with S_TIME_FORMAT=ISO" in line
    content = json.loads(pilots.iostat_json(path, SMALL).read_text(encoding="utf-8"))
    (host,) = content["sysstat"]["hosts"]
    disk = host["statistics"][3]["disk"][0]
    for value in (-5, float("inf"), float("nan"), "1,5"):
        disk["r/s"] = value
        message = f"record 4, sda, r/s: '{value}' is no rate"
        assert message in refusal(lambda: study(write(path, json.dumps(content))))
    disk["r/s"] = 1
    content["sysstat"]["hosts"].append(host)
    assert "two hosts are called 'VDI-001'" in refusal(lambda: study(write(path, json.dumps(content))))
    content["sysstat"]["hosts"] = []
    assert "f.txt: no desktop with a sample" in refusal(lambda: study(write(path, json.dumps(content))))
    content["sysstat"]["hosts"] = [host]
    host["statistics"][0]["timestamp"] = {"date": "2026-10-05"}
    assert "record 1: " in refusal(lambda: study(write(path, json.dumps(content))))
    for each in host["statistics"]:
        each["disk"] = [{**each["disk"][0], "disk_device": "mmcblk0"}]
        each["timestamp"] = ""
    assert "f.txt: has no whole disk, only mmcblk0" in refusal(lambda: study(write(path, json.dumps(content))))


def test_histograms_that_grow_are_never_added(tmp_path: Path) -> None:
    kind = "Histogram: IO lengths of {} commands,virtual machine worldGroupID,1,virtual disk handleID,8 (scsi0:0)"
    text = "".join(f"{kind.format(each)}\nmean,4096\ncount,9\nFrequency,x\n" for each in ("Read", "Write"))
    one = f"Histogram: IO lengths\n{text}".replace("Histogram: IO lengths\n", "", 1)
    assert [mix.reads for mix in study(write(tmp_path / "f.csv", one)).mixes] == [9]
    assert "has the histogram of its reads twice" in refusal(lambda: study(write(tmp_path / "f.csv", one + one)))
    whole = f"{kind.replace(' of {} commands', ' of commands')}\nmean,4096\ncount,18\nFrequency,x\n"
    cut = refusal(lambda: study(write(tmp_path / "f.csv", whole)))
    assert "f.csv: has no histogram of reads and of writes: its end is missing" in cut
    assert "'-9' is no whole number" in refusal(lambda: study(write(tmp_path / "f.csv", one.replace(",9", ",-9"))))


def test_words_and_numbers_of_an_inventory_that_went_through_excel(tmp_path: Path) -> None:
    german = {"True": "WAHR", "False": "FALSCH"}
    rows = [[german.get(str(cell), cell) for cell in row] for row in MACHINES]
    path = write(tmp_path / "f.csv", table([INFO, *rows], ";"))
    assert groups(read(path)) == groups(read(workbook(tmp_path / "a.xlsx", {"vInfo": [INFO, *MACHINES]})))
    for old, new, message in (
        ("WAHR", "JEIN", "'jein' is neither true nor false"),
        ("8192", "8.192", "column 'memory': vinfo: '8.192': its point may separate thousands"),
        ("8192;", "-8192;", "'-8192' is negative"),
        ("8192;", "1e999;", "'1e999' is no number"),
    ):
        write(path, table([INFO, *rows], ";").replace(old, new))
        assert message in refusal(lambda: read(path))


def test_a_name_in_two_datacenters_is_two_machines_with_disks_of_their_own(tmp_path: Path) -> None:
    info = [INFO, *([*MACHINES[0][:10], place, "C1"] for place in ("DC1", "DC2"))]
    heads, kib = ["VM", "Disk", "Capacity MiB", "Consumed MiB", "Datacenter", "Cluster"], (10_240, 30_720)
    parts: list[list[object]] = [
        [*heads],
        *(["VDI-T-01", "C:", 40_960, used, f"DC{at}", "C1"] for at, used in enumerate(kib, 1)),
    ]
    path = tmp_path / "a.xlsx"
    assert groups(read(workbook(path, {"vInfo": info, "vPartition": parts})))["VDI-T"] == (2, 4.0, 40.0, 20.0)
    nameless = [list(row)[:4] for row in parts]  # nobody's: In Use counts
    (group,) = read(workbook(path, {"vInfo": info, "vPartition": nameless})).groups
    assert (group.gib, dict(group.sources)) == (20.0, {"In Use": 2})


def test_tabs_that_state_a_wrong_range_or_are_there_twice(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", {"vInfo": [INFO, *MACHINES]})
    expected = groups(read(path))
    with zipfile.ZipFile(path) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    for before, after in ((rb'<dimension ref="[^"]*"', b'<dimension ref="A1"'), (rb'<row r="7"', b'<row r="900000"')):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
            for name, part in parts.items():
                package.writestr(name, re.sub(before, after, part) if name == sheet else part)
        if b"row" not in before:
            assert groups(read(path)) == expected
    assert "a.xlsx:200001: vInfo has more than 200,000 rows" in refusal(lambda: read(path))
    workbook(path, {"vInfo": [INFO, *MACHINES], "copy": [INFO, *MACHINES]})
    assert "has two tabs with the columns of vinfo: 'vInfo' and 'copy'" in refusal(lambda: read(path))
    workbook(path, {"vInfo": [[*INFO, "Memory"], [*MACHINES[0], 1]]})
    assert "a.xlsx:1, column 'memory': vInfo: two columns are called 'memory'" in refusal(lambda: read(path))


def run(path: Path, **changes: object) -> Path:
    """Write a run of fio whose one job has other values."""
    content = json.loads(pilots.fio(path, 64_000, 0.65, 1.0).read_text(encoding="utf-8"))
    content["jobs"][0].update(changes)
    return write(path, json.dumps(content))


def test_runs_of_other_editions_of_fio(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    text = pilots.fio(path, 64_000, 0.65, 1.0).read_text(encoding="utf-8")
    assert "a.json: holds more than one report" in refusal(lambda: fio.read(write(path, f"{text}\n{text}")))
    (point,) = fio.read(write(path, "fio: {cpus} are few\n" + text, "utf-16"))
    assert point.iops == pytest.approx(64_000)
    old = json.loads(text)
    del old["jobs"][0]["job options"], old["global options"]
    assert "names no iodepth, so Little's law cannot be checked" in refusal(
        lambda: fio.read(write(path, json.dumps(old)))
    )
    assert len(fio.read(run(path, jobname={}, groupid=[1]))) == 1
    for changes, message in (
        ({"job options": {"iodepth": "0"}}, "iodepth 0, numjobs 1"),
        ({"job options": {"iodepth": "32k"}}, "'32k'"),
        ({"read": {"iops": float("nan")}}, "nan IOPS"),
        ({"read": {"iops": -5}}, "-5.0 IOPS"),
    ):
        assert message in refusal(lambda changes=changes: fio.read(run(path, **changes)))  # type: ignore[misc]
    broken = json.dumps({"fio version": "fio-3.28", "jobs": ["x"]})
    assert "'x' is no job" in refusal(lambda: fio.read(write(path, broken)))


def test_a_count_of_desktops_is_one_in_figures(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    for text in ("²", "0", "100001"):
        write(path, f"desktop,type,desktops\n*,task,{text}\n")
        assert f"t.csv:2, column 'desktops': '{text}' is no count of desktops" in refusal(lambda: types.read(path))
    write(path, "desktop,type,type\n*,task,power\n")
    assert "t.csv:1: two columns are called 'type'. Leave one out" in refusal(lambda: types.read(path))


ONE = pilots.pilots(count=1, days=1, begin="08:00", end="10:00")


def one_machine(path: Path, _: object) -> Path:
    """Write an inventory with one of each that counts and does not."""
    return workbook(path.with_suffix(".xlsx"), {"vInfo": [INFO, MACHINES[0], *MACHINES[4:]]})


WRITERS = (pilots.generic, pilots.wide, pilots.perfmon, pilots.esxtop, pilots.iostat, one_machine)


@pytest.mark.parametrize("make", WRITERS, ids=lambda each: each.__name__)
def test_one_of_a_kind_is_singular(tmp_path: Path, make: Callable[..., Path]) -> None:
    text = measured_text.text(study(make(tmp_path / "f.csv", ONE), options=Options(desktops=("VDI*",))), (), "")
    assert re.search(r"\b1 (?:desktop|machine|record)", text)
    assert re.findall(r"(?<![\d.,-])1 (?:further |more )?(?!has|is)[a-z]+s\b(?! own)", text) == []
