"""The data of the page: positions of cells in the program, labels, limits, saved values."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from addin.computing.kernel_engine import Values
from addin.errors import BookError
from addin.kernel import Address, Cells, Evaluator, Scalar, precedents
from addin.kernel.script import Program, translated
from addin.live import front
from addin.live.bridged import bridged
from addin.live.explained import chains, explained
from addin.live.front import Block, Chart, Line
from addin.prices import is_money
from addin.simulation import demand_class, method_reduction
from addin.simulation.preparing import MUST_BE_ZERO, PROVISIONED
from addin.simulation.risk import Risk, Uncertain, read_risk
from addin.simulation.spreads import LISTS, Floats, Spread
from addin.sizing.checks import MASTER
from addin.workbook import columns
from addin.workbook.book import CURRENCY_KEY, SizingBook, in_currency, shown
from addin.workbook.digests import NOT_STATED, as_built, digest
from addin.workbook.item import SHARE, Item, currency
from addin.workbook.number_formats import Section, sections
from addin.xlsx.cell_values import plain_value
from model.layout.codes import CURRENCY_NAME

# Left out, as it is evident beside a field that the user chose the value.
BEFORE_HELP = re.compile(r"(Typed on Answer\. )?(user(\. |$))?")
BANNER, DOCUMENT, TYPED = "Chk_Banner", "Doc_", "\u00a4"  # TYPED begins a unit of money: in the currency typed
PHASES = ("boot", "provisioning", "logoff", "patching", "scheduled")
NO_LIMIT = ("ratio_largest", "ratio_normal", "ratio_after_failure")  # all other ratios are constraints
DRAWN = ("arrays_required", "ratio_largest", "capacity_required_gib", "boot_minutes", "cost_per_desktop", "npv")
USED, REQUIRED = "arrays_used", "arrays_required"
SHOWN = ("answer", "ranked", "notes", "years")  # blocks of values in tables or lists; the other one is drawn
POINTS = 256  # of the inverse distributions for the page's draws
Json = dict[str, Any]


@dataclass(frozen=True)
class Contents:
    """The program, the data of the page, and the saved answer for readers whose mail program removes scripts."""

    program: Program
    data: Json
    chains: Json
    saved: Values
    formats: Mapping[Address, str]
    answer: Block
    ranked: Block
    notes: Block
    status: Address
    checks: tuple[Address, ...]
    heading: str
    design: tuple[tuple[str, str], ...]


def contents(book: SizingBook, made_from: Cells, given: Collection[str], title: str, *, prices_shown: bool) -> Contents:
    """Return the contents of the page of a workbook, whose file it calls `title`.

    `made_from` is the workbook before prices were removed and inputs changed, `given` are the keys of those inputs.
    Raises BookError for a missing block of the front sheets, and KernelError naming a cell that cannot be translated.
    """
    named = in_currency(book, [f"{CURRENCY_KEY}={TYPED}"])  # for units alone
    named = named.with_styles(book.workbook) if book.workbook else named
    blocks = {name: read(named) for name, read in _BLOCKS.items()}
    cards = _cards(book)
    charts = front.year_charts(named)
    risk = read_risk(book, any_profile=True)
    names = tuple(book.address(book.cells.names.get(name, name), name) for name in (MASTER, BANNER))
    targets = [
        *(item.address for item in book.results.values()),
        *names,
        *(at for block in blocks.values() for line in block.lines for at in (line.label, *line.values)),
        *(at for chart in charts for series in chart.series for at in (series.name, *series.values)),
        *(at for _, derived in cards.values() for _, at in derived),
        *(columns.label(book.cells, item.address) for item in book.inputs.values()),
    ]
    entries = _ordered(named)
    typed = {item.address for item in entries}
    behind = chains(book, targets, typed, named)
    targets += behind.labels(book, typed)
    _check_apart(book, entries)
    saved = book.values()
    known = saved if isinstance(saved, Evaluator) and saved.cells is book.cells else None
    program = translated(book.cells, (item.address for item in entries), targets, known)
    formats = _formats(book, blocks, cards, charts)
    at = program.layout.of
    place = {item.key: n for n, item in enumerate(entries)}
    kinds: list[Json] = []  # rows of the user's own share their descriptions
    inputs = []
    for item in entries:
        kind = _kind(book, saved, item)
        if kind not in kinds:
            kinds.append(kind)
        inputs.append([item.key, at(item.address), plain_value(book.held(item)), kinds.index(kind)])
    heading = _document(book)
    data: Json = {
        "book": title,
        "version": book.version,
        "digest": digest(made_from),
        "built": as_built(made_from) or NOT_STATED,
        "design": _fingerprint(title, heading, [[each[0], each[2]] for each in inputs]),
        "bits": (bits := _bits(entries)),
        "bridges": bridged(book, entries),
        "moved": program.moved_by(
            [[item.address for item, bit in zip(entries, bits, strict=True) if bit == n] for n in range(max(bits) + 1)]
        ),
        "given": [n for n, item in enumerate(entries) if item.key in given],
        "prices": prices_shown,
        "kinds": kinds,
        "inputs": inputs,
        "start": [place[item.key] for item in entries if item.key in book.inputs and item.linked],
        "groups": [{"title": title, "inputs": [place[key] for key in keys]} for title, keys in _groups(book)],
        "cards": [
            {
                "title": title,
                "sheet": book.own[keys[0]].address.sheet,
                "inputs": [place[key] for key in keys],
                "derived": [[plain_value(label), at(cell)] for label, cell in derived],
            }
            for title, (keys, derived) in cards.items()
        ],
        "currency": currency(book.cells),
        "results": {key: [item.label, item.unit, at(item.address)] for key, item in named.results.items()},
        "formats": _by_format(formats, at),
        "limits": sorted(
            (key for key in book.results if key.startswith("ratio_") and key not in NO_LIMIT),
            key=lambda key: book.results[key].address,
        ),
        "phases": [name for name in PHASES if f"{name}_minutes" in book.results],
        "blocks": {name: _placed(block, at) for name, block in blocks.items()},
        "charts": [_drawn(chart, at) for chart in charts],
        "checks": [at(name) for name in names],
        "risk": _risk(book, program, risk, prices_shown=prices_shown),
        "expected": [plain_value(saved.value(item.address)) for item in book.results.values()],
    }
    status = book.find(book.results, "status", "result").address
    told = [kind["label"] for kind in kinds] + [data["results"][key][0] for key in sorted(data["results"])]
    opened = explained(book, saved, program, behind, typed, told, [kind.get("help", "") for kind in kinds])
    fronts = blocks["answer"], blocks["ranked"], blocks["notes"]
    words = heading, _design(book, saved, entries)
    return Contents(program, data, opened, saved, formats, *fronts, status, names, *words)


_BLOCKS = {
    "answer": front.answer,
    "ranked": front.ranked,
    "notes": front.notes,
    "years": front.years,
    "logins": front.logins,
}


def _bits(entries: Sequence[Item]) -> list[int]:
    """Return the group of each input: one for each of the first cells, then prices, all others, the user's own rows.

    A change of a group computes what the group moves. Fewer groups keep the page small.
    """
    alone = [item.key for item in entries if item.linked]
    rest = len(alone)
    return [
        alone.index(item.key) if item.linked else rest + (2 if "." in item.key else 0 if is_money(item.key) else 1)
        for item in entries
    ]


def _fingerprint(name: str, heading: str, saved: Sequence[object]) -> str:
    """Return 16 hex digits for a saved design: what is typed on its page is kept under them in the reader's browser.

    Of what the page shows alone, file name and customer included: two customers' pages of one workbook differ, and
    no price that was left out is in it.
    """
    return hashlib.sha256(json.dumps([name, heading, saved]).encode()).hexdigest()[:16]


def _document(book: SizingBook) -> str:
    """Return project, customer, author, date and status, without blanks."""
    names = (name for name in book.cells.names if name.startswith(DOCUMENT) and name != CURRENCY_NAME)
    cells = (book.address(book.cells.names[name], name) for name in names)
    typed = (book.cells.constant(at) for at in sorted(cells))
    return ", ".join(str(value) for value in typed if value is not None)


def _design(book: SizingBook, saved: Values, entries: Sequence[Item]) -> tuple[tuple[str, str], ...]:
    """Return label and saved value of the first cells of the design."""
    first = [book.inputs[item.key] for item in entries if item.linked]
    return tuple((_label(book, saved, item), _worded(book, item)) for item in first)


def _in_percent(book: SizingBook, item: Item) -> bool:
    """Return whether an input is a share that its cell shows in percent."""
    if item.unit != SHARE or book.workbook is None:
        return item.unit == SHARE
    at = item.address
    return "%" in str(book.workbook[at.sheet].cell(at.row, at.column).number_format)


def _worded(book: SizingBook, item: Item) -> str:
    """Return a typed value for people, a share in percent."""
    value = book.held(item)
    if isinstance(value, float) and _in_percent(book, item):
        return f"{100 * value:.15g}%"
    return shown(value, item.unit) or "blank"


def _label(book: SizingBook, saved: Values, item: Item) -> str:
    """Return the label of a base input, which may be a formula."""
    label = saved.value(columns.label(book.cells, item.address))
    return label if isinstance(label, str) and label else item.label


def _ordered(book: SizingBook) -> list[Item]:
    """Return all inputs: the first cells of the design, the others, the rows of the user's own."""
    order = book.cells.sheets.index
    base = sorted(book.inputs.values(), key=lambda item: (order(item.address.sheet), item.address))
    return [*base, *book.own.values()]


