"""What leaves without prices is what a release has and what is typed by key: secrets everywhere else stay at home."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.packaging.custom import StringProperty
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from addin.errors import RequestError
from addin.kernel import Address
from addin.prices import without_prices
from addin.results import handoff
from addin.workbook import own_rows
from addin.workbook.book import SizingBook, open_book
from addin.workbook.reads import everything_behind
from tests.handoff.test_prices import files
from tests.support import opened, released, shipped
from tests.support.inserted_row import with_row

pytestmark = pytest.mark.slow
PLAINLY = 120000 * 0.70117


@dataclass
class Planted:
    """Secrets with their places: each number has digits of its own, each text a word of its own."""

    secrets: dict[str, str] = field(default_factory=dict)
    count: int = 0

    def number(self, where: str) -> int:
        self.count += 1
        value = 73_100_000 + 977 * self.count
        self.secrets[str(value)] = where
        self.secrets[f"{value:,}"] = where
        return value

    def text(self, where: str) -> str:
        self.count += 1
        word = f"Zq{self.count:05}xw"
        self.secrets[word] = where
        return f"{word} {self.number(where)}"

    def formula(self, where: str) -> str:
        """Return a formula whose result is a secret as well as its parts."""
        half = self.number(where)
        self.secrets[str(half * 2)] = self.secrets[f"{half * 2:,}"] = where
        return f"={half}*2"


def blank_cells(ws: Worksheet, count: int) -> Iterator[tuple[int, int]]:
    """Yield cells without content: below the last row, right of the last column, and between the others."""
    inside = ((r, c) for r in range(2, ws.max_row, 3) for c in range(2, ws.max_column) if (r, c) not in ws._cells)
    covered = {at for area in ws.merged_cells.ranges for at in area.cells}
    free = [at for at in inside if at not in covered][: count // 2]
    yield from free
    yield from ((ws.max_row + 2 + n, 2) for n in range((count - len(free)) // 2))
    yield from ((3 + n, ws.max_column + 2) for n in range(count - len(free) - (count - len(free)) // 2))


def in_cells(workbook: Workbook, planted: Planted) -> None:
    """Put a number, a text or a formula into twelve blank cells of every sheet, and texts over some notes."""
    makers = (planted.number, planted.text, planted.formula)
    for ws in list(workbook.worksheets):
        for n, (row, column) in enumerate(list(blank_cells(ws, 12))):
            ws.cell(row, column).value = makers[n % 3](f"{ws.title}!R{row}C{column}")
        notes = [c for c in ws._cells.values() if isinstance(c.value, str) and len(c.value) > 60 and c.data_type == "s"]
        for cell in notes[:3]:
            cell.value = f"{cell.value} {planted.text(f'note {ws.title}!{cell.coordinate}')}"


def in_prices(workbook: Workbook, book: SizingBook, planted: Planted) -> None:
    """Type a formula into everything that takes a price: the quote, the cards, the what-ifs."""
    for key in ("array_price", "host_price", "installation_cost", "budget"):
        opened.named(workbook, f"In_{key}").value = planted.formula(key)
    for key, item in book.own.items():
        if key.endswith(".price"):
            workbook[item.address.sheet].cell(item.address.row, item.address.column).value = planted.formula(key)
    beside = book.inputs["array_price"].beside
    for head in own_rows.area(book.cells, book.cells.names["Tbl_Designs"])[1:4]:
        workbook[beside.sheet].cell(beside.row, head.column).value = planted.formula("what-if")


def on_hand_off(workbook: Workbook, planted: Planted) -> None:
    """Type prices where people type texts for the hand-off: a number, a formula, an amount with its currency."""
    opened.named(workbook, "Own_handoff_spares").value = planted.number("Hand-off, a number")
    opened.named(workbook, "Own_handoff_raid").value = planted.formula("Hand-off, a formula")
    opened.named(workbook, "Own_handoff_rack").value = f"USD {planted.text('Hand-off, an amount')} a unit"


def in_the_package(workbook: Workbook, planted: Planted) -> None:
    """Put secrets into what stands around the cells."""
    for name in ("title", "creator", "subject", "description", "keywords", "category", "lastModifiedBy",
                 "contentStatus", "identifier", "version", "language", "revision"):  # fmt: skip
        setattr(workbook.properties, name, planted.text(f"property {name}"))
    for n in range(20):
        workbook.custom_doc_props.append(
            StringProperty(name=f"P{planted.text('own property')}", value=planted.text("own property"))
        )
        name = f"N{planted.number('name')}"
        meaning = str(planted.number("name")) if n % 2 else f'"{planted.text("name")}"'
        workbook.defined_names[name] = DefinedName(name, attr_text=meaning, comment=planted.text("comment of a name"))
    for ws in workbook.worksheets:
        where = ws.title
        ws.oddHeader.center.text = planted.text(f"header {where}")
        ws.oddFooter.right.text = planted.text(f"footer {where}")
        ws.evenHeader.left.text = planted.text(f"even header {where}")
        cell = ws.cell(1, 1)
        cell.comment = Comment(planted.text(f"comment {where}"), planted.text("author"))
        cell.number_format = f'0.0"{planted.text(f"format {where}")}"'
        link = ws.cell(2, 1)
        link.hyperlink = f"https://example.org/{planted.number(f'link {where}')}"
        link.hyperlink.tooltip = planted.text(f"tooltip {where}")
        prompt, error = planted.text(f"prompt {where}"), planted.text("error")
        rule = DataValidation("decimal", formula1=str(planted.number("limit")), formula2="99999999999",
                              promptTitle=planted.text("t"), prompt=prompt, error=error, sqref="AX900")  # fmt: skip
        ws.add_data_validation(rule)
        ws.sheet_properties.codeName = f"C{planted.number('code name')}"
        ws.scenarios = None
    for ws in workbook.worksheets[:4]:
        chart = BarChart()
        chart.title = planted.text(f"chart {ws.title}")
        chart.add_data(Reference(ws, min_col=2, min_row=5, max_row=6))
        ws.add_chart(chart, "AZ1")
    own = workbook.create_sheet(f"Mine {planted.number('title of a sheet')}")
    for n in range(1, 40):
        own.cell(n, 1).value = planted.text("own sheet")
        own.cell(n, 2).value = planted.formula("own sheet")
    own.sheet_state = "hidden"


@pytest.fixture(scope="module")
def planted() -> Planted:
    return Planted()


@pytest.fixture(scope="module")
def handed(planted: Planted, tmp_path_factory: pytest.TempPathFactory) -> handoff.Written:
    folder = tmp_path_factory.mktemp("leaks")
    workbook, book = shipped.fresh(), open_book(shipped.write(folder))
    in_cells(workbook, planted)
    in_prices(workbook, book, planted)
    on_hand_off(workbook, planted)
    in_the_package(workbook, planted)
    path = folder / "Deal.xlsx"
    workbook.save(path)
    slides = find_spec("pptx") is not None
    return handoff.write(open_book(path), wanted=handoff.Wanted(live=True, slides=slides))


def standing(secrets: Collection[str], data: bytes) -> set[str]:
    """Return those of some secrets that stand in a file: all of one shape, such as eight digits, in one search.

    The 17 digits of a result may have those of a secret among them: a digit on either side makes it another number.
    """
    shapes = {re.sub(r"\d", r"\\d", secret) for secret in secrets}
    alike = (re.findall(rf"(?<!\d)(?=({shape})(?!\d))".encode(), data) for shape in shapes)
    return {text.decode() for texts in alike for text in set(texts)} & set(secrets)


def test_no_secret_stands_in_any_byte_of_any_file(planted: Planted, handed: handoff.Written) -> None:
    assert planted.count > 1000
    for name, data in files(handed.folder).items():
        assert {secret: planted.secrets[secret] for secret in standing(planted.secrets, data)} == {}, name


def test_with_prices_the_same_search_finds_them(
    planted: Planted, handed: handoff.Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search can fail."""
    monkeypatch.setenv("VDI_BROWSER", "")
    book = open_book(handed.folder.parent / "Deal.xlsx")
    folder = handoff.write(book, wanted=handoff.Wanted(prices=True)).folder
    told = files(folder)["formulas.txt"]
    assert len(standing(planted.secrets, told)) > 500


