"""What a button works on is what was selected at its click, and of two clicks the first goes on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from addin.running import launch, runfile
from addin.running.runfile import Record
from addin.running.runner import run_command
from addin.shell import result_sheet
from addin.workbook.book import open_book
from tests.commands.test_launch import ended, log_text, own_folder
from tests.support import opened

__all__ = ["own_folder"]
pytestmark = pytest.mark.office


@pytest.mark.parametrize(
    ("other", "elsewhere", "refused"),
    [(9.0, False, True), (11.0, False, False), (9.0, True, False), (-90.0, False, False)],
    ids=["before", "after", "on a namesake", "long before, so that its number is another process's"],
)
def test_of_two_clicks_the_first_goes_on_whichever_process_is_there_first(
    original: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    other: float,
    elsewhere: bool,
    refused: bool,
) -> None:
    """Neither holds the workbook yet: the other one still loads."""
    monkeypatch.setattr("addin.running.dialogs.show_message", lambda app, text: None)
    path = opened.copied(original, tmp_path)
    theirs, own = runfile.new_token(), runfile.new_token()
    book = str(tmp_path / "elsewhere" / path.name) if elsewhere else str(path)
    runfile.write(Record(theirs, os.getpid(), "simulate", "file", book, "", other))
    runfile.write(Record(own, os.getpid(), "explain", "file", str(path), "", 10.0))
    code = run_command("explain", "file", str(path), None, {"name": "arrays_required"}, own)
    said = f"error: {path.name}: Monte Carlo is still running on it. Wait for it, or press Cancel.\n"
    assert (code, capsys.readouterr().err) == ((2, said) if refused else (0, ""))


@pytest.mark.parametrize(("pipe", "waits"), [("vdi-sizing-1", True), ("", False)], ids=["in one office", "by name"])
def test_a_name_alone_is_no_document(pipe: str, waits: bool) -> None:
    """Two offices may hold workbooks of one name: a command typed in a shell was refused for a run in the other one."""
    theirs, own = (
        Record(runfile.new_token(), os.getpid(), "simulate", "libreoffice", "Quote.xlsx", pipe, at)
        for at in (9.0, 10.0)
    )
    for record in (theirs, own):
        runfile.write(record)
    assert runfile.before(own.token) == (theirs if waits else None)


def test_what_was_selected_at_the_click_is_explained_whatever_is_selected_now(original: Path, tmp_path: Path) -> None:
    path = opened.copied(original, tmp_path)
    at = open_book(path).results["cost_per_desktop"].address
    place = f"{at.row},{at.column},{at.sheet}"
    assert ended(launch.start("explain", "file", str(path), selected=place)) == 0, log_text()
    assert f"{at.a1} explained: see the sheet Explanation." in log_text()


@pytest.mark.parametrize("place", ["", "5,4,", "x,4,Inputs", "5", "-5,4,Inputs"])
def test_a_place_that_no_button_gives_leaves_it_to_what_is_selected(place: str) -> None:
    assert result_sheet.clicked(place) is None
