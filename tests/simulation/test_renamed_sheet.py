"""Sheets under names of the user's own: found by the names of their cells, and the prices on them stay at home."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import openpyxl
import pytest

from addin.diff.lines import align
from addin.leaving.marks import as_shipped
from addin.live import front
from addin.results.sized import misses
from addin.simulation.assumed import figures
from addin.workbook.book import SizingBook, open_book
from addin.workbook.digests import as_built
from addin.xlsx import sheets
from addin.xlsx.package import read_parts, write_parts
from addin.xlsx.workbook_part import titles
from tests.support.file_samples import TEMPLATE
from tests.support.shell import Run

pytestmark = pytest.mark.slow
SECRETS = (84131.5, 84137.5, 84139.5)


def renamed(path: Path, original: Path = TEMPLATE) -> Path:
    write_parts(path, sheets.rename(read_parts(original), "Risk inputs", "Streuung"))
    return path


@pytest.fixture(scope="module")
def everything_renamed(tmp_path_factory: pytest.TempPathFactory) -> SizingBook:
    parts = read_parts(TEMPLATE)
    for title in titles(parts):
        parts = sheets.rename(parts, title, f"Blatt {title}")
    path = tmp_path_factory.mktemp("renamed") / "renamed.xlsx"
    write_parts(path, parts)
    return open_book(path)


def test_a_simulation_is_the_same(run: Run, tmp_path: Path) -> None:
    options = ["--trials", "1024", "--result", "arrays_required", "--json"]
    (code, first, _), (other, second, err) = (
        run("simulate", p, *options) for p in (TEMPLATE, renamed(tmp_path / "a.xlsx"))
    )
    assert (code, other, err) == (0, 0, "")
    assert json.loads(first)["results"] == json.loads(second)["results"]


def test_a_hand_off_without_prices_has_none_of_its_spreads(run: Run, tmp_path: Path) -> None:
    book = openpyxl.load_workbook(TEMPLATE)
    risk = book["Risk inputs"]
    row = next(row for row in range(5, 30) if risk.cell(row, 4).value == "array_price")
    for column, value in zip((5, 6, 7, 8), ("pert", *SECRETS), strict=True):
        risk.cell(row, column).value = value
    book.save(tmp_path / "typed.xlsx")
    path = renamed(tmp_path / "deal.xlsx", tmp_path / "typed.xlsx")
    assert run("handoff", path, "--live")[0] == 0
    files = [file for file in (tmp_path / "deal hand-off").iterdir() if file.suffix != ".pdf"]
    assert len(files) > 3
    for file in files:
        content = file.read_bytes()
        if file.suffix == ".xlsx":
            with zipfile.ZipFile(file) as package:
                content = b"".join(map(package.read, package.namelist()))
        assert [secret for secret in SECRETS if str(secret).encode() in content] == [], file.name


@pytest.mark.parametrize("wanted", ["assumed", "page", "measured", "version"])
def test_sheets_under_other_names_are_found(everything_renamed: SizingBook, wanted: str) -> None:
    book, before = everything_renamed, open_book(TEMPLATE)
    if wanted == "assumed":
        first, second = (tuple(figures(each, {}, as_shipped(each.cells))) for each in (before, book))
        assert len(first) > 5
        assert [(each.key, each.low, each.high) for each in first] == [(e.key, e.low, e.high) for e in second]
    elif wanted == "page":
        for block in (front.answer, front.years, front.logins):
            assert len(block(book).lines) == len(block(before).lines) > 0
        assert [chart.title for chart in front.year_charts(book)] == [c.title for c in front.year_charts(before)] != []
    elif wanted == "measured":
        assert list(misses(book)) == list(misses(before)) != []
    else:
        assert as_built(book.cells) == as_built(before.cells) != ""


def test_no_difference_is_a_renamed_sheet(everything_renamed: SizingBook) -> None:
    before = open_book(TEMPLATE)
    found = align(before.cells, everything_renamed.cells, frozenset()).sheets
    assert found == {title: f"Blatt {title}" for title in before.cells.sheets}
