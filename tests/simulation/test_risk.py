"""The Risk inputs sheet is read cell by cell; every mistake is one line that names the cell and the next step."""

from collections.abc import Callable
from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook

from addin.errors import AddinError, BookError, RequestError
from addin.simulation import demand_class, joint_rows, method_reduction
from addin.simulation.risk import PARAMETERS, read_risk
from addin.simulation.spreads import KINDS, LISTS
from addin.workbook.book import open_book
from model.reading.read import read
from model.reading.risk import DISTRIBUTIONS
from model.sheets.catalogue.risk import HEADINGS, NAME
from tests.support import small_workbook
from tests.support.small_workbook import UNIFORM, save

RESULT = {"sum": "={x}*1"}


def test_every_distribution_reads_its_own_cells(tmp_path: Path) -> None:
    spreads = {
        "a": UNIFORM,
        "b": ("triangular", 1, 2, 4),
        "c": ("PERT", 1, 2, 4),
        "d": ("pert", 1, 2, 4, None, 6),
        "e": ("normal", None, 10, None, 2),
        "f": ("truncated normal", 8, 10, 13, 2),
        "g": ("lognormal", None, 10, None, 2),
        "h": ("beta", 0, None, 5, None, 2, 3),
        "i": ("gamma", None, None, None, 2, 3),
        "j": ("discrete", None, None, None, None, None, None, "1:70; 2:30"),
        "k": ("empirical", None, None, None, None, None, None, "7.1; 7.4 ;8"),
    }
    risk = read_risk(open_book(save(tmp_path / "b.xlsx", spreads, {"sum": "={a}+{b}"})))
    by_key = {entry.key: entry.spread for entry in risk.uncertain}
    assert {key: spread.parameters for key, spread in by_key.items() if spread.parameters} == {
        "a": (0, 1),
        "b": (1, 2, 4),
        "c": (1, 2, 4),
        "d": (1, 2, 4, 6),
        "e": (10, 2),
        "f": (10, 2, 8, 13),
        "g": (10, 2),
        "h": (2, 3, 0, 5),
        "i": (3, 2),
    }
    assert (by_key["j"].values, by_key["j"].weights) == ((1.0, 2.0), (70.0, 30.0))
    assert by_key["k"].values == (7.1, 7.4, 8.0)
    assert {(spread.low, spread.high) for spread in by_key.values()} == {(-1000, 1000)}


def test_a_fixed_input_without_a_figure_stays_as_on_inputs(tmp_path: Path) -> None:
    book = open_book(save(tmp_path / "b.xlsx", {"x": UNIFORM, "y": ("fixed",), "z": ("fixed", None, 7)}, RESULT))
    risk = read_risk(book)
    assert risk.keys == ("x",)
    assert risk.fixed == {book.inputs["z"].address: 7.0}
    assert [key for key, _ in risk.dimensions.numbers] == ["x", "y", "z"]


def test_an_input_that_is_set_is_not_drawn(tmp_path: Path) -> None:
    book = open_book(save(tmp_path / "b.xlsx", {"x": UNIFORM, "y": UNIFORM}, RESULT))
    assert read_risk(book, {book.inputs["x"].address: 0.5}).keys == ("y",)


@pytest.mark.parametrize("yearly", [("fixed", None, 0.08), UNIFORM])
def test_growth_is_drawn_once_though_both_rows_have_a_spread(tmp_path: Path, yearly: tuple[object, ...]) -> None:
    spreads = {"growth_ratio": ("pert", 0, 0.05, 0.25), "growth_per_year_ratio": yearly, "x": UNIFORM}
    risk = read_risk(open_book(save(tmp_path / "b.xlsx", spreads, RESULT)))
    assert risk.keys == (("x",) if yearly[0] == "fixed" else ("growth_per_year_ratio", "x"))
    assert risk.notes == ("Growth_Ratio is not drawn: growth_per_year_ratio counts, and growth is drawn once.",)
    assert [key for key, _ in risk.dimensions.numbers] == list(spreads), "the draws of the others stay as they were"


