"""A command at work beside its application: progress in the status bar, cancel, one message at the end.

The command reads and writes on the main thread, which the application requires, and computes on a second one; meanwhile
the main thread shows the progress and checks for a request to stop.
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

from addin import commands, excel, numerals
from addin.buttons import COMMANDS, Question
from addin.commands import CommandResult
from addin.errors import AddinError
from addin.kernel import Address
from addin.reported import ReportedError, no_room, one_line, squashed
from addin.running import dialogs, documents, runfile
from addin.simulation.runs import Progress
from addin.workbook import live

T = TypeVar("T")
TICK_S, SHOW_S, LOOK_S = 0.1, 0.4, 0.1
PAUSE_S = 1.5  # of waiting for a user who works in the window, before a line says so
HASTE_S, PATIENCE_S = 0.5, 10.0  # for a computation to stop: with nothing done, with a part to show
SILENCE_S = 20.0  # of an application, before a message asks the user to act
LEFT_S = 3.0  # of a lock without a known run
LINGER_S, STAYS_S = 4.0, 600.0  # the last line in the status bar stays: at least, at most
CLEAR_S = 60.0  # for a busy Excel to take its status bar back at the end


class Cancelled(AddinError):
    """The run was asked to stop, and there is no result."""


class Taken(AddinError):
    """Another command works on the workbook."""


class _Worker(threading.Thread, Generic[T]):
    """A computation on its own thread: `result` or `error` when it is over.

    Of a thread whose `join` Ctrl-C interrupts, Python 3.11 and 3.12 say that it has ended: `over` says whether it has.
    """

    def __init__(self, compute: Callable[[], T]) -> None:
        super().__init__(daemon=True)
        self._compute = compute
        self.over = threading.Event()
        self.result: T
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self.result = self._compute()
        except BaseException as error:
            self.error = error
        finally:
            self.over.set()


class ProgressRunner:
    """Runs a computation and shows its progress; `show` takes a line, `asked` returns whether to stop.

    `busy` returns whether the application cannot take the result yet, because the user is typing into a cell; `stayed`
    whether the user who pressed a button has done nothing since; `shown` is whether the result then came to the front;
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
        """Return the result of the computation, or a part if it can stop with one. Raises Cancelled."""
        self.pause()
        worker = _Worker(lambda: compute(self._progress))
        worker.start()
        shown = stopped = 0.0
        while not worker.over.is_set():
            try:
                worker.over.wait(TICK_S)
                now = time.monotonic()
                if now - shown >= SHOW_S:
                    self._show(self.line(now))
                    self.busy()  # it measures how long the user has been idle
                    shown = now
                self._stop = self._stop or self._asked()
                if self._stop and not stopped:
                    stopped = time.monotonic()
                if stopped and time.monotonic() - stopped > (PATIENCE_S if self._done else HASTE_S):
                    self.abandoned = True
                    raise Cancelled
            except KeyboardInterrupt:  # once more while it stops: what it has begun is ended first
                self._stop = True
        if isinstance(worker.error, KeyboardInterrupt) or (self._stop and not self._stopped):
            raise Cancelled
        if worker.error is not None:
            raise worker.error
        self._wait()
        return worker.result

    def pause(self) -> None:
        """Raise Cancelled if the run was asked to stop."""
        if self._asked():
            raise Cancelled

    def shows(self) -> bool:
        """Return whether the result comes to the front; called once, when it is put in."""
        self.shown = self.stayed()
        return self.shown

    def free(self, editing: Callable[[], bool]) -> None:
        """Wait until no cell is being edited, so that the workbook is read with the last entry. Raises Cancelled."""
        while editing():
            self._show(f"{self._label}: a cell is being edited. Finish it with Enter or Esc; the run then begins.")
            self.pause()
            time.sleep(LOOK_S)

    def _wait(self) -> None:
        """Wait until the application can take the result. Raises Cancelled, except with a partial result."""
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
        """Return the line of progress: the share done and the time left."""
        if self._stop:
            return f"{self._label}: stopping ..."
        spent = now - self._start
        if not self._done or not self._total:
            return f"{self._label}: computing, {spent:.0f} s. Cancel stops it."
        share = min(self._done / self._total, 1.0)
        return f"{self._label}: {share:.0%}, {spent * (1 - share) / share:.0f} s left. Cancel stops it."

    def _progress(self, done: int, total: int) -> None:
        """Take the progress of the computation, on its thread, and stop it with a KeyboardInterrupt if asked to.

        It stops only after a first part is done, so that there is a part to show.
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

    `token` is the name of the run of a button, whose messages go to the application; without one they go to the shell.
    `clicked` is the cell that was selected when the button was pressed.
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
        if token is not None:  # a shell shows one line only
            traceback.print_exc()
        said = f"stopped by an internal error, {type(error).__name__}: {one_line(error)}. Report it."
        said = f"{room[0]}. Nothing was changed; {room[1]} and run again." if room else said
        report = partial(messenger.failed, f"{label}: {said}")
    finally:
        runfile.forget(run)
    code = report()
    messenger.clear()
    if runner.abandoned:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)  # the thread is still computing
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
    """Run a command on a workbook. Raises Taken while another run has it, or the run `earlier` is about to."""
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
        for question in COMMANDS[command].asks:
            if question.parameter not in parameters:
                parameters = {**parameters, question.parameter: messenger.answered(document, question)}
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
    """Take the lock of a workbook for a run. Raises Taken while another run has it.

    Waits for a run that was asked to stop, and for a moment also for an unknown process: a run that was killed just as
    it started a program of the system leaves its lock to that program.
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
    """Return the message that a run, which may be unknown, is using the workbook."""
    label = COMMANDS[holder.command].label if holder else "another command"
    return f"{document.name}: {label} is still running on it. Wait for it, or press Cancel."


