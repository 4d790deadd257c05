"""Card checks: what a data sheet leaves open of the array chosen: its mix, its block size, IOPS beside MB/s.

All of it is 0 for an array that is not sized by the IOPS of its card.
"""

from model.layout import gridwriter
from model.layout.line import GridSheet, Group, Line
from model.sheets.constraints import IOPS_RATIOS
from model.sheets.performance import read_ratio
from model.sheets.phases import LABELS, SIZED

_OTHERS = "{ratio_capacity},{ratio_throughput},{ratio_fault_domain}"  # no write weight in them


def _gap(phase: str) -> Line:
    return Line(
        f"card_gap_{phase}",
        f"Read share of {LABELS[phase]} against the data sheet's, if it is the busiest phase",
        "ratio",
        f"=IF({{ratio_{phase}}}<{{card_busiest_ratio}},0,ABS({{{read_ratio(phase)}}}-{{card_read_ratio}}))*{{card_in_use}}",
        "0 = another phase is busier",
    )


def _dear(phase: str) -> Line:
    read = f"{{{read_ratio(phase)}}}"
    return Line(
        f"card_dear_{phase}",
        f"Work of {LABELS[phase]}, writes dear",
        "IOPS",
        f"=MAX(0,{{{phase}_iops}})*({read}+(1-{read})*{{unit:high_write_weight}})",
        "W at the high end of what is assumed of writes",
    )


def _both(phase: str) -> Line:
    moved = f"{{throughput_{phase}}}/MAX(1,{{fixed:throughput_rating}})*SIGN({{fixed:throughput_rating}})"
    return Line(
        f"card_both_{phase}",
        f"Smaller share of IOPS and MB/s in {LABELS[phase]}",
        "ratio",
        f"=MAX(0,MIN({{ratio_{phase}}},{moved}))/{{fixed:arrays_used}}*{{fixed:card_in_use}}",
        "Of what the arrays in the design may do",
    )


def _arrays(key: str, label: str, timed: str, users: str, planned: str) -> Line:
    return Line(
        key,
        label,
        "arrays",
        f"=IF({{card_open}}>0,MAX(1,ROUNDUP(MAX({_OTHERS},MAX({timed},{users})/{planned}),0)),0)",
        "0 = the work of a write is told for the array, or it is none from a data sheet",
        output=True,
    )


SHEET = GridSheet(
    name="Card checks",
    title="What a data sheet leaves open",
    purpose="Arrays from a data sheet: how far its point is from the demand, and what that may change",
    rows=(
        Group("The point and the demand"),
        Line(
            "card_in_use", "Sized by the IOPS of a data sheet", "flag", "=SIGN({card_iops})", "My arrays", output=True
        ),
        Line(
            "card_open",
            "The work of a write is assumed",
            "flag",
            "={card_in_use}*(1-SIGN({array_write_weight}))",
            "Neither typed on the card nor told by two points",
            output=True,
        ),
        Line(
            "card_busiest_ratio",
            "Largest ratio of IOPS",
            "arrays",
            f"=MAX(0,{IOPS_RATIOS})",
            "Of all phases",
        ),
        *(_gap(phase) for phase in SIZED),
        Line(
            "card_read_gap",
            "Read share of the busiest phase against the data sheet's",
            "ratio",
            f"=MAX({{range:card_gap_{SIZED[0]}:card_gap_{SIZED[-1]}}})",
            "Either way",
            output=True,
        ),
        Line(
            "card_mix_far",
            "The data sheet's mix is far from the demand's",
            "flag",
            "=IF({card_read_gap}>{unit:read_share_gap},1,0)",
            "Then the work of a write decides: see the arrays below",
            output=True,
        ),
        Line(
            "card_block_kib",
            "Block size of the data sheet",
            "KiB",
            "={array:card_block_kib}",
            "My arrays; 0 = not printed",
        ),
        Line(
            "card_blocks_larger",
            "Blocks are larger than the data sheet's",
            "flag",
            "=IF(AND({card_block_kib}>0,MAX({login_block_kib},{steady_block_kib})>{card_block_kib}),1,0)",
            "Of users at work; smaller blocks get no credit",
            output=True,
        ),
        Group("Arrays in normal operation by the work of a write"),
        Line(
            "card_planned_iops",
            "IOPS planned of one array, were writes as cheap as reads",
            "IOPS",
            "={card_iops}*{utilisation_cap}",
            "At the data sheet's mix",
        ),
        Line(
            "card_cheap_timed",
            "Largest work of timed phases, writes as cheap as reads",
            "IOPS",
            "=MAX(0,{provisioning_iops},{logoff_iops},{patching_iops},{boot_iops}*MAX(1,{boot_latency_ratio}))",
            "IOPS; those of the boot within its latency limit",
        ),
        Line(
            "card_cheap_users",
            "Largest work of users, writes as cheap as reads",
            "IOPS",
            "=MAX(0,{login_iops},{steady_iops})*MAX(1,{latency_ratio})",
            "IOPS, within the latency limit",
        ),
        _arrays(
            "card_arrays_cheap",
            "Arrays if a write costs as much as a read",
            "{card_cheap_timed}",
            "{card_cheap_users}",
            "{card_planned_iops}",
        ),
        *(_dear(phase) for phase in SIZED),
        Line(
            "card_dear_timed",
            "Largest work of timed phases, writes dear",
            "IOPS",
            "=MAX({card_dear_provisioning},{card_dear_logoff},{card_dear_patching},"
            "{card_dear_boot}*MAX(1,{boot_latency_ratio}))",
            "As above",
        ),
        Line(
            "card_dear_users",
            "Largest work of users, writes dear",
            "IOPS",
            "=MAX({card_dear_login},{card_dear_steady})*MAX(1,{latency_ratio})",
            "As above",
        ),
        Line(
            "card_dear_mix",
            "Work of an IOPS of the data sheet, writes dear",
            "ratio",
            "={card_read_ratio}+(1-{card_read_ratio})*{unit:high_write_weight}",
            "r + (1 - r) w",
        ),
        _arrays(
            "card_arrays_dear",
            "Arrays if a write costs as much as four reads",
            "{card_dear_timed}",
            "{card_dear_users}",
            "({card_planned_iops}*{card_dear_mix})",
        ),
        Group("IOPS and throughput together"),
        *(_both(phase) for phase in SIZED),
        Line(
            "card_may_add",
            "IOPS and MB/s may add",
            "flag",
            f"=IF(MAX({{range:card_both_{SIZED[0]}:card_both_{SIZED[-1]}}})>{{unit:may_add_ratio}},1,0)",
            "Data sheets print each alone; above 0.6 of both in one phase the array may give less",
            output=True,
        ),
    ),
)

TAB = gridwriter.tab("Card checks", "What a data sheet leaves open of the array chosen", lambda _: SHEET)
