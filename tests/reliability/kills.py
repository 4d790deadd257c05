"""Every command that writes, killed at a random moment: what was there stays, or the new file is whole.

    python -m tests.reliability.kills 300

A command runs in a child of this process, so that none waits for Python to start; it is killed with all its own
children. After each kill the workbook and the copy that was to be saved are read back; after the last one the command
runs to its end, and nothing of the killed ones is left, neither beside the workbook nor in the temporary folder.
Prints what was wrong; the exit code is 1 where anything was.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path

import openpyxl

from addin.running import runfile
from addin.shell.main import main
from addin.sizing.result_keys import COMPARE
from addin.workbook.book import open_book
from addin.workbook.digests import digest
from addin.xlsx.package import read_parts
from tests.support import small_workbook

SEED = 20261122
FORMULAS = {**dict.fromkeys(COMPARE, "={x}"), "arrays_required": "=1+INT({x}*3)", "twice": "={x}*2"}
SMALL, OLD, NEW, CHANGES = "small.xlsx", "old.xlsx", "new.xlsx", "changes.json"
COMMANDS: dict[str, tuple[str, ...]] = {
    "scenarios": ("scenarios", SMALL, "--vary", "x", "--sheet"),
    "seek": ("seek", SMALL, "--vary", "x", "--target", "twice=1", "--sheet"),
    "compare": ("compare", SMALL, "--sheet"),
    "simulate": ("simulate", SMALL, "--trials", "64", "--sheet"),
    "sensitivity": ("sensitivity", SMALL, "--trials", "64", "--sheet"),
    "explain": ("explain", SMALL, "twice", "--sheet"),
    "audit": ("audit", SMALL, "--sheet"),
    "diff": ("diff", OLD, SMALL, "--sheet"),
    "simulate --save": ("simulate", SMALL, "--trials", "64", "--save", NEW),
    "diff --save": ("diff", OLD, SMALL, "--save", NEW),
    "apply --save": ("apply", SMALL, CHANGES, "--save", NEW),
    "new": ("new", NEW),
}


def prepared(folder: Path) -> None:
    """Write what the commands work on."""
    for name, factor in ((SMALL, 2), (OLD, 3)):
        path = small_workbook.save(
            folder / name, {"x": small_workbook.UNIFORM}, {**FORMULAS, "twice": f"={{x}}*{factor}"}
        )
        book = openpyxl.load_workbook(path)
        for column, heading in enumerate(("Input", "Unit", "Source", "Base design"), 1):
            for title in ("Inputs", "Sizing"):
                book[title].cell(4, column).value = heading
        arrays = book["Inputs"]["D6"]
        for rule in book["Inputs"].data_validations.dataValidation:
            if arrays.coordinate in rule.sqref:
                rule.type, rule.formula1, arrays.value = "list", '"A,B,C"', "A"
        book.save(path)
    changes = {"workbook digest": digest(open_book(folder / SMALL).cells), "inputs": {"x": 0.7}}
    (folder / CHANGES).write_text(json.dumps(changes), encoding="utf-8")


def killed(name: str, count: int, folder: Path) -> list[str]:
    """Kill a command `count` times in a folder that is prepared and current; return what was wrong."""
    chance, wrong = random.Random(f"{SEED} {name}"), list[str]()
    target = folder / next(word for word in reversed(COMMANDS[name]) if word.endswith(".xlsx"))
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        main(list(COMMANDS[name]))  # what is imported and read now no child imports and reads again
    _restore(folder, before)
    took = _run(name, None)[1]
    for number in range(count):
        _restore(folder, before)
        _run(name, chance.uniform(0, took))
        for path in folder.glob("*.xlsx"):
            if path.read_bytes() != before.get(path.name):
                wrong += [f"{name}, kill {number}: {said}" for said in _faults(path, target)]
        wrong += [f"{name}, kill {number}: {other} is gone" for other in before if not (folder / other).is_file()]
    _restore(folder, before)
    code, _ = _run(name, None)
    if code not in (0, 1):
        wrong.append(f"{name}: ended with {code} after the kills")
    runfile.new_token()  # which forgets the dead, as the next button does
    list(runfile.running())
    places = folder, runfile.folder()
    left = [path for place in places for path in place.iterdir() if path.suffix in (".tmp", ".run", ".lock", ".new")]
    wrong += [f"{name}: left {path}" for path in left]
    _restore(folder, before)
    return wrong


def _restore(folder: Path, before: dict[str, bytes]) -> None:
    """Bring back the files as they were, without what a command wrote; what killed ones left stays."""
    for path in folder.glob("*.xlsx"):
        if path.name not in before:
            path.unlink()
    for name, data in before.items():
        if (path := folder / name).read_bytes() != data:
            path.write_bytes(data)


def _faults(path: Path, target: Path) -> list[str]:
    """Return what is wrong with a file that is not as it was."""
    if path != target:
        return [f"{path.name} was changed"]
    try:
        read_parts(path)
        open_book(path)
    except Exception as error:  # whatever a reader says of half a file
        return [f"{path.name} cannot be read: {type(error).__name__} {error}"]
    return []


def _run(name: str, kill_after: float | None) -> tuple[int, float]:
    """Run a command in a child, killed after some seconds; return its exit code, -9 where killed, and the time."""
    start = time.monotonic()
    child = os.fork()
    if not child:
        os.setsid()
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nowhere, stream)
        code = 70
        with suppress(BaseException):
            code = main(list(COMMANDS[name]))
        os._exit(code)
    if kill_after is not None:
        time.sleep(kill_after)
        with suppress(ProcessLookupError, PermissionError):  # it ended before, or has no group yet
            os.killpg(child, signal.SIGKILL)
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), time.monotonic() - start


def campaign(count: int, names: Sequence[str] = tuple(COMMANDS)) -> list[str]:
    """Kill every command `count` times in folders of their own; return what was wrong."""
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as home:
        os.environ["TMPDIR"], tempfile.tempdir = home, home  # of the commands, too
        (folder := Path(home, "books")).mkdir()
        os.chdir(folder)
        prepared(folder)
        for name in names:
            wrong += killed(name, count, folder)
        os.chdir("/")
    tempfile.tempdir = None
    return wrong


if __name__ == "__main__":
    faults = campaign(int(sys.argv[1]))
    print("\n".join(faults) or f"{int(sys.argv[1]) * len(COMMANDS):,} kills, nothing lost and nothing left")
    sys.exit(int(bool(faults)))
