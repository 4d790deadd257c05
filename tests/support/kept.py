"""What takes long to make and is the same for every process and every run: made by the first, read by the others.

It is kept under a digest of all that it is made of: with any change of the product, of a package or of Python it is
made again. The folder may be deleted at any time.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).parents[2]
HOME = ROOT / ".pytest_cache" / "kept"
MADE_OF = ("model", "addin", "build.py", "CHANGELOG.md", "tests/support/kept.py", "tests/support/shipped.py")
PACKAGES = ("numpy", "openpyxl", "et_xmlfile")
DAYS = 2  # that a folder is left for somebody who goes back to what it was made of


def kept(name: str, make: Callable[[], bytes]) -> bytes:
    """Return what `make` returned to the first process that wanted it."""
    path = HOME / digest() / name
    if path.exists():
        return path.read_bytes()
    path.parent.mkdir(parents=True, exist_ok=True)
    with _alone(path.with_suffix(".lock")):
        if not path.exists():
            _swept()
            (draft := path.with_suffix(f".{os.getpid()}")).write_bytes(make())
            draft.replace(path)
    return path.read_bytes()


@cache
def digest() -> str:
    """Return a digest of the sources, the packages and the Python that what is kept depends on."""
    total = hashlib.sha256(repr([sys.version, *map(version, PACKAGES)]).encode())
    for each in map(ROOT.joinpath, MADE_OF):
        for path in sorted(each.rglob("*")) if each.is_dir() else [each]:
            if path.is_file() and path.suffix != ".pyc":
                total.update(f"{path.relative_to(ROOT).as_posix()} {path.stat().st_size}\n".encode())
                total.update(path.read_bytes())
    return total.hexdigest()[:16]


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Wait for the process that makes the same thing; a process that ends, however it does, lets go of the file."""
    with path.open("w") as file:
        if sys.platform == "win32":
            import msvcrt

            while True:
                try:
                    msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)  # gives up after ten seconds
                    break
                except OSError:
                    continue
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _swept() -> None:
    """Delete what was made of sources that are gone."""
    for folder in HOME.iterdir():
        if folder.name != digest() and time.time() - folder.stat().st_mtime > DAYS * 86400:
            shutil.rmtree(folder, ignore_errors=True)
