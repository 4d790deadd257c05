"""A workbook's formulas as one JavaScript program: functions, schedules, and the values that never change."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files

from addin.kernel.errors import KernelError
from addin.kernel.excel.values import Scalar
from addin.kernel.formula.cells import Address, Cells
from addin.kernel.formula.graph import LARGE, Area, areas, order, precedents
from addin.kernel.scalar.evaluate import Evaluator
from addin.kernel.script.layout import Layout, laid_out
from addin.kernel.script.runs import Run, Step, only, runs_of, scheduled
from addin.kernel.script.translate import NotTranslated, Translator, literal

MODULES = ("values", "text_numbers", "rounding", "operators", "functions", "distributions", "program")
DEFINED = re.compile(r'^define\("([A-Z0-9.]+)", "([a-z:]*)"', re.MULTILINE)


@cache
def runtime() -> str:
    """Return the JavaScript that every program needs before it."""
    folder = files("addin.kernel.script").joinpath("runtime")
    return "\n".join(folder.joinpath(f"{name}.js").read_text(encoding="utf-8") for name in MODULES)


@dataclass(frozen=True)
class Program:
    """What is computed from `inputs`: `reads` names for each formula cell that they move what of it they move."""

    cells: Cells
    inputs: frozenset[Address]
    layout: Layout
    reads: Mapping[Address, Collection[Address]]
    constants: Mapping[Address, Scalar]
    runs: Sequence[Run]
    steps: Sequence[Step]

    @cached_property
    def source(self) -> str:
        """The program as JavaScript: after `runtime()`, sets V to the cells as saved, but computes nothing."""
        hoisted: dict[str, str] = {}
        translator = Translator(self.cells, self.layout, dict(DEFINED.findall(runtime())), hoisted)
        lines, sheet = [], ""
        for run in self.runs:
            if run.first.sheet != sheet:
                sheet = run.first.sheet
                lines.append(f"// --- {sheet}")
            copy = "()" if run.count == 1 else "j" if run.height == 1 else "(j,i)"
            lines.append(f"{copy}=>{translator.formula(run)}, // {_shown(run)}")
        firsts = [self.layout.of(run.first) for run in self.runs]
        places = [
            number
            for run, first, above in zip(self.runs, firsts, (0, *firsts), strict=False)
            for number in (first - above, run.apart * self.layout.step(run.first.sheet), run.width)
        ]
        shared = "".join(f"const {name}={code};\n" for code, name in hoisted.items())
        return (
            f"{shared}const FORMULAS=[\n{chr(10).join(lines)}\n];\n"
            f"const PLACES={_numbers(places)};\n"
            "for(let n=3;n<PLACES.length;n+=3)PLACES[n]+=PLACES[n-3];\n"  # counted from the one before: shorter
            f"const EVERYTHING={_numbers(self.steps_for())};\n"
            f"V=cellsOf({self.layout.size},[\n{self._constants()}\n]);\n"
        )

    def steps_for(self, wanted: Collection[Address] | None = None) -> list[int]:
        """Return a schedule for `run` of all formula cells or of some: run, first copy, number of copies, ..."""
        steps = self.steps if wanted is None else only(self.steps, self.runs, wanted)
        return [number for step in steps for number in (step.run, step.first, step.count)]

    def between(self, moved: Collection[Address], targets: Iterable[Address]) -> set[Address]:
        """Return the formula cells on the way from some inputs to some targets."""
        reached, needed = set(moved), set(targets)
        on_way: set[Address] = set()
        forward = [
            self.runs[step.run].cell(n) for step in self.steps for n in range(step.first, step.first + step.count)
        ]
        for cell in forward:
            if any(read in reached for read in self.reads[cell]):
                reached.add(cell)
        for cell in reversed(forward):
            if cell in needed:
                needed.update(self.reads[cell])
                if cell in reached:
                    on_way.add(cell)
        return on_way

    def moved_by(self, groups: Sequence[Collection[Address]]) -> list[int]:
        """Return for each step of the whole schedule which groups of inputs move it: bit n is group n."""
        masks: dict[Address, int] = {}
        for n, group in enumerate(groups):
            for at in group:
                masks[at] = masks.get(at, 0) | 1 << n
        found = []
        for step in self.steps:
            together = 0
            for n in range(step.first, step.first + step.count):
                cell, mask = self.runs[step.run].cell(n), 0
                for read in self.reads[cell]:
                    mask |= masks.get(read, 0)
                masks[cell] = mask
                together |= mask
            found.append(together)
        return found

    def _constants(self) -> str:
        """Return the values that never change, and those of inputs, as rows of first position and values."""
        placed = sorted((self.layout.of(address), value) for address, value in self.constants.items())
        rows: list[list[str]] = []
        follows = -1
        for position, value in placed:
            if position != follows:
                rows.append([str(position)])
            rows[-1].append(literal(value))
            follows = position + 1
        return ",\n".join(f"[{','.join(row)}]" for row in rows)


def translated(
    cells: Cells, inputs: Iterable[Address], targets: Iterable[Address], known: Evaluator | None = None
) -> Program:
    """Return the program that computes some targets from some inputs; `known` has computed cells already.

    Raises KernelError with the cell that cannot be read; a formula without JavaScript form is met by `source`.
    """
    given, wanted = tuple(dict.fromkeys(inputs)), tuple(dict.fromkeys(targets))
    typed = frozenset(given)
    moved: set[Address] = set(given)
    reads: dict[Address, Collection[Address]] = {}
    used: list[Area] = [Area(a.sheet, a.row, a.column, a.row, a.column) for a in (*given, *wanted)]
    touched: dict[Address, None] = dict.fromkeys((*given, *wanted))
    for cell in order(cells, wanted):
        found = areas(cells, cell)
        if any(area.size > LARGE for area in found):
            raise NotTranslated(f"A range has more than {LARGE:,} cells.", "Refer to the cells in use.", cell.a1)
        read = precedents(cells, cell)
        if cell not in typed and (moving := [each for each in read if each in moved]):
            moved.add(cell)
            reads[cell] = moving
            used += [*found, Area(cell.sheet, cell.row, cell.column, cell.row, cell.column)]
            touched.update(dict.fromkeys(read))
    known, constants = known or Evaluator(cells), {}
    for cell in touched:
        if cell not in reads and (value := known.value(cell)) is not None:
            constants[cell] = value
    runs = runs_of(cells, reads)
    steps = scheduled(runs, {cell: [each for each in read if each in reads] for cell, read in reads.items()})
    if sum(step.count for step in steps) != len(reads):
        raise KernelError("The formulas have no order.", "Report this as a bug, with the workbook.")
    return Program(cells, typed, laid_out(used), reads, constants, runs, steps)


def _shown(run: Run) -> str:
    """Return the cells of a run as a formula on their sheet would write them, "by" so many rows."""
    first, last = (run.cell(n).a1.rpartition("!")[2] for n in (0, run.count - 1))
    every = f" by {run.apart}" if run.apart > 1 else ""
    return first if run.count == 1 else f"{first}:{last}{every}"


def _numbers(numbers: Iterable[int]) -> str:
    return f"[{','.join(map(str, numbers))}]"
