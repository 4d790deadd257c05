"""What docs/shell.md shows is what the program prints on the shipped workbook."""

import re
from pathlib import Path

import pytest

from tests.support import shipped
from tests.support.shell import Run

SHELL = Path(__file__).parents[2] / "docs" / "shell.md"
SIMULATE = ("simulate", "--trials", "65536", "--seed", "1")
SHOWN: dict[str, tuple[tuple[str, ...], ...]] = {  # how the output of each block begins, and what prints it
    "Result ": (("size", "--set", "desktops=2200"), SIMULATE),
    "3 arrays because ": (("explain", "arrays_required"),),
    "array ": (("compare", "--set", "desktops=2200"),),
    "desktops ": (("seek", "--vary", "desktops", "--target", "arrays_required=3"),),
}


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shipped.write(tmp_path_factory.mktemp("readme"))


@pytest.mark.slow
def test_every_line_of_output_in_the_document_is_printed(run: Run, book: Path) -> None:
    blocks = re.findall(r"```text\n(.*?)```", SHELL.read_text(encoding="utf-8"), flags=re.DOTALL)
    unseen = dict(SHOWN)
    for block in blocks:
        lines = block.splitlines()
        start, begin = next((at, each) for at, line in enumerate(lines) for each in unseen if line.startswith(each))
        printed: set[str] = set()
        for name, *options in unseen.pop(begin):
            code, out, err = run(name, book, *options)
            assert (code, err) == (0, "")
            printed.update(out.splitlines())
        assert [line for line in lines[start:] if line not in ("...", "") and line not in printed] == [], begin
    assert unseen == {}
