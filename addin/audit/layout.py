"""The presentation of a workbook: R01 tabs, R09 legend, R10 banner, R12 provenance, R13 freeze and columns."""

import re
from collections.abc import Sequence
from itertools import count

from addin.audit.book import HEADED, Book, Faults, Sheet
from model.layout.grid import BASE, FIRST_PUBLISHED, HEAD_ROW, quoted
from model.layout.styles import AMBER_FILL, GROUP_COLOURS, LEGEND, RED_FILL, ROLES
from model.sheets.catalogue.risk import HEADINGS

SECTIONS = ("Contents", "Legend", "What it does not claim", "Changes in this version", "Rules broken on purpose")
STATES = (("Chk_Master", "red"), ("Chk_Alerts", "amber"))
FILLS = {"red": RED_FILL, "amber": AMBER_FILL}
FREEZE = {"input": "D5", "risk": "D5", "grid": "D5", "card": "D5"}  # elsewhere row 5, any column
_VERSION = re.compile(r"(\d+\.\d+\.\d+) of \d{4}-\d{2}-\d{2}, (?:as built|model digest) ([0-9a-f]{12})")


def tabs_stand_in_order(book: Book) -> Faults:
    """Tabs are in fixed order and groups, coloured by group; result sheets may be anywhere."""
    expected = [tab.name for tab in book.tabs]
    present = [sheet.name for sheet in book.declared]
    for name in expected:
        if name not in present:
            fault = f"the tab {name} is missing; expected {len(expected)} tabs. Restore it from a fresh copy."
            yield f"{quoted(name)}!A1", fault
    in_order = [name for name in expected if name in present]
    moved = next((pair for pair in zip(present, in_order, strict=True) if pair[0] != pair[1]), None)
    if moved:
        fault = f"the tab {moved[0]} is in the place of {moved[1]}. Move the tabs back into the order of About."
        yield f"{quoted(moved[0])}!A1", fault
    for sheet in book.declared:
        colour = sheet.ws.sheet_properties.tabColor
        rgb = str(colour.rgb)[-6:] if colour is not None else "none"
        wanted = GROUP_COLOURS[sheet.tab.group] if sheet.tab else ""
        if rgb != wanted:
            yield sheet.address("A1"), f"the tab colour is {rgb}; expected {wanted} of its group. Colour the tab."


def legend_is_complete(book: Book) -> Faults:
    """The legend on About shows every style, with its role in words beside it."""
    about = book.named("About")
    shown = {cell.role: cell for cell in (about.body if about else ()) if cell.text == cell.role.replace("_", " ")}
    for role in LEGEND:
        cell = shown.get(role)
        words = about.text(cell.row, cell.column + 1) if about and cell else ""
        if words != ROLES[role][0]:
            remedy = f"expected {ROLES[role][0]!r}. Restore that line of the legend."
            yield f"About!{cell.a1 if cell else 'A1'}", f"the legend says {words!r} of the style {role}; {remedy}"


def master_check_is_in_sight(book: Book) -> Faults:
    """The banner is in the frozen header of every sheet: errors in red, alerts in amber, in words too."""
    for sheet in book.declared:
        cell = sheet.cells.get((2, 1))
        if cell is None or cell.formula != "=Chk_Banner":
            remedy = "expected =Chk_Banner, which says errors, alerts. Copy A2 of another sheet."
            yield sheet.address("A2"), f"does not show the banner; {remedy}"
        elif missing := [state for state in STATES if not _filled(sheet, *state)]:
            name, colour = missing[0]
            remedy = "expected that conditional format. Copy A2 of another sheet."
            yield sheet.address("A2"), f"does not turn {colour} when {name} is above 0; {remedy}"
        if _frozen(sheet)[1] <= 2:
            fault = "scrolls out of sight; expected rows 1 to 4 frozen. Freeze the panes below row 4."
            yield sheet.address("A2"), fault


def _filled(sheet: Sheet, name: str, colour: str) -> bool:
    """Return whether the banner has the colour of its state where a count is above 0."""
    return any(
        "A2" in area.sqref
        and f"{name}>0" in "".join(rule.formula)
        and str(rule.dxf.fill.bgColor.rgb)[-6:] == FILLS[colour]
        for area in sheet.ws.conditional_formatting
        for rule in area.rules
        if rule.dxf is not None and rule.dxf.fill is not None
    )


def _frozen(sheet: Sheet) -> tuple[int, int]:
    """Return the column and row of the first cell that scrolls."""
    at = sheet.ws.freeze_panes
    if not at:
        return 1, 1
    cell = sheet.ws[at]
    return cell.column, cell.row


