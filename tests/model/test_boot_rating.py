"""A boot rating typed beside a data sheet is not used: if it is the worse of the two, an alert names both figures."""

from collections.abc import Mapping

import pytest
from openpyxl.utils import get_column_letter

from addin.kernel import Address, Evaluator, Scalar
from model.sheets.catalogue import array_details, my_arrays
from tests.support.answers import changed
from tests.support.input_sets import Value, overrides, own_arrays
from tests.support.shipped import built, built_cells

BUILT = built()
CARD: dict[str, Value] = {  # 200,000 IOPS at 70/30 within 1 ms: 302,000 reads where a write costs 2.7
    "capacity_tb": 40.0,
    "capacity_kind": "usable",
    "iops": 200000.0,
    "read_ratio": 0.7,
    "latency_ms": 1.0,
    "controllers_active": 2.0,
}
DESIGN: dict[str, Value] = {"array": "My array 1", "boot_read_ratio": 0.7}
LABEL = "A rating of the boot is no lower than the data sheet"


def raised(card: Mapping[str, Value], design: Mapping[str, Value]) -> tuple[Scalar, Scalar]:
    """Return whether the check is raised, and what it says to do."""
    typed = {**own_arrays(BUILT, [card]), **overrides(BUILT, [{**DESIGN, **design}])}
    cells = changed(built_cells(), typed)
    evaluator = Evaluator(cells)
    row = next(at for at in range(5, 120) if cells.constant(Address("Checks", at, 2)) == LABEL)
    return evaluator.value(Address("Checks", row, 8)), evaluator.value(Address("Checks", row, 9))


@pytest.mark.parametrize(
    ("rating", "design", "sheet"),
    [
        (50_000.0, {}, "200,000"),
        (199_999.0, {}, "200,000"),
        (140_000.0, {"boot_read_ratio": 0.4}, "149,505"),  # 302,000 / (0.4 + 0.6 x 2.7)
    ],
)
def test_a_worse_boot_rating_is_an_alert_that_names_both_figures(
    rating: float, design: dict[str, Value], sheet: str
) -> None:
    said = f"Boot rating {rating:,.0f} IOPS, data sheet {sheet} at that mix: clear one of them"
    assert raised({**CARD, "rating_boot_iops": rating}, design) == (1, said)


@pytest.mark.parametrize(
    ("rating", "design"),
    [
        (None, {}),
        (200_000.0, {}),
        (400_000.0, {}),
        (150_000.0, {"boot_read_ratio": 0.4}),
        (50_000.0, {"array": "NetApp AFF8040"}),
    ],
)
def test_no_rating_a_better_one_or_that_of_another_array_is_none(rating: Value, design: dict[str, Value]) -> None:
    assert raised({**CARD, "rating_boot_iops": rating}, design)[0] == 0


def test_without_a_data_sheet_the_rating_is_what_counts() -> None:
    card: dict[str, Value] = {"usable_gib": 40000.0, "rating_boot_iops": 50000.0, "rating_login_iops": 90000.0}
    assert raised(card, {})[0] == 0
    letter = get_column_letter(my_arrays.typed_column(0) + 1)
    row = array_details.rows(BUILT.data)["rating_boot_iops"]
    cells = changed(built_cells(), own_arrays(BUILT, [{**CARD, "rating_boot_iops": 1.0}]))
    beside = Evaluator(cells).value(Address.from_a1(f"'{my_arrays.NAME}'!{letter}{row}"))
    assert beside == "not used: see the card"
