"""The safe list as a data file, and the house rules of the kernel's own source."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import addin.kernel
from addin.kernel import safe_functions
from addin.kernel.errors import UnsupportedFunction
from addin.kernel.scalar import functions

SOURCE = Path(addin.kernel.__file__).parent
SINCE_2010 = "NORM.INV NORM.S.INV NORM.DIST NORM.S.DIST BETA.INV LOGNORM.INV GAMMA.INV BINOM.DIST POISSON.DIST"


def test_every_function_of_the_list_is_implemented_and_no_other():
    implemented = {name for table in functions.TABLES for name in table}
    listed = {name for name, function in safe_functions().items() if function.kind != "reference"}
    assert implemented == listed


def test_reference_functions_are_the_four_that_look_at_places():
    assert {name for name, function in safe_functions().items() if function.kind == "reference"} == {
        "ROW",
        "COLUMN",
        "ROWS",
        "COLUMNS",
    }


def test_functions_newer_than_2007_are_marked():
    newer = {name for name, function in safe_functions().items() if function.since > 2007}
    assert newer == {
        *SINCE_2010.split(),
        "CEILING.MATH",
        "FLOOR.MATH",
        "PERCENTILE.INC",
        "PERCENTILE.EXC",
        "STDEV.S",
        "STDEV.P",
        "IFNA",
        "XOR",
    }


def test_the_list_is_sorted_within_its_categories():
    rows = [(function.category, function.name) for function in safe_functions().values()]
    categories = list(dict.fromkeys(category for category, _ in rows))
    assert rows == sorted(rows, key=lambda row: (categories.index(row[0]), row[1]))


def test_kinds_and_limits_are_sensible():
    for function in safe_functions().values():
        assert function.kind in {"scalar", "range", "lookup", "lazy", "reference"}, function.name
        assert 0 <= function.min_args <= function.max_args <= 255, function.name


def test_volatile_functions_and_those_that_excel_2016_lacks_are_not_on_the_list():
    refused = "OFFSET INDIRECT NOW TODAY RAND RANDBETWEEN SUBTOTAL AGGREGATE QUOTIENT COMBIN IFS SWITCH XLOOKUP LET"
    assert not set(refused.split()) & set(safe_functions())


def test_the_kernel_evaluates_no_source_text_but_what_it_wrote_itself():
    for path in SOURCE.rglob("*.py"):
        assert path.name == "emit_numpy.py" or not re.search(
            r"(?<![\w.])(eval|exec)\(", path.read_text(encoding="utf-8")
        ), path.name


def test_the_kernel_knows_only_openpyxl_and_itself():
    allowed = {"addin", "openpyxl", "__future__"}
    standard = set(__import__("sys").stdlib_module_names)
    for name in ("tokens", "parse", "graph", "cells", "values", "rounding", "evaluate", "functions", "comparison"):
        (path,) = SOURCE.rglob(f"{name}.py")
        text = path.read_text(encoding="utf-8")
        imported = {match.split(".")[0] for match in re.findall(r"^(?:from|import) ([\w.]+)", text, re.MULTILINE)}
        assert imported <= allowed | standard, name


@pytest.mark.parametrize(
    ("typed", "meant"), [("IFF", "IF"), ("SUMM", "SUM"), ("ROUDUP", "ROUNDUP"), ("MXA", "MAX"), ("AVERGAE", "AVERAGE")]
)
def test_a_name_with_a_letter_too_many_too_few_or_out_of_place_is_asked_back(typed: str, meant: str) -> None:
    with pytest.raises(UnsupportedFunction) as caught:
        functions.function(typed, 1)
    said = f"{typed} is not supported by the kernel. Did you mean {meant}? Else rewrite the cell with functions of the"
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize("typed", ["XLOOKUP", "QUOTIENT", "AVERAGEA", "OFFSET", "LEFTB", "IFS", "DAYS"])
def test_a_function_of_excel_is_no_typo(typed: str) -> None:
    with pytest.raises(UnsupportedFunction, match=r"by the kernel\. Rewrite the cell with "):
        functions.function(typed, 1)
