"""Hold the kernel against what Excel stored beside the formulas of other engines' test workbooks.

    git clone https://github.com/ironcalc/IronCalc DIR/ironcalc
    git clone https://github.com/vinci1it2000/formulas DIR/formulas
    python -m tests.judges.stored DIR/ironcalc DIR/formulas

Every formula cell is computed from the stored values of the cells that it reads, so that one difference counts once.
A workbook that the kernel cannot read as a whole is named; a formula with a function that it refuses is counted as
refused. The workbooks are not part of this project.
"""

import argparse
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import openpyxl

from addin.kernel import Address, Cells, Evaluator, ExcelError, KernelError, Scalar, parse, safe_functions
from addin.kernel.formula.cells import ERROR_TEXTS
from addin.kernel.formula.nodes import Call, walk
from addin.kernel.trials.compile import difference
from addin.xlsx import limits

CLOSE = 1e-9
ALMOST_ZERO = 1e-12
Verdict = tuple[str, str, str, Scalar, Scalar]  # file and cell, formula, verdict, stored, computed


class _Stored(Evaluator):
    """Computes a formula from what is stored in the cells that it reads."""

    def __init__(self, cells: Cells, kept: Mapping[Address, Scalar]) -> None:
        super().__init__(cells)
        self._kept = kept

    def read(self, address: Address) -> Scalar:
        """Return what is stored in a cell."""
        return self._kept[address] if address in self._kept else self.cells.constant(address)


def judged(path: Path) -> Iterator[Verdict]:
    """Yield what the kernel makes of each formula cell of a workbook with a stored value."""
    limits.check(path)  # some of these workbooks are made to take all memory
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cells = Cells.from_openpyxl(openpyxl.load_workbook(path))
        stored = openpyxl.load_workbook(path, data_only=True)
    kept: dict[Address, Scalar] = {}
    for address in cells.formulas():
        cell = stored[address.sheet].cell(address.row, address.column)
        value = cell.value
        if value is None and cell.data_type == "str":
            value = ""
        elif isinstance(value, str) and cell.data_type == "e":
            value = ERROR_TEXTS.get(value, ExcelError.VALUE)
        elif isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        elif not isinstance(value, str | float | bool | None):
            value = _serial(value)
        kept[address] = value
    evaluator = _Stored(cells, kept)
    for address, wanted in kept.items():
        text = cells.formula(address) or ""
        where = f"{path.name} {address.a1}"
        if wanted is None:
            continue
        try:
            value = evaluator.formula_value(address)
        except KernelError as error:
            yield where, text, "refused", wanted, str(error)
            continue
        value = 0.0 if value is None else value
        yield where, text, "agrees" if _same(value, wanted) else "differs", wanted, value


def _serial(value: object) -> Scalar:
    from openpyxl.utils.datetime import to_excel

    return float(to_excel(value))


def _same(value: Scalar, wanted: Scalar) -> bool:
    if isinstance(value, bool) != isinstance(wanted, bool):
        return False
    if isinstance(value, float) and isinstance(wanted, float):
        return abs(value - wanted) <= ALMOST_ZERO or difference(value, wanted) <= CLOSE
    return value == wanted


def functions_of(text: str) -> set[str]:
    """Return the functions that a formula calls; "operators" where it calls none."""
    try:
        return {node.name for node in walk(parse(text)) if isinstance(node, Call)} or {"operators"}
    except KernelError:
        return set()


def main() -> int:
    """Print differences and pass rates; the exit code is 1 where a value differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.judges.stored", description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--all", action="store_true", help="also formulas with functions outside the kernel's list")
    asked = parser.parse_args()
    agreed, differed, refused, unread = Counter[str](), Counter[str](), Counter[str](), []
    sums = Counter[str]()
    safe = safe_functions()
    for path in sorted(p for folder in asked.folders for p in folder.rglob("*.xlsx")):
        try:
            verdicts = list(judged(path))
        except Exception as error:  # whatever a reader raises over a file that is no workbook
            unread.append(f"{path.name}: {type(error).__name__} {error}"[:160])
            continue
        for where, text, verdict, wanted, value in verdicts:
            called = functions_of(text)
            counter = {"agrees": agreed, "differs": differed, "refused": refused}[verdict]
            sums[verdict] += 1
            counter.update(called & {*safe, "operators"} or {"other"})
            if verdict == "differs" or (verdict == "refused" and (asked.all or called <= {*safe, "operators"})):
                print(f"{verdict} {where} {text[:120]}: Excel {wanted!r}, kernel {value!r}"[:300])
    print(f"{'function':16}{'agrees':>9}{'differs':>9}{'refused':>9}{'rate':>9}")
    for name in sorted({*agreed, *differed, *refused}):
        computed = agreed[name] + differed[name]
        rate = f"{agreed[name] / computed:.1%}" if computed else ""
        print(f"{name:16}{agreed[name]:9,}{differed[name]:9,}{refused[name]:9,}{rate:>9}")
    for line in unread:
        print(f"not read: {line}")
    print(f"{sums['agrees']:,} agree, {sums['differs']:,} differ")
    return int(bool(differed))


if __name__ == "__main__":
    sys.exit(main())
