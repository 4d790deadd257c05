"""Checks: each reads one cell and holds it between two bounds. Only errors make the master check fail."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import PatternFill
from openpyxl.utils.cell import absolute_coordinate
from openpyxl.worksheet.worksheet import Worksheet

from model.errors import BuildError
from model.layout import canvas, styles
from model.layout.canvas import put
from model.layout.grid import FIRST_ROW, OWN_ARRAYS, WHATIFS, Block, Layout, quoted, repeated
from model.layout.tab import Context, Tab
from model.reading.records import Data
from model.sheets import blocks, catalogue_lines, evidence, own_rows, summary, timeline

NAME = "Checks"
LOW, HIGH, FOUND, HELD, RAISED, ACTION, SHORT = range(4, 11)  # columns
TALLY = 12  # column of the tally's labels, its counts beside them
KINDS = ("error", "alert", "sensitivity")
_HEADS = [
    *("Id", "Check", "Type", "At least", "At most", "Found", "Held", "Raised", "What to do", "In short"),
    *(None, "Checks of type", "Number raised"),
]


def _blocks(_: Data) -> dict[str, Block]:
    cells = ((key, FIRST_ROW + row) for row, key in enumerate(("errors_raised", "alerts_raised")))
    return {key: Block(NAME, row, row, TALLY + 1, TALLY + 1) for key, row in cells}


@dataclass(frozen=True)
class Check:
    """A cell that must lie between two bounds, both included, and what to do when it does not.

    `short` says what is wrong in a few words, for the banner; every alert has one.
    """

    kind: str
    label: str
    reads: tuple[str, str]
    bounds: tuple[float, float]
    todo: str
    short: str = ""


_NONE, _ONE, _ALIKE, _SHARES = (0, 0), (1, 1), (0.999999, 1.000001), (0.995, 1.005)
_MANY = 1e9


def _errors(
    data: Data, layout: Layout, figure: Callable[[str], tuple[str, str]], line: Callable[[str], tuple[str, str]]
) -> Iterator[Check]:
    """Yield what fails the master check: choices and inputs, evidence, and sums that must come out alike."""
    starting = sum(not data.input(key).optional for key in layout.start)
    required, choices = (
        sum(not i.optional for i in data.inputs),
        len(catalogue_lines.CATALOGUE_ROWS) * (1 + WHATIFS) + 1,
    )
    sizing, demand = "A formula on Sizing has changed", "A formula on Timeline or Demand has changed"
    yield from (
        Check("error", "Every choice stands in its catalogue", figure("choices_found"), (choices, choices),
            "Choose from the lists on Inputs: arrays, profile, method, hypervisor, encryption, cache, design drawn"),
        Check("error", "The profile chosen holds figures", line("profile_empty"), _NONE,
            "Type I/Os of a login, IOPS at work, read share and block size on My profiles"),
        Check("error", "Every required input of the base design is filled",
            figure("required_entered"), (required, required), "Fill the blank cells of column D on Inputs"),
        Check("error", "Every required cell of Answer is filled",
            figure("start_entered"), (starting, starting), "Fill the blank cells under START HERE on Answer"),
        Check("error", "The base design can be computed", line("computed"), _ONE,
            "Look for a blank cell, a text where a number belongs or a broken formula"),
        Check("error", "The array of the base design has no fault on its card", line("array_faulty"), _NONE,
            "See the cell of My arrays that says what is wrong, or choose another array"),
        Check("error", "The array of the base design has figures", line("nothing_sizes"), _NONE,
            "Fill the card of this array on My arrays, or choose another array"),
        Check("error", "Free space and snapshot reserve leave capacity", line("fillable_ratio"), (0.0001, 1),
            "Lower one of the two on Inputs: together they must stay below 1"),
        Check("error", "No printed result differs from ours", evidence.differs_cell(), _NONE,
            "Look for DIFFERS on Evidence: a formula has changed"),
        Check("error", "Supply is at least what each test demonstrated", figure("supply_against_tests"), (0.999, _MANY),
            "Compare the rating on Arrays with the load demonstrated"),
        Check("error", "Arrays required is the largest ratio rounded up", figure("count_margin"), (0, 1), sizing),
        Check("error", "Capacity per desktop and in total agree", figure("capacity_margin"), _ALIKE,
            "A formula on Capacity has changed"),
        Check("error", "Start rate x minutes are the desktops booted", figure("starts_conserved"), _ALIKE,
            "A formula on Storms has changed"),
        Check("error", "Served is what is asked wherever the arrays suffice, and never more", figure("served_faults"),
            _NONE, "A formula on Demand or Storms has changed"),
        Check("error", "Timeline: the area under the curve is the work", timeline.card("area_ratio"), _ALIKE,
            "A formula on Timeline has changed"),
        Check("error", "Timeline: the peak is that of Demand and Summary",
            timeline.card("peak_ratio"), (0.999999999, 1.000000001), demand),
        Check("error", "Timeline: the largest mean over a step is the peak, less what a step hides",
            timeline.card("step_ratio"), (0.97, 1.000001), demand),
    )  # fmt: skip
    for run, label, *_ in blocks.RUNS:
        shares, agreement = blocks.cell(run, "shares"), blocks.cell(run, "agreement")
        yield Check("error", f"{label}: block shares add up to 1", shares, _SHARES, "Correct Block sizes")
        todo = "Correct Workloads or Block sizes"
        yield Check("error", f"{label}: profile's read share is the table's", agreement, _SHARES, todo)


def _alerts(
    own: Iterable[str], figure: Callable[[str], tuple[str, str]], line: Callable[[str], tuple[str, str]]
) -> Iterator[Check]:
    """Yield what the user should know of the base design and of own rows."""
    yield from (
        Check("alert", "The arrays in the base design suffice", line("fits"), _ONE, "Add arrays or lower the demand",
            "the arrays do not suffice"),
        Check("alert", "Every constraint of the base design is checked", line("unchecked_count"), _NONE,
            "Enter the missing figures; see Sizing", "not everything is checked"),
        Check("alert", "The base design stays within published evidence", figure("beyond_tests"), _NONE,
            "Ask the vendor for a test at this size", "more desktops per array than any published test"),
        Check("alert", "The profile is young enough to transfer", line("profile_too_old"), _NONE,
            "Measure your own desktops, or choose a profile of today", "the profile is more than five years old"),
        Check("alert", "Most users work at the same time", line("concurrent_ratio"), (0.1, 1),
            "Enter 100 % as 100 %, not as 1 %", "fewer than 10 % of the users work at the same time"),
        Check("alert", "The boot of the base design keeps its latency limit", figure("boot_latency_over_limit"), (0, 1),
            "Start fewer desktops per minute or add arrays", "the boot is slower than its latency limit"),
        Check("alert", "Start rate, delay and rate of deployment allow the minutes wanted", line("wanted_unmet"), _NONE,
            "Demand says which rate or delay to set; else clear the minutes wanted on Inputs",
            "the minutes wanted are not met"),
        Check("alert", "The login peak of the base design stays below full utilisation",
            line("login_peak_utilisation"), (0, 1),
            "Widen the login window, boot more desktops beforehand or add arrays", "the login peak saturates"),
        Check("alert", "The local cache disk suffices", line("local_disk_short"), _NONE,
            "Enlarge the hosts' local disk or size without the cache", "the hosts' cache disk is too small"),
        Check("alert", "The local cache disk is fast enough", line("local_iops_short"), _NONE,
            "Fewer desktops per host, or a faster local disk", "the hosts' cache disk is too slow"),
        Check("alert", "The latency limit is above the array's base latency", line("latency_limit_below"), _NONE,
            "Raise the limit or take a faster array: more arrays do not help", "no count of arrays meets the limit"),
        Check("alert", "Profile I/O is counted once", line("profile_counted_twice"), _NONE,
            "Its profile was measured with local profiles: take one measured without, or leave the containers out",
            "profile I/O is counted twice"),
        Check("alert", "The profile holds as many users a machine", line("users_per_vm_overstates"), _NONE,
            "Its figures hold an operating system for each user: take a profile measured on session hosts",
            "the profile overstates session hosts"),
        Check("alert", "The figures of nodes are complete", line("node_figures_missing"), _NONE,
            "Enter VMs per node, raw capacity, system share and a protection of 1 or more on Arrays",
            "figures of the nodes are missing"),
        Check("alert", "The data sheet's read share is near the demand's", line("card_mix_far"), _NONE,
            "The work of a write decides: see Card checks; ask for IOPS at this read share, or enter a second point",
            "the data sheet's read share is far from the demand's"),
        Check("alert", "Blocks are no larger than the data sheet's", line("card_blocks_larger"), _NONE,
            "Ask for IOPS at this block size", "blocks are larger than the data sheet's"),
        Check("alert", "IOPS and MB/s of the data sheet are not both near their limit", line("card_may_add"), _NONE,
            "Ask for both at once: the array may give less than each alone", "IOPS and MB/s may add"),
        Check("alert", "Peaks stay below full utilisation", line("peak_utilisation"), (0, 1),
            "Means decide the arrays; a peak above 1 waits until it is served", "a peak saturates"),
        Check("alert", "Years and life are whole numbers in their range", line("money_faults"), _NONE,
            "Enter 1 to 7 whole years, and a life of 1 to 15", "the years of the cost are not whole"),
        Check("alert", "Growth is entered once", line("growth_twice"), _NONE,
            "An allowance on Answer and growth per year both count: clear one of them", "growth is counted twice"),
        Check("alert", "What is paid over the years stays within the budget", line("budget_broken"), _NONE,
            "See Cost review: lower the cost or raise the budget", "the budget does not hold"),
    )  # fmt: skip
    yield Check("alert", "Every figure of the host cache chosen is known", figure("cache_untold"), _NONE,
                "Provisioning names what is not published: it counts as nothing kept off the array",
                "a figure of the host cache is not known")  # fmt: skip
    for n, name in enumerate(OWN_ARRAYS, 1):
        todo, unusable = "Mend its card on My arrays, or enter what serves I/O", figure(f"array_{n}_unusable")
        yield Check("alert", f"{name} is blank or complete", unusable, _NONE, todo, f"{name} is incomplete")
    for name in own:
        todo = f"My profiles says what {name} lacks; where it lacks nothing, its name stands twice: change it"
        unusable = figure(f"{name}_unusable")
        yield Check("alert", f"{name} is blank or complete", unusable, _NONE, todo, f"{name} is incomplete")


def checks(data: Data, layout: Layout) -> list[Check]:
    """Return all checks as they stand on the sheet."""
    figure = summary.figure_cells(data, layout).__getitem__
    todo = "Columns E to K differ from the base design"
    used = Check("sensitivity", "No what-if is in use", figure("whatifs_entered"), _NONE, todo)
    alerts = _alerts(own_rows.unusable(data), figure, layout.cell)
    return [*_errors(data, layout, figure, layout.cell), *alerts, used]


def write(ws: Worksheet, context: Context) -> None:
    """Write the checks and the tally; its first row is the master check."""
    data, layout = context.data, context.layout
    canvas.head(
        ws,
        "Checks",
        "1 = raised. Errors leave no answer; alerts are named on the banner of every sheet.",
        [h or "" for h in _HEADS],
        [8, 50, 13, 12, 12, 13, 13, 10, 56, 40, 3, 16, 10],
        "C5",
        (LOW, HIGH, FOUND, HELD, RAISED, TALLY + 1),
    )
    every = checks(data, layout)
    if twice := repeated(check.label for check in every):
        raise BuildError(f"Checks: {twice!r} is the label of two checks; reports name checks by it. Rename one.")
    computed = f"Outcome!{absolute_coordinate(layout.cell('computed')[1])}"
    for row, check in enumerate(every, FIRST_ROW):
        (sheet, cell), (low, high) = check.reads, check.bounds
        put(ws, row, 1, f"C{row - FIRST_ROW + 1:02d}", "label")
        put(ws, row, 2, check.label, "label")
        put(ws, row, 3, check.kind, "label")
        put(ws, row, LOW, low, "tolerance")
        put(ws, row, HIGH, high, "tolerance")
        put(ws, row, FOUND, f"={quoted(sheet)}!{cell}", "output")
        # an error is no figure: it raises its check, but where the design cannot be computed one error says so
        put(ws, row, HELD, f"=IF(ISERROR(F{row}),D{row}-{computed},F{row})", "output")
        _formats(ws, row, low, high)
        put(ws, row, RAISED, f"=IF(AND(G{row}>=D{row},G{row}<=E{row}),0,1)", "check", "flag")
        put(ws, row, ACTION, check.todo, "note")
        put(ws, row, SHORT, check.short, "note")
    last = FIRST_ROW + len(every) - 1
    for row, kind in enumerate(KINDS, FIRST_ROW):
        put(ws, row, TALLY, kind, "label")
        put(ws, row, TALLY + 1, f"=SUMIF($C${FIRST_ROW}:$C${last},L{row},$H${FIRST_ROW}:$H${last})", "check", "flag")
    for kind, colour in zip(KINDS, (styles.RED_FILL, styles.AMBER_FILL, "FFF3BF"), strict=True):
        rule = FormulaRule(
            formula=[f'AND($H{FIRST_ROW}=1,$C{FIRST_ROW}="{kind}")'], fill=PatternFill("solid", bgColor=colour)
        )
        ws.conditional_formatting.add(f"A{FIRST_ROW}:J{last}", rule)
    canvas.print_setup(ws, len(_HEADS), last)


def _formats(ws: Worksheet, row: int, low: float, high: float) -> None:
    """Show the figure found and its bounds with the digits of the finer bound; no bound is shown in words."""
    finer = max((low, high), key=lambda bound: len(styles.typed_format(bound)))
    whole = isinstance(low, int) and isinstance(high, int) and (low, high) != (0, 1)
    form = "#,##0" if whole else max(styles.typed_format(finer), "0.000", key=len)
    for column in (LOW, HIGH, FOUND, HELD):
        ws.cell(row, column).number_format = form
    if high >= _MANY:
        ws.cell(row, HIGH).number_format = '"no limit"'


TAB = Tab(NAME, "table", "check", "What holds and what does not", write, _blocks)
