"""Workbooks that chance has damaged: every one is computed, or refused in one line with exit 2, and none changes."""

from __future__ import annotations

import io
import random
import re
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from addin.buttons import COMMANDS
from addin.shell.main import main
from addin.xlsx.package import packed, read_parts
from tests.hosts.test_calc_typing import SPEEDS
from tests.support import small_workbook

COUNT = 500  # of each kind
SEED = 20261122
FORMULAS = {"twice": "={x}*2", "share": "=SUM({x},1)/MAX({x},1)", "words": '=IF({x}>1,"many","one")'}
VALUES: tuple[str, ...] = (
    "",
    "0",
    "-1",
    "1E308",
    "1e-320",
    "NaN",
    "#N/A",
    "=",
    "A1",
    "$XFD$1048576",
    "A1:XFD1048576",
    "\u00e4" * 300,
    "true",
)


FOREIGN = re.compile(  # what Python, zipfile, zlib, expat and openpyxl say of themselves: no words for a user
    r"Error -\d|CRC|zip file|magic number|directory '|extra field|<class|NoneType|has no attribute|object (is|has) |"
    r"list index|out of range|invalid literal|could not convert|base 10|codec|not well-formed|undeclare|no element|"
    r"exception|Errno|\b[A-Z][a-z]+Error\b|\('\w+'\)|most probably|\bb'|archive|to unpack|required argument|NaN to"
)


def flipped(data: bytes, chance: random.Random) -> bytes:
    """Return a file with one bit of it turned."""
    changed = bytearray(data)
    changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def cut(data: bytes, chance: random.Random) -> bytes:
    """Return the beginning of a file."""
    return data[: chance.randrange(len(data))]


def misspelt(data: bytes, chance: random.Random) -> bytes:
    """Return a whole package in which one attribute or text of one part is another."""
    return _edited(data, chance, rb'="([^"]*)"|>([^<>]+)<', lambda found: _other(found, chance))


def thinned(data: bytes, chance: random.Random) -> bytes:
    """Return a whole package in which one element without elements in it is gone, or stands twice."""
    return _edited(
        data, chance, rb"<([a-z]\w*)\b[^<>]*(?:/>|>[^<>]*</\1>)", lambda found: found[0] * chance.choice((0, 2))
    )


def _other(found: re.Match[bytes], chance: random.Random) -> bytes:
    value = chance.choice(VALUES).encode()
    return b'="' + value + b'"' if found[1] is not None else b">" + value + b"<"


def _edited(data: bytes, chance: random.Random, pattern: bytes, change: Callable[[re.Match[bytes]], bytes]) -> bytes:
    parts = read_parts(io.BytesIO(data))
    name = chance.choice([name for name in sorted(parts) if re.search(pattern, parts[name])])
    found = chance.choice(list(re.finditer(pattern, parts[name])))
    parts[name] = parts[name][: found.start()] + change(found) + parts[name][found.end() :]
    return packed(parts)


DAMAGES = {
    flipped: "one bit of the file turned",
    cut: "the file cut off",
    misspelt: "one attribute or text of a part replaced",
    thinned: "one element of a part left out, or there twice",
}


def figures() -> str:
    """Return the table of docs/reliability.md; `python -m tests.xlsx.test_fuzz` prints it."""
    held = "computed or refused in one line"
    rows = [(f"workbooks damaged by chance: {what}", COUNT, held) for what in DAMAGES.values()]
    typed = len(SPEEDS) * sum(1 for button in COMMANDS.values() if button.sheet)
    what = "values typed into Calc while a command runs: commands x ways of typing"
    rows.append((what, typed, "every value in its cell"))
    return "".join(f"| {what} | {count:,} | {holds} |\n" for what, count, holds in rows)


def test_the_document_shows_the_figures() -> None:
    document = Path(__file__).parents[2] / "docs" / "reliability.md"
    assert figures() in document.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_workbook_damaged_by_chance_is_computed_or_refused_in_one_line(
    damage: Callable[[bytes, random.Random], bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = small_workbook.save(tmp_path / "whole.xlsx", {"x": small_workbook.UNIFORM}, FORMULAS).read_bytes()
    path, chance, wrong = tmp_path / "damaged.xlsx", random.Random(f"{SEED} {damage.__name__}"), []
    codes: Counter[int] = Counter()
    for number in range(COUNT):
        data = damage(whole, chance)
        path.write_bytes(data)
        code = main(["size", str(path)])
        printed = capsys.readouterr()
        refused = code == 2 and printed.out == "" and printed.err.count("\n") == 1 and printed.err.startswith("error: ")
        in_words = "an internal error" not in printed.err and not FOREIGN.search(printed.err)
        if not (refused or code in (0, 1)) or not in_words or path.read_bytes() != data:
            wrong.append((number, code, printed.err[:300]))
        codes[code] += 1
    assert wrong == []
    if damage in (misspelt, thinned):  # both ends of the road are walked
        assert min(codes[0], codes[2]) > 0


if __name__ == "__main__":
    sys.stdout.write(figures())
