"""Seconds from the click on Monte Carlo in an open Calc until the sheet with its charts is in.

Run: python -m tests.benchmarks.bench_calc [runs]
"""

from __future__ import annotations

import os
import sys
import time

from addin.hosts.ribbon.icons import icons
from addin.results import risk_sheet
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


def main() -> None:
    """Print a line for each run."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    os.environ["USER"] = USER
    with opened_calc() as calc:
        place = calc.screen.find(icons(1)["simulate"])  # once: under the mouse it looks different
        time.sleep(5)
        for number in range(1, times + 1):
            took = click(calc, place)
            print(f"run {number}: {took:.2f} s from click to charts, load {os.getloadavg()[0]:.1f}", flush=True)
            time.sleep(6)
        app = until(attached)
        book = app.books[NAME]
        assert risk_sheet.TITLE in [sheet.name for sheet in book.sheets]
        app.quit()


if __name__ == "__main__":
    main()
