"""A folder of files that is replaced as a whole: a kill at any moment leaves the old or the new one.

The folder has a list of its files with their digests. A file that is not on the list, or was changed since, belongs to
the user: such a folder is not replaced, and no file but the listed ones is ever deleted.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from addin.errors import RequestError
from addin.reported import no_room
from addin.workbook.insertion import uninterrupted
from addin.xlsx.package import lives

LISTED = "files.sha256"
_MADE, _OLD = ".hand-off-", "-old-"  # in the name of a folder while it is written, and while it is replaced


def replace(target: Path, names: Iterable[str], fill: Callable[[Path], None]) -> None:
    """Let `fill` write a new folder beside the target and put it in its place; `names` are the files it may write.

    No file of the older folder is kept. Raises RequestError if the target has a file that was not written here, or
    cannot be replaced.
    """
    known = frozenset(names)
    _sweep(target, known)
    _check(target, known)
    try:
        made = Path(tempfile.mkdtemp(prefix=f"{_MADE}{os.getpid()}-", dir=target.parent))
    except OSError as error:
        raise RequestError(
            f"{target.parent}: cannot be written ({error.strerror}). Save the workbook elsewhere."
        ) from None
    try:
        fill(made)
        (made / LISTED).write_text(_listing(made, known), encoding="utf-8")
        made.chmod(0o755)
        _check(target, known)  # once more: filling it took a while
        _swap(made, target)
    except OSError as error:
        if room := no_room(error):
            raise RequestError(f"{target}: {room[0]}. Nothing was written; {room[1]} and run again.") from None
        raise RequestError(
            f"{target}: cannot be replaced ({error.strerror}). Close its files, then run this again."
        ) from None
    finally:
        with uninterrupted():
            _discard(made, known, target)


def beside(workbook: Path) -> Path:
    """Return the folder of a workbook; the user's documents for one that is not saved on this machine."""
    if workbook.is_file():
        return workbook.parent
    documents = Path.home() / "Documents"
    return documents if documents.is_dir() else Path.home()


def check_place(target: Path) -> None:
    """Raise RequestError if no folder can be written beside the target; called before the long work."""
    if not os.access(target.parent, os.W_OK):
        raise RequestError(f"{target.parent}: cannot be written (Permission denied). Save the workbook elsewhere.")


def _listing(folder: Path, names: Iterable[str]) -> str:
    written = (name for name in sorted(names) if (folder / name).is_file())
    return "".join(f"{_digest(folder / name)}  {name}\n" for name in written)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _listed(folder: Path, names: frozenset[str]) -> dict[str, str]:
    """Return the digest of each file that was written; none of a folder whose list is gone: all may be the user's."""
    listing = folder / LISTED
    try:
        lines = listing.read_text(encoding="utf-8").splitlines() if listing.is_file() else None
    except OSError:
        lines = None
    if lines is None:
        return {}
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines) if name in names}


def _foreign(folder: Path, names: frozenset[str]) -> Iterator[Path]:
    """Yield the files of a folder that were not written here, or were changed since."""
    listed = _listed(folder, names)
    for path in sorted(folder.iterdir()):
        if path.name == LISTED and path.is_file():
            continue
        own = path.name in listed and path.is_file() and not path.is_symlink()
        if not own or listed[path.name] != _digest(path):
            yield path


def _check(target: Path, names: frozenset[str]) -> None:
    """Raise RequestError for a target that was not written here."""
    if not (target.exists() or target.is_symlink()):
        return
    if target.is_symlink() or not target.is_dir() or not any((target / name).is_file() for name in names):
        raise RequestError(f"{target}: is not a hand-off of this program. Rename it, then run this again.")
    foreign = next(_foreign(target, names), None)
    if foreign is not None:
        raise RequestError(
            f"{foreign}: was not written by this program, or was changed since. Move it out of the folder, or rename "
            "the folder, then run this again."
        )


def _swap(made: Path, target: Path) -> None:
    """Exchange a folder with another in one step, if the system can; the old one then has the new one's name.

    Elsewhere (Windows) it takes two steps; a run that is killed between them leaves the old folder under a name that
    `_sweep` restores.
    """
    if not target.exists():
        made.rename(target)
    elif not _exchanged(made, target):
        old = target.with_name(f"{_MADE}{os.getpid()}{_OLD}{target.name}")
        target.rename(old)
        try:
            made.rename(target)
        except OSError:
            old.rename(target)
            raise
        old.rename(made)


def _exchanged(made: Path, target: Path) -> bool:
    """Exchange two folders and return True; False where the system has no such call."""
    here, platform = -100, str(sys.platform)  # AT_FDCWD
    with suppress(OSError, AttributeError):
        library = ctypes.CDLL(None, use_errno=True)
        old, new = os.fsencode(made), os.fsencode(target)
        if platform == "linux":
            return bool(library.renameat2(here, old, here, new, 2) == 0)  # RENAME_EXCHANGE
        if platform == "darwin":
            return bool(library.renamex_np(old, new, 2) == 0)  # RENAME_SWAP
    return False


def _discard(made: Path, names: frozenset[str], target: Path) -> None:
    """Delete the written files of an obsolete folder; any other file in it is moved to the target."""
    if not made.is_dir():
        return
    whole = (made / LISTED).is_file()
    foreign = set(_foreign(made, names)) if whole else {path for path in made.iterdir() if path.name not in names}
    for path in list(made.iterdir()):
        with suppress(OSError):
            if path not in foreign:
                path.unlink()
            elif target.is_dir() and not (target / path.name).exists():
                shutil.move(path, target / path.name)
    with suppress(OSError):
        made.rmdir()


def _sweep(target: Path, names: frozenset[str]) -> None:
    """Restore a folder that a killed run was replacing, and delete the unfinished folders of killed runs."""
    with suppress(OSError):
        left = [path for path in target.parent.iterdir() if path.name.startswith(_MADE) and not path.is_symlink()]
        for path in left:
            pid, _, rest = path.name.removeprefix(_MADE).partition("-")
            if not path.is_dir() or not pid.isdecimal() or lives(int(pid)):
                continue
            if f"-{rest}" == f"{_OLD}{target.name}" and not target.exists():
                path.rename(target)
            elif not rest.startswith(_OLD[1:]) or rest == f"{_OLD[1:]}{target.name}":
                _discard(path, names, target)
