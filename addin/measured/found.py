"""Which tool wrote a file: found by what is in it, never by its name."""

from __future__ import annotations

import re
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

from addin.measured import (
    esxtop,
    fio,
    generic,
    iostat,
    live_optics,
    nutanix,
    perfmon,
    rvtools,
    texts,
    vscsistats,
    workbooks,
)
from addin.measured.records import Options, fault, quoted

_PACKED = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"7z\xbc\xaf": "7-Zip",
    b"Rar!": "RAR",
}
_OF_AN_OFFICE = ("[Content_Types].xml", "_rels/", "xl/", "word/", "ppt/")
_UNPACK = "Unpack it, and name the files in it or their folder"
PACKAGE, OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
PERFMON, ESXTOP, GENERIC, IOSTAT, IOSTAT_JSON = "perfmon", "esxtop", "csv", "iostat", "iostat JSON"
VSCSISTATS, FIO, RVTOOLS, RVTOOLS_CSV = "vscsiStats", "fio", "RVTools", "RVTools csv"
LIVE_OPTICS, NUTANIX = "Live Optics", "Nutanix Collector"
SERIES = (PERFMON, ESXTOP, GENERIC, IOSTAT, IOSTAT_JSON)
INVENTORIES = (RVTOOLS, RVTOOLS_CSV, LIVE_OPTICS, NUTANIX)
TITLES = {
    PERFMON: perfmon.TITLE,
    ESXTOP: esxtop.TITLE,
    GENERIC: generic.TITLE,
    IOSTAT: iostat.TEXT_TITLE,
    IOSTAT_JSON: iostat.JSON_TITLE,
    VSCSISTATS: vscsistats.TITLE,
    FIO: fio.TITLE,
    RVTOOLS: f"{rvtools.TITLE}, workbook",
    RVTOOLS_CSV: f"{rvtools.TITLE}, a tab as csv",
    LIVE_OPTICS: live_optics.TITLE,
    NUTANIX: nutanix.TITLE,
}
_SYSSTAT = (  # words that a line of the report has, and what it is
    ({"DEV", "tps"}, "sar -d, which does not split reads and writes"),
    ({"tps", "rtps", "wtps"}, "sar -b, which names no disk"),
    ({"Device", "tps"}, "iostat without -x, which does not split I/Os into reads and writes"),
)
_BEGIN = 50  # lines of a report, of which one is its heading
_ENGLISH = (
    "Log PhysicalDisk(_Total) with the English names of its counters (typeperf on an English system), or write these "
    "into row 1, such as PhysicalDisk(_Total)\\Disk Reads/sec; the registry of the machine has the names in both "
    "languages, under Windows NT\\CurrentVersion\\Perflib\\009 and CurrentLanguage"
)
_KNOWN = (
    "Expected perfmon, esxtop, iostat, vscsiStats, fio, RVTools, Live Optics, Nutanix Collector, or the csv of "
    "docs/measure.md"
)


@dataclass(frozen=True)
class Found:
    """What a file is, and which of its tabs are what: normal name of the tab -> title in the file."""

    kind: str
    tabs: dict[str, str] = field(default_factory=dict)


def found(path: Path, options: Options) -> Found:
    """Return what a file is. Raises RequestError for one that no reader takes."""
    start = texts.head(path)
    if start.startswith(PACKAGE):
        return _workbook(path)
    if packed := next((name for mark, name in _PACKED.items() if start.startswith(mark)), ""):
        raise fault(path, f"is packed with {packed}", _UNPACK)
    if start.startswith(OLE):
        found = "is an old or an encrypted workbook"
        raise fault(path, found, "Save it as .xlsx without a password")
    encoding = texts.encoding_of(path, options.encoding)
    text = start.decode(encoding, "replace")
    if fio.recognised(text):
        return Found(FIO)
    if iostat.is_json(text):
        return Found(IOSTAT_JSON)
    if vscsistats.recognised(text):
        return Found(VSCSISTATS)
    if iostat.is_text(text):
        return Found(IOSTAT)
    return _csv(path, encoding, text, options)


def _check_sysstat(path: Path, text: str) -> None:
    """Raise RequestError for what programs of sysstat print without reads and writes of each disk."""
    lines = [set(re.split(r"[\s;:,]+", line)) for line in text.split("\n", _BEGIN)[:_BEGIN]]
    what = next((what for words, what in _SYSSTAT if any(words <= line for line in lines)), "")
    if what or iostat.BANNER.match(text):
        raise fault(path, f"is {what or 'a report of sysstat without disks'}", f"Log with {iostat.COMMAND} instead")


def _csv(path: Path, encoding: str, text: str, options: Options) -> Found:
    begin, end, _ = text.lstrip("\r\n").partition("\n")
    pdh = "(PDH-" in begin[:_BEGIN] and end  # letters of a code page that nobody named are no reason not to look
    line = begin.strip("\r") if pdh else texts.first_line(path, encoding)
    (cells,) = texts.cells_of(path, [line], texts.delimiter_of(line))
    if "(PDH-" in cells[0]:
        if esxtop.recognised(cells):
            return Found(ESXTOP)
        if perfmon.recognised(cells):
            return Found(PERFMON)
        shown = quoted(cells[1]) if len(cells) > 1 else "no counter"
        advice = _ENGLISH
        if perfmon.hypervisors(cells):
            advice = "These are counters of a Hyper-V host: log PhysicalDisk(_Total) in its desktops, not on the host"
        raise fault(
            path, f"has no counter of a disk by its English name, but {shown}", advice, 1, cells[min(1, len(cells) - 1)]
        )
    if tab := rvtools.tab_of([workbooks.normal(cell) for cell in cells]):
        return Found(RVTOOLS_CSV, {tab: tab})
    if generic.recognised(cells, options):
        return Found(GENERIC)
    _check_sysstat(path, text)
    shown = ", ".join(quoted(cell) for cell in cells[:6])
    raise fault(path, f"begins with {shown}", _KNOWN, 1)


def _check_office(path: Path) -> None:
    """Raise RequestError for an archive that no office program wrote; a damaged one is refused where it is read."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, NotImplementedError, OSError):
        return  # `workbooks` says what is wrong with it
    if not any(name.startswith(_OF_AN_OFFICE) for name in names):
        raise fault(path, f"is a zip archive that holds {', '.join(map(quoted, names[:3])) or 'nothing'}", _UNPACK)


def _workbook(path: Path) -> Found:
    _check_office(path)
    heads = workbooks.heads(path)
    tabs = {title.casefold(): title for title in heads}
    if nutanix.recognised(heads):
        return Found(NUTANIX, tabs)
    if live_optics.recognised(heads):
        return Found(LIVE_OPTICS, tabs)
    named: dict[str, str] = {}
    for title, names in heads.items():
        if (tab := rvtools.tab_of(names)) and named.setdefault(tab, title) != title:
            found = f"has two tabs with the columns of {tab}: {quoted(named[tab])} and {quoted(title)}"
            raise fault(path, found, "Leave one out")
    if named:
        return Found(RVTOOLS, named)
    shown = ", ".join(quoted(title) for title in list(heads)[:6]) or "no tab"
    raise fault(path, f"has the tabs {shown}", _KNOWN)
