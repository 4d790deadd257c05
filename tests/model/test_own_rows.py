"""Own profiles in one line, own methods, own host caches: what they answer, what a blank does, bad input."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from openpyxl.utils.cell import coordinate_to_tuple

from addin.kernel import Address, Evaluator, ExcelError
from addin.workbook.book import open_book
from model.layout.grid import OWN_CACHES, OWN_METHODS, OWN_PROFILES, OWN_SHARES
from model.sheets.catalogue import measured, own_rows, user_groups
from model.sheets.catalogue.phases import LABELS, MACHINES, PHASES
from model.sheets.front import hand_off
from tests.support.answers import numbers
from tests.support.own_results import BUILT, MINE, raised, results, with_rows, without
from tests.support.own_rows import CACHE, CLONES, ONE_LINE, Rows, Value, own_cells
from tests.support.shipped import fresh

TABLES = own_rows.tables(BUILT.data)
MOVED = (  # what a cell may move
    *(f"ratio_{key}" for key in ("capacity", *PHASES, "throughput", "latency", "failover")),
    *(f"{phase}_iops" for phase in PHASES), *(f"throughput_{phase}" for phase in PHASES),
    *("status", "peak_utilisation", "capacity_required_gib", "login_peak_minute", "profile_counted_twice"),
    "pair_unmeasured",
    *("boot_minutes", "boot_minutes_low", "boot_minutes_high", "local_disk_gib", "local_disk_short"),
)  # fmt: skip


def state_of(name: str, rows: Rows) -> str:
    """Return what My profiles says beside the name of a profile."""
    return str(Evaluator(with_rows(rows)).value(Address.from_a1(f"'{own_rows.NAME}'!B{TABLES['profiles'].row(name)}")))


# ---- a profile of one line -----------------------------------------------------------------------


def test_a_profile_of_five_cells_is_sized_at_once_and_nothing_of_it_is_zero() -> None:
    """By hand: 45 minutes of even logins; 1,500 x (65,222 / 2,700 + 30.27) IOPS as the last ones arrive."""
    rows = {"My profile 1": ONE_LINE}
    assert len(ONE_LINE) == 5
    status, unchecked, count = results(MINE, "status", "constraints_unchecked", "unchecked_count", rows=rows)
    assert (unchecked, count) == ("none", 0)
    assert not str(status).startswith(("at least", "error"))
    login, steady, logoff, *asked = numbers(
        BUILT, with_rows(rows), MINE, "login_iops", "steady_iops", "logoff_asked_iops", *(f"{p}_iops" for p in PHASES)
    )
    assert login == pytest.approx(1500 * (65222 / 2700 + 30.27))
    assert steady == pytest.approx(1500 * 30.27)
    assert logoff == pytest.approx(1500 * 9000 / (60 * 30))
    assert all(value > 0 or value == -2 for value in asked)  # pooled desktops are patched by their image: none
    assert results(MINE, "boot_source", "provisioning_source", rows=rows) == ("method, assumed", "method, assumed")


@pytest.mark.parametrize("phase", MACHINES)
def test_iops_of_a_machine_need_the_minutes_of_their_run(phase: str) -> None:
    """The method's figure counted in their place, "complete": 10 and 60 IOPS of a boot gave the same arrays."""
    title = own_rows.phase_name("My profile 1", phase)
    figures: dict[str, Value] = {"iops": 30.0, "read_ratio": 0.5, "block_kib": 16.0}
    design = {**MINE, "provisioning": "Full clone"}
    for minutes, known in ((None, False), (10.0, True)):
        rows: Rows = {"My profile 1": ONE_LINE, title: {**figures, "minutes": minutes}}
        work = results(design, f"{phase}_work_ios", rows=rows)[0]
        state = state_of("My profile 1", rows)
        assert (work == 30 * 10 * 60) is known
        assert (work == -1) is not known
        assert (f"minutes of {LABELS[phase].capitalize()}" in state) is not known


def test_log_off_iops_entered_come_before_those_of_the_profile() -> None:
    """By hand 1,500 x 300 IOPS x 30 min / 30 min; the profile's 9,000 I/Os were taken, 2 arrays for 8."""
    typed = {**MINE, "logoff_iops_per_desktop": 300.0, "logoff_run_min": 30.0}
    rows = {"My profile 1": ONE_LINE}
    assert numbers(BUILT, with_rows(rows), typed, "logoff_work_ios") == [300 * 30 * 60]
    assert numbers(BUILT, with_rows(rows), {**typed, "ios_per_logoff": 500.0}, "logoff_work_ios") == [500]
    assert numbers(BUILT, with_rows(rows), MINE, "logoff_work_ios") == [9000]


