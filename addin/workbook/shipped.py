"""The built files of this version: those of templates/ in a checkout, of addin/templates/ in an installed package."""

from __future__ import annotations

from pathlib import Path

import addin

BOOK = "vdi-storage-sizing.xlsx"
MARKS = "vdi-storage-sizing.marks"


def shipped(name: str, package: Path = Path(addin.__file__).parent) -> Path:
    """Return the path of a built file, which need not be there; `package` is the folder of addin."""
    inside = package / "templates"
    return (inside if inside.is_dir() else package.with_name("templates")) / name
