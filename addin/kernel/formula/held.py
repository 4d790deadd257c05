"""The values of a workbook by address where not all of them are at hand: read when they are asked for, or replaced."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from addin.kernel.excel.values import Scalar

if TYPE_CHECKING:
    from addin.kernel.formula.cells import Address


class Held(Mapping["Address", Scalar]):
    """Values by address, sheet by sheet in the tab order, row by row."""

    @abstractmethod
    def on(self, sheet: str) -> Collection[Address]:
        """Return the cells of a sheet that hold something; those of the others need not be read for it."""


class Replaced(Held):
    """Values with others in some cells; what was not there before comes last."""

    def __init__(self, values: Held, new: Mapping[Address, Scalar]) -> None:
        self._values, self._new = values, dict(new)
        if isinstance(values, Replaced):
            self._values, self._new = values._values, {**values._new, **new}

    def __getitem__(self, address: Address) -> Scalar:
        return self._new[address] if address in self._new else self._values[address]

    def get(self, address: Address, default: Scalar = None) -> Scalar:  # type: ignore[override]
        """Return a value, the default where the cell holds nothing."""
        return self._new[address] if address in self._new else self._values.get(address, default)

    def __iter__(self) -> Iterator[Address]:
        yield from self._values
        yield from (address for address in self._new if address not in self._values)

    def __len__(self) -> int:
        return len(self._values) + sum(address not in self._values for address in self._new)

    def on(self, sheet: str) -> Collection[Address]:
        """Return the cells of a sheet that hold something."""
        new = {address: None for address in self._new if address.sheet == sheet}
        return (dict.fromkeys(self._values.on(sheet)) | new).keys()
