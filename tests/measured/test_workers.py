"""Files that workers of a cluster read give the same bytes as without them, in any number, and few are on their way."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import ParamSpec, TypeVar

import numpy as np
import pytest

import addin.simulation.cluster
from addin.errors import RequestError
from addin.measured.records import Options
from addin.measured.request import Request
from addin.measured.series import File, Readers
from addin.measured.study import Study, study
from addin.measured.windows import plan
from tests.support import dask_cluster, needed, pilots
from tests.support.shell import Run

WINDOWS = {"steady": "08:00-12:00", "login": "08:00-09:00"}
SHIPPED = Path(__file__).parents[2] / "templates" / "vdi-storage-sizing.xlsx"


def files(folder: Path) -> list[Path]:
    """Return files of a desktop each, one in two files, spelt otherwise in the second."""
    data = pilots.pilots(count=12, days=7, begin="08:00", end="12:00")
    stream = np.random.default_rng(7)
    data = replace(data, values=np.round(data.values * stream.gamma(2, 0.5, data.values.shape), 4))
    made, half = [], len(data.times) // 2
    for at, name in enumerate(data.names):
        part = replace(data, names=(name,), values=data.values[at : at + 1])
        if at == 3:
            early = replace(part, times=data.times[:half], values=part.values[:, :half])
            late = replace(part, names=(name.lower(),), times=data.times[half:], values=part.values[:, half:])
            made += [pilots.generic(folder / "late.csv", late), pilots.generic(folder / "early.csv", early)]
        else:
            made.append(pilots.generic(folder / f"{at * 7 % 12:02}.csv", part))
    return made


def studied(paths: list[Path], readers: Readers | None = None) -> Study:
    request = Request(tuple(paths), Options(), plan(WINDOWS, "mon-fri", 30), estate=1000.0, settled=True)
    return study(request, None, None, readers)


@pytest.mark.slow
def test_workers_in_any_number_and_files_in_any_order_change_no_byte(tmp_path: Path) -> None:
    paths = files(tmp_path)
    expected = repr(studied(paths))
    assert "desktops=12" in expected
    for threads, ahead in ((1, 1), (3, 2), (3, 50)):
        shuffled = random.Random(threads + ahead).sample(paths, len(paths))
        with ThreadPoolExecutor(threads) as executor:
            assert repr(studied(shuffled, Readers(executor, ahead))) == expected


def error_of(paths: list[Path], readers: Readers | None) -> str:
    with pytest.raises(RequestError) as error:
        studied(paths, readers)
    return str(error.value)


@pytest.mark.parametrize("spoilt", ["the same times in two files", "a word in place of a rate", "an impossible rate"])
def test_what_cannot_be_used_is_the_same_line(tmp_path: Path, spoilt: str) -> None:
    paths = files(tmp_path)
    lines = paths[0].read_text(encoding="utf-8").splitlines()
    if spoilt == "the same times in two files":
        paths.append(pilots.write(tmp_path / "zz.csv", "\n".join(lines[:-3])))
    else:
        cells = lines[5].split(",")
        cells[2] = "many" if spoilt == "a word in place of a rate" else "99999999999"
        pilots.write(paths[0], "\n".join([*lines[:5], ",".join(cells), *lines[6:]]))
    with ThreadPoolExecutor(2) as executor:
        assert error_of(paths, Readers(executor, 4)) == error_of(paths, None)


P = ParamSpec("P")
T = TypeVar("T")


class Late(Executor):
    """An executor that runs a task when its result is asked for, and counts those that were not.

    `seen` says how its workers see a file.
    """

    def __init__(self, seen: Callable[[File], File] = lambda file: file) -> None:
        self.most = self.waiting = 0
        self._seen = seen

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Take a task."""
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        seen = [self._seen(each) if isinstance(each, File) else each for each in args]

        def run() -> T:
            self.waiting -= 1
            return function(*seen, **kwargs)  # type: ignore[arg-type]

        future: Future[T] = Future()
        future.result = lambda timeout=None: run()  # type: ignore[method-assign]
        return future


def test_no_more_files_are_on_their_way_than_were_asked_for(tmp_path: Path) -> None:
    executor = Late()
    studied(files(tmp_path), Readers(executor, 3))
    assert (executor.most, executor.waiting) == (3, 0)


def test_a_file_that_is_another_one_for_a_worker_is_named(tmp_path: Path) -> None:
    paths = files(tmp_path)
    older = Late(lambda file: replace(file, size=file.size + 1))
    line = error_of(paths, Readers(older, 2))
    assert line.startswith("00.csv: has ")
    assert "for a worker of the cluster" in line
    elsewhere = Late(lambda file: replace(file, path=tmp_path / "no" / file.path.name))
    line = error_of(paths, Readers(elsewhere, 2))
    assert line.startswith(
        "no/00.csv: a worker of the cluster cannot read it (No such file or directory). Put the files"
    )


@pytest.mark.slow
def test_the_command_on_a_cluster_prints_and_saves_what_it_does_without(run: Run, tmp_path: Path) -> None:
    needed.package("distributed", "cluster")
    addin.simulation.cluster.sources.cache_clear()  # of a tree that is being worked on
    (tmp_path / "pilots").mkdir()
    paths = files(tmp_path / "pilots")
    options = ("--hours", "08:00-12:00", "--login", "08:00-09:00", "--keep-first-days", "--json", "--save")
    command = ("measure", SHIPPED, tmp_path / "pilots", *options)
    code, expected, err = run(*command, tmp_path / "alone.xlsx")
    assert (code, err) == (0, "")
    with ExitStack() as stack:
        address = dask_cluster.scheduler(stack, tmp_path)
        for name in ("one", "two"):
            dask_cluster.worker(stack, tmp_path, address, name)
        code, printed, err = run(*command, tmp_path / "cluster.xlsx", "--cluster", address)
        assert (code, err) == (0, "")
        assert printed.replace("cluster.xlsx", "alone.xlsx") == expected
        assert (tmp_path / "cluster.xlsx").read_bytes() == (tmp_path / "alone.xlsx").read_bytes()
        pilots.write(paths[0], paths[0].read_text(encoding="utf-8").replace(",", ";", 3))
        spoilt = [run(*command, tmp_path / "no.xlsx", *more) for more in ((), ("--cluster", address))]
    assert spoilt[0] == spoilt[1]
    assert spoilt[0][0] == 2
    assert spoilt[0][2].count("\n") == 1
    assert not (tmp_path / "no.xlsx").exists()
