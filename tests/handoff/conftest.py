"""Hand-offs that several tests read: a design with hostile names and a price in every cell that takes one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest
from openpyxl import Workbook
from openpyxl.comments import Comment

from addin.kernel import evaluate_all
from addin.prices import is_money
from addin.results import handoff
from addin.workbook.book import SizingBook, open_book
from tests.support import opened, shipped
from tests.support.browser import Browser

HOSTILE = {
    "Doc_project": '<script>alert(1)</script> & "Q"',
    "Doc_customer": "</style><img src=x onerror=alert(2)>",
    "Doc_author": "A. Architect",
}
REMARK = "a remark of the seller's"


@dataclass(frozen=True)
class Deal:
    """A workbook full of prices: what was typed where, and the hand-offs without and with them, slides too."""

    book: SizingBook
    typed: dict[str, float | str]
    without: Path
    told: Path


def priced(workbook: Workbook, book: SizingBook) -> dict[str, float | str]:
    """Type a figure with digits of its own into everything about money that takes a number, and a text elsewhere."""
    typed: dict[str, float | str] = {}
    for number, (key, item) in enumerate({**book.inputs, **book.own}.items()):
        if not is_money(key) or item.choices:
            continue
        if item.minimum is None or item.maximum is None:
            value: float | str = f"Q-483{number:03}17"
        elif item.unit == "years":
            continue  # one of seven: no digits of its own
        else:
            low, high = max(item.minimum, 0.0), item.maximum
            value = (
                float(48_271_000 + 17 * number)
                if high > 5e7
                else round(low + (high - low) * 0.3482713, 4) + number / 1e7
            )
        typed[key] = value
        sheet, _, cell = item.address.a1.rpartition("!")
        workbook[sheet.strip("'")][cell].value = value
    return typed


@pytest.fixture(scope="session")
def deal(tmp_path_factory: pytest.TempPathFactory) -> Deal:
    folder = tmp_path_factory.mktemp("deal")
    path = shipped.write(folder)
    workbook, book = shipped.fresh(), open_book(path)
    typed = priced(workbook, book)
    for name, text in HOSTILE.items():
        opened.named(workbook, name).value = text
    opened.named(workbook, "In_desktops").value = 2173
    opened.named(workbook, "In_desktops").comment = Comment(REMARK, "seller")
    notes = workbook.create_sheet("My notes")
    notes["A1"] = "Floor price 48279991"
    path = folder / "Deal.xlsx"
    workbook.save(path)
    book = open_book(path)
    slides = find_spec("pptx") is not None  # tests that read them say what is missing
    without = handoff.write(book, wanted=handoff.Wanted(slides=slides)).folder.rename(folder / "without")
    wanted = handoff.Wanted(prices=True, slides=slides)
    told = handoff.write(book, wanted=wanted).folder.rename(folder / "told")
    return Deal(book, typed, without, told)


@pytest.fixture(scope="session")
def results(deal: Deal) -> dict[str, float]:
    """Every number that a formula of the workbook full of prices shows, by its cell."""
    return {at.a1: value for at, value in evaluate_all(deal.book.cells).items() if isinstance(value, float)}


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with Browser() as started:
        yield started
