"""What every command returns: a table of values with headings, units and remarks."""

from dataclasses import dataclass

from addin.kernel import Scalar


@dataclass(frozen=True)
class Table:
    """Headings with units, rows of values, and notes: sentences to read under the table."""

    headings: tuple[str, ...]
    units: tuple[str, ...]
    rows: tuple[tuple[Scalar, ...], ...]
    notes: tuple[str, ...] = ()

    @property
    def titles(self) -> tuple[str, ...]:
        """The headings with their units, where a unit says more than the heading."""
        return tuple(
            head if unit in ("", "text", "count", "flag") or unit.casefold() in head.casefold() else f"{head}, {unit}"
            for head, unit in zip(self.headings, self.units, strict=True)
        )
