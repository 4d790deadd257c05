"""The figures on Summary that checks read: what is entered and what must agree, each a formula with a label."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from openpyxl.utils import get_column_letter

from model.layout.grid import BASE, FIRST_PUBLISHED, INPUT_SHEETS, MIX, OWN_ARRAYS, Layout, quoted
from model.reading.records import Data
from model.sheets.catalogue import all_arrays, mix, own_rows
from model.sheets.proof import numbers
from model.sheets.sizing import outcome, timeline

WHOLE = "0"


@dataclass(frozen=True)
class Figure:
    """A figure of the base design. Its formula names lines in braces and other figures in brackets."""

    key: str
    label: str
    formula: str
    form: str = "0.00"


def figures(data: Data, layout: Layout) -> tuple[Figure, ...]:
    """Return the figures in their order on the sheet."""
    return (*_entered(data, layout), *_agreeing(layout), *_own_rows(data, layout), *_not_numbers(data, layout))


def _not_numbers(data: Data, layout: Layout) -> Iterator[Figure]:
    """Yield how many cells hold something else where a figure belongs, and how many designs a row with an error."""
    for n, (place, formula) in enumerate(numbers.places(data, layout), 1):
        yield Figure(f"not_numbers_{n}", f"{place}: cells without a number where one belongs", formula, WHOLE)
    first, last = get_column_letter(BASE), get_column_letter(FIRST_PUBLISHED - 1)
    for n, sheets in enumerate(outcome.BEHIND, 1):
        row = layout.lines[f"rows_faulty_{n}"][1]
        label = f"Designs with an error in a row of {', '.join(sheets)}"
        yield Figure(f"rows_faulty_{n}", label, f"=SUM({outcome.NAME}!{first}{row}:{last}{row})", WHOLE)


def catalogue_rows(layout: Layout) -> range:
    """Return the rows of Design that find a choice in its catalogue."""
    return range(layout.lines["array_row"][1], layout.lines["default_row"][1] + 1)


def _entered(data: Data, layout: Layout) -> Iterator[Figure]:
    """Yield how many cells of the inputs are filled, by what they must be."""
    last = get_column_letter(FIRST_PUBLISHED - 1)
    choices = f"Design!D{catalogue_rows(layout)[0]}:{last}{catalogue_rows(layout)[-1]}"
    first, others = INPUT_SHEETS
    overrides = min(layout.inputs[i.key][1] for i in data.inputs if i.group.startswith("Phase"))
    required = "{}!D{}:D{},{}!D{}:D{}".format(
        quoted(first), *layout.input_rows(first), quoted(others), layout.input_rows(others)[0], overrides - 1
    )
    found = "!".join(timeline.card("found"))
    yield Figure("choices_found", "Choices found in the catalogues", f"=COUNT({choices},{found})", WHOLE)
    parts = _counted(_optional_areas(data, layout))
    for n, formula in enumerate(parts, 1):
        yield Figure(f"optional_entered_{n}", f"Optional inputs of the base design entered, part {n}", formula, WHOLE)
    entered = f"=COUNTA({required})-SUM([optional_entered_1]:[optional_entered_{len(parts)}])"
    yield Figure("required_entered", "Required inputs of the base design entered", entered, WHOLE)
    needed = (item.key for item in data.inputs if item.key in layout.start and not item.optional)
    filled = ",".join("!".join(layout.typed(key)) for key in needed)
    yield Figure("start_entered", "Required cells of Answer entered", f"=COUNTA({filled})", WHOLE)
    yield Figure("whatifs_entered", "What-if cells in use", f"=COUNTA({layout.what_ifs('E', last)})", WHOLE)


def _agreeing(layout: Layout) -> Iterator[Figure]:
    """Yield what is computed in two ways, one over the other or one less the other."""
    first, last = get_column_letter(FIRST_PUBLISHED), get_column_letter(layout.columns.stop - 1)
    margin = layout.lines["demonstrated_margin"][1]
    faults = layout.lines["served_faults"][1]
    yield from (
        Figure("supply_against_tests", "Least supply over what a test demonstrated",
               f"=MIN(Performance!{first}{margin}:{last}{margin})"),
        Figure("beyond_tests", "More desktops per array than any published test; 0 = fewer, or no test of this array",
               "={beyond_evidence}*SIGN({demonstrated_desktops})", WHOLE),
        Figure("count_margin", "Arrays required above the largest ratio, at most 1",
               "=MIN(1,{arrays_loaded}-{ratio_largest})"),
        Figure("capacity_margin", "Capacity summed per desktop over capacity summed in total",
               "=IF({capacity_required_gib}>0,({desktop_physical_gib}*{provisioned_desktops}+{images_physical_gib})"
               "/{capacity_required_gib},1)"),
        Figure("starts_conserved", "Start rate x minutes over the desktops booted",
               "=IF({boot_minutes}>0,{effective_start_rate}*({boot_minutes}-{boot_tail_min})/{boot_desktops},1)"),
        Figure("served_faults", "Phases whose served IOPS miss the demand, all designs and tests",
               f"=SUM(Storms!{get_column_letter(BASE)}{faults}:{last}{faults})", WHOLE),
        Figure("boot_latency_over_limit", "Boot latency over its limit; 0 = no figure, 2 = saturated",
               "=IF({boot_latency_limit_ms}*(1-{boot_limit_below}),SUM({boot_latency_ms})/{boot_latency_limit_ms}"
               "+(1-COUNT({boot_latency_ms}))*SIGN({latency_reach})*(1+{boot_storm_utilisation}),0)"),
    )  # fmt: skip


def _own_rows(data: Data, layout: Layout) -> Iterator[Figure]:
    """Yield whether the user's own rows hold something, but not what sizing needs."""
    before = [each.key for each in _agreeing(layout)][-1]
    for n, name in enumerate(OWN_ARRAYS):
        label = f"{name}: started, but faulty or without a supply figure"
        yield Figure(f"array_{n + 1}_unusable", label, _array_formula(data, layout, before, n), WHOLE)
    for name, formula in own_rows.unusable(data).items():
        yield Figure(f"{name}_unusable", f"{name}: started but incomplete, or its name is used twice", formula, WHOLE)
    row = layout.lines["profile"][1]
    profiles = f"Design!{get_column_letter(BASE)}{row}:{get_column_letter(FIRST_PUBLISHED - 1)}{row}"
    yield Figure("groups_unused", f"{MIX}: users are typed, and no design has them as its workload",
                 f'=IF({{groups:users}}>0,1-SIGN(COUNTIF({profiles},"{MIX}")),0)', WHOLE)  # fmt: skip
    columns = f"{get_column_letter(BASE + 1)}{{0}}:{get_column_letter(FIRST_PUBLISHED - 1)}{{0}}"
    weighing = [f"{quoted(sheet)}!{columns.format(row)}" for sheet, row in (layout.inputs[k] for k in mix.WEIGHING)]
    yield Figure("groups_weighed", f"{MIX}: what-ifs type what weighs the groups",
                 f"=SIGN({{groups:users}})*COUNT({','.join(weighing)})", WHOLE)  # fmt: skip
    yield Figure("cache_untold", "Host cache: a figure is not published", "=SIGN(LEN({cache_missing}))", WHOLE)


