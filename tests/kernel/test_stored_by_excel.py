"""Values that Excel itself stored in the test workbooks of other engines, where documents are silent or say otherwise.

Sources: IronCalc, xlsx/tests/calc_tests; formulas, test/test_files/test.xlsx; pycel, tests/fixtures.
`python -m tests.judges.stored` runs all.
"""

from __future__ import annotations

import numpy as np
import pytest

from addin.kernel import Address, Cells, Evaluator, ExcelError, Scalar
from addin.kernel.trials.compile import compile_slice, difference

NUM, VALUE, NA, REF, DIV0 = ExcelError.NUM, ExcelError.VALUE, ExcelError.NA, ExcelError.REF, ExcelError.DIV0
RESULT, X = Address("S", 9, 9), Address("S", 9, 1)
ROWS: list[list[Scalar]] = [
    [-20.0, 8.0, 8.0, True],
    [-100.0, 1.0, 2.0, None],
    [45000.0, 45100.0, 45200.0, "hello"],
    [-5.0, -3.0, 0.1, 0.2],
    [VALUE, NA, DIV0, NUM],
    [1.0, 2.0, 3.0, 4.0],
]
CELLS = {Address("S", row, column): v for row, line in enumerate(ROWS, 1) for column, v in enumerate(line, 1)}
STORED: list[tuple[str, Scalar]] = [
    ("=EOMONTH(A3,D1)", VALUE),
    ("=EDATE(D1,1)", VALUE),
    ("=EFFECT(10,D1)", VALUE),
    ("=EFFECT(FALSE,2.9)", VALUE),
    ("=MROUND(D1,0)", VALUE),
    ("=MROUND(,5)", NA),
    ("=MROUND(D2,5)", 0.0),
    ("=XNPV(-0.1,A1:C1,A3:C3)", NUM),
    ("=XNPV(0,A1:C1,A3:C3)", NUM),
    ("=XNPV(0.1,A1:C1,A2:C2)", NUM),  # a date below 0
    ("=XNPV(0.1,A2:D2,A3:B3)", NUM),
    ("=XNPV(TRUE,A1:C1,A3:C3)", VALUE),
    ("=IRR(A1:C1,-10)", VALUE),
    ("=MIRR(A4:B4,C4,D4)", -1.0),
    ("=PMT(-3,5,100,300,1)", NUM),
    ("=PMT(-1,1,-100)", NUM),
    ("=PV(-1,20,300)", DIV0),
    ("=BETA.INV(1,1,2,0,1)", NUM),
    ("=POISSON.DIST(-0.000001,3,FALSE)", NUM),
    ('=SEARCH("~","Hi ~Bang!")', 1.0),
    ('=SEARCH("~d","My dear")', 4.0),
    ('=INT(" 2024-01-10 ")', VALUE),
    ('=OR("",TRUE)', True),
    ('=AND("",FALSE)', False),
    ('=XOR("",TRUE)', True),
    ('=AND(TRUE,"0")', True),
    ('=AND(TRUE,"ciao",#REF!,"0")', REF),
    ('=OR("","")', VALUE),
    ('=OR("1")', VALUE),
    ('=VLOOKUP(1,"Nothing",1)', VALUE),
    ('=HLOOKUP(1,"Nothing",1)', VALUE),
    ("=INDEX(A1:C2,2)", REF),
    ('=TEXT(12200000,"0.00E-##")', "1.22E7"),
    ('=TEXT(0.000122,"0.00E+##")', "1.22E-4"),
    ('=TEXT(2,"[<=1]a;[=2]xx;xcx")', "xx"),
    ('=TEXT(3,"[<=1]a;[=2]aa;xxx")', "xxx"),
    ('=TEXT(1/3,"General")', "0.333333333"),
    ('=TEXT(-123456789012,"General")', "-1.23457E+11"),
    ('=TEXT(39116.82,"[h]")', "938803"),
    ('=TEXT(-1,"[h]")', "-24"),
    ('=TEXT(-1,"[mm]")', "-1440"),
    ('=TEXT(-1,"[s]")', "-86400"),
    ('=TEXT(41181,"mm###")', VALUE),
    ('=TEXT(1.23,"#""°F""""")', VALUE),
    ('=FIXED("123456789076754345682.2121234567832131341",3)', "123,456,789,076,754,000,000.000"),
    ("=SUMIF(A5:B5,A5,C5:D5)", DIV0),
    ("=SUMIFS(C6:D6,A5:B5,A5)", 3.0),
    ("=SUMIF(A5:D5,NA(),A6:D6)", 2.0),
    ("=AVERAGEIF(A5:B5,B5,C6:D6)", 4.0),
    ("=AVERAGEIFS(C6:D6,A5:B5,A5)", 3.0),
    ("=INDEX(A1:C2,-1)", VALUE),
    ("=SUMPRODUCT(C5:D5,A1:B1,A1:C1)", DIV0),
    ("=SUMPRODUCT(A1:B1,A1:C1,C5:D5)", VALUE),
    ("=CORREL(A1:D1,A5:D5)", VALUE),
    ("=CORREL(D4:D5,A5:B5)", VALUE),
    ("=SLOPE(D4:D5,A5:B5)", VALUE),
    ("=IRR(A2:B5)", VALUE),
    ("=LOOKUP(3,A6:B7,C6:C7)", 3.0),  # an area as high as wide is searched by column, a wider one by row
    ("=LOOKUP(3,A6:D7,A1:D1)", 8.0),
    ('=VALUE("0:59:99")*86400', 3639.0),
    ('=VALUE("23:99")*1440', 1479.0),
    ('=VALUE("24:99")', VALUE),
    ('=VALUE("60:99")', VALUE),
    ('=VALUE("23:9999")*1440', 11379.0),
    ('=VALUE("23:10000")', VALUE),
    ('=VALUE("0:0:9999")*86400', 9999.0),
    ('=VALUE("23:59:9999")*86400', 96339.0),
    ('=VALUE("23:60:9999")', VALUE),
    ('=VALUE("59:9999.012345")*86400', 13539.012345),  # minutes and seconds
    ('=VALUE("60:9999.012345")', VALUE),
    ('=VALUE("23:59.")*1440', 1439.0),
    ('=VALUE("23.:59")', VALUE),
    ('=PPMT(2,"3","33","10000","1")', -3.238280962129199e-11),
    ('=PPMT(5,"3","33","10000","1")', -3.7698552037230904e-20),
]


