"""Random designs for the live page, and what the kernel makes of them.

`python -m tests.support.live_sets 10000` compares so many sets with the page of the shipped workbook, and prints what
differs: the long run, by name. In batches of one choice of lists the kernel computes many sets of numbers at once; with
`--any` it computes every result one by one, words and errors too, of sets with blanks, choices and rows of one's own.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from addin.kernel import Address, Evaluator, Scalar
from addin.kernel.trials.compile import Slice, compile_slice
from addin.live import page
from addin.workbook.book import SizingBook, open_book
from addin.workbook.item import Item
from tests.support.javascript import page_values, program_of, same

SHIPPED = Path(__file__).parents[2] / "templates" / "vdi-storage-sizing.xlsx"
NEVER_NUMBER = 0.1  # share of entries that are blank, in sets that are computed cell by cell
ROUNDING = 1e-15  # of the largest number of a set: what a difference of two such numbers may leave
LEAST = 100  # results that are compared in every batch
MOVED = ("desktops", "concurrent_ratio", "growth_ratio", "data_reduction_ratio", "disk_used_ratio", "array_price")
Set = dict[Address, Scalar]


@dataclass
class Compared:
    """How many values of a page were held against the kernel's: the largest difference is relative, of numbers."""

    numbers: int = 0
    others: int = 0
    largest: float = 0.0
    wrong: list[str] = field(default_factory=list)

    def add(self, what: str, value: Scalar, truth: Scalar, rest: float = 0.0) -> None:
        """Compare two values, numbers to 1e-9 of themselves or to `rest`."""
        if isinstance(value, float) and isinstance(truth, float):
            self.numbers += 1
            apart = abs(value - truth)
            self.largest = max(self.largest, apart / abs(truth) if apart > rest and truth else 0.0)
        else:
            self.others += 1
        if not same(value, truth, rest):
            self.wrong.append(f"{what}: {value!r}, the kernel has {truth!r}")


def number(draw: random.Random, item: Item, base: Scalar) -> float:
    """Return a number that an input accepts: an end of its range, near what is typed, or anywhere between."""
    low, high = item.minimum or 0.0, item.maximum if item.maximum is not None else 1e6
    how = draw.random()
    if how < 0.1:
        return draw.choice([low, high])
    if how < 0.7 and isinstance(base, float) and base > 0:
        value = base * math.exp(draw.gauss(0, 0.4))
    elif high > 100 and high > low:
        value = math.exp(draw.uniform(math.log(max(low, 1e-3)), math.log(high)))
    else:
        value = draw.uniform(low, high)
    return min(high, max(low, draw.choice([value, float(round(value)), round(value, 2)])))


def any_sets(book: SizingBook, count: int, seed: int = 1) -> Iterator[Set]:
    """Yield sets of everything that is typed: numbers, choices, blanks, rows of the user's own."""
    draw = random.Random(seed)
    for n in range(count):
        share = (0.03, 0.1, 0.3)[n % 3]
        changed: Set = {}
        for item in book.entries.values():
            if draw.random() >= (share if item.key in book.inputs else share / 3):
                continue
            base = book.cells.constant(item.address)
            if item.choices:
                changed[item.address] = draw.choice(item.choices)
            elif item.text:
                changed[item.address] = draw.choice(["<script>", "a*", None, "12"])
            else:
                blank = draw.random() < NEVER_NUMBER
                changed[item.address] = None if blank else number(draw, item, base)
        yield changed


def number_sets(book: SizingBook, count: int, seed: int) -> tuple[Set, list[Item], np.ndarray]:
    """Return one choice of lists, the inputs that vary in numbers, and their values, one column for each set."""
    draw = random.Random(seed)
    items = [item for item in book.inputs.values() if isinstance(book.cells.constant(item.address), float)]
    items += [book.inputs[key] for key in MOVED if book.inputs[key] not in items]
    fixed: Set = {}
    for item in book.inputs.values():
        if item.choices and draw.random() < 0.5:
            fixed[item.address] = draw.choice(item.choices)
    varied = sorted(draw.sample(items, 12) + [book.inputs[key] for key in MOVED], key=lambda item: item.address)
    varied = list(dict.fromkeys(varied))
    rows = [[number(draw, item, book.cells.constant(item.address)) for _ in range(count)] for item in varied]
    return fixed, varied, np.array(rows)


def saved_results(book: SizingBook) -> Mapping[str, Scalar]:
    """Return every result of the workbook as it was saved, by key: computed once for all batches."""
    return book.evaluate({}, book.results)


