"""Outcome: what the front sheets show of every design, in normal operation and after one failure side by side.

The counts are Sizing's. Shares and room are those of the arrays in the design, bought for a failure or not; of nodes
those that may be lost are left out.
"""

from collections.abc import Callable

from model.layout import gridwriter
from model.layout.line import GridSheet, Group, Line
from model.sheets import performance
from model.sheets.constraints import AFTER, ALL_LABELS, ALL_RATIOS, CONSTRAINTS, NORMAL_RATIOS
from model.sheets.phases import LABELS

_WAITING = ("boot", "login", "steady")  # phases in which users wait: a vendor is asked for the largest

_STATE: tuple[Line | Group, ...] = (
    Group("What stands in the column"),
    Line(
        "computed",
        "The design can be computed",
        "flag",
        "=IF(ISNUMBER({ratio_largest}),1,0)",
        "0 = something needed is blank, or a formula is broken",
    ),
    Line(
        "entered",
        "The array has figures",
        "flag",
        "=SIGN(MAX(0,{supply_boot},{supply_login},{supply_steady},{usable_gib}))",
        "0 = a card nobody has filled",
    ),
    Line(
        "own_array",
        "The array is one of your own",
        "flag",
        "=SIGN(COUNTIF({own_names},{array}))",
        "My array columns",
    ),
    Line(
        "array_year",
        "Year of the array's paper",
        "year",
        "={array:year}",
        "Arrays sheet; 0 = your own",
        output=True,
    ),
    Line(
        "array_old",
        "The array is as old as a profile that does not transfer",
        "flag",
        "=IF(AND({array_year}>0,{design_year}-{array_year}>{unit:profile_years}),1,0)",
        "Year of the design less that",
    ),
    Line(
        "differs_load",
        "Other users than the base design, in words",
        "text",
        '=REPT("users, ",1-EXACT({desktops},{base:desktops}))&REPT("share at work, ",1-EXACT({concurrent_ratio},'
        "{base:concurrent_ratio}))",
        "Empty where they are the same",
    ),
    Line(
        "differs_words",
        "Other choices than the base design, in words",
        "text",
        '={differs_load}&REPT("workload, ",1-EXACT({profile},{base:profile}))&REPT("provisioning, ",'
        "1-EXACT({provisioning},{base:provisioning}))",
        "Empty where they are the same",
        output=True,
    ),
)

_NORMAL: tuple[Line | Group, ...] = (
    Group("Normal operation"),
    Line(
        "ratio_normal",
        "Arrays in normal operation, unrounded",
        "arrays",
        f"=MAX(0,{NORMAL_RATIOS})",
        "The largest ratio but that of a failure",
        output=True,
    ),
    Line(
        "limited_by_normal",
        "Limited by, in normal operation",
        "text",
        f'=IF({{ratio_normal}}>0,INDEX({ALL_LABELS},MATCH({{ratio_normal}},{ALL_RATIOS},0)),"none")',
        "The largest ratio; ties by the order on Sizing; none = nothing to check",
        output=True,
    ),
    Line(
        "share_used_normal",
        "Share of the design used in normal operation",
        "ratio",
        "={ratio_normal}/MAX(1,{arrays_fillable})",
        "Unrounded need over the arrays in the design",
        output=True,
    ),
)


def _after() -> tuple[Line, ...]:
    """Return the arrays that every constraint needs after one failure, unrounded; 0 = it need not hold."""
    labels = {each.key: each.label for each in CONSTRAINTS}
    return tuple(
        Line(
            f"after_{key}",
            f"{labels[key]}, after one failure",
            "arrays",
            f"=IF({{surviving_ratio}}>0,{formula},{{unit:code_missing}})",
            "On what survives; a lost array is one more; 0 = need not hold",
        )
        for key, formula in AFTER.items()
    )


_FAILED: tuple[Line | Group, ...] = (
    Group("After one failure"),
    Line(
        "ratio_after_users",
        "Login and steady work, of what must hold",
        "arrays",
        "=MAX(0,{ratio_steady},{ratio_login}*{survive_login})",
        "Arrays in normal operation; their latency limit comes on top",
    ),
    *_after(),
    Line(
        "after_largest",
        "Largest of them",
        "arrays",
        f"=MAX({{range:after_{next(iter(AFTER))}:after_{list(AFTER)[-1]}}})",
        "The arrays after one failure on Sizing, constraint by constraint",
    ),
    Line(
        "after_label",
        "Constraint of the largest, as its row is labelled",
        "text",
        f"=INDEX({{labels:after_{next(iter(AFTER))}:after_{list(AFTER)[-1]}}},"
        f"MATCH({{after_largest}},{{range:after_{next(iter(AFTER))}:after_{list(AFTER)[-1]}}},0))",
        "The first of equal ones",
    ),
    Line(
        "limited_by_after_failure",
        "Limited by, after one failure",
        "text",
        '=IF({after_largest}<0,"no failover known",SUBSTITUTE({after_label},", after one failure",""))',
        "The largest of what must hold",
        output=True,
    ),
    Line(
        "share_used_after_failure",
        "Share of the design used after one failure",
        "ratio",
        "=IF({after_largest}<0,{unit:code_missing},{after_largest}/MAX(1,{arrays_fillable}))",
        "Unrounded need over the arrays in the design",
        output=True,
    ),
)

