"""A sizing workbook as the commands see it, saved or open: cells, named inputs with their ranges, named results.

Reading never changes it. Everything is found through the workbook's own names (`In_`, `Out_`, `Tbl_`), so a copy
that people have renamed, extended or saved elsewhere works the same.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol, Self

from addin.computing.kernel_engine import KERNEL, Engine, Values
from addin.errors import BookError, RequestError
from addin.kernel import Address, Cells, Evaluator, ExcelError, KernelError, Scalar, shared_evaluator
from addin.numerals import numeral
from addin.reported import ReportedError
from addin.workbook import columns, links, other_books, outside, own_rows, retired, typed_over
from addin.workbook.item import Item as Item
from addin.workbook.item import calendar_text, echoed, folded, nearest, one_of, unit_at, value_for
from addin.workbook.ranges import PREFIX, Rule, saved_rules
from addin.xlsx import limits
from addin.xlsx.package import open_parts
from addin.xlsx.plain_sheets import SheetsOfRows
from addin.xlsx.quick_cells import read_cells, version
from addin.xlsx.stored_results import StoredResults

if TYPE_CHECKING:
    from openpyxl import Workbook

_ENCRYPTED = b"\xd0\xcf\x11\xe0"  # an OLE container: what Excel writes round an encrypted package
_OPEN_DOCUMENT = (".ods", ".ots", ".fods")
UNVERSIONED = "unversioned"
CURRENCY_KEY = "currency"
REQUIRED = ("In_desktops", "In_array", "Out_arrays_required", "Chk_Master")
NOTHING: Mapping[Address, Scalar] = MappingProxyType({})


class Results(Protocol):
    """The results that stand beside the formulas, computed by the application that saved or shows the workbook."""

    def values(self, addresses: Iterable[Address]) -> Mapping[Address, Scalar]:
        """Return the numbers, truth values and errors of some formula cells."""

    @property
    def where(self) -> str:
        """Say where these results stand and who computed them."""


@dataclass(frozen=True)
class SizingBook:
    """A workbook as it was read. `path` need not exist: a document may never have been saved.

    `rules` says what the inputs accept, by key; None: what the saved file says. `engine` is what computes it.
    """

    path: Path
    cells: Cells
    rules: Mapping[str, Rule] | None
    version: str
    stored: Results
    engine: Engine = KERNEL
    shows_date: Callable[[Address], bool] = frozenset[Address]().__contains__
    linked: str = ""  # which other workbook it reads, where no result depends on that

    @property
    def is_saved(self) -> bool:
        """Whether it was read from a file, and not from an open document."""
        return isinstance(self.stored, StoredResults)

    @cached_property
    def workbook(self) -> Workbook | None:
        """The saved workbook as openpyxl reads it, with formulas; None for an open document. Raises as `load`."""
        return load(self.path) if self.is_saved else None

    def with_styles(self, workbook: Workbook) -> Self:
        """Return the same book with the number formats of a workbook, for one that an application holds open."""
        styled = replace(self)
        styled.__dict__["workbook"] = workbook  # where the property keeps what it has read
        return styled

    @cached_property
    def inputs(self) -> Mapping[str, Item]:
        """Return the base inputs by key, with the range or the list their cells accept."""
        rules = saved_rules(self.path) if self.rules is None else self.rules
        items = tuple(links.linked(self.cells, tuple(self._items(PREFIX))))
        self._check_apart(items)
        return {item.key: self._ruled(item, rules.get(item.key, Rule())) for item in items}

    def _check_apart(self, items: Iterable[Item]) -> None:
        """Raise BookError where two inputs have one cell: what is typed for one would be read as the other."""
        taken: dict[Address, str] = {}
        for item in items:
            other = taken.setdefault(item.address, item.key)
            if other != item.key:
                raise BookError(
                    f"{self.path.name}: the names {PREFIX}{other} and {PREFIX}{item.key} both point at "
                    f"{item.address.a1}; expected a cell for each. Correct one of them, or take a fresh copy."
                )

    @cached_property
    def own(self) -> Mapping[str, Item]:
        """Return what rows of the user's own consist of by `<row>.<field>`, with what their cells accept."""
        return {item.key: item for item in self.own_cells if item.key and self.cells.formula(item.address) is None}

    @cached_property
    def own_cells(self) -> tuple[Item, ...]:
        """Return every cell of rows of the user's own, with what it accepts: also of rows without a name."""
        rules = saved_rules(self.path, own_rows.PREFIX)
        found = own_rows.own_cells(self.cells)
        return tuple(self._ruled(item, rules.get(field, Rule())) for field, item in found)

    @property
    def entries(self) -> Mapping[str, Item]:
        """Return everything that is typed: the base inputs, then the rows of the user's own."""
        return {**self.inputs, **self.own}

    def _ruled(self, item: Item, rule: Rule) -> Item:
        low, high, choices = rule.minimum, rule.maximum, self._choices(rule.source)
        text, integer, longest = rule.text, rule.integer, rule.longest
        return replace(item, minimum=low, maximum=high, choices=choices, text=text, integer=integer, longest=longest)

    def _choices(self, source: str) -> tuple[str, ...]:
        """Return the texts of a list: typed ones, or those of an area or a name."""
        if source.startswith('"'):
            return tuple(source.strip('"').split(","))
        evaluator = shared_evaluator(self.cells)  # names of the user's own rows stand behind links
        values = (evaluator.value(at) for at in own_rows.area(self.cells, self.cells.names.get(source, source)))
        return tuple(str(value) for value in values if value is not None and value != "")

    @cached_property
    def results(self) -> Mapping[str, Item]:
        """Return the base results by key."""
        return {item.key: item for item in self._items("Out_")}

    def _items(self, prefix: str) -> Iterable[Item]:
        for name, text in self.cells.names.items():
            if name.startswith(prefix):
                address = self.address(text, name)
                yield Item(name[len(prefix) :], address, self._label(address), unit_at(self.cells, address))

    def _label(self, address: Address) -> str:
        """Return what a cell's line is called, also where a formula says so."""
        place = columns.label(self.cells, address)
        if self.cells.formula(place) is None:
            return str(self.cells.constant(place) or "")
        try:
            value = shared_evaluator(self.cells).value(place)
        except KernelError:
            return ""
        return value if isinstance(value, str) else ""

    def address(self, text: str, name: str) -> Address:
        """Return the cell behind a name; raise BookError when it is broken."""
        try:
            found = Address.from_a1(text.replace("$", ""))
            home = next(each for each in self.cells.sheets if each.casefold() == found.sheet.casefold())
            return found._replace(sheet=home)
        except (KernelError, StopIteration):
            raise BookError(
                f"{self.path.name}: the name {name} points at {text}, not at one cell. "
                "Restore the row, or take a fresh copy."
            ) from None

    def find(self, items: Mapping[str, Item], key: str, what: str) -> Item:
        """Return the item with that key, with or without its prefix, or with that label.

        Raises RequestError with the nearest ones, and for a label that stands twice.
        """
        short = key.removeprefix("In_").removeprefix("Out_").strip()
        if short in items:
            return items[short]
        if reason := retired.refusal(short):
            raise RequestError(f"{self.path.name}: {reason}")
        labelled = [item for item in items.values() if item.called(short)]
        if len(labelled) == 1:
            return labelled[0]
        place = f"{self.path.name}: there is no {what} {echoed(key)!r}"
        if labelled:
            keys = ", ".join(item.key for item in labelled)
            raise RequestError(f"{self.path.name}: {echoed(key)!r} is the label of {keys}. Name one of these keys.")
        raise RequestError(f"{place}; {one_of(nearest(short, items.values()))}")

    def entry(self, key: str) -> Item:
        """Return what is typed under a key, `<row>.<field>` for a row of the user's own; raises as `find` does."""
        row, dot, field = (part.strip() for part in key.rpartition("."))
        rows = {folded(own.rpartition(".")[0]): own.rpartition(".")[0] for own in self.own} if dot else {}
        if not rows or key.strip() in self.inputs or any(item.called(key) for item in self.inputs.values()):
            return self.find(self.inputs, key, "input")
        title = rows.get(folded(row))
        parts = [(*own.rpartition("."), item) for own, item in self.own.items()]
        fields = {name: replace(item, key=name) for own, _, name, item in parts if own == title}
        called = [name for name, item in fields.items() if item.called(field)]
        if field in fields or len(called) == 1:
            return self.own[f"{title}.{field if field in fields else called[0]}"]
        if title is not None:
            place, near = f"{title} has no field {echoed(field)!r}", nearest(field, fields.values())
        else:
            same = [item for _, _, name, item in parts if name == field]
            place, near = f"there is no row {echoed(row)!r}", nearest(key, same or self.own.values())
        raise RequestError(f"{self.path.name}: {place}; {one_of(near)}")

    def is_entry(self, key: str) -> bool:
        """Say whether something is typed under that very key."""
        return key in self.inputs or ("." in key and key in self.own)

    def value_for(self, item: Item, value: str | float) -> Scalar:
        """Read a value as the input's cell would accept it; raise RequestError outside its range or list."""
        return value_for(item, value)

    def pair(self, text: str) -> tuple[str, str] | None:
        """Return key and value of `key=value`; a label or a row's name may hold a = itself. None without one."""
        parts = text.split("=")
        splits = [("=".join(parts[:at]), "=".join(parts[at:])) for at in range(1, len(parts))]
        for key, value in splits if len(splits) > 1 else ():
            try:
                self.entry(key)
            except RequestError:
                continue
            return key.strip(), value.strip()
        return (splits[0][0].strip(), splits[0][1].strip()) if splits else None

    def settings(self, pairs: Iterable[str]) -> dict[Address, Scalar]:
        """Read `key=value` texts into cell overrides.

        Raises RequestError for unknown keys, values out of range, and two values of one input.
        """
        overrides: dict[Address, Scalar] = {}
        for text in pairs:
            pair = self.pair(text)
            if pair is None or not pair[0]:
                raise RequestError(f"{echoed(text)!r}: expected key=value, such as desktops=2200.")
            item = self.entry(pair[0])
            value = self.value_for(item, pair[1])
            if overrides.setdefault(item.address, value) != value:
                raise RequestError(f"{echoed(text)}: {item.key} is set twice, to different values. Leave one out.")
        return overrides

    def evaluate(self, overrides: Mapping[Address, Scalar], keys: Iterable[str]) -> dict[str, Scalar]:
        """Return results by key after changing some inputs."""
        changed = self.values(overrides)
        places = {key: self.find(self.results, key, "result").address for key in keys}
        if isinstance(changed, Evaluator):
            changed.compute(tuple(places.values()))  # in one order, not one for each
        return {key: changed.value(at) for key, at in places.items()}

    def held(self, item: Item) -> Scalar:
        """Return what an input holds: the value typed into its cell, or what a formula typed there gives."""
        formula = self.cells.formula(item.address)
        return self.cells.constant(item.address) if formula is None else self.values().value(item.address)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of results of this book has to know: of the engine, of inputs that have retired."""
        old = (self.inputs[key] for key in retired.RETIRED if f"{PREFIX}{key}" in self.cells.names)
        carried = (retired.carried(i.key, shown(self.cells.constant(i.address)) or "blank", i.address.a1) for i in old)
        said = (each for each in (self.engine.note, self.linked) if each)
        return (*said, *carried, *outside.of(self), *typed_over.said(self.cells, self.results, self.inputs))

    def values(self, overrides: Mapping[Address, Scalar] = NOTHING) -> Values:
        """Return the cells after changing some inputs, as the engine computes them."""
        return self.engine.values(self.cells, overrides) if overrides else self.computed

    @cached_property
    def computed(self) -> Values:
        """The cells as they stand, computed once."""
        return self.engine.values(self.cells, NOTHING)


def open_book(path: Path) -> SizingBook:
    """Open a workbook for reading.

    Raises BookError: missing, not a workbook, truncated, encrypted, a result that reads another one, or no sizing one.
    """
    quick, dates, linked = _quick(path), frozenset[Address](), ""
    if quick is None:
        workbook = load(path)
        try:
            cells, release = Cells.from_openpyxl(workbook), str(workbook.properties.version or "")
        except KernelError as error:
            raise BookError(f"{path.name}: {error}") from None
        linked = other_books.checked(path.name, workbook, cells)
        check_names(path.name, workbook.defined_names)
        dates = frozenset(outside.dated(workbook))
    else:
        cells, release = quick
        check_names(path.name, cells.names)
    rows = cells.values if isinstance(cells.values, SheetsOfRows) else None
    shows_date: Callable[[Address], bool] = rows.shows_date if rows is not None else dates.__contains__
    stored = StoredResults(path, rows)
    return SizingBook(path, cells, None, release or UNVERSIONED, stored, shows_date=shows_date, linked=linked)


def _quick(path: Path) -> tuple[Cells, str] | None:
    """Return cells and version of a saved workbook, None where openpyxl has to read it or to complain."""
    try:
        _check_kind(path)
        parts = limits.read_parts(path)
        return read_cells(parts), version(parts)
    except Exception:  # whatever it is, `load` finds it as well and has the words for it
        return None


def load(path: Path) -> Workbook:
    """Return a saved workbook of any kind as openpyxl reads it, with formulas.

    Raises BookError: missing, not a workbook, truncated, or encrypted.
    """
    from openpyxl import load_workbook  # it takes as long as sizing does

    _check_kind(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # on extensions that openpyxl does not keep: nothing is saved from here
            limits.check(path)
            if found := _sheet_fault(path, contradictions=True):
                raise BookError(f"{path.name}: {found}. Save it anew where it was made, or take a fresh copy.")
            with path.open("rb") as stream:  # openpyxl leaves a file open that it opened and could not read
                return load_workbook(stream)
    except ReportedError:
        raise
    except Exception as error:  # whatever openpyxl and what it reads with raise over a file that is not whole
        if found := _sheet_fault(path):
            raise BookError(f"{path.name}: {found}. Correct it where the file was made, or save it anew.") from None
        from addin.xlsx import damage  # for a file that cannot be read

        why = damage.described(path, error)
        raise BookError(f"{path.name}: cannot be read as .xlsx: {why}. Save it anew, or take a fresh copy.") from None


def _check_kind(path: Path) -> None:
    """Raise BookError for a file that is missing, encrypted or of another kind."""
    try:
        there = path.is_file()
    except OSError as error:  # a name longer than the file system takes
        raise BookError(f"{str(path)[:80]}...: {error.strerror}. Give the path of a file.") from None
    if not there and path.exists():
        raise BookError(f"{path}: is {'a folder' if path.is_dir() else 'no plain file'}. Name a workbook.")
    if not there:
        raise BookError(f"{path}: there is no such file. Run python build.py, or name an existing copy.")
    try:
        with path.open("rb") as stream:
            start = stream.read(100)
    except OSError as error:
        raise BookError(f"{path}: cannot be read ({error.strerror}). Ask for the right to read it.") from None
    if start.startswith(_ENCRYPTED):
        raise BookError(
            f"{path.name}: is encrypted or an old .xls; expected .xlsx. Save it in Excel without a password."
        )
    if path.suffix.casefold() in _OPEN_DOCUMENT or b"oasis.opendocument" in start:
        raise BookError(f"{path.name}: is an OpenDocument file; expected .xlsx. Save it in Calc as Excel 2007-365.")


def in_currency(book: SizingBook, settings: Iterable[str]) -> SizingBook:
    """Return the workbook with the currency that some settings choose, a label: the units of its items name it."""
    settings = [each for each in settings if CURRENCY_KEY in each.casefold()]
    if not settings:
        return book
    item = book.inputs.get(CURRENCY_KEY)
    typed = book.settings(settings).get(item.address) if item else None
    return book if item is None or typed is None else replace(book, cells=book.cells.with_values({item.address: typed}))


def _sheet_fault(path: Path, *, contradictions: bool = False) -> str:
    """Return the first fault in the sheets of a file, or what may be read in two ways; empty where none is found."""
    from addin.xlsx import faults  # for a file that the quick reader left alone

    try:
        with open_parts(path) as parts:
            return faults.contradiction(parts) if contradictions else faults.fault(parts)
    except Exception:  # of a file that is damaged otherwise: what openpyxl raises says more
        return ""


def check_names(book: str, names: Container[str]) -> None:
    """Raise BookError where a name is missing that every sizing workbook has."""
    missing = [name for name in REQUIRED if name not in names]
    if len(missing) == len(REQUIRED):
        raise BookError(f"{book}: is not a VDI storage sizing workbook. Open one, such as a fresh copy.")
    if missing:
        raise BookError(
            f"{book}: the name {missing[0]} is missing: it was renamed or deleted, or the workbook is of another "
            "version. Undo the change, or enter your inputs in a fresh copy."
        )


def shown(value: Scalar, unit: str = "") -> str:
    """Return a value as a person reads it: thousands separators, four significant digits below 1000."""
    if isinstance(value, ExcelError):
        return value.value
    if isinstance(value, bool | str) or value is None:
        return "" if value is None else str(value)
    if text := calendar_text(value, unit):
        return text
    number = numeral(value, ",.0f" if abs(value) >= 1000 or value == int(value) else ",.4g")
    return f"{number} {unit}" if unit and unit != "flag" else number
