"""LibreOffice as a judge: recalculate workbooks, print them, look at the pages.

Every call starts a private office with its own profile, so that tests may run side by side and an open office is left
alone. The profile makes it recalculate on loading: otherwise it would believe the cached values it is asked to check.
"""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import openpyxl
import pytest
from openpyxl.workbook import Workbook

TIMEOUT_S = 180

# Always recalculate xlsx; no lock files (a killed office leaves them behind); no wizard, no update check, no recovery.
SETTINGS = (
    ("org.openoffice.Office.Calc/Formula/Load", "OOXMLRecalcMode", "0"),
    ("org.openoffice.Office.Common/Misc", "UseDocumentOOoLockFile", "false"),
    ("org.openoffice.Office.Common/Misc", "FirstRun", "false"),
    ("org.openoffice.Setup/Office", "ooSetupInstCompleted", "true"),
    ("org.openoffice.Office.Recovery/RecoveryInfo", "Enabled", "false"),
)
PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
{items}
</oor:items>
"""
ITEM = '<item oor:path="/{path}"><prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>'


def soffice() -> str:
    """Return the command, or skip the test when LibreOffice is not installed; on CI that is a failure."""
    return _program("soffice", "LibreOffice (soffice)")


def recalculate(paths: Sequence[Path], out: Path) -> dict[Path, Workbook]:
    """Recalculate workbooks in one run of the office and return what it found, as openpyxl workbooks of values.

    The recalculated copies stay in the folder `out`, under their own names, which must differ from each other.
    """
    names = [path.name for path in paths]
    assert len(set(names)) == len(names), f"two workbooks share a name: {sorted(names)}"
    converted = _convert(paths, out, "xlsx:Calc MS Excel 2007 XML")
    return {path: openpyxl.load_workbook(copy, data_only=True) for path, copy in zip(paths, converted, strict=True)}


def to_pdf(path: Path, out: Path) -> Path:
    """Print a workbook to PDF into the folder `out` and return the file."""
    return _convert([path], out, "pdf:calc_pdf_Export")[0]


def pdf_pages_png(pdf: Path, dpi: int = 100) -> list[Path]:
    """Draw every page of a PDF beside it and return the pictures in page order."""
    _run([_program("pdftoppm", "poppler (pdftoppm)"), "-png", "-r", str(dpi), str(pdf), str(pdf.with_suffix(""))])
    return sorted(pdf.parent.glob(f"{pdf.stem}-*.png"))


def pdf_text(pdf: Path) -> list[str]:
    """Return the text of every page, laid out as it is printed."""
    printed = _run([_program("pdftotext", "poppler (pdftotext)"), "-layout", str(pdf), "-"])
    return printed.removesuffix("\f").split("\f")


def _program(command: str, label: str) -> str:
    found = shutil.which(command)
    if found:
        return found
    if os.environ.get("CI", "").lower() == "true":
        pytest.fail(f"{label} is not installed, and on CI its tests must run", pytrace=False)
    pytest.skip(f"{label} is not installed")


def _convert(paths: Sequence[Path], out: Path, target: str) -> list[Path]:
    command = soffice()
    out.mkdir(parents=True, exist_ok=True)
    copies = [out / f"{path.stem}.{target.partition(':')[0]}" for path in paths]
    for path, copy in zip(paths, copies, strict=True):
        assert path.is_file(), f"{path} does not exist"
        assert path.resolve() != copy.resolve(), f"{path} would be overwritten; give another folder"
        copy.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="office-", ignore_cleanup_errors=True) as profile:
        _write_profile(Path(profile))
        options = [f"-env:UserInstallation={Path(profile).as_uri()}", "--headless", "--norestore", "--nologo"]
        said = _run([command, *options, "--convert-to", target, "--outdir", str(out), *map(str, paths)])
    silent = [copy.name for copy in copies if not copy.is_file()]
    assert not silent, f"LibreOffice wrote no {', '.join(silent)}; it said:\n{said}"
    return copies


def _write_profile(profile: Path) -> None:
    items = "\n".join(ITEM.format(path=path, name=name, value=value) for path, name, value in SETTINGS)
    (profile / "user").mkdir()
    (profile / "user" / "registrymodifications.xcu").write_text(PROFILE.format(items=items), encoding="utf-8")


def _run(command: Iterable[str]) -> str:
    """Run a program and return what it said; end its whole family when it takes too long."""
    arguments = list(command)
    process = subprocess.Popen(
        arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    try:
        said, _ = process.communicate(timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        said, _ = process.communicate()
        pytest.fail(f"{Path(arguments[0]).name} took more than {TIMEOUT_S} s and was ended; it said:\n{said}")
    assert process.returncode == 0, f"{Path(arguments[0]).name} ended with {process.returncode}:\n{said}"
    return said
