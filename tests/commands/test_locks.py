"""The lock of a document leaves no file, and one that was given back is never taken for a new one."""

from __future__ import annotations

from typing import IO

import pytest

from addin.running import runfile
from tests.commands.test_launch import own_folder

__all__ = ["own_folder"]


def test_a_document_is_worked_on_by_one_command_at_a_time_and_its_lock_leaves_no_file() -> None:
    first, second, third = (runfile.DocumentLock("libreoffice", "/offer.xlsx") for _ in range(3))
    assert first.take("simulate") is None
    assert second.take("seek") == "simulate"
    first.free()
    assert second.take("seek") is None
    assert third.take("audit") == "seek", "a lock that was given back is not taken for the new one"
    second.free()
    assert list(runfile.folder().glob("*.lock")) == []


def test_a_lock_that_was_given_back_while_another_command_reached_for_it_is_taken_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Between opening the file and locking it the last holder may have removed it: nobody else would see that lock."""
    first, second, third = (runfile.DocumentLock("libreoffice", "/offer.xlsx") for _ in range(3))
    assert first.take("simulate") is None
    lock, waiting = runfile._lock, [first]

    def given_back(file: IO[str]) -> bool:
        if waiting:
            waiting.pop().free()
        return lock(file)

    monkeypatch.setattr(runfile, "_lock", given_back)
    assert second.take("seek") is None
    assert third.take("audit") == "seek"
    second.free()