_IN_WORDS: tuple[Line | Group, ...] = (
    Line("failure_known", "What a failure leaves is known", "flag", "=SIGN(1+SIGN({after_largest}))", "Sizing sheet"),
    Line(
        "bought_words",
        "What the arrays are bought for, in words",
        "text",
        '=IF({failover_asked}>0,", for "&{survive_phases}&" after one failure",", for normal operation only")',
        "Choices on Answer and Inputs",
    ),
    Line(
        "design_words",
        "What is in the design, in words",
        "text",
        '=TEXT({arrays_used},"0")&" "&{unit_word}&REPT("s",SIGN({arrays_used}-1))&" in the design"&{bought_words}',
        "For the front sheets",
    ),
    Line(
        "usable_tib",
        "Usable capacity of the arrays in the design",
        "TiB",
        "={usable_gib}*{arrays_fillable}/{unit:gib_per_tib}",
        "Capacity sheet; 0 = not published",
        output=True,
    ),
    Line(
        "effective_tib",
        "Effective capacity of the arrays in the design",
        "TiB",
        "={effective_gib}*{arrays_fillable}/{unit:gib_per_tib}",
        "At this mix; 0 = not published",
        output=True,
    ),
    Line(
        "capacity_words",
        "Usable and effective capacity of the arrays in the design, TiB",
        "text",
        '=IF({usable_tib}>0,TEXT({usable_tib},"0")&" / "&TEXT({effective_tib},"0"),"not published")',
        "Capacity sheet, times the arrays",
        output=True,
    ),
    Line(
        "demand_words",
        "Not known of the load, in words",
        "text",
        '=IF(LEN({unchecked_demand})>0,{unchecked_demand}&"enter the figures","nothing")',
        "Sizing sheet",
        text_lines=4,
    ),
    Line(
        "rating_words",
        "Not known of the array, in words",
        "text",
        '=IF(LEN({unchecked_ratings})>0,{unchecked_ratings}&"enter a rating","nothing")',
        "Sizing sheet",
        text_lines=4,
    ),
    Line(
        "after_words",
        "Arrays after one failure, in words",
        "text",
        '=IF({failure_known}>0,TEXT({arrays_after_failure},"0"),"no failover known")',
        "For the front sheets",
        output=True,
    ),
    Line(
        "share_after_words",
        "Share used after one failure, in words",
        "text",
        '=IF({failure_known}>0,", "&TEXT({share_used_after_failure},"0%"),"")',
        "For the front sheets",
        output=True,
    ),
)

_ROOM: tuple[Line | Group, ...] = (
    Group("Room"),
    Line(
        "normal_per_desktop",
        "Share of the design that one desktop uses, by performance",
        "ratio",
        "=MAX({growing_per_desktop},{boot_per_desktop},{provisioning_per_desktop},"
        "MIN({patching_per_desktop},{patching_wanted_per_desktop}))",
        "Latency sheet, without a failure",
    ),
    Line(
        "domain_per_desktop",
        "By fault domain",
        "ratio",
        "=IF({most_desktops_per_array}>0,1/({most_desktops_per_array}*MAX(1,{arrays_fillable})),0)",
        "Most desktops on one array",
    ),
    Line(
        "space_per_desktop",
        "By capacity",
        "ratio",
        "=IF({capacity_known}>0,{capacity_known}/MAX({capacity_known},"
        "{usable_after_headroom_gib}*{arrays_fillable}-{images_physical_gib}),0)",
        "0 = capacity sets no limit",
    ),
    Line(
        "space_after_per_desktop",
        "By capacity, after one failure",
        "ratio",
        "=IF({capacity_known}>0,{capacity_known}/MAX({capacity_known},"
        "{usable_after_headroom_gib}*({arrays_fillable}-{array_lost})-{images_physical_gib}),0)",
        "Without the array that is lost",
    ),
    Line(
        "after_per_desktop",
        "By what must hold after one failure",
        "ratio",
        "=IF({failover_serving}>0,MAX(0,{ratio_after_failure}-{array_lost})*{surviving_ratio}"
        "/({failover_serving}*{provisioned_desktops}),{array_lost})",
        "Whether it is bought or not",
    ),
    Line(
        "largest_per_desktop",
        "Largest in normal operation",
        "ratio",
        "=MAX({range:normal_per_desktop:space_per_desktop})",
        "The smaller room counts",
    ),
    Line(
        "largest_after_per_desktop",
        "Largest after one failure",
        "ratio",
        "=MAX({range:normal_per_desktop:domain_per_desktop},{range:space_after_per_desktop:after_per_desktop})",
        "Normal operation must hold too",
    ),
    Line(
        "room_normal",
        "Room for more desktops in normal operation",
        "desktops",
        "=IF({largest_per_desktop}>0,ROUNDDOWN(1/{largest_per_desktop},0)-{provisioned_desktops},{unit:code_none})",
        "Below 0 the arrays in the design do not suffice",
        output=True,
    ),
    Line(
        "room_after_failure",
        "Room for more desktops after one failure",
        "desktops",
        "=IF({failure_known}*{largest_after_per_desktop}>0,"
        "ROUNDDOWN(1/{largest_after_per_desktop},0)-{provisioned_desktops},{unit:code_missing})",
        "Below 0 the arrays in the design do not suffice",
        output=True,
    ),
)


