"""Every rule catches two faults, names the cell and the next step, and lets a legal neighbour pass.

The faults are seeded into the real workbook, and no other rule may speak up. An address is `Sheet!A1`, or `key@case`
for a line of the model, or `in:key@case` for an input.
"""

import re
from datetime import datetime

import pytest
from openpyxl.formatting.formatting import ConditionalFormattingList
from openpyxl.styles import Protection
from openpyxl.worksheet.cell_range import MultiCellRange

from addin.audit import EXCEPTIONS, Allowed, audit, exceptions, rules
from model.layout.grid import HEAD_ROW
from model.layout.styles import style_name
from model.sheets.catalogue import provisioning, units
from model.sheets.money.growth import of_year
from model.sheets.proof import arithmetic
from tests.support.audit_changes import (
    BUILT,
    Change,
    Fault,
    address,
    at,
    attribute,
    both,
    changed,
    evidence,
    legend,
    line,
    lock,
    name,
    put,
    risk_sheet,
    rule_of,
    sheet,
    style,
    text_row,
    together,
    years,
)
from tests.support.shipped import fresh

SHOWN = next(  # a cell of Summary that shows a result
    f"Summary!{cell.coordinate}"
    for row in BUILT.workbook["Summary"].iter_rows(min_row=HEAD_ROW + 1, min_col=4)
    for cell in row
    if isinstance(cell.value, str) and cell.value.startswith("=Sizing!")
)
SOURCE = f"Inputs!C{BUILT.layout.inputs['vm_headroom_ratio'][1]}"
LIST_ROW = BUILT.layout.inputs["hypervisor"][1]
CHECK_ROWS = [c.row for c in BUILT.workbook["Checks"]["H"] if c.style == style_name("check")]
TALLY = "Checks!M5"
FACTOR, METHODS = f"Lists!D{units.first_row(BUILT.data)}", provisioning.first_row(BUILT.data)
UNIT_OF_A = f"Evidence!F{arithmetic.first_row(BUILT.data)}"  # of a table below another one
COUNTED = "=SUMIF($C${first}:$C$60,L{row},$H${first}:$H$60)"
MOVE_DEMAND: Change = lambda book: book.move_sheet("Demand", -book.sheetnames.index("Demand"))  # noqa: E731
MOVE_PREDICTIONS: Change = lambda book: book.move_sheet("Predictions", -1)  # noqa: E731  # a table entry

OWN_LABEL = f"Capacity!A{BUILT.layout.lines['vms_per_user'][1]}"
BEFORE, SAME = (f"{{c}}{BUILT.layout.lines[of_year('virtual_machines', year)][1]}" for year in (4, 5))
HOSTS = re.sub(r"\bD(?=\$?\d)", "{c}", str(at(BUILT.workbook, "hosts_required_y5").value))
OTHER_YEAR, OTHER_DESKTOPS = HOSTS.replace(SAME, BEFORE), f"={{c}}{BUILT.layout.lines['desktops_y4'][1]}"

