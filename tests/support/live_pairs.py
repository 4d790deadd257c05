"""Pairs of designs: the bridge that a page computes against that of `diff`.

The long run: python -m tests.support.live_pairs 100
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from addin.diff.bridge import bridge, wanted
from addin.diff.compared import compare
from addin.live import page
from addin.workbook.book import SizingBook, open_book
from addin.workbook.item import Item
from tests.support.javascript import node, program_of
from tests.support.live_sets import SHIPPED

HEADLINE = ("npv", "cost_per_desktop", "arrays_required")
Design = Mapping[str, float | str]
QUOTED: Design = {"array_price": 210000, "installation_cost": 8000}
_MOST_CHANGED = 4


@dataclass
class Bridges:
    """How many bridges were equal, how many both refused, and what differs in words."""

    equal: int
    refused: int
    wrong: list[str]


def changed(book: SizingBook, settings: Design) -> SizingBook:
    """Return a book with other inputs."""
    texts = [f"{key}={value}" for key, value in settings.items()]
    return replace(book, cells=book.cells.with_values(book.settings(texts)))


def pairs(book: SizingBook, count: int, seed: int = 1) -> list[tuple[Design, Design]]:
    """Return pairs that differ in one to four inputs of the base design, each within its limits."""
    chance = random.Random(seed)
    items = [item for item in book.inputs.values() if not item.text and _value(item, chance) is not None]
    return [(QUOTED, _drawn(chance, items)) for _ in range(count)]


def _drawn(chance: random.Random, items: Sequence[Item]) -> Design:
    found: dict[str, float | str] = {}
    for item in chance.sample(items, chance.randint(1, _MOST_CHANGED)):
        value = _value(item, chance)
        assert value is not None
        found[item.key] = value
    return found


def _value(item: Item, chance: random.Random) -> float | str | None:
    """Return a value of an input, a number from the lower fifth of its range, where designs are; None without one."""
    if item.choices:
        return chance.choice(item.choices)
    if item.minimum is None or item.maximum is None or item.unit in ("date", "clock"):
        return None
    value = item.minimum + (item.maximum - item.minimum) * 0.2 * chance.random()
    return float(math.ceil(value)) if item.integer else float(f"{value:.3g}")


def bridges(
    book: SizingBook, program: tuple[str, dict[str, Any]], own: str, of: Sequence[tuple[Design, Design]]
) -> Bridges:
    """Compute the bridges of pairs here and by the scripts `own` of a page, and compare them."""
    code, data = program
    sides = [(first, {**first, **second}) for first, second in of]
    theirs = node(f"""{code}
const DATA={json.dumps(data)};
{{{own}
const side = inputs => INPUTS.map(({{ key, saved }}) => key in inputs ? inputs[key] : saved);
process.stdout.write(JSON.stringify({json.dumps(sides)}.map(pair => {{
  const [from, to] = pair.map(side), mixed = mixes(from, to);
  INPUTS.forEach((_, n) => {{ entries[n] = to[n]; }});
  compute();
  return DATA.bridges.map(each => {{
    const work = bridge(each, from, to, mixed);
    for (;;) {{ const {{ done, value }} = work.next(); if (done) return value; }}
  }});
}})));
}}""")
    found = Bridges(0, 0, [])
    for (first, second), got in zip(sides, theirs, strict=True):
        # results that no bridge reads are left out
        differences = compare(changed(book, first), changed(book, second), outcomes=False)
        for key, each in zip(HEADLINE, got, strict=True):
            wish = bridge(differences, wanted(differences, [key])[0], lambda done, total: None)
            told = _unlike(wish, each)
            if told:
                found.wrong.append(f"{second}, {key}: {told}")
            elif wish.refusal:
                found.refused += 1
            else:
                found.equal += 1
    return found


def _unlike(wish: Any, got: Mapping[str, Any]) -> str:
    """Return how a bridge of the page differs from that of `diff`, empty where it does not."""
    if bool(got.get("refusal")) != bool(wish.refusal):
        return f"the page says {got.get('refusal')!r}, diff {wish.refusal!r}"
    if wish.refusal:
        return ""
    bars = [(bar.key or bar.label, bar.amount) for bar in wish.bars]
    theirs = [(bar["key"] or bar["label"].partition(":")[0], bar["amount"]) for bar in got["bars"]]
    if [key for key, _ in theirs] != [key for key, _ in bars]:
        return f"{theirs} in place of {bars}"
    for (key, ours), (_, amount) in zip(bars, theirs, strict=True):
        if not math.isclose(ours, amount, rel_tol=1e-9, abs_tol=1e-7):
            return f"{key} {amount} in place of {ours}"
    total = sum(amount for _, amount in bars)
    return "" if math.isclose(got["now"] - got["old"], total, rel_tol=1e-9, abs_tol=1e-6) else "the bars do not add up"


def main() -> int:
    """Compare the bridges of many pairs, and list those that differ."""
    from tests.live.test_sides import OWN

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=int)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    book = open_book(SHIPPED)
    program = program_of(page(book, prices=True).decode())
    found = bridges(book, program, OWN, pairs(book, options.pairs, options.seed))
    print(f"{options.pairs} pairs, {found.equal} bridges equal, {found.refused} refused, {len(found.wrong)} differ")
    print("\n".join(found.wrong[:5]))
    return 1 if found.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
