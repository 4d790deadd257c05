"""A conversation held in the office's own process, by the Python that comes with it (com.sun.star.loader.Python).

From outside every object that the office hands out costs a millisecond, inside next to nothing: a workbook is read ten
times as fast. The office keeps this module until it ends. So nothing is here that changes with the add-in: every
conversation imports the rest afresh, from the folder that this file is in, and leaves no trace in the office's Python.
"""

from __future__ import annotations

import os
import sys
import threading
from typing import Any

import uno
import unohelper
from com.sun.star.io import XInputStream, XOutputStream

NAME = "vdi-sizing.Conversation"
PACKAGE = "addin"
_BEGINNING = threading.Lock()


class Inside(unohelper.Base, XOutputStream, XInputStream):  # type: ignore[misc]
    """A conversation as a component of the office: a request is written, then its answer is read.

    Streams of bytes need no introspection, which is not safe on the thread that serves requests from outside.
    """

    def __init__(self, context: Any, private: bool) -> None:
        with _BEGINNING:
            self._conversation = _imported().OnMainThread(context, private)
        self._answer = b""

    def writeBytes(self, request: Any) -> None:
        """Take a pickled request and find the answer."""
        self._answer = self._conversation.answer(request.value)

    def readBytes(self, answer: Any, most: int) -> tuple[int, Any]:
        """Return the answer whole."""
        return len(self._answer), uno.ByteSequence(self._answer)

    def closeOutput(self) -> None:
        """End the conversation."""
        self._conversation.leave()


def _imported() -> Any:
    """Return `conversation` as it is on the disk now; what the office itself has imported stays."""
    folder = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
    theirs = _taken_out()
    sys.path.insert(0, folder)
    try:
        from addin.engines.office import conversation
    finally:
        sys.path.remove(folder)
        _taken_out()
        sys.modules.update(theirs)
    return conversation


def _taken_out() -> dict[str, Any]:
    names = [name for name in sys.modules if name == PACKAGE or name.startswith(PACKAGE + ".")]
    return {name: sys.modules.pop(name) for name in names}


g_ImplementationHelper = unohelper.ImplementationHelper()
g_ImplementationHelper.addImplementation(Inside, NAME, ())
