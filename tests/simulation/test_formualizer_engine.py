"""The slow engine: cells that the kernel refuses are computed, errors located, its rounding admitted, same draws."""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from openpyxl import load_workbook

from addin.computing import formualizer_engine
from addin.computing.formualizer_engine import NOTE, Formualizer, formualizer_for
from addin.computing.kernel_engine import KERNEL
from addin.kernel import Address, ExcelError
from addin.results.report_text import text
from addin.simulation import sensitivity
from addin.simulation.montecarlo import simulate
from addin.simulation.risk import read_risk
from addin.simulation.sampling import blocks
from addin.sizing.result_keys import SIMULATE
from addin.sizing.whatif import whatif
from addin.workbook.book import SizingBook, open_book
from model.workbook import Built
from tests.support.reports import as_json
from tests.support.shell import Run
from tests.support.small_workbook import UNIFORM, save

pytest.importorskip("formualizer")

# QUOTIENT and IFS are Excel's; neither is on the kernel's list
RESULTS_OUTSIDE = {
    "arrays_required": "=MAX(1,QUOTIENT({x}*40,10))",
    "half": "=_xlfn.IFS({x}<0.5,0,TRUE,1)",
    "sum": "={x}+{y}",
    "share": "=1/QUOTIENT({x}*10,2)",
}
SPREADS = {"x": UNIFORM, "y": UNIFORM}


def slow(path: Path) -> SizingBook:
    return replace(open_book(path), engine=formualizer_for(path))


def with_budget(monkeypatch: pytest.MonkeyPatch, **few: int) -> None:
    """Have the shell compute so little of the shipped workbook, a second a trial: the rest is for small ones."""
    budget = replace(Formualizer.budget, **few)
    monkeypatch.setattr(formualizer_engine, "formualizer_for", lambda p: replace(formualizer_for(p), budget=budget))


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    return save(tmp_path / "outside.xlsx", SPREADS, RESULTS_OUTSIDE)


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory, built: Built) -> Path:
    path = tmp_path_factory.mktemp("shipped") / "book.xlsx"
    built.workbook.save(path)
    return path


def test_what_the_kernel_refuses_the_slow_engine_simulates(outside: Path) -> None:
    book = slow(outside)
    report = simulate(book, 512, outputs=["arrays_required", "half", "sum"])
    by_key = {result.item.key: result for result in report.results}
    assert by_key["half"].mean.value == pytest.approx(0.5, abs=0.01)
    assert [round(outcome.interval.value, 2) for outcome in by_key["arrays_required"].outcomes] == [0.5, 0.25, 0.25]
    assert by_key["sum"].percentiles[3].interval.value == pytest.approx(1, abs=0.02)
    assert {driver.key: driver.total.value for driver in report.drivers[0].drivers}["x"] == pytest.approx(1, abs=0.1)
    assert dict(report.provenance)["engine"].startswith("formualizer 0.")
    assert NOTE in report.notes
    assert NOTE in json.loads(as_json(book, report))["notes"]


def test_the_check_covers_what_the_kernel_knows_and_says_what_it_does_not(outside: Path) -> None:
    report = simulate(slow(outside), 64, outputs=["half", "sum"])
    assert (report.checked, report.largest_difference) == (20, 0)
    assert "Not checked, as a cell on the way is outside the kernel's list: Sizing!D6." in report.warnings
    alone = simulate(slow(outside), 64, outputs=["half"])
    assert alone.checked == 0
    assert "No result is checked: a cell on the way of each is outside the kernel's list." in alone.warnings
    assert "check: none" in text(alone)


