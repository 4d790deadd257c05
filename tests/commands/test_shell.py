"""The commands as a person types them: results, units, explanations, and one line for every mistake."""

import itertools
import json
import re
import zipfile
from functools import cache
from pathlib import Path

import pytest
from openpyxl import load_workbook

from addin.audit.size import CALCULATIONS, LINKS, ON_A_SHEET
from addin.buttons import COMMANDS
from addin.results.document import pdf
from addin.shell.main import main
from addin.workbook.book import open_book
from model.layout.grid import OWN_ARRAYS
from model.reading.read import read
from tests.support.one_sheet import one_sheet
from tests.support.shell import Run

NO_PDF = f"No PDF: no Chromium, Chrome or Edge is installed. {pdf.ADVICE}."


@pytest.fixture
def book(original: Path) -> Path:
    return original


@pytest.fixture
def no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(pdf.BROWSER, "")


opened_once = cache(open_book)


def test_size_prints_the_answer_with_units(run: Run, book: Path) -> None:
    code, out, err = run("size", book, "--set", "desktops=2500", "--set", "array=netapp aff8040")
    assert (code, err) == (0, "")
    assert "Arrays required" in out
    assert "Patching IOPS" in out
    assert "GiB" in out


@pytest.mark.slow
def test_size_in_json_gives_the_number_excel_shows(run: Run, book: Path) -> None:
    _, out, _ = run("size", book, "--json", "--result", "Out_arrays_required")
    shown = one_sheet(book, "Sizing", data_only=True)
    rows = json.loads(out)["results"]
    column = [
        shown.cell(r, 4).value for r in range(1, shown.max_row + 1) if shown.cell(r, 1).value == "Arrays required"
    ]
    assert [row["value"] for row in rows] == column


@pytest.mark.slow
def test_a_missing_demand_is_printed_in_words_never_as_its_code(run: Run, book: Path) -> None:
    """-1 stands for what nobody published and -2 for a phase that the method does not have: no number to read."""
    profile = "profile=User data share (EQL 2012)"
    _, table, _ = run("size", book, "--set", profile, "--result", "login_iops")
    assert table.splitlines()[1].split("  ", 1)[1].split() == ["not", "published"]
    _, text, _ = run("whatif", book, "--set", profile, "--vary", "desktops=100,200", "--result", "login_iops", "--json")
    assert [row["login_iops"] for row in json.loads(text)["rows"]] == ["not published"] * 2
    _, text, _ = run("scenarios", book, "--json")
    designs = {row["design"]: row for row in json.loads(text)["designs"]["rows"]}
    assert designs["ICA baseline"]["steady_iops"] == "not run"


@pytest.mark.slow
def test_whatif_gives_one_row_per_combination(run: Run, book: Path) -> None:
    code, out, _ = run("whatif", book, "--vary", "desktops=500:2500:1000", "--vary", "array=all", "--json")
    rows = json.loads(out)["rows"]
    assert code == 0
    arrays = [array.name for array in read().arrays]
    assert len(rows) == 3 * len(arrays)
    assert {(row["desktops"], row["array"]) for row in rows} == set(itertools.product((500, 1500, 2500), arrays))


def test_explain_shows_cells_values_and_formulas(run: Run, book: Path) -> None:
    code, out, _ = run("explain", book, "Out_arrays_required", "--depth", "2")
    assert code == 0
    sentence, blank, first, *_ = out.splitlines()
    assert (sentence.startswith("1 array because "), blank) == (True, "")
    assert first.startswith("Sizing!D")
    assert ",ROUNDUP(" in first
    assert "Arrays needed, unrounded" in out


@pytest.mark.slow
def test_inputs_lists_keys_labels_values_units_and_ranges(run: Run, book: Path) -> None:
    code, out, _ = run("inputs", book)
    assert code == 0
    assert re.search(r"\ndesktops +Users +1,500 +desktops +1 to 100,000\n", out)
    assert "more keys, <row>.<field>, for rows of your own: --find finds them." in out
    assert "My array 1" not in out.replace("My array 1,", "")
    code, out, _ = run("inputs", book, "--find", "LATENCY limit")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()[1:]][:2] == ["latency_limit_ms", "performance_reference"]
    code, out, _ = run("inputs", book, "--find", "capacity, TiB")
    assert re.search(r"\nMy array 1.capacity_tib +Capacity, TiB +\(blank\) +TiB +0.01 to 1,000,000\n", out)
    assert out.endswith(f"The same for {', '.join(OWN_ARRAYS[1:])}: put its name before the point.\n")
    code, out, err = run("inputs", book, "--find", "desctops")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "no input holds 'desctops' in key, label, unit, value or choices; did you mean desktops (" in err


