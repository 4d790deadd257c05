"""The only reader of `model/data/`: plain files in, frozen records out, all complaints collected with file and row."""

from collections.abc import Iterable
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
from model.reading.columns import Typed
from model.reading.facts import PAPER, Discrepancy, Fact, FactBook, FactElsewhere, Source, Unit
from model.reading.records import (
    Alternative,
    Case,
    CaseValue,
    Correlation,
    Data,
    Evidence,
    Input,
    LatencyPoint,
    Prediction,
    Preset,
    ProfileDefault,
    RiskRow,
    Sum,
)
from model.reading.rows import Reader

DATA = Path(__file__).parents[1] / "data"
_OWN = "Your own measurement; blank = the profile's figure"
_RUN = "Of those IOPS: IOPS x minutes are the work; blank = the profile's"
# of the optional overrides of the phases: key, label, unit, smallest and largest value, help
_OVERRIDES = (
    ("iops_per_desktop", "IOPS per desktop", "IOPS/desktop", 0.0, 10000.0, _OWN),
    ("run_min", "minutes of the run", "min", 0.1, 10000.0, _RUN),
    ("read_ratio", "read share", "ratio", 0.0, 1.0, _OWN),
    ("block_kib", "block size", "KiB", 0.0, 4096.0, _OWN),
)


def load_facts(folder: Path) -> FactBook:
    """Read units, sources, facts and discrepancies from a folder.

    Raises DataError with every complaint of the five files.
    """
    r = Reader(folder)
    r.table("units", Unit)
    every = {source.code: source for source in r.table("sources", Source)}
    papers = {code: source for code, source in every.items() if source.kind == PAPER}
    elsewhere = {code: source for code, source in every.items() if code not in papers}
    r.known["sources"] = papers
    r.table("facts", Fact)
    r.table("discrepancies", Discrepancy)
    r.known["sources"] = elsewhere
    r.table("facts_elsewhere", FactElsewhere)
    r.done()
    facts, units, discrepancies, others = (
        r.known[name] for name in ("facts", "units", "discrepancies", "facts_elsewhere")
    )
    return FactBook(facts, units, papers, discrepancies, others, elsewhere)


def _phase_inputs(phases: Iterable[Phase]) -> list[Input]:
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
        for phase in phases
        for suffix, label, unit, least, largest, text in _OVERRIDES
        if phase.run or suffix != "run_min"
    ]


def _arrays(r: Reader, fields: Iterable[ArrayField]) -> tuple[Array, ...]:
    arrays: dict[str, dict[str, Typed]] = {}
    for row in r.table("arrays", ArrayValue):
        if row.field:
            arrays.setdefault(row.array, {})[row.field.key] = row.value
    for name, values in arrays.items():
        for field in fields:
            if field.required and field.key not in values:
                r.complain("model/data/arrays.csv", f"{name} has no {field.key}; add the row.")
        if "base_latency_ms" in values and "latency_shape" not in values:  # the curve is drawn from both
            fault = f"{name} has a base_latency_ms and no latency_shape; add the row, latency_shape(...) of its points."
            r.complain("model/data/arrays.csv", fault)
    r.known["arrays"] = arrays
    return tuple(Array(name, values) for name, values in arrays.items())


def _profiles(r: Reader) -> tuple[ProfilePhase, ...]:
    rows = r.table("profiles", ProfilePhase)
    inside = {row.profile: row.local_profile for row in rows[::-1]}
    for row in rows:
        if row.local_profile != inside[row.profile]:
            fault = f"{row.profile} says {inside[row.profile]} and {row.local_profile} of local_profile; say one."
            r.complain("model/data/profiles.csv", fault)
    return rows


def _cases(r: Reader) -> tuple[Case, ...]:
    cases: dict[str, tuple[str, dict[str, Typed]]] = {}
    for row in r.table("cases", CaseValue):
        if row.input:
            cases.setdefault(row.case, (row.paper, {}))[1][row.input.key] = row.value
    return tuple(Case(name, paper, values) for name, (paper, values) in cases.items())


def read(folder: Path = DATA) -> Data:
    """Read the whole data folder; a file comes after those it refers to.

    Raises DataError with every complaint of every file, each naming file and row.
    """
    r = Reader(folder, facts := load_facts(folder))
    phases = r.table("phases", Phase)
    inputs = (*r.table("inputs", Input), *_phase_inputs(phases))
    r.known["inputs"] = {item.key: item for item in inputs}
    fields = r.table("array_fields", ArrayField)
    profiles, profile_fields = _profiles(r), r.table("profile_fields", ProfileField)
    r.known["profiles"] = {row.profile: row for row in profiles}
    travelling = (item for item in inputs if item.travels)
    r.known["profile_figures"] = {each.key: each for each in profile_fields} | {each.key: each for each in travelling}
    data = Data(
        facts=facts,
        inputs=inputs,
        phases=phases,
        fields=fields,
        card_fields=r.table("card_fields", CardField),
        arrays=_arrays(r, fields),
        profiles=profiles,
        profile_fields=profile_fields,
        profile_defaults=r.table("profile_defaults", ProfileDefault),
        methods=r.table("methods", Method),
        caches=r.table("caches", Cache),
        raid=r.table("raid", RaidLevel),
        classes=r.table("classes", ArrayClass),
        components=r.table("components", Component),
        hypervisors=r.table("hypervisors", Hypervisor),
        encryption=r.table("encryption", Encryption),
        points=r.table("latency_points", LatencyPoint),
        cases=_cases(r),
        sums=r.table("sums", Sum),
        evidence=r.table("evidence", Evidence),
        predictions=r.table("predictions", Prediction),
        presets=r.table("presets", Preset),
        alternatives=r.table("alternatives", Alternative),
        risk=r.table("risk", RiskRow),
        correlations=r.table("risk_correlation", Correlation),
    )
    r.done()
    return data
