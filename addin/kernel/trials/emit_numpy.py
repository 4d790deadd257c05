"""Pass 6, on every machine: a program as numpy calls.

Every operation writes into a buffer, and buffers are used again after the last use.

The emitted source has one line per cell. x0, x1 ... are inputs; f, b and h buffers of floats, truth values and codes
(bytes); R the rows of numbers and C those of codes that come out; t, u, m, w, g and k scratch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from addin.kernel.trials import c_library, digits15, normal, one_by_one, selection
from addin.kernel.trials.memory import spaced
from addin.kernel.trials.operations import FALSE, TRUE, Operation
from addin.kernel.trials.program import Program

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
SCRATCH = {"f": ("t", "u", "m"), "b": ("w",), "h": ("g", "k")}
MOST_CODES = 120
Run = Callable[[NDArray[np.float64], NDArray[np.float64], NDArray[np.int32], "Buffers"], None]


class Buffers:
    """The scratch memory of one thread: buffers of one chunk by kind."""

    def __init__(self, counts: Mapping[str, int], size: int) -> None:
        self.size = size
        self._cut: tuple[int, list[list[NDArray[Any]]]] = (0, [])
        kinds: dict[str, type] = {"f": np.float64, "b": np.bool_, "h": np.int8}
        self.rows: dict[str, NDArray[Any]] = {
            kind: spaced(counts[kind] + len(SCRATCH[kind]), size, kinds[kind]) for kind in kinds
        }

    def cut(self, size: int) -> list[list[NDArray[Any]]]:
        """Return the buffers of each kind at the length of a chunk, scratch last."""
        if self._cut[0] != size:
            self._cut = size, [[row[:size] for row in self.rows[kind]] for kind in SCRATCH]
        return self._cut[1]


class _Emitter:
    """Registers and lines of one program."""

    def __init__(self, program: Program, label: Callable[[object], str]) -> None:
        self.program = program
        self.operations = program.operations
        self.names: dict[int, str] = {}
        self.counts = {"f": 0, "b": 0, "h": 0}
        self.free: dict[str, list[str]] = {"f": [], "b": [], "h": []}
        self.small = _codes(program)
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
        return "b" if self.operations[node].is_truth else "h" if node in self.small else "f"

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
        in_place = operation.name in UFUNCS or operation.name == "select"
        if in_place:
            self._release(dying)
        out = self.names[node] = self._take(node)
        text = self._call(operation, out, node in self.small)
        if not in_place:
            self._release(dying)
        return text

    def _call(self, operation: Operation, out: str, is_code: bool) -> str:
        args = [self._name(arg) for arg in operation.args]
        if is_code:
            constants = [self.operations[arg].name == "const" for arg in operation.args]
            args = [str(int(float(arg))) if fixed else arg for arg, fixed in zip(args, constants, strict=True)]
        name = operation.name
        if name == "select" and is_code:
            return self._pick(operation.args, args, out)
        if name == "select":
            return f"select({', '.join(args)}, {out}, m, t, k)"
        if name in UFUNCS:
            by_name = "out=" if name in ("min", "max") else ""  # numpy is about to forbid it by position for these two
            return f"{UFUNCS[name]}({', '.join(args)}, {by_name}{out})"
        if name in ROUNDINGS:
            positive = self.program.bounds[operation.args[0]].low >= 0
            name = "up_positive" if positive and name in ("up", "above") else name
            return f"{name}({args[0]}, {out}, t, w)"
        if name == "formula":
            return f"formula{operation.data[0]:.0f}({', '.join(args)}, {out})"
        if name in ("snap_add", "snap_sub"):
            plain = "add" if name == "snap_add" else "subtract"
            arrays = ", ".join(self._array(arg) for arg in operation.args)
            return f"{plain}({', '.join(args)}, {out}); snap({out}, {arrays}, t, u, w)"
        if name in ("eq15", "lt15"):
            return f"{'equal15' if name == 'eq15' else 'less15'}({', '.join(args)}, {out}, t, u, w)"
        if name == "step":
            half = len(operation.data) // 2
            marks, values = self._table(operation.data[:half]), self._table(operation.data[half:])
            return f"step({args[0]}, {marks}, {values}, {out}, w, g)"
        if name == "number":
            return f"copyto({out}, {args[0]})"
        if name == "huge":
            return f"absolute({args[0]}, t); less_equal(t, 1e60, {out}); logical_not({out}, {out})"
        return f"{name}({', '.join(args)}, {out})"

    def _pick(self, nodes: Sequence[int], args: Sequence[str], out: str) -> str:
        yes, no = (self.program.bounds[node] for node in nodes[1:])
        fixed, other = (self.operations[node].name == "const" for node in nodes[1:])
        if fixed and not other and no.low >= 0 and yes.low >= no.high:
            return f"pick_larger({', '.join(args)}, {out}, k)"
        return f"pick({', '.join(args)}, {out}, g, k)"

    def _array(self, node: int) -> str:
        constant = self.operations[node].name == "const"
        return f"full_like(t, {self._name(node)})" if constant else self._name(node)

    def _table(self, values: tuple[float, ...]) -> str:
        name = next((name for name, known in self.constants.items() if known == values), None)
        if name is None:
            name = f"table{len(self.constants)}"
            self.constants[name] = values
        return name

    def _outputs(self) -> None:
        line = []
        for row, node in enumerate(self.program.values):
            if self.rows.get(node) != f"R[{row}]":
                line.append(f"copyto(R[{row}], {self._name(node)})")
        signed = [row for row, node in enumerate(self.program.values) if not self.program.is_unsigned(node)]
        line += [f"add(R[{row}], 0.0, R[{row}])" for row in signed]  # no minus zero
        coded = [(row, node) for row, node in enumerate(self.program.codes) if node >= 0]
        line += [f"copyto(C[{row}], {self._name(node)}, casting='unsafe')" for row, node in coded]
        self._flush(line, "results")

    def source(self) -> str:
        """Return the text of the function `kernel`."""
        inputs = [f"x{i}" for i in range(self.program.inputs)]
        head = ["def kernel(X, R, C, F, B, H):", *([f"    {', '.join(inputs)}, = X"] if inputs else [])]
        for kind, scratch in SCRATCH.items():
            names = [f"{kind}{i}" for i in range(self.counts[kind])]
            head.append(f"    {', '.join([*names, *scratch])}, = {kind.upper()}")
        return "\n".join([*head, *(f"    {line}" for line in self.lines)]) + "\n"


def _codes(program: Program) -> set[int]:
    """Return the operations that only serve to make codes: a byte per trial holds them, an eighth of a float."""
    uses: dict[int, list[int]] = {}
    for node in program.needed:
        for arg in program.operations[node].args:
            uses.setdefault(arg, []).append(node)

    def is_small(node: int) -> bool:
        return program.bounds[node].whole and program.bounds[node].size < MOST_CODES

    def fits(node: int, small: set[int]) -> bool:
        operation = program.operations[node]
        floats = operation.args if operation.name == "add" else operation.args[1:]
        parts = all(part in small or (program.operations[part].name == "const" and is_small(part)) for part in floats)
        return parts and all(user in small for user in uses.get(node, ()))

    kept = (*program.values, *program.idle)
    names = ("select", "add", "number")
    small = {n for n in program.needed if program.operations[n].name in names and is_small(n) and n not in kept}
    while (fitting := {node for node in small if fits(node, small)}) != small:
        small = fitting
    return small


def emit(program: Program, label: Callable[[object], str]) -> tuple[str, Mapping[str, int], dict[str, object]]:
    """Return the source, how many buffers of each kind it needs, and the tables it reads.

    `label` names the cell of an operation in the comments.
    """
    emitter = _Emitter(program, label)
    return emitter.source(), emitter.counts, emitter.constants


def load(source: str, tables: dict[str, object], overflow: Literal["raise", "ignore"], library: bool = False) -> Run:
    """Return the emitted function: it reads X (inputs, trials) and writes R and C (outputs, trials).

    With overflow="raise" it raises FloatingPointError where a result overflows. With `library` the functions of
    c_library.py stand for numpy's.
    """
    space: dict[str, Any] = {name: getattr(np, name) for name in {*UFUNCS.values(), "copyto", "full_like"}}
    space |= {name: getattr(digits15, name) for name in (*ROUNDINGS, "up_positive", "snap", "step")}
    space["inf"] = np.inf
    space["nan"] = np.int64(-1).view(np.float64)  # the NaN that `select` produces
    space |= {"select": selection.select, "pick": selection.pick, "pick_larger": selection.pick_larger}
    space |= {"equal15": digits15.equal, "less15": digits15.less}
    space |= {name: np.array(values) if isinstance(values, tuple) else values for name, values in tables.items()}
    space |= {"ndtr": normal.ndtr, "kind_of": one_by_one.kind_of, "held": one_by_one.held}
    space |= c_library.functions() if library else {}
    exec(compile(source, "<kernel>", "exec"), space)  # our own text: names and numbers only, no text of the workbook
    kernel = space["kernel"]

    def run(x: NDArray[np.float64], values: NDArray[np.float64], codes: NDArray[np.int32], buffers: Buffers) -> None:
        with np.errstate(all="ignore", over=overflow):
            kernel(x, values, codes, *buffers.cut(x.shape[1]))

    return run
