"""The tree of errors in addin/errors.py is complete: every class that a user may meet stands in it, under its base."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import addin.errors

ROOT = Path(__file__).resolve().parents[2]
ROOTS = {"ReportedError", "ModelError"}


def drawn() -> dict[str, str]:
    """Return the classes of the drawing with the class that each hangs on."""
    bases, above = {}, {-1: "Exception"}
    for line in (addin.errors.__doc__ or "").splitlines():
        if match := re.match(r"([ │├└─]*)([A-Z]\w+)  ", line):
            level = len(match[1]) // 4
            above[level] = match[2]
            bases[match[2]] = above[level - 1]
    return bases


def declared() -> dict[str, str]:
    """Return every exception class of the project with its base."""
    return dict(
        pair for folder in ("addin", "model") for path in (ROOT / folder).rglob("*.py") for pair in classes(path)
    )


def classes(path: Path) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef) and node.bases:
            yield node.name, ast.unparse(node.bases[0])


def base(name: str, bases: dict[str, str]) -> str:
    """Return the nearest base that is not private."""
    above = bases[name]
    return base(above, bases) if above.startswith("_") else above


def test_the_drawing_shows_every_error_under_its_base() -> None:
    bases = declared()
    known: set[str] = set()
    grown = ROOTS
    while grown:
        known |= grown
        grown = {name for name, over in bases.items() if over in known} - known
    assert {name: base(name, bases) for name in known if not name.startswith("_")} == drawn()


def test_one_class_is_caught_where_a_command_ends() -> None:
    several = re.compile(r"except \([^)]*(?:AddinError|KernelError)[^)]*(?:AddinError|KernelError)")
    files = [ROOT / "build.py", *(ROOT / "addin").rglob("*.py")]
    assert [path.name for path in files if several.search(path.read_text(encoding="utf-8"))] == []
