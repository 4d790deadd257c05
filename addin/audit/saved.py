"""Changes that an application makes by itself as it saves a workbook, separated from changes by people.

LibreOffice 7.4, observed in tests: from a file opened without a window it writes neither tab colours nor frozen panes,
and it merges cells that are centred across a selection. Excel is in no test; it is known to rewrite results, the
calculation chain, the theme and shared formulas, and no rule checks those.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers.expat import ExpatError

from addin.audit.book import Book, Finding
from addin.audit.parsed import range_of
from addin.numerals import numeral
from addin.xlsx.elements import outline
from addin.xlsx.package import PackageError, open_parts
from addin.xlsx.parts import STYLES

LIBREOFFICE, EXCEL = "LibreOffice", "Microsoft Excel"
_PROPERTIES = "docProps/app.xml"
_APPLICATION = re.compile(rb"<(?:\w+:)?Application>([^<]{1,100})</")
_APP_VERSION = re.compile(rb"<(?:\w+:)?AppVersion>(\d+)")
# The beginnings of the messages about what LibreOffice leaves out or merges.
_COLOURLESS, _LOOSE, _MERGED = "the tab colour is none", ("scrolls out of", "freezes nothing"), "cells are merged"
_OFFICE = re.compile(r"LibreOffice/(\d+\.\d+)")


@dataclass(frozen=True)
class Saved:
    """The application that saved a file, empty if unknown; names of its cell styles by their numbers."""

    application: str = ""
    styles: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Rewritten:
    """A change by an application as it saved: in words, how often, and the rules that would report it."""

    what: str
    count: int
    rules: tuple[str, ...]

    def __str__(self) -> str:
        return f"{numeral(self.count)} {self.what} ({', '.join(self.rules)})"


def read(path: Path) -> Saved:
    """Return the application that saved a file, and its cell styles; nothing for a missing or unreadable file."""
    if not path.is_file():
        return Saved()
    try:
        with open_parts(path) as parts:
            properties, styles = parts.get(_PROPERTIES, b""), outline(parts[STYLES])
    except (PackageError, ExpatError, KeyError):  # the reader of the cells reports what is wrong with the file
        return Saved()
    listed = styles.child("cellStyles")
    named = [each.attributes for each in listed.children] if listed else []
    names = {int(each["xfId"]): each.get("name", "") for each in named if each.get("xfId", "").isdecimal()}
    said = _APPLICATION.search(properties)
    return Saved(_named(said[1].decode("utf-8", "replace"), properties) if said else "", names)


def _named(said: str, properties: bytes) -> str:
    """Return the common name of LibreOffice or Excel with its version, empty for any other application."""
    if office := _OFFICE.match(said):
        return f"{LIBREOFFICE} {office[1]}"
    version = _APP_VERSION.search(properties)
    return f"{EXCEL} {version[1].decode()}" if said in (EXCEL, "Microsoft Macintosh Excel") and version else ""


def separated(book: Book, findings: Iterable[Finding], application: str) -> tuple[list[Finding], list[Rewritten]]:
    """Return the findings that people caused, and the changes by the application behind the others."""
    findings = list(findings)
    if not application.startswith(LIBREOFFICE):
        return findings, []
    sheets = list(book.declared)
    colourless = all(sheet.ws.sheet_properties.tabColor is None for sheet in sheets)
    loose = all(sheet.ws.freeze_panes is None for sheet in sheets)
    kinds: tuple[tuple[str, Callable[[Finding], bool]], ...] = (
        ("tab colours left out", lambda f: colourless and f.message.startswith(_COLOURLESS)),
        ("sheets without frozen panes", lambda f: loose and f.message.startswith(_LOOSE)),
        ("headlines across cells merged", lambda f: f.message.startswith(_MERGED) and _headline(book, f.where)),
    )
    rewritten = []
    for what, belongs in kinds:
        its = [finding for finding in findings if belongs(finding)]
        findings = [finding for finding in findings if not belongs(finding)]
        if its:
            places = {finding.where.rpartition("!")[0] if "sheets" in what else finding.where for finding in its}
            rewritten.append(Rewritten(what, len(places), tuple(sorted({finding.rule for finding in its}))))
    return findings, rewritten


def _headline(book: Book, where: str) -> bool:
    """Return whether merged cells are of one row and begin with a headline, the only style that is centred across."""
    area = range_of(where)
    home = book.named(area.first.sheet or "") if area else None
    cell = home.cells.get((area.first.row, area.first.column)) if home and area else None
    return cell is not None and area is not None and cell.role == "headline" and area.first.row == area.last.row
