"""A simulation of known distributions gives the closed forms; the same seed gives the same bytes on any executor."""

import json
import math
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import build
from addin.errors import RequestError
from addin.kernel.trials.slices import Slice
from addin.results.report_text import bound, brief, text, whole_percent
from addin.shell.main import main
from addin.simulation.chunks import run_chunks
from addin.simulation.montecarlo import simulate
from addin.simulation.report import Report, ResultFigures
from addin.simulation.risk import read_risk
from addin.simulation.runs import Run, Until
from addin.simulation.sampling import SAMPLERS, plan
from addin.simulation.summaries import ERROR_KINDS
from addin.simulation.trials import Job, Model
from addin.workbook.book import open_book
from model.workbook import Built
from tests.support import shipped
from tests.support.reports import as_json
from tests.support.small_workbook import UNIFORM, save

NORMAL = ("normal", None, 10, None, 2)
SPREADS = {"x": UNIFORM, "y": UNIFORM, "z": NORMAL}
RESULTS = {
    "arrays_required": "=IF({x}<0.3,1,2)",
    "sum": "={x}+{y}",
    "scaled": "=3*{z}+1",
    "part": "={x}*4+{y}",
}


@pytest.fixture
def known(tmp_path: Path) -> Path:
    return save(tmp_path / "known.xlsx", SPREADS, RESULTS)


def figures_of(report: Report, key: str) -> ResultFigures:
    return next(result for result in report.results if result.item.key == key)


def holds_at(result: ResultFigures, place: int, truth: float) -> bool:
    """Say whether a percentile is within three error bars and the bin of the truth."""
    figure = result.percentiles[place]
    return abs(figure.interval.value - truth) <= 3 * figure.interval.half_width + figure.resolution


