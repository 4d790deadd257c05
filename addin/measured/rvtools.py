"""RVTools, as a workbook or a csv for each tab: machines, their memory and their GiB. It has no IOPS, ever.

Labels say MB before 4.1.0 and MiB since; the values are MiB either way.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from addin.measured.perfmon import wanted
from addin.measured.records import Inventory, Machine, Reading, fault
from addin.measured.workbooks import Row
from addin.numerals import number_of

TITLE = "RVTools"
INFO, DISK, PARTITION = "vinfo", "vdisk", "vpartition"
CLONES = ("MCS", "PVS")  # methods whose desktops share disks: only what is unshared is a desktop's own
_NEEDED = {INFO: {"vm", "powerstate"}, DISK: {"vm", "disk", "capacity mib"}, PARTITION: {"vm", "consumed mib"}}
REASONS = {  # why a machine does not count: one, many
    "off": ("machine that is off", "machines that are off"),
    "others": ("machine that --desktops does not name", "machines that --desktops does not name"),
    "placeholder": ("placeholder of SRM", "placeholders of SRM"),
    "template": ("template", "templates"),
    "unnamed": ("row without a name", "rows without a name"),
}


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
        if INFO in tabs:
            raise fault(reading.path, "vInfo holds a header and no row", "Export it again, with its machines", 1)
        found = f"has {', '.join(sorted(tabs)) or 'no tab'} and no vInfo with a machine"
        raise fault(reading.path, found, "Export vInfo too, and give both files")
    used = _Sums(tabs, PARTITION, "consumed mib")
    disks = _Sums(tabs, DISK, "capacity mib")
    machines, left, seen = list[Machine](), Counter[str](), dict[tuple[str, str, str], Row]()
    inside = _Sums(tabs, PARTITION, "capacity mib").total
    share = used.total / inside if inside else None
    for row in tabs[INFO]:
        name = row.text("vm")
        why = _left(row, name, desktops)
        if why:
            left[why] += 1
            continue
        place = _place(row)
        if place in seen:
            found = f"{name} is in row {seen[place].number} of {seen[place].path.name} already"
            raise fault(row.path, found, "Give one export of each vCenter", row.number, "VM")
        seen[place] = row
        machines.append(_machine(row, name, used, disks, share, method))
    reading.taken.append(
        f"{number_of(len(machines), 'machine that is', 'machines that are')} on: memory, processors, GiB"
    )
    reading.left += [number_of(count, *REASONS[why]) for why, count in sorted(left.items())]
    reading.left.append("IOPS: RVTools has none")
    if not machines:
        raise fault(reading.path, "holds no machine that counts", f"Left: {'; '.join(reading.left)}")
    return Inventory(tuple(machines))


def _left(row: Row, name: str, desktops: Sequence[str]) -> str:
    """Return why a machine does not count, empty where it does."""
    if not name:
        return "unnamed"
    if row.yes("template"):
        return "template"
    if row.yes("srm placeholder"):
        return "placeholder"
    if not row.on("powerstate"):
        return "off"
    return "" if wanted(name, desktops) else "others"


def _place(row: Row) -> tuple[str, str, str]:
    """Return name, datacenter and cluster of a machine: a name may be in two clusters."""
    name, datacenter, cluster = (row.text(each).casefold() for each in ("vm", "datacenter", "cluster"))
    return name, datacenter, cluster


class _Sums:
    """Sums over the rows of a tab by machine; nothing for a machine whose rows may be another's of the same name."""

    def __init__(self, tabs: Mapping[str, Sequence[Row]], tab: str, column: str) -> None:
        self._sums: dict[tuple[str, str, str], float] = defaultdict(float)
        for row in tabs.get(tab, ()):
            self._sums[_place(row)] += row.figure(column) or 0.0
        self._named: dict[str, float] = defaultdict(float)
        for (name, _, _), mib in self._sums.items():
            self._named[name] += mib
        self._machines = Counter(row.text("vm").casefold() for row in tabs[INFO])
        self.total = sum(self._named.values())

    def of(self, row: Row) -> float | None:
        """Return the sum of a machine, None where the tab does not have it."""
        place = _place(row)
        if place in self._sums:
            return self._sums[place]
        return self._named.get(place[0]) if self._machines[place[0]] == 1 else None


def _machine(row: Row, name: str, used: _Sums, disks: _Sums, share: float | None, method: str) -> Machine:
    size = disks.of(row) or row.figure("total disk capacity mib", "provisioned mib")
    unshared, in_use = row.figure("unshared mib"), row.figure("in use mib")
    candidates = [(used.of(row), "vPartition consumed"), (in_use, "In Use"), (unshared, "Unshared")]
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
