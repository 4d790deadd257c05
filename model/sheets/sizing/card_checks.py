"""What a data sheet leaves open of the array chosen, rows of Latency: its mix, its block size, IOPS beside MB/s.

All of it is 0 for an array that is not sized by the IOPS of its card.
"""

from model.layout.line import Group, Line
from model.sheets.catalogue.phases import LABELS, TOGETHER, WITH_TOGETHER
from model.sheets.sizing.constraints import IOPS_RATIOS, worked_in

_OTHERS = "{fixed:ratio_capacity},{fixed:ratio_throughput},{fixed:ratio_fault_domain}"  # no write weight in them


def _gap(phase: str) -> Line:
    return Line(
        f"card_gap_{phase}",
        f"Read share of {LABELS[phase]} against the data sheet's, if it is the busiest phase",
        "ratio",
        f"=IF({{ratio_{phase}}}<{{fixed:card_busiest_ratio}},0,ABS({{seen_read_{phase}}}-{{fixed:card_read_ratio}}))"
        "*{fixed:card_in_use}",
        "0 = another phase is busier",
    )


def _weight(phase: str) -> Line:
    return Line(
        f"card_weight_{phase}",
        f"Work of an I/O in {LABELS[phase]}, writes dear",
        "ratio",
        f"={{seen_read_{phase}}}+(1-{{seen_read_{phase}}})*{{unit:high_write_weight}}",
        "Against a read, at what the array sees of the demand",
    )


def _weighed(which: str, label: str, work: str, planned: str) -> tuple[Line, ...]:
    """Return what every phase needs at an end of what is assumed of writes, then the largest with latency."""
    first, last = WITH_TOGETHER[0], WITH_TOGETHER[-1]
    phases = tuple(
        Line(
            f"card_{which}_{phase}",
            f"Needed by {LABELS[phase]}, {label}",
            "arrays",
            f"=IF({{fixed:card_open}}>0,MAX(0,{{load_{phase}}}){work.format(phase)}/MAX(1,{planned}),MAX(0,{{ratio_{phase}}}))",
            "Unrounded; as on Sizing where the work of a write is given for the array",
        )
        for phase in WITH_TOGETHER
    )
    users = f"{{range:card_{which}_login:card_{which}_steady}},{{card_{which}_{TOGETHER}}}"
    others = Line(
        f"card_{which}_worked_in",
        f"Largest need of a phase that others work in, {label}",
        "arrays",
        f"={worked_in(f'card_{which}_{{0}}', f'card_{which}_{{0}}', 'fixed:')}",
        "Unrounded; 0 = no one is at work in boot, log-off, patching and scheduled load",
    )
    need = Line(
        f"card_need_{which}",
        f"Needed by IOPS and latency, {label}",
        "arrays",
        f"={{fixed:card_open}}*MAX({{range:card_{which}_{first}:card_{which}_{last}}},"
        f"{{card_{which}_boot}}*{{fixed:boot_latency_ratio}},MAX({users},{{card_{which}_worked_in}})*{{fixed:latency_ratio}})",
        "Unrounded; 0 = the work of a write is given for the array",
    )
    return (*phases, others, need)


def _both(phase: str) -> Line:
    moved = f"{{throughput_{phase}}}/MAX(1,{{fixed:throughput_rating}})*SIGN({{fixed:throughput_rating}})"
    return Line(
        f"card_both_{phase}",
        f"Smaller share of IOPS and MB/s in {LABELS[phase]}",
        "ratio",
        f"=MAX(0,MIN({{ratio_{phase}}},{moved}))/MAX(1,{{fixed:arrays_used}})*{{fixed:card_in_use}}",
        "Of what the arrays in the design may do",
    )


def _arrays(which: str, label: str) -> Line:
    return Line(
        f"card_arrays_{which}",
        label,
        "arrays",
        f"=IF({{fixed:card_open}}>0,MAX(1,ROUNDUP(MAX({_OTHERS},{{card_need_{which}}}),0)),0)",
        "0 = the work of a write is given for the array, or it is one of drives",
        output=True,
    )


