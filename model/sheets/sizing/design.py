"""Design: the value every design uses. A blank what-if inherits the base; a blank override takes the catalogue's."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from model.errors import BuildError
from model.layout import gridwriter, table
from model.layout.grid import GROUP_ROWS, MIX
from model.layout.line import GridSheet, Group, Line
from model.reading.catalogue import PHASE_FIGURES
from model.reading.inputs import Input
from model.reading.records import Data
from model.sheets.catalogue import by_profile, defaults, method_mix
from model.sheets.catalogue.own_rows import NOT_GIVEN
from model.sheets.catalogue.phases import JOINT_MIX, LABELS, MEASURED, MIXED, joint_heading, joint_mix_heading

_NOT_ENTERED = "{unit:code_missing}"  # no number but a word: Demand tests it before it counts
# a design with another array does not inherit them; choices become the first of their list
OF_ITS_SHARE = ("share_gib_price", "share_iops_price", "share_mib_price")  # a design with another share: neither
OF_ITS_ARRAY = ("array_price", "support_included_years", "price_covers_hosts", "arrays_installed", "cache_state")
MONEY = "Money"  # inputs of this group stand on Cost
_SHORT = (
    *("failover", "hypervisor", "price_region", "share_redundancy", "price_covers_hosts", "support_base"),
    *("replicated", "recreate_at_logoff", "arrival_shape", "share_credits"),
)
_LINES = {"array": 3, "profile": 3, **dict.fromkeys(_SHORT, 1)}  # of the longest entry of an input's list
_CHOICE_LINES = 2
_CHOICES = ("Desktops", "Choices")  # groups above the rows found in the catalogues
_BY_PHASE = "Phase"  # how the group of inputs begins that override the profile phase by phase
WHOLE_MIX = "steady_joint_read_ratio"  # says of a joint row whether its mixes count
BOOT_READ = ("boot", "read_ratio")
_FIRST_CHOICE = {"cache_state": "INDEX({cache_names},1,1)", "price_covers_hosts": "INDEX({yes_no},1,1)"}
_NEW_YEAR = "{new_year}"
_ELSE = {
    "0": "0: not entered",
    _NOT_ENTERED: "not entered",
    "{start_rate_per_min}": "the start rate",
    _NEW_YEAR: "1 January of the year of the design",
}
_NAMED = ("discount_ratio", "support_ratio")  # blank = 0, and Cost review says that it is not entered
_FALLBACK = {
    "arrays_installed": "0",
    "measured_row": _NOT_ENTERED,
    "most_desktops_per_array": "0",
    "burst_ratio": "0",
    "latency_limit_ms": "SUM({class_limit_ms})",
    "host_start_rate_per_min": "0",
    "boot_at": _NOT_ENTERED,
    "logins_at": _NOT_ENTERED,
    "hosts": "0",
    **{  # a blank counts as 0 and is named; a word is no number
        key: f"CHOOSE(1+COUNTA({{base:{key}}}),0,NA())" for key in _NAMED
    },
    "starts_at_once": "0",
    "boot_wanted_min": "0",
    "ondemand_start_rate_per_min": "{start_rate_per_min}",
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
    "container_steady_iops": "{share_steady_iops}",
    "container_signin_iops": _NOT_ENTERED,
    "container_signout_iops": _NOT_ENTERED,
    "container_signin_s": _NOT_ENTERED,
    "container_read_ratio": _NOT_ENTERED,
    "container_block_kib": "{share_block_kib}",
    "container_cache_ratio": "{share_cache_ratio}",
    "container_cache_gib": _NOT_ENTERED,
    "share_metadata_iops": _NOT_ENTERED,
    "share_count_least": "0",
    **dict.fromkeys(OF_ITS_SHARE, _NOT_ENTERED),
    **dict.fromkeys(("disk_boot_s", "disk_signin_s", "disk_signins"), "0"),
    **dict.fromkeys(("disk_vm_iops", "disk_vm_mb_s", "disk_local_gib", "disk_price"), "0"),
    "scheduled_ios": _NOT_ENTERED,
    "scheduled_gib": _NOT_ENTERED,
    "operation_rate_per_min": "0",
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
    "order_date": _NEW_YEAR,
    "array_price": "{quoted_price}",
    "container_array_price": "{container_quoted_price}",
}


def text_lines(item: Input) -> int:
    """Return how many lines the longest entry of an input's list fills."""
    return _LINES.get(item.key, _CHOICE_LINES)


