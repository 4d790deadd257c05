"""The floors of docs/architecture.md: imports point downwards only, and no two files need each other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from graphlib import CycleError, TopologicalSorter

import pytest

from tests.project.test_house_style import PYTHON_FILES, ROOT, File, imports

# From the top down; rooms of one floor may not import each other, unless BESIDE says so.
FLOORS = (
    ("build", "addin.__main__"),
    ("addin.shell",),
    ("addin.install",),
    ("addin.hosts",),
    ("addin.running",),
    ("addin.commands",),
    ("addin.results",),
    ("addin.live",),
    ("addin.prices",),
    ("addin.leaving",),
    ("addin.measured",),
    ("addin.simulation", "addin.diff"),
    ("addin.sizing",),
    ("addin.workbook", "addin.engines"),
    ("addin.computing", "addin.audit"),
    ("addin.xlsx",),
    ("addin.numerals",),
    ("addin.kernel", "model"),
    ("addin.errors", "addin.console", "addin.buttons"),
    ("addin.reported", "addin"),
)
LEVEL = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}


def room_of(module: str) -> str:
    """Return the room a module stands in: the longest name of FLOORS that it begins with."""
    inside = [room for room in LEVEL if module == room or module.startswith(f"{room}.")]
    return max(inside, key=len)


def graph(files: Iterable[File]) -> dict[str, set[str]]:
    """Return which modules of the product each of its modules imports, anywhere in the file."""
    product = {file.module: file for file in files if file.module.split(".")[0] in ("build", "model", "addin")}
    imported: dict[str, set[str]] = {}
    for module, file in product.items():
        names = (name if name in product else name.rpartition(".")[0] for _, name in imports(file))
        imported[module] = {name for name in names if name in product and name != module}
    return imported


def upward(arrows: Mapping[str, Iterable[str]]) -> list[str]:
    """Return the imports that do not point downwards, one line each."""
    return [
        f"{module} imports {name}, which stands on the same floor or above"
        for module, names in sorted(arrows.items())
        for name in sorted(names)
        if room_of(module) != room_of(name) and LEVEL[room_of(name)] <= LEVEL[room_of(module)]
    ]


def circle(arrows: Mapping[str, set[str]]) -> list[str]:
    """Return the modules of a circle of imports, in its order; none where there is no circle."""
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


ARROWS = graph(PYTHON_FILES)


def test_imports_point_downwards() -> None:
    assert upward(ARROWS) == []


def test_no_two_files_need_each_other() -> None:
    assert circle(ARROWS) == []


def test_every_module_stands_on_a_floor_and_every_room_is_used() -> None:
    assert {room_of(module) for module in ARROWS} == set(LEVEL)


@pytest.mark.parametrize(
    ("arrows", "expected"),
    [
        ({"addin.workbook.book": {"addin.simulation.risk"}}, True),
        ({"addin.kernel.formula.parse": {"model.errors"}}, True),
        ({"model.workbook": {"addin.kernel"}}, True),
        ({"addin.simulation.risk": {"addin.workbook.book"}}, False),
        ({"addin.audit.book": {"model.layout.grid"}}, False),
    ],
)
def test_an_arrow_that_runs_back_up_is_seen(arrows: dict[str, set[str]], expected: bool) -> None:
    assert bool(upward(arrows)) is expected


def test_a_circle_is_seen() -> None:
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})


def test_the_picture_of_the_architecture_shows_every_room() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawn = {name.removesuffix(".py").strip("/").replace("/", ".") for name in re.findall(r"\baddin/[\w.]+", text)}
    small = {"addin.errors", "addin.reported", "addin.console", "addin.__main__"}
    assert {room for room in LEVEL if room.startswith("addin.")} - small <= drawn
