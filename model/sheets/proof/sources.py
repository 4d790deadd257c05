"""The last table of Evidence: the papers, what was published elsewhere, every published figure in use and its place."""

import re

from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, styles
from model.layout.canvas import put
from model.reading.catalogue import Array, TableRow
from model.reading.facts import DIGITISED, ELSEWHERE, Fact, FactElsewhere
from model.reading.proof import Case
from model.reading.records import Data

_TITLE = "Sources: the papers, then every published figure the workbook uses, as printed"
_HEADS = ("Id", "Paper", "Where", "Quantity", "System", "Phase", "As printed", "Unit", "Qualifier", "Note")
_ELSEWHERE = "published elsewhere, not one of the five"


def _mark(fact: Fact) -> tuple[str, ...]:
    """Return what tells a figure published elsewhere from those of the papers, and one read off a chart."""
    if not isinstance(fact, FactElsewhere):
        return ()
    return (_ELSEWHERE, "digitised: read off a chart") if fact.status == DIGITISED else (_ELSEWHERE,)


def used_facts(data: Data) -> list[str]:
    """Return the ids of every fact the workbook rests on, in the order of the fact file."""
    used: set[str] = set()
    for item in data.inputs:
        used |= item.value.facts
    tables: tuple[tuple[Array | TableRow | Case, ...], ...] = (data.arrays, *data.tables.values(), data.cases)
    for table in tables:
        for record in table:
            used |= {fact_id for typed in record.values.values() for fact_id in typed.facts}
    for spread in data.risk:
        words = re.findall(r"[\w-]+", spread.source)
        used |= {word for word in words if word in data.facts.every}
        used |= {fact_id for typed in spread.cells.values() for fact_id in typed.facts}
    for pair in data.correlations:
        used |= pair.rank.facts
    for row in data.profiles:
        for typed in (row.iops, row.peak_iops, row.minutes, row.read_ratio, row.block_kib):
            used |= typed.facts
    for point in data.points:
        for typed in (point.iops, point.read_ratio, point.latency_ms, point.utilisation):
            used |= typed.facts
    for total in data.sums:
        used |= total.a.facts | total.b.facts
    for found in data.facts.discrepancies.values():
        used |= {i for i in found.fact_ids if i in data.facts.facts_elsewhere}
    for line in data.evidence:
        used |= {i for i in (line.low, line.high) if i}
    for default in data.profile_defaults:
        used |= default.value.facts
    return [fact_id for fact_id in data.facts.every if fact_id in used]


def write(ws: Worksheet, data: Data, first: int) -> int:
    """Write papers and facts from a row on, below their headings; return the last row."""
    canvas.table_head(ws, first - 1, _TITLE, _HEADS, (7,))
    row = first
    for source in (*data.facts.sources.values(), *data.facts.sources_elsewhere.values()):
        texts = (source.code, source.date, source.title, source.citation, source.vendor)
        note = (_ELSEWHERE + "; " if source.kind == ELSEWHERE else "") + source.measures
        _row(ws, row, texts, note)
        row += 1
    for fact_id in used_facts(data):
        fact = data.facts.fact(fact_id)
        what, phase = fact.quantity.replace("_", " "), fact.phase.replace("_", " ")
        note = "; ".join(filter(None, (*_mark(fact), fact.notes)))
        _row(ws, row, (fact.id, fact.paper, fact.location, what, fact.system, phase), note or None)
        put(ws, row, 7, fact.value, "fact")
        ws.cell(row, 7).number_format = styles.typed_format(fact.value)
        put(ws, row, 8, fact.unit, "label")
        put(ws, row, 9, fact.qualifier.replace("_", " "), "label")
        row += 1
    return row - 1


def _row(ws: Worksheet, row: int, texts: tuple[str, ...], note: str | None) -> None:
    for column, text in enumerate(texts, 1):
        put(ws, row, column, text, "label")
    put(ws, row, len(_HEADS), note, "note")
    canvas.overflow(ws, row, len(_HEADS))
