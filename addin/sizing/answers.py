"""The base design sized, and the chain of cells behind a number. A book in, tables and steps out."""

from __future__ import annotations

import difflib
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from addin.computing.kernel_engine import Values
from addin.errors import RequestError
from addin.kernel import Address, ExcelError, KernelError, Scalar, precedents
from addin.sizing import shares
from addin.sizing.checks import ALERT, ERROR, MASTER, Raised, raised
from addin.sizing.labels import named
from addin.sizing.result_keys import ASSUMED, CLOUD_DISKS, CLOUD_SHARE, OF_ARRAYS, ON_ARRAYS, SIZE
from addin.sizing.sentence import COUNT, STATUS, UNCHECKED
from addin.sizing.tables import Table, in_words
from addin.sizing.units import bought, counted
from addin.workbook import columns
from addin.workbook.book import Item, SizingBook, shown
from addin.workbook.item import echoed
from addin.workbook.outside import not_numbers

DEPTH, MOST_STEPS = 3, 400
FEW_SHEETS = 8  # as many as a refusal names
MOST_SET = 8  # inputs set at once that are looked at one by one: each computes the design again
ALERTS = "Chk_Alerts"
COST, COST_STATUS = "cost_total", "cost_status"
NONE = "no answer"  # in place of a figure, as Answer says it
ARRAY, CAPACITY = "array", "capacity_required_gib"


@dataclass(frozen=True)
class Step:
    """A cell in the chain behind a number; `level` is how far it is from it, `above` that its own chain stands above.

    `label`, `unit` and `basis` are what the cell's row says of it, empty where the row says nothing. `word` is what the
    cell shows in place of a code, such as "none" for -2.
    """

    level: int
    address: Address
    label: str
    value: Scalar
    unit: str
    formula: str | None
    basis: str
    above: bool
    word: str = ""


def headline(book: SizingBook) -> list[str]:
    """Return the results shown unless others are asked for; a workbook of an older version may lack some."""
    return [key for key in SIZE if key in book.results]


def size(book: SizingBook, settings: Iterable[str], keys: Sequence[str] = ()) -> Table:
    """Return the results of the base design as a table, the headline with the checks raised; raises as `answer`."""
    return sized(book, settings, keys)[0]


def unanswered(found: Iterable[Raised]) -> bool:
    """Return whether the checks raised leave no answer, as one of them is an error."""
    return any(each.kind == ERROR for each in found)


def sized(book: SizingBook, settings: Iterable[str], keys: Sequence[str] = ()) -> tuple[Table, list[Raised]]:
    """Return the table of `size` and the checks raised, of whatever results; raises as `answer`."""
    computed = book.values(overrides := book.settings(settings))
    values, found = answer_of(book, computed, keys)
    word = bought(book, computed)
    without = unanswered(found)
    told = [each.line for each in found if not keys or each.kind == ERROR]
    if not keys and ASSUMED in book.results and (assumed := shown(computed.value(book.results[ASSUMED].address))):
        told.append(f"{assumed[:1].upper()}{assumed[1:]}. Type your own figures on My profiles or Inputs.")
    if not keys and not without and CLOUD_SHARE in book.results:
        share = shown(computed.value(book.results[CLOUD_SHARE].address))
        if share not in ("none", ""):
            told += [f"Cloud share: {share}.", *filter(None, [shares.cheaper(book, overrides)])]
    if not keys and not without and CLOUD_DISKS in book.results:
        disks = shown(computed.value(book.results[CLOUD_DISKS].address))
        if disks not in (ON_ARRAYS, ""):
            told = [line.replace("; cost: ", "; cost with the disks: ") for line in told]
            told.append(f"Machines' disks: {disks}.")
            values = [(item, value) for item, value in values if value != 0 or item.key not in OF_ARRAYS]
    priced = any(item.key == COST and isinstance(value, float) for item, value in values)
    if not keys and not without and priced and COST_STATUS in book.results:
        checked = UNCHECKED not in book.results or computed.value(book.results[UNCHECKED].address) == "none"
        least = "" if checked else "at least this much, as not everything is checked; "
        told.append(f"The cost rests on: {least}{shown(computed.value(book.results[COST_STATUS].address))}.")
    if without:  # as on Answer: no figure, but what is wrong
        values = [(item, without_figure(item, value)) for item, value in values if keys or item.key == STATUS]
        told += [*_said_beside(book, computed), *not_numbers(book, book.own.values())]
    words = [(item, _told(book, computed, item, value)) for item, value in values]
    rows = tuple(
        (counted(item.label, word), value, "" if _is_word(value) else counted(item.unit, word)) for item, value in words
    )
    return Table(("Result", "Value", "Unit"), ("", "", ""), rows, (*told, *book.notes)), found