def test_a_login_that_nobody_knows_is_not_called_saturated() -> None:
    rows = {"My profile 1": without(ONE_LINE, "login_excess_ios")}
    assert results(MINE, "login_latency_ms", "failover_login_latency_ms", rows=rows) == ("not known", "not known")


def test_login_iops_stand_instead_of_work_per_login() -> None:
    rows = {"My profile 1": {**without(ONE_LINE, "login_excess_ios"), "login_iops": 54.43}}
    (login,) = numbers(BUILT, with_rows(rows), MINE, "login_iops")
    assert login == pytest.approx(1500 * 54.43)
    both = {"My profile 1": {**ONE_LINE, "login_iops": 54.43}}
    assert results(MINE, "login_iops", rows=both) == results(MINE, "login_iops", rows={"My profile 1": ONE_LINE})
    assert "; I/Os of a login count, not IOPS" in state_of("My profile 1", both)
    assert "not IOPS" not in state_of("My profile 1", rows)


@pytest.mark.parametrize(
    ("blank", "named"),
    [
        (("login_excess_ios",), ("login demand",)),
        (("steady_iops",), ("steady demand",)),
        (("logoff_ios",), ("log-off demand",)),
        (("read_ratio",), ("login read share", "steady read share", "log-off read share", "provisioning read share")),
        (("block_kib",), ("login block size", "steady block size", "boot block size", "provisioning block size")),
    ],
)
def test_a_blank_of_the_line_is_named_and_the_answer_says_at_least(blank: tuple[str, ...], named: tuple[str]) -> None:
    rows = {"My profile 1": without(ONE_LINE, *blank)}
    status, unchecked = results(MINE, "status", "constraints_unchecked", rows=rows)
    assert str(status).startswith("at least ")
    assert all(name in str(unchecked) for name in named), unchecked
    assert state_of("My profile 1", rows).startswith("missing on My profiles: ")


def test_an_empty_own_profile_is_an_error_that_says_what_to_type_and_never_a_number() -> None:
    keys = ("arrays_required", "arrays_normal", "binding_constraint", "ratio_largest", "cost_total")
    status, *values = results({**MINE, "array_price": 50000.0}, "status", *keys)
    assert status == "fill My profile 1 on My profiles: login, IOPS at work, read share, block size"
    assert all(isinstance(value, ExcelError) for value in values), values
    only_desktop = {"My profile 1": {"ram_gib": 8.0, "year": 2025.0}}
    assert str(results(MINE, "status", rows=only_desktop)[0]).startswith("fill My profile 1")
    assert results({"profile": "No such profile"}, "status") == ("Choose a workload profile.",)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("label", "design", "rows", "flag"),
    [
        ("The chosen profile has figures", MINE, {}, 1),
        ("The chosen profile has figures", MINE, {"My profile 1": {"steady_iops": 5.0}}, 0),
        ("The chosen profile has figures", {}, {}, 0),
        ("My profile 4 is blank or complete", {}, {}, 0),
        ("My profile 4 is blank or complete", {}, {"My profile 4": {"steady_iops": 5.0}}, 1),
        ("My profile 4 is blank or complete", {}, {"My profile 4": ONE_LINE}, 0),
        ("My method 2 is blank or complete", {}, {"My method 2": without(CLONES, "disk")}, 1),
        ("My method 2 is blank or complete", {}, {"My method 2": without(CLONES, "boot_low", "boot_high")}, 0),
        ("My cache 1 is blank or complete", {}, {"My cache 1": without(CACHE, "host_gib")}, 1),
        ("My cache 1 is blank or complete", {}, {"My cache 1": CACHE}, 0),
        ("My profile 1 is blank or complete", {}, {"My profile 1": {**ONE_LINE, "name": "My profile 2"}}, 1),
        ("My method 1 is blank or complete", {}, {"My method 1": {**CLONES, "name": "PVS"}}, 1),
        ("My cache 2 is blank or complete", {}, {"My cache 2": {**CACHE, "name": "none"}}, 1),
        ("Every figure of the chosen host cache is known", {"cache_state": "IntelliCache pooled, warm"}, {}, 0),
        ("Every figure of the chosen host cache is known", {"cache_state": "My cache 2"}, {}, 1),
    ],
)
def test_checks_say_what_is_empty_incomplete_or_complete(
    label: str, design: Mapping[str, Value], rows: Rows, flag: int
) -> None:
    assert raised(label, design, rows) == flag


