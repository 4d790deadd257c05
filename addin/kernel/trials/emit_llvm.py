"""Pass 6, the fast one: a program as one loop of native code, eight trials at a time, selections instead of branches.

The text is LLVM's own language, compiled by llvmlite (extra `fast`). Additions are never fused or reordered, so that
results are those of the numpy emitter to the last bit; pow, exp, log and erfc come from the C library. A division takes
as long as thirty products: those by a constant or by the same divisor are made of products where that is exact.
"""

from __future__ import annotations

import math
import struct
from collections import Counter
from collections.abc import Callable

from addin.kernel.trials.digits15 import CLOSE, NEAR
from addin.kernel.trials.operations import FALSE, TRUE, Operation
from addin.kernel.trials.program import INEXACT, OUTSIDE, Program

WIDTH = 8
D, B = f"<{WIDTH} x double>", f"<{WIDTH} x i1>"
WIDE = ' "prefer-vector-width"="512" "min-legal-vector-width"="512"'  # else halves, where a processor has both
PARAMETERS = "ptr %X, i64 %xs, ptr noalias %R, i64 %rs, ptr noalias %C, i64 %cs, i64 %n, ptr noalias %status"
ARITHMETIC = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
ORDERS = {"eq": "oeq", "ne": "une", "lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge"}
CALLS = ("floor", "sqrt", "exp", "log", "log10")
ROUNDINGS = {"up": ("ceil", True), "down": ("floor", True), "half": ("floor", True)} | {
    "above": ("ceil", False),
    "below": ("floor", False),
}
OTHERS = {"const", "input", "true", "false", "neg", "abs", "min", "max", "pow", "mod", "select", "number", "step"} | {
    "eq15",
    "lt15",
    "snap_add",
    "snap_sub",
    "and",
    "or",
    "not",
    "huge",
    "ndtr",
}
NATIVE = {*ARITHMETIC, *ORDERS, *CALLS, *ROUNDINGS, *OTHERS}
MOST_STEPS = 64
QUOTIENT = 1e-100, 1e100  # sizes of dividend and divisor between which no step of a division leaves the normal range
UNARY = ("fabs", "ceil", "rint", *CALLS)


def is_native(program: Program) -> bool:
    """Return whether every operation has a native form."""
    operations = [program.operations[node] for node in program.needed]
    return all(op.name in NATIVE and not (op.name == "step" and len(op.data) > 2 * MOST_STEPS) for op in operations)


def splat(value: float) -> str:
    """Return a constant vector, bit by bit."""
    bits = (
        struct.unpack("<Q", struct.pack("<d", value))[0] if value == value else 2**64 - 1
    )  # NaN as selection makes it
    return "<" + ", ".join([f"double 0x{bits:016X}"] * WIDTH) + ">"


