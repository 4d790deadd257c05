"""Where a storm limits: how many arrays users at work need, and for the boot at which start rate one less would do."""

from model.layout.line import Group, Line
from model.sheets.constraints import SEEN_RATIOS, WITHOUT_BOOT_RATIOS, WITHOUT_PACED_RATIOS
from model.sheets.phases import SIZED

_MOVED = f"{{throughput_provisioning}},{{range:throughput_login:throughput_{SIZED[-1]}}}"
_AT_WORK = "{range:throughput_login:throughput_logoff},{throughput_scheduled}"

ROWS: tuple[Line | Group, ...] = (
    Group("Slower storms"),
    Line(
        "boot_need",
        "Arrays that the boot asks for",
        "arrays",
        "=MAX(0,{ratio_boot}*MAX(1,{boot_latency_ratio}),"
        "SIGN({throughput_rating})*{throughput_boot}/MAX(1,{throughput_rating}))",
        "By IOPS within its latency limit, or by throughput",
    ),
    Line(
        "others_moved",
        "Arrays that the throughput of the other phases asks for",
        "arrays",
        f"=SIGN({{throughput_rating}})*MAX(0,{_MOVED})/MAX(1,{{throughput_rating}})",
        "0 = no rating",
    ),
    Line(
        "others_need",
        "Arrays that all else asks for",
        "arrays",
        f"=MAX(0,{WITHOUT_BOOT_RATIOS},MAX({SEEN_RATIOS})*{{latency_ratio}},{{others_moved}})",
        "The other constraints; latency of users alone",
    ),
    Line(
        "arrays_fewer",
        "One array less",
        "arrays",
        "=IF(AND({others_need}<={arrays_loaded}-1,{boot_need}>{arrays_loaded}-1),{arrays_loaded}-1,0)",
        "Where nothing but the boot asks for the last one; 0 = more than the boot does",
    ),
    Line(
        "slower_asked_iops",
        "What one array less serves of the boot",
        "IOPS",
        "=IF({arrays_fewer}>0,MAX(0,{boot_iops}*{arrays_fewer}/{boot_need}-({boot_iops}-{boot_asked_iops})),0)",
        "Its share of the load, less those at work meanwhile",
    ),
    Line(
        "slower_start_rate",
        "Starts a minute at which one array less does",
        "desktops/min",
        "=ROUNDDOWN({slower_asked_iops}*{unit:seconds_per_minute}/MAX(1,{boot_ios}),0)",
        "Whole starts; 0 = the boot does not limit",
        output=True,
    ),
    Line(
        "slower_boot_min",
        "Boot of all desktops then",
        "min",
        "=IF({slower_start_rate}>0,{boot_desktops}/{slower_start_rate}+{boot_tail_min},0)",
        "Until the last start, then the last boot",
        output=True,
    ),
    Line(
        "slower_boot_whole",
        "The same in whole minutes",
        "min",
        "=ROUNDUP(ROUND({slower_boot_min},1),0)",
        "For the words: a half enters texts otherwise in one program than in another",
    ),
    Line(
        "work_moved",
        "Arrays that the throughput of users at work asks for",
        "arrays",
        f"=SIGN({{throughput_rating}})*MAX(0,{_AT_WORK})/MAX(1,{{throughput_rating}})",
        "0 = no rating",
    ),
    Line(
        "work_need",
        "Arrays for users at work, unrounded",
        "arrays",
        f"=MAX(0,{WITHOUT_PACED_RATIOS},MAX({SEEN_RATIOS})*{{latency_ratio}},{{work_moved}})",
        "All but provisioning, boot and patching, which may take longer",
    ),
    Line(
        "arrays_at_work",
        "Arrays for users at work",
        "arrays",
        "=MAX(1,ROUNDUP({work_need},0))+{nodes_spare}",
        "Needed however slowly desktops are provisioned, booted and patched",
        output=True,
    ),
    Line(
        "work_words",
        "How many would do for users at work",
        "text",
        '=IF({arrays_at_work}<{arrays_required},REPT("at least ",SIGN({unchecked_count}))&TEXT({arrays_at_work},"0")'
        '&" for users at work, more for storms at this pace","nothing")',
        "Where provisioning, boot or patching asks for more",
    ),
    Line(
        "slower_storms",
        "What slower storms would spare",
        "text",
        '=IF({slower_start_rate}>0,TEXT({slower_start_rate},"0")&" starts a minute: one "&{unit_word}&" less, "'
        '&TEXT({slower_boot_whole},"0")&" minutes",{work_words})',
        "Part of the answer where a storm limits",
        output=True,
    ),
)
