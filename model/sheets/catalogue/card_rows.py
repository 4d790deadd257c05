"""The rows of an array's card: what is typed, and beside it what the model makes of it.

`<key>` in a formula is the typed cell of a row, `[key]` the derived one beside it, both of the same card; other cells
are named in braces as on the grids. A derived cell that cannot give its figure says why, in words: no sum counts them.

    W = X (r + (1 - r) w)     the work of X IOPS at the read share r, in reads, where a write costs as much as w reads
    rho = 1 - S/L             how busy the array is at the latency L of that point, S being the lowest latency printed;
                              without S the point is taken as all the array can do
    C = W / rho               its capacity in reads
"""

from dataclasses import dataclass

from model.layout.line import Group


@dataclass(frozen=True)
class Row:
    """One row of a card. Rows with a field of `card_fields.csv` are typed; `label` and `unit` are for the others.

    `form` is the number format of the derived cell where it is not that of the unit.
    """

    key: str
    formula: str
    label: str = ""
    unit: str = ""
    note: str = ""
    form: str = ""


_GIB = '#,##0" GiB"'
_SHARE = 'CHOOSE(1+AND(<{0}>>=0,<{0}><=1),"0 to 1: 0.7 = 70 %",<{0}>)'


def _plain(key: str, otherwise: str = '""') -> Row:
    return Row(key, f"=IF(COUNT(<{key}>)=0,{otherwise},<{key}>)")


def _share(key: str, beside: str) -> Row:
    asked = f'REPT("enter the read share",COUNT({beside}))'
    return Row(key, f"=IF(COUNT(<{key}>)=0,{asked},{_SHARE.format(key)})")


def _gib(key: str, unit: str) -> Row:
    return Row(key, f'=IF(COUNT(<{key}>)=0,"",<{key}>*{{sliding:unit:{unit}}})', form=_GIB)


def _busy(latency: str) -> str:
    """Return how busy the array is at a latency above the lowest one, or that it is not above it."""
    return f'CHOOSE(1+SIGN(MAX(0,<{latency}>-<base_latency_ms>)),"too low",1-<base_latency_ms>/<{latency}>)'


_CAPACITIES = "<capacity_tb>:<capacity_gb>"
_TOTAL = "SUM([capacity_tb]:[capacity_gb])"

