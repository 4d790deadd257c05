"""How formulas are written: R04, R05, R19."""

import difflib
from collections.abc import Iterator
from functools import lru_cache

from openpyxl.formula.translate import Translator

from addin.audit.book import Book, Cell, Sheet
from addin.audit.formula import (
    COMPARISONS,
    Call,
    Literal,
    Missing,
    Name,
    Node,
    Operation,
    Ref,
    children,
    functions,
    is_link,
    names,
    parse,
    plain_name,
    relative,
    walk,
)
from model.layout.grid import BASE, HEAD_ROW

Found = Iterator[tuple[str, str]]
LONGEST = 120
CHOICES = 4
ARITHMETIC = ("+", "-", "*", "/", "^", "%")
VOLATILE = frozenset({"NOW", "TODAY", "RAND", "RANDBETWEEN", "OFFSET", "INDIRECT", "INFO", "CELL"})
_TRUTH = frozenset({"AND", "OR", "NOT", "XOR", "ISBLANK", "ISERROR", "ISNA", "ISNUMBER", "ISTEXT", "EXACT"})
_TEXT = frozenset({"TEXT", "LEFT", "RIGHT", "MID", "UPPER", "REPT", "SUBSTITUTE"})
_EITHER = frozenset({"IF", "CHOOSE", "INDEX", "LOOKUP", "VLOOKUP", "HLOOKUP", "IFERROR", "IFNA"})


def one_formula_per_line(book: Book) -> Found:
    """A grid row has one formula in all columns; a table column one per block, or nothing but links to single cells."""
    for sheet in book.of("grid"):
        last = max(sheet.headings.values(), default=BASE)
        for row in sorted({cell.row for cell in sheet.body if cell.formula is not None}):
            line = [sheet.cells.get((row, column)) or _blank(row, column) for column in range(BASE, last + 1)]
            line = [cell for cell in line if not cell.number]  # a typed number is R03's
            first = next((cell for cell in line if cell.formula is not None), None)
            for cell in line if first else ():
                yield from _same(sheet, first, cell)
    for sheet in book.of("table"):
        for cells in sheet.columns.values():
            for block in _blocks([cell for cell in cells if cell.formula is not None and cell.row > HEAD_ROW]):
                if not all(is_link(cell.formula or "") for cell in block):
                    for cell in block[1:]:
                        yield from _same(sheet, block[0], cell)


def _blank(row: int, column: int) -> Cell:
    return Cell(row, column, None, None, "", False, False)


def _blocks(cells: list[Cell]) -> Iterator[list[Cell]]:
    """Yield the runs of cells that stand directly below each other."""
    block: list[Cell] = []
    for cell in cells:
        if block and cell.row != block[-1].row + 1:
            yield block
            block = []
        block.append(cell)
    if block:
        yield block


def _same(sheet: Sheet, first: Cell | None, cell: Cell) -> Found:
    """Complain when a cell is no copy of the first formula of its line."""
    if first is None or first.formula is None:
        return
    own = relative(cell.formula, cell.row, cell.column) if cell.formula else None
    if own == relative(first.formula, first.row, first.column):
        return
    expected = Translator(first.formula, first.a1).translate_formula(cell.a1)
    found = cell.formula or (repr(cell.text) if cell.text else "nothing")
    yield (
        sheet.place(cell.a1),
        f"holds {found}; expected {expected}, the formula of {first.a1}. Copy {first.a1} over the whole line.",
    )


def no_numbers_in_formulas(book: Book) -> Found:
    """Formulas hold no number but 0 and 1, and no arithmetic on constants alone."""
    for sheet in book.declared:
        for cell in sheet.formulas:
            for fault in _constants(cell.formula or ""):
                yield sheet.place(cell.a1), f"{fault} Give the number a labelled row with a unit and name that cell."


