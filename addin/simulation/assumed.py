"""Every assumed figure with a range, tried alone at either end: which one changes the number of arrays.

The workbook tries those that its own formulas can move (COUNT WOULD CHANGE on Answer). Here the whole design is
computed again for each end, so that no figure is left out. Ranges are read where the workbook states them: beside the
inputs ("assumed: ...; range 10-60"), beside the figures of the profile on Lists, in the rows that try what the method
and the array assume, and on Risk inputs. A figure that somebody typed is not assumed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from addin.kernel import Address, Scalar
from addin.simulation import risk
from addin.simulation.runs import Progress
from addin.simulation.spreads import KINDS
from addin.simulation.swings import HIGH, LOW
from addin.sizing.refusals import require_answer
from addin.sizing.tables import Table
from addin.workbook import columns, tabs
from addin.workbook.book import Item, SizingBook

ARRAYS, CONTAINERS = "arrays_required", "container_arrays"  # of desktops; of containers on an array of their own
SIZES, DISKS = "tiers_too_small", "disk_told"  # of the machines' managed disks: sizes that do not hold one, in words
LIMIT, UNCHECKED, NEED = "binding_constraint", "constraints_unchecked", "ratio_largest"
RATIOS = ("ratio_", "container_ratio_")  # what the results of the constraints begin with
LISTS, BASIS = "Lists", 3  # the sheet of the profiles; the column that says where an input comes from
TABLE, SOURCES, PHASE = "Profile", "Source of each figure", "Phase"  # what the tables of profiles begin with
METHODS, BOOT_SHARE = "Provisioning method", "Read share of a boot"  # first heading of their table, that of the share
FIGURES = (  # of a phase: what an input calls it, and the columns of its value and of its source
    ("IOPS per desktop", "IOPS", "Source of IOPS"),
    ("read share", "Read share", "Source of read share"),
    ("block size", "Block size", "Source of block size"),
)
REDUCTIONS = {"disk": "data_reduction_ratio", "user_data": "user_data_reduction_ratio"}
BOOT = "boot_work_ratio"
ARRAY_INPUTS = ("array", "container_array")
CATALOGUE, CATALOGUE_HEAD = "Arrays", 4  # the sheet of the papers' arrays, and the row of their names
SHARE = "raid_efficiency_ratio"  # usable share of the raw capacity, where neither paper nor card has a usable capacity
BLANK = "blank"  # of an input that takes another figure then
SHARE_ENDS = ("low end", "high end")  # of it, among the constants on Lists
Shipped = Callable[[Address], bool]  # whether a cell still has what a release ships in it
_RANGE = re.compile(r"^assumed: .*range ([\d.]*\d)-([\d.]*\d)")


@dataclass(frozen=True)
class Figure:
    """An assumed figure, the cells in which an input replaces it, and its range; `used` may be None: not shown."""

    key: str
    label: str
    unit: str
    cells: tuple[Address, ...]
    used: Scalar
    low: float
    high: float
    source: str


@dataclass(frozen=True)
class Tried:
    """A figure, and the results by key with it at the low and at the high end."""

    figure: Figure
    low: Mapping[str, Scalar]
    high: Mapping[str, Scalar]

    @property
    def span(self) -> float:
        """How many arrays and sizes of disks lie between both ends; 0 = the figure does not decide."""
        return sum(abs(_count(self.high, key) - _count(self.low, key)) for key, *_ in _COUNTED)

    @property
    def weight(self) -> tuple[float, float]:
        """What sorts the figures: the arrays between both ends, then the unrounded need between them."""
        return self.span, abs(_count(self.high, NEED) - _count(self.low, NEED))

    @property
    def words(self) -> str:
        """Both counts: "2 to 4", those of containers and disks with their name."""
        pairs = [(_count(self.low, key), _count(self.high, key), name) for key, name, _ in _COUNTED]
        return ", ".join(f"{low:.0f} to {high:.0f}{name}" for low, high, name in pairs if low != high)


_COUNTED = (  # result, what it is called in a sentence and in a heading
    (ARRAYS, "", "Arrays"),
    (CONTAINERS, " for containers", "For containers"),
    (SIZES, " sizes of disk too small", "Disk sizes too small"),
)


def _count(results: Mapping[str, Scalar], key: str) -> float:
    value = results.get(key)
    return value if isinstance(value, float) else 0.0


def figures(book: SizingBook, base: Mapping[Address, Scalar], shipped: Shipped) -> list[Figure]:
    """Return the assumed figures of the base design that have a range, each once: `base` are inputs changed for it."""
    found: dict[tuple[Address, ...], Figure] = {}
    every = (
        _of_inputs(book, base, shipped),
        _of_profile(book, base),
        _of_phases(book, base),
        _of_method(book, base),
        _of_array(book, base, shipped),
        _drawn(book, base, shipped),
    )
    for part in every:
        for figure in part:
            if figure.low < figure.high:
                found.setdefault(figure.cells, figure)
    return list(found.values())


def tried(
    book: SizingBook, base: Mapping[Address, Scalar], shipped: Shipped, progress: Progress | None = None
) -> tuple[list[Tried], int]:
    """Return the figures that move a constraint, with the results at both ends, what decides first; how many do not."""
    constraints = [key for key in book.results if key.startswith(RATIOS)]
    constraints += [SIZES] if SIZES in book.results else []
    keys = [*constraints, *(key for key in (ARRAYS, CONTAINERS, LIMIT) if key in book.results)]
    now, found, idle = book.evaluate(base, keys), [], 0
    every = figures(book, base, shipped)
    for number, figure in enumerate(every, 1):
        low, high = (
            book.evaluate({**base, **dict.fromkeys(figure.cells, end)}, keys) for end in (figure.low, figure.high)
        )
        if any(end[key] != now[key] for end in (low, high) for key in constraints):
            found.append(Tried(figure, low, high))
        else:
            idle += 1
        if progress is not None:
            progress(number, len(every))
    return sorted(found, key=lambda each: each.weight, reverse=True), idle


def table(book: SizingBook, shipped: Shipped, settings: Iterable[str] = (), progress: Progress | None = None) -> Table:
    """Return a row for each assumed figure, what decides first; raises as `SizingBook.settings` does."""
    book.find(book.results, ARRAYS, "result")
    base = book.settings(settings)
    require_answer(book, book.values(base))
    found, idle = tried(book, base, shipped, progress)
    apart = [
        (key, heading)
        for key, _, heading in _COUNTED[1:]
        if any(_count(end, key) for each in found for end in (each.low, each.high))
    ]
    counted = (ARRAYS, NEED, *(key for key, _ in apart))
    heads = ("Assumed figure", "Unit", "In use", "Low end", "High end", "Arrays, low end", "Arrays, high end",
             "Need, low end", "Need, high end")  # fmt: skip
    more = (f"{heading}, {end} end" for _, heading in apart for end in ("low", "high"))
    headings = (*heads, *more, "Limited by", "Key", "Source of the range")
    rows = []
    for each in found:
        figure = each.figure
        larger = each.high if _count(each.high, ARRAYS) >= _count(each.low, ARRAYS) else each.low
        counts = (end.get(key) for key in counted for end in (each.low, each.high))
        shown = (
            figure.label,
            figure.unit,
            BLANK if figure.used is None else figure.used,
            figure.low,
            figure.high,
            *counts,
        )
        rows.append((*shown, larger.get(LIMIT), figure.key, figure.source))
    return Table(headings, ("",) * len(headings), tuple(rows), (*_said(book, base, found, idle), *book.notes))


def _said(book: SizingBook, base: Mapping[Address, Scalar], found: Sequence[Tried], idle: int) -> Iterator[str]:
    """Yield the answer in sentences: how many figures decide, which first."""
    now = book.evaluate(base, [key for key in (ARRAYS, UNCHECKED, DISKS) if key in book.results])
    sizes = " or the size of the disks" if str(now.get(DISKS, ""))[:1].isdigit() else ""
    deciding = [each for each in found if each.span]
    if deciding:
        named = "; ".join(f"{each.figure.label}, {each.words}" for each in deciding)
        verb = "changes" if len(deciding) == 1 else "change"
        yield (
            f"{len(deciding)} of {len(found)} assumed figures {verb} the number of arrays{sizes} when tried alone "
            f"({_count(now, ARRAYS):.0f} as designed): {named}. Find these out first."
        )
    else:
        none = f"None of {len(found)} assumed figures changes the number of arrays{sizes} when tried alone"
        yield f"{none}, at either end of its range."
    if idle:
        yield f"{idle} more assumed figures affect no constraint of this design."
    if (unchecked := now.get(UNCHECKED, "none")) != "none":
        yield f"Not checked, so every count may be higher: {unchecked}."


def _range(source: Scalar) -> tuple[float, float] | None:
    """Return the range that a source states for an assumed figure."""
    found = _RANGE.search(source) if isinstance(source, str) else None
    return (float(found[1]), float(found[2])) if found else None


def _blank(book: SizingBook, base: Mapping[Address, Scalar], item: Item) -> bool:
    return base.get(item.address, book.cells.values.get(item.address)) is None


def _of_inputs(book: SizingBook, base: Mapping[Address, Scalar], shipped: Shipped) -> Iterator[Figure]:
    """Yield the inputs that still have the assumed value with which the workbook ships."""
    for item in book.inputs.values():
        source = book.cells.constant(columns.basis(book.cells, item.address))
        span, value = _range(source), book.cells.constant(item.address)
        if span and item.address not in base and value is not None and shipped(item.address):
            yield Figure(item.key, item.short, item.unit, (item.address,), value, *span, _cited(source))


def _cited(source: Scalar) -> str:
    """Return a source up to its range, without the help behind it."""
    text = str(source)
    found = _RANGE.search(text)
    return text[: found.end()] if found else text


def _profile(book: SizingBook, base: Mapping[Address, Scalar]) -> Scalar:
    return book.values(base).value(book.inputs["profile"].address) if "profile" in book.inputs else None


def _rows(book: SizingBook, first: str) -> Iterator[int]:
    """Yield the rows of Lists that begin with a text, from above."""
    cells = book.cells
    yield from (at.row for at in cells.stored(_lists(book)) if at.column == 1 and cells.constant(at) == first)


def _lists(book: SizingBook) -> str:
    """Return the sheet of the profiles."""
    return tabs.title(book.cells, LISTS)


def _columns(book: SizingBook, row: int) -> dict[str, int]:
    """Return the headings in a row of Lists, without their units, and their columns."""
    cells = ((at, book.cells.constant(at)) for at in book.cells.stored(_lists(book)) if at.row == row)
    return {str(text).rpartition(", ")[0] or str(text): at.column for at, text in cells if isinstance(text, str)}


def _of_profile(book: SizingBook, base: Mapping[Address, Scalar]) -> Iterator[Figure]:
    """Yield what travels with the profile, where an input is blank: its write cache, memory, login duration."""
    name, head, below = _profile(book, base), next(_rows(book, TABLE), 0), next(_rows(book, SOURCES), 0)
    places = [row for row in _rows(book, str(name)) if head < row]
    sources = [row for row in places if row > below]
    if not (head and below and sources) or places[0] > below:
        return
    columns = _columns(book, head)
    for item in book.inputs.values():
        column = columns.get(item.short)
        if column is None or not _blank(book, base, item):
            continue
        source = book.cells.constant(Address(_lists(book), sources[0], column))
        if span := _range(source):
            used = book.cells.constant(Address(_lists(book), places[0], column))
            yield Figure(item.key, item.short, item.unit, (item.address,), used, *span, _cited(source))


def _of_phases(book: SizingBook, base: Mapping[Address, Scalar]) -> Iterator[Figure]:
    """Yield IOPS and read shares of the profile's phases, and its block sizes together: no test has one for each."""
    name, inputs = str(_profile(book, base)), {item.short: item for item in book.inputs.values()}
    head = next(
        (row for row in _rows(book, TABLE) if book.cells.constant(Address(_lists(book), row, 2)) == PHASE), None
    )
    if head is None:
        return
    columns = _columns(book, head)
    blocks: dict[tuple[float, float], list[Figure]] = {}
    for row in (row for row in _rows(book, name) if row > head):
        phase = book.cells.constant(Address(_lists(book), row, 2))
        for called, figure, stated in FIGURES:
            item = inputs.get(f"{phase}: {called}")
            source = book.cells.constant(Address(_lists(book), row, columns[stated]))
            used = book.cells.constant(Address(_lists(book), row, columns[figure]))
            if isinstance(used, str):
                used, source = _boot_share(book, base)
            span = _range(source)
            if item is None or span is None or not _blank(book, base, item):
                continue
            found = Figure(item.key, item.short, item.unit, (item.address,), used, *span, _cited(source))
            if figure == FIGURES[-1][1]:
                blocks.setdefault(span, []).append(found)
            else:
                yield found
    for group in blocks.values():
        cells = tuple(cell for each in group for cell in each.cells)
        label = group[0].label if len(group) == 1 else "Block size of the desktops' I/O, in every phase"
        more = f" and {len(group) - 1} more" if len(group) > 1 else ""
        yield replace(group[0], key=f"{group[0].key}{more}", label=label, cells=cells)


