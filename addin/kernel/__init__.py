"""Formulas to numbers, with Excel's semantics. Knows Excel and openpyxl; knows nothing of what a workbook is about.

One file per pass: tokens -> parse -> graph -> evaluate for one set of values, or on from the tree for many trials at
once: fold -> share -> reuse -> emit_numpy | emit_llvm (entry: compiled.py, imported by name because it needs numpy).
functions.csv is the list of functions, functions_*.py what they do for one value, vector_*.py for many; values.py and
rounding.py hold the arithmetic they share.
"""

from addin.kernel.errors import CycleError, KernelError, ParseError, UnknownName, UnsupportedFunction
from addin.kernel.formula.cells import Address, Cells
from addin.kernel.formula.graph import ancestors, order, precedents
from addin.kernel.formula.parse import parse, show
from addin.kernel.formula.tokens import tokens
from addin.kernel.scalar.evaluate import Evaluator, evaluate_all
from addin.kernel.scalar.functions import Function, safe_functions
from addin.kernel.values import ExcelError, Scalar

__all__ = [
    "Address",
    "Cells",
    "CycleError",
    "Evaluator",
    "ExcelError",
    "Function",
    "KernelError",
    "ParseError",
    "Scalar",
    "UnknownName",
    "UnsupportedFunction",
    "ancestors",
    "evaluate_all",
    "order",
    "parse",
    "precedents",
    "safe_functions",
    "show",
    "tokens",
]
