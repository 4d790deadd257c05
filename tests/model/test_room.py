"""Room for more users: a design that is short shows by how many; only what is not known or has no limit is a word."""

import pytest

from addin.kernel import Address
from addin.sizing.tables import in_words
from addin.workbook.number_formats import displayed
from model.layout.grid import FIRST_ROW
from model.sheets.front import compare
from model.sheets.front.compare_answer import FIGURES
from tests.support.answers import addresses, number, numbers
from tests.support.input_sets import Value
from tests.support.recomputed import Evaluator
from tests.support.shipped import built, built_cells

BUILT, CELLS = built(), built_cells()
PLACE = [label for label, *_ in FIGURES].index("Room for more users")
THREE: dict[str, Value] = {"arrays_installed": 3.0}
BOTH = ("room_normal", "room_after_failure")


def shown(design: dict[str, Value]) -> dict[str, str]:
    """Return what the cells of Answer and of Compare show as room in normal operation and after one failure."""
    evaluator = Evaluator(CELLS, addresses({BUILT.layout.typed(key): value for key, value in design.items()}))
    places = {"Answer": (FIRST_ROW + PLACE, "GH"), "Compare": (compare.figures_row() + 1 + PLACE, "DE")}
    found = {}
    for sheet, (row, columns) in places.items():
        for at in (f"{column}{row}" for column in columns):
            form = BUILT.workbook[sheet][at].number_format
            found[f"{sheet}!{at}"] = displayed(evaluator.value(Address.from_a1(f"{sheet}!{at}")), form)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("short", [-1, 0, 1, 2, 3, 4])
@pytest.mark.parametrize(("failover", "key"), [("no", "room_normal"), ("yes", "room_after_failure")])
def test_a_design_that_is_short_shows_by_how_many_wherever_room_is_read(failover: str, key: str, short: int) -> None:
    """Seen: "not known" where one desktop was too many, "no limit" where two were."""
    base: dict[str, Value] = {**THREE, "failover": failover}
    ((room,), (used,)) = (numbers(BUILT, CELLS, base, each) for each in (key, "provisioned_desktops"))
    design = {**base, "desktops": room + used + short}
    assert numbers(BUILT, CELLS, design, key) == [-short]
    after = key == BOTH[1]
    told = shown(design)
    assert told["Answer!" + "GH"[after] + str(FIRST_ROW + PLACE)] == str(-short)
    assert told["Compare!" + "DE"[after] + str(compare.figures_row() + 1 + PLACE)] == str(-short)
    assert in_words(key, "desktops", float(-short)) == -short


@pytest.mark.slow
def test_what_is_no_number_of_desktops_is_a_word_wherever_room_is_read() -> None:
    overlap: dict[str, Value] = {"failover": "yes", "boot_at": 6.5 / 24, "logins_at": 7 / 24}
    told = list(shown(overlap).values())
    assert told[1] == told[3] == "not known"
    codes = [number(BUILT.workbook["Lists"][cell].value) for cell in map(_unit, ("code_no_room", "code_no_limit"))]
    assert [in_words(key, "desktops", code) for key in BOTH for code in codes] == ["not known", "no limit"] * 2
    for sheet, row, columns in (("Answer", FIRST_ROW, "GH"), ("Compare", compare.figures_row() + 1, "DE")):
        forms = {BUILT.workbook[sheet][f"{column}{row + PLACE}"].number_format for column in columns}
        assert [[displayed(code, form) for code in codes] for form in forms] == [["not known", "no limit"]]


def _unit(key: str) -> str:
    return BUILT.layout.resolve(f"{{unit:{key}}}", "Lists", 4).replace("$", "").rpartition("!")[2]
