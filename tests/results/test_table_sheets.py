"""Result sheets of a workbook that lacks a result, as one of an older version may: no column and no chart shifts."""

from __future__ import annotations

import io
from pathlib import Path

import openpyxl
import pytest
from openpyxl.utils import get_column_letter

from addin.kernel import Scalar
from addin.results import table_sheets
from addin.sizing.result_keys import COMPARE
from addin.sizing.tables import Table
from addin.workbook.book import open_book
from addin.xlsx.package import write_parts
from tests.support import small_workbook

RESULTS: dict[str, tuple[str, Scalar]] = {
    "arrays_required": ("Arrays required", 2.0),
    "ratio_largest": ("Largest ratio", 1.5),
    "binding_constraint": ("Binding constraint", "Latency"),
    "capacity_required_gib": ("Capacity required", 3000.0),
    "cost_per_desktop": ("Cost per desktop", 94.0),
    "status": ("Status", "ok"),
}


def table(first: str, without: str, more: tuple[str, ...] = ()) -> Table:
    shown = {key: value for key, value in RESULTS.items() if key != without}
    rows = tuple((x, *(v for _, v in shown.values()), *("" for _ in more)) for x in (1.0, 2.0))
    headings = (first, *(label for label, _ in shown.values()), *more)
    return Table(headings, ("",) * len(headings), rows, (), ("", *shown, *("" for _ in more)))


@pytest.mark.parametrize("without", ["", *RESULTS])
def test_the_charts_draw_the_columns_that_they_name(tmp_path: Path, without: str) -> None:
    path = small_workbook.save(tmp_path / "book.xlsx", {"x": small_workbook.UNIFORM}, {})
    book = open_book(path)
    page = table_sheets.scenarios(
        book, table("Design", without, ("Changed inputs",)), table("X", without), book.inputs["x"]
    )
    write_parts(tmp_path / "drawn.xlsx", page.package())
    sheet = openpyxl.load_workbook(io.BytesIO((tmp_path / "drawn.xlsx").read_bytes())).worksheets[0]
    drawn = []
    for chart in sheet._charts:
        for series in chart.series:
            values = series.yVal.numRef.f if series.yVal else series.val.numRef.f
            heading = sheet[series.tx.strRef.f.rpartition("!")[2].replace("$", "")]
            first = sheet[values.rpartition("!")[2].replace("$", "").partition(":")[0]]
            assert first.column == heading.column
            drawn.append((str(heading.value), first.value))
    labels = {key: entry for key, entry in RESULTS.items() if key != without}
    wanted = [labels[key] for key in ("ratio_largest",) if key in labels]
    wanted += [labels[key] for key in ("arrays_required", "ratio_largest") if key in labels]
    wanted += [labels["cost_per_desktop" if "cost_per_desktop" in labels else "capacity_required_gib"]]
    assert drawn == wanted
    assert ("Base design: ok." in str(sheet["A2"].value)) == (without != "status")


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("A", 1.0, 0.9, "at least 1 array", "throughput"), ("B", 3.0, 2.6, "3 arrays", "none")],
         "2 arrays compared; least of those fully checked is B: 3 arrays; not fully checked, A: at least 1 array"),
        ([("A", 1.0, 0.2, "at least 1 array", "throughput"), ("B", 1.0, 0.6, "1 array", "none")],
         "2 arrays compared; least of those fully checked is B: 1 array"),
        ([("A", 2.0, 1.2, "at least 2 arrays", "latency")],
         "1 array compared; not fully checked, A: at least 2 arrays"),
    ],
)  # fmt: skip
def test_the_headline_names_no_array_that_is_not_fully_checked_as_if_it_were(
    tmp_path: Path, rows: list[tuple[Scalar, ...]], said: str
) -> None:
    """The least of all had the headline, whatever of it nobody checked."""
    keys = ("", "arrays_required", "ratio_largest", "status", "constraints_unchecked")
    book = open_book(small_workbook.save(tmp_path / "book.xlsx", {"x": small_workbook.UNIFORM}, {}))
    page = table_sheets.comparison(book, Table(keys, ("",) * len(keys), tuple(rows), (), keys))
    assert said in [cell.value for row in page.ws.iter_rows(max_row=4) for cell in row]
    (series,) = page.ws._charts[0].series
    assert [point.idx for point in series.dPt] == [n for n, row in enumerate(rows) if row[-1] != "none"]  # pale


def test_every_column_of_the_comparison_has_a_width_that_holds_its_heading() -> None:
    """Three columns had none, and their headings were cut."""
    book = open_book(Path(__file__).parents[2] / "templates" / "vdi-storage-sizing.xlsx")
    headings = ("array", *(book.results[key].label for key in COMPARE))
    table = Table(headings, ("",) * len(headings), (("A", *("" for _ in COMPARE)),), (), ("", *COMPARE))
    page = table_sheets.comparison(book, table)
    for column, heading in enumerate(headings, 1):
        width = page.ws.column_dimensions[get_column_letter(column)].width
        assert width >= max(map(len, heading.split())), heading
    assert page.last == len(headings)
