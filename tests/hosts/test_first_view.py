"""What people see who open the workbook: START HERE, ANSWER and the chart, on a small screen, without scrolling."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import build
from addin.engines.office import application
from model.layout.grid import ANSWER, FIRST_ROW, HEAD_ROW, START
from tests.support import uno_office
from tests.support.libreoffice import soffice
from tests.support.needed import program
from tests.support.screen import screen

BOOK = Path(build.__file__).parent / "templates" / "vdi-storage-sizing.xlsx"
DESKTOP_PIXELS = 70  # a title bar and the desktop's own bar
IN_VIEW = f"A{FIRST_ROW}:M{FIRST_ROW + len(START)}"
VIEW = uno_office.BRIDGE.with_name("uno_view.py")
TIMEOUT_S = 240


def view(folder: Path, width: int, height: int) -> dict[str, Any]:
    """Open the workbook in a new user's office on a screen of that size; return what its window shows."""
    if not sys.platform.startswith("linux"):
        pytest.skip("a window without a screen needs Xvfb: Linux only")
    python = program(uno_office.bridge_python(), "LibreOffice's bridge to Python (python3-uno)")
    (folder / "profile").mkdir()
    application.write_profile(folder / "profile")
    options = [f"-env:UserInstallation={(folder / 'profile').as_uri()}", "--norestore", "--nologo"]
    options += [f"--accept=pipe,name={folder.name}-{os.getpid()};urp;", "--calc", str(BOOK)]
    silent = subprocess.DEVNULL
    with screen(folder, (width, height)) as shown:
        display = os.environ | {"DISPLAY": shown.display}
        office = subprocess.Popen(
            [soffice(), *options], env=display, stdout=silent, stderr=silent, start_new_session=True
        )
        try:
            size = (str(width), str(height - DESKTOP_PIXELS))
            command = [python, str(VIEW), f"{folder.name}-{os.getpid()}", *size, IN_VIEW]
            done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=TIMEOUT_S)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(office.pid, signal.SIGKILL)
            office.wait()
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.office
@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1920, 1080)])
def test_start_answer_and_chart_are_in_view_without_scrolling(tmp_path: Path, width: int, height: int) -> None:
    found = view(tmp_path, width, height)
    assert (found["sheet"], found["frozen"]) == (ANSWER, HEAD_ROW)
    assert len(found["drawings"]) == 1
    left, top, right, bottom = found["seen"]
    for name, (x, y, end, foot) in (("START HERE and ANSWER", found["cells"]), ("chart", found["drawings"][0])):
        assert left <= x, name
        assert top <= y, name
        assert end <= right, name
        assert foot <= bottom, name