def test_what_stays_at_home_is_listed_by_cell(handed: handoff.Written) -> None:
    assert handed.note.startswith("Left out, as no release has their content: ") or "Left out, as no" in handed.note


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> SizingBook:
    """A copy of 0.2.0, read once for the tests that need no other file than its own."""
    return open_book(released.write("0.2.0", tmp_path_factory.mktemp("release") / "Deal.xlsx"))


def changed(book: SizingBook, values: dict[Address, str | float], **names: str) -> SizingBook:
    """Return a book with values, formulas too, in some cells, and with names that point elsewhere or are new."""
    cells = book.cells
    for at, value in values.items():
        formula = isinstance(value, str) and value.startswith("=")
        cells = cells.with_formula(at, str(value)) if formula else cells.with_values({at: value})
    return replace(book, cells=replace(cells, names={**cells.names, **names}))


def typed(path: Path, cells: dict[str, str | float]) -> Path:
    workbook = load_workbook(path)
    for a1, value in cells.items():
        at = Address.from_a1(a1)
        workbook[at.sheet].cell(at.row, at.column).value = value
    workbook.save(path)
    return path


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VDI_BROWSER", "")
    return released.write("0.2.0", tmp_path / "Deal.xlsx")


def test_a_price_typed_as_a_formula_is_a_price(base: Path) -> None:
    """A copy of 0.2.0: 84140.4 stood in two files, and a cost made of it on the page."""
    card = open_book(base).own["My array 1.price"].address.a1
    book = open_book(typed(base, {"Arrays!I65": "=120000*0.70117", card: "=120000*0.70117"}))
    written = handoff.write(book, wanted=handoff.Wanted(live=True))
    for name, data in files(written.folder).items():
        for text in ("84140.4", "84,140", "0.70117", "252421", "252,421"):
            assert text.encode() not in data, (name, text)


