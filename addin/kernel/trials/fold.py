"""Pass 4, for many trials: from the outputs back to the uncertain inputs.

What depends on no input is computed at once. A cell is folded once its precedents are. An IF, CHOOSE, INDEX or MATCH
whose selector is the same in every trial takes its branch here, so the other branch is not on the path. What is left
are operations on vectors of trials (tape.py); a cell that has no such form is one operation of its own (one_by_one.py).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from functools import partial
from typing import TypeGuard

from addin.kernel.errors import KernelError
from addin.kernel.excel.values import ExcelError, Grid, Scalar, as_grid, single
from addin.kernel.formula.cells import Address, Cells
from addin.kernel.formula.graph import areas, cells_in, order, precedents
from addin.kernel.scalar import operators
from addin.kernel.scalar.evaluate import Evaluator
from addin.kernel.scalar.functions import Function
from addin.kernel.scalar.walk import Mode, Step, Walk
from addin.kernel.trials.codes import Texts
from addin.kernel.trials.forms import Forms, Item, NoVectorForm, Refused, Value, Varying
from addin.kernel.trials.lowering import lowered
from addin.kernel.trials.one_by_one import KINDS, OneByOne, kinds_of
from addin.kernel.trials.operations import FALSE, TRUE
from addin.kernel.trials.operators import arithmetic, compared
from addin.kernel.trials.tape import Tape

INPUT_LIMIT = 1e15
Limits = tuple[float, float]


class Folder(Walk[Varying | Refused]):
    """The values of the cells of a slice, as operations on one tape.

    `limits` are the bounds of each input; a trial outside them is left to the scalar evaluator. `texts` numbers those
    that the cells show.
    """

    def __init__(
        self, cells: Cells, inputs: Sequence[Address], limits: Mapping[Address, Limits], texts: Texts, *, guarded: bool
    ) -> None:
        super().__init__(cells)
        self.tape = Tape(texts, guarded=guarded)
        self.forms = Forms(self.tape)
        self._evaluator = Evaluator(cells)
        self._known: dict[Address, Item] = {}
        for position, address in enumerate(inputs):
            self._known[address] = self.forms.number(self.tape.input(position, *limits[address]))

    def fold(self, outputs: Sequence[Address]) -> list[Item]:
        """Return the values of the outputs. Raises KernelError with the cell that cannot be folded."""
        for address in order(self.cells, outputs):
            if any(cell in self._known for area in areas(self.cells, address) for cell in cells_in(self.cells, area)):
                self.tape.cell = address
                self._known[address] = self._folded(address)
        values = [self.read(output) for output in outputs]
        for value in values:
            self.forms.parts(value)  # raises the error of an output that was refused
        return values

    def _folded(self, address: Address) -> Item:
        try:
            try:
                return self._shown(self.formula_value(address))
            except NoVectorForm:
                return self._cell_by_cell(address)
        except KernelError as error:
            # No error yet: the formula that reads this cell may be an IF that no trial sends here.
            return Refused(error.at(address.a1))

    def _cell_by_cell(self, address: Address) -> Item:
        """Return a cell of whose formula a part has no vector form: all of it is computed one trial after the other."""
        reads = {read: self.read(read) for read in precedents(self.cells, address)}
        fixed = {read: value for read, value in reads.items() if not isinstance(value, Varying | Refused)}
        alone = self.cells.only({**fixed, address: self.cells.formula(address)}, (address,))
        varying = [read for read in reads if read not in fixed]

        def compute(*values: Scalar) -> Scalar:
            evaluator = Evaluator(alone)
            for read, value in zip(varying, values, strict=True):
                evaluator.take(read, value)
            value = evaluator.formula_value(address)
            return 0.0 if value is None else value

        return self._one_by_one(compute, [reads[read] for read in varying], KINDS)

    def _one_by_one(self, compute: Callable[..., Scalar], items: Sequence[Item], kinds: Container[str]) -> Item:
        """Return a function of values, one of which varies, that is computed one trial after the other."""
        given: list[tuple[str, ...] | Scalar] = []
        args: list[int] = []
        for item in items:
            if not isinstance(item, Varying | Refused):
                given.append(item)
                continue
            parts = self.forms.parts(item)  # raises the error of a cell that was refused
            given.append(tuple(kind for kind, _ in parts))
            args += [node for _, (guard, payload) in parts for node in (guard, guard if payload < 0 else payload)]
        return self.forms.shown(self.tape.formula(OneByOne(compute, given, self.tape.texts), args), kinds)

    def read(self, address: Address) -> Item:
        """Return the value of a cell, a refused one too: only a formula that uses it has to raise the error."""
        if address in self._known:
            return self._known[address]
        try:
            return self._evaluator.value(address)
        except KernelError as error:
            return Refused(error)

    def last_sum(self, operator: str, left: Item, right: Item) -> Item:
        """Return the last sum or difference of a formula, 0 where only a rest is left of equal numbers."""
        return arithmetic(self.forms, "snap_add" if operator == "+" else "snap_sub", left, right)

    def _shown(self, result: Item) -> Item:
        """Return what a cell shows: a formula is never blank."""
        if result is None:
            return 0.0
        if isinstance(result, Varying) and "blank" in result.kinds:
            return self.forms.lift([result], lambda values: 0.0 if values[0] is None else values[0])
        return result

    def binary(self, operator: str, left: Item, right: Item) -> Item:
        """Return an operation on two values."""
        if isinstance(left, Refused) or isinstance(right, Refused):
            self.forms.parts(left), self.forms.parts(right)
        elif not isinstance(left, Varying) and not isinstance(right, Varying):
            return operators.binary(operator, left, right)
        if operator in operators.ARITHMETIC:
            return arithmetic(self.forms, operator, left, right)
        compute = partial(operators.binary, operator)
        if operator == "&":
            return self._few_or_one_by_one(compute, [left, right], ("text",))
        left, left_bad, left_code = self.forms.without_error(left)
        right, right_bad, right_code = self.forms.without_error(right)
        try:
            result = self.forms.lift([left, right], lambda items: compared(self.forms, operator, *items))
        except NoVectorForm:
            result = self._one_by_one(compute, [left, right], ("logical",))
        return self.forms.unless(*self.forms.first_error((left_bad, left_code), (right_bad, right_code)), result)

    def unary(self, operator: str, operand: Item) -> Item:
        """Return -x or x%."""
        if not isinstance(operand, Varying | Refused):
            return operators.unary(operator, operand)
        seen = self.forms.to_number(operand)
        tape = self.tape
        node = tape.apply("neg", seen.node) if operator == "-" else tape.apply("div", seen.node, tape.const(100.0))
        return self.forms.unless(seen.bad, seen.code, self.forms.number(node))

    def lazy(self, called: Function, args: Sequence[Step], ask: Callable[[Step], Value]) -> Value:
        """Return IF, CHOOSE, IFERROR or IFNA; a branch that no trial takes is not looked at."""
        first = ask(args[0])
        if isinstance(first, Grid):
            first = first.rows[0][0] if first.shape == (1, 1) else ExcelError.VALUE
        if called.name == "CHOOSE":
            return self._choose(first, [partial(ask, step) for step in args[1:]])
        if called.name == "IF":
            return self._if(first, lambda: ask(args[1]), lambda: ask(args[2]) if len(args) == 3 else False)
        return self._instead(called.name, first, lambda: ask(args[1]))

    def _if(self, condition: Item, yes: Callable[[], Value], no: Callable[[], Value]) -> Value:
        seen = self.forms.to_bool(condition)
        if seen.bad == TRUE:
            return self.forms.error(seen.code)
        if seen.node in (FALSE, TRUE):
            result = yes() if seen.node == TRUE else no()
        else:
            result = self._either(seen.node, yes(), no())
        return self._unless(seen.bad, seen.code, result)

    def _unless(self, bad: int, code: int, value: Value) -> Value:
        if bad == FALSE:
            return value
        if not isinstance(value, Grid):
            return self.forms.unless(bad, code, value)
        rows = tuple(tuple(self.forms.unless(bad, code, item) for item in row) for row in value.rows)
        return Grid(rows, value.origin)

    def _either(self, condition: int, yes: Value, no: Value) -> Value:
        """Return one of two values or grids, trial by trial."""
        if isinstance(yes, Grid) != isinstance(no, Grid):
            yes, no = self._plain(yes), self._plain(no)
        if not isinstance(yes, Grid):
            assert not isinstance(no, Grid)
            return self.forms.join(condition, yes, no)
        assert isinstance(no, Grid)
        if yes.shape != no.shape:
            raise NoVectorForm
        pairs = zip(yes.rows, no.rows, strict=True)
        return Grid(tuple(tuple(map(lambda y, n: self.forms.join(condition, y, n), *rows)) for rows in pairs))

    def _plain(self, value: Value) -> Item:
        if not isinstance(value, Grid):
            return value
        if value.shape != (1, 1) or not set(dict(self.forms.parts(value.rows[0][0]))) <= {"number", "error"}:
            raise NoVectorForm
        return value.rows[0][0]

    def _choose(self, number: Item, choices: Sequence[Callable[[], Value]]) -> Value:
        seen = self.forms.to_number(number)
        position = self.tape.constant(seen.node)
        if position is not None:
            result: Value = choices[int(position) - 1]() if 1 <= position < len(choices) + 1 else ExcelError.VALUE
            return self._unless(seen.bad, seen.code, result)
        tape = self.tape
        result = ExcelError.VALUE
        for number_of, choice in reversed(list(enumerate(choices, 1))):
            below = tape.raw("lt", seen.node, tape.const(number_of + 1.0))
            inside = tape.both(tape.raw("ge", seen.node, tape.const(float(number_of))), below)
            if inside != FALSE:
                result = self._either(inside, choice(), result)
        return self._unless(seen.bad, seen.code, result)

    def _instead(self, name: str, tried: Item, instead: Callable[[], Value]) -> Value:
        """Return IFERROR or IFNA."""
        value, bad, code = self.forms.without_error(tried)
        if bad == FALSE:
            return tried
        # A trial that is left to the scalar evaluator has no error of Excel's yet: IFERROR must not catch it.
        caught = self.tape.both(bad, self.tape.no(self.forms.reruns(tried)))
        if name == "IFNA":
            caught = self.tape.both(bad, self.tape.raw("eq", code, self.forms.code(ExcelError.NA)))
        if caught == FALSE:
            return tried
        return self._either(caught, instead(), tried if caught != bad else value)

    def applied(self, called: Function, kinds: str, values: list[Value], mode: Mode) -> Value:
        """Return a call for evaluated arguments; the scalar evaluator does it where none of them varies."""
        constants = [value for value in values if is_constant(value)]
        if len(constants) == len(values):
            return self._evaluator.applied(called, kinds, constants, mode)
        try:
            bad, code, value = lowered(self.forms, called.name, kinds, values)
        except NoVectorForm:
            return self._called(called, kinds, values)
        reference = isinstance(value, Grid) and value.origin is not None  # the walk takes its cell of it
        return self._unless(bad, code, value if reference or mode is not Mode.SCALAR else single(value))

    def _called(self, called: Function, kinds: str, values: list[Value]) -> Item:
        """Return a call of a function that has no vector form, or none for such arguments."""

        def compute(*items: Scalar) -> Scalar:
            given = iter(items)
            args = [value.filled(given) if isinstance(value, Grid) else next(given) for value in values]
            return single(self._evaluator.applied(called, kinds, args, Mode.SCALAR))

        items = [item for value in values for item in as_grid(value).flat()]
        some = self._one_by_one if set("aem") & set(kinds) else self._few_or_one_by_one
        return some(compute, items, kinds_of(called.name))

    def _few_or_one_by_one(self, compute: Callable[..., Scalar], items: Sequence[Item], kinds: Container[str]) -> Item:
        try:
            return self._few_by_few(compute, items)
        except NoVectorForm:
            return self._one_by_one(compute, items, kinds)

    def _few_by_few(self, compute: Callable[..., Scalar], items: Sequence[Item]) -> Item:
        """Return a function of values with few constants each, for every one of them; it hands their errors on.

        Raises NoVectorForm.
        """

        def scalars(taken: Sequence[Item]) -> Item:
            for position, item in enumerate(taken):
                if isinstance(item, Varying):
                    (kind, part), *_ = item.parts

                    def at(value: float, position: int = position, kind: str = kind) -> Item:
                        scalar: Item = bool(value) if kind == "logical" else value
                        return scalars([*taken[:position], scalar, *taken[position + 1 :]])

                    return self.forms.mapped(self.tape.number(part.payload) if kind == "logical" else part.payload, at)
            return compute(*taken)

        return self.forms.lift(items, scalars)

    def without_origin(self, name: str, value: Value) -> Item:
        """Return ROW and its kin of no reference; which of two references it is may depend on the trial."""
        if isinstance(value, Grid) and not is_constant(value):
            raise NoVectorForm
        return super().without_origin(name, value)


def is_constant(value: Value) -> TypeGuard[Scalar | Grid[Scalar]]:
    """Return whether a value is the same in every trial."""
    items = value.flat() if isinstance(value, Grid) else [value]
    return not any(isinstance(item, Varying | Refused) for item in items)
