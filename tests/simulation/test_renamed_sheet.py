"""The sheet Risk inputs under a name of the user's own: found by its run settings, and its prices stay at home."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import openpyxl
import pytest

from addin.xlsx import sheets
from addin.xlsx.package import read_parts, write_parts
from tests.support.file_samples import TEMPLATE
from tests.support.shell import Run

pytestmark = pytest.mark.slow
SECRETS = (84131.5, 84137.5, 84139.5)


def renamed(path: Path, original: Path = TEMPLATE) -> Path:
    write_parts(path, sheets.rename(read_parts(original), "Risk inputs", "Streuung"))
    return path


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
