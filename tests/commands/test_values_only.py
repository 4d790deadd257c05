"""A copy that holds values only: an answer that no input moves is refused, and an unanswered design exits with 1."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from addin import commands
from addin.errors import BookError
from tests.support import opened, small_workbook
from tests.support.shell import Run

REFUSED = "holds values only, no formula leads from an input to a result; expected the workbook with its formulas. "
COMMANDS = (
    ["size", "--set", "x=0.25"],
    ["size", "--json"],
    ["whatif", "--vary", "x=0,1"],
    ["seek", "--vary", "x", "--target", "v=1"],
    ["simulate", "--trials", "4096"],
    ["explain", "v"],
    ["handoff"],
)


@pytest.fixture
def values(tmp_path: Path) -> Path:
    """A small workbook with its results as values; the middle of the way, a cell beside them, keeps its formula."""
    path = small_workbook.save(tmp_path / "values.xlsx", {"x": small_workbook.UNIFORM}, {"v": "={x}+1"})
    book = openpyxl.load_workbook(path)
    sizing = book["Sizing"]
    sizing["D5"], sizing["D6"] = 3, "=F6*2"
    sizing["F6"], sizing["G6"] = 0.75, "=Inputs!D7"
    book.save(path)
    return path


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_copy_of_values_is_refused_in_one_line(values: Path, run: Run, words: list[str]) -> None:
    code, out, err = run(words[0], values, *words[1:])
    assert (code, out) == (2, "")
    assert err.startswith(f"error: values.xlsx: {REFUSED}")
    assert err.count("\n") == 1


def test_what_it_holds_is_still_listed(values: Path, run: Run) -> None:
    assert run("inputs", values)[0] == 0


def test_one_formula_from_an_input_to_a_result_is_enough(values: Path, run: Run) -> None:
    book = openpyxl.load_workbook(values)
    book["Sizing"]["F6"] = "=G6"
    book.save(values)
    assert run("size", values, "--result", "v")[0] == 0


@pytest.mark.slow
def test_the_values_of_a_hand_off_are_refused_by_a_button_too(original: Path, run: Run, tmp_path: Path) -> None:
    path = opened.copied(original, tmp_path)
    commands.handoff(opened.opened(path))
    (copy,) = path.parent.glob("*/values.xlsx")
    assert REFUSED in run("size", copy, "--set", "desktops=9000")[2]
    with pytest.raises(BookError, match="holds values only"):
        commands.compare(opened.opened(copy))


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_design_without_an_answer_exits_with_1(original: Path, run: Run, options: list[str]) -> None:
    assert run("size", original, "--set", "array=My array 2", *options)[0] == 1
    assert run("size", original, *options)[0] == 0
