"""Design: the value every design uses. A blank what-if inherits the base; a blank override takes the catalogue's."""

from model.layout import gridwriter
from model.layout.line import GridSheet, Group, Line
from model.reading.catalogue import PHASE_FIGURES
from model.reading.records import Data, Input
from model.sheets.inputs import text_lines

_NOT_ENTERED = "{unit:code_missing}"  # no number but a word: Demand tests it before it counts
OF_ITS_ARRAY = ("array_price", "arrays_installed", "cache_state")  # a design with another array does not inherit them
_NO_CACHE = "INDEX({cache_names},1,1)"
_ELSE = {"0": "0: not entered", _NOT_ENTERED: "not entered"}
_FALLBACK = {
    "arrays_installed": "0",
    "most_desktops_per_array": "0",
    "burst_ratio": "0",
    "latency_limit_ms": "SUM({class_limit_ms})",
    "host_start_rate_per_min": "0",
    "hosts": "0",
    "starts_at_once": "0",
    "boot_wanted_min": "0",
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
    "container_steady_iops": _NOT_ENTERED,
    "container_signin_iops": _NOT_ENTERED,
    "container_signout_iops": _NOT_ENTERED,
    "container_signin_s": _NOT_ENTERED,
    "container_read_ratio": _NOT_ENTERED,
    "container_block_kib": _NOT_ENTERED,
    "scheduled_ios": _NOT_ENTERED,
    "scheduled_gib": _NOT_ENTERED,
    "scheduled_window_min": "0",
    "scheduled_read_ratio": "0",
    "scheduled_block_kib": "0",
    "array_price": "{quoted_price}",
    "container_array_price": "{container_listed_price}",
}


def _reduction(key: str, label: str, cell: str) -> Line:
    """Return the likely data reduction of a component, with or without inline reduction; the array's own caps it."""
    inline, plain = cell.format("inline"), cell.format("plain")
    return Line(
        f"{key}_reduction_likely",
        f"Likely data reduction of {label}",
        "x:1",
        f"=MIN({{reduction_cap}},IF({{array_inline}}>0,{inline},{plain}))",
        "With or without inline reduction, Provisioning sheet; at most the array's own",
    )


