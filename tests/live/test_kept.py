"""Nothing typed is lost: what the browser keeps, for whom, until when; what the page says where it keeps nothing."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from addin.kernel import Address
from addin.live import page
from tests.support.axe import violations
from tests.support.live_pages import (
    SECRET,
    changes,
    click,
    field,
    kept,
    ready,
    reload,
    shown,
    text,
    told,
    value,
    would_ask,
)

pytestmark = pytest.mark.slow
OFF = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('off', 'SecurityError'); } })"
STOPS = "[...document.querySelectorAll('#stops li')].map(each => each.textContent)"


@pytest.fixture
def fresh(browser, live_file):
    """The page in a browser that keeps nothing yet."""
    opened = ready(browser.open(live_file.as_uri()))
    opened.evaluate("localStorage.clear()")
    reload(opened)
    yield opened
    opened.evaluate("localStorage.clear()")
    opened.close()


def test_after_a_reload_what_was_typed_is_offered_and_comes_back_with_one_click(fresh):
    fresh.fill(field(fresh, "Users"), "2200")
    fresh.fill(field(fresh, "Growth to plan for"), "many")
    before = changes(fresh)
    reload(fresh)
    assert changes(fresh) == {}, "nothing is set unasked"
    (stop,) = fresh.evaluate(STOPS)
    assert "Users: 1,500 desktops \u2192 2,200 desktops" in stop
    assert 'Growth to plan for: "many", cannot be read' in stop
    assert violations(fresh) == []
    fresh.evaluate("document.querySelector('#stops button').click()")
    fresh.settle()
    assert (changes(fresh), value(fresh, "Users")) == (before, "2200")
    assert value(fresh, "Growth to plan for") == "many"
    assert "Correct Growth to plan for" in text(fresh, "faults")
    assert not shown(fresh, "stopped")
    assert told(fresh) == "Continued: 2 inputs set."
    assert len(kept(fresh)) == 1, "the place of before is given back"


@pytest.mark.parametrize("width", [400, 768, 1280])
def test_the_offer_is_in_view_after_a_reload_wherever_one_was(fresh, width):
    fresh.resize(width)
    fresh.fill(field(fresh, "Users"), "2200")
    for place in (0, 120, 900):
        fresh.evaluate(f"window.scrollTo(0, {place})")
        fresh.settle()
        reload(fresh)
        fresh.settle()
        box = "document.querySelector('#stops button').getBoundingClientRect()"
        head = "document.getElementById('head').getBoundingClientRect().bottom"
        assert fresh.evaluate(f"{box}.top >= {head} && {box}.bottom < innerHeight")


def test_a_row_in_a_closed_group_comes_back_too(fresh):
    fresh.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    fresh.settle()
    fresh.fill(field(fresh, "Currency of all amounts"), "<b>\N{GRINNING FACE}")
    before = changes(fresh)
    reload(fresh)
    assert "<b>\N{GRINNING FACE}" in text(fresh, "stops")
    fresh.evaluate("document.querySelector('#stops button').click()")
    fresh.settle()
    assert changes(fresh) == before != {}


def test_not_now_keeps_the_offer_for_the_next_time_and_forget_ends_it(fresh):
    fresh.fill(field(fresh, "Users"), "2200")
    reload(fresh)
    click(fresh, "not-now")
    assert not shown(fresh, "stopped")
    fresh.fill(field(fresh, "Users"), "3300")
    reload(fresh)
    assert len(fresh.evaluate(STOPS)) == 2, "another design does not write over the first"
    click(fresh, "forget-all")
    assert (kept(fresh), shown(fresh, "stopped"), shown(fresh, "forget")) == ({}, False, False)
    reload(fresh)
    assert not shown(fresh, "stopped")


def test_the_saved_design_keeps_nothing(fresh):
    fresh.fill(field(fresh, "Users"), "2200")
    assert len(kept(fresh)) == 1
    click(fresh, "reset")
    assert kept(fresh) == {}


def test_forget_beside_the_fields_clears_what_this_window_keeps_and_leaving_then_asks(fresh):
    fresh.fill(field(fresh, "Users"), "2200")
    assert not would_ask(fresh)
    click(fresh, "forget")
    assert (kept(fresh), value(fresh, "Users"), would_ask(fresh)) == ({}, "2200", True)
    fresh.fill(field(fresh, "Users"), "2300")
    assert (len(kept(fresh)), would_ask(fresh)) == (1, False)


def test_two_windows_keep_two_designs(fresh, browser, live_file):
    fresh.fill(field(fresh, "Users"), "2200")
    second = ready(browser.open(live_file.as_uri()))
    second.fill(field(second, "Users"), "3300")
    third = ready(browser.open(live_file.as_uri()))
    stops = " ".join(third.evaluate(STOPS))
    assert "2,200 desktops" in stops
    assert "3,300 desktops" in stops
    third.close()
    second.evaluate("[...document.querySelectorAll('#stops li')].find(e => /2,200/.test(e.textContent))"
                    ".querySelector('button').click()")  # fmt: skip
    second.settle()
    second.fill(field(second, "Users"), "4400")
    fresh.send("Page.bringToFront")
    fresh.wait_for("Object.values(localStorage).join().includes('2200')")  # it keeps its own again
    reload(fresh)
    assert "2,200 desktops" in " ".join(fresh.evaluate(STOPS))
    second.close()


def test_what_is_forgotten_in_one_window_is_not_kept_again_by_another(fresh, browser, live_file):
    fresh.fill(field(fresh, "Users"), "2200")
    second = ready(browser.open(live_file.as_uri()))
    click(second, "forget-all")
    fresh.send("Page.bringToFront")  # behind another page nothing is drawn
    fresh.settle()
    assert (kept(second), kept(fresh), would_ask(fresh)) == ({}, {}, True)
    second.close()


def test_two_customers_pages_of_one_workbook_never_meet(fresh, browser, book, tmp_path):
    customer = Address.from_a1(book.cells.names["Doc_customer"].replace("$", ""))
    opened = []
    for name in ("Alder", "Birch"):
        path = tmp_path / f"{name}.html"
        path.write_bytes(page(replace(book, cells=book.cells.with_values({customer: name})), prices=True))
        opened.append(ready(browser.open(path.as_uri())))
    alder, birch = opened
    alder.send("Page.bringToFront")  # behind another page nothing is drawn
    alder.fill(field(alder, "Users"), "2200")
    birch.send("Page.bringToFront")
    assert len(kept(birch)) == 1, "Chrome has one store for all files"
    reload(birch)
    assert not shown(birch, "stopped")
    birch.fill(field(birch, "Users"), "3300")
    click(birch, "forget")
    reload(alder)
    assert "2,200 desktops" in text(alder, "stops")
    for each in opened:
        each.close()


def test_a_price_is_kept_only_while_the_box_is_ticked(fresh):
    fresh.fill(field(fresh, "Users"), "2200")
    fresh.fill(field(fresh, "Quote for one array"), SECRET)
    assert SECRET not in json.dumps(kept(fresh))
    assert text(fresh, "keeping") == "1 input is kept in this browser. 1 price is not: tick below, or Save."
    assert would_ask(fresh)
    click(fresh, "keep-prices")
    assert SECRET in json.dumps(kept(fresh))
    assert not would_ask(fresh)
    click(fresh, "keep-prices")
    assert SECRET not in json.dumps(kept(fresh))
    click(fresh, "keep-prices")
    reload(fresh)
    assert not fresh.evaluate("document.getElementById('keep-prices').checked")
    fresh.evaluate("document.querySelector('#stops button').click()")
    fresh.settle()
    assert changes(fresh) == {"desktops": 2200, "array_price": int(SECRET)}
    assert fresh.evaluate("document.getElementById('keep-prices').checked")


def test_a_price_that_cannot_be_read_is_no_less_a_price(fresh):
    fresh.fill(field(fresh, "Quote for one array"), f"{SECRET} net")
    assert "Correct Quote" in text(fresh, "faults")
    assert SECRET not in json.dumps(kept(fresh))
    assert would_ask(fresh)


def test_a_full_store_is_said_and_leaving_asks(fresh):
    fresh.evaluate("""for (let size = 1 << 22; size >= 1; size >>= 1) {
        try { for (;;) localStorage.setItem(`other ${Math.random()}`, 'x'.repeat(size)); } catch { /* smaller */ } }""")
    fresh.fill(field(fresh, "Users"), "2200")
    assert "Not kept: this browser's store is full or closed. Save your changes" in text(fresh, "keeping")
    assert would_ask(fresh)
    assert "4 arrays" in text(fresh, "bar")
    fresh.evaluate("localStorage.clear()")
    fresh.fill(field(fresh, "Users"), "2201")
    assert (text(fresh, "keeping"), would_ask(fresh)) == ("1 input is kept in this browser.", False)


def test_without_a_store_the_page_works_and_leaving_asks(browser, live_file):
    opened = browser.open("about:blank")
    opened.send("Page.addScriptToEvaluateOnNewDocument", source=OFF)
    opened.send("Page.navigate", url=live_file.as_uri())
    ready(opened)
    assert not would_ask(opened)
    opened.fill(field(opened, "Users"), "2200")
    assert "Not kept: this browser keeps nothing for this page." in text(opened, "keeping")
    assert would_ask(opened)
    assert "4 arrays" in text(opened, "bar")
    assert opened.console == []
    opened.close()


@pytest.mark.parametrize(
    "damaged",
    ["", "{", "null", "[]", '{"when":"x"}', '{"when":1,"prices":1,"inputs":7,"texts":null}', "<img src=x>"],
)
def test_what_is_damaged_in_the_store_harms_nothing(fresh, damaged):
    fresh.fill(field(fresh, "Users"), "2200")
    (key,) = kept(fresh)
    fresh.evaluate(f"localStorage.setItem({json.dumps(key)} + 'x', {json.dumps(damaged)})")
    reload(fresh)
    assert len(fresh.evaluate(STOPS)) == 1
    assert fresh.console == []
    click(fresh, "forget-all")
    assert kept(fresh) == {}


@pytest.mark.parametrize("when", ["yesterday", {}, 1e308, -1, None, [], True, "2026-10-05", "absent"])
def test_a_record_kept_at_no_time_hides_no_other(fresh, when):
    fresh.fill(field(fresh, "Users"), "2200")
    ((key, held),) = kept(fresh).items()
    copy = json.loads(held) | {"when": when}
    if when == "absent":
        del copy["when"]
    fresh.evaluate(f"localStorage.setItem({json.dumps(key)} + 'x', {json.dumps(json.dumps(copy))})")
    reload(fresh)
    assert (len(fresh.evaluate(STOPS)), fresh.console) == (1, [])
    assert shown(fresh, "stopped")


def test_a_kept_value_that_no_longer_fits_is_named_and_the_rest_comes_back(fresh):
    fresh.fill(field(fresh, "Users"), "2200")
    (key, held), *_ = kept(fresh).items()
    spoilt = json.loads(held)
    spoilt["inputs"] |= {"growth_ratio": 99, "gone": 1}
    fresh.evaluate(f"localStorage.setItem({json.dumps(key)}, {json.dumps(json.dumps(spoilt))})")
    reload(fresh)
    fresh.evaluate("document.querySelector('#stops button').click()")
    fresh.settle()
    assert changes(fresh) == {"desktops": 2200}
    assert '"gone" is not an input of this page' in told(fresh)
    assert "Growth to plan for: 9,900% is outside" in told(fresh) or "Growth to plan for: 99 is outside" in told(fresh)
