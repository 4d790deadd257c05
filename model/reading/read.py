"""The only reader of `model/data/`: plain files in, frozen records out, all complaints collected with file and row."""

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from model.reading.catalogue import (
    Array,
    ArrayClass,
    ArrayField,
    ArrayValue,
    Cache,
    CardField,
    Component,
    Encryption,
    Hypervisor,
    Method,
    Phase,
    ProfileField,
    ProfilePhase,
    RaidLevel,
)
from model.reading.choices import LISTS
from model.reading.clouds import ContainerShare, DiskTier, SharePrice, ShareService
from model.reading.columns import Typed
from model.reading.facts import ELSEWHERE, Discrepancy, Fact, FactBook, FactElsewhere, Source, Unit
from model.reading.inputs import Alternative, Input, Preset, ProfileDefault
from model.reading.proof import Case, CaseValue, Evidence, LatencyPoint, Prediction, Sum
from model.reading.records import FACT_FILES, FILES, Data
from model.reading.risk import Correlation, RiskRow
from model.reading.rows import Names, Reader

DATA = Path(__file__).parents[1] / "data"
BASE_LATENCY, FITTED = "base_latency_ms", "fitted"
_OWN = "Your own measurement; blank = the profile's figure"
_RUN = "Of those IOPS: IOPS x minutes are the work; blank = the profile's"
# of the optional overrides of the phases: key, label, unit, smallest and largest value, help
_OVERRIDES = (
    ("iops_per_desktop", "IOPS per desktop", "IOPS/desktop", 0.0, 10000.0, _OWN),
    ("run_min", "minutes of the run", "min", 0.1, 10000.0, _RUN),
    ("read_ratio", "read share", "ratio", 0.0, 1.0, _OWN),
    ("block_kib", "block size", "KiB", 0.0, 4096.0, _OWN),
)


def _facts(r: Reader) -> FactBook:
    """Read units, sources, facts and discrepancies; figures are computed from them where they have no fault."""
    r.table(Unit)
    sources = r.table(Source)
    papers = {each.code: each for each in sources if each.kind != ELSEWHERE}
    elsewhere = {each.code: each for each in sources if each.kind == ELSEWHERE}
    for name, words in (("papers", papers), ("elsewhere", elsewhere), ("sources", papers | elsewhere)):
        r.name(name, words, "sources")
    for record in (Fact, FactElsewhere):
        r.table(record)
    printed = {**r.records["facts"], **r.records["facts_elsewhere"]}
    r.name("printed", printed, "facts", "facts_elsewhere")
    r.table(Discrepancy)
    facts, units, discrepancies, others = (
        r.records[name] for name in ("facts", "units", "discrepancies", "facts_elsewhere")
    )
    book = FactBook(facts, units, papers, discrepancies, others, elsewhere)
    r.facts = book if r.sound(FACT_FILES.values()) else None
    return book


def load_facts(folder: Path) -> FactBook:
    """Read units, sources, facts and discrepancies from a folder.

    Raises DataError with every complaint of the five files.
    """
    book = _facts(r := Reader(folder, FACT_FILES))
    r.done()
    return book


def _predictions(r: Reader) -> tuple[Prediction, ...]:
    """Read the predictions; those of the papers, within one or across, rest on no figure published elsewhere."""
    found, elsewhere = r.table(Prediction), r.records["facts_elsewhere"]
    where = {row.first: row.where for row in r.rows["predictions"]}
    for each in found:
        if each.scope != "generation":
            for id in sorted({each.low, each.high} & elsewhere.keys()):
                r.complain(
                    where[each.id], f"{id} is of facts_elsewhere.csv; a prediction {each.scope} papers takes facts.csv."
                )
    return found


def _phase_inputs(phases: Sequence[Phase]) -> list[Input]:
    """Return the optional overrides of every phase: IOPS per desktop, minutes of the run, read share, block size."""
    return [
        Input(
            key=f"{phase.key}_{suffix}",
            sheet="More inputs",
            group="Phase overrides (blank = the profile's figure)",
            label=f"{phase.label}: {label}",
            unit=unit,
            kind="number",
            value=Typed(None, "user", "user"),
            minimum=least,
            maximum=largest,
            blank="yes",
            choices="",
            help=text,
        )
        for suffix, label, unit, least, largest, text in _OVERRIDES
        for phase in phases
        if phase.run or suffix != "run_min"
    ]


def _lists(r: Reader) -> None:
    """Name what columns may refer to beyond the first column of each file."""
    for name, (file, words) in LISTS.items():
        known = r.names.get(file)
        if known or not file:
            r.names[name] = Names((*(known.words if known else ()), *words), known.listed if known else "")
    r.names["lists"] = Names(tuple(LISTS))
    curves = [row.first for row in r.rows["arrays"] if row.cells["key"] == BASE_LATENCY]
    r.name("curves", tuple(dict.fromkeys(curves)), "arrays", listed=f"an array with a {BASE_LATENCY} in arrays.csv")


