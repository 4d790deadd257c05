"""Profiles of today: what was published elsewhere stays apart, its defaults travel, its age is stated."""

import csv
from collections.abc import Mapping
from pathlib import Path

import pytest

from addin.kernel import Cells
from model.errors import DataError
from model.reading.facts import DIGITISED
from model.reading.read import DATA, load_facts, read
from model.sheets.proof import sources
from tests.support.answers import answers, changed, numbers
from tests.support.input_sets import Value
from tests.support.own_rows import own_cells
from tests.support.shipped import built, built_cells

BUILT = built()
CELLS = built_cells()
COLLECTED = Path(__file__).parents[3] / "shared" / "papers" / "modern_facts.csv"
OTHER_TESTS = (
    "NX37",
    "FPX",
    "DOR",
    "NX20",
    "AZS",
    "AZB",
    "ANS",
    "ANL",
    "APS",
    "ASE",
    "FXW",
    "CBT",
)  # session hosts, arrays, cloud
W11 = "Knowledge worker W11 MCS (RA-2022 2024)"
W10 = "Knowledge worker W10 MCS (RA-2053 2024)"
ELSEWHERE = "Knowledge worker W10 MCS containers elsewhere (TN-2077 2023)"
NTP = "Office worker full clone Monday (NTP 2016)"
TODAY = tuple(name for name in BUILT.data.profile_names() if name.startswith("Knowledge worker"))


def results(design: Mapping[str, Value], *keys: str, cells: Cells = CELLS) -> tuple[object, ...]:
    (values,) = answers(BUILT, cells, [dict(design)], *keys)
    return values


# ---- what they rest on ---------------------------------------------------------------------------


def test_facts_elsewhere_keep_the_collected_values_and_leave_the_quotes_behind() -> None:
    if not COLLECTED.is_file():
        pytest.skip("the collection is not part of the project; put it in ../shared/papers to run this check")
    with COLLECTED.open(encoding="utf-8", newline="") as file:
        collected = {row["id"]: row for row in csv.DictReader(file)}
    with (DATA / "facts_elsewhere.csv").open(encoding="utf-8", newline="") as file:
        kept = list(csv.DictReader(file))
    assert "quote" not in kept[0]
    for row in kept:
        if row["paper"] in OTHER_TESTS:
            continue
        same = ("paper", "system", "quantity", "phase", "value", "unit", "qualifier", "desktops", "os", "provisioning")
        assert [row[name] for name in same] == [collected[row["id"]][name] for name in same], row["id"]
        digitised = collected[row["id"]]["evidence"].startswith("chart digitised")
        assert (row["status"] == DIGITISED) == digitised, row["id"]


def test_every_fact_published_elsewhere_is_in_use_and_marked_on_sources() -> None:
    facts = BUILT.data.facts
    used = sources.used_facts(BUILT.data)
    assert [each for each in used if each in facts.facts_elsewhere] == list(facts.facts_elsewhere)
    rows = {row[0].value: row[9].value for row in BUILT.workbook["Evidence"].iter_rows(min_row=5)}
    for id, fact in facts.facts_elsewhere.items():
        assert str(rows[id]).startswith("published elsewhere, not one of the five"), id
        assert ("digitised" in str(rows[id])) == (fact.status == DIGITISED), id
    marked = {code for code in rows if "published elsewhere" in str(rows[code])}
    assert marked == {*facts.sources_elsewhere, *facts.facts_elsewhere}


