"""A trial draws one joint row of Measured for every phase, from the workbook alone; the scale is drawn without one."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from addin.errors import RequestError
from addin.kernel import Address, Scalar
from addin.simulation.chunks import run_chunks
from addin.simulation.decide import decide
from addin.simulation.finding_out import MORE
from addin.simulation.montecarlo import simulate
from addin.simulation.risk import read_risk
from addin.simulation.stakes import Stakes
from addin.simulation.trials import Job
from addin.workbook.book import SizingBook, open_book
from model.layout.grid import FIRST_ROW
from model.sheets.catalogue.measured import JOINT_ROW
from tests.support.reports import as_json

SHIPPED = Path(__file__).parents[2] / "templates" / "vdi-storage-sizing.xlsx"
PROFILE = "Knowledge worker W11 MCS (RA-2022 2024)"  # of the shipped design: any name may be the one measured
ROW, SCALE = "measured_row", "demand_scale_ratio"
SETTLED = ("growth_ratio=0", "concurrent_ratio=1", "boot_work_ratio=1")  # nothing else moves the load of a desktop
RATIOS = ((0.5, 2.0, 0.5), (1.0, 0.5, 1.0), (1.5, 1.5, 1.5), (2.0, 1.0, 2.0))  # of boot, login, steady work
MIXES = ((0.4, 0.2, 8.0, 12.0), (0.5, 0.3, 16.0, 14.0), (0.6, 0.4, 24.0, 18.0), (0.7, 0.6, 32.0, 20.0))
MIX_COLUMNS = (9, 10, 14, 15)  # read share of login and of steady work, then their KiB
QUOTE = ("array_price=90000",)


def measured(
    ratios: Sequence[Sequence[Scalar]], profile: str = PROFILE, mixes: Sequence[Sequence[Scalar]] = ()
) -> SizingBook:
    """Return the shipped workbook with joint rows on Measured."""
    book = open_book(SHIPPED)
    study: dict[str, Scalar] = {"A": profile, "C": 30.0, "D": 10.0, "E": 5.0, "G": "95 % upper bound"}
    cells: dict[Address, Scalar] = {
        Address.from_a1(f"Measured!{letter}{FIRST_ROW}"): value for letter, value in study.items()
    }
    for row, values in enumerate(ratios, JOINT_ROW):
        cells |= {Address("Measured", row, column): value for column, value in enumerate(values, 3)}
    for row, values in enumerate(mixes, JOINT_ROW):
        cells |= {Address("Measured", row, at): value for at, value in zip(MIX_COLUMNS, values, strict=True)}
    return replace(book, cells=book.cells.with_values(cells))


@pytest.fixture(scope="module")
def book() -> SizingBook:
    return measured(RATIOS)


@pytest.fixture(scope="module")
def mixed() -> SizingBook:
    return measured(RATIOS, mixes=MIXES)


def figures(book: SizingBook, *keys: str, trials: int = 4096) -> dict[str, tuple[float, float, float]]:
    """Return mean, least and largest of some results over trials in which joint rows alone move the load."""
    report = simulate(book, trials, settings=SETTLED, outputs=keys)
    return {each.item.key: (each.mean.value, each.minimum, each.maximum) for each in report.results}


def test_the_shipped_workbook_draws_the_scale_and_no_row() -> None:
    keys = read_risk(open_book(SHIPPED)).keys
    assert SCALE in keys
    assert ROW not in keys


def test_with_joint_rows_each_is_as_likely_and_the_scale_is_not_drawn(book: SizingBook) -> None:
    risk = read_risk(book)
    assert SCALE not in risk.keys
    (drawn,) = (each for each in risk.uncertain if each.key == ROW)
    x = drawn.spread.ppf((np.arange(4000) + 0.5) / 4000).values
    assert [int((x == row).sum()) for row in (1, 2, 3, 4)] == [1000] * 4
    words = "Measured on 30 desktops, 10 days, 5-minute means; 95 % upper bound; 4 joint rows"
    assert any(note.startswith(words) for note in risk.notes)


@pytest.mark.slow
def test_a_phase_has_the_mean_and_the_ends_of_its_ratios(book: SizingBook) -> None:
    """Ratios of 0.5, 1, 1.5 and 2 in quarters of the trials: 1.25 times the design figure on average."""
    design = book.evaluate(book.settings(SETTLED), ["steady_iops", "boot_asked_iops"])
    found = figures(book, *design)
    for key, (mean, least, largest) in found.items():
        alone = float(str(design[key]))
        assert mean == pytest.approx(1.25 * alone, rel=1e-9), key
        assert [least, largest] == pytest.approx([0.5 * alone, 2 * alone]), key


def job_of(book: SizingBook, *outputs: str, settings: Sequence[str] = ()) -> Job:
    """Return the job that a long simulation of a workbook would run."""

    class FoundError(Exception):
        pass

    caught: list[Job] = []

    def found(job: Job, until: object) -> None:
        caught.append(job)
        raise FoundError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("addin.simulation.montecarlo.Run", found)
        with pytest.raises(FoundError):
            simulate(book, 1 << 18, settings=settings, outputs=outputs)
    return caught[0]


@pytest.mark.slow
def test_phases_come_from_one_row_and_not_each_from_its_own() -> None:
    """Where boot and steady work go opposite ways, their product is the same in every trial; drawn apart, in half."""
    opposite = measured(((0.5, 1.0, 2.0), (2.0, 1.0, 0.5)))
    job = job_of(opposite, "boot_asked_iops", "steady_iops", settings=SETTLED)
    x, _ = job.draw(1 << 10, (0,), 0, 1 << 10)
    found, _ = job.model.evaluate(x.reshape(len(x), -1))
    assert job.layout is not None
    boot, steady = (found[job.layout.outputs.index(key)] for key in ("boot_asked_iops", "steady_iops"))
    assert len(np.unique(boot)) == len(np.unique(steady)) == 2
    assert np.ptp(boot * steady) == pytest.approx(0, abs=1e-6 * float(boot[0] * steady[0]))


@pytest.mark.slow
def test_a_trial_has_read_share_and_block_size_of_its_own_row(mixed: SizingBook) -> None:
    """What an I/O of steady work writes is its write share times its block: drawn together, four values alone."""
    keys = ("steady_ios_per_day", "steady_written_gib")
    job = job_of(mixed, *keys, settings=SETTLED)
    x, _ = job.draw(1 << 10, (0,), 0, 1 << 10)
    found, _ = job.model.evaluate(x.reshape(len(x), -1))
    assert job.layout is not None
    ios, written = (found[job.layout.outputs.index(key)] for key in keys)
    kib = np.unique(np.round(written / ios * 2**20, 6))
    assert list(kib) == pytest.approx(sorted((1 - read) * block for _, read, _, block in MIXES), rel=1e-6)


def test_the_mix_is_named_as_drawn_where_measured_has_it(book: SizingBook, mixed: SizingBook) -> None:
    words = "each trial draws one with its read share and block size, and"
    assert [any(words in note for note in read_risk(each).notes) for each in (book, mixed)] == [False, True]


def test_a_joint_row_without_a_read_share_is_refused_with_its_cell() -> None:
    gap = measured(RATIOS, mixes=(*MIXES[:3], (0.7, 0.6, None, 20.0)))
    with pytest.raises(RequestError) as error:
        read_risk(gap)
    (line,) = str(error.value).splitlines()
    assert line.startswith(f"Measured!N{JOINT_ROW + 3}: is blank, expected the read share or block size of a resample")


@pytest.mark.slow
@pytest.mark.parametrize("mixes", [(), MIXES])
def test_the_native_loop_and_two_threads_give_the_same_bytes(mixes: Sequence[Sequence[Scalar]]) -> None:
    book = measured(RATIOS, mixes=mixes)
    pytest.importorskip("llvmlite")
    from addin.simulation.native.loop import loop_of

    job = job_of(book)
    assert loop_of(job) is not None
    one, other = (run_chunks(job, 4, 6, native=native) for native in (False, True))
    for name in ("counts", "minimum", "maximum", "lowest", "highest", "fractional", "errors", "first_error"):
        assert getattr(one.summary, name).tobytes() == getattr(other.summary, name).tobytes(), name
    assert one.summary.sums.words.tobytes() == other.summary.sums.words.tobytes()
    first, second = (as_json(book, simulate(book, 1 << 15, workers=workers)) for workers in (1, 2))
    assert first == second


@pytest.mark.slow
def test_a_decision_sees_the_rows_as_what_more_measuring_would_find_out(book: SizingBook) -> None:
    stakes = Stakes(late_premium=0.25, late_days=30, desktop_day=20, failure_days=1)
    decision = decide(book, QUOTE, 4096, stakes=stakes)
    worths = {each.keys: each for each in decision.worths}
    assert worths[(ROW,)].action == MORE
    assert worths[(ROW,)].value.value > 0  # from half the load to twice as much: it decides how many to buy
    assert not any(SCALE in keys for keys in worths)
    assert not any(each.what.startswith("Pilot of") for each in decision.worths)
    everything = decision.worths[0].value.value
    assert all(each.value.value <= everything * (1 + 1e-9) for each in decision.worths)
    report = simulate(book, 4096, settings=QUOTE)
    assert report.holds is not None
    base = next(each for each in decision.choices if each.array == book.cells.constant(book.inputs["array"].address))
    assert base.holds == pytest.approx(report.holds.interval.value, abs=1e-9)


def test_another_profile_is_drawn_with_its_scale_and_told_why(book: SizingBook) -> None:
    other = book.settings(("profile=Knowledge worker W10 MCS (RA-2053 2024)",))
    risk = read_risk(book, other)
    assert SCALE in risk.keys
    assert ROW not in risk.keys
    assert any(note.startswith(f"Joint rows are not drawn: they are of {PROFILE}") for note in risk.notes)


def test_a_row_that_is_set_is_not_drawn_and_neither_is_the_scale(book: SizingBook) -> None:
    assert not {ROW, SCALE} & set(read_risk(book, book.settings((f"{ROW}=2",))).keys)


@pytest.mark.parametrize("held", [None, "high", 0.0, -1.0])
def test_a_joint_row_without_a_ratio_is_refused_with_its_cell(held: Scalar) -> None:
    gap = measured((RATIOS[0], (1.0, held, 1.0), RATIOS[2]))
    with pytest.raises(RequestError) as error:
        read_risk(gap)
    (line,) = str(error.value).splitlines()
    assert line.startswith(f"Measured!D{JOINT_ROW + 1}: ")
    assert "expected the ratio of a resample" in line


def test_joint_rows_are_no_distribution_of_another_input(book: SizingBook) -> None:
    keys = (at for at in book.cells.stored("Risk inputs") if at.column == 4 and at.row < 10)
    (row,) = (at.row for at in keys if book.cells.constant(at) == "desktops")
    wrong = replace(book, cells=book.cells.with_values({Address("Risk inputs", row, 5): "joint rows"}))
    with pytest.raises(RequestError, match=f"'Risk inputs'!E{row}: found 'joint rows', which is for {ROW} alone"):
        read_risk(wrong)


@pytest.mark.parametrize(("others", "whole"), [(PROFILE, True), ("Office worker full clone Monday (NTP 2016)", False)])
def test_user_groups_draw_a_row_and_the_scale_unless_all_have_the_profile(
    book: SizingBook, others: str, whole: bool
) -> None:
    groups: dict[str, Scalar] = {"C5": 600.0, "E5": PROFILE, "C6": 400.0, "E6": others}
    cells = {Address.from_a1(f"'User groups'!{at}"): value for at, value in groups.items()}
    grouped = replace(book, cells=book.cells.with_values(cells))
    risk = read_risk(grouped, grouped.settings(("profile=User groups", "desktops=1000")))
    assert (ROW in risk.keys, SCALE in risk.keys) == (True, not whole)
    ending = "is not drawn." if whole else "is drawn for all."
    assert any("4 joint rows: each trial draws one" in note and note.endswith(ending) for note in risk.notes)
