"""Install the ribbon add-in or the Calc extension for its application, and remove exactly that again.

Excel: the .xlam in the startup folder, the path of Python in our own conf (that of xlwings is not touched), on macOS
also the AppleScript through which Excel may start Python. Calc: the extension by unopkg and one settings file. Every
file is written whole or not at all; a receipt lists them.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from addin.console import program
from addin.hosts.calc import make as calc
from addin.hosts.ribbon import make as ribbon
from addin.install.machine import MACOS, WINDOWS, InstallError, Machine
from addin.xlsx.package import PackageError, open_parts, write_atomically

UNOPKG_S = 180
_CALC = "calc extension"


def install_excel(machine: Machine) -> list[str]:
    """Install the ribbon add-in; return a line for each step.

    Raises InstallError on a system without Excel, for a path of Python that Excel cannot pass on, and for a file that
    cannot be written.
    """
    if not machine.has_excel_folders:
        raise InstallError(f"Excel runs on Windows and macOS only. For LibreOffice: {program()} install --calc.")
    settings = {machine.interpreter_key: _stored_path(machine, machine.python)}
    if machine.path is not None:
        settings["PYTHONPATH"] = _stored_path(machine, machine.path)
    others = {name: value for name, value in read_conf(machine).items() if name not in OUR_KEYS}
    content = _conf({**others, **settings}, machine)
    files, kept = {machine.excel_settings: content}, []
    if signed(machine.addin):
        kept.append(f"Kept {machine.addin}: your organisation has signed it")
    else:
        with tempfile.TemporaryDirectory() as folder:
            files[machine.addin] = ribbon.write_ribbon(Path(folder) / ribbon.FILE).read_bytes()
    if machine.system == MACOS:
        script = apple_script()
        target = machine.apple_scripts / script.name
        if target.is_file() and not _made(machine, target):
            kept.append(f"Kept {target}, which xlwings put there")
        else:
            files[target] = script.read_bytes()
    for path, data in files.items():
        _write(machine, path, data)
    lines = [f"Wrote {path}" for path in files] + kept
    lines.append(f"Restart Excel: it shows the tab VDI Sizing. `{program()} doctor` checks the rest.")
    if machine.unopkg():
        lines.append(f"LibreOffice is here too: {program()} install --calc")
    return lines


def signed(addin: Path) -> bool:
    """Return whether an add-in has a signature of its macros: that of an organisation, as ours has none."""
    try:
        with open_parts(addin) as parts:
            return any("vbaprojectsignature" in name.casefold() for name in parts)
    except (PackageError, OSError):
        return False


def install_calc(machine: Machine) -> list[str]:
    """Add the Calc extension for this user; return a line for each step.

    Raises InstallError without LibreOffice, if settings cannot be written, and if unopkg fails, with its message.
    """
    unopkg = _unopkg(machine)
    for text in (machine.python, machine.path or ""):
        if "\n" in text:
            raise InstallError(f"{text!r}: a path with a line break cannot be stored. Move it to another folder.")
    _check_folder(machine.calc_settings)  # first: unopkg waits for minutes where it cannot write
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        extension = calc.write_extension(Path(folder) / calc.FILE)
        extension.chmod(0o644)
        _run([unopkg, "add", "--force", "--suppress-license", str(extension)])
    lines = [f"python={machine.python}", *([f"path={machine.path}"] if machine.path else [])]
    _write(machine, machine.calc_settings, "".join(f"{line}\n" for line in lines).encode())
    _note(machine, _CALC, calc.IDENTIFIER)
    return [
        f"Added the extension {calc.IDENTIFIER} to LibreOffice",
        f"Wrote {machine.calc_settings}",
        "Restart LibreOffice: Calc shows the toolbar and the menu VDI Sizing.",
    ]


def uninstall(machine: Machine) -> list[str]:
    """Remove the files of install and no others; return a line for each step.

    A file that was changed since is kept and named. Raises InstallError for a file that cannot be removed, for example
    because Excel is open.
    """
    receipt = read_receipt(machine)
    if not receipt:
        return ["Nothing is installed."]
    lines = []
    if _CALC in receipt:
        _run([_unopkg(machine), "remove", receipt[_CALC]])
        lines.append(f"Removed the extension {receipt[_CALC]} from LibreOffice")
        _note(machine, _CALC, None)
    for name, digest in receipt.items():
        path = Path(name)
        if name == _CALC:
            continue
        if path == machine.excel_settings:
            lines.append(_without_our_settings(machine))
        elif not path.exists():
            lines.append(f"{path} was gone already")
        elif hashlib.sha256(path.read_bytes()).hexdigest() != digest:
            lines.append(f"Kept {path}: it was changed after it was installed")
        else:
            _remove(path)
            lines.append(f"Removed {path}")
        _note(machine, name, None)
    machine.receipt.unlink(missing_ok=True)
    if machine.own_folder.is_dir() and not any(machine.own_folder.iterdir()):
        machine.own_folder.rmdir()
    return lines


def apple_script() -> Path:
    """Return the AppleScript of the installed xlwings; `xlwings runpython install` copies the same file."""
    return ribbon.template().with_name(f"xlwings-{ribbon.xlwings_version()}.applescript")


def read_receipt(machine: Machine) -> dict[str, str]:
    """Return the files of install: paths with the sha256 of their content."""
    try:
        digests = json.loads(machine.receipt.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise InstallError(f"{machine.receipt}: cannot be read ({error}). Remove it and install again.") from error
    return {str(name): str(digest) for name, digest in digests.items()}


def read_conf(machine: Machine) -> dict[str, str]:
    """Return the settings of the add-in by name, as VBA's `Input #` reads them: two quoted texts a line."""
    path = machine.excel_settings
    if not path.is_file():
        return {}
    try:
        rows = list(csv.reader(io.StringIO(path.read_bytes().decode(_conf_encoding(machine)))))
    except (UnicodeDecodeError, csv.Error) as error:
        raise InstallError(f"{path}: cannot be read ({error}). Remove it and install again.") from error
    if short := [row for row in rows if row and len(row) != 2]:
        raise InstallError(f'{path}: expected lines of "NAME","VALUE", found {short[0]}. Remove it and install again.')
    return {row[0]: row[1] for row in rows if row}


