"""The far end of `uno_client`: a script for whichever Python can import LibreOffice's `uno`, and needs nothing else.

Arguments: name of the office's pipe, seconds to wait for it, and "private" when the office ends with the conversation.
Requests and answers are pickled pairs on standard input and output: (method of `uno_calls.Office` or
`uno_cells.Cells`, arguments) in, (kind, value) out; a kind other than "ok" is an error and its value the message. Runs
on Python 3.8 and later, the oldest that comes with a LibreOffice in use.
"""

from __future__ import annotations

import os
import pickle
import sys
import time
from typing import Any, BinaryIO

import uno

# A script run in isolation does not see its own package; at the end of the path it hides nothing of this Python.
sys.path.append(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
from addin.engines import uno_calls, uno_cells

PROTOCOL = 4


def connect(pipe: str, seconds: float) -> Any:
    """Return the office that listens on the pipe; it may still be starting."""
    context = uno.getComponentContext()
    resolver = context.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", context)
    end = time.monotonic() + seconds
    while True:
        try:
            return resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
        except Exception as error:  # uno raises classes that only exist once the office answers
            if time.monotonic() > end:
                raise TimeoutError(f"no LibreOffice listens on the pipe {pipe}") from error
            time.sleep(0.05)


def answer(
    office: uno_calls.Office, cells: uno_cells.Cells, method: str, arguments: tuple[Any, ...]
) -> tuple[str, Any]:
    """Return what a request gives, or the kind of its error and the message."""
    if method != "read":
        cells.recent = {}
    try:
        return "ok", getattr(cells if hasattr(cells, method) else office, method)(*arguments)
    except uno_calls.Refused as error:
        return "refused", str(error)
    except Exception as error:  # whatever the office raises: the other side words it
        return ("failed" if office.alive() else "closed"), f"{type(error).__name__.rpartition('.')[2]}: {error}"
    finally:
        if method != "formulas":
            cells.recent = {}


def serve(office: uno_calls.Office, requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until the input ends."""
    cells = uno_cells.Cells(office)
    while True:
        try:
            method, arguments = pickle.load(requests)
        except EOFError:
            return
        pickle.dump(answer(office, cells, method, arguments), answers, PROTOCOL)
        answers.flush()


def main(pipe: str, seconds: str, *private: str) -> None:
    """Connect, say so, and serve."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever the office's libraries print must not end up among the answers
    try:
        office = uno_calls.Office(connect(pipe, float(seconds)), bool(private))
    except TimeoutError as error:
        pickle.dump(("closed", str(error)), answers, PROTOCOL)
        answers.flush()
        return
    pickle.dump(("ok", None), answers, PROTOCOL)
    answers.flush()
    try:
        serve(office, sys.stdin.buffer, answers)
    finally:
        office.leave()


if __name__ == "__main__":
    main(*sys.argv[1:])
