"""The Risk inputs sheet of any copy of the workbook: which inputs are uncertain, their spread, their correlation.

Found by the name of the sheet and its headings; the bounds of an input are the range that its cell on Inputs accepts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from addin.errors import BookError, RequestError
from addin.kernel import Address, Evaluator, Scalar
from addin.numerals import numeral
from addin.simulation import demand_class, joint_rows, method_reduction
from addin.simulation.correlation import Coupling, coupling
from addin.simulation.sampling import Dimensions
from addin.simulation.spreads import KINDS, LISTS, Spread
from addin.workbook import run_settings, tabs
from addin.workbook.book import NOTHING, Item, SizingBook
from addin.workbook.reads import Read, Reads
from model.reading.risk import DISTRIBUTIONS

SHEET = "Risk inputs"  # as it is built
HEAD_ROW = 4
ALLOWANCE, YEARLY = "growth_ratio", "growth_per_year_ratio"  # growth once and for all, growth year by year
GROWTH_ONCE = "growth is drawn once."  # as a note on what is not drawn ends
KEY, KIND, VALUES = "Key", "Distribution", "Values"
COLUMNS = {  # heading: what it holds
    "Minimum": "minimum",
    "Likely, mean or value": "mode",
    "Maximum": "maximum",
    "Spread": "spread",
    "Shape": "shape",
    "Second shape": "second_shape",
}
MATRIX = "Rank correlation"
# the column of a parameter that has another name there
_COLUMN = {"value": "mode", "mean": "mode", "sd": "spread", "scale": "spread", "peak": "shape", "alpha": "shape"}
_COLUMN = {
    **{"value": "mode", "mean": "mode", "sd": "spread", "scale": "spread"},
    **{"peak": "shape", "alpha": "shape", "beta": "second_shape"},
}
PARAMETERS: Mapping[str, tuple[str, ...]] = {
    kind: tuple(_COLUMN.get(name, name) for name in KINDS[kind].names) for kind in KINDS
}


def title(book: SizingBook) -> str:
    """Return what the sheet is called in this copy, which may be renamed: the run settings stand on it too."""
    return next((at.sheet for at in run_settings.cells(book)), tabs.title(book.cells, SHEET))


def cells(book: SizingBook) -> tuple[Address, ...]:
    """Return the cells of the sheet that hold something; none where it was deleted."""
    return tuple(book.cells.stored(title(book))) if title(book) in book.cells.sheets else ()


def reads(book: SizingBook, unread: Collection[str] = ()) -> Reads:
    """Return what is typed on the sheet: the kinds of spreads and every number, trials and seed of the buttons too.

    `unread` are settings of the buttons that a run does without.
    """
    others = run_settings.cells(book) - run_settings.cells(
        book, run_settings.TRIALS, run_settings.SEED, *run_settings.SPREADS, *run_settings.CENTRES
    )
    others |= run_settings.cells(book, *unread) if unread else frozenset()
    stored = tuple(book.cells.stored(title(book)))
    heads = [at.column for at in stored if at.row == HEAD_ROW and book.cells.constant(at) == KIND]
    found = []
    for at in stored:
        value = None if book.cells.formula(at) or at in others else book.cells.constant(at)
        if at.row > HEAD_ROW and (isinstance(value, float) or (isinstance(value, str) and at.column in heads)):
            found.append(Read(at.a1, "", "", at, value))
    return Reads(tuple(found), ())


@dataclass(frozen=True)
class Uncertain:
    """One input that is drawn."""

    item: Item
    spread: Spread

    @property
    def key(self) -> str:
        """The key of the input, which its draws hang on."""
        return self.item.key


@dataclass(frozen=True)
class Risk:
    """What a run draws: `fixed` are inputs that the sheet sets to one value; `dimensions` count every row of it.

    `notes` say which rows are not drawn, and why.
    """

    uncertain: tuple[Uncertain, ...]
    fixed: Mapping[Address, Scalar]
    coupling: Coupling | None
    dimensions: Dimensions
    notes: tuple[str, ...] = ()
    by_class: frozenset[str] = frozenset()  # inputs that are as wide as the class of the demand
    yearly: bool = False  # growth year by year counts: the allowance is not drawn

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the uncertain inputs in the order of the sheet."""
        return tuple(entry.key for entry in self.uncertain)


