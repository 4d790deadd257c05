"""What a design of a workbook was sized for, and by how much its own predictions miss, for a study held against it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from addin.errors import BookError, RequestError
from addin.kernel import Address, Scalar
from addin.measured.against import USERS, Miss, Sized
from addin.measured.windows import PHASES
from addin.numerals import number_of, numeral
from addin.results.labels import Lists
from addin.sizing import scenarios
from addin.sizing.checks import ERROR, raised
from addin.sizing.sentence import STATUS
from addin.workbook import designs, tabs
from addin.workbook.book import SizingBook, shown
from model.layout.grid import MIX

BASE = "base"
_DESKTOPS, _ARRAYS, _ACTIVE = "desktops", "arrays_required", "active_desktops"
_PROFILE, _LISTS, _SHARES, _MOST_GROUPS = "profile", Lists.SHEET, Lists.SHARES, 6
_SHEET, _MOST_ROWS, _MOST_COLUMNS = "Predictions", 1_000, 40
_ID, _SCOPE, _ROLE, _UNIT, _WHAT = "Id", "Scope", "Role", "Unit", "What"
_PRINTED, _OURS, _ERROR = "Printed, from", "Ours", "Error"
_HEADINGS = (_ID, _SCOPE, _ROLE, _UNIT, _WHAT, _PRINTED, _OURS, _ERROR)
_WORDS = {"boot": "boot", "login": "login", "steady": "steady", "log-off": "logoff", "patching": "patching"}


def sized(book: SizingBook, design: str = BASE) -> Sized:
    """Return what a design was sized for. Raises RequestError where there is no such design, or it has no answer."""
    names = scenarios.names(book)
    name, number = _chosen(names, design)
    desktops = book.find(book.inputs, _DESKTOPS, "input")
    status, arrays = (_value(book, key, number) for key in (STATUS, _ARRAYS))
    errors = not number and any(each.kind == ERROR for each in raised(book, book.computed, quick=True))
    if errors or _number(arrays) is None:
        raise RequestError(f"{book.path.name}: {name} has no answer ({shown(status)}), so nothing to measure against.")
    typed = book.computed.value(designs.typed_in(book.cells, desktops.beside, number)) if number else None
    count = _number(book.computed.value(desktops.address) if typed in (None, "") else typed)
    if not count:
        raise RequestError(f"{book.path.name}: {name} has no desktops, so nothing to measure against.")
    iops = {phase: _number(_value(book, f"{phase}_iops", number)) for phase in PHASES}
    notes = _notes(_number(_value(book, _ACTIVE, number)), count)
    return Sized(name, count, iops, tuple(misses(book)), notes, _groups(book, number))


def _groups(book: SizingBook, number: int) -> dict[str, dict[str, float | None]]:
    """Return the shares of the user groups in users, login and work, as Lists has them; none where no design has them.

    Groups are those of the workbook, whichever design has the workload User groups.
    """
    profile = book.find(book.inputs, _PROFILE, "input")
    typed = book.computed.value(designs.typed_in(book.cells, profile.beside, number)) if number else None
    if (typed or book.held(profile)) != MIX:
        return {}
    sheet = tabs.title(book.cells, _LISTS)
    rows = range(1, _MOST_ROWS)
    head = next((row for row in rows if book.cells.constant(Address(sheet, row, 1)) == _SHARES), _MOST_ROWS)
    found: dict[str, dict[str, float | None]] = {}
    for row in range(head + 1, head + 1 + _MOST_GROUPS):
        name, *shares = (book.computed.value(Address(sheet, row, column)) for column in range(1, 5))
        if isinstance(name, str) and _number(shares[0]):
            figures = dict(zip((USERS, "login", "steady"), map(_number, shares), strict=True))
            found.setdefault(name.strip().casefold(), figures)
    return found


def _notes(active: float | None, desktops: float) -> tuple[str, ...]:
    """Say what to type beside a corrected profile: its figures are per desktop, whether or not anybody is at work."""
    if active is None or math.isclose(active, desktops):
        return ()
    text = f"sized with {numeral(active, ',.0f')} of {number_of(desktops, 'desktop')} active together"
    return (f"{text}; corrected figures are per desktop of all: size a corrected profile with all of them at work",)


def _chosen(names: list[str], design: str) -> tuple[str, int]:
    """Return the name and the place of a design among those of the columns; "base" is the first."""
    places = {name.casefold(): at for at, name in reversed(list(enumerate(names)))}
    at = 0 if design.casefold() == BASE else places.get(design.strip().casefold())
    if at is None or at >= len(names):
        raise RequestError(f"--sized {design}: expected {BASE} or one of {', '.join(names[1:])}. Choose one.")
    return names[at], at


def _value(book: SizingBook, key: str, number: int) -> Scalar:
    if key not in book.results:
        return None
    at = book.results[key].address
    return book.computed.value(at._replace(column=at.column + number))


def _number(value: Scalar) -> float | None:
    """Return a figure that is known: codes of what is not are below 0."""
    known = isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
    return float(value) if known else None  # type: ignore[arg-type]


def misses(book: SizingBook) -> Iterator[Miss]:
    """Yield the predictions of IOPS from other tests, the only ones that say how a profile fits another estate.

    Raises BookError where the sheet or a heading is missing.
    """
    sheet = tabs.title(book.cells, _SHEET)
    head, columns = _headings(book, sheet)
    for row in range(head + 1, head + _MOST_ROWS):
        said = {key: book.cells.constant(Address(sheet, row, at)) for key, at in columns.items()}
        if said[_ID] in (None, ""):
            return
        if (said[_SCOPE], said[_ROLE], said[_UNIT]) != ("across", "prediction", "IOPS"):
            continue
        ours, error = (_computed(book, Address(sheet, row, columns[key])) for key in (_OURS, _ERROR))
        if ours is not None and error is not None and ours > 0 and error > -1:
            text = str(said[_WHAT]).casefold()
            phase = next((name for word, name in _WORDS.items() if word in text), "")
            yield Miss(str(said[_ID]), phase, -math.log1p(error))


def _computed(book: SizingBook, at: Address) -> float | None:
    value = book.computed.value(at)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _headings(book: SizingBook, sheet: str) -> tuple[int, dict[str, int]]:
    for row in range(1, 20):
        if book.cells.constant(Address(sheet, row, 1)) == _ID:
            break
    else:
        raise BookError(f"{book.path.name}: no sheet {_SHEET} with its headings. Take a fresh copy of the workbook.")
    found: dict[str, int] = {}
    for column in range(1, _MOST_COLUMNS):
        found.setdefault(str(book.cells.constant(Address(sheet, row, column))), column)
    for heading in _HEADINGS:
        if heading not in found:
            raise BookError(f"{book.path.name}: no column of {_SHEET} is headed {heading!r}. Restore its headings.")
    return row, {heading: found[heading] for heading in _HEADINGS}
