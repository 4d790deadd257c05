"""The chapters about the design itself: answer, scope, requirements, load, storms, failure."""

from __future__ import annotations

from collections.abc import Iterator

from addin.results.document import charts, diagram
from addin.results.document.array_card import card
from addin.results.document.blocks import Block, Chapter, Grid, Head, Picture, Points, Text
from addin.results.document.money_chapters import day_one
from addin.results.document.reading import BLANK, PHASE_NAMES, PHASES, Reading, keys_of
from addin.results.document.sources import Origins
from addin.results.labels import About, Arrays, Compare, Summary, Timeline
from addin.sizing.result_keys import CLOUD_SHARE

_RATIO = "ratio_after_failure"
_BARE = ("", "")  # headings of a table of labels and values
_LARGEST = "The largest decides; the dashed line is the design."
_NOT_RATIOS = ("ratio_largest", "ratio_normal", _RATIO)


def answer(reading: Reading) -> Chapter:
    """Return the arrays needed, what limits them, what limits next, and the room left."""
    blocks: list[Block] = [
        both(reading),
        Grid("What limits, what comes next, how sure", _BARE, list(_next(reading))),
    ]
    if _ratios(reading) and not reading.unanswered:
        said = f"The {reading.word}s that each constraint needs, unrounded. {_LARGEST}"
        blocks.append(Picture(_constraints(reading), said))
    return Chapter("answer", "Answer", [*blocks, *diagram.design(reading), *day_one(reading)])


def lead(reading: Reading) -> str:
    """Return the answer as one sentence; a remark of the status, such as no published test, comes last."""
    count, semicolon, rest = reading.text("status").partition("; ")
    design = f"{reading.input('array')} for {_users(reading)}"
    for key in ("disk_told", "share_told"):  # disks and the share are beside the arrays, not one of them
        beside = f" and {reading.text(key)}" if key in reading.book.results else BLANK
        if count.endswith(beside):
            count, design = count.removesuffix(beside), f"{design}{beside}"
    if reading.without_arrays:
        text = f"{reading.text('status')}, for {_users(reading)}."
        return text[:1].upper() + text[1:]
    counted = any(character.isdigit() for character in count)
    text = f"{count} of {design}{semicolon}{rest}." if counted else f"{count}{semicolon}{rest}. Asked for: {design}."
    return text[:1].upper() + text[1:]


def _users(reading: Reading) -> str:
    item = reading.book.inputs["desktops"]
    return f"{reading.figure(reading.used(item))} {reading.words_of(item.address, item.label).lower()}"


def both(reading: Reading) -> Grid:
    """Return normal operation and after one failure side by side; without an array, what is asked of a disk."""
    if reading.without_arrays:
        return _disk(reading)
    pairs = (
        (f"{reading.word.capitalize()}s needed", "arrays_normal", "arrays_after_failure"),
        ("Unrounded", "ratio_normal", _RATIO),
        ("Limited by", "limited_by_normal", "limited_by_after_failure"),
        ("Share of the design used", "share_used_normal", "share_used_after_failure"),
        ("Room for more users", "room_normal", "room_after_failure"),
        ("Boot of all desktops", "boot_minutes", "failover_boot_minutes"),
        ("Latency in login", "login_latency_ms", "failover_login_latency_ms"),
        ("Latency in steady work", "steady_latency_ms", "failover_steady_latency_ms"),
    )
    rows = [
        (label, reading.text(normal), _unrounded(reading) if failed == _RATIO else reading.text(failed))
        for label, normal, failed in pairs
        if normal in reading.book.results
    ]
    return Grid(
        "The answer in normal operation and after one failure", ("", "Normal operation", "After one failure"), rows
    )


def _disk(reading: Reading) -> Grid:
    """Return what the machines ask of their disks beside what these give."""
    pairs = (("Size", "gib"), ("IOPS", "iops"), ("Throughput", "mb_s"))
    machines = f"{reading.text('virtual_machines')} machines"
    rows = [
        ("Number", machines, disks(reading)),
        ("Disk", BLANK, reading.text("tier_name")),
        *((f"{label} of one", reading.text(f"machine_{key}"), reading.text(f"tier_{key}")) for label, key in pairs),
        ("Limited by", BLANK, reading.text("binding_constraint")),
        ("A sign-in takes", BLANK, reading.text("tier_signin_min")),
    ]
    return Grid("The answer: the disks of the machines", ("", "Asked", "Given"), rows)


def disks(reading: Reading) -> str:
    """Return the number of disks of a design whose machines are on disks, as its answer says it."""
    return reading.text("disk_told").partition(":")[0]


