"""Profile containers: a load of their own, on the desktops' array, on another one of the catalogue, or elsewhere.

A container is attached while its user signs in, works and signs out. Users at work ask for its steady IOPS, those who
sign in or out for more, as long as that takes: active x steady + sign-ins per second x their seconds x IOPS meanwhile.
Boot and patching know no user, so no container. Where nobody entered a figure it is missing, by name, and never 0; the
array that holds containers alone is sized like every other one.
"""

from collections.abc import Mapping

from model.layout import gridwriter, table
from model.layout.line import Line
from model.reading.choices import COPIED


def _named(prefix: str, names: Mapping[str, str]) -> tuple[Line, ...]:
    """Return the name of every figure that is missing, a comma behind it; the label is the name."""
    return tuple(
        Line(
            key := f"{prefix}_{figure.removeprefix('container_')}",
            name,
            "text",
            f'=REPT({{label:{key}}}&", ",COUNTIF({{{figure}}},"=-1"))',
            "Empty if it is known",
            text_lines=1,
        )
        for figure, name in names.items()
    )


_MISSING = _named(
    "container_missing",
    {
        "container_gib": "GiB",
        "container_signin_iops": "sign-in IOPS",
        "container_signout_iops": "sign-out IOPS",
        "container_signin_s": "seconds",
        "container_read_ratio": "read share",
    },
)
_ASKED = ("gib", "read_ratio", "signin_iops", "signin_s", "signout_iops")  # in the order of the words
_UNRATED = _named(
    "container_unrated",
    {f"container_ratio_{each.lower()}": f"container array {each}" for each in
     ("capacity", "IOPS", "latency", "throughput", "failover")},
)  # fmt: skip
UNRATED = "&".join(f"{{{line.key}}}" for line in _UNRATED)  # by name, empty if none is unchecked: for Sizing


SHEET = table.sheet(
    __file__,
    "Containers",
    "An array of their own: the capacity and IOPS it needs. On the desktops' array they are part of "
    "Demand and Capacity",
    rows={"missing": _MISSING, "unrated": _UNRATED[:-1], "unrated_failover": _UNRATED[-1:]},
    texts={
        "COPIED": COPIED,
        "MISSING": "&".join(f"{{container_missing_{figure}}}" for figure in _ASKED),
    },
    title="Profile containers",
)
TAB = gridwriter.tab("Containers", "Profile containers, and an array of their own", lambda _: SHEET)
