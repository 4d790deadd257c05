"""What an application stored in a workbook against the kernel, as one text: the proof to attach to an issue."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from addin.audit import saved
from addin.kernel import Address, Cells, Evaluator, ExcelError, KernelError, Scalar
from addin.numerals import numeral
from addin.reported import plain
from addin.workbook.digests import both
from addin.xlsx.stored_compared import Stored, near, same
from addin.xlsx.stored_results import StoredResults

HEADING = "Stored results against the kernel"
LEFT_OUT = "(about money, left out)"


@dataclass(frozen=True)
class Proof:
    """The text, how many results the file stores, how many differ, and how many formulas have none stored."""

    text: str
    stored: int
    differing: int
    without: int


def proof(path: Path, cells: Cells, money: Collection[Address] = ()) -> Proof:
    """Compare every stored result with the kernel's; the values of the cells of `money` are not in the text.

    First causes come first: cells that differ although everything they read is right.
    """
    evaluator, formulas = Evaluator(cells), list(cells.formulas())
    stored = StoredResults(path).shown(formulas)
    computed: dict[Address, Scalar] = {}
    refused: dict[Address, str] = {}
    for at in stored:
        try:
            computed[at] = evaluator.value(at)
        except KernelError as error:
            refused[at] = str(error)
    pairs = [Stored(at, stored[at], value) for at, value in computed.items()]
    other = [each for each in pairs if not same(each.stored, each.computed)]
    digits = {each.address for each in other if near(cells, evaluator, each)}
    wrong = [each for each in other if each.address not in digits]
    without = [at for at in formulas if at not in stored]
    counts = (
        ("formulas", len(formulas)), ("stored", len(stored)), ("the same to 15 digits", len(pairs) - len(other)),
        ("other last digits", len(digits)), ("different", len(wrong)), ("not computed by the kernel", len(refused)),
        ("without a stored result", len(without)),
    )  # fmt: skip
    lines = [
        HEADING,
        f"file\t{path.name}, sha256 {hashlib.sha256(path.read_bytes()).hexdigest()}",
        f"workbook\t{both(cells)}",
        f"saved by\t{saved.read(path).application or 'an application that does not name itself'}",
        *(f"{what}\t{numeral(count)}" for what, count in counts),
        "",
        "cell\tformula\tstored\tkernel",
        *(_line(cells, each, money) for each in [*wrong, *(each for each in other if each.address in digits)]),
        *(f"{at.a1}\t{plain(cells.formula(at) or '')}\t{_shown(stored[at], at, money)}\t{plain(said)}"
          for at, said in refused.items()),
        *(f"{at.a1}\t{plain(cells.formula(at) or '')}\t\t" for at in without),
    ]  # fmt: skip
    return Proof("\n".join(lines) + "\n", len(stored), len(wrong), len(without))


def _line(cells: Cells, found: Stored, money: Collection[Address]) -> str:
    at = found.address
    values = (_shown(value, at, money) for value in (found.stored, found.computed))
    return "\t".join((at.a1, plain(cells.formula(at) or ""), *values))


def _shown(value: Scalar, at: Address, money: Collection[Address]) -> str:
    """Return a value with all of its digits."""
    if at in money:
        return LEFT_OUT
    if isinstance(value, ExcelError):
        return value.value
    if isinstance(value, bool):
        return str(value).upper()
    return repr(value) if isinstance(value, float) else f'"{plain(str(value or ""))}"'