def test_an_input_set_that_changes_nothing_is_named(run: Run, book: Path) -> None:
    """A container of 20 GiB was typed, and counted nowhere: containers are no part of the design shipped."""
    nowhere = ("size", book, "--set", "container_gib=20", "--set", "desktops=1600")
    said = "Setting container_gib changes none of these results."
    assert run(*nowhere)[1].splitlines()[-1] == said
    assert json.loads(run(*nowhere, "--json")[1])["notes"] == [said]
    assert "Setting " not in run(*nowhere, "--set", "container_place=this array")[1]
    assert "Setting " not in run("size", book, "--set", "desktops=1500")[1]  # what its cell holds


def test_a_cost_says_what_it_rests_on(run: Run, book: Path) -> None:
    """270,000 with "5 years of support" in its name had no support in it, and nothing said so."""
    rests = "The cost rests on: quote typed, net; left out: support, installation, licences, power, rack space, "
    assert rests in run("size", book, "--set", "array_price=90000")[1]
    assert "rests on" not in run("size", book, "--set", "array_price=")[1]
    unrated = ("--set", "array=Kaminario K2 (one K-Block)", "--set", "array_price=200000")
    assert "rests on: at least this much, as not everything is checked; quote" in run("size", book, *unrated)[1]


@pytest.mark.slow
def test_labels_and_percent_are_taken_wherever_keys_are(run: Run, book: Path) -> None:
    typed = run("size", book, "--set", "desktops=2200", "--set", "growth_ratio=0.15")
    for users, growth in (("Users", "Growth to plan for"), ("users", "growth to plan FOR")):
        assert typed == run("size", book, "--set", f"{users}=2200", "--set", f"{growth}=15 %")  # on Answer, on Inputs
    assert run("size", book, "--result", "Arrays required")[1] == run("size", book, "--result", "arrays_required")[1]
    _, out, _ = run("whatif", book, "--vary", "growth to plan for=0:20%:10 %", "--result", "arrays_required", "--json")
    assert [row["growth_ratio"] for row in json.loads(out)["rows"]] == [0, 0.1, 0.2]


@pytest.mark.slow
def test_the_value_that_seek_prints_is_the_one_that_meets_the_target(run: Run, book: Path) -> None:
    _, out, _ = run("seek", book, "--vary", "growth_ratio", "--target", "ratio_largest=1.5")
    found = out.splitlines()[2].split()[0]
    _, out, _ = run("size", book, "--set", f"growth_ratio={found}", "--result", "ratio_largest", "--json")
    assert 1.49 < json.loads(out)["results"][0]["value"] <= 1.5
    _, out, _ = run("whatif", book, "--vary", f"growth_ratio={found}", "--result", "ratio_largest")
    assert out.splitlines()[2].split()[0] == found


