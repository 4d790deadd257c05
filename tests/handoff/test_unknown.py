"""Unknown is never 0: designs with blanks, and every document searched for a 0 with a unit that no cell holds."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest

from addin.errors import RequestError
from addin.kernel import Address, Evaluator
from addin.results import handoff
from addin.results.document import page as document
from addin.results.document import theme
from addin.sizing.answers import size
from addin.workbook.book import SizingBook, open_book
from addin.xlsx.package import read_parts, write_parts
from addin.xlsx.stored_results import with_results
from addin.xlsx.workbook_part import sheet_parts
from model.sheets.front.answer import NAME as ANSWER
from model.sheets.front.cost_review import NAME as COST_REVIEW
from tests.support import opened, shipped, small_workbook

UNITS = ("MB/s", "GiB", "TiB", "I/O", "IOPS", "ms", "min", "desktops/min", "USD", "KiB", "TB", "GB", "%")
ZERO = re.compile(rf"(?<![\d.,:+-])-?0(?:[.,]0+)?[\s\u00a0]?(?:{'|'.join(map(re.escape, UNITS))})(?![\w/])")
MINE = ("profile=My profile 1", "My profile 1.login_excess_ios=65222", "My profile 1.steady_iops=30.27")
CARD = ("array=My array 1", "My array 1.iops=90000", "My array 1.read_ratio=0.7", "My array 1.controllers_active=2")
DESIGNS = {
    "a profile without block size": (*MINE, "My profile 1.logoff_ios=9000", "My profile 1.read_ratio=0.49"),
    "a profile without read share": (*MINE, "My profile 1.logoff_ios=9000", "My profile 1.block_kib=16"),
    "a profile that tells no login": ("profile=My profile 1", "My profile 1.steady_iops=30.27",
                                      "My profile 1.read_ratio=0.49", "My profile 1.block_kib=16"),
    "a profile that tells no work": ("profile=My profile 1", "My profile 1.login_excess_ios=65222"),
    "an array without MB/s and capacity": (*CARD, "My array 1.latency_ms=1"),
    "an array without IOPS": ("array=My array 1", "My array 1.capacity_tib=40", "My array 1.capacity_kind=usable"),
    "a method that tells no stores": ("provisioning=My method 1", "My method 1.boot_likely=20000"),
    "a price without support": ("array_price=95000",),
}  # fmt: skip
# a 0 that is typed, or true: nothing of it runs on costs that nobody entered
TYPED = (
    *("Growth", "Snapshot reserve", "Headroom per desktop", "User data on this array", "Change of", "Resale"),
    *("Share of memory reserved", "Memory of a PVS server", "Share of desktops in use"),
    *("Saved by data", "Share saved by data"),
)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> SizingBook:
    return open_book(shipped.write(tmp_path_factory.mktemp("unknown")))


def chosen(book: SizingBook, name: str, folder: Path) -> SizingBook:
    return replace(book, cells=book.cells.with_values(book.settings(DESIGNS[name])), path=folder / "Deal.xlsx")


def page_lines(page: str) -> Iterator[str]:
    """Yield what a page says, a row or paragraph each."""
    bare = re.sub(r"<(style|script|svg)\b.*?</\1>", "", page, flags=re.DOTALL)
    for block in re.findall(r"<(?:tr|p|li)[ >].*?</(?:tr|p|li)>", bare, flags=re.DOTALL):
        yield " ".join(html.unescape(re.sub(r"<[^>]+>", " ", block)).split())


def sheet_texts(book: SizingBook, *sheets: str) -> Iterator[str]:
    """Yield the texts that formulas of some sheets show."""
    evaluator = Evaluator(book.cells)
    for sheet in sheets:
        for at in sorted(book.cells.stored(sheet)):
            value = evaluator.value(at) if book.cells.formula(at) else None
            if isinstance(value, str):
                yield value


def zeros(lines: Iterator[str]) -> list[str]:
    return [line for line in lines if ZERO.search(line) and not line.startswith(TYPED)]


@pytest.mark.slow
@pytest.mark.parametrize("name", DESIGNS)
def test_no_document_shows_a_0_for_what_is_not_known(book: SizingBook, name: str, tmp_path: Path) -> None:
    design = chosen(book, name, tmp_path)
    assert zeros(sheet_texts(design, ANSWER, COST_REVIEW)) == []
    table = size(book, DESIGNS[name])
    assert zeros(f"{row[0]} {row[1]} {row[2]}" for row in table.rows) == []
    assert zeros(iter(table.notes)) == []
    page = document.page(design, design, document.HANDOFF, True, theme.theme_for(design.path, None))
    assert zeros(page_lines(page)) == []


def test_the_search_finds_a_0_with_a_unit_and_nothing_else() -> None:
    for text in ("; 0 MB/s; 1 TiB", "Written 0\u00a0GiB", "0 I/O", "0.0 ms", "within 0 ms", "0 USD", "Support 0 %"):
        assert zeros(iter([text])) == [text]
    for text in ("10 MB/s", "1,000 IOPS", "0.5 ms", "2:0 GiBs", "Growth to plan for 0 %", "2020 desktops"):
        assert zeros(iter([text])) == [], text


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("a profile without block size", "81,700 IOPS at 49% read, block size not known, within 5 ms"),
        ("a profile without block size", "; MB/s: no block size known; "),
        ("a profile without read share", "IOPS, read share not known, 16 KiB"),
        ("a profile that tells no login", "at least 50,000 IOPS at 68% read, 16 KiB"),
        ("an array without IOPS", "no latency limit entered"),
        ("a method that tells no stores", "; TiB not known"),
    ],
)  # fmt: skip
def test_what_to_ask_a_vendor_for_says_what_is_not_known(book: SizingBook, name: str, words: str) -> None:
    cells = book.cells.with_values(book.settings(DESIGNS[name]))
    text = Evaluator(cells).value(Address.from_a1(cells.names["Out_ask_words"].replace("$", "")))
    assert words in str(text)


@pytest.mark.slow
def test_support_and_discount_that_nobody_entered_read_not_entered(book: SizingBook, tmp_path: Path) -> None:
    assert {key: book.held(book.inputs[key]) for key in ("support_ratio", "discount_ratio")} == {
        "support_ratio": None,
        "discount_ratio": None,
    }
    design = chosen(book, "a price without support", tmp_path)
    assert list(sheet_texts(design, COST_REVIEW)).count("not entered") >= 2

    def status(*settings: str) -> str:
        cells = book.cells.with_values(book.settings(["array_price=95000", *settings]))
        return str(Evaluator(cells).value(Address.from_a1(cells.names["Out_cost_status"].replace("$", ""))))

    assert "left out: support, installation" in status()
    assert "support" not in status("support_ratio=0")
    assert "support" not in status("support_included_years=5")


def test_a_blank_support_and_discount_cost_what_0_costs(book: SizingBook) -> None:
    keys = ["npv", "cost_total", "cost_per_desktop", "paid_total"]
    blank = size(book, ["array_price=95000"], keys).rows
    assert blank == size(book, ["array_price=95000", "support_ratio=0", "discount_ratio=0"], keys).rows
    assert blank != size(book, ["array_price=95000", "support_ratio=0.12"], keys).rows


def test_a_cell_that_no_result_reads_and_nothing_here_computes_has_its_stored_result(tmp_path: Path) -> None:
    """WEBSERVICE, say: it refused the whole hand-off."""
    path = small_workbook.save(tmp_path / "small.xlsx", {"x": small_workbook.UNIFORM}, {"twice": "={x}*2"})
    workbook = openpyxl.load_workbook(path)
    workbook["Inputs"]["H20"].value = '=_xlfn.WEBSERVICE("x")'
    workbook["Inputs"]["H21"].value = "=H20+1"
    workbook.save(path)
    parts, notes = read_parts(path), list[str]()
    part = sheet_parts(parts)["Inputs"]
    write_parts(path, {**parts, part: with_results(parts[part], {(21, 8): 7.0})})
    book = open_book(path)
    values = handoff._computed(Evaluator(book.cells), book, tuple(book.cells.formulas()), notes)
    assert values[book.results["twice"].address] == 1
    assert values[Address("Inputs", 21, 8)] == 7
    said = "Not computed here, and read by no result: Inputs!H20 and 1 more; values.xlsx has what the file stores."
    assert notes == [said]


@pytest.mark.slow
def test_a_count_of_users_that_reads_a_price_is_refused_by_its_cell(tmp_path: Path) -> None:
    """Without the price the count is no number, and 23 pages of no answer would follow."""
    workbook, path = shipped.fresh(), tmp_path / "Reads.xlsx"
    opened.named(workbook, "In_array_price").value = 90000
    price = opened.named(workbook, "In_array_price").coordinate
    opened.named(workbook, "In_desktops").value = f"=IF({price}>88333,1500,1500)"
    workbook.save(path)
    with pytest.raises(
        RequestError, match=r"Answer!D5 reads a price, .* Replace the formula by its value, or use --with"
    ):
        handoff.write(open_book(path))
