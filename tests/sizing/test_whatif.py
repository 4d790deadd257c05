"""Grids, comparison and goal seek on the real workbook: every value as the scalar evaluator gives it cell by cell."""

import json
import math
import random
import re
import shlex
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from addin.errors import RequestError
from addin.kernel import Address, Evaluator, Scalar
from addin.kernel.trials.compile import Disagreement
from addin.sizing.columns import Columns
from addin.sizing.result_keys import COMPARE
from addin.sizing.seek import seek
from addin.sizing.whatif import compare, whatif
from addin.workbook.book import SizingBook, open_book
from model.layout.grid import OWN_ARRAYS
from model.reading.choices import DISK_FAMILIES as FAMILIES
from model.workbook import Built
from tests.support import shipped
from tests.support.input_sets import Value, own_arrays
from tests.support.shell import Run, shell

LEFT_OUT = "Left out, as no capacity or no rating is entered: "


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> SizingBook:
    return open_book(shipped.write_draft(tmp_path_factory.mktemp("whatif")))


@pytest.fixture
def run(book: SizingBook, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a shell on an opened workbook."""

    def call(command: str, *arguments: str, opened: SizingBook = book) -> tuple[int, str, str]:
        monkeypatch.setattr("addin.shell.main.open_book", lambda path: opened)
        return shell(capsys)(command, "sizing.xlsx", *arguments)

    return call


def edited(book: SizingBook, changes: Mapping[Address, Scalar]) -> SizingBook:
    """Return the workbook with other values and formulas in some cells."""
    formulas = {at: text for at, text in changes.items() if isinstance(text, str) and text.startswith("=")}
    cells = book.cells.with_values({at: value for at, value in changes.items() if at not in formulas})
    for at, text in formulas.items():
        cells = cells.with_formula(at, text)
    return replace(book, cells=cells)


def owning(book: SizingBook, built: Built, arrays: list[dict[str, Value]]) -> SizingBook:
    """Return the workbook with own arrays typed in."""
    typed = own_arrays(built, arrays)
    return edited(book, {Address.from_a1(f"'{sheet}'!{cell}"): value for (sheet, cell), value in typed.items()})


def cell_by_cell(book: SizingBook, inputs: Mapping[str, Scalar], keys: tuple[str, ...]) -> tuple[Scalar, ...]:
    evaluator = Evaluator(book.cells, {book.inputs[key].address: value for key, value in inputs.items()})
    return tuple(evaluator.value(book.results[key].address) for key in keys)


def agree(actual: tuple[Scalar, ...], wanted: tuple[Scalar, ...]) -> bool:
    """Hold values against each other, to the last bit, and their kinds: TRUE is not 1."""
    return [(type(value), value) for value in actual] == [(type(value), value) for value in wanted]


def with_array(book: SizingBook, name: str) -> dict[str, Scalar]:
    """Return an array as an input, without the price of the base array where it is another one."""
    same = name == book.cells.constant(book.inputs["array"].address)
    return {"array": name} if same else {"array": name, "array_price": None}


KEYS = ("arrays_required", "binding_constraint", "next_constraint", "constraints_unchecked", "cost_per_desktop", "fits")


@pytest.mark.slow
def test_random_points_of_a_large_grid_are_what_the_cells_give(book: SizingBook, built: Built) -> None:
    keys = (*KEYS, "status", "capacity_required_gib")
    table = whatif(
        book,
        ["growth_ratio=0.1"],
        ["desktops=1:40001:400", "array=all", "failover=no,yes", "ram_reservation_ratio=0,0.5"],
        keys,
    )
    assert len(table.rows) == 101 * len(built.data.arrays) * 2 * 2
    for row in random.Random(3).sample(table.rows, 25):
        inputs = dict(zip(table.headings[:4], row[:4], strict=True)) | {"growth_ratio": 0.1}
        inputs |= with_array(book, str(inputs["array"]))
        assert agree(row[4:], cell_by_cell(book, inputs, keys)), row[:4]


def test_rows_come_with_the_last_input_varying_fastest(book: SizingBook) -> None:
    table = whatif(book, [], ["desktops=100,200,300", "failover=no,yes", "images=1,2"], ["arrays_required"])
    assert [row[:3] for row in table.rows[:5]] == [
        (100, "no", 1),
        (100, "no", 2),
        (100, "yes", 1),
        (100, "yes", 2),
        (200, "no", 1),
    ]
    assert table.rows[-1][:3] == (300, "yes", 2)


def test_an_input_without_values_to_vary_is_refused(book: SizingBook) -> None:
    said = "desktops=: names no value; expected low:high:step, a,b or all. Type its values."
    with pytest.raises(RequestError, match=f"^{re.escape(said)}"):
        whatif(book, (), ["desktops="], ["arrays_required"])


def test_a_blank_among_the_values_leaves_the_cell_blank(book: SizingBook) -> None:
    table = whatif(book, [], ["array_price=,50000", "desktops=1000,2000,5000"], ["cost_per_desktop"])
    for price, desktops, cost in table.rows:
        wanted = cell_by_cell(book, {"array_price": price, "desktops": desktops}, ("cost_per_desktop",))
        assert agree((cost,), wanted)
    assert [row[0] for row in table.rows] == [None] * 3 + [50000] * 3
    assert [row[2] for row in table.rows[3:]] == [50.0, 25.0, pytest.approx(2 * 50000 / 5000)]


@pytest.mark.slow
def test_whatif_takes_two_thousand_and_more_combinations(run: Run) -> None:
    code, out, _ = run("whatif", "--vary", "desktops=1:2500:1", "--json")
    rows = json.loads(out)["rows"]
    assert code == 0
    assert len(rows) == 2500
    assert rows[1499]["status"] == "1 array"


@pytest.mark.slow
def test_price_count_and_cache_of_the_base_array_are_not_those_of_another(book: SizingBook) -> None:
    base, priced = str(book.cells.constant(book.inputs["array"].address)), {"array_price": 60000.0}
    typed = edited(
        book, {book.inputs[key].address: value for key, value in {**priced, "arrays_installed": 9.0}.items()}
    )
    (cost,) = cell_by_cell(typed, {}, ("cost_per_desktop",))
    assert cost == 9 * 60000 / 1500
    costs = {row[0]: row[1] for row in whatif(typed, [], ["array=all"], ["cost_per_desktop"]).rows}
    assert costs == {name: cost if name == base else "enter a quote" for name in costs}
    table = compare(typed, [])
    column = table.keys.index("cost_per_desktop")
    expected: dict[Scalar, Scalar] = {**costs, **dict.fromkeys(FAMILIES, "enter a price")}
    assert {row[0]: row[column] for row in table.rows} == expected
    used = {row[0]: row[1] for row in whatif(typed, [], ["array=all"], ["arrays_used"]).rows}
    assert used[base] == 9
    assert (
        used["Kaminario K2 (one K-Block)"]
        == cell_by_cell(book, {"array": "Kaminario K2 (one K-Block)"}, ("arrays_used",))[0]
    )


CLOCK_FAULT = ("boot_at=09:00", "logins_at=08:00")  # no choice and no figure is missing: a check alone says so


def test_a_row_in_which_a_check_fails_has_no_figure(book: SizingBook) -> None:
    """A boot after the logins: size said no answer, and whatif 2 and 4 arrays, a cost and what limits them."""
    table = whatif(book, CLOCK_FAULT, ["desktops=1000,2000"])
    assert {value for row in table.rows for value in row[1:]} == {"no answer"}
    assert table.notes[0].startswith("No answer: Enter when boot and logins start")
    first, last = whatif(book, CLOCK_FAULT[:1], ["logins_at=08:00,09:30"], ["arrays_required", "status"]).rows
    assert first[1:] == ("no answer", "no answer")
    assert isinstance(last[1], float)
    assert str(last[2])[0].isdigit()
    methods = whatif(book, [], ["provisioning=PVS,User groups,Full clone"], ["arrays_required"]).rows
    assert [row[1] == "no answer" for row in methods] == [False, True, False]
    with pytest.raises(RequestError, match="9,000 combinations, some without an answer: Enter when boot and logins"):
        whatif(book, CLOCK_FAULT, ["desktops=1:9000:1"])


def test_truth_values_stay_truth_values(book: SizingBook) -> None:
    required = book.results["arrays_required"].address.a1
    copy = edited(book, {book.results["fits"].address: f"={required}<=2"})
    table = whatif(copy, [], ["desktops=9000,9800,10000,10200,10600"], ["fits"])
    assert [row[1] for row in table.rows] == [True, True, False, False, False]
    assert all(isinstance(row[1], bool) for row in table.rows)


@pytest.mark.slow
def test_numbers_behind_a_text_are_computed_cell_by_cell(book: SizingBook) -> None:
    desktops = book.inputs["desktops"].address.a1
    copy = edited(book, {book.results["unchecked_count"].address: f'=VALUE(TEXT({desktops},"0")&"0")'})
    keys = ("unchecked_count", "status", "arrays_required")
    table = whatif(copy, [], ["desktops=10:1000:10"], keys)
    assert [row[1] for row in table.rows] == [10.0 * n for n in range(10, 1010, 10)]
    for row in table.rows[::20]:
        assert agree(row[1:], cell_by_cell(copy, {"desktops": row[0]}, keys))
    many = whatif(copy, [], ["desktops=1:30000:1"], ["unchecked_count"])
    assert [row[1] for row in many.rows] == [10.0 * n for n in range(1, 30_001)]


def test_an_error_value_is_no_answer_in_its_row_alone(book: SizingBook) -> None:
    desktops = book.inputs["desktops"].address.a1
    copy = edited(book, {book.results["fits"].address: f"=1/ABS({desktops}-300)"})
    table = whatif(copy, [], ["desktops=100:500:100"], ["fits"])
    values = [cell_by_cell(copy, {"desktops": row[0]}, ("fits",))[0] for row in table.rows]
    assert str(getattr(values[2], "value", "")) == "#DIV/0!"
    assert [row[1] for row in table.rows] == [*values[:2], "no answer", *values[3:]]
    assert table.notes[0].startswith("No answer: Find the first error value on ")


def test_a_column_that_its_cells_contradict_is_never_shown(book: SizingBook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("addin.kernel.trials.slices.Slice.scalars", lambda self, x: [7777.0 for _ in self.outputs])
    with pytest.raises(Disagreement, match=r"Row 3 gives 1.0 compiled and 7777.0 cell by cell"):
        whatif(book, [], ["desktops=100:500:100"], ["arrays_required"])


def test_columns_without_inputs_are_one_row(book: SizingBook) -> None:
    columns = Columns(book, [], [book.results["arrays_required"]]).compute({}, np.empty((0, 1)))
    assert columns == [[cell_by_cell(book, {}, ("arrays_required",))[0]]]


@pytest.mark.slow
def test_compare_lists_the_catalogue_in_its_order(book: SizingBook) -> None:
    table = compare(book, ["desktops=2200"])
    arrays = [a for a in book.inputs["array"].choices if not a.startswith("My ")]
    assert [row[0] for row in table.rows] == [*arrays, *FAMILIES]
    asked = tuple(key for key in COMPARE if key != "break_even_text")  # which is against the base design
    for name, *values in table.rows:
        alike = tuple(value for key, value in zip(COMPARE, values, strict=True) if key in asked)
        chosen = {"disk_place": str(name)} if name in FAMILIES else with_array(book, str(name))
        assert agree(alike, cell_by_cell(book, {"desktops": 2200.0, **chosen}, asked))
    assert table.notes == (f"{LEFT_OUT}{', '.join(OWN_ARRAYS)}.",)


def test_compare_puts_machines_on_disks_back_on_every_array(book: SizingBook) -> None:
    """A base design on disks is one of the rows: the arrays beside it carry its machines."""
    on_disks = {row[0]: row for row in compare(book, [f"disk_place={FAMILIES[0]}"]).rows}
    on_arrays = {row[0]: row for row in compare(book, []).rows}
    needed = COMPARE.index("arrays_required") + 1
    assert {name: row[needed] for name, row in on_disks.items()} == {n: row[needed] for n, row in on_arrays.items()}
    assert [on_disks[name][needed] for name in FAMILIES] == [0, 0]
    assert on_disks[FAMILIES[0]][COMPARE.index("binding_constraint") + 1] == "disk IOPS"


@pytest.mark.slow
def test_compare_takes_an_own_array_once_it_is_complete(book: SizingBook, built: Built) -> None:
    complete: dict[str, Value] = {"usable_gib": 20000.0, "rating_steady_iops": 50000.0}
    table = compare(owning(book, built, [complete, {"usable_gib": 20000.0}]), [])
    assert [row[0] for row in table.rows][len(built.data.arrays) :] == ["My array 1", *FAMILIES]
    assert table.notes == (f"{LEFT_OUT}{', '.join(OWN_ARRAYS[1:])}.",)


@pytest.mark.slow
def test_an_own_array_comes_along_by_its_card_whatever_its_name(book: SizingBook, built: Built) -> None:
    """A card without its read share is not a candidate; a complete one is, in compare and in whatif."""
    card: dict[str, Value] = {
        "capacity_tb": 40.0,
        "capacity_kind": "usable",
        "iops": 200000.0,
        "read_ratio": 0.7,
        "latency_ms": 1.0,
        "controllers_active": 2.0,
        "price": 150000.0,
    }
    mine = owning(book, built, [{**card, "name": "Lab array"}, {**card, "read_ratio": None, "name": "Half known"}])
    catalogue = [array.name for array in built.data.arrays]
    assert "Lab array" in mine.inputs["array"].choices
    assert [row[0] for row in whatif(mine, [], ["array=all"]).rows] == [*catalogue, "Lab array"]
    table = compare(mine, [])
    assert [row[0] for row in table.rows] == [*catalogue, "Lab array", *FAMILIES]
    assert table.notes == (f"{LEFT_OUT}{', '.join(('Half known', *OWN_ARRAYS[2:]))}.",)


def test_seek_finds_the_last_desktop_that_two_arrays_hold(book: SizingBook) -> None:
    (ratio,) = cell_by_cell(book, {"desktops": 1500.0}, ("ratio_capacity",))
    assert isinstance(ratio, float)
    largest = math.floor(2 / ratio * 1500)  # storms take longer; capacity grows in proportion to the desktops
    table = seek(book, [], "desktops", "arrays_required=2")
    assert table.rows == ((largest, 2, "met"), (largest + 1, 3, "missed"))
    assert table.notes == (f"Largest desktops with arrays_required <= 2: {largest:,} desktops.",)
    smallest = seek(book, [], "desktops", "arrays_required=3", smallest=True)
    assert smallest.rows == ((largest + 1, 3, "met"), (largest, 2, "missed"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            ["array=Kaminario K2 (one K-Block)"],
            "The answer there: at least 3 arrays; no evidence beyond 750 desktops per array. Not checked: capacity, ",
        ),
        (
            ["capacity_headroom_ratio=0.6", "snapshot_reserve_ratio=0.6"],
            "The answer there: does not fit: lower free space or snapshot reserve. Not checked: capacity, ",
        ),
    ],
)
def test_seek_says_what_its_answer_leaves_open(book: SizingBook, settings: list[str], said: str) -> None:
    assert seek(book, settings, "desktops", "arrays_required=3").notes[1].startswith(said)


@pytest.mark.slow
def test_seek_finds_the_break_even_price(book: SizingBook) -> None:
    table = seek(book, [], "array_price", "cost_per_desktop=60")
    assert table.rows == ((90000, 60, "met"),)  # 60 x 1,500 desktops on one array, without support
    table = seek(book, ["desktops=700"], "array_price", "cost_per_desktop=33.333")
    assert table.rows[0][0] == 23333.1  # 33.333 x 700
    table = seek(book, ["desktops=700"], "array_price", "cost_per_desktop=33.3333")
    assert table.rows[0][0] == 23333.31  # whole cents


def test_seek_is_exact_to_ten_digits_of_a_ratio(book: SizingBook) -> None:
    (row,) = seek(book, [], "capacity_headroom_ratio", "ratio_capacity=1").rows
    needed, usable = cell_by_cell(book, {}, ("capacity_required_gib", "usable_gib"))
    assert isinstance(needed, float)
    assert isinstance(usable, float)
    assert row[0] == pytest.approx(1 - needed / usable, abs=1e-10)


def test_seek_says_that_a_result_rises_and_falls(book: SizingBook) -> None:
    table = seek(book, [], "desktops", "cost_per_desktop=60")
    assert table.rows[0][0] == 100_000
    text = " ".join(table.notes)
    assert "cost_per_desktop is not monotone in desktops: it rises and falls" in text
    assert "met at this end of the range, desktops from 1 to 100,000: the range limits the answer" in text
    assert "On the way the target is missed" in text
    smallest = seek(book, [], "desktops", "cost_per_desktop<=60", smallest=True)
    (price,) = cell_by_cell(book, {"desktops": 1.0}, ("cost_per_desktop",))
    assert isinstance(price, float)
    assert smallest.rows[0][0] == math.ceil(price / 60)


def test_seek_says_that_the_target_is_always_met(run: Run) -> None:
    code, out, _ = run("seek", "--vary", "desktops", "--target", "arrays_required=100000")
    assert code == 0
    assert "The target is met over the whole range, desktops from 1 to 100,000: the range limits the answer." in out


def test_seek_counts_texts_as_missed(book: SizingBook) -> None:
    desktops = book.inputs["desktops"].address.a1
    copy = edited(book, {book.results["knee_utilisation"].address: f'=IF({desktops}>250,"too many",{desktops})'})
    table = seek(copy, [], "desktops=1:1000", "knee_utilisation=900")
    assert table.rows == ((250, 250, "met"), (251, "too many", "missed"))
    assert table.notes[1] == "750 of 1,000 points are 'too many': counted as missed."


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("whatif --vary desktops=1:100000:0.5", "199,999 values; at most 100,000"),
        ("whatif --vary desktops=1:50000:1 --vary images=1,2,3", "150,000 combinations; at most 100,000"),
        ("whatif --vary desktops=1:5:1 --vary desktops=9", "desktops is varied already"),
        ("whatif --vary desktops=1:inf:1", "'inf' is not a number"),
        ("compare --set 'array=My array 1'", "compare takes every array"),
        ("compare --set desktops=0", "outside the whole numbers 1 to 100,000 desktops"),
        ("seek --vary desktops --target arrays_required", "expected result=number, such as arrays_required=2"),
        ("seek --vary desktops --target arrays_required=two", "'two' is not a number"),
        ("seek --vary desktops --target arrays=2", "there is no result 'arrays'"),
        ("seek --vary desktop --target arrays_required=2", "did you mean desktops (Users: "),
        ("seek --vary array --target arrays_required=2", "takes texts from a list"),
        ("seek --vary desktops=9 --target arrays_required=2", "expected desktops alone or desktops=low:high"),
        ("seek --vary desktops=9:2 --target arrays_required=2", "expected low < high"),
        ("seek --vary patch_streams=5.2:5.8 --target arrays_required=2", "at least 1 count apart"),
        ("seek --vary desktops=0:20 --target arrays_required=2", "outside the whole numbers 1 to 100,000 desktops"),
        ("seek --vary desktops --target arrays_required=0", "never met by desktops from 1 to 100,000; the least is 1"),
        (
            "seek --smallest --vary desktops --target arrays_required=1e6",
            "never met by desktops from 1 to 100,000; the most",
        ),
        ("seek --vary desktops --target binding_constraint=2", "is not a number but 'Provisioning IOPS'"),
        ("seek --vary years --target arrays_required=2", "is 1 for every years from 1 to 7"),
        ("seek --set desktops=5 --vary desktops --target arrays_required=2", "is varied and cannot be set as well"),
    ],
)
def test_a_mistake_costs_one_line_and_exit_2(run: Run, arguments: str, message: str) -> None:
    code, out, err = run(*shlex.split(arguments))
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_whatif_names_the_limit_on_combinations_of_texts(run: Run) -> None:
    texts = [f"{key}=all" for key in ("array", "profile", "provisioning", "cache_state", "failover")]
    code, _, err = run("whatif", *(part for text in texts for part in ("--vary", text)))
    assert code == 2
    assert "combinations of texts; at most 2,000" in err


@pytest.mark.parametrize(
    "command",
    ["whatif --vary desktops=1:500:1", "compare", "seek --vary desktops --target arrays_required=2"],
)
def test_a_circle_in_the_workbook_is_one_line(run: Run, book: SizingBook, command: str) -> None:
    place = book.results["arrays_required"].address
    place = place._replace(column=place.column + (command == "compare"))  # arrays compared stand in the first what-if
    name, *rest = command.split()
    code, out, err = run(name, *rest, opened=edited(book, {place: f"={place.a1}+1"}))
    assert (code, out) == (2, "")
    assert f"{place.a1}: The cell depends on itself" in err
    assert err.count("\n") == 1
