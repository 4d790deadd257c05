"""Facts agree with the papers they cite, and every fault in the data files is reported with file and row."""

import csv
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from model.errors import DataError
from model.reading.facts import Fact, FactBook
from model.reading.read import load_facts

ROOT = Path(__file__).parents[2]
DATA = ROOT / "model" / "data"
PAPERS = ROOT.parent / "shared" / "papers"
FILES = ("units.csv", "sources.csv", "facts.csv", "facts_elsewhere.csv", "discrepancies.csv")
NEARBY = 3  # lines around the cited one

WORDS = {
    0: ("none", "no"),
    1: ("one", "single", "once"),
    2: ("two", "dual", "both", "twice"),
    3: ("three",),
    4: ("four", "quad"),
    5: ("five",),
    6: ("six", "hex"),
    8: ("eight",),
    10: ("ten",),
}
PRINTED_OTHERWISE = {
    "EQL-045": "1 minute and 45 seconds",
    "K2-023": "two-thirds of legacy",
    "K2-067": "an additional hour",
}


@pytest.fixture(scope="module")
def book() -> FactBook:
    return load_facts(DATA)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    folder = tmp_path / "model" / "data"
    folder.mkdir(parents=True)
    for name in FILES:
        shutil.copy(DATA / name, folder)
    return folder


def paper_lines() -> dict[str, list[str]]:
    if not PAPERS.is_dir():
        pytest.skip("the papers' texts are not part of the project; put them in ../shared/papers to run this check")
    texts = {path.name.split("-")[0]: path for path in PAPERS.glob("*.txt")}
    return {paper: path.read_text(encoding="utf-8").split("\n") for paper, path in texts.items()}


def around(lines: list[str], fact: Fact) -> str:
    match = re.search(r"\(line (\d+)\)", fact.location)
    assert match, f"{fact.id}: location {fact.location!r} cites no line"
    line = int(match.group(1))
    return "\n".join(lines[max(line - 1 - NEARBY, 0) : line + NEARBY])


def numbers(text: str) -> list[str]:
    return [each.replace(",", "") for each in re.findall(r"\d[\d,]*(?:\.\d+)?", text)]


def is_printed(fact: Fact, text: str) -> bool:
    if fact.id in PRINTED_OTHERWISE:
        return PRINTED_OTHERWISE[fact.id] in " ".join(text.split())
    thousands = [float(each[:-1]) * 1000 for each in re.findall(r"\b\d+(?:\.\d+)?[kK]\b", text)]
    words = set(re.findall(r"[a-z]+", text.lower()))
    spelled = not words.isdisjoint(WORDS.get(int(fact.value), ())) and fact.value == int(fact.value)
    return fact.value in [*map(float, numbers(text)), *thousands] or spelled


# ---- the data as shipped ---------------------------------------------------------------------------


def test_every_published_number_is_adopted_once(book: FactBook) -> None:
    """No row is lost and none stands twice: the facts of a paper are numbered from 1 without a gap."""
    with (DATA / "facts.csv").open(encoding="utf-8", newline="") as file:
        ids = [row["id"] for row in csv.DictReader(file)]
    assert list(book.facts) == ids
    count = Counter(fact.paper for fact in book.facts.values())
    assert set(count) == set(book.sources)
    assert ids == [f"{paper}-{number:03d}" for paper in book.sources for number in range(1, count[paper] + 1)]


def test_every_fact_stands_in_its_paper_near_the_cited_line(book: FactBook) -> None:
    papers = paper_lines()
    read = [fact for fact in book.facts.values() if fact.paper in papers]
    assert [fact.id for fact in read if not is_printed(fact, around(papers[fact.paper], fact))] == []
    if unread := set(book.sources) - set(papers):
        pytest.skip(f"no text of {', '.join(sorted(unread))} in ../shared/papers: its facts are not held against it")


def test_facts_keep_the_collected_values_ids_and_places(book: FactBook) -> None:
    paper_lines()
    collected = (PAPERS / "facts.csv").read_text(encoding="utf-8")
    pattern = re.compile(r'^([A-Z0-9]+-\d{3}),[A-Z0-9]+,("[^"]*"|[^,]*),([^,]*),([^,]*),([^,]*),([\d.]+),', re.M)
    rows = {id: rest for id, *rest in pattern.findall(collected)}
    kept = {
        fact.id: (fact.location, fact.system, fact.quantity, fact.phase, fact.value) for fact in book.facts.values()
    }
    collected_papers = {id.split("-")[0] for id in rows}
    kept = {id: fact for id, fact in kept.items() if id.split("-")[0] in collected_papers}  # later papers have no list
    assert kept == {id: (place.strip('"'), a, b, c, float(value)) for id, (place, a, b, c, value) in rows.items()}


