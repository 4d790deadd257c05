"""What our sources use of xlwings, and what xlwings then asks of an engine: both read from the sources themselves.

Types come from annotations: those of our functions and those of xlwings' public classes. `book.sheets["A"].range("B2")`
is Book.sheets, Sheets.__getitem__, Sheet.range.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType

import xlwings as xw

ELEMENTS = {
    "Apps": "App", "Books": "Book", "Sheets": "Sheet", "Names": "Name", "Range": "Range", "Sheet": "Range",
    "RangeRows": "Range", "RangeColumns": "Range",
}  # fmt: skip
PUBLIC = (*ELEMENTS, "App", "Book", "Name")
# Values go through xlwings' converters, which are no members of a class.
VALUE = {"raw_value", "shape", "api", "sheet", "max_cells_per_read", "max_cells_per_write"}

MANY = "many "

Member = tuple[str, str]


def used(modules: Iterable[ModuleType]) -> set[Member]:
    """Return class and member of everything that modules use of xlwings."""
    members: set[Member] = set()
    for module in modules:
        tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
        results = {
            node.name: kind
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef) and node.returns and (kind := _kind(ast.unparse(node.returns)))
        }
        own = {
            node.target.attr: kind
            for node in ast.walk(tree)
            if isinstance(node, ast.AnnAssign)
            and isinstance(node.target, ast.Attribute)
            and (kind := _kind(ast.unparse(node.annotation)))
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                members |= _Uses(results, own).of(node)
    return members


class _Uses:
    """The members that one function uses; variables keep the type they get first."""

    def __init__(self, results: dict[str, str], own: dict[str, str]) -> None:
        self.results = results
        self.own = own  # attributes of the object itself
        self.known: dict[str, str] = {}
        self.members: set[Member] = set()

    def of(self, function: ast.FunctionDef) -> set[Member]:
        for argument in (*function.args.args, *function.args.kwonlyargs):
            if argument.annotation:
                self._bind(ast.Name(argument.arg), _kind(ast.unparse(argument.annotation)))
        for _ in range(2):  # a comprehension names its variable after it is used
            for node in ast.walk(function):
                self._visit(node)
        return self.members

    def _visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                names, values = (
                    (target.elts, node.value.elts)
                    if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple)
                    else ([target], [node.value])
                )
                for name, value in zip(names, values, strict=True):
                    self._bind(name, self._type(value))
        elif isinstance(node, ast.For | ast.comprehension):
            kind = self._type(node.iter) or ""
            self._bind(node.target, kind.removeprefix(MANY) if kind.startswith(MANY) else ELEMENTS.get(kind))
        elif isinstance(node, ast.With):
            for item in node.items:
                if item.optional_vars is not None:
                    self._bind(item.optional_vars, self._type(item.context_expr))
        elif isinstance(node, ast.expr):
            self._type(node)

    def _bind(self, target: ast.expr, kind: str | None) -> None:
        if isinstance(target, ast.Name) and kind:
            self.known.setdefault(target.id, kind)

    def _type(self, node: ast.expr) -> str | None:
        """Return the class of an expression, None when it is none of xlwings'; note what it uses."""
        match node:
            case ast.Name(name):
                return self.known.get(name)
            case ast.Attribute(ast.Name("self"), name):
                return self.own.get(name)
            case ast.Attribute(value, member) if (kind := self._type(value)) in PUBLIC:
                self.members.add((kind, member))
                return _result(kind, member)
            case ast.Subscript(value) if (kind := self._type(value)) in PUBLIC:
                self.members.add((kind, "__getitem__"))
                return ELEMENTS.get(kind)
            case ast.Call(ast.Name("next"), [ast.GeneratorExp(element), *_]):
                return self._type(element)
            case ast.Call(ast.Name(name)):
                return self.results.get(name)
            case ast.Call(function):
                kind = self._type(function)
                if isinstance(function, ast.Attribute) or kind is None:
                    return kind
                self.members.add((kind, "__call__"))
                return ELEMENTS.get(kind)
            case ast.IfExp(_, first, second) | ast.BoolOp(_, [first, second]):
                return self._type(first) or self._type(second)
        return None


def _kind(annotation: str) -> str | None:
    """Return the public class that an annotation names, marked where it names many."""
    words = re.findall(r"\w+", annotation)
    kind = next((word for word in words if word in PUBLIC), None) if "xw" in words else None
    many = {"Iterable", "Iterator", "Sequence", "list"} & set(words)
    return f"{MANY}{kind}" if kind and many else kind


def _result(kind: str, member: str) -> str | None:
    attribute = inspect.getattr_static(getattr(xw.main, kind), member, None)
    function = attribute.fget if isinstance(attribute, property) else attribute
    annotation = str(getattr(function, "__annotations__", {}).get("return", ""))
    return next((word for word in re.findall(r"\w+", annotation) if word in PUBLIC), None)


def reached(kind: str, member: str, seen: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield the members of an engine's class that a public member leads to, by the source of xlwings."""
    if (kind, member) == ("Range", "value"):
        yield from VALUE
        return
    attribute = inspect.getattr_static(getattr(xw.main, kind), member, None)
    functions = (attribute.fget, attribute.fset) if isinstance(attribute, property) else (attribute,)
    for function in functions:
        if not inspect.isfunction(function):
            continue
        for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))):
            match node:
                case ast.Attribute(ast.Attribute(ast.Name("self"), "impl" | "_impl"), name):
                    yield name
                case ast.Call(ast.Name("self") | ast.Attribute(ast.Name("self"), "impl" | "_impl")):
                    yield "__call__"
                case ast.Attribute(ast.Name("self"), name) if name not in {*seen, member, "impl", "_impl"}:
                    yield from reached(kind, name, seen | {member})
