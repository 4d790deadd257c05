"""Design: the value every design uses. A blank what-if inherits the base; a blank override takes the catalogue's."""

from collections.abc import Iterator

from model.layout import gridwriter
from model.layout.grid import INPUT_SHEETS
from model.layout.line import GridSheet, Group, Line
from model.reading.catalogue import PHASE_FIGURES
from model.reading.records import Data, Input
from model.sheets import catalogue_lines
from model.sheets.inputs import text_lines

_NOT_ENTERED = "{unit:code_missing}"  # no number but a word: Demand tests it before it counts
# a design with another array does not inherit them; choices become the first of their list
OF_ITS_ARRAY = ("array_price", "support_included_years", "price_covers_hosts", "arrays_installed", "cache_state")
MONEY = "Money"  # inputs of this group stand on Cost
BOOT_READ = ("boot", "read_ratio")
_FIRST_CHOICE = {"cache_state": "INDEX({cache_names},1,1)", "price_covers_hosts": "INDEX({yes_no},1,1)"}
_ELSE = {"0": "0: not entered", _NOT_ENTERED: "not entered"}
_FALLBACK = {
    "arrays_installed": "0",
    "most_desktops_per_array": "0",
    "burst_ratio": "0",
    "latency_limit_ms": "SUM({class_limit_ms})",
    "host_start_rate_per_min": "0",
    "hosts": "0",
    "starts_at_once": "0",
    "boot_wanted_min": "0",
    "patch_wanted_min": "0",
    "provision_wanted_min": "0",
    "ios_per_boot": _NOT_ENTERED,
    "boot_latency_limit_ms": "SUM({class_limit_ms})",
    "ios_per_login": "0",
    "ios_per_logoff": "SUM(INDEX({default:logoff_ios},{default_row}))",
    "ios_per_patch": _NOT_ENTERED,
    "ios_per_provisioning": _NOT_ENTERED,
    "data_reduction_ratio": "{disk_reduction_likely}",
    "image_reduction_ratio": "{image_reduction_likely}",
    "user_data_reduction_ratio": "{user_data_reduction_likely}",
    "swap_reduction_ratio": "{swap_reduction_likely}",
    "swap_written_ratio": "1-SUM({class_swap_unwritten})",
    "container_gib": _NOT_ENTERED,
    "container_steady_iops": _NOT_ENTERED,
    "container_signin_iops": _NOT_ENTERED,
    "container_signout_iops": _NOT_ENTERED,
    "container_signin_s": _NOT_ENTERED,
    "container_read_ratio": _NOT_ENTERED,
    "container_block_kib": _NOT_ENTERED,
    "scheduled_ios": _NOT_ENTERED,
    "scheduled_gib": _NOT_ENTERED,
    "scheduled_window_min": "0",
    "scheduled_read_ratio": "0",
    "scheduled_block_kib": "0",
    **dict.fromkeys(
        (
            *("installation_cost", "power_w", "tariff_per_kwh", "rack_u", "rack_cost_per_u_year", "admin_h_per_year"),
            *("admin_cost_per_h", "licence_cost_per_desktop_year", "host_price", "budget"),
        ),
        _NOT_ENTERED,
    ),
    "support_included_years": "{card_support_years}",
    "array_price": "{quoted_price}",
    "container_array_price": "{container_quoted_price}",
}


_SAME_ARRAY = Line(
    "same_array",
    "The array is that of the base design",
    "flag",
    "=IF(EXACT({array},{base:array}),1,0)",
    "Only then price, arrays installed and host cache are inherited",
)
_MISSING = (
    Group("What is missing to size"),
    Line(
        "missing_choices",
        "Choices missing, in words",
        "text",
        '=REPT("Choose an array. ",1-COUNT({array_row}))&REPT("Choose a provisioning method. ",1-COUNT({method_row}))',
        "Empty where every one stands in its list",
        text_lines=4,
    ),
    Line(
        "missing_users",
        "Users missing, in words",
        "text",
        '=REPT("Enter the users. ",1-COUNTIF({desktops},">0"))',
        "Empty where they are entered, above 0",
        text_lines=4,
    ),
    Line(
        "missing_shares",
        "Shares missing, in words",
        "text",
        '=REPT("Enter who works. ",1-COUNTIFS({concurrent_ratio},">=0",{concurrent_ratio},"<=1"))'
        '&REPT("Enter the growth. ",1-COUNTIF({growth_ratio},">=0"))',
        "Empty where who works is entered, from 0 to 100 %, and a growth of 0 or more",
        text_lines=4,
    ),
    Line(
        "users_told",
        "Users, who works and growth are told",
        "flag",
        "=1-SIGN(LEN({missing_users}&{missing_shares}))",
        "0 = nothing can be sized: a paste goes past the limits of a cell",
    ),
    Line(
        "missing_profile",
        "Profile missing, in words",
        "text",
        "=REPT({profile_todo},1-COUNT({profile_row}))",
        "Empty where it has figures",
        text_lines=4,
    ),
    Line(
        "missing_words",
        "Missing to size, in words",
        "text",
        "={missing_users}&{missing_shares}&{missing_choices}&{missing_profile}",
        "Empty where a design can be sized",
        text_lines=4,
    ),
)


