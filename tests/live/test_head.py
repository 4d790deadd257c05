"""The answer stays in view at every width while one types, and says how far it is from the saved design."""

from __future__ import annotations

import pytest

from tests.support.axe import violations
from tests.support.live_pages import click, field, text

pytestmark = pytest.mark.slow
WIDTHS = (400, 768, 1280)
HEAD = """(head => {
  const found = document.elementFromPoint(head.left + 20, head.top + 12);
  return [head.top, head.bottom, Boolean(found.closest('#head'))];
})(document.getElementById('head').getBoundingClientRect())"""
COVERED = """(() => {
  const head = document.getElementById('head'), { top, bottom } = head.getBoundingClientRect();
  const active = document.activeElement, box = active.getBoundingClientRect();
  const behind = box.top < bottom - 1 && box.bottom > top + 1 && !head.contains(active);
  return [active.tagName, behind, box.top > innerHeight];
})()"""


@pytest.fixture
def page(again):
    again.evaluate("localStorage.clear()")
    again.evaluate("window.scrollTo(0, 0)")
    return again


def results(book, *settings):
    """Return arrays, limit and status of some settings, by the kernel."""
    return book.evaluate(book.settings(settings), ["arrays_used", "binding_constraint", "status", "cost_per_desktop"])


def test_the_head_says_arrays_step_and_limit_as_the_kernel_has_them(page, book):
    saved, more = results(book), results(book, "desktops=2200")
    assert text(page, "bar") == f"{saved['status']}; limited by {saved['binding_constraint']}"
    page.fill(field(page, "Users"), "2200")
    step = more["arrays_used"] - saved["arrays_used"]
    assert step == 1
    assert text(page, "bar") == f"{more['status']}, +1; limited by {more['binding_constraint']}"
    page.fill(field(page, "Users"), "1600")
    assert text(page, "bar").startswith("3 arrays, as saved; limited by ")
    page.fill(field(page, "Users"), "200")
    less = results(book, "desktops=200")["arrays_used"] - saved["arrays_used"]
    assert less < 0
    assert f", \N{MINUS SIGN}{-less:.0f}; " in text(page, "bar")


def test_the_head_has_the_cost_once_there_is_a_quote(page, book):
    page.fill(field(page, "Quote for one array"), "210000")
    cost = results(book, "array_price=210000")["cost_per_desktop"]
    assert text(page, "bar").endswith(f"; {cost:.2f} USD/desktop")


def test_the_head_has_no_step_beside_another_answer_and_no_cost_of_too_few_arrays(page):
    """Of 190 installed it read "3 arrays, +187"; of one, the price of this one where three are needed."""
    page.fill(field(page, "Quote for one array"), "90000")
    page.evaluate("document.querySelectorAll('#groups details').forEach(each => { each.open = true; })")
    page.settle()
    page.fill(field(page, "Arrays installed"), "190")
    assert text(page, "bar").startswith("3 arrays, as saved; ")
    page.fill(field(page, "Arrays installed"), "1")
    assert text(page, "bar").startswith("does not fit: needs 3 arrays, as saved; limited by ")
    assert "USD" not in text(page, "bar")
    page.fill(field(page, "Arrays installed"), "")
    page.fill(field(page, "Users"), "")
    assert text(page, "bar-step") == ""


def test_the_step_of_the_cost_is_that_from_the_saved_design(browser, book, tmp_path):
    from dataclasses import replace

    from addin.live import page as made
    from tests.support.live_pages import ready

    path = tmp_path / "quoted.html"
    quoted = replace(book, cells=book.cells.with_values(book.settings(["array_price=210000"])))
    path.write_bytes(made(quoted, prices=True))
    opened = ready(browser.open(path.as_uri()))
    opened.fill(field(opened, "Users"), "2200")
    before = results(book, "array_price=210000")["cost_per_desktop"]
    now = results(book, "array_price=210000", "desktops=2200")["cost_per_desktop"]
    sign = "+" if now > before else "\N{MINUS SIGN}"
    assert text(opened, "bar").endswith(f"; {now:.2f} USD/desktop ({sign}{abs(now - before):.2f})")
    opened.evaluate("localStorage.clear()")
    opened.close()


@pytest.mark.parametrize("width", WIDTHS)
def test_the_head_is_in_view_wherever_one_scrolls(page, width):
    page.resize(width)
    page.fill(field(page, "Users"), "2200")
    for share in (0, 0.3, 1):
        page.evaluate(f"window.scrollTo(0, {share} * document.documentElement.scrollHeight)")
        page.settle()
        top, bottom, found = page.evaluate(HEAD)
        assert found, "nothing stands before it"
        assert 0 <= top < bottom < 240
        assert share == 0 or top == 0
    assert bottom < 90, "it leaves room for what one types"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page) == []


@pytest.mark.parametrize("width", WIDTHS)
def test_no_field_reached_by_keyboard_is_behind_the_head(page, width):
    page.resize(width, 700)
    page.evaluate("document.querySelector('#groups details').open = true")
    page.settle()
    page.evaluate("document.getElementById('save').focus()")
    for key, modifiers in (("Tab", 0), ("Tab", 8)):
        for _ in range(40):
            page.press(key, modifiers)
            tag, covered, below = page.evaluate(COVERED)
            assert (tag, covered, below) == (tag, False, False)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_fault_is_said_in_the_head_and_mended_there(page, width):
    page.resize(width)
    page.fill(field(page, "Users"), "1,600")
    page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
    page.settle()
    top, bottom, _ = page.evaluate(HEAD)
    assert (top, bottom < 300) == (0, True)
    assert page.evaluate("document.querySelector('#faults button').checkVisibility()")
    page.evaluate("document.querySelector('#faults button').click()")
    page.settle()
    assert text(page, "bar").startswith("3 arrays, as saved; ")
    assert page.evaluate("document.activeElement.value") == "1600"
    assert page.evaluate(COVERED)[1] is False
    click(page, "undo")
    assert "Correct Users" in text(page, "faults")
