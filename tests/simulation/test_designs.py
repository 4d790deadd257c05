"""What a design costs in a trial: the workbook's present cost, what is bought late, the days below the agreed level."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from addin.errors import RequestError
from addin.kernel import Address, Scalar
from addin.simulation.decide import decide
from addin.simulation.designs import (
    COUNT,
    DESKTOPS,
    FIRST,
    LAST,
    NEED,
    NET,
    NORMAL,
    OWN,
    cost,
    drawn,
    outcomes,
    with_own_streams,
)
from addin.simulation.information import partial
from addin.simulation.preparing import prepared
from addin.simulation.risk import Risk, read_risk
from addin.simulation.sampling import plan
from addin.simulation.stakes import Stakes, stakes
from addin.workbook.book import SizingBook, open_book

SHIPPED = Path(__file__).parents[2] / "templates" / "vdi-storage-sizing.xlsx"
SETTINGS = ("array_price=100000", "growth_per_year_ratio=0")


@pytest.fixture(scope="module")
def book() -> SizingBook:
    return open_book(SHIPPED)


@pytest.fixture(scope="module")
def base(book: SizingBook) -> tuple[dict[Address, Scalar], Risk, np.ndarray]:
    """Return the settings, what is drawn, and the draws."""
    overrides = book.settings(SETTINGS)
    risk = read_risk(book, overrides)
    job = prepared(book, risk, overrides, [COUNT], plan(16_384), 1, "sobol", 1).job
    return overrides, risk, drawn([job], 16_384)[1]


def one(required: float, need: float, normal: float) -> dict[str, np.ndarray]:
    """Return a trial of 1,500 desktops that costs 300,000 with arrays of 100,000 net."""
    found = {COUNT: required, NEED: need, NORMAL: normal, DESKTOPS: 1500, "npv": 300_000, NET: 100_000, LAST: required}
    return {key: np.array([float(value)]) for key, value in {**found, FIRST: required}.items()}


@pytest.mark.parametrize(
    ("trial", "bought", "typed", "expected"),
    [
        # three suffice: nothing on top
        (one(3, 2.8, 2.0), 3, Stakes(0.25, 30, 20, 365), 300_000),
        # one of four is bought late: a quarter of 100,000 more
        (one(4, 3.2, 2.0), 3, Stakes(0.25, 30, None, 1), 325_000),
        # two of three are late; no premium is typed
        (one(3, 2.8, 2.0), 1, Stakes(0, 0, 20, 0), 300_000),
        # one where normal operation needs two: half of 1,500 desktops, 30 days at 20
        (one(2, 1.9, 2.0), 1, Stakes(0, 30, 20, 0), 300_000 + 750 * 30 * 20),
        # four carry normal operation: 1 - 4/5 of the desktops are short on 73 of 365 days, a fifth of the 30 days
        (one(5, 5.0, 3.0), 4, Stakes(0, 30, 20, 73), 300_000 + 0.2 * (0.2 * 1500) * 30 * 20),
        # a spare node is needed after a failure: of 4 nodes 3 are left for a need of 4
        (one(5, 4.0, 4.0), 4, Stakes(0, 30, 20, 73), 300_000 + 0.2 * (0.25 * 1500) * 30 * 20),
    ],
)
def test_what_a_wrong_number_costs_by_hand(
    trial: dict[str, np.ndarray], bought: float, typed: Stakes, expected: float
) -> None:
    assert cost(trial, bought, typed) == pytest.approx([expected])


@pytest.mark.slow
def test_a_trial_costs_what_the_workbook_says_for_its_inputs(
    book: SizingBook, base: tuple[dict[Address, Scalar], Risk, np.ndarray]
) -> None:
    """Three trials by the scalar evaluator: npv with that many installed, and 25 % of 100,000 for each one missing."""
    overrides, risk, x = base
    found = outcomes(book, "NetApp AFF8040", overrides, risk, x, (2.0, 3.0), Stakes(late_premium=0.25))
    assert found is not None
    late_once = False
    for place in ((0, 0), (5, 7), (15, 63)):
        typed = {entry.item.address: float(x[n][place]) for n, entry in enumerate(risk.uncertain)}
        for bought in (2.0, 3.0):
            settled = {**overrides, **typed, book.inputs["arrays_installed"].address: bought}
            values = book.evaluate(settled, ["npv", COUNT, NEED])
            late = max(0.0, float(str(values[COUNT])) - bought)
            late_once |= late > 0
            assert found.costs[bought][place] == pytest.approx(float(str(values["npv"])) + 25_000 * late)
            assert found.need[place] == pytest.approx(values[NEED])
    assert late_once
    assert found.quote == 100_000


@pytest.mark.slow
def test_two_levels_of_draws_find_the_same_worth(
    book: SizingBook, base: tuple[dict[Address, Scalar], Risk, np.ndarray]
) -> None:
    """The demand known first: 512 values of it, each with 512 draws of all else, against bins of the one sample."""
    overrides, risk, x = base
    typed, bought = Stakes(0.25, 30, 20, 1), (2.0, 3.0, 4.0)
    row = risk.keys.index("demand_scale_ratio")
    found = outcomes(book, "NetApp AFF8040", overrides, risk, x, bought, typed)
    assert found is not None
    once = partial(np.stack([found.costs[count] for count in bought]), x[row])
    flat = x.reshape(len(x), -1)
    nested = flat[:, np.random.default_rng(3).integers(0, flat.shape[1], (512, 512))]
    nested[row] = np.quantile(flat[row], (np.arange(512) + 0.5) / 512)[:, None]
    again = outcomes(book, "NetApp AFF8040", overrides, risk, nested, bought, typed)
    assert again is not None
    means = np.stack([again.costs[count].mean(axis=1) for count in bought])
    parts = [means[:, part::8] for part in range(8)]  # each spread evenly over the values, to tell the error
    worths = np.array([part.mean(axis=1).min() - part.min(axis=0).mean() for part in parts])
    assert once.value > 4000
    assert abs(once.value - worths.mean()) < 3 * np.hypot(once.half_width / 2.13, worths.std(ddof=1) / np.sqrt(8))


def test_what_is_typed_on_risk_inputs_counts_unless_an_option_is_given(book: SizingBook) -> None:
    """As shipped: a quarter dearer, six weeks of five days, no cost of a bad day, a day a year after a failure."""
    assert stakes(book) == Stakes(0.25, 30, None, 1)
    assert not stakes(book).money_decides
    options = {"late_premium_ratio": "10%", "desktop_day_cost": "2.5", "late_days": None, "pilot_cost": "200"}
    given = stakes(book, options)
    assert given == Stakes(0.1, 30, 2.5, 1, 200)
    assert given.money_decides


def test_the_cost_of_a_pilot_is_typed_on_risk_inputs(book: SizingBook) -> None:
    cell = Address.from_a1(book.cells.names["Run_pilot_cost"])
    assert stakes(book).pilot is None
    assert stakes(replace(book, cells=book.cells.with_values({cell: 200.0}))).pilot == 200
    for wrong in (-1.0, "soon", True):
        with pytest.raises(RequestError, match=r"Risk inputs.*expected a number from 0 to 100,000.*clear the cell\.$"):
            stakes(replace(book, cells=book.cells.with_values({cell: wrong})))


@pytest.mark.slow
def test_two_quotes_typed_as_a_range_on_risk_inputs_are_a_price(book: SizingBook) -> None:
    """No price is typed on Inputs; five arrays nearly always suffice: 5 x 110,000 on average."""
    stored = sorted(at for at in book.cells.stored("Risk inputs") if book.cells.values[at] == "array_price")
    kind: dict[int, Scalar] = {5: "uniform", 6: 80_000.0, 8: 140_000.0}
    cells = book.cells.with_values({stored[0]._replace(column=column): value for column, value in kind.items()})
    found = decide(replace(book, cells=cells), (), 4096, stakes=Stakes(0.25, 30, 20, 1))
    surest = found.designs[-1]
    assert (surest.name, surest.chance > 0.99) == ("NetApp AFF8040 x 5", True)
    assert surest.mean.value == pytest.approx(550_000, rel=0.01)
    assert (surest.quote, surest.turns) == (None, None)


def test_the_load_is_drawn_once_for_all_arrays_and_what_an_array_does_apart(
    book: SizingBook, base: tuple[dict[Address, Scalar], Risk, np.ndarray]
) -> None:
    overrides, risk, _ = base
    job = prepared(book, risk, overrides, [COUNT], plan(16_384), 1, "sobol", 1).job
    arrays = ("Beta", "Alpha", "Gamma")
    first, second = (with_own_streams(job, name, arrays) for name in ("Alpha", "Beta"))
    keys, x = drawn([job, first, second], 16_384)
    assert len(keys) == len(job.keys) + 2 * len(OWN)
    rows = {key: x[keys.index(key)].reshape(-1) for key in keys}
    assert (x[keys.index("demand_scale_ratio")] == first.draw(1024, range(16), 0, 1024)[0][2]).all()
    weights = np.corrcoef([rows["write_weight"], rows["Alpha: write_weight"], rows["Beta: write_weight"]])
    assert np.abs(weights - np.eye(3)).max() < 0.02
    assert weights[0, 0] == pytest.approx(1)
    assert drawn([job, with_own_streams(job, "Beta", arrays[::-1])], 16_384)[1].sum() == (
        pytest.approx(x.sum() - sum(rows[f"Alpha: {key}"].sum() for key in OWN))
    )