def provenance_is_stated(book: Book) -> Faults:
    """About and the document properties state version, digest, purpose, contents, changes and caveats."""
    about = book.named("About")
    if about is None:
        return  # R01 says so
    stated = next((match for cell in about.body if (match := _VERSION.search(cell.text))), None)
    if stated is None:
        remedy = "expected '1.2.3 of 2026-01-31, as built ...'. Restore the line."
        yield about.address("B4"), f"states no version, date and digest; {remedy}"
    if not about.text(3, 1):
        yield about.address("A3"), "states no purpose; expected one sentence. Restore the line."
    rows = {cell.text: cell.row for cell in about.columns.get(1, ()) if cell.role == "group"}
    for section in SECTIONS:
        row = rows.get(section)
        if row is None or not any(about.text(row + 1, column) for column in (1, 2)):
            fault = f"the section {section} is missing or empty; expected at least one line. Restore it."
            yield about.address(f"A{row or HEAD_ROW}"), fault
    listed = {cell.text for cell in about.columns.get(1, ()) if cell.role != "group"}
    for tab in book.tabs:
        if tab.name not in listed:
            fault = f"Contents does not list {tab.name}; expected every tab. Add the line."
            yield about.address(f"A{rows.get('Contents', HEAD_ROW)}"), fault
    yield from _properties(book, stated)


def _properties(book: Book, stated: re.Match[str] | None) -> Faults:
    properties = book.workbook.properties
    if not properties.title or not properties.subject:
        remedy = "expected name and purpose. Fill them under File, Properties."
        yield "document properties", f"title or subject is empty; {remedy}"
    for text in stated.groups() if stated else ():
        if text not in (properties.description or ""):
            remedy = "expected version and digest as on About. Correct it."
            yield "document properties", f"the comment {properties.description!r} lacks {text}; {remedy}"


def sheets_of_a_class_agree(book: Book) -> Faults:
    """Sheets of a class freeze the same cell and mean the same by a column; every sheet freezes below row 4."""
    cases: dict[int, str] = {}
    heads: dict[int, str] = {}
    for sheet in book.declared:
        column, row = _frozen(sheet)
        wanted = FREEZE.get(sheet.kind)
        at = str(sheet.ws.freeze_panes or "nothing")
        if (wanted and at != wanted) or row not in (HEAD_ROW + 1, *range(1, HEADED)):
            remedy = f"expected {wanted or 'row 5'} as on every {sheet.kind} sheet. Freeze the panes there."
            yield sheet.address("A1"), f"freezes {at}; {remedy}"
        if sheet.kind not in FREEZE or sheet.kind == "card":  # a card is headed by names of arrays
            continue
        texts = {c.column: c.text for c in sheet.body if c.row == HEAD_ROW}
        if sheet.kind == "risk":
            yield from _declared(sheet, texts, HEADINGS)
            continue
        if sheet.kind == "input":  # behind a blank column are the limits of the inputs
            end = next(column for column in count(BASE) if not texts.get(column))
            texts = {column: text for column, text in texts.items() if column < end}
        cases = cases or {c: text for c, text in texts.items() if c >= BASE}
        if sheet.kind == "grid":
            heads = heads or {c: text for c, text in texts.items() if c < BASE}
        expected = cases | (heads if sheet.kind == "grid" else {})
        if sheet.kind == "grid" and max(texts, default=0) < FIRST_PUBLISHED:  # without the published tests
            expected = {column: text for column, text in expected.items() if column < FIRST_PUBLISHED}
        for column in sorted(expected.keys() | {c for c in texts if c >= BASE}):
            if texts.get(column, "") != expected.get(column, ""):
                remedy = "as on Inputs and the other grids. Restore the heading."
                fault = f"is headed {texts.get(column, '')!r}; expected {expected.get(column, '')!r} {remedy}"
                yield sheet.address_of(HEAD_ROW, column), fault


def _declared(sheet: Sheet, texts: dict[int, str], headings: Sequence[str]) -> Faults:
    """Compare the headings of the only sheet of its class with its declaration."""
    for column in range(1, max(len(headings), *texts, 1) + 1):
        expected = headings[column - 1] if column <= len(headings) else ""
        if texts.get(column, "") != expected:
            fault = f"is headed {texts.get(column, '')!r}; expected {expected!r}. Restore the heading."
            yield sheet.address_of(HEAD_ROW, column), fault
