"""Predictions: honest (never from the figure they are compared with), counted right, misses explained and pinned."""

import re
from pathlib import Path

import pytest

from addin.kernel import Address, Cells, Evaluator
from model.layout.grid import FIRST_ROW
from model.reading.records import Prediction
from model.sheets import predictions
from model.workbook import Built
from tests.support.tracing import Tracer, behind, printed_behind

LARGE = 0.2
README = Path(__file__).parents[2] / "README.md"


def figures(built: Built, cells: Cells, heading: str) -> dict[str, float]:
    """Return a column of numbers by row id, rows without one left out."""
    evaluator, found = Evaluator(cells), {}
    for row, item in enumerate(built.data.predictions, FIRST_ROW):
        value = evaluator.value(Address(predictions.NAME, row, predictions.column(heading)))
        if value is not None:
            assert isinstance(value, float), f"{item.id}: {value!r}"
            found[item.id] = value
    return found


@pytest.fixture(scope="module")
def errors(built: Built, cells: Cells) -> dict[str, float]:
    return figures(built, cells, "Error")


def of(built: Built, scope: str, role: str) -> list[Prediction]:
    return [item for item in built.data.predictions if (item.scope, item.role) == (scope, role)]


# Errors in per cent, each worked out by hand from the facts; a change of formula or data shows here.
PINNED = {
    "P01": 0.8, "P02": 3.7, "P03": 0.8, "P04": 0.5, "P05": 0.4, "P06": 7.2, "P07": -0.7, "P08": -4.3, "P09": 34.0,
    "P10": -10.5, "P11": -3.6, "P12": 14.1, "P13": -4.6, "P14": 11.2, "P15": -8.9, "P16": -24.2, "P17": -11.6,
    "P18": -11.6, "P19": -29.9, "P20": 7.1, "P21": -9.4, "P22": 10.4, "P23": 0.0, "P24": 11.3, "P25": 2.3, "P26": 9.8,
    "P27": -8.6, "P28": -6.2, "P29": 4.8, "P30": 1.5, "P31": -12.1, "P32": -25.7, "P33": -32.9, "P34": 47.7,
    "P35": 3.0, "P38": -24.6, "P39": 32.6, "P40": -33.4, "P36": -52.0, "P37": 104.7, "N01": 34.4, "N06": -14.4,
}  # fmt: skip


def test_every_error_is_pinned(errors: dict[str, float]) -> None:
    assert {id: round(error * 100, 1) + 0.0 for id, error in errors.items()} == PINNED


def test_predictions_within_a_paper_hold_their_median(built: Built, errors: dict[str, float]) -> None:
    sizes = sorted(abs(errors[item.id]) for item in of(built, "within", "fixed"))
    assert len(sizes) >= 20
    assert sizes[len(sizes) // 2] <= 0.12
    assert {item.low.split("-")[0] for item in of(built, "within", "fixed")} == {"EQL", "ICA", "NTP", "K2"}


def test_a_large_miss_is_explained_by_a_fact(built: Built, errors: dict[str, float]) -> None:
    known = {*built.data.facts.facts, *built.data.facts.discrepancies}
    for item in built.data.predictions:
        if item.role == "fixed" and abs(errors[item.id]) > LARGE:
            assert known & set(re.findall(r"\b[A-Z][A-Z0-9]+-\d+\b", item.why)), f"{item.id}: {item.why!r}"


def test_reasons_cite_what_exists_and_say_what_it_means(built: Built) -> None:
    known = {*built.data.facts.facts, *built.data.facts.discrepancies}
    cited = r"\b[A-Z][A-Z0-9]+-\d+\b"
    for item in built.data.predictions:
        assert set(re.findall(cited, item.why)) <= known, item.id
        assert not item.why or len(re.sub(cited, "", item.why).split()) > 1, f"{item.id}: {item.why!r}"


def test_the_tally_counts_each_block_once(built: Built, cells: Cells, errors: dict[str, float]) -> None:
    evaluator = Evaluator(cells)
    for row, (key, label) in zip(range(FIRST_ROW, FIRST_ROW + 8, 2), predictions.BLOCKS.items(), strict=True):
        sizes = sorted(abs(errors[item.id]) for item in of(built, *key))
        middle = len(sizes) // 2
        median = sizes[middle] if len(sizes) % 2 else (sizes[middle - 1] + sizes[middle]) / 2
        shown = [evaluator.value(Address(predictions.NAME, row, predictions.TALLY + n)) for n in range(4)]
        assert shown == [label, len(sizes), pytest.approx(median), pytest.approx(sizes[-1])]


def test_what_is_no_prediction_is_not_counted_and_says_why(built: Built) -> None:
    for item in built.data.predictions:
        assert item.role != "none" or (item.why and item.id.startswith("N"))


# ---- calibration and prediction never share a figure ------------------------------------------


def shared(built: Built, tracer: Tracer, item: Prediction) -> frozenset[str]:
    """Return what a prediction that rests on facts shares with the figure that it is compared with."""
    assert behind(built, tracer, item), f"{item.id} rests on nothing"
    return printed_behind(built, tracer, item)


@pytest.mark.slow
def test_no_prediction_rests_on_the_figure_it_is_compared_with(built: Built, tracer: Tracer) -> None:
    counted = [item for item in built.data.predictions if item.role != "none"]
    assert {item.id: found for item in counted if (found := shared(built, tracer, item))} == {}


def test_the_tracer_would_find_a_figure_that_comes_back(built: Built, tracer: Tracer) -> None:
    back = next(item for item in built.data.predictions if item.id == "N06")
    assert "NTP-155" in shared(built, tracer, back)


def test_predictions_across_papers_learn_from_another_paper(built: Built, tracer: Tracer) -> None:
    for item in built.data.predictions:
        if item.scope == "across":
            papers = {id.split("-")[0] for id in behind(built, tracer, item)}
            assert papers - {item.low.split("-")[0]}, item.id


# ---- the README prints the same table ----------------------------------------------------------


def number(value: float) -> str:
    """Return a figure with four digits, as the README prints it."""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"


def readme_rows(built: Built, cells: Cells) -> list[str]:
    """Return the table of the README: every fixed prediction, then what is none."""
    ours, errors = figures(built, cells, "Ours"), figures(built, cells, "Error")
    rows = []
    for item in built.data.predictions:
        if item.role == "fixed":
            low, high = (built.data.facts.value(id, item.unit) for id in (item.low, item.high))
            printed = number(low) if low == high else f"{number(low)} to {number(high)}"
            error = f"{errors[item.id]:+.1%}"
            marked = f"**{error}**" if abs(errors[item.id]) > LARGE else error
            unit = "" if item.unit == "count" else f" {item.unit}"
            texts = (item.id, item.low.split("-")[0], item.label, printed + unit, number(ours[item.id]), marked)
            rows.append(f"| {' | '.join(texts)} |")
    return rows


def test_the_readme_prints_every_prediction(built: Built, cells: Cells) -> None:
    text = README.read_text(encoding="utf-8")
    assert [row for row in readme_rows(built, cells) if row not in text] == []
