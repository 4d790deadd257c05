"""Whether a cell of a Calc window is being edited.

No interface of the office tells. But the command that switches between insert and overwrite mode is enabled exactly
while a text is being edited, so its state is read here.
"""

from __future__ import annotations

from typing import Any

import uno

_SWITCH = ".uno:InsertMode"


class State:
    """The state of a command of the office, a com.sun.star.frame.XStatusListener."""

    def __init__(self) -> None:
        self.enabled = False

    def getTypes(self) -> tuple[Any, ...]:
        """Return the UNO interfaces of this object."""
        return (uno.getTypeByName("com.sun.star.frame.XStatusListener"),)

    def statusChanged(self, event: Any) -> None:
        """Store the state; the event comes at once, while the listener is added."""
        self.enabled = bool(event.IsEnabled)

    def disposing(self, source: Any) -> None:
        """Do nothing: a closing window has no text."""


def editing(book: Any, transformer: Any) -> bool:
    """Return whether a text is being edited in the window of a workbook; `transformer` is the office's for URLs."""
    frame = book.CurrentController and book.CurrentController.Frame
    if not frame:
        return False
    url = uno.createUnoStruct("com.sun.star.util.URL")
    url.Complete = _SWITCH
    _, url = transformer.parseStrict(url)
    command = frame.queryDispatch(url, "", 0)
    if command is None:
        return False
    state = State()
    command.addStatusListener(state, url)
    command.removeStatusListener(state, url)
    return state.enabled
