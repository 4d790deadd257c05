"""The only reader of `model/data/`: plain files in, frozen records out, all complaints collected with file and row.

A value in a data file is a number, a text or an expression over facts (`EQL-055`, `per_desktop(EQL-145,EQL-055)`). An
expression carries its own provenance; a typed number must say `user`, `published` (texts) or `assumed: reason` in its
source column.
"""

from pathlib import Path

from model.errors import DataError
from model.reading.evidence import evidence_rows, latency_points, prediction_rows, sum_rows
from model.reading.facts import load_facts
from model.reading.records import Array, ArrayField, Case, Data, Input, Phase, Preset, ProfilePhase, TableRow, Typed
from model.reading.risk import correlations, risk_rows
from model.reading.rows import NUMBER, Reader

DATA = Path(__file__).parents[1] / "data"


def _phase_inputs(phases: tuple[Phase, ...]) -> list[Input]:
    """Return the optional overrides of every phase: IOPS per desktop, read share, block size."""
    blank = Typed(None, "user", "user")
    kinds = (
        ("iops_per_desktop", "IOPS per desktop", "IOPS/desktop", 0.0, 10000.0),
        ("read_ratio", "read share", "ratio", 0.0, 1.0),
        ("block_kib", "block size", "KiB", 0.0, 4096.0),
    )
    return [
        Input(
            f"{phase.key}_{suffix}",
            "Phase overrides (blank = the profile's figure)",
            f"{phase.label}: {label}",
            unit,
            "number",
            blank,
            low,
            high,
            True,
            "",
            "Your own measurement; blank = the profile's figure",
        )
        for phase in phases
        for suffix, label, unit, low, high in kinds
    ]


def _inputs(r: Reader, phases: tuple[Phase, ...]) -> tuple[Input, ...]:
    seen: dict[str, str] = {}
    inputs = []
    columns = "key group label unit kind value source min max optional list help"
    for place, row in r.rows("inputs", columns):
        r.once(place, seen, row["key"])
        typed = r.typed(place, row["value"], row["source"], r.unit(place, row["unit"]), row["kind"] == "number")
        low, high = r.number(place, "min", row["min"]), r.number(place, "max", row["max"])
        if row["kind"] == "number" and (low is None or high is None):
            r.complain(place, f"{row['key']} has no min or max; every number needs a range.")
        elif low is not None and high is not None and isinstance(typed.value, float) and not low <= typed.value <= high:
            r.complain(
                place, f"{row['key']} is {typed.value:g}, outside {low:g} to {high:g}; correct the value or the range."
            )
        optional = row["optional"] == "yes"
        if typed.value is None and not optional:
            r.complain(place, f"{row['key']} has no value; only an optional input may ship blank.")
        inputs.append(
            Input(
                row["key"],
                row["group"],
                row["label"],
                row["unit"],
                row["kind"],
                typed,
                low,
                high,
                optional,
                row["list"],
                row["help"],
            )
        )
    return (*inputs, *_phase_inputs(phases))


def _arrays(r: Reader, fields: tuple[ArrayField, ...]) -> tuple[Array, ...]:
    by_key = {field.key: field for field in fields}
    arrays: dict[str, dict[str, Typed]] = {}
    seen: dict[str, str] = {}
    for place, row in r.rows("arrays", "array key value source"):
        r.check_key(place, row["key"], by_key)
        r.once(place, seen, f"{row['array']}: {row['key']}")
        field = by_key.get(row["key"])
        if field is None:
            continue
        typed = r.typed(place, row["value"], row["source"], field.unit, field.kind == "number")
        if isinstance(typed.value, float) and not (field.minimum or 0) <= typed.value <= (field.maximum or 0):
            r.complain(place, f"{field.key} is {typed.value:g}, outside {field.minimum:g} to {field.maximum:g}.")
        arrays.setdefault(row["array"], {})[row["key"]] = typed
    for name, values in arrays.items():
        for field in fields:
            if field.required and field.key not in values:
                r.complain("model/data/arrays.csv", f"{name} has no {field.key}; add the row.")
    return tuple(Array(name, values) for name, values in arrays.items())


def _fields(r: Reader) -> tuple[ArrayField, ...]:
    return tuple(
        ArrayField(
            row["key"],
            row["label"],
            r.unit(place, row["unit"]),
            row["kind"],
            r.number(place, "min", row["min"]),
            r.number(place, "max", row["max"]),
            row["required"] == "yes",
            row["help"],
        )
        for place, row in r.rows("array_fields", "key label unit kind min max required help")
    )


