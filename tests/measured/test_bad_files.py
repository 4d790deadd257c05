"""What is wrong with a file is one line with its name, row and column; what is odd about it is a finding."""

from __future__ import annotations

import datetime
import gzip
import io
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
import pytest

from addin.errors import AddinError
from addin.measured.records import Options
from addin.measured.study import Study
from addin.results.measured_sections import sections
from tests.measured.test_inventories import INFO, MACHINES, workbook
from tests.support import pilots
from tests.support.pilots import measured, write

DATA = pilots.pilots()
SMALL = pilots.pilots(count=2, days=1, begin="08:00", end="09:00")
LONG = "time,desktop,reads,writes,read_kib,write_kib\n"
ROW = "2026-10-05 08:00,A,1,2,3,4\n"


def refusal(*files: Path, **changes: object) -> str:
    """Return the one line in which files are refused."""
    with pytest.raises(AddinError) as caught:
        measured(files, **{"settled": True, **changes})
    line = str(caught.value)
    assert "\n" not in line
    return line


BANNER = "Linux 5.8.0 (h) \t10/05/2026 \t_x86_64_\t(2 CPU)\n\n"


def zipped() -> bytes:
    """Return an archive of two csv files."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in ("a.csv", "b.csv"):
            archive.writestr(name, LONG + ROW)
    return packed.getvalue()


CASES: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", r"f\.csv: is empty"),
    "blank": (" \r\n\n", r"f\.csv: is empty"),
    "header only": (LONG, r"f\.csv:1: holds a header and no row"),
    "unknown header": ("a,b,c\n1,2,3\n", r"f\.csv:1: begins with 'a', 'b', 'c'\. Expected perfmon"),
    "no writes": ("time,desktop,reads\n2026-10-05,A,1\n", r"f\.csv:1: has no column 'writes', but 'time'.*--columns"),
    "a total alone": ("time,desktop,iops\n", r"f\.csv:1: has no column 'reads'.*not enough"),
    "text": (LONG + ROW + "2026-10-05 08:05,A,1,much,3,4\n", r"f\.csv:3, column 'writes': 'much' is no number"),
    "negative": (LONG + ROW + "2026-10-05 08:05,A,1,2,-1,4\n", r"f\.csv:3, column 'read_kib': '-1' is negative"),
    "infinite": (LONG + ROW + "2026-10-05 08:05,A,1,inf,1,4\n", r"f\.csv:3, column 'writes': 'inf' is no number"),
    "mixed marks": (
        LONG.replace(",", ";") + "2026-10-05 08:00;A;1,5;2;3;4\n2026-10-05 08:05;A;1.5;2;3;4\n",
        r"f\.csv:3, column 'reads': '1\.5': the file mixes decimal commas and points",
    ),
    "mixed marks, points first": (
        LONG + '2026-10-05 08:00,A,1.5,2,3,4\n2026-10-05 08:05,A,"1,5",2,3,4\n',
        r"f\.csv:3, column 'reads': '1,5': the file mixes decimal commas and points",
    ),
    "thousands": (LONG + ROW + '2026-10-05 08:05,A,"1,234.5",2,3,4\n', r"f\.csv:3, column 'reads': '1,234\.5'.*mixes"),
    "time": (LONG + ROW + "05.10.2026 08:05,A,1,2,3,4\n", r"f\.csv:3, column 'time': '05\.10\.2026 08:05' is no time"),
    "day": (LONG + "2026-10-05,A,1,2,3,4\n", r"f\.csv:2, column 'time': '2026-10-05' is no time"),
    "twice": (LONG + ROW + ROW.replace("A", "B") + ROW, r"f\.csv:4, column 'time': A has 2026-10-05 08:00 twice"),
    "two zones": (
        LONG + "2026-10-05T08:00+02:00,A,1,2,3,4\n2026-10-05T08:05+01:00,A,1,2,3,4\n",
        r"f\.csv:3, column 'time': .*times of two zones.*--zone",
    ),
    "an offset at times": (
        LONG + "2026-10-05T08:00+02:00,A,1,2,3,4\n2026-10-05T08:05,A,1,2,3,4\n",
        r"f\.csv:3, column 'time': .*some times have an offset from UTC and others have not",
    ),
    "short row": (LONG + ROW + "2026-10-05 08:05,A,1\n", r"f\.csv:3: has 3 cells, the header 6"),
    "two columns": ("time,desktop,reads,reads,writes\n", r"f\.csv:1: two columns are called 'reads'"),
    "code page": (
        LONG.encode() + "2026-10-05 08:00,Büro,1,2,3,4\n".encode("cp1252"),
        r"f\.csv:2: byte 0xfc.*--encoding",
    ),
    "binary": (b"\x00\x01\x02BLG" * 50, r"f\.csv: is no text.*relog x\.blg -f csv -o x\.csv"),
    "old workbook": (b"\xd0\xcf\x11\xe0" + b"\0" * 100, r"f\.csv: is an old or an encrypted workbook"),
    "no disk": (
        '"(PDH-CSV 4.0) (UTC)(0)","\\\\A\\Processor(_Total)\\% Idle Time"\n',
        r"f\.csv:1, column .*: has no counter of a disk by its English name.*PhysicalDisk",
    ),
    "localised": (
        '"(PDH-CSV 4.0) (UTC)(0)","\\\\A\\Physikalischer Datenträger(_Total)\\Lesevorgänge/s"\n',
        r"f\.csv:1, column .*: has no counter of a disk by its English name, but .*Lesevorg.*typeperf",
    ),
    "rates without their sister": (
        '"(PDH-CSV 4.0) (UTC)(0)","\\\\A\\PhysicalDisk(_Total)\\Disk Transfers/sec"\n"10/05/2026 08:00:00","1"\n',
        r"f\.csv:1: A has no 'Disk Reads/sec' beside 'Disk Writes/sec', but 'disk transfers/sec'",
    ),
    "seconds lost": (
        "(PDH-CSV 4.0) (UTC)(0),\\\\A\\PhysicalDisk(_Total)\\Disk Reads/sec,"
        "\\\\A\\PhysicalDisk(_Total)\\Disk Writes/sec\n"
        "10/5/2026 8:00,1,2\n10/5/2026 8:00,1,2\n",
        r"f\.csv:3: times have no seconds and stand twice: the file was saved by Excel",
    ),
    "sar -d": (
        BANNER + "08:00:01 AM       DEV       tps     rkB/s     wkB/s\n",
        r"f\.csv: is sar -d, which does not split reads and writes\. Log with iostat -xtk 300 300 instead",
    ),
    "sar -d without its banner": ("08:00:01 DEV tps rkB/s\n", r"f\.csv: is sar -d, which does not split"),
    "sadf -d": ("# hostname;interval;timestamp;DEV;tps;rkB/s\n", r"f\.csv: is sar -d, which does not split"),
    "sar -b": (BANNER + "08:00:01 AM       tps      rtps      wtps   bread/s\n", r"f\.csv: is sar -b, which names no"),
    "sar -u": (
        BANNER + "08:00:01 AM     CPU     %user     %nice\n",
        r"f\.csv: is a report of sysstat without disks\. Log",
    ),
    "iostat without -x": (
        BANNER + "Device             tps    kB_read/s    kB_wrtn/s\nsda 1 2 3\n",
        r"f\.csv: is iostat without -x, which does not split I/Os into reads and writes\. Log with iostat -xtk 300 300",
    ),
    "a host of Hyper-V": (
        '"(PDH-CSV 4.0) (UTC)(0)","\\\\H\\Hyper-V Virtual Storage Device(C:-a.vhdx)\\Read Operations/Sec"\n',
        r"f\.csv:1, .* Hyper-V host: log PhysicalDisk\(_Total\) in its desktops, not on the host",
    ),
    "gzip": (gzip.compress(b"time,desktop\n"), r"f\.csv: is packed with gzip\. Unpack it, and name the files in it"),
    "zip": (zipped(), r"f\.csv: is a zip archive that holds 'a\.csv', 'b\.csv'\. Unpack it, and name the files in it"),
    "since boot": (
        "Linux 5 (a)\n\nDevice r/s rkB/s w/s wkB/s\nsda 1 2 3 4\n",
        r"f\.csv: holds only the record since boot\. Run iostat -xtk 300 300",
    ),
    "only parts of disks": ("Device r/s rkB/s w/s wkB/s\nsda1 1 2 3 4\n", r"f\.csv: has no whole disk, only sda1"),
    "no JSON": ('{"sysstat": {"hosts": [', r"f\.csv: is no JSON of iostat"),
    "quotes": (LONG + '2026-10-05 08:00,"A,1,2,3,4\n' + ROW, r"f\.csv:2: has 2 cells, the header 6"),
    "far too much": (LONG + "2026-10-05 08:00,A,1e9,2,3,4\n", r"A at 2026-10-05 08:00: 1,000,000,000 a second.*unit"),
}


@pytest.mark.parametrize("name", CASES)
def test_a_file_that_cannot_be_used_is_one_line(tmp_path: Path, name: str) -> None:
    content, message = CASES[name]
    path = tmp_path / "f.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    line = refusal(path)
    assert re.search(message, line), line


def test_a_file_that_is_not_there_and_a_folder(tmp_path: Path) -> None:
    assert "f.csv: there is no such file" in refusal(tmp_path / "f.csv")
    assert ": is a folder" in refusal(tmp_path)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_encodings_are_found_or_named(tmp_path: Path, encoding: str) -> None:
    path = write(tmp_path / "f.csv", LONG + ROW.replace("A", "Büro") * 1, encoding)
    code_page = encoding if encoding == "cp1252" else ""
    study = measured([path], settled=True, least_coverage=0.001, options=Options(encoding=code_page))
    assert study.desktops == 1
    assert "f.csv: --encoding 'cp99' is unknown" in refusal(write(path, LONG + ROW), options=Options(encoding="cp99"))


def test_decimal_commas_are_read_where_a_file_has_nothing_else(tmp_path: Path) -> None:
    text = LONG.replace(",", ";") + "".join(f"2026-10-05 08:{m:02d};A;1,5;2,5;3;4\n" for m in range(0, 60, 5))
    study = measured([write(tmp_path / "f.csv", text)], settled=True, least_coverage=0.01)
    assert study.phases[0].mean == pytest.approx(4.0)
    assert found(study, "decimal commas").startswith("read as such")
    assert study.readings[0].interval_s == 300


def test_columns_cut_off_by_excel_are_refused(tmp_path: Path) -> None:
    heads = ["(PDH-CSV 4.0) (UTC)(0)", *(rf"\\e\Virtual Disk(A:scsi0:0)\{each}" for each in
             ("Reads/sec", "Writes/sec", "MBytes Read/sec", "MBytes Written/sec"))]  # fmt: skip
    heads += [rf"\\e\Group Cpu({n}:x)\% Used" for n in range(16_384 - len(heads))]
    path = write(tmp_path / "f.csv", pilots.table([heads]))
    assert "f.csv:1: ends at column 16,384, Excel's last" in refusal(path)


def moved(path: Path, change: Callable[[list[str]], list[str]]) -> Path:
    """Change the lines of a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return write(path, "\n".join(change(lines)) + "\n")


