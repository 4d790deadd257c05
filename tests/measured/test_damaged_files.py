"""Files that were damaged on their way: they are read, or refused in one line; nothing else comes out of it."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from openpyxl import Workbook

from addin.measured import fio
from addin.reported import ReportedError
from tests.support import pilots
from tests.support.pilots import measured

SMALL = pilots.pilots(count=2, days=1, begin="08:00", end="09:00")
ODD = (b",", b'"', b"\n", b";", b"\0", b"{", b"-", b"nan", b"1e999", b"\xff", b"null", b"[]", b'""')


def inventory(path: Path, _: object) -> Path:
    """Write an inventory."""
    book = Workbook()
    book.active.title = "vInfo"
    book.active.append(["VM", "Powerstate", "CPUs", "Memory", "Provisioned MiB"])
    book.active.append(["VDI-1", "poweredOn", 2, 4096, 40_960])
    book.save(path)
    return path


def run(path: Path, _: object) -> Path:
    """Write a run of fio."""
    return pilots.fio(path, 64_000, 0.65, 1.0)


WRITERS: tuple[Callable[..., Path], ...] = (
    pilots.generic,
    pilots.wide,
    pilots.perfmon,
    pilots.esxtop,
    pilots.iostat,
    pilots.iostat_json,
    inventory,
    run,
)


def damaged(content: bytes, stream: random.Random) -> bytes:
    """Return a file with some bytes changed, lost, doubled or put in, or cut off."""
    found = bytearray(content)
    for _ in range(stream.choice((1, 1, 2, 5))):
        at = stream.randrange(len(found) + 1)
        way = stream.randrange(5)
        if way == 0:
            del found[at:]
        elif way == 1:
            del found[at : at + stream.randrange(40)]
        elif way == 2:
            found[at:at] = stream.choice(ODD)
        elif way == 3:
            found[at:at] = found[at : at + stream.randrange(200)]
        else:
            found[at : at + 1] = bytes([stream.randrange(256)])
    return bytes(found)


def refusal(write: Callable[..., Path], path: Path) -> str:
    """Return the line in which a file is refused, empty where it is read."""
    try:
        fio.read(path) if write is run else measured([path], settled=True, least_coverage=0.01)
    except ReportedError as error:
        return str(error)
    return ""


@pytest.mark.slow
@pytest.mark.parametrize("write", WRITERS, ids=lambda each: each.__name__)
def test_a_damaged_file_is_read_or_refused_in_one_line(tmp_path: Path, write: Callable[..., Path]) -> None:
    whole = write(tmp_path / "whole.x", SMALL).read_bytes()
    stream, lines = random.Random(29), []
    for number in range(60):
        path = tmp_path / f"{number}.x"
        path.write_bytes(damaged(whole, stream))
        lines.append(refusal(write, path))
    assert not any("\n" in line for line in lines)
    assert sum(map(bool, lines)) > 10
