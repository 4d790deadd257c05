"""Without --with-prices no file of a hand-off holds a price, in whatever form: the digits are searched in all bytes."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.chart import BarChart, Reference
from openpyxl.chart.data_source import NumData, NumVal

from addin import prices
from addin.errors import BookError
from addin.kernel import Address, Cells, Scalar
from addin.leaving.plain import cleaned
from addin.results import handoff
from addin.results.document.money_chapters import yearly
from addin.results.document.reading import Reading
from addin.workbook import overlay
from addin.workbook.book import SizingBook, open_book, shown
from addin.xlsx.in_memory import saved
from addin.xlsx.package import read_parts
from tests.handoff.conftest import REMARK, Deal
from tests.judges.names import faults
from tests.support import small_workbook
from tests.support.javascript import legible
from tests.support.needed import package, program

pytestmark = pytest.mark.slow
SLIDES = "Deal slides.pptx"


def forms(value: float | str) -> set[str]:
    """Return the ways a figure can be written, those with fewer than five digits left out: they prove nothing."""
    if isinstance(value, str):
        return {value}
    percent = 100 * value
    texts = {
        repr(value), f"{value:.15g}", f"{value:.10g}", f"{value:,.2f}", f"{value:.2f}", f"{value:,.0f}", f"{value:.0f}",
        shown(value), f"{percent:.10g}", f"{percent:,.2f}", shown(percent), f"{value:,.2f}".replace(",", "."),
    }  # fmt: skip
    return {text for text in texts if len(re.sub(r"\D", "", text).lstrip("0")) >= 5}


def content(path: Path) -> bytes:
    """Return all that a file holds: of a package every part, of a PDF its text and streams, of a page what it packs."""
    raw = path.read_bytes()
    if path.suffix == ".pdf":  # the table of where its objects are: any figure stands in one of so many offsets
        raw = re.sub(rb"\d{10} \d{5} [nf]\s", b"", raw)
    if path.suffix in (".xlsx", ".pptx"):
        return packed(raw)
    if path.suffix == ".pdf":
        text = subprocess.run(
            [program("pdftotext", "poppler (pdftotext)"), "-layout", str(path), "-"], capture_output=True, check=True
        )
        parts = [raw, text.stdout]
        for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", raw, re.DOTALL):
            try:
                parts.append(zlib.decompress(stream))
            except zlib.error:
                continue
        return b"\n".join(parts)
    if path.suffix == ".html":
        raw = legible(raw.decode()).encode()
    return raw.replace("\u00a0".encode(), b" ")


def packed(raw: bytes) -> bytes:
    """Return every part of a package, those of the workbooks in it too, whatever they are called."""
    with zipfile.ZipFile(io.BytesIO(raw)) as package:
        parts = [package.read(name) for name in package.namelist()]
    inside = (packed(part) if part.startswith(b"PK") else part for part in parts)
    return b"\n".join(inside).replace("\u00a0".encode(), b" ")


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: content(path) for path in sorted(folder.iterdir())}


def held(data: bytes, text: str) -> bool:
    """Say whether a text stands in a file, not as a part of a longer number."""
    found = text.encode()  # most do not stand there at all, which `in` says a hundred times as fast as the pattern
    return found in data and re.search(rb"(?<![\d.,])" + re.escape(found) + rb"(?![\d]|[.,]\d)", data) is not None


def test_what_a_chart_remembers_of_its_cells_is_left_out(tmp_path: Path) -> None:
    workbook = Workbook()
    workbook.active.append(["a", 48271001])
    chart = BarChart()
    chart.add_data(Reference(workbook.active, min_col=2, min_row=1, max_row=1))
    chart.ser[0].val.numRef.numCache = NumData(pt=[NumVal(idx=0, v="48271001")])
    workbook.active.add_chart(chart, "D1")
    workbook.save(tmp_path / "with.xlsx")
    loaded = load_workbook(tmp_path / "with.xlsx")
    loaded.active["B1"].value = None
    loaded.save(tmp_path / "kept.xlsx")
    cleaned(loaded).save(tmp_path / "cleaned.xlsx")
    assert b"48271001" in content(tmp_path / "kept.xlsx")  # openpyxl keeps it
    assert b"48271001" not in content(tmp_path / "cleaned.xlsx")


def test_cells_that_somebody_merged_are_handed_over_as_they_are_shown(tmp_path: Path) -> None:
    """LibreOffice merges cells when it saves a copy; an application still knows what stood in a covered one."""
    path = small_workbook.save(tmp_path / "book.xlsx", {"x": small_workbook.UNIFORM}, {})
    workbook = load_workbook(path)
    workbook["Sizing"].merge_cells("A5:C6")
    workbook.save(path)
    book = open_book(path)
    covered = {**book.cells.values, Address("Sizing", 6, 2): 7.0}
    values = cleaned(overlay.values_only(overlay.overlaid(book), covered))["Sizing"]
    assert (values["A5"].value, values["B6"].value) == (book.cells.values[Address("Sizing", 5, 1)], None)
    assert [str(area) for area in values.merged_cells.ranges] == ["A5:C6"]


def test_every_input_about_money_got_digits_of_its_own(deal: Deal) -> None:
    assert {"array_price", "discount_ratio", "support_ratio", "budget", "capital_rate_ratio", "tariff_per_kwh"} <= set(
        deal.typed
    )
    assert {"container_array_price", "admin_cost_per_h", "host_price", "resale_ratio", "My array 1.price"} <= set(
        deal.typed
    )
    every = [text for value in deal.typed.values() for text in forms(value)]
    assert len(every) >= 3 * len(deal.typed)


def test_no_price_stands_in_any_file(deal: Deal) -> None:
    for name, data in files(deal.without).items():
        found = {key: text for key, value in deal.typed.items() for text in forms(value) if held(data, text)}
        assert found == {}, name


def test_nothing_made_of_a_price_stands_in_any_file(deal: Deal, results: dict[str, float]) -> None:
    priceless = prices.without_prices(deal.book).book.values()
    made = {
        at: value
        for at, value in results.items()
        if abs(value) > 1000 and priceless.value(deal.book.address(at, at)) != value
    }
    assert len(made) > 100  # years, net cost, cost of every design
    texts = {
        text for value in made.values() for text in (repr(value), f"{value:.15g}", f"{value:,.0f}", f"{value:,.2f}")
    }
    printed = deal.book.address("Evidence!I5", "")  # the papers' own sums, such as NTP's claim, are public
    public = {
        repr(deal.book.values().value(at))
        for at in deal.book.cells.stored(printed.sheet)
        if at.column == printed.column
    }
    wanted = {text for text in texts if len(re.sub(r"\D", "", text)) >= 7} - public
    for name, data in files(deal.without).items():
        numbers = set(re.findall(r"\d[\d.,]*\d", data.decode("utf-8", "ignore")))
        assert wanted & numbers == set(), name


def test_with_prices_they_stand_in_the_document(deal: Deal) -> None:
    """The same search finds them there: it can fail."""
    told = files(deal.told)
    for name in ("design.html", "design.pdf", "values.xlsx", "formulas.txt"):
        assert any(held(told[name], text) for text in forms(deal.typed["array_price"])), name
    for folder in (deal.told, deal.without):
        assert faults(read_parts(folder / "values.xlsx")) == []
    document = told["design.html"].decode()
    assert "Present cost" in document
    assert "Paid by year" in document


def test_a_price_in_the_workbook_of_a_chart_on_a_slide_would_be_found(deal: Deal) -> None:
    """It is found in the slides with prices, and where it is planted in those without."""
    package("pptx", "slides")
    paid = deal.typed["array_price"]
    workbook = Workbook()
    workbook.active["B2"] = paid
    raw = io.BytesIO((deal.without / SLIDES).read_bytes())
    with zipfile.ZipFile(raw, "a") as slides:
        slides.writestr("ppt/embeddings/planted.bin", saved(workbook))
    assert any(held(packed(raw.getvalue()), text) for text in forms(paid))
    with zipfile.ZipFile(deal.told / SLIDES) as slides:
        inside = [packed(slides.read(name)) for name in slides.namelist() if name.endswith(".xlsx")]
    _, _, paid_by_year = yearly(Reading(deal.book, prices=True))
    assert paid_by_year
    first = paid_by_year[0][1][0]  # for what costs the most, in the first year
    assert any(f"<v>{first:.16g}</v>".encode() in part for part in inside)


def test_remarks_notes_and_places_stay_at_home(deal: Deal) -> None:
    for name, data in files(deal.without).items():
        assert b"48279991" not in data, name
        for word in (REMARK, str(deal.without.parent)):
            assert word.encode() not in data, name
    for name, data in files(deal.told).items():
        assert REMARK.encode() not in data, name
        assert str(deal.told.parent).encode() not in data, name


def test_the_answer_is_the_same_without_prices(deal: Deal) -> None:
    priceless = prices.without_prices(deal.book).book
    for key in ("status", "arrays_required", "arrays_last", "boot_minutes", "login_latency_ms", "errors_count"):
        assert priceless.evaluate({}, [key]) == deal.book.evaluate({}, [key]), key
    assert priceless.evaluate({}, ["npv"]) == {"npv": "enter a quote"}


def test_a_price_changed_for_the_hand_off_is_not_told(
    deal: Deal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VDI_BROWSER", "")
    copy = Path(shutil.copy(deal.book.path, tmp_path / "Deal.xlsx"))
    book = open_book(copy)
    folder = handoff.write(book, None, ("array_price=48270001", "desktops=2174")).folder
    for name, data in files(folder).items():
        assert b"48270001" not in data, name
        assert b"48,270,001" not in data, name
    assert "not in the workbook: Users: 2,174\u00a0desktops." in (folder / "design.html").read_text(encoding="utf-8")


def renamed(book: SizingBook, sheet: str, title: str) -> SizingBook:
    """Return a workbook in which a sheet is called otherwise, as an application renames it."""
    new = title.replace("'", "''")

    def told(value: Scalar) -> Scalar:
        return value.replace(f"{sheet}!", f"'{new}'!") if isinstance(value, str) else value

    old = book.cells
    moved = {at._replace(sheet=title) if at.sheet == sheet else at: told(value) for at, value in old.values.items()}
    names = {name: str(told(text)) for name, text in old.names.items()}
    sheets = tuple(title if each == sheet else each for each in old.sheets)
    return replace(book, cells=Cells(moved, names, sheets, old.texts))


def test_a_renamed_sheet_of_inputs_is_known_by_its_names(deal: Deal) -> None:
    book = renamed(deal.book, "Inputs", "Buyer's & mine")
    priceless = prices.without_prices(book)
    assert "Buyer's & mine" in priceless.book.cells.sheets
    answer = book.results["arrays_required"].address
    assert priceless.book.values().value(answer) == deal.book.values().value(answer)


def test_a_sheet_that_formulas_read_and_nobody_knows_is_named(deal: Deal) -> None:
    with pytest.raises(BookError, match=r"reads the sheet 'Bought things', which was added or renamed"):
        prices.without_prices(renamed(deal.book, "Growth", "Bought things"))
