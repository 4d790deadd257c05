"""The damage of a file that could not be read: the part of the package, and the place.

Used only after openpyxl or the reader of packages has failed; their own messages do not name the place.
"""

from __future__ import annotations

import traceback
import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from addin.xlsx.parts import EXPANDED, TYPES, WORKBOOK, targets

LONGEST = 80  # characters of a part's name
_READERS = (  # modules of openpyxl, and what they read
    ("openpyxl.styles", "its formats, xl/styles.xml"),
    ("openpyxl.packaging.core", "its properties, docProps/core.xml"),
    ("openpyxl.packaging.extended", "its properties, docProps/app.xml"),
    ("openpyxl.packaging.custom", "its properties, docProps/custom.xml"),
    ("openpyxl.packaging", "the lists of its parts"),
    ("openpyxl.reader.strings", "its texts, xl/sharedStrings.xml"),
    ("openpyxl.worksheet", "a sheet of it"),
    ("openpyxl.chart", "a chart of it"),
    ("openpyxl.drawing", "a drawing of it"),
    ("openpyxl.comments", "a note of it"),
    ("openpyxl.workbook", "xl/workbook.xml"),
)


def described(path: Path, error: BaseException) -> str:
    """Return in words, without a full stop, why a file could not be read, given the error that it caused."""
    try:
        with zipfile.ZipFile(path) as package:
            return next(_damaged(package), "") or _of_a_reader(error)
    except zipfile.BadZipFile:
        return "it is not an Excel workbook, or it is truncated"
    except OSError as cause:
        return cause.strerror or "the file is gone"


def _damaged(package: zipfile.ZipFile) -> Iterator[str]:
    """Yield the damage of the XML of a package; nothing for a package that is too large to check."""
    parts = {}
    markup = [entry for entry in package.infolist() if entry.filename.endswith((".xml", ".rels"))]
    if sum(entry.file_size for entry in markup) > EXPANDED:
        return
    for name in (entry.filename for entry in markup):
        try:
            parts[name] = package.read(name)
        except Exception:  # zipfile and zlib raise a dozen kinds
            yield f"its part {name[:LONGEST]} is damaged"
            return
    for name, part in parts.items():
        try:
            ElementTree.fromstring(part)
        except ElementTree.ParseError as error:
            line, column = error.position
            yield f"its part {name[:LONGEST]} breaks off or is damaged at line {line}, character {column + 1}"
            return
        except (LookupError, ValueError):  # of an unknown encoding
            yield f"its part {name[:LONGEST]} is in an unknown encoding"
            return
    missing = [name for name in (TYPES, WORKBOOK) if name not in parts]
    if missing:
        yield f"its part {missing[0]} is missing"
        return
    to = targets(parts, WORKBOOK)
    for sheet in ElementTree.fromstring(parts[WORKBOOK]).iterfind("{*}sheets/{*}sheet"):
        relation = next((value for key, value in sheet.items() if key.endswith("}id")), "")
        if to.get(relation) not in parts:
            yield f"the sheet {sheet.get('name', '')[:LONGEST]!r} is listed and its part is missing"


def _of_a_reader(error: BaseException) -> str:
    """Return the part with content that its reader rejects, by the module that raised the error."""
    cause: BaseException | None = error
    modules: list[str] = []
    while cause is not None:
        frames = traceback.walk_tb(cause.__traceback__)
        modules = [*modules, *reversed([str(frame.f_globals.get("__name__")) for frame, _ in frames])]
        cause = cause.__cause__ or cause.__context__
    read = (what for module in modules for reader, what in _READERS if module.startswith(reader))
    return f"content that Excel does not write is in {next(read, 'a part of it')}"
