"""Read sums.csv, latency_points.csv, evidence.csv and predictions.csv: what the papers print, held against ours."""

from collections.abc import Iterable

from model.reading.records import Evidence, LatencyPoint, Prediction, Sum
from model.reading.rows import Reader


def sum_rows(r: Reader) -> tuple[Sum, ...]:
    """Return the papers' own sums."""
    sums = []
    seen: dict[str, str] = {}
    for place, row in r.rows("sums", "id label operation a a_unit b b_unit unit note"):
        r.once(place, seen, row["id"])
        if row["operation"] not in ("product", "ratio", "saving", "total"):
            r.complain(place, f"operation is {row['operation']!r}; expected product, ratio, saving or total.")
        a_unit, b_unit, unit = (r.unit(place, row[column]) for column in ("a_unit", "b_unit", "unit"))
        a, b = r.typed(place, row["a"], "", a_unit), r.typed(place, row["b"], "", b_unit)
        sums.append(Sum(row["id"], row["label"], row["operation"], a, a_unit, b, b_unit, unit, row["note"]))
    return tuple(sums)


def latency_points(r: Reader, arrays: Iterable[str]) -> tuple[LatencyPoint, ...]:
    """Return the printed latencies with the load and the utilisation they were measured at."""
    points = []
    seen: dict[str, str] = {}
    figures = {"iops": "IOPS", "read_ratio": "ratio", "latency_ms": "ms", "utilisation": "ratio"}
    for place, row in r.rows("latency_points", f"id array phase role {' '.join(figures)} source note"):
        r.once(place, seen, row["id"])
        r.check_key(place, row["array"], arrays)
        if row["role"] not in ("fitted", "predicted", "bound"):
            r.complain(place, f"role is {row['role']!r}; expected fitted, predicted or bound.")
        typed = {}
        for column, unit in figures.items():
            borrowed = column == "read_ratio" or row[column][:1].isdigit()
            typed[column] = r.typed(place, row[column], row["source"] if borrowed else "", unit)
            if typed[column].value is None:
                r.complain(place, f"{row['id']} has no {column}; every point needs all four figures.")
        points.append(LatencyPoint(row["id"], row["array"], row["phase"], row["role"], **typed, note=row["note"]))
    return tuple(points)


def evidence_rows(r: Reader) -> tuple[Evidence, ...]:
    """Return the printed results that stand against ours."""
    rows = []
    seen: dict[str, str] = {}
    for place, row in r.rows("evidence", "id low high rule ours unit kind label pin note"):
        r.once(place, seen, row["id"])
        for column in ("low", "high"):
            if row[column]:
                r.check_key(place, row[column], r.facts.facts)
        if not row["low"] and not row["high"]:
            r.complain(place, f"{row['id']} cites no fact; fill low, high or both.")
        if row["rule"] not in ("exact", "approx", "lt", "gt", "range"):
            r.complain(place, f"rule is {row['rule']!r}; expected exact, approx, lt, gt or range.")
        if row["kind"] not in ("input", "reproduced", "consistency"):
            r.complain(place, f"kind is {row['kind']!r}; expected input, reproduced or consistency.")
        if row["pin"] and not row["note"]:
            r.complain(place, f"{row['id']} pins a known miss without a reason; fill note.")
        pin = r.number(place, "pin", row["pin"])
        paper = (row["low"] or row["high"]).split("-")[0]
        rows.append(
            Evidence(
                row["id"],
                paper,
                row["low"],
                row["high"],
                row["rule"],
                row["ours"],
                r.unit(place, row["unit"]),
                row["kind"],
                row["label"],
                pin,
                row["note"],
            )
        )
    return tuple(rows)


def prediction_rows(r: Reader) -> tuple[Prediction, ...]:
    """Return the predictions, and what looks like one with the reason why it is none."""
    rows = []
    seen: dict[str, str] = {}
    for place, row in r.rows("predictions", "id scope role low high ours unit label how why"):
        r.once(place, seen, row["id"])
        for column in ("low", "high"):
            if row[column]:
                r.check_key(place, row[column], r.facts.facts)
        for column, words in (("scope", ("within", "across")), ("role", ("fixed", "variant", "none"))):
            if row[column] not in words:
                r.complain(place, f"{column} is {row[column]!r}; expected {', '.join(words)}.")
        if row["role"] == "none" and not row["why"]:
            r.complain(place, f"{row['id']} is no prediction without a reason; fill why.")
        if row["role"] != "none" and not (row["low"] and row["high"] and row["ours"] and row["how"]):
            r.complain(place, f"{row['id']} lacks what is printed, ours or how; fill low, high, ours and how.")
        rows.append(Prediction(**{**row, "unit": r.unit(place, row["unit"])}))
    return tuple(rows)
