"""Texts packed into the page: DEFLATE (RFC 1951) in base85, which assets/inflate.js reads.

The digits are those of Python and git, with a point for <, so that no text can look like markup inside a script.
"""

from __future__ import annotations

import base64
import zlib

_RAW, _BEST, _MEMORY = -15, 9, 9  # no header; zlib's best and largest


def packed(text: str) -> str:
    """Return a text packed."""
    made = zlib.compressobj(_BEST, zlib.DEFLATED, _RAW, _MEMORY)
    return digits(made.compress(text.encode()) + made.flush())


def digits(content: bytes) -> str:
    """Return bytes in base85."""
    return base64.b85encode(content).decode("ascii").replace("<", ".")


def unpacked(text: str) -> str:
    """Return the text that was packed. Raises zlib.error or ValueError for anything else."""
    return zlib.decompress(base64.b85decode(text.replace("<", '"').replace(".", "<")), _RAW).decode()
