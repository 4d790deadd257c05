"""What is known of two results together: checks that cannot fail are left out, and only those."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from addin.kernel import Address, Cells, Scalar
from addin.kernel.trials.codes import Texts
from addin.kernel.trials.compile import Emitter, Slice, check, compile_slice
from addin.kernel.trials.operations import FALSE, TRUE
from addin.kernel.trials.tape import Tape

INPUTS = tuple(Address("Model", row, 1) for row in range(1, 5))
LIMITS = dict(zip(INPUTS, [(1.0, 6000.0), (0.1, 0.9), (0.5, 40.0), (0.0, 1.0)], strict=True))
TRIALS = 200


def compile_line(formulas: dict[str, str], emitter: Emitter = "numpy") -> Slice:
    """Return the slice of formulas in column C; the last one is the output, column A holds the inputs."""
    places = {Address("Model", int(name[1:]), 3): text for name, text in formulas.items()}
    values: dict[Address, Scalar] = {**dict.fromkeys(INPUTS, 1.0), **places}
    return compile_slice(Cells(values, {}), INPUTS, (list(places)[-1],), emitter=emitter, limits=LIMITS)


def names(compiled: Slice) -> list[str]:
    return sorted(compiled.program.operations[node].name for node in compiled.program.needed)


def draws(trials: int = TRIALS, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    low, high = np.array(list(LIMITS.values())).T[:, :, None]
    x = rng.uniform(low, high, (len(INPUTS), trials))
    x[:, : trials // 4] = np.where(rng.uniform(size=(len(INPUTS), trials // 4)) < 0.5, low, high)
    return x


def test_a_share_of_a_sum_needs_no_check_after_it():
    share = {"C1": "=A1*0.8", "C2": "=A1*0.2", "C3": "=C1/(C1+C2)", "C4": "=100/(C3+(1-C3)*2.5)"}
    assert not {"eq", "ne", "select"} & set(names(compile_line(share)))
    assert check(compile_line(share), draws(), sample=TRIALS) == 0


def test_a_share_that_varies_itself_is_known_too():
    share = {"C1": "=A1*A2", "C2": "=A1*(1-A2)", "C3": "=IF(C1+C2>0,C1/(C1+C2),0)", "C4": "=1/(1.5-C3)"}
    assert not {"eq", "ne", "gt", "select"} & set(names(compile_line(share)))
    assert check(compile_line(share), draws(), sample=TRIALS) == 0


def test_where_the_whole_can_be_nothing_the_check_stays():
    share = {"C1": "=A4*0.8", "C2": "=A4*0.2", "C3": "=C1/(C1+C2)"}
    compiled = compile_line(share)
    x = draws()
    assert {"eq", "select"} & set(names(compiled))
    assert check(compiled, x, sample=TRIALS) == 0
    assert {compiled.run(x).scalar(0, trial) for trial in np.flatnonzero(x[3] == 0).tolist()} == {
        compiled.scalars(x[:, x[3] == 0][:, 0])[0]
    }


def test_the_larger_of_two_multiples_is_known():
    assert "max" not in names(compile_line({"C1": "=A1*2", "C2": "=MAX(A1*2.5,C1)"}))
    assert "max" in names(compile_line({"C1": "=A1*A2", "C2": "=MAX(A1*0.5,C1)"}))


def test_numbers_that_only_rounding_tells_apart_are_compared_in_every_trial():
    tape = Tape(Texts(), guarded=False)
    x = tape.input(0, 1.0, 2.0)
    thirds = tape.apply("mul", x, tape.const(1 / 3))
    again = tape.apply("div", x, tape.const(3.0))
    assert tape.raw("eq", thirds, again) not in (FALSE, TRUE)
    assert tape.raw("gt", tape.apply("mul", x, tape.const(1 / 3 + 1e-12)), again) == TRUE


def test_no_multiple_is_told_of_numbers_next_to_nothing():
    tape = Tape(Texts(), guarded=False)
    x = tape.input(0, 1e-300, 1.0)
    parts = [tape.apply("mul", x, tape.const(factor)) for factor in (1e-20, 1e-21)]
    assert tape.raw("gt", *parts) not in (FALSE, TRUE)  # both are 0 where x is 1e-310


leaf = st.sampled_from(["A1", "A2", "A3", "A4", "0.25", "3", "1"])


def deeper(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    two = st.tuples(inner, inner)
    return st.one_of(
        st.tuples(inner, st.sampled_from("+-*/"), inner).map(lambda t: f"({t[0]}{t[1]}{t[2]})"),
        two.map(lambda t: f"({t[0]}/({t[0]}+{t[1]}))"),
        two.map(lambda t: f"({t[0]}*0.3/({t[0]}*0.7+{t[1]}))"),
        two.map(lambda t: f"MAX({t[0]},{t[1]})"),
        two.map(lambda t: f"MIN({t[0]}*1.1,{t[1]},{t[0]})"),
        two.map(lambda t: f"IF({t[0]}>{t[1]},{t[0]},{t[1]})"),
        two.map(lambda t: f"ROUNDUP({t[0]}/(1.2-{t[1]}),0)"),
    )


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.recursive(leaf, deeper, max_leaves=12), st.integers(0, 1000))
def test_any_formula_of_positive_inputs_is_what_the_scalar_evaluator_gives(formula: str, seed: int) -> None:
    x = draws(40, seed)
    both = [compile_line({"C1": f"={formula}"}, emitter) for emitter in ("numpy", "auto")]
    assert check(both[0], x, sample=40) == 0
    results = [each.run(x) for each in both]
    assert results[0].values.tobytes() == results[1].values.tobytes()
    assert results[0].codes.tobytes() == results[1].codes.tobytes()


@pytest.mark.parametrize("divisor", [3.0, 0.3, 1 - 2**-53, 1 + 2**-52, 3100.0, 2.5252440000000003, 7.0, 1e-3])
def test_quotients_made_of_products_are_rounded_as_divisions(divisor: float) -> None:
    pytest.importorskip("llvmlite")
    compiled = compile_line({"C1": f"=A1/{divisor!r}"}, "llvm")
    x = np.tile(draws(4), (1, 5000))
    rng = np.random.default_rng(0)
    whole = rng.integers(1, 6000, x.shape[1]) * divisor
    beside = np.array([np.nextafter(whole, 0), whole, np.nextafter(whole, 1e9)])[
        rng.integers(0, 3, x.shape[1]), range(x.shape[1])
    ]
    x[0] = np.where(rng.uniform(size=x.shape[1]) < 0.5, np.clip(beside, 1, 6000), rng.uniform(1, 6000, x.shape[1]))
    assert (compiled.run(x).values[0] == x[0] / divisor).all()


def test_divisions_by_the_same_varying_number_are_rounded_as_divisions() -> None:
    pytest.importorskip("llvmlite")
    values: dict[Address, Scalar] = {**dict.fromkeys(INPUTS, 1.0)}
    outputs = (Address("Model", 1, 3), Address("Model", 2, 3))
    values |= {outputs[0]: "=A1/A3", outputs[1]: "=A2/A3"}
    compiled = compile_slice(Cells(values, {}), INPUTS, outputs, emitter="llvm", limits=LIMITS)
    x = draws(200_000)
    x[2, :1000] = np.nextafter(np.exp2(np.arange(1000) % 5), 0)  # all ones: the reciprocals hardest to round
    assert (compiled.run(x).values == x[:2] / x[2]).all()
