"""What `--json` prints: one document for each command, of a schema that is named in it, with a version.

The schemas are in schemas/, one a command; docs/json.md says how they may change. A reader
of a document looks at `schema` first: "vdi-sizing/size/1" is the first version of what `size --json` prints.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from addin.kernel import Scalar
from addin.sizing.tables import Table, in_words
from addin.workbook.book import Item, SizingBook
from addin.xlsx.cell_values import plain_value

if TYPE_CHECKING:  # a command imports only what it prints
    from addin.audit import Report
    from addin.diff.bridge import Bridge
    from addin.diff.compared import Difference
    from addin.diff.typed import Change
    from addin.sizing.answers import Step
    from addin.sizing.checks import Raised
    from addin.sizing.listing import Entry

Content = Mapping[str, object]
Section = tuple[str, str, "tuple[Change, ...]"]  # key, title, findings
VERSION = 1


def text(command: str, book: SizingBook, content: Content, settings: Sequence[str] = ()) -> str:
    """Return the document of a command; `settings` are the inputs that were changed for it."""
    head = {
        "schema": f"vdi-sizing/{command}/{VERSION}",
        "book": book.path.name,
        "workbook_version": book.version,
        "settings": list(settings),
    }
    import json  # only --json needs it

    return json.dumps(_finite({**head, **content}), indent=2, allow_nan=False)


def results(values: Sequence[tuple[Item, Scalar]], found: Sequence[Raised], notes: Sequence[str]) -> Content:
    """Return results (key, label, value or the words of its code, unit, cell) and the checks that failed."""
    each = [
        {
            "key": item.key,
            "label": item.label,
            "value": plain_value(in_words(item.key, item.unit, value)),
            "unit": item.unit,
            "cell": item.address.a1,
        }
        for item, value in values
    ]
    raised = [{"id": check.id, "kind": check.kind, "check": check.label, "todo": check.todo} for check in found]
    return {"results": each, "checks": raised, "notes": list(notes)}


def table(made: Table, first: str = "") -> Content:
    """Return a table as columns with keys and rows by those keys; `first` is the key of the first column."""
    named = zip(made.keys or [""] * len(made.headings), made.headings, strict=True)
    keys = [key or slug(heading) for key, heading in named]
    keys[0] = first or keys[0]
    columns = [
        {"key": key, "label": heading, "unit": unit}
        for key, heading, unit in zip(keys, made.headings, made.units, strict=True)
    ]
    rows = [{key: plain_value(value) for key, value in zip(keys, row, strict=True)} for row in made.worded]
    return {"columns": columns, "rows": rows, "notes": list(made.notes)}


def explanation(sentence: str, steps: Sequence[Step], notes: Sequence[str]) -> Content:
    """Return the sentence, the chain of cells behind a number and what a reader has to know of the book."""
    each = [
        {
            "level": step.level,
            "cell": step.address.a1,
            "label": step.label,
            "value": plain_value(step.value),
            "unit": step.unit,
            "formula": step.formula,
            "basis": step.basis,
            "above": step.above,
        }
        for step in steps
    ]
    return {"sentence": sentence, "steps": each, "notes": list(notes)}


def listing(entries: Sequence[Entry]) -> Content:
    """Return the inputs."""
    each = [
        {
            "key": entry.item.key,
            "label": entry.item.label,
            "value": plain_value(in_words("", entry.item.unit, entry.value)),
            "unit": entry.item.unit,
            "minimum": entry.item.minimum,
            "maximum": entry.item.maximum,
            "choices": list(entry.item.choices),
            "cell": entry.item.address.a1,
        }
        for entry in entries
    ]
    return {"inputs": each}


def audit(report: Report, changed: Iterable[Section] | None) -> Content:
    """Return the findings of an audit, the changes by the application that saved the file, and those by people."""
    return {
        "findings": [{"rule": each.rule, "where": each.where, "message": each.message} for each in report.findings],
        "saved_by": report.application,
        "by_application": [
            {"what": each.what, "count": each.count, "rules": list(each.rules)} for each in report.rewritten
        ],
        "by_hand": None if changed is None else _sections(changed),
    }


def difference(found: Difference, bridges: Sequence[Bridge]) -> Content:
    """Return what differs between two copies, section by section, and the bridges of results."""
    sections = _sections(found.sections)
    each = [
        {
            "key": bridge.item.key,
            "label": bridge.item.label,
            "unit": bridge.item.unit,
            "old": plain_value(bridge.old),
            "new": plain_value(bridge.new),
            "bars": [
                {
                    "key": b.key,
                    "label": b.label,
                    "old": plain_value(b.old),
                    "new": plain_value(b.new),
                    "amount": b.amount,
                }
                for b in bridge.bars
            ],
            "refusal": bridge.refusal,
            "notes": list(bridge.notes),
        }
        for bridge in bridges
    ]
    old = {"book": found.old.path.name, "workbook_version": found.old.version}
    return {"old": old, "same": found.none, **sections, "bridges": each, "notes": [*found.unanswered, *found.notes]}


def _sections(sections: Iterable[Section]) -> Content:
    """Return the findings of a comparison, section by section."""
    return {
        key: [
            {
                "key": change.key,
                "label": change.full_label,
                "where": change.where,
                "old": plain_value(change.old),
                "new": plain_value(change.new),
                "unit": change.unit,
                "note": change.note,
            }
            for change in changes
        ]
        for key, _, changes in sections
    }


def slug(heading: str) -> str:
    """Return the key of a column without a result: its heading in lower case; a key is returned unchanged."""
    return heading if "." in heading else re.sub(r"\W+", "_", heading.casefold()).strip("_")


def _finite(content: object) -> object:
    if isinstance(content, Mapping):
        return {key: _finite(value) for key, value in content.items()}
    if isinstance(content, list):
        return [_finite(value) for value in content]
    return None if isinstance(content, float) and not math.isfinite(content) else content
