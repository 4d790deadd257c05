"""What the input cells of a workbook accept: ranges and lists, read from the validations in its package.

Excel writes a list that stands on another sheet as an extension; both forms are read. No application tells this
through xlwings: an open workbook has the ranges of its saved file, or those it was shipped with when there is none.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from openpyxl.worksheet.cell_range import MultiCellRange

from addin.kernel import Address, KernelError
from addin.kernel.formula.cells import quoted
from addin.workbook.cached import parts_by_sheet
from model.reading.read import read

PREFIX = "In_"
_WORKBOOK = "xl/workbook.xml"


@dataclass(frozen=True)
class Rule:
    """What one input accepts: numbers from `minimum` to `maximum`, or the texts of a list (a name, an area, "a,b")."""

    minimum: float | None = None
    maximum: float | None = None
    source: str = ""


def saved_rules(path: Path) -> Mapping[str, Rule]:
    """Return the rules of a saved workbook by key of the input; empty where the file is no such package."""
    try:
        with zipfile.ZipFile(path) as package:
            inputs = _inputs(package)
            found: dict[str, Rule] = {}
            for title, part in parts_by_sheet(package).items():
                here = {key: address for key, address in inputs.items() if address.sheet == title}
                if here:
                    found |= _rules(package, title, part, here)
            return MappingProxyType(found)
    except (OSError, KeyError, zipfile.BadZipFile, ElementTree.ParseError):
        return MappingProxyType({})


@lru_cache(maxsize=1)
def shipped_rules() -> Mapping[str, Rule]:
    """Return the rules that the workbook is built with."""
    return MappingProxyType(
        {
            item.key: Rule(item.minimum, item.maximum) if item.kind == "number" else Rule(source=item.choices)
            for item in read().inputs
        }
    )


def _inputs(package: zipfile.ZipFile) -> dict[str, Address]:
    """Return the input cells that the package's names point at."""
    found = {}
    for element in ElementTree.fromstring(package.read(_WORKBOOK)).iter():
        name = element.get("name", "")
        if _tag(element) == "definedName" and name.startswith(PREFIX) and element.text:
            try:
                found[name.removeprefix(PREFIX)] = Address.from_a1(element.text)
            except KernelError:
                continue
    return found


def _rules(package: zipfile.ZipFile, title: str, part: str, inputs: Mapping[str, Address]) -> dict[str, Rule]:
    found = {}
    for element in _validations(package, part):
        texts = {_tag(child): "".join(child.itertext()).strip() for child in element}
        rule = _rule(element.attrib, texts, title)
        cells = MultiCellRange(element.get("sqref") or texts.get("sqref", ""))
        for key, address in inputs.items():
            if rule and address.a1.rpartition("!")[2] in cells:
                found[key] = rule
    return found


def _validations(package: zipfile.ZipFile, part: str) -> Iterator[Element]:
    with package.open(part) as stream:
        for _, element in ElementTree.iterparse(stream):
            if _tag(element) == "dataValidation":
                yield element
            elif _tag(element) == "row":
                element.clear()


def _rule(attributes: Mapping[str, str], texts: Mapping[str, str], title: str) -> Rule | None:
    kind, first, second = attributes.get("type", "none"), texts.get("formula1", ""), texts.get("formula2", "")
    if kind in ("decimal", "whole") and attributes.get("operator", "between") == "between":
        try:
            return Rule(float(first), float(second))
        except ValueError:
            return None
    if kind == "list":
        plain = "!" in first or first.startswith('"') or ":" not in first
        return Rule(source=first if plain else f"{quoted(title)}!{first}")
    return None


def _tag(element: Element) -> str:
    return element.tag.rpartition("}")[2]
