"""What is changed on the page of a hand-off goes back into its workbook, and into no workbook with other formulas."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from openpyxl import load_workbook

from addin.workbook.book import open_book
from addin.workbook.digests import as_built, both, digest
from tests.support import opened, released
from tests.support.browser import Browser
from tests.support.shell import Run

pytestmark = pytest.mark.slow
FIRST_FIELD = "[...document.querySelectorAll('label')].find(each => each.textContent.startsWith('Users')).htmlFor"


@pytest.fixture(params=["of this build", "0.2.0"])
def workbook(request: pytest.FixtureRequest, original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VDI_BROWSER", "")  # the document is not printed
    target = tmp_path / "Deal.xlsx"
    if request.param == "0.2.0":
        return released.write("0.2.0", target)
    return Path(shutil.copy(original, target))


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
    run: Run, browser: Browser, workbook: Path, tmp_path: Path
) -> None:
    assert run("handoff", workbook, "--live")[0] == 0
    page, changes = tmp_path / "Deal hand-off" / "design-live.html", tmp_path / "changes.json"
    assert '"formats":[]' not in page.read_text(encoding="utf-8")  # codes would show in place of words
    changes.write_text(changes_of(browser, page, "2200"), encoding="utf-8")
    assert json.loads(changes.read_text())["inputs"] == {"desktops": 2200}
    code, out, err = run("apply", workbook, changes, "--save", tmp_path / "new.xlsx")
    named = both(open_book(workbook).cells)
    assert (code, err) == (0, "")
    assert f"Deal.xlsx is {named}, as the page was made from." in out
    new = open_book(tmp_path / "new.xlsx")
    assert new.cells.constant(new.inputs["desktops"].address) == 2200
    for name in ("design-live.html", "design.html"):
        assert named in (tmp_path / "Deal hand-off" / name).read_text(encoding="utf-8")
    assert run("diff", workbook, tmp_path / "new.xlsx")[1].count(f"version {new.version}, {named})") == 2


def test_a_workbook_with_one_other_formula_takes_no_changes_of_the_page(
    run: Run, browser: Browser, workbook: Path, tmp_path: Path
) -> None:
    assert run("handoff", workbook, "--live")[0] == 0
    page, changes = tmp_path / "Deal hand-off" / "design-live.html", tmp_path / "changes.json"
    changes.write_text(changes_of(browser, page, "2200"), encoding="utf-8")
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