def test_a_trial_beside_a_whole_number_is_reported_and_not_hidden(tmp_path: Path) -> None:
    results = {"blocks": "=CEILING(ROUND({x},2)*100,1)"}  # 1.1*100 is 110 in Excel, 111 without its 15 digits
    path = save(tmp_path / "b.xlsx", {"x": ("discrete", *[None] * 6, "1.1:1; 0.5:1")}, results)
    report = simulate(slow(path), 64, outputs=["blocks"])
    assert report.results[0].maximum == 111
    assert report.largest_difference == pytest.approx(1 / 111)
    assert any(
        "formualizer differs from the kernel, which rounds as Excel does, in Sizing!D6." in w for w in report.warnings
    )
    assert simulate(open_book(path), 64, outputs=["blocks"]).results[0].maximum == 110


def test_errors_are_counted_and_located(outside: Path) -> None:
    report = simulate(slow(outside), 512, outputs=["share"])
    result = report.results[0]
    (fault,) = result.faults
    assert (fault.kind, fault.cell) == ("#DIV/0!", "Sizing!D8")
    assert fault.trials == pytest.approx(512 * 0.2, abs=3)
    assert result.valid == 512 - fault.trials


@pytest.mark.slow
def test_the_figures_do_not_depend_on_the_workers(outside: Path) -> None:
    book = slow(outside)
    shown = {as_json(book, simulate(book, 512, seed=3, outputs=["half", "sum"], workers=workers)) for workers in (1, 3)}
    with ProcessPoolExecutor(2, get_context("spawn")) as processes:
        shown.add(as_json(book, simulate(book, 512, seed=3, outputs=["half", "sum"], executor=processes)))
    assert len(shown) == 1