def _phase_figure(item: Input) -> tuple[str, str]:
    """Return (phase, figure of the profiles) that an input overrides. Raises BuildError for another input."""
    suffix = next((suffix for suffix in PHASE_FIGURES if item.key.endswith(f"_{suffix}")), "")
    if not suffix:
        raise BuildError(
            f"inputs.csv: {item.key} may stay blank; what does a blank count as? Add {item.key} to _FALLBACK in "
            "model/sheets/sizing/design.py."
        )
    return item.key[: -len(suffix) - 1], PHASE_FIGURES[suffix]


def _of_joint_row(phase: str, figure: str, known: str) -> str:
    """Return the formula of a phase's read share or block size: that of the joint row where it counts, else known."""
    joint, factor = f"{{{phase}_joint_{figure}}}", f"{{{phase}_joint_{figure}_factor}}"
    return f"=IF({joint}*{factor}>0,{joint},{known})"


_BOOT_READ_TOLD = Line(
    "boot_read_told",
    "Read share of a boot, the profile's or the method's",
    "ratio",
    _of_joint_row(*BOOT_READ, "SUM(INDEX({profile:read_ratio:boot},{profile_row}),{boot_read_method})"),
    "Of the joint row, else one of the two; 0 = none gives it, or all writes",
)


def _published(item: Input) -> Iterator[Line]:
    """Yield what the profile says where an input may override it; of a boot's read share the method says more."""
    phase, figure = _phase_figure(item)
    if (phase, figure) == BOOT_READ:
        yield _BOOT_READ_TOLD
    else:
        cell = f"INDEX({{sliding:profile:{figure}:{phase}}},{{fixed:profile_row}})"
        formula, basis = f'=IF(ISNUMBER({cell}),{cell},"none")', "From Lists"
        if phase in MIXED and figure in JOINT_MIX:
            formula = _of_joint_row(phase, figure, f'CHOOSE(1+ISNUMBER({cell}),"none",{cell})')
            basis = "Of the joint row where all work has the profile of all, else from Lists"
        yield Line(
            f"{item.key}_published",
            f"{item.label}, by the profile",
            item.unit,
            formula,
            f"{basis}; none = not published, or given in another form",
        )


def _read_given(item: Input) -> Line:
    """Return whether the read share of a phase is known: entered, or told by the profile, of a boot by the method."""
    phase, _ = _phase_figure(item)
    told = f"{{{item.key}_published}}"
    if item.key == "boot_read_ratio":
        told = "INDEX({profile:read_ratio:boot},{profile_row}),{boot_read_method}"
    return Line(
        f"{phase}_read_given",
        f"{item.label} is known",
        "flag",
        f"=SIGN(COUNT({{in:{item.key}}},{{base:{item.key}}},{told}))",
        "Entered, or the profile's, or of a boot the method's; a blank is not published",
    )


def _phase_fallback(item: Input) -> str:
    return f"SUM({{{_BOOT_READ_TOLD.key if _phase_figure(item) == BOOT_READ else f'{item.key}_published'}}})"


def _given(key: str, where: str, above_zero: bool) -> str:
    """Return 1 where an input's cell holds a figure, 0 where it is empty; of what cannot be 0, a 0 is no figure."""
    return f'COUNTIF({{{where}:{key}}},">0")' if above_zero else f"COUNT({{{where}:{key}}})"


