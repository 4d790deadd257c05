"""About opens with a map: a box for each tab, which leads there."""

from model.sheets.front.about import MAP, NAME
from model.workbook import TABS
from tests.support.shipped import built

BOXES = [name for _, names in MAP for name in names]


def test_every_other_tab_has_one_box() -> None:
    assert sorted(BOXES) == sorted(tab.name for tab in TABS if tab.name != NAME)


def test_a_box_leads_to_its_tab() -> None:
    sheet = built().workbook[NAME]
    links = {cell.value: cell.hyperlink.location for row in sheet["A5:H15"] for cell in row if cell.hyperlink}
    assert links.keys() == set(BOXES)
    assert all(location.replace("'", "") == f"{name}!A1" for name, location in links.items())


def test_a_text_runs_over_blank_cells_alone() -> None:
    """Texts do not wrap there: none is longer than the columns on its right, and nothing stands in them."""
    sheet = built().workbook[NAME]
    runs = [cell for cell in sheet["B"] if isinstance(cell.value, str) and not cell.alignment.wrap_text]
    assert len(runs) > 40
    assert max(len(cell.value) for cell in runs) <= 150
    assert not [c.coordinate for cell in runs for (c,) in [sheet[f"C{cell.row}:C{cell.row}"][0]] if c.value]
