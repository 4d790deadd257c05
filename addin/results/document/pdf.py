"""The PDF of a page, printed by an installed browser (Chromium, Chrome or Edge) without a window or a network.

The program has no PDF library: those for Python either render their own dialect of HTML or need system libraries, and
a second rendering of the page would be a second document.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from addin.workbook.insertion import uninterrupted
from addin.xlsx.package import lives

BROWSER = "VDI_BROWSER"  # names another browser of the family, or none where it is empty
_COMMANDS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge", "msedge")
_PLACES = (
    r"%ProgramFiles%\Google\Chrome\Application\chrome.exe",
    r"%ProgramFiles(x86)%\Google\Chrome\Application\chrome.exe",
    r"%LocalAppData%\Google\Chrome\Application\chrome.exe",
    r"%ProgramFiles(x86)%\Microsoft\Edge\Application\msedge.exe",
    r"%ProgramFiles%\Microsoft\Edge\Application\msedge.exe",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
_SECONDS, _LOOK_S, _LEAVE_S = 120, 0.1, 2.0  # for a page, between two looks, for a browser to leave
_PROFILE = "vdi-print-"  # in the name of the folder of the browser, then the number of the process
# Ctrl-C in a shell goes to its whole process group; the browser is ended with all its processes.
APART: dict[str, Any]
if sys.platform == "win32":
    APART = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
else:
    APART = {"start_new_session": True}
_OPTIONS = (
    *("--headless", "--disable-gpu", "--no-first-run", "--no-default-browser-check", "--disable-extensions"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-pdf-header-footer"),
    "--host-resolver-rules=MAP * ~NOTFOUND",
)
ADVICE = "Open design.html in a browser and print it to PDF"


def browser() -> str | None:
    """Return the command of an installed browser that prints, None without one."""
    if BROWSER in os.environ:
        return os.environ[BROWSER] or None
    named = next((found for name in _COMMANDS if (found := shutil.which(name))), None)
    places = (os.path.expandvars(place) for place in _PLACES)
    return named or next((place for place in places if os.path.isfile(place)), None)


def print_page(page: Path, target: Path, look: Callable[[], None] = lambda: None) -> str:
    """Print a page to PDF; return "", or why there is no PDF and how to get one.

    `look` is called meanwhile and may raise; then, and on Ctrl-C, the browser has ended before this does.
    """
    command = browser()
    if command is None:
        return f"No PDF: no Chromium, Chrome or Edge is installed. {ADVICE}."
    _sweep()
    profile = tempfile.mkdtemp(prefix=f"{_PROFILE}{os.getpid()}-")
    try:
        options = [*_OPTIONS, f"--user-data-dir={profile}", f"--print-to-pdf={target}"]
        if sys.platform == "linux" and os.geteuid() == 0:
            options.append("--no-sandbox")  # Chromium does not start for root without it
        code = _ended([command, *options, page.as_uri()], look)
    finally:
        with uninterrupted():
            shutil.rmtree(profile, ignore_errors=True)
    if code != 0 or not target.is_file() or not target.read_bytes().startswith(b"%PDF"):
        target.unlink(missing_ok=True)
        return f"No PDF: {Path(command).name} did not print it. {ADVICE}."
    return ""


def _ended(arguments: Sequence[str], look: Callable[[], None]) -> int | None:
    """Run the browser and return its exit code; None where it cannot start or takes too long."""
    none = subprocess.DEVNULL
    try:
        process = subprocess.Popen(arguments, stdin=none, stdout=none, stderr=none, **APART)
    except OSError:
        return None
    try:
        end = time.monotonic() + _SECONDS
        while time.monotonic() < end:
            with suppress(subprocess.TimeoutExpired):
                return process.wait(_LOOK_S)
            look()
        return None
    finally:
        with uninterrupted():
            _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a browser that still runs, with all that it has started: they write into its profile."""
    if process.poll() is not None:
        return
    if sys.platform == "win32":
        with suppress(OSError, subprocess.TimeoutExpired):
            tree = ["taskkill", "/T", "/F", "/PID", str(process.pid)]
            subprocess.run(tree, capture_output=True, check=False, timeout=_LEAVE_S)
        process.kill()
        process.wait()
        return
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        end = time.monotonic() + _LEAVE_S
        while time.monotonic() < end:
            os.killpg(process.pid, 0)
            time.sleep(0.02)


def _sweep() -> None:
    """Delete the profiles that killed runs have left."""
    with suppress(OSError):
        for left in Path(tempfile.gettempdir()).glob(f"{_PROFILE}*-*"):
            pid = left.name.removeprefix(_PROFILE).partition("-")[0]
            if pid.isdecimal() and not lives(int(pid)) and left.is_dir() and not left.is_symlink():
                shutil.rmtree(left, ignore_errors=True)
