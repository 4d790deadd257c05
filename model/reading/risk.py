"""Records of uncertain inputs: the distributions they may have, the columns that each needs, and correlations."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from model.reading.columns import UNREADABLE, Column, Typed
from model.reading.inputs import Input

DISTRIBUTIONS: dict[str, tuple[str, ...]] = {
    # kind: the columns it needs, optional ones with a question mark
    "fixed": ("mode?",),
    "uniform": ("minimum", "maximum"),
    "triangular": ("minimum", "mode", "maximum"),
    "pert": ("minimum", "mode", "maximum", "shape?"),
    "normal": ("mode", "spread"),
    "truncated normal": ("minimum", "mode", "maximum", "spread"),
    "lognormal": ("mode", "spread"),
    "beta": ("minimum", "maximum", "shape", "second_shape"),
    "gamma": ("spread", "shape"),
    "discrete": ("values",),
    "empirical": ("values",),
    "joint rows": (),
    "by class": (),
    "by method": (),
}
NUMBERS = ("minimum", "mode", "maximum", "spread", "shape", "second_shape")

_RiskFigure = Annotated[Typed, Column(of="inputs:key", source="source", blank=True)]
_Shape = Annotated[Typed, Column(unit="ratio", source="source", blank=True, within=(0, 1e9))]


@dataclass(frozen=True)
class RiskRow:
    """How an input spreads: a distribution, its typed parameters by column, and a list of values where it takes one."""

    input: Annotated[Input, Column("key", key=True, refers="inputs")]
    distribution: Annotated[str, Column(choices=tuple(DISTRIBUTIONS))]
    minimum: _RiskFigure
    mode: _RiskFigure
    maximum: _RiskFigure
    spread: Annotated[Typed, Column(of="inputs:key", source="source", blank=True, within=(0, 1e9))]
    shape: _Shape
    second_shape: _Shape
    listed: Annotated[str, Column("values", blank=True)]
    stated: Annotated[str, Column("source", blank=True)]
    help: str

    @property
    def cells(self) -> dict[str, Typed]:
        """Return the parameters by column."""
        return {name: getattr(self, name) for name in NUMBERS}

    @property
    def source(self) -> str:
        """Return where the figures come from: what is stated, else the expressions themselves."""
        return self.stated or ", ".join(typed.source for typed in self.cells.values() if typed.value is not None)

    def faults(self) -> Iterator[str]:
        """Yield columns that the distribution lacks or has no use for."""
        if self.input is None or self.distribution not in DISTRIBUTIONS:
            return
        if self.input.kind != "number":
            yield f"key {self.input.key!r} is a {self.input.kind}; only numbers are uncertain."
        columns = DISTRIBUTIONS[self.distribution]
        given = {name for name, typed in self.cells.items() if typed.value is not None or typed == UNREADABLE}
        given |= {"values"} if self.listed else set()
        missing = [name for name in columns if not name.endswith("?") and name not in given]
        extra = given - {name.rstrip("?") for name in columns}
        yield from (f"{name} is blank; the distribution {self.distribution} needs it." for name in missing)
        if extra and not missing:
            yield f"{self.distribution} has no use for {', '.join(sorted(extra))}; empty the column."


@dataclass(frozen=True)
class Correlation:
    """A rank correlation between two uncertain inputs."""

    first: Annotated[str, Column(key=True, refers="risk")]
    second: Annotated[str, Column(key=True, refers="risk")]
    rank: Annotated[Typed, Column(unit="ratio", source="source", within=(-1, 1))]

    def faults(self) -> Iterator[str]:
        """Yield an input that is paired with itself."""
        if self.first == self.second:
            yield f"second {self.second!r} is paired with itself; name two inputs."
