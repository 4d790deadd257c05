"""The recipes of CONTRIBUTING.md, followed in a temporary copy from their own text, up to the audited workbook."""

import json
import re
import shutil
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import pytest
from openpyxl import load_workbook

import build
from addin.audit import audit
from addin.engines.office import recompute
from addin.kernel import Address, Cells, Evaluator
from model.provenance import provenance
from model.reading.read import DATA, read
from model.sheets.proof import evidence
from model.workbook import assemble

ROOT = Path(__file__).parents[2]
RECIPES = Path(__file__).parent / "recipes"
MADE_UP = RECIPES / "array"  # rows of a paper XYZ that does not exist
SHARE = RECIPES / "share"  # rows of a made-up cloud share
COMMAND = RECIPES / "command" / "steps.toml"  # a command that lists the assumed inputs
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def recipe(title: str) -> str:
    """Return the text of a recipe, from its heading to the next."""
    found = re.search(rf"^## Recipe: {re.escape(title)}.*?(?=^## |\Z)", TEXT, re.M | re.S)
    assert found, f"CONTRIBUTING.md has no recipe {title!r}"
    return found[0]


def copy_of_the_product(folder: Path) -> Path:
    """Copy what `build.py` and the commands need; return where."""
    copy = folder / "copy"
    for name in ("model", "addin"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("build.py", "CHANGELOG.md", "README.md", "pyproject.toml"):
        shutil.copy(ROOT / name, copy)
    return copy


def with_rows(folder: Path, recipe: Path) -> Path:
    """Copy the data files, add the rows of a recipe to them; return where."""
    data = Path(shutil.copytree(DATA, folder / "data"))
    for rows in recipe.glob("*.csv"):
        with (data / rows.name).open("a", encoding="utf-8", newline="") as file:
            file.write(rows.read_text(encoding="utf-8"))
    return data


def test_the_array_recipe_names_the_files_that_the_rows_are_for() -> None:
    named = re.findall(r"^\| \d \| `([\w./]+?\.(?:csv|toml))`", recipe("a new array from a new paper"), re.M)
    *files, example = named
    assert sorted(files) == sorted(path.name for path in MADE_UP.glob("*.csv"))
    assert example == "tests/worked_examples/xyz_....toml"


@pytest.mark.slow
def test_rows_of_a_new_paper_end_in_an_audited_workbook_that_agrees_with_them(tmp_path: Path) -> None:
    data = with_rows(tmp_path, MADE_UP)
    built, values, target = build.build(tmp_path / "out", data)  # raises where a row is wrong or a rule is broken
    assert values[evidence.differs_cell()] == 0
    assert build.raised(built, values) == []
    example = tomllib.loads((MADE_UP / "xyz_login.toml").read_text(encoding="utf-8"))
    cells = Cells.from_openpyxl(built.workbook)
    typed = {Address.from_a1(cells.name(f"In_{key}")): value for key, value in example["inputs"].items()}
    sheet, cell = built.layout.cell("login_iops")
    computed = Evaluator(cells, typed).value(Address.from_a1(f"{sheet}!{cell}"))
    expected = example["expected"]["login_iops"]
    assert computed == pytest.approx(expected["printed"], abs=expected["within"])
    assert recompute.agreement(target, values).agrees  # the last step of `just build`


def test_the_share_recipe_names_the_files_that_the_rows_are_for() -> None:
    named = re.findall(r"^\| \d \| `([\w.]+)`", recipe("a new price capture, a new cloud share"), re.M)
    assert sorted(named) == sorted(path.name for path in SHARE.iterdir())


@pytest.mark.slow
def test_a_new_cloud_share_with_its_price_is_sized_and_priced_by_the_rules_of_all(tmp_path: Path) -> None:
    """No formula is added: the audit passes, the sizes and the cost are those worked by hand."""
    data = with_rows(tmp_path, SHARE)
    built = assemble(read(data), provenance())
    assert audit(built.workbook) == ()
    example = tomllib.loads((SHARE / "xyz_share.toml").read_text(encoding="utf-8"))
    cells = Cells.from_openpyxl(built.workbook)
    typed = {Address.from_a1(cells.name(f"In_{key}")): value for key, value in example["inputs"].items()}
    evaluator = Evaluator(cells, typed)
    for key, expected in example["expected"].items():
        sheet, cell = built.layout.cell(key)
        assert evaluator.value(Address.from_a1(f"{sheet}!{cell}")) == pytest.approx(expected), key


@pytest.mark.slow
def test_the_entry_of_the_constraint_recipe_ends_in_an_audited_workbook(tmp_path: Path) -> None:
    copy = copy_of_the_product(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", recipe("a new constraint"), re.S)
    assert len(blocks) == 1, "the recipe has one entry as its example"
    path = copy / "model" / "sheets" / "sizing" / "constraints.py"
    text, failover = path.read_text(encoding="utf-8"), "    Constraint(\n        _FAILOVER,\n"
    entry = textwrap.indent(blocks[0].rstrip(), "    ")
    assert text.count(failover) == 1
    path.write_text(text.replace(failover, f"{entry},\n{failover}"), encoding="utf-8")
    script = (
        "import build, pathlib; built, values, target = build.build(pathlib.Path('out')); "
        "print(values[built.layout.cell('ratio_machines')], build.raised(built, values)); "
        "print([line for line in target.with_suffix('.txt').read_text(encoding='utf-8').splitlines() "
        "if 'Arrays by machines' in line])"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=copy, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    computed, shown = done.stdout.splitlines()
    assert computed == "0.0 []"  # no limit is entered in the reference design
    assert "Arrays by machines" in shown  # its row with the arrays for it followed


def test_the_command_recipe_names_the_files_that_its_example_changes() -> None:
    example = tomllib.loads(COMMAND.read_text(encoding="utf-8"))
    named = re.findall(r"^\| \d? ?\| `(addin/[\w./]+)`", recipe("a new command with a button and a result sheet"), re.M)
    assert sorted(set(named)) == sorted({step["file"] for step in (*example["step"], *example["copy"])})


@pytest.mark.slow
def test_the_example_of_the_command_recipe_prints_and_adds_its_sheet(tmp_path: Path) -> None:
    copy, example = copy_of_the_product(tmp_path), tomllib.loads(COMMAND.read_text(encoding="utf-8"))
    for step in example["step"]:
        path = copy / step["file"]
        text = path.read_text(encoding="utf-8")
        place = text.index(step["before"]) if "before" in step else len(text)
        path.write_text(text[:place] + step["text"] + text[place:], encoding="utf-8")
    for each in example["copy"]:
        text = (copy / each["of"]).read_text(encoding="utf-8")
        for old, new in each["replaces"]:
            assert old in text
            text = text.replace(old, new)
        (copy / each["file"]).write_text(text, encoding="utf-8")
    shutil.copy(ROOT / "templates" / "vdi-storage-sizing.xlsx", copy / "book.xlsx")

    def run(*words: str) -> str:
        command = [sys.executable, "-m", "addin", "notes", "book.xlsx", *words]
        done = subprocess.run(command, cwd=copy, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "rho_cap_ratio" in run()
    rows = json.loads(run("--json"))["rows"]
    assert rows
    assert all(row["basis"].startswith("assumed") for row in rows)
    run("--sheet")
    sheet = load_workbook(copy / "book.xlsx", read_only=True)["Assumed inputs"]
    assert {row["key"] for row in rows} <= {cell for (cell,) in sheet.iter_rows(max_col=1, values_only=True)}
