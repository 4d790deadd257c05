"""Inputs and More inputs: what people type, and what few change.

Column D is the base design, E to K what-ifs (blank inherits), then the published tests.
"""

import re

from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, fit, styles
from model.layout.canvas import put, typed_role
from model.layout.grid import (
    BASE,
    BASIS,
    FIRST_PUBLISHED,
    FIRST_ROW,
    INPUT_SHEETS,
    LABEL,
    OWN_ARRAYS,
    START,
    UNIT,
    Layout,
    input_rows,
    quoted,
)
from model.layout.line import Group
from model.layout.tab import Context, Tab
from model.reading.cases import published_value
from model.reading.choices import ON_CLOUD_SHARE
from model.reading.columns import Typed
from model.reading.inputs import Input
from model.reading.records import Data
from model.sheets.catalogue import arrays, my_arrays
from model.sheets.proof import numbers
from model.sheets.sizing.design import OF_ITS_SHARE, text_lines

NAME, MORE = INPUT_SHEETS
LONGEST_TEXT = 8  # letters of a currency
LEAVES_NOTHING = ("capacity_headroom_ratio", "snapshot_reserve_ratio")  # where they add up to 1
_WIDTHS = [50, 13.5, 66, 19, *[14] * 7]
_LIMITS = ("Lowest", "Highest", "No number, count", "Outside, 1 = yes")
_PAGES = 2  # of either sheet, upright: label, unit, help, base design; Compare prints the what-ifs
_TRAVELS = "user. Blank = the profile's, else Lists"
OPEN = Typed(None, "user", "user")  # ships empty: the figure travels with the profile

# what an input needs to count at all, as a formula that is 0 where it does nothing: its row is grey then
_NO_CONTAINERS, _AWAY = '1-COUNTIF({base:container_place},"none")', 'COUNTIF({base:container_place},"another array")'
_CLOUD = f'COUNTIF({{base:container_place}},"{ON_CLOUD_SHARE}")'
_COUNTS_WITH = {
    **dict.fromkeys(("pvd_gib", "pvd_used_ratio"), "INDEX({method:pvd},{method_row})"),
    **dict.fromkeys(("disk_gib", "disk_used_ratio"), "INDEX({method:disk},{method_row})"),
    **dict.fromkeys(("write_cache_gib", "write_cache_used_ratio"), "INDEX({method:write_cache},{method_row})"),
    "identity_gib": "INDEX({method:identity},{method_row})",
    **dict.fromkeys(("images", "pvs_server_ram_gib"), "INDEX({method:image_per_pool},{method_row})"),
    **dict.fromkeys(("catalogs", "datastores"), "INDEX({method:image_per_datastore},{method_row})"),
    **dict.fromkeys(("container_array", "container_array_price"), _AWAY),
    **dict.fromkeys(
        (
            *("share_service", "share_count_least", "share_signins", "share_redundancy", "share_metadata_iops"),
            *("price_basis", "price_region", *OF_ITS_SHARE),
        ),
        _CLOUD,
    ),
    **dict.fromkeys(("disk_boot_s", "disk_signin_s", "disk_signins", "disk_vm_iops", "disk_vm_mb_s"), "1-{disks_here}"),
    "disk_price": "{disk_managed}",
    "disk_local_gib": "1-{disks_here}-{disk_managed}",
    "card_cap_ratio": "{card_in_use}",
    "write_weight": "{card_open}",
    "share_credits": f"1-{{disks_here}}+{_CLOUD}*(1-SIGN({{share_window_min}})*(1-{{share_credits_hold}}))",
    **dict.fromkeys(("container_cache_ratio", "container_cache_gib"), f"{{share_cache_ratio}}*({_NO_CONTAINERS})"),
    "measured_row": "{joint_rows}",
    **dict.fromkeys(
        ("scheduled_window_min", "scheduled_read_ratio", "scheduled_block_kib", "scheduled_active_ratio"),
        "COUNT({base:scheduled_ios},{base:scheduled_gib})",
    ),
}
_CONTAINERS = "container_"  # how the keys of the rest begin

_PURPOSE = {
    NAME: "Type in column D. A blank what-if cell inherits the base design. Locked columns are the published tests.",
    MORE: "Inputs that few designs change. Column D is the base design, as on Inputs. Every row has a default.",
}


