"""All arrays: the papers' arrays and the user's own side by side, one column each. Every look-up reads this sheet.

A column holds one formula a block: what Arrays says, or what a card of My arrays and the lines below it say.
"""

from collections.abc import Sequence

from openpyxl.styles import Alignment
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, styles
from model.layout.canvas import put
from model.layout.grid import BASE, FIRST_ROW, HEAD_ROW, LABEL, OWN_ARRAYS, Block, Layout, quoted
from model.layout.line import Group
from model.layout.tab import Context
from model.reading.catalogue import ArrayField
from model.reading.records import Data
from model.sheets.catalogue import array_details, arrays, by_array, my_arrays
from model.sheets.catalogue.array_details import SUPPLY
from model.sheets.catalogue.card_rows import CARD_FIELDS

NAME = "All arrays"
# key, label, unit, row of the card whose derived cell it is
_OF_CARDS = (
    ("card_iops", "IOPS of the data sheet's point, the array fully busy", "IOPS", "card_iops"),
    ("card_read_ratio", "Read share of that point", "ratio", "read_ratio"),
    ("card_utilisation", "How busy the array is at that point", "ratio", "latency_ms"),
    ("latency_bound_ms", "Latency at most, up to that point", "ms", "latency_bound_ms"),
    ("card_block_kib", "Block size of that point", "KiB", "block_kib"),
    ("card_fault", "The card is started and has a fault", "flag", "card_fault"),
    ("card_started", "The card has an entry", "flag", "card_started"),
)
_TYPED = '=IF(ISBLANK({0}),"",{0})'
# key, label, unit, row of the card and of Arrays, what an array of the papers says of the cell typed there
_OF_QUOTES = (
    ("quote_price", "Quote for one array", "USD", "price", _TYPED),
    ("support_included_years", "Years of support that price includes", "years", "support_included_years", _TYPED),
    ("quote_id", "Number of the quote", "text", "quote_id", _TYPED),
    ("quote_date", "Date of the quote", "date", "quote_date", _TYPED),
    ("quote_until", "Quote valid until", "date", "quote_until", _TYPED),
    ("quote_currency", "Currency of the quote", "text", "quote_currency", _TYPED),
    ("quote_rate", "Rate of that currency", "factor", "quote_rate", _TYPED),
    ("price_net", "The quote is net", "flag", "price_basis", '=IF(EXACT({0},"net price"),1,0)'),
    ("hosts_covered", "The quote covers the hosts", "flag", "price_covers_hosts", '=COUNTIF({0},"yes")'),
)
_HEADED = ("quote_price", "price_net", "hosts_covered")  # a formula of their own, and so a heading above
# key, label, unit, formula in one column: [key] is the row of a key above
_OF_NODES = (
    "node_usable_gb",
    "Usable capacity of a node, from raw capacity",
    "GB",
    "=IF(SUM([protection_ratio])>=1,COUNT([system_share_ratio])*SUM([hci_node])*(1-SUM([system_share_ratio]))"
    "*(SUM([node_raw_gb])+SUM([raw_gb])*(1-SIGN(SUM([node_raw_gb]))))/[protection_ratio],0)",
)
_MADE = (
    (
        "own_write_weight",
        "Write weight, in the base design",
        "ratio",
        "=MAX(1,SUM([write_weight]),(1-COUNT([write_weight]))*{base:write_weight})",
    ),
    (
        "own_flash_iops",
        "Read-equivalent capacity, in the base design",
        "IOPS",
        "=IF(COUNT([card_iops])>0,SUM([card_iops])*(SUM([card_read_ratio])+(1-SUM([card_read_ratio]))*[own_write_weight]),"
        "SUM([read_equivalent_iops])*MAX(1,SUM([controllers_active])))",
    ),
    (
        "array_unrated",
        "No IOPS on the card, no rating, flash capacity or drives",
        "flag",
        "=MAX(SUM([card_fault]),1-SIGN(SUM([card_iops])+SUM([rating_provisioning_iops]:[drives])))",
    ),
    (
        "array_incomplete",
        "No capacity, or nothing that serves I/O",
        "flag",
        "=MAX([array_unrated],1-SIGN(SUM([usable_gib])+[node_usable_gb]))",
    ),
)
_ASSUMED = "array_assumed"  # a row of words below those
_CARD = "card_column"  # below those and a heading: one formula reads the details of every card by it
_FIRST_QUOTE = FIRST_ROW + len(_OF_CARDS) + 3  # below the two blocks of the cards and a heading each
_FIRST_FIELD = _FIRST_QUOTE + len(_OF_QUOTES) + len(_HEADED)


