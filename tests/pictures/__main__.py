"""Make the pictures of the documentation from what is built: Summary as printed, the ribbon as drawn, Calc as seen.

Run: python -m tests.pictures [name ...]
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
import time
from pathlib import Path
from xml.etree import ElementTree

from PIL import Image, ImageChops, ImageDraw, ImageFont, ImageOps

from addin.engines.calc import default_pipe
from addin.hosts.ribbon.icons import icons
from addin.hosts.ribbon.tab import tab as ribbon_tab
from addin.results import list_sheets, risk_sheet, table_sheets
from addin.running import launch
from tests.support.calc_window import NAME, ROOT, USER, Calc, attached, opened_calc, until
from tests.support.libreoffice import pdf_pages_png, pdf_text, to_pdf

HERE = Path(__file__).parent
UI = "{http://schemas.microsoft.com/office/2006/01/customui}"
INK, GREY, PALE, WHITE = "#262626", "#767676", "#d0d0d0", "#ffffff"
EDGE = 8  # pixels of white around a page
LONG = 60_000_000  # trials: long enough to be seen at work


def answer() -> None:
    """The page of the sheet Answer as it is printed, without margins and footer."""
    with tempfile.TemporaryDirectory() as folder:
        pdf = to_pdf(ROOT / "templates" / "vdi-storage-sizing.xlsx", Path(folder))
        number = next(n for n, text in enumerate(pdf_text(pdf)) if "START HERE" in text)
        page = Image.open(pdf_pages_png(pdf, 130)[number]).convert("RGB")
    page = page.crop((0, 0, page.width, page.height * 94 // 100))
    drawn = ImageChops.difference(page, Image.new("RGB", page.size, WHITE)).getbbox()
    assert drawn is not None
    ImageOps.expand(page.crop(drawn), EDGE, WHITE).save(HERE / "answer.png", optimize=True)


def ribbon() -> None:
    """The tab as Excel is to show it: groups, pictures and labels of addin/buttons.py in their order."""
    text, small = (ImageFont.truetype("Carlito-Regular.ttf", size) for size in (15, 13))
    image = Image.new("RGB", (1000, 150), WHITE)
    draw, left, pictures = ImageDraw.Draw(image), 14, icons(2)
    tab = next(ElementTree.fromstring(ribbon_tab().encode()).iter(f"{UI}tab"))
    draw.text((left, 8), tab.attrib["label"], INK, text)
    draw.line((left, 29, left + text.getlength(tab.attrib["label"]), 29), "#217346", 3)
    for group in tab.iter(f"{UI}group"):
        start = left
        for button in group.iter(f"{UI}button"):
            words = button.attrib["label"].split(" ")
            lines = [words[0], " ".join(words[1:])]
            width = max(56, max(int(text.getlength(line)) for line in lines) + 16)
            with Image.open(io.BytesIO(pictures[button.attrib["image"]])) as picture:
                image.paste(picture, (left + (width - picture.width) // 2, 44), picture)
            for n, line in enumerate(lines):
                draw.text((left + width / 2, 88 + 15 * n), line, INK, text, anchor="mm")
            left += width
        draw.text(((start + left) / 2, 132), group.attrib["label"], GREY, small, anchor="mm")
        draw.line((left + 4, 42, left + 4, 138), PALE)
        left += 10
    image.crop((0, 0, left + 6, 150)).save(HERE / "ribbon.png", optimize=True)


def calc() -> None:
    """Calc after Compare arrays, during and after Monte Carlo, after Explain this cell."""
    os.environ["USER"] = USER
    with opened_calc() as window:
        _shown(window, "compare", table_sheets.COMPARED, "calc")
        _at_work(window)
        _shown(window, "simulate", risk_sheet.TITLE, "risk")
        app = attached()
        app.books[NAME].sheets["Summary"].range("D7").select()
        _shown(window, "explain", list_sheets.EXPLAINED, "explanation")
        app.quit()


def _shown(window: Calc, command: str, sheet: str, picture: str) -> None:
    """Press a button, bring its sheet to the front and keep the picture."""
    window.press(command)
    book = until(attached).books[NAME]
    until(lambda: sheet in [worksheet.name for worksheet in book.sheets])
    until(lambda: not window.running())
    time.sleep(5)  # the last words leave the status bar
    book.sheets[sheet].activate()
    time.sleep(2)
    window.screen.save(HERE / f"{picture}.png")


def _at_work(window: Calc) -> None:
    """Keep the picture of a simulation at work, then cancel it."""
    until(attached).books[NAME].sheets["Summary"].activate()
    launch.start("simulate", "libreoffice", NAME, default_pipe(), [f"--trials={LONG}"])
    time.sleep(12)
    window.screen.save(HERE / "progress.png")
    launch.cancel("libreoffice")
    time.sleep(12)


PICTURES = {"answer": answer, "ribbon": ribbon, "calc": calc}

if __name__ == "__main__":
    for name in sys.argv[1:] or PICTURES:
        PICTURES[name]()
