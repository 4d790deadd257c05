"""How far the demand of a profile may be off, by its class: measured here, published in this generation, or another.

The spread is a standard deviation of the logarithm, typed on Risk inputs. One document predicts the next of its
generation within about 20 %, and of another generation within a factor of 1.8. The median is the profile's own figure,
unless the demand that is expected over it is typed: the documents print less than the profile shipped, and less demand
buys fewer arrays, so nothing but a person moves it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from addin.errors import RequestError
from addin.kernel import Address, Evaluator, Scalar
from addin.numerals import numeral
from addin.simulation.spreads import Spread
from addin.workbook.book import Item, SizingBook
from addin.workbook.run_settings import number

KIND, KEY = "by class", "demand_scale_ratio"
RESULT = "demand_class"  # the class of the design, in words
MEASURED, THIS, OTHER, TYPED = "measured here", "published", "published for another generation", "typed"
SETTINGS = {  # class -> the run setting with its spread; of a typed profile nobody said how sure it is
    MEASURED: "spread_measured_ratio",
    THIS: "spread_published_ratio",
    OTHER: "spread_other_ratio",
    TYPED: "spread_other_ratio",
}
CENTRES = {THIS: "centre_published_ratio", OTHER: "centre_other_ratio", TYPED: "centre_other_ratio"}
_LEAST, _MOST = 0.1, 3.0
_CERTAIN = 1e-9  # the spread of a centre that is typed without one


def spread(book: SizingBook, item: Item, settled: Mapping[Address, Scalar], where: str) -> Spread | None:
    """Return the spread of the scale on every phase for the class of a design; None where it is 1 for certain.

    Raises RequestError for another input, and for a spread that is blank or no number.
    """
    if item.key != KEY:
        raise RequestError(f"{where}: found {KIND!r}, which is for {KEY} alone. Choose another distribution.")
    return of_class(book, item, class_of(book, settled), where)


def class_of(book: SizingBook, settled: Mapping[Address, Scalar]) -> str:
    """Return the class of the base design, some inputs changed; "typed" where the workbook has none."""
    found = Evaluator(book.cells, settled).value(book.results[RESULT].address) if RESULT in book.results else TYPED
    return found if isinstance(found, str) and found in SETTINGS else TYPED


def of_class(book: SizingBook, item: Item, name: str, where: str) -> Spread | None:
    """Return the spread for a class of demand. Raises RequestError for one that is blank or no number."""
    scatter = number(book, SETTINGS[name], 0.0, _MOST)
    if scatter is None:
        raise RequestError(f"{where}: {KIND}, and Run_{SETTINGS[name]} is blank. Type the spread of {name!r} there.")
    middle = centre(book, name)
    if not scatter and middle == 1:
        return None
    low = -math.inf if item.minimum is None else item.minimum
    high = math.inf if item.maximum is None else item.maximum
    scatter = max(scatter, _CERTAIN)
    mean = middle * math.exp(scatter**2 / 2)
    return Spread("lognormal", (mean, mean * math.sqrt(math.expm1(scatter**2))), low=low, high=high, where=where)


def centre(book: SizingBook, name: str) -> float:
    """Return the median of the scale for a class of demand: as typed, else 1. Raises RequestError for no number."""
    typed = number(book, CENTRES[name], _LEAST, _MOST) if name in CENTRES else None
    return 1.0 if typed is None else typed


def spreads(book: SizingBook, item: Item) -> dict[str, Spread]:
    """Return the spread of every class that has one."""
    found = {name: of_class(book, item, name, item.key) for name in SETTINGS}
    return {name: each for name, each in found.items() if each is not None}


def drawn(book: SizingBook, settled: Mapping[Address, Scalar], scale: Item) -> str:
    """Return the note of a run that draws the scale by class."""
    name = class_of(book, settled)
    scatter = number(book, SETTINGS[name], 0.0, _MOST) or 0.0
    factor = numeral(math.exp(scatter), ".2f")
    middle = centre(book, name)
    around = "" if middle == 1 else f" of {numeral(middle, 'g')} times its figure"
    text = f"{scale.short} is drawn as of a profile that is {name}: two of three sites within a factor of {factor}"
    return f"{text}{around}."
