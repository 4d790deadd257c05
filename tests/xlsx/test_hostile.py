"""Workbooks that nobody saved by accident: each is read in seconds, or refused in one line with the reason."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from addin.engines import file
from addin.errors import BookError, RequestError
from addin.kernel import KernelError
from addin.results.saving import prepare
from addin.running import runfile
from addin.shell.main import main
from addin.workbook import live
from addin.workbook.book import open_book
from addin.xlsx.package import PackageError, packed, read_parts, write_atomically, write_parts
from addin.xlsx.parts import MAIN
from tests.support import small_workbook

SHEET, WORKBOOK, INPUTS = "xl/worksheets/sheet2.xml", "xl/workbook.xml", "xl/worksheets/sheet1.xml"
Made = Callable[..., Path]
CELL = b'<row r="1048576"><c r="XFD1048576"%s</row></sheetData>'


@pytest.fixture
def made(tmp_path: Path) -> Made:
    def make(formula: str = "={x}+1", part: str = SHEET, old: bytes = b"", new: bytes = b"") -> Path:
        path = small_workbook.save(tmp_path / "book.xlsx", {"x": small_workbook.UNIFORM}, {"v": formula})
        if old:
            parts = read_parts(path)
            assert old in parts[part]
            with zipfile.ZipFile(path, "w") as out:
                for name, data in parts.items():
                    out.writestr(name, data.replace(old, new, 1) if name == part else data)
        return path

    return make


@pytest.mark.parametrize("holds", [b' s="0"/>', b"><v>7</v></c>"])
def test_a_cell_far_out_hides_nothing(made: Made, holds: bytes) -> None:
    path = made("=SUM(A1:B1048576)+{x}", old=b"</sheetData>", new=CELL % holds)
    assert open_book(path).evaluate({}, ["v"])["v"] == 0.5


def test_a_formatted_cell_far_out_costs_the_file_engine_nothing(made: Made) -> None:
    assert live.read(file.open_file(made(old=b"</sheetData>", new=CELL % b' s="0"/>'))).evaluate({}, ["v"])["v"] == 1.5


def test_a_value_far_out_is_read_from_a_file_and_named_in_an_application(made: Made) -> None:
    book = file.open_file(made(old=b"</sheetData>", new=CELL % b"><v>7</v></c>"))
    assert live.read(book).evaluate({}, ["v"])["v"] == 1.5
    with pytest.raises(BookError, match=r"the sheet 'Sizing' uses 1,048,57\d rows and 16,384 columns\. Delete"):
        live.in_blocks(book, {}, None)


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        ("=" + "+".join(["{x}"] * 800), 400.0),
        ("=" + "-" * 2001 + "{x}", -0.5),
        ("=" + "ABS(" * 60 + "{x}" + ")" * 60, 0.5),
        ("=SUM(Inputs!A1:XFD1048576)", 1.5),
        ("=ROWS(Inputs!A1:XFD1048576)", 1048576.0),
    ],
)
def test_long_formulas_and_large_ranges_are_computed(made: Made, formula: str, shown: float) -> None:
    assert open_book(made(formula)).evaluate({}, ["v"])["v"] == shown


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("=" + "+".join(["{x}"] * 1000), r"Sizing!D6: The formula has 9999 characters, Excel takes 8192\."),
        ("=" + "ABS(" * 65 + "{x}" + ")" * 65, r"Sizing!D6: The formula is nested deeper than 64 levels\."),
        ("=COUNTIF(Inputs!A1:XFD1048576,1)", r"Sizing!D6: A range has 17179869184 cells\."),
    ],
)
def test_what_excel_or_the_machine_cannot_hold_is_named(made: Made, formula: str, said: str) -> None:
    with pytest.raises(KernelError, match=said):
        open_book(made(formula)).evaluate({}, ["v"])


@pytest.mark.parametrize("of", ['REPT("x",1E9)', 'REPT(REPT("x",30000),2)', 'REPT("x",30000)&REPT("x",30000)'])
def test_a_text_longer_than_a_cell_holds_is_an_error_before_it_is_built(made: Made, of: str) -> None:
    assert str(open_book(made(f"=LEN({of})")).evaluate({}, ["v"])["v"]) == "#VALUE!"


def test_a_formula_that_is_shared_but_nowhere_stated_is_named_where_it_is_used(made: Made) -> None:
    path = made("={x}+1", old=b"<f>Inputs!D7+1</f>", new=b'<f t="shared" si="0"/><v>3</v>')
    with pytest.raises(KernelError, match=r"^Sizing!D6: the cell shares the formula of another one, which is gone"):
        open_book(path).evaluate({}, ["v"])
    assert file.open_file(path).sheets["Sizing"].range("D6").value == 3


PLACED = b'<row r="40"><c r="%s"><v>1</v></c></row></sheetData>'
TWO_VALUES = PLACED.replace(b"1</v>", b"1</v><v>2</v>") % b"A40"
NUMBER = b'<row r="40"><c r="A40"><v>%s</v></c></row></sheetData>'


@pytest.mark.parametrize(
    ("part", "old", "new", "said"),
    [
        (SHEET, b"<pageMargins", b'<mergeCells><mergeCell ref="A30:XFD38"/></mergeCells><pageMargins', "taken"),
        (
            SHEET,
            b"<pageMargins",
            b'<mergeCells><mergeCell ref="A1:XFD99"/></mergeCells><pageMargins',
            "merges A1:XFD99",
        ),
        (SHEET, b"<pageMargins", b'<mergeCells><mergeCell ref="x"/></mergeCells><pageMargins', "no area of cells"),
        (SHEET, b"</sheetData>", b"</sheetData" + b" " * (65 << 20) + b">", "unpacks to 65 MiB, at most 64"),
        (WORKBOOK, b"</definedNames>", b'<definedName name="foo"></definedName></definedNames>', "taken"),
        (INPUTS, b'sqref="D7"', b'sqref="A1:XFD1048576"', "taken"),
        (SHEET, b"</sheetData>", b'<row r="x"><c/></row></sheetData>', "has a row with the number 'x', expected 1 to"),
        (SHEET, b"</sheetData>", b'<row r="1E308"/></sheetData>', "has a row with the number '1E308'"),
        (SHEET, b"</sheetData>", b'<row r="1048577"/></sheetData>', "has a row with the number '1048577'"),
        (SHEET, b"</sheetData>", b'<row r="1048576"/></sheetData>', "taken"),
        (SHEET, b"</sheetData>", NUMBER % (b"9" * 400), "taken"),
        (SHEET, b"</sheetData>", PLACED % b"A0", "has a cell at 'A0', which no sheet has"),
        (SHEET, b"</sheetData>", PLACED % b"A1048577", "has a cell at 'A1048577', which no sheet has"),
        (SHEET, b"</sheetData>", TWO_VALUES, "A40 of the sheet 'Sizing' has two values"),
        (WORKBOOK, b"<calcPr", b'<calcPr fullPrecision="0"', "computes with the digits that its cells show"),
        (WORKBOOK, b"<calcPr", b'<calcPr fullPrecision="1"', "taken"),
    ],
)
def test_a_strange_part_is_taken_or_named(made: Made, part: str, old: bytes, new: bytes, said: str) -> None:
    path = made(part=part, old=old, new=new)
    if said == "taken":
        assert open_book(path).evaluate({}, ["v"])["v"] == 1.5
    else:
        with pytest.raises(BookError, match=said):
            open_book(path)


@pytest.mark.parametrize(
    ("part", "old", "new", "said"),
    [
        (SHEET, b"</sheetData>", NUMBER % b"#N/A", r"Sizing!A40 holds '#N/A' where a number should be\. Correct"),
        (SHEET, b"</sheetData>", NUMBER % (b"9" * 5000), r"Sizing!A40 holds '9{40}' where a number should be"),
        (SHEET, b'r="D6"', b'r="ZZZZZ6"', r"the sheet 'Sizing' has a cell at 'ZZZZZ6', which no sheet has"),
        (INPUTS, b'sqref="D7"', b'sqref="no area"', "'Inputs' has a list or limit for 'no area', which is no area"),
    ],
)
def test_what_keeps_a_sheet_from_being_read_is_named_with_its_place(
    made: Made, part: str, old: bytes, new: bytes, said: str
) -> None:
    with pytest.raises(BookError, match=said):
        open_book(made(part=part, old=old, new=new))


def test_a_stored_error_without_its_type_is_passed_over(made: Made) -> None:
    path = made(old=b"<f>Inputs!D7+1</f><v />", new=b"<f>Inputs!D7+1</f><v>#N/A</v>")
    assert open_book(path).evaluate({}, ["v"])["v"] == 1.5
    assert live.read(file.open_file(path)).evaluate({}, ["v"])["v"] == 1.5


@pytest.mark.parametrize("encoding", ["utf-16", "iso-8859-1", "x-unknown"])
def test_a_sheet_in_another_encoding_is_refused_before_its_merges_take_all_memory(made: Made, encoding: str) -> None:
    path = made(old=b"<pageMargins", new=b'<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells><pageMargins')
    parts = read_parts(path)
    text = f'<?xml version="1.0" encoding="{encoding}"?>{parts[SHEET].decode()}'
    parts[SHEET] = text.encode("ascii" if encoding == "x-unknown" else encoding)
    with zipfile.ZipFile(path, "w") as out:
        for name, data in parts.items():
            out.writestr(name, data)
    with pytest.raises(BookError, match=rf"(?i)sheet2\.xml is written in {encoding}, not in UTF-8\. Save it anew"):
        open_book(path)


@pytest.mark.parametrize("length", [256, 5000])
def test_a_name_longer_than_any_file_has_is_one_line(length: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["size", "n" * (length - 5) + ".xlsx"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: nnn")
    assert "an internal error" not in said
    assert said.count("\n") == 1


def test_a_copy_is_not_saved_under_a_name_longer_than_any_file_has(
    made: Made, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", str(made()), "--trials", "64", "--save", "x" * 300 + ".xlsx"]) == 2
    assert capsys.readouterr().err == f"error: --save {'x' * 73}...: File name too long. Name another file.\n"


def test_a_list_over_a_whole_sheet_offers_what_stands_there(made: Made) -> None:
    rule = b'type="decimal" operator="between"><formula1>-1000.0</formula1><formula2>1000.0</formula2>'
    path = made()
    new = b'type="list"><formula1>Sizing!$A$1:$XFD$1048576</formula1>'
    parts = read_parts(path)
    at = parts[INPUTS].rindex(rule)
    parts[INPUTS] = parts[INPUTS][:at] + new + parts[INPUTS][at + len(rule) :]
    write_parts(path, parts)
    assert "Arrays_Required" in open_book(path).inputs["x"].choices


def test_half_of_a_character_survives_and_is_never_written(made: Made, tmp_path: Path) -> None:
    path = made(old=b"</sheetData>", new=b'<row r="40"><c r="A40" t="str"><v>a_xD83D_b</v></c></row></sheetData>')
    book = file.open_file(path)
    assert book.sheets["Sizing"].range("A40").value == "a_xD83D_b"
    book.sheets["Sizing"].range("A41").value = "new"
    book.save()
    assert file.open_file(path).sheets["Sizing"].range("A40:A41").value == ["a_xD83D_b", "new"]
    before = path.read_bytes()
    book.sheets["Sizing"].range("A42").value = "\ud83d"
    with pytest.raises(BookError, match="half of a character"):
        book.save()
    assert path.read_bytes() == before


def test_a_damaged_part_never_replaces_a_file(made: Made) -> None:
    path = made()
    before, parts = path.read_bytes(), read_parts(path)
    with pytest.raises(PackageError, match=r"its part xl/workbook\.xml would be damaged"):
        write_parts(path, parts | {WORKBOOK: parts[WORKBOOK][:-9]})
    assert path.read_bytes() == before


def test_a_file_that_somebody_saved_meanwhile_is_not_overwritten(made: Made) -> None:
    path = made()
    book = file.open_file(path)
    other = made("={x}+2").read_bytes() + b" "
    path.write_bytes(other)
    with pytest.raises(RequestError, match="was saved by somebody else since it was read"):
        book.save()
    assert path.read_bytes() == other


def test_what_a_killed_run_left_is_swept_and_what_others_write_stays(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    dead, alive = (tmp_path / f".vdi-sizing-{pid}-0.tmp" for pid in (gone.pid, os.getpid()))
    mine = tmp_path / ".vdi-sizing-notes.tmp"
    for path in (dead, alive, mine):
        path.write_text("x")
    write_atomically(tmp_path / ("n" * 250 + ".xlsx"), b"data")
    assert [path.exists() for path in (dead, alive, mine)] == [False, True, True]


def test_a_full_disk_is_said_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "out.xlsx").write_bytes(b"old")
    monkeypatch.setattr("addin.xlsx.package.os.fsync", full)
    with pytest.raises(PackageError, match=r"the disk is full\. Nothing was written"):
        write_atomically(tmp_path / "out.xlsx", b"new")
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("out.xlsx", b"old")]


@pytest.mark.skipif(sys.platform == "win32", reason="no links and pipes")
def test_a_copy_is_not_saved_onto_a_link_or_a_pipe(made: Made, tmp_path: Path) -> None:
    book = open_book(made())
    (tmp_path / "link.xlsx").symlink_to(tmp_path / "book.xlsx")
    os.mkfifo(tmp_path / "pipe.xlsx")
    for name, what in (("link", "a link"), ("pipe", "no plain file")):
        with pytest.raises(RequestError, match=f"is {what}, and would be replaced"):
            prepare(book, tmp_path / f"{name}.xlsx")


@pytest.mark.parametrize("token", ["../x", "a/b", "", "x" * 99])
def test_a_run_names_nothing_outside_its_folder(token: str) -> None:
    with pytest.raises(RequestError, match="expected the name of a run"):
        runfile.check_token(token)


def test_what_nobody_foresaw_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fails(_: object) -> int:
        raise LookupError("two\nlines " + "x" * 5000)

    monkeypatch.setattr("addin.shell.main._run", fails)
    assert main(["size", "book.xlsx"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: stopped by an internal error, LookupError: two lines xxx")
    assert said.count("\n") == 1
    assert len(said) < 500
    with pytest.raises(LookupError):
        main(["size", "book.xlsx", "--debug"])


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("x=1_0", "x=1_0: expected a number"),  # Python's own way of writing 10
        ("x=\x1b[31m5", "x=?[31m5: expected a number"),  # a terminal would obey
        ("x=\u202e5", "x=?5: expected a number"),  # and turn the line round
        ("x=5\x855", "x=5 5: expected a number"),
    ],
)
def test_what_is_typed_is_echoed_without_what_a_terminal_obeys(
    typed: str, said: str, made: Made, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["size", str(made()), "--set", typed]) == 2
    assert said in capsys.readouterr().err


def test_zero_has_no_sign(made: Made) -> None:
    book = open_book(made())
    assert str(book.value_for(book.entry("x"), "-0")) == "0.0"


def test_a_workbook_that_may_not_be_read_is_named(
    made: Made, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path, opens = made(), Path.open

    def refused(self: Path, *words: object, **more: object) -> object:
        if self == path:
            raise PermissionError(13, "Permission denied", str(self))
        return opens(self, *words, **more)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", refused)
    assert main(["size", str(path)]) == 2
    assert (
        capsys.readouterr().err == f"error: {path}: cannot be read (Permission denied). Ask for the right to read it.\n"
    )


def test_a_result_sheet_goes_into_a_workbook_whose_lock_would_have_too_long_a_name(
    made: Made, capsys: pytest.CaptureFixture[str]
) -> None:
    path = made()
    long = path.rename(path.with_name("n" * 250 + ".xlsx"))
    assert main(["seek", str(long), "--vary", "x", "--target", "v=2", "--sheet"]) == 0
    assert "See the sheet Goal seek" in capsys.readouterr().out


def test_a_hand_off_of_a_workbook_that_lacks_a_line_names_it(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    path = made()
    assert main(["handoff", str(path)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"error: {path.name}: has no '")
    assert said.count("\n") == 1
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_folder_that_cannot_be_written_is_said_before_a_hand_off_is_computed(
    made: Made, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("addin.results.folders.os.access", lambda *_: False)
    monkeypatch.setattr("addin.results.handoff.document.page", lambda *_: pytest.fail("computed"))
    path = made()
    assert main(["handoff", str(path)]) == 2
    assert capsys.readouterr().err.startswith(f"error: {path.parent}: cannot be written (Permission denied)")


STRICT = b"http://purl.oclc.org/ooxml/spreadsheetml/main"
ROW = b'<row r="7">.*?</row>'
TWICE = "is there twice. Save it anew where it was made"


def doubled(sheet: bytes) -> bytes:
    """Return a sheet in which the row of x stands twice, with another value the second time."""
    found = re.search(ROW, sheet)
    assert found is not None
    return sheet.replace(found[0], found[0] + found[0].replace(b"<v>0.5</v>", b"<v>0.9</v>"))


@pytest.mark.parametrize(
    ("part", "change", "said"),
    [
        (INPUTS, doubled, f"Inputs!A7 {TWICE}"),
        (INPUTS, lambda _: b"<x/>", "the sheet 'Inputs' is no sheet of cells"),
        (INPUTS, lambda data: data.replace(MAIN.encode(), b"http://example.org/main"), "is no sheet of cells"),
        (INPUTS, lambda data: re.sub(b"<sheetData>.*</sheetData>", b"", data), "is no sheet of cells"),
        (INPUTS, lambda data: data.replace(b"<v>0.5<", b"<v>1_0<"), "holds '1_0' where a number should be"),
        (INPUTS, lambda data: data.replace(b"<v>0.5<", "<v>\u0665<".encode()), "where a number should be"),
        (WORKBOOK, lambda data: data.replace(b'name="Sizing"', b'name="INPUTS"'), f"the sheet 'INPUTS' {TWICE}"),
        (WORKBOOK, lambda data: data.replace(b'r:id="rId2"', b'r:id="rId1"'), f"the sheet 'Sizing' {TWICE}"),
        (WORKBOOK, lambda data: data.replace(b'name="Sizing"', b'name="Siz&#10;ing"'), "points at Sizing!$D$5"),
        (WORKBOOK, lambda data: data.replace(b'"Out_v"', b'"IN_X"'), "the name IN_X is defined twice"),
        (WORKBOOK, lambda data: data.replace(MAIN.encode(), STRICT), "is saved as Strict Open XML"),
    ],
)
def test_what_may_be_read_in_two_ways_or_not_at_all_gives_no_number(
    part: str, change: Callable[[bytes], bytes], said: str, made: Made, capsys: pytest.CaptureFixture[str]
) -> None:
    path = made()
    parts = read_parts(path)
    path.write_bytes(packed({**parts, part: change(parts[part])}))
    code = main(["size", str(path), "--result", "v"])
    printed = capsys.readouterr()
    assert (code, printed.out, printed.err.count("\n")) == (2, "", 1)
    assert said in printed.err


def test_a_part_that_is_there_twice_gives_no_number(made: Made, capsys: pytest.CaptureFixture[str]) -> None:
    path = made()
    with zipfile.ZipFile(path, "a") as package, pytest.warns(UserWarning, match="Duplicate name"):
        package.writestr(INPUTS, b"<x/>")
    assert main(["size", str(path)]) == 2
    assert f"its part {INPUTS} is there twice" in capsys.readouterr().err
