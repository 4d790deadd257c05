"""A Calc as its users have it: the extension installed by unopkg into a made-up home, the workbook in a window."""

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from addin.engines import calc as engine
from addin.engines.office import application, client
from addin.errors import AddinError
from addin.hosts.calc import make
from addin.hosts.ribbon.icons import icons
from tests.support.libreoffice import soffice
from tests.support.needed import program
from tests.support.screen import Screen, screen

ROOT = Path(make.__file__).parents[3]
NAME = "Acme = Müller v2 (final).xlsx"
USER = f"Jörg test {os.getpid()}"
NOBODY = 65534
WAIT_S = 60


@dataclass
class Calc:
    """A Calc in a window of its own, with the extension, on a copy of the workbook."""

    screen: Screen
    home: Path
    book: Path
    office: subprocess.Popen[bytes]
    environment: dict[str, str]

    def press(self, command: str) -> None:
        """Click the toolbar's picture of a command."""
        self.screen.click(icons(1)[command])

    def window(self) -> str:
        """Return the window of the workbook, once it is there."""
        (window,) = until(lambda: self.screen.windows("^Acme"))
        return str(window)

    def running(self) -> set[str]:
        """Return the commands that are running, by the names of their files."""
        return {path.name for path in (self.home.parent / "tmp").glob("vdi-sizing-*/*.run")}

    def at_work(self) -> set[str]:
        """Return the commands that have the document: a run is known by then, and may still be starting, before."""
        found = set()
        for lock in (self.home.parent / "tmp").glob("vdi-sizing-*/*.lock"):
            with suppress(FileNotFoundError, ValueError):  # given back meanwhile, or just taken
                found.add(json.loads(lock.with_name(f"{lock.read_text('utf-8')}.run").read_text("utf-8"))["command"])
        return found


def until(what: Callable[[], Any], seconds: float = WAIT_S) -> Any:
    """Wait until something is there and return it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if result := what():
            return result
        time.sleep(0.2)
    raise AssertionError(f"not within {seconds} s")


@contextmanager
def opened_calc() -> Iterator[Calc]:
    """Install the extension with the project's own command into a made-up home, and open the workbook there."""
    if not sys.platform.startswith("linux"):
        pytest.skip("a window without a screen needs Xvfb: Linux only")
    command, unopkg = soffice(), program("unopkg", "LibreOffice (unopkg)")
    folder = Path(tempfile.mkdtemp(prefix="calc-"))
    home, tools = folder / "home", folder / "tools"
    profile = home / ".config" / "libreoffice" / "4"
    for made in (profile, tools, folder / "screen", folder / "tmp"):
        made.mkdir(parents=True)
    application.write_profile(profile)
    _as_user(folder, tools / "unopkg", unopkg)
    environment = client.own_python(os.environ)  # a desktop has no environment of Python activated
    environment |= {"HOME": str(home), "USER": USER, "TMPDIR": str(folder / "tmp")}
    environment["PATH"] = os.pathsep.join([str(tools), environment["PATH"]])
    book = Path(shutil.copy(ROOT / "templates" / "vdi-storage-sizing.xlsx", home / NAME))
    try:
        done = subprocess.run(
            [sys.executable, "-m", "addin", "install", "--calc"],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        with screen(folder / "screen") as shown:
            process = subprocess.Popen(
                [command, "--norestore", "--nologo", "--calc", str(book)],
                env=environment | {"DISPLAY": shown.display},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            try:
                yield Calc(shown, home, book, process, environment)
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
    finally:
        application.sweep(profile)
        shutil.rmtree(folder, ignore_errors=True)
        for pipe in Path("/tmp").glob(f"OSL_PIPE_{os.geteuid()}_vdi-sizing-*-{os.getpid()}"):
            pipe.unlink()  # what the office leaves where it is killed


def _as_user(folder: Path, wrapper: Path, unopkg: str) -> None:
    """Make a program that runs unopkg; it refuses to work for root, so root hands it to nobody."""
    hand = f"{program('setpriv', 'setpriv')} --reuid={NOBODY} --clear-groups " if os.geteuid() == 0 else ""
    wrapper.write_text(f'#!/bin/sh\nexec {hand}{unopkg} "$@"\n')
    wrapper.chmod(wrapper.stat().st_mode | stat.S_IXUSR)
    if hand:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
            path.chmod(0o755 if path.is_dir() else path.stat().st_mode | 0o444)


def attached() -> Any:
    """Return the Calc in the window as an xlwings app, None while nobody listens on the extension's pipe."""
    try:
        return engine.attach(engine.default_pipe())
    except AddinError:
        return None