def write(ws: Worksheet, context: Context) -> None:
    """Write the inputs of a sheet with validation, and the published columns beside the what-ifs."""
    data, layout = context.data, context.layout
    headings = ["Input", "Unit", "Source of the base value, and help", *layout.case_names, "", *_LIMITS]
    widths = [*_WIDTHS, *[17] * len(data.cases), 3, *[14] * 4]
    canvas.head(ws, ws.title, _PURPOSE[ws.title], headings, widths, "D5", layout.columns)
    canvas.answer_band(ws, layout, BASE)
    canvas.select(ws, f"{get_column_letter(BASE)}{FIRST_ROW + 1}")
    for row, item in enumerate(input_rows(data.inputs, ws.title), FIRST_ROW):
        if isinstance(item, Group):
            for column in range(1, BASE + len(layout.case_names)):
                put(ws, row, column, item.label if column == 1 else None, "group")
            continue
        _row(ws, row, item, context)
        _grey(ws, item, layout)
        if item.key in layout.start:
            _typed_elsewhere(ws, row, *layout.typed(item.key), item)
    if ws.title == NAME:
        _warn(ws, *(layout.inputs[key][1] for key in LEAVES_NOTHING))
    limits = [f"${get_column_letter(column)}" for column in numbers.limit_columns(layout)]
    canvas.colour_not_numbers(ws, numbers.on_inputs(data, layout, ws.title), limits=limits)
    canvas.print_setup(ws, BASE, layout.input_rows(ws.title)[1], upright=True, pages=_PAGES)


def _grey(ws: Worksheet, item: Input, layout: Layout) -> None:
    """Show label, unit and help in grey where the base design leaves an input without effect."""
    counts = _COUNTS_WITH.get(item.key)
    if counts is None and item.key.startswith(_CONTAINERS) and item.key != "container_place":
        counts = _NO_CONTAINERS
    if counts:
        row = layout.inputs[item.key][1]
        formula = layout.resolve(f"={counts}", ws.title, BASE).removeprefix("=")
        ws.conditional_formatting.add(
            f"A{row}:C{row}", FormulaRule(formula=[f"{_fixed(formula)}=0"], font=Font(color="9AA3AE"))
        )


def _fixed(formula: str) -> str:
    """Return a formula whose references stay in the column of the base design, for a rule on other columns."""
    return re.sub(r"(?<![$A-Z])D(\d+)", r"$D\1", formula)


def _used(row: int) -> str:
    """Return the value that a design uses of an input, for a rule that begins in column D."""
    return f"IF(ISBLANK(D${row}),$D${row},D${row})"


def _partner(item: Input, context: Context) -> tuple[str, str] | None:
    """Return value and label of the share that an input must stay below 1 with; None where there is none."""
    if item.key not in LEAVES_NOTHING:
        return None
    (other,) = (key for key in LEAVES_NOTHING if key != item.key)
    return _used(context.layout.inputs[other][1]), context.data.input(other).label.lower()


def _warn(ws: Worksheet, first: int, second: int) -> None:
    """Turn the cells of two shares red where together they leave nothing of an array."""
    used = "+".join(map(_used, (first, second)))
    fill = PatternFill("solid", bgColor=styles.RED_FILL)
    for row in (first, second):
        red = FormulaRule(formula=[f"{used}>=1"], fill=fill)  # one each: a rule has the priority of its sheet
        ws.conditional_formatting.add(f"D{row}:{get_column_letter(FIRST_PUBLISHED - 1)}{row}", red)