# ---- phase by phase ------------------------------------------------------------------------------


def test_a_phase_that_was_measured_goes_before_the_line() -> None:
    rows = {
        "My profile 1": ONE_LINE,
        "My profile 1 boot": {"iops": 50.0, "minutes": 10.0, "read_ratio": 0.8, "block_kib": 32.0},
        "My profile 1 steady work": {"iops": 20.0},
    }
    source, work, read, block, steady = results(
        MINE, "boot_source", "boot_work_ios", "boot_read_ratio", "boot_block_kib", "steady_iops", rows=rows
    )
    assert (source, work, read, block) == ("profile's IOPS x minutes", 50 * 10 * 60, 0.8, 32)
    assert steady == pytest.approx(1500 * 20)
    assert results(MINE, "login_read_ratio", "login_block_kib", rows=rows) == (0.49, 16)


@pytest.mark.parametrize(("method", "share"), [("MCS pooled", 0.68), ("Instant clone", 0.68), ("PVS", 0.1)])
def test_the_method_tells_how_much_of_a_boot_is_read_unless_the_profile_does(method: str, share: float) -> None:
    design = {**MINE, "provisioning": method}
    line = {"My profile 1": ONE_LINE}
    assert results(design, "boot_read_ratio", "boot_read_given", rows=line) == (share, 1)
    phase = {**line, "My profile 1 boot": {"read_ratio": 0.3}}
    assert results(design, "boot_read_ratio", rows=phase) == (0.3,)
    assert results({**design, "boot_read_ratio": 0.2}, "boot_read_ratio", rows=phase) == (0.2,)


def test_a_full_profile_needs_no_line() -> None:
    full: dict[str, Mapping[str, Value]] = {
        own_rows.phase_name("My profile 2", phase): {"iops": 10.0, "read_ratio": 0.5, "block_kib": 16.0}
        for phase in PHASES
    }
    for phase in ("provisioning", "boot", "logoff", "patching"):
        full[own_rows.phase_name("My profile 2", phase)] = {
            **full[own_rows.phase_name("My profile 2", phase)], "minutes": 10.0
        }  # fmt: skip
    design = {**MINE, "profile": "My profile 2"}
    assert results(design, "unchecked_count", "logoff_work_ios", rows=full) == (0, 6000)
    place = f"B{TABLES['profiles'].row('My profile 2')}"
    assert (
        Evaluator(with_rows(full)).value(Address.from_a1(f"'{own_rows.NAME}'!{place}"))
        == "complete; type memory, cache, image, disk, else assumed"
    )


# ---- every typed cell moves an answer ------------------------------------------------------------

FULL: dict[str, Mapping[str, Value]] = {
    "My profile 1": {**ONE_LINE, "local_profile": "no", "measured_under": "MCS"},
    **{
        own_rows.phase_name("My profile 1", phase): {"burst_ratio": 1.5}
        for phase in PHASES
    },
    "My method 1": {**CLONES, "counts_as": "MCS"},
    "My cache 1": CACHE,
}  # fmt: skip
DESIGN: dict[str, Value] = {
    **MINE, "provisioning": "My method 1", "cache_state": "My cache 1", "container_place": "this array",
    "container_gib": 5.0, "pvd_gib": 5.0, "user_data_reduction_ratio": 2.0, "array": "NetApp AFF8040",
}  # fmt: skip
TOWARDS: dict[str, Value] = {
    "local_profile": "yes",
    "measured_under": "PVS",
    "counts_as": "PVS",
    "year": 2010.0,
    "host_gib": 0.5,
    "boot_low": 5000.0,
    "iops": 77.0,
}
HYBRID = "Dell EqualLogic PS6010XVS"
NO_ANSWER_HERE = {"users_per_vm"}  # travels with a profile; nothing on this sheet's path reads it


def cells_of(table: str, name: str) -> list[tuple[str, str]]:
    return [(name, field.key) for field in TABLES[table].fields]


EVERY = [
    *cells_of("profiles", "My profile 1"),
    *(pair for phase in PHASES for pair in cells_of("phases", own_rows.phase_name("My profile 1", phase))),
    *cells_of("methods", "My method 1"),
    *cells_of("caches", "My cache 1"),
]


def is_open(name: str, key: str) -> bool:
    (table,) = (each for each in TABLES.values() if name in each.names)
    return not BUILT.workbook[own_rows.NAME][table.cell(name, key)].protection.locked


