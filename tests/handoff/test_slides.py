"""Slides: the workbook's own texts and figures, native charts whose workbooks hold no price, texts in their boxes."""

from __future__ import annotations

import html
import io
import re
import sys
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import copy as copied
from typing import Any

import pytest
from openpyxl import load_workbook

from addin.computing.kernel_engine import Once
from addin.errors import RequestError
from addin.kernel import Evaluator, evaluate_all
from addin.prices import without_prices
from addin.results import handoff
from addin.results.document import page as document
from addin.results.document.theme import Theme
from addin.results.slides import charts, deck, drawing, fitting
from addin.results.slides.presentation import presented
from addin.results.slides.records import Bars, Points, Slide
from addin.workbook.book import SizingBook, open_book
from tests.support.libreoffice import Word, pdf_pages_png, pdf_words, presentation_pdf
from tests.support.live_sets import SHIPPED
from tests.support.needed import package
from tests.support.shell import Run

SUBJECTS = ["ANSWER", "ALTERNATIVES", "WHAT LIMITS", "RISK"]
PRICED = ("array_price=103974", "support_ratio=0.12", "growth_per_year_ratio=10%", "desktops=2173")


@dataclass(frozen=True)
class Made:
    """The slides of a design with a price, the page of the same, and the workbook that they are of."""

    slides: bytes
    page: str
    book: SizingBook

    @property
    def read(self) -> list[Any]:
        """The slides as python-pptx reads them."""
        return list(presentation(self.slides).slides)


@pytest.fixture(autouse=True)
def pptx() -> None:
    package("pptx", "slides")


@pytest.fixture(scope="module")
def made() -> dict[bool, Made]:
    """With prices and without them."""
    package("pptx", "slides")
    book = open_book(SHIPPED)
    book = replace(book, cells=book.cells.with_values(book.settings(PRICED)))
    found = {}
    for prices in (True, False):
        given = book if prices else without_prices(book).book
        given = replace(given, engine=Once(evaluator=Evaluator(given.cells)))
        words = "Users: 2,173 desktops"
        page = html.unescape(document.page(given, book, document.HANDOFF, prices, Theme(), words))
        page = page.replace("\u00a0", " ")
        found[prices] = Made(presented(given, book, prices, Theme(), words), page, given)
    return found


def presentation(content: bytes) -> Any:
    from pptx import Presentation

    return Presentation(io.BytesIO(content))


def texts(slide: Any) -> list[str]:
    """Return every text of a slide, those of its tables and the titles of its charts too."""
    found = [shape.text_frame.text for shape in slide.shapes if shape.has_text_frame]
    found += [cell.text for shape in slide.shapes if shape.has_table for row in shape.table.rows for cell in row.cells]
    return [text for text in (*found, *(chart.chart_title.text_frame.text for chart in charts_of(slide))) if text]


def charts_of(slide: Any) -> list[Any]:
    return [shape.chart for shape in slide.shapes if shape.has_chart]


def numbers(text: str) -> set[str]:
    return set(re.findall(r"\d[\d,.]*\d|\d", text))


@pytest.mark.slow
def test_there_are_five_slides_and_each_has_a_title_that_says_what_it_shows(made: dict[bool, Made]) -> None:
    for prices, last in ((False, "WITHOUT PRICES"), (True, "COST")):
        found = [texts(slide) for slide in made[prices].read]
        assert [subject for each in found for subject in [*SUBJECTS, last] if subject in each] == [*SUBJECTS, last]
        assert all(slide.shapes.title.text_frame.text for slide in made[prices].read)
    answer = made[True].book.evaluate({}, ["arrays_required", "npv"])
    assert found[0][0] == f"{answer['arrays_required']:.0f} arrays of NetApp AFF8040 for 2,173 users"
    assert found[4][0].endswith(f": {answer['npv']:,.0f}\u00a0USD")
    assert "No simulation was run: how sure the design is, is not known" in found[3]
    assert "Users: 2,173 desktops" in found[0]  # changed for the slides, and they say so


@pytest.mark.slow
def test_every_number_of_a_slide_is_one_of_the_document(made: dict[bool, Made]) -> None:
    """Which a test reads against the workbook: no figure is computed or rounded in another way for the slides."""
    for each in made.values():
        known = numbers(re.sub(r"<[^>]+>", " ", each.page)) | set("1234567")  # places and years
        for slide in each.read:
            told = numbers(" ".join(texts(slide)).replace("\u00a0", " "))
            assert told - known == set(), texts(slide)[0]


