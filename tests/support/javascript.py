"""JavaScript as a judge of itself: expressions and finished pages, run by Node."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from addin.kernel import Address, Cells, ExcelError, KernelError, Scalar
from addin.kernel.formula.graph import Area, areas, precedents
from addin.kernel.scalar.evaluate import Evaluator
from addin.kernel.script import literal, runtime
from addin.kernel.script.layout import laid_out
from addin.kernel.script.program import DEFINED
from addin.kernel.script.runs import Run
from addin.kernel.script.translate import Translator
from addin.live.packed import unpacked
from tests.support import needed

PACKED = re.compile(r'^const DATA=JSON\.parse\(inflated\("([^"]*)"\)\);\nconst CHAINS="([^"]*)";$', re.MULTILINE)
TELL = """
const told = value => value instanceof Fault ? { error: value.text } : Object.is(value, -0) ? 0 : value;
const given = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
"""
SETS = """
const unpacked = value => value !== null && typeof value === "object" ? FAULTS[value.error] : value;
const saved = V.slice();
process.stdout.write(JSON.stringify(given.sets.map(set => {
  V = saved.slice();
  for (const [position, value] of set) V[position] = unpacked(value);
  run(EVERYTHING);
  return given.wanted.map(position => told(V[position]));
})));
"""


def node(script: str, given: object = None) -> Any:
    """Return what a script writes, as JSON; `given` is what it reads. Skips where there is no Node; fails on CI."""
    program = needed.program("node", "Node")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "script.cjs"
        path.write_text(script, encoding="utf-8")
        done = subprocess.run(
            [program, str(path)], input=json.dumps(given), capture_output=True, encoding="utf-8", check=False
        )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def scalar(told: Any) -> Scalar:
    """Return a value as the kernel has it."""
    if isinstance(told, dict):
        return ExcelError(told["error"])
    return float(told) if isinstance(told, int) and not isinstance(told, bool) else told


def plain(value: Scalar) -> Any:
    """Return a value as JSON has it."""
    return {"error": value.value} if isinstance(value, ExcelError) else value


def same(value: Scalar, wanted: Scalar, rest: float = 0.0) -> bool:
    """Say whether two values are equal, numbers to 1e-9 of themselves or to what rounding leaves of larger ones."""
    if isinstance(value, float) and isinstance(wanted, float):
        return abs(value - wanted) <= max(1e-9 * abs(wanted), rest)
    return type(value) is type(wanted) and value == wanted


def computed(cells: Cells, formulas: Sequence[Address], code: str | None = None) -> dict[Address, Scalar | KernelError]:
    """Return what each formula comes to in JavaScript, or why it is refused; what it reads comes from the kernel.

    `code` replaces the runtime: a faulty one, to see it caught.
    """
    known, found = Evaluator(cells), dict[Address, Scalar | KernelError]()
    read = {each for formula in formulas for each in precedents(cells, formula)}
    used = [area for formula in formulas for area in areas(cells, formula)]
    layout = laid_out([*used, *(Area(a.sheet, a.row, a.column, a.row, a.column) for a in formulas)])
    hoisted: dict[str, str] = {}
    translator = Translator(cells, layout, dict(DEFINED.findall(runtime())), hoisted)
    lines: dict[Address, str] = {}
    for formula in formulas:
        try:
            lines[formula] = translator.formula(Run(formula))
        except KernelError as error:
            found[formula] = error
    values = "".join(f"V[{layout.of(a)}]={literal(known.value(a))};" for a in sorted(read))
    shared = "".join(f"const {name}={text};\n" for text, name in hoisted.items())
    body = ",\n".join(f"()=>{line}" for line in lines.values())
    script = (
        f"{code or runtime()}\n{TELL}V=new Array({layout.size}).fill(null);{values}\n{shared}const FORMULAS=[{body}];\n"
    )
    script += "process.stdout.write(JSON.stringify(FORMULAS.map(formula => told(formula()))));"
    return found | dict(zip(lines, map(scalar, node(script)), strict=True))


def program_of(page: str) -> tuple[str, dict[str, Any]]:
    """Return the formulas of a finished page with their runtime, and what the page is told."""
    script = page.partition("<script>")[2].rpartition("</script>")[0]
    told = PACKED.search(script)
    assert told is not None
    return script[: told.start()], json.loads(unpacked(told[1]))


def chains_of(page: str) -> str:
    """Return the line of a finished page with the packed chains behind its numbers."""
    found = PACKED.search(page)
    assert found is not None
    return f'const CHAINS="{found[2]}";'


def legible(page: str) -> str:
    """Return a page with all that is packed in it as text: what a reader could get out of it.

    Left out are the columns that say which text stands beside which cell, steps from one place in a list to the next:
    among 100,000 of them any six digits are found, and no figure is.
    """
    found = PACKED.search(page)
    if found is None:  # a page that packs nothing, such as the document of a hand-off
        return page
    data, chains = (json.loads(unpacked(each)) for each in found.groups())
    steps = [step for name in ("entries", "spans") for column in chains.pop(name) for step in column]
    assert all(isinstance(step, int) for step in steps)
    texts = (json.dumps(each, separators=(",", ":"), ensure_ascii=False) for each in (data, chains))
    return page[: found.start()] + "\n".join(texts) + page[found.end() :]


def page_values(code: str, sets: Sequence[Mapping[int, Scalar]], wanted: Sequence[int]) -> list[list[Scalar]]:
    """Return what the formulas of a page make of sets of values by position: for each set the positions wanted."""
    given = {"sets": [[[at, plain(value)] for at, value in each.items()] for each in sets], "wanted": list(wanted)}
    return [[scalar(value) for value in row] for row in node(f"{code}\n{TELL}\n{SETS}", given)]
