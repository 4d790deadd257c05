"""What a terminal shows of a command that takes more than two seconds: how long it has run, how much is left.

Only on a terminal, only on stderr, and gone before the result is printed: what a program reads is never touched.
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
        """Note how much is done; what is done of it before counts from the first call."""
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
        """Return what stands there at a moment."""
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