@pytest.mark.parametrize(
    ("id", "precision"),
    [
        ("EQL-089", 0.05),  # 7.3
        ("EQL-055", 0.5),  # 630
        ("NTP-013", 0.5),  # 102,437
        ("EQL-088", 0.5),  # around 4500: the qualifier says so
        ("EQL-104", 0.05),  # 16.0 MB/sec
        ("NTP-028", 0.05),  # 7.0 sec/VM
        ("NTP-074", 0.005),  # 2.30GHz
        ("NTP-147", 0.005),  # 1.35 ms
        ("K2-035", 0.05),  # below 1.0ms
        ("EQL-318", 500),  # 15K
        ("EQL-325", 50),  # 7.2K
    ],
)
def test_precision_is_half_a_unit_in_the_last_printed_digit(book: FactBook, id: str, precision: float) -> None:
    assert book.facts[id].precision == precision


@pytest.mark.parametrize(
    ("id", "unit", "value"),
    [
        ("EQL-263", "GiB", 2539.5),  # array capacities of the paper are binary
        ("EQL-016", "GiB", 2539.52),  # 2.48 binary TB
        ("EQL-141", "GB", 100),  # a drive is decimal
        ("EQL-141", "GiB", 93.13225746154785),
        ("EQL-007", "GiB", 1),  # memory is binary
        ("K2-115", "GiB", 2),  # 2048 MB of memory
        ("K2-118", "GiB", 0.015625),  # a virtual disk of 16 MB
        ("NTP-141", "TiB", 4.078125),  # 4176 GB
        ("NTP-049", "TB", 0.8),
        ("NTP-267", "KiB", 2),  # headed KB, read as bytes
        ("NTP-023", "ms", 0.455),
        ("NTP-207", "s/VM", 6.65),  # printed min
        ("EQL-160", "MB/s", 40),  # printed MB
        ("NTP-014", "MB/s", 3100),
        ("EQL-014", "ratio", 0.15),
        ("K2-009", "x:1", 17.6),
        ("NTP-009", "USD/desktop", 39),
        ("K2-073", "USD/TB", 2000),
        ("K2-038", "desktops/min", 750),
        ("EQL-055", "desktops", 630),
        ("EQL-164", "min", 600),
    ],
)
def test_facts_convert_by_exact_factors(book: FactBook, id: str, unit: str, value: float) -> None:
    assert book.value(id, unit) == value


def test_binary_readings_are_explained_by_paper_memory_or_virtual_disk(book: FactBook) -> None:
    binary = {"KiB", "MiB", "GiB", "TiB"}
    plain = re.compile(r"ram|memory|disk|data_volume|raid_controller_cache")
    odd = [
        fact.id
        for fact in book.facts.values()
        if fact.reading_unit in binary
        and book.sources[fact.paper].gb_is != "binary"
        and not plain.search(fact.quantity)
    ]
    assert odd == []