def _unrounded(reading: Reading) -> str:
    """Return the unrounded need after one failure; of nodes as Answer shows it, since those lost are bought on top."""
    if reading.known(_RATIO) != 0:
        return reading.text(_RATIO)
    shown = reading.block(Compare.SHEET, Compare.ON_ANSWER, Compare.ON_ANSWER_AFTER)
    return next((reading.figure(value, f"{reading.word}s") for label, value in shown if label == Compare.NEEDED), BLANK)


def _next(reading: Reading) -> Iterator[tuple[str, str]]:
    yield "Limited by", reading.text("binding_constraint")
    if reading.number("next_ratio"):
        yield "Limited next by", f"{reading.text('next_constraint')}, {reading.text('next_ratio')} unrounded"
    yield "Desktops that still fit", reading.text("headroom_desktops")
    yield "Close call", reading.text("call_words" if "call_words" in reading.book.results else "close_call")
    yield "Not checked", reading.text("constraints_unchecked")
    matters = "matters_words" if "matters_words" in reading.book.results else "unchecked_matters"
    for key in (matters, "unchecked_ratings_matter"):
        if reading.text(key) not in ("none", BLANK):
            yield reading.label(key), reading.text(key)


def _ratios(reading: Reading) -> list[tuple[str, float, str]]:
    """Return the unrounded arrays for each constraint, the largest first, and the constraints not checked."""
    rows = []
    for key in reading.book.results:
        if key.startswith("ratio_") and key not in _NOT_RATIOS:
            value = reading.value(key)
            if isinstance(value, float) and value > 0:
                rows.append((_limit_label(reading, key, value), value, f"{value:,.2f}"))
            elif value == "not published":
                rows.append((reading.label(key), 0.0, "not checked"))
    return sorted(rows, key=lambda row: -row[1])


def _limit_label(reading: Reading, key: str, value: float) -> str:
    """Return the name of a constraint; for the failover that decides, that of the limit after one failure."""
    limit = reading.text("binding_constraint")
    decides = key == "ratio_failover" and value == reading.value("ratio_largest") and ", " in limit
    return limit if decides else reading.label(key)


def _constraints(reading: Reading) -> str:
    design = reading.number("arrays_used")
    return charts.bars(
        f"{reading.word.capitalize()}s that each constraint needs, unrounded",
        _ratios(reading),
        (design, f"in the design: {design:,.0f}"),
    )


def scope(reading: Reading) -> Chapter:
    """Return the scope, the exclusions and the caveats of the workbook."""
    scheduled = reading.number("scheduled_work_ios") > 0
    covered = [
        f"Storage for {_users(reading)}, {reading.input('provisioning')}, workload {reading.input('profile')}.",
        "Capacity, IOPS phase by phase, throughput and latency in normal operation and after one failure.",
        f"Profile containers: {_place(reading)}.",
        f"A scheduled load such as a scan or a backup: {'included' if scheduled else 'none is entered'}.",
    ]
    if reading.text("demand_source") != BLANK:  # copies of 0.2.0 have none
        covered.insert(1, f"Load of a desktop: {reading.text('demand_source')}.")
    if reading.text("group_words") not in ("none", BLANK):
        covered.insert(1, f"User groups: {reading.text('group_words')}.")
    outside = [
        f"Hosts: processors and memory are not sized. {reading.text('hosts_required')} hosts are counted from "
        f"{reading.input('desktops_per_host')} on each, as they set the pace of a boot.",
        "Network: the ports and the bandwidth between hosts and storage are not sized; the throughput they must carry "
        "is in the chapter on the load.",
        "Backup: its capacity and its target are not sized; its load on the arrays only where it is entered above.",
        f"Disaster recovery: a second site is not sized. The data are on another array too: "
        f"{reading.input('replicated')}.",
    ]
    blocks: list[Block] = [Head("In scope"), Points(covered), Head("Out of scope"), Points(outside)]
    caveats = [f"{row[0]}: {row[1]}" for row in _caveats(reading)]
    if caveats:
        blocks += [Head("What the sizing does not claim"), Points(caveats)]
    return Chapter("scope", "Scope and exclusions", blocks)


_PLACES = {"none": "none are planned", "elsewhere": "they are elsewhere"}


def _place(reading: Reading) -> str:
    place = reading.input("container_place")
    if place in _PLACES:
        return _PLACES[place]
    share = reading.text(CLOUD_SHARE) if CLOUD_SHARE in reading.book.results else "none"
    told = "" if share in ("none", BLANK) else f": {share}"
    return f"they are on {place.removeprefix('on ')}{told}"


def _caveats(reading: Reading) -> Iterator[tuple[str, str]]:
    rows = list(reading.lines(About.SHEET))
    start = next((n for n, (text, _, _) in enumerate(rows) if text == About.CAVEATS), None)
    for text, _, at in rows[start + 1 :] if start is not None else ():
        caveat = reading.at(at._replace(column=2))
        if not caveat:
            return
        if reading.prices or text != About.PRICES:
            yield text.strip("'"), caveat


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