def expanded(machine: Machine, stored: str) -> str:
    """Return a stored path as the VBA expands it."""
    prefix = "%USERPROFILE%" if machine.system == WINDOWS else "$HOME"
    return stored.replace(prefix, str(machine.home), 1) if stored.startswith(prefix) else stored


def _stored_path(machine: Machine, path: str) -> str:
    """Return a path for the conf, with a variable for the home folder, so that a name like Jörg is not in it.

    Raises InstallError for characters that VBA, cmd.exe or AppleScript would change.
    """
    windows = machine.system == WINDOWS
    home, separator = str(machine.home), "\\" if windows else "/"
    below = path.startswith(home + separator) or path.startswith(home + "/")
    stored = path.removeprefix(home) if below else path
    unsafe = [character for character in ('"%;^' if windows else "\"$`\\;| '") if character in stored]
    if unsafe or not stored.isascii():
        held = f"the character {unsafe[0]!r}" if unsafe else "letters outside ASCII"
        owner = "Python" if path == machine.python else "the project"
        raise InstallError(
            f"{path}: the path of {owner} holds {held}, which Excel cannot hand on. Make the environment in a folder "
            "with a plain name."
        )
    return (("%USERPROFILE%" if windows else "$HOME") if below else "") + stored


OUR_KEYS = ("INTERPRETER_WIN", "INTERPRETER_MAC", "PYTHONPATH")


def _conf(settings: Mapping[str, str], machine: Machine) -> bytes:
    lines = "".join(f'"{name}","{value}"\r\n' for name, value in settings.items())
    return lines.encode(_conf_encoding(machine))


def _conf_encoding(machine: Machine) -> str:
    """Return the code page in which VBA reads files; ours is ASCII, a user's own lines may not be."""
    return "cp1252" if machine.system == WINDOWS else "mac_roman"


def _without_our_settings(machine: Machine) -> str:
    path = machine.excel_settings
    rest = {name: value for name, value in read_conf(machine).items() if name not in OUR_KEYS}
    if rest:
        write_atomically(path, _conf(rest, machine))
        return f"Kept {path} with the settings that install did not write: {', '.join(rest)}"
    _remove(path)
    return f"Removed {path}"


def _unopkg(machine: Machine) -> str:
    program = machine.unopkg()
    if program is None:
        raise InstallError("LibreOffice (unopkg) was not found. Install LibreOffice Calc, or put its folder into PATH.")
    return program


def _run(arguments: Sequence[str]) -> None:
    try:
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=UNOPKG_S)
    except subprocess.TimeoutExpired:
        raise InstallError(f"unopkg took more than {UNOPKG_S} s. Close LibreOffice and run again.") from None
    if done.returncode:
        message = " ".join((done.stderr + done.stdout).split())
        raise InstallError(f"unopkg ended with {done.returncode}: {message} Close LibreOffice and run again.")


def _check_folder(path: Path) -> None:
    """Raise InstallError if no file can be made beside a path, whose folder need not exist yet."""
    folder = next(each for each in path.parents if each.exists())
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        why = error.strerror or str(error)
        raise InstallError(f"{folder}: no file can be made there ({why}). Let your user write into it.") from error


def _write(machine: Machine, path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, data)
    except (PackageError, OSError) as error:
        raise InstallError(
            f"{path}: cannot be written ({error}). Close Excel and LibreOffice and run again."
        ) from error
    _note(machine, str(path), hashlib.sha256(data).hexdigest())


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise InstallError(f"{path}: cannot be removed ({error}). Close Excel and run again.") from error


def _note(machine: Machine, name: str, value: str | None) -> None:
    """Note a file in the receipt, or its removal."""
    receipt = {key: noted for key, noted in read_receipt(machine).items() if key != name}
    if value is not None:
        receipt[name] = value
    machine.own_folder.mkdir(parents=True, exist_ok=True)
    write_atomically(machine.receipt, json.dumps(receipt, indent=2).encode())


def _made(machine: Machine, path: Path) -> bool:
    return str(path) in read_receipt(machine)
