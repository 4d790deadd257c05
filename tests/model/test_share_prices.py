"""The cost of a cloud share by the month: printed examples to the cent, typed prices, what never makes a cost.

Expected figures are worked by hand from the list prices (730 hours a month) and the sizes of `test_cloud_shares`.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from addin.kernel import Cells, Scalar
from model.errors import DataError
from model.layout.grid import ANSWER
from model.reading.choices import LISTED
from model.reading.read import DATA, read
from model.sheets.money.growth import YEARS, of_year
from tests.model.test_cloud_shares import (
    CREDITS,
    HDD,
    PREMIUM,
    SHARE,
    STANDARD,
    STRESS,
    ULTRA,
    V1,
    V2,
    results,
    texts,
)
from tests.support.answers import answers, changed
from tests.support.input_sets import Value
from tests.support.shipped import reference, reference_cells

BUILT, CELLS = reference(), reference_cells()
PRICED: dict[str, Value] = {**SHARE, "price_basis": LISTED}
MANY: dict[str, Value] = {"desktops": 5000.0, "login_window_min": 30.0, "logoff_window_min": 30.0}
TYPED: dict[str, Value] = {**SHARE, "share_service": V1, "share_gib_price": 0.1}


def listed(service: str, design: Mapping[str, Value], *, region: str = "eastus2", zones: bool = False) -> float:
    redundancy = {"share_redundancy": "ZRS"} if zones else {}
    of: dict[str, Value] = {"share_service": service, "price_region": region, **redundancy}
    (cost,) = results({**design, "price_basis": LISTED, **of}, "share_cost_month")
    return cost


def on(day: float) -> Cells:
    """Return the workbook with a date on Answer; 46,284 is 19 September 2026."""
    return changed(CELLS, {(ANSWER, "H3"): day})


# ---- worked examples, USD a month -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("service", "design", "region", "zones", "month"),
    [
        (V1, SHARE, "eastus", False, 4_800.00),  # 30,000 GiB x 0.16
        (V1, SHARE, "eastus", True, 6_000.00),  # 0.20 in three zones
        (V1, STRESS, "eastus", False, 7_520.00),  # 47,000 GiB for 50,000 IOPS without credits
        (V2, STRESS, "eastus2", False, 4_296.65),  # 3,000.30 + 47,000 x 0.02701 + 682 x 0.03942
        (V2, SHARE, "eastus2", False, 3_198.31),  # 10,242 IOPS, 161 MiB/s
        (V2, CREDITS, "eastus2", False, 3_396.33),  # 16,667 IOPS, 782 MiB/s
        (V1, {**SHARE, **MANY}, "eastus", False, 24_000.00),  # two shares of 75,000 GiB
        (V1, {**CREDITS, **MANY}, "eastus", False, 24_000.00),  # three of 50,000
        (V2, {**SHARE, **MANY}, "eastus2", False, 16_364.64),
        (V2, {**STRESS, **MANY}, "eastus2", False, 21_653.23),  # three accounts, whole IOPS and MiB/s each
        (STANDARD, STRESS, "eastus2", False, 7_398.95),  # 49 TiB x 0.000202 x 730
        (STANDARD, {**STRESS, "container_block_kib": 20.9}, "eastus2", False, 9_663.94),  # 64 TiB
        (STANDARD, SHARE, "eastus2", False, 4_529.97),  # 30 TiB
        (PREMIUM, STRESS, "eastus2", False, 9_037.52),
        (ULTRA, STRESS, "eastus2", False, 12_064.97),
    ],
)
def test_the_worked_examples_come_out_to_the_cent(
    service: str, design: dict[str, Value], region: str, zones: bool, month: float
) -> None:
    assert listed(service, design, region=region, zones=zones) == pytest.approx(month, abs=0.005)


def test_the_block_size_turns_the_choice_between_standard_and_premium() -> None:
    small, large = STRESS, {**STRESS, "container_block_kib": 20.9}
    assert listed(STANDARD, small) < listed(PREMIUM, small)
    assert listed(STANDARD, large) > listed(PREMIUM, large)


def test_every_service_has_its_cost_beside_the_one_chosen() -> None:
    costs = results({**STRESS, "price_basis": LISTED}, *(f"share_list_month_{place}" for place in range(1, 9)))
    assert costs == pytest.approx([7_520, 4_296.65, 0, 7_398.95, 9_037.52, 12_064.97, 0, 0], abs=0.005)
    days = texts({**STRESS, "price_basis": LISTED}, *(f"share_list_dated_{place}" for place in range(1, 5)))
    assert days == ("2026-07-24", "2026-09-19", "none", "2026-09-29")
    assert results(STRESS, "share_list_month_2") == [0]  # list prices are not chosen


def test_the_day_of_the_list_prices_is_wherever_their_cost_is() -> None:
    design = {**PRICED, **STRESS, "share_service": V2, "price_basis": LISTED}
    (user,) = results(design, "share_cost_user_month")
    assert user == pytest.approx(4.29665, abs=1e-5)
    told = "4,296.65 USD a month, 4.30 a user, list prices of 2026-09-19, eastus2: verify"
    for key in ("share_cost_told", "share_summary", "share_actions", "share_cost_words"):
        assert texts(design, key)[0].endswith(told), key
    (status,) = texts({**design, "array_price": 90_000.0}, "cost_status")
    assert "; cloud: list prices of 2026-09-19, eastus2: verify; " in status


# ---- typed prices -----------------------------------------------------------------------------------


def test_a_typed_price_wins_over_the_list() -> None:
    for basis in ("typed prices", LISTED):
        design = {**TYPED, "price_basis": basis}
        assert results(design, "share_cost_month", "share_list_used") == pytest.approx([3_000, 0])
        assert texts(design, "share_price_words") == ("typed prices",)


def test_what_is_bought_apart_needs_its_own_price() -> None:
    """47,000 IOPS and 682 MiB/s beyond what every size of SSD v2 includes."""
    design: dict[str, Value] = {**STRESS, "share_service": V2, "share_gib_price": 0.1}
    apart = {"share_iops_price": 0.03, "share_mib_price": 0.05}
    assert results({**design, **apart}, "share_cost_month") == pytest.approx([3_000 + 1_410 + 34.1])
    for left_out in apart:
        part = {**design, **{key: value for key, value in apart.items() if key != left_out}}
        assert texts(part, "share_cost_month") == ("enter a price",), left_out
    # 100 users at work ask for less than every size includes
    few = {**design, "desktops": 100.0, "share_signins": "over the login window"}
    assert results(few, "share_cost_month") == pytest.approx([300])


def test_a_what_if_with_another_share_does_not_inherit_the_typed_price() -> None:
    sets: list[dict[str, Value]] = [TYPED, {"container_gib": 40.0}, {"share_service": STANDARD}]
    costs = [row[0] for row in answers(BUILT, CELLS, sets, "share_cost_month")]
    assert costs == [pytest.approx(3_000), pytest.approx(4_000), "enter a price"]


# ---- what never makes a cost -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("design", "reason"),
    [
        ({"share_service": HDD}, f"enter a price: no list price of {HDD}, eastus2"),
        ({"share_service": V2, "price_region": "westeurope"}, f"enter a price: no list price of {V2}, westeurope"),
        ({"share_service": V2, "share_redundancy": "ZRS"}, f"enter a price: no list price of {V2}, eastus2, ZRS"),
        ({"share_service": V1, "currency": "EUR"}, "enter a price: no list price in EUR to date"),
        ({"share_service": V1, "price_basis": "typed prices"}, "enter a price"),
        ({"share_service": V1, "share_gib_price": -0.1, "price_basis": "typed prices"}, "enter a price"),
        ({"share_service": "My share 1"}, "not known"),
    ],
)
def test_a_missing_price_is_named_and_never_a_cheaper_answer(design: dict[str, Value], reason: str) -> None:
    priced = {**PRICED, "array_price": 90_000.0, **design}
    keys = ("share_cost_month", "share_cost_user_month", "npv", "cost_total", "cost_per_desktop_month")
    if design["share_service"] == "My share 1":
        reason = "enter a price: no list price of My share 1, eastus2"
    said, *shown = texts(priced, "share_cost_told", *keys)
    assert said == reason
    assert shown == ["enter a price"] * len(keys)


def test_a_list_price_of_a_later_day_than_the_document_does_not_count() -> None:
    design = {**PRICED, "share_service": V1}
    assert texts(design, "share_cost_told", cells=on(46_000.0)) == ("enter a price: no list price in USD to date",)
    assert results(design, "share_cost_month", cells=on(46_294.0)) == pytest.approx([4_800])  # 29 September 2026


def test_list_prices_older_than_180_days_raise_an_alert() -> None:
    """24 July 2026 is day 46,227: the 180th day after it is 46,407."""
    design = {**PRICED, "share_service": V1}
    assert [results(design, "share_price_old", cells=on(46_227.0 + days)) for days in (180, 181)] == [[0], [1]]
    assert results({**TYPED, "price_basis": LISTED}, "share_price_old", cells=on(47_000.0)) == [0]


def test_a_share_that_cannot_carry_the_containers_has_no_cost() -> None:
    design = {**STRESS, "desktops": 1001.0, "share_service": HDD, "share_gib_price": 0.1}
    design |= {"share_iops_price": 0.01, "share_mib_price": 0.01}
    assert results(design, "share_too_many") == [1]
    assert texts(design, "share_cost_month", "share_cost_told") == ("enter a price", "not known")
    assert texts({**TYPED, "container_gib": None}, "share_cost_told") == ("not known",)


# ---- over the years ---------------------------------------------------------------------------------


def paid(design: Mapping[str, Value], cells: Cells = CELLS) -> list[float]:
    return results(design, *(of_year("share_paid", year) for year in YEARS), cells=cells)


def test_the_share_grows_with_the_users_of_the_year() -> None:
    """1,000, 1,100, 1,210 users on 1 January, 3 USD a month each: 36,000, 39,600 and 43,560 a year."""
    grown: dict[str, Value] = {**TYPED, "growth_per_year_ratio": 0.1, "growth_timing": "on 1 January", "years": 3.0}
    assert paid(grown) == pytest.approx([36_000, 39_600, 43_560, 0, 0, 0, 0])
    dearer = {**grown, "cost_change_ratio": 0.05}
    assert paid(dearer)[:3] == pytest.approx([36_000, 39_600 * 1.05, 43_560 * 1.05**2])
    # through the year: the middle of it, 1,050 and 1,155 users
    through = {**grown, "growth_timing": "through the year"}
    assert paid(through)[:2] == pytest.approx([37_800, 41_580])


@pytest.mark.parametrize(
    ("service", "design", "users", "month"),
    [
        (STANDARD, SHARE, 1100.0, 33 * 1024 * 0.14746),  # 32.2 TiB
        (STANDARD, STRESS, 1100.0, 54 * 1024 * 0.14746),  # 859.4 MiB/s over 16
        (V1, STRESS, 1100.0, 52_000 * 0.16),  # 55,000 IOPS less a base of 3,000
        (V2, STRESS, 1100.0, 33_000 * 0.10001 + 52_000 * 0.02701 + 760.2 * 0.03942),
        (V1, CREDITS, 1100.0, 33_000 * 0.16),
    ],
)
def test_a_later_year_is_sized_by_the_rule_of_its_service(
    service: str, design: dict[str, Value], users: float, month: float
) -> None:
    """Whole TiB, a base that does not grow, IOPS that are bought: as for that many users on day one."""
    grown: dict[str, Value] = {**design, "price_basis": LISTED, "share_service": service, "years": 2.0}
    grown |= {"growth_per_year_ratio": users / 1000 - 1, "growth_timing": "on 1 January"}
    first, second = paid(grown)[:2]
    assert first == pytest.approx(12 * results(grown, "share_cost_month")[0])
    assert second == pytest.approx(12 * month, rel=1e-4)
    alone = {**grown, "desktops": users}
    assert second == pytest.approx(12 * results(alone, "share_cost_month")[0], rel=1e-4)


def test_months_of_the_share_are_in_what_is_paid_and_in_what_it_is_worth_today() -> None:
    """Two years of 36,000, paid through the year: worth a half and one and a half years less at 8 %."""
    design: dict[str, Value] = {**TYPED, "array_price": 100_000.0, "years": 2.0, "capital_rate_ratio": 0.08}
    keys = ("npv", "paid_total", "part_share", "cost_total", "running_total", "reconciled_ratio")
    npv, total, part, day_one, running, ratio = results(design, *keys)
    without = {**design, "container_place": "elsewhere"}
    npv_0, total_0, part_0, day_one_0, running_0, _ = results(without, *keys)
    assert part_0 == 0
    assert part == pytest.approx(72_000)
    assert total - total_0 == pytest.approx(72_000)
    assert running - running_0 == pytest.approx(72_000)
    assert day_one - day_one_0 == pytest.approx(72_000)
    assert npv - npv_0 == pytest.approx(36_000 / 1.08**0.5 + 36_000 / 1.08**1.5)
    assert ratio == pytest.approx(1)


def test_a_design_without_a_cloud_share_pays_none_of_it() -> None:
    for place in ("none", "elsewhere", "this array"):
        design = {**PRICED, "container_place": place, "array_price": 100_000.0}
        assert results(design, "share_cost_month", "part_share", "share_cost_known") == [0, 0, 1], place
        assert texts(design, "share_words", "share_cost_words") == ("none", "none"), place


def test_shares_are_ranked_beside_arrays_with_limit_and_cost_per_user() -> None:
    design = {**PRICED, "share_service": V2, "array_price": 100_000.0}
    words, per_user = answers(BUILT, CELLS, [design], "share_words", "cost_per_user_month")[0]
    assert words == f"1 share of 30,000 GiB of {V2}, limited by capacity"
    cost: Scalar = per_user
    assert isinstance(cost, float)
    assert cost > 3.19831 / 1.5  # discounted


# ---- the file of list prices -------------------------------------------------------------------------


WRONG = (  # a row for a region without a price, and what is said of it
    (f"r1,{V1},LRS,0.16,,,month,,capture,a page", "date is blank"),
    (f"r2,{V1},LRS,0.16,,,month,undated,capture,a page", "date 'undated' is no day; write 2026-09-19"),
    (f"r3,{V1},LRS,0.16,,,month,2026-09-19,suspect,a page", "status 'suspect' is unknown; use one of capture"),
    (f"r4,{V1},LRS,0,,,month,2026-09-19,capture,a page", "gib 0 is outside"),
    (f"r5,{V1},LRS,-0.1,,,month,2026-09-19,capture,a page", "gib -0.1 is outside"),
    (f"r6,{V2},LRS,0.000137,,0.000054,hour,2026-09-19,capture,a page", f"iops is blank, and {V2} sells it apart"),
    (f"r7,{V1},LRS,0.16,0.01,,month,2026-09-19,capture,a page", f"iops is filled, and {V1} does not sell it apart"),
    (
        f"r8,{V2},LRS,0.000137,0.00003,,hour,2026-09-19,capture,a page",
        f"mib is blank, and {V2} sells it apart",
    ),
    (f"eastus2,{V1},LRS,0.15,,,month,2026-09-19,capture,a page", "is already used in row"),
    ("r9,Azure Files SSD v9,LRS,0.16,,,month,2026-09-19,capture,a page", "service 'Azure Files SSD v9'"),
)


def test_a_list_price_that_may_enter_no_cost_is_refused_by_its_row(tmp_path: Path) -> None:
    """Undated, suspect, nothing, below 0, in part, twice, of an unknown service: each row by its line."""
    data = Path(shutil.copytree(DATA, tmp_path / "data"))
    path = data / "share_prices.csv"
    first = len(path.read_text(encoding="utf-8").splitlines()) + 1
    with path.open("a", encoding="utf-8") as file:
        file.writelines(f"{row}\n" for row, _ in WRONG)
    with pytest.raises(DataError) as raised:
        read(data)
    told = [str(each) for each in raised.value.complaints]
    for line, (_, wrong) in enumerate(WRONG, first):
        (said,) = (each for each in told if each.startswith(f"model/data/share_prices.csv:{line} "))
        assert wrong in said
    assert len(told) == len(WRONG)