def test_without_growth_per_year_the_allowance_is_drawn(tmp_path: Path) -> None:
    spreads = {"growth_ratio": ("pert", 0, 0.05, 0.25), "growth_per_year_ratio": ("fixed",), "x": UNIFORM}
    book = open_book(save(tmp_path / "b.xlsx", spreads, RESULT))
    yearly = book.inputs["growth_per_year_ratio"].address
    none, some = read_risk(book, {yearly: 0.0}), read_risk(book, {yearly: 0.08})
    assert (none.keys, none.notes) == (("growth_ratio", "x"), ())
    assert some.keys == ("x",)


def test_desktops_are_drawn_as_whole_numbers(tmp_path: Path) -> None:
    book = open_book(save(tmp_path / "b.xlsx", {"desktops": UNIFORM, "x": UNIFORM}, RESULT))
    assert [entry.spread.whole_number for entry in read_risk(book).uncertain] == [True, False]


def test_ranks_become_a_coupling_of_the_uncertain_inputs(tmp_path: Path) -> None:
    spreads = {"x": UNIFORM, "y": ("fixed",), "z": UNIFORM}
    book = open_book(save(tmp_path / "b.xlsx", spreads, RESULT, {("x", "z"): 0.5, ("x", "y"): 0.9}))
    coupling = read_risk(book).coupling
    assert coupling is not None
    assert coupling.names == ("x", "z")
    assert coupling.ranks[1, 0] == 0.5


@pytest.mark.parametrize(
    ("spread", "message"),
    [
        (("unifrom", 0, None, 1), "'Risk inputs'!E5: found 'unifrom', expected one of fixed, uniform"),
        (("uniform", 0), "'Risk inputs'!H5: is blank, expected a number: uniform needs minimum, maximum. Fill it in."),
        (("uniform", "low", None, 1), "'Risk inputs'!F5: found 'low', expected a number, the minimum of uniform"),
        (("uniform", 5, None, 1), "'Risk inputs'!E5: minimum 5 is not below maximum 1. Swap them"),
        (("uniform", 0, None, 5000), "'Risk inputs'!H5: found 5,000, expected -1,000 to 1,000 ratio, the range of In"),
        (("triangular", 0, 3, 1), "'Risk inputs'!E5: mode 3 is outside 0 to 1. Give minimum <= mode <= maximum."),
        (("normal", None, 1, None, 0), "'Risk inputs'!E5: sd is 0, expected more than 0. Use kind fixed"),
        (("gamma", None, None, None, 1, 0), "'Risk inputs'!E5: shape is 0, expected 0.1 to 10000."),
        (
            ("beta", 0, None, 1, None, 2),
            "'Risk inputs'!K5: is blank, expected a number: beta needs shape, second shape",
        ),
        (("discrete",), "'Risk inputs'!L5: is blank, expected values such as 1:70; 2:30. Fill it in."),
        (("discrete", *[None] * 6, "1; 2"), "'Risk inputs'!L5: found '1', expected discrete as 1:70; 2:30."),
        (("discrete", *[None] * 6, "1:a"), "'Risk inputs'!L5: found '1:a', expected 1:70; 2:30. Correct it."),
        (("discrete", *[None] * 6, "1:0"), "'Risk inputs'!L5: all weights are 0. Give at least one value a share."),
        (("empirical", *[None] * 6, "1:2"), "'Risk inputs'!L5: found '1:2', expected empirical as 7.1; 7.4; 8.0."),
    ],
)
def test_bad_parameters_name_the_cell(tmp_path: Path, spread: tuple[object, ...], message: str) -> None:
    book = open_book(save(tmp_path / "b.xlsx", {"x": spread}, RESULT))
    with pytest.raises(RequestError) as error:
        read_risk(book)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_every_bad_row_is_reported_at_once(tmp_path: Path) -> None:
    book = open_book(save(tmp_path / "b.xlsx", {"x": ("uniform",), "y": ("normal",)}, RESULT))
    with pytest.raises(RequestError) as error:
        read_risk(book)
    assert [line.split(":")[0] for line in str(error.value).splitlines()] == ["'Risk inputs'!F5", "'Risk inputs'!G6"]


