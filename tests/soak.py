"""Commands over two documents open in one Calc, many of them killed: nothing is damaged and nothing is left.

    python -m tests.soak 1000

Before every command a value is typed into a document. A command that is not killed must end with 0, whatever was killed
before it. At the end both documents hold every value as typed, their files open, no process and no temporary file is
left. Prints the figures; the exit code is 1 where one of this does not hold.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import openpyxl
import xlwings as xw

from addin.running import launch, runfile
from tests.support import opened, small_workbook

SEED = 20261122
FORMULAS = {"arrays_required": "=1+{x}", "twice": "={x}*2", "share": "=SUM({x},1)/MAX({x},1)"}
COMMANDS = {
    "seek": ("--vary=x", "--target=twice=1"),
    "explain": ("twice",),
    "simulate": ("--trials=4096",),
    "sensitivity": ("--trials=1024",),
}
WARM, PRINTED = 100, 250
MEMORY = ("MB of Calc at first", f"MB of Calc after {WARM}", "MB of Calc at last")
KILLED_OF_TEN, LONGEST_S, END_S = 4, 1.2, 120


def soak(count: int, folder: Path, minutes: float = math.inf, seed: int = SEED) -> tuple[Counter[str], list[str]]:
    """Run commands, none after some minutes; return how often each ended and was killed, and what was wrong.

    Raises AddinError where Calc cannot be started.
    """
    chance, sums, wrong = random.Random(seed), Counter[str](), list[str]()
    end = time.monotonic() + minutes * 60
    paths = [small_workbook.save(folder / f"{n}.xlsx", {"x": small_workbook.UNIFORM}, FORMULAS) for n in ("one", "two")]
    with opened.calc() as calc:
        app = calc.app()
        books = [app.books.open(str(path)) for path in paths]
        cells = [book.names["In_x"].refers_to_range for book in books]
        for number in range(count):
            if number in (0, WARM):
                sums[MEMORY[bool(number)]] = _memory_mb(calc.pipe)
            if number % PRINTED == 0:
                print(number, *sums.items(), _memory_mb(calc.pipe), *wrong[-3:], file=sys.stderr, flush=True)
            if time.monotonic() > end:
                break
            at = chance.randrange(len(books))
            typed = round(chance.random(), 6)
            cells[at].value = typed
            command = chance.choice(sorted(COMMANDS))
            killed = chance.randrange(10) < KILLED_OF_TEN
            code = _run(command, books[at], calc.pipe, chance.uniform(0, LONGEST_S) if killed else None)
            sums["killed" if code == -signal.SIGKILL else "ended"] += 1
            if code not in (0, -signal.SIGKILL):
                wrong.append(f"{number}: {command} ended with {code}: {_last_log()}")
            if cells[at].value != typed:
                wrong.append(f"{number}: {command} left {cells[at].value!r}, typed was {typed}")
        sums[MEMORY[2]] = _memory_mb(calc.pipe)
        for book in books:
            wrong += [] if _run("explain", book, calc.pipe, None) == 0 else [f"{book.name}: the last command failed"]
            book.save()
            book.close()
        app.quit()
    sums["processes left"] = sum(_stays(process) for process in launch._STARTED)
    for path in paths:
        openpyxl.load_workbook(path)
    files = [path for path in Path(tempfile.gettempdir()).rglob("*") if path.is_file() and path not in paths]
    left = [path for path in files if path.suffix != ".log" and not any(part.startswith("lu") for part in path.parts)]
    sums["files left"] = len(
        left
    )  # the last logs are kept for the user; lu... is of the office, which ends as in a crash
    wrong += [str(path) for path in left]
    return sums, wrong


def _run(command: str, book: xw.Book, pipe: str, kill_after: float | None) -> int:
    """Start a command as its button does and return its exit code; killed ones return what the signal gave.

    A command is done when it is not among those running: its process may still show a line in the status bar.
    """
    pid = launch.start(command, "libreoffice", book.name, pipe, list(COMMANDS[command]))
    process = launch._STARTED[-1]  # not the first with that number: numbers of processes come back
    end = time.monotonic() + (END_S if kill_after is None else kill_after)
    while process.poll() is None and any(record.pid == pid for record in runfile.running()):
        if time.monotonic() > end:
            if kill_after is None:
                raise TimeoutError(f"{command} has not ended after {END_S} s: {_last_log()}")
            os.killpg(pid, signal.SIGKILL)
            return process.wait()
        time.sleep(0.02)
    if process.poll() is None:
        return 2 if "error: " in _last_log() else 0
    return int(process.returncode)


def _memory_mb(pipe: str) -> int:
    """Return how much memory the largest process with a pipe in its command line holds, in MB; 0 where unknown."""
    sizes = [0]
    for status in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError):
            if pipe.encode() in status.with_name("cmdline").read_bytes():
                found = re.search(r"VmRSS:\s+(\d+) kB", status.read_text())
                sizes += [int(found[1]) // 1024] if found else []
    return max(sizes)


def _stays(process: subprocess.Popen[bytes]) -> bool:
    with suppress(subprocess.TimeoutExpired):
        process.wait(END_S)
    return process.returncode is None


def _last_log() -> str:
    logs = sorted(runfile.folder().glob("*.log"), key=lambda path: path.stat().st_mtime)
    return logs[-1].read_text(encoding="utf-8")[-300:] if logs else "no log"


def main() -> int:
    """Print what happened, one line each; the exit code is 1 where something is wrong or left."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, help="how many commands")
    parser.add_argument("--minutes", type=float, default=math.inf, help="start no command after so many")
    parser.add_argument("--seed", type=int, default=SEED, help="of another run, also beside this one")
    asked, started = parser.parse_args(), time.monotonic()
    with tempfile.TemporaryDirectory() as home:
        os.environ["TMPDIR"], tempfile.tempdir = home, home  # of this run and of the commands it starts
        (documents := Path(home, "documents")).mkdir()
        sums, wrong = soak(asked.count, documents, asked.minutes, asked.seed)
    for line in wrong:
        print(line)
    print(", ".join(f"{what}: {times:,}" for what, times in sums.items()), f"in {time.monotonic() - started:,.0f} s")
    return int(bool(wrong or sums["processes left"] or sums["files left"]))


if __name__ == "__main__":
    sys.exit(main())
