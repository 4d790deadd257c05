"""The distributions an uncertain input may have, and the columns of risk.csv that each needs."""

DISTRIBUTIONS: dict[str, tuple[str, ...]] = {
    # kind: the columns it needs, optional ones with a question mark
    "fixed": ("mode?",),
    "uniform": ("minimum", "maximum"),
    "triangular": ("minimum", "mode", "maximum"),
    "pert": ("minimum", "mode", "maximum", "shape?"),
    "normal": ("mode", "spread"),
    "truncated normal": ("minimum", "mode", "maximum", "spread"),
    "lognormal": ("mode", "spread"),
    "beta": ("minimum", "maximum", "shape", "second_shape"),
    "gamma": ("spread", "shape"),
    "discrete": ("values",),
    "empirical": ("values",),
    "joint rows": (),
    "by class": (),
}
NUMBERS = ("minimum", "mode", "maximum", "spread", "shape", "second_shape")
