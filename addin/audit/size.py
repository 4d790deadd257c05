"""The size of a workbook to a reader: its distinct formulas, and their limits.

People read a formula that is copied across once, so it counts once: formulas are compared in relative form (R1C1),
sheet by sheet, the header rows included. A *link* is a formula that consists of a reference to one cell, such as
=Sizing!D9; every other formula is a *calculation*, except one that cannot be read, which R19 reports. Sheets without a
declared tab (results or notes) do not count, nor do formulas that repeat those of another sheet (R22 checks them).
"""

from dataclasses import dataclass

from addin.audit.book import Book, Faults, Sheet
from addin.audit.repeats import repeated_rows
from addin.numerals import numeral

CALCULATIONS, LINKS = 1_600, 700
ON_A_SHEET = 120  # calculations and links together


@dataclass(frozen=True)
class Size:
    """The size of a sheet or of the book: distinct calculations, distinct links, formula cells."""

    calculations: int
    links: int
    cells: int

    @property
    def distinct(self) -> int:
        """The number of distinct formulas."""
        return self.calculations + self.links


def sizes(book: Book) -> dict[str, Size]:
    """Return the size of every declared sheet, in the order of the tabs."""
    return {sheet.name: _size(sheet) for sheet in book.declared}


def _size(sheet: Sheet) -> Size:
    again = repeated_rows(sheet)
    own = [cell for cell in sheet.formulas if cell.row not in again]
    links = {cell.relative for cell in own if cell.parsed.link}
    calculations = {cell.relative for cell in own if cell.parsed.readable and not cell.parsed.link}
    return Size(len(calculations), len(links), len(sheet.formulas))


def _total(parts: dict[str, Size]) -> Size:
    counts = ((part.calculations, part.links, part.cells) for part in parts.values())
    return Size(*map(sum, zip(*counts, strict=True))) if parts else Size(0, 0, 0)


def stays_readable(book: Book) -> Faults:
    """The book and every sheet hold no more distinct formulas than a reader can check."""
    parts = sizes(book)
    total = _total(parts)
    for count, most, what, remedy in (
        (total.calculations, CALCULATIONS, "distinct calculations", "Let lines share a formula, or take lines out."),
        (total.links, LINKS, "distinct links", "Show fewer figures twice, or show neighbours side by side."),
    ):
        if count > most:
            yield "workbook", f"has {numeral(count)} {what}; expected at most {numeral(most)}. {remedy}"
    for sheet in book.declared:
        count = parts[sheet.name].distinct
        if count > ON_A_SHEET:
            remedy = "Move lines to a sheet of their own, or let them share a formula."
            fault = f"has {count} distinct formulas; expected at most {ON_A_SHEET} on a sheet."
            yield sheet.address("A1"), f"{fault} {remedy}"


def table(book: Book) -> str:
    """Return the size of every sheet and of the book beside the limits, a line each."""
    parts = sizes(book)
    total = _total(parts)
    width = max(map(len, (*parts, "At most")))
    rows = [*parts.items(), ("Total", total)]
    lines = [f"{'Sheet':{width}}  {'calculations':>12}  {'links':>5}  {'cells':>6}"]
    lines += [f"{name:{width}}  {s.calculations:12,}  {s.links:5,}  {s.cells:6,}" for name, s in rows]
    lines.append(f"{'At most':{width}}  {CALCULATIONS:12,}  {LINKS:5,}")
    fullest = max(parts, key=lambda name: parts[name].distinct, default="none")
    most = parts[fullest].distinct if parts else 0
    return "\n".join([*lines, f"At most {ON_A_SHEET} calculations and links on a sheet: {fullest} has {most}"])
