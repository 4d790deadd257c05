"""A request that no command can meet is one line: an older name, an unknown engine, an option of another command."""

from __future__ import annotations

import re
import sys

import pytest

from addin.shell.main import main


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("do", "monte_karlo"), r"do monte_karlo: expected one of scenarios, seek, compare, simulate"),
        (
            ("do", "monte_carlo"),
            r"do monte_carlo: is now `simulate --sheet`\. Use: python -m addin simulate BOOK --sheet",
        ),
        (
            ("do", "hand_off", "--engine", "excel"),
            r"do hand_off: is now `handoff`\. Use: python -m addin handoff BOOK$",
        ),
        (
            ("do", "sensitivity"),
            r"do sensitivity: is now `sensitivity --sheet`\. Use: python -m addin sensitivity BOOK",
        ),
        (("goal_seek", "x.xlsx"), r"goal_seek: is now `seek --sheet`\. Use: python -m addin seek BOOK --sheet"),
        (("audit", "--sheet"), r"No workbook is named\. Give the path of one, or --engine excel"),
        (("audit", "--sheet", "--engine", "lotus"), r"--engine lotus: expected one of kernel, excel, libreoffice"),
        (("simulate", "--sheet", "--workers", "7"), r"simulate --sheet: takes no --workers\. Leave it out"),
        (("compare", "--sheet", "--set", "desktops=7"), r"compare --sheet: takes no --set\. Leave it out"),
        (("audit", "nowhere.xlsx", "--sheet"), r"nowhere\.xlsx: there is no such file"),
        (("size", "--engine", "lotus"), r"--engine lotus: expected one of kernel, excel, libreoffice, formualizer"),
        (("size",), r"no workbook is named\. Give the path of one"),
    ],
)
def test_a_wrong_request_is_one_line(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert re.match(f"error: {message}", error)
    assert error.count("\n") == 1


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="Excel runs there")
def test_excel_is_missing_where_it_cannot_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(("size", "--engine", "excel")) == 2
    assert capsys.readouterr().err.startswith("error: Excel does not run on this machine. Use --engine libreoffice")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("measure", "BOOK.xlsx", "", "--hours", "08:00-18:00"), "FILE"),
        (("measure", "BOOK.xlsx", "a.csv", "--save", ""), "--save"),
        (("measure", "BOOK.xlsx", "a.csv", "--types", " "), "--types"),
        (("measure-array", "BOOK.xlsx", ""), "FILE"),
        (("size", ""), "BOOK"),
        (("simulate", "BOOK.xlsx", "--plot", ""), "--plot"),
        (("apply", "BOOK.xlsx", "", "--save", "new.xlsx"), "CHANGES"),
        (("diff", "", "new.xlsx"), "OLD NEW"),
        (("new", ""), "NEW.xlsx"),
    ],
)
def test_an_empty_path_is_refused_and_never_this_folder(
    arguments: tuple[str, ...], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """`measure BOOK "$F"` with F not set read every file of the current folder, and `--save ""` was shown as "."."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    error = capsys.readouterr().err
    assert ended.value.code == 2
    assert error.startswith(f"error: argument {named}: the path is empty; expected the name of a file. Type one.")
    assert error.count("\n") == 1
