"""What decide says of growth per year, of quotes in another currency or typed as formulas, of alerts and options."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from addin.shell import decision_text
from addin.shell.printed import table_text
from addin.simulation.decide import Decision, decide
from addin.simulation.decision_tables import answer, arrays, chosen, designs, remark
from addin.simulation.designs import numbers
from addin.simulation.montecarlo import simulate
from addin.simulation.stakes import Stakes
from addin.workbook.book import SizingBook, open_book
from tests.simulation.test_decide import CARD
from tests.support.decisions import DECISION, DESIGNS, at
from tests.support.shell import Run

SHIPPED = Path(__file__).parents[2] / "templates" / "vdi-storage-sizing.xlsx"
TRIALS, PRICE = 4096, "array_price=90000"
LATE = Stakes(0.25, 30)
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def book() -> SizingBook:
    return open_book(SHIPPED)


@pytest.fixture(scope="module")
def grown(book: SizingBook) -> list[Decision]:
    """Return decisions at a growth of 1 % and of 20 % a year."""
    return [decide(book, (PRICE, f"growth_per_year_ratio={share}"), TRIALS, stakes=LATE) for share in (0.01, 0.2)]


def test_more_growth_never_makes_a_number_surer(book: SizingBook, grown: list[Decision]) -> None:
    """At 20 % 1,800 desktops stand at the end of year 1, for which Years buys 4 arrays: 3 are not 80 % sure."""
    bought = book.evaluate(book.settings(["growth_per_year_ratio=0.2"]), ["arrays_first"])
    assert bought == {"arrays_first": 4}
    slow, fast = (next(each for each in found.choices if each.chances) for found in grown)
    assert all(fast.suffices(count) <= slow.suffices(count) for count in (2.0, 3.0, 4.0, 5.0))
    assert fast.suffices(3) < 0.8 <= slow.suffices(3)
    assert (slow.enough(0.8), fast.enough(0.8)) == (3, 4)


def test_with_growth_per_year_the_year_and_the_last_one_are_named(book: SizingBook, grown: list[Decision]) -> None:
    said = arrays(grown[1], book).notes
    assert answer(grown[1], book).endswith("That certainty is of year 1, its growth included.")
    assert (
        "A number suffices where it carries year 1 with the growth of that year; normal operation is of day one."
        in said
    )
    assert "Growth to plan for is not drawn: growth per year counts, and growth is drawn once." in said
    assert "  To the last year  " in decision_text.text(grown[1], book, table_text)
    priced = replace(grown[1], stakes=Stakes(0.25, 30, 20), why="")
    assert ", and suffices in year 1 with about " in answer(priced, book)
    assert ", to the last year with " in answer(priced, book)
    assert "To the last year" not in decision_text.text(DECISION, book, table_text)
    assert "year 1" not in answer(DECISION, book)


def test_a_cost_has_the_digits_of_its_error_wherever_it_stands(book: SizingBook) -> None:
    """The sheet Decision and the hand-off read 300,015 where the text said 300,020."""
    uneven = tuple(replace(each, mean=at(each.mean.value + 16, 13.0)) for each in DESIGNS)
    rows = chosen(replace(DECISION, designs=uneven), book).rows
    assert {row[4] for row in rows} == {round(each.mean.value, -1) for each in uneven if each.dominated == ""}


def test_simulate_says_that_its_chance_is_of_day_one(book: SizingBook) -> None:
    grows = simulate(book, 1024, settings=("growth_per_year_ratio=0.2",))
    assert grows.design == "3 arrays, on day one,"
    assert (
        "Whether the design suffices is said of day one: growth per year changes what is needed later." in grows.notes
    )
    assert simulate(book, 1024).design == "3 arrays"


def test_a_quote_in_another_currency_is_named_in_it_and_shown_in_the_workbook_s(book: SizingBook) -> None:
    """By hand: 190,000 EUR at 1.1 are 209,000 USD; two always suffice, for 418,000."""
    rated = (*CARD, "My array 1.quote_currency=EUR", "My array 1.quote_rate=1.1")
    made = decide(book, (PRICE, *rated), TRIALS, stakes=LATE)
    table = designs(made, book)
    (row,) = (row for row in table.rows if row[0] == "My array 1 x 2")
    at = {heading: n for n, heading in enumerate(table.headings)}
    assert row[at["Quote"]] == pytest.approx(209_000)
    assert table.units[at["Quote"]] == "USD"
    assert "quoted at 190,000 EUR" in str(row[at["Remark"]])
    (design,) = (each for each in made.designs if each.name == "My array 1 x 2")
    (rival,) = (each for each in made.designs if each.name == design.rival)
    assert design.turns == pytest.approx(rival.mean.value / 2.2, rel=1e-3)
    assert row[at["Choice changes at a quote of"]] == pytest.approx(rival.mean.value / 2, rel=1e-3)
    assert "EUR" not in " ".join(str(each[-1]) for each in table.rows if not str(each[0]).startswith("My array 1"))


def test_a_quote_typed_as_a_formula_is_computed(book: SizingBook) -> None:
    """By hand: 80,000 + 12,345 = 92,345."""
    cells = book.cells.with_formula(book.inputs["array_price"].address, "=80000+12345")
    made = decide(replace(book, cells=cells), CARD, TRIALS, stakes=LATE)
    base = [each for each in made.designs if each.array == "NetApp AFF8040"]
    assert {each.quote for each in base} == {92_345}
    assert any(each.turns for each in base)


def test_what_size_raises_of_the_base_design_is_said_by_decide(run: Run) -> None:
    code, out, _ = run("decide", SHIPPED, "--set", "Group 1.users=800", "--set", PRICE, "--trials", "1024")
    assert (code, out.splitlines()[1].startswith("alert C93 raised. Expected: Every user group is blank")) == (0, True)
    _, text, _ = run("decide", SHIPPED, "--set", "Group 1.users=800", "--set", PRICE, "--trials", "1024", "--json")
    assert any(note.startswith("alert C93 raised.") for note in json.loads(text)["notes"])


@pytest.mark.parametrize(
    ("option", "text", "words"),
    [
        ("--late-days", "soon", "--late-days soon: expected a number in days. Type digits alone"),
        ("--desktop-day", "-1", "--desktop-day -1: expected a number from 0 to 100000."),
        ("--late-premium", "nan", "--late-premium nan: expected a number from 0 to 10"),
        ("--pilot-cost", "many", "--pilot-cost many: expected a number in money. Type digits alone"),
        ("--pilot-cost", "-1", "--pilot-cost -1: expected a number from 0 to 100000."),
        ("--failure-days", "400", "--failure-days 400: expected a number from 0 to 366"),
    ],
)
def test_a_wrong_option_is_one_line(run: Run, option: str, text: str, words: str) -> None:
    code, out, err = run("decide", SHIPPED, f"{option}={text}")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--failure-days", "200"), "--failure-days 200: changes nothing without a cost of a desktop below the agreed"),
        (("--pilot-cost", "500"), "--pilot-cost 500: changes nothing without a cost of a desktop below the agreed"),
        (("--late-days", "60"), "--late-days 60: changes nothing without a cost of a desktop below the agreed"),
        (("--pilot-cost", "1.000"), "--pilot-cost 1.000: 1 or 1000? Type 1000, or 1.0000 for 1."),
        (("--desktop-day", "1.500"), "--desktop-day 1.500: 1.5 or 1500? Type 1500, or 1.5000 for 1.5."),
        (("--desktop-day", "1,000"), "--desktop-day 1,000: expected a number in money. Type digits alone"),
        (("--late-premium", "25"), "--late-premium 25: expected a number from 0 to 10. Did you mean 25%?"),
    ],
)
def test_an_option_is_read_as_set_reads_a_number_and_changes_something(
    run: Run, options: tuple[str, ...], words: str
) -> None:
    code, out, err = run("decide", SHIPPED, "--set", PRICE, *options)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert words in err


def test_an_option_without_a_quote_is_refused(run: Run) -> None:
    code, out, err = run("decide", SHIPPED, "--desktop-day", "20", "--late-premium", "50%", "--trials", "4096")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "--late-premium and --desktop-day: change nothing without a quote that counts." in err


def test_each_figure_says_where_it_is_from(book: SizingBook) -> None:
    def said(*given: str) -> str:
        return " ".join(arrays(replace(DECISION, stakes=replace(DECISION.stakes, given=given)), book).notes)

    assert "bought 25% dearer and 30 working days late (Risk inputs); a desktop" in said()
    assert "bought 25% dearer and 30 working days late (as given); a desktop" in said("late_premium_ratio", "late_days")
    assert "bought 25% dearer (as given) and 30 working days late (Risk inputs)" in said("late_premium_ratio")
    assert "A shortfall that only a failure brings counts on 1 day a year (Risk inputs)." in said()
    assert "counts on 1 day a year (as given)." in said("failure_days")


def test_no_number_of_an_array_is_passed_over(book: SizingBook) -> None:
    """Between 4 and 11 are eight numbers; from 1 to 40 gaps are left, and named."""
    assert numbers((4.0, 5.0, 9.0, 11.0, 4.0)) == [4, 5, 6, 7, 8, 9, 10, 11]
    assert numbers((1.0, 20.0, 40.0)) == [1, 20, 40]
    assert numbers(()) == []
    gap = "Of Alpha not every number is compared: those in between are left out."
    far = replace(DESIGNS[3], number=5)
    assert gap in arrays(replace(DECISION, designs=(*DESIGNS[:3], far)), book).notes
    assert gap not in arrays(DECISION, book).notes
    assert remark(DECISION, DESIGNS[1]) == "dominated by Alpha x 2"
