"""Show a cell after each pass of the kernel: python -m addin.kernel explain BOOK CELL."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

import openpyxl

from addin import console
from addin.kernel.errors import KernelError
from addin.kernel.excel.values import ExcelError, Scalar, number_text
from addin.kernel.formula.cells import Address, Cells
from addin.kernel.formula.graph import named, precedents
from addin.kernel.formula.nodes import Cell, Name, show
from addin.kernel.formula.parse import parse
from addin.kernel.formula.tokens import tokens
from addin.kernel.scalar.evaluate import Evaluator
from addin.kernel.trials.compile import compile_slice

SHOWN = 40
INPUT, RISK = "In_", "Risk inputs"  # the prefix of an input's name, and the sheet of those that are drawn


def explained(cells: Cells, address: Address) -> Iterator[str]:
    """Yield what each pass makes of a cell, line by line. Raises KernelError."""
    evaluator = Evaluator(cells)
    text = cells.formula(address)
    yield address.a1
    if text is None:
        yield f"value    {shown(evaluator.value(address))}"
        return
    yield f"formula  {text}"
    yield "tokens   " + " ".join(f"{token.kind.value}:{token.text}" for token in tokens(text)[:-1])
    yield f"tree     {show(parse(text))}"
    yield f"value    {shown(evaluator.value(address))}"
    reads = precedents(cells, address)
    for read in reads[:SHOWN]:
        yield f"reads    {read.a1} = {shown(evaluator.value(read))}"
    if len(reads) > SHOWN:
        yield f"         and {len(reads) - SHOWN} more"
    yield from source(cells, address)


def source(cells: Cells, address: Address) -> Iterator[str]:
    """Yield numpy source and operations of a cell for many values of the inputs, or why there are none."""
    try:
        inputs = uncertain(cells, address)
        if inputs:
            yield f"source   for many values of {', '.join(cell.a1 for cell in inputs)}"
            compiled = compile_slice(cells, inputs, (address,), emitter="numpy")
            yield from compiled.source.splitlines()
            yield "program  after fold and reuse: number, operation, and the interval it lies in"
            yield from compiled.program.listing()
    except KernelError as error:
        yield f"refused  {error}"


def uncertain(cells: Cells, address: Address) -> tuple[Address, ...]:
    """Return the numbers that vary: the named inputs, those drawn if a sheet says so, else what the cell reads."""
    keys = {value for cell, value in cells.values.items() if cell.sheet == RISK and isinstance(value, str)}
    named_inputs = {}
    for name in cells.names:
        if name.startswith(INPUT) and isinstance(named(cells, Name(name), ""), Cell):
            named_inputs[name.removeprefix(INPUT)] = located(cells, name)
    drawn = [cell for key, cell in named_inputs.items() if key in keys]
    candidates = drawn or list(named_inputs.values()) or precedents(cells, address)
    return tuple(cell for cell in dict.fromkeys(candidates) if isinstance(cells.constant(cell), float))


def shown(value: Scalar) -> str:
    """Return a value as a formula would write it; a blank cell as (blank)."""
    if value is None:
        return "(blank)"
    if isinstance(value, bool | ExcelError):
        return str(value).upper()
    return number_text(value) if isinstance(value, float) else '"' + value.replace('"', '""') + '"'


def located(cells: Cells, text: str) -> Address:
    """Return the cell of an address such as Sizing!D9 or of a defined name. Raises KernelError."""
    if "!" in text:
        address = Address.from_a1(text)
        return address._replace(sheet=cells.sheet(address.sheet))
    node = named(cells, Name(text), "")
    if not isinstance(node, Cell) or node.sheet is None:
        raise KernelError(f"The name '{text}' is not one cell.", "Write sheet and cell, such as Sizing!D9.")
    return Address(cells.sheet(node.sheet), node.row, node.column)


def main(arguments: list[str] | None = None) -> int:
    """Run the command; 0 done, 1 the kernel refused, 2 wrong usage."""
    parser = argparse.ArgumentParser(
        prog="python -m addin.kernel", epilog="example: python -m addin.kernel explain sizing.xlsx Sizing!D9"
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    explain = commands.add_parser(
        "explain", help="tokens, tree, value, precedents, emitted source and operations of a cell"
    )
    explain.add_argument("book", metavar="BOOK", help="path of an .xlsx file")
    explain.add_argument("cell", metavar="CELL", help="an address such as Sizing!D9, or a defined name")
    options = parser.parse_args(arguments)
    try:
        cells = Cells.from_openpyxl(openpyxl.load_workbook(options.book))
        for line in explained(cells, located(cells, options.cell)):
            print(line)
    except (KernelError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(console.run(main))
