"""Outcome: what the front sheets show of every design, in normal operation and after one failure side by side.

The counts are Sizing's. Shares and room are those of the arrays in the design, bought for a failure or not; of nodes
those that may be lost are left out.
"""

from model.layout import gridwriter
from model.layout.line import GridSheet, Group, Line
from model.sheets import vendor
from model.sheets.constraints import AFTER, ALL_LABELS, ALL_RATIOS, CONSTRAINTS, NORMAL_RATIOS

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
        "claim_words",
        "The claim, in words",
        "text",
        '=REPT("claim of "&TEXT({array_year},"0")&", in no cost: about USD "'
        "&FIXED({claimed_price},{unit:claim_digits}),"
        "SIGN({claimed_price}))",
        "A vendor's figure for its own array; empty where none is printed",
        text_lines=1,
    ),
    Line(
        "claim_after",
        "A paper's claim, behind other words",
        "text",
        '=REPT("; "&{claim_words},SIGN(LEN({claim_words})))',
        "Shown beside, in no cost",
        text_lines=1,
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
        "after_limit_words",
        "The same without the failure",
        "text",
        '=IF({after_largest}<0,"no failover known",SUBSTITUTE({after_label},", after one failure",""))',
        "The largest of what must hold",
    ),
    Line(
        "nodes_left_bind",
        "The nodes left carry normal operation, which asks for more",
        "flag",
        "=IF({ratio_normal}>{after_largest},{node_unit},0)",
        "Nodes that may be lost are bought on top; 0 also where the unit is an array",
    ),
    Line(
        "need_after_failure",
        "Needed after one failure, unrounded",
        "arrays",
        "=IF({nodes_left_bind}>0,{ratio_normal},{ratio_after_failure})",
        "Of nodes without those that may be lost",
    ),
    Line(
        "limited_by_after_failure",
        "Limited by, after one failure",
        "text",
        "=IF({nodes_left_bind}>0,{limited_by_normal},{after_limit_words})",
        "Of nodes also what limits the rest of them",
        output=True,
    ),
    Line(
        "share_used_after_failure",
        "Share of the design used after one failure",
        "ratio",
        "=IF({after_largest}<0,{unit:code_missing},MAX({after_largest},{nodes_left_bind}*{ratio_normal})/MAX(1,{arrays_fillable}))",
        "Unrounded need over the arrays in the design, or the nodes left",
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


SHEET = GridSheet(
    name="Outcome",
    title="Outcome",
    purpose="Every design in normal operation and after one failure, and what to ask a vendor for",
    rows=(*_STATE, *_NORMAL, *_FAILED, *_IN_WORDS, *_ROOM, *vendor.ROWS),
)

TAB = gridwriter.tab("Outcome", "Normal operation and after one failure, side by side", lambda _: SHEET)
