"""What a button asks for: the dialogs of Excel on Windows, of macOS, of a workbook that no application has open."""

from __future__ import annotations

import subprocess
from types import SimpleNamespace
from typing import Any

import pytest

from addin.buttons import COMMANDS, FILES, LINE, WORKBOOK, Question
from addin.errors import BookError, RequestError
from addin.running import dialogs

OLD, PILOTS, TYPED = COMMANDS["diff"].asks[0], *COMMANDS["measure"].asks


def book(engine: str = "excel", **api: Any) -> Any:
    """Return a workbook in an application with these calls."""
    app = SimpleNamespace(engine=SimpleNamespace(name=engine), api=SimpleNamespace(**api))
    return SimpleNamespace(name="quote.xlsx", app=app)


@pytest.mark.parametrize(
    ("question", "call", "arguments", "answer", "expected"),
    [
        (OLD, "GetOpenFilename", (dialogs._FILTER, 1, OLD.text), r"C:\old.xlsx", r"C:\old.xlsx"),
        (OLD, "GetOpenFilename", (dialogs._FILTER, 1, OLD.text), False, None),
        (PILOTS, "GetOpenFilename", (dialogs._ANY, 1, PILOTS.text, "", True), ("a.csv", "b.csv"), ["a.csv", "b.csv"]),
        (PILOTS, "GetOpenFilename", (dialogs._ANY, 1, PILOTS.text, "", True), False, None),
        (TYPED, "InputBox", (TYPED.text, "VDI Sizing", TYPED.suggested), "hours 07:00-19:00", "hours 07:00-19:00"),
        (TYPED, "InputBox", (TYPED.text, "VDI Sizing", TYPED.suggested), "", ""),
        (TYPED, "InputBox", (TYPED.text, "VDI Sizing", TYPED.suggested), False, None),
    ],
)
def test_excel_on_windows_asks_with_its_own_dialogs(
    monkeypatch: pytest.MonkeyPatch, question: Question, call: str, arguments: object, answer: object, expected: object
) -> None:
    monkeypatch.setattr("sys.platform", "win32")
    asked: list[object] = []

    def dialog(*given: object) -> object:
        asked.append(given)
        return answer

    assert dialogs.ask(book("excel", **{call: dialog}), question) == expected
    assert asked == [arguments]


@pytest.mark.parametrize(
    ("question", "printed", "expected"),
    [
        (OLD, "/old one.xlsx\n", "/old one.xlsx"),
        (PILOTS, "/a.csv\n/b c.csv\n", ["/a.csv", "/b c.csv"]),
        (TYPED, "hours 08:00-18:00\n", "hours 08:00-18:00"),
    ],
)
def test_on_a_mac_the_system_asks(
    monkeypatch: pytest.MonkeyPatch, question: Question, printed: str, expected: object
) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    ran: list[list[str]] = []
    ends: dict[str, Any] = {"returncode": 0, "stdout": printed, "stderr": ""}

    def run(words: list[str], **_: object) -> Any:
        ran.append(words)
        return SimpleNamespace(**ends)

    monkeypatch.setattr(subprocess, "run", run)
    assert dialogs.ask(book(), question) == expected
    asks = [question.text, question.suggested] if question.kind == LINE else [question.text]
    assert ran[0][-len(asks) :] == asks  # arguments of the script, so that no quote in them ends a string of it
    assert question.text not in "".join(ran[0][: -len(asks)])
    ends.update(returncode=1, stderr="execution error: User canceled. (-128)")
    assert dialogs.ask(book(), question) is None
    ends.update(stderr="no screen")
    with pytest.raises(BookError, match=r"could not be shown: no screen Name what it asks for in a terminal\."):
        dialogs.ask(book(), question)


@pytest.mark.parametrize("kind", [WORKBOOK, FILES, LINE])
def test_calc_is_asked_for_each_kind(kind: str) -> None:
    question = next(each for each in (OLD, PILOTS, TYPED) if each.kind == kind)
    calls = {
        "choose_files": lambda text, several: [text, "two"] if several else [text],
        "ask_line": lambda *given: given[-1],
    }
    expected = {WORKBOOK: OLD.text, FILES: [PILOTS.text, "two"], LINE: TYPED.suggested}
    assert dialogs.ask(book("libreoffice", **calls), question) == expected[kind]
    cancelled = {name: lambda *_: None for name in calls}
    assert dialogs.ask(book("libreoffice", **cancelled), question) is None


@pytest.mark.parametrize("question", [OLD, PILOTS, TYPED])
def test_a_file_has_nobody_to_ask_and_the_message_names_the_command(question: Question) -> None:
    with pytest.raises(RequestError, match=r"^quote\.xlsx: no .* named\. Name (it|them|those .*): .* (diff|measure) "):
        dialogs.ask(book("file"), question)


def test_a_question_fits_the_dialog_of_excel() -> None:
    asked = [question for button in COMMANDS.values() for question in button.asks]
    assert len(asked) == 3
    assert all(len(question.text) <= 255 for question in asked)  # Excel's InputBox takes no longer prompt
    assert not any(question.suggested.startswith(("=", "-", "+")) for question in asked)  # which it takes for formulas