def whole_ratio_sets(book: SizingBook, saved: Mapping[str, Scalar]) -> tuple[list[Item], np.ndarray]:
    """Return users for which a limit asks for a whole number of arrays, and both neighbours of each."""
    desktops = book.inputs["desktops"]
    base = book.cells.constant(desktops.address)
    assert isinstance(base, float)
    ratios = [value for key, value in saved.items() if key.startswith("ratio_")]
    found = []
    for ratio in sorted({each for each in ratios if isinstance(each, float) and each > 0}):
        for whole in (1, 2, 3, 7):
            users = base * whole / ratio
            found += [math.nextafter(users, 0), users, math.nextafter(users, math.inf), round(users)]
    low, high = desktops.minimum or 1.0, desktops.maximum or 1e5
    return [desktops], np.array([[each for each in found if low <= each <= high]])


def in_numbers(
    book: SizingBook, saved: Mapping[str, Scalar], fixed: Set, varied: list[Item]
) -> tuple[list[Item], Slice]:
    """Return the results that are saved as numbers, and their compiled form."""
    cells = book.cells.with_values(fixed)
    items = [item for key, item in book.results.items() if isinstance(saved[key], float)]
    places = tuple(item.address for item in varied)
    limits = {i.address: (i.minimum, i.maximum) for i in varied if i.minimum is not None and i.maximum is not None}
    wanted = tuple(item.address for item in items)
    return items, compile_slice(cells, places, wanted, emitter="numpy", limits=limits)


def in_batch(
    book: SizingBook,
    saved: Mapping[str, Scalar],
    code: str,
    at: Mapping[Address, int],
    fixed: Set,
    varied: list[Item],
    x: np.ndarray,
) -> Compared:
    """Compare the results in numbers of one choice of lists and many sets of numbers, a column each."""
    items, compiled = in_numbers(book, saved, fixed, varied)
    assert len(items) > LEAST, f"only {len(items)} results have a compiled form"
    places = tuple(item.address for item in varied)
    wanted = tuple(item.address for item in items)
    known = compiled.run(x)
    sets = [{**fixed, **dict(zip(places, map(float, column), strict=True))} for column in x.T]
    told = page_values(code, [{at[a]: v for a, v in each.items()} for each in sets], [at[a] for a in wanted])
    found = Compared()
    for n, row in enumerate(told):
        largest = max((abs(value) for value in row if isinstance(value, float)), default=0.0)
        for output, (item, value) in enumerate(zip(items, row, strict=True)):
            found.add(f"set {n}, {item.key}", value, known.scalar(output, n), rest=ROUNDING * largest)
    return found


def one_by_one(book: SizingBook, code: str, at: Mapping[Address, int], sets: Sequence[Set]) -> Compared:
    """Compare every result of some sets: numbers, words, errors and blanks."""
    wanted = [item.address for item in book.results.values()]
    told = page_values(code, [{at[a]: v for a, v in each.items()} for each in sets], [at[a] for a in wanted])
    found = Compared()
    for n, (each, row) in enumerate(zip(sets, told, strict=True)):
        known = Evaluator(book.cells, each)
        known.compute(tuple(wanted))
        for key, address, value in zip(book.results, wanted, row, strict=True):
            found.add(f"set {n}, {key}", value, known.value(address))
    return found


def positions(book: SizingBook, data: Mapping[str, object]) -> dict[Address, int]:
    """Return the positions of inputs and results in a page's array, by cell."""
    inputs, results = data["inputs"], data["results"]
    assert isinstance(inputs, list)
    assert isinstance(results, dict)
    found = {book.entries[key].address: at for key, at, *_ in inputs}
    return found | {book.results[key].address: at for key, (_, _, at) in results.items()}


def main() -> int:
    """Compare many sets, say how many values were equal, list the first that were not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", type=int)
    parser.add_argument("--batch", type=int, default=250)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--any", action="store_true", help="every result, blanks, choices and own rows; slower")
    options = parser.parse_args()
    book = open_book(SHIPPED)
    code, data = program_of(page(book, prices=True).decode())
    at, saved, all_found, started = positions(book, data), saved_results(book), Compared(), time.perf_counter()
    for batch in range(-(-options.sets // options.batch)):
        seed = options.seed * 1000 + batch
        if options.any:
            found = one_by_one(book, code, at, list(any_sets(book, options.batch, seed)))
        else:
            found = in_batch(book, saved, code, at, *number_sets(book, options.batch, seed))
        all_found = Compared(
            all_found.numbers + found.numbers,
            all_found.others + found.others,
            max(all_found.largest, found.largest),
            all_found.wrong + found.wrong,
        )
        print(
            f"{(batch + 1) * options.batch:,} sets, {all_found.numbers:,} numbers, {all_found.others:,} words, errors "
            f"and blanks, {len(all_found.wrong)} differ, largest {all_found.largest:.1g}, "
            f"{time.perf_counter() - started:.0f} s"
        )
        print("\n".join(found.wrong[:5]), end="\n" if found.wrong else "", flush=True)
    return 1 if all_found.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
