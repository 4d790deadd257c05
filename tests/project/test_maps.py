"""Each package's `__init__.py` is the map of its room: a line for each file and folder, and for nothing else."""

import ast
import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = sorted(path.parent for top in ("model", "addin") for path in (ROOT / top).rglob("__init__.py"))


def inside(package: Path) -> set[str]:
    """Return the files and folders of a package as a map names them."""
    files = {path.stem for path in package.glob("*.py")} - {"__init__", "__main__"}
    return files | {path.name for path in package.iterdir() if path.is_dir() and path.name[0] not in "._"}


def differences(text: str, names: set[str]) -> list[str]:
    """Return what a map lacks, and its lines about something that is not there."""
    # a line may name further files behind its first; functions_* stands for all of them
    words = set(re.findall(r"(?:^ *|[;,] )([a-z_0-9]+\*?)", text, re.M))
    lacking = [name for name in sorted(names) if not any(fnmatch(name, word) for word in words)]
    mapped = re.findall(r"^ *([a-z_0-9]+)(?:/|\.py)?  +\S", text, re.M)
    return [f"no line for {name}" for name in lacking] + [f"{name} is gone" for name in mapped if name not in names]


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_package_is_mapped_a_line_a_file(package: Path) -> None:
    text = ast.get_docstring(ast.parse((package / "__init__.py").read_text(encoding="utf-8"))) or ""
    assert differences(text, inside(package)) == [], f"correct {package.relative_to(ROOT)}/__init__.py"


def test_a_file_without_a_line_and_a_line_without_a_file_are_seen() -> None:
    text = "A room.\n\nread   the folder\nrows/  its rows\n"
    assert differences(text, {"read", "rows"}) == []
    assert differences(text, {"read", "rows", "files"}) == ["no line for files"]
    assert differences(text, {"rows"}) == ["read is gone"]
