"""Build the workbook: read the data, assemble, audit, recompute every cell, stamp, save. Run `python build.py`."""

import argparse
import hashlib
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

os.environ["OPENPYXL_LXML"] = "False"  # before openpyxl is imported: with lxml installed it writes other bytes

from openpyxl.utils import get_column_letter

from addin import console
from addin.audit import AuditError, Finding, audit, exceptions, rules, size_table
from addin.computing.kernel_engine import Once
from addin.engines.office import recompute
from addin.hosts.calc import make as calc
from addin.hosts.ribbon import make as ribbon
from addin.kernel import Evaluator, ExcelError
from addin.leaving.marks import marks_of
from addin.live import page
from addin.reported import ReportedError
from addin.workbook.book import SizingBook, load, open_book
from addin.xlsx.alt_text import describe_charts
from addin.xlsx.package import manifest, normalise, write_atomically
from addin.xlsx.stored_results import store_results
from model.errors import DataError, ModelError
from model.evidence_text import evidence_summary, evidence_table
from model.layout import table
from model.layout.charts import alt_texts
from model.probe import sheet as probe_sheet
from model.provenance import provenance
from model.reading.read import DATA, read
from model.reading.records import Data
from model.sheets.proof import checks
from model.twin import text_twin
from model.workbook import Built, assemble

HERE = Path(__file__).parent
NAME, PROBE = "vdi-storage-sizing", "excel-probe.xlsx"
_CELL = re.compile(r"'?(.+?)'?![A-Z]+(\d+)(:.*)?")
_ADDRESS = re.compile(r"\$?\b[A-Z]{1,3}\$?\d+\b")
Values = dict[tuple[str, str], Any]


def computed(draft: Path) -> tuple[SizingBook, Values]:
    """Return a saved workbook that computes each cell once, and the value of every formula cell.

    The numbers are those that the file holds: openpyxl writes 16 digits. Raises ModelError when one ends in an error
    value.
    """
    book = open_book(draft)
    evaluator, formulas = Evaluator(book.cells), tuple(book.cells.formulas())
    evaluator.compute(formulas)
    values = {address: evaluator.value(address) for address in formulas}
    faulty = [address.a1 for address, value in values.items() if isinstance(value, ExcelError)]
    if faulty:
        raise ModelError(f"{NAME}.xlsx: error values in {', '.join(faulty[:5])}. Correct the formula or the data.")
    known = replace(book, engine=Once(evaluator=evaluator))
    return known, {(a.sheet, a.a1.rpartition("!")[2]): value for a, value in values.items()}


def finish(built: Built, draft: Path, values: Values) -> None:
    """Give a saved workbook its results, the alternative texts of its charts and bytes that repeat."""
    store_results(draft, values)
    describe_charts(draft, alt_texts(built.workbook))
    normalise(draft, built.made.date)


def probe(folder: Path, date: datetime) -> bytes:
    """Return the workbook of the probe, without stored results: those are for the program that opens it."""
    path = folder / PROBE
    probe_sheet.workbook(probe_sheet.cases()).save(path)
    normalise(path, date)
    return path.read_bytes()


