"""A released workbook is at hand in every copy of the sources, without their history."""

from pathlib import Path

import pytest

from addin.workbook.book import open_book
from tests.support import released


@pytest.mark.parametrize("release", [path.name.removesuffix(".tar.xz") for path in released.FOLDER.iterdir()])
def test_the_workbook_of_a_release_needs_no_history(
    release: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")  # no git
    assert open_book(released.write(release, tmp_path / "old.xlsx")).version == release


def test_every_release_with_marks_is_at_hand() -> None:
    """A release gets both in the same commit."""
    marks = Path(released.__file__).parents[2] / "addin" / "leaving" / "releases"
    assert {path.stem for path in marks.glob("*.marks")} <= {
        p.name.removesuffix(".tar.xz") for p in released.FOLDER.iterdir()
    }
