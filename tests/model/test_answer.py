"""The front: Answer asks for what a design needs and shows no number without it; Compare ranks; the banner says why."""

import math
from collections.abc import Mapping, Sequence
from functools import cache

import pytest

from addin.kernel import Address, Scalar
from model.layout.grid import ANSWER, FIRST_ROW, OWN_ARRAYS, START
from model.sheets.catalogue import asks
from model.sheets.front import compare
from model.sheets.sizing.constraints import AFTER, CONSTRAINTS
from tests.model.test_cards import CARD
from tests.support.answers import addresses, answers, changed, number
from tests.support.input_sets import STORMS, Inputs, Value, own_arrays
from tests.support.recomputed import Evaluator
from tests.support.shipped import built, built_cells, reference, reference_cells

BUILT = built()
CELLS = built_cells()
REQUIRED = tuple(key for key in START if not BUILT.data.input(key).optional)
# nothing is left open
FULL: Mapping[str, Value] = {**CARD, "base_latency_ms": 0.3, "throughput_mb_s": 5000.0}
HALF: Mapping[str, Value] = {**FULL, "iops": 20000.0}  # a tenth of its IOPS: more arrays
Design = Mapping[str, Value]


def front(design: Design | None = None, cards: Sequence[Mapping[str, Value]] = ()) -> Evaluator:
    """Return the workbook as it ships, with some inputs of the base design and some cards typed into it."""
    typed = {BUILT.layout.typed(key): value for key, value in (design or {}).items()}
    return Evaluator(CELLS, addresses({**typed, **own_arrays(BUILT, cards)}))


@cache
def shipped() -> Evaluator:
    return front()


def ranked(evaluator: Evaluator, key: str) -> list[Scalar]:
    """Return a row of Compare: the base design, then its what-ifs."""
    places = [compare.cell(key, column) for column in compare.DESIGNS]
    return [evaluator.value(Address.from_a1(place)) for place in places]


def banner(evaluator: Evaluator) -> str:
    return str(evaluator.value(Address.from_a1(CELLS.name("Chk_Banner"))))


def result(evaluator: Evaluator, key: str) -> Scalar:
    return evaluator.value(Address.from_a1(CELLS.name(f"Out_{key}")))


def inside(evaluator: Evaluator, key: str) -> Scalar:
    """Return a line of a calculation sheet, of the base design."""
    return evaluator.value(Address.from_a1("!".join(BUILT.layout.cell(key))))


def answer_block(evaluator: Evaluator) -> list[Scalar]:
    """Return what stands under "normal" and "after one failure" beside every label of the answer."""
    sheet = BUILT.workbook[ANSWER]
    heads = {str(cell.value): cell.column for cell in sheet[FIRST_ROW - 1] if cell.value}
    rows = range(FIRST_ROW, FIRST_ROW + len(START))
    columns = (heads["normal"], heads["after one failure"])
    places = [sheet.cell(row, column) for row in rows for column in columns]
    return [evaluator.value(Address(ANSWER, cell.row, cell.column)) for cell in places if cell.value is not None]


# ---- START HERE -----------------------------------------------------------------------------------


def test_the_start_cells_are_the_inputs_themselves() -> None:
    for key in START:
        sheet, cell = BUILT.layout.typed(key)
        assert CELLS.name(f"In_{key}").replace("$", "") == f"{sheet}!{cell}"
        assert sheet == ANSWER
        assert not BUILT.workbook[sheet][cell].protection.locked
        value = BUILT.workbook[sheet][cell].value
        assert not str(value).startswith("="), key


def test_every_other_base_input_stands_on_inputs() -> None:
    others = [item.key for item in BUILT.data.inputs if item.key not in START]
    assert {BUILT.layout.typed(key)[0] for key in others} == {"Inputs", "More inputs"}


def test_the_row_of_a_start_cell_on_inputs_follows_it() -> None:
    evaluator = front({"desktops": 1234.0, "array": "NetApp FAS3270"})
    rows = [f"Inputs!D{BUILT.layout.inputs[key][1]}" for key in ("desktops", "array")]
    assert [evaluator.value(Address.from_a1(row)) for row in rows] == [1234, "NetApp FAS3270"]


