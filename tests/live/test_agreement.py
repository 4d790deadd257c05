"""The finished page's own formulas against the kernel: random designs, and users at which a limit is a whole number."""

from __future__ import annotations

import pytest

from addin.kernel import Evaluator
from tests.support.javascript import page_values, same
from tests.support.live_sets import any_sets, differences, number_sets, positions, whole_ratio_sets

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def places(book, program):
    return positions(book, program[1])


@pytest.mark.parametrize("seed", range(6))
def test_sixty_designs_of_one_choice_agree(book, program, places, seed):
    assert differences(book, program[0], places, *number_sets(book, 60, seed)) == []


def test_users_at_which_a_limit_asks_for_a_whole_number_agree(book, program, places):
    varied, users = whole_ratio_sets(book)
    assert users.shape[1] > 60
    assert differences(book, program[0], places, {}, varied, users) == []


def test_designs_with_blanks_texts_and_own_rows_agree_in_every_value_shown(book, program, places):
    sets = list(any_sets(book, 12))
    wanted = [item.address for item in book.results.values()]
    told = page_values(
        program[0], [{places[a]: v for a, v in each.items()} for each in sets], [places[a] for a in wanted]
    )
    wrong = []
    for each, row in zip(sets, told, strict=True):
        known = Evaluator(book.cells, each)
        known.compute(tuple(wanted))
        for key, address, value in zip(book.results, wanted, row, strict=True):
            if not same(value, known.value(address)):
                wrong.append(f"{key}: {value!r}, the kernel has {known.value(address)!r}")
    assert wrong == []
