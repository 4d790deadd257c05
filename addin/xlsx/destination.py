"""Checks of the file for a workbook, before anything is computed or written."""

from __future__ import annotations

import os
from pathlib import Path

from addin.errors import RequestError

_LOCKS = (".~lock.{}#", "~${}")  # lock files of LibreOffice and Excel


def check(target: Path, original: Path, label: str) -> None:
    """Raise RequestError if a workbook cannot be written; `label` names the target in the message.

    The reasons: no such folder, another file type than `original`, open in an application, no permission to write.
    """
    try:
        target.stat()
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError as error:  # a name longer than the file system takes, a link to itself
        raise RequestError(f"{label[:80]}...: {error.strerror}. Name another file.") from None
    if target.suffix.casefold() != original.suffix.casefold():
        raise RequestError(
            f"{label}: expected a file name that ends in {original.suffix}, as {original.name} does. "
            "Give it that ending."
        )
    if not target.parent.is_dir():
        raise RequestError(f"{label}: there is no folder {target.parent}. Make it, or name another.")
    if target.is_dir():
        raise RequestError(f"{label}: is a folder. Name a file in it.")
    if target != original and (target.is_symlink() or (target.exists() and not target.is_file())):
        what = "a link" if target.is_symlink() else "no plain file"
        raise RequestError(f"{label}: is {what}, and would be replaced. Name a file of its own.")
    if any(os.path.exists(target.parent / lock.format(target.name)) for lock in _LOCKS):  # also a name too long for it
        raise RequestError(f"{label}: the file is open in a spreadsheet. Close it there, or name another file.")
    if not os.access(target if target.exists() else target.parent, os.W_OK) or not os.access(target.parent, os.W_OK):
        raise RequestError(f"{label}: cannot be written. Name another file, or ask for the right to write it.")
