"""About: what the workbook answers, how to use it, what the colours mean, what it does not claim."""

from collections.abc import Sequence

from openpyxl.worksheet.worksheet import Worksheet

from model import canvas, styles
from model.canvas import put
from model.provenance import Provenance

NAME = "About"
_USE = (
    "1. Inputs: choose array, profile and provisioning method in column D and type the number of desktops.",
    "2. Row 2 of Inputs repeats the answer where you type; Summary shows it with charts, base design and what-ifs side by side.",
    "3. What-if columns E to K: fill only the cells that differ; a blank cell inherits the base design.",
    "4. Your own array or profile: fill a 'My array' column on Arrays or a 'My profile' block on Workloads, then choose it on Inputs.",
    "5. Sheets are protected without a password against slips; yellow cells are open.",
)
_CAVEATS = (
    "The five papers date from 2012 to 2016. Their profiles do not transfer to other years: a measurement of your own comes first.",
    "'Demonstrated' is a lower bound: beyond it the answer says 'no evidence beyond', not a confident number.",
    "A rating nobody published leaves its constraint unchecked: the answer then says 'at least'.",
    "IOPS per phase are means over the busy window unless the profile row says 'peak'. Storm timing and latency are not modelled yet.",
    "Data reduction is a range with a reason. Synthetic ratios such as 50:1 are not used for sizing.",
    "Only prices a paper prints are in the catalogue; everything else needs a quote.",
)


def write(ws: Worksheet, made: Provenance, tabs: Sequence[tuple[str, str]], exceptions: Sequence[str]) -> None:
    """Write purpose, version, use, contents, legend, caveats and changes; `tabs` are (name, purpose)."""
    canvas.head(ws, "VDI Storage Sizing", "How many arrays do these desktops need, what binds, and what does it cost? Checked against five published tests.",
                [], [30, 110], "A5")  # fmt: skip
    row = 5

    def section(title: str) -> None:
        nonlocal row
        row += 1
        put(ws, row, 1, title, "group")
        put(ws, row, 2, None, "group")
        row += 1

    def line(left: str | None, right: str, role: str = "label") -> None:
        nonlocal row
        put(ws, row, 1, left, role)
        put(ws, row, 2, right, "label")
        ws.row_dimensions[row].height = 15 * max(1, -(-len(right) // 118))
        row += 1

    put(ws, 4, 1, "Version", "heading")
    put(ws, 4, 2, f"{made.version} of {made.date:%Y-%m-%d}, model digest {made.digest}, licence MIT", "heading")
    section("How to use it")
    for text in _USE:
        line(None, text)
    section("Contents")
    for name, purpose in tabs:
        line(name, purpose)
        ws.cell(row - 1, 1).hyperlink = f"#'{name}'!A1"
    section("Legend")
    for role in styles.LEGEND:
        line(role.replace("_", " "), styles.ROLES[role][0], role)
    section("What it does not claim")
    for text in _CAVEATS:
        line(None, text)
    section("Changes in this version")
    for text in made.changes:
        line(None, text)
    section("Rules broken on purpose")
    for text in exceptions or ("None.",):
        line(None, text)
    canvas.print_setup(ws, 2, row - 1)
