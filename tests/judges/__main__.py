"""Hold a built workbook against a judge: how many formula cells agree, and where not.

    python -m tests.judges gnumeric [BOOK]
    npm install --prefix DIR hyperformula@3 && python -m tests.judges hyperformula --packages DIR [BOOK]
    mvn -q -f tests/judges/pom.xml dependency:copy-dependencies -DoutputDirectory=DIR
    python -m tests.judges poi --packages DIR [BOOK]

Expected are the results stored in the workbook, which build.py has checked against the kernel and LibreOffice. None of
these packages is a dependency: HyperFormula is GPLv3, POI needs a Java.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import openpyxl
from openpyxl.workbook import Workbook

from tests.support import gnumeric
from tests.support.compare import Address, Value, differences, formula_cells, largest_precedents, load_values

HERE = Path(__file__).parent
SHIPPED = HERE.parents[1] / "templates" / "vdi-storage-sizing.xlsx"
SHOWN = 20


def _gnumeric(path: Path, _: Path) -> dict[Address, Value]:
    with tempfile.TemporaryDirectory() as folder:
        return gnumeric.recalculate([path], Path(folder))[path]


def _hyperformula(path: Path, packages: Path) -> dict[Address, Value]:
    book = openpyxl.load_workbook(path)
    asked = {
        "sheets": {ws.title: [[_written(v) for v in row] for row in ws.iter_rows(values_only=True)] for ws in book},
        "names": {name: f"={each.attr_text}" for name, each in book.defined_names.items()},
    }
    command = ["node", str(HERE / "hyperformula.mjs"), str(packages.resolve() / "node_modules" / "hyperformula")]
    printed = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=True).stdout
    return _placed(json.loads(printed), book)


def _written(value: object) -> object:
    """Return a cell as HyperFormula reads it: formulas without Excel's prefix, texts marked as such."""
    if not isinstance(value, str):
        return value
    return value.replace("_xlfn.", "") if value.startswith("=") else f"'{value}"


def _placed(values: dict[str, list[list[Value]]], book: Workbook) -> dict[Address, Value]:
    return {
        (ws.title, ws.cell(row, column).coordinate): value
        for ws in book
        for row, line in enumerate(values[ws.title], 1)
        for column, value in enumerate(line, 1)
    }


def _poi(path: Path, packages: Path) -> dict[Address, Value]:
    command = ["java", "-cp", f"{packages.resolve()}/*", str(HERE / "Poi.java"), str(path.resolve())]
    printed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    lines = (line for line in printed.splitlines() if line.startswith('["'))  # the rest is a logger that misses itself
    return {(sheet, cell): value for sheet, cell, value in map(json.loads, lines)}


JUDGES = {"gnumeric": _gnumeric, "hyperformula": _hyperformula, "poi": _poi}


def main() -> int:
    """Print what a judge says; the exit code is 1 where it disagrees."""
    parser = argparse.ArgumentParser(prog="python -m tests.judges", description=__doc__.splitlines()[0])
    parser.add_argument("judge", choices=JUDGES)
    parser.add_argument("book", nargs="?", type=Path, default=SHIPPED)
    parser.add_argument("--packages", type=Path, default=Path(), help="the folder that npm or mvn filled")
    asked = parser.parse_args()
    formulas, stored = formula_cells(openpyxl.load_workbook(asked.book)), load_values(asked.book)
    expected = {address: stored.get(address) for address in formulas}
    judged = JUDGES[asked.judge](asked.book, asked.packages)
    unequal = differences(expected, judged, largest_precedents(formulas, {**judged, **expected}))
    print(f"{asked.judge} agrees on {len(formulas) - len(unequal):,} of {len(formulas):,} formula cells")
    for each in unequal[:SHOWN]:
        print(f"{each}; {formulas[each.sheet, each.cell]}")
    return int(bool(unequal))


if __name__ == "__main__":
    sys.exit(main())
