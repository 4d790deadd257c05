"""The far end of uno_office: a script for whichever Python has LibreOffice's `uno`, with nothing else installed.

Arguments: name of the office's pipe, URL of the workbook, seconds to wait. Then one JSON line in, one JSON line out:
[[[sheet, area, rows], ...], [[sheet, area], ...]] is written as blocks, recalculated, and read as blocks.
"""

import json
import os
import sys
import time
import traceback
from typing import Any

import uno


def connect(pipe: str, seconds: float) -> Any:
    """Return the desktop of the office that listens on the pipe; the office may still be starting."""
    context = uno.getComponentContext()
    resolver = context.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", context)
    end = time.monotonic() + seconds
    while True:
        try:
            remote = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
        except Exception as error:  # uno raises classes that only exist once the office answers
            if time.monotonic() > end:
                raise TimeoutError(f"no office on the pipe {pipe} after {seconds:.0f} s") from error
            time.sleep(0.1)
        else:
            return remote.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", remote)


def load(desktop: Any, url: str) -> Any:
    """Open a workbook without a window, free to write and recalculated on request only."""
    hidden = uno.createUnoStruct("com.sun.star.beans.PropertyValue")
    hidden.Name, hidden.Value = "Hidden", True
    document = desktop.loadComponentFromURL(url, "_blank", 0, (hidden,))
    if document is None:
        raise OSError(f"the office does not open {url}")
    document.enableAutomaticCalculation(False)
    for sheet in (document.Sheets.getByIndex(place) for place in range(document.Sheets.Count)):
        if sheet.isProtected():
            sheet.unprotect("")
    return document


def values(area: Any) -> list[list[Any]]:
    """Return a block of values: numbers, texts, "" for blanks, and errors as the text that the cell shows."""
    rows = [list(row) for row in area.getDataArray()]
    for r, row in enumerate(rows):
        for c, value in enumerate(row):
            if not isinstance(value, float | str):
                row[c] = area.getCellByPosition(c, r).String
    return rows


def serve(document: Any) -> None:
    """Answer requests until the input ends."""
    sheets = document.Sheets
    for line in sys.stdin:
        writes, reads = json.loads(line)
        for sheet, area, rows in writes:
            sheets.getByName(sheet).getCellRangeByName(area).setDataArray(tuple(map(tuple, rows)))
        document.calculate()
        read = [values(sheets.getByName(sheet).getCellRangeByName(area)) for sheet, area in reads]
        print(json.dumps(read), flush=True)


if __name__ == "__main__":
    try:
        serve(load(connect(sys.argv[1], float(sys.argv[3])), sys.argv[2]))
    except Exception:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)  # Python's own end may crash in the library of the connection, which is still open
