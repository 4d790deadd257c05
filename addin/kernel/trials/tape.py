"""What fold writes on: operations on vectors of trials, each written once, simplified where constants allow it.

A simplification never changes a result, not even its last bit: nothing is reassociated, and (a+b)-b stays as it is.
What may differ is the sign of a zero, which no cell can show (1/x is #DIV/0! for both; the emitters store +0), and what
an operation gives where its value is not used: on a branch not taken, or beside an error.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from addin.kernel.excel.rounding import same_view
from addin.kernel.trials import proportions
from addin.kernel.trials.bounds import Bounds, bounds_of, clipped, compute, covers, decided
from addin.kernel.trials.codes import Texts
from addin.kernel.trials.one_by_one import OneByOne
from addin.kernel.trials.operations import COMMUTE, FALSE, MIRROR, OPPOSITE, ORDER, TRUE, Operation

CARRY = {"add", "sub", "mul", "neg", "abs"}  # operations that hide no overflow of what they take
MANY = 24  # conjunctions longer than this are not searched for contradictions


class Tape:
    """The operations of one slice. Methods return the number of an operation, old or new.

    `guarded` says whether results that leave the safe range are marked by `huge`; the numpy emitter leaves that to the
    processor's overflow flag. `cell` is what the following operations belong to.
    """

    def __init__(self, texts: Texts, *, guarded: bool) -> None:
        self.operations: list[Operation] = [Operation("false"), Operation("true")]
        self.bounds: list[Bounds] = [Bounds(0, 1), Bounds(0, 1)]
        self.cells: list[object] = [None, None]
        self.texts = texts
        self.formulas: list[OneByOne] = []
        self.cell: object = None
        self.guarded = guarded
        self._known: dict[tuple[str, tuple[int, ...], tuple[float, ...], bool], int] = {}
        self._parts: dict[int, frozenset[int]] = {}
        self._unsafe: set[int] = set()
        self._left: dict[int, int] = {}  # by operation: when the range was left on the way to it
        self._seen: set[int] = set()
        self._multiples: list[dict[int, Bounds]] = [{}, {}]
        self.watched: dict[int, None] = {}

    def _new(self, name: str, args: tuple[int, ...] = (), data: tuple[float, ...] = ()) -> int:
        # 0.0 and -0.0 are equal as keys, yet not the same constant: the sign is a part of the key.
        key = (name, args, data, bool(data) and math.copysign(1.0, data[0]) < 0)
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = len(self.operations)
            self.operations.append(Operation(name, args, data))
            self.cells.append(self.cell)
            self._bound(number, name, args, data)
        return number

    def _bound(self, node: int, name: str, args: tuple[int, ...], data: tuple[float, ...]) -> None:
        """Add what is known of a new operation: its bounds, and of which operations it is a multiple."""
        sides, known = tuple(self.bounds[arg] for arg in args), [self._multiples[arg] for arg in args]
        own = bounds_of(name, sides, data)
        if name == "div":
            own = proportions.quotient(own, *known)
        multiples = proportions.multiples_of(name, known, sides, own)
        bounds, unsafe = clipped(proportions.narrowed(own, multiples, self.bounds), self.guarded)
        self.bounds.append(bounds)
        if unsafe and not self.operations[node].is_truth:
            self._unsafe.add(node)
        if name != "const" and proportions.is_base(bounds):
            multiples[node] = proportions.ONE
        self._multiples.append(multiples)
        left = self._leaving(node)
        if left != FALSE:
            self._left[node] = left

    def _leaving(self, node: int) -> int:
        """Return when a new operation, or one that it is computed from, leaves the range."""
        operation, left = self.operations[node], self._left
        if operation.is_truth:
            return FALSE
        if self.constant(node) == math.inf:
            return TRUE
        if operation.name == "select":
            condition, yes, no = operation.args
            if yes in left or no in left:
                return self.choose(condition, left.get(yes, FALSE), left.get(no, FALSE))
            return FALSE
        own = self._new("huge", (node,)) if self.guarded and node in self._unsafe else FALSE
        if own != FALSE and operation.name in CARRY:
            return own  # what overflowed before it shows in it as well
        return self.any((own, *(left[arg] for arg in operation.args if arg in left)))

    def _decided(self, name: str, left: int, right: int) -> bool | None:
        """Return the outcome of a comparison that is the same in every trial."""
        known = decided(name, self.bounds[left], self.bounds[right])
        if known is not None:
            return known
        return proportions.compared(name, self._multiples[left], self._multiples[right])

    def const(self, value: float) -> int:
        """Return a number that is the same in every trial."""
        return self._new("const", (), (value,))

    def constant(self, number: int) -> float | None:
        """Return the value of an operation that is the same in every trial, or None."""
        operation = self.operations[number]
        return operation.data[0] if operation.name == "const" else None

    def truth(self, value: bool) -> int:
        """Return TRUE or FALSE."""
        return TRUE if value else FALSE

    def input(self, row: int, low: float, high: float) -> int:
        """Return the input with that row number; its values lie between the bounds."""
        return self._new("input", (), (float(row), low, high))

    def formula(self, formula: OneByOne, args: Sequence[int]) -> int:
        """Return what a formula gives that is computed trial by trial."""
        self.formulas.append(formula)
        return self._new("formula", tuple(args), (float(len(self.formulas) - 1),))

    def is_whole(self, number: int) -> bool:
        """Return whether the result is a whole number below 10^15 in every trial."""
        bounds = self.bounds[number]
        return bounds.whole and bounds.size < 1e15

    def apply(self, name: str, *args: int, data: tuple[float, ...] = ()) -> int:
        """Return an operation on floats that gives a float; constants are computed at once."""
        values = [self.constant(arg) for arg in args]
        if math.inf in values:
            return self.const(math.inf)
        if None not in values:
            return self.const(compute(name, [value for value in values if value is not None], data))
        simple = self._simple(name, args, values)
        if simple is not None:
            return simple
        if name in COMMUTE:
            args = tuple(sorted(args))
        return self._new(name, args, data)

    def _simple(self, name: str, args: tuple[int, ...], values: Sequence[float | None]) -> int | None:
        """Return the operation that gives the same result with less work, if there is one."""
        first = args[0]
        if name in ("up", "down", "half", "floor", "above", "below") and self.is_whole(first):
            return first  # below 10^15 all digits of a whole number are within the 15
        if name == "add" and 0.0 in values:
            return args[1] if values[0] == 0.0 else first
        if name == "sub" and values[1] == 0.0:
            return first
        if name == "mul" and 1.0 in values:
            return args[1] if values[0] == 1.0 else first
        # 0/y and 0*y are 0 wherever they count: y = 0 is #DIV/0!, and a y that overflowed is an error of its own.
        if values[0] == 0.0 and name == "div" and args[1] not in self._left:
            return first
        if name == "mul" and 0.0 in values and not any(arg in self._left for arg in args):
            return self.const(0.0)
        if name == "div" and values[1] == 1.0:
            return first
        if name == "abs" and self.bounds[first].low >= 0:
            return first
        if name in ("min", "max"):
            return self._extreme(name, *args)
        if name in ("snap_add", "snap_sub"):
            return self._snap(name, *args)
        return None

    def _extreme(self, name: str, left: int, right: int) -> int | None:
        order = "ge" if name == "max" else "le"
        if left == right or self._decided(order, left, right):
            return left
        return right if self._decided(order, right, left) else None

    def _snap(self, name: str, left: int, right: int) -> int | None:
        """Return the plain sum or difference where the two sides cannot cancel.

        Excel shows 0 for =A1-B1 where the sides agree in 15 digits, such as 0.1+0.2 in A1 and 0.3 in B1 (5.6E-17 to
        the last bit). That takes two comparisons in 15 digits per trial. Sides of one sign only grow, 0 leaves the
        other side as it is, and whole numbers that differ, differ by 1 at least.
        """
        a, b = self.bounds[left], self.bounds[right]
        if name == "snap_sub":
            b = Bounds(-b.high, -b.low)
        if a == Bounds(0, 0, True) or b == Bounds(0, 0, True):
            return self.apply(name.removeprefix("snap_"), left, right)
        same_sign = (a.low >= 0 and b.low >= 0) or (a.high <= 0 and b.high <= 0)
        if same_sign or (self.is_whole(left) and self.is_whole(right)):
            return self.apply(name.removeprefix("snap_"), left, right)
        return None

    def huge(self, result: int) -> int:
        """Return whether a result, or what it is computed from, leaves the safe range; FALSE where it cannot.

        On a tape that is not guarded it is FALSE too, but the operation is watched: it stays, for its overflow to show.
        So a run pays nothing for #NUM! that never comes: a chunk that raises the flag is run again on a guarded tape,
        which marks the trials one by one.
        """
        waiting = [] if self.guarded else [result]
        while waiting:
            node = waiting.pop()
            if node not in self._seen:
                self._seen.add(node)
                if node in self._unsafe:
                    self.watched[node] = None
                waiting += self.operations[node].args
        return self._left.get(result, FALSE)

    # truth values

    def raw(self, name: str, left: int, right: int) -> int:
        """Return eq, ne, lt, le, gt or ge of two floats, to the last bit."""
        if self.constant(left) is not None and self.constant(right) is None:
            name, left, right = MIRROR[name], right, left
        if self.operations[left].name == "sub" and self.constant(right) == 0.0:
            # x-y < 0 is x < y, also next to 0: two floats that differ never have a difference that rounds to 0.
            return self.raw(name, *self.operations[left].args)
        if left == right:
            return self.truth(name in ("eq", "le", "ge"))
        if self.operations[left].name == "number" and name in ("eq", "ne") and self.constant(right) in (0.0, 1.0):
            truth = self.operations[left].args[0]
            return truth if (self.constant(right) == 1.0) == (name == "eq") else self.no(truth)
        known = self._decided(name, left, right)
        if known is not None:
            return self.truth(known)
        if name in COMMUTE and self.constant(right) is None:
            left, right = sorted((left, right))
        return self._new(name, (left, right))

    def compare(self, operator: str, left: int, right: int) -> int:
        """Return a comparison of two floats as Excel makes it, in 15 digits."""
        name = ORDER[operator]
        if self.constant(left) is not None:
            name, left, right = MIRROR[name], right, left
        # Whole numbers below 10^15 show all their digits, so that a comparison to the last bit is the same.
        if left == right or (self.is_whole(left) and self.is_whole(right)):
            return self.raw(name, left, right)
        limit = self.constant(right)
        if limit is not None:
            return self._against(name, left, limit)
        if name in ("eq", "ne"):
            low, high = sorted((left, right))
            return self._unless(name == "ne", self._new("eq15", (low, high)))
        if name in ("gt", "le"):
            left, right = right, left
        return self._unless(name in ("le", "ge"), self._new("lt15", (left, right)))

    def _unless(self, opposite: bool, truth: int) -> int:
        return self.no(truth) if opposite else truth

    def _against(self, name: str, left: int, limit: float) -> int:
        """Return a 15-digit comparison with a constant as one with the first or last float that shows the same.

        The floats that show 0.3 are one interval around it, so that x < 0.3 is x < its low end, to the last bit, and
        x > 0.3 is x > its high end.
        """
        low, high = same_view(limit)
        if low == high:
            return self.raw(name, left, self.const(limit))
        if name in ("eq", "ne"):
            inside = self.both(self.raw("ge", left, self.const(low)), self.raw("le", left, self.const(high)))
            return self._unless(name == "ne", inside)
        return self.raw(name, left, self.const(low if name in ("lt", "ge") else high))

    def no(self, truth: int) -> int:
        """Return the opposite."""
        if truth in (FALSE, TRUE):
            return 1 - truth
        operation = self.operations[truth]
        if operation.name == "not":
            return operation.args[0]
        if operation.name in OPPOSITE:
            return self._new(OPPOSITE[operation.name], operation.args)
        return self._new("not", (truth,))

    def both(self, left: int, right: int) -> int:
        """Return whether both are true; FALSE where they exclude each other."""
        if FALSE in (left, right):
            return FALSE
        if right == TRUE or left in (TRUE, right):
            return right if left == TRUE else left
        # Guards of nested IFs come as conjunctions. One that is never true (x < 3 and x > 5) removes all that
        # depends on it, one that adds nothing (x > 5 and x > 3) costs no operation.
        lefts, rights = self._conjuncts(left), self._conjuncts(right)
        if len(lefts) * len(rights) <= MANY * MANY:
            if any(self._exclude(p, q) for p in lefts for q in rights):
                return FALSE
            if all(any(self._implies(p, q) for p in lefts) for q in rights):
                return left
            if all(any(self._implies(q, p) for q in rights) for p in lefts):
                return right
        return self._joined("and", left, right, lefts | rights)

    def _joined(self, name: str, left: int, right: int, parts: frozenset[int]) -> int:
        number = self._new(name, tuple(sorted((left, right))))
        self._parts[number] = parts
        return number

    def either(self, left: int, right: int) -> int:
        """Return whether one is true at least."""
        if TRUE in (left, right):
            return TRUE
        if right == FALSE or left in (FALSE, right):
            return right if left == FALSE else left
        for side, other in ((left, right), (right, left)):
            parts = self._conjuncts(other)
            if len(parts) <= MANY and any(self._implies(part, side) for part in parts):
                return side  # a or (a and b) is a
            if len(parts) <= MANY and self.no(side) in parts:
                rest = TRUE  # a or (not a and b) is a or b
                for part in sorted(parts - {self.no(side)}):
                    rest = self.both(rest, part)
                return self.either(side, rest)
        return self._joined("or", left, right, self._alternatives(left) | self._alternatives(right))

    def any(self, truths: Iterable[int]) -> int:
        """Return whether one of many is true."""
        result = FALSE
        for truth in truths:
            result = self.either(result, truth)
        return result

    def choose(self, condition: int, yes: int, no: int) -> int:
        """Return one of two truth values."""
        if yes == no:
            return yes
        return self.either(self.both(condition, yes), self.both(self.no(condition), no))

    def select(self, condition: int, yes: int, no: int) -> int:
        """Return one of two floats."""
        if condition in (FALSE, TRUE):
            return yes if condition == TRUE else no
        operation = self.operations[condition]
        if operation.name in ("not", "ne"):  # one form of two, so that IF(a,x,y) and IF(NOT(a),y,x) are one operation
            condition, yes, no = self.no(condition), no, yes
        yes, no = self._where(condition, True, yes), self._where(condition, False, no)
        if yes == no:
            return yes
        if (self.constant(yes), self.constant(no)) == (1.0, 0.0):
            return self.number(condition)
        return self._new("select", (condition, yes, no))

    def _where(self, condition: int, value: bool, node: int, depth: int = MANY) -> int:
        """Return what an operation is in the trials where a condition has a value: selections by it are decided.

        IF(a, IF(a,x,y), z) is IF(a,x,z). Rows that ask the same of each other make such chains, and each link left out
        saves an operation per trial.
        """
        operation = self.operations[node]
        if operation.name != "select" or not depth:
            return node
        other, yes, no = operation.args
        if other == condition:
            return self._where(condition, value, yes if value else no, depth - 1)
        rest = self._where(condition, value, no, depth - 1)
        return node if rest == no else self.select(other, yes, rest)

    def number(self, truth: int) -> int:
        """Return 1 for TRUE and 0 for FALSE."""
        return self.const(float(truth)) if truth in (FALSE, TRUE) else self._new("number", (truth,))

    def _conjuncts(self, truth: int) -> frozenset[int]:
        return self._parts[truth] if self.operations[truth].name == "and" else frozenset((truth,))

    def _alternatives(self, truth: int) -> frozenset[int]:
        return self._parts[truth] if self.operations[truth].name == "or" else frozenset((truth,))

    def _exclude(self, left: int, right: int) -> bool:
        return self._implies(left, self.no(right))

    def _implies(self, left: int, right: int) -> bool:
        """Return whether `left` is never true without `right`, as far as a few rules see it.

        FALSE is always a safe answer: it only leaves an operation more.
        """
        if left == right:
            return True
        p, q = self.operations[left], self.operations[right]
        if p.name == "or":
            return all(self._implies(part, right) for part in self._parts[left])
        if q.name == "or":
            return left in self._parts[right] or any(self._implies(left, other) for other in self._parts[right])
        if p.name == "not" and q.name in ("not", *OPPOSITE):
            return self._implies(self.no(right), p.args[0])
        if p.name not in OPPOSITE or q.name not in OPPOSITE or p.args[0] != q.args[0]:
            return False
        a, b = self.constant(p.args[1]), self.constant(q.args[1])
        if a is None or b is None:
            return False
        return covers(p.name, a, q.name, b)
