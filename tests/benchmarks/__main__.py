"""docs/speed.md, measured and printed whole.

Run: python -m tests.benchmarks [--write]     (with the test requirements; a quarter of an hour on a machine at rest)

`--write` puts it into docs/speed.md. A section that this machine cannot measure says what is missing.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from tests.benchmarks.document import machine, measured, paragraph

TARGET = Path(__file__).resolve().parents[2] / "docs" / "speed.md"
HEAD = """Every figure here is printed by one command, `python -m tests.benchmarks` (`--write` puts it here). Read the
ratios; the times are this machine's: {machine}."""
ENGINES = """Trials per second on the shipped design, thirteen uncertain inputs and seventeen results, every engine in
one run and its results compared with the kernel's first. The kernel compiles the workbook's own formulas and rounds as
Excel does, to 15 digits; the hand-written numpy is the same model with every constant folded, rounding up alike, but
comparing numbers as they come and without checks for errors. Alone: `python -m tests.benchmarks.bench_engines`."""
LOOP = """Draws, kernel, verdict, counts and sums of every trial, in numpy and in native code, beside the kernel on
trials that are there already; one thread by processor time, two by the clock. Alone:
`python -m tests.benchmarks.bench_loop`."""
SECTIONS = (
    ("Engines", ENGINES, "bench_engines"),
    ("The whole simulation", LOOP, "bench_loop"),
    ("Scale", "", "bench_scale"),
    ("Commands", "", "bench_cold"),
    ("Calc", "", "bench_calc"),
    ("The live page", "", "bench_page"),
)


def document() -> str:
    """Return docs/speed.md. Every benchmark has a process of its own: what another one loaded is not its memory."""
    blocks = ["# How fast", paragraph(HEAD.format(machine=machine()))]
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as processes:
        for title, text, name in SECTIONS:
            section = processes.submit(measured, name).result()
            blocks += [f"## {title}", *([paragraph(text)] if text else []), section]
    return "\n\n".join(blocks) + "\n"


def main() -> None:
    """Print the document, or write it."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help="put it into docs/speed.md")
    write = parser.parse_args().write
    text = document()
    print(text, end="")
    if write:
        TARGET.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
