"""Command lines and workbooks made by chance, a few; `python -m tests.reliability` runs as many as are wanted."""

from __future__ import annotations

import pytest

from addin.errors import AddinError
from tests.reliability import shell_lines
from tests.reliability.shell_lines import campaign

pytestmark = pytest.mark.slow
COUNT = 150  # of either


def test_every_line_and_every_workbook_is_an_answer_or_one_line() -> None:
    assert campaign(COUNT, COUNT) == []


@pytest.mark.parametrize(
    ("planted", "said"),
    [
        (ValueError("planted"), "planted"),
        (SystemExit(3), "exit 3"),
        (AddinError("planted"), "planted"),
    ],
)
def test_what_breaks_the_promise_is_caught(planted: BaseException, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> int:
        raise planted

    monkeypatch.setattr(shell_lines, "main", broken)
    assert said in campaign(1, 0)[0]
