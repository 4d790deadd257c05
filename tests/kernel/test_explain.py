"""The command `python -m addin.kernel explain`."""

from __future__ import annotations

import openpyxl
import pytest
from openpyxl.workbook.defined_name import DefinedName

from addin.kernel.__main__ import main


@pytest.fixture
def path(tmp_path):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Sizing"
    sheet["A1"], sheet["A2"], sheet["A3"], sheet["A4"] = 2200, 0.07, "=ROUNDUP(A1*A2,0)", "=A9&A3"
    sheet["A5"], sheet["A6"] = "=OFFSET(A1,1,0)", '=TEXT(A1,"0.0")'
    book.defined_names["Out_arrays"] = DefinedName("Out_arrays", attr_text="Sizing!$A$3")
    book.save(tmp_path / "book.xlsx")
    return str(tmp_path / "book.xlsx")


def test_explain_shows_tokens_tree_value_precedents_and_source(path, capsys):
    assert main(["explain", path, "sizing!A3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:8] == [
        "Sizing!A3",
        "formula  =ROUNDUP(A1*A2,0)",
        "tokens   call:ROUNDUP operand:A1 infix:* operand:A2 comma:, number:0 close:)",
        "tree     (ROUNDUP (* A1 A2) 0)",
        "value    154",
        "reads    Sizing!A1 = 2200",
        "reads    Sizing!A2 = 0.07",
        "source   for many values of Sizing!A1, Sizing!A2",
    ]
    assert lines[8].startswith("def kernel(")
    assert any(line.endswith("# Sizing!A3 =ROUNDUP(A1*A2,0)") for line in lines[9:])
    assert [line.split()[:4] for line in lines[-2:]] == [["4", "mul", "2", "3"], ["5", "up", "4", "-1e+30"]]


def test_explain_shows_which_cell_is_computed_trial_by_trial(path, capsys):
    assert main(["explain", path, "Sizing!A6"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.strip().startswith("formula0(") and "# Sizing!A6" in line for line in lines)


@pytest.mark.parametrize(("sheet", "names"), [("Other", "Sizing!A1, Sizing!A2"), ("Risk inputs", "Sizing!A2")])
def test_the_source_takes_the_named_inputs_or_those_that_are_drawn(path, capsys, sheet, names):
    book = openpyxl.load_workbook(path)
    for name, place in {"In_users": "Sizing!$A$1", "In_share": "Sizing!$A$2", "In_gone": "#REF!"}.items():
        book.defined_names[name] = DefinedName(name, attr_text=place)
    book.create_sheet(sheet)["A1"] = "share"
    book.save(path)
    assert main(["explain", path, "Sizing!A3"]) == 0
    assert f"source   for many values of {names}" in capsys.readouterr().out.splitlines()


def test_explain_takes_a_defined_name(path, capsys):
    assert main(["explain", path, "out_arrays"]) == 0
    assert capsys.readouterr().out.startswith("Sizing!A3\n")


def test_explain_shows_blank_cells_and_text(path, capsys):
    assert main(["explain", path, "Sizing!A4"]) == 0
    assert capsys.readouterr().out.splitlines()[-3:] == [
        'value    "154"',
        "reads    Sizing!A9 = (blank)",
        "reads    Sizing!A3 = 154",
    ]


def test_explain_of_a_constant_is_its_value(path, capsys):
    assert main(["explain", path, "Sizing!A1"]) == 0
    assert capsys.readouterr().out.splitlines() == ["Sizing!A1", "value    2200"]


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("Sizing!A5", "Sizing!A5: OFFSET is not supported"),
        ("Out_array", "Did you mean 'Out_arrays'?"),
        ("Sizin!A1", "Did you mean 'Sizing'?"),
        ("Sizing!A1:A2", "is not the address of one cell"),
    ],
)
def test_explain_refuses_in_one_line(path, capsys, cell, message):
    assert main(["explain", path, cell]) == 1
    assert message in capsys.readouterr().err


def test_explain_says_which_file_is_missing(tmp_path, capsys):
    assert main(["explain", str(tmp_path / "none.xlsx"), "S!A1"]) == 1
    assert "none.xlsx" in capsys.readouterr().err
