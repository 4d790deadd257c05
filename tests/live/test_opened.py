"""A figure opened in a browser: by mouse and by keyboard alone, step by step down and back, at every width."""

from __future__ import annotations

import json

import pytest

from tests.support.axe import violations
from tests.support.browser import SHIFT
from tests.support.live_pages import field, text

pytestmark = pytest.mark.slow
DOWN = (
    "Usable after headroom, where what is stored is known",
    "Usable after free space and snapshot reserve",
    "Share of usable capacity that may be filled",
    "Free space kept on array or cloud share",
)
ROWS = "[...document.querySelectorAll('#moves-drawn tbody tr')]"
FOCUS = "document.activeElement"


@pytest.fixture
def page(again):
    yield again
    again.evaluate("document.getElementById('chain').close()")
    again.settle()


def is_open(opened) -> bool:
    return opened.evaluate("document.getElementById('chain').open")


def press(opened, selector: str, number: int = 0) -> None:
    opened.evaluate(f"document.querySelectorAll({json.dumps(selector)})[{number}].click()")
    opened.settle()


def point(opened, selector: str) -> None:
    """Press the mouse on an element."""
    box = opened.evaluate(
        f"(each => {{ each.scrollIntoView({{ block: 'center' }}); const {{ x, y, width, height }} = "
        f"each.getBoundingClientRect(); return [x + width / 2, y + height / 2]; }})"
        f"(document.querySelector({json.dumps(selector)}))"
    )
    for kind in ("mousePressed", "mouseReleased"):
        opened.send("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)
    opened.settle()


def sources(opened) -> list[list[str]]:
    """Return name, value and kind of what the figure is made from."""
    listed = "[...document.querySelectorAll('#chain-sources button')]"
    return opened.evaluate(f"{listed}.map(each => [...each.children].map(part => part.textContent))")


def test_a_figure_opens_down_to_an_input_and_its_field(page, book):
    point(page, "#limits .opens")
    assert (text(page, "chain-title"), text(page, "chain-value")) == ("Capacity", "0.194 arrays")
    assert text(page, "chain-exact").startswith("All digits: 0.1935")
    assert "\u201cCapacity required\u201d \u00f7 \u201cUsable after headroom" in text(page, "chain-words")
    cell = book.results["ratio_capacity"].address.a1
    assert text(page, "chain-cell").startswith(f"In the workbook: {cell}, =IF(Capacity!D")
    for name in (*DOWN, DOWN[-1]):  # its row on Design, then the input
        names = [found[0] for found in sources(page)]
        press(page, "#chain-sources button", names.index(name))
        assert text(page, "chain-title") == name
    assert "An input, as in the saved workbook." in text(page, "chain-origin")
    press(page, "#to-field")
    assert not is_open(page)
    assert page.evaluate(f"{FOCUS}.closest('.field').querySelector('label').textContent") == DOWN[-1]


def test_a_figure_is_opened_and_left_by_keyboard_alone(page):
    page.evaluate("document.querySelector('#cards > details:last-child > summary').focus()")
    page.press("Tab")
    assert page.evaluate(f"{FOCUS}.closest('table').id") == "answer"
    page.press("ArrowRight")
    page.press("ArrowDown")
    page.press("ArrowDown")
    name = page.evaluate(f"{FOCUS}.getAttribute('aria-label')")
    assert name == "2.66, Arrays needed, unrounded, after one failure: explain"
    page.press("Enter")
    page.settle()
    assert is_open(page)
    assert page.evaluate(f"{FOCUS}.id") == "chain-title"
    assert text(page, "chain-value") == "2.66"
    page.press("Tab")
    first = page.evaluate(f"{FOCUS}.querySelector('.name').textContent")
    page.press("Enter")
    page.settle()
    assert text(page, "chain-title") == first
    assert page.evaluate(f"{FOCUS}.id") == "chain-title"
    for _ in range(9):
        page.press("Tab", SHIFT)
        if page.evaluate(f"{FOCUS}.id") == "chain-back":
            break
    page.press("Enter")
    page.settle()
    assert text(page, "chain-title") == "Arrays needed, unrounded, after one failure"
    assert page.evaluate(f"{FOCUS}.querySelector('.name').textContent") == first
    page.press("Escape")
    page.settle()
    assert not is_open(page)
    assert page.evaluate(f"{FOCUS}.getAttribute('aria-label')") == name
    page.press("Tab")
    assert page.evaluate(f"{FOCUS}.closest('table')?.id") != "answer", "one figure of a table takes the Tab key"


def test_every_figure_shown_opens_under_its_name(page):
    """Of each table and list the first and the last: what opens is the value that was pressed."""
    page.evaluate("document.querySelectorAll('#cards details').forEach(each => { each.open = true; })")
    page.settle()
    for host in ("#answer", "#notes", "#limits", "#ranked", "#storms", "#money", "#years", "#cards .derived"):
        for end in ("0", "all.length - 1"):
            all_of = f"[...document.querySelectorAll('{host} .opens')]"
            value, name, said = page.evaluate(
                f"(all => {{ const button = all[{end}]; button.click(); "
                f"return [button.textContent, button.dataset.name, button.getAttribute('aria-label')]; }})({all_of})"
            )
            assert said == f"{value}, {name}: explain"
            assert text(page, "chain-title") == name
            opened = text(page, "chain-value")
            assert value.startswith(opened) or opened.startswith(value) or value == "-", (host, value, opened)
            page.evaluate("document.getElementById('chain').close()")


@pytest.mark.parametrize("width", [400, 768, 1280])
def test_an_opened_figure_fits_every_width_and_has_no_fault(page, width):
    page.resize(width)
    press(page, "#years .opens")
    press(page, "#chain-sources button", 5)
    wide = (
        "[document.documentElement, document.getElementById('chain')].map(each => each.scrollWidth - each.clientWidth)"
    )
    assert page.evaluate(wide) == [0, 0]
    press(page, "#chain-back")
    assert page.evaluate(wide) == [0, 0]
    if width == 400:
        assert violations(page) == []
    asked = page.requests
    assert [each for each in asked if not each.startswith("file:")] == []
    assert page.console == []


def test_what_is_changed_here_is_told_in_the_chain(page):
    page.fill(field(page, "Users"), "2200")
    press(page, ".moves")
    assert text(page, "chain-value") == "2,200 desktops"
    assert "An input, changed on this page. The saved workbook has 1,500 desktops." in text(page, "chain-origin")
    page.press("z", 2)
    page.evaluate("document.getElementById('chain').close()")
    page.settle()
    assert page.evaluate(f"document.querySelector('{field(page, 'Users')}').value") == "2200", (
        "Ctrl+Z was not for the page"
    )
    page.fill(field(page, "Users"), "many")
    press(page, "#answer .opens")
    assert page.evaluate("document.getElementById('chain-stale').checkVisibility()")


def moved(opened, label: str) -> None:
    """Open what an input moves, and wait for it."""
    opened.evaluate(
        f"document.querySelector('{field(opened, label)}').closest('.field').querySelector('.moves').click()"
    )
    opened.wait_for("!/Computing/.test(document.getElementById('moves-told').textContent)")
    opened.settle()


def test_an_input_shows_what_it_moves(page, book):
    moved(page, "Users")
    assert text(page, "moves-told") == "From 750 desktops to 3,000 desktops, all other inputs unchanged."
    rows = page.evaluate(f"{ROWS}.map(row => [...row.cells].map(cell => cell.textContent))")
    assert len(rows) == 22, "twenty steps, and the present value"
    assert ["1,500 desktops (now)", "3", "Latency, after one failure"] in rows
    for users, arrays, limit in (rows[0], rows[-1]):
        typed = [f"desktops={users.removesuffix(' desktops').replace(',', '')}"]
        wanted = book.evaluate(book.settings(typed), ["arrays_used", "binding_constraint"])
        assert (float(arrays), limit) == (wanted["arrays_used"], wanted["binding_constraint"])
    label = "document.querySelector('#moves-drawn svg').getAttribute('aria-label')"
    assert page.evaluate(label) == "Arrays in the design against Users, desktops; the figures are in the table"
    present = page.evaluate("Number(document.querySelector('#moves-drawn .base').getAttribute('x1'))")
    dots = page.evaluate(
        "[...document.querySelectorAll('#moves-drawn .dot')].map(dot => Number(dot.getAttribute('cx')))"
    )
    assert any(abs(dot - present) < 0.1 for dot in dots)
    assert page.evaluate("document.querySelectorAll('#moves-drawn .limit').length") == 0
    page.evaluate("document.getElementById('chain').close()")
    moved(page, "Working at the same time")
    assert page.evaluate("document.querySelectorAll('#moves-drawn .limit').length") == 2, "0% and 100%"


def test_an_input_that_moves_nothing_says_so(page):
    page.evaluate("document.querySelectorAll('#groups details').forEach(each => { each.open = true; })")
    page.settle()
    moved(page, "Share of the full-clone disk written")
    assert text(page, "moves-told") == "It moves nothing here: from 0% to 100% every result stays as it is."
    assert not page.evaluate("document.getElementById('moves-of').checkVisibility()")
    assert page.evaluate("document.getElementById('moves-drawn').childElementCount") == 0


def test_the_page_stays_below_900_kb(live):
    assert len(live) <= 900_000
