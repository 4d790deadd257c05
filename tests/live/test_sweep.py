"""What an input moves: the values of a sweep lie within its limits, and each result is the kernel's."""

from __future__ import annotations

import json

import pytest

from tests.live.test_entries import ASSETS
from tests.support.javascript import node, same, scalar

pytestmark = pytest.mark.slow
OWN = "".join((ASSETS / f"{name}.js").read_text(encoding="utf-8") for name in ("format", "model", "changes", "sweep"))
RESULTS = ("arrays_used", "ratio_largest", "binding_constraint", "boot_minutes", "login_latency_ms", "cost_per_desktop")
GIVEN = {"array_price": 210000.0, "latency_limit_ms": 4.0}
SWEPT = ("desktops", "growth_ratio", "latency_limit_ms", "array_price", "years", "users_per_vm")


@pytest.fixture(scope="module")
def found(program):
    """Of each input the values and the results of its sweep, and the design afterwards."""
    code, data = program
    return node(f"""{code}
const DATA={json.dumps(data)};
{{{OWN}
const told = value => value instanceof Fault ? {{ error: value.text }} : value, all = {{}};
for (const [key, value] of Object.entries({json.dumps(GIVEN)})) entries[numberOf.get(key)] = value;
compute();
const before = JSON.stringify(V.map(told));
for (const key of {json.dumps(SWEPT)}) {{
  const n = numberOf.get(key), work = sweep(n, valuesOf(INPUTS[n], entries[n]));
  let step;
  do step = work.next(); while (!step.done);
  all[key] = step.value.map(({{ value, results: got }}) => [value, {json.dumps(RESULTS)}.map(each => told(got[each]))]);
}}
all.kept = before === JSON.stringify(V.map(told));
process.stdout.write(JSON.stringify(all));
}}""")


@pytest.mark.parametrize("key", SWEPT)
def test_each_value_of_a_sweep_has_the_results_of_the_kernel(book, found, key):
    given = {book.entry(name).address: value for name, value in GIVEN.items()}
    item, points = book.entry(key), found[key]
    for value, told in (points[0], points[len(points) // 3], points[-1]):
        wanted = book.evaluate({**given, item.address: float(value)}, RESULTS)
        for name, result in zip(RESULTS, told, strict=True):
            assert same(scalar(result), wanted[name]), (key, value, name, result, wanted[name])


def test_the_values_are_permitted_and_the_present_one_is_among_them(book, found):
    for key in SWEPT:
        item, values = book.entry(key), [value for value, _ in found[key]]
        present = GIVEN.get(key, book.held(item))
        assert all(item.within(float(value)) for value in values), key
        assert values == sorted(set(values))
        assert present is None or present in values
        assert 7 <= len(values) <= 22
    assert [value for value, _ in found["years"]] == [1, 2, 3, 4, 5, 6, 7], "whole years"
    assert (found["desktops"][0][0], found["desktops"][-1][0]) == (750, 3000), "half and twice"
    assert (found["growth_ratio"][0][0], found["growth_ratio"][-1][0]) == (0, 1), "of a share up to all of it"
    assert (found["users_per_vm"][0][0], found["users_per_vm"][-1][0]) == (1, 1000), "of a blank all of its range"


def test_a_sweep_leaves_the_design_as_it_is(found):
    assert found["kept"]
