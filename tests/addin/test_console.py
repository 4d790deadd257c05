"""A reader that leaves early, such as head: no traceback, no warning at the exit, and the command is done."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.addin.small_workbook import UNIFORM, save

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return save(tmp_path / "book.xlsx", {"x": UNIFORM, "y": UNIFORM}, {"sum": "={x}+{y}"})


def unread(*arguments: object) -> tuple[int, str]:
    """Run a command whose output has no reader from the start; return exit code and what stands on stderr."""
    with subprocess.Popen(
        [sys.executable, "-m", *map(str, arguments)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        errors = process.stderr.read()
    return process.returncode, errors


@pytest.mark.parametrize(
    "command",
    [
        ["addin", "size", "BOOK", "--result", "sum"],
        ["addin", "whatif", "BOOK", "--vary", "x=0:300:0.1", "--result", "sum"],
        ["addin", "explain", "BOOK", "Out_sum"],
        ["addin", "simulate", "BOOK", "--json"],
        ["addin", "simulate", "--help"],
        ["addin.kernel", "explain", "BOOK", "Sizing!D6"],
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_output_that_nobody_reads_is_no_error(book: Path, command: list[str]) -> None:
    assert unread(*(book if word == "BOOK" else word for word in command)) == (0, "")


def test_the_copy_is_saved_all_the_same(book: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.xlsx"
    assert unread("addin", "simulate", book, "--trials", 256, "--save", copy) == (0, "")
    assert copy.stat().st_size > 0


def test_findings_keep_their_exit_code(book: Path) -> None:
    assert unread("addin", "audit", book)[0] == 1
