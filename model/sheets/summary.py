"""Summary: the answer on one page, base design and what-ifs side by side, with charts; and the figures the checks look at."""

from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model import canvas
from model.canvas import put
from model.grid import BASE, FIRST_PUBLISHED, FIRST_ROW, OWN_ARRAYS, OWN_PROFILES, WHATIFS, Layout
from model.read import Data
from model.sheets.workloads import NAME as WORKLOADS

NAME = "Summary"
ROWS = (
    # key, label, unit
    ("array", "Storage array", "text"),
    ("profile", "Workload profile", "text"),
    ("provisioning", "Provisioning method", "text"),
    ("provisioned_desktops", "Desktops provisioned", "desktops"),
    ("arrays_required", "Arrays required", "arrays"),
    ("binding_constraint", "Binding constraint", "text"),
    ("next_constraint", "Next constraint", "text"),
    ("constraints_unchecked", "Constraints unchecked", "text"),
    ("capacity_required_gib", "Capacity required", "GiB"),
    ("boot_iops", "Boot", "IOPS"),
    ("login_iops", "Login", "IOPS"),
    ("steady_iops", "Steady work", "IOPS"),
    ("peak_phase_utilisation", "Highest utilisation", "ratio"),
    ("cost_total", "Total cost", "USD"),
    ("cost_per_desktop", "Cost per desktop", "USD/desktop"),
    ("status", "Answer", "text"),
)
CHART_ROW = FIRST_ROW + len(ROWS) + 2
FIGURES_ROW = CHART_ROW + 44


def figure(key: str) -> tuple[str, str]:
    """Return the cell of a figure that the checks read."""
    return NAME, f"D{FIGURES_ROW + 1 + _FIGURES.index(key)}"


_FIGURES = (
    "choices_found",
    "required_entered",
    "whatifs_entered",
    "supply_against_tests",
    *(f"array_{n}_unusable" for n in range(1, len(OWN_ARRAYS) + 1)),
    *(f"profile_{n}_unusable" for n in range(1, len(OWN_PROFILES) + 1)),
)


def write(ws: Worksheet, data: Data, layout: Layout) -> None:
    """Write the comparison table, leave room for the charts, then the figures behind the checks."""
    headings = ["Result", "Unit", "From sheet", *layout.case_names[: 1 + WHATIFS]]
    canvas.head(ws, "Summary", "The answer for the base design and the seven what-ifs", headings, [30, 11, 13, 25, *[17] * 7], "D5")
    for row, (key, label, unit) in enumerate(ROWS, FIRST_ROW):
        put(ws, row, 1, label, "label")
        put(ws, row, 2, unit, "label")
        put(ws, row, 3, layout.cell(key)[0], "note")
        for column, case in enumerate(layout.case_names[: 1 + WHATIFS], BASE):
            sheet, cell = layout.cell(key, case)
            put(ws, row, column, f"={sheet}!{cell}", "output", unit)
            if unit == "text":
                canvas.wrap(ws.cell(row, column))
            if key in ("arrays_required",):
                ws.cell(row, column).number_format = "0"
        if unit == "text":
            ws.row_dimensions[row].height = {"status": 66, "constraints_unchecked": 54}.get(key, 40)
    _figures(ws, data, layout)
    canvas.print_setup(ws, BASE + WHATIFS, FIGURES_ROW + len(_FIGURES))


def _figures(ws: Worksheet, data: Data, layout: Layout) -> None:
    put(ws, FIGURES_ROW, 1, "Figures the checks read", "group")
    for column in range(2, BASE + WHATIFS + 1):
        put(ws, FIGURES_ROW, column, None, "group")
    last = get_column_letter(FIRST_PUBLISHED - 1)
    first_published, last_published = get_column_letter(FIRST_PUBLISHED), get_column_letter(layout.columns.stop - 1)
    rows = layout.lines
    found = f"Design!D{rows['array_row'][1]}:{last}{rows['cache_row'][1]}"
    first_input, last_input = min(layout.inputs.values()), max(layout.inputs.values())
    optional = ",".join(f"Inputs!D{layout.inputs[i.key]}" for i in data.inputs if i.optional and not i.group.startswith("Phase"))
    first_override = min(layout.inputs[i.key] for i in data.inputs if i.group.startswith("Phase"))
    margin = rows["demonstrated_margin"][1]
    formulas = {
        "choices_found": ("Choices found in the catalogues", f"=COUNT({found})"),
        "required_entered": (
            "Required inputs of the base design entered",
            f"=COUNTA(Inputs!D{first_input}:D{first_override - 1})-COUNTA({optional})",
        ),
        "whatifs_entered": ("What-if cells in use", f"=COUNTA(Inputs!E{first_input}:{last}{last_input})"),
        "supply_against_tests": (
            "Least supply over what a test demonstrated",
            f"=MIN(Performance!{first_published}{margin}:{last_published}{margin})",
        ),
    }
    first_array = BASE + len(data.arrays)
    for n, name in enumerate(OWN_ARRAYS, 1):
        letter = get_column_letter(first_array + n - 1)
        formulas[f"array_{n}_unusable"] = (f"{name}: started, but without a supply figure", _array_formula(layout, letter))
    per = len(data.phases)
    for n, name in enumerate(OWN_PROFILES, 1):
        start = FIRST_ROW + per * (len(data.profile_names()) + n - 1)
        area = f"{WORKLOADS}!$D{start}:$D{start + per - 1}"
        text = f"=SIGN(COUNTA({WORKLOADS}!$D{start}:$G{start + per - 1}))*(1-SIGN(SUM({area})))"
        formulas[f"profile_{n}_unusable"] = (f"{name}: started, but without IOPS", text)
    for row, key in enumerate(_FIGURES, FIGURES_ROW + 1):
        label, formula = formulas[key]
        put(ws, row, 1, label, "label")
        put(ws, row, 2, "count", "label")
        put(ws, row, BASE, formula, "output")
        ws.cell(row, BASE).number_format = "0.00" if key == "supply_against_tests" else "0"


def _array_formula(layout: Layout, letter: str) -> str:
    """Return 1 when a column of the user's own arrays holds something but no rating, flash capacity or drives."""
    first = min(b.first_row for k, b in layout.blocks.items() if k.startswith("arrays:"))
    last = max(b.last_row for k, b in layout.blocks.items() if k.startswith("arrays:"))
    supply = [layout.blocks[f"arrays:{key}"].first_row for key in ("rating_provisioning_iops", "drives")]
    return f"=SIGN(COUNTA(Arrays!{letter}{first}:{letter}{last}))*(1-SIGN(SUM(Arrays!{letter}{supply[0]}:{letter}{supply[1]})))"
