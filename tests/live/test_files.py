"""Save writes what `apply` takes, and Open takes it back: half of a file where only half of it fits."""

from __future__ import annotations

import json
import random

import pytest

from addin.results import applying
from addin.workbook.digests import digest
from tests.live.test_entries import ASSETS
from tests.support.javascript import node
from tests.support.live_pages import changes, click, field, open_file, shown, told, value

pytestmark = pytest.mark.slow
OWN = "".join(
    (ASSETS / f"{name}.js").read_text(encoding="utf-8") for name in ("format", "model", "changes", "link", "sharing")
)


@pytest.fixture
def page(again):
    again.evaluate("localStorage.clear()")
    return again


@pytest.fixture
def written(book, tmp_path):
    """Write a file of changes of this workbook, or of another one."""

    def write(inputs, **other):
        path = tmp_path / "changes.json"
        path.write_text(json.dumps({"workbook digest": digest(book.cells), "inputs": inputs} | other), encoding="utf-8")
        return path

    return write


def test_save_writes_a_file_that_apply_takes_and_open_takes_back(page, browser, book, tmp_path):
    browser.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    page.fill(field(page, "Users"), "2200")
    page.fill(field(page, "Quote for one array"), "123456")
    before = changes(page)
    click(page, "save")
    path = tmp_path / "changes.json"
    page.wait_for("true")
    for _ in range(200):
        if path.exists():
            break
        page.settle()
    assert told(page) == "Saved changes.json, with the prices that you typed."
    assert {each.item.key: each.now for each in applying.read(book, path)} == before
    click(page, "reset")
    open_file(page, path)
    assert (changes(page), told(page)) == (before, "Opened changes.json: 2 inputs set. Undo takes it back.")


def test_an_entry_that_cannot_be_read_is_named_when_the_rest_is_saved(page, browser, tmp_path):
    browser.send("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    page.fill(field(page, "Users"), "many")
    click(page, "save")
    assert told(page).endswith("Not in it, as they cannot be read: Users.")


def test_half_of_a_file_is_set_and_what_does_not_fit_is_named(page, written):
    page.fill(field(page, "Working at the same time"), "80%")
    inputs = {
        "desktops": 2200,
        "growth_ratio": 99,
        "array": "Abacus 3000",
        "profile": True,
        "weight_kg": 3,
        "years": 2.5,
        "failover": "NO",
    }
    open_file(page, written(inputs))
    assert changes(page) == {"desktops": 2200, "failover": "no"}
    for said in (
        "2 inputs set. Undo takes it back.",
        "Growth to plan for: ",
        'Storage array: "Abacus 3000" is not in its list',
        "Workload profile: expected a number or a text",
        '"weight_kg" is not an input of this page',
        "2.5 is outside the whole numbers 1 to 7 years",
    ):
        assert said in told(page)
    click(page, "undo")
    assert changes(page) == {"concurrent_ratio": 0.8}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is not JSON. Expected a file that Save has written. Nothing was changed."),
        ("{", "is not JSON."),
        ("[" * 50_000, "is not JSON."),
        ("[]", "contains no inputs."),
        ('{"workbook digest": "x"}', "contains no inputs."),
        ('{"workbook digest": "x", "inputs": [1]}', "contains no inputs."),
        ('{"workbook digest": "x", "inputs": {"nothing": 1}}', "was made from formulas x; this page has "),
        (" " * 1_000_001, "is larger than 1,000,000 bytes."),
        ("\x00\xff<script>", "is not JSON."),
    ],
)
def test_what_is_no_file_of_changes_is_one_line_and_nothing_is_lost(page, tmp_path, content, said):
    page.fill(field(page, "Users"), "3300")
    (path := tmp_path / "bad.json").write_text(content, encoding="utf-8")
    open_file(page, path)
    assert said in told(page)
    assert "Nothing was changed." in told(page)
    assert (changes(page), value(page, "Users")) == ({"desktops": 3300}, "3300")
    assert page.console == []


def test_an_input_named_twice_is_said(page, book, tmp_path):
    path = tmp_path / "twice.json"
    path.write_text(f'{{"workbook digest": "{digest(book.cells)}", "inputs": {{"desktops": 1, "desktops": 2200}}}}')
    open_file(page, path)
    assert changes(page) == {"desktops": 2200}
    assert "Named twice, the last one taken: desktops." in told(page)


def test_open_and_its_link_close_again(page):
    click(page, "open")
    assert shown(page, "opening")
    assert page.evaluate("document.activeElement.id") == "file"
    click(page, "open")
    assert not shown(page, "opening")


def test_every_design_comes_back_from_its_file_and_its_link(program, book):
    """Three hundred random designs through both texts; prices come back from the file alone."""
    chance = random.Random(7)
    code, data = program
    keys = [key for key, *_ in data["inputs"]]
    designs = []
    for _ in range(300):
        design = {}
        for key in chance.sample(keys, chance.randint(0, 40)):
            item = book.entry(key)
            if item.choices:
                design[key] = chance.choice(item.choices)
            elif item.text:
                design[key] = chance.choice(("\N{GRINNING FACE}", "<b>&", 'a"b', "\\", "1,5"))
            elif item.minimum is not None and item.maximum is not None:
                share = chance.random()
                design[key] = float(f"{item.minimum + share * (item.maximum - item.minimum):.12g}")
                if item.integer or item.unit == "date":
                    design[key] = float(int(design[key]))
                if item.unit == "clock":
                    design[key] = round(design[key] * 1439) / 1440
        designs.append({key: held for key, held in design.items() if held != 1.0 or item.unit != "clock"})
    script = f"""{code}
const DATA={json.dumps(data)};
{{{OWN}
const designs = {json.dumps(designs)}, bad = [];
for (const design of designs) {{
  INPUTS.forEach((input, n) => {{ entries[n] = input.saved; }});
  for (const [key, value] of Object.entries(design)) entries[numberOf.get(key)] = value;
  const wanted = changed();
  for (const [prices, {{ inputs }}] of [[true, readChanges(changesText())], [false, readLink(linkText())]]) {{
    const {{ states, misfits }} = fitting(inputs, true);
    const ours = wanted.filter(n => prices || !INPUTS[n].money);
    const lost = ours.filter(n => !states.has(n) || !same(states.get(n).value, entries[n]));
    if (misfits.length || lost.length || states.size !== ours.length) {{
      bad.push([prices, misfits, lost.map(n => [INPUTS[n].key, entries[n], states.get(n)])]);
    }}
  }}
}}
process.stdout.write(JSON.stringify(bad.slice(0, 5)));
}}"""
    assert node(script) == []
