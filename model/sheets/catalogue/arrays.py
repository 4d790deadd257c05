"""Arrays: the papers' arrays, one column each, one row per attribute; the source of every figure stands below it.

Between them stands what people type: the quote for each of these arrays, as on the cards of their own.
"""

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, styles
from model.layout.canvas import put
from model.layout.grid import BASE, FIRST_ROW, HEAD_ROW, Block, runs_of
from model.layout.line import Group
from model.layout.tab import Context, Tab
from model.reading.catalogue import ArrayField
from model.reading.records import Data
from model.sheets.catalogue import my_arrays
from model.sheets.catalogue.array_details import details
from model.sheets.catalogue.card_rows import FIRST_FIELDS, LAST_FIELDS, MORE_FIELDS, QUOTED

NAME = "Arrays"
_OF_QUOTES = ("support_included_years",)  # no paper prints it: typed with the quote, below
_QUOTE = "Your quote for one array: it enters costs, the claim above does not"


def attributes(data: Data) -> tuple[ArrayField | Group, ...]:
    """Return the attributes in their order: those that cards hold, then the rest."""
    fields = {field.key: field for field in data.fields}
    return (
        Group("Controllers and price"),
        *(fields[row.key] for row in FIRST_FIELDS if row.key not in _OF_QUOTES),
        Group("Capacity, latency, throughput"),
        *(fields[row.key] for row in (*MORE_FIELDS, *LAST_FIELDS)),
        *details(data),
    )


def rows(data: Data) -> dict[str, int]:
    """Return the row of every attribute."""
    return {each.key: at for at, each in enumerate(attributes(data), FIRST_ROW) if isinstance(each, ArrayField)}


def quote_rows(data: Data) -> dict[str, int]:
    """Return the row where each field of a quote is typed, below the attributes and a heading."""
    return {key: row for row, key in enumerate(QUOTED, FIRST_ROW + len(attributes(data)) + 1)}


def blocks(data: Data) -> dict[str, Block]:
    """Return where the names and every attribute are typed."""
    last = BASE + len(data.arrays) - 1
    ranges = {f"catalogue:{key}": Block(NAME, row, row, BASE, last) for key, row in rows(data).items()}
    quotes = {f"Own_quotes.{key}": Block(NAME, row, row, BASE, last) for key, row in quote_rows(data).items()}
    names = Block(NAME, HEAD_ROW, HEAD_ROW, BASE, last)
    return {"catalogue_names": names, "Own_quotes": names, **ranges, **quotes}


def quote_figures(data: Data) -> list[str]:
    """Return the areas where figures and dates of quotes are typed."""
    kinds = {field.key: field.kind for field in data.card_fields}
    rows = sorted(row for key, row in quote_rows(data).items() if kinds[key] in ("number", "date"))
    first, last = get_column_letter(BASE), get_column_letter(BASE + len(data.arrays) - 1)
    return [f"{first}{top}:{last}{bottom}" for top, bottom in runs_of(rows)]


def name_cell(number: int) -> str:
    """Return the address of the n-th array's name (from 0), absolute and with its sheet."""
    return f"{NAME}!${get_column_letter(BASE + number)}${HEAD_ROW}"


def write(ws: Worksheet, context: Context) -> None:
    """Write the catalogue and its sources."""
    data = context.data
    names = [array.name for array in data.arrays]
    columns = range(BASE, BASE + len(names))
    headings = ["Attribute", "Unit", "Meaning", *names]
    purpose = "What arrays of the papers and of today offer. Your own are on My arrays; All arrays joins both."
    canvas.head(ws, "Storage arrays", purpose, headings, [32, 9, 33, *[16] * len(names)], "D5", columns)
    for row, field in enumerate(attributes(data), FIRST_ROW):
        if isinstance(field, Group):
            _group(ws, row, field.label.partition(";")[0], columns)
            continue
        put(ws, row, 1, field.label, "label")
        put(ws, row, 2, styles.WORDS if field.unit == "text" else field.unit, "label")  # of a claim: dollars
        put(ws, row, 3, field.help, "note")
        for column, array in enumerate(data.arrays, BASE):
            typed = array.values.get(field.key)
            role = canvas.typed_role(typed) if typed else "fact"
            put(ws, row, column, typed.value if typed else None, role, field.unit)
        if field.kind != "number":
            canvas.centre(ws, row, columns)
    _quotes(ws, data, columns)
    last = _sources(ws, data, max(quote_rows(data).values()) + 2, columns)
    canvas.print_setup(ws, columns.stop - 1, last, titles="A:C")


def _quotes(ws: Worksheet, data: Data, columns: range) -> None:
    """Write where the quote for each array is typed."""
    fields, at = {field.key: field for field in data.card_fields}, quote_rows(data)
    _group(ws, min(at.values()) - 1, _QUOTE, columns)
    for key, row in at.items():
        field = fields[key]
        put(ws, row, 1, field.label, "label")
        canvas.put_unit(ws, row, 2, field.unit)
        put(ws, row, 3, f"user. {field.help}", "note")
        for column in columns:
            put(ws, row, column, None, "input", field.unit)
            my_arrays.accept(ws, f"{get_column_letter(column)}{row}", field)
        if field.unit == "text":
            canvas.centre(ws, row, columns)
    canvas.colour_not_numbers(ws, quote_figures(data))
    canvas.mark_past(ws, (f"{get_column_letter(column)}{at['quote_until']}" for column in columns))


def _group(ws: Worksheet, row: int, label: str, columns: range) -> None:
    for column in range(1, columns.stop):
        put(ws, row, column, label if column == 1 else None, "group")


def _sources(ws: Worksheet, data: Data, row: int, columns: range) -> int:
    """Write where each figure comes from, below the figures; return the last row."""
    _group(ws, row, "Source of each figure", columns)
    for field in attributes(data):
        if isinstance(field, Group):
            continue
        row += 1
        put(ws, row, 1, field.label, "label")
        for column, array in enumerate(data.arrays, BASE):
            typed = array.values.get(field.key)
            put(ws, row, column, typed.source if typed else "not published", "note")
    return row


TAB = Tab(NAME, "catalogue", "catalogue", "Storage arrays of the papers and of today", write, blocks)