# rule: (change, address, part of the message)
FAULTS: dict[str, tuple[tuple[Change, str, str], ...]] = {
    "R01": (
        (MOVE_PREDICTIONS, "Predictions!A1", "Move the tabs back"),
        (MOVE_DEMAND, "Demand!A1", "Move the tabs back"),  # in front of all that its formulas look at
        (sheet("Cost", attribute("sheet_properties.tabColor", "FF0000")), "Cost!A1", "Colour the tab"),
    ),
    "R02": (
        (put("in:growth_ratio@What-if 1", "=D6"), "in:growth_ratio@What-if 1", "Type the value"),
        (put("Arrays!D7", "=0"), "Arrays!D7", "move the formula to a calculation sheet"),
        (put("in:growth_ratio", "=IF(ISBLANK(D6),0,D6)"), "in:growth_ratio", "Type the value"),
        (put("'Risk inputs'!G6", "=0"), "'Risk inputs'!G6", "Risk inputs holds typed values only"),
        (put("Lists!D10", "=1*Arrays!D7"), "Lists!D10", "typed values only"),
    ),
    "R03": (
        (put("usable_gib", 1234), "usable_gib", "Restore the formula"),
        (put(evidence("Ours"), 630), evidence("Ours"), "cells marked fact, assumed or tolerance"),
    ),
    "R04": (
        (put("usable_gib@What-if 3", "=0"), "usable_gib@What-if 3", "Copy D"),
        (put("usable_gib", "=0"), "usable_gib", "Copy E"),  # what most of the line holds is right, not what is first
        (put(evidence("Difference"), "=0"), evidence("Difference"), "Copy P5 over the whole line"),
    ),
    "R05": (
        (line("vms_per_user", "={old}*1024"), "vms_per_user@ICA baseline", "holds the number 1024"),
        (line("vms_per_user", "={old}*(1+1)"), "vms_per_user", "labelled row with a unit"),
        (line("vms_per_user", '={old}*"2"'), "vms_per_user", "a text in quotes"),
    ),
    "R06": (
        (put("Capacity!B6", "GBs"), "Capacity!B6", "Enter a unit of model/data/units.csv"),
        (
            put(f"Lists!B{METHODS - 1}", "Swap file"),
            f"Lists!B{METHODS}",
            "Add a unit of model/data/units.csv to the heading",
        ),
        (put(UNIT_OF_A, None), UNIT_OF_A, "the line has no unit"),
        (put("'Risk inputs'!B6", None), "'Risk inputs'!B6", "the line has no unit"),
    ),
    "R07": (
        (put(SOURCE, "somebody said so"), SOURCE, "State where the value comes from"),
        (style("in:vm_headroom_ratio", "assumed_input"), "in:vm_headroom_ratio", "Apply that cell style"),
        (put(SOURCE, "EQL-999. Printed"), SOURCE, "cites EQL-999, which Evidence does not list"),
        (put("'Risk inputs'!C6", "a guess"), "'Risk inputs'!C6", "names no source"),
        (style("'Risk inputs'!F6", "input"), "'Risk inputs'!F6", "expected 'assumed_input'"),
    ),
    "R08": (
        (style("usable_gib", "label"), "usable_gib", "is a formula styled 'label'"),
        (put(SHOWN, None), SHOWN, "Restore the formula"),
        (style(FACTOR, "note"), FACTOR, "is a typed number styled 'note'"),
    ),
    "R09": (
        (put(legend("check", "B"), "whatever"), legend("check", "A"), "Restore that line of the legend"),
        (put(legend("tolerance", "A"), "tolerance", "label"), "About!A1", "the legend says '' of the style tolerance"),
    ),
    "R10": (
        (put("Cost!A2", "All checks passed"), "Cost!A2", "Copy A2 of another sheet"),
        (sheet("Lists", attribute("conditional_formatting", ConditionalFormattingList())), "Lists!A2", "turn red"),
        (put("Cost!A2", "=Chk_Master"), "Cost!A2", "does not show the banner"),
    ),
    "R11": (
        (put("Checks!C5", "warning"), "Checks!C5", "expected error, alert, sensitivity"),
        (
            both(*(put(f"Checks!M{row}", COUNTED.format(first=6, row=f"{row}")) for row in (5, 6, 7))),
            TALLY,
            "leaves out the error of row 5",
        ),
        (
            both(*(put(f"Checks!H{r}", f"=IF(G{r}>E{r},0,1)") for r in CHECK_ROWS)),
            "Checks!H7",
            "Copy the formula of another check",
        ),
    ),
    "R12": (
        (
            lambda book: attribute("description", "")(book.properties),
            "document properties",
            "expected version and digest",
        ),
        (put(text_row("About", "Cost"), "Costs"), text_row("About", "Contents"), "Contents does not list Cost"),
    ),
    "R13": (
        (sheet("Cost", attribute("freeze_panes", "E5")), "Cost!A1", "Freeze the panes there"),
        (put("Capacity!F4", "What-if two"), "Capacity!F4", "Restore the heading"),
        (put("'Risk inputs'!G4", "Mode"), "'Risk inputs'!G4", "expected 'Likely, mean or value'"),
    ),
    "R14": (
        (sheet("Cost", attribute("page_setup.orientation", "portrait")), "Cost!A1", "Change the page orientation"),
        (sheet("Inputs", attribute("page_setup.orientation", "landscape")), "Inputs!A1", "expected portrait"),
        (sheet("My arrays", attribute("page_setup.fitToHeight", 0)), "'My arrays'!A1", "1 page wide and 2 tall"),
        (sheet("Sizing", lambda ws: attribute("width", 90)(ws.column_dimensions["C"])), "Sizing!A1:K", "A3 paper"),
        (sheet("Cost", attribute("print_area", "A1:K9")), "Cost!A1", "Set the print area"),
        (sheet("Lists", attribute("oddFooter.right.text", "")), "Lists!A1", "the footer lacks &P &N"),
    ),
    "R15": (
        (name("My_total", "Cost!$D$6"), "name My_total", "Rename or delete it"),
        (put(SHOWN, "=In_array"), SHOWN, "Write the address"),
        (name("Out_lost", "#REF!"), "name Out_lost", "Correct it in the name manager"),
        (name("Tbl_Idle", "Arrays!$D$4:$F$4"), "name Tbl_Idle", "Use it or delete it"),
        (name("Own_profiles.ram_gib", "#REF!"), "name Own_profiles.ram_gib", "no range of this workbook"),
    ),
    "R16": (
        (
            lambda book: attribute("protection", Protection(locked=True))(at(book, "in:vm_headroom_ratio")),
            "in:vm_headroom_ratio",
            "Unlock it",
        ),
        (sheet("Cost", attribute("protection.password", "secret")), "Cost!A1", "Protect without one"),
        (lock("usable_gib", False), "usable_gib", "Lock the cell"),
        (lock("'Risk inputs'!D6", False), "'Risk inputs'!D6", "Lock the cell"),
        (lock("My profiles!C5", True), "'My profiles'!C5", "Unlock it"),
    ),
    "R17": (
        (
            rule_of("in:vm_headroom_ratio", showErrorMessage=False),
            "in:vm_headroom_ratio@What-if 7",
            "expected an error message that stops",
        ),
        (
            rule_of("in:hypervisor", sqref=MultiCellRange(f"E{LIST_ROW}:K{LIST_ROW}")),
            "in:hypervisor",
            "has no validation",
        ),
        (rule_of("in:years", formula2="=D6"), "in:years", "Set it under Data, Validation"),
        (rule_of("'Risk inputs'!F6", formula1="=D6"), "'Risk inputs'!F6", "Set it under Data, Validation"),
        (rule_of("My profiles!C5", showErrorMessage=False), "'My profiles'!C5", "message that stops"),
        (put("in:vm_headroom_ratio", True), "in:vm_headroom_ratio", "found TRUE, no number; LibreOffice counts"),
        (
            put("in:desktops@What-if 1", datetime(2026, 3, 1)),
            "in:desktops@What-if 1",
            "shows a date, counted as its day",
        ),
        (put("in:years@What-if 1", "3 years"), "in:years@What-if 1", "found '3 years', no number. Type a number"),
    ),
    "R18": (
        (sheet("Cost", lambda ws: attribute("hidden", True)(ws.row_dimensions[7])), "Cost!A7", "Unhide it"),
        (put(SHOWN, "=NOW()"), SHOWN, "changes on its own"),
        (sheet("Evidence", lambda ws: ws.merge_cells("X5:Y5")), "Evidence!X5:Y5", "Unmerge them"),
        (put(SHOWN, "=[1]Sheet1!A1"), SHOWN, "in another file"),
    ),
    "R19": (
        (line("vms_per_user", "=IF({c}{up}>0,IF({c}{up}>1,0,1),1)"), "vms_per_user", "a line of its own"),
        (line("vms_per_user", "=GAMMALN({c}{up})"), "vms_per_user", "not on the safe list"),
    ),
    "R20": (
        (line("vms_per_user", "={c}{down}*1"), "vms_per_user", "Move the line up"),
        (line("vms_per_user", "=LEN($A{r}:$A{down})"), "vms_per_user", "Move the line up"),
        (
            both(line("vms_per_user", "=LEN($A{r})"), put(OWN_LABEL, "=1*B4", "calculation")),
            "vms_per_user",
            "Move the line up",
        ),
        (line("provisioned_desktops", "={c}{down}*1"), "provisioned_desktops", "Break it at one of these cells"),
        (put("Checks!F5", f"={SHOWN}"), "Checks!F5", "which is itself the link"),
        (line("vms_per_user", "=Compare!{c}9*1"), "vms_per_user", "which only shows a result"),
        (put("My profiles!B5", "=B5&H5"), "'My profiles'!B5", "Break it at one of these cells"),
    ),
    "R21": (
        (
            line("vms_per_user", "=INDEX(Arrays!$D$7:$M$7,Design!{c}18)"),
            "vms_per_user@ICA baseline",
            "Write INDEX(D7:M7,1,n)",
        ),
        (
            line("vms_per_user", "=SUMPRODUCT(MAX(0,({c}$5:{c}{up}<>0)*{c}$5:{c}{up}))"),
            "vms_per_user",
            "Use SUMIFS, COUNTIFS or LARGE",
        ),
    ),
    "R22": (
        (years("hosts_required", "={old}+1", (3,)), "hosts_required_y3", "no longer the formula of Capacity!D"),
        (line("hosts_required", "={old}+1"), "hosts_required_y1", "Change both alike"),
        (years("hosts_required", "={c}{up}*1", (5,)), "hosts_required_y5", "no longer the formula of Capacity!D"),
        (years("hosts_required", OTHER_YEAR, (5,)), "hosts_required_y5", "no longer the formula of Capacity!D"),
        (
            years("provisioned_desktops", OTHER_DESKTOPS, (5,)),
            "provisioned_desktops_y5",
            "'Desktops provisioned, year 5'",
        ),
        (years("steady_iops", "=0-({old})", (7,)), "steady_iops_y7", "no longer the formula of Demand!D"),
    ),
}

