"""Hand-off: what a design needs and the sizing does not decide, typed as texts; and the sized figures to monitor.

No calculation reads this sheet. The hand-off document prints its lines in the chapters that they name.
"""

from dataclasses import dataclass

from openpyxl.worksheet.worksheet import Worksheet

from model.layout import canvas, fit, styles
from model.layout.canvas import put
from model.layout.codes import HAND_OFF_NAMES
from model.layout.grid import BASE, FIRST_ROW, Block, Layout
from model.layout.line import Group
from model.layout.tab import Context, Tab
from model.reading.records import Data
from model.sheets.proof import summary

NAME = "Hand-off"
OPEN = "not part of this sizing"  # of a line that nobody has typed
NO_FIGURE = "no figure"
LONGEST = 250  # letters of a text
RISKS = 5
_LABEL, _STATE, _TEXT, _LAST = 1, 2, 3, 4
_WIDTHS = [44, 26, 70, 40]
_PURPOSE = (
    "What the sizing does not decide: type it as texts, without prices. The hand-off document prints it in its "
    "chapters; no figure depends on it."
)


@dataclass(frozen=True)
class Line:
    """A line to type: its key, its label, what to write there, and the chapter of the document that prints it."""

    key: str
    label: str
    help: str
    chapter: str


@dataclass(frozen=True)
class Threshold:
    """A figure to monitor: the line of the workbook that has it, and what to do there."""

    line: str
    label: str
    unit: str
    why: str


LINES: tuple[Line | Group, ...] = (
    Group("Connection"),
    Line("protocol", "Protocol", "Such as iSCSI, FC, NVMe/TCP, NFS, SMB; its version", "design"),
    Line("multipathing", "Multipathing", "Paths of a host, how the load is spread over them", "design"),
    Group("Volumes and protection of drives"),
    Line("volumes", "Volumes and datastores", "Size and name of each, what is on it, thin or thick", "design"),
    Line("raid", "RAID or protection scheme", "As it is set up, such as RAID-TP or RF 2", "design"),
    Line("spares", "Spare drives", "Drives or space kept for a rebuild, and how many failures they cover", "design"),
    Group("Rack and power"),
    Line("rack", "Rack", "Site, rack, rack units from and to", "design"),
    Line("power", "Power and cooling", "Feeds, plugs, W under load", "design"),
    Group("Security"),
    Line("encryption", "Encryption and its keys", "At rest and in transit; where the keys are kept", "design"),
    Line("access", "Administration", "Accounts, roles, second factor, log of changes", "design"),
    Line("zones", "Separation of networks", "VLANs, zones, export rules, firewalls", "design"),
    Group("Replication and backup"),
    Line("replication", "Replication of desktops", "Where to, how often; which volumes", "failure"),
    Line("backup", "Backup of desktops and images", "Tool, when, how long copies are kept", "failure"),
    Line("recovery", "RPO and RTO of desktops", "With units: RPO 24 h, RTO 4 h", "failure"),
    Line("container_copies", "Profile containers: replication, backup", "Where to, how often, how long", "failure"),
    Line("container_recovery", "Profile containers: RPO and RTO", "With units: RPO 1 h, RTO 1 h", "failure"),
    Group("Monitoring"),
    Line("monitoring", "Monitoring", "Tool, who gets an alert, who answers", "load"),
    Group("Rollout and rollback"),
    Line("rollout", "Rollout", "Pilot, steps with users and dates, who decides on the next one", "tests"),
    Line("rollback", "Rollback", "Until when, what is kept for it, who decides", "tests"),
)
THRESHOLDS = (
    Threshold("login_iops", "Login: load on the arrays", "IOPS", "The load sized for. Above it: size again."),
    Threshold("steady_iops", "Steady work: load on the arrays", "IOPS", "The load sized for. Above it: size again."),
    Threshold("boot_iops", "Boot: load on the arrays", "IOPS", "The load sized for. Above it: fewer starts a minute."),
    Threshold("ask_mb_s", "Throughput in the busiest phase", "MB/s", "The throughput sized for, rounded up."),
    Threshold("latency_limit_ms", "Mean latency of users' I/O", "ms", "The limit of Inputs. Above it: find the load."),
    Threshold("", "Stored on the arrays, after data reduction", "GiB", "Above it the free space kept is used up."),
    Threshold("desktops_at_limit", "Desktops provisioned", "desktops", "As many as fit; buy before that."),
    Threshold("tier_iops", "Disk of a machine", "IOPS", "What its size gives without bursts."),
    Threshold("tier_mb_s", "Disk of a machine, throughput", "MB/s", "What its size gives without bursts."),
    Threshold("share_offered_iops", "Cloud share for containers", "IOPS", "What one share gives without bursts."),
)
_ROWS = {line.key: row for row, line in enumerate(LINES, FIRST_ROW) if isinstance(line, Line)}
THRESHOLD_ROW = FIRST_ROW + len(LINES) + 2  # the row after the headings
RISK_ROW = THRESHOLD_ROW + len(THRESHOLDS) + 3
_LAST_ROW = RISK_ROW + RISKS - 1
MONITORED = ("Figure", "Act at", "Why", "Sized figure")
RISK_COLUMNS = (("risk", _LABEL), ("measure", _TEXT), ("owner", _LAST))