def _travelling(items: Sequence[Input]) -> Iterator[Line | Group]:
    """Yield which row of Lists has the figure of an empty cell, that figure, and the words that say what is used."""
    cell = "INDEX({default:travelling},%s,MATCH({label:%s},{default:headings},0))"
    yield Group("Row on Lists of what travels with the profile")
    for item in items:
        found = cell % ("{fixed:default_row}", key := f"{item.key}_default_row")
        yield Line(
            key,
            defaults.heading(item),
            "count",
            f"=1+COUNT({found})*({{fixed:default_row}}-1)",
            "That of the profile; the first, the general default, where it has no figure",
        )
    yield Group("What an empty cell takes from there")
    for item in items:
        found = cell % (f"{{{item.key}_default_row}}", key := f"{item.key}_default")
        yield Line(key, defaults.heading(item), item.unit, f"={found}", "The profile's, else the general default")
    yield Group("Where it comes from")
    for item in items:
        key, zero = item.key, bool(item.minimum)
        yield Line(
            f"{key}_source",
            f"{item.label.partition(' (blank')[0]}: where it comes from",
            "text",
            f'=IF({_given(key, "in", zero)}+{_given(key, "base", zero)}>0,"entered",'
            f"INDEX({{default_names}},{{{key}_default_row}}))",
            "What-if or base design, else the profile, else the general default",
            output=True,
        )


def used(item: Input) -> Line:
    """Return the row of one input: the value that a design uses."""
    key = item.key
    if item.travels:
        zero = bool(item.minimum)
        fallback = f"{{{key}_default}}"
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
    fallback = _FALLBACK.get(key) or _phase_fallback(item)
    of = "array" if key in OF_ITS_ARRAY else "share" if key in OF_ITS_SHARE else ""
    same = {"array": "*{same_array}", "share": "*{fixed:same_share}"}.get(of, "")
    if item.kind == "time":  # a text stays one: Demand says that it is no time
        formula = f"=IF(COUNTA({{in:{key}}})=0,CHOOSE(1+COUNTA({{base:{key}}}),{fallback},{{base:{key}}}),{{in:{key}}})"
        return Line(key, item.label, item.unit, formula, "What-if, else base; -1 = not entered")
    used_else = f"CHOOSE(1+COUNT({{base:{key}}}){same},{fallback},{{base:{key}}})"
    if key not in _FALLBACK:  # of a phase, far down: shorter
        formula = f"=IF(COUNT({{in:{key}}}),{{in:{key}}},{used_else})"
    else:
        formula = f"=IF(COUNT({{in:{key}}})=0,{used_else},{{in:{key}}})"
    return Line(
        key,
        item.label,
        item.unit,
        formula,
        f"What-if, else base{f' if its {of} is the same' if of else ''}, else "
        + ("0: not entered" if key in _NAMED else _ELSE.get(fallback, "the catalogue's")),
    )


def _inputs(items: Iterable[Input]) -> Iterator[Line | Group]:
    """Yield the rows of inputs under the headings of their groups, and what the profile says of those by phase."""
    for group, members in groupby(items, lambda item: item.group):
        found = tuple(members)
        if group.startswith(_BY_PHASE):
            yield Group("Figures of the profile, phase by phase")
            for item in found:
                yield from _published(item)
            yield from (_read_given(item) for item in found if _phase_figure(item)[1] == "read_ratio")
        yield Group(group)
        for item in found:
            yield used(item)


MEASURED_RATIOS = frozenset(f"{phase}_joint_ratio" for phase in MEASURED)


