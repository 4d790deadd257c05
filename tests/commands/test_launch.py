"""Commands in processes of their own: progress, cancel, one at a time on a document, messages, what a crash leaves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import openpyxl
import pytest

import addin
from addin.commands import CommandResult
from addin.errors import RequestError
from addin.running import launch, runfile
from addin.running.runfile import DocumentLock, Record
from addin.running.runner import LEFT_S, Cancelled, Messenger, ProgressRunner, run_command
from tests.support import opened
from tests.support.one_sheet import one_sheet

pytestmark = pytest.mark.office

MANY = 2_000_000_000  # nobody waits for them
LONG = f"--trials={MANY}"
WAIT_S = 120


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    yield
    for process in launch._STARTED:
        process.kill()
        process.wait()
    launch._STARTED.clear()


def until(what: Callable[[], object]) -> None:
    end = time.monotonic() + WAIT_S
    while not what():
        assert time.monotonic() < end, log_text()
        time.sleep(0.05)


def log_text() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(runfile.folder().glob("*.log")))


def ended(pid: int) -> int:
    process = next(started for started in launch._STARTED if started.pid == pid)
    return process.wait(WAIT_S)


def test_a_computation_shows_its_progress_and_returns_its_result() -> None:
    lines: list[str] = []
    seen = threading.Event()

    def show(line: str) -> None:
        lines.append(line)
        if "25%" in line:
            seen.set()

    def compute(progress: Callable[[int, int], None]) -> str:
        progress(1, 4)
        assert seen.wait(WAIT_S)
        return "done"

    assert ProgressRunner("Monte Carlo", show, lambda: False)(compute) == "done"
    assert lines[0].startswith("Monte Carlo: ")
    assert any(line.startswith("Monte Carlo: 25%, ") and "s left" in line for line in lines)


def test_a_stop_reaches_the_computation_which_may_return_a_part() -> None:
    stop = threading.Event()

    def compute(progress: Callable[[int, int], None]) -> str:
        stop.set()
        try:
            while True:
                progress(1, 10**9)
                time.sleep(0.001)
        except KeyboardInterrupt:
            return "a part"

    assert ProgressRunner("x", lambda line: None, stop.is_set)(compute) == "a part"


def test_what_ends_without_noticing_the_stop_is_thrown_away() -> None:
    stop = threading.Event()

    def compute(progress: Callable[[int, int], None]) -> str:
        stop.set()
        time.sleep(0.5)
        return "whole"

    with pytest.raises(Cancelled):
        ProgressRunner("x", lambda line: None, stop.is_set)(compute)


@pytest.mark.parametrize(("patience_s", "done"), [(0.2, 1), (None, 0)], ids=["not in time", "with nothing done"])
def test_a_computation_that_does_not_stop_is_left_behind(
    monkeypatch: pytest.MonkeyPatch, patience_s: float | None, done: int
) -> None:
    """With nothing done it is not waited for at all, so that the usual patience is left as it is."""
    if patience_s is not None:
        monkeypatch.setattr("addin.running.runner.PATIENCE_S", patience_s)
    stop, over = threading.Event(), threading.Event()

    def compute(progress: Callable[[int, int], None]) -> None:
        progress(done, 2)
        stop.set()
        over.wait(WAIT_S)

    watch = ProgressRunner("x", lambda line: None, stop.is_set)
    with pytest.raises(Cancelled):
        watch(compute)
    assert watch.abandoned
    over.set()


def test_a_stop_before_the_computation_begins_leaves_it_out() -> None:
    begun: list[object] = []
    watch = ProgressRunner("x", lambda line: None, lambda: True)
    with pytest.raises(Cancelled):
        watch(begun.append)
    assert (begun, watch.abandoned) == ([], False)


def test_errors_of_the_computation_arrive() -> None:
    def compute(progress: Callable[[int, int], None]) -> None:
        raise RequestError("no such input")

    with pytest.raises(RequestError, match="no such input"):
        ProgressRunner("x", lambda line: None, lambda: False)(compute)


def test_a_document_is_worked_on_by_one_command_at_a_time() -> None:
    first, second, other = (DocumentLock("file", name) for name in ("a.xlsx", "a.xlsx", "b.xlsx"))
    assert first.take("Monte Carlo") is None
    assert second.take("Audit") == "Monte Carlo"
    assert other.take("Audit") is None
    first.free()
    assert second.take("Audit") is None
    second.free()
    other.free()


def test_a_dead_process_holds_no_document_and_no_record(tmp_path: Path) -> None:
    code = (
        "import os, sys; from addin.running import runfile;"
        "lock = runfile.DocumentLock('file', 'a.xlsx'); lock.take('Audit');"
        "runfile.write(runfile.Record('t', os.getpid(), 'audit', 'file', 'a.xlsx', ''));"
        "print('held', flush=True);"
        "sys.stdin.read()"
    )
    command = [sys.executable, "-c", code]
    root = Path(addin.__file__).parent.parent
    with subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        lock = DocumentLock("file", "a.xlsx")
        assert lock.take("Goal seek") == "Audit"
        assert [record.token for record in runfile.running()] == ["t"]
        process.kill()
        process.wait()
    assert list(runfile.running()) == []
    assert lock.take("Goal seek") is None
    lock.free()


@pytest.mark.parametrize(
    ("engine", "book", "pipe", "meant"),
    [
        ("excel", None, None, True),
        ("excel", "quote.xlsx", None, True),
        ("excel", "/elsewhere/QUOTE.xlsx", None, True),
        ("excel", "other.xlsx", None, False),
        ("libreoffice", None, None, False),
        ("excel", None, "other-pipe", False),
    ],
)
def test_a_cancel_concerns_the_runs_it_names(engine: str, book: str | None, pipe: str | None, meant: bool) -> None:
    record = Record("t", os.getpid(), "simulate", "excel", r"C:\Kunde = Müller\Quote.xlsx", "pipe")
    assert record.concerns(engine, book, pipe) == meant


def test_a_button_of_an_older_version_is_not_started() -> None:
    with pytest.raises(RequestError, match=r"of an older version\. Run python -m addin install again"):
        launch.start("monte_carlo", "excel")
    assert launch._STARTED == []


def test_a_started_command_ends_with_its_sheet(original: Path, tmp_path: Path) -> None:
    path = opened.copied(original, tmp_path)
    code = ended(launch.start("compare", "file", str(path)))
    assert code == 0, log_text()
    assert "Arrays compared: see the sheet Array comparison." in log_text()
    assert one_sheet(path, "Array comparison")["A1"].value.startswith("Array comparison")
    assert list(runfile.running()) == []


def cancelling(monkeypatch: pytest.MonkeyPatch, engine: str, book: str, pipe: str | None = None) -> list[int]:
    """Have whatever runs on a document cancelled once its status shows trials done; return how many were asked."""
    status, asked = Messenger.status, []

    def show(messenger: Messenger, line: str | None) -> None:
        status(messenger, line)
        if line and "%" in line:
            asked.append(launch.cancel(engine, book, pipe))

    monkeypatch.setattr(Messenger, "status", show)
    return asked


def test_a_cancelled_simulation_shows_what_it_has(
    original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = opened.copied(original, tmp_path)
    asked = cancelling(monkeypatch, "file", str(path))
    assert run_command("simulate", "file", str(path), None, {"trials": MANY}) == 0
    assert set(asked) == {1}
    assert "PARTIAL: see the sheet Risk." in capsys.readouterr().out
    head = one_sheet(path, "Risk")
    assert head["A2"].value.startswith("PARTIAL RUN: ")
    assert launch.cancel("file") == 0


def test_a_simulation_cancelled_while_it_reads_leaves_the_workbook_alone(original: Path, tmp_path: Path) -> None:
    path = opened.copied(original, tmp_path)
    before = path.read_bytes()
    pid = launch.start("simulate", "file", str(path), options=[LONG])
    assert launch.cancel("file", str(path)) == 1
    assert ended(pid) == 2, log_text()
    assert "Monte Carlo: cancelled. Nothing was changed." in log_text()
    assert path.read_bytes() == before


@pytest.mark.parametrize("module", ["addin.shell.main", "addin.commands", "xlwings"])
def test_an_interrupt_while_the_modules_load_is_one_line(module: str, tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, *rest):\n"
        f"        if name == {module!r}: raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupt())\n"
        "from addin.__main__ import main\n"
        "sys.exit(main())"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, "audit", str(tmp_path / "none.xlsx"), "--sheet"],
        cwd=Path(addin.__file__).parent.parent,
        capture_output=True,
        text=True,
    )
    assert (ran.returncode, ran.stderr) == (2, "error: interrupted before the first results.\n")


def test_a_cancelled_command_without_parts_changes_nothing(
    original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = opened.copied(original, tmp_path)
    before = path.read_bytes()

    def run(book: object, *, runner: ProgressRunner) -> CommandResult:
        def compute(progress: Callable[[int, int], None]) -> None:
            launch.cancel("file", str(path))
            until(lambda: progress(1, 2))

        runner(compute)
        raise AssertionError("the computation was stopped")

    monkeypatch.setattr("addin.commands.audit", run)
    assert run_command("audit", "file", str(path), None, {}) == 2
    assert capsys.readouterr().err == "Audit: cancelled. Nothing was changed.\n"
    assert path.read_bytes() == before


def test_two_documents_at_once_do_not_meet(original: Path, tmp_path: Path) -> None:
    first, second = opened.copied(original, tmp_path, "first.xlsx"), opened.copied(original, tmp_path, "zweite ü.xlsx")
    changed = openpyxl.load_workbook(second)
    opened.named(changed, "In_desktops").value = 12000
    changed.save(second)
    runs = [launch.start("seek", "file", str(path), options=["--vary=growth_ratio"]) for path in (first, second)]
    assert [ended(pid) for pid in runs] == [0, 0], log_text()
    grids = [one_sheet(path, "Goal seek") for path in (first, second)]
    assert [sheet["B7"].value for sheet in grids] == [1, 3]


def test_a_second_command_on_a_document_is_refused_in_one_line(
    original: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = opened.copied(original, tmp_path)
    before = path.read_bytes()
    lock = DocumentLock("file", str(path))
    other = Record("other", os.getpid(), "simulate", "file", str(path), "", time.time() + 60)
    assert lock.take(other.token) is None
    runfile.write(other)
    assert run_command("audit", "file", str(path), None, {}) == 2
    errors = capsys.readouterr().err
    assert errors == f"error: {path.name}: Monte Carlo is still running on it. Wait for it, or press Cancel.\n"
    assert path.read_bytes() == before
    runfile.forget(other.token)
    runfile.write(Record("elsewhere", os.getpid(), "simulate", "file", "/other.xlsx", "", time.time()))
    threading.Timer(0.5, lock.free).start()  # as where the one that held it was killed: that run is not known
    assert run_command("explain", "file", str(path), None, {"name": "arrays_required"}) == 0


@pytest.mark.parametrize("asked", [0.0, -90.0], ids=["just asked for", "at work for long"])
def test_a_command_pressed_again_after_cancel_waits_until_the_cancelled_one_has_stopped(
    original: Path, tmp_path: Path, asked: float
) -> None:
    path = opened.copied(original, tmp_path)
    lock = DocumentLock("file", str(path))
    stopping = Record("stopping", os.getpid(), "simulate", "file", str(path), "", time.time() + asked)
    assert lock.take(stopping.token) is None
    runfile.write(stopping)
    assert launch.cancel("file", str(path)) == 1

    def stopped() -> None:
        lock.free()
        runfile.forget(stopping.token)

    threading.Timer(LEFT_S + 1, stopped).start()
    assert ended(launch.start("explain", "file", str(path), options=["arrays_required"])) == 0, log_text()


@pytest.mark.skipif(os.name != "posix", reason="a process that ended keeps no number there")
def test_a_command_pressed_again_after_a_kill_is_not_refused(original: Path, tmp_path: Path) -> None:
    """The application that started the killed one has not asked how it ended: to the system it is still there."""
    path = opened.copied(original, tmp_path)
    pid = launch.start("simulate", "file", str(path), options=[LONG])
    until(lambda: list(runfile.folder().glob("*.lock")))
    os.killpg(pid, signal.SIGKILL)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    assert ended(launch.start("explain", "file", str(path), options=["arrays_required"])) == 0, log_text()


def test_a_command_of_a_button_says_its_errors_in_the_application(
    original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = opened.copied(original, tmp_path)
    messages: list[str] = []
    monkeypatch.setattr("addin.running.dialogs.show_message", lambda app, text: messages.append(text))
    token = runfile.new_token()
    assert run_command("explain", "file", str(path), None, {"name": "arays_required"}, token) == 2
    (text,) = messages
    assert "there is no result or input 'arays_required'; did you mean arrays_required (" in text
    assert str(runfile.folder()) not in text
    assert "\n" not in text


def test_an_error_of_our_own_is_told_as_such(
    original: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(book: object, *, runner: ProgressRunner) -> CommandResult:
        raise ZeroDivisionError("boom")

    monkeypatch.setattr("addin.commands.audit", run)
    assert run_command("audit", "file", str(original), None, {}) == 2
    assert "error: Audit: stopped by an internal error, ZeroDivisionError: boom" in capsys.readouterr().err


def test_a_module_beside_the_workbook_is_not_imported(original: Path, tmp_path: Path) -> None:
    path = opened.copied(original, tmp_path)
    for name in ("numpy.py", "addin.py", "xlwings.py"):
        (path.parent / name).write_text("raise SystemExit(77)")
    before = os.getcwd()
    os.chdir(path.parent)
    try:
        assert ended(launch.start("compare", "file", str(path))) == 0, log_text()
    finally:
        os.chdir(before)


@pytest.mark.skipif(os.name == "nt", reason="links and modes of a shared folder for temporary files")
def test_a_folder_of_runs_that_is_a_link_is_not_followed_and_one_open_to_others_is_closed(tmp_path: Path) -> None:
    mine = tmp_path / "my logs"
    mine.mkdir()
    for number in range(2 * runfile.KEPT_LOGS):
        (mine / f"{number}.log").write_text("keep")
    place = tmp_path / f"vdi-sizing-{os.getuid()}"
    place.symlink_to(mine)
    with pytest.raises(RequestError, match=r"is not a private folder\. Remove it, or set TMPDIR"):
        runfile.new_token()
    assert len([*mine.iterdir()]) == 2 * runfile.KEPT_LOGS
    place.unlink()
    place.write_text("a file")
    with pytest.raises(RequestError, match="is not a private folder"):
        runfile.folder()
    place.unlink()
    place.mkdir()
    place.chmod(0o777)
    assert runfile.folder().stat().st_mode & 0o777 == 0o700
