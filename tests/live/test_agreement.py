"""The finished page's own formulas against the kernel: random designs, and users at which a limit is a whole number.

The long run is `python -m tests.support.live_sets`.
"""

from __future__ import annotations

import pytest

from tests.support.live_sets import (
    any_sets,
    in_batch,
    number_sets,
    one_by_one,
    positions,
    saved_results,
    whole_ratio_sets,
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def places(book, program):
    return positions(book, program[1])


@pytest.fixture(scope="module")
def saved(book):
    return saved_results(book)


@pytest.mark.parametrize("seed", range(3))
def test_sixty_designs_of_one_choice_agree(book, saved, program, places, seed):
    assert in_batch(book, saved, program[0], places, *number_sets(book, 60, seed)).wrong == []


def test_users_at_which_a_limit_asks_for_a_whole_number_agree(book, saved, program, places):
    varied, users = whole_ratio_sets(book, saved)
    assert users.shape[1] > 60
    assert in_batch(book, saved, program[0], places, {}, varied, users).wrong == []


def test_designs_with_blanks_texts_and_own_rows_agree_in_every_value_shown(book, program, places):
    found = one_by_one(book, program[0], places, list(any_sets(book, 6)))
    assert found.wrong == []
    assert min(found.numbers, found.others) > 100
