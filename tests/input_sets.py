"""Input sets for the eight design columns: every array x method, minima, maxima, zeros, blanks, texts."""

from collections.abc import Iterator, Mapping

from openpyxl.utils import get_column_letter

from model.grid import BASE, OWN_ARRAYS, OWN_PROFILES, WHATIFS
from model.records import Data, Input
from model.workbook import Built

Value = float | str | None
Inputs = Mapping[str, Value]
COLUMNS = 1 + WHATIFS


def _choices(data: Data) -> dict[str, tuple[str, ...]]:
    return {
        "array": (*(a.name for a in data.arrays), *OWN_ARRAYS),
        "profile": (*data.profile_names(), *OWN_PROFILES),
        "provisioning": tuple(m.name for m in data.methods),
        "cache_state": tuple(c.name for c in data.caches),
        "failover": ("no", "yes"),
    }


def _numbers(data: Data) -> list[Input]:
    return [item for item in data.inputs if item.kind == "number"]


def input_sets(data: Data) -> list[dict[str, Value]]:
    """Return the sets: the base choices of every array and method, then the extremes on several arrays."""
    choices = _choices(data)
    sets: list[dict[str, Value]] = []
    for array in choices["array"]:
        for provisioning in choices["provisioning"]:
            n = len(sets)
            sets.append(
                {
                    "array": array,
                    "provisioning": provisioning,
                    "profile": choices["profile"][n % len(choices["profile"])],
                    "cache_state": choices["cache_state"][n % len(choices["cache_state"])],
                    "failover": choices["failover"][n % 2],
                    "desktops": float(1 + 137 * n),
                }
            )
    optional = [item for item in _numbers(data) if item.optional]
    for array in choices["array"][:5]:
        sets.append({"array": array, **{i.key: i.minimum for i in _numbers(data)}})
        sets.append({"array": array, **{i.key: i.maximum for i in _numbers(data)}})
        sets.append({"array": array, **{i.key: 0.0 for i in optional}})
        sets.append({"array": array, **{i.key: "abc" for i in optional}})
    sets.append({})  # everything blank: inherits
    sets.append({"failover": "yes", "arrays_installed": 3.0})
    return sets


def batches(data: Data) -> Iterator[list[dict[str, Value]]]:
    """Yield the sets eight at a time; the first of each batch goes into the base design."""
    sets = input_sets(data)
    for start in range(0, len(sets), COLUMNS):
        yield sets[start : start + COLUMNS]


def overrides(built: Built, batch: list[dict[str, Value]]) -> dict[tuple[str, str], Value]:
    """Return the cells of the Inputs sheet that a batch fills; a column keeps its blanks where a set says nothing."""
    cells: dict[tuple[str, str], Value] = {}
    for offset, chosen in enumerate(batch):
        letter = get_column_letter(BASE + offset)
        for key, value in chosen.items():
            cells[("Inputs", f"{letter}{built.layout.inputs[key]}")] = value
    return cells
