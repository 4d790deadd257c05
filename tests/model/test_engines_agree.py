"""Every formula cell recomputed by LibreOffice and Gnumeric, for the shipped inputs and every input set.

The package `formulas`, which takes as long as both for one recalculation, judges each kind of set once.
"""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from openpyxl.utils import get_column_letter

from addin.kernel import Address as KernelAddress
from addin.kernel import Cells, ExcelError, Scalar, evaluate_all
from model.layout.grid import FIRST_ROW
from model.sheets.proof import summary
from model.sheets.sizing import timeline
from model.sheets.sizing.constraints import CONSTRAINTS
from model.workbook import Built
from tests.support import formulas_engine, gnumeric, input_sets, libreoffice
from tests.support.answers import changed
from tests.support.compare import (
    Address,
    Difference,
    Value,
    agree,
    cell_values,
    differences,
    formula_cells,
    handed_on,
    largest_difference,
    largest_precedents,
)

pytestmark = pytest.mark.office

LAST_BIT = 1e-15
PLANS = 11  # the shipped workbook, eight batches of sets, and the sets of own arrays with these filled
ALIKE = slice(1, 5)  # plans that only choose arrays and methods, as the first half of the fifth batch does too
NEGLIGIBLE = 1e-9  # a difference of two equal figures is 0 in one engine and 1e-17 in another
DIGITS = 15  # that Excel writes of a number
LONG = re.compile(r"\d{1,3}(?:,\d{3}){5,}")  # a whole number of more than these
ROOM = {"room_normal": "largest_per_desktop", "room_after_failure": "largest_after_per_desktop"}  # result: share of one


@pytest.fixture(scope="module")
def plans(built: Built) -> list[dict[Address, Value]]:
    """Return what each recalculation types: nothing, then as many input sets as there are design columns."""
    return input_sets.plans(built)


@pytest.fixture(scope="module")
def computed(cells: Cells, plans: list[dict[Address, Value]]) -> list[dict[KernelAddress, Scalar]]:
    """Return the kernel's value of every formula cell for each plan."""
    return [evaluate_all(changed(cells, plan)) for plan in plans]


@pytest.fixture(scope="module")
def kernel_values(computed: list[dict[KernelAddress, Scalar]]) -> list[dict[Address, Value]]:
    """Return these values as judges give them."""
    return [
        {
            (a.sheet, a.a1.rpartition("!")[2]): value.value if isinstance(value, ExcelError) else value
            for a, value in values.items()
        }
        for values in computed
    ]


