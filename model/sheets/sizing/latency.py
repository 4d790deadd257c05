"""Latency: what users see at the arrays in the design, what a failure does to it, and how many desktops still fit."""

from model.layout import gridwriter, table
from model.layout.line import Group, Line
from model.sheets.catalogue.phases import LABELS, SIZED
from model.sheets.sizing import card_checks
from model.sheets.sizing.constraints import IOPS_RATIOS, SEEN_RATIOS


def _break_even(phase: str) -> Line:
    """Return the supply in a phase below which a rating that is missing adds an array."""
    unknown = f'COUNTIF({{ratio_{phase}}},"=-1")*(1-{{{phase}_mix_missing}})'
    return Line(
        f"break_even_{phase}",
        f"One more array below this supply in {LABELS[phase]}",
        "IOPS",
        f"=IF({unknown}>0,ROUNDUP(ROUND({{load_{phase}}}/{{fixed:arrays_loaded}},1),0),0)",
        "Where the rating is missing: what each array must offer; below it one more is needed; 0 = known",
        output=True,
    )


def _in_words(key: str, name: str, unit: str = "", way: str = "below") -> Line:
    """Return a value in words, with the unit of its line where no other is given."""
    words, told = f"{key}_words", f'" {unit}, "' if unit else f'" "&{{unit_of:{key}}}&", "'
    return Line(
        words,
        name,
        "text",
        f'=REPT({{label:{words}}}&" {way} "&TEXT({{{key}}},"0")&{told},SIGN({{{key}}}))',
        "Empty where the rating is known",
        text_lines=1,
    )


_WORDS = (  # in the order of the values: the first ones share a formula
    _in_words("break_even_capacity", "capacity"),
    *(_in_words(f"break_even_{phase}", LABELS[phase]) for phase in SIZED),
    _in_words("break_even_throughput", "throughput"),
    _in_words("break_even_latency", "base latency", "us", "above"),
    _in_words("break_even_vms_per_node", "machines", "a node"),
)
_CAPACITY, *_PHASES, _THROUGHPUT, _BASE_LATENCY, _MACHINES = _WORDS
_LISTED = (_CAPACITY, _THROUGHPUT, *_PHASES, _BASE_LATENCY, _MACHINES)
_RATINGS_WORDS: tuple[Line | Group, ...] = (
    Group("The same in words"),
    *_WORDS,
    Line(
        "break_even_list",
        "Values at which unchecked ratings add an array, in words",
        "text",
        "=" + "&".join(f"{{{line.key}}}" for line in _LISTED),
        "Empty where every rating is known, or the load is unknown",
        text_lines=4,
    ),
)

SHEET = table.sheet(
    __file__,
    "Latency",
    "Latency, what a failure does to it, how many desktops still fit, and what a data sheet leaves open",
    rows={
        "phase_ratings": [_break_even(phase) for phase in SIZED],
        "ratings_words": _RATINGS_WORDS,
        "card_checks": card_checks.ROWS,
    },
    texts={"IOPS_RATIOS": IOPS_RATIOS, "SEEN_RATIOS": SEEN_RATIOS},
    title="Latency, failover and room",
)
TAB = gridwriter.tab(
    "Latency", "Latency, failover, how many desktops still fit, what a data sheet leaves open", lambda _: SHEET
)
