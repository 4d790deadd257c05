"""The module with which xlwings drives Excel on Windows, on any system: over stand-ins for pywin32 and Windows."""

from __future__ import annotations

import ctypes
import importlib
import sys
import types
from functools import cache
from types import SimpleNamespace
from typing import Any
from unittest import mock

HWND, PID = 7, 4711
running: list[Any] = []  # the application that is found, as an object of COM


class ComError(Exception):
    """pywintypes.com_error: `hresult`, a text, what Excel says of it (its code last), the argument."""

    def __init__(self, number: int, told: tuple[Any, ...] | None = None) -> None:
        super().__init__(number, f"code {number & 0xFFFFFFFF:#x}", told, None)
        self.hresult, self.strerror, self.excepinfo, self.argerror = self.args


class CDispatch:
    """What isinstance of xlwings looks for."""


class _OtherDispatch:
    """The kinds of objects that pywin32 makes from type libraries; the fake has none."""


@cache
def windows() -> Any:
    """Return the module with which xlwings drives Excel on Windows, imported over stand-ins for pywin32."""
    shared = SimpleNamespace(
        CoInitialize=lambda: None,
        ole_error=ComError,
        com_error=ComError,
        error=OSError,
        TimeType=_OtherDispatch,
        IID=str,
        __file__="",
        FindWindowEx=lambda *_: HWND,
        GetWindowThreadProcessId=lambda _: (0, PID),
        MB_OK=0,
    )
    names = ("pywintypes", "pythoncom", "win32api", "win32con", "win32gui", "win32process", "win32timezone")
    modules: dict[str, Any] = dict.fromkeys(names, shared)
    client = types.ModuleType("win32com.client")
    client.__dict__.update(
        CDispatch=CDispatch,
        CoClassBaseClass=_OtherDispatch,
        DispatchBaseClass=_OtherDispatch,
        Dispatch=lambda _: running[-1],
        DispatchEx=None,
    )
    modules |= {"win32com": SimpleNamespace(client=client), "win32com.client": client}
    user = SimpleNamespace(
        GetTopWindow=lambda _: HWND,
        GetWindow=lambda *_: 0,
        GetForegroundWindow=lambda: HWND,
        SetForegroundWindow=lambda _: None,
    )
    ole = SimpleNamespace(
        ole32=SimpleNamespace(CLSIDFromString=lambda *_: 0),
        oleacc=SimpleNamespace(AccessibleObjectFromWindow=lambda *_: 0),
    )
    found = SimpleNamespace(PyCom_PyObjectFromIUnknown=lambda *_: None)
    with (
        mock.patch.dict(sys.modules, modules),
        mock.patch.object(ctypes, "windll", SimpleNamespace(user32=user), create=True),
        mock.patch.object(ctypes, "oledll", ole, create=True),
        mock.patch.object(ctypes, "PyDLL", return_value=found),
        mock.patch("atexit.register", lambda function: function),  # it would look for Excels that hang
    ):
        module = importlib.import_module("xlwings._xlwindows")
    sys.modules[module.__name__] = module  # which the patch has taken out again
    return module
