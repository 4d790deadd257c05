"""Texts with numbers follow the office that a button was pressed in; what programs read stays English."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from addin import commands, numerals
from addin.buttons import COMMANDS
from addin.kernel import Evaluator
from addin.numerals import ENGLISH, Separators, numeral, of_sample
from addin.results import applying
from addin.running import documents
from addin.workbook.book import open_book, shown
from tests.support import opened, small_workbook

GERMAN = Separators(",", ".")
PERSIAN = Separators("٫", "٬")  # no other text has these: what still has a point or a comma was not asked
PARAMETERS: dict[str, dict[str, Any]] = {
    "simulate": {"trials": 1024},
    "sensitivity": {"trials": 1024},
    "explain": {"name": "cost_per_desktop", "depth": 2},
}
ENGLISH_NUMBER = re.compile(r"(?<![\w.,])[-+<>±]?\d+(?:,\d{3})*(?:[.,]\d+)(?![\w.]*\w\.)(?!\.\d)")


@pytest.fixture(autouse=True)
def _english_afterwards() -> Iterator[None]:
    yield
    numerals.use(ENGLISH)


@pytest.mark.parametrize(
    ("sample", "separators"),
    [
        ("1,234,567.5", ENGLISH),
        ("1.234.567,5", GERMAN),
        ("1\u202f234\u202f567,5", Separators(",", "\u202f")),
        ("1’234’567.5", Separators(".", "’")),
        ("1234567,5", Separators(",", "")),
        ("12,34,567.5", ENGLISH),  # groups of two, which no translation of a number makes
        ("#NAME?", ENGLISH),
    ],
)
def test_an_office_tells_its_separators_by_a_number(sample: str, separators: Separators) -> None:
    assert of_sample(sample) == separators


def test_a_number_is_written_with_the_separators_in_use() -> None:
    assert (numeral(1234567), numeral(-1234.5, ",.2f"), numeral(0.125, ".1%")) == ("1,234,567", "-1,234.50", "12.5%")
    numerals.use(GERMAN)
    assert (numeral(1234567), numeral(-1234.5, ",.2f"), numeral(0.125, ".1%")) == ("1.234.567", "-1.234,50", "12,5%")
    assert (shown(1234.5), shown(0.5, "USD"), shown(2026.0, "year")) == ("1.234", "0,5 USD", "2026")
    with numerals.english():
        assert numeral(0.5, "g") == "0.5"
    assert numeral(0.5, "g") == "0,5"


@pytest.mark.parametrize(
    ("formula", "english", "german"),
    [
        ("=FIXED(1234.5,1)", "1,234.5", "1.234,5"),
        ('=1.5&""', "1.5", "1,5"),
        ('="1.5"+0', 1.5, "#VALUE!"),
        ('="1,5"+0', "#VALUE!", 1.5),
        ('="1.234,5"+0', "#VALUE!", 1234.5),
        ('=VALUE(FIXED(1234.5,1))', 1234.5, 1234.5),
        ('=COUNTIF({x},">="&0.5)', 1.0, 1.0),
    ],
)  # fmt: skip
def test_a_formula_makes_and_reads_texts_as_the_office_does(
    tmp_path: Path, formula: str, english: object, german: object
) -> None:
    path = small_workbook.save(tmp_path / "small.xlsx", {"x": small_workbook.UNIFORM}, {"text": formula})
    book = open_book(path)

    def value() -> object:
        computed = Evaluator(book.cells).value(book.results["text"].address)
        return getattr(computed, "value", computed)

    assert value() == english
    numerals.use(GERMAN)
    assert value() == german


def test_an_application_is_asked_in_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def book(name: str, **api: object) -> Any:
        return SimpleNamespace(app=SimpleNamespace(engine=SimpleNamespace(name=name), api=SimpleNamespace(**api)))

    def evaluate(text: str = "", name: str = "") -> str:
        asked.append(text or name)
        return "1.234.567,5"

    monkeypatch.setattr("sys.platform", "win32")
    assert documents.separators(book("excel", Evaluate=evaluate)) == GERMAN
    monkeypatch.setattr("sys.platform", "darwin")
    assert documents.separators(book("excel", evaluate=evaluate)) == GERMAN
    assert asked == ["FIXED(1234567.5,1)"] * 2
    assert documents.separators(book("libreoffice", written=lambda *_: "1 234 567,5")) == Separators(",", " ")
    assert documents.separators(book("excel")) == ENGLISH  # an Excel that answers nothing
    assert documents.separators(book("file")) == ENGLISH


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, button in COMMANDS.items() if button.sheet])
def test_every_text_that_a_button_writes_follows_the_office(
    original: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(applying, "made", lambda *_: {"a": b""})  # the copy is looked at in test_measure_button.py
    book = opened.opened(opened.copied(original, tmp_path))
    asked = PARAMETERS.get(name, {}) | opened.needed(name, original)
    if name == "diff":
        book.names["In_desktops"].refers_to_range.value = 12345.0
    names = {str(sheet.name) for sheet in book.sheets}
    numerals.use(PERSIAN)
    result = getattr(commands, name)(book, **asked)
    (made,) = [sheet for sheet in book.sheets if sheet.name not in names]
    texts = [value for row in made.used_range.value for value in row if isinstance(value, str)]
    formulas = re.compile("=|Inputs that|Formulas, values")
    written = [text for text in (result.text, *texts) if not formulas.match(text)]
    assert [text for text in written if ENGLISH_NUMBER.search(text)] == []
    assert name in ("explain", "audit") or any(PERSIAN.decimal in text or PERSIAN.thousands in text for text in written)
