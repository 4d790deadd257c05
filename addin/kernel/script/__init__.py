"""Formulas to JavaScript: a workbook's own formulas, run where there is no Excel and no Python.

layout     where each cell lies in one long array
runs       copies of one formula that stand in a row or a column, and an order in which they can be computed
translate  a formula's tree -> a JavaScript expression
program    the whole: functions, schedules, constants; entry: translated
runtime/   Excel's values, rounding, comparisons and functions in JavaScript, as in excel/ and scalar/

A formula that cannot be written with the same meaning is refused with the name of its cell; nothing is guessed.
"""

from addin.kernel.script.program import Program, runtime, translated
from addin.kernel.script.translate import NotTranslated, literal

__all__ = ["NotTranslated", "Program", "literal", "runtime", "translated"]
