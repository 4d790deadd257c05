"""LibreOffice as a judge: recalculate workbooks, print them, look at the pages.

Every call starts a private office with its own profile, so that tests may run side by side and an open office is left
alone.
"""

import html
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from openpyxl.workbook import Workbook

from addin.engines.office import application
from addin.engines.office.recompute import stored_values
from tests.support.needed import missing, program

_WORD = re.compile(r'<word xMin="[^"]*" yMin="([^"]*)" xMax="[^"]*" yMax="([^"]*)"')
_WORDS = re.compile(r'<word xMin="([^"]*)" yMin="([^"]*)" xMax="([^"]*)" yMax="([^"]*)">(.*?)</word>')
LINE_EM = 1.22  # ascent and descent of Carlito, which stands in for Calibri


class Word(NamedTuple):
    """A word that is drawn, with the box of its line."""

    left: float
    top: float
    right: float
    bottom: float
    text: str


def soffice() -> str:
    """Return the command, or skip the test when LibreOffice is not installed; on CI that is a failure."""
    return program("soffice", "LibreOffice (soffice)")


def recalculate(paths: Sequence[Path], out: Path) -> dict[Path, Workbook]:
    """Recalculate workbooks in one run of the office and return what it found, as openpyxl workbooks of values.

    The recalculated copies stay in the folder `out`, under their own names, which must differ from each other.
    """
    converted = _convert(paths, out, application.XLSX)
    return {path: stored_values(copy) for path, copy in zip(paths, converted, strict=True)}


def to_pdf(path: Path, out: Path) -> Path:
    """Print a workbook to PDF into the folder `out` and return the file."""
    return _convert([path], out, application.PDF)[0]


def presentation_pdf(paths: Sequence[Path], out: Path) -> list[Path]:
    """Print presentations to PDF in one run of the office, which may be installed without what reads them."""
    if not (Path(soffice()).resolve().parent / "simpress").is_file():
        missing("LibreOffice Impress")
    return _convert(paths, out, "pdf:impress_pdf_Export")


def pdf_words(pdf: Path) -> list[list[Word]]:
    """Return the words of every page with their places in points, from the left and the top."""
    drawn = application.run([program("pdftotext", "poppler (pdftotext)"), "-bbox", str(pdf), "-"])
    pages = (_WORDS.findall(page) for page in drawn.split("<page ")[1:])
    return [
        [Word(float(left), float(top), float(right), float(bottom), html.unescape(text))
         for left, top, right, bottom, text in page]
        for page in pages
    ]  # fmt: skip


def pdf_pages_png(pdf: Path, dpi: int = 100) -> list[Path]:
    """Draw every page of a PDF beside it and return the pictures in page order."""
    application.run(
        [program("pdftoppm", "poppler (pdftoppm)"), "-png", "-r", str(dpi), str(pdf), str(pdf.with_suffix(""))]
    )
    return sorted(pdf.parent.glob(f"{pdf.stem}-*.png"))


def pdf_text(pdf: Path) -> list[str]:
    """Return the text of every page, laid out as it is printed."""
    printed = application.run([program("pdftotext", "poppler (pdftotext)"), "-layout", str(pdf), "-"])
    return printed.removesuffix("\f").split("\f")


def pdf_letters(pdf: Path) -> list[float]:
    """Return the size of the smallest letters on every page, in points: a word is as high as its line."""
    drawn = application.run([program("pdftotext", "poppler (pdftotext)"), "-bbox", str(pdf), "-"])
    pages = drawn.split("<page ")[1:]
    heights = [[float(low) - float(high) for high, low in _WORD.findall(page)] for page in pages]
    return [min(page, default=0.0) / LINE_EM for page in heights]


def _convert(paths: Sequence[Path], out: Path, target: str) -> list[Path]:
    soffice()
    names = [path.name for path in paths]
    assert len(set(names)) == len(names), f"two workbooks share a name: {sorted(names)}"
    return application.convert(paths, out, target)
