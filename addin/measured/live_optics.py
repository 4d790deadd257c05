"""Live Optics workbooks, three shapes: hosts measured live, machines from archives; figures to show, none to size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from addin.measured.perfmon import wanted
from addin.measured.records import AMBER, Inventory, Machine, Reading, fault
from addin.measured.rvtools import REASONS
from addin.measured.workbooks import Row
from addin.numerals import number_of, numeral

TITLE = "Live Optics"
_HOSTS = ("esx performance", "servers performance", "server performance", "hypervisor performance")
_MACHINES = ("vm performance", "vms", "vm")
NO_SPLIT = "reads and writes are not split in Live Optics: type the read share, it is not assumed"


def recognised(tabs: Mapping[str, Sequence[str]]) -> bool:
    """Say whether tabs are those of Live Optics: by the columns that only it has."""
    return any(
        "peak iops" in heads and {"95% iops", "average iops", "avg iops"} & set(heads) for heads in tabs.values()
    )


def parts(tabs: Mapping[str, Sequence[str]]) -> tuple[list[str], list[str], list[str]]:
    """Return the tabs of hosts' figures, of machines' figures, and of the inventory of machines."""
    hosts, machines, listed = list[str](), list[str](), list[str]()
    for title, heads in tabs.items():
        names = set(heads)
        if "peak iops" in names:
            (machines if "vm name" in names else hosts).append(title)
        elif "vm name" in names or ("vm" in names and "power state" in names):
            listed.append(title)
    return hosts, machines, listed


def inventory(
    reading: Reading, hosts: Sequence[Row], measured: Sequence[Row], listed: Sequence[Row], desktops: Sequence[str]
) -> Inventory:
    """Return the machines, and sums of what was measured, in words. Raises RequestError where there is neither."""
    machines = []
    seen: dict[tuple[str, str, str], Row] = {}
    left = Counter[str]()
    for row in listed or measured:
        name = row.text("vm name", "vm")
        if why := _left(row, name, desktops):
            left[why] += 1
            continue
        # MOB IDs repeat between vCenters, and the column vCenter is a version, which two of them may share
        place = (row.text("vcenter", "datacenter"), row.text("mob id"), name.casefold())
        if place in seen:
            found = f"{name} is in row {seen[place].number} already"
            raise fault(row.path, found, "Leave one out", row.number, "VM Name")
        seen[place] = row
        memory = row.figure("provisioned memory mib", "memory mib", "virtual memory mib")
        size = row.figure("virtual disk size mib", "capacity mib", "provisioned mib")
        used = row.figure("virtual disk used mib", "used mib", "consumed mib")
        gib, source = (used, "used") if used else (size, "disk size: no share used is known")
        machines.append(
            Machine(
                name,
                row.text("cluster"),
                None if memory is None else memory / 1024,
                row.figure("virtual cpu", "vcpu", "cpus"),
                None if size is None else size / 1024,
                None if gib is None else gib / 1024,
                source if gib else "",
            )
        )
    shown = _shown(hosts, measured)
    if not machines and not shown:
        raise fault(reading.path, "holds neither machines nor hosts' figures", "Export it with performance")
    reading.taken.append(number_of(len(machines), "machine"))
    reading.left += [number_of(count, *REASONS[why]) for why, count in sorted(left.items())]
    reading.left.append("IOPS of machines: from archives of varying interval, no time series")
    reading.note(NO_SPLIT, "no demand is taken from it", AMBER)
    return Inventory(tuple(machines), tuple(shown))


def _left(row: Row, name: str, desktops: Sequence[str]) -> str:
    """Return why a machine does not count, empty where it does; without a column of states it is on."""
    if not name:
        return "unnamed"
    if row.yes("template"):
        return "template"
    if not row.on("power state", blank=True):
        return "off"
    return "" if wanted(name, desktops) else "others"


def _shown(hosts: Sequence[Row], machines: Sequence[Row]) -> list[str]:
    """Return the sums that people look for, each with the reason why nothing is sized on it."""
    texts = []
    for rows, what in ((hosts, "host"), (machines, "machine")):
        peaks = [value for row in rows if (value := row.figure("peak iops")) is not None]
        highs = [value for row in rows if (value := row.figure("95% iops")) is not None]
        if peaks:
            summed = f"sum of the peaks of {number_of(len(peaks), what)}: {numeral(sum(peaks), ',.0f')} IOPS"
            texts.append(f"{summed}; they peak at different times")
        if highs:
            texts.append(
                f"sum of the 95 % figures of {number_of(len(highs), what)}: {numeral(sum(highs), ',.0f')}; "
                "percentiles do not add"
            )
    return texts
