"""`new`: a fresh copy of the shipped workbook under a name of one's own, and never over anything."""

from __future__ import annotations

import errno
import os
import shlex
import sys
from pathlib import Path

import pytest

from addin.shell import new_command
from addin.workbook.shipped import shipped
from tests.support.shell import Run

SHIPPED = Path(__file__).parents[2] / "templates" / "vdi-storage-sizing.xlsx"


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_the_copy_is_the_shipped_workbook_to_the_byte_and_nothing_else_is_written(tmp_path: Path, run: Run) -> None:
    code, out, err = run("new", tmp_path / "my-deal.xlsx")
    assert (code, err) == (0, "")
    assert files(tmp_path) == {"my-deal.xlsx": SHIPPED.read_bytes()}
    assert out.startswith(f"Wrote {tmp_path / 'my-deal.xlsx'}\nNext: python -m addin size {tmp_path / 'my-deal.xlsx'} ")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="shlex reads what a POSIX shell does")
def test_the_next_command_works_as_it_is_printed(tmp_path: Path, run: Run) -> None:
    _, out, _ = run("new", tmp_path / "Ann's deal.xlsx")
    python, dash_m, addin, *words = shlex.split(out.splitlines()[1].removeprefix("Next: "))
    assert (python, dash_m, addin) == ("python", "-m", "addin")
    code, out, err = run(*words)
    assert (code, err) == (0, "")
    assert "Arrays required" in out


def test_no_other_command_name_is_said_where_the_package_is_installed(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["/usr/bin/vdi-storage-sizing"])
    assert "\nNext: vdi-storage-sizing size " in run("new", tmp_path / "my-deal.xlsx")[1]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("mine.xlsx", "is there already, and `new` replaces no file. Name another."),
        ("deal.xls", "expected a file name that ends in .xlsx, as vdi-storage-sizing.xlsx does. Give it that ending."),
        ("deal", "expected a file name that ends in .xlsx, as vdi-storage-sizing.xlsx does. Give it that ending."),
        ("none/deal.xlsx", "there is no folder {folder}. Make it, or name another."),
        ("mine.xlsx/deal.xlsx", "there is no folder {folder}. Make it, or name another."),
        ("folder.xlsx", "is a folder. Name a file in it."),
        ("link.xlsx", "is a link, and would be replaced. Name a file of its own."),
        ("open.xlsx", "the file is open in a spreadsheet. Close it there, or name another file."),
    ],
)
def test_a_name_that_cannot_be_new_is_one_line_and_changes_no_file(
    tmp_path: Path, run: Run, name: str, said: str
) -> None:
    (tmp_path / "mine.xlsx").write_bytes(b"mine")
    (tmp_path / "folder.xlsx").mkdir()
    (tmp_path / "link.xlsx").symlink_to(tmp_path / "nowhere.xlsx")
    (tmp_path / ".~lock.open.xlsx#").touch()
    before, new = files(tmp_path), tmp_path / name
    assert run("new", new) == (2, "", f"error: {new}: {said.format(folder=new.parent)}\n")
    assert files(tmp_path) == before


def test_an_install_without_the_workbook_says_what_is_missing(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = tmp_path / "templates" / "vdi-storage-sizing.xlsx"
    monkeypatch.setattr(new_command, "shipped", lambda name: missing.with_name(name))
    code, out, err = run("new", tmp_path / "my-deal.xlsx")
    assert (code, out) == (2, "")
    assert err == (
        f"error: {missing}: the workbook of this version cannot be read (No such file or directory). Install the "
        "package again, or run build.py in a checkout.\n"
    )
    assert files(tmp_path) == {}


def test_a_full_disk_is_one_line_and_leaves_nothing(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(source: Path, target: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    for name in ("link", "replace", "rename"):
        monkeypatch.setattr(os, name, full)
    code, out, err = run("new", tmp_path / "my-deal.xlsx")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "the disk is full. Nothing was written; make room and run again." in err
    assert files(tmp_path) == {}


def test_built_files_are_beside_the_packages_in_a_checkout_and_inside_them_in_an_install(tmp_path: Path) -> None:
    package = tmp_path / "site" / "addin"
    package.mkdir(parents=True)
    assert shipped("a.xlsx", package) == tmp_path / "site" / "templates" / "a.xlsx"
    (package / "templates").mkdir()
    assert shipped("a.xlsx", package) == package / "templates" / "a.xlsx"
    assert shipped(SHIPPED.name) == SHIPPED
