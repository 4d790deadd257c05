"""The document as one page of HTML: chapters by role, template, style sheet, policy. Same workbook, same bytes."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from addin.computing.kernel_engine import Once
from addin.errors import RequestError
from addin.kernel import Evaluator
from addin.results.document import design_chapters as design
from addin.results.document import load_chapters as loads
from addin.results.document import money_chapters as money
from addin.results.document import review_chapters as review
from addin.results.document import typed_lines
from addin.results.document.blocks import TO_FILL, Chapter
from addin.results.document.materials_chapter import materials
from addin.results.document.papers_chapter import papers
from addin.results.document.reading import Reading
from addin.results.document.short_chapter import short
from addin.results.document.sources import SHOWN_BY, Origins
from addin.results.document.theme import Theme
from addin.results.document.why_chapter import why
from addin.workbook.book import SizingBook
from addin.workbook.digests import both

_POLICY = "default-src 'none'; img-src data:"
PROPOSAL, COST, HANDOFF = "proposal", "cost", "handoff"
TITLES = {PROPOSAL: "Storage proposal", COST: "Storage cost review", HANDOFF: "Storage design, hand-off"}
_ALL = (
    *(
        "short",
        "answer",
        "why",
        "scope",
        "requirements",
        "design",
        "load",
        "storms",
        "failure",
        "cost",
        "alternatives",
        "risk",
    ),
    *("sources", "questions", "tests", "checks", "papers"),
)
ROLES = {
    PROPOSAL: frozenset(_ALL) - {"load", "failure", "sources", "tests"},
    COST: frozenset(
        ("short", "answer", "why", "cost", "alternatives", "risk", "sources", "questions", "checks", "papers")
    ),
    HANDOFF: frozenset(_ALL),
}


def check_role(role: str) -> None:
    """Raise RequestError for a role that no document has."""
    if role not in ROLES:
        raise RequestError(f"--role {role}: expected one of {', '.join(ROLES)}. Choose one.")


def page(
    book: SizingBook,
    original: SizingBook,
    role: str,
    prices: bool,
    theme: Theme,
    changed: str = "",
    left: Sequence[str] = (),
) -> str:
    """Return the document of a workbook as HTML.

    `book` is the workbook to describe, without prices where they are left out; `original` the one with prices, whose
    file, version and digest the document names. `changed` are the inputs changed for it, in words; `left` lists what
    was left out. Raises RequestError for an unknown role and the errors of the kernel.
    """
    check_role(role)
    reading = Reading(first_shown(book), prices)
    chapters, without = _chapters(reading, original, role, changed, left)
    title = reading.named("Doc_project") or original.path.stem
    digests = both(original.cells)
    environment = _environment()
    style = environment.get_template("design.css").render(
        main=theme.main, second=theme.second, paper=theme.paper,
        running=f"{theme.company + ': ' if theme.company else ''}{title}",
        marked=f"version {book.version}, {digests}",
    )  # fmt: skip
    digest = base64.b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode("ascii")
    return environment.get_template("design.html").render(
        policy=f"{_POLICY}; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'",
        style=Markup(style),
        title=title,
        kind=TITLES[role],
        company=theme.company,
        logo=Markup(theme.logo),
        facts=list(_facts(reading, original, digests)),
        changed=changed,
        left=left,
        chapters=chapters,
        without=", ".join(without),
        footer=f"{title}. {original.path.name}, version {book.version}, {digests}.",
    )


def _facts(reading: Reading, original: SizingBook, digests: str) -> list[tuple[str, str]]:
    named = (("Customer", "Doc_customer"), ("Author", "Doc_author"), ("Date", "Doc_date"), ("Status", "Doc_status"))
    return [
        *((label, text) for label, name in named if (text := reading.named(name))),
        ("Answer", reading.text("status")),
        ("Workbook", original.path.name),
        ("Version", f"{reading.book.version}, {digests}"),
    ]


def first_shown(book: SizingBook) -> SizingBook:
    """Return the workbook with the base design on every sheet that shows one design of several."""
    first = {
        item.address: item.choices[0]
        for key in SHOWN_BY
        if (item := book.inputs.get(key)) and item.choices and key.endswith("_case")
    }
    if all(book.cells.constant(at) == choice for at, choice in first.items()):
        return book
    cells = book.cells.with_values(first)
    return replace(book, cells=cells, engine=Once(evaluator=Evaluator(cells)))


def _chapters(
    reading: Reading, original: SizingBook, role: str, changed: str, left: Sequence[str]
) -> tuple[list[Chapter], Sequence[str]]:
    """Return the chapters of a role, and the titles of the others."""
    origins, saved = Origins(reading), Reading(original, reading.prices)
    makers: tuple[tuple[str, str, Callable[[], Chapter | None]], ...] = (
        ("short", "in short", lambda: short(reading, origins)),
        ("answer", "answer", lambda: design.answer(reading)),
        ("why", "why this design (no decision is saved in the workbook)", lambda: why(saved)),
        ("scope", "scope", lambda: design.scope(reading)),
        ("requirements", "requirements", lambda: loads.requirements(reading, origins)),
        ("design", "bill of materials", lambda: materials(reading)),
        ("load", "load by phase", lambda: loads.load(reading)),
        ("storms", "storms in time", lambda: loads.storms(reading)),
        ("failure", "after one failure", lambda: loads.failure(reading)),
        ("cost", "cost", lambda: money.cost(reading)),
        ("alternatives", "alternatives", lambda: money.alternatives(reading)),
        ("risk", "risk (the workbook holds no simulation)", lambda: typed_lines.risk(reading, saved)),
        ("sources", "inputs and sources", lambda: review.sources(reading, origins)),
        ("questions", "open questions", lambda: review.questions(reading, origins)),
        ("tests", "acceptance tests", lambda: review.tests(reading)),
        ("checks", "checks", lambda: review.checks(reading, original, changed, left)),
        ("papers", "appendix (its papers neither contradict themselves nor differ)", lambda: papers(reading, origins)),
    )
    made = [(words, make() if name in ROLES[role] else None) for name, words, make in makers]
    chapters = [typed_lines.with_typed(chapter, reading, saved) for _, chapter in made if chapter]
    return chapters, [words for words, chapter in made if chapter is None]


def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("addin.results.document", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters |= {"fill": _fill, "filled": lambda text: text != TO_FILL, "css": _css}
    return made


def _fill(text: str) -> Markup:
    """Return a text with a line to write on in place of each TO_FILL."""
    line = Markup('<span class="fill"></span>')
    return Markup("").join(part for piece in text.split(TO_FILL) for part in (escape(piece), line))[: -len(line)]


def _css(text: str) -> Markup:
    """Return a text for use between quotes in a style sheet: all but letters and digits escaped."""
    return Markup("".join(c if c.isalnum() and c.isascii() else f"\\{ord(c):x} " for c in text))
