"""What a single formula may look like, case by case, and copies of the workbook that people hand back."""

import re
from datetime import datetime
from pathlib import Path

import openpyxl
import pytest
from openpyxl.worksheet.formula import ArrayFormula

from addin.audit import Finding, audit
from addin.audit.parsed import parsed, relative
from addin.kernel.formula.nodes import Binary, Call, Cell, Missing, Name, Number, Unary
from addin.kernel.formula.parse import parse
from addin.xlsx.package import read_parts, write_parts
from model.layout.grid import BASE, HEAD_ROW
from model.sheets.catalogue import my_arrays
from tests.support.shipped import built, fresh

BUILT = built()
# a tree too deep for a rule, and brackets deeper than Excel takes
DEEP = ("=" + "1+" * 300 + "1", "=" + "ABS(" * 65 + "D6" + ")" * 65)
# cells of Summary that show a result: any formula may stand there
CELLS = [
    cell.coordinate
    for row in BUILT.workbook["Summary"].iter_rows(min_row=HEAD_ROW + 1, min_col=4)
    for cell in row
    if isinstance(cell.value, str) and cell.value.startswith("=Sizing!")
]

# formula, rule, part of the message
BAD = [
    ("=Sizing!D9*2", "R05", "holds the number 2"),
    ("=Sizing!D9^0.5", "R05", "0.5"),
    ("=Sizing!D9+(1-1)", "R05", "constants alone"),
    ("=SUM(1,1)*Sizing!D9", "R05", "constants alone"),
    ("=Sizing!D9*-1", "R05", "constants alone"),
    ("=1%", "R05", "constants alone"),
    ('=Sizing!D9*"1000"', "R05", "text in quotes"),
    ("=SUMPRODUCT(Sizing!D9:D10,{1;0})", "R05", "braces"),
    ("=(Sizing!D9>0)*(Sizing!D10>0)", "R19", "multiplies conditions"),
    ("=AND(Sizing!D9>0)*Sizing!D10", "R19", "multiplies conditions"),
    ("=IF(Sizing!D9-Sizing!D10=0,0,1)", "R19", "compares a difference with 0"),
    ("=IF(0<ABS(Sizing!D9-Sizing!D10),0,1)", "R19", "compares a difference with 0"),
    ("=IF(Sizing!D9-Sizing!D10,0,1)", "R19", "compares a difference with 0"),
    ("=IFERROR(Sizing!D9/Sizing!D10,0)", "R19", "hides errors"),
    ("=IFERROR(MATCH(Sizing!D9,Sizing!D9:D10,0),0)", "R19", "hides errors"),
    ('="needs "&Sizing!D9', "R19", "joins D9 to a text"),
    ('="needs "&Cost!D6*Sizing!D9', "R19", "joins a calculated number"),
    ("=CHOOSE(Sizing!D9,0,1,0,1,0)", "R19", "CHOOSE has 5 choices"),
    ("=IF(Sizing!D9>0,1,IF(Sizing!D10>0,1,0))", "R19", "uses IF 2 times"),
    ("=XLOOKUP(Sizing!D9,Sizing!D9:D10,Sizing!D9:D10)", "R19", "XLOOKUP, which is not on the safe list"),
    ("=AVERAGES(Sizing!D9:D10)", "R19", "did you mean AVERAGE?"),
    ("=SUM(Sizing!D:D)", "R19", "Write the range out"),
    ("=SUM(Prices[List])", "R19", "refers to 'Prices[List]'"),
    ("=Sizing!D9+Sizing!Rate", "R19", "refers to 'Sizing!Rate'"),
    ("=SUM((Sizing!D9,Sizing!D10))", "R19", "Unions are not supported"),
    ("=[1]Prices!B2+Sizing!D9", "R18", "reads [1]Prices!B2 in another file"),
    ("=SUM('[1]Our prices'!B2:B9)", "R18", "reads [1]Our prices!B2:B9 in another file"),
    ("=Sizing!#REF!+Sizing!D9", "R19", "broken reference"),
    ("=" + "+".join(["Sizing!D9"] * 13), "R19", "expected at most 120"),
    ("=Lost_name+Sizing!D9", "R15", "which is not defined"),
    ("=OFFSET(Sizing!D9,1,0)", "R18", "changes on its own"),
    ("=INDEX(Sizing!D9:F9,Sizing!D10)", "R21", "Write INDEX(D9:F9,1,n)"),
    ("=SUM(INDEX(Tbl_Cases,Sizing!D10))", "R21", "Write INDEX(Tbl_Cases,1,n)"),
    ("=SUMPRODUCT((Sizing!D9:D10>0)*Sizing!D9:D10)", "R21", "calculates D9:D10 cell by cell inside SUMPRODUCT"),
    ("=SUMPRODUCT((Summary!A6=Sizing!A9:A10)*1,Sizing!D9:D10)", "R21", "calculates A9:A10 cell by cell"),
    ("=SUMPRODUCT(-Sizing!D9:D10)", "R21", "calculates D9:D10 cell by cell"),
    ("=SUMPRODUCT(ABS(Sizing!D9:D10))", "R21", "calculates D9:D10 cell by cell"),
    ("=SUMPRODUCT(MATCH(0,(Sizing!D9:D10>0)*Sizing!D9:D10,0))", "R21", "Use SUMIFS, COUNTIFS or LARGE"),
    ('="needs "&TEXT(Sizing!D9,"#,##0")', "R21", 'Write "0" or "0%"'),
    ("=_xlfn.NORM.S.DIST(Sizing!D9,1)", "R21", "Write NORM.DIST(z,0,1,...)"),
    ("=Elsewhere!A1", "R20", "not part of the model"),
    ("=Checks!D5+Sizing!D9", "R20", "comes later"),
]
GOOD = [
    "=1-Sizing!D9/Sizing!D10",
    "=SUMPRODUCT(Sizing!D9:D10,Sizing!D9:D10)/SUMPRODUCT(Sizing!D9*Sizing!D10)",
    "=SUMPRODUCT(SUM(Sizing!D9:D10)*Sizing!D9)",
    "=INDEX(Sizing!D9:F9,1,Sizing!D10)+INDEX(Sizing!D9:D10,1)+INDEX(Sizing!D9,1)",
    "=_xlfn.NORM.DIST(Sizing!D9,0,1,1)",
    "=IF(Sizing!D9>Sizing!D10,0,1)",
    '=IFERROR(INDEX(Sizing!D9:D10,MATCH(0,Sizing!D9:D10,0)),"none")',
    '="needs "&TEXT(Sizing!D9,"0")&" of 1024"',
    '=IF(Sizing!D9>0,"a","b")&" and "&Summary!A6',
    "=CHOOSE(1+COUNT(Sizing!D9),Sizing!D9,0)",
    "=_xlfn.STDEV.S(Sizing!D9:D10)",
    "=" + "+".join(["Sizing!D9"] * 12),
]