@pytest.mark.slow
@pytest.mark.parametrize("file", ["evidence.csv", "predictions.csv", "facts.csv", "cases.csv"])
def test_what_counts_as_evidence_cannot_rest_on_what_was_published_elsewhere(tmp_path: Path, file: str) -> None:
    for path in DATA.glob("*.csv"):
        (tmp_path / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    old, new = {
        "evidence.csv": ("EQL-020", "NX22-036"),
        "predictions.csv": ("EQL-189", "NX22-036"),
        "facts.csv": ("EQL-001,EQL,", "EQL-001,NX22,"),
        "cases.csv": ("EQL 1 array,EQL,desktops", "EQL 1 array,NX22,desktops"),
    }[file]
    text = (tmp_path / file).read_text(encoding="utf-8")
    assert old in text
    (tmp_path / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DataError, match="NX22"):
        read(tmp_path)


def test_profiles_of_today_rest_on_nothing_older_but_what_is_marked_assumed() -> None:
    papers = set(BUILT.data.facts.sources_elsewhere)
    assert len(TODAY) == 7
    for row in BUILT.data.profiles:
        if row.profile in TODAY:
            for typed in (row.iops, row.minutes, row.read_ratio, row.block_kib):
                old = {fact.split("-")[0] for fact in typed.facts} - papers
                assert not old or typed.status == "assumed" or row.phase == "logoff", (row.profile, row.phase)
    for default in BUILT.data.profile_defaults:
        if default.profile in TODAY:
            assert {fact.split("-")[0] for fact in default.value.facts} <= papers


def test_every_assumed_figure_of_a_profile_of_today_names_its_range_or_its_loan() -> None:
    for row in BUILT.data.profiles:
        for typed in (row.iops, row.read_ratio, row.block_kib):
            if row.profile in TODAY and typed.status == "assumed" and typed.value is not None:
                assert "range" in typed.source, (row.profile, row.phase, typed.source)


def test_the_suspect_boot_of_ra_2053_is_left_blank() -> None:
    """Its printed 29,426 IOPS are the mean of the login run; the boot then takes the method's work, and says so."""
    assert "NX53-026" not in load_facts(DATA).facts_elsewhere
    boot = results({"profile": W10, "provisioning": "MCS pooled"}, "boot_work_ios", "boot_source")
    assert boot == (30000, "method, assumed")


@pytest.mark.parametrize(("method", "share"), [("PVS", 0.1), ("MCS pooled", 0.68), ("Full clone", 0.68)])
def test_a_boot_nobody_measured_has_both_figures_of_the_method(method: str, share: float) -> None:
    """I/Os of PVS with the read share of a full clone were a boot of 0.10 arrays for 0.21."""
    left = [row.profile for row in BUILT.data.profiles if row.read_ratio.value == "by method"]
    assert len(left) == 8
    keys = ("boot_work_ios", "boot_read_ratio", "boot_read_given")
    (work,) = results({"provisioning": method}, "method_boot_likely")
    for profile in left:
        assert results({"profile": profile, "provisioning": method}, *keys) == (work, share, 1), profile


# ---- work per login ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("profile", "desktops", "peak"),
    [
        (W11, 880, 46569),
        ("Knowledge worker W11 PVS (RA-2022 2024)", 880, 39377),
        (W10, 1040, 42491),
        ("Knowledge worker W10 PVS (RA-2053 2024)", 1040, 40068),
        (ELSEWHERE, 1000, 25689),
        ("Knowledge worker session hosts MCS (RA-2137 2023)", 800, 20084),
        ("Knowledge worker session hosts PVS (RA-2137 2023)", 800, 26704),
    ],
)
def test_the_login_peak_of_a_profile_comes_back_in_its_own_window(profile: str, desktops: float, peak: float) -> None:
    """Steady work and logins a second x work beyond it: whatever the busy period is assumed to be."""
    for seconds in (None, 180.0, 900.0):
        design: dict[str, Value] = {"profile": profile, "desktops": desktops, "login_duration_s": seconds}
        assert numbers(BUILT, CELLS, design, "login_iops") == pytest.approx([peak], abs=0.6)


def test_own_login_iops_go_before_the_work_of_the_profile_and_own_ios_before_both() -> None:
    keys = ("login_work_ios", "login_work_iops")
    work, iops = numbers(BUILT, CELLS, {"profile": W11}, *keys)
    assert work == pytest.approx(65225.5 + 30.2716 * 360, abs=1)
    assert iops == pytest.approx(work / 360)
    assert results({"profile": W11, "login_iops_per_desktop": 40.0}, *keys) == (-1, 40)  # told in IOPS
    assert results({"profile": W11, "login_iops_per_desktop": 40.0, "ios_per_login": 36000.0}, *keys) == (36000, 100)


# ---- defaults travel -----------------------------------------------------------------------------

MOVED = {  # input: general default; W11 of RA-2022
    "ram_gib": (2, 6),
    "write_cache_gib": (2, 10),
    "image_gib": (25, 60),
    "disk_gib": (32, 60),
    "start_rate_per_min": (100, 50),
    "login_window_min": (45, 48),
    "login_duration_s": (2700, 360),
    "users_per_vm": (1, 1),
}


def test_every_input_that_travels_is_told_here() -> None:
    assert {item.key for item in BUILT.data.travelling()} == set(MOVED)
    for key in MOVED:
        sheet, cell = BUILT.layout.typed(key)
        assert BUILT.workbook[sheet][cell].value is None, "ships empty"


@pytest.mark.parametrize("key", list(MOVED))
def test_an_empty_cell_takes_the_profile_s_figure_then_the_general_default(key: str) -> None:
    general, own = MOVED[key]
    keys = (key, f"{key}_source")
    assert results({"profile": W11}, *keys) == (own, W11)
    assert results({"profile": "My profile 1"}, *keys) == (
        general,
        "assumed: general default of 2012 to 2016 (CML, EQL, K2, NTP)",
    )
    assert results({"profile": W11, key: 7.0}, *keys) == (7, "entered")


@pytest.mark.parametrize("key", list(MOVED))
def test_a_what_if_takes_its_own_cell_then_the_base_then_its_profile(key: str) -> None:
    keys = (key, f"{key}_source")
    _, own = MOVED[key]
    base, whatif = answers(BUILT, CELLS, [{"profile": NTP, key: 7.0}, {"profile": W11}], *keys)
    assert (base, whatif) == ((7, "entered"), (7, "entered"))
    _, whatif = answers(BUILT, CELLS, [{"profile": NTP}, {"profile": W11}], *keys)
    assert whatif == (own, W11)
    _, whatif = answers(BUILT, CELLS, [{"profile": NTP, key: 7.0}, {"profile": W11, key: 9.0}], *keys)
    assert whatif == (9, "entered")


