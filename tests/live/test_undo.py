"""Undo and redo: buttons and keys, a step for what was typed in one field, and never at the cost of what is edited."""

from __future__ import annotations

import pytest

from tests.support.browser import CONTROL, SHIFT
from tests.support.live_pages import changes, click, field, told, value

pytestmark = pytest.mark.slow


@pytest.fixture
def page(shown):
    shown.evaluate("localStorage.clear()")
    yield shown
    shown.evaluate("localStorage.clear()")


def away(page):
    """Take the cursor out of every field."""
    page.evaluate("document.activeElement.blur()")


def pressable(page):
    """Say which of the two buttons can be pressed."""
    return page.evaluate("['undo', 'redo'].map(id => !document.getElementById(id).disabled)")


def test_the_typing_in_one_field_is_one_step(page):
    assert pressable(page) == [False, False]
    page.fill(field(page, "Users"), "")
    for digit in "2200":
        page.press(digit)
    page.settle()
    assert changes(page) == {"desktops": 2200}
    page.fill(field(page, "Growth to plan for"), "15%")
    click(page, "undo")
    assert (changes(page), told(page)) == ({"desktops": 2200}, "Taken back: Growth to plan for is 0%.")
    click(page, "undo")
    assert (changes(page), value(page, "Users")) == ({}, "1500")
    assert pressable(page) == [False, True]
    click(page, "redo")
    click(page, "redo")
    assert changes(page) == {"desktops": 2200, "growth_ratio": 0.15}
    assert (pressable(page), told(page)) == ([True, False], "Done again: Growth to plan for is 15%.")


def test_the_keys_step_back_and_forth_outside_of_text(page):
    page.fill(field(page, "Users"), "2200")
    away(page)
    page.press("z", CONTROL)
    page.settle()
    assert changes(page) == {}
    page.press("y", CONTROL)
    page.settle()
    assert changes(page) == {"desktops": 2200}
    page.press("z", CONTROL)
    page.press("z", CONTROL | SHIFT)
    page.settle()
    assert changes(page) == {"desktops": 2200}


def test_the_keys_in_a_field_are_left_to_the_field(page):
    page.fill(field(page, "Users"), "2200")
    page.fill(field(page, "Growth to plan for"), "15%")
    stopped = "window.stopped = []; addEventListener('keydown', each => stopped.push(each.defaultPrevented))"
    page.evaluate(stopped)
    page.press("z", CONTROL)
    page.settle()
    assert page.evaluate("window.stopped") == [False]
    assert changes(page)["desktops"] == 2200


def test_a_choice_an_array_of_the_list_and_the_saved_design_are_steps(page):
    page.evaluate("""(list => { list.value = 'no'; list.dispatchEvent(new Event('change')); })(
        document.querySelector('#start').querySelectorAll('select')[3])""")
    page.settle()
    assert changes(page) == {"failover": "no"}
    page.evaluate("[...document.querySelectorAll('#ranked .link')].find(e => /SC8000/.test(e.textContent)).click()")
    page.settle()
    both = changes(page)
    assert set(both) == {"failover", "array"}
    click(page, "reset")
    assert changes(page) == {}
    click(page, "undo")
    assert changes(page) == both
    click(page, "undo")
    click(page, "undo")
    assert changes(page) == {}


def test_what_cannot_be_read_comes_back_as_it_was_typed(page):
    page.fill(field(page, "Users"), "22oo")
    away(page)
    click(page, "reset")
    assert value(page, "Users") == "1500"
    click(page, "undo")
    assert value(page, "Users") == "22oo"
    assert page.evaluate("document.body.classList.contains('faulty')")


def test_a_change_after_a_step_back_ends_what_could_be_done_again(page):
    page.fill(field(page, "Users"), "2200")
    click(page, "undo")
    page.fill(field(page, "Users"), "3300")
    assert pressable(page) == [True, False]
    click(page, "undo")
    assert changes(page) == {}


def test_typing_that_ends_where_it_began_is_no_step(page):
    page.fill(field(page, "Users"), "2200")
    page.fill(field(page, "Users"), "1500")
    assert pressable(page) == [False, False]


@pytest.mark.slow
def test_a_slider_takes_the_values_of_the_sweep_in_one_step_of_undo(shown):
    at = field(shown, "Users")
    bar = f"document.querySelector('{at}').parentElement.querySelector('input[type=range]')"
    move = f"(to => {{ {bar}.value = to; {bar}.dispatchEvent(new Event('input')); }})"
    assert shown.evaluate(f"[{bar}.hidden, Number({bar}.max), {bar}.getAttribute('aria-valuetext')]") == [
        False, 21, "1,500 desktops",
    ]  # fmt: skip
    for to in (0, 21):
        shown.evaluate(f"{move}({to})")
        shown.settle()
    assert (value(shown, "Users"), changes(shown)) == ("3000", {"desktops": 3000})
    click(shown, "undo")
    assert (value(shown, "Users"), changes(shown)) == ("1500", {})
    shown.fill(at, "2000")
    shown.settle()
    assert shown.evaluate(f"{bar}.getAttribute('aria-valuetext')") == "2,000 desktops"
    blank = f"document.querySelector('{field(shown, 'Quote for one array')}').parentElement"
    assert shown.evaluate(f"{blank}.querySelector('input[type=range]').hidden")
