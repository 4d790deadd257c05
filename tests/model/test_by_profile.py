"""What a published profile assumes is named as unknown until somebody enters it."""

import pytest

from model.sheets.catalogue import by_profile
from tests.support.own_results import BUILT
from tests.support.own_results import results as results_of
from tests.support.own_rows import ONE_LINE, Rows, Value

CACHE = "space written per desktop"  # its ends are tried, so that it is named before
LINE = "login duration, boot reads, block size, log-off IOPS"
ENTERED: dict[str, Value] = {
    "login_duration_s": 300, "boot_read_ratio": 0.5, "steady_block_kib": 8, "ios_per_logoff": 900,
}  # fmt: skip
PVS = "Knowledge worker W11 PVS (RA-2022 2024)"


def words(design: dict[str, Value], rows: Rows | None = None) -> str:
    (found,) = results_of(design, "demand_words", rows=rows or {})
    return str(found).partition("its profile assumes: ")[2]


def test_the_shipped_design_names_what_its_profile_assumes() -> None:
    """Seen: "assumed: data reduction, log-off window", while RA-2022 prints no cache, no block size and no log-off."""
    assert words({}) == LINE
    (found,) = results_of({}, "demand_words")
    assert CACHE in str(found).partition("; its profile assumes: ")[0]
    (entered,) = results_of({"write_cache_gib": 5}, "demand_words")
    assert CACHE not in str(entered)


@pytest.mark.parametrize(("key", "word"), list(zip(ENTERED, LINE.split(", "), strict=True)))
def test_a_figure_that_is_entered_is_not_assumed(key: str, word: str) -> None:
    assert words({key: ENTERED[key]}).split(", ") == [each for each in LINE.split(", ") if each != word]


def test_nothing_is_named_where_all_of_it_is_entered_or_the_profile_is_ones_own() -> None:
    assert words(ENTERED) == ""
    assert words({"profile": "My profile 1"}, {"My profile 1": ONE_LINE}) == ""


def test_a_cache_that_the_method_does_not_store_is_not_named() -> None:
    assert "cache" not in str(results_of({"provisioning": "Full clone"}, "demand_words"))
    told = words({"provisioning": "PVS", "profile": PVS})
    assert told == f"image, start rate, {LINE}"
    assert words({"provisioning": "PVS", "profile": PVS, "image_gib": 60, "start_rate_per_min": 40}) == LINE


def test_every_profile_that_assumes_a_figure_says_so() -> None:
    said = {name: by_profile.words(BUILT.data, name) for name in BUILT.data.profile_names()}
    assert said["User data share (EQL 2012)"] == ", block size"
    assert ", login window, " in str(said["Knowledge worker W10 MCS containers elsewhere (TN-2077 2023)"])
    assert "block size" not in str(said["Office worker MCS + PvD (K2)"])
