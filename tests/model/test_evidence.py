"""The Evidence sheet: enough of it, honest kinds, verdicts that notice a broken formula and a drifting miss."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from addin.kernel import Address, Cells, Evaluator, Scalar
from model.layout.grid import FIRST_PUBLISHED, FIRST_ROW
from model.reading.proof import Evidence
from model.sheets.proof import evidence
from model.workbook import Built
from tests.support.tracing import Tracer, facts_behind, printed_behind, typed_cells

COMPUTED, VERDICT = (evidence.column(heading) for heading in ("Ours", "Verdict"))


@pytest.fixture(scope="module")
def computed(built: Built, cells: Cells) -> dict[str, Scalar]:
    return column(built, cells, COMPUTED)


@pytest.fixture(scope="module")
def verdicts(built: Built, cells: Cells) -> dict[str, Scalar]:
    return column(built, cells, VERDICT)


def column(built: Built, cells: Cells, number: int) -> dict[str, Scalar]:
    """Return one column of the Evidence sheet by row id."""
    evaluator = Evaluator(cells)
    return {
        item.id: evaluator.value(Address(evidence.NAME, row, number))
        for row, item in enumerate(built.data.evidence, FIRST_ROW)
    }


def row_of(built: Built, fact_id: str, reference: str) -> Evidence:
    """Return the row that holds a fact against one of our results."""
    return next(i for i in built.data.evidence if fact_id in (i.low, i.high) and i.ours.startswith(reference))


def test_there_are_enough_results_over_all_papers(built: Built) -> None:
    rows = built.data.evidence
    reproduced = [item for item in rows if item.kind == "reproduced"]
    assert len(rows) >= 80
    assert {item.paper for item in rows} == set(built.data.facts.sources)
    assert len(reproduced) >= 15
    assert len({item.paper for item in reproduced}) >= 4


def test_enough_reproduced_results_agree(built: Built, verdicts: dict[str, Scalar]) -> None:
    """The paper's own sums, wide bounds and calibrated figures are not among them: those agree by nature."""
    agreeing = [item for item in built.data.evidence if item.kind == "reproduced" and verdicts[item.id] == "agrees"]
    assert len(agreeing) >= 10
    assert len({item.paper for item in agreeing}) >= 4


def test_no_result_differs(built: Built, cells: Cells, verdicts: dict[str, Scalar]) -> None:
    assert [id for id, verdict in verdicts.items() if verdict not in ("agrees", "known miss")] == []
    assert Evaluator(cells).value(Address.from_a1("!".join(evidence.differs_cell()))) == 0


def test_a_known_miss_lies_outside_what_the_paper_prints(built: Built) -> None:
    for item in built.data.evidence:
        low, high = evidence.printed(item, built.data)
        assert low <= high, item.id
        if item.pin is not None:
            assert not low <= item.pin <= high, f"{item.id} agrees by now: remove the pin"


def test_a_known_miss_never_accepts_what_would_agree(built: Built) -> None:
    for item in built.data.evidence:
        if item.pin is not None:
            (low, high), (least, most) = evidence.printed(item, built.data), evidence.accepted(item, built.data)
            assert least <= item.pin <= most, item.id
            assert most < low or least > high, item.id


def test_pins_hold_our_value_to_five_digits(built: Built, computed: dict[str, Scalar]) -> None:
    for item in built.data.evidence:
        if item.pin is not None:
            assert computed[item.id] == pytest.approx(item.pin, rel=5e-5), item.id


RULES = {"exact": "exact", "approx": "approx", "lt": "lt", "gt": "gt"}  # the rest are ends of a range