def typed(key: str) -> str:
    """Return the name of the cell that a line is typed into."""
    return f"{HAND_OFF_NAMES}{key}"


def lines() -> list[Line]:
    """Return the lines to type, in their order."""
    return [line for line in LINES if isinstance(line, Line)]


def blocks(_: Data) -> dict[str, Block]:
    """Return the names of the typed cells, and of the figures to monitor."""
    named = {typed(key): Block(NAME, row, row, _TEXT, _TEXT) for key, row in _ROWS.items()}
    risks = {typed(key): Block(NAME, RISK_ROW, _LAST_ROW, column, column) for key, column in RISK_COLUMNS}
    return {**named, **risks}


def write(ws: Worksheet, context: Context) -> None:
    """Write the lines to type, the figures to monitor and the risks, one below the other."""
    headings = ["What", "State", "Typed here, as a text", "What to write"]
    canvas.head(ws, "Hand-off: what the sizing does not decide", _PURPOSE, headings, _WIDTHS, "B5", (_STATE,))
    for row, line in enumerate(LINES, FIRST_ROW):
        if isinstance(line, Group):
            for column in range(1, _LAST + 1):
                put(ws, row, column, line.label if column == 1 else None, "group")
        else:
            _line(ws, row, line)
    _thresholds(ws, context.layout)
    _risks(ws)
    fit.rows(ws, _LAST_ROW)
    below = f"A{THRESHOLD_ROW - 2}:D{_LAST_ROW}"
    canvas.print_setup(ws, _LAST, THRESHOLD_ROW - 3, further=(below,))


def _line(ws: Worksheet, row: int, line: Line) -> None:
    """Write a line: its label, whether something is typed, the open cell, what to write there."""
    put(ws, row, _LABEL, line.label, "label")
    _typed(ws, row, _TEXT)
    put(ws, row, _LAST, line.help, "note")
    canvas.allow_text(ws, f"C{row}", line.label, LONGEST)


def _typed(ws: Worksheet, row: int, *columns: int) -> None:
    """Write the open cells of a row, and whether its text is typed; a number has no unit, so that it says nothing."""
    for column in columns:
        put(ws, row, column, None, "input")
    number = f'CHOOSE(1+COUNT(C{row}),"typed","a number: type its unit")'
    put(ws, row, _STATE, f'=IF(ISBLANK(C{row}),"{OPEN}",{number})', "output")
    canvas.centre(ws, row, (_STATE,))


def _thresholds(ws: Worksheet, layout: Layout) -> None:
    """Write the figures to monitor: each a link to the line that has it, and a word where it is no figure."""
    canvas.table_head(ws, THRESHOLD_ROW - 1, "Figures to monitor, from this sizing", MONITORED, (_STATE, _LAST))
    stored = f"={summary.NAME}!{summary.USABLE}"
    for row, each in enumerate(THRESHOLDS, THRESHOLD_ROW):
        put(ws, row, _LABEL, f"{each.label}, {each.unit}" if each.unit != "desktops" else each.label, "label")
        known = f'MIN(COUNTIF(D{row},">0"),1-SIGN(Chk_Master))'
        put(ws, row, _STATE, f'=IF({known}>0,D{row},"{NO_FIGURE}")', "output", each.unit)
        put(ws, row, _TEXT, each.why, "note")
        link = layout.resolve(f"={{{each.line}}}", NAME, BASE) if each.line else stored
        put(ws, row, _LAST, link, "calculation", each.unit)
        form = styles.line_format(each.line, each.unit) if each.line else styles.number_format(each.unit)
        form = "0%" if each.unit == "ratio" else form
        for column in (_STATE, _LAST):
            ws.cell(row, column).number_format = form
        canvas.centre(ws, row, (_STATE, _LAST))


def _risks(ws: Worksheet) -> None:
    """Write open cells for risks, what is done about each, and who owns it."""
    headings = ("Risk", "State", "What is done about it", "Owner")
    canvas.table_head(ws, RISK_ROW - 1, "Risks beside those that are simulated", headings, (_STATE,))
    for row in range(RISK_ROW, _LAST_ROW + 1):
        _typed(ws, row, _LABEL, _TEXT, _LAST)
    for column, label in (("A", "Risk"), ("C", "What is done about it"), ("D", "Owner")):
        canvas.allow_text(ws, f"{column}{RISK_ROW}:{column}{_LAST_ROW}", label, LONGEST)


TAB = Tab(NAME, "rows", "front", "What the sizing does not decide, for the hand-off; figures to monitor", write, blocks)