MISSING = {  # start cell left blank, what the banner then says
    "desktops": "Enter the users",
    "concurrent_ratio": "Enter who works",
    "growth_ratio": "Enter the growth",
    "array": "Choose an array",
    "profile": "Choose a workload profile.",
    "provisioning": "Choose a provisioning method",
    "failover": "Fill the blank cells under START HERE on Answer",
}


def test_every_required_start_cell_has_words_for_its_absence() -> None:
    assert set(MISSING) == set(REQUIRED)


PASTED = [  # past the limits of its cell: -5 users gave one array
    ("desktops", -5.0), ("desktops", 0.0), ("desktops", "many"), ("concurrent_ratio", 80.0), ("concurrent_ratio", -0.1),
    ("concurrent_ratio", 1.01), ("growth_ratio", -0.5),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("key", "value"), [*((key, None) for key in REQUIRED), *PASTED])
def test_without_a_required_start_cell_no_number_is_shown_and_the_banner_says_what_to_enter(
    key: str, value: str | float | None
) -> None:
    evaluator = front({key: value})
    errors = result(evaluator, "errors_count")
    assert isinstance(errors, float | int)
    assert errors > 0
    assert MISSING[key] in banner(evaluator)
    shown = answer_block(evaluator)
    assert shown
    assert [value for value in shown if value != "-"] == []


@pytest.mark.slow
def test_with_all_of_them_the_answer_stands_and_no_error_is_raised() -> None:
    assert result(shipped(), "errors_count") == 0
    assert "-" not in answer_block(shipped())


# ---- the banner -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_all_checks_hold_where_nothing_is_raised() -> None:
    assert (result(shipped(), "errors_count"), result(shipped(), "alerts_count")) == (0, 0)
    assert banner(shipped()) == "All checks passed"


@pytest.mark.slow
def test_an_alert_is_named_on_the_banner() -> None:
    """One array of the three required: it does not suffice, and the card beside it lacks what serves I/O."""
    said = banner(evaluator := front({"arrays_installed": 1.0}, [{"capacity_tb": 10.0}]))
    assert result(evaluator, "errors_count") == 0
    assert "the arrays do not suffice" in said
    assert "My array 1 is incomplete" in said
    assert said.startswith(f"{result(evaluator, 'alerts_count'):g} alerts: ")
    assert "All checks passed" not in said


# ---- Compare --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_base_price_prices_no_other_array() -> None:
    """Three arrays at 100,000 USD for 1,500 desktops; the others keep what they had."""
    priced, before = front({"array_price": 100000.0}), ranked(shipped(), "cost")
    assert ranked(priced, "cost") == [pytest.approx(3 * 100000 / 1500), *before[1:]]
    assert set(before) == {"enter a quote", ""}


@pytest.mark.slow
def test_checked_designs_come_before_at_least_before_unfilled_cards() -> None:
    evaluator = shipped()
    order = sorted(zip(*(ranked(evaluator, key) for key in ("place", "state", "count")), strict=True))
    states = [state for _, state, _ in order]
    assert states == ["fully checked"] + ["at least"] * 5 + ["fill its card"] * 2
    counts = [count for _, state, count in order if state == "at least"]
    assert counts == sorted(counts)
    assert len(set(counts)) > 2


@pytest.mark.slow
def test_a_checked_card_of_more_arrays_stands_before_an_at_least_of_fewer() -> None:
    """HALF is checked in full, CARD leaves latency open and needs fewer: HALF first, FULL before both."""
    evaluator = front({"older_arrays": "never"}, [HALF, CARD])
    names, states = ranked(evaluator, "array"), ranked(evaluator, "state")
    place, count = (dict(zip(names, ranked(evaluator, key), strict=True)) for key in ("place", "count"))
    state = dict(zip(names, states, strict=True))
    assert (state["My array 1"], state["My array 2"]) == ("fully checked", "at least")
    assert count["My array 1"] > count["My array 2"]  # type: ignore[operator]
    assert place["My array 1"] < place["My array 2"]  # type: ignore[operator]
    both = front({}, [HALF, FULL])
    place = dict(zip(ranked(both, "array"), ranked(both, "place"), strict=True))
    assert place["My array 2"] < place["My array 1"]  # type: ignore[operator]


