"""Inputs that workbooks of older versions have and today's has no more, with what took their place."""

from collections.abc import Mapping
from types import MappingProxyType

# key: what to enter instead
RETIRED: Mapping[str, str] = MappingProxyType(
    {
        "profile_multiplier": "profile containers are a load of their own: choose container_place and enter "
        "container_gib, container_steady_iops and their other figures; demand_scale_ratio scales every phase",
    }
)


def refusal(key: str) -> str:
    """Return why an input that a command names is not there any more; empty for every other key."""
    return f"{key} has retired; {RETIRED[key]}." if key in RETIRED else ""


def carried(key: str, value: str, where: str) -> str:
    """Return what a copy that still has a retired input has to know, with the value it carries."""
    return (
        f"{where} carries {key} = {value}, which has retired: this copy still counts it; in a fresh copy "
        f"{RETIRED[key]}."
    )
