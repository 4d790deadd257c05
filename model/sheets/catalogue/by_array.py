"""What an array of the papers assumes, as its paper does not print it: named under what is unknown about the array.

All arrays has the list of each array. The usable share of a raw capacity is not in it: its ends are tried, and it is
named by that. No end of the others is tried; their ranges, where a source states one, are on Arrays.
"""

from model.reading.catalogue import Array
from model.reading.records import Data

_DEFINED = "assumed: definition"  # what a paper describes in words is not left out
_WORDS = {  # field: its name, where its label is long; two fields may share one
    "inline_reduction": "inline reduction",
    "controllers_active": "controllers",
    "controllers_standby": "controllers",
    "raid": "RAID level",
    "spares": "hot spares",
    "drive_iops": "IOPS of a drive",
    "read_hit_ratio": "cache",
    "write_coalescing_ratio": "cache",
    "read_equivalent_iops": "IOPS of pure reads",
    "write_weight": "work of a write",
    "base_latency_ms": "lowest latency",
    "latency_shape": "shape of the latency curve",
}
NOT_SIZED = ("year", "demonstrated_read_ratio")  # assumed too, but no array is sized by them
TRIED = ("raid_efficiency_ratio",)


def assumed(array: Array) -> tuple[str, ...]:
    """Return the fields that a paper leaves open and the model fills, in the order of the file."""
    return tuple(
        key
        for key, typed in array.values.items()
        if typed.status == "assumed" and not typed.source.startswith(_DEFINED)
    )


def words(data: Data, array: Array) -> str | None:
    """Return the names of what is assumed of an array, each once, a comma before each; None for nothing."""
    labels = {field.key: field.label[0].lower() + field.label[1:] for field in data.fields}
    keys = (key for key in assumed(array) if key not in (*NOT_SIZED, *TRIED))
    names = dict.fromkeys(_WORDS.get(key, labels[key]) for key in keys)
    return "".join(f", {name}" for name in names) or None