APART = {("R01", 1), ("R07", 2), ("R07", 4), ("R11", 2), ("R22", 2)}  # rule, number: another of its rule hides it
GROUPS = [
    (rule, group)
    for rule, faults in FAULTS.items()
    for group in together(
        (Fault(*fault) for fault in faults),
        (Fault(*fault) for number, fault in enumerate(faults, 1) if (rule, number) in APART),
    )
]

LEGAL: dict[str, Change] = {
    "R01": risk_sheet,
    "R02": both(put("in:desktops@What-if 1", 700), put("Inputs!M3", "=D6")),
    "R03": put(evidence("Accepted, to"), 0.01),
    "R04": both(line("vms_per_user", "={c}{up}+{c}{up}"), put(evidence("Ours"), "=Capacity!D9")),
    "R05": line("vms_per_user", "=1-1/MAX(1,{c}{up})"),
    "R06": put("Capacity!B6", "TiB"),
    "R07": both(put(SOURCE, "assumed: counted last week"), style("in:vm_headroom_ratio", "assumed_input")),
    "R08": style(FACTOR, "assumed"),
    "R09": put("About!C40", "calculation", "note"),
    "R10": put("Cost!A2", "=Chk_Banner", "master"),
    "R11": both(put("Checks!E5", 3), *(put(f"Checks!M{r}", COUNTED.format(first=5, row=f"{r}")) for r in (5, 6, 7))),
    "R12": lambda book: attribute("keywords", "my copy")(book.properties),
    "R13": sheet("Predictions", attribute("freeze_panes", "C5")),
    "R14": sheet("Cost", attribute("page_setup.paperSize", 8)),
    "R15": name("Out_hardware_usd", "Cost!$D$6"),
    "R16": sheet("Cost", attribute("protection.formatCells", False)),
    "R17": rule_of("in:vm_headroom_ratio", formula2="1"),
    "R18": sheet("Cost", lambda ws: attribute("width", 30)(ws.column_dimensions["C"])),
    "R19": line("vms_per_user", '=IFERROR(MATCH({c}{up},{c}$5:{c}{up},0),"none")'),
    "R20": line("vms_per_user", "=SUM($D{up}:{c}{up})+Answer!$D$5+LEN($A{r})"),
    "R21": line("vms_per_user", "=INDEX({c}$5:{c}{up},1)*SUMPRODUCT({c}$5:{c}{up},{c}$5:{c}{up})"),
    "R22": both(line("hosts_required", "={old}+1"), years("hosts_required", "={old}+1")),
}


