"""A command at work beside its application: progress in the status bar, cancel, one message at the end.

The command reads and writes on the main thread, which the application knows, and computes on a second one; meanwhile
the main thread shows how far it is and looks whether somebody asked to stop.
"""

from __future__ import annotations

import math
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Generic, TypeVar

import xlwings as xw

from addin import commands, numerals
from addin.buttons import COMMANDS
from addin.commands import CommandResult
from addin.errors import AddinError, BookError
from addin.kernel import Address
from addin.reported import ReportedError, no_room, one_line, squashed
from addin.running import dialogs, documents, runfile
from addin.simulation.runs import Progress
from addin.workbook import live

T = TypeVar("T")
TICK_S, SHOW_S, LOOK_S = 0.1, 0.4, 0.1
PAUSE_S = 1.5  # of waiting for somebody who works in the window, until a line says so
HASTE_S, PATIENCE_S = 0.5, 10.0  # for a computation that was asked to stop: with nothing done, with a part to show
SILENCE_S = 20.0  # of an application, until a message says that it waits for the user
ASKED = "old"  # the parameter that a button asks for
LEFT_S = 3.0  # of a lock that no run holds any more
LINGER_S, STAYS_S = 4.0, 600.0  # of the last words in the status bar: at least, at most


class Cancelled(AddinError):
    """The user asked to stop, and there is nothing to show."""


class Taken(AddinError):
    """Another command works on the workbook."""


class _Worker(threading.Thread, Generic[T]):
    """A computation on a thread of its own: `result` or `error` when it is over."""

    def __init__(self, compute: Callable[[], T]) -> None:
        super().__init__(daemon=True)
        self._compute = compute
        self.result: T
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self.result = self._compute()
        except BaseException as error:
            self.error = error


class ProgressRunner:
    """Runs a computation and shows its progress; `show` gets a line, `asked` says whether to stop.

    `busy` says whether the application cannot take the result yet, as somebody types into a cell; `stayed` whether
    somebody who pressed a button has done nothing since, and `shown` whether the result has come to the front then;
    `selected` is the cell that was selected when the button was pressed.
    """

    def __init__(self, label: str, show: Callable[[str], None], asked: Callable[[], bool]) -> None:
        self._label, self._show, self._asked = label, show, asked
        self._done, self._total, self._start = 0, 0, time.monotonic()
        self._stop = self._stopped = False
        self.abandoned = self.shown = False
        self.busy: Callable[[], bool] = lambda: False
        self.stayed: Callable[[], bool] = lambda: False
        self.selected: Address | None = None

    def __call__(self, compute: Callable[[Progress], T]) -> T:
        """Return what the computation returns, also a part when it can stop with one. Raises Cancelled."""
        self.pause()
        worker = _Worker(lambda: compute(self._progress))
        worker.start()
        shown = stopped = 0.0
        while worker.is_alive():
            try:
                worker.join(TICK_S)
                now = time.monotonic()
                if now - shown >= SHOW_S:
                    self._show(self.line(now))
                    self.busy()  # it looks for how long nobody has typed
                    shown = now
                self._stop = self._stop or self._asked()
            except KeyboardInterrupt:
                self._stop = True
            if self._stop and not stopped:
                stopped = time.monotonic()
            if stopped and time.monotonic() - stopped > (PATIENCE_S if self._done else HASTE_S):
                self.abandoned = True
                raise Cancelled
        if isinstance(worker.error, KeyboardInterrupt) or (self._stop and not self._stopped):
            raise Cancelled
        if worker.error is not None:
            raise worker.error
        self._wait()
        return worker.result

    def pause(self) -> None:
        """Raise Cancelled where somebody asked to stop."""
        if self._asked():
            raise Cancelled

    def shows(self) -> bool:
        """Say whether the result comes to the front; asked once, as it is put in."""
        self.shown = self.stayed()
        return self.shown

    def free(self, editing: Callable[[], bool]) -> None:
        """Wait until no cell is being edited: what is read then is what was typed. Raises Cancelled."""
        while editing():
            self._show(f"{self._label}: a cell is being edited. Finish it with Enter or Esc; the run then begins.")
            self.pause()
            time.sleep(LOOK_S)

    def _wait(self) -> None:
        """Wait until the application can take the result; raises Cancelled unless the result is a part already."""
        start = time.monotonic()
        try:
            while self.busy():
                if time.monotonic() - start > PAUSE_S:
                    self._show(f"{self._label}: computed. Finish the cell that is being edited, with Enter or Esc.")
                if not self._stop and self._asked():
                    raise Cancelled
                time.sleep(LOOK_S)
        except KeyboardInterrupt:
            raise Cancelled from None

    def line(self, now: float) -> str:
        """Return how far the computation is, and how long it will take."""
        if self._stop:
            return f"{self._label}: stopping ..."
        spent = now - self._start
        if not self._done or not self._total:
            return f"{self._label}: computing, {spent:.0f} s. Cancel stops it."
        share = min(self._done / self._total, 1.0)
        return f"{self._label}: {share:.0%}, {spent * (1 - share) / share:.0f} s left. Cancel stops it."

    def _progress(self, done: int, total: int) -> None:
        """Take the progress of the computation, on its thread; a KeyboardInterrupt makes it stop there.

        It comes with something done, so that there is a part to show.
        """
        self._done, self._total = done, total
        if self._stop and done and not self._stopped:
            self._stopped = True
            raise KeyboardInterrupt


