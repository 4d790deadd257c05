"""What a function of many trials may ask of an argument: that it is the same in every trial."""

from __future__ import annotations

from collections.abc import Callable

from addin.kernel.excel.values import Scalar
from addin.kernel.trials.forms import Forms, Item, Refused, Value, Varying

VectorFunction = Callable[..., Value]  # Forms, then an operation for each number and truth value, a Value for the rest


class NeedsConstant(Exception):
    """An argument that has to be the same in every trial, by its position from 0."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


def constant_of(forms: Forms, node: int, position: int) -> float:
    """Return the value of an argument that has to be a constant. Raises NeedsConstant."""
    value = forms.tape.constant(node)
    if value is None:
        raise NeedsConstant(position)
    return value


def scalar_of(value: Item, position: int) -> Scalar:
    """Return an argument that has to be a constant. Raises NeedsConstant."""
    if isinstance(value, Varying | Refused):
        raise NeedsConstant(position)
    return value
