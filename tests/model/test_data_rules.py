"""Every column of every data file is spoilt in turn; each wrong cell is named by file, row and column, in one list.

What a spoilt cell may hold without a complaint is listed here by hand: a column without a rule is a failure.
"""

import csv
import itertools
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import build
from model.errors import DataError
from model.reading.columns import columns
from model.reading.read import DATA, read
from model.reading.records import FILES as FILES_OF

FILES = sorted(path.stem for path in DATA.glob("*.csv"))
FACTS = ("units", "sources", "facts", "facts_elsewhere", "discrepancies")  # others take their units from these
DESCRIBED = ("phases", "inputs", "array_fields", "card_fields", "profile_fields", "risk_correlation")
GROUPS = {
    "facts": FACTS,
    "fields": DESCRIBED,
    "figures": tuple(name for name in FILES if name not in (*FACTS, *DESCRIBED)),
}
_UNCERTAIN = ("desktops", "growth_ratio", "concurrent_ratio")  # the file ships without rows
FURTHER = {"risk_correlation": [[*two, "0.5", "user"] for two in itertools.combinations(_UNCERTAIN, 2)]}


def listed(text: str) -> dict[str, tuple[str, ...]]:
    """Return the columns of each file of a list: a line a file, its name first; none for files without a line."""
    lines = [line.split() for line in text.strip().splitlines()]
    return dict.fromkeys(FILES, ()) | {name: tuple(columns) for name, *columns in lines}


TEXTS = ("label", "help", "note", "title", "vendor", "citation", "group", "how", "why", "topic", "purpose")  # of any
FREE = listed("""
sources date desktops provisioning measures
units dimension
facts location system quantity phase notes
facts_elsewhere location system quantity phase notes statistic os provisioning file
discrepancies reading_a reading_b
latency_points phase
caches missing
share_services dated
share_prices date source
disk_tiers dated
risk values
evidence ours
predictions ours
""")
# columns that name a row of their own file: a new name is a new row, which others then miss
NAMES = listed("""
units unit
sources code
facts id
facts_elsewhere id
discrepancies id
phases key
inputs key
array_fields key
card_fields key
profile_fields key
arrays array
profiles profile
methods method
caches cache
raid level
classes class
components component
hypervisors hypervisor
encryption encryption
container_shares share
share_services service
share_prices region
disk_tiers tier
latency_points id
cases case
sums id
evidence id
predictions id
presets preset
""")
# columns that may be blank
BLANK = listed(
    """
sources desktops
units note
facts reading_unit desktops notes
facts_elsewhere reading_unit desktops notes statistic os provisioning
discrepancies fact_ids
inputs value list min max
card_fields value
caches boot_read_offload boot_write_offload login_read_offload login_write_offload steady_read_offload \
  steady_write_offload missing
share_services iops_base iops_per_gib iops_max mib_base mib_per_gib mib_bought apart burst_per_gib burst_factor \
  burst_floor bucket_min handles_max metadata_max part_gib_max part_mib_max account_gib_max account_iops_max \
  account_mib_max quota_gib count_max
container_shares cache_ratio cache_read_ratio
share_prices iops mib
disk_tiers burst_iops burst_mb_s burst_min
profiles iops peak_iops minutes note
latency_points note
sums note
evidence low high pin note
predictions how why
risk minimum mode maximum values source
""".replace("\\\n", "")
)
PAIRED = {"iops_source": "iops", "read_source": "read_ratio", "block_source": "block_kib"}  # of profiles
YES_NO = ("cached", "run", "required")
NUMBER = re.compile(r"-?\d+(\.\d+)?$")
IDS = re.compile(r"\b(?:EQL|CML|NTP|ICA|K2)-\d{3}\b")


@dataclass(frozen=True)
class Spoilt:
    """One wrong cell: where it stands, what it held, what stands there now, and what the complaint names."""

    file: str
    line: int
    column: str
    text: str
    hint: str = ""

    def named(self, complaints: list[str]) -> bool:
        where = re.escape(f"model/data/{self.file}.csv:{self.line} (")
        column = f"(min .* above )?{self.column}"
        return any(re.match(rf"{where}.*\): {column} ", line) and self.hint in line for line in complaints)


