"""The table of results shown: every key is a result of the workbook, every command counts its own from 1."""

from pathlib import Path

import pytest

from addin.sizing import result_keys
from addin.workbook.book import open_book


@pytest.mark.slow
def test_every_key_is_a_result_of_the_workbook(original: Path) -> None:
    _, *rows = (line.split() for line in result_keys._POSITIONS.strip().splitlines())
    keys = [row[0] for row in rows]
    assert len(keys) == len(set(keys))
    assert set(keys) <= set(open_book(original).results)


def test_every_command_counts_from_one_without_a_gap() -> None:
    head, *rows = (line.split() for line in result_keys._POSITIONS.strip().splitlines())
    for column in range(1, len(head)):
        positions = sorted(int(row[column]) for row in rows if row[column] != "-")
        assert positions == list(range(1, len(positions) + 1)), head[column]
