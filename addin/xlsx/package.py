"""The .xlsx file as a package: a zip of parts, read and written so that the same content gives the same bytes.

openpyxl writes the time into the zip and the document properties. That is corrected here, after saving, in the bytes
of the parts: everything else stays as written.
"""

import io
import os
import re
import shutil
import sys
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO
from xml.parsers import expat

from addin.errors import BookError
from addin.reported import no_room
from addin.xlsx.parts import CORE_PROPERTIES, WORKBOOK, Parts
from addin.xlsx.print_titles import mended

STORED_BELOW_BYTES = 2 * 1024 * 1024  # compressed bytes differ between builds of zlib, stored ones never do
ZIP_EPOCH = datetime(1980, 1, 1, tzinfo=UTC)  # the earliest date of a zip entry
ZIP_END = datetime(2107, 12, 31, tzinfo=UTC)

_TEMPORARY = ".vdi-sizing-"  # a file being written; the number of the process follows
_OF_A_WORKBOOK = ("[Content_Types].xml", "_rels/", "docProps/", "xl/")  # their XML must be well formed
_FIRST_PARTS = ("[Content_Types].xml", "_rels/.rels")  # streaming readers expect these first


class PackageError(BookError):
    """A package that cannot be read or written."""


class _OnDemand(Mapping[str, bytes]):
    """The parts of an open package by name; each is read when it is needed."""

    def __init__(self, package: zipfile.ZipFile) -> None:
        self._package = package
        self._names = [entry.filename for entry in package.infolist() if not entry.is_dir()]

    def __getitem__(self, name: str) -> bytes:
        try:
            return self._package.read(name)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as fault:
            raise PackageError(f"{name}: cannot be read. The file is damaged; take a fresh copy.") from fault

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


@contextmanager
def open_parts(path: Path | IO[bytes]) -> Iterator[Parts]:
    """Open a package to read a few parts by name, uncompressed. Raises PackageError for any other file."""
    try:
        with zipfile.ZipFile(path) as package:
            yield _OnDemand(package)
    except (zipfile.BadZipFile, NotImplementedError) as fault:
        raise PackageError(f"{path}: not an .xlsx workbook. Give a file saved as 'Excel workbook'.") from fault


def read_parts(path: Path | IO[bytes]) -> dict[str, bytes]:
    """Return all parts by name in the order of the file. Raises PackageError for any other file."""
    with open_parts(path) as parts:
        return dict(parts)


def write_parts(path: Path, parts: Parts, timestamp: datetime = ZIP_EPOCH, *, new: bool = False) -> None:
    """Write the parts as a package whose bytes depend only on the parts and the timestamp; `new` replaces no file."""
    parts = {**parts, WORKBOOK: mended(parts[WORKBOOK])} if WORKBOOK in parts else parts
    data = packed(parts, timestamp)
    _read_back(path, io.BytesIO(data), parts)
    write_atomically(path, data, new=new)


def packed(parts: Parts, timestamp: datetime = ZIP_EPOCH) -> bytes:
    """Return the parts as a package.

    Content types come first, the rest in order of name; a package under 2 MB is stored uncompressed.
    """
    stored = sum(map(len, parts.values())) < STORED_BELOW_BYTES
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as package:
        for name in _ordered(parts):
            entry = zipfile.ZipInfo(name, _utc(timestamp).timetuple()[:6])
            entry.create_system = 3  # zipfile would note the operating system of the build
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
            package.writestr(entry, parts[name], compresslevel=9)
    return buffer.getvalue()


def _read_back(path: Path, package: IO[bytes], parts: Parts) -> None:
    """Raise PackageError, before anything is replaced, if the new package cannot be read back."""
    with zipfile.ZipFile(package) as written:
        if sorted(written.namelist()) != sorted(parts) or written.testzip() is not None:
            raise PackageError(f"{path}: the new workbook cannot be read back. Nothing was written; report this.")
    for name, data in parts.items():
        if name.startswith(_OF_A_WORKBOOK) and name.endswith((".xml", ".rels")):
            try:
                expat.ParserCreate().Parse(data, True)
            except expat.ExpatError as fault:
                raise PackageError(
                    f"{path}: its part {name} would be damaged ({fault}). Nothing was written."
                ) from fault


