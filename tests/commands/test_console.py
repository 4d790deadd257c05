"""A reader that leaves early, such as head: no traceback, no warning at the exit, and the command is done."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from openpyxl import load_workbook

from tests.support.one_sheet import one_sheet
from tests.support.small_workbook import UNIFORM, save

# a real interrupt once the first chunks are counted
INTERRUPTED = """
import os, signal, sys
from addin.simulation import runs
from addin.shell.main import main
merge = runs.Run._merge
def merged(self, part):
    merge(self, part)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell starts in the background ignores it
    os.kill(os.getpid(), signal.SIGINT)
runs.Run._merge = merged
sys.exit(main(sys.argv[1:]))
"""
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_the_copy_is_saved_all_the_same(book: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.xlsx"
    assert unread("addin", "simulate", book, "--trials", 256, "--save", copy) == (0, "")
    assert copy.stat().st_size > 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for one process there")
def test_an_interrupted_run_prints_and_saves_what_it_has(book: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.xlsx"
    arguments = ["simulate", str(book), "--trials", str(1 << 30), "--save", str(copy), "--workers", "1"]
    with subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        out, errors = process.communicate()
    assert (process.returncode, errors) == (0, "")
    assert out.startswith("PARTIAL, interrupted before 1,073,741,824 trials.")
    sheet = one_sheet(copy, "Risk")
    assert any("PARTIAL" in str(cell.value) for row in sheet.iter_rows(max_row=12) for cell in row)


def test_findings_keep_their_exit_code(book: Path) -> None:
    assert unread("addin", "audit", book)[0] == 1


FULL = "error: the output cannot be written (No space left on device). Make room, or send it elsewhere.\n"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="a device that is always full, streams closed by a shell")
@pytest.mark.parametrize(
    ("ending", "code", "said"),
    [
        (">/dev/full", 2, FULL),
        (">&-", 0, ""),
        ("2>&-", 0, ""),
        ("2>/dev/full", 0, ""),
        ("<&-", 0, ""),
        ("--set x=_ 2>&-", 2, ""),
    ],
)
def test_a_full_disk_or_a_closed_stream_is_one_line_at_most(book: Path, ending: str, code: int, said: str) -> None:
    command = f'"{sys.executable}" -m addin size "{book}" --result sum {ending}'
    done = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (code, said)


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_terminal_without_the_letters_of_a_file_name_has_the_answer_all_the_same(
    book: Path, encoding: str, tmp_path: Path
) -> None:
    named = book.rename(tmp_path / "größe \u20b9.xlsx")
    command = [sys.executable, "-m", "addin", "simulate", str(named), "--trials", "1024"]
    env = {**os.environ, "PYTHONIOENCODING": encoding}
    for more in ((), ("--json",)):
        done = subprocess.run([*command, *more], cwd=ROOT, env=env, capture_output=True, encoding=encoding)
        assert (done.returncode, done.stderr) == (0, "")
        if more:
            assert json.loads(done.stdout)["book"] == named.name
        else:
            assert "e \\u20b9.xlsx: 1,024 trials" in done.stdout


@pytest.mark.slow
def test_what_a_terminal_obeys_is_not_printed(tmp_path: Path) -> None:
    """`inputs` printed the U+202E of a label, which turns the rest of the line, and `new` the ESC of a file's name."""
    path = save(tmp_path / "book.xlsx", {"x": UNIFORM}, {"twice": "={x}*2"})
    workbook = load_workbook(path)
    (cell,) = (each for row in workbook["Inputs"].iter_rows() for each in row if each.value == "X")
    cell.value = "Price\u202e of\nx " + "y" * 20_000
    workbook.save(path)
    listed = subprocess.run(
        [sys.executable, "-m", "addin", "inputs", path], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    )
    assert (listed.returncode, listed.stderr) == (0, "")
    assert "Price? of x yyy" in listed.stdout
    assert len(max(listed.stdout.splitlines(), key=len)) < 2_000
    new = subprocess.run(
        [sys.executable, "-m", "addin", "new", tmp_path / "\x1b[31mx.xlsx"],
        cwd=ROOT, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert new.returncode == 0
    assert "\x1b" not in new.stdout
    assert f"{tmp_path}/?[31mx.xlsx" in new.stdout
