"""A session with an office: a request in, a reply out, inside or outside the office's process.

A reply is a pickled pair (kind, value); a kind other than "ok" is an error and its value the message.
"""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

from addin.engines.office import PROTOCOL
from addin.engines.office.cell_requests import Cells
from addin.engines.office.main_thread import MainThread
from addin.engines.office.workbook_requests import Occupied, Office, Refused, alive

if TYPE_CHECKING:
    from collections.abc import Callable


# Requests that end an edit in a window: the entry would be cut short or lost. The check for an edit is done in the same
# turn of the office, so that none can begin between check and request. `put_in` checks by itself.
DISTURBING = frozenset({"open", "activate", "copy_sheet", "delete_sheet", "rename_sheet"})
BUSY = "busy"


class Session:
    """The requests are the public methods of `Office` and `Cells`; `main_thread` runs work on that thread."""

    def __init__(self, context: Any, private: bool, main_thread: Callable[[Callable[[], Any]], Any]) -> None:
        self._office = Office(context, private, main_thread)
        self._cells = Cells(self._office)

    def reply(self, request: bytes) -> bytes:
        """Return the reply to a pickled (method, arguments)."""
        method, arguments = pickle.loads(request)
        return pickle.dumps(self._reply(method, arguments), PROTOCOL)

    def _reply(self, method: str, arguments: tuple[Any, ...]) -> tuple[str, Any]:
        requests = self._cells if hasattr(self._cells, method) else self._office
        try:
            if method in DISTURBING and not self._office.private and self._office.editing():
                return BUSY, None
            return "ok", getattr(requests, method)(*arguments)
        except Occupied:
            return BUSY, None
        except Refused as error:
            return "refused", str(error)
        except Exception as error:  # any error of the office: the client words it
            return failure(self._office.context, error)

    def end(self) -> None:
        """End the session."""
        self._office.leave()


class MainThreadSession:
    """A session inside the office, which does all its work on the main thread.

    The office's introspection does not lock: when two threads inspect a type of object for the first time, members of
    it are missing, or the office crashes.
    """

    def __init__(self, context: Any, private: bool) -> None:
        self._main_thread = MainThread(context)
        self._session = self._main_thread(lambda: Session(context, private, lambda work: work()))

    def reply(self, request: bytes) -> bytes:
        """Return the reply to a pickled request."""
        return bytes(self._main_thread(lambda: self._session.reply(request)))

    def end(self) -> None:
        """End the session."""
        self._main_thread(self._session.end)


def failure(context: Any, error: Exception) -> tuple[str, str]:
    """Return the reply to a failed request: the office has ended, or refuses."""
    return ("failed" if alive(context) else "closed"), describe(error)


def describe(error: Exception) -> str:
    """Return kind and text of an error of the office."""
    return f"{type(error).__name__.rpartition('.')[2]}: {error}"
