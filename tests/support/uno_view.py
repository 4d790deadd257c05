"""What a window shows of a workbook: a script for whichever Python has LibreOffice's `uno`, as uno_bridge.

Arguments: name of the office's pipe, width and height of the window in pixels, an area of the first sheet. One JSON
line out, lengths in 1/100 mm: sheet shown, rows frozen, what is visible, where the area stands, where its drawings.
"""

import json
import sys
import time
from typing import Any

from uno_bridge import connect  # type: ignore[import-not-found]  # beside this script, where it runs

START_S, STEP_S, STEADY = 90, 0.5, 4  # a window is drawn when it has looked the same that often
POSITION_AND_SIZE = 15
SPREADSHEET = "com.sun.star.sheet.SpreadsheetDocument"


def opened(desktop: Any) -> Any:
    """Return the workbook once it is in the window."""
    end = time.monotonic() + START_S
    while time.monotonic() < end:
        document = desktop.getCurrentComponent()
        if document is not None and document.supportsService(SPREADSHEET):
            return document
        time.sleep(STEP_S)
    raise TimeoutError(f"no workbook in the window after {START_S} s")


def box(where: Any, size: Any) -> list[int]:
    """Return left, top, right, bottom."""
    return [where.X, where.Y, where.X + size.Width, where.Y + size.Height]


def view(document: Any, area: str) -> dict[str, Any]:
    """Return what the window shows without scrolling."""
    controller, sheet = document.CurrentController, document.Sheets.getByIndex(0)
    seen, cells = controller.VisibleArea, sheet.getCellRangeByName(area)
    drawings = (sheet.DrawPage.getByIndex(number) for number in range(sheet.DrawPage.Count))
    return {
        "sheet": controller.ActiveSheet.Name,
        "frozen": controller.SplitRow,
        "seen": [seen.X, seen.Y, seen.X + seen.Width, seen.Y + seen.Height],
        "cells": box(cells.Position, cells.Size),
        "drawings": [box(each.Position, each.Size) for each in drawings],
    }


def main(pipe: str, width: str, height: str, area: str) -> None:
    """Give the window its size, wait until it is drawn, and print the view."""
    document = opened(connect(pipe, START_S))
    document.CurrentController.Frame.ContainerWindow.setPosSize(0, 0, int(width), int(height), POSITION_AND_SIZE)
    views: list[dict[str, Any]] = []
    while len(views) < STEADY or any(each != views[-1] for each in views[-STEADY:]):
        time.sleep(STEP_S)
        views.append(view(document, area))
    print(json.dumps(views[-1]), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
