"""The quick reader gives the cells that openpyxl gives, or leaves the file to it."""

from __future__ import annotations

import io
import random
import re
import subprocess
import sys
import warnings
from pathlib import Path

import openpyxl
import pytest

from addin.kernel import Address, Cells
from addin.workbook.book import open_book
from addin.xlsx.package import packed, read_parts, write_parts
from addin.xlsx.quick_cells import Unread, read_cells, version
from addin.xlsx.stored_results import StoredResults
from tests.support import file_samples, small_workbook

MUTANTS = 400  # of one sheet
SHEET, WORKBOOK, STYLES = "xl/worksheets/sheet1.xml", "xl/workbook.xml", "xl/styles.xml"


def both(path: Path) -> tuple[Cells, Cells]:
    """Return the cells as the quick reader and as openpyxl give them."""
    parts = read_parts(path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        workbook = openpyxl.load_workbook(path)
    assert version(parts) == (workbook.properties.version or "")
    return read_cells(parts), Cells.from_openpyxl(workbook)


def assert_same(path: Path) -> None:
    quick, slow = both(path)
    assert [*quick.values.items()] == [*slow.values.items()]
    assert [*map(type, quick.values.values())] == [*map(type, slow.values.values())]
    assert [*quick.names.items()] == [*slow.names.items()]
    assert (quick.sheets, quick.texts) == (slow.sheets, slow.texts)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return small_workbook.save(tmp_path / "book.xlsx", {"x": small_workbook.UNIFORM}, {"v": "={x}+1", "w": "=MAX({x})"})


def edited(path: Path, part: str, old: str, new: str) -> Path:
    parts = read_parts(path)
    assert old in parts[part].decode()
    parts[part] = parts[part].decode().replace(old, new, 1).encode()
    write_parts(path, parts)
    return path


@pytest.mark.slow
@pytest.mark.parametrize("source", [file_samples.as_built, file_samples.as_excel])
def test_a_workbook_has_the_same_cells_names_and_texts(source, tmp_path):
    assert_same(source(tmp_path))


@pytest.mark.office
def test_a_copy_saved_by_libreoffice_has_them_too(tmp_path):
    assert_same(file_samples.as_office(tmp_path))


def test_so_have_small_ones(small, tmp_path):
    assert_same(small)
    assert_same(file_samples.drawn(tmp_path / "drawn.xlsx"))


CELL = '<c r="D5" t="n"><v>0.5</v></c>'


@pytest.mark.parametrize(
    "cell",
    [
        '<c r="D5"><v>-1.5E-3</v></c>',
        '<c r="D5" t="b"><v>1</v></c>',
        '<c r="D5" t="e"><v>#N/A</v></c>',
        '<c r="D5"><v>1E-006</v></c>',
        '<c r="D5" t="e"><v>#BLOCKED!</v></c>',
        '<c r="D5" t="str"><v></v></c>',
        '<c r="D5" t="inlineStr"><is><t xml:space="preserve"> a &amp; b </t></is></c>',
        '<c r="D5"><f>A1&amp;"x"</f><v>1</v></c>',
        '<c r="D5"><v/></c>',
        '<c r="D5" t="inlineStr"></c>',
        '<c r="D5" t="inlineStr"><is><t>&#167;6.3 &#10;&amp;#167; &#8195;&#9654;</t></is></c>',
        '<c r="D5"><f>A1&amp;"&#8211; 1"</f><v>1</v></c>',
        '<c r="D5" t="str"><f>A1</f><v>&#228;</v></c>',
    ],
)
def test_every_kind_of_cell_is_read_alike(small, cell):
    assert_same(edited(small, SHEET, CELL, cell))


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        (SHEET, CELL, '<c r="D5"><f t="shared" si="0" ref="D5">A1</f><v>1</v></c>'),
        (SHEET, CELL, '<c r="D5"><f t="array" ref="D5">SUM(A1:A2)</f><v>1</v></c>'),
        (SHEET, CELL, '<c r="D5"><f t="dataTable" ref="D5" dt2D="0" dtr="0" r1="A1"/><v>1</v></c>'),
        (SHEET, CELL, '<c r="D5"><f/><v>1</v></c>'),
        (SHEET, CELL, '<c r="D5" t="str"><v>=text</v></c>'),
        (SHEET, CELL, '<c r="D5" t="inlineStr"><is><t>=A1</t></is></c>'),
        (SHEET, CELL, '<c r="D5" t="inlineStr"><is><t>&#61;A1</t></is></c>'),
        (SHEET, CELL, '<c r="D5" t="inlineStr"><is><t>a&#13;b</t></is></c>'),
        (SHEET, CELL, '<c r="D5" t="inlineStr"><is><t>&#0;</t></is></c>'),
        (SHEET, CELL, '<c r="D5" t="d"><v>2026-11-22</v></c>'),
        (SHEET, CELL, '<c r="D5"><v>nan</v></c>'),
        (SHEET, CELL, '<c r="D5"><v>0.5</v><v>0.7</v></c>'),
        (SHEET, CELL, "<c><v>0.5</v></c>"),
        (SHEET, CELL, f"{CELL}{CELL}"),
        (SHEET, CELL, '<c r="D6"><v>0.5</v></c>'),
        (SHEET, CELL, '<c r="D5" s="99"><v>0.5</v></c>'),
        (SHEET, CELL, '<c r="D5" t="s"><v>-1</v></c>'),
        (SHEET, CELL, '<c r="D5" t="inlineStr"><is><t>a</t><rPh sb="0" eb="1"><t>b</t></rPh></is></c>'),
        (SHEET, "<sheetData>", '<!-- --><x:sheetData xmlns:x="u"/><sheetData/><sheetData><row r="0"/>'),
        (SHEET, "</sheetData>", '</sheetData><mergeCells><mergeCell ref="A5:D5"/></mergeCells>'),
        (SHEET, "</sheetData>", '</sheetData><hyperlinks><hyperlink ref="Z9" location="A1"/></hyperlinks>'),
        (SHEET, "</sheetData>", '</sheetData><row r="9"><c r="A9"><v>1</v></c></row>'),
        (SHEET, "</sheetData>", '</sheetData><c r="A9"><v>1</v></c>'),
        (SHEET, "</sheetData>", "</sheetData><sheetData/>"),
        (SHEET, 'sqref="D5"', 'sqref="A:A"'),
        (WORKBOOK, "<workbookPr", '<workbookPr date1904="1"'),
        (WORKBOOK, "</sheets>", "</sheets><externalReferences><externalReference/></externalReferences>"),
        (
            WORKBOOK,
            "</definedNames>",
            '<definedName name="_xlnm.Other" localSheetId="0">A1</definedName></definedNames>',
        ),
        (STYLES, "</styleSheet>", "</styleSheet"),
    ],
)
def test_what_is_rare_or_doubtful_is_left_alone(small, part, old, new):
    parts = read_parts(small)
    assert old in parts[part].decode()
    with pytest.raises(Unread):
        read_cells({**parts, part: parts[part].decode().replace(old, new, 1).encode()})