ENTERED: tuple[Row | Group, ...] = (
    Row(
        "name_state",
        '=REPT("this name is used twice",'
        "SIGN(MAX(0,COUNTIF(Tbl_Catalogue,<name>)+COUNTIF({own_array_names},<name>)-1)))",
        "Name of the array",
        "text",
        "Overwrite it in row 4; each name once, here and on Arrays",
    ),
    Row(
        "cells_filled",
        "=TEXT(SIGN(COUNT(<capacity_tb>:<capacity_gb>))+COUNTA(<capacity_kind>:<controllers_active>)"
        '+COUNT(<price>),"0")&" of seven"',
        "Cells filled of the seven that give an answer",
        "text",
        "Capacity, which capacity, IOPS, read share, latency, controllers, price",
    ),
    Group("As the data sheet prints it: seven cells, and what a failure takes out"),
    _gib("capacity_tb", "gib_per_tb"),
    _gib("capacity_tib", "gib_per_tib"),
    _gib("capacity_gb", "gib_per_gb"),
    Row(
        "capacity_kind",
        f"=IF(COUNT({_CAPACITIES})=1,IFERROR(MATCH(<capacity_kind>,{{capacity_kinds}},0),"
        '"which capacity?"),REPT("TB, TiB or GB?",SIGN(COUNTA(<capacity_tb>:<capacity_kind>))))',
        form='[=1]"raw";[=2]"usable";"effective"',
    ),
    _plain("iops", 'REPT("enter the IOPS",SIGN(COUNT(<read_ratio>:<latency_ms>)))'),
    _share("read_ratio", "<iops>"),
    Row(
        "latency_ms",
        '=IF(COUNT(<latency_ms>)=0,REPT("enter it",COUNT(<iops>)),CHOOSE(1+COUNT(<base_latency_ms>),1,'
        f"{_busy('latency_ms')}))",
        form='0%" busy"',
    ),
)
FIRST_FIELDS: tuple[Row, ...] = (
    _plain("controllers_active", 'REPT("failover not checked",COUNT(<iops>))'),
    Row("failover_kind", '=IF(LEN(<failover_kind>)>0,<failover_kind>,REPT("controller",COUNT(<controllers_active>)))'),
    _plain("price", 'REPT("enter a quote",COUNT(<iops>))'),
    _plain("support_included_years"),
)
QUOTE: tuple[Row | Group, ...] = (
    Group("What the quote says, for finance"),
    Row("quote_id", '=IF(LEN(<quote_id>)=0,"",CHOOSE(1+COUNT([price]),"enter the price",<quote_id>))'),
    _plain("quote_date"),
    Row(
        "quote_until",
        '=IF(COUNT(<quote_until>)=0,"",CHOOSE(1+SIGN(MAX(0,SUM(<quote_date>)-<quote_until>)),<quote_until>,'
        '"before its date"))',
    ),
    Row("quote_currency", '=IF(LEN(<quote_currency>)=0,"",<quote_currency>)'),
    Row("quote_rate", '=IF(COUNT(<quote_rate>)>0,<quote_rate>,'
        'REPT("no rate",SIGN(LEN(<quote_currency>))*(1-COUNTIF(<quote_currency>,{base:currency}))))'),
    Row(
        "price_basis",
        '=IF(LEN(<price_basis>)=0,"",COUNTIF(<price_basis>,"net price"))',
        form='[=1]"no discount";"list price"',
    ),
    Row("price_covers_hosts", '=IF(LEN(<price_covers_hosts>)=0,"",COUNTIF(<price_covers_hosts>,"yes"))',
        form='[=1]"with hosts";"no hosts"'),
)  # fmt: skip
MORE: tuple[Row | Group, ...] = (
    Group("A second point of the data sheet"),
    _plain("second_iops", 'REPT("enter the IOPS",SIGN(COUNT(<second_read_ratio>:<second_latency_ms>)))'),
    _share("second_read_ratio", "<second_iops>"),
    Row(
        "second_latency_ms",
        '=IF(COUNT(<second_iops>)=0,"",CHOOSE(1+COUNT(<second_latency_ms>)*COUNT(<base_latency_ms>),[latency_ms],'
        f"{_busy('second_latency_ms')}))",
        form='0%" busy"',
    ),
    Group("What the points show"),
    Row(
        "point_full_iops",
        '=IF(COUNT([iops])*COUNT([read_ratio])*COUNT([latency_ms])>0,[iops]/[latency_ms],"")',
        "First point at full utilisation",
        "IOPS",
        "IOPS / utilisation: X / rho, rho = 1 - S/L; without a lowest latency the IOPS themselves",
    ),
    Row(
        "second_full_iops",
        "=IF(COUNT([second_iops])*COUNT([second_read_ratio])*COUNT([second_latency_ms])>0,"
        '[second_iops]/MAX([latency_ms],[second_latency_ms]),"")',
        "Second point at full utilisation",
        "IOPS",
        "As the first point; a lower latency adds nothing to the IOPS printed",
    ),
    Row(
        "points_writes_iops",
        "=IF(COUNT([point_full_iops])*COUNT([second_full_iops])>0,"
        '[point_full_iops]*(1-[read_ratio])-[second_full_iops]*(1-[second_read_ratio]),"")',
        "Writes of the first point beyond the second's",
        "IOPS",
        "X1 (1 - r1) - X2 (1 - r2)",
    ),
    Row(
        "points_write_weight",
        '=IF(COUNT([points_writes_iops])=0,"",CHOOSE(1+ABS(SIGN([points_writes_iops])),0,'
        "([second_full_iops]*[second_read_ratio]-[point_full_iops]*[read_ratio])/[points_writes_iops]))",
        "Write weight from the two points",
        "ratio",
        "Reads of the second point beyond the first's, over the row above",
    ),
    Row(
        "points_state",
        '=IF(COUNT([points_write_weight])=0,"",CHOOSE(1+AND([points_write_weight]>=1,'
        '[points_write_weight]<={unit:most_write_weight}),"unused: outside 1 to 10","used"))',
        "How it is used",
        "text",
        "Outside 1 to 10 no single array fits them: the figure on More inputs counts",
    ),
    Group("More that data sheets print, where they do"),
    _plain("block_kib"),
)
MORE_FIELDS: tuple[Row, ...] = (
    Row(
        "reduction_ratio",
        '=IF(COUNT(<reduction_ratio>)=0,REPT("effective needs it",COUNTIF(<capacity_kind>,"effective")),'
        'CHOOSE(1+SIGN(MAX(0,1-<reduction_ratio>)),<reduction_ratio>,"below 1"))',
    ),
    _plain("base_latency_ms", 'REPT("not checked: one point",COUNT(<iops>))'),
    _plain("throughput_mb_s"),
    Row("array_class", '=IF(LEN(<array_class>)>0,<array_class>,REPT("flash",COUNT(<iops>)))'),
    _plain("controllers_standby"),
    _plain("inline_reduction", "SIGN(MAX(0,SUM([reduction_ratio])-1))"),
    Row(  # a mirror keeps every block twice; what parity leaves depends on how many drives share it
        "raid_efficiency_ratio",
        '=IF(COUNT(<raid_efficiency_ratio>)=0,"",MIN(<raid_efficiency_ratio>,1/(1+COUNTIF(<raid>,"RAID 10"))))',
    ),
    Row(
        "write_weight",
        '=IF(COUNT(<write_weight>)=0,CHOOSE(1+COUNTIF([points_state],"used"),"",[points_write_weight]),'
        'CHOOSE(1+AND(<write_weight>>=1,<write_weight><={unit:most_write_weight}),"outside 1 to 10",<write_weight>))',
    ),
)
FACTOR = Row(
    "capacity_factor",
    "=IF(COUNT([capacity_kind])=0,0,CHOOSE([capacity_kind],SUM([raid_efficiency_ratio])*(1-SUM(<hci_node>)),1,"
    "CHOOSE(1+AND(COUNT(<reduction_ratio>)>0,<reduction_ratio>>=1),0,1/<reduction_ratio>)))",
    "Usable share of the capacity printed",
    "ratio",
    "raw: its usable share, of a node on Capacity; usable: 1; effective: 1 / data reduction; empty = unknown",
    form='0.000;"";""',
)
LAST_FIELDS: tuple[Row, ...] = (
    Row(
        "usable_gib",
        f'=IF([capacity_factor]>0,{_TOTAL}*[capacity_factor],"")',
    ),
    Row(
        "raw_gb",
        f'=IF(COUNT([capacity_kind])=0,"",CHOOSE([capacity_kind],{_TOTAL}/{{unit:gib_per_gb}},"",""))',
    ),
)
MADE: tuple[Row | Group, ...] = (
    Group("What sizing takes"),
    Row(
        "card_iops",
        '=IF(COUNT(<write_weight>)>COUNT([write_weight]),"",[point_full_iops])',
        "IOPS of the first point at full utilisation",
        "IOPS",
        "Empty while the point is incomplete or a write weight out of range: nothing is sized",
    ),
    Row(
        "latency_bound_ms",
        '=IF(COUNT([card_iops])*(1-COUNT(<base_latency_ms>))>0,<latency_ms>,"")',
        "Latency is at most this, up to the IOPS printed",
        "ms",
        "One point without the lowest latency is an upper bound at that load",
    ),
    Row(
        "card_fault",
        "=SIGN(COUNTA(<capacity_tb>:<capacity_kind>)*(1-MAX(COUNT([usable_gib]),COUNT([raw_gb])*SUM(<hci_node>)))"
        "+COUNTA(<iops>:<latency_ms>)*(1-COUNT([card_iops]))+COUNT(<reduction_ratio>)-COUNT([reduction_ratio]))",
        "The card is started and has a fault",
        "flag",
        "A cell above says why; an array with such a card is never sized",
        form='"at fault";;"no"',
    ),
    Row(
        "card_started",
        "=SIGN(COUNTA(<capacity_tb>:<price>,<second_iops>:<second_latency_ms>,<block_kib>:<inline_reduction>,"
        "<write_weight>,<details>))",
        "Something is typed",
        "flag",
        "On the card or below it; no = blank; shipped values do not count",
        form='"yes";;"no"',
    ),
    Row(
        "not_numbers",
        "=COUNTA({0})-COUNT({0})".format(
            "<capacity_tb>:<capacity_gb>,<iops>:<controllers_active>,<price>:<support_included_years>,"
            "<quote_date>:<quote_until>,<quote_rate>,<second_iops>:<throughput_mb_s>,<controllers_standby>:<write_weight>"
        ),
        "Cells with no number where one belongs",
        "count",
        "Text is not a number: the cell and the banner turn red",
        form="0;;0",
    ),
)
# fields of an array that its card tells
CARD_FIELDS = tuple(row.key for row in (*FIRST_FIELDS, *MORE_FIELDS, *LAST_FIELDS))
QUOTED = ("price", "support_included_years", *(row.key for row in QUOTE if isinstance(row, Row)))  # typed of a quote
