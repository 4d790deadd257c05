"""The command decide: what to buy with which chance and at what cost, what to find out; no chance for the unchecked."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from addin.errors import RequestError
from addin.kernel import Address
from addin.shell import decision_text
from addin.simulation import decide as deciding
from addin.simulation.decide import CERTAINTIES, Choice, Decision, decide
from addin.simulation.decision_tables import answer, arrays, chosen, designs, information, ranked
from addin.simulation.decision_words import supported
from addin.simulation.finding_out import ACTIONS, GROUPS, PILOT, Worth
from addin.simulation.montecarlo import simulate
from addin.simulation.risk import read_risk
from addin.simulation.stakes import Stakes
from addin.simulation.statistics import Interval
from addin.sizing.tables import Table
from addin.sizing.whatif import candidates
from addin.workbook.book import SizingBook, open_book

SHIPPED = Path(__file__).parents[2] / "templates" / "vdi-storage-sizing.xlsx"
TRIALS = 4096
BASE = "NetApp AFF8040"
CARD = (
    *("My array 1.capacity_tb=46", "My array 1.capacity_kind=usable", "My array 1.iops=250000"),
    *("My array 1.read_ratio=0.7", "My array 1.latency_ms=0.5", "My array 1.controllers_active=2"),
    *("My array 1.base_latency_ms=0.2", "My array 1.throughput_mb_s=5000", "My array 1.price=190000"),
)
QUOTED = ("array_price=90000", *CARD)
pytestmark = pytest.mark.slow  # nearly every test looks at a decision over eleven arrays
STAKES = Stakes(late_premium=0.25, late_days=30, desktop_day=20, failure_days=1)


@pytest.fixture(scope="module")
def book() -> SizingBook:
    return open_book(SHIPPED)


@pytest.fixture(scope="module")
def decision(book: SizingBook) -> Decision:
    return decide(book, QUOTED, TRIALS, stakes=STAKES)


@pytest.fixture(scope="module")
def found(decision: Decision) -> dict[str, Choice]:
    return {each.array: each for each in decision.choices}


def test_the_chance_of_the_base_design_is_that_of_simulate(book: SizingBook, found: dict[str, Choice]) -> None:
    report = simulate(book, TRIALS, settings=QUOTED)
    assert report.holds is not None
    assert found[BASE].holds == pytest.approx(report.holds.interval.value, abs=1e-9)


def test_more_certainty_never_needs_fewer_arrays_nor_costs_less(book: SizingBook, decision: Decision) -> None:
    for each in decision.choices:
        if each.chances:
            counts = [each.enough(level) for level in CERTAINTIES]
            assert counts == sorted(counts)  # type: ignore[type-var]
            assert max(each.chances.values()) == pytest.approx(1.0)
    costs = [design.mean.value for level in CERTAINTIES if (design := decision.chosen(level))]
    assert len(costs) == len(CERTAINTIES)
    assert costs == sorted(costs)
    prices = [row[-1] for row in chosen(decision, book).rows]
    assert all(isinstance(price, float) and price >= 0 for price in prices)


def test_the_surest_design_costs_what_its_arrays_cost(decision: Decision) -> None:
    """Two of the card always suffice, for 2 x 190,000; nothing is ever bought late."""
    (two,) = (each for each in decision.designs if each.name == "My array 1 x 2")
    assert (two.chance, two.mean.value, two.p95, two.mean.half_width) == (1.0, 380_000, 380_000, 0)


def test_knowing_less_is_never_worth_more_than_knowing_everything(book: SizingBook, decision: Decision) -> None:
    everything, *rest = decision.worths
    assert everything.what == "Everything"
    assert everything.value.value > 0
    assert all(0 <= each.value.value <= everything.value.value for each in rest)
    assert [each.value.value for each in rest] == sorted((each.value.value for each in rest), reverse=True)
    cheapest = decision.cheapest
    assert cheapest is not None
    assert everything.value.value == pytest.approx(cheapest.regret)
    shown = information(decision, book)
    assert all(isinstance(row[1], float) and row[1] > 0 and row[3] for row in shown.rows)
    assert "demand_scale_ratio" in {key for each in rest if each.value.value > 0 for key in each.keys}
    idle = {each.what for each in rest if each.keys == ("pvd_used_ratio",)}  # the shipped desktops have no pvDisk
    assert idle <= set(shown.notes[0].removesuffix(".").split(": ")[1].split("; "))


def test_the_quote_at_which_the_choice_turns_is_one_for_each_array(decision: Decision) -> None:
    """Where money decides, as here, the choice is the cheapest: five are dearer than four at any quote."""
    cheapest = decision.cheapest
    assert cheapest is not None
    turning = {each.array: each for each in decision.designs if each.turns is not None}
    assert set(turning) == {BASE, "My array 1"}
    assert len([each for each in decision.designs if each.turns is not None]) == 2
    assert turning[BASE].rival == cheapest.name
    assert turning[BASE].number < 5
    assert turning[cheapest.array].name == cheapest.name


def test_an_array_that_is_not_fully_checked_gets_no_chance(book: SizingBook, decision: Decision) -> None:
    open_ = [each for each in decision.choices if each.unchecked != "none"]
    assert len(open_) >= 6
    made = arrays(decision, book)
    for each in open_:
        assert each.holds is None
        assert each.enough(0.8) is None
        (row,) = (row for row in made.rows if row[0] == each.array)
        assert row[2:7] == ("not checked",) * 5
        assert row[-1] == each.unchecked
        assert each.array not in {design.array for design in decision.designs}


def test_the_answer_says_what_to_buy_how_sure_it_is_and_what_to_find_out(book: SizingBook, decision: Decision) -> None:
    said = answer(decision, book)
    assert said.startswith("Buy My array 1 x 1: costs least on average, ")
    assert f"suffices with about {decision.designs[0].chance:.0%}" in said
    assert "Find out first: " in said
    assert ", worth up to " in said
    assert "pilot 30 desktops of your own, then run measure" in said


def test_without_a_cost_of_a_bad_day_certainty_alone_decides(book: SizingBook) -> None:
    """By hand: one of the card costs 190,000, 90,000 x 4 = 360,000, 190,000 x 2 = 380,000, and 90,000 x 5 is more."""
    plain = decide(book, QUOTED, TRIALS, stakes=Stakes(late_premium=0.25, late_days=30))
    assert plain.worths == ()
    assert "certainty alone decides" in plain.why
    assert plain.why in arrays(plain, book).notes
    names = [(each.name if (each := plain.chosen(level)) else "") for level in CERTAINTIES]
    assert names == ["My array 1 x 1", f"{BASE} x 4", f"{BASE} x 4", "My array 1 x 2"]
    assert answer(plain, book).startswith("80% sure: My array 1 x 1, ")
    (five,) = (each for each in plain.designs if each.name == f"{BASE} x 5")  # 99 % sure, as two of the card are
    assert (five.quote, five.rival) == (90_000, "My array 1 x 2")
    assert five.turns == pytest.approx(380_000 / 5, rel=1e-3)
    first, last = (row for row in chosen(plain, book).rows if row[0] in ("80% sure", "99% sure"))
    assert first[-1] == 0
    assert last[4] == pytest.approx(380_000, rel=0.01)


def test_without_quotes_only_counts_are_compared(book: SizingBook) -> None:
    made = decide(book, (), TRIALS, stakes=STAKES)
    table = arrays(made, book)
    assert (made.designs, made.worths, chosen(made, book).rows, designs(made, book).rows) == ((), (), (), ())
    assert not [heading for heading in table.headings if "cost" in heading.casefold()]
    assert "4 are 80% sure, 4 are 95% sure, 5 are 99% sure" in answer(made, book)
    assert table.notes[0] == answer(made, book)
    assert "No quote is entered: compare numbers of one array" in table.notes[0]


def test_too_few_trials_give_words_and_no_percentage(book: SizingBook) -> None:
    made = decide(book, QUOTED, 1024, stakes=STAKES)
    assert (made.designs, made.worths, chosen(made, book).rows) == ((), (), ())
    table = arrays(made, book)
    assert (
        table.notes[0]
        == answer(made, book)
        == (
            "1,024 trials are too few to say what to buy: a chance could be off by 4 points. "  # 1.96 x 0.5 / 32
            "Ask for 4,096 or more."
        )
    )
    base = table.rows[0]  # fully checked ones first
    assert base[0] == BASE
    assert base[2:] == (*("too few trials",) * 5, "none")
    assert "%" not in str(table.rows)
    assert decide(book, QUOTED, 4096, stakes=STAKES).designs


FOREIGN = (*CARD, "My array 1.quote_currency=EUR")


def test_a_quote_in_another_currency_without_its_rate_is_named_and_not_ranked(book: SizingBook) -> None:
    made = decide(book, ("array_price=90000", *FOREIGN), TRIALS, stakes=STAKES)
    assert {each.array for each in made.designs} == {BASE}
    words = "Not ranked, as the quote is in another currency and its rate is not typed: My array 1."
    assert words in arrays(made, book).notes
    alone = decide(book, FOREIGN, TRIALS, stakes=STAKES)
    assert alone.designs == ()
    assert "No quote counts, as the rate of its currency is not typed" in answer(alone, book)
    rated = decide(book, (*FOREIGN, "My array 1.quote_rate=1.1"), TRIALS, stakes=STAKES)
    (one,) = (each for each in rated.designs if each.name == "My array 1 x 2")
    assert one.mean.value == pytest.approx(2 * 190_000 * 1.1)
    assert f"Not ranked, as they have no quote: {BASE}." in arrays(rated, book).notes


def test_a_pilot_has_fewer_desktops_than_the_design(book: SizingBook) -> None:
    made = decide(book, ("array_price=90000", "desktops=100"), TRIALS, stakes=replace(STAKES, pilot=1.0))
    assert sorted(each.pilots for each in made.worths if each.pilots) == [10, 30]
    one = decide(book, ("array_price=90000", "desktops=1"), TRIALS, stakes=replace(STAKES, pilot=1.0))
    assert not any(each.pilots for each in one.worths)
    assert not any("pilots" in note for note in information(one, book).notes)


def test_one_array_alone_is_said_to_be_compared_with_no_other(book: SizingBook, decision: Decision) -> None:
    """Its numbers are compared; one of anything is one, not ones. Without a quote it is what is fully checked."""
    alone = decide(book, ("desktops=10", "array_price=90000"), TRIALS)
    said = f"Only {BASE} is fully checked and has a quote that counts: only counts of it are compared, not other arrays"
    assert any(note.startswith(said) for note in arrays(alone, book).notes)
    unpriced = decide(book, ("desktops=10",), TRIALS)
    assert answer(unpriced, book).startswith(f"{BASE}: 1 is 80% sure, 1 is 95% sure, 1 is 99% sure.")
    assert any(note.startswith(f"Only {BASE} is fully checked: ") for note in arrays(unpriced, book).notes)
    assert not any(note.startswith("Only ") for note in arrays(decision, book).notes)


def test_what_cannot_be_said_is_said_in_words(decision: Decision) -> None:
    one = deciding._no_information(STAKES, decision.designs[:1])
    assert one == "There is one design only, so nothing that can be found out changes the choice."
    assert deciding._no_information(STAKES, decision.designs) == decision.why == ""


def test_neither_order_nor_threads_change_a_figure(
    book: SizingBook, decision: Decision, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deciding, "candidates", lambda *asked: candidates(*asked)[::-1])
    again = decide(book, QUOTED, TRIALS, workers=2, stakes=STAKES)
    assert again.choices == decision.choices[::-1]
    assert again.designs == decision.designs
    assert again.worths == decision.worths
    assert ranked(again)[0].array == "My array 1"  # to be 99 % sure, two of it cost less than five of the base


def test_a_choice_within_the_error_of_the_draws_is_called_open(book: SizingBook, decision: Decision) -> None:
    assert decision.open_with(0.0) is None
    best, second, *rest = decision.designs
    one, other = (replace(each, replicates=means) for each, means in ((best, (10.0, 30.0)), (second, (12.0, 29.0))))
    near = replace(decision, designs=(one, other, *rest))
    assert near.open_with(0.0) == other
    said = f"{one.name} and {other.name} cost the same within the error of the draws: the choice is open."
    assert said in arrays(near, book).notes
    assert said not in arrays(decision, book).notes


def test_every_input_of_the_sheet_has_a_way_to_find_it_out(book: SizingBook) -> None:
    drawn = read_risk(book).keys
    assert set(drawn) <= set(ACTIONS)
    assert {action for actions in GROUPS.values() for action in actions} <= set(ACTIONS.values())


@pytest.mark.parametrize("setting", ["array=NetApp AFF A800", "arrays_installed=3"])
def test_what_decide_finds_cannot_be_set(book: SizingBook, setting: str) -> None:
    with pytest.raises(RequestError, match=r"Leave it out of --set\.$"):
        decide(book, (setting,), 1024)


def test_no_spread_is_one_line(book: SizingBook) -> None:
    kinds = {Address("Risk inputs", row, 5): "fixed" for row in range(5, 23)}
    with pytest.raises(RequestError, match=r"Give one a distribution there\.$"):
        decide(replace(book, cells=book.cells.with_values(kinds)), QUOTED, 1024)


def of_pilots(decision: Decision, each: float | None) -> Decision:
    """Return a decision with pilots worth 6,000, 9,000 and 12,000, give or take 300, at a cost of each desktop."""
    made = tuple(
        Worth(
            f"Pilot of {n} desktops",
            ("demand_scale_ratio",),
            Interval(value, value - 300, value + 300),
            "Measures the scale",
            n,
            None if each is None else n * each,
        )
        for n, value in ((10, 6000.0), (30, 9000.0), (100, 12_000.0))
    )
    load = Worth("Scale on every phase", ("demand_scale_ratio",), Interval(13_000, 12_900, 13_100), PILOT)
    worths = (decision.worths[0], load, *made)
    return replace(decision, worths=worths, stakes=replace(STAKES, pilot=each))


def test_a_pilot_is_worth_what_is_left_after_its_cost(book: SizingBook, decision: Decision) -> None:
    """By hand, at 100 each: 6,000 - 1,000, 9,000 - 3,000, 12,000 - 10,000."""
    made = of_pilots(decision, 100.0)
    table = information(made, book)
    assert table.headings[3:5] == ("Cost", "Worth less its cost")
    rows = {row[0]: row[3:5] for row in table.rows}
    assert rows["Pilot of 10 desktops"] == (1000, 5000)
    assert rows["Pilot of 30 desktops"] == (3000, 6000)
    assert rows["Pilot of 100 desktops"] == (10_000, 2000)
    assert rows["Everything"] == rows["Scale on every phase"] == (None, None)
    best = "worth 6,000 USD after its cost of 3,000 USD."
    assert answer(made, book).endswith(f"Find out first: pilot 30 desktops, then run measure, {best}")
    assert table.notes[-1].startswith("Of pilots of 10, 30 and 100 desktops, that of 30 is worth most: 6,000 USD")


def test_pilots_that_the_errors_do_not_tell_apart_are_all_named(book: SizingBook, decision: Decision) -> None:
    """By hand, at 140 each: 6,000 - 1,400, 9,000 - 4,200; each give or take 300."""
    made = of_pilots(decision, 140.0)
    both = "4,600 or 4,800 USD after its cost of 1,400 or 4,200 USD."
    pilots = "pilot 10 or 30 desktops, no clear best, then run measure"
    assert answer(made, book).endswith(f"Find out first: {pilots}, worth {both}")
    assert information(made, book).notes[-1] == (
        "Of pilots of 10, 30 and 100 desktops, that of 10 or 30 is worth most, which the draws do not tell apart: "
        f"{both}"
    )


def test_what_may_be_worth_as_much_as_the_first_is_named_beside_it(book: SizingBook, decision: Decision) -> None:
    near = Worth("Write weight", ("write_weight",), Interval(12_950, 12_850, 13_050), ACTIONS["write_weight"])
    far = replace(near, what="Desktops", keys=("desktops",), value=Interval(12_000, 11_900, 12_100))
    made = of_pilots(decision, None)
    said = answer(replace(made, worths=(*made.worths, near, far)), book)
    assert said.endswith("As good within the error: write weight.")


@pytest.mark.parametrize(
    ("value", "error", "shown"),
    [
        (362_554, 412, 362_600),
        (6981, 619.1, 7000),
        (5.4, 0.2, 5),
        (9, math.inf, 9),
    ],
)
def test_an_amount_has_the_digits_that_its_error_supports(value: float, error: float, shown: float) -> None:
    assert supported(value, error) == shown


def printed(decision: Decision, book: SizingBook) -> list[Table]:
    """Return the tables that are printed."""
    tables: list[Table] = []

    def told(table: Table) -> str:
        tables.append(table)
        return ""

    decision_text.text(decision, book, told)
    return tables


def test_the_text_has_no_more_digits_than_its_errors_support(book: SizingBook, decision: Decision) -> None:
    to_buy, worth, every, *_ = printed(decision, book)
    at = worth.headings.index("Error")
    for row, exact in zip(worth.rows, information(decision, book).rows, strict=True):
        error = exact[at]
        assert isinstance(error, float)
        assert row[1:3] == tuple(supported(each, error) for each in exact[1:3] if isinstance(each, float))
    means = {row[0]: row[every.headings.index("Mean cost")] for row in every.rows}
    for design in decision.designs:
        assert means[design.name] == supported(design.mean.value, design.mean.half_width)
    assert {row[4] for row in to_buy.rows} <= set(means.values())


def test_a_design_chosen_for_several_certainties_is_one_row_of_the_text(book: SizingBook, decision: Decision) -> None:
    sure = replace(decision, designs=tuple(each for each in decision.designs if each.chance == 1.0)[:1])
    assert [row[0] for row in printed(sure, book)[0].rows] == ["80%, 90%, 95% and 99% sure"]
    assert len(chosen(sure, book).rows) == len(CERTAINTIES)


@pytest.mark.parametrize("each", [580.0, 2000.0])  # 5,800 of 6,000 +- 300, or much more
def test_where_no_pilot_is_worth_its_cost_the_answer_is_to_buy(
    book: SizingBook, decision: Decision, each: float
) -> None:
    made = of_pilots(decision, each)
    assert answer(made, book).endswith(
        "Find out nothing first, buy: no pilot is worth its cost, and nothing else would change the choice."
    )
    assert information(made, book).notes[-1].endswith("none is worth its cost beyond the error of the draws.")
    other = Worth("Write weight", ("write_weight",), Interval(400, 300, 500), ACTIONS["write_weight"])
    beside = answer(replace(made, worths=(*made.worths, other)), book)
    assert "Find out first: write weight, worth up to 400 USD: ask the vendor" in beside


def test_a_cost_of_pilots_that_is_not_typed_is_not_counted_and_said(book: SizingBook, decision: Decision) -> None:
    table = information(of_pilots(decision, None), book)
    assert "Cost" not in table.headings
    assert table.notes[-1].startswith("What a pilot costs is not counted. Type the cost of a pilot desktop")
    assert information(decision, book).notes[-1] == table.notes[-1]


def test_a_cost_that_is_typed_moves_net_worth_and_order_alone(book: SizingBook, decision: Decision) -> None:
    made = decide(book, QUOTED, TRIALS, stakes=replace(STAKES, pilot=100.0))
    assert made.designs == decision.designs
    assert {each.what: each.value for each in made.worths} == {each.what: each.value for each in decision.worths}
    assert [each.cost for each in made.worths if each.pilots] != [None] * 3
    assert [each.net for each in made.worths[1:]] == sorted((each.net for each in made.worths[1:]), reverse=True)


def test_where_no_answer_changes_the_choice_the_answer_is_to_buy(book: SizingBook, decision: Decision) -> None:
    nothing = tuple(replace(each, value=Interval(0.0, 0.0, 0.0)) for each in decision.worths)
    settled = replace(decision, worths=nothing)
    assert answer(settled, book).endswith("Find out nothing first: no answer would change the choice.")
    assert information(settled, book).rows == ()
    together = replace(decision, worths=(decision.worths[0], *nothing[1:]))
    assert "No single figure is worth finding out first" in answer(together, book)
