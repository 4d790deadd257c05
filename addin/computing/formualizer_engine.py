"""The slow way: formualizer computes the workbook one trial after the other, where the kernel refuses a cell.

The extra [slow]. It knows functions that the kernel does not (QUOTIENT, IFS, XLOOKUP, OFFSET ...) and takes about 20 ms
for a trial of the shipped workbook, a million times longer. It does not round as Excel does: ROUNDUP and its kin look
at 15 digits, CEILING, FLOOR and comparisons do not, so that a trial beside a whole number may go another way.
"""

from __future__ import annotations

import datetime
import hashlib
import importlib.util
import math
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from threading import local
from typing import Any

import numpy as np
from openpyxl.utils.datetime import to_excel

from addin.computing.kernel_engine import CHECKED, Budget, Check
from addin.errors import BookError, RequestError
from addin.kernel import Address, Cells, ExcelError, KernelError, Scalar, precedents
from addin.kernel.formula.graph import order
from addin.kernel.scalar.evaluate import Evaluator
from addin.kernel.trials.codes import ERRORS, TEXT
from addin.kernel.trials.compile import Result, difference
from addin.kernel.trials.fold import Limits
from addin.kernel.trials.slices import Floats, origin, reduced

NAME = "formualizer"
NOTE = (
    "Computed by formualizer, one trial after the other: it does not round as Excel does, and a result beside a whole "
    "number may differ from what Excel shows."
)
CLOSE = 1e-9  # relative
KINDS = {
    "Null": ExcelError.NULL,
    "Div": ExcelError.DIV0,
    "Value": ExcelError.VALUE,
    "Ref": ExcelError.REF,
    "Name": ExcelError.NAME,
    "Num": ExcelError.NUM,
    "Na": ExcelError.NA,
}


@dataclass(frozen=True)
class Formualizer:
    """A workbook's file for formualizer: its bytes and their digest; `release` is the formualizer that has to do it."""

    package: bytes = field(repr=False)
    digest: str
    title: str
    release: str
    name: str = NAME
    note: str = NOTE
    budget: Budget = Budget(  # noqa: RUF009 - frozen
        trials=1024, most_trials=65_536, chunk=64, pilot=256, drivers=1024, points=65, parts=17, grid=2000
    )

    def values(self, cells: Cells, overrides: Mapping[Address, Scalar]) -> Loaded:
        """Return the workbook, loaded, with other values in some cells."""
        return Loaded(self, cells, overrides)

    def runner(
        self,
        cells: Cells,
        inputs: Sequence[Address],
        outputs: Sequence[Address],
        fixed: Mapping[Address, Scalar],
        limits: Mapping[Address, Limits],
    ) -> TrialByTrial:
        """Return what computes the outputs trial by trial; it needs no limits."""
        return TrialByTrial(self, cells, tuple(inputs), tuple(outputs), fixed)


def formualizer_for(path: Path) -> Formualizer:
    """Return the engine of a workbook. Raises RequestError without the extra."""
    if importlib.util.find_spec("formualizer") is None:
        raise RequestError(
            "--engine formualizer needs the package formualizer. Install the extra: pip install -e '.[slow]'."
        )
    package = path.read_bytes()
    return Formualizer(package, hashlib.sha256(package).hexdigest(), path.name, version(NAME))


class Loaded:
    """A workbook that formualizer has loaded, with the values of one case. Not for two threads at once."""

    def __init__(self, engine: Formualizer, cells: Cells, overrides: Mapping[Address, Scalar]) -> None:
        """Load the workbook. Raises BookError where formualizer cannot, RequestError where it is another release."""
        import formualizer

        if version(NAME) != engine.release:
            raise RequestError(
                f"formualizer {version(NAME)} is installed on a worker, here it is {engine.release}, so that figures "
                "might differ. Install the same release."
            )
        self.cells = cells.with_values(overrides)
        try:
            self._book = formualizer.load_workbook_bytes(engine.package)
        except Exception as error:  # whatever its reader raises
            raise BookError(
                f"{engine.title}: formualizer cannot read it ({_line(error)}). Leave --engine formualizer out."
            ) from error
        self.set(overrides)

    def set(self, values: Mapping[Address, Scalar]) -> None:
        """Put values in cells. Raises RequestError for an error value, which cannot be put."""
        for address, value in values.items():
            if isinstance(value, ExcelError):
                raise RequestError(f"{address.a1}: {value.value} cannot be an input of formualizer. Set it.")
            self._book.set_value(*address, value)

    def value(self, address: Address) -> Scalar:
        """Return the value of a cell; None where it is blank. Raises KernelError for a circle."""
        return self.read((address,))[0]

    def read(self, addresses: Sequence[Address]) -> list[Scalar]:
        """Return the values of cells. Raises KernelError for a circle."""
        values = self._book.evaluate_cells([tuple(address) for address in addresses])
        return [_scalar(value, address) for value, address in zip(values, addresses, strict=True)]


def _scalar(value: Any, address: Address) -> Scalar:
    """Return a value as the kernel writes it; errors come as dicts that name their kind, dates as dates."""
    if isinstance(value, dict):
        if value.get("kind") == "Circ":
            raise KernelError("The cell depends on itself.", "Break the circle.", address.a1)
        return KINDS.get(str(value.get("kind")), ExcelError.VALUE)
    if isinstance(value, datetime.date | datetime.time | datetime.timedelta):
        return float(to_excel(value))
    if isinstance(value, bool | str) or value is None:
        return value
    number = float(value)
    return number if math.isfinite(number) else ExcelError.NUM