def _check_apart(book: SizingBook, entries: Sequence[Item]) -> None:
    """Raise BookError for an input whose formula reads another input: on the page it would not follow."""
    typed = {item.address: item for item in entries}
    for item in entries:
        waiting, seen = [item.address], {item.address}
        while waiting:
            for read in precedents(book.cells, waiting.pop()):
                if read in typed:
                    raise BookError(
                        f"{book.path.name}: {item.label} in {item.address.a1} is a formula that reads "
                        f"{typed[read].label} in {read.a1}; expected a value, or the page would not follow. "
                        "Type it, or leave --live out."
                    )
                if read not in seen and book.cells.formula(read) is not None:
                    seen.add(read)
                    waiting.append(read)


def _kind(book: SizingBook, saved: Values, item: Item) -> Json:
    """Return the description of an input: label, unit, help and limits, without empty ones."""
    source = book.cells.constant(columns.basis(book.cells, item.beside)) if item.key in book.inputs else None
    kind: Json = {
        "label": _label(book, saved, item) if item.key in book.inputs else item.label,
        "unit": item.unit,
        "percent": _in_percent(book, item),
        "help": BEFORE_HELP.sub("", source, count=1) if isinstance(source, str) else "",
        "minimum": item.minimum,
        "maximum": item.maximum,
        "choices": list(item.choices),
        "text": item.text,
        "integer": item.integer,
        "longest": item.longest,
        "money": is_money(item.key),
    }
    return {name: value for name, value in kind.items() if value not in (None, "", []) and value is not False}


