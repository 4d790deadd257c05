"""A number opened on the page has the chain that `explain` gives: cells, names, values, formulas, in that order."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from addin.kernel import Address, Scalar
from addin.sizing.answers import MOST_STEPS, Step, basis, steps
from addin.sizing.labels import named
from tests.live.test_entries import ASSETS
from tests.sizing.test_labels import TASK, on_lists
from tests.support.javascript import chains_of, node, plain, same, scalar

pytestmark = pytest.mark.slow
OWN = "".join(
    (ASSETS / f"{name}.js").read_text(encoding="utf-8") for name in ("format", "model", "changes", "chains", "words")
)
DEPTH, EVERY = 2, 15  # how deep a chain is followed, and which of the shown numbers are
WALK = f"""
const told = value => value instanceof Fault ? {{ error: value.text }} : Object.is(value, -0) ? 0 : value;
function chainOf(first) {{
  const taken = [], seen = new Set();
  const walk = (id, level) => {{
    const parts = formulaOf(id), again = parts !== null && seen.has(id), {{ label, unit, basis }} = besideOf(id);
    taken.push([level, a1(id), label, told(valueOf(id)), parts && formulaText(parts), again, basis, inputOf(id) >= 0]);
    if (!parts || again || level === {DEPTH}) return;
    seen.add(id);
    for (const source of sourcesOf(parts)) if (taken.length < {MOST_STEPS}) walk(source, level + 1);
  }};
  walk(first, 0);
  return taken;
}}
const blocks = Object.values(DATA.blocks).flatMap(block => block.lines.flatMap(line => line.values));
const positions = [...new Set([...blocks, ...Object.values(RESULTS).map(({{ at }}) => at)])];
const shownAt = () => positions.filter(at => valueAt(at) !== null); // what is blank is not shown
"""
CHANGES: dict[str, Scalar] = {
    "desktops": 2200.0,
    "failover": "no",
    "array": "Dell Compellent SC8000",
    "users_per_vm": 4.0,
    "growth_ratio": 0.15,
    "capacity_headroom_ratio": None,
    "array_price": 210000.0,
    "My array 1.iops": 90000.0,
    "My profile 1.block_kib": 16.0,
}


@pytest.fixture(scope="module", params=["as saved", "changed"])
def design(request, book):
    """A book and the values that its page is given."""
    given = CHANGES if request.param == "changed" else {}
    typed = {book.entry(key).address: value for key, value in given.items()}
    return (replace(book, cells=book.cells.with_values(typed)) if typed else book), given


def asked(live: bytes, program: tuple[str, dict[str, Any]], given: object, expression: str) -> Any:
    """Return what an expression of the page's own script comes to, for a design with other values."""
    code, data = program
    return node(f"""{code}
const DATA={json.dumps(data)};
{chains_of(live.decode())}
{{{OWN}{WALK}
for (const [key, value] of Object.entries({json.dumps(given)})) entries[numberOf.get(key)] = value;
compute();
process.stdout.write(JSON.stringify({expression}));
}}""")


def alike(step: Step, told: list[Any]) -> bool:
    level, a1, label, value, formula, again, source, typed = told
    wanted = (step.level, step.address.a1, step.label, step.formula, step.above)
    said = typed or source == step.basis  # an input's field says it
    return (level, a1, label, formula, again) == wanted and said and same(scalar(value), step.value, rest=1e-9)


def test_shown_numbers_open_the_chains_of_explain(live, program, design):
    book, given = design
    found = asked(live, program, given, f"shownAt().filter((_, n) => n % {EVERY} === 0).map(at => chainOf(idAt(at)))")
    assert len(found) > 30
    for chain in found:
        wanted = steps(book, Address.from_a1(chain[0][1]), depth=DEPTH)
        wrong = [(told, step) for told, step in zip(chain, wanted, strict=True) if not alike(step, told)]
        assert wrong == []
    levels = [step[0] for chain in found for step in chain]
    assert levels.count(DEPTH) > 500


def test_every_cell_behind_a_number_has_name_and_value_of_its_sheet(live, program, design):
    """All cells of all chains, down to the facts of the catalogue."""
    book, given = design
    every = "[...chains().beside.keys()].map(id => [a1(id), besideOf(id).label, told(valueOf(id))])"
    found = asked(live, program, given, every)
    assert len(found) > 40_000
    values = book.values()
    wrong = []
    for a1, label, value in found:
        at = Address.from_a1(a1)
        wanted = values.value(at)
        if label != named(book, values, at)[0] or not same(scalar(value), wanted, rest=1e-9):
            wrong.append((a1, label, value, plain(wanted)))
    assert wrong == []


