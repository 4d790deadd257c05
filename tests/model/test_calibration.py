"""How often an interval was right: each paper judged by the others, hits, scores and exact intervals as found apart."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import NormalDist, fmean

import pytest
from scipy.stats import binomtest

from addin.kernel import Address, Cells, Evaluator, Scalar
from addin.measured.against import LEAST
from model.layout.grid import FIRST_ROW
from model.sheets.proof import calibration, phase_spreads, predictions
from model.workbook import Built
from tests.support.tracing import Tracer, behind

NAME = predictions.NAME


@dataclass(frozen=True)
class Figure:
    """A prediction of IOPS: the papers predicted and predicting, ln(printed / ours), its phase and scope."""

    paper: str
    other: str
    log: float
    phase: str
    scope: str


@pytest.fixture(scope="module")
def figures(built: Built, cells: Cells) -> list[Figure]:
    """Return the IOPS that one test predicts of another, from the errors above, across generations first."""
    evaluator, found = Evaluator(cells), []
    for row, item in enumerate(built.data.predictions, FIRST_ROW):
        if item.scope != "within" and (item.role, item.unit) == ("fixed", "IOPS"):
            error = evaluator.value(Address(NAME, row, predictions.column("Error")))
            assert isinstance(error, float)
            assert item.low
            paper, phase = built.data.facts.fact(item.low).paper, calibration.phase_of(item)
            found.append(Figure(paper, item.from_paper, -math.log1p(error), phase, item.scope))
    return found


def root_mean_square(logs: list[float]) -> float:
    return math.sqrt(math.fsum(x * x for x in logs) / len(logs))


def spread_of(figures: list[Figure], one: Figure) -> float:
    """Return the root mean square of the misses of its generation in which the paper predicted has no part.

    Five or more of its phase count alone.
    """
    others = [each for each in figures if one.paper not in (each.paper, each.other) and each.scope == one.scope]
    own = [each for each in others if each.phase == one.phase]
    return root_mean_square([each.log for each in (own if len(own) >= 5 else others)])


def tallied(figures: list[Figure]) -> list[list[Figure]]:
    """Return the figures of each row of the tallies: those of every paper, then all of each generation."""
    papers = dict.fromkeys(each.paper for each in figures)
    scopes = ("across", "generation")
    by_paper = [[each for each in figures if each.paper == paper] for paper in papers]
    return [*by_paper, *([each for each in figures if each.scope == scope] for scope in scopes)]


def score_of(log: float, half: float, share: float) -> float:
    """Return the interval score of (-half, half), as Gneiting and Raftery (2007) have it, equation 43."""
    low, high, alpha = -half, half, 1 - share
    return high - low + 2 / alpha * max(0.0, low - log) + 2 / alpha * max(0.0, log - high)


def row_of(cells: Cells, column: int, text: str) -> int:
    """Return the row below a heading that a column has once."""
    (found,) = (at.row for at in cells.stored(NAME) if at.column == column and cells.constant(at) == text)
    return found + 1


def misses(cells: Cells, count: int) -> range:
    first = row_of(cells, calibration.SQUARE, "Its square, ratio") + 3
    return range(first, first + count)


def table(
    cells: Cells, papers: int, column: int, heading: str, changed: Mapping[Address, Scalar] | None = None
) -> list[list[Scalar]]:
    """Return the three columns from one on, a row for each paper and the last for each generation."""
    evaluator, first = Evaluator(cells, changed or {}), row_of(cells, column, heading)
    rows = range(first, first + papers + 2)
    return [[evaluator.value(Address(NAME, row, column + n)) for n in range(3)] for row in rows]


def test_the_paper_that_predicts_is_behind_the_prediction_and_no_third_is(built: Built, cells: Cells) -> None:
    """Figures of the paper predicted, such as its desktops, may be behind it too; S of a latency rests on a third."""
    tracer, checked = Tracer(cells), 0
    for item in built.data.predictions:
        if item.scope != "within" and item.role == "fixed":
            assert item.low
            own = built.data.facts.fact(item.low).paper
            papers = {built.data.facts.fact(id).paper for id in behind(built, tracer, item)}
            assert item.from_paper in papers, item.id
            assert item.unit != "IOPS" or papers <= {own, item.from_paper}, item.id
            checked += 1
    assert checked > 20


def test_a_paper_is_judged_by_the_misses_of_the_others(cells: Cells, figures: list[Figure]) -> None:
    papers = list(dict.fromkeys(each.paper for each in figures))
    right = table(cells, len(papers), calibration.RIGHT, "Right, of 50%, count")
    means = table(cells, len(papers), calibration.MEAN, "Mean score of 50%, ratio")
    least = table(cells, len(papers), calibration.LEAST, "At least, of 50%")
    most = table(cells, len(papers), calibration.MOST, "At most, of 50%")
    for row, own in enumerate(tallied(figures)):
        for n, share in enumerate((0.5, 0.8, 0.9)):
            width = NormalDist().inv_cdf((1 + share) / 2)
            halves = [width * spread_of(figures, each) for each in own]
            hits = sum(abs(each.log) <= half for each, half in zip(own, halves, strict=True))
            exact = binomtest(hits, len(own)).proportion_ci(0.9, method="exact")
            assert right[row][n] == hits
            assert (least[row][n], most[row][n]) == pytest.approx((exact.low, exact.high), rel=1e-9)
            score = fmean(score_of(each.log, half, share) for each, half in zip(own, halves, strict=True))
            assert means[row][n] == pytest.approx(score, rel=1e-9)


def test_nothing_is_refuted_as_shipped(cells: Cells, figures: list[Figure]) -> None:
    papers = len({each.paper for each in figures})
    assert table(cells, papers, calibration.RIGHT, "Right, of 50%, count")[-2:] == [[7, 11, 11], [2, 4, 4]]
    verdicts = table(cells, papers, calibration.VERDICT, "Verdict on 50%")
    assert verdicts == [["not rejected"] * 3] * (papers + 2)


WRONG: list[tuple[float, list[str]]] = [
    (0.001, ["too narrow"] * 3),
    (100.0, ["too wide", "not rejected", "not rejected"]),
]


@pytest.mark.parametrize(("spread", "verdicts"), WRONG)
def test_spreads_that_are_wrong_are_called_so(
    cells: Cells, figures: list[Figure], spread: float, verdicts: list[str]
) -> None:
    """Thirteen of thirteen refute a share of a half; they do not refute 80 or 90 %."""
    planted = dict.fromkeys((Address(NAME, row, calibration.SPREAD) for row in misses(cells, len(figures))), spread)
    papers = len({each.paper for each in figures})
    assert table(cells, papers, calibration.VERDICT, "Verdict on 50%", planted)[-2] == verdicts


def test_one_paper_that_is_too_narrow_is_called_so_alone(cells: Cells, figures: list[Figure]) -> None:
    papers = list(dict.fromkeys(each.paper for each in figures))
    rows = zip(misses(cells, len(figures)), figures, strict=True)
    planted = {Address(NAME, row, calibration.SPREAD): 0.001 for row, each in rows if each.paper == "ICA"}
    found = table(cells, len(papers), calibration.VERDICT, "Verdict on 50%", planted)
    assert found[papers.index("ICA")] == ["not rejected", "too narrow", "too narrow"]  # none of 4: 6 % by chance at 50
    assert found[papers.index("NTP")] == ["not rejected"] * 3


@pytest.mark.parametrize("hits", range(14))
def test_the_verdict_is_that_of_an_exact_test_at_five_per_cent(cells: Cells, figures: list[Figure], hits: int) -> None:
    """A tail of the binomial distribution that is less than 5 % likely under the share refutes it, on its side."""
    rows = misses(cells, len(figures))[:13]
    flags = {
        Address(NAME, row, calibration.HITS + n): float(at < hits) for at, row in enumerate(rows) for n in range(3)
    }
    papers = len({each.paper for each in figures})
    tail: Callable[[str, float], float] = lambda side, share: binomtest(hits, 13, share, alternative=side).pvalue  # noqa: E731
    expected = [
        "too narrow" if tail("less", share) < 0.05 else "too wide" if tail("greater", share) < 0.05 else "not rejected"
        for share in (0.5, 0.8, 0.9)
    ]
    assert table(cells, papers, calibration.VERDICT, "Verdict on 50%", flags)[-2] == expected


def test_it_is_said_that_a_laboratory_is_a_lower_bound(cells: Cells) -> None:
    texts = " ".join(str(cells.constant(at)) for at in cells.stored(NAME))
    assert "lower bound for customers" in texts


def spreads(cells: Cells, changed: Mapping[Address, Scalar] | None = None) -> dict[tuple[str, str], tuple[Scalar, ...]]:
    """Return count, spread, own part and words of every generation and phase."""
    evaluator, first = Evaluator(cells, changed or {}), row_of(cells, phase_spreads.OWN, "Its own part, ratio")
    columns = (phase_spreads.COUNT, phase_spreads.SPREAD, phase_spreads.OWN, phase_spreads.SAID)
    return {
        each: tuple(evaluator.value(Address(NAME, row, column)) for column in columns)
        for row, each in enumerate(phase_spreads.ROWS, first)
    }


def test_a_phase_has_a_spread_of_its_own_only_from_five_figures_on(cells: Cells, figures: list[Figure]) -> None:
    found = spreads(cells)
    for (generation, phase), (count, spread, own, words) in found.items():
        scope = {"this": "generation", "another": "across"}[generation]
        every = [each.log for each in figures if each.scope == scope]
        logs = [each.log for each in figures if each.scope == scope and phase in ("*", each.phase)]
        assert count == len(logs)
        assert spread == (pytest.approx(root_mean_square(logs), rel=1e-12) if logs else "none")
        beyond = root_mean_square(logs) ** 2 - root_mean_square(every) ** 2 if len(logs) >= 5 else 0
        assert own == pytest.approx(math.sqrt(max(0, beyond)), rel=1e-9, abs=1e-12)
        assert phase == "*" or words == (
            "its own spread" if len(logs) >= 5 else f"{len(logs)} of 5 figures for a spread of its own"
        )
    assert [each for each, (_, _, own, _) in found.items() if own] == [("another", "login")]
    assert phase_spreads.LEAST == LEAST


def test_a_phase_whose_figures_are_nearer_than_all_has_no_part_of_its_own(cells: Cells, figures: list[Figure]) -> None:
    rows = zip(misses(cells, len(figures)), figures, strict=True)
    nearer = {Address(NAME, row, calibration.LOG): 0.01 for row, each in rows if each.phase == "login"}
    count, spread, own, words = spreads(cells, nearer)["another", "login"]
    assert spread == pytest.approx(0.01)
    assert (count, own, words) == (9, 0, "its own spread")
