"""Texts packed into the page: DEFLATE (RFC 1951) in base64, which assets/inflate.js reads."""

from __future__ import annotations

import base64
import zlib

_RAW, _BEST, _MEMORY = -15, 9, 9  # no header; zlib's best and largest


def packed(text: str) -> str:
    """Return a text packed."""
    made = zlib.compressobj(_BEST, zlib.DEFLATED, _RAW, _MEMORY)
    return base64.b64encode(made.compress(text.encode()) + made.flush()).decode("ascii")


def unpacked(text: str) -> str:
    """Return the text that was packed. Raises zlib.error or ValueError for anything else."""
    return zlib.decompress(base64.b64decode(text, validate=True), _RAW).decode()
