"""Colours, cell roles and number formats. A role is a named cell style; nothing else styles a value."""

from openpyxl.styles import Alignment, Border, Font, NamedStyle, PatternFill, Protection, Side

from model.errors import BuildError
from model.layout.codes import CURRENCY, CURRENCY_NAME, code_words

NAVY, BLUE, GREY, LINE = "1F3A5F", "0B4FA8", "5F6B7A", "C9D1DB"
RED_FILL, AMBER_FILL, GREEN_FILL = "F8C9C4", "FCE4B6", "D5EBD3"

GROUP_COLOURS = {
    "front": "1F3A5F",
    "input": "E0A800",
    "catalogue": "3E8E7E",
    "calculation": "7A8CA3",
    "result": "0B4FA8",
    "check": "B03A2E",
}

FONT = "Calibri"
_THIN = Side(style="thin", color=LINE)
BOX = Border(left=_THIN, right=_THIN, top=_THIN, bottom=_THIN)

_TEXT = {"horizontal": "left", "vertical": "center", "indent": 1}

# role: (words for the legend, font options, fill, border, alignment, unlocked)
ROLES: dict[str, tuple[str, dict[str, object], str | None, bool, dict[str, object], bool]] = {
    "title": ("", {"bold": True, "size": 16, "color": NAVY}, None, False, _TEXT, False),
    "master": ("", {"bold": True, "size": 11, "color": NAVY}, None, False, _TEXT, False),
    "purpose": ("", {"italic": True, "color": GREY}, None, False, _TEXT, False),
    "heading": ("", {"bold": True, "color": "FFFFFF"}, NAVY, True, {**_TEXT, "wrap_text": True}, False),
    "band": ("", {"bold": True, "color": "FFFFFF"}, NAVY, False, _TEXT, False),
    "group": ("", {"bold": True, "color": NAVY}, "DCE6F2", False, _TEXT, False),
    "label": ("", {}, None, False, {**_TEXT, "wrap_text": True}, False),
    "note": ("", {"size": 9, "color": GREY}, None, False, {**_TEXT, "wrap_text": True}, False),
    "link": ("", {"color": BLUE, "underline": "single"}, None, False, _TEXT, False),
    "input": ("input: type here", {"color": BLUE}, "FFF9DB", True, {"vertical": "center"}, True),
    "assumed_input": (
        "assumed input: nobody published it, replace it by your own figure",
        {"color": BLUE, "italic": True},
        "FCE8C8",
        True,
        {"vertical": "center"},
        True,
    ),
    "fact": (
        "fact: typed from a paper, or derived from its figures",
        {"color": "1E6B52"},
        "EDF6F1",
        True,
        {"vertical": "center"},
        False,
    ),
    "assumed": (
        "assumed: not printed by the paper",
        {"color": "8A5A00", "italic": True},
        "FDF1DF",
        True,
        {"vertical": "center"},
        False,
    ),
    "tolerance": (
        "tolerance: how far two figures may differ",
        {"color": GREY},
        "F1F3F6",
        True,
        {"vertical": "center"},
        False,
    ),
    "calculation": ("calculation", {}, None, True, {"vertical": "center"}, False),
    "headline": (
        "headline: the answer for the base design",
        {"bold": True, "size": 11, "color": NAVY},
        "D5E5F7",
        True,
        {"horizontal": "center", "vertical": "center", "wrap_text": True},
        False,
    ),
    "answer": (
        "answer: in normal operation",
        {"bold": True, "color": NAVY},
        "EAF1FB",
        True,
        {"horizontal": "right", "vertical": "center", "indent": 1},
        False,
    ),
    "answer_failed": (
        "answer: after one failure",
        {"bold": True, "color": NAVY},
        "E9F4E6",
        True,
        {"horizontal": "right", "vertical": "center", "indent": 1},
        False,
    ),
    "shown": ("shown: a result of another sheet, in words", {"color": "1F2937"}, None, False, _TEXT, False),
    "output": ("output: a result others link to", {"bold": True}, "E4EEFA", True, {"vertical": "center"}, False),
    "check": (
        "check: 0 = holds, 1 = raises",
        {"bold": True, "color": NAVY},
        "EFEFEF",
        True,
        {"vertical": "center"},
        False,
    ),
}

LEGEND = tuple(role for role, spec in ROLES.items() if spec[0])
VALUE_ROLES = frozenset(LEGEND)

# Counts never end in a bare decimal point; small capacities (an identity disk) keep their digits, large ones show none
# that their sources do not have.
FORMATS = {
    "GiB": "[<1]0.0##;[<1000]0.0;#,##0",
    "GiB/desktop": "#,##0.00",
    "GB": "#,##0",
    "B": "#,##0",
    "KiB": "#,##0.0",
    "IOPS": "#,##0",
    "IOPS/desktop": "#,##0.00",
    "IOPS/GiB": "0.0##",
    "MiB/s": "#,##0",
    "MiB/s/GiB": "0.0#####",
    "MB/s": "#,##0",
    "GB/s": "#,##0.00",
    "ratio": "0.000",
    "x:1": "0.0",
    "factor": "0.0000##",  # a rate of exchange
    "ms": "0.00",
    "min": "0.0",
    "desktops": "#,##0",
    "arrays": "#,##0",
    "count": "#,##0",
    "flag": "0",
    "date": "yyyy-mm-dd",
    "clock": "hh:mm",
    "any text": "General",
    "years": "General",  # whole ones; a half shows as it was typed
    "day": "General",
    "year": "0",
    "USD": "#,##0",
    "USD/desktop": "#,##0.00",
    "USD/user": "#,##0.00",
    "USD/GiB": "#,##0.00",
    "USD/IOPS": "#,##0.00",
    "USD/array": '#,##0," thousand"',  # a price implied by figures of two digits; no mark of thousands of one country
    "MB": "#,##0",
    "TiB": "0.00",
    "TB": "0.00",
    "s": "0.0",
    "h": "0.0",
    "us": "#,##0",
    "desktops/min": "0.0",
    "I/O": "#,##0",
    "I/O/desktop": "#,##0",
    "KB": "#,##0.0",
    "USD/GB": "#,##0.00",
    "MiB": "#,##0",
    "W": "#,##0",
    "U": "0",
    "USD/kWh": "0.000",
    "USD/h": "#,##0.00",
    "USD/year": "#,##0.00",
    "h/year": "#,##0.0",
    "text": "General",
}
_TYPED_DIGITS = 7
UNROUNDED = {"arrays": "0.000", "desktops": "#,##0.0"}
_UNROUNDED_KEYS = (
    "need_",
    "after_",
    "survive_ratio",
    "container_ratio",
    "ratio_",
    "need_y",
    "next_ratio",
    "rest_",
    "failover_serving",
    "growing_ratio",
    "desktops_per_",
    "desktops_by_capacity_exact",
)


