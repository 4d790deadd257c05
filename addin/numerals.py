"""How a number is written for people: in English, or with the separators of the office that a button was pressed in.

What programs read (JSON, CSV, a shell's output, formulas) stays English: `use` is called for the run of a button alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from addin.kernel.excel.separators import ENGLISH, Separators, in_english, localized, use

__all__ = [
    "ENGLISH",
    "SAMPLE",
    "Separators",
    "english",
    "in_english",
    "localized",
    "number_of",
    "numeral",
    "of_sample",
    "use",
]
SAMPLE = 1234567.5


def numeral(value: float, form: str = ",") -> str:
    """Return a number as a person reads it; `form` is a format of Python: thousands separators alone, unless given."""
    return localized(format(value, form))


def number_of(count: float, one: str, many: str = "") -> str:
    """Return a count with what is counted: one array, two arrays; `many` where an s at the end is not enough."""
    return f"{numeral(count, ',.0f')} {one if count == 1 else many or f'{one}s'}"


@contextmanager
def english() -> Iterator[None]:
    """Write numbers in English meanwhile: in documents in English, which leave the office."""
    before = use(ENGLISH)
    try:
        yield
    finally:
        use(before)


def of_sample(sample: str) -> Separators:
    """Return the separators in SAMPLE as an office writes it, with one decimal; English where they are unknown."""
    found = re.fullmatch(r"1(?P<between>\D?)234(?P=between)567(?P<before>\D)5", sample.strip())
    if found is None or found["between"] == found["before"]:
        return ENGLISH
    return Separators(found["before"], found["between"])