@pytest.mark.slow
def test_charts_are_native_and_their_workbooks_hold_the_figures_of_the_workbook(
    made: dict[bool, Made],
) -> None:
    cells = {value for value in evaluate_all(made[True].book.cells).values() if isinstance(value, float)}
    drawn = [chart for slide in made[True].read for chart in charts_of(slide)]
    assert len(drawn) == 3
    for chart in drawn:
        sheet = load_workbook(io.BytesIO(chart.part.chart_workbook.xlsx_part.blob)).active
        assert sheet is not None
        (plot,) = chart.plots
        rows = list(sheet.iter_rows(values_only=True))
        assert [row[0] for row in rows[1:]] == list(plot.categories)
        assert list(rows[0][1:]) == [series.name for series in plot.series]
        for number, series in enumerate(plot.series, 1):
            pairs = list(zip((row[number] for row in rows[1:]), series.values, strict=True))
            assert [value is None for value, _ in pairs] == [value is None for _, value in pairs]
            assert all(value == pytest.approx(drawn, rel=1e-14) for value, drawn in pairs if drawn is not None)
            figures = [value for _, value in pairs if value is not None and series.name != "Other"]
            assert all(min(abs(value - cell) for cell in cells) <= 1e-9 * abs(value) for value in figures), series.name


@pytest.mark.slow
@pytest.mark.office
def test_texts_stay_in_their_boxes_as_libreoffice_draws_them(made: dict[bool, Made], tmp_path: Path) -> None:
    copies = [tmp_path / f"{name}.pptx" for name in ("without", "told", "spoilt")]
    for copy, prices in zip(copies, (False, True, True), strict=False):
        copy.write_bytes(made[prices].slides)
    spoilt = presentation(made[True].slides)
    tables = (shape for shape in spoilt.slides[0].shapes if shape.has_table)
    next(tables).table.cell(3, 1).text_frame.paragraphs[0].runs[0].text = "far longer than it has room for " * 9
    spoilt.save(str(copies[-1]))
    *pdfs, last = presentation_pdf(copies, tmp_path / "pdf")
    for pdf, prices in zip(pdfs, (False, True), strict=True):
        pages = pdf_words(pdf)
        assert len(pages) == 5
        for words, slide in zip(pages, made[prices].read, strict=True):
            assert overlapping(words) == []
            assert [
                word for word in words if word.bottom > drawing.HEIGHT or drawing._BOTTOM + 4 < word.bottom < 512
            ] == []
            shown = "".join(word.text for word in words)
            missing = [word for text in texts(slide) for word in text.split() if word not in shown]
            assert missing == []
    assert overlapping(pdf_words(last)[0]) != []  # the search finds a text that outgrows its box


def bars(picture: Path, chart: Any) -> list[int]:
    """Return how long the bars of a chart are in the picture of its slide, top down, in pixels of the first colour."""
    from PIL import Image

    page = Image.open(picture).convert("RGB")
    left, top, width, height = (round(side / 12700 * page.width / drawing.WIDTH) for side in _box(chart))
    rows = page.crop((left, top, left + width, top + height))
    near = rows.point([255 * (abs(level - of) < 25) for of in (31, 78, 121) for level in range(256)]).tobytes()
    step = 3 * rows.width
    lines = (near[at : at + step] for at in range(0, len(near), step))
    dark = [sum(line[x : x + 3] == b"\xff\xff\xff" for x in range(0, step, 3)) for line in lines]
    begins = [y for y in range(1, len(dark)) if dark[y] > 4 and dark[y - 1] <= 4]
    return [dark[y + 3] for y in begins if min(dark[y : y + 6]) > 4]  # of a letter there are fewer rows


def _box(chart: Any) -> tuple[int, int, int, int]:
    return chart.left, chart.top, chart.width, chart.height


@pytest.mark.slow
@pytest.mark.office
def test_bars_are_as_long_in_the_picture_as_their_figures_say(made: dict[bool, Made], tmp_path: Path) -> None:
    copies = [tmp_path / "slides.pptx", tmp_path / "spoilt.pptx"]
    copies[0].write_bytes(made[True].slides)
    spoilt = presentation(made[True].slides)
    (other,) = charts_of(spoilt.slides[2])
    (values,) = other.part._element.xpath(".//c:ser/c:val//c:pt[@idx='1']/c:v")
    values.text = str(float(values.text) * 1.2)
    spoilt.save(str(copies[1]))
    found = [pdf_pages_png(pdf, 144)[2] for pdf in presentation_pdf(copies, tmp_path / "pdf")]
    (chart,) = (shape for shape in made[True].read[2].shapes if shape.has_chart)
    (series,) = chart.chart.plots[0].series
    wanted = [value / series.values[0] for value in series.values]
    right, wrong = ([length / max(drawn) for length in drawn] for drawn in (bars(each, chart) for each in found))
    assert right == pytest.approx(wanted, abs=0.01)
    assert wrong != pytest.approx(wanted, abs=0.01)


