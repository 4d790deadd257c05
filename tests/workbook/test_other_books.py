"""A result that reads another workbook is refused by sheet and cell; a link that none reads is a remark."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest
from openpyxl.packaging.relationship import Relationship
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.workbook.external_link import ExternalLink
from openpyxl.workbook.external_link.external import ExternalBook

from addin.errors import BookError
from addin.kernel import KernelError
from addin.workbook.book import open_book
from tests.support import small_workbook

ALSO = '=IF("[9]Old!A1"="",0,\'[1]Sheet 1\'!B2)'


def linked(path: Path, cells: dict[str, str], name: str = "", links: bool = True) -> Path:
    """Save a small workbook with formulas as an office writes them: [1] is the first of the linked files."""
    small_workbook.save(path, {"x": small_workbook.UNIFORM, "y": small_workbook.UNIFORM}, {"twice": "={x}*2"})
    book = openpyxl.load_workbook(path)
    for a1, text in cells.items():
        book["Inputs"][a1].value = text
    if name:
        book.defined_names[name] = DefinedName(name, attr_text="[1]Sheet1!$A$1")
    if links:
        link = ExternalLink(externalBook=ExternalBook(id="rId1"))
        link.file_link = Relationship(type="externalLinkPath", Target="other.xlsx", TargetMode="External")
        book._external_links.append(link)
    book.save(path)
    return path


@pytest.mark.parametrize(
    ("cells", "name", "said"),
    [
        ({"D7": "=[1]Sheet1!A1"}, "",
         "Inputs!D7 reads another workbook (other.xlsx): found =[1]Sheet1!A1. Type the figure into the cell, or"),
        ({"D7": ALSO, "D8": "=[1]Sheet1!A1"}, "",
         f"Inputs!D7 reads another workbook (other.xlsx): found {ALSO}, as 1 more cell does. Type the figure"),
        ({"D7": "='[third.xlsx]Sheet 1'!A1"}, "", "Inputs!D7 reads another workbook (third.xlsx): found ="),
        ({"D7": "=H20", "H20": "=Theirs*2"}, "Theirs", "Inputs!H20 reads another workbook (other.xlsx): found =Theirs"),
    ],
)  # fmt: skip
def test_what_a_result_reads_of_another_workbook_is_named(
    tmp_path: Path, cells: dict[str, str], name: str, said: str
) -> None:
    with pytest.raises(BookError) as refused:
        open_book(linked(tmp_path / "small.xlsx", cells, name))
    assert str(refused.value).startswith(f"small.xlsx: {said}")


@pytest.mark.parametrize(
    ("cells", "name", "said"),
    [
        ({"H20": "=[1]Sheet1!A1"}, "", "Inputs!H20 reads another workbook (other.xlsx), and no result depends on it."),
        ({"H20": "=Theirs"}, "Theirs", "Inputs!H20 reads another workbook (other.xlsx), and no result depends on it."),
        ({}, "Theirs", "Linked to another workbook (other.xlsx), which no cell reads."),
        ({"H20": '="[1]Sheet1!A1"'}, "", "Linked to another workbook (other.xlsx), which no cell reads."),
    ],
)  # fmt: skip
def test_a_link_that_no_result_reads_is_a_remark(tmp_path: Path, cells: dict[str, str], name: str, said: str) -> None:
    book = open_book(linked(tmp_path / "small.xlsx", cells, name))
    assert book.notes == (said,)
    assert book.evaluate(book.settings(["x=4"]), ["twice"]) == {"twice": 8}


@pytest.mark.parametrize("text", ["='[other.xlsx]Sheet1'!A1", "='C:\\x\\[other.xlsx]Sheet1'!$A$1", "=[other.xlsx]S!A1"])
def test_without_a_list_of_links_the_cell_is_named_where_it_is_computed(tmp_path: Path, text: str) -> None:
    """As other programs write it: the name of the file stands in the formula."""
    book = open_book(linked(tmp_path / "small.xlsx", {"D7": text}, links=False))
    with pytest.raises(KernelError, match=r"^Inputs!D7: .*other\.xlsx.* workbook.*[Tt]ype the figure into"):
        book.evaluate({}, ["twice"])