def test_an_interrupt_in_the_drivers_leaves_the_results(outside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("addin.simulation.report.sobol_indices", stop)
    report = simulate(slow(outside), 64, outputs=["sum"])
    assert report.drivers == ()
    assert any("Interrupted before the drivers" in note for note in report.notes)
    assert report.results[0].valid == 64


def test_an_interrupted_run_does_not_start_with_the_drivers(outside: Path) -> None:
    def stop(done: int, total: int) -> None:
        if done:
            raise KeyboardInterrupt

    report = simulate(slow(outside), 256, outputs=["sum"], progress=stop)
    assert (report.spent.partial, report.spent.trials, report.drivers) == (True, 64, ())
    assert any("Interrupted before the drivers" in note for note in report.notes)


@pytest.mark.slow
def test_the_same_draws_give_what_the_kernel_gives_on_the_shipped_workbook(shipped: Path) -> None:
    book, risk = open_book(shipped), read_risk(open_book(shipped))
    inputs = [entry.item.address for entry in risk.uncertain]
    outputs = [book.results[key].address for key in SIMULATE]
    u = blocks(risk.keys, 8, 1, range(2), dimensions=risk.dimensions).reshape(len(inputs), -1)  # one takes a second
    x = np.stack([entry.spread.ppf(row).values for entry, row in zip(risk.uncertain, u, strict=True)])
    by_kernel, by_formualizer = (
        engine.runner(book.cells, inputs, outputs, {}, {}).run(x) for engine in (KERNEL, slow(shipped).engine)
    )
    told = [
        {(row, trial): run.scalar(row, trial) for row, trial in np.argwhere(run.codes).tolist()}
        for run in (by_kernel, by_formualizer)
    ]
    assert told[0] == told[1]  # texts and errors: each run numbers its own
    # no trial of these lies beside a whole number
    assert by_formualizer.values == pytest.approx(by_kernel.values, rel=1e-9, nan_ok=True)


@pytest.mark.slow
def test_from_the_shell_an_edited_copy_is_refused_with_the_way_out_and_then_computed(
    run: Run, shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_budget(monkeypatch, pilot=2, drivers=1)
    monkeypatch.setattr(sensitivity, "FEWEST", 2)  # points of each of the 8 scrambles of the drivers
    monkeypatch.setattr(formualizer_engine, "CHECKED", 4)
    workbook = load_workbook(shipped)
    place = Address.from_a1(workbook.defined_names["Out_arrays_required"].attr_text.replace("$", ""))
    cell = workbook[place.sheet].cell(place.row, place.column)
    whole = str(cell.value).removeprefix("=")
    cell.value = f"=QUOTIENT({whole},1)"
    edited = tmp_path / "edited.xlsx"
    workbook.save(edited)
    way_out = "or run with --engine formualizer (slow; does not round as Excel does)."
    for command in (["simulate"], ["whatif", "--vary", "desktops=1000,3000"]):
        code, out, err = run(command[0], edited, *command[1:])
        assert (code, out) == (2, "")
        assert err.startswith(f"error: {place.a1}: QUOTIENT is not supported by the kernel.")
        assert err.endswith(f"{way_out}\n")
    few = ["--result", "arrays_required", "--result", "boot_iops", "--engine", "formualizer", "--json"]
    code, out, err = run("size", edited, "--set", "desktops=9000", *few)
    table = json.loads(out)
    kernel = open_book(shipped)
    wanted = kernel.evaluate(kernel.settings(["desktops=9000"]), ["arrays_required", "boot_iops"])
    assert (code, err) == (0, "")
    assert [row["value"] for row in table["results"]] == pytest.approx(list(wanted.values()))
    assert table["notes"] == [NOTE]
    settled = [f"--set={entry.key}={entry.spread.median:.3g}" for entry in read_risk(kernel).uncertain[1:]]
    code, out, err = run("simulate", edited, "--trials", 16, *settled, *few)
    report = json.loads(out)
    assert (code, err, report["trials"]) == (0, "", 16)
    outcomes = report["results"]["arrays_required"]["outcomes"]
    assert sum(outcome["probability"] for outcome in outcomes) == pytest.approx(1)
    assert NOTE in report["notes"]


@pytest.mark.slow
def test_a_whatif_is_the_kernels_row_by_row(shipped: Path) -> None:
    axes, keys = (
        ["desktops=1000:9000:4000", "array=NetApp AFF8040,Dell EqualLogic PS6010XVS"],
        ["arrays_required", "status"],
    )
    actual, wanted = (whatif(book, (), axes, keys) for book in (slow(shipped), open_book(shipped)))
    assert actual.rows == wanted.rows
    assert actual.notes == (NOTE,)


@pytest.mark.slow
def test_seek_finds_what_the_kernel_finds(run: Run, shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_budget(monkeypatch, points=9, parts=5)
    arguments = ["--vary", "desktops=500:5000", "--target", "arrays_required=2", "--json"]
    (_, quick, _), (code, patient, _) = (
        run("seek", shipped, *arguments, *more) for more in ([], ["--engine=formualizer"])
    )
    assert code == 0
    assert json.loads(patient)["rows"] == json.loads(quick)["rows"]


def test_a_circle_and_an_unknown_engine_are_one_line(run: Run, tmp_path: Path) -> None:
    path = save(tmp_path / "b.xlsx", SPREADS, {"round": "=Sizing!D7+{x}", "trip": "=Sizing!D6"})
    code, out, err = run("size", path, "--engine", "formualizer", "--result", "round")
    assert (code, out) == (2, "")
    assert "The cell depends on itself" in err
    code, out, err = run("size", path, "--engine", "abacus")
    assert (code, out) == (2, "")
    assert err == "error: --engine abacus: expected one of kernel, excel, libreoffice, formualizer. Choose one.\n"


def test_an_unknown_function_is_a_name_error_as_in_excel(tmp_path: Path) -> None:
    path = save(tmp_path / "b.xlsx", SPREADS, {"odd": "=NOSUCH({x})"})
    assert slow(path).evaluate({}, ["odd"]) == {"odd": ExcelError.NAME}


@pytest.mark.slow
def test_a_grid_too_large_for_it_says_how_large_it_may_be(run: Run, shipped: Path) -> None:
    code, _, err = run("whatif", shipped, "--vary", "desktops=1:50000:10", "--engine", "formualizer")
    assert code == 2
    assert err == "error: 5,000 combinations; at most 2,000. Take larger steps or fewer inputs.\n"
