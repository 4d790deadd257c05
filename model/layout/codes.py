"""Words that stand for figures: what a code says, and the currency. Code that only reads them loads no styles."""

import re

CURRENCY = "USD"  # what the workbook ships with; the sheets show what is typed
CURRENCY_NAME = "Doc_currency"
HAND_OFF_NAMES = "Own_handoff_"  # how the names of the texts on Hand-off begin
IN_CURRENCY = re.compile(rf'={CURRENCY_NAME}(?:&"(/[\w ]+)")?')  # a unit of money as a sheet shows it
_CODED = ("IOPS", "IOPS/desktop", "I/O/desktop", "MB/s")  # units of a demand that may be missing
_TIMES = (
    *("provisioning_minutes", "boot_minutes", "logoff_minutes", "patching_minutes", "boot_fastest_minutes"),
    "scheduled_minutes",
)
_NOT_ENTERED = (
    *("boot_at", "logins_at", "order_date"),
    "ios_per_",
    *("container_gib", "container_cache_gib", "container_cached_gib", "machine_cached_gib"),
    "container_s",
    "container_read_ratio",
    "container_block_kib",
    "scheduled_ios",
    "scheduled_gib",
    *("installation_cost", "power_w", "tariff_per_kwh", "rack_u", "rack_cost_per_u_year"),
    *("share_gib_price", "share_iops_price", "share_mib_price"),
    *("admin_h_per_year", "admin_cost_per_h", "licence_cost_per_desktop_year", "host_price", "budget"),
)
_ROOM = ("room_", "desktops_at_limit", "headroom_desktops")
_MISSING = (
    *((first, "not entered") for first in _NOT_ENTERED),
    *((first, "unchecked") for first in ("ratio_", "container_ratio_", "rest_", "share_by_metadata")),
    *((written, "not published") for written in ("steady_written_gib", "usable_written_ratio")),
    *((f"failover_{time}", "failover unknown") for time in _TIMES),
    ("arrays_after_failure", "failover unknown"),
    ("share_used_after_failure", "failover unknown"),
)


def code_words(key: str, unit: str) -> dict[float, str]:
    """Return the word for each code that a line may hold; none for a line that holds only numbers."""
    if key.startswith("clock_"):
        return {-1: "not entered", -2: "cannot be used", -3: "not run"}
    if key.startswith(_ROOM):
        return {-0.5: "not known", -1.5: "no limit"}  # no counts: a design short of room is below 0 by whole desktops
    missing = [word for first, word in _MISSING if key.startswith(first)]
    if not missing and unit not in _CODED and not key.removeprefix("failover_").startswith(_TIMES):
        return {}
    return {-1: missing[0] if missing else "not published", -2: "none", -3: "not run"}
