"""Trials per second of every engine on the real workbook, in one run: the first table of docs/speed.md.

Run: python -m tests.benchmarks.bench_engines

Thirteen uncertain inputs, seventeen results, the same draws for all; every engine's results are compared with the
kernel's before its time counts. Spreadsheets take twenty trials at a time, one per design column; threads are the
kernel's own.
"""

from __future__ import annotations

import io
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr
from functools import partial
from importlib.metadata import version
from pathlib import Path

import numpy as np

from addin.engines.office import application
from addin.kernel import Address, Cells, Evaluator
from addin.kernel.trials.compile import Slice, check, compile_slice
from tests.benchmarks import bench_kernel, bench_limit
from tests.benchmarks.document import markdown, paragraph
from tests.benchmarks.hand_written import OUTPUTS, HandWritten
from tests.support import designs, shipped, uno_office
from tests.support.compare import Value, agree
from tests.support.formualizer_engine import LoadedWorkbook

TRIALS = 1 << 18  # of a compiled slice; many chunks for each thread
FORMULAS_TRIALS, SHEET_TRIALS, SCALAR_TRIALS, TURNS = 20, 800, 20, 4
Row = tuple[str, float, float | None]


def formulas_rate(path: Path, compiled: Slice, x: np.ndarray) -> float:
    """Return trials per second of `formulas`: its model of the workbook compiled to one function."""
    with warnings.catch_warnings(), redirect_stderr(io.StringIO()):  # its own housekeeping and progress bars
        warnings.simplefilter("ignore")
        import formulas

        def node(address: Address) -> str:
            return f"'[{path.name}]{address.sheet.upper()}'!{address.a1.rpartition('!')[2]}"

        model = formulas.ExcelModel().loads(str(path)).finish()
        run = model.compile(inputs=list(map(node, compiled.inputs)), outputs=list(map(node, compiled.outputs)))
        start = time.perf_counter()
        results = [run(*map(float, x[:, trial])) for trial in range(FORMULAS_TRIALS)]
        seconds = time.perf_counter() - start
    same(compiled, x, ([v.value[0, 0] for v in row] for row in results))
    return FORMULAS_TRIALS / seconds


def formualizer_rate(path: Path, compiled: Slice, x: np.ndarray) -> float:
    """Return trials per second of `formualizer`, twenty designs at a time."""
    book, rows = LoadedWorkbook(path), designs.input_rows(designs.read_model(path))
    columns = range(designs.FIRST_COLUMN, designs.FIRST_COLUMN + designs.COLUMNS)
    cells = [address._replace(column=column) for column in columns for address in compiled.outputs]
    asked = list(blocks(compiled, rows, x))
    writes = [[(s, rows[s].start, designs.FIRST_COLUMN, block) for s, block in each.items()] for each in asked]
    book.recalculate(writes[0], cells)
    start = time.perf_counter()
    results = [book.recalculate(each, cells) for each in writes]
    seconds = time.perf_counter() - start
    width = len(compiled.outputs)
    same(compiled, x, (flat[c * width : (c + 1) * width] for flat in results for c in range(designs.COLUMNS)))
    return SHEET_TRIALS / seconds


def libreoffice_rate(path: Path, compiled: Slice, x: np.ndarray) -> float:
    """Return trials per second of LibreOffice with the workbook kept open, twenty designs at a time."""
    rows, places = designs.input_rows(designs.read_model(path)), designs.areas(compiled.outputs)
    asked = [(sheet, designs.area(area)) for sheet, area in places.items()]
    inputs = {sheet: designs.area(each) for sheet, each in rows.items()}
    with uno_office.open_book(path) as book:
        book.recalculate([], asked)
        start = time.perf_counter()
        results = [
            book.recalculate([(sheet, inputs[sheet], block) for sheet, block in each.items()], asked)
            for each in blocks(compiled, rows, x)
        ]
        seconds = time.perf_counter() - start
    order = list(places)
    same(
        compiled,
        x,
        (
            [areas[order.index(a.sheet)][a.row - places[a.sheet].start][column] for a in compiled.outputs]
            for areas in results
            for column in range(designs.COLUMNS)
        ),
    )
    return SHEET_TRIALS / seconds


def blocks(compiled: Slice, rows: dict[str, range], x: np.ndarray) -> Iterator[dict[str, list[list[float | str]]]]:
    """Yield the inputs of twenty trials: the base design, its uncertain inputs in every column; the rest inherits."""
    shown = Evaluator(compiled.cells)  # what is typed on Answer stands behind links
    for start in range(0, SHEET_TRIALS, designs.COLUMNS):
        each: dict[str, list[list[float | str]]] = {}
        for sheet, here in rows.items():
            base = [shown.value(Address(sheet, row, designs.FIRST_COLUMN)) for row in here]
            each[sheet] = [["" if v is None else v, *[""] * (designs.COLUMNS - 1)] for v in base]  # type: ignore[list-item]
        for address, values in zip(compiled.inputs, x, strict=True):
            row = address.row - rows[address.sheet].start
            each[address.sheet][row] = values[start : start + designs.COLUMNS].tolist()
        yield each


def same(compiled: Slice, x: np.ndarray, judged: Iterator[list[Value]]) -> None:
    """Stop unless an engine's results, one list per trial, are those of the kernel."""
    result = compiled.run(x)
    for trial, values in enumerate(judged):
        for row, value in enumerate(values):
            kernel_value = result.scalar(row, trial)
            plain = value.item() if isinstance(value, np.generic) else value
            assert agree(kernel_value, plain), (compiled.outputs[row].a1, trial, kernel_value, plain)  # type: ignore[arg-type]