def _rows(data: Data) -> dict[str, int]:
    """Return the row of every attribute."""
    cards = {key: FIRST_ROW + 1 + n for n, (key, *_) in enumerate((*_OF_CARDS, ("",), (_CARD,))) if key}
    shift = _FIRST_FIELD - FIRST_ROW
    fields = {key: row + shift for key, row in arrays.rows(data).items()}
    first = max(fields.values()) + 2  # a row is left free between two: each is a formula of its own
    quotes, row = dict[str, int](), _FIRST_QUOTE
    for key, *_ in _OF_QUOTES:
        row += key in _HEADED
        quotes[key], row = row, row + 1
    return {
        **cards,
        **quotes,
        **fields,
        **{key: first + 2 * n for n, (key, *_) in enumerate((_OF_NODES, *_MADE, (_ASSUMED,)))},
    }


def blocks(data: Data) -> dict[str, Block]:
    """Return where the names and every attribute stand, of all arrays."""
    last = BASE + len(data.arrays) + len(OWN_ARRAYS) - 1
    ranges = {f"arrays:{key}": Block(NAME, row, row, BASE, last) for key, row in _rows(data).items()}
    first, end_ = FIRST_ROW + 1, _rows(data)[_OF_NODES[0]]
    found = {  # a look-up by its own label: lines that read an array's figures share one formula
        "arrays:figures": Block(NAME, first, end_, BASE, last),
        "arrays:headings": Block(NAME, first, end_, LABEL, LABEL),
    }
    return {"array_names": Block(NAME, HEAD_ROW, HEAD_ROW, BASE, last), **found, **ranges}


def end(data: Data) -> int:
    """Return the row below the last attribute."""
    return max(_rows(data).values()) + 1


def last_column(data: Data) -> int:
    """Return the column of the last card."""
    return column(data, len(OWN_ARRAYS) - 1)


def column(data: Data, card: int) -> int:
    """Return the column of the n-th card, from 0."""
    return BASE + len(data.arrays) + card


def write(ws: Worksheet, context: Context) -> None:
    """Write the papers' arrays, then the user's own; what stands below, and how it prints, is for `latency_points`."""
    data, layout = context.data, context.layout
    columns = range(BASE, column(data, len(OWN_ARRAYS)))
    purpose = "The papers' arrays and your own, as every look-up reads them. Type on My arrays. Below: latency points."
    headings = ["Attribute", "Unit", "Meaning", *[""] * len(columns)]
    canvas.head(ws, NAME, purpose, headings, [40, 9, 36, *[16] * len(columns)], "D5", columns)
    _heading(ws, FIRST_ROW, "The point of a data sheet", columns)
    for key, label, unit, source in _OF_CARDS:
        _line(ws, _rows(data)[key], label, unit, "My arrays; empty for the papers' arrays")
        for card in range(len(OWN_ARRAYS)):
            put(ws, _rows(data)[key], column(data, card), _derived(card, source), "calculation", unit)
    _heading(ws, _rows(data)[_CARD] - 1, "Where a card is", columns)
    _line(ws, _rows(data)[_CARD], "Column of its card on My arrays", "count", "A card has two: typed and derived")
    for card in range(len(OWN_ARRAYS)):
        first, own = (get_column_letter(column(data, each)) for each in (0, card))
        counted = f"COLUMNS(${first}${HEAD_ROW}:{own}${HEAD_ROW})"
        put(ws, _rows(data)[_CARD], column(data, card), f"={counted}+{counted}-1", "calculation", "count")
    _quotes(ws, data, columns)
    for at, field in enumerate(arrays.attributes(data), _FIRST_FIELD):
        if isinstance(field, Group):
            _heading(ws, at, field.label, columns)
        else:
            _line(ws, at, field.label, field.unit, field.help)
            _field(ws, at, field, data)
    _own(ws, data, layout, columns)
    _heading(ws, _rows(data)[_ASSUMED] - 1, "What the papers leave out", columns)
    _line(ws, _rows(data)[_ASSUMED], "Not in its paper, assumed", styles.WORDS, "Sources and ranges are on Arrays")
    for number, array in enumerate(data.arrays):
        put(ws, _rows(data)[_ASSUMED], BASE + number, by_array.words(data, array), "note")
    _right(ws, data)
    for at in columns:
        name = arrays.NAME, at, HEAD_ROW
        if at >= column(data, 0):
            name = quoted(my_arrays.NAME), my_arrays.typed_column(at - column(data, 0)), HEAD_ROW
        put(ws, HEAD_ROW, at, f"={_cell(*name)}", "output")
    canvas.centre(ws, HEAD_ROW, columns)