@pytest.mark.slow
def test_older_arrays_are_left_out_once_a_card_is_filled() -> None:
    before, after = shipped(), front({}, [FULL])
    old = [str(year).isdigit() and int(str(year)) < 2026 - 5 and name != "NetApp AFF8040" for year, name in
           zip(ranked(before, "year"), ranked(before, "array"), strict=True)]  # fmt: skip
    assert sum(old) == 4  # the papers' other arrays; the AFF A800 is of 2021
    assert "left out" not in ranked(before, "state")
    assert [state == "left out" for state in ranked(after, "state")] == old
    assert [shown == "" for shown in ranked(after, "array_shown")] == old
    always = front({"older_arrays": "always"}, [FULL])
    assert "left out" not in ranked(always, "state")


# ---- Outcome --------------------------------------------------------------------------------------

SURVIVE = ("users at work", "work without the login storm", "everything")
PAPERS: list[Inputs] = [{"array": array.name} for array in BUILT.data.arrays]
OWN: list[Inputs] = [{"array": name} for name in OWN_ARRAYS]
EVERY = [
    {"array": "NetApp AFF8040", "survive_phases": SURVIVE[n % 3], **each}
    for n, each in enumerate((*STORMS, *OWN, *PAPERS))
]
SETS = [EVERY[start : start + 8] for start in range(0, len(EVERY), 8)]
NAMES = [f"sets{n}" for n in range(len(SETS))]
REFERENCE = changed(reference_cells(), own_arrays(reference()))


@pytest.mark.slow
@pytest.mark.parametrize("sets", SETS, ids=NAMES)
def test_the_rows_after_a_failure_have_the_arrays_after_a_failure_as_their_largest(sets: Sequence[Inputs]) -> None:
    keys = ("ratio_failover", "ratio_after_failure", *(f"after_{key}" for key in AFTER))
    designs: list[Inputs] = [{**each, "failover": "yes"} for each in sets]
    for bought, total, *rows in answers(reference(), REFERENCE, designs, *keys):
        assert bought == pytest.approx(total)
        assert max(map(number, rows)) == pytest.approx(total)


@pytest.mark.slow
@pytest.mark.parametrize("sets", SETS, ids=NAMES)
@pytest.mark.parametrize(("failover", "room"), [("no", "room_normal"), ("yes", "room_after_failure")])
def test_room_is_what_still_fits_where_that_is_bought(sets: Sequence[Inputs], failover: str, room: str) -> None:
    """Told in another way: `desktops_at_limit` counts a failure only if arrays are bought for it; 0 = nothing fits."""
    designs: list[Inputs] = [{**each, "failover": failover} for each in sets]
    compared = 0
    for more, limit, fits, surviving in answers(
        reference(), REFERENCE, designs, room, "desktops_at_limit", "headroom_desktops", "surviving_ratio"
    ):
        if limit != 0 and (failover == "no" or surviving != 0):
            assert more == fits
            compared += 1
    assert compared > 0


ASKS = ("enter a", "enter the", "fill its card", "Enter ", "Choose ", "fill My ")  # words that ask for typing
LEADS = {
    "enter a quote": "array_price",
    "enter a rating": "card",
    "fill its card": "card",
    "enter the figures": asks.LOAD,
}


def asked(evaluator: Evaluator, sheet: str) -> dict[str, str]:
    """Return the text of every cell of a front sheet that asks for typing, where people read."""
    last = 19 if sheet == "Compare" else 60
    cells = [cell for row in BUILT.workbook[sheet].iter_rows(min_row=FIRST_ROW, max_row=last) for cell in row]
    shown = {cell.coordinate: evaluator.value(Address(sheet, cell.row, cell.column)) for cell in cells if cell.value}
    return {at: text for at, text in shown.items() if isinstance(text, str) and any(each in text for each in ASKS)}


def targets(sheet: str, at: str) -> list[tuple[str, str]]:
    """Return where the links of a cell and of the label of its row lead."""
    ws = BUILT.workbook[sheet]
    links = [cell.hyperlink for cell in (ws[at], ws.cell(ws[at].row, 1)) if cell.hyperlink]
    ends = [str(link.location).rpartition("!") for link in links]
    return [(home.strip("'"), cell) for home, _, cell in ends]