def test_times_of_a_log_that_go_back_or_stand_twice_are_refused(tmp_path: Path) -> None:
    path = pilots.perfmon(tmp_path / "f.csv", SMALL)
    moved(path, lambda lines: [*lines[:6], *lines[4:]])
    assert "f.csv:7: the time 2026-10-05 08:15 comes after 2026-10-05 08:20" in refusal(path)
    path = pilots.perfmon(tmp_path / "f.csv", SMALL)
    moved(path, lambda lines: [*lines[:6], *lines[5:]])
    assert "f.csv:7: the time 2026-10-05 08:20 appears twice" in refusal(path)


def test_the_hour_that_a_clock_repeats_is_left_out(tmp_path: Path) -> None:
    data = pilots.pilots(count=1, days=1, begin="08:00", end="12:00")
    repeated = [time.hour == 9 for time in data.times]
    path = pilots.perfmon(tmp_path / "f.csv", data)
    lines = path.read_text(encoding="utf-8").splitlines()
    hour = [line for line, again in zip(lines[2:], repeated, strict=True) if again]
    write(path, "\n".join([*lines[:2], *lines[2:26], *hour, *lines[26:]]) + "\n")
    study = measured([path], settled=True, windows={"steady": "08:00-12:00"})
    finding = next(each for each in study.findings if "goes back by an hour" in each.found)
    assert "rows 27 to 38, the repeated hour, are left out" in finding.effect
    assert study.phases[0].mean == pytest.approx(float(data.iops.mean()), rel=1e-4)


