"""A profile is measured under a method: another method raises an alert that names the profile that fits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from addin.kernel import Address, Evaluator, Scalar
from addin.results import handoff
from addin.sizing.answers import answer, size
from addin.sizing.checks import Raised
from addin.workbook.book import SizingBook, open_book
from model.layout.grid import BASE
from model.sheets.catalogue import own_rows
from tests.support import shipped
from tests.support.answers import answers, changed
from tests.support.input_sets import Value
from tests.support.own_rows import ONE_LINE, Rows, own_cells

BUILT = shipped.built()
CELLS = shipped.built_cells()
LABEL = "The profile was measured under the provisioning method"
W11_PVS, W11_MCS = "Knowledge worker W11 PVS (RA-2022 2024)", "Knowledge worker W11 MCS (RA-2022 2024)"
CLONE = "Office worker full clone Monday (NTP 2016)"
HOSTS_MCS, HOSTS_PVS = (f"Knowledge worker session hosts {method} (RA-2137 2023)" for method in ("MCS", "PVS"))


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> SizingBook:
    return open_book(shipped.write(tmp_path_factory.mktemp("pairing")))


def found(book: SizingBook, *settings: str) -> list[Raised]:
    return [each for each in answer(book, settings, ["arrays_required"])[1] if each.label == LABEL]


def results(design: Mapping[str, Value], *keys: str, rows: Rows | None = None) -> tuple[Scalar, ...]:
    return answers(BUILT, changed(CELLS, own_cells(BUILT, rows or {})), [dict(design)], *keys)[0]


def test_pvs_under_a_profile_of_mcs_is_an_alert_that_names_the_profile_that_fits(book: SizingBook) -> None:
    """Seen: 3 arrays and no word; with the profile measured under PVS it is 4."""
    (told,) = found(book, "provisioning=PVS")
    assert told.kind == "alert"
    assert f"PVS: {W11_PVS}" in told.todo
    assert any(f"PVS: {W11_PVS}" in note for note in size(book, ["provisioning=PVS"]).notes)
    assert found(book) == []
    assert found(book, "provisioning=PVS", f"profile={W11_PVS}") == []


@pytest.mark.slow
def test_answer_and_the_hand_off_name_the_profile_that_fits(book: SizingBook, tmp_path: Path) -> None:
    cells = book.cells.with_values(book.settings(["provisioning=PVS"]))
    banner = Evaluator(cells).value(Address.from_a1(cells.names["Chk_Banner"].replace("$", "")))
    assert f"1 alert: Take a profile measured under PVS: {W11_PVS}" in str(banner)
    changed_book = replace(book, cells=cells, path=tmp_path / "PVS.xlsx")
    page = (handoff.write(changed_book).folder / "design.html").read_text(encoding="utf-8")
    assert f"PVS: {W11_PVS}" in page


@pytest.mark.parametrize(
    ("profile", "method", "fits"),
    [
        (W11_MCS, "MCS pooled", 0),
        (W11_MCS, "MCS + Personal vDisk", 0),
        (W11_MCS, "Linked clone", 0),
        (W11_MCS, "Instant clone", 0),
        (W11_MCS, "Full clone", 1),
        (W11_PVS, "MCS pooled", 1),
        (W11_PVS, "PVS", 0),
        (CLONE, "Full clone", 0),
        (CLONE, "Linked clone", 1),
        ("Office worker MCS + PvD (K2)", "MCS + Personal vDisk", 0),
        ("User data share (EQL 2012)", "User data share", 0),
        ("User data share (EQL 2012)", "PVS", 1),
    ],
)
def test_linked_and_instant_clones_count_as_mcs(profile: str, method: str, fits: int) -> None:
    assert results({"profile": profile, "provisioning": method}, "pair_unmeasured") == (fits,)


def test_the_newest_profile_measured_under_the_method_fits() -> None:
    sets: list[dict[str, Value]] = [
        {"provisioning": m} for m in ("PVS", "Instant clone", "Full clone", "User data share", "My method 1")
    ]
    sets += [{"provisioning": m, "users_per_vm": 10.0} for m in ("PVS", "Instant clone", "Full clone")]
    assert [row[0] for row in answers(BUILT, CELLS, sets, "fitting_profile")] == [
        W11_PVS, W11_MCS, CLONE, "User data share (EQL 2012)", "none published", HOSTS_PVS, HOSTS_MCS, "none published",
    ]  # fmt: skip


def test_a_profile_of_session_hosts_does_not_fit_desktops_for_one_user() -> None:
    rows: Rows = {"My profile 1": {**ONE_LINE, "measured_under": "MCS", "users_per_vm": 10.0}}
    mine: dict[str, Value] = {"profile": "My profile 1"}
    for design, flag in (
        (mine, 0),
        ({**mine, "users_per_vm": 12.0}, 0),
        ({**mine, "users_per_vm": 1.0}, 1),
        ({**mine, "provisioning": "PVS"}, 1),
    ):
        assert results(design, "pair_unmeasured", rows=rows) == (flag,), design
    hosts: dict[str, Value] = {"provisioning": "PVS", "users_per_vm": 10.0}
    (words,) = results(hosts, "pair_words")
    assert str(words).endswith(f"PVS session hosts: {HOSTS_PVS}")
    for method, flag in (("PVS", 0), ("MCS pooled", 1)):
        theirs: dict[str, Value] = {"profile": HOSTS_PVS, "provisioning": method}
        assert results(theirs, "users_per_vm", "pair_unmeasured", "users_per_vm_overstates") == (10, flag, 0)
        assert results({**theirs, "users_per_vm": 1.0}, "pair_unmeasured") == (1,)


def test_your_own_measurement_that_names_no_method_raises_nothing_and_is_named() -> None:
    rows: Rows = {"My profile 1": ONE_LINE}
    design: dict[str, Value] = {"profile": "My profile 1", "provisioning": "PVS"}
    assert results(design, "pair_unmeasured", "profile_family", rows=rows) == (0, "not given")
    rows = {"My profile 1": {**ONE_LINE, "measured_under": "MCS"}, "My method 1": {"counts_as": "PVS"}}
    assert results(design, "pair_unmeasured", "profile_family", rows=rows) == (1, "MCS")
    assert results({**design, "provisioning": "My method 2"}, "pair_unmeasured", rows=rows) == (0,)
    assert results({**design, "provisioning": "My method 1"}, "pair_unmeasured", "fitting_profile", rows=rows) == (
        1,
        W11_PVS,
    )


def test_the_choices_of_my_profiles_are_those_that_the_catalogue_uses() -> None:
    profiles = own_rows.tables(BUILT.data)["profiles"]
    sheet = BUILT.workbook[own_rows.NAME]
    place = profiles.cell("My profile 1", "measured_under")
    (rule,) = [rule for rule in sheet.data_validations.dataValidation if place in rule.sqref]
    assert (rule.type, rule.formula1) == ("list", "Tbl_Families")
    assert {row.measured_under for row in BUILT.data.profiles} == {"MCS", "PVS", "full clone", "user data share"}


def test_a_published_test_is_a_pair_measured_together_but_for_dedicated_desktops_of_intellicache() -> None:
    """ICA ran its profile, measured on pooled desktops, on dedicated ones: the only one of its columns that differs."""
    sheet, row = BUILT.layout.lines["pair_unmeasured"]
    evaluator = Evaluator(CELLS)
    columns = range(BASE + 8, BASE + len(BUILT.layout.case_names))
    flags = {BUILT.layout.case_names[c - BASE]: evaluator.value(Address(sheet, row, c)) for c in columns}
    assert [name for name, flag in flags.items() if flag] == ["ICA dedicated"]
