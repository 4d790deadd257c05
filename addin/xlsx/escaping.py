"""Texts as XML writes them, byte for byte as xml.sax.saxutils does.

Importing that module takes as long as reading a workbook, because it imports everything that opens a URL.
"""

import re

# A letter by its number, as writers of ASCII have it: a line feed or one beyond ASCII, never a mark of XML itself.
NUMBERED = "#(?:10|12[89]|1[3-9][0-9]|[2-9][0-9]{2}|[1-9][0-9]{3}|[1-4][0-9]{4})"
_NUMBERED = re.compile(f"&({NUMBERED});")
_OF_ATTRIBUTES = str.maketrans({"&": "&amp;", ">": "&gt;", "<": "&lt;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


def escape(text: str) -> str:
    """Return a text between tags."""
    return text.replace("&", "&amp;").replace(">", "&gt;").replace("<", "&lt;")


def unescape(text: str) -> str:
    """Return the text behind the five named entities of XML, and behind letters of NUMBERED."""
    if "&" not in text:
        return text
    if "&#" in text:
        text = _NUMBERED.sub(lambda letter: chr(int(letter[1][1:])), text)
    for written, meant in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&")):
        text = text.replace(written, meant)
    return text


def quoteattr(text: str) -> str:
    """Return the value of an attribute in its quotes."""
    written = text.translate(_OF_ATTRIBUTES)
    if '"' not in written:
        return f'"{written}"'
    return f"'{written}'" if "'" not in written else '"' + written.replace('"', "&quot;") + '"'
