"""The evidence as text, for the build to print: every printed result beside the workbook's own, and how many agree."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from model.layout.grid import FIRST_ROW
from model.reading.records import Data
from model.sheets.proof import evidence

Values = Mapping[tuple[str, str], Any]  # (sheet, address): what the formula there gives


def evidence_table(data: Data, values: Values) -> str:
    """Return the printed results beside the workbook's own, a line each, as the Evidence sheet shows them."""
    lines = [f"{'':5} {'paper':5} {'kind':11} {'printed':>12} {'ours':>12} {'diff':>7}  verdict"]
    for row, item in enumerate(data.evidence, FIRST_ROW):
        low, high = (data.facts.value(i, item.unit) if i else None for i in (item.low, item.high))
        printed = f"{low:,.6g}" if low == high else f"{low or 0:,.6g}..{high:,.6g}" if high else f">{low:,.6g}"
        computed, difference, verdict = (values[evidence.cell(row, name)] for name in ("Ours", "Difference", "Verdict"))
        figures = f"{printed:>12} {computed:>12,.5g} {difference:>+7.1%}"
        lines.append(f"{item.id:5} {item.paper:5} {item.kind:11} {figures}  {verdict:10}  {item.label}")
    return "\n".join(lines)


def evidence_summary(data: Data, values: Values) -> str:
    """Return how many printed results there are of each kind, and how many of them the workbook agrees with."""
    rows = data.evidence
    kinds = Counter(item.kind for item in rows)
    verdicts = Counter(values[evidence.cell(row, "Verdict")] for row, _ in enumerate(rows, FIRST_ROW))
    counts = ", ".join(f"{kinds[k]} {k}" for k in ("input", "reproduced", "consistency"))
    verdict = ", ".join(f"{verdicts[v]} {v}" for v in evidence.VERDICTS)
    papers = len({item.paper for item in rows})
    return f"Evidence: {len(rows)} printed results from {papers} papers ({counts}): {verdict}"
