"""Build the workbook: read the data, assemble, audit, recompute every cell, stamp, save. Run `python build.py`."""

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from openpyxl import load_workbook

from addin import console
from addin.audit import EXCEPTIONS, audit, rules
from addin.engines.office import application
from addin.hosts.calc import make as calc
from addin.hosts.ribbon import make as ribbon
from addin.kernel import Cells, ExcelError, evaluate_all, safe_functions
from addin.reported import ReportedError
from addin.xlsx.package import inject_cached_values, manifest, normalise, write_atomically
from model.errors import AuditError, ModelError
from model.layout.grid import FIRST_ROW
from model.provenance import provenance
from model.reading.read import DATA, read
from model.sheets import evidence
from model.twin import text_twin
from model.workbook import Built, assemble

HERE = Path(__file__).parent
NAME = "vdi-storage-sizing"
LIMIT = 9000  # formula cells
LEAST = 1e-3  # differences of smaller figures are taken relative to this
Values = dict[tuple[str, str], Any]


def computed(built: Built) -> Values:
    """Return the value of every formula cell.

    Raises AuditError when a cell ends in an error value or the workbook outgrows its limit.
    """
    values = evaluate_all(Cells.from_openpyxl(built.workbook))
    faulty = [address.a1 for address, value in values.items() if isinstance(value, ExcelError)]
    if faulty or len(values) > LIMIT:
        found = (
            f"error values in {', '.join(faulty[:5])}"
            if faulty
            else f"{len(values)} formula cells, at most {LIMIT} allowed"
        )
        raise ModelError(f"{NAME}.xlsx: {found}. Correct the formula or the data.")
    return {(a.sheet, a.a1.rpartition("!")[2]): "" if v is None else v for a, v in values.items()}


def evidence_table(built: Built, values: Values) -> str:
    """Return the printed results beside ours, a line each, as the Evidence sheet shows them."""
    lines = [f"{'':5} {'paper':5} {'kind':11} {'printed':>12} {'ours':>12} {'diff':>7}  verdict"]
    for row, item in enumerate(built.data.evidence, FIRST_ROW):
        low, high = (built.data.facts.value(i, item.unit) if i else None for i in (item.low, item.high))
        printed = f"{low:,.6g}" if low == high else f"{low or 0:,.6g}..{high:,.6g}" if high else f">{low:,.6g}"
        ours, difference, verdict = (values[evidence.cell(row, name)] for name in ("Ours", "Difference", "Verdict"))
        figures = f"{printed:>12} {ours:>12,.5g} {difference:>+7.1%}"
        lines.append(f"{item.id:5} {item.paper:5} {item.kind:11} {figures}  {verdict:10}  {item.label}")
    return "\n".join(lines)


def judged(target: Path, values: Values) -> str:
    """Recompute the saved workbook with LibreOffice, where it is installed, and return the largest difference."""
    if application.installed() is None:
        return "LibreOffice is not installed: no second engine has recomputed the cells"
    with tempfile.TemporaryDirectory() as folder:
        try:
            (copy,) = application.convert([target], Path(folder), application.XLSX)
        except application.OfficeError as error:
            return f"No second engine has recomputed the cells: {error}"
        found = load_workbook(copy, data_only=True)
        worst, where, unequal = 0.0, "", 0
        for (sheet, cell), ours in values.items():
            theirs = found[sheet][cell].value
            if isinstance(ours, float) and isinstance(theirs, int | float):
                share = abs(ours - theirs) / max(abs(ours), abs(theirs), LEAST)
                worst, where = max((worst, where), (share, f"{sheet}!{cell}"))
            elif ours != ("" if theirs is None else theirs):
                unequal += 1
    return f"LibreOffice agrees: largest difference {worst:.0e} ({where}), {unequal} texts differ"


def summary(built: Built, values: Values) -> str:
    """Return what was built and how it compares with the papers."""
    rows = built.data.evidence
    kinds = Counter(item.kind for item in rows)
    verdicts = Counter(values[evidence.cell(row, "Verdict")] for row, _ in enumerate(rows, FIRST_ROW))
    counts = ", ".join(f"{kinds[k]} {k}" for k in ("input", "reproduced", "consistency"))
    verdict = ", ".join(f"{verdicts[v]} {v}" for v in evidence.VERDICTS)
    return (
        f"{len(values):,} formula cells of at most {LIMIT:,}; {len(rules())} rules hold, {len(EXCEPTIONS)} exceptions\n"
        f"Evidence: {len(rows)} printed results from {len({i.paper for i in rows})} papers ({counts}): {verdict}"
    )


def write(built: Built, values: Values, folder: Path) -> Path:
    """Write workbook, text twin, ribbon add-in, Calc extension and MANIFEST into a folder, each whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        draft = Path(temporary) / f"{NAME}.xlsx"
        built.workbook.save(draft)
        inject_cached_values(draft, values)
        normalise(draft, built.made.date)
        workbook, parts = draft.read_bytes(), manifest(draft)
        addins = [ribbon.write_ribbon(Path(temporary) / ribbon.FILE), calc.write_extension(Path(temporary) / calc.FILE)]
        made = {path.name: path.read_bytes() for path in addins}
        parts += "".join(line.replace("  ", f"  {p.name}!", 1) for p in addins for line in manifest(p).splitlines(True))
    target = folder / f"{NAME}.xlsx"
    write_atomically(target, workbook)
    write_atomically(folder / f"{NAME}.txt", text_twin(built.workbook, values).encode())
    for name, data in made.items():
        write_atomically(folder / name, data)
    write_atomically(folder / "MANIFEST", parts.encode())
    return target


def build(folder: Path, data_folder: Path = DATA) -> tuple[Built, Values, Path]:
    """Build into a folder.

    Raises ModelError (bad data, unknown keys, broken rules, error values) before anything is written.
    """
    built = assemble(
        read(data_folder), provenance(), tuple(f"{rule} {place}: {why}" for rule, place, why in EXCEPTIONS)
    )
    findings = audit(built.workbook, frozenset(safe_functions()))
    if findings:
        raise AuditError(findings)
    values = computed(built)
    return built, values, write(built, values, folder)


def main(arguments: list[str] | None = None) -> int:
    """Build, print what came out; return 0, or 1 with the complaints on stderr."""
    parser = argparse.ArgumentParser(description=__doc__, epilog="example: python build.py --out templates")
    parser.add_argument(
        "--out", type=Path, default=HERE / "templates", help="folder to write into (default: templates)"
    )
    parser.add_argument("--data", type=Path, default=DATA, help="folder with the data files (default: model/data)")
    options = parser.parse_args(arguments)
    start = time.perf_counter()
    try:
        built, values, target = build(options.out, options.data)
    except (ModelError, ReportedError) as error:
        print(error, file=sys.stderr)
        return 1
    print(evidence_table(built, values))
    seconds = time.perf_counter() - start
    print(f"\nWrote {target} in {seconds:.1f} s")
    print(summary(built, values))
    print(judged(target, values))
    return 0


if __name__ == "__main__":
    sys.exit(console.run(main))
