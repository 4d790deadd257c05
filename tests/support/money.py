"""Designs whose money can be followed by hand: own arrays that one limit sizes, with prices, and the worked example."""

from collections.abc import Mapping

from addin.kernel import Scalar
from model.sheets.money.growth import YEARS, of_year
from tests.support.answers import answers, changed
from tests.support.input_sets import Value, own_arrays
from tests.support.shipped import reference, reference_cells

BUILT = reference()
CELLS = reference_cells()
FAST: dict[str, Value] = {  # a card whose figures never decide: only `most_desktops_per_array` asks for arrays
    "array_class": "flash",
    "usable_gib": 1e6,
    "inline_reduction": 1.0,
    "read_equivalent_iops": 1e8,
    "write_weight": 2.0,
    "base_latency_ms": 0.001,
    "throughput_mb_s": 1e7,
    "controllers_active": 2.0,
    "failover_kind": "controller",
}
CARDS: tuple[dict[str, Value], ...] = (
    {**FAST, "price": 88000.0, "support_included_years": 2.0},
    {**FAST, "usable_gib": 20000.0, "price": 41000.0, "support_included_years": 1.0},
    {**FAST, "hci_node": 1.0, "least_nodes": 3.0, "nodes_lost": 1.0, "vms_per_node": 300.0},  # nobody quoted it
)
OWN = changed(CELLS, own_arrays(BUILT, CARDS))
DEAR: dict[str, Value] = {"array_price": 2e7}
QUOTE = "enter a quote"
MONEY = (
    *("paid_total", "capex_total", "running_total", "npv", "equal_yearly_cost"),
    *("cost_per_desktop_month", "cost_per_user_month", "cost_per_effective_gib_month", "over_budget", "cost_total"),
)
WORKED: dict[str, Value] = {  # the example worked out by hand: 0.6841 of one array at 1,500 desktops
    "desktops": 1500.0,
    "failover": "no",
    "array": "My array 1",
    "most_desktops_per_array": 1500 / 0.6841,
    "growth_per_year_ratio": 0.2,
    "array_price": 103974.0,
    "price_change_ratio": -0.1,
    "support_ratio": 0.12,
    "support_included_years": 3.0,
    "power_w": 2000.0,
    "tariff_per_kwh": 0.15,
    "rack_u": 8.0,
    "rack_cost_per_u_year": 300.0,
    "admin_h_per_year": 60.0,
    "admin_cost_per_h": 75.0,
    "installation_cost": 6000.0,
}


def results(designs: list[dict[str, Value]], *keys: str) -> list[tuple[Scalar, ...]]:
    """Return results of up to seven designs, which stand in the what-ifs: the base is dear, so that none is dearer."""
    return answers(BUILT, OWN, [DEAR, *designs], *keys)[1:]


def result(design: Mapping[str, Value], *keys: str) -> tuple[Scalar, ...]:
    """Return results of one design, typed as the base."""
    (values,) = answers(BUILT, OWN, [dict(design)], *keys)
    return values


def years_of(key: str) -> tuple[str, ...]:
    return tuple(of_year(key, year) for year in YEARS)
