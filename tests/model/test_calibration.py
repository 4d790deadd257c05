"""How often an interval was right: each paper judged by the others, hits and exact intervals as computed apart."""

import math
from collections.abc import Mapping
from statistics import NormalDist

import pytest
from scipy.stats import binomtest

from addin.kernel import Address, Cells, Evaluator, Scalar
from model.layout.grid import FIRST_ROW
from model.sheets.proof import predictions
from model.workbook import Built

SHARES = (0.5, 0.8, 0.9)
NAME, SPREAD, HITS = predictions.NAME, 10, 12


@pytest.fixture(scope="module")
def misses(built: Built, cells: Cells) -> list[tuple[str, float]]:
    """Return paper and ln(printed / ours) of the IOPS that one test predicts of another, from the errors above."""
    evaluator, found = Evaluator(cells), []
    for row, item in enumerate(built.data.predictions, FIRST_ROW):
        if (item.scope, item.role, item.unit) == ("across", "fixed", "IOPS"):
            error = evaluator.value(Address(NAME, row, predictions.column("Error")))
            assert isinstance(error, float)
            assert item.low
            found.append((built.data.facts.fact(item.low).paper, -math.log1p(error)))
    return found


def rows(cells: Cells, count: int) -> tuple[range, range]:
    """Return the rows of the misses and those of the tally below them."""
    heads = (
        at.row
        for at in cells.stored(NAME)
        if cells.constant(at) == "Interval, share that it should hold (95 %: of the exact one below)"
    )
    first = next(heads) + 3
    return range(first, first + count), range(first + count + 1, first + count + 11, 2)


def tally(cells: Cells, count: int, changed: Mapping[Address, Scalar] | None = None) -> list[list[Scalar]]:
    """Return right, of, at least, at most and verdict of every interval."""
    evaluator = Evaluator(cells, changed or {})
    _, below = rows(cells, count)
    return [[evaluator.value(Address(NAME, row, HITS + n)) for row in below] for n in range(len(SHARES))]


def test_a_paper_is_judged_by_the_misses_of_the_others(cells: Cells, misses: list[tuple[str, float]]) -> None:
    found = tally(cells, len(misses))
    for share, (right, of, least, most, verdict) in zip(SHARES, found, strict=True):
        width = NormalDist().inv_cdf((1 + share) / 2)
        expected = 0
        for paper, log in misses:
            others = [other for name, other in misses if name != paper]
            expected += abs(log) <= width * math.sqrt(math.fsum(x * x for x in others) / len(others))
        exact = binomtest(expected, len(misses)).proportion_ci(0.95, method="exact")
        assert (right, of) == (expected, len(misses))
        assert (least, most) == pytest.approx((exact.low, exact.high), rel=1e-9)
        assert verdict == "not rejected"


@pytest.mark.parametrize(
    ("spread", "verdicts"), [(0.001, ["too narrow"] * 3), (100.0, ["too wide", "not rejected", "not rejected"])]
)
def test_spreads_that_are_wrong_are_called_so(
    cells: Cells, misses: list[tuple[str, float]], spread: float, verdicts: list[str]
) -> None:
    """Thirteen of thirteen refute a share of a half, at least 75 % being right; they do not refute 80 or 90 %."""
    above, _ = rows(cells, len(misses))
    planted = dict.fromkeys((Address(NAME, row, SPREAD) for row in above), spread)
    assert [each[-1] for each in tally(cells, len(misses), planted)] == verdicts