@pytest.mark.slow
@pytest.mark.parametrize(("name", "key"), [(n, k) for n, k in EVERY if is_open(n, k) and k not in NO_ANSWER_HERE])
def test_every_cell_that_can_be_typed_moves_an_answer(name: str, key: str) -> None:
    field = next(f for table in TABLES.values() if name in table.names for f in table.fields if f.key == key)
    before = FULL.get(name, {})
    rows, design = dict(FULL), dict(DESIGN)
    if key == "login_iops":
        rows["My profile 1"] = before = without(before, "login_excess_ios")
    if key in ("plain_likely", "swap", "ram_gib"):
        design["array"] = HYBRID  # its swap files are written, and it reduces nothing inline
    if key in ("plain_likely", "inline_likely", "write_cache"):
        design["cache_state"] = "none"  # else no write cache reaches the array
    if key == "disk_gib":
        rows["My method 1"] = {**CLONES, "disk": 1.0}
    if key in ("boot_low", "boot_high"):
        design |= {"arrays_installed": 1.0, "start_rate_per_min": 100000.0, "cache_state": "none"}  # it limits the boot
    if key == "minutes":
        rows[name] = before = {**before, "iops": 10.0, "minutes": 5.0}
    if key == "iops" and name.endswith("login"):
        rows["My profile 1"] = without(rows["My profile 1"], "login_excess_ios")
    if key in ("iops", "minutes") and name.endswith("log-off"):
        rows["My profile 1"] = without(rows["My profile 1"], "logoff_ios")
    if key == "iops" and not name.endswith(("login", LABELS["steady"], "log-off")):
        rows[name] = before = {**before, "minutes": 5.0}
    old = before.get(key)
    new = TOWARDS.get(key, field.low + (field.high - field.low) / 4 if field.unit == "ratio" else None)
    if new is None:
        new = 1.0 - float(old or 0) if field.unit == "flag" else float(old or max(field.low, 4.0)) * 2
    first = results(design, *MOVED, rows=rows)
    second = results(design, *MOVED, rows={**rows, name: {**before, key: new}})
    assert first != second, (name, key, old, new)


# ---- names, keys, bad input ----------------------------------------------------------------------


def test_an_own_name_is_what_inputs_offers() -> None:
    rows: Rows = {
        "My profile 3": {**ONE_LINE, "name": "Sales floor"},
        "My method 2": {**CLONES, "name": "Layered clones"},
        "My cache 2": {**CACHE, "name": "NVMe in the host"},
    }
    design = {"profile": "Sales floor", "provisioning": "Layered clones", "cache_state": "NVMe in the host"}
    status, missing = results(design, "status", "cache_missing", rows=rows)
    assert not str(status).startswith("error")
    assert missing == ""
    cells = with_rows(rows)
    for name, own in zip(("Tbl_Profiles", "Tbl_Methods", "Tbl_Caches"), design.values(), strict=True):
        sheet, _, area = BUILT.workbook.defined_names[name].attr_text.replace("$", "").rpartition("!")
        first, last = (coordinate_to_tuple(corner) for corner in area.split(":"))
        shown = Evaluator(cells)
        texts = [shown.value(Address(sheet, row, first[1])) for row in range(first[0], last[0] + 1)]
        assert own in texts
        assert len(texts) == len(set(texts))


IN_COLUMNS = ("Own_arrays", "Own_quotes")


@pytest.mark.parametrize("title", [own_rows.NAME, user_groups.NAME])
def test_everything_that_can_be_typed_has_a_name_of_the_shape_of_its_table(title: str) -> None:
    sheet = BUILT.workbook[title]
    named = set()
    for name, defined in BUILT.workbook.defined_names.items():
        home, _, cells = defined.attr_text.rpartition("!")
        if name.startswith("Own_") and home.strip("'") == title:
            table = BUILT.workbook.defined_names[name.partition(".")[0]]
            area, rows = (sheet[each.replace("$", "")] for each in (cells, table.attr_text.rpartition("!")[2]))
            assert [row[0].row for row in area] == [row[0].row for row in rows], name
            named |= {cell.coordinate for row in area for cell in row}
    typing = {cell.coordinate for row in sheet.iter_rows() for cell in row if not cell.protection.locked}
    assert typing
    assert typing <= named


