"""Emit a program as numpy calls: every operation writes into a buffer, and buffers are used again after the last use.

The emitted source has one line per cell. x0, x1 ... are inputs, f and g float buffers, b buffers of truth values,
R the rows of numbers and C those of codes that come out, t, u and w scratch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from addin.kernel import runtime15
from addin.kernel.share import FALSE, TRUE, Operation, Program

UFUNCS = {
    "add": "add",
    "sub": "subtract",
    "mul": "multiply",
    "div": "divide",
    "pow": "power",
    "mod": "remainder",
    "min": "minimum",
    "max": "maximum",
    "neg": "negative",
    "abs": "absolute",
    "floor": "floor",
    "sqrt": "sqrt",
    "exp": "exp",
    "log": "log",
    "log10": "log10",
    "log2": "log2",
    "log1p": "log1p",
    "expm1": "expm1",
    "eq": "equal",
    "ne": "not_equal",
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
    "and": "logical_and",
    "or": "logical_or",
    "not": "logical_not",
}
ROUNDINGS = {"up", "down", "half", "above", "below"}
LOADED = {"ndtr", "ndtri"}
Run = Callable[[NDArray[np.float64], NDArray[np.float64], NDArray[np.int16], "Buffers"], None]


class Buffers:
    """The scratch memory of one thread: float and truth buffers of one chunk."""

    def __init__(self, floats: int, truths: int, size: int) -> None:
        self.size = size
        self.floats = [np.empty(size) for _ in range(floats + 2)]
        self.truths = [np.empty(size, np.bool_) for _ in range(truths + 1)]

    def cut(self, size: int) -> tuple[list[NDArray[np.float64]], list[NDArray[np.bool_]]]:
        """Return the buffers at the length of a chunk, scratch last."""
        return [f[:size] for f in self.floats], [b[:size] for b in self.truths]


class _Emitter:
    """Registers and lines of one program."""

    def __init__(self, program: Program, label: Callable[[object], str]) -> None:
        self.program = program
        self.operations = program.operations
        self.names: dict[int, str] = {}
        self.counts = {"f": 0, "b": 0}
        self.free: dict[str, list[str]] = {"f": [], "b": []}
        self.constants: dict[str, object] = {}
        self.lines: list[str] = []
        needed = program.needed
        self.last = {arg: node for node in needed for arg in self.operations[node].args}
        self.rows: dict[int, str] = {}
        for row, node in enumerate(program.values):
            if self.operations[node].name not in ("const", "input") and node not in self.rows:
                self.rows[node] = f"R[{row}]"
        cell: object = None
        line: list[str] = []
        for node in needed:
            if self.operations[node].name in ("const", "input", "false", "true"):
                continue
            if program.cells[node] != cell and line:
                self._flush(line, label(cell))
                line = []
            cell = program.cells[node]
            line.append(self._statement(node))
        self._flush(line, label(cell))
        self._outputs()

    def _flush(self, line: Sequence[str], label: str) -> None:
        if line:
            self.lines.append("; ".join(line) + (f"  # {label}" if label else ""))

    def _name(self, node: int) -> str:
        operation = self.operations[node]
        if operation.name == "const":
            return "nan" if operation.data[0] != operation.data[0] else repr(operation.data[0])
        if operation.name == "input":
            return f"x{int(operation.data[0])}"
        return {FALSE: "False", TRUE: "True"}[node] if node in (FALSE, TRUE) else self.names[node]

    def _kind(self, node: int) -> str:
        return "b" if self.operations[node].is_truth else "f"

    def _take(self, node: int) -> str:
        """Return the buffer for a result."""
        if node in self.rows:
            return self.rows[node]
        kind = self._kind(node)
        if self.free[kind]:
            return self.free[kind].pop()
        self.counts[kind] += 1
        return f"{kind}{self.counts[kind] - 1}"

    def _dying(self, node: int) -> list[int]:
        """Return the arguments whose buffers nothing needs after this operation."""
        kept = (*self.program.codes, *self.rows)
        return [
            arg
            for arg in dict.fromkeys(self.operations[node].args)
            if arg in self.names and self.last[arg] == node and arg not in kept
        ]

    def _release(self, nodes: Sequence[int]) -> None:
        for node in nodes:
            self.free[self._kind(node)].append(self.names[node])

    def _statement(self, node: int) -> str:
        operation = self.operations[node]
        dying = self._dying(node)
        if operation.name == "select":
            return self._select(node, operation, dying)
        in_place = operation.name in UFUNCS
        if in_place:
            self._release(dying)
        out = self.names[node] = self._take(node)
        text = self._call(operation, out)
        if not in_place:
            self._release(dying)
        return text

    def _call(self, operation: Operation, out: str) -> str:
        args = [self._name(arg) for arg in operation.args]
        name = operation.name
        if name in UFUNCS:
            by_name = "out=" if name in ("min", "max") else ""  # numpy is about to forbid it by place for these two
            return f"{UFUNCS[name]}({', '.join(args)}, {by_name}{out})"
        if name in ROUNDINGS:
            positive = self.program.bounds[operation.args[0]].low >= 0
            name = "up_positive" if positive and name in ("up", "above") else name
            return f"{name}({args[0]}, {out}, t, w)"
        if name == "round":
            return f"round_to({args[0]}, {operation.data[0]:g}, {operation.data[1]:g}, {out})"
        if name in ("snap_add", "snap_sub"):
            plain = "add" if name == "snap_add" else "subtract"
            arrays = ", ".join(self._array(arg) for arg in operation.args)
            return f"{plain}({', '.join(args)}, {out}); snap({out}, {arrays}, t, u, w)"
        if name in ("eq15", "lt15"):
            return f"{'equal15' if name == 'eq15' else 'less15'}({', '.join(args)}, {out}, t, u, w)"
        if name == "step":
            half = len(operation.data) // 2
            marks, values = self._table(operation.data[:half]), self._table(operation.data[half:])
            return f"step({args[0]}, {marks}, {values}, {out}, w)"
        if name == "number":
            return f"copyto({out}, {args[0]})"
        if name == "huge":
            return f"absolute({args[0]}, t); less_equal(t, 1e60, {out}); logical_not({out}, {out})"
        return f"{name}({', '.join(args)}, {out})"

    def _array(self, node: int) -> str:
        constant = self.operations[node].name == "const"
        return f"full_like(t, {self._name(node)})" if constant else self._name(node)

    def _table(self, values: tuple[float, ...]) -> str:
        name = next((name for name, known in self.constants.items() if known == values), None)
        if name is None:
            name = f"table{len(self.constants)}"
            self.constants[name] = values
        return name

    def _select(self, node: int, operation: Operation, dying: list[int]) -> str:
        """Copy one side over the other: into the buffer of a side that is not needed any more, where there is one."""
        condition, yes, no = operation.args
        if node not in self.rows and no in dying and no != yes:
            self.names[node] = self.names[no]
            self._release([arg for arg in dying if arg != no])
            return f"copyto({self.names[node]}, {self._name(yes)}, where={self._name(condition)})"
        if node not in self.rows and yes in dying and condition in dying:
            flag = self.names[condition]
            self.names[node] = self.names[yes]
            self._release([arg for arg in dying if arg != yes])
            return f"logical_not({flag}, {flag}); copyto({self.names[node]}, {self._name(no)}, where={flag})"
        out = self.names[node] = self._take(node)
        self._release(dying)
        return f"copyto({out}, {self._name(no)}); copyto({out}, {self._name(yes)}, where={self._name(condition)})"

    def _outputs(self) -> None:
        line = []
        for row, node in enumerate(self.program.values):
            if self.rows.get(node) != f"R[{row}]":
                line.append(f"copyto(R[{row}], {self._name(node)})")
        line.append("add(R, 0.0, R)")  # no minus zero
        coded = [(row, node) for row, node in enumerate(self.program.codes) if node >= 0]
        line += [f"copyto(C[{row}], {self._name(node)}, casting='unsafe')" for row, node in coded]
        self._flush(line, "results")

    def source(self) -> str:
        """Return the text of the function `kernel`."""
        floats = [f"f{i}" for i in range(self.counts["f"])] + ["t", "u"]
        truths = [f"b{i}" for i in range(self.counts["b"])] + ["w"]
        inputs = [f"x{i}" for i in range(self.program.inputs)]
        head = [
            "def kernel(X, R, C, F, B):",
            *([f"    {', '.join(inputs)}, = X"] if inputs else []),
            f"    {', '.join(floats)}, = F",
            f"    {', '.join(truths)}, = B",
        ]
        return "\n".join([*head, *(f"    {line}" for line in self.lines)]) + "\n"


def emit(program: Program, label: Callable[[object], str]) -> tuple[str, tuple[int, int], dict[str, object]]:
    """Return the source, how many float and truth buffers it needs, and the tables it reads.

    `label` names the cell of an operation in the comments.
    """
    emitter = _Emitter(program, label)
    return emitter.source(), (emitter.counts["f"], emitter.counts["b"]), emitter.constants


def load(source: str, tables: dict[str, object], overflow: Literal["raise", "ignore"]) -> Run:
    """Return the emitted function: it reads X (inputs, trials) and writes R and C (outputs, trials).

    With overflow="raise" it raises FloatingPointError where a result overflows.
    """
    space: dict[str, Any] = {name: getattr(np, name) for name in {*UFUNCS.values(), "copyto", "full_like", "nan"}}
    space |= {name: getattr(runtime15, name) for name in (*ROUNDINGS, "up_positive", "round_to", "snap", "step")}
    space |= {"equal15": runtime15.equal, "less15": runtime15.less}
    space |= {name: np.array(values) for name, values in tables.items()}
    if "ndtr" in source:
        from scipy import special  # type: ignore[import-untyped]  # scipy ships no types

        space |= {"ndtr": special.ndtr, "ndtri": special.ndtri}
    exec(compile(source, "<kernel>", "exec"), space)  # our own text: names and numbers only, no text of the workbook
    kernel = space["kernel"]

    def run(x: NDArray[np.float64], values: NDArray[np.float64], codes: NDArray[np.int16], buffers: Buffers) -> None:
        with np.errstate(all="ignore", over=overflow):
            kernel(x, values, codes, *buffers.cut(x.shape[1]))

    return run
