"""The run settings of the workbook: every button reads its own, a parameter goes before them, a mistake is one line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import xlwings as xw

from addin import commands
from addin.errors import RequestError
from addin.kernel import Address
from addin.results.list_sheets import EXPLAINED
from addin.results.table_sheets import SOUGHT
from addin.workbook import live, run_settings
from tests.commands.test_commands import place, select
from tests.support import opened

pytestmark = pytest.mark.slow


@pytest.fixture
def book(original: Path, tmp_path: Path) -> xw.Book:
    return opened.opened(opened.copied(original, tmp_path))


def setting(book: xw.Book, name: str, value: object) -> None:
    opened.type_in(book, f"Run_{name}", value)


def shown(book: xw.Book, title: str) -> str:
    return " ".join(str(value) for value in opened.cells(book, title).values())


def test_as_shipped_they_are_what_the_commands_do_without_them(book: xw.Book) -> None:
    typed = run_settings.run_settings(live.read(book))
    assert typed == run_settings.RunSettings(65536, 1, None, None)


def test_trials_and_seed_are_drawn_with(book: xw.Book) -> None:
    setting(book, "trials", 1024)
    setting(book, "seed", 7)
    assert commands.simulate(book).text.startswith("Monte Carlo, 1,024 trials: ")
    first = shown(book, "Risk")
    setting(book, "seed", 8)
    commands.simulate(book)
    assert shown(book, "Risk") != first
    assert commands.simulate(book, trials=2048, seed=7).text.startswith("Monte Carlo, 2,048 trials: ")
    commands.sensitivity(book)
    assert "1,024" in shown(book, "Sensitivity")


def test_goal_seek_keeps_within_the_target(book: xw.Book) -> None:
    before = commands.seek(book).text
    setting(book, "target", "arrays_required=7")
    after = commands.seek(book).text
    assert "arrays_required <= 7" in after
    assert after != before
    assert "Target" in shown(book, SOUGHT)  # among the inputs that it was computed for
    assert commands.seek(book, target="arrays_required=3").text != after


def test_explain_starts_from_the_result_that_they_name(book: xw.Book) -> None:
    select(book, place(book, "In_growth_ratio"))
    setting(book, "explained", "cost_per_desktop")
    assert commands.explain(book).text.startswith(place(book, "Out_cost_per_desktop"))
    setting(book, "explained", None)
    assert commands.explain(book).text.startswith(place(book, "In_growth_ratio").split("!")[0])
    assert EXPLAINED in book.sheet_names


def test_a_simulation_does_not_count_what_it_does_not_read(book: xw.Book) -> None:
    setting(book, "trials", 1024)
    setting(book, "target", "arrays_required=7")
    commands.simulate(book)
    said = shown(book, "Risk")
    labels = {
        Address.from_a1(place(book, f"Run_{name}")).a1: name for name in ("trials", "seed", "target", "explained")
    }
    assert [name for a1, name in labels.items() if a1 in said] == ["trials", "seed"]


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("trials", "many", "found 'many', expected a whole number"),
        ("trials", 1024.5, "found 1,024.5, expected a whole number"),
        ("target", 3.0, "found 3, expected a result and a number such as arrays_required=2"),
        ("explained", 3.0, "found 3, expected the key of a result"),
        ("explained", "arays_required", "did you mean arrays_required"),
    ],
)
def test_a_mistake_is_one_line_with_its_cell(book: xw.Book, name: str, value: object, words: str) -> None:
    setting(book, name, value)
    before = book.sheet_names
    press = {"trials": "simulate", "target": "seek", "explained": "explain"}[name]
    with pytest.raises(RequestError) as raised:
        getattr(commands, press)(book)
    assert words in str(raised.value)
    assert ("Risk inputs" in str(raised.value)) == (name != "explained" or value == 3.0)
    assert book.sheet_names == before


def test_a_copy_without_them_runs_as_before(book: xw.Book) -> None:
    sizing = live.read(book)
    names = {name: text for name, text in sizing.cells.names.items() if not name.startswith("Run_")}
    older = replace(sizing, cells=replace(sizing.cells, names=names))
    assert run_settings.run_settings(older) == run_settings.RunSettings()
    assert run_settings.reads(older) == run_settings.reads(older, "trials")
