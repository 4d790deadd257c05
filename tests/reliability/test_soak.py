"""What the soak says of a command is of that command."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from addin.running import launch
from tests import soak


def test_a_command_whose_process_has_the_number_of_an_earlier_one_is_not_taken_for_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Numbers come back after 32,768; the soak went on while the command ran, and the next one was rightly refused."""
    earlier, new = (SimpleNamespace(pid=7, poll=lambda code=code: code, returncode=code) for code in (-9, 0))
    monkeypatch.setattr(launch, "_STARTED", [earlier, new])
    monkeypatch.setattr(launch, "start", lambda *arguments: new.pid)
    assert soak._run("explain", SimpleNamespace(name="one.xlsx"), "pipe", None) == 0  # type: ignore[arg-type]
