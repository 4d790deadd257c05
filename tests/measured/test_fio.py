"""An array's own points: units by Little's law, the mix as measured, the branch on which IOPS still rise."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from addin.errors import RequestError
from addin.measured import fio
from tests.support.pilots import fio as run
from tests.support.pilots import write


def refusal(path: Path) -> str:
    """Return the one line in which a file is refused."""
    with pytest.raises(RequestError) as caught:
        fio.read(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("unit", [("lat_ns", 1e6), ("clat_ns", 1e6), ("lat", 1e3), ("clat", 1e3)])
@pytest.mark.parametrize("each", [False, True])
def test_a_point_in_every_edition_and_way_of_reporting(tmp_path: Path, unit: tuple[str, float], each: bool) -> None:
    (point,) = fio.read(run(tmp_path / "a.json", 64_000, 0.65, 1.0, unit=unit, each=each, before="fio: note\n"))
    assert (point.iops, point.latency_ms, point.kib) == pytest.approx((64_000, 1.0, 8), rel=1e-4)
    assert point.read_ratio == pytest.approx(0.65)  # as measured: rwmixread says 50
    assert point.asked == 64
    assert point.law == pytest.approx(1.0, rel=1e-3)
    assert point.mb_s == pytest.approx(64_000 * 8192 / 1e6, rel=1e-3)


def test_a_wrong_unit_breaks_littles_law_and_is_refused(tmp_path: Path) -> None:
    path = run(tmp_path / "a.json", 64_000, 0.65, 1.0, unit=("lat_ns", 1e3))
    assert "a.json: the job 'mix' breaks Little's law: depth x jobs is 64, IOPS x latency 0.1. Look at" in refusal(path)
    path = run(tmp_path / "a.json", 64_000, 0.65, 1.0, depth=64)
    assert "depth x jobs is 256, IOPS x latency 64.0" in refusal(path)


def test_files_that_are_no_run_are_one_line(tmp_path: Path) -> None:
    assert "is no JSON" in refusal(write(tmp_path / "a.json", '{"fio version": "3", "jobs": ['))
    assert "holds no list of jobs" in refusal(write(tmp_path / "a.json", '{"fio version": "3"}'))
    path = run(tmp_path / "a.json", 64_000, 0.65, 1.0)
    content = json.loads(path.read_text(encoding="utf-8"))
    content["jobs"][0]["error"] = 5
    assert "the job 'mix' ended with error 5" in refusal(write(path, json.dumps(content)))
    del content["jobs"][0]["error"], content["jobs"][0]["read"]["lat_ns"]
    assert "the job 'mix' cannot be read (KeyError: 'lat_ns')" in refusal(write(path, json.dumps(content))).replace(
        "\"'lat_ns'\"", "'lat_ns'"
    )


def test_only_the_rising_branch_counts(tmp_path: Path) -> None:
    """A published run: 585,809 IOPS at 0.44 ms, then 86,440 at 11.8 ms."""
    loads = [(150_000, 0.2), (400_000, 0.3), (585_809, 0.44), (86_440, 11.8), (300_000, 2.0)]
    files = [run(tmp_path / f"{at}.json", iops, 0.65, ms) for at, (iops, ms) in enumerate(loads)]
    points = [point for path in files for point in fio.read(path)]
    ((rising, beyond),) = fio.branches(points)
    assert [point.iops for point in rising] == pytest.approx([150_000, 400_000, 585_809])
    assert sorted(point.iops for point in beyond) == pytest.approx([86_440, 300_000])
    card = fio.card(points, None)
    assert (card["iops"], card["latency_ms"], card["base_latency_ms"]) == pytest.approx((585_809, 0.44, 0.2), rel=1e-3)
    assert fio.card(points, 0.35)["iops"] == pytest.approx(400_000)
    assert fio.card(points, 0.1) == {}


def test_a_second_read_share_of_the_same_block_is_the_second_point(tmp_path: Path) -> None:
    runs = [(300_000, 1.0, 0.5, 8), (200_000, 0.7, 0.5, 8), (20_000, 1.0, 1.5, 256)]
    points = [p for at, each in enumerate(runs) for p in fio.read(run(tmp_path / f"{at}.json", *each[:3], kib=each[3]))]
    card = fio.card(points, None)
    assert (card["iops"], card["read_ratio"]) == pytest.approx((300_000, 1.0))
    assert (card["second_iops"], card["second_read_ratio"]) == pytest.approx((200_000, 0.7))
    assert card["throughput_mb_s"] == pytest.approx(20_000 * 256 * 1024 / 1e6, rel=1e-3)
    assert "base_latency_ms" not in card
