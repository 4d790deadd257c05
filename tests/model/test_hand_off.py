"""Hand-off: every line reads "not part of this sizing" until typed; the figures to monitor are those sized."""

from collections.abc import Mapping

import pytest
from openpyxl.worksheet.cell_range import CellRange

from addin.kernel import Address, Cells, Scalar
from model.layout.codes import HAND_OFF_NAMES
from model.layout.grid import FIRST_ROW
from model.sheets.front import hand_off
from model.sheets.front.hand_off import NAME, NO_FIGURE, OPEN, RISK_ROW, THRESHOLD_ROW, THRESHOLDS
from tests.support.answers import answers, changed
from tests.support.input_sets import Inputs, overrides
from tests.support.recomputed import Evaluator
from tests.support.shipped import built, built_cells

BUILT, CELLS = built(), built_cells()
LINES = range(FIRST_ROW, FIRST_ROW + len(hand_off.LINES))


def monitored(**design: float | str) -> dict[str, Scalar]:
    """Return the figure at which to act of every line of the workbook that is monitored."""
    typed = {Address.from_a1(f"{sheet}!{cell}"): value for (sheet, cell), value in overrides(BUILT, [design]).items()}
    evaluator = Evaluator(CELLS, typed)
    return {
        each.line or "stored": evaluator.value(Address(NAME, row, 2))
        for row, each in enumerate(THRESHOLDS, THRESHOLD_ROW)
    }


def state(row: int, cells: Cells = CELLS) -> Scalar:
    return Evaluator(cells, {}).value(Address(NAME, row, 2))


def test_every_line_is_open_until_somebody_types_it() -> None:
    rows = [row for row, line in enumerate(hand_off.LINES, FIRST_ROW) if isinstance(line, hand_off.Line)]
    assert {state(row) for row in (*rows, *range(RISK_ROW, RISK_ROW + hand_off.RISKS))} == {OPEN}
    typed: Mapping[tuple[str, str], str | float] = {(NAME, f"C{rows[0]}"): "iSCSI", (NAME, f"C{rows[1]}"): 4.0}
    cells = changed(CELLS, dict(typed))
    assert state(rows[0], cells) == "typed"
    assert state(rows[1], cells) == "a number: type its unit"
    assert state(rows[2], cells) == OPEN


def test_what_is_typed_moves_no_result() -> None:
    typed = {(NAME, f"C{row}"): "text" for row in LINES}
    design: Inputs = {"desktops": 2000.0}
    keys = ("arrays_required", "status", "capacity_required_gib")
    assert answers(BUILT, changed(CELLS, dict(typed)), [design], *keys) == answers(BUILT, CELLS, [design], *keys)


def test_the_figures_to_monitor_are_those_of_the_design() -> None:
    design: dict[str, float | str] = {"desktops": 2000.0, "latency_limit_ms": 3.0}
    keys = ("login_iops", "steady_iops", "boot_iops", "ask_mb_s", "desktops_at_limit")
    (sized,) = answers(BUILT, CELLS, [dict(design)], *keys)
    found = monitored(**design)
    assert [found[key] for key in keys] == list(sized)
    assert found["latency_limit_ms"] == 3.0
    usable, arrays = answers(BUILT, CELLS, [dict(design)], "usable_after_headroom_gib", "arrays_used")[0]
    assert found["stored"] == pytest.approx(float(str(usable)) * float(str(arrays)))
    assert (found["tier_iops"], found["share_offered_iops"]) == (NO_FIGURE, NO_FIGURE)


def test_a_design_on_disks_is_monitored_by_its_disk() -> None:
    found = monitored(disk_place="Azure Premium SSD", disk_vm_iops=20_000.0)
    assert (found["login_iops"], found["stored"]) == (NO_FIGURE, NO_FIGURE)
    assert isinstance(found["tier_iops"], float)
    assert found["tier_iops"] > 0


def test_a_design_with_errors_has_no_figure_to_monitor() -> None:
    """An error makes the answer void: no figure of it tells anybody when to act."""
    assert set(monitored(desktops="many").values()) == {NO_FIGURE}


def test_its_names_are_in_quotes_as_an_application_needs_them() -> None:
    """Without quotes Hand-off!C6 is a name, less a cell of the sheet "off": an application would repair the file."""
    names = {name: each for name, each in BUILT.workbook.defined_names.items() if name.startswith(HAND_OFF_NAMES)}
    assert len(names) == len(hand_off.lines()) + len(hand_off.RISK_COLUMNS)
    assert {title for each in names.values() for title, _ in each.destinations} == {NAME}


def test_every_open_cell_has_a_name_so_that_its_text_leaves() -> None:
    sheet = BUILT.workbook[NAME]
    defined = [each for name, each in BUILT.workbook.defined_names.items() if name.startswith(HAND_OFF_NAMES)]
    areas = [CellRange(area.replace("$", "")) for each in defined for _, area in each.destinations]
    named = {sheet.cell(row, column).coordinate for area in areas for row, column in area.cells}
    assert {cell.coordinate for row in sheet.iter_rows() for cell in row if not cell.protection.locked} == named