_CATALOGUE_LINES: tuple[Line | Group, ...] = (
    Group("Rows found in the catalogues"),
    Line("array_row", "Column of the array", "count", "=MATCH({array},{array_names},0)", "Position on All arrays"),
    Line(
        "profile_row",
        "Row of the profile",
        "count",
        "=MATCH({profile},{profile_names},0)",
        "Position on Workloads; an own one without figures stands there under no name",
    ),
    Line(
        "method_row",
        "Row of the method",
        "count",
        "=MATCH({provisioning},{method_names},0)",
        "Position on Provisioning",
    ),
    Line(
        "hypervisor_row",
        "Row of the hypervisor",
        "count",
        "=MATCH({hypervisor},{hypervisor_names},0)",
        "Position on Provisioning",
    ),
    Line(
        "encryption_row",
        "Row of the encryption",
        "count",
        "=MATCH({guest_encryption},{encryption_names},0)",
        "Position on Provisioning",
    ),
    Line(
        "container_array_row",
        "Column of the containers' array",
        "count",
        "=MATCH({container_array},{array_names},0)",
        "Position on All arrays",
    ),
    Line(
        "cache_row",
        "Row of the host cache",
        "count",
        "=MATCH({cache_state},{cache_names},0)",
        "Position on Provisioning",
    ),
    Line(
        "default_row",
        "Row of what travels with the profile",
        "count",
        "=MATCH({profile},{default_names},0)",
        "Position on Defaults",
    ),
    Line(
        "swap_files",
        "Desktops have swap files",
        "flag",
        "=INDEX({hypervisor:swap},{hypervisor_row})*INDEX({method:swap},{method_row})",
        "By hypervisor and method, Provisioning sheet",
    ),
    Line(
        "container_here",
        "Containers stand on this array",
        "flag",
        '=IF({container_place}="this array",1,0)',
        "Choice on Inputs",
    ),
    Line(
        "container_away",
        "Containers stand on another array",
        "flag",
        '=IF({container_place}="another array",1,0)',
        "Choice on Inputs",
    ),
    Line(
        "profile_empty",
        "The profile chosen is an own one without figures",
        "flag",
        "=SIGN(COUNTIFS({default_names},{profile},{default:empty},1))",
        "My profiles; nothing can be sized with it",
    ),
    Line(
        "profile_todo",
        "What the choice of the profile lacks",
        "text",
        '=IF({profile_empty}>0,"fill "&{profile}&" on My profiles: login, IOPS at work, read share, block size",'
        '"choose a workload profile")',
        "Shown as the answer where no profile is found",
    ),
    *(
        Line(
            f"method_{column}",
            f"{label}, by the method",
            "I/O/desktop",
            f"=IF(COUNT(INDEX({{method:{column}}},{{method_row}}))=0,{{unit:code_missing}},"
            f"INDEX({{method:{column}}},{{method_row}}))",
            "Provisioning sheet; 0 = no such work, a blank is not published",
        )
        for column, label in (
            ("boot_likely", "I/Os of a boot"),
            ("patch_ios", "I/Os to patch a desktop"),
            ("provision_ios", "I/Os to provision a desktop"),
        )
    ),
    Line(
        "boot_read_method",
        "Read share of a boot, the method's",
        "ratio",
        "=IF(ISTEXT(INDEX({profile:read_ratio:boot},{profile_row})),"
        'INDEX({method:boot_read_ratio},{method_row}),"not asked")',
        "Provisioning, where an own profile says so; a catalogue profile without one is not published",
    ),
    Line(
        "boot_read_told",
        "Read share of a boot, the profile's or the method's",
        "ratio",
        "=SUM(INDEX({profile:read_ratio:boot},{profile_row}),{boot_read_method})",
        "One of the two; 0 = neither tells it, or all writes",
    ),
    Line(
        "method_stores_missing",
        "What the method stores is not told",
        "flag",
        "=SUM(INDEX({method:stores_missing},{method_row}))",
        "An own method lacks it: capacity cannot be checked",
    ),
    Line(
        "method_reduction_missing",
        "Data reduction of the method is not told",
        "flag",
        "=SUM(INDEX({method:reduction_missing},{method_row}))"
        "*(1-SIGN(COUNT({in:data_reduction_ratio},{base:data_reduction_ratio})))",
        "An own method lacks it, and none is entered: 1:1 counts, capacity cannot be checked",
    ),
    Line(
        "method_missing",
        "Missing of the method",
        "text",
        '=REPT("what the method stores, ",{method_stores_missing})&REPT("data reduction, ",{method_reduction_missing})',
        "Empty where nothing is",
    ),
    Line(
        "cache_missing",
        "Figures of the host cache that nobody published or entered",
        "text",
        '=INDEX({cache:missing},{cache_row})&""',
        "They count as nothing kept off the array",
        output=True,
    ),
    Line(
        "profile_year",
        "Year of the profile",
        "year",
        "=SUM(INDEX({default:year},{default_row}))",
        "Defaults sheet; 0 = not told",
        output=True,
    ),
    Line(
        "profile_age_years",
        "Age of the profile",
        "years",
        "=IF({profile_year}>0,MAX(0,{design_year}-{profile_year}),0)",
        "Year the design is for, less that; 0 = not told",
        output=True,
    ),
    Line(
        "profile_too_old",
        "The profile is too old to transfer",
        "flag",
        "=IF({profile_age_years}>{unit:profile_years},1,0)",
        "Demand does not transfer across ten years (-45 to -98 %): the answer says so",
        output=True,
    ),
    Line(
        "login_excess_ios",
        "I/Os of a login beyond steady work, the profile's",
        "I/O/desktop",
        "=SUM(INDEX({default:login_excess_ios},{default_row}))",
        "Defaults sheet; 0 = the profile tells its login in IOPS, or not at all",
    ),
    Line("cache_in_use", "A host cache is used", "flag", "=IF({cache_row}>1,1,0)", "The first row is none"),
    Line(
        "cache_on_disk",
        "It stands on a disk of the host",
        "flag",
        "={cache_in_use}*(1-SIGN(SUM(INDEX({cache:desktop_gib},{cache_row}))))",
        "Else in the memory of the desktops",
    ),
    Line(
        "cache_is_local",
        "Write caches stay on the host",
        "flag",
        "=INDEX({cache:local_write_cache},{cache_row})",
        "IntelliCache, pooled desktops",
    ),
    Line(
        "class_place",
        "Row of the array's class",
        "count",
        '=IFERROR(MATCH(INDEX({arrays:array_class},1,{array_row}),{class_names},0),"none")',
        "Position on Provisioning; none = no class entered",
    ),
    *(
        Line(
            key,
            label,
            unit,
            f'=IFERROR(INDEX({{class:{column}}},{{class_place}}),"none")',
            "Provisioning sheet; none = no class entered",
        )
        for key, label, unit, column in (
            ("class_limit_ms", "Latency limit of the array's class", "ms", "limit_ms"),
            (
                "class_swap_unwritten",
                "Share of swap files left unwritten",
                "ratio",
                "swap_unwritten",
            ),
        )
    ),
    Line(
        "array_faulty",
        "The card of the array cannot be read",
        "flag",
        "={array:card_fault}",
        "1 = begun on My arrays, and a cell there says what is wrong: nothing is sized on it",
        output=True,
    ),
    Line(
        "array_incomplete",
        "The array lacks capacity or what serves I/O",
        "flag",
        "={array:array_incomplete}",
        "Your own arrays only: such an array is no candidate",
        output=True,
    ),
    Line("listed_price", "Price told for the array", "USD", "={array:price_usd}", "All arrays; 0 = none"),
    Line(
        "quoted_price",
        "Quote on the card of the array",
        "USD",
        "={listed_price}*SIGN(COUNTIF({own_names},{array}))",
        "My arrays; a claim of a paper is no quote: 0 = none",
    ),
    Line(
        "container_listed_price",
        "Price told for the containers' array",
        "USD",
        "={container_array:price_usd}",
        "All arrays; 0 = none",
    ),
    Line(
        "array_inline",
        "The array reduces data inline",
        "flag",
        "={array:inline_reduction}",
        "All arrays; before it writes",
    ),
    Line(
        "array_reduction",
        "Data reduction the array is sold with",
        "x:1",
        "={array:reduction_ratio}",
        "All arrays; 0 = none stands there",
    ),
    Line(
        "reduction_cap",
        "Most data reduction of any component",
        "x:1",
        "=IF({array_reduction}>0,MAX(1,{array_reduction}),MAX({method:inline_likely},{component:inline_likely}))",
        "The array's own; without one the largest of Provisioning, which caps nothing",
    ),
    _reduction("disk", "desktops' disks", "INDEX({{method:{}_likely}},{{method_row}})"),
    _reduction("image", "images", "{{component:{}_likely:images}}"),
    _reduction("user_data", "user data and profiles", "{{component:{}_likely:user data and profiles}}"),
    _reduction("swap", "swap files", "{{component:{}_likely:swap files}}"),
)


