"""The shell as a test calls it."""

from collections.abc import Callable

import pytest

from addin.shell.main import main

Run = Callable[..., tuple[int, str, str]]


def shell(capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command and returns its exit code, what it printed and its errors."""

    def call(*arguments: object) -> tuple[int, str, str]:
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call
