"""A link carries a design without its prices; a damaged, foreign or hostile one is one line, and nothing is lost."""

from __future__ import annotations

import base64
import functools
import http.server
import json
import threading

import pytest

from tests.support.browser import CONTROL
from tests.support.live_pages import SECRET, changes, field, link, open_link, ready, reload, shown, text, told, value

pytestmark = pytest.mark.slow


def made(content: object) -> str:
    """Return a link with any content, put together by its own description: mark, length, FNV-1a, base64url."""
    body = base64.urlsafe_b64encode(json.dumps(content, separators=(",", ":")).encode()).decode().rstrip("=")
    total = 0x811C9DC5
    for letter in body.encode():
        total = (total ^ letter) * 0x01000193 & 0xFFFFFFFF
    digits = ""
    while total:
        total, rest = divmod(total, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[rest] + digits
    return f"#vdi1.{len(body)}.{digits}.{body}"


def content(pasted: str) -> dict:
    """Return what a link carries."""
    body = pasted.rpartition(".")[2]
    return json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))


@pytest.fixture(scope="module")
def whole(browser, live_file):
    """The link of 2,200 users with growth, and a price, which is left out."""
    opened = ready(browser.open(live_file.as_uri()))
    opened.fill(field(opened, "Users"), "2200")
    opened.fill(field(opened, "Growth to plan for"), "15%")
    opened.fill(field(opened, "Quote for one array"), SECRET)
    found = link(opened)
    said = told(opened)
    opened.evaluate("localStorage.clear()")
    opened.close()
    return found, said


@pytest.fixture
def page(again):
    again.evaluate("localStorage.clear()")
    return again


@pytest.fixture
def shown_fresh(browser, live_file):
    """The page just opened, in a browser that keeps nothing."""
    opened = ready(browser.open(live_file.as_uri()))
    opened.evaluate("localStorage.clear()")
    reload(opened)
    yield opened
    opened.evaluate("localStorage.clear()")
    opened.close()


def test_a_link_has_the_inputs_and_neither_prices_nor_a_path(whole, live_file, page):
    found, said = whole
    assert content(found)["inputs"] == {"desktops": 2200, "growth_ratio": 0.15}
    assert found == made(content(found)), "the description in link.js is the link"
    assert said.endswith(
        "2 inputs, no prices. The receiver opens it with Open, on a copy of this page. Left out: 1 price."
    )
    for secret in (SECRET, live_file.name, str(live_file.parent), "file:"):
        assert secret not in found
        assert secret not in json.dumps(content(found))


def test_a_pasted_link_sets_the_design_and_leaves_own_prices(whole, page):
    page.fill(field(page, "Quote for one array"), "77777")
    page.fill(field(page, "Working at the same time"), "80%")
    open_link(page, f"  {whole[0][:40]}\n{whole[0][40:]} ")  # mail breaks long lines
    assert changes(page) == {"desktops": 2200, "growth_ratio": 0.15, "array_price": 77777}
    assert told(page) == "Opened the link: 2 inputs set. Undo takes it back."
    page.evaluate("document.getElementById('undo').click()")
    page.settle()
    assert changes(page) == {"concurrent_ratio": 0.8, "array_price": 77777}


def test_an_address_with_a_link_opens_it_once(browser, live_file, whole):
    opened = ready(browser.open(live_file.as_uri() + whole[0]))
    assert changes(opened) == {"desktops": 2200, "growth_ratio": 0.15}
    assert "#" not in opened.evaluate("location.href")
    opened.fill(field(opened, "Users"), "3300")
    reload(opened)
    assert value(opened, "Users") == "1500"
    assert "3,300 desktops" in text(opened, "stops")
    opened.evaluate("localStorage.clear()")
    opened.close()


def test_over_http_the_link_is_an_address_without_what_stands_behind_a_question_mark(browser, live_file):
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

    handler = functools.partial(Quiet, directory=str(live_file.parent))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/{live_file.name}"
        opened = ready(browser.open(f"{address}?session=abc"))
        opened.fill(field(opened, "Users"), "2200")
        found = link(opened)
        assert found.startswith(f"{address}#vdi1.")
        other = ready(browser.open(found))
        assert changes(other) == {"desktops": 2200}
        for each in (opened, other):
            each.close()
        server.shutdown()


