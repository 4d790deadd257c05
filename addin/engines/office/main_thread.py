"""Work on the office's own main thread, between two of its events.

A request from outside is served on a thread of its own, and LibreOffice copies a sheet out of another workbook without
taking the lock that its painting relies on (ScTableSheetsObj::importSheet): now and then the office crashes. While the
office waits for a callback of the add-in, it serves the requests of that callback on the thread that paints. A
session inside the office does all of its work there; see `session.MainThreadSession`.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import uno

if TYPE_CHECKING:
    from collections.abc import Callable

ALIVE_S = 1.0  # how often an office that has not called back yet is asked whether it is still there


class Task:
    """One piece of work, a com.sun.star.awt.XCallback; `result` or `error` is there once it is `done`."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work
        self.done = threading.Event()
        self.result: Any = None
        self.error: Exception | None = None

    def getTypes(self) -> tuple[Any, ...]:
        """Return the interfaces of the office that this object has."""
        return (uno.getTypeByName("com.sun.star.awt.XCallback"),)

    def notify(self, data: Any) -> None:
        """Do the work; an error goes to the one who asked, not to the office."""
        try:
            self.result = self.work()
        except Exception as error:
            self.error = error
        self.done.set()


class MainThread:
    """Call it with a piece of work: it returns what that returns, or raises what it or an office that ends raises."""

    def __init__(self, context: Any) -> None:
        self._manager = context.ServiceManager
        self._events = self._manager.createInstanceWithContext("com.sun.star.awt.AsyncCallback", context)

    def __call__(self, work: Callable[[], Any]) -> Any:
        """Do the work on the main thread."""
        task = Task(work)
        self._events.addCallback(task, None)
        while not task.done.wait(ALIVE_S):
            self._manager.getAvailableServiceNames()
        if task.error is not None:
            raise task.error
        return task.result
