"""What an export calls its counters and its desktops, and which hours a phase has: said so that nobody has to guess."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from addin.errors import RequestError
from addin.measured.windows import plan
from tests.support import pilots
from tests.support.pilots import measured

GERMAN = {
    "PhysicalDisk": "Physikalischer Datenträger",
    "LogicalDisk": "Logischer Datenträger",
    "Disk Reads/sec": "Lesevorgänge/s",
    "Disk Writes/sec": "Schreibvorgänge/s",
    "Disk Read Bytes/sec": "Bytes gelesen/s",
    "Disk Write Bytes/sec": "Bytes geschrieben/s",
}


def test_a_log_of_a_german_windows_is_refused_once_with_the_way_out(tmp_path: Path) -> None:
    """Nobody names its code page first, to read then that its counters have the wrong names."""
    file = pilots.perfmon(tmp_path / "a.csv", pilots.pilots(), zone="Mitteleuropäische Zeit")
    made = file.read_bytes().decode("utf-8")
    english, rows = made.split("\r\n", 1)
    german = english
    for ours, theirs in GERMAN.items():
        german = german.replace(ours, theirs)
    file = pilots.write(tmp_path / "de.csv", f"{german}\r\n{rows}", "cp1252")
    with pytest.raises(RequestError) as error:
        measured([file], settled=True)
    assert "de.csv:1, column" in str(error.value)
    assert "has no counter of a disk by its English name" in str(error.value)
    assert "write these into row 1" in str(error.value)
    assert "Perflib\\009 and CurrentLanguage" in str(error.value)
    (reading,) = measured(
        [pilots.write(file, f"{english.replace('ä', 'ae')}\r\n{rows}", "cp1252")], settled=True
    ).readings
    assert reading.taken[0].startswith("1 machine")  # what the advice says: the first row alone in English


def test_a_desktop_with_and_without_its_domain_is_named(tmp_path: Path) -> None:
    data = pilots.pilots()
    names = (*data.names[:-2], "vdi-001.corp.local", "X.corp.local")
    study = measured([pilots.generic(tmp_path / "a.csv", replace(data, names=names))], settled=True)
    (found,) = (each for each in study.findings if each.level == "amber")
    assert found.found == "VDI-001 and vdi-001.corp.local"
    assert found.effect == "counted as two desktops each; where they are one, give it one name"
    assert study.desktops == 12


@pytest.mark.parametrize(
    ("windows", "steady"),
    [
        ({}, "08:00-18:00"),
        ({"boot": "07:30-08:00"}, "08:00-18:00"),
        ({"login": "08:00-09:30"}, "09:30-18:00"),
        ({"login": "08:00-09:30", "patching": "12:00-13:00"}, "09:30-12:00, 13:00-18:00"),
    ],
)
def test_work_has_the_hours_that_the_other_phases_leave(windows: dict[str, str], steady: str) -> None:
    made = plan({"steady": "08:00-18:00", **windows}, "mon-fri", 30)
    assert made.hours("steady") == steady
    assert all(made.hours(name) == hours for name, hours in windows.items())


def test_hours_beyond_midnight_are_one_window() -> None:
    made = plan({"steady": "20:00-06:00", "patching": "23:00-01:00"}, "mon-fri", 30)
    assert (made.hours("steady"), made.hours("patching")) == ("20:00-23:00, 01:00-06:00", "23:00-01:00")
