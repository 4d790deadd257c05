"""The commands at work and their documents: small files in a folder of each user, so that any process can stop one.

TOKEN.run     a running command: process, command, engine, pipe, document; removed at the end
TOKEN.cancel  a request to stop it
TOKEN.log     its output; the newest are kept
KEY.lock      contains TOKEN; locked by the operating system while that run works on a document, at most until it ends
"""

from __future__ import annotations

import getpass
import hashlib
import json
import os
import re
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO
from uuid import uuid4

from addin.errors import RequestError
from addin.xlsx.package import lives

KEPT_LOGS = 20
OF_OTHERS = stat.S_IRWXG | stat.S_IRWXO
STARTING_S = 60.0  # a run locks its document within this time
_LOCKED_BYTE = 1 << 30  # far beyond the text: on Windows a locked byte cannot be read


@dataclass(frozen=True)
class Record:
    """A running command: `book` is the name or full name of the document, empty for the active one."""

    token: str
    pid: int
    command: str
    engine: str
    book: str
    pipe: str
    clicked: float = 0.0  # seconds since 1970: of two clicks the earlier one wins

    def concerns(self, engine: str, book: str | None, pipe: str | None) -> bool:
        """Return whether a request to stop is for this run; without book and pipe it is for all of an engine."""
        if self.engine != engine or (pipe and self.pipe and pipe != self.pipe):
            return False
        return not book or not self.book or _name(book) == _name(self.book)


def folder() -> Path:
    """Return the user's folder for these files, created if missing.

    Raises RequestError where another user owns a folder of that name, it is no folder, or none is writable.
    """
    user = re.sub(r"\W", "_", getpass.getuser()) if os.name == "nt" else str(os.getuid())
    try:
        path = Path(tempfile.gettempdir()) / f"vdi-sizing-{user}"
    except FileNotFoundError:
        raise RequestError(
            "no folder takes a temporary file: the disk is full, no file may be as large here (ulimit -f), or you may "
            "write in none. Make room, raise the limit, or set TMPDIR to a folder of your own."
        ) from None
    with suppress(FileExistsError):  # whatever it is, it is looked at below
        path.mkdir(mode=0o700)
    found = path.lstat()  # a link would lead the deletion of old logs elsewhere
    if not stat.S_ISDIR(found.st_mode):
        raise RequestError(f"{path}: is not a private folder. Remove it, or set TMPDIR to a folder of your own.")
    if os.name != "nt":
        if found.st_uid != os.getuid():
            raise RequestError(
                f"{path}: belongs to another user. Have it removed, or set TMPDIR to a folder of your own."
            )
        if found.st_mode & OF_OTHERS:
            path.chmod(0o700)
    return path


def new_token() -> str:
    """Return a unique name for a run; delete the oldest logs, and records that a killed run left half written."""
    logs = sorted(folder().glob("*.log"), key=_age)
    for old in logs[:-KEPT_LOGS]:
        old.unlink(missing_ok=True)
    for half in folder().glob("*.new"):
        writer = half.stem.rpartition(".")[2]
        if not (writer.isdecimal() and lives(int(writer))):
            half.unlink(missing_ok=True)
    return uuid4().hex


def check_token(token: str) -> None:
    """Raise RequestError for a name unlike those of `new_token`: it must not refer to a file outside the folder."""
    if not re.fullmatch(r"[0-9A-Za-z-]{1,64}", token):
        raise RequestError(
            "--run: expected the name of a run, letters and digits. It is given by a button; leave it out."
        )


def log_of(token: str) -> Path:
    """Return the file for the output of a run."""
    return folder() / f"{token}.log"


def write(record: Record) -> None:
    """Record a running command."""
    path = folder() / f"{record.token}.run"
    new = path.with_suffix(f".{os.getpid()}.new")
    new.write_text(json.dumps(asdict(record)), encoding="utf-8")
    new.replace(path)


def forget(token: str) -> None:
    """Delete the record of a run."""
    for ending in ("run", "cancel"):
        (folder() / f"{token}.{ending}").unlink(missing_ok=True)


def running() -> Iterator[Record]:
    """Yield the runs whose process is alive; delete the records of the others."""
    for path in sorted(folder().glob("*.run")):
        try:
            record = Record(**json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            continue
        if lives(record.pid):
            yield record
        else:
            forget(record.token)


def before(token: str) -> Record | None:
    """Return the run on the same document that was started just before a run; None without one.

    One that was started longer ago has locked the document, or never will; one that was asked to stop leaves it. A bare
    name from a shell may mean another document in another office, so only a button, which knows the office, or a path
    has such an earlier run.
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
    """Return whether a run was asked to stop."""
    return (folder() / f"{token}.cancel").exists()


class DocumentLock:
    """The right to work on one document, for one process at a time; the operating system ends it with the process."""

    def __init__(self, engine: str, document: str) -> None:
        key = hashlib.sha256(f"{engine}\n{document}".encode()).hexdigest()[:16]
        self._path = folder() / f"{key}.lock"
        self._file: IO[str] | None = None

    def take(self, token: str) -> str | None:
        """Take the lock for a run and return None, or return the token of the run that has it."""
        file = self._path.open("a+", encoding="utf-8")
        if not _lock(file):
            file.seek(0)
            holder = file.read().strip()
            file.close()
            return holder
        try:
            current = os.path.samestat(os.fstat(file.fileno()), self._path.stat())
        except FileNotFoundError:
            current = False
        if not current:  # its last owner released it meanwhile
            file.close()
            return self.take(token)
        file.truncate(0)
        file.write(token)
        file.flush()
        self._file = file
        return None

    def free(self) -> None:
        """Release the lock and delete its file, unless a process that waits for it has it open."""
        if self._file is None:
            return
        if os.name != "nt":  # before the release, so that no process locks a deleted file
            self._path.unlink(missing_ok=True)
        self._file.close()
        self._file = None
        if os.name == "nt":
            with suppress(OSError):
                self._path.unlink(missing_ok=True)


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


def _name(book: str) -> str:
    return re.split(r"[\\/]", book)[-1].casefold()


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
