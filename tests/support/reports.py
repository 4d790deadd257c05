"""A report of a simulation as the shell prints it, to be compared byte for byte."""

from __future__ import annotations

from addin.results.report_text import as_content
from addin.shell import json_documents
from addin.simulation.report import Report
from addin.workbook.book import SizingBook


def as_json(book: SizingBook, report: Report) -> str:
    """Return the document of the command."""
    return json_documents.text("simulate", book, as_content(report))