def table(name: str) -> list[list[str]]:
    with (DATA / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return [*csv.reader(file), *map(list, FURTHER.get(name, []))]


def mistyped(word: str) -> str:
    return f"{word[:-1]}x{word[-1]}" if word else ""


def unknown(name: str, column: str, row: dict[str, str]) -> tuple[str, str] | None:
    """Return a word that the column does not accept, and the right one as the complaint offers it."""
    text = row[column]
    if column in (*TEXTS, *FREE[name], *NAMES[name]) or not text:
        return None
    if column.endswith("source"):
        status, colon, reason = text.partition(":")
        return f"{mistyped(status)}{colon}{reason}", f"did you mean {status!r}?"
    if NUMBER.match(text):
        return f"{text}O", ""
    if match := IDS.search(text):
        return text.replace(match[0], f"{match[0]}O"), f"{match[0]}O"
    if re.match(r"[a-z_]+\(", text):
        return text.replace("(", "x(", 1), f"did you mean {text.partition('(')[0]!r}?"
    return mistyped(text), f"did you mean {text!r}?" if len(text) > 1 and column not in YES_NO else ""


def blank(name: str, column: str, row: dict[str, str]) -> tuple[str, str] | None:
    """Return an empty cell where the column is never blank."""
    figures = [PAIRED[column]] if column in PAIRED else [each for each in row if each not in ("what_if", "min", "max")]
    typed = any(NUMBER.match(row[each]) for each in figures)
    if column in BLANK[name] or not row[column] or (column.endswith("source") and not typed):
        return None
    return "", f"{column} is blank"


def outside(name: str, column: str, row: dict[str, str]) -> tuple[str, str] | None:
    """Return a number that the column's range does not hold."""
    if not NUMBER.match(row[column]) or column in ("factor", *NAMES[name], *FREE[name]):
        return None
    return {"min": "9999999999", "max": "-9999999999"}.get(column, "-50"), ""


def wrong_unit(name: str, column: str, row: dict[str, str]) -> tuple[str, str] | None:
    """Return another unit where the key ends in its own, or a fact of another dimension: a speed of drives."""
    if column == "unit" and row.get("key", "").endswith(("_ratio", "_gib", "_ms", "_min")):
        return "GHz", ""
    quoted = (*NAMES[name], *FREE[name], *TEXTS, "fact_ids", "source", "low", "high")
    return ("EQL-318", "") if IDS.search(row[column]) and column not in quoted else None


KINDS = {"unknown": unknown, "blank": blank, "out of range": outside, "wrong unit": wrong_unit}


def spoilt(kind: str, files: tuple[str, ...]) -> Iterator[tuple[dict[str, list[list[str]]], list[Spoilt]]]:
    """Yield copies of the tables in which every row has at most one wrong cell, until each column had its turn."""
    waiting = {name: list(table(name)[0]) for name in files}
    while any(waiting.values()):
        tables, wrong = {name: table(name) for name in files}, []
        for name, left in waiting.items():
            heads, *rows = tables[name]
            free = dict(enumerate(rows, 2))
            for column in list(left):
                at = heads.index(column)
                fits = (
                    (line, found)
                    for line, row in free.items()
                    if (found := KINDS[kind](name, column, dict(zip(heads, row, strict=True))))
                )
                line, found = next(fits, (0, None))
                if found:
                    wrong.append(Spoilt(name, line, column, found[0], found[1]))
                    free.pop(line)[at] = found[0]
                if found or len(free) == len(rows):
                    left.remove(column)
        yield tables, wrong


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(DATA, tmp_path / "data"))


def written(folder: Path, tables: dict[str, list[list[str]]]) -> None:
    for name, rows in tables.items():
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)


def complaints(folder: Path) -> list[str]:
    with pytest.raises(DataError) as caught:
        read(folder)
    return str(caught.value).splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_wrong_cell_is_named(folder: Path, kind: str, group: str) -> None:
    shipped = {name: table(name) for name in FILES}
    for tables, wrong in spoilt(kind, GROUPS[group]):
        written(folder, shipped | tables)
        if wrong:
            told = complaints(folder)
            assert [each for each in wrong if not each.named(told)] == []


