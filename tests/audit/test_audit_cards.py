"""The class card: a typed column and a derived one; each rule that knows it catches a fault there and nothing else."""

import pytest
from openpyxl import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from addin.audit import audit
from model.sheets.catalogue import all_arrays, array_details, my_arrays
from tests.support.audit_changes import BUILT, Change, Fault, at, both, changed, lock, put, sheet, style, together

ROWS = my_arrays.rows()
CAPACITY, KIND, FULL = (ROWS[key] for key in ("capacity_tb", "capacity_kind", "point_full_iops"))
RATING = array_details.rows(BUILT.data)["rating_login_iops"]


def _no_rules(ws: Worksheet) -> None:
    ws.data_validations.dataValidation = []


FAULTS: tuple[tuple[str, Change, str, str], ...] = (
    ("R02", put(f"'My arrays'!D{CAPACITY}", "=1"), f"'My arrays'!D{CAPACITY}", "to the column beside it"),
    ("R02", put(f"'My arrays'!F{RATING}", "=1"), f"'My arrays'!F{RATING}", "to the column beside it"),
    ("R03", put(f"'My arrays'!E{FULL}", 250000), f"'My arrays'!E{FULL}", "only in input cells"),
    ("R04", put(f"'My arrays'!G{FULL}", "=F1*0"), f"'My arrays'!G{FULL}", "Copy E"),
    ("R04", put("'All arrays'!D21", "=0"), "'All arrays'!D21", "Copy D"),
    ("R06", put(f"'My arrays'!B{CAPACITY}", "TBs"), f"'My arrays'!B{CAPACITY}", "is not in the unit list"),
    ("R07", put(f"'My arrays'!C{CAPACITY}", "a guess"), f"'My arrays'!C{CAPACITY}", "names no source"),
    ("R08", style(f"'My arrays'!E{FULL}", "note"), f"'My arrays'!E{FULL}", "is a formula styled 'note'"),
    (
        "R13",
        sheet("My arrays", lambda ws: setattr(ws, "freeze_panes", "E5")),
        "'My arrays'!A1",
        "Freeze the panes there",
    ),
    ("R16", lock(f"'My arrays'!D{CAPACITY}", True), f"'My arrays'!D{CAPACITY}", "Unlock it"),
    ("R16", lock(f"'My arrays'!E{FULL}", False), f"'My arrays'!E{FULL}", "Lock the cell"),
    ("R17", sheet("My arrays", _no_rules), f"'My arrays'!D{KIND}", "has no validation"),
    ("R20", put(f"'My arrays'!E{CAPACITY}", f"=E{FULL}*1"), f"'My arrays'!E{CAPACITY}", "Move the line up"),
    (
        "R20",
        put(f"'My arrays'!E{CAPACITY}", f"=Sizing!{BUILT.layout.cell('arrays_required')[1]}*1"),
        f"'My arrays'!E{CAPACITY}",
        "Break it at one of these cells",
    ),
)
RULES = {Fault(change, where, words): rule for rule, change, where, words in FAULTS}


@pytest.mark.slow
@pytest.mark.parametrize("group", together(RULES))
def test_faults_on_a_card_are_caught(group: list[Fault]) -> None:
    findings = audit(changed(both(*(fault.change for fault in group))))
    for fault in group:
        found = [finding for finding in findings if finding.rule == RULES[fault]]
        assert any(f.where.startswith(fault.where) and fault.words in f.message for f in found), (fault, found[:5])


@pytest.mark.slow
def test_a_card_that_is_filled_breaks_no_rule() -> None:
    def fill(book: Workbook) -> None:
        for cell, value in {
            "D4": "Lab array",
            f"D{CAPACITY}": 40,
            f"D{KIND}": "usable",
            f"D{ROWS['iops']}": 2e5,
        }.items():
            at(book, f"'My arrays'!{cell}").value = value
        at(book, f"'My arrays'!D{RATING}").value = 5000

    assert [str(finding) for finding in audit(changed(fill))] == []


def test_every_line_of_an_own_array_has_a_name_over_the_same_columns() -> None:
    names = BUILT.workbook.defined_names
    head = names["Own_arrays"].attr_text
    assert head == "'My arrays'!$D$4:$O$4"
    card = {field.key for field in BUILT.data.card_fields}
    details = set(array_details.rows(BUILT.data))
    fields = {name.partition(".")[2] for name in names if name.startswith("Own_arrays.")}
    assert fields == card | details
    for field in fields:
        sheet_name, _, area = names[f"Own_arrays.{field}"].attr_text.rpartition("!")
        first, last = area.replace("$", "").split(":")
        row = int(first[1:])
        assert (first, last) == (f"D{row}", f"O{row}")
        cells = BUILT.workbook[sheet_name.strip("'")][row][3:15]
        assert [cell.protection.locked for cell in cells] == [False, True] * 6


def test_every_attribute_of_an_array_is_on_its_card_or_its_details_and_on_all_arrays() -> None:
    keys = {field.key for field in BUILT.data.fields}
    derived = {"usable_gib", "raw_gb"}  # from a capacity
    card = {field.key for field in BUILT.data.card_fields}
    assert keys == (card & keys) | derived | set(array_details.rows(BUILT.data))
    assert not card & set(array_details.rows(BUILT.data))
    assert keys <= {key.partition(":")[2] for key in all_arrays.blocks(BUILT.data)}
