"""What the buttons run with: a few cells of the workbook, named `Run_<setting>`. Older copies have none.

A parameter that a command is given goes before its cell; a blank cell leaves it to the command.
"""

from __future__ import annotations

from dataclasses import dataclass

from addin.errors import RequestError
from addin.kernel import Address, Scalar
from addin.numerals import numeral
from addin.workbook import columns
from addin.workbook.book import SizingBook, shown
from addin.workbook.reads import Read, Reads

PREFIX = "Run_"
TRIALS, SEED, TARGET, EXPLAINED = "trials", "seed", "target", "explained"
# what a wrong choice costs, and what a pilot desktop does that might prevent it
STAKES = ("late_premium_ratio", "late_days", "desktop_day_cost", "failure_days", "pilot_cost")
SPREADS = ("spread_published_ratio", "spread_other_ratio", "spread_measured_ratio")  # of the demand, by its class
CENTRES = ("centre_published_ratio", "centre_other_ratio")  # of the demand over the profile's figure, by its class
NUMBERS = (TRIALS, SEED, *STAKES, *SPREADS, *CENTRES)


@dataclass(frozen=True)
class RunSettings:
    """The cells as they are typed; None for a blank one."""

    trials: int | None = None
    seed: int | None = None
    target: str | None = None
    explained: str | None = None


def run_settings(book: SizingBook) -> RunSettings:
    """Return what is typed. Raises RequestError for a cell that holds something else than it is for."""
    return RunSettings(
        trials=_whole(book, TRIALS),
        seed=_whole(book, SEED),
        target=_word(book, TARGET, "a result and a number such as arrays_required=2"),
        explained=_word(book, EXPLAINED, "the key of a result such as cost_per_desktop"),
    )


def cells(book: SizingBook, *settings: str) -> frozenset[Address]:
    """Return the cells of some settings, of all unless named."""
    names = settings or (*NUMBERS, TARGET, EXPLAINED)
    return frozenset(at for name in names if (at := _cell(book, name)) is not None)


def reads(book: SizingBook, *settings: str) -> Reads:
    """Return some settings as what a run has read."""
    filled, blank = [], []
    for at in sorted(cells(book, *settings)):
        value = book.cells.constant(at)
        if value is None:
            blank.append(at)
        else:
            label = book.cells.constant(columns.label(book.cells, at))
            filled.append(Read(str(label or at.a1), "", "", at, value))
    return Reads(tuple(filled), tuple(blank))


def number(book: SizingBook, setting: str, least: float, most: float) -> float | None:
    """Return a number that is typed, None for a blank cell or a copy without it.

    Raises RequestError for anything else, and for a number that is not from `least` to `most`.
    """
    where, value = _typed(book, setting)
    if value is None:
        return None
    if not isinstance(value, float) or not least <= value <= most:
        ends = f"{numeral(least, ',g')} to {numeral(most, ',g')}"
        raise RequestError(
            f"{where}: found {_echo(value)}, expected a number from {ends}. Type one, or clear the cell."
        )
    return value


def _cell(book: SizingBook, setting: str) -> Address | None:
    text = book.cells.names.get(f"{PREFIX}{setting}")
    return None if text is None or "#REF!" in text else Address.from_a1(text)


def _typed(book: SizingBook, setting: str) -> tuple[str, Scalar]:
    at = _cell(book, setting)
    return (at.a1, book.cells.constant(at)) if at is not None else ("", None)


def _whole(book: SizingBook, setting: str) -> int | None:
    where, value = _typed(book, setting)
    if value is None:
        return None
    if not isinstance(value, float) or value != int(value):
        raise RequestError(f"{where}: found {_echo(value)}, expected a whole number. Type one, or clear the cell.")
    return int(value)


def _word(book: SizingBook, setting: str, expected: str) -> str | None:
    where, value = _typed(book, setting)
    if value is None:
        return None
    if not isinstance(value, str) or not value.strip():
        raise RequestError(f"{where}: found {_echo(value)}, expected {expected}. Type it, or clear the cell.")
    return value.strip()


def _echo(value: Scalar) -> str:
    """Return what is typed, with all of its digits."""
    return numeral(value, ",.15g") if isinstance(value, float) else repr(shown(value))