def run_command(
    command: str,
    engine: str,
    book: str | None,
    pipe: str | None,
    parameters: dict[str, object],
    token: str | None = None,
    clicked: Address | None = None,
) -> int:
    """Run a command on an open workbook or a file; return 0 done, 1 findings, 2 refused or cancelled.

    `token` names the run of a button: then its messages go to the application, else to the shell. `clicked` is the cell
    that was selected when the button was pressed.
    """
    run = token or runfile.new_token()
    if token is None:
        runfile.write(runfile.Record(run, os.getpid(), command, engine, book or "", pipe or "", time.time()))
    messenger = Messenger(token)
    label = COMMANDS[command].label
    runner = ProgressRunner(label, messenger.status, lambda: runfile.asked_to_stop(run))
    runner.selected = clicked
    try:
        with messenger.waiting():
            earlier = runfile.before(run)
            result = _run(run, command, documents.find(engine, book, pipe), runner, messenger, parameters, earlier)
        report = partial(messenger.finished, result, runner.shown)
    except (Cancelled, KeyboardInterrupt):
        report = partial(messenger.left, f"{label}: cancelled. Nothing was changed.")
    except Taken as error:
        report = partial(messenger.left, str(error), refused=True)
    except ReportedError as error:
        report = partial(messenger.failed, squashed(str(error)))
    except Exception as error:
        room = no_room(error)
        if token is not None:  # what a shell shows is one line
            traceback.print_exc()
        said = f"stopped by an error of its own, {type(error).__name__}: {one_line(error)}. Report it."
        said = f"{room[0]}. Nothing was changed; {room[1]} and run again." if room else said
        report = partial(messenger.failed, f"{label}: {said}")
    finally:
        runfile.forget(run)
    code = report()
    if runner.abandoned:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)  # its thread still computes
    return code


def _run(
    run: str,
    command: str,
    document: xw.Book,
    runner: ProgressRunner,
    messenger: Messenger,
    parameters: dict[str, object],
    earlier: runfile.Record | None,
) -> CommandResult:
    """Run a command on a workbook that no other one works on, nor one `earlier` is to. Raises Taken while one does."""
    messenger.app = document.app
    if messenger.of_a_button:
        numerals.use(documents.separators(document))
    engine, label = document.app.engine.name, COMMANDS[command].label
    if earlier:
        raise Taken(_busy(document, earlier))
    lock = runfile.DocumentLock(engine, str(live.path_of(document)))
    try:
        _take(lock, run, document, runner, messenger)
        runner.free(partial(documents.editing, document))
        if COMMANDS[command].asks and ASKED not in parameters:
            parameters = {**parameters, ASKED: messenger.chosen(document, COMMANDS[command].asks)}
        if COMMANDS[command].sheet:
            activity = documents.Activity(document, runner.selected)
            runner.busy = activity
            if messenger.of_a_button:
                runner.stayed = activity.stayed
        messenger.status(f"{label}: reading the workbook ...")
        result: CommandResult = getattr(commands, command)(document, runner=runner, **parameters)
        if engine == documents.FILE and COMMANDS[command].sheet:
            document.save()
        return result
    finally:
        messenger.status(None)
        lock.free()


