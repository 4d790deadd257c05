"""Numbers of a text file: one decimal mark for all of it, blanks as missing, nothing negative.

A mark of thousands that is read as a decimal one makes a figure a thousand times too small: a file that mixes both
marks is refused, whatever it means, and so is one whose every mark may be either. A point is a decimal one for certain
where commas separate the cells; elsewhere 1.234 may be German thousands if other cells are whole numbers below 1,000.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from addin.measured.records import Reading, fault, quoted

Figures = NDArray[np.float64]
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+")
_DOTS = re.compile(r"[1-9]\d{0,2}\.\d{3}")
_WHOLE = re.compile(r"[1-9]\d{0,2}")
MOST = 1e15  # of any figure in any unit: beyond it, sums are no longer those of its parts
_ONE_MARK = "Export it again with one decimal mark, best with English numbers"


class Numbers:
    """The numbers of one file. Its decimal mark is that of the first fraction; any other one is refused."""

    def __init__(self, path: Path, delimiter: str = ",") -> None:
        self._path = path
        self._points = delimiter == ","  # whether a point is a decimal one beyond doubt
        self._dotted: tuple[str, int, str] | None = None  # the first text whose point may separate thousands
        self._whole = False  # whether some number below 1,000 has no point
        self._mark = ""
        self._grouped: tuple[str, int, str] | None = None  # the first text whose commas may separate thousands
        self._fractions = False  # whether a comma was a decimal one beyond doubt

    def end(self, reading: Reading) -> None:
        """Note decimal commas. Raises RequestError where every mark may as well separate thousands."""
        commas = None if self._fractions else self._grouped
        points = None if self._points or not self._whole else self._dotted
        for place, mark in ((commas, "comma"), (points, "point")):
            if place is not None:
                text, number, name = place
                found = (
                    f"{quoted(text)}: its {mark} may be a decimal one, or separate thousands, as all of the file's may"
                )
                raise fault(self._path, found, "Export it without separators of thousands", number, name)
        if self._mark == ",":
            reading.note("fractions have decimal commas", "read as such: the file has no decimal point")

    def column(self, texts: Sequence[str], numbers: Sequence[int], name: str) -> Figures:
        """Return the values of a column, NaN where it is blank; `numbers` are those of its rows.

        Raises RequestError for a text without a number, a negative, infinite or huge one, and another decimal mark.
        """
        values: Figures
        if self._mark == ",":
            values = self._one_by_one(texts, numbers, name)
        else:
            try:
                values = self._plain(texts, numbers, name)
            except ValueError:
                values = self._with_blanks(texts, numbers, name)
        if (below := np.flatnonzero(values < 0)).size:
            at = int(below[0])
            raise fault(
                self._path, f"{quoted(texts[at])} is negative", "Leave a missing value blank", numbers[at], name
            )
        if (huge := np.flatnonzero(values > MOST)).size:
            at = int(huge[0])
            found, advice = "is more than any disk has", "Look at the unit of the column, or leave the cell blank"
            raise fault(self._path, f"{quoted(texts[at])} {found}", advice, numbers[at], name)
        return values

    def _plain(self, texts: Sequence[str], numbers: Sequence[int], name: str) -> Figures:
        """Return the values of texts without decimal commas. Raises ValueError where one is no number."""
        values = np.fromiter(map(float, texts), dtype=np.float64, count=len(texts))
        self._check_finite(values, texts, numbers, name)
        if not self._mark and any("." in text for text in texts):
            self._mark = "."  # of 1.000 too: beside 1,5 it would be a thousand
        if not self._points:
            self._look_at_points(texts, numbers, name)
        return values

    def _look_at_points(self, texts: Sequence[str], numbers: Sequence[int], name: str) -> None:
        """Note whether points may separate thousands, until one is a decimal point beyond doubt."""
        for text, number in zip(texts, numbers, strict=True):
            text = text.strip()
            if "." not in text:
                self._whole = self._whole or bool(_WHOLE.fullmatch(text))
            elif not _DOTS.fullmatch(text):
                self._points = True
                return
            elif self._dotted is None:
                self._dotted = (text, number, name)

    def _with_blanks(self, texts: Sequence[str], numbers: Sequence[int], name: str) -> Figures:
        filled = [at for at, text in enumerate(texts) if text and not text.isspace()]
        values = np.full(len(texts), np.nan)
        try:
            values[filled] = self._plain([texts[at] for at in filled], [numbers[at] for at in filled], name)
        except ValueError:
            return self._one_by_one(texts, numbers, name)
        return values

    def value(self, text: str, number: int, name: str) -> float:
        """Return one value; raises as `column` does."""
        if self._mark != ",":
            try:
                value = float(text)
            except ValueError:
                value = -1.0
            if 0 <= value <= MOST and (self._mark or (value.is_integer() and "." not in text)):
                return value
        return float(self.column([text], [number], name)[0])

    def _check_finite(self, values: Figures, texts: Sequence[str], numbers: Sequence[int], name: str) -> None:
        if (odd := np.flatnonzero(~np.isfinite(values))).size:
            at = int(odd[0])
            raise fault(
                self._path, f"{quoted(texts[at])} is no number", "Leave a missing value blank", numbers[at], name
            )

    def _one_by_one(self, texts: Sequence[str], numbers: Sequence[int], name: str) -> Figures:
        values = np.empty(len(texts))
        for at, text in enumerate(texts):
            values[at] = self._read(text.strip(), numbers[at], name)
        return values

    def _read(self, text: str, number: int, name: str) -> float:
        if not text:
            return float("nan")
        used = {mark for mark in ".," if mark in text}
        if used:
            mark = used.pop()
            self._mark = self._mark or mark
            if used or mark != self._mark:
                found = f"{quoted(text)}: the file mixes decimal commas and points"
                raise fault(self._path, found, _ONE_MARK, number, name)
            if mark == ",":
                if not _THOUSANDS.fullmatch(text):
                    self._fractions = True
                elif self._grouped is None:
                    self._grouped = (text, number, name)
        try:
            value = float(text.replace(",", "."))
        except ValueError:
            value = float("nan")
        if not np.isfinite(value):
            raise fault(self._path, f"{quoted(text)} is no number", "Leave a missing value blank", number, name)
        return value
