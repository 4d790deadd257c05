"""Growth: every year of a design is what sizing that year's desktops anew gives, whatever the design."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
import pytest

from addin.kernel import Address, Scalar
from addin.kernel.trials.compile import Result, compile_slice
from model.sheets.money.growth import YEARS, of_year
from model.sheets.sizing.constraints import CONSTRAINTS
from tests.support import designs
from tests.support.answers import answers, number
from tests.support.input_sets import Value
from tests.support.shipped import reference, reference_cells

BUILT = reference()
CELLS = reference_cells()
GROUPS, SIZE = 25, 8  # 200 designs
LEAST, MOST = -0.3, 0.6  # growth per year
COUNTS = ("arrays_required", "container_arrays", "hosts_required")
CONTAINERS = (
    *(f"container_ratio_{each}" for each in ("capacity", "iops", "latency", "throughput", "failover")),
    "container_ratio",
)
RATIOS = (*(each.ratio for each in CONSTRAINTS), "ratio_largest", *CONTAINERS, *COUNTS)
RESULTS = (*RATIOS, "binding_constraint")


class Years(NamedTuple):
    """A group of designs: of each year what Growth says, and what sizing that year's desktops anew says."""

    group: designs.Group
    grown: dict[int, Result]
    anew: dict[int, Result]
    desktops: designs.Floats  # (years, designs)
    growth: designs.Floats
    texts: Mapping[str, Scalar]


def same(ours: Scalar, sizing: Scalar) -> bool:
    """Tell whether two results are one, numbers to 1e-9 of them; no result may end in an error."""
    if isinstance(ours, str) or isinstance(sizing, str):
        return ours == sizing
    x, y = number(ours), number(sizing)
    return abs(x - y) <= 1e-9 * max(abs(x), abs(y))


def place(key: str) -> Address:
    return Address.from_a1("!".join(BUILT.layout.cell(key)))


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> designs.Model:
    """The inputs of the workbook as the sources make it; arrays, profiles, methods and caches of one's own are filled.

    The third array of one's own is bought node by node.
    """
    return designs.filled_model(tmp_path_factory.mktemp("growth") / "book.xlsx")


def sized(model: designs.Model) -> Iterator[Years]:
    """Yield groups of random designs, seven years of each both ways."""
    rng = np.random.default_rng(18)
    years = [of_year("desktops", year) for year in YEARS]
    wanted = [*years, *(of_year(key, year) for year in YEARS for key in RESULTS)]
    for group in designs.groups(model, GROUPS, SIZE, seed=30):
        row = {
            key: group.inputs.index(model.numbers[key]) for key in ("desktops", "growth_ratio", "growth_per_year_ratio")
        }
        x = group.x.copy()
        x[row["growth_per_year_ratio"]] = np.round(rng.uniform(LEAST, MOST, SIZE), 3)
        every = compile_slice(model.cells, group.inputs, tuple(map(place, wanted)), group.fixed, "numpy").run(x)
        again = compile_slice(model.cells, group.inputs, tuple(map(place, RESULTS)), group.fixed, "numpy")
        desktops = every.values[: len(years)].copy()
        grown, anew = {}, {}
        for at, year in enumerate(YEARS):
            first = len(years) + at * len(RESULTS)
            part = slice(first, first + len(RESULTS))
            grown[year] = Result(every.values[part], every.codes[part], every.labels, 0)
            new = x.copy()
            new[row["desktops"]], new[row["growth_ratio"]] = desktops[at], 0
            anew[year] = again.run(new)
        texts = {key: group.fixed[cell] for key, (cell, _) in model.choices.items()}
        yield Years(group, grown, anew, desktops, x[row["growth_per_year_ratio"]], texts)


@pytest.fixture(scope="module")
def drawn(model: designs.Model) -> list[Years]:
    return list(sized(model))


@pytest.mark.slow
def test_every_year_is_the_design_sized_anew_for_its_desktops(drawn: list[Years]) -> None:
    assert sum(each.desktops.shape[1] for each in drawn) == GROUPS * SIZE
    for number_of, each in enumerate(drawn):
        for year in YEARS:
            for at, key in enumerate(RESULTS):
                for design in range(SIZE):
                    ours, sizing = (which[year].scalar(at, design) for which in (each.grown, each.anew))
                    assert same(ours, sizing), (number_of, design, year, key, ours, sizing, dict(each.texts))


