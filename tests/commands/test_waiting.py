"""The line of a command that takes long: on a terminal, after two seconds, gone before the result."""

import io
import time

import pytest

from addin.shell import waiting
from addin.shell.waiting import Waiting


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "FIRST_S", 0.05)
    monkeypatch.setattr(waiting, "EVERY_S", 0.02)


def test_a_quick_command_shows_nothing() -> None:
    stream = Terminal()
    with Waiting("size", stream):
        pass
    assert stream.getvalue() == ""


def test_a_long_one_says_how_long_and_the_line_goes(soon: None) -> None:
    stream = Terminal()
    with Waiting("compare", stream) as shown:
        while "compare" not in stream.getvalue():
            time.sleep(0.01)
        shown.end()
        written = stream.getvalue()
        assert written.startswith("\rcompare: 0 s")
        assert written.endswith("\r" + " " * len("compare: 0 s") + "\r")
    assert stream.getvalue() == written


def test_work_that_is_counted_shows_a_bar(soon: None) -> None:
    shown = Waiting("simulate", Terminal())
    shown.progress(0, 1000)
    shown.progress(500, 1000)
    assert shown.line(shown._counted + 4) == f"{'#' * 15:<30}  50% of 1,000, 4 s left"


def test_what_is_no_terminal_gets_nothing(soon: None) -> None:
    stream = io.StringIO()
    with Waiting("compare", stream):
        time.sleep(0.2)
    assert stream.getvalue() == ""
