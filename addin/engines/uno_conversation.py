"""One conversation with an office: a request in, an answer out, in whichever process it is held.

An answer is a pickled pair (kind, value); a kind other than "ok" is an error and its value the message.
"""

from __future__ import annotations

import pickle
from typing import Any

from addin.engines.uno_calls import Office, Refused
from addin.engines.uno_cells import Cells

PROTOCOL = 4  # of pickle: the oldest Python of an office reads it


class Conversation:
    """The requests are the methods of `uno_calls.Office` and `uno_cells.Cells`."""

    def __init__(self, context: Any, private: bool) -> None:
        self._office = Office(context, private)
        self._cells = Cells(self._office)

    def answer(self, request: bytes) -> bytes:
        """Return the answer to a pickled (method, arguments)."""
        method, arguments = pickle.loads(request)
        return pickle.dumps(self._answer(method, arguments), PROTOCOL)

    def _answer(self, method: str, arguments: tuple[Any, ...]) -> tuple[str, Any]:
        held = self._cells if hasattr(self._cells, method) else self._office
        try:
            return "ok", getattr(held, method)(*arguments)
        except Refused as error:
            return "refused", str(error)
        except Exception as error:  # whatever the office raises: the other side words it
            return ("failed" if self._office.alive() else "closed"), told(error)

    def leave(self) -> None:
        """End the conversation."""
        self._office.leave()


def told(error: Exception) -> str:
    """Return kind and text of an error of the office."""
    return f"{type(error).__name__.rpartition('.')[2]}: {error}"
