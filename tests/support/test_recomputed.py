"""The evaluator of the tests gives what the kernel's gives, whatever is typed, in whatever order it is asked."""

from collections.abc import Mapping

import numpy as np
import pytest

from addin import kernel
from addin.kernel import Address, Cells, ExcelError, KernelError, Scalar
from tests.support import recomputed
from tests.support.answers import addresses
from tests.support.input_sets import Inputs, overrides
from tests.support.recomputed import SEVERAL, Evaluator
from tests.support.shipped import built, built_cells


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small books are many formulas, too."""
    monkeypatch.setattr(recomputed, "MANY", 1)


def at(a1: str) -> Address:
    return Address.from_a1(f"S!{a1}")


def book() -> Cells:
    """A1 to A3 are typed; B reads single cells, C a range, D what no input reaches."""
    formulas = {"B1": "=A1*2", "B2": "=B1+A2", "C1": "=SUM(A1:A3)", "C2": "=SUM(B1:C1)", "D1": "=4*2", "D2": "=D1+E1"}
    typed: dict[str, Scalar] = {"A1": 1.0, "A2": 2.0, "A3": 3.0, "E1": 5.0}
    return Cells({at(a1): value for a1, value in {**typed, **formulas}.items()})


TYPED: tuple[Mapping[str, Scalar], ...] = (
    {"A1": 10.0},
    {"A3": "text"},
    {"A2": None},
    {"B1": 7.0},  # over a formula
    {"E1": ExcelError.DIV0},
    {"A1": 4.0, "F9": 1.0},  # a cell that nothing reads
)


def test_small_books_have_the_values_of_the_kernel() -> None:
    cells = book()
    asked = [at(a1) for a1 in ("D2", "C2", "B2", "B1", "C1", "A2", "Z1")]
    for _ in range(SEVERAL):
        for typed in TYPED:
            new = {at(a1): value for a1, value in typed.items()}
            kept, plain = Evaluator(cells, new), kernel.Evaluator(cells, new)
            assert [kept.value(a) for a in asked] == [plain.value(a) for a in asked], typed
            kept = Evaluator(cells.with_values({at("A1"): 9.0}).with_values(new))
            plain = kernel.Evaluator(cells.with_values({at("A1"): 9.0}).with_values(new))
            assert [kept.value(a) for a in asked[::-1]] == [plain.value(a) for a in asked[::-1]], typed


def test_what_is_not_reached_is_not_computed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = book()
    for _ in range(SEVERAL):
        Evaluator(cells, {at("A1"): 2.0}).value(at("D2"))
    computed: list[Address] = []
    before = kernel.Evaluator.formula_value

    def counted(self: kernel.Evaluator, cell: Address) -> Scalar:
        computed.append(cell)
        return before(self, cell)

    monkeypatch.setattr(kernel.Evaluator, "formula_value", counted)
    evaluator = Evaluator(cells, {at("A1"): 3.0})
    assert (evaluator.value(at("D2")), computed) == (13.0, [])
    evaluator.value(at("B1"))
    assert computed[-1] == at("B1")


def test_a_circle_that_an_input_opens_is_computed() -> None:
    cells = Cells({at("A1"): "=B1", at("B1"): "=A1"})
    for _ in range(SEVERAL + 1):
        assert Evaluator(cells, {at("A1"): 2.0}).value(at("B1")) == 2.0
    with pytest.raises(KernelError, match="depends on itself"):
        Evaluator(cells).value(at("B1"))


@pytest.mark.slow
def test_designs_of_the_workbook_have_the_values_of_the_kernel() -> None:
    """All formulas, for designs that differ in numbers, choices and blanks; another workbook in between."""
    made, cells = built(), built_cells()
    formulas, rng = tuple(cells.formulas()), np.random.default_rng(5)
    designs: tuple[Inputs, ...] = (
        {"desktops": 3200.0, "failover": "yes"},
        {"provisioning": "PVS", "latency_limit_ms": None},
        {"array": "My array 1", "array_price": 90000.0},
        {"start_rate_per_min": 600.0, "login_window_min": "late"},
    )
    recomputed._begun[cells] = SEVERAL
    for design in designs:
        new = addresses(overrides(made, [design]))
        kept, plain = Evaluator(cells, new), kernel.Evaluator(cells, new)
        for number in rng.permutation(len(formulas))[:40]:  # some first, in any order
            assert kept.value(formulas[number]) == plain.value(formulas[number]), formulas[number].a1
        kept.compute(formulas)
        plain.compute(formulas)
        different = [f.a1 for f in formulas if repr(kept.value(f)) != repr(plain.value(f))]
        assert different == []
