"""What the cell of an input refuses, --set refuses: a fraction of a whole number, a word that is not in the list."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

from addin.errors import RequestError
from addin.workbook.book import open_book
from addin.workbook.item import Item

REFUSED = {
    "whole": ("0.5", "outside the whole numbers "),
    "list": ("a word of no list", "not in the list of "),
    "textLength": ("x" * 400, "has 400 characters; "),
}


@pytest.mark.slow
def test_what_the_validation_of_any_input_forbids_is_refused(original: Path) -> None:
    """The validations are read by openpyxl, not by the reader that the commands use."""
    workbook, book = openpyxl.load_workbook(original), open_book(original)
    tried = {kind: set[str]() for kind in REFUSED}
    for key, item in book.entries.items():
        kind = _kind(workbook[item.address.sheet], item)
        if kind in REFUSED:
            value, said = REFUSED[kind]
            with pytest.raises(RequestError, match=said):
                book.settings([f"{key}={value}"])
            tried[kind].add(key.rpartition(".")[2])
    assert {"years", "array_life_years", "support_included_years"} <= tried["whole"]
    assert {"array", "profile", "failover"} <= tried["list"]
    assert {"currency"} <= tried["textLength"]


def _kind(sheet: object, item: Item) -> str:
    """Return the kind of the validation of an input's cell."""
    coordinate = item.address.a1.rpartition("!")[2]
    rules = sheet.data_validations.dataValidation  # type: ignore[attr-defined]
    return next((str(rule.type) for rule in rules if coordinate in rule.sqref), "")
