"""One conversation with an office: a request in, an answer out, in whichever process it is held.

An answer is a pickled pair (kind, value); a kind other than "ok" is an error and its value the message.
"""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

from addin.engines.office import PROTOCOL
from addin.engines.office.calls import Office, Refused, alive
from addin.engines.office.cells import Cells
from addin.engines.office.main_thread import MainThread

if TYPE_CHECKING:
    from collections.abc import Callable


class Conversation:
    """The requests are the methods of `calls.Office` and `cells.Cells`; `main_thread` does a piece of work on that."""

    def __init__(self, context: Any, private: bool, main_thread: Callable[[Callable[[], Any]], Any]) -> None:
        self._office = Office(context, private, main_thread)
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
            return failure(self._office.context, error)

    def leave(self) -> None:
        """End the conversation."""
        self._office.leave()


class OnMainThread:
    """A conversation inside the office, on its main thread as everything is there.

    Two threads that look at a kind of object for the first time see it half described: the office's introspection
    does not lock, and what an object has is then missing, or the office ends.
    """

    def __init__(self, context: Any, private: bool) -> None:
        self._main_thread = MainThread(context)
        self._held = self._main_thread(lambda: Conversation(context, private, lambda work: work()))

    def answer(self, request: bytes) -> bytes:
        """Return the answer to a pickled request."""
        return bytes(self._main_thread(lambda: self._held.answer(request)))

    def leave(self) -> None:
        """End the conversation."""
        self._main_thread(self._held.leave)


def failure(context: Any, error: Exception) -> tuple[str, str]:
    """Return the answer to a request that came to nothing: the office is gone, or it does not do it."""
    return ("failed" if alive(context) else "closed"), told(error)


def told(error: Exception) -> str:
    """Return kind and text of an error of the office."""
    return f"{type(error).__name__.rpartition('.')[2]}: {error}"
