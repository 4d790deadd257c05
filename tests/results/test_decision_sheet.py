"""The sheet Decision: the answer on top, three charts of the cells below, words where nothing can be said."""

from dataclasses import replace
from pathlib import Path

import pytest
from openpyxl.chart import BarChart, ScatterChart
from openpyxl.worksheet.worksheet import Worksheet

from addin.results.decision_sheet import CHANCE, draw
from addin.simulation.decide import Decision
from addin.simulation.finding_out import PILOT, Worth
from addin.simulation.risk import reads
from addin.simulation.stakes import OPTIONS, Stakes, typed_stakes
from addin.workbook import run_settings
from addin.workbook.book import SizingBook, open_book
from addin.workbook.run_settings import SEED, TRIALS
from model.layout import styles
from tests.support.decisions import CHOICES, DECISION, at

SHIPPED = Path(__file__).parents[2] / "templates" / "vdi-storage-sizing.xlsx"


@pytest.fixture(scope="module")
def book() -> SizingBook:
    return open_book(SHIPPED)


def found(ws: Worksheet, text: str) -> int:
    """Return the row whose first cell begins with a text."""
    return next(row for row in range(1, ws.max_row + 1) if str(ws.cell(row, 1).value or "").startswith(text))


def rows(reference: str, column: str) -> tuple[int, int]:
    """Return the first and the last row of a reference to one column of the sheet."""
    first, _, last = reference.removeprefix("'Decision'!").partition(":")
    ends = [int(each.removeprefix(f"${column}$")) for each in (first, last or first)]
    return ends[0], ends[1]


def test_the_first_screen_says_what_to_buy_how_sure_and_what_to_find_out(book: SizingBook) -> None:
    ws = draw(book, DECISION).ws
    assert str(ws["A2"].value) == (
        "Buy Alpha x 2: costs least on average, 200,000 USD, and suffices with about 85%. Find out first: demand, "
        "worth up to 400 USD: pilot 30 desktops of your own, then run measure."
    )
    row = found(ws, "80% sure: Alpha x 2")
    assert [ws.cell(row, column).value for column in (2, 3, 4)] == ["about 85%", 200_000, 0]
    row = found(ws, "95% sure: Alpha x 3")
    assert [ws.cell(row, column).value for column in (2, 3, 4)] == ["over 99%", 270_000, 70_000]
    assert ws.cell(found(ws, "Demand"), 4).value == PILOT
    assert "Write weight" in str(ws.cell(found(ws, "Worth nothing"), 1).value)


def test_the_three_charts_draw_the_cells_of_their_array(book: SizingBook) -> None:
    ws = draw(book, DECISION).ws
    sure, cost = sorted((c for c in ws._charts if isinstance(c, ScatterChart)), key=lambda c: c.anchor._from.col)
    (worth,) = (chart for chart in ws._charts if isinstance(chart, BarChart))
    head = found(ws, "Every design")
    for series in cost.series:
        named = (f"{series.tx.v} x" in str(ws.cell(row, 1).value) for row in range(head, ws.max_row))
        own = [row for row, is_own in enumerate(named, head) if is_own]
        assert rows(series.yVal.numRef.f, "E") == rows(series.xVal.numRef.f, "B") == (own[0], own[-1])
    assert [series.tx.v for series in sure.series] == [series.tx.v for series in cost.series] == ["Alpha", "Beta"]
    assert rows(worth.series[0].val.numRef.f, "B") == (found(ws, "Everything"), found(ws, "Demand"))


def test_no_chance_reads_0_or_100_percent_and_dominated_designs_are_grey(book: SizingBook) -> None:
    ws = draw(book, DECISION).ws
    dominated, kept = found(ws, "Alpha x 1"), found(ws, "Alpha x 3")
    assert ws.cell(kept, 2).value == 1.0
    assert ws.cell(kept, 2).number_format == CHANCE
    assert str(ws.cell(dominated, 1).font.color.rgb)[-6:] == styles.GREY
    assert ws.cell(kept, 1).font.color is None
    assert ws.cell(dominated, 13).value == "dominated by Alpha x 2"
    texts = [str(cell.value) for row in ws.iter_rows() for cell in row if isinstance(cell.value, str)]
    assert not [text for text in texts if "100%" in text or "about 0%" in text]


