"""Bad data: one list of complaints with file and row, exit 1, nothing written."""

import csv
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import build
from model.errors import DataError
from model.reading.read import DATA, read


def replaced(file: str, old: str, new: str) -> Callable[[Path], None]:
    """Return a fault: the first `old` of a data file becomes `new`."""

    def spoil(folder: Path) -> None:
        path = folder / file
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{file} no longer holds {old!r}"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    return spoil


FAULTS = {
    "unknown unit": (
        replaced("inputs.csv", "Personal vDisk,GiB,", "Personal vDisk,GiBs,"),
        "model/data/inputs.csv:",
        "unit 'GiBs' is not in units.csv; did you mean 'GiB/s'?",
    ),
    "missing source": (
        replaced("inputs.csv", "number,1500,user,", "number,1500,,"),
        "model/data/inputs.csv:2",
        "source is blank; a typed value needs user, published or 'assumed: reason'.",
    ),
    "assumed without a reason": (
        replaced(
            "arrays.csv",
            "Dell EqualLogic PS6510E,spares,2,assumed: not printed; range 1-4",
            "Dell EqualLogic PS6510E,spares,2,assumed:",
        ),
        "model/data/arrays.csv:",
        "gives no reason",
    ),
    "duplicate fact": (
        replaced("facts.csv", "\nEQL-002,", "\nEQL-001,"),
        "data/facts.csv:3 (EQL-001)",
        "EQL-001",
    ),
    "duplicate input": (
        replaced("inputs.csv", "\ngrowth_ratio,", "\ndesktops,"),
        "model/data/inputs.csv:3",
        "key is already used in row 2; give this row its own.",
    ),
    "latency point of no array": (
        replaced("latency_points.csv", "A01,NetApp AFF8040,", "A01,NetApp AFF8400,"),
        "model/data/latency_points.csv:2",
        "array 'NetApp AFF8400' is not an array with a base_latency_ms in arrays.csv; did you mean ",
    ),
    "latency point without a role": (
        replaced("latency_points.csv", 'nodes",fitted,', 'nodes",measured,'),
        "model/data/latency_points.csv:2",
        "role 'measured' is unknown; use one of fitted, predicted, bound.",
    ),
    "latency point without a latency": (
        replaced("latency_points.csv", ",NTP-147,NTP-153,", ",,NTP-153,"),
        "model/data/latency_points.csv:2",
        "latency_ms is blank; fill it.",
    ),
    "array with half a latency curve": (
        replaced("arrays.csv", "\nDell Compellent SC8000,latency_shape,", "\nDell Compellent SC8000,price,"),
        "model/data/arrays.csv",
        "Dell Compellent SC8000 has no row whose key is latency_shape; add the row.",
    ),
    "formula in data": (
        replaced("inputs.csv", "Sets the size of the hypervisor swap file", "=SUM(A1:A3)"),
        "model/data/inputs.csv:",
        "column 'help' starts with '='; data holds no formulas: reword the text.",
    ),
    "unknown key": (
        replaced("cases.csv", "EQL 1 array,EQL,desktops,", "EQL 1 array,EQL,desktop,"),
        "model/data/cases.csv:2",
        "key 'desktop' is not in inputs.csv; did you mean 'desktops'?",
    ),
    "spread beyond the input's range": (
        replaced("risk.csv", "triangular,0.8,0.95,1,", "triangular,0.8,0.95,3,"),
        "model/data/risk.csv:4",
        "maximum 3 is outside 0 to 1 of concurrent_ratio; correct it.",
    ),
    "prediction across papers without the paper that predicts": (
        replaced("predictions.csv", "P41,across,K2,", "P41,across,,"),
        "model/data/predictions.csv:35",
        "from_paper is blank; a row across papers needs it, a row within has none.",
    ),
    "prediction within a paper from another": (
        replaced("predictions.csv", "P02,within,,", "P02,within,K2,"),
        "model/data/predictions.csv:2",
        "from_paper is K2; a row across papers needs it, a row within has none.",
    ),
    "distribution without its parameters": (
        replaced("risk.csv", "triangular,0.8,0.95,1,", "triangular,0.8,0.95,,"),
        "model/data/risk.csv:4",
        "maximum is blank; the distribution triangular needs it.",
    ),
    "distribution with a parameter too many": (
        replaced("risk.csv", "triangular,0.8,0.95,1,", "uniform,0.8,0.95,1,"),
        "model/data/risk.csv:4",
        "uniform has no use for mode",
    ),
    "correlation of an input with itself": (
        replaced("risk_correlation.csv", "source\n", "source\ndesktops,desktops,2,user\n"),
        "model/data/risk_correlation.csv:2",
        "second 'desktops' is paired with itself; name two inputs.",
    ),
    "unknown fact": (
        replaced("arrays.csv", ",usable_gib,EQL-263,", ",usable_gib,EQL-963,"),
        "model/data/arrays.csv:",
        "EQL-963",
    ),
    "profile without a read share": (
        replaced("profiles.csv", 'EQL-055)",,EQL-251,,', 'EQL-055)",,,,'),
        "model/data/profiles.csv:2",
        "read_ratio is blank; fill it.",
    ),
    "value outside its range": (
        replaced("inputs.csv", "number,0.95,assumed", "number,1.95,assumed"),
        "model/data/inputs.csv:",
        "outside 0.1 to 1",
    ),
    "unit that does not convert": (
        replaced("arrays.csv", ",usable_gib,EQL-263,", ",usable_gib,EQL-055,"),
        "model/data/arrays.csv:",
        "EQL-055",
    ),
    "profile that says two things of the profiles inside": (
        replaced("profiles.csv", ",no,PVS,All desktops booted", ",yes,PVS,All desktops booted"),
        "model/data/profiles.csv:",
        "local_profile is 'yes', and 'no' in row 2 of the same profile; write one.",
    ),
    "wrong header": (
        replaced("presets.csv", "preset,key", "name,key"),
        "model/data/presets.csv:1",
        "column 'preset' is missing; the columns are preset, key, value, source, purpose.",
    ),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(DATA, tmp_path / "data"))


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda f: f.replace(" ", "-"))
def test_a_fault_is_named_with_file_and_row(folder: Path, fault: str) -> None:
    spoil, place, message = FAULTS[fault]
    spoil(folder)
    with pytest.raises(DataError) as error:
        read(folder)
    assert any(place in line and message in line for line in str(error.value).splitlines()), str(error.value)


