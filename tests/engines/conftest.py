"""A private office for the tests of the engine on LibreOffice, one for each module; workbooks for those on files."""

import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import xlwings as xw

import build
from addin.engines import calc as engine
from addin.errors import AddinError
from tests.support import file_samples, libreoffice

TEMPLATE = Path(build.__file__).parent / "templates" / "vdi-storage-sizing.xlsx"


@pytest.fixture(scope="module")
def offices() -> Iterator[list[xw.App]]:
    """The offices that a module has started: the last one is in use, those before it were lost."""
    started: list[xw.App] = []
    yield started
    for office in started:
        with suppress(AddinError):
            office.quit()


@pytest.fixture
def app(offices: list[xw.App]) -> xw.App:
    """The office of the module; another one where a test before has lost it: that test fails, not those behind it."""
    libreoffice.soffice()
    try:
        len(offices[-1].books)
    except (IndexError, AddinError):
        offices.append(engine.register().apps.add(add_book=False))
    return offices[-1]


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
