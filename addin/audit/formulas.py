"""The wording of formulas: R04, R05, R19."""

import difflib
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from openpyxl.formula.translate import Translator, TranslatorError

from addin.audit.book import Book, Cell, Faults, Sheet
from addin.audit.parsed import COMPARISONS, Parsed, a1, as_range
from addin.kernel.formula.nodes import Binary, Bool, Call, ErrorLiteral, Name, Node, Number, Text, Unary, children, show
from model.layout import styles
from model.layout.grid import BASE, HEAD_ROW

LONGEST = 120
CHOICES = 4
ARITHMETIC = ("+", "-", "*", "/", "^", "%")
VOLATILE = frozenset({"NOW", "TODAY", "RAND", "RANDBETWEEN", "OFFSET", "INDIRECT", "INFO", "CELL"})
LITERALS = (Number, Text, Bool, ErrorLiteral)
_TRUTH = frozenset({"AND", "OR", "NOT", "XOR", "ISBLANK", "ISERROR", "ISNA", "ISNUMBER", "ISTEXT", "EXACT"})
_TEXT = frozenset({"TEXT", "FIXED", "LEFT", "RIGHT", "MID", "UPPER", "REPT", "SUBSTITUTE"})
_EITHER = frozenset({"IF", "CHOOSE", "INDEX", "LOOKUP", "VLOOKUP", "HLOOKUP", "IFERROR", "IFNA"})


def one_formula_per_line(book: Book) -> Faults:
    """A grid row has one formula in all columns; a table column one per block, or nothing but links to single cells."""
    for sheet in book.of("grid"):
        last = max(sheet.headings.values(), default=BASE)
        for row in sorted({cell.row for cell in sheet.body if cell.formula is not None}):
            line = [sheet.cells.get((row, column)) or Cell(row, column) for column in range(BASE, last + 1)]
            line = [cell for cell in line if not cell.number]  # R03 reports typed numbers
            yield from _copies(sheet, line)
    for sheet in book.of("card"):
        lines = [c for c in sheet.body if c.formula is not None and c.row > HEAD_ROW and not _unit(sheet, c)]
        columns = {cell.column for cell in lines}
        for row in sorted({cell.row for cell in lines}):
            yield from _copies(sheet, [sheet.cells.get((row, c)) or Cell(row, c) for c in sorted(columns)])
    for sheet in book.of("table"):
        for cells in sheet.columns.values():
            calculated = (cell for cell in cells if cell.formula is not None and cell.row > HEAD_ROW)
            for block in _blocks([cell for cell in calculated if not _unit(sheet, cell)]):
                if not all(cell.parsed.link for cell in block):
                    yield from _copies(sheet, block)


def _unit(sheet: Sheet, cell: Cell) -> bool:
    """Return whether a cell is in the column of units, some of which show the currency: R06 checks them."""
    return sheet.unit_column(cell.row) == cell.column


def _blocks(cells: list[Cell]) -> Iterator[list[Cell]]:
    """Yield the runs of cells directly below each other."""
    block: list[Cell] = []
    for cell in cells:
        if block and cell.row != block[-1].row + 1:
            yield block
            block = []
        block.append(cell)
    if block:
        yield block


def _copies(sheet: Sheet, line: list[Cell]) -> Faults:
    """Report every cell of a line that is not a copy of its most frequent formula; R19 reports unreadable ones.

    In a tie the first formula counts. So a formula that was typed over is reported alone, in any column.
    """
    held = Counter(cell.relative for cell in line if cell.parsed.readable)
    if not held:
        return
    usual = max(held, key=lambda relative: held[relative])
    first = next(cell for cell in line if cell.parsed.readable and cell.relative == usual)
    for cell in line:
        if cell.relative == first.relative:
            continue
        content = cell.formula or (repr(cell.text) if cell.text else "nothing")
        remedy = f"the formula of {first.a1}. Copy {first.a1} over the whole line."
        yield sheet.address(cell.a1), f"holds {content}; expected {_moved(first, cell)}{remedy}"


