"""install, uninstall and doctor on made-up machines: a fake home, a fake system, a fake registry."""

import hashlib
import json
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from addin.engines.office import application
from addin.hosts.ribbon import make, ovba
from addin.install import doctor, install, policies
from addin.install.machine import InstallError, Machine
from addin.running import runfile
from addin.xlsx.package import read_parts, write_parts
from tests.support.excel import Excel

LOCKED = "python -m pip install --require-hashes -r requirements.lock"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "Jörg"
    (folder / "venv").mkdir(parents=True)
    (folder / "venv" / "python").touch()
    return folder


def made_up(system: str, home: Path, **variables: str) -> Machine:
    """A machine without LibreOffice whose Python is below the home folder."""
    return Machine(system, home, str(home / "venv" / "python"), None, {"PATH": str(home), **variables})


@pytest.fixture(params=["win32", "darwin"])
def excel(request: pytest.FixtureRequest, home: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setattr(application, "installed", lambda: None)
    return made_up(request.param, home)


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def problems(checks: list[policies.Check]) -> list[str]:
    return [str(check) for check in checks if check.advice]


def no_registry(key: str, name: str) -> None:
    return None


def test_the_addin_lands_where_excel_loads_it(excel, home):
    install.install_excel(excel)
    folder = {
        "win32": "AppData/Roaming/Microsoft/Excel/XLSTART",
        "darwin": "Library/Group Containers/UBF8T346G9.Office/User Content.localized/Startup.localized/Excel",
    }[excel.system]
    assert read_parts(home / folder / "vdi-sizing.xlam") == make.ribbon_parts()


def test_windows_follows_appdata_where_it_points_elsewhere(home, tmp_path):
    roaming = made_up("win32", home, APPDATA=str(tmp_path / "roaming"))
    install.install_excel(roaming)
    assert (tmp_path / "roaming/Microsoft/Excel/XLSTART/vdi-sizing.xlam").is_file()


def test_macos_gets_the_applescript_of_the_installed_xlwings(home):
    install.install_excel(made_up("darwin", home))
    name = f"xlwings-{make.xlwings_version()}.applescript"
    there = home / "Library/Application Scripts/com.microsoft.Excel" / name
    assert there.read_bytes() == make.template().with_name(name).read_bytes()


def test_the_vba_of_the_addin_reads_the_python_that_was_installed(excel, home):
    """A name like Jörg stays out of the file: VBA reads it in the code page of the system."""
    install.install_excel(replace(excel, path=str(home / "vdi sizing")) if excel.system == "win32" else excel)
    assert excel.excel_settings.read_bytes().isascii()
    stored = install.read_conf(excel)
    python = install.expanded(excel, stored[excel.interpreter_key])
    assert python == excel.python
    mac = excel.system == "darwin"
    settings = {name: install.expanded(excel, value) for name, value in stored.items()}
    button = Excel(
        ovba.sources(make.ribbon_parts()["xl/vbaProject.bin"]),
        "/b.xlsx" if mac else r"C:\b.xlsx",
        mac,
        settings,
        files=(python,),
    )
    button.press("StartCommand", "audit")
    assert button.messages == []
    assert python in button.started[0]
    if not mac:
        assert "vdi sizing" in button.started[0]  # the folder of the project, for Python to find it


def test_uninstall_removes_exactly_what_install_made(excel, home):
    (home / ".xlwings").mkdir()
    (home / ".xlwings" / "xlwings.conf").write_text('"INTERPRETER_WIN","mine"\n')
    excel.excel_startup.mkdir(parents=True)
    (excel.excel_startup / "other.xlam").write_bytes(b"another add-in")
    before = files(home)
    install.install_excel(excel)
    assert set(before) < set(files(home))
    install.uninstall(excel)
    assert files(home) == before
    assert not excel.own_folder.exists()
    assert install.uninstall(excel) == ["Nothing is installed."]


def test_installing_twice_is_installing_once(excel, home):
    install.install_excel(excel)
    once = files(home)
    install.install_excel(excel)
    assert files(home) == once


def test_settings_that_a_user_added_are_kept(excel):
    install.install_excel(excel)
    with excel.excel_settings.open("ab") as file:
        file.write(b'"SHOW CONSOLE","True"\r\n')
    install.install_excel(excel)
    assert install.read_conf(excel)["SHOW CONSOLE"] == "True"
    lines = install.uninstall(excel)
    assert install.read_conf(excel) == {"SHOW CONSOLE": "True"}
    assert any("SHOW CONSOLE" in line for line in lines)


def test_a_file_changed_since_is_kept_and_named(excel):
    install.install_excel(excel)
    excel.addin.write_bytes(b"edited in the VBA editor")
    lines = install.uninstall(excel)
    assert f"Kept {excel.addin}: it was changed after it was installed" in lines
    assert excel.addin.read_bytes() == b"edited in the VBA editor"


def test_an_applescript_that_xlwings_put_there_survives(home):
    mac = made_up("darwin", home)
    mac.apple_scripts.mkdir(parents=True)
    script = mac.apple_scripts / install.apple_script().name
    script.write_bytes(install.apple_script().read_bytes())
    install.install_excel(mac)
    install.uninstall(mac)
    assert script.is_file()


@pytest.mark.parametrize(
    ("system", "python", "unsafe"),
    [
        ("darwin", "/opt/my python/bin/python", "' '"),
        ("darwin", "/opt/it's/python", '"\'"'),
        ("darwin", "/opt/$x/python", "'$'"),
        ("win32", r"D:\50%\python.exe", "'%'"),
        ("win32", r"D:\Müller\python.exe", "letters outside ASCII"),
    ],
)
def test_a_path_that_excel_cannot_hand_on_is_refused_and_nothing_written(system, python, unsafe, home):
    before = files(home)
    with pytest.raises(InstallError) as error:
        install.install_excel(replace(made_up(system, home), python=python))
    assert unsafe in str(error.value)
    assert python in str(error.value)
    assert "Make the environment in a folder with a plain name." in str(error.value)
    assert files(home) == before


def test_where_excel_does_not_run_the_way_to_calc_is_named(home):
    with pytest.raises(InstallError, match=r"python -m addin install --calc\.$"):
        install.install_excel(made_up("linux", home))


def test_a_damaged_receipt_is_named(excel):
    install.install_excel(excel)
    excel.receipt.write_text("{")
    with pytest.raises(InstallError, match=r"installed\.json: cannot be read .*Remove it and install again\."):
        install.uninstall(excel)


def test_a_damaged_conf_is_named_and_left_alone(excel):
    excel.excel_settings.parent.mkdir(parents=True)
    excel.excel_settings.write_text("INTERPRETER_WIN\n")
    with pytest.raises(InstallError, match=r"found \['INTERPRETER_WIN'\]"):
        install.install_excel(excel)
    assert excel.excel_settings.read_text() == "INTERPRETER_WIN\n"
    assert not excel.addin.exists()


def unopkg(folder: Path, code: int = 0, message: str = "") -> None:
    """A program that notes how it was called."""
    script = folder / "unopkg"
    script.write_text(f'#!/bin/sh\necho "$@" >> "{folder}/called"\necho "{message}" >&2\nexit {code}\n')
    script.chmod(script.stat().st_mode | stat.S_IXUSR)


@pytest.mark.skipif(os.name == "nt", reason="the made-up unopkg is a shell script")
def test_the_calc_extension_is_added_and_removed_by_unopkg(home):
    unopkg(home)
    linux = replace(made_up("linux", home), path="/opt/vdi sizing = ü")
    before = files(home)
    install.install_calc(linux)
    assert linux.calc_settings.read_text(encoding="utf-8") == f"python={linux.python}\npath=/opt/vdi sizing = ü\n"
    install.uninstall(linux)
    added, removed = (home / "called").read_text().splitlines()
    assert added.startswith("add --force --suppress-license ")
    assert removed == "remove vdi-storage-sizing.calc"
    assert set(files(home)) == {*before, "called"}


@pytest.mark.skipif(os.name == "nt", reason="the made-up unopkg is a shell script")
def test_what_unopkg_refuses_is_passed_on_and_nothing_is_noted(home):
    unopkg(home, 1, "ERROR: Cannot run unopkg as root")
    linux = made_up("linux", home)
    with pytest.raises(InstallError, match=r"unopkg ended with 1: ERROR: Cannot run unopkg as root"):
        install.install_calc(linux)
    assert not linux.own_folder.exists()


@pytest.mark.skipif(os.name == "nt", reason="the made-up unopkg is a shell script")
def test_a_home_that_takes_no_file_is_named_before_unopkg_waits_for_it(home):
    unopkg(home)
    linux = made_up("linux", home)
    linux.own_folder.write_text("in the way")
    with pytest.raises(InstallError, match="no file can be made there"):
        install.install_calc(linux)
    assert not (home / "called").exists()


def test_without_libreoffice_the_extension_is_refused_in_words(excel):
    with pytest.raises(InstallError, match=r"LibreOffice \(unopkg\) was not found"):
        install.install_calc(excel)


def test_doctor_finds_nothing_after_an_installation(excel):
    install.install_excel(excel)
    checks = doctor.examine(excel, no_registry)
    assert problems(checks) == []
    lines = [str(check) for check in checks]
    assert all(line.startswith("ok       ") for line in lines)
    assert any("The buttons start this Python" in line for line in lines)
    assert any(f".log files in {runfile.folder()}" in line for line in lines)
    assert any(f"for xlwings {make.xlwings_version()}" in line for line in lines)


def test_doctor_says_what_to_do_before_an_installation(excel):
    advice = problems(doctor.examine(excel, no_registry))
    assert any("The ribbon add-in is not in" in line for line in advice)
    assert any("names no Python" in line for line in advice)
    assert all(line.endswith("Run: python -m addin install") for line in advice)


def test_doctor_sees_an_addin_of_another_xlwings(excel, monkeypatch):
    install.install_excel(excel)
    monkeypatch.setattr(make, "xlwings_version", lambda: "0.99.0")
    (line,) = (line for line in problems(doctor.examine(excel, no_registry)) if "The add-in is made for" in line)
    assert "this Python has 0.99.0. Run: python -m addin install" in line


def test_doctor_sees_an_addin_of_another_version_and_a_damaged_one(excel):
    install.install_excel(excel)
    write_parts(excel.addin, read_parts(excel.addin) | {"customUI/customUI.xml": b"<customUI/>"})
    assert any("comes from another version" in line for line in problems(doctor.examine(excel, no_registry)))
    excel.addin.write_bytes(b"half a file")
    assert any("or damaged" in line for line in problems(doctor.examine(excel, no_registry)))


def test_doctor_sees_a_python_that_is_gone(excel):
    install.install_excel(excel)
    Path(excel.python).unlink()
    assert any(
        "the Python that the buttons start is not there" in x for x in problems(doctor.examine(excel, no_registry))
    )


CHILDREN, CALLS = policies.CHILD_PROCESSES, policies.WIN32_CALLS
STARTS = "Defender keeps Office from starting programs"


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"VBAWarnings": 4}, "Excel disables all macros"),
        ({"RequireAddinSig": 1}, "signed add-ins only"),
        ({"DisableAllAddins": 1}, "Excel loads no add-ins"),
        ({"AllLocationsDisabled": 1}, "Excel trusts no folder"),
        ({"VBAOff": 1}, "Office runs no macros at all"),
        (
            {"AllowUserLocations": 0, "VBAWarnings": 2},
            "asks before it runs macros: choose Enable Content, since the startup",
        ),
        ({"AllowUserLocations": 0, "VBAWarnings": 3}, "signed macros only, and this add-in is not signed, since"),
        ({"Enabled": "0"}, "Windows Script Host is switched off"),
        ({CHILDREN: "1"}, STARTS),
        ({"ASRRules": f"{CALLS}=2|{CHILDREN.upper()}=1"}, STARTS),
        ({"ASRRules": f"{CHILDREN}=2", CHILDREN: "1"}, STARTS),  # the strictest counts
    ],
)
def test_doctor_sees_policies_and_names_the_way_round(values, words):
    advice = [str(check) for check in policies.seen(lambda key, asked: values.get(asked)) if check.advice]
    assert advice
    assert all(words in line and "python -m addin --help" in line for line in advice)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"VBAWarnings": 2}, ""),  # the startup folder is trusted
        ({"VBAWarnings": 3}, ""),
        ({CHILDREN: "2"}, "tells your administrator when a button starts Python, and lets it"),
        ({"ASRRules": f"{CHILDREN}=6"}, "asks before Office starts Python: choose Unblock"),
        ({"ASRRules": f"{CHILDREN}=0|{CALLS}=1"}, "checks macros for Win32 calls: this add-in makes none"),
        ({}, ""),
    ],
)
def test_what_a_policy_allows_is_no_problem(values, words):
    checks = policies.seen(lambda key, asked: values.get(asked))
    assert [check for check in checks if check.advice] == []
    assert words in str(checks[0])
    assert str(checks[-1]).startswith("ok       No policy seen that keeps Excel from running")


