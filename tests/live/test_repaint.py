"""A key typed redraws what it changes, and nothing else."""

from __future__ import annotations

import pytest

from tests.support.live_pages import field

pytestmark = pytest.mark.slow
WATCH = """(() => {
  const touched = window.touched = new Set();
  new MutationObserver(list => list.forEach(({ target }) => {
    const near = (target.nodeType === 1 ? target : target.parentElement)?.closest('[id]');
    touched.add(near?.id ?? '');
  })).observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true });
})()"""
DRAWN = {
    "limits",
    "ranked",
    "storms",
    "logins-iops",
    "logins-desktops",
    "logins-latency",
    "years",
    "year-charts",
    "notes",
}


@pytest.fixture
def page(again):
    again.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    again.settle()
    again.evaluate("localStorage.clear()")
    return again


def touched(page):
    """Return what was drawn since it was asked for last, by the nearest id."""
    found = set(page.evaluate("[...window.touched]"))
    page.evaluate("window.touched.clear()")
    return found


def test_what_an_input_does_not_change_is_not_touched(page):
    page.evaluate(WATCH)
    page.fill(field(page, "Users"), "2200")
    assert {"limits", "storms", "answer", "logins-iops"} <= touched(page)
    page.fill(field(page, "Quote for one array"), "210000")
    assert touched(page) & DRAWN == {"ranked", "years", "year-charts"}
    page.fill(field(page, "Number of the quote"), "Q-17")
    assert touched(page) & DRAWN == set()


def test_of_a_table_only_the_cells_that_differ_are_written(page):
    cells, inside = "[...document.querySelectorAll('#answer td')]", "each.firstChild?.firstChild"  # a text in a button
    page.fill(field(page, "Users"), "1500")
    page.evaluate(f"{cells}.forEach(each => {{ each.testKept = {inside}; }})")
    before = page.evaluate(f"{cells}.map(each => each.textContent)")
    page.fill(field(page, "Users"), "1600")
    now = page.evaluate(f"{cells}.map(each => each.textContent)")
    kept = page.evaluate(f"{cells}.map(each => each.testKept === {inside})")
    assert before != now
    assert kept == [old == new for old, new in zip(before, now, strict=True)]
