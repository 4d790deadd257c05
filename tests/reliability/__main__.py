"""Try to break the product and print the table of docs/reliability.md, made of what was run.

    python -m tests.reliability --scale 1
    python -m tests.reliability --scale 10 --soak 10000 --engines DIR --packages DIR --also BOOK ...

At scale 1 it takes about ten minutes of one core. `--soak` runs commands over two documents in a Calc that is started,
`--engines` holds the kernel against the test workbooks of other engines in a folder (docs/stored-values.md),
`--packages` holds what every command writes against the schemas of ECMA-376 (tests/judges/schema.py). The exit code is
1 where something did not hold: that is printed below the table.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
LINES, BOOKS, KILLS, SOAK = 1_000, 1_000, 30, 100  # at scale 1
HEAD = "| tried | times | failed |\n|---|---:|---:|\n"


def main() -> int:
    """Run everything and print the table, then what did not hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.reliability", description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=float, default=1.0, help="times the usual numbers (default 1)")
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--soak", type=int, default=SOAK, help="commands over two documents in Calc (0: none)")
    parser.add_argument("--engines", type=Path, help="a folder with the test workbooks of other engines")
    parser.add_argument("--packages", type=Path, help="the packages of tests/judges/schema.py")
    parser.add_argument("--also", nargs="*", type=Path, default=[], help="workbooks whose commands are judged, too")
    asked = parser.parse_args()
    lines, books, kills = (max(1, round(each * asked.scale)) for each in (LINES, BOOKS, KILLS))
    from tests.reliability.kills import COMMANDS

    runs = [
        ("command lines made by chance", lines, ["shell_lines", "--lines", lines, "--books", 0, "--seed", asked.seed]),
        ("workbooks with up to three damages, any command", books, ["shell_lines", "--lines", 0, "--books", books]),
        (f"kills, of {len(COMMANDS)} commands that write", kills * len(COMMANDS), ["kills", kills]),
    ]
    table, faults, start = HEAD, list[str](), time.monotonic()
    for what, count, words in runs:
        wrong = _lines(f"tests.reliability.{words[0]}", *words[1:])
        faults += wrong
        table += f"| {what} | {count:,} | {len(wrong):,} |\n"
    if asked.soak:
        wrong = _lines("tests.soak", asked.soak)
        faults += wrong
        table += f"| commands over two documents in Calc, four of ten killed | {asked.soak:,} | {len(wrong):,} |\n"
    if asked.engines:
        agreed, differed = _stored(asked.engines)
        table += (
            f"| values that Excel stored in test workbooks of other engines | {agreed + differed:,} | {differed:,} |\n"
        )
    if asked.packages:
        rows, wrong = _valid(asked.packages, asked.also)
        table, faults = table + rows, faults + wrong
    print(f"{table}\n{time.monotonic() - start:,.0f} s")
    print("\n".join(faults), end="\n" if faults else "")
    return int(bool(faults))


def _lines(module: str, *words: object) -> list[str]:
    """Run a module that prints a line for each fault and ends with 1; return its lines, none where it ends with 0."""
    done = _module(module, *words)
    return [] if done.returncode == 0 else (done.stdout + done.stderr).strip().splitlines() or [f"{module}: ended"]


def _stored(folder: Path) -> tuple[int, int]:
    """Return how many stored values of a folder of workbooks the kernel computes alike, and how many otherwise."""
    printed = _module("tests.judges.stored", folder).stdout
    found = re.search(r"^([\d,]+) agree, ([\d,]+) differ$", printed, re.MULTILINE)
    if found is None:
        raise SystemExit(f"tests.judges.stored said nothing of how many agree: {printed[-300:]}")
    agreed, differed = (int(number.replace(",", "")) for number in found.groups())
    return agreed, differed


def _valid(packages: Path, also: Sequence[Path]) -> tuple[str, list[str]]:
    """Return two lines of the table on what commands wrote, and what was printed of parts or cells that are wrong."""
    printed = _module("tests.judges.schema", "--packages", packages, *(("--also", *also) if also else ())).stdout
    *lines, last = printed.splitlines() or [""]
    found = re.search(r"^([\d,]+) workbooks, .* ([\d,]+) of ([\d,]+) parts invalid, ([\d,]+) ", last)
    if found is None:
        raise SystemExit(f"tests.judges.schema said nothing of how many are valid: {printed[-300:]}")
    books, invalid, parts, lost = found.groups()
    table = f"| parts of workbooks that commands wrote, against the schemas of ECMA-376 | {parts} | {invalid} |\n"
    table += f"| those workbooks opened by LibreOffice and by Gnumeric, every cell there | {books} | {lost} |\n"
    return table, lines if (invalid, lost) != ("0", "0") else []


def _module(module: str, *words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", module, *map(str, words)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


if __name__ == "__main__":
    sys.exit(main())
