"""What a field of the page takes is what its cell takes: whole numbers, ranges, dates, the length of a text."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from addin.errors import BookError, RequestError
from addin.kernel import Address
from addin.live import assembly, page
from addin.workbook.item import CLOCK, DATE, clock_text, date_text, value_for
from tests.support.javascript import node, program_of

pytestmark = pytest.mark.slow
ASSETS = Path(assembly.__file__).with_name("assets")
OWN = "".join((ASSETS / name).read_text(encoding="utf-8") for name in ("format.js", "model.js"))
OPEN_ALL = "document.querySelectorAll('details').forEach(each => { each.open = true; })"
WORDS = (
    *("2.5", "0.5", "-1", "1e3", "2026-11-22", "1999-12-31", "2100-01-01", "many", "12%", "1,5"),
    *(
        "90.000",
        "1.200",
        "120.500",
        "500.000",
        "0.500",
        "007.000",
        "1.2000",
        "1.200.000",
        "+90.000",
        "-1.200",
        "1.200%",
    ),
    *("-1.200", "1.200%", "90,000", "90 000", "90'000", " 5 ", "5.", ".5", "+5", "1_0", "0x10", "1e400", "1e-3"),
    *(
        "inf",
        "nan",
        "%",
        "12 %",
        "20261122",
        "2026-W47-7",
        "2026-1-2",
        "2026-02-30",
        "24:00",
        "7.05",
        "07:05:61",
        "1500 users",
        "\uff15",
        "-0",
    ),
)


@pytest.fixture
def shown(again):
    again.evaluate(OPEN_ALL)
    again.settle()
    return again


def field(program, key):
    """Return the selector of the entry of a key."""
    return f"#input-{[name for name, *_ in program[1]['inputs']].index(key)}"


def said(opened, entry):
    """Return what stands beside an entry, and whether it is marked as wrong."""
    told, marked = f"document.querySelector('{entry}-told')", f"document.querySelector('{entry}')"
    return opened.evaluate(f"[{told}.textContent, {marked}.getAttribute('aria-invalid')]")


@pytest.mark.parametrize(
    ("key", "good", "refused", "told"),
    [
        ("years", "3", "2.5", "2.5 is outside the whole numbers 1 to 7 years."),
        ("array_life_years", "15", "16", "16 is outside the whole numbers 1 to 15 years."),
        ("currency", "CHF", "US Dollars", "This has 10 characters, at most 8 are taken. Shorten it."),
        ("My array 1.quote_id", "A" * 60, "A" * 61, "This has 61 characters, at most 60 are taken. Shorten it."),
        (
            "My array 1.quote_date",
            "2026-11-22",
            "1999-12-31",
            "1999-12-31 is outside 2000-01-01 to 2099-12-31.",
        ),
        (
            "logins_at",
            "07:05",
            "25:00",
            '"25:00" is no time of day here. Write it as 07:00, from 00:00 to 23:59.',
        ),
    ],
)
def test_what_a_cell_refuses_the_page_refuses_and_keeps_the_last_value(shown, program, key, good, refused, told):
    entry = field(program, key)
    shown.fill(entry, good)
    kept = shown.evaluate("document.getElementById('as-json').value")
    assert key in json.loads(kept)["inputs"]
    shown.fill(entry, refused)
    assert said(shown, entry) == [told, "true"]
    assert shown.evaluate("document.getElementById('faults').textContent").startswith("Not recalculated. Correct ")
    assert shown.evaluate("document.getElementById('as-json').value") == kept
    shown.fill(entry, good)
    assert said(shown, entry)[1] == "false"


def test_the_limits_beside_a_field_say_that_it_takes_whole_numbers(shown, program):
    entry = field(program, "years")
    told = shown.evaluate(f"document.querySelector('{entry}-help').textContent")
    assert told.endswith("Limits: the whole numbers 1 to 7 years")


def test_every_field_takes_and_refuses_what_apply_takes_and_refuses(program, book):
    wanted = []
    for key, item in book.entries.items():
        if item.choices:
            continue
        texts = list(WORDS)
        for end in (end for end in (item.minimum, item.maximum) if end is not None):
            near = (end - 1, end - 0.5, end, end + 0.5, end + 1)
            texts += [date_text(day) for day in near if day == int(day)] if item.unit == DATE else map(repr, near)
            texts += [clock_text(end), "7:05", "07:05:30", "24:00", "7:5"] if item.unit == CLOCK else []
        if item.longest is not None:
            most = int(item.longest)
            texts += ["x" * most, "x" * (most + 1), "\N{GRINNING FACE}" * (most // 2), "\N{GRINNING FACE}" * most]
        wanted += [(key, text, not _refused(item, text)) for text in texts]
    code, data = program
    pairs = json.dumps([(key, text) for key, text, _ in wanted])
    asked = f"""const of = new Map(INPUTS.map(input => [input.key, input]));
        const taken = {pairs}.map(([key, text]) => !readEntry(of.get(key), text).fault);
        process.stdout.write(JSON.stringify(taken));"""
    found = node(f"{code}\nconst DATA={json.dumps(data)};\n{{{OWN}\n{asked}}}")
    unequal = [each for each, taken in zip(wanted, found, strict=True) if each[2] != taken]
    assert (len(wanted) > 5000, unequal) == (True, [])


@pytest.mark.parametrize("typed", ["90.000", "1.200", "120.500", "500.000", "0.500", "1.2000", "1.200%", "90.00"])
def test_thousands_that_may_be_decimals_are_asked_back_in_the_words_of_the_shell(program, book, typed):
    code, data = program
    keys = ["array_price", "budget", "desktops", "years", "ram_gib", "growth_ratio", "installation_cost"]
    asked = f"""const of = new Map(INPUTS.map(input => [input.key, input]));
        const told = {json.dumps(keys)}.map(key => readEntry(of.get(key), {json.dumps(typed)}).fault ?? "");
        process.stdout.write(JSON.stringify(told));"""
    found = node(f"{code}\nconst DATA={json.dumps(data)};\n{{{OWN}\n{asked}}}")
    for key, told in zip(keys, found, strict=True):
        words = _refused(book.entries[key], typed).partition(": ")[2]
        assert [each for each in (told, words) if "? Type " in each] in ([], [words, words]), key


def test_a_field_shows_a_value_of_three_decimals_as_it_is_read(shown, program):
    price = field(program, "array_price")
    shown.fill(price, "90.000")
    assert said(shown, price) == ["90 or 90000? Type 90000, or 90.0000 for 90.", "true"]
    box = f"document.querySelector('{price}').parentElement"
    offered = f"[...{box}.querySelectorAll('.mends button')].map(each => each.textContent)"
    assert shown.evaluate(offered) == ["Use 90 USD", "Use 90,000 USD"]
    shown.fill(price, "90.1250")
    assert said(shown, price) == ["read as 90.125 USD", "false"]
    shown.evaluate("document.getElementById('undo').click()")
    shown.evaluate("document.getElementById('redo').click()")
    assert shown.evaluate(f"document.querySelector('{price}').value") == "90.1250"


def test_a_formula_typed_into_an_input_is_the_value_that_it_gives(book):
    typed = {book.inputs["desktops"].address: "=1000+700", book.inputs["currency"].address: '="C"&"HF"'}
    cells = replace(book.cells, values=MappingProxyType({**book.cells.values, **typed}))
    code, data = program_of(page(replace(book, cells=cells), prices=True).decode())
    asked = "compute();process.stdout.write(JSON.stringify([differences(), changed(), result('arrays_required')]));"
    assert node(f"{code}\nconst DATA={json.dumps(data)};\n{{{OWN}\n{asked}}}") == [[], [], 4]
    assert {"desktops": 1700, "currency": "CHF"}.items() <= {key: saved for key, _, saved, _ in data["inputs"]}.items()


def test_a_page_whose_input_would_not_follow_another_one_is_refused(book):
    years, life = book.inputs["years"].address, book.inputs["array_life_years"].address
    typed = {life: "='My arrays'!Z900+1", Address("My arrays", 900, 26): f"={years.a1}"}
    cells = replace(book.cells, values=MappingProxyType({**book.cells.values, **typed}))
    with pytest.raises(BookError, match=f"Life of an array.* in {life.a1} is a formula that reads .* in {years.a1};"):
        page(replace(book, cells=cells), prices=True)


def _refused(item, text):
    """Return the error of the shell, empty where it takes a text."""
    try:
        value_for(item, text)
    except RequestError as error:
        return str(error)
    return ""