def write_atomically(path: Path, data: bytes, *, new: bool = False) -> None:
    """Replace the file in one step: a reader sees the old or the new bytes, and a failure leaves the old ones.

    A `new` file replaces none: where one has appeared under its name, that one stays, and PackageError is raised.
    Temporary files of killed runs in the folder are deleted. For a link, its target is replaced.
    """
    import secrets  # only writing needs it

    path = path.resolve()
    _sweep(path.parent)
    temporary = path.with_name(f"{_TEMPORARY}{os.getpid()}-{secrets.token_hex(4)}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if new:
            _put_new(temporary, path)
            return
        if path.exists():
            _belong(temporary, path.stat())
            shutil.copymode(path, temporary)
        os.replace(temporary, path)
    except FileExistsError as fault:
        raise PackageError(
            f"{path}: was written by another program meanwhile, and stays as it is. Name another file and run again."
        ) from fault
    except PermissionError as fault:
        raise PackageError(
            f"{path}: the file cannot be replaced. Close it in the spreadsheet and run again."
        ) from fault
    except OSError as fault:
        if room := no_room(fault):
            raise PackageError(f"{path}: {room[0]}. Nothing was written; {room[1]} and run again.") from fault
        raise PackageError(f"{path}: cannot be written ({fault.strerror}). Nothing was changed.") from fault
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _put_new(temporary: Path, path: Path) -> None:
    """Give a file a name that no other has, in one step. Raises FileExistsError where one has it meanwhile."""
    if os.name == "nt":
        temporary.rename(path)  # Windows refuses a name that is taken
        return
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:  # no links there, as on exFAT and some shares: the name is taken first, then the file moved onto it
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        try:
            os.replace(temporary, path)
        except OSError:
            path.unlink(missing_ok=True)
            raise


def _belong(new: Path, old: os.stat_result) -> None:
    """Give a file the owner and the group of the one it replaces, or the group alone, as far as the system lets us."""
    if sys.platform == "win32":
        return
    made = new.stat()
    for owner in (old.st_uid, -1):  # only an administrator gives files away
        if (made.st_uid if owner == -1 else owner, old.st_gid) == (made.st_uid, made.st_gid):
            return
        with suppress(OSError):  # not a member of that group, or a file system without owners
            os.chown(new, owner, old.st_gid)
            return


def _sweep(folder: Path) -> None:
    """Delete the temporary files of killed runs in a folder."""
    with suppress(OSError):
        for left in folder.glob(f"{_TEMPORARY}*-*.tmp"):
            pid = left.name.removeprefix(_TEMPORARY).partition("-")[0]
            if pid.isdecimal() and not lives(int(pid)) and left.is_file() and not left.is_symlink():
                left.unlink(missing_ok=True)


def lives(pid: int) -> bool:
    """Return whether a process of that number is alive."""
    if sys.platform == "win32":  # os.kill would end the process there
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
    except OSError:
        return True
    return True


def normalise(path: Path, timestamp: datetime) -> None:
    """Rewrite the package so that the same content gives the same bytes on every machine.

    `timestamp` (a naive one is UTC) becomes the date of every entry and the created and modified date of the document.
    """
    parts = read_parts(path)
    if CORE_PROPERTIES in parts:
        parts[CORE_PROPERTIES] = _with_dates(parts[CORE_PROPERTIES], _utc(timestamp))
    write_parts(path, parts, timestamp)


def manifest(path: Path) -> str:
    """Return one line per part, `<sha256>  <name>`, of the uncompressed bytes in order of name."""
    import hashlib

    parts = read_parts(path)
    return "".join(f"{hashlib.sha256(parts[name]).hexdigest()}  {name}\n" for name in sorted(parts))


def _ordered(parts: Parts) -> list[str]:
    return [name for name in _FIRST_PARTS if name in parts] + sorted(set(parts) - set(_FIRST_PARTS))


def _utc(timestamp: datetime) -> datetime:
    moment = timestamp.replace(tzinfo=UTC) if timestamp.tzinfo is None else timestamp.astimezone(UTC)
    return min(max(moment, ZIP_EPOCH), ZIP_END)


def _with_dates(core: bytes, moment: datetime) -> bytes:
    """Set the created and modified dates of docProps/core.xml, and nothing else."""
    stamp = moment.strftime("%Y-%m-%dT%H:%M:%SZ").encode()
    return re.sub(rb"(<dcterms:(created|modified)\b[^>]*>)[^<]*(</dcterms:\2>)", rb"\g<1>" + stamp + rb"\g<3>", core)
