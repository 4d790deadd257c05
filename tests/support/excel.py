"""Excel as far as a button needs it: an open workbook, the add-in's settings sheet, a user's conf, a shell to watch."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from addin.hosts.ribbon.make import PROJECT, SETTINGS, template
from tests.support import vba, windows_shell

WINDOWS_PYTHON = r"C:\Program Files\Sizing & Co\venv\Scripts\python.exe"
ADDIN = {False: rf"C:\XLSTART\{PROJECT}.xlam", True: f"/Startup/{PROJECT}.xlam"}


class Range:
    """What is selected, where cells are."""


@dataclass
class Excel:
    """The application; `workbook` is the full name of the open one, `settings` the lines of the user's own conf."""

    modules: Mapping[str, str]
    workbook: str | None
    mac: bool = False
    settings: dict[str, str] = field(default_factory=dict)
    sheets: tuple[str, ...] = ("Inputs", "Summary")
    files: tuple[str, ...] = (WINDOWS_PYTHON,)
    variables: dict[str, str] = field(default_factory=dict)
    log: str = ""
    exit_code: int = 0
    protected: int = 0  # windows in Protected View
    blocked: str = ""  # what Windows says where a policy keeps Office from starting a program
    selected: tuple[int, int, str] = (5, 4, "Inputs")  # row, column and sheet; row 0: a picture
    messages: list[str] = field(default_factory=list)
    started: list[str] = field(default_factory=list)

    def press(self, procedure: str, tag: str) -> None:
        """Press a button."""
        book = None if self.workbook is None else _book(self.workbook, self.sheets)
        own = _book(ADDIN[self.mac], (f"{PROJECT}.conf",))
        host: dict[str, Any] = {
            "ActiveWorkbook": book,
            "ActiveSheet": SimpleNamespace(name=self.selected[2]),
            "ActiveCell": SimpleNamespace(row=self.selected[0], column=self.selected[1]),
            "Selection": Range() if self.selected[0] else None,
            "ThisWorkbook": own,
            "Application": SimpleNamespace(
                name="Microsoft Excel",
                path="/Excel.app/..." if self.mac else "C:",
                hwnd=7,
                protectedviewwindows=SimpleNamespace(count=self.protected),
            ),
            "WScript": SimpleNamespace(run=self._run, popup=lambda text, *_: self.messages.append(text)),
            "MsgBox": lambda text, *_: self.messages.append(text),
            "FileExists": lambda path: path == "user.conf" or path in self.files,
            "ReadFile": lambda _: self.log,
            "Kill": lambda _: None,
            "CreateGUID": lambda: "guid",
            "Environ": lambda name: {"Temp": "D:\\Scratch", "HOME": "/sandbox"}[name],
            "vbCritical": 16,
            "vbExclamation": 48,
            "ToPosixPath": lambda path: path,
            "AppleScriptTask": self._apple_script,
            "ExpandEnvironmentStrings": self._expanded,
            "SheetExists": lambda where, name: name in [sheet.name for sheet in where.worksheets],
            "GetConfigFromSheet": self._sheet,
            "GetConfigFilePath": lambda: "user.conf",
            "GetConfigFromFile": self._from_file,
        }
        program = vba.Vba(self.modules, self.mac, host)
        program.call(procedure, SimpleNamespace(tag=tag))

    def arguments(self) -> tuple[str, list[str]]:
        """Return folder and arguments of the Python that was started."""
        (line,) = self.started
        call = windows_shell.windows_call(line)
        return call.folder, call.arguments

    def _run(self, line: str, style: int, wait: bool) -> int:
        if self.blocked:
            raise vba.Raised(self.blocked)
        self.started.append(line)
        return self.exit_code

    def _apple_script(self, script: str, handler: str, parameters: str) -> str:
        source = template().with_name(script).read_text(encoding="utf-8")
        self.started.append(windows_shell.mac_command(source, parameters))
        return ""

    def _expanded(self, text: object) -> str:
        if self.mac:
            return str(text)
        return re.sub(r"%(.*?)%", lambda match: self.variables.get(match[1], match[0]), str(text))

    def _sheet(self, book: Any) -> SimpleNamespace:
        assert book.fullname == ADDIN[self.mac], "settings are read from the add-in only"
        return SimpleNamespace(exists=lambda key: key in SETTINGS, item=SETTINGS.__getitem__)

    def _from_file(self, path: str, key: str, _: str) -> vba.Changed:
        assert path == "user.conf", "settings are read from the user's folder only"
        return vba.Changed(key in self.settings, {"configvalue": self.settings.get(key, "")})


def read_conf(path: Path, encoding: str = "ascii") -> dict[str, str]:
    """Read a conf as `Input #` does: two quoted texts a line."""
    with path.open(encoding=encoding, newline="") as file:
        return dict(csv.reader(file))


def _book(full_name: str, sheets: tuple[str, ...]) -> SimpleNamespace:
    name = re.split(r"[\\/]", full_name)[-1]
    return SimpleNamespace(fullname=full_name, name=name, worksheets=[SimpleNamespace(name=sheet) for sheet in sheets])


def python(arguments: list[str], folder: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Run this Python with the arguments that Excel gave another one."""
    assert re.search(r"python(\.exe)?$", arguments[0]), arguments[0]
    return subprocess.run(
        [sys.executable, *arguments[1:]],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
