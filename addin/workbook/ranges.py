"""What the input cells of a workbook accept: ranges and lists, read from the validations of the saved file.

No application gives them through xlwings: an open workbook has the ranges of its saved file, or those it was shipped
with when there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from xml.etree import ElementTree
from xml.parsers.expat import ExpatError

from addin.errors import BookError
from addin.kernel import Address, KernelError
from addin.kernel.formula.cells import quoted
from addin.xlsx.package import open_parts
from addin.xlsx.parts import WORKBOOK
from addin.xlsx.validations import Validation, bound, read_validations
from addin.xlsx.workbook_part import Name, defined_names, sheet_parts

PREFIX = "In_"


@dataclass(frozen=True)
class Rule:
    """What one input accepts: numbers from `minimum` to `maximum`, a list (a name, an area, "a,b"), or any text.

    `integer` says that numbers have no fraction, `longest` how many characters a text may have.
    """

    minimum: float | None = None
    maximum: float | None = None
    source: str = ""
    text: bool = False
    integer: bool = False
    longest: float | None = None


def saved_rules(path: Path, prefix: str = PREFIX) -> Mapping[str, Rule]:
    """Return the rules of a saved workbook by the names with a prefix, which they lose; of an area its first cell's.

    Empty where the file is no such package.
    """
    rules: dict[str, Rule] = {}
    try:
        with open_parts(path) as parts:
            inputs = _inputs(defined_names(parts[WORKBOOK]), prefix)
            for title, part in sheet_parts(parts).items():
                here = {key: address for key, address in inputs.items() if address.sheet == title}
                for validation in read_validations(parts[part]) if here else ():
                    rule = _rule(validation, title)
                    if rule:
                        covered = [key for key, address in here.items() if validation.covers(address[1:])]
                        rules |= dict.fromkeys(covered, rule)
    except (OSError, KeyError, ValueError, BookError, ElementTree.ParseError, ExpatError):
        return MappingProxyType({})
    return MappingProxyType(rules)


@lru_cache(maxsize=1)
def shipped_rules() -> Mapping[str, Rule]:
    """Return the rules that the workbook is built with."""
    from model.reading.read import read  # the data of the model, for a workbook that is saved nowhere

    return MappingProxyType(
        {i.key: Rule(i.minimum, i.maximum, i.choices, i.kind == "text", i.whole) for i in read().inputs}
    )


def _inputs(names: Iterable[Name], prefix: str) -> dict[str, Address]:
    """Return the first cells that the names with a prefix point at."""
    inputs = {}
    for name, _, meaning in names:
        if name.startswith(prefix):
            try:
                inputs[name.removeprefix(prefix)] = Address.from_a1(meaning.partition(":")[0])
            except KernelError:
                continue
    return inputs


def _rule(validation: Validation, title: str) -> Rule | None:
    kind, first = validation.kind, validation.first
    if kind == "list":
        complete = "!" in first or first.startswith('"') or ":" not in first
        return Rule(source=first if complete else f"{quoted(title)}!{first}")
    try:
        low, high = (bound(text) if validation.operator == "between" else None for text in (first, validation.second))
    except ValueError:
        low = high = None
    if kind == "textLength":
        return Rule(text=True, longest=high)
    if kind not in ("decimal", "whole", "date", "time") or low is None:
        return None
    return Rule(low, high, integer=kind == "whole")
