"""What the tests of the add-in share: the shipped workbook, built once a process."""

from pathlib import Path

import pytest

from tests.addin import opened


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workbook in a folder and under a name as people choose them; a test that changes it takes a copy."""
    return opened.workbook(tmp_path_factory.mktemp("original"))