def test_two_clocks_are_refused_and_one_zone_puts_them_right(tmp_path: Path) -> None:
    files = [pilots.perfmon(tmp_path / "a.csv", SMALL, 0), pilots.perfmon(tmp_path / "b.csv", SMALL, 1, 300, "EST")]
    line = refusal(*files, least_coverage=0.01)
    assert "b.csv: its clock is EST, that of a.csv W. Europe Daylight Time. Name the site's zone with --zone" in line
    one, two = replace(SMALL, names=SMALL.names[:1], values=SMALL.values[:1]), pilots.pilots(2, 1, "08:00", "09:00")
    later = replace(two, times=tuple(time - datetime.timedelta(hours=7) for time in two.times))  # Berlin is 7 h ahead
    zone = Options(zone=ZoneInfo("Europe/Berlin"))
    files = [pilots.generic(tmp_path / "a.csv", one), pilots.perfmon(tmp_path / "b.csv", later, 1, 300, "EST")]
    together = measured(files, settled=True, options=zone)
    assert {reading.clock for reading in together.readings} == {"Europe/Berlin"}
    assert together.phases[0].mean == pytest.approx(float(SMALL.iops.mean()), rel=1e-4)


def test_a_file_given_twice_and_a_desktop_in_two_files_are_refused(tmp_path: Path) -> None:
    one, two = pilots.generic(tmp_path / "a.csv", DATA), tmp_path / "b.csv"
    two.write_bytes(one.read_bytes())
    assert "b.csv: holds the same bytes as a.csv" in refusal(one, two)
    pilots.wide(two, DATA)
    assert "b.csv: VDI-001 and 11 more desktops are at the same times in a.csv" in refusal(one, two)


