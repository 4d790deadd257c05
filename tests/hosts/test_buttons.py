"""The buttons of the ribbon: the VBA in the add-in is run, and the Python that it starts is started."""

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

from addin.buttons import COMMANDS
from addin.errors import RequestError
from addin.hosts.ribbon import caller, make, ovba, tab
from addin.running import launch
from addin.shell.main import parser
from tests.support.excel import WINDOWS_PYTHON, Excel, python

ROOT = Path(make.__file__).parents[3]
MODULES = ovba.sources(make.ribbon_parts()["xl/vbaProject.bin"])
BUTTONS = [
    (button.get("onAction", ""), button.get("tag", ""))
    for button in ElementTree.fromstring(tab.tab().encode()).iter()
    if button.tag.endswith("button")
]
WINDOWS = {"INTERPRETER_WIN": WINDOWS_PYTHON}
MAC = {"INTERPRETER_MAC": "/venv/bin/python"}
NAMES = [
    "vdi-storage-sizing.xlsx",
    "Acme quote v2 (final).xlsx",
    "Kunde = Müller & Söhne.xlsx",
    "a=b==c = .xlsx",
    "it's 'quoted'.xlsx",
    "100% of load, 50^2, !important!.xlsx",
    "Grüße {0} [1] ~ 見積もり.xlsx",
]
# Instead of starting the command, the Python that a button starts writes down what it was asked to start.
WATCH = """
import json, os, subprocess, sys
class Popen(subprocess.Popen):
    def __init__(self, arguments, **options):
        with open(os.environ["WATCHED"], "w", encoding="utf-8") as file:
            json.dump([list(map(str, arguments)), str(options["cwd"])], file)
        super().__init__([sys.executable, "-c", ""], **options)
subprocess.Popen = Popen
"""


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that says what was started; the project is importable as after an installation."""
    (tmp_path / "watch").mkdir()
    (tmp_path / "watch" / "sitecustomize.py").write_text(WATCH, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path / "watch"), str(ROOT)]))
    monkeypatch.setenv("WATCHED", str(tmp_path / "watched.json"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path / "watched.json"


def procedure(action: str) -> str:
    """Return the name of the procedure that an onAction means; its module must be the add-in's."""
    module, _, name = action.partition(".")
    assert module == make.MODULE
    return name


@pytest.mark.parametrize(("action", "tag"), BUTTONS)
@pytest.mark.parametrize("mac", [False, True])
def test_every_button_reaches_a_procedure_and_python_that_can_be_imported(action, tag, mac):
    excel = Excel(MODULES, "/b.xlsx" if mac else r"C:\b.xlsx", mac, MAC if mac else WINDOWS)
    excel.press(procedure(action), tag)
    assert excel.messages == []
    (line,) = excel.started
    call = line.split("import addin.hosts.ribbon.caller;addin.hosts.ribbon.caller.")[1].split(")")[0]
    name, _, argument = call.partition("(")
    assert callable(getattr(importlib.import_module("addin.hosts.ribbon.caller"), name))
    selected = "5,4,Inputs".encode("utf-16-be").hex().upper()
    assert (name, argument) == (("cancel", "") if tag == "cancel" else ("start", f"'{tag}','{selected}'"))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_on_windows_the_command_line_reaches_python_with_the_name_of_the_workbook(name, watched):
    excel = Excel(MODULES, rf"C:\Kunden\Jörg\Down & loads\{name}", settings=WINDOWS)
    excel.press("StartCommand", "simulate")
    folder, arguments = excel.arguments()
    assert folder == WINDOWS_PYTHON.rpartition("\\")[0]
    assert arguments[0] == WINDOWS_PYTHON
    done = python(arguments, watched.parent, {})
    assert (done.returncode, done.stderr) == (0, "")
    started, _ = json.loads(watched.read_text(encoding="utf-8"))
    assert started[1:5] == ["-m", "addin", "simulate", "--run"]
    assert started[6] == "--engine=excel"
    assert f"--book={name}" in started
    assert "--selected=5,4,Inputs" in started


