"""The document in a browser: one request, its policy kept, narrow screens, accessibility, names as text."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from pathlib import Path

import pytest

from addin.errors import RequestError
from addin.kernel import Address
from addin.prices import without_prices
from addin.results import handoff
from addin.results.document import page as document
from addin.results.document.reading import Reading
from addin.results.document.theme import Theme
from addin.results.risk_sheet import is_sealed
from addin.results.slides.content import Source, slides
from addin.results.slides.records import Bars
from addin.workbook.book import SizingBook, open_book
from tests.handoff.conftest import HOSTILE, Deal
from tests.support.axe import violations
from tests.support.browser import Browser
from tests.support.libreoffice import Word, pdf_text, pdf_words
from tests.support.needed import package
from tests.support.one_sheet import one_sheet
from tests.support.shell import Run

pytestmark = pytest.mark.slow
CHAPTERS = (
    *("In short", "Answer", "Scope and exclusions", "Requirements and demand", "Design and bill of materials"),
    *("Load phase by phase, latency", "Storms in time", "After one failure", "Alternatives for the same load"),
    *("Every input and where it comes from", "Assumptions and open questions", "Acceptance tests"),
    *("Checks and revisions", "Appendix: where the papers contradict themselves, and what differs"),
)


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("told", [False, True])
def test_a_browser_asks_for_nothing_and_complains_of_nothing(
    deal: Deal, browser: Browser, width: int, told: bool
) -> None:
    path = (deal.told if told else deal.without) / handoff.DOCUMENT
    shown = browser.open(path.as_uri(), width=width)
    assert shown.requests == [path.as_uri()]
    assert shown.console == []
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(shown) == []
    shown.close()


def test_a_name_that_looks_like_a_page_is_shown_as_text(deal: Deal, browser: Browser) -> None:
    shown = browser.open((deal.without / handoff.DOCUMENT).as_uri())
    assert shown.evaluate("document.title") == HOSTILE["Doc_project"]
    assert shown.evaluate("document.querySelector('h1').innerText") == HOSTILE["Doc_project"]
    assert HOSTILE["Doc_customer"] in shown.evaluate("document.querySelector('header').innerText")
    assert shown.evaluate("document.scripts.length + document.images.length") == 0
    shown.close()


def test_every_link_of_the_contents_arrives(deal: Deal, browser: Browser) -> None:
    shown = browser.open((deal.without / handoff.DOCUMENT).as_uri())
    missing = shown.evaluate(
        "[...document.querySelectorAll('nav a')].filter(a => !document.querySelector(a.getAttribute('href'))).length"
    )
    assert missing == 0
    assert shown.evaluate("document.querySelectorAll('nav a').length") >= len(CHAPTERS)
    shown.close()


def test_the_page_is_valid_html(deal: Deal) -> None:
    package("justhtml", "test")
    from justhtml import JustHTML

    for folder in (deal.without, deal.told):
        text = (folder / handoff.DOCUMENT).read_text(encoding="utf-8")
        assert JustHTML(text, strict=True).errors == []
        assert " style=" not in text
        assert "<script" not in text


def test_the_printed_document_has_every_chapter_and_names_itself(deal: Deal) -> None:
    pages = pdf_text(deal.without / handoff.PRINTED)
    text = " ".join(" ".join(pages).split())
    for title in CHAPTERS:
        assert title in text
    for number, page in enumerate(pages, 1):
        assert f"{number} / {len(pages)}" in page
        assert "as built" in page


HIGH, HEAD, FOOT = 841.9, 56.7, 51.0  # points of an A4 page, and of its margins above and below


@pytest.mark.parametrize("told", [False, True])
def test_pages_are_full_and_no_heading_stands_apart_from_its_table(deal: Deal, told: bool) -> None:
    folder = deal.told if told else deal.without
    page = (folder / handoff.DOCUMENT).read_text(encoding="utf-8")
    chapters = {plain(text) for text in re.findall(r"<h2 id[^>]*>(.*?)</h2>", page)}
    heads = chapters | {plain(text) for text in re.findall(r"<h3>(.*?)</h3>", page)}
    tables = re.findall(r"<thead>(.*?)</thead>\s*<tbody>(.*?)</tbody>", page, re.DOTALL)
    heads |= {plain(head) for head, rows in tables if plain(rows)}  # rows to fill in have lines, no text
    pages = [lines_of(words) for words in pdf_words(folder / handoff.PRINTED)]
    last = next((number for number, lines in enumerate(pages) if "Appendix:" in lines[0][1]), len(pages))
    filled = [(lines[-1][0] - HEAD) / (HIGH - HEAD - FOOT) for lines in pages]
    assert [number for number, share in enumerate(filled[: last - 1], 1) if share < 0.6] == []
    assert [lines[-1][1] for lines in pages[: last - 1] if lines[-1][1] in heads] == []
    texts = [[text for _, text in lines] for lines in pages]
    assert [text for lines in texts for text in lines[-4:] if text in chapters] == []  # a chapter has more


def test_a_text_in_a_picture_is_printed_once_and_whole(deal: Deal) -> None:
    """A search in the PDF finds it, and a copy has it once: a stroke around letters makes two texts of one."""
    page = (deal.without / handoff.DOCUMENT).read_text(encoding="utf-8")
    printed = " ".join(" ".join(pdf_text(deal.without / handoff.PRINTED)).split())
    drawn = {plain(text) for text in re.findall(r"<text[^>]*>(.*?)</text>", page)}
    assert len(drawn) > 30
    assert [text for text in sorted(drawn) if " ".join(text.split()) not in printed] == []


def lines_of(words: list[Word]) -> list[tuple[float, str]]:
    """Return the lines of a page between its margins, each with where it ends, from the top."""
    body = [word for word in words if word.top > HEAD - 6 and word.bottom < HIGH - FOOT]
    lines: dict[int, list[Word]] = {}
    for word in body:
        lines.setdefault(round(word.bottom / 3), []).append(word)
    in_order = (sorted(lines[at], key=lambda word: word.left) for at in sorted(lines))
    return [(max(word.bottom for word in line), " ".join(word.text for word in line)) for line in in_order]


def plain(marked: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", marked)).split())


def test_the_same_workbook_gives_the_same_bytes(deal: Deal) -> None:
    told = without_prices(deal.book)
    left = (*told.remarks, "Left out, parts of the file: 1 xl/comments/comment, 1 xl/drawings/commentsDrawing.")
    made = document.page(told.book, deal.book, document.HANDOFF, False, Theme(), left=left)
    assert made == (deal.without / handoff.DOCUMENT).read_text(encoding="utf-8")


@pytest.mark.parametrize("role", sorted(document.ROLES))
def test_a_role_has_its_chapters_and_says_which_it_leaves_out(deal: Deal, role: str) -> None:
    made = document.page(without_prices(deal.book).book, deal.book, role, False, Theme())
    found = re.findall(r'<section id="([\w-]+)"', made)
    assert set(found) == document.ROLES[role] - {
        "risk",
        "why",
    }  # neither Monte Carlo nor Decide was run on this workbook
    numbers = re.findall(r'<span class="number">(\d+)</span>', made)
    assert numbers == [str(n) for n in range(1, len(found) + 1)]
    assert "Not in this document:" in made


def test_an_unknown_role_is_one_line(deal: Deal) -> None:
    with pytest.raises(RequestError, match=r"--role sales: expected one of proposal, cost, handoff\. Choose one\."):
        handoff.write(deal.book, wanted=handoff.Wanted(role="sales"))


def test_every_input_has_a_status_and_a_source(deal: Deal) -> None:
    text = (deal.told / handoff.DOCUMENT).read_text(encoding="utf-8")
    table = text[text.index("<caption>Inputs of the base design</caption>") :]
    rows = re.findall(r"<tr>(.*?)</tr>", table[: table.index("</table>")])[1:]
    cells = [[html.unescape(each) for each in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)] for row in rows]
    assert len(cells) == len(deal.book.inputs) - 3  # but for three that only choose what a sheet shows
    for label, value, status, source in cells:
        assert status in ("user", "published", "derived", "assumed", "measured", "blank"), label
        assert value
        assert source
    by_label = {cell[0]: cell for cell in cells}
    assert by_label["Users"][1:] == [
        "2,173\u00a0desktops",
        "user",
        "typed for this design; the workbook ships with 1,500\u00a0desktops",
    ]
    assert by_label["Free space kept on array or cloud share"][2] == "published"
    assert "EQL" in by_label["Free space kept on array or cloud share"][3]
    assert by_label["Planned maximum utilisation"][2] == "assumed"


def test_acceptance_tests_are_the_numbers_of_the_design(deal: Deal) -> None:
    text = html.unescape((deal.without / handoff.DOCUMENT).read_text(encoding="utf-8")).replace("\u00a0", " ")
    values = deal.book.evaluate({}, ["boot_minutes", "login_iops", "ask_iops"])
    numbers = [value for value in values.values() if isinstance(value, float)]
    assert f"at most {numbers[0]:.3g} min" in text
    assert f"mean latency at {numbers[1]:,.0f} IOPS" in text
    assert "--bs=16k --direct=1" in text
    looks, fills, loads = [line for line in text.splitlines() if "fio --name=" in line][:3]
    assert "--readonly" in looks
    assert "OVERWRITES" not in looks
    assert all(line.endswith("OVERWRITES VOLUME") for line in (fills, loads.removesuffix("</pre>")))
    rates = re.findall(r"--rate_iops=(\d+),(\d+)", loads)
    assert sum(map(int, rates[0])) * 4 == pytest.approx(numbers[2], abs=8)  # of four jobs, each rounded up
    assert f"# {numbers[2]:,.0f} IOPS in all" in text
    for line in (fills, loads):
        assert "--dedupe_percentage=0 --buffer_compress_percentage=0" in line
    assert "Nothing to deduplicate or to compress: the data are random" in text
    assert "Preconditioning: filled once, and the first 300 s of the load do not count." in text
    assert "ALL BUT THE FIRST LINE OVERWRITE IT" in text


def test_a_folder_without_a_list_is_left_alone(deal: Deal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_BROWSER", "")
    copy = tmp_path / "Deal.xlsx"
    copy.write_bytes(deal.book.path.read_bytes())
    folder = tmp_path / "Deal hand-off"
    folder.mkdir()
    (folder / "summary.md").write_text("of an older version, or of somebody")
    with pytest.raises(RequestError, match=r"summary\.md: was not written by this program, .* or rename the folder"):
        handoff.write(open_book(copy))
    folder.rename(tmp_path / "old")
    written = handoff.write(open_book(copy))
    assert sorted(path.name for path in folder.iterdir()) == [
        "design.html",
        "files.sha256",
        "formulas.txt",
        "values.xlsx",
    ]
    assert written.note.startswith("No PDF: no Chromium, Chrome or Edge is installed. Open design.html")


def told(book: SizingBook, *settings: str) -> str:
    """Return the text of the document of a design, without the marks of HTML."""
    changed = replace(book, cells=book.cells.with_values(book.settings(settings)))
    made = document.page(without_prices(changed).book, changed, document.HANDOFF, False, Theme())
    body = made[made.index("<main>") :]
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", body))).replace("\u00a0", " ")


def test_what_nobody_published_is_never_a_number(deal: Deal) -> None:
    """The workbook has 0 and -1 for what is not known: a K2 whose capacity and failover nobody printed."""
    text = told(deal.book, "array=Kaminario K2 (one K-Block)")
    assert "Room for more desktops after one failure failover unknown" in text
    assert "Raw capacity not published" in text
    assert "Not checked, as no figure is known: capacity" in text
    assert re.findall(r"(?<![\w.,])-\d+ (?:desktops|arrays|%)", text) == []
    assert "0 GiB one array" not in text


def test_the_point_of_a_data_sheet_is_a_test(deal: Deal) -> None:
    card = {"capacity_tib": 40, "capacity_kind": "usable", "iops": 123000, "read_ratio": 0.7, "latency_ms": 1,
            "controllers_active": 2, "block_kib": 8}  # fmt: skip
    text = told(deal.book, "array=My array 1", *(f"My array 1.{field}={value}" for field, value in card.items()))
    assert "The data sheet: 123,000 IOPS at 70 % read on one array." in text
    assert "--rwmixread=70 --bs=8k" in text
    assert "for 2,173 users; no published test." in text


def test_a_saved_simulation_is_a_chapter_and_its_money_is_not(deal: Deal, tmp_path: Path, run: Run) -> None:
    copy = tmp_path / "risk.xlsx"
    assert run("simulate", deal.book.path, "--trials", "1024", "--save", copy)[0] == 0
    book = open_book(copy)
    made = document.page(without_prices(book).book, book, document.HANDOFF, False, Theme())
    chapter = made[made.index('id="risk"') :].partition("</section>")[0]
    assert "suffices with probability" not in chapter  # a sentence of a sheet may hold money: no list knows it
    assert "Left out, content not known: Risk!A2, A4, the sentences of the saved simulation." in chapter
    assert '<th scope="row">Arrays required</th>' in chapter
    assert "USD" not in chapter
    assert "After the purchase of year 1, more arrays are bought before year 3 with probability" in chapter
    assert "The cost is within the budget" not in chapter
    priced = document.page(book, book, document.HANDOFF, True, Theme())
    whole = priced[priced.index('id="risk"') :].partition("</section>")[0]
    assert "suffices with probability" in whole
    for prices, saved in ((True, book), (False, without_prices(book).book)):
        told = slides(Source(Reading(saved, prices), Reading(book, prices)))[3]
        title = told.title.replace("\u00a0", " ")
        assert f"{title}, if the spreads on Risk inputs are right" in whole
        assert title.startswith("The base design of 4 arrays suffices with probability ")
        assert [part.title for part in told.right if isinstance(part, Bars)] == [
            "Arrays required: probability of each number"
        ]
        assert ("budget" in str(told)) == prices
    assert "The cost is within the budget with probability" in whole
    assert "Left out, content not known" not in whole
    assert "Risk" in without_prices(book).sheets  # its sheet also lists what was drawn from, so no file has it
    assert is_sealed(book.cells)
    rows = {str(cell.value): cell.row for cell in reversed(one_sheet(copy, "Risk")["A"])}  # the first of each
    bought = "After the purchase of year 1, more arrays are bought before year 3"
    first, chance = rows["Arrays required"], rows[bought]
    for row, column, value in ((first, 4, 84140.4), (first, 2, "Zq"), (first, 1, "Zq"), (chance, 2, 0.841404)):
        typed = Address("Risk", row, column)
        assert typed in book.cells.values
        spoilt = replace(book, cells=book.cells.with_values({typed: value}))
        assert not is_sealed(spoilt.cells)
    page = document.page(without_prices(spoilt).book, spoilt, document.HANDOFF, False, Theme())
    assert "Left out, content not known: Risk, whose figures are not those that a simulation wrote." in page
    assert not re.search(r"84\.1|ore arrays are bought before", page)


def test_a_design_of_nodes_without_an_answer_names_array_and_tab_as_they_are(deal: Deal) -> None:
    """Names that hold the word array are names: "My node 1" is on no sheet."""
    card = (f"My array 1.{each}" for each in ("hci_node=1", "vms_per_node=120", "iops=50000"))
    text = told(deal.book, "array=My array 1", *card)
    assert "No answer: correct the card of this array on My arrays. Asked for: My array 1 for 2,173 users." in text
    assert " needed no answer failover unknown" in text
    assert "Desktops that still fit no answer" in text
    assert not re.findall(r"(?<![\w.,])-?\d+ (?:arrays?|nodes?)\b", text.partition("Alternatives")[0])
    assert "My node" not in text
