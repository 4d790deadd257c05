"""Texts in XML against the standard library, which is slow to load."""

from __future__ import annotations

from xml.sax import saxutils

import pytest

from addin.xlsx.escaping import escape, quoteattr, unescape

TEXTS = [
    "",
    "plain",
    "a < b & c > d",
    "&amp; &lt;",
    'say "x"',
    "it's",
    """both " and '""",
    "a\tb\nc\rd",
    "&quot;",
    "é €",
]


@pytest.mark.parametrize("text", TEXTS)
def test_texts_are_written_as_the_standard_library_writes_them(text: str) -> None:
    assert escape(text) == saxutils.escape(text)
    assert quoteattr(text) == saxutils.quoteattr(text)


@pytest.mark.parametrize("text", TEXTS)
def test_what_was_written_is_read_again(text: str) -> None:
    assert unescape(escape(text)) == text
    assert unescape(text) == saxutils.unescape(text, {"&quot;": '"', "&apos;": "'"})
