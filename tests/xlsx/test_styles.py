"""Styles that a result sheet brings along: in the order of the standard, or Excel calls the file corrupt."""

from itertools import combinations
from pathlib import Path

import pytest
from openpyxl import Workbook
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Border, Font, PatternFill, Side

from addin.xlsx.elements import edited, outline
from addin.xlsx.package import read_parts
from addin.xlsx.parts import STYLES
from addin.xlsx.styles import add_styles, with_number_format

IN_ORDER = (  # ECMA-376 part 1, 18.8.39, the sequence of CT_Stylesheet
    *("numFmts", "fonts", "fills", "borders", "cellStyleXfs", "cellXfs", "cellStyles", "dxfs"),
    *("tableStyles", "colors", "extLst"),
)
MAY_BE_MISSING = ("numFmts", "cellStyles", "dxfs", "tableStyles", "colors")


@pytest.fixture(scope="module")
def styles(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The styles of a sheet with a font, a fill, a border, a number format and a conditional format of its own."""
    book, path = Workbook(), Path(tmp_path_factory.mktemp("styles")) / "drawn.xlsx"
    cell = book.worksheets[0]["A1"]
    cell.font, cell.fill = Font(bold=True, size=13), PatternFill("solid", fgColor="1F3A5F")
    cell.border, cell.number_format = Border(top=Side("thin")), "0.0000"
    rule = CellIsRule(operator="equal", formula=["1"], font=Font(color="9A3412"))
    book.worksheets[0].conditional_formatting.add("A1", rule)
    book.save(path)
    return read_parts(path)[STYLES]


def lists(styles: bytes) -> list[str]:
    return [child.name for child in outline(styles).children]


@pytest.mark.parametrize("missing", [gone for n in range(4) for gone in combinations(MAY_BE_MISSING, n)], ids="-".join)
def test_lists_that_a_workbook_lacks_are_added_where_the_standard_has_them(
    styles: bytes, missing: tuple[str, ...]
) -> None:
    book = edited(styles, [child.removed() for child in outline(styles).children if child.name in missing])
    assert set(lists(book)).isdisjoint(missing)
    both, formats, differences = add_styles(book, styles)
    found = lists(both)
    assert found == sorted(found, key=IN_ORDER.index)
    assert {"numFmts", "dxfs"} <= set(found)
    assert len(outline(both).children_of("dxfs")) > max(differences)
    assert len(outline(both).children_of("cellXfs")) > max(formats)


def test_a_number_format_is_the_first_list(styles: bytes) -> None:
    book = edited(styles, [child.removed() for child in outline(styles).children if child.name in ("numFmts", "dxfs")])
    assert lists(with_number_format(book, 0, "0.00000")[0])[0] == "numFmts"
