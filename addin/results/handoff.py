"""Hand-off: a folder of files that an architect reads without this program, without macros and without a network.

summary.md     the answer, results, inputs with sources, checks, what the published tests do not confirm, provenance
values.xlsx    the workbook with values in place of formulas: opens anywhere, cannot recalculate
formulas.txt   every cell with its formula and value, one a line: two hand-offs can be compared as text
files.sha256   the digests of these files: what is not among them is never deleted
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from addin.kernel import Evaluator, ExcelError, Scalar, evaluate_all
from addin.results import folders
from addin.simulation.montecarlo import digest
from addin.simulation.runs import Progress
from addin.sizing.answers import headline
from addin.sizing.checks import raised
from addin.sizing.scenarios import designs
from addin.sizing.tables import Table, in_words
from addin.sizing.whatif import compare
from addin.workbook import tables
from addin.workbook.book import Item, SizingBook, shown
from addin.workbook.overlay import overlaid, values_only
from model.twin import text_twin

SUMMARY, VALUES, FORMULAS = "summary.md", "values.xlsx", "formulas.txt"
SOURCE = 3  # the column of Inputs that says where a figure comes from
MISSES = {"known miss", "DIFFERS"}


def write(book: SizingBook, progress: Progress | None = None, settings: Sequence[str] = ()) -> Path:
    """Write the folder beside the workbook, or into the user's documents when it is saved nowhere; return it.

    `settings` change inputs in what is written, which then says so; the workbook keeps its own.
    An older hand-off of the same workbook is replaced as a whole. Raises RequestError where the folder is the user's
    own, holds a file of the user's or one that was changed, or cannot be written, and the errors of the kernel.
    """
    target = folder(book)
    report_progress = progress or _silent
    if settings:
        book = replace(book, cells=book.cells.with_values(book.settings(settings)))
    text = summary(book, settings)

    def fill(made: Path) -> None:
        (made / SUMMARY).write_text(text, encoding="utf-8")
        report_progress(1, 3)
        values_only(book).save(made / VALUES)
        report_progress(2, 3)
        values = {(a.sheet, a.a1.rpartition("!")[2]): _plain(v) for a, v in evaluate_all(book.cells).items()}
        (made / FORMULAS).write_text(text_twin(overlaid(book), values), encoding="utf-8")
        report_progress(3, 3)

    folders.replace(target, (SUMMARY, VALUES, FORMULAS), fill)
    return target


def folder(book: SizingBook) -> Path:
    """Return where the hand-off of a workbook goes."""
    if book.path.is_file():
        parent = book.path.parent
    else:
        documents = Path.home() / "Documents"
        parent = documents if documents.is_dir() else Path.home()
    return parent / f"{book.path.stem} hand-off"


def summary(book: SizingBook, settings: Sequence[str] = ()) -> str:
    """Return the summary as Markdown, with the inputs that were changed for it."""
    evaluator = Evaluator(book.cells)
    answer = evaluator.value(book.find(book.results, "status", "result").address)
    blocks = [
        f"# {book.path.stem}: storage sizing hand-off",
        f"**{shown(answer)}** for {_value(evaluator, book.inputs['desktops'])} on "
        f"{_value(evaluator, book.inputs['array'])}.",
        *([f"Changed for this hand-off, not in the workbook: {'; '.join(settings)}."] if settings else []),
        "Values as they stood when this was written; `values.xlsx` holds every sheet, `formulas.txt` every formula. "
        "The workbook itself computes and audits them.",
        "## The answer",
        _markdown(_results(book, evaluator, headline(book))),
        "## Inputs of the base design",
        _markdown(_inputs(book, evaluator)),
        *(["## Rows of your own", _markdown(own)] if len(own := _own(book)) > 1 else []),
        "## Designs in the workbook",
        _table(designs(book)),
        "## The same workload on every array",
        _table(compare(book, ())),
        "## Checks",
        _markdown(_checks(book, evaluator)),
        "## Published tests that the formulas do not reproduce",
        _markdown(_misses(book, evaluator)),
        "## Every result of the base design",
        _markdown(_results(book, evaluator, tuple(book.results))),
        "## Where these figures come from",
        _markdown([("What", "Value"), ("workbook file", book.path.name), ("workbook version", book.version),
                   ("digest of the formulas", digest(book.cells))]),
    ]  # fmt: skip
    return "\n\n".join(blocks) + "\n"


Rows = list[tuple[str, ...]]


def _results(book: SizingBook, evaluator: Evaluator, keys: Sequence[str]) -> Rows:
    items = [book.results[key] for key in keys if key in book.results]
    values = [in_words(item.key, item.unit, evaluator.value(item.address)) for item in items]
    rows = [(item.label, shown(value), item.unit, item.address.a1) for item, value in zip(items, values, strict=True)]
    return [("Result", "Value", "Unit", "Cell"), *rows]


def _inputs(book: SizingBook, evaluator: Evaluator) -> Rows:
    rows: Rows = [("Input", "Value", "Unit", "Source and help", "Cell")]
    for item in sorted(book.inputs.values(), key=lambda item: item.address):
        value = evaluator.value(item.address)
        source = book.cells.constant(item.beside._replace(column=SOURCE))
        rows.append((item.label, shown(value) or "(blank)", item.unit, shown(source), item.address.a1))
    return rows


def _own(book: SizingBook) -> Rows:
    """Return what is typed into rows of the user's own."""
    rows: Rows = [("Key", "Field", "Value", "Unit", "Cell")]
    for item in book.own.values():
        value = book.cells.constant(item.address)
        if value is not None:
            rows.append((item.key, item.label, shown(value), item.unit, item.address.a1))
    return rows


def _checks(book: SizingBook, evaluator: Evaluator) -> Rows:
    """Return the checks that are raised, or one row that says that none is."""
    found = raised(book, evaluator)
    if not found:
        return [("Checks",), ("None of the checks is raised.",)]
    return [("Id", "Check", "Type", "What to do"), *((each.id, each.label, each.kind, each.todo) for each in found)]


def _misses(book: SizingBook, evaluator: Evaluator) -> Rows:
    """Return the rows of Evidence whose printed figure is missed, with the reason that is given."""
    heads = ("Id", "Paper", "Where", "What", "Printed, from", "Printed, to", "Ours", "Difference", "Unit", "Note")
    every = list(tables.rows(book, "Evidence"))
    missed = [row for row in every if "Verdict" in row and evaluator.value(row["Verdict"]) in MISSES]
    if not missed:
        return [("Published tests",), ("Every printed figure is reproduced.",)]
    return [
        heads,
        *(tuple(shown(evaluator.value(row[head])) if head in row else "" for head in heads) for row in missed),
    ]


def _value(evaluator: Evaluator, item: Item) -> str:
    value = evaluator.value(item.address)
    return shown(value, item.unit if isinstance(value, float) else "")


def _table(table: Table) -> str:
    return "\n\n".join([_markdown([table.titles, *(tuple(map(shown, row)) for row in table.worded)]), *table.notes])


def _markdown(rows: Rows) -> str:
    cells = [[text.replace("|", "\\|").replace("\n", " ") for text in row] for row in rows]
    lines = [f"| {' | '.join(row)} |" for row in cells]
    return "\n".join([lines[0], f"|{'---|' * len(rows[0])}", *lines[1:]])


def _plain(value: Scalar) -> Scalar:
    return value.value if isinstance(value, ExcelError) else value


def _silent(done: int, total: int) -> None:
    """Ignore the progress."""