@contextmanager
def saved() -> Iterator[tuple[Path, Callable[[str], object], Cells]]:
    """Build the workbook into a temporary folder: its path, the values of its lines by key, its cells."""
    built = shipped.reference()
    cells = Cells.from_openpyxl(built.workbook)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "book.xlsx"
        built.workbook.save(path)
        yield path, bench_kernel.lines(built, cells), cells


def measured() -> tuple[list[Row], int, str]:
    """Return name, trials per second on one and on two threads of every engine; operations; what was computed."""
    x = bench_kernel.draws(TRIALS)
    table: list[Row] = []
    with saved() as (path, line, cells):
        inputs = tuple(designs.read_model(path).numbers[key] for key in bench_kernel.RANGES)
        outputs = tuple(Address.from_a1(cells.name(f"Out_{key}")) for key in OUTPUTS)
        limits = dict(zip(inputs, bench_kernel.RANGES.values(), strict=True))
        mine = np.empty((len(OUTPUTS), x.shape[1]))
        hands = [HandWritten(line, chunk) for chunk in (8192, 16384, 32768, 65536)]  # type: ignore[arg-type]
        runs: list[tuple[str, Callable[..., object]]]
        runs = [("numpy by hand, best chunk", partial(hand.run, x, mine)) for hand in hands]
        notes = []
        for emitter in ("llvm", "numpy"):
            compiled = compile_slice(cells, inputs, outputs, emitter=emitter, limits=limits)
            assert bench_kernel.same(compiled, hands[1], x) < 1e-12
            assert check(compiled, x) < 1e-12
            notes.append(f"{emitter} compiled in {compiled.compile_seconds:.2f} s")
            runs.append((f"kernel, {emitter} emitter", partial(compiled.run, x, into=compiled.run(x))))
        table += best(runs)
        start = time.perf_counter()
        for trial in range(SCALAR_TRIALS):
            compiled.scalars(x[:, trial])
        table.append(("kernel, cell by cell", SCALAR_TRIALS / (time.perf_counter() - start), None))
        table.append((f"LibreOffice {office_version()}, kept open", libreoffice_rate(path, compiled, x), None))
        table.append((f"formualizer {version('formualizer')}", formualizer_rate(path, compiled, x), None))
        table.append((f"formulas.compile {version('formulas')}", formulas_rate(path, compiled, x), None))
        formulas = sum(1 for _ in cells.formulas())
    return table, compiled.operations, f"{formulas:,} formulas in the workbook; {', '.join(notes)}"


def best(runs: list[tuple[str, Callable[..., object]]]) -> list[Row]:
    """Return the fastest of several turns of each engine, the fastest first; neighbours disturb all of them alike."""
    rates: dict[str, list[float]] = {name: [0.0, 0.0] for name, _ in runs}
    for _ in range(TURNS):
        for name, run in runs:
            for place, count in enumerate((1, 2)):
                rate = bench_kernel.rate(partial(run, threads=count), TRIALS)
                rates[name][place] = max(rates[name][place], rate)
    return sorted(((name, on_one, on_two) for name, (on_one, on_two) in rates.items()), key=lambda row: -row[1])


def office_version() -> str:
    """Return the version of LibreOffice."""
    program = application.installed() or "soffice"
    printed = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    return ".".join(printed.stdout.split()[1].split(".")[:2])


HEADINGS = (
    *("engine", "trials/s, 1 thread", "2 threads", "x numpy by hand", "2 threads", "x formulas.compile"),
    "operations/s, of a core's multiply-adds",
)


def rows(table: list[Row], operations: int, limit: float) -> Iterator[tuple[str, ...]]:
    """Yield the rows under HEADINGS; `limit` is what one core multiplies and adds in a second."""
    (hand, hand_two), (formulas, _) = (
        next(row[1:] for row in table if row[0].startswith(name)) for name in ("numpy by hand", "formulas")
    )
    assert hand_two is not None
    for name, on_one, on_two in table:
        against_hand = f"{on_one / hand:.2f}" if on_one / hand >= 0.01 else f"{on_one / hand:.0e}"
        against_formulas = f"{float(f'{on_one / formulas:.2g}'):,.0f}"
        pair = ("", "") if on_two is None else (f"{on_two:,.0f}", f"{on_two / hand_two:.2f}")
        share = f"{on_one * operations / limit:.0%}" if name.startswith("kernel,") and on_two is not None else ""
        yield name, f"{on_one:,.0f}", pair[0], against_hand, pair[1], against_formulas, share


def main() -> None:
    """Print the section of docs/speed.md."""
    print(section())


def section() -> str:
    """Return the table, the limit and what was measured."""
    limit, both = bench_limit.rates()
    table, operations, note = measured()
    said = paragraph(
        f"""{note}; {TRIALS:,} trials per call, the fastest of several turns. LibreOffice and formualizer compute twenty
        trials at a time, one per design column. The machine's limit: one core multiplies and adds {limit / 1e9:.0f}
        billion times a second, two threads {both / 1e9:.0f} billion (`python -m tests.benchmarks.bench_limit`, in
        registers, compiled as the kernel is). The last column counts each of the {operations} operations of a trial as
        one, also a division or a rounding, which take many."""
    )
    return f"{markdown(HEADINGS, rows(table, operations, limit))}\n\n{said}"


if __name__ == "__main__":
    main()
