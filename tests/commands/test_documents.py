"""Which open workbook a command works on: the very file before a namesake, and no guess between two namesakes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from addin.errors import BookError
from addin.running import documents


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
