"""The button Measure on a file: a copy with the demand and what is typed, a sheet that says where; else nothing."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
import xlwings as xw

from addin import commands
from addin.buttons import COMMANDS
from addin.errors import AddinError, BookError, RequestError
from addin.kernel import Address, Scalar
from addin.results import applying, kept, measure_options
from addin.results.applying import Change
from addin.running import dialogs
from addin.running.runner import run_command
from addin.shell.main import parser
from addin.workbook.book import SizingBook, open_book
from tests.commands.test_launch import own_folder
from tests.support import opened
from tests.support.shell import Run

__all__ = ["own_folder"]
SHEET = COMMANDS["measure"].sheet
LINE = "hours 08:00-18:00, login 08:00-09:30, desktops VDI-0*, keep-first-days"
SHELL = ("--hours", "08:00-18:00", "--login", "08:00-09:30", "--desktops", "VDI-0*", "--keep-first-days")


@pytest.fixture
def book(original: Path, tmp_path: Path) -> xw.Book:
    return opened.opened(opened.copied(original, tmp_path))


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[dict[Address, Scalar]]:
    """What copies were to hold, in place of them: most of a test would be the results of their formulas."""
    held: list[dict[Address, Scalar]] = []

    def made(_: SizingBook, changes: Sequence[Change]) -> dict[str, bytes]:
        held.append({each.item.address: each.now for each in changes})
        return {"[Content_Types].xml": b"<Types/>"}

    monkeypatch.setattr(applying, "made", made)
    return held


def beside(book: xw.Book) -> list[str]:
    """Return the files in the folder of a workbook."""
    return sorted(path.name for path in Path(book.fullname).parent.iterdir())


@pytest.mark.slow
def test_the_copy_has_what_is_typed_and_measured_and_the_workbook_its_sheet_alone(book: xw.Book) -> None:
    path = Path(book.fullname)
    opened.type_in(book, "In_desktops", 2200)  # not saved: what stands on the screen counts
    before, state = path.read_bytes(), opened.state(book)
    done = commands.measure(book, [opened.measured()], LINE)
    target = path.with_name("Acme quote v2 (final) measured.xlsx")
    assert f"Written into My profile 1 of {target}: open that copy" in done.text
    assert done.text.startswith("Measured on 12 desktops, 7 days, 5-minute means; 95 % upper bound")
    assert (path.read_bytes(), opened.state(book)) == (before, state)
    copy = open_book(target)
    assert copy.cells.constant(copy.entry("desktops").address) == 2200
    assert any(str(key).startswith("Measured: 12 desktops") for key in copy.own)
    shown = [str(value) for row in book.sheets[SHEET].used_range.value for value in row if isinstance(value, str)]
    assert f"{target.name}, beside this workbook: open it to size with what was measured" in shown
    assert any(text.startswith("pilots.csv (") for text in shown)


@pytest.mark.slow
def test_button_and_shell_write_the_same(
    book: xw.Book, original: Path, run: Run, written: list[dict[Address, Scalar]], tmp_path: Path
) -> None:
    commands.measure(book, [opened.measured()], LINE)
    assert run("measure", original, opened.measured(), *SHELL, "--save", tmp_path / "new.xlsx")[0] == 0
    by_button, by_shell = written
    assert by_button == by_shell
    assert len(by_button) > 200


@pytest.mark.slow
def test_a_second_copy_has_a_name_of_its_own_and_is_named_where_the_sheet_is_refused(
    book: xw.Book, written: list[dict[Address, Scalar]], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = Path(book.fullname).stem
    book.sheets.add("Mine", after=book.sheets[-1])
    commands.measure(book, [opened.measured()], LINE)
    texts = [row[0] for row in book.sheets[SHEET].used_range.value]
    assert "added since it was saved, so not in the copy: Mine" in texts
    monkeypatch.setattr(kept, "put_in", refuse)
    with pytest.raises(BookError, match=r"Written into My profile 1 of .* measured 2\.xlsx: open that copy\. Of this"):
        commands.measure(book, [opened.measured()], LINE)
    assert beside(book) == [f"{name} measured 2.xlsx", f"{name} measured.xlsx", f"{name}.xlsx"]
    assert written[0] == written[1]
    assert not any(at.sheet in ("Mine", SHEET) for at in written[0])


def refuse(*_: object) -> str:
    """Put no sheet in."""
    raise AddinError("Excel is busy. The sheet 'Measurement' is kept.")


@pytest.mark.slow
def test_a_refusal_is_one_line_and_leaves_no_copy_and_no_sheet(book: xw.Book, tmp_path: Path) -> None:
    shutil.copy(opened.measured(), tmp_path / "pilots.csv")
    (tmp_path / "notes.txt").write_text("nothing that a tool wrote")
    before, state = beside(book), opened.state(book)
    for name, line, said in (
        ("", LINE, "measure: no file is named"),
        ("notes.txt", LINE, r"notes\.txt:1: begins with"),
        ("pilots.csv", "", "--hours: the files hold times"),
        ("pilots.csv", "hours 08:00-18:00 nosuch 3", "unrecognized arguments: nosuch 3. Type names with their"),
        ("pilots.csv", "hours 08:00-18:00 row Nobody", "Nobody"),
    ):
        with pytest.raises(RequestError, match=said) as refused:
            commands.measure(book, [tmp_path / name] if name else [], line)
        assert "\n" not in str(refused.value)
    assert (beside(book), opened.state(book), SHEET in book.sheet_names) == (before, state, False)


@pytest.mark.slow
def test_another_formula_than_in_the_file_is_named_and_an_unsaved_workbook_refused(book: xw.Book) -> None:
    cell = book.names["In_desktops"].refers_to_range
    cell.formula = "=1000+500"
    with pytest.raises(
        RequestError, match=r"[A-Z]\d+ has another formula than in the saved file, .*\. Save it, then run"
    ):
        commands.measure(book, [opened.measured()], LINE)
    Path(book.fullname).unlink()
    with pytest.raises(RequestError, match=r"is not saved as \.xlsx on this machine, .*\. Save it once, then run"):
        commands.measure(book, [opened.measured()], LINE)


@pytest.mark.slow
@pytest.mark.parametrize("answers", [[None], [["pilots.csv"], None]])
def test_cancel_in_either_dialog_writes_nothing(
    original: Path,
    tmp_path: Path,
    own_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    answers: list[object],
) -> None:
    path, left = opened.copied(original, tmp_path), list(answers)
    before = path.read_bytes()
    monkeypatch.setattr(dialogs, "ask", lambda *_: left.pop(0))
    assert run_command("measure", "file", str(path), None, {}) == 2
    assert capsys.readouterr().err == "Measure: cancelled. Nothing was changed.\n"
    assert ([each.name for each in path.parent.iterdir()], path.read_bytes(), left) == ([path.name], before, [])


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", []),
        ("  hours 08:00-18:00 days mon-fri ", ["--hours", "08:00-18:00", "--days", "mon-fri"]),
        ("--hours 08:00-18:00, --login=08:00-09:30,", ["--hours", "08:00-18:00", "--login", "08:00-09:30"]),
        ('desktops "VDI *" desktops it\'s', ["--desktops", "VDI *", "--desktops", "it's"]),
        (r"types C:\pilots\types.csv", ["--types", r"C:\pilots\types.csv"]),
        ("keep-first-days coverage 80% against", ["--keep-first-days", "--coverage", "80%", "--against"]),
        ('columns reads="Disk Reads/sec" # 3', ["--columns", "reads=Disk Reads/sec", "#", "3"]),
    ],
)
def test_a_line_means_what_the_shell_makes_of_the_same_words(line: str, words: list[str]) -> None:
    if "#" in words:
        with pytest.raises(RequestError, match="unrecognized arguments: # 3"):
            measure_options.of_line(line, Path())
        return
    shell = measure_options.taken_out(parser().parse_args(["measure", "BOOK", *words]))
    assert measure_options.of_line(line, Path()) == shell


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('hours 08:00-18:00 desktops "VDI', "a quote is open. Close it."),
        ("hours", "argument --hours: expected one argument. Type names with their values"),
        ("hours 08:00-18:00 smooth x", "argument --smooth: invalid int value: 'x'. Type names"),
        ("-h", "unrecognized arguments: -h"),
    ],
)
def test_a_line_that_means_nothing_is_refused_in_one_line(line: str, said: str) -> None:
    with pytest.raises(RequestError, match=said):
        measure_options.of_line(line, Path())


def test_files_of_a_line_are_in_the_folder_of_the_workbook(tmp_path: Path) -> None:
    assert measure_options.of_line("types types.csv", tmp_path).types == tmp_path / "types.csv"


def test_a_folder_is_the_files_in_it(tmp_path: Path) -> None:
    names = ("b/2.csv", "b/1.csv", "a.csv", ".hidden", "b/.DS_Store", "Thumbs.db", "~$open.xlsx")
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / ".hidden folder").mkdir()
    with pytest.raises(
        RequestError, match=r"\.hidden folder: is a folder\. Name a file, or a folder that holds some\."
    ):
        measure_options.expanded([tmp_path / ".hidden folder"])
    found = measure_options.expanded([tmp_path, tmp_path / "b" / "*.csv"])
    assert [str(path.relative_to(tmp_path)) for path in found] == ["a.csv", "b/1.csv", "b/2.csv", "b/1.csv", "b/2.csv"]


def test_an_open_workbook_takes_every_word_for_a_file() -> None:
    from addin.shell import measure_command

    options = parser().parse_args(["measure", "one.csv", "two.csv", "--engine", "excel", "--sheet"])
    measure_command.words(options)
    assert (options.book, options.files) == (None, [Path("one.csv"), Path("two.csv")])
    saved: argparse.Namespace = parser().parse_args(["measure", "book.xlsx", "one.csv", "--sheet"])
    measure_command.words(saved)
    assert (saved.book, saved.files) == (Path("book.xlsx"), [Path("one.csv")])
