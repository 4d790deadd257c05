"""Hold workbooks against the schemas of ECMA-376, the nearest thing to Excel's "the file is corrupt" without Excel.

    mvn -q -f tests/judges/pom.xml dependency:copy-dependencies -DoutputDirectory=DIR
    python -m tests.judges.schema --packages DIR [--also BOOK ...]
    python -m tests.judges.schema --packages DIR BOOK ...

Without a BOOK: the shipped files, and what every command that writes a workbook makes of the shipped one, of its copy
that LibreOffice saved, and of each that `--also` names. A command that refuses one must not write; it is counted. Each
file is opened by LibreOffice and Gnumeric, too, and must have its cells there.
"""

import argparse
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree

from addin.buttons import COMMANDS
from addin.engines.office import application
from addin.results.handoff import VALUES
from addin.shell.main import main as shell
from addin.workbook.book import open_book
from addin.workbook.digests import digest
from addin.xlsx.package import read_parts
from addin.xlsx.parts import MAIN
from addin.xlsx.workbook_part import sheet_parts
from tests.judges import names
from tests.support import gnumeric
from tests.support import opened as in_engines

HERE = Path(__file__).parent
TEMPLATES = HERE.parents[1] / "templates"
SHIPPED = TEMPLATES / "vdi-storage-sizing.xlsx"
OFFICE, TOGETHER = "saved by LibreOffice", "every sheet, twice"
AT_ONCE = 5  # workbooks in one run of LibreOffice
_M = f"{{{MAIN}}}"
_SHEETS = [name for name, button in COMMANDS.items() if button.sheet]
_OPTIONS: dict[str, tuple[str, ...]] = {
    "scenarios": ("--vary", "desktops"),
    "seek": ("--vary", "desktops", "--target", "arrays_required=2"),
    "simulate": ("--trials", "1024"),
    "sensitivity": ("--trials", "1024"),
    "explain": ("arrays_required",),
}


def commanded(source: Path, folder: Path) -> tuple[list[Path], list[str]]:
    """Run every command that writes a workbook on a copy of one; return the files, and what was refused in one line.

    Raises AssertionError where a command that refuses has written, or was stopped by an internal error.
    """
    folder.mkdir()
    made, refused = list[Path](), list[str]()
    for name, target, words in _runs(source, folder):
        before = target.read_bytes() if target.exists() else None
        said = io.StringIO()
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
            code = shell([str(word) for word in words])
        if code in (0, 1):
            made.append(target)
            continue
        after = target.read_bytes() if target.exists() else None
        assert after == before, f"{name} of {source.name} refuses and has written: {said.getvalue()}"
        assert "an internal error" not in said.getvalue(), f"{name} of {source.name}: {said.getvalue()}"
        refused.append(f"{name} of {source.name}: {said.getvalue().strip()}")
    return list(dict.fromkeys(made)), refused


def _runs(source: Path, folder: Path) -> Iterator[tuple[str, Path, tuple[object, ...]]]:
    """Yield the name of each run, the file that it writes, and its words; one may read what another has written."""
    changes, applied = folder / "changes.json", folder / "applied.xlsx"
    changes.write_text(json.dumps({"workbook digest": digest(open_book(source).cells), "inputs": {"desktops": 2200}}))
    yield "apply --save", applied, ("apply", source, changes, "--save", applied)
    newer = applied if applied.exists() else source
    every = _copy(newer, folder / f"{TOGETHER}.xlsx")
    for name in _SHEETS:
        yield name, (path := _copy(newer, folder / f"{name}.xlsx")), _sheet(name, source, path)
    for name in (*_SHEETS, *_SHEETS):
        yield f"{name} beside the others", every, _sheet(name, source, every)
    saved, changed = folder / "saved simulate.xlsx", folder / "saved diff.xlsx"
    yield "simulate --save", saved, ("simulate", source, *_OPTIONS["simulate"], "--save", saved)
    yield "diff --save", changed, ("diff", source, newer, "--save", changed)
    for name, words in (("without prices", ()), ("with prices", ("--with-prices",))):
        (home := folder / name).mkdir()
        book = _copy(newer, home / source.name)
        yield f"handoff {name}", home / f"{source.stem} hand-off" / VALUES, ("handoff", book, *words)


def _sheet(name: str, older: Path, path: Path) -> tuple[object, ...]:
    words = {"diff": (older, path), "measure": (path, in_engines.measured(), "--hours", "08:00-18:00")}.get(
        name, (path,)
    )
    return (name, *words, *_OPTIONS.get(name, ()), "--sheet")


