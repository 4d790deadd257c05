"""Whether somebody types into a cell of a Calc window at the moment.

No interface of the office says so. But the switch between inserting and overwriting, in the status bar, can be used
while a text is being edited and at no other time; its state is what is asked for here.
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
        """Return the interfaces of the office that this object has."""
        return (uno.getTypeByName("com.sun.star.frame.XStatusListener"),)

    def statusChanged(self, event: Any) -> None:
        """Take the state; it comes at once, while the listener is added."""
        self.enabled = bool(event.IsEnabled)

    def disposing(self, source: Any) -> None:
        """Do nothing: a window that closes has no text any more."""


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
