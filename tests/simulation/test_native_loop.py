"""The native loop gives what numpy gives, to the last byte: every spread, block, sampler, error and thread."""

import math
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from addin.kernel.trials.compile import compile_slice
from addin.simulation import chunks
from addin.simulation.chunks import Part, run_chunks
from addin.simulation.correlation import coupling
from addin.simulation.montecarlo import simulate
from addin.simulation.native import chunk, loop
from addin.simulation.native.loop import loop_of, never_cut
from addin.simulation.sampling import Plan, blocks
from addin.simulation.spreads import KINDS, LISTS, Spread
from addin.simulation.summaries import Summary, layout
from addin.simulation.trials import Job
from addin.workbook.book import open_book
from tests.support.reports import as_json
from tests.support.small_workbook import UNIFORM, save

pytest.importorskip("llvmlite")

INPUTS = tuple("abcdef")
RESULTS = {
    "arrays_required": "=IF({a}<0.3,1,2)",
    "unchecked_count": "=IF({b}>0.9,1,IF({b}<0.1,-1,0))",
    "sum": "={a}+{b}*{c}",
    "square": "=({d}-{e})*({d}-{e})",
    "whole": "=ROUNDUP(10*{f},0)",
    "constant": "=4*0.1",
    "few": "=ROUND({c},1)",
    "part": "={a}/({b}+{e}+2)",
}
SPREADS = {
    "pert": Spread("pert", (0.2, 0.5, 1.5)),
    "pert cut on both sides": Spread("pert", (0.2, 0.5, 1.5), low=0.3, high=1.2),
    "beta": Spread("beta", (0.4, 3.0), low=0.001, high=0.9),
    "gamma": Spread("gamma", (2.0, 0.3), high=3.0),
    "gamma in whole numbers": Spread("gamma", (2.0, 3.0), low=0.5, high=9.7, whole_number=True),
    "triangular": Spread("triangular", (0.0, 0.5, 1.0), low=0.2, high=0.8),
    "triangular, mode at an end": Spread("triangular", (0.0, 0.0, 1.0)),
    "triangular, mode at the other": Spread("triangular", (-1.0, 1.0, 1.0)),
    "uniform": Spread("uniform", (-0.1, 1.0), low=0.0, high=0.9),
    "uniform in whole numbers": Spread("uniform", (-9.0, 9.0), low=-7.5, high=7.5, whole_number=True),
    "fixed": Spread("fixed", (0.7,)),
    "empirical": Spread("empirical", values=(0.1, 0.5, 0.3, 0.9, 0.4)),
    "one value": Spread("discrete", values=(0.5,), weights=(2.0,)),
    "discrete": Spread("discrete", values=(0.1, 0.5, 0.3, 0.9), weights=(1.0, 2.0, 0.0, 4.0), high=0.8),
    "discrete, many": Spread("discrete", values=tuple(map(float, range(300))), weights=(1.0,) * 300),
    "by method": Spread("by method", (0.2, 0.5, 1.5), low=0.3, high=1.2),
    "normal": Spread("normal", (0.5, 0.1), low=0.3, high=0.9),
    "truncated normal": Spread("truncated normal", (0.5, 0.3, 0.1, 0.9)),
    "lognormal": Spread("lognormal", (0.5, 0.2)),
}
NUMBERS = ("counts", "minimum", "maximum", "lowest", "highest", "fractional", "errors", "first_error")
PLAN = Plan(1 << 18, 16, 1 << 14)


class Found(Exception):
    """Carries the job of a run out of it."""

    def __init__(self, job: Job) -> None:
        super().__init__()
        self.job = job


def job_of(path: Path, results: dict[str, str]) -> Job:
    """Return the job that a simulation of a small workbook would run."""
    book = open_book(save(path / "book.xlsx", dict.fromkeys(INPUTS, UNIFORM), results))

    def found(job: Job, until: object) -> None:
        raise Found(job)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("addin.simulation.montecarlo.Run", found)
        with pytest.raises(Found) as caught:
            simulate(book, 1 << 18, outputs=[*results][2:])
    assert caught.value.job.plan == PLAN
    return caught.value.job


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return job_of(tmp_path, RESULTS)


def laid_out(job: Job, whole: Sequence[bool] | None = None, bins: int = 2048) -> Job:
    """Return the job with bins for the spreads that it has now."""
    x, _ = job.draw(1 << 12, (0,), 0, 1 << 12)
    pilot, _ = job.model.evaluate(x.reshape(len(x), -1))
    assert job.layout is not None
    return replace(job, layout=layout(job.layout.outputs, pilot, job.plan.replicates, whole, bins))


