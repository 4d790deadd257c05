"""A tab as its module declares it: name, class, group, purpose, who writes it and what others may look up on it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from openpyxl.worksheet.worksheet import Worksheet

from model.layout.grid import Block, Layout
from model.layout.line import GridSheet
from model.provenance import Provenance
from model.reading.records import Data


@dataclass(frozen=True)
class Context:
    """What a tab is written from. `exceptions` are the rules broken on purpose, a line each."""

    data: Data
    layout: Layout
    made: Provenance
    tabs: "Sequence[Tab]"
    exceptions: Sequence[str]


def _nothing(_: Data) -> Mapping[str, Block]:
    return {}


@dataclass(frozen=True)
class Tab:
    """A tab: its name, class (which rules hold), group (tabs that stand together, in one colour) and purpose.

    `blocks` are the ranges that formulas look up on it; `grid` its lines, where it is a grid.
    """

    name: str
    kind: str
    group: str
    purpose: str
    write: Callable[[Worksheet, Context], None]
    blocks: Callable[[Data], Mapping[str, Block]] = _nothing
    grid: Callable[[Data], GridSheet] | None = None