class TrialByTrial:
    """The outputs for many values of the inputs, one trial after the other; each thread has its own workbook."""

    def __init__(
        self,
        engine: Formualizer,
        cells: Cells,
        inputs: tuple[Address, ...],
        outputs: tuple[Address, ...],
        fixed: Mapping[Address, Scalar],
    ) -> None:
        self._engine, self._fixed = engine, fixed
        self._cells = cells.with_values(fixed)
        self.inputs, self.outputs = inputs, outputs
        self._own = local()

    @property
    def described(self) -> tuple[tuple[str, str], ...]:
        """The engine and its version."""
        return (("engine", f"{NAME} {self._engine.release}, not Excel's rounding"),)

    @property
    def native(self) -> None:
        """No slice in native code."""

    @cached_property
    def unreached(self) -> tuple[Address, ...]:
        """The inputs that no output reads, none where a formula on the way hides what it reads."""
        cells = self._cells.with_values(dict.fromkeys(self.inputs, 0.0))
        try:
            reached = {read for cell in order(cells, self.outputs) for read in precedents(cells, cell)}
        except KernelError:  # a formula that the kernel's grammar does not have
            return ()
        return tuple(address for address in self.inputs if address not in reached)

    def run(self, x: Floats, threads: int = 1, into: Result | None = None) -> Result:
        """Return the results of trials x (inputs, trials), always in memory of its own."""
        if threads > 1 and x.shape[1] > threads:
            with ThreadPoolExecutor(threads) as pool:
                rows = [row for part in pool.map(self._rows, np.array_split(x, threads, axis=1)) for row in part]
        else:
            rows = self._rows(x)
        values = np.full((len(self.outputs), x.shape[1]), math.nan)
        codes = np.zeros(values.shape, np.int32)
        labels: dict[str, int] = {}
        for trial, row in enumerate(rows):
            for output, value in enumerate(row):
                if isinstance(value, ExcelError):
                    codes[output, trial] = ERRORS.index(value) + 1
                elif isinstance(value, str):
                    codes[output, trial] = TEXT + labels.setdefault(value, len(labels))
                else:
                    values[output, trial] = float(value or 0.0)
        return Result(values, codes, tuple(labels), x.shape[1])

    def _rows(self, x: Floats) -> list[list[Scalar]]:
        book, rows = self._loaded(), []
        for trial in x.T.tolist():
            book.set(dict(zip(self.inputs, trial, strict=True)))
            rows.append(book.read(self.outputs))
        return rows

    def _loaded(self) -> Loaded:
        if not hasattr(self._own, "book"):
            self._own.book = self._engine.values(self._cells, self._fixed)
        book: Loaded = self._own.book
        return book

    def locate(self, x: Floats) -> list[tuple[Address, ExcelError, Address]]:
        """Return the errors of one trial x (inputs,) as output, error, cell where it starts."""
        book = self._loaded()
        book.set(dict(zip(self.inputs, x.tolist(), strict=True)))
        errors = []
        for output, value in zip(self.outputs, book.read(self.outputs), strict=True):
            if isinstance(value, ExcelError):
                errors.append((output, value, self._origin(book, output, value)))
        return errors

    def _origin(self, book: Loaded, output: Address, error: ExcelError) -> Address:
        try:
            return origin(book.cells, book.value, output, error)
        except KernelError:  # a formula that the kernel's grammar does not have: what it reads is not known
            return output

    def checked(self, x: Floats, seed: int) -> Check:
        """Compare random trials with the kernel's scalar evaluator, for the outputs that it knows; differences warn."""
        known = [output for output in self.outputs if self._known(output)]
        if not known:
            return Check(0, 0.0, ("No result is checked: a cell on the way of each is outside the kernel's list.",))
        chosen = np.random.default_rng(seed).choice(x.shape[1], size=min(CHECKED, x.shape[1]), replace=False)
        near, result = reduced(self._cells, self.inputs, known), self.run(x[:, chosen])
        worst, differing = 0.0, dict[Address, None]()
        for column, trial in enumerate(chosen):
            evaluator = Evaluator(near, dict(zip(self.inputs, x[:, trial].tolist(), strict=True)))
            for output in known:
                gap = difference(result.scalar(self.outputs.index(output), column), evaluator.value(output))
                worst = max(worst, gap)
                if gap > CLOSE:
                    differing[output] = None
        warnings = []
        if differing:
            cells = ", ".join(address.a1 for address in differing)
            warnings.append(f"formualizer differs from the kernel, which rounds as Excel does, in {cells}.")
        if len(known) < len(self.outputs):
            cells = ", ".join(output.a1 for output in self.outputs if output not in known)
            warnings.append(f"Not checked, as a cell on the way is outside the kernel's list: {cells}.")
        return Check(len(chosen), worst, tuple(warnings))

    def _known(self, output: Address) -> bool:
        try:
            Evaluator(self._cells).value(output)
        except KernelError:
            return False
        return True


def _line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