@pytest.mark.parametrize(("formula", "stored"), STORED)
def test_the_kernel_gives_what_excel_stored(formula: str, stored: Scalar) -> None:
    value = Evaluator(Cells({**CELLS, RESULT: formula})).value(RESULT)
    assert type(value) is type(stored)
    assert difference(value, stored) < 1e-9


COMPILED = [
    "=XNPV(A9,A1:C1,A3:C3)",
    "=PMT(A9,5,100)",
    "=MROUND(A9,5)",
    "=EFFECT(A9,2)",
    "=SUMIF(A5:B5,A5,A9:B9)",
    "=AVERAGEIFS(A9:B9,A5:B5,NA())",
    "=SUMPRODUCT(A9:B9,A1:B1,A1:C1)",
    "=CORREL(A9:B9,A5:B5)",
    "=LOOKUP(A9,A5:B7,A1:A3)",
    "=LOOKUP(A9,A6:D7,A1:D1)",
]


@pytest.mark.parametrize("formula", COMPILED)
def test_a_compiled_slice_gives_the_same(formula: str) -> None:
    compiled = compile_slice(Cells({**CELLS, X: 0.0, RESULT: formula}), [X], [RESULT])
    trials = np.array([[-3.0, -1.0, -0.5, 0.0, 0.1, 7.0]])
    result = compiled.run(trials)
    for trial in range(trials.shape[1]):
        assert difference(result.scalar(0, trial), compiled.scalars(trials[:, trial])[0]) < 1e-12
