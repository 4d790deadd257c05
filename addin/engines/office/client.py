"""The client of a session with LibreOffice: requests, one at a time, to a bridge process that can import `uno`.

`uno` belongs to one Python of the machine and replaces its import function, so it is kept out of this process.
"""

import os
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from addin.engines.office import ANOTHER_PYTHON, PROTOCOL, application
from addin.engines.office.application import OfficeError
from addin.errors import BookError

SERVER = Path(__file__).with_name("office_server.py")
START_S, REPLY_S, LEAVE_S = 60, 120, 10
NO_LIMIT = 0
# Ctrl-C in a shell goes to its whole process group; the bridge and the office must keep running until told to end.
_APART: dict[str, Any]
if sys.platform == "win32":
    _APART = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
else:
    _APART = {"start_new_session": True}


class Bridge:
    """A bridge to the office that listens on a pipe; `call` sends it a request.

    Raises OfficeError if no Python has `uno`, if no office listens within `seconds`, if the office is closed or does
    not answer in time; BookError for a request that is wrong for the workbook.
    """

    def __init__(self, pipe: str, seconds: float, private: bool = False) -> None:
        arguments = [bridge_python(), "-I", str(SERVER), pipe, str(seconds), *(["private"] if private else [])]
        self._process = subprocess.Popen(
            arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            **_APART,
        )
        self._lock = threading.Lock()
        self.pid = self._process.pid
        kind, message = self._reply(seconds + REPLY_S)
        if kind != "ok":
            self.close()
            raise OfficeError(f"LibreOffice cannot be reached: {message}. Open the workbook in Calc with the add-in.")

    def call(self, method: str, *arguments: Any, limit_s: float = REPLY_S) -> Any:
        """Return the reply to one request; a limit of 0 waits as long as the user takes to answer a dialog."""
        with self._lock, _whole():
            try:
                pickle.dump((method, arguments), self._stdin, PROTOCOL)
                self._stdin.flush()
            except (OSError, ValueError):
                raise OfficeError("LibreOffice was closed. Open the workbook again and repeat the command.") from None
            kind, value = self._reply(limit_s)
        if kind == "ok":
            return value
        if kind == "refused":
            raise BookError(value)
        if kind == "busy":
            raise Busy("a cell is being edited")
        if kind == "closed":
            raise OfficeError("LibreOffice was closed. Open the workbook again and repeat the command.")
        raise OfficeError(f"LibreOffice does not do it ({value}). Close its dialogs and repeat the command.")

    def close(self) -> None:
        """End the session, and a private office."""
        with suppress(OSError, ValueError):
            self._stdin.close()
        try:
            self._process.wait(LEAVE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    @property
    def _stdin(self) -> Any:
        assert self._process.stdin is not None
        return self._process.stdin

    def _reply(self, limit_s: float) -> tuple[str, Any]:
        late = threading.Event()

        def end() -> None:
            late.set()
            self._process.kill()

        overdue = threading.Timer(limit_s, end)
        overdue.daemon = True
        if limit_s:
            overdue.start()
        assert self._process.stdout is not None
        try:
            kind, value = pickle.load(self._process.stdout)  # from our own child, never from a file
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            if late.is_set():
                self._process.wait()  # so that the next request finds the pipe closed
                raise OfficeError(
                    f"LibreOffice did not answer within {limit_s:.0f} s. Close its dialogs and repeat the command."
                ) from None
            raise OfficeError("The bridge to LibreOffice ended. Repeat the command.") from None
        finally:
            overdue.cancel()
        return str(kind), value


@contextmanager
def _whole() -> Iterator[None]:
    """Delay Ctrl-C until an exchange is over: the rest of a reply would be taken for the next one."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield  # Ctrl-C does not reach this thread, or is ignored
        return
    pending: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: pending.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if pending:
            before(pending[0], None)


class Busy(OfficeError):
    """A cell is being edited: the request was not executed, and can be repeated."""


class PrivateOffice:
    """A private LibreOffice: no window, a temporary profile, removed by `end`."""

    def __init__(self) -> None:
        command = application.installed()
        if command is None:
            raise OfficeError("LibreOffice (soffice) is not installed. Install libreoffice-calc.")
        self._folder = Path(tempfile.mkdtemp(prefix="office-"))
        application.write_profile(self._folder)
        options = [f"-env:UserInstallation={self._folder.as_uri()}", "--headless", "--norestore", "--nologo"]
        self.pipe = self._folder.name
        self._process = subprocess.Popen(
            [command, *options, f"--accept=pipe,name={self.pipe};urp;"],
            env=application.own_places(own_python(os.environ), self._folder),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **_APART,
        )
        self.pid = self._process.pid
        try:
            self.bridge = Bridge(self.pipe, START_S, private=True)
        except OfficeError:
            self.kill()
            raise

    def end(self) -> None:
        """Close its workbooks unsaved and end it."""
        self.bridge.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(LEAVE_S)
        self.kill()

    def kill(self) -> None:
        """End it at once with its children."""
        if os.name == "posix":
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)  # soffice is a script, the office its child
        self._process.kill()
        self._process.wait()
        application.sweep(self._folder, self.pipe)
        shutil.rmtree(self._folder, ignore_errors=True)


def own_python(environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment in which an office finds its own Python, in spite of an activated one."""
    own = {name: value for name, value in environment.items() if name not in ANOTHER_PYTHON}
    own["PATH"] = os.pathsep.join([str(Path(bridge_python()).parent), environment.get("PATH", os.defpath)])
    return own


@lru_cache(maxsize=1)
def bridge_python() -> str:
    """Return a Python that can import `uno`: the office's, the system's, or this one.

    Raises OfficeError, with what to install, if there is none.
    """
    command = application.installed()
    if command is None:
        raise OfficeError("LibreOffice (soffice) is not installed. Install libreoffice-calc.")
    program = Path(os.path.realpath(command)).parent
    candidates = [program / "python.exe", program / "python", program.parent / "Resources" / "python"]
    for python in (*map(str, candidates), "/usr/bin/python3", "python3", sys.executable):
        path = shutil.which(python)
        if path and not subprocess.run([path, "-I", "-c", "import uno"], capture_output=True).returncode:
            return path
    raise OfficeError("No Python can talk to LibreOffice. Install python3-uno, or LibreOffice with its own Python.")
