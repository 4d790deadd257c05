"""Gnumeric as a judge recalculates, refuses a file that is not a workbook, and its absence fails CI."""

import openpyxl
import pytest

from addin.engines.office import application
from addin.xlsx.stored_results import store_results
from tests.support import compare, gnumeric

pytestmark = pytest.mark.office


@pytest.fixture
def stale(tmp_path):
    """A workbook whose cached result is wrong: 4 * 2 = 99."""
    path = tmp_path / "stale book.xlsx"
    book = openpyxl.Workbook()
    book.active.title = "Capacity"
    book.active["A1"], book.active["A2"] = 4, "=A1*2"
    book.active["A3"], book.active["A4"], book.active["A5"] = '=IF(A1>5,"big","")', "=1/0", "=A1>3"
    book.save(path)
    store_results(
        path, {("Capacity", "A2"): 99, ("Capacity", "A3"): "old", ("Capacity", "A4"): 1, ("Capacity", "A5"): 0.5}
    )
    return path


def test_cached_values_are_recalculated_and_never_believed(stale, tmp_path):
    values = gnumeric.recalculate([stale], tmp_path / "out")[stale]
    expected: dict[compare.Address, compare.Value]
    expected = {("Capacity", "A2"): 8, ("Capacity", "A3"): "", ("Capacity", "A4"): "#DIV/0!", ("Capacity", "A5"): True}
    assert compare.differences(expected, values) == []
    assert compare.load_values(stale)["Capacity", "A2"] == 99


def test_a_workbook_is_never_overwritten(stale):
    with pytest.raises(AssertionError, match="would be overwritten"):
        gnumeric.recalculate([stale], stale.parent)


def test_a_file_that_is_no_workbook_is_reported(tmp_path):
    path = tmp_path / "broken.xlsx"
    path.write_bytes(b"PK\x03\x04 and then nothing")
    with pytest.raises(application.OfficeError, match=r"ssconvert ended with 1: .*broken\.xlsx"):
        gnumeric.recalculate([path], tmp_path / "out")


def test_spellings_that_it_does_not_compute_are_those_that_the_audit_refuses(tmp_path):
    """What R21 is for: the left cells are errors in Gnumeric, the right ones hold the same in other words."""
    pairs = (
        ("=INDEX(B1:D1,2)", "=INDEX(B1:D1,1,2)", 20),
        ("=SUMPRODUCT(MAX(0,(B1:D1<>30)*B1:D1))", "=LARGE(B1:D1,2)", 20),
        ("=_xlfn.NORM.S.DIST(0,1)", "=_xlfn.NORM.DIST(0,0,1,1)", 0.5),
    )
    path, book = tmp_path / "spellings.xlsx", openpyxl.Workbook()
    for column, value in zip("BCD", (10, 20, 30), strict=True):
        book.active[f"{column}1"] = value
    for row, (refused, portable, _) in enumerate(pairs, 2):
        book.active[f"A{row}"], book.active[f"B{row}"] = refused, portable
    book.save(path)
    values = gnumeric.recalculate([path], tmp_path / "out")[path]
    for row, (_, _, result) in enumerate(pairs, 2):
        assert str(values["Sheet", f"A{row}"]).startswith("#"), pairs[row - 2]
        assert values["Sheet", f"B{row}"] == result


def test_a_missing_gnumeric_skips_with_the_reason(monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(pytest.skip.Exception, match=r"^Gnumeric \(ssconvert\) is not installed$"):
        gnumeric.ssconvert()


def test_a_missing_gnumeric_fails_on_ci(monkeypatch):
    monkeypatch.setenv("CI", "true")
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(pytest.fail.Exception, match=r"Gnumeric \(ssconvert\) is not installed, and on CI"):
        gnumeric.ssconvert()
