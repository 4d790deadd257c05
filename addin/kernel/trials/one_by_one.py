"""What has no vector form: the scalar evaluator's own function, one trial after the other.

A trial gives a number, or a NaN whose bits say what else came out: which of KINDS, and the truth value, the number of
the text or the code of the error. `kind_of` and `held` read them again.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from addin.kernel.excel.values import ExcelError, Scalar
from addin.kernel.trials.codes import ERRORS, RERUN, Texts

Floats = NDArray[np.float64]
KINDS = ("number", "logical", "text", "error", "blank")
NAN, SHIFT = 0x7FF8 << 48, 40  # a quiet NaN; from bit 40 on the kind, below it what there is of it
TRUTHS = {"AND", "EXACT", "ISBLANK", "ISERROR", "ISNA", "ISNUMBER", "ISTEXT", "NOT", "OR", "XOR"}
TEXTS = {"FIXED", "LEFT", "MID", "REPT", "RIGHT", "SUBSTITUTE", "TEXT", "UPPER"}
ANY = {"HLOOKUP", "INDEX", "LOOKUP", "VLOOKUP"}


def kinds_of(function: str) -> Container[str]:
    """Return the kinds of value that a function can give, errors apart."""
    return (
        KINDS if function in ANY else ["logical" if function in TRUTHS else "text" if function in TEXTS else "number"]
    )


@dataclass(frozen=True)
class OneByOne:
    """A function of values as one of vectors; `given` has for each value the kinds of its parts, or the constant it is.

    Called with two vectors for each part, when it holds and what it is then, and one for the results.
    """

    compute: Callable[..., Scalar]
    given: Sequence[tuple[str, ...] | Scalar]
    texts: Texts

    def __call__(self, *vectors: Any) -> None:
        """Write what each trial gives; trials with the same values are computed once."""
        *parts, out = vectors
        lost, waiting = np.zeros(out.shape, np.bool_), iter(parts)
        columns = [
            self._column(each, waiting, lost) if isinstance(each, tuple) else repeat(each) for each in self.given
        ]
        mixed = any(isinstance(each, tuple) and {"number", "logical"} <= {*each} for each in self.given)
        known: dict[object, Scalar] = {}
        boxes: dict[int, int] = {}
        for trial, row in enumerate(zip(*columns, strict=False)):  # constants have no end
            key = (row, *map(type, row)) if mixed else row  # TRUE is not 1
            if key not in known:
                known[key] = self.compute(*row)
            value = known[key]
            if type(value) is float:
                out[trial] = value
            else:
                boxes[trial] = self._box(value)
        boxes |= dict.fromkeys(np.flatnonzero(lost).tolist(), _bits("error", RERUN))
        out.view(np.uint64)[list(boxes)] = np.array(list(boxes.values()), np.uint64)

    def _column(self, kinds: tuple[str, ...], waiting: Iterator[Any], lost: NDArray[np.bool_]) -> Iterable[Scalar]:
        """Return a value in each trial, None where it is blank or the trial is `lost`, which is noted."""
        column: list[Scalar] = [None] * len(lost)
        for kind in kinds:
            guard, payload = (np.broadcast_to(next(waiting), lost.shape) for _ in range(2))
            if kinds == ("number",) and guard.all() and np.isfinite(payload).all():
                numbers: list[float] = payload.tolist()
                return numbers
            if kind in ("number", "error"):
                lost |= guard & (~np.isfinite(payload) if kind == "number" else payload == RERUN)
            for trial in np.flatnonzero(guard & ~lost).tolist():
                column[trial] = self._shown(kind, payload[trial])
        return column

    def _shown(self, kind: str, payload: Any) -> Scalar:
        if kind == "text":
            return self.texts.shown[int(payload)]
        if kind == "error":
            return ERRORS[int(payload) - 1]
        return None if kind == "blank" else bool(payload) if kind == "logical" else float(payload)

    def _box(self, value: Scalar) -> int:
        """Return the bits of the NaN that stands for a value that is no number."""
        if isinstance(value, bool):
            return _bits("logical", value)
        if isinstance(value, str):
            return _bits("text", self.texts.number(value))
        return _bits("error", ERRORS.index(value) + 1) if isinstance(value, ExcelError) else _bits("blank", 0)


def _bits(kind: str, payload: int) -> int:
    return NAN | KINDS.index(kind) << SHIFT | payload


def kind_of(x: Floats, out: Floats) -> None:
    """Write the position among KINDS of what each trial gave."""
    out[:] = np.where(np.isnan(x), x.view(np.uint64) >> np.uint64(SHIFT) & np.uint64(7), 0)


def held(x: Floats, out: Floats) -> None:
    """Write what the NaNs of trials stand for."""
    out[:] = np.where(np.isnan(x), x.view(np.uint64) & np.uint64((1 << SHIFT) - 1), 0)
