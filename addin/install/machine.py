"""The machine of install and doctor: its system, folders and Python; invented in tests."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import addin
from addin.engines.office import application
from addin.errors import AddinError
from addin.hosts.ribbon.make import FILE as ADDIN_FILE
from addin.hosts.ribbon.make import PROJECT

WINDOWS, MACOS = "win32", "darwin"


class InstallError(AddinError):
    """A failure of install, uninstall or doctor."""


@dataclass(frozen=True)
class Machine:
    """A system (`sys.platform`), the user's home folder, and the Python for the buttons.

    `path` is the folder that this Python must add to find the project, None if it is installed as a package;
    `variables` are those of the environment.
    """

    system: str
    home: Path
    python: str
    path: str | None
    variables: Mapping[str, str]

    @property
    def has_excel_folders(self) -> bool:
        """Whether Excel runs on this system."""
        return self.system in (WINDOWS, MACOS)

    @property
    def excel_startup(self) -> Path:
        """The folder whose add-ins Excel loads when it starts, and whose macros it trusts."""
        if self.system == WINDOWS:
            roaming = self.variables.get("APPDATA") or str(self.home / "AppData" / "Roaming")
            return Path(roaming) / "Microsoft" / "Excel" / "XLSTART"
        container = self.home / "Library" / "Group Containers" / "UBF8T346G9.Office"
        return container / "User Content.localized" / "Startup.localized" / "Excel"

    @property
    def addin(self) -> Path:
        """The path of the ribbon add-in."""
        return self.excel_startup / ADDIN_FILE

    @property
    def excel_settings(self) -> Path:
        """The settings that the add-in's VBA reads (its GetConfigFilePath); no other tool reads them."""
        if self.system == WINDOWS:
            return self.own_folder / f"{PROJECT}.conf"
        return self.home / "Library" / "Containers" / "com.microsoft.Excel" / "Data" / f"{PROJECT}.conf"

    @property
    def interpreter_key(self) -> str:
        """The VBA's name for the path of Python."""
        return "INTERPRETER_WIN" if self.system == WINDOWS else "INTERPRETER_MAC"

    @property
    def apple_scripts(self) -> Path:
        """The only folder whose scripts Excel for Mac may run."""
        return self.home / "Library" / "Application Scripts" / "com.microsoft.Excel"

    @property
    def own_folder(self) -> Path:
        """The project's folder for this user."""
        return self.home / f".{PROJECT}"

    @property
    def calc_settings(self) -> Path:
        """The settings of the Calc extension: lines python=..., path=..."""
        return self.own_folder / "calc.conf"

    @property
    def receipt(self) -> Path:
        """The list of the files of install, for uninstall."""
        return self.own_folder / "installed.json"

    def unopkg(self) -> str | None:
        """Return the program that adds extensions to LibreOffice, None without LibreOffice."""
        program = shutil.which("unopkg", path=self.variables.get("PATH"))
        if program:
            return program
        folders = [Path(self.variables.get(name, "")) / "LibreOffice" / "program" for name in _PROGRAM_FOLDERS]
        folders.append(Path("/Applications/LibreOffice.app/Contents/MacOS"))
        if command := application.installed():
            folders.append(Path(command).resolve().parent)
        names = ("unopkg.com", "unopkg")
        return next((str(folder / name) for folder in folders for name in names if (folder / name).is_file()), None)


_PROGRAM_FOLDERS = ("PROGRAMFILES", "PROGRAMFILES(X86)")


def this_machine() -> Machine:
    """Return the machine that this Python runs on."""
    project = Path(addin.__file__).resolve().parent.parent
    packages = {Path(sysconfig.get_path(name)).resolve() for name in ("purelib", "platlib")}
    path = None if project in packages else str(project)
    return Machine(sys.platform, Path.home(), sys.executable, path, dict(os.environ))
