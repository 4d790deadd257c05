"""The words of a decision: chances and amounts with the digits that assumed spreads and the draws support."""

from __future__ import annotations

import math

from addin.numerals import numeral
from addin.simulation.designs import COST
from addin.workbook.book import SizingBook

LEAST_DIGITS = 3  # of money in a sentence


def unit(book: SizingBook) -> str:
    """Return the currency of the costs."""
    return book.results[COST].unit if COST in book.results else ""


def percent(share: float) -> str:
    """Return a share in whole percent."""
    return numeral(share, ".0%")


def about(share: float) -> str:
    """Return a chance with the digits that assumed spreads support: whole percent, never 0 % or 100 %."""
    if share > 0.99:
        return "over 99%"
    return f"about {percent(share)}" if share >= 0.01 else "under 1%"


def money(value: float, currency: str, digits: int = LEAST_DIGITS) -> str:
    """Return an amount in words, rounded to some digits."""
    places = max(0, math.floor(math.log10(abs(value))) + 1 - digits) if value else 0
    return f"{numeral(round(value, -places), ',.0f')} {currency}"


def supported(value: float, error: float) -> float:
    """Return an amount to the digit that its error begins with, a whole one at most; as it is without an error."""
    if not (math.isfinite(value) and math.isfinite(error) and error > 0):
        return value
    return round(value, -max(0, math.floor(math.log10(error)))) + 0.0  # -0 is 0


def answered(value: float, error: float) -> float:
    """Return an amount to the digits that an answer has at most, and that its error supports."""
    return (
        supported(value, max(error, 10.0 ** (math.floor(math.log10(abs(value))) + 1 - LEAST_DIGITS))) if value else 0.0
    )
