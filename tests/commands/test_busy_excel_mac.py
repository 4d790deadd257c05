"""A busy Excel on macOS: what does the same when it is sent twice is repeated, and closed is said when it is."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from addin import excel
from tests.support import mac_xlwings
from tests.support.mac_xlwings import Command, CommandError, Reference, Schedule

TIMED_OUT, NOT_RUNNING, INVALID = -1712, -600, -609  # errAETimeout, procNotFound, connectionInvalid


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> Any:
    """xlwings' own object of the application, its calls through `excel.be_patient`; time passes with each sleep."""
    module, now = mac_xlwings.mac(), [0.0]
    monkeypatch.setitem(sys.modules, "appscript.reference", SimpleNamespace(Command=Command))
    monkeypatch.setattr(Command, "__call__", Command.__call__)
    monkeypatch.setattr(Command, "sent", [])
    clock = SimpleNamespace(monotonic=lambda: now[0], sleep=lambda seconds: now.__setitem__(0, now[0] + seconds))
    monkeypatch.setattr("addin.excel.time", clock)
    excel.be_patient()
    return module.App(xl=Reference("pid", {"screen_updating": True}))


def refused(times: int, number: int) -> Schedule:
    """Return a schedule that refuses the first events."""
    return lambda _: number if len(Command.sent) <= times else None


def scheduled(monkeypatch: pytest.MonkeyPatch, schedule: Schedule) -> None:
    monkeypatch.setattr(Command, "schedule", staticmethod(schedule), raising=False)


@pytest.mark.parametrize("times", [0, 1, 7])
def test_what_is_read_and_set_is_asked_for_again(app: Any, monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    scheduled(monkeypatch, refused(times, TIMED_OUT))
    assert app.screen_updating is True
    assert Command.sent == ["get"] * (times + 1)
    Command.sent.clear()
    app.screen_updating = False
    assert (Command.sent, app.screen_updating) == (["set"] * (times + 1) + ["get"], False)


def test_an_excel_that_never_answers_is_busy_and_not_closed(app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    scheduled(monkeypatch, lambda _: TIMED_OUT)
    with excel.patience(10), pytest.raises(excel.ExcelBusy, match="Nothing was lost"):
        app.screen_updating  # noqa: B018 (to read it is the test)
    assert len(Command.sent) > 10


@pytest.mark.parametrize("event", ["delete", "make", "close"])
def test_what_would_be_done_twice_is_sent_once(app: Any, monkeypatch: pytest.MonkeyPatch, event: str) -> None:
    """Excel may carry it out after all."""
    scheduled(monkeypatch, lambda _: TIMED_OUT)
    with pytest.raises(excel.ExcelBusy):
        getattr(app.api.sheets, event)()
    assert Command.sent == [event]


@pytest.mark.parametrize("number", [NOT_RUNNING, INVALID])
def test_closed_is_said_for_an_excel_that_has_ended(app: Any, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    scheduled(monkeypatch, lambda _: number)
    with pytest.raises(excel.ExcelClosed):
        app.screen_updating  # noqa: B018 (to read it is the test)
    assert Command.sent == ["get"]


def test_another_number_is_an_error_of_its_own(app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """-1728: there is no such object, which xlwings takes for an answer in places."""
    scheduled(monkeypatch, lambda _: -1728)
    with pytest.raises(CommandError):
        app.screen_updating  # noqa: B018 (to read it is the test)
    assert Command.sent == ["get"]


def test_other_applications_are_left_to_xlwings(app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """System Events that does not answer is no busy Excel."""
    scheduled(monkeypatch, lambda _: TIMED_OUT)
    with pytest.raises(CommandError):
        Reference("path", {}).frontmost.set(True)
    assert Command.sent == ["set"]


def test_it_is_installed_once(app: Any) -> None:
    call = Command.__call__
    excel.be_patient()
    assert Command.__call__ is call