def _copy(source: Path, target: Path) -> Path:
    target.write_bytes(source.read_bytes())
    return target


def judged(paths: Sequence[Path], packages: Path) -> list[tuple[str, str, str, str]]:
    """Return file, part, "valid", "invalid" or "no schema", and the first error of every XML part."""
    command = ["java", "-cp", f"{packages.resolve()}/*", str(HERE / "Validate.java"), *map(str, paths)]
    printed = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
    rows = (line.split("\t") for line in printed.splitlines())
    return [(row[0], row[1], row[2], row[3]) for row in rows if len(row) == 4]  # the rest is a logger's


def opened(paths: Sequence[Path], folder: Path) -> list[str]:
    """Return the workbooks that lose cells in LibreOffice or Gnumeric, with how many."""
    lost = []
    (copies := folder / "copies").mkdir()
    numbered = {_copy(path, copies / f"{number}.xlsx"): path for number, path in enumerate(paths)}
    for start in range(0, len(paths), AT_ONCE):
        some = list(numbered)[start : start + AT_ONCE]
        by_office = application.convert(some, folder / "LibreOffice", application.XLSX)
        for copy, in_office in zip(some, by_office, strict=True):
            own, (in_gnumeric,) = _filled(copy), gnumeric.converted([copy], folder / "Gnumeric")
            for program, found in (("Gnumeric", _filled(in_gnumeric)), ("LibreOffice", _filled(in_office))):
                if own - found:
                    lost.append(f"{_label(numbered[copy])}: {program} has {len(own - found)} of {len(own)} cells less")
    return lost


def _filled(path: Path) -> set[tuple[str, str]]:
    """Return the cells of a workbook that show something, by sheet and reference."""
    parts = read_parts(path)
    return {
        (title, cell.get("r", ""))
        for title, part in sheet_parts(parts).items()
        for cell in ElementTree.fromstring(parts[part]).iter(f"{_M}c")
        if cell.findtext(f"{_M}v") or cell.find(f"{_M}is") is not None
    }


def _label(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def main() -> int:
    """Print what is not valid and the sums; exit 1 where a part is not valid or an application loses cells."""
    parser = argparse.ArgumentParser(prog="python -m tests.judges.schema", description=__doc__.splitlines()[0])
    parser.add_argument("books", nargs="*", type=Path)
    parser.add_argument("--packages", type=Path, required=True, help="the folder that mvn filled")
    parser.add_argument("--also", nargs="*", type=Path, default=[], help="run the commands on these, too")
    asked = parser.parse_args()
    os.environ["VDI_BROWSER"] = ""  # a hand-off is judged by its workbook: no browser prints it
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        books, refused = (asked.books, []) if asked.books else _everything(asked.also, folder)
        wrong = [f"{_label(book)}: {line}" for book in books for line in names.faults(read_parts(book))]
        rows = judged(books if asked.books else [*books, TEMPLATES / "vdi-sizing.xlam"], asked.packages)
        lost = opened(books, folder)
    for path, part, verdict, error in rows:
        if verdict == "invalid":
            print(f"{_label(Path(path))} {part}: {error}")
    for line in (*wrong, *lost, *refused):
        print(line)
    sums = Counter(row[2] for row in rows)
    print(
        f"{len(books):,} workbooks, {len(refused):,} runs refused: {sums['invalid']:,} of "
        f"{sums['invalid'] + sums['valid']:,} parts invalid, {len(lost):,} lose cells, "
        f"{len(wrong):,} faults of names or parts"
    )
    return int(bool(sums["invalid"] or lost or wrong or not sums["valid"]))


def _everything(also: Sequence[Path], folder: Path) -> tuple[list[Path], list[str]]:
    """Return the shipped workbook, LibreOffice's copy, and what commands make of these and others; what they refuse."""
    (source := folder / "source").mkdir()
    copy = _copy(SHIPPED, source / f"{OFFICE}.xlsx")
    (office,) = application.convert([copy], folder / "office", application.XLSX)
    books, refused = [SHIPPED, office], list[str]()
    for book in (SHIPPED, office, *also):
        made, lines = commanded(book, folder / book.stem)
        books, refused = [*books, *made], [*refused, *lines]
    return books, refused


if __name__ == "__main__":
    sys.exit(main())
