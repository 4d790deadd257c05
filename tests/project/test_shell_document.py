"""What docs/shell.md shows is what the program prints on the shipped workbook."""

import re
from pathlib import Path

import pytest
from openpyxl import load_workbook

from addin.workbook.book import open_book
from tests.support import shipped
from tests.support.shell import Run

SHELL = Path(__file__).parents[2] / "docs" / "shell.md"
SIMULATE = ("simulate", "--trials", "65536", "--seed", "1")
SHOWN: dict[str, tuple[tuple[str, ...], ...]] = {  # how the output of each block begins, and what prints it
    "Result ": (("size", "--set", "desktops=2200"), SIMULATE),
    "3 arrays because ": (("explain", "arrays_required"),),
    "Storage array ": (("compare", "--set", "desktops=2200"),),
    "Buy ": (("decide", "--set", "array_price=120000", "--desktop-day", "20"),),
    "Assumed figure ": (("assumed",),),
    "desktops ": (("seek", "--vary", "desktops", "--target", "arrays_required=3"),),
    "Bridge of ": (("diff", "--bridge", "npv"),),
}
OLD, NEW = {"array_price": 90000}, {"array_price": 120000, "desktops": 2000}  # the copies that are compared


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shipped.write(tmp_path_factory.mktemp("readme"))


def copy(book: Path, name: str, entries: dict[str, int]) -> Path:
    """Return a copy of a workbook with some inputs typed."""
    sizing, workbook = open_book(book), load_workbook(book)
    for key, value in entries.items():
        at = sizing.entry(key).address
        workbook[at.sheet].cell(at.row, at.column).value = value
    workbook.save(book.parent / name)
    return book.parent / name


@pytest.mark.slow
def test_every_line_of_output_in_the_document_is_printed(run: Run, book: Path) -> None:
    blocks = re.findall(r"```text\n(.*?)```", SHELL.read_text(encoding="utf-8"), flags=re.DOTALL)
    unseen = dict(SHOWN)
    for block in blocks:
        lines = block.splitlines()
        start, begin = next((at, each) for at, line in enumerate(lines) for each in unseen if line.startswith(each))
        printed: set[str] = set()
        for name, *options in unseen.pop(begin):
            books = [book] if name != "diff" else [copy(book, "old.xlsx", OLD), copy(book, "new.xlsx", NEW)]
            code, out, err = run(name, *books, *options)
            assert (code, err) == (len(books) - 1, "")
            printed.update(out.splitlines())
        assert [line for line in lines[start:] if line not in ("...", "") and line not in printed] == [], begin
    assert unseen == {}