def _boot_share(book: SizingBook, base: Mapping[Address, Scalar]) -> tuple[Scalar, Scalar]:
    """Return the read share of a boot by the method, and its source; nothing where Lists has no such method."""
    chosen = book.values(base).value(book.inputs["provisioning"].address) if "provisioning" in book.inputs else None
    row, head = next(_rows(book, str(chosen)), 0), next(_rows(book, METHODS), 0)
    if not (row and head):
        return None, None
    columns = _columns(book, head)
    cells = (Address(_lists(book), row, columns[each]) for each in (BOOT_SHARE, "Source"))
    share, source = map(book.cells.constant, cells)
    said = (each for each in str(source).split("; ") if each.startswith(BOOT_SHARE.lower()))
    return share, f"assumed: {next(said, '')}"


def _result(book: SizingBook, base: Mapping[Address, Scalar], key: str) -> float:
    """Return a result of the design; 0 where this copy has none of that name, or no number."""
    value = book.values(base).value(book.results[key].address) if key in book.results else None
    return value if isinstance(value, float) else 0.0


def _of_method(book: SizingBook, base: Mapping[Address, Scalar]) -> Iterator[Figure]:
    """Yield what the provisioning method assumes: data reduction, and the I/Os of a boot where nobody measured them."""
    for kind, key in REDUCTIONS.items():
        low, high = (_result(book, base, f"{kind}_{end}") for end in ("low", "high"))
        if _result(book, base, f"{kind}_assumed_gib") > 0 and low > 0 and key in book.inputs:
            item, most = book.inputs[key], _result(book, base, "array_reduction") or high
            used = _result(book, base, f"{kind}_reduction")
            span = (max(1.0, min(low, most)), max(1.0, min(high, most)))  # what the array is sold with caps it
            yield Figure(key, item.short, item.unit, (item.address,), used, *span, "likely values, Lists")
    least, most = (_result(book, base, f"boot_{end}_factor") for end in ("low", "high"))
    if least > 0 and BOOT in book.inputs:
        item, now = book.inputs[BOOT], book.values(base).value(book.inputs[BOOT].address)
        yield Figure(BOOT, item.short, item.unit, (item.address,), now, least, most, "I/Os of a boot by method, Lists")


