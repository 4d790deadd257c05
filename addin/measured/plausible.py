"""What no estate has: I/Os of an interval taken for those of a second, and a desktop that is two by its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from addin.measured.cleaning import names
from addin.measured.estate import Desktop, Table
from addin.measured.grid import READS, SCALE, WRITES
from addin.measured.records import AMBER, Finding, Reading
from addin.numerals import number_of, numeral

# The highest figures of model/data/profiles.csv are 100 IOPS a desktop (all log off within 90 seconds) and 53 (logins);
# a session host of ten users has some 330. A light desktop of 10 IOPS has 600 and more in totals of a minute.
MOST_IOPS = 500.0
_PAIRS = 3
_EFFECT = (
    "published profiles have 100 IOPS a desktop at most. Are these I/Os of an interval, and not of a second? Then "
    "divide them by its seconds"
)


def doubled(desktops: Sequence[Desktop]) -> list[Finding]:
    """Return a finding where desktops have a name with and without a domain: they may be one."""
    known = {each.name.casefold(): each for each in desktops}
    pairs = [
        (bare, each)
        for each in desktops
        if "." in each.name and (bare := known.get(each.name.casefold().partition(".")[0]))
    ]
    if not pairs:
        return []
    shown = ", ".join(f"{one.name} and {other.name}" for one, other in pairs[:_PAIRS])
    more = f" and {number_of(len(pairs) - _PAIRS, 'more pair')}" if len(pairs) > _PAIRS else ""
    return [Finding(AMBER, f"{shown}{more}", "counted as two desktops each; where they are one, give it one name")]


def too_high(tables: Mapping[str, Table], desktops: Sequence[Desktop], readings: Sequence[Reading]) -> Finding | None:
    """Return a finding where desktops have more IOPS over a whole phase than any desktop does."""
    highest = np.zeros(len(desktops))
    for table in tables.values():
        ios = (table.rates[READS] + table.rates[WRITES]).sum(axis=(1, 2)) / SCALE
        highest = np.maximum(highest, ios / np.maximum(table.present.sum(axis=(1, 2)), 1))
    high = [each for each, iops in zip(desktops, highest, strict=True) if iops > MOST_IOPS]
    if not high:
        return None
    most = float(highest.max())
    seconds = max((each.interval_s or 0.0 for each in readings), default=0.0)
    then = f" ({numeral(seconds, ',.0f')} of these files: {numeral(most / seconds, ',.4g')} IOPS)" if seconds else ""
    found = f"{names(high)}: a mean of up to {numeral(most, ',.0f')} IOPS over a phase"
    return Finding(AMBER, found, f"{_EFFECT}{then}; name desktops alone with --desktops")
