"""A result sheet knows the inputs that it was computed for: LibreOffice counts those that differ."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from addin import commands
from addin.buttons import COMMANDS
from addin.engines import calc
from addin.engines.office.application import XLSX, convert
from addin.kernel import Address
from addin.results import applying
from addin.results.page import STATE_ROW
from addin.simulation import risk
from addin.workbook import reads
from addin.workbook.book import open_book
from tests.support import libreoffice, opened

pytestmark = [pytest.mark.office, pytest.mark.slow]

SHEETS = {name: button.sheet for name, button in COMMANDS.items() if button.sheet}


def states(path: Path) -> dict[str, str]:
    """Return what each result sheet of a file says of its inputs, as the file stores it."""
    book = openpyxl.load_workbook(path, data_only=True)
    said = {name: str(book[sheet].cell(STATE_ROW, 1).value) for name, sheet in SHEETS.items() if sheet in book}
    return {name: text.partition("; ")[2] for name, text in said.items()}


def recomputed(path: Path, folder: Path, changes: dict[Address, object]) -> tuple[dict[str, str], dict[str, str]]:
    """Return what the sheets say once LibreOffice has computed a copy, and another in which some cells are changed."""
    libreoffice.soffice()
    book = openpyxl.load_workbook(path)  # which keeps no result: what comes back was computed
    book.save(folder / "same.xlsx")
    for at, value in changes.items():
        book[at.sheet].cell(at.row, at.column).value = value
    book.save(folder / "changed.xlsx")
    same, changed = convert([folder / "same.xlsx", folder / "changed.xlsx"], folder / "out", XLSX)
    return states(same), states(changed)


def test_every_sheet_counts_the_inputs_that_its_run_has_read(
    original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(applying, "made", lambda *_: {"a": b""})  # the copy is looked at in test_measure_button.py
    path = opened.copied(original, tmp_path)
    book = opened.opened(path)
    few: dict[str, object] = {"trials": 1024}
    arguments: dict[str, dict[str, object]] = {
        "explain": {"name": "arrays_required"},
        "simulate": few,
        "sensitivity": few,
        "decide": few,
    }
    for name in SHEETS:
        getattr(commands, name)(book, **arguments.get(name, opened.needed(name, original)))
    book.save()
    assert states(path) == dict.fromkeys(SHEETS, "current")
    read = open_book(path)
    desktops, arrays = read.inputs["desktops"], read.results["arrays_required"].address
    blank = next(at for at in reads.typed(read).blank if at not in reads.typed(read, behind=arrays).blank)
    of_risk = next(each for each in risk.reads(read).filled if isinstance(each.value, float))
    what_if = desktops.beside._replace(column=desktops.beside.column + 1)
    changed: dict[Address, object] = {
        desktops.address: 3210,
        blank: 1,
        of_risk.address: float(str(of_risk.value)) + 1,
    }
    expected = dict.fromkeys(SHEETS, "2 inputs changed: run again")
    of_desktops = ("explain", "measure")  # the blank one stands neither behind the number of arrays nor the demand
    expected |= dict.fromkeys(of_desktops, "1 input changed: run again")
    expected |= dict.fromkeys(
        ("simulate", "sensitivity", "decide", "assumed", "scenarios"), "3 inputs changed: run again"
    )
    same, told = recomputed(path, tmp_path, {**changed, what_if: 777})
    assert (same, told) == (dict.fromkeys(SHEETS, "current"), expected)


def test_calc_counts_them_too_without_a_link_to_another_file(original: Path, tmp_path: Path) -> None:
    path = opened.copied(original, tmp_path)
    libreoffice.soffice()
    with calc.private_office() as app:
        app.activate()
        book = app.books.open(str(path))
        commands.compare(book)
        state = book.sheets[SHEETS["compare"]].range((STATE_ROW, 1))
        assert str(state.value).endswith("; current")
        book.names["In_desktops"].refers_to_range.value = 3210
        assert str(state.value).endswith("; 1 input changed: run again")
        book.save()
    assert states(path) == {"compare": "1 input changed: run again"}
    assert not openpyxl.load_workbook(path)._external_links