def test_a_desktop_whose_days_are_in_two_files_is_one_desktop(tmp_path: Path) -> None:
    half = len(DATA.times) // 2
    parts = [replace(DATA, times=DATA.times[at], values=DATA.values[:, at]) for at in (slice(half), slice(half, None))]
    files = [pilots.generic(tmp_path / f"{at}.csv", part) for at, part in enumerate(parts)]
    together = measured(files).phases
    assert together == measured([pilots.generic(tmp_path / "all.csv", DATA)]).phases


def found(study: Study, text: str) -> str:
    """Return what a finding did to the figures."""
    return next(each.effect for each in study.findings if text in each.found)


def test_a_desktop_that_reads_zero_is_left_out_and_the_effect_is_said(tmp_path: Path) -> None:
    values = DATA.values.copy()
    values[4] = 0
    study = measured([pilots.generic(tmp_path / "f.csv", replace(DATA, values=values))])
    assert study.desktops == 11
    assert found(study, "VDI-005: every sample is 0") == "left out, 11 desktops are left"
    sized, other = re.findall(r"[\d.]+ IOPS", found(study, "desktops that read 0"))[0], study.phases[0].per_desktop
    assert sized == f"{other:.2f} IOPS"


def test_many_zeros_are_counted_and_said(tmp_path: Path) -> None:
    values = DATA.values.copy()
    values[4, ::3] = 0
    study = measured([pilots.generic(tmp_path / "f.csv", replace(DATA, values=values))])
    assert study.desktops == 12
    assert found(study, "VDI-005: more than 20 % of the bins are exactly 0").startswith("counted as 0")


