"""The package `formulas` as a judge: load a workbook once, calculate it with other inputs as often as needed.

Loading is the dear part, so a loaded workbook is kept for the whole run; tests/support/formulas_steps.py calls what the
package compiled. Its known faults stand in `tests/support/test_formulas_engine.py`; they are pinned there, not waved
through.
"""

import functools
import hashlib
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest import mock

import openpyxl

from tests.support.compare import Address, Value

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the package and what it imports warn about their own syntax and deprecations
    import formulas
    import schedula
    from formulas.builder import AstBuilder
    from formulas.functions import XlError

    from tests.support.formulas_steps import Formula, Steps


class LoadedWorkbook:
    """A workbook that `formulas` has compiled. Calculations do not influence each other.

    `itself`: the package hands the values on by its own search, which takes five times as long.
    """

    def __init__(self, path: Path, *, itself: bool = False) -> None:
        self._book = path.name
        self._titles = {title.upper(): title for title in openpyxl.load_workbook(path).sheetnames}
        compiled = AstBuilder.compile_class if itself else Formula
        with (
            warnings.catch_warnings(),
            mock.patch.object(AstBuilder, "compile_class", compiled),
            mock.patch.object(AstBuilder, "compile", _compile),
        ):
            warnings.simplefilter("ignore")
            self._model = formulas.ExcelModel().loads(str(path)).finish()
        self._calculated = self._model.calculate if itself else Steps(self._model.dsp).run

    def calculate(self, overrides: Mapping[Address, Value] | None = None) -> dict[Address, Value]:
        """Return every cell that holds something, by (sheet, reference), with other values in the overridden cells.

        An override may fill a blank cell, and None empties a filled one. Errors come back as text such as #DIV/0!.
        """
        inputs = dict(self._input(address, value) for address, value in (overrides or {}).items())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            solution = self._calculated(inputs)
        missing = [node for node in self._model.cells if node not in solution]
        assert not missing, f"formulas computed no value for {len(missing)} cells, the first are {missing[:3]}"
        names = f"'[{self._book}]'!"  # a defined name is a node without a sheet
        cells = {node for node in (*self._model.cells, *inputs) if not node.startswith(names)}
        return {self._address(node): _plain(solution[node]) for node in cells}

    def _input(self, address: Address, value: Value) -> tuple[str, Any]:
        """Return the node of a cell and its value as a range: a bare value would not empty a cell."""
        sheet, reference = address
        assert sheet.upper() in self._titles, f"{self._book} has no sheet {sheet!r}"
        escaped = sheet.upper().replace("'", "''")
        node = f"'[{self._book}]{escaped}'!{reference.replace('$', '').upper()}"
        return node, formulas.Ranges().push(node, [[schedula.EMPTY if value is None else value]])

    def _address(self, node: str) -> Address:
        sheet, _, reference = node.removeprefix(f"'[{self._book}]").rpartition("'!")
        return self._titles[sheet.replace("''", "'")], reference


_compiled_with_every_name = AstBuilder.compile


def _compile(builder: Any, references: Mapping[str, Any] | None = None, **rest: Any) -> Any:
    """Compile a formula with the names that it uses: the package looks in each formula for each of the workbook."""
    used = {name: references[name] for name in builder.dsp.nodes if name in references} if references else references
    return _compiled_with_every_name(builder, references=used, **rest)


def load(path: Path) -> LoadedWorkbook:
    """Load a workbook, once for the same content."""
    return _load(path, hashlib.sha256(path.read_bytes()).hexdigest())


@functools.lru_cache(maxsize=4)
def _load(path: Path, _digest: str) -> LoadedWorkbook:
    return LoadedWorkbook(path)


def _plain(value: Any) -> Value:
    """Turn a solution of `formulas` into a plain Python value."""
    if isinstance(value, formulas.Ranges):
        value = value.value[0, 0]
    if value is None or value is schedula.EMPTY:
        return None
    if isinstance(value, XlError):
        return str(value)
    plain: float | str | bool = value.item() if hasattr(value, "item") else value
    return plain
