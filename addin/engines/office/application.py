"""LibreOffice without a window: convert and recalculate saved workbooks in a private office.

The profile is temporary, so that an open office is not disturbed, and makes the office recalculate on loading:
otherwise it would trust the cached values that it is to check.
"""

import hashlib
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from addin.errors import AddinError

TIMEOUT_S = 180
SOCKETS = Path("/tmp")  # every office puts them there, with any TMPDIR

# Always recalculate xlsx; no lock files (a killed office leaves them behind); no wizard, no update check, no recovery.
SETTINGS = (
    ("org.openoffice.Office.Calc/Formula/Load", "OOXMLRecalcMode", "0"),
    ("org.openoffice.Office.Common/Misc", "UseLocking", "false"),
    ("org.openoffice.Office.Common/Misc", "FirstRun", "false"),
    ("org.openoffice.Setup/Office", "ooSetupInstCompleted", "true"),
    ("org.openoffice.Office.Recovery/RecoveryInfo", "Enabled", "false"),
)
_PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
{items}
</oor:items>
"""
_ITEM = '<item oor:path="/{path}"><prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>'
XLSX, PDF = "xlsx:Calc MS Excel 2007 XML", "pdf:calc_pdf_Export"


class OfficeError(AddinError):
    """LibreOffice is missing, has failed or is taking too long."""


def installed() -> str | None:
    """Return the command that starts LibreOffice, None when it is not installed."""
    return shutil.which("soffice") or shutil.which("libreoffice")


def convert(paths: Sequence[Path], out: Path, target: str) -> list[Path]:
    """Convert workbooks in one run of the office and return the files in `out`, in the same order.

    Raises OfficeError if LibreOffice is missing, fails, takes more than 180 s or omits a file.
    """
    command = installed()
    if command is None:
        raise OfficeError("LibreOffice (soffice) is not installed. Install libreoffice-calc.")
    out.mkdir(parents=True, exist_ok=True)
    copies = [out / f"{path.stem}.{target.partition(':')[0]}" for path in paths]
    for path, copy in zip(paths, copies, strict=True):
        if path.resolve() == copy.resolve():
            raise OfficeError(f"{path} would be overwritten. Name another folder.")
        copy.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix="office-", ignore_cleanup_errors=True) as profile:
        write_profile(Path(profile))
        options = [f"-env:UserInstallation={Path(profile).as_uri()}", "--headless", "--norestore", "--nologo"]
        try:
            arguments = [command, *options, "--convert-to", target, "--outdir", str(out), *map(str, paths)]
            output = run(arguments, own_places(os.environ, Path(profile)))
        finally:
            sweep(Path(profile))
    silent = [copy.name for copy in copies if not copy.is_file()]
    if silent:
        raise OfficeError(
            f"LibreOffice wrote no {', '.join(silent)}; its message: {output.strip()}. Open the file by hand."
        )
    return copies


def write_profile(folder: Path, more: Sequence[tuple[str, str, str]] = ()) -> None:
    """Write the settings of a private office, and `more` of (path, name, value), into a new profile folder."""
    items = "\n".join(_ITEM.format(path=path, name=name, value=value) for path, name, value in (*SETTINGS, *more))
    (folder / "user").mkdir()
    (folder / "user" / "registrymodifications.xcu").write_text(_PROFILE.format(items=items), encoding="utf-8")


def own_places(environment: Mapping[str, str], profile: Path) -> dict[str, str]:
    """Return an environment in which an office keeps its temporary files in its profile, deleted with it."""
    return {**environment, **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(profile))}


def sweep(profile: Path, *pipes: str) -> None:
    """Delete the sockets of a killed office, the only files it leaves outside its profile."""
    if os.name != "posix":
        return
    digest = hashlib.md5(profile.as_uri().encode("utf-16-le"), usedforsecurity=False).digest()
    of_profile = "SingleOfficeIPC_" + "".join(f"{byte:x}" for byte in digest)
    for name in (of_profile, *pipes):
        with suppress(OSError):
            (SOCKETS / f"OSL_PIPE_{os.geteuid()}_{name}").unlink(missing_ok=True)


def run(command: Iterable[str], environment: Mapping[str, str] | None = None) -> str:
    """Run a program and return its output; kill it with its children on a time-out.

    Raises OfficeError on a time-out and on an exit code other than 0.
    """
    arguments = list(command)
    own_group = os.name == "posix"  # so that the children end with the office
    process = subprocess.Popen(
        arguments,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=own_group,
    )
    try:
        output, _ = process.communicate(timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        if own_group:
            os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.communicate()
        raise OfficeError(f"{Path(arguments[0]).name} took more than {TIMEOUT_S} s and was ended.") from None
    if process.returncode:
        raise OfficeError(f"{Path(arguments[0]).name} ended with {process.returncode}: {output.strip()}")
    return output