def test_a_chain_ends_at_typed_cells_and_at_facts_with_their_source(live, program, book):
    ends = (
        "[...chains().beside.keys()].filter(id => !formulaOf(id)).map(id => [a1(id), inputOf(id), besideOf(id).basis])"
    )
    typed = {item.address for item in book.entries.values()}
    sourced = 0
    for a1, number, source in asked(live, program, {}, ends):
        at = Address.from_a1(a1)
        assert (number >= 0) == (at in typed), a1
        assert number >= 0 or book.cells.formula(at) is None, a1
        assert number >= 0 or source == basis(book, at), a1
        sourced += bool(source)
    assert sourced > 500


ID_OF = "(text => [...chains().beside.keys()].find(id => a1(id) === text))"


def test_a_fact_of_the_catalogue_has_its_paper(live, program, book):
    """As facts.csv has it, and every figure of the arrays of the papers has a source."""
    figures = "[...chains().beside.keys()].filter(id => /^Arrays!/.test(a1(id)) && cellOf(id).row < 64"
    login = f"Lists!D{on_lists(book, TASK, 'Login')}"
    found = asked(
        live,
        program,
        {},
        f"[besideOf({ID_OF}('Arrays!D18')).source, factsIn(['EQL-263']), besideOf({ID_OF}('{login}')).source, "
        f"{figures} && typeof valueOf(id) === 'number').map(id => besideOf(id).source)]",
    )
    assert found[0] == "EQL-263"
    paper = "Sizing and Best Practices for Deploying Citrix XenDesktop on VMware vSphere with Dell EqualLogic Storage"
    assert found[1] == [f"EQL-263: ArrayCapacity 2,540 GB, {paper}, Table 8 (line 778)"]
    assert found[2] == "EQL-145 / EQL-055"
    assert len(found[3]) > 100
    assert all(found[3])


def test_what_index_takes_is_marked(live, program):
    """Of the arrays the one chosen, NetApp AFF8040 in column I: by number, and in the row that has the label."""
    taken = "[...takenBy(formulaOf({}('{}')))].map(id => [a1(id), told(valueOf(id))])"
    label, number = (taken.format(ID_OF, cell) for cell in ("Performance!D132", "Performance!D44"))
    assert asked(live, program, {}, label) == [["'All arrays'!I34", 3100]]
    assert [cell for cell, _ in asked(live, program, {}, number)] == ["'All arrays'!I51", "'All arrays'!I55"]
    dell = {"array": "Dell EqualLogic PS6010XVS"}
    assert asked(live, program, dell, label)[0][0] == "'All arrays'!D34"


def test_a_formula_is_written_with_labels_in_place_of_cells(live, program):
    """Typed by hand from the labels of the sheets."""
    first = "wordsOf(formulaOf(idAt(RESULTS.{}.at)))"
    capacity = "\u201cUsable after headroom, where what is stored is known\u201d"
    wanted = {
        "arrays_required": "= MAX(1 \u2212 \u201cNothing is on an array\u201d, ROUNDUP(\u201cArrays needed, "
        "unrounded\u201d, 0)) + \u201cNodes that may be lost\u201d",
        "ratio_capacity": f"= IF({capacity} > 0, \u201cCapacity required\u201d \u00f7 {capacity}, CHOOSE(1 + "
        "SIGN(\u201cCapacity required\u201d + \u201cStored size or data reduction is unknown\u201d), 0, "
        "\u201cA figure neither published nor entered\u201d))",
        "ratio_largest": "= MAX(0, \u201cCapacity\u201d to \u201cAfter one failure\u201d (16 cells))",
    }
    assert asked(live, program, {}, f"[{','.join(first.format(key) for key in wanted)}]") == [
        text.removeprefix("= ") for text in wanted.values()
    ]


def test_signs_and_texts_of_a_formula_stay_what_they_are(live, program):
    parts = '["=-",{areas:[[0,1,1,1,1]],text:"A1"},\'-(1-2)*-3&"a,b<=-c"&IF(B\',{areas:[],text:"x"},"<=0,,9%)"]'
    told = asked(live, program, {}, f"inPieces({parts}).map(each => each.reference ? 'REF' : each).join('')")
    assert told == '\u2212REF \u2212 (1 \u2212 2) \u00d7 \u22123 & "a,b<=-c" & IF(BREF \u2264 0, , 9%)'
