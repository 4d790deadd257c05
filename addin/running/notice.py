"""Show a line in the status bar of an application for a moment, from its own process so that no button waits."""

from __future__ import annotations

import sys

from addin.running import documents
from addin.running.runner import Messenger


def main(engine: str, book: str, pipe: str, text: str) -> None:
    """Show a text in the application of a workbook, found as by `documents.find`."""
    messenger = Messenger("notice")
    messenger.app = documents.find(engine, book or None, pipe or None).app
    messenger.left(text)
    messenger.clear()


if __name__ == "__main__":
    main(*sys.argv[1:])
