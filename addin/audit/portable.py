"""Formulas that other spreadsheet programs compute too: R21.

Each reported spelling works in Excel and LibreOffice and fails elsewhere: INDEX with one number on a row is #REF! in
Gnumeric, array arithmetic inside SUMPRODUCT is #VALUE! there (inside MAX and MATCH) and an error in other programs,
and a function that Gnumeric does not know is #NAME?. A point or comma in the format of TEXT means another sign in
another language: in a German Excel "#,##0" writes 1500,0.
"""

from collections.abc import Iterator

from addin.audit.book import Book, Faults
from addin.audit.parsed import Parsed, a1, as_range
from addin.kernel import safe_functions
from addin.kernel.formula.nodes import Binary, Call, Name, Node, Range, Text, Unary, children, show, walk

UNKNOWN_ELSEWHERE = {"NORM.S.DIST": "NORM.DIST(z,0,1,...)"}  # functions of the safe list that Gnumeric lacks


def formulas_are_portable(book: Book) -> Faults:
    """Formulas are spelt as other programs read them: INDEX(row,1,n), no array arithmetic in SUMPRODUCT's arguments."""
    for sheet in book.declared:
        for cell in sheet.formulas:
            if cell.parsed.functions & {"INDEX", "SUMPRODUCT", "TEXT", *UNKNOWN_ELSEWHERE}:
                for fault in _faults(book, cell.parsed):
                    yield sheet.address(cell.a1), fault


def _faults(book: Book, formula: Parsed) -> Iterator[str]:
    for name in sorted(formula.functions & UNKNOWN_ELSEWHERE.keys()):
        remedy = f"expected a function that every program has. Write {UNKNOWN_ELSEWHERE[name]}."
        yield f"calls {name}, which Gnumeric does not know; {remedy}"
    for node in formula.nodes:
        match node:
            case Call("INDEX", (searched, _)) if (row := _area(book, searched)) and _is_row(row):
                yield (
                    f"looks into the row {_shown(searched)} with one number; expected row and column, as other "
                    f"programs take a lone one for the row. Write INDEX({_shown(searched)},1,n)."
                )
            case Call("TEXT", (_, Text(form))) if {",", "."} & set(form):
                yield (
                    f'writes a number as "{form}"; expected a format without point or comma, which mean something else '
                    f'in other languages. Write "0" or "0%".'
                )
            case Call("SUMPRODUCT", args):
                for inner in (inner for argument in args for inner in walk(argument)):
                    if several := _calculated(book, inner):
                        yield (
                            f"calculates {several} cell by cell inside SUMPRODUCT; expected nothing but ranges between "
                            f"its commas. Use SUMIFS, COUNTIFS or LARGE, or give the products a line of their own."
                        )
                        break


def _area(book: Book, node: Node) -> Range | None:
    return book.target(node.text) if isinstance(node, Name) else as_range(node)


def _is_row(area: Range) -> bool:
    return area.first.row == area.last.row and area.first.column != area.last.column


def _calculated(book: Book, node: Node) -> str:
    """Return an operand of several cells of an operator or a function of single values, empty without one."""
    function = safe_functions().get(node.name) if isinstance(node, Call) else None
    if isinstance(node, (Unary, Binary)) or (function and function.kind == "scalar"):
        for operand in children(node):
            area = _area(book, operand)
            if area and a1(area) != a1(Range(area.first, area.first)):
                return _shown(operand)
    return ""


def _shown(node: Node) -> str:
    area = as_range(node)
    return a1(area) if area else show(node)