def test_the_rule_is_the_one_the_paper_prints(built: Built) -> None:
    for item in built.data.evidence:
        for id in filter(None, (item.low, item.high)):
            assert item.rule == RULES.get(built.data.facts.fact(id).qualifier, "range"), f"{item.id}: {id}"
        if item.rule in ("exact", "approx"):
            assert item.low == item.high, item.id
        elif item.rule in ("lt", "gt"):
            assert (item.low, item.high)[item.rule == "gt"] == "", item.id
        else:
            ends = {"range_low": "low", "at_least": "low", "range_high": "high"}
            for end in ("low", "high"):
                if id := getattr(item, end):
                    assert ends[built.data.facts.fact(id).qualifier] == end, item.id


CITED = r"\b[A-Z][A-Z0-9]+-\d{2,3}\b"


def test_notes_cite_what_exists_and_say_what_it_means(built: Built) -> None:
    known = {*built.data.facts.facts, *built.data.facts.discrepancies}
    for item in built.data.evidence:
        assert set(re.findall(CITED, item.note)) <= known, item.id
        assert not item.note or len(re.sub(CITED, "", item.note).split()) > 2, f"{item.id}: {item.note!r}"


def test_a_known_miss_names_the_figure_or_the_contradiction_behind_it(built: Built) -> None:
    for item in built.data.evidence:
        assert item.pin is None or re.search(CITED, item.note), f"{item.id}: {item.note!r}"


def test_nothing_is_listed_twice(built: Built) -> None:
    seen = Counter((item.low, item.high, item.ours) for item in built.data.evidence)
    assert [key for key, count in seen.items() if count > 1] == []


# ---- a broken formula turns rows red ----------------------------------------------------------


def broken(built: Built, cells: Cells, key: str, change: str) -> Cells:
    """Return the workbook with the formula of one line changed in every column."""
    sheet, row = built.layout.lines[key]
    values = dict(cells.values)
    for col in built.layout.columns:
        text = values[Address(sheet, row, col)]
        assert isinstance(text, str)
        values[Address(sheet, row, col)] = change.replace("{}", text[1:])
    return Cells(values, cells.names, cells.sheets)


