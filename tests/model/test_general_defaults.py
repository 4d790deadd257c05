"""What stands in for figures that nobody entered is an old general default: named, never shown as published."""

from __future__ import annotations

from dataclasses import replace

import pytest

from addin.kernel import Address, Evaluator, Scalar
from addin.results.document.reading import Reading
from addin.results.document.review_chapters import questions
from addin.results.document.sources import Origin, Origins
from addin.simulation.montecarlo import simulate
from addin.sizing.answers import size
from addin.workbook.book import SizingBook, open_book
from model.errors import BuildError
from model.sheets.catalogue import own_rows
from model.sheets.front.answer import NAME as ANSWER
from model.sheets.sizing import design as design_sheet
from tests.support import shipped
from tests.support.own_results import BUILT, with_rows
from tests.support.own_results import results as results_of
from tests.support.own_rows import ONE_LINE, Rows, Value

ROWS: Rows = {"My profile 1": ONE_LINE}
MINE: dict[str, Value] = {"profile": "My profile 1"}
STORMS = "start rate 100 desktops/min (K2), login window 45 min (CML 2014), login duration 2,700 s (CML 2014)"
RANGED = "data reduction, I/Os of a boot, log-off window"  # what is assumed with a range comes first
STATE = Address.from_a1("'My profiles'!B5")
TYPED = [f"My profile 1.{key}={value}" for key, value in ONE_LINE.items()]
SETTINGS = ("profile=My profile 1", *TYPED)


def results(design: dict[str, Value], *keys: str) -> tuple[Scalar, ...]:
    return results_of(design, *keys, rows=ROWS)


def test_an_optional_input_that_nothing_fills_is_named_with_the_place_to_add_it() -> None:
    """A contributor's first input ended in StopIteration."""
    blank = next(item for item in BUILT.data.inputs if item.key == "burst_ratio")
    with pytest.raises(BuildError, match=r"inputs\.csv: ports_per_host may stay blank.*to _FALLBACK"):
        design_sheet.used(replace(blank, key="ports_per_host"))


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> SizingBook:
    return open_book(shipped.write(tmp_path_factory.mktemp("defaults")))


@pytest.mark.parametrize(
    ("method", "stored"),
    [
        ("MCS pooled", "memory 2 GiB (NTP 2016), cache 2 GiB (EQL 2012), image 25 GiB (EQL 2012)"),
        ("Full clone", "memory 2 GiB (NTP 2016), disk 32 GiB (NTP 2016)"),
        ("PVS", "memory 2 GiB (NTP 2016), cache 2 GiB (EQL 2012), image 25 GiB (EQL 2012)"),
    ],
)
def test_a_profile_typed_as_one_line_names_the_old_figures_that_its_method_uses(method: str, stored: str) -> None:
    design = {**MINE, "provisioning": method}
    words = f"{stored}, {STORMS}"
    assert results(design, "assumed_defaults", "demand_words") == (f"assumed: {words}", f"assumed: {RANGED}, {words}")


def test_no_source_on_design_shows_a_general_default_as_published() -> None:
    keys = ("ram_gib", "write_cache_gib", "image_gib", "disk_gib", "start_rate_per_min", "login_window_min")
    sources = results(MINE, *(f"{key}_source" for key in keys))
    assert set(sources) == {"assumed: general default of 2012 to 2016 (CML, EQL, K2, NTP)"}


def test_what_is_typed_or_travels_with_the_profile_is_not_assumed() -> None:
    assert results_of({}, "assumed_defaults") == ("",)
    typed = {"ram_gib": 8.0, "write_cache_gib": 10.0, "image_gib": 64.0}
    assert results({**MINE, **typed}, "assumed_defaults") == (f"assumed: {STORMS}",)
    storms = {"start_rate_per_min": 50.0, "login_window_min": 48.0, "login_duration_s": 360.0}
    assert results({**MINE, **typed, **storms}, "assumed_defaults") == ("",)
    mine = {"My profile 1": {**ONE_LINE, **typed, **storms}}
    assert results_of(MINE, "assumed_defaults", rows=mine) == ("",)


def test_the_card_of_a_profile_asks_for_memory_cache_image_and_disk() -> None:
    assert Evaluator(with_rows(ROWS)).value(STATE) == "complete; type memory, cache, image, disk, else assumed"
    part = {"My profile 1": {**ONE_LINE, "ram_gib": 8.0, "disk_gib": 64.0}}
    assert Evaluator(with_rows(part)).value(STATE) == "complete; type cache, image, else assumed"
    sheet = BUILT.workbook[own_rows.NAME]
    assert sheet["A5"].value == "My profile 1"


def chosen(book: SizingBook) -> SizingBook:
    return replace(book, cells=book.cells.with_values(book.settings(SETTINGS)))


@pytest.mark.slow
def test_answer_names_them_under_not_known_of_the_load(book: SizingBook) -> None:
    cells = chosen(book).cells
    (row,) = (at.row for at, value in cells.values.items() if at.sheet == ANSWER and value == "UNKNOWN ABOUT THE LOAD")
    text = str(Evaluator(cells).value(Address(ANSWER, row, 4)))
    assert text.startswith(f"assumed: {RANGED}, memory 2 GiB (NTP 2016), cache 2 GiB (EQL 2012), image 25 GiB")


@pytest.mark.slow
def test_size_and_simulate_name_them(book: SizingBook) -> None:
    notes = size(book, [*SETTINGS, "provisioning=Full clone"]).notes
    assert any(note.startswith("Assumed: memory 2 GiB (NTP 2016), disk 32 GiB (NTP 2016)") for note in notes)
    assert not any(note.startswith("Assumed") for note in size(book, []).notes)
    said = simulate(chosen(book), trials=256, seed=1).notes
    assert any(note.startswith("Held as assumed: memory 2 GiB (NTP 2016)") for note in said)


@pytest.mark.slow
def test_the_hand_off_lists_them_as_assumptions_to_confirm(book: SizingBook) -> None:
    reading = Reading(chosen(book))
    origins = Origins(reading)
    told: dict[str, Origin] = {each.item.key: each for each in origins.inputs}
    for key, value in (("ram_gib", "2\u00a0GiB"), ("write_cache_gib", "2\u00a0GiB"), ("image_gib", "25\u00a0GiB")):
        assert (told[key].value, told[key].status) == (value, "assumed"), key
        assert "a general default" in told[key].source
    chapter = str(questions(reading, origins))
    assert all(label in chapter for label in ("Memory per desktop", "Write cache or difference disk", "Base image"))
    assert "Disk of a full clone" not in chapter  # pooled desktops have none
