"""How many cloud shares cost less by the month: each further share brings the IOPS that its service includes."""

from __future__ import annotations

from collections.abc import Mapping

from addin.kernel import Address, Scalar
from addin.numerals import numeral
from addin.workbook.book import SizingBook
from addin.workbook.item import currency

LEAST, COUNT, MONTH = "share_count_least", "share_count", "share_cost_month"
MOST = 128  # shares that are tried: an estate that is split further is planned by hand
WORTH, LEVEL = 0.9, 1.01  # of the cost: what is worth a line, and what counts as equal


def cheaper(book: SizingBook, base: Mapping[Address, Scalar]) -> str:
    """Return how many more shares cost less by the month, empty where none cost a tenth less or no cost is known.

    `base` are the inputs that were changed for the design. Counts are tried in steps of two, then between the best of
    them and its neighbours; the fewest shares within a hundredth of the least cost are named.
    """
    if not {COUNT, MONTH} <= book.results.keys() or LEAST not in book.inputs:
        return ""

    def figure(key: str, count: float | None = None) -> float | None:
        typed = {} if count is None else {book.inputs[LEAST].address: count}
        value = book.values({**base, **typed}).value(book.results[key].address)
        return value if isinstance(value, float) and value > 0 else None

    used, now = figure(COUNT), figure(MONTH)
    if used is None or now is None:
        return ""
    steps = [used * 2**power for power in range(1, 8) if used * 2**power <= MOST]
    costs = {count: cost for count in steps if (cost := figure(MONTH, count)) is not None}
    if not costs or min(costs.values()) > now * WORTH:
        return ""
    best = min(costs, key=costs.__getitem__)
    between = {round(best * share) for share in (0.6, 0.7, 0.8, 0.9, 1.2, 1.4, 1.6, 1.8)}
    costs |= {count: cost for count in between if used < count <= MOST and (cost := figure(MONTH, count)) is not None}
    fewest = min(count for count, cost in costs.items() if cost <= min(costs.values()) * LEVEL)
    money = f"{numeral(costs[fewest], ',.2f')} {currency(book.cells)} a month instead of {numeral(now, ',.2f')}"
    return f"Cheaper split over {numeral(fewest, ',.0f')} ({LEAST}={fewest:.0f}): {money}."
