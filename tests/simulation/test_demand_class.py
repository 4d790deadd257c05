"""The scale on every phase is as wide as the class of the design's demand, and the widths are those of the sources."""

import math
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from addin.errors import RequestError
from addin.kernel import Address, Scalar
from addin.measured.against import prior
from addin.results.sized import sized
from addin.simulation import demand_class
from addin.simulation.montecarlo import simulate
from addin.simulation.risk import read_risk
from addin.workbook.book import SizingBook, open_book
from addin.workbook.run_settings import CENTRES
from model.layout.grid import FIRST_ROW
from tests.support.shipped import built

SHIPPED = Path(__file__).parents[2] / "templates" / "vdi-storage-sizing.xlsx"
NEW, OLD = "Knowledge worker W11 MCS (RA-2022 2024)", "Task worker PVS (EQL 2012)"
SCALE = demand_class.KEY
FACTS = built().data.facts
LOGINS = [  # IOPS per desktop logging in, of the documents of one generation
    FACTS.value(iops, "IOPS") / FACTS.value(desktops, "count")
    for iops, desktops in (("NX22-067", "NX22-030"), ("NX53-044", "NX53-025"), ("NX20-006", "NX20-005"))
]

PVS_LOGINS = [
    FACTS.value(iops, "IOPS") / FACTS.value(desktops, "count")
    for iops, desktops in (("NX22-076", "NX22-031"), ("NX53-055", "NX53-025"))
]


@pytest.fixture(scope="module")
def book() -> SizingBook:
    return open_book(SHIPPED)


def typed(book: SizingBook, values: Mapping[str, Scalar]) -> SizingBook:
    """Return the workbook with values in its run settings."""
    cells = {Address.from_a1(book.cells.names[f"Run_{name}"]): value for name, value in values.items()}
    return replace(book, cells=book.cells.with_values(cells))


def distributed(book: SizingBook, keys: Iterable[str], kind: str) -> SizingBook:
    """Return the workbook with the distribution of some rows of Risk inputs changed."""
    stored = [at for at in book.cells.stored("Risk inputs") if at.column == 4]
    rows = (min(at for at in stored if book.cells.constant(at) == key) for key in keys)
    return replace(book, cells=book.cells.with_values({at._replace(column=5): kind for at in rows}))


def _help_of(book: SizingBook, setting: str) -> Address:
    return Address.from_a1(book.cells.names[f"Run_{setting}"])._replace(column=3)


def scatter(book: SizingBook, *settings: str, key: str = SCALE) -> tuple[float, float]:
    """Return median and standard deviation of the logarithm of the scale that a design draws."""
    (drawn,) = (each for each in read_risk(book, book.settings(settings)).uncertain if each.key == key)
    low, middle, high = drawn.spread.ppf(np.array([0.15865525, 0.5, 0.84134475])).values
    assert math.log(high / middle) == pytest.approx(math.log(middle / low), rel=1e-5)
    return float(middle), float(math.log(high / low) / 2)


def test_the_spreads_are_those_of_the_documents(book: SizingBook) -> None:
    """One document predicts the next: the scatter of three, each a login per desktop; and the misses of Predictions."""
    published = statistics.stdev(map(math.log, LOGINS)) * math.sqrt(2)
    other = prior(sized(book, "base").misses, "all phases").spread
    assert scatter(book) == pytest.approx((1, round(published, 2)), rel=1e-5)
    assert scatter(book, f"profile={OLD}") == pytest.approx((1, round(other, 2)), rel=1e-5)


def test_the_class_follows_profile_date_and_tab(book: SizingBook) -> None:
    def of(book: SizingBook, *settings: str) -> str:
        return demand_class.class_of(book, book.settings(settings))

    assert of(book) == "published"
    assert of(book, f"profile={OLD}") == "published for another generation"
    assert of(book, "design_year=2031") == "published for another generation"
    assert of(book, "profile=My profile 1") == "typed"
    here = replace(book, cells=book.cells.with_values({Address("Measured", FIRST_ROW, 1): NEW}))
    assert of(here) == "measured here"
    groups: dict[str, Scalar] = {"C5": 600.0, "E5": NEW, "C6": 400.0, "E6": OLD}
    cells = {Address.from_a1(f"'User groups'!{at}"): value for at, value in groups.items()}
    mixed = replace(book, cells=book.cells.with_values(cells))
    assert of(mixed, "profile=User groups") == "published for another generation"
    own = replace(mixed, cells=mixed.cells.with_values({Address.from_a1("'User groups'!E6"): "My profile 1"}))
    assert of(own, "profile=User groups") == "typed"  # the least sure of its groups


def test_the_answer_names_the_class_and_a_run_the_factor(book: SizingBook) -> None:
    def source(*settings: str) -> object:
        return book.evaluate(book.settings(settings), ["demand_source"])["demand_source"]

    assert source() == f"published: {NEW}"
    assert source(f"profile={OLD}") == f"published for another generation: {OLD}"
    (note,) = (note for note in read_risk(book).notes if "two of three" in note)
    assert note.endswith("is drawn as of a profile that is published: two of three sites within a factor of 1.22.")


def test_a_spread_of_nothing_draws_nothing_and_a_wrong_one_is_named(book: SizingBook) -> None:
    assert SCALE not in read_risk(typed(book, {"spread_published_ratio": 0.0})).keys
    faults: Mapping[Scalar, str] = {
        "wide": "found 'wide', expected a number from 0 to 3",
        -1.0: "found -1, expected a number from 0 to 3",
    }
    for value, fault in faults.items():
        with pytest.raises(RequestError, match=fault.replace(".", r"\.")) as caught:
            read_risk(typed(book, {"spread_published_ratio": value}))
        assert "\n" not in str(caught.value)
    assert scatter(typed(book, {"spread_published_ratio": 0.35}))[1] == pytest.approx(0.35, rel=1e-5)


