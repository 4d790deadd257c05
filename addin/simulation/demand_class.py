"""How far the demand of a profile may be off, by its class: measured here, published in this generation, or another.

The spread is a standard deviation of the logarithm, typed on Risk inputs; blank = as Predictions computes it. One
document predicts the next of its generation within about 20 %, and of another generation within a factor of 1.8. The
median is the profile's own figure, unless the demand that is expected over it is typed: the documents print less than
the profile shipped, and less demand buys fewer arrays, so nothing but a person moves it.

The scale on every phase is common to all phases. The scale of one phase is what that phase has beyond it: where
Predictions has enough figures, the part by which its spread exceeds that of all phases; otherwise nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from addin.errors import RequestError
from addin.kernel import Address, Evaluator, Scalar
from addin.numerals import numeral
from addin.simulation.spreads import Spread
from addin.workbook.book import Item, SizingBook
from addin.workbook.run_settings import number

KIND, KEY = "by class", "demand_scale_ratio"
PARTS = {f"{name}_scale_ratio": name for name in ("boot", "login", "steady", "logoff", "patching", "capacity")}
RESULT = "demand_class"  # the class of the design, in words
MEASURED, THIS, OTHER, TYPED = "measured here", "published", "published for another generation", "typed"
SETTINGS = {  # class -> the run setting with its spread; of a typed profile nobody said how sure it is
    MEASURED: "spread_measured_ratio",
    THIS: "spread_published_ratio",
    OTHER: "spread_other_ratio",
    TYPED: "spread_other_ratio",
}
GENERATIONS = {THIS: "this", OTHER: "another", TYPED: "another"}  # of the figures on Predictions; none measured here
CENTRES = {THIS: "centre_published_ratio", OTHER: "centre_other_ratio", TYPED: "centre_other_ratio"}
_LEAST, _MOST = 0.1, 3.0
_CERTAIN = 1e-9  # the spread of a centre that is typed without one


def spread(book: SizingBook, item: Item, settled: Mapping[Address, Scalar], where: str) -> Spread | None:
    """Return the spread of the scale on every phase, or on one, for the class of a design; None where it is certain.

    Raises RequestError for another input, and for a spread that is not known or no number.
    """
    if item.key != KEY and item.key not in PARTS:
        raise RequestError(
            f"{where}: found {KIND!r}, which is for {KEY} and the scale of one phase. Choose another distribution."
        )
    return of_class(book, item, class_of(book, settled), where)


def class_of(book: SizingBook, settled: Mapping[Address, Scalar]) -> str:
    """Return the class of the base design, some inputs changed; "typed" where the workbook has none."""
    found = Evaluator(book.cells, settled).value(book.results[RESULT].address) if RESULT in book.results else TYPED
    return found if isinstance(found, str) and found in SETTINGS else TYPED


def of_class(book: SizingBook, item: Item, name: str, where: str) -> Spread | None:
    """Return the spread for a class of demand. Raises RequestError for one that is not known or no number."""
    scatter = own_part(book, item.key, name) if item.key in PARTS else common(book, name)
    if scatter is None:
        raise RequestError(f"{where}: {KIND}, and Run_{SETTINGS[name]} is blank. Type the spread of {name!r} there.")
    middle = 1.0 if item.key in PARTS else centre(book, name)
    if not scatter and middle == 1:
        return None
    low = -math.inf if item.minimum is None else item.minimum
    high = math.inf if item.maximum is None else item.maximum
    scatter = max(scatter, _CERTAIN)
    mean = middle * math.exp(scatter**2 / 2)
    return Spread("lognormal", (mean, mean * math.sqrt(math.expm1(scatter**2))), low=low, high=high, where=where)


def common(book: SizingBook, name: str) -> float | None:
    """Return the spread of every phase of a class: as typed, else as Predictions computes it; None without either."""
    typed = number(book, SETTINGS[name], 0.0, _MOST)
    return _computed(book, f"Run_every_spread_{GENERATIONS.get(name)}") or None if typed is None else typed


def own_part(book: SizingBook, key: str, name: str) -> float:
    """Return what the spread of one phase has beyond that of every phase; 0 where too few figures say so."""
    return _computed(book, f"Run_{PARTS[key]}_spread_{GENERATIONS.get(name)}")


def _computed(book: SizingBook, name: str) -> float:
    """Return a spread that the workbook computes; 0 of a copy without it."""
    text = book.cells.names.get(name, "#REF!")
    found = None if "#REF!" in text else book.computed.value(Address.from_a1(text))
    return found if isinstance(found, float) and 0 <= found <= _MOST else 0.0


def centre(book: SizingBook, name: str) -> float:
    """Return the median of the scale for a class of demand: as typed, else 1. Raises RequestError for no number."""
    typed = number(book, CENTRES[name], _LEAST, _MOST) if name in CENTRES else None
    return 1.0 if typed is None else typed


def spreads(book: SizingBook, item: Item) -> dict[str, Spread]:
    """Return the spread of every class that has one."""
    found = {name: of_class(book, item, name, item.key) for name in SETTINGS}
    return {name: each for name, each in found.items() if each is not None}


def drawn(book: SizingBook, settled: Mapping[Address, Scalar], scale: Item, parts: Iterable[Item] = ()) -> str:
    """Return the note of a run that draws the scale by class, and that of some phases beyond it."""
    name = class_of(book, settled)
    scatter = common(book, name) or 0.0
    factor = numeral(math.exp(scatter), ".2f")
    middle = centre(book, name)
    around = "" if middle == 1 else f" of {numeral(middle, 'g')} times its figure"
    text = f"{scale.short} is drawn as of a profile that is {name}: two of three sites within a factor of {factor}"
    factors = ((part, numeral(math.exp(own_part(book, part.key, name)), ".2f")) for part in parts)
    beyond = "".join(f"; {part.short.lower()} moves beyond that, within a factor of {more}" for part, more in factors)
    return f"{text}{around}{beyond}."
