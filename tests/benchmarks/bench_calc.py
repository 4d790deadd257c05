"""Seconds from the click on Monte Carlo in an open Calc until the sheet with its charts is in.

Run: python -m tests.benchmarks.bench_calc [runs]
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator

from addin.hosts.ribbon.icons import icons
from addin.results import risk_sheet
from tests.benchmarks.document import paragraph
from tests.support.calc_window import NAME, USER, Calc, attached, opened_calc, until


def click(calc: Calc, place: tuple[int, int]) -> float:
    """Press the button and return the seconds until the command has let go of the document."""
    before = calc.running()
    start = time.perf_counter()
    calc.screen.click_at(*place)
    while not calc.running() - before:
        time.sleep(0.01)
    while calc.running() - before:
        time.sleep(0.01)
    return time.perf_counter() - start


def runs(times: int = 4) -> Iterator[float]:
    """Yield the seconds of each run; the first one loads more."""
    os.environ["USER"] = USER
    with opened_calc() as calc:
        place = calc.screen.find(icons(1)["simulate"])  # once: under the mouse it looks different
        time.sleep(5)
        for _ in range(times):
            yield click(calc, place)
            time.sleep(6)
        app = until(attached)
        book = app.books[NAME]
        assert risk_sheet.TITLE in [sheet.name for sheet in book.sheets]
        app.quit()


def section() -> str:
    """Return the paragraph of docs/speed.md."""
    took = list(runs())
    return paragraph(
        f"""In an open Calc, Monte Carlo with 65,536 trials takes {min(took):.1f} s from the click to the charts (best
        of {len(took)}, the slowest {max(took):.1f} s), reading the whole workbook first included:
        `python -m tests.benchmarks.bench_calc`."""
    )


def main() -> None:
    """Print a line for each run."""
    for number, took in enumerate(runs(int(sys.argv[1]) if len(sys.argv) > 1 else 4), 1):
        print(f"run {number}: {took:.2f} s from click to charts, load {os.getloadavg()[0]:.1f}", flush=True)


if __name__ == "__main__":
    main()
