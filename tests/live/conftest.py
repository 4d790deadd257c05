"""The page of the shipped workbook, made once, and what its formulas are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from addin.live import page
from addin.workbook.book import open_book
from tests.support.browser import Browser
from tests.support.javascript import program_of

SHIPPED = Path(__file__).parents[2] / "templates" / "vdi-storage-sizing.xlsx"


@pytest.fixture(scope="session")
def book():
    return open_book(SHIPPED)


@pytest.fixture(scope="session")
def live(book):
    return page(book, prices=True)


@pytest.fixture(scope="session")
def live_file(live, tmp_path_factory):
    path = tmp_path_factory.mktemp("live") / "page.html"
    path.write_bytes(live)
    return path


@pytest.fixture(scope="session")
def program(live):
    return program_of(live.decode())


@pytest.fixture(scope="module")
def browser():
    with Browser() as opened:
        yield opened


@pytest.fixture
def shown(browser, live_file):
    opened = browser.open(live_file.as_uri())
    opened.wait_for("document.body.classList.contains('live')")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def kept(browser, live_file):
    opened = browser.open(live_file.as_uri())
    opened.wait_for("document.body.classList.contains('live')")
    return opened


@pytest.fixture
def again(kept):
    """The page that several tests look at, each with the saved design, groups closed, and a wide window."""
    kept.send("Page.bringToFront")  # behind another page nothing is drawn
    kept.resize(1280)
    kept.evaluate("document.querySelectorAll('details').forEach(each => { each.open = false; })")
    kept.evaluate("document.getElementById('reset').click()")
    kept.settle()
    return kept