def _is_word(value: Scalar) -> bool:
    """Return whether a value is a word without a unit: "none", "not published"; what is to be entered has one."""
    return isinstance(value, str) and not value.startswith("enter ")


def without_figure(item: Item, value: Scalar) -> Scalar:
    """Return what a result says where an error leaves no answer: no figure; a status what it asks for, no count."""
    counts = item.key == STATUS and COUNT.search(str(value))
    return value if isinstance(value, str) and not counts else NONE


def _told(book: SizingBook, computed: Values, item: Item, value: Scalar) -> Scalar:
    """Return a value, in words where it stands for what is not known: a method that does not say what it stores."""
    if item.key == CAPACITY and value == 0 and UNCHECKED in book.results:
        unchecked = computed.value(book.results[UNCHECKED].address)
        return "not known" if "what the method stores" in str(unchecked) else value
    return in_words(item.key, item.unit, value)


def _said_beside(book: SizingBook, computed: Values) -> list[str]:
    """Return what the cells beside the typed ones say of the array chosen, where it is a card of the user's own."""
    chosen = computed.value(book.inputs[ARRAY].address) if ARRAY in book.inputs else None
    said = []
    for key, item in sorted(book.own.items(), key=lambda own: own[1].address):
        beside = item.address._replace(column=item.address.column + 1)
        if key.rpartition(".")[0] == chosen and book.cells.formula(beside) is not None:
            word = computed.value(beside)
            if isinstance(word, str) and word and (item.unit or word.endswith("?")):
                said.append(f"{item.label} ({word})")
    return [f"{chosen} says beside its cells: {', '.join(said)}."] if said else []


def answer(
    book: SizingBook, settings: Iterable[str], keys: Sequence[str] = ()
) -> tuple[list[tuple[Item, Scalar]], list[Raised]]:
    """Return results of the base design after some inputs were changed, and the errors and alerts that it raises.

    No keys ask for the headline. Raises RequestError for unknown inputs or results and for values outside their range.
    """
    return answer_of(book, book.values(book.settings(settings)), keys)


def answer_of(
    book: SizingBook, computed: Values, keys: Sequence[str]
) -> tuple[list[tuple[Item, Scalar]], list[Raised]]:
    """Return what `answer` does, of a design that is computed."""
    items = [book.find(book.results, key, "result") for key in keys or headline(book)]
    values = [(item, computed.value(item.address)) for item in items]
    for key in headline(book):  # what a check reads of the design is there, whatever was asked for
        computed.value(book.results[key].address)
    return values, [each for each in raised(book, computed, quick=True) if each.kind in (ERROR, ALERT)]


def unmoved(book: SizingBook, settings: Sequence[str]) -> list[str]:
    """Return a note on the inputs set that change nothing `size` shows: who sets one expects that it counts.

    An input that is set to what its cell holds, and all of more than MOST_SET, are not looked at.
    """
    overrides = book.settings(settings)
    places = [
        book.results[key].address for key in (*headline(book), ASSUMED, CLOUD_SHARE, CLOUD_DISKS) if key in book.results
    ]
    places += [book.address(book.cells.names[ALERTS], ALERTS)] if ALERTS in book.cells.names else []

    changed = {at: value for at, value in overrides.items() if value != book.cells.constant(at)}
    if not 0 < len(changed) <= MOST_SET:
        return []
    with_all = book.values(overrides)

    def moved(at: Address) -> bool:
        without = book.values({other: value for other, value in overrides.items() if other != at})
        return any(with_all.value(place) != without.value(place) for place in places)  # the last reads most

    idle = {at for at in changed if not moved(at)}
    items = (book.entry(pair[0]) for text in settings if (pair := book.pair(text)))
    names = ", ".join(dict.fromkeys(item.key for item in items if item.address in idle))
    return [f"Setting {names} changes none of these results."] if names else []


def explain(book: SizingBook, name: str, settings: Iterable[str] = (), depth: int = DEPTH) -> list[str]:
    """Return the chain behind a result as lines: cell, label, value, formula, then what it reads, indented.

    Raises RequestError when the name is neither a result, an input nor a cell.
    """
    return lines(steps(book, start(book, name), settings, depth))


