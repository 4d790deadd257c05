"""A sizing workbook open in an engine, and what a command must leave as it was."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from types import MappingProxyType

import pytest
import xlwings as xw
from openpyxl import Workbook
from openpyxl.cell import Cell

from addin.buttons import COMMANDS
from addin.engines import calc as calc_engine
from addin.engines.file import open_file
from addin.engines.office import application, client
from addin.errors import AddinError
from addin.kernel import Address, Scalar
from addin.kernel.formula.graph import Area, areas, cells_in
from addin.workbook import live
from addin.workbook.book import SizingBook
from tests.support import pilots, shipped
from tests.support.libreoffice import soffice

FOLDER, NAME = "Kunde = Müller & Söhne", "Acme quote v2 (final).xlsx"
START_TRIES = 40


def workbook(folder: Path) -> Path:
    """Build the workbook with the reference design, under a name and in a folder as people choose them."""
    home = folder / FOLDER
    home.mkdir()
    return shipped.write_reference(home).rename(home / NAME)


def copied(path: Path, folder: Path, name: str = NAME) -> Path:
    """Copy a workbook into a folder of the same name elsewhere."""
    home = folder / FOLDER
    home.mkdir(exist_ok=True)
    return Path(shutil.copy(path, home / name))


def named(workbook: Workbook, name: str) -> Cell:
    """Return the cell that a name stands for."""
    ((sheet, cell),) = workbook.defined_names[name].destinations
    target: Cell = workbook[sheet][cell.replace("$", "")]
    return target


def opened(path: Path) -> xw.Book:
    """Open a file with the file engine, which takes the results of the reference design as computed once."""
    book = open_file(path)
    book.app.engine.activate()
    if path.read_bytes() == shipped.reference_bytes():
        book.impl.package._known = dict(_computed())
    return book


@cache
def _computed() -> Mapping[Address, Scalar]:
    """Compute every formula of the workbook with the reference design, as the file engine does."""
    with tempfile.TemporaryDirectory() as folder:
        package = open_file(shipped.write_reference(Path(folder))).impl.package
        for title in package.titles:
            package.values(title, [*package.sheet(title).cells])
        return MappingProxyType(dict(package._known))


def type_in(book: xw.Book, name: str, value: object) -> None:
    """Type a value into the cell of a name of a workbook with the formulas of the reference design.

    The file engine forgets every result then; here it keeps those that do not read the cell, directly or not, but for
    those on added sheets.
    """
    package, target = book.impl.package, book.names[name].refers_to_range
    known = dict(package._known)
    target.value = value
    reached = _reached(Address(target.sheet.name, target.row, target.column))
    sheets = shipped.reference_cells().sheets
    package._known = {at: result for at, result in known.items() if at not in reached and at.sheet in sheets}


@cache
def _reached(typed: Address) -> frozenset[Address]:
    """Return the formulas of the reference design that read a cell, or read what reads it."""
    areas_with, readers = _readers()
    found, waiting = set[Address](), [typed]
    while waiting:
        for area in areas_with.get(waiting.pop(), ()):
            new = [at for at in readers[area] if at not in found]
            found.update(new)
            waiting += new
    return frozenset(found)


@cache
def _readers() -> tuple[Mapping[Address, list[Area]], Mapping[Area, list[Address]]]:
    """Return the areas that hold a cell, and the formulas that read an area."""
    of_workbook = shipped.reference_cells()
    areas_with, readers = defaultdict[Address, list[Area]](list), defaultdict[Area, list[Address]](list)
    for at in of_workbook.formulas():
        for area in areas(of_workbook, at):
            if area not in readers:
                for cell in cells_in(of_workbook, area):
                    areas_with[cell].append(area)
            readers[area].append(at)
    return areas_with, readers


def cells(book: xw.Book, title: str, sizing: SizingBook | None = None) -> dict[Address, Scalar]:
    """Return what a sheet shows: the values of constants, the results of formulas. `sizing`: the book as just read."""
    sizing = sizing or live.read(book)
    shown = sizing.stored.shown  # type: ignore[attr-defined]
    of_sheet = {a: value for a, value in sizing.cells.values.items() if a.sheet == title}
    return {a: value if sizing.cells.formula(a) is None else shown.get(a) for a, value in of_sheet.items()}


def as_shown(value: Scalar) -> Scalar:
    """Return a formula as applications show it: files prefix functions that are newer than the format."""
    return value.replace("_xlfn.", "") if isinstance(value, str) and value.startswith("=") else value


def state(book: xw.Book, sizing: SizingBook | None = None) -> dict[str, object]:
    """Return everything that a command may not change: other sheets, names, selection, calculation, protection.

    `sizing`: the book as just read.
    """
    sizing = sizing or live.read(book)
    results = {button.sheet for button in COMMANDS.values()}
    selected = book.selection
    return {
        "cells": {a: as_shown(value) for a, value in sizing.cells.values.items() if a.sheet not in results},
        "names": dict(sizing.cells.names),
        "sheets": [title for title in sizing.cells.sheets if title not in results],
        "active": book.sheets.active.name,
        "selection": selected.address if selected is not None else None,
        "calculation": book.app.calculation,
        "screen": book.app.screen_updating,
        "workbooks": sorted(opened.name for opened in book.app.books),
    }


def needed(command: str, copy: Path) -> dict[str, object]:
    """Return what a button asks for before its command runs: another copy of the workbook, files, a line."""
    answers: dict[str, object] = {"old": str(copy), "files": [measured()], "options": "hours 08:00-18:00"}
    return {each.parameter: answers[each.parameter] for each in COMMANDS[command].asks}


@cache
def measured() -> str:
    """Write what the tools of an estate wrote, once: twelve desktops, nine days; it goes when the tests end."""
    folder = Path(tempfile.mkdtemp(prefix="pilots-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return str(pilots.generic(folder / "pilots.csv", pilots.pilots(days=9)))


class Calc:
    """A separate Calc that listens on a pipe, as that of a user with the extension does."""

    def __init__(self, locale: str = "") -> None:
        self._home = Path(tempfile.mkdtemp(prefix="office-"))
        chosen = [("org.openoffice.Setup/L10N", "ooSetupSystemLocale", locale)] if locale else []
        application.write_profile(self._home, chosen)
        self.pipe = self._home.name
        options = [f"-env:UserInstallation={self._home.as_uri()}", "--headless", "--norestore", "--nologo"]
        self._process = subprocess.Popen(
            [soffice(), *options, f"--accept=pipe,name={self.pipe};urp;"],
            env=application.own_places(client.own_python(os.environ), self._home),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def app(self) -> xw.App:
        """Attach to it once it listens; skip the test where the bridge to it is missing."""
        for left in reversed(range(START_TRIES)):
            try:
                app = calc_engine.attach(self.pipe)
                app.engine.activate()
                return app
            except AddinError as error:
                if "python" in str(error).lower() and os.environ.get("CI", "").lower() != "true":
                    pytest.skip(str(error))
                if not left or self._process.poll() is not None:
                    raise
        raise AssertionError("unreachable")

    def kill(self) -> None:
        """End it as a crash does."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        application.sweep(self._home, self.pipe)
        shutil.rmtree(self._home, ignore_errors=True)


@contextmanager
def calc(locale: str = "") -> Iterator[Calc]:
    """Start a Calc, of a locale such as de-DE unless it is the machine's; end it afterwards."""
    office = Calc(locale)
    try:
        yield office
    finally:
        office.kill()
