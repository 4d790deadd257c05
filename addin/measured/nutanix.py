"""Nutanix Collector workbooks: machines from vmList, P95 figures to show. Memory of machines is MiB, of hosts GiB."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from addin.measured.perfmon import wanted
from addin.measured.records import AMBER, Inventory, Machine, Reading, fault
from addin.measured.workbooks import Row
from addin.numerals import number_of, numeral

TITLE = "Nutanix Collector"
LIST, PARTITION, CLUSTER, INFO = "vmlist", "vpartition", "vcluster", "vinfo"
_IOPS = "95th percentile iops"
_ANONYMOUS = "ntnx-"


def recognised(tabs: Mapping[str, Sequence[str]]) -> bool:
    """Say whether tabs are those of the Collector."""
    return any(_IOPS in heads for heads in tabs.values())


def inventory(reading: Reading, tabs: Mapping[str, Sequence[Row]], desktops: Sequence[str]) -> Inventory:
    """Return the machines that are on. Raises RequestError for a machine that stands twice, or where none is left."""
    used: dict[str, float] = defaultdict(float)
    for row in tabs.get(PARTITION, ()):
        used[row.text("vm name").casefold()] += row.figure("consumed mib") or 0.0
    machines, off, others, seen = [], 0, 0, dict[str, Row]()
    anonymous = 0
    names = Counter(row.text("vm name").casefold() for row in tabs.get(LIST) or tabs.get(INFO, ()))
    for row in tabs.get(LIST) or tabs.get(INFO, ()):
        name = row.text("vm name")
        anonymous += name.casefold().startswith(_ANONYMOUS)
        if not name or row.yes("template") or not row.on("power state"):
            off += bool(name)
            continue
        if not wanted(name, desktops):
            others += 1
            continue
        key = (row.text("moid") or name).casefold()
        if key in seen:
            found = f"{name} is in row {seen[key].number} already"
            raise fault(row.path, found, "Leave one out", row.number, "VM Name")
        seen[key] = row
        size, memory = row.figure("capacity mib"), row.figure("memory mib")
        own = used.get(name.casefold()) if names[name.casefold()] == 1 else None  # of two of a name nobody's
        candidates = [(own, "vPartition consumed"), (row.figure("consumed mib"), "Consumed")]
        candidates.append((size, "disk size: no share used is known"))
        gib, source = next(((mib, text) for mib, text in candidates if mib), (None, ""))
        machines.append(
            Machine(
                name,
                row.text("cluster name"),
                None if memory is None else memory / 1024,
                row.figure("vcpus"),
                None if size is None else size / 1024,
                None if gib is None else gib / 1024,
                source,
            )
        )
    if anonymous:
        effect = "--desktops and --types by name do not fit it"
        reading.note(f"{number_of(anonymous, 'name is', 'names are')} made anonymous (NTNX-)", effect, AMBER)
    reading.taken.append(
        f"{number_of(len(machines), 'machine that is', 'machines that are')} on: memory, processors, GiB"
    )
    counts = (
        (off, "machine that is off, or a template", "machines that are off, or templates"),
        (others, "machine that --desktops does not name", "machines that --desktops does not name"),
    )
    reading.left += [number_of(count, one, many) for count, one, many in counts if count]
    reading.left.append("IOPS: 95th percentiles of a machine or a cluster, no time series")
    if not machines:
        raise fault(reading.path, "holds no machine that counts", f"Left: {'; '.join(reading.left)}")
    return Inventory(tuple(machines), tuple(_shown(tabs)))


def _shown(tabs: Mapping[str, Sequence[Row]]) -> list[str]:
    texts = []
    for row in tabs.get(CLUSTER, ()):
        both = [row.figure(f"95th percentile number of {kind}") for kind in ("reads", "writes")]
        iops, name = row.figure(_IOPS), row.text("cluster name")
        if iops is not None and None not in both:
            parts = " + ".join(numeral(each, ",.0f") for each in both if each is not None)
            texts.append(
                f"cluster {name}: P95 {numeral(iops, ',.0f')} IOPS; P95 of reads and of writes, {parts}, do not add up "
                "to it"
            )
    machines = [value for row in tabs.get(INFO, ()) if (value := row.figure(_IOPS)) is not None]
    if machines:
        summed = f"sum of the P95 of {number_of(len(machines), 'machine')}: {numeral(sum(machines), ',.0f')} IOPS"
        texts.append(f"{summed}; percentiles do not add")
    return texts
