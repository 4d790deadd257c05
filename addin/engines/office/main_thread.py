"""Work on the office's own main thread, between two of its events.

A request from outside is served on its own thread, and LibreOffice copies a sheet from another workbook without taking
the lock that its painting needs (ScTableSheetsObj::importSheet), so the office crashes now and then. While the office
waits for a callback of the add-in, it serves the requests of that callback on the painting thread. A session inside the
office does all of its work there; see `session.MainThreadSession`.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import uno

if TYPE_CHECKING:
    from collections.abc import Callable

ALIVE_S = 1.0  # interval of checks whether an office that has not called back is alive


class Task:
    """One piece of work, a com.sun.star.awt.XCallback; it has a `result` or an `error` when it is `done`."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work
        self.done = threading.Event()
        self.result: Any = None
        self.error: Exception | None = None

    def getTypes(self) -> tuple[Any, ...]:
        """Return the UNO interfaces of this object."""
        return (uno.getTypeByName("com.sun.star.awt.XCallback"),)

    def notify(self, data: Any) -> None:
        """Do the work; an error goes to the caller, not to the office."""
        try:
            self.result = self.work()
        except Exception as error:
            self.error = error
        self.done.set()


class MainThread:
    """A function that runs a piece of work on the main thread; it raises the errors of the work and of the office."""

    def __init__(self, context: Any) -> None:
        self._manager = context.ServiceManager
        self._events = self._manager.createInstanceWithContext("com.sun.star.awt.AsyncCallback", context)

    def __call__(self, work: Callable[[], Any]) -> Any:
        """Run the work on the main thread and return its result."""
        task = Task(work)
        self._events.addCallback(task, None)
        while not task.done.wait(ALIVE_S):
            self._manager.getAvailableServiceNames()
        if task.error is not None:
            raise task.error
        return task.result
