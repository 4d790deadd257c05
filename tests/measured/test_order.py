"""The same samples give the same bytes: in any order of files and rows, in any chunks, on any number of threads."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from addin.errors import RequestError
from addin.measured import bootstrap, texts
from addin.measured.records import Options
from addin.measured.request import Request
from addin.measured.study import Study, study
from addin.measured.windows import plan
from tests.support import pilots
from tests.support.pilots import Pilots, measured

pytestmark = pytest.mark.slow
WINDOWS = {"steady": "08:00-12:00", "login": "08:00-09:00"}


def noisy(count: int = 12) -> Pilots:
    """Return pilots whose samples of a minute do not add up to round numbers."""
    data = pilots.pilots(count=count, days=5, begin="08:00", end="12:00", every=60)
    stream = np.random.default_rng(7)
    return replace(data, values=np.round(data.values * stream.gamma(2, 0.5, data.values.shape), 4))


DATA = noisy()


def figures(study: Study) -> str:
    """Return every figure of a study to its last digit."""
    return repr((study.phases, study.rows, study.coverage, study.desktops, study.days))


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = pilots.generic(tmp_path_factory.mktemp("once") / "a.csv", DATA)
    study = measured([path], settled=True, windows=WINDOWS)
    assert len(study.rows["login"]) == len(study.rows["steady"]) == 200
    return figures(study)


def test_rows_in_any_order(tmp_path: Path, expected: str) -> None:
    path = pilots.generic(tmp_path / "a.csv", DATA, random.Random(3).shuffle)
    assert figures(measured([path], settled=True, windows=WINDOWS)) == expected


def test_files_in_any_order_and_one_for_each_desktop(tmp_path: Path, expected: str) -> None:
    files = []
    for at, name in enumerate(DATA.names):
        part = replace(DATA, names=(name,), values=DATA.values[at : at + 1])
        files.append(pilots.generic(tmp_path / f"{at * 7 % 12}.csv", part))
    for order in (files, files[::-1], random.Random(1).sample(files, len(files))):
        assert figures(measured(order, settled=True, windows=WINDOWS)) == expected


def test_chunks_of_any_size(tmp_path: Path, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = pilots.generic(tmp_path / "a.csv", DATA)
    for size in (1 << 10, 1 << 14):
        monkeypatch.setattr(texts, "_BLOCK", size)
        assert figures(measured([path], settled=True, windows=WINDOWS)) == expected


@pytest.mark.parametrize("size", [64, 1 << 10, 1 << 20])
def test_a_time_that_stands_twice_is_found_wherever_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(texts, "_BLOCK", size)  # 64 letters: a row at a time
    data = pilots.pilots(count=2, days=1, begin="08:00", end="10:00")
    for shuffle in (None, random.Random(5).shuffle):
        path = pilots.generic(tmp_path / "a.csv", data, shuffle)
        lines = path.read_text(encoding="utf-8").splitlines()
        pilots.write(path, "\n".join([*lines, lines[7]]) + "\n")
        name, row = lines[7].split(",")[1], len(lines) + 1
        with pytest.raises(RequestError, match=rf"^a\.csv:{row}, column 'time': {name} has .* twice \(1 such row\)"):
            measured([path], settled=True, windows=WINDOWS)


def test_quoted_cells_are_read_as_plain_ones(tmp_path: Path, expected: str) -> None:
    path = pilots.generic(tmp_path / "a.csv", DATA)
    lines = path.read_text(encoding="utf-8").splitlines()
    pilots.write(path, "\n".join(f'"{line}"'.replace(",", '","') for line in lines))
    assert figures(measured([path], settled=True, windows=WINDOWS)) == expected


def test_threads_in_any_number(tmp_path: Path, expected: str) -> None:
    path = pilots.generic(tmp_path / "a.csv", DATA)
    for threads in (1, 5):
        with ThreadPoolExecutor(threads) as executor:
            request = Request((path,), Options(), plan(WINDOWS, "mon-fri", 30), estate=1000.0, settled=True)
            assert figures(study(request, None, executor)) == expected


def test_another_seed_gives_other_rows_and_the_same_demand(tmp_path: Path) -> None:
    path = pilots.generic(tmp_path / "a.csv", DATA)
    one, two = (measured([path], settled=True, windows=WINDOWS, seed=seed) for seed in (1, 2))
    assert one.rows != two.rows
    assert [phase.demand for phase in one.phases] == [phase.demand for phase in two.phases]


def test_a_row_is_one_draw_for_all_phases(tmp_path: Path) -> None:
    """Desktops differ by a factor: a draw of the busy ones is busy in both phases."""
    apart = replace(DATA, values=DATA.values * np.arange(1, 13)[:, None, None])
    study = measured([pilots.generic(tmp_path / "a.csv", apart)], settled=True, windows=WINDOWS)
    login, steady = ([row.iops for row in study.rows[phase]] for phase in ("login", "steady"))
    assert float(np.corrcoef(login, steady)[0, 1]) > 0.4  # of independent draws: 0 +- 0.07
    first = study.phases[1]
    assert first.interval is not None
    assert first.interval[0] < (first.per_desktop or 0) < first.interval[1] * 1.2


def test_the_rows_stand_around_the_demand_as_the_error_says(tmp_path: Path) -> None:
    """With one level a desktop for all bins the spread of the rows is the standard error, by the days nothing."""
    flat = replace(DATA, values=np.round(DATA.values * 0 + np.arange(1, 13)[:, None, None] * [3.0, 7.0, 60.0, 84.0], 4))
    study = measured([pilots.generic(tmp_path / "a.csv", flat)], settled=True, rows=1000, windows=WINDOWS)
    (_, phase), rows = study.phases, study.rows["steady"]
    means = np.array([row.iops for row in rows])
    assert phase.error.standard is not None
    assert float(means.std()) * 1000 == pytest.approx(phase.error.standard, rel=0.15)
    assert all(row.read_share == pytest.approx(0.3, abs=1e-4) for row in rows)


@pytest.mark.parametrize("count", [0, 199, 1001])
def test_rows_that_no_workbook_takes_are_refused(count: int) -> None:
    with pytest.raises(RequestError, match=f"--rows {count}: expected 200 to 1,000"):
        bootstrap.rows({}, {}, count)