@pytest.fixture(scope="module")
def files(built: Built, plans: list[dict[Address, Value]], tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return one saved workbook per plan, without cached values."""
    folder = tmp_path_factory.mktemp("plans")
    paths = []
    for number, plan in enumerate(plans):
        before = {address: built.workbook[address[0]][address[1]].value for address in plan}
        for (sheet, cell), value in plan.items():
            built.workbook[sheet][cell].value = value
        paths.append(folder / f"plan{number:02d}.xlsx")
        built.workbook.save(paths[-1])
        for (sheet, cell), value in before.items():
            built.workbook[sheet][cell].value = value
    return paths


@pytest.fixture(scope="module")
def formulas(built: Built) -> dict[Address, str]:
    """Return the formula of every formula cell."""
    return formula_cells(built.workbook)


def judged(
    book: Built, formulas: dict[Address, str], expected: dict[Address, Value], judge_values: dict[Address, Value]
) -> list[str]:
    assert expected.keys() == formulas.keys()
    apart = {(d.sheet, d.cell): expected[d.sheet, d.cell] for d in differences(expected, judge_values)}
    largest = largest_precedents({at: formulas[at] for at in apart}, {**judge_values, **expected})
    for at in handed_on({at: formulas[at] for at in apart}, expected, judge_values):
        del apart[at]
    return [str(d) for d in differences(apart, judge_values, largest) if not level(book, d, expected)]


def _same_but_for_digits(texts: Sequence[str]) -> bool:
    """Tell whether two texts differ in numbers of more than 15 digits alone, by one step of the fifteenth at most."""
    if len({LONG.sub("", text) for text in texts}) > 1:
        return False
    pairs = zip(*([number.replace(",", "") for number in LONG.findall(text)] for text in texts), strict=True)
    return all(abs(int(one) - int(other)) <= 10 ** (len(one) - DIGITS) for one, other in pairs)


def level(book: Built, difference: Difference, expected: dict[Address, Value]) -> bool:
    """Tell whether two answers stand for figures that are equal but for their last bits: either may come first.

    The step of the highest load on the Timeline, the constraint that binds or comes next, and what rests without it: no
    source says how Excel's MATCH compares. Whole desktops just at a whole number: Gnumeric and formulas round down
    without Excel's view of 15 digits. A number of more than 15 digits in a text: Excel rounds it to 15 and writes zeros
    from there, Gnumeric what the double holds, and a last bit may round the other way.
    """
    texts = difference.expected, difference.actual
    if all(isinstance(text, str) for text in texts) and _same_but_for_digits([str(text) for text in texts]):
        return True
    numbers = [float(text) for text in texts if isinstance(text, float | int)]
    if len(numbers) == len(texts) and abs(numbers[0] - numbers[1]) <= LAST_BIT:
        return True  # what the difference of two equal numbers leaves
    if (difference.sheet, difference.cell) == timeline.card("step_minute"):
        minutes, iops = (get_column_letter(timeline.series(key)) for key in ("minute", "iops"))
        steps = {row: expected["Timeline", f"{minutes}{row}"] for row in range(FIRST_ROW, timeline.LAST_ROW + 1)}
        named = (difference.expected, difference.actual)
        heights = [
            expected["Timeline", f"{iops}{row}"] for row, at in steps.items() if any(agree(at, n) for n in named)
        ]
        return len(heights) == 2 and agree(heights[0], heights[1])
    column, row = re.fullmatch(r"([A-Z]+)(\d+)", difference.cell).groups()  # type: ignore[union-attr]
    key = {line: key for key, line in book.layout.lines.items()}.get((difference.sheet, int(row)), "")
    every = {
        letter: {
            constraint.label: expected[sheet, f"{letter}{cell[1:]}"]
            for constraint in CONSTRAINTS
            for sheet, cell in [book.layout.cell(constraint.ratio)]
        }
        for letter in map(get_column_letter, book.layout.columns)
    }
    # its own design where it is computed and in Summary's table; the answer on top of a sheet is the base design's
    own = bool(key) or (difference.sheet == summary.NAME and int(row) >= FIRST_ROW)
    ratios = every[column] if own and column in every else every["D"]
    names = str(difference.expected), str(difference.actual)
    if set(names) <= ratios.keys():
        return agree(ratios[names[0]], ratios[names[1]])
    if key.startswith("rest_"):
        ratio = ratios[str(book.workbook[difference.sheet][f"A{row}"].value).partition(", ")[0]]
        tied = sum(agree(ratio, other) for other in ratios.values()) > 1
        return tied and all(
            agree(value, 0.0) or agree(value, ratio) for value in (difference.expected, difference.actual)
        )
    if key in ("desktops_at_limit", "headroom_desktops"):
        limit = book.layout.lines["desktops_at_limit"][1]
        whole = expected["Latency", f"{column}{limit}"]
        unrounded = [expected.get(("Latency", f"{column}{limit - above}")) for above in (1, 2)]
        near = any(agree(value, whole) for value in unrounded)
        return near and difference.actual == float(str(difference.expected)) - 1
    if key.startswith("ask_"):  # what a vendor is asked for is that of either of two equal loads
        sheet, line = book.layout.lines["ask_boot_iops"]
        loads = sorted(float(str(expected[sheet, f"{column}{line + n}"])) for n in range(4))
        return agree(loads[-1], loads[-2])
    if key in ROOM:
        sheet, line = book.layout.lines[ROOM[key]]
        desktops = 1 / float(str(expected[sheet, f"{column}{line}"]))
        return agree(desktops, float(round(desktops))) and difference.actual == float(str(difference.expected)) - 1
    return False


@pytest.mark.slow
def test_no_input_set_gives_an_error_value(
    plans: list[dict[Address, Value]], computed: list[dict[KernelAddress, Scalar]]
) -> None:
    assert len(plans) == PLANS
    for plan, values in zip(plans, computed, strict=True):
        errors = [a for a, value in values.items() if isinstance(value, ExcelError)]
        # Evidence reads the published tests alone, which the sets have typed over: it must hold as it was shipped.
        assert [a.a1 for a in errors if a.sheet != "Evidence" or not plan] == []


@pytest.mark.slow
def test_libreoffice_agrees_on_every_cell_of_every_input_set(
    built: Built,
    formulas: dict[Address, str],
    files: list[Path],
    kernel_values: list[dict[Address, Value]],
    tmp_path: Path,
) -> None:
    judges = libreoffice.recalculate(files, tmp_path / "recalculated")
    worst: tuple[float, Address | None] = (0.0, None)
    for path, expected in zip(files, kernel_values, strict=True):
        judge_values = cell_values(judges[path])
        assert judged(built, formulas, expected, judge_values) == [], path.name
        sized = {a: v for a, v in expected.items() if isinstance(v, float) and abs(v) > NEGLIGIBLE}
        worst = max(worst, largest_difference(sized, judge_values), key=lambda pair: pair[0])
    print(f"largest relative difference to LibreOffice: {worst[0]:.1e} at {worst[1]}")


@pytest.mark.slow
def test_gnumeric_agrees_on_every_cell_of_every_input_set(
    built: Built,
    formulas: dict[Address, str],
    files: list[Path],
    kernel_values: list[dict[Address, Value]],
    tmp_path: Path,
) -> None:
    judges = gnumeric.recalculate(files, tmp_path / "recalculated")
    worst: tuple[float, Address | None] = (0.0, None)
    for path, expected in zip(files, kernel_values, strict=True):
        judge_values = judges[path]
        assert judged(built, formulas, expected, judge_values) == [], path.name
        sized = {a: v for a, v in expected.items() if isinstance(v, float) and abs(v) > NEGLIGIBLE}
        worst = max(worst, largest_difference(sized, judge_values), key=lambda pair: pair[0])
    print(f"largest relative difference to Gnumeric: {worst[0]:.1e} at {worst[1]}")


@pytest.mark.slow
def test_formulas_agrees_on_every_cell_of_every_kind_of_input_set(
    built: Built,
    formulas: dict[Address, str],
    files: list[Path],
    plans: list[dict[Address, Value]],
    kernel_values: list[dict[Address, Value]],
) -> None:
    judge = formulas_engine.load(files[0])
    worst: tuple[float, Address | None] = (0.0, None)
    chosen = list(zip(plans, kernel_values, strict=True))
    del chosen[ALIKE]
    for plan, expected in chosen:
        judge_values = judge.calculate(plan)
        assert judged(built, formulas, expected, judge_values) == []
        sized = {a: v for a, v in expected.items() if isinstance(v, float) and abs(v) > NEGLIGIBLE}
        worst = max(worst, largest_difference(sized, judge_values), key=lambda pair: pair[0])
    print(f"largest relative difference to formulas: {worst[0]:.1e} at {worst[1]}")


def test_a_tie_excuses_a_swap_of_names_in_its_own_design_alone(built: Built) -> None:
    """Capacity and Latency tie in What-if 1 (column E) alone: nothing else may show the one for the other."""
    expected: dict[Address, Value] = {}
    for case in built.layout.case_names:
        for place, constraint in enumerate(CONSTRAINTS, 1):
            tied = case == "What-if 1" and constraint.key == "latency"
            expected[built.layout.cell(constraint.ratio, case)] = 1.0 if tied else float(place)
    sheet, row = built.layout.lines["binding_constraint"]
    shown = {column: Difference(sheet, f"{column}{row}", "Capacity", "Latency") for column in "DEF"}
    assert {column: level(built, difference, expected) for column, difference in shown.items()} == {
        "D": False,
        "E": True,
        "F": False,
    }
    # the answer on top of Inputs is the base design, whatever its column; in the table of Summary each column is one
    assert not level(built, Difference("Inputs", "E2", "Capacity", "Latency"), expected)
    assert level(built, Difference("Summary", f"E{FIRST_ROW + 4}", "Capacity", "Latency"), expected)
    assert not level(built, Difference("Summary", f"D{FIRST_ROW + 4}", "Capacity", "Latency"), expected)