def _row(ws: Worksheet, row: int, item: Input, context: Context) -> None:
    data, layout = context.data, context.layout
    put(ws, row, LABEL, item.label, "label")
    if item.unit != "text":
        canvas.put_unit(ws, row, UNIT, item.unit)
    note = f"{_TRAVELS if item.travels else item.value.source}. {item.help}"
    put(ws, row, BASIS, note, "note")
    shipped = OPEN if item.travels else item.value
    put(ws, row, BASE, shipped.value, typed_role(shipped, unlocked=True), item.unit)
    if item.once:
        cell = f"{get_column_letter(BASE)}{row}"
        if item.kind == "case":
            canvas.allow_list(ws, cell, item.choices, item.label)
        else:
            canvas.allow_text(ws, cell, item.label, LONGEST_TEXT)
        canvas.centre(ws, row, (BASE,))
        return
    for column in range(BASE + 1, FIRST_PUBLISHED):
        put(ws, row, column, _whatif(item, column, layout, data), "input", item.unit)
    for column, case in enumerate(data.cases, FIRST_PUBLISHED):
        typed = published_value(data, case, item)
        put(ws, row, column, typed.value, typed_role(typed), item.unit)
    for column in range(BASE, FIRST_PUBLISHED + len(data.cases)):
        ws.cell(row, column).number_format = styles.input_format(item.key, item.unit, column >= FIRST_PUBLISHED)
    first = get_column_letter(BASE + (item.key in START))
    area = f"{first}{row}:{get_column_letter(FIRST_PUBLISHED - 1)}{row}"
    if item.kind in ("number", "date"):
        _limits(ws, row, item, layout)
    if item.kind == "choice":
        canvas.allow_list(ws, area, item.choices, item.label)
        canvas.centre(ws, row, range(BASE, FIRST_PUBLISHED + len(data.cases)))
        fit.reserve(ws, row, text_lines(item))
    elif item.kind == "time":
        canvas.allow_time(ws, area, item.minimum or 0, item.maximum or 0, item.label, item.help)
    elif item.kind == "date":
        canvas.allow_date(ws, area, item.minimum or 0, item.maximum or 0, item.label, item.help)
    else:
        share = styles.is_percent(item.key, item.unit)
        low, high = item.minimum or 0, item.maximum or 0
        canvas.allow_number(ws, area, low, high, item.label, item.whole, _partner(item, context), share, item.help)


def _limits(ws: Worksheet, row: int, item: Input, layout: Layout) -> None:
    """Write the limits of an input, and what of its row is no number or outside them."""
    for column, limit in zip(numbers.limit_columns(layout), (item.minimum, item.maximum), strict=True):
        put(ws, row, column, limit, "tolerance", item.unit)
        ws.cell(row, column).number_format = styles.input_format(item.key, item.unit)
    for column, formula in zip(numbers.count_columns(layout), numbers.counts(item, row, layout), strict=True):
        put(ws, row, column, formula, "calculation", "count")


def _whatif(item: Input, column: int, layout: Layout, data: Data) -> str | None:
    """Return the formula that a cell of a what-if ships with, None for a blank one.

    The what-ifs show each array that the base design does not have, whichever array that is; what else one of them
    ships with belongs to its array.
    """
    shipped = {a.key: str(a.value.value) for a in data.alternatives if BASE + int(a.what_if) == column}
    if item.key not in shipped:
        return None
    names = {array.name: arrays.name_cell(number) for number, array in enumerate(data.arrays)}
    names |= {name: my_arrays.name_cell(card) for card, name in enumerate(OWN_ARRAYS)}
    array, base = names[shipped["array"]], names[str(data.input("array").value.value)]
    row = layout.inputs["array"][1]
    if item.key == "array":
        array = array.replace("!$", "!")  # what-ifs as far apart as their arrays share a formula
        return f"=IF(${get_column_letter(BASE)}{row}={array},{base},{array})"
    used = f"{get_column_letter(column)}{row}={array}"
    return f'=IF({used},"{shipped[item.key]}",${get_column_letter(BASE)}{layout.inputs[item.key][1]}&"")'


def _typed_elsewhere(ws: Worksheet, row: int, sheet: str, cell: str, item: Input) -> None:
    """Show the value of an input that is typed on Answer; its what-ifs and published tests are here."""
    typed = f"{quoted(sheet)}!${cell}"
    put(ws, row, BASE, f'=IF(ISBLANK({typed}),"",{typed})', "calculation", item.unit)
    ws.cell(row, BASE).number_format = styles.input_format(item.key, item.unit)
    if item.kind == "choice":
        canvas.centre(ws, row, (BASE,))
    put(ws, row, BASIS, f"Typed on {sheet}. {item.help}", "note")


TAB = Tab(NAME, "input", "input", "Base design, what-ifs, published tests: what most designs change", write)
MORE_TAB = Tab(MORE, "input", "input", "The rest of the inputs, in the same columns", write)
