"""Which open workbook a command works on: the very file before a namesake, and no guess between two namesakes."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any, cast

import pytest
import xlwings as xw

from addin.errors import BookError
from addin.kernel import Address
from addin.running import documents
from tests.support.shell import Run


def application(*paths: str, pid: int = 1) -> Any:
    engine = SimpleNamespace(activate=lambda: None, name="libreoffice")
    app = SimpleNamespace(engine=engine, pid=pid)
    app.books = [SimpleNamespace(fullname=path, name=path.rpartition("/")[2], app=app) for path in paths]
    return app


def test_the_very_file_goes_before_a_namesake_in_another_window() -> None:
    first, second = application("/monday/Quote.xlsx"), application("/friday/Quote.xlsx", "/friday/other.xlsx")
    assert documents._open([first, second], "/friday/quote.xlsx", "Excel").fullname == "/friday/Quote.xlsx"
    assert documents._open([first, second], "OTHER.xlsx", "Excel").fullname == "/friday/other.xlsx"


def test_between_two_namesakes_nothing_is_guessed() -> None:
    windows = [application("/monday/Quote.xlsx"), application("/friday/Quote.xlsx")]
    with pytest.raises(
        BookError, match=r"^Quote\.xlsx: 2 workbooks of that name are open in Excel, .* Close the others"
    ):
        documents._open(windows, "Quote.xlsx", "Excel")


def test_what_is_not_open_is_named_with_what_is() -> None:
    with pytest.raises(BookError, match=r"x\.xlsx: is not open in Excel; open are Quote\.xlsx\."):
        documents._open([application("/monday/Quote.xlsx")], "x.xlsx", "Excel")


def test_of_two_excels_the_named_process_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both hold a workbook of that name; without a process nothing is guessed."""
    apps = [application("/monday/Quote.xlsx", pid=1), application("/friday/Quote.xlsx", pid=22)]

    class Engines(list[Any]):
        def __getitem__(self, name: Any) -> Any:
            return SimpleNamespace(apps=apps)

    monkeypatch.setattr("xlwings.engines", Engines([SimpleNamespace(name="excel")]))
    assert documents.find("excel", "Quote.xlsx", "22").fullname == "/friday/Quote.xlsx"
    with pytest.raises(BookError, match=r"^Quote\.xlsx: 2 workbooks of that name"):
        documents.find("excel", "Quote.xlsx")
    with pytest.raises(BookError, match=r"^No Excel runs as process 3; running is 1, 22\. Name that one"):
        documents.find("excel", "Quote.xlsx", "3")


@pytest.mark.skipif(sys.platform == "win32" or sys.platform == "darwin", reason="names of files are texts there")
def test_a_name_that_is_no_text_is_one_line(run: Run) -> None:
    for command in (["compare", "--sheet"], ["handoff"]):
        code, out, err = run(command[0], "\udcff.xlsx", *command[1:])
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "the name is no text in this locale, so no file can show it. Rename it" in err


@pytest.mark.parametrize(
    ("selected", "clicked", "moved"),
    [
        ("$D$5", Address("Inputs", 5, 4), False),
        ("$D$5:$F$9", Address("Inputs", 5, 4), False),
        ("$D$5:$F$9", Address("Inputs", 9, 6), False),  # Excel's active cell may be any of them
        ("$B$2,$D$5:$F$9", Address("Inputs", 6, 5), False),
        ("$D:$D", Address("Inputs", 5, 4), False),
        ("$5:$5", Address("Inputs", 5, 4), False),
        ("$D$5:$F$9", Address("Inputs", 10, 4), True),
        ("$D$5", Address("Answer", 5, 4), True),
        ("$E:$F", Address("Inputs", 5, 4), True),
    ],
)
def test_several_cells_selected_at_the_click_are_no_move(selected: str, clicked: Address, moved: bool) -> None:
    book = SimpleNamespace(name="Quote.xlsx")
    sheet = SimpleNamespace(name="Inputs", book=book)
    book.app = SimpleNamespace(
        engine=SimpleNamespace(name=documents.EXCEL), selection=SimpleNamespace(address=selected, sheet=sheet)
    )
    assert documents.Activity(cast("xw.Book", book), clicked).stayed() is not moved
