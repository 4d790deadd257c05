"""xlwings engine `libreoffice`: the commands of the add-in in LibreOffice Calc, through the very API they use in Excel.

    with private_office() as app:                 # a private office, without a window
        book = app.books.open("sizing.xlsx")      # an xw.Book
    app = attach(default_pipe())                  # the user's Calc, which opened that pipe

Written against the public `xlwings.base_classes`. A bridge process (`client`) talks to the office, so the `api` of an
object is the object itself. Members that no command needs raise NotImplementedError.

application  offices and the workbooks open in them
book         a workbook with its sheets and names
range        ranges
formulas     formulas between Excel's grammar and LibreOffice's
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import xlwings as xw

from addin.engines.applications import registered
from addin.engines.calc.application import Apps
from addin.engines.office import client

NAME = "libreoffice"
ATTACH_S = 5


def register() -> xw.main.Engine:
    """Add the engine to `xlwings.engines`, once, and return it."""
    return registered(NAME, Apps)


@contextmanager
def private_office() -> Iterator[xw.App]:
    """Yield an app on a private office; its workbooks are closed unsaved at the end.

    Raises OfficeError when LibreOffice or its Python is missing or does not start.
    """
    app = register().apps.add(add_book=False)
    try:
        yield app
    finally:
        app.quit()


def attach(pipe: str | None = None) -> xw.App:
    """Return an app on the running Calc that opened the pipe, by default `default_pipe()`.

    Raises OfficeError if none listens within 5 s. Quitting the app ends the session but not the office.
    """
    return xw.App(impl=register().impl.apps.attach(client.Bridge(pipe or default_pipe(), ATTACH_S)))


def default_pipe() -> str:
    """Return the pipe that the Calc extension opens: `vdi-sizing-` and the user's name (USER, else USERNAME).

    Characters other than ASCII letters and digits count as "-".
    """
    user = os.environ.get("USER") or os.environ.get("USERNAME") or "user"
    return "vdi-sizing-" + "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in user)
