"""The page in a browser: what it asks for, how it reads, wrong entries, markup in names, the keyboard, simulation."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from addin.kernel import Address
from addin.live import page
from addin.results import applying
from addin.simulation.risk import read_risk
from addin.workbook.digests import both, digest
from tests.support.axe import violations
from tests.support.browser import SHIFT

pytestmark = pytest.mark.slow
SCRIPT_NAME = "<script>document.title='run'</script></script><img src=x onerror=1>"


def text(opened, name):
    return opened.evaluate(f"document.getElementById({json.dumps(name)}).textContent")


def first_field(opened, label):
    """Return the selector of the entry below a label."""
    labels = "[...document.querySelectorAll('label')]"
    return "#" + opened.evaluate(f"{labels}.find(each => each.textContent.startsWith({json.dumps(label)})).htmlFor")


def test_the_page_asks_for_nothing_but_itself_and_says_nothing(shown, live_file):
    shown.settle()
    assert shown.requests == [live_file.as_uri()]
    assert shown.console == []


def test_the_saved_design_is_what_the_workbook_says(again, book):
    assert text(again, "self-check").startswith("Self-check: all ")
    assert text(again, "status") == book.evaluate({}, ["status"])["status"]
    assert text(again, "differs") == f"No inputs differ from the saved design, {both(book.cells)}."


def test_nothing_of_another_place_can_be_loaded_or_run(shown):
    added = "(s => { s.textContent = 'window.other = 1'; document.body.append(s); return window.other })"
    assert shown.evaluate(f"{added}(document.createElement('script'))") is None
    assert shown.evaluate("fetch('http://127.0.0.1:9/').then(() => 'loaded', () => 'refused')") == "refused"
    assert shown.evaluate("document.querySelectorAll('[style]').length") == 0


def test_a_change_recalculates_and_can_be_taken_out_as_text_and_as_json(again, book):
    again.fill(first_field(again, "Users"), "6000")
    wanted = book.evaluate(book.settings(["desktops=6000"]), ["status"])["status"]
    assert text(again, "status") == wanted
    assert text(again, "differs") == f"1 input differs from the saved design, {both(book.cells)}."
    assert "1,500 desktops \u2192 6,000 desktops" in text(again, "changes")
    assert again.evaluate("document.getElementById('as-text').value") == '--set "desktops=6000"'
    told = json.loads(again.evaluate("document.getElementById('as-json').value"))
    assert told == {"workbook digest": digest(book.cells), "inputs": {"desktops": 6000}}
    again.fill(first_field(again, "Users"), "1125")
    given = again.evaluate("document.getElementById('as-text').value")
    assert book.settings([given.removeprefix('--set "').removesuffix('"')]) == {book.inputs["desktops"].address: 1125}
    again.evaluate("document.getElementById('reset').click()")
    again.settle()
    assert text(again, "differs").startswith("No inputs differ")
    assert again.evaluate(f"document.querySelector({first_field(again, 'Users')!r}).value") == "1500"


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("many", '"many" is not a number here. Write a number in desktops.'),
        ("1,500", "Write a point before decimals and no thousands separator"),
        ("0", "0 is outside the whole numbers 1 to 100,000 desktops."),
        ("1e9", "1,000,000,000 is outside"),
    ],
)
def test_a_wrong_entry_is_named_at_the_field_and_greys_the_answer(again, typed, told):
    field = first_field(again, "Users")
    again.fill(field, typed)
    assert told in again.evaluate(f"document.querySelector('{field}-told').textContent")
    assert again.evaluate(f"document.querySelector('{field}').getAttribute('aria-invalid')") == "true"
    assert text(again, "faults").startswith("Not recalculated. Correct Users: ")
    assert text(again, "status") == "3 arrays", "the answer stays"
    assert (greyed(again), again.evaluate("document.getElementById('draw').disabled")) == (True, True)
    again.fill(field, "1500")
    assert (greyed(again), text(again, "faults")) == (False, "")


def greyed(opened):
    """Say whether the answer is shown as one of entries before."""
    colour = opened.evaluate("getComputedStyle(document.getElementById('status')).color")
    told = opened.evaluate("document.getElementById('stale').checkVisibility()")
    assert told == (colour == "rgb(82, 91, 102)")
    return told


def test_a_number_is_read_back_beside_its_field(again):
    field = first_field(again, "Users")
    again.fill(field, "1.500")
    told = again.evaluate(f"document.querySelector('{field}-told').textContent")
    assert told == "1.5 or 1500? Type 1500, or 1.5000 for 1.5."
    share = first_field(again, "Growth to plan for")
    for typed in ("15%", "0.15"):
        again.fill(share, typed)
        assert again.evaluate(f"document.querySelector('{share}-told').textContent") == "read as 15%"


def test_a_field_shows_its_value_as_its_cell_does_and_says_no_source_of_a_choice(again):
    assert again.evaluate(f"document.querySelector('{first_field(again, 'Working at the same time')}').value") == "100%"
    again.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    again.settle()
    year = first_field(again, "Year the design is for")
    assert again.evaluate(f"document.querySelector('{year}-told').textContent") == "read as 2026"
    assert again.evaluate(f"document.querySelector('{year}-help').textContent").endswith("Limits: 1990 to 2100")
    said = again.evaluate("[...document.querySelectorAll('.help')].map(each => each.textContent)")
    assert said
    assert not [each for each in said if each.startswith("user")]


@pytest.fixture(scope="module")
def changed_file(book, tmp_path_factory):
    """The page of a workbook with a what-if of the chosen array, and with markup in names."""
    beside = book.inputs["array"].beside
    changed = {beside._replace(column=beside.column + 1): book.cells.constant(book.inputs["array"].address)}
    project = Address.from_a1(book.cells.names["Doc_project"].replace("$", ""))
    changed |= {project: SCRIPT_NAME, book.own["My array 1.capacity_tib"].address._replace(row=4): SCRIPT_NAME}
    path = tmp_path_factory.mktemp("changed") / "page.html"
    path.write_bytes(page(replace(book, cells=book.cells.with_values(changed)), prices=True))
    return path


def test_a_what_if_of_the_same_array_is_no_button_that_chooses_an_array(browser, changed_file):
    opened = browser.open(changed_file.as_uri())
    opened.wait_for("document.body.classList.contains('live')")
    names = opened.evaluate("[...document.querySelectorAll('#ranked tbody th')].map(each => each.textContent)")
    buttons = opened.evaluate("[...document.querySelectorAll('#ranked .link')].map(each => each.textContent)")
    opened.close()
    assert {"NetApp AFF8040", "NetApp AFF8040, what-if 1"} < set(names)
    renamed = f"{SCRIPT_NAME}, what-if 6"  # by a name that no list of the saved file offers
    assert set(names) - set(buttons) == {"NetApp AFF8040, what-if 1", renamed}


def test_a_limit_that_asks_for_no_array_says_none(again):
    rows = again.evaluate("[...document.querySelectorAll('#limits li')].map(each => each.textContent)")
    assert [row for row in rows if "Fault domain" in row] == ["Fault domainnone"]
    assert not [row for row in rows if "0.000" in row]


def test_a_multiple_is_no_share_and_a_share_typed_as_percent_is_asked_about(again):
    again.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    again.settle()
    scale = first_field(again, "Scale on every phase")
    again.fill(scale, "1.5")
    assert again.evaluate(f"document.querySelector('{scale}-told').textContent") == "read as 1.5"
    share = first_field(again, "Working at the same time")
    again.fill(share, "80")
    told = "80 is outside 0% to 100%. Did you mean 80%?"
    assert again.evaluate(f"document.querySelector('{share}-told').textContent") == told


def test_a_date_is_typed_read_back_and_taken_out_as_a_date(again, book, tmp_path):
    again.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    again.settle()
    label = book.own["My array 1.quote_date"].label
    field = first_field(again, label)
    again.fill(field, "2026-02-30")
    assert "is no date here" in again.evaluate(f"document.querySelector('{field}-told').textContent")
    again.fill(field, "2026-11-22")
    assert again.evaluate(f"document.querySelector('{field}-told').textContent") == "read as 2026-11-22"
    path = tmp_path / "changes.json"
    path.write_text(again.evaluate("document.getElementById('as-json').value"), encoding="utf-8")
    (change,) = applying.read(book, path)
    assert (change.item.key, change.now) == ("My array 1.quote_date", 46348.0)
    assert again.evaluate("document.getElementById('as-text').value") == '--set "My array 1.quote_date=2026-11-22"'


@pytest.mark.parametrize("width", [320, 400, 1280])
def test_the_page_is_not_wider_than_its_window(again, width):
    again.resize(width)
    again.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    again.settle()
    assert again.evaluate("document.documentElement.scrollWidth") <= width


def test_everything_can_be_reached_and_done_with_the_keyboard(shown, book):
    shown.evaluate("localStorage.clear()")
    shown.reload()
    shown.wait_for("document.body.classList.contains('live')")
    first = []
    for _ in range(4):
        shown.press("Tab")
        first.append(shown.evaluate("document.activeElement.id"))
    assert first == ["save", "open", "copy-link", first_field(shown, "Users").removeprefix("#")]
    shown.type("2")  # the field is selected as a whole when it is reached
    shown.settle()
    assert "2 desktops" in text(shown, "changes")
    reached = []
    for _ in range(30):
        shown.press("Tab")
        reached.append(shown.evaluate("document.activeElement.id || document.activeElement.tagName"))
    assert "reset" in reached
    assert "SUMMARY" in reached
    summary = "document.querySelector('#groups summary')"
    shown.evaluate(f"{summary}.focus()")
    shown.press("Enter")
    shown.settle()
    assert shown.evaluate("document.querySelector('#groups details').open")
    shown.press("Tab", SHIFT)
    assert shown.evaluate("document.activeElement.id") == "reset"
    shown.press("Enter")
    shown.settle()
    assert text(shown, "differs").startswith("No inputs differ")


def test_every_entry_has_a_label(again):
    again.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    again.settle()
    named = "each.labels.length || (each.type === 'range' && each.getAttribute('aria-label'))"
    missing = f"[...document.querySelectorAll('input, select, textarea')].filter(each => !({named})).length"
    assert again.evaluate("document.querySelectorAll('input, select').length") > 700
    assert again.evaluate(missing) == 0


@pytest.mark.parametrize("width", [1280, 400])
def test_axe_finds_nothing_at_first_nor_with_groups_open_nor_after_a_simulation(shown, width):
    shown.resize(width)
    assert violations(shown) == []
    shown.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    shown.fill(first_field(shown, "Growth to plan for"), "many")
    assert violations(shown) == []
    shown.fill(first_field(shown, "Growth to plan for"), "0.1")
    shown.evaluate("document.getElementById('draw').click()")
    shown.wait_for("document.querySelector('.holds')")
    assert violations(shown) == []


def test_markup_in_names_is_shown_as_text(browser, changed_file):
    opened = browser.open(changed_file.as_uri())
    opened.wait_for("document.body.classList.contains('live')")
    assert opened.evaluate("document.title") != "run"
    assert SCRIPT_NAME in opened.evaluate("document.querySelector('header').textContent")
    assert SCRIPT_NAME in opened.evaluate("document.getElementById('cards').textContent")
    assert (opened.requests, opened.console) == ([changed_file.as_uri()], [])


def test_without_script_the_saved_answer_stands_there_and_says_so(browser, live_file, book):
    opened = browser.open(live_file.as_uri(), script=False)
    seen = opened.send("DOM.getDocument", depth=-1)["root"]
    assert seen["nodeName"] == "#document"
    source = live_file.read_text(encoding="utf-8").partition("<script>")[0]
    assert "Scripts are blocked here" in source
    assert f'<p id="status">{book.evaluate({}, ["status"])["status"]}</p>' in source
    assert "NetApp AFF8040</th>" in source


def test_trials_agree_with_the_simulation(shown, book):
    from addin.simulation.montecarlo import simulate

    shown.evaluate("document.getElementById('draw').click()")
    shown.wait_for("document.querySelector('.holds')")
    assert drawn_inputs(shown) == len(read_risk(book).uncertain)
    told = text(shown, "trials")
    report = simulate(book, trials=16384)
    assert report.holds is not None
    assert told.startswith(f"The design of {report.design} suffices in ")
    share = float(told.partition(" suffices in ")[2].partition("%")[0]) / 100
    assert abs(share - report.holds.interval.value) < 0.015  # whole percent, as the spreads support no more digits
    boot = next(each for each in report.results if each.item.key == "boot_minutes")
    shares = {each.probability: each.interval.value for each in boot.percentiles}
    figures = told.partition("Boot of all desktops")[2]
    for name, share in (("P5", 0.05), ("P50", 0.5), ("P95", 0.95)):
        assert abs(float(figures.partition(f"{name} ")[2].partition(" ")[0]) / shares[share] - 1) < 0.02


def drawn_inputs(opened):
    """Return how many uncertain inputs the page says that it has drawn."""
    return int(text(opened, "drawn").partition("trials of ")[2].split()[0])


def test_growth_per_year_typed_on_the_page_takes_the_allowance_from_the_draws(again, book):
    again.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    again.settle()
    again.fill(first_field(again, "Growth per year"), "8 %")
    again.evaluate("document.getElementById('draw').click()")
    again.wait_for("document.querySelector('.holds')")
    assert drawn_inputs(again) == len(read_risk(book).uncertain) - 1  # without it all, as the test above has seen


def test_a_design_with_something_unchecked_has_no_chance_and_it_is_said_why(again):
    names = "[...document.querySelectorAll('#ranked .link')].map(each => each.textContent).sort()"
    ranked = again.evaluate(names)
    again.evaluate("[...document.querySelectorAll('#ranked .link')].find(e => /SC8000/.test(e.textContent)).click()")
    again.settle()
    assert again.evaluate(names) == ranked, "every array once, whichever is chosen"
    assert len(set(ranked)) == len(ranked)
    again.evaluate("document.getElementById('draw').click()")
    again.wait_for("document.querySelector('.holds')")
    told = text(again, "trials")
    assert told.startswith("Whether the design of ")
    assert " suffices is unknown. Not checked: " in told
    again.evaluate("[...document.querySelectorAll('#ranked .link')].find(e => /AFF8040/.test(e.textContent)).click()")
    again.settle()
    assert text(again, "differs").startswith("No inputs differ")


def test_the_time_of_a_recalculation_is_told(again):
    again.fill(first_field(again, "Users"), "1001")
    assert float(text(again, "spent").partition(" in ")[2].partition(" ms")[0]) > 0
