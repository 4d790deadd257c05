"""Arrays of this decade: what their tests print is in the catalogue, what they do not print leaves the answer open."""

import csv
from pathlib import Path

import pytest

from model.reading.read import DATA
from tests.support.answers import answers
from tests.support.input_sets import Value
from tests.support.shipped import built, built_cells

COLLECTED = Path(__file__).parents[3] / "shared" / "today" / "array_facts.csv"
A800, DORADO, NODE = "NetApp AFF A800", "Huawei Dorado 6000 V3", "Lenovo HX665 V3 Nutanix node"
SOURCES = {"FPX": "AFF A800", "DOR": "Dorado 6000 V3", "NX20": "HX665 V3", "CBT": "Ceph Squid single node"}
BUILT, CELLS = built(), built_cells()


def results(design: dict[str, Value], *keys: str) -> tuple[object, ...]:
    (values,) = answers(BUILT, CELLS, [design], *keys)
    return values


def test_every_figure_of_theirs_is_one_of_those_collected() -> None:
    if not COLLECTED.is_file():
        pytest.skip("the collection is not part of the project; put it in ../shared/today to run this check")
    with COLLECTED.open(encoding="utf-8", newline="") as file:
        collected = list(csv.DictReader(file))
    with (DATA / "facts_elsewhere.csv").open(encoding="utf-8", newline="") as file:
        kept = [row for row in csv.DictReader(file) if row["paper"] in SOURCES and row["phase"] != "config"]
    assert len(kept) > 30
    for row in kept:
        column = {"latency": "latency_ms", "iops": "iops"}.get(row["quantity"], "value")
        theirs = [each for each in collected if SOURCES[row["paper"]] in each["array"]]
        found = {each[column] for each in theirs} | {each["value"] for each in theirs}
        assert row["value"] in found, row["id"]


def test_reads_and_writes_measured_apart_serve_a_fifth_less_than_the_mix_that_was_measured() -> None:
    """By hand, in thousands: 1 / (0.8 / 1255 + 0.2 / 330) = 804; 1016 were measured at 80 % reads."""
    blended = 1 / (0.8 / 1255 + 0.2 / 330)
    assert blended == pytest.approx(804, abs=1)
    assert blended / 1016 - 1 == pytest.approx(-0.21, abs=0.005)
    mix: dict[str, Value] = {"array": A800, "login_read_ratio": 0.8, "rho_cap_ratio": 1.0}
    (supply,) = results({**mix, "desktops": 5000.0}, "demonstrated_margin")
    assert supply == pytest.approx(blended / 1016, abs=0.002)


@pytest.mark.parametrize(
    ("point", "measured", "computed"),
    [
        ("P01", 0.209, 0.222),
        ("P05", 0.325, 0.342),
        ("P06", 0.368, 0.513),  # 96 % busy: the curve bends too early
        ("P07", 0.344, 0.222),  # the curve is that of reads: a mix of 80 % takes half as long again
        ("P08", 0.381, 0.222),  # and writes take 72 % longer
        ("D01", 0.408, 0.449),
        ("D05", 0.563, 0.566),
        ("D06", 0.348, 0.449),
    ],
)
def test_predicted_latency_stands_beside_the_measured_one_good_and_bad(
    point: str, measured: float, computed: float
) -> None:
    (each,) = (each for each in BUILT.data.points if each.id == point)
    array = next(array for array in BUILT.data.arrays if array.name == each.array)
    base, shape = (float(array.values[key].value or 0) for key in ("base_latency_ms", "latency_shape"))
    busy = float(each.utilisation.value or 0)
    assert float(each.latency_ms.value or 0) == pytest.approx(measured, abs=0.0005)
    assert base / (1 - busy**shape) == pytest.approx(computed, abs=0.0015)


def test_what_a_test_did_not_print_is_not_checked() -> None:
    design: dict[str, Value] = {"desktops": 3000.0}
    for array, open_ in (
        (A800, {"throughput"}),
        (DORADO, {"capacity", "throughput", "failover"}),
        (NODE, {"capacity", "login", "steady", "throughput", "latency"}),
    ):
        words, status = results({**design, "array": array}, "constraints_unchecked", "status")
        assert open_ <= set(str(words).split(", ")), array
        assert str(status).startswith("at least "), array


def test_nodes_carry_the_desktops_that_the_test_ran_on_each() -> None:
    """900 desktops ran on 6 nodes, 150 a node; 3000 need 20, and one more that may be lost."""
    assert results({"array": NODE, "desktops": 3000.0}, "arrays_required", "binding_constraint") == (21, "VMs per node")


def test_one_name_stands_for_an_unknown_share_after_a_failure() -> None:
    """-1 was shown as a share."""
    from addin.sizing.tables import in_words

    (share,) = results({"array": DORADO}, "share_used_after_failure")
    assert in_words("share_used_after_failure", "ratio", share) == "failover unknown"  # type: ignore[arg-type]


def test_a_lost_disk_took_no_iops_and_its_row_says_that_latency_stays_open() -> None:
    facts = {key: float(each.value) for key, each in BUILT.data.facts.facts_elsewhere.items() if key.startswith("CBT")}
    whole, lost = ([facts[f"CBT-{n:03d}"] for n in range(first, 13, 4)] for first in (1, 3))
    assert all(after > before for before, after in zip(whole, lost, strict=True))
    assert facts["CBT-004"] / facts["CBT-002"] == pytest.approx(1.94, abs=0.005)
    row = BUILT.data.facts.discrepancies["CBT-01"]
    assert "latency and a rebuild after it stay open: a direction" in row.why