@pytest.mark.slow
@pytest.mark.parametrize(
    ("selected", "given"),
    [
        ((12, 3, "Grüße 'n' \"見\" 100%!, x"), ["--selected=12,3,Grüße 'n' \"見\" 100%!, x"]),
        ((0, 0, "a picture is selected"), []),
    ],
)
def test_the_cell_that_was_selected_at_the_click_reaches_the_command(selected, given, watched):
    excel = Excel(MODULES, r"C:\b.xlsx", settings=WINDOWS, selected=selected)
    excel.press("StartCommand", "explain")
    assert python(excel.arguments()[1], watched.parent, {}).returncode == 0
    started, _ = json.loads(watched.read_text(encoding="utf-8"))
    assert [option for option in started if option.startswith("--selected=")] == given


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_on_a_mac_the_shell_reaches_python_with_the_name_of_the_workbook(name, watched):
    excel = Excel(MODULES, f"/Volumes/joerg/it's here/{name}", mac=True, settings={"INTERPRETER_MAC": sys.executable})
    excel.press("StartCommand", "simulate")
    (line,) = excel.started
    line = line.replace("/sandbox/xlwings.log", str(watched.parent / "log"))
    subprocess.run(["sh", "-c", f"{line} wait"], cwd="/", check=True, timeout=60)
    assert (watched.parent / "log").read_text() == ""
    started, _ = json.loads(watched.read_text(encoding="utf-8"))
    assert f"--book={name}" in started


@pytest.mark.slow
@pytest.mark.parametrize("mac", [False, True])
def test_code_beside_the_workbook_is_not_imported(mac, tmp_path, watched, monkeypatch):
    """The button is pressed while Excel's current folder is the one of a downloaded workbook."""
    downloads, home = tmp_path / "Downloads", tmp_path / "python"
    home.mkdir()
    evil = f"open({str(tmp_path / 'imported')!r}, 'a').write(__name__ + ' ')\n"
    for name in ("addin/__init__.py", "addin/running/launch.py", "numpy.py", "xlwings.py", "openpyxl.py", "json.py"):
        (downloads / name).parent.mkdir(parents=True, exist_ok=True)
        (downloads / name).write_text(evil)
    book = downloads / "quote.xlsx"
    excel = Excel(MODULES, str(book), mac, {"INTERPRETER_MAC": sys.executable} if mac else WINDOWS)
    excel.press("StartCommand", "simulate")
    if mac:
        line = excel.started[0].replace("/sandbox/xlwings.log", str(tmp_path / "log"))
        subprocess.run(["sh", "-c", f"{line} wait"], cwd="/", check=True, timeout=60)  # where `do shell script` runs
    else:
        _, arguments = excel.arguments()
        done = python(arguments, home, {})  # the line changes to the folder of Python first: asserted above
        assert done.returncode == 0, done.stderr
    assert not (tmp_path / "imported").exists()
    started, folder = json.loads(watched.read_text(encoding="utf-8"))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    subprocess.run([sys.executable, *started[1:4], "--help"], cwd=folder, capture_output=True, timeout=60)
    assert not (tmp_path / "imported").exists()


@pytest.mark.slow
def test_the_watch_would_see_such_an_import(tmp_path, watched):
    """The same line with the setting that xlwings ships: the folder of the workbook becomes an import path."""
    (tmp_path / "addin").mkdir()
    (tmp_path / "addin" / "__init__.py").write_text(f"open({str(tmp_path / 'imported')!r}, 'w').close()\n")
    excel = Excel(MODULES, str(tmp_path / "quote.xlsx"), settings=WINDOWS)
    excel.press("StartCommand", "simulate")
    _, arguments = excel.arguments()
    python([text.replace('"false;', '"true;') for text in arguments], Path("/"), {})
    assert (tmp_path / "imported").exists()


def test_settings_in_the_workbook_or_beside_it_do_not_choose_the_python():
    excel = Excel(MODULES, r"C:\b.xlsx", settings=WINDOWS, sheets=("vdi-sizing.conf", "code.py"))
    excel.files = (*excel.files, r"C:\vdi-sizing.conf")  # `Excel` fails when either is read
    excel.press("StartCommand", "audit")
    assert excel.arguments()[1][0] == WINDOWS_PYTHON


