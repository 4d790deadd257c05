"""Values that differ between trials: which kinds of value a cell can hold, when, and the operations that give them.

A value is a Scalar where it is the same in every trial, else a Varying. Its parts exclude each other, and one of them
holds in each trial: a number, a truth value, one of several texts, an error, or a blank. =IF(A1>0,1/A2,"none") with
uncertain A1 and A2 is the number 1/A2 where A1>0 and A2<>0, #DIV/0! where A1>0 and A2=0, the text "none" elsewhere.

Errors are parts and never NaN: arithmetic on vectors looks at the numbers alone, and each guard says in which trials
they count. A payload may be anything where its guard is false.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from addin.kernel.errors import KernelError
from addin.kernel.excel.values import ExcelError, Fault, Grid, Scalar, to_bool, to_number
from addin.kernel.trials.bounds import compute
from addin.kernel.trials.codes import ERRORS, RERUN
from addin.kernel.trials.one_by_one import KINDS
from addin.kernel.trials.operations import FALSE, TRUE
from addin.kernel.trials.tape import Tape

CHOICES = 1024  # a value with more different constants than this is not taken apart


class NoVectorForm(Exception):
    """What has no form for many trials at once: its cell is computed one trial after the other."""


class Part(NamedTuple):
    """When a value is of a kind (an operation that gives truth values), and what it is then.

    The payload is an operation: the number, the truth value, the number of the text among `Tape.texts`, the code of
    the error (1 is the first of ERRORS). A blank has none.
    """

    guard: int
    payload: int


@dataclass(frozen=True, slots=True)
class Varying:
    """The parts by kind: number, logical, text, error, blank."""

    parts: tuple[tuple[str, Part], ...]

    def part(self, kind: str) -> Part | None:
        """Return the part of one kind, or None."""
        return next((part for own, part in self.parts if own == kind), None)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that can occur."""
        return tuple(kind for kind, _ in self.parts)


@dataclass(frozen=True, slots=True)
class Refused:
    """The value of a cell that has no vector form; only a formula that uses it has to raise the error."""

    error: KernelError


Item = Scalar | Varying | Refused
Value = Item | Grid[Item]
VectorFunction = Callable[..., Value]  # Forms, then an operation for each number and truth value, a Value for the rest


class Checked(NamedTuple):
    """An operation, when it is no result because of an error, and the code of that error."""

    node: int
    bad: int
    code: int