def legible(chain: Sequence[Step]) -> list[Step]:
    """Return a chain without the cells that show nothing beside others of their row, and without what these read.

    A look-up reads the field of every array: those that have none are no part of the number.
    """
    rows = Counter((step.level, step.address.sheet, step.address.row) for step in chain)
    kept: list[Step] = []
    above = math.inf  # the level of the cell left out last
    for step in chain:
        if step.level <= above:
            beside = rows[step.level, step.address.sheet, step.address.row] > 1
            above = step.level if step.value == "" and beside else math.inf
            if above == math.inf:
                kept.append(step)
    return kept


def cut(chain: Sequence[Step]) -> list[str]:
    """Return a line that says so where a chain has more cells than are listed."""
    return (
        [f"The list ends after {MOST_STEPS} cells: explain one of them for more."] if len(chain) >= MOST_STEPS else []
    )


def lines(chain: Iterable[Step]) -> list[str]:
    """Return a chain of cells as lines."""
    texts = []
    for step in chain:
        value = step.value.value if isinstance(step.value, ExcelError) else shown(in_words("", step.unit, step.value))
        value = f"{step.word} ({value})" if step.word else value
        text = f"{'  ' * step.level}{step.address.a1}  {step.label} = {value}"
        texts.append(text + (f"  {step.formula}" if step.formula else "") + ("  (above)" if step.above else ""))
    return texts


def steps(book: SizingBook, first: Address, settings: Iterable[str] = (), depth: int = DEPTH) -> list[Step]:
    """Return the cells behind a cell, each followed by what it reads, to a depth; blank cells are left out.

    What is computed comes first, what is checked last. Raises RequestError for a depth below 0.
    """
    if depth < 0:
        raise RequestError(f"--depth {depth}: expected 0 or more levels. Leave it out for {DEPTH}.")
    evaluator = book.values(book.settings(settings))
    checked = book.address(book.cells.names[MASTER], MASTER).sheet
    taken: list[Step] = []
    seen: set[Address] = set()

    def walk(address: Address, level: int) -> None:
        formula = book.cells.formula(address)
        again = address in seen and formula is not None
        label, unit = named(book, evaluator, address)
        taken.append(Step(level, address, label, evaluator.value(address), unit, formula, basis(book, address), again))
        if formula is None or again or level == depth:
            return
        seen.add(address)
        for source in sorted(precedents(book.cells, address), key=lambda cell: cell.sheet == checked):
            if len(taken) < MOST_STEPS and book.cells.values.get(source) is not None:
                walk(source, level + 1)

    walk(first, 0)
    from addin.workbook.number_formats import words as words_of  # and with it openpyxl, which `size` does not need

    words = words_of(book, ((step.address, step.value) for step in taken))
    return [replace(step, word=words.get(step.address, "")) for step in taken]


def start(book: SizingBook, name: str) -> Address:
    """Return the cell that a result, an input or an address names. Raises RequestError."""
    if "!" in name:
        return _cell(book, name)
    if name.startswith("In_") or "." in name:
        return book.entry(name).address
    return book.find({**book.inputs, **book.results}, name, "result or input").address


def _cell(book: SizingBook, name: str) -> Address:
    """Return the cell that a person names as a formula would. Raises RequestError for a sheet or cell there is not."""
    try:
        found = Address.from_a1(name)
    except KernelError:
        at = f"{book.path.name}: there is no cell {echoed(name)!r}"
        raise RequestError(f"{at}. Name one from A1 to XFD1048576, such as Sizing!D20.") from None
    sheets = {sheet.casefold(): sheet for sheet in book.cells.sheets}
    if found.sheet.casefold() not in sheets:
        near = difflib.get_close_matches(found.sheet.casefold(), sheets, n=1)
        advice = (
            f"did you mean {sheets[near[0]]!r}?"
            if near
            else f"there are {', '.join(list(sheets.values())[:FEW_SHEETS])}, ..."
        )
        raise RequestError(f"{book.path.name}: there is no sheet {echoed(found.sheet)!r}; {advice}")
    return found._replace(sheet=sheets[found.sheet.casefold()])


def basis(book: SizingBook, address: Address) -> str:
    """Return where a cell's row says its figure comes from; nothing for that cell itself, or where it has a formula."""
    at = columns.basis(book.cells, address)
    value = book.cells.constant(at)
    return value if isinstance(value, str) and at.column < address.column and not value.startswith("=") else ""
