"""Rows of a sheet from its text file: what a line may say, and each fault by file and line, all in one list."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from model.layout import table
from model.layout.line import Group, Headline, Line

ROOT = Path(__file__).parents[2]
ROW = "hosts | Hosts | count | =ROUNDUP({desktops}/2,0)\n    Definition\n"


def sheet(folder, text, **given):
    """Return the sheet of a file made.rows."""
    (folder / "made.rows").write_bytes(text if isinstance(text, bytes) else text.encode())
    return table.sheet(str(folder / "made.py"), "Made", "A sheet for tests", **given)


def faults(folder, text, **given):
    """Return the complaints about a file, one line each."""
    return [str(fault) for fault in sheet(folder, text, **given).faults]


def test_a_row_is_key_label_unit_and_formula_with_its_basis_below(tmp_path):
    (line,) = sheet(tmp_path, "hosts | Hosts required | count | =ROUNDUP({vms}/2,0)\n    Definition\n").rows
    assert line == Line("hosts", "Hosts required", "count", "=ROUNDUP({vms}/2,0)", "Definition")
    assert line.where == "made.rows:1"


def test_a_star_marks_a_result_and_a_text_reserves_its_lines(tmp_path):
    (line,) = sheet(tmp_path, 'word* | In words | text, 3 lines | ="a"\n    Definition\n').rows
    assert (line.key, line.output, line.unit, line.text_lines) == ("word", True, "text", 3)


def test_a_long_formula_and_a_long_basis_go_on_below(tmp_path):
    (line,) = sheet(tmp_path, 'w | Words | text |\n    | =REPT("a ",\n    | {n})\n    First,\n    then\n').rows
    assert (line.formula, line.basis) == ('=REPT("a ",{n})', "First, then")


def test_a_headline_has_position_label_and_format(tmp_path):
    first = "a | A | text | =1\n    @headline 2 | Limited by\n    B\n"
    plain, number = sheet(tmp_path, f"{first}b | B | GiB | =1\n    B\n    @headline 4 | Much | #,##0\n").lines
    assert (plain.headline, number.headline) == (Headline(2, "Limited by"), Headline(4, "Much", "#,##0"))


def test_headings_comments_and_rows_of_the_module_stand_between_the_rows(tmp_path):
    made = (Line("made", "Made", "count", "=1", "By Python"),)
    rows = sheet(tmp_path, f"# why\n\n[Hosts]\n{ROW}\n[More]\n@python made\n", rows={"made": made}).rows
    assert [row.label for row in rows] == ["Hosts", "Hosts", "More", "Made"]
    assert isinstance(rows[0], Group)


def test_texts_of_the_module_fill_formulas(tmp_path):
    (line,) = sheet(tmp_path, "a | A | count | =MAX({python:ALL})\n    Largest\n", texts={"ALL": "{b},{c}"}).rows
    assert line.formula == "=MAX({b},{c})"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (b"\xef\xbb\xbf" + ROW.encode(), "1: the file starts with a byte order mark; save it as UTF-8 without one."),
        (ROW.replace("\n", "\r\n"), "1: the line ends in CR, as on Windows; save the file with line ends of LF alone."),
        (b"a | \xff | count | =1\n", "1: byte 0xff is not UTF-8; save the file as UTF-8."),
        (2 * ROW.replace("|", ";"), "1: cells are separated by semicolons; separate them by bars: key | label | unit"),
        (
            ROW.replace("|", "\t"),
            "1: cells are separated by tabs; separate them by bars: key | label | unit | formula.",
        ),
        (
            "hosts | Hosts | =1\n    Definition\n",
            "1: 3 cells where 4 are expected; write key | label | unit | formula.",
        ),
        ("a |  | count | =1\n    B\n", "1: the label is blank; write key | label | unit | formula."),
        ("a | A | | =1\n    B\n", "1: the unit is blank; write key | label | unit | formula."),
        ("a | A | count | 1\n    B\n", "1: formula '1' does not start with '='; write key | label | unit | formula."),
        ("Hosts | Hosts | count | =1\n    B\n", "1: 'Hosts' is no key; write small letters, digits and _, with a star"),
        ("\na | A | count | =1\n", "2: a has no basis; write it below, indented."),
        ("    Definition\n", "1: an indented line belongs to the row above it, and there is none; write the row."),
        ("a | A | count | =1\n    B\n    | +1\n", "3: the formula goes on below the basis; write it above."),
        ("a | A | count | =1\n    @head 2 | A\n    B\n", "2: '@head 2 | A' is unknown; write @headline POSITION | "),
        ("@rows made\n", "1: '@rows made' is unknown; write @python and the name of rows that the module makes."),
        ("[Hosts\n", "1: '[Hosts' is no heading; write [Heading]."),
        (f"# {'x' * 159}\n", "1: 161 characters; write at most 160, a long formula in several lines."),
        ("@python made\n", "1: made.py gives no 'made'; give it there, or remove it here."),
        (
            "a | A | count | ={python:ALL}\n    B\n",
            "1: made.py gives no 'ALL'; give it there, or remove it here.",
        ),
    ],
)
def test_a_fault_is_one_complaint_with_file_and_line(tmp_path, text, complaint):
    (fault,) = faults(tmp_path, text)
    assert fault.startswith(f"made.rows:{complaint}")


def test_the_nearest_name_is_offered_and_what_no_line_takes_is_named(tmp_path):
    given = {"ratios": (), "rests": ()}
    assert faults(tmp_path, "@python ratio\n@python rests\n", rows=given) == [
        "made.rows:1: made.py gives no 'ratio'; did you mean 'ratios'?",
        "made.rows: no line takes 'ratios' from made.py; add it or remove it there.",
    ]


def test_a_missing_file_is_named(tmp_path):
    made = table.sheet(str(tmp_path / "made.py"), "Made", "A sheet for tests", rows={"more": ()})
    assert [str(fault) for fault in made.faults] == ["made.rows: the file is missing; restore it."]


SPOILT = {  # file: what is replaced, by what
    "sizing/capacity": (b"# key", b"\xef\xbb\xbf# key"),
    "money/cost": (b"|", b";"),
    "sizing/sizing": (b"[Failure]\n", b"[Failure]\r\n"),
}
SPOILT_ROWS = [  # rows of Capacity: what is replaced, by what, the complaint
    ("{users_per_vm}", "{users_per_vn}", "formula: {users_per_vn} is unknown; did you mean {users_per_vm}?"),
    ("swap file | GiB |", "swap file | Gib |", "unit 'Gib' is not in units.csv; did you mean 'GiB'?"),
    ("Identity disk | GiB |", "Identity disk |", "3 cells where 4 are expected; write key | label | unit | formula."),
    ("{range:swap_gib:disk_stored_gib}", "{range:swap_gib:disk}", "formula: {disk} is unknown; did you mean {"),
    (
        "cache_memory_gib* |",
        "hosts_required* |",
        "'hosts_required' is already the key of model/sheets/sizing/capacity.rows:",
    ),
    ("={desktop_gib}*", "={desktop_gib*", "formula '={desktop_gib*{machines_here}' has a brace without its other"),
]


@pytest.fixture
def copy(tmp_path):
    """The sources of a build, to be spoilt."""
    for name in ("model", "addin"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("build.py", "CHANGELOG.md", "README.md", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def refused(copy):
    """Return the lines that a build ends with; nothing is built."""
    command = [sys.executable, "build.py", "--out", "out"]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout) == (1, "")
    assert not (copy / "out").exists()
    return done.stderr.splitlines()


@pytest.mark.slow
def test_the_faults_of_all_rows_are_one_list_with_file_and_line_and_nothing_is_built(copy):
    path = copy / "model" / "sheets" / "sizing" / "capacity.rows"
    text = path.read_text(encoding="utf-8")
    expected = []
    for old, new, complaint in SPOILT_ROWS:
        assert old in text
        line = text[: text.index(old)].count("\n") + 1
        expected.append((f"model/sheets/sizing/capacity.rows:{line}: ", complaint))
        text = text.replace(old, new, 1)
    path.write_text(text, encoding="utf-8")
    for name, (old_bytes, new_bytes) in SPOILT.items():
        path = copy / "model" / "sheets" / f"{name}.rows"
        path.write_bytes(path.read_bytes().replace(old_bytes, new_bytes))
    expected += [
        ("model/sheets/sizing/capacity.rows:1: ", "the file starts with a byte order mark"),
        ("model/sheets/money/cost.rows:5: ", "cells are separated by semicolons"),
        ("model/sheets/sizing/sizing.rows:3: ", "the line ends in CR, as on Windows"),
    ]
    named = refused(copy)
    missing = [(where, what) for where, what in expected if not any(line.startswith(where + what) for line in named)]
    assert (missing, len(named)) == ([], len(expected)), "\n".join(named)


@pytest.mark.slow
def test_faults_of_data_and_of_rows_are_one_list(copy):
    rows, units = copy / "model" / "sheets" / "sizing" / "capacity.rows", copy / "model" / "data" / "units.csv"
    rows.write_text(rows.read_text(encoding="utf-8").replace("[Desktops]", "[Desktops"), encoding="utf-8")
    units.write_text(units.read_text(encoding="utf-8").replace("GiB,capacity", "GiB;capacity"), encoding="utf-8")
    named = refused(copy)
    assert any(line.startswith("model/data/units.csv:9") for line in named)
    assert named[-1] == "model/sheets/sizing/capacity.rows:3: '[Desktops' is no heading; write [Heading]."
