"""A formula's tree as a JavaScript expression over the array V, for the copy in row i and column j of its run.

What a formula means is decided as in scalar/walk.py, whose three modes return here: one value, cells as they stand,
or computed element by element. The functions themselves are those of runtime/.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

from addin.kernel.errors import KernelError
from addin.kernel.excel.values import ExcelError, Scalar
from addin.kernel.formula.cells import Cells
from addin.kernel.formula.graph import named
from addin.kernel.formula.nodes import (
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
    chain,
)
from addin.kernel.formula.parse import parse
from addin.kernel.formula.tokens import bracketed
from addin.kernel.scalar.functions import function
from addin.kernel.scalar.signatures import letters
from addin.kernel.scalar.walk import Mode
from addin.kernel.script.layout import Layout
from addin.kernel.script.runs import Run

OPERATORS = {"+": "add", "-": "sub", "*": "mul", "/": "div", "^": "pow", "&": "cat"}
COMPARISONS = {"=": "eq", "<>": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
FORMAT = re.compile(r"(#,##)?0(\.0+#*)?%?")
SAME_SHAPE = {"SUMIF", "AVERAGEIF"}  # Excel takes the shape of the first range for both, the kernel refuses others
MAY_BE_BLANK = {"IF", "CHOOSE", "IFERROR", "IFNA", "INDEX"}
OF_NUMBERS = {"SUM", "SUMSQ", "MAX", "MIN", "PRODUCT", "AVERAGE", "MEDIAN", "COUNT"}  # they see numbers in a cell alone
Affine = tuple[int, int, int]  # a number that differs between copies: in the first, growth a row, growth a column


class NotTranslated(KernelError):
    """A formula that the kernel computes and that has no JavaScript form."""


def literal(value: Scalar) -> str:
    """Return a value as JavaScript that may stand in a <script> element: no < in it."""
    if isinstance(value, ExcelError):
        return f"FAULTS[{json.dumps(value.value)}]"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return json.dumps(value).replace("<", "\\u003c")
    short = abs(value) < 1e15 and value == int(value) and str(value) != "-0.0"
    return str(int(value)) if short else repr(value)


class Translator:
    """Expressions for the copies of a run. `areas` collects the rectangles that are the same for every copy."""

    def __init__(self, cells: Cells, layout: Layout, functions: dict[str, str], areas: dict[str, str]) -> None:
        self._cells, self._layout, self._functions, self._areas = cells, layout, functions, areas
        self._run = Run(next(iter(cells.values)))

    def formula(self, run: Run) -> str:
        """Return the value of a cell of a run. Raises NotTranslated or another KernelError with the first cell."""
        self._run = run
        text = self._cells.formula(run.first) or ""
        try:
            tree = parse(text)
            if isinstance(tree, Binary) and tree.operator in ("+", "-") and not bracketed(text):
                left, right = self._scalar(tree.left), self._scalar(tree.right)
                return f"last({OPERATORS[tree.operator]},{left},{right})"
            code = self._scalar(tree)
            return f"({code})??0" if self._may_be_blank(tree) else code
        except KernelError as error:
            raise error.at(run.first.a1) from None

    def _may_be_blank(self, node: Node) -> bool:
        """Say whether a formula can end in a blank, which its cell shows as 0."""
        while isinstance(node, Unary) and node.operator == "+":
            node = node.operand
        return isinstance(node, Cell | Range | Name | Missing) or (isinstance(node, Call) and node.name in MAY_BE_BLANK)

    # --- references
    def _number(self, number: Affine) -> str:
        first, down, right = number
        text = str(first)
        for growth, name, copies in ((right, "j", self._run.width), (down, "i", self._run.height)):
            if growth and copies > 1:
                text += f"+{name}" if growth == 1 else f"{growth:+d}*{name}"
        return text

    def _corner(self, cell: Cell) -> tuple[Affine, Affine]:
        """Return row and column of a reference."""
        down = 0 if cell.row_absolute else self._run.apart
        return (cell.row, down, 0), (cell.column, 0, 0 if cell.column_absolute else 1)

    def _sheet(self, cell: Cell) -> str:
        return self._run.first.sheet if cell.sheet is None else self._cells.sheet(cell.sheet)

    def _position(self, sheet: str, row: Affine, column: Affine) -> Affine:
        first = self._layout.position(sheet, row[0], column[0])
        return first, row[1] * self._layout.step(sheet), column[2]

    def _cell(self, node: Cell) -> str:
        return f"V[{self._number(self._position(self._sheet(node), *self._corner(node)))}]"

    def _area(self, node: Cell | Range) -> str:
        first, final = (node, node) if isinstance(node, Cell) else (node.first, node.last)
        sheet = self._sheet(first)
        (top, left), (bottom, right) = self._corner(first), self._corner(final)
        size = (_length(top, bottom), _length(left, right))
        parts = (self._position(sheet, top, left), (self._layout.step(sheet), 0, 0), *size, top, left)
        code = f"new Area(null,{','.join(map(self._number, parts))})"
        if "i" in code.partition("(")[2] or "j" in code:
            return code
        return self._areas.setdefault(code, f"A{len(self._areas)}")

    def _here(self) -> str:
        """Return row and column of the formula's own cell."""
        first = self._run.first
        return f"{self._number((first.row, self._run.apart, 0))},{self._number((first.column, 0, 1))}"

    # --- expressions
    def _scalar(self, node: Node) -> str:
        return self._value(node, Mode.SCALAR)

    def _value(self, node: Node, mode: Mode) -> str:
        match node:
            case Number(value) | Text(value) | Bool(value) | ErrorLiteral(value):
                return literal(value)
            case Missing():
                return "null"
            case Cell():
                return self._cell(node) if mode is Mode.SCALAR else self._area(node)
            case Range():
                return f"one({self._area(node)},{self._here()})" if mode is Mode.SCALAR else self._area(node)
            case Name():
                return self._value(named(self._cells, node, self._run.first.sheet), mode)
            case Unary("+", operand):
                return self._value(operand, mode)
            case Unary(operator, operand):
                name = "neg" if operator == "-" else "percent"
                if mode is Mode.ARRAY:
                    return f"spread({name},{self._value(operand, mode)})"
                return f"{name}({self._scalar(operand)})"
            case Binary():
                return self._operations(node, mode)
            case Call(name, args):
                return self._call(name, args, mode)

    def _operations(self, node: Binary, mode: Mode) -> str:
        inner = Mode.ARRAY if mode is Mode.ARRAY else Mode.SCALAR
        first, operations = chain(node)
        code = self._value(first, inner)
        for operation in operations:
            name, right = (OPERATORS | COMPARISONS)[operation.operator], self._value(operation.right, inner)
            code = f"spread({name},{code},{right})" if inner is Mode.ARRAY else f"{name}({code},{right})"
        return code

    def _call(self, name: str, args: tuple[Node, ...], mode: Mode) -> str:
        called = function(name, len(args))
        if called.kind == "reference":
            return self._where(name, args, mode)
        if called.kind == "lazy":
            return self._lazy(name, args, mode)
        if self._functions.get(name) != called.signature:
            raise NotTranslated(f"{name} has no JavaScript form.", "Write the cell with another function.")
        if name == "TEXT" and not (isinstance(args[1], Text) and FORMAT.fullmatch(args[1].value)):
            raise NotTranslated("TEXT with this format has no JavaScript form.", 'Write "0", "#,##0", "0.0" or "0%".')
        if name in SAME_SHAPE and len(args) == 3 and self._shape(args[0]) != self._shape(args[2]):
            raise NotTranslated(f"{name} has two ranges of different shape.", "Give both the same rows and columns.")
        kinds = letters(called.signature, len(args))
        codes = [self._argument(name, kind, arg, mode) for kind, arg in zip(kinds, args, strict=True)]
        if mode is Mode.ARRAY and any(kind not in "am" for kind in kinds):
            return f"lifted({literal(name)},{','.join([literal(kinds), *codes])})"
        if name == "INDEX" and mode is Mode.SCALAR:
            return f"indexed({','.join([self._here(), *codes])})"
        return f"F[{literal(name)}]({','.join(codes)})" if "." in name else f"F.{name}({','.join(codes)})"

    def _argument(self, name: str, kind: str, node: Node, mode: Mode) -> str:
        if isinstance(node, Cell) and name in OF_NUMBERS and mode is not Mode.ARRAY:
            return f"cell({self._cell(node)})"
        if kind == "m" or mode is Mode.ARRAY:
            return self._value(node, Mode.ARRAY)
        return self._value(node, Mode.REFERENCE if kind == "a" else Mode.SCALAR)

    def _shape(self, node: Node) -> object:
        """Return rows and columns of a reference; the node itself for anything else, which equals no other."""
        while isinstance(node, Name):
            node = named(self._cells, node, self._run.first.sheet)
        if isinstance(node, Range):
            return node.last.row - node.first.row, node.last.column - node.first.column
        return (0, 0) if isinstance(node, Cell) else node

    def _lazy(self, name: str, args: Sequence[Node], mode: Mode) -> str:
        """Return IF and its kin. `t` is read before a branch is computed, which may set it again."""
        ask: Callable[[Node], str] = lambda node: self._value(node, mode)  # noqa: E731 - as walk.py names it
        first = ask(args[0]) if mode is Mode.SCALAR else f"only({ask(args[0])})"
        if name == "IF":
            no = ask(args[2]) if len(args) > 2 else "false"
            compared = isinstance(args[0], Binary) and args[0].operator in COMPARISONS and mode is Mode.SCALAR
            truth = first if compared else f"toTruth({first})"
            return f"((t={truth})===true?{ask(args[1])}:t===false?{no}:t)"
        if name == "CHOOSE":
            choices = "".join(f"t==={n}?{ask(arg)}:" for n, arg in enumerate(args[1:], 1))
            return f"(t=pick({first},{len(args) - 1}),{choices}t)"
        test = "instanceof Fault" if name == "IFERROR" else "===NOT_AVAILABLE"
        return f"((t={first}){test if test[0] == '=' else ' ' + test}?{ask(args[1])}:t)"

    def _where(self, name: str, args: Sequence[Node], mode: Mode) -> str:
        """Return ROW, COLUMN, ROWS or COLUMNS: they look at where a reference is."""
        here = self._run.first
        node: Node = Cell(None, here.row, here.column) if not args else args[0]
        while isinstance(node, Name):
            node = named(self._cells, node, here.sheet)
        if not isinstance(node, Cell | Range) or (args and mode is not Mode.SCALAR and name in ("ROW", "COLUMN")):
            raise NotTranslated(f"{name} has no JavaScript form here.", "Point it at cells, outside other functions.")
        first, final = (node, node) if isinstance(node, Cell) else (node.first, node.last)
        axis = name.startswith("COLUMN")
        start, end = self._corner(first)[axis], self._corner(final)[axis]
        return self._number(_length(start, end) if name.endswith("S") else start)


def _length(start: Affine, end: Affine) -> Affine:
    """Return how many rows or columns there are from start to end."""
    return end[0] - start[0] + 1, end[1] - start[1], end[2] - start[2]