def _phase_figure(item: Input) -> tuple[str, str]:
    """Return (phase, figure of the profiles) that an input overrides."""
    suffix = next(suffix for suffix in PHASE_FIGURES if item.key.endswith(f"_{suffix}"))
    return item.key[: -len(suffix) - 1], PHASE_FIGURES[suffix]


def _published(item: Input) -> Iterator[Line]:
    """Yield what the profile says where an input may override it; of a boot's read share the method says more."""
    phase, figure = _phase_figure(item)
    if (phase, figure) != BOOT_READ:
        cell = f"INDEX({{profile:{figure}:{phase}}},{{profile_row}})"
        yield Line(
            f"{item.key}_published",
            f"{item.label}, by the profile",
            item.unit,
            f'=IF(ISNUMBER({cell}),{cell},"none")',
            "From Workloads; none = not published, or told otherwise",
        )


def _phase_fallback(item: Input) -> str:
    return "{boot_read_told}" if _phase_figure(item) == BOOT_READ else f"SUM({{{item.key}_published}})"


def _given(key: str, where: str, above_zero: bool) -> str:
    """Return 1 where an input's cell holds a figure, 0 where it is empty; of what cannot be 0, a 0 is no figure."""
    return f'COUNTIF({{{where}:{key}}},">0")' if above_zero else f"COUNT({{{where}:{key}}})"


def _travelling(item: Input) -> tuple[Line, ...]:
    """Return where the figure of an empty cell stands on Defaults, and the words that say what is used."""
    key, zero = item.key, bool(item.minimum)
    label, block = item.label.partition(" (blank")[0], f"{{default:{key}}}"
    return (
        Line(
            f"{key}_default_row",
            f"{label}: row of the default",
            "count",
            f"=1+COUNT(INDEX({block},{{default_row}}))*({{default_row}}-1)",
            "Row of the profile on Defaults; the first, the general default, where it has no figure",
        ),
        Line(
            f"{key}_source",
            f"{label}: where it comes from",
            "text",
            f'=IF({_given(key, "in", zero)}+{_given(key, "base", zero)}>0,"entered",'
            f"INDEX({{default_names}},{{{key}_default_row}}))",
            "What-if or base design, else the profile, else the general default",
            output=True,
        ),
    )


def used(item: Input) -> Line:
    """Return the row of one input: the value that a design uses."""
    key = item.key
    if item.travels:
        zero = bool(item.minimum)
        fallback = f"INDEX({{default:{key}}},{{{key}_default_row}})"
        empty = f"MAX(0,{{in:{key}}})=0" if zero else f"COUNT({{in:{key}}})=0"
        formula = f"=IF({empty},CHOOSE(1+{_given(key, 'base', zero)},{fallback},{{base:{key}}}),{{in:{key}}})"
        return Line(key, item.label, item.unit, formula, "What-if, else base, else what travels with the profile")
    if not item.optional:
        if item.kind == "number":
            formula = f"=IF(COUNT({{in:{key}}})=0,CHOOSE(1+COUNT({{base:{key}}}),NA(),{{base:{key}}}),{{in:{key}}})"
            return Line(key, item.label, item.unit, formula, "What-if, else base; a blank is never 0")
        base, basis = f"{{base:{key}}}", "What-if, else base"
        if key in OF_ITS_ARRAY:
            base, basis = (
                f"CHOOSE(1+{{same_array}},{_FIRST_CHOICE[key]},{base})",
                "What-if, else base if its array is the same",
            )
        formula = f"=IF(ISBLANK({{in:{key}}}),{base},{{in:{key}}})"
        return Line(key, item.label, item.unit, formula, basis, text_lines=text_lines(item))
    fallback, same = _FALLBACK.get(key) or _phase_fallback(item), "*{same_array}" if key in OF_ITS_ARRAY else ""
    return Line(
        key,
        item.label,
        item.unit,
        f"=IF(COUNT({{in:{key}}})=0,CHOOSE(1+COUNT({{base:{key}}}){same},{fallback},{{base:{key}}}),{{in:{key}}})",
        f"What-if, else base{' if its array is the same' if same else ''}, else "
        + _ELSE.get(fallback, "the catalogue's"),
    )


def sheet(data: Data) -> GridSheet:
    """Return the Design sheet for the inputs of the data files."""
    rows: list[Line | Group] = []
    group = ""
    for item in data.inputs:
        if item.once or item.group == MONEY:
            continue
        if item.group != group:
            if group == "Choices" and item.sheet == INPUT_SHEETS[0]:
                rows.extend(catalogue_lines.LINES)
                rows.append(Group("Where figures come from that travel with the profile"))
                rows.extend(line for each in data.travelling() for line in _travelling(each))
            group = item.group
            if group.startswith("Phase"):
                rows.append(Group("What the profile says, phase by phase"))
                rows.extend(line for each in data.inputs if each.group == group for line in _published(each))
            rows.append(Group(group))
        rows.append(used(item))
        if item.key == "array":
            rows.append(_SAME_ARRAY)
    rows.extend(_MISSING)
    return GridSheet(
        "Design", "Design", "The value every design uses: what-if, else base design, else catalogue", tuple(rows)
    )


TAB = gridwriter.tab("Design", "The value every design uses", sheet)
