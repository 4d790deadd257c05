"""What a cell rests on: the typed cells behind it, along the branch taken and the catalogue entry chosen.

The kernel's own precedents are those of the formula text: both branches of an IF, the whole row of an INDEX. To say
which figures a result rests on, only what was used counts. Everything else is followed.
"""

from collections.abc import Iterator

from addin.kernel import Address, Cells, Evaluator, ExcelError, parse
from addin.kernel.formula.graph import area_of, named
from addin.kernel.formula.nodes import Call, Cell, Name, Node, Range, children
from model.layout.grid import FIRST_PUBLISHED
from model.reading.cases import published_value
from model.reading.columns import Typed
from model.reading.proof import Evidence, Prediction
from model.reading.records import Data
from model.sheets.proof import arithmetic, blocks, evidence
from model.workbook import Built


class Tracer:
    """Follows a cell of one workbook down to typed cells."""

    def __init__(self, cells: Cells) -> None:
        self.cells = cells
        self.evaluator = Evaluator(cells)
        self.evaluator.compute(tuple(cells.formulas()))
        self._typed: dict[Address, frozenset[Address]] = {}
        self._accounted: tuple[Built, dict[Address, Typed]] | None = None

    def accounted(self, built: Built) -> dict[Address, Typed]:
        """Return what stands in every typed number of a workbook, found once for all rows that are followed."""
        if self._accounted is None or self._accounted[0] is not built:
            self._accounted = built, typed_cells(built)
        return self._accounted[1]

    def typed(self, address: Address) -> frozenset[Address]:
        """Return the cells without formula that the cell rests on, blanks left out."""
        if address not in self._typed:
            self._typed[address] = frozenset(self._followed(address))
        return self._typed[address]

    def _followed(self, address: Address) -> set[Address]:
        addresses: set[Address] = set()
        seen, ahead = {address}, [address]
        while ahead:
            cell = ahead.pop()
            text = self.cells.formula(cell)
            if text is None:
                if self.cells.values.get(cell) is not None:
                    addresses.add(cell)
                continue
            for read in self._reads(parse(text), cell):
                if read not in seen:
                    seen.add(read)
                    ahead.append(read)
        return addresses

    def _number(self, node: Node, at: Address) -> float | None:
        """Return a number that chooses a branch or an entry; None where it is an error value."""
        value = self.evaluator.part(node, at)
        if isinstance(value, ExcelError):
            return None
        assert isinstance(value, bool | int | float), f"{at.a1}: {value!r} chooses nothing"
        return float(value)

    def _reads(self, node: Node, at: Address) -> Iterator[Address]:
        match node:
            case Cell() | Range():
                yield from area_of(self.cells, node, at.sheet).addresses()
            case Name():
                yield from self._reads(named(self.cells, node, at.sheet), at)
            case Call("IF", (test, *branches)):
                yield from self._reads(test, at)
                if (truth := self._number(test, at)) is not None:
                    yield from self._reads(branches[0 if truth else 1], at)
            case Call("CHOOSE", (which, *branches)):
                yield from self._reads(which, at)
                if number := self._number(which, at):
                    yield from self._reads(branches[int(number) - 1], at)
            case Call("INDEX", (Cell() | Range() as catalogue, which)):
                yield from self._reads(which, at)
                area = area_of(self.cells, catalogue, at.sheet)
                assert area.top == area.bottom or area.left == area.right, f"{at.a1}: INDEX over a rectangle"
                if number := self._number(which, at):
                    yield tuple(area.addresses())[int(number) - 1]
            case Call("INDEX", (Cell() | Range() as catalogue, row, column)):
                yield from self._reads(row, at)
                yield from self._reads(column, at)
                area = area_of(self.cells, catalogue, at.sheet)
                down, across = self._number(row, at), self._number(column, at)
                if down and across:
                    yield Address(area.sheet, area.top + int(down) - 1, area.left + int(across) - 1)
                else:  # an error value, or 0 for a whole row or column
                    yield from area.addresses()
            case _:
                for child in children(node):
                    yield from self._reads(child, at)


