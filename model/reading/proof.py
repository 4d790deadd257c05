"""Records of the proof: published tests, the papers' sums, and printed results beside those of the workbook."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from model.reading.columns import ANY, Column, FactId, Key, Note, PrintedId, Typed, UnitName
from model.reading.inputs import Input

CODES = (-1.0, -3.0)  # of published columns: not entered, not run


@dataclass(frozen=True)
class CaseValue:
    """One input of one published test, as the file holds it."""

    case: Key
    paper: Annotated[str, Column(refers="papers", per="case")]
    input: Annotated[Input | None, Column("key", key=True, refers="inputs")]
    value: Annotated[Typed, Column(of="inputs:key", source="source", own=False, codes=CODES)]


@dataclass(frozen=True)
class Case:
    """A published test: a column that runs through the user's own formulas."""

    name: str
    paper: str
    values: dict[str, Typed]


@dataclass(frozen=True)
class Sum:
    """A piece of a paper's own arithmetic, recomputed: result = operation(a, b)."""

    id: Key
    label: str
    operation: Annotated[str, Column(choices=("product", "ratio", "saving", "total"))]
    a: Annotated[Typed, Column(unit="a_unit", within=ANY)]
    a_unit: UnitName
    b: Annotated[Typed, Column(unit="b_unit", within=ANY)]
    b_unit: UnitName
    unit: UnitName
    note: Note


@dataclass(frozen=True)
class Evidence:
    """A printed result beside the workbook's. `ours` is `key@case` or `sum:id`; `pin` its value for a known miss."""

    id: Key
    low: FactId
    high: FactId
    rule: Annotated[str, Column(choices=("exact", "approx", "lt", "gt", "range"))]
    ours: str
    unit: UnitName
    kind: Annotated[str, Column(choices=("input", "reproduced", "consistency"))]
    label: str
    pin: Annotated[float | None, Column(within=ANY)]
    note: Note

    @property
    def paper(self) -> str:
        """Return the code of the paper that prints it."""
        return (self.low or self.high).split("-")[0]

    def faults(self) -> Iterator[str]:
        """Yield what no row may lack."""
        if not self.low and not self.high:
            yield "low and high are blank; cite a fact in one or both."
        if self.pin is not None and not self.note:
            yield "note is blank; a known miss needs its reason."


@dataclass(frozen=True)
class Prediction:
    """A printed result beside what the workbook computes from other figures; `role` none says why it is no prediction.

    `scope` across or generation: `from_paper` predicts. `role` fixed counts, variant is beside. `ours` blank: no sum.
    """

    id: Key
    scope: Annotated[str, Column(choices=("within", "across", "generation"), together=True)]
    from_paper: Annotated[str, Column(refers="sources", blank=True)]
    role: Annotated[str, Column(choices=("fixed", "variant", "none"), together=True, alone=("none",))]
    low: PrintedId
    high: PrintedId
    ours: Note
    unit: UnitName
    label: str
    how: Note
    why: Note

    def faults(self) -> Iterator[str]:
        """Yield what a row of its role may not lack."""
        for column in ("why",) if self.role == "none" else ("low", "high", "ours", "how"):
            if not getattr(self, column):
                yield f"{column} is blank; a row whose role is {self.role} needs it."
        if (self.scope != "within") != bool(self.from_paper):
            yield f"from_paper is {self.from_paper or 'blank'}; a row across papers needs it, a row within has none."


def _printed(unit: str, least: float = 0) -> Column:
    return Column(unit=unit, source="source", numbers_only=True, within=(least, 1e9) if least else None)


@dataclass(frozen=True)
class LatencyPoint:
    """A latency that a paper prints under a load: `fitted` to the curve, `predicted` by it, or a `bound` to hold."""

    id: Key
    array: Annotated[str, Column(refers="curves", together=True)]
    phase: str
    role: Annotated[str, Column(choices=("fitted", "predicted", "bound"), together=True)]
    iops: Annotated[Typed, _printed("IOPS", 1)]
    read_ratio: Annotated[Typed, Column(unit="ratio", source="source")]
    latency_ms: Annotated[Typed, _printed("ms", 1e-6)]
    utilisation: Annotated[Typed, _printed("ratio")]
    source: Note
    note: Note
