"""One module owns the colours, the cell roles and the number formats. A role is a named cell style; nothing else dresses a value."""

from openpyxl.styles import Alignment, Border, Font, NamedStyle, PatternFill, Protection, Side

from model.errors import BuildError

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
_BOX = Border(left=_THIN, right=_THIN, top=_THIN, bottom=_THIN)

# role: (words for the legend, font options, fill, border, alignment, unlocked)
ROLES: dict[str, tuple[str, dict[str, object], str | None, bool, dict[str, object], bool]] = {
    "title": ("", {"bold": True, "size": 16, "color": NAVY}, None, False, {"vertical": "center"}, False),
    "master": ("", {"bold": True, "size": 11, "color": NAVY}, None, False, {"vertical": "center"}, False),
    "purpose": ("", {"italic": True, "color": GREY}, None, False, {"vertical": "center"}, False),
    "heading": ("", {"bold": True, "color": "FFFFFF"}, NAVY, True, {"wrap_text": True, "vertical": "center"}, False),
    "group": ("", {"bold": True, "color": NAVY}, "DCE6F2", False, {"vertical": "center"}, False),
    "label": ("", {}, None, False, {"wrap_text": True, "vertical": "center"}, False),
    "note": ("", {"size": 9, "color": GREY}, None, False, {"wrap_text": True, "vertical": "center"}, False),
    "input": ("input: type here", {"color": BLUE}, "FFF9DB", True, {"vertical": "center"}, True),
    "assumed_input": (
        "assumed input: nobody published it, replace it by your own figure",
        {"color": BLUE, "italic": True},
        "FCE8C8",
        True,
        {"vertical": "center"},
        True,
    ),
    "fact": ("fact: typed from a paper, or derived from its figures", {"color": "1E6B52"}, "EDF6F1", True, {"vertical": "center"}, False),
    "assumed": (
        "assumed: not printed by the paper",
        {"color": "8A5A00", "italic": True},
        "FDF1DF",
        True,
        {"vertical": "center"},
        False,
    ),
    "tolerance": ("tolerance: how far two figures may differ", {"color": GREY}, "F1F3F6", True, {"vertical": "center"}, False),
    "calculation": ("calculation", {}, None, True, {"vertical": "center"}, False),
    "output": ("output: a result others link to", {"bold": True}, "E4EEFA", True, {"vertical": "center"}, False),
    "check": ("check: 0 = holds, 1 = raises", {"bold": True, "color": NAVY}, "EFEFEF", True, {"vertical": "center"}, False),
}

LEGEND = tuple(role for role, spec in ROLES.items() if spec[0])
VALUE_ROLES = frozenset(LEGEND)

FORMATS = {
    "GiB": "#,##0.0##",
    "GiB/desktop": "#,##0.00",
    "GB": "#,##0",
    "B": "#,##0",
    "KiB": "#,##0.0",
    "IOPS": "#,##0",
    "IOPS/desktop": "#,##0.00",
    "MB/s": "#,##0",
    "GB/s": "#,##0.00",
    "ratio": "0.000",
    "x:1": "0.0",
    "ms": "0.00",
    "min": "0.0",
    "desktops": "#,##0.0##",
    "arrays": "0.00",
    "count": "#,##0.##",
    "flag": "0",
    "years": "0.#",
    "USD": "#,##0",
    "USD/desktop": "#,##0.00",
    "USD/GiB": "#,##0.00",
    "USD/IOPS": "#,##0.00",
    "text": "General",
}


def named_styles() -> list[NamedStyle]:
    """Return one named cell style per role."""
    styles = []
    for role, (_, font, fill, border, alignment, unlocked) in ROLES.items():
        style = NamedStyle(name=role)
        style.font = Font(**{"name": FONT, "size": 10, **font})  # type: ignore[arg-type]  # keyword table
        if fill:
            style.fill = PatternFill("solid", fgColor=fill)
        if border:
            style.border = _BOX
        style.alignment = Alignment(**alignment)  # type: ignore[arg-type]  # keyword table
        style.protection = Protection(locked=not unlocked)
        styles.append(style)
    return styles


def number_format(unit: str) -> str:
    """Return the number format of a unit.

    Raises BuildError for a unit without one.
    """
    if unit not in FORMATS:
        raise BuildError(f"unit {unit!r} has no number format; add it to model/styles.py")
    return FORMATS[unit]
