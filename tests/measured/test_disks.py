"""A desktop with two disks: the I/O of both counts, and what was logged of one alone is never that of both."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.measured.test_odd_exports import LONG, day, log, refusal, study
from tests.support.pilots import write

RATES = ("Disk Reads/sec", "Disk Writes/sec", "Disk Read Bytes/sec", "Disk Write Bytes/sec")
FIRST, SECOND = (3, 7, 98304, 229376), (6, 14, 196608, 458752)  # I/Os of 32 KiB, 30 % reads: 30 a second in all


def perfmon(path: Path, second: str = "PC1", counters: Sequence[int] = (0, 1, 2, 3)) -> Path:
    """Write a log of two disks, the second with some counters alone, of a machine that may be spelled otherwise."""
    heads = [f"\\\\PC1\\PhysicalDisk(0 C:)\\{rate}" for rate in RATES]
    heads += [f"\\\\{second}\\PhysicalDisk(1 D:)\\{RATES[at]}" for at in counters]
    values = [*FIRST, *(SECOND[at] for at in counters)]
    text = ",".join(['"(PDH-CSV 4.0)"', *(f'"{head}"' for head in heads)]) + "\r\n"
    return write(path, text + log(",".join(f'"{value}"' for value in values)))


def found(path: Path) -> tuple[float, float | None, float | None]:
    """Return mean IOPS, read share and block size of the steady phase."""
    (phase,) = study(path).phases
    return phase.mean, phase.mean_mix.read_share, phase.mean_mix.kib


@pytest.mark.parametrize("second", ["PC1", "pc1"])
def test_the_disks_of_a_machine_are_added_however_its_name_is_spelled(tmp_path: Path, second: str) -> None:
    """PC1 and pc1 were two machines, and their mean half of what one had."""
    assert found(perfmon(tmp_path / "f.csv", second)) == pytest.approx((30, 0.3, 32))


def test_a_disk_without_bytes_leaves_the_block_size_open(tmp_path: Path) -> None:
    """Its I/O was divided into the bytes of the other disk: 10.7 KiB for 32."""
    iops, reads, block = found(perfmon(tmp_path / "f.csv", counters=(0, 1)))
    assert (iops, reads) == pytest.approx((30, 0.3))
    assert block is None


@pytest.mark.parametrize(("counters", "said"), [((0, 2), "writes"), ((1, 3), "reads"), ((0,), "writes")])
def test_half_of_a_disk_is_refused(tmp_path: Path, counters: Sequence[int], said: str) -> None:
    """Its writes were 0, and 11 arrays enough for 24."""
    line = refusal(lambda: study(perfmon(tmp_path / "f.csv", counters=counters)))
    assert f"of 1 D: without 'disk {said}/sec'. Log both" in line


def test_a_disk_that_esxtop_logged_in_part_is_refused(tmp_path: Path) -> None:
    rates = ("Reads/sec", "Writes/sec", "MBytes Read/sec", "MBytes Written/sec")
    heads = [f"\\\\esx\\Virtual Disk(VDI-1:scsi0:{disk})\\{rate}" for disk in (0, 1) for rate in rates[: 4 - 2 * disk]]
    text = ",".join(['"(PDH-CSV 4.0) (UTC)(0)"', *(f'"{head}"' for head in heads)]) + "\r\n"
    path = write(tmp_path / "f.csv", text + log('"3","7","0.1","0.2","6","14"'))
    assert "VDI-1:scsi0:1 has no column 'mbytes read/sec'" in refusal(lambda: study(path))


def test_two_machines_of_esxtop_whose_names_differ_in_case_alone_are_refused(tmp_path: Path) -> None:
    rates = ("Reads/sec", "Writes/sec", "MBytes Read/sec", "MBytes Written/sec")
    heads = [
        f"\\\\esx\\Virtual Disk({name}:scsi0:{disk})\\{rate}"
        for disk, name in enumerate(("VDI-1", "vdi-1"))
        for rate in rates
    ]
    text = ",".join(['"(PDH-CSV 4.0) (UTC)(0)"', *(f'"{head}"' for head in heads)]) + "\r\n"
    path = write(tmp_path / "f.csv", text + log(",".join(['"3","7","0.1","0.2"'] * 2)))
    assert "two machines are called 'vdi-1'" in refusal(lambda: study(path))


@pytest.mark.parametrize("head", ["disk", "Drive letter", "Datastore", "physicaldisk name"])
def test_rows_of_disks_are_added_by_the_user(tmp_path: Path, head: str) -> None:
    """Rows of one second are refused; a second apart they were averaged: 40 IOPS for 80."""
    rows = [day("A,18,42,1,1,D:", f"2026-10-05 {{:02d}}:{{:02d}}:0{second}") for second in (0, 1)]
    text = LONG.replace("\n", f",{head}\n") + rows[0].replace("18,42,1,1,D:", "6,14,1,1,C:") + rows[1]
    line = refusal(lambda: study(write(tmp_path / "f.csv", text)))
    assert "f.csv: has a row for each disk: 'C:' and 'D:' of A. Add up the disks" in line
    one = LONG.replace("\n", f",{head}\n") + rows[0].replace("18,42,1,1", "6,14,320,320")
    assert found(write(tmp_path / "g.csv", one)) == pytest.approx((20, 0.3, 32))
    assert found(write(tmp_path / "h.csv", one.replace(head, "disk queue length"))) == pytest.approx((20, 0.3, 32))
