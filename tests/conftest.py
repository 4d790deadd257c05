"""Settings of every test run, and the workbook that they share."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

os.environ["OPENPYXL_LXML"] = "False"  # before openpyxl is imported: with lxml installed it writes other bytes

from addin.engines.file import package
from addin.kernel import Cells
from model.workbook import Built
from tests.support import flushed, opened, shipped
from tests.support.shell import Run, shell

hypothesis.settings.register_profile("house", derandomize=True, deadline=None)  # same cases on every machine
hypothesis.settings.load_profile("house")


def pytest_configure(config: pytest.Config) -> None:
    """Have `-n` hand out the files in the order below instead of those with most tests first."""
    config.option.loadscopereorder = False


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that start an office, then those with a slow test: no worker is left with one at the end."""
    marked = [{item.path for item in items if item.get_closest_marker(mark)} for mark in ("office", "slow")]
    items.sort(key=lambda item: [item.path not in paths for paths in marked])


def pytest_collection_finish() -> None:
    """Look for cycles of garbage seldom: each search goes through the workbooks that are in use, a tenth of a run."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(500_000, 5, 20)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """Behind the last test of a file leave out of those searches what is kept for the tests of others."""
    yield
    if nextitem is None or nextitem.path != item.path:
        gc.collect()
        gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _flushed() -> Iterator[None]:
    """Have the file engine take what an edit does not reach from the workbook as shipped."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(package, "Computed", flushed.Flushed)
        yield


@pytest.fixture(scope="session")
def built() -> Built:
    """The workbook with the reference design of the papers, without stored results; who changes it builds another."""
    return shipped.reference()


@pytest.fixture(scope="session")
def cells() -> Cells:
    """Its cells, as the kernel reads them."""
    return shipped.reference_cells()


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workbook in a folder and under a name as people choose them; a test that changes it takes a copy."""
    return opened.workbook(tmp_path_factory.mktemp("original"))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """The shell; a test that opens other workbooks has its own."""
    return shell(capsys)