def _quotes(ws: Worksheet, data: Data, columns: Sequence[int]) -> None:
    """Write the quote for every array: of the papers' as it is typed on Arrays, of the user's own as its card says."""
    for key, label, unit, source, said in _OF_QUOTES:
        row = _rows(data)[key]
        if key in _HEADED:
            _heading(ws, row - 1, "The quote for one array", columns)
        _line(ws, row, label, unit, "Typed on Arrays, or on its card of My arrays")
        for at in columns:
            card = at - column(data, 0)
            typed = _cell(arrays.NAME, at, arrays.quote_rows(data)[source])
            put(ws, row, at, said.format(typed) if card < 0 else _derived(card, source), "calculation", unit)
        if unit == "text":
            canvas.centre(ws, row, columns)


def _cell(sheet: str, at: int, row: int) -> str:
    return f"{sheet}!{get_column_letter(at)}{row}"


def _heading(ws: Worksheet, row: int, label: str, columns: Sequence[int]) -> None:
    for at in range(1, columns[-1] + 1):
        put(ws, row, at, label if at == 1 else None, "group")


def _line(ws: Worksheet, row: int, label: str, unit: str, note: str) -> None:
    put(ws, row, 1, label, "label")
    canvas.put_unit(ws, row, 2, unit)
    put(ws, row, 3, note, "note")


def _derived(card: int, key: str) -> str:
    """Return the link to a derived cell of a card."""
    return f"={_cell(quoted(my_arrays.NAME), my_arrays.typed_column(card) + 1, my_arrays.rows()[key])}"


def _field(ws: Worksheet, row: int, field: ArrayField, data: Data) -> None:
    """Write one attribute of every array."""
    for at in range(BASE, column(data, 0)):
        typed = _cell(arrays.NAME, at, arrays.rows(data)[field.key])
        put(ws, row, at, f'=IF(ISBLANK({typed}),"",{typed})', "calculation", field.unit)
    for card in range(len(OWN_ARRAYS)):
        put(ws, row, column(data, card), _own_field(card, field, data), "calculation", field.unit)
    if field.kind != "number":
        canvas.centre(ws, row, range(BASE, column(data, len(OWN_ARRAYS))))


def _own_field(card: int, field: ArrayField, data: Data) -> str:
    if field.key in CARD_FIELDS:
        return _derived(card, field.key)
    row, own = array_details.rows(data)[field.key], get_column_letter(column(data, card))
    first, last = (get_column_letter(my_arrays.typed_column(each)) for each in (0, len(OWN_ARRAYS) - 1))
    typed = f"INDEX({quoted(my_arrays.NAME)}!${first}{row}:${last}{row},1,{own}${_rows(data)[_CARD]})"
    if not field.key.startswith(SUPPLY):
        return f'=IF(ISBLANK({typed}),"",{typed})'
    iops = f"{own}${_rows(data)['card_iops']}"
    return f'=IF(OR(ISBLANK({typed}),COUNT({iops})>0),"",{typed})'


def _right(ws: Worksheet, data: Data) -> None:
    """Put what the cards say on the right, words and figures alike."""
    for row in _rows(data).values():
        if ws.cell(row, 2).value != styles.WORDS:
            for card in range(len(OWN_ARRAYS)):
                ws.cell(row, column(data, card)).alignment = Alignment(horizontal="right", vertical="center")


def _own(ws: Worksheet, data: Data, layout: Layout, columns: range) -> None:
    """Write what follows for nodes, and for the user's own arrays."""
    at = _rows(data)
    own_alone = columns[len(data.arrays) :]
    for key, label, unit, template in (_OF_NODES, *_MADE):
        nodes = key == _OF_NODES[0]
        _heading(ws, at[key] - 1, f"What follows for {'nodes' if nodes else 'your own arrays'}", columns)
        note = "Raw x (1 - system share) / protection, of a node alone" if nodes else "Empty for the papers' arrays"
        _line(ws, at[key], label, unit, note)
        for own in columns if nodes else own_alone:
            text = template
            for other, row in at.items():
                text = text.replace(f"[{other}]", f"{get_column_letter(own)}{row}")
            put(ws, at[key], own, layout.resolve(text, NAME, own), "calculation", unit)
