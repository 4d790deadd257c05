"""A private office for the tests of the engine on LibreOffice, one for each module; workbooks for those on files."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import xlwings as xw

import build
from addin.engines import calc as engine
from tests.support import file_samples, libreoffice

TEMPLATE = Path(build.__file__).parent / "templates" / "vdi-storage-sizing.xlsx"


@pytest.fixture(scope="module")
def app() -> Iterator[xw.App]:
    libreoffice.soffice()
    with engine.private_office() as app:
        yield app


@pytest.fixture
def book(app: xw.App) -> Iterator[xw.Book]:
    with app.books.add() as book:
        yield book


@pytest.fixture
def sheet(book: xw.Book) -> xw.Sheet:
    return book.sheets[0]


@pytest.fixture
def sizing(app: xw.App, tmp_path: Path) -> Iterator[xw.Book]:
    path = Path(shutil.copy(TEMPLATE, tmp_path / "Müller = quote v2 (final).xlsx"))
    with app.books.open(path) as book:
        yield book


@pytest.fixture
def template(tmp_path: Path) -> Path:
    return file_samples.as_built(tmp_path)


@pytest.fixture
def excel(tmp_path: Path) -> Path:
    return file_samples.as_excel(tmp_path)


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    return file_samples.foreign(tmp_path)