@lru_cache(maxsize=1 << 15)
def _constants(text: str) -> tuple[str, ...]:
    """Return at most one complaint about the constants of a formula."""
    try:
        nodes = tuple(walk(parse(text)))
    except ValueError:
        return ()
    typed = [n.text for n in nodes if isinstance(n, Literal) and n.kind == "number" and n.text not in ("0", "1")]
    if typed:
        return (f"holds the number {', '.join(typed)}; expected none but 0 and 1.",)
    for node in nodes:
        if isinstance(node, Literal) and node.kind == "array":
            return ("holds typed values in braces; expected a range.",)
        inner = children(node)
        works = isinstance(node, Call) or (isinstance(node, Operation) and node.operator != "&")
        if works and inner and all(_constant(child) for child in inner):
            return ("works out a number from constants alone, such as (1+1); expected 0, 1 or a cell.",)
        sums = isinstance(node, Operation) and node.operator in ARITHMETIC
        if sums and any(isinstance(child, Literal) and child.kind == "text" for child in inner):
            return ("calculates with a text in quotes; expected a cell.",)
    return ()


def _constant(node: Node) -> bool:
    inner = children(node)
    return isinstance(node, Literal) or (bool(inner) and all(_constant(child) for child in inner))


def formulas_stay_simple(book: Book) -> Found:
    """Formulas are short, use safe functions, one IF at most, and keep numbers, texts and truths apart."""
    for sheet in book.declared:
        for cell in sheet.formulas:
            text = cell.formula or ""
            for fault in (*_form(cell), *_unsafe(book, text), *_written(text), *_numbers_in_text(book, sheet, text)):
                yield sheet.place(cell.a1), fault


def _form(cell: Cell) -> Iterator[str]:
    length = len(cell.formula or "")
    if cell.array:
        yield "is entered as an array; expected a plain formula. Enter it normally and use SUMPRODUCT."
    if length > LONGEST:
        yield f"is {length} characters long; expected at most {LONGEST}. Split it into labelled lines."


def _unsafe(book: Book, text: str) -> Iterator[str]:
    for name in sorted(functions(text)):
        if name not in book.safe and name not in VOLATILE:  # the volatile ones are R18's
            close = difflib.get_close_matches(name, list(book.safe), 1)
            hint = f"did you mean {close[0]}?" if close else "rewrite the formula with listed functions."
            yield f"calls {name}, which is not on the safe list; {hint} See addin/kernel/scalar/functions.csv."
    for name in names(text):
        if not plain_name(name):
            yield f"refers to {name!r}; expected single cells, ranges or workbook names. Write the range out."


@lru_cache(maxsize=1 << 15)
def _written(text: str) -> tuple[str, ...]:
    """Return the complaints that need nothing but the formula."""
    try:
        tree = parse(text)
    except ValueError as error:
        return (f"{error}; expected a formula of functions, operators and references. Rewrite it.",)
    found = []
    nodes = tuple(walk(tree))
    calls = [node for node in nodes if isinstance(node, Call)]
    ifs = sum(call.name == "IF" for call in calls)
    if ifs > 1:
        found.append(f"uses IF {ifs} times; expected at most once. Give each condition a line of its own.")
    for call in calls:
        if call.name == "CHOOSE" and len(call.arguments) > CHOICES + 1:
            found.append(
                f"CHOOSE has {len(call.arguments) - 1} choices; expected at most {CHOICES}. Use INDEX on a "
                f"labelled range."
            )
        if call.name in ("IFERROR", "IFNA") and not _guards_a_search(call):
            found.append(
                f'{call.name} hides errors; expected it around MATCH or INDEX with a text such as "none". Test '
                f"the condition itself."
            )
    if any(isinstance(node, Literal) and node.kind == "error" for node in nodes):
        found.append("holds a broken reference or error value; expected a cell. Enter the reference again.")
    if _truth_product(tree):
        found.append(
            "multiplies conditions outside SUMPRODUCT; expected AND or SUMPRODUCT. Rewrite it with one of them."
        )
    if any(_zero_test(node) for node in nodes):
        found.append(
            "compares a difference with 0; expected a compared with b. Write a=b or a>b, which rounds as people read."
        )
    return tuple(found)


