"""The workbook as people meet it: printed page by page, and opened in a real window."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import pytest

import build
from addin.engines.office import application
from model.layout.grid import ANSWER, INPUT_SHEETS
from model.sheets.front.sign_off import SIGNED_BY
from model.workbook import PACK
from tests.support import libreoffice, needed

pytestmark = pytest.mark.office

BOOK = Path(build.__file__).parent / "templates" / "vdi-storage-sizing.xlsx"
WINDOW_S = 90


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return libreoffice.pdf_text(libreoffice.to_pdf(BOOK, tmp_path_factory.mktemp("print")))


def test_no_page_shows_a_cut_number_or_an_error(pages: list[str]) -> None:
    faults = ("###", "Err:", "#N/A", "#VALUE!", "#REF!", "#NAME?", "#DIV/0!", "#NUM!")
    assert [(number, fault) for number, page in enumerate(pages, 1) for fault in faults if fault in page] == []


def test_every_tab_prints_and_no_page_is_empty(pages: list[str]) -> None:
    assert 30 <= len(pages) <= 190  # 190 today: a sheet that outgrows its page width doubles its pages
    assert all(len(page.split()) > 20 for page in pages)
    footers = " ".join(page[-300:] for page in pages)
    for tab in ("Inputs", "Summary", "Evidence", "Checks", "About", "Capacity", "Sizing"):
        assert tab in footers


PACK_PAGES = {ANSWER: 1, **dict.fromkeys(INPUT_SHEETS, 2), "My arrays": 2, "Compare": 1, "Cost review": 2}
MOST_PAGES, LEAST_POINTS = 10, 6.2  # help is the smallest; labels and figures are a tenth larger
PAPERS = {"A4": b'paperSize="9"', "Letter": b'paperSize="1"'}


@pytest.mark.parametrize("paper", PAPERS)
def test_the_pack_for_a_customer_is_short_and_legible_on_either_paper(tmp_path: Path, paper: str) -> None:
    """Answer and the sheets that carry the customer's name, one after the other, with nothing between them."""
    book = _on_paper(paper, tmp_path)
    pdf = libreoffice.to_pdf(book, tmp_path / "print")
    printed = [page.rstrip().rpartition("\n")[2] for page in libreoffice.pdf_text(pdf)]  # the footer
    tabs = (ANSWER, *PACK)
    pages = {tab: [n for n, footer in enumerate(printed) if _tab_of(footer) == tab] for tab in tabs}
    assert PACK_PAGES.items() <= {tab: len(numbers) for tab, numbers in pages.items()}.items()
    assert sum(map(len, pages.values())) <= MOST_PAGES
    letters = libreoffice.pdf_letters(pdf)
    small = {tab: min(letters[n] for n in numbers) for tab, numbers in pages.items()}
    assert {tab: points for tab, points in small.items() if points < LEAST_POINTS} == {}


@pytest.mark.parametrize("paper", PAPERS)
def test_cost_review_ends_with_a_sign_off_on_one_page_and_hand_off_is_legible(tmp_path: Path, paper: str) -> None:
    pdf = libreoffice.to_pdf(_on_paper(paper, tmp_path), tmp_path / "print")
    texts, letters = libreoffice.pdf_text(pdf), libreoffice.pdf_letters(pdf)
    tabs = [_tab_of(text.rstrip().rpartition("\n")[2]) for text in texts]
    cost, agreed = ([n for n, tab in enumerate(tabs) if tab == name] for name in ("Cost review", "Hand-off"))
    assert [all(word in texts[n] for word in ("Sign-off", *SIGNED_BY)) for n in cost] == [False, True]
    assert "Rollback" in texts[agreed[0]]
    assert "Figures to monitor" in texts[agreed[1]]
    assert len(agreed) == 2
    assert min(letters[n] for n in (*cost, *agreed)) >= LEAST_POINTS


def _on_paper(paper: str, folder: Path) -> Path:
    """Return a copy of the workbook in which every sheet of A4 is printed on a paper."""
    copy = folder / BOOK.name
    with zipfile.ZipFile(BOOK) as whole, zipfile.ZipFile(copy, "w") as changed:
        for name in whole.namelist():
            part = whole.read(name)
            if name.startswith("xl/worksheets/sheet"):
                part = part.replace(PAPERS["A4"], PAPERS[paper])
            changed.writestr(name, part)
    return copy


def _tab_of(footer: str) -> str:
    """Return the tab that a footer names between the build and the page."""
    return re.sub(r"^.*, as built \w+\s+|\s+Page \d+ of \d+$", "", footer)


def test_the_summary_page_draws_its_charts(pages: list[str]) -> None:
    page = next(page for page in pages if "IOPS demanded and served" in page)
    for text in ("arrays each constraint needs", "capacity in GiB", "Usable in the design"):
        assert text in page


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a window without a screen needs Xvfb: Linux only")
def test_the_workbook_opens_in_a_window_under_its_own_name(tmp_path: Path) -> None:
    command, virtual = libreoffice.soffice(), needed.program("xvfb-run", "Xvfb (xvfb-run)")
    search = needed.program("xdotool", "xdotool")
    copy = Path(shutil.copy(BOOK, tmp_path / "Acme quote v2 (final).xlsx"))
    with tempfile.TemporaryDirectory(prefix="office-", ignore_cleanup_errors=True) as profile:
        application.write_profile(Path(profile))
        start = f"{command} -env:UserInstallation={Path(profile).as_uri()} --norestore --nologo --calc '{copy}'"
        watch = f"({start} &) ; {search} search --sync --onlyvisible --name 'Acme quote v2' | head -1"
        process = subprocess.Popen(
            [virtual, "-a", "bash", "-c", watch], stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        try:
            output, _ = process.communicate(timeout=WINDOW_S)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    assert output.split(), "no window named after the file came up"
