"""What every command returns: a table of values with headings, units and remarks."""

from dataclasses import dataclass

from addin.kernel import Scalar
from addin.workbook.item import CLOCK, clock_text
from model.layout.codes import code_words


@dataclass(frozen=True)
class Table:
    """Headings with units, rows of values, and notes: sentences to read under the table.

    `keys` are those of the results in the columns, of the input that a comparison varies, "" for any other column;
    none where no column holds a result. The first `typed` columns hold inputs, which are told in full.
    """

    headings: tuple[str, ...]
    units: tuple[str, ...]
    rows: tuple[tuple[Scalar, ...], ...]
    notes: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    typed: int = 0

    @property
    def worded(self) -> tuple[tuple[Scalar, ...], ...]:
        """The rows with the word of each code, such as "not published", in its place."""
        keys = self.keys or ("",) * len(self.headings)
        columns = list(zip(keys, self.units, strict=True))
        return tuple(
            tuple(in_words(*column, value) for column, value in zip(columns, row, strict=True)) for row in self.rows
        )

    @property
    def titles(self) -> tuple[str, ...]:
        """The headings with their units, where a unit says more than the heading."""
        return tuple(
            head if unit in ("", "count", "flag") or unit.casefold() in head.casefold() else f"{head}, {unit}"
            for head, unit in zip(self.headings, self.units, strict=True)
        )


def in_words(key: str, unit: str, value: Scalar) -> Scalar:
    """Return the word for the code of a missing figure, a time of day as one, any other value as it is.

    No key is no result.
    """
    if unit == CLOCK and isinstance(value, float) and value >= 0:
        return clock_text(value)
    if not key or isinstance(value, bool) or not isinstance(value, float):
        return value
    return code_words(key, unit).get(value, value)
