"""Pass 4, for many trials: from the outputs back to the uncertain inputs.

What depends on no input is computed at once. A cell is folded once its precedents are. An IF, CHOOSE, INDEX or MATCH
whose selector is the same in every trial takes its branch here, so the other branch is not on the path. What is left
are operations on vectors of trials (tape.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from addin.kernel.errors import KernelError
from addin.kernel.excel.values import ExcelError, Fault, Grid, Scalar
from addin.kernel.formula.cells import Address, Cells
from addin.kernel.formula.graph import Area, area_of, areas, named, order
from addin.kernel.formula.parse import (
    Binary,
    Bool,
    Call,
    Cell,
    ErrorLiteral,
    Missing,
    Name,
    Node,
    Number,
    Range,
    Text,
    Unary,
    bracketed,
    parse,
)
from addin.kernel.scalar.evaluate import ARITHMETIC, Evaluator, Mode, binary, unary
from addin.kernel.scalar.functions import Function, function
from addin.kernel.scalar.signatures import letters
from addin.kernel.trials.arguments import NeedsConstant
from addin.kernel.trials.forms import (
    ADVICE,
    Block,
    Forms,
    Item,
    Refused,
    UnsupportedOnPath,
    Value,
    Varying,
    as_block,
    is_mapped,
    only,
)
from addin.kernel.trials.lowering import lowered
from addin.kernel.trials.operators import arithmetic, compared
from addin.kernel.trials.tape import FALSE, TRUE, Tape

INPUT_LIMIT = 1e15
Limits = tuple[float, float]


class Folder:
    """The values of the cells of a slice, as operations on one tape.

    `limits` are the bounds of each input; a trial outside them is left to the scalar evaluator.
    """

    def __init__(
        self, cells: Cells, inputs: Sequence[Address], limits: Mapping[Address, Limits], *, guarded: bool
    ) -> None:
        self.cells = cells
        self.tape = Tape(guarded=guarded)
        self.forms = Forms(self.tape)
        self._evaluator = Evaluator(cells)
        self._known: dict[Address, Item] = {}
        self._blocks: dict[Area, Block] = {}
        for place, address in enumerate(inputs):
            self._known[address] = self.forms.number(self.tape.input(place, *limits[address]))

    def fold(self, outputs: Sequence[Address]) -> list[Item]:
        """Return the values of the outputs. Raises KernelError with the cell that cannot be folded."""
        for address in order(self.cells, outputs):
            if any(cell in self._known for area in areas(self.cells, address) for cell in area.addresses()):
                self.tape.cell = address
                try:
                    self._known[address] = self._formula(address)
                except KernelError as error:
                    self._known[address] = Refused(error.at(address.a1))
        values = [self._read(output) for output in outputs]
        for value in values:
            self.forms.parts(value)
        return values

    def _read(self, address: Address) -> Item:
        if address in self._known:
            return self._known[address]
        try:
            return self._evaluator.value(address)
        except KernelError as error:
            return Refused(error)

    def _formula(self, address: Address) -> Item:
        text = self.cells.formula(address) or ""
        node = parse(text)
        if isinstance(node, Binary) and node.operator in ("+", "-") and not bracketed(text):
            sides = self._scalar(node.left, address), self._scalar(node.right, address)
            result = arithmetic(self.forms, "snap_add" if node.operator == "+" else "snap_sub", *sides)
        else:
            result = self._scalar(node, address)
        return self._shown(result)

    def _shown(self, result: Item) -> Item:
        """Return what a cell shows: a formula is never blank."""
        if result is None:
            return 0.0
        if isinstance(result, Varying) and "blank" in result.kinds:
            return self.forms.lift([result], lambda values: 0.0 if values[0] is None else values[0])
        return result

    def _scalar(self, node: Node, at: Address) -> Item:
        return only(self._value(node, at, Mode.SCALAR))

    def _value(self, node: Node, at: Address, mode: Mode) -> Value:
        match node:
            case Number(value) | Text(value) | Bool(value) | ErrorLiteral(value):
                return value
            case Cell() | Range():
                return self._reference(node, at, mode)
            case Call(name, args):
                return self._call(function(name, len(args)), args, at, mode)
            case Binary(operator, left, right):
                if mode is not Mode.ARRAY:
                    return self._binary(operator, self._scalar(left, at), self._scalar(right, at))
                sides = self._value(left, at, mode), self._value(right, at, mode)
                return spread(lambda items: self._binary(operator, *items), sides)
            case Unary("+", operand):
                return self._value(operand, at, mode)
            case Unary(operator, operand):
                if mode is not Mode.ARRAY:
                    return self._unary(operator, self._scalar(operand, at))
                return spread(lambda items: self._unary(operator, *items), (self._value(operand, at, mode),))
            case Name(text):
                return self._value(named(self.cells, text), at, mode)
            case Missing():
                return None

    def _reference(self, node: Cell | Range, at: Address, mode: Mode) -> Value:
        area = area_of(self.cells, node, at.sheet)
        if isinstance(node, Cell) and mode is Mode.SCALAR:
            return self._read(Address(area.sheet, area.top, area.left))
        block = self._blocks.get(area)
        if block is None:
            rows = tuple(
                tuple(self._read(Address(area.sheet, row, column)) for column in range(area.left, area.right + 1))
                for row in range(area.top, area.bottom + 1)
            )
            block = self._blocks[area] = Block(rows, (area.sheet, area.top, area.left))
        return only(block) if mode is Mode.SCALAR else block

    def _binary(self, operator: str, left: Item, right: Item) -> Item:
        if isinstance(left, Refused) or isinstance(right, Refused):
            self.forms.parts(left), self.forms.parts(right)
        elif not isinstance(left, Varying) and not isinstance(right, Varying):
            return binary(operator, left, right)
        if operator in ARITHMETIC:
            return arithmetic(self.forms, operator, left, right)
        left, left_bad, left_code = self.forms.without_error(left)
        right, right_bad, right_code = self.forms.without_error(right)
        if operator == "&":
            found = self._lifted("&", [left, right], lambda values: binary("&", values[0], values[1]))
        else:
            found = self.forms.lift([left, right], lambda items: compared(self.forms, operator, *items))
        return self.forms.unless(*self.forms.first_error((left_bad, left_code), (right_bad, right_code)), found)

    def _unary(self, operator: str, operand: Item) -> Item:
        if not isinstance(operand, Varying | Refused):
            return unary(operator, operand)
        seen = self.forms.to_number(operand)
        tape = self.tape
        node = tape.apply("neg", seen.node) if operator == "-" else tape.apply("div", seen.node, tape.const(100.0))
        return self.forms.unless(seen.bad, seen.code, self.forms.number(node))

    def _call(self, found: Function, args: tuple[Node, ...], at: Address, mode: Mode) -> Value:
        if found.kind == "reference":
            result = self._place(found.name, args, at)
        elif found.kind == "lazy":
            result = self._lazy(found.name, args, lambda node: self._value(node, at, mode))
        else:
            result = self._strict(found, args, at, mode)
        return only(result) if mode is Mode.SCALAR else result

    def _lazy(self, name: str, args: tuple[Node, ...], ask: Callable[[Node], Value]) -> Value:
        first = ask(args[0])
        if isinstance(first, Block):
            first = first.rows[0][0] if first.shape == (1, 1) else ExcelError.VALUE
        if name == "CHOOSE":
            return self._choose(first, [partial(ask, node) for node in args[1:]])
        if name == "IF":
            return self._if(first, lambda: ask(args[1]), lambda: ask(args[2]) if len(args) == 3 else False)
        return self._instead(name, first, lambda: ask(args[1]))

    def _if(self, condition: Item, yes: Callable[[], Value], no: Callable[[], Value]) -> Value:
        seen = self.forms.to_bool(condition)
        if seen.bad == TRUE:
            return self.forms.error(seen.code)
        if seen.node in (FALSE, TRUE):
            found = yes() if seen.node == TRUE else no()
        else:
            found = self._either(seen.node, yes(), no())
        return self._unless(seen.bad, seen.code, found)

    def _unless(self, bad: int, code: int, value: Value) -> Value:
        if bad == FALSE:
            return value
        if not isinstance(value, Block):
            return self.forms.unless(bad, code, value)
        rows = tuple(tuple(self.forms.unless(bad, code, item) for item in row) for row in value.rows)
        return Block(rows, value.origin)

    def _either(self, condition: int, yes: Value, no: Value) -> Value:
        """Return one of two values or blocks, trial by trial."""
        if isinstance(yes, Block) != isinstance(no, Block):
            yes, no = self._plain(yes), self._plain(no)
        if not isinstance(yes, Block):
            assert not isinstance(no, Block)
            return self.forms.join(condition, yes, no)
        assert isinstance(no, Block)
        if yes.shape != no.shape:
            self.forms.refuse("A choice between ranges of different shape is not supported")
        pairs = zip(yes.rows, no.rows, strict=True)
        return Block(tuple(tuple(map(lambda y, n: self.forms.join(condition, y, n), *rows)) for rows in pairs))

    def _plain(self, value: Value) -> Item:
        if not isinstance(value, Block):
            return value
        if value.shape != (1, 1) or not set(dict(self.forms.parts(value.rows[0][0]))) <= {"number", "error"}:
            self.forms.refuse("A choice between a value and a range is not supported")
        return value.rows[0][0]

    def _choose(self, number: Item, choices: Sequence[Callable[[], Value]]) -> Value:
        seen = self.forms.to_number(number)
        place = self.tape.constant(seen.node)
        if place is not None:
            found: Value = choices[int(place) - 1]() if 1 <= place < len(choices) + 1 else ExcelError.VALUE
            return self._unless(seen.bad, seen.code, found)
        tape = self.tape
        found = ExcelError.VALUE
        for number_of, choice in reversed(list(enumerate(choices, 1))):
            below = tape.raw("lt", seen.node, tape.const(number_of + 1.0))
            inside = tape.both(tape.raw("ge", seen.node, tape.const(float(number_of))), below)
            if inside != FALSE:
                found = self._either(inside, choice(), found)
        return self._unless(seen.bad, seen.code, found)

    def _instead(self, name: str, tried: Item, instead: Callable[[], Value]) -> Value:
        """Return IFERROR or IFNA."""
        value, bad, code = self.forms.without_error(tried)
        if bad == FALSE:
            return tried
        caught = self.tape.both(bad, self.tape.no(self.forms.reruns(tried)))
        if name == "IFNA":
            caught = self.tape.both(bad, self.tape.raw("eq", code, self.forms.code(ExcelError.NA)))
        if caught == FALSE:
            return tried
        return self._either(caught, instead(), tried if caught != bad else value)

    def _strict(self, found: Function, args: tuple[Node, ...], at: Address, mode: Mode) -> Value:
        kinds = letters(found.signature, len(args))
        values: list[Value] = []
        for kind, node in zip(kinds, args, strict=True):
            if kind == "m" or mode is Mode.ARRAY:
                values.append(self._value(node, at, Mode.ARRAY))
            else:
                values.append(self._value(node, at, Mode.REFERENCE if kind == "a" else Mode.SCALAR))
        one_by_one = [i for i, kind in enumerate(kinds) if kind not in "am" and isinstance(values[i], Block)]
        if mode is not Mode.ARRAY or not one_by_one:
            return self._applied(found, kinds, values, mode)

        def compute(items: Sequence[Item]) -> Item:
            filled: dict[int, Value] = dict(zip(one_by_one, items, strict=True))
            return only(self._applied(found, kinds, [filled.get(i, value) for i, value in enumerate(values)]))

        return spread(compute, tuple(values[i] for i in one_by_one))

    def _applied(self, found: Function, kinds: str, values: list[Value], mode: Mode = Mode.SCALAR) -> Value:
        constants = [constant(value) for value in values]
        if all(ok for ok, _ in constants):
            return self._constant_call(found, kinds, [value for _, value in constants])
        try:
            bad, code, value = lowered(self.forms, found.name, kinds, values, self._mapped_call(found, kinds))
            return self._unless(bad, code, only(value) if mode is Mode.SCALAR else value)
        except NeedsConstant as need:
            place = need.place
            item = only(values[place])
            return self._lifted(
                f"{found.name} with an argument {place + 1} that varies",
                [item],
                lambda items: only(self._applied(found, kinds, [*values[:place], items[0], *values[place + 1 :]])),
            )

    def _constant_call(self, found: Function, kinds: str, values: list[Scalar | Grid]) -> Value:
        try:
            result = found.applied(kinds, values)
        except Fault as fault:
            return fault.error
        return Block(result.rows, result.origin) if isinstance(result, Grid) else result

    def _mapped_call(self, found: Function, kinds: str) -> Callable[[list[Item]], Item]:
        """Return how a function outside VECTOR_FUNCTIONS is computed: for each of the few values its arguments have."""

        def call(items: list[Item]) -> Item:
            def compute(scalars: Sequence[Scalar]) -> Item:
                return only(self._constant_call(found, kinds, list(scalars)))

            return self._lifted(found.name, items, compute)

        return call

    def _lifted(self, name: str, items: Sequence[Item], compute: Callable[[Sequence[Scalar]], Item]) -> Item:
        """Return a function of values with few constants each. Raises UnsupportedOnPath, without the cell."""

        def scalars(taken: Sequence[Item]) -> Item:
            for place, item in enumerate(taken):
                if isinstance(item, Varying):
                    (kind, part), *_ = item.parts

                    def at(value: float, place: int = place, kind: str = kind) -> Item:
                        scalar: Item = bool(value) if kind == "logical" else value
                        return scalars([*taken[:place], scalar, *taken[place + 1 :]])

                    node = self.tape.number(part.payload) if kind == "logical" else part.payload
                    found = self.forms.mapped(node, at)
                    if not is_mapped(found):
                        raise UnsupportedOnPath(f"{name} is not supported on the path of an uncertain input.", ADVICE)
                    return found
            return compute([item for item in taken if not isinstance(item, Varying | Refused)])

        return self.forms.lift(items, scalars)

    def _place(self, name: str, args: tuple[Node, ...], at: Address) -> Value:
        """Return ROW, COLUMN, ROWS or COLUMNS."""
        if not args:
            return float(at.row if name == "ROW" else at.column)
        node = args[0]
        while isinstance(node, Name):
            node = named(self.cells, node.text)
        if isinstance(node, Cell | Range):
            area = area_of(self.cells, node, at.sheet)
            top, left, height, width = area.top, area.left, area.bottom - area.top + 1, area.right - area.left + 1
        else:
            block = self._value(node, at, Mode.REFERENCE)
            if isinstance(block, Block) and not constant(block)[0] and block.origin is None:
                self.forms.refuse(f"{name} of a cell that varies is not supported")
            if not isinstance(block, Block) or block.origin is None:
                return block if isinstance(block, ExcelError) else ExcelError.VALUE
            (_, top, left), (height, width) = block.origin, block.shape
        if name in ("ROWS", "COLUMNS"):
            return float(height if name == "ROWS" else width)
        if name == "ROW":
            return Block(tuple((float(top + i),) for i in range(height)))
        return Block((tuple(float(left + i) for i in range(width)),))


def constant(value: Value) -> tuple[bool, Scalar | Grid]:
    """Return whether a value is the same in every trial, and that value."""
    if isinstance(value, Block):
        rows: list[tuple[Scalar, ...]] = []
        for row in value.rows:
            rows.append(tuple(item for item in row if not isinstance(item, Varying | Refused)))
            if len(rows[-1]) < len(row):
                return False, None
        return True, Grid(tuple(rows), value.origin)
    return (False, None) if isinstance(value, Varying | Refused) else (True, value)


def spread(compute: Callable[[Sequence[Item]], Item], values: Sequence[Value]) -> Value:
    """Compute element by element, as `evaluate.spread`."""
    blocks = [as_block(value) for value in values]
    height, width = (max(block.shape[axis] for block in blocks) for axis in (0, 1))

    def element(block: Block, row: int, column: int) -> Item:
        rows, columns = block.shape
        row, column = 0 if rows == 1 else row, 0 if columns == 1 else column
        return block.rows[row][column] if row < rows and column < columns else ExcelError.NA

    found = tuple(
        tuple(compute([element(block, row, column) for block in blocks]) for column in range(width))
        for row in range(height)
    )
    return found[0][0] if (height, width) == (1, 1) else Block(found)
