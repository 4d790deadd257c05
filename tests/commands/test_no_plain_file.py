"""A folder, a pipe, a socket or a device where a file should be is one line at once, for every command."""

from __future__ import annotations

import argparse
import os
import socket
from pathlib import Path

import pytest

from addin.shell import new_command
from addin.shell.install_commands import NAMES
from addin.shell.main import parser
from tests.reliability.shell_lines import at_most
from tests.support import small_workbook
from tests.support.shell import Run, shell

pytestmark = pytest.mark.skipif(os.name != "posix", reason="pipes and devices have no path there")
GOOD = "good.xlsx"
LINES = {
    **{
        each: (each, "{}")
        for each in ("inputs", "size", "scenarios", "compare", "sensitivity", "decide", "assumed", "audit", "text")
    },
    "whatif": ("whatif", "{}", "--vary", "x=1,2"),
    "seek": ("seek", "{}", "--vary", "x", "--target", "twice=1"),
    "explain": ("explain", "{}", "twice"),
    "simulate": ("simulate", "{}", "--trials", "64"),
    "simulate --sheet": ("simulate", "{}", "--sheet"),
    "handoff": ("handoff", "{}"),
    "apply": ("apply", "{}", "changes.json", "--save", "new.xlsx"),
    "apply CHANGES": ("apply", GOOD, "{}", "--save", "new.xlsx"),
    "handoff --theme": ("handoff", GOOD, "--theme", "{}"),
    "handoff --texts": ("handoff", GOOD, "--texts", "{}"),
    "measure": ("measure", "{}", "pilots.csv"),
    "measure FILE": ("measure", GOOD, "{}"),
    "measure --sheet": ("measure", "{}", "pilots.csv", "--hours", "08:00-18:00", "--sheet"),
    "measure --types": ("measure", GOOD, GOOD, "--types", "{}"),
    "measure-array": ("measure-array", "{}", "run.json"),
    "measure-array FILE": ("measure-array", GOOD, "{}"),
    "diff": ("diff", "{}", GOOD),
    "diff NEW": ("diff", GOOD, "{}"),
}


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return shell(capsys)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    small_workbook.save(tmp_path / GOOD, {"x": small_workbook.UNIFORM}, {"twice": "={x}*2"})
    return tmp_path


def made(kind: str) -> None:
    """Make what has the name of a workbook and is none."""
    if kind == "folder":
        Path("odd.xlsx").mkdir()
    elif kind == "pipe":
        os.mkfifo("odd.xlsx")
    elif kind == "device":
        Path("odd.xlsx").symlink_to("/dev/zero")
    else:
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind("odd.xlsx")


@pytest.mark.parametrize("kind", ["folder", "pipe", "device", "socket"])
@pytest.mark.parametrize("command", LINES)
@pytest.mark.slow
def test_what_is_no_file_is_refused_at_once(run: Run, folder: Path, command: str, kind: str) -> None:
    made(kind)
    whole = Path(GOOD).read_bytes()
    there = sorted(os.listdir())
    with at_most(60):  # a pipe that nobody writes into is waited for without end
        code, out, err = run(*(word.format("odd.xlsx") for word in LINES[command]))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert f"odd.xlsx: is {'a folder' if kind == 'folder' else 'no plain file'}. Name " in err
    assert (Path(GOOD).read_bytes(), sorted(os.listdir())) == (whole, there)


def test_every_command_that_takes_a_workbook_is_tried() -> None:
    (commands,) = (each for each in parser()._actions if isinstance(each, argparse._SubParsersAction))
    assert {words[0] for words in LINES.values()} == set(commands.choices) - {*NAMES, new_command.NAME}


@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_a_logo_that_is_no_file_is_refused_at_once(run: Run, folder: Path, kind: str) -> None:
    made(kind)
    Path("theme.toml").write_text('logo = "odd.xlsx"')
    with at_most(60):
        code, out, err = run("handoff", GOOD)
    assert (code, out) == (2, "")
    assert err == "error: theme.toml: there is no logo odd.xlsx beside it. Put it there, or leave it out.\n"