def _groups(book: SizingBook) -> list[tuple[str, list[str]]]:
    """Return the inputs other than the first cells of the design, by the headings of their sheets."""
    groups: dict[tuple[str, str], list[str]] = {}
    for item in _ordered(book):
        if item.linked or item.key not in book.inputs:
            continue
        groups.setdefault((item.address.sheet, _heading(book, item.address)), []).append(item.key)
    return [(f"{heading} ({sheet})" if heading else sheet, keys) for (sheet, heading), keys in groups.items()]


def _heading(book: SizingBook, at: Address) -> str:
    """Return the nearest label above an input in a row without an input."""
    inputs = book.inputs.values()
    filled = {item.address for item in inputs} | {item.beside for item in inputs if item.linked}
    for row in range(at.row - 1, 0, -1):
        text = book.cells.constant(columns.label(book.cells, at._replace(row=row)))
        if isinstance(text, str) and at._replace(row=row) not in filled:
            return text
    return ""


Derived = list[tuple[Scalar, Address]]
Card = tuple[list[str], Derived]


def _cards(book: SizingBook) -> Mapping[str, Card]:
    """Return for each row of the user's own its keys, and its derived figures: label and cell."""
    keys: dict[str, list[str]] = {}
    for key in book.own:
        keys.setdefault(key.rpartition(".")[0], []).append(key)
    return {
        title: (fields, _derived(book, [book.own[key].address for key in fields])) for title, fields in keys.items()
    }


def _derived(book: SizingBook, typed: Sequence[Address]) -> Derived:
    """Return the formulas beside a column of typed cells; empty for cells in a row."""
    column = typed[0].column
    below = [at for at in typed if at.column == column and at.sheet == typed[0].sheet]
    if len(below) < len(typed) / 2:
        return []
    top, bottom = min(at.row for at in below), max(at.row for at in below)
    found: Derived = []
    for row in range(top - 1, bottom + 1):
        cell = Address(typed[0].sheet, row, column + 1)
        label = book.cells.constant(columns.label(book.cells, cell))
        if book.cells.formula(cell) is not None and isinstance(label, str):
            found.append((label, cell))
    return found