def _profile_defaults(r: Reader) -> tuple[ProfileDefault, ...]:
    """Read what travels with a profile; a year must, as a published test is as old as its profile."""
    found = r.table(ProfileDefault)
    dated = {row.first for row in r.rows["profile_defaults"] if row.cells["key"] == "year"}
    for name in dict.fromkeys(row.first for row in r.rows["profiles"]):
        if name not in dated and "profile_defaults" in r.whole:
            r.complain(r.place("profiles", name), f"{name} has no year; add its row to profile_defaults.csv.")
    return found


def _named(r: Reader, name: str, rows: Iterable[Input | ProfileField], *files: str) -> None:
    """Let columns refer to these inputs or fields, by key, and figures take unit, range and list from them."""
    r.records[name] = {each.key: each for each in rows}
    r.name(name, tuple(r.records[name]), *files)


def _arrays(r: Reader, fields: Iterable[ArrayField]) -> tuple[Array, ...]:
    arrays: dict[str, dict[str, Typed]] = {}
    for row in r.table(ArrayValue):
        if row.field:
            arrays.setdefault(row.array, {})[row.field.key] = row.value
    fitted = {row.cells["array"] for row in r.rows["latency_points"] if row.cells["role"] == FITTED}
    for name, values in arrays.items():
        if "array_fields" in r.whole:
            _needed(r, "arrays", name, values, (field.key for field in fields if field.required))
        if BASE_LATENCY in values:  # the curve is drawn from both, beside its points
            _needed(r, "arrays", name, values, ("latency_shape",))
            if "latency_points" in r.whole and name not in fitted:
                fault = f"{name} has a {BASE_LATENCY} and no {FITTED} row in latency_points.csv; add its points."
                r.complain(r.place("arrays", name), fault)
    return tuple(Array(name, values) for name, values in arrays.items())


def _cases(r: Reader) -> tuple[Case, ...]:
    cases: dict[str, tuple[str, dict[str, Typed]]] = {}
    for row in r.table(CaseValue):
        if row.input:
            cases.setdefault(row.case, (row.paper, {}))[1][row.input.key] = row.value
    for name in cases:
        _needed(
            r, "cases", name, {row.cells["key"] for row in r.rows["cases"] if row.first == name}, ("array", "profile")
        )
    return tuple(Case(name, paper, values) for name, (paper, values) in cases.items())


def _needed(r: Reader, file: str, name: str, found: Collection[str], keys: Iterable[str]) -> None:
    """Complain about a row that an array or a published test lacks, at the first row it has."""
    for key in keys:
        if key not in found and file in r.whole:
            r.complain(r.place(file, name), f"{name} has no row whose key is {key}; add the row.")


def read(folder: Path = DATA) -> Data:
    """Read the whole data folder; a file comes after those whose units and ranges its figures take.

    Raises DataError with every complaint of every file, each naming file, row and column.
    """
    r = Reader(folder, FILES)
    _lists(r)
    facts = _facts(r)
    phases = r.table(Phase)
    inputs = (*r.table(Input), *_phase_inputs(phases))
    _named(r, "inputs", inputs, "inputs", "phases")
    fields, profile_fields = r.table(ArrayField), r.table(ProfileField)
    travelling = (item for item in inputs if item.travels)
    _named(r, "profile_figures", (*profile_fields, *travelling), "profile_fields", "inputs")
    data = Data(
        facts=facts,
        inputs=inputs,
        phases=phases,
        fields=fields,
        card_fields=r.table(CardField),
        arrays=_arrays(r, fields),
        profiles=r.table(ProfilePhase),
        profile_fields=profile_fields,
        profile_defaults=_profile_defaults(r),
        methods=r.table(Method),
        caches=r.table(Cache),
        raid=r.table(RaidLevel),
        classes=r.table(ArrayClass),
        components=r.table(Component),
        hypervisors=r.table(Hypervisor),
        encryption=r.table(Encryption),
        container_shares=r.table(ContainerShare),
        share_services=r.table(ShareService),
        share_prices=r.table(SharePrice),
        disk_tiers=r.table(DiskTier),
        points=r.table(LatencyPoint),
        cases=_cases(r),
        sums=r.table(Sum),
        evidence=r.table(Evidence),
        predictions=_predictions(r),
        presets=r.table(Preset),
        alternatives=r.table(Alternative),
        risk=r.table(RiskRow),
        correlations=r.table(Correlation),
        places={(name, row.first): row.where for name, rows in r.rows.items() for row in rows},
    )
    r.done()
    return data
