"""A session inside the office's process, in the office's Python (com.sun.star.loader.Python).

From outside, every object of the office costs a millisecond, inside next to nothing: a workbook is read ten times as
fast. The office keeps this module until it ends, so it contains nothing that changes with the add-in: every session
imports the rest again, from the folder of this file, and removes it from the office's Python.
"""

from __future__ import annotations

import os
import sys
import threading
from typing import Any

import uno
import unohelper
from com.sun.star.io import XInputStream, XOutputStream

NAME = "vdi-sizing.Session"
PACKAGE = "addin"
_BEGINNING = threading.Lock()


class OfficeComponent(unohelper.Base, XOutputStream, XInputStream):  # type: ignore[misc]
    """A session as a component of the office: a request is written, then its reply is read.

    Streams of bytes need no introspection, which is not safe on the thread that serves requests from outside.
    """

    def __init__(self, context: Any, private: bool) -> None:
        with _BEGINNING:
            self._session = _imported().MainThreadSession(context, private)
        self._reply = b""

    def writeBytes(self, request: Any) -> None:
        """Execute a pickled request and keep the reply."""
        self._reply = self._session.reply(request.value)

    def readBytes(self, data: Any, most: int) -> tuple[int, Any]:
        """Return the reply whole."""
        return len(self._reply), uno.ByteSequence(self._reply)

    def closeOutput(self) -> None:
        """End the session."""
        self._session.end()


def _imported() -> Any:
    """Return `session` freshly imported from the disk; the office's own modules stay."""
    folder = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
    modules = _taken_out()
    sys.path.insert(0, folder)
    try:
        from addin.engines.office import session
    finally:
        sys.path.remove(folder)
        _taken_out()
        sys.modules.update(modules)
    return session


def _taken_out() -> dict[str, Any]:
    names = [name for name in sys.modules if name == PACKAGE or name.startswith(PACKAGE + ".")]
    return {name: sys.modules.pop(name) for name in names}


g_ImplementationHelper = unohelper.ImplementationHelper()
g_ImplementationHelper.addImplementation(OfficeComponent, NAME, ())