def key_of(home: str, cell: str) -> str:
    """Return what is typed in a cell: the key of an input, `card` for an array's card, `own` for own rows."""
    row = BUILT.workbook[home][cell].row
    starts = {at: key for key, at in BUILT.layout.start.items()} if home == ANSWER else {}
    rows = {at: key for key, (sheet, at) in BUILT.layout.inputs.items() if sheet == home}
    return {**rows, **starts}.get(row, "card" if home == "My arrays" else "own")


@pytest.mark.slow
@pytest.mark.parametrize("sheet", [ANSWER, "Compare", "Summary"])
@pytest.mark.parametrize(
    "design",
    [
        {},
        {"desktops": None},
        {"array": "Dell EqualLogic PS6010XVS"},
        {"array": "My array 1"},
        {"profile": "Task worker PVS (EQL 2012)"},
    ],
    ids=str,
)
def test_whatever_asks_for_typing_leads_to_the_open_cell_it_names(design: Design, sheet: str) -> None:
    found = asked(front(design), sheet)
    assert found or (sheet, design) == ("Compare", {"desktops": None})  # where nothing is compared
    for at, text in found.items():
        ends = [(home, cell) for home, cell in targets(sheet, at) if not BUILT.workbook[home][cell].protection.locked]
        assert ends, f"{sheet}!{at} asks for typing and leads to no open cell: {text}"
        wanted = next((key for words, key in LEADS.items() if words in text), None)
        assert wanted in (None, *(key_of(*end) for end in ends)), (at, text, ends)


def test_a_what_if_that_asks_for_a_quote_leads_to_its_own_column() -> None:
    ws = BUILT.workbook["Compare"]
    row = next(cell.row for cell in ws["A"] if cell.value == "Storage cost per desktop")
    leads = [targets("Compare", ws.cell(row, column).coordinate)[0] for column in compare.DESIGNS]
    price = BUILT.layout.inputs["array_price"][1]
    assert leads == [BUILT.layout.typed("array_price"), *(("Inputs", f"{letter}{price}") for letter in "EFGHIJK")]


@pytest.mark.slow
def test_a_share_beyond_the_scale_is_drawn_to_its_end_and_labelled_with_its_figure() -> None:
    """One array where three are needed: its bar ends at 150 %, the label tells how far it would go."""
    head = compare.shares_row()
    evaluator = front({"arrays_installed": 1.0, "desktops": 6000.0})

    def column(letter: str) -> list[Scalar]:
        rows = range(head + 1, head + 1 + compare.SHOWN)
        return [evaluator.value(Address.from_a1(f"Compare!{letter}{row}")) for row in rows]

    names, shares, drawn = column("F"), column("G"), column("H")
    assert shares == sorted(shares, reverse=True)  # type: ignore[type-var]
    assert drawn == [min(share, 1.5) for share in shares]  # type: ignore[type-var]
    assert drawn[0] == 1.5 < shares[0]  # type: ignore[operator]
    for name, share in zip(names, shares, strict=True):
        cut = " (bar cut)" if share > 1.5 else ""  # type: ignore[operator]
        assert str(name).endswith((f", {share:.0%}{cut}", ", not checked", ", none"))


def test_a_constraint_that_is_not_checked_is_never_drawn_as_nothing_used() -> None:
    """The Kaminario's paper prints no capacity: the chart said "Capacity, 0%"."""
    head = compare.shares_row()
    evaluator = front({"array": "Kaminario K2 (one K-Block)", "provisioning": "PVS"})
    rows = range(head + 1, head + 1 + len(CONSTRAINTS) - 1)
    names = [str(evaluator.value(Address.from_a1(f"Compare!F{row}"))) for row in rows]
    assert "Capacity, not checked" in names
    assert "Patching IOPS, none" in names
    assert [name for name in names if name.endswith(", 0%") and "Capacity" in name] == []


