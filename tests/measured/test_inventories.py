"""Inventories give machines, memory and GiB, never IOPS; each trap of their exports is passed by, and said."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from addin.errors import AddinError
from addin.measured.records import Options
from addin.measured.request import Request
from addin.measured.study import Study, study
from addin.measured.types import Types
from tests.support.pilots import table, write

Rows = Sequence[Sequence[object]]
INFO = ["Note", "VM", "Powerstate", "Template", "SRM Placeholder", "CPUs", "Memory", "Provisioned MiB", "In Use MiB",
        "Unshared MiB", "Datacenter", "Cluster"]  # fmt: skip
MACHINES: Rows = [
    ["x", "VDI-T-01", "poweredOn", "False", "False", 2, 4096, 40_960, 20_480, 5_120, "DC", "C1"],
    ["", "VDI-T-02", "poweredOn", "False", "False", 2, "4,096", "40,960", "20,480", "5,120", "DC", "C1"],
    [None] * 12,
    ["", "VDI-P-01", "poweredOn", "False", "False", 4, 8192, 81_920, 51_200, 10_240, "DC", "C1"],
    ["", "gold", "poweredOff", "True", "False", 2, 4096, 40_960, 40_960, 40_960, "DC", "C1"],
    ["", "copy", "poweredOn", "False", "True", 2, 4096, 40_960, 0, 0, "DC", "C1"],
    ["", "VDI-T-03", "poweredOff", "False", "False", 2, 4096, 40_960, 40_960, 9, "DC", "C1"],
]


def workbook(path: Path, tabs: Mapping[str, Sequence[Any]]) -> Path:
    """Write a workbook with some tabs."""
    book = Workbook()
    book.remove(book.active)
    for title, rows in tabs.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(list(row))
    book.save(path)
    return path


def read(*files: Path, desktops: tuple[str, ...] = (), method: str = "", types: Types | None = None) -> Study:
    """Return the study of inventories."""
    return study(Request(files, Options(desktops), None, types or Types(), method=method))


def refusal(*files: Path) -> str:
    """Return the one line in which files are refused."""
    with pytest.raises(AddinError) as caught:
        read(*files)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def groups(found: Study) -> dict[str, tuple[int, float | None, float | None, float | None]]:
    """Return machines, memory, disk and used GiB of every group."""
    return {each.name: (each.machines, each.memory_gib, each.disk_gib, each.gib) for each in found.groups}


def test_rvtools_counts_what_is_on_and_no_template(tmp_path: Path) -> None:
    found = read(workbook(tmp_path / "a.xlsx", {"vInfo": [INFO, *MACHINES], "vHost": [["Host", "# Cores"], ["h", 8]]}))
    assert groups(found) == {"VDI-T": (2, 4.0, 40.0, 20.0), "VDI-P": (1, 8.0, 80.0, 50.0)}
    (reading,) = found.readings
    assert reading.left == ["1 machine that is off", "1 placeholder of SRM", "1 template", "IOPS: RVTools has none"]
    assert found.phases == ()


def test_labels_of_older_editions_say_mb_and_mean_mib(tmp_path: Path) -> None:
    heads = [str(head).replace("MiB", "MB") for head in INFO]
    new, old = (workbook(tmp_path / f"{at}.xlsx", {"vInfo": [h, *MACHINES]}) for at, h in enumerate((INFO, heads)))
    assert groups(read(new)) == groups(read(old))


def test_what_partitions_hold_goes_before_what_disks_have(tmp_path: Path) -> None:
    """Of the machines without Tools the share used of the others counts: 10 of 40 GiB, so a quarter of 80."""
    partitions = [["VM", "Disk", "Capacity MiB", "Consumed MiB", "Free % "], ["VDI-T-01", "C:", 40_960, 10_240, 75]]
    info = [INFO, *([*row[:8], None, None, *row[10:]] for row in MACHINES)]
    found = read(workbook(tmp_path / "a.xlsx", {"vInfo": info, "vPartition": partitions}))
    assert groups(found)["VDI-P"][3] == pytest.approx(20.0)
    assert groups(found)["VDI-T"][3] == pytest.approx(10.0)
    assert dict(found.groups[0].sources) == {"vPartition consumed": 1, "disk size x used share": 1}


def test_of_linked_clones_only_what_is_unshared_is_their_own(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", {"vInfo": [INFO, *MACHINES]})
    assert groups(read(path, method="MCS"))["VDI-T"][3] == 5.0


def test_tabs_as_csv_are_joined_and_no_name_of_a_file_counts(tmp_path: Path) -> None:
    info = write(tmp_path / "x.csv", table([INFO, *MACHINES]), "utf-8-sig")
    partitions = write(
        tmp_path / "y.csv", table([["VM", "Disk", "Capacity MiB", "Consumed MiB"], ["VDI-P-01", "C:", 81_920, 30_720]])
    )
    found = read(partitions, info)
    assert groups(found)["VDI-P"][3] == 30.0
    assert any("vpartition, beside x.csv" in text for reading in found.readings for text in reading.taken)
    assert "y.csv: has vpartition and no vInfo with a machine" in refusal(partitions)
    broken = write(tmp_path / "z.csv", table([INFO, MACHINES[0]]) + 'a,"b"c",d\n')
    assert re.search(r"z\.csv:3: has \d+ cells, the header 12\. RVTools before 4\.6\.1", refusal(broken))


def test_groups_follow_the_users_types_and_are_six_at_most(tmp_path: Path) -> None:
    path = workbook(tmp_path / "a.xlsx", {"vInfo": [INFO, *MACHINES]})
    types = Types((("*-T-*", "task"), ("*", "power")))
    assert {name: each[0] for name, each in groups(read(path, types=types)).items()} == {"task": 2, "power": 1}
    rows = [["", f"VM{'abcdefgh'[at % 8]}-{at:02d}", *MACHINES[0][2:]] for at in range(40)]
    found = groups(read(workbook(tmp_path / "b.xlsx", {"vInfo": [INFO, *rows]})))
    assert (len(found), found["others"][0], sum(each[0] for each in found.values())) == (6, 15, 40)


def test_a_machine_that_stands_twice_is_refused_with_both_places(tmp_path: Path) -> None:
    one = workbook(tmp_path / "a.xlsx", {"vInfo": [INFO, *MACHINES, MACHINES[0]]})
    assert "a.xlsx:9, column 'VM': VDI-T-01 is in row 2 of a.xlsx already" in refusal(one)
    first, second = (workbook(tmp_path / f"{name}.xlsx", {"vInfo": [INFO, *MACHINES]}) for name in "bc")
    assert "c.xlsx: VDI-T-01 is in b.xlsx too" in refusal(first, second)
    words = [["", "VDI", "poweredOn", "False", "", 2, "much", 1, 1, 1, "", ""]]
    path = workbook(tmp_path / "d.xlsx", {"vInfo": [INFO, *words]})
    assert "d.xlsx:2, column 'memory': vInfo: 'much' is no number" in refusal(path)
    state = [["", "VDI", "eingeschaltet", "False", "", 2, 1, 1, 1, 1, "", ""]]
    path = workbook(tmp_path / "s.xlsx", {"vInfo": [INFO, *MACHINES, *state]})
    assert "s.xlsx:9, column 'powerstate': vInfo: 'eingeschaltet' is no state of a machine" in refusal(path)
    assert "h.xlsx:1: vInfo holds a header and no row" in refusal(workbook(tmp_path / "h.xlsx", {"vInfo": [INFO]}))
    other = workbook(tmp_path / "e.xlsx", {"Sheet1": [["a", "b"]]})
    assert "e.xlsx: has the tabs 'Sheet1'. Expected perfmon" in refusal(other)


LIVE: Mapping[str, Mapping[str, Rows]] = {
    "ESX Hosts": {
        "ESX Performance": [["Host", "Peak IOPS", "Average IOPS", "95% IOPS"],
                            ["h1", 900, 100, 400], ["h2", 800, 90, 300]],
        "VM Performance": [["VM Name", "MOB ID", "Host", "Peak IOPS", "Average IOPS"], ["VDI-1", "vm-1", "h1", 90, 9]],
        "VMs": [["VM Name", "MOB ID", "Power State", "Template", "Provisioned Memory (MiB)", "Virtual Disk Size (MiB)",
                 "Virtual Disk Used (MiB)", "vCenter"],
                ["VDI-1", "vm-1", "poweredOn", "false", 4096, 40_960, 20_480, "7.0.3"],
                ["VDI-1", "vm-1", "poweredOn", "false", 4096, 40_960, 20_480, "8.0.1"]],
    },
    "Servers": {
        "Servers Performance": [["Server", "Peak IOPS", "Avg. IOPS", "95% IOPS"], ["s1", 500, 50, 200]],
    },
}  # fmt: skip


@pytest.mark.parametrize("shape", LIVE)
def test_live_optics_is_shown_and_asks_for_the_read_share(tmp_path: Path, shape: str) -> None:
    found = read(workbook(tmp_path / "a.xlsx", LIVE[shape]))
    assert any("reads and writes are not split" in each.found and each.level == "amber" for each in found.findings)
    assert any("percentiles do not add" in text for text in found.shown)
    assert found.phases == ()
    if shape == "ESX Hosts":
        assert groups(found) == {"VDI": (2, 4.0, 40.0, 20.0)}  # MOB IDs repeat between vCenters


def test_live_optics_says_which_machines_it_left(tmp_path: Path) -> None:
    heads = ["VM Name", "MOB ID", "Power State", "Template", "Virtual Disk Size (MiB)", "vCenter"]
    machines = (("VDI-1", "vm-1", "Running"), ("VDI-2", "vm-1", "poweredOn"), ("VDI-3", "vm-3", "Saved"))
    rows: list[list[object]] = [[*each, "false", 1024, "8.0.1"] for each in machines]
    rows.append(["gold", "vm-4", "poweredOn", "true", 1024, "8.0.1"])
    tabs = {"ESX Performance": LIVE["ESX Hosts"]["ESX Performance"], "VMs": [heads, *rows]}
    found = read(workbook(tmp_path / "a.xlsx", tabs))
    assert groups(found) == {"VDI": (2, None, 1.0, 1.0)}  # two vCenters of one version, with one MOB ID
    assert found.readings[0].left[:2] == ["1 machine that is off", "1 template"]


def test_nutanix_collector_has_memory_in_mib_and_percentiles_that_are_no_demand(tmp_path: Path) -> None:
    tabs = {
        "vmList": [["VM Name", "Power State", "Template", "vCPUs", "Memory (MiB)", "Capacity (MiB)", "Consumed (MiB)",
                    "Cluster Name", "MOID"],
                   ["VDI-1", "poweredOn", "False", 2, 4096, 40_960, 20_480, "C", "m1"],
                   ["NTNX-4711", "poweredOn", "False", 2, 4096, 40_960, None, "C", "m2"],
                   ["old", "poweredOff", "False", 2, 4096, 40_960, 1, "C", "m3"]],
        "vInfo": [["VM Name", "95th Percentile IOPS"], ["VDI-1", 40], ["NTNX-4711", 60]],
        "vCluster": [["Cluster Name", "95th Percentile IOPS", "95th Percentile Number of Reads",
                      "95th Percentile Number of Writes"], ["C", 900, 500, 600]],
        "vHosts": [["Host", "Memory Size"], ["h", 511.6]],
    }  # fmt: skip
    found = read(workbook(tmp_path / "a.xlsx", tabs))
    assert groups(found) == {"VDI": (1, 4.0, 40.0, 20.0), "NTNX": (1, 4.0, 40.0, 40.0)}
    assert "P95 900 IOPS; P95 of reads and of writes, 500 + 600, do not add up to it" in "".join(found.shown)
    assert "sum of the P95 of 2 machines: 100 IOPS; percentiles do not add" in "".join(found.shown)
    assert any("made anonymous" in each.found for each in found.findings)


def test_an_inventory_may_unpack_to_more_than_a_sizing_workbook(tmp_path: Path) -> None:
    """RVTools writes 10 MB for 1,000 machines, and 64 MiB were all that was read."""
    path = workbook(tmp_path / "large.xlsx", {"vInfo": [INFO, *MACHINES]})
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as package:
        package.writestr("xl/worksheets/sheet99.xml", b" " * (70 << 20))
    few = read(workbook(tmp_path / "few.xlsx", {"vInfo": [INFO, *MACHINES]}))
    assert read(path).groups == few.groups
