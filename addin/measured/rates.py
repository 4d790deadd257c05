"""The rates of our own csv, the units in which other exports have their bytes, and what no disk does.

Units are of 1,024, as those of iostat, esxtop and Windows are whatever they call them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from addin.measured.records import quoted
from addin.numerals import numeral

RATES = ("reads", "writes", "read_kib", "write_kib")
_KIB_OF = {"kib": 1.0, "kb": 1.0, "mib": 1024.0, "mb": 1024.0, "bytes": 1 / 1024}
_UNITS = {f"{way}_{unit}": (f"{way}_kib", kib) for unit, kib in _KIB_OF.items() for way in ("read", "write")}
NAMES = (*RATES[:2], *_UNITS)
LEAST_KIB, MOST_KIB = 0.5, 1024.0  # of a mean I/O: a sector of a disk, and what systems split larger I/Os into
_USUAL_KIB = 16.0  # of a desktop: the unit that comes closest to it is the likely one


def ours(name: str) -> tuple[str, float]:
    """Return a heading in lower case by our name, and the KiB of its unit; of a wide file `vdi-001:read_mb` too."""
    desktop, colon, rate = name.rpartition(":")
    known, kib = _UNITS.get(rate.strip(), (rate, 1.0))
    return f"{desktop}{colon}{known}", kib


def of_1000(name: str) -> bool:
    """Say whether a heading has a unit that some tools take for 1,000, and some for 1,024."""
    return name.rpartition("_")[2] in ("kb", "mb")


def likely(kib: float) -> bool:
    """Say whether some KiB may be those of a mean I/O."""
    return LEAST_KIB <= kib <= MOST_KIB


def text(kib: float) -> str:
    """Return the KiB of a mean I/O in words."""
    return numeral(kib, ",.0f" if kib >= 100 else ".3g")


def advice(kib: float, heads: Sequence[str], now: float, *, wide: bool) -> str:
    """Return what to do about a mean I/O that no disk has, of columns read in units of some KiB."""
    units = {unit: kib / now * each for unit, each in _KIB_OF.items() if unit in ("kib", "mib", "bytes")}
    known = [unit for unit, each in units.items() if likely(each)]
    if not known:
        return "Look at the unit of the columns, or leave them out: then no block size is given"
    unit = min(known, key=lambda each: abs(math.log(units[each] / _USUAL_KIB)))
    what = {"kib": "KiB", "mib": "MiB", "bytes": "bytes"}[unit]
    then = f"which makes it {text(units[unit])} KiB"
    if wide:
        return f"Are these {what}? Then call them NAME:read_{unit} and NAME:write_{unit}, {then}"
    typed = " ".join(
        f"--columns {way}_{unit}={_typed(head)}" for way, head in zip(("read", "write"), heads, strict=True)
    )
    return f"Are these {what}? Then type {typed}, {then}"


def _typed(head: str) -> str:
    return quoted(head) if " " in head else head