def test_chunks_computed_at_once_give_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With errors and texts, whose codes must never be those of the trials before."""
    results = {**RESULTS, "broken": "=IF({x}<0.9,{y},1/0)", "word": '=IF({y}<0.99,{x},"none")'}
    book = open_book(save(tmp_path / "broken.xlsx", SPREADS, results))
    jobs = []

    class Kept(Run):
        def __init__(self, job: Job, until: Until | None) -> None:
            jobs.append(job)
            super().__init__(job, until)

    monkeypatch.setattr("addin.simulation.montecarlo.Run", Kept)
    simulate(book, 1 << 18, outputs=["broken", "word", "sum"])
    together = run_chunks(jobs[0], 0, 16).summary
    assert np.flatnonzero(together.errors.sum(axis=0)).tolist() == [ERROR_KINDS.index("#DIV/0!"), len(ERROR_KINDS)]
    monkeypatch.setattr("addin.simulation.chunks.GROUP", 1)
    alone = run_chunks(jobs[0], 0, 16).summary
    for name in ("counts", "minimum", "maximum", "errors", "first_error", "fractional", "lowest", "highest"):
        assert getattr(together, name).tobytes() == getattr(alone, name).tobytes(), name
    assert together.sums.words.tobytes() == alone.sums.words.tobytes()


def test_percentiles_and_means_are_those_of_the_closed_forms(known: Path) -> None:
    report = simulate(open_book(known), 65536, outputs=["sum", "scaled", "arrays_required"])
    total, scaled = figures_of(report, "sum"), figures_of(report, "scaled")
    for place, truth in ((0, math.sqrt(0.1)), (3, 1.0), (6, 2 - math.sqrt(0.1)), (7, 2 - math.sqrt(0.02))):
        assert holds_at(total, place, truth)  # the sum of two uniforms is triangular
    for place, quantile in ((0, -1.6448536), (3, 0.0), (5, 1.2815516), (7, 2.3263479)):
        assert holds_at(scaled, place, 31 + 6 * quantile)
    assert scaled.mean.value == pytest.approx(31, abs=3 * scaled.mean.half_width + 1e-6)
    assert scaled.sd.value == pytest.approx(6, rel=0.002)
    assert [chance.outcome for chance in figures_of(report, "arrays_required").outcomes] == [1, 2]
    assert figures_of(report, "arrays_required").outcomes[0].interval.value == pytest.approx(0.3, abs=1e-3)


def test_drivers_are_the_shares_of_variance(known: Path) -> None:
    report = simulate(open_book(known), 16384, outputs=["part"])
    drivers = {driver.key: driver for driver in report.drivers[0].drivers}
    assert list(drivers) == ["x", "y"]  # z reaches no result: a note says so
    assert drivers["x"].total.value == pytest.approx(16 / 17, abs=0.01)
    assert drivers["y"].total.value == pytest.approx(1 / 17, abs=0.01)
    assert drivers["x"].rank > 0.9
    assert drivers["x"].low == pytest.approx(4 * 0.05 + 0.5, abs=0.02)
    assert any("depends on z" in note for note in report.notes)


def test_correlation_widens_a_sum_as_it_should(tmp_path: Path) -> None:
    spreads = {"x": NORMAL, "y": NORMAL}
    path = save(tmp_path / "b.xlsx", spreads, {"sum": "={x}+{y}"}, {("x", "y"): 0.8})
    report = simulate(open_book(path), 65536, outputs=["sum"])
    pearson = 2 * math.sin(math.pi / 6 * 0.8)
    assert figures_of(report, "sum").sd.value == pytest.approx(math.sqrt(8 * (1 + pearson)), rel=0.003)
    assert report.correlated
    assert "correlation off" in text(report)


@pytest.mark.slow
def test_same_seed_same_bytes_whatever_the_workers(known: Path) -> None:
    book = open_book(known)
    shown = {as_json(book, simulate(book, 131072, seed=7, workers=workers)) for workers in (1, 2, 4)}
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as processes:
        shown.add(as_json(book, simulate(book, 131072, seed=7, executor=processes)))
    assert len(shown) == 1
    assert as_json(book, simulate(book, 131072, seed=8)) not in shown


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_an_input_more_leaves_the_other_draws_alone(tmp_path: Path, sampler: str) -> None:
    drawn = []
    for name, more in (("a", {}), ("b", {"w": UNIFORM})):
        for y in (("fixed",), UNIFORM):
            book = open_book(save(tmp_path / f"{name}.xlsx", {"y": y, "x": UNIFORM, **more}, {"sum": "={x}+{y}"}))
            risk = read_risk(book)
            model = Model("", {}, {}, (), frozenset(), (), (), {}, {})
            spreads = tuple(item.spread for item in risk.uncertain)
            job = Job(model, risk.keys, spreads, risk.coupling, risk.dimensions, plan(1024), 1, sampler)
            drawn.append(job.draw(64, range(16), 0, 64)[0][risk.keys.index("x")])
    assert all(np.array_equal(drawn[0], other) for other in drawn[1:])


def test_errors_are_counted_located_and_left_out(tmp_path: Path) -> None:
    results = {"step": "=ROUNDDOWN({x}*4,0)", "share": "=1/Sizing!D6", "double": "=2*Sizing!D7"}
    book = open_book(save(tmp_path / "b.xlsx", {"x": UNIFORM}, results))
    report = simulate(book, 4096, outputs=["double"])
    (fault,) = figures_of(report, "double").faults
    assert (fault.kind, fault.trials, fault.cell) == ("#DIV/0!", 1024, "Sizing!D7")
    assert figures_of(report, "double").valid == 3072
    assert figures_of(report, "double").mean.value == pytest.approx(2 * (1 + 1 / 2 + 1 / 3) / 3)
    assert "#DIV/0!" in text(report)
    assert json.loads(as_json(book, report))["results"]["double"]["errors"][0]["cell"] == "Sizing!D7"


def test_draws_beyond_the_range_of_an_input_are_reported(tmp_path: Path) -> None:
    path = save(tmp_path / "b.xlsx", {"x": ("normal", None, 0.5, None, 1)}, {"sum": "={x}*2"}, bounds=(0, 1))
    report = simulate(open_book(path), 4096, outputs=["sum"])
    assert (figures_of(report, "sum").minimum, figures_of(report, "sum").maximum) == (0, 2)
    assert [note.split(" of ")[0].split(":")[0] for note in report.notes if "set to it" in note] == ["x", "x"]


def test_what_no_trial_or_every_trial_shows_is_as_sure_as_their_number() -> None:
    """Clopper-Pearson at 95 %: 1 - 0.05^(1/16) is 17.1 %."""
    assert [bound(0, n) for n in (16, 64, 1024, 65536)] == ["below 17%", "below 5%", "", ""]
    assert [bound(1, n) for n in (16, 64, 65536)] == ["above 83%", "above 95%", ""]
    assert bound(0.5, 16) == bound(0, 0) == ""


def test_the_probability_that_the_base_design_holds(tmp_path: Path) -> None:
    results = {"arrays_required": "=ROUNDUP({x}*4,0)", "unchecked_count": "=IF({y}>0.75,1,0)"}
    book = open_book(save(tmp_path / "b.xlsx", {"x": UNIFORM, "y": UNIFORM}, results))
    report = simulate(book, 16384)  # base: x = 0.5, two arrays
    assert report.arrays == 2
    assert report.holds is not None
    assert report.holds.interval.value == pytest.approx(0.5 * 0.75, abs=0.002)
    said = "The base design of 2 arrays suffices with probability 38%, if the spreads on Risk inputs are right"
    assert said in text(report)


def test_an_unchecked_constraint_of_the_base_design_is_a_note(tmp_path: Path) -> None:
    results = {"arrays_required": "=ROUNDUP({x}*4,0)", "unchecked_count": "=IF({x}>0,2,0)"}
    report = simulate(open_book(save(tmp_path / "b.xlsx", {"x": UNIFORM}, results)), 256)
    assert report.holds is None
    told = "unchecked_Count is 2 for the base design (Sizing!D6). Enter the missing figures."
    assert f"Whether the base design suffices is not known: {told}" in report.notes


def test_a_result_that_no_spread_reaches_is_one_value(tmp_path: Path) -> None:
    results = {"sum": "={x}+{y}", "same": "={y}*2"}
    book = open_book(save(tmp_path / "b.xlsx", {"x": UNIFORM, "y": ("fixed",)}, results))
    report = simulate(book, 256, outputs=["same"])
    assert {p.interval.value for p in figures_of(report, "same").percentiles} == {1.0}
    assert report.drivers == ()
    assert json.loads(as_json(book, report))["results"]["same"]["mean"]["value"] == 1


def test_a_run_where_every_trial_fails_says_so(tmp_path: Path) -> None:
    book = open_book(save(tmp_path / "b.xlsx", {"x": UNIFORM}, {"bad": "=1/({x}-{x})"}))
    report = simulate(book, 256, outputs=["bad"])
    assert (figures_of(report, "bad").valid, figures_of(report, "bad").faults[0].trials) == (0, 256)
    assert json.loads(as_json(book, report))["results"]["bad"]["mean"]["value"] is None
    assert "#DIV/0!" in text(report)


def test_until_stops_as_soon_as_the_precision_is_reached(known: Path) -> None:
    report = simulate(open_book(known), 1 << 22, outputs=["sum", "scaled"], until="p95=0.5%")
    assert report.spent.trials < 1 << 18
    assert any("p95=0.5% reached" in note for note in report.notes)
    assert all(f.percentiles[6].interval.half_width <= 0.005 * f.percentiles[6].interval.value for f in report.results)


def test_until_says_when_the_precision_is_not_reached(known: Path) -> None:
    report = simulate(open_book(known), 1024, outputs=["sum"], until="mean=0.0000001%", sampler="plain")
    assert report.spent.trials == 1024
    assert any("is not reached: sum" in note for note in report.notes)


def test_an_interrupt_gives_the_results_so_far(known: Path) -> None:
    def stop(done: int, total: int) -> None:
        if done >= total / 4:
            raise KeyboardInterrupt

    report = simulate(open_book(known), 131072, outputs=["sum"], progress=stop)
    assert report.spent.partial
    assert report.spent.trials == 32768
    assert text(report).startswith("PARTIAL")
    assert holds_at(figures_of(report, "sum"), 3, 1.0)


def test_trials_are_rounded_up_and_say_so(known: Path) -> None:
    report = simulate(open_book(known), 1000, outputs=["sum"])
    assert report.spent.trials == 1024
    assert "1,000 trials rounded up to 1,024: 16 x 64." in report.notes


def test_a_set_input_is_not_drawn(known: Path) -> None:
    report = simulate(open_book(known), 1024, outputs=["sum", "scaled"], settings=["x=3"])
    assert figures_of(report, "sum").minimum > 3
    assert figures_of(report, "sum").base == 3.5


def test_a_text_is_left_out_and_named(tmp_path: Path) -> None:
    results = {"sum": "={x}+1", "word": '=IF({x}>-5,"enter a quote","")'}
    book = open_book(save(tmp_path / "b.xlsx", {"x": UNIFORM}, results))
    report = simulate(book, 256, outputs=["sum", "word"])
    assert [result.item.key for result in report.results] == ["sum"]
    assert "word is the text 'enter a quote', not a number: left out." in report.notes
    with pytest.raises(RequestError, match="Ask for a result in numbers"):
        simulate(book, 256, outputs=["word"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--trials", "0"], "error: --trials: 0 trials, expected at least 1. Ask for 65536 if in doubt."),
        (["--trials", "-5"], "error: --trials: -5 trials, expected at least 1."),
        (["--result", "summ"], "there is no result 'summ'; did you mean sum (Sum: ratio), "),
        (["--sampler", "halton"], "error: --sampler halton: expected one of sobol, latin, plain."),
        (["--until", "p95"], "error: --until p95: expected a percentile or the mean and a share, such as p95=0.5%."),
        (["--until", "p0=1%"], "error: --until p0=1%: expected a percentile"),
        (["--seed", "-1"], "error: --seed -1: expected 0 or more."),
        (["--workers", "0"], "error: --workers 0: expected at least 1."),
        (["--set", "x=1", "--set", "y=1", "--set", "z=1"], "no input of Risk inputs has a spread."),
        (["--set", "x=wide"], "error: x=wide: expected a number"),
    ],
)
def test_a_request_that_cannot_be_met_is_one_line(
    known: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(["simulate", str(known), *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1


def test_a_failed_self_check_fails_the_run(
    known: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    right = Slice.scalars

    def wrong(self: Slice, x: np.ndarray) -> list[float]:
        values = right(self, x)
        return [value + 1e-3 for value in values if isinstance(value, float)]

    monkeypatch.setattr(Slice, "scalars", wrong)
    assert main(["simulate", str(known), "--trials", "256", "--result", "sum"]) == 2
    assert "compiled and" in capsys.readouterr().err


def test_a_file_without_calculated_values_is_a_note(known: Path) -> None:
    report = simulate(open_book(known), 256)
    assert report.warnings == ()
    assert any("holds no calculated values" in note for note in report.notes)


@pytest.mark.slow
def test_the_shipped_workbook_runs_and_a_stale_result_is_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], built: Built
) -> None:
    draft = tmp_path / "draft.xlsx"
    built.workbook.save(draft)
    book, values = build.computed(draft)
    sheet, cell = built.layout.cell("arrays_required")
    master = shipped.errors_raised(built)
    values[sheet, cell], values[master.sheet, master.a1.rpartition("!")[2]] = 7.0, 2.0
    path = build.write(built, book, values, tmp_path)
    assert main(["simulate", str(path), "--trials", "1024", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["check"]["largest_difference"] <= 1e-9
    assert len(printed["warnings"]) == 2
    assert f"{master.a1} counts 2." in printed["warnings"][0]
    assert f"{sheet}!{cell} 1.0 against 7.0" in printed["warnings"][1]
    assert set(printed["results"]) >= {"arrays_required", "capacity_required_gib", "cost_per_desktop"}
    assert 0 < printed["holds"]["probability"] <= 1
    sets = ("--set", "array=Dell EqualLogic PS6010XVS", "--set", "provisioning=PVS")
    (tmp_path / "no quote").mkdir()
    assert main(["simulate", str(shipped.write(tmp_path / "no quote")), "--trials", "1024", *sets]) == 0
    shown = capsys.readouterr().out
    asked = "cost_total, cost_per_desktop, npv, paid_total and cost_per_desktop_month"
    assert f"{asked} are the text 'enter a quote', not a number: left out." in shown
    assert "IOPS in patching is no number in this design" in shown, "PVS patches its image: the cell shows none"
    unused = "container_steady_iops, disk_used_ratio, pvd_used_ratio, boot_work_ratio, write_weight"
    assert f"No result of this design depends on {unused}." in shown


def test_correlations_that_contradict_each_other_are_repaired_with_a_warning(tmp_path: Path) -> None:
    ranks = {("x", "y"): 0.9, ("x", "z"): 0.9, ("y", "z"): -0.9}
    book = open_book(
        save(tmp_path / "b.xlsx", {"x": UNIFORM, "y": UNIFORM, "z": UNIFORM}, {"sum": "={x}+{y}+{z}"}, ranks)
    )
    report = simulate(book, 64, outputs=["sum"])
    assert any(warning.startswith("Correlations contradict each other") for warning in report.warnings)
    assert "warning: Correlations contradict each other" in text(report)


@pytest.mark.slow
def test_growth_per_year_is_not_drawn_again_as_an_allowance(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The budget of a design that grows 8 % a year: growth drawn twice bought arrays that nobody needs.

    With the spread of the demand that 0.2.0 shipped it is 99.05 %, and was 71.88 % with the allowance on top; 79 % with
    15 % around the profile's mean.
    """
    typed = {
        **{"array_price": "95000", "support_ratio": "12%", "years": "5", "growth_per_year_ratio": "8%"},
        **{"capital_rate_ratio": "7%", "price_change_ratio": "-5%", "budget": "600000"},
    }
    sets = [f"--set={key}={value}" for key, value in typed.items()]
    assert main(["simulate", str(shipped.write(tmp_path)), "--trials", "16384", "--seed", "1", *sets]) == 0
    said = capsys.readouterr().out
    assert "The cost is within the budget with probability 71%, " in said
    assert "note: Growth to plan for is not drawn: growth per year counts, and growth is drawn once." in said
    printed = {" ".join(line.split()[:-5]): line.split()[-4] for line in said.splitlines() if " USD " in line}
    paid = {"Present cost to the last year": "556,072", "Paid to the last year, less resale": "589,570"}
    assert printed == paid, "with a quote, by default"


