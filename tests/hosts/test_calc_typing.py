"""What somebody types into Calc while a command runs: every value is in its cell, at two speeds, with pauses."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from addin.buttons import COMMANDS
from tests.support import opened as in_engines
from tests.support.calc_window import NAME, ROOT, USER, Calc, attached, opened_calc, until

pytestmark = [pytest.mark.office, pytest.mark.slow]

SHEET, COLUMN, FIRST = "My notes", 2, 3
# milliseconds between keys, and whether there are pauses in which a result is put in while the typing goes on
SPEEDS = {"fast": (25, False), "150 ms a key": (150, False), "fast, with pauses": (25, True)}
BURST, PAUSE_S, LONGER_S = 4, 0.9, 0.05  # values typed at a time; the pauses grow past the second that a result waits
LONGEST_S = 150
SAYING = """
import sys
from addin.__main__ import main
from addin.running.runner import Messenger

def told(messenger, line, status=Messenger.status):
    print(line, flush=True)
    status(messenger, line)

Messenger.status = told
sys.exit(main())
"""  # the command, which also prints what it shows in the status bar
WITH_A_SHEET = [name for name, button in COMMANDS.items() if button.sheet]
DRAWN = ("explain", "simulate")  # the smallest sheet and the one with most charts: at every speed
OTHERS = 1  # how many of the others are run, at one speed each: up to all; their sheets are put in by the same code
RUNS = [
    (name, speed)
    for number, name in enumerate(sorted(WITH_A_SHEET, key=DRAWN.__contains__, reverse=True)[: len(DRAWN) + OTHERS])
    for place, speed in enumerate(SPEEDS)
    if name in DRAWN or place == number % len(SPEEDS)
]
WAITS = ": computed. Finish the cell"  # what it shows while a result waits for the user who types


@pytest.fixture(scope="module")
def calc() -> Iterator[Calc]:
    """A window for the tests of this file, with an empty sheet of the user's own in front."""
    with opened_calc() as opened:
        opened.press("compare")  # the first button opens the pipe
        yield opened


class Typist(threading.Thread):
    """Types 101, 102 ... down a column, Enter behind each, until it is stopped; `typed` is what it has typed."""

    def __init__(self, calc: Calc, delay: int, pauses: bool) -> None:
        super().__init__(daemon=True)
        self._calc, self._delay, self._pauses = calc, delay, pauses
        self.typed: list[int] = []
        self.over = threading.Event()

    def run(self) -> None:
        window = self._calc.window()
        environment = os.environ | {"DISPLAY": self._calc.screen.display}
        hand = self._calc.screen.hand
        subprocess.run([hand, "windowfocus", "--sync", window], env=environment, check=True)
        while not self.over.is_set():
            value = 101 + len(self.typed)
            keys = [*str(value), "Return"]
            subprocess.run([hand, "key", "--delay", str(self._delay), *keys], env=environment, check=True)
            self.typed.append(value)
            bursts, rest = divmod(len(self.typed), BURST)
            if self._pauses and not rest:
                self.over.wait(PAUSE_S + LONGER_S * bursts)


@pytest.mark.parametrize(("command", "speed"), RUNS)
def test_every_value_typed_while_a_command_runs_is_in_its_cell(
    calc: Calc, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str, speed: str
) -> None:
    """Without pauses the typing goes on until the result waits for its end, while the command reads and computes."""
    monkeypatch.setenv("USER", USER)
    app = until(attached)
    book = app.books[NAME]
    until(lambda: not calc.running())
    if SHEET in book.sheet_names:
        book.sheets[SHEET].delete()
    notes = book.sheets.add(SHEET, before=book.sheets[0])
    before = set(book.sheet_names)
    notes.activate()
    notes.range((FIRST, COLUMN)).select()
    time.sleep(0.5)
    delay, pauses = SPEEDS[speed]
    typist = Typist(calc, delay, pauses)
    arguments = [sys.executable, "-c", SAYING, command, "--sheet", "--engine=libreoffice", f"--book={NAME}"]
    arguments += {"explain": ["Out_arrays_required"], "diff": [str(calc.book)]}.get(command, [])
    arguments += [in_engines.measured(), "--hours", "08:00-18:00"] if command == "measure" else []
    said = tmp_path / "said"
    with said.open("wb") as log, subprocess.Popen(arguments, cwd=ROOT, stdout=log, stderr=log) as run:
        typist.start()
        try:
            until(lambda: run.poll() is not None or (not pauses and WAITS in said.read_text("utf-8")), LONGEST_S)
            time.sleep(0.5 * pauses)  # what is typed on right behind it
        finally:
            typist.over.set()
            typist.join()
        assert run.wait(LONGEST_S) in (0, 1), said.read_text("utf-8")
    time.sleep(0.5)
    shown = _column(notes, len(typist.typed))
    assert shown == [float(value) for value in typist.typed]
    assert COMMANDS[command].sheet in book.sheet_names
    assert set(book.sheet_names) - {COMMANDS[command].sheet} == before - {COMMANDS[command].sheet}
    app.quit()


def _column(sheet: Any, count: int) -> list[Any]:
    values = sheet.range((FIRST, COLUMN), (FIRST + count + 3, COLUMN)).options(ndim=1).value
    while values and values[-1] is None:
        values.pop()
    return list(values)