def _asked_of(phase: str) -> Line:
    """Return the load of a phase in which users wait, 0 while it is unknown."""
    text = f"Load in {LABELS[phase]}"
    return Line(f"ask_{phase}_iops", text, "IOPS", f"=MAX(0,{{{phase}_iops}})", "Demand sheet; 0 = unknown")


def _chosen(key: str, label: str, unit: str, figures: Callable[[str], str]) -> Line:
    parts = ",".join(f"{{{figures(phase)}}}" for phase in _WAITING)
    return Line(key, label, unit, f"=CHOOSE({{ask_phase}},{parts})", "Of that load")


_ASK: tuple[Line | Group, ...] = (
    Group("To ask a vendor for"),
    *(_asked_of(phase) for phase in _WAITING),
    Line(
        "ask_phase",
        "The largest: 1 boot, 2 login, 3 steady work",
        "count",
        f"=MATCH(MAX({{range:ask_{_WAITING[0]}_iops:ask_{_WAITING[-1]}_iops}}),"
        f"{{range:ask_{_WAITING[0]}_iops:ask_{_WAITING[-1]}_iops}},0)",
        "The first of equal ones",
    ),
    Line(
        "ask_iops",
        "IOPS to ask for",
        "IOPS",
        f"=ROUNDUP(ROUND(MAX({{range:ask_{_WAITING[0]}_iops:ask_{_WAITING[-1]}_iops}})/{{unit:ask_step}},1),0)"
        "*{unit:ask_step}",
        "The largest load while users wait, rounded up",
        output=True,
    ),
    _chosen("ask_read_ratio", "Read share of it", "ratio", performance.read_ratio),
    _chosen("ask_block_kib", "Block size of it", "KiB", lambda phase: f"{phase}_block_kib"),
    Line(
        "ask_mb_s",
        "Throughput to ask for",
        "MB/s",
        "=ROUNDUP(ROUND(MAX(0,{range:throughput_provisioning:throughput_patching})/{unit:ask_step},1),0)*{unit:ask_step}",
        "The largest phase, rounded up",
        output=True,
    ),
    Line(
        "ask_usable_tib",
        "Usable capacity to ask for, data reduction counted",
        "TiB",
        "=IF({fillable_ratio}>0,{capacity_required_gib}/({fillable_ratio}*{unit:gib_per_tib}),0)",
        "Required, with free space and snapshot reserve",
        output=True,
    ),
    Line(
        "ask_load_words",
        "Load to ask for, in words",
        "text",
        '=TEXT({ask_iops},"0")&" IOPS at "&TEXT({ask_read_ratio},"0%")&" read"'
        '&REPT(", "&TEXT({ask_block_kib},"0")&" KiB",SIGN({ask_block_kib}))',
        "Read share and block size of the largest load while users wait",
        output=True,
    ),
    Line(
        "ask_size_words",
        "Throughput and capacity to ask for, in words",
        "text",
        '="; "&TEXT({ask_mb_s},"0")&" MB/s; "&TEXT(ROUNDUP({ask_usable_tib},0),"0")&" TiB usable at "'
        '&TEXT({overall_reduction_ratio},"0")&":1 reduction"',
        "Usable after RAID, before data reduction",
        text_lines=4,
    ),
    Line(
        "ask_words",
        "What to ask a vendor for, in words",
        "text",
        '={ask_load_words}&", within "&TEXT(ROUNDUP({latency_limit_ms},0),"0")&" ms"'
        '&REPT(", with one failure",{failover_asked})&{ask_size_words}',
        "Ready to paste",
        output=True,
        text_lines=5,
    ),
)


SHEET = GridSheet(
    name="Outcome",
    title="Outcome",
    purpose="Every design in normal operation and after one failure, and what to ask a vendor for",
    rows=(*_STATE, *_NORMAL, *_FAILED, *_IN_WORDS, *_ROOM, *_ASK),
)

TAB = gridwriter.tab("Outcome", "Normal operation and after one failure, side by side", lambda _: SHEET)