BREAKS = [
    ("hosts_required", "=ROUNDDOWN({},0)-1"),
    ("desktop_gib", "=({})*1.1"),
    ("pool_images_gib", "=({})+1"),
    ("desktops_by_capacity_exact", "=({})*0.9"),
    ("capacity_required_gib", "=({})*1.03"),
    ("desktops_per_datastore", "=({})*1.1"),
    ("free_ratio", "=({})*0.9"),
    ("arrays_required", "=({})+1"),
    ("login_reads_left_ratio", "=({})*0.8"),
    ("demonstrated_supply", "=({})*0.8"),
    ("steady_iops", "=({})*1.005"),
    ("throughput_login", "=({})*1.1"),
    ("ratio_boot", "=({})*1.01"),
    ("supply_boot", "=({})*0.75"),
    ("reduction_saved_gib", "=({})*0.97"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("key", "change"), BREAKS, ids=[key for key, _ in BREAKS])
def test_a_broken_formula_turns_rows_red(built: Built, cells: Cells, key: str, change: str) -> None:
    verdicts = column(built, broken(built, cells, key, change), VERDICT)
    red = [item for item in built.data.evidence if verdicts[item.id] == "DIFFERS"]
    assert red, f"nobody notices {key}"
    assert any("@" in item.ours for item in red), "only sums that no user runs through turn red"


def test_a_miss_that_drifts_by_one_percent_turns_red(built: Built, cells: Cells) -> None:
    drifted: dict[Address, Scalar] = {}
    for row, item in enumerate(built.data.evidence, FIRST_ROW):
        if item.pin is not None:
            printed = built.data.facts.value(item.high or item.low, item.unit)
            away = 1.01 if item.pin > printed else 0.99
            drifted[Address(evidence.NAME, row, COMPUTED)] = item.pin * away
    verdicts = column(built, cells.with_values(drifted), VERDICT)
    assert len(drifted) > 15
    assert {verdicts[item.id] for item in built.data.evidence if item.pin is not None} == {"DIFFERS"}


PRINTED = [  # row, what the paper prints: the tolerance follows from its digits
    ("E003", 149.5, 150.5),  # "150 GB"
    ("E018", 4274.5, 4725.5),  # "around 4500": half a digit and 5 %
    ("E020", 6.5, 8.5),  # "7-8"
]


@pytest.mark.parametrize(("id", "low", "high"), PRINTED, ids=[id for id, *_ in PRINTED])
def test_the_accepted_range_is_the_printed_precision(built: Built, id: str, low: float, high: float) -> None:
    item = next(i for i in built.data.evidence if i.id == id)
    assert evidence.printed(item, built.data) == pytest.approx((low, high))


@pytest.mark.parametrize(("id", "limit"), [("E061", "ICA-009"), ("E114", "K2-006")])
def test_over_and_under_leave_the_printed_figure_out(built: Built, cells: Cells, id: str, limit: str) -> None:
    number, item = next((n, i) for n, i in enumerate(built.data.evidence) if i.id == id)
    value = built.data.facts.value(limit, item.unit)
    at = cells.with_values({Address(evidence.NAME, FIRST_ROW + number, COMPUTED): value})
    assert Evaluator(at).value(Address(evidence.NAME, FIRST_ROW + number, VERDICT)) == "DIFFERS"


def test_errors_and_texts_never_agree(built: Built, cells: Cells) -> None:
    """A result that turns into an error value must not count as agreement."""
    row = FIRST_ROW
    sheet, cell = evidence.computed_cell(built.data, built.layout, built.data.evidence[0].ours)
    values = {**cells.values, Address.from_a1(f"{sheet}!{cell}"): "=1/0"}
    verdict = Evaluator(Cells(values, cells.names, cells.sheets)).value(Address(evidence.NAME, row, VERDICT))
    assert verdict != "agrees"


@pytest.mark.parametrize(
    ("value", "error"), [(0.25, -1 / 6), (0.31, 1 / 30), (0.34, 2 / 15), (0.36, -0.1), (0.5, 0.25)]
)
def test_the_nearer_end_of_a_printed_range_counts(built: Built, cells: Cells, value: float, error: float) -> None:
    number, item = next((n, i) for n, i in enumerate(built.data.evidence, FIRST_ROW) if i.id == "E051")
    assert (item.low, item.high) == ("ICA-063", "ICA-064")  # 30 to 40 %
    at = cells.with_values({Address(evidence.NAME, number, COMPUTED): value})
    difference = Evaluator(at).value(Address(evidence.NAME, number, evidence.column("Difference")))
    assert difference == pytest.approx(error)


# ---- contradictions inside a paper are no evidence for or against a model ------------------------

DOCUMENT = Path(__file__).parents[2] / "docs" / "evidence.md"
MOVED = re.findall(
    r"^\| (E\d{3}) \| ([A-Z0-9]+-\d{3}) \| ([A-Z0-9]+-\d\d) \|", DOCUMENT.read_text(encoding="utf-8"), re.M
)


def test_every_contradiction_that_left_evidence_is_listed() -> None:
    assert len(MOVED) == len({id for id, *_ in MOVED}) == 30


@pytest.mark.parametrize(("id", "printed", "discrepancy"), MOVED, ids=[id for id, *_ in MOVED])
def test_a_contradiction_stands_on_discrepancies_and_not_on_evidence(
    built: Built, id: str, printed: str, discrepancy: str
) -> None:
    facts = built.data.facts
    assert id not in {item.id for item in built.data.evidence}
    assert facts.group(printed) & set(facts.discrepancies[discrepancy].fact_ids)


def test_the_document_counts_what_the_sheet_counts(built: Built, verdicts: dict[str, Scalar]) -> None:
    """Every kind with its verdicts, in docs/evidence.md and in one line of docs/proof.md."""
    counts = Counter((item.kind, verdicts[item.id]) for item in built.data.evidence)
    text = DOCUMENT.read_text(encoding="utf-8")
    for kind in ("reproduced", "input", "consistency"):
        agrees, misses = counts[kind, "agrees"], counts[kind, "known miss"]
        assert f"| {kind} | {agrees + misses} | {agrees} | {misses} |" in text
    agrees, misses = counts["reproduced", "agrees"], counts["reproduced", "known miss"]
    readme = " ".join((DOCUMENT.parent / "proof.md").read_text(encoding="utf-8").split())
    assert f"{agrees + misses} reproduced: {agrees} agree, {misses} are known misses" in readme
    rest = {verdict: sum(counts[kind, verdict] for kind in ("input", "consistency")) for verdict in evidence.VERDICTS}
    total = rest["agrees"] + rest["known miss"]
    assert f"{total} inputs and sums: {rest['agrees']} agree, {rest['known miss']} are known misses" in readme


# ---- reproduced means: from other figures -----------------------------------------------------


def test_reproduced_results_rest_on_other_figures(built: Built, tracer: Tracer) -> None:
    rows = [item for item in built.data.evidence if item.kind == "reproduced"]
    circular = {item.id: sorted(figures) for item in rows if (figures := printed_behind(built, tracer, item))}
    assert circular == {}


def test_reproduced_results_come_from_the_rows_users_run_through(built: Built, tracer: Tracer) -> None:
    """Sums recompute a paper's own arithmetic; one that gives its calibration back is called an input."""
    for item in built.data.evidence:
        assert item.kind != "reproduced" or "@" in item.ours, item.id
        if item.ours.startswith("sum:"):
            assert item.kind == ("input" if printed_behind(built, tracer, item) else "consistency"), item.id


CIRCULAR = [
    ("EQL-088", "steady_iops@EQL 1 array", "EQL-088"),  # the profile is this total over the desktops
    ("CML-087", "hosts_required", "CML-087"),  # desktops per host were derived from the hosts
    ("ICA-034", "login_iops", "ICA-034"),  # through the cache table on Lists
    ("NTP-172", "login_iops", "NTP-172"),
    ("NTP-153", "utilisation_boot", "NTP-153"),  # through the fitted capacity on Arrays
    ("K2-059", "logoff_iops", "K2-059"),
]


@pytest.mark.parametrize(("fact_id", "reference", "figure"), CIRCULAR, ids=[f"{a}-{b}" for a, b, _ in CIRCULAR])
def test_the_tracer_finds_a_figure_that_comes_back(
    built: Built, tracer: Tracer, fact_id: str, reference: str, figure: str
) -> None:
    assert figure in printed_behind(built, tracer, replace(row_of(built, fact_id, reference), kind="reproduced"))


def test_the_tracer_follows_only_the_array_that_is_used(built: Built, tracer: Tracer) -> None:
    """A catalogue row holds every array's figure; only the chosen one counts."""
    sheet, cell = built.layout.cell("usable_gib", "EQL 1 array")
    behind = facts_behind(tracer, typed_cells(built), Address.from_a1(f"{sheet}!{cell}"))
    assert behind == {"EQL-263"}


def test_the_tracer_follows_only_the_branch_that_is_taken(built: Built, tracer: Tracer) -> None:
    """A published column never inherits, so the base design is not behind it, but the one currency of all designs."""
    currency = Address.from_a1("!".join(built.layout.typed("currency")))
    for key in ("logical_gib", "arrays_required", "cost_per_desktop"):
        sheet, cell = built.layout.cell(key, "NTP 1500 desktops")
        typed = tracer.typed(Address.from_a1(f"{sheet}!{cell}")) - {currency}
        assert {a.column for a in typed if a.sheet == "Inputs"} == {built.layout.column("NTP 1500 desktops")}
        assert "Answer" not in {a.sheet for a in typed}
        assert FIRST_PUBLISHED not in {a.column for a in typed if a.sheet == "Inputs"}
