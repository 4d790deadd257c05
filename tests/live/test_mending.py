"""What is refused is asked back: the values that it may mean, and none that its cell would not take."""

from __future__ import annotations

import json

import pytest

from tests.live.test_entries import ASSETS
from tests.support.javascript import node
from tests.support.live_pages import changes, field, text

pytestmark = pytest.mark.slow
OWN = "".join((ASSETS / f"{name}.js").read_text(encoding="utf-8") for name in ("format", "model", "repairs"))
MEANT = [  # key, typed, the values offered
    ("desktops", "1,200", [1200]),
    ("desktops", "1.200.000", []),  # outside its range
    ("desktops", "12 000", [12000]),
    ("desktops", "12'000", [12000]),
    ("desktops", "2k", [2000]),
    ("desktops", "1.5k", [1500]),
    ("desktops", "1,5", []),  # half a desktop
    ("desktops", "1500 users", [1500]),
    ("desktops", "1500 desktops", [1500]),
    ("desktops", "about 1500", []),
    ("login_window_min", "30 min", [30]),
    ("login_window_min", "30min", [30]),
    ("login_window_min", "0,5 h", [30]),
    ("login_window_min", "90 s", [1.5]),
    ("login_window_min", "30 GiB", []),
    ("ram_gib", "4096 MiB", [4]),
    ("ram_gib", "4,5", [4.5]),
    ("growth_ratio", "15,5 %", [0.155]),
    ("growth_ratio", "15", [0.15]),
    ("concurrent_ratio", "80", [0.8]),
    ("concurrent_ratio", "1,5", [0.015]),
    ("array_price", "210,000", [210000, 210]),  # a comma of thousands, or of decimals
    ("array_price", "210.000,50", [210000.5]),
    ("array_price", "1,234,567.5", [1234567.5]),
    ("logins_at", "7:5", [(7 * 60 + 5) / 1440]),
    ("logins_at", "7", [7 / 24]),
    ("logins_at", "7 pm", [19 / 24]),
    ("logins_at", "12 am", [0]),
    ("logins_at", "13 pm", []),
    ("logins_at", "25", []),
    ("My array 1.quote_date", "22.11.2026", [46348]),
    ("My array 1.quote_date", "2026/11/22", [46348]),
    ("My array 1.quote_date", "11/22/2026", [46348]),
    ("My array 1.quote_date", "1/2/2026", [46054, 46024]),  # 1 February, 2 January
    ("My array 1.quote_date", "31.2.2026", []),
    ("desktops", "<img src=x>", []),
    ("desktops", "9" * 400 + ",5", []),
    ("desktops", "", []),
]


def test_each_entry_is_asked_back_as_what_it_may_mean(program):
    code, data = program
    asked = json.dumps([(key, typed) for key, typed, _ in MEANT])
    found = node(
        f"""{code}
const DATA={json.dumps(data)};
{{{OWN}
const of = new Map(INPUTS.map(input => [input.key, input]));
process.stdout.write(JSON.stringify({asked}.map(([key, typed]) =>
  repairs(of.get(key), typed).map(({{ value }}) => value))));
}}"""
    )
    got = [(key, typed, values) for (key, typed, _), values in zip(MEANT, found, strict=True)]
    assert got == [(key, typed, pytest.approx(values)) for key, typed, values in MEANT]


def test_every_value_offered_is_one_that_its_field_reads(program):
    """Whatever is typed where, a button gives a value that the cell takes, and its text in the field is read as it."""
    code, data = program
    words = json.dumps([typed for _, typed, _ in MEANT] + ["1,2,3", "1e3,5", "-5,5", "+3", "0,0", "7.30", "100%%"])
    bad = node(
        f"""{code}
const DATA={json.dumps(data)};
{{{OWN}
const bad = [];
for (const input of INPUTS) for (const typed of {words}) for (const {{ value }} of repairs(input, typed)) {{
  const again = readEntry(input, fieldText(input, value));
  if (again.fault || Math.abs(again.value - value) > 1e-12 * Math.abs(value)) bad.push([input.key, typed, value]);
}}
process.stdout.write(JSON.stringify(bad.slice(0, 9)));
}}"""
    )
    assert bad == []


def test_one_click_takes_what_was_meant_and_the_answer_follows(again):
    entry = field(again, "Users")
    again.fill(entry, "2,200")
    buttons = "[...document.querySelectorAll('.mends button')].map(each => each.textContent)"
    assert again.evaluate(buttons) == ["Use 2,200 desktops"]
    assert changes(again) == {}, "nothing is taken unasked"
    again.evaluate("document.querySelector('.mends button').click()")
    again.settle()
    assert changes(again) == {"desktops": 2200}
    assert text(again, "bar").startswith("4 arrays, +1; ")
    assert again.evaluate("document.activeElement.value") == "2200"
    assert again.evaluate(buttons) == []


def test_a_fault_in_a_closed_group_is_reached_from_the_head(again):
    again.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    again.settle()
    again.fill(field(again, "Budget"), "much")
    again.evaluate("document.querySelectorAll('details').forEach(each => { each.open = false; })")
    again.evaluate("[...document.querySelectorAll('#faults button')].at(-1).click()")
    again.settle()
    assert again.evaluate("document.activeElement.value") == "much"
    assert again.evaluate("document.activeElement.checkVisibility()")


def test_many_faults_are_counted_and_the_first_are_named(again):
    for label in ("Users", "Working at the same time", "Growth to plan for", "Users per virtual machine"):
        again.fill(field(again, f"{label},") if label == "Users" else field(again, label), "x")
    said = text(again, "faults")
    assert said.count("Correct ") == 3
    assert "1 more entry cannot be read; it is marked red." in said