@pytest.mark.slow
def test_all_faults_come_in_one_list_and_nothing_is_written(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    faults = ("missing source", "unknown key", "profile without a read share", "formula in data")
    for fault in faults:
        FAULTS[fault][0](folder)
    out = tmp_path / "out"
    assert build.main(["--out", str(out), "--data", str(folder)]) == 1
    errors = capsys.readouterr().err
    for fault in faults:
        assert FAULTS[fault][2] in errors
    assert "Traceback" not in errors
    assert not out.exists()


@pytest.mark.slow
def test_every_row_of_every_file_is_read() -> None:
    data = read()
    read_rows = {
        "units": len(data.facts.units),
        "sources": len(data.facts.sources) + len(data.facts.sources_elsewhere),
        "facts": len(data.facts.facts),
        "facts_elsewhere": len(data.facts.facts_elsewhere),
        "discrepancies": len(data.facts.discrepancies),
        "phases": len(data.phases),
        "inputs": sum(not item.group.startswith("Phase overrides") for item in data.inputs),
        "alternatives": len(data.alternatives),
        "array_fields": len(data.fields),
        "card_fields": len(data.card_fields),
        "arrays": sum(len(array.values) for array in data.arrays),
        "profiles": len(data.profiles),
        "profile_fields": len(data.profile_fields),
        "profile_defaults": len(data.profile_defaults),
        "methods": len(data.methods),
        "caches": len(data.caches),
        "raid": len(data.raid),
        "classes": len(data.classes),
        "components": len(data.components),
        "hypervisors": len(data.hypervisors),
        "encryption": len(data.encryption),
        "share_services": len(data.share_services),
        "share_prices": len(data.share_prices),
        "disk_tiers": len(data.disk_tiers),
        "latency_points": len(data.points),
        "cases": sum(len(case.values) for case in data.cases),
        "sums": len(data.sums),
        "evidence": len(data.evidence),
        "predictions": len(data.predictions),
        "presets": len(data.presets),
        "risk": len(data.risk),
        "risk_correlation": len(data.correlations),
        "container_shares": len(data.container_shares),
    }
    lines = {}
    for path in DATA.glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            lines[path.stem] = len(list(csv.reader(file))) - 1
    assert read_rows == lines
    assert len(data.arrays) >= 7
    assert len(data.cases) >= 12


@pytest.mark.slow
def test_every_paper_is_cited_where_the_workbook_rests_on_papers() -> None:
    """A paper without facts, published column or evidence is an orphan; so is a catalogue entry that nothing tests."""
    data = read()
    papers = set(data.facts.sources)
    assert {fact.paper for fact in data.facts.facts.values()} == papers
    assert {case.paper for case in data.cases} == papers
    assert {item.paper for item in data.evidence} == papers
    for case in data.cases:
        assert case.values["array"].value in {array.name for array in data.arrays}, case.name
        assert case.values["profile"].value in data.profile_names(), case.name
    assert {point.array for point in data.points} <= {array.name for array in data.arrays}
