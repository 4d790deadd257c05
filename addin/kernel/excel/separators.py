"""What parts decimals and thousands in the texts that numbers become and are read from, as FIXED and `&` write them.

US English, until `use` names others: those of the office that the workbook is open in, for a process of its own.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Separators:
    """What stands before the decimals and between thousands, of which there may be none."""

    decimal: str = "."
    thousands: str = ","


ENGLISH = Separators()
_used = ENGLISH


def use(separators: Separators) -> Separators:
    """Write and read every number in a text with these separators from now on; return those until now."""
    global _used
    before, _used = _used, separators
    return before


def localized(number: str) -> str:
    """Return a number written in English with the separators in use."""
    if _used == ENGLISH:
        return number
    return number.translate({ord("."): _used.decimal, ord(","): _used.thousands})


def in_english(number: str) -> str:
    """Return a number written with the separators in use as English writes it; other text is returned unchanged."""
    if _used == ENGLISH:
        return number
    return number.translate({ord(","): ";", ord("."): ";", **_read(_used)})


def _read(separators: Separators) -> dict[int, str]:
    parted = {ord(separators.thousands): ","} if separators.thousands else {}
    return {**parted, ord(separators.decimal): "."}
