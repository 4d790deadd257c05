"""The texts that leave, except about money: of the document itself (project, customer, author), and of Hand-off."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator

from addin.kernel import Address, Cells, Scalar
from addin.leaving.marks import Known
from addin.workbook import own_rows
from model.layout.codes import CURRENCY_NAME, HAND_OFF_NAMES

_PREFIX = "Doc_"
_TOLD = re.compile(r"[$\u20ac\u00a3]|USD|\b(?:EUR|GBP|CHF|prices?)\b", re.IGNORECASE)
_CURRENCY = re.compile(
    r"\b(?:euros?|dollars?|pounds?|sterling|francs?|yen|yuan|rupees?|kron(?:a|e|er|or)|cents?|pence)\b", re.IGNORECASE
)
_CODE = re.compile(
    r"\b(?:AED|AUD|BRL|CAD|CNY|COP|CZK|DKK|HKD|HUF|IDR|ILS|INR|JPY|KRW|MXN|MYR|NOK|NZD|PLN|RON|RUB|SEK|SGD|THB|TWD|ZAR)\b"
)
_COST = re.compile(  # with a number beside it, an amount
    r"\b(?:costs?|costing|quot(?:e[ds]?|ations?)|budget\w*|discount\w*|pa(?:y|ys|id|ying|yments?)|fees?|invoice\w*"
    r"|priced?|tariffs?|spen[dt]|purchased?|rebates?|Preise?|Kosten|Rabatt|Angebot)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"\d|\b(?:hundred|thousand|million)\b", re.IGNORECASE)
_GROUPED = re.compile(  # 12,345.67; no address such as 10.120.130.14, which has one sign throughout
    r"\b\d{1,3}(?P<sign>[., '\u00a0\u202f])\d{3}(?:(?P=sign)\d{3})?(?:(?!(?P=sign))[.,]\d{1,2})?\b(?![., ']?\d)"
    r"[\s\u00a0]*(?P<unit>\w*)"
)
_UNIT = re.compile(
    r"[kmgtp]i?(?:b|bytes?)|m?s|h|k?w|k?va|btu|mm|rpm|seconds?|minutes?|hours?|days?|iops|i|ios?|users?|desktops?"
    r"|machines?|vms|hosts|files|blocks|volumes|luns|seats|connections",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d[\d.,' ]*")
_CENTS = re.compile(r"[.,]\d{1,2}$")
_LEAST = 100  # smaller figures occur in names of projects
_DATES = range(36526, 73051)  # 2000 to 2099, as days


def mentions_money(text: str) -> bool:
    """Return whether a text mentions a price."""
    return _TOLD.search(text) is not None


def _says_an_amount(text: str) -> bool:
    """Return whether a text names a currency, counts a cost, or has a number in groups of three without a unit."""
    if any(unicodedata.category(sign) == "Sc" for sign in text) or _CURRENCY.search(text) or _CODE.search(text):
        return True
    if _COST.search(text) and _COUNTED.search(text):
        return True
    return any(not _UNIT.fullmatch(found["unit"]) for found in _GROUPED.finditer(text))


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
    typed = {f"{amount:.0f}" for price in prices if price >= _LEAST for amount in (price, int(price))}
    said = {re.sub(r"\D", "", _CENTS.sub("", text.strip(" .,'"))) for text in _NUMBER.findall(value)}
    if mentions_money(value) or _says_an_amount(value):
        return True
    return not words.isdisjoint(map(str.casefold, currencies)) or not typed.isdisjoint(said)
