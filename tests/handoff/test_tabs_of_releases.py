"""A copy of an older release may have tabs that this version no longer has: they are the product's, not the user's."""

from pathlib import Path

import pytest
from openpyxl import load_workbook

from addin.leaving.tabs import every_tab, tabs_of
from addin.prices import without_prices
from addin.workbook.book import open_book
from model.workbook import TABS
from tests.support import released

RELEASES = sorted(path.name.removesuffix(".tar.xz") for path in released.FOLDER.iterdir())


@pytest.mark.parametrize("release", RELEASES)
def test_the_tabs_of_a_release_are_kept_as_it_had_them(release: str, tmp_path: Path) -> None:
    titles = load_workbook(released.write(release, tmp_path / "old.xlsx"), read_only=True).sheetnames
    assert tabs_of(release) == tuple(titles)
    assert every_tab().issuperset(titles)


def test_another_version_has_the_tabs_of_the_build_at_hand() -> None:
    assert tabs_of("unversioned") == tuple(tab.name for tab in TABS)


@pytest.mark.slow
@pytest.mark.parametrize("release", RELEASES)
def test_a_tab_that_is_no_longer_one_leaves_with_its_release(release: str, tmp_path: Path) -> None:
    book = open_book(released.write(release, tmp_path / "old.xlsx"))
    gone = set(tabs_of(release)) - {tab.name for tab in TABS}
    told = without_prices(book)
    assert told.sheets == ()
    assert gone.issubset(told.book.cells.sheets)


@pytest.mark.slow
@pytest.mark.parametrize("release", RELEASES)
def test_a_tab_of_a_release_that_was_renamed_is_told_from_a_sheet_of_ones_own(release: str, tmp_path: Path) -> None:
    """Both are unknown titles; names of the workbook lead to the one, none to the other."""
    path = released.write(release, tmp_path / "old.xlsx")
    workbook = load_workbook(path)
    workbook["Array details"].title = "Further figures"
    workbook.create_sheet("My notes")["A1"] = "Floor price 48279991"
    for name, defined in workbook.defined_names.items():
        text = str(defined.attr_text).replace("'Array details'!", "'Further figures'!")
        workbook.defined_names[name].attr_text = text
    for ws in workbook.worksheets:
        for row in ws.iter_rows():
            for cell in row:
                if isinstance(cell.value, str) and "'Array details'!" in cell.value:
                    cell.value = cell.value.replace("'Array details'!", "'Further figures'!")
    workbook.save(path)
    told = without_prices(open_book(path))
    assert told.sheets == ("My notes",)
    assert "Further figures" in told.book.cells.sheets
    assert told.moved == ()