def _moved(first: Cell, cell: Cell) -> str:
    """Return the formula of the first cell as it reads in another one; nothing where it would leave the sheet."""
    try:
        return f"{Translator(first.formula, first.a1).translate_formula(cell.a1)}, "
    except TranslatorError:
        return ""


def no_numbers_in_formulas(book: Book) -> Faults:
    """Formulas hold no number but 0 and 1, and no arithmetic on constants alone."""
    for sheet in book.declared:
        for cell in sheet.formulas:
            for fault in _constants(cell.parsed.form):
                yield sheet.address(cell.a1), f"{fault} Give the number a labelled row with a unit and name that cell."


@lru_cache(maxsize=1 << 17)
def _constants(formula: Parsed) -> tuple[str, ...]:
    """Return at most one fault of the constants of a formula."""
    typed = [show(n) for n in formula.nodes if isinstance(n, Number) and n.value not in (0, 1)]
    if typed:
        return (f"holds the number {', '.join(typed)}; expected none but 0 and 1.",)
    if any(operand.startswith("{") for operand in formula.refused):
        return ("holds typed values in braces; expected a range.",)
    for node in formula.nodes:
        inner = children(node)
        operator = node.operator if isinstance(node, (Unary, Binary)) else ""
        if inner and operator != "&" and all(map(_constant, inner)):
            return ("works out a number from constants alone, such as (1+1); expected 0, 1 or a cell.",)
        if operator in ARITHMETIC and any(isinstance(child, Text) for child in inner):
            return ("calculates with a text in quotes; expected a cell.",)
    return ()


def _constant(node: Node) -> bool:
    inner = children(node)
    return isinstance(node, LITERALS) or (bool(inner) and all(map(_constant, inner)))


def formulas_stay_simple(book: Book) -> Faults:
    """Formulas are short, use safe functions, one IF at most, and keep numbers, texts and truths apart."""
    for sheet in book.declared:
        for cell in sheet.formulas:
            faults = [*_form(cell), *_unsafe(book, cell.parsed), *_written(cell.parsed.form)]
            for fault in (*faults, *_numbers_in_text(book, sheet, cell.parsed)) if cell.parsed.joins else faults:
                yield sheet.address(cell.a1), fault


def _form(cell: Cell) -> Iterator[str]:
    length = len(cell.formula or "")
    if cell.array:
        yield "is entered as an array; expected a plain formula. Give its steps lines of their own."
    if length > LONGEST:
        yield f"is {length} characters long; expected at most {LONGEST}. Split it into labelled lines."


def _unsafe(book: Book, formula: Parsed) -> Iterator[str]:
    for name in sorted(formula.functions.difference(book.safe)):
        if name not in VOLATILE:  # R18 reports volatile ones
            close = difflib.get_close_matches(name, list(book.safe), 1)
            hint = f"did you mean {close[0]}?" if close else "rewrite the formula with listed functions."
            yield f"calls {name}, which is not on the safe list; {hint} See addin/kernel/scalar/functions.csv."
    for operand in formula.refused:
        if not operand.startswith("{"):  # R05 reports those
            yield f"refers to {operand!r}; expected single cells, ranges or workbook names. Write the range out."


