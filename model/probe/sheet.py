"""The workbook of the probe: a line for each case, one cell that counts them, no macro and no name.

Every function that the sizing workbook calls has its hardest case. The expected results come from Microsoft's pages and
from what Excel is known for, never from this project's kernel.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from openpyxl import Workbook
from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import PatternFill
from openpyxl.utils import column_index_from_string

from model.errors import Complaint, DataError
from model.layout import styles

CASES = Path(__file__).with_name("cases.csv")
COLUMNS = ("about", "formula", "kind", "expected", "source")
KINDS = ("number", "text", "logical", "error")
ERRORS = ("#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A")
NAME, HEAD_ROW, FIRST_ROW = "Probe", 4, 5
AREA: dict[str, tuple[float | str | None, ...]] = {  # what the cases read, from FIRST_ROW down
    "J": (7, 3.5, 3.5, 1, 2),
    "K": ("apples", "oranges", "peaches", "apples"),
    "L": (32, 54, 75, 86, "7"),
    "M": (None, True, "x", 5),
    "N": (25, 38, 40, 41),
}
_WIDTHS = {"A": 13, "B": 48, "C": 22, "D": 22, "E": 10, "F": 12, "G": 62}
_HEADINGS = ("Function", "Formula", "Result", "Expected", "Kind", "As expected", "Source")


@dataclass(frozen=True)
class Case:
    """A formula, the kind of its result, the result as text, and its source."""

    about: str
    formula: str
    kind: str
    expected: str
    source: str

    @property
    def value(self) -> float | bool | str:
        """The expected result."""
        if self.kind == "number":
            return float(self.expected)
        return self.expected == "TRUE" if self.kind == "logical" else self.expected


def cases(path: Path = CASES) -> tuple[Case, ...]:
    """Read the cases. Raises DataError with a line for each fault."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    faults = (
        [] if rows and tuple(rows[0]) == COLUMNS else [Complaint(f"{path.name}:1", f"expected {','.join(COLUMNS)}.")]
    )
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(COLUMNS) or not all(row):
            told = f"expected {len(COLUMNS)} columns, none of them empty."
        elif row[2] not in KINDS:
            told = f"kind {row[2]!r}; expected one of {', '.join(KINDS)}."
        elif row[2] == "error" and row[3] not in ERRORS:
            told = f"error {row[3]!r}; expected one of {', '.join(ERRORS)}."
        else:
            continue
        faults.append(Complaint(f"{path.name}:{number}", told))
    if faults:
        raise DataError(faults)
    return tuple(Case(*row) for row in rows[1:])


def workbook(found: tuple[Case, ...]) -> Workbook:
    """Return the workbook of some cases."""
    book = Workbook()
    for style in styles.named_styles():
        book.add_named_style(style)
    ws = book.worksheets[0]
    ws.title, last = NAME, HEAD_ROW + len(found)
    held, total = f"F{FIRST_ROW}:F{last}", f"COUNT(F{FIRST_ROW}:F{last})"
    first = f'". First: row "&MATCH(0,{held},0)+{HEAD_ROW}&", "&INDEX(A{FIRST_ROW}:A{last},MATCH(0,{held},0))'
    texts = (
        (1, f'=SUM({held})&" of "&{total}&" as expected"&IF(SUM({held})={total},"",{first})', "title"),
        (
            2,
            "Does this program compute as Excel does? Open this file, recalculate it and read the line above.",
            "purpose",
        ),
        (
            3,
            "If a case differs, save this file and attach it to an issue, with the name and version of the program.",
            "purpose",
        ),
    )
    for row, text, role in texts:
        ws.cell(row, 1, text).style = styles.style_name(role)
    for column, heading in enumerate(_HEADINGS, 1):
        ws.cell(HEAD_ROW, column, heading).style = styles.style_name("heading")
    for row, case in enumerate(found, FIRST_ROW):
        read = case.formula.replace("_xlfn.", "")
        line = (case.about, read, case.formula, case.value, case.kind, _judged(case, row), case.source)
        for column, value in enumerate(line, 1):
            cell = ws.cell(row, column, value)
            if column == 2 or (column == 4 and isinstance(value, str)):
                cell.data_type = "s"
            cell.style = styles.style_name("label")
    for letter, values in AREA.items():
        ws[f"{letter}{HEAD_ROW}"] = "read by the cases"
        for row, read_by_cases in enumerate(values, FIRST_ROW):
            ws.cell(row, column_index_from_string(letter), read_by_cases)
    for letter, width in _WIDTHS.items():
        ws.column_dimensions[letter].width = width
    red = PatternFill("solid", bgColor=styles.RED_FILL)
    ws.conditional_formatting.add(f"A{FIRST_ROW}:G{last}", FormulaRule(formula=[f"$F{FIRST_ROW}=0"], fill=red))
    ws.freeze_panes, ws.sheet_view.showGridLines = f"A{FIRST_ROW}", False
    ws.print_title_rows, ws.print_area = f"{HEAD_ROW}:{HEAD_ROW}", f"A1:G{last}"
    ws.page_setup.orientation, ws.page_setup.fitToHeight = "landscape", 0
    ws.sheet_properties.pageSetUpPr.fitToPage = True
    return book


def _judged(case: Case, row: int) -> str:
    """Return the formula that gives 1 where a result is as expected: of that kind too, an error by its number."""
    result, expected = f"C{row}", f"D{row}"
    if case.kind == "error":
        return f"=IFERROR(IF(ERROR.TYPE({result})={ERRORS.index(case.expected) + 1},1,0),0)"
    test = {"number": "ISNUMBER", "text": "ISTEXT", "logical": "ISLOGICAL"}[case.kind]
    same = f"EXACT({result},{expected})" if case.kind == "text" else f"{result}={expected}"
    return f"=IF({test}({result}),IF({same},1,0),0)"