def test_an_array_that_is_not_checked_gets_words(book: SizingBook) -> None:
    ws = draw(book, DECISION).ws
    row = found(ws, "Gamma")
    assert [ws.cell(row, column).value for column in range(3, 9)] == [*["not checked"] * 5, "failover, enter a rating"]
    unchecked = Decision(CHOICES[2:], (), (), "No quote is entered.", Stakes(), 4096)
    page = draw(book, unchecked).ws
    assert page._charts == []
    assert str(page["A2"].value).startswith("No array is fully checked, so none gets a chance.")


def test_without_a_cost_of_a_bad_day_the_sheet_says_why_nothing_is_valued(book: SizingBook) -> None:
    why = "What is worth finding out is not said, as no cost of a desktop below the agreed level is typed."
    plain = replace(DECISION, worths=(), why=why, stakes=Stakes(0.25, 30))
    ws = draw(book, plain).ws
    assert ws.cell(found(ws, "What to find out first") + 1, 1).value == why
    assert len(ws._charts) == 2
    assert str(ws["A2"].value) == (
        "80% sure: Alpha x 2, 200,000 USD on average. 90% sure: Beta x 4, 260,000 USD on average. "
        "95% to 99% sure: Alpha x 3, 270,000 USD on average."
    )


def test_the_sheet_states_trials_seed_and_alerts(book: SizingBook) -> None:
    ws = draw(
        book, replace(DECISION, seed=7, alerts=("alert C92 raised. Expected: groups are complete. Type them.",))
    ).ws
    assert ws.cell(found(ws, "trials"), 2).value == "4,096 for each array"
    assert ws.cell(found(ws, "seed"), 2).value == "7"
    assert str(ws["A5"].value).startswith("1 warning: alert C92 raised.")
    assert found(ws, "alert C92 raised. Expected: groups are complete.") > 20


def test_a_setting_that_an_option_replaced_is_not_among_the_inputs(book: SizingBook) -> None:
    """As shipped 25 %, 30 and 1 day are typed; the run takes a premium and a seed given, and trials of its own."""
    labels = [read.label for read in typed_stakes(book, Stakes(given=("late_premium_ratio",))).filled]
    assert len(labels) == len(typed_stakes(book, Stakes()).filled) - 1
    everything = typed_stakes(book, Stakes(given=tuple(OPTIONS)))
    assert (everything.filled, everything.blank) == ((), ())
    left = {each.address for each in reads(book).filled} - {each.address for each in reads(book, (TRIALS, SEED)).filled}
    assert left == run_settings.cells(book, TRIALS, SEED)


def test_what_a_pilot_costs_is_beside_what_it_is_worth(book: SizingBook) -> None:
    pilot = Worth(
        "Pilot of 30 desktops", ("demand_scale_ratio",), at(300), "Measures the load to within 10%", 30, 120.0
    )
    stakes = replace(DECISION.stakes, pilot=4.0)
    ws = draw(book, replace(DECISION, worths=(*DECISION.worths, pilot), stakes=stakes)).ws
    head, row = found(ws, "Find out"), found(ws, "Pilot of 30 desktops")
    assert [ws.cell(head, column).value for column in (4, 5)] == ["Cost, USD", "Worth less its cost, USD"]
    assert [ws.cell(row, column).value for column in (2, 3, 4, 5)] == [300, 10, 120, 180]
    assert ws.cell(row, 6).value == "Measures the load to within 10%"
    assert "pilot 30 desktops, then run measure, worth 180 USD after its cost of 120 USD." in str(ws["A2"].value)
