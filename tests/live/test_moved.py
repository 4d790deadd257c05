"""A change computes the cells that it moves, and they hold what computing everything gives."""

from __future__ import annotations

import json
import random

import pytest

from tests.live.test_entries import OWN
from tests.support.javascript import node

pytestmark = pytest.mark.slow
WALK = """
const rest = [];
compute();
for (const change of CHANGES) {
  for (const [key, value] of change) entries[INPUTS.findIndex(input => input.key === key)] = value;
  const count = compute(), mine = V.slice();
  V = V.slice();
  run(EVERYTHING);
  const unequal = V.findIndex((value, n) => !Object.is(value, mine[n]));
  if (unequal >= 0) rest.push([change, unequal]);
  V = mine;
  counts.push(count);
}
process.stdout.write(JSON.stringify([rest, counts]));
"""


def walked(program, changes, data=None):
    """Return the changes after which a cell is not as it would be, and how many cells each computed."""
    code, own = program
    told = json.dumps(data or own)
    return node(f"{code}\nconst DATA={told};\n{{{OWN}\nconst counts = [], CHANGES = {json.dumps(changes)};{WALK}}}")


@pytest.fixture(scope="module")
def changes(book):
    """A walk through all inputs: one at a time in any order, some of them two or three at once."""
    chance = random.Random(11)
    keys = list(book.entries)
    chance.shuffle(keys)
    walk = []
    for key in keys[:300] + [item.key for item in book.inputs.values() if item.linked] * 3:
        item, more = book.entry(key), []
        for each in (item, *(book.entry(other) for other in chance.sample(keys, chance.choice((0, 0, 1, 2))))):
            if each.choices:
                more.append((each.key, chance.choice(each.choices)))
            elif not each.text and each.minimum is not None and each.maximum is not None:
                value = chance.choice((each.minimum, each.maximum, (each.minimum + each.maximum) / 2))
                more.append((each.key, float(int(value)) if each.integer or each.unit == "date" else value))
        walk.append(more)
    return walk


def test_a_walk_through_the_inputs_leaves_every_cell_as_computing_all_of_them_does(program, changes):
    wrong, counts = walked(program, changes)
    assert wrong == []
    assert len(counts) > 300


def test_a_cell_that_is_left_out_is_noticed(program, changes):
    data = program[1]
    spoilt = {**data, "moved": [0 if n % 5 == 0 else mask for n, mask in enumerate(data["moved"])]}
    assert walked(program, changes[:40], spoilt)[0]


def test_a_price_computes_a_tenth_of_the_cells_and_no_change_computes_none(program, book):
    everything = walked(program, [[(key, book.cells.constant(book.inputs[key].address))] for key in ("desktops",)])
    assert everything == [[], [0]]
    _, (price,) = walked(program, [[("array_price", 210000)]])
    _, (users,) = walked(program, [[("desktops", 2200)]])
    assert 0 < price < users / 5