_SAME_ARRAY = Line(
    "same_array",
    "The array is that of the base design",
    "flag",
    "=IF(EXACT({array},{base:array}),1,0)",
    "Only then price, arrays installed and host cache are inherited",
)
_MISSING = (
    Group("What is missing to size"),
    Line(
        "missing_choices",
        "Choices missing, in words",
        "text",
        '=REPT("Choose an array. ",1-COUNT({array_row}))&REPT("Choose a provisioning method. ",1-COUNT({method_row}))',
        "Empty where every one stands in its list",
        text_lines=4,
    ),
    Line(
        "missing_numbers",
        "Numbers missing, in words",
        "text",
        '=REPT("Enter the users. ",1-COUNT({desktops}))&REPT("Enter who works. ",1-COUNT({concurrent_ratio}))'
        '&REPT("Enter the growth. ",1-COUNT({growth_ratio}))',
        "Empty where every one is entered",
        text_lines=4,
    ),
    Line(
        "missing_profile",
        "Profile missing, in words",
        "text",
        "=REPT({profile_todo},1-COUNT({profile_row}))",
        "Empty where it has figures",
        text_lines=4,
    ),
    Line(
        "missing_words",
        "Missing to size, in words",
        "text",
        "={missing_numbers}&{missing_choices}&{missing_profile}",
        "Empty where a design can be sized",
        text_lines=4,
    ),
)


CATALOGUE_ROWS = tuple(line.key for line in _CATALOGUE_LINES if isinstance(line, Line) and line.key.endswith("_row"))


