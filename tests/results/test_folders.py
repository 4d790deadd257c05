"""A folder that is replaced as a whole: what somebody else put there stays; a kill leaves the old or the new one."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from addin.errors import RequestError
from addin.results import folders

NAMES = ("one.txt", "two.txt")


def writing(text: str) -> Callable[[Path], None]:
    def fill(made: Path) -> None:
        for name in NAMES:
            (made / name).write_text(text)

    return fill


def held(target: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in target.iterdir() if path.name != folders.LISTED}


@pytest.mark.parametrize("exchanges", [True, False])
def test_an_older_folder_is_replaced_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exchanges: bool) -> None:
    if not exchanges:
        monkeypatch.setattr(folders, "_exchanged", lambda *_: False)
    for text in ("old", "new"):
        folders.replace(tmp_path / "out", NAMES, writing(text))
        assert held(tmp_path / "out") == dict.fromkeys(NAMES, text)
    assert os.listdir(tmp_path) == ["out"]


def test_a_file_that_was_put_into_the_folder_is_never_deleted(tmp_path: Path) -> None:
    folders.replace(tmp_path / "out", NAMES, writing("old"))
    (tmp_path / "out" / "mine.txt").write_text("keep")
    with pytest.raises(RequestError, match=r"mine\.txt: was not written by this program.* Move it out"):
        folders.replace(tmp_path / "out", NAMES, writing("new"))
    assert held(tmp_path / "out") == {**dict.fromkeys(NAMES, "old"), "mine.txt": "keep"}


def test_a_file_that_was_changed_is_never_overwritten(tmp_path: Path) -> None:
    folders.replace(tmp_path / "out", NAMES, writing("old"))
    (tmp_path / "out" / "one.txt").write_text("my remarks")
    with pytest.raises(RequestError, match=r"one\.txt: was not written by this program, or was changed since"):
        folders.replace(tmp_path / "out", NAMES, writing("new"))
    assert (tmp_path / "out" / "one.txt").read_text() == "my remarks"


def test_a_folder_without_its_list_is_the_users(tmp_path: Path) -> None:
    """A signed design.pdf was replaced once files.sha256 was gone."""
    folders.replace(tmp_path / "out", NAMES, writing("old"))
    (tmp_path / "out" / "two.txt").write_text("signed")
    (tmp_path / "out" / folders.LISTED).unlink()
    with pytest.raises(RequestError, match=r"one\.txt: was not written by this program, or was changed since"):
        folders.replace(tmp_path / "out", NAMES, writing("new"))
    assert held(tmp_path / "out") == {"one.txt": "old", "two.txt": "signed"}


def test_a_file_that_arrives_meanwhile_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders.replace(tmp_path / "out", NAMES, writing("old"))
    swap = folders._swap

    def late(made: Path, target: Path) -> None:
        (target / "late.txt").write_text("keep")
        swap(made, target)

    monkeypatch.setattr(folders, "_swap", late)
    folders.replace(tmp_path / "out", NAMES, writing("new"))
    assert held(tmp_path / "out") == {**dict.fromkeys(NAMES, "new"), "late.txt": "keep"}
    assert os.listdir(tmp_path) == ["out"]


def test_a_link_to_a_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "real")
    with pytest.raises(RequestError, match="is not a hand-off"):
        folders.replace(tmp_path / "out", NAMES, writing("new"))
    assert not os.listdir(tmp_path / "real")


def test_a_failure_leaves_the_old_folder(tmp_path: Path) -> None:
    folders.replace(tmp_path / "out", NAMES, writing("old"))

    def fails(made: Path) -> None:
        (made / "one.txt").write_text("new")
        raise OSError(28, "No space left on device")

    with pytest.raises(RequestError, match=r"out: the disk is full\. Nothing was written; make room and run again\."):
        folders.replace(tmp_path / "out", NAMES, fails)
    assert held(tmp_path / "out") == dict.fromkeys(NAMES, "old")
    assert os.listdir(tmp_path) == ["out"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="os.kill")
def test_a_kill_at_any_moment_leaves_the_old_folder_or_the_new_one(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom pathlib import Path\nfrom addin.results import folders\nprint('on', flush=True)\nn = 0\n"
        "def fill(made):\n"
        "    for name in ('one.txt', 'two.txt'):\n        (made / name).write_text(str(n))\n"
        "while True:\n    n += 1\n    folders.replace(Path(sys.argv[1]), ('one.txt', 'two.txt'), fill)\n"
    )
    random.seed(1)
    for _ in range(10):
        with subprocess.Popen([sys.executable, "-c", program, str(tmp_path / "out")], stdout=subprocess.PIPE) as run:
            assert run.stdout is not None
            run.stdout.readline()
            while not (tmp_path / "out").exists():
                time.sleep(0.001)
            time.sleep(random.uniform(0, 0.05))
            run.send_signal(signal.SIGKILL)
        assert set(held(tmp_path / "out")) == set(NAMES)
        assert len(set(held(tmp_path / "out").values())) == 1
    folders.replace(tmp_path / "out", NAMES, writing("last"))
    assert os.listdir(tmp_path) == ["out"]
