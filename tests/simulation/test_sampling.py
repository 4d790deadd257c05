"""Draws: strata kept, keyed by name, the same bytes however they are cut, and better than plain random numbers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kstest, qmc

from addin.errors import RequestError
from addin.simulation import sampling
from addin.simulation.sampling import SAMPLERS, Dimensions, blocks, draws, plan

KEYS = tuple(f"input_{number}" for number in range(12))
N = 1 << 13


def test_unscrambled_points_are_those_of_joe_and_kuo_in_256_dimensions():
    numbers = np.arange(1024)
    gray = numbers ^ (numbers >> 1)  # scipy walks the same points in Gray-code order
    words = [sampling._sobol_points(k, 0, 1024).copy() for k in range(256)]
    points = [sampling._reversed_bits(word, np.empty_like(word)) * 2.0**-32 for word in words]
    assert np.array_equal(np.array(points)[:, gray].T, qmc.Sobol(256, scramble=False, bits=32).random(1024))


@pytest.mark.parametrize("k", [0, 1, 5, 10, 13])
@pytest.mark.parametrize("sampler", ["sobol", "latin"])
def test_each_of_2_to_the_k_intervals_holds_one_point(sampler, k):
    u = draws(KEYS, 1 << k, 5, 2, sampler)
    assert np.array_equal(np.sort((u * (1 << k)).astype(int), axis=1), np.tile(np.arange(1 << k), (len(KEYS), 1)))


def test_later_blocks_of_a_sobol_replicate_are_stratified_too():
    u = draws(KEYS, N, 5, 2, "sobol", start=3 * 256, count=256)
    assert np.array_equal(np.sort((u * 256).astype(int), axis=1), np.tile(np.arange(256), (len(KEYS), 1)))


def test_pairs_of_dimensions_fill_the_unit_square_evenly():
    # (t, m, 2)-nets: the first two dimensions have t = 0, one point in each box of area 2^-10
    u = draws(KEYS[:2], 1024, 9, 0, "sobol")
    for split in range(11):
        boxes = (u[0] * 2**split).astype(int) * 2 ** (10 - split) + (u[1] * 2 ** (10 - split)).astype(int)
        assert len(np.unique(boxes)) == 1024


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("size", [1000, 1024, 4096, 3333, 65_536])
def test_chunks_of_any_size_give_the_same_bytes(sampler, size):
    n = 1 << 16
    whole = draws(KEYS[:3], n, 1, 4, sampler)
    parts = [draws(KEYS[:3], n, 1, 4, sampler, start=at, count=min(size, n - at)) for at in range(0, n, size)]
    assert np.concatenate(parts, axis=1).tobytes() == whole.tobytes()


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_replicates_at_once_give_the_same_bytes_as_one_by_one(sampler):
    together = blocks(KEYS, 512, 1, range(5), sampler, start=64, count=128)
    for replicate in range(5):
        single = draws(KEYS, 512, 1, replicate, sampler, start=64, count=128)
        assert together[:, replicate].tobytes() == single.tobytes()


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_a_new_input_leaves_the_draws_of_the_others_alone(sampler):
    registry = Dimensions().including(KEYS)
    before = draws(KEYS, N, 1, 0, sampler, registry)
    more = ("first_of_all", *KEYS[:6], "in_between", *KEYS[6:])
    after = draws(more, N, 1, 0, sampler, registry.including(more))
    kept = [more.index(key) for key in KEYS]
    assert after[kept].tobytes() == before.tobytes()


def test_a_removed_input_keeps_its_dimension():
    registry = Dimensions().including(["a", "b", "c"])
    assert registry.including(["a", "c", "d"]).numbers == (("a", 0), ("b", 1), ("c", 2), ("d", 3))


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_seed_replicate_and_key_each_change_the_draws(sampler):
    registry = Dimensions((("a", 0), ("b", 0)))
    seen = {
        draws([key], 64, seed, rep, sampler, registry).tobytes() for key in "ab" for seed in (1, 2) for rep in (0, 1)
    }
    assert len(seen) == 8


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_draws_are_uniform_and_never_0_or_1(sampler):
    u = blocks(["a"], 64, 3, range(1000), sampler)[0]
    assert u.min() > 0
    assert u.max() < 1
    assert kstest(u[:, 17], "uniform").pvalue > 1e-3  # one trial over many scrambles
    assert kstest(u[:, 0], "uniform").pvalue > 1e-3


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_inputs_are_uncorrelated(sampler):
    u = blocks(KEYS, 1024, 3, range(16), sampler).reshape(len(KEYS), -1)
    off_diagonal = np.corrcoef(u) - np.eye(len(KEYS))
    assert np.abs(off_diagonal).max() < 4.5 / np.sqrt(u.shape[1])


def test_the_scrambling_flips_each_node_of_the_digit_tree_at_random():
    # nested uniform scrambling: given the digits before it, a digit is flipped in half of the scrambles,
    # independently of the flips at other nodes of the same level
    points = np.arange(16, dtype=np.uint32)  # bit-reversed: the first four binary digits
    seeds = np.array([sampling.stream(1, "a", r, "sobol") for r in range(20_000)], dtype=np.uint64)
    words = np.tile(points, (len(seeds), 1))
    sampling._scramble(words, seeds, np.empty_like(words))
    flips = (words[:, :8] ^ points[:8]) >> 3 & 1  # level 4, its eight nodes
    assert np.abs(flips.mean(axis=0) - 0.5).max() < 4.5 * 0.5 / np.sqrt(20_000)
    correlation = np.corrcoef(flips.T) - np.eye(8)
    assert np.abs(correlation).max() < 4.5 / np.sqrt(20_000)


def test_trials_are_rounded_up_to_replicates_times_a_power_of_two():
    assert plan(65_536).note == ""
    assert (plan(65_536).per_replicate, plan(65_536).trials) == (4096, 65_536)
    assert plan(100_000).note == "100,000 trials rounded up to 131,072: 16 x 8,192."
    assert (plan(1).per_replicate, plan(1).trials) == (1, 16)
    assert plan(1000, replicates=10).trials == 1280


def test_chunks_cover_every_trial_once_and_treat_replicates_alike():
    for trials in (1, 1000, 65_536, 1_000_000):
        size = plan(trials)
        spans = list(size.spans())
        assert len(spans) == size.chunks
        assert sum(count for _, count in spans) == size.per_replicate
        assert all(spans[k + 1][0] == start + count for k, (start, count) in enumerate(spans[:-1]))
        assert size.block * size.replicates <= max(sampling.CHUNK, size.replicates)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: plan(0, where="--trials"), "--trials: 0 trials, expected at least 1."),
        (lambda: plan(-5), "trials: -5 trials, expected at least 1."),
        (lambda: plan(10, replicates=1), "trials: 1 replicates, expected 2 to 64."),
        (lambda: plan(2**40), "expected at most 68,719,476,736. Ask for fewer."),
        (lambda: draws(["a"], 64, 1, 0, "halton"), "sampler: 'halton' is not known. Use one of sobol, latin, plain."),
        (lambda: draws(["a"], 100, 1, 0), "trials of a replicate: 100, expected a power of two up to 2^32."),
        (lambda: draws(["a"], 64, 1, 0, start=60, count=8), "trials 60 to 68: expected a part of 0 to 64."),
        (lambda: Dimensions().including(map(str, range(257))), "Sobol dimensions: 257 inputs, expected at most 256."),
    ],
)
def test_impossible_requests_are_named(call, message):
    with pytest.raises(RequestError) as error:
        call()
    assert message in str(error.value)


def test_sobol_finds_p95_more_exactly_than_plain_draws():
    errors = {}
    for sampler in ("sobol", "plain"):
        u = blocks(KEYS[:5], 1024, 2, range(16 * 64), sampler)
        results = np.sqrt(12 / 5) * (u.sum(axis=0) - 2.5)  # about normal; 64 runs of 16,384 trials
        p95 = np.quantile(results.reshape(64, -1), 0.95, axis=1)
        errors[sampler] = float(np.std(p95))
    ratio = errors["plain"] / errors["sobol"]
    print(f"P95 of 16,384 trials: plain error / Sobol error = {ratio:.1f}")
    assert ratio > 1.5