@pytest.fixture(scope="module")
def findings() -> dict[str, list[Finding]]:
    """All formulas of the tables, a cell each, held against the rules at once."""
    book = fresh()
    formulas = [*(formula for formula, _, _ in BAD), *GOOD]
    assert len(formulas) <= len(CELLS)
    by_address = {}
    for a1, formula in zip(CELLS, formulas, strict=False):
        book["Summary"][a1] = formula
        by_address[f"Summary!{a1}"] = formula
    by_formula: dict[str, list[Finding]] = {formula: [] for formula in formulas}
    for finding in audit(book):
        if finding.where in by_address:
            by_formula[by_address[finding.where]].append(finding)
    return by_formula


@pytest.mark.parametrize(("formula", "rule", "words"), BAD, ids=[formula for formula, _, _ in BAD])
def test_a_formula_that_breaks_a_rule(findings: dict[str, list[Finding]], formula: str, rule: str, words: str) -> None:
    assert [f.rule for f in findings[formula]] == [rule], findings[formula]
    assert words in findings[formula][0].message


@pytest.mark.parametrize("formula", GOOD)
def test_a_formula_that_keeps_them_all(findings: dict[str, list[Finding]], formula: str) -> None:
    assert findings[formula] == []


@pytest.mark.slow
def test_array_entry_is_found() -> None:
    book = fresh()
    book["Summary"][CELLS[0]] = ArrayFormula(CELLS[0], "=SUM(Sizing!D9:D10*Sizing!D9:D10)")
    (finding,) = audit(book)
    assert (finding.rule, finding.where) == ("R19", f"Summary!{CELLS[0]}")
    assert "entered as an array" in finding.message


