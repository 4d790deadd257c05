"""Why a design has no answer, and the refusal of every command that would compute with one. A book in, a line out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from addin.computing.kernel_engine import Values
from addin.errors import RequestError
from addin.kernel import Address, Scalar
from addin.sizing.answers import answer_of, unanswered
from addin.sizing.checks import ERROR, MASTER
from addin.sizing.sentence import no_answer
from addin.workbook.book import SizingBook

Inputs = Mapping[Address, Scalar]


def why_none(book: SizingBook, values: Values) -> str:
    """Return why a design has no answer: what its status asks for, else what its first error does; empty with one."""
    if asked := no_answer(book, values):
        return asked
    errors = (each.todo for each in answer_of(book, values, ())[1] if each.kind == ERROR)
    return next(errors, "").rstrip(" .")


def why_unanswered(book: SizingBook, values: Values) -> str:
    """Return why a design has no answer where an error is raised, so that no figure of it is one; else empty."""
    return why_none(book, values) if unanswered(answer_of(book, values, ())[1]) else ""


def why_raised(book: SizingBook, settings: Sequence[str]) -> str:
    """Return `why_unanswered` of the base design after some inputs are set; by the errors saved where none is set."""
    master = book.address(book.cells.names[MASTER], MASTER)
    saved = () if settings else book.stored.values([master]).values()
    return "" if 0 in saved else why_unanswered(book, book.values(book.settings(settings)))


def require_answer(book: SizingBook, values: Values) -> None:
    """Raise RequestError where a design has no answer: what is computed with it would look like one."""
    if why := why_none(book, values):
        raise refused(book, why)


def require_some_answer(
    book: SizingBook, base: Inputs, cases: Iterable[Inputs], reason: Callable[[SizingBook, Values], str] = why_none
) -> None:
    """Raise RequestError where neither a base design has an answer nor any of its alternatives, each computed anew."""
    why = reason(book, book.values(base))
    if why and all(reason(book, book.values({**base, **case})) for case in cases):
        raise refused(book, why)


def refused(book: SizingBook, why: str) -> RequestError:
    """Return the refusal of a base design without an answer."""
    return RequestError(f"{book.path.name}: the base design has no answer: {why}. Then run this again.")