class Messenger:
    """The messages of a run: in the application for the run of a button, in the shell for any other."""

    def __init__(self, token: str | None) -> None:
        self.of_a_button = token is not None
        self.app: xw.App | None = None
        self._answered = time.monotonic()
        self._left = False  # a line of ours in the status bar

    def status(self, line: str | None) -> None:
        """Show a line in the status bar; None clears it.

        A line that the application does not take is left out: the next one comes soon, and no run ends for it. Raises
        ExcelClosed and OfficeError where the application has ended.
        """
        self._answered = time.monotonic()
        if self.app is None:
            return
        try:
            with excel.patience(0):
                self.app.status_bar = False if line is None else f"{dialogs.TITLE}: {line}"
            self._left = line is not None
        except Exception as error:
            ended = isinstance(error, AddinError) and not isinstance(error, excel.ExcelBusy)
            if ended and line is not None:
                raise
        self._answered = time.monotonic()

    def clear(self) -> None:
        """Take the last line out of the status bar, where a busy Excel kept it."""
        if self._left and self.app is not None:
            with suppress(Exception), excel.patience(CLEAR_S):
                self.app.status_bar = False
                self._left = False

    def answered(self, document: xw.Book, question: Question) -> object:
        """Return what the user answers in a dialog. Raises Cancelled."""
        self._answered = math.inf  # an answer may take any time
        try:
            answer = dialogs.ask(document, question)
        finally:
            self._answered = time.monotonic()
        if answer is None:
            raise Cancelled
        return answer

    def finished(self, result: CommandResult, shown: bool) -> int:
        """Report the result of a command; the status bar keeps it only for a moment if its sheet is in front."""
        print(result.text, flush=True)
        self._linger(result.text, stays=not shown)
        return 1 if result.findings else 0

    def left(self, text: str, refused: bool = False) -> int:
        """Report a cancelled or refused run, without a dialog."""
        print(f"error: {text}" if refused else text, file=sys.stderr, flush=True)
        self._linger(text)
        return 2

    def failed(self, text: str) -> int:
        """Report a failure, for the run of a button in a dialog as well."""
        print(f"error: {text}", file=sys.stderr, flush=True)
        if self.of_a_button:
            dialogs.show_message(self.app, text)
        return 2

    def _linger(self, text: str, stays: bool = False) -> None:
        """Keep a line in the status bar for a moment; with `stays` until the user's next action."""
        if not self.of_a_button or self.app is None:
            return
        with suppress(Exception):  # an application that was closed has no status bar
            end = time.monotonic() + LINGER_S
            while time.monotonic() < end:
                self.status(text)  # again, as another run may write there too
                time.sleep(SHOW_S)
            end += STAYS_S
            with excel.patience(0):  # a user who types has acted
                activity = documents.Activity(self.app.books.active)
                while stays and time.monotonic() < end and activity.stayed() and not any(runfile.running()):
                    time.sleep(SHOW_S)
        self.status(None)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Show a message when the application has not answered a button for long, as while a cell is being edited."""
        over = threading.Event()

        def look() -> None:
            while not over.wait(1.0):
                if time.monotonic() - self._answered > SILENCE_S:
                    text = "The application does not answer. Finish the cell that is being edited, or close the open "
                    dialogs.show_message(None, f"{text}dialog; the command then goes on.")
                    return

        if self.of_a_button:
            threading.Thread(target=look, daemon=True).start()
        try:
            yield
        finally:
            over.set()
