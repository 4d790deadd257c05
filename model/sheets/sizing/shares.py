"""Shares: profile containers on a cloud file share. One rule for all services; a service is a row of coefficients.

A size includes IOPS and MiB/s: base + per GiB, up to a maximum, or they are bought apart from it. So capacity, IOPS and
throughput each ask for a size, the largest decides, and what is beyond the largest share, its handles or the account
asks for more shares. Credits carry IOPS above the base for minutes; they count only where that is chosen.

`share_blocks.rows` has the quantities, each with one formula that all services share: in it `<gib_max>` is the
coefficient of the line's service on Lists, `[share_count]` another quantity of the same service.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from model.errors import Complaint
from model.layout import gridwriter, table
from model.layout.codes import CURRENCY
from model.layout.grid import OWN_SHARES
from model.layout.line import GridSheet, Group, Line
from model.reading.choices import AT_ONCE, COUNTED, LISTED, STANDARD_SSD, ZONES
from model.reading.clouds import ShareService
from model.reading.columns import columns
from model.reading.records import Data

NAME = "Shares"
_BLOCKS, _DISKS = (Path(__file__).with_name(f"{each}_blocks.rows") for each in ("share", "disk"))
_CHOSEN = "=INDEX([],{fixed:service_row})"
_COEFFICIENT, _OTHER, _DEMAND = (re.compile(each) for each in (r"<(\w+)>", r"\[(\w+)\]", r"\{(\w+)\}"))


def services(data: Data) -> tuple[str, ...]:
    """Return the services in the order of Lists, the user's own last."""
    return (*(each.name for each in data.share_services), *OWN_SHARES)


def _block(quantity: Line, names: Sequence[str], kind: str, found: str) -> Iterator[Line | Group]:
    """Yield the heading of a quantity, a line for every name, and the one that the design chose, as `found` has it."""
    heading, word, *chosen = (each.strip() for each in quantity.label.split(";"))
    yield Group(heading)
    demand = _DEMAND.sub(r"{fixed:\1}", quantity.formula)
    for place, name in enumerate(names, 1):
        formula = _COEFFICIENT.sub(rf"{{sliding:{kind}:\1:{name}}}", demand)
        yield replace(
            quantity,
            key=f"{quantity.key}_{place}",
            label=f"{name}: {word}",
            formula=_OTHER.sub(rf"{{\1_{place}}}", formula),
            basis=quantity.basis if place == 1 else "As above",
            output=False,
        )
    if quantity.output:
        formula = found.replace("[]", f"{{range:{quantity.key}_1:{quantity.key}_{len(names)}}}")
        yield replace(quantity, label=chosen[0], formula=formula, basis="Of the service chosen")


def _disks(quantities: Sequence[Line | Group | table.Made], names: Sequence[str]) -> Iterator[Line | Group]:
    """Yield the quantities of managed disks, a line for every size, and the lines of the design between them."""
    for each in quantities:
        if not isinstance(each, Line):
            continue
        if ";" in each.label:
            yield from _block(each, names, "tier", "")
        else:
            yield replace(each, formula=each.formula.replace("_N}", f"_{len(names)}}}"))


def _figures() -> Iterator[Line | Group]:
    """Yield the figures of the service that the design chose, in the order of Lists."""
    yield Group("Figures of the service chosen", above := (first := "of_service"))
    for each in columns(ShareService):
        if each.unit:
            formula = f"=INDEX({{service:figures}},{{fixed:service_row}},ROWS({{until:{first}:{above}}}))"
            above = f"{first}_{each.field}"
            yield Line(above, f"{each.label}, of the service chosen", each.unit, formula, "Lists, in the order there")


def sheet(data: Data) -> GridSheet:
    """Return the Shares sheet for the services of the data files."""
    faults: list[Complaint] = []
    quantities, disks = (table.parse(each, lambda *each: faults.append(Complaint(*each))) for each in (_BLOCKS, _DISKS))
    lines = (line for line in quantities if isinstance(line, Line))
    sizes = tuple(each.name for each in data.disk_tiers)
    made = table.sheet(
        __file__,
        NAME,
        "Profile containers on a cloud file share, machines on managed disks: size, limit and cost by the month",
        rows={
            "services": tuple(line for each in lines for line in _block(each, services(data), "service", _CHOSEN)),
            "disks": tuple(_disks(disks, sizes)),
            "figures": tuple(_figures()),
        },
        texts={
            **{"AT_ONCE": AT_ONCE, "COUNTED": COUNTED, "LISTED": LISTED, "ZONES": ZONES, "USD": CURRENCY},
            **{"STANDARD_SSD": STANDARD_SSD, "SIZES": str(len(sizes)), "SERVICES": str(len(services(data)))},
        },
        title="Cloud shares and machines' disks",
        published=False,
    )
    return replace(made, faults=(*made.faults, *faults))


TAB = gridwriter.tab(NAME, "Profile containers on a cloud file share, all services side by side", sheet)
