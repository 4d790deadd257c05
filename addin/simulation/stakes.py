"""What a wrong number of arrays costs, as people type it: beside the run settings on Risk inputs, or in options.

Arrays that turn out to be missing are bought late: dearer, and some working days after they are needed. So long, the
desktops above what the arrays carry are below the agreed level. What such a day costs is nobody's figure but the
user's: where it is blank, certainty alone decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from addin.errors import RequestError
from addin.kernel import Address
from addin.workbook import run_settings
from addin.workbook.book import SizingBook
from addin.workbook.item import SHARE, Item, number
from addin.workbook.reads import Reads

PREMIUM, LATE_DAYS, DESKTOP_DAY, FAILURE_DAYS, PILOT_COST = run_settings.STAKES
OPTIONS = {  # by setting: the option, its least and its most
    PREMIUM: ("--late-premium", 0.0, 10.0),
    LATE_DAYS: ("--late-days", 0.0, 1000.0),
    DESKTOP_DAY: ("--desktop-day", 0.0, 100_000.0),
    FAILURE_DAYS: ("--failure-days", 0.0, 366.0),
    PILOT_COST: ("--pilot-cost", 0.0, 100_000.0),
}


UNITS = {PREMIUM: SHARE, LATE_DAYS: "days", DESKTOP_DAY: "money", FAILURE_DAYS: "days", PILOT_COST: "money"}
NOWHERE = Address("", 1, 1)  # an option has no cell
CORRECT = " Correct it, or leave it out."


@dataclass(frozen=True)
class Stakes:
    """The share that a late array costs more, working days until it is in use, money a desktop-day, days a year.

    `desktop_day` is None where no cost of a desktop below its level is typed; then certainty alone decides. `pilot` is
    what one pilot desktop costs, None where it is not typed: then no cost of pilots is counted. `given` are settings
    that an option gave.
    """

    late_premium: float = 0.0
    late_days: float = 0.0
    desktop_day: float | None = None
    failure_days: float = 0.0
    pilot: float | None = None
    given: tuple[str, ...] = field(default=(), compare=False)

    @property
    def money_decides(self) -> bool:
        """Whether a day below the agreed level has a cost, so that the least mean cost is the choice."""
        return self.desktop_day is not None


def stakes(book: SizingBook, given: Mapping[str, str | None] | None = None) -> Stakes:
    """Return what is typed on Risk inputs, or given by setting in its place.

    Raises RequestError for anything else, and for an option that would change nothing.
    """
    found: dict[str, float | None] = {}
    options: dict[str, str] = {}
    for setting, (option, least, most) in OPTIONS.items():
        text = (given or {}).get(setting)
        typed = run_settings.number(book, setting, least, most)
        found[setting] = typed if text is None else _read(option, text, least, most)
        options |= {} if text is None else {setting: f"{option} {text}"}
    for setting in (LATE_DAYS, FAILURE_DAYS, PILOT_COST):
        if setting in options and found[DESKTOP_DAY] is None:
            raise RequestError(
                f"{options[setting]}: changes nothing without a cost of a desktop below the agreed level. "
                f"Add {OPTIONS[DESKTOP_DAY][0]}, or leave it out."
            )
    return Stakes(
        late_premium=found[PREMIUM] or 0.0,
        late_days=found[LATE_DAYS] or 0.0,
        desktop_day=found[DESKTOP_DAY],
        failure_days=found[FAILURE_DAYS] or 0.0,
        pilot=found[PILOT_COST],
        given=tuple(options),
    )


def typed_stakes(book: SizingBook, found: Stakes) -> Reads:
    """Return what was read on Risk inputs: what no option gave."""
    typed = [setting for setting in OPTIONS if setting not in found.given]
    return run_settings.reads(book, *typed) if typed else Reads((), ())


def require_a_quote(stakes: Stakes) -> None:
    """Raise RequestError where an option was given, but no array has a quote that a late one would be dearer than."""
    if stakes.given:
        options = " and ".join(OPTIONS[setting][0] for setting in stakes.given)
        changes = "change" if len(stakes.given) > 1 else "changes"
        raise RequestError(f"{options}: {changes} nothing without a quote that counts. Enter one, or leave it out.")


def _read(option: str, text: str, least: float, most: float) -> float:
    """Return a number as `--set` reads it: a point that may be one of thousands is refused."""
    setting = next(key for key, (name, *_) in OPTIONS.items() if name == option)
    item = Item(setting, NOWHERE, "", UNITS[setting], least, most, integer=setting != PREMIUM)
    value = number(item, text, f"{option} {text}")
    if not least <= value <= most:
        meant = f" Did you mean {text.strip()}%?" if setting == PREMIUM and most < value <= 100 * most else ""
        raise RequestError(f"{option} {text}: expected a number from {least:.0f} to {most:.0f}.{meant or CORRECT}")
    return value