def test_a_link_cut_anywhere_is_one_line_and_changes_nothing(whole, page):
    page.fill(field(page, "Users"), "3300")
    found = whole[0]
    for end in (*range(0, 30), len(found) // 2, len(found) - 1):
        open_link(page, found[:end])
        assert changes(page) == {"desktops": 3300}
        assert told(page).startswith(("The link is cut", "The link is not a link of this page."))
        assert told(page).endswith("Nothing was changed.")
    open_link(page, found[: len(found) // 2])
    body = len(found.rpartition(".")[2])
    assert f"of {body} characters arrived. Copy it again, to its end." in told(page)


@pytest.mark.parametrize(
    ("pasted", "said"),
    [
        ("", "is not a link of this page."),
        ("#<img src=x onerror=document.title='run'>", "is not a link of this page."),
        ("javascript:document.title='run'", "is not a link of this page."),
        ("https://example.com/#answer", "is not a link of this page."),
        ("#vdi1.4.1.AAAA", "was altered on its way and cannot be read."),
        (made([1]), "was altered on its way and cannot be read."),
        (made({"inputs": []}), "was altered on its way and cannot be read."),
        ("#" + "A" * 100_000, "is not a link of this page."),
        ("#vdi1." + "9" * 100_000, "is cut."),
        ("x" * 120_001, "has 120,001 characters; no link of this page is that long."),
    ],
)
def test_what_is_no_link_is_one_line_nothing_is_lost_and_nothing_is_run(page, pasted, said):
    page.fill(field(page, "Users"), "3300")
    open_link(page, pasted)
    assert said in told(page)
    assert "\n" not in told(page)
    assert len(told(page)) < 200
    assert changes(page) == {"desktops": 3300}
    assert page.evaluate("document.title") != "run"
    assert page.console == []


def test_an_address_with_a_hundred_kilobytes_of_nothing_is_one_line(browser, live_file):
    opened = ready(browser.open(f"{live_file.as_uri()}#{'%3Cimg%20src=x%20onerror=alert(1)%3E' * 2800}"))
    assert told(opened).endswith("Nothing was changed.")
    assert changes(opened) == {}
    assert opened.console == []
    opened.close()


def test_a_link_of_another_version_sets_what_fits_and_names_what_does_not(page, book):
    old = {"digest": "0123456789ab", "version": "0.2.0", "inputs": {"desktops": 2200, "arrays_for_luck": 7}}
    open_link(page, made(old))
    assert changes(page) == {"desktops": 2200}
    assert told(page).startswith(
        f"The link was made from version 0.2.0, formulas 0123456789ab; this page has {book.version}, "
    )
    assert "What fits: 1 input set. Undo takes it back." in told(page)
    assert told(page).endswith('Not taken: "arrays_for_luck" is not an input of this page.')


def test_a_link_of_another_workbook_changes_nothing_and_says_whose_it_is(page):
    page.fill(field(page, "Users"), "3300")
    open_link(page, made({"digest": "<b>theirs</b>", "inputs": {"weight_kg": 3, "\u202egnp.exe": 1}}))
    assert changes(page) == {"desktops": 3300}
    assert "The link was made from formulas <b>theirs</b>; this page has " in told(page)
    assert "Nothing was changed." in told(page)
    assert "\u202e" not in told(page)
    assert page.evaluate("document.querySelectorAll('#note b').length") == 0


def test_a_link_that_was_given_a_price_by_hand_sets_none(page, whole):
    priced = content(whole[0])
    priced["inputs"]["array_price"] = 5
    open_link(page, made(priced))
    assert "array_price" not in changes(page)
    assert "Quote for one array is a price, which no link sets" in told(page)


def test_a_link_from_another_saved_design_says_so(page, whole):
    other = content(whole[0]) | {"design": "0" * 16}
    open_link(page, made(other))
    assert "The sender's page has another saved design, so its answer may differ." in told(page)


@pytest.mark.parametrize("key", ["__proto__", "constructor", "toString"])
def test_a_key_that_every_object_has_is_an_unknown_input(page, whole, key):
    raw = content(whole[0])
    raw["inputs"] = {"desktops": 2200, key: 1}
    open_link(page, made(raw))
    assert changes(page) == {"desktops": 2200}
    assert f'"{key}" is not an input of this page' in told(page)


def test_what_cannot_be_read_is_named_as_left_out(page):
    page.fill(field(page, "Users"), "many")
    link(page)
    assert told(page).endswith("Left out: Users, which cannot be read.")
    assert shown(page, "sending")


def test_a_link_is_opened_and_taken_back_with_the_keyboard_alone(shown_fresh, whole):
    page = shown_fresh
    page.press("Tab")
    page.press("Tab")
    assert page.evaluate("document.activeElement.id") == "open"
    page.press("Enter")
    assert page.evaluate("document.activeElement.id") == "file"
    page.press("Tab")
    page.type(whole[0])
    page.press("Enter")
    page.settle()
    assert changes(page) == {"desktops": 2200, "growth_ratio": 0.15}
    assert page.evaluate("[document.activeElement.id, document.activeElement.ariaExpanded]") == ["open", "false"]
    page.press("Tab")
    page.press("Tab")
    assert page.evaluate("document.activeElement.id") == "undo"
    page.press("Enter")
    page.settle()
    assert changes(page) == {}
    page.press("y", CONTROL)
    page.settle()
    assert changes(page) == {"desktops": 2200, "growth_ratio": 0.15}


def test_what_was_typed_is_continued_with_the_keyboard_alone(shown_fresh):
    page = shown_fresh
    page.fill(field(page, "Users"), "2200")
    reload(page)
    for _ in range(4):
        page.press("Tab")
    assert page.evaluate("document.activeElement.ariaLabel").startswith("Continue from ")
    page.press("Enter")
    page.settle()
    assert changes(page) == {"desktops": 2200}
    assert page.evaluate("document.activeElement.id") == "undo"
