"""About: what the workbook answers, what feeds what, how to use it, what the colours mean, what it does not claim."""

import textwrap

from openpyxl.styles import Alignment, Protection
from openpyxl.worksheet.hyperlink import Hyperlink
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, styles
from model.layout.canvas import put
from model.layout.grid import HEAD_ROW, quoted
from model.layout.tab import Context, Tab
from model.reading.records import Data

NAME = "About"
# what feeds what: a column for each stage, from what is typed to the answer; every tab but this one has a box
MAP: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "1  Type",
        ("Answer", "Inputs", "More inputs", "My arrays", "My profiles", "User groups", "Measured", "Risk inputs"),
    ),
    ("2  Look up", ("Arrays", "All arrays", "Lists")),
    ("3  Design", ("Design",)),
    ("4  Demand, capacity", ("Capacity", "Demand", "Performance", "Containers", "Shares")),
    ("5  Size", ("Sizing",)),
    ("6  Latency, failure", ("Latency", "Storms", "Timeline")),
    ("7  Cost, years", ("Cost", "Growth", "Years", "Net cost")),
    (
        "8  Answer, proof",
        ("Outcome", "Compare", "Cost review", "Hand-off", "Summary", "Evidence", "Predictions", "Checks"),
    ),
)
_ARROW = "  \u25b6"
_WIDTHS = (26, *[20] * (len(MAP) - 1))
_LONGEST = 150  # letters of a text that run over the blank cells on its right
_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_USE = (
    ("1  Describe", "Inputs, column D: type the number of desktops; choose array, profile and provisioning method."),
    ("2  Read", "The top rows of Inputs show the answer where you type. Summary adds charts and the what-ifs."),
    ("3  Compare", "Inputs, columns E to K: fill only the cells that differ; a blank cell inherits the base design."),
    (
        "4  Use your own",
        "Fill seven cells of a card on My arrays, or a line of My profiles, then choose its name on Answer.",
    ),
    (
        "5  Trust",
        "Evidence: every printed result beside ours; below, where every figure is printed. Checks: what fails.",
    ),
    ("6  Change", "Yellow cells are unlocked. The protection only guards against slips and has no password."),
)
_CAVEATS = (
    (
        "Age of the papers",
        "2012 to 2016. Profiles do not transfer to other years: your own measurement comes first.",
    ),
    (
        "Profiles of today",
        "Published elsewhere in 2023 and 2024; Evidence does not count them. Boot reads and blocks are assumed.",
    ),
    ("'Demonstrated'", "A lower bound: beyond it the answer reads 'no evidence beyond' instead of a confident number."),
    ("'At least'", "An unpublished rating leaves its constraint unchecked; the answer then reads 'at least'."),
    ("IOPS", "Means over the busy window unless the profile is marked 'peak'. Peaks have a check of their own."),
    ("Latency", "A mean from one curve per array, fitted to few points: All arrays shows how far it is off."),
    ("Data reduction", "A range with a reason. Synthetic ratios such as 50:1 are not used for sizing."),
    ("Prices", "Only prices a paper prints are in the catalogue; everything else needs a quote."),
)


def _whatifs(data: Data) -> list[tuple[str, str]]:
    """Return the named what-ifs: what each asks, and what to type for it into a what-if column."""
    whatifs: dict[str, list[str]] = {}
    for preset in data.presets:
        item = data.input(preset.key)
        value = f"{preset.value.value:g}" if isinstance(preset.value.value, float) else preset.value.value
        whatifs.setdefault(preset.name, [preset.purpose]).append(f"Set '{item.label}' to {value}.")
    return [(name, " ".join(texts)) for name, texts in whatifs.items()]


def write(ws: Worksheet, context: Context) -> None:
    """Write purpose, version, use, contents, legend, caveats and changes."""
    made = context.made
    papers = len(context.data.facts.sources)
    purpose = (
        "How many arrays do these desktops need, what limits them, what do they cost? "
        f"Checked against {_WORDS[papers] if papers < len(_WORDS) else papers} published tests."
    )
    canvas.head(ws, "VDI Storage Sizing", purpose, [], _WIDTHS, "A5")
    row = HEAD_ROW

    def section(title: str) -> None:
        nonlocal row
        row += 2
        for column in range(1, len(_WIDTHS) + 1):
            put(ws, row - 1, column, title if column == 1 else None, "group")

    def line(left: str | None, right: str, role: str = "label") -> None:
        nonlocal row
        put(ws, row, 1, left, role)
        for part in textwrap.wrap(right, _LONGEST):
            put(ws, row, 2, part, "label")
            canvas.overflow(ws, row, 2)
            row += 1

    for column in range(2, len(_WIDTHS) + 1):
        put(ws, HEAD_ROW, column, None, "band")
    put(ws, HEAD_ROW, 1, "Version", "heading")
    put(ws, HEAD_ROW, 2, f"{made.version} of {made.date:%Y-%m-%d}, as built {made.digest}, licence MIT", "band")
    section("What feeds what: each column reads those on its left")
    _map(ws, row, {tab.name: tab.purpose for tab in context.tabs})
    row += 1 + max(len(names) for _, names in MAP)
    section("How to use it")
    for step, text in _USE:
        line(step, text)
    section("What-ifs worth a column")
    for name, text in _whatifs(context.data):
        line(name, text)
    section("Contents")
    for tab in context.tabs:
        line(tab.name, tab.purpose, "link")
        cell = ws.cell(row - 1, 1)
        cell.hyperlink = Hyperlink(ref=cell.coordinate, location=f"{quoted(tab.name)}!A1", tooltip=f"Go to {tab.name}")
    section("Legend")
    for role in styles.LEGEND:
        line(role.replace("_", " "), styles.ROLES[role][0], role)
        ws.cell(row - 1, 1).alignment = Alignment(horizontal="center", vertical="center")
        ws.cell(row - 1, 1).protection = Protection(locked=True)
    section("What it does not claim")
    for topic, text in _CAVEATS:
        line(topic, text)
    section("Changes in this version")
    for text in made.changes:
        line(None, text)
    section("Rules broken on purpose")
    for text in context.exceptions or ("None.",):
        line(None, text)
    canvas.print_setup(ws, len(_WIDTHS), row - 1)


def _map(ws: Worksheet, row: int, purposes: dict[str, str]) -> None:
    """Draw the stages in a row, with a box for each tab below; a box leads to its tab."""
    for column, (stage, names) in enumerate(MAP, 1):
        put(ws, row, column, stage + _ARROW * (column < len(MAP)), "heading")
        for at, name in enumerate(names, row + 1):
            put(ws, at, column, name, "link")
            cell = ws.cell(at, column)
            cell.border, cell.alignment = styles.BOX, canvas.CENTRED
            canvas.link(ws, cell.coordinate, name, "A1", purposes[name])
            ws.row_dimensions[at].height = 20


TAB = Tab(NAME, "front", "front", "What this workbook answers and how to use it", write)