@pytest.mark.slow
@pytest.mark.parametrize("said", [", for users at work after one failure", ", for normal operation only"])
def test_what_to_ask_a_vendor_for_says_each_figure_once_ready_to_paste(said: str) -> None:
    evaluator = front({"failover": "no" if "only" in said else "yes", "latency_limit_ms": 4.6})
    keys = ("ask_iops", "ask_mb_s", "ask_usable_tib", "overall_reduction_ratio")
    iops, moved, usable, reduced = (number(inside(evaluator, key)) for key in keys)
    read, block = (number(inside(evaluator, key)) for key in ("ask_read_ratio", "ask_block_kib"))
    assert result(evaluator, "ask_words") == (
        f"{iops:,.0f} IOPS at {read:.0%} read, {block:.0f} KiB, within 4.60 ms{said}; "
        f"{moved:,.0f} MB/s; {math.ceil(usable):,} TiB usable at {reduced:.1f}:1 reduction"
    )
    loads = [number(inside(evaluator, f"{phase}_iops")) for phase in ("boot", "login", "steady")]
    assert max(loads) <= iops < max(loads) + 100
    assert iops % 100 == moved % 100 == 0


@pytest.mark.slow
def test_an_array_says_the_year_of_its_paper_a_card_that_it_is_yours_or_to_be_filled() -> None:
    evaluator = front({"older_arrays": "always"}, [FULL])
    told = dict(zip(ranked(evaluator, "array"), ranked(evaluator, "year_words"), strict=True))
    assert (told["My array 1"], told["My array 2"]) == ("your own", "fill its card")
    years = {name: words for name, words in told.items() if not str(name).startswith("My ")}
    papers = {array.name: f"{number(array.values['year'].value):.0f}" for array in BUILT.data.arrays}
    assert years == {name: papers[str(name)] for name in years}


NODE = {"hci_node": 1.0, "least_nodes": 3.0, "nodes_lost": 1.0, "node_raw_gb": 20000.0, "system_share_ratio": 0.1,
        "protection_ratio": 2.0, "vms_per_node": 110.0, "read_equivalent_iops": 60000.0}  # fmt: skip


def labels(evaluator: Evaluator, sheet: str, columns: str, last: int) -> str:
    """Return the texts of some columns, one after the other."""
    ws = BUILT.workbook[sheet]
    cells = [ws[f"{column}{row}"] for column in columns for row in range(FIRST_ROW, last)]
    return "; ".join(str(evaluator.value(Address(sheet, cell.row, cell.column))) for cell in cells if cell.value)


@pytest.mark.slow
def test_a_hyperconverged_design_speaks_of_nodes() -> None:
    evaluator, arrays = front({"array": "My array 1"}, [NODE]), front()
    assert "Nodes needed; " in labels(evaluator, ANSWER, "F", 16)
    assert "all nodes" in labels(evaluator, ANSWER, "F", 16)
    assert "Quote for one node" in labels(evaluator, ANSWER, "A", 16)
    assert "rray" not in labels(evaluator, ANSWER, "F", 15)
    assert "Arrays or nodes in normal operation" in labels(evaluator, "Compare", "A", 20)
    assert ranked(evaluator, "normal")[0] == "at least 14 nodes"
    assert result(evaluator, "limited_by_after_failure") == result(evaluator, "limited_by_normal") == "VMs per node"
    assert result(evaluator, "share_used_after_failure") == result(evaluator, "share_used_normal")
    assert inside(evaluator, "need_after_failure") == inside(evaluator, "ratio_normal") == pytest.approx(1500 / 110)
    assert "ode" not in labels(arrays, ANSWER, "AF", 16) + labels(arrays, "Compare", "A", 20)
    assert ranked(arrays, "normal")[0] == "2"


def test_every_link_of_answer_leads_to_a_cell_where_something_is_typed_or_worked_out() -> None:
    ws = BUILT.workbook["Answer"]
    links = {cell.coordinate: cell.hyperlink.location for row in ws.iter_rows() for cell in row if cell.hyperlink}
    sheets = {location.rpartition("!")[0].strip("'") for location in links.values()}
    assert {"Answer", "Inputs", "More inputs", "My arrays"} <= sheets <= set(BUILT.workbook.sheetnames)
    for place, location in links.items():
        sheet, _, cell = location.rpartition("!")
        target = BUILT.workbook[sheet.strip("'")][cell]
        assert target.value is not None or not target.protection.locked, (place, location)
