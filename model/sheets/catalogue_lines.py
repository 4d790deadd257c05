"""The lines of Design that find a design's choices in the catalogues, and what the catalogues tell of them."""

from model.layout.line import Group, Line


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


LINES: tuple[Line | Group, ...] = (
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
        '"Choose a workload profile.")',
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

CATALOGUE_ROWS = tuple(line.key for line in LINES if isinstance(line, Line) and line.key.endswith("_row"))
