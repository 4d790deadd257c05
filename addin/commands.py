"""What each command does: a book in, a table out. No printing, no arguments; errors are AddinError."""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from addin.book import Book, shown
from addin.errors import RequestError
from addin.kernel import Address, Evaluator, ExcelError, Scalar, precedents
from addin.kernel.cells import Cells

HEADLINE = (
    "status",
    "arrays_required",
    "binding_constraint",
    "next_constraint",
    "constraints_unchecked",
    "capacity_required_gib",
    "boot_iops",
    "login_iops",
    "steady_iops",
    "peak_phase_utilisation",
    "cost_total",
    "cost_per_desktop",
)
COMPARED = (
    "arrays_required",
    "binding_constraint",
    "next_constraint",
    "capacity_required_gib",
    "cost_per_desktop",
    "status",
)
MOST_COMBINATIONS = 2000
ALL = "all"


@dataclass(frozen=True)
class Table:
    """Headings with units and rows of values, as every command returns them."""

    headings: tuple[str, ...]
    units: tuple[str, ...]
    rows: tuple[tuple[Scalar, ...], ...]
    notes: tuple[str, ...] = ()


def size(book: Book, settings: Iterable[str], keys: Sequence[str] = HEADLINE) -> Table:
    """Return the results of the base design after some inputs were changed.

    Raises RequestError for unknown inputs or results and for values outside their range.
    """
    found = book.evaluate(book.settings(settings), keys)
    rows = tuple(
        (book.find(book.results, key, "result").label, value, book.results[_short(key)].unit)
        for key, value in found.items()
    )
    return Table(("Result", "Value", "Unit"), ("", "", ""), rows)


def _short(key: str) -> str:
    return key.removeprefix("Out_")


def variations(book: Book, text: str) -> tuple[str, tuple[Scalar, ...]]:
    """Read `key=low:high:step`, `key=a,b,c` or `key=all`; return the key and the values its cell accepts.

    Raises RequestError for anything else, and for a step that never arrives.
    """
    key, equals, wanted = text.partition("=")
    if not equals:
        raise RequestError(f"{text!r}: expected key=low:high:step, key=a,b or key=all.")
    item = book.find(book.inputs, key.strip(), "input")
    if wanted == ALL:
        if not item.choices:
            raise RequestError(f"{text}: only an input with a list takes 'all'; give low:high:step.")
        return item.key, tuple(c for c in item.choices if not c.startswith("My "))
    if item.choices:
        exact = tuple(c for c in item.choices if c.casefold() == wanted.casefold())
        return item.key, exact or tuple(book.value_for(item, part.strip()) for part in wanted.split(","))
    parts = wanted.split(":")
    if len(parts) == 1:
        return item.key, tuple(book.value_for(item, part.strip()) for part in wanted.split(","))
    if len(parts) != 3:
        raise RequestError(f"{text}: expected low:high:step, such as desktops=500:5000:500.")
    low, high, step = (_number(part, text) for part in parts)
    if step <= 0 or high < low:
        raise RequestError(f"{text}: expected low <= high and a step above 0.")
    count = int((high - low) / step + 1e-9) + 1
    if count > MOST_COMBINATIONS:
        raise RequestError(f"{text}: {count:,} values; at most {MOST_COMBINATIONS:,}. Take a larger step.")
    return item.key, tuple(book.value_for(item, f"{low + n * step:.15g}") for n in range(count))


def _number(text: str, place: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise RequestError(f"{place}: {text!r} is not a number. Correct it.") from None


def whatif(book: Book, settings: Iterable[str], vary: Iterable[str], keys: Sequence[str] = COMPARED) -> Table:
    """Return one row per combination of the varied inputs.

    Raises RequestError as `variations` does, and for more than 2,000 combinations.
    """
    base = book.settings(settings)
    axes = [variations(book, text) for text in vary]
    total = 1
    for _, values in axes:
        total *= len(values)
    if total > MOST_COMBINATIONS:
        raise RequestError(f"{total:,} combinations; at most {MOST_COMBINATIONS:,}. Take larger steps or fewer inputs.")
    names = [key for key, _ in axes]
    items = [book.find(book.results, key, "result") for key in keys]
    rows = []
    for values in itertools.product(*(values for _, values in axes)):
        chosen = {book.inputs[name].address: value for name, value in zip(names, values, strict=True)}
        found = book.evaluate({**base, **chosen}, keys)
        rows.append((*values, *found.values()))
    return Table(
        (*names, *(item.label for item in items)),
        (*(book.inputs[name].unit for name in names), *(item.unit for item in items)),
        tuple(rows),
    )


def explain(book: Book, name: str, settings: Iterable[str] = (), depth: int = 3) -> list[str]:
    """Return the chain behind a result: cell, label, value, formula, then what it reads, indented, to a depth.

    Raises RequestError when the name is neither a result, an input nor a cell.
    """
    evaluator = Evaluator(book.cells, book.settings(settings))
    lines: list[str] = []
    seen: set[Address] = set()

    def walk(address: Address, level: int) -> None:
        formula = book.cells.formula(address)
        text = f"{'  ' * level}{address.a1}  {_label(book.cells, address)} = {_plain(evaluator.value(address))}"
        again = address in seen and formula is not None
        lines.append(text + (f"  {formula}" if formula else "") + ("  (above)" if again else ""))
        if formula is None or again or level == depth:
            return
        seen.add(address)
        for source in precedents(book.cells, address):
            if len(lines) < 400 and (book.cells.values.get(source) is not None):
                walk(source, level + 1)

    walk(_start(book, name), 0)
    return lines


def _start(book: Book, name: str) -> Address:
    if "!" in name:
        return book.address(name, name)
    short = name.removeprefix("In_").removeprefix("Out_")
    if name.startswith("In_") or (short in book.inputs and short not in book.results):
        return book.find(book.inputs, name, "input").address
    return book.find(book.results, name, "result or input").address


def _label(cells: Cells, address: Address) -> str:
    label = cells.constant(Address(address.sheet, address.row, 1))
    return str(label) if isinstance(label, str) and not label.startswith("=") else ""


def _plain(value: Scalar) -> str:
    return value.value if isinstance(value, ExcelError) else shown(value)