def write(built: Built, book: SizingBook, values: Values, folder: Path) -> Path:
    """Write workbook, text twin, live page, add-ins, probe and MANIFEST into a folder, each whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    draft = book.path
    finish(built, draft, values)
    workbook, parts = draft.read_bytes(), manifest(draft)
    addins = [ribbon.write_ribbon(draft.with_name(ribbon.FILE)), calc.write_extension(draft.with_name(calc.FILE))]
    made = {path.name: path.read_bytes() for path in addins}
    live, marks = page(book, prices=True), marks_of(load(draft), book.cells)
    parts += "".join(line.replace("  ", f"  {p.name}!", 1) for p in addins for line in manifest(p).splitlines(True))
    parts += f"{hashlib.sha256(live).hexdigest()}  {NAME}.html\n"
    made[PROBE] = probe(draft.parent, built.made.date)
    parts += f"{hashlib.sha256(made[PROBE]).hexdigest()}  {PROBE}\n"
    parts += f"{hashlib.sha256(marks).hexdigest()}  {NAME}.marks\n"
    target = folder / f"{NAME}.xlsx"
    write_atomically(target, workbook)
    write_atomically(folder / f"{NAME}.txt", text_twin(built.workbook, values).encode())
    write_atomically(folder / f"{NAME}.html", live)
    write_atomically(folder / f"{NAME}.marks", marks)
    for name, data in made.items():
        write_atomically(folder / name, data)
    write_atomically(folder / "MANIFEST", parts.encode())
    return target


def written(built: Built, folder: Path) -> tuple[Values, Path]:
    """Compute a workbook and write it into a folder, all or nothing; return the values of its formula cells."""
    with tempfile.TemporaryDirectory() as temporary:
        draft = Path(temporary) / f"{NAME}.xlsx"
        built.workbook.save(draft)
        book, values = computed(draft)
        return values, write(built, book, values, folder)


def records(folder: Path) -> Data:
    """Return the records of a folder; where they are at fault, the faults of the rows are in the same list."""
    try:
        return read(folder)
    except DataError as error:
        raise DataError((*error.complaints, *table.faults())) from None


def placed(findings: Iterable[Finding], places: Mapping[tuple[str, int], str]) -> list[Finding]:
    """Return what breaks the rules by file and line, once for a row: without its columns, and its copies elsewhere."""
    found: dict[tuple[str, str, str], Finding] = {}
    for each in findings:
        cell = _CELL.fullmatch(each.where)
        line = places.get((cell[1].replace("''", "'"), int(cell[2])), "") if cell else ""
        same = (each.rule, line or each.where, _ADDRESS.sub("", each.message))
        found.setdefault(same, replace(each, where=f"{line} ({each.where})") if line else each)
    of_rows = {(rule, message) for (rule, _, message), each in found.items() if ".rows:" in each.where}
    return [
        each for (rule, _, message), each in found.items() if ".rows:" in each.where or (rule, message) not in of_rows
    ]


def build(folder: Path, data_folder: Path = DATA) -> tuple[Built, Values, Path]:
    """Build into a folder.

    Raises ModelError (bad data, bad rows, error values) or AuditError (broken rules) before anything is written.
    """
    built = assemble(records(data_folder), provenance(), exceptions())
    findings = audit(built.workbook)
    if findings:
        raise AuditError(placed(findings, built.places))
    return built, *written(built, folder)


def raised(built: Built, values: Values) -> list[str]:
    """Return the checks of the shipped design that raise an error: id and sentence."""
    rows = enumerate(built.workbook[checks.NAME].iter_rows(values_only=True), 1)
    column = get_column_letter(checks.RAISED)
    return [f"{r[0]} {r[1]}" for n, r in rows if r[2] == "error" and values[checks.NAME, f"{column}{n}"] == 1]


def main(arguments: list[str] | None = None) -> int:
    """Build, print what came out; return 1 with complaints on stderr, also of a check or of LibreOffice, else 0."""
    parser = argparse.ArgumentParser(description=__doc__, epilog="example: python build.py --out templates")
    parser.add_argument(
        "--out", type=Path, default=HERE / "templates", help="folder to write into (default: templates)"
    )
    parser.add_argument("--data", type=Path, default=DATA, help="folder with the data files (default: model/data)")
    parser.add_argument(
        "--tables", action="store_true", help="print Evidence line by line, and the size of every sheet"
    )
    options = parser.parse_args(arguments)
    start = time.perf_counter()
    try:
        built, values, target = build(options.out, options.data)
    except (ModelError, ReportedError) as error:
        print(error, file=sys.stderr)
        return 1
    if options.tables:
        print(f"{evidence_table(built.data, values)}\n\n{size_table(built.workbook)}\n")
    print(f"Wrote {target} in {time.perf_counter() - start:.1f} s")
    print(f"{len(rules())} rules hold, {len(exceptions())} exceptions")
    print(evidence_summary(built.data, values))
    second = recompute.agreement(target, values)
    print(second.sentence, file=sys.stdout if second.agrees else sys.stderr)
    faults = raised(built, values)
    if faults:
        print(
            f"Checks: {'; '.join(faults)}: errors in the shipped design. Correct the formula or the data.",
            file=sys.stderr,
        )
    return 1 if faults or not second.agrees else 0


if __name__ == "__main__":
    sys.exit(console.run(main))
