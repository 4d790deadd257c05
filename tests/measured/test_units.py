"""Units of a csv: bytes and MiB are read as what they are called, and figures that no disk or desktop has are named."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from addin.errors import RequestError
from addin.measured.records import AMBER, Finding, Options
from addin.measured.study import Study
from tests.support import pilots
from tests.support.pilots import measured, write

HEADS = "time,desktop,reads,writes,read_kib,write_kib"
DATA = pilots.pilots(count=3)


def export(path: Path, heads: Sequence[str], kib: float = 1, ios: float = 1) -> Path:
    """Write the pilots under other headings, their KiB and their I/Os times something."""
    head, *rows = pilots.generic(path, DATA).read_text(encoding="utf-8").splitlines()
    assert head == HEADS
    cells = [row.split(",") for row in rows]
    made = [[*each[:2], *(float(x) * ios for x in each[2:4]), *(float(x) * kib for x in each[4:])] for each in cells]
    return write(path, pilots.table([["time", "desktop", "reads", "writes", *heads], *made]))


def study(file: Path, *columns: tuple[str, str]) -> Study:
    return measured([file], settled=True, options=Options(columns=columns))


def amber(found: Study) -> list[Finding]:
    return [each for each in found.findings if each.level == AMBER]


def sizes(found: Study) -> tuple[float | None, ...]:
    mix = found.phases[0].mean_mix
    return mix.read_kib, mix.write_kib, mix.kib


@pytest.mark.parametrize(
    ("unit", "kib"), [("kib", 1), ("kb", 1), ("mib", 1 / 1024), ("mb", 1 / 1024), ("bytes", 1024), ("Bytes", 1024)]
)
def test_bytes_are_read_in_the_unit_that_their_column_is_called_by(tmp_path: Path, unit: str, kib: float) -> None:
    found = study(export(tmp_path / "a.csv", (f"read_{unit}", f"write_{unit}"), kib))
    assert sizes(found) == pytest.approx((20, 12, 14.4), rel=1e-3)
    assert amber(found) == []
    named = study(
        export(tmp_path / "b.csv", ("in", "out"), kib), (f"read_{unit.lower()}", "in"), (f"write_{unit.lower()}", "out")
    )
    assert sizes(named) == sizes(found)
    noted = [each for each in found.findings if "units of 1,024" in each.effect]
    assert len(noted) == (unit in ("kb", "mb"))


def test_a_wide_csv_may_have_mib_too(tmp_path: Path) -> None:
    text = pilots.wide(tmp_path / "w.csv", DATA).read_text(encoding="utf-8")
    head, *rows = text.splitlines()
    kept = [row.split(",") for row in rows]
    parts = [
        [each[0], *(f"{float(x) / (1024 if at % 4 > 1 else 1):.9f}" for at, x in enumerate(each[1:]))] for each in kept
    ]
    file = write(tmp_path / "m.csv", pilots.table([head.replace("_kib", "_mb").split(","), *parts]))
    assert sizes(study(file)) == pytest.approx((20, 12, 14.4), rel=1e-3)


def test_a_column_in_two_units_is_refused(tmp_path: Path) -> None:
    file = export(tmp_path / "a.csv", ("read_kib", "read_mb"))
    with pytest.raises(Exception, match=r"a\.csv:1: two columns are called 'read_kib'"):
        study(file)


@pytest.mark.parametrize(
    ("heads", "kib", "columns", "size", "advice"),
    [
        (
            ("read_kib", "write_kib"), 1024, (), "14,746",
            "Are these bytes? Then type --columns read_bytes=read_kib --columns write_bytes=write_kib, which makes it",
        ),
        (
            ("MB in", "MB out"), 1 / 1024, (("read_kib", "MB in"), ("write_kib", "MB out")), "0.0141",
            "Are these MiB? Then type --columns read_mib='MB in' --columns write_mib='MB out', which makes it 14.4 KiB",
        ),
        (("read_mb", "write_mb"), 1, (), "14,746", "Are these KiB? Then type --columns read_kib=read_mb"),
        (("read_kib", "write_kib"), 0, (), "0", "Look at the unit of the columns, or leave them out"),
    ],
)  # fmt: skip
def test_a_mean_io_that_no_disk_has_is_named_with_its_likely_unit(
    tmp_path: Path, heads: tuple[str, str], kib: float, columns: tuple[tuple[str, str], ...], size: str, advice: str
) -> None:
    (found,) = amber(study(export(tmp_path / "a.csv", heads, kib), *columns))
    assert found.found == f"a.csv: a mean I/O of {size} KiB, which no disk has"
    assert found.effect.startswith(advice)


def test_what_the_advice_says_mends_it(tmp_path: Path) -> None:
    file = export(tmp_path / "a.csv", ("read_kib", "write_kib"), 1024)
    mended = study(file, ("read_bytes", "read_kib"), ("write_bytes", "write_kib"))
    assert amber(mended) == []
    assert sizes(mended) == pytest.approx((20, 12, 14.4), rel=1e-3)


def test_columns_that_are_not_read_are_named_where_those_with_bytes_are_missing(tmp_path: Path) -> None:
    found, without = amber(study(export(tmp_path / "a.csv", ("in", "out"))))
    assert found.found == "a.csv: 'in', 'out' beside reads and writes"
    assert found.effect == (
        "not read; name those with bytes: --columns read_kib=HEADING, or read_mib or read_bytes by their unit"
    )
    assert (without.found, without.effect) == (
        "VDI-001, VDI-002, VDI-003: no bytes were read of their files",
        "no block size is given",
    )


def test_bytes_of_reads_alone_are_no_block_size_of_all(tmp_path: Path) -> None:
    found = study(export(tmp_path / "a.csv", ("read_kib", "out")))
    assert sizes(found) == (None, None, None)
    assert amber(found)[0].found == "a.csv: 'out' beside reads and writes"


def test_ios_of_an_interval_are_more_than_a_desktop_does(tmp_path: Path) -> None:
    (found,) = amber(study(export(tmp_path / "a.csv", ("read_kib", "write_kib"), 300, 300)))
    assert found.found.startswith("VDI-001, VDI-002, VDI-003: a mean of up to 5,0")
    assert "Are these I/Os of an interval, and not of a second? Then divide them by its seconds (300 of" in found.effect
    fine = study(export(tmp_path / "b.csv", ("read_kib", "write_kib"), 20, 20))  # 200 to 340 IOPS: session hosts
    assert amber(fine) == []


def test_a_last_row_that_is_cut_off_is_left_out_and_named_as_in_a_log_of_perfmon(tmp_path: Path) -> None:
    text = pilots.generic(tmp_path / "a.csv", DATA).read_text(encoding="utf-8")
    rows = text.splitlines()
    cut = write(tmp_path / "cut.csv", "\n".join([*rows[:-1], rows[-1][:28]]))
    (reading,) = study(cut).readings
    assert reading.left == [f"row {len(rows)}, the last: it is cut off"]
    assert reading.taken == [f"3 desktops, {len(rows) - 2:,} rows"]


@pytest.mark.parametrize("figure", ["1e308", "9" * 300, "1e16"])
@pytest.mark.filterwarnings("error")
def test_a_huge_figure_is_one_short_line_with_its_row_and_column(tmp_path: Path, figure: str) -> None:
    """1e308 in `reads` was a RuntimeWarning of numpy on stderr, then an error with a number of 300 digits."""
    file = write(tmp_path / "a.csv", f"{HEADS}\n2026-10-05 08:00,A,1,2,3,4\n2026-10-05 08:05,A,{figure},2,3,4\n")
    with pytest.raises(RequestError) as caught:
        study(file)
    line = str(caught.value)
    assert line.startswith("a.csv:3, column 'reads': '")
    assert line.endswith("is more than any disk has. Look at the unit of the column, or leave the cell blank")
    assert len(line) < 200


def test_a_heading_that_no_file_has_is_refused_with_those_found(tmp_path: Path) -> None:
    """A typo in --columns was passed over: the file had reads of its own, or no bytes, and nothing was said."""
    one, other = export(tmp_path / "a.csv", ("in", "out")), export(tmp_path / "b.csv", ("in", "Bytes out"))
    columns = (("read_kib", "IN"), ("write_kib", "out"))
    assert measured([one], settled=True, options=Options(columns=columns)).phases
    with pytest.raises(RequestError) as caught:
        measured([one, other], settled=True, options=Options(columns=(*columns, ("write_bytes", "Byte out"))))
    assert str(caught.value) == (
        "--columns write_bytes='Byte out': no file has that heading, but 'time', 'desktop', 'reads', 'writes', 'in', "
        "'out', 'Bytes out'. Name one of these."
    )
    log = pilots.perfmon(tmp_path / "log.csv", DATA)
    with pytest.raises(RequestError) as caught:
        measured([log], settled=True, options=Options(columns=columns))
    assert str(caught.value) == (
        "--columns read_kib='IN': names a column of a csv of your own, and no file is one. Leave it out."
    )
