"""The lines of Capacity that end it: how many GiB more an assumed figure stores at either end of its range.

Data reduction has its range on Lists; the write cache and the usable share of a raw capacity have that which their
source states (`units.py`). A smaller usable share stores nothing more, but the same takes more of an array: its GiB
are those that would. Outcome sizes with each of them alone, then with all at once.
"""

from model.layout.line import Group, Line
from model.sheets.catalogue import by_profile

# key, name in words, what it stores, its two columns on Lists
REDUCED = (
    ("user_data", "data reduction of user data and containers", "user_data_physical_gib",
     "{component:%s_%s:user data and profiles}"),
    ("disk", "data reduction of desktops' disks", "disks_physical_gib", "INDEX({method:%s_%s},{method_row})"),
)  # fmt: skip
OTHERS = (("cache", "space written per desktop"), ("share", "usable share of raw capacity"))
_REDUCED_ENDS = tuple((key, name, end) for key, name, *_ in REDUCED for end in ("low", "high"))
ENDS = (*_REDUCED_ENDS, *(("cache", OTHERS[0][1], end) for end in ("high", "low")),
        *(("share", OTHERS[1][1], end) for end in ("low", "high")))  # fmt: skip
"""Key, name and end of each figure in the order of its lines: the end that needs more first."""


def _open(key: str, name: str, stored: str, _: str) -> Line:
    return Line(
        f"{key}_assumed_gib",
        f"GiB stored by an assumed {name}",
        "GiB",
        f"=COUNTIF({{{key}_reduction}},{{{key}_reduction_likely}})*{{{stored}}}*SIGN({{usable_after_headroom_gib}})",
        "The likely value is used: neither entered nor encrypted; 0 also where no usable capacity is known",
        output=True,
    )


def _end(key: str, name: str, table: str, end: str) -> Line:
    plain, inline = (table % (kind, end) for kind in ("plain", "inline"))
    return Line(
        f"{key}_{end}",
        f"Assumed {name}, {end}",
        "x:1",
        f"=SUM(CHOOSE(1+SIGN({{array_inline}}),{plain},{inline}))",
        "Lists; the array's own caps it below; 0 = an own method has no range",
        output=True,
    )


def _top(key: str, name: str) -> Line:
    return Line(
        f"{key}_high_or_sold",
        f"Highest {name} sold or published",
        "x:1",
        f"=CHOOSE(1+SIGN({{fixed:array_reduction}}),{{{key}_high}},MAX(1,{{fixed:array_reduction}}))",
        "What the array is sold with, else the row above; 0 = an own method has no range",
    )


def _reduced(key: str, end: str) -> str:
    cell = f"{{{key}_{end}}}"
    return (
        f"={{fixed:{key}_assumed_gib}}*SIGN({cell})*({{fixed:{key}_reduction}}/MAX(1,CHOOSE(1+SIGN({{fixed:array_reduction}}),"
        f"{cell},MIN({cell},{{fixed:array_reduction}})))-1)"
    )


_MORE = {  # the formula of the first end; the second has the next row of Units
    "cache": "=IF(({fixed:cache_assumed}+SIGN({fixed:disk_stored_gib}))*{fixed:usable_after_headroom_gib}>0,"
    "{fixed:cache_physical_gib}*(CHOOSE(1+SIGN({fixed:disk_stored_gib}),{sliding:unit:write_cache_gib_high}"
    "/{fixed:write_cache_gib},{sliding:unit:disk_used_ratio_high}/{fixed:disk_used_ratio})-1),0)",
    "share": "={fixed:share_assumed}*{fixed:capacity_required_gib}"
    "*({unit:raid_efficiency_ratio_assumed}/{sliding:unit:raid_efficiency_ratio_low}-1)",
}
_SECOND = {"high": "low", "low": "high"}


def _more(key: str, name: str, end: str) -> Line:
    if key in _MORE:
        first = next(each for figure, _, each in ENDS if figure == key)
        formula = _MORE[key] if end == first else _MORE[key].replace(f"_{first}}}", f"_{_SECOND[first]}}}")
    else:
        formula = _reduced(key, end)
    return Line(
        f"{key}_{end}_gib", f"GiB more at {name}, {end}", "GiB", formula, "Stored at that end, less what is stored"
    )


def _all(tag: str, words: str, ends: tuple[str, str, str, str]) -> Line:
    """Return the GiB more with every figure at an end: the cache by the reduction there, and all by the share."""
    data, disk, cache, share = (
        f"{{{key}_{end}_gib}}" for key, end in zip(("user_data", "disk", "cache", "share"), ends, strict=True)
    )
    required, disks = "{fixed:capacity_required_gib}", "{fixed:disks_physical_gib}"
    return Line(
        f"{tag}_gib",
        f"GiB more with all of them at their {words} ends",
        "GiB",
        f"=({required}+{data}+{disk}+{cache}*(1+{disk}/MAX(1,{disks})))*(1+{share}/MAX(1,{required}))-{required}",
        "At the reduction and the usable share of those ends",
    )


ROWS: tuple[Line | Group, ...] = (
    Group("Assumed, and what an end of its range would store"),
    *(_open(*each) for each in REDUCED),
    *(
        line
        for key, name, _, table in REDUCED
        for line in (*(_end(key, name, table, end) for end in ("low", "high")), _top(key, name))
    ),
    Line(
        "reduction_beyond",
        "Data reduction above what is sold or published",
        "flag",
        "=IF(OR({disk_reduction}*SIGN({disk_high_or_sold})>{disk_high_or_sold},{user_data_reduction}>{user_data_high_or_sold}),1,0)",
        "Of desktops' disks, or of user data and containers, as entered",
        output=True,
    ),
    Line(
        "cache_assumed",
        "The profile assumes the write cache",
        "flag",
        f'=SIGN(LEN({{{by_profile.ASSUMED_CACHE}}})-LEN(SUBSTITUTE({{{by_profile.ASSUMED_CACHE}}},", cache","")))'
        "*SIGN({write_cache_stored_gib})*{disks_here}",
        "1 = nobody entered it, and this array stores it",
    ),
    Line(
        "cache_physical_gib",
        "Write caches, difference disks, or clones' disks as shipped, after reduction",
        "GiB",
        "=({write_cache_stored_gib}+{disk_stored_gib}*{disks_here}*COUNTIF({disk_used_ratio},{unit:disk_used_ratio_assumed}))*{stored_ratio}*{virtual_machines}/{disk_reduction}",
        "Part of the desktops' disks; of full clones where the share written is the one that ships",
    ),
    Line(
        "share_assumed",
        "The usable share of the raw capacity is assumed",
        "flag",
        "=IF({array:raid_efficiency_ratio}={unit:raid_efficiency_ratio_assumed},"
        "SIGN({raw_gib}*{usable_after_headroom_gib})*(1-{node_unit}),0)",
        "1 = it ships so, and the array has no usable capacity of its own",
        output=True,
    ),
    *(_more(*each) for each in ENDS),
    _all("hard", "unfavourable", ("low", "low", "high", "low")),
    _all("fair", "favourable", ("high", "high", "low", "high")),
)
