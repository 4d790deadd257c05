"""A line of progress for commands that take more than two seconds: time spent, work left.

It appears only on a terminal, on stderr, and is removed before the result is printed: programs never read it.
"""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import Self, TextIO

FIRST_S, EVERY_S = 2.0, 0.5


class Waiting:
    """A line that appears after two seconds and goes with `end`; `progress` takes work done and the whole."""

    def __init__(self, what: str, stream: TextIO | None = None) -> None:
        self._what = what
        self._stream = stream if stream is not None else sys.stderr
        self._start = self._counted = time.monotonic()
        self._work = (0, 0)
        self._width = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._show, daemon=True)

    def __enter__(self) -> Self:
        if self._stream.isatty():
            self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.end()

    def progress(self, done: int, total: int) -> None:
        """Note the work done; the time left is measured from the first call with nothing done."""
        if not done:
            self._counted = time.monotonic()
        self._work = (done, total)

    def end(self) -> None:
        """Remove the line for good."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()
        if self._width:
            self._stream.write("\r" + " " * self._width + "\r")
            self._stream.flush()
            self._width = 0

    def line(self, now: float) -> str:
        """Return the line at a moment."""
        done, total = self._work
        if not total or not done:
            return f"{self._what}: {now - self._start:,.0f} s"
        share = done / total
        left = (now - self._counted) * (1 - share) / share
        return f"{'#' * int(30 * share):<30} {share:4.0%} of {total:,}, {left:,.0f} s left"

    def _show(self) -> None:
        pause = FIRST_S
        while not self._over.wait(pause):
            pause = EVERY_S
            text = self.line(time.monotonic())
            self._stream.write(f"\r{text.ljust(self._width)}")
            self._stream.flush()
            self._width = max(self._width, len(text))
