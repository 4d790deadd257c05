"""Write LLVM's own language as one writes numpy: operators on values, loops and conditions as blocks.

A value is one number or a vector of them (Kind); numbers of Python become constants of the kind they meet. Additions
and products are never fused or reordered, so that results are those of numpy to the last bit.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

WIDE = '"prefer-vector-width"="512" "min-legal-vector-width"="512"'  # else halves, where a processor has both
BYTES = {"double": 8, "i64": 8, "ptr": 8, "i32": 4, "i1": 1}


@dataclass(frozen=True)
class Kind:
    """What a value is: an element of LLVM, and how many of them side by side."""

    element: str
    width: int = 1

    def __str__(self) -> str:
        return self.element if self.width == 1 else f"<{self.width} x {self.element}>"

    def of(self, element: str) -> Kind:
        """Return the kind of as many other elements."""
        return Kind(element, self.width)

    def literal(self, value: float) -> str:
        """Return a constant, in every place of a vector; a double bit by bit."""
        if self.element == "double":
            text = f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
        elif self.element == "i1":
            text = "true" if value else "false"
        else:
            text = str(int(value))
        return text if self.width == 1 else "<" + ", ".join([f"{self.element} {text}"] * self.width) + ">"


DOUBLE, INTEGER, WORD, TRUTH, POINTER = map(Kind, ("double", "i64", "i32", "i1", "ptr"))


@dataclass(frozen=True, eq=False)
class Value:
    """A value of the function that is being written."""

    function: Function
    name: str
    kind: Kind

    def _with(self, operation: str, other: Value | float, kind: Kind | None = None) -> Value:
        right = other.name if isinstance(other, Value) else self.kind.literal(other)
        return self.function.add(f"{operation} {self.kind} {self.name}, {right}", kind or self.kind)

    def _arithmetic(self, operation: str, other: Value | float) -> Value:
        return self._with("f" + operation if self.kind.element == "double" else operation, other)

    def __add__(self, other: Value | float) -> Value:
        return self._arithmetic("add", other)

    def __sub__(self, other: Value | float) -> Value:
        return self._arithmetic("sub", other)

    def __mul__(self, other: Value | float) -> Value:
        return self._arithmetic("mul", other)

    def __rsub__(self, other: float) -> Value:
        return self.function.constant(self.kind, other) - self

    def __and__(self, other: Value | int) -> Value:
        return self._with("and", other)

    def __or__(self, other: Value | int) -> Value:
        return self._with("or", other)

    def __xor__(self, other: Value | int) -> Value:
        return self._with("xor", other)

    def __lshift__(self, other: Value | int) -> Value:
        return self._with("shl", other)

    def __rshift__(self, other: Value | int) -> Value:
        """Shift the bits down, zeros from above."""
        return self._with("lshr", other)

    def signed_shift(self, other: Value | int) -> Value:
        """Shift the bits down, the sign from above."""
        return self._with("ashr", other)

    def is_(self, order: str, other: Value | float) -> Value:
        """Compare: eq, ne, lt, le, gt, ge; a NaN is unequal to everything, and neither above nor below."""
        if self.kind.element == "double":
            return self._with("fcmp " + ("une" if order == "ne" else "o" + order), other, self.kind.of("i1"))
        return self._with("icmp " + (order if order in ("eq", "ne") else "s" + order), other, self.kind.of("i1"))

    def choose(self, yes: Value | float, no: Value) -> Value:
        """Return `yes` where this truth holds, else `no`."""
        first = yes.name if isinstance(yes, Value) else no.kind.literal(yes)
        return self.function.add(f"select {self.kind} {self.name}, {no.kind} {first}, {no.kind} {no.name}", no.kind)

    def at_least(self, other: Value | float) -> Value:
        """Return the larger of two numbers, the first where they are equal."""
        return self.is_("lt", other).choose(other, self)

    def at_most(self, other: Value | float) -> Value:
        """Return the smaller of two numbers, the first where they are equal."""
        return self.is_("gt", other).choose(other, self)

    def to(self, operation: str, element: str) -> Value:
        """Return what a conversion of LLVM gives: bitcast, zext, trunc, uitofp, fptosi and so on."""
        kind = self.kind.of(element)
        return self.function.add(f"{operation} {self.kind} {self.name} to {kind}", kind)

    def apply(self, name: str) -> Value:
        """Return what an intrinsic function of one value gives: sqrt, floor, fabs, bitreverse and so on."""
        suffix = {"double": "f64"}.get(self.kind.element, self.kind.element)
        suffix = f"v{self.kind.width}{suffix}" if self.kind.width > 1 else suffix
        return self.function.call(f"llvm.{name}.{suffix}", self.kind, self)

    def lane(self, place: int) -> Value:
        """Return one element of a vector."""
        return self.function.add(f"extractelement {self.kind} {self.name}, i32 {place}", Kind(self.kind.element))

    def broadcast(self, width: int) -> Value:
        """Return a vector that holds a number in every place."""
        kind = Kind(self.kind.element, width)
        one = self.function.add(f"insertelement {kind} poison, {self.kind} {self.name}, i32 0", kind)
        return one.shuffled(one, [0] * width)

    def shuffled(self, other: Value, places: Sequence[int]) -> Value:
        """Return a vector of elements of this one and of another, numbered through."""
        kind = Kind(self.kind.element, len(places))
        mask = ", ".join(f"i32 {place}" for place in places)
        return self.function.add(
            f"shufflevector {self.kind} {self.name}, {self.kind} {other.name}, <{len(places)} x i32> <{mask}>", kind
        )

    def bits(self) -> Value:
        """Return the truths of a vector as one integer, the first in the lowest bit."""
        one = Kind(f"i{self.kind.width}")
        return self.function.add(f"bitcast {self.kind} {self.name} to {one}", one)

    def count(self) -> Value:
        """Return how many truths of a vector hold, as an i64."""
        return self.bits().apply("ctpop").to("zext", "i64")

    def any(self) -> Value:
        """Return whether one truth of a vector holds."""
        return self.bits().is_("ne", 0)


@dataclass(frozen=True, eq=False)
class Variable:
    """A place for a value that changes; LLVM keeps it in a register."""

    place: Value
    kind: Kind

    @property
    def value(self) -> Value:
        """What it holds now."""
        return self.place.function.load(self.kind, self.place)

    def set(self, value: Value) -> None:
        """Hold another value."""
        self.place.function.store(value, self.place)


class Function:
    """A function that is being written; `declared` are those of others that it calls."""

    def __init__(self, name: str, parameters: Sequence[tuple[str, Kind]], returns: str = "void", scope: str = ""):
        self.declared: dict[str, str] = {}
        given = ", ".join(f"{kind} %{parameter}" for parameter, kind in parameters)
        self._head = f"define {scope} {returns} @{name}({given})"
        self._places: list[str] = []
        self._lines: list[str] = []
        self._names = 0
        self.given = [Value(self, f"%{parameter}", kind) for parameter, kind in parameters]

    def text(self) -> str:
        """Return the whole function."""
        return "\n".join([f"{self._head} {WIDE} {{", "entry:", *self._places, *self._lines, "}", ""])

    def _name(self) -> str:
        self._names += 1
        return f"%v{self._names}"

    def line(self, text: str) -> None:
        """Add an instruction without a value."""
        self._lines.append(f"  {text}")

    def add(self, text: str, kind: Kind) -> Value:
        """Add an instruction and return its value."""
        value = Value(self, self._name(), kind)
        self.line(f"{value.name} = {text}")
        return value

    def constant(self, kind: Kind, value: float) -> Value:
        """Return a constant."""
        return Value(self, kind.literal(value), kind)

    def call(self, name: str | Value, kind: Kind | None, *args: Value) -> Value:
        """Call a function by its name, or by its address, with the values; `kind` is that of its result, if any."""
        returns = str(kind) if kind else "void"
        if isinstance(name, str) and name.startswith("llvm."):
            self.declared[name] = f"declare {returns} @{name}({', '.join(str(arg.kind) for arg in args)})"
        target = name.name if isinstance(name, Value) else f"@{name}"
        text = f"call {returns} {target}({', '.join(f'{arg.kind} {arg.name}' for arg in args)})"
        if kind is not None:
            return self.add(text, kind)
        self.line(text)
        return Value(self, "poison", POINTER)

    def place(self, pointer: Value, index: Value | int, element: str) -> Value:
        """Return the address of an element that stands `index` behind another."""
        number = index.name if isinstance(index, Value) else index
        return self.add(f"getelementptr {element}, ptr {pointer.name}, i64 {number}", POINTER)

    def load(self, kind: Kind, pointer: Value, index: Value | int | None = None) -> Value:
        """Return what stands at an address, or `index` elements behind it."""
        at = pointer if index is None else self.place(pointer, index, kind.element)
        return self.add(f"load {kind}, ptr {at.name}, align {BYTES[kind.element]}", kind)

    def store(self, value: Value, pointer: Value, index: Value | int | None = None) -> None:
        """Put a value at an address, or `index` elements behind it."""
        at = pointer if index is None else self.place(pointer, index, value.kind.element)
        self.line(f"store {value.kind} {value.name}, ptr {at.name}, align {BYTES[value.kind.element]}")

    def increase(self, pointer: Value, index: Value | int, by: Value | int = 1) -> None:
        """Add to the integer that stands `index` behind an address."""
        place = self.place(pointer, index, "i64")
        self.store(self.load(INTEGER, place) + by, place)

    def memory(self, kind: Kind, count: int) -> Value:
        """Return the address of memory that lasts as long as the call."""
        name = self._name()
        self._places.append(f"  {name} = alloca {kind}, i64 {count}, align 64")
        return Value(self, name, POINTER)

    def variable(self, kind: Kind, start: Value | float) -> Variable:
        """Return a place for a value that changes, and what it holds first."""
        name = self._name()
        self._places.append(f"  {name} = alloca {kind}, align {BYTES[kind.element]}")
        variable = Variable(Value(self, name, POINTER), kind)
        variable.set(start if isinstance(start, Value) else self.constant(kind, start))
        return variable

    def _label(self) -> str:
        return self._name()[1:]

    def _open(self, label: str) -> None:
        self._lines.append(f"{label}:")

    @contextmanager
    def loop(self, stop: Value | int, step: int = 1, start: Value | int = 0) -> Iterator[Value]:
        """Write the body of a loop; gives the number: start, start + step ... below stop."""
        first = start if isinstance(start, Value) else self.constant(INTEGER, start)
        number = self.variable(INTEGER, first)
        head, body, after = self._label(), self._label(), self._label()
        self.line(f"br label %{head}")
        self._open(head)
        at = number.value
        self.line(f"br i1 {at.is_('lt', stop).name}, label %{body}, label %{after}")
        self._open(body)
        yield at
        number.set(at + step)
        self.line(f"br label %{head}")
        self._open(after)

    @contextmanager
    def when(self, condition: Value) -> Iterator[None]:
        """Write what is done where a truth holds; a result in it ends the function."""
        body, after = self._label(), self._label()
        self.line(f"br i1 {condition.name}, label %{body}, label %{after}")
        self._open(body)
        yield
        if not self._lines[-1].startswith("  ret "):
            self.line(f"br label %{after}")
        self._open(after)

    def result(self, value: Value | None = None) -> None:
        """End the function, with a value if it has one."""
        self.line("ret void" if value is None else f"ret {value.kind} {value.name}")


def module(functions: Sequence[Function]) -> str:
    """Return the text of some functions, each after those it calls, and what they declare."""
    declared = {name: text for function in functions for name, text in function.declared.items()}
    return "\n".join([*declared.values(), "", *(function.text() for function in functions)])
