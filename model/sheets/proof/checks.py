"""Checks: each reads one cell and holds it between two bounds. Only errors make the master check fail."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from openpyxl.formatting.rule import FormulaRule
from openpyxl.styles import PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.utils.cell import absolute_coordinate
from openpyxl.worksheet.worksheet import Worksheet

from model.errors import BuildError
from model.layout import canvas, styles
from model.layout.canvas import put
from model.layout.grid import BASE, FIRST_ROW, INPUT_SHEETS, OWN_ARRAYS, WHATIFS, Block, Layout, quoted, repeated
from model.layout.tab import Context, Tab
from model.reading.records import Data
from model.sheets.catalogue import measured, own_rows, user_groups
from model.sheets.proof import blocks, evidence, numbers, summary
from model.sheets.proof.check_figures import catalogue_rows
from model.sheets.sizing import outcome, timeline

NAME = "Checks"
LOW, HIGH, FOUND, HELD, RAISED, ACTION, SHORT = range(4, 11)  # columns
TALLY = 12  # column of the tally's labels, its counts beside them
JOINED = 15  # column of the alerts raised down to each row, which the banner names
KINDS = ("error", "alert", "sensitivity")
_HEADS = [
    *("Id", "Check", "Type", "At least", "At most", "Found", "Pass", "Raised", "What to do", "In short"),
    *(None, "Checks of type", "Number raised", None, "Alerts raised, joined"),
]


def _blocks(_: Data) -> dict[str, Block]:
    cells = ((key, FIRST_ROW + row) for row, key in enumerate(("errors_raised", "alerts_raised")))
    return {key: Block(NAME, row, row, TALLY + 1, TALLY + 1) for key, row in cells}


@dataclass(frozen=True)
class Check:
    """A cell that must lie between two bounds, both included, and what to do when it does not.

    `short` says what is wrong in a few words, for the banner; every alert has one. Both texts may be a line in braces.
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
        len(catalogue_rows(layout)) * (1 + WHATIFS) + 1,
    )
    sizing, demand = "A formula on Sizing has changed", "A formula on Timeline or Demand has changed"
    yield from (
        Check("error", "Every choice is in its catalogue", figure("choices_found"), (choices, choices),
            "Choose from the lists on Answer and Inputs: array, workload, provisioning, failure, containers"),
        Check("error", "The chosen profile has figures", line("profile_empty"), _NONE,
            "Type I/Os of a login, IOPS at work, read share and block size on My profiles, or users on User groups"),
        Check("error", "Every required input of the base design is filled",
            figure("required_entered"), (required, required), "Fill the blank cells of column D on Inputs"),
        Check("error", "Every required cell of Answer is filled",
            figure("start_entered"), (starting, starting), "Fill the blank cells under START HERE on Answer"),
        Check("error", "The base design can be computed", line("computed"), _ONE,
            "Look for a red cell: text in place of a number, a blank cell or a broken formula"),
        Check("error", "The card of the base design's array has no fault", line("array_faulty"), _NONE,
            "See the cell on My arrays that names the fault, or choose another array"),
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
        Check("error", "Start rate x minutes equals the desktops booted", figure("starts_conserved"), _ALIKE,
            "A formula on Storms has changed"),
        Check("error", "Served IOPS equal demand where the arrays suffice", figure("served_faults"),
            _NONE, "A formula on Demand or Storms has changed"),
        Check("error", "Timeline: the area under the curve is the work", timeline.card("area_ratio"), _ALIKE,
            "A formula on Timeline has changed"),
        Check("error", "Timeline: the peak equals that of Demand and Summary",
            timeline.card("peak_ratio"), (0.999999999, 1.000000001), demand),
        Check("error", "Timeline: the largest mean of a step is the peak less the averaging in a step",
            timeline.card("step_ratio"), (0.97, 1.000001), demand),
    )  # fmt: skip
    yield Check("error", "Cost: the parts from the list price on add up to what is paid", line("reconciled_ratio"),
                (0.999999999, 1.000000001), "A formula on Years or Net cost has changed")  # fmt: skip
    for run, label, *_ in blocks.RUNS:
        shares, agreement = ((evidence.NAME, blocks.cell(data, run, what)) for what in ("shares", "agreement"))
        yield Check(
            "error", f"{label}: block shares add up to 1", shares, _SHARES, "Correct the block sizes on Evidence"
        )
        todo = "Correct Lists, or the block sizes on Evidence"
        yield Check("error", f"{label}: profile's read share is the table's", agreement, _SHARES, todo)
    yield Check("error", "The clock times are two times of day, the boot first", line("clock_min"), (-1, _MANY),
        "Enter when boot and logins start, both as 07:00, the boot first; or clear both")  # fmt: skip
    yield Check("error", "The joint row is one of Measured", line("joint_row_unknown"), _NONE,
        "Type the number of a joint row that Measured has, with a ratio for each phase; or clear the cell")  # fmt: skip


