"""A command in a process of its own.

A letter that the output's encoding does not have is printed as its number, a character that a terminal obeys as "?".
Output that nobody reads any more, as behind `| head`, ends the printing and not the command; where there is no room for
it, as on a full disk, the command ends with one line.
"""

from __future__ import annotations

import argparse
import gc
import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

from addin.reported import harmless

INSTALLED = ("vdi-storage-sizing", "vdi-sizing")  # the names of the program where the package is installed
SELDOM = 500_000  # objects until circles of garbage are looked for: a workbook makes many objects and few such circles


class PipeSafeStream:
    """A stream that drops what it is given once its reader has gone; `fault` is why else it cannot be written.

    A stream is missing where the caller of the program closed it.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  open to the end
        self.fault: OSError | None = None

    def write(self, text: str) -> int:
        """Write the text without what a terminal obeys, or drop it."""
        try:
            return self._stream.write(harmless(text))
        except OSError as fault:
            self._drop(fault)
            return len(text)

    def flush(self) -> None:
        """Send what was written, or drop it."""
        try:
            self._stream.flush()
        except OSError as fault:
            self._drop(fault)

    def _drop(self, fault: OSError) -> None:
        """Let the rest, and what the stream holds still, go nowhere."""
        if not isinstance(fault, BrokenPipeError):
            self.fault = fault
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._stream.fileno())
        os.close(nowhere)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def program() -> str:
    """Return the command that started the program, for texts: an installed name, or python -m addin."""
    started = os.path.basename(sys.argv[0]).removesuffix(".exe")
    return started if started in INSTALLED else "python -m addin"


def path_of(text: str) -> Path:
    """Return the path that was typed. An empty text, as of a variable that is not set, would be this folder.

    Raises ArgumentTypeError for such a text.
    """
    if not text.strip():
        raise argparse.ArgumentTypeError("the path is empty; expected the name of a file. Type one")
    return Path(text)


def run(command: Callable[[], int]) -> int:
    """Return the exit code of a command whose output may be cut off."""
    gc.set_threshold(SELDOM)
    out, err = sys.stdout, sys.stderr
    if isinstance(out, io.TextIOWrapper):
        out.reconfigure(errors="backslashreplace")  # a letter that the terminal does not have is no reason to stop
    safe_out, safe_err = PipeSafeStream(out), PipeSafeStream(err)
    sys.stdout, sys.stderr = safe_out, safe_err
    try:
        code = command()
    finally:
        safe_out.flush()
        if safe_out.fault is not None:
            said = f"the output cannot be written ({safe_out.fault.strerror}). Make room, or send it elsewhere."
            print(f"error: {said}", file=safe_err)
        safe_err.flush()
        sys.stdout, sys.stderr = out, err
        gc.freeze()  # the end of the process does not look through all of it for circles once more
    return 2 if safe_out.fault is not None else code
