"""Translate formulas between Excel's A1 grammar and that of LibreOffice's blocks of formulas.

The office's own translation takes a millisecond for each formula; a block of 1,200 in its grammar takes 15 ms, and the
two differ little: separators, references to sheets, names of functions (com.sun.star.sheet, grammar "API").

    =SUM(INDEX($Arrays.$D$10:$M$10;1))   the office
    =SUM(INDEX(Arrays!$D$10:$M$10,1))    Excel
"""

import re
from functools import lru_cache

_TEXT = r'"(?:[^"]|"")*"'
_QUOTED = r"'(?:[^']|'')*'"
_ERROR = r"\#(?:REF!|DIV/0!|NULL!|NUM!|VALUE!|NAME\?|N/A)"
_REFERENCE = r"\$?[A-Z]{1,3}(?:\$?\d+\b|:)|\$?\d+:|\#REF!"
_EXCEL = re.compile(
    rf"""(?P<text>{_TEXT}|{_ERROR}) | (?P<sheet>{_QUOTED}|[^\W\d][\w.]*)! | (?P<array>\{{[^}}]*\}})
       | (?P<name>(?:_xl\w+\.)*[^\W\d][\w.]*)(?P<call>\s*\()? | (?P<mark>[,])""",
    re.VERBOSE,
)
_OFFICE = re.compile(
    rf"""(?P<text>{_TEXT}|{_ERROR}) | \$?(?P<sheet>{_QUOTED}|(?<![\w.])\w+)\.(?={_REFERENCE}) | (?P<array>\{{[^}}]*\}})
       | (?P<name>[^\W\d][\w.]*)(?P<call>\()? | (?P<mark>[;~])""",
    re.VERBOSE,
)
_CELL = re.compile(r"(\$?\b[A-Z]{1,3}\$?\d+\b)(?![.(])")  # nor a sheet, nor a function such as LOG10
_ADDIN = "COM.SUN.STAR.SHEET.ADDIN.ANALYSIS.GET"
_OFFICE_NAME = {
    "CEILING": "CEILING.XCL",
    "CEILING.MATH": "CEILING",
    "EFFECT": "EFFECTIVE",
    "FLOOR": "FLOOR.XCL",
    "FLOOR.MATH": "FLOOR",
    "FORMULATEXT": "FORMULA",
    "RRI": "ZGZ",
    "SKEW.P": "SKEWP",
}
_EXCEL_NAME = {office: excel for excel, office in _OFFICE_NAME.items()}


def to_office(formula: str) -> str:
    """Return an Excel formula in the grammar of the office."""

    def translated(match: re.Match[str]) -> str:
        if match["text"]:
            return match["text"]
        if match["sheet"]:
            return f"${match['sheet']}."
        if match["array"]:
            return _pieces(match["array"], {",": ";", ";": "|"})
        if match["mark"]:
            return ";"
        name = match["name"]
        if match["call"]:
            name = re.sub(r"^(_xl\w+\.)+", "", name)
            return _OFFICE_NAME.get(name.upper(), name) + match["call"]
        return f"{name}()" if name.upper() in ("TRUE", "FALSE") else name

    return _EXCEL.sub(translated, formula)


def to_excel(formula: str) -> str:
    """Return a formula of the office in Excel's grammar."""
    pieces = _CELL.split(formula)  # a workbook repeats few formulas over many cells
    around = _around(tuple(pieces[::2]))
    if around is None:
        return _translated(formula)
    pieces[::2] = around
    return "".join(pieces)


@lru_cache(maxsize=8192)
def _around(texts: tuple[str, ...]) -> list[str] | None:
    """Return Excel's text around the cells of a formula; None where that depends on the cells."""
    translated = _CELL.split(_translated("A1".join(texts)))[::2]
    return translated if len(translated) == len(texts) else None


def _translated(formula: str) -> str:
    if formula.startswith("{=") and formula.endswith("}"):  # an array formula
        formula = formula[1:-1]

    def translated(match: re.Match[str]) -> str:
        if match["text"]:
            return match["text"]
        if match["sheet"]:
            return f"{match['sheet']}!"
        if match["array"]:
            return _pieces(match["array"], {";": ",", "|": ";"})
        if match["mark"]:
            return ","
        name = match["name"]
        return _EXCEL_NAME.get(name, name.removeprefix(_ADDIN)) + (match["call"] or "")

    return re.sub(r"\b(TRUE|FALSE)\(\)", r"\1", _OFFICE.sub(translated, formula))


def _pieces(array: str, marks: dict[str, str]) -> str:
    """Return an inline array with other separators, except inside texts."""
    return re.sub(rf"{_TEXT}|[;,|]", lambda match: marks.get(match[0], match[0]), array)
