"""The finding for stored results that differ from their formulas: who changed them, and what to do."""

from __future__ import annotations

from collections.abc import Sequence

from addin.audit.book import Finding
from addin.audit.saved import LIBREOFFICE
from addin.numerals import numeral
from addin.xlsx.stored_compared import Stored

RULE = "Results"
_REMEDY = "Compute it anew: Ctrl+Alt+F9 in Excel, Ctrl+Shift+F9 in LibreOffice, and save."


def findings(wrong: Sequence[Stored], application: str, truths: Sequence[str] = ()) -> list[Finding]:
    """Return one finding for all of them, at the first whose precedents are right.

    `truths` are the cells for figures that contain TRUE or FALSE: LibreOffice counts these as 1 and 0.
    """
    if not wrong:
        return []
    first = next((each for each in wrong if each.root), wrong[0])
    more = f"; {numeral(len(wrong) - 1)} more cells differ" if len(wrong) > 1 else ""
    if truths and application.startswith(LIBREOFFICE):
        why = f"{application} saved the file and counts the TRUE or FALSE in {', '.join(truths)} as a number."
        return [Finding(first.address.a1, f"{first.words}{more}. {why} Type a number there, and save.", RULE)]
    return [Finding(first.address.a1, f"{first.words}{more}. {_why(application)} {_REMEDY}", RULE)]


def _why(application: str) -> str:
    if not application:
        return "No application that computes saved the file: the stored result was changed, or what it reads."
    return (
        f"{application} saved the file, and its last digits do not explain this: a person or a program changed the "
        "stored result, or what it reads without computing anew."
    )
