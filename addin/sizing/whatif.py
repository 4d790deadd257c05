"""What-if: every combination of some inputs, and every array for one workload. A book in, a table out.

Numeric inputs become the trials of one compiled slice for each combination of text inputs.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set

import numpy as np

from addin.computing.kernel_engine import KERNEL, Values
from addin.errors import RequestError
from addin.kernel import Address, Evaluator, ExcelError, Scalar, Variants
from addin.sizing.answers import NONE, without_figure
from addin.sizing.columns import Columns, Floats
from addin.sizing.refusals import require_some_answer, why_none, why_unanswered
from addin.sizing.result_keys import COMPARE, WHATIF
from addin.sizing.sentence import STATUS
from addin.sizing.tables import Table
from addin.workbook import designs
from addin.workbook.book import Item, SizingBook
from addin.workbook.item import CLOCK, currency
from addin.workbook.item import number as read_number

MOST_VALUES = KERNEL.budget.grid  # of one input
MOST_TEXTS = 2000  # each combination of texts is a slice of its own
MOST_LOOKED_AT = 1000  # rows, for errors of each
FEW = 10  # rows with an error value, of which one is looked at after the other until a check says why
ALL = "all"
OWN = "My "  # what rows of the user's own are called until somebody names them
ARRAYS = ("array", "container_array")
DISK_PLACE = "disk_place"
_OF_ITS_ARRAY: Mapping[str, Scalar] = {
    **{"array_price": None, "support_included_years": None, "price_covers_hosts": "no"},
    **{"arrays_installed": None, "cache_state": "none"},
}
_OF_ITS_SHARE: Mapping[str, Scalar] = dict.fromkeys(("share_gib_price", "share_iops_price", "share_mib_price"))
SIZE, SIZE_PRICE = "tier_name", "disk_price"  # of a managed disk
OF_ITS_CHOICE: Mapping[str, Mapping[str, Scalar]] = {  # what is typed for a choice, and is not known of another
    ARRAYS[0]: _OF_ITS_ARRAY,
    ARRAYS[1]: {"container_array_price": None},
    DISK_PLACE: {SIZE_PRICE: None},
    **dict.fromkeys(("share_service", "share_redundancy", "price_region"), _OF_ITS_SHARE),
}
INCOMPLETE = "array_incomplete"  # the result that says so of the array chosen
Axis = tuple[Item, tuple[Scalar, ...]]
Inputs = Mapping[Address, Scalar]


def variations(book: SizingBook, text: str, base: Inputs) -> tuple[str, tuple[Scalar, ...]]:
    """Read `key=low:high:step`, `key=a,b,c` or `key=all`; return the key and the values its cell accepts.

    `all` takes of the user's own arrays those that are complete with the inputs of `base`.

    Raises RequestError for anything else, and for a step that never arrives.
    """
    pair = book.pair(text)
    if pair is None:
        raise RequestError(f"{text!r}: expected key=low:high:step, key=a,b or key=all.")
    item, wanted = book.entry(pair[0]), pair[1]
    if not wanted.strip():
        raise RequestError(f"{text}: names no value; expected low:high:step, a,b or all. Type its values.")
    if wanted == ALL:
        if not item.choices:
            raise RequestError(f"{text}: only an input with a list takes 'all'; give low:high:step.")
        return item.key, candidates(book, item, base)
    if item.choices:
        exact = tuple(c for c in item.choices if c.casefold() == wanted.casefold())
        return item.key, exact or tuple(book.value_for(item, part.strip()) for part in wanted.split(","))
    parts = parted(item, wanted)
    if len(parts) == 1:
        return item.key, tuple(book.value_for(item, part.strip()) for part in wanted.split(","))
    if len(parts) != 3:
        raise RequestError(f"{text}: expected low:high:step, such as desktops=500:5000:500.")
    low, high, step = (finite_number(part, text, item) for part in parts)
    if step <= 0 or high < low:
        raise RequestError(f"{text}: expected low <= high and a step above 0.")
    steps = (high - low) / step + 1e-9
    if steps >= MOST_VALUES:
        raise RequestError(f"{text}: {steps + 1:,.0f} values; at most {MOST_VALUES:,}. Take a larger step.")
    return item.key, tuple(book.value_for(item, float(f"{low + n * step:.15g}")) for n in range(int(steps) + 1))


def parted(item: Item, text: str) -> list[str]:
    """Return the parts of low:high:step; a time of day holds a colon itself: 06:30:08:00:00:15."""
    parts = text.split(":")
    if item.unit != CLOCK or "," in text:
        return [text] if item.unit == CLOCK else parts
    return [":".join(parts[at : at + 2]) for at in range(0, len(parts), 2)]


def finite_number(text: str, where: str, item: Item | None = None) -> float:
    """Return the number a text stands for, of an item as its cell takes it; raise RequestError, naming `where`."""
    try:
        number = read_number(item, text, where) if item is not None else float(text)
    except (ValueError, RequestError):
        number = math.nan
    if not math.isfinite(number):
        raise RequestError(f"{where}: {text!r} is not a number. Correct it.")
    return number


def whatif(book: SizingBook, settings: Iterable[str], vary: Iterable[str], keys: Sequence[str] = WHATIF) -> Table:
    """Return one row per combination of the varied inputs, the last one varying fastest.

    Raises RequestError as `variations` does, for an input named twice or set too, and for more than 100,000
    combinations.
    """
    base = book.settings(settings)
    axes = _axes(book, vary, base)
    items = [book.find(book.results, key, "result") for key in keys]
    numeric = [axis for axis, (_, values) in enumerate(axes) if all(isinstance(v, float) for v in values)]
    rest = [axis for axis in range(len(axes)) if axis not in numeric]
    total = math.prod(len(axes[axis][1]) for axis in rest)
    if total > MOST_TEXTS:
        raise RequestError(f"{total:,} combinations of texts; at most {MOST_TEXTS:,}. Vary fewer of them.")
    points = list(itertools.product(*(axes[axis][1] for axis in numeric)))
    x = np.array(points, dtype=np.float64).reshape(len(points), len(numeric)).T
    priced = _size_priced(book, base, [item for item, _ in axes])
    sized = [] if priced is None else [book.results[SIZE]]
    columns = Columns(book, [axes[axis][0] for axis in numeric], [*items, *sized])
    varied = {item.address for item, _ in axes}
    computed: dict[tuple[Scalar, ...], tuple[Scalar, ...]] = {}
    left_out: set[Address] = set()
    for texts in itertools.product(*(axes[axis][1] for axis in rest)):
        chosen = {axes[axis][0].address: value for axis, value in zip(rest, texts, strict=True)}
        replaced = of_another_choice(book, base, chosen)
        left_out |= replaced.keys() - varied
        chosen = {**base, **replaced, **chosen}
        found, other_size = _of_its_size(columns, chosen, x, priced)
        left_out |= other_size
        for point, values in zip(points, zip(*found, strict=True), strict=True):
            computed[(*texts, *point)] = values
    turned = [*rest, *numeric]
    chosen_here = list(itertools.product(*(values for _, values in axes)))
    rows = [computed[tuple(row[axis] for axis in turned)] for row in chosen_here]
    shown_wrong = [at for at, values in enumerate(rows) if any(isinstance(value, ExcelError) for value in values)]
    without = _without_answer(book, base, [item for item, _ in axes], chosen_here, shown_wrong[:FEW])
    for at in without:
        rows[at] = tuple(
            without_figure(item, value) if item.key == STATUS else NONE
            for item, value in zip(items, rows[at], strict=True)
        )
    return Table(
        (*(item.key for item, _ in axes), *(item.label for item in items)),
        (*(item.unit for item, _ in axes), *(item.unit for item in items)),
        tuple((*row, *values) for row, values in zip(chosen_here, rows, strict=True)),
        (
            *(f"No answer: {why}." for why in dict.fromkeys(without.values())),
            *_typed_for_base(book, base, left_out, items),
            *book.notes,
        ),
        (*("" for _ in axes), *(item.key for item in items)),
        len(axes),
    )


def _size_priced(book: SizingBook, base: Inputs, varied: Sequence[Item]) -> tuple[Address, Scalar] | None:
    """Return where the price of a managed disk is typed, and the size it is for; None where none is, or it varies."""
    price, size = book.inputs.get(SIZE_PRICE), book.results.get(SIZE)
    if price is None or size is None or price in varied:
        return None
    typed = base[price.address] if price.address in base else book.held(price)
    return None if typed is None else (price.address, book.values(base).value(size.address))


def _of_its_size(
    columns: Columns, fixed: Inputs, x: Floats, priced: tuple[Address, Scalar] | None
) -> tuple[list[list[Scalar]], set[Address]]:
    """Return the columns, and the cell of a price left out: that of a managed disk is not known of another size."""
    found = columns.compute(fixed, x)
    if priced is None:
        return found, set()
    price, size = priced
    other = np.flatnonzero([each != size for each in found.pop()])
    if not other.size:
        return found, set()
    without = columns.compute({**fixed, price: None}, x[:, other])
    for column, values in zip(found, without[:-1], strict=True):
        for at, value in zip(other.tolist(), values, strict=True):
            column[at] = value
    return found, {price}


def _typed_for_base(book: SizingBook, base: Inputs, left_out: Set[Address], results: Sequence[Item]) -> Iterator[str]:
    """Yield a sentence on what is typed for the base design and left out of rows with another choice.

    What counts in money alone is named beside results in money.
    """
    priced = any(item.unit.partition("/")[0] == currency(book.cells) for item in results)
    typed = [
        item.key
        for item in book.inputs.values()
        if item.address in left_out
        and not item.choices
        and (priced or item.unit == "arrays")
        and (base[item.address] if item.address in base else book.held(item)) is not None
    ]
    if typed:
        yield f"Typed for the base design, so left out of rows with another choice or size: {', '.join(typed)}."


def _without_answer(
    book: SizingBook, base: Inputs, varied: Sequence[Item], rows: Sequence[tuple[Scalar, ...]], likely: Sequence[int]
) -> Mapping[int, str]:
    """Return which rows have no answer, as an error is raised, and why; all are computed if one looked at has none.

    A row takes as long as `size`: what an error compares rises or falls with an input, so that the ends show it, or
    one of those that are likely to have none, between two choices from a list.
    """

    def why(at: int) -> str:
        chosen = {item.address: value for item, value in zip(varied, rows[at], strict=True)}
        return why_unanswered(book, book.values({**base, **of_another_choice(book, base, chosen), **chosen}))

    said = next((found for at in (0, len(rows) - 1, *likely) if (found := why(at))), "")
    if said and len(rows) > MOST_LOOKED_AT:
        found = f"{len(rows):,} combinations, some without an answer: {said}"
        raise RequestError(f"{found}. Or take at most {MOST_LOOKED_AT:,} combinations.")
    return {at: found for at in range(len(rows)) if (found := why(at))} if said else {}


def _axes(book: SizingBook, vary: Iterable[str], base: Inputs) -> list[Axis]:
    axes: dict[str, Axis] = {}
    for text in vary:
        key, values = variations(book, text, base)
        if key in axes:
            raise RequestError(f"{text}: {key} is varied already. Name its values in one --vary.")
        axes[key] = book.entry(key), values
    total, most = math.prod(len(values) for _, values in axes.values()), book.engine.budget.grid
    if total > most:
        raise RequestError(f"{total:,} combinations; at most {most:,}. Take larger steps or fewer inputs.")
    return list(axes.values())


def compare(book: SizingBook, settings: Iterable[str]) -> Table:
    """Return one row per array for the workload of the base design, in the order of the catalogue, then managed disks.

    Each stands in the column of the first what-if, so that the sheet's own formulas say what it inherits: price, count
    and cache typed for the array of the base design are not those of another, and break-even prices are against it.
    An array of the user's own comes along once a capacity and what serves I/O are entered, whatever its name. The
    machines' disks are on the array, then on each family of managed disks, with the arrays that the rest still needs.
    Raises RequestError as `Book.settings` does, and for an array among the settings.
    """
    array = book.find(book.inputs, "array", "input")
    base = book.settings(settings)
    if array.address in base:
        raise RequestError("array: compare takes every array of the list. Leave it out of --set.")
    require_an_array(book, base)
    items = [book.find(book.results, key, "result") for key in COMPARE]
    named = candidates(book, array, base)
    left_out = [name for name in array.choices if name not in named]
    blank = {designs.typed_in(book.cells, item.beside, 1): None for item in book.inputs.values()}
    places = tuple(item.address._replace(column=item.address.column + 1) for item in items)
    named_cases = [*_on_arrays(book, array, named), *_on_disks(book)]
    cases = _each(book, {**base, **blank}, [chosen for _, chosen in named_cases], places)
    rows = [(name, *values) for (name, _), values in zip(named_cases, cases, strict=True)]
    notes = (f"Left out, as no capacity or no rating is entered: {', '.join(left_out)}.",) if left_out else ()
    headings = (array.label, *(item.label for item in items))
    units = (array.unit, *(item.unit for item in items))
    return Table(headings, units, tuple(rows), (*notes, *book.notes), (array.key, *COMPARE))


def _each(
    book: SizingBook, base: Inputs, cases: Sequence[Inputs], places: Sequence[Address]
) -> Iterator[tuple[Scalar, ...]]:
    """Yield the values of some cells for each case, which changes a few inputs of the base."""
    evaluator = book.values(base)
    changed = {at for chosen in cases for at in chosen}
    if not isinstance(evaluator, Evaluator) or any(set(chosen) != changed for chosen in cases):
        for chosen in cases:
            values = book.values({**base, **chosen})
            yield tuple(values.value(at) for at in places)
        return
    variants = Variants(evaluator.cells, changed, places)
    for chosen in cases:
        of_case = variants.values(chosen)
        yield tuple(of_case.value(at) for at in places)


def _on_arrays(book: SizingBook, array: Item, names: Iterable[Scalar]) -> Iterator[tuple[Scalar, Inputs]]:
    """Yield every array with what the first what-if has to hold, the machines' disks on it."""
    own = designs.typed_in(book.cells, array.beside, 1)
    place = book.inputs.get(DISK_PLACE)
    here: Inputs = {designs.typed_in(book.cells, place.beside, 1): place.choices[0]} if place else {}
    for name in names:
        yield name, {own: name, **here}


