"""What each command does: a book in, a table out. No printing, no arguments; errors are AddinError."""

from collections.abc import Iterable, Sequence

from addin.book import Book, shown
from addin.kernel import Address, Evaluator, ExcelError, Scalar, precedents
from addin.kernel.cells import Cells
from addin.seek import seek
from addin.tables import Table
from addin.whatif import COMPARED, compare, whatif

__all__ = ["COMPARED", "HEADLINE", "Table", "compare", "explain", "seek", "size", "whatif"]

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


def size(book: Book, settings: Iterable[str], keys: Sequence[str] = HEADLINE) -> Table:
    """Return the results of the base design after some inputs were changed.

    Raises RequestError for unknown inputs or results and for values outside their range.
    """
    found = book.evaluate(book.settings(settings), keys)
    rows = tuple(
        (book.find(book.results, key, "result").label, value, book.results[_short(key)].unit)
        for key, value in found.items()
    )
    return Table(("Result", "Value", "Unit"), ("", "", ""), rows, book.notes)


def _short(key: str) -> str:
    return key.removeprefix("Out_")


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
