"""What some tests need and not every machine has: they are skipped without it, and fail on CI, where all must run."""

import importlib.util
import os
import shutil
from typing import NoReturn

import pytest


def program(command: str, label: str) -> str:
    """Return where a program is."""
    return shutil.which(command) or missing(label)


def package(name: str, extra: str) -> None:
    """Go on if a package of an extra can be imported."""
    if importlib.util.find_spec(name) is None:
        missing(name, f" (extra [{extra}])")


def missing(label: str, where: str = "") -> NoReturn:
    """Skip the test, or fail it on CI."""
    if os.environ.get("CI", "").lower() == "true":
        pytest.fail(f"{label} is not installed, and on CI its tests must run", pytrace=False)
    pytest.skip(f"{label} is not installed{where}")
