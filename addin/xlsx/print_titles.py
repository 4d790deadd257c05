"""The names of repeated rows and columns: columns first, one for each sheet.

LibreOffice stores the name of a sheet twice where rows come first; of a workbook with such a pair, Excel says that its
content needs a repair.
"""

from __future__ import annotations

import re

_NAME = re.compile(
    rb"""<((?:\w+:)?)definedName\b([^<>]*\bname=(["'])_xlnm\.Print_Titles\3[^<>]*)>([^<>]*)</\1definedName>"""
)
_SCOPE = re.compile(rb"""\blocalSheetId=["'](\d+)["']""")
_ROWS_FIRST = re.compile(rb"(.*!\$\d+:\$\d+),(.*!\$[A-Z]+:\$[A-Z]+)")


def mended(workbook: bytes) -> bytes:
    """Return the part xl/workbook.xml with each of these names once and in the order that Excel writes."""
    seen: set[bytes | None] = set()

    def mend(name: re.Match[bytes]) -> bytes:
        scope = _SCOPE.search(name[2])
        key = scope[1] if scope else None
        if key in seen:
            return b""
        seen.add(key)
        titles = _ROWS_FIRST.fullmatch(name[4])
        if titles is None:
            return name[0]
        start, end = (place - name.start() for place in name.span(4))
        return name[0][:start] + titles[2] + b"," + titles[1] + name[0][end:]

    return _NAME.sub(mend, workbook)
