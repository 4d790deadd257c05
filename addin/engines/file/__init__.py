"""The xlwings engine `file`: saved workbooks, computed by the kernel, behind xlwings' public API.

    addin.engines.file.register()               adds the engine to xlwings.engines
    addin.engines.file.open_file(path)          an xw.Book in its own application

Nothing is written before `Book.save`.

application  applications and the workbooks open in them
book         a workbook with its sheets and names
range        values and formulas of a rectangle of cells
package      the saved workbook in memory, computed by the kernel
computed     values of its cells, as stored where the kernel cannot compute
"""

from __future__ import annotations

import os

import xlwings as xw

from addin.engines.applications import registered
from addin.engines.file.application import Apps

NAME = "file"


def register() -> xw.main.Engine:
    """Add the engine to xlwings.engines, once, and return it."""
    return registered(NAME, Apps)


def open_file(path: str | os.PathLike[str]) -> xw.Book:
    """Open a saved workbook. Raises FileNotFoundError and RequestError when it cannot be read."""
    return register().apps.add(add_book=False).books.open(path)