def test_a_date_is_its_number_and_left_alone_where_openpyxl_would_round_it(small):
    workbook = openpyxl.load_workbook(small)
    workbook["Inputs"]["D5"].number_format = "yyyy-mm-dd"
    workbook["Inputs"]["D5"].value = 46000
    workbook.save(small)
    assert_same(small)
    with pytest.raises(Unread):
        read_cells(read_parts(edited(small, SHEET, "<v>46000</v>", "<v>46000.123456789</v>")))


def outcome(parts: dict[str, bytes]) -> object:
    """Return what the quick reader makes of a package: its cells in order with their types, or that it leaves it."""
    try:
        cells = read_cells(parts)
    except Unread:
        return Unread
    return [(at, type(value), value) for at, value in cells.values.items()], cells.texts


def by_openpyxl(parts: dict[str, bytes]) -> object:
    """Return what openpyxl makes of a package: the same of its cells, or the kind of its error."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            cells = Cells.from_openpyxl(openpyxl.load_workbook(io.BytesIO(packed(parts))))
    except Exception as error:
        return type(error)
    return [(at, type(value), value) for at, value in cells.values.items()], cells.texts


@pytest.mark.slow
@pytest.mark.parametrize("source", [file_samples.as_built, file_samples.as_excel])
def test_results_beside_formulas_are_those_of_the_file(source, tmp_path):
    path = source(tmp_path)
    book = open_book(path)
    formulas = [*book.cells.formulas(), Address("Inputs", 1, 1), Address("None", 1, 1)]
    assert isinstance(book.stored, StoredResults)
    assert book.stored.rows is book.cells.values
    assert book.stored.shown(formulas) == StoredResults(path).shown(formulas) != {}


@pytest.mark.parametrize(
    "cell",
    [
        '<c r="D5"><v>1e999</v></c>',
        '<c r="D5"><v>1e99</v></c>',
        '<c r="D5"><v>1_0</v></c>',
        '<c r="D5" s="00"><v>1</v></c>',
        '<c r="D5" t="b"><v>2</v></c>',
        '<c r="D5" t="e"><v>#BLOCKED!</v></c>',
        '<c r="D5" t="str"><v>=1</v></c>',
        '<c r="D5" t="str"><v>a &lt; b &amp;lt; c</v></c>',
        '<c r="D5" t="str"><v>&#61;1</v></c>',
        '<c r="D5" t="str"><v>a]]&gt;b</v></c>',
        '<c r="D5" t="str"><v>a]]>b</v></c>',
        '<c r="D5" t="str"><v>a\x01b</v></c>',
        '<c r="D5" t="str"><v>a\r\nb</v></c>',
        '<c r="D5" t="str"><v>a & b</v></c>',
        '<c r="D5" t="str"><v>a<!-- b --></v></c>',
        '<c r="D5" t="str"><v><![CDATA[a]]></v></c>',
        '<c r="D5" t="s"><v>0</v></c>',
        '<c r="D5"><f>1&lt;2</f><v>x</v></c>',
        '<c r="D5"><f></f><v>1</v></c>',
        '<c r="D5"/>',
        '<c r="D05"><v>1</v></c>',
        '<c r="D5"><v>1</v></c></row><row r="4"><c r="A4"><v>1</v></c>',
        '<c r="D5"><v>1</v></c></row><row r="6" ht="1" ht="1"/><row r="7">',
        '<c r="D5"><v>1</v></c></row><row r="6" ht="1"/><row r="7" a="&lt;">',
        '<c r="D5"><v>1</v></c></row><row r="6" ht="1" r="9"/><row r="7">',
    ],
)
def test_rows_are_found_by_patterns_as_openpyxl_reads_them(small, cell):
    parts = read_parts(small)
    parts[SHEET] = parts[SHEET].decode().replace(CELL, cell, 1).encode()
    assert outcome(parts) in (Unread, by_openpyxl(parts))


@pytest.mark.parametrize("head", ["<sheetData>", "<!-- <sheetData> -->", '<?xml version="1.0" encoding="us-ascii"?>'])
def test_a_head_is_read_as_openpyxl_reads_it(small, head):
    parts = read_parts(small)
    text = parts[SHEET].decode().replace(CELL, '<c r="D5" t="str"><v>ü</v></c>', 1)
    parts[SHEET] = (
        head + text if head.startswith("<?") else text.replace("<sheetData>", f"{head}<sheetData>", 1)
    ).encode()
    assert outcome(parts) in (Unread, by_openpyxl(parts))


@pytest.mark.parametrize(("before", "behind"), [("<!--", "-->"), ("<?rows", "?>")])
def test_rows_in_a_comment_are_left_alone(small, before, behind):
    parts = read_parts(small)
    start, rows, end = re.split("(<sheetData>.*</sheetData>)", parts[SHEET].decode(), flags=re.DOTALL)
    parts[SHEET] = f"{start}{before} {rows} {behind}<sheetData/>{end}".encode()
    assert outcome(parts) is Unread


@pytest.mark.slow
def test_a_damaged_sheet_is_read_as_openpyxl_reads_it_or_left_alone(small):
    parts = read_parts(small)
    tokens = re.findall("<[^>]*>|[^<]+", parts[SHEET].decode())
    chance, plain = random.Random(1), 0
    for _ in range(MUTANTS):
        mutant = tokens[:]
        for _ in range(chance.choice([1, 1, 2])):
            at, other = chance.randrange(1, len(mutant)), chance.randrange(1, len(mutant))
            match chance.randrange(5):
                case 0:
                    del mutant[at]
                case 1:
                    mutant.insert(at, mutant[other])
                case 2:
                    mutant[at], mutant[other] = mutant[other], mutant[at]
                case 3:
                    place = chance.randrange(len(mutant[at]))
                    mutant[at] = mutant[at][:place] + chance.choice("<>&\"'=/ 0A\r\x01") + mutant[at][place:]
                case _:
                    place = chance.randrange(len(mutant[at]))
                    mutant[at] = mutant[at][:place] + mutant[at][place + 1 :]
        damaged = {**parts, SHEET: "".join(mutant).encode()}
        found = outcome(damaged)
        assert found is Unread or found == by_openpyxl(damaged), "".join(mutant)
        plain += found is not Unread
    assert 0 < plain < MUTANTS


def test_a_book_that_is_left_alone_is_read_all_the_same(small):
    path = edited(small, SHEET, CELL, '<c r="D5"><f t="shared" si="0" ref="D5">0.25*2</f><v>1</v></c>')
    assert open_book(path).evaluate({}, ["arrays_required"])["arrays_required"] == 1.0


def test_size_loads_neither_openpyxl_nor_numpy_nor_what_opens_urls(small):
    code = (
        "import sys; from addin.shell.main import main; "
        f"code = main(['size', {str(small)!r}, '--result', 'v']); "
        "loaded = {name.partition('.')[0] for name in sys.modules}; "
        "print(sorted({'openpyxl', 'numpy', 'xlwings', 'http', 'ssl'} & loaded), code)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[] 0"


@pytest.mark.slow
def test_simulate_loads_what_writes_workbooks_only_where_it_writes_one():
    book = Path(__file__).parents[2] / "templates" / "vdi-storage-sizing.xlsx"
    code = (
        "import sys; from addin.shell.main import main; "
        f"code = main(['simulate', {str(book)!r}, '--trials', '64']); "
        "loaded = {name.partition('.')[0] for name in sys.modules}; "
        "print(sorted({'openpyxl', 'xlwings', 'matplotlib', 'distributed'} & loaded), code)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[] 0"