def test_a_copy_of_a_release_leaves_as_a_whole(release: SizingBook) -> None:
    found = without_prices(release)
    assert (found.unknown, found.results, found.sheets, found.moved) == ((), (), (), ())


@pytest.mark.parametrize(
    ("name", "value"),
    [("Doc_floor", "Zq to 84,140"), ("In_floor", 84140.4), ("Own_floor", "Zq"), ("Doc_floor", "=42070.2*2")],
)
def test_a_name_of_ones_own_makes_no_cell_an_input(release: SizingBook, name: str, value: str | float) -> None:
    at = Address("Units", 41, 8)
    found = without_prices(changed(release, {at: value}, **{name: "Units!$H$41"}))
    assert (found.unknown, at in found.book.cells.values, name in found.book.cells.names) == ((at,), False, False)


@pytest.mark.parametrize(
    ("name", "value"),
    [("In_ram_gib", 84140.4), ("In_ram_gib", "=42070.2*2"), ("Out_arrays_required", 84140.4), ("Own_arrays", "Zq"),
     ("Own_arrays.iops", 84140.4), ("Doc_project", "Phase Zq"), ("Doc_currency", "Zq"), ("Tbl_Designs", "Zq")],
)  # fmt: skip
def test_a_name_of_ours_that_points_elsewhere_makes_no_cell_an_input(
    release: SizingBook, name: str, value: str | float
) -> None:
    """Known cells leave by key: one at which somebody points our name is not one of them, whatever it holds."""
    at = Address("Units", 41, 8)
    found = without_prices(changed(release, {at: value}, **{name: "Units!$H$41"}))
    assert at in found.unknown
    assert at not in found.book.cells.values