@pytest.mark.slow
def test_the_real_workbook_has_no_findings() -> None:
    assert [str(finding) for finding in audit(BUILT.workbook)] == []
    assert audit(fresh()) == ()


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "group"), GROUPS, ids=[f"{rule}-{group[0].where}" for rule, group in GROUPS])
def test_seeded_faults_are_caught_by_their_rule_alone(rule: str, group: list[Fault]) -> None:
    findings = audit(changed(both(*(fault.change for fault in group))))
    assert {finding.rule for finding in findings} == {rule}, list(map(str, findings[:5]))
    for _, where, words in group:
        here = [finding for finding in findings if finding.where.startswith(address(where))]
        assert any(words in finding.message for finding in here), (where, list(map(str, findings[:5])))
    for finding in findings:
        assert finding.message.endswith("."), finding
        assert ". " in finding.message or "; " in finding.message, finding
        assert str(finding).startswith(f"{rule} {finding.where}: ")


@pytest.mark.slow
def test_legal_neighbours_are_left_alone() -> None:
    assert [str(finding) for finding in audit(changed(both(*LEGAL.values())))] == []


def test_every_rule_has_two_faults_a_neighbour_and_a_line_of_description() -> None:
    ids = [rule for rule, _ in rules()]
    assert ids == [f"R{number:02d}" for number in range(1, 23)]
    assert ids == list(FAULTS) == list(LEGAL)
    assert all(len(faults) >= 2 for faults in FAULTS.values())
    assert all(line.endswith(".") and "\n" not in line for _, line in rules())


@pytest.mark.slow
def test_findings_come_sorted_by_rule() -> None:
    findings = audit(changed(both(FAULTS["R19"][1][0], FAULTS["R02"][0][0], FAULTS["R06"][0][0])))
    assert [finding.rule for finding in findings] == sorted(finding.rule for finding in findings)
    assert {finding.rule for finding in findings} - {"R22"} == {"R02", "R06", "R19"}  # the years repeat that line


@pytest.mark.slow
def test_an_exception_hides_its_rule_at_its_places_only() -> None:
    book = changed(both(put("Capacity!B6", "GBs"), put("Capacity!B7", "GBs")))
    findings = audit(book, allowed=(Allowed("R06", "Capacity!B6", "as printed"),))
    assert [finding.where for finding in findings] == ["Capacity!B7"]
    assert exceptions((Allowed("R06", "Capacity!B6", "as printed"),)) == ("R06, Capacity!B6: as printed",)
    assert EXCEPTIONS == ()
