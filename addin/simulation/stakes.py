"""What a wrong number of arrays costs, as people type it: beside the run settings on Risk inputs, or in options.

Arrays that turn out to be missing are bought late: dearer, and some working days after they are needed. So long, the
desktops above what the arrays carry are below the agreed level. What such a day costs is nobody's figure but the
user's: where it is blank, certainty alone decides.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from addin.errors import RequestError
from addin.numerals import numeral
from addin.workbook import run_settings
from addin.workbook.book import SizingBook

PREMIUM, LATE_DAYS, DESKTOP_DAY, FAILURE_DAYS, PILOT_COST = run_settings.STAKES
OPTIONS = {  # by setting: the option, its least and its most
    PREMIUM: ("--late-premium", 0.0, 10.0),
    LATE_DAYS: ("--late-days", 0.0, 1000.0),
    DESKTOP_DAY: ("--desktop-day", 0.0, 100_000.0),
    FAILURE_DAYS: ("--failure-days", 0.0, 366.0),
    PILOT_COST: ("--pilot-cost", 0.0, 100_000.0),
}


@dataclass(frozen=True)
class Stakes:
    """The share that a late array costs more, working days until it is in use, money a desktop-day, days a year.

    `desktop_day` is None where no cost of a desktop below its level is typed; then certainty alone decides. `pilot` is
    what one pilot desktop costs, None where it is not typed: then no cost of pilots is counted.
    """

    late_premium: float = 0.0
    late_days: float = 0.0
    desktop_day: float | None = None
    failure_days: float = 0.0
    pilot: float | None = None

    @property
    def money_decides(self) -> bool:
        """Whether a day below the agreed level has a cost, so that the least mean cost is the choice."""
        return self.desktop_day is not None


def stakes(book: SizingBook, given: Mapping[str, str | None] | None = None) -> Stakes:
    """Return what is typed on Risk inputs, or given by setting in its place. Raises RequestError for anything else."""
    found = {}
    for setting, (option, least, most) in OPTIONS.items():
        text = (given or {}).get(setting)
        typed = run_settings.number(book, setting, least, most)
        found[setting] = typed if text is None else _read(option, text, least, most)
    return Stakes(
        late_premium=found[PREMIUM] or 0.0,
        late_days=found[LATE_DAYS] or 0.0,
        desktop_day=found[DESKTOP_DAY],
        failure_days=found[FAILURE_DAYS] or 0.0,
        pilot=found[PILOT_COST],
    )


def _read(option: str, text: str, least: float, most: float) -> float:
    share = text.strip().endswith("%") and option == OPTIONS[PREMIUM][0]
    try:
        value = float(text.strip().removesuffix("%") if share else text) / (100 if share else 1)
    except ValueError:
        value = math.nan
    if not least <= value <= most:
        ends = f"{numeral(least, ',g')} to {numeral(most, ',g')}"
        raise RequestError(f"{option} {text}: expected a number from {ends}. Correct it, or leave it out.")
    return value
