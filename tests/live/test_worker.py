"""Trials in a worker give the figures of slices on the page to the last bit; where no worker is made, slices run."""

from __future__ import annotations

import re

import pytest

from addin.live.parts import PAGE_BEGINS
from tests.support.live_pages import changes, click, field, ready, shown, text

pytestmark = pytest.mark.slow
SPY = """(() => {
  const plain = run, Plain = Worker;
  window.testRuns = window.testFrames = window.testEnded = 0;
  window.testSaid = [];
  window.run = schedule => { testRuns++; plain(schedule); };
  window.Worker = class extends Plain {
    constructor(address) { super(address); this.addEventListener('message', ({ data }) => testSaid.push(data)); }
    postMessage(plan) { window.testPlan = plan; super.postMessage(plan); }
    terminate() { testEnded++; super.terminate(); }
  };
  const frame = () => { testFrames++; requestAnimationFrame(frame); };
  frame();
})()"""
UNLIKE = """(() => {
  const task = simulation(testPlan), told = testSaid.at(-1);
  task.slice(() => true);
  const { found, ...rest } = task.report(), unlike = Object.keys(rest).filter(key => !Object.is(rest[key], told[key]));
  found.forEach((numbers, i) => {
    if (numbers.length !== told.found[i].length) unlike.push(`${i} by length`);
    numbers.forEach((value, n) => { if (!Object.is(value, told.found[i][n])) unlike.push(`${i} at ${n}`); });
  });
  return [unlike.slice(0, 5), found.map(numbers => numbers.length), told.drawn];
})()"""
WITHOUT = {
    "a browser without workers": "delete window.Worker",
    "a browser that refuses them": "window.Worker = class { constructor() { throw new DOMException('no'); } }",
    "a worker that fails": "window.Worker = class extends Worker { constructor() { super('blob:null/nothing'); } }",
    "a worker that says nothing": """{
      const later = setTimeout;
      window.setTimeout = (act, wait, ...rest) => later(act, wait === 5000 ? 50 : wait, ...rest);
      window.Worker = class { postMessage() {} terminate() {} };
    }""",
}
POLICY = re.compile(r'http-equiv="Content-Security-Policy" content="([^"]*)"')


@pytest.fixture
def page(browser, live_file):
    opened = ready(browser.open(live_file.as_uri()))
    yield opened
    opened.close()


def draw(page):
    """Draw the trials and return what the page then shows of them."""
    page.evaluate("document.getElementById('draw').click()")
    page.wait_for("!document.getElementById('draw').disabled && document.querySelector('.holds')")
    return page.evaluate("document.getElementById('trials').innerHTML")


def test_the_page_computes_no_trial_and_goes_on_drawing_frames(page, live_file):
    page.evaluate(SPY)
    assert " suffices in " in draw(page)
    assert page.evaluate("testRuns") == 0, "on the page no formula is computed"
    assert page.evaluate("testFrames") > 10
    own, *others = page.requests
    assert own == live_file.as_uri()
    assert [each for each in others if not each.startswith("blob:")] == []
    assert page.console == []


@pytest.mark.parametrize(
    ("typed", "language"),
    [({}, "en"), ({"Users": "2300", "Growth per year": "8 %"}, "en"), ({"Growth to plan for": "12,5 %"}, "de-DE")],
    ids=["as saved", "changed", "in German notation"],
)
def test_worker_and_page_give_the_same_numbers_to_the_last_bit(page, typed, language):
    page.send("Network.setUserAgentOverride", userAgent="any", acceptLanguage=language)
    page.reload()
    ready(page)
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    page.settle()
    for label, entry in typed.items():
        page.fill(field(page, label), entry)
    assert len(changes(page)) == len(typed)
    page.evaluate(SPY)
    draw(page)
    unlike, counts, moved = page.evaluate(UNLIKE)
    assert unlike == []
    assert max(counts) == 10_000
    assert moved > 0


def test_a_number_that_differs_in_its_last_bit_is_noticed(page):
    page.evaluate(SPY)
    draw(page)
    page.evaluate("(numbers => { numbers[7] *= 1 + 2 ** -52; })(testSaid.at(-1).found[1])")
    assert page.evaluate(UNLIKE)[0] == ["1 at 7"]