@pytest.mark.slow
def test_a_key_used_twice_is_named_in_every_file(folder: Path) -> None:
    keyed = [(name, record) for record, name in FILES_OF.items() if any(each.key for each in columns(record))]
    tables = {name: table(name) for name, _ in keyed}
    for rows in tables.values():
        rows.append(rows[2])
    written(folder, tables)
    told = complaints(folder)
    for name, record in keyed:
        keys = " and ".join(each.name for each in columns(record) if each.key)
        expected = f"): {keys} is already used in row 3; give this row its own."
        assert any(f"model/data/{name}.csv:{len(tables[name])} (" in line and expected in line for line in told), name
    assert {*FILES} - {name for name, _ in keyed} == set()


def changed(name: str, old: str, new: str) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        path = folder / f"{name}.csv"
        text = path.read_bytes().decode()
        assert old in text, f"{name}.csv no longer holds {old!r}"
        path.write_bytes(text.replace(old, new).encode())

    return spoil


def saved(name: str, change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        path = folder / f"{name}.csv"
        path.write_bytes(change(path.read_bytes()))

    return spoil


FAULTS = {
    "byte order mark": (
        saved("raid", lambda data: b"\xef\xbb\xbf" + data),
        "model/data/raid.csv:1: the file starts with a byte order mark; save it as UTF-8 without one.",
    ),
    "semicolons": (
        changed("hypervisors", ",", ";"),
        "model/data/hypervisors.csv:1: the cells are separated by semicolons; separate them by commas: the columns are "
        "hypervisor, swap, source.",
    ),
    "line ends of Windows": (
        changed("encryption", "\n", "\r\n"),
        "model/data/encryption.csv:1: the line ends in CR, as on Windows; save the file with line ends of LF alone.",
    ),
    "another encoding": (
        saved("components", lambda data: data.replace(b"memory pages", b"memory pag\xe9s")),
        "model/data/components.csv:4: byte 0xe9 is not UTF-8; save the file as UTF-8.",
    ),
    "a quote that is not closed": (
        changed("presets", "Growth 25 %,growth_ratio", '"Growth 25 %,growth_ratio'),
        "model/data/presets.csv:3 (Growth 25 %,growth_ratio,0.25,user,A quarter more desktops within the life of the "
        "array.): 1 cells where 5 are expected; check commas and quotes.",
    ),
    "a missing column": (
        changed("alternatives", "what_if,key,value,source", "what_if,key,value"),
        "model/data/alternatives.csv:1: column 'source' is missing; the columns are what_if, key, value, source.",
    ),
    "a key used twice": (
        changed("predictions", "\nP06,", "\nP04,"),
        "model/data/predictions.csv:4 (P04): id is already used in row 3; give this row its own.",
    ),
    "an unknown unit": (
        changed("sums", ",count,IOPS/desktop,\nS03", ",count,IOPS/dsktop,\nS03"),
        "model/data/sums.csv:3 (S02): unit 'IOPS/dsktop' is not in units.csv; did you mean 'IOPS/desktop'?",
    ),
    "an unknown array of a test": (
        changed("cases", "EQL 1 array,EQL,array,Dell EqualLogic PS6010XVS", "EQL 1 array,EQL,array,PS6010XVS"),
        "model/data/cases.csv:3 (EQL 1 array): value 'PS6010XVS' is not in arrays.csv; did you mean "
        "'Dell EqualLogic PS6010XVS'?",
    ),
    "an array of the user's own in a test": (
        changed("cases", "EQL 2 arrays,EQL,array,Dell EqualLogic PS6010XVS", "EQL 2 arrays,EQL,array,My array 1"),
        "(EQL 2 arrays): value 'My array 1' is not in arrays.csv; ",
    ),
    "a test without an array": (
        changed("cases", "ICA baseline,ICA,array,", "ICA baseline,ICA,container_array,"),
        "(ICA baseline): ICA baseline has no row whose key is array; add the row.",
    ),
    "an unknown profile of a test": (
        changed("cases", "EQL 1 array,EQL,profile,Task worker PVS (EQL 2012)", "EQL 1 array,EQL,profile,Task worker"),
        "(EQL 1 array): value 'Task worker' is not in profiles.csv; did you mean 'Task worker PVS (EQL 2012)'?",
    ),
    "an unknown method of a test": (
        changed("cases", "ICA baseline,ICA,provisioning,MCS pooled", "ICA baseline,ICA,provisioning,MCS"),
        "(ICA baseline): value 'MCS' is not in methods.csv; did you mean 'MCS pooled'?",
    ),
    "a test of two papers": (
        changed("cases", "EQL 1 array,EQL,arrays_installed", "EQL 1 array,CML,arrays_installed"),
        "model/data/cases.csv:4 (EQL 1 array): paper is 'CML', and 'EQL' in row 2 of the same case; write one.",
    ),
    "a tail of -50": (
        changed("cases", "EQL 1 array,EQL,boot_tail_min,0,", "EQL 1 array,EQL,boot_tail_min,-50,"),
        "(EQL 1 array): value -50 is outside 0 to 600 of boot_tail_min; correct it.",
    ),
    "an unknown class": (
        changed("arrays", "PS6510E,array_class,disk", "PS6510E,array_class,disc"),
        "(Dell EqualLogic PS6510E): value 'disc' is not in classes.csv; did you mean 'disk'?",
    ),
    "an unknown RAID level": (
        changed("arrays", "PS6510E,raid,RAID 50", "PS6510E,raid,RAID50"),
        "(Dell EqualLogic PS6510E): value 'RAID50' is not in raid.csv; did you mean 'RAID 50'?",
    ),
    "a base latency without points": (
        changed("latency_points", "Kaminario K2 (one K-Block)", "NetApp AFF8040"),
        "(Kaminario K2 (one K-Block)): Kaminario K2 (one K-Block) has a base_latency_ms and no fitted row in "
        "latency_points.csv; add its points.",
    ),
    "points of an array without a base latency": (
        changed("latency_points", "A09,NetApp AFF8040", "A09,NetApp FAS3270"),
        "array 'NetApp FAS3270' is not an array with a base_latency_ms in arrays.csv; ",
    ),
    "a factor over zero": (
        changed("units", "%,share,1/100,", "%,share,1/0,"),
        "factor '1/0' is not a number above 0; write digits or a fraction such as 1/60.",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.replace(" ", "-"))
def test_a_fault_is_one_line(folder: Path, fault: str) -> None:
    spoil, message = FAULTS[fault]
    spoil(folder)
    told = complaints(folder)
    assert sum(message in line for line in told) == 1, "\n".join(told)


def test_faults_of_every_kind_come_in_one_list_and_nothing_is_built(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    several = list(FAULTS)[:9]
    for fault in several:
        FAULTS[fault][0](folder)
    assert build.main(["--out", str(tmp_path / "out"), "--data", str(folder)]) == 1
    told = capsys.readouterr().err.splitlines()
    assert [fault for fault in several if sum(FAULTS[fault][1] in line for line in told) != 1] == []
    assert len(told) == len(several), "\n".join(told)
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_what_rows_name_of_the_workbook_is_checked_with_file_row_and_column(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Lines and columns are known once the sheets are laid out: these faults come when the files have none."""
    changed("evidence", ",pool_images_gib@EQL 1 array,GiB,", ",pool_image_gib@EQL 1 aray,GiB,")(folder)
    changed("evidence", "_exact@EQL 1 array,count,", "_exact@EQL 1 array,hosts,")(folder)
    changed("predictions", ",sum:S61,", ",sum:S610,")(folder)
    assert build.main(["--out", str(tmp_path / "out"), "--data", str(folder)]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "model/data/evidence.csv:3 (E003): ours 'pool_image_gib' is unknown; did you mean 'pool_images_gib'?",
        "model/data/evidence.csv:3 (E003): ours 'EQL 1 aray' is unknown; did you mean 'EQL 1 array'?",
        "model/data/predictions.csv:3 (P04): ours 'S610' is unknown; did you mean 'S61'?",
        "model/data/evidence.csv:2 (E001): unit 'hosts' has no number format; add it to model/layout/styles.py",
    ]
    assert not (tmp_path / "out").exists()
