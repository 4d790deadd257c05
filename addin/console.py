"""A command in a process of its own.

Output that nobody reads any more, as behind `| head`, ends the printing and not the command.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from typing import Any, TextIO

SELDOM = 200_000  # objects until circles of garbage are looked for: a workbook makes many objects and few such circles


class PipeSafeStream:
    """A stream that drops what it is given once its reader has gone."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write the text, or drop it."""
        try:
            return self._stream.write(text)
        except BrokenPipeError:
            self._drop()
            return len(text)

    def flush(self) -> None:
        """Send what was written, or drop it."""
        try:
            self._stream.flush()
        except BrokenPipeError:
            self._drop()

    def _drop(self) -> None:
        """Let the rest, and what the stream holds still, go nowhere."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._stream.fileno())
        os.close(nowhere)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def run(command: Callable[[], int]) -> int:
    """Return the exit code of a command whose output may be cut off."""
    gc.set_threshold(SELDOM)
    out, err = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = PipeSafeStream(out), PipeSafeStream(err)
    try:
        return command()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        sys.stdout, sys.stderr = out, err
