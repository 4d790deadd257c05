"""What --json prints is what its schema says, and every field of it is documented."""

import argparse
import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from addin.shell import json_documents
from addin.shell.main import parser
from addin.xlsx.cell_values import plain_value
from tests.support import pilots
from tests.support.json_schema import faults
from tests.support.shell import Run

ROOT = Path(__file__).parents[2]
SCHEMAS = ROOT / "addin" / "shell" / "schemas"
NAMES = sorted(path.stem for path in SCHEMAS.glob("*.json"))
COMMANDS: dict[str, tuple[str, ...]] = {
    "assumed": ("--set", "desktops=1600"),
    "audit": (),
    "diff": ("BOOK",),  # the same workbook again
    "compare": ("--set", "My array 1.capacity_tib=40", "--set", "My array 1.iops=90000"),
    "decide": ("--trials", "4096", "--set", "array_price=90000", "--desktop-day", "20"),
    "explain": ("Out_arrays_required", "--depth", "1"),
    "inputs": ("--find", "array"),
    "measure": ("PILOTS", "--hours", "08:00-18:00", "--keep-first-days", "--dry-run", "--against"),
    "measure-array": ("FIO", "--dry-run"),
    "scenarios": ("--vary", "growth_ratio"),
    "seek": ("--vary", "desktops", "--target", "arrays_required=2"),
    "sensitivity": ("--trials", "1024"),
    "simulate": ("--trials", "1024", "--set", "growth_ratio=5%"),
    "size": ("--set", "array=My array 1"),
    "whatif": ("--vary", "array=all", "--vary", "array_price=,5000"),
}


def schema(name: str) -> dict:
    """Return the schema of a command."""
    return json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))


def test_every_command_that_prints_json_has_a_schema_that_is_documented() -> None:
    text = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
    (commands,) = (action for action in parser()._actions if isinstance(action, argparse._SubParsersAction))
    with_json = {
        name for name, sub in commands.choices.items() if any("--json" in a.option_strings for a in sub._actions)
    }
    assert with_json == set(NAMES) == set(COMMANDS)
    assert set(re.findall(r"`vdi-sizing/([\w-]+)/1`", text)) == set(NAMES)
    for name in NAMES:
        fields = set(schema(name)["properties"]) - {"schema", "book", "workbook_version", "settings"}
        (row,) = [line for line in text.splitlines() if line.startswith(f"| `{name}` |")]
        assert {f"`{field}`" for field in fields} <= set(re.findall(r"`\w+`", row)), name


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_what_is_printed_follows_the_schema(run: Run, original: Path, tmp_path: Path, name: str) -> None:
    files = {"BOOK": lambda: original, "PILOTS": lambda: pilots.generic(tmp_path / "pilots.csv", pilots.pilots())}
    files["FIO"] = lambda: pilots.fio(tmp_path / "run.json", 64_000, 0.65, 1.0)
    options = [files[option]() if option in files else option for option in COMMANDS[name]]
    code, out, err = run(name, original, *options, "--json")
    assert (code, err) == (1 if name == "size" else 0, "")  # a card that nobody has filled gives no answer
    content = json.loads(out)
    assert list(faults(content, schema(name))) == []
    assert content["schema"] == schema(name)["$id"] == f"vdi-sizing/{name}/{json_documents.VERSION}"
    assert content["settings"] == [each for flag, each in pairwise(COMMANDS[name]) if flag == "--set"]


@pytest.mark.slow
def test_a_chain_that_is_cut_says_so(run: Run, original: Path) -> None:
    (whole, cut) = (json.loads(run("explain", original, "npv", "--depth", depth, "--json")[1]) for depth in ("1", "9"))
    assert not [note for note in whole["notes"] if "The list ends" in note]
    assert cut["notes"][-1] == f"The list ends after {len(cut['steps'])} cells: explain one of them for more."


@pytest.mark.slow
def test_findings_follow_the_schema_too(run: Run, original: Path, tmp_path: Path) -> None:
    from openpyxl import load_workbook

    workbook = load_workbook(original)
    workbook["Capacity"]["F9"] = 12345
    workbook.save(tmp_path / "spoilt.xlsx")
    code, out, _ = run("audit", tmp_path / "spoilt.xlsx", "--json")
    content = json.loads(out)
    assert (code, list(faults(content, schema("audit")))) == (1, [])
    assert any(finding["where"] == "Capacity!F9" for finding in content["findings"])


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"schema": "vdi-sizing/size/2"}, "$.schema: 'vdi-sizing/size/2', expected 'vdi-sizing/size/1'"),
        ({"notes": "none"}, "$.notes: 'none' is no array"),
        ({"more": 1}, "$: more is not listed"),
        ({"results": [{"key": "x", "label": "", "value": [], "unit": ""}]}, "$.results[0]: cell is missing"),
        ({"settings": [True]}, "$.settings[0]: True is no string"),
    ],
)
def test_the_check_of_schemas_finds_what_is_planted(change: dict, fault: str) -> None:
    content = {
        "schema": "vdi-sizing/size/1",
        "book": "x.xlsx",
        "workbook_version": "1",
        "settings": [],
        "results": [],
        "checks": [],
        "notes": [],
    }
    assert list(faults(content, schema("size"))) == []
    assert fault in list(faults(content | change, schema("size")))
    with pytest.raises(ValueError, match="minLength"):
        list(faults("x", {"minLength": 2}))


def test_figures_that_do_not_exist_are_null_and_errors_their_text() -> None:
    from addin.kernel import ExcelError

    assert json_documents._finite({"a": [float("nan"), float("inf"), 1.0]}) == {"a": [None, None, 1.0]}
    assert plain_value(ExcelError.DIV0) == "#DIV/0!"
    assert json_documents.slug("Changed inputs") == "changed_inputs"
    assert json_documents.slug("My array 1.capacity_tib") == "My array 1.capacity_tib"
