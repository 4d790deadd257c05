"""Rows, numbers, units and keys of data files, every one checked, every complaint with file and row."""

import csv
import difflib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from model.errors import Complaint, DataError
from model.reading.derive import derive
from model.reading.facts import FactBook
from model.reading.records import Typed

NUMBER = re.compile(r"-?\d+(\.\d+)?$")
_STATUS = ("published", "derived", "assumed", "user")


class Reader:
    """Reads one folder and keeps the complaints; `data()` raises them together."""

    def __init__(self, folder: Path, facts: FactBook) -> None:
        self.folder, self.facts = folder, facts
        self.complaints: list[Complaint] = []

    def complain(self, place: str, message: str) -> None:
        self.complaints.append(Complaint(place, message))

    def rows(self, name: str, columns: str) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield (place, row) of a CSV file after checking its header and that no cell holds a formula."""
        path = self.folder / f"{name}.csv"
        with path.open(encoding="utf-8", newline="") as stream:
            reader = csv.DictReader(stream)
            header = list(reader.fieldnames or [])
            if header != columns.split():
                self.complain(
                    f"model/data/{path.name}:1",
                    f"columns are {' '.join(header)}; expected {columns}. Restore the header.",
                )
                return
            for row in reader:
                place = f"model/data/{path.name}:{reader.line_num}"
                if None in row or None in row.values():
                    self.complain(
                        place, f"has another number of cells than the header's {len(header)}; quote texts with commas."
                    )
                    continue
                for column, text in row.items():
                    if text[:1] in "=+@" and text:
                        self.complain(
                            place,
                            f"{column} holds {text!r}, a formula; data files hold facts. Move it to model/sheets.",
                        )
                yield place, row

    def unit(self, place: str, unit: str) -> str:
        if unit not in self.facts.units:
            self.complain(place, f"unit {unit!r} is not in units.csv; use a listed unit or add it.")
        return unit

    def number(self, place: str, column: str, text: str) -> float | None:
        if not text:
            return None
        if not NUMBER.match(text):
            self.complain(place, f"{column} is {text!r}; expected a number.")
            return None
        return float(text)

    def typed(self, place: str, text: str, source: str, unit: str, number: bool = True) -> Typed:
        """Read a value and its provenance; `unit` is what the workbook shows."""
        status = source.split(":")[0]
        if source and status not in _STATUS:
            self.complain(place, f"source {source!r}: expected a fact, user, published or 'assumed: reason'.")
        if status == "assumed" and not source.partition(":")[2].strip():
            self.complain(place, "source 'assumed' gives no reason; write 'assumed: reason'.")
        if not text:
            return Typed(None, status or "user", source or "user")
        if not number:
            if not source:
                self.complain(place, f"{text!r} has no source; name a fact, user, published or 'assumed: reason'.")
            return Typed(text, status, source)
        if NUMBER.match(text):
            if not source:
                self.complain(place, f"{text} has no source; name a fact, user or 'assumed: reason'.")
            return Typed(float(text), status, source)
        try:
            derived = derive(text, self.facts, unit, place)
        except DataError as error:
            self.complaints.extend(error.complaints)
            return Typed(None, "assumed", "unreadable")
        own = "published" if text in derived.fact_ids else "derived"
        return Typed(
            derived.value, status or own, f"{source} | {text}" if source else text, frozenset(derived.fact_ids)
        )

    def once(self, place: str, seen: dict[str, str], key: str) -> None:
        """Complain about a key that stands twice."""
        if key in seen:
            self.complain(place, f"{key!r} is already defined at {seen[key]}; delete one.")
        seen.setdefault(key, place)

    def check_key(self, place: str, key: str, known: Iterable[str]) -> None:
        """Complain about a key that no file defines."""
        names = list(known)
        if key not in names:
            close = difflib.get_close_matches(key, names, 1)
            hint = f"did you mean {close[0]!r}?" if close else f"expected one of {', '.join(names[:6])} ..."
            self.complain(place, f"{key!r} is unknown; {hint}")