def spread_as(job: Job, *names: str) -> Job:
    return laid_out(replace(job, spreads=tuple(SPREADS[name] for name in names)))


def by_both(job: Job, first: int = 4, last: int = 10) -> tuple[Part, Part]:
    """Run some chunks behind those that are kept with numpy, and again natively."""
    return run_chunks(job, first, last, native=False), run_chunks(job, first, last, native=True)


def differing(one: Part, other: Part) -> list[str]:
    """Return the names of what differs in a byte."""
    names = [n for n in NUMBERS if getattr(one.summary, n).tobytes() != getattr(other.summary, n).tobytes()]
    names += ["sums"] * (one.summary.sums.words.tobytes() != other.summary.sums.words.tobytes())
    names += ["cut"] * (one.cut.tobytes() != other.cut.tobytes())
    return names + ["trials"] * (one.summary.trials != other.summary.trials)


@pytest.fixture
def left(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that gets the replicates which native code leaves to numpy."""
    found: list[int] = []
    by_numpy = loop.Chunks._by_numpy

    def noted(self: loop.Chunks, replicate: int, start: int) -> None:
        found.append(replicate)
        by_numpy(self, replicate, start)

    monkeypatch.setattr(loop.Chunks, "_by_numpy", noted)
    return found


def test_every_kind_is_among_the_spreads() -> None:
    assert {spread.kind for spread in SPREADS.values()} == {*KINDS, *LISTS}


@pytest.mark.parametrize("name", SPREADS)
def test_every_spread(job: Job, left: list[int], name: str) -> None:
    """Beside others, and in every place."""
    changed = spread_as(job, name, "pert", name, "uniform", "empirical", name)
    numpy_s, natives = by_both(changed)
    assert differing(numpy_s, natives) == []
    assert left == []
    cut = "cut" in name or math.isfinite(SPREADS[name].high)
    assert bool(numpy_s.cut[0].any()) == cut


def test_a_draw_on_an_edge_of_a_list(job: Job) -> None:
    plan = job.plan
    u = blocks(job.keys, plan.per_replicate, job.seed, (3,), "sobol", job.dimensions, 4 * plan.block, 1)[0, 0, 0]
    edged = Spread("discrete", values=(0.2, 0.9), weights=(u, 1 - u))
    assert edged.ppf(np.array([u, np.nextafter(u, 0)])).values.tolist() == [0.9, 0.2]
    assert differing(*by_both(laid_out(replace(job, spreads=(edged, *job.spreads[1:]))))) == []


@pytest.mark.parametrize(
    ("replicates", "chunk_size", "native"),
    [
        *((2, 8192, True), (3, 16384, True), (7, 4096, True), (16, 2048, True), (16, 16384, True), (64, 16384, True)),
        *((2, 16384, False), (16, 1024, False), (64, 4096, False)),
    ],
)
def test_every_block_shape(
    job: Job, monkeypatch: pytest.MonkeyPatch, replicates: int, chunk_size: int, native: bool
) -> None:
    """Blocks of 128 to 4,096 trials of a replicate are native; the others go through numpy."""
    monkeypatch.setattr(chunks, "FIRST_TRIALS", 0)
    changed = laid_out(replace(job, plan=Plan(1 << 18, replicates, 1 << 14, chunk_size)))
    assert (loop_of(changed) is not None) == native
    last = changed.plan.chunks
    for span in ((0, 1), (0, min(3, last)), (last - 1, last)):
        assert differing(*by_both(changed, *span)) == []


def test_trials_far_out_have_the_same_sobol_words(job: Job) -> None:
    far = replace(job, plan=Plan(1 << 36, 16, 1 << 32))
    last = far.plan.chunks
    for first in (last - 2, 0xABCDE, 0x3FFFF):
        assert differing(*by_both(far, first, first + 2)) == []


def test_the_trials_that_drivers_look_at_are_kept(job: Job) -> None:
    one, other = by_both(job, 0, 6)
    assert differing(one, other) == []
    assert len(one.kept) == len(other.kept) == 4
    for (x, y), (u, v) in zip(one.kept, other.kept, strict=True):
        assert x.tobytes() == u.tobytes()
        assert y.tobytes() == v.tobytes()


@pytest.mark.parametrize("sampler", ["latin", "plain"])
def test_other_samplers(job: Job, sampler: str) -> None:
    changed = laid_out(replace(job, sampler=sampler))
    assert loop_of(changed) is not None
    assert differing(*by_both(changed)) == []


def test_correlated_inputs_are_drawn_by_numpy_and_the_others_natively(job: Job) -> None:
    ranks = np.eye(6)
    for i, j, rank in ((1, 4, 0.5), (0, 4, -0.3)):
        ranks[i, j] = ranks[j, i] = rank
    changed = spread_as(job, "pert", "normal", "uniform", "gamma", "discrete", "triangular")
    changed = laid_out(replace(changed, coupling=coupling(ranks, changed.keys)))
    made = loop_of(changed)
    assert made is not None
    assert made.elsewhere.tolist() == [0, 1, 4]
    assert differing(*by_both(changed)) == []


@pytest.mark.parametrize(("whole", "bins"), [(None, 16), (False, 2048), (True, 64), (False, 8)])
def test_bins_and_lists(job: Job, whole: bool | None, bins: int) -> None:
    """Values beyond the bins, values that are not listed, fractions where whole numbers were expected."""
    assert job.layout is not None
    changed = laid_out(job, None if whole is None else [whole] * len(job.layout.outputs), bins)
    assert changed.layout is not None
    one, other = by_both(changed)
    assert differing(one, other) == []
    assert bool(one.summary.fractional.any()) == (whole is True)
    lay = changed.layout
    higher = replace(changed, layout=replace(lay, low=lay.low + 0.4 * lay.bins * lay.width))
    one, other = by_both(higher)
    assert differing(one, other) == []
    assert one.summary.counts[:, :, 0].any() or whole
    if whole is False and bins == 2048:
        assert sum(listed.size > 0 for listed in lay.listed) >= 4
        for first in (0, 1):
            one, other = by_both(thinned(changed, first))
            assert differing(one, other) == []
            assert np.isfinite(one.summary.lowest).any()


def thinned(job: Job, first: int) -> Job:
    """Return the job with every other of the listed values."""
    assert job.layout is not None
    return replace(job, layout=replace(job.layout, listed=tuple(listed[first::2] for listed in job.layout.listed)))


BROKEN = {
    "an error in a cell": "=IF({b}>0.999,1/0,{a})",
    "a text": '=IF({b}>0.999,"none",{a})',
    "an error in every trial": "=1/({a}-{a})",
    "overflow": "={a}*IF({b}>0.9999,1E+200,1)*({c}*IF({b}>0.9999,1E+200,1))",
    "overflow beside functions of the C library": "=EXP(IF({b}>0.9999,{a}*3000,{a}))+LN({c}+1)+{d}^{e}",
    "left to the scalar evaluator": "=IF({b}>0.9999,ROUND({a}*1E+15,1),{a})",
    "beyond what a sum can hold": "=IF({b}>0.999,IF({c}>0.5,1E+200,-1E+200),{a})",
    "beyond it, and whole": "=IF({b}>0.999,1E+200,7.5)",
    "beyond it, beside few values": "=IF({b}>0.9,1E+200,ROUND({a},1))",
}
BY_NUMPY = ("overflow", "overflow beside functions of the C library", "left to the scalar evaluator")


@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_number(tmp_path: Path, left: list[int], name: str) -> None:
    broken = job_of(tmp_path, {**RESULTS, "broken": BROKEN[name]})
    for changed in (laid_out(broken), thinned(laid_out(broken, [False] * 10), 1), laid_out(broken, [True] * 10)):
        one, other = by_both(changed)
        assert differing(one, other) == []
        assert one.summary.errors.any() or name == "left to the scalar evaluator"
    assert bool(left) == (name in BY_NUMPY)


@pytest.mark.slow
def test_a_task_in_which_numpy_has_most_to_do_is_left_to_it(tmp_path: Path, left: list[int]) -> None:
    overflowing = job_of(tmp_path, {**RESULTS, "broken": "={a}*1E+200*({c}*1E+200)"})
    assert differing(*by_both(laid_out(overflowing))) == []
    assert left == [*range(16)]


def test_an_overflow_of_other_code_is_not_one_of_the_slice(job: Job) -> None:
    made = loop_of(job)
    assert made is not None
    assert job.layout is not None
    natively = loop.Chunks(made, Summary(job.layout), np.zeros((len(job.keys), 2), np.int64))
    assert math.isinf(float("1e308") * 10)
    assert natively.add(4) == 0


def test_an_error_where_the_design_is_judged(tmp_path: Path, left: list[int]) -> None:
    """Several figures at once, and a text: the kind that stands last is the verdict's."""
    results = {
        **RESULTS,
        "arrays_required": '=IF({b}>0.99,IF({a}>0.5,1/0,"none"),IF({a}<0.3,1,2))',
        "unchecked_count": "=IF({b}>0.985,IF({c}>0.5,SQRT(-{c}-1),0),IF({d}>0.9,1E+300,0))",
    }
    one, other = by_both(laid_out(job_of(tmp_path, results)))
    assert differing(one, other) == []
    assert np.count_nonzero(one.summary.errors[-1]) == 3
    assert left == []


def test_an_input_beyond_its_limits(job: Job, left: list[int]) -> None:
    """One trial in 3,000 is computed cell by cell."""
    beyond = Spread("uniform", (0.0, 1000.3), low=0.0, high=2000.0)
    changed = laid_out(replace(job, spreads=(beyond, *job.spreads[1:])))
    assert differing(*by_both(changed, 4, 5)) == []
    assert left


def test_one_thread_and_two_give_the_same(job: Job) -> None:
    """In tasks of different length, one beside the other."""
    one, _ = by_both(job, 4, 16)
    with ThreadPoolExecutor(2) as pool:
        parts = list(
            pool.map(lambda span: run_chunks(job, span[0], span[1], native=True), [(9, 16), (4, 5), (5, 8), (8, 9)])
        )
    together = parts[0].summary
    for part in parts[1:]:
        together.merge(part.summary)
    cut = np.sum([part.cut for part in parts], axis=0)
    assert differing(one, Part(together, cut, ())) == []


def test_a_run_that_is_stopped_is_that_of_numpy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same chunks are in it, and its report has the same figures."""
    book = open_book(save(tmp_path / "book.xlsx", dict.fromkeys(INPUTS, UNIFORM), RESULTS))
    reports = []
    for worth in (math.inf, 0):
        monkeypatch.setattr(chunks, "WORTH", worth)

        def stop(done: int, asked: int) -> None:
            if done >= asked // 2:
                raise KeyboardInterrupt

        reports.append(simulate(book, 1 << 18, outputs=["sum", "whole"], progress=stop))
    assert reports[0].spent.partial
    assert reports[0].spent.trials == reports[1].spent.trials == 1 << 17
    assert as_json(book, reports[0]) == as_json(book, reports[1])


def test_without_llvmlite_numpy_gives_the_same(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    one, native = by_both(job)
    monkeypatch.setitem(sys.modules, "llvmlite.binding", None)
    alone = replace(job.model, token="alone")
    monkeypatch.setattr("addin.kernel.trials.compile._SLICES", type(compile_slice.__globals__["_SLICES"])())
    without = replace(job, model=alone)
    assert loop_of(without) is None
    assert differing(one, run_chunks(without, 4, 10, native=True)) == differing(one, native) == []


def test_few_trials_do_not_wait_for_the_compiler(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    def compiled() -> Callable[[int], int]:
        raise AssertionError("compiled for a few trials")

    monkeypatch.setattr(chunk, "compiled", compiled)
    run_chunks(job, 0, 5)
    with pytest.raises(AssertionError, match="few trials"):
        run_chunks(replace(job, plan=Plan(chunks.WORTH, 16, chunks.WORTH // 16)), 4, 5)


def test_an_input_that_nothing_reads_is_drawn_where_it_may_be_cut(tmp_path: Path) -> None:
    results = {**RESULTS, "sum": "={a}+{b}", "square": "={a}", "few": "={b}", "part": "={b}"}
    unread = job_of(tmp_path, {key: text.replace("{f}", "{a}") for key, text in results.items()})
    for name in ("pert", "pert cut on both sides", "normal"):
        changed = spread_as(unread, "pert", "pert", name, name, name, name)
        one, other = by_both(changed)
        assert differing(one, other) == []
        assert one.cut[5].any() == (name != "pert")


@pytest.mark.parametrize("name", SPREADS)
def test_no_draw_is_cut_where_never_cut_says_so(name: str) -> None:
    spread = SPREADS[name]
    u = (np.arange(1 << 16) + 0.5) / (1 << 16)
    extremes = np.array([2.0**-33, 1 - 2.0**-33])
    drawn = replace(spread, low=-math.inf, high=math.inf).ppf(np.concatenate([u, extremes])).values
    for low, high in ((drawn.min() - 1, drawn.max() + 1), (drawn.min() + 1e-6, math.inf), (-math.inf, drawn[5])):
        if low <= high and never_cut(replace(spread, low=low, high=high)):
            assert low <= drawn.min()
            assert drawn.max() <= high
    if spread.kind in ("pert", "beta", "gamma"):
        assert never_cut(replace(spread, low=-1e6, high=1e6))