def typed_cells(built: Built) -> dict[Address, Typed]:
    """Return what stands in every typed number of the input and catalogue sheets, with its facts."""
    data, layout = built.data, built.layout
    cells: dict[Address, Typed] = {}
    for item in data.inputs:
        sheet, row = layout.inputs[item.key]
        cells[Address.from_a1("!".join(layout.typed(item.key)))] = item.value
        for column, case in enumerate(data.cases, FIRST_PUBLISHED):
            typed = published_value(data, case, item)
            if typed.source.startswith("assumed: the default"):
                typed = Typed(typed.value, typed.status, typed.source, item.value.facts)
            cells[Address(sheet, row, column)] = typed
    for field in data.fields:
        block = layout.blocks.get(f"catalogue:{field.key}")
        if block is None:  # no paper prints it: it is typed with a quote
            continue
        for column, array in enumerate(data.arrays, block.first_column):
            if field.key in array.values:
                cells[Address(block.sheet, block.first_row, column)] = array.values[field.key]
    names = data.profile_names()
    for record in data.profiles:
        shift = names.index(record.profile) * len(data.phases)
        for figure in ("iops", "burst_ratio", "read_ratio", "block_kib"):
            block = layout.blocks[f"profile:{figure}:{record.phase}"]
            cells[Address(block.sheet, block.first_row + shift, block.first_column)] = getattr(record, figure)
    for kind, table in data.tables.items():
        for key in table[0].values:
            block = layout.blocks[f"{kind}:{key}"]
            for row, entry in enumerate(table, block.first_row):
                cells[Address(block.sheet, row, block.first_column)] = entry.values[key]
    for row, computed in enumerate(data.sums, arithmetic.first_row(data)):
        for column, typed in ((arithmetic.A, computed.a), (arithmetic.B, computed.b)):
            cells[Address(evidence.NAME, row, column)] = typed
        code = arithmetic.operation_code(computed.operation)
        cells[Address(evidence.NAME, row, arithmetic.OPERATION)] = Typed(code, "user", "operation")
    for key, block in layout.blocks.items():
        if key.startswith("unit:"):
            value = built.workbook[block.sheet].cell(block.first_row, block.first_column).value
            cells[Address(block.sheet, block.first_row, block.first_column)] = Typed(value, "user", "definition")
    return cells | _block_sizes(data)


def _block_sizes(data: Data) -> dict[Address, Typed]:
    cells = {}
    for row, (_, ids) in enumerate(blocks.table(data), blocks.first_row(data)):
        for column, fact_id in enumerate(ids, blocks.SIZE):
            unit = "B" if column == blocks.SIZE else "ratio"
            cells[Address(evidence.NAME, row, column)] = Typed(
                data.facts.value(fact_id, unit), "published", fact_id, frozenset({fact_id})
            )
    return cells


def printed_behind(built: Built, tracer: Tracer, item: Evidence | Prediction) -> frozenset[str]:
    """Return the printed fact of a row, or facts that print the same, among the facts that our result rests on."""
    printed = frozenset().union(*(built.data.facts.group(id) for id in (item.low, item.high) if id))
    return behind(built, tracer, item) & printed


def behind(built: Built, tracer: Tracer, item: Evidence | Prediction) -> frozenset[str]:
    """Return the facts that our result of a row rests on."""
    address = Address.from_a1("'{}'!{}".format(*evidence.computed_cell(built.data, built.layout, item.ours)))
    return facts_behind(tracer, tracer.accounted(built), address)


def facts_behind(tracer: Tracer, typed: dict[Address, Typed], address: Address) -> frozenset[str]:
    """Return the facts that a cell rests on. Raises AssertionError for a typed number that nobody accounts for."""
    facts: set[str] = set()
    for cell in tracer.typed(address):
        value = tracer.cells.constant(cell)
        if cell in typed:
            assert typed[cell].value == value, f"{cell.a1} holds {value!r}, the data say {typed[cell].value!r}"
            facts |= typed[cell].facts
        else:
            assert isinstance(value, str), f"{cell.a1} holds {value!r} of unknown origin"
    return frozenset(facts)
