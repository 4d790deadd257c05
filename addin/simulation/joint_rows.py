"""The joint rows of the tab Measured as a spread: each is as likely as the others, and one is drawn per trial.

They take the place of the scale on every phase, which says how far a profile of somebody else may be off.
"""

from __future__ import annotations

from collections.abc import Mapping

from addin.errors import RequestError
from addin.kernel import Address, Evaluator, Scalar
from addin.numerals import numeral
from addin.simulation.spreads import Spread
from addin.workbook import own_rows
from addin.workbook.book import Item, SizingBook

KIND = "joint rows"
KEY, SCALE = "measured_row", "demand_scale_ratio"
COUNT, SOURCE = "joint_rows", "demand_source"  # results: how many the profile has, what the design was sized from
MIX = "steady_joint_read_ratio_factor"  # result: 1 where read share and block size of a joint row count
WHOLE = "steady_measured_ratio"  # result: the share of steady work that a joint row scales
_RATIOS, _PROFILE = "Own_measured_rows", "Own_measured_profile"
_MIXES = "Own_measured_mixes"  # read share and block size; workbooks before 0.3.0 do not have them


def spread(book: SizingBook, item: Item, settled: Mapping[Address, Scalar], where: str) -> Spread | None:
    """Return the spread of the row's number; None where Measured has no joint rows of the design's profile.

    Raises RequestError for another input than that of the row, and for a joint row without a ratio.
    """
    if item.key != KEY:
        raise RequestError(f"{where}: found {KIND!r}, which is for {KEY} alone. Choose another distribution.")
    count = counted(book, settled)
    if not count:
        return None
    _check(book, count)
    numbers = tuple(float(number) for number in range(1, count + 1))
    return Spread("empirical", (), numbers, low=1, high=float(count), whole_number=True, where=where)


def counted(book: SizingBook, settled: Mapping[Address, Scalar]) -> int:
    """Return how many joint rows Measured has of the profile of the design, with some inputs changed."""
    return int(_result(book, settled, COUNT))


def whole(book: SizingBook, settled: Mapping[Address, Scalar]) -> bool:
    """Say whether a joint row scales all of the design's work: false for user groups with another profile too."""
    return WHOLE not in book.results or _result(book, settled, WHOLE) == 1


def _result(book: SizingBook, settled: Mapping[Address, Scalar], key: str) -> float:
    """Return a result of the base design; 0 where it is a word, or of a workbook that does not have it."""
    found = Evaluator(book.cells, settled).value(book.results[key].address) if key in book.results else 0.0
    return found if isinstance(found, float) else 0.0


def _check(book: SizingBook, count: int) -> None:
    """Raise RequestError for a joint row that lacks a figure that others have."""
    cells = _cells(book, _RATIOS)
    mixes = _cells(book, _MIXES)
    filled = {at.column for at in (*cells, *mixes) if _figure(book, at) is not None}
    first = min((at.row for at in cells), default=0)
    for at in (*cells, *mixes):
        if at.row < first + count and at.column in filled and _figure(book, at) is None:
            held = book.cells.constant(at)
            found = "is blank" if held in (None, "") else f"found {numeral(held, 'g') if held == 0 else held!r}"
            what = "ratio" if at in cells else "read share or block size"
            raise RequestError(
                f"{at.a1}: {found}, expected the {what} of a resample, above 0: rows 1 to {count} have one for each "
                "phase measured. Type it, or run measure --save again."
            )


def _cells(book: SizingBook, name: str) -> list[Address]:
    return own_rows.area(book.cells, book.cells.names.get(name, ""))


def _figure(book: SizingBook, at: Address) -> float | None:
    value = book.cells.constant(at)
    return value if isinstance(value, float) and value > 0 else None


def drawn(book: SizingBook, settled: Mapping[Address, Scalar], scale: Item) -> str:
    """Return the note of a run that draws joint rows: what was measured, how many, and what is not drawn for it."""
    source = Evaluator(book.cells, settled).value(book.results[SOURCE].address) if SOURCE in book.results else ""
    count = counted(book, settled)
    words = f"{str(source)[:1].upper()}{str(source)[1:]}; {count} joint rows: each trial draws one"
    if whole(book, settled):
        counts = MIX not in book.results or _result(book, settled, MIX) == 1
        mixed = counts and any(_figure(book, at) is not None for at in _cells(book, _MIXES))
        return f"{words}{' with its read share and block size' * mixed}, and {scale.short.lower()} is not drawn."
    return f"{words} for the groups with a profile measured; {scale.short.lower()} is drawn for all."


def left(book: SizingBook, settled: Mapping[Address, Scalar]) -> str:
    """Return the note of a run whose design has another profile than the one measured; empty where none was."""
    (at,) = _cells(book, _PROFILE)[:1] or (None,)
    if at is None or counted(book, settled) or all(_figure(book, each) is None for each in _cells(book, _RATIOS)):
        return ""
    return f"Joint rows are not drawn: they are of {book.cells.constant(at)}, and the design has another profile."
