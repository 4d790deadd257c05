"""A limit on the size of files, as a full disk or `ulimit -f`: one line, exit 2, nothing left and nothing lost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import addin
from addin.workbook.book import open_book
from addin.workbook.digests import digest
from tests.support import opened, pilots

if sys.platform == "win32":
    pytest.skip("no such limit there", allow_module_level=True)
import resource

ROOT = Path(addin.__file__).parents[1]
COMMANDS = {
    "explain": ("explain", "b.xlsx", "arrays_required", "--sheet"),
    "compare": ("compare", "b.xlsx", "--sheet"),
    "sensitivity": ("sensitivity", "b.xlsx", "--trials=64", "--sheet"),
    "simulate --save": ("simulate", "b.xlsx", "--trials=64", "--save=new.xlsx"),
    "simulate --plot": ("simulate", "b.xlsx", "--trials=64", "--plot=new.png"),
    "apply --save": ("apply", "b.xlsx", "changes.json", "--save=new.xlsx"),
    "handoff": ("handoff", "b.xlsx"),
    "measure --save": ("measure", "b.xlsx", "p.csv", "--hours=08:00-18:00", "--keep-first-days", "--save=new.xlsx"),
}
SIZES = dict.fromkeys(COMMANDS, (100000,)) | {"explain": (0, 1_024, 100_000), "handoff": (1_024, 100_000)}


@pytest.fixture(scope="module")
def digested(original: Path) -> str:
    """The digest of the workbook, read once for all commands."""
    return digest(open_book(original).cells)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "size"), [(name, size) for name in COMMANDS for size in SIZES[name]])
def test_no_room_for_a_file_is_one_line(original: Path, digested: str, tmp_path: Path, name: str, size: int) -> None:
    home, scratch = tmp_path / "home", tmp_path / "tmp"
    home.mkdir()
    scratch.mkdir()
    opened.copied(original, home).rename(home / "b.xlsx")
    changes = {"workbook digest": digested, "inputs": {"desktops": 4321}}
    (home / "changes.json").write_text(json.dumps(changes), encoding="utf-8")
    pilots.generic(home / "p.csv", pilots.pilots(count=2, days=1))
    before = {path: path.read_bytes() for path in home.iterdir() if path.is_file()}
    done = subprocess.run(
        [sys.executable, "-m", "addin", *COMMANDS[name]],
        cwd=home,
        env={"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": str(scratch), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
        timeout=120,
    )
    assert done.returncode == 2, done.stderr
    assert [line[:7] for line in done.stderr.splitlines()] == ["error: "], done.stderr
    assert "no file may be as large here" in done.stderr
    assert {path: path.read_bytes() for path in home.iterdir() if path.is_file()} == before
    left = [path for path in (*home.rglob("*"), *scratch.rglob("*")) if path.is_file() and path not in before]
    assert [path for path in left if path.suffix != ".log"] == []
