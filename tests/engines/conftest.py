"""A private office for the tests of the engine on LibreOffice, one for each module."""

import shutil
from pathlib import Path

import pytest

import build
from addin.engines import libreoffice as engine
from tests.engines import libreoffice

TEMPLATE = Path(build.__file__).parent / "templates" / "vdi-storage-sizing.xlsx"


@pytest.fixture(scope="module")
def app():
    libreoffice.soffice()
    with engine.private_office() as app:
        yield app


@pytest.fixture
def book(app):
    with app.books.add() as book:
        yield book


@pytest.fixture
def sheet(book):
    return book.sheets[0]


@pytest.fixture
def sizing(app, tmp_path):
    path = Path(shutil.copy(TEMPLATE, tmp_path / "Müller = quote v2 (final).xlsx"))
    with app.books.open(path) as book:
        yield book