def overlapping(words: list[Word]) -> list[tuple[str, str]]:
    """Return pairs of words of which one is drawn over the other."""
    return [
        (one.text, two.text)
        for number, one in enumerate(words)
        for two in words[number + 1 :]
        if min(one.right, two.right) - max(one.left, two.left) > 1
        and min(one.bottom, two.bottom) - max(one.top, two.top) > 0.3 * (one.bottom - one.top)
    ]


@pytest.mark.slow
def test_without_the_extra_one_line_says_what_to_install(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pptx", None)
    book = copied(SHIPPED, tmp_path / "book.xlsx")
    line = "error: --slides needs the package python-pptx. Install the extra: pip install -e '.[slides]'.\n"
    assert run("handoff", book, "--slides") == (2, "", line)
    assert [path.name for path in tmp_path.iterdir()] == ["book.xlsx"]


def test_a_logo_that_is_no_picture_is_one_line(tmp_path: Path) -> None:
    book = open_book(Path(copied(SHIPPED, tmp_path / "book.xlsx")))
    (tmp_path / "logo.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(60))
    (tmp_path / "theme.toml").write_text('logo = "logo.png"\n')
    with pytest.raises(RequestError, match=r"^--slides: the theme's logo is a PNG that cannot be read\. Save it anew"):
        handoff.write(book, wanted=handoff.Wanted(slides=True))
    assert not handoff.folder(book).exists()


def test_a_theme_gives_its_colours_and_a_logo_that_slides_cannot_show_is_named() -> None:
    theme = Theme(company="Example Ltd", logo="data:image/svg+xml;base64,AAAA", main="#7a1f4e", second="#0a6640")
    made = deck.deck([Slide("Answer", "Three arrays", [Points("Why", ["Because."])], [])], theme, "T", "A", "F")
    with zipfile.ZipFile(io.BytesIO(made)) as parts:
        colours = parts.read("ppt/theme/theme1.xml").decode()
        slide = parts.read("ppt/slides/slide1.xml").decode()
        assert {entry.date_time for entry in parts.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert b"dcterms" not in re.sub(rb'xmlns:\w+="[^"]*"', b"", parts.read("docProps/core.xml"))
    assert '<a:accent1><a:srgbClr val="7A1F4E"/></a:accent1><a:accent2><a:srgbClr val="0A6640"/>' in colours
    assert "Example Ltd" in slide
    assert 'srgbClr val="7A1F4E"' not in slide  # a slide that is pasted elsewhere takes the colours there
    assert deck.note(theme) == deck.SVG_LOGO
    assert deck.note(Theme()) == ""


def test_a_name_that_looks_like_a_formula_is_a_name_in_the_workbook_of_a_chart() -> None:
    part = Bars("", "", ["=HYPERLINK(1)", "https://example.org/" + "x" * 300], [("+1+1", [1.0, 2.0])])
    sheet = load_workbook(io.BytesIO(charts._workbook(part))).active
    assert sheet is not None
    assert [(sheet[at].value, sheet[at].data_type) for at in ("A2", "B1")] == [("=HYPERLINK(1)", "s"), ("+1+1", "s")]
    assert sheet["A3"].hyperlink is None


@pytest.mark.parametrize(
    ("text", "room", "count"),
    [("ten digits", 1000, 1), ("0123456789 0123456789", 60, 2), ("0" * 40, 60, 4), ("", 60, 1)],
)
def test_lines_are_counted_by_the_widths_of_letters(text: str, room: float, count: int) -> None:
    """Calibri's digits are 0.507 of the size wide, here 0.55: ten of 10 points take 55."""
    assert fitting.lines(text, room, 10) == count


def test_what_does_not_fit_says_where_the_rest_is() -> None:
    items = [f"sentence {number}" for number in range(1, 9)]
    some, size = fitting.kept(items, (200, 62), (14, 10), 0, "{} more in design.html.")
    assert (some, size) == ([*items[:4], "4 more in design.html."], 10)
    (cut,), _ = fitting.kept(["word " * 200], (200, 25), (10,), 0, "{} more")
    assert cut.startswith("word word")
    assert cut.endswith("\u2026")
    assert fitting.size_for([cut], (200, 25), (10,)) == 10