_MULTIPLES = ("boot_work_ratio", "burst_ratio", "takeover_factor", "write_weight", "pue_ratio")
CODED = {"GiB": "#,##0.0"}  # the format of a unit where codes show as words and take both conditions
_SMALL = (
    "share_gib_price",
    "share_iops_price",
    "share_mib_price",
    "share_list_",
    "share_used_",
)  # small amounts
_MONTHLY = (
    "share_list_",
    "share_used_",
    "share_cost_",
    "share_iops_money",
    "share_mib_money",
    "share_bought_money",
)  # 0 is no price
_ABSENT = ("raw_gib", "usable_gib", "effective_gib")  # capacities of an array: 0 is what nobody published


def unit_shown(unit: str) -> str:
    """Return what stands in the place of a unit: of money a formula that shows the currency typed."""
    if unit == "text":
        return WORDS
    money, slash, per = unit.partition("/")
    return f"={CURRENCY_NAME}" + (f'&"/{per}"' if slash else "") if money == CURRENCY else unit


def in_currency(text: str) -> str:
    """Return a label that ends in the currency typed."""
    return f'="{text}, "&{CURRENCY_NAME}'


WORDS = "-"  # stands where a line of words would have its unit


STYLE_PREFIX = "VDI "  # keeps clear of the applications' own styles: Input, Note, Calculation, Output ...


def style_name(role: str) -> str:
    """Return the name of the cell style of a role."""
    return STYLE_PREFIX + role.replace("_", " ")


def role_of_style(name: str) -> str:
    """Return the role behind the name of a cell style; another application's style keeps its name."""
    role = name.removeprefix(STYLE_PREFIX).replace(" ", "_")
    return role if name.startswith(STYLE_PREFIX) and role in ROLES else name


def named_styles() -> list[NamedStyle]:
    """Return one named cell style per role."""
    styles = []
    for role, (_, font, fill, border, alignment, unlocked) in ROLES.items():
        style = NamedStyle(name=style_name(role))
        style.font = Font(**{"name": FONT, "size": 10, **font})
        if fill:
            style.fill = PatternFill("solid", fgColor=fill)
        if border:
            style.border = BOX
        style.alignment = Alignment(**alignment)
        style.protection = Protection(locked=not unlocked)
        styles.append(style)
    return styles


def number_format(unit: str) -> str:
    """Return the number format of a unit.

    Raises BuildError for a unit without one.
    """
    if unit not in FORMATS:
        raise BuildError(f"unit {unit!r} has no number format; add it to model/layout/styles.py")
    return FORMATS[unit]


def is_percent(key: str, unit: str) -> bool:
    """Say whether an input is a share, shown and typed as percent; a multiple of something else is not."""
    return unit == "ratio" and key not in _MULTIPLES and not key.endswith("_scale_ratio")


def input_format(key: str, unit: str, published: bool = False) -> str:
    """Return the number format of an input: its line's, but percent for a share.

    Raises BuildError for a unit without a format.
    """
    form = line_format(key, unit, published)
    return form.replace(FORMATS["ratio"], "0.0%") if is_percent(key, unit) else form


def line_format(key: str, unit: str, published: bool = False) -> str:
    """Return the number format of a line: like its unit's, but quotients of arrays and desktops keep decimals.

    Codes show as words: -1 what is missing, -2 none, in a published column -3 not run; those a line may hold.

    Raises BuildError for a unit without a format.
    """
    form = UNROUNDED[unit] if unit in UNROUNDED and key.startswith(_UNROUNDED_KEYS) else number_format(unit)
    if key.startswith(_SMALL) and unit == CURRENCY:
        form = "#,##0.00###"
    if key.startswith(_MONTHLY) and unit == CURRENCY:
        return f'[=0]"none";{form if key.startswith(_SMALL) and "_month" not in key else "#,##0.00"}'
    if key in _ABSENT:
        return f'[=0]"not published";{number_format("GB")}'
    words = code_words(key, unit)
    if not words:
        return form
    absent = -2 if published else -3  # a format has room for two conditions; a third makes Excel repair the file
    said = "".join(f'[={code:g}]"{word}";' for code, word in words.items() if code != absent)
    return said + CODED.get(unit, form)


def typed_format(value: object) -> str:
    """Return the format of a figure that carries its own precision: thousands separated, at most seven digits."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return "General"
    digits = len(f"{abs(value):.0f}")
    decimals = f"{value:.12f}".rstrip("0").partition(".")[2][: max(1, _TYPED_DIGITS - digits)]
    return "#,##0." + "0" * len(decimals) if decimals else "#,##0"