def _phase_fallback(item: Input) -> str:
    for suffix, column in PHASE_FIGURES.items():
        if item.key.endswith(f"_{suffix}"):
            phase = item.key[: -len(suffix) - 1]
            if (phase, column) == ("boot", "read_ratio"):
                return "{boot_read_told}"
            return f"SUM(INDEX({{profile:{column}:{phase}}},{{profile_row}}))"
    raise KeyError(item.key)


def _given(key: str, where: str, above_zero: bool) -> str:
    """Return 1 where an input's cell holds a figure, 0 where it is empty; of what cannot be 0, a 0 is no figure."""
    return f'COUNTIF({{{where}:{key}}},">0")' if above_zero else f"COUNT({{{where}:{key}}})"


def _travelling(item: Input) -> tuple[Line, ...]:
    """Return where the figure of an empty cell stands on Defaults, and the words that say what is used."""
    key, zero = item.key, bool(item.minimum)
    label, block = item.label.partition(" (blank")[0], f"{{default:{key}}}"
    return (
        Line(
            f"{key}_default_row",
            f"{label}: row of the default",
            "count",
            f"=1+COUNT(INDEX({block},{{default_row}}))*({{default_row}}-1)",
            "Row of the profile on Defaults; the first, the general default, where it has no figure",
        ),
        Line(
            f"{key}_source",
            f"{label}: where it comes from",
            "text",
            f'=IF({_given(key, "in", zero)}+{_given(key, "base", zero)}>0,"entered",'
            f"INDEX({{default_names}},{{{key}_default_row}}))",
            "What-if or base design, else the profile, else the general default",
            output=True,
        ),
    )


def _line(item: Input) -> Line:
    """Return the row of one input."""
    key = item.key
    if item.travels:
        zero = bool(item.minimum)
        fallback = f"INDEX({{default:{key}}},{{{key}_default_row}})"
        empty = f"MAX(0,{{in:{key}}})=0" if zero else f"COUNT({{in:{key}}})=0"
        formula = f"=IF({empty},CHOOSE(1+{_given(key, 'base', zero)},{fallback},{{base:{key}}}),{{in:{key}}})"
        return Line(key, item.label, item.unit, formula, "What-if, else base, else what travels with the profile")
    if not item.optional:
        if item.kind == "number":
            formula = f"=IF(COUNT({{in:{key}}})=0,CHOOSE(1+COUNT({{base:{key}}}),NA(),{{base:{key}}}),{{in:{key}}})"
            return Line(key, item.label, item.unit, formula, "What-if, else base; a blank is never 0")
        base, basis = f"{{base:{key}}}", "What-if, else base"
        if key in OF_ITS_ARRAY:
            base, basis = f"CHOOSE(1+{{same_array}},{_NO_CACHE},{base})", "What-if, else base if its array is the same"
        formula = f"=IF(ISBLANK({{in:{key}}}),{base},{{in:{key}}})"
        return Line(key, item.label, item.unit, formula, basis, text_lines=text_lines(item))
    fallback, same = _FALLBACK.get(key) or _phase_fallback(item), "*{same_array}" if key in OF_ITS_ARRAY else ""
    return Line(
        key,
        item.label,
        item.unit,
        f"=IF(COUNT({{in:{key}}})=0,CHOOSE(1+COUNT({{base:{key}}}){same},{fallback},{{base:{key}}}),{{in:{key}}})",
        f"What-if, else base{' if its array is the same' if same else ''}, else "
        + _ELSE.get(fallback, "the catalogue's"),
    )


def sheet(data: Data) -> GridSheet:
    """Return the Design sheet for the inputs of the data files."""
    rows: list[Line | Group] = []
    group = ""
    for item in data.inputs:
        if item.kind == "case":
            continue
        if item.group != group:
            if group == "Choices":
                rows.extend(_CATALOGUE_LINES)
                rows.append(Group("Where figures come from that travel with the profile"))
                rows.extend(line for each in data.travelling() for line in _travelling(each))
            group = item.group
            rows.append(Group(group))
        rows.append(_line(item))
        if item.key == "array":
            rows.append(_SAME_ARRAY)
    rows.extend(_MISSING)
    return GridSheet(
        "Design", "Design", "The value every design uses: what-if, else base design, else catalogue", tuple(rows)
    )


TAB = gridwriter.tab("Design", "The value every design uses", sheet)