@pytest.mark.slow
def test_the_random_designs_hold_what_years_can_get_wrong(drawn: list[Years]) -> None:
    """Both timings, growth up and down, failures, nodes, containers away, log-off that recreates, normal arrivals."""
    said = {(key, text) for each in drawn for key, text in each.texts.items()}
    asked = {
        "growth_timing": ("through the year", "on 1 January"),
        "failover": ("yes", "no"),
        "container_place": ("this array", "another array"),
        "recreate_at_logoff": ("yes", "no"),
        "arrival_shape": ("normal", "uniform"),
        "array": ("My array 1", "My array 2", "My array 3"),
    }
    assert {(key, text) for key, texts in asked.items() for text in texts} <= said
    moved = dict.fromkeys(RESULTS, 0)  # designs whose figure of the last year is another one than that of the first
    for each in drawn:
        first, last = (each.grown[year] for year in (YEARS[0], YEARS[-1]))
        for at, key in enumerate(RESULTS):
            moved[key] += sum(first.scalar(at, design) != last.scalar(at, design) for design in range(SIZE))
    assert {key: count for key, count in moved.items() if count < 5 and key not in NEVER_GROWS} == {}
    growth = np.concatenate([each.growth for each in drawn])
    assert min((growth < 0).sum(), (growth > 0).sum()) > GROUPS


NEVER_GROWS = {"ratio_least_nodes"}


@pytest.mark.slow
def test_the_desktops_of_a_year_are_those_of_day_one_grown(model: designs.Model, drawn: list[Years]) -> None:
    """Through the year a year holds its own growth; on 1 January, and where desktops get fewer, year 1 is day one."""
    for each in drawn:
        row = [each.group.inputs.index(model.numbers[key]) for key in ("desktops", "growth_ratio")]
        typed, allowance = each.group.x[row]
        day_one = np.maximum(1, np.ceil(np.round(typed * (1 + allowance), 9)))
        early = (each.texts["growth_timing"] == "on 1 January") | (each.growth < 0)
        for at, year in enumerate(YEARS):
            exact = day_one * (1 + each.growth) ** (year - early)
            wanted = np.maximum(1, np.ceil(np.round(exact, 6)))
            assert each.desktops[at] == pytest.approx(wanted, rel=1e-12), (year, early)


def test_a_what_if_grows_as_the_base_does() -> None:
    """The same inputs in the base column and in every other one give the same seven years."""
    design: dict[str, Value] = {
        "desktops": 2500.0,
        "failover": "yes",
        "container_place": "another array",
        "container_array": "NetApp AFF8040",
        "container_gib": 20.0,
        "growth_per_year_ratio": 0.25,
        "growth_timing": "on 1 January",
    }
    keys = [of_year(key, year) for year in YEARS for key in ("desktops", *RESULTS)]
    base = answers(BUILT, CELLS, [design], *keys)[0]
    columns = answers(BUILT, CELLS, [{}, *[design] * 7], *keys)
    assert columns[1:] == [base] * 7
    assert columns[0] != base


@pytest.mark.parametrize(("timing", "wanted"), [
    ("through the year", [1800, 2160, 2592, 3111, 3733, 4479, 5375]),
    ("on 1 January", [1500, 1800, 2160, 2592, 3111, 3733, 4479]),
])  # fmt: skip
def test_by_hand_1500_desktops_that_grow_by_a_fifth(timing: str, wanted: list[int]) -> None:
    design: dict[str, Value] = {"desktops": 1500.0, "growth_per_year_ratio": 0.2, "growth_timing": timing}
    assert list(answers(BUILT, CELLS, [design], *(of_year("desktops", year) for year in YEARS))[0]) == wanted


def test_without_growth_every_year_is_day_one() -> None:
    day_one = answers(BUILT, CELLS, [{}], *RESULTS)[0]
    for year in YEARS:
        assert answers(BUILT, CELLS, [{}], *(of_year(key, year) for key in RESULTS))[0] == day_one


def test_a_design_that_shrinks_keeps_at_least_one_desktop() -> None:
    design: dict[str, Value] = {"desktops": 3.0, "growth_per_year_ratio": -0.5}
    years = [of_year("desktops", year) for year in YEARS]
    assert list(answers(BUILT, CELLS, [design], *years)[0]) == [3, 2, 1, 1, 1, 1, 1]
    arrays = answers(BUILT, CELLS, [design], *(of_year("arrays_required", year) for year in YEARS))[0]
    assert list(map(number, arrays)) == [1] * 7
