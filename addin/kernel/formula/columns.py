"""Columns by number and by letters."""

from __future__ import annotations

from functools import lru_cache

LAST_ROW, LAST_COLUMN = 1048576, 16384


@lru_cache(maxsize=65536)
def column_number(letters: str) -> int:
    """Return 1 for A, 28 for AB; `letters` are those of the alphabet, in either case."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


@lru_cache(maxsize=65536)
def column_letters(number: int) -> str:
    """Return A for 1, AB for 28; `number` is at least 1."""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
