"""What the workbook answers: no error value anywhere, monotone answers, blanks inherit, missing figures are named."""

import csv
import itertools
import re
import shutil
from pathlib import Path

import pytest
from openpyxl.utils import get_column_letter

from addin.audit import audit
from addin.kernel import Address, Cells, Evaluator
from model.provenance import provenance
from model.reading.read import DATA, read
from model.workbook import Built, assemble
from tests.support.answers import answers, changed
from tests.support.input_sets import Value, input_sets, own_arrays


def test_at_least_48_input_sets_cover_every_array_and_method(built: Built) -> None:
    sets = input_sets(built.data)
    pairs = {(s["array"], s["provisioning"]) for s in sets if "provisioning" in s}
    assert len(sets) >= 48
    assert len(pairs) == (len(built.data.arrays) + 3) * (len(built.data.methods) + 2)


CHOICES = [
    {"array": "NetApp AFF8040"},
    {"array": "Dell EqualLogic PS6010XVS", "provisioning": "PVS", "profile": "Task worker PVS (EQL 2012)"},
    {
        "array": "Dell Compellent SC8000",
        "provisioning": "MCS + Personal vDisk",
        "profile": "Power user 40 IOPS (CML 2014)",
    },
    {"array": "NetApp FAS3270", "provisioning": "MCS pooled", "profile": "Medium MCS pooled (ICA 2012)"},
    {"array": "Kaminario K2 (one K-Block)", "provisioning": "Linked clone", "profile": "Office worker MCS + PvD (K2)"},
]


@pytest.mark.slow
@pytest.mark.parametrize("choice", CHOICES, ids=lambda c: str(c["array"]))
@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("desktops", [1, 10, 100, 640, 1500, 5000, 20000, 100000]),
        ("growth_ratio", [0, 0.01, 0.1, 0.5, 1, 2, 4, 5]),
        ("capacity_headroom_ratio", [0, 0.1, 0.15, 0.3, 0.5, 0.7, 0.8, 0.9]),
        ("vm_headroom_ratio", [0, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2]),
        ("demand_scale_ratio", [0, 0.1, 0.5, 1, 2, 4, 8, 10]),
        ("user_data_gib", [0, 1, 2, 5, 10, 30, 100, 10000]),
        ("ram_gib", [0.25, 1, 2, 4, 8, 16, 64, 1024]),
        ("concurrent_ratio", [0, 0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 1]),
    ],
)
def test_more_demand_or_headroom_never_needs_fewer_arrays(
    built: Built, cells: Cells, choice: dict[str, Value], key: str, values: list[float]
) -> None:
    rows = answers(
        built, cells, [{**choice, key: float(value)} for value in values], "arrays_required", "ratio_largest"
    )
    assert all(a <= b for a, b in itertools.pairwise(rows)), rows


@pytest.mark.slow
@pytest.mark.parametrize("choice", CHOICES, ids=lambda c: str(c["array"]))
def test_more_reduction_or_utilisation_never_needs_more_arrays(
    built: Built, cells: Cells, choice: dict[str, Value]
) -> None:
    for key, values in (
        ("data_reduction_ratio", [1, 1.5, 2, 4, 8, 16, 64, 1000]),
        ("rho_cap_ratio", [0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 1]),
    ):
        rows = answers(built, cells, [{**choice, "desktops": 6000.0, key: float(v)} for v in values], "ratio_largest")
        ratios = [ratio for (ratio,) in rows if isinstance(ratio, float)]
        assert len(ratios) == len(rows)  # where latency limits, the cap cancels: alike to 15 digits
        assert all(a >= b * (1 - 1e-14) for a, b in itertools.pairwise(ratios)), (key, rows)


BETTER = ["usable_gib", "read_equivalent_iops", "throughput_mb_s", "controllers_standby"]