def test_operators_bind_as_in_excel() -> None:
    a, one = Cell(None, 1, 1), Number(1)
    assert parse("=1-1/A1") == Binary("-", one, Binary("/", one, a))
    assert parse("=-A1^1") == Binary("^", Unary("-", a), one)
    assert parse("=A1&A1=A1") == Binary("=", Binary("&", a, a), a)
    assert parse("=IF(A1,,Rate)") == Call("IF", (a, Missing(), Name("Rate")))


@pytest.mark.parametrize(
    "text", ["=1+", "=SUM(A1", "=A1 B1:C1", "=)", '="abc', "={1;0", "=A1#", "=SUM((A1,B1))", *DEEP]
)
def test_a_formula_that_cannot_be_read_says_so(text: str) -> None:
    assert re.search(r"\w", parsed(text).fault)
    assert parsed(text).nodes == ()


@pytest.mark.slow
@pytest.mark.parametrize("text", ["=1+", '="abc', "=SUM(D6", "=A1#", *DEEP])
def test_a_formula_that_cannot_be_read_is_a_finding_wherever_it_stands(text: str) -> None:
    book = fresh()
    cells = ("Capacity!F6", "Sizing!D8", "Evidence!K9", "Checks!K5", "Checks!G7", "Cost!A2")
    for tab, a1 in (cell.split("!") for cell in cells):
        book[tab][a1] = text
    assert {finding.where for finding in audit(book) if finding.rule == "R19"} >= {*cells}


@pytest.mark.slow
def test_a_line_of_copies_that_cannot_be_read_breaks_one_rule() -> None:
    book = fresh()
    tab, row = BUILT.layout.lines["hosts_required"]
    for column in BUILT.layout.columns:
        book[tab].cell(row, column).value = f"=SUM({openpyxl.utils.get_column_letter(column)}{row - 1}"
    assert {finding.rule for finding in audit(book)} == {"R19"}


def test_a_formula_that_would_leave_the_sheet_when_copied_is_no_copy() -> None:
    """Copied to the first column, the formula of the others would refer to a column left of A."""
    book = fresh()
    tab, row = BUILT.layout.lines["hosts_required"]
    first, second, *others = (f"{openpyxl.utils.get_column_letter(column)}{row}" for column in BUILT.layout.columns)
    book[tab][first] = f"={first[0]}1+0"
    for number, a1 in enumerate((second, *others), 1):
        book[tab][a1] = f"={openpyxl.utils.get_column_letter(number)}1+0"
    (found,) = (finding for finding in audit(book) if finding.rule == "R04")
    assert found.where == f"{tab}!{first}"
    assert found.message.endswith(f"expected the formula of {second}. Copy {second} over the whole line.")


def test_operands_that_the_kernel_refuses_are_read_all_the_same() -> None:
    formula = parsed("=SUM(Sizing!D:D,{1;0},Table1[Col],Rate)+NOW()")
    assert formula.refused == ("Sizing!D:D", "{1;0}", "Table1[Col]")
    assert formula.names == ("Rate",)
    assert formula.functions == {"SUM", "NOW"}
    (area,) = parsed("=[1]Prices!B2").ranges
    assert area.first == Cell("[1]Prices", 2, 2)


