"""vscsiStats -p all -c: histograms of one or more virtual disks since the start, so a mix and block sizes, no IOPS."""

from __future__ import annotations

import re
from pathlib import Path

from addin.measured import texts
from addin.measured.records import Mix, Options, Reading, fault, quoted
from addin.numerals import number_of

TITLE = "vscsiStats -c"
_KIND = re.compile(
    r"Histogram: (?P<what>.*?),\s*virtual machine worldGroupID,?\s*:?\s*(?P<world>\d+)\s*,\s*"
    r"virtual disk handleID,?\s*:?\s*(?P<disk>\d+)(?: \((?P<place>[^)]*)\))?",
    re.IGNORECASE,
)
_LENGTHS = {"io lengths of read commands": "read", "io lengths of write commands": "write"}


def recognised(start: str) -> bool:
    """Say whether a text is what vscsiStats prints."""
    return "Histogram: IO lengths" in start


def read(reading: Reading, options: Options) -> list[Mix]:
    """Return the mix of every virtual disk: counts, and mean bytes. Raises RequestError."""
    path = reading.path
    found: dict[str, dict[str, tuple[int, float]]] = {}
    for name, what, count, mean in _histograms(path, texts.encoding_of(path, options.encoding)):
        if what in found.setdefault(name, {}):
            raise fault(
                path, f"{name} has the histogram of its {what}s twice", "The counts grow: give the last run alone"
            )
        found[name][what] = (count, mean / 1024)
    mixes = []
    for name, parts in sorted(found.items()):
        if parts.keys() != {"read", "write"}:
            raise fault(
                path, f"{name} has no histogram of its reads beside that of its writes", "Run it with -p all -c"
            )
        (reads, read_kib), (writes, write_kib) = parts["read"], parts["write"]
        mixes.append(Mix(name, reads, writes, read_kib if reads else None, write_kib if writes else None))
    if not mixes:
        raise fault(path, "has no histogram of reads and of writes: its end is missing", "Run it with -p all -c")
    reading.taken.append(f"read share and block size of {number_of(len(mixes), 'virtual disk')}")
    reading.left.append("IOPS: the counts are since the start, and the file does not say how long that is")
    return mixes


def _histograms(path: Path, encoding: str) -> list[tuple[str, str, int, float]]:
    """Return (disk, read or write, count, mean bytes) of the histograms of lengths."""
    made = []
    name, what, mean, count = "", "", 0.0, 0
    for row, line in enumerate(texts.lines(path, encoding), 1):
        text = line.strip()
        if text.startswith("Histogram:"):
            match = _KIND.match(text)
            if match is None:
                raise fault(path, f"{quoted(text)} names no virtual disk", "Run vscsiStats -p all -c", row)
            what = _LENGTHS.get(match["what"].strip().casefold(), "")
            name = f"world {match['world']} {match['place'] or match['disk']}"
        elif what and text.startswith(("mean,", "count,")):
            key, _, value = text.partition(",")
            try:
                number = int(value)
            except ValueError:
                number = -1
            if number < 0:
                raise fault(path, f"{quoted(value)} is no whole number", "Run it again", row, key)
            if key == "mean":
                mean = float(number)
            else:
                count = number
        elif what and text.startswith("Frequency"):
            made.append((name, what, count, mean))
            what = ""
    return made
