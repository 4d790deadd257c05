"""What rows of the data name of the workbook: lines and columns behind `ours`, and units that have a number format."""

from collections.abc import Iterable, Iterator

from model.errors import Complaint, DataError
from model.layout.grid import Layout
from model.layout.styles import FORMATS
from model.reading.records import Data
from model.reading.rows import Names, unknown
from model.sheets.proof import blocks


def check(data: Data, layout: Layout) -> None:
    """Raise DataError with every row that names what the workbook does not have, by file, row and column."""
    cited = (("evidence", data.evidence), ("predictions", data.predictions))
    shown = (
        *cited,
        ("sums", data.sums),
        ("array_fields", data.fields),
        ("card_fields", data.card_fields),
        ("profile_fields", data.profile_fields),
        ("inputs", data.inputs),
    )
    faults = [
        (data.places[file, item.id], f"ours {fault}")
        for file, items in cited
        for item in items
        if item.ours
        for fault in _unknown(item.ours, data, layout)
    ]
    faults += [
        (data.places[file, name], f"unit {item.unit!r} has no number format; add it to model/layout/styles.py")
        for file, items in shown
        for item in items
        if (name := getattr(item, "id", "") or getattr(item, "key", "")) and item.unit not in FORMATS
    ]
    if faults:
        raise DataError(Complaint(*each) for each in faults)


def _unknown(reference: str, data: Data, layout: Layout) -> Iterator[str]:
    """Yield what is unknown in `key@case`, `sum:id` or `blocks:run:what`."""
    kind, *parts = reference.split(":")
    key, _, case = reference.partition("@")
    wanted: Iterable[tuple[str, Iterable[str]]]
    if kind == "sum":
        wanted = [(":".join(parts), [each.id for each in data.sums])]
    elif kind == "blocks":
        run, _, what = ":".join(parts).partition(":")
        wanted = [(run, [each[0] for each in blocks.RUNS]), (what, blocks.SUMMED)]
    else:
        wanted = [(key, [*layout.lines, *layout.inputs]), (case, layout.case_names)]
    for text, words in wanted:
        if text not in words:
            yield unknown(text, Names(tuple(words)))
