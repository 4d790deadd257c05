"""The cells about the document itself (project, customer, author, date, status): they leave, except about money."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from addin.kernel import Address, Cells, Scalar
from addin.leaving.marks import Known
from addin.workbook import own_rows
from model.layout.codes import CURRENCY_NAME

_PREFIX = "Doc_"
_TOLD = re.compile(r"[$\u20ac\u00a3]|USD|\b(?:EUR|GBP|CHF|prices?)\b", re.IGNORECASE)
_NUMBER = re.compile(r"\d[\d.,' ]*")
_CENTS = re.compile(r"[.,]\d{1,2}$")
_LEAST = 100  # smaller figures occur in names of projects
_DATES = range(36526, 73051)  # 2000 to 2099, as days


def mentions_money(text: str) -> bool:
    """Return whether a text mentions a price."""
    return _TOLD.search(text) is not None


def places(cells: Cells, known: Known) -> Iterator[Address]:
    """Yield the cells about the document, by their defined names in a release."""
    for name, text in cells.names.items():
        if name.startswith(_PREFIX) and name != CURRENCY_NAME and known.name(cells, name):
            yield from own_rows.area(cells, text)


def of_a_price(value: Scalar, prices: Collection[float], currencies: Collection[str]) -> bool:
    """Return whether a value mentions money, repeats a price, or is a number that is not a date."""
    if not isinstance(value, str):
        return value not in _DATES
    words = {word.casefold() for word in re.findall(r"\w+", value)}
    typed = {f"{amount:.0f}" for price in prices if price >= _LEAST for amount in (price, int(price))}
    said = {re.sub(r"\D", "", _CENTS.sub("", text.strip(" .,'"))) for text in _NUMBER.findall(value)}
    return mentions_money(value) or not words.isdisjoint(map(str.casefold, currencies)) or not typed.isdisjoint(said)
