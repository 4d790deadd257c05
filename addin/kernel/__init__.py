"""Formulas to numbers, with Excel's semantics. Knows Excel and openpyxl; knows nothing of what a workbook is about.

Five rooms; the passes are one file each, and each room's __init__ lists its files in their order.

excel/    values and arithmetic that all passes share
formula/  1 tokens -> 2 parse -> 3 graph                  text -> tree, and the order of the cells
scalar/   4 evaluate                                      trees -> values, for one set of inputs
trials/   4 fold -> 5 reuse -> 6 emit_numpy | emit_llvm   trees -> vectors, for many trials; entry: compile
script/   4 layout -> 5 runs -> 6 translate -> program    trees -> JavaScript, for a page without Python

The rooms import downwards: trials, script -> scalar -> formula -> excel. trials needs numpy and is imported by name.
errors.py is what the kernel refuses; `python -m addin.kernel explain BOOK CELL` shows a cell after each pass.
"""

from addin.kernel.errors import CycleError, KernelError, ParseError, UnknownName, UnsupportedFunction
from addin.kernel.excel.values import ExcelError, Scalar
from addin.kernel.formula.cells import Address, Cells
from addin.kernel.formula.graph import ancestors, order, precedents
from addin.kernel.formula.nodes import show
from addin.kernel.formula.parse import parse
from addin.kernel.formula.tokens import tokens
from addin.kernel.scalar.evaluate import Evaluator, evaluate_all, shared_evaluator
from addin.kernel.scalar.functions import Function, safe_functions
from addin.kernel.scalar.variants import Variants

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
    "Variants",
    "ancestors",
    "evaluate_all",
    "order",
    "parse",
    "precedents",
    "safe_functions",
    "shared_evaluator",
    "show",
    "tokens",
]
