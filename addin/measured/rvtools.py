"""RVTools, as a workbook or a csv for each tab: machines, their memory and their GiB. It has no IOPS, ever.

Labels say MB before 4.1.0 and MiB since; the values are MiB either way.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from addin.measured.perfmon import wanted
from addin.measured.records import Inventory, Machine, Reading, fault
from addin.measured.workbooks import Row

TITLE = "RVTools"
INFO, DISK, PARTITION = "vinfo", "vdisk", "vpartition"
CLONES = ("MCS", "PVS")  # methods whose desktops share disks: only what is unshared is a desktop's own
_NEEDED = {INFO: {"vm", "powerstate"}, DISK: {"vm", "disk", "capacity mib"}, PARTITION: {"vm", "consumed mib"}}


def tab_of(heads: Sequence[str]) -> str:
    """Return which tab a header is of, empty for one that is not looked at."""
    names = set(heads)
    if _NEEDED[PARTITION] <= names:
        return PARTITION
    if _NEEDED[DISK] <= names:
        return DISK
    both = _NEEDED[INFO] | {"cpus", "memory"}
    return INFO if both <= names else ""


def inventory(reading: Reading, tabs: Mapping[str, Sequence[Row]], desktops: Sequence[str], method: str) -> Inventory:
    """Return the machines of some tabs. Raises RequestError for a machine that stands twice, or where none is left."""
    if not tabs.get(INFO):
        found = f"has {', '.join(sorted(tabs)) or 'no tab'} and no vInfo with a machine"
        raise fault(reading.path, found, "Export vInfo too, and give both files")
    used = _sums(tabs.get(PARTITION, ()), "consumed mib")
    inside = _sums(tabs.get(PARTITION, ()), "capacity mib")
    disks = _sums(tabs.get(DISK, ()), "capacity mib")
    machines, left, seen = list[Machine](), Counter[str](), dict[str, Row]()
    share = sum(used.values()) / sum(inside.values()) if sum(inside.values()) else None
    for row in tabs[INFO]:
        name = row.text("vm")
        why = _left(row, name, desktops)
        if why:
            left[why] += 1
            continue
        place = "|".join((name, row.text("datacenter"), row.text("cluster"))).casefold()
        if place in seen:
            found = f"{name} is in row {seen[place].number} of {seen[place].path.name} already"
            raise fault(row.path, found, "Give one export of each vCenter", row.number, "VM")
        seen[place] = row
        machines.append(_machine(row, name, used, disks, share, method))
    reading.taken.append(f"{len(machines)} machines that are on: memory, processors, GiB")
    reading.left += [f"{count} {why}" for why, count in sorted(left.items())]
    reading.left.append("IOPS: RVTools has none")
    if not machines:
        raise fault(reading.path, "holds no machine that counts", f"Left: {'; '.join(reading.left)}")
    return Inventory(tuple(machines))


def _left(row: Row, name: str, desktops: Sequence[str]) -> str:
    """Return why a machine does not count, empty where it does."""
    if not name:
        return "rows without a name"
    if row.yes("template"):
        return "templates"
    if row.yes("srm placeholder"):
        return "placeholders of SRM"
    if row.text("powerstate").casefold() not in ("poweredon", "powered on"):
        return "machines that are off"
    return "" if wanted(name, desktops) else "machines that --desktops does not name"


def _sums(rows: Sequence[Row], column: str) -> dict[str, float]:
    sums: dict[str, float] = defaultdict(float)
    for row in rows:
        sums[row.text("vm").casefold()] += row.figure(column) or 0.0
    return sums


def _machine(
    row: Row, name: str, used: Mapping[str, float], disks: Mapping[str, float], share: float | None, method: str
) -> Machine:
    key = name.casefold()
    size = disks.get(key) or row.figure("total disk capacity mib", "provisioned mib")
    unshared, in_use = row.figure("unshared mib"), row.figure("in use mib")
    candidates = [(used.get(key), "vPartition consumed"), (in_use, "In Use"), (unshared, "Unshared")]
    if method in CLONES:
        candidates = [(unshared, "Unshared: clones share the rest"), *candidates]
    if size is not None:
        known = (size * share, "disk size x used share") if share else (size, "disk size: no share used is known")
        candidates.append(known)
    gib, source = next(((mib, text) for mib, text in candidates if mib), (None, ""))
    memory = row.figure("memory", "memory mib")
    return Machine(
        name,
        row.text("cluster"),
        None if memory is None else memory / 1024,
        row.figure("cpus"),
        None if size is None else size / 1024,
        None if gib is None else gib / 1024,
        source,
    )
