"""The safe list (functions.csv) joined with what each function does."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from addin.kernel.errors import SLOW, UnsupportedFunction
from addin.kernel.excel.values import ExcelError, Fault, Value, single
from addin.kernel.scalar import (
    functions_distributions,
    functions_finance,
    functions_logic,
    functions_lookup,
    functions_math,
    functions_statistics,
    functions_text,
)
from addin.kernel.scalar.signatures import COERCIONS, Table

TABLES: tuple[Table, ...] = (
    functions_math.FUNCTIONS,
    functions_logic.FUNCTIONS,
    functions_lookup.FUNCTIONS,
    functions_statistics.FUNCTIONS,
    functions_distributions.FUNCTIONS,
    functions_finance.FUNCTIONS,
    functions_text.FUNCTIONS,
)


@dataclass(frozen=True)
class Function:
    """One line of the safe list. `since` newer than 2007 needs the `_xlfn.` prefix in the file.

    `kind` says what the function sees: scalar, range (a summary of cells), lookup, lazy (evaluates what it needs),
    reference (looks at where it is, not at values; `call` is None, walk.py does it).
    """

    name: str
    category: str
    min_args: int
    max_args: int
    since: int
    kind: str
    signature: str
    call: Callable[..., Any] | None

    def applied(self, kinds: str, values: Sequence[Value]) -> Value:
        """Return the result for evaluated arguments, each coerced as its letter says. Raises Fault with the error."""
        return self.called(*map(_coerced, kinds, values))

    def called(self, *args: Any) -> Value:
        """Return the result for arguments as the function expects them. Raises Fault with the error."""
        assert self.call is not None
        try:
            result: Value = self.call(*args)
        except (OverflowError, ValueError, ZeroDivisionError):
            raise Fault(ExcelError.NUM) from None
        if type(result) is float and not math.isfinite(result):
            raise Fault(ExcelError.NUM)
        return result


def _coerced(kind: str, value: Value) -> Any:
    """Return an argument as the letter of a signature says. Raises Fault with the error it holds."""
    if kind in COERCIONS:
        return COERCIONS[kind](single(value))
    scalar = value if kind in "am" else single(value)
    if kind == "s" and isinstance(scalar, ExcelError):
        raise Fault(scalar)
    return scalar


@cache
def safe_functions() -> Mapping[str, Function]:
    """Return the safe list by name."""
    semantics = {name: entry for table in TABLES for name, entry in table.items()}
    text = Path(__file__).with_name("functions.csv").read_text(encoding="utf-8")
    functions = {}
    for row in csv.DictReader(text.splitlines()):
        signature, call = semantics.get(row["name"], ("", None))
        limits = int(row["min_args"]), int(row["max_args"])
        functions[row["name"]] = Function(
            row["name"], row["category"], *limits, int(row["since"]), row["kind"], signature, call
        )
    return functions


_NEWER = ("DAYS", "IFS", "XLOOKUP")  # of Excel too, and one letter from a listed one; the list of openpyxl is of 2010


def _meant(name: str) -> str:
    """Return the listed function whose name lacks or has one letter more, or two of them swapped; "" of Excel's own."""
    from openpyxl.utils import FORMULAE  # for a formula that is refused

    if name in FORMULAE or name in _NEWER:
        return ""
    pairs = [name[:at] + name[at + 1] + name[at] + name[at + 2 :] for at in range(len(name) - 1)]
    near = {*_shorter(name), *pairs}
    return next((known for known in safe_functions() if known in near or name in _shorter(known)), "")


def _shorter(name: str) -> set[str]:
    return {name[:at] + name[at + 1 :] for at in range(len(name))}


@lru_cache(maxsize=4096)
def function(name: str, count: int) -> Function:
    """Return a function of the safe list for so many arguments. Raises UnsupportedFunction, without the cell."""
    known = safe_functions().get(name)
    if known is None:
        instead = "INDEX" if name in ("OFFSET", "INDIRECT") else "functions of the safe list"
        meant = _meant(name)
        rewrite = f"Did you mean {meant}? Else rewrite" if meant else "Rewrite"
        raise UnsupportedFunction(
            f"{name} is not supported by the kernel.",
            f"{rewrite} the cell with {instead}, {SLOW}.",
        )
    fixed, _, repeated = known.signature.partition(":")
    incomplete = len(repeated) > 1 and (count - len(fixed)) % len(repeated)
    if incomplete or not known.min_args <= count <= known.max_args:
        wanted = f"{known.min_args}" + (f" to {known.max_args}" if known.max_args != known.min_args else "")
        wanted += ", the last ones in pairs" if incomplete else ""
        raise UnsupportedFunction(f"{name} has {count} arguments, it takes {wanted}.", "Correct the formula.")
    return known
