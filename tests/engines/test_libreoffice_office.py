"""Offices that the engine on LibreOffice starts or finds: gone, hanging, missing, shared by two runs."""

import ast
import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import xlwings as xw

import build
from addin.engines import calc as engine
from addin.engines.office import ANOTHER_PYTHON, application, client
from addin.errors import AddinError
from tests.support import libreoffice, needed

pytestmark = pytest.mark.office

TEMPLATE = Path(build.__file__).parent / "templates" / "vdi-storage-sizing.xlsx"


@pytest.fixture
def own():
    """An office of the test's own, so that it may be killed."""
    libreoffice.soffice()
    with engine.private_office() as own:
        yield own


def read_for_ever(sheet):
    while True:
        assert sheet.used_range.value


@pytest.mark.skipif(os.name != "posix", reason="process groups are POSIX")
def test_an_office_killed_while_it_works_is_reported_at_once_and_leaves_no_lock(own, tmp_path):
    path = Path(shutil.copy(TEMPLATE, tmp_path / "quote.xlsx"))
    before = path.read_bytes()
    sheet = own.books.open(path).sheets["Inputs"]
    killer = threading.Timer(0.2, os.killpg, (own.pid, signal.SIGKILL))
    killer.start()
    with pytest.raises(application.OfficeError, match=r"^LibreOffice was closed\. Open the workbook again"):
        read_for_ever(sheet)
    with pytest.raises(application.OfficeError, match=r"^LibreOffice was closed\."):
        sheet["A1"].value = 1
    assert [file.name for file in tmp_path.iterdir()] == ["quote.xlsx"]
    assert path.read_bytes() == before
    with engine.private_office() as again:
        assert again.books.open(path).sheets["Inputs"].used_range.value


@pytest.mark.skipif(os.name != "posix", reason="process groups are POSIX")
def test_an_office_killed_while_a_sheet_is_copied_is_reported(own):
    source, target = own.books.add(), own.books.add()
    os.killpg(own.pid, signal.SIGSTOP)
    killer = threading.Timer(0.5, os.killpg, (own.pid, signal.SIGKILL))
    killer.start()
    with pytest.raises(application.OfficeError, match=r"^LibreOffice was closed\. Open the workbook again"):
        own.impl.ask("copy_sheet", source.impl.uid, "Sheet1", target.impl.uid, "Copy", 1)


@pytest.mark.skipif(os.name != "posix", reason="process groups are POSIX")
def test_an_office_that_does_not_answer_is_given_up(own):
    book = own.books.add()
    os.killpg(own.pid, signal.SIGSTOP)
    with pytest.raises(application.OfficeError, match=r"^LibreOffice did not answer within 1 s\. Close its dialogs"):
        own.impl.ask("books", limit_s=1)
    os.killpg(own.pid, signal.SIGCONT)
    with pytest.raises(application.OfficeError, match=r"^LibreOffice was closed\."):
        book.name  # noqa: B018


def test_two_private_offices_know_nothing_of_each_other(own):
    with engine.private_office() as app:
        meet_nowhere(app, own)


def meet_nowhere(app, own):
    book, other = app.books.add(), own.books.add()
    book.sheets[0]["A1"].value, other.sheets[0]["A1"].value = 1, 2
    assert (book.sheets[0]["A1"].value, other.sheets[0]["A1"].value) == (1.0, 2.0)
    assert app != own
    assert len(own.books) == len(app.books) == 1


def test_nobody_on_the_pipe_is_reported(monkeypatch):
    libreoffice.soffice()
    monkeypatch.setattr(engine, "ATTACH_S", 0.2)
    with pytest.raises(application.OfficeError, match=r"no LibreOffice listens on the pipe nobody-there\. Open"):
        engine.attach("nobody-there")


def test_a_missing_office_or_python_is_reported(monkeypatch):
    libreoffice.soffice()
    client.bridge_python.cache_clear()
    monkeypatch.setattr(shutil, "which", lambda command: None)
    with pytest.raises(application.OfficeError, match=r"^LibreOffice \(soffice\) is not installed\. Install"):
        engine.attach("nobody-there")
    monkeypatch.setattr(application, "installed", lambda: "/usr/bin/soffice")
    with pytest.raises(application.OfficeError, match=r"^No Python can talk to LibreOffice\. Install python3-uno"):
        engine.attach("nobody-there")
    monkeypatch.undo()
    client.bridge_python.cache_clear()


@pytest.mark.parametrize(
    ("user", "pipe"), [("ann", "vdi-sizing-ann"), ("Jörg Müller", "vdi-sizing-J-rg-M-ller"), ("", "vdi-sizing-win")]
)
def test_the_pipe_is_named_after_the_user(monkeypatch, user, pipe):
    monkeypatch.setenv("USER", user)
    monkeypatch.setenv("USERNAME", "win")
    assert engine.default_pipe() == pipe


def test_registering_twice_adds_one_engine():
    assert engine.register() is engine.register()
    assert [each.name for each in xw.engines].count("libreoffice") == 1


def test_the_bridge_runs_on_the_oldest_python_that_an_office_brings():
    folder = Path(client.__file__).parent
    standalone = {
        "client.py",
        "application.py",
        "recompute.py",
    }  # run by the Python of the add-in, as they start the office
    for name in sorted({path.name for path in folder.glob("*.py")} - standalone):
        tree = ast.parse((folder / name).read_text(encoding="utf-8"), feature_version=(3, 8))
        imported = {node.names[0].name for node in ast.walk(tree) if isinstance(node, ast.Import)}
        assert imported <= {"datetime", "os", "pickle", "re", "sys", "threading", "time", "uno", "unohelper"}, name


