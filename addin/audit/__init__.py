"""The workbook rules, one function each, for a fresh build and for any edited copy of it.

    openpyxl workbook -> book.Book -> rules R01 to R22, then its size -> findings, sorted by rule

A rule reads the workbook and static declarations (tabs, styles, units) and no data of the build. Sheets without a
declared tab are results of the add-in: only R18 checks them.

book      a workbook as the rules see it: roles, locks, classes of sheets, names
parsed    a formula as the rules see it: what it reads, names and calls
layout    R01, R09, R10, R12, R13: tabs, legend, master check, provenance, freeze
contents  R02, R03, R06 to R08: the contents of cells
formulas  R04, R05, R19: the wording of formulas
checks    R11: the counts of the sheet Checks
printing  R14: printing
guards    R15 to R18: names, locks, validation, nothing hidden
flow      R20: the cells that formulas may read
portable  R21: spellings that other programs compute
repeats   R22: the years of Growth
size      distinct formulas, and their limits
saved     changes by an application as it saves
stored    stored results that differ from their formulas
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from openpyxl import Workbook

from addin.audit import checks, contents, flow, formulas, guards, layout, portable, printing, repeats, saved, size
from addin.audit import stored as results
from addin.audit.book import Book, Faults, Finding, open_book
from addin.errors import AddinError
from addin.kernel import safe_functions
from addin.xlsx.stored_compared import Stored
from model.layout import styles
from model.layout.tab import Tab
from model.reading.read import DATA, load_facts
from model.workbook import TABS

__all__ = [
    "EXCEPTIONS",
    "RULES",
    "Allowed",
    "AuditError",
    "Finding",
    "Report",
    "audit",
    "audit_saved",
    "exceptions",
    "rules",
    "size_table",
]

Rule = Callable[[Book], Faults]

VALIDATED = "R17"  # what an input accepts

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
    (VALIDATED, guards.inputs_are_validated),
    ("R18", guards.nothing_is_hidden),
    ("R19", formulas.formulas_stay_simple),
    ("R20", flow.precedents_come_first),
    ("R21", portable.formulas_are_portable),
    ("R22", repeats.years_repeat_their_lines),
)
SIZE: tuple[str, Rule] = ("Size", size.stays_readable)


@dataclass(frozen=True)
class Report:
    """The audit of a file: the findings that people caused, and the changes by the application that saved it.

    `size` is its size, sheet by sheet, beside the limits: distinct calculations, links, formula cells.
    """

    findings: tuple[Finding, ...]
    application: str = ""
    rewritten: tuple[saved.Rewritten, ...] = ()
    size: str = ""

    @property
    def by_application(self) -> str:
        """The changes by the application, which affect no number, as a sentence."""
        left = ", ".join(map(str, self.rewritten)) or "nothing that a rule looks at"
        return f"Saved by {self.application}, which changed what no number depends on: {left}"


class AuditError(AddinError):
    """A workbook that breaks the rules; the text has a line for each finding."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        super().__init__("\n".join(map(str, findings)))


class Allowed(NamedTuple):
    """A rule broken on purpose: where, as a pattern such as 'Cost!D*', and why."""

    rule: str
    where: str
    reason: str


EXCEPTIONS: tuple[Allowed, ...] = ()


def rules() -> tuple[tuple[str, str], ...]:
    """Return every rule's id and its one-line description."""
    return tuple((rule, (check.__doc__ or "").splitlines()[0]) for rule, check in RULES)


def exceptions(allowed: Iterable[Allowed] = EXCEPTIONS) -> tuple[str, ...]:
    """Return the rules broken on purpose, for About."""
    return tuple(f"{a.rule}, {a.where}: {a.reason}" for a in allowed)


def audit(
    workbook: Workbook, safe: Collection[str] | None = None, allowed: Sequence[Allowed] = EXCEPTIONS
) -> tuple[Finding, ...]:
    """Check a workbook against every rule and the limits of its size; return the findings, sorted by rule.

    `workbook` is built, or loaded with formulas (not data_only); `safe` are the functions that formulas may call, by
    default those of the kernel.
    """
    return _findings(open_book(workbook, frozenset(safe_functions()) if safe is None else safe, _units()), allowed)


def audit_saved(
    workbook: Workbook,
    path: Path,
    wrong: Callable[[bool], list[Stored]] | None = None,
    tabs: Sequence[Tab] = TABS,
    outside: Iterable[tuple[str, str]] = (),
) -> Report:
    """Check a workbook against every rule, as `audit` does, and separate the changes by the application that saved it.

    `wrong(exact)` returns the stored results that differ from their formulas; `exact` compares 15 digits, for a file
    that no application computed. `tabs` are those of the release that the file is a copy of. `outside` are the typed
    cells outside their range, each a place and what is wrong.
    """
    by = saved.read(path)
    book = open_book(workbook, frozenset(safe_functions()), _units(), by.styles, tabs)
    findings, rewritten = saved.separated(book, _findings(book, EXCEPTIONS), by.application)
    findings += (Finding(where, message, VALIDATED) for where, message in outside)
    findings.sort(key=lambda each: each.rule)
    found = wrong(not by.application) if wrong else []
    findings += results.findings(found, by.application, guards.truth_values(book) if found else ())
    return Report(tuple(findings), by.application, tuple(rewritten), size.table(book))


def _findings(book: Book, allowed: Sequence[Allowed]) -> tuple[Finding, ...]:
    findings = [Finding(where, message, rule) for rule, check in (*RULES, SIZE) for where, message in check(book)]
    return tuple(f for f in findings if not any(a.rule == f.rule and fnmatchcase(f.where, a.where) for a in allowed))


def size_table(workbook: Workbook, tabs: Sequence[Tab] = TABS) -> str:
    """Return the size of a workbook, sheet by sheet, beside the limits: distinct calculations, links, formula cells."""
    return size.table(open_book(workbook, (), (), tabs=tabs))


@lru_cache(maxsize=1)
def _units() -> frozenset[str]:
    return frozenset(load_facts(DATA).units) | {styles.WORDS}