@pytest.mark.parametrize(
    ("excel", "words"),
    [
        (Excel(MODULES, None), "No workbook is open."),
        (Excel(MODULES, None, mac=True), "No workbook is open."),
        (Excel(MODULES, None, protected=1), "The workbook is in Protected View. Choose Enable Editing, and press the"),
        (Excel(MODULES, r"C:\b.xlsx"), "does not know yet where Python is"),
        (Excel(MODULES, "/b.xlsx", mac=True), "does not know yet where Python is"),
        (Excel(MODULES, r"C:\b.xlsx", settings={"INTERPRETER_WIN": "python"}), "does not know yet where Python is"),
        (Excel(MODULES, r"C:\b.xlsx", settings=WINDOWS, files=()), rf"Python is no longer at {WINDOWS_PYTHON}."),
        (Excel(MODULES, r"C:\a;b\c.xlsx", settings=WINDOWS), "holds the character ;"),
        (Excel(MODULES, r"C:\%X%.xlsx", settings=WINDOWS, variables={"X": "y"}), "holds the character %"),
        *((Excel(MODULES, f"/a{c}b.xlsx", mac=True, settings=MAC), f"holds the character {c},") for c in '"$`\\|;'),
    ],
)
def test_what_is_missing_is_said_in_words_and_nothing_is_started(excel, words):
    excel.press("StartCommand", "simulate")
    assert excel.started == []
    (message,) = excel.messages
    assert words in message
    assert any(step in message for step in ("python -m addin install", "press the button again"))


@pytest.mark.parametrize("mac", [False, True])
@pytest.mark.parametrize("missing", ["xlwings", "addin"])
def test_a_missing_package_is_said_in_words(missing, mac):
    excel = Excel(MODULES, "/b.xlsx" if mac else r"C:\b.xlsx", mac, MAC if mac else WINDOWS, exit_code=1)
    done = subprocess.run([sys.executable, "-I", "-S", "-c", f"import {missing}"], capture_output=True, text=True)
    excel.log = done.stderr
    excel.press("StartCommand", "simulate")
    (message,) = excel.messages
    assert "a package that it needs is not installed" in message
    assert "python -m pip install -r requirements.lock" in message


def test_a_command_that_cannot_start_leaves_one_sentence(monkeypatch):
    def refuse(*_: object, **__: object) -> int:
        raise RequestError("the folder belongs to another user.")

    monkeypatch.setattr(launch, "start", refuse)
    with pytest.raises(SystemExit, match=r"^simulate was not started: the folder belongs to another user\.$"):
        caller.start("simulate")
    monkeypatch.setattr(launch, "cancel", refuse)
    with pytest.raises(SystemExit, match=r"^Nothing was cancelled: the folder belongs to another user\.$"):
        caller.cancel()


def test_of_two_windows_the_one_with_the_button_is_handed_on(monkeypatch):
    """RunPython names the window; Windows tells its process, and with it which of several Excels is meant."""

    def process_of(window: int, process: Any) -> None:
        process._obj.value = {7: 4711}.get(window, 0)

    user32 = SimpleNamespace(GetWindowThreadProcessId=process_of)
    monkeypatch.setattr("ctypes.windll", SimpleNamespace(user32=user32), raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    started: list[dict[str, object]] = []
    monkeypatch.setattr(launch, "start", lambda command, **given: started.append(given))
    monkeypatch.setattr(launch, "cancel", lambda **given: started.append(given))
    for window, process in (("7", "4711"), ("8", None)):
        monkeypatch.setattr(sys, "argv", ["-c", "--wb=a.xlsx", "--from_xl=1", f"--hwnd={window}"])
        started.clear()
        caller.start("simulate")
        caller.cancel()
        asked = {"engine": "excel", "book": "a.xlsx", "pipe": process}
        assert started == [asked | {"selected": ""}, asked]


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["-c", "--wb=a=b.xlsx", "--from_xl=1"], "a=b.xlsx"),
        (["--wb=", "--wb=later"], ""),
        (["--from_xl=1"], None),
    ],
)
def test_the_name_is_everything_behind_the_first_equals_sign(arguments, name):
    assert caller.book_name(arguments) == name


@pytest.mark.parametrize(("action", "tag"), BUTTONS)
def test_where_office_may_start_no_program_a_button_names_the_command_for_a_terminal(action, tag):
    excel = Excel(MODULES, r"C:\b.xlsx", settings=WINDOWS, blocked="Permission denied")
    excel.press(procedure(action), tag)
    (message,) = excel.messages
    assert message.startswith(
        "Excel could not start Python: Permission denied\r\n\r\nA policy of your organisation may"
    )
    if tag == "cancel":
        assert message.endswith(" press Ctrl+C where the command runs.")
    else:
        words = message.rpartition("python -m addin ")[2].split()
        assert words[0] == tag
        assert parser().parse_args(words).engine == "excel"
        assert ("--sheet" in words) is bool(COMMANDS[tag].sheet)