def test_a_desktop_with_gaps_is_left_out_and_what_is_missing_is_not_0(tmp_path: Path) -> None:
    values = DATA.values.copy()
    values[4, ::2] = np.nan
    values[5, 200:210] = np.nan
    path = pilots.generic(tmp_path / "f.csv", replace(DATA, values=values))
    write(path, path.read_text(encoding="utf-8").replace("nan", ""))
    study = measured([path])
    assert study.desktops == 11
    assert "VDI-005: 5" in "".join(each.found for each in study.findings)
    kept = [n for n in range(12) if n != 4]
    assert study.phases[0].peak is not None
    assert study.phases[0].peak.mean == pytest.approx(2 * float(DATA.iops[kept, 0].mean()), rel=1e-4)
    line = refusal(path, windows={"steady": "08:00-23:00"})
    assert re.search(r"no desktop is left: VDI-001.*: 39 to 77 % of the expected bins are there, 90 % are asked", line)


def test_the_first_two_days_of_a_pilot_are_left_out_unless_wanted(tmp_path: Path) -> None:
    values = DATA.values * np.array([3.0 if time.day < 7 else 1.0 for time in DATA.times])[None, :, None]
    path = pilots.generic(tmp_path / "f.csv", replace(DATA, values=values))
    first, kept = measured([path]), measured([path], settled=True)
    assert first.phases[0].at == "2026-10-08 10:00-10:30"
    assert kept.phases[0].at.startswith("2026-10-05")
    assert "with the first 2 days" in found(first, "first 2 days)")
    short = pilots.generic(tmp_path / "g.csv", pilots.pilots(days=2))
    assert "the first 2 of a pilot are left out" in refusal(short, settled=False)


@pytest.mark.parametrize(("make", "every"), [(pilots.generic, 900), (pilots.perfmon, 600)])
def test_a_long_interval_gives_means_and_no_peak(tmp_path: Path, make: Callable[..., Path], every: int) -> None:
    data = pilots.pilots(every=every)
    study = measured([make(tmp_path / "f.csv", data)], settled=True)
    (phase,) = study.phases
    assert (phase.peak, phase.sized, phase.moments, study.rows) == (None, None, {}, {})
    assert "means only, no peak" in study.peaks
    assert f"{every // 60} minutes" in study.peaks or f"{every} s" in study.peaks
    desktops = data.iops if make is pilots.generic else data.iops[:1]
    hours = [8 <= time.hour < 18 for time in data.times]
    assert phase.mean == pytest.approx(float(desktops[:, hours].mean()), rel=1e-3)


def test_few_desktops_or_days_give_no_interval_and_say_why(tmp_path: Path) -> None:
    study = measured([pilots.generic(tmp_path / "f.csv", DATA)])
    assert study.phases[0].error.upper is None
    assert study.phases[0].error.why.startswith("12 desktops on 3 days: an interval needs 10 desktops and 5 days")
    assert study.source == "measured on 12 desktops, 3 days, 5-minute means; no interval"


def test_hours_are_needed_and_words_that_are_none_are_refused(tmp_path: Path) -> None:
    path = pilots.generic(tmp_path / "f.csv", SMALL)
    assert "--hours '8-18': expected two times" in refusal(path, windows={"steady": "8-18"})
    assert "--hours '08:01-18:00': expected two times in steps of 5" in refusal(path, windows={"steady": "08:01-18:00"})
    assert "--days 'work': expected days such as mon-fri" in refusal(path, days="work")
    assert "--smooth 7: expected minutes in steps of 5" in refusal(path, smooth=7)
    assert "no sample lies in the hours" in refusal(path, windows={"steady": "20:00-22:00"})
    assert "--desktops PC*: fits no desktop" in refusal(path, options=Options(desktops=("PC*",)))