def _at(layout: Layout, block: str) -> tuple[str, str]:
    """Return (sheet, cell) of a block of one cell."""
    found = layout.blocks[block]
    return found.sheet, found.address.replace("$", "").partition("!")[2]


def _not_numbers(data: Data, layout: Layout, figure: Callable[[str], tuple[str, str]]) -> Iterator[Check]:
    """Yield the cells that hold something other than a figure, and the rows behind a result that hold an error."""
    for n, (place, _) in enumerate(numbers.places(data, layout), 1):
        within = " within their limits" if place in INPUT_SHEETS else ""
        todo = f"Type a number{' within the limits of its row' * bool(within)} in the red cell of {place}, or clear it"
        yield Check("error", f"{place}: figures are numbers{within}", figure(f"not_numbers_{n}"), _NONE, todo)
    for name, block in (
        (own_rows.NAME, "profiles:not_numbers"),
        (user_groups.NAME, "groups:not_numbers"),
        (measured.NAME, "measured:not_numbers"),
    ):
        todo = f"Type a number in the red cell of {name}, or clear it: it contains text, TRUE or an error"
        yield Check("error", f"{name}: figures are numbers", _at(layout, block), _NONE, todo)
    for n, sheets in enumerate(outcome.BEHIND, 1):
        names = ", ".join(sheets)
        todo = f"Find the first error value on {names}: correct its formula or the cells it reads"
        yield Check("error", f"No row of {names} has an error", figure(f"rows_faulty_{n}"), _NONE, todo)