def test_every_own_table_is_on_a_sheet_that_people_fill() -> None:
    places = {
        name: defined.attr_text.rpartition("!")[0].strip("'")
        for name, defined in BUILT.workbook.defined_names.items()
        if name.startswith("Own_") and name.partition(".")[0] not in IN_COLUMNS
    }
    assert set(places.values()) == {own_rows.NAME, user_groups.NAME, measured.NAME, hand_off.NAME}
    names = {cell.value for cell in BUILT.workbook[own_rows.NAME]["A"]}
    assert names.issuperset((*OWN_PROFILES, *OWN_METHODS, *OWN_CACHES, *OWN_SHARES))


def test_every_field_of_own_arrays_has_a_name_as_wide_as_their_names() -> None:
    names = {name: each.attr_text for name, each in BUILT.workbook.defined_names.items() if name.startswith("Own_arr")}
    areas = {name: text.rpartition("!")[2].replace("$", "") for name, text in names.items()}
    columns = {"".join(letter for letter in area if not letter.isdigit()) for area in areas.values()}
    assert len(columns) == 1, columns
    assert {text.rpartition("!")[0].strip("'") for text in names.values()} == {"My arrays"}
    cards, named = BUILT.workbook["My arrays"], set()
    for name in names:
        named |= {cell.coordinate for row in cards[areas[name]] for cell in row}
    assert {cell.coordinate for row in cards.iter_rows() for cell in row if not cell.protection.locked} <= named


@pytest.mark.parametrize(
    ("name", "key", "bounds", "says"),
    [
        ("My profile 1", "read_ratio", ("0", "1"), "Enter a number from 0 to 1."),
        ("My profile 1", "block_kib", ("0.5", "4096"), "Enter a number from 0.5 to 4,096."),
        ("My profile 1", "login_excess_ios", ("1", "10000000"), "Enter a number from 1 to 10,000,000."),
        ("My profile 1 boot", "read_ratio", ("0", "1"), "Enter a number from 0 to 1."),
        ("My method 1", "inline_likely", ("1", "1000"), "Enter a number from 1 to 1,000."),
        ("My method 1", "disk", ("0", "1"), "Enter a whole number from 0 to 1."),
        ("My cache 1", "boot_read_offload", ("0", "1"), "Enter a number from 0 to 1."),
    ],
)
def test_bad_input_is_refused_at_the_cell(name: str, key: str, bounds: tuple[str, str], says: str) -> None:
    (table,) = (each for each in TABLES.values() if name in each.names)
    sheet = BUILT.workbook[own_rows.NAME]
    (rule,) = [r for r in sheet.data_validations.dataValidation if table.cell(name, key) in r.sqref]
    assert (rule.formula1, rule.formula2, rule.error, rule.showErrorMessage) == (*bounds, says, True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "key", "bad", "named"),
    [
        ("My profile 1", "read_ratio", 1.5, "login read share"),
        ("My profile 1", "read_ratio", "half", "login read share"),
        ("My profile 1", "block_kib", 0.0, "login block size"),
        ("My profile 1", "steady_iops", -5.0, "steady demand"),
        ("My profile 1", "steady_iops", "12", "steady demand"),
        ("My method 1", "boot_likely", -1.0, "boot demand"),
        ("My method 1", "boot_likely", "many", "boot demand"),
        ("My method 1", "inline_likely", 0.5, "data reduction"),
        ("My method 1", "disk", "yes", "what the method stores"),
    ],
)
def test_what_is_pasted_over_a_cell_s_limits_counts_as_missing(name: str, key: str, bad: Value, named: str) -> None:
    rows = {"My profile 1": ONE_LINE, "My method 1": CLONES}
    design = {**MINE, "provisioning": "My method 1"}
    assert results(design, "constraints_unchecked", rows=rows) == ("none",)
    (unchecked,) = results(design, "constraints_unchecked", rows={**rows, name: {**rows[name], key: bad}})
    assert named in str(unchecked)


@pytest.mark.slow
def test_commands_offer_own_names_as_they_are_now(tmp_path: Path) -> None:
    workbook = fresh()
    for (sheet, cell), value in own_cells(BUILT, {"My profile 2": {**ONE_LINE, "name": "Sales floor"}}).items():
        workbook[sheet][cell] = value
    workbook.save(tmp_path / "copy.xlsx")
    choices = open_book(tmp_path / "copy.xlsx").inputs
    assert {"My profile 1", "Sales floor"} <= set(choices["profile"].choices)
    assert "My profile 2" not in choices["profile"].choices
    assert set(OWN_METHODS) <= set(choices["provisioning"].choices)
    assert set(OWN_CACHES) <= set(choices["cache_state"].choices)