def test_a_copied_formula_is_the_same_seen_from_its_cell() -> None:
    assert relative("=A1*$B$2", 1, 3) == relative("=B5*$B$2", 5, 4)
    assert relative("=A1*$B$2", 1, 3) != relative("=B5*$B$3", 5, 4)
    assert relative("=A1*B$2", 1, 3) != relative("=A1*B$2", 1, 4)


@pytest.mark.slow
def test_a_saved_copy_passes_like_the_original(tmp_path: Path) -> None:
    path = tmp_path / "copy.xlsx"
    BUILT.workbook.save(path)
    assert [str(finding) for finding in audit(openpyxl.load_workbook(path))] == []


@pytest.mark.slow
def test_a_copy_that_people_worked_with_passes(tmp_path: Path) -> None:
    """Inputs typed, an own array named, a column widened, a result sheet added: none of it breaks a rule."""
    book = fresh()
    book["My arrays"].cell(HEAD_ROW, BASE).value = "Lab array"
    book["My arrays"].cell(my_arrays.rows()["capacity_tb"], BASE).value = 5000
    book["Answer"][f"D{BUILT.layout.start['desktops']}"] = 2200
    book["Answer"]["F3"] = "A customer"
    book["Inputs"][f"E{BUILT.layout.inputs['array'][1]}"] = "Lab array"
    book["Cost"].column_dimensions["D"].width = 20
    book.create_sheet("What-if 1").append(["desktops", 500, "=B1*2"])
    path = tmp_path / "worked.xlsx"
    book.save(path)
    assert [str(finding) for finding in audit(openpyxl.load_workbook(path))] == []


@pytest.mark.slow
def test_a_copy_with_renumbered_and_renamed_styles_passes(tmp_path: Path) -> None:
    """Another application leaves gaps in the numbers of cell styles and renames those that sound like its own."""
    path = tmp_path / "other.xlsx"
    BUILT.workbook.save(path)
    parts = read_parts(path)
    text = parts["xl/styles.xml"].decode()
    shifted = re.sub(r'xfId="([1-9]\d*)"', lambda match: f'xfId="{int(match[1]) + 15}"', text)
    first = re.search(r"<cellStyleXfs.*?>(<xf .*?(?:/>|</xf>))", shifted)
    assert first is not None
    padded = shifted[: first.end(1)] + first[1] * 15 + shifted[first.end(1) :]
    parts["xl/styles.xml"] = padded.replace('name="note"', 'name="note 4"').encode()
    write_parts(path, parts, datetime(2026, 1, 31))
    assert [str(finding) for finding in audit(openpyxl.load_workbook(path))] == []


@pytest.mark.slow
def test_a_count_of_what_ifs_that_leaves_out_a_sheet_of_inputs_is_found() -> None:
    book = fresh()
    counted = next(c for c in book["Summary"]["D"] if str(c.value).startswith("=COUNTA(Inputs!E"))
    first, others = str(counted.value).split(",")
    assert "'More inputs'!" in others
    counted.value = f"{first})"
    (finding,) = audit(book)
    assert (finding.rule, "counts every what-if cell of the inputs" in str(finding)) == ("R11", True)


def test_the_relative_form_is_that_of_the_marks_of_releases() -> None:
    """The marks of releases are digests of it: another spelling would know no formula of theirs."""
    assert relative("=A1*$B$2", 1, 3) == "*2 None,0False,-2False None,2True,2True"
    assert relative("=SUM('My arrays'!D$4:$F5,1)", 5, 5) == (
        "SUM(2 'My arrays',4True,-1False:'My arrays',0False,6True Number(value=1.0)"
    )
    assert relative("=\\r+A1", 1, 1) == "+2 Name(text='\\\\r', sheet=None) None,0False,0False"
