"""Machines on managed disks: what is not checked, and what the labels of totals and free space name."""

import pytest

from model.reading.choices import ON_CLOUD_SHARE
from tests.model.test_machine_disks import BUILT, DISK, asking, results, texts


def test_what_is_not_checked_of_disks_is_named_wherever_the_answer_says_at_least() -> None:
    """NTP's full clones: patched by its I/Os, deployed by the method's, log-off 10 IOPS through a run, typed here.

    A scheduled load of 60 GiB is named once it is typed. Two caps that are entered, and work of 0, leave nothing open.
    """
    work = {"ios_per_patch": 200_000.0, "ios_per_provisioning": 124_000.0, "ios_per_logoff": 9_000.0}
    load = {
        "scheduled_gib": 60.0,
        "scheduled_window_min": 10.0,
        "scheduled_block_kib": 64.0,
        "scheduled_read_ratio": 0.95,
    }
    open_ = {**asking(400), **work}
    capped = {"disk_vm_iops": 400.0, "disk_vm_mb_s": 100.0}
    phases = "patching on disks, deployment on disks, log-off on disks"
    caps = "most IOPS of a machine, most MB/s of a machine"
    keys = ("constraints_unchecked", "disk_summary", "status")
    for design, entered, named in (
        (open_, caps, phases),
        ({**open_, "disk_vm_iops": 400.0}, "most MB/s of a machine", phases),
        ({**open_, **capped}, "", phases),
        ({**open_, **capped, **load}, "", f"{phases}, scheduled load on disks"),
        ({**open_, **capped, "ios_per_patch": 0.0}, "", phases.removeprefix("patching on disks, ")),
    ):
        unchecked, summary, status = texts(design, *keys)
        listed = ", ".join(filter(None, (entered, named)))
        assert unchecked == f"{listed}, enter the figures"
        assert summary.endswith(f"; not checked: {listed}")
        assert status.startswith("at least 1,000 disks")
    idle = {**capped, "ios_per_patch": 0.0, "ios_per_provisioning": 0.0, "ios_per_logoff": None,
            "logoff_iops_per_desktop": 0.0}  # fmt: skip
    unchecked, summary, status = texts({**asking(400), **idle}, *keys)
    assert unchecked == "none"
    assert "not checked" not in summary
    assert status.startswith("1,000 disks")
    assert "on disks" not in texts({**work, **load}, "constraints_unchecked")[0]


def test_the_total_is_that_of_day_one_and_says_so_whatever_growth_is_typed() -> None:
    """1,000 disks at 10 over 60 months: 600,000, and 600 a desktop, with 20 % growth a year too."""
    design = {**DISK, "disk_price": 10.0, "years": 5.0, "growth_per_year_ratio": 0.2}
    total, each, paid = results(design, "cost_total", "cost_per_desktop", "paid_total")
    assert [total, each] == pytest.approx([600_000, 600])
    assert paid > total
    (sheet, row) = BUILT.layout.lines["cost_total"]
    label, basis = (str(BUILT.workbook[sheet].cell(row, column).value) for column in (1, 3))
    assert label.endswith("over the years, of day one's users")
    assert "No growth per year" in basis
    (sheet, row) = BUILT.layout.lines["cost_per_desktop"]
    assert "without growth per year" in str(BUILT.workbook[sheet].cell(row, 3).value)


def test_the_labels_of_free_space_and_reserve_name_the_cloud_share_that_they_enlarge() -> None:
    """30,000 GiB over 0.75: 40,000 GiB of a share keep 15 % free and 10 % for snapshots."""
    design = {**DISK, "container_place": ON_CLOUD_SHARE, "container_gib": 30.0}
    shares = {"capacity_headroom_ratio": 0.15, "snapshot_reserve_ratio": 0.1}
    assert results({**design, **shares}, "share_stored_gib") == pytest.approx([40_000])
    labels = {item.key: item.label for item in BUILT.data.inputs}
    assert all(labels[key].endswith("on array or cloud share") for key in shares)