@pytest.mark.slow
def test_what_holds_or_does_not_is_told_as_a_probability(tmp_path: Path) -> None:
    """The share of trials whose payments stay within the budget, and of those that buy arrays in year 2."""
    book = open_book(shipped.write(tmp_path))
    priced = ["array_price=100000", "growth_per_year_ratio=0.02"]
    keys = ["paid_total", "budget_holds", "purchase_before_year_3", "arrays_first"]
    report = simulate(book, 1024, outputs=keys, settings=[*priced, "budget=350000"])
    holds, buys = (figures_of(report, key).chance for key in keys[1:3])
    assert holds is not None
    assert buys is not None
    within = sum(each.interval.value for each in figures_of(report, "paid_total").outcomes if each.outcome <= 350000)
    assert 0 < holds.value < 1
    assert holds.value == pytest.approx(within)
    assert buys.value == pytest.approx(figures_of(report, "purchase_before_year_3").mean.value)
    assert figures_of(report, "paid_total").chance is None
    said = text(report)
    assert f"The cost is within the budget with probability {holds.value:.0%}, if" in said
    bought = "After the purchase of year 1, more arrays are bought before year 3"
    assert f"{bought} with probability {whole_percent(buys.value)}, if" in said
    certain = simulate(book, 256, outputs=keys, settings=[*priced, "budget=1"])
    assert "The cost is within the budget with probability <1%, if" in text(certain)
    few = simulate(book, 16, outputs=keys, settings=[*priced, "budget=1"])
    assert "The cost is within the budget with probability below 17%, if" in text(few)
    assert "The cost is within the budget with probability below 17%, if" in brief(few, ())
    none = simulate(book, 256, outputs=keys, settings=priced)
    assert "within the budget" not in text(none)
    assert "budget_holds is the text 'no budget entered', not a number: left out." in none.notes