ROWS: tuple[Line | Group, ...] = (
    Group("The point of a data sheet and the demand"),
    Line("card_in_use", "Sized by the IOPS of a data sheet", "flag", "=SIGN({card_iops})", "My arrays", output=True),
    Line(
        "card_open",
        "The work of a write is assumed",
        "flag",
        "=SIGN({flash_iops})*(1-SIGN({array_write_weight}))",
        "Neither typed for the array nor given by two points of its data sheet",
        output=True,
    ),
    Line(
        "card_busiest_ratio",
        "Largest ratio of IOPS",
        "arrays",
        f"=MAX(0,{IOPS_RATIOS})",
        "Of all phases",
    ),
    *(_gap(phase) for phase in WITH_TOGETHER),
    Line(
        "card_read_gap",
        "Read share of the busiest phase against the data sheet's",
        "ratio",
        f"=MAX({{range:card_gap_{WITH_TOGETHER[0]}:card_gap_{WITH_TOGETHER[-1]}}})",
        "Either way",
        output=True,
    ),
    Line(
        "card_mix_far",
        "The data sheet's mix is far from the demand's",
        "flag",
        "=IF(MAX({card_read_gap},SIGN({container_away}*{container_card_iops})*ABS({container_read}-{container_card_read_ratio}))"
        ">{unit:read_share_gap},1,0)",
        "Also of an array for containers: the work of a write decides, see the arrays below",
        output=True,
    ),
    Line(
        "card_block_kib",
        "Block size of that point",
        "KiB",
        "=SUM(INDEX({arrays:figures},MATCH({label:card_block_kib},{arrays:headings},0),{fixed:array_row}))",
        "My arrays; 0 = not printed",
    ),
    Line(
        "card_blocks_larger",
        "Blocks are larger than the data sheet's",
        "flag",
        "=IF(AND({card_block_kib}>0,MAX({login_mix_block_kib},{steady_mix_block_kib})>{card_block_kib}),1,{container_block_larger})",
        "Of users at work, also of an array for containers; smaller blocks get no credit",
        output=True,
    ),
    Line(
        "card_slow",
        "The data sheet's IOPS are at a latency above the limit",
        "flag",
        "=IF({latency_bound_ms}>{latency_limit_ms},1,0)",
        "Without the lowest latency nobody can tell how many of them are within it",
        output=True,
    ),
    Line(
        "card_boot_rating",
        "Rating of a boot typed beside the data sheet",
        "IOPS",
        "={card_in_use}*SUMIF({own_array_names},{array},{own_arrays:rating_boot_iops})",
        "My arrays; the data sheet counts, so it is not used; 0 = none typed, or no data sheet",
    ),
    Line(
        "card_boot_iops",
        "IOPS of the data sheet, at the boot's mix",
        "IOPS",
        "=IF({card_boot_rating}>0,ROUND({alone_boot}/{utilisation_planned},0),0)",
        "Its point restated for the boot's read share, before what is planned; 0 = nothing to compare",
    ),
    Line(
        "card_boot_worse",
        "The rating of a boot is below the data sheet",
        "flag",
        "=IF({card_boot_rating}<{card_boot_iops},1,0)",
        "Then the answer rests on the larger of two figures",
        output=True,
    ),
    Line(
        "card_boot_words",
        "Rating and data sheet, in words",
        "text",
        '="Boot rating "&FIXED({card_boot_rating},0)&" IOPS, data sheet "&FIXED({card_boot_iops},0)'
        '&" at that mix: clear one of them"',
        "For the banner and the checks",
        text_lines=2,
    ),
    Group("Arrays in normal operation by the work of a write"),
    Line(
        "card_planned_iops",
        "IOPS planned of one array, were writes as cheap as reads",
        "IOPS",
        "=IF({card_iops}>0,{card_iops},{flash_iops})*{utilisation_cap}",
        "At the data sheet's mix; without one its read-equivalent capacity",
    ),
    Line(
        "card_dear_iops",
        "The same in reads, writes dear",
        "IOPS",
        "={card_planned_iops}*(1+{card_in_use}*(1-{card_read_ratio})*({unit:high_write_weight}-1))",
        "W = X (r + (1 - r) w), w at the high end of what is assumed",
    ),
    *map(_weight, WITH_TOGETHER),
    *_weighed("cheap", "writes as cheap as reads", "", "{fixed:card_planned_iops}"),
    _arrays("cheap", "Arrays if a write costs as much as a read"),
    *_weighed(
        "dear",
        "writes dear",
        "*{{card_weight_{0}}}",
        "{fixed:card_dear_iops}",
    ),
    _arrays("dear", "Arrays if a write costs as much as four reads"),
    Group("IOPS and throughput together"),
    *(_both(phase) for phase in WITH_TOGETHER),
    Line(
        "card_may_add",
        "IOPS and MB/s may add",
        "flag",
        f"=IF(MAX({{range:card_both_{WITH_TOGETHER[0]}:card_both_{WITH_TOGETHER[-1]}}})>{{unit:may_add_ratio}},1,0)",
        "Data sheets print each alone; above 0.6 of both in one phase the array may give less",
        output=True,
    ),
)