def test_all_discrepancies_are_carried_over_with_their_severity(book: FactBook) -> None:
    paper_lines()
    text = (PAPERS / "discrepancies.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"\*\*([A-Z0-9]+-\d\d) \(([HML])\)", text))
    assert len(listed) >= 120
    papers = {id.split("-")[0] for id in listed}
    carried = {each.id: each.severity for each in book.discrepancies.values() if each.paper in papers}
    assert carried == listed


def test_every_discrepancy_that_changes_an_answer_names_facts(book: FactBook) -> None:
    assert [each.id for each in book.discrepancies.values() if each.severity == "H" and not each.fact_ids] == []


@pytest.mark.parametrize(
    ("id", "group"),
    [
        ("EQL-088", {"EQL-088", "EQL-146", "EQL-185", "EQL-233"}),  # 4500, twice as a total, once as a peak
        ("EQL-145", {"EQL-145"}),  # 6846 with all booted; Table 6 prints it for another phase name
        ("NTP-147", {"NTP-147", "NTP-015", "NTP-102"}),  # 1.35 and 1.4 ms
        ("NTP-039", {"NTP-039", "NTP-126", "NTP-222"}),  # 936 us and 0.9 ms
        ("NTP-207", {"NTP-207", "NTP-032", "NTP-119", "NTP-215"}),  # printed min, meant s/VM
        ("K2-040", {"K2-040"}),  # 100 starts a minute is another run than 750
        ("K2-041", {"K2-041", "K2-006"}),  # 7 minutes; not the 5 of the other run
        ("ICA-014", {"ICA-014", "ICA-041"}),  # under 550, over 500
    ],
)
def test_a_group_holds_every_print_of_the_same_thing(book: FactBook, id: str, group: set[str]) -> None:
    assert book.group(id) == group


def test_groups_are_mutual(book: FactBook) -> None:
    assert [a for a in book.facts for b in book.group(a) if a not in book.group(b)] == []


# ---- faults ----------------------------------------------------------------------------------------

FAULTS = {
    "a unit that is not listed": (
        *("facts.csv", "2.1,0.05,TB,TiB,", "2.1,0.05,Tb,TiB,"),
        "model/data/facts.csv:14 (EQL-013): unit 'Tb' is not in units.csv; did you mean 'TB'?",
    ),
    "a unit like no other": (
        *("facts.csv", "630,0.5,count,,exact,630,\nEQL-056", "630,0.5,furlong,,exact,630,\nEQL-056"),
        "model/data/facts.csv:56 (EQL-055): unit 'furlong' is not in units.csv; correct it or add the row.",
    ),
    "a reading unit that is not listed": (
        *("facts.csv", "2.1,0.05,TB,TiB,exact,630,binary", "2.1,0.05,TB,TIB,exact,630,binary"),
        "model/data/facts.csv:14 (EQL-013): reading_unit 'TIB' is not in units.csv; did you mean 'TiB'?",
    ),
    "a paper without a source": (
        *("facts.csv", "EQL-013,EQL,", "EQL-013,EQX,"),
        "model/data/facts.csv:14 (EQL-013): paper 'EQX' is not in sources.csv; did you mean 'EQL'?",
    ),
    "an id used twice": (
        *("facts.csv", "K2-132,", "EQL-001,"),
        "model/data/facts.csv:1174 (EQL-001): id is already used in row 2; give this row its own.",
    ),
    "a value that is no number": (
        *("facts.csv", "capacity,2.1,0.05,TB,TiB,exact,630,binary", "capacity,2;1,0.05,TB,TiB,exact,630,binary"),
        "model/data/facts.csv:14 (EQL-013): value '2;1' is not a number; write digits with a decimal point.",
    ),
    "a precision that is no number": (
        *("facts.csv", "capacity,2.1,0.05,TB,TiB,exact,630,binary", "capacity,2.1,,TB,TiB,exact,630,binary"),
        "model/data/facts.csv:14 (EQL-013): precision is blank; fill it.",
    ),
    "a count of desktops that is no number": (
        *("facts.csv", "TiB,exact,630,binary", "TiB,exact,63O,binary"),
        "model/data/facts.csv:14 (EQL-013): desktops '63O' is not a whole number; write digits or leave it blank.",
    ),
    "a formula": (
        *("facts.csv", ",binary TB: 2150 GB/1024 = 2.10", ",=2150/1024"),
        "model/data/facts.csv:14 (EQL-013): column 'notes' starts with '='; data holds no formulas: reword the text.",
    ),
    "an unknown qualifier": (
        *("facts.csv", "TiB,exact,630,binary", "TiB,about,630,binary"),
        "model/data/facts.csv:14 (EQL-013): qualifier 'about' is unknown; "
        "use one of exact, approx, lt, gt, at_least, range_low, range_high.",
    ),
    "a row with a cell too many": (
        *("facts.csv", "TiB,exact,630,binary", "TiB,exact,630,,binary"),
        "model/data/facts.csv:14 (EQL-013): 14 cells where 13 are expected; check commas and quotes.",
    ),
    "a missing column": (
        *("facts.csv", "precision,unit,", "unit,"),
        "model/data/facts.csv:1: column 'precision' is missing; the columns are id, paper, location, system, quantity, "
        "phase, value, precision, unit, reading_unit, qualifier, desktops, notes.",
    ),
    "a column too many": (
        *("sources.csv", "gb_is,note", "gb_is,note,url"),
        "model/data/sources.csv:1: column 'url' is not known; the columns are code, title, vendor, date, citation, "
        "desktops, provisioning, measures, kind, gb_is, note.",
    ),
    "columns in another order": (
        *("units.csv", "unit,dimension,", "dimension,unit,"),
        "model/data/units.csv:1: the columns stand in another order or twice; "
        "the columns are unit, dimension, factor, kind, note.",
    ),
    "a factor of 0": (
        *("units.csv", "KB,capacity,1000,", "KB,capacity,0,"),
        "model/data/units.csv:3 (KB): factor '0' is not a number above 0; write digits or a fraction such as 1/60.",
    ),
    "an unknown kind of unit": (
        *("units.csv", "B,capacity,1,base,", "B,capacity,1,basis,"),
        "model/data/units.csv:2 (B): kind 'basis' is unknown; did you mean 'base'?",
    ),
    "an unknown reading of GB": (
        *("sources.csv", ",binary,2539.5", ",both,2539.5"),
        "model/data/sources.csv:2 (EQL): gb_is 'both' is unknown; use one of binary, decimal.",
    ),
    "a discrepancy that cites an unknown fact": (
        *("discrepancies.csv", "EQL-005 EQL-083", "EQL-0O5 EQL-083"),
        "model/data/discrepancies.csv:2 (EQL-01): fact_ids 'EQL-0O5' is not in facts.csv; did you mean 'EQL-305'?",
    ),
    "an unknown severity": (
        *("discrepancies.csv", "EQL-01,H,", "EQL-01,X,"),
        "model/data/discrepancies.csv:2 (EQL-01): severity 'X' is unknown; use one of H, M, L.",
    ),
    "an unknown reading followed": (
        *("discrepancies.csv", 'printed as around 640",both,', 'printed as around 640",c,'),
        "model/data/discrepancies.csv:2 (EQL-01): followed 'c' is unknown; use one of a, b, both, neither.",
    ),
    "a blank topic": (
        *("discrepancies.csv", "EQL,Boot peak of one array,", "EQL,,"),
        "model/data/discrepancies.csv:7 (EQL-06): topic is blank; fill it.",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_reported_with_file_and_row(copy: Path, fault: str) -> None:
    name, old, new, message = FAULTS[fault]
    text = (copy / name).read_text(encoding="utf-8")
    assert text.count(old) >= 1, "the seeded place is gone from the data"
    (copy / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DataError) as caught:
        load_facts(copy)
    assert str(caught.value).splitlines()[0] == message


def test_a_missing_file_is_reported(copy: Path) -> None:
    (copy / "discrepancies.csv").unlink()
    with pytest.raises(DataError) as caught:
        load_facts(copy)
    assert str(caught.value) == "model/data/discrepancies.csv: the file is missing; restore it."


def test_all_faults_are_collected_in_one_error(copy: Path) -> None:
    text = (copy / "facts.csv").read_text(encoding="utf-8")
    text = text.replace(",exact,", ",sure,", 3).replace("EQL-020,EQL", "EQL-020,EQX")
    (copy / "facts.csv").write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        load_facts(copy)
    places = [complaint.where.split(" ")[0] for complaint in caught.value.complaints]
    assert places == [f"model/data/facts.csv:{row}" for row in (2, 3, 4, 21)]


def test_an_unknown_fact_or_unit_names_the_closest_one(book: FactBook) -> None:
    with pytest.raises(DataError) as caught:
        book.fact("EQL-8888", "model/data/cases.csv:3")
    assert str(caught.value) == ("model/data/cases.csv:3: fact 'EQL-8888' is not in facts.csv; did you mean 'EQL-288'?")
    with pytest.raises(DataError) as caught:
        book.value("EQL-088", "iops")
    assert str(caught.value) == "iops: unit 'iops' is not in units.csv; use 'IOPS' or add the unit."


def test_incompatible_units_are_refused_by_name(book: FactBook) -> None:
    with pytest.raises(DataError) as caught:
        book.value("EQL-088", "GiB")
    assert str(caught.value) == (
        "EQL-088: EQL-088 is read in 'IOPS' (operation/time), which does not convert to 'GiB' (capacity)."
    )