def test_doctor_asks_about_policies_on_windows_alone(home, monkeypatch):
    monkeypatch.setattr(application, "installed", lambda: None)
    for system, expected in (("win32", 1), ("darwin", 0)):
        machine = made_up(system, home)
        install.install_excel(machine)
        checks = doctor.examine(machine, lambda key, asked: "1" if asked == CHILDREN else None)
        assert sum(STARTS in str(check) for check in checks) == expected


def test_a_copy_that_an_organisation_signed_is_kept(excel):
    install.install_excel(excel)
    parts = read_parts(excel.addin) | {"xl/vbaProjectSignature.bin": b"signed"}
    write_parts(excel.addin, parts)
    assert f"Kept {excel.addin}: your organisation has signed it" in install.install_excel(excel)
    assert read_parts(excel.addin) == parts
    checks = doctor.examine(excel, no_registry)
    assert problems(checks) == []
    assert any("is signed by your organisation, for xlwings" in str(check) for check in checks)


def test_doctor_sees_a_package_outside_its_bounds_or_missing(excel, monkeypatch):
    monkeypatch.setattr(doctor, "_declared", lambda: {"openpyxl": ">=99,<100", "no-such-package": ">=1"})
    advice = problems(doctor.examine(excel, no_registry))
    assert any("openpyxl" in line and "Expected >=99,<100" in line for line in advice)
    missing = "no-such-package: not installed in this Python"
    assert any(line.endswith(f"{missing}. Run: {LOCKED}") for line in advice)


def test_doctor_names_the_lock_file_where_there_is_one(excel, tmp_path, monkeypatch):
    monkeypatch.setattr(doctor, "ROOT", tmp_path)  # of an install, beside other packages
    monkeypatch.setattr(doctor, "_declared", lambda: {"openpyxl": ">=99,<100", "no-such-package": ">=1"})
    advice = problems(doctor.examine(excel, no_registry))
    assert [line.rpartition(". ")[2] for line in advice[:2]] == ["Install vdi-storage-sizing again"] * 2


@pytest.mark.parametrize(
    ("version", "bound", "holds"),
    [
        ("3.1.5", ">=3.1.5", True),
        ("3.2", "<3.2", False),
        ("3.10", ">=3.9", True),
        ("2", ">=2.0", True),
        ("0.37.8", "<0.38", True),
        ("1.0", "==1.0.0", True),
    ],
)
def test_versions_are_compared_by_number(version, bound, holds):
    assert doctor._within(version, bound) is holds


def test_the_receipt_holds_the_digest_of_what_was_written(excel):
    install.install_excel(excel)
    receipt = json.loads(excel.receipt.read_text())
    assert receipt[str(excel.addin)] == hashlib.sha256(excel.addin.read_bytes()).hexdigest()
