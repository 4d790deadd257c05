"""Fifteen digits on vectors, against rounding.py and against decimal arithmetic."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from addin.kernel import Address, Cells
from addin.kernel.excel import rounding
from addin.kernel.trials import digits15
from addin.kernel.trials.compile import Emitter, compile_slice

MODES: list[Callable[[float, int], float]] = [rounding.round_half_away, rounding.round_up, rounding.round_down]


def hard_numbers(count: int = 3000) -> np.ndarray:
    """Return numbers near whole ones, near ties and of every size, with their neighbours and opposites."""
    rng = np.random.default_rng(7)
    numbers = np.concatenate(
        [
            10 ** rng.uniform(-12, 20, count),
            rng.integers(1, 10**7, count) * rng.choice([0.01, 0.07, 0.1, 1 / 3, 0.5, 1.1], count),
            rng.integers(1, 10**15, count) / 10.0 ** rng.integers(0, 16, count),
            rng.integers(10**15, 10**17, count).astype(float),
            rng.integers(1, 2**40, count) / 2.0 ** rng.integers(0, 40, count),
            [0.0, 1e22, 1e30, 1e31, 1e200, 1e-300],
        ]
    )
    numbers = np.concatenate([numbers, np.nextafter(numbers, 0), np.nextafter(numbers, np.inf)])
    return np.concatenate([numbers, -numbers])


def scalar(function: Callable[[float], float], x: np.ndarray) -> np.ndarray:
    return np.array([function(float(value)) for value in x])


def test_view_is_the_nearest_float_to_15_digits() -> None:
    x = hard_numbers()
    assert (digits15.view(x) == scalar(rounding.view, x)).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("vector", "single"),
    [
        (digits15.up, lambda x: rounding.round_up(x, 0)),
        (digits15.down, lambda x: rounding.round_down(x, 0)),
        (digits15.half, lambda x: rounding.round_half_away(x, 0)),
        (digits15.above, lambda x: rounding.ceiling(x, 1.0)),
        (digits15.below, lambda x: rounding.floor(x, 1.0)),
    ],
    ids=["up", "down", "half", "above", "below"],
)
def test_rounding_to_whole_numbers(vector: Callable[..., None], single: Callable[[float], float]) -> None:
    x = hard_numbers()
    out, scratch, flags = np.empty_like(x), np.empty_like(x), np.empty(x.shape, np.bool_)
    vector(x, out, scratch, flags)
    assert (out == scalar(single, x)).all()


def test_comparisons_and_the_last_sum() -> None:
    x = hard_numbers(2000)
    y = x * (1 + np.random.default_rng(3).uniform(-1.2e-14, 1.2e-14, x.size))
    order = np.array([rounding.compare(float(a), float(b)) for a, b in zip(x, y, strict=True)])
    out, t, u, flags = np.empty(x.shape, np.bool_), np.empty_like(x), np.empty_like(x), np.empty(x.shape, np.bool_)
    digits15.equal(x, y, out, t, u, flags)
    assert (out == (order == 0)).all()
    digits15.less(x, y, out, t, u, flags)
    assert (out == (order < 0)).all()
    rest = x - y
    digits15.snap(rest, x, y, t, u, flags)
    assert (
        rest == [rounding.snapped(float(a) - float(b), float(a), float(b)) for a, b in zip(x, y, strict=True)]
    ).all()


@pytest.mark.parametrize("emitter", ["numpy", "llvm"])
def test_users_times_share_is_never_rounded_up_wrongly(emitter: Emitter) -> None:
    if emitter == "llvm":
        pytest.importorskip("llvmlite")
    inputs = (Address("A", 1, 1), Address("A", 2, 1))
    cells = Cells({**dict.fromkeys(inputs, 0.0), Address("A", 3, 1): "=ROUNDUP(A1*A2,0)"})
    users, percent = (grid.ravel() for grid in np.meshgrid(np.arange(1, 20001), np.arange(1, 100)))
    x = np.array([users, percent / 100], float)
    result = compile_slice(cells, inputs, (Address("A", 3, 1),), emitter=emitter).run(x)
    assert (result.values[0] == -(-users * percent // 100)).all()
    assert (np.ceil(x[0] * x[1]) != result.values[0]).sum() == 2821  # what plain ceil gets wrong


@pytest.mark.slow
@pytest.mark.parametrize(
    "function",
    [f"{name}({{}},{digits})" for name in ("ROUNDUP", "ROUNDDOWN", "ROUND") for digits in (0, 1)]
    + ["CEILING({},3)", "FLOOR({},3)"],
)
@pytest.mark.parametrize("emitter", ["numpy", "llvm"])
def test_both_emitters_round_hard_numbers_as_one_by_one(function: str, emitter: Emitter) -> None:
    if emitter == "llvm":
        pytest.importorskip("llvmlite")
    x = hard_numbers(200)
    x = x[(np.abs(x) < 1e15) & ((x > 0) | ("CEIL" not in function))]
    given, output = Address("A", 1, 1), Address("A", 2, 1)
    cells = Cells({given: 0.0, output: "=" + function.format("A1")})
    compiled = compile_slice(cells, (given,), (output,), emitter=emitter)
    assert (compiled.run(x[None, :]).values[0] == [compiled.scalars(np.array([value]))[0] for value in x]).all()


@pytest.mark.slow
@pytest.mark.parametrize("operator", ["=", "<>", "<", "<=", ">", ">="])
@pytest.mark.parametrize("emitter", ["numpy", "llvm"])
def test_both_emitters_compare_as_one_by_one(operator: str, emitter: Emitter) -> None:
    if emitter == "llvm":
        pytest.importorskip("llvmlite")
    x = hard_numbers(100)
    x = x[np.abs(x) < 1e15]
    y = x * (1 + np.random.default_rng(5).choice([0, 1e-16, -3e-15, 4e-15, 9e-15, 2e-14], x.size))
    inputs, output = (Address("A", 1, 1), Address("A", 2, 1)), Address("A", 3, 1)
    cells = Cells({**dict.fromkeys(inputs, 0.0), output: f"=A1{operator}A2"})
    compiled = compile_slice(cells, inputs, (output,), emitter=emitter)
    wanted = [compiled.scalars(pair)[0] for pair in np.array([x, y]).T]
    assert (compiled.run(np.array([x, y])).values[0] == wanted).all()