def _profiles(r: Reader, phases: tuple[Phase, ...]) -> tuple[ProfilePhase, ...]:
    columns = "profile phase sampling iops iops_source peak_iops read_ratio read_source block_kib block_source note"
    seen: dict[str, str] = {}
    profiles = []
    for place, row in r.rows("profiles", columns):
        r.once(place, seen, f"{row['profile']}: {row['phase']}")
        r.check_key(place, row["phase"], [p.key for p in phases])
        if row["sampling"] not in ("mean", "peak"):
            r.complain(place, f"sampling is {row['sampling']!r}; expected mean or peak.")
        if not row["read_ratio"]:
            r.complain(
                place, f"{row['profile']} has no read share in {row['phase']}; print the paper's or mark one assumed."
            )
        profiles.append(
            ProfilePhase(
                row["profile"],
                row["phase"],
                row["sampling"],
                r.typed(place, row["iops"], row["iops_source"], "IOPS/desktop"),
                r.typed(place, row["peak_iops"], "", "IOPS/desktop"),
                r.typed(place, row["read_ratio"], row["read_source"], "ratio"),
                r.typed(place, row["block_kib"], row["block_source"], "KiB"),
                row["note"],
            )
        )
    return tuple(profiles)


def _table(r: Reader, name: str, columns: str, units: dict[str, str]) -> tuple[TableRow, ...]:
    """Read a small table: first column the name, last the source, numbers between."""
    first, *middle, _ = columns.split()
    seen: dict[str, str] = {}
    rows = []
    for place, row in r.rows(name, columns):
        r.once(place, seen, row[first])
        values = {}
        for column in middle:
            typed = r.typed(
                place, row[column], row["source"] if NUMBER.match(row[column]) else "", units.get(column, "ratio")
            )
            values[column] = typed
        rows.append(TableRow(row[first], values, row["source"]))
    return tuple(rows)


def _cases(r: Reader, inputs: tuple[Input, ...]) -> tuple[Case, ...]:
    by_key = {i.key: i for i in inputs}
    cases: dict[str, tuple[str, dict[str, Typed]]] = {}
    seen: dict[str, str] = {}
    for place, row in r.rows("cases", "case paper key value source"):
        r.check_key(place, row["key"], by_key)
        r.once(place, seen, f"{row['case']}: {row['key']}")
        item = by_key.get(row["key"])
        if item is not None:
            typed = r.typed(place, row["value"], row["source"], item.unit, item.kind == "number")
            cases.setdefault(row["case"], (row["paper"], {}))[1][row["key"]] = typed
    return tuple(Case(name, paper, values) for name, (paper, values) in cases.items())


def _presets(r: Reader, inputs: tuple[Input, ...]) -> tuple[Preset, ...]:
    by_key = {i.key: i for i in inputs}
    presets = []
    for place, row in r.rows("presets", "preset key value source purpose"):
        r.check_key(place, row["key"], by_key)
        item = by_key.get(row["key"])
        if item is not None:
            value = r.typed(place, row["value"], row["source"], item.unit, item.kind == "number")
            presets.append(Preset(row["preset"], row["key"], value, row["purpose"]))
    return tuple(presets)


def read(folder: Path = DATA) -> Data:
    """Read the whole data folder.

    Raises DataError with every complaint of every file, each naming file and row.
    """
    r = Reader(folder, load_facts(folder))
    phases = tuple(
        Phase(row["key"], row["label"], row["cached"] == "yes") for _, row in r.rows("phases", "key label cached")
    )
    inputs = _inputs(r, phases)
    fields = _fields(r)
    methods = (
        "method swap write_cache identity pvd disk image_per_pool image_per_datastore "
        "plain_low plain_likely plain_high inline_low inline_likely inline_high boot_low boot_likely boot_high "
        "patch_ios provision_ios source"
    )
    triples = dict.fromkeys(
        ("plain_low", "plain_likely", "plain_high", "inline_low", "inline_likely", "inline_high"), "x:1"
    ) | dict.fromkeys(("boot_low", "boot_likely", "boot_high", "patch_ios", "provision_ios"), "I/O/desktop")
    caches = (
        "cache boot_read_offload boot_write_offload login_read_offload login_write_offload steady_read_offload "
        "steady_write_offload local_write_cache source"
    )
    risk = risk_rows(r, inputs)
    arrays = _arrays(r, fields)
    data = Data(
        facts=r.facts,
        inputs=inputs,
        phases=phases,
        fields=fields,
        arrays=arrays,
        profiles=_profiles(r, phases),
        methods=_table(r, "methods", methods, triples),
        caches=_table(r, "caches", caches, {}),
        raid=_table(r, "raid", "level penalty source", {}),
        classes=_table(r, "classes", "class limit_ms source", {"limit_ms": "ms"}),
        points=latency_points(r, [array.name for array in arrays]),
        cases=_cases(r, inputs),
        sums=sum_rows(r),
        evidence=evidence_rows(r),
        predictions=prediction_rows(r),
        presets=_presets(r, inputs),
        risk=risk,
        correlations=correlations(r, risk),
    )
    if r.complaints:
        raise DataError(r.complaints)
    return data
