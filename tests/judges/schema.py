"""Hold workbooks against the schemas of ECMA-376, the nearest thing to Excel's "the file is corrupt" without Excel.

    mvn -q -f tests/judges/pom.xml dependency:copy-dependencies -DoutputDirectory=DIR
    python -m tests.judges.schema --packages DIR [BOOK ...]

Without a BOOK: the shipped files, and a workbook as every command leaves it, as LibreOffice saves it and as a command
leaves that copy. Each is opened by LibreOffice and Gnumeric, too, and must have its cells there.
"""

import argparse
import contextlib
import io
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from addin.shell.main import main as shell
from addin.simulation.montecarlo import digest
from addin.workbook.book import open_book
from tests.support import gnumeric, libreoffice
from tests.support.compare import load_values

HERE = Path(__file__).parent
TEMPLATES = HERE.parents[1] / "templates"
SHIPPED = TEMPLATES / "vdi-storage-sizing.xlsx"
_WITH_SHEET = (
    ("scenarios", "--vary", "desktops"),
    ("seek", "--vary", "desktops", "--target", "arrays_required=2"),
    ("compare",),
    ("simulate", "--trials", "1024"),
    ("sensitivity", "--trials", "1024"),
    ("explain", "arrays_required"),
    ("audit",),
)


def commanded(folder: Path) -> list[Path]:
    """Run every command that writes a workbook on a copy of the shipped one and return the files.

    Raises AssertionError where a command ends with another code than 0, or 1 of those that report findings.
    """
    made = []
    for command, *options in _WITH_SHEET:
        path = _copy(SHIPPED, folder / f"{command}.xlsx")
        _run(command, path, "--sheet", *options)
        made.append(path)
    changes = folder / "changes.json"
    changes.write_text(json.dumps({"workbook digest": digest(open_book(SHIPPED).cells), "inputs": {"desktops": 2200}}))
    _run("simulate", SHIPPED, "--trials", "1024", "--save", folder / "saved risk.xlsx")
    _run("apply", SHIPPED, changes, "--save", folder / "applied.xlsx")
    _run("diff", SHIPPED, folder / "applied.xlsx", "--save", folder / "changes.xlsx")
    (office := folder / "office").mkdir()
    libreoffice.recalculate([_copy(SHIPPED, folder / "from office.xlsx")], office)
    again = _copy(office / "from office.xlsx", folder / "from office, compared.xlsx")
    _run("compare", again, "--sheet")
    saved = [folder / name for name in ("saved risk.xlsx", "applied.xlsx", "changes.xlsx")]
    return [*made, *saved, office / "from office.xlsx", again]


def _copy(source: Path, target: Path) -> Path:
    target.write_bytes(source.read_bytes())
    return target


def _run(*arguments: object) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        code = shell([str(argument) for argument in arguments])
    assert code in (0, 1), f"{arguments}: exit {code}"


def judged(paths: Sequence[Path], packages: Path) -> list[tuple[str, str, str, str]]:
    """Return file, part, "valid", "invalid" or "no schema", and the first error of every XML part."""
    command = ["java", "-cp", f"{packages.resolve()}/*", str(HERE / "Validate.java"), *map(str, paths)]
    printed = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
    rows = (line.split("\t") for line in printed.splitlines())
    return [(row[0], row[1], row[2], row[3]) for row in rows if len(row) == 4]  # the rest is a logger's


def opened(paths: Sequence[Path], folder: Path) -> list[str]:
    """Return the workbooks that lose cells in LibreOffice or Gnumeric, with how many."""
    lost = []
    for number, path in enumerate(paths):
        own = {address for address, value in load_values(path).items() if value is not None}
        copy = _copy(path, folder / f"opened {number}.xlsx")
        theirs = gnumeric.recalculate([copy], folder / "gnumeric")[copy]
        book = libreoffice.recalculate([copy], folder / "libreoffice")[copy]
        cells = {
            (ws.title, cell.coordinate)
            for ws in book
            for row in ws.iter_rows()
            for cell in row
            if cell.value is not None
        }
        for program, found in (("Gnumeric", set(theirs)), ("LibreOffice", cells)):
            if own - found:
                lost.append(f"{path.name}: {program} has {len(own - found)} of {len(own)} cells less")
    return lost


def main() -> int:
    """Print what is not valid and the sum; exit 1 where a part is not valid or an application loses cells."""
    parser = argparse.ArgumentParser(prog="python -m tests.judges.schema", description=__doc__.splitlines()[0])
    parser.add_argument("books", nargs="*", type=Path)
    parser.add_argument("--packages", type=Path, required=True, help="the folder that mvn filled")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        books = asked.books or [SHIPPED, *commanded(folder)]
        rows = judged(books if asked.books else [*books, TEMPLATES / "vdi-sizing.xlam"], asked.packages)
        lost = opened(books, folder)
    for path, part, verdict, error in rows:
        if verdict == "invalid":
            print(f"{Path(path).name} {part}: {error}")
    for line in lost:
        print(line)
    sums = Counter(row[2] for row in rows)
    print(f"{len(books)} workbooks: {sums['invalid']} of {sums['invalid'] + sums['valid']} parts invalid")
    return int(bool(sums["invalid"] or lost or not sums["valid"]))


if __name__ == "__main__":
    sys.exit(main())
