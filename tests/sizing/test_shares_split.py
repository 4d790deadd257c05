"""`size` names how many cloud shares cost less: each further share brings the IOPS that its service includes."""

import re
from pathlib import Path

import pytest

from addin.sizing.answers import size
from addin.sizing.whatif import whatif
from addin.workbook.book import open_book

CHOSEN = {
    "container_place": "on a cloud share",
    "share_service": "Azure Files SSD v1",
    "desktops": "4000",
    "container_gib": "2",
    "price_basis": "dated list prices",
}
V1 = [f"{key}={value}" for key, value in CHOSEN.items()]


def line(book: Path, settings: list[str]) -> str:
    notes = size(open_book(book), settings).notes
    return next((note for note in notes if note.startswith("Cheaper split")), "")


def test_a_split_that_costs_a_tenth_less_is_named_with_its_cost(original: Path) -> None:
    said = line(original, V1)
    count, month, now = re.findall(r"=(\d+)\): ([\d,.]+) USD a month instead of ([\d,.]+)\.", said)[0]
    table = whatif(open_book(original), V1, [f"share_count_least=1,{count}"], ["share_cost_month", "share_count"])
    costs, counts = zip(*((row[1], row[2]) for row in table.rows), strict=True)
    assert counts == (1, int(count))
    assert costs == pytest.approx([float(cost.replace(",", "")) for cost in (now, month)], abs=0.005)
    assert float(month.replace(",", "")) < float(now.replace(",", "")) / 8
    assert line(original, [*V1, f"share_count_least={count}"]) == ""


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("share_service", "Azure NetApp Files Premium"),
        ("price_basis", "typed prices"),
        ("container_place", "none"),
        ("desktops", "20"),
    ],
)
def test_without_a_cheaper_split_or_a_cost_nothing_is_said(original: Path, key: str, value: str) -> None:
    assert line(original, [f"{each}={held}" for each, held in {**CHOSEN, key: value}.items()]) == ""