class Forms:
    """Make and combine values on a tape."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self._domains: dict[int, tuple[float, ...] | None] = {}

    def number(self, node: int) -> Item:
        """Return the value of an operation that gives a float."""
        constant = self.tape.constant(node)
        return Varying((("number", Part(TRUE, node)),)) if constant is None else constant

    def constant(self, node: int) -> float:
        """Return the value of an argument that has to be the same in every trial. Raises NoVectorForm."""
        value = self.tape.constant(node)
        if value is None:
            raise NoVectorForm
        return value

    def logical(self, node: int) -> Item:
        """Return the value of an operation that gives a truth value."""
        return node == TRUE if node in (FALSE, TRUE) else Varying((("logical", Part(TRUE, node)),))

    def code(self, error: ExcelError) -> int:
        """Return the code of an error, as a constant operation."""
        return self.tape.const(float(ERRORS.index(error) + 1))

    def rerun(self) -> int:
        """Return the code of a trial left to the scalar evaluator."""
        return self.tape.const(float(RERUN))

    def parts(self, value: Item) -> tuple[tuple[str, Part], ...]:
        """Return the parts of a value. Raises the error of a cell that was refused."""
        tape = self.tape
        if isinstance(value, Varying):
            return value.parts
        if isinstance(value, Refused):
            raise value.error
        if value is None:
            return (("blank", Part(TRUE, -1)),)
        if isinstance(value, bool):
            return (("logical", Part(TRUE, tape.truth(value))),)
        if isinstance(value, str):
            return (("text", Part(TRUE, tape.const(float(tape.texts.number(value))))),)
        if isinstance(value, ExcelError):
            return (("error", Part(TRUE, self.code(value))),)
        return (("number", Part(TRUE, tape.const(value))),)

    def value(self, parts: Sequence[tuple[str, Part]]) -> Item:
        """Return a value of parts that exclude each other; a plain Scalar where it is always the same."""
        kept = tuple((kind, part) for kind, part in parts if part.guard != FALSE)
        if len(kept) != 1:
            return Varying(kept)
        kind, (_, payload) = kept[0]
        if kind == "blank":
            return None
        if kind == "logical":
            return self.logical(payload)
        constant = self.tape.constant(payload)
        if constant is None or (kind == "error" and constant == RERUN):
            return Varying(((kind, Part(TRUE, payload)),))
        return constant if kind == "number" else self._scalar(kind, constant)

    def _scalar(self, kind: str, constant: float) -> Scalar:
        return self.tape.texts.shown[int(constant)] if kind == "text" else ERRORS[int(constant) - 1]

    def join(self, condition: int, yes: Item, no: Item) -> Item:
        """Return one value where the condition holds and the other elsewhere."""
        if condition in (FALSE, TRUE):
            return yes if condition == TRUE else no
        tape, yes_parts, no_parts = self.tape, dict(self.parts(yes)), dict(self.parts(no))
        parts = []
        for kind in dict.fromkeys((*yes_parts, *no_parts)):
            yes_part, no_part = yes_parts.get(kind, Part(FALSE, -1)), no_parts.get(kind, Part(FALSE, -1))
            guard = tape.choose(condition, yes_part.guard, no_part.guard)
            # Of a kind that one side never is, the other's payload will do in every trial: no selection is needed.
            if yes_part.guard == FALSE or no_part.guard == FALSE or yes_part.payload == no_part.payload:
                payload = no_part.payload if yes_part.guard == FALSE else yes_part.payload
            elif kind == "logical":
                payload = tape.choose(condition, yes_part.payload, no_part.payload)
            else:
                payload = tape.select(condition, yes_part.payload, no_part.payload)
            parts.append((kind, Part(guard, payload)))
        return self.value(parts)

    def unless(self, bad: int, code: int, value: Item) -> Item:
        """Return a value, and the error of that code where `bad` holds."""
        return value if bad == FALSE else self.join(bad, self.error(code), value)

    def error(self, code: int) -> Item:
        """Return the error of a code."""
        return self.value((("error", Part(TRUE, code)),))

    def computed(self, name: str, *args: int, errors: Sequence[tuple[int, ExcelError]] = ()) -> Item:
        """Return an operation, its errors in the order they are looked for, and a rerun where it leaves the range."""
        node = self.tape.apply(name, *args)
        return self.finished(node, errors)

    def finished(self, node: int, errors: Sequence[tuple[int, ExcelError]] = ()) -> Item:
        """Return the value of a float with the errors that can replace it."""
        checks = [(guard, self.code(error)) for guard, error in errors]
        return self.unless(*self.first_error(*checks, (self.tape.huge(node), self.rerun())), self.number(node))

    def result(self, checked: Checked) -> Item:
        """Return the number of a checked operation, or its error."""
        return self.unless(checked.bad, checked.code, self.number(checked.node))

    def first_error(self, *checks: tuple[int, int]) -> tuple[int, int]:
        """Return when one of several errors occurs, and the code of the first.

        The order is Excel's: the left operand, then the right, then the operation itself; =NA()+1/0 is #N/A.
        """
        bad, code = FALSE, self.tape.const(0.0)
        for other, other_code in checks:
            new = self.tape.both(other, self.tape.no(bad))
            if new != FALSE:
                code = other_code if bad == FALSE else self.tape.select(bad, code, other_code)
                bad = self.tape.either(bad, other)
        return bad, code

    def without_error(self, value: Item) -> tuple[Item, int, int]:
        """Return a value as if it were no error, when it is one, and its code."""
        parts = self.parts(value)
        rest = [(kind, part) for kind, part in parts if kind != "error"]
        if len(rest) == len(parts):
            return value, FALSE, self.tape.const(0.0)
        error = dict(parts)["error"]
        if len(rest) == 1:  # where it is no error it is of this kind: no guard, the other trials are not read
            rest = [(rest[0][0], Part(TRUE, rest[0][1].payload))]
        return (self.value(rest) if rest else 0.0), error.guard, error.payload

    def reruns(self, value: Item) -> int:
        """Return when a value is left to the scalar evaluator: no function may take that for an error of Excel.

        (-8)^(1/3) is left to it, and IFERROR around that must not show its second argument.
        """
        for kind, part in self.parts(value):
            if kind == "error":
                return self.tape.both(part.guard, self.tape.raw("eq", part.payload, self.rerun()))
        return FALSE

    def lift(self, values: Sequence[Item], function: Callable[[Sequence[Item]], Item]) -> Item:
        """Return the function of values that are taken apart: it sees Scalars, and numbers or truths that vary.

        A value with several parts becomes a choice between the function of each part, so that a function is written for
        one kind at a time. Errors are handed on and not asked about.
        """
        for position, value in enumerate(values):
            if isinstance(value, Refused):
                raise value.error
            if not isinstance(value, Varying) or value.kinds in (("number",), ("logical",)):
                continue

            def at(item: Item, position: int = position) -> Item:
                return self.lift([*values[:position], item, *values[position + 1 :]], function)

            result: Item = 0.0
            for number, (kind, part) in enumerate(value.parts):
                here = self._lifted(kind, part, at)
                result = here if number == 0 else self.join(part.guard, here, result)
            return result
        return function(values)

    def _lifted(self, kind: str, part: Part, at: Callable[[Item], Item]) -> Item:
        if kind == "error":
            return Varying(((kind, Part(TRUE, part.payload)),))
        if kind == "text":
            return self.mapped(part.payload, lambda position: at(self.tape.texts.shown[int(position)]))
        if kind == "blank":
            return at(None)
        return at(self.number(part.payload) if kind == "number" else self.logical(part.payload))

    def is_kind(self, value: Item, *kinds: str) -> int:
        """Return when a value is of one of the kinds."""
        return self.tape.any(part.guard for kind, part in self.parts(value) if kind in kinds)

    def to_number(self, value: Item) -> Checked:
        """Return the number that arithmetic sees, as `values.to_number`."""
        return self._coerced(value, to_number)

    def to_bool(self, value: Item) -> Checked:
        """Return the truth value that IF sees, as `values.to_bool`; the node gives truth values."""
        seen = self._coerced(value, lambda scalar: float(to_bool(scalar)))
        return Checked(self.tape.raw("ne", seen.node, self.tape.const(0.0)), seen.bad, seen.code)

    def _coerced(self, value: Item, convert: Callable[[Scalar], float]) -> Checked:
        tape = self.tape
        node, bad, code = -1, FALSE, tape.const(0.0)
        for kind, (guard, payload) in self.parts(value):
            if kind == "error":
                bad, code = self.first_error((bad, code), (guard, payload))
                continue
            if kind == "number":
                here = payload
            elif kind == "logical":
                here = tape.number(payload)
            elif kind == "blank":
                here = tape.const(0.0)
            else:
                seen = self.mapped(payload, lambda position: self._converted(position, convert))
                inner = self.to_number(seen)
                bad, code = self.first_error((bad, code), (tape.both(guard, inner.bad), inner.code))
                here = inner.node
            node = here if node < 0 else tape.select(guard, here, node)
        return Checked(tape.const(0.0) if node < 0 else node, bad, code)

    def _converted(self, position: float, convert: Callable[[Scalar], float]) -> Item:
        try:
            return convert(self.tape.texts.shown[int(position)])
        except Fault as fault:
            return fault.error

    def shown(self, node: int, kinds: Container[str]) -> Item:
        """Return the value of an operation that computes a formula trial by trial: of one of the kinds, or an error."""
        tape = self.tape
        kind, held = tape.apply("kind_of", node), tape.apply("held", node)
        guards = {name: tape.raw("eq", kind, tape.const(float(number))) for number, name in enumerate(KINDS)}
        payloads = {"number": node, "text": held, "error": held, "blank": -1}
        payloads["logical"] = tape.raw("ne", held, tape.const(0.0))
        parts = [(name, Part(guards[name], payloads[name])) for name in KINDS if name in kinds or name == "error"]
        return self.unless(tape.both(guards["number"], tape.huge(node)), self.rerun(), self.value(parts))

    def domain(self, node: int) -> tuple[float, ...] | None:
        """Return the few constants that an operation can give, or None."""
        if node not in self._domains:
            constants = self._domain(node)
            self._domains[node] = constants if constants is None or len(constants) <= CHOICES else None
        return self._domains[node]

    def _domain(self, node: int) -> tuple[float, ...] | None:
        operation = self.tape.operations[node]
        if operation.name == "const":
            return operation.data
        if operation.name == "step":
            return tuple(dict.fromkeys(operation.data[len(operation.data) // 2 :]))
        if operation.name == "number":
            return (1.0, 0.0)
        if operation.name == "select":
            sides = [self.domain(arg) for arg in operation.args[1:]]
            if sides[0] is None or sides[1] is None:
                return None
            return tuple(dict.fromkeys(sides[0] + sides[1]))
        if operation.name in ("add", "mul", "sub", "min", "max"):
            left, right = self.domain(operation.args[0]), self.domain(operation.args[1])
            if left is None or right is None or len(left) * len(right) > CHOICES:
                return None
            return tuple(dict.fromkeys(compute(operation.name, (x, y), ()) for x in left for y in right))
        return None

    def mapped(self, node: int, function: Callable[[float], Item]) -> Item:
        """Return the function of an operation that gives few constants. Raises NoVectorForm where it gives many.

        =INDEX(C1:C3,MATCH(A1,D1:D3)) takes one of three cells: the function is computed here for 1, 2 and 3, and the
        selections that gave the position give the cell. So texts and functions without operations stay possible.
        """
        if self.domain(node) is None:
            raise NoVectorForm
        return self._mapped(node, function, {}, {})

    def _mapped(
        self, node: int, function: Callable[[float], Item], done: dict[int, Item], values: dict[float, Item]
    ) -> Item:
        if node in done:
            return done[node]
        operation, tape = self.tape.operations[node], self.tape

        def of(constant: float) -> Item:
            if constant not in values:
                values[constant] = function(constant)
            return values[constant]

        if operation.name == "const":
            result = of(operation.data[0])
        elif operation.name == "select":
            condition, *sides = operation.args
            yes, no = (self._mapped(side, function, done, values) for side in sides)
            result = self.join(condition, yes, no)
        elif operation.name == "number":
            result = self.join(operation.args[0], of(1.0), of(0.0))
        elif operation.name == "step":
            result = self._mapped_step(node, of)
        else:  # a sum or product of such choices: compared with each constant in turn
            domain = self.domain(node) or ()
            result = of(domain[0])
            for constant in domain[1:]:
                result = self.join(tape.raw("eq", node, tape.const(constant)), of(constant), result)
        done[node] = result
        return result

    def _mapped_step(self, node: int, of: Callable[[float], Item]) -> Item:
        operation, tape = self.tape.operations[node], self.tape
        half = len(operation.data) // 2
        marks, results = operation.data[:half], [of(result) for result in operation.data[half:]]
        if all(type(result) is float for result in results):  # a step of numbers stays one operation
            data = (*marks, *(result for result in results if isinstance(result, float)))
            return self.number(tape.apply("step", operation.args[0], data=data))
        chosen = results[0]
        for mark, result in zip(marks[1:], results[1:], strict=True):
            chosen = self.join(tape.raw("ge", operation.args[0], tape.const(mark)), result, chosen)
        return chosen