def read_risk(book: SizingBook, settled: Mapping[Address, Scalar] = NOTHING, *, any_profile: bool = False) -> Risk:
    """Read the sheet; inputs of `settled` (cells that the caller has set) are not drawn.

    Growth is drawn once: the allowance stays as it is on Answer where growth per year is entered or drawn. So is the
    load of a desktop: where joint rows of Measured are drawn, the scale on every phase stays as it is; for
    `any_profile`, whose design may still change, both are among the inputs.

    Raises BookError when sheet, heading or key is missing, RequestError with one line for each wrong cell.
    """
    sheet = _Sheet(book)
    complaints: list[str] = []
    uncertain, fixed, keys = [], {}, []
    joint, by_class = False, set()
    for row, key in sheet.rows():
        if not book.is_entry(key):
            raise BookError(f"{sheet.cell_text(row, KEY)}: no input is called {key!r}. Restore the key of the row.")
        keys.append(key)
        item = book.entry(key)
        joint = joint or sheet.kind(row) == joint_rows.KIND
        by_class |= {key} if sheet.kind(row) == demand_class.KIND else set()
        try:
            spread = sheet.spread(row, item, settled)
        except RequestError as error:
            complaints.extend(str(error).splitlines())
            continue
        if any_profile and spread is None and sheet.kind(row) == demand_class.KIND:
            spread = next(iter(demand_class.spreads(book, item).values()), None)
        if any_profile and sheet.kind(row) == method_reduction.KIND:
            spread = method_reduction.STANDARD
        if item.address in settled or spread is None:
            continue
        if spread.kind == "fixed":
            fixed[item.address] = spread.median
        else:
            uncertain.append(Uncertain(item, spread))
    if complaints:
        raise RequestError("\n".join(complaints))
    notes = []
    yearly = _grows_yearly(book, [entry.key for entry in uncertain], {**fixed, **settled})
    if ALLOWANCE in keys and yearly:
        allowance = book.entry(ALLOWANCE)
        left = [entry for entry in uncertain if entry.key != ALLOWANCE]
        if len(left) < len(uncertain) or fixed.pop(allowance.address, None) is not None:
            notes.append(
                f"{allowance.short} is not drawn: {book.entry(YEARLY).short.lower()} counts, and {GROWTH_ONCE}"
            )
        uncertain = left
    if joint:
        kept, note = _measured(book, uncertain, {**fixed, **settled}, {joint_rows.SCALE, *by_class})
        uncertain = uncertain if any_profile else kept
        notes += [note] if note else []
    if demand_class.KEY in by_class and any(entry.key == demand_class.KEY for entry in uncertain):
        parts = [entry.item for entry in uncertain if entry.key in by_class and entry.key in demand_class.PARTS]
        notes.append(demand_class.drawn(book, {**fixed, **settled}, book.entry(demand_class.KEY), parts))
    coupled = sheet.coupling(tuple(entry.key for entry in uncertain))
    dimensions = Dimensions().including(dict.fromkeys(keys))
    return Risk(tuple(uncertain), fixed, coupled, dimensions, tuple(notes), frozenset(by_class), yearly)


def _measured(
    book: SizingBook, uncertain: list[Uncertain], typed: Mapping[Address, Scalar], scales: Collection[str]
) -> tuple[list[Uncertain], str]:
    """Return what is drawn beside the joint rows of Measured: all but the scales of a profile; and what to say."""
    if not joint_rows.counted(book, typed):
        return uncertain, joint_rows.left(book, typed)
    whole = joint_rows.whole(book, typed)  # of user groups with other profiles the scale is drawn too
    kept = [entry for entry in uncertain if entry.key not in scales or not whole]
    return kept, joint_rows.drawn(book, typed, book.entry(joint_rows.SCALE))


def _grows_yearly(book: SizingBook, drawn: Iterable[str], typed: Mapping[Address, Scalar]) -> bool:
    """Say whether growth per year is drawn, or any but 0."""
    if YEARLY not in book.inputs:
        return False
    found = Evaluator(book.cells, typed).value(book.inputs[YEARLY].address)
    return YEARLY in drawn or (isinstance(found, float) and found != 0)


