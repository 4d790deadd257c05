"""Which commands run on which documents: small files in a folder of each user, so that any process can stop a run.

TOKEN.run     who runs: process, command, engine, pipe, document; removed at the end
TOKEN.cancel  somebody asked it to stop
TOKEN.log     its output; the newest are kept
KEY.lock      holds TOKEN, locked by the operating system while that run works on a document; ends with its process
"""

from __future__ import annotations

import getpass
import hashlib
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO
from uuid import uuid4

from addin.errors import RequestError

KEPT_LOGS = 20
STARTING_S = 60.0  # within which a run has taken its document
_LOCKED_BYTE = 1 << 30  # far behind the text: on Windows a locked byte cannot be read


@dataclass(frozen=True)
class Record:
    """One command that runs: `book` is what was asked for, a name, a full name or empty for the active document."""

    token: str
    pid: int
    command: str
    engine: str
    book: str
    pipe: str
    clicked: float = 0.0  # when, in seconds since 1970: of two clicks the first one goes on

    def concerns(self, engine: str, book: str | None, pipe: str | None) -> bool:
        """Say whether a request to stop means this run; no book and no pipe mean all of an engine."""
        if self.engine != engine or (pipe and self.pipe and pipe != self.pipe):
            return False
        return not book or not self.book or _name(book) == _name(self.book)


def folder() -> Path:
    """Return the user's own folder for these files, made when it is missing.

    Raises RequestError where another user owns a folder of that name, or no folder takes a file.
    """
    user = re.sub(r"\W", "_", getpass.getuser()) if os.name == "nt" else str(os.getuid())
    try:
        path = Path(tempfile.gettempdir()) / f"vdi-sizing-{user}"
    except FileNotFoundError:
        raise RequestError(
            "no folder takes a temporary file: the disk is full, no file may be as large here (ulimit -f), or you may "
            "write in none. Make room, raise the limit, or set TMPDIR to a folder of your own."
        ) from None
    path.mkdir(mode=0o700, exist_ok=True)
    if os.name != "nt" and path.stat().st_uid != os.getuid():
        raise RequestError(f"{path}: belongs to another user. Have it removed, or set TMPDIR to a folder of your own.")
    return path


def new_token() -> str:
    """Return a name for a run that no other has; forget the oldest logs, and records that a killed run half wrote."""
    logs = sorted(folder().glob("*.log"), key=_age)
    for old in logs[:-KEPT_LOGS]:
        old.unlink(missing_ok=True)
    for half in folder().glob("*.new"):
        writer = half.stem.rpartition(".")[2]
        if not (writer.isdecimal() and _alive(int(writer))):
            half.unlink(missing_ok=True)
    return uuid4().hex


def check_token(token: str) -> None:
    """Raise RequestError for a name that `new_token` would not give: it must name nothing outside the folder."""
    if not re.fullmatch(r"[0-9A-Za-z-]{1,64}", token):
        raise RequestError(
            "--run: expected the name of a run, letters and digits. It is given by a button; leave it out."
        )


def log_of(token: str) -> Path:
    """Return the file that a run writes what it says into."""
    return folder() / f"{token}.log"


def write(record: Record) -> None:
    """Say that a command runs."""
    path = folder() / f"{record.token}.run"
    new = path.with_suffix(f".{os.getpid()}.new")
    new.write_text(json.dumps(asdict(record)), encoding="utf-8")
    new.replace(path)


def forget(token: str) -> None:
    """Say that a run is over."""
    for ending in ("run", "cancel"):
        (folder() / f"{token}.{ending}").unlink(missing_ok=True)


def running() -> Iterator[Record]:
    """Yield the runs whose process lives; the records of dead ones are removed."""
    for path in sorted(folder().glob("*.run")):
        try:
            record = Record(**json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            continue
        if _alive(record.pid):
            yield record
        else:
            forget(record.token)


def before(token: str) -> Record | None:
    """Return the run on the document of a run that was asked for just before it; None where there is none.

    One that was asked for longer ago has taken the document, or never will; one that was asked to stop leaves it. A
    name alone, as a shell may give it, may be that of another document in another office: only a button, which says in
    which, or a path is told of another run.
    """
    every = list(running())
    own = next((record for record in every if record.token == token), None)
    if own is None or not (own.pipe or Path(own.book).is_absolute()):
        return None
    same = (each for each in every if (each.engine, each.book, each.pipe) == (own.engine, own.book, own.pipe))
    just = (each for each in same if own.clicked - STARTING_S < each.clicked < own.clicked)
    return next((each for each in just if not asked_to_stop(each.token)), None)


def ask_to_stop(token: str) -> None:
    """Ask a run to stop."""
    (folder() / f"{token}.cancel").touch()


def asked_to_stop(token: str) -> bool:
    """Say whether somebody asked a run to stop."""
    return (folder() / f"{token}.cancel").exists()


class DocumentLock:
    """The right to work on one document, for one process at a time; the operating system ends it with the process."""

    def __init__(self, engine: str, document: str) -> None:
        key = hashlib.sha256(f"{engine}\n{document}".encode()).hexdigest()[:16]
        self._path = folder() / f"{key}.lock"
        self._file: IO[str] | None = None

    def take(self, token: str) -> str | None:
        """Take the lock for a run and return None, or return the token of the run that holds it."""
        file = self._path.open("a+", encoding="utf-8")
        if not _lock(file):
            file.seek(0)
            holder = file.read().strip()
            file.close()
            return holder
        if not self._is_there(file):  # its last holder gave it back meanwhile
            file.close()
            return self.take(token)
        file.truncate(0)
        file.write(token)
        file.flush()
        self._file = file
        return None

    def free(self) -> None:
        """Give the lock back and leave no file; one that is open elsewhere is left to the process that waits for it."""
        if self._file is None:
            return
        if os.name != "nt":  # while it is held, so that nobody takes a file that is gone
            self._path.unlink(missing_ok=True)
        self._file.close()
        self._file = None
        if os.name == "nt":
            with suppress(OSError):
                self._path.unlink(missing_ok=True)

    def _is_there(self, file: IO[str]) -> bool:
        with suppress(FileNotFoundError):
            return os.path.samestat(os.fstat(file.fileno()), self._path.stat())
        return False


def _lock(file: IO[str]) -> bool:
    with suppress(OSError):
        if sys.platform == "win32":
            import msvcrt

            file.seek(_LOCKED_BYTE)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


def _alive(pid: int) -> bool:
    if sys.platform == "win32":
        import ctypes

        handle = ctypes.windll.kernel32.OpenProcess(0x00100000, False, pid)  # SYNCHRONIZE
        if not handle:
            return False
        ended = ctypes.windll.kernel32.WaitForSingleObject(handle, 0) == 0
        ctypes.windll.kernel32.CloseHandle(handle)
        return not ended
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _name(book: str) -> str:
    return re.split(r"[\\/]", book)[-1].casefold()


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
