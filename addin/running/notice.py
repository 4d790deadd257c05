"""A line in the status bar of an application for a moment, from a process of its own: no button waits for it."""

from __future__ import annotations

import sys

from addin.running import documents
from addin.running.runner import Messenger


def main(engine: str, book: str, pipe: str, text: str) -> None:
    """Show a text; `engine`, `book` and `pipe` say where, as for `documents.find`."""
    messenger = Messenger("notice")
    messenger.app = documents.find(engine, book or None, pipe or None).app
    messenger.left(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
