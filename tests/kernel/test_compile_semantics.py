"""What a compiled slice makes of errors, blanks, texts and truth values; what it refuses, and how it says so."""

from __future__ import annotations

import math

import numpy as np
import pytest

from addin.kernel import Address, Cells, ExcelError, Function, KernelError, Scalar
from addin.kernel.trials import compile as compiled_module
from addin.kernel.trials.codes import TEXT
from addin.kernel.trials.compile import (
    Disagreement,
    Emitter,
    Slice,
    check,
    compile_slice,
    difference,
)

EMITTERS: tuple[Emitter, ...] = ("numpy", "auto")
DIV0, NA, NUM, VALUE = ExcelError.DIV0, ExcelError.NA, ExcelError.NUM, ExcelError.VALUE
X = Address("Model", 1, 1)  # A1, the uncertain input
FIXED: dict[Address, Scalar] = {
    Address("Model", 1, 2): 5.0,  # B1
    Address("Model", 2, 2): None,
    Address("Model", 3, 2): "text",
    Address("Model", 4, 2): True,
    Address("Model", 5, 2): NA,
    Address("Model", 1, 3): "low",  # C1:C3, D1:D3 a table
    Address("Model", 2, 3): "mid",
    Address("Model", 3, 3): "high",
    Address("Model", 1, 4): 0.0,
    Address("Model", 2, 4): 10.0,
    Address("Model", 3, 4): 20.0,
}


def slice_of(*formulas: str, emitter: Emitter = "auto", inputs: tuple[Address, ...] = (X,)) -> Slice:
    """Compile formulas in E1, E2 ... of the sheet Model; each may read those above it."""
    outputs = [Address("Model", row, 5) for row in range(1, len(formulas) + 1)]
    values: dict[Address, Scalar] = {**FIXED, **dict.fromkeys(inputs, 0.0)}
    values.update(zip(outputs, formulas, strict=True))
    return compile_slice(Cells(values), inputs, outputs[-1:], emitter=emitter)


def results(compiled: Slice, *x: float) -> list[Scalar]:
    result = compiled.run(np.array([x]))
    return [result.scalar(0, trial) for trial in range(len(x))]


