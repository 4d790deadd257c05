"""Rows into records: every cell is checked by the rules of its column, complaints name file, row and column.

A value is a number, a text or an expression over facts (`EQL-055`, `per_desktop(EQL-145,EQL-055)`). An expression
carries its own provenance; a typed number must say `user`, `published` (texts) or `assumed: reason` as its source.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

from model.errors import Complaint, DataError
from model.reading.choices import OWN
from model.reading.columns import ANY, ENDINGS, RANGES, UNREADABLE, Column, Range, Typed, columns, header
from model.reading.derive import derive
from model.reading.facts import FactBook
from model.reading.files import NUMBER, Row, read_rows, shown
from model.reading.infix import infix
from model.reading.twins import merged

_FACTOR = re.compile(r"\d+(\.\d+)?(/[1-9]\d*)?$")
_COMMA = re.compile(r"-?\d+,\d+")
_STATUS = ("published", "derived", "assumed", "user")
_FEW = 12  # words that a complaint lists
R = TypeVar("R")


@dataclass(frozen=True)
class Names:
    """The names a column may refer to, and where they stand: "in raid.csv"; nowhere for words of the code."""

    words: Collection[str]
    listed: str = ""


def nearest(text: str, words: Iterable[str]) -> str:
    """Return the word that was probably meant: in another case, spelled alike, or with the text in it; else none."""
    known, low = list(words), text.casefold()
    same = [word for word in known if word.casefold() == low]
    inside = [word for word in known if low and low in word.casefold()]
    close = same or get_close_matches(text, known, 1) or get_close_matches(text, inside, 1, 0)
    return close[0] if close else ""


def unknown(text: str, names: Names) -> str:
    """Return what is wrong with a text that is not in the list of names, and what to write."""
    place = f"is not {names.listed}" if names.listed else "is unknown"
    if close := nearest(text, names.words):
        return f"{text!r} {place}; did you mean {close!r}?"
    if len(names.words) <= _FEW:
        return f"{text!r} {place}; use one of {', '.join(names.words)}."
    return f"{text!r} {place}; correct it" + (" or add the row." if names.listed else ".")


class Reader:
    """Reads the files of one folder and keeps the complaints until `done` raises them together.

    `files` gives each record its file. `names` are the lists that columns refer to, the first column of each file
    among them; `records` are the rows by that column. Without `facts` no expression is computed. `whole` are the files
    whose rows can all be read: of the others it is not known what they name.
    """

    def __init__(self, folder: Path, files: Mapping[type[Any], str]) -> None:
        self.files = files
        self.facts: FactBook | None = None
        self.complaints: list[Complaint] = []
        self.used: set[tuple[str, str]] = set()
        self.missed: dict[tuple[str, str], list[Complaint]] = {}
        read = {name: read_rows(folder, name, header(each), self.complain) for each, name in files.items()}
        self.whole = {name for name, rows in read.items() if rows is not None and None not in rows}
        self.rows = {name: tuple(filter(None, rows or ())) for name, rows in read.items()}
        self.names: dict[str, Names] = {}
        self.records: dict[str, Mapping[str, Any]] = {}
        for name, rows in self.rows.items():
            self.name(name, tuple(dict.fromkeys(row.first for row in rows)), name)

    def name(self, name: str, words: Collection[str], *files: str, listed: str = "") -> None:
        """Let columns refer to these words, which stand in the first of these files, if all of them are whole."""
        self.names.pop(name, None)
        if self.whole.issuperset(files):
            self.names[name] = Names(words, listed or f"in {files[0]}.csv")

    def complain(self, where: str, message: str) -> None:
        """Keep a complaint, once."""
        complaint = Complaint(where, message)
        if complaint not in self.complaints:
            self.complaints.append(complaint)

    def done(self) -> None:
        """Raise DataError when there was something to complain about."""
        if self.complaints:
            raise DataError(merged(self.complaints, self.missed, self._unused()))

    def _unused(self) -> dict[str, dict[str, str]]:
        """Return the names of each list of a file that no row uses, with their places."""
        unused: dict[str, dict[str, str]] = {}
        for names in self.names.values():
            file = names.listed.removeprefix("in ").removesuffix(".csv")
            for word in names.words if file in self.rows else ():
                if (names.listed, word) not in self.used:
                    unused.setdefault(names.listed, {})[word] = self.place(file, word)
        return unused

    def sound(self, names: Iterable[str]) -> bool:
        """Say whether these files have no fault so far."""
        places = tuple(map(shown, names))
        return not any(each.where.startswith(places) for each in self.complaints)

    def place(self, name: str, first: str) -> str:
        """Return where the first row of that name stands in a file."""
        return next((row.where for row in self.rows[name] if row.first == first), shown(name))

    def table(self, record: type[R]) -> tuple[R, ...]:
        """Return the rows of a record's file; a record's own `faults` complain about the row as a whole."""
        name, every = self.files[record], tuple(columns(record))
        figures = [each for each in every if each.type is Typed]
        rows, records = self.rows[name], []
        self._compare(rows, every)
        for row in rows:
            self._sources(row, figures)
            plain = {each.field: self._value(row, each) for each in every if each not in figures}
            made: Any = record(**plain, **{each.field: UNREADABLE for each in figures})
            made = replace(made, **{each.field: self._figure(row, each, made) for each in figures})
            for fault in getattr(made, "faults", tuple)():
                self.complain(row.where, fault)
            records.append(made)
        self.records[name] = {row.first: made for row, made in zip(rows, records, strict=True)}
        return tuple(records)

    def _compare(self, rows: Iterable[Row], every: Collection[Column]) -> None:
        """Complain about keys used twice, rows that contradict each other and rows that stand apart."""
        keys, together = ([each.name for each in every if getattr(each, rule)] for rule in ("key", "together"))
        used: dict[object, Row] = {}
        last: tuple[str, ...] = ()
        for row in rows:
            key = tuple(sorted(row.cells[each] for each in keys))  # a pair is the same pair in either order
            if keys and (other := used.setdefault(key, row)) is not row:
                fault = f"{' and '.join(keys)} is already used in row {other.line}; give this row its own."
                self.complain(row.where, fault)
            for each in every:
                text = row.cells[each.name]
                if each.per and (other := used.setdefault((each, row.cells[each.per]), row)).cells[each.name] != text:
                    fault = f"{each.name} is {text!r}, and {other.cells[each.name]!r} in row {other.line}"
                    self.complain(row.where, f"{fault} of the same {each.per}; write one.")
            block = tuple(row.cells[each] for each in together)
            alone = any(row.cells[each.name] in each.alone for each in every)
            if block != last and not alone and (other := used.setdefault((*together, block), row)) is not row:
                fault = f"{' and '.join(together)} are those of row {other.line}; move the row there."
                self.complain(row.where, fault)
            last = block

    def _value(self, row: Row, rules: Column) -> Any:
        """Return what a cell holds, as the type of its field."""
        text = row.cells[rules.name]
        if not text and not rules.blank and rules.type not in (float | None, int | None):
            self.complain(row.where, f"{rules.name} is blank; fill it.")
        for each in text.split() if rules.type == tuple[str, ...] else filter(None, [text]):
            self._word(row, rules.name, each, Names(rules.choices) if rules.choices else self.names.get(rules.refers))
        if rules.longest and len(text) > rules.longest:
            fault = f"{rules.name} has {len(text)} characters; write at most {rules.longest}."
            self.complain(row.where, fault)
        if rules.unit:
            self._convertible(row, rules, text)
        if rules.ends:
            self._ending(row, rules, text)
        if rules.type in _PLAIN:
            value, expected = _PLAIN[rules.type](text)
            if text and expected:
                self.complain(row.where, f"{rules.name} {text!r} is not {expected}.")
            elif text and rules.within:
                self._within(row, rules.name, value, rules.within)
            return value
        if rules.type == tuple[str, ...]:
            return tuple(text.split())
        return text if rules.type is str else self.records.get(rules.refers, {}).get(text)

    def _word(self, row: Row, column: str, text: str, names: Names | None) -> None:
        if names and text in names.words:
            self.used.add((names.listed, text))
        elif names:
            message = f"{column} {unknown(text, names)}"
            self.complain(row.where, message)
            self.missed.setdefault((names.listed, text), []).append(Complaint(row.where, message))

    def _within(self, row: Row, column: str, value: float, limits: Range, what: str = "") -> None:
        low, high = limits
        if not low <= value <= high:
            of = f" of {what}" if what else ""
            self.complain(row.where, f"{column} {value:g} is outside {low:g} to {high:g}{of}; correct it.")

    def _convertible(self, row: Row, rules: Column, id: str) -> None:
        """Complain about a fact that does not convert to the unit of its row."""
        unit = row.cells[rules.unit]
        if self.facts and id in self.facts.facts and unit in self.facts.units:
            try:
                self.facts.value(id, unit)
            except DataError as error:
                self.complain(row.where, f"{rules.name} {error.complaints[0].message}")

    def _ending(self, row: Row, rules: Column, text: str) -> None:
        """Complain about a unit that is not the one its key ends in: `ram_gib` is in GiB, `boot_run_min` in min."""
        key = row.cells[rules.ends]
        pattern = next((units for ending, units in ENDINGS.items() if key.endswith(f"_{ending}")), ".*")
        if text in self.records.get("units", {}) and not re.fullmatch(pattern, text):
            self.complain(row.where, f"{rules.name} {text!r} is not that of {key}, which ends in it; correct one.")

    def _sources(self, row: Row, figures: Iterable[Column]) -> None:
        """Complain about a source that is no status, or assumed without a reason."""
        for column in filter(None, (each.source for each in figures)):
            status, _, reason = row.cells[column].partition(":")
            if status:
                self._word(row, column, status, Names(_STATUS))
            if status == "assumed" and not reason.strip():
                self.complain(row.where, f"{column} gives no reason; write 'assumed: reason'.")

    def _figure(self, row: Row, rules: Column, made: Any) -> Typed:
        """Read a value and its provenance; `made` is the record of its row without figures."""
        described: Any = made if rules.of == "row" else None
        if rules.of and not described:
            file, heading = rules.of.split(":")
            described = self.records.get(file, {}).get(row.cells[heading])
            if described is None:
                return UNREADABLE
        unit = described.unit if described else row.cells.get(rules.unit, rules.unit)
        typed = self._typed(row, rules, unit, described is None or described.kind == "number")
        if isinstance(typed.value, float) and typed.value not in rules.codes:
            limits = rules.within or RANGES.get(unit, ANY)
            if described and not rules.within:
                limits = (described.minimum, described.maximum)
            if None not in limits and limits[0] <= limits[1]:  # a range of none is named where it stands
                self._within(row, rules.name, typed.value, limits, described.key if described else unit)
        if isinstance(typed.value, str) and described and (names := self.names.get(described.list_name)):
            words = names.words if rules.own else [each for each in names.words if each not in OWN]
            self._word(row, rules.name, typed.value, replace(names, words=words))
        return typed

    def _typed(self, row: Row, rules: Column, unit: str, number: bool) -> Typed:
        """Return a value with where it comes from; `unit` is what the workbook shows."""
        text = row.cells[rules.name]
        source = row.cells[rules.source] if rules.source else ""
        if rules.numbers_only and not NUMBER.match(text):
            source = ""
        status = source.split(":")[0]
        if not text:
            if not rules.blank:
                self.complain(row.where, f"{rules.name} is blank; fill it.")
            return Typed(None, status or "user", source or "user")
        if not number or NUMBER.match(text) or text in rules.instead:
            if not source and rules.source:
                fault = f"{rules.source} is blank; a typed value needs user, published or 'assumed: reason'."
                self.complain(row.where, fault)
            elif not source:
                self.complain(row.where, f"{rules.name} {text} has no source; cite a fact of facts.csv.")
            return Typed(float(text) if number and text not in rules.instead else text, status, source)
        if _COMMA.fullmatch(text):
            self.complain(row.where, f"{rules.name} {text!r} is not {_number(text)[1]}.")
            return UNREADABLE
        if self.facts is None or unit not in self.facts.units:
            return UNREADABLE
        try:
            derived = derive(text, self.facts, unit)
        except DataError as error:
            for each in error.complaints:
                self.complain(row.where, f"{rules.name} {each.message}")
            return UNREADABLE
        own = "published" if text in derived.fact_ids else "derived"
        origin = f"{source} | {infix(text)}" if source else infix(text)
        if self.facts.digitised(derived.fact_ids):
            origin += " (read off a chart)"
        return Typed(derived.value, status or own, origin, derived.fact_ids)


def _number(text: str) -> tuple[float, str]:
    return (float(text), "") if NUMBER.match(text) else (0.0, "a number; write digits with a decimal point")


def _number_or_blank(text: str) -> tuple[float | None, str]:
    return _number(text) if text else (None, "")


def _count(text: str) -> tuple[int | None, str]:
    whole = not text or text.isdecimal()
    return int(text) if text.isdecimal() else None, "" if whole else "a whole number; write digits or leave it blank"


def _factor(text: str) -> tuple[Fraction, str]:
    if _FACTOR.match(text) and Fraction(text):
        return Fraction(text), ""
    return Fraction(1), "a number above 0; write digits or a fraction such as 1/60"


def _yes(text: str) -> tuple[bool, str]:
    return text == "yes", "" if text in ("yes", "no") else "yes or no"


# type of a field: what a cell's text becomes, and what was expected where it cannot
_PLAIN: dict[Any, Callable[[str], tuple[Any, str]]] = {
    float: _number,
    float | None: _number_or_blank,
    int | None: _count,
    Fraction: _factor,
    bool: _yes,
}