@pytest.mark.slow
@pytest.mark.parametrize("field", BETTER)
def test_a_better_array_never_needs_more_arrays(built: Built, cells: Cells, field: str) -> None:
    base = next(a for a in built.data.arrays if a.name == "NetApp AFF8040").values
    keys = ("raw_gb", "raid_efficiency_ratio", "read_equivalent_iops", "write_weight", "controllers_active")
    figures = {key: base[key].value for key in (*keys, "throughput_mb_s")}
    start = {"usable_gib": 5000.0, "controllers_standby": 1.0}.get(field) or figures[field]
    assert isinstance(start, float)
    new = own_arrays(built, [{**figures, field: start * factor} for factor in (1, 2, 10)])
    sets: list[dict[str, Value]] = [
        {"array": f"My array {n}", "desktops": 9000.0, "failover": "yes"} for n in (1, 2, 3)
    ]
    rows = answers(built, changed(cells, new), sets, "ratio_largest", "arrays_required")
    assert rows == sorted(rows, reverse=True)


@pytest.mark.slow
def test_a_blank_what_if_inherits_every_result(built: Built, cells: Cells) -> None:
    keys = [key for key, (sheet, _) in built.layout.lines.items()]
    base, *whatifs = answers(built, cells, [{} for _ in range(8)], *keys)
    assert all(whatif == base for whatif in whatifs)


def test_one_filled_what_if_cell_changes_only_its_column(built: Built, cells: Cells) -> None:
    base, changed_design, other = answers(
        built, cells, [{}, {"desktops": 9999.0}, {}], "provisioned_desktops", "arrays_required"
    )
    assert changed_design[0] == 9999
    assert base == other != changed_design


def test_headroom_is_applied_before_images(built: Built, cells: Cells) -> None:
    # EQL section 6.3: (2539.5 - (15 % x 2539.5 + 6 x 25)) / (125 % x (1 + 1.5)) = 642.744, typed by hand
    row = built.layout.lines["desktops_by_capacity_exact"][1]
    column = get_column_letter(built.layout.column("EQL 1 array"))
    assert Evaluator(cells).value(Address.from_a1(f"Capacity!{column}{row}")) == pytest.approx(642.744, abs=0.0005)


def test_a_missing_price_is_never_zero(built: Built, cells: Cells) -> None:
    keys = ("cost_total", "cost_per_desktop", "cost_per_usable_gib", "cost_per_iops")
    sets: list[dict[str, Value]] = [
        {"array": "Dell Compellent SC8000", "array_price": v} for v in (None, 0.0, "ask", 50000.0)
    ]
    blank, zero, text, quoted = answers(built, cells, sets, *keys)
    assert blank == zero == text == ("enter a quote",) * 4
    assert all(isinstance(value, float) and value > 0 for value in quoted)


def test_a_missing_rating_is_listed_and_never_passed(built: Built, cells: Cells) -> None:
    sets: list[dict[str, Value]] = [{"array": "My array 1"}]
    rated = changed(cells, own_arrays(built, [{"rating_provisioning_iops": 1e6}]))
    ((status, unchecked, count),) = answers(built, rated, sets, "status", "constraints_unchecked", "unchecked_count")
    assert str(status).startswith("at least 1 array")
    assert "boot" in str(unchecked)
    assert count == 8  # capacity, five phases with demand, throughput, latency


# ---- more published tests ----------------------------------------------------------------------

FURTHER = 10


@pytest.mark.slow
def test_ten_further_published_columns_hold_the_rules(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(DATA, tmp_path / "data"))
    with (folder / "cases.csv").open(newline="") as file:
        design = [row for row in csv.reader(file) if row[0] == "NTP 1500 desktops"]
    with (folder / "cases.csv").open("a", newline="") as file:
        for number in range(FURTHER):
            csv.writer(file, lineterminator="\n").writerows([f"Further {number}", *row[1:]] for row in design)
    wide = assemble(read(folder), provenance())
    assert len(wide.layout.columns) == len(read().cases) + FURTHER + 8
    assert [str(finding) for finding in audit(wide.workbook)] == []


def test_no_number_format_has_more_than_two_conditions(built: Built) -> None:
    """Excel repairs a file with a third condition, and LibreOffice drops the format."""
    formats = {cell.number_format for sheet in built.workbook for row in sheet.iter_rows() for cell in row}
    assert [form for form in formats if len(re.findall(r"\[[<>=]", form)) > 2 or form.count(";") > 3] == []
