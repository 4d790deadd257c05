"""Gnumeric as a judge: its `ssconvert` recalculates a saved workbook in a second, without a window or a profile."""

import warnings
from collections.abc import Sequence
from pathlib import Path

from addin.engines.office import application
from tests.support.compare import Address, Value, load_values
from tests.support.needed import program


def ssconvert() -> str:
    """Return the command, or skip the test when Gnumeric is not installed; on CI that is a failure."""
    return program("ssconvert", "Gnumeric (ssconvert)")


def recalculate(paths: Sequence[Path], out: Path) -> dict[Path, dict[Address, Value]]:
    """Recalculate workbooks and return what Gnumeric found: every cell that holds something, errors as their text.

    The recalculated copies stay in the folder `out`, under their own names, which must differ from each other.
    """
    copies = converted(paths, out)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its styles and its print areas of several parts, which nobody reads here
        return {path: load_values(copy) for path, copy in zip(paths, copies, strict=True)}


def converted(paths: Sequence[Path], out: Path) -> list[Path]:
    """Recalculate workbooks and return the copies in the folder `out`, as `recalculate` does, without reading them."""
    command = ssconvert()
    names = [path.name for path in paths]
    assert len(set(names)) == len(names), f"two workbooks share a name: {sorted(names)}"
    out.mkdir(parents=True, exist_ok=True)
    copies = [out / name for name in names]
    for path, copy in zip(paths, copies, strict=True):
        assert copy.resolve() != path.resolve(), f"{path} would be overwritten"
        application.run([command, "--recalc", str(path), str(copy)])
    return copies
