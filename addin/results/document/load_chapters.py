"""The chapters about the load: what is required, phase by phase, the storms in time, after one failure."""

from __future__ import annotations

from addin.results.document import charts, diagram
from addin.results.document.array_card import card
from addin.results.document.blocks import Block, Chapter, Grid, Head, Picture, Text
from addin.results.document.reading import BLANK, PHASE_NAMES, PHASES, Reading, keys_of
from addin.results.document.sources import Origins
from addin.results.labels import Arrays, Summary, Timeline

_BARE = ("", "")  # headings of a table of labels and values


_ASKED = keys_of("""
    desktops concurrent_ratio users_per_vm growth_ratio growth_per_year_ratio profile provisioning hypervisor
    design_year failover survive_phases latency_limit_ms boot_latency_limit_ms start_rate_per_min login_window_min
    login_duration_s arrival_shape logoff_window_min capacity_headroom_ratio snapshot_reserve_ratio rho_cap_ratio
    data_reduction_ratio disk_gib write_cache_gib image_gib ram_gib user_data_gib most_desktops_per_array
""")


def requirements(reading: Reading, origins: Origins) -> Chapter:
    """Return the requirements, and the demand that follows from them."""
    known = {origin.item.key: origin for origin in origins.inputs}
    rows = [(known[key].label, known[key].value, known[key].status) for key in _ASKED if key in known]
    work = {
        **{"boot": "boot_work_ios", "login": "login_work_ios", "logoff": "logoff_work_ios"},
        **{"patching": "patching_work_ios", "provisioning": "provisioning_work_ios", "scheduled": "scheduled_work_ios"},
    }
    demand = [
        (PHASE_NAMES[phase], _work(reading, work[phase], f"{phase}_iops") if phase in work else BLANK,
         reading.text(f"{phase}_iops"), reading.text(f"throughput_{phase}"))
        for phase in PHASES
    ]  # fmt: skip
    return Chapter(
        "requirements",
        "Requirements and demand",
        [
            Grid("Requirements", ("Requirement", "Value", "Status"), rows, frozenset({1})),
            Head("Demand that follows"),
            Grid(
                "Work and load by phase",
                ("Phase", "Work", "Load on the arrays", "Throughput"),
                demand,
                frozenset({1, 2, 3}),
            ),
            Text("Work is counted in I/Os a desktop; load is that work over the minutes in which it comes.", "note"),
            Head("What to ask a vendor for"),
            Text(reading.text("ask_words")),
        ],
    )


def _work(reading: Reading, key: str, load: str) -> str:
    """Return the I/Os of a phase in words; a load without them was measured in IOPS, which is no lack of a figure."""
    if isinstance(reading.value(key), float) or not isinstance(reading.value(load), float):
        return reading.text(key)
    return "measured in IOPS"


_NO_ARRAY_LOADED = "Nothing of this design is on an array. What is asked of each disk is in the chapter Answer."


def load(reading: Reading) -> Chapter:
    """Return each phase: load, utilisation, throughput, latency; where nothing is on an array, one line."""
    if reading.without_arrays:
        limit = Grid("Limits", _BARE, [("Latency limit for users", reading.input("latency_limit_ms"))], frozenset({1}))
        return Chapter("load", "Load phase by phase, latency", [Text(_NO_ARRAY_LOADED), limit])
    rows = [
        (*reading.met(phase), alone(reading, phase, f"{phase}_served_iops"), reading.text(f"utilisation_{phase}"),
         alone(reading, phase, f"throughput_{phase}"), latency(reading, phase))
        for phase in PHASES
    ]  # fmt: skip
    heads = ("Phase", "Demand", "Served", "Utilisation", "Throughput", "Latency")
    blocks: list[Block] = [
        Grid("Load phase by phase in normal operation", heads, rows, frozenset(range(1, 6)), wide=True),
    ]
    supply = [
        (
            str(name),
            max(float(asked), 0.0),
            max(float(served), 0.0),
            f"{max(asked, 0):,.0f}",
            f"{served:,.0f}" if served > 0 else "not checked",
        )
        for name, asked, served in reading.block(Summary.SHEET, Summary.PHASE, Summary.DEMAND, Summary.SUPPLY)
        if name in PHASE_NAMES.values() and isinstance(asked, float) and isinstance(served, float) and asked > 0
    ]
    if supply:
        picture = charts.pairs("Load by phase, IOPS", ("Demand, IOPS", "Can be served, IOPS"), supply)
        blocks.append(Picture(picture, "The load of each phase, and the IOPS that the arrays in the design can serve."))
    limits = [
        ("Latency limit for users", reading.input("latency_limit_ms")),
        ("Planned maximum utilisation", reading.input("rho_cap_ratio")),
        *reading.rows(("base_latency_ms", "knee_utilisation", "peak_utilisation", "beyond_evidence")),
    ]
    blocks.append(Grid("Limits and the curve behind the latencies", _BARE, limits, frozenset({1})))
    return Chapter("load", "Load phase by phase, latency", blocks)


def alone(reading: Reading, phase: str, key: str) -> str:
    """Return a result of a phase that is no result of boot and logins together, blank where the logins meet a boot."""
    return BLANK if phase == "login" and reading.logins_meet_boot else reading.text(key)


