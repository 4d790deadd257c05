"""What people come for, done as they do it: typed in a window without any add-in, saved, and the same from a shell."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import openpyxl
import pytest

from addin.engines.office import application
from addin.kernel import ExcelError
from addin.sizing.answers import size
from addin.workbook.book import open_book
from tests.support.calc_window import until
from tests.support.compare import Value, agree
from tests.support.libreoffice import soffice
from tests.support.screen import Screen, screen
from tests.support.shell import Run

TEMPLATE = Path(__file__).resolve().parents[2] / "templates" / "vdi-storage-sizing.xlsx"
NAME = "Acme quote.xlsx"
W10 = "Knowledge worker W10 MCS (RA-2053 2024)"
CARD = {  # an all-flash array as its data sheet prints it, seven cells
    "capacity_tb": "40",
    "capacity_kind": "usable",
    "iops": "200000",
    "read_ratio": "0.7",
    "latency_ms": "1",
    "reduction_ratio": "4",
    "price": "150000",
}
WORK = {"login_excess_ios": "1500", "steady_iops": "10", "read_ratio": "0.3", "block_kib": "16"}  # one line
FLASH = {
    "desktops": "5000",
    "array": "My array 1",
    "profile": "My profile 1",
    **{f"My array 1.{key}": value for key, value in CARD.items()},
    **{f"My profile 1.{key}": value for key, value in WORK.items()},
}
RESULTS = ("status", "constraints_unchecked", "arrays_normal", "binding_constraint", "cost_per_desktop")


class Window:
    """A Calc window with the workbook, and somebody who types."""

    def __init__(self, shown: Screen, path: Path) -> None:
        self._shown, self.path, self.typed, self._tab, self._book = shown, path, 0, 0, open_book(TEMPLATE)
        (self._window,) = until(lambda: shown.windows("^Acme"))
        time.sleep(3)  # until the first sheet is drawn and takes keys
        self._do("windowfocus", "--sync", self._window)

    def enter(self, key: str, value: str) -> None:
        """Go to the tab and the cell of an input, by the box that names cells, and type a value."""
        address = self._book.entry(key).address
        steps = self._book.cells.sheets.index(address.sheet) - self._tab
        for _ in range(abs(steps)):
            self._do("key", "ctrl+Next" if steps > 0 else "ctrl+Prior")
            time.sleep(0.5)
        self._tab += steps
        self._do("key", "ctrl+shift+t", "ctrl+a")
        self._do("type", "--delay", "15", address.a1.rpartition("!")[2])
        self._do("key", "Return")
        time.sleep(0.3)
        self._do("type", "--delay", "15", value)
        self._do("key", "Return")
        self.typed += 1

    def saved(self) -> dict[str, Value]:
        """Save with the keyboard; return the results that stand in the file."""
        before = self.path.stat().st_mtime_ns
        self._do("key", "ctrl+s")
        (asked,) = until(lambda: self._shown.windows("Confirm File Format"))  # the office asks whether the format stays
        self._shown.key("Return", asked)
        until(lambda: self.path.stat().st_mtime_ns != before and not list(self.path.parent.glob("lu*.tmp")))
        time.sleep(1)
        book = openpyxl.load_workbook(self.path, data_only=True)
        places = {key: self._book.results[key].address for key in RESULTS}
        return {key: book[at.sheet].cell(at.row, at.column).value for key, at in places.items()}

    def _do(self, *what: str) -> None:
        subprocess.run([self._shown.hand, *what], env=os.environ | {"DISPLAY": self._shown.display}, check=True)


@contextmanager
def opened(folder: Path) -> Iterator[Window]:
    """Open a copy of the workbook in a plain office, without the add-in."""
    if not sys.platform.startswith("linux"):
        pytest.skip("a window without a screen needs Xvfb: Linux only")
    command, path, profile = soffice(), Path(shutil.copy(TEMPLATE, folder / NAME)), folder / "profile"
    profile.mkdir()
    (folder / "screen").mkdir()
    application.write_profile(profile)
    with screen(folder / "screen") as shown:
        options = [f"-env:UserInstallation={profile.as_uri()}", "--norestore", "--nologo", "--calc", str(path)]
        process = subprocess.Popen(
            [command, *options],
            env=os.environ | {"DISPLAY": shown.display},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            yield Window(shown, path)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def wanted(settings: dict[str, str]) -> dict[str, Value]:
    """Return what the shell computes for the same values."""
    table = size(open_book(TEMPLATE), [f"{key}={value}" for key, value in settings.items()], RESULTS)
    values = [value.value if isinstance(value, ExcelError) else value for _, value, *_ in table.rows]
    return dict(zip(RESULTS, values, strict=True))


@pytest.mark.office
@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "cells", "says"),
    [
        ({"desktops": "3200", "profile": W10, "array": "Kaminario K2 (one K-Block)"}, 3, ""),
        (FLASH, 14, "at least "),
    ],
    ids=["3,200 desktops", "an array from its data sheet"],
)
def test_a_design_is_typed_and_saved_in_a_few_cells(
    tmp_path: Path, settings: dict[str, str], cells: int, says: str
) -> None:
    with opened(tmp_path) as window:
        for key, value in settings.items():
            window.enter(key, value)
        results = window.saved()
    assert window.typed == cells
    expected = wanted(settings)
    assert [key for key in RESULTS if not agree(expected[key], results[key])] == [], (expected, results)
    assert str(results["status"]).startswith(says)
    if says:
        assert "throughput" in str(results["constraints_unchecked"])


@pytest.mark.slow
def test_the_same_array_and_work_are_sized_from_the_shell_with_four_commands(run: Run) -> None:
    book, options = str(TEMPLATE), [word for key, value in FLASH.items() for word in ("--set", f"{key}={value}")]
    _, found, _ = run("inputs", book, "--find", "my array 1")
    assert all(f"My array 1.{key}" in found for key in CARD)
    results = wanted(FLASH)
    code, sized, err = run("size", book, *options)
    assert (code, err) == (0, "")
    assert str(results["status"]) in sized
    assert "throughput" in sized
    others = [word for key, value in FLASH.items() if key != "array" for word in ("--set", f"{key}={value}")]
    code, compared, _ = run("compare", book, *others)
    assert code == 0
    code, explained, _ = run("explain", book, "arrays_required", *options)
    assert code == 0
    assert explained.lower().startswith("at least ")
    assert "My array 1" in compared
