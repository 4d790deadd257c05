"""The sheets Explanation and Audit: the chain of cells behind a number, and the rules that a workbook breaks."""

from __future__ import annotations

from collections.abc import Sequence

from addin.audit import Report
from addin.buttons import COMMANDS
from addin.diff import since_build
from addin.diff.compared import Difference
from addin.numerals import numeral
from addin.results.page import Page, Pairs, form
from addin.results.table_sheets import FROZEN, provenance
from addin.sizing import answers
from addin.sizing.answers import Step
from addin.workbook.book import SizingBook, shown

EXPLAINED, EXPLAINED_HEADING = COMMANDS["explain"].sheet, "Explanation: the cells behind a number"
AUDITED, AUDITED_HEADING = COMMANDS["audit"].sheet, "Audit: the workbook rules"
MOST_CHANGES = 100  # findings of a section on the sheet Audit
_INDENT = "    "


def explanation(book: SizingBook, chain: Sequence[Step]) -> Page:
    """Return the sheet Explanation: a cell, then the cells it reads, indented."""
    steps = answers.legible(chain)
    page = Page(EXPLAINED, (40.0, 44.0, 18.0, 12.0, 96.0, 60.0))
    first = steps[0]
    value = shown(first.value, first.unit)
    row = page.head(EXPLAINED_HEADING, f"{first.address.a1}  {first.label}: {value}", FROZEN)
    row = page.band(row, f"{len(steps)} cells: each is followed by the cells it reads, one step further in")
    row = page.headings(row, ("Cell", "What it is", "Value", "Unit", "Formula", "Basis or source"), words=(2, 4, 5, 6))
    for step in steps:
        page.put(row, 1, _INDENT * step.level + step.address.a1, "output" if step.level == 0 else "label")
        page.align(row, 1, "left")
        page.put(row, 2, step.label, "label")
        page.put(row, 3, step.value, "output" if step.level == 0 else "calculation", form("", step.unit, step.value))
        if isinstance(step.value, str):
            page.align(row, 3, "left", wrap=True)
        page.put(row, 4, step.unit, "label")
        page.put(row, 5, f"{step.formula or ''}{'   (its cells are above)' if step.above else ''}", "note")
        page.put(row, 6, step.basis, "note")
        row += 1
    for line in answers.cut(chain):
        page.line(row, line, "note")
        row += 1
    page.pairs(row + 1, "Where these figures come from", provenance(book))
    return page


def audit(book: SizingBook, report: Report, changed: Difference | None, looked_at: str, rules: Pairs) -> Page:
    """Return the sheet Audit: every finding, the changes by the application and by people, then the rules."""
    findings = report.findings
    page = Page(AUDITED, (30.0, 12.0, 130.0))
    answer = f"{len(findings)} findings" if len(findings) != 1 else "1 finding"
    row = page.head(AUDITED_HEADING, answer if findings else "All rules passed", looked_at)
    row = page.band(row, "Findings" if findings else "No findings")
    if findings:
        row = page.headings(row, ("Place", "Rule", "What is wrong and what to do"), words=(2, 3))
        for finding in findings:
            for column, text in enumerate((finding.where, finding.rule, finding.message), 1):
                page.put(row, column, text, "label")
            row += 1
    if report.application:
        row = page.band(row + 1, f"Saved by {report.application}, which changed what no number depends on")
        for each in report.rewritten:
            for column, text in enumerate((numeral(each.count), ", ".join(each.rules), each.what), 1):
                page.put(row, column, text, "label")
            row += 1
    row = _changes_by_people(page, row + 1, book, changed)
    row = page.pairs(row + 1, "The rules", rules)
    page.pairs(row + 1, "Where these figures come from", provenance(book))
    return page


def _changes_by_people(page: Page, row: int, book: SizingBook, changed: Difference | None) -> int:
    """Write the changes by people, the first findings of every section; return the next row."""
    if changed is None:
        page.line(row, since_build.not_compared(book), "note")
        return row + 1
    row = page.band(row, since_build.sentence(changed))
    for _, title, changes in since_build.sections(changed):
        row = page.headings(row, (title, "", "Before and now"), words=(3,))
        for change in changes[:MOST_CHANGES]:
            page.put(row, 1, change.where or change.key, "label")
            old, new = (shown(value, change.unit) or "(blank)" for value in (change.old, change.new))
            page.put(row, 3, f"{change.full_label}: {old} -> {new}", "label")
            row += 1
        if len(changes) > MOST_CHANGES:
            more = numeral(len(changes) - MOST_CHANGES)
            page.line(row, f"and {more} more: Compare with a copy lists them all", "note")
            row += 1
    return row