def _joint() -> Iterator[Line]:
    """Yield the figures of the joint row, then the share of each phase that it scales."""
    heads = {f"{phase}_joint_ratio": (joint_heading(phase), "ratio", "Over its design figure") for phase in MEASURED}
    for figure, (name, unit) in JOINT_MIX.items():
        for phase in MIXED:
            heads[f"{phase}_joint_{figure}"] = joint_mix_heading(phase, name, unit), unit, "At the peak, or over a run"
    for key, (label, unit, basis) in heads.items():
        found = f"INDEX({{measured:figures}},{{fixed:joint_row}},MATCH({{label:{key}}},{{measured:heads}},0))"
        yield Line(key, label, unit, f"=IF({{fixed:joint_row}}>0,SUM({found}),0)", f"{basis}; 0 = none")
    for phase in MEASURED:
        found = f"INDEX({{measured:parts}},MATCH({{label:{phase}_joint_ratio}},{{measured:part_names}},0))"
        formula = f"=IF(EXACT({{fixed:profile}},{{measured:profile}}),1,{found})"
        label = f"Share of {LABELS[phase]} that a joint row scales"
        basis = "1, or of the user groups' work that of groups with a profile measured"
        yield Line(f"{phase}_measured_ratio", label, "ratio", formula, basis, phase == "steady")
    for key, (label, _unit, _basis) in heads.items():
        found = f"INDEX({{measured:factors}},1,MATCH({{label:{key}}},{{measured:heads}},0))"
        whole = "INT({fixed:steady_measured_ratio})*" * (key not in MEASURED_RATIOS)  # a mix is of all the work
        formula = f"={whole}IF(EXACT({{fixed:profile}},{{measured:mix}}),{found},1)"
        basis = "Measured: all desktops over the types together; of a mix 0 unless all work has the profile of all"
        yield Line(
            f"{key}_factor", f"Factor: {label.partition(', ')[0].lower()}", "ratio", formula, basis, key == WHOLE_MIX
        )


def _joint_scales() -> Iterator[Line]:
    """Yield the scale with which each phase counts: of the joint row, of every phase and of its own."""
    for phase in MEASURED:
        ratio, part = f"{{{phase}_joint_ratio}}", f"{{{phase}_measured_ratio}}"
        whole = f"{{{phase}_joint_ratio_factor}}"
        yield Line(
            f"{phase}_total_scale_ratio",
            f"Scale that {LABELS[phase]} counts with",
            "ratio",
            f"=IF({ratio}>0,1-{part}+{part}*{ratio}*{whole},1)*{{fixed:demand_scale_ratio}}*{{{phase}_scale_ratio}}",
            "The ratio of the joint row, on its share x the scale on every phase x that of the phase alone",
        )


def _group_kept(number: int) -> Line:
    """Return what is left of a group's share of all that is written, by its method and at least by the array."""
    of_method = ",".join(f"{{sliding:groups:{kind}_likely:{number}}}" for kind in ("inline", "plain"))
    return Line(
        f"group_kept_{number}",
        f"Left of what group {number} writes",
        "ratio",
        f"=MAX(IF({{fixed:array_inline}}>0,{of_method}),{{sliding:groups:stored:{number}}}/{{fixed:reduction_cap}})",
        "By method or array, Lists",
    )


def of_cost(item: Input) -> bool:
    """Return whether an input belongs to Cost: money, except the prices that Shares reads first."""
    return item.group == MONEY and item.key not in OF_ITS_SHARE


def sheet(data: Data) -> GridSheet:
    """Return the Design sheet for the inputs of the data files."""
    items = [item for item in data.inputs if not item.once and not of_cost(item)]
    others = [item for item in items if item.group not in _CHOICES]
    return table.sheet(
        __file__,
        "Design",
        "The value every design uses: what-if, else base design, else catalogue",
        rows={
            "choices": tuple(_inputs(item for item in items if item.group in _CHOICES)),
            "travelling": tuple(_travelling(data.travelling())),
            "others": tuple(_inputs(item for item in others if not item.group.startswith(_BY_PHASE))),
            "joint": (*_joint(), *_joint_scales()),
            "phases": tuple(_inputs(item for item in others if item.group.startswith(_BY_PHASE))),
            "profile_assumes": by_profile.rows(),
            "groups_kept": tuple(_group_kept(number) for number in range(1, 1 + len(GROUP_ROWS))),
        },
        texts={
            "NOT_GIVEN": NOT_GIVEN,
            "MIX": MIX,
            "SESSION_HOSTS": defaults.SESSION_HOSTS,
            "UNLIKE": method_mix.UNLIKE,
        },
    )


TAB = gridwriter.tab("Design", "The value every design uses", sheet)
