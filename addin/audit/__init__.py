"""The workbook rules, one function each, for a fresh build and for any edited copy of it.

    openpyxl workbook -> book.Book -> rules R01 to R20 -> findings, sorted by rule

A rule reads the workbook and static declarations (tabs, styles, units) and nothing the builder knew. Sheets without a
declared tab are results of the add-in: only R18 looks at them.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import NamedTuple

from openpyxl import Workbook

from addin.audit import checks, contents, flow, formulas, guards, layout, printing
from addin.audit.book import Book, open_book
from model.errors import Complaint
from model.layout.tab import Tab
from model.reading.read import DATA, load_facts
from model.workbook import TABS

__all__ = ["EXCEPTIONS", "RULES", "Allowed", "Finding", "audit", "exceptions", "rules"]

Rule = Callable[[Book], Iterator[tuple[str, str]]]

RULES: tuple[tuple[str, Rule], ...] = (
    ("R01", layout.tabs_stand_in_order),
    ("R02", contents.no_formulas_where_people_type),
    ("R03", contents.no_typed_numbers_between_formulas),
    ("R04", formulas.one_formula_per_line),
    ("R05", formulas.no_numbers_in_formulas),
    ("R06", contents.every_line_has_a_unit),
    ("R07", contents.every_input_names_its_source),
    ("R08", contents.style_says_the_role),
    ("R09", layout.legend_is_complete),
    ("R10", layout.master_check_is_in_sight),
    ("R11", checks.checks_count),
    ("R12", layout.provenance_is_stated),
    ("R13", layout.sheets_of_a_class_agree),
    ("R14", printing.sheets_print_as_they_are),
    ("R15", guards.names_are_the_interface),
    ("R16", guards.only_inputs_are_open),
    ("R17", guards.inputs_are_validated),
    ("R18", guards.nothing_is_hidden),
    ("R19", formulas.formulas_stay_simple),
    ("R20", flow.precedents_come_first),
)


@dataclass(frozen=True)
class Finding(Complaint):
    """A broken rule: `place` is Sheet!A1, a name or the workbook."""

    rule: str

    def __str__(self) -> str:
        return f"{self.rule} {self.place}: {self.message}"


class Allowed(NamedTuple):
    """A rule broken on purpose: the places, as a pattern such as 'Cost!D*', and why."""

    rule: str
    places: str
    reason: str


EXCEPTIONS: tuple[Allowed, ...] = ()


def rules() -> tuple[tuple[str, str], ...]:
    """Return every rule's id and its one-line description."""
    return tuple((rule, (check.__doc__ or "").splitlines()[0]) for rule, check in RULES)


def exceptions(allowed: Iterable[Allowed] = EXCEPTIONS) -> tuple[str, ...]:
    """Return the rules broken on purpose, as About prints them."""
    return tuple(f"{a.rule}, {a.places}: {a.reason}" for a in allowed)


def audit(
    workbook: Workbook,
    safe: Collection[str],
    tabs: Sequence[Tab] = TABS,
    units: Collection[str] | None = None,
    allowed: Sequence[Allowed] = EXCEPTIONS,
) -> tuple[Finding, ...]:
    """Hold a workbook against every rule and return the findings, sorted by rule.

    `workbook` is built, or loaded with formulas (not data_only); `safe` holds the functions formulas may call; `units`
    defaults to the unit list of the data files.
    """
    book = open_book(workbook, safe, tabs, _units() if units is None else units)
    found = [Finding(place, message, rule) for rule, check in RULES for place, message in check(book)]
    return tuple(f for f in found if not any(a.rule == f.rule and fnmatchcase(f.place, a.places) for a in allowed))


@lru_cache(maxsize=1)
def _units() -> frozenset[str]:
    return frozenset(load_facts(DATA).units)
