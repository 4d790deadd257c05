"""Texts packed into the page: DEFLATE (RFC 1951) in base91, which assets/inflate.js reads.

Two of 91 digits hold 13 bits, the lowest first. The digits are those of ASCII that a text of a script in a page may
have: neither quote nor backslash, and no < and / that could look like markup.
"""

from __future__ import annotations

import zlib

_RAW, _BEST, _MEMORY = -15, 9, 9  # no header; zlib's best and largest
_DIGITS = "".join(chr(code) for code in range(32, 127) if chr(code) not in '"\\</')
_VALUES = {digit: value for value, digit in enumerate(_DIGITS)}
_BITS, _FEW = 13, 6  # in two digits; in one, as fewer than those may be left at the end


def packed(text: str) -> str:
    """Return a text packed."""
    made = zlib.compressobj(_BEST, zlib.DEFLATED, _RAW, _MEMORY)
    return digits(made.compress(text.encode()) + made.flush())


def digits(content: bytes) -> str:
    """Return bytes in base91."""
    found: list[int] = []
    held = holds = 0
    for byte in content:
        held |= byte << holds
        holds += 8
        if holds >= _BITS:
            found += divmod(held % (1 << _BITS), len(_DIGITS))[::-1]
            held >>= _BITS
            holds -= _BITS
    if holds:
        found += divmod(held, len(_DIGITS))[::-1][: 1 + (holds > _FEW)]
    return "".join(_DIGITS[value] for value in found)


def unpacked(text: str) -> str:
    """Return the text that was packed. Raises zlib.error or KeyError for anything else."""
    held, holds, found = 0, 0, bytearray()
    for at in range(0, len(text), 2):
        low, *high = (_VALUES[digit] for digit in text[at : at + 2])
        held |= (low + len(_DIGITS) * sum(high)) << holds
        holds += _BITS
        while holds >= 8:
            found.append(held % 256)
            held >>= 8
            holds -= 8
    return zlib.decompress(bytes(found[: _BITS * len(text) // 2 // 8]), _RAW).decode()