def _guards_a_search(call: Call) -> bool:
    first, last = call.arguments[0], call.arguments[-1]
    searches = isinstance(first, Call) and first.name in ("MATCH", "INDEX")
    return searches and isinstance(last, Literal) and last.kind == "text"


def _truth_product(node: Node) -> bool:
    """Say whether conditions are multiplied somewhere outside SUMPRODUCT."""
    if isinstance(node, Call) and node.name == "SUMPRODUCT":
        return False
    product = isinstance(node, Operation) and node.operator in ("*", "/")
    inner = children(node)
    return (product and any(_truth(child) for child in inner)) or any(_truth_product(child) for child in inner)


def _truth(node: Node) -> bool:
    if isinstance(node, Operation):
        return node.operator in COMPARISONS
    return (isinstance(node, Call) and node.name in _TRUTH) or (isinstance(node, Literal) and node.kind == "logical")


def _zero_test(node: Node) -> bool:
    """Say whether a difference is compared with 0, or stands as an IF's condition, which is the same."""
    if isinstance(node, Call) and node.name == "IF" and node.arguments:
        return _difference(node.arguments[0])
    if not isinstance(node, Operation) or node.operator not in COMPARISONS:
        return False
    left, right = node.operands
    zero = Literal("number", "0")
    return (right == zero and _difference(left)) or (left == zero and _difference(right))


def _difference(node: Node) -> bool:
    if isinstance(node, Call) and node.name in ("ABS", "SIGN", "ROUND"):
        return bool(node.arguments) and _difference(node.arguments[0])
    return isinstance(node, Operation) and node.operator == "-" and len(node.operands) > 1


def _numbers_in_text(book: Book, sheet: Sheet, text: str) -> Iterator[str]:
    if "&" not in text:
        return
    try:
        nodes = tuple(walk(parse(text)))
    except ValueError:
        return
    for node in nodes:
        if isinstance(node, Operation) and node.operator == "&":
            for operand in node.operands:
                if _numeric(book, sheet, operand):
                    what = operand.a1 if isinstance(operand, Ref) else "a calculated number"
                    yield f'joins {what} to a text as it is; expected TEXT with a format. Write TEXT(..., "0.0").'


def _numeric(book: Book, sheet: Sheet, node: Node) -> bool:
    """Say whether an expression is known to give a number; in doubt it does not."""
    if isinstance(node, Literal):
        return node.kind == "number"
    if isinstance(node, Operation):
        return node.operator != "&"
    if isinstance(node, Call):
        return _numeric_call(book, sheet, node)
    ref = book.target(node.text) if isinstance(node, Name) else node
    if not isinstance(ref, Ref):
        return False
    home = sheet if ref.sheet is None else book.named(ref.sheet)
    cell = book.at(sheet, ref)
    if home is None or cell is None:
        return False
    unit = home.text(cell.row, home.headings["Unit"]) if "Unit" in home.headings else ""
    if cell.number or (cell.formula is not None and unit not in ("", "text")):
        return True
    return cell.formula is not None and not unit and not is_link(cell.formula) and _result_is_number(book, home, cell)


def _result_is_number(book: Book, home: Sheet, cell: Cell) -> bool:
    try:
        return _numeric(book, home, parse(cell.formula or ""))
    except (ValueError, RecursionError):
        return False


def _numeric_call(book: Book, sheet: Sheet, call: Call) -> bool:
    if call.name in _TEXT:
        return False
    if call.name not in _EITHER:
        return call.name in book.safe
    branches = {"IF": call.arguments[1:], "CHOOSE": call.arguments[1:], "INDEX": call.arguments[:1]}.get(call.name, ())
    return any(not isinstance(b, Missing) and _numeric(book, sheet, b) for b in branches)
