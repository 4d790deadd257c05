"""What a trial may end in beside a number, as a small number: an error, a text, or a turn of the scalar evaluator."""

from __future__ import annotations

from threading import Lock

from addin.kernel.excel.values import ExcelError

ERRORS: tuple[ExcelError, ...] = tuple(ExcelError)  # the code of the first is 1
RERUN = len(ERRORS) + 1  # a trial that only the scalar evaluator can compute
TEXT = RERUN + 1  # codes from here on are texts


class Texts:
    """The texts that a slice can show, by number; trials that are computed one by one add theirs."""

    def __init__(self) -> None:
        self.shown: list[str] = []
        self._numbers: dict[str, int] = {}
        self._adding = Lock()

    def number(self, text: str) -> int:
        """Return the number of a text, the next one for a new text."""
        if text not in self._numbers:
            with self._adding:
                if text not in self._numbers:
                    self.shown.append(text)
                    self._numbers[text] = len(self.shown) - 1
        return self._numbers[text]