def test_a_row_that_no_program_writes_is_refused(tmp_path: Path) -> None:
    """Four million cells in one row unpack to less than is allowed, and needed more than 2 GB when read."""
    plain, bomb = tmp_path / "plain.xlsx", tmp_path / "bomb.xlsx"
    workbook(plain, {"vInfo": [INFO, *MACHINES]})
    cell = b'<c r="XFD100"><v>1</v></c>'
    for count, refused in ((4 << 20) // len(cell), False), ((12 << 20) // len(cell), True):
        row = b'<row r="100">' + cell * count + b"</row>"
        with zipfile.ZipFile(plain) as source, zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as target:
            for name in source.namelist():
                target.writestr(name, source.read(name).replace(b"</sheetData>", row + b"</sheetData>"))
        if refused:
            assert "sheet1.xml has a row of more than 8 MiB. Export fewer machines" in refusal(bomb)
        else:
            assert measured([bomb]).groups


def test_more_texts_than_cells_are_refused(tmp_path: Path) -> None:
    """Sixty MiB of texts that no cell shows took two minutes to read."""
    plain, bomb = tmp_path / "plain.xlsx", tmp_path / "bomb.xlsx"
    workbook(plain, {"vInfo": [INFO, *MACHINES]})
    text = b"<si><t>a</t></si>"
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            target.writestr(name, source.read(name))
        target.writestr("xl/sharedStrings.xml", b"<sst>" + text * ((12 << 20) // len(text)) + b"</sst>")
    assert re.search(r"sharedStrings\.xml has 740,171 texts, and its sheets have room for \d+\. Export", refusal(bomb))


def test_a_package_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("[Content_Types].xml", "<Types/>")
        package.writestr("xl/worksheets/sheet1.xml", b"0" * (257 << 20))
    assert "bomb.xlsx: unpacks to 257 MiB, at most 256. Export fewer machines, or the tabs vInfo" in refusal(path)
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("word/document.xml", "<document/>")
    assert "bomb.xlsx: is not an Excel workbook, or a damaged one. Save it anew in Excel" in refusal(path)
    path.write_bytes(b"PK\x03\x04 not a package")
    assert refusal(path).startswith("bomb.xlsx: cannot be read as .xlsx")


def test_files_of_one_name_in_a_tree_are_told_apart(tmp_path: Path) -> None:
    """`pilots/pc1/log.csv` and `pilots/pc2/log.csv` were both "log.csv"."""
    for name in ("pc1/a", "pc2/a", "pc3"):
        (tmp_path / name).mkdir(parents=True)
    one = write(tmp_path / "pc1" / "a" / "log.csv", LONG + ROW)
    other = write(tmp_path / "pc2" / "a" / "log.csv", LONG + ROW.replace(",1,", ",x,"))
    third = write(tmp_path / "pc3" / "log3.csv", LONG + ROW.replace("A", "B").replace(",1,", ",x,"))
    where = str(Path("pc2", "a", "log.csv"))
    assert refusal(one, other).startswith(f"{where}:2, column 'reads': 'x' is no number. Leave a missing value blank")
    assert refusal(one, third).startswith("log3.csv:2, column 'reads': 'x' is no number")
    found = measured([one, write(other, LONG + ROW.replace("A", "B"))], settled=True)
    files = next(sections(found)).lines
    assert [each.partition(" (")[0] for each in files if not each.startswith(" ")] == [
        str(Path("pc1", "a", "log.csv")),
        where,
    ]


def test_what_is_no_file_is_named_as_it_was_typed(tmp_path: Path) -> None:
    """`measure BOOK /dev/null` said "null: is no plain file"."""
    gone = tmp_path / "pilots" / "gone.csv"
    assert refusal(gone) == f"{gone}: there is no such file. Name files that a measuring tool wrote"
    assert refusal(tmp_path) == f"{tmp_path}: is a folder. Name files that a measuring tool wrote"