def _alerts(
    own: Iterable[str],
    groups: tuple[str, str],
    figure: Callable[[str], tuple[str, str]],
    line: Callable[[str], tuple[str, str]],
) -> Iterator[Check]:
    """Yield what the user should know of the base design and of own rows."""
    yield from (
        Check("alert", "The arrays in the base design suffice", line("fits"), _ONE, "Add arrays or lower the demand",
            "the arrays do not suffice"),
        Check("alert", "Every constraint of the base design is checked", line("unchecked_count"), _NONE,
            "Enter the missing figures; see Sizing", "not everything is checked"),
        Check("alert", "The base design stays within published evidence", figure("beyond_tests"), _NONE,
            "Ask the vendor for a test at this size", "more desktops per array than any published test"),
        Check("alert", "The profile is recent enough to transfer", line("profile_too_old"), _NONE,
            "Measure your own desktops, or choose a recent profile", "the profile is more than five years old"),
        Check("alert", "Most users work at the same time", line("concurrent_ratio"), (0.1, 1),
            "Enter 100 % as 100 %, not as 1 %", "fewer than 10 % of the users work at the same time"),
        Check("alert", "Boot of the base design meets its latency limit", figure("boot_latency_over_limit"), (0, 1),
            "Start fewer desktops per minute or add arrays", "boot latency exceeds its limit"),
        Check("alert", "The start rate meets the minutes wanted for the boot", line("boot_unmet"), _NONE,
            "Set the start rate shown on Demand, or clear the minutes wanted on Inputs",
            "the boot takes longer than the minutes wanted"),
        Check("alert", "The delay meets the minutes wanted for the patching", line("patching_unmet"), _NONE,
            "Set the delay shown on Demand, or clear the minutes wanted on Inputs",
            "the patching takes longer than the minutes wanted"),
        Check("alert", "The rate meets the minutes wanted for the deployment", line("provisioning_unmet"), _NONE,
            "Set the rate shown on Demand, or clear the minutes wanted on Inputs",
            "the deployment takes longer than the minutes wanted"),
        Check("alert", "The rate of the deployment is that of its operation", line("rate_borrowed"), _NONE,
            "Enter the rate of a refresh, recompose or rebalance on More inputs: that of new desktops is used",
            "the rate of new desktops is used for another operation"),
        Check("alert", "Login: desktops booted on demand start within the login window", line("login_beyond_min"),
            _NONE, "Raise the rate of starts on demand, boot more desktops beforehand or widen the login window",
            "the login takes longer than its window"),
        Check("alert", "The login peak of the base design stays below full utilisation",
            line("utilisation_login"), (0, 1),
            "Widen the login window, boot more desktops beforehand or add arrays", "the login peak saturates"),
        Check("alert", "The local cache disk suffices", line("local_disk_short"), _NONE,
            "Enter or enlarge the hosts' cache; IntelliCache needs XenServer and the whole image; or size without it",
            "the hosts' cache is too small, unknown or not for this hypervisor"),
        Check("alert", "The local cache disk is fast enough", line("local_iops_short"), _NONE,
            "Fewer desktops per host, or a faster local disk", "the hosts' cache disk is too slow"),
        Check("alert", "The latency limit is above the array's base latency", line("latency_limit_below"), _NONE,
            "Raise the limit or take a faster array: more arrays do not help", "no number of arrays meets the limit"),
        Check("alert", "The latency limit of the boot is above the array's base latency", line("boot_limit_below"),
            _NONE, "Raise the limit of the boot or take a faster array: more arrays do not help",
            "no number of arrays meets the latency limit of the boot"),
        Check("alert", "Profile I/O is counted once", line("profile_counted_twice"), _NONE,
            "With local profiles in the workload profile, no containers; without them, say where the containers are",
            "profile I/O is counted twice or not at all"),
        Check("alert", "The cloud share carries the containers of all years", line("share_outgrown"), _NONE,
            "Choose another cloud share on Inputs: see Shares", "the cloud share does not carry the containers"),
        Check("alert", "A disk holds each machine", line("disk_wrong"), _NONE,
            "See Shares: another family or longer seconds; an ephemeral disk takes pooled machines and local space",
            "no disk holds a machine"),
        Check("alert", "The machine's cap covers its disk load", line("machine_capped"), _NONE,
            "Choose a larger machine, or longer seconds for boot and sign-in on More inputs",
            "the machine's cap is below what its disk must serve"),
        Check("alert", "Cloud storage promises IOPS and latency", line("disk_varies"), _NONE,
            "Take Premium SSD for disks, SSD for a share: Standard SSD IOPS are 'up to', HDD latency is not promised",
            "cloud storage promises no IOPS or no latency at sign-in"),
        Check("alert", "List prices of the cloud share are recent", line("share_price_old"), _NONE,
            "Type the prices of today on Inputs: those of Lists are more than 180 days older than the date on Answer",
            "list prices of the cloud share are old"),
        Check("alert", "The profile matches the users per machine", line("users_per_vm_overstates"), _NONE,
            "={users_words}", "users on a machine are not the profile's"),
        Check("alert", "The profile was measured under the provisioning method", line("pair_unmeasured"), _NONE,
            "={pair_words}", "={pair_words}"),
        Check("alert", "The user groups add up to the users of the design", line("group_gap"), _NONE,
            "Type the totals of User groups on Answer: users, and share at work. The groups now set the shares only",
            "the groups' users differ from Answer"),
        Check("alert", "The methods of user groups apply", line("group_methods_unused"), _NONE,
            f"Choose the provisioning method {user_groups.NAME} on Answer, or clear the methods on {user_groups.NAME}",
            "the methods of user groups are ignored"),
        Check("alert", "The joint row typed counts", line("joint_row_unused"), _NONE,
            "Choose the profile that Measured names, or clear the joint row on More inputs",
            "the joint row typed has no effect"),
        Check("alert", "The figures of nodes are complete", line("node_figures_missing"), _NONE,
            "Enter VMs per node, raw capacity, system share and a protection of 1 or more on Arrays",
            "figures of the nodes are missing"),
        Check("alert", "The smallest cluster has the nodes its protection needs", line("least_nodes_short"), _NONE,
            "Raise the least nodes on its card, or ask the vendor: two copies need 3, three copies 5, 4 + 1 usually 6",
            "the smallest cluster is too small for its protection"),
        Check("alert", "The data sheet's read share is near the demand's", line("card_mix_far"), _NONE,
            "The work of a write decides: see Latency; ask for IOPS at this read share, or enter a second point",
            "the data sheet's read share is far from the demand's"),
        Check("alert", "The data sheet's IOPS are within the latency limit", line("card_slow"), _NONE,
            "Ask for IOPS within the limit, or for the lowest latency; or raise the limit",
            "the data sheet's IOPS are at a latency above the limit"),
        Check("alert", "Blocks are no larger than the data sheet's", line("card_blocks_larger"), _NONE,
            "Ask for IOPS at this block size", "blocks are larger than the data sheet's"),
        Check("alert", "A rating of the boot is no lower than the data sheet", line("card_boot_worse"), _NONE,
            "={card_boot_words}", "the boot rating typed is below the data sheet's IOPS"),
        Check("alert", "IOPS and MB/s of the data sheet are not both near their limit", line("card_may_add"), _NONE,
            "Ask the vendor for both at once: the array may deliver less than each alone", "IOPS and MB/s may add"),
        Check("alert", "Data reduction is within what is sold or published", line("reduction_beyond"), _NONE,
            "Lower it on Inputs, or type on My arrays what the vendor guarantees in writing: see Capacity",
            "the data reduction is above what is sold or published"),
        Check("alert", "Peaks stay below full utilisation", line("peak_utilisation"), (0, 1),
            "Sizing uses means; a peak above 100 % queues until it is served", "a peak saturates"),
        Check("alert", "The discount leaves a price", line("discount_ratio"), (0, 0.99),
            "Type 15 % as 15%: a discount of 100 % leaves a cost of 0", "the discount leaves no price"),
        Check("alert", "The figures of the cost are in their range", line("money_faults"), _NONE,
            "={fault_words}", "a figure of the cost is out of its range"),
        Check("alert", "Hosts are paid once", line("hosts_twice"), _NONE,
            "={hosts_words}", "nodes carry the machines, and hosts are paid too"),
        Check("alert", "Growth is entered once", line("growth_twice"), _NONE,
            "Growth to plan for and growth per year both count, typed or drawn: clear one", "growth is counted twice"),
        Check("alert", "Every quote is in the currency of the workbook, or has a rate", line("rate_missing"), _NONE,
            "Type the rate beside the quote on My arrays or Arrays", "a quote in another currency has no rate"),
        Check("alert", "Every quote that counts lasts until the order", line("quotes_expired"), _NONE,
            "Ask for a new quote, or correct the day of the order on Inputs or the days of the quote on its card",
            "a quote has expired"),
        Check("alert", "What is paid over the years stays within the budget", line("budget_broken"), _NONE,
            "See Cost review: lower the cost or raise the budget", "the cost exceeds the budget"),
    )  # fmt: skip
    yield Check("alert", "Every figure of the chosen host cache is known", figure("cache_untold"), _NONE,
                "Lists names what is not published: the cache counts as absorbing nothing",
                "a figure of the host cache is not known")  # fmt: skip
    for n, name in enumerate(OWN_ARRAYS, 1):
        todo, unusable = (
            "Correct its card on My arrays, or enter what serves I/O",
            figure(f"array_{n}_unusable"),
        )
        yield Check("alert", f"{name} is blank or complete", unusable, _NONE, todo, f"{name} is incomplete")
    yield Check("alert", "The user groups typed are the workload of a design", figure("groups_unused"), _NONE,
                f"Choose the workload {user_groups.NAME} on Answer, or clear the users on {user_groups.NAME}",
                "the user groups typed are ignored")  # fmt: skip
    yield Check("alert", "Every user group is blank or complete", groups, _NONE,
                "Type users, a share at work up to 100 % and a profile for the group that User groups names; its own "
                "figures go on My profiles",
                "a user group is incomplete")  # fmt: skip
    for name in own:
        todo = f"My profiles shows what {name} lacks; if nothing is missing, its name is used twice: change it"
        unusable = figure(f"{name}_unusable")
        yield Check("alert", f"{name} is blank or complete", unusable, _NONE, todo, f"{name} is incomplete")
    yield Check("alert", "What-ifs weigh the user groups by their own figures", figure("groups_weighed"),
                _NONE, "Type login window, write cache, disk and what is used of them for the base design",
                "a what-if weighs the user groups by the base's figures")  # fmt: skip