@pytest.mark.parametrize("rank", [1.5, "strong"])
def test_a_bad_correlation_names_the_cell(tmp_path: Path, rank: object) -> None:
    book = open_book(save(tmp_path / "b.xlsx", {"x": UNIFORM, "y": UNIFORM}, RESULT, {("x", "y"): rank}))
    with pytest.raises(RequestError, match=r"'Risk inputs'!E10: found .*expected .*-1 to 1"):
        read_risk(book)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({"E9": 2}, "'Risk inputs'!E9: found 2, expected -1 to 1"),
        ({"E9": 0.5}, "'Risk inputs'!E9: found 0.5, expected 1 or a blank, x with itself"),
        ({"E10": 0.5, "F9": -0.5}, "'Risk inputs'!E10: found 0.5, but 'Risk inputs'!F9 says -0.5"),
        ({"D10": "x"}, "'Risk inputs'!D10: x is there already"),
        ({"F8": "x"}, "'Risk inputs'!F8: x is there already"),
        ({"D10": "lost"}, "'Risk inputs'!D10: no input is called 'lost'"),
    ],
    ids=str,
)
def test_a_correlation_that_is_no_matrix_is_refused(tmp_path: Path, cells: dict[str, object], message: str) -> None:
    path = save(tmp_path / "b.xlsx", {"x": UNIFORM, "y": UNIFORM}, RESULT)
    workbook = load_workbook(path)
    for place, value in cells.items():
        workbook["Risk inputs"][place] = value
    workbook.save(path)
    with pytest.raises(RequestError) as error:
        read_risk(open_book(path))
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("place", ["E10", "F9"])
def test_a_pair_may_stand_on_either_side_of_the_diagonal(tmp_path: Path, place: str) -> None:
    path = save(tmp_path / "b.xlsx", {"x": UNIFORM, "y": UNIFORM}, RESULT)
    workbook = load_workbook(path)
    workbook["Risk inputs"]["E10"] = None
    workbook["Risk inputs"][place] = 0.5
    workbook["Risk inputs"]["E9"] = 1
    workbook.save(path)
    coupled = read_risk(open_book(path)).coupling
    assert coupled is not None
    assert coupled.ranks[1, 0] == 0.5


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda book: book.remove(book["Risk inputs"]), "there is no sheet 'Risk inputs'"),
        (lambda book: book["Risk inputs"].delete_rows(4), "'Risk inputs'!A4: no column is headed"),
        (
            lambda book: setattr(book["Risk inputs"]["D5"], "value", "lost"),
            "'Risk inputs'!D5: no input is called 'lost'",
        ),
    ],
)
def test_a_damaged_sheet_is_refused(tmp_path: Path, change: Callable[[Workbook], object], message: str) -> None:
    path = save(tmp_path / "b.xlsx", {"x": UNIFORM}, RESULT)
    workbook = load_workbook(path)
    change(workbook)
    workbook.save(path)
    with pytest.raises(AddinError) as error:
        read_risk(open_book(path))
    assert isinstance(error.value, BookError)
    assert message in str(error.value)


@pytest.mark.slow
def test_the_shipped_sheet_and_its_reader_agree() -> None:
    data = read()
    assert HEADINGS[3:] == small_workbook.HEADINGS[3:]
    assert NAME == "Risk inputs"
    assert set(DISTRIBUTIONS) == {*KINDS, *LISTS, demand_class.KIND, joint_rows.KIND}
    for kind, needed in DISTRIBUTIONS.items():
        if kind in PARAMETERS and kind != method_reduction.KIND:  # its figures come from Lists
            assert {name.rstrip("?") for name in needed} == set(PARAMETERS[kind])
            optional = sum(name.endswith("?") for name in needed)
            assert optional == {"pert": 1, "fixed": 1}.get(kind, 0)
            assert all(f"{name}?" in needed for name in PARAMETERS[kind][len(needed) - optional :])
    assert {"demand_scale_ratio", "data_reduction_ratio", "concurrent_ratio"} <= {row.input.key for row in data.risk}
