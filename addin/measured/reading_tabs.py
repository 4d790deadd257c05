"""The tabs of all inventories, joined: those of RVTools may come as a file each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from addin.measured import found as finding_out
from addin.measured import live_optics, nutanix, rvtools, workbooks
from addin.measured.found import Found
from addin.measured.records import Inventory, Machine, Reading, fault
from addin.measured.texts import encoding_of
from addin.measured.workbooks import Row


def machines(tabs: Sequence[tuple[Reading, Found]], desktops: Sequence[str], method: str, code_page: str) -> Inventory:
    """Return the machines of all inventories. Raises RequestError for a machine that two of them hold."""
    made = list(_inventories(tabs, desktops, method, code_page))
    seen: dict[str, Reading] = {}
    every: list[Machine] = []
    for reading, found in made:
        for machine in found.machines:
            other = seen.setdefault(machine.name.casefold(), reading)
            if other is not reading:
                text = f"{machine.name} is in {other.path.name} too"
                raise fault(reading.path, text, "Give one inventory of each machine")
            every.append(machine)
    return Inventory(tuple(every), tuple(text for _, found in made for text in found.shown))


def _inventories(
    tabs: Sequence[tuple[Reading, Found]], desktops: Sequence[str], method: str, code_page: str
) -> Iterator[tuple[Reading, Inventory]]:
    ours = [(reading, what) for reading, what in tabs if what.kind == finding_out.RVTOOLS_CSV]
    if ours:
        joined: dict[str, list[Row]] = {}
        for reading, what in ours:
            encoding = encoding_of(reading.path, code_page)
            for tab in what.tabs:
                joined.setdefault(tab, []).extend(workbooks.csv_rows(reading.path, encoding, tab))
        main = next((reading for reading, what in ours if rvtools.INFO in what.tabs), ours[0][0])
        for reading, what in ours:
            if reading is not main:
                reading.taken.append(f"{', '.join(sorted(what.tabs))}, beside {main.path.name}")
        yield main, rvtools.inventory(main, joined, desktops, method)
    for reading, what in tabs:
        if what.kind == finding_out.NUTANIX:
            wanted = (nutanix.LIST, nutanix.PARTITION, nutanix.CLUSTER, nutanix.INFO)
            parts = {tab: list(workbooks.rows(reading.path, what.tabs[tab])) for tab in wanted if tab in what.tabs}
            yield reading, nutanix.inventory(reading, parts, desktops)
        elif what.kind == finding_out.RVTOOLS:
            rows = {tab: list(workbooks.rows(reading.path, title)) for tab, title in what.tabs.items()}
            yield reading, rvtools.inventory(reading, rows, desktops, method)
        elif what.kind == finding_out.LIVE_OPTICS:
            heads = workbooks.heads(reading.path)
            hosts, measured, listed = (
                list(chain.from_iterable(workbooks.rows(reading.path, title) for title in titles))
                for titles in live_optics.parts(heads)
            )
            yield reading, live_optics.inventory(reading, hosts, measured, listed, desktops)
