"""Settings of every test run."""

import os

import hypothesis
import pytest

os.environ["OPENPYXL_LXML"] = "False"  # before openpyxl is imported: with lxml installed it writes other bytes

hypothesis.settings.register_profile("house", derandomize=True, deadline=None)  # same cases on every machine
hypothesis.settings.load_profile("house")


def pytest_configure(config: pytest.Config) -> None:
    """Have `-n` hand out the files in the order below instead of those with most tests first."""
    config.option.loadscopereorder = False


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that hold a slow test, so that no worker is left with one when the others have ended."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)