def test_the_worker_writes_numbers_in_texts_as_the_page_does(page):
    page.evaluate(SPY)
    page.evaluate("setMarks({ '.': ',', ',': '.' })")
    draw(page)
    assert page.evaluate("testPlan.marks") == {".": ",", ",": "."}


@pytest.mark.parametrize("missing", WITHOUT.values(), ids=WITHOUT)
def test_without_a_worker_slices_on_the_page_give_the_same_figures(page, missing):
    by_worker = draw(page)
    page.evaluate(SPY)
    page.evaluate(missing)
    assert draw(page) == by_worker
    assert page.evaluate("testRuns") == 10_001, "the design and each trial, once"
    assert page.evaluate("testFrames") > 10, "the page comes to its turn again and again"
    assert page.console == []


def test_where_the_policy_forbids_workers_slices_go_on(browser, live, tmp_path):
    path = tmp_path / "page.html"
    path.write_bytes(live.replace(b" worker-src blob:;", b""))
    opened = ready(browser.open(path.as_uri()))
    opened.evaluate(SPY)
    assert " suffices in " in draw(opened)
    assert opened.evaluate("testRuns") == 10_001
    opened.close()


def test_a_change_ends_the_worker_and_its_figures_are_never_shown(page):
    page.evaluate(SPY)
    page.evaluate("document.getElementById('draw').click()")
    page.wait_for("testSaid.some(said => said > 0)")
    assert text(page, "drawn").endswith("of 10,000 trials")
    page.fill(field(page, "Users"), "2200")
    assert page.evaluate("testEnded") == 1
    said = page.evaluate("testSaid.length")
    page.settle()
    assert (page.evaluate("testSaid.length"), text(page, "drawn"), text(page, "trials")) == (said, "", "")
    assert not page.evaluate("document.getElementById('draw').disabled")
    draw(page)
    assert page.evaluate(UNLIKE)[0] == [], "of the design as it is now"
    assert page.evaluate("testEnded") == 2


def test_an_entry_that_cannot_be_read_ends_the_worker_too(page):
    page.evaluate(SPY)
    page.evaluate("document.getElementById('draw').click()")
    page.wait_for("testSaid.length")
    page.fill(field(page, "Users"), "many")
    assert page.evaluate("testEnded") == 1
    assert page.evaluate("document.getElementById('draw').disabled")
    page.fill(field(page, "Users"), "1500")
    assert shown(page, "draw")
    assert not page.evaluate("document.getElementById('draw').disabled")


def test_drawing_twice_gives_the_same_and_leaves_no_worker(page):
    page.evaluate(SPY)
    assert draw(page) == draw(page)
    assert page.evaluate("testEnded") == 2
    click(page, "reset")
    assert page.evaluate("testEnded") == 2


def test_the_policy_allows_workers_of_the_pages_own_and_nothing_else(live):
    found = POLICY.search(live.decode())
    assert found is not None
    policy = dict(part.split(" ", 1) for part in found[1].split("; "))
    digests = [policy.pop(name) for name in ("script-src", "style-src")]
    assert all(re.fullmatch(r"'sha256-[A-Za-z0-9+/]{43}='", each) for each in digests)
    assert policy == {"default-src": "'none'", "worker-src": "blob:", "base-uri": "'none'", "form-action": "'none'"}


def test_a_worker_of_the_page_reaches_nothing_and_makes_no_code(page):
    code = """onmessage = async () => {
      const tried = [];
      try { eval('1'); tried.push('evaluated'); } catch { tried.push('refused'); }
      try { importScripts('http://127.0.0.1:9/'); tried.push('loaded'); } catch { tried.push('refused'); }
      tried.push(await fetch('http://127.0.0.1:9/').then(() => 'fetched', () => 'refused'));
      postMessage(tried);
    };"""
    told = page.evaluate(
        f"new Promise(done => {{ const made = new Worker(URL.createObjectURL(new Blob([{code!r}])));"
        " made.onmessage = ({ data }) => done(data); made.postMessage(0); })"
    )
    assert told == ["refused"] * 3
    assert not [each for each in page.requests if each.startswith("http")]


def test_the_code_of_the_worker_is_in_the_page_once(live):
    script = live.decode()
    assert script.count(f"\n{PAGE_BEGINS}\n") == 1
    first, _, rest = script.partition(f"\n{PAGE_BEGINS}\n")
    for once in ("const FORMULAS=[", "function run(", "function simulation("):
        assert (first.count(once), rest.count(once)) == (1, 0)
