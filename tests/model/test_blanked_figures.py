"""A figure that somebody takes away never makes a design smaller in silence.

Each figure of the cards, arrays and profiles that people type is blanked in turn. The need may fall only where the
answer says "at least", or names an error in place of a number.
"""

from collections.abc import Iterator, Mapping
from functools import cache

import pytest

from addin.kernel import Address, Scalar
from tests.support.answers import changed, number
from tests.support.input_sets import NODES, OWN_FIGURES, Value, overrides, own_arrays
from tests.support.own_rows import FILLED, own_cells
from tests.support.recomputed import Evaluator
from tests.support.shipped import reference, reference_cells

BUILT = reference()
CELLS = reference_cells()
BUSY: dict[str, Value] = {"desktops": 6000.0, "start_rate_per_min": 200.0, "failover": "yes"}
DEFAULTS = {"Data reduction it is sold with": "the method's likely reduction takes its place, which is an assumption"}

Cell = tuple[str, str]


def _designs() -> Iterator[tuple[str, dict[Cell, Value], dict[Cell, Value]]]:
    """Yield the name of each design, the cells of its figures and those of its choices."""
    for card, array in enumerate(OWN_FIGURES[:5]):
        figures = own_arrays(BUILT, (*[{}] * card, array))
        yield f"array {card + 1}", figures, overrides(BUILT, [{**BUSY, "array": f"My array {card + 1}"}])
    yield "nodes", own_arrays(BUILT, (NODES,)), overrides(BUILT, [{**BUSY, "array": "My array 1"}])
    own: tuple[tuple[str, ...], ...] = (
        ("My profile 1",),
        ("My profile 2", "My profile 2 boot"),
        ("My profile 1", "My method 1"),
    )
    for rows in own:
        method: dict[str, Value] = {"provisioning": rows[1]} if rows[-1].startswith("My method") else {}
        figures = own_cells(BUILT, {name: FILLED[name] for name in rows})
        yield rows[-1], figures, overrides(BUILT, [{**BUSY, "profile": rows[0], **method}])


FIGURES = {name: tuple(figures) for name, figures, _ in _designs()}
DESIGNS = {name: {**figures, **chosen} for name, figures, chosen in _designs()}


def _label(cell: Cell) -> Scalar:
    """Return what stands beside a figure in its row."""
    return CELLS.constant(Address.from_a1(f"'{cell[0]}'!{cell[1]}")._replace(column=1))


def _evaluator(cells: Mapping[Cell, Value]) -> Evaluator:
    return Evaluator(changed(CELLS, cells))


def _value(evaluator: Evaluator, key: str) -> Scalar:
    return evaluator.value(Address.from_a1(CELLS.names[f"Out_{key}"]))


@cache
def _need(design: str) -> float:
    """Return the unrounded need of a design with all its figures."""
    return number(_value(_evaluator(DESIGNS[design]), "ratio_largest"))


@pytest.mark.slow
@pytest.mark.parametrize(("design", "cell"), [(name, cell) for name in DESIGNS for cell in FIGURES[name]], ids=str)
def test_no_figure_taken_away_lowers_the_need_in_silence(design: str, cell: Cell) -> None:
    blanked = _evaluator({**DESIGNS[design], cell: None})
    after = _value(blanked, "ratio_largest")
    if isinstance(after, float) and after >= _need(design) * (1 - 1e-12):
        return
    if _label(cell) in DEFAULTS:
        return
    words = str(_value(blanked, "status"))
    assert "at least" in words or _value(blanked, "errors_count") != 0, (_need(design), after, words)


def test_without_the_weight_of_a_write_a_read_equivalent_capacity_takes_the_assumed_one_and_says_so() -> None:
    weight = next(cell for cell in FIGURES["array 2"] if _label(cell) == "Write weight (reads per write)")
    blank, typed = (_evaluator({**DESIGNS["array 2"], weight: value}) for value in (None, 2.7))
    assert number(_value(blank, "ratio_largest")) == pytest.approx(number(_value(typed, "ratio_largest")))
    assert [_value(each, "card_open") for each in (blank, typed)] == [1, 0]
    cheap, normal, dear = (
        number(_value(blank, key)) for key in ("card_arrays_cheap", "arrays_normal", "card_arrays_dear")
    )
    assert 0 < cheap <= normal <= dear