def _of_array(book: SizingBook, base: Mapping[Address, Scalar], shipped: Shipped) -> Iterator[Figure]:
    """Yield the usable share of the raw capacity of the arrays chosen, where it is assumed."""
    label = next((item.label for key, item in book.own.items() if key.endswith(f".{SHARE}")), "")
    rows = [next(_rows(book, f"{label}: {end}"), 0) for end in SHARE_ENDS]
    low, high = (book.cells.constant(Address(_lists(book), row, BASIS + 1)) for row in rows)
    for chosen in (book.inputs[key] for key in ARRAY_INPUTS if key in book.inputs):
        name = book.values(base).value(chosen.address)
        own = book.own.get(f"{name}.{SHARE}")
        at = own.address if own else _in_catalogue(book, name, label)
        if at is None or at in base or not shipped(at):
            continue
        used = book.cells.constant(at)
        if isinstance(low, float) and isinstance(high, float) and isinstance(used, float) and low <= used <= high:
            source = f"assumed: parity and spares are rarely printed; range {low:g}-{high:g}"
            yield Figure(f"{name}.{SHARE}", f"{label}, {name}", "ratio", (at,), used, low, high, source)


def _in_catalogue(book: SizingBook, name: Scalar, label: str) -> Address | None:
    """Return the cell of an array of the papers in the row with a label."""
    sheet = tabs.title(book.cells, CATALOGUE)
    on_sheet = book.cells.stored(sheet)
    row = next((at.row for at in on_sheet if at.column == 1 and book.cells.constant(at) == label), None)
    heads = (at for at in on_sheet if at.row == CATALOGUE_HEAD)
    column = next((at.column for at in heads if book.cells.constant(at) == name), None)
    return Address(sheet, row, column) if row and column else None


def _drawn(book: SizingBook, base: Mapping[Address, Scalar], shipped: Shipped) -> Iterator[Figure]:
    """Yield what Risk inputs spreads for an assumed reason: from minimum to maximum, else from P10 to P90."""
    title = risk.title(book)
    keys: dict[Scalar, int] = {}
    for at in sorted(at for at in risk.cells(book) if at.column == BASIS + 1):
        keys.setdefault(book.cells.constant(at), at.row)  # further down the matrix names them again
    for entry in risk.read_risk(book, base).uncertain if keys else ():
        source = book.cells.constant(Address(title, keys[entry.key], BASIS))
        cell = entry.item.address
        if cell in base or not str(source).startswith("assumed") or not shipped(cell):
            continue
        bounds = dict(zip(KINDS[entry.spread.kind].names, entry.spread.parameters, strict=False))
        low, high = (bounds.get("minimum"), bounds.get("maximum"))
        said = "Risk inputs"
        if low is None or high is None:
            low, high = (float(end) for end in entry.spread.ppf(np.array([LOW, HIGH])).values)
            said = "P10 and P90 of Risk inputs"
        yield Figure(entry.key, entry.item.short, entry.item.unit, (cell,), book.held(entry.item), low, high, said)
