"""A text, TRUE or an error value where a figure belongs, and an error in a row behind a result, turn the banner red."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from openpyxl import Workbook
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from addin.audit import audit_saved
from addin.kernel import Address, Cells, ExcelError, Scalar
from addin.sizing.answers import size
from addin.workbook.book import load, open_book
from addin.workbook.stored import stored_otherwise
from model.layout.grid import BASE, FIRST_PUBLISHED, quoted
from model.sheets.front import hand_off
from model.sheets.sizing import outcome
from model.workbook import Built
from tests.support import shipped
from tests.support.gnumeric import recalculate as recalculated_by_gnumeric
from tests.support.libreoffice import recalculate
from tests.support.recomputed import Evaluator

NO_NUMBERS: tuple[Scalar, ...] = ("3 years", True, ExcelError.NA)
FIGURES, PLACES = ("decimal", "whole", "date"), 10
# what was pasted and recalculated under a green banner: it was an error on Cost review, or counted as 0
PASTED = ("discount_ratio", "price_change_ratio", "tariff_per_kwh", "support_included_years")


@pytest.fixture(scope="module")
def cells() -> Cells:
    return shipped.built_cells()


@pytest.fixture(scope="module")
def typed(built: Built) -> list[Address]:
    """Every open cell of the workbook that accepts nothing but a number or a date."""
    return list(_typed(built))


def _typed(built: Built) -> Iterator[Address]:
    for ws in built.workbook:
        for rule in ws.data_validations.dataValidation:
            for area in rule.sqref.ranges if rule.type in FIGURES else ():
                for row, column in area.cells:
                    if not ws.cell(row, column).protection.locked:
                        yield Address(ws.title, row, column)


def _open(ws: Worksheet) -> Iterator[bool]:
    return (not cell.protection.locked for row in ws.iter_rows() for cell in row)


def _checks(built: Built, words: str) -> dict[str, Address]:
    """The cells that say whether a check is raised, by label."""
    ws = built.workbook["Checks"]
    labelled = ((ws.cell(row, 2).value, row) for row in range(5, ws.max_row + 1))
    return {str(label): Address("Checks", row, 8) for label, row in labelled if words in str(label)}


def _found(built: Built) -> list[Address]:
    return [each._replace(column=6) for each in _checks(built, "figures are numbers").values()]


def _counted(cells: Cells, found: list[Address], values: dict[Address, Scalar]) -> float:
    evaluator = Evaluator(cells, values)
    return sum(float(str(evaluator.value(each))) for each in found)


def test_every_cell_that_takes_a_figure_is_counted_once_and_no_other(
    built: Built, cells: Cells, typed: list[Address]
) -> None:
    """Each group is the cells whose number in binary has a certain digit: no cell missed makes up for one twice."""
    found = _found(built)
    assert (len(typed) > 1_800, len(found)) == (True, PLACES)
    assert _counted(cells, found, {}) == 0
    for bit in range(len(typed).bit_length()):
        group = [each for at, each in enumerate(typed, 1) if at >> bit & 1]
        assert _counted(cells, found, dict.fromkeys(group, NO_NUMBERS[bit % 3])) == len(group)
    names = {(each.sheet, each.row, each.column) for each in typed}
    texts = [
        Address(ws.title, cell.row, cell.column)
        for ws in built.workbook
        for row in ws.iter_rows()
        for cell in row
        if not cell.protection.locked and (ws.title, cell.row, cell.column) not in names
    ]
    assert _counted(cells, found, dict.fromkeys(texts, "abc")) == 0


@pytest.mark.slow
def test_a_figure_pasted_outside_the_limits_of_an_input_is_an_error(built: Built, cells: Cells) -> None:
    """Below and above, of every input, base design and last what-if; the limits themselves raise nothing."""
    flags = _checks(built, "within their limits")
    for item in (each for each in built.data.inputs if each.kind in ("number", "date") and not each.once):
        home, row = built.layout.inputs[item.key]
        low, high = float(item.minimum or 0), float(item.maximum or 0)
        flag = next(at for label, at in flags.items() if label.startswith(f"{home}:"))
        for at in (_at(built.layout.typed(item.key)), Address(home, row, FIRST_PUBLISHED - 1)):
            for value, raised in ((low - 0.01, 1), (high + 0.01, 1), (low, 0), (high, 0)):
                assert Evaluator(cells, {at: value}).value(flag) == raised, (item.key, at.a1, value)


@pytest.mark.parametrize("field", ["capacity_tb", "iops", "controllers_active", "price", "base_latency_ms"])
def test_a_figure_below_0_on_a_card_of_an_array_is_an_error_that_names_the_tab(
    built: Built, cells: Cells, field: str
) -> None:
    (flag,) = (at for label, at in _checks(built, "figures are numbers").items() if label.startswith("My arrays"))
    at = Address.from_a1(cells.names[f"Own_arrays.{field}"].replace("$", "").partition(":")[0])
    for value, raised in ((-20.0, 1), (20.0, 0)):
        assert Evaluator(cells, {at: value}).value(flag) == raised


def _at(typed: tuple[str, str]) -> Address:
    return Address.from_a1(f"{quoted(typed[0])}!{typed[1]}".replace("$", ""))


@pytest.mark.slow
@pytest.mark.parametrize("wrong", NO_NUMBERS, ids=["text", "TRUE", "error value"])
def test_no_text_in_a_cell_for_figures_leaves_the_banner_green(
    built: Built, cells: Cells, typed: list[Address], wrong: Scalar
) -> None:
    flags = _checks(built, "figures are numbers")
    banner = Address.from_a1(built.layout.blocks["banner"].address.replace("$", ""))
    first = {each.sheet: each for each in reversed(typed)}
    texts_alone = {hand_off.NAME}
    assert first.keys() == {ws.title for ws in built.workbook if any(_open(ws))} - texts_alone
    for place in first.values():
        evaluator = Evaluator(cells, {place: wrong})
        (label,) = (label for label, flag in flags.items() if evaluator.value(flag) == 1)
        assert place.sheet in label
        assert float(str(evaluator.value(shipped.errors_raised(built)))) >= 1
        assert str(evaluator.value(banner)).partition(":")[0].endswith(("error", "errors")) or (
            place.sheet == "Answer" and str(evaluator.value(banner)).startswith("Enter the users.")
        )


@pytest.mark.slow
def test_an_error_in_any_row_of_a_design_is_found_and_names_its_sheets(built: Built, cells: Cells) -> None:
    """The last row of every sheet: nothing stands behind it but what is shown."""
    flags = _checks(built, "has an error")
    assert len(flags) == len(outcome.BEHIND)
    last, computed = get_column_letter(FIRST_PUBLISHED - 1), built.layout.lines["computed"][1]
    for sheet in (sheet for sheets in outcome.BEHIND for sheet in sheets):
        rows = [row for home, row in built.layout.lines.values() if home == sheet]
        row = max(rows) - len(outcome.BEHIND) * (sheet == "Outcome") - (sheet == "Outcome")
        for column in (get_column_letter(BASE), last):
            place = Address.from_a1(f"'{sheet}'!{column}{row}")
            evaluator = Evaluator(cells, {place: ExcelError.DIV0})
            raised = [label for label, flag in flags.items() if evaluator.value(flag) == 1]
            if evaluator.value(Address.from_a1(f"Outcome!{column}{computed}")) == 0:  # then the column has no figure
                assert column == last or evaluator.value(shipped.errors_raised(built)) != 0
                continue
            assert sheet in raised[0], (place, raised)  # what reads it stands further down


@pytest.mark.slow
def test_what_was_pasted_under_a_green_banner_makes_it_red_in_libreoffice(built: Built, tmp_path: Path) -> None:
    paths = []
    for key in PASTED:
        workbook = shipped.fresh()
        sheet, cell = built.layout.typed(key)
        workbook[sheet][cell].value = "3 years"
        paths.append(tmp_path / f"{key}.xlsx")
        workbook.save(paths[-1])
    master = shipped.errors_raised(built)
    for path, found in recalculate(paths, tmp_path / "out").items():
        ws = found["Checks"]
        raised = [ws.cell(row, 2).value for row in range(5, ws.max_row + 1) if ws.cell(row, 8).value == 1]
        assert found[master.sheet].cell(master.row, master.column).value >= 1, path.stem
        assert any(str(label).startswith("Inputs: figures") for label in raised), path.stem
        assert "error" in str(found["Answer"]["A2"].value)


# each tells TRUE from 1 in Excel, in Gnumeric and in the kernel
TELLING = ('ISNUMBER(#)', 'COUNT(#)', 'SUM(#)=0', 'MAX(#)=0', 'COUNTIF(#,1)', 'LEN(#&"")', 'EXACT(#&"","1")', '#>9999',
           'ISERROR(MATCH(1,#:#,0))', 'SUMPRODUCT(ISNUMBER(#:#)*1)', 'ISERROR(AVERAGE(#))', 'TEXT(#,"0")')  # fmt: skip


@pytest.mark.slow
def test_no_formula_tells_true_from_one_in_libreoffice(tmp_path: Path) -> None:
    """Cells for figures have a number format, and there LibreOffice makes =TRUE(), a number, of the TRUE of a file.

    docs/where.md says so. Where this test fails, a formula tells them apart, and not_numbers should use it.
    """
    workbook = Workbook()
    ws = workbook.worksheets[0]
    for column, value in (("B", True), ("C", 1)):
        ws[f"{column}1"].value, ws[f"{column}1"].number_format = value, "#,##0"
        for row, text in enumerate(TELLING, 2):
            ws[f"{column}{row}"].value = f"={text.replace('#', f'{column}$1')}"
    workbook.save(tmp_path / "true.xlsx")
    kernel = Evaluator(Cells.from_openpyxl(workbook))
    (office,) = recalculate([tmp_path / "true.xlsx"], tmp_path / "office").values()
    (gnumeric,) = recalculated_by_gnumeric([tmp_path / "true.xlsx"], tmp_path / "gnumeric").values()
    for row, text in enumerate(TELLING, 2):
        found = office.worksheets[0]
        assert float(found[f"B{row}"].value) == float(found[f"C{row}"].value), text
        truth, one = (Address("Sheet", row, column) for column in (2, 3))
        assert kernel.value(truth) != kernel.value(one), text
        assert gnumeric[("Sheet", f"B{row}")] != gnumeric[("Sheet", f"C{row}")], text


@pytest.mark.slow
def test_true_that_libreoffice_counts_as_one_is_named_by_size_and_audit(built: Built, tmp_path: Path) -> None:
    workbook = shipped.fresh()
    sheet, cell = built.layout.typed("support_included_years")
    workbook[sheet][cell].value = True
    workbook.save(tmp_path / "typed.xlsx")
    (found,) = recalculate([tmp_path / "typed.xlsx"], tmp_path / "out").values()
    assert "error" not in str(found["Answer"]["A2"].value)
    copy = tmp_path / "out" / "typed.xlsx"
    book = open_book(copy)
    assert any(note.startswith(f"{sheet}!{cell}: found TRUE, no number") for note in size(book, ()).notes)
    report = audit_saved(load(copy), copy, lambda exact: stored_otherwise(book, exact))
    told = [finding.message for finding in report.findings if finding.rule in ("R17", "Results")]
    assert told[0].startswith("found TRUE, no number; LibreOffice counts TRUE as a number. Type a number")
    assert f"saved the file and counts the TRUE or FALSE in {sheet}!{cell} as a number." in told[1]


def _of_design(built: Built, key: str) -> Address:
    sheet, cell = built.layout.cell(key)
    return Address.from_a1(f"'{sheet}'!{cell}")


@pytest.mark.parametrize(
    ("key", "inside", "beyond"),
    [
        ("growth_per_year_ratio", (-0.5, 1.0), (-0.51, 1.01)),
        ("price_change_ratio", (-0.5, 0.5), (-0.51, 0.51)),
        ("cost_change_ratio", (-0.5, 0.5), (-0.51, 0.51)),
    ],
)
def test_a_rate_beyond_the_range_that_the_words_name_has_no_cost(
    built: Built, cells: Cells, key: str, inside: tuple[float, ...], beyond: tuple[float, ...]
) -> None:
    sheet, cell = built.layout.typed(key)
    place = Address.from_a1(f"'{sheet}'!{cell}")
    words = [Evaluator(cells, {place: v}).value(_of_design(built, f"{key}_wrong")) for v in (*inside, *beyond)]
    assert words[:2] == ["", ""]
    assert all(str(each).startswith("enter the ") for each in words[2:])


def test_a_discount_of_everything_is_an_alert(built: Built, cells: Cells) -> None:
    (flag,) = _checks(built, "The discount leaves a price").values()
    sheet, cell = built.layout.typed("discount_ratio")
    place = Address.from_a1(f"'{sheet}'!{cell}")
    assert [Evaluator(cells, {place: v}).value(flag) for v in (0.0, 0.6, 1.0)] == [0, 0, 1]
