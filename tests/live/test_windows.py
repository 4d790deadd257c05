"""The page enlarged, in a private window, left and come back to: nothing is out of reach, nothing is mixed up."""

from __future__ import annotations

import pytest

from tests.live.test_head import COVERED, HEAD
from tests.support.axe import violations
from tests.support.live_pages import changes, click, field, kept, ready, shown, text, value, would_ask

pytestmark = pytest.mark.slow
WINDOWS = [(1280, 900), (768, 1024), (400, 850)]
WIDER = """[...document.querySelectorAll('main *, header *, #head *')].filter(each => each.checkVisibility()
  && !each.closest('.scroll, svg, textarea') && each.getBoundingClientRect().right > innerWidth + 1)
  .map(each => each.id || each.tagName + ' ' + each.textContent.slice(0, 40))"""


@pytest.fixture
def page(browser, live_file):
    opened = ready(browser.open(live_file.as_uri()))
    opened.evaluate("localStorage.clear()")
    yield opened
    opened.evaluate("localStorage.clear()")
    opened.close()


@pytest.mark.parametrize(("width", "height"), WINDOWS)
def test_at_200_percent_everything_is_in_reach(page, width, height):
    page.zoom(2, width, height)
    page.fill(field(page, "Users"), "2200")
    click(page, "pin")
    page.fill(field(page, "Users"), "2500")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(WIDER) == []
    page.fill(field(page, "Users"), "1,600")
    for share in (0, 0.5, 1):
        page.evaluate(f"window.scrollTo(0, {share} * document.documentElement.scrollHeight)")
        page.settle()
        top, bottom, found = page.evaluate(HEAD)
        assert found
        assert bottom - top < 0.75 * height / 2, "room is left for what one types"
    page.evaluate("document.querySelector('#faults button').click()")
    page.settle()
    assert changes(page) == {"desktops": 1600}
    assert page.evaluate(COVERED)[1] is False
    assert violations(page) == []


@pytest.mark.parametrize(("width", "height"), WINDOWS)
def test_a_figure_opened_at_200_percent_is_read_and_left(page, width, height):
    page.zoom(2, width, height)
    page.evaluate("document.querySelector('#answer button').click()")
    page.settle()
    assert page.evaluate("document.getElementById('chain').scrollWidth <= innerWidth")
    assert page.evaluate(WIDER.replace("main *", "#chain *")) == []
    page.press("Escape")
    page.settle()
    assert not shown(page, "chain")


def test_back_brings_the_saved_design_and_the_offer_to_continue(page):
    page.fill(field(page, "Users"), "2200")
    page.evaluate("document.getElementById('draw').click()")  # its worker ends with the page
    page.leave_and_come_back()
    ready(page)
    assert (value(page, "Users"), text(page, "trials")) in {("1500", ""), ("2200", "")}, "as saved, or as it was left"
    if value(page, "Users") == "1500":
        assert text(page, "bar").startswith("3 arrays; ")
        page.evaluate("document.querySelector('#stops button').click()")
        page.settle()
    assert (value(page, "Users"), changes(page)) == ("2200", {"desktops": 2200})
    assert text(page, "bar").startswith("4 arrays, +1; ")
    assert page.console == []


def test_a_private_window_keeps_what_is_typed_to_itself(page, browser, live_file):
    page.fill(field(page, "Users"), "2200")
    apart = ready(browser.open(live_file.as_uri(), private=True))
    assert not shown(apart, "stopped")
    apart.fill(field(apart, "Users"), "2300")
    assert text(apart, "keeping") == "1 input is kept in this browser."
    assert not would_ask(apart)
    apart.evaluate("document.getElementById('draw').click()")
    apart.wait_for("document.querySelector('.holds')")
    apart.reload()
    ready(apart)
    assert "2,300 desktops" in text(apart, "stops")
    assert "2,200" not in text(apart, "stops")
    assert all("2300" not in each for each in kept(page).values())
    apart.close()
    again = ready(browser.open(live_file.as_uri(), private=True))
    assert kept(again) == {}, "the next private window knows nothing of it"
    again.close()
