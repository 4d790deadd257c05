"""The workbook as the sources make it, assembled once for all tests of a run; a test that changes it builds its own."""

from functools import cache

from model.provenance import provenance
from model.reading.read import read
from model.workbook import Built, assemble


@cache
def built() -> Built:
    """Return the workbook, without stored results."""
    return assemble(read(), provenance())
