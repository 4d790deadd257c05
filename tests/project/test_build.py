"""The built files: the bytes of the shipped copies, a value in every formula cell."""

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from openpyxl import Workbook, load_workbook

import build
from addin.engines.office.recompute import Agreement, agreement
from addin.xlsx.package import manifest, read_parts
from model.layout.line import Line

pytestmark = pytest.mark.slow

ROOT = Path(build.__file__).parent


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a build in a process of its own, which puts sets in another order than most do."""
    folder = tmp_path_factory.mktemp("made")
    script = f"import build, pathlib; build.build(pathlib.Path({str(folder)!r}))"
    subprocess.run([sys.executable, "-c", script], check=True, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": "1"})
    return folder


def test_a_build_gives_the_bytes_of_the_shipped_copies(made: Path) -> None:
    """They are of another build, at another time: what follows the clock or the order of a set differs from them."""
    names = sorted(path.name for path in made.iterdir())
    assert names == [
        "MANIFEST",
        "excel-probe.xlsx",
        "vdi-sizing.oxt",
        "vdi-sizing.xlam",
        "vdi-storage-sizing.html",
        "vdi-storage-sizing.marks",
        "vdi-storage-sizing.txt",
        "vdi-storage-sizing.xlsx",
    ]
    for name in names:
        shipped = ROOT / "templates" / name
        assert shipped.read_bytes() == (made / name).read_bytes(), f"{name} is not current: run python build.py"


def test_the_manifest_names_every_part(made: Path) -> None:
    workbook = made / "vdi-storage-sizing.xlsx"
    text = (made / "MANIFEST").read_text()
    assert text.startswith(manifest(workbook))
    expected = {build.PROBE, "vdi-storage-sizing.html", "vdi-storage-sizing.marks", *read_parts(workbook)}
    for addin in ("vdi-sizing.xlam", "vdi-sizing.oxt"):
        expected |= {f"{addin}!{part}" for part in read_parts(made / addin)}
    assert {line.split("  ")[1] for line in text.splitlines()} == expected


def test_every_formula_cell_carries_its_value(made: Path) -> None:
    """A text may be empty (t="str" and a <v> without content); a number, truth value or error may not."""
    workbook = made / "vdi-storage-sizing.xlsx"
    cells = [
        cell
        for name, part in read_parts(workbook).items()
        if name.startswith("xl/worksheets/sheet")
        for cell in re.findall(rb"<c [^>]*>(?:(?!</c>).)*<f.*?</c>", part, re.DOTALL)
    ]
    bare = [cell for cell in cells if b"</v>" not in cell or (b"<v></v>" in cell and b't="str"' not in cell)]
    assert not bare, bare[:5]
    assert len(cells) > 3000
    assert load_workbook(workbook).calculation.fullCalcOnLoad


def test_an_audit_finding_stops_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from model.sheets.sizing import capacity

    heading, line, *others = capacity.SHEET.rows
    assert isinstance(line, Line)
    spoilt = replace(line, formula="={desktops}*1.5")
    monkeypatch.setattr(capacity, "SHEET", replace(capacity.SHEET, rows=(heading, spoilt, *others)))
    assert build.main(["--out", str(tmp_path / "out")]) == 1
    assert "R05 model/sheets/sizing/capacity.rows:4 (Capacity!D6)" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_workbook_beyond_a_limit_of_its_size_stops_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("addin.audit.size.LINKS", 1)
    assert build.main(["--out", str(tmp_path / "out")]) == 1
    assert re.fullmatch(r"Size workbook: has \d+ distinct links; expected at most 1\. .*\n", capsys.readouterr().err)
    assert not (tmp_path / "out").exists()


def test_an_error_on_checks_is_named_and_the_build_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from model.sheets.proof import check_figures, checks

    monkeypatch.setattr(checks, "catalogue_rows", lambda layout: check_figures.catalogue_rows(layout)[:-1])
    monkeypatch.setattr("addin.engines.office.recompute.agreement", lambda *_: Agreement(""))
    monkeypatch.setattr(build, "write", lambda built, book, values, folder: folder / "the.xlsx")  # its values count
    assert build.main(["--out", str(tmp_path / "out")]) == 1
    assert capsys.readouterr().err.startswith("Checks: C01 Every choice is in its catalogue: errors in the ")


@pytest.mark.parametrize(
    ("found", "said", "agrees"),
    [
        (2.0, "LibreOffice agrees: largest difference 0e+00 (A!A1), 0 texts differ", True),
        (2.1, "LibreOffice DIFFERS: largest difference 5e-02 (A!A1), 0 texts differ", False),
        ("#NAME?", "LibreOffice DIFFERS: largest difference 0e+00 (), 1 text differs, the first A!A1", False),
    ],
)
def test_a_figure_that_another_program_computes_otherwise_fails_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: float | str, said: str, agrees: bool
) -> None:
    """A function without its prefix is #NAME? in Excel and LibreOffice; the kernel knows it by either name."""
    book = Workbook()
    book.active.title = "A"
    book.active["A1"] = found
    book.save(tmp_path / "recomputed.xlsx")
    monkeypatch.setattr("addin.engines.office.application.installed", lambda: "soffice")
    monkeypatch.setattr("addin.engines.office.application.convert", lambda *_: [tmp_path / "recomputed.xlsx"])
    assert agreement(tmp_path / "built.xlsx", {("A", "A1"): 2.0}) == Agreement(said, agrees)
    monkeypatch.setattr(build, "build", lambda *_: (SimpleNamespace(data=None), {}, tmp_path / "built.xlsx"))
    monkeypatch.setattr(build, "evidence_summary", lambda *_: "")
    monkeypatch.setattr(build, "raised", lambda *_: [])
    monkeypatch.setattr("addin.engines.office.recompute.agreement", lambda *_: Agreement(said, agrees))
    assert build.main(["--out", str(tmp_path)]) == (0 if agrees else 1)
