"""The far end of `client`: a script for whichever Python can import LibreOffice's `uno`, and needs nothing else.

Arguments: name of the office's pipe, seconds to wait for it, and "private" when the office ends with the conversation.
Requests come pickled on standard input, answers go out on standard output; see `conversation`. The conversation is
held inside the office where that can load Python, else here: the same code, and the same answers. Runs on Python 3.8
and later, the oldest that comes with a LibreOffice in use.
"""

from __future__ import annotations

import os
import pickle
import sys
import time
from typing import Any, BinaryIO

import uno

# A script run in isolation does not see its own package; at the end of the path it hides nothing of this Python.
sys.path.append(os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", "..")))
from addin.engines.office import ANOTHER_PYTHON, PROTOCOL
from addin.engines.office.conversation import Conversation, failure, told
from addin.engines.office.main_thread import MainThread

INSIDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "office_component.py")
NAME = "vdi-sizing.Conversation"  # of the component in there
EXPANDER = "/singletons/com.sun.star.util.theMacroExpander"


class Inside:
    """A conversation that the office holds in its own process."""

    def __init__(self, context: Any, private: bool) -> None:
        self._context = context
        loader = context.ServiceManager.createInstanceWithContext("com.sun.star.loader.Python", context)
        factory = loader.activate(NAME, "", uno.systemPathToFileUrl(INSIDE), None)
        self._held = factory.createInstanceWithArgumentsAndContext((private,), context)

    def answer(self, request: bytes) -> bytes:
        """Return the answer to a pickled request."""
        try:
            self._held.writeBytes(uno.ByteSequence(request))
            return bytes(self._held.readBytes(None, 0)[1].value)
        except Exception as error:  # what comes to pass in there is an answer: most likely the office is gone
            return pickle.dumps(failure(self._context, error), PROTOCOL)

    def leave(self) -> None:
        """End the conversation."""
        self._held.closeOutput()


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


def begin(context: Any, private: bool) -> Inside | Conversation:
    """Begin a conversation inside the office, or here where the office has no Python or may not read our files."""
    expander = context.getValueByName(EXPANDER)
    if any(expander.expandMacros("${" + name + "}") for name in ANOTHER_PYTHON):  # of the office's environment
        return Conversation(context, private, MainThread(context))
    try:
        return Inside(context, private)
    except Exception as error:
        print(told(error), file=sys.stderr)
        return Conversation(context, private, MainThread(context))


def serve(held: Inside | Conversation, requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until the input ends."""
    while True:
        try:
            request = pickle.load(requests)
        except EOFError:
            return
        answers.write(held.answer(pickle.dumps(request, PROTOCOL)))
        answers.flush()


def end(context: Any, held: Inside | Conversation, private: bool) -> None:
    """End the conversation, and an office that is private; one that is gone already needs no goodbye."""
    try:
        held.leave()
        if private:
            context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context).terminate()
    except Exception as error:
        print(told(error), file=sys.stderr)


def main(pipe: str, seconds: str, *private: str) -> None:
    """Connect, say so, and serve."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever the office's libraries print must not end up among the answers
    try:
        context = connect(pipe, float(seconds))
    except TimeoutError as error:
        pickle.dump(("closed", str(error)), answers, PROTOCOL)
        answers.flush()
        return
    held = begin(context, bool(private))
    pickle.dump(("ok", None), answers, PROTOCOL)
    answers.flush()
    try:
        serve(held, sys.stdin.buffer, answers)
    finally:
        end(context, held, bool(private))


if __name__ == "__main__":
    main(*sys.argv[1:])
