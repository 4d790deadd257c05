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
from com.sun.star.task import XJob

NAME = "vdi-sizing.Conversation"
PACKAGE = "addin"
_IMPORTING = threading.Lock()


class Inside(unohelper.Base, XJob):  # type: ignore[misc]
    """A conversation as a component of the office."""

    def __init__(self, context: Any, private: bool) -> None:
        self._conversation = _imported().Conversation(context, private)

    def execute(self, arguments: Any) -> Any:
        """Answer the pickled request that is the one argument; without one, end the conversation."""
        if not arguments:
            return self._conversation.leave()
        return uno.ByteSequence(self._conversation.answer(arguments[0].Value.value))


def _imported() -> Any:
    """Return `uno_conversation` as it is on the disk now; what the office itself has imported stays."""
    folder = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    with _IMPORTING:
        theirs = _taken_out()
        sys.path.insert(0, folder)
        try:
            from addin.engines import uno_conversation
        finally:
            sys.path.remove(folder)
            _taken_out()
            sys.modules.update(theirs)
    return uno_conversation


def _taken_out() -> dict[str, Any]:
    names = [name for name in sys.modules if name == PACKAGE or name.startswith(PACKAGE + ".")]
    return {name: sys.modules.pop(name) for name in names}


g_ImplementationHelper = unohelper.ImplementationHelper()
g_ImplementationHelper.addImplementation(Inside, NAME, ("com.sun.star.task.Job",))