@lru_cache(maxsize=1)
def checks(data: Data, layout: Layout) -> tuple[Check, ...]:
    """Return all checks in the order of the sheet."""
    figure = summary.figure_cells(data, layout).__getitem__
    todo = "Columns E to K differ from the base design"
    used = Check("sensitivity", "No what-if is in use", figure("whatifs_entered"), _NONE, todo)
    alerts = _alerts(own_rows.unusable(data), _at(layout, "groups:faults"), figure, layout.cell)
    errors = (*_errors(data, layout, figure, layout.cell), *_not_numbers(data, layout, figure))
    return (*errors, *alerts, used)


def alerts_cell(data: Data, layout: Layout) -> tuple[str, str]:
    """Return the cell that joins the alerts raised."""
    return NAME, f"${get_column_letter(JOINED)}${FIRST_ROW + len(checks(data, layout)) - 1}"


def write(ws: Worksheet, context: Context) -> None:
    """Write the checks and the tally; its first row is the master check."""
    data, layout = context.data, context.layout
    canvas.head(
        ws,
        "Checks",
        "1 = raised. Errors leave no answer; alerts are named on the banner of every sheet.",
        [h or "" for h in _HEADS],
        [8, 50, 13, 12, 12, 13, 13, 10, 56, 40, 3, 16, 10, 3, 40],
        "C5",
        (LOW, HIGH, FOUND, HELD, RAISED, TALLY + 1),
    )
    every = checks(data, layout)
    if twice := repeated(check.label for check in every):
        raise BuildError(f"Checks: {twice!r} is the label of two checks; reports name checks by it. Rename one.")
    computed = f"Outcome!{absolute_coordinate(layout.cell('computed')[1])}"
    joined = get_column_letter(JOINED)
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
        for column, text in ((ACTION, check.todo), (SHORT, check.short)):
            linked = text.startswith("=")
            put(ws, row, column, layout.resolve(text, NAME, BASE) if linked else text, "shown" if linked else "note")
        above = f"REPT({joined}{row - 1},SIGN(ROWS(H${FIRST_ROW}:H{row})-1))"  # nothing above the first
        put(ws, row, JOINED, f'={above}&REPT(J{row}&"; ",H{row}*SIGN(LEN(J{row})))', "calculation")
        canvas.overflow(ws, row, JOINED)
    last = FIRST_ROW + len(every) - 1
    for row, kind in enumerate(KINDS, FIRST_ROW):
        put(ws, row, TALLY, kind, "label")
        put(ws, row, TALLY + 1, f"=SUMIF($C${FIRST_ROW}:$C${last},L{row},$H${FIRST_ROW}:$H${last})", "check", "flag")
    for kind, colour in zip(KINDS, (styles.RED_FILL, styles.AMBER_FILL, "FFF3BF"), strict=True):
        rule = FormulaRule(
            formula=[f'AND($H{FIRST_ROW}=1,$C{FIRST_ROW}="{kind}")'], fill=PatternFill("solid", bgColor=colour)
        )
        ws.conditional_formatting.add(f"A{FIRST_ROW}:J{last}", rule)
    canvas.print_setup(ws, TALLY + 1, last)


def _formats(ws: Worksheet, row: int, low: float, high: float) -> None:
    """Show the figure found and its bounds with the digits of the finer bound; no bound is shown in words."""
    finer = max((low, high), key=lambda bound: len(styles.typed_format(bound)))
    whole = isinstance(low, int) and isinstance(high, int) and (low, high) != (0, 1)
    form = "#,##0" if whole else max(styles.typed_format(finer), "0.000", key=len)
    for column in (LOW, HIGH, FOUND, HELD):
        ws.cell(row, column).number_format = form
    if high >= _MANY:
        ws.cell(row, HIGH).number_format = '"no limit"'


TAB = Tab(NAME, "table", "check", "Every check: passed or raised", write, _blocks)