@pytest.mark.parametrize("key", [item.key for item in BUILT.data.travelling() if item.minimum])
def test_a_zero_is_no_figure_where_none_can_be_zero_and_a_text_is_none_anywhere(key: str) -> None:
    for typed in (0.0, "abc"):
        assert results({"profile": W11, key: typed}, f"{key}_source") == (W11,)


def test_the_user_s_own_profile_has_defaults_of_its_own() -> None:
    figures: dict[str, Value] = {"ram_gib": 8.0, "login_excess_ios": 50000.0, "year": 2015.0}
    cells = changed(CELLS, own_cells(BUILT, {"My profile 1": figures}))
    keys = ("ram_gib", "ram_gib_source", "login_excess_ios", "profile_age_years")
    assert results({"profile": "My profile 1"}, *keys, cells=cells) == (8, "My profile 1", 50000, 11)


# ---- age -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("year", "words"), [(2016.0, ""), (2021.0, ""), (2022.0, "6"), (2026.0, "10")])
def test_a_profile_older_than_five_years_is_told_in_the_answer(year: float, words: str) -> None:
    design: dict[str, Value] = {"profile": NTP, "provisioning": "Full clone", "design_year": year}
    (status,) = results(design, "status")
    assert ("; profile " in str(status)) == bool(words)
    assert not words or str(status).endswith(f"; profile {words} years old")


def test_the_published_tests_are_as_old_as_their_profiles() -> None:
    """The designs of the papers raise no alert that their own desktops are old."""
    for case in BUILT.data.cases:
        profile = str(case.values["profile"].value)
        year = BUILT.data.profile_default(profile, "year")
        assert year is not None
        (sheet, row), column = BUILT.layout.inputs["design_year"], BUILT.layout.column(case.name)
        typed = BUILT.workbook[sheet].cell(row, column).value
        assert typed == year.value, case.name


def test_summary_shows_the_year_of_the_profile() -> None:
    labels = {row[0].value: row[3].value for row in BUILT.workbook["Summary"].iter_rows(min_row=5, max_row=40)}
    sheet, cell = BUILT.layout.cell("profile_year")
    assert labels["Year of the profile"] == f"={sheet}!{cell}"
    assert results({}, "profile_year", "profile_age_years") == (2024, 2)


# ---- the shipped base ----------------------------------------------------------------------------


def test_the_shipped_base_is_w11_on_the_aff8040_with_nothing_unchecked() -> None:
    keys = ("desktops", "array", "profile", "provisioning", "constraints_unchecked", "unchecked_count", "status")
    assert results({}, *keys) == (1500, "NetApp AFF8040", W11, "MCS pooled", "none", 0, "3 arrays")


def test_the_work_of_the_shipped_base_by_hand() -> None:
    """Login 1,500 x 46,569 / 880; boot 36,480 x 18.9 / 880 over 30 minutes at 50 a minute; steady 26,639 / 880."""
    login, boot, steady = numbers(BUILT, CELLS, {}, "login_iops", "boot_iops", "steady_iops")
    assert login == pytest.approx(1500 * 46569 / 880, rel=1e-5)
    assert boot == pytest.approx(1500 * 36480 * 18.9 / 880 / 30, rel=1e-5)
    assert steady == pytest.approx(1500 * 26639 / 880, rel=1e-5)


def test_session_hosts_are_those_of_ra_2137() -> None:
    """Its chart by pixel against its printed legend: 800 users, means of the whole run 14,554 and 18,816 IOPS."""
    facts = BUILT.data.facts.facts_elsewhere
    settled = {"MCS": ("NX37-010", "NX37-011", 14554, 20248), "PVS": ("NX37-015", "NX37-016", 18816, 26704)}
    for method, (reads, writes, mean, most) in settled.items():
        profile = f"Knowledge worker session hosts {method} (RA-2137 2023)"
        steady = facts[reads].value + facts[writes].value
        assert mean < steady < most, method  # the run begins with nobody logged in, and ends with everybody
        design: dict[str, Value] = {"profile": profile, "desktops": 1600.0, "login_window_min": None}
        assert numbers(BUILT, CELLS, design, "steady_iops", "virtual_machines") == pytest.approx(
            [2 * steady, 160], abs=0.1
        )


def test_every_profile_of_today_leaves_nothing_unchecked_with_its_method() -> None:
    for profile in TODAY:
        method = "PVS" if "PVS" in profile else "MCS pooled"
        for provisioning in (method, "Full clone"):
            assert results({"profile": profile, "provisioning": provisioning}, "constraints_unchecked") == ("none",)
