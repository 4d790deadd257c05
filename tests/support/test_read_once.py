"""The workbooks that the commands of the tests share: by their bytes, never by their place."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from addin.errors import BookError
from tests.support import shipped
from tests.support.shell import read_once


@pytest.mark.slow
def test_a_copy_shares_what_was_read_and_a_file_with_other_bytes_is_read_again(original: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(original, tmp_path / "copy.xlsx"))
    first, copy = read_once(original), read_once(path)
    assert (first.path, copy.path, copy.stored.path) == (original, path, path)  # type: ignore[attr-defined]
    assert copy.cells is first.cells
    path.write_bytes(shipped.write(tmp_path).read_bytes())
    assert read_once(path).cells is not first.cells
    path.unlink()
    with pytest.raises(BookError, match="there is no such file"):
        read_once(path)
