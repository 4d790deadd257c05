"""Trials per second of the compiled slices on the papers' reference design, beside numpy written by hand.

Run: python -m tests.benchmarks.bench_kernel
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from addin.kernel import Address, Cells, Evaluator, Scalar
from addin.kernel.trials.compile import Slice, check, compile_slice
from model.workbook import Built
from tests.benchmarks.hand_written import CONSTRAINTS, OUTPUTS, HandWritten
from tests.support import shipped

RANGES = {  # input: lowest, highest draw
    "desktops": (500.0, 6000.0),
    "concurrent_ratio": (0.3, 1.0),
    "growth_ratio": (0.0, 0.4),
    "data_reduction_ratio": (0.8, 12.0),
    "vm_headroom_ratio": (0, 0.4),
    "demand_scale_ratio": (0.5, 2.0),
    "boot_iops_per_desktop": (1.0, 40.0),
    "login_iops_per_desktop": (1.0, 20.0),
    "steady_iops_per_desktop": (1.0, 10.0),
    "rho_cap_ratio": (0.5, 0.95),
    "capacity_headroom_ratio": (0.0, 0.5),
    "array_price": (0.0, 200000.0),
    "boot_work_ratio": (0.5, 4.0),
}
TRIALS = 1 << 17
SECONDS = 1.5


def draws(trials: int) -> np.ndarray:
    """Return draws of the inputs, shape (inputs, trials); one price in five is missing."""
    price = list(RANGES).index("array_price")
    rng = np.random.default_rng(0)
    low, high = np.array(list(RANGES.values())).T[:, :, None]
    x = rng.uniform(low, high, (len(RANGES), trials))
    x[0] = np.rint(x[0])
    x[price] = np.where(x[price] < 40000, 0, x[price])
    return x


def rate(run: Callable[[], object], trials: int, rounds: int = 7) -> float:
    """Return trials per second of the fastest of several rounds, warm."""
    run()
    best = 0.0
    for _ in range(rounds):
        start, count = time.perf_counter(), 0
        while time.perf_counter() - start < SECONDS / rounds or not count:
            run()
            count += 1
        best = max(best, count * trials / (time.perf_counter() - start))
    return best


def lines(built: Built, cells: Cells) -> Callable[[str], Scalar]:
    """Return the values of the fixed lines of the base design, by key."""
    evaluator = Evaluator(cells)

    def line(key: str) -> Scalar:
        if (unit := built.layout.blocks.get(f"unit:{key}")) is not None:
            return evaluator.value(Address(unit.sheet, unit.first_row, unit.first_column))
        sheet, row = built.layout.lines[key]
        return evaluator.value(Address(sheet, row, 4))

    return line


def same(compiled: Slice, hand: HandWritten, x: np.ndarray) -> float:
    """Return the largest relative difference between the slice and the hand-written model; labels must be equal."""
    result, mine = compiled.run(x), np.empty((len(OUTPUTS), x.shape[1]))
    hand.run(x, mine)
    for row in (0, 1):
        shown = np.array(result.labels)[result.texts(row)]
        assert (shown == np.array(CONSTRAINTS)[mine[row].astype(int)]).all()
    compiled_values, written_values = result.values[2:], mine[2:]
    assert (np.isnan(compiled_values) == np.isnan(written_values)).all()
    return float(np.nanmax(np.abs(compiled_values - written_values) / np.maximum(np.abs(written_values), 1e-300)))


def formualizer_rate(cells: Cells, inputs: tuple[Address, ...], outputs: tuple[Address, ...], x: np.ndarray) -> float:
    """Return trials per second of formualizer, one trial after the other; 0 where it is not installed."""
    try:
        import formualizer as fz
    except ImportError:
        return 0.0
    book = fz.Workbook()
    for sheet in cells.sheets:
        book.add_sheet(sheet)
    for address, value in cells.values.items():
        text = cells.formula(address)
        if text is not None:
            book.set_formula(address.sheet, address.row, address.column, text)
        elif value is not None:
            book.set_value(address.sheet, address.row, address.column, value)
    start = time.perf_counter()
    for trial in range(10):
        for address, value in zip(inputs, x[:, trial], strict=True):
            book.set_value(address.sheet, address.row, address.column, float(value))
        for output in outputs:
            book.evaluate_cell(output.sheet, output.row, output.column)
    return 10 / (time.perf_counter() - start)


def main() -> None:
    """Print the table."""
    built = shipped.reference()
    cells = Cells.from_openpyxl(built.workbook)
    inputs = tuple(Address.from_a1(cells.name(f"In_{key}")) for key in RANGES)
    outputs = tuple(Address.from_a1(cells.name(f"Out_{key}")) for key in OUTPUTS)
    limits = dict(zip(inputs, RANGES.values(), strict=True))
    x = draws(TRIALS)
    line = lines(built, cells)
    hands = {chunk: HandWritten(line, chunk) for chunk in (8192, 16384, 32768, 65536)}
    mine = np.empty((len(OUTPUTS), TRIALS))
    print(f"{platform.processor() or platform.machine()}, {TRIALS:,} trials, {len(cells.values):,} cells")
    rates: dict[str, list[float]] = {}
    for threads in (1, 2):
        by_chunk = [rate(partial(hand.run, x, mine, threads), TRIALS) for hand in hands.values()]
        rates.setdefault("numpy by hand, best chunk", []).append(max(by_chunk))
    for emitter in ("numpy", "llvm"):
        for name, given in (("", {}), (", limits of the inputs known", limits)):
            compiled = compile_slice(cells, inputs, outputs, emitter=emitter, limits=given)
            gaps = f"{same(compiled, hands[16384], x):.0e} to hand-written, {check(compiled, x):.0e} to one by one"
            seconds = compiled.compile_seconds
            print(f"{emitter}{name}: {compiled.operations} operations, {seconds:.3f} s to compile, {gaps}")
            spare = compiled.run(x)
            for threads in (1, 2):
                rates.setdefault(f"emitter {emitter}{name}", []).append(
                    rate(partial(compiled.run, x, threads, spare), TRIALS)
                )
    small = compiled
    start = time.perf_counter()
    for trial in range(20):
        small.scalars(x[:, trial])
    rates["scalar evaluator, path only"] = [20 / (time.perf_counter() - start)]
    rates["formualizer"] = [formualizer_rate(cells, inputs, outputs, x)]
    reference = rates["numpy by hand, best chunk"]
    print(f"\n{'':44}{'1 thread':>14}{'':>8}{'2 threads':>14}")
    for name, measured in rates.items():
        shown = [f"{value:14,.0f}{value / base:7.2f}x" for value, base in zip(measured, reference, strict=False)]
        print(f"{name:44}{''.join(shown)}")


if __name__ == "__main__":
    main()