class _Text:
    """Lines of one function, each value with a name of its own."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.block = "entry"
        self._count = 0

    def name(self) -> str:
        self._count += 1
        return f"%r{self._count}"

    def add(self, text: str) -> str:
        name = self.name()
        self.lines.append(f"  {name} = {text}")
        return name

    def open(self, label: str) -> None:
        self.lines.append(f"{label}:")
        self.block = label

    def floats(self, operation: str, left: str, right: str) -> str:
        return self.add(f"{operation} {D} {left}, {right}")

    def compare(self, order: str, left: str, right: str) -> str:
        return self.add(f"fcmp {order} {D} {left}, {right}")

    def truths(self, operation: str, left: str, right: str) -> str:
        return self.add(f"{operation} {B} {left}, {right}")

    def call(self, name: str, *args: str) -> str:
        return self.add(f"call {D} @llvm.{name}.v{WIDTH}f64({', '.join(f'{D} {arg}' for arg in args)})")

    def one_by_one(self, function: str, x: str) -> str:
        """Return what a function of the C library gives for each trial, in the order of the trials."""
        result = "poison"
        for place in range(WIDTH):
            given = self.add(f"extractelement {D} {x}, i32 {place}")
            value = self.add(f"call double @{function}(double {given})")
            result = self.add(f"insertelement {D} {result}, double {value}, i32 {place}")
        return result

    def select(self, condition: str, yes: str, no: str, kind: str = D) -> str:
        return self.add(f"select {B} {condition}, {kind} {yes}, {kind} {no}")

    def view(self, x: str) -> str:
        return self.add(f"call {D} @view15({D} {x}, ptr %status)")

    def rarely(self, mask: str, usual: str, kind: str, exact: Callable[[], str]) -> str:
        """Return `usual`, and in the trials of the mask what `exact` writes; its code runs only where one is."""
        bits = self.add(f"bitcast {B} {mask} to i{WIDTH}")
        some = self.add(f"icmp ne i{WIDTH} {bits}, 0")
        number = self._count
        before = self.block
        self.lines.append(f"  br i1 {some}, label %slow{number}, label %next{number}, !prof !0")
        self.open(f"slow{number}")
        chosen = self.select(mask, exact(), usual, kind)
        after = self.block
        self.lines.append(f"  br label %next{number}")
        self.open(f"next{number}")
        return self.add(f"phi {kind} [{usual}, %{before}], [{chosen}, %{after}]")


def _view15() -> str:
    """Return the function that gives 15 significant digits, exact from 1e-7 to 1e22; beyond it sets the status."""
    text = _Text()
    size = text.call("fabs", "%x")
    inside = text.truths("and", text.compare("oge", size, splat(1e-7)), text.compare("olt", size, splat(1e22)))
    outside = text.truths("xor", inside, "<" + ", ".join(["i1 true"] * WIDTH) + ">")
    finite = text.truths("and", outside, text.compare("one", size, splat(float("inf"))))
    unsure = text.truths("and", finite, text.compare("one", size, splat(0.0)))
    bits = text.add(f"bitcast {B} {unsure} to i{WIDTH}")
    some = text.add(f"icmp ne i{WIDTH} {bits}, 0")
    old = text.add("load i32, ptr %status")
    flag = text.add(f"select i1 {some}, i32 {INEXACT}, i32 0")
    text.lines.append(f"  store i32 {text.add(f'or i32 {old}, {flag}')}, ptr %status")
    up, down = splat(10.0**22), splat(1.0)
    for exponent in range(-7, 22):
        above = text.compare("oge", size, splat(float(f"1e{exponent}")))
        up = text.select(above, splat(10.0 ** max(0, 14 - exponent)), up)
        down = text.select(above, splat(10.0 ** max(0, exponent - 14)), down)
    scaled = text.floats("fdiv", text.floats("fmul", size, up), down)
    minus = text.add(f"fneg {D} {scaled}")
    rest = text.select(
        text.compare("ogt", down, splat(1.0)), text.call("fma", minus, down, size), text.call("fma", size, up, minus)
    )
    whole = text.call("rint", scaled)
    part = text.floats("fsub", scaled, whole)
    for half, order, operation in ((0.5, "ogt", "fadd"), (-0.5, "olt", "fsub")):
        tie = text.truths("and", text.compare("oeq", part, splat(half)), text.compare(order, rest, splat(0.0)))
        whole = text.select(tie, text.floats(operation, whole, splat(1.0)), whole)
    result = text.floats("fmul", text.floats("fdiv", whole, up), down)
    result = text.call("copysign", text.select(inside, result, size), "%x")
    body = "\n".join(text.lines)
    return (
        f"define internal {D} @view15({D} %x, ptr %status) noinline cold {{\nentry:\n{body}\n  ret {D} {result}\n}}\n"
    )


class _Emitter:
    """The body of the loop."""

    def __init__(self, program: Program, *, fused: bool) -> None:
        self.program = program
        self.text = _Text()
        self.text.block = "loop"
        divisions = [program.operations[node].args for node in program.needed if program.operations[node].name == "div"]
        shared = Counter(divisor for dividend, divisor in divisions if self._apart(dividend) and self._apart(divisor))
        self.shared = {d for d, n in shared.items() if fused and (n > 1 or program.operations[d].name == "const")}
        self.reciprocals: dict[int, str] = {}
        self.values: dict[int, str] = {FALSE: self._truth("false"), TRUE: self._truth("true")}
        for node in program.needed:
            if node not in self.values:
                self.values[node] = self._operation(program.operations[node])

    def _truth(self, value: str) -> str:
        return "<" + ", ".join([f"i1 {value}"] * WIDTH) + ">"

    def _operation(self, operation: Operation) -> str:
        name, text = operation.name, self.text
        args = [self.values[arg] for arg in operation.args]
        if name == "const":
            return splat(operation.data[0])
        if name == "input":
            pointer = text.add(f"getelementptr double, ptr %X, i64 {_row(text, int(operation.data[0]), '%xs')}")
            return text.add(f"load {D}, ptr {pointer}, align 8")
        if name == "div" and operation.args[1] in self.shared and self._apart(operation.args[0]):
            return self._quotient(*operation.args)
        if name in ARITHMETIC:
            return text.floats(ARITHMETIC[name], *args)
        if name in ORDERS:
            return text.compare(ORDERS[name], *args)
        if name in CALLS:
            return text.call(name, args[0])
        if name in ROUNDINGS:
            return self._rounding(name, args[0])
        return self._other(operation, args)

    def _other(self, operation: Operation, args: list[str]) -> str:
        name, text = operation.name, self.text
        if name == "neg":
            return text.add(f"fneg {D} {args[0]}")
        if name == "abs":
            return text.call("fabs", args[0])
        if name == "pow":
            return text.call("pow", *args)
        if name == "mod":
            return self._modulo(*args)
        if name in ("min", "max"):
            return text.select(text.compare("ogt" if name == "max" else "olt", *args), *args)
        if name in ("and", "or"):
            return text.truths(name, *args)
        if name == "not":
            return text.truths("xor", args[0], self._truth("true"))
        if name == "select":
            return text.select(*args)
        if name == "number":
            return text.select(args[0], splat(1.0), splat(0.0))
        if name == "huge":
            return text.compare("ugt", text.call("fabs", args[0]), splat(1e60))
        if name == "ndtr":
            area = text.one_by_one("erfc", text.floats("fdiv", args[0], splat(-math.sqrt(2))))
            return text.floats("fmul", area, splat(0.5))
        if name == "step":
            return self._step(operation, args[0])
        if name in ("eq15", "lt15"):
            return self._compare15("oeq" if name == "eq15" else "olt", *args)
        return self._snap("fadd" if name == "snap_add" else "fsub", *args)

    def _apart(self, node: int) -> bool:
        """Return whether a result keeps within the sizes that a division of products is exact for."""
        bounds = self.program.bounds[node]
        return (
            min(abs(bounds.low), abs(bounds.high)) >= QUOTIENT[0]
            and bounds.low * bounds.high > 0
            and bounds.size <= QUOTIENT[1]
        )

    def _quotient(self, dividend: int, divisor: int) -> str:
        """Return a quotient by the rounded reciprocal and two corrections, each with its exact remainder.

        After the first the quotient is one of the two floats around the true one, and the second then rounds it.
        Source: P. Markstein, "Computation of elementary functions on the IBM RISC System/6000 processor", 1990.
        """
        text, x, y = self.text, self.values[dividend], self.values[divisor]
        if divisor not in self.reciprocals:
            constant = self.program.operations[divisor]
            known = splat(1.0 / constant.data[0]) if constant.name == "const" else ""
            self.reciprocals[divisor] = known or text.floats("fdiv", splat(1.0), y)
        result = text.floats("fmul", x, self.reciprocals[divisor])
        minus = text.add(f"fneg {D} {y}")
        for _ in range(2):
            result = text.call("fma", text.call("fma", minus, result, x), self.reciprocals[divisor], result)
        return result

    def _modulo(self, x: str, y: str) -> str:
        text = self.text
        rest = text.floats("frem", x, y)
        signs = [text.compare("olt", side, splat(0.0)) for side in (rest, y)]
        opposed = text.truths("and", text.truths("xor", *signs), text.compare("une", rest, splat(0.0)))
        return text.select(opposed, text.floats("fadd", rest, y), rest)

    def _step(self, operation: Operation, x: str) -> str:
        half = len(operation.data) // 2
        result = splat(operation.data[half])
        for mark, value in zip(operation.data[1:half], operation.data[half + 1 :], strict=True):
            result = self.text.select(self.text.compare("oge", x, splat(mark)), splat(value), result)
        return result

    def _rounding(self, name: str, x: str) -> str:
        """Return a rounding to whole numbers, viewed exactly where a shift by half a 15th digit changes the result."""
        text = self.text
        function, symmetric = ROUNDINGS[name]
        size = text.call("fabs", x)
        base = size if symmetric else x

        def final(value: str) -> str:
            return text.call(function, text.floats("fadd", value, splat(0.5)) if name == "half" else value)

        shift = text.floats("fmul", size, splat(NEAR if name in ("down", "half", "below") else -NEAR))
        usual = final(text.floats("fadd", base, shift))
        if name == "half":
            unsure = text.compare("one", usual, final(text.floats("fsub", base, shift)))
        else:  # a number on the other side of its rounding was moved across a whole number by the shift
            unsure = text.compare("ogt" if function == "ceil" else "olt", base, usual)
        result = text.rarely(unsure, usual, D, lambda: final(text.view(base)))
        return text.call("copysign", result, x) if symmetric else result

    def _close(self, x: str, y: str) -> str:
        """Return when two numbers differ, but maybe not in 15 digits."""
        gap = self.text.call("fabs", self.text.floats("fsub", x, y))
        return self._small(gap, x)

    def _small(self, gap: str, x: str) -> str:
        text = self.text
        limit = text.call("fabs", text.floats("fmul", x, splat(CLOSE)))
        return text.truths("and", text.compare("ole", gap, limit), text.compare("one", gap, splat(0.0)))

    def _compare15(self, order: str, x: str, y: str) -> str:
        text = self.text
        usual = text.compare(order, x, y)
        return text.rarely(self._close(x, y), usual, B, lambda: text.compare(order, text.view(x), text.view(y)))

    def _snap(self, operation: str, x: str, y: str) -> str:
        text = self.text
        usual = text.floats(operation, x, y)

        def exact() -> str:
            left, right = text.call("fabs", x), text.call("fabs", y)
            same = text.compare("oeq", text.view(left), text.view(right))
            smaller = text.compare("olt", text.call("fabs", usual), left)
            return text.select(text.truths("and", same, smaller), splat(0.0), usual)

        return text.rarely(self._small(text.call("fabs", usual), x), usual, D, exact)

    def outputs(self) -> None:
        """Store the rows of numbers and codes."""
        text = self.text
        for node in self.program.idle:  # kept although nothing uses them: their overflow has to show
            text.lines.append(f"  store volatile {D} {self.values[node]}, ptr %idle")
        for row, node in enumerate(self.program.values):
            pointer = text.add(f"getelementptr double, ptr %R, i64 {_row(text, row, '%rs')}")
            value = self.values[node]
            unsigned = value if self.program.is_unsigned(node) else text.floats("fadd", value, splat(0.0))
            text.lines.append(f"  store {D} {unsigned}, ptr {pointer}, align 8")
        for row, node in enumerate(self.program.codes):
            if node < 0:
                continue
            pointer = text.add(f"getelementptr i32, ptr %C, i64 {_row(text, row, '%cs')}")
            code = text.add(f"fptosi {D} {self.values[node]} to <{WIDTH} x i32>")
            text.lines.append(f"  store <{WIDTH} x i32> {code}, ptr {pointer}, align 4")


def _row(text: _Text, row: int, stride: str) -> str:
    """Return the offset of the current trial in a row."""
    return text.add(f"add i64 %i, {text.add(f'mul i64 {stride}, {row}')}")


def _limits(emitter: _Emitter) -> str:
    """Return the bits of the trials in which an input lies outside its limits."""
    text, program = emitter.text, emitter.program
    inside = emitter.values[TRUE]
    for node in program.needed:
        if program.operations[node].name == "input":
            for order, limit in zip(("oge", "ole"), program.operations[node].data[1:], strict=True):
                inside = text.truths("and", inside, text.compare(order, emitter.values[node], splat(limit)))
    outside = text.truths("xor", inside, emitter.values[TRUE])
    return text.add(f"bitcast {B} {outside} to i{WIDTH}")


def emit(program: Program, *, fused: bool) -> str:
    """Return the module: kernel(X, xs, R, rs, C, cs, n, status) with strides in elements and n a multiple of WIDTH.

    `fused` says whether the processor multiplies and adds with one rounding.
    """
    emitter = _Emitter(program, fused=fused)
    outside = _limits(emitter)
    emitter.outputs()
    text = emitter.text
    declared = "".join(f"declare {D} @llvm.{name}.v{WIDTH}f64({D})\n" for name in UNARY)
    declared += "".join(f"declare {D} @llvm.{name}.v{WIDTH}f64({D}, {D})\n" for name in ("pow", "copysign"))
    declared += f"declare {D} @llvm.fma.v{WIDTH}f64({D}, {D}, {D})\n"
    declared += "declare double @erfc(double)\n"
    body = "\n".join(text.lines)
    return f"""{declared}
{_view15()}
define void @kernel({PARAMETERS}){WIDE} {{
entry:
  %idle = alloca {D}
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%j, %{text.block}]
  %seen = phi i{WIDTH} [0, %entry], [%sum, %{text.block}]
{body}
  %sum = or i{WIDTH} %seen, {outside}
  %j = add i64 %i, {WIDTH}
  %more = icmp ult i64 %j, %n
  br i1 %more, label %loop, label %done
done:
  %some = icmp ne i{WIDTH} %sum, 0
  %flag = select i1 %some, i32 {OUTSIDE}, i32 0
  %before = load i32, ptr %status
  %after = or i32 %before, %flag
  store i32 %after, ptr %status
  ret void
}}
!0 = !{{!"branch_weights", i32 1, i32 1000}}
"""
