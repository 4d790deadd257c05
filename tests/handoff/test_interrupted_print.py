"""A hand-off that is cancelled while a browser prints leaves no process and no folder behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from addin.results.document import pdf
from tests.support import opened

ROOT = Path(__file__).parents[2]
WAIT_S = 60
# A browser that never ends, with a child of its own; both write their numbers, and into the profile.
BROWSER = """#!/bin/sh
for each; do case $each in --user-data-dir=*) profile=${each#*=};; esac; done
sleep 300 &
echo $! $$ > "$profile/started"
cp "$profile/started" "$STARTED"
wait
"""

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a process group cannot be sent Ctrl-C from outside")


@pytest.fixture
def browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file in which the browser says that it has started."""
    command, started = tmp_path / "browser", tmp_path / "started"
    command.write_text(BROWSER, encoding="utf-8")
    command.chmod(0o755)
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv(pdf.BROWSER, str(command))
    monkeypatch.setenv("STARTED", str(started))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setattr(tempfile, "tempdir", None)
    yield started
    for pid in _numbers(started):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _numbers(started: Path) -> list[int]:
    return [int(each) for each in started.read_text(encoding="utf-8").split()] if started.is_file() else []


def _runs(pid: int) -> bool:
    """Whether a process runs; one that ended and that nobody has asked about does not."""
    stat = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return stat.strip() not in ("", "Z", "Zs", "Z+")


def _until_started(started: Path) -> list[int]:
    end = time.monotonic() + WAIT_S
    while len(_numbers(started)) < 2 and time.monotonic() < end:
        time.sleep(0.05)
    return _numbers(started)


@pytest.mark.slow
@pytest.mark.parametrize("times", [1, 2], ids=["once", "twice"])
def test_ctrl_c_while_the_page_is_printed_leaves_nothing(
    original: Path, browser: Path, tmp_path: Path, times: int
) -> None:
    path = opened.copied(original, tmp_path)
    before = sorted(path.parent.iterdir())
    process = subprocess.Popen(
        [sys.executable, "-m", "addin", "handoff", str(path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # a shell's background job ignores it
    )
    assert len(_until_started(browser)) == 2
    for _ in range(times):
        os.killpg(process.pid, signal.SIGINT)
        time.sleep(0.05)
    out, err = process.communicate(timeout=WAIT_S)
    assert (process.returncode, out + err) == (2, "Hand-off: cancelled. Nothing was changed.\n")
    assert [pid for pid in _numbers(browser) if _runs(pid)] == []
    assert sorted(path.parent.iterdir()) == before
    assert list((tmp_path / "temporary").glob("vdi-print-*")) == []


def test_a_look_that_raises_ends_the_browser(browser: Path, tmp_path: Path) -> None:
    def look() -> None:
        if len(_numbers(browser)) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pdf.print_page(tmp_path / "page.html", tmp_path / "page.pdf", look)
    assert [pid for pid in _numbers(browser) if _runs(pid)] == []
    assert list((tmp_path / "temporary").iterdir()) == []


def test_a_browser_that_does_not_end_is_ended(browser: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "_SECONDS", 1.5)
    assert pdf.print_page(tmp_path / "page.html", tmp_path / "page.pdf").startswith("No PDF: browser did not print it.")
    assert [pid for pid in _numbers(browser) if _runs(pid)] == []


def test_profiles_of_killed_runs_are_swept(browser: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    folder = tmp_path / "temporary"
    for name in (f"vdi-print-{gone.pid}-abc", f"vdi-print-{os.getpid()}-abc", "vdi-print-notes"):
        (folder / name / "Default").mkdir(parents=True)
    monkeypatch.setenv(pdf.BROWSER, str(tmp_path / "none"))
    assert pdf.print_page(tmp_path / "page.html", tmp_path / "page.pdf").startswith("No PDF: none did not print it.")
    assert sorted(each.name for each in folder.iterdir()) == [f"vdi-print-{os.getpid()}-abc", "vdi-print-notes"]
