"""The functions of a workbook that `formulas` has compiled, called one after the other.

The package hands values from cell to cell, and inside each formula from function to function, by a search through a
graph that takes most of a calculation. Here the same functions get the same arguments in an order found once; a cell
whose arguments are those of the calculation before keeps its value. Parser, functions and ranges are the package's.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from graphlib import TopologicalSorter
from types import SimpleNamespace
from typing import Any

import formulas
import schedula
from formulas.cell import InvRangesAssembler

Values = dict[Any, Any]
Filters = Sequence[Callable[[Any], Any]]
Step = tuple[Any, tuple[Any, ...], Callable[..., Any], Filters]  # what it gives, what it reads, how


class Steps:
    """The cells of a compiled workbook in an order in which each comes behind those that it reads."""

    def __init__(self, graph: Any) -> None:
        self._filters = {name: node.get("filters", ()) for name, node in graph.data_nodes.items()}
        self._constants = {name: default["value"] for name, default in graph.default_values.items()}
        self._steps = _in_order(
            {name: node for name, node in graph.function_nodes.items() if not _back(node["function"])}
        )
        self._known: Values = {}
        self._made: dict[Any, tuple[tuple[Any, ...], Any]] = {}  # what a node was computed from, and its value

    def run(self, inputs: Mapping[str, Any]) -> Values:
        """Return the value of every node, with other values in some."""
        values = {name: self._kept(name, value) for name, value in {**self._constants, **inputs}.items()}
        values[schedula.SELF] = SimpleNamespace(solution=values)  # for the blank cells of a range
        for name, needed, function, filters in self._steps:
            if name in inputs:
                continue
            arguments = _given(needed, values)
            before, value = self._made.get(name, (None, None))
            if before is None or not _same_things(before, arguments) or schedula.SELF in needed:
                value = self._kept(name, _filtered(function(*arguments), filters))
                self._made[name] = arguments, value
            values[name] = value
        return values

    def _kept(self, name: Any, value: Any) -> Any:
        """Return the value of a node: that of the calculation before where it is the same one."""
        value = _filtered(value, self._filters.get(name, ()))
        known = self._known.get(name)
        if known is not None and _same(known, value):
            return known
        self._known[name] = value
        return value


def _back(function: Any) -> bool:
    """Tell whether a function gives a range or a name back to its cells, which have their values already."""
    return function is schedula.bypass or isinstance(function, InvRangesAssembler)


class Formula:
    """A formula that the package has parsed: its functions in their order. Stands in for the package's own class."""

    def __init__(self, graph: Any, name: str, inputs: Mapping[Any, Any], outputs: Sequence[Any], **_: Any) -> None:
        self.__name__ = self.function_id = name
        self.dsp, self.inputs, self.outputs = graph, inputs, outputs
        self._steps = _in_order(graph.function_nodes)
        self._filters = {name: node["filters"] for name, node in graph.data_nodes.items() if "filters" in node}
        self._constants = {name: default["value"] for name, default in graph.default_values.items()}

    def __call__(self, *arguments: Any) -> Any:
        """Return the value of the formula for what it reads, in the order of `inputs`."""
        values = {**self._constants, **dict(zip(self.inputs, arguments, strict=True))}
        for name in self._filters.keys() & values.keys():
            values[name] = _filtered(values[name], self._filters[name])
        for name, needed, function, filters in self._steps:
            read = _given(needed, values)
            values[name] = _filtered(_filtered(function(*read), filters), self._filters.get(name, ()))
        return values[self.outputs[0]]


def _in_order(nodes: Mapping[Any, Any]) -> list[Step]:
    """Return the functions of a graph, each behind those whose results it reads."""
    made = {output: name for name, node in nodes.items() for output in node["outputs"]}
    assert len(made) == len(nodes), "two functions give one result"
    reads = {name: [made[each] for each in node["inputs"] if each in made] for name, node in nodes.items()}
    ordered = map(nodes.__getitem__, TopologicalSorter(reads).static_order())
    return [(node["outputs"][0], tuple(node["inputs"]), node["function"], node.get("filters", ())) for node in ordered]


def _given(needed: Sequence[Any], values: Values) -> tuple[Any, ...]:
    """Return the values of some nodes; one without a value is no argument."""
    return tuple(value for value in map(values.__getitem__, needed) if value is not schedula.NONE)


def _filtered(value: Any, filters: Filters) -> Any:
    for each in filters:
        value = each(value)
    return value


def _same_things(one: Sequence[Any], other: Sequence[Any]) -> bool:
    return len(one) == len(other) and all(map(operator.is_, one, other))


def _same(one: Any, other: Any) -> bool:
    """Tell whether two values of a node are the same cells with the same contents of the same types."""
    if not (isinstance(one, formulas.Ranges) and isinstance(other, formulas.Ranges)) or one.ranges != other.ranges:
        return False
    if not (one.values and other.values) or one.value.shape != other.value.shape:
        return False
    return all(type(a) is type(b) and a == b for a, b in zip(one.value.flat, other.value.flat, strict=True))