def _placed(block: Block, at: Callable[[Address], int]) -> Json:
    def line(each: Line) -> Json:
        return {"label": at(each.label), "unit": each.unit, "values": [at(value) for value in each.values]}

    return {"heads": list(block.heads), "lines": [line(each) for each in block.lines]}


def _drawn(chart: Chart, at: Callable[[Address], int]) -> Json:
    series = [{"name": at(each.name), "values": [at(value) for value in each.values]} for each in chart.series]
    axes = {"title": chart.title, "unit": chart.unit, "stacked": chart.stacked, "across": list(chart.across)}
    return {**axes, "series": series}


def _formats(
    book: SizingBook, blocks: Mapping[str, Block], cards: Mapping[str, Card], charts: Sequence[Chart]
) -> dict[Address, str]:
    """Return the number formats of all cells shown on the page; empty for an open document."""
    cells = [item.address for item in book.results.values()]
    cells += [value for name in SHOWN for line in blocks[name].lines for value in line.values]
    cells += [cell for _, derived in cards.values() for _, cell in derived]
    cells += [value for chart in charts for series in chart.series for value in series.values]
    if book.workbook is None:
        return {}
    return {at: str(book.workbook[at.sheet].cell(at.row, at.column).number_format) for at in cells}


def _by_format(formats: Mapping[Address, str], at: Callable[[Address], int]) -> list[Json]:
    """Return the sections of each format, with the positions of its cells."""
    cells: dict[tuple[Section, ...], list[int]] = {}
    for address, code in formats.items():
        if found := sections(code):
            cells.setdefault(found, []).append(at(address))
    return [{"sections": found, "cells": sorted(positions)} for found, positions in cells.items()]


def _risk(book: SizingBook, program: Program, risk: Risk, *, prices_shown: bool) -> Json:
    """Return the uncertain inputs, the results to simulate, and the cells to recompute in every trial."""
    drawn = [one for one in risk.uncertain if prices_shown or not is_money(one.key)]
    kept = [n for n, one in enumerate(risk.uncertain) if one in drawn]
    zeros = [key for key in MUST_BE_ZERO if key in book.results]
    shown = [key for key in DRAWN if key in book.results]
    most = [key for key in PROVISIONED if key in book.results]
    targets = [book.results[key].address for key in (*shown, *zeros, *most)]
    money = {item.address for item in book.entries.values() if is_money(item.key)}
    fixed = {at: value for at, value in risk.fixed.items() if prices_shown or at not in money}
    factor = risk.coupling.factor if risk.coupling is not None else None
    return {
        "inputs": [{"key": one.key, **_spread(one.spread), **_classes(book, risk, one)} for one in drawn],
        "fixed": [[program.layout.of(at), value] for at, value in fixed.items()],
        "factor": None if factor is None else _unit_rows(factor[np.ix_(kept, kept)]),
        "results": shown,
        "zeros": zeros,
        "most": most,
        "used": USED if USED in book.results else REQUIRED,
        "steps": program.steps_for(program.between([one.item.address for one in drawn], targets)),
    }


def _classes(book: SizingBook, risk: Risk, one: Uncertain) -> Json:
    """Return what the spread of an input hangs on, where the design may change on the page: classes, or its ends."""
    if one.spread == method_reduction.STANDARD:  # the page stretches it between these results of the design
        return {"ends": list(method_reduction.ENDS)}
    if one.key not in risk.by_class:
        return {}
    found = demand_class.spreads(book, one.item)
    return {"classes": {name: _spread(spread)["values"] for name, spread in found.items()}}


def _unit_rows(factor: Floats) -> list[list[float]]:
    """Return the rows of a factor scaled to length 1, after inputs were left out."""
    return [[float(weight / np.linalg.norm(row)) for weight in row] for row in factor]


def _spread(spread: Spread) -> Json:
    """Return the inverse of a distribution: values at equal steps of probability, `whole` for a discrete one."""
    if spread.whole_number or spread.kind in LISTS:
        points = min(len(spread.values), POINTS) if spread.kind == "empirical" else POINTS  # each value as often
        return {"whole": True, "values": _values(spread, (np.arange(points) + 0.5) / points)}
    shares = np.linspace(0, 1, POINTS + 1)
    shares[0], shares[-1] = 1 / POINTS / 16, 1 - 1 / POINTS / 16
    return {"whole": False, "values": _values(spread, shares)}


def _values(spread: Spread, shares: Floats) -> list[float]:
    return [float(f"{value:.6g}") for value in spread.ppf(shares).values]
