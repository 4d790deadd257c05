"""Save a workbook of openpyxl into memory, its sheets too.

openpyxl first writes every sheet into a temporary file. A killed run would leave it behind, and a full disk would print
a traceback beside our one line.
"""

from __future__ import annotations

import io
from datetime import UTC, datetime
from zipfile import ZIP_DEFLATED, ZipFile

from openpyxl import Workbook
from openpyxl.drawing.spreadsheet_drawing import SpreadsheetDrawing
from openpyxl.worksheet._writer import WorksheetWriter
from openpyxl.worksheet.worksheet import Worksheet
from openpyxl.writer.excel import ExcelWriter


class _Writer(ExcelWriter):  # type: ignore[misc]
    def write_worksheet(self, ws: Worksheet) -> None:
        """Write a sheet as the base class does, by way of memory."""
        ws._drawing = SpreadsheetDrawing()
        ws._drawing.charts, ws._drawing.images = ws._charts, ws._images
        out = io.BytesIO()
        writer = WorksheetWriter(ws, out)
        writer.write()
        ws._rels = writer._rels
        self._archive.writestr(ws.path[1:], out.getvalue())
        self.manifest.append(ws)


def saved(book: Workbook) -> bytes:
    """Return the bytes of the workbook's file."""
    buffer = io.BytesIO()
    book.properties.modified = datetime.now(UTC).replace(tzinfo=None)
    _Writer(book, ZipFile(buffer, "w", ZIP_DEFLATED)).save()
    return buffer.getvalue()