def latency(reading: Reading, phase: str) -> str:
    return reading.text(f"{phase}_latency_ms") if f"{phase}_latency_ms" in reading.book.results else BLANK


_STORMS = (
    ("Boot", keys_of("""
        boot_minutes boot_bound_by boot_fastest_minutes boot_minutes_low boot_minutes_high effective_start_rate
        boot_storm_utilisation boot_latency_ms
    """)),
    ("Login", keys_of("""
        login_minutes login_peak_minute login_peak_iops login_peak_desktops login_peak_utilisation
        login_peak_latency_ms
    """)),
    ("Log-off", keys_of("logoff_minutes logoff_peak_iops")),
    ("Patching", keys_of("patching_minutes patching_source")),
    ("Provisioning", keys_of("provisioning_minutes provisioning_bound_by provisioning_peak_iops")),
    ("Scheduled load", keys_of("scheduled_minutes")),
)  # fmt: skip


_TOGETHER = ("login_peak_utilisation", "login_peak_latency_ms")  # with a boot, beside the load of the logins alone
_OF_ARRAYS = ("_utilisation", "_iops", "_latency_ms", "_minutes_low", "_minutes_high", "provisioning_bound_by")


def storms(reading: Reading) -> Chapter:
    """Return the duration of each storm and what sets it, and the login minute by minute."""
    blocks: list[Block] = [*diagram.day(reading)]
    for name, keys in _STORMS:
        left_out = (*_OF_ARRAYS * reading.without_arrays, *_TOGETHER * reading.logins_meet_boot)
        rows = reading.rows(key for key in keys if not key.endswith(left_out))
        if rows and rows[0][1] not in ("none", BLANK):
            blocks += [Head(name), Grid(f"{name} in time", _BARE, rows, frozenset({1}))]
        if name == "Login":
            blocks += _timeline(reading)
    absent = [name for name, keys in _STORMS if reading.text(keys[0]) in ("none", BLANK)]
    if absent:
        blocks.append(Text(f"No such work in this design: {', '.join(absent).lower()}.", "note"))
    return Chapter("storms", "Storms in time", blocks)


def _timeline(reading: Reading) -> list[Block]:
    points = [
        (float(minute), float(iops))
        for minute, iops in reading.block(Timeline.SHEET, Timeline.MINUTE, Timeline.IOPS)
        if isinstance(minute, float) and isinstance(iops, float)
    ]
    if len(points) < 2 or max(iops for _, iops in points) <= 0 or min(iops for _, iops in points) < 0:
        return []
    if reading.unanswered:
        return []  # its peak is an answer
    said = (
        f"IOPS on the arrays from the first login on. The peak is {reading.text('login_peak_iops')} in minute "
        f"{reading.figure(reading.value('login_peak_minute'))}, with {reading.text('login_peak_desktops')} logging in."
    )
    return [Picture(charts.curve("The login, minute by minute", points, ("minutes", "IOPS")), said)]


_AFTER = keys_of("""
    arrays_after_failure failover_serving limited_by_after_failure share_used_after_failure failover_latency_ms
    room_after_failure
""")


_NO_ARRAY_TO_LOSE = (
    "Nothing of this design is on an array. What a failure of a disk or a share takes away is in the terms of its "
    "provider."
)


def failure(reading: Reading) -> Chapter:
    """Return the arrays and the performance left after one failure; one line where nothing is on an array."""
    if reading.without_arrays:
        return Chapter("failure", "After one failure", [Text(_NO_ARRAY_TO_LOSE)])
    kind = next((value for label, value, _ in card(reading) if label.startswith(Arrays.LOST)), "not known")
    rows = [
        ("What a failure takes away", kind),
        ("Survive one failure", reading.input("failover")),
        ("What is still required then", reading.input("survive_phases")),
        *reading.rows(_AFTER),
    ]
    minutes = []
    for phase in ("boot", "logoff", "patching", "provisioning", "scheduled"):
        before, after = reading.known(f"{phase}_minutes"), reading.known(f"failover_{phase}_minutes")
        if isinstance(before, float) and isinstance(after, float) and before > 0:
            words = reading.text(f"{phase}_minutes"), reading.text(f"failover_{phase}_minutes")
            minutes.append((PHASE_NAMES[phase], before, after, *words))
    users = [
        (reading.met(phase)[0], reading.text(f"utilisation_{phase}"), reading.text(f"failover_utilisation_{phase}"),
         latency(reading, phase), latency(reading, f"failover_{phase}"))
        for phase in ("boot", "login", "steady")
    ]  # fmt: skip
    heads = ("Phase", "Utilisation, normal", "after one failure", "Latency, normal", "after one failure")
    blocks: list[Block] = [
        Grid("After one failure", _BARE, rows, frozenset({1})),
        Grid("Utilisation and latency before and after a failure", heads, users, frozenset(range(1, 5)), wide=True),
    ]
    if minutes:
        names = ("Normal operation, min", "After one failure, min")
        said = "Minutes that each storm takes. Arrays are bought for what is still required; the rest takes longer."
        blocks.append(Picture(charts.pairs("Minutes of the storms", names, minutes), said))
    return Chapter("failure", "After one failure", blocks)
