"""The examples of docs/measure.md run as they are printed, in their order, on files of the names that they have."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from addin.measured import found, generic, rates, types
from addin.measured.records import Options
from addin.workbook.book import open_book
from tests.measured.test_inventories import INFO, MACHINES, workbook
from tests.support import pilots
from tests.support.pilots import write
from tests.support.shell import Run

PAGE = Path(__file__).parents[2] / "docs" / "measure.md"
BLOCKS = re.findall(r"```(sh|text)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
COMMANDS = [
    line
    for kind, block in BLOCKS
    if kind == "sh"
    for line in block.replace("\\\n", " ").splitlines()
    if line.startswith("python -m addin ")
]
TEXTS = [block for kind, block in BLOCKS if kind == "text"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files that the examples name."""
    for name in ("pilots", "after", "fio"):
        (tmp_path / name).mkdir()
    pilots.generic(tmp_path / "pilots" / "a.csv", pilots.pilots(count=12, days=9))
    pilots.generic(tmp_path / "after" / "a.csv", pilots.pilots(count=12, days=9))
    workbook(tmp_path / "rvtools.xlsx", {"vInfo": [INFO, *MACHINES]})
    for at, (iops, ms) in enumerate(((50_000, 0.25), (200_000, 0.5))):
        pilots.fio(tmp_path / "fio" / f"{at}.json", iops, 0.7, ms)
    write(tmp_path / "types.csv", next(text for text in TEXTS if text.startswith("desktop,type")))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_every_command_of_the_page_runs_one_after_the_other(run: Run, original: Path, folder: Path) -> None:
    assert [shlex.split(line)[3] for line in COMMANDS] == ["measure", "measure-array", "measure"]
    for line in COMMANDS:
        words = [str(original) if word == "BOOK" else word for word in shlex.split(line)[3:]]
        code, out, err = run(*words)
        assert (code, err) == (0, ""), line
        new = words[words.index("--save") + 1]
        assert f"Written into My {'array' if words[0] == 'measure-array' else 'profile'} 1 of {new}" in out
        assert open_book(folder / new).results


def test_every_file_of_the_page_is_one_that_is_read(tmp_path: Path) -> None:
    sample, kinds = (next(text for text in TEXTS if text.startswith(head)) for head in ("time,", "desktop,type"))
    assert found.found(write(tmp_path / "a.csv", sample), Options()).kind == found.GENERIC
    assert sample.splitlines()[0].split(",") == [generic.TIME, generic.DESKTOP, *rates.RATES]
    read = types.read(write(tmp_path / "t.csv", kinds))
    assert (read.of("VDI-TASK-1"), read.of("X"), dict(read.counts)) == ("task", "power", {"task": 900, "power": 100})


def test_the_table_of_files_has_every_kind() -> None:
    """Each kind that is found has a row, and the row says whether real files were tried."""
    rows = [line.split("|")[1:-1] for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    table = {cells[0].strip(): cells[-1].strip() for cells in rows if len(cells) == 4}
    for kind, title in found.TITLES.items():
        word = title.split()[0].removesuffix(",")
        named = [tried for tool, tried in table.items() if word.casefold() in tool.casefold()]
        assert named, kind
        assert all(re.match(r"yes|no$|made by the tests", tried) for tried in named), kind
