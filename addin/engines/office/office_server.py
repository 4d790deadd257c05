"""The bridge behind `client`: a script for any Python that can import LibreOffice's `uno`, without further packages.

Arguments: name of the office's pipe, seconds to wait for it, and "private" if the office ends with the session.
Requests come pickled on standard input, replies go to standard output; see `session`. The session runs inside the
office if that can load Python, else here: the same code, and the same replies. Runs on Python 3.8 and later, the oldest
in a LibreOffice in use.
"""

from __future__ import annotations

import os
import pickle
import sys
import time
from typing import Any, BinaryIO

import uno

# A script run in isolation does not see its own package; at the end of the path it shadows no module of this Python.
sys.path.append(os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "..")))
from addin.engines.office import ANOTHER_PYTHON, PROTOCOL
from addin.engines.office.main_thread import MainThread
from addin.engines.office.session import Session, describe, failure

COMPONENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "office_component.py")
NAME = "vdi-sizing.Session"  # of the component in there
EXPANDER = "/singletons/com.sun.star.util.theMacroExpander"


class ComponentSession:
    """A session inside the office's process."""

    def __init__(self, context: Any, private: bool) -> None:
        self._context = context
        loader = context.ServiceManager.createInstanceWithContext("com.sun.star.loader.Python", context)
        factory = loader.activate(NAME, "", uno.systemPathToFileUrl(COMPONENT), None)
        self._component = factory.createInstanceWithArgumentsAndContext((private,), context)

    def reply(self, request: bytes) -> bytes:
        """Return the reply to a pickled request."""
        try:
            self._component.writeBytes(uno.ByteSequence(request))
            return bytes(self._component.readBytes(None, 0)[1].value)
        except Exception as error:  # most likely the office has ended
            return pickle.dumps(failure(self._context, error), PROTOCOL)

    def end(self) -> None:
        """End the session."""
        self._component.closeOutput()


def connect(pipe: str, seconds: float) -> Any:
    """Return the office that listens on the pipe, waiting for one that is starting."""
    context = uno.getComponentContext()
    resolver = context.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", context)
    end = time.monotonic() + seconds
    while True:
        try:
            return resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
        except Exception as error:  # uno raises classes that exist only after the office replies
            if time.monotonic() > end:
                raise TimeoutError(f"no LibreOffice listens on the pipe {pipe}") from error
            time.sleep(0.05)


def begin(context: Any, private: bool) -> ComponentSession | Session:
    """Begin a session inside the office, or here if the office has no Python or cannot read our files."""
    expander = context.getValueByName(EXPANDER)
    if any(expander.expandMacros("${" + name + "}") for name in ANOTHER_PYTHON):  # of the office's environment
        return Session(context, private, MainThread(context))
    try:
        return ComponentSession(context, private)
    except Exception as error:
        print(describe(error), file=sys.stderr)
        return Session(context, private, MainThread(context))


def serve(session: ComponentSession | Session, requests: BinaryIO, replies: BinaryIO) -> None:
    """Reply to requests until the input ends."""
    while True:
        try:
            request = pickle.load(requests)
        except EOFError:
            return
        replies.write(session.reply(pickle.dumps(request, PROTOCOL)))
        replies.flush()


def end(context: Any, session: ComponentSession | Session, private: bool) -> None:
    """End the session, and a private office."""
    try:
        session.end()
        if private:
            context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context).terminate()
    except Exception as error:
        print(describe(error), file=sys.stderr)


def main(pipe: str, seconds: str, *private: str) -> None:
    """Connect, report it, and serve requests."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output of the office's libraries must not mix with the replies
    try:
        context = connect(pipe, float(seconds))
    except TimeoutError as error:
        pickle.dump(("closed", str(error)), replies, PROTOCOL)
        replies.flush()
        return
    session = begin(context, bool(private))
    pickle.dump(("ok", None), replies, PROTOCOL)
    replies.flush()
    try:
        serve(session, sys.stdin.buffer, replies)
    finally:
        end(context, session, bool(private))


if __name__ == "__main__":
    main(*sys.argv[1:])