SEMANTICS = [
    # formula, input, result
    ("=1/A1", 0, DIV0),
    ("=1/A1", 4, 0.25),
    ("=1/A1=1/A1", 0, DIV0),  # an error survives a comparison
    ("=IF(1/A1>0,1,2)", 0, DIV0),
    ("=IF(A1=0,7,1/A1)", 0, 7.0),  # the branch not taken does not count
    ("=IF(A1=0,1/A1,7)", 0, DIV0),
    ("=1^(1/A1)", 0, DIV0),
    ("=A1^0", 0, NUM),
    ("=A1^-1", 0, DIV0),
    ("=A1^0.5", -4, NUM),
    ("=A1^(1/3)", -8, -2.0),
    ("=A1^1E-310", -8, NUM),  # one over it is no number that a float has
    ("=SQRT(A1)", -1, NUM),
    ("=LN(A1)", 0, NUM),
    ("=EXP(A1)", 1000, NUM),
    ("=IF(A1<700,EXP(A1),-1)", 1000, -1.0),  # an overflow on the branch not taken neither
    ("=A1*1E300*1E300", 2, NUM),
    ("=1/(A1*1E300*1E300)", 2, NUM),
    ("=MAX(1/A1,5)", 0, DIV0),
    ("=MIN(A1,B1:B4)", 3, 3.0),
    ("=SUM(A1,B1:B5)", 3, NA),  # an error in a range is the result
    ("=SUM(1/A1,B1:B5)", 0, DIV0),  # the first of two errors wins
    ("=COUNT(A1,B1:B5)", 3, 2.0),
    ("=MATCH(1/A1,D1:D3,1)", 0, DIV0),
    ("=MATCH(A1,D1:D3,1)", -1, NA),
    ("=MATCH(A1,D1:D3,0)", 11, NA),
    ("=MATCH(A1,D1:D3,0)", 10, 2.0),
    ("=INDEX(C1:C3,MATCH(A1,D1:D3,1))", 15, "mid"),
    ("=INDEX(C1:C3,MATCH(A1,D1:D3,1))", -15, NA),
    ("=INDEX(C1:C3,A1)", 4, ExcelError.REF),
    ("=INDEX(C1:C3,A1)", -2, VALUE),
    ("=INDEX(C1:C3,A1)", 0.5, "low"),  # of the whole column the cell in the formula's row
    ("=VLOOKUP(A1,D1:D3,1)", 12, 10.0),
    ("=IFERROR(1/A1,\"none\")", 0, "none"),
    ("=IFERROR(MATCH(A1,D1:D3,0),0)", 11, 0.0),
    ("=IFERROR(A1*1E300*1E300,3)", 2, 3.0),
    ("=IFNA(1/A1,0)", 0, DIV0),
    ("=ISERROR(1/A1)", 0, 1.0),
    ("=ISNA(MATCH(A1,D1:D3,0))", 11, 1.0),
    ("=ISNUMBER(IF(A1>0,A1,\"x\"))", 0, 0.0),
    ("=A1+B2", 3, 3.0),  # a blank is 0
    ("=A1+B4", 3, 4.0),  # TRUE is 1
    ("=A1+B3", 3, VALUE),  # text is no number
    ("=A1&B3", 3, "3text"),
    ("=A1<B3", 3, 1.0),  # numbers come before texts
    ("=A1>B4", 3, 0.0),
    ("=(A1>2)=B4", 3, 1.0),
    ("=SUM(B4,A1>2)", 3, 1.0),  # in cells TRUE is passed over, as an argument it is 1
    ("=IF(A1>2,B2,1)", 3, 0.0),  # a formula is never blank
    ("=ISBLANK(IF(A1>2,B2,1))", 3, 1.0),
    ("=IF(A1>2,\"enter a quote\",A1)", 3, "enter a quote"),
    ("=IF(A1>2,\"enter a quote\",A1)", 1, 1.0),
    ("=IF(A1>2,\"a\",\"b\")&\"c\"", 3, "ac"),
    ("=REPT(\"x\",SIGN(A1))&\"!\"", 3, "x!"),
    ("=REPT(\"x\",SIGN(A1))", -3, VALUE),
    ("=LEN(IF(A1>2,\"four\",\"three\"))*A1", 3, 12.0),
    ("=IF(IF(A1>2,\"MID\",\"low\")=C2,1,2)", 3, 1.0),  # texts are compared blind to case
    ("=0.1*A1=0.3", 3, 1.0),  # comparisons see 15 digits
    ("=A1*0.1+A1*0.2-A1*0.3", 1, 0.0),  # the last sum of a formula drops its rest
    ("=(A1*0.1+A1*0.2-A1*0.3)", 1, 5.551115123125783e-17),
    ("=INT(A1*100)", 0.29, 28.0),  # INT looks at the raw number
    ("=ROUNDUP(A1*100,0)", 1.1, 110.0),
    ("=ROUND(A1,2)", 1.005, 1.01),
    ("=CEILING(A1*100,1)", 0.29, 29.0),
    ("=CEILING.MATH(A1*100)", 0.29, 29.0),
    ("=CEILING.MATH(A1,-2)", 5, 6.0),  # the sign of the step does not count
    ("=CEILING.MATH(A1,2,1)", -5.5, -6.0),
    ("=CEILING.MATH(-5.5,2,A1)", 0, -4.0),
    ("=FLOOR.MATH(A1,2)", -8.1, -10.0),
    ("=FLOOR.MATH(A1,2,1)", -5.5, -4.0),
    ("=1/FLOOR.MATH(A1,1,1)", -0.5, DIV0),
    ("=CEILING.MATH(A1,0)", 2, 0.0),
    ("=FLOOR(A1,-1)", 2, NUM),
    ("=FLOOR(A1,0)", 2, DIV0),
    ("=MROUND(A1,-1)", 2, NUM),
    ("=MOD(A1,-3)", 4, -2.0),
    ("=MOD(4,A1)", 0, DIV0),
    ("=CHOOSE(A1,10,20)", 2.9, 20.0),
    ("=CHOOSE(A1,10,20)", 3, VALUE),
    ("=AND(A1>1,1/A1>0)", 0, DIV0),
    ("=AVERAGE(B1:B3,A1)", 3, 4.0),
    ("=SUMIF(D1:D3,\">5\",D1:D3)*A1", 2, 60.0),
    ("=LARGE(D1:D3,2)+A1", 2, 12.0),
    ("=SUMPRODUCT((D1:D3>A1)*D1:D3)", 5, 30.0),
    ("=SUMPRODUCT((D1:D3>1/A1)*D1:D3)", 0, DIV0),
    ("=NPV(A1,D1:D3)", 0, 30.0),
    ("=NPV(A1,D1:D3)", -1, DIV0),
    ("=PMT(A1,12,1200)", 0, -100.0),
    ("=ISNUMBER(EXP(A1))", 1000, 0.0),  # an overflow shows where nothing uses the number
    ("=IF(EXP(A1)>=0,1,2)", 1000, NUM),
    ("=A1", 1e200, 1e200),  # beyond the limits of an input: cell by cell
    ("=A1*A1", 1e200, NUM),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("emitter", EMITTERS)
@pytest.mark.parametrize(("formula", "x", "wanted"), SEMANTICS)
def test_semantics(formula: str, x: float, wanted: Scalar, emitter: Emitter) -> None:
    compiled = slice_of(formula, emitter=emitter)
    assert difference(results(compiled, 1.0, x, 2.5)[1], wanted) <= 1e-12
    assert check(compiled, np.array([[1.0, x, 2.5, -1.0, 0.0, 12.0]])) <= 1e-12


@pytest.mark.slow
def test_every_case_computes_the_same_with_all_numbers_uncertain(case_cells: Cells) -> None:
    inputs = tuple(a for a, value in case_cells.values.items() if a.sheet != "Cases" and type(value) is float)
    x = np.array([[case_cells.values[address]] for address in inputs], float)
    wrong, native = [], 0
    for address in case_cells.formulas():
        compiled = compile_slice(case_cells, inputs, (address,))
        native += compiled.operations > 0
        actual, wanted = compiled.run(x).scalar(0, 0), compiled.scalars(x[:, 0])[0]
        if difference(actual, wanted) > 1e-12:
            wrong.append(f"{case_cells.formula(address)}: {actual!r}, one by one {wanted!r}")
    assert wrong == []
    assert native > 100


def test_errors_are_located_where_they_start() -> None:
    compiled = slice_of("=1/A1", "=E1+1", "=IF(A1<5,E2,0)")
    assert compiled.locate(np.array([0.0])) == [(Address("Model", 3, 5), DIV0, Address("Model", 1, 5))]
    assert compiled.locate(np.array([1.0])) == []


def test_codes_name_the_error_and_the_number_is_nan() -> None:
    result = slice_of("=IF(A1>0,1/(A1-1),LN(A1))").run(np.array([[1.0, 2.0, -1.0]]))
    errors = [compiled_module.ERRORS[code - 1] if code else None for code in result.errors(0)]
    assert errors == [DIV0, None, NUM]
    assert np.isnan(result.values[0]).tolist() == [True, False, True]


def test_labels_follow_the_codes() -> None:
    result = slice_of('=IF(A1>0,"yes",IF(A1=0,"no",A1))').run(np.array([[1.0, 0.0, -1.0]]))
    assert [result.labels[code - TEXT] if code else "" for code in result.codes[0]] == ["yes", "no", ""]
    assert result.texts(0)[2] == -1
    assert result.values[0][2] == -1.0


def test_an_overflow_in_some_trials_is_found_by_both_emitters() -> None:
    x = np.linspace(-1e3, 1e3, 2001)
    for emitter in EMITTERS:
        compiled = slice_of("=IFERROR(EXP(A1),-1)+EXP(-ABS(A1))", emitter=emitter)
        result = compiled.run(x[None, :])
        assert result.reruns == (x > math.log(1e60)).sum()
        assert (result.values[0][x > 709.8] == -1.0).all()
        assert np.isclose(result.values[0][1000], 2.0)


def test_a_trial_outside_the_limits_is_computed_one_by_one() -> None:
    given = (Address("Model", 1, 1),)
    output = Address("Model", 1, 5)
    cells = Cells({X: 0.0, output: "=MAX(A1,0)*2"})
    compiled = compile_slice(cells, given, (output,), limits={X: (0.0, 10.0)})
    result = compiled.run(np.array([[1.0, -5.0, 11.0]]))
    assert result.values[0].tolist() == [2.0, 0.0, 22.0]
    assert result.reruns == 2


@pytest.mark.parametrize("emitter", EMITTERS)
@pytest.mark.parametrize("trials", [0, 1, 7, 8, 9, 16385, 32769])
def test_any_number_of_trials(trials: int, emitter: Emitter) -> None:
    result = slice_of("=A1*2", emitter=emitter).run(np.arange(float(trials))[None, :])
    assert (result.values[0] == 2 * np.arange(trials)).all()


ONE_BY_ONE = [
    ('=A1&" desktops"',),
    ('=TEXT(A1,"0.0")',),
    ("=IRR(D1:D3,A1)",),
    ("=ROUND(5.5,A1)",),
    ("=PERCENTILE(D1:D3,A1/100)", "=E1*2+A1"),
    ("=PMT(A1/100,12,B1)", "=IFERROR(E1,5)+1"),
    ('=IF(A1>2,TEXT(A1,"0"),B1)', '=IF(E1="3","three",LEN(E1))'),
    ('=IF(A1>2,TEXT(A1,"0"),B1)', "=E1+1"),
    ("=IF(A1>2,B2,1/(A1-1))", '=IFERROR(E1&"x","none")'),
    ("=IF(A1>2,A1>1,A1)", '=TEXT(E1,"0")&"!"'),
    ("=A1>2", "=XOR(E1,A1>5)", "=IF(E2,SMALL(D1:D3,1+E2),E1)"),
    ("=A1^(1/3)", '=IFERROR(TEXT(E1,"0.00"),0)'),
    ("=EXP(A1*100)", '=IFERROR(LEN(E1&""),-1)'),
    ("=VLOOKUP(A1,D1:D3,1)", "=MATCH(E1,D1:D3,-1)"),
    ("=LOOKUP(A1,D1:D3,B1:B3)", '=LOOKUP(A1,D1:D3,B1:B3)&"x"', '=E1&E2&(LOOKUP(A1,D1:D3,B1:B3)="")'),
    ("=IF(SUM(IF(A1>2,D1:D3,D1:D2))>10,B4)", "=IF(SUM(IF(A1>2,D1:D3,D1:D2))>10,B2)", "=E1&E2&ISNUMBER(E2)"),
    ("=SUM(IF(A1>2,D1:D3,D1:D2))", "=E1&IF(A1>2,B3,A1)"),
    ("=SUMPRODUCT(MROUND(D1:D3+A1,3))", "=XOR(E1>30,A1>2)", "=IF(E2,E1,C1)=C1"),
]


@pytest.mark.parametrize("formulas", ONE_BY_ONE)
def test_a_cell_without_a_vector_form_is_computed_trial_by_trial(formulas: tuple[str, ...]) -> None:
    compiled = slice_of(*formulas)
    x = np.array([[0.0, 1.0, 1.5, 2.0, 3.0, 3.0, -8.0, 12.0, 20.0, 100.0, 1e16]])
    assert check(compiled, x, sample=x.size) == 0


def test_what_follows_a_cell_without_a_vector_form_is_vectors_again() -> None:
    compiled = slice_of("=NPV(A1,D1:D3)", "=E1*2+MAX(A1,3)", "=IF(E2>30,E2-E1,E2/7)")
    assert [line.count("formula") for line in compiled.source.splitlines() if "E2" in line or "E3" in line] == [0, 0]


def test_equal_trials_are_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = slice_of('=TEXT(A1,"0")')
    seen: list[Scalar] = []
    whole = Function.applied

    def noted(self: Function, kinds: str, args: list[Scalar]) -> object:
        seen.append(args[0])
        return whole(self, kinds, args)

    monkeypatch.setattr(Function, "applied", noted)
    assert results(compiled, *[1.0, 2.0, 3.0] * 100)[:4] == ["1", "2", "3", "1"]
    assert seen == [1.0, 2.0, 3.0]


def test_more_texts_than_16_bits_number() -> None:
    compiled = slice_of('=TEXT(A1,"0")')
    result = compiled.run(np.arange(70_000.0)[None, :])
    assert [result.scalar(0, trial) for trial in (0, 32_768, 69_999)] == ["0", "32768", "69999"]


def test_a_cell_that_the_kernel_refuses_does_not_matter_off_the_path() -> None:
    compiled = slice_of("=OFFSET(A1,1,0)", "=IF(B1=5,A1,E1)")
    assert results(compiled, 3.0) == [3.0]


def test_a_refused_cell_is_named_by_the_formula_that_needs_it() -> None:
    with pytest.raises(KernelError, match=r"^Model!E1: OFFSET is not supported by the kernel"):
        slice_of("=OFFSET(A1,A1,0)", "=IF(A1=5,A1,E1)")
    with pytest.raises(KernelError, match=r"^Model!E1: OFFSET is not supported by the kernel"):
        slice_of("=OFFSET(A1,A1,0)", "=TEXT(E1+A1,0)")


def test_wrong_trials_are_refused() -> None:
    compiled = slice_of("=A1")
    with pytest.raises(KernelError, match=r"x has shape \(2, 3\)"):
        compiled.run(np.zeros((2, 3)))
    with pytest.raises(KernelError, match="Model!A1: An input is NaN"):
        compiled.run(np.array([[1.0, math.nan]]))
    with pytest.raises(KernelError, match="Model!A1: An input is NaN"):
        compiled.run(np.array([[1.0, math.inf]]))


def test_a_slice_that_differs_from_the_scalar_evaluator_fails_its_check(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = slice_of("=A1*2")
    monkeypatch.setattr(Slice, "scalars", lambda self, x: [2.5 * float(x[0])])
    with pytest.raises(Disagreement, match=r"^Model!E1: Trial \d gives"):
        check(compiled, np.array([[1.0, 2.0]]))


def test_numpy_is_taken_where_llvmlite_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "llvmlite.binding", None)
    monkeypatch.setattr(compiled_module, "_SLICES", type(compiled_module._SLICES)())
    assert slice_of("=A1*3").emitter == "numpy"
    with pytest.raises(KernelError, match="llvmlite is not installed"):
        slice_of("=A1*3", emitter="llvm")


def test_numpy_is_taken_where_an_operation_has_no_native_form() -> None:
    assert slice_of("=PMT(A1,12,B1)").emitter == "numpy"


def test_an_output_that_no_input_reaches_is_a_constant() -> None:
    compiled = slice_of("=B1*2")
    assert results(compiled, 1.0, 2.0) == [10.0, 10.0]
    assert compiled.unreached == (X,)


def test_the_same_subexpression_is_computed_once() -> None:
    assert slice_of("=ROUNDUP(A1*B1,0)+ROUNDUP(B1*A1,0)").operations <= 3


NORMAL = [
    "=NORM.S.DIST(A1,TRUE)",
    "=NORM.DIST(A1,0.5,3,TRUE)",
    "=NORM.S.INV(A1)",
    "=NORM.INV(A1,10,2)",
]


@pytest.mark.parametrize("formula", NORMAL)
def test_the_normal_distribution_is_that_of_the_scalar_evaluator_to_the_last_bit(
    formula: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "scipy", None)  # the kernel needs no package but numpy
    x = np.array([[-40.0, -8.3, -1.0, 0.0, 1e-300, 1e-9, 0.02425, 0.3, 0.5, 0.97575, 1 - 1e-12, 1.0, 2.5, 9.0]])
    assert check(slice_of(formula), x, sample=x.size) == 0.0


def test_the_area_of_the_normal_distribution_is_native_and_gives_the_same_bytes() -> None:
    pytest.importorskip("llvmlite")
    x = np.concatenate([np.linspace(-41.0, 41.0, 4001), np.random.default_rng(1).normal(0.0, 2.0, 4001)])[None, :]
    for formula in ("=NORM.S.DIST(A1,TRUE)", "=NORM.DIST(A1,0.5,3,TRUE)", "=NORM.DIST(A1,0,A1,TRUE)"):
        numpy_result, llvm_result = slice_of(formula, emitter="numpy").run(x), slice_of(formula, emitter="llvm").run(x)
        assert numpy_result.values.tobytes() == llvm_result.values.tobytes(), formula
        assert numpy_result.codes.tobytes() == llvm_result.codes.tobytes(), formula
