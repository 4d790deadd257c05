"""The results that the last application stored beside the formulas, read from the package: a few cells only."""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from addin.kernel import Address, ExcelError, Scalar

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_ERRORS = {error.value: error for error in ExcelError}


@dataclass(frozen=True)
class StoredResults:
    """The results that a saved workbook holds beside its formulas."""

    path: Path

    def values(self, addresses: Iterable[Address]) -> Mapping[Address, Scalar]:
        """Return the stored numbers, truth values and errors of some formula cells."""
        return cached_values(self.path, addresses)

    @property
    def where(self) -> str:
        """Say where these results stand and who computed them."""
        return f"stored in the file, saved by {saved_by(self.path)}"


def cached_values(path: Path, addresses: Iterable[Address]) -> dict[Address, Scalar]:
    """Return the stored numbers, truth values and errors of formula cells; texts and cells without one are left out."""
    wanted: dict[str, set[Address]] = {}
    for address in addresses:
        wanted.setdefault(address.sheet, set()).add(address)
    found: dict[Address, Scalar] = {}
    with zipfile.ZipFile(path) as package:
        parts = parts_by_sheet(package)
        for sheet, cells in wanted.items():
            if sheet in parts:
                found |= _stored(package, parts[sheet], {c.a1.rpartition("!")[2]: c for c in cells})
    return found


def saved_by(path: Path) -> str:
    """Return the application that the file names as its author, or that it names none."""
    with zipfile.ZipFile(path) as package:
        if "docProps/app.xml" in package.namelist():
            for element in ElementTree.fromstring(package.read("docProps/app.xml")):
                if element.tag.endswith("}Application") and element.text:
                    return element.text
    return "an application that does not name itself"


def parts_by_sheet(package: zipfile.ZipFile) -> Mapping[str, str]:
    """Return the part of the package behind each sheet title."""
    targets = {
        relation.get("Id"): posixpath.normpath(posixpath.join("xl", relation.get("Target", "")))
        for relation in ElementTree.fromstring(package.read("xl/_rels/workbook.xml.rels"))
    }
    book = ElementTree.fromstring(package.read("xl/workbook.xml"))
    found = {}
    for sheet in book.iter(f"{_MAIN}sheet"):
        target = targets.get(sheet.get(_RELATION), "")
        found[sheet.get("name", "")] = target.removeprefix("xl//").lstrip("/")
    return {name: part for name, part in found.items() if part in package.namelist()}


def _stored(package: zipfile.ZipFile, part: str, cells: Mapping[str, Address]) -> dict[Address, Scalar]:
    found: dict[Address, Scalar] = {}
    with package.open(part) as stream:
        for _, element in ElementTree.iterparse(stream):
            if element.tag == f"{_MAIN}row":
                for cell in element:
                    address = cells.get(cell.get("r", ""))
                    text = cell.findtext(f"{_MAIN}v")
                    if address is not None and text:
                        kind = cell.get("t", "n")
                        if kind in ("n", "b"):
                            found[address] = float(text)
                        elif kind == "e":
                            found[address] = _ERRORS.get(text, ExcelError.VALUE)
                element.clear()
    return found
