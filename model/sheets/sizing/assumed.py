"""The lines of Outcome that name the assumed figures that decide: how many arrays at either end of each range.

A ratio scales with an assumed figure as that enters it, so an end is a row over the ratios of Sizing, no second model.
A figure that somebody entered is not assumed: it stays out. Each figure moves alone, then all of them together, as two
that do not decide alone may decide together.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from model.layout.line import Group, Line
from model.sheets.sizing import ends, stored_ends

_ENDS = ("low", "high")
_NAMES = {
    **{key: name for key, name, *_ in (*stored_ends.REDUCED, *stored_ends.OTHERS)},
    "boot": "I/Os of a boot",
    "write": "work of a write",
    "cap": "planned utilisation",
    "logoff": "log-off window",
}


def _need(figure: str, end: str, formula: str, basis: str) -> Line:
    name = f"Needed, unrounded, with {_NAMES[figure]}, {end} end"
    return Line(f"{figure}_{end}_need", name, "arrays", formula, basis)


def _stored(key: str, end: str) -> Line:
    more = f"{{{key}_{end}_gib}}"
    formula = (
        f"=IF({more}=0,0,MAX({{fixed:served_need}},{{fixed:ratio_capacity}}+{{fixed:failover_asked}}*"
        f"{{fixed:array_lost}}+{more}/MAX(1,{{fixed:usable_after_headroom_gib}})))"
    )
    return _need(key, end, formula, "Capacity with those GiB; 0 = nothing is assumed, or nothing changes")


def _boot_factor(end: str) -> Line:
    return Line(
        f"boot_{end}_factor",
        f"Need of the boot at the {end} end of the method's I/Os, over the likely",
        "ratio",
        f"=IF(AND({{boot_source_row}}*{{boot_work_ratio}}=1,{{boot_ios}}>0),"
        f"SUM(INDEX({{method:boot_{end}}},{{method_row}}))/MAX(1,{{method_boot_likely}}),0)",
        "Where nobody measured them; 0 = known, or no range",
        output=True,
    )


def _boot_used(end: str) -> Line:
    factor = f"{{boot_{end}_factor}}"
    label = f"Work of a boot at the {end} end, over that used"
    return Line(f"boot_{end}_used", label, "ratio", f"=MAX({factor},1-SIGN({factor}))", "1 = it does not move")


def _logoff_used(end: str) -> Line:
    over = f"({{fixed:logoff_window_min}}/{{sliding:unit:logoff_window_min_{end}}}-1)"
    return Line(
        f"logoff_{end}_used",
        f"Load of the log-off with its window at the {end} end, over that used",
        "ratio",
        f"=IF({{fixed:logoff_assumed}}>0,1+{over}*{{fixed:logoff_users_iops}}/{{fixed:load_logoff}},1)",
        "1 = it does not move",
    )


def _cap_used(end: str) -> Line:
    rho, card = (f"{{fixed:{key}}}/{{sliding:unit:{key}_{end}}}" for key in ("rho_cap_ratio", "card_cap_ratio"))
    return Line(
        f"cap_{end}_used",
        f"Planned utilisation used, over that at the {end} end",
        "ratio",
        f"=IF({{fixed:cap_assumed}}>0,CHOOSE(1+{{fixed:card_in_use}},{rho},{card}),1)",
        "Range of the assumption on Inputs or, for a data sheet, on More inputs; 1 = it does not move",
    )


def _used(figure: str, end: str) -> str:
    return f"={{fixed:{figure}_{end}_used}}"


def _alone() -> Iterator[ends.Ends]:
    """Yield every figure but the reductions at either end; of a write the work of 1 and of 4 reads, as Latency."""
    used = "=MAX(0,{{ratio_{0}}})"
    for figure in ("boot", "cap", "logoff", "write"):
        for end, column in zip(_ENDS, ("cheap", "dear"), strict=True):
            block = ends.Ends(f"{figure}_{end}", f"{_NAMES[figure]}, {end} end", used)
            used = f"=MAX(0,{{{{{block.tag}_{{0}}}}}})"  # as the block above
            if figure == "boot":
                yield replace(block, boot=_used(figure, end))
            elif figure == "cap":
                yield replace(block, planned=_used(figure, end))
            elif figure == "logoff":
                yield replace(block, logoff=_used(figure, end))
            else:
                yield replace(block, phase=f"={{{{card_{column}_{{0}}}}}}")


def _together(tag: str, name: str, fewer: str, boot: str, others: str) -> ends.Ends:
    """Return what moves where every assumed figure is at one end, of a write that which needs `fewer` arrays or not."""
    chosen = f"IF({{{{fixed:card_need_cheap}}}}{fewer}{{{{fixed:card_need_dear}}}}"
    return ends.Ends(
        tag,
        name,
        f"={chosen},{{{{card_cheap_{{0}}}}}},{{{{card_dear_{{0}}}}}})",
        _used("boot", boot),
        _used("logoff", others),
        _used("cap", others),
        f"=MAX(0,{{ratio_capacity}}+{{{tag}_gib}}/MAX(1,{{usable_after_headroom_gib}}))",
    )


_TOGETHER = (
    _together("fair", "all assumed figures at their favourable ends", "<=", "low", "high"),
    _together("hard", "all assumed figures at their unfavourable ends", ">", "high", "low"),
)
_BLOCKS = (*_alone(), *_TOGETHER)


def _of_block(block: ends.Ends) -> Line:
    return Line(
        f"{block.tag}_need",
        f"Needed, unrounded, with {block.name}",
        "arrays",
        f"={{{block.tag}_largest}}",
        "The block above",
    )


_NEEDS = (
    *(_stored(key, end) for key, _, end in stored_ends.ENDS),
    *map(_of_block, _BLOCKS),
)


def _count(need: Line) -> Line:
    formula = (
        f"=IF({{{need.key}}}>0,MAX(1,{{fixed:least_nodes}},ROUNDUP({{{need.key}}},0))+{{fixed:nodes_spare}},"
        "{fixed:arrays_required})"
    )
    name = need.label.removeprefix("Needed, unrounded, with ")
    return Line(need.key.replace("_need", "_count"), name, "arrays", formula, "Rounded up; else as required")


def _words(count: Line) -> Line:
    known = f"COUNTIF({{{count.key}}},{{fixed:arrays_required}})"
    return Line(
        count.key.replace("_count", "_words"),
        f"In words: {count.label}",
        "text",
        f'=REPT("; "&TEXT({{{count.key}}},"0")&" with "&{{label:{count.key}}},1-{known})',
        "Empty where it stays",
    )


def _beyond(count: Line) -> Line:
    """Return the words of all figures together: only where they say more than one of them, or than the count."""
    singles = f"{{fixed:{_COUNTS[0].key}:{_COUNTS[-len(_TOGETHER) - 1].key}}}"
    said = f"COUNTIF({singles},{{{count.key}}})+COUNTIF({{{count.key}}},{{fixed:arrays_required}})"
    return Line(
        count.key.replace("_count", "_words"),
        f"In words: {count.label}",
        "text",
        f'=REPT("; "&TEXT({{{count.key}}},"0")&" with "&{{label:{count.key}}},1-SIGN({said}))',
        "Empty where it stays, or one figure alone does as much",
    )


_COUNTS = tuple(_count(need) for need in _NEEDS)
_TEXTS = (*map(_words, _COUNTS[: -len(_TOGETHER)]), *map(_beyond, _COUNTS[-len(_TOGETHER) :]))

# key and name of each figure among those assumed, 1 where it is assumed and in use, and when it is
_IN_USE = (
    ("reduction_in_use", "data reduction", "=SIGN({user_data_assumed_gib}+{disk_assumed_gib})", "Of what is stored"),
    ("stored_cache_in_use", _NAMES["cache"], "={cache_assumed}", "The profile's"),
    ("boot_in_use", _NAMES["boot"], "=SIGN({boot_low_factor})", "Nobody measured them"),
    (
        "logoff_assumed",
        _NAMES["logoff"],
        "=COUNTIF({logoff_window_min},{unit:logoff_window_min_assumed})*SIGN(MAX(0,{logoff_users_iops}))"
        "*SIGN({ios_per_logoff}+{logoff_run_min})",
        "No other is entered; 0 also where log-offs are given in IOPS of that window",
    ),
    ("share_in_use", _NAMES["share"], "={share_assumed}", "No usable capacity is printed or typed"),
    ("write_in_use", _NAMES["write"], "={card_open}", "Not given for the array"),
    (
        "cap_assumed",
        _NAMES["cap"],
        "=SIGN({flash_iops})*CHOOSE(1+{card_in_use},COUNTIF({rho_cap_ratio},{unit:rho_cap_ratio_assumed}),"
        "COUNTIF({card_cap_ratio},{unit:card_cap_ratio_assumed}))",
        "Nobody entered another; drives have none",
    ),
)
_LOAD = ("reduction_in_use", "stored_cache_in_use", "boot_in_use", "logoff_assumed")
_OF_ARRAY = ("share_in_use", "write_in_use", "cap_assumed")


def _in_use() -> tuple[Line | Group, ...]:
    lines = (
        Line(key, name, "flag", formula, f"1 = assumed and in use. {basis}") for key, name, formula, basis in _IN_USE
    )
    used = (row(end) for row in (_boot_used, _logoff_used, _cap_used) for end in _ENDS)
    return (Group("Assumed, and in use"), *lines, *used)


def _short(key: str) -> str:
    return key.removesuffix("_in_use").removesuffix("_assumed")


def _named() -> Iterator[Line]:
    """Yield whether each figure changes the count, and its name by that."""
    keys = [(key, name, _short(key)) for key, name, *_ in _IN_USE]
    for key, name, short in keys:
        left = f'SUBSTITUTE({{fixed:assumed_list}},{{label:{key}}},"")'
        formula = f"={{{key}}}*SIGN(LEN({{fixed:assumed_list}})-LEN({left}))"
        yield Line(f"{short}_decides", f"It changes the count: {name}", "flag", formula, "Alone")
    for which, label, flag in (
        ("first", "In words, where it changes the count", "{{{1}_decides}}"),
        ("last", "In words, where it does not", "{{{0}}}-{{{1}_decides}}"),
    ):
        for key, name, short in keys:
            text = f'=REPT(", "&{{label:{key}}},{flag.format(key, short)})'
            yield Line(f"{short}_{which}", f"{label}: {name}", "text", text, "Empty where it is not")


def _listed(keys: Iterable[str]) -> str:
    """Return the names of figures, those that change the count first."""
    chosen = list(map(_short, keys))
    return "&".join(f"{{{key}_{which}}}" for which in ("first", "last") for key in chosen)


ROWS: dict[str, Sequence[Line | Group]] = {  # for outcome.rows
    "assumed_factors": tuple(map(_boot_factor, _ENDS)),
    "assumed_in_use": _in_use(),
    "ends": tuple(row for block in _BLOCKS for row in ends.rows(block)),
    "needs": _NEEDS,
    "counts": (*_COUNTS, *_TEXTS),
    "assumed_named": tuple(_named()),
}
TEXTS = {
    "ASSUMED_TEXTS": "&".join(f"{{{line.key}}}" for line in _TEXTS),
    "ASSUMED_LOAD": _listed(_LOAD),
    "ASSUMED_ARRAY": _listed(_OF_ARRAY),
}
