"""What a run has read of what people type: cells and values, so that its result sheet can tell when they differ."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from addin.kernel import Address, Evaluator, KernelError, Scalar
from addin.kernel.formula.graph import areas, order
from addin.workbook import designs as in_columns
from addin.workbook.book import SizingBook


@dataclass(frozen=True)
class Read:
    """A typed cell that held something: what it is called, its key and unit, its value."""

    label: str
    key: str
    unit: str
    address: Address
    value: Scalar


@dataclass(frozen=True)
class Reads:
    """The typed cells that a run has read: those that held something, and those that were blank."""

    filled: tuple[Read, ...]
    blank: tuple[Address, ...]


def typed(book: SizingBook, without: Container[Address] = (), behind: Address | None = None) -> Reads:
    """Return the inputs and the rows of the user's own; `without` some, or those alone that stand behind one cell."""
    read = None if behind is None else everything_behind(book, behind)
    entries = [each for each in book.entries.values() if each.address not in without]
    cells = [
        (f"{each.key.rpartition('.')[0]}: {each.label}".removeprefix(": "), each.key, each.unit, each.address)
        for each in entries
        if read is None or each.address in read
    ]
    return _sorted(book, iter(cells))


def of(book: SizingBook, *keys: str) -> Reads:
    """Return the inputs of some keys."""
    entries = (book.inputs[key] for key in keys if key in book.inputs)
    return _sorted(book, ((each.label, each.key, each.unit, each.address) for each in entries))


def designs(book: SizingBook, names: Sequence[str]) -> Reads:
    """Return what is typed in the columns of the what-ifs, which leave most inputs to the base design.

    `names` are those of all designs, the base one first. A published test states its inputs, and nobody types there.
    """
    inputs, cells = list(book.inputs.values()), []
    for number, name in enumerate(names[1:], 1):
        of_design = [(each, in_columns.typed_in(book.cells, each.beside, number)) for each in inputs]
        blank = sum(book.cells.constant(address) is None for _, address in of_design)
        if 2 * blank > len(of_design):
            cells += [(f"{name}: {each.label}", each.key, each.unit, at) for each, at in of_design]
    return _sorted(book, iter(cells))


def joined(*parts: Reads) -> Reads:
    """Return several readings as one."""
    filled = tuple(dict.fromkeys(read for part in parts for read in part.filled))
    return Reads(filled, tuple(dict.fromkeys(address for part in parts for address in part.blank)))


def everything_behind(book: SizingBook, first: Address) -> frozenset[Address]:
    """Return every cell that a cell depends on, itself included."""
    read, held = {first}, len(book.cells.values)
    for area in {area for address in order(book.cells, (first,)) for area in areas(book.cells, address)}:
        read.update(area.addresses() if area.size < held else book.cells.values)
    return frozenset(read)


def _sorted(book: SizingBook, cells: Iterator[tuple[str, str, str, Address]]) -> Reads:
    """Return what the cells hold in the order in which they stand; an application lists its names in another one."""
    filled, blank, evaluator = [], [], Evaluator(book.cells)
    for label, key, unit, address in sorted(cells, key=lambda cell: (cell[3].sheet, cell[3].row, cell[3].column)):
        value = book.cells.constant(address)
        if book.cells.formula(address) is not None:
            try:
                value = evaluator.value(address)
            except KernelError:  # which the run has said, or has not met
                continue
        if value is None:
            blank.append(address)
        else:
            filled.append(Read(label, key, unit, address, value))
    return Reads(tuple(filled), tuple(blank))
