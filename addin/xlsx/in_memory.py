"""Save a workbook of openpyxl into memory, its sheets too.

openpyxl first writes every sheet into a temporary file. A killed run would leave it behind, and a full disk would print
a traceback beside our one line.
"""

from __future__ import annotations

import io
from datetime import UTC, datetime
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from openpyxl import Workbook
from openpyxl.drawing.spreadsheet_drawing import SpreadsheetDrawing
from openpyxl.worksheet._writer import WorksheetWriter
from openpyxl.worksheet.worksheet import Worksheet
from openpyxl.writer.excel import ExcelWriter

from addin.xlsx.parts import WORKBOOK
from addin.xlsx.print_titles import mended

_PARTS = datetime(1980, 1, 1)  # what ZipInfo has unless told


class _Archive(ZipFile):
    """A package whose parts have one date: a clock may show 1975 or 2110, which no package has."""

    def writestr(self, zinfo_or_arcname, data, compress_type=None, compresslevel=None):  # type: ignore[no-untyped-def]
        """Write a part by its name."""
        entry = ZipInfo(zinfo_or_arcname) if isinstance(zinfo_or_arcname, str) else zinfo_or_arcname
        data = mended(data) if entry.filename == WORKBOOK else data
        super().writestr(entry, data, compress_type or ZIP_DEFLATED, compresslevel)


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


def saved(book: Workbook, dated: bool = True) -> bytes:
    """Return the bytes of the workbook's file; one that is not dated has the date of its parts in place of today's."""
    buffer = io.BytesIO()
    book.properties.modified = datetime.now(UTC).replace(tzinfo=None) if dated else _PARTS
    if not dated:
        book.properties.created = _PARTS
    _Writer(book, _Archive(buffer, "w", ZIP_DEFLATED)).save()
    return buffer.getvalue()
