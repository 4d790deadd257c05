"""What is changed on the page of a hand-off goes back into its workbook, and into no workbook with other formulas."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from openpyxl import load_workbook

from addin.shell.main import main
from addin.workbook.book import open_book
from addin.workbook.digests import as_built, both, digest
from tests.support import opened, released
from tests.support.browser import Browser
from tests.support.javascript import legible
from tests.support.shell import Run

pytestmark = pytest.mark.slow
FIRST_FIELD = "[...document.querySelectorAll('label')].find(each => each.textContent.startsWith('Users')).htmlFor"


@dataclass(frozen=True)
class Handed:
    """A workbook, its hand-off with a page, and what the page saves after 2,200 users were typed there."""

    workbook: Path
    folder: Path
    changes: str


@pytest.fixture(scope="module", params=["of this build", "0.2.0"])
def handed(
    request: pytest.FixtureRequest, original: Path, browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Handed:
    target = tmp_path_factory.mktemp("handed") / "Deal.xlsx"
    path = released.write("0.2.0", target) if request.param == "0.2.0" else Path(shutil.copy(original, target))
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("VDI_BROWSER", "")  # the document is not printed
        assert main(["handoff", str(path), "--live"]) == 0
    folder = path.with_name("Deal hand-off")
    return Handed(path, folder, changes_of(browser, folder / "design-live.html", "2200"))


@pytest.fixture
def workbook(handed: Handed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that workbook in a folder of its own."""
    monkeypatch.setenv("VDI_BROWSER", "")
    return Path(shutil.copy(handed.workbook, tmp_path / "Deal.xlsx"))


def changes_of(browser: Browser, page: Path, users: str | None) -> str:
    """Return the changes that the page saves, after the users were typed there."""
    shown = browser.open(page.as_uri())
    shown.wait_for("document.body.classList.contains('live')")
    if users is not None:
        shown.fill("#" + shown.evaluate(FIRST_FIELD), users)
    text: str = shown.evaluate("document.getElementById('as-json').value")
    shown.close()
    return text


def test_apply_takes_the_changes_of_the_page_of_its_own_workbook(
    run: Run, handed: Handed, workbook: Path, tmp_path: Path
) -> None:
    page, changes = handed.folder / "design-live.html", tmp_path / "changes.json"
    assert '"formats":[]' not in legible(page.read_text(encoding="utf-8"))  # codes would show in place of words
    changes.write_text(handed.changes, encoding="utf-8")
    assert json.loads(changes.read_text())["inputs"] == {"desktops": 2200}
    code, out, err = run("apply", workbook, changes, "--save", tmp_path / "new.xlsx")
    named = both(open_book(workbook).cells)
    assert (code, err) == (0, "")
    assert f"Deal.xlsx is {named}, as the page was made from." in out
    new = open_book(tmp_path / "new.xlsx")
    assert new.cells.constant(new.inputs["desktops"].address) == 2200
    for name in ("design-live.html", "design.html"):
        assert named in (handed.folder / name).read_text(encoding="utf-8")
    assert run("diff", workbook, tmp_path / "new.xlsx")[1].count(f"version {new.version}, {named})") == 2


def test_a_workbook_with_one_other_formula_takes_no_changes_of_the_page(
    run: Run, handed: Handed, workbook: Path, tmp_path: Path
) -> None:
    (changes := tmp_path / "changes.json").write_text(handed.changes, encoding="utf-8")
    book = open_book(workbook)
    at, other = book.results["arrays_required"].address, load_workbook(workbook)
    cell = other[at.sheet].cell(at.row, at.column)
    cell.value = f"{cell.value}+0"
    other.save(tmp_path / "other.xlsx")
    code, out, err = run("apply", tmp_path / "other.xlsx", changes, "--save", tmp_path / "new.xlsx")
    theirs = open_book(tmp_path / "other.xlsx").cells
    assert (code, out, err.count("\n"), (tmp_path / "new.xlsx").exists()) == (2, "", 1, False)
    assert f"changes.json: was made from formulas {digest(book.cells)}; other.xlsx is as built" in err
    assert as_built(theirs) == as_built(book.cells)


def test_inputs_changed_for_the_hand_off_alone_are_among_the_changes(
    run: Run, browser: Browser, workbook: Path, tmp_path: Path
) -> None:
    """The page shows 1,700 users where the workbook has 1,500: what is applied must give the page's design."""
    assert run("handoff", workbook, "--live", "--set", "desktops=1700", "--set", "array_price=90000")[0] == 0
    told = json.loads(changes_of(browser, tmp_path / "Deal hand-off" / "design-live.html", None))
    assert told == {"workbook digest": digest(open_book(workbook).cells), "inputs": {"desktops": 1700}}


def test_a_price_typed_as_a_formula_changes_neither_digest(workbook: Path, tmp_path: Path) -> None:
    book, priced = open_book(workbook), load_workbook(workbook)
    opened.named(priced, "In_array_price").value = "=120000*0.70117"
    priced.save(tmp_path / "priced.xlsx")
    assert both(open_book(tmp_path / "priced.xlsx").cells) == both(book.cells)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ('{"desktops": 2200, "desktops": 2300}', "names desktops twice"),
        ('{"desktops": 2200, "Users": 2300}', "desktops and Users are both desktops"),
    ],
)
def test_an_input_named_twice_is_one_line(run: Run, original: Path, tmp_path: Path, inputs: str, message: str) -> None:
    changes = tmp_path / "changes.json"
    changes.write_text(f'{{"workbook digest": "{digest(open_book(original).cells)}", "inputs": {inputs}}}')
    code, out, err = run("apply", original, changes, "--save", tmp_path / "new.xlsx")
    assert (code, out, err) == (2, "", f"error: changes.json: {message}. Leave one out.\n")
    assert not (tmp_path / "new.xlsx").exists()
