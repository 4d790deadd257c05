"""Pass 5: truth values in terms of each other, so that no emitter computes twice what it has.

A comparison whose opposite is needed anyhow becomes its negation: a byte per trial instead of two floats. Conjunctions
and alternatives begin with the parts that most others have too, and share that beginning: rows like "the largest that
no row before it is" then take operations in proportion to the rows, not to their square.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from addin.kernel.trials.bounds import Bounds
from addin.kernel.trials.operations import FALSE, OPPOSITE, TRUE, Operation
from addin.kernel.trials.program import Program

TRUTH = Bounds(0, 1)
JOINS = ("and", "or")


def reused(program: Program) -> Program:
    """Return a program with the same results and fewer operations.

    A pass of its own, and not a rule of the tape: which opposite is needed and which parts are frequent shows only when
    all outputs are folded.
    """
    return _Writer(program).written()


class _Writer:
    """The operations of a program, written again one after the other."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.operations = [Operation("false"), Operation("true")]
        self.bounds = [TRUTH, TRUTH]
        self.cells: list[object] = [None, None]
        self.nodes = {FALSE: FALSE, TRUE: TRUE}
        self._known: dict[tuple[str, tuple[int, ...]], int] = {}

    def written(self) -> Program:
        """Return the program of the new operations."""
        parts = _parts(self.program)
        # Frequent parts first: of a&b&c, a&b&d and b&a&e all begin with a&b, which is then computed once. The order of
        # truth values is free, unlike that of sums: no rounding.
        often = Counter((self.program.operations[node].name, part) for node in parts for part in parts[node])
        for node in self.program.needed:
            operation = self.program.operations[node]
            if node in self.nodes:  # TRUE or FALSE, which a formula is given for a part that always holds
                continue
            if operation.name not in JOINS:
                self.nodes[node] = self._comparison(node) if operation.name in OPPOSITE else self._copy(node)
            elif node in parts:
                order = sorted(parts[node], key=lambda part, name=operation.name: (-often[name, part], part))  # type: ignore[misc]
                self.nodes[node] = self._chain(operation.name, order, node)
        return replace(
            self.program,
            operations=tuple(self.operations),
            bounds=tuple(self.bounds),
            cells=tuple(self.cells),
            values=tuple(self.nodes[node] for node in self.program.values),
            codes=tuple(node if node < 0 else self.nodes[node] for node in self.program.codes),
            watched=tuple(self.nodes[node] for node in self.program.watched),
        )

    def _new(self, operation: Operation, bounds: Bounds, like: int) -> int:
        self.operations.append(operation)
        self.bounds.append(bounds)
        self.cells.append(self.program.cells[like])
        return len(self.operations) - 1

    def _copy(self, node: int) -> int:
        operation = self.program.operations[node]
        args = tuple(self.nodes[arg] for arg in operation.args)
        return self._new(replace(operation, args=args), self.program.bounds[node], node)

    def _comparison(self, node: int) -> int:
        """Return a comparison, as the negation of its opposite where that is there.

        For NaN both x < y and x >= y are false, and only x <> y is the negation of x = y. An operation on a branch that
        is not taken can be NaN, an input or a constant cannot.
        """
        operation = self.program.operations[node]
        plain = all(self.program.operations[arg].name in ("input", "const") for arg in operation.args)
        opposite = self._known.get((OPPOSITE[operation.name], operation.args))
        if opposite is not None and (plain or operation.name in ("eq", "ne")):
            return self._new(Operation("not", (opposite,)), TRUTH, node)
        result = self._known[operation.name, operation.args] = self._copy(node)
        return result

    def _chain(self, name: str, parts: Iterable[int], like: int) -> int:
        """Return the conjunction or the alternative of parts, from the left."""
        nodes = [self.nodes[part] for part in parts]
        result = nodes[0]
        for node in nodes[1:]:
            key = (name, (result, node))
            if key not in self._known:
                self._known[key] = self._new(Operation(name, key[1]), TRUTH, like)
            result = self._known[key]
        return result


def _parts(program: Program) -> dict[int, frozenset[int]]:
    """Return the parts of each conjunction and alternative that is more than a part of another one."""
    operations, kept = program.operations, {*program.values, *program.codes, *program.watched}
    flat: dict[int, frozenset[int]] = {}
    for node in program.needed:
        name = operations[node].name
        if name in JOINS:
            same = [arg for arg in operations[node].args if operations[arg].name == name]
            flat[node] = frozenset(operations[node].args).difference(same).union(*(flat[arg] for arg in same))
        kept.update(arg for arg in operations[node].args if name not in JOINS or operations[arg].name != name)
    return {node: parts for node, parts in flat.items() if node in kept}
