"""What to ask a vendor for: the rows of Outcome that turn the largest loads into a sentence ready to paste."""

from collections.abc import Callable

from model.layout.line import Group, Line
from model.sheets import performance
from model.sheets.phases import LABELS

_WAITING = ("boot", "login", "steady")  # phases in which users wait: a vendor is asked for the largest


def _asked_of(phase: str) -> Line:
    """Return the load of a phase in which users wait, 0 while it is unknown."""
    text = f"Load in {LABELS[phase]}"
    return Line(f"ask_{phase}_iops", text, "IOPS", f"=MAX(0,{{{phase}_iops}})", "Demand sheet; 0 = unknown")


def _chosen(key: str, label: str, unit: str, figures: Callable[[str], str]) -> Line:
    parts = ",".join(f"{{{figures(phase)}}}" for phase in _WAITING)
    return Line(key, label, unit, f"=CHOOSE({{ask_phase}},{parts})", "Of that load")


ROWS: tuple[Line | Group, ...] = (
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
        '=FIXED({ask_iops},0)&" IOPS at "&TEXT({ask_read_ratio},"0%")&" read"'
        '&REPT(", "&TEXT({ask_block_kib},"0")&" KiB",SIGN({ask_block_kib}))',
        "Read share and block size of the largest load while users wait",
        output=True,
    ),
    Line(
        "ask_size_words",
        "Throughput and capacity to ask for, in words",
        "text",
        '="; "&FIXED({ask_mb_s},0)&" MB/s; "&FIXED(ROUNDUP({ask_usable_tib},0),0)&" TiB usable at "'
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
