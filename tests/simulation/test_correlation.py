"""Rank correlations asked for are those found, and nothing else moves."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from addin.errors import RequestError
from addin.simulation.correlation import couple, coupling, nearest_correlation
from addin.simulation.sampling import blocks

NAMES = ("desktops", "iops", "growth", "reduction")
RANKS = np.array([[1, 0.6, 0, -0.3], [0.6, 1, 0, -0.5], [0, 0, 1, 0], [-0.3, -0.5, 0, 1.0]])
IMPOSSIBLE = np.array([[1, 0.9, -0.9], [0.9, 1, 0.9], [-0.9, 0.9, 1.0]])


def draws(count: int) -> np.ndarray:
    return blocks(NAMES[:count], 4096, 1, range(16)).reshape(count, -1)


def test_the_rank_correlations_are_those_asked_for():
    ranks = stats.spearmanr(couple(draws(4), coupling(RANKS, NAMES)), axis=1).statistic
    assert ranks == pytest.approx(RANKS, abs=0.005)


def test_coupled_draws_stay_uniform():
    for row in couple(draws(4), coupling(RANKS, NAMES)):
        assert stats.kstest(row, "uniform").statistic < 0.003


def test_inputs_that_depend_on_none_before_them_are_untouched():
    u = draws(4)
    coupled = couple(u, coupling(RANKS, NAMES))
    assert coupled[0].tobytes() == u[0].tobytes()
    assert coupled[2].tobytes() == u[2].tobytes()
    assert coupled[1].tobytes() != u[1].tobytes()


def test_no_correlation_changes_nothing():
    u = draws(4)
    assert couple(u, coupling(np.eye(4), NAMES)).tobytes() == u.tobytes()


def test_a_new_input_comes_last_and_leaves_the_others_alone():
    u = draws(4)
    before = couple(u[:3], coupling(RANKS[:3, :3], NAMES[:3]))
    assert couple(u, coupling(RANKS, NAMES))[:3].tobytes() == before.tobytes()


def test_chunks_of_any_size_give_the_same_bytes():
    u, coupled = draws(4), coupling(RANKS, NAMES)
    whole = couple(u, coupled)
    for size in (1000, 1024, 7777, 65_536):
        parts = [couple(u[:, at : at + size], coupled) for at in range(0, u.shape[1], size)]
        assert np.concatenate(parts, axis=1).tobytes() == whole.tobytes()


def test_replicates_may_have_an_axis_of_their_own():
    u = draws(4)
    coupled = coupling(RANKS, NAMES)
    assert couple(u.reshape(4, 16, -1), coupled).tobytes() == couple(u, coupled).tobytes()


def test_a_correlation_of_one_makes_equal_draws():
    u = couple(draws(2), coupling(np.ones((2, 2)), NAMES[:2]))
    assert u[1] == pytest.approx(u[0], abs=1e-10)


def test_a_correlation_of_minus_one_makes_opposite_draws():
    u = couple(draws(2), coupling(np.array([[1.0, -1.0], [-1.0, 1.0]]), NAMES[:2]))
    assert u[1] == pytest.approx(1 - u[0], abs=1e-10)


def test_higham_finds_the_published_nearest_matrix():
    # N. J. Higham, "Computing the nearest correlation matrix" (2002), the tridiagonal 3 x 3 example
    asked = np.array([[1.0, 1, 0], [1, 1, 1], [0, 1, 1]])
    printed = np.array([[1, 0.7607, 0.1573], [0.7607, 1, 0.7607], [0.1573, 0.7607, 1]])
    assert nearest_correlation(asked) == pytest.approx(printed, abs=5e-5)


def test_an_impossible_matrix_is_repaired_and_says_how_far():
    coupled = coupling(IMPOSSIBLE, NAMES[:3])
    assert coupled.repair is not None
    assert abs(coupled.repair.used - coupled.repair.asked) == pytest.approx(np.abs(coupled.ranks - IMPOSSIBLE).max())
    assert coupled.repair.note.startswith(
        "Correlations contradict each other and were moved to the nearest possible set;"
    )
    ranks = stats.spearmanr(couple(draws(3), coupled), axis=1).statistic
    assert ranks == pytest.approx(coupled.ranks, abs=0.005)


def test_a_possible_matrix_is_not_repaired():
    assert coupling(RANKS, NAMES).repair is None


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.ones((2, 3)), "the matrix is 2 x 3, expected 2 x 2. Give a row and a column for each input."),
        (np.ones(4), "the matrix is 4, expected 2 x 2. Give a row and a column for each input."),
        ([[1, 0.5], [0.4, 1]], "iops with desktops is 0.4 but 0.5 the other way round. Give both cells one value."),
        ([[1, 1.5], [1.5, 1]], "iops with desktops is 1.5, expected -1 to 1. Correct the cell."),
        ([[1, np.nan], [0.1, 1]], "iops with desktops is nan, expected -1 to 1. Correct the cell."),
        ([[0.9, 0], [0, 1]], "desktops with itself is 0.9, expected 1. Set the diagonal to 1."),
    ],
)
def test_what_is_no_correlation_matrix_is_refused(matrix, message):
    with pytest.raises(RequestError) as error:
        coupling(np.array(matrix, dtype=float), NAMES[:2], where="Risk!Correlation")
    assert str(error.value) == f"Risk!Correlation: {message}"


def test_rows_that_do_not_fit_are_refused():
    with pytest.raises(RequestError, match="3 rows of draws for 4 inputs"):
        couple(draws(3), coupling(RANKS, NAMES))
