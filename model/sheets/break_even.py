"""What a rating that nobody published would have to be to matter: the figure at which it adds an array or a node.

As `unchecked` does for a missing demand: capacity, IOPS, throughput, machines per node below it, latency above it.
Every row is 0 where the rating is known. They are whole: a half enters texts otherwise in one program than another.
"""

from model.layout.line import Group, Line
from model.sheets.phases import LABELS, SIZED

_BASIS = "Where the rating is missing: what the arrays required must offer each; below it one more is needed; 0 = known"


def _unknown(key: str) -> str:
    return f'COUNTIF({{ratio_{key}}},"=-1")'


def _rating(key: str, what: str, unit: str, unknown: str, demand: str) -> Line:
    """Return the figure below which a rating that is missing adds an array."""
    formula = f"=IF({unknown}>0,ROUNDUP(ROUND({demand}/{{arrays_loaded}},1),0),0)"
    return Line(f"break_even_{key}", f"An array more, below this {what}", unit, formula, _BASIS, output=True)


def _phase(phase: str) -> Line:
    unknown = f"{_unknown(phase)}*(1-{{{phase}_mix_missing}})"
    return _rating(phase, f"supply in {LABELS[phase]}", "IOPS", unknown, f"{{{phase}_iops}}")


def _words(key: str, label: str, *parts: tuple[str, str, str]) -> Line:
    texts = [
        f'REPT("{words} "&TEXT({{break_even_{each}}},"0")&" {unit}, ",SIGN({{break_even_{each}}}))'
        for each, words, unit in parts
    ]
    return Line(key, label, "text", "=" + "&".join(texts), "Empty where the rating is known", text_lines=1)


def _phase_words(key: str, label: str, *phases: str) -> Line:
    return _words(key, label, *((phase, f"{LABELS[phase]} below", "IOPS") for phase in phases))


ROWS: tuple[Line | Group, ...] = (
    Group("What an unchecked rating would have to be to add an array"),
    _rating(
        "capacity",
        "usable capacity",
        "GiB",
        f"{_unknown('capacity')}*{{fillable_ratio}}",
        "{capacity_required_gib}/{fillable_ratio}",
    ),
    *(_phase(phase) for phase in SIZED),
    _rating(
        "throughput",
        "throughput rating",
        "MB/s",
        _unknown("throughput"),
        f"MAX(0,{{range:throughput_{SIZED[0]}:throughput_{SIZED[-1]}}})",
    ),
    _rating(
        "vms_per_node", "count of virtual machines on a node", "count", _unknown("vms_per_node"), "{virtual_machines}"
    ),
    Line(
        "break_even_users_ms",
        "Base latency at which users reach their limit",
        "ms",
        "={latency_limit_ms}*(1-MAX(0,{ratio_login},{ratio_steady})*{utilisation_cap}/{arrays_loaded})",
        "L x (1 - utilisation of the arrays required), m = 1",
    ),
    Line(
        "break_even_boot_ms",
        "Base latency at which the boot reaches its limit",
        "ms",
        "={boot_latency_limit_ms}*(1-MAX(0,{ratio_boot})*{utilisation_cap}/{arrays_loaded})",
        "L x (1 - utilisation of the arrays required), m = 1",
    ),
    Line(
        "break_even_least_ms",
        "The smaller of the two, where no base latency is known",
        "ms",
        f"={_unknown('latency')}*(1-SIGN({{base_latency_ms}}))*MIN({{range:break_even_users_ms:break_even_boot_ms}})",
        "0 = one is known, or no limit",
    ),
    Line(
        "break_even_latency",
        "An array more, above this base latency",
        "us",
        "=ROUNDDOWN(ROUND(MAX(0,{break_even_least_ms})*{unit:us_per_ms},1),0)",
        "Where none is published: the smaller of the two above; 0 = known, or nothing can be told",
        output=True,
    ),
    _words(
        "break_even_sizes",
        "In words: capacity and throughput",
        ("capacity", "capacity below", "GiB"),
        ("throughput", "throughput below", "MB/s"),
    ),
    _phase_words("break_even_first", "In words: IOPS, first part", "provisioning", "boot"),
    _phase_words("break_even_second", "In words: IOPS, second part", "login", "steady"),
    _phase_words("break_even_third", "In words: IOPS, third part", "logoff", "patching"),
    _phase_words("break_even_fourth", "In words: IOPS, fourth part", "scheduled"),
    _words(
        "break_even_limits",
        "In words: latency and machines per node",
        ("latency", "base latency above", "us"),
        ("vms_per_node", "machines below", "a node"),
    ),
    Line(
        "break_even_list",
        "What unchecked ratings would have to be, in words",
        "text",
        "={break_even_sizes}&{break_even_first}&{break_even_second}&{break_even_third}&{break_even_fourth}"
        "&{break_even_limits}",
        "Empty where every rating is known, or nothing can be told",
        text_lines=4,
    ),
    Line(
        "unchecked_ratings_matter",
        "What an unchecked rating would have to be to add one",
        "text",
        '=IF(LEN({break_even_list})>0,"adds "&CHOOSE(1+{node_unit},"an array","a node")&": "&{break_even_list}&"each",'
        '"none")',
        "The figures above, of each array or node",
        output=True,
        text_lines=5,
    ),
)
