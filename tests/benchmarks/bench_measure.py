"""`measure` at scale: 2,000 desktops for 14 days in our csv, and an esxtop file of 300 MB and 16,500 columns.

Run: python -m tests.benchmarks.bench_measure     (makes 720 MB of files in a temporary folder, some minutes)

Each run is the command itself in a process of its own; memory is the most that it held. Linux.
"""

from __future__ import annotations

import datetime
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from tests.benchmarks.document import markdown

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "templates" / "vdi-storage-sizing.xlsx"
DESKTOPS, DAYS, BINS = 2_000, 14, 288
COLUMNS, MACHINES, BYTES = 16_500, 100, 300_000_000
HEADINGS = ("files", "MB", "s", "processor s", "memory, MB")
BEGIN = datetime.datetime(2026, 10, 5)


def long_csv(path: Path) -> Path:
    """Write the csv of our own for two weeks."""
    stream = np.random.default_rng(3)
    level = np.exp(stream.normal(0, 0.47, DESKTOPS))
    with path.open("w", encoding="utf-8") as file:
        file.write("time,desktop,reads,writes,read_kib,write_kib\n")
        for at in range(DAYS * BINS):
            stamp = BEGIN + datetime.timedelta(seconds=300 * at)
            busy = 1.0 if 8 <= stamp.hour < 18 else 0.1
            iops = stream.gamma(1.5, 1 / 1.5, DESKTOPS) * level * 10 * busy
            file.writelines(
                f"{stamp},VDI-{n:04d},{0.3 * x:.3f},{0.7 * x:.3f},{6 * x:.2f},{8.4 * x:.2f}\n"
                for n, x in enumerate(iops)
            )
    return path


def esxtop(path: Path) -> Path:
    """Write what esxtop logs on a host with many columns."""
    counters = ("Reads/sec", "Writes/sec", "MBytes Read/sec", "MBytes Written/sec")
    heads = ["(PDH-CSV 4.0) (UTC)(0)"]
    heads += [rf"\\esx\Virtual Disk(VDI-{n:03d}:scsi0:0)\{each}" for n in range(MACHINES) for each in counters]
    heads += [rf"\\esx\Group Cpu({n}:x)\% Used" for n in range(COLUMNS - len(heads))]
    others = ",".join(['"0.00"'] * (COLUMNS - 1 - 4 * MACHINES))
    stream, size, at = np.random.default_rng(3), 0, 0
    with path.open("w", encoding="utf-8") as file:
        file.write(",".join(f'"{head}"' for head in heads) + "\n")
        while size < BYTES:
            stamp = BEGIN + datetime.timedelta(hours=7, seconds=60 * at)
            at += 1
            figures = ",".join(f'"{x:.2f}"' for x in stream.gamma(1.5, 5, 4 * MACHINES))
            size += file.write(f'"{stamp:%m/%d/%Y %H:%M:%S}",{figures},{others}\n')
    return path


def measured(path: Path) -> tuple[str, ...]:
    """Return what the command took for a file, texts under HEADINGS."""
    words = ("measure", str(BOOK), str(path), "--hours", "08:00-18:00", "--login", "08:00-09:30", "--keep-first-days")
    begin = time.perf_counter()
    started = subprocess.Popen([sys.executable, "-m", "addin", *words], cwd=ROOT, stdout=subprocess.DEVNULL)
    _, code, used = os.wait4(started.pid, 0)
    assert code == 0, f"{path.name}: exit {code}"
    seconds = time.perf_counter() - begin
    spent = used.ru_utime + used.ru_stime
    size = path.stat().st_size / 1e6
    return path.name, f"{size:,.0f}", f"{seconds:,.0f}", f"{spent:,.0f}", f"{used.ru_maxrss * 1024 / 1e6:,.0f}"


def main() -> None:
    """Print a row for each file."""
    with tempfile.TemporaryDirectory() as folder:
        files = (long_csv(Path(folder) / "2000-desktops.csv"), esxtop(Path(folder) / "esxtop.csv"))
        print(markdown(HEADINGS, [measured(path) for path in files]))


if __name__ == "__main__":
    main()
