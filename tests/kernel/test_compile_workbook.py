"""The real workbook, compiled: both emitters and the scalar evaluator agree on its own formulas."""

from __future__ import annotations

import numpy as np
import pytest

from addin.kernel import Address, Cells
from addin.kernel.trials.compile import Emitter, Result, Slice, check, compile_slice

RANGES = {  # uncertain input: lowest, highest draw
    "desktops": (1, 6000),
    "concurrent_ratio": (0.3, 1),
    "growth_ratio": (0, 0.4),
    "data_reduction_ratio": (0.8, 12),
    "vm_headroom_ratio": (0, 0.4),
    "demand_scale_ratio": (0.5, 2),
    "boot_iops_per_desktop": (0, 40),
    "login_iops_per_desktop": (0, 20),
    "steady_iops_per_desktop": (0, 10),
    "rho_cap_ratio": (0.5, 0.95),
    "capacity_headroom_ratio": (0, 0.5),
    "array_price": (0, 200000),
}
TEXTS = ("binding_constraint", "next_constraint")
TRIALS = 300


@pytest.fixture(scope="module")
def keys(cells: Cells) -> list[str]:
    numbers = [name[4:] for name in cells.names if name.startswith(("Out_ratio_", "Out_utilisation_"))]
    return [*TEXTS, "arrays_required", "capacity_required_gib", "cost_per_desktop", *numbers]


def named(cells: Cells, *names: str) -> tuple[Address, ...]:
    return tuple(Address.from_a1(cells.name(name)) for name in names)


def compile_results(cells: Cells, keys: list[str], emitter: Emitter) -> Slice:
    inputs = named(cells, *(f"In_{key}" for key in RANGES))
    return compile_slice(cells, inputs, named(cells, *(f"Out_{key}" for key in keys)), emitter=emitter)


def draws(trials: int, seed: int = 1) -> np.ndarray:
    """Return draws of every input, shape (inputs, trials): whole desktops, round ratios, no price in one of five."""
    rng = np.random.default_rng(seed)
    low, high = np.array(list(RANGES.values()), float).T[:, :, None]
    x = rng.uniform(low, high, (len(RANGES), trials))
    x[0], x[1] = np.rint(x[0]), np.round(x[1], 2)
    x[-1] = np.where(x[-1] < 40000, 0, x[-1])
    x[6:9, ::7] = 0
    return x


def same(first: Result, second: Result) -> bool:
    return first.values.tobytes() == second.values.tobytes() and first.codes.tobytes() == second.codes.tobytes()


@pytest.mark.slow
def test_300_trials_are_what_the_scalar_evaluator_gives(cells: Cells, keys: list[str]) -> None:
    assert check(compile_results(cells, keys, "numpy"), draws(TRIALS), sample=TRIALS) <= 1e-12


@pytest.mark.slow
def test_normal_arrivals_are_native_too(cells: Cells) -> None:
    pytest.importorskip("llvmlite")
    inputs, x = named(cells, *(f"In_{key}" for key in RANGES)), draws(10_007)
    outputs = named(cells, "Out_login_iops", "Out_login_peak_minute", "Out_arrays_required", "Out_next_constraint")
    fixed = {named(cells, "In_arrival_shape")[0]: "normal"}
    emitters: tuple[Emitter, ...] = ("numpy", "llvm")
    slices = [compile_slice(cells, inputs, outputs, fixed, emitter=emitter) for emitter in emitters]
    assert check(slices[1], x, sample=TRIALS) <= 1e-12
    first, second = (each.run(x) for each in slices)
    assert first.codes.tobytes() == second.codes.tobytes()
    np.testing.assert_allclose(second.values, first.values, rtol=1e-12)  # LN may differ in its last bit


def test_both_emitters_give_the_same_bytes(cells: Cells, keys: list[str]) -> None:
    pytest.importorskip("llvmlite")
    x = draws(100_003)
    slices = [compile_results(cells, keys, emitter) for emitter in ("numpy", "llvm")]
    assert [part.emitter for part in slices] == ["numpy", "llvm"]
    assert same(*(part.run(x) for part in slices))


