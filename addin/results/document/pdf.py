"""The PDF of a page, printed by an installed browser (Chromium, Chrome or Edge) without a window or a network.

The program has no PDF library: those for Python either render their own dialect of HTML or need system libraries, and
a second rendering of the page would be a second document.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

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
_SECONDS = 120
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


def print_page(page: Path, target: Path) -> str:
    """Print a page to PDF; return "", or why there is no PDF and how to get one."""
    command = browser()
    if command is None:
        return f"No PDF: no Chromium, Chrome or Edge is installed. {ADVICE}."
    with tempfile.TemporaryDirectory(prefix="vdi-print-", ignore_cleanup_errors=True) as profile:
        options = [*_OPTIONS, f"--user-data-dir={profile}", f"--print-to-pdf={target}"]
        if sys.platform == "linux" and os.geteuid() == 0:
            options.append("--no-sandbox")  # Chromium does not start for root without it
        try:
            done = subprocess.run(
                [command, *options, page.as_uri()], capture_output=True, timeout=_SECONDS, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            done = None
    if done is None or done.returncode or not target.is_file() or not target.read_bytes().startswith(b"%PDF"):
        target.unlink(missing_ok=True)
        return f"No PDF: {Path(command).name} did not print it. {ADVICE}."
    return ""
