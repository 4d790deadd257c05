"""The texts that leave, except about money: of the document itself (project, customer, author), and of Hand-off."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from addin.kernel import Address, Cells, Scalar
from addin.leaving.amounts import mentions_money, says_an_amount
from addin.leaving.marks import Known
from addin.workbook import own_rows
from model.layout.codes import CURRENCY_NAME, HAND_OFF_NAMES

_PREFIX = "Doc_"
_NUMBER = re.compile(r"\d[\d.,' ]*")
_CENTS = re.compile(r"[.,]\d{1,2}$")
_LEAST = 100  # smaller figures occur in names of projects
_DATES = range(36526, 73051)  # 2000 to 2099, as days


def places(cells: Cells, known: Known) -> Iterator[tuple[Address, str]]:
    """Yield the cells of these texts, each with its defined name in a release."""
    for name, text in cells.names.items():
        if name.startswith((_PREFIX, HAND_OFF_NAMES)) and name != CURRENCY_NAME and known.name(cells, name):
            yield from ((at, name) for at in own_rows.area(cells, text))


def of_a_price(name: str, value: Scalar, prices: Collection[float], currencies: Collection[str]) -> bool:
    """Return whether the cell of a name mentions money, repeats a price, or has a number that is not a date.

    A number on Hand-off has no unit, so that it may be a price; no date is typed there.
    """
    if not isinstance(value, str):
        return name.startswith(HAND_OFF_NAMES) or value not in _DATES
    words = {word.casefold() for word in re.findall(r"\w+", value)}
    if mentions_money(value) or says_an_amount(value):
        return True
    return not words.isdisjoint(map(str.casefold, currencies)) or repeats(value, prices)


def repeats(text: str, prices: Collection[float]) -> bool:
    """Return whether a text has one of some prices, with or without its cents, also behind another number."""
    typed = {f"{amount:.0f}" for price in prices if price >= _LEAST for amount in (price, int(price))}
    return not typed.isdisjoint(digits for found in _NUMBER.findall(text) for digits in _readings(found))


def _readings(text: str) -> Iterator[str]:
    """Yield the digits of every number that a run of digits may be: X20 91357 has 20, 91357, and both as one."""
    groups = text.split()
    for first in range(len(groups)):
        for last in range(first, len(groups)):
            number = " ".join(groups[first : last + 1]).strip(" .,'")
            yield re.sub(r"\D", "", _CENTS.sub("", number))