def test_the_workbook_stands_behind_the_command_or_anywhere_among_the_options(
    run: Run, book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("addin.shell.main.open_book", opened_once)
    wanted = run("explain", book, "Out_arrays_required", "--depth", 1)
    assert wanted[0] == 0
    assert run("explain", "--depth", 1, book, "Out_arrays_required") == wanted
    assert run("explain", book, "--depth", 1, "Out_arrays_required") == wanted
    assert run("explain", book, "--depth=1", "Out_arrays_required") == wanted


@pytest.mark.slow
def test_simulate_prints_the_probability_seven_results_and_the_drivers(run: Run, book: Path) -> None:
    code, out, _ = run("simulate", book, "--trials", 1024)
    blocks = out.split("\n\n")
    assert code == 0
    assert blocks[1].startswith("The base design of 1 array suffices with probability ")
    heads, *rows = blocks[2].splitlines()
    assert heads.split() == ["Result", "Unit", "Design", "P5", "P50", "P95"]
    assert [row.split("  ")[0] for row in rows] == [
        *(
            "Arrays required",
            "Arrays needed, unrounded",
            "IOPS in login",
            "Boot of all desktops",
            "Cost per desktop",
            "Present cost to the last year",
            "Paid to the last year, less resale",
        )
    ]
    assert blocks[3].startswith("What drives 'Arrays needed, unrounded', arrays\nDriver ")
    assert len(blocks[3].splitlines()) <= 2 + 3
    assert len(out.splitlines()) <= 25
    _, full, _ = run("simulate", book, "--trials", 1024, "--full")
    assert "Rank correlation" in full
    assert "This many are enough" in full
    _, one, _ = run("simulate", book, "--trials", 1024, "--result", "boot_iops")
    assert [row.split("  ")[0] for row in one.split("\n\n")[2].splitlines()[1:]] == ["IOPS in boot"]


@pytest.mark.slow
def test_audit_of_the_shipped_workbook_finds_nothing(run: Run, book: Path) -> None:
    code, out, err = run("audit", book)
    assert (code, err) == (0, ""), out
    assert re.search(r"all rules passed\.\n\nChanged by hand since version [\d.]+ was built: inputs \d+\.\n", out)
    assert re.search(r"\n\nSheet +calculations +links +cells\n", out)
    assert re.search(
        rf"\nTotal +[\d,]+ +[\d,]+ +[\d,]+\nAt most +{CALCULATIONS:,} +{LINKS}\n"
        rf"At most {ON_A_SHEET} calculations and links on ",
        out,
    )
    assert json.loads(run("audit", book, "--json")[1])["findings"] == []


@pytest.mark.slow
def test_audit_of_a_spoilt_copy_names_rule_and_cell(run: Run, book: Path, tmp_path: Path) -> None:
    workbook = load_workbook(book)
    workbook["Capacity"]["F9"] = 12345
    copy = tmp_path / "spoilt.xlsx"
    workbook.save(copy)
    code, out, _ = run("audit", copy)
    assert code == 1
    assert "Capacity!F9" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("size", "--set", "desktop=5"),
            "there is no input 'desktop'; did you mean desktops (Users: 1 to 100,000 desktops)",
        ),
        (("size", "--set", "desktops=0"), "outside the whole numbers 1 to 100,000 desktops"),
        (("size", "--set", "desktops=nan"), "outside the whole numbers 1 to 100,000 desktops"),
        (("size", "--set", "desktops=many"), "expected a number in desktops"),
        (("size", "--set", "years=2.5"), "years=2.5: outside the whole numbers 1 to 7 years, the range of "),
        (("whatif", "--vary", "years=1:3:0.5"), "years=1.5: outside the whole numbers 1 to 7 years, the range of "),
        (("seek", "--vary", "years=1.5:3", "--target", "arrays_required=3"), "years=1.5: outside the whole numbers "),
        (("size", "--set", "array=AFF8040"), "did you mean 'NetApp AFF8040', "),
        (("size", "--set", "desktops"), "expected key=value"),
        (("size", "--set", "=5"), "'=5': expected key=value, such as desktops=2200."),
        (("size", "--set", "desktops=5", "--set", "Users=6"), "Users=6: desktops is set twice, to different values."),
        (("size", "--result", "arrays"), "there is no result 'arrays'"),
        (("whatif", "--vary", "desktops=1:10:0"), "a step above 0"),
        (("whatif", "--vary", "desktops=all"), "only an input with a list takes 'all'"),
        (("whatif", "--vary", "desktops=1:100000:0.1"), "at most 100,000"),
        (("explain", "Out_nothing"), "there is no result or input 'Out_nothing'"),
        (("explain", "Nope!D5"), "there is no sheet 'Nope'; there are Answer, Inputs, "),
        (("explain", "Sizng!D5"), "there is no sheet 'Sizng'; did you mean 'Sizing'?"),
        (("explain", "Sizing!XFE1"), "there is no cell 'Sizing!XFE1'. Name one from A1 to XFD1048576, such as "),
        (("explain", "Sizing!D0"), "there is no cell 'Sizing!D0'. Name one from A1 to XFD1048576, such as "),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_mistake_costs_one_line_and_exit_2(
    run: Run, book: Path, arguments: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("addin.shell.main.open_book", opened_once)
    before = book.read_bytes()
    code, out, err = run(arguments[0], book, *arguments[1:])
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert book.read_bytes() == before


@pytest.mark.slow
def test_a_file_that_is_no_sizing_workbook_is_refused(run: Run, book: Path, tmp_path: Path) -> None:
    truncated, encrypted, other = (tmp_path / f"{name}.xlsx" for name in ("truncated", "encrypted", "other"))
    truncated.write_bytes(book.read_bytes()[:20000])
    encrypted.write_bytes(b"\xd0\xcf\x11\xe0" + b"\0" * 600)
    workbook = load_workbook(book)
    del workbook.defined_names["Out_arrays_required"]
    workbook.save(other)
    empty = tmp_path / "empty.xlsx"
    with zipfile.ZipFile(empty, "w"):
        pass
    damaged = tmp_path / "damaged.xlsx"
    with zipfile.ZipFile(book) as package, zipfile.ZipFile(damaged, "w") as cut:
        for name in package.namelist():
            part = package.read(name)
            cut.writestr(name, part[: len(part) // 2] if name.endswith("sheet1.xml") else part)
    expected = {
        damaged: "cannot be read as .xlsx",
        truncated: "cannot be read as .xlsx",
        encrypted: "is encrypted",
        other: "the name Out_arrays_required is missing",
        empty: "cannot be read as .xlsx",
        tmp_path / "missing.xlsx": "there is no such file",
    }
    for path, message in expected.items():
        code, out, err = run("size", path)
        assert (code, out) == (2, ""), path
        assert message in err
        assert err.count("\n") == 1


@pytest.mark.slow
def test_scenarios_prints_the_designs_and_a_grid(run: Run, book: Path) -> None:
    code, out, err = run("scenarios", book, "--vary", "growth_ratio")
    assert (code, err) == (0, "")
    assert out.startswith("Design ")
    assert "\nBase design " in out
    assert "\n\nGrowth to plan for  Arrays required" in out
    tables = json.loads(run("scenarios", book, "--json")[1])
    assert tables["grid"]["rows"][0]["arrays_required"] == 1


@pytest.mark.slow
def test_sensitivity_prints_swings_and_drivers(run: Run, book: Path) -> None:
    code, out, err = run("sensitivity", book, "--trials", 1024)
    assert (code, err) == (0, "")
    assert out.startswith("Input ")
    assert "One input at its P10 and P90, all others as in the base design." in out
    assert "What drives 'Arrays needed, unrounded'" in out
    content = json.loads(run("sensitivity", book, "--trials", 1024, "--json")[1])
    assert "ratio_largest" in content["drivers"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("seek", "--vary", "desktops"), "error: the following arguments are required: --target. See "),
        (("explain",), "error: the following arguments are required: NAME. See "),
    ],
)
def test_what_a_sheet_takes_from_the_selection_is_named_for_printing(
    run: Run, book: Path, arguments: tuple[str, ...], message: str
) -> None:
    code, out, err = run(arguments[0], book, *arguments[1:])
    assert (code, out, err.startswith(message), err.count("\n")) == (2, "", True, 1)


@pytest.mark.slow
@pytest.mark.usefixtures("no_browser")
def test_the_hand_off_is_written_beside_the_workbook(run: Run, book: Path, tmp_path: Path) -> None:
    copy = tmp_path / "quote.xlsx"
    copy.write_bytes(book.read_bytes())
    assert run("handoff", copy) == (0, f"Hand-off written: {tmp_path / 'quote hand-off'}. {NO_PDF}\n", "")
    assert (tmp_path / "quote hand-off" / "design.html").is_file()
    assert copy.read_bytes() == book.read_bytes()


@pytest.mark.slow
@pytest.mark.usefixtures("no_browser")
def test_a_hand_off_with_changed_inputs_says_so_and_leaves_the_workbook(run: Run, book: Path, tmp_path: Path) -> None:
    copy = tmp_path / "quote.xlsx"
    copy.write_bytes(book.read_bytes())
    own = ("--set", "array=My array 1", "--set", "My array 1.capacity_tib=40")
    assert run("handoff", copy, *own)[0] == 0
    text = (tmp_path / "quote hand-off" / "design.html").read_text(encoding="utf-8").replace("\u00a0", " ")
    assert "not in the workbook: Storage array: My array 1; My array 1, Capacity: 40 TiB." in text
    assert re.search(r">My array 1\.capacity_tib</th><td[^>]*>Capacity, TiB</td><td[^>]*>40 TiB<", text)
    assert copy.read_bytes() == book.read_bytes()


def test_every_command_has_help_with_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("inputs", "size", "whatif", *COMMANDS):
        with pytest.raises(SystemExit) as ended:
            main([command, "--help"])
        assert ended.value.code == 0
        out = " ".join(capsys.readouterr().out.split())
        assert f"example: python -m addin {command}" in out
        assert out.startswith(f"usage: python -m addin {command} {'OLD NEW' if command == 'diff' else 'BOOK'} ")


def test_the_installed_program_says_its_own_name(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {"/usr/bin/vdi-sizing": "vdi-sizing", "vdi-storage-sizing.exe": "vdi-storage-sizing"}
    for started, name in names.items():
        monkeypatch.setattr("sys.argv", [started])
        with pytest.raises(SystemExit):
            main(["size", "--help"])
        out = capsys.readouterr().out
        assert out.startswith(f"usage: {name} size BOOK [options]\n")
        assert f"example: {name} size my-deal.xlsx --set" in out  # an install has no folder templates/
        with pytest.raises(SystemExit):
            main(["install", "--help"])
        assert f"example: {name} install --calc" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["simulate", "x.xlsx", "--trials", "many"], "error: argument --trials: invalid int value: 'many'. See "),
        (["simulat"], "error: argument COMMAND: invalid choice: 'simulat'"),
        ([], "error: the following arguments are required: COMMAND. See python -m addin --help."),
    ],
)
def test_a_mistyped_option_costs_one_line_too(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    captured = capsys.readouterr()
    assert (ended.value.code, captured.out) == (2, "")
    assert captured.err.startswith(message)
    assert captured.err.count("\n") == 1
