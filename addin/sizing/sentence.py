"""A number in a sentence: what it is and what sets it. A book in, one line out."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from addin.computing.kernel_engine import Values
from addin.kernel import Address, Cells, Evaluator, ExcelError, KernelError, Scalar, parse, show
from addin.kernel.formula.nodes import Binary, Cell, Node, walk
from addin.numerals import localized, number_of
from addin.sizing.labels import named
from addin.sizing.tables import in_words
from addin.sizing.units import bought
from addin.workbook.book import SizingBook, shown
from addin.workbook.item import unit_at

ANSWER, LIMIT, RATIO, UNCHECKED = "arrays_required", "binding_constraint", "ratio_largest", "constraints_unchecked"
STATUS, ALL_CHECKED = "status", "none"
COUNT = re.compile(r"\d (array|node|disk)")  # stands in the state of every design that has an answer
_IOPS = re.compile(r" IOPS(?=,|$)")  # the figures behind the colon have the unit
_SCRATCH = 1_000_000  # a row that no sheet uses


def sentence(book: SizingBook, first: Address, settings: Iterable[str] = (), error: str = "") -> str:
    """Return what a cell says: for the arrays required why as many, for any other cell label, value and unit.

    `error` says why the design has no answer, where a check and not its status does.
    """
    evaluator = book.values(book.settings(settings))
    by_cell = {item.address: item for item in book.results.values()}
    known = all(key in book.results for key in (ANSWER, LIMIT, RATIO))
    if known and first in (book.results[ANSWER].address, book.results.get(STATUS, book.results[ANSWER]).address):
        return _why(book, settings, error)
    item = by_cell.get(first) or next((item for item in book.inputs.values() if item.address == first), None)
    item = item or (next((own for own in book.own.values() if own.address == first), None))
    value = evaluator.value(first)
    if item is None:
        label, unit = named(book, evaluator, first)
        return f"{label or first.a1}: {_shown(value, unit)}."
    worded = in_words(item.key if first in by_cell else "", item.unit, value)
    typed = "" if book.cells.formula(first) else f", typed at {first.a1}"
    return f"{item.label}: {_shown(worded, item.unit)}{typed}."


def no_answer(book: SizingBook, values: Values, design: int = 0) -> str:
    """Return why a design has no answer, as the workbook says it: what to enter or correct; empty where it has one.

    `design` counts the columns of the workbook, from the base design.
    """
    if STATUS not in book.results:
        return ""
    at = book.results[STATUS].address
    state = values.value(at._replace(column=at.column + design))
    return state.removeprefix("no answer: ").rstrip(" .") if isinstance(state, str) and not COUNT.search(state) else ""


def _why(book: SizingBook, settings: Iterable[str], error: str) -> str:
    """Return why the design needs as many arrays as it does."""
    overrides = book.settings(settings)
    cells, evaluator = book.cells.with_values(overrides), book.values(overrides)
    arrays, limit, ratio, unchecked = (
        evaluator.value(book.results[key].address) if key in book.results else None
        for key in (ANSWER, LIMIT, RATIO, UNCHECKED)
    )
    if refusal := no_answer(book, evaluator) or error:
        return f"{book.results[ANSWER].label}: no answer: {refusal}."
    if not isinstance(arrays, float) or not isinstance(ratio, float) or not isinstance(limit, str):
        return f"{book.results[ANSWER].label}: {_shown(arrays, '')}."
    left = unchecked if isinstance(unchecked, str) and unchecked != ALL_CHECKED else ""
    word = bought(book, evaluator)
    number = number_of(arrays, word)
    count = f"At least {number}" if left else number
    rest = f" Not checked: {left}." if left else ""
    if ratio <= 0 and arrays == 0:
        return f"No {word}: nothing is on one; the limit is {limit}.{rest}"
    if ratio <= 0:
        return f"{count}: nothing that is checked asks for more.{rest}"
    need = f"{_digits(ratio)} of one" if ratio <= 1 else f"{_digits(ratio)} {word}s"
    return f"{count} because {_subject(limit)} needs {need}{_loads(book, cells, evaluator, limit, ratio)}.{rest}"


def _subject(limit: str) -> str:
    """Return a constraint as the subject of a sentence: `Login IOPS, after one failure` is a login."""
    name = _IOPS.sub("", limit)
    name = name if name[1:2].isupper() else name[:1].lower() + name[1:]
    return f"{name}," if ", " in name else name


def _loads(book: SizingBook, cells: Cells, evaluator: Values, limit: str, ratio: float) -> str:
    """Return demand and supply of the constraint that limits, read off its formula: a quotient that is its ratio."""
    for item in book.results.values():
        if not item.key.startswith("ratio_") or item.label != limit or evaluator.value(item.address) != ratio:
            continue
        formula = cells.formula(item.address)
        for node in walk(parse(formula)) if formula else ():
            if not isinstance(node, Binary) or node.operator != "/":
                continue
            demand, supply = (_value(cells, evaluator, side, item.address.sheet) for side in (node.left, node.right))
            if not isinstance(demand, float) or not isinstance(supply, float) or supply <= 0:
                continue
            if math.isclose(demand / supply, ratio, rel_tol=1e-9):
                unit = _unit(cells, node.left, item.address.sheet) or _unit(cells, node.right, item.address.sheet)
                what = " of" if ratio <= 1 else f" {unit}".rstrip() + ", one has"
                return f": {shown(demand)}{what} {shown(supply)} {unit}".rstrip()
    return ""


def _value(cells: Cells, evaluator: Values, node: Node, sheet: str) -> Scalar:
    """Return what a part of a formula of a sheet comes to."""
    try:
        if isinstance(node, Cell):
            return evaluator.value(Address(cells.sheet(node.sheet or sheet), node.row, node.column))
        place = Address(sheet, _SCRATCH, 1)
        return Evaluator(cells.with_formula(place, f"={show(node)}")).value(place)
    except KernelError:
        return None


def _unit(cells: Cells, node: Node, sheet: str) -> str:
    """Return the unit in the row of a cell; empty for anything but one cell."""
    if not isinstance(node, Cell):
        return ""
    unit = unit_at(cells, Address(node.sheet or sheet, node.row, node.column))
    return unit.replace("count", "")  # what is counted is in the name of the constraint


def _digits(ratio: float) -> str:
    """Return a need with two decimals, with more where these would tell another number of arrays."""
    texts = (f"{ratio:.{digits}f}" for digits in range(2, 12))
    return localized(next((t for t in texts if math.ceil(float(t)) == math.ceil(ratio)), f"{ratio:.12g}"))


def _shown(value: Scalar, unit: str) -> str:
    if isinstance(value, ExcelError):
        return value.value
    return shown(value, unit if isinstance(value, float) else "") or "blank"