@lru_cache(maxsize=1 << 17)
def _written(formula: Parsed) -> tuple[str, ...]:
    """Return the faults that are evident from the formula alone, whatever cells it reads."""
    if formula.fault:
        return (f"cannot be read: {formula.fault}",)
    faults = []
    nodes = formula.nodes
    calls = [node for node in nodes if isinstance(node, Call)]
    ifs = sum(call.name == "IF" for call in calls)
    if ifs > 1:
        faults.append(f"uses IF {ifs} times; expected at most once. Give each condition a line of its own.")
    for call in calls:
        if call.name == "CHOOSE" and len(call.args) > CHOICES + 1:
            choices = f"{len(call.args) - 1} choices; expected at most {CHOICES}"
            faults.append(f"CHOOSE has {choices}. Use INDEX on a labelled range.")
        if call.name in ("IFERROR", "IFNA") and not _guards_a_search(call):
            expected = 'expected it around MATCH or INDEX with a text such as "none". Test the condition itself.'
            faults.append(f"{call.name} hides errors; {expected}")
    if any(isinstance(node, ErrorLiteral) for node in nodes):
        faults.append("holds a broken reference or error value; expected a cell. Enter the reference again.")
    if _truth_product(nodes[0]):
        faults.append("multiplies conditions; expected AND, SUMIFS or COUNTIFS. Rewrite it with one of them.")
    if any(_zero_test(node) for node in nodes):
        remedy = "expected a compared with b. Write a=b or a>b, which rounds as people read."
        faults.append(f"compares a difference with 0; {remedy}")
    return tuple(faults)


def _guards_a_search(call: Call) -> bool:
    match call.args:
        case (Call("MATCH" | "INDEX"), *_, Text()):
            return True
    return False


def _truth_product(node: Node) -> bool:
    """Return whether conditions are multiplied anywhere outside SUMPRODUCT."""
    if isinstance(node, Call) and node.name == "SUMPRODUCT":
        return False
    product = isinstance(node, Binary) and node.operator in ("*", "/")
    inner = children(node)
    return (product and any(_truth(child) for child in inner)) or any(_truth_product(child) for child in inner)


def _truth(node: Node) -> bool:
    match node:
        case Binary(operator):
            return operator in COMPARISONS
        case Call(name):
            return name in _TRUTH
    return isinstance(node, Bool)


def _zero_test(node: Node) -> bool:
    """Return whether a difference is compared with 0, or used as the condition of an IF, which is the same."""
    match node:
        case Call("IF", (condition, *_)):
            return _difference(condition)
        case Binary(operator, left, right) if operator in COMPARISONS:
            return (right == Number(0) and _difference(left)) or (left == Number(0) and _difference(right))
    return False


def _difference(node: Node) -> bool:
    match node:
        case Call("ABS" | "SIGN" | "ROUND", (inner, *_)):
            return _difference(inner)
    return isinstance(node, Binary) and node.operator == "-"


def _numbers_in_text(book: Book, sheet: Sheet, formula: Parsed) -> Iterator[str]:
    for operand in (operand for node in formula.joins for operand in (node.left, node.right)):
        if _numeric(book, sheet, operand):
            area = as_range(operand)
            what = a1(area) if area else "a calculated number"
            yield f'joins {what} to a text as it is; expected TEXT with a format. Write TEXT(..., "0.0").'


def _numeric(book: Book, sheet: Sheet, node: Node) -> bool:
    """Return whether an expression certainly gives a number."""
    match node:
        case Number() | Unary():
            return True
        case Binary(operator):
            return operator != "&"
        case Call():
            return _numeric_call(book, sheet, node)
    area = book.target(node.text) if isinstance(node, Name) else as_range(node)
    home, cell = (book.home(sheet, area), book.at(sheet, area)) if area else (None, None)
    if home is None or cell is None:
        return False
    unit_column = home.unit_column(cell.row)
    unit = home.text(cell.row, unit_column) if unit_column else ""
    if cell.number or (cell.formula is not None and unit not in ("", styles.WORDS)):
        return True
    return not unit and not cell.parsed.link and _result_is_number(book, home, cell)


def _result_is_number(book: Book, home: Sheet, cell: Cell) -> bool:
    try:
        return any(_numeric(book, home, tree) for tree in cell.parsed.nodes[:1])
    except RecursionError:  # cells that depend on themselves: R20 reports them
        return False


def _numeric_call(book: Book, sheet: Sheet, call: Call) -> bool:
    if call.name in _TEXT:
        return False
    if call.name not in _EITHER:
        return call.name in book.safe
    branches = {"IF": call.args[1:], "CHOOSE": call.args[1:], "INDEX": call.args[:1]}.get(call.name, ())
    return any(_numeric(book, sheet, branch) for branch in branches)
