"""Two designs side by side: A pinned, B typed, what differs marked, the change split by input as `diff` splits it."""

from __future__ import annotations

import json

import pytest

from addin.workbook.digests import digest
from tests.live.test_entries import ASSETS
from tests.support.axe import violations
from tests.support.live_pages import SECRET, changes, click, field, kept, open_file, ready, reload, shown, text, value
from tests.support.live_pairs import QUOTED, Design, bridges, pairs

pytestmark = pytest.mark.slow
OWN = "".join(
    (ASSETS / f"{name}.js").read_text(encoding="utf-8")
    for name in ("format", "model", "changes", "simulate", "pinned", "bridge")
)
CASES: dict[str, tuple[Design, Design]] = {
    "users, failure and growth": (QUOTED, {"desktops": 2600, "failover": "no", "growth_ratio": 0.15}),
    "an array that says at least": (QUOTED, {"array": "Dell Compellent SC8000", "desktops": 1800}),
    "prices alone": (QUOTED, {"array_price": 150000, "discount_ratio": 0.3}),
    "no quote before": ({}, QUOTED),
    "eleven inputs": (
        QUOTED,
        {
            "desktops": 2600,
            "growth_ratio": 0.15,
            "failover": "no",
            "array_price": 150000,
            "discount_ratio": 0.3,
            "support_ratio": 0.1,
            "installation_cost": 1000,
            "years": 4,
            "growth_per_year_ratio": 0.05,
            "latency_limit_ms": 4,
            "capacity_headroom_ratio": 0.3,
        },
    ),
}


@pytest.fixture
def page(again):
    if shown(again, "unpin"):
        click(again, "unpin")
    again.evaluate("localStorage.clear()")
    yield again
    if shown(again, "unpin"):
        click(again, "unpin")


@pytest.mark.parametrize("name", CASES)
def test_the_page_splits_a_change_as_diff_does(book, program, name):
    found = bridges(book, program, OWN, [CASES[name]])
    assert found.wrong == []
    assert found.refused == (2 if name == "no quote before" else 0)


def test_pairs_of_designs_by_chance_are_split_as_diff_does(book, program):
    """Of one hundred: python -m tests.support.live_pairs 100."""
    found = bridges(book, program, OWN, pairs(book, 5))
    assert found.wrong == []
    assert found.equal > 8


def test_a_bar_of_another_length_is_noticed(book, program):
    spoilt = OWN.replace(".map((amount, p)", ".map(each => 1.000001 * each).map((amount, p)", 1)
    assert spoilt != OWN
    assert len(bridges(book, program, spoilt, [CASES["prices alone"]]).wrong) == 2


def rows(opened):
    """Return the rows of the table of both designs: label to A, B, change and whether the row stands out."""
    listed = """[...document.querySelectorAll('#sides tbody tr')].map(row =>
      [...[...row.cells].map(cell => cell.textContent), row.classList.contains('differs')])"""
    return {label: rest for label, *rest in opened.evaluate(listed)}


def test_both_designs_stand_side_by_side_and_what_differs_is_marked(page, book):
    click(page, "pin")
    assert text(page, "sides-told") == "A is pinned, and nothing differs yet. Change an input."
    page.fill(field(page, "Users"), "2200")
    two = (book.evaluate(book.settings(each), ["arrays_used", "boot_minutes"]) for each in ([], ["desktops=2200"]))
    before, now = two
    found = rows(page)
    arrays = [f"{each['arrays_used']:.0f}" for each in (before, now)]
    assert found["Arrays needed, after one failure"] == [*arrays, "+1", True]
    boots = [round(each["boot_minutes"]) for each in (before, now)]
    assert found["Minutes to boot all"] == [*map(str, boots), f"+{boots[1] - boots[0]}", True]
    assert found["Arrays needed"] == ["2", "2", "", False]
    assert page.evaluate("[...document.querySelectorAll('#sides-inputs li')].map(each => each.textContent)") == [
        "Users: 1,500 desktops \u2192 2,200 desktops"
    ]
    assert violations(page) == []
    click(page, "to-pinned")
    assert (changes(page), text(page, "sides-told").startswith("A is pinned, and nothing")) == ({}, True)


def test_the_split_is_drawn_and_goes_when_an_input_changes(page, book, tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"workbook digest": digest(book.cells), "inputs": QUOTED}))
    open_file(page, path)
    click(page, "pin")
    page.fill(field(page, "Users"), "2600")
    page.fill(field(page, "Growth to plan for"), "15%")
    click(page, "split")
    page.wait_for("document.querySelectorAll('#bridges figure').length === 3")
    bars = "[...document.querySelectorAll('#bridges figure:last-child li')].map(each => each.textContent)"
    first, *inputs, last = page.evaluate(bars)
    counts = [
        book.evaluate(book.settings(each), ["arrays_required"])["arrays_required"]
        for each in ([], ["desktops=2600", "growth_ratio=0.15"])
    ]
    assert (first, last) == (f"A{counts[0]:.0f}", f"B{counts[1]:.0f}")
    assert [each.partition(":")[0] for each in inputs] == ["Users", "Growth to plan for"]
    assert sum(float(each.rpartition("+")[2]) for each in inputs) == counts[1] - counts[0]
    assert violations(page) == []
    for width in (400, 768):
        page.resize(width)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.fill(field(page, "Users"), "2601")
    assert text(page, "bridges") == ""


def test_a_result_without_a_number_is_not_split_and_it_is_said_why(page):
    click(page, "pin")
    page.fill(field(page, "Quote for one array"), "210000")
    click(page, "split")
    page.wait_for("document.querySelectorAll('#bridges figure').length")
    assert 'is "enter a quote" in design A.' in text(page, "bridges")


def test_the_pinned_design_comes_back_after_a_reload_without_prices(browser, live_file):
    opened = ready(browser.open(live_file.as_uri()))
    opened.evaluate("localStorage.clear()")
    opened.fill(field(opened, "Users"), "2200")
    opened.fill(field(opened, "Quote for one array"), SECRET)
    click(opened, "pin")
    opened.fill(field(opened, "Quote for one array"), "")
    opened.fill(field(opened, "Users"), "3300")
    assert SECRET not in json.dumps(kept(opened))
    before = rows(opened)["Arrays needed, after one failure"]
    reload(opened)
    assert "a design pinned as A" in text(opened, "stops")
    opened.evaluate("document.querySelector('#stops button').click()")
    opened.settle()
    assert value(opened, "Users") == "3300"
    assert rows(opened)["Arrays needed, after one failure"] == before
    click(opened, "to-pinned")
    assert changes(opened) == {"desktops": 2200}
    opened.evaluate("localStorage.clear()")
    opened.close()


def test_a_design_with_a_fault_is_not_pinned(page):
    page.fill(field(page, "Users"), "many")
    assert page.evaluate("document.getElementById('pin').disabled")
