"""A decision made by hand: two arrays with a chance, three designs of one of them, one that is not checked."""

from addin.simulation.decide import Choice, Decision, Design
from addin.simulation.finding_out import PILOT, Worth
from addin.simulation.stakes import Stakes
from addin.simulation.statistics import Interval


def at(value: float, error: float = 10.0) -> Interval:
    """Return a figure with its error bar."""
    return Interval(value, value - error, value + error)


CHOICES = (
    Choice("Alpha", 2, "none", {1.0: 0.3, 2.0: 0.85, 3.0: 1.0}),
    Choice("Beta", 4, "none", {4.0: 0.92, 5.0: 1.0}),
    Choice("Gamma", 1, "failover, enter a rating"),
)
DESIGNS = (
    Design("Alpha", 2, 0.85, 1.0, 0.8, at(200_000), 250_000, 900, 0.7, quote=90_000, turns=95_000, rival="Beta x 4"),
    Design("Alpha", 1, 0.3, 0.9, 0.2, at(240_000), 300_000, 9000, 0.1, dominated="Alpha x 2"),
    Design("Beta", 4, 0.92, 1.0, 0.9, at(260_000), 280_000, 12_000, 0.2),
    Design("Alpha", 3, 1.0, 1.0, 1.0, at(270_000, 0), 270_000, 70_900, 0.0),
)
WORTHS = (
    Worth("Everything", (), at(900), "No study is worth more than this"),
    Worth("Demand", ("demand_scale_ratio",), at(400), PILOT),
    Worth("Write weight", ("write_weight",), Interval(0, 0, 0), "Ask the vendor"),
)
DECISION = Decision(CHOICES, DESIGNS, WORTHS, "", Stakes(0.25, 30, 20, 1), 4096)