def _take(
    lock: runfile.DocumentLock, run: str, document: xw.Book, runner: ProgressRunner, messenger: Messenger
) -> None:
    """Take the lock of a workbook for a run. Raises Taken while another one has it, unless that was asked to stop.

    Waits for a run that was asked to stop. Waits a moment too for a process that has the lock and is not known: a run
    that was killed just as it started a program of the system leaves its lock to that program.
    """
    end = time.monotonic() + LEFT_S
    runner.pause()
    while (token := lock.take(run)) is not None:
        holder = next((record for record in runfile.running() if record.token == token), None)
        if (time.monotonic() > end) if holder is None else not runfile.asked_to_stop(token):
            raise Taken(_busy(document, holder))
        messenger.status(f"{COMMANDS[holder.command].label if holder else 'Another command'} is stopping ...")
        time.sleep(LOOK_S)
        runner.pause()


def _busy(document: xw.Book, holder: runfile.Record | None) -> str:
    """Return that a run, which may not be known, has a workbook."""
    label = COMMANDS[holder.command].label if holder else "another command"
    return f"{document.name}: {label} is still running on it. Wait for it, or press Cancel."


class Messenger:
    """Where a run says what: in the application when a button started it, in the shell otherwise."""

    def __init__(self, token: str | None) -> None:
        self.of_a_button = token is not None
        self.app: xw.App | None = None
        self._heard = time.monotonic()

    def status(self, line: str | None) -> None:
        """Show a line in the status bar; None gives the bar back."""
        self._heard = time.monotonic()
        if self.app is None:
            return
        if line is None:
            with suppress(Exception):  # an application that is gone has no status bar to give back
                self.app.status_bar = False
        else:
            try:
                self.app.status_bar = f"{dialogs.TITLE}: {line}"
            except AddinError:
                raise
            except Exception as error:
                raise BookError(
                    f"The application was closed or does not answer ({type(error).__name__}). Nothing was written. "
                    "Open the workbook and run this again."
                ) from error
        self._heard = time.monotonic()

    def chosen(self, document: xw.Book, question: str) -> str:
        """Return the workbook file that the user chooses. Raises Cancelled."""
        self._heard = math.inf  # a choice may take any time
        try:
            path = dialogs.choose_workbook(document, question)
        finally:
            self._heard = time.monotonic()
        if path is None:
            raise Cancelled
        return path

    def finished(self, result: CommandResult, shown: bool) -> int:
        """Say that a command is done, in the status bar or in the shell: a moment where its sheet is in front."""
        print(result.text, flush=True)
        self._linger(result.text, stays=not shown)
        return 1 if result.findings else 0

    def left(self, text: str, refused: bool = False) -> int:
        """Say that nothing was done, as the user wanted it or while another command runs: no window for that."""
        print(f"error: {text}" if refused else text, file=sys.stderr, flush=True)
        self._linger(text)
        return 2

    def failed(self, text: str) -> int:
        """Say why a command is not done, once."""
        print(f"error: {text}", file=sys.stderr, flush=True)
        if self.of_a_button:
            dialogs.show_message(self.app, text)
        return 2

    def _linger(self, text: str, stays: bool = False) -> None:
        """Keep a line in the status bar for a moment; one that `stays` until the user's next action."""
        if not self.of_a_button or self.app is None:
            return
        with suppress(Exception):  # an application that was closed has no status bar
            end = time.monotonic() + LINGER_S
            while time.monotonic() < end:
                self.status(text)  # again: the run at work writes there too
                time.sleep(SHOW_S)
            end += STAYS_S
            activity = documents.Activity(self.app.books.active)
            while stays and time.monotonic() < end and activity.stayed() and not any(runfile.running()):
                time.sleep(SHOW_S)
        self.status(None)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Tell the user of a button when the application does not answer for long, as while a cell is being edited."""
        over = threading.Event()

        def look() -> None:
            while not over.wait(1.0):
                if time.monotonic() - self._heard > SILENCE_S:
                    text = "The application does not answer. Finish the cell that is being edited, or close the open "
                    dialogs.show_message(None, f"{text}dialog; the command then goes on.")
                    return

        if self.of_a_button:
            threading.Thread(target=look, daemon=True).start()
        try:
            yield
        finally:
            over.set()
