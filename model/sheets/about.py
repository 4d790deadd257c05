"""About: what the workbook answers, how to use it, what the colours mean, what it does not claim."""

from openpyxl.styles import Alignment, Protection
from openpyxl.worksheet.hyperlink import Hyperlink
from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, styles
from model.layout.canvas import put
from model.layout.grid import HEAD_ROW, quoted
from model.layout.tab import Context, Tab
from model.reading.records import Data

NAME = "About"
_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_USE = (
    ("1  Describe", "Inputs, column D: type the number of desktops; choose array, profile and provisioning method."),
    ("2  Read", "The top rows of Inputs show the answer where you type. Summary adds charts and the what-ifs."),
    ("3  Compare", "Inputs, columns E to K: fill only the cells that differ; a blank cell inherits the base design."),
    (
        "4  Use your own",
        "Fill seven cells of a card on My arrays, or a line of My profiles, then choose its name on Answer.",
    ),
    ("5  Trust", "Evidence: every printed result beside ours. Checks: what fails. Sources: where each figure stands."),
    ("6  Change", "Yellow cells are open. Sheets are protected against slips only, without a password."),
)
_CAVEATS = (
    ("Age of the papers", "2012 to 2016. Profiles do not transfer to other years: your own measurement comes first."),
    (
        "Profiles of today",
        "Published elsewhere, of 2023 and 2024: no evidence counts them. Boot reads and blocks are assumed.",
    ),
    ("'Demonstrated'", "A lower bound: beyond it the answer says 'no evidence beyond', not a confident number."),
    ("'At least'", "A rating nobody published leaves its constraint unchecked; the answer then says so."),
    ("IOPS", "Means over the busy window unless the profile says 'peak'. Peaks are a check of their own."),
    ("Latency", "A mean from one curve per array, through few points: see Latency points for what it misses."),
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
        "How many arrays do these desktops need, what binds, what does it cost? "
        f"Checked against {_WORDS[papers] if papers < len(_WORDS) else papers} published tests."
    )
    canvas.head(ws, "VDI Storage Sizing", purpose, [], [26, 140], "A5")
    row = HEAD_ROW

    def section(title: str) -> None:
        nonlocal row
        row += 2
        put(ws, row - 1, 1, title, "group")
        put(ws, row - 1, 2, None, "group")

    def line(left: str | None, right: str, role: str = "label") -> None:
        nonlocal row
        put(ws, row, 1, left, role)
        put(ws, row, 2, right, "label")
        row += 1

    put(ws, HEAD_ROW, 1, "Version", "heading")
    put(ws, HEAD_ROW, 2, f"{made.version} of {made.date:%Y-%m-%d}, model digest {made.digest}, licence MIT", "heading")
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
    canvas.print_setup(ws, 2, row - 1)


TAB = Tab(NAME, "front", "front", "What this workbook answers and how to use it", write)
