"""One workbook kept open in LibreOffice: write blocks, recalculate, read blocks, hundreds of times a minute.

The conversation goes through uno_bridge.py in a process of its own, because `uno` belongs to one Python of the machine
and replaces its import machinery.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path

from addin.engines.office import application
from tests.support import libreoffice
from tests.support.needed import program

Value = float | str
Block = Sequence[Sequence[Value]]
BRIDGE = Path(__file__).with_name("uno_bridge.py")
START_S = 90


class OpenBook:
    """A workbook in the office; `open_book` makes it."""

    def __init__(self, bridge: "subprocess.Popen[str]") -> None:
        self._bridge = bridge

    def recalculate(
        self, writes: Sequence[tuple[str, str, Block]], reads: Sequence[tuple[str, str]]
    ) -> list[list[list[Value]]]:
        """Write blocks (sheet, area, rows), recalculate, and return the values of areas (sheet, area).

        "" stands for blank in both directions; TRUE and FALSE come back as 1 and 0, errors as text such as #DIV/0!.
        """
        assert self._bridge.stdin is not None
        assert self._bridge.stdout is not None
        overdue = threading.Timer(application.TIMEOUT_S, self._bridge.kill)
        overdue.start()
        try:
            print(json.dumps([writes, reads]), file=self._bridge.stdin, flush=True)
            answer = self._bridge.stdout.readline()
        except BrokenPipeError:
            answer = ""
        finally:
            overdue.cancel()
        if not answer:
            raise application.OfficeError(
                f"The bridge to LibreOffice ended with {self._bridge.wait()}; see its message."
            )
        blocks: list[list[list[Value]]] = json.loads(answer)
        return blocks


@contextmanager
def open_book(path: Path) -> Iterator[OpenBook]:
    """Keep a workbook open in a private office; the file is read and never written.

    Skips the test where LibreOffice or its Python bridge is missing; on CI that is a failure.
    """
    command = libreoffice.soffice()
    python = program(bridge_python(), "LibreOffice's bridge to Python (python3-uno)")
    with tempfile.TemporaryDirectory(prefix="office-", ignore_cleanup_errors=True) as folder:
        application.write_profile(Path(folder))
        pipe = Path(folder).name
        options = [f"-env:UserInstallation={Path(folder).as_uri()}", "--headless", "--norestore", "--nologo"]
        silent = subprocess.DEVNULL
        running = subprocess.Popen(
            [command, *options, f"--accept=pipe,name={pipe};urp;"],
            env=application.own_places(os.environ, Path(folder)),
            stdout=silent,
            stderr=silent,
            start_new_session=True,
        )
        arguments = [python, str(BRIDGE), pipe, path.resolve().as_uri(), str(START_S)]
        bridge = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            yield OpenBook(bridge)
        finally:
            bridge.kill()
            bridge.communicate()
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)  # soffice is a script: the office itself is its child
            running.wait()
            application.sweep(Path(folder), pipe)


@lru_cache(maxsize=1)
def bridge_python() -> str:
    """Return the Python that can import `uno`: this one, the system's, or the office's own."""
    soffice = Path(os.path.realpath(libreoffice.soffice()))
    for python in (sys.executable, "/usr/bin/python3", str(soffice.with_name("python")), "python3"):
        if shutil.which(python) and not subprocess.run([python, "-c", "import uno"], capture_output=True).returncode:
            return python
    return "python3-uno"  # a program nobody has: the caller reports what is missing