def _optional_areas(data: Data, layout: Layout) -> list[str]:
    """Return the base cells of the optional inputs before the overrides, neighbours as one area."""
    places = sorted(layout.inputs[i.key] for i in data.inputs if i.optional and not i.group.startswith("Phase"))
    starts = [(sheet, row) for sheet, row in places if (sheet, row - 1) not in places]
    ends = [row for sheet, row in places if (sheet, row + 1) not in places]
    return [
        f"{quoted(sheet)}!D{a}" if a == b else f"{quoted(sheet)}!D{a}:D{b}"
        for (sheet, a), b in zip(starts, ends, strict=True)
    ]


def _counted(areas: Iterable[str]) -> list[str]:
    """Return formulas that count what is filled, each of as many areas as can be read."""
    formulas: list[str] = []
    for area in areas:
        longer = f"{formulas[-1][:-1]},{area})" if formulas else ""
        if longer and len(longer) <= numbers.LONGEST:
            formulas[-1] = longer
        else:
            formulas.append(f"=COUNTA({area})")
    return formulas


def _array_formula(data: Data, layout: Layout, before: str, card: int) -> str:
    """Return 1 when something is typed of one of the user's own arrays, but nothing that serves, or a card at fault."""
    first, last = (get_column_letter(all_arrays.column(data, card)) for card in (0, len(OWN_ARRAYS) - 1))
    rows = (layout.blocks[f"arrays:{key}"].first_row for key in ("card_started", "array_unrated"))
    number = f"ROWS([labels {before}]:[label {f'array_{card}_unusable' if card else before}])"  # of rows above
    return "=" + "*".join(f"INDEX({quoted(all_arrays.NAME)}!${first}${row}:${last}${row},1,{number})" for row in rows)
