"""The lines that generate a load: fio for volumes and files, DiskSpd for shares over SMB.

The first line of each only reads; the others name in capitals what they overwrite. The load holds its rate.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

JOBS = 4  # of fio, and threads of DiskSpd: the rate is that of one
RAMP_S, RUN_S, CREDITS_S = 300, 900, 7200
VOLUME, FILE = "VOLUME", "TESTFILE"
_SIZE_GIB = 64  # of a file
_OF_FILE = f"--ioengine=windowsaio --thread --size={_SIZE_GIB}g"
_SECTOR = 512


@dataclass(frozen=True)
class Load:
    """A load to put on storage: IOPS, share of reads, KiB of an I/O (None: not published), where it comes from."""

    iops: float
    share: float
    block_kib: float | None
    words: str = ""

    @property
    def block_bytes(self) -> int | None:
        """Bytes of an I/O in whole sectors; None where they are not published."""
        return None if self.block_kib is None else max(1, round(self.block_kib * 1024 / _SECTOR)) * _SECTOR


def _block(load: Load) -> str:
    size = load.block_bytes
    return "SIZE" if size is None else f"{size // 1024}k" if size % 1024 == 0 else str(size)


def fio(name: str, load: Load, target: str = VOLUME) -> str:
    """Return the fio lines of a load: look, fill, load; values that the workbook does not have are in capitals."""
    engine = "--ioengine=libaio" if target == VOLUME else _OF_FILE
    data = "--refill_buffers --dedupe_percentage=0 --buffer_compress_percentage=0"
    timed = f"--direct=1 {engine} --time_based --group_reporting --filename={target}"
    reads, writes = (math.ceil(load.iops * share / JOBS) for share in (load.share, 1 - load.share))
    rates = f"--rate_iops={max(1, reads)},{max(1, writes)}"
    lines = (
        ("reads only", f"fio --name=look --readonly --rw=randread --bs={_block(load)} {timed} --runtime=60"),
        (f"OVERWRITES {target}", f"fio --name=fill --rw=write --bs=1m --direct=1 {engine} {data} --filename={target}"),
        (
            f"{load.iops:,.0f} IOPS in all; OVERWRITES {target}",
            f"fio --name={name} --rw=randrw --rwmixread={round(100 * load.share)} --bs={_block(load)} {timed} "
            f"--ramp_time={RAMP_S} --runtime={RUN_S} {data} --randrepeat=0 --numjobs={JOBS} --iodepth=DEPTH {rates}",
        ),
    )
    return _of_windows(lines) if target == FILE else "\n".join(f"{line}   # {note}" for note, line in lines)


def diskspd(load: Load, with_credits: bool) -> str:
    """Return the DiskSpd lines of a load on a share: look, fill, with credits use them up, load.

    DiskSpd holds a rate in bytes a millisecond of each thread. Notes have lines of their own: it takes a word behind
    its file for another file to write, and #1 for a disk.
    """
    size = load.block_bytes or _SECTOR
    mixed = f"-r -b{size} -w{round(100 * (1 - load.share))} -t{JOBS} -oDEPTH -Zr -Sh -L"
    rate = math.ceil(load.iops * size / JOBS / 1000)
    used_up = (f"without a rate: USES UP THE CREDITS; OVERWRITES {FILE}", f"diskspd {mixed} -W0 -d{CREDITS_S} {FILE}")
    return _of_windows(
        (
            ("reads only", f"diskspd -w0 -r -b{size} -t1 -o1 -Sh -d10 {FILE}"),
            (f"OVERWRITES {FILE}", f"diskspd -c{_SIZE_GIB}G -w100 -s -b1M -t1 -o8 -Zr -Sh -W0 -d{RUN_S} {FILE}"),
            *((used_up,) if with_credits else ()),
            (
                f"{load.iops:,.0f} IOPS in all; OVERWRITES {FILE}",
                f"diskspd {mixed} -g{rate} -W{RAMP_S} -d{RUN_S} {FILE}",
            ),
        )
    )


def _of_windows(lines: Sequence[tuple[str, str]]) -> str:
    """Return lines for a command prompt, each below its note."""
    return "\n".join(f"REM {note}\n{line}" for note, line in lines)