def test_an_input_that_a_row_put_in_has_moved_still_leaves(release: SizingBook) -> None:
    """A name is known by the label and the columns of its cell, which an inserted row does not change."""
    at = release.inputs["ram_gib"].address
    moved = with_row(changed(release, {at: 7.25}), at.sheet, at.row - 1, {1: None})
    place = moved.inputs["ram_gib"].address
    assert place == at._replace(row=at.row + 1)
    assert without_prices(moved).book.cells.values.get(place) == 7.25


@pytest.mark.parametrize(
    ("name", "value", "leaves"),
    [
        ("Doc_project", "Phase 2, 2026: 1,500 desktops", True),
        ("Doc_date", 46000.0, True),
        ("Doc_customer", "Acme, at 84,140.40", False),  # the price
        ("Doc_customer", "Acme, below 90 000 EUR", False),
        ("Doc_status", "waits for the price", False),
        ("Doc_author", 84140.0, False),
        ("Doc_project", '="Floor "&84140', False),
    ],
)
def test_what_is_typed_about_the_document_leaves_but_for_money(
    release: SizingBook, name: str, value: str | float, leaves: bool
) -> None:
    names = release.cells.names
    at, price = (Address.from_a1(names[each].replace("$", "")) for each in (name, "In_array_price"))
    found = without_prices(changed(release, {at: value, price: 84140.4}))
    assert found.unknown == (() if leaves else (at,))
    assert found.book.cells.values.get(at) == (value if leaves else None)


def test_a_calculation_that_was_changed_goes_as_its_result(release: SizingBook) -> None:
    """Sizing!D70 typed over, and a formula changed that no price is behind: the answer stays what it is."""
    at = release.results["arrays_required"].address
    book = changed(release, {at: f"{release.cells.formula(at)}+1"})
    found = without_prices(book)
    assert found.results == (at,)
    (before,) = release.evaluate({}, ["arrays_required"]).values()
    assert isinstance(before, float)
    assert found.book.cells.values[at] == book.values().value(at) == before + 1
    assert (found.unknown, found.moved) == ((), ())


def test_a_calculation_that_reads_a_price_is_left_out(release: SizingBook) -> None:
    at = release.results["arrays_required"].address
    text = f"{release.cells.formula(at)}+0*Answer!$D$13"
    found = without_prices(changed(release, {at: text, Address.from_a1("Answer!D13"): 84140.4}))
    assert (found.unknown, found.results) == ((at,), ())


def test_a_cell_can_be_let_out_and_the_document_says_so(base: Path) -> None:
    book = open_book(typed(base, {"Units!H40": "Rack 7, Leeds", "Units!H41": "stays"}))
    written = handoff.write(book, wanted=handoff.Wanted(keep=("Units!H40",)))
    document = (written.folder / "design.html").read_text(encoding="utf-8")
    assert "Kept on purpose (--keep): Units!H40." in document
    assert "Left out, content not known: Units!H41." in document
    told = (written.folder / "formulas.txt").read_text(encoding="utf-8")
    assert "Rack 7, Leeds" in told
    assert not re.search(r"^H41\tstays", told, re.MULTILINE)
    assert "Left out, as no release has their content: 1 cell" in written.note


@pytest.mark.parametrize(
    ("cell", "message"),
    [("Answer!D13", "is about money"), ("Nowhere!A1", "expected a cell of the workbook"), ("A1", "expected a cell")],
)
def test_a_cell_that_cannot_be_let_out_is_one_line(release: SizingBook, cell: str, message: str) -> None:
    with pytest.raises(RequestError, match=message):
        without_prices(release, (cell,))


def test_what_moves_for_want_of_a_cell_is_said(release: SizingBook) -> None:
    """A figure of the catalogue typed over is neither an input nor a fact: results are not those of the workbook."""
    answer, cells = release.results["arrays_required"].address, release.cells
    behind = everything_behind(release, answer)  # no other cell changes it
    read = next(at for at in cells.stored("Workloads") if at in behind and isinstance(cells.constant(at), float)
                and release.values({at: 999999.0}).value(answer) != release.values().value(answer))  # fmt: skip
    found = without_prices(changed(release, {read: 999999.0}))
    assert found.unknown == (read,)
    assert "Arrays required" in found.moved