@pytest.mark.parametrize("emitter", ["numpy", "auto"])
def test_results_do_not_depend_on_the_number_of_threads(cells: Cells, keys: list[str], emitter: Emitter) -> None:
    compiled, x = compile_results(cells, keys, emitter), draws(150_001)
    assert same(compiled.run(x, threads=1), compiled.run(x, threads=2))


def test_memory_of_an_earlier_result_can_be_used_again(cells: Cells, keys: list[str]) -> None:
    compiled = compile_results(cells, keys, "auto")
    first = compiled.run(draws(5000, seed=2))
    again = compiled.run(draws(5000, seed=3), into=first)
    assert again.values is first.values
    assert same(again, compiled.run(draws(5000, seed=3)))


def test_binding_constraint_comes_as_a_label(cells: Cells, keys: list[str]) -> None:
    result = compile_results(cells, keys, "auto").run(draws(TRIALS))
    shown = {result.labels[place] for place in result.texts(0)}
    assert {"Capacity", "Patching IOPS"} <= shown
    assert np.isnan(result.values[0]).all()


def test_a_missing_price_asks_for_a_quote_in_those_trials_only(cells: Cells, keys: list[str]) -> None:
    x = draws(TRIALS)
    result = compile_results(cells, keys, "auto").run(x)
    row = keys.index("cost_per_desktop")
    assert (np.isnan(result.values[row]) == (x[-1] == 0)).all()
    assert {result.labels[place] for place in result.texts(row)[x[-1] == 0]} == {"enter a quote"}


@pytest.mark.parametrize("emitter", ["numpy", "llvm"])
def test_time_to_compile_is_shown(cells: Cells, emitter: Emitter, capsys: pytest.CaptureFixture[str]) -> None:
    if emitter == "llvm":
        pytest.importorskip("llvmlite")
    compiled = compile_results(cells, ["arrays_required", "cost_per_desktop"], emitter)
    with capsys.disabled():
        print(f"\n{compiled.emitter}: {compiled.operations} operations compiled in {compiled.compile_seconds:.3f} s")


def test_text_inputs_are_fixed_in_a_slice_and_kept_per_combination(cells: Cells) -> None:
    inputs, outputs = named(cells, "In_desktops"), named(cells, "Out_arrays_required")
    (array,) = named(cells, "In_array")
    first = compile_slice(cells, inputs, outputs, {array: "NetApp AFF8040"})
    other = compile_slice(cells, inputs, outputs, {array: "EqualLogic PS6210XS"})
    assert first is compile_slice(cells, inputs, outputs, {array: "NetApp AFF8040"})
    assert first is not other


def test_an_input_that_reaches_no_output_is_named(cells: Cells) -> None:
    inputs = named(cells, "In_desktops", "In_array_price")
    compiled = compile_slice(cells, inputs, named(cells, "Out_arrays_required"))
    assert compiled.unreached == named(cells, "In_array_price")


def test_the_answer_in_words_comes_trial_by_trial(cells: Cells) -> None:
    compiled = compile_slice(cells, named(cells, "In_desktops"), named(cells, "Out_status"))
    assert check(compiled, np.array([[1.0, 900.0, 3000.0, 6000.0]]), sample=4) == 0


def test_constraints_without_a_rating_are_listed_as_text(cells: Cells) -> None:
    inputs = named(cells, "In_boot_iops_per_desktop", "In_desktops")
    compiled = compile_slice(cells, inputs, named(cells, "Out_constraints_unchecked"))
    assert check(compiled, np.array([[0.0, 5.0, 0.0], [100.0, 900.0, 0.0]]), sample=3) == 0


def test_the_source_has_one_line_per_cell_with_its_label(cells: Cells) -> None:
    compiled = compile_slice(cells, named(cells, "In_desktops"), named(cells, "Out_arrays_required"), emitter="numpy")
    lines = [line for line in compiled.source.splitlines() if "# Capacity!D6 " in line]
    assert len(lines) == 1
    assert "Desktops provisioned" in lines[0]
