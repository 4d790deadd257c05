"""How many desktops of each type the estate has: all of what is typed counts, or the file is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from addin.errors import RequestError
from addin.measured.types import read
from tests.support.pilots import write


@pytest.mark.parametrize("blank", ["", " "])
def test_a_type_without_a_number_beside_others_with_one_is_refused(tmp_path: Path, blank: str) -> None:
    """900 and 100 were typed: as shares of the pilots they would be other numbers."""
    rows = f"desktop,type,desktops\nT-*,task,900\nP-*,power,{blank}\n*,other,100\n"
    with pytest.raises(RequestError) as error:
        read(write(tmp_path / "types.csv", rows))
    assert str(error.value) == (
        "types.csv:3, column 'desktops': 'power' has no number of desktops, 'task' has one. Expected a whole number, "
        "1 to 100,000, for each type: type it, or empty the whole column"
    )


def test_one_row_of_a_type_with_a_number_is_enough_and_so_is_no_number_at_all(tmp_path: Path) -> None:
    rows = "desktop,type,desktops\nA-*,task,\nB-*,task,900\n*,power,100\n"
    assert read(write(tmp_path / "types.csv", rows)).counts == {"task": 900, "power": 100}
    assert read(write(tmp_path / "types.csv", "desktop,type,desktops\nA-*,task,\n*,power,\n")).counts == {}
