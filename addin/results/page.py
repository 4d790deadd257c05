"""A page of results, drawn in a workbook of its own: head, bands, tables, provenance, print setup.

Every result sheet is drawn here, complete with its charts; then the application that has the user's workbook open
copies it in. So the sheet is the same in Excel, in Calc and in a file.
"""

from __future__ import annotations

import io
import math
import textwrap
from collections.abc import Container, Iterable, Sequence

from openpyxl import Workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.styles import Alignment
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.pagebreak import Break

from addin.kernel import ExcelError, Scalar
from addin.xlsx.in_memory import saved
from addin.xlsx.package import read_parts
from model.errors import BuildError
from model.layout import fit, styles

Pairs = Sequence[tuple[str, str]]
STATE_ROW = 4  # says whether the inputs have changed since


class Page:
    """A sheet in the making. `widths` are those of its columns, first to last, in characters.

    `live` are the cells (row, column, formula) that read the user's workbook: written after the sheet was copied in.
    """

    def __init__(self, title: str, widths: Sequence[float]) -> None:
        self._book = Workbook()
        self.live: list[tuple[int, int, str]] = []
        for style in styles.named_styles():
            self._book.add_named_style(style)
        self.ws = self._book.worksheets[0]
        self.ws.title, self.last = title, len(widths)
        view = self.ws.sheet_view
        view.showGridLines, view.tabSelected, view.zoomScale = False, False, 90
        self.ws.sheet_properties.tabColor = styles.GROUP_COLOURS["result"]
        for column, width in enumerate(widths, 1):
            self.ws.column_dimensions[get_column_letter(column)].width = width
        self._wide, self._beside = int(sum(widths) * 0.8), int(sum(widths[1:]) * 0.96)  # characters of a text

    def put(self, row: int, column: int, value: object, role: str, form: str | None = None) -> None:
        """Write one value in a role; a text is never taken for a formula, NaN and infinity are left blank."""
        cell = self.ws.cell(row, column)
        if isinstance(value, ExcelError):
            value = value.value
        if isinstance(value, str):
            cell.value, cell.data_type = ILLEGAL_CHARACTERS_RE.sub("", value), "s"
        elif not (isinstance(value, float) and not math.isfinite(value)):
            cell.value = value
        cell.style = styles.style_name(role)
        if form:
            cell.number_format = form

    def align(self, row: int, column: int, side: str, *, wrap: bool = False) -> None:
        """Align a cell to one side."""
        self.ws.cell(row, column).alignment = Alignment(
            horizontal=side, vertical="center", wrap_text=wrap, indent=1 if side == "left" else 0
        )

    def line(self, row: int, text: str, role: str, column: int = 1) -> None:
        """Write a text that overflows into the columns to its right."""
        self.put(row, column, text, role)
        self.align(row, column, "left")

    def head(self, heading: str, answer: str, purpose: str, warnings: Sequence[str] = ()) -> int:
        """Write the heading, the answer in one sentence and the purpose of the sheet; return the next row.

        Row STATE_ROW is left free.
        """
        self.line(1, heading, "title")
        self.line(2, answer, "master")
        self.line(3, purpose, "purpose")
        if warnings:
            text = textwrap.shorten(f"{len(warnings)} warning: {warnings[0]}", self._wide)
            self.line(STATE_ROW + 1, text, "master")
        for row, height in ((1, 26), (2, 20), (3, 16)):
            self.ws.row_dimensions[row].height = height
        return STATE_ROW + (2 if warnings else 1)

    def band(self, row: int, text: str) -> int:
        """Write the title of a section over all columns; return the next row."""
        for column in range(1, self.last + 1):
            self.put(row, column, text if column == 1 else None, "group")
        return row + 1

    def headings(self, row: int, texts: Iterable[str], column: int = 1, words: Container[int] = ()) -> int:
        """Write a row of headings, left-aligned over the first column and columns of words; return the next row."""
        for at, text in enumerate(texts, column):
            self.put(row, at, text, "heading")
            if at > 1:
                self.align(row, at, "left" if at in words else "center", wrap=True)
        return row + 1

    def values(self, row: int, values: Sequence[Scalar], forms: Sequence[str | None], strong: int = -1) -> int:
        """Write a row of values, the first as a label, the one at `strong` as a result; return the next row."""
        for column, (value, form) in enumerate(zip(values, forms, strict=True), 1):
            role = "label" if column == 1 else "output" if column - 1 == strong else "calculation"
            self.put(row, column, value, role, form)
            if isinstance(value, str | ExcelError) and column > 1:
                self.align(row, column, "left", wrap=True)
        return row + 1

    def pairs(self, row: int, title: str, pairs: Pairs) -> int:
        """Write names and sentences, wrapped over the width; return the next row."""
        row = self.band(row, title)
        for name, text in pairs:
            self.put(row, 1, name, "label")
            for line in textwrap.wrap(text, self._beside) or [""]:
                self.line(row, line, "label", 2)
                row += 1
        return row

    def new_page(self, row: int) -> int:
        """Begin a new printed page at a row."""
        self.ws.row_breaks.append(Break(id=row - 1))
        return row

    def package(self) -> dict[str, bytes]:
        """Set the sheet up for printing and return the package of its workbook.

        Landscape, fitted to the width, sections on pages of their own; the footer names file, tab and page.
        """
        ws = self.ws
        heights = {row: dimension.height for row, dimension in ws.row_dimensions.items() if dimension.height}
        fit.rows(ws, ws.max_row)
        for row, height in heights.items():
            ws.row_dimensions[row].height = height
        ws.page_setup.orientation, ws.page_setup.paperSize = "landscape", 9
        ws.sheet_properties.pageSetUpPr.fitToPage = True
        ws.page_setup.fitToWidth, ws.page_setup.fitToHeight = 1, 0
        ws.page_margins.left = ws.page_margins.right = ws.page_margins.top = 0.4
        ws.page_margins.bottom, ws.page_margins.header, ws.page_margins.footer = 0.5, 0.25, 0.25
        ws.oddFooter.left.text, ws.oddFooter.center.text, ws.oddFooter.right.text = "&F", "&A", "Page &P of &N"
        return read_parts(io.BytesIO(saved(self._book)))


def form(key: str, unit: str, sample: Scalar) -> str | None:
    """Return the number format of a result; one in an unknown unit gets a format from a value of it."""
    if isinstance(sample, str) or sample is None:
        return None
    if not key and unit in styles.UNROUNDED and isinstance(sample, float) and (sample < 0 or sample % 1):
        return styles.UNROUNDED[unit]  # of a cell without a key: a quotient of arrays or desktops
    try:
        return styles.line_format(key, unit)
    except BuildError:
        return styles.typed_format(sample) if isinstance(sample, float) else None