def _on_disks(book: SizingBook) -> Iterator[tuple[Scalar, Inputs]]:
    """Yield every family of managed disks with what the first what-if has to hold."""
    if place := book.inputs.get(DISK_PLACE):
        for name in place.choices[1:-1]:  # the last one is ephemeral: it buys nothing
            own = designs.typed_in(book.cells, book.find(book.inputs, "array", "input").beside, 1)
            yield name, {own: None, designs.typed_in(book.cells, place.beside, 1): name}


def require_an_array(book: SizingBook, base: Inputs, reason: Callable[[SizingBook, Values], str] = why_none) -> None:
    """Raise RequestError where no array of the list gives the base design an answer; its own may be blank.

    `reason` says why a design has none: by its status and its errors, unless the caller shows the errors itself.
    """
    array = book.find(book.inputs, ARRAYS[0], "input")
    chosen = ({array.address: name} for name in candidates(book, array, base))
    require_some_answer(book, base, ({**of_another_choice(book, base, each), **each} for each in chosen), reason)


def of_another_choice(book: SizingBook, base: Inputs, chosen: Inputs) -> Inputs:
    """Return what replaces price, count and cache typed for the base design, where array, share or disk is another."""
    replaced: dict[Address, Scalar] = {}
    for key, typed in OF_ITS_CHOICE.items():
        if (item := book.inputs.get(key)) is not None:
            own = base[item.address] if item.address in base else book.held(item)
            if chosen.get(item.address, own) != own:
                replaced |= {book.inputs[each].address: value for each, value in typed.items() if each in book.inputs}
    return replaced


def candidates(book: SizingBook, item: Item, base: Inputs) -> tuple[Scalar, ...]:
    """Return the entries of a list that can be sized: of the user's own arrays those that are complete."""
    if item.key not in ARRAYS or INCOMPLETE not in book.results:  # a copy of an earlier version
        return tuple(choice for choice in item.choices if not choice.startswith(OWN))
    array = book.find(book.inputs, "array", "input")
    incomplete = [book.results[INCOMPLETE].address]
    found = _each(book, base, [{array.address: name} for name in array.choices], incomplete)
    lacks = {name: value for name, (value,) in zip(array.choices, found, strict=True)}
    return tuple(choice for choice in item.choices if lacks.get(choice, 0) == 0)
