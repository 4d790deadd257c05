"""Workbooks as the build, Excel and other applications leave them, and what tells two of them apart."""

from __future__ import annotations

import functools
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import xlwings as xw
from openpyxl.chart import BarChart, Reference
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Font, PatternFill

import build
from addin.engines import file
from addin.engines.office import application
from addin.xlsx.elements import outline
from addin.xlsx.package import read_parts, write_parts
from addin.xlsx.workbook_part import sheet_parts
from tests.results.test_save import TEXT_BOX, VALIDATION
from tests.support import libreoffice

TEMPLATE = Path(build.__file__).parent / "templates" / "vdi-storage-sizing.xlsx"
LISTS = {"xl/styles.xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "[Content_Types].xml"}
MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def as_built(folder: Path) -> Path:
    """The workbook as the build wrote it, under a name that people give."""
    return Path(shutil.copy(TEMPLATE, folder / "Acme quote v2 (final).xlsx"))


def as_excel(folder: Path) -> Path:
    """A copy as Excel leaves it: an extended validation, a text box, the order of the last computation."""
    template = as_built(folder)
    parts = read_parts(template)
    sheet, drawing = sheet_parts(parts)["Inputs"], "xl/drawings/drawing70.xml"
    relations = sheet.replace("worksheets/", "worksheets/_rels/") + ".rels"
    assert drawing not in parts
    assert relations not in parts
    at = outline(parts[sheet]).stop
    parts[sheet] = (
        parts[sheet][:at] + f'<drawing xmlns:r="{OFFICE}" r:id="rId9"/>{VALIDATION}'.encode() + parts[sheet][at:]
    )
    parts[drawing] = TEXT_BOX.encode()
    parts[relations] = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f'<Relationship Id="rId9" Type="{OFFICE}/drawing" Target="../drawings/drawing70.xml"/></Relationships>'
    ).encode()
    parts["xl/calcChain.xml"] = f'<calcChain {MAIN}><c r="D5" i="12"/></calcChain>'.encode()
    relate(parts, "calcChain")
    parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace(
        b"</Types>",
        b'<Override PartName="/xl/drawings/drawing70.xml" '
        b'ContentType="application/vnd.openxmlformats-officedocument.drawing+xml"/></Types>',
    )
    write_parts(template, parts)
    return template


def as_office(folder: Path) -> Path:
    """A copy saved by LibreOffice."""
    path = folder / TEMPLATE.name
    path.write_bytes(_saved_by_office())
    return path


@functools.cache
def _saved_by_office() -> bytes:
    libreoffice.soffice()
    with tempfile.TemporaryDirectory() as folder:
        (path,) = application.convert([TEMPLATE], Path(folder), application.XLSX)
        return path.read_bytes()


SOURCES = (as_built, as_excel, as_office)


def relate(parts: dict[str, bytes], name: str) -> None:
    """Tell a package of a part that stands beside the workbook."""
    relations = "xl/_rels/workbook.xml.rels"
    kind = f"application/vnd.openxmlformats-officedocument.spreadsheetml.{name}+xml"
    parts[relations] = parts[relations].replace(
        b"</Relationships>",
        f'<Relationship Id="rId999" Type="{OFFICE}/{name}" Target="{name}.xml"/></Relationships>'.encode(),
    )
    parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace(
        b"</Types>", f'<Override PartName="/xl/{name}.xml" ContentType="{kind}"/></Types>'.encode()
    )


def drawn(path: Path, title: str = "Result") -> Path:
    """Write a result sheet with a chart, formats, a rule with a format, a link and a print title."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = title
    sheet["A1"], sheet["A1"].hyperlink = "Result", "https://example.org/?a=1&b=2"
    sheet["A1"].font = Font(bold=True, color="FF112233")
    for row in range(2, 7):
        sheet.cell(row, 1, f"P{row}")
        sheet.cell(row, 2, row / 4).number_format = '0.000" kg"'
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=2, min_row=2, max_row=6))
    sheet.add_chart(chart, "D2")
    red = PatternFill("solid", bgColor="FFFF0000")
    sheet.conditional_formatting.add("B2:B6", CellIsRule(operator="greaterThan", formula=["$B$2"], fill=red))
    sheet.print_title_rows = "1:1"
    book.save(path)
    return path


def changed(before: Path, after: Path) -> set[str]:
    """Return the parts of a file that another one lacks or holds with other bytes."""
    old, new = read_parts(before), read_parts(after)
    return {name for name, data in old.items() if new.get(name) != data}


def saved(book: xw.Book, name: str = "out.xlsx") -> Path:
    target = Path(book.fullname).with_name(name)
    book.save(target)
    return target


def small(path: Path, fill: Callable[[openpyxl.Workbook], None]) -> xw.Book:
    book = openpyxl.Workbook()
    fill(book)
    book.save(path)
    return file.open_file(path)


CELLS = """<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:dimension ref="A1:D3"/>
<x:cols><x:col min="3" max="4" width="9" style="1"/></x:cols><x:sheetData>
<x:row r="1"><x:c t="s"><x:v>0</x:v></x:c><x:c t="s"><x:v>1</x:v></x:c><x:c t="inlineStr"><x:is><x:r><x:t>a</x:t></x:r>
<x:r><x:rPr><x:b/></x:rPr><x:t>b_x000A_c</x:t></x:r></x:is></x:c><x:c t="b"><x:v>1</x:v></x:c></x:row>
<x:row><x:c r="A2"><x:v>1</x:v></x:c><x:c r="B2"><x:f t="shared" ref="B2:B4" si="0">$A2*2</x:f><x:v>9</x:v></x:c>
<x:c r="D2" t="d"><x:v>2026-11-21</x:v></x:c></x:row>
<x:row r="3"><x:c r="A3"><x:v>2.5</x:v></x:c><x:c r="B3"><x:f t="shared" si="0"/><x:v>9</x:v></x:c>
<x:c r="D3" t="e"><x:v>#N/A</x:v></x:c></x:row>
<x:row r="4" s="1" customFormat="1"><x:c r="B4"><x:f t="shared" si="0"/><x:v>9</x:v></x:c></x:row>
</x:sheetData></x:worksheet>"""
TEXTS = f"""<sst {MAIN} count="2" uniqueCount="2"><si><t xml:space="preserve"> plain &amp; simple </t></si>
<si><r><t>rich</t></r><r><t xml:space="preserve"> text</t></r><rPh sb="0" eb="1"><t>no</t></rPh></si></sst>"""


def foreign(folder: Path) -> Path:
    """A sheet as other applications write it: shared texts and formulas, a prefix, cells without references."""
    path = folder / "foreign.xlsx"

    def fill(book: openpyxl.Workbook) -> None:
        book.active["C1"].number_format = "yyyy-mm-dd"

    small(path, fill)
    parts = read_parts(path)
    parts["xl/worksheets/sheet1.xml"] = CELLS.encode()
    parts["xl/sharedStrings.xml"] = TEXTS.encode()
    relate(parts, "sharedStrings")
    write_parts(path, parts)
    return path
