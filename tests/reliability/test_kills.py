"""Ten kills of every command that writes; `python -m tests.reliability.kills 300` runs many."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "fork"), reason="children without a start: POSIX")]
ROOT = Path(__file__).parents[2]
COUNT = 10
IN_PLACE = """
import time
from addin.xlsx import package
from tests.reliability import kills

def in_place(path, data, *, new=False):  # as a plain write does, on a slow disk
    for at in range(0, len(data), 1024):
        with open(path, "ab" if at else "wb") as stream:
            stream.write(data[at:at + 1024])
        time.sleep(0.005)

package.write_atomically = in_place
print("\\n".join(kills.campaign(10, ["explain"])))
"""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=600)


def test_a_kill_loses_nothing_and_leaves_nothing() -> None:
    done = run("-m", "tests.reliability.kills", str(COUNT))
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.endswith("nothing lost and nothing left\n")


def test_a_file_that_is_written_in_place_would_be_caught() -> None:
    assert "small.xlsx cannot be read" in run("-c", IN_PLACE).stdout
