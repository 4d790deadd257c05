"""The module with which xlwings drives Excel on macOS, on any system: over stand-ins for appscript.

An event goes from a Command to a schedule, which answers or refuses it with a number, as appscript's Command does.
"""

from __future__ import annotations

import importlib
import sys
import types
from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any, ClassVar
from unittest import mock

Schedule = Callable[[str], int | None]
EVENTS = ("get", "set", "count", "exists", "activate", "delete", "make", "close")


class CommandError(Exception):
    """appscript.reference.CommandError: `errornumber` is the number of the operating system."""

    def __init__(self, number: int) -> None:
        super().__init__(f"OSERROR: {number}")
        self.errornumber = number


class Command:
    """An event about to be sent, appscript.reference.Command."""

    sent: ClassVar[list[str]] = []
    schedule: ClassVar[Schedule]

    def __init__(self, reference: Reference, name: str) -> None:
        self.AS_appdata, self.AS_name, self._reference = reference.AS_appdata, name, reference

    def __call__(self, *arguments: Any, **_: Any) -> Any:
        Command.sent.append(self.AS_name)
        if (number := Command.schedule(self.AS_name)) is not None:
            raise CommandError(number)
        held = self._reference.held
        if self.AS_name == "set":
            (held[self._reference.place],) = arguments
        return held.get(self._reference.place)


class Reference:
    """An object of an application: its members are objects, its events are commands."""

    def __init__(self, constructor: str, held: dict[str, Any], place: str = "") -> None:
        self.AS_appdata, self.held, self.place = SimpleNamespace(constructor=constructor), held, place

    def __getattr__(self, name: str) -> Any:
        return Command(self, name) if name in EVENTS else Reference(self.AS_appdata.constructor, self.held, name)


class _Words:
    """The words of the application's language, appscript.k."""

    def __getattr__(self, name: str) -> str:
        return name


@cache
def mac() -> Any:
    """Return the module with which xlwings drives Excel on macOS, imported over stand-ins for appscript."""
    reference = types.ModuleType("appscript.reference")
    reference.__dict__.update(Command=Command, CommandError=CommandError, Reference=Reference)
    appscript = types.ModuleType("appscript")
    appscript.__dict__.update(reference=reference, its=None, k=_Words(), mactypes=None, app=None)
    modules: dict[str, Any] = {"appscript": appscript, "appscript.reference": reference}
    modules |= dict.fromkeys(("aem", "osax", "psutil"), SimpleNamespace())
    with mock.patch.dict(sys.modules, modules), mock.patch("atexit.register", lambda function: function):
        module = importlib.import_module("xlwings._xlmac")
    sys.modules.pop(module.__name__, None)
    return module
