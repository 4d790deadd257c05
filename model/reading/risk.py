"""Read risk.csv and risk_correlation.csv: how the inputs spread, and which of them move together."""

from model.reading.records import Correlation, Input, RiskRow, Typed
from model.reading.rows import Reader

DISTRIBUTIONS: dict[str, tuple[str, ...]] = {
    # kind: the columns it needs, optional ones with a question mark
    "fixed": ("mode?",),
    "uniform": ("minimum", "maximum"),
    "triangular": ("minimum", "mode", "maximum"),
    "pert": ("minimum", "mode", "maximum", "shape?"),
    "normal": ("mode", "spread"),
    "truncated normal": ("minimum", "mode", "maximum", "spread"),
    "lognormal": ("mode", "spread"),
    "beta": ("minimum", "maximum", "shape", "second_shape"),
    "gamma": ("spread", "shape"),
    "discrete": ("values",),
    "empirical": ("values",),
}
NUMBERS = ("minimum", "mode", "maximum", "spread", "shape", "second_shape")


def risk_rows(r: Reader, inputs: tuple[Input, ...]) -> tuple[RiskRow, ...]:
    """Return the uncertain inputs in the order of the file, which gives each its place among the draws for ever."""
    by_key = {item.key: item for item in inputs if item.kind == "number"}
    seen: dict[str, str] = {}
    rows = []
    for place, row in r.rows("risk", f"key distribution {' '.join(NUMBERS)} values source help"):
        r.check_key(place, row["key"], by_key)
        r.check_key(place, row["distribution"], DISTRIBUTIONS)
        r.once(place, seen, row["key"])
        item = by_key.get(row["key"])
        if item is None or row["distribution"] not in DISTRIBUTIONS:
            continue
        own = {"shape": "ratio", "second_shape": "ratio"}
        cells = {c: r.typed(place, row[c], row["source"], own.get(c, item.unit)) for c in NUMBERS}
        for column, typed in cells.items():
            low, high = (item.minimum, item.maximum) if column not in (*own, "spread") else (0, 1e9)
            value = typed.value
            if isinstance(value, float) and not (low or 0) <= value <= (high or 0):
                r.complain(place, f"{column} is {value:g}, outside {low:g} to {high:g} of {item.key}; correct it.")
        needed = [c for c in DISTRIBUTIONS[row["distribution"]] if not c.endswith("?")]
        given = {c for c in (*NUMBERS, "values") if row[c]}
        missing = [c for c in needed if c not in given]
        extra = given - {c.rstrip("?") for c in DISTRIBUTIONS[row["distribution"]]}
        if missing or extra:
            wrong = f"lacks {', '.join(missing)}" if missing else f"has no use for {', '.join(sorted(extra))}"
            r.complain(place, f"{row['distribution']} {wrong}; fill or empty the column.")
        source = row["source"] or ", ".join(row[c] for c in NUMBERS if row[c])
        facts = frozenset(fact for typed in cells.values() for fact in typed.facts) | _cited(r, source)
        rows.append(RiskRow(item, row["distribution"], cells, row["values"], source, facts, row["help"]))
    return tuple(rows)


def _cited(r: Reader, source: str) -> frozenset[str]:
    """Return the facts that the text of a source names."""
    words = source.replace("(", " ").replace(")", " ").replace(",", " ").replace(";", " ").split()
    return frozenset(word for word in words if word in r.facts.facts)


def correlations(r: Reader, rows: tuple[RiskRow, ...]) -> tuple[Correlation, ...]:
    """Return the rank correlations that are not 0."""
    keys = [row.input.key for row in rows]
    seen: dict[str, str] = {}
    found = []
    for place, row in r.rows("risk_correlation", "first second rank source"):
        for column in ("first", "second"):
            r.check_key(place, row[column], keys)
        r.once(place, seen, " with ".join(sorted((row["first"], row["second"]))))
        rank: Typed = r.typed(place, row["rank"], row["source"], "ratio")
        if row["first"] == row["second"]:
            r.complain(place, f"{row['first']} is paired with itself; name two inputs.")
        if not isinstance(rank.value, float) or not -1 <= rank.value <= 1:
            r.complain(place, f"rank is {row['rank']!r}; expected -1 to 1.")
        found.append(Correlation(row["first"], row["second"], rank))
    return tuple(found)