def test_a_blank_spread_is_that_of_predictions_or_named_where_nothing_was_compared(book: SizingBook) -> None:
    misses = [math.log(two / one) for one, two in ((LOGINS[0], LOGINS[1]), (LOGINS[0], LOGINS[2]))]
    misses += [math.log(LOGINS[1] / LOGINS[2]), math.log(PVS_LOGINS[1] / PVS_LOGINS[0])]
    found = scatter(typed(book, {"spread_published_ratio": None}))
    assert found == pytest.approx((1, math.sqrt(statistics.fmean(x * x for x in misses))), rel=1e-5)
    other = prior(sized(book, "base").misses, "all phases").spread
    assert scatter(typed(book, {"spread_other_ratio": None}), f"profile={OLD}")[1] == pytest.approx(other, rel=1e-5)
    here = replace(book, cells=book.cells.with_values({Address("Measured", FIRST_ROW, 1): NEW}))
    with pytest.raises(RequestError, match=r"Run_spread_measured_ratio is blank. Type the spread of 'measured here'"):
        read_risk(typed(here, {"spread_measured_ratio": None}))


def test_a_phase_moves_beyond_all_of_them_where_enough_figures_say_so(book: SizingBook) -> None:
    """Nine logins of another generation scatter more than all phases; four of this one are too few, as are others."""
    every, login = (prior(sized(book, "base").misses, phase) for phase in ("all phases", "login"))
    assert (login.phase, login.count) == ("login", 9)
    own = math.sqrt(login.spread**2 - every.spread**2)
    assert scatter(book, f"profile={OLD}", key="login_scale_ratio") == pytest.approx((1, own), rel=1e-5)
    assert not set(read_risk(book).keys) & demand_class.PARTS.keys()
    old = read_risk(book, book.settings([f"profile={OLD}"]))
    assert set(old.keys) & demand_class.PARTS.keys() == {"login_scale_ratio"}
    (note,) = (note for note in old.notes if "two of three" in note)
    assert note.endswith("within a factor of 1.80; scale on login alone moves beyond that, within a factor of 1.37.")
    here = replace(book, cells=book.cells.with_values({Address("Measured", FIRST_ROW, 1): OLD}))
    assert not set(read_risk(here, here.settings([f"profile={OLD}"])).keys) & demand_class.PARTS.keys()


def test_the_loads_of_a_published_profile_are_those_of_before(book: SizingBook) -> None:
    """No phase has a part of its own, and what a machine stores neither: rows added at the end change no draw."""
    without = distributed(book, demand_class.PARTS, "fixed")
    assert read_risk(without).keys == read_risk(book).keys
    assert repr(simulate(book, trials=256).results) == repr(simulate(without, trials=256).results)


def test_the_demand_is_the_profile_s_unless_what_is_expected_is_typed(book: SizingBook) -> None:
    assert scatter(typed(book, {"centre_published_ratio": 0.85})) == pytest.approx((0.85, 0.2), rel=1e-5)
    assert scatter(typed(book, {"centre_other_ratio": 0.71})) == pytest.approx((1, 0.2), rel=1e-5)
    assert scatter(typed(book, {"centre_other_ratio": 0.71}), f"profile={OLD}")[0] == pytest.approx(0.71, rel=1e-5)
    certain = typed(book, {"spread_published_ratio": 0.0, "centre_published_ratio": 0.85})
    (drawn,) = (each for each in read_risk(certain).uncertain if each.key == SCALE)
    assert drawn.spread.ppf(np.array([0.01, 0.99])).values == pytest.approx([0.85, 0.85], rel=1e-6)
    (note,) = (each for each in read_risk(typed(book, {"centre_published_ratio": 0.85})).notes if "two of" in each)
    assert note.endswith("two of three sites within a factor of 1.22 of 0.85 times its figure.")
    with pytest.raises(RequestError, match=r"found 0, expected a number from 0\.1 to 3"):
        read_risk(typed(book, {"centre_published_ratio": 0.0}))


def test_the_centres_that_the_help_names_are_those_of_the_documents(book: SizingBook) -> None:
    """0.85: the geometric mean of the three logins over the highest; 0.71: that of what is printed over predicted."""
    highest = max(LOGINS)
    assert statistics.geometric_mean(LOGINS) / highest == pytest.approx(0.85, abs=0.005)
    logs = [miss.log for miss in sized(book, "base").misses]
    assert len(logs) == 13
    assert math.exp(statistics.fmean(logs)) == pytest.approx(0.71, abs=0.005)
    helps = [str(book.cells.constant(_help_of(book, name))) for name in CENTRES]
    assert "print 0.85 of the highest" in helps[0]
    assert "is 0.71 of what Predictions takes" in helps[1]


def test_it_is_a_distribution_of_the_demand_alone(book: SizingBook) -> None:
    keys = (at for at in book.cells.stored("Risk inputs") if book.cells.constant(at) == "growth_ratio")
    row = min(keys, key=lambda at: at.row)
    cells = {row._replace(column=5): "by class"}
    with pytest.raises(RequestError, match=r"found 'by class', which is for demand_scale_ratio and the scale of one"):
        read_risk(replace(book, cells=book.cells.with_values(cells)))
