"""The what-ifs that ship: every array once beside the base design, whichever array that has."""

import pytest

from addin.kernel import Address, Cells
from model.layout.grid import BASE, OWN_ARRAYS
from model.sheets.catalogue.my_arrays import name_cell
from tests.model.test_answer import ranked
from tests.support.answers import addresses, changed
from tests.support.input_sets import Value
from tests.support.recomputed import Evaluator
from tests.support.shipped import built, built_cells

BUILT = built()
CELLS = built_cells()
CACHE, WITH_CACHE = "IntelliCache pooled, cold", "NetApp FAS3270 + IntelliCache"
SHIPPED = [str(BUILT.data.input("array").value.value)]
SHIPPED += [str(each.value.value) for each in BUILT.data.alternatives if each.key == "array"]
OTHERS = sorted({array.name for array in BUILT.data.arrays} - set(SHIPPED))


def designs(array: str, cells: Cells = CELLS) -> list[tuple[object, object]]:
    """Return array and cache of the base design, which is typed to have `array`, and of the what-ifs."""
    typed: dict[tuple[str, str], Value] = {BUILT.layout.typed("array"): array}
    evaluator = Evaluator(changed(cells, typed))
    places = [BUILT.layout.lines[key] for key in ("array", "cache_state")]
    found: list[tuple[object, object]] = []
    for column in range(BASE, BASE + 8):
        used = [evaluator.value(Address(sheet, row, column)) for sheet, row in places]
        found.append((used[0], used[1]))
    return found


def test_the_workbook_ships_with_the_papers_arrays_and_both_cards() -> None:
    assert [array for array, _ in designs(SHIPPED[0])] == SHIPPED
    assert set(OWN_ARRAYS[:2]) < set(SHIPPED)


@pytest.mark.parametrize("array", SHIPPED)
def test_every_array_stands_once_whichever_the_base_has(array: str) -> None:
    (base, _), *what_ifs = designs(array)
    assert base == array
    assert sorted([array, *(str(name) for name, _ in what_ifs)]) == sorted(SHIPPED)


@pytest.mark.parametrize("array", OTHERS)
def test_an_array_that_no_what_if_has_leaves_them_as_they_ship(array: str) -> None:
    assert [name for name, _ in designs(array)] == [array, *SHIPPED[1:]]


@pytest.mark.parametrize("array", SHIPPED)
def test_the_cache_stays_with_its_array(array: str) -> None:
    (_, base), *what_ifs = designs(array)
    assert [cache for _, cache in what_ifs] == [CACHE if name == WITH_CACHE else base for name, _ in what_ifs]


def test_a_card_that_was_renamed_is_found_by_its_name() -> None:
    sheet, cell = name_cell(0).replace("'", "").replace("$", "").split("!")
    renamed = changed(CELLS, {(sheet, cell): "Acme X9"})
    assert [name for name, _ in designs("Acme X9", renamed)].count("Acme X9") == 1
    assert "Acme X9" in [name for name, _ in designs(SHIPPED[0], renamed)]


@pytest.mark.slow
def test_designs_of_one_array_are_told_apart_by_the_column_they_stand_in() -> None:
    kept, other = [str(name) for name in ranked(Evaluator(CELLS), "array")][0::2][:2]
    columns = {"What-if 1": {"array": kept, "provisioning": "Full clone"}, "What-if 3": {"array": kept}}
    cells = {BUILT.layout.cell(key, case): value for case, typed in columns.items() for key, value in typed.items()}
    evaluator = Evaluator(CELLS, addresses(cells))
    shown = [str(name) for name in ranked(evaluator, "array_shown")]
    assert (shown[0], shown[1], shown[3]) == (kept, f"{kept}, what-if 1", f"{kept}, what-if 3")
    assert shown[2] == other
    assert len(set(shown)) == len(shown)
    assert {f"{kept}, base", *shown[1:4]} < set(ranked(evaluator, "named"))
    assert ranked(Evaluator(CELLS), "array_shown") == ranked(Evaluator(CELLS), "array")
