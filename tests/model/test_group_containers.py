"""User groups without profile containers: what the others' containers store and ask for adds up."""

from random import Random

import pytest

from model.layout.grid import FIRST_ROW
from model.sheets.catalogue import user_groups
from tests.model.test_user_groups import MIXED, OFFICE, W11
from tests.support.answers import answers, changed
from tests.support.input_sets import Inputs
from tests.support.shipped import built, built_cells

BUILT, CELLS = built(), built_cells()
PLACES: dict[str, str] = {  # place: what is stored there
    "this array": "user_data_stored_gib",
    "another array": "container_required_gib",
    "on a cloud share": "share_stored_gib",
}
LOADS = ("container_steady_load", "container_signout_load", "container_login_iops")
CONTAINERS: Inputs = {"container_gib": 30.0, "login_duration_s": 60.0, "login_window_min": 30.0}
Group = tuple[int, float | None, str | None]  # users, share at work, container


def together(groups: tuple[Group, ...], place: str, *keys: str, **more: float | str) -> list[float]:
    typed = {}
    for row, (users, share, container) in enumerate(groups, FIRST_ROW):
        for letter, value in zip("CDEI", (users, share, W11, container), strict=True):
            typed[user_groups.NAME, f"{letter}{row}"] = value
    users = sum(group[0] for group in groups)
    active = sum(group[0] * (1 if group[1] is None else group[1]) for group in groups)
    own: Inputs = {**MIXED, **CONTAINERS, "container_place": place, "desktops": users}
    return figures({**own, "concurrent_ratio": active / users, **more}, changed(CELLS, typed), keys)


def alone(group: Group, place: str, *keys: str) -> list[float]:
    users, share, _ = group
    own: Inputs = {**MIXED, **CONTAINERS, "profile": W11, "container_place": place, "desktops": users}
    return figures({**own, "concurrent_ratio": 1 if share is None else share}, CELLS, keys)


def figures(design: Inputs, cells: object, keys: tuple[str, ...]) -> list[float]:
    return [float(str(value)) for value in answers(BUILT, cells, [design], *keys)[0]]  # type: ignore[arg-type]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("seed", range(6))
def test_the_containers_of_groups_add_up(seed: int, place: str) -> None:
    random = Random(seed)
    groups = tuple(
        (random.randint(100, 3000), random.choice((None, 0.5, 0.9)), random.choice((None, "yes", "no")))
        for _ in range(random.randint(2, 6))
    )
    keys = (PLACES[place], *LOADS)
    with_one = [alone(group, place, *keys) for group in groups if group[2] != "no"]
    wanted = [sum(values) for values in zip(*with_one, strict=True)] or [0.0] * len(keys)
    assert together(groups, place, *keys) == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("place", PLACES)
def test_a_yes_is_what_a_blank_is(place: str) -> None:
    blank, typed = ((1500, 0.8, None), (500, None, None)), ((1500, 0.8, "yes"), (500, None, "yes"))
    keys = (PLACES[place], *LOADS, "arrays_required")
    assert together(typed, place, *keys) == together(blank, place, *keys)


def test_no_group_with_a_container_stores_none_and_a_design_of_one_profile_has_them_all() -> None:
    groups = ((1500, 0.8, "no"), (500, None, "no"))
    assert together(groups, "this array", *PLACES.values(), *LOADS) == [0.0] * (len(PLACES) + len(LOADS))
    other = together(groups, "this array", "user_data_stored_gib", profile=OFFICE)
    assert other == [30.0 * 2000], "the groups count where their profile is chosen"