class _Sheet:
    """The cells of the sheet by heading; every complaint names one."""

    def __init__(self, book: SizingBook) -> None:
        self.book, self.title = book, title(book)
        if self.title not in book.cells.sheets:
            raise BookError(f"{book.path.name}: there is no sheet {self.title!r}. Take it from a fresh copy.")
        stored = book.cells.stored(self.title)
        heads = ((at, book.cells.values[at]) for at in stored if at.row == HEAD_ROW)
        texts = {value: at.column for at, value in heads if isinstance(value, str)}
        missing = [head for head in (KEY, KIND, *COLUMNS, VALUES) if head not in texts]
        if missing:
            top = Address(self.title, HEAD_ROW, 1).a1
            raise BookError(f"{top}: no column is headed {missing[0]!r}. Restore the headings of row 4.")
        self.columns = texts
        self.last = max((at.row for at in stored), default=HEAD_ROW)

    def address(self, row: int, head: str) -> Address:
        return Address(self.title, row, self.columns[head])

    def cell_text(self, row: int, head: str) -> str:
        return self.address(row, head).a1

    def rows(self) -> Iterator[tuple[int, str]]:
        """Yield row and key of every input, down to the first row without a key."""
        for row in range(HEAD_ROW + 1, self.last + 1):
            key = self.book.cells.constant(self.address(row, KEY))
            if not isinstance(key, str) or not key.strip():
                return
            yield row, key.strip()

    def number(self, address: Address, expected: str) -> float | None:
        """Return a typed number, None where the cell is blank."""
        value = self.book.cells.constant(address)
        if value is None or value == "":
            return None
        if isinstance(value, float):
            return value
        raise RequestError(f"{address.a1}: found {value!r}, expected {expected}. Type a figure.")

    def kind(self, row: int) -> str:
        """Return the kind of distribution of a row."""
        return str(self.book.cells.constant(self.address(row, KIND)) or "fixed").strip().casefold()

    def spread(self, row: int, item: Item, settled: Mapping[Address, Scalar]) -> Spread | None:
        """Return the spread of a row, None where the input stays as it is on Inputs."""
        kind, cell = self.kind(row), self.cell_text(row, KIND)
        if kind == demand_class.KIND:
            return demand_class.spread(self.book, item, settled, cell)
        if kind == joint_rows.KIND:
            return joint_rows.spread(self.book, item, settled, cell)
        if kind == method_reduction.KIND:
            return method_reduction.spread(self.book, item, settled, cell)
        if kind not in PARAMETERS and kind not in LISTS:
            known = ", ".join((*PARAMETERS, *LISTS, demand_class.KIND, joint_rows.KIND, method_reduction.KIND))
            raise RequestError(f"{cell}: found {kind!r}, expected one of {known}. Choose from the list.")
        low, high = item.minimum, item.maximum
        bounds = (-np.inf if low is None else low, np.inf if high is None else high, item.whole)
        if kind in LISTS:
            values, weights = self.listed(row, kind)
            return Spread(kind, (), values, weights, *bounds, where=self.cell_text(row, VALUES))
        parameters = self.parameters(row, kind)
        if kind == "fixed" and not parameters:
            return None
        for name, value in zip(PARAMETERS[kind], parameters, strict=False):
            if name in ("minimum", "mode", "maximum") and not bounds[0] <= value <= bounds[1]:
                at = self.cell_text(row, next(h for h, n in COLUMNS.items() if n == name))
                found, *ends = (numeral(number, ",.10g") for number in (value, *bounds[:2]))
                raise RequestError(
                    f"{at}: found {found}, expected {' to '.join(ends)} {item.unit}, the range of "
                    f"{item.address.a1}. Correct it."
                )
        return Spread(kind, parameters, low=bounds[0], high=bounds[1], whole_number=bounds[2], where=cell)

    def parameters(self, row: int, kind: str) -> tuple[float, ...]:
        names = PARAMETERS[kind]
        required = sum(f"{name}?" not in DISTRIBUTIONS[kind] for name in names)
        heads = {name: head for head, name in COLUMNS.items()}
        values: list[float] = []
        for position, name in enumerate(names):
            address = self.address(row, heads[name])
            value = self.number(address, f"a number, the {heads[name].lower()} of {kind}")
            if value is not None:
                values.append(value)
            elif position < required:
                wanted = ", ".join(heads[n].lower() for n in names[:required])
                raise RequestError(f"{address.a1}: is blank, expected a number: {kind} needs {wanted}. Fill it in.")
        assert len(values) <= len(KINDS[kind].names)
        return tuple(values)

    def listed(self, row: int, kind: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Read `7.1; 7.4; 8` or, with weights, `1:70; 2:30`."""
        address = self.address(row, VALUES)
        text = self.book.cells.constant(address)
        example = "1:70; 2:30" if kind == "discrete" else "7.1; 7.4; 8.0"
        parts = [part for part in str("" if text is None else text).split(";") if part.strip()]
        if not parts:
            raise RequestError(f"{address.a1}: is blank, expected values such as {example}. Fill it in.")
        values, weights = [], []
        for part in parts:
            value, colon, weight = part.partition(":")
            if (colon != "") != (kind == "discrete"):
                raise RequestError(f"{address.a1}: found {part.strip()!r}, expected {kind} as {example}. Correct it.")
            try:
                values.append(float(value))
                weights.extend([float(weight)] if colon else [])
            except ValueError:
                raise RequestError(f"{address.a1}: found {part.strip()!r}, expected {example}. Correct it.") from None
        return tuple(values), tuple(weights)

    def coupling(self, keys: tuple[str, ...]) -> Coupling | None:
        """Return the coupling of the uncertain inputs, None where all are independent.

        A pair stands below the diagonal; the cell above it may stay blank or repeat it.
        """
        top = next(
            (
                r
                for r in range(HEAD_ROW + 1, self.last + 1)
                if self.book.cells.constant(Address(self.title, r, 1)) == MATRIX
            ),
            None,
        )
        if top is None:
            return None
        column = self.columns[KEY]
        rows = self.headings(Address(self.title, top + 1, column), down=1)
        columns = self.headings(Address(self.title, top, column + 1), across=1)
        typed: dict[tuple[str, str], tuple[float, str]] = {}
        faults = []
        for first, row in rows.items():
            for second, column in columns.items():
                address = Address(self.title, row, column)
                rank = self.number(address, "a rank correlation from -1 to 1")
                if rank is None:
                    continue
                other = typed.get((second, first))
                if not -1 <= rank <= 1:
                    faults.append(f"{address.a1}: found {numeral(rank, 'g')}, expected -1 to 1. Correct it.")
                elif first == second and rank != 1:
                    faults.append(
                        f"{address.a1}: found {numeral(rank, 'g')}, expected 1 or a blank, "
                        f"{first} with itself. Clear it."
                    )
                elif other is not None and other[0] != rank:
                    faults.append(
                        f"{address.a1}: found {numeral(rank, 'g')}, but {other[1]} says {numeral(other[0], 'g')}. "
                        "Clear one of them."
                    )
                typed[first, second] = (rank, address.a1)
        if faults:
            raise RequestError("\n".join(faults))
        matrix = np.eye(len(keys))
        for i, first in enumerate(keys):
            for j, second in enumerate(keys[:i]):
                rank, _ = typed.get((first, second)) or typed.get((second, first)) or (0.0, "")
                matrix[i, j] = matrix[j, i] = rank
        return coupling(matrix, keys, self.title) if np.any(matrix != np.eye(len(keys))) else None

    def headings(self, first: Address, down: int = 0, across: int = 0) -> dict[str, int]:
        """Return the row or the column of each key of the matrix. Raises RequestError for one that is none or twice."""
        positions: dict[str, int] = {}
        address = first
        while isinstance(text := self.book.cells.constant(address), str) and (key := text.strip()):
            if not self.book.is_entry(key):
                raise RequestError(f"{address.a1}: no input is called {key!r}. Restore the key of the matrix.")
            if key in positions:
                raise RequestError(f"{address.a1}: {key} is there already. Restore the keys of the matrix.")
            positions[key] = address.row if down else address.column
            address = Address(self.title, address.row + down, address.column + across)
        return positions
