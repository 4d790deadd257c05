"""`diff` and `text` from a shell and from git: what is printed, exit codes, the saved copy, what is refused."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook

from addin.diff.compared import HEADING, SHEET
from addin.workbook.book import SizingBook
from tests.diff.conftest import SHIPPED
from tests.support import needed
from tests.support.json_schema import faults
from tests.support.shell import Run

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
Make = Callable[..., Path]


@pytest.fixture(scope="module")
def make(book: SizingBook, tmp_path_factory: pytest.TempPathFactory) -> Make:
    """Save a copy of the workbook with other entries and cells."""
    folder = tmp_path_factory.mktemp("copies")

    def save(name: str, entries: Mapping[str, object], cells: Mapping[str, object] | None = None) -> Path:
        workbook = load_workbook(SHIPPED)
        for key, value in {"array_price": 90000, **entries}.items():
            at = book.entry(key).address
            workbook[at.sheet].cell(at.row, at.column).value = value
        for a1, value in (cells or {}).items():
            sheet, _, cell = a1.partition("!")
            workbook[sheet.strip("'")][cell] = value
        workbook.save(folder / name)
        return folder / name

    return save


@pytest.fixture(scope="module")
def old(make: Make) -> Path:
    return make("old.xlsx", {})


@pytest.fixture(scope="module")
def new(make: Make) -> Path:
    return make("new.xlsx", {"array_price": 120000, "desktops": 2000})


def test_two_equal_copies_print_nothing_that_differs(run: Run, old: Path) -> None:
    code, out, err = run("diff", old, old)
    assert (code, err) == (0, "")
    assert out.splitlines()[-1] == "Nothing differs."


@pytest.mark.parametrize("columns", ["80", "120"])
def test_what_differs_fits_the_terminal(
    run: Run, old: Path, new: Path, columns: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    code, out, err = run("diff", old, new, "--full", "--bridge", "npv")
    assert (code, err) == (1, "")
    assert max(len(line) for line in out.splitlines()[2:]) <= int(columns)
    assert "desktops                  Users: 1,500 -> 2,000 desktops (user)" in " ".join(out.split("\n"))
    bars = out[out.index("Bridge of ") :].splitlines()[1:4]
    assert [(line.split(":")[0].strip().partition("  ")[0], line.split()[-1]) for line in bars] == [
        ("Quote for one array", "+105,000"),
        ("Users", "+105,000"),
        ("change", "+210,000"),
    ]


def test_the_json_follows_its_schema(run: Run, old: Path, new: Path) -> None:
    code, out, err = run("diff", old, new, "--json")
    assert (code, err) == (1, "")
    content = json.loads(out)
    schema = json.loads((ROOT / "addin" / "shell" / "schemas" / "diff.json").read_text(encoding="utf-8"))
    assert list(faults(content, schema)) == []
    assert content["same"] is False
    assert {each["key"] for each in content["bridges"]} == {"npv", "cost_per_desktop", "arrays_required"}
    for each in content["bridges"]:
        assert sum(bar["amount"] for bar in each["bars"]) == pytest.approx(each["new"] - each["old"], rel=1e-9)


def test_the_saved_copy_is_the_new_one_with_a_sheet_and_a_waterfall(
    run: Run, old: Path, new: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.xlsx"
    before = new.read_bytes()
    assert run("diff", old, new, "--bridge", "npv", "--save", out)[0] == 1
    assert new.read_bytes() == before
    saved = load_workbook(out)
    assert saved.sheetnames == [*load_workbook(new).sheetnames, SHEET]
    sheet = saved[SHEET]
    assert sheet["A1"].value == HEADING
    (chart,) = sheet._charts
    assert (chart.grouping, chart.overlap) == ("stacked", 100)
    steps = [
        row for row in sheet.iter_rows(values_only=True) if row[0] in ("old", "Users", "Quote for one array", "new")
    ]
    adds = {row[0]: row[4] for row in steps if row[4] is not None and isinstance(row[5], int | float)}
    ends = {row[0]: row[5] for row in steps if isinstance(row[5], int | float)}
    assert (ends["old"], ends["new"]) == (270000, 480000)
    assert sum(adds.values()) == pytest.approx(210000)
    assert run("diff", new, out)[0] == 0  # a result sheet is no difference


def test_two_runs_save_the_same_bytes(run: Run, old: Path, new: Path, tmp_path: Path) -> None:
    saved = [tmp_path / "one.xlsx", tmp_path / "two.xlsx"]
    for out in saved:
        run("diff", old, new, "--bridge", "arrays_required", "--save", out)
    assert saved[0].read_bytes() == saved[1].read_bytes()


def broken(make: Make, folder: Path, what: str, book: SizingBook) -> Path:
    """Return a file that cannot be compared."""
    path = folder / f"{what}.xlsx"
    if what == "foreign":
        Workbook().save(path)
    elif what == "encrypted":
        path.write_bytes(b"\xd0\xcf\x11\xe0" + bytes(600))
    elif what == "truncated":
        path.write_bytes(SHIPPED.read_bytes()[:200_000])
    elif what == "circular":
        at = book.results["capacity_required_gib"].address.a1
        path = make("circular.xlsx", {}, {at: f"={at}+1"})
    elif what == "unsupported":
        path = make("unsupported.xlsx", {}, {book.results["npv"].address.a1: "=QUOTIENT(7,2)"})
    elif what == "open document":
        path = folder / "book.ods"
        shutil.copy(SHIPPED, path)
    return path


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("foreign", "is not a VDI storage sizing workbook"),
        ("encrypted", "is encrypted"),
        ("truncated", "cannot be read as .xlsx"),
        ("missing", "there is no such file"),
        ("open document", "is an OpenDocument file; expected .xlsx"),
        ("circular", "The cell depends on itself"),
        ("unsupported", "QUOTIENT"),
    ],
)
def test_what_cannot_be_compared_is_one_line(
    run: Run, make: Make, old: Path, book: SizingBook, tmp_path: Path, what: str, said: str
) -> None:
    bad = broken(make, tmp_path, what, book)
    target = tmp_path / "out.xlsx"
    for pair in ((old, bad), (bad, old)):
        code, out, err = run("diff", *pair, "--save", target)
        assert (code, out) == (2, ""), err
        assert err.count("\n") == 1
        assert said in err
        assert bad.name in err
    assert not target.exists()
    code, out, err = run("diff", "--git", "book.xlsx", old, "0" * 40, "100644", bad, "0" * 40, "100644")
    assert (code, err) == (0, "")
    assert said in out
    assert len(out.splitlines()) == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--bridge", "npw"), "did you mean npv"),
        (("--save", "nowhere/out.xlsx"), "there is no folder"),
        (("--save", "out.csv"), "expected a file name that ends in .xlsx"),
        (("--save", "OLD"), "is OLD, which would be replaced"),
    ],
)
def test_a_request_that_cannot_be_met_is_one_line(
    run: Run, old: Path, new: Path, options: tuple[str, str], said: str
) -> None:
    before = old.read_bytes()
    code, out, err = run("diff", old, new, options[0], old if options[1] == "OLD" else options[1])
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert old.read_bytes() == before
    assert run("diff", old)[0] == 2


def test_text_prints_names_and_cells_with_their_stored_results(run: Run) -> None:
    code, out, err = run("text", SHIPPED)
    assert (code, err) == (0, "")
    twin = SHIPPED.with_suffix(".txt").read_text(encoding="utf-8").splitlines()
    names = [line for line in twin if line.startswith("name\t")]
    assert [line for line in out.splitlines() if line.startswith("name\t")] == names
    formulas, printed = (
        [line.replace("\t-0.0", "\t0.0") for line in lines if line.count("\t") == 2 and not line.startswith("name\t")]
        for lines in (twin, out.splitlines())  # a file holds no -0
    )
    assert printed == formulas


def test_git_shows_the_change_of_a_workbook(old: Path, new: Path, tmp_path: Path) -> None:
    git = needed.program("git", "git")

    def run_git(*words: str) -> str:
        done = subprocess.run(
            [git, "-c", "user.name=n", "-c", "user.email=e", *words],
            cwd=tmp_path,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout

    program = tmp_path / "program.py"
    lines = ("import sys", f"sys.path.insert(0, {str(ROOT)!r})", "from addin.__main__ import main", "sys.exit(main())")
    program.write_text("\n".join(lines), encoding="utf-8")
    called = f"'{Path(sys.executable).as_posix()}' '{program.as_posix()}'"
    run_git("init", "-q")
    run_git("config", "diff.vdi.command", f"{called} diff --git")
    run_git("config", "diff.vdi.textconv", f"{called} text")
    (tmp_path / ".gitattributes").write_text("*.xlsx diff=vdi\n", encoding="utf-8")
    shutil.copy(old, tmp_path / "book.xlsx")
    run_git("add", "book.xlsx", ".gitattributes")
    run_git("commit", "-qm", "a workbook")
    shutil.copy(new, tmp_path / "book.xlsx")
    shown = run_git("diff")
    assert shown.startswith("workbook book.xlsx\nold  a/book.xlsx (version")
    assert "Users: 1,500 -> 2,000 desktops" in shown
    assert "+105,000" in shown
    changed = [line for line in run_git("diff", "--no-ext-diff").splitlines() if line[:1] in "+-"]
    assert {"-D5\t1500", "+D5\t2000"} <= set(changed)
    (tmp_path / "book.xlsx").write_text("no workbook", encoding="utf-8")
    assert "cannot be compared" in run_git("diff")
