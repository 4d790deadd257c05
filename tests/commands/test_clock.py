"""A time of day is typed as 07:00 and printed so, by every command that reads or prints inputs."""

import json
from pathlib import Path

import pytest

from addin.workbook.book import open_book
from addin.workbook.digests import digest
from addin.workbook.item import clock_text
from tests.support.shell import Run

SEVEN = 7 / 24
OVERLAP = "Boot and logins overlap for 6 minutes: 38,466 IOPS asked at 07:06"
SET = ("--set", "boot_at=06:50", "--set", "logins_at=07:00")


@pytest.mark.slow
@pytest.mark.parametrize("typed", ["25:00", "24:00", "7.30", "7", "7 Uhr", "07:60", "0.29", "-1:00", "7:5", "07:00 am"])
def test_what_is_no_time_is_one_line_that_says_how_to_type_one(run: Run, original: Path, typed: str) -> None:
    code, out, err = run("size", original, "--set", f"logins_at={typed}")
    told = f"logins_at={typed}: expected a time of day. Type it as 07:00, from 00:00 to 23:59."
    assert (code, out, err.strip().removeprefix("error: ")) == (2, "", told)


def test_the_answer_says_the_overlap_in_one_line(run: Run, original: Path) -> None:
    code, out, _ = run("size", original, *SET, "--result", "together_words", "--json")
    assert (code, json.loads(out)["results"][0]["value"]) == (0, OVERLAP)


def test_times_that_contradict_are_an_error_with_what_to_do(run: Run, original: Path) -> None:
    out = run("size", original, "--set", "boot_at=07:00", "--set", "logins_at=06:45")[1]
    assert (
        "The clock times are two times of day, the boot first. Enter when boot and logins start, both as 07:00" in out
    )
    assert "IOPS in boot" not in out


@pytest.mark.slow
def test_a_grid_takes_times_as_a_list_and_as_a_range(run: Run, original: Path) -> None:
    for values in ("06:30,06:45,07:00", "06:30:07:00:00:15"):
        vary = ("--set", "boot_at=06:30", "--vary", f"logins_at={values}", "--result", "ratio_together")
        code, out, _ = run("whatif", original, *vary, "--json")
        assert (code, [row["logins_at"] for row in json.loads(out)["rows"]]) == (0, ["06:30", "06:45", "07:00"])
        assert "06:45" in run("whatif", original, *vary)[1]


def test_seek_finds_a_time_to_the_minute(run: Run, original: Path) -> None:
    """The boot of 16 minutes from 06:30 is over at 06:46."""
    goal = ("--set", "boot_at=06:30", "--vary", "logins_at=06:30:07:30", "--target", "ratio_together>=0.001")
    assert "Largest logins_at with ratio_together >= 0.001: 06:45." in run("seek", original, *goal)[1]


def test_inputs_show_what_a_time_looks_like(run: Run, original: Path) -> None:
    out = run("inputs", original, "--find", "logins_at")[1]
    assert "a time such as 07:00" in out


@pytest.mark.slow
def test_changes_of_the_page_are_written_and_compared_as_times(run: Run, original: Path, tmp_path: Path) -> None:
    new, changes = tmp_path / "new.xlsx", tmp_path / "changes.json"
    inputs = {"boot_at": "06:50", "logins_at": SEVEN}
    changes.write_text(json.dumps({"workbook digest": digest(open_book(original).cells), "inputs": inputs}))
    code, out, err = run("apply", original, changes, "--save", new)
    assert (code, err) == (0, "")
    assert "boot_at: blank -> 06:50\nlogins_at: blank -> 07:00\n" in out
    assert open_book(new).cells.constant(open_book(new).inputs["logins_at"].address) == SEVEN
    out = " ".join(run("diff", original, new)[1].split())  # lines end at the width of the terminal
    assert "(blank) -> 06:50" in out
    assert "(blank) -> 07:00" in out
    assert "07:00" in run("inputs", new, "--find", "logins_at")[1]
    assert '"value": "07:00"' in run("inputs", new, "--find", "logins_at", "--json")[1]
    assert OVERLAP in run("size", new, "--result", "together_words")[1]
    assert run("explain", new, "logins_at")[1].startswith("Logins start at (blank = after the boot): 07:00, typed at")


@pytest.mark.slow
def test_a_number_of_a_file_that_is_no_time_is_refused(run: Run, original: Path, tmp_path: Path) -> None:
    changes = tmp_path / "changes.json"
    changes.write_text(json.dumps({"workbook digest": digest(open_book(original).cells), "inputs": {"boot_at": 7}}))
    code, _, err = run("apply", original, changes, "--save", tmp_path / "new.xlsx")
    assert (code, "no time of day" in err or "expected a time of day" in err) == (2, True)


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "00:00"), (SEVEN, "07:00"), (0.99999, "23:59:59"), (86369 / 86400, "23:59:29"), (1.5, "1.5"), (-1.0, "-1")],
)
def test_a_share_of_the_day_is_told_as_a_time(share: float, text: str) -> None:
    assert clock_text(share) == text