SESSION = """
import pickle, sys
sys.path.append(sys.argv[3])
from addin.engines.office import office_server
office_server.COMPONENT = office_server.COMPONENT + sys.argv[2]
session = office_server.begin(office_server.connect(sys.argv[1], 10), False)

def ask(method, *arguments):
    return pickle.loads(session.reply(pickle.dumps((method, arguments))))

uid = ask("books")[1][0][0]
area = ask("used", uid, "Inputs")[1]
replies = [ask(method, uid, "Inputs", area) for method in ("read", "formulas")]
replies += [ask("names", uid), ask("read", uid, "Gone", area), ask("no_such_request")]
session.end()
sys.stdout.buffer.write(pickle.dumps((type(session).__name__, replies)))
"""


def test_inside_the_office_and_beside_it_replies_are_the_same():
    libreoffice.soffice()
    own, answers = client.PrivateOffice(), []
    try:
        own.bridge.call("open", str(TEMPLATE), False)
        for missing in ("", ".not"):  # where the office has no Python, or may not read our files
            arguments = [own.pipe, missing, str(Path(build.__file__).parent)]
            done = subprocess.run([client.bridge_python(), "-I", "-c", SESSION, *arguments], capture_output=True)
            assert done.returncode == 0, done.stderr
            answers.append(pickle.loads(done.stdout))
    finally:
        own.end()
    (inside, replies), (outside, expected) = answers
    assert (inside, outside) == ("ComponentSession", "Session")
    assert replies == expected
    kinds = [kind for kind, _ in replies]
    assert kinds == ["ok", "ok", "ok", "refused", "failed"]


@pytest.mark.skipif(os.name != "posix", reason="sockets are POSIX")
def test_an_office_that_is_killed_leaves_no_socket_and_no_temporary_file():
    libreoffice.soffice()
    private = client.PrivateOffice()
    pipes = set(Path("/tmp").glob(f"OSL_PIPE_*_{private.pipe}"))
    assert pipes
    listening = set(Path("/tmp").glob("OSL_PIPE_*_SingleOfficeIPC_*"))
    temporary = {path for path in private._folder.iterdir() if path.name.startswith("lu")}
    assert temporary  # in the profile, and gone with it
    private.kill()
    private.bridge.close()
    assert not any(pipe.exists() for pipe in pipes)
    assert len(listening - set(Path("/tmp").glob("OSL_PIPE_*_SingleOfficeIPC_*"))) >= 1
    assert not private._folder.exists()


def test_what_a_shell_has_activated_is_kept_from_the_python_of_an_office(monkeypatch):
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    for name in ANOTHER_PYTHON:
        monkeypatch.setenv(name, "/nowhere")
    with engine.private_office() as app:
        assert app.books.add().sheets[0].range("A1").value is None


@pytest.fixture
def calc(tmp_path):
    """A Calc in a window of a screen of its own, with two workbooks and a pipe, as its extension leaves it."""
    command, screen = libreoffice.soffice(), needed.program("xvfb-run", "Xvfb (xvfb-run)")
    paths = [Path(shutil.copy(TEMPLATE, tmp_path / name)) for name in ("Acme quote v2 (final).xlsx", "Müller.xlsx")]
    profile = tmp_path / "profile"
    profile.mkdir()
    application.write_profile(profile)
    pipe = f"window-{os.getpid()}"
    arguments = [f"-env:UserInstallation={profile.as_uri()}", "--norestore", "--nologo"]
    free = str(100 + os.getpid() % 10_000)  # where to look for a screen: two tests at once would choose the same screen
    running = subprocess.Popen(
        [screen, "-a", "-n", free, command, *arguments, f"--accept=pipe,name={pipe};urp;", "--calc", *map(str, paths)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield pipe
    finally:
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
        application.sweep(profile, pipe)


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a window without a screen needs Xvfb: Linux only")
def test_two_runs_on_two_workbooks_of_one_calc_do_not_meet(monkeypatch, calc):
    monkeypatch.setattr(engine, "ATTACH_S", 60)
    first, second = engine.attach(calc), engine.attach(calc)
    names = {"Acme quote v2 (final).xlsx", "Müller.xlsx"}
    deadline = time.monotonic() + 60
    while {book.name for book in first.books} != names and time.monotonic() < deadline:
        time.sleep(0.2)
    acme, other = first.books["Acme quote v2 (final).xlsx"], second.books["Müller.xlsx"]
    assert {acme.name, other.name} == names  # each run has worked on its own workbook
    first.status_bar, second.status_bar = "Monte Carlo 37 %, 2 s left", "Sensitivity 80 %"
    assert (first.status_bar, second.status_bar) == ("Monte Carlo 37 %, 2 s left", "Sensitivity 80 %")
    first.calculation = "manual"
    assert (first.calculation, second.calculation) == ("manual", "automatic")
    acme.names["In_desktops"].refers_to_range.value = 5000
    assert other.names["In_desktops"].refers_to_range.value != 5000
    first.calculation = "automatic"
    other.sheets["Summary"]["B2:C3"].select()
    assert second.selection is None or second.selection.sheet.book.name in names
    first.screen_updating = False
    hidden = first.books.add()
    uid = hidden.impl.uid
    assert hidden.name in first.books
    assert hidden.name not in second.books  # whose run could be asking for its name while it closes
    assert second.impl.ask("described", uid)
    first.quit()  # leaves the office alone, and nothing behind in it
    assert {book.name for book in second.books} == names
    with pytest.raises(AddinError, match="closed"):
        second.impl.ask("described", uid)
    second.quit()
