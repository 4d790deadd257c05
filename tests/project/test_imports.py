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
    ("addin.numerals", "addin.excel"),
    ("addin.kernel", "model"),
    ("addin.errors", "addin.console", "addin.buttons"),
    ("addin.reported", "addin"),
)
# Inside model: the folders of tabs, and what they are written with.
MODEL_FLOORS = (
    ("model",),
    ("model.sheets.front",),
    ("model.sheets.proof",),
    ("model.sheets.money",),
    ("model.sheets.sizing",),
    ("model.sheets.catalogue",),
    ("model.sheets", "model.layout"),
    ("model.reading", "model.provenance"),
    ("model.errors",),
)
Levels = Mapping[str, int]


def levels(floors: Iterable[Iterable[str]]) -> Levels:
    """Return the number of each room's floor, from the top."""
    return {room: number for number, rooms in enumerate(floors) for room in rooms}


LEVEL, MODEL_LEVEL = levels(FLOORS), levels(MODEL_FLOORS)


def room_of(module: str, level: Levels = LEVEL) -> str:
    """Return the room of a module: the longest name of the floors that it begins with."""
    inside = [room for room in level if module == room or module.startswith(f"{room}.")]
    return max(inside, key=len)


def graph(files: Iterable[File]) -> dict[str, set[str]]:
    """Return which modules of the product each of its modules imports, anywhere in the file."""
    product = {file.module: file for file in files if file.module.split(".")[0] in ("build", "model", "addin")}
    imported: dict[str, set[str]] = {}
    for module, file in product.items():
        names = (name if name in product else name.rpartition(".")[0] for _, name in imports(file))
        imported[module] = {name for name in names if name in product and name != module}
    return imported


def upward(arrows: Mapping[str, Iterable[str]], level: Levels = LEVEL) -> list[str]:
    """Return the imports that do not point downwards, one line each."""
    pairs = ((module, name) for module, names in sorted(arrows.items()) for name in sorted(names))
    rooms = ((module, name, room_of(module, level), room_of(name, level)) for module, name in pairs)
    return [
        f"{module} imports {name}, which is on the same floor or above"
        for module, name, room, other in rooms
        if room != other and level[other] <= level[room]
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


def test_the_folders_of_tabs_import_downwards() -> None:
    inside = {module: names for module, names in ARROWS.items() if module.startswith("model")}
    assert upward(inside, MODEL_LEVEL) == []
    assert upward({"model.sheets.sizing.design": {"model.sheets.front.inputs"}}, MODEL_LEVEL)


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
