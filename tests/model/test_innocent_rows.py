"""A fault in a data file accuses its own row, or the heading, and no row that is right.

The expected complaints are worked by hand from the spoilt cell: its file, line and column, and nothing else.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from model.errors import DataError
from model.reading.columns import header
from model.reading.read import DATA, read
from model.reading.records import FILES

pytestmark = pytest.mark.slow
# the records whose rows, or whose figures, other files name
_FILES = (
    "units",
    "sources",
    "facts",
    "facts_elsewhere",
    "phases",
    "inputs",
    "arrays",
    "profile_fields",
    "share_services",
)
NAMED = [record for record, file in FILES.items() if file in _FILES]


@pytest.fixture
def spoil(tmp_path: Path) -> Callable[..., list[str]]:
    """Return a function that changes the first `old` of a file, or its bytes, and returns the complaints."""

    def spoilt(name: str, old: str, new: str | bytes, count: int = 1) -> list[str]:
        folder = Path(shutil.copytree(DATA, tmp_path / "data", dirs_exist_ok=True))
        path = folder / f"{name}.csv"
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{name}.csv no longer has {old!r}"
        before, after = text.split(old, 1)
        if isinstance(new, bytes):
            path.write_bytes(before.encode() + new + after.encode())
        else:
            path.write_text(text.replace(old, new, count), encoding="utf-8")
        try:
            read(folder)
        except DataError as error:
            return str(error).splitlines()
        return []

    return spoilt


def test_a_wrong_fact_accuses_no_price(spoil: Callable[..., list[str]]) -> None:
    """EQL-004 in row 5 of facts.csv prints 3; `3,0` in quotes is no number. No other row is at fault."""
    assert spoil("facts", "capacity,3,0.5,GB", 'capacity,"3,0",0.5,GB') == [
        "model/data/facts.csv:5 (EQL-004): value '3,0' is not a number; write digits with a decimal point."
    ]


@pytest.mark.parametrize("record", NAMED, ids=FILES.get)
def test_a_file_that_cannot_be_read_is_one_line(record: type, spoil: Callable[..., list[str]]) -> None:
    """Headings separated by semicolons: nothing of the file is known, so nothing is said of who names its rows."""
    name, heading = FILES[record], ",".join(header(record))
    assert spoil(name, heading, heading.replace(",", ";")) == [
        f"model/data/{name}.csv:1: the cells are separated by semicolons; separate them by commas: the columns are "
        f"{', '.join(header(record))}."
    ]


def test_two_rows_in_one_line_and_a_blank_line_are_named_as_such(spoil: Callable[..., list[str]]) -> None:
    """A last line without its end, then another file below: 25 cells are two rows of 13, one cell of both joined."""
    assert spoil("inputs", "\nconcurrent_ratio", "concurrent_ratio") == [
        "model/data/inputs.csv:3 (growth_ratio): 25 cells where 13 are expected: two rows in one line; begin the second "
        "on its own."
    ]
    assert spoil("inputs", "\nconcurrent_ratio", "\n\nconcurrent_ratio") == [
        "model/data/inputs.csv:4: the line is blank; delete it."
    ]


def test_an_open_quote_is_one_line(spoil: Callable[..., list[str]]) -> None:
    """The quote before `Users` in row 2 closes at the quotes around the help of the same row: row 2 alone is read as text.

    Which rows follow is not known, so no other file is accused of naming them.
    """
    (line,) = spoil("inputs", ",Users,desktops", ',"Users,desktops')
    assert line.startswith("model/data/inputs.csv:2 (desktops): ")
