"""Check everything between a button and its result: a line each, ok or a problem with its remedy."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import addin
from addin.console import program
from addin.engines.office import client
from addin.engines.office.application import OfficeError, installed
from addin.errors import RequestError
from addin.hosts.ribbon import make as ribbon
from addin.hosts.ribbon import ovba
from addin.install import policies
from addin.install.install import apple_script, expanded, read_conf, signed
from addin.install.machine import MACOS, WINDOWS, InstallError, Machine
from addin.install.policies import Check, Registry
from addin.running import runfile
from addin.xlsx.package import PackageError, read_parts

DISTRIBUTION = "vdi-storage-sizing"
ROOT = Path(addin.__file__).parent.parent  # of a checkout
OLDEST_PYTHON = (3, 11)
INSTALL = f"Run: {program()} install"
INSTALL_CALC = f"Run: {program()} install --calc"
LOCK = "requirements.lock"


def examine(machine: Machine, registry: Registry | None = None) -> list[Check]:
    """Return the checks; `registry` reads a value of the Windows registry by key and name, None if it is missing."""
    checks = [*_python(), *_packages()]
    if machine.has_excel_folders:
        checks += [*_ribbon(machine), *_settings(machine)]
    else:
        checks.append(Check("Excel: does not run on this system"))
    if machine.system == MACOS:
        checks += _apple_script(machine)
    if machine.system == WINDOWS:
        checks += policies.seen(registry or windows_registry)
    return [*checks, *_calc(machine), _logs()]


def _python() -> Iterator[Check]:
    version = ".".join(map(str, sys.version_info[:3]))
    old = sys.version_info[:2] < OLDEST_PYTHON
    yield Check(f"Python {version}, {sys.executable}", "Make the environment with Python 3.11 or newer" if old else "")


def _packages() -> Iterator[Check]:
    """Compare the installed packages with the declared ones, and name the versions of the lock file."""
    locked = _locked()
    for name, declared in _declared().items():
        try:
            version = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            yield Check(f"{name}: not installed in this Python", _with_packages())
            continue
        wrong = [bound for bound in declared.split(",") if bound and not _within(version, bound)]
        pinned = locked.get(name, [version])
        text = f"{name} {version}" + ("" if version in pinned else f" (the lock file has {' or '.join(pinned)})")
        yield Check(text, f"Expected {declared}. {_with_packages()}" if wrong else "")


def _with_packages() -> str:
    """Return how the packages come in; an installed package has no lock file."""
    if (ROOT / LOCK).is_file():
        return f"Run: python -m pip install --require-hashes -r {LOCK}"
    return f"Install {DISTRIBUTION} again"


def _ribbon(machine: Machine) -> Iterator[Check]:
    if not machine.addin.is_file():
        yield Check(f"The ribbon add-in is not in {machine.excel_startup}", INSTALL)
        return
    try:
        modules = ovba.sources(read_parts(machine.addin)["xl/vbaProject.bin"])
        (version,) = re.findall(r'XLWINGS_VERSION As String = "([^"]*)"', modules["xlwings"])
    except (PackageError, KeyError, ValueError):
        yield Check(f"{machine.addin}: is not the add-in, or damaged", INSTALL)
        return
    installed = ribbon.xlwings_version()
    if version != installed:
        yield Check(f"The add-in is made for xlwings {version}, this Python has {installed}", INSTALL)
    elif signed(machine.addin):
        yield Check(f"{machine.addin}: is signed by your organisation, for xlwings {version}")
    elif read_parts(machine.addin) != ribbon.ribbon_parts():
        yield Check(f"{machine.addin}: comes from another version of this project", INSTALL)
    else:
        yield Check(f"The ribbon add-in is in {machine.excel_startup}, for xlwings {version}")
    if not os.access(machine.excel_startup, os.W_OK):
        yield Check(f"{machine.excel_startup}: you cannot write there, so no update can be installed", policies.ASK_IT)
    if _from_the_internet(machine.addin):
        yield Check(f"{machine.addin}: is marked as a download, so Excel blocks its macros", INSTALL)


def _settings(machine: Machine) -> Iterator[Check]:
    try:
        stored = read_conf(machine).get(machine.interpreter_key, "")
    except InstallError as error:
        yield Check(str(error).removesuffix("."), INSTALL)
        return
    python = expanded(machine, stored)
    if not stored:
        yield Check(f"{machine.excel_settings}: names no Python", INSTALL)
    elif not Path(python).is_file():
        yield Check(f"{python}: the Python that the buttons start is not there", INSTALL)
    elif python != machine.python:
        yield Check(f"The buttons start {python}, another Python than this one")
    else:
        yield Check("The buttons start this Python")


def _apple_script(machine: Machine) -> Iterator[Check]:
    script = apple_script()
    there = machine.apple_scripts / script.name
    same = there.is_file() and there.read_bytes() == script.read_bytes()
    yield Check(f"AppleScript {there}" + ("" if same else ": missing or another one"), "" if same else INSTALL)
    yield Check("When Excel asks whether to allow macros and control of other programs, allow both")


def _calc(machine: Machine) -> Iterator[Check]:
    if machine.unopkg() is None:
        yield Check("LibreOffice: not found, and not needed for Excel")
        return
    if installed() is None:
        yield Check("LibreOffice is here, but `soffice` is not in PATH", "Add its program folder to PATH")
    try:
        yield Check(f"Python with LibreOffice's uno: {client.bridge_python()}")
    except OfficeError as error:
        yield Check("No Python with LibreOffice's uno", str(error))
    if not machine.calc_settings.is_file():
        if machine.has_excel_folders:
            yield Check(f"The Calc extension is not installed: {program()} install --calc adds it")
        else:
            yield Check("The Calc extension is not installed", INSTALL_CALC)
        return
    lines = machine.calc_settings.read_text(encoding="utf-8").splitlines()
    python = dict(line.split("=", 1) for line in lines if "=" in line).get("python", "")
    there = Path(python).is_file()
    yield Check(f"The Calc extension starts {python or 'no Python'}", "" if there else INSTALL_CALC)
    yield _pipe()


def _logs() -> Check:
    try:
        return Check(f"What the last runs of buttons said: the .log files in {runfile.folder()}")
    except (RequestError, OSError) as error:
        return Check("Runs of buttons have no folder", str(error))


def _pipe() -> Check:
    from addin.engines import calc

    name = calc.default_pipe()
    try:
        app = calc.attach(name)
    except OfficeError:
        return Check(f"No Calc listens on the pipe {name}: it does once a button of VDI Sizing was pressed")
    open_books = len(app.books)
    app.quit()
    return Check(f"Calc listens on the pipe {name}, {open_books} workbooks open")


def _declared() -> dict[str, str]:
    """Return the declared packages with their bounds; a checkout has them in pyproject.toml."""
    try:
        lines = importlib.metadata.requires(DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:
        text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
        lines = tomllib.loads(text)["project"]["dependencies"]
    needed = [re.fullmatch(r"([A-Za-z0-9._-]+)([<>=!~,.\d\s]*)", line) for line in lines]  # extras have a marker
    return {match[1]: match[2].replace(" ", "") for match in needed if match}


def _locked() -> dict[str, list[str]]:
    """Return the versions in the lock file, one for each Python; an installed package has no lock file."""
    lock = ROOT / LOCK
    if not lock.is_file():
        return {}
    pins: dict[str, list[str]] = {}
    for name, version in re.findall(r"^([a-z0-9-]+)==(\S+)", lock.read_text(encoding="utf-8"), flags=re.MULTILINE):
        pins.setdefault(name, []).append(version)
    return pins


def _within(version: str, bound: str) -> bool:
    """Return whether a version such as 3.1.5 satisfies a bound such as >=3.1 or <3.2."""
    kind, limit = re.fullmatch(r"([<>=]+)(.+)", bound).groups()  # type: ignore[union-attr]  # from our own metadata
    numbers, bounds = (tuple(map(int, re.findall(r"\d+", text)))[:3] for text in (version, limit))
    length = max(len(numbers), len(bounds))
    numbers, bounds = (item + (0,) * (length - len(item)) for item in (numbers, bounds))
    return {">=": numbers >= bounds, "<": numbers < bounds, "<=": numbers <= bounds, "==": numbers == bounds}[kind]


def _from_the_internet(path: Path) -> bool:
    """Return whether Windows has marked a file as downloaded."""
    try:
        return "ZoneId=3" in Path(f"{path}:Zone.Identifier").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False


def windows_registry(key: str, name: str) -> int | str | None:
    """Return a value such as (r"HKCU\\Software\\...", "VBAWarnings"), None if it is missing."""
    if sys.platform == "win32":
        import winreg

        root, _, path = key.partition("\\")
        roots = {"HKCU": winreg.HKEY_CURRENT_USER, "HKLM": winreg.HKEY_LOCAL_MACHINE}
        try:
            with winreg.OpenKey(roots[root], path) as opened:
                value, _ = winreg.QueryValueEx(opened, name)
        except OSError:
            return None
        return value if isinstance(value, int | str) else None
    return None
