"""LibreOffice as a judge recalculates, prints, and its absence fails CI."""

import subprocess
import sys
from pathlib import Path

import openpyxl
import pytest

from addin.engines.office import application
from addin.xlsx.stored_results import store_results
from tests.support import compare, libreoffice

pytestmark = pytest.mark.office


@pytest.fixture
def stale(tmp_path: Path) -> Path:
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
    recalculated = libreoffice.recalculate([stale], tmp_path / "out")[stale]
    expected: dict[compare.Address, compare.Value]
    expected = {("Capacity", "A2"): 8, ("Capacity", "A3"): "", ("Capacity", "A4"): "#DIV/0!", ("Capacity", "A5"): True}
    assert compare.differences(expected, compare.cell_values(recalculated)) == []
    assert openpyxl.load_workbook(stale, data_only=True)["Capacity"]["A2"].value == 99


def test_many_workbooks_are_recalculated_in_one_run(tmp_path):
    paths = []
    for number in (1, 2, 3):
        book = openpyxl.Workbook()
        book.active["A1"], book.active["A2"] = number, "=A1*10"
        paths.append(tmp_path / f"book {number}.xlsx")
        book.save(paths[-1])
    recalculated = libreoffice.recalculate(paths, tmp_path / "out")
    assert [recalculated[path]["Sheet"]["A2"].value for path in paths] == [10, 20, 30]


def test_two_workbooks_of_one_name_are_refused(tmp_path):
    with pytest.raises(AssertionError, match="share a name"):
        libreoffice.recalculate([tmp_path / "a" / "book.xlsx", tmp_path / "b" / "book.xlsx"], tmp_path / "out")


def test_a_workbook_is_never_overwritten(stale):
    with pytest.raises(application.OfficeError, match="would be overwritten"):
        libreoffice.recalculate([stale], stale.parent)


def test_a_file_that_is_no_workbook_is_reported_and_not_a_silent_success(tmp_path):
    path = tmp_path / "broken.xlsx"
    path.write_bytes(b"PK\x03\x04 and then nothing")
    with pytest.raises(application.OfficeError, match=r"broken\.xlsx|ended with"):
        libreoffice.recalculate([path], tmp_path / "out")


def test_pages_are_printed_with_text_and_pictures(stale, tmp_path):
    pdf = libreoffice.to_pdf(stale, tmp_path / "print")
    pages = libreoffice.pdf_pages_png(pdf, dpi=40)
    assert [page.read_bytes()[:8] for page in pages] == [b"\x89PNG\r\n\x1a\n"]
    (text,) = libreoffice.pdf_text(pdf)
    assert "#DIV/0!" in text
    assert "99" not in text


def test_a_missing_office_skips_with_the_reason(monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(pytest.skip.Exception, match=r"^LibreOffice \(soffice\) is not installed$"):
        libreoffice.soffice()


def test_a_missing_office_fails_on_ci(monkeypatch):
    monkeypatch.setenv("CI", "true")
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(pytest.fail.Exception, match=r"LibreOffice \(soffice\) is not installed, and on CI"):
        libreoffice.soffice()


def test_an_office_that_hangs_is_ended(monkeypatch, tmp_path):
    monkeypatch.setattr(application, "TIMEOUT_S", 0.5)
    path = tmp_path / "book.xlsx"
    openpyxl.Workbook().save(path)
    popen = subprocess.Popen
    started = []

    def hang(_, **options):
        started.append(popen([sys.executable, "-c", "import time; time.sleep(60)"], **options))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", hang)
    with pytest.raises(application.OfficeError, match=r"took more than 0\.5 s and was ended"):
        libreoffice.to_pdf(path, tmp_path / "out")
    assert started[0].returncode is not None
